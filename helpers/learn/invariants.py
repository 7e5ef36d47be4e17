"""What must hold for any right result, whatever the input: the rules that `course.toml` names under `invariants`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from helpers.learn.compare import TOLERANCE_SINGLE, agree, number

Array = NDArray[np.float64]


def columns_sum_to_one(A: Array) -> list[str]:
    """Return what is wrong with weights (N_k, N_q): positive, every column summing to one. Empty if nothing is."""
    smallest = min(A.ravel().tolist())
    if smallest < 0:
        return [
            f"some weights are negative (the smallest is {number(smallest)}).",
            "A share cannot be negative, and e to any power is positive.",
            "Is the exponential taken before the division?",
        ]
    columns, rows, everything = A.sum(axis=0), A.sum(axis=1), A.sum()
    if agree(columns, np.ones(A.shape[1]), single=True):
        return []
    wrong = next(n for n, total in enumerate(columns.tolist()) if not abs(total - 1) <= TOLERANCE_SINGLE)
    decimals = next(d for d in (2, 4, 6) if d == 6 or f"{columns[wrong]:.{d}f}" != f"{1:.{d}f}")  # 1.00 tells nothing
    first = f"column {wrong + 1}: {columns[wrong]:.{decimals}f}"
    if agree(rows, np.ones(A.shape[0]), single=True):
        return [
            f"every row sums to 1, the columns do not ({first}).",
            "Column n must be a distribution over the keys, so the sum runs down the column.",
            "Which axis of the scores runs over the keys?",
        ]
    empty = ~A.any(axis=0)
    if empty.any() and agree(columns, np.where(empty, 0.0, 1.0), single=True):
        return [
            f"column {wrong + 1} is 0 everywhere, and should sum to 1.",
            "Nothing was written there, or what was written is 0.",
            "Which lines stand in the loop, where does it begin and end? Without one: which exponentials are 0 there?",
        ]
    if agree(np.array([everything]), np.ones(1), single=True):
        return [
            f"all entries together sum to 1, each column should ({first}).",
            "Every query has its own shares: one sum for each column, not one for the matrix.",
            "Which axis should the sum run along?",
        ]
    return [
        f"the columns do not sum to 1 ({first}).",
        "Column n holds the shares of all keys in one answer.",
        "Is every entry an exponential, and is each column divided by its own sum?",
    ]


def entropies(entropy: Array) -> list[str]:
    """Return what is wrong with entropies (N_q,): never negative. Empty if nothing is."""
    smallest = min(entropy.ravel().tolist(), default=0.0)
    if smallest < -TOLERANCE_SINGLE:
        return [
            f"an entropy is negative (the smallest is {number(smallest)}).",
            "A weight is at most 1, and its logarithm at most 0, so every term of the sum is at most 0.",
            "Which sign turns that into a number from 0 upward?",
        ]
    return []


@dataclass(frozen=True)
class Rule:
    """A rule for one kind of result.

    Attributes
    ----------
    of : str
        The results it is for, by the name that the docstring gives them; in a list each of them.
    fault : callable
        Told such an array, returns what is wrong with it in three lines; an empty list if nothing is.
    not_finite : tuple of str
        What to say when numbers that should be finite are not.
    source : str
        A pattern of the lines of code to which that applies.
    """

    of: str
    fault: Callable[[Array], list[str]]
    not_finite: tuple[str, ...]
    source: str


INVARIANTS = {
    "columns_sum_to_one": Rule(
        "A",
        columns_sum_to_one,
        (
            "e to the power 1000 is inf, and e to the power -1000 is 0; inf / inf and 0 / 0 are nan.",
            "What can you subtract from each column, so that its own largest score becomes 0?",
        ),
        r"exp|\*\*|pow",
    ),
    "entropies": Rule(
        "entropy",
        entropies,
        (
            "The logarithm of 0 is -inf, and 0 times -inf is nan.",
            "A weight of 0 adds nothing. Which number has the logarithm 0, and could stand in its place?",
        ),
        "log",
    ),
}
