"""Whether two arrays agree, and where they do not. Plain floats throughout: nothing of the student's is called."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from helpers.learn.words import listed

Array = NDArray[np.float64]

# Of the largest magnitude. float32 answers are off by up to 5e-5 of it, so they get the wider one.
TOLERANCE, TOLERANCE_SINGLE = 1e-6, 1e-4


def agree(got: Array, expected: Array, single: bool = False) -> bool:
    """Return whether `got` equals `expected` within the tolerance of the largest magnitude."""
    return got.shape == expected.shape and not wrong_entries(got, expected, single)


def near(got: Array, expected: Array, part: float) -> bool:
    """Return whether no entry is off by more than a part of the largest one: for what is drawn at random."""
    return bool(abs(got - expected).max() <= part * abs(expected).max())


def wrong_entries(got: Array, expected: Array, single: bool = False) -> list[int]:
    """Return the flat positions at which two arrays of one shape differ."""
    ours, theirs = expected.ravel().tolist(), got.ravel().tolist()
    largest = max((abs(value) for value in ours), default=0.0) or 1.0
    limit = (TOLERANCE_SINGLE if single else TOLERANCE) * largest
    return [index for index, (a, b) in enumerate(zip(ours, theirs, strict=True)) if not abs(a - b) <= limit]


def finite(array: Array) -> bool:
    """Return whether an array holds neither nan nor inf."""
    return all(math.isfinite(value) for value in array.ravel().tolist())


def first_difference(got: Array, expected: Array, single: bool = False) -> str:
    """Return the first entry that is clearly wrong, counted from 1: "row 1, column 2 is 0.500, expected 0.250"."""
    wrong, ours, theirs = wrong_entries(got, expected, single), expected.ravel().tolist(), got.ravel().tolist()
    largest = max(abs(theirs[index] - ours[index]) for index in wrong)
    # Beside a large difference a tiny one says nothing: it may be an eps.
    position = next((index for index in wrong if abs(theirs[index] - ours[index]) > 0.01 * largest), wrong[0])
    mine, true = theirs[position], ours[position]
    if expected.ndim == 2:
        row, column = divmod(position, expected.shape[1])
        place = f"row {row + 1}, column {column + 1}"
    else:
        place = f"entry {position + 1}" if expected.size > 1 else "the result"
    decimals = 3
    while float(number(mine, decimals)) == float(number(true, decimals)) and decimals < 9:
        decimals += 3  # two numbers that differ must not look alike
    return f"{place} is {number(mine, decimals)}, expected {number(true, decimals)}"


def pattern(got: Array, expected: Array, single: bool = False, known: Mapping[str, Array] | None = None) -> str:
    """Return what is true of all the wrong entries together, or an empty string.

    Tried in turn: another known quantity, the transpose, a constant factor, rows or columns in another order, a known
    quantity left out or added, the same offset in every column, decimals cut off, which columns or rows are right.

    Parameters
    ----------
    got, expected : array
        What was returned, and what is right, of one shape.
    single : bool
        Whether `got` came in float32.
    known : mapping of str to array, optional
        Other quantities of the same call, under what they are called in a sentence: "`X`", "the weights".
    """
    if not finite(got):
        return ""
    others = {words: value for words, value in (known or {}).items() if value.size > 1 and not agree(value, expected)}
    if same := next((words for words, value in others.items() if agree(got, value, single)), ""):
        return f"The result equals {same}."
    if expected.ndim == 1 and expected.size > 1:
        difference = (got - expected)[:1]
        if agree(got - difference, expected, single):
            counted = " Code counts from 0." if difference[0] == 1 and (expected == np.round(expected)).all() else ""
            return f"Every entry is off by {number(float(difference[0]))}.{counted}"
    if expected.ndim != 2 or expected.size < 2:
        return ""
    if got.T.shape == expected.shape and agree(got.T.copy(), expected, single):
        return "The numbers are right, with rows and columns exchanged."
    factor = _factor(got, expected)
    if factor is not None and agree(got / factor, expected, single):
        turned = " Is a difference taken the other way round?" if number(factor) == "-1" else ""
        return f"Every entry is the true one times {number(factor)}.{turned}"
    for words, value in others.items():
        if _is_inverse(got, expected, value, single):
            return f"The columns of {words} stand in the inverse order: each went where it should have come from."
    for name, mine, true in (("rows", got, expected), ("columns", got.T, expected.T)):
        if in_another_order([row.copy() for row in mine], [row.copy() for row in true], single):
            return f"The right {name} are there, in another order{_which_order(mine, true, single)}."
    if left := _left_over(got, expected, single, others):
        return left
    offset = got[:, :1] - expected[:, :1]
    by_chance = expected.shape[0] * (expected.shape[1] - 1) < 2
    if not by_chance and agree(got - offset, expected, single):
        tiny = TOLERANCE * float(np.max(np.abs(offset)))
        values = [value if abs(value) > tiny else 0.0 for value in offset.ravel().tolist()]
        amounts = ", ".join(number(value) for value in values[:3]) + (", …" if len(values) > 3 else "")
        return f"Every column is off by the same amounts ({amounts}): is a column added or left out?"
    if _cut_down(got, expected):
        return "The decimals are cut off: is one of your arrays of whole numbers?"
    wrong = wrong_entries(got, expected, single)
    found = []
    for axis, name in ((1, "column"), (0, "row")):
        bad = {divmod(position, expected.shape[1])[axis] for position in wrong}
        good = [index for index in range(expected.shape[axis]) if index not in bad]
        if good:
            said = f"{_listed(name, good)} right; {_listed(name, sorted(bad)).lower()} not."
            found.append((len(good) / expected.shape[axis], said))
    said = max(found, key=lambda one: one[0])[1] if found else ""  # the larger share of right lines says more
    weighted = any("weights" in words for words in known or {})  # a mask is thought of where there are weights
    masked = weighted and said.startswith("Column ") and _alone_at_the_edge(wrong, expected.shape)
    return f"{said} Does a mask hide keys from the other queries?" if masked else said


def number(value: float, decimals: int = 3) -> str:
    """Return a number as a message shows it: three decimals, or as many digits where that hides it."""
    if not math.isfinite(value):
        return str(value)
    if abs(value) < 1e6 and abs(value - round(value)) < 1e-9:  # far below any difference that is spoken of
        return f"{round(value) + 0.0:.0f}"  # 0 and not -0
    return f"{value:.{decimals}f}" if 0.001 <= abs(value) < 1e6 else f"{value:.{decimals}g}"


def in_another_order(got: Sequence[Array], expected: Sequence[Array], single: bool = False) -> bool:
    """Return whether the expected arrays are all there, each once, but not all in their places."""
    if all(agree(mine, true, single) for mine, true in zip(got, expected, strict=True)):
        return False
    left = list(got)
    for true in expected:
        index = next((k for k, mine in enumerate(left) if agree(mine, true, single)), None)
        if index is None:
            return False
        left.pop(index)
    return True


def _which_order(mine: Array, true: Array, single: bool) -> str:
    """Return how rows were moved, where it is one of the plain ways; empty for any other."""
    if len(true) < 3:
        return ""  # two can change places in one way only
    if agree(mine[::-1].copy(), true, single):
        return ", the last first"
    step = next((k for k in range(1, len(true)) if agree(np.roll(mine, -k, axis=0), true, single)), 0)
    if step:
        back = len(true) - step
        return f", moved on by {step}" if step <= back else f", moved back by {back}"
    return ""


def _left_over(got: Array, expected: Array, single: bool, known: Mapping[str, Array]) -> str:
    """Return which known quantity is missing from a result, or too much in it; empty where it is none."""
    columns = {
        words: value
        for words, value in known.items()
        if value.shape in (expected.shape, (len(expected), 1)) and float(np.max(np.abs(value))) > 0
    }
    for words, value in columns.items():
        if agree(got + value, expected, single):
            return f"The right result minus what you return is {words}: is it left out?"
        if agree(got - value, expected, single):
            return f"What you return minus the right result is {words}: is it added once too often?"
    return ""


def _alone_at_the_edge(wrong: Sequence[int], shape: tuple[int, ...]) -> bool:
    """Return whether the first or the last of many columns alone is right: what a mask over the scores leaves."""
    good = set(range(shape[1])) - {position % shape[1] for position in wrong}
    return shape[1] > 2 and good in ({0}, {shape[1] - 1})


def _is_inverse(got: Array, expected: Array, value: Array, single: bool) -> bool:
    """Return whether the columns of a known array stand in the inverse of the order that was asked for."""
    if value.shape != expected.shape:
        return False
    columns = [column.copy() for column in value.T]
    places = []
    for result in (expected, got):
        found = [[k for k, column in enumerate(columns) if agree(one.copy(), column, single)] for one in result.T]
        if any(len(one) != 1 for one in found):
            return False  # no column of it, or one of several that are alike
        places.append([one[0] for one in found])
    asked, done = places
    return sorted(asked) == list(range(len(columns))) and all(done[place] == k for k, place in enumerate(asked))


def _factor(got: Array, expected: Array) -> float | None:
    """Return got / expected at the entry where expected is largest."""
    position = int(np.argmax(np.abs(expected)))
    true, mine = expected.ravel().tolist()[position], got.ravel().tolist()[position]
    return mine / true if true and mine else None


def _cut_down(got: Array, expected: Array) -> bool:
    """Return whether every entry is the true one without its decimals."""
    pairs = zip(got.ravel().tolist(), expected.ravel().tolist(), strict=True)
    return any(got.ravel().tolist()) and all(mine == math.trunc(true) for mine, true in pairs)


def _listed(name: str, indices: list[int]) -> str:
    """Return a row or column, or several, as the subject of a sentence: "Columns 1 and 3 are"."""
    numbers = [str(index + 1) for index in indices]
    several = len(numbers) > 1
    return f"{name.capitalize()}{'s' if several else ''} {listed(numbers)} {'are' if several else 'is'}"
