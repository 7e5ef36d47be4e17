"""Steps in a row of boxes: what is done, where we are, what is to come and what is left out."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, SupportsIndex

from helpers.draw.inputs import chosen, tokens
from helpers.draw.palette import CARD, HAIRLINE, INK, QUERY, SECONDARY, blend
from helpers.draw.svg import LABEL_SIZE, MAX_WIDTH, PAD, SMALL_SIZE, Card
from helpers.draw.text import shorten, text_width, wrap

BOX_HEIGHT: Final = 38
MIN_BOX: Final = 46
GAP: Final = 26  # between two boxes, for the arrow
LINE: Final = 16  # of the notes
TURN: Final = 22  # between two lines of boxes, for the way back to the left
LONGEST_LABEL: Final = 140
LEFT_OUT: Final = "left out"

_DONE: Final = blend(HAIRLINE, CARD, 0.4)
_AHEAD: Final = blend(SECONDARY, CARD, 0.5)


class _Box(NamedTuple):
    """One step: what is written, and the width of its box."""

    label: str
    width: int
    note: list[str]


def pipeline(
    steps: Sequence[str],
    *,
    title: str,
    description: str,
    current: SupportsIndex | None,
    notes: Sequence[str] = (),
    skipped: Iterable[SupportsIndex] = (),
) -> str:
    """Return a picture of steps in their order as an SVG string: a row of boxes with arrows.

    The current step is outlined in the query color and bold, those before it are filled, those after it are pale.
    What is skipped is dashed, and its note says "left out". No size depends on what is current or skipped.

    Parameters
    ----------
    steps : sequence of str
        One label a step; any text.
    title : str
        What is seen, as a sentence part.
    description : str
        The same for those who do not see the picture.
    current : int or None
        The step that is shown, counted from 0; None where all are done.
    notes : sequence of str, as long as steps, optional
        A few words under each box; an empty one leaves its place free.
    skipped : iterable of int, optional
        The steps that are left out, counted from 0.

    Returns
    -------
    str
        The SVG.

    Raises
    ------
    ValueError
        For what cannot be drawn; the message says what to do.
    """
    count = len(steps.split() if isinstance(steps, str) else steps)
    if count == 0:
        raise ValueError("steps is empty; expected at least one. Pass the names of the steps in their order.")
    names = tokens(steps, count, name="steps", axis="steps")
    under = tokens(notes, count, name="notes", axis="steps") if notes else [""] * count
    here = chosen(current, count, axis="steps", name="current")
    left_out = {chosen(step, count, axis="steps", name="skipped") for step in skipped}

    boxes = [_box(name, note) for name, note in zip(names, under, strict=True)]
    lines = _lines(boxes)
    note_height = LINE * max(1, *(len(box.note) for box in boxes)) + 6
    card = Card(2 * PAD + _width(lines), title=title, description=description)
    y, step = card.top + 6, 0
    for k, line in enumerate(lines):
        x = float(PAD)
        if k:
            x += GAP
            _draw_arrow(card, x, y + BOX_HEIGHT / 2)
        for i, box in enumerate(line):
            if i:
                x += GAP
                _draw_arrow(card, x, y + BOX_HEIGHT / 2)
            _draw_box(card, box, x, y, ahead=here is not None and step > here, out=step in left_out, here=step == here)
            x, step = x + box.width, step + 1
        below = y + BOX_HEIGHT + note_height
        if k + 1 < len(lines):
            _draw_turn(card, x, y + BOX_HEIGHT / 2, below + TURN / 2, below + TURN + BOX_HEIGHT / 2)
            y = below + TURN
    return card.svg(below - 6)


def _box(name: str, note: str) -> _Box:
    # As if it were bold, so that the current step moves nothing.
    label = shorten(name, LONGEST_LABEL, LABEL_SIZE, bold=True)
    width = max(MIN_BOX, math.ceil(text_width(label, LABEL_SIZE, bold=True)) + 16)
    return _Box(label, width, wrap(note, width + GAP - 8, SMALL_SIZE))


def _lines(boxes: list[_Box]) -> list[list[_Box]]:
    """Return the boxes in as few lines as the widest card holds, about as many in each."""
    shares = (math.ceil(len(boxes) / n_lines) for n_lines in range(1, len(boxes) + 1))
    splits = ([boxes[i : i + share] for i in range(0, len(boxes), share)] for share in shares)
    return next(lines for lines in splits if _width(lines) <= MAX_WIDTH - 2 * PAD)


def _width(lines: list[list[_Box]]) -> int:
    """Return the width of the longest line; each but the first begins with an arrow."""
    return max(sum(box.width + GAP for box in line) - (0 if k else GAP) for k, line in enumerate(lines))


def _draw_box(card: Card, box: _Box, x: float, y: float, *, ahead: bool, out: bool, here: bool) -> None:
    quiet = ahead or out
    card.rect(
        x,
        y,
        box.width,
        BOX_HEIGHT,
        rx=8,
        fill=CARD if quiet or here else _DONE,
        stroke=QUERY if here else _AHEAD if ahead and not out else SECONDARY,
        stroke_width=2.5 if here else 1,
        stroke_dasharray="5 4" if out else "none",
    )
    middle, ink = x + box.width / 2, SECONDARY if quiet and not here else INK
    weight = 700 if here else 400
    card.text(middle, y + BOX_HEIGHT / 2 + 4.6, box.label, fill=ink, anchor="middle", weight=weight)
    for i, words in enumerate([LEFT_OUT] if out else box.note):
        below = y + BOX_HEIGHT + LINE * (i + 1)
        card.text(middle, below, words, fill=SECONDARY, size=SMALL_SIZE, anchor="middle")


def _draw_arrow(card: Card, x: float, y: float) -> None:
    """Draw an arrow over the gap at the left of a box that begins at x."""
    card.line(x - GAP + 4, y, x - 9, y, stroke=SECONDARY, stroke_width=1.5)
    card.polygon([(x - 3, y), (x - 10, y - 4), (x - 10, y + 4)], fill=SECONDARY)


def _draw_turn(card: Card, x: float, y: float, between: float, below: float) -> None:
    """Draw the way from the end of a line of boxes to the start of the next."""
    way = [(x + 4, y), (x + 10, y), (x + 10, between), (PAD + 4, between), (PAD + 4, below)]
    for (x1, y1), (x2, y2) in pairwise(way):
        card.line(x1, y1, x2, y2, stroke=SECONDARY, stroke_width=1.5, stroke_linecap="round")
