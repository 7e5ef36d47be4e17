"""A mixture of values of two numbers each: dots as large as their shares, and where the mixture lies among them."""

import math
from collections.abc import Sequence
from typing import Final

from numpy.typing import ArrayLike

from helpers.draw.axes import axis_room, draw_axes
from helpers.draw.inputs import numbers, tokens
from helpers.draw.palette import CARD, INK, VALUE, blend
from helpers.draw.scale import reach
from helpers.draw.svg import LABEL_SIZE, PAD, Card
from helpers.draw.text import shorten, text_width

SIDE: Final = 260
SMALLEST, LARGEST = 3.0, 13.0  # the radius of a dot with a share of nothing, and of one that has it all
RING: Final = 6  # the radius of the mixture's ring
LONGEST_LABEL: Final = 60

Point = tuple[float, float]


def mixture(
    values: ArrayLike,
    weights: ArrayLike,
    *,
    title: str,
    description: str,
    labels: Sequence[str],
    limit: float | None = None,
    side: int = SIDE,
) -> str:
    """Return a picture of values as dots and of their mixture as a ring, as an SVG string.

    The area of a dot grows with its weight. What mixtures can reach, the convex hull of the values, is shaded.

    Parameters
    ----------
    values : array, shape (2, N)
        One value per column.
    weights : array, shape (N,)
        The share of each value.
    title : str
        What is seen, as a sentence part.
    description : str
        The same for those who do not see the picture.
    labels : sequence of str, length N
        One label a value; any text.
    limit : float, optional
        Where both axes end; by default a little beyond the largest number. A mixture outside is an error: weights
        that do not sum to one can lead there.
    side : int
        The side of the square, in px.

    Returns
    -------
    str
        The SVG.

    Raises
    ------
    ValueError
        For what cannot be drawn; the message says what to do.
    """
    advice = "Pass values of shape (2, N), one value a column."
    rows: list[list[float]] = numbers(values, "values", ndim=2, advice=advice).tolist()
    if len(rows) != 2:
        raise ValueError(f"got values of {len(rows)} numbers each; expected 2, a place on the plane. {advice}")
    columns: list[Point] = list(zip(*rows, strict=True))
    shares: list[float] = numbers(weights, "weights", ndim=1, advice="Pass one weight a value.").tolist()
    if len(shares) != len(columns):
        raise ValueError(f"got {len(shares)} weights for {len(columns)} values; expected one for each.")
    names = [
        shorten(name, LONGEST_LABEL, LABEL_SIZE) for name in tokens(labels, len(columns), name="labels", axis="values")
    ]
    mixed = (
        sum(share * x for share, (x, _) in zip(shares, columns, strict=True)),
        sum(share * y for share, (_, y) in zip(shares, columns, strict=True)),
    )
    end = reach([number for point in [*columns, mixed] for number in point], limit)
    if limit is None:
        end *= 1.25

    left = PAD + axis_room(end)
    card = Card(left + side + PAD, title=title, description=description)
    top = card.top + 4

    def place(point: Point) -> Point:
        return left + side / 2 * (1 + point[0] / end), top + side / 2 * (1 - point[1] / end)

    draw_axes(card, left, top, side, end)
    card.polygon([place(corner) for corner in _hull(columns)], fill=blend(VALUE, CARD, 0.82), fill_opacity=0.6)
    for point, share, name in zip(columns, shares, names, strict=True):
        x, y = place(point)
        card.circle(x, y, math.sqrt(SMALLEST**2 + share * (LARGEST**2 - SMALLEST**2)), fill=VALUE)
        half = text_width(name, LABEL_SIZE) / 2
        # Off the middle, so that the hull stays free, and clear of the largest dot.
        card.text(
            min(max(x, left + half + 2), left + side - half - 2),
            y - LARGEST - 4 if point[1] >= 0 else y + LARGEST + 13,
            name,
            fill=VALUE,
            anchor="middle",
            halo=True,
        )
    x, y = place(mixed)
    card.circle(x, y, RING, fill=CARD, stroke=INK, stroke_width=3)
    bottom = top + side + 24
    for words, fill in (("values: the larger, the more of it", VALUE), ("output: the ring", INK)):
        bottom += 20
        card.text(left, bottom, words, fill=fill)
    return card.svg(bottom)


def _hull(points: list[Point]) -> list[Point]:
    """Return the corners of the convex hull, counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    halves = []
    for direction in (ordered, ordered[::-1]):
        chain: list[Point] = []
        for point in direction:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        halves += chain[:-1]
    return halves


def _turn(a: Point, b: Point, c: Point) -> float:
    """Return twice the area of the triangle: positive where the way from a over b to c turns left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
