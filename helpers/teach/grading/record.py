"""What is known of one submission once it is graded: one line of `results.jsonl`."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from helpers.learn.judge import Status

Standing = Literal["graded", "unreadable", "superseded"]

# The lines of an answer that passes its check, and is wrong on a hidden example.
CHECK_ONLY = (
    "right on every example of its check, wrong on others that the check does not show.",
    "They differ from the check's in sizes and numbers only.",
    "Is there a number or a size in it that should come from an argument?",
)


@dataclass(frozen=True)
class Marked:
    """One exercise of a submission.

    Attributes
    ----------
    function : str
        The exercise.
    verdict : Status
        "right", "wrong", "not started", "missing", "error", "timeout" or "killed".
    points, possible : int
        What it earned, of how much.
    lines : tuple of str
        At most three lines to the student: what was got, what was expected, what to do. They hold text of the
        student's (names, error messages), and no number of a hidden example.
    mistake : str
        The recorded mistake that gives the same numbers: "no_scale"; see `helpers.learn.judge.Verdict`.
    notes : tuple of str
        What the instructor may want to know: "found in another cell by its name".
    seconds : float
        How long its fork ran, wall clock.
    """

    function: str
    verdict: Status
    points: int
    possible: int
    lines: tuple[str, ...]
    mistake: str = ""
    notes: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class Record:
    """One submission.

    Attributes
    ----------
    file, student, submitted, owner
        As in `Submission`.
    digest : str
        What its content was; empty where it could not be read.
    status : Standing
        "graded"; "unreadable" with the reason; "superseded" where a later attempt at the same notebook counts.
    reason : str
        Why it is unreadable, or which file counts instead. Empty where it is graded.
    notebook : str
        Which of the course's notebooks it is: "single_head". Empty where nobody can tell.
    exercises : tuple of Marked
        The notebook's exercises, in order. Empty where it is not graded.
    reflections : dict of str to str
        What was written to the notebook's open questions, in one line each; those without a text are left out.
    notes : tuple of str
        What the instructor may want to know about the whole file.
    seconds : float
        What grading it took, wall clock.
    """

    file: str
    student: str
    submitted: float
    digest: str
    status: Standing
    reason: str = ""
    notebook: str = ""
    exercises: tuple[Marked, ...] = ()
    reflections: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    owner: str = ""

    @property
    def points(self) -> int:
        """What the exercises earned together."""
        return sum(one.points for one in self.exercises)

    @property
    def possible(self) -> int:
        """How much they could have earned."""
        return sum(one.possible for one in self.exercises)

    def line(self) -> str:
        """Return the record as its line of `results.jsonl`."""
        return json.dumps({**asdict(self), "points": self.points, "possible": self.possible}) + "\n"


def parse(line: str) -> Record:
    """Return the record in a line of `results.jsonl`.

    Raises
    ------
    ValueError
        If it is none: a line that was cut off, say.
    """
    try:
        raw: dict[str, Any] = json.loads(line)
        del raw["points"], raw["possible"]  # sums of what follows
        exercises = tuple(
            Marked(**{**one, "lines": tuple(one["lines"]), "notes": tuple(one["notes"])}) for one in raw["exercises"]
        )
        return Record(**{**raw, "exercises": exercises, "notes": tuple(raw["notes"])})
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"expected a line of results.jsonl, got {line[:60]!r} ({error}).") from None
