"""A few numbers, each on a track that ends at the most it can be."""

from collections.abc import Sequence
from typing import Final

from numpy.typing import ArrayLike

from helpers.draw.chart import WIDTH
from helpers.draw.inputs import numbers, tokens
from helpers.draw.palette import INK, SECONDARY, WEIGHTS, role_color
from helpers.draw.svg import LABEL_SIZE, PAD, SMALL_SIZE, Card
from helpers.draw.text import clean, longest_numbers, shorten, text_width, value_text

PITCH: Final = 46  # from one gauge to the next
THICKNESS: Final = 12


def gauges(
    values: ArrayLike,
    *,
    title: str,
    description: str,
    labels: Sequence[str],
    ends: ArrayLike,
    value_axis: str = "",
    width: int = WIDTH,
) -> str:
    """Return a picture of numbers as gauges, as an SVG string: each a track filled from 0 up to the number.

    Right of the track stand the number and the end, as in "1.44 of 2.08". No size depends on the values.

    Parameters
    ----------
    values : array, shape (M,)
        The numbers, none below 0.
    title : str
        What is seen, as a sentence part.
    description : str
        The same for those who do not see the picture.
    labels : sequence of str, length M
        What each number is; any text.
    ends : array, shape (M,)
        Where each track ends: the most that its number can be.
    value_axis : str
        What a full track means, under the gauges; nothing by default.
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
    entries: list[float] = numbers(values, "values", ndim=1, advice="Pass one number a gauge.").tolist()
    limits: list[float] = numbers(ends, "values", ndim=1, advice="Pass one end a gauge.").tolist()
    names = tokens(labels, len(entries), name="labels", axis="gauges")
    if len(limits) != len(entries):
        raise ValueError(f"ends has {len(limits)} numbers, but there are {len(entries)} gauges. Give one for each.")
    for m, (v, end) in enumerate(zip(entries, limits, strict=True)):
        if end <= 0:
            raise ValueError(f"ends[{m}] is {end:g}; expected a number above 0. Pass the most that values[{m}] can be.")
        if not 0 <= v <= end:
            raise ValueError(
                f"values[{m}] is {v:g}; expected 0 to {end:g}, as ends[{m}] says. "
                f"Raise ends[{m}], or look for a slip before this picture."
            )
    room = max(
        text_width(f"{number} of {value_text(end)}", SMALL_SIZE)
        for end in limits
        for number in longest_numbers(value_text, end)
    )
    below = clean(value_axis)

    card = Card(width, title=title, description=description)
    track = card.width - 2 * PAD - 10 - room
    for m, (v, end) in enumerate(zip(entries, limits, strict=True)):
        top = card.top + m * PITCH
        name = shorten(names[m], card.width - 2 * PAD, LABEL_SIZE)
        card.text(PAD, top + 14, name, fill=role_color(name) if name else INK)
        top += 22
        card.rect(PAD, top, track, THICKNESS, rx=4, fill=WEIGHTS[0], stroke=SECONDARY)
        length = v / end * track
        if length >= 0.1:
            card.rect(PAD, top, length, THICKNESS, rx=min(4, length / 2), fill=WEIGHTS[3])
        words = f"{value_text(v)} of {value_text(end)}"
        card.text(PAD + track + 10, top + 10.3, words, size=SMALL_SIZE)
    bottom = card.top + len(entries) * PITCH - 8
    if below:
        bottom += 18
        card.text(
            PAD, bottom, shorten(below, card.width - 2 * PAD, SMALL_SIZE), fill=role_color(below), size=SMALL_SIZE
        )
    return card.svg(bottom)
