"""How exercises stand, in a picture: four looks that differ without their colors, and the legend that names them."""

from collections.abc import Iterable
from typing import Final, Literal, get_args

from helpers.draw.palette import BLACK, CARD, ERROR, HAIRLINE, RIGHT, SECONDARY, blend
from helpers.draw.svg import SMALL_SIZE, Card
from helpers.draw.text import text_width

Standing = Literal["right", "not yet", "error", "to do"]
STANDINGS: Final[tuple[Standing, ...]] = get_args(Standing)

# No two are equally light: a print without colors, or an eye that sees no red, tells them apart.
FILLS: Final[dict[Standing, str]] = {
    "right": RIGHT,
    "not yet": "#f3b45a",  # NOT_YET, as light as the ink of a dot on it wants
    "error": blend(ERROR, BLACK, 0.4),
    "to do": blend(HAIRLINE, CARD, 0.55),
}
OUTLINE: Final = blend(SECONDARY, CARD, 0.3)  # of what is to do: its fill is hardly seen on the card

_SWATCH: Final = 14
_LINE: Final = 20


def checked(standings: Iterable[str]) -> list[Standing]:
    """Return the standings, after checking that each is one.

    Raises
    ------
    ValueError
        If one is none.
    """
    found: list[Standing] = []
    for one in standings:
        if one not in STANDINGS:
            raise ValueError(f"got the standing {one!r}; expected one of {', '.join(map(repr, STANDINGS))}.")
        found.append(one)
    return found


def draw_tile(card: Card, x: float, y: float, side: float, standing: Standing, *, hover: str = "") -> None:
    """Draw a square with its mark: a check, a dot, a cross, or nothing in an outline."""
    if standing == "to do":
        card.rect(x + 0.5, y + 0.5, side - 1, side - 1, rx=4, fill=CARD, stroke=OUTLINE, hover=hover)
        return
    card.rect(x, y, side, side, rx=4, fill=FILLS[standing], hover=hover)
    middle_x, middle_y, arm = x + side / 2, y + side / 2, side / 5
    if standing == "not yet":
        card.circle(middle_x, middle_y, side / 7, fill=BLACK)
        return
    strokes = [[(-1.2, 0.1), (-0.3, 1.0), (1.3, -0.9)]]
    if standing == "error":
        strokes = [[(-1, -1), (1, 1)], [(-1, 1), (1, -1)]]
    for stroke in strokes:
        points = [(middle_x + arm * right, middle_y + arm * down) for right, down in stroke]
        card.polyline(points, stroke=CARD, stroke_width=2, stroke_linecap="round", stroke_linejoin="round")


def draw_legend(card: Card, x: float, y: float, right: float, standings: Iterable[Standing]) -> float:
    """Draw a tile and its word for each standing, in lines from x to `right`, and return where they end."""
    left = x
    for standing in standings:
        width = _SWATCH + 6 + text_width(standing, SMALL_SIZE)
        if x > left and x + width > right:
            x, y = left, y + _LINE
        draw_tile(card, x, y, _SWATCH, standing)
        card.text(x + _SWATCH + 6, y + 11.3, standing, fill=SECONDARY, size=SMALL_SIZE)
        x += width + 14
    return y + _SWATCH
