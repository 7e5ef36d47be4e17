"""A whole class at once: one thin line a student, one column an exercise, no names."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from helpers.draw.inputs import tokens
from helpers.draw.palette import SECONDARY
from helpers.draw.scale import ticks_between
from helpers.draw.standing import FILLS, STANDINGS, Standing, checked, draw_legend
from helpers.draw.svg import PAD, SMALL_SIZE, Card, px
from helpers.draw.text import clean, shorten, text_width, tick_text

WIDTH: Final = 350
TALLEST: Final = 420  # the room for all lines together
THICKEST: Final = 8  # of one line
BETWEEN: Final = 5  # the free room between two notebooks


def mosaic(
    rows: Sequence[Sequence[str]],
    groups: Sequence[int],
    *,
    title: str,
    description: str,
    labels: Sequence[str],
    row_axis: str = "students",
    column_axis: str = "notebooks",
    width: int = WIDTH,
) -> str:
    """Return a picture of many students' exercises as an SVG string, in the order of the rows.

    Sorted by progress, the edge of each color is a curve: how many have come how far.

    Parameters
    ----------
    rows : sequence of sequences of {"right", "not yet", "error", "to do"}
        One row a student, one standing an exercise; all rows equally long.
    groups : sequence of int
        How many exercises each notebook has; together as many as a row is long.
    title : str
        What is seen, as a sentence part.
    description : str
        The same for those who do not see the picture.
    labels : sequence of str, as long as groups
        A short label for each notebook; any text.
    row_axis, column_axis : str
        What the rows and the groups are.
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
    standings = [checked(row) for row in rows]
    columns = sum(groups)
    if not standings or not columns or {len(row) for row in standings} != {columns}:
        raise ValueError(
            f"got {len(rows)} rows with {sorted({len(row) for row in rows})} entries, and groups of {list(groups)}; "
            f"expected at least one row, and {columns} entries in each. Give each exercise to one group."
        )
    names = tokens(labels, len(groups), name="labels", axis="groups")
    line = min(THICKEST, TALLEST / len(rows))
    marks = _marks(len(rows), line)
    left = PAD + max(text_width(tick_text(tick), SMALL_SIZE) for tick in [*marks, len(rows)]) + 8
    beside, above = clean(row_axis), clean(column_axis)

    card = Card(width, title=title, description=description)
    cell = (card.width - PAD - left - BETWEEN * (len(groups) - 1)) / columns
    top = card.top + 40
    bottom = top + line * len(rows)
    card.text(PAD, card.top + 12, shorten(beside, left - PAD + 60, SMALL_SIZE), fill=SECONDARY, size=SMALL_SIZE)
    card.text(card.width - PAD, card.top + 12, above, fill=SECONDARY, size=SMALL_SIZE, anchor="end")
    for tick in marks:
        y = top + tick * line
        card.line(left - 5, y, left - 1, y, stroke=SECONDARY)
        card.text(left - 8, y + 4.3, tick_text(tick), fill=SECONDARY, size=SMALL_SIZE, anchor="end")
    paths: dict[Standing, list[str]] = {standing: [] for standing in STANDINGS}
    x, column = left, 0
    for name, size in zip(names, groups, strict=True):
        middle = x + cell * size / 2
        words = shorten(name, cell * size, SMALL_SIZE)
        card.text(middle, top - 8, words, fill=SECONDARY, size=SMALL_SIZE, anchor="middle")
        for _ in range(size):
            for standing, start, count in _runs([row[column] for row in standings]):
                across, down = px(cell - 1), px(line * count)
                paths[standing].append(f"M{px(x)} {px(top + line * start)}h{across}v{down}h-{across}z")
            x, column = x + cell, column + 1
        x += BETWEEN
    for standing, parts in paths.items():
        if parts:
            card.path("".join(parts), fill=FILLS[standing])
    return card.svg(draw_legend(card, PAD, bottom + 14, card.width - PAD, STANDINGS))


def _marks(count: int, line: float) -> list[float]:
    """Return which lines are numbered: so many that their numbers do not touch."""
    for coarser in (1, 2, 4, 8):
        marks = [tick for tick in ticks_between(0, count, coarser=coarser) if tick > 0]
        if len(marks) < 2 or (marks[1] - marks[0]) * line >= SMALL_SIZE + 2:
            break
    return [tick for tick in marks if tick == int(tick)]


def _runs(standings: Sequence[Standing]) -> list[tuple[Standing, int, int]]:
    """Return where each run of equal standings begins and how long it is."""
    runs, start = [], 0
    for standing, run in groupby(standings):
        count = len(list(run))
        runs.append((standing, start, count))
        start += count
    return runs
