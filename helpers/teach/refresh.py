"""`attention refresh`: run the solutions; store what they print in the notebooks, the true values, and the pictures.

`attention refresh 3` does so for notebook 3 alone. `attention refresh --check` writes nothing and fails if anything
stored is not what the solutions give.
"""

from __future__ import annotations

import ast
import json
import math
import os
import re
import subprocess
import tempfile
import traceback
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from helpers.course import Notebook, course
from helpers.examples import examples
from helpers.examples.example import Example
from helpers.learn import home
from helpers.learn.compare import finite
from helpers.learn.results import Layout, layout_of, read
from helpers.learn.run import copied
from helpers.teach import figures, fingerprints, notebook_form, overlay, solutions, stages
from helpers.teach.course_folder import course_folder, notebooks_folder, solutions_folder, true_values_folder
from helpers.teach.mistakes import NotAPatch
from helpers.teach.numbers import text_difference
from helpers.teach.problems import problems
from helpers.truth import read_truth

# Stored to this many digits of the largest magnitude: far below the check's tolerance, far above what differs
# between two builds of numpy.
DIGITS = 10


FINITE = "Results are finite; let the exercise return what becomes of it, as weights or outputs."


class NotFinite(ValueError):
    """An array that is to be stored holds inf or nan."""


class Drift(ValueError):
    """Something an author must mend by hand before anything can be stored; one line each."""


def refresh(numbers: Collection[int] = (), *, check: bool = False) -> list[str]:
    """Bring notebooks, true values and pictures up to date with the solutions.

    Parameters
    ----------
    numbers : collection of int
        Which notebooks; none stands for all.
    check : bool
        Write nothing.

    Returns
    -------
    list of str
        The files that were (with `check`: would be) written, each with the first thing that changed.

    Raises
    ------
    Drift
        If a stub is not its solution's, a cell id is missing, or a notebook does not run.
    ValueError
        If there is no notebook of a number.
    """
    everything = {notebook.number: notebook for notebook in course().notebooks.values()}
    for number in numbers:
        if number not in everything:
            raise ValueError(f"got notebook {number}, expected one of {', '.join(map(str, everything))}.")
    chosen = [everything[number] for number in everything if number in numbers or not numbers]
    stored = {one: notebook_form.normal(notebook_form.read_as_is(notebooks_folder() / one.file)) for one in chosen}
    wanted: dict[Path, str] = {}
    with _errors_with_their_place():
        if found := [f"{one.file}: {problem}" for one, cells in stored.items() for problem in problems(cells, one)]:
            raise Drift("\n".join(found))
        normal = {notebooks_folder() / one.file: notebook_form.text(cells) for one, cells in stored.items()}
        for notebook, cells in stored.items():
            wanted |= _notebook_and_truth(notebook, cells)
    drawn = figures.figures([notebook.name for notebook in chosen])
    pictures = {notebooks_folder() / "figures" / name: svg for name, svg in drawn.items()}
    wanted |= pictures
    changed = []
    for path, text in wanted.items():
        before = path.read_text(encoding="utf-8") if path.is_file() else ""
        if text != before:
            what = _changed_cell(before, normal[path], text) if path in normal else _first_change(before, text)
            changed.append(f"{path.parent.name}/{path.name}: {what}")
            if not check and not home.write(path, text):
                raise Drift(f"{path} cannot be written.")
    strays = sorted(set((notebooks_folder() / "figures").glob("*.svg")) - set(pictures))
    if strays and len(chosen) == len(everything):
        names = ", ".join(stray.name for stray in strays)
        raise Drift(f"notebooks/figures/ holds {names}, which nothing draws any more; delete it by hand.")
    return changed


@contextmanager
def _errors_with_their_place() -> Iterator[None]:
    """Make a `Drift` of an error in an author's solutions, mistakes or examples: one line, with file and line."""
    try:
        yield
    except Exception as error:
        solution, inputs = solutions_folder(), course_folder() / "helpers" / "examples"
        places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
        if isinstance(error, SyntaxError):
            places.append((error.filename or "", error.lineno))
        authors = [place for place in places if Path(place[0]).parent in (solution, solution / "mistakes", inputs)]
        if not authors:
            raise
        file, line = authors[-1]
        said = error.msg if isinstance(error, SyntaxError) else error
        name = Path(file).relative_to(course_folder()).as_posix()
        raise Drift(f"{name}, line {line}: {type(error).__name__}: {said}") from error


