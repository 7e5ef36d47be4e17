"""What the pictures are read with: an XML parser, the real widths of a font, the contrast formula of WCAG 2."""

import functools
import math
import re
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import matplotlib
from fontTools.ttLib import TTFont

SVG = "{http://www.w3.org/2000/svg}"


class Box(NamedTuple):
    """An axis-parallel rectangle on a picture."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box") -> bool:
        """Return whether both share more than an edge."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def inside(self, other: "Box") -> bool:
        """Return whether it does not stick out of another."""
        return (
            other.left <= self.left
            and self.right <= other.right
            and other.top <= self.top
            and self.bottom <= other.bottom
        )


class Text(NamedTuple):
    """A piece of text as a browser with DejaVu Sans sets it."""

    words: str
    box: Box
    size: float
    weight: int
    fill: str


class Rect(NamedTuple):
    """A rectangle with its colors."""

    box: Box
    fill: str
    stroke: str


class Picture:
    """An SVG string, read."""

    def __init__(self, svg: str) -> None:
        self.root = ElementTree.fromstring(svg)  # noqa: S314 - the text is ours
        _, _, width, height = map(float, self.root.attrib["viewBox"].split())
        self.frame = Box(0, 0, width, height)
        self.texts = [_text(element) for element in self.root.iter(f"{SVG}text")]
        # The first rectangle is the card itself.
        self.rects = [_rect(element) for element in self.root.iter(f"{SVG}rect")][1:]

    @property
    def words(self) -> list[str]:
        """Everything written, in the order of drawing."""
        return [text.words for text in self.texts]

    def find(self, words: str) -> Text:
        """Return the one text with these words."""
        (text,) = (text for text in self.texts if text.words == words)
        return text

    def assert_legible(self) -> None:
        """Assert that texts keep inside the picture, off each other, and at 11 px or more."""
        for text in self.texts:
            assert text.box.inside(self.frame), text
            assert text.size >= 11, text
        for one, other in combinations(self.texts, 2):
            assert not one.box.overlaps(other.box), (one, other)


@functools.cache
def _font(name: str) -> tuple[dict[int, str], dict[str, tuple[int, int]], int]:
    font = TTFont(Path(matplotlib.get_data_path(), "fonts", "ttf", name))
    return font.getBestCmap(), font["hmtx"].metrics, font["head"].unitsPerEm


def advance(words: str, size: float, weight: int) -> float:
    """Return the width of a text from the tables of the font that is widest among those in use."""
    glyphs, metrics, em = _font("DejaVuSans-Bold.ttf" if weight >= 600 else "DejaVuSans.ttf")
    # What the font lacks comes from a font for Chinese characters: as wide as high.
    return sum(metrics[glyphs[ord(c)]][0] / em if ord(c) in glyphs else 1.0 for c in words) * size


def _text(element: ElementTree.Element) -> Text:
    words, attributes = element.text or "", element.attrib
    size, weight = float(attributes["font-size"]), int(attributes.get("font-weight", 400))
    width = advance(words, size, weight)
    before = {"start": 0.0, "middle": width / 2, "end": width}[attributes.get("text-anchor", "start")]
    ascent, descent = 0.76 * size, 0.24 * size
    if "transform" in attributes:
        turned = re.fullmatch(r"translate\((\S+) (\S+)\) rotate\(-90\)", attributes["transform"])
        assert turned is not None
        x, y = map(float, turned.groups())
        box = Box(x - ascent, y + before - width, x + descent, y + before)
    else:
        x, y = float(attributes["x"]), float(attributes["y"])
        box = Box(x - before, y - ascent, x - before + width, y + descent)
    return Text(words, box, size, weight, attributes["fill"])


def _rect(element: ElementTree.Element) -> Rect:
    x, y, width, height = (float(element.attrib[name]) for name in ("x", "y", "width", "height"))
    return Rect(Box(x, y, x + width, y + height), element.attrib["fill"], element.attrib.get("stroke", ""))


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio as WCAG 2 defines it, written from its text and not from ours."""

    def luminance(color: str) -> float:
        linear = []
        for i in (1, 3, 5):
            c = int(color[i : i + 2], 16) / 255
            linear.append(c / 12.92 if c <= 0.04045 else math.pow((c + 0.055) / 1.055, 2.4))
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    a, b = luminance(one), luminance(other)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
