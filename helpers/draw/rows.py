"""What pictures with one line a row share: the labels, the distance of the rows, and a bar with its number."""

from collections.abc import Sequence
from typing import Final, Literal

from helpers.draw.inputs import tokens
from helpers.draw.svg import LABEL_SIZE, SMALL_SIZE, Card
from helpers.draw.text import shorten, text_width

PITCH: Final = 30  # from one row to the next
MIN_PITCH: Final = 18  # still a line of text
TALLEST: Final = 560  # the room for all rows together

LONGEST_LABEL: Final = 120


def row_names(labels: Sequence[str], count: int, *, axis: str, longest: float = LONGEST_LABEL) -> list[str]:
    """Return the labels, cleaned and cut to `longest` px, after checking that there is one for each row."""
    names = tokens(labels, count, name="labels", axis=axis)
    return [shorten(name, longest, LABEL_SIZE, bold=True) for name in names]


def label_room(names: list[str], axis: str) -> float:
    """Return the width that the labels and the words over them take, as if all labels were bold."""
    return max(text_width(axis, SMALL_SIZE), *(text_width(name, LABEL_SIZE, bold=True) for name in names))


def row_pitch(count: int, wish: int = PITCH) -> int:
    """Return the distance from one of `count` rows to the next: the wish, less where there is no room for it."""
    return min(wish, max(MIN_PITCH, TALLEST // count))


def draw_bar(
    card: Card,
    zero: float,
    length: float,
    middle: float,
    thickness: float,
    *,
    side: Literal[-1, 1],
    fill: str,
    number: str,
    ink: str,
    weight: int = 400,
) -> None:
    """Draw a bar of `length` px from `zero` to the left (-1) or the right (1), and its number at its end."""
    tip = zero + side * length
    if length >= 0.1:
        rx = min(3, length / 2)
        card.rect(min(zero, tip), middle - thickness / 2, length, thickness, rx=rx, fill=fill)
    anchor: Literal["start", "end"] = "start" if side > 0 else "end"
    x, y = tip + 6 * side, middle + 4.3
    card.text(x, y, number, fill=ink, size=SMALL_SIZE, anchor=anchor, weight=weight, halo=True)
