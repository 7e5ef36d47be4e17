"""How sentences are put together, wherever a verdict is worded."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH = 158  # of a verdict's line below the first, which is indented by two


def listed(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: "Q, K and V"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]
