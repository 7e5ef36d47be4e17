"""Each barrier holds: what an answer tries, once it is confined, is refused; and the same was possible before."""

import ctypes
import errno
import json
import mmap
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from helpers.teach.course_folder import solutions_folder, true_values_folder
from helpers.teach.grading.sandbox import confine
from helpers.teach.grading.sandbox.confine import BUBBLEWRAP, LANDLOCK, MB, NOTHING, Confinement, Limits, file_barrier

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="Landlock and seccomp are Linux's"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning"),  # pytest-xdist's own thread
]
needs_landlock = pytest.mark.skipif(not confine.landlock_version(), reason="this kernel has no Landlock")


def confined(probe, *, files=NOTHING, seccomp=False, limits=None, capabilities=False):
    """Run a probe in a fork behind chosen barriers; return what it returned, the error it raised, or how it ended."""
    confinement = Confinement(files)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if limits is not None:
                confine._limit(limits, confine._address_space())
            if capabilities:
                confine._drop_capabilities()
            if confinement._ruleset is not None:
                confine._landlock_restrict(confinement._ruleset)
            if seccomp:
                confinement._filter.load()
            try:
                said = probe()
            except OSError as error:
                said = errno.errorcode[error.errno]
            except BaseException as error:  # noqa: BLE001  whatever it is, the test wants to know
                said = type(error).__name__
            os.write(writer, json.dumps(said).encode())
        finally:
            os._exit(0)
    os.close(writer)
    if confinement._ruleset is not None:
        os.close(confinement._ruleset)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    return json.loads(said) if said else -os.WTERMSIG(status)


def test_this_machine_has_all_barriers():
    """Nothing is lacking where this project is tested, so that none of the tests below is skipped there."""
    confinement = Confinement(file_barrier())
    assert file_barrier() == LANDLOCK
    assert confinement.lacking == []
    assert len(confinement.protections) == 4


# --- Landlock alone: files


def read(path):
    """Return a probe that reads a file."""
    return lambda: len(Path(path).read_bytes()) > 0


@needs_landlock
@pytest.mark.parametrize(
    "path",
    [
        solutions_folder() / "single_head.py",
        true_values_folder() / "single_head.json",
        "/etc/passwd",
        "/proc/self/environ",
        "/proc/1/cmdline",
    ],
    ids=str,
)
def test_no_file_can_be_read(path):
    """The answers, the system's files and those of processes are there, and out of reach."""
    path = next(Path(path).parent.glob("*.json")) if not Path(path).exists() else path
    assert confined(read(path)) is True
    assert confined(read(path), files=LANDLOCK) == "EACCES"


@needs_landlock
def test_packages_can_be_read():
    """An import finds its module."""
    assert confined(read(json.__file__), files=LANDLOCK) is True
    assert confined(lambda: __import__("this").__name__, files=LANDLOCK) == "this"


@needs_landlock
def test_a_users_own_packages_can_be_read(tmp_path, monkeypatch):
    """Where numpy was installed with `pip install --user`, say; the course is not, wherever it was installed."""
    packages = tmp_path / "site-packages"
    for name in ("numpy", "helpers", "solutions", "attention_by_hand"):
        (packages / name).mkdir(parents=True)
        (packages / name / "__init__.py").write_text("x")
    assert confined(read(packages / "numpy" / "__init__.py"), files=LANDLOCK) == "EACCES"
    monkeypatch.setattr(sys, "path", [*sys.path, str(packages), str(tmp_path / "gone" / "site-packages")])
    assert confined(read(packages / "numpy" / "__init__.py"), files=LANDLOCK) is True
    for name in ("helpers", "solutions", "attention_by_hand"):
        assert confined(read(packages / name / "__init__.py"), files=LANDLOCK) == "EACCES"