def _notebook_and_truth(notebook: Notebook, stored: Any) -> dict[Path, str]:
    """Return what one notebook's file and its true values should be."""
    path = notebooks_folder() / notebook.file
    exercises = {exercise.function: _truth(exercise.function) for exercise in course().exercises_of(notebook.name)}
    outputs, shown = _run(stored, notebook)
    for cell in stored.cells:
        if cell.id in outputs:
            cell.outputs = _keep_if_same(cell.outputs, notebook_form.merged(outputs[cell.id]))
    fresh = notebook_form.normal(stored)

    truth_path = true_values_folder() / f"{notebook.name}.json"
    before = json.loads(truth_path.read_text(encoding="utf-8")) if truth_path.is_file() else {}
    truth = {
        "exercises": exercises,
        "shown": {name: _stored_shown(notebook, name, value) for name, value in shown.items()},
        "cells": _reference_cells(fresh, notebook),
    }
    truth = _keep_numbers(before, truth)
    return {
        path: notebook_form.text(fresh),
        truth_path: _dump(truth) + "\n",
        **_fingerprints(notebook, truth["exercises"]),
        **_stages(notebook),
    }


def _fingerprints(notebook: Notebook, exercises: dict[str, Any]) -> dict[Path, str]:
    """Return what the file of one notebook's mistakes should be."""
    path = true_values_folder() / "fingerprints" / f"{notebook.name}.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    try:
        fresh = fingerprints.fingerprints(notebook.name, {name: read_truth(one) for name, one in exercises.items()})
    except NotAPatch as error:
        raise Drift(str(error)) from None
    for part, as_before in (("exercises", fingerprints.as_before), ("pairs", fingerprints.pairs_as_before)):
        stored = before.get(part, {})
        fresh[part] = {name: as_before(stored.get(name, {}), lines) for name, lines in fresh[part].items()}
    return {path: _dump(fresh) + "\n"}


def _stages(notebook: Notebook) -> dict[Path, str]:
    """Return what the file of the known steps of one notebook's exercises should be."""
    path = true_values_folder() / "stages" / f"{notebook.name}.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    fresh = {
        name: {
            position: [stages.as_stored(one, _stored_array(one.value, stages.DIGITS)) for one in steps]
            for position, steps in chosen.items()
        }
        for name, chosen in stages.stored_stages(notebook.name).items()
    }
    return {path: _dump(_keep_numbers(before, fresh, stages.DIGITS)) + "\n"}


def _stored_shown(notebook: Notebook, name: str, value: dict[str, Any]) -> dict[str, Any]:
    try:
        return _stored_array(np.array(value["values"]).reshape(value["shape"]))
    except NotFinite:
        raise Drift(f"{notebook.file}: what is shown as {name!r} holds inf or nan. Show what becomes of it.") from None


# --- what the solutions give


def _run(stored: Any, notebook: Notebook) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """Run a notebook with its solutions; return each stored cell's outputs, and the values that were shown."""
    running = nbformat.from_dict(json.loads(json.dumps(stored)))
    solved = overlay.solved(notebook.name)
    running.cells = [
        cell for cell in running.cells if cell.cell_type == "code" and not notebook_form.asks_the_reader(cell.source)
    ]
    for cell in running.cells:
        cell.source = solved.get(cell.id, cell.source)
    with tempfile.TemporaryDirectory(prefix="attention-") as folder:
        record = Path(folder) / "shown.jsonl"
        (Path(folder) / "my_attention.py").write_text(overlay.earlier_file(notebook.name), encoding="utf-8")
        environment = {
            **{name: value for name, value in os.environ.items() if name != "JPY_SESSION_NAME"},
            "ATTENTION_HOME": folder,
            "ATTENTION_RECORD": str(record),
            "OPENBLAS_NUM_THREADS": "1",
        }
        try:
            try:
                _execute(running, environment, startup_timeout=20)
            except RuntimeError:  # two kernels that start at once may pick the same port: once more
                record.unlink(missing_ok=True)
                _execute(running, environment, startup_timeout=60)
        except CellExecutionError as error:
            broken = next(c.id for c in running.cells if any(output.output_type == "error" for output in c.outputs))
            said = f"{error.ename}: {error.evalue}".partition("\n")[0]
            raise Drift(f"{notebook.file} does not run with its solutions: cell {broken!r} raises {said}") from None
        lines = record.read_text(encoding="utf-8").splitlines() if record.is_file() else []
    shown: dict[str, Any] = {}
    for line in map(json.loads, lines):
        if line["name"] in shown:
            raise Drift(f"{notebook.file}: the name {line['name']!r} is shown twice; names are unique in the course.")
        shown[line.pop("name")] = line
    return {cell.id: [] if cell.id in solved else cell.outputs for cell in running.cells}, shown


