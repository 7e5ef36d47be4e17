"""One submission to one record, in the trusted process: it reads, grafts, has it run, and judges what comes back."""

from __future__ import annotations

import signal
import time
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from helpers.course import Exercise, course
from helpers.learn.check import read_answer
from helpers.learn.errors import Trouble
from helpers.learn.judge import Status, Verdict, errored
from helpers.learn.watch import Seen
from helpers.teach import notebook_form, overlay
from helpers.teach.grading.record import Marked, Record
from helpers.teach.grading.sandbox.runner import Ran, Runner
from helpers.teach.grading.sandbox.warm import NO_ANSWER
from helpers.teach.grading.sandbox.wire import LONGEST_TEXT, Garbled, printable, unpack_outcomes, unpack_seen
from helpers.teach.grading.submission import Submission, digest
from helpers.teach.grading.trial import Trial

# What is more than this is not typed by hand, and could keep a parser, or what looks for the answer in it, for minutes.
LONGEST_CELL, MOST_LINES = 30_000, 1_000  # characters of a code cell; lines, and statements that share one
MOST_CODE = 300_000  # characters of all code cells
TOO_LONG = "?!"  # stands for a longer cell: it defines nothing, and counts as an answer by its id alone
LONGEST_REFLECTION = 2_000  # characters of a text; the questions ask for a sentence or two
JOINERS = "\u200c\u200d"  # between letters: not seen themselves, but words of Persian and Hindi have them
WATCH_MB = 4  # of variables that a fork may send, when it is asked for them


def unread(submission: Submission, reason: str) -> Record:
    """Return the record of a submission that cannot be read, for a reason."""
    return Record(
        submission.file,
        submission.student,
        submission.submitted,
        digest="",
        status="unreadable",
        reason=reason,
        owner=submission.owner,
    )


def _name(submission: Submission) -> str:
    return submission.file.rpartition("/")[2]


