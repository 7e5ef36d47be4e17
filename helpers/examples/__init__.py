"""Every input that an exercise is run on: the paper cases, the seeded data, and examples of other shapes.

One module a notebook, of the notebook's name. Its `EXAMPLES` maps an exercise to the function that makes its examples.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module

from helpers.course import course
from helpers.examples.example import Example


def _makers(notebook: str) -> dict[str, Callable[[], list[Example]]]:
    makers: dict[str, Callable[[], list[Example]]] = import_module(f"helpers.examples.{notebook}").EXAMPLES
    return makers


def has_examples(function: str) -> bool:
    """Return whether an exercise has inputs here, one at least."""
    try:
        return bool(_makers(course().exercises[function].notebook).get(function, list)())
    except ModuleNotFoundError:
        return False


@cache
def examples(function: str) -> tuple[Example, ...]:
    """Return the public examples of an exercise. Copy the arguments before handing them to anyone's code."""
    return tuple(_makers(course().exercises[function].notebook)[function]())
