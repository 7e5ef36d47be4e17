"""The notebooks' static pictures: pure functions of the solutions' numbers, drawn when refreshing.

One module a notebook, of the notebook's name. Its `figures()` returns file names and SVGs.
"""

from importlib import import_module

from helpers.course import course


def figures() -> dict[str, str]:
    """Return every picture in `notebooks/figures/`: file name and SVG."""
    drawn: dict[str, str] = {}
    for notebook in course().notebooks:
        drawn |= import_module(f"{__name__}.{notebook}").figures()
    return drawn
