"""What commands cost: seconds on the wall, seconds of a processor, and memory, each with all that they start."""

import contextlib
import resource
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

EVERY = 0.1  # seconds between two looks at the memory: each look costs some milliseconds


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
        Seconds, user and system, of the processes and all their descendants that were waited for. A process that
        outlives its parent is missed.
    tree : int
        The most memory seen, in bytes: the sum over all processes at one moment. Pages that several of them share
        are counted once (PSS, Linux).
    main : int
        The most memory (RSS) of the started process alone, in bytes.
    """

    wall: float = 0.0
    cpu: float = 0.0
    tree: int = 0
    main: int = 0


def run(
    commands: Sequence[Sequence[str]], folder: Path, environment: Mapping[str, str], good: Sequence[int] = (0,)
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

    Raises
    ------
    Failed
        If another exit code comes back; it ends with the last lines that were printed.
    """
    cost = Cost()
    output = folder / "output.txt"
    before, start = _cpu(), time.monotonic()
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
                raise Failed(f"{Path(command[0]).name} ended with {code}: {' / '.join(said)}")
    cost.wall, cost.cpu = time.monotonic() - start, _cpu() - before
    return cost


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _watch(pid: int, done: threading.Event, cost: Cost) -> None:
    """Look at a process and its descendants until it ends."""
    with contextlib.suppress(psutil.NoSuchProcess):
        top = psutil.Process(pid)
        while not done.is_set():
            cost.main = max(cost.main, top.memory_info().rss)
            cost.tree = max(cost.tree, sum(map(_shared_once, [top, *top.children(recursive=True)])))
            done.wait(EVERY)


def _shared_once(process: psutil.Process) -> int:
    try:
        return int(process.memory_full_info().pss)
    except (psutil.NoSuchProcess, psutil.AccessDenied, ProcessLookupError):
        return 0  # it has ended
