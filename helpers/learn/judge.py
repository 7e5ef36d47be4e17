"""The judge: a pure function from what an answer gave and what is true to a verdict of at most three lines."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from helpers.course import Exercise
from helpers.examples.example import Example
from helpers.learn.compare import agree, finite, first_difference, in_another_order, near, number, pattern
from helpers.learn.errors import Surroundings, Trouble, explain, line_of
from helpers.learn.invariants import INVARIANTS
from helpers.learn.results import Layout, Reading
from helpers.learn.run import Outcome
from helpers.learn.words import listed
from helpers.truth import Truth

Status = Literal["right", "wrong", "not started", "missing", "error", "timeout", "killed"]
NOT_TRIED = ("not started", "missing")
Array = NDArray[np.float64]
Part = tuple[tuple[str, str], Array, Array]  # name and shape in symbols; what was got, what is expected


@dataclass(frozen=True)
class Fault:
    """What is wrong with one outcome.

    Attributes
    ----------
    lines : tuple of str
        What is said if nothing more is found out, at most three lines.
    summary : str
        The one line that says what was got and what was expected. Empty where `lines` explain it all.
    seen : str
        What is true of all the wrong numbers together; empty where nothing is.
    not_finite : bool
        Whether numbers that should be finite are not.
    broken : bool
        Whether `lines` say which rule is broken that must hold for any input: more than a difference of numbers does.
    source : str
        A pattern of the lines of code that `lines` are about; empty where they are about none in particular.
    example : int
        The position of the example.
    """

    lines: tuple[str, ...]
    summary: str = ""
    seen: str = ""
    not_finite: bool = False
    broken: bool = False
    source: str = ""
    example: int = 0


@dataclass(frozen=True)
class Verdict:
    """The judgment of one exercise: a status, and at most three lines that say why.

    Attributes
    ----------
    function, status, lines
        What was judged, how, and why.
    fault : Fault or None
        For a wrong result, where and what.
    mistake : str
        The recorded mistake that gives the same numbers, if there is one: "no_scale"; "no_scale + no_beta_q" for two
        made together; with " | " between those that cannot be told apart.
    """

    function: str
    status: Status
    lines: tuple[str, ...]
    fault: Fault | None = None
    mistake: str = ""

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
    for position, (example, outcome, true) in enumerate(zip(examples, outcomes, truth.values, strict=False)):
        if example.refuses:
            if lines := _refusal_fault(example, outcome, around):
                return _wrong(exercise, Fault(tuple(lines), lines[0]), position)
            if outcome.trouble and "ValueError" in outcome.trouble.kinds:
                passed.append(example)
                continue
        if outcome.trouble:
            told, trouble = _clearest(position, examples, outcomes) or (example, outcome.trouble)
            return errored(exercise, trouble, dataclasses.replace(around, sizes=told.sizes), f"on {told.label}")
        if not passed and again.trouble:
            return errored(exercise, again.trouble, around, "called a second time with the same input")
        second = outcome if passed else again  # only the first example was called twice
        layout = truth.layouts[position]
        if fault := _fault(exercise, truth, around, example, outcome, second, true, layout, passed):
            return _wrong(exercise, fault, position)
        passed.append(example)
    drawn = [outcome.reading for example, outcome in zip(examples, outcomes, strict=False) if example.near]
    if len(drawn) > 1 and _same_numbers(drawn):
        return _wrong(exercise, Fault(tuple(_NOT_DRAWN), _NOT_DRAWN[0]), 0)
    others = [outcome.reading.other for outcome in outcomes if outcome.reading and outcome.reading.other]
    advice = [f"It returns {others[0]}. Later cells want an array: `np.array(...)` makes one of it."] if others else []
    return Verdict(exercise.function, "right", (exercise.right, exercise.why, *advice))


def _wrong(exercise: Exercise, fault: Fault, position: int) -> Verdict:
    return Verdict(exercise.function, "wrong", fault.lines, dataclasses.replace(fault, example=position))


def _clearest(
    position: int, examples: Sequence[Example], outcomes: Sequence[Outcome]
) -> tuple[Example, Trouble] | None:
    """Return the example on which an error is told best: the first that names the most axes of its operands.

    Only an example on which the same operation raised the same error is taken for the first one that raised.
    """
    from helpers.learn.shape_words import count_named  # asked for here only: `import helpers` stays quick

    first = outcomes[position].trouble
    alike = [
        (example, outcome.trouble)
        for example, outcome in zip(examples[position:], outcomes[position:], strict=False)
        if outcome.trouble and not example.refuses and _same_shape_error(outcome.trouble, first)
    ]
    return max(alike, key=lambda one: count_named(one[1].operands, one[0].sizes), default=None)


def _same_shape_error(one: Trouble, other: Trouble | None) -> bool:
    def told(trouble: Trouble) -> tuple[object, ...]:
        return trouble.kind, trouble.line, trouble.operator, [name for name, _ in trouble.operands]

    return other is not None and other.kind == "ValueError" and told(one) == told(other)


def _fault(
    exercise: Exercise,
    truth: Truth,
    around: Surroundings,
    example: Example,
    outcome: Outcome,
    second: Outcome,
    true: Reading,
    layout: Layout,
    passed: Sequence[Example],
) -> Fault | None:
    """Return what is wrong with one outcome, from the coarsest fault to the finest; None if nothing is."""
    if outcome.reading is None:
        is_none = outcome.unreadable.startswith("returned None")
        from helpers.learn.source_rules import nothing_returned  # asked for here only, as in `_clearest`

        why = nothing_returned(around.part) if is_none and around.part else ""
        return Fault((outcome.unreadable, *([why] if why else []), f"This was {example.where}."))
    single = outcome.reading.single
    parts = list(zip(_names(truth.returns, layout), outcome.reading.arrays, true.arrays, strict=True))
    if in_another_order(outcome.reading.arrays, true.arrays, single):
        return Fault(
            (
                f"the right arrays, in another order, {example.where}.",
                f"Expected {_order(truth.returns, layout)}.",
                "Put them in the order that the docstring names.",
            )
        )
    for (name, symbols), got, expected in parts:
        if got.shape != expected.shape:
            return _shape_fault(name, symbols, got, expected, example)
    for (name, _), got, expected in sorted(parts, key=lambda part: not part[0][0].startswith("A")):
        if finite(expected) and not finite(got):
            found = f"{name} holds nan or inf {example.where}."
            known = next((INVARIANTS[rule] for rule in exercise.invariants if _rules(rule, name)), None)
            text = around.part.text if around.part else ""
            # The numbers of a paper example are too small to overflow, and hold no zeros: there the cause is another.
            if known and passed and (not text or re.search(known.source, text)):
                return Fault((found, *known.not_finite), found, not_finite=True, broken=True, source=known.source)
            advice = ("Print each intermediate result there.", "Which is the first that is not finite?")
            return Fault((found, *advice), found, not_finite=True)
    if outcome.changed:
        position = outcome.changed[0]
        argument = (around.arguments if position < len(around.arguments) else truth.arguments)[position]
        return Fault(
            (
                f"the call changed its argument `{argument}`.",
                "Whoever passed it may still need it as it was.",
                f"Which line writes into `{argument}`, or another name for it (`-=`, `[...] =`, `.pop`)? "
                "Make a new one.",
            )
        )
    if not _same(outcome.reading, second.reading):
        return Fault(
            (
                "the same input gave another result the second time.",
                "A function should depend on its arguments only.",
                "Does it draw random numbers, or keep something from the last call?",
            )
        )
    for rule in exercise.invariants:
        for (name, _), got, expected in parts:
            turned_over = got.ndim == 2 and agree(got.T.copy(), expected, single)  # which says more than any sum
            if _rules(rule, name) and not turned_over and (lines := INVARIANTS[rule].fault(got)):
                first = f"of {name}, {lines[0]}" if len(parts) > 1 else lines[0]
                return Fault((first, *lines[1:]), first, broken=True)
    return _number_fault(parts, single, example, passed)


def _rules(rule: str, name: str) -> bool:
    """Return whether a rule is for the result of this name: `A`, or `A[1]` in a list."""
    return name.partition("[")[0] == INVARIANTS[rule].of


def _number_fault(parts: Sequence[Part], single: bool, example: Example, passed: Sequence[Example]) -> Fault | None:
    """Return what is wrong with the numbers of a result whose shapes are right; None if nothing is."""
    if example.near:
        (_, got, expected), *_ = parts
        return None if near(got, expected, example.near) else _drawn_fault(got, expected, example, passed)
    wrong = [part for part in parts if not agree(part[1], part[2], single)]
    if not wrong:
        return None
    # Weights come before what they mix.
    (name, symbols), got, expected = min(wrong, key=lambda part: not part[0][0].startswith("A"))
    if len(parts) == 1:
        return _value_fault("", symbols, got, expected, single, example, passed)
    right = [part for part in parts if agree(part[1], part[2], single)]
    if twin := next((other[0][0] for other in right if agree(got, other[1], single)), ""):
        found = f"{twin} is right, and {name} is a copy of it, {example.where}."
        return Fault(
            (found, "The two should differ.", "Is something that belongs to one of them used for both?"), found
        )
    fault = _value_fault(name, symbols, got, expected, single, example, passed)
    if right and len(fault.lines) > 2:
        those = f"{listed([part[0][0] for part in right])} {'is' if len(right) == 1 else 'are'}"
        last = f"{those} right. Print what each line gives on the way to {name}."
        return dataclasses.replace(fault, lines=(*fault.lines[:-1], last))
    return fault


def _names(returns: Sequence[tuple[str, str]], layout: Layout) -> list[tuple[str, str]]:
    """Return name and shape in symbols of each array of a result, in order: `A`, or `A[0]` and `A[1]` in a list."""
    if layout is None:
        return [returns[0]]
    each = len(returns) == len(layout) > 1
    return [
        named
        for k, inner in enumerate(layout)
        for named in _names([returns[k] if each else (f"{returns[0][0]}[{k}]", returns[0][1])], inner)
    ]


def _order(returns: Sequence[tuple[str, str]], layout: Layout) -> str:
    """Return the parts of a result in their order: "Sa, then A", or "Sa, a list of 2, then A, a list of 2"."""
    if layout is None or len(returns) != len(layout):
        return ", ".join(name for name, _ in _names(returns, layout))
    lists = ["" if inner is None else f", a list of {len(inner)}" for inner in layout]
    return ", then ".join(f"{name}{kind}" for (name, _), kind in zip(returns, lists, strict=True))


def _refusal_fault(example: Example, outcome: Outcome, around: Surroundings) -> list[str]:
    """Return what is wrong with a call that must raise a ValueError; empty if it did, or if it failed before."""
    wanted = " and ".join(example.refuses)
    trouble = outcome.trouble
    line = line_of(trouble, around) if trouble else ""  # empty where the function comes from my_attention.py
    of_its_own = trouble is not None and (not line or re.search(r"\b(raise|assert)\b", line) is not None)
    is_value_error = trouble is not None and "ValueError" in trouble.kinds
    if trouble is None and "a ValueError" in outcome.unreadable:
        return [
            f"it returned a ValueError {example.where}, expected it to be raised.",
            "What is returned is a result like any other: whoever called goes on with it.",
            "Which word hands an error to the caller and stops there?",
        ]
    if trouble is None or (is_value_error and not of_its_own):
        what = "it returned a result" if trouble is None else "it went on until a later step failed"
        return [
            f"{what} {example.where}, expected a ValueError.",
            "No result would be right there, and a wrong one would be found much later, if at all.",
            f"`raise ValueError(...)`, with a message that names {wanted}.",
        ]
    if of_its_own and not is_value_error and trouble.kind != "NotImplementedError":
        return [
            f"it raised {trouble.kind} {example.where}, expected ValueError.",
            "That is the kind of error for an argument of the right type and a wrong value.",
        ]
    if is_value_error and not set(example.refuses) <= set(re.findall(r"\w+", trouble.message)):
        return [
            f"the ValueError {example.where} does not name {wanted}.",
            f"It says: {trouble.message[:100] or 'nothing'}",
            "Is the letter f missing before the quotes?"
            if "{" in trouble.message
            else "Whoever reads it wants to know which numbers do not fit.",
        ]
    return []


def _drawn_fault(got: Array, expected: Array, example: Example, passed: Sequence[Example]) -> Fault:
    about = number(float(np.round(expected.max(), 1)), 1)
    difference = f"the result is {number(float(got.max()))}, expected about {about}"
    if passed:
        lines = (
            f"right {passed[-1].where}, wrong {example.where}.",
            f"{difference[0].upper()}{difference[1:]}.",
            "What differs between the two? Is there a number that fits the first only?",
        )
    else:
        lines = (
            f"{difference}, {example.where}.",
            f"Another way of drawing may change it a little, not by more than {100 * example.near:.0f} %.",
            "Follow three pairs through your lines by hand. Which line gives another number than you expect?",
        )
    return Fault(lines, _summary(difference, example, passed))


_NOT_DRAWN = [
    "two generators gave the same number, to the last digit.",
    "What is drawn at random differs a little from one generator to the next.",
    "Is every number drawn with the generator that you were given?",
]


def _same_numbers(drawn: Sequence[Reading | None]) -> bool:
    """Return whether two results that different generators gave are equal."""
    values = [reading.arrays[0].ravel().tolist() for reading in drawn if reading]
    return any(values[i] == values[j] for i in range(len(values)) for j in range(i))


def _same(first: Reading, second: Reading | None) -> bool:
    return second is not None and all(agree(b, a) for a, b in zip(first.arrays, second.arrays, strict=True))


def _summary(difference: str, example: Example, passed: Sequence[Example]) -> str:
    """Return in one line what was got and expected, and on which example it was still right."""
    if not passed:
        return f"{difference}, {example.where}."
    summary = f"right on {passed[-1].label}, wrong {example.where}: {difference}."
    return summary if len(summary) < 128 else f"right on {passed[-1].label}, wrong on {example.label}: {difference}."


def _shape_fault(name: str, symbols: str, got: Array, expected: Array, example: Example) -> Fault:
    meaning = f" = {symbols}" if symbols else ""
    seen, question = "", "Write the shape beside each line of your function. Which is the first that surprises you?"
    if got.ndim == 2 and got.shape == expected.shape[::-1]:
        if agree(got.T.copy(), expected):
            seen, question = ": the right numbers, turned over", "Our tokens are columns. Where do yours become rows?"
        else:
            seen, question = ": rows and columns are exchanged", "Which matrix is turned over that should not be?"
    elif expected.ndim == 0:
        seen, question = ": one number is expected", "Which line should make one number, and does not?"
    elif got.ndim == 0:
        seen, question = ": a single number came back", "Which line makes one number of a whole array?"
    elif got.ndim < expected.ndim == 2:
        seen, question = ": an axis is lost", "A column is (D, 1); a flat array is (D,). Which line makes it flat?"
    where = f"{example.where[0].upper()}{example.where[1:]}"
    found = f"{name} has shape {got.shape}, expected {expected.shape}{meaning}"
    return Fault((f"{found}.", f"{where}{seen}.", question), f"{found}, {example.where}.")


def _value_fault(
    name: str, symbols: str, got: Array, expected: Array, single: bool, example: Example, passed: Sequence[Example]
) -> Fault:
    difference = (f"{name}, " if name else "") + first_difference(got, expected, single)
    seen = pattern(got, expected, single)
    if seen.endswith("rows and columns exchanged."):
        seen = seen[:-1] + (": rows are keys, columns are queries." if "(N" in symbols else ": our tokens are columns.")
    summary = _summary(difference, example, passed)
    if passed:
        lines = (
            f"right on {passed[-1].label}, wrong {example.where}.",
            f"{difference if name else difference[0].upper() + difference[1:]}. {seen}".rstrip(),
            "What differs between the two: sizes, zeros, large numbers? Or is there a number that fits the first only?",
        )
        return Fault(lines, summary, seen)
    advice = "Do that example on paper, and print each line's result beside it. Which is the first that differs?"
    return Fault((summary, seen, advice) if seen else (summary, advice), summary, seen)
