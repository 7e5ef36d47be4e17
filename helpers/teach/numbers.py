"""Compare printed text number by number, so that a last digit, a space or a `-0.` is no difference."""

from __future__ import annotations

import re
from decimal import Decimal

_BLOCK = re.compile(r"\[\[.*?\]\]|\[.*?\]|[^\[\n]+", re.DOTALL)
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|inf)(?![\w])")


def text_difference(expected: str, got: str) -> str:
    """Return how two printed texts differ, as one sentence; empty if they do not.

    Words must match. Numbers may be one unit of their block's finest decimal apart: two right prints of neighboring
    values at a rounding boundary are. A block is a bracketed array, or a line outside of one; where it has no
    decimals, its numbers must be equal.

    Parameters
    ----------
    expected : str
        What is stored.
    got : str
        What was printed now.
    """
    ours, theirs = _words(expected), _words(got)
    if ours != theirs:
        index = next(
            (i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs))
        )
        return f"expected the words {_around(ours, index)}, got {_around(theirs, index)}."
    blocks, others = _numbers(expected), _numbers(got)
    total, found = (sum(map(len, numbers)) for numbers in (blocks, others))
    if total != found:
        return f"expected {total} numbers, got {found}."
    if _rows(expected) != _rows(got) or list(map(len, blocks)) != list(map(len, others)):
        return f"expected {total} numbers, got as many in other rows."
    wrong = []
    for block, other in zip(blocks, others, strict=True):
        decimals = max(map(_decimals, [*block, *other]))
        unit = Decimal(1).scaleb(-decimals) if decimals else Decimal(0)
        wrong += [(a, b) for a, b in zip(block, other, strict=True) if not _near(a, b, unit)]
    if not wrong:
        return ""
    a, b = wrong[0]
    return f"{len(wrong)} of {total} numbers differ; the first: expected {a}, got {b.rstrip('.')}."


def _words(text: str) -> list[str]:
    """Return what is neither number nor bracket."""
    return re.sub(r"[\[\]]", " ", _NUMBER.sub(" ", text)).split()


def _numbers(text: str) -> list[list[str]]:
    return [found for block in _BLOCK.findall(text) if (found := _NUMBER.findall(block))]


def _rows(text: str) -> list[str]:
    """Return words, brackets and a mark for each number, in their order: where the numbers stand."""
    return re.sub(r"[\[\]]", r" \g<0> ", _NUMBER.sub(" # ", text)).split()


def _near(expected: str, got: str, unit: Decimal) -> bool:
    a, b = Decimal(expected), Decimal(got)
    if a.is_finite() and b.is_finite():
        return abs(a - b) <= unit
    return str(a) == str(b)  # nan is not equal to itself


def _decimals(number: str) -> int:
    """Return how many decimals a printed number has: 3 for -7.240, 5 for 1.25e-3, none for 12."""
    exponent = Decimal(number).as_tuple().exponent
    return max(-exponent, 0) if isinstance(exponent, int) else 0


def _around(words: list[str], index: int) -> str:
    return repr(" ".join(words[index : index + 6])) if index < len(words) else "nothing more"
