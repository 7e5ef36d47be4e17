"""The trusted side of the warm process: starts it, hands it jobs, and reads what comes back as far as it may go."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from dataclasses import astuple, dataclass
from types import TracebackType
from typing import Any

from helpers.teach.grading.sandbox.bubblewrap import bubblewrapped
from helpers.teach.grading.sandbox.confine import BUBBLEWRAP, MB, Limits, file_barrier
from helpers.teach.grading.sandbox.interrupts import unheard
from helpers.teach.grading.sandbox.wire import Job, pack_job

GRACE = 5  # seconds beyond a fork's own limit after which the warm process itself is given up
START = 60  # seconds for the warm process to be ready


@dataclass(frozen=True)
class Ran:
    """What came of a job: the bytes of the answer, and how the fork ended (see `warm.Ended`)."""

    answer: bytes
    code: int
    seconds: float
    processor: float
    stopped: bool


class Unconfined(RuntimeError):
    """Answers would run with the rights of whoever grades; the message says what is lacking, and what to do."""

    def __init__(self, lacking: list[str]) -> None:
        missing = "".join(f"\n  - {one}" for one in lacking)
        super().__init__(
            f"this machine cannot confine the students' code. It lacks:{missing}\n"
            "Grade on Linux: on macOS and Windows in a container, a virtual machine, or WSL 2.\n"
            + (
                "--trust-submissions runs them all the same, with your rights on your files and your network."
                if hasattr(os, "fork")
                else "--trust-submissions cannot help here: Windows has no `fork`."
            )
        )


class Runner:
    """One warm process, and the pipes to its forks. Use it in a `with`.

    Attributes
    ----------
    protections, lacking : list of str
        What confines the forks, and what does not, as `confine.Confinement` found it.

    Parameters
    ----------
    limits : Limits
        What an exercise may use.
    seed : int
        What the hidden examples are drawn from (see `trial.drawing_seed`).
    trust : bool
        Run answers also where something is lacking.
    barrier : str, optional
        What keeps the forks from files, if not the best that this machine has (see `confine.file_barrier`).

    Raises
    ------
    Unconfined
        If something is lacking and `trust` is not given.
    RuntimeError
        If the warm process does not start.
    """

    def __init__(self, limits: Limits, seed: int, *, trust: bool = False, barrier: str | None = None) -> None:
        if not hasattr(os, "fork"):
            raise Unconfined(["Landlock and seccomp, which are Linux's"])
        self.limits, self.seed, self.trust = limits, seed, trust
        self._barrier = file_barrier() if barrier is None else barrier
        self.protections: list[str] = []
        self.lacking: list[str] = []
        self._start()

    def __enter__(self) -> Runner:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the warm process, and whatever it has running."""
        self.close()

    def _start(self) -> None:
        self._control, theirs = socket.socketpair()
        command = [sys.executable, "-P", "-m", "helpers.teach.grading.sandbox.warm"]
        if self._barrier == BUBBLEWRAP:
            command = [*bubblewrapped(), *command]
        with theirs, unheard():
            self._process = subprocess.Popen(  # noqa: S603  this interpreter
                [*command, self._barrier, *map(str, (theirs.fileno(), self.seed, *astuple(self.limits)))],
                cwd="/",  # where its forks can neither read nor write
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        ready = self._said(time.monotonic() + START)
        if ready is None:
            self.close()
            raise RuntimeError("the process that runs the answers did not start. Does `import helpers` work here?")
        self.protections, self.lacking = ready["protections"], ready["lacking"]
        if self.lacking and not self.trust:
            self.close()
            raise Unconfined(self.lacking)

    def close(self) -> None:
        """End the warm process, and whatever it has running."""
        self._control.close()  # it ends its fork, and itself
        try:
            self._process.wait(timeout=GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def run(self, job: Job, *, most: int | None = None) -> Ran:
        """Have a fork do a job.

        Parameters
        ----------
        job : Job
            What to do.
        most : int, optional
            MB that are read of the answer, if not those of the limits.

        Returns
        -------
        Ran
            Its answer is empty where the fork ended without one, or said more than it may.
        """
        for _ in range(2):  # what ended the warm process, want of memory say, need not be this job's doing
            if ran := self._once(job, (most or self.limits.answer) * MB):
                return ran
            self._start_anew()
        return Ran(b"", -signal.SIGKILL, 0.0, 0.0, stopped=False)

    def _once(self, job: Job, most: int) -> Ran | None:
        """Have a fork do a job; None if the warm process is gone, or stuck."""
        until = time.monotonic() + self.limits.seconds + GRACE
        try:
            job_start, answer_end = self._handed()
        except OSError:
            return None
        with contextlib.suppress(BrokenPipeError), os.fdopen(job_start, "wb") as pipe:
            pipe.write(pack_job(job))
        with os.fdopen(answer_end, "rb", buffering=0) as pipe:
            answer = _read(pipe.fileno(), most, until)
        ended = self._said(until)
        return None if ended is None else Ran(answer, **ended)

    def _handed(self) -> tuple[int, int]:
        """Hand the warm process its ends of two pipes, for a job and its answer; return ours."""
        job_end, job_start = os.pipe()
        answer_end, answer_start = os.pipe()
        try:
            socket.send_fds(self._control, [b"j"], [job_end, answer_start])
        except OSError:
            os.close(job_start)
            os.close(answer_end)
            raise
        finally:
            os.close(job_end)
            os.close(answer_start)
        return job_start, answer_end

    def _start_anew(self) -> None:
        self._process.kill()
        self.close()
        self._start()

    def _said(self, until: float) -> Any:
        """Return what the warm process says next; None if it says nothing in time."""
        line = b""
        while not line.endswith(b"\n"):
            if not select.select([self._control], [], [], max(0.0, until - time.monotonic()))[0]:
                return None
            try:
                piece = self._control.recv(65536)
            except ConnectionResetError:
                return None
            if not piece:
                return None
            line += piece
        return json.loads(line)


def _read(pipe: int, most: int, until: float) -> bytes:
    """Return what comes through a pipe; nothing if it is more than `most` bytes, or not whole in time."""
    pieces: list[bytes] = []
    size = 0
    while select.select([pipe], [], [], max(0.0, until - time.monotonic()))[0]:
        piece = os.read(pipe, 1 << 16)
        if not piece:
            return b"".join(pieces)
        size += len(piece)
        if size > most:
            return b""
        pieces.append(piece)
    return b""


def _environment() -> dict[str, str]:
    """Return the environment of the warm process: of ours only what its Python and its BLAS are found and set up by."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PYTHONPATH", "OPENBLAS", "LD_LIB"))}
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**kept, **threads, "LC_ALL": "C.UTF-8", "PATH": os.defpath, "PYTHONDONTWRITEBYTECODE": "1"}
