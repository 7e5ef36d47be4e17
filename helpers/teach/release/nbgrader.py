"""The notebooks as nbgrader has them: its cell metadata (schema 3), and a folder for each assignment."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

import nbformat

from helpers.course import Exercise, Notebook, course
from helpers.teach import notebook_form

SCHEMA = 3
# nbgrader's restores these from its own copy before it runs a submission. A student may change every other given cell.
LOCKED = ("setup", "earlier")

_PICTURE = re.compile(r"\]\((figures/[^)]+)\)")
_STUB = re.compile(r"^( *)raise NotImplementedError$", re.MULTILINE)


def marked(notebook: Any) -> Any:
    """Return a copy of a notebook with nbgrader's metadata.

    A TODO cell is a solution cell. The check under it is a locked test cell: it raises, or it is worth the exercise's
    points. A warm-up's is worth 0, which makes `nbgrader validate` speak of it. An option has no metadata: who leaves
    it out has not failed. Questions, reflections and explorers have none either, so that students can write in them.
    """
    result = copy.deepcopy(notebook)
    graded = {name: exercise for name, exercise in course().exercises.items() if not exercise.optional}
    for cell in result.cells:
        if cell.id in graded:
            cell.metadata.nbgrader = _metadata(cell, solution=True)
        elif exercise := graded.get(cell.id.removesuffix("-check")):
            cell.metadata.nbgrader = _metadata(cell, grade=exercise)
        elif cell.id in LOCKED:
            cell.metadata.nbgrader = _metadata(cell)
    return result


def _metadata(cell: Any, *, solution: bool = False, grade: Exercise | None = None) -> Any:
    points = {} if grade is None else {"points": grade.points}
    return nbformat.from_dict(
        {
            "schema_version": SCHEMA,
            "grade_id": cell.id,
            "cell_type": cell.cell_type,
            "grade": grade is not None,
            "solution": solution,
            "locked": not solution,
            "task": False,
            **points,
        }
    )


def assignments(notebooks: Mapping[Notebook, Any], files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the folder `source` of an nbgrader course: one assignment a notebook, each with its pictures.

    Parameters
    ----------
    notebooks : mapping
        What is handed out of each notebook.
    files : mapping
        The edition's files, with the pictures.
    """
    found: dict[str, bytes] = {}
    for notebook, cells in notebooks.items():
        text = notebook_form.text(_with_regions(marked(cells)))
        folder = f"source/{PurePosixPath(notebook.file).stem}"
        found[f"{folder}/{notebook.file}"] = text.encode()
        found |= {f"{folder}/{picture}": files[f"notebooks/{picture}"] for picture in _PICTURE.findall(text)}
    return found


def _with_regions(notebook: Any) -> Any:
    """Put nbgrader's marks around what a student replaces: it would empty a solution cell that has none.

    What it puts between the marks, `raise NotImplementedError()`, is "not started" for a check, too.
    """
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = _STUB.sub(r"\1### BEGIN SOLUTION\n\g<0>\n\1### END SOLUTION", cell.source)
    return notebook
