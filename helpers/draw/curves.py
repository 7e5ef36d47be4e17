"""One or more lines over one axis, with a mark at the place that is talked about."""

from collections.abc import Sequence
from typing import Final, SupportsIndex

from numpy.typing import ArrayLike

from helpers.draw.chart import WIDTH, Entry, draw_area, draw_legend, draw_line
from helpers.draw.inputs import chosen, increasing, numbers, tokens
from helpers.draw.palette import CARD, INK, QUERY, SCORES, WEIGHTS
from helpers.draw.scale import reach
from helpers.draw.svg import PAD, SMALL_SIZE, Card
from helpers.draw.text import longest_numbers, text_width, tick_text, value_text

# Told apart by their dashes alone, too.
_STYLES: Final = ((WEIGHTS[3], ""), (INK, "9 5"), (SCORES[2], "2.5 4"), (SCORES[0], "12 4 2.5 4"))


def curves(
    x: ArrayLike,
    lines: ArrayLike,
    *,
    title: str,
    description: str,
    labels: Sequence[str],
    x_axis: str,
    y_axis: str,
    marked: SupportsIndex | None = None,
    limit: float | None = None,
) -> str:
    """Return a picture of lines over one axis as an SVG string; the legend under it says which is which.

    The vertical axis runs to both sides of zero. With a `limit` no size depends on the numbers.

    Parameters
    ----------
    x : array, shape (P,)
        Where the points are, growing; the first and the last are the ends of the horizontal axis.
    lines : array, shape (L, P)
        One line a row, at most four.
    title : str
        What is seen, as a sentence part.
    description : str
        The same for those who do not see the picture.
    labels : sequence of str, length L
        What each line is; any text.
    x_axis, y_axis : str
        What runs across and up; words that begin with a role have its color.
    marked : int, optional
        The point to mark, counted from 0: over it stands its place, and the legend gives each line's number there.
        Where the lines are one, the number stands over it, too.
    limit : float, optional
        Where the vertical axis ends, for pictures that share it; by default the largest magnitude.

    Returns
    -------
    str
        The SVG.

    Raises
    ------
    ValueError
        For what cannot be drawn; the message says what to do.
    """
    places = increasing(numbers(x, "values", ndim=1, advice="Pass one place a point.").tolist(), name="x")
    rows: list[list[float]] = numbers(lines, "values", ndim=2, advice="For a single line pass lines[None, :].").tolist()
    if len(rows[0]) != len(places) or len(rows) > len(_STYLES):
        raise ValueError(
            f"lines has the shape {(len(rows), len(rows[0]))}; expected at most {len(_STYLES)} rows of {len(places)} "
            "numbers, one for each in x. Transpose lines if its points run down, or draw fewer."
        )
    names = tokens(labels, len(rows), name="labels", axis="lines")
    chosen_p = chosen(marked, len(places), axis="points", name="marked")
    end = reach([v for row in rows for v in row], limit)

    card = Card(WIDTH, title=title, description=description)
    area = draw_area(card, (places[0], places[-1]), (-end, end), x_axis=x_axis, y_axis=y_axis, above=20)
    legend = [Entry(name, *style) for name, style in zip(names, _STYLES, strict=False)]
    if chosen_p is not None:
        written = [value_text(row[chosen_p]) for row in rows]
        room = max(text_width(f": {number}", SMALL_SIZE) for number in longest_numbers(value_text, end))
        legend = [entry._replace(number=number, room=room) for entry, number in zip(legend, written, strict=True)]
        place, _ = area.at(places[chosen_p], 0)
        words = f"{written[0] if len(rows) == 1 else ''} at {tick_text(places[chosen_p])}".strip()
        half = text_width(words, SMALL_SIZE, bold=True) / 2
        middle = min(max(place, PAD + half), card.width - PAD - half)
        card.text(middle, area.top - 8, words, fill=QUERY, size=SMALL_SIZE, anchor="middle", weight=700)
        card.line(place, area.top, place, area.bottom, stroke=QUERY, stroke_width=1.5)
    for row, (color, dash) in zip(rows, _STYLES, strict=False):
        draw_line(card, [area.at(*point) for point in zip(places, row, strict=True)], color, dash)
    if chosen_p is not None:
        for row in rows:
            cx, cy = area.at(places[chosen_p], row[chosen_p])
            card.circle(cx, cy, 4.5, fill=QUERY, stroke=CARD, stroke_width=1.5)
    return card.svg(draw_legend(card, area, legend))
