"""What the pages share: Jinja2 with everything escaped, and how a verdict is shown."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from helpers.course import Exercise
from helpers.draw import palette
from helpers.draw.standing import FILLS, Standing
from helpers.draw.text import clean
from helpers.learn.judge import Status
from helpers.learn.words import capital, listed
from helpers.teach.grading.record import Record

# They turn the direction of what follows, and let a name pretend to be another.
_DIRECTIONS = re.compile("[\N{ARABIC LETTER MARK}\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class Look(NamedTuple):
    """How a verdict is shown: never by its color alone."""

    mark: str
    word: str
    standing: Standing


LOOKS: dict[Status, Look] = {
    "right": Look("✓", "right", "right"),
    "wrong": Look("●", "not yet", "not yet"),
    "error": Look("✗", "error", "error"),
    "timeout": Look("✗", "ran too long", "error"),
    "killed": Look("✗", "was stopped", "error"),
    "not started": Look("○", "not started", "to do"),
    "missing": Look("○", "missing", "to do"),
}


def plain(text: str) -> str:
    """Return a text on one line without characters that control something, so that it looks as what it is."""
    return _DIRECTIONS.sub("\N{REPLACEMENT CHARACTER}", clean(text))


def coded(text: str) -> Markup:
    """Return a text escaped, with what stands between backticks as code."""
    parts = plain(text).split("`")
    if len(parts) % 2 == 0:  # one that is not closed is a character like any other
        parts[-2:] = ["`".join(parts[-2:])]
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if i % 2 else escape(part) for i, part in enumerate(parts)
    )


def called(exercise: Exercise) -> str:
    """Return an exercise as it is spoken of: "1.3 Every query meets every key"."""
    return f"{exercise.number} {exercise.title}"


def why(record: Record) -> str:
    """Return why a file is unreadable, as a sentence."""
    return capital(plain(record.reason))


def counted(number: int, what: str, several: str = "") -> str:
    """Return a number with its noun: "1 student", "2 students"."""
    return f"{number:,} {what if number == 1 else several or what + 's'}"


def some(names: Sequence[str], most: int) -> str:
    """Return names as a list of at most so many, each on one line: "Ada, Bao and 4 more"."""
    shown = names if len(names) <= most else names[: most - 1]
    return listed([*map(clean, shown), *([f"{len(names) - len(shown):,} more"] if len(shown) < len(names) else [])])


def duration(seconds: float) -> str:
    """Return how long something took: "0.41 s", "3 min 7 s", "1 h 4 min"."""
    if seconds < 60:
        return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def moment(seconds: float) -> str:
    """Return a point in time, as seconds since 1970, in UTC: the same on every machine."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"


def _fingerprint(text: str) -> Markup:
    """Return what a content security policy knows an inline style or script by."""
    return Markup("'sha256-{}'").format(base64.b64encode(hashlib.sha256(text.encode()).digest()).decode())


def _shown(value: object) -> object:
    """Return what an expression of a template prints: a plain text, unless it is markup of ours."""
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("helpers.teach.grading", "outputs"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "called": called,
        "coded": coded,
        "counted": counted,
        "duration": duration,
        "fingerprint": _fingerprint,
        "moment": moment,
        "why": why,
    }
    environment.globals |= {"fills": FILLS, "looks": LOOKS, "palette": palette}
    return environment


def render(template: str, **values: object) -> str:
    """Return a page.

    Parameters
    ----------
    template : str
        A file in this folder.
    **values
        What it speaks of. Every text is escaped; pictures come as `Markup`.
    """
    return _environment().get_template(template).render(**values)
