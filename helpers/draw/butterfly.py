"""Two columns of weights back to back: one to the left, one to the right, their keys between them."""

from collections.abc import Sequence
from typing import Final, Literal

from numpy.typing import ArrayLike

from helpers.draw.inputs import numbers
from helpers.draw.palette import HAIRLINE, INK, SECONDARY, WEIGHTS, role_color
from helpers.draw.rows import draw_bar, label_room, row_names, row_pitch
from helpers.draw.svg import PAD, SMALL_SIZE, Card
from helpers.draw.text import clean, shorten, text_width, tick_text, value_text

TRACK: Final = 116  # the length of the weight 1
BESIDE: Final = 10  # between the labels and the bars
LONGEST_LABEL: Final = 84

_NUMBER: Final = text_width("1.00", SMALL_SIZE, bold=True) + 8


def butterfly(
    left: ArrayLike,
    right: ArrayLike,
    *,
    title: str,
    description: str,
    labels: Sequence[str],
    left_label: str,
    right_label: str,
    label_axis: str = "keys m",
) -> str:
    """Return a picture of two columns of weights as an SVG string, back to back, with their labels in the middle.

    Both sides run from 0 to 1, so a bar on the left and one on the right compare. No size depends on the numbers, so
    a picture redrawn with other weights does not jump.

    Parameters
    ----------
    left, right : array, shape (M,)
        The two columns of weights; for attention, one number a key.
    title : str
        What is seen, as a sentence part.
    description : str
        The same for those who do not see the picture.
    labels : sequence of str, length M
        One label a row; any text.
    left_label, right_label : str
        What each side stands for, such as "head 1" and "head 2".
    label_axis : str
        What the rows stand for; words that begin with a role have its color.

    Returns
    -------
    str
        The SVG.

    Raises
    ------
    ValueError
        For what cannot be drawn; the message says what to do.
    """
    advice = "Pass one column, weights[:, n]."
    columns: list[list[float]] = [numbers(side, "weights", ndim=1, advice=advice).tolist() for side in (left, right)]
    count, other = map(len, columns)
    if count != other:
        raise ValueError(f"left has {count} weights, right has {other}; expected as many. {advice}")
    names = row_names(labels, count, axis="rows", longest=LONGEST_LABEL)
    between = clean(label_axis)

    room = label_room(names, between)
    zeros = (PAD + _NUMBER + TRACK, PAD + _NUMBER + TRACK + room + 2 * BESIDE)
    middle_x = (zeros[0] + zeros[1]) / 2
    pitch = row_pitch(count)
    card = Card(2 * middle_x, title=title, description=description)
    top = card.top + 24
    bottom = top + count * pitch

    sides: tuple[Literal[-1, 1], ...] = (-1, 1)
    for side, zero, label in zip(sides, zeros, (left_label, right_label), strict=True):
        head = shorten(clean(label), TRACK, SMALL_SIZE, bold=True)
        card.text(zero + side * TRACK / 2, card.top + 14, head, size=SMALL_SIZE, anchor="middle", weight=700)
        for tick in (0.0, 0.5, 1.0):
            x = zero + side * tick * TRACK
            card.line(x, top, x, bottom, stroke=SECONDARY if tick == 0 else HAIRLINE)
            card.text(x, bottom + 16, tick_text(tick), fill=SECONDARY, size=SMALL_SIZE, anchor="middle")
    card.text(middle_x, card.top + 14, between, fill=role_color(between), size=SMALL_SIZE, anchor="middle")
    for m in range(count):
        middle = top + (m + 0.5) * pitch
        card.text(middle_x, middle + 4.5, names[m], fill=role_color(between), anchor="middle")
        for side, zero, column in zip(sides, zeros, columns, strict=True):
            draw_bar(
                card,
                zero,
                column[m] * TRACK,
                middle,
                pitch - 8,
                side=side,
                fill=WEIGHTS[3],
                number=value_text(column[m]),
                ink=INK,
            )
    card.text(middle_x, bottom + 38, "attention weight", fill=SECONDARY, size=SMALL_SIZE, anchor="middle")
    return card.svg(bottom + 40)
