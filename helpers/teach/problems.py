"""What an author must mend by hand before anything can be stored: every problem at once, each with its place."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import Any

from helpers.course import Exercise, Notebook, course
from helpers.examples import has_examples, has_hidden, unknown
from helpers.learn.slices import answer_slice, is_stub
from helpers.teach import notebook_form, solutions

_ASKS_QUESTION = re.compile(r"\b(predict|reveal|reflect)\(\s*[\"'](\w*)[\"']")
_ASKS_EXERCISE = re.compile(r"\b(check|hint|solution)\(\s*(\w+)\s*[,)]")


def problems(stored: Any, notebook: Notebook) -> list[str]:
    """Return what is wrong with one notebook, its solutions, its manifest entries and its inputs.

    Parameters
    ----------
    stored : notebook
        In the stored form.
    notebook : Notebook
        Which one it is.
    """
    found = [*notebook_form.problems(stored), *_unknown_names(stored), *_question_problems(stored, notebook)]
    found += [
        f"helpers/examples/{notebook.name}.py: {kind} has {name!r}, which is no exercise of this notebook."
        for kind, name in unknown(notebook.name)
    ]
    for count, exercise in enumerate(course().exercises_of(notebook.name), start=1):
        if exercise.number != (expected := f"{notebook.number}.{count}"):
            found.append(
                f"{exercise.function}: course.toml: number is {exercise.number!r}, expected {expected!r}: it is "
                f"exercise {count} of its notebook."
            )
        found += [f"{exercise.function}: {problem}" for problem in _exercise_problems(stored, exercise)]
    return found


def _exercise_problems(stored: Any, exercise: Exercise) -> list[str]:
    found = []
    if len(exercise.hints) != 3 or not all(hint.strip() for hint in exercise.hints):
        found.append("course.toml must have three hints.")
    if not has_examples(exercise.function):
        found.append(
            f"helpers/examples/{exercise.notebook}.py has no inputs for it; write a function and list it in EXAMPLES."
        )
    if not has_hidden(exercise.function):
        found.append(
            f"helpers/examples/{exercise.notebook}.py has no two hidden inputs for it; list in HIDDEN what draws them."
        )
    try:
        solution = solutions.source_or_none(exercise.function)
        if solution is None:
            found.append(f"solutions/{exercise.notebook}.py does not define it; write it there.")
    except SyntaxError as error:
        solution = None
        found.append(f"solutions/{exercise.notebook}.py, line {error.lineno}: {error.msg}.")
    prose = _prose(stored)
    if f"### {exercise.number} · {exercise.title}\n" not in f"{prose}\n":
        found.append(f"no heading reads `### {exercise.number} · {exercise.title}`, as in course.toml.")
    if exercise.optional and (exercise.points or not _below_progress(stored, exercise.function)):
        found.append(
            "an optional exercise has 0 points and stands below the cell `progress()`, so that Run All gets there."
        )
    return [*found, *_stub_problems(stored, exercise.function, solution)]


def _prose(stored: Any) -> str:
    return "\n".join(cell.source for cell in stored.cells if cell.cell_type == "markdown")


def _below_progress(stored: Any, id_: str) -> bool:
    ids = [cell.id for cell in stored.cells]
    return "progress-cell" in ids and id_ in ids and ids.index(id_) > ids.index("progress-cell")


def _question_problems(stored: Any, notebook: Notebook) -> list[str]:
    """Return which questions read otherwise than in the manifest, or show their outcome before the guess."""
    found = []
    prose = _prose(stored)
    for question in course().questions.values():
        choices = ", ".join(f"({letter}) {words}" for letter, words in question.choices.items())
        if question.notebook == notebook.name and f"{choices}." not in prose:
            found.append(f"the choices of {question.name!r} do not read as in course.toml: `{choices}.`")
    cells = [cell for cell in stored.cells if cell.cell_type == "code"]
    for above, cell in pairwise(cells):
        if cell.source.startswith("reveal(") and not notebook_form.is_unrun(above):
            found.append(
                f"cell {above.id!r} shows what {cell.id!r} asks about: let its id end in -try, and it is stored unrun."
            )
    return found


def _stub_problems(stored: Any, name: str, solution: str | None) -> list[str]:
    """Return where a stub is not its solution's, or is not a stub, or has no check under it."""
    cells = [cell for cell in stored.cells if cell.cell_type == "code"]
    position = next((index for index, cell in enumerate(cells) if cell.id == name), None)
    if position is None:
        return [f"no code cell has the id {name!r}."]
    source = cells[position].source
    found = []
    try:
        part = answer_slice(source, name)
    except SyntaxError as error:
        return [f"the stub is not Python, line {error.lineno}: {error.msg}."]
    if part is None or not is_stub(part):
        found.append("the stub must hold a docstring, TODO comments and `raise NotImplementedError`, nothing else.")
    elif solution is not None and _interface(source, name) != _interface(solution, name):
        found.append("the stub's signature or docstring is not the solution's.")
    if "# TODO 1: " not in source:
        found.append("the stub has no `# TODO 1: ...` step.")
    following = cells[position + 1] if position + 1 < len(cells) else None
    if following is None or following.id != f"{name}-check" or following.source != f"check({name})":
        found.append(f"the next code cell must be `check({name})` with the id {name}-check.")
    return found


def _interface(source: str, name: str) -> tuple[str, str]:
    """Return a function's signature and docstring, as a syntax tree reads them."""
    found = solutions.definition(source, name)
    return (ast.unparse(found.args), ast.get_docstring(found) or "") if found else ("", "")


def _unknown_names(stored: Any) -> list[str]:
    """Return which cells ask for a question, reflection or exercise that the manifest does not have."""
    known = course()
    asked = {"predict": {*known.questions}, "reveal": {*known.questions}, "reflect": {*known.reflections}}
    found = []
    for cell in stored.cells:
        if cell.cell_type != "code":
            continue
        for caller, name in _ASKS_QUESTION.findall(cell.source):
            if name not in asked[caller]:
                found.append(f"cell {cell.id!r}: {caller} asks for {name!r}, which is not in course.toml.")
        for caller, name in _ASKS_EXERCISE.findall(cell.source):
            if name not in known.exercises:
                found.append(f"cell {cell.id!r}: {caller} asks for `{name}`, which is not in course.toml.")
    return found
