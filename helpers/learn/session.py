"""What is known of the running notebook: the cells that ran, in order, and the names it holds."""

from __future__ import annotations

import ast
import difflib
import sys
import time
from dataclasses import dataclass
from typing import Any

from helpers.course import course
from helpers.learn import portfolio
from helpers.learn.slices import choose, plain_source, takes

TAKES_EXERCISE = ("check", "hint", "solution")


@dataclass(frozen=True)
class Cell:
    """One cell as it ran: its source, its id where the front end tells it, and when."""

    source: str
    id: str
    at: float


class Undefined:
    """Stands in for an exercise's function while `check(f)`, say, runs in a notebook that has not defined f."""


# In the order of their last run. A cell is known by its id, without one by its text: what an edited cell held before
# is gone, and a long session holds no more than its notebook.
_cells: dict[str, Cell] = {}
_stand_ins: list[str] = []


def start() -> None:
    """Begin to record cells, where there is an IPython session, and install `my_attention`."""
    portfolio.install_module()
    shell = _shell()
    if shell and not getattr(shell, "_attention_by_hand", False):
        shell._attention_by_hand = True
        shell.events.register("pre_run_cell", _before_cell)
        shell.events.register("post_run_cell", _after_cell)


def live_names() -> dict[str, Any]:
    """Return the notebook's own names; empty outside IPython."""
    shell = _shell()
    return shell.user_ns if shell else {}


def current_cell() -> str:
    """Return the source of the cell that is running."""
    return next(reversed(_cells.values())).source if _cells else ""


def cell_of(function: str) -> Cell | None:
    """Return the cell to judge, as it ran last: see `slices.choose`."""
    cells = list(_cells.values())
    index = choose([(cell.id, cell.source) for cell in cells], function)
    return None if index is None else cells[index]


def is_taken(function: str) -> bool:
    """Return whether a cell that ran imports a function from `my_attention`."""
    return any(takes(cell.source, function) for cell in _cells.values())


def has_run(id_: str) -> bool:
    """Return whether a cell of this id has run."""
    return id_ in _cells


def name_of(thing: Any) -> str:
    """Return which exercise is meant by the argument of `check`, `hint` or `solution`.

    The name is read in the cell, since decorators and lambdas lie about `__name__`.

    Raises
    ------
    ValueError
        If it is no exercise of the course.
    """
    exercises = course().exercises
    if isinstance(thing, str) and thing in exercises:
        return thing
    names = live_names() if thing is not None else {}
    written = [name for name in _written_names(current_cell()) if name in names and names[name] is thing]
    held = [name for name in exercises if name in names and names[name] is thing]
    called = getattr(thing, "__name__", "")
    for name in [*written, called, *held]:
        if name in exercises:
            return name
    if thing is None:
        got = "nothing"
    elif isinstance(thing, str) or callable(thing):
        got = f"{called or thing!r}"[:40]
    else:
        got = f"a result of type {type(thing).__name__}"
    near = difflib.get_close_matches(str(called or thing), exercises, n=1)
    such_as = near[0] if near else next(iter(exercises))
    raise ValueError(f"got {got}, expected the function of an exercise by its name, such as `{such_as}`.")


def _written_names(source: str) -> list[str]:
    """Return the names a cell hands to `check`, `hint`, `solution` or an explorer."""
    try:
        tree = ast.parse(plain_source(source))
    except (SyntaxError, ValueError):
        return []
    return [
        argument.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _takes_exercise(node.func)
        for argument in node.args
        if isinstance(argument, ast.Name)
    ]


def _takes_exercise(called: ast.expr) -> bool:
    """Return whether what is called is `check`, `hint`, `solution` or one of `explore`."""
    if isinstance(called, ast.Attribute):
        return isinstance(called.value, ast.Name) and called.value.id == "explore"
    return isinstance(called, ast.Name) and called.id in TAKES_EXERCISE


def _before_cell(info: Any) -> None:
    cell = Cell(info.raw_cell or "", getattr(info, "cell_id", None) or "", time.time())
    key = cell.id or cell.source
    _cells.pop(key, None)
    _cells[key] = cell
    names = live_names()
    for name in _written_names(cell.source):
        if name in course().exercises and name not in names:
            names[name] = Undefined()
            _stand_ins.append(name)


def _after_cell(_: Any) -> None:
    names = live_names()
    while _stand_ins:
        name = _stand_ins.pop()
        if isinstance(names.get(name), Undefined):
            del names[name]


def _shell() -> Any:
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None
