"""The warm process: it has numpy and the course's examples in memory, no answer, and forks once an exercise.

It reads neither the jobs nor the answers. Both pass between the trusted process and the fork through pipes whose ends
it is handed, so that nothing of one submission is in the memory that the next fork begins with.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from helpers.course import course
from helpers.examples import examples, hidden
from helpers.learn.errors import Trouble
from helpers.learn.run import Outcome, build, run
from helpers.learn.slices import Slice, future_flags
from helpers.learn.watch import Seen, watch
from helpers.parameters import Head, Layer
from helpers.teach.grading.sandbox.confine import MB, Confinement, Limits
from helpers.teach.grading.sandbox.wire import Job, pack, unpack_job

MUCH = 10_000  # numbers in one result; the largest true ones are far below
NO_ANSWER = 70  # the exit code of a fork that could not send its answer
MOST_DESCRIPTORS = 1024  # far more than this process ever opens

# What an answer is likely to import, loaded once here instead of in every fork.
_LIKELY = """
abc bisect cmath collections contextlib copy dataclasses decimal enum fractions functools heapq inspect io itertools
json math operator random re statistics string textwrap time typing warnings numpy.linalg numpy.random
""".split()  # noqa: SIM905  as text it takes three lines


@dataclass(frozen=True)
class Ended:
    """How a fork ended.

    Attributes
    ----------
    code : int
        Its exit code; the negative number of the signal that ended it.
    seconds, processor : float
        Wall clock and processor time.
    stopped : bool
        Whether it was ended because its time was up.
    """

    code: int
    seconds: float
    processor: float
    stopped: bool


@dataclass(frozen=True)
class Warm:
    """What each fork begins with.

    Attributes
    ----------
    control : socket
        The other end is the trusted process's.
    confinement : Confinement
        What a fork enters before it runs an answer.
    limits : Limits
        What it may use.
    seed : int
        What the hidden examples are drawn from.
    """

    control: socket.socket
    confinement: Confinement
    limits: Limits
    seed: int

    def serve(self) -> None:
        """Fork for every pair of pipes that comes, until the trusted process closes its end."""
        self._say({"protections": self.confinement.protections, "lacking": self.confinement.lacking})
        while True:
            message, descriptors, _, _ = socket.recv_fds(self.control, 1, 2)
            if not message:
                return
            job, answer = descriptors
            self._say(vars(self._fork(job, answer)))

    def _say(self, content: object) -> None:
        self.control.sendall(json.dumps(content).encode() + b"\n")

    def _fork(self, job: int, answer: int) -> Ended:
        """Have a fork do one job, and wait for its end."""
        start = time.monotonic()
        child = os.fork()
        if child == 0:
            self.control.close()
            self._in_fork(job, answer)
        os.close(job)
        os.close(answer)
        stopped = not _ends(child, self.control, self.limits.seconds)
        if stopped:
            os.kill(child, signal.SIGKILL)
        _, status, used = os.wait4(child, 0)
        processor = used.ru_utime + used.ru_stime
        return Ended(os.waitstatus_to_exitcode(status), time.monotonic() - start, processor, stopped)

    def _in_fork(self, job: int, answer: int) -> NoReturn:
        """Do the job, confined, and end the process without a word but the answer."""
        leave, write = os._exit, os.write  # bound now: the student's code may rename them
        try:
            with os.fdopen(job, "rb") as pipe:
                content = unpack_job(pipe.read())
            nothing = os.open(os.devnull, os.O_RDWR)
            for descriptor in range(3):
                os.dup2(nothing, descriptor)
            self.confinement.enter(self.limits)
            os.dup2(answer, 3)
            os.closerange(4, MOST_DESCRIPTORS)
            packed = memoryview(_answer(content, self.limits, self.seed))
            while packed:
                packed = packed[write(3, packed) :]
            leave(0)
        finally:
            leave(NO_ANSWER)


def main() -> None:
    """Get warm, and serve: the barrier, the socket's descriptor, the seed and the limits are the arguments."""
    barrier, descriptor, seed, *most = sys.argv[1:]
    control = socket.socket(fileno=int(descriptor))
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the main process's business
    for name in _LIKELY:
        importlib.import_module(name)
    for name in course().exercises:
        examples(name), hidden(name, int(seed))  # drawn once, and kept
    warm = Warm(control, Confinement(barrier), Limits(*map(int, most)), int(seed))
    gc.collect()
    gc.freeze()  # a collection in a fork would write to, and so copy, every page
    with contextlib.suppress(ConnectionError):  # the trusted process is gone
        warm.serve()


def _ends(child: int, control: socket.socket, seconds: float) -> bool:
    """Wait for a fork's end; return False when its time is up, or the trusted process is gone."""
    if not hasattr(os, "pidfd_open"):  # not Linux
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                return True
            if select.select([control], [], [], 0.002)[0]:
                return False
        return False
    watched = os.pidfd_open(child)
    try:
        ready, _, _ = select.select([watched, control.fileno()], [], [], seconds)
        return watched in ready
    finally:
        os.close(watched)


def _answer(job: Job, limits: Limits, seed: int) -> bytes:
    done = _done(job, seed)
    if isinstance(done, Trouble) or job.watch is not None:
        return pack(done)
    outcomes = [outcome for outcome in done if isinstance(outcome, Outcome)]
    much = 8 * sum(map(_numbers, outcomes)) > limits.answer * MB // 2  # they are sent as text, which is longer
    return pack([_without_much(outcome) for outcome in outcomes] if much else outcomes)


def _without_much(outcome: Outcome) -> Outcome:
    """Return an outcome, with a sentence in the place of more numbers than any example asks for."""
    count = _numbers(outcome)
    return outcome if count < MUCH else Outcome(unreadable=f"returned {count:,} numbers, far more than were asked for.")


def _numbers(outcome: Outcome) -> int:
    return sum(array.size for array in outcome.reading.arrays) if outcome.reading else 0


def _done(job: Job, seed: int) -> Trouble | Sequence[Outcome] | Sequence[Seen]:
    """Return what the job asks for."""
    everything = ast.parse(job.source)
    chosen = ast.Module([everything.body[position] for position in job.statements], [])
    part = Slice(job.function, chosen, "", future_flags(everything.body), job.source)
    lent = {"__name__": "my_attention", "np": np, "Head": Head, "Layer": Layer}
    exec(compile(job.lent, "<earlier exercises>", "exec", dont_inherit=True), lent)  # noqa: S102  ours
    earlier = {name: lent[name] for name in course().before(job.function) if name in lent}
    answer = build(part, earlier)
    if isinstance(answer, Trouble):
        return answer
    calls = [*examples(job.function), *hidden(job.function, seed)]
    if job.watch is not None:
        return watch(answer, f"<cell of {job.function}>", calls[job.watch].arguments)
    return run(answer, job.function, calls, job.layouts, part.source, job.order)


if __name__ == "__main__":
    main()
