"""A matrix as the book writes it: keys down, queries across, one color a number."""

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from numpy.typing import ArrayLike

from helpers.draw.inputs import LOWEST, Kind, chosen, numbers, tokens
from helpers.draw.palette import QUERY, SECONDARY, faded, readable, role_color, score_color, value_color, weight_color
from helpers.draw.rows import LONGEST_LABEL, TALLEST
from helpers.draw.scale import reach
from helpers.draw.svg import LABEL_SIZE, MAX_WIDTH, PAD, SMALL_SIZE, Card
from helpers.draw.text import (
    clean,
    difference_text,
    longest_numbers,
    score_text,
    shorten,
    text_width,
    value_text,
    weight_text,
    whole_text,
)

PITCH: Final = 44  # from one cell to the next
WIDEST_PITCH: Final = 72  # where words or numbers need it
MIN_NUMBERED: Final = 26  # numbers are dropped, not shrunk, in smaller cells
LINE: Final = 15  # the least distance between two lines of text
STRIP_CELL: Final = 14  # of the strip that says what the colors mean

LONGEST_COLUMN_LABEL: Final = 96


class _Style(NamedTuple):
    """How the numbers of one kind are drawn, and what runs down and across unless the caller says otherwise."""

    color: Callable[[float, float], str]
    write: Callable[[float], str]
    sums: bool
    row_axis: str
    column_axis: str


_STYLES: Final[dict[Kind, _Style]] = {
    "weights": _Style(lambda w, _limit: weight_color(w), weight_text, True, "keys m", "queries n"),
    "differences": _Style(score_color, difference_text, True, "keys m", "queries n"),
    "scores": _Style(score_color, score_text, False, "keys m", "queries n"),
    "values": _Style(value_color, value_text, False, "dimensions", "tokens n"),
}


class _Grid(NamedTuple):
    """Where the cells are; a pitch is from one cell to the next."""

    left: float
    top: float
    n_rows: int
    n_columns: int
    pitch_x: int
    pitch_y: int
    gap: int

    @property
    def right(self) -> float:
        return self.left + self.n_columns * self.pitch_x

    @property
    def bottom(self) -> float:
        return self.top + self.n_rows * self.pitch_y

    def middle(self, m: int, n: int) -> tuple[float, float]:
        """Return the middle of the cell in row m, column n."""
        return self.left + (n + 0.5) * self.pitch_x, self.top + (m + 0.5) * self.pitch_y


class _Band(NamedTuple):
    """A row of words over or under the columns: level where all of them fit, else turned to read upward."""

    words: list[str]
    turned: bool
    height: int

    @classmethod
    def fit(cls, words: list[str], pitch: int) -> "_Band":
        """Return the band of these words over columns of this pitch."""
        # As if all were bold: so that a selection, which is written bold, moves nothing.
        widest = _widest(words)
        if widest + 6 <= pitch:
            return cls(words, turned=False, height=28 if words else 0)
        short = [shorten(word, LONGEST_COLUMN_LABEL, LABEL_SIZE, bold=True) for word in words]
        return cls(short, turned=True, height=math.ceil(_widest(short)) + 16)


