"""One column of numbers as bars: one bar a key, as long as its weight."""

from collections.abc import Callable, Sequence
from typing import Final

from numpy.typing import ArrayLike

from helpers.draw.inputs import LOWEST, Kind, chosen, numbers
from helpers.draw.palette import HAIRLINE, INK, SCORES, SECONDARY, WEIGHTS, faded, role_color
from helpers.draw.rows import PITCH, draw_bar, label_room, row_names, row_pitch
from helpers.draw.scale import reach, ticks
from helpers.draw.svg import PAD, SMALL_SIZE, Card
from helpers.draw.text import clean, longest_numbers, score_text, shorten, text_width, tick_text, value_text

TRACK: Final = 320  # the length of the whole value axis

_SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)  # the ticks under weights
_BAR: Final = WEIGHTS[3]
_NEGATIVE, _POSITIVE = SCORES[0], SCORES[2]

# Unlike a cell, a bar has room for every digit: a weight of nothing is written, too.
_WRITE: Final[dict[Kind, Callable[[float], str]]] = {
    "weights": value_text,
    "differences": score_text,
    "scores": score_text,
    "values": value_text,
}
_VALUE_AXES: Final[dict[Kind, str]] = {
    "weights": "attention weight",
    "differences": "difference of weights",
    "scores": "score",
    "values": "value",
}


def bars(
    values: ArrayLike,
    *,
    title: str,
    description: str,
    labels: Sequence[str],
    kind: Kind = "weights",
    selected: int | None = None,
    label_axis: str = "keys m",
    value_axis: str | None = None,
    limit: float | None = None,
    signed: bool | None = None,
    track: int = TRACK,
    pitch: int = PITCH,
) -> str:
    """Return a picture of one column of a matrix as an SVG string: one bar an entry, its number at its end.

    Weights run from 0 to 1, so that the length of a bar is the share it takes; all others run to both sides of a
    zero line. With a `limit`, and for weights and their differences, no size depends on the numbers.

    Parameters
    ----------
    values : array, shape (M,)
        The column; for attention, one number a key.
    title : str
        What is seen, as a sentence part.
    description : str
        The same for those who do not see the picture.
    labels : sequence of str, length M
        One label a bar; any text.
    kind : {"weights", "differences", "scores", "values"}
        Weights lie between 0 and 1, differences of two weights between -1 and 1; scores are signed; values are
        plain numbers.
    selected : int, optional
        The bar to emphasize, counted from 0.
    label_axis : str
        What the bars stand for; words that begin with a role have its color.
    value_axis : str, optional
        What the length means; by default what the kind says, such as "attention weight".
    limit : float, optional
        Where the value axis of scores and values ends, for pictures that share it; by default the largest magnitude.
    signed : bool, optional
        Whether the bars run to both sides of zero. By default all but weights do; lengths do not.
    track : int
        The length of the whole value axis, in px.
    pitch : int
        From one bar to the next, in px, where there is room for it.

    Returns
    -------
    str
        The SVG.

    Raises
    ------
    ValueError
        For what cannot be drawn; the message says what to do.
    """
    entries: list[float] = numbers(
        values, kind, ndim=1, advice="For a matrix use heat_map, or pass one column, values[:, n]."
    ).tolist()
    names = row_names(labels, len(entries), axis="bars")
    chosen_m = chosen(selected, len(entries), axis="bars")
    share = kind == "weights"
    signed = not share if signed is None else signed
    if not signed and min(entries) < 0:
        raise ValueError(f"got {min(entries):g}; expected no number below 0. Leave out signed=False.")
    end = 1.0 if kind in LOWEST else reach(entries, limit)
    write = _WRITE[kind]
    written = [write(v) for v in entries]
    longest = longest_numbers(write, end) if kind in LOWEST or limit is not None else written
    beside, below = clean(label_axis), clean(_VALUE_AXES[kind] if value_axis is None else value_axis)

    # The sizes, none of which may depend on `selected`: labels and numbers are measured as if all were bold.
    left = PAD + label_room(names, beside) + 12
    number_room = max(text_width(number, SMALL_SIZE, bold=True) for number in longest) + 8
    start = left + (number_room if signed else 0)
    zero = start + (track / 2 if signed else 0)
    scale = (start + track - zero) / end
    pitch = row_pitch(len(entries), pitch)

    card = Card(start + track + number_room + PAD, title=title, description=description)
    top = card.top + 24
    bottom = top + len(entries) * pitch
    card.text(left - 12, card.top + 14, beside, fill=role_color(beside), size=SMALL_SIZE, anchor="end")
    for tick in _SHARES if share else [tick for tick in ticks(end) if signed or tick >= 0]:
        x = zero + tick * scale
        card.line(x, top, x, bottom, stroke=HAIRLINE)
        card.text(x, bottom + 16, tick_text(tick), fill=SECONDARY, size=SMALL_SIZE, anchor="middle")
    for m, v in enumerate(entries):
        middle = top + (m + 0.5) * pitch
        weight = 700 if m == chosen_m else 400
        fill = _BAR if share or not signed else _NEGATIVE if v < 0 else _POSITIVE
        if chosen_m not in (None, m):
            fill = faded(fill)
        card.text(left - 12, middle + 4.5, names[m], fill=role_color(beside), anchor="end", weight=weight)
        draw_bar(
            card,
            zero,
            abs(v) * scale,
            middle,
            min(pitch, PITCH) - 8,
            side=-1 if v < 0 else 1,
            fill=fill,
            number=written[m],
            ink=INK if chosen_m in (None, m) else SECONDARY,
            weight=weight,
        )
    card.line(zero, top, zero, bottom, stroke=SECONDARY)
    words = shorten(below, track, SMALL_SIZE)
    card.text(start + track / 2, bottom + 38, words, fill=role_color(below), size=SMALL_SIZE, anchor="middle")
    return card.svg(bottom + 40)
