"""How words and numbers are written in a picture, and how much room they take."""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

MINUS: Final = "\N{MINUS SIGN}"
ELLIPSIS: Final = "\N{HORIZONTAL ELLIPSIS}"

# Widths in em, not below those of DejaVu Sans, the widest of the fonts that `system-ui` stands for.
_NARROW: Final = frozenset(" !'(),-./:;I[\\]fijlrt|")
_WIDE: Final = frozenset("%@MWmw")
_BOLD: Final = 1.13

# What XML 1.0 cannot hold even when escaped, and control characters, which no font draws.
_UNWRITABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def clean(words: object) -> str:
    """Return `words` on one line, with every character that cannot stand in an SVG replaced by U+FFFD."""
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", " ".join(str(words).split()))


def weight_text(w: float) -> str:
    """Return a weight as it stands in a cell: `.83`, nothing below .005, `1` above .995."""
    if w < 0.005:
        return ""
    return "1" if w > 0.995 else f"{w:.2f}".removeprefix("0")


def difference_text(d: float) -> str:
    """Return a difference of weights as it stands in a cell: `+.83`, `−.94`, `0`, `+1` above .995."""
    digits = weight_text(abs(d))
    return f"{MINUS if d < 0 else '+'}{digits}" if digits else "0"


def score_text(s: float) -> str:
    """Return a score with its sign: `+1.20`, `−.35`, `0`."""
    text = value_text(s)
    return text if s <= 0 or text == "0" else f"+{text}"


def value_text(v: float) -> str:
    """Return a plain number: two decimals as in `.35`, none from 100 up, powers of ten where that would be long."""
    size = abs(v)
    if size < 0.005:
        return "0"
    digits = (
        f"{size:.2f}".removeprefix("0")
        if size < 99.995
        else f"{size:.0f}"
        if size < 99_999.5
        else _power(f"{size:.1e}")
    )
    return f"{MINUS}{digits}" if v < 0 else digits


def longest_numbers(write: Callable[[float], str], end: float) -> list[str]:
    """Return numbers at least as long as any that `write` makes of a magnitude up to `end`."""
    return [write(sign * v) for v in (end, min(end, 99.99)) for sign in (1, -1)]


def whole_text(v: float) -> str:
    """Return a number of a matrix that holds whole numbers only: `3`, `−4`, `0`."""
    return value_text(v).removesuffix(".00")


def tick_text(t: float) -> str:
    """Return a number on an axis, as short as it is exact: `0.5`, `−20`."""
    return _power(f"{t + 0.0:g}" if abs(t) < 99_999.5 else f"{t:.0e}").replace("-", MINUS)


def text_width(words: str, size: float, *, bold: bool = False) -> float:
    """Return the room that `words` take at `size` px: an upper estimate, in px."""
    em = sum(map(_character_width, unicodedata.normalize("NFKD", words)))
    return em * size * (_BOLD if bold else 1)


def shorten(words: str, room: float, size: float, *, bold: bool = False) -> str:
    """Return `words`, cut off with an ellipsis where they do not fit into `room` px."""
    if text_width(words, size, bold=bold) <= room:
        return words
    kept = words
    while kept and text_width(kept + ELLIPSIS, size, bold=bold) > room:
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS


def wrap(words: str, room: float, size: float, *, bold: bool = False) -> list[str]:
    """Return `words` as lines that fit into `room` px; a single word that does not is shortened."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold=bold) <= room:
            lines[-1] = longer
        else:
            lines.append(shorten(word, room, size, bold=bold))
    return lines


def _power(digits: str) -> str:
    """Return digits with the exponent, if there is one, as short as it goes: `1e5` for `1e+05`."""
    return re.sub(r"e\+?(-?)0*", r"e\1", digits)


def _character_width(character: str) -> float:
    if unicodedata.category(character) == "Mn":  # an accent stands on the letter before it
        return 0.1
    if character in _NARROW:
        return 0.44
    if character in _WIDE:
        return 1.0
    if character.isascii() or character == MINUS:
        return 0.64 if character.islower() or character.isdigit() else 0.84
    return 1.05 if character.islower() else 1.3  # Greek and Cyrillic; capitals, Chinese characters, emoji
