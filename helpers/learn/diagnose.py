"""What a wrong answer is told beyond its first line.

The mistake it made, if its numbers are those of a recorded one. Else what is true of its variables, of its result, and
of its lines, in this order.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from helpers.examples.example import Example
from helpers.learn import fingerprints
from helpers.learn.compare import Array, agree, finite, pattern
from helpers.learn.errors import Surroundings
from helpers.learn.fingerprints import Made, Mark, written
from helpers.learn.flow import is_returned
from helpers.learn.judge import Fault, Verdict
from helpers.learn.naming import name_line, name_lines
from helpers.learn.pairs import matching_pairs
from helpers.learn.recognize import Sight, quantities, recognize
from helpers.learn.run import Outcome
from helpers.learn.source_rules import remark
from helpers.learn.watch import Seen, named
from helpers.learn.words import WIDTH
from helpers.truth import Truth, stages

Look: TypeAlias = Callable[[int], list[Seen]]

# Which layer it is depends on how many there are; a third head stands in no paper example.
_OF_ONE_EXAMPLE = re.compile(r"times -?\d|divided by \d|its shape is|in layer \d|heads? [\d, and]*[3-9]")
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")


def diagnosed(
    verdict: Verdict,
    truth: Truth,
    examples: Sequence[Example],
    outcomes: Sequence[Outcome],
    look: Look | None = None,
    around: Surroundings | None = None,
) -> Verdict:
    """Return a verdict that says what the mistake is, or where it shows.

    Parameters
    ----------
    verdict : Verdict
        What the judge said.
    truth, examples, outcomes
        What it was judged by.
    look : Look, optional
        Runs the student's function once more, on the example at a position, and returns what its variables held.
    around : Surroundings, optional
        Its source and the names of its arguments.
    """
    fault = verdict.fault
    if verdict.status != "error" and (fault is None or not fault.summary):
        return verdict
    case = _Case(verdict.function, truth, examples, outcomes, look, around)
    ways = case.ways()
    if fault is None:
        # What the error says comes first, and leaves room for one line: what the other examples' numbers show.
        line = name_line(ways)
        return _naming(verdict, ways, (*verdict.lines[:2], line)) if line else verdict
    with np.errstate(all="ignore"):  # what a student's numbers do to a comparison is no news to the student
        sight = case.watched(fault.example)
        if names := name_lines(ways):
            asks = names[1] + _place(sight, case.arguments)
            return _naming(verdict, ways, (fault.summary, names[0], asks if len(asks) < WIDTH else names[1]))
        lines = _first_not_finite(case, fault) if fault.not_finite else ()
        return dataclasses.replace(verdict, lines=lines or _located(case, fault, sight))


def _naming(verdict: Verdict, ways: set[Made], lines: tuple[str, ...]) -> Verdict:
    return dataclasses.replace(verdict, lines=lines, mistake=written(ways))


@dataclass(frozen=True)
class _Case:
    """An answer, what it gave, and what is known of its exercise."""

    function: str
    truth: Truth
    examples: Sequence[Example]
    outcomes: Sequence[Outcome]
    look: Look | None
    around: Surroundings | None

    @property
    def arguments(self) -> Sequence[str]:
        """The names of the arguments, the student's own where they are known."""
        return self.around.arguments if self.around else self.truth.arguments

    @cached_property
    def marks(self) -> list[Mark]:
        """What each example gave."""
        given = zip(self.outcomes, self.truth.values, self.examples, strict=False)
        return [fingerprints.mark(*one) for one in given]

    @cached_property
    def wrong(self) -> list[int]:
        """The positions of the examples on which the numbers are not the true ones."""
        return [
            position
            for position, (one, example) in enumerate(zip(self.marks, self.examples, strict=True))
            if one.kind != "=" and self.outcomes[position].reading and not example.refuses and not example.near
        ]

    def named(self, position: int) -> Mapping[str, Array]:
        """Return the arrays among the arguments of an example, by their names."""
        return named(self.arguments, self.examples[position].arguments)

    def ways(self) -> set[Made]:
        """Return which recorded mistakes give the numbers: single ones if there are any, else pairs.

        Last, single ones that give the numbers on the examples on which the answer did not raise.
        """
        found = fingerprints.matching(self.marks, self.function, self.examples)
        if found or not any(one.numeric for one in self.marks):
            return found
        return matching_pairs(self.marks, self.function, self.examples) or fingerprints.matching(
            self.marks, self.function, self.examples, raised_too=True
        )

    def has_run(self, pattern: str, seen: Sequence[Seen]) -> bool:
        """Return whether one of the values comes from a line of code in which a pattern is found."""
        lines = self.around.part.source.splitlines() if self.around and self.around.part else []
        return any(re.search(pattern, lines[one.line - 1]) for one in seen if one.line <= len(lines))

    def watched(self, first: int) -> Sight:
        """Have the answer run once more, on the first wrong example whose steps are known, and see its variables.

        `first` is the example that the verdict's first line is about.
        """
        steps = stages(self.function)
        position = next((one for one in self.wrong if one in steps), None)
        if self.look is None or position is None:
            return Sight()
        example = self.examples[position]
        seen = self.look(position)
        sight = recognize(seen, steps[position], self.named(position), self.truth.values[position].arrays)
        if position == first:
            return sight
        lines = [_told_of(line, example) if _OF_ONE_EXAMPLE.search(line) else line for line in sight.lines]
        return dataclasses.replace(sight, lines=tuple(lines))

    def true_of_all(self) -> str:
        """Return what is true of the wrong result as a whole, wherever it is wrong; empty if nothing is."""
        said = []
        for position in self.wrong:
            reading, true = self.outcomes[position].reading, self.truth.values[position].arrays
            if reading is None or [one.shape for one in reading.arrays] != [one.shape for one in true]:
                continue
            known = quantities(stages(self.function).get(position, ()), self.named(position))
            part = next(k for k, got in enumerate(reading.arrays) if not agree(got, true[k], reading.single))
            seen = pattern(reading.arrays[part], true[part], reading.single, known)
            if " right;" in seen and "mask" not in seen:
                return ""  # which rows or columns are right is said of one example
            said.append(seen)
        alike = {_NUMBER.sub("#", one) for one in said}
        return said[0] if len(alike) == 1 else ""


