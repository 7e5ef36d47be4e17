"""The notebooks' static pictures: pure functions of the solutions' numbers, drawn when refreshing.

One module a notebook, of the notebook's name. Its `figures()` returns file names and SVGs.
"""

from collections.abc import Iterable
from importlib import import_module


def figures(notebooks: Iterable[str]) -> dict[str, str]:
    """Return every picture of these notebooks: its file's name in `notebooks/figures/`, and its SVG."""
    drawn: dict[str, str] = {}
    for notebook in notebooks:
        drawn |= import_module(f"{__name__}.{notebook}").figures()
    return drawn
