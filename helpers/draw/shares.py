"""How many are right: one bar an exercise, split into those who are right, not yet, and so on."""

from collections.abc import Sequence
from typing import Final

from numpy.typing import ArrayLike

from helpers.draw.inputs import numbers, tokens
from helpers.draw.standing import FILLS, OUTLINE, STANDINGS, draw_legend
from helpers.draw.svg import LABEL_SIZE, PAD, SMALL_SIZE, Card
from helpers.draw.text import shorten, text_width

WIDTH: Final = 350
PITCH: Final = 42  # from one bar to the next
THICKNESS: Final = 14
GAP: Final = 1  # between two parts of a bar

_PERCENT: Final = "100 %"


def shares(
    counts: ArrayLike,
    *,
    title: str,
    description: str,
    labels: Sequence[str],
    legend: bool = True,
    width: int = WIDTH,
) -> str:
    """Return a picture of how many stand where as an SVG string: a bar for each exercise, and the share of right ones.

    All bars are equally long. No size depends on the counts.

    Parameters
    ----------
    counts : array, shape (M, 4)
        For each exercise how many are right, not yet, error, to do, in this order; whole numbers.
    title : str
        What is seen, as a sentence part.
    description : str
        The same for those who do not see the picture.
    labels : sequence of str, length M
        One label a bar; any text.
    legend : bool
        Whether the parts are named below. One of several cards side by side is enough.
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
    array = numbers(counts, "values", ndim=2, advice="Pass one row of four counts for each exercise.")
    if array.shape[1] != len(STANDINGS) or (array < 0).any() or (array != array.round()).any():
        raise ValueError(
            f"got an array of shape {array.shape}; expected (M, {len(STANDINGS)}), whole numbers from 0 up. "
            f"Count who is {', '.join(STANDINGS)}."
        )
    rows = array.astype(int).tolist()
    names = tokens(labels, len(rows), name="labels", axis="bars")

    card = Card(width, title=title, description=description)
    track = card.width - 2 * PAD - 10 - text_width(_PERCENT, SMALL_SIZE, bold=True)
    for m, (name, row) in enumerate(zip(names, rows, strict=True)):
        top = card.top + m * PITCH
        card.text(PAD, top + 13, shorten(name, card.width - 2 * PAD, LABEL_SIZE))
        top += 19
        total = sum(row)
        card.rect(PAD - 0.5, top - 0.5, track + 1, THICKNESS + 1, rx=3, fill="none", stroke=OUTLINE)
        before = 0
        for standing, count in zip(STANDINGS, row, strict=True):
            length = track * count / (total or 1)
            before += count
            if length > GAP:
                x = PAD + track * (before - count) / total
                hover = f"{count} of {total}: {standing}"
                card.rect(x, top, length - (GAP if before < total else 0), THICKNESS, fill=FILLS[standing], hover=hover)
        card.text(card.width - PAD, top + 11.3, percent(row[0], total), size=SMALL_SIZE, anchor="end", weight=600)
    bottom = card.top + len(rows) * PITCH - 8
    if legend:
        bottom = draw_legend(card, PAD, bottom + 12, card.width - PAD, STANDINGS)
    return card.svg(bottom)


def percent(part: int, total: int) -> str:
    """Return a share as whole percents; one that is neither none nor all is never written as 0 or 100."""
    if not total:
        return ""
    share = (200 * part + total) // (2 * total)  # rounded half up, in whole numbers
    return f"{min(max(share, 1 if part else 0), 100 if part == total else 99)} %"
