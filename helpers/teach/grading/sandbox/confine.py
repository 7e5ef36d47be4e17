"""What a fork can no longer do once it has entered its confinement: Landlock, seccomp, limits, no capability.

Nothing here needs a privilege. What the kernel or a missing library does not offer is reported, never assumed.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import shutil
import signal
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if sys.platform != "win32":
    import fcntl
    import resource

MB = 2**20
ASSUMED = 1024 * MB  # of addresses for the warm process, which takes about half of it


@dataclass(frozen=True)
class Limits:
    """What one exercise of one submission may use.

    Attributes
    ----------
    seconds : int
        Of wall clock, and of processor time.
    memory : int
        MB of address space beyond the warm process.
    answer : int
        MB that may come back through the pipe. What the code prints is thrown away.
    """

    seconds: int = 10
    memory: int = 1024
    answer: int = 4


def library_folders() -> list[Path]:
    """Return where Python's standard library and the installed packages are, a user's own among them."""
    paths = sysconfig.get_paths()
    folders = {Path(paths[kind]) for kind in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders |= {Path(entry) for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages")}
    return sorted({folder.resolve() for folder in folders if folder.is_dir()})


def readable_folders() -> Iterator[tuple[Path, bool]]:
    """Yield what a fork may read: Python's standard library and the installed packages, this course left out.

    Each with whether its files may be read, or only their names.
    """
    for folder in library_folders():
        yield folder, False  # an import lists the folders on its path
        for entry in sorted(folder.iterdir()):
            if not entry.name.startswith(("site-packages", "dist-packages", "helpers", "solutions", "attention")):
                yield entry, True


LANDLOCK, BUBBLEWRAP, NOTHING = "landlock", "bubblewrap", "nothing"


def file_barrier() -> str:
    """Return what can keep a fork from files on this machine: the best of the three."""
    if landlock_version():
        return LANDLOCK
    return BUBBLEWRAP if sys.platform == "linux" and shutil.which("bwrap") else NOTHING


class Confinement:
    """The barriers of this machine, made ready once in the warm process and entered in each fork.

    Attributes
    ----------
    protections : list of str
        What is active, one sentence each.
    lacking : list of str
        What is not, and what to do about it.
    """

    def __init__(self, barrier: str) -> None:
        self.protections: list[str] = []
        self.lacking: list[str] = []
        self._size = _address_space()  # of each fork, too
        self._ruleset = self._landlock() if barrier == LANDLOCK else None
        if barrier == BUBBLEWRAP:
            self.protections.append("Bubblewrap: no file but Python's own is in sight, none can be written")
        if barrier == NOTHING:
            self.lacking.append("Landlock (Linux 5.13 and later, enabled at boot), or Bubblewrap (`bwrap`) instead")
        self._filter = self._seccomp()
        if sys.platform != "win32":
            self.protections.append("limits on processor time, memory and files")
        if sys.platform == "linux":
            self.protections.append("no capability of root, and none to be gained")

    def enter(self, limits: Limits) -> None:
        """Confine this process, for good.

        Raises
        ------
        OSError
            If one of the barriers that were promised cannot be entered.
        """
        _limit(limits, self._size)
        if sys.platform == "linux":
            _drop_capabilities()
            _end_with_parent()
        if self._ruleset is not None:
            _landlock_restrict(self._ruleset)
        if self._filter is not None:
            self._filter.load()

    def _landlock(self) -> int:
        """Return the descriptor of a ruleset under which only `readable_folders` can be read."""
        ruleset = _landlock_ruleset()
        self.protections.append(f"Landlock {landlock_version()}: no file but Python's own can be read, none written")
        return ruleset

    def _seccomp(self) -> Any:
        """Return a filter that answers every system call with EPERM but those that computing needs."""
        try:
            import pyseccomp  # asked for here only: it loads a library of the system
        except (ImportError, RuntimeError, OSError) as error:
            self.lacking.append(f"seccomp (`pip install pyseccomp` and the system's libseccomp 2): {error}")
            return None
        rules = pyseccomp.SyscallFilter(defaction=pyseccomp.ERRNO(errno.EPERM))
        for call in _ALLOWED:
            with contextlib.suppress(OSError, ValueError):  # another processor's name
                rules.add_rule(pyseccomp.ALLOW, call)
        # What `fcntl` may ask: another descriptor, flags. It could have the kernel send signals to other processes.
        for command in (
            fcntl.F_DUPFD,
            fcntl.F_DUPFD_CLOEXEC,
            fcntl.F_GETFD,
            fcntl.F_SETFD,
            fcntl.F_GETFL,
            fcntl.F_SETFL,
        ):
            rules.add_rule(pyseccomp.ALLOW, "fcntl", pyseccomp.Arg(1, pyseccomp.EQ, command))
        # Files can be opened to be read. Landlock before version 3 lets what may be read be emptied: `O_TRUNC`.
        change = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
        for call, flags in (("open", 1), ("openat", 2)):
            with contextlib.suppress(OSError, ValueError):  # as above
                rules.add_rule(pyseccomp.ALLOW, call, pyseccomp.Arg(flags, pyseccomp.MASKED_EQ, change, 0))
        # Limits can be asked for, not set.
        rules.add_rule(pyseccomp.ALLOW, "prlimit64", pyseccomp.Arg(2, pyseccomp.EQ, 0))
        self.protections.append("seccomp: no process, thread, signal, socket or file can be made or changed")
        return rules


# What Python and numpy need to compute, to import, and to end, besides what `_seccomp` allows in part. No thread can be
# made: nothing else would limit how many there are, and they use up the process numbers of the whole machine.
_ALLOWED = """
read write readv writev pread64 pwrite64 close close_range lseek dup dup2 dup3 pipe pipe2 poll ppoll select pselect6
stat lstat fstat newfstatat statx access faccessat faccessat2 getdents getdents64 readlink readlinkat getcwd
mmap munmap mremap mprotect madvise brk mincore msync
futex futex_waitv set_robust_list get_robust_list set_tid_address rseq membarrier sched_yield sched_getaffinity
getpid gettid getppid getuid geteuid getgid getegid getpgrp getpgid getsid getrlimit getrusage times sysinfo uname
clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time getrandom
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending sigaltstack setitimer getitimer alarm pause restart_syscall
arch_prctl exit exit_group
""".split()  # noqa: SIM905  a list of 80 strings would take a page


# --- limits


def _limit(limits: Limits, size: int) -> None:
    if sys.platform == "win32":
        return

    def cap(kind: int, most: int) -> None:
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))

    cap(resource.RLIMIT_CPU, limits.seconds + 1)  # should whoever holds the wall clock be gone: that one ends it first
    cap(resource.RLIMIT_AS, size + limits.memory * MB)
    cap(resource.RLIMIT_FSIZE, 0)
    cap(resource.RLIMIT_NOFILE, 64)
    cap(resource.RLIMIT_CORE, 0)


def _address_space() -> int:
    """Return how many bytes of addresses this process has, or what is assumed where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:  # not Linux, or no /proc in the sandbox
        return ASSUMED
    return pages * os.sysconf("SC_PAGE_SIZE")


