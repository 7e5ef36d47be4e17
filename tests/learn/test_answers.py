"""Every exercise of the course, and the answers recorded for it: the stub, the solution, right ones and wrong ones."""

import ast
import builtins
from functools import cache

import nbformat
import numpy as np
import pytest
from answers import right_answers, wrong_answers

from helpers.course import course
from helpers.learn.check import judge_source
from helpers.teach import solutions
from helpers.teach.course_folder import notebooks_folder

EXERCISES = list(course().exercises)


@cache
def code_cells(notebook):
    """Return the code cells of a notebook as it is handed out: id and source."""
    stored = nbformat.read(notebooks_folder() / course().notebooks[notebook].file, as_version=4)
    return {cell.id: cell.source for cell in stored.cells if cell.cell_type == "code"}


@cache
def notebook_data(notebook):
    """Return the names a notebook holds besides the exercises: X, head, omega_q, functions that are given ..."""
    trees = [ast.parse(source) for id_, source in code_cells(notebook).items() if id_ not in course().exercises]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    functions = {node.name: verdict_on for node in nodes if isinstance(node, ast.FunctionDef)}  # any function will do
    return functions | {
        node.id: None for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def verdict_on(name, source):
    """Judge a cell as its check does: with the earlier exercises passed, and the notebook's data in memory."""
    earlier = {other: solutions.function(other) for other in course().before(name)}
    data = notebook_data(course().exercises[name].notebook)
    kept = [(module, {**module.__dict__}) for module in (builtins, np)]
    try:
        return judge_source(name, source, earlier, data)[0]
    finally:  # some answers redefine what pytest needs too
        for module, names in kept:
            module.__dict__.update(names)


def solution_lines(name):
    """Return the statements of a solution."""
    (function,) = ast.parse(solutions.source(name)).body
    return [ast.unparse(statement) for statement in function.body[1:]]


@pytest.mark.parametrize("name", EXERCISES)
def test_the_stub_is_not_started(name):
    """The cell as it is handed out is told apart from a wrong answer."""
    assert verdict_on(name, code_cells(course().exercises[name].notebook)[name]).status == "not started"


@pytest.mark.parametrize("name", EXERCISES)
def test_the_solution_passes(name):
    """Our own solution passes its check."""
    assert verdict_on(name, solutions.source(name)).text.startswith(f"✓ {name}: ")


@pytest.mark.parametrize("name", EXERCISES)
def test_enough_answers_are_recorded(name):
    """Every exercise has right answers in other styles and three wrong ones at least, each under its own name."""
    right, wrong = right_answers(name), wrong_answers(name)

    assert right
    assert len(wrong) >= 3
    assert len({(one.called, one.unseen) for one in [*right, *wrong]}) == len(right) + len(wrong)


@pytest.mark.parametrize("answer", right_answers(), ids=lambda one: f"{one.exercise}-{one.called}")
def test_a_right_answer_passes(answer):
    """A right answer passes, in whatever style it is written."""
    verdict = verdict_on(answer.exercise, answer.source)

    assert verdict.status == "right", verdict.text


@pytest.mark.parametrize("answer", wrong_answers(), ids=lambda one: f"{one.exercise}-{one.called}")
def test_a_wrong_answer_is_refused_in_three_short_lines(answer):
    """A wrong answer is refused in at most three short lines that fit the mistake and show none of the solution."""
    verdict = verdict_on(answer.exercise, answer.source)
    lines = verdict.text.split("\n")

    assert verdict.status in ("wrong", "error"), verdict.text
    assert answer.says in verdict.text
    assert verdict.mistake == answer.named
    assert len(lines) <= 3
    assert max(map(len, lines)) <= 160
    given_away = [line for line in solution_lines(answer.exercise) if line in verdict.text]
    assert [line for line in given_away if line not in answer.source] == []  # the student's own line may be quoted
