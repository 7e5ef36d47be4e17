"""The colors of the course, and the arithmetic that keeps what is written on them readable."""

from functools import lru_cache
from typing import Final, Literal, get_args

Role = Literal["query", "key", "value"]

QUERY: Final = "#b45309"
KEY: Final = "#1d4ed8"
VALUE: Final = "#047857"
ROLE_COLORS: Final[dict[Role, str]] = {"query": QUERY, "key": KEY, "value": VALUE}

INK: Final = "#1f2430"
SECONDARY: Final = "#5b6472"
CARD: Final = "#ffffff"
HAIRLINE: Final = "#d9dde5"
WHITE: Final = "#ffffff"
BLACK: Final = "#000000"

WEIGHTS: Final = ("#f5f3ff", "#ddd6fe", "#a78bfa", "#6d28d9", "#3b0764")
SCORES: Final = ("#2166ac", "#f7f7f7", "#b2182b")

RIGHT: Final = "#047857"
NOT_YET: Final = "#b45309"
ERROR: Final = "#b91c1c"

MIN_CONTRAST: Final = 4.5  # WCAG 2, level AA, text of normal size


def weight_color(w: float) -> str:
    """Return the color of a weight.

    Parameters
    ----------
    w : float
        From 0 (light) to 1 (dark); what lies outside is clipped.

    Returns
    -------
    str
        As `#rrggbb`.
    """
    return _along(WEIGHTS, w)


def score_color(s: float, limit: float) -> str:
    """Return the color of a signed score: blue below zero, red above it.

    Parameters
    ----------
    s : float
        The score; beyond `limit` it takes the color of the end.
    limit : float
        The magnitude that gets the full color, on both sides alike.

    Returns
    -------
    str
        As `#rrggbb`.
    """
    return _along(SCORES, 0.5 + 0.5 * s / limit)


def value_color(v: float, limit: float) -> str:
    """Return the color of a plain number: a neutral hue by its magnitude. The sign stands in the number alone.

    The numbers of X, Q, K and V are neither good nor bad, so they are not drawn in the scores' blue and red.

    Parameters
    ----------
    v : float
        The number; beyond `limit` it takes the color of the end.
    limit : float
        The magnitude that gets the full color, on both sides alike.

    Returns
    -------
    str
        As `#rrggbb`.
    """
    return blend(WHITE, SECONDARY, 0.42 * min(abs(v) / limit, 1.0))


def faded(fill: str) -> str:
    """Return `fill` as it looks when another column is the one to read.

    A solid color instead of an opacity: so the contrast of the text on it is known.
    """
    return blend(fill, WHITE, 0.72)


@lru_cache(maxsize=1024)  # a map of many cells has few fills, and each costs two contrasts
def readable(fill: str, *, quiet: bool = False) -> tuple[str, str]:
    """Return a fill and a text color that reads on it with a contrast of at least 4.5:1.

    Between the fills dark enough for white and those light enough for ink lies a narrow band where neither does;
    a fill from that band is moved to its nearer edge. Every other fill comes back as it is.

    Parameters
    ----------
    fill : str
        As `#rrggbb`.
    quiet : bool
        Take the secondary color for the text where it reads.

    Returns
    -------
    fill : str
        The fill to use.
    text : str
        The text color to use on it.
    """
    if quiet and contrast(fill, SECONDARY) >= MIN_CONTRAST:
        return fill, SECONDARY
    for step in range(256):
        for end in (WHITE, BLACK):
            nudged = blend(fill, end, step / 255)
            text = max(INK, WHITE, key=lambda color: contrast(nudged, color))
            if contrast(nudged, text) >= MIN_CONTRAST:
                return nudged, text
    raise AssertionError("unreachable: white itself reads under ink")  # pragma: no cover


def role_color(words: str) -> str:
    """Return the color of the role that `words` begin with ("keys m", "query"), the secondary color for any other."""
    for role in get_args(Role):
        # "quer" covers queries and query alike.
        if words.lower().startswith(role.removesuffix("y")):
            return ROLE_COLORS[role]
    return SECONDARY


@lru_cache(maxsize=4096)  # the colors of a map come back in every redraw
def blend(color: str, other: str, share: float) -> str:
    """Return `color` with a `share` (0 to 1) of `other` mixed in."""
    blended = (a + (b - a) * share for a, b in zip(_channels(color), _channels(other), strict=True))
    return "#" + "".join(f"{int(channel + 0.5):02x}" for channel in blended)


def contrast(color: str, other: str) -> float:
    """Return the WCAG contrast ratio of two colors, from 1 to 21."""
    darker, lighter = sorted((_luminance(color), _luminance(other)))
    # Rounded, because the last digit of a power differs between C libraries, and pictures may not.
    return round((lighter + 0.05) / (darker + 0.05), 6)


def _luminance(color: str) -> float:
    shares = (channel / 255 for channel in _channels(color))
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _along(stops: tuple[str, ...], share: float) -> str:
    """Return the color at `share` (0 to 1) of the way along evenly spaced stops."""
    place = min(max(share, 0.0), 1.0) * (len(stops) - 1)
    before = min(int(place), len(stops) - 2)
    return blend(stops[before], stops[before + 1], place - before)


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
