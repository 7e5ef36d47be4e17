"""Pairs of mistakes made together: there are tens of thousands, so each is stored in eleven characters.

They stand with the mistake that is made in the exercise itself, all its pairs on one line, each as
``k2QaG3fW_x9`` : a code made of the other mistake's name (4), one made of the kinds of all marks (1), and two sums over
the numbers of all examples, each as its part behind the point (3 and 3).
"""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from helpers.examples.example import Example
from helpers.learn.fingerprints import Made, Mark, names, stored_pairs

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_CODE, _SUM = 4, 3  # characters of a name's code, and of a sum
LENGTH = _CODE + 1 + 2 * _SUM
STEP = 64.0**-_SUM  # a sum is stored to this
# Of the sum of the absolute terms of an example: what rounding makes of it, in float64 and in float32.
ROUNDING, ROUNDING_SINGLE = 1e-9, 1e-4
_WEIGHTS = np.random.RandomState(13).uniform(0.5, 1.5, size=(2, 64))  # (2 sums, examples); any fixed numbers will do


@dataclass(frozen=True)
class Print:
    """The marks of all examples together.

    Attributes
    ----------
    kinds : str
        One character for the kinds of all marks.
    sums : tuple of 2 floats
        From 0 to 1; 1 is 0 again.
    room : tuple of 2 floats
        How far off each sum may be.
    """

    kinds: str
    sums: tuple[float, float]
    room: tuple[float, float]


def print_of(marks: Sequence[Mark], examples: Sequence[Example]) -> Print:
    """Return the print of an answer, or of mistakes, from the marks of all examples."""
    terms, rooms = [], []
    for one, example in zip(marks, examples, strict=True):
        value = one.value if one.numeric else 0.0
        off = example.near * abs(value) or (ROUNDING_SINGLE if one.single else ROUNDING) * one.size
        # The logarithm, so that a result of any size tells as much.
        terms.append(math.copysign(math.log1p(abs(value)), value))
        rooms.append(off / (1 + max(abs(value) - off, 0.0)))
    weights = _WEIGHTS[:, : len(terms)]
    first, second = (weights @ terms % 1.0).tolist()
    first_room, second_room = (weights @ rooms + STEP).tolist()
    kinds = hashlib.sha256(" ".join(one.kind for one in marks).encode()).digest()[0]
    return Print(_DIGITS[kinds % 64], (first, second), (first_room, second_room))


def code_of(name: str) -> str:
    """Return the code that stands for a mistake's name."""
    return base64.urlsafe_b64encode(hashlib.sha256(name.encode()).digest()[:3]).decode()


@cache
def _names_by_code() -> dict[str, str]:
    return {code_of(name): name for name in names()}


def text_of(name: str, whole: Print) -> str:
    """Return a pair as it is stored: the other mistake's name, and the print of both together."""
    return code_of(name) + whole.kinds + "".join(map(_coded, whole.sums))


def _coded(part: float) -> str:
    number = round(part / STEP) % round(1 / STEP)
    return "".join(_DIGITS[number >> 6 * place & 63] for place in reversed(range(_SUM)))


def _decoded(text: str) -> float:
    number = 0
    for character in text:
        number = 64 * number + _DIGITS.index(character)
    return number * STEP


def same_pair(stored: str, fresh: str) -> bool:
    """Return whether two texts of a pair differ by no more than a last digit of each sum."""
    return stored[: _CODE + 1] == fresh[: _CODE + 1] and all(
        _apart(_decoded(one), _decoded(other)) <= 1.5 * STEP
        for one, other in zip(_sums(stored), _sums(fresh), strict=True)
    )


def _sums(text: str) -> tuple[str, str]:
    return text[_CODE + 1 : -_SUM], text[-_SUM:]


def _apart(one: float, other: float) -> float:
    """Return how far two sums are apart, where 1 is 0 again."""
    apart = abs(one - other) % 1.0
    return min(apart, 1.0 - apart)


def split(line: str) -> list[str]:
    """Return the pairs of a line."""
    return [line[start : start + LENGTH] for start in range(0, len(line), LENGTH)]


def matching_pairs(mine: Sequence[Mark], function: str, examples: Sequence[Example]) -> set[Made]:
    """Return which recorded mistakes, made two at a time, give an answer's marks."""
    whole, by_code = print_of(mine, examples), _names_by_code()
    return {
        frozenset([first, by_code[text[:_CODE]]])
        for first, line in stored_pairs(function).items()
        for text in split(line)
        if text[_CODE] == whole.kinds
        and all(
            _apart(_decoded(one), mine) <= room
            for one, mine, room in zip(_sums(text), whole.sums, whole.room, strict=True)
        )
    }
