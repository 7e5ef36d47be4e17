"""The run: submissions handed out to workers here or elsewhere, and their records as they become known."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from helpers.teach.grading.mark import Grader, unread
from helpers.teach.grading.record import Record
from helpers.teach.grading.sandbox.confine import Limits
from helpers.teach.grading.sandbox.interrupts import unheard
from helpers.teach.grading.sandbox.runner import Runner
from helpers.teach.grading.submission import Submission
from helpers.teach.grading.trial import drawing_seed

Batch: TypeAlias = tuple[Submission, ...]

AHEAD = 4  # batches a worker that are handed out at once: enough to keep it busy, few enough to hold in memory


@dataclass(frozen=True)
class Settings:
    """What a worker has to know: what an exercise may use, the seed of the run, whether unconfined runs are allowed."""

    limits: Limits
    secret: int
    trust: bool = False


class Crew(Protocol):
    """Who does the work.

    Attributes
    ----------
    size : int
        How many batches they do at once.
    batch : int
        How many submissions make a batch.
    lost : tuple of exception classes
        What a batch raises when its worker died.
    """

    size: int
    batch: int
    lost: tuple[type[BaseException], ...]

    def start(self) -> Executor:
        """Return an executor; called again when one broke."""

    def stop(self, executor: Executor) -> None:
        """End an executor, and whatever is still at work, at once."""


class LocalCrew:
    """Processes of this machine. They end with the process that started them, however that ends."""

    batch = 1
    lost: tuple[type[BaseException], ...] = (BrokenExecutor,)

    def __init__(self, workers: int) -> None:
        self.size = workers

    def start(self) -> Executor:
        """Return a pool of new processes: what is in our memory does not get into theirs."""
        return ProcessPoolExecutor(self.size, multiprocessing.get_context("spawn"), initializer=_begin)

    def stop(self, executor: Executor) -> None:
        """End the processes first, so that nobody waits for their work."""
        for child in multiprocessing.active_children():
            child.terminate()
        executor.shutdown()


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the main process's business
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # its warm process sees the closed socket, and ends too


_own = threading.local()  # a thread's runner: some executors run tasks in threads


def mark_batch(batch: Batch, settings: Settings) -> list[Record]:
    """Return the records of a few submissions. This runs in a worker, here or on another machine."""
    grader = Grader(_runner(settings), settings.secret)
    return [grader.mark(submission) for submission in batch]


def _runner(settings: Settings) -> Runner:
    """Return this thread's runner. Its warm process ends with this process, whose end of the socket closes."""
    runner: Runner | None = getattr(_own, "runner", None)
    wanted = settings.limits, drawing_seed(settings.secret), settings.trust
    if runner is None or (runner.limits, runner.seed, runner.trust) != wanted:
        if runner is not None:
            runner.close()
        _own.runner = runner = Runner(*wanted[:2], trust=settings.trust)
    return runner


def records(batches: Iterable[Batch], settings: Settings, crew: Crew) -> Iterator[list[Record]]:
    """Yield the records of the batches as they become known.

    A worker that dies may take all that was handed out with it. That is then marked again, one submission at a time,
    until it is known which of them does that: it is unreadable, and the others are not.
    """
    waiting = iter(batches)
    suspects: deque[Batch] = deque()
    handed: dict[Future[list[Record]], Batch] = {}
    executor = crew.start()
    try:
        while True:
            most = 1 if suspects else AHEAD * crew.size
            while len(handed) < most and (batch := suspects.popleft() if suspects else next(waiting, None)):
                handed[_submitted(executor, batch, settings)] = batch
            if not handed:
                return
            for future in wait(handed, return_when=FIRST_COMPLETED).done:
                batch = handed.pop(future, ())  # not there any more if the whole executor broke
                try:
                    yield future.result() if batch else []
                except crew.lost as death:
                    gone = [batch]
                    if isinstance(death, BrokenExecutor):
                        gone += handed.values()
                        handed.clear()
                        crew.stop(executor)
                        executor = crew.start()
                    if sum(map(len, gone)) == 1:
                        yield [_deadly(batch[0])]
                    else:
                        suspects.extend((one,) for several in gone for one in several)
    finally:
        crew.stop(executor)


def _submitted(executor: Executor, batch: Batch, settings: Settings) -> Future[list[Record]]:
    """Hand out a batch; a broken executor says so in the future, as it does for what it took before."""
    try:
        with unheard():  # the first call starts the processes
            return executor.submit(mark_batch, batch, settings)
    except BrokenExecutor as death:
        future: Future[list[Record]] = Future()
        future.set_exception(death)
        return future


def _deadly(submission: Submission) -> Record:
    """Return the record of a submission that ends the process which reads it."""
    reason = "the grader's own process ended while it read this file. Look at it by hand."
    return unread(submission, reason)
