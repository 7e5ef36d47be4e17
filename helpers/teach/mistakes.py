"""The recorded mistakes: each a change to the text of one solution, and what to say to whoever made it.

`solutions/mistakes/` holds them, one module a notebook. Here they are read, laid over the solutions, alone or several
at once, and run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from types import CodeType
from typing import Any

import numpy as np

from helpers.course import course
from helpers.parameters import Head, Layer
from helpers.teach import solutions
from helpers.teach.course_folder import solutions_folder


class NotAPatch(ValueError):
    """A recorded mistake does not fit the solution it is recorded for."""


class Overlap(ValueError):
    """Two mistakes change the same part of a solution, and cannot be made together."""


@dataclass(frozen=True)
class Mistake:
    """A typical mistake.

    Attributes
    ----------
    name : str
        Its name, unique in the course.
    exercise : str
        The function it is made in.
    old, new : str
        The change to the solution's source. `old` stands there exactly once.
    shows : str
        What the numbers show, as a clause without a capital and without a full stop, so that "Perhaps ..., or ..."
        can be built of several: "the scores are not divided at all". What follows a colon explains, and is said only
        where the clause stands alone.
    asks : str
        A question or an action that leads to the fix, as a whole sentence. Never the corrected code.
    twin : str
        For a mistake that changes no result of its own exercise: another recorded mistake, the same slip where a
        check can see it. Empty for any other.
    """

    name: str
    exercise: str
    old: str
    new: str
    shows: str
    asks: str
    twin: str = ""


@cache
def recorded() -> dict[str, Mistake]:
    """Return every recorded mistake of the course, by its name, notebook by notebook.

    Raises
    ------
    NotAPatch
        If a name is taken twice, an exercise does not exist, or a module's `MISTAKES` lacks what a list of it holds.
    """
    found: dict[str, Mistake] = {}
    for notebook in course().notebooks:
        place = f"solutions/mistakes/{notebook}.py"
        for mistake in _of_notebook(notebook):
            if mistake.name in found:
                raise NotAPatch(
                    f"{place}, {mistake.name}: two mistakes have this name; names are unique in the course."
                )
            if mistake.exercise not in course().exercises:
                raise NotAPatch(f"{place}, {mistake.name}: there is no exercise {mistake.exercise!r}.")
            found[mistake.name] = mistake
    return found


def _of_notebook(notebook: str) -> list[Mistake]:
    if not (solutions_folder() / "mistakes" / f"{notebook}.py").is_file():
        return []
    module = solutions.module(f"mistakes.{notebook}")
    found: list[Mistake] = module.MISTAKES
    known = set(found)
    for name, listed in vars(module).items():
        for one in listed if isinstance(listed, list) else []:
            if isinstance(one, Mistake) and one not in known:
                raise NotAPatch(
                    f"solutions/mistakes/{notebook}.py: {name} is not in MISTAKES, so {one.name} is not recorded. "
                    f"Add `*{name}`."
                )
    return found


def where(mistake: Mistake) -> str:
    """Return where an author finds a mistake: its module and its name."""
    return f"solutions/mistakes/{course().exercises[mistake.exercise].notebook}.py, {mistake.name}"


def possible_in(function: str) -> list[Mistake]:
    """Return the mistakes that can show in an exercise: its own first, then those of the functions it is built on."""
    built_on = {function, *built_of(function)}
    found = [mistake for mistake in recorded().values() if mistake.exercise in built_on]
    return sorted(found, key=lambda mistake: mistake.exercise != function)


@cache
def built_of(function: str) -> tuple[str, ...]:
    """Return the earlier exercises that a solution calls, and those that they call, in the course's order."""
    found: set[str] = set()
    for other in set(_compiled(function).co_names) | _inner_names(_compiled(function)):
        if other in course().exercises and other != function:
            found |= {other, *built_of(other)}
    return tuple(name for name in course().exercises if name in found)


def _inner_names(code: CodeType) -> set[str]:
    """Return the names that a code object reads, and those that the functions inside it read."""
    inside = [part for part in code.co_consts if isinstance(part, CodeType)]
    return set(code.co_names).union(*map(_inner_names, inside))


@cache
def _compiled(function: str) -> CodeType:
    return compile(solutions.source(function), f"<our {function}>", "exec")


@cache
def _compiled_with(function: str, names: tuple[str, ...]) -> CodeType:
    source = patched_source(function, [recorded()[name] for name in names])
    return compile(source, f"<our {function}, {', '.join(names)}>", "exec")


def patched_source(function: str, mistakes: Collection[Mistake]) -> str:
    """Return a solution's source with mistakes laid over it.

    Raises
    ------
    NotAPatch
        If what a mistake changes does not stand in the source exactly once, or the change changes nothing.
    Overlap
        If two of them change the same part.
    """
    source = solutions.source(function)
    spans = []
    for mistake in mistakes:
        count = source.count(mistake.old)
        if count != 1 or mistake.old == mistake.new:
            found = f"stands {count} times" if count != 1 else "is replaced by itself"
            raise NotAPatch(
                f"{where(mistake)}: {mistake.old!r} {found} in the solution of {function}, expected a change of what "
                "stands there once."
            )
        start = source.index(mistake.old)
        spans.append((start, start + len(mistake.old), mistake.new))
    spans.sort()
    for (_, end, _), (start, *_) in pairwise(spans):
        if start < end:
            raise Overlap(f"{' and '.join(mistake.name for mistake in mistakes)} change the same part of {function}.")
    for start, end, new in reversed(spans):
        source = source[:start] + new + source[end:]
    return source


def patched(function: str, mistakes: Collection[Mistake]) -> Callable[..., Any]:
    """Return an exercise's solution as it is with mistakes made, in itself or in the functions it is built on.

    Raises
    ------
    NotAPatch
        If a mistake does not fit its solution, or leaves something that is not Python.
    Overlap
        If two of them change the same part.
    """
    namespace: dict[str, Any] = {"np": np, "Head": Head, "Layer": Layer}
    for name in (*built_of(function), function):
        made_here = tuple(mistake.name for mistake in mistakes if mistake.exercise == name)
        try:
            code = _compiled_with(name, made_here) if made_here else _compiled(name)
        except SyntaxError as error:
            first = where(recorded()[made_here[0]])
            raise NotAPatch(
                f"{', '.join([first, *made_here[1:]])}: what becomes of {name} is not Python: {error.msg}."
            ) from None
        exec(code, namespace)  # noqa: S102  our own source, with our own patches
    found: Callable[..., Any] = namespace[function]
    return found
