"""What the grader says of an answer is what its check says: status, lines and mistake of every recorded answer."""

import builtins

import nbformat
import numpy as np
import pytest
from answers import recorded

from helpers.course import course
from helpers.learn.check import judge_source
from helpers.teach import solutions
from helpers.teach.grading.mark import Grader
from helpers.teach.grading.sandbox.confine import Limits
from helpers.teach.grading.sandbox.runner import Runner
from helpers.teach.grading.submission import Submission

# They keep something from call to call, and the grader makes the calls in an order that nobody can know. Both judges
# find them wrong, on another example or in other words.
ORDER_MATTERS = {
    "counts_its_calls",
    "remembers_the_first_call",
    "remembers_the_last_call",
    "kept_by_shape",
    "outputs_kept_by_shape",
    "works_once",
}


@pytest.fixture(scope="module")
def grader():
    """Return one grader for the file."""
    with Runner(Limits(), seed=7) as runner:
        yield Grader(runner, secret=20261130)


def check_says(function, source):
    """Judge a cell as its check does, with our earlier functions; some answers redefine what pytest needs too."""
    kept = [(module, {**vars(module)}) for module in (builtins, np)]
    try:
        return judge_source(
            function, source, {other: solutions.function(other) for other in course().before(function)}
        )[0]
    finally:
        for module, names in kept:
            vars(module).update(names)


def grader_says(grader, function, source, tmp_path):
    """Grade a notebook that holds this one cell."""
    cell = nbformat.v4.new_code_cell(source, id=function)
    path = tmp_path / "one.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    record = grader.mark(Submission("one.ipynb", "ada", 0.0, path))
    (marked,) = (one for one in record.exercises if one.function == function)
    return marked


@pytest.mark.parametrize("function", list(course().exercises))
def test_the_grader_says_what_the_check_says(function, grader, tmp_path):
    """The verdict, its lines, and the recorded mistake; a right answer is right, hidden examples included."""
    for answer in recorded():
        if answer.exercise == function:
            marked = grader_says(grader, function, answer.source, tmp_path)
            if answer.called in ORDER_MATTERS:
                assert marked.verdict in ("wrong", "error"), answer.called
                continue
            verdict = check_says(function, answer.source)
            assert (marked.verdict, marked.lines, marked.mistake) == (
                verdict.status,
                verdict.lines,
                verdict.mistake,
            ), answer.called
            assert (marked.verdict == "right") == (not answer.says), answer.called
