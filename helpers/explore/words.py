"""How explorers name things, and how they say numbers in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from helpers.learn.results import Array
from helpers.learn.words import listed

TIE = 1e-6  # weights closer than this are the same to a reader, and differ in the last digits between machines


def numbered(word: str, count: int) -> tuple[str, ...]:
    """Return names counted from 1: "key 1", "key 2", and so on for the word "key "."""
    return tuple(f"{word}{k}" for k in range(1, count + 1))


def percent(share: float) -> str:
    """Return a share in words: "83 %", "over 99 %", "under 1 %"."""
    if 0 < share < 0.01:
        return "under 1 %"
    if 0.99 < share < 1 - TIE:
        return "over 99 %"
    return f"{100 * share:.0f} %"


def most(weights: Array, names: Sequence[str]) -> str:
    """Return which of the weights, shape (N,), is the largest, and how large it is.

    Parameters
    ----------
    weights : array, shape (N,)
        The shares of one query.
    names : sequence of str
        A name for each: "key 1".

    Returns
    -------
    str
        "83 % on key 5"; where several share the first place, "47 % each on key 1 and key 2".
    """
    largest = float(weights.max())
    first = [name for name, weight in zip(names, weights.tolist(), strict=True) if largest - weight < TIE]
    each = "" if len(first) == 1 else " each"
    return f"{percent(largest)}{each} on {listed(first)}"
