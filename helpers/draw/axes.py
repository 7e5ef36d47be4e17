"""The plane that arrows and dots are drawn in: a square around the origin, with its numbers."""

from helpers.draw.palette import HAIRLINE, SECONDARY
from helpers.draw.scale import ticks
from helpers.draw.svg import SMALL_SIZE, Card
from helpers.draw.text import text_width, tick_text


def axis_room(end: float) -> float:
    """Return the room that the numbers left of the square take."""
    return max(text_width(tick_text(tick), SMALL_SIZE) for tick in ticks(end)) + 8


def draw_axes(card: Card, left: float, top: float, side: float, end: float) -> None:
    """Draw a square from -`end` to `end` on both axes, with the numbers at its left and below it."""
    right, bottom = left + side, top + side
    card.rect(left, top, side, side, fill="none", stroke=HAIRLINE)
    for tick in ticks(end):
        x, y = left + side / 2 + tick * side / 2 / end, top + side / 2 - tick * side / 2 / end
        stroke = HAIRLINE if tick else SECONDARY
        card.line(x, top, x, bottom, stroke=stroke)
        card.line(left, y, right, y, stroke=stroke)
        card.text(x, bottom + 18, tick_text(tick), fill=SECONDARY, size=SMALL_SIZE, anchor="middle")
        card.text(left - 7, y + 4.3, tick_text(tick), fill=SECONDARY, size=SMALL_SIZE, anchor="end")
