"""Compare printed text number by number, so that a last digit, a space or a `-0.` is no difference."""

from __future__ import annotations

import re

_BLOCK = re.compile(r"\[\[.*?\]\]|\[.*?\]|[^\[\n]+", re.DOTALL)
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w])")


def text_difference(expected: str, got: str) -> str:
    """Return how two printed texts differ, as one sentence; empty if they do not.

    Words must match. Numbers may be one unit of their block's finest decimal apart: two right prints of neighboring
    values at a rounding boundary are. A block is a bracketed array, or a line outside of one.

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
    if [len(block) for block in blocks] != [len(block) for block in others]:
        counts = sum(map(len, blocks)), sum(map(len, others))
        return f"expected {counts[0]} numbers, got {counts[1]}; or they stand in other rows."
    wrong = []
    total = 0
    for block, other in zip(blocks, others, strict=True):
        unit = 10.0 ** -max((_decimals(number) for number in block), default=0)
        total += len(block)
        wrong += [(a, b) for a, b in zip(block, other, strict=True) if abs(float(a) - float(b)) > 1.0001 * unit]
    if not wrong:
        return ""
    a, b = wrong[0]
    return f"{len(wrong)} of {total} numbers differ; the first: expected {a}, got {b}."


def _words(text: str) -> list[str]:
    return _NUMBER.sub(" # ", re.sub(r"[\[\]]", r" \g<0> ", text)).split()


def _numbers(text: str) -> list[list[str]]:
    return [found for block in _BLOCK.findall(text) if (found := _NUMBER.findall(block))]


def _decimals(number: str) -> int:
    """Return how many decimals a printed number has: 3 for -7.240, 5 for 1.25e-3, none for 12."""
    mantissa, _, exponent = number.lower().partition("e")
    return max(len(mantissa.partition(".")[2]) - int(exponent or 0), 0)


def _around(words: list[str], index: int) -> str:
    return repr(" ".join(words[index : index + 6]).replace("#", "…")) if index < len(words) else "nothing more"
