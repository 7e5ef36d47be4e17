"""Sums as waterfalls: where one part ends the next begins, and the last one ends on the sum."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from helpers.draw.inputs import numbers, tokens
from helpers.draw.palette import HAIRLINE, INK, SECONDARY, WEIGHTS, role_color
from helpers.draw.rows import MIN_PITCH, TALLEST, label_room, row_names
from helpers.draw.scale import reach, ticks
from helpers.draw.svg import PAD, SMALL_SIZE, Card
from helpers.draw.text import clean, score_text, shorten, text_width, tick_text

TRACK: Final = 220  # the length of the whole value axis
LANE: Final = 11  # from one part of a row to the next
MIN_LANE: Final = 7  # still hollow
BETWEEN: Final = 10  # the free room between two rows
LONGEST_PART_LABEL: Final = 150

# Fill and outline of each part. Filled and hollow differ without color, and so do their lanes.
_LOOKS: Final = ((WEIGHTS[3], WEIGHTS[3]), (WEIGHTS[0], WEIGHTS[3]), (SECONDARY, SECONDARY), (HAIRLINE, SECONDARY))
_SUM: Final = "sum"
_WIDEST_NUMBER: Final = "\N{MINUS SIGN}1.8e308"
_LEGEND_LINE: Final = 20


def waterfall(
    parts: ArrayLike,
    *,
    title: str,
    description: str,
    labels: Sequence[str],
    part_labels: Sequence[str],
    label_axis: str = "rows",
    limit: float | None = None,
) -> str:
    """Return a picture of sums as an SVG string: in each row the first part as a bar from 0, the next from its end.

    Each part has a lane of its own, so that one that takes back hides nothing. A mark and a number show the sum. No
    size depends on the numbers, so a picture redrawn with other parts does not jump.

    Parameters
    ----------
    parts : array, shape (P, M)
        One row a part, at most four; each column is one sum.
    title : str
        What is seen, as a sentence part.
    description : str
        The same for those who do not see the picture.
    labels : sequence of str, length M
        One label a sum; any text.
    part_labels : sequence of str, length P
        One label a part, for the legend.
    label_axis : str
        What the sums stand for; words that begin with a role have its color.
    limit : float, optional
        Where the value axis ends, for pictures that share it; by default the largest magnitude on the way to a sum.

    Returns
    -------
    str
        The SVG.

    Raises
    ------
    ValueError
        For what cannot be drawn; the message says what to do.
    """
    added = numbers(parts, "values", ndim=2, advice="Pass one row a part, np.stack([first, second]).")
    n_parts, n_sums = added.shape
    if n_parts > len(_LOOKS):
        raise ValueError(f"got {n_parts} parts; expected at most {len(_LOOKS)}. Add some of them up first.")
    names = row_names(labels, n_sums, axis="sums")
    legend = [
        shorten(name, LONGEST_PART_LABEL, SMALL_SIZE)
        for name in tokens(part_labels, n_parts, name="part_labels", axis="parts")
    ]
    with np.errstate(over="ignore"):  # the check of the ends names an overflow
        ends = numbers(np.cumsum(added, axis=0), "values", ndim=2, advice="")
    end = reach(ends.ravel().tolist(), limit)
    stops: list[list[float]] = [[0.0, *column] for column in ends.T.tolist()]

    beside = clean(label_axis)
    left = PAD + label_room(names, beside) + 12
    zero, scale = left + TRACK / 2, TRACK / 2 / end
    right = left + TRACK + 12 + text_width(_WIDEST_NUMBER, SMALL_SIZE)
    pitch = min(n_parts * LANE + BETWEEN, max(n_parts * MIN_LANE + BETWEEN, MIN_PITCH, TALLEST // n_sums))
    lane = (pitch - BETWEEN) / n_parts

    card = Card(right + PAD, title=title, description=description)
    above = _draw_legend(card, legend, right)
    top = above + 24
    bottom = top + n_sums * pitch
    card.text(left - 12, above + 14, beside, fill=role_color(beside), size=SMALL_SIZE, anchor="end")
    card.text(right, above + 14, _SUM, fill=SECONDARY, size=SMALL_SIZE, anchor="end")
    marks = ticks(end)
    for i, tick in enumerate(marks):
        x = zero + tick * scale
        card.line(x, top, x, bottom, stroke=HAIRLINE)
        if i in (0, len(marks) // 2, len(marks) - 1):
            card.text(x, bottom + 16, tick_text(tick), fill=SECONDARY, size=SMALL_SIZE, anchor="middle")
    card.line(zero, top, zero, bottom, stroke=SECONDARY)
    for m, row in enumerate(stops):
        middle = top + (m + 0.5) * pitch
        upper = middle - lane * n_parts / 2
        card.text(left - 12, middle + 4.5, names[m], fill=role_color(beside), anchor="end")
        for p, (start, stop) in enumerate(pairwise(row)):
            y = upper + p * lane
            if p:  # down from the end of the part above
                x = zero + start * scale
                card.line(x, y - lane + 1, x, y + lane - 1, stroke=SECONDARY)
            _draw_part(card, zero + start * scale, zero + stop * scale, y + 1, lane - 2, p)
        _draw_sum(card, zero + row[-1] * scale, middle, pitch - 9)
        card.text(right, middle + 4.3, score_text(row[-1]), size=SMALL_SIZE, anchor="end")
    return card.svg(bottom + 18)


def _draw_part(card: Card, start: float, stop: float, y: float, height: float, part: int) -> None:
    """Draw one part as a bar; its outline lies inside, so that it is as long as its number."""
    fill, outline = _LOOKS[part]
    length = abs(stop - start)
    if length >= 0.1:
        card.rect(min(start, stop), y, length, height, fill=outline)
    if fill != outline and length > 3 and height > 3:
        card.rect(min(start, stop) + 1.5, y + 1.5, length - 3, height - 3, fill=fill)


def _draw_sum(card: Card, x: float, middle: float, height: float) -> None:
    card.line(x, middle - height / 2, x, middle + height / 2, stroke=INK, stroke_width=3, stroke_linecap="round")


def _draw_legend(card: Card, names: list[str], right: float) -> float:
    """Draw how the parts and the sum look, in lines that end at `right`, and return where they end."""
    x, y = float(PAD), card.top + _LEGEND_LINE / 2
    for part, name in enumerate([*names, _SUM]):
        width = 24 + text_width(name, SMALL_SIZE)
        if x > PAD and x + width > right:
            x, y = float(PAD), y + _LEGEND_LINE
        if part < len(names):
            _draw_part(card, x, x + 18, y - 4, 8, part)
        else:
            _draw_sum(card, x + 9, y, 14)
        card.text(x + 24, y + 4.3, name, fill=SECONDARY, size=SMALL_SIZE)
        x += width + 16
    return y + _LEGEND_LINE / 2
