"""The notebooks' static pictures: pure functions of the solutions' numbers, drawn when refreshing.

One module a notebook, of the notebook's name. Its `figures()` returns file names and SVGs. A notebook's explorer is
drawn as it starts.
"""

import inspect
from collections.abc import Iterable
from importlib import import_module

from helpers.teach import solutions


def figures(notebooks: Iterable[str]) -> dict[str, str]:
    """Return every picture of these notebooks: its file's name in `notebooks/figures/`, and its SVG."""
    drawn: dict[str, str] = {}
    for notebook in notebooks:
        drawn |= import_module(f"{__name__}.{notebook}").figures()
        drawn[f"explore_{notebook}.svg"] = explorer_picture(notebook)
    return drawn


def explorer_picture(notebook: str) -> str:
    """Draw a notebook's explorer on our functions: what it cannot do without is named as the exercises are."""
    from helpers import explore  # asked for here: it brings the widgets

    explorer = getattr(explore, notebook)
    parameters = inspect.signature(explorer).parameters.values()
    taken = [solutions.function(one.name) for one in parameters if one.default is one.empty]
    svg: str = explorer(*taken).static()
    return svg
