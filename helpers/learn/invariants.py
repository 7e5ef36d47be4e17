"""What must hold for any right result, whatever the input: the rules that `course.toml` names under `invariants`."""

from __future__ import annotations

from collections.abc import Callable

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
    first = f"column {wrong + 1}: {columns[wrong]:.2f}"
    if agree(rows, np.ones(A.shape[0]), single=True):
        return [
            f"every row sums to 1, the columns do not ({first}).",
            "Column n must be a distribution over the keys, so the sum runs down the column.",
            "Which axis of the scores runs over the keys?",
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


INVARIANTS: dict[str, Callable[[Array], list[str]]] = {"columns_sum_to_one": columns_sum_to_one}

# What to say when numbers that should be finite are not, for exercises under a rule.
NOT_FINITE = {
    "columns_sum_to_one": [
        "e to the power 1000 is inf, and e to the power -1000 is 0; inf / inf and 0 / 0 are nan.",
        "What can you subtract from each column, so that its own largest score becomes 0?",
    ]
}