@needs_landlock
@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "new").write_text("x"),
        lambda folder: (folder / "old").write_text("x"),
        lambda folder: (folder / "old").unlink(),
        lambda folder: (folder / "old").rename(folder / "other"),
        lambda folder: (folder / "link").symlink_to("old"),
        lambda folder: os.link(folder / "old", folder / "twin"),
        lambda folder: (folder / "folder").mkdir(),
        lambda folder: os.mkfifo(folder / "pipe"),
        lambda folder: os.truncate(folder / "old", 0),
        lambda folder: socket.socket(socket.AF_UNIX).bind(str(folder / "socket")),
    ],
    ids=["write", "overwrite", "delete", "rename", "symlink", "link", "mkdir", "mkfifo", "truncate", "socket"],
)
def test_no_file_can_be_changed(change, tmp_path):
    """Neither made nor written nor removed, whatever the system call."""
    for files in (LANDLOCK, NOTHING):  # the second shows that it is the barrier that refuses
        (tmp_path / files).mkdir()
        (tmp_path / files / "old").write_text("old")
    assert confined(lambda: bool(change(tmp_path / LANDLOCK)) and False, files=LANDLOCK) == "EACCES"
    assert confined(lambda: bool(change(tmp_path / NOTHING)) and False) is False
    assert [path.name for path in (tmp_path / LANDLOCK).iterdir()] == ["old"]
    assert (tmp_path / LANDLOCK / "old").read_text() == "old"


@needs_landlock
def test_landlock_alone_refuses_tcp_and_signals():
    """A second wall behind seccomp's, where the kernel is new enough."""
    if confine.landlock_version() < 6:
        pytest.skip("this kernel's Landlock knows files only, or files and TCP")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = listener.getsockname()
        assert confined(lambda: socket.create_connection(place).close()) is None
        assert confined(lambda: socket.create_connection(place).close(), files=LANDLOCK) == "EACCES"
    assert confined(lambda: os.kill(os.getppid(), 0)) is None
    assert confined(lambda: os.kill(os.getppid(), 0), files=LANDLOCK) == "EPERM"


# --- seccomp alone: system calls


