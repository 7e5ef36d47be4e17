"""What an edition holds: every file by its path, from the course folder and those in `templates/`."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import jinja2

from helpers.course import Notebook, course, numbered
from helpers.learn.slices import answer_slice, is_stub
from helpers.teach import notebook_form
from helpers.teach.course_folder import course_folder, notebooks_folder, solutions_folder
from helpers.teach.release import nbgrader as nbgrader_form
from helpers.truth import reference_cells

EDITIONS = ("course", "self-study")
AS_THEY_ARE = ("LICENSE", "LICENSE-CONTENT", "NOTICE", "environment.yml", "requirements.lock")

# Of pyproject.toml a student gets what installs the course; an author's extras and tools stay.
_INSTALLS = re.compile(r"\[(build-system|project(?!\.optional-dependencies)|tool\.setuptools)\b")
_MADE_BY_PYTHON = "__pycache__"


def contents(kind: str, unlock: Collection[str], *, nbgrader: bool) -> dict[str, bytes]:
    """Return the files of an edition, by their paths with forward slashes, sorted.

    Parameters
    ----------
    kind : {"course", "self-study"}
        Without solutions, or with all of them.
    unlock : collection of str
        The numbers of the notebooks whose solutions a course edition holds all the same.
    nbgrader : bool
        With nbgrader's cell metadata, and a folder `source` for an nbgrader course.

    Raises
    ------
    ValueError
        As in `release`.
    """
    if kind not in EDITIONS:
        raise ValueError(f"got the edition {kind!r}, expected one of {', '.join(EDITIONS)}.")
    if kind == "self-study" and unlock:
        raise ValueError("got --unlock for the self-study edition, which holds every solution. Leave --unlock out.")
    notebooks = course().notebooks.values()
    open_ = [*notebooks] if kind == "self-study" else numbered(unlock, "--unlock")
    found = _solutions(open_) | _from_templates(kind, open_, nbgrader=nbgrader)
    found |= {name: (course_folder() / name).read_bytes() for name in AS_THEY_ARE}
    found["pyproject.toml"] = _pyproject().encode()
    found |= {f"helpers/{name}": content for name, content in _folder(course_folder() / "helpers")}
    found |= {f"notebooks/figures/{name}": content for name, content in _folder(notebooks_folder() / "figures")}
    handed_out = {one: _cleared(one) for one in notebooks}
    if nbgrader:
        found |= nbgrader_form.assignments(handed_out, found)
        handed_out = {one: nbgrader_form.marked(cells) for one, cells in handed_out.items()}
    found |= {f"notebooks/{one.file}": notebook_form.text(cells).encode() for one, cells in handed_out.items()}
    return dict(sorted(found.items()))


def _cleared(notebook: Notebook) -> Any:
    """Return a notebook in its stored form, without outputs and counts.

    Raises
    ------
    ValueError
        If its code is not what the course's author stored: an answer in a TODO cell would be handed out.
    """
    cells = notebook_form.normal(notebook_form.read_as_is(notebooks_folder() / notebook.file))
    code = [cell for cell in cells.cells if cell.cell_type == "code"]
    stored = {cell["id"]: cell["source"] for cell in reference_cells(notebook.name)}
    for cell in code:
        if not (_is_stub(cell) if cell.id in course().exercises else cell.source == stored.get(cell.id)):
            raise ValueError(
                f"{notebook.file}: got the cell {cell.id!r} changed, expected it as the course has stored it. "
                "Is it an answer of your own? Put the notebook back. Is it a change for all? Run `attention refresh`."
            )
        cell.outputs, cell.execution_count = [], None
    return cells


def _is_stub(cell: Any) -> bool:
    """Return whether a TODO cell holds the stub, and nothing beside it."""
    try:
        part = answer_slice(cell.source, cell.id)
        return part is not None and is_stub(part) and len(ast.parse(cell.source).body) == 1
    except (SyntaxError, ValueError):
        return False


def _folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a folder: the path from there, and what it holds. What is hidden or compiled stays."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.is_file() and not any(part.startswith(".") or part == _MADE_BY_PYTHON for part in inside.parts):
            yield inside.as_posix(), path.read_bytes()


def _solutions(notebooks: Collection[Notebook]) -> dict[str, bytes]:
    """Return the solutions of these notebooks, without the typical mistakes."""
    wanted = {one: solutions_folder() / f"{one.name}.py" for one in notebooks}
    missing = [f"{one.number:02d}" for one, path in wanted.items() if not path.is_file()]
    if missing:
        raise ValueError(
            f"expected solutions of the notebooks {', '.join(missing)} in {solutions_folder()}, found none. "
            "This is an edition without them. Run the command in the full course, or leave them out."
        )
    paths = [solutions_folder() / "__init__.py", *wanted.values()] if wanted else []
    return {f"solutions/{path.name}": path.read_bytes() for path in paths}


def _pyproject() -> str:
    """Return the tables of pyproject.toml that install the course."""
    tables = re.split(r"^(?=\[)", (course_folder() / "pyproject.toml").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return "".join(table for table in tables if _INSTALLS.match(table)).rstrip() + "\n"


def _from_templates(kind: str, open_: Collection[Notebook], *, nbgrader: bool) -> dict[str, bytes]:
    """Return what a student finds in the place of the course's own README.md and Makefile."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("helpers.teach.release"),
        autoescape=False,  # noqa: S701  what is written is markdown, from words of ours
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    names = ("README.md", "Makefile", *(("NBGRADER.md",) if nbgrader else ()))
    notebooks = course().notebooks.values()
    points = {one.name: sum(exercise.points for exercise in course().exercises_of(one.name)) for one in notebooks}
    known = {"kind": kind, "open": open_, "notebooks": notebooks, "points": points, "nbgrader": nbgrader}
    return {name: environment.get_template(name).render(known).encode() for name in names}
