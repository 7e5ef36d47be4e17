"""The cells we give a student run on what the checks accept: other names for the arguments, float32, other ways."""

import contextlib
import io
import warnings
from functools import cache

import numpy as np
import pytest
from answers import right_answers

from helpers.course import course
from helpers.learn.check import judge_source
from helpers.parameters import Head, Layer
from helpers.teach import notebook_form, solutions
from helpers.teach.course_folder import notebooks_folder


@cache
def given_cells(notebook):
    """Return the code of the cells that a student does not write, below the imports."""
    stored = notebook_form.read(notebooks_folder() / course().notebooks[notebook].file)
    return [
        compile(cell.source, f"<{cell.id}>", "exec")
        for cell in stored.cells
        if cell.cell_type == "code"
        and cell.id not in {"setup", "earlier", *course().exercises}
        and not notebook_form.asks_the_reader(cell.source)
    ]


@pytest.mark.parametrize("answer", right_answers(), ids=lambda one: f"{one.exercise}-{one.called}")
def test_given_cells_run_on_every_right_answer(answer):
    """With one exercise answered in an unusual style no given cell fails, or the check has said what to return."""
    lent = {other: solutions.function(other) for other in course().before(answer.exercise)}
    verdict, _, function = judge_source(answer.exercise, answer.source, lent)
    if "Later cells want an array" in verdict.text:
        return
    functions = {name: solutions.function(name) for name in course().exercises}
    functions[answer.exercise] = function
    names = {"np": np, "Head": Head, "Layer": Layer, "show": lambda name, value: np.asarray(value), **functions}

    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a student's numpy.matrix, say
        for cell in given_cells(course().exercises[answer.exercise].notebook):
            exec(cell, names)  # noqa: S102  our own notebook