# --- capabilities


def _drop_capabilities() -> None:
    libc = _libc()
    version = (ctypes.c_uint32 * 2)(0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
    none = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable: 64 bits each
    _asked(libc, libc.capset(version, none))


# --- the parent


def _end_with_parent() -> None:
    """Have the kernel end this process with the one that forked it: nobody else holds its wall clock."""
    _asked(_libc(), _libc().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))


# --- Landlock: include/uapi/linux/landlock.h. There is no wrapper in the C library.

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same numbers on every processor
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38


class _RulesetAttr(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathAttr(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("access", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def landlock_version() -> int:
    """Return which version of Landlock the kernel speaks; 0 if none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(_libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))))


def _landlock_ruleset() -> int:
    """Return the descriptor of the ruleset: every right that this kernel knows is denied, a few are given back.

    Raises
    ------
    OSError
        Where there is no Landlock.
    """
    version = landlock_version()
    if not version:
        raise OSError(errno.ENOSYS, "not offered by this system")
    rights = 13 + (version >= 2) + (version >= 3) + (version >= 5)  # how many rights on files it knows
    attr = _RulesetAttr(files=(1 << rights) - 1, net=0b11 if version >= 4 else 0, scoped=0b11 if version >= 6 else 0)
    known = 24 if version >= 6 else 16 if version >= 4 else 8  # bytes of the structure, by version
    libc = _libc()
    ruleset = _asked(
        libc, libc.syscall(_CREATE_RULESET, ctypes.byref(attr), ctypes.c_size_t(known), ctypes.c_uint32(0))
    )
    for path, files in readable_folders():
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        access = _READ_DIR if not files else _READ_FILE | _READ_DIR if path.is_dir() else _READ_FILE
        rule = _PathAttr(access, parent)
        _asked(libc, libc.syscall(_ADD_RULE, ruleset, 1, ctypes.byref(rule), ctypes.c_uint32(0)))
        os.close(parent)
    return ruleset


def _landlock_restrict(ruleset: int) -> None:
    libc = _libc()
    _asked(libc, libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _asked(libc, libc.syscall(_RESTRICT_SELF, ruleset, ctypes.c_uint32(0)))
    os.close(ruleset)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _asked(libc: ctypes.CDLL, answer: int) -> int:
    """Return a system call's answer.

    Raises
    ------
    OSError
        If it failed.
    """
    if answer < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return int(answer)