def call(number, *arguments):
    """Make a system call by its number; raise its error."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(number, *arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")


def start_thread():
    """Start a thread."""
    threading.Thread(target=int).start()


def signal_by_pipe():
    """Have the kernel signal the parent when a pipe can be read."""
    import fcntl

    reader, _ = os.pipe()
    fcntl.fcntl(reader, fcntl.F_SETOWN, os.getppid())


CALLS = {
    "fork": os.fork,
    "vfork and exec": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "exec": lambda: os.execv("/bin/true", ["true"]),  # noqa: S606  refused
    "kill": lambda: os.kill(os.getppid(), 0),
    "kill itself": lambda: os.kill(os.getpid(), 0),
    "queue a signal": lambda: signal.pidfd_send_signal(os.pidfd_open(os.getppid()), 0),
    "signal by a pipe": signal_by_pipe,
    "a TCP socket": lambda: socket.socket(),
    "a UDP socket": lambda: socket.socket(type=socket.SOCK_DGRAM),
    "a local socket": lambda: socket.socket(socket.AF_UNIX),
    "a pair of sockets": socket.socketpair,
    "change rights": lambda: os.chmod("/tmp", 0o1777),  # noqa: PTH101, S103, S108  as it is
    "change dates": lambda: os.utime("/tmp"),  # noqa: S108  as above
    "another folder": lambda: os.chdir("/tmp"),  # noqa: S108  as above
    "a lower priority": lambda: os.nice(0),
    "another user": lambda: os.setuid(os.getuid()),
    "another session": os.setsid,
    "a file in memory": lambda: os.memfd_create("x"),
    "an ioctl on the terminal": lambda: __import__("fcntl").ioctl(0, 0x5412, b"x"),
}


# By their numbers: Python has no function for them.
NUMBERED = {
    "trace": lambda: call(101, 0, 0, 0, 0),
    "read another's memory": lambda: call(310, os.getppid(), 0, 0, 0, 0, 0),
    "a kernel's program": lambda: call(321, 0, 0, 0),
    "asynchronous input": lambda: call(425, 1, 0),
    "a key": lambda: call(250, 0, -3, 0),
    "a namespace": lambda: call(272, 0),
    "mount": lambda: call(165, 0, 0, 0, 0, 0),
    "shared memory": lambda: call(29, 0, 4096, 0o1000),
    "a message queue": lambda: call(68, 0, 0o1000),
    "a higher limit": lambda: call(302, 0, 7, (ctypes.c_uint64 * 2)(64, 64), 0),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_system_call_is_refused(name):
    """Whatever starts, signals, connects, changes or shares."""
    assert confined(CALLS[name], seccomp=True) == "EPERM"


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of this processor")
@pytest.mark.parametrize("name", NUMBERED)
def test_a_rare_system_call_is_refused(name):
    """Whatever traces, mounts, or talks to the kernel in another way."""
    assert confined(NUMBERED[name], seccomp=True) == "EPERM"


@pytest.mark.parametrize("flag", ["O_TRUNC", "O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND", "O_TMPFILE"])
def test_files_can_be_opened_to_be_read_only(flag, tmp_path):
    """Landlock before version 3 lets a file that may be read be emptied as it is opened."""
    file = tmp_path / "module.py"
    file.write_text("old")
    place, flags = tmp_path if flag == "O_TMPFILE" else file, getattr(os, flag)
    flags |= os.O_WRONLY if flag == "O_TMPFILE" else 0
    assert confined(lambda: os.open(place, flags), seccomp=True) == "EPERM"
    assert file.read_text() == "old"
    assert confined(lambda: os.open(place, os.O_RDONLY) > 0, seccomp=True) is True
    assert confined(lambda: os.open(place, flags) > 0) is True


def test_no_thread_can_be_started():
    """There is no other bound on their number."""
    assert confined(start_thread) is None
    assert confined(start_thread, seccomp=True) == "RuntimeError"


def test_what_computing_needs_is_allowed():
    """Arithmetic, linear algebra, random numbers, memory, clocks, pipes, waiting."""

    def compute():
        matrix = np.random.default_rng(1).normal(size=(20, 20))  # too small for threads
        np.linalg.svd(matrix @ matrix)
        mmap.mmap(-1, 4096).close()
        reader, writer = os.pipe()
        os.write(writer, b"x")
        time.sleep(0.001)
        return os.read(os.dup(reader), 1).decode() + str(os.getpid() > 0 and os.urandom(1) != b"")

    assert confined(compute, seccomp=True, files=LANDLOCK if confine.landlock_version() else NOTHING) == "xTrue"


# --- limits and capabilities alone


def test_processor_time_ends():
    """A loop that ignores every signal is ended all the same."""

    def loop():
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)
        while True:
            pass

    assert confined(loop, limits=Limits(seconds=1)) == -signal.SIGKILL


def test_memory_ends():
    """Within the limit it is there, beyond it is not."""
    assert confined(lambda: len(bytearray(50 * MB)), limits=Limits(memory=100)) == 50 * MB
    assert confined(lambda: len(bytearray(150 * MB)), limits=Limits(memory=100)) == "MemoryError"


def test_files_and_descriptors_end(tmp_path):
    """Not a byte can be written to a file, and few descriptors are to be had."""

    def write():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        return (tmp_path / "file").write_text("x")

    assert confined(write, limits=Limits()) == "EFBIG"
    assert confined(lambda: [os.pipe() for _ in range(64)], limits=Limits()) == "EMFILE"


def test_limits_cannot_be_raised():
    """The hard limit is as low as the soft one."""
    import resource

    def limits():
        return [
            list(resource.getrlimit(kind))
            for kind in (resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE)
        ]

    assert confined(limits, limits=Limits(seconds=3)) == [[4, 4], [0, 0], [0, 0]]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root has capabilities to lose")
def test_root_is_nobody_in_particular(tmp_path):
    """Without its capabilities, root reads no file that it may not read by its rights."""
    secret = tmp_path / "secret"
    secret.write_text("x")
    secret.chmod(0)
    assert confined(read(secret)) is True
    assert confined(read(secret), capabilities=True) == "EACCES"
    assert confined(lambda: os.chroot("/"), capabilities=True) == "EPERM"


def test_what_is_lacking_is_said(monkeypatch):
    """Neither barrier is taken for granted."""
    monkeypatch.setitem(sys.modules, "pyseccomp", None)
    confinement = Confinement(NOTHING)
    assert [one.split()[0] for one in confinement.lacking] == ["Landlock", "seccomp"]
    assert not any("Landlock" in one or "seccomp" in one for one in confinement.protections)


@pytest.mark.parametrize(
    ("landlock", "system", "bwrap", "barrier"),
    [
        (7, "linux", "/usr/bin/bwrap", LANDLOCK),
        (0, "linux", "/usr/bin/bwrap", BUBBLEWRAP),
        (0, "linux", None, NOTHING),
        (0, "darwin", "/usr/bin/bwrap", NOTHING),
        (0, "win32", None, NOTHING),
    ],
)
def test_the_best_barrier_is_taken(landlock, system, bwrap, barrier, monkeypatch):
    """Landlock, else Bubblewrap, else none; on other systems none."""
    monkeypatch.setattr(confine, "landlock_version", lambda: landlock)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(confine.shutil, "which", lambda name: bwrap)
    assert file_barrier() == barrier
