"""What the charts share: an area with two axes on a card of one width, and a legend under it."""

from typing import Final, NamedTuple

from helpers.draw.palette import HAIRLINE, SECONDARY, role_color
from helpers.draw.scale import ticks_between
from helpers.draw.svg import PAD, SMALL_SIZE, Card
from helpers.draw.text import clean, shorten, text_width, tick_text

WIDTH: Final = 400  # of the card, where nothing else is asked for
HEIGHT: Final = 130  # of the area
LINE: Final = 20  # from one row of the legend to the next

_SAMPLE: Final = 28  # the piece of a line that stands before its words in the legend
_END: Final = 14  # what half a number under the end of the axis may need beyond the area, PAD aside


class Area(NamedTuple):
    """Where a chart is drawn, in px, and the numbers at its edges."""

    left: float
    top: float
    right: float
    across: tuple[float, float]
    up: tuple[float, float]

    @property
    def bottom(self) -> float:
        """Return where the lower edge is."""
        return self.top + HEIGHT

    @property
    def foot(self) -> float:
        """Return where the words under the horizontal axis end."""
        return self.bottom + 42

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of a point."""
        (start, end), (low, high) = self.across, self.up
        right = (x - start) / (end - start) * (self.right - self.left)
        return self.left + right, self.bottom - (y - low) / (high - low) * HEIGHT


class Entry(NamedTuple):
    """One line in the legend; its words may be followed by a number, for which `room` is kept."""

    words: str
    color: str
    dash: str = ""
    number: str = ""
    room: float = 0


def draw_area(
    card: Card, across: tuple[float, float], up: tuple[float, float], *, x_axis: str, y_axis: str, above: float = 0
) -> Area:
    """Draw both axes with their ticks and words on a new card, and return the area between them.

    Whether `up` begins at zero or below it moves nothing. Between the words of the vertical axis and the area
    `above` px are left free.
    """
    beside, below = clean(y_axis), clean(x_axis)
    largest = max(map(abs, up))
    left = PAD + max(text_width(tick_text(t), SMALL_SIZE) for t in ticks_between(-largest, largest)) + 8
    area = Area(left, card.top + 26 + above, card.width - PAD - _END, across, up)
    card.text(
        PAD, card.top + 12, shorten(beside, card.width - 2 * PAD, SMALL_SIZE), fill=role_color(beside), size=SMALL_SIZE
    )
    for tick in ticks_between(*up):
        _, y = area.at(across[0], tick)
        card.line(area.left, y, area.right, y, stroke=HAIRLINE if tick else SECONDARY)
        card.text(area.left - 7, y + 4.3, tick_text(tick), fill=SECONDARY, size=SMALL_SIZE, anchor="end")
    for tick in _fitting(across, area.right - area.left):
        x, _ = area.at(tick, up[0])
        card.line(x, area.bottom, x, area.bottom + 4, stroke=SECONDARY)
        card.text(x, area.bottom + 18, tick_text(tick), fill=SECONDARY, size=SMALL_SIZE, anchor="middle")
    words = shorten(below, area.right - area.left, SMALL_SIZE)
    middle = (area.left + area.right) / 2
    card.text(middle, area.bottom + 37, words, fill=role_color(below), size=SMALL_SIZE, anchor="middle")
    return area


def draw_legend(card: Card, area: Area, entries: list[Entry]) -> float:
    """Write what each line is, as many in a row as fit, and return where the legend ends."""
    x, y = float(PAD), area.foot + LINE
    for entry in entries:
        words = shorten(entry.words, card.width - 2 * PAD - _SAMPLE - 8 - entry.room, SMALL_SIZE)
        width = _SAMPLE + 8 + text_width(words, SMALL_SIZE) + entry.room
        if x > PAD and x + width > card.width - PAD:
            x, y = float(PAD), y + LINE
        draw_line(card, [(x, y - 4.5), (x + _SAMPLE, y - 4.5)], entry.color, entry.dash)
        card.text(x + _SAMPLE + 8, y, ": ".join(filter(None, (words, entry.number))), fill=entry.color, size=SMALL_SIZE)
        x += width + 20
    return y


def draw_line(card: Card, points: list[tuple[float, float]], color: str, dash: str = "") -> None:
    """Draw a line of a chart, with dashes where `dash` says how long."""
    dashes = {"stroke_dasharray": dash} if dash else {}
    card.polyline(points, stroke=color, stroke_width=2.5, stroke_linejoin="round", **dashes)


def _fitting(across: tuple[float, float], length: float) -> list[float]:
    """Return the ticks of a horizontal axis, fewer where their numbers would touch."""
    for coarser in (1, 2, 4, 8):
        places = ticks_between(*across, coarser=coarser)
        room = max((text_width(tick_text(t), SMALL_SIZE) for t in places), default=0) + 8
        if len(places) < 2 or room <= (places[1] - places[0]) / (across[1] - across[0]) * length:
            break
    return places
