"""What commands cost: seconds on the wall, seconds of a processor, and memory, each with all that they start.

They run under a process of their own, this file as a script, which also inherits what outlives its parent.
"""

import contextlib
import ctypes
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

EVERY = 0.1  # seconds between two looks at the memory: each look costs some milliseconds
GRACE = 10  # seconds that what outlives its command has to end
PR_SET_CHILD_SUBREAPER = 36  # of Linux: orphans become this process's children


class Failed(Exception):
    """A command that ended with an exit code which is not one of its good ones."""


@dataclass
class Cost:
    """What some commands cost together.

    Attributes
    ----------
    wall : float
        Seconds from the first one's start to the last one's end.
    cpu : float
        Seconds, user and system, of all processes that they started. On Linux also of those that outlive their parent;
        elsewhere these are missed.
    tree : int
        The most memory seen, in bytes: the sum over all processes at one moment. Pages that several of them share
        are counted once (PSS, Linux).
    main : int
        The most memory (RSS) of a command's own process, in bytes.
    left : int
        How many processes still ran when their grace was over. They were killed.
    """

    wall: float = 0.0
    cpu: float = 0.0
    tree: int = 0
    main: int = 0
    left: int = 0


def run(
    commands: Sequence[Sequence[str]],
    folder: Path,
    environment: Mapping[str, str],
    good: Sequence[int] = (0,),
    grace: float = GRACE,
) -> Cost:
    """Run commands one after the other, and return what they cost together.

    Parameters
    ----------
    commands : sequence of sequences of str
        The commands.
    folder : Path
        Where they run. What they print goes to `output.txt` there.
    environment : mapping of str to str
        All their environment.
    good : sequence of int, optional
        The exit codes that mean that the work was done.
    grace : float, optional
        Seconds that what outlives its command has to end.

    Raises
    ------
    Failed
        If another exit code comes back; it ends with the last lines that were printed.
    """
    job = json.dumps([commands, str(folder), dict(environment), good, grace])
    done = subprocess.run([sys.executable, __file__], input=job, stdout=subprocess.PIPE, text=True, check=True)
    answer = json.loads(done.stdout)
    if isinstance(answer, str):
        raise Failed(answer)
    return Cost(**answer)


def _measured(
    commands: Sequence[Sequence[str]], folder: Path, environment: Mapping[str, str], good: Sequence[int], grace: float
) -> Cost | str:
    """Do what `run` says, in the process that has no other children; return the cost, or what went wrong."""
    with contextlib.suppress(AttributeError):  # another system than Linux
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    cost, output, start = Cost(), folder / "output.txt", time.monotonic()
    with output.open("wb") as file:
        for command in commands:
            process = subprocess.Popen(
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT
            )
            done = threading.Event()
            watch = threading.Thread(target=_watch, args=(process.pid, done, cost))
            watch.start()
            try:
                code = process.wait()
            finally:
                done.set()
                watch.join()
            if code not in good:
                said = output.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-3:]
                return f"{Path(command[0]).name} ended with {code}: {' / '.join(said)}"
    cost.wall = time.monotonic() - start
    cost.left = _reap(grace)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cost.cpu = used.ru_utime + used.ru_stime
    return cost


def _watch(pid: int, done: threading.Event, cost: Cost) -> None:
    """Look at a command's process, and at all there are, until it ends."""
    ours = psutil.Process()
    with contextlib.suppress(psutil.NoSuchProcess):
        top = psutil.Process(pid)
        while not done.is_set():
            cost.main = max(cost.main, top.memory_info().rss)
            cost.tree = max(cost.tree, sum(map(_shared_once, ours.children(recursive=True))))
            done.wait(EVERY)


def _shared_once(process: psutil.Process) -> int:
    try:
        return int(process.memory_full_info().pss)
    except (psutil.NoSuchProcess, psutil.AccessDenied, ProcessLookupError):
        return 0  # it has ended


def _reap(grace: float) -> int:
    """Wait for the orphans, so that their time is counted; kill what does not end, and return how many that were."""
    end, left = time.monotonic() + grace, 0
    with contextlib.suppress(ChildProcessError):  # there is none left
        while True:
            if os.waitpid(-1, os.WNOHANG)[0]:
                continue
            if time.monotonic() >= end:
                still = psutil.Process().children(recursive=True)
                left, end = left + len(still), end + grace
                for process in still:
                    with contextlib.suppress(psutil.NoSuchProcess):
                        process.kill()
            time.sleep(0.01)
    return left


if __name__ == "__main__":
    commands, folder, environment, good, grace = json.load(sys.stdin)
    found = _measured(commands, Path(folder), environment, good, grace)
    print(json.dumps(found if isinstance(found, str) else asdict(found)))
