"""Fingerprints: what comes out of an exercise when a known mistake is made, as one number for each example.

`attention refresh` stores them; a wrong result that has a mistake's fingerprint is told so. The student's machine
holds these numbers and the sentences, and no code.

A line of the store reads ``"no_scale": "= 1.234567 3x4:0.51 !ValueError"``: one mark for each example, in order.

- ``=``: what it gave is right, a call that must be refused included.
- ``1.234567``: a result of the right shapes, as a weighted sum of its entries.
- ``3x4:0.51``: the same of a result of other shapes.
- ``nan``: a result with entries that are not finite.
- ``!ValueError``: it raised.
- ``?``: it gave something that holds no numbers.

`` | `` joins the names of mistakes that give the same on every example.

Two mistakes made together are stored otherwise: see `pairs`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from helpers.course import course
from helpers.examples.example import Example
from helpers.learn.compare import agree, finite, near
from helpers.learn.results import Reading
from helpers.learn.run import Outcome

DIGITS = 7  # a mark is stored to so many digits
TINY = 1e-9  # a sum below this, or below this part of its terms, is rounding: it is stored as 0
# Of the sum of the absolute terms: above what DIGITS cut off, far below what two mistakes differ by.
TOLERANCE, TOLERANCE_SINGLE = 2e-6, 2e-4
# Where an answer raises and the mistake does not, the other examples speak, if so many of them have numbers to match.
ENOUGH = 2

Made: TypeAlias = "frozenset[str]"  # one mistake, or two made together


@dataclass(frozen=True)
class Mark:
    """What one example gave: its kind, and the number where it has one.

    Attributes
    ----------
    kind : str
        ``=``, ``nan``, ``?`` or ``!`` and the error's name; else the shapes, empty where they are the right ones.
    value : float
        The weighted sum of all entries; nan where there is none.
    size : float
        The sum of the absolute terms, which says what a difference of two values is worth.
    single : bool
        Whether the numbers came in float32.
    flat : bool
        Whether the numbers tell little: all are 0, or all columns are equal, and the true ones are not.
    """

    kind: str
    value: float = math.nan
    size: float = 0.0
    single: bool = False
    flat: bool = False

    @property
    def numeric(self) -> bool:
        """Whether the mark holds a number."""
        return not math.isnan(self.value)

    def text(self) -> str:
        """Return the mark as it is stored."""
        if not self.numeric:
            return self.kind
        number = f"{self.value + 0.0:.{DIGITS}g}"
        return f"{self.kind}:{number}" if self.kind else number


def mark(outcome: Outcome, true: Reading, example: Example) -> Mark:
    """Return the mark of one outcome.

    Parameters
    ----------
    outcome : Outcome
        What the call gave.
    true : Reading
        The true values; no arrays where the call must raise.
    example : Example
        The call.
    """
    if outcome.trouble:
        refused = example.refuses and "ValueError" in outcome.trouble.kinds
        return Mark("=" if refused else f"!{outcome.trouble.kind}")
    if outcome.reading is None:
        return Mark("?")
    got = outcome.reading.arrays
    if not all(map(finite, got)):
        return Mark("nan")
    shapes = [array.shape for array in got]
    fits = shapes == [array.shape for array in true.arrays]
    single = outcome.reading.single
    if fits and all(_right(mine, ours, single, example) for mine, ours in zip(got, true.arrays, strict=True)):
        return Mark("=")
    terms = _weighted(np.concatenate([array.ravel() for array in got]))
    kind = "" if fits else ",".join("x".join(map(str, shape)) or "()" for shape in shapes)
    value, size = float(terms.sum()), float(np.abs(terms).sum())
    value = value if abs(value) > TINY * max(size, 1.0) else 0.0
    flat = all(map(_flat, got)) and not all(map(_flat, true.arrays))
    return Mark(kind, value, size, single, flat)


def _right(mine: NDArray[np.float64], ours: NDArray[np.float64], single: bool, example: Example) -> bool:
    """Return whether an array is right, as the judge sees it."""
    return near(mine, ours, example.near) if example.near else agree(mine, ours, single)


def _flat(array: NDArray[np.float64]) -> bool:
    """Return whether an array holds nothing but zeros, or several columns that are all equal."""
    several = array.ndim > 0 and array.shape[-1] > 1
    return not array.any() or (several and bool(np.ptp(array, axis=-1).max() <= TINY * np.abs(array).max()))


def parse(text: str) -> tuple[Mark, ...]:
    """Return the marks of a stored line."""
    return tuple(map(_parsed, text.split()))


def _parsed(text: str) -> Mark:
    if text[0] in "=?!" or text == "nan":
        return Mark(text)
    kind, _, number = text.rpartition(":")
    return Mark(kind, float(number))


def alike(
    mine: Sequence[Mark], stored: Sequence[Mark], examples: Sequence[Example], *, raised_too: bool = False
) -> bool:
    """Return whether an answer's marks are those of a mistake, on every example that tells.

    One of them at least must have a number that is not the true one. With `raised_too`, an example on which the answer
    raised and the mistake does not is left out, and the others decide, those that are flat not counted.
    """
    told = full = raised = 0
    for one, other, example in zip(mine, stored, examples, strict=True):
        if one.kind != other.kind:
            if not (raised_too and one.kind.startswith("!")):
                return False
            raised += 1
        elif one.numeric:
            room = example.near * abs(other.value) or (TOLERANCE_SINGLE if one.single else TOLERANCE) * one.size
            if not abs(one.value - other.value) <= room:
                return False
            told += 1
            full += not one.flat
    return full >= ENOUGH if raised else told >= 1


@cache
def _weights(count: int) -> NDArray[np.float64]:
    return np.random.RandomState(12).uniform(0.5, 1.5, size=count)  # any fixed numbers will do


def _weighted(entries: NDArray[np.float64]) -> NDArray[np.float64]:
    return _weights(entries.size) * entries


# --- the store


@cache
def _stored(notebook: str) -> dict[str, Any]:
    path = files("helpers").joinpath("true_values", "fingerprints", f"{notebook}.json")
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:  # a notebook for which no mistake is recorded yet
        return {"sentences": {}, "exercises": {}, "pairs": {}}
    return content


@cache
def sentences(name: str) -> tuple[str, str]:
    """Return what a mistake's numbers show, and the question to whoever made it.

    Raises
    ------
    KeyError
        If no mistake has this name.
    """
    for notebook in course().notebooks:
        if name in (found := _stored(notebook)["sentences"]):
            shows, asks = found[name]
            return shows, asks
    raise KeyError(name)


def stored(function: str) -> Mapping[str, str]:
    """Return the fingerprints of an exercise: the mistakes' names, and the marks."""
    found: Mapping[str, str] = _stored(course().exercises[function].notebook)["exercises"].get(function, {})
    return found


def stored_pairs(function: str) -> Mapping[str, str]:
    """Return the pairs of an exercise: for each mistake that is made in it those made with it, as `pairs` has them."""
    found: Mapping[str, str] = _stored(course().exercises[function].notebook)["pairs"].get(function, {})
    return found


def names() -> tuple[str, ...]:
    """Return the names of all mistakes."""
    return tuple(name for notebook in course().notebooks for name in _stored(notebook)["sentences"])


def written(ways: Iterable[Made]) -> str:
    """Return ways of making mistakes as they are stored."""
    return " | ".join(sorted(" + ".join(sorted(way)) for way in ways))


def made(names: str) -> set[Made]:
    """Return what a stored name stands for: each way of making mistakes that gives these marks."""
    return {frozenset(way.split(" + ")) for way in names.split(" | ")}


def matching(
    mine: Sequence[Mark], function: str, examples: Sequence[Example], *, raised_too: bool = False
) -> set[Made]:
    """Return which recorded mistakes, made alone, give an answer's marks (see `alike`)."""
    return {
        way
        for names, line in stored(function).items()
        if alike(mine, parse(line), examples, raised_too=raised_too)
        for way in made(names)
    }