def heat_map(
    values: ArrayLike,
    *,
    title: str,
    description: str,
    rows: Sequence[str],
    columns: Sequence[str],
    kind: Kind = "weights",
    selected: int | None = None,
    sums: bool | None = None,
    row_axis: str | None = None,
    column_axis: str | None = None,
    limit: float | None = None,
    full: float | None = None,
    pitch: int | None = None,
    row_pitch: int | None = None,
    fades: bool = True,
) -> str:
    """Return a picture of a matrix as an SVG string: one cell a number, one column a query.

    Selecting a column changes no size, so a picture redrawn with another selection does not jump; with a `limit`
    other numbers change none either. Where the cells are too small for numbers, a strip says what the colors mean,
    and a pointer resting on a cell reads its number, unless there is no gap to tell it from the next.

    Parameters
    ----------
    values : array, shape (M, N)
        The matrix; for attention, M keys down and N queries across.
    title : str
        What is seen, as a sentence part.
    description : str
        The same for those who do not see the picture.
    rows : sequence of str, length M
        One label a row; any text.
    columns : sequence of str, length N
        One label a column; any text.
    kind : {"weights", "differences", "scores", "values"}
        Weights lie between 0 and 1, differences of two weights between -1 and 1; scores are signed; values are the
        plain numbers of X, Q, K or V, without decimals where all of them are whole.
    selected : int, optional
        The column to emphasize, counted from 0.
    sums : bool, optional
        Whether the column sums stand under the map; by default they do under weights and their differences.
    row_axis, column_axis : str, optional
        What runs down and across: by default "keys m" and "queries n", for values "dimensions" and "tokens n".
        Words that begin with a role have its color.
    limit : float, optional
        The magnitude that gets the full color in scores and values, for maps that share a scale and a size; by
        default the largest one.
    full : float, optional
        The magnitude that gets the full color already, where few numbers come near the limit.
    pitch : int, optional
        From one column to the next, in px; by default what is written needs.
    row_pitch : int, optional
        The same from one row to the next; by default no more than that of the columns.
    fades : bool
        Whether the other columns fade when one is selected; else it is outlined only.

    Returns
    -------
    str
        The SVG.

    Raises
    ------
    ValueError
        For what cannot be drawn; the message says what to do.
    """
    matrix = numbers(values, kind, ndim=2, advice="For one column use bars, or pass values[:, None].")
    n_rows, n_columns = matrix.shape
    row_labels = tokens(rows, n_rows, name="rows", axis="rows")
    column_labels = tokens(columns, n_columns, name="columns", axis="columns")
    chosen_n = chosen(selected, n_columns, axis="columns")

    # What is written.
    style = _STYLES[kind]
    down = clean(style.row_axis if row_axis is None else row_axis)
    across = clean(style.column_axis if column_axis is None else column_axis)
    share = kind in LOWEST
    end = 1.0 if share else reach(matrix.ravel().tolist(), limit)
    darkest = end if full is None else reach([0.0], full, name="full")
    cells: list[list[float]] = matrix.tolist()
    whole = kind == "values" and all(v.is_integer() for row in cells for v in row)
    write = whole_text if whole else style.write
    written = [[write(v) for v in row] for row in cells]
    totals: list[str] = []
    if style.sums if sums is None else sums:
        totals = [value_text(round(sum(column), 9)) for column in zip(*cells, strict=True)]

    # Where it stands. None of this may depend on `selected`.
    short_rows = [shorten(label, LONGEST_LABEL, LABEL_SIZE) for label in row_labels]
    left = PAD + 22 + math.ceil(max(text_width(label, LABEL_SIZE) for label in [*short_rows, "sum"])) + 10
    longest = [number for row in written for number in row]
    if limit is not None or share:
        longest = longest_numbers(style.write, end)  # so that pictures that share a scale share their size
    number_width = max(text_width(number, SMALL_SIZE) for number in longest)
    pitch_x = pitch or _pitch(n_columns, MAX_WIDTH - PAD - left, number_width + 9, _widest(column_labels) + 8)
    pitch_y = row_pitch or min(PITCH, pitch_x, max(1, TALLEST // n_rows))
    gap = 3 if pitch_y >= LINE else 1 if pitch_y > 4 else 0
    numbered = pitch_y - gap >= MIN_NUMBERED and number_width <= pitch_x - gap - 2
    start = 0.0 if kind == "weights" else -end
    strip = [] if numbered else [write(start) or "0", write(end)]
    head, foot = _Band.fit(column_labels, pitch_x), _Band.fit(totals, pitch_x)

    wide = max(n_columns * pitch_x, text_width(across, SMALL_SIZE), _strip_width(strip))
    card = Card(left + wide + PAD, title=title, description=description)
    top = card.top + (22 if across else 4)
    grid = _Grid(left, top + head.height, n_rows, n_columns, pitch_x, pitch_y, gap)
    bottom = grid.bottom + foot.height + (0 if foot.words else 3)

    # The drawing, from the words at the edges to the outline on top.
    _draw_axes(card, grid, down, across)
    _draw_band(card, grid, head, grid.top, role_color(across), chosen_n)
    for m in range(0, n_rows, _every(pitch_y)):
        _, y = grid.middle(m, 0)
        card.text(left - 9, y + 4.5, short_rows[m], fill=role_color(down), anchor="end")
    for m, row in enumerate(cells):
        for n, v in enumerate(row):
            fill, ink = readable(style.color(v, darkest))
            if fades and chosen_n not in (None, n):
                fill, ink = readable(faded(fill), quiet=True)
            note = "" if numbered or not gap else f"{row_labels[m]}, {column_labels[n]}: {written[m][n] or '0'}"
            _draw_cell(card, grid, m, n, fill, note)
            if numbered:
                x, y = grid.middle(m, n)
                card.text(x, y + 4.3, written[m][n], fill=ink, size=SMALL_SIZE, anchor="middle")
    if foot.words:
        card.text(left - 9, grid.bottom + 19, "sum", fill=SECONDARY, size=SMALL_SIZE, anchor="end")
        _draw_band(card, grid, foot, bottom, SECONDARY, chosen_n, size=SMALL_SIZE)
    if chosen_n is not None:
        # Around label and sum, too, unless the column is narrower than a line of text.
        upper, lower = (top, bottom) if pitch_x > LINE + 2 else (grid.top - 1, grid.bottom + 1)
        x, rx = grid.left + chosen_n * pitch_x - 1, min(8, pitch_x / 4)
        card.rect(x, upper, pitch_x + 2, lower - upper, rx=rx, fill="none", stroke=QUERY, stroke_width=2)
    if strip:
        bottom += 14 + STRIP_CELL
        colors = [style.color(start + (end - start) * i / 10, darkest) for i in range(11)]
        _draw_strip(card, left, bottom, strip, colors)
    return card.svg(bottom)


def _pitch(count: int, room: int, number: float, label: float) -> int:
    """Return the widest of the pitches that leave numbers and labels level, numbers only, or neither, that fits."""
    wishes = (max(PITCH, number, label), max(PITCH, number), PITCH)
    fitting = (math.ceil(wish) for wish in wishes if wish <= WIDEST_PITCH and math.ceil(wish) * count <= room)
    return next(fitting, max(1, room // count))


def _every(pitch: int) -> int:
    """Return how many rows or columns share one label where there is no room for all."""
    return math.ceil(LINE / pitch)


def _widest(words: list[str]) -> float:
    return max((text_width(word, LABEL_SIZE, bold=True) for word in words), default=0)


def _draw_axes(card: Card, grid: _Grid, down: str, across: str) -> None:
    x, y = (grid.left + grid.right) / 2, (grid.top + grid.bottom) / 2
    narrow = text_width(across, SMALL_SIZE) > grid.right - grid.left
    card.text(
        grid.left if narrow else x,
        card.top + 14,
        across,
        fill=role_color(across),
        size=SMALL_SIZE,
        anchor="start" if narrow else "middle",
    )
    words = shorten(down, max(grid.bottom - grid.top, 80), SMALL_SIZE)
    card.text(PAD + 10, y, words, fill=role_color(down), size=SMALL_SIZE, anchor="middle", turned=True)


def _draw_band(
    card: Card, grid: _Grid, band: _Band, bottom: float, fill: str, chosen_n: int | None, *, size: int = LABEL_SIZE
) -> None:
    every = _every(grid.pitch_x) if band.turned else 1
    # Counted from the selected column, so that its label is never among those left out.
    for n in range((chosen_n or 0) % every, len(band.words), every):
        x, _ = grid.middle(0, n)
        weight = 700 if n == chosen_n else 400
        if band.turned:
            card.text(x + 4.5, bottom - 8, band.words[n], fill=fill, size=size, weight=weight, turned=True)
        else:
            card.text(x, bottom - 9, band.words[n], fill=fill, size=size, anchor="middle", weight=weight)


def _draw_cell(card: Card, grid: _Grid, m: int, n: int, fill: str, hover: str) -> None:
    x, y = grid.middle(m, n)
    width, height = grid.pitch_x - grid.gap, grid.pitch_y - grid.gap
    radius = min(5, width / 5, height / 5)
    card.rect(x - width / 2, y - height / 2, width, height, rx=radius, fill=fill, hover=hover)


def _strip_width(ends: list[str]) -> float:
    return 11 * STRIP_CELL + sum(text_width(end, SMALL_SIZE) + 6 for end in ends) if ends else 0


def _draw_strip(card: Card, left: float, bottom: float, ends: list[str], colors: list[str]) -> None:
    """Draw what the colors mean, between the numbers at both ends."""
    x = left + text_width(ends[0], SMALL_SIZE) + 6
    card.text(x - 6, bottom - 3, ends[0], fill=SECONDARY, size=SMALL_SIZE, anchor="end")
    for color in colors:
        card.rect(x, bottom - STRIP_CELL, STRIP_CELL, STRIP_CELL, fill=readable(color)[0])
        x += STRIP_CELL
    card.text(x + 6, bottom - 3, ends[1], fill=SECONDARY, size=SMALL_SIZE)