def _told_of(line: str, example: Example) -> str:
    """Return a sentence with the example of which it is true, and its sizes where there is room for them."""
    told = f"{line.removesuffix('.')}, {example.where}."
    return told if len(told) <= WIDTH else f"{line.removesuffix('.')}, on {example.label}."


def _place(sight: Sight, arguments: Sequence[str]) -> str:
    """Return a sentence that names the first variable from which nothing right comes; empty where there is none."""
    point = sight.point
    if point is None or is_returned(point.name) or point.name in arguments:
        return ""
    return f" Look around `{point.name}`, line {point.line}."


def _first_not_finite(case: _Case, fault: Fault) -> tuple[str, ...]:
    """Return the lines of a verdict on nan or inf: which variable holds it first. Empty where that is not known."""
    seen = case.look(fault.example) if case.look else []
    position = next((k for k, one in enumerate(seen) if not finite(one.value)), None)
    if position is None:
        return ()
    first, before = seen[position], seen[:position]
    what = "nan" if np.isnan(first.value).any() else "inf"
    expected = case.truth.values[fault.example].arrays
    right = next((one for one in before if any(agree(one.value, true) for true in expected)), None)
    if not is_returned(first.name):
        found = f"`{first.name}`, line {first.line}, is the first that holds {what}."
    elif right is not None and len(expected) == 1:
        found = f"`{right.name}`, line {right.line}, holds the right numbers; what is done with them then gives {what}."
    else:
        return ()
    if right is None and fault.broken and (what == "inf" or case.has_run(fault.source, [*before, first])):
        question = fault.lines[-1]  # what went into the exponential was finite
    elif what == "nan" or right is not None:
        question = "Is something divided there that can be 0?"
    else:
        question = "Which number that went into that line grows too large?"
    return (fault.summary, found, question)


def _located(case: _Case, fault: Fault, sight: Sight) -> tuple[str, ...]:
    """Return the lines of a verdict on a mistake that is no recorded one: what is true of it, the surest first."""
    of_result = case.true_of_all()
    of_source = remark(case.around.part) if case.around and case.around.part else ""
    if fault.broken and not of_result and (not sight.lines or sight.vague):
        return (fault.summary, of_source, fault.lines[-1]) if of_source else fault.lines
    # What is wrong says more than what is right.
    of_variables = sight.lines[-1:] if of_result else sight.lines
    which_right = fault.seen if " right;" in fault.seen else ""
    told = [one for one in (of_result, *of_variables, of_source, which_right) if one and len(one) <= WIDTH][:2]
    if not told:
        return fault.lines if fault.seen == "" else (fault.summary, fault.lines[-1])
    return (fault.summary, *told, *fault.lines[-1:])[:3]
