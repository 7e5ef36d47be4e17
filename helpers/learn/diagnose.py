"""What a wrong answer is told beyond its first line: the mistake it made, if it is a recorded one."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from helpers.examples.example import Example
from helpers.learn.fingerprints import matching, written
from helpers.learn.judge import Verdict
from helpers.learn.naming import name_lines
from helpers.learn.run import Outcome
from helpers.truth import Truth


def diagnosed(verdict: Verdict, truth: Truth, examples: Sequence[Example], outcomes: Sequence[Outcome]) -> Verdict:
    """Return a verdict that names the mistake, where its numbers are those of a recorded one.

    Parameters
    ----------
    verdict : Verdict
        What the judge said.
    truth, examples, outcomes
        What it was judged by.
    """
    raised = verdict.status == "error" and verdict.fault is None
    if not raised and (verdict.fault is None or not verdict.fault.summary):
        return verdict
    ways = matching(verdict.function, outcomes, truth.values, examples)
    names = name_lines(ways)
    if raised and len(names) == 2 and names[0].endswith("."):
        # What the error says comes first, and leaves room for one line: what the other examples' numbers show.
        return dataclasses.replace(verdict, lines=(*verdict.lines[:2], names[0]), mistake=written(ways))
    if names and verdict.fault is not None:
        return dataclasses.replace(verdict, lines=(verdict.fault.summary, *names), mistake=written(ways))
    return verdict
