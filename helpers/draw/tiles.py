"""Where somebody is in a course: one row a notebook, one tile an exercise."""

from collections.abc import Sequence
from typing import Final

from helpers.draw.inputs import tokens
from helpers.draw.standing import STANDINGS, checked, draw_legend, draw_tile
from helpers.draw.svg import PAD, SMALL_SIZE, Card
from helpers.draw.text import clean, shorten, text_width

SIDE: Final = 19
PITCH: Final = 22  # from one tile to the next
LINE: Final = 28  # from one row to the next
LONGEST_LABEL: Final = 200


def tiles(
    rows: Sequence[Sequence[str]],
    *,
    title: str,
    description: str,
    labels: Sequence[str],
    notes: Sequence[Sequence[str]] = (),
) -> str:
    """Return a picture of what is done as an SVG string: in each row one tile with a mark for each exercise.

    No size depends on how the exercises stand.

    Parameters
    ----------
    rows : sequence of sequences of {"right", "not yet", "error", "to do"}
        How each exercise stands, notebook by notebook.
    title : str
        What is seen, as a sentence part.
    description : str
        The same for those who do not see the picture.
    labels : sequence of str, as long as rows
        One label a row; any text.
    notes : sequence of sequences of str, shaped as rows, optional
        What a pointer resting on a tile reads.

    Returns
    -------
    str
        The SVG.

    Raises
    ------
    ValueError
        For what cannot be drawn; the message says what to do.
    """
    if not rows:
        raise ValueError("rows is empty; expected at least one. Pass one row of standings for each notebook.")
    standings = [checked(row) for row in rows]
    names = [shorten(name, LONGEST_LABEL, SMALL_SIZE) for name in tokens(labels, len(rows), name="labels", axis="rows")]
    hovers = [list(map(clean, row)) for row in notes] or [[""] * len(row) for row in standings]
    if list(map(len, hovers)) != list(map(len, standings)):
        raise ValueError("notes has another shape than rows; expected one for each tile. Leave it out, or give all.")
    left = PAD + max(text_width(name, SMALL_SIZE) for name in names) + 6

    card = Card(left + max(map(len, standings)) * PITCH + PAD, title=title, description=description)
    for k, (name, row, hover) in enumerate(zip(names, standings, hovers, strict=True)):
        y = card.top + 4 + k * LINE
        card.text(PAD, y + SIDE / 2 + 4.3, name, size=SMALL_SIZE)
        for i, (standing, words) in enumerate(zip(row, hover, strict=True)):
            draw_tile(card, left + i * PITCH, y, SIDE, standing, hover=words)
    bottom = card.top + 4 + len(rows) * LINE + 4
    return card.svg(draw_legend(card, PAD, bottom, card.width - PAD, STANDINGS))
