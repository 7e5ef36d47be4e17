"""A student who is stuck in an earlier notebook is lent our functions, where this edition holds them."""

import json
import subprocess
import sys

import numpy as np
import pytest

from helpers.course import course
from helpers.examples.example import seeded_heads, six_tokens
from helpers.learn import ours, portfolio
from helpers.learn.slices import answer_slice
from helpers.teach import solutions

EARLY, LATE = "project", "head_output"  # notebooks 1 and 3
SOURCE_OF_LATE = solutions.source(LATE)
BEFORE_3 = course().before("head_size")


@pytest.fixture
def without_solutions(monkeypatch):
    """Make this an edition without solutions."""
    monkeypatch.setattr(solutions, "held", lambda _: False)


def test_an_import_lends_ours_and_says_so_once(notebook):
    """The name works, its exercise and notebook are named, and a second import in the session is quiet."""
    said = notebook.run(f"from my_attention import {EARLY}")
    assert said == "Lent: project (1.1) is ours, until your own passes in 01_single_head.ipynb.\n"
    assert notebook.run(f"from my_attention import {EARLY}") == ""
    assert notebook.run(f"print({EARLY}(np.eye(2), np.eye(2), np.ones((2, 1))).sum())") == "6.0\n"


def test_an_import_stops_lending_when_the_students_own_passes(notebook):
    """After the check of 1.1 has passed, the import gives the student's own function."""
    notebook.run(f"from my_attention import {EARLY}")
    notebook.answer(EARLY, "def NAME(X, W, b):\n    return W @ X + b".replace("NAME", EARLY))
    notebook.run(f"from my_attention import {EARLY}")

    assert notebook.names[EARLY].__code__.co_varnames == ("X", "W", "b")


def test_a_check_lends_what_earlier_notebooks_lack(notebook, folder):
    """3.2 passes on lent functions of notebooks 1 and 2, is saved, and the check says what is still lent."""
    said = notebook.answer(LATE, solutions.source(LATE))

    assert said.startswith(f"✓ {LATE}: ")
    assert "It uses what is lent: project (1.1), softmax_cols (1.2)" in said
    assert list(portfolio.sections((folder / "my_attention.py").read_text())) == [LATE]
    assert portfolio.at_hand("two_heads")[LATE] is not solutions.function(LATE)


def test_what_was_saved_on_lent_functions_works_in_later_notebooks(notebook):
    """A later exercise uses the student's 3.2, which finds the lent 1.1 below it."""
    for name in (LATE, "stack_heads", "mix", "multihead"):
        assert notebook.answer(name, solutions.source(name)).startswith(f"✓ {name}: ")


def test_catching_up_ends_the_lending(notebook, folder):
    """Once the earlier functions pass, nothing is lent any more, and the file alone computes what 3.2 does."""
    notebook.answer(LATE, solutions.source(LATE))
    for name in BEFORE_3:
        assert notebook.answer(name, solutions.source(name)).startswith(f"✓ {name}: ")
    said = notebook.answer(LATE, solutions.source(LATE))

    assert "lent" not in said
    assert portfolio.lent((folder / "my_attention.py").read_text(), "two_heads") == {}
    X, head = six_tokens(), seeded_heads()[0]
    program = (
        "import json, runpy, sys\n"
        "sys.modules['helpers'] = None\n"  # an import of it fails
        f"mine = runpy.run_path({str(folder / 'my_attention.py')!r})\n"
        f"head = mine['Head'](*map(mine['np'].array, {[part.tolist() for part in head]}))\n"
        f"print(json.dumps(mine['head_output'](mine['np'].array({X.tolist()}), head)[0].tolist()))\n"
    )
    alone = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, check=True).stdout
    np.testing.assert_allclose(json.loads(alone), solutions.function(LATE)(X, head)[0], atol=1e-12)


def test_nothing_of_the_same_notebook_is_lent(notebook):
    """What comes before in the same notebook is the student's to write, as it is in notebook 1."""
    said = notebook.answer("two_heads", solutions.source("two_heads"))

    assert "which is exercise 3.2 and has not passed its check yet" in said


def test_the_students_own_function_is_used_whatever_we_hold(notebook):
    """A function that was saved serves later checks, even one that our tests would call wrong."""
    portfolio.save(answer_slice(f"def {EARLY}(X, omega, beta):\n    return 0 * X", EARLY))

    assert notebook.answer(LATE, solutions.source(LATE)).startswith(f"✗ {LATE}: ")


def test_a_section_edited_by_hand_gives_way_to_ours(notebook, folder):
    """What the student changed in the file serves no check, nor does what calls it: ours is lent in its place."""
    for name in (LATE, "stack_heads", "mix", "multihead"):
        notebook.answer(name, solutions.source(name))
    file = folder / "my_attention.py"
    file.write_text(file.read_text().replace("return Sa, A", "return Sa + 1, A"))

    for name in ("layer_norm", "mlp", "residual", "transformer_layer"):
        assert notebook.answer(name, solutions.source(name)).startswith(f"✓ {name}: ")
    assert "transformer_layer" in portfolio.sections(file.read_text())  # it is saved, too
    for name in ("project", "softmax_cols"):  # what the edited section uses is saved, too
        assert "Saved in my_attention.py." in notebook.answer(name, solutions.source(name))


def test_what_a_check_lends_is_there_in_the_notebook(notebook):
    """After the check passed, the functions that the answer uses have names in the notebook, so that it runs there."""
    notebook.answer(LATE, solutions.source(LATE))

    assert {"project", "scaled_scores", "softmax_cols", "weighted_values"} <= set(notebook.names)


@pytest.mark.usefixtures("without_solutions")
def test_an_edition_without_solutions_lends_nothing(notebook):
    """The check says which exercise is missing, and the import too."""
    notebook.run(f"from my_attention import {EARLY}")
    assert "my_attention has no project yet" in str(notebook.error)
    said = notebook.answer(LATE, SOURCE_OF_LATE)
    assert "which is exercise 1.1 and has not passed its check yet" in said


def test_solutions_that_build_on_missing_ones_are_not_lent(monkeypatch):
    """Notebook 2's solutions cannot run without notebook 1's: an edition with the one only lends none, and works."""
    monkeypatch.setattr(solutions, "held", lambda name: name == "scaled_scores")
    monkeypatch.setattr(solutions, "function", _import_error)

    assert ours.function("scaled_scores") is None


def _import_error(name):
    raise ImportError(name)


def test_what_is_lent_is_not_among_what_the_student_has(notebook):
    """`dir(my_attention)` lists the student's own functions only."""
    notebook.answer(LATE, solutions.source(LATE))

    assert set(portfolio.functions()) & set(course().exercises) == {LATE}
