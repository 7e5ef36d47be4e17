"""`hint(f)`: three levels, one at a time. `solution(f)`: ours, after you have tried."""

from __future__ import annotations

import builtins
from typing import Any

from helpers.course import course
from helpers.learn import ours, progress, session

_print = builtins.print  # bound now: a notebook may rename print later

TRIES_BEFORE_SOLUTION = 3


def hint(function: Any = None) -> None:
    """Print a hint for an exercise. The next level opens after a new attempt at its check.

    Parameters
    ----------
    function : callable
        The function you are writing, by its name: ``hint(softmax_cols)``.
    """
    name = _exercise(function, "hint")
    if name is None:
        return
    hints = course().exercises[name].hints
    with progress.editing() as record:
        mine = progress.entry(record, name)
        tries = len(mine["attempts"])
        opens = mine["hints"] == 0 or (mine["hints"] < len(hints) and tries > mine["hint_after"])
        if opens:
            mine["hints"] += 1
            mine["hint_after"] = tries
        level = mine["hints"]
    _print(hints[level - 1].strip())
    if not opens and level < len(hints):
        _print("\nThe next hint opens after a new attempt: change the cell, run it, check it.")


def solution(function: Any = None, give_up: bool = False) -> None:
    """Print our solution of an exercise: after three different attempts, or at once if you give up.

    Parameters
    ----------
    function : callable
        The function, by its name: ``solution(softmax_cols)``.
    give_up : bool
        Show it now. This is noted in your progress, and costs nothing.
    """
    name = _exercise(function, "solution")
    if name is None:
        return
    source = ours.source(name)
    if source is None:
        _print(f"This edition holds no solution of {name}. Whoever gave you the notebooks has it.")
        return
    with progress.editing() as record:
        mine = progress.entry(record, name)
        tries = len(mine["attempts"])
        if tries < TRIES_BEFORE_SOLUTION and not give_up and not mine["passed"]:
            left = TRIES_BEFORE_SOLUTION - tries
            _print(
                f"It opens after {left} more {'attempt' if left == 1 else 'different attempts'} at the check.\n"
                f"To see it now: solution({name}, give_up=True)"
            )
            return
        mine["gave_up"] = mine["gave_up"] or not mine["passed"]
    _print(source)
    _print("\nRead it, close it, and write your own from memory: then it is yours.")


def _exercise(function: Any, caller: str) -> str | None:
    try:
        return session.name_of(function)
    except ValueError as error:
        _print(f"{caller}: {error}")
        return None