@dataclass(frozen=True)
class Grader:
    """Marks submissions.

    Attributes
    ----------
    runner : Runner
        Where the answers run.
    secret : int
        The seed of the run. It stays in this process: the runner has one that is made of it.
    """

    runner: Runner
    secret: int

    def mark(self, submission: Submission) -> Record:
        """Return the record of one submission. Whatever is in it, this returns one."""
        start = time.perf_counter()
        record = self._marked(submission)
        return replace(record, seconds=round(time.perf_counter() - start, 4))

    def _marked(self, submission: Submission) -> Record:
        blank = unread(submission, submission.problem)
        if submission.problem:
            return blank
        try:
            content = submission.read()
            blank = replace(blank, digest=digest(content))
            notebook = notebook_form.from_bytes(content, _name(submission), code_alone=True)
            cells = [(id_, TOO_LONG if _too_long(one) else one) for id_, one in overlay.code_cells(notebook)]
            if (length := sum(len(source) for _, source in cells)) > MOST_CODE:
                raise ValueError(f"got {length:,} characters of code, expected at most {MOST_CODE:,}.")
            name = overlay.recognize(cells)
            answers = overlay.answers(cells, name) if name else {}
            live = overlay.at_hand(cells)
            written = overlay.reflections(cells, name) if name else {}
        except Exception as error:  # noqa: BLE001  a file may be made so that reading it raises anything
            reason = str(error).removeprefix(f"{_name(submission)}: ")  # it stands beside the reason
            return replace(blank, reason=_in_one_line(reason) or type(error).__name__)
        if name is None:
            return replace(blank, reason="none of this course's exercises is in it.")
        marked = tuple(
            self._exercise(course().exercises[function], source, live, overlay.remarks(cells, function))
            for function, source in answers.items()
        )
        said = {question: words for question, text in written.items() if (words := _reflection(text))}
        return replace(blank, status="graded", notebook=name, exercises=marked, reflections=said)

    def _exercise(
        self, exercise: Exercise, source: str | None, live: Mapping[str, object], notes: tuple[str, ...]
    ) -> Marked:
        """Return the mark of one exercise; whatever goes wrong in judging it costs the others nothing."""
        start = time.perf_counter()
        try:
            verdict, more = self._verdict(exercise, source, live)
        except Exception as error:  # noqa: BLE001  an answer may be made so that judging it raises anything
            verdict = Verdict(exercise.function, "killed", ("what it gave could not be judged.",))
            more = (f"look at this by hand: judging it raised {type(error).__name__}: {error}",)
        right = verdict.status == "right"
        return Marked(
            exercise.function,
            verdict.status,
            exercise.points if right else 0,
            exercise.points,
            tuple(map(_in_one_line, verdict.lines)),
            verdict.mistake,
            tuple(map(_in_one_line, (*notes, *more))),
            round(time.perf_counter() - start, 4),
        )

    def _verdict(
        self, exercise: Exercise, source: str | None, live: Mapping[str, object]
    ) -> tuple[Verdict, tuple[str, ...]]:
        """Return the verdict on one answer, and what the instructor may want to know."""
        name = exercise.function
        if source is None:
            return Verdict(name, "missing", overlay.MISSING), ()
        if source == TOO_LONG:
            return Verdict(
                name, "error", (f"the cell has more than {LONGEST_CELL:,} characters, or {MOST_LINES:,} lines.",)
            ), ()
        around, verdict = read_answer(name, source, live)
        if verdict is not None or around.part is None:
            return verdict or Verdict(name, "missing", overlay.MISSING), ()
        trial = Trial(name, around, self.secret, self.runner.seed)
        ran = self.runner.run(trial.job())
        if not ran.answer:
            return Verdict(name, *self._ended(ran)), ()
        try:
            given = unpack_outcomes(ran.answer, trial.layouts)
        except Garbled as error:
            lines = ("its process wrote something else than an answer.",)
            return Verdict(name, "killed", lines), (f"look at this by hand: {error}",)
        if isinstance(given, Trouble):
            return errored(exercise, given, around), ()

        def look(position: int) -> list[Seen]:
            watched = self.runner.run(trial.job(watch=position), most=WATCH_MB)
            try:
                return unpack_seen(watched.answer) if watched.answer else []
            except Garbled:
                return []

        with np.errstate(all="ignore"):  # whatever numbers a student's answer holds
            return trial.verdict(given, look), ()

    def _ended(self, ran: Ran) -> tuple[Status, tuple[str, ...]]:
        """Return status and lines for a fork that ended without an answer."""
        limits = self.runner.limits
        if ran.stopped or ran.processor >= limits.seconds:
            return "timeout", (f"did not end within {limits.seconds} s.", "Which loop, if any, never stops?")
        if ran.code < 0:
            name = signal.Signals(-ran.code).name if -ran.code in {*signal.Signals} else str(-ran.code)
            return "killed", (f"its process was ended by {name} before it answered.",)
        if ran.code == NO_ANSWER:
            return "killed", (
                "its process ended before it could answer.",
                f"It may use {limits.memory} MB of memory. Which array grows too large?",
            )
        return "killed", (
            f"its process ended before it answered, with exit code {ran.code}.",
            "Does a line call `exit`, `quit` or `os._exit`?",
        )


def _too_long(source: str) -> bool:
    return len(source) > LONGEST_CELL or len(source.splitlines()) + source.count(";") > MOST_LINES


def _reflection(text: str) -> str:
    """Return a text to an open question in one line, for a table."""
    # What formats text and is not seen (category Cf) is left out.
    seen = (letter for letter in text if letter in JOINERS or unicodedata.category(letter) != "Cf")
    words = " ".join("".join(seen).split())
    safe = "".join(letter if letter in JOINERS else printable(letter) for letter in words[:LONGEST_REFLECTION])
    return f"{safe}…" if len(words) > LONGEST_REFLECTION else safe


def _in_one_line(text: str) -> str:
    """Return the first line of a text of anybody's, without what a terminal or a page would take for something else."""
    return printable(text.partition("\n")[0][:LONGEST_TEXT])
