"""Whose notebook a file is, which code stands in its TODO cells, and what was written to its open questions."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

from helpers.course import course
from helpers.learn import portfolio
from helpers.learn.slices import NOT_PYTHON, Slice, answer_slice, bound_names, choose, defines, is_stub, plain_source
from helpers.teach import solutions

MISSING = ("missing: no code cell defines it. Was it deleted, or turned to text?",)  # said of an exercise


def code_cells(notebook: Any) -> list[tuple[str, str]]:
    """Return id and source of each code cell; a cell without an id has an empty one."""
    return [(cell.get("id", ""), cell.get("source", "")) for cell in notebook.cells if cell.cell_type == "code"]


def recognize(cells: Sequence[tuple[str, str]]) -> str | None:
    """Return which of the course's notebooks these code cells are, or None.

    A notebook is ours if a cell has the id of an exercise, or if it defines two exercises of one notebook or more.
    What it imports says nothing: later notebooks import the functions of earlier ones.
    """
    score: dict[str, int] = {}
    for exercise in course().exercises.values():
        by_id = any(id_ == exercise.function for id_, _ in cells)
        by_name = any(defines(source, exercise.function) for _, source in cells)
        score[exercise.notebook] = score.get(exercise.notebook, 0) + 2 * by_id + by_name
    best = max(score, key=lambda notebook: score[notebook], default=None)
    return best if best and score[best] >= 2 else None


def answers(cells: Sequence[tuple[str, str]], notebook: str) -> dict[str, str | None]:
    """Return, for each exercise of a notebook, the source of the cell that answers it; None where none does."""
    found: dict[str, str | None] = {}
    for exercise in course().exercises_of(notebook):
        index = choose(cells, exercise.function)
        found[exercise.function] = None if index is None else cells[index][1]
    return found


def remarks(cells: Sequence[tuple[str, str]], function: str) -> tuple[str, ...]:
    """Return what is unusual about where an answer stands, for whoever grades it; nothing where it stands as given."""
    index = choose(cells, function)
    if index is None:
        return ()
    found = []
    if cells[index][0] != function:
        found.append("found in another cell, by the function's name")
    several = sum(defines(source, function) for _, source in cells)
    if several > 1:
        found.append(f"{several} cells define it: the answer is number {index + 1} of the code cells")
    return tuple(found)


def at_hand(cells: Sequence[tuple[str, str]]) -> dict[str, object]:
    """Return the names that code cells bind, as a check finds them in its session: some module, some function, or None.

    An answer runs without them. They are there to say of a missing name where it comes from.
    """
    return {name: value for _, source in cells for name, value in _bound(source).items()}


@lru_cache(maxsize=1024)  # most cells of a notebook are ours, and the same in a whole class
def _bound(source: str) -> dict[str, object]:
    try:
        bound = [(statement, bound_names(statement)) for statement in ast.parse(plain_source(source)).body]
    except NOT_PYTHON:
        return {}
    kinds = {ast.Import: ast, ast.FunctionDef: at_hand, ast.ClassDef: at_hand}  # any module and any function will do
    return {name: kinds.get(type(statement)) for statement, names in bound for name in names}


def reflections(cells: Sequence[tuple[str, str]], notebook: str) -> dict[str, str]:
    """Return what a student wrote to the open questions of a notebook; of several texts to one question the last.

    Nothing is run: a text that is put together, or has a name, is returned as it stands in the code.
    """
    asked = [one.name for one in course().reflections.values() if one.notebook == notebook]
    written: dict[str, str] = {}
    for _, source in cells:
        if "reflect" in source:
            written |= _reflected(plain_source(source), asked)
    return {name: written[name] for name in asked if name in written}


def _reflected(source: str, asked: Collection[str]) -> dict[str, str]:
    """Return the text that a cell gives to each question, by `reflect("NAME", "...")`; empty ones are left out."""
    try:
        tree = ast.parse(source)
    except NOT_PYTHON:
        return {}
    calls = [
        one
        for one in ast.walk(tree)
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "reflect"
    ]
    given: dict[str, ast.expr] = {}
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        arguments: dict[str | None, ast.expr] = dict(zip(("name", "text"), call.args, strict=False))
        arguments |= {one.arg: one.value for one in call.keywords}
        name, text = _words(arguments.get("name")), arguments.get("text")
        if name in asked and text is not None and (not isinstance(text, ast.Constant) or _words(text).strip()):
            given[name] = text
    return {name: _words(text) or ast.get_source_segment(source, text) or "" for name, text in given.items()}


def _words(argument: ast.expr | None) -> str:
    """Return the text that an argument is; empty where it is anything else."""
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else ""


def left_out(function: str, source: str | None) -> bool:
    """Return whether an answer is that of an option that was not tried: no cell, or the stub."""
    if not course().exercises[function].optional:
        return False
    if source is None:
        return True
    try:
        part = answer_slice(source, function)
    except NOT_PYTHON:
        return False
    return part is None or is_stub(part)


def names_kept(source: str, function: str) -> list[str]:
    """Return the names that an answer's cell may give values to: its function's, and what that needs."""
    try:
        part = answer_slice(source, function, course().exercises)
    except NOT_PYTHON:
        part = None
    statements = part.tree.body if part else []
    return sorted({function}.union(*(bound_names(statement) for statement in statements)))


def solved(notebook: str) -> dict[str, str]:
    """Return, for each exercise of a notebook, its solution's source."""
    return {exercise.function: solutions.source(exercise.function) for exercise in course().exercises_of(notebook)}


def earlier_file(notebook: str, own: str = "") -> str:
    """Return the text of a `my_attention.py` with the exercises of all earlier notebooks, and none of this one's.

    Parameters
    ----------
    notebook : str
        The notebook that will import from it.
    own : str, optional
        The text of a student's file: where this edition holds no solution, its function is taken.
    """
    text = ""
    written = portfolio.sections(portfolio.intact(own))
    for exercise in course().earlier(notebook):
        source = solutions.source_or_none(exercise.function) or written.get(exercise.function)
        if source is not None:
            text = portfolio.insert(text, Slice(exercise.function, ast.parse(source), source))
    return text