def _execute(notebook: Any, environment: dict[str, str], startup_timeout: int) -> None:
    """Run a notebook in place, in the folder of the notebooks."""
    client = NotebookClient(
        notebook,
        timeout=60,
        startup_timeout=startup_timeout,
        resources={"metadata": {"path": str(notebooks_folder())}},
        extra_arguments=["--log-level=40"],
    )
    # A kernel that ends may print a line of its messaging library's; what cells print comes another way.
    client.execute(env=environment, stderr=subprocess.DEVNULL)


def _truth(name: str) -> dict[str, Any]:
    """Return what is stored of one exercise."""
    definition = solutions.definition(solutions.source(name), name)
    assert definition is not None  # noqa: S101  `problems` has seen it
    returns = _returns(ast.get_docstring(definition) or "")
    if not returns:
        raise Drift(
            f"{name}: expected lines like `A : array, shape (N_k, N_q)` under Returns in its docstring, got none."
        )
    return {
        "arguments": [argument.arg for argument in definition.args.args],
        "returns": returns,
        "examples": [_stored_result(name, example) for example in examples(name)],
    }


def _returns(docstring: str) -> list[list[str]]:
    """Return name and shape of each array in a docstring's Returns section."""
    _, _, section = docstring.partition("Returns\n-------\n")
    return [[name, shape or ""] for name, shape in re.findall(r"^(\w+) : [^(\n]*(\([^\n]*\))?$", section, re.MULTILINE)]


def _stored_result(name: str, example: Example) -> dict[str, Any]:
    try:
        with np.errstate(all="ignore"):  # a broken solution shows in its numbers
            value = solutions.function(name)(*copied(example.arguments))
        layout = layout_of(value)
        arrays = iter(read(value, layout).arrays)
    except Exception as error:
        if example.refuses and isinstance(error, ValueError):
            return {"raises": "ValueError"}
        raise Drift(f"{name}, {example.where}: the solution gives {type(error).__name__}: {error}") from error
    if example.refuses:
        raise Drift(f"{name}, {example.where}: expected a ValueError of the solution, got a result.")
    try:
        return _stored_parts(layout, arrays)
    except NotFinite:
        raise Drift(f"{name}, {example.where}: the result holds inf or nan. {FINITE}") from None


def _stored_parts(layout: Layout, arrays: Iterator[Any]) -> dict[str, Any]:
    if layout is None:
        return _stored_array(next(arrays))
    return {"parts": [_stored_parts(inner, arrays) for inner in layout]}


def _stored_array(array: Any, digits: int = DIGITS) -> dict[str, Any]:
    if not finite(array):
        raise NotFinite
    decimals = _decimals(array, digits)
    return {"shape": list(array.shape), "values": (np.round(array, decimals) + 0.0).ravel().tolist()}


def _decimals(array: Any, digits: int) -> int:
    largest = float(np.max(np.abs(array))) if array.size else 0.0
    return digits - 1 - (math.floor(math.log10(largest)) if largest else 0)


def _reference_cells(fresh: Any, notebook: Notebook) -> list[dict[str, Any]]:
    """Return our code cells as the nbval plugin wants them; a TODO cell's source stays with the notebook.

    Texts are lists of lines, so that a diff shows the line. A cell that is stored unrun has null for its outputs.
    """
    todo = {exercise.function for exercise in course().exercises_of(notebook.name)}
    return [
        {
            "id": cell.id,
            "source": [] if cell.id in todo else cell.source.split("\n"),
            "outputs": None if notebook_form.is_unrun(cell) else [_by_lines(output) for output in cell.outputs],
        }
        for cell in fresh.cells
        if cell.cell_type == "code"
    ]


