"""The synthetic class is what it says it is."""

import json

import pytest

from grading import synthetic
from helpers.course import course
from helpers.teach import solutions
from helpers.teach.grading.mark import Grader
from helpers.teach.grading.sandbox.confine import Limits
from helpers.teach.grading.sandbox.runner import Runner
from helpers.teach.grading.submission import Submission


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Return a class of eighty students, and what was drawn for it."""
    folder = tmp_path_factory.mktemp("class")
    return folder, synthetic.make(folder, students=80, seed=3, absent=0.1)


def cells(path):
    """Return the text of each code cell of a notebook's file, by its id."""
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in found if cell["cell_type"] == "code"}


def test_one_seed_makes_one_class_to_the_byte(tmp_path):
    """A failure that a class shows can be shown again."""
    for name in ("first", "second"):
        synthetic.make(tmp_path / name, students=2, seed=5)
    files = sorted(path.relative_to(tmp_path / "first") for path in (tmp_path / "first").rglob("*.ipynb"))
    assert files
    for file in files:
        assert (tmp_path / "first" / file).read_bytes() == (tmp_path / "second" / file).read_bytes()
    synthetic.make(tmp_path / "other", students=2, seed=6)
    assert any(
        (tmp_path / "first" / file).read_bytes() != (tmp_path / "other" / file).read_bytes()
        for file in files
        if (tmp_path / "other" / file).is_file()
    )


def test_what_is_returned_is_what_lies_there(drawn):
    """Each notebook that was written is expected, and each of its exercises is what was drawn for it."""
    folder, expected = drawn
    assert {str(path.relative_to(folder).as_posix()) for path in folder.rglob("*.ipynb")} == set(expected)
    for file, exercises in expected.items():
        (name,) = (one.name for one in course().notebooks.values() if file.endswith(one.file))
        stubs = cells(synthetic.notebooks_folder() / course().notebooks[name].file)
        found = cells(folder / file)
        assert list(exercises) == [one.function for one in course().exercises_of(name)]
        for function, what in exercises.items():
            if what == "missing":
                assert function not in found
            else:
                assert (found[function] == stubs[function]) == (what == "not started")


def test_a_class_is_mostly_right_and_holds_all_there_is(drawn):
    """Right, wrong, not started, missing, a solution word for word, and notebooks that were never handed in."""
    folder, expected = drawn
    every = [what for exercises in expected.values() for what in exercises.values()]
    for what, share in synthetic.SHARES.items():
        assert every.count(what) / len(every) == pytest.approx(share, abs=0.02)
    assert 0 < 80 * len(course().notebooks) - len(expected) < 80
    answers = {answer for file in expected for answer in cells(folder / file).items()}
    assert any((name, solutions.source(name)) in answers for name in course().exercises)


def test_a_class_without_absent_students_has_every_notebook(tmp_path):
    """Five students and six notebooks are thirty submissions: what the growth is measured with."""
    assert len(synthetic.make(tmp_path, students=5, absent=0)) == 5 * len(course().notebooks)


def test_the_grader_finds_what_was_drawn(tmp_path):
    """On every exercise of a class: right where a right answer was drawn, and nowhere else."""
    expected = synthetic.make(tmp_path, students=3, seed=4, absent=0)
    found = {}
    with Runner(Limits(), 0, trust=True) as runner:
        grader = Grader(runner, secret=7)
        for file in expected:
            record = grader.mark(Submission(file, student="", submitted=0.0, place=tmp_path / file))
            found[file] = {one.function: one.verdict for one in record.exercises}
    assert found.keys() == expected.keys()
    for file, exercises in expected.items():
        for function, what in exercises.items():
            allowed = {"wrong", "error"} if what == "wrong" else {what}
            assert found[file][function] in allowed, (file, function)
