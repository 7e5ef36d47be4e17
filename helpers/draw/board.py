"""Several pictures as one: cards from left to right, a new row where the next does not fit."""

import re
from collections.abc import Sequence
from html import escape
from typing import Final

from helpers.draw.svg import element, px
from helpers.draw.text import clean

GAP: Final = 12

_SIZE: Final = re.compile(r'<svg xmlns="[^"]*" role="img" viewBox="0 0 ([\d.]+) ([\d.]+)"')


def size(picture: str) -> tuple[float, float]:
    """Return the width and the height of a picture of ours, in px.

    Raises
    ------
    ValueError
        If it is none.
    """
    if (found := _SIZE.match(picture)) is None:
        raise ValueError(f"got {picture[:40]!r}; expected an SVG string of helpers.draw.")
    return float(found[1]), float(found[2])


def board(pictures: Sequence[str], *, title: str, description: str, width: float) -> str:
    """Return pictures as one SVG string, in rows as a browser wraps them.

    Parameters
    ----------
    pictures : sequence of str
        SVG strings of `helpers.draw`, at least one.
    title : str
        What is seen, as a sentence part; read out, not written.
    description : str
        The same for those who do not see the pictures.
    width : float
        Where a row ends; a picture that is wider has a row of its own.

    Returns
    -------
    str
        The SVG.

    Raises
    ------
    ValueError
        If there is no picture, or one is none of ours.
    """
    if not pictures:
        raise ValueError("got no picture; expected at least one.")
    x = y = right = bottom = 0.0
    placed = []
    for picture in pictures:
        wide, high = size(picture)
        if x and x + wide > width:
            x, y = 0.0, bottom + GAP
        placed.append(picture.replace("<svg ", f'<svg x="{px(x)}" y="{px(y)}" ', 1))
        right, bottom = max(right, x + wide), max(bottom, y + high)
        x += wide + GAP
    head = element("title", escape(clean(title))) + element("desc", escape(clean(description)))
    return element(
        "svg",
        "\n".join([head, *placed, ""]),
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        viewBox=f"0 0 {px(right)} {px(bottom)}",
        width=right,
        height=bottom,
    )
