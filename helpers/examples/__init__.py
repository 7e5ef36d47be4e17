"""Every input that an exercise is run on: the paper cases, the seeded data, examples of other shapes; hidden ones.

One module a notebook, of the notebook's name. Its `EXAMPLES` maps an exercise to the function that makes its examples,
its `HIDDEN` to the function that draws the grader's own.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from zlib import crc32

from helpers.course import course
from helpers.examples.example import Example, RandomState


def _listed(notebook: str, kind: str) -> dict[str, Callable[..., list[Example]]]:
    """Return what makes the examples of a notebook, by exercise; nothing where an author has not written it yet."""
    try:
        module = import_module(f"helpers.examples.{notebook}")
    except ModuleNotFoundError as error:
        if error.name != f"helpers.examples.{notebook}":
            raise  # it is there, and what it imports is not
        return {}
    makers: dict[str, Callable[..., list[Example]]] = getattr(module, kind, {})
    return makers


def _makers(function: str, kind: str) -> dict[str, Callable[..., list[Example]]]:
    return _listed(course().exercises[function].notebook, kind)


def unknown(notebook: str) -> list[tuple[str, str]]:
    """Return the names under which a notebook has inputs, and no exercise: each with its table, EXAMPLES or HIDDEN."""
    known = {exercise.function for exercise in course().exercises_of(notebook)}
    return [(kind, name) for kind in ("EXAMPLES", "HIDDEN") for name in _listed(notebook, kind) if name not in known]


def has_examples(function: str) -> bool:
    """Return whether an exercise has inputs here, one at least."""
    return bool(_makers(function, "EXAMPLES").get(function, list)())


def has_hidden(function: str) -> bool:
    """Return whether the grader has inputs of its own for an exercise, two at least."""
    return function in _makers(function, "HIDDEN") and len(hidden(function, 0)) > 1


@cache
def examples(function: str) -> tuple[Example, ...]:
    """Return the public examples of an exercise. Copy the arguments before handing them to anyone's code."""
    return tuple(_makers(function, "EXAMPLES")[function]())


@cache
def hidden(function: str, seed: int) -> tuple[Example, ...]:
    """Return the examples on which the grader judges an exercise besides the public ones.

    The seed is the grader's secret. The code is not: who reads it learns how the numbers are drawn, and not which.

    Parameters
    ----------
    function : str
        The exercise.
    seed : int
        From 0 to 2**32 - 1. The same one gives the same numbers everywhere, and each exercise numbers of its own.

    Returns
    -------
    tuple of Example
        Two at least, of shapes that no public example has. Copy the arguments, as with the public ones.

    Raises
    ------
    ValueError
        If the seed is out of range.
    """
    if not 0 <= seed < 2**32:
        raise ValueError(f"got the seed {seed}, expected a whole number from 0 to {2**32 - 1}.")
    rng = RandomState([seed, crc32(function.encode())])
    return tuple(_makers(function, "HIDDEN")[function](rng))
