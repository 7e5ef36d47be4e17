"""What a wrong answer is told beyond its first line.

The mistake it made, if its numbers are those of a recorded one. Else what is true of its variables, of its result, and
of its lines, in this order.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from helpers.examples.example import Example
from helpers.learn import fingerprints
from helpers.learn.compare import Array, agree, finite, pattern
from helpers.learn.errors import Surroundings
from helpers.learn.fingerprints import Made, written
from helpers.learn.judge import Fault, Verdict
from helpers.learn.naming import WIDTH, name_line, name_lines
from helpers.learn.pairs import code_of, matching_pairs, print_of
from helpers.learn.recognize import Sight, is_returned, quantities, recognize
from helpers.learn.run import Outcome
from helpers.learn.source_rules import remark
from helpers.learn.watch import Seen, named, watch
from helpers.truth import Truth, stages

_OF_ONE_EXAMPLE = re.compile(r"times -?\d|divided by \d|its shape is")
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")


def diagnosed(
    verdict: Verdict,
    truth: Truth,
    examples: Sequence[Example],
    outcomes: Sequence[Outcome],
    answer: Callable[..., Any] | None = None,
    around: Surroundings | None = None,
) -> Verdict:
    """Return a verdict that says what the mistake is, or where it shows.

    Parameters
    ----------
    verdict : Verdict
        What the judge said.
    truth, examples, outcomes
        What it was judged by.
    answer : callable, optional
        The student's function, to watch it run once more.
    around : Surroundings, optional
        Its source and the names of its arguments.
    """
    raised = verdict.status == "error" and verdict.fault is None
    if not raised and (verdict.fault is None or not verdict.fault.summary):
        return verdict
    ways = _ways(verdict.function, truth, examples, outcomes)
    if verdict.fault is None:
        # What the error says comes first, and leaves room for one line: what the other examples' numbers show.
        line = name_line(ways)
        return (
            dataclasses.replace(verdict, lines=(*verdict.lines[:2], line), mistake=written(ways)) if line else verdict
        )
    with np.errstate(all="ignore"):  # what a student's numbers do to a comparison is no news to the student
        return _explained(verdict, verdict.fault, ways, truth, examples, outcomes, answer, around)


def _explained(
    verdict: Verdict,
    fault: Fault,
    ways: Collection[Made],
    truth: Truth,
    examples: Sequence[Example],
    outcomes: Sequence[Outcome],
    answer: Callable[..., Any] | None,
    around: Surroundings | None,
) -> Verdict:
    """Return a verdict on wrong numbers that names the mistake, or else says where it shows."""
    wrong = _wrong_examples(truth, examples, outcomes)
    arguments = around.arguments if around else truth.arguments
    seen, sight = _watched(verdict.function, truth, examples, wrong, answer, arguments, fault.example)
    if names := name_lines(ways):
        asks = names[1] + _place(sight, around)
        said = (fault.summary, names[0], asks if len(asks) < WIDTH - 2 else names[1])
        return dataclasses.replace(verdict, lines=said, mistake=written(ways))
    lines = _located(verdict.function, fault, truth, examples, outcomes, wrong, seen, sight, around)
    return dataclasses.replace(verdict, lines=lines)


def _ways(function: str, truth: Truth, examples: Sequence[Example], outcomes: Sequence[Outcome]) -> set[Made]:
    """Return which recorded mistakes give the numbers: single ones if there are any, else pairs.

    Last, single ones that give the numbers on the examples on which the answer did not raise.
    """
    marks = [fingerprints.mark(*one) for one in zip(outcomes, truth.values, examples, strict=False)]
    found = fingerprints.matching(marks, function, examples)
    if found or not any(one.numeric for one in marks):
        return found
    codes = {code_of(name): name for name in fingerprints.names()}
    found = matching_pairs(fingerprints.stored_pairs(function), codes, print_of(marks, examples))
    return found or fingerprints.matching(marks, function, examples, raised_too=True)


def _wrong_examples(truth: Truth, examples: Sequence[Example], outcomes: Sequence[Outcome]) -> list[int]:
    """Return the positions of the examples on which the numbers are not the true ones."""
    return [
        position
        for position, (example, outcome, true) in enumerate(zip(examples, outcomes, truth.values, strict=False))
        if outcome.reading
        and not example.refuses
        and not example.near
        and not all(
            agree(mine, ours, outcome.reading.single)
            for mine, ours in zip(outcome.reading.arrays, true.arrays, strict=True)
        )
    ]


def _watched(
    function: str,
    truth: Truth,
    examples: Sequence[Example],
    wrong: Sequence[int],
    answer: Callable[..., Any] | None,
    arguments: Sequence[str],
    first: int,
) -> tuple[list[Seen], Sight]:
    """Run the answer once more, on the first wrong example whose steps are known, and look at its variables."""
    steps = stages(function)
    position = next((one for one in wrong if one in steps), None)
    if answer is None or position is None:
        return [], Sight()
    example = examples[position]
    seen = watch(answer, f"<cell of {function}>", example.arguments)
    known = named(arguments, example.arguments)
    sight = recognize(seen, steps[position], known, truth.values[position].arrays)
    # A number of another example than the one that the verdict's first line is about.
    if position != first and sight.lines and _OF_ONE_EXAMPLE.search(sight.lines[-1]):
        last = f"{sight.lines[-1].removesuffix('.')}, {example.where}."
        sight = dataclasses.replace(sight, lines=(*sight.lines[:-1], last))
    return seen, sight


def _place(sight: Sight, around: Surroundings | None) -> str:
    """Return a sentence that names the first variable from which nothing right comes; empty where there is none."""
    point = sight.point
    if point is None or is_returned(point.name) or (around and point.name in around.arguments):
        return ""
    return f" Look around `{point.name}`, line {point.line}."


def _located(
    function: str,
    fault: Fault,
    truth: Truth,
    examples: Sequence[Example],
    outcomes: Sequence[Outcome],
    wrong: Sequence[int],
    seen: Sequence[Seen],
    sight: Sight,
    around: Surroundings | None,
) -> tuple[str, ...]:
    """Return the lines of a verdict on a mistake that is no recorded one: what is true of it, the surest first."""
    spoils = next((one for one in seen if not finite(one.value)), None)
    if spoils is not None and not is_returned(spoils.name) and "nan or inf" in fault.summary:
        what = "nan" if np.isnan(spoils.value).any() else "inf"
        question = "Is something divided there that can be 0?"
        if what == "inf":
            question = fault.lines[-1] if fault.broken else "Which number that went into that line grows too large?"
        return (fault.summary, f"`{spoils.name}`, line {spoils.line}, is the first that holds {what}.", question)
    of_result = _true_of_all(function, truth, examples, outcomes, wrong, around)
    which_right = fault.seen if " right;" in fault.seen else ""
    of_source = remark(around.part) if around and around.part else ""
    told = [one for one in (of_result, *sight.lines, of_source, which_right) if one]
    if fault.broken and not of_result and (not sight.lines or "no step I know" in sight.lines[-1]):
        return fault.lines
    if of_result and len(sight.lines) == 2:
        told.remove(sight.lines[0])  # what is wrong says more than what is right
    fitting = [one for one in told if len(one) <= WIDTH - 2][:2]
    if not fitting:
        return fault.lines if fault.seen == "" else (fault.summary, fault.lines[-1])
    return (fault.summary, *fitting, *fault.lines[-1:])[:3]


def _true_of_all(
    function: str,
    truth: Truth,
    examples: Sequence[Example],
    outcomes: Sequence[Outcome],
    wrong: Sequence[int],
    around: Surroundings | None,
) -> str:
    """Return what is true of the wrong result as a whole, on every example where it is wrong; empty if nothing is."""
    said = []
    for position in wrong:
        reading, true = outcomes[position].reading, truth.values[position].arrays
        if reading is None or [one.shape for one in reading.arrays] != [one.shape for one in true]:
            continue
        known = _known(function, position, examples[position], around.arguments if around else truth.arguments)
        part = next(k for k, got in enumerate(reading.arrays) if not agree(got, true[k], reading.single))
        seen = pattern(reading.arrays[part], true[part], reading.single, known)
        if " right;" in seen and "mask" not in seen:
            return ""  # which rows or columns are right is said of one example
        said.append(seen)
    alike = {_NUMBER.sub("#", one) for one in said}
    return said[0] if len(alike) == 1 else ""


def _known(function: str, position: int, example: Example, arguments: Sequence[str]) -> Mapping[str, Array]:
    return quantities(stages(function).get(position, ()), named(arguments, example.arguments))
