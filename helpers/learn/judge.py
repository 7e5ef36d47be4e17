"""The judge: a pure function from what an answer gave and what is true to a verdict of at most three lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from helpers.course import Exercise
from helpers.examples import Example
from helpers.learn.compare import agree, finite, first_difference, pattern
from helpers.learn.errors import Surroundings, Trouble, explain
from helpers.learn.invariants import INVARIANTS, NOT_FINITE
from helpers.learn.results import Reading
from helpers.learn.run import Outcome
from helpers.truth import Truth

Status = Literal["right", "wrong", "not started", "missing", "error", "timeout", "killed"]
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Verdict:
    """The judgment of one exercise: a status, and at most three lines that say why."""

    function: str
    status: Status
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The verdict as it is printed: mark, name, first line; the others indented below."""
        mark = {"right": "✓", "not started": "·", "missing": "·"}.get(self.status, "✗")
        return f"{mark} {self.function}: " + "\n  ".join(self.lines)


def not_started(exercise: Exercise) -> Verdict:
    """Return the verdict on a stub as it was handed out."""
    return Verdict(
        exercise.function,
        "not started",
        (
            "not started. Replace `raise NotImplementedError` by your own lines,",
            "run the cell, then run this check again.",
        ),
    )


def not_defined(exercise: Exercise) -> Verdict:
    """Return the verdict on a cell that only imports the function, or does not name it."""
    lines = ("missing: no line of the cell defines it.", "Write the function itself, under this name.")
    return Verdict(exercise.function, "missing", lines)


def not_alone(exercise: Exercise, module: str) -> Verdict:
    """Return the verdict on an answer that imports more than numpy and the standard library."""
    lines = (
        f"the cell imports `{module}`.",
        "my_attention.py has numpy and Python's standard library, and so has whoever grades it.",
        "Write that step yourself; the functions of earlier exercises are at hand without an import.",
    )
    return Verdict(exercise.function, "wrong", lines)


def errored(exercise: Exercise, trouble: Trouble, around: Surroundings, where: str = "") -> Verdict:
    """Return the verdict on an answer that raised."""
    first, *rest = explain(trouble, around)
    if where and trouble.kind not in ("NameError", "SyntaxError", "NotImplementedError"):
        first = f"{first.removesuffix('.')}, {where}."
    return Verdict(exercise.function, "error", (first, *rest))


def judge(
    exercise: Exercise,
    truth: Truth,
    examples: Sequence[Example],
    outcomes: Sequence[Outcome],
    around: Surroundings,
) -> Verdict:
    """Return the verdict on an answer: example by example, the simplest first, stopping at the first fault.

    Within an example the faults are looked for from the coarsest to the finest: it raises, it returns something else
    than numbers, the shape, nan and inf, a changed argument, another result the second time, what must hold for any
    input, the numbers.

    Parameters
    ----------
    exercise, truth
        What is asked for.
    examples : sequence of Example
        The calls that were made.
    outcomes : sequence of Outcome
        What each gave, and what the first gave when it was called once more at the end.
    around : Surroundings
        What a sentence about an error may refer to.
    """
    passed: list[Example] = []
    again = outcomes[-1]
    for example, outcome, true in zip(examples, outcomes, truth.values, strict=False):
        if outcome.trouble:
            return errored(exercise, outcome.trouble, around, f"on {example.label}")
        if not passed and again.trouble:
            return errored(exercise, again.trouble, around, "called a second time with the same input")
        second = outcome if passed else again  # only the first example was called twice
        if lines := _fault(exercise, truth, around, example, outcome, second, true, passed):
            return Verdict(exercise.function, "wrong", tuple(lines))
        passed.append(example)
    return Verdict(exercise.function, "right", (exercise.right, exercise.why))


def _fault(
    exercise: Exercise,
    truth: Truth,
    around: Surroundings,
    example: Example,
    outcome: Outcome,
    second: Outcome,
    true: Reading,
    passed: Sequence[Example],
) -> list[str]:
    """Return what is wrong with one outcome, from the coarsest fault to the finest; empty if nothing is."""
    if outcome.reading is None:
        return [outcome.unreadable, f"This was {example.where}."]
    single = outcome.reading.single
    names = (
        truth.returns
        if len(truth.returns) == len(true.arrays)
        else [(f"item {k + 1}", "") for k in range(len(true.arrays))]
    )
    parts = list(zip(names, outcome.reading.arrays, true.arrays, strict=True))
    for (name, symbols), got, expected in parts:
        if got.shape != expected.shape:
            return _shape_lines(name, symbols, got, expected, example)
    for (name, _), got, expected in parts:
        if finite(expected) and not finite(got):
            cause = next((NOT_FINITE[rule] for rule in exercise.invariants if rule in NOT_FINITE), None)
            return [
                f"{name} holds nan or inf {example.where}.",
                *(cause or ["Print each intermediate result there.", "Which is the first that is not finite?"]),
            ]
    if outcome.changed:
        position = outcome.changed[0]
        argument = (around.arguments if position < len(around.arguments) else truth.arguments)[position]
        return [
            f"the call changed its argument `{argument}`.",
            "Whoever passed it may still need it as it was.",
            f"Which line writes into `{argument}`? `-=`, `+=` and `[...] =` do. Make a new array instead.",
        ]
    if not _same(outcome.reading, second.reading):
        return [
            "the same input gave another result the second time.",
            "A function should depend on its arguments only.",
            "Does it draw random numbers, or keep something from the last call?",
        ]
    for rule in exercise.invariants:
        if lines := INVARIANTS[rule](outcome.reading.arrays[0]):
            return lines
    for _, got, expected in parts:
        if not agree(got, expected, single):
            return _value_lines(got, expected, single, example, passed)
    return []


def _same(first: Reading, second: Reading | None) -> bool:
    return second is not None and all(agree(b, a) for a, b in zip(first.arrays, second.arrays, strict=True))


def _shape_lines(name: str, symbols: str, got: Array, expected: Array, example: Example) -> list[str]:
    meaning = f" = {symbols}" if symbols else ""
    seen, question = "", "Write the shape beside each line of your function. Which is the first that surprises you?"
    if got.ndim == 2 and got.shape == expected.shape[::-1]:
        if agree(got.T.copy(), expected):
            seen, question = ": the right numbers, turned over", "Our tokens are columns. Where do yours become rows?"
        else:
            seen, question = ": rows and columns are exchanged", "Which matrix is turned over that should not be?"
    elif got.ndim < expected.ndim == 2:
        seen, question = ": an axis is lost", "A column is (D, 1); a flat array is (D,). Which line makes it flat?"
    where = f"{example.where[0].upper()}{example.where[1:]}"
    return [f"{name} has shape {got.shape}, expected {expected.shape}{meaning}.", f"{where}{seen}.", question]


def _value_lines(got: Array, expected: Array, single: bool, example: Example, passed: Sequence[Example]) -> list[str]:
    difference = first_difference(got, expected, single)
    seen = pattern(got, expected, single)
    if passed:
        return [
            f"right on {passed[-1].label}, wrong {example.where}.",
            f"{difference[0].upper()}{difference[1:]}. {seen}".rstrip(),
            "What differs between the two: sizes, zeros, large numbers? Or is there a number that fits the first only?",
        ]
    first = f"{difference}, {example.where}."
    advice = "Do that example on paper, and print each line's result beside it. Which is the first that differs?"
    return [first, seen, advice] if seen else [first, advice]
