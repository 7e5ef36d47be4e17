"""`attention check FILE`: the judgment of `check` on a saved notebook, in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from helpers.course import course
from helpers.learn import portfolio
from helpers.learn.check import judge_source
from helpers.learn.judge import Verdict
from helpers.teach import notebook_form, overlay


class NotOurs(ValueError):
    """The file is a notebook, but none of this course's."""


def check_file(path: Path) -> Iterator[Verdict]:
    """Yield the verdict on each exercise of a saved notebook, in the course's order.

    An answer may use the earlier functions that pass in this file, those in the student's `my_attention.py`, and ours
    of earlier notebooks where this edition holds them.
    The answers run in this process: it is meant for one's own notebook.

    Parameters
    ----------
    path : Path
        The notebook. It is read, never written.

    Raises
    ------
    ValueError
        If it is not a notebook, or none of this course's.
    """
    cells = overlay.code_cells(notebook_form.read(path))
    name = overlay.recognize(cells)
    if name is None:
        known = ", ".join(notebook.file for notebook in course().notebooks.values())
        raise NotOurs(f"{path.name}: expected one of this course's notebooks ({known}), found none of their exercises.")
    own = course().exercises_of(name)
    earlier: dict[str, Any] = portfolio.at_hand(own[0].function)
    for exercise in own:
        earlier.pop(exercise.function, None)  # only what passes in this file counts
    for function, source in overlay.answers(cells, name).items():
        if source is None:
            yield Verdict(function, "missing", overlay.MISSING)
            continue
        verdict, _, answer = judge_source(function, source, earlier)
        if verdict.status == "right":
            earlier[function] = answer
        yield verdict