def _by_lines(output: Any) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(output, sort_keys=True))
    return {**plain, "text": plain["text"].split("\n")} if "text" in plain else plain


# --- what has not changed stays as it is, to the digit


def _keep_if_same(stored: list[Any], fresh: list[Any]) -> list[Any]:
    """Return the stored outputs if the fresh ones differ by no more than a last digit."""
    if len(stored) != len(fresh):
        return fresh
    for ours, new in zip(stored, fresh, strict=True):
        if {**ours, "text": ""} != {**new, "text": ""} or not _same_text(ours.get("text", ""), new.get("text", "")):
            return fresh
    return stored


def _same_text(stored: str, fresh: str) -> bool:
    """Return whether two printed texts have one layout, and numbers that differ by no more than a last digit."""
    return re.sub(r"\d", "0", stored) == re.sub(r"\d", "0", fresh) and not text_difference(stored, fresh)


def _keep_numbers(stored: Any, fresh: Any, digits: int = DIGITS) -> Any:
    """Return `fresh` with every array that equals the stored one, up to a unit of its last decimal, as stored."""
    if isinstance(fresh, dict) and isinstance(stored, dict):
        if "shape" in fresh:
            return stored if _same_array(stored, fresh, digits) else fresh
        if isinstance(fresh.get("text"), list) and isinstance(stored.get("text"), list):
            return stored if _same_text("\n".join(stored["text"]), "\n".join(fresh["text"])) else fresh
        return {key: _keep_numbers(stored.get(key), value, digits) for key, value in fresh.items()}
    if isinstance(fresh, list) and isinstance(stored, list) and len(fresh) == len(stored):
        return [_keep_numbers(ours, new, digits) for ours, new in zip(stored, fresh, strict=True)]
    return fresh


def _same_array(stored: dict[str, Any], fresh: dict[str, Any], digits: int) -> bool:
    same_place = {**stored, "values": []} == {**fresh, "values": []}  # the shape, and a stage's name
    if not same_place or len(stored["values"]) != len(fresh["values"]):
        return False
    unit = 10.0 ** -_decimals(np.array(fresh["values"]), digits)
    return all(abs(a - b) <= 1.0001 * unit for a, b in zip(stored["values"], fresh["values"], strict=True))


def _dump(value: Any, depth: int = 0, *, by_lines: bool = False) -> str:
    """Return JSON with one line for each array and each line of source, so that a diff can be read."""
    pad, inner = " " * depth, " " * (depth + 1)
    if isinstance(value, dict) and value and "shape" not in value:
        items = [
            f"{inner}{json.dumps(key)}: {_dump(item, depth + 1, by_lines=key in ('source', 'text'))}"
            for key, item in value.items()
        ]
        return "{\n" + ",\n".join(items) + f"\n{pad}}}"
    if isinstance(value, list) and value and (by_lines or isinstance(value[0], dict)):
        return "[\n" + ",\n".join(inner + _dump(item, depth + 1) for item in value) + f"\n{pad}]"
    return json.dumps(value, ensure_ascii=False)


def _changed_cell(before: str, normal: str, after: str) -> str:
    """Return the first cell of a notebook that differs, by its id, and how.

    The form in which a front end saved it is mended without a word, unless nothing else changed.
    """
    form = normal == after
    old, new = (json.loads(text)["cells"] for text in (before if form else normal, after))
    for ours, fresh in zip(old, new, strict=True):
        if ours.get("outputs") and not fresh.get("outputs"):
            return f"cell {fresh['id']!r}: its output goes"
        if ours != fresh:
            texts = [json.dumps(cell, indent=1, ensure_ascii=False) for cell in (ours, fresh)]
            return f"cell {fresh['id']!r}: {'its form' if form else _first_change(*texts)}"
    return "its form"


def _first_change(before: str, after: str) -> str:
    """Return the first line that differs, in short, from just before the difference."""
    if not before:
        return "new"
    for ours, new in zip(before.splitlines(), after.splitlines(), strict=False):
        if ours != new:
            at = next((i for i, (a, b) in enumerate(zip(ours, new, strict=False)) if a != b), min(len(ours), len(new)))
            start = max(at - 20, 0)
            return f"{ours[start : start + 60].strip()!r} becomes {new[start : start + 60].strip()!r}"
    return "its end differs"
