"""How numbers are spread: one bar a bin, and the curve that a formula predicts."""

from itertools import pairwise
from typing import Final

from numpy.typing import ArrayLike

from helpers.draw.chart import LINE, WIDTH, Entry, draw_area, draw_legend, draw_line
from helpers.draw.inputs import increasing, numbers
from helpers.draw.palette import CARD, QUERY, SECONDARY, WEIGHTS
from helpers.draw.scale import reach
from helpers.draw.svg import Card
from helpers.draw.text import clean

_BAR: Final = WEIGHTS[1]  # light, so that the curve is seen on it; the outline is seen on the card
_OUTLINE: Final = WEIGHTS[3]


def histogram(
    heights: ArrayLike,
    edges: ArrayLike,
    *,
    title: str,
    description: str,
    curve: ArrayLike | None = None,
    top: float | None = None,
    value_axis: str,
    curve_label: str = "",
    height_axis: str = "density",
    width: int = WIDTH,
) -> str:
    """Return a picture of how numbers are spread as an SVG string: one bar a bin, with a curve over them.

    With a `top` no size depends on the heights, and none on whether the curve is drawn: a `curve_label` keeps its
    place under the axis.

    Parameters
    ----------
    heights : array, shape (B,)
        The density in each bin: the share of the numbers in it, divided by its width. None is below 0.
    edges : array, shape (B + 1,)
        Where the bins begin and end, growing. The first and the last are the ends of the horizontal axis.
    title : str
        What is seen, as a sentence part.
    description : str
        The same for those who do not see the picture.
    curve : array, shape (P, 2), optional
        Points (x, density) of a line over the bars, between the edges.
    top : float, optional
        Where the vertical axis ends, for pictures that share it; by default the largest density.
    value_axis : str
        What the numbers are.
    curve_label : str
        What the curve is. A curve needs one.
    height_axis : str
        What the heights are, where they are multiples of the density.
    width : int
        The width of the card, in px; more where the title needs it.

    Returns
    -------
    str
        The SVG.

    Raises
    ------
    ValueError
        For what cannot be drawn; the message says what to do.
    """
    bins: list[float] = numbers(heights, "values", ndim=1, advice="Pass one density a bin.").tolist()
    ends = increasing(numbers(edges, "values", ndim=1, advice="Pass the B + 1 edges of B bins.").tolist(), name="edges")
    if len(ends) != len(bins) + 1:
        raise ValueError(
            f"got {len(bins)} heights and {len(ends)} edges; expected one edge more than heights. "
            "Take both from numpy.histogram(values, bins, density=True)."
        )
    label = clean(curve_label)
    points = [] if curve is None else _curve(curve, ends, label)
    densities = [*bins, *(y for _, y in points)]
    if min(densities) < 0:
        raise ValueError(f"got the density {min(densities):g}; expected none below 0. Shares of bins are not signed.")
    end = reach(densities, top, name="top")

    card = Card(width, title=title, description=description)
    area = draw_area(card, (ends[0], ends[-1]), (0.0, end), x_axis=value_axis, y_axis=height_axis)
    for height, (before, after) in zip(bins, pairwise(ends), strict=True):
        (left, y), (right, _) = area.at(before, height), area.at(after, height)
        if area.bottom - y >= 0.1:
            card.rect(left, y, right - left, area.bottom - y, fill=_BAR, stroke=_OUTLINE)
    card.line(area.left, area.bottom, area.right, area.bottom, stroke=SECONDARY)
    if points:
        places = [area.at(x, y) for x, y in points]
        card.polyline(places, stroke=CARD, stroke_width=5, stroke_linejoin="round")  # keeps the line off the bars
        draw_line(card, places, QUERY)
        draw_legend(card, area, [Entry(label, QUERY)])
    return card.svg(area.foot + (LINE if label else 0))


def _curve(curve: ArrayLike, ends: list[float], label: str) -> list[tuple[float, float]]:
    """Return the points of the curve, after checking that they lie between the edges and that words name it."""
    points = numbers(curve, "values", ndim=2, advice="Pass numpy.column_stack([x, density]).")
    if points.shape[1] != 2 or len(points) < 2:
        raise ValueError(
            f"curve has the shape {points.shape}; expected (P, 2), with two points or more. "
            "Pass numpy.column_stack([x, density])."
        )
    if not label:
        raise ValueError('got a curve without curve_label; expected words for it. Pass curve_label="what it is".')
    first, last = float(points[:, 0].min()), float(points[:, 0].max())
    if first < ends[0] or last > ends[-1]:
        raise ValueError(
            f"curve runs from {first:g} to {last:g}, but the edges from {ends[0]:g} to {ends[-1]:g}. "
            "Leave out the points outside, or add bins."
        )
    return [(x, y) for x, y in points.tolist()]
