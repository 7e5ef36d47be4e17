"""A builder for one picture: a white card with a title, as an SVG string."""

from functools import lru_cache
from html import escape
from typing import Final, Literal

from helpers.draw.palette import CARD, HAIRLINE, INK
from helpers.draw.text import clean, wrap

Anchor = Literal["start", "middle", "end"]

PAD: Final = 20
MAX_WIDTH: Final = 640
MIN_WIDTH: Final = 220

TITLE_SIZE: Final = 15
LABEL_SIZE: Final = 13
SMALL_SIZE: Final = 12  # numbers and axes

_TITLE_LINE: Final = 20


class Card:
    """One card, filled from the top down; `svg(bottom)` closes it.

    The card is white in a dark theme, too. Nothing in it has an id, so any number of cards can share a page.

    Parameters
    ----------
    width : float
        The room the content needs, padding included; the card gets wider where the title needs it.
    title : str
        What is seen, as a sentence part; written on the card and read out first.
    description : str
        The same for those who do not see the picture; read out only.

    Attributes
    ----------
    width : float
        The width of the card.
    top : float
        Where the content begins.
    """

    def __init__(self, width: float, *, title: str, description: str) -> None:
        self.width, lines = _fit_title(clean(title), max(width, MIN_WIDTH))
        self.top: float = PAD + _TITLE_LINE * len(lines) + 4
        self._title = clean(title)
        self._description = clean(description)
        self._parts: list[str] = []
        for i, line in enumerate(lines):
            self.text(PAD, PAD + 11 + i * _TITLE_LINE, line, size=TITLE_SIZE, weight=600)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        fill: str = INK,
        size: float = LABEL_SIZE,
        anchor: Anchor = "start",
        weight: int = 400,
        turned: bool = False,
        halo: bool = False,
    ) -> None:
        """Write `words` with the baseline at (x, y), turned to read upward, or with a halo over lines."""
        if not words:
            return
        attributes: dict[str, str | float] = {"x": x, "y": y}
        if turned:
            attributes = {"transform": f"translate({px(x)} {px(y)}) rotate(-90)"}
        attributes |= {"fill": fill, "font_size": size}
        if anchor != "start":
            attributes["text_anchor"] = anchor
        if weight != 400:
            attributes["font_weight"] = weight
        if halo:
            attributes |= {"stroke": CARD, "stroke_width": 4, "stroke_linejoin": "round", "paint_order": "stroke"}
        self._parts.append(element("text", escape(words), **attributes))

    def rect(
        self, x: float, y: float, width: float, height: float, *, hover: str = "", **attributes: str | float
    ) -> None:
        """Draw a rectangle; `hover` is what a pointer resting on it reads."""
        note = element("title", escape(hover)) if hover else ""
        self._parts.append(element("rect", note, x=x, y=y, width=width, height=height, **attributes))

    def line(self, x1: float, y1: float, x2: float, y2: float, **attributes: str | float) -> None:
        """Draw a straight line."""
        self._parts.append(element("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes))

    def polygon(self, corners: list[tuple[float, float]], **attributes: str | float) -> None:
        """Draw a filled polygon."""
        points = " ".join(f"{px(x)},{px(y)}" for x, y in corners)
        self._parts.append(element("polygon", points=points, **attributes))

    def polyline(self, points: list[tuple[float, float]], **attributes: str | float) -> None:
        """Draw a line through points."""
        places = " ".join(f"{px(x)},{px(y)}" for x, y in points)
        self._parts.append(element("polyline", points=places, fill="none", **attributes))

    def path(self, d: str, **attributes: str | float) -> None:
        """Draw a filled path; `d` is written by `px`."""
        self._parts.append(element("path", d=d, **attributes))

    def circle(self, cx: float, cy: float, r: float, **attributes: str | float) -> None:
        """Draw a circle."""
        self._parts.append(element("circle", cx=cx, cy=cy, r=r, **attributes))

    def svg(self, bottom: float) -> str:
        """Return the card, closed `PAD` px below `bottom`, as an SVG string."""
        height = bottom + PAD
        # Half a pixel inside, so that the hairline is not cut in two by the view box.
        frame = element(
            "rect", x=0.5, y=0.5, width=self.width - 1, height=height - 1, rx=10, fill=CARD, stroke=HAIRLINE
        )
        head = element("title", escape(self._title)) + element("desc", escape(self._description))
        return element(
            "svg",
            "\n".join([head, frame, *self._parts, ""]),
            xmlns="http://www.w3.org/2000/svg",
            role="img",
            viewBox=f"0 0 {px(self.width)} {px(height)}",
            width=self.width,
            height=height,
            font_family="system-ui, sans-serif",
        )


def element(tag: str, content: str = "", /, **attributes: str | float) -> str:
    """Return one element; `content` is markup, attribute values are escaped here, `_` in their names becomes `-`."""
    pairs = "".join(
        f' {name.replace("_", "-")}="{escape(value) if isinstance(value, str) else px(value)}"'
        for name, value in attributes.items()
    )
    return f"<{tag}{pairs}>{content}</{tag}>" if content else f"<{tag}{pairs}/>"


@lru_cache(maxsize=4096)  # the places of a grid come back in every row, and in every redraw
def px(length: float) -> str:
    """Return a length with at most one decimal."""
    # Rounded twice: the first takes off what differs between machines, so that the second meets no near tie.
    return f"{round(round(length, 6), 1) + 0.0:.1f}".removesuffix(".0")


def _fit_title(title: str, width: float) -> tuple[float, list[str]]:
    """Return the width, grown until the title takes two lines or `MAX_WIDTH` is reached, and the lines."""
    while True:
        lines = wrap(title, width - 2 * PAD, TITLE_SIZE, bold=True)
        if len(lines) <= 2 or width >= MAX_WIDTH:
            return width, lines
        width = min(width + 20, MAX_WIDTH)
