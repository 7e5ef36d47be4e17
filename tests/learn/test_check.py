"""`check` inside a notebook: which cell it judges, what it says, and what it leaves behind."""

import json
import os
import sys
import time

import pytest

from helpers.learn import portfolio, progress, session
from helpers.learn.check import NotYet, judge_source
from helpers.teach import solutions

SOFTMAX, PROJECT = "softmax_cols", "project"
RIGHT = solutions.source(SOFTMAX)
OVER_ROWS = f"""def {SOFTMAX}(S):
    e = np.exp(S - S.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)"""
STUB = f"def {SOFTMAX}(S):\n    # TODO 1: ...\n    raise NotImplementedError"
PASSES = f"✓ {SOFTMAX}: columns sum to 1, large scores stay finite."


def save_notebook(folder, monkeypatch, cells):
    """Save a notebook to disk, later than any cell ran, and say that it is the one that runs."""
    path = folder / "01_single_head.ipynb"
    path.write_text(json.dumps({"cells": [{"id": id_, "source": source} for id_, source in cells.items()]}))
    os.utime(path, (time.time() + 5, time.time() + 5))
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))


# --- what it prints and keeps


def test_what_passes_is_said_and_kept(notebook, folder):
    """A passed check prints what it saw and why it works, and keeps the function."""
    printed = notebook.answer(SOFTMAX, RIGHT)

    assert notebook.error is None
    assert printed.splitlines() == [
        PASSES,
        "  Subtracting the largest score divides top and bottom by the same number.",
        "  Saved in my_attention.py.",
    ]
    assert portfolio.sections((folder / "my_attention.py").read_text())[SOFTMAX] == RIGHT
    assert progress.load()["exercises"][SOFTMAX]["passed"]


def test_a_second_version_takes_the_place_of_the_first(notebook):
    """Passing again with other code says that the earlier version was replaced; with the same code, nothing."""
    notebook.answer(SOFTMAX, RIGHT)

    assert "in place of your earlier version" in notebook.answer(SOFTMAX, RIGHT + "  # once more")
    assert "Saved" not in notebook.answer(SOFTMAX, RIGHT + "  # once more")


def test_a_failed_check_shows_three_lines_and_stops_run_all(notebook):
    """A wrong answer raises, so Run All stops there; what is shown is three plain lines without a traceback."""
    printed = notebook.answer(SOFTMAX, OVER_ROWS)

    assert isinstance(notebook.error, NotYet)
    assert printed.splitlines() == notebook.error._render_traceback_()
    assert printed.splitlines() == [
        f"✗ {SOFTMAX}: every row sums to 1, the columns do not (column 1: 3.00).",
        "  The softmax runs over the queries, not over the keys.",
        "  Which axis of the scores runs over the keys? Look around `e`, line 2.",
    ]


def test_a_stub_is_not_an_attempt(notebook):
    """The stub is said to be not started, and is not counted."""
    printed = notebook.answer(SOFTMAX, STUB)

    assert printed.startswith(f"· {SOFTMAX}: not started.")
    assert isinstance(notebook.error, NotYet)
    assert progress.load()["exercises"] == {}


def test_the_third_time_the_same_words_become_a_question(notebook):
    """A message that was given twice to different code is followed by a question and a way to a hint."""
    printed = [notebook.answer(SOFTMAX, f"{OVER_ROWS}  # try {number}") for number in range(3)]

    assert "Which axis" in printed[1]
    assert f"did you expect after each line? hint({SOFTMAX}) opens a hint." in printed[2]
    assert len(printed[2].splitlines()) == 3


def test_the_same_code_again_is_said_to_be_the_same(notebook):
    """Running a check twice on unchanged code says so: the student may have forgotten to run the cell."""
    notebook.answer(SOFTMAX, OVER_ROWS)

    assert "This is the code I checked last time." in notebook.run(f"check({SOFTMAX})")


def test_a_renamed_print_does_not_silence_the_check(notebook):
    """A notebook may rename `print`, in its own names or in Python's."""
    notebook.run("import builtins\nkept = builtins.print\nprint = builtins.print = lambda *words, **options: None")

    try:
        assert PASSES in notebook.answer(SOFTMAX, RIGHT)
    finally:
        notebook.run("builtins.print = kept")


def test_a_trial_at_the_end_of_the_cell_is_no_part_of_the_answer(notebook, folder):
    """A trial print below the function neither refuses it nor lands in my_attention.py."""
    printed = notebook.answer(SOFTMAX, f"{RIGHT}\n\ntrial = np.eye(2)\nprint({SOFTMAX}(trial))")

    assert PASSES in printed
    assert "trial" not in (folder / "my_attention.py").read_text()


# --- which name, which cell


def cells():
    """Return answers whose function does not know its own name."""
    body = "    e = np.exp(S - S.max(axis=0))\n    return e / e.sum(axis=0)"
    loud = "def loud(f):\n    def inner(*args):\n        return f(*args)\n    return inner"
    indented = body.replace("    ", "        ")
    inner = "    def one(s: np.ndarray) -> np.ndarray:\n        return np.exp(s - s.max())"
    yield "decorated", f"{loud}\n\n@loud\n{RIGHT}"
    yield "lambda", f"{SOFTMAX} = lambda S: np.exp(S - S.max(axis=0)) / np.exp(S - S.max(axis=0)).sum(axis=0)"
    yield "class", f"class Shares:\n    def __call__(self, S):\n{indented}\n\n{SOFTMAX} = Shares()"
    yield (
        "annotated",
        f"def {SOFTMAX}(S):\n{inner}\n    e = np.array([one(s) for s in S.T]).T\n    return e / e.sum(axis=0)",
    )
    yield "timed", f"%%time\n{RIGHT}"
    yield "own import", f"import numpy as np\n\n{RIGHT}"
    yield "own import, timed", f"%%time\nimport numpy as np\n\n{RIGHT}"
    yield "partial", f"from functools import partial\n\ndef shares(more, S):\n{body}\n\n{SOFTMAX} = partial(shares, 1)"


@pytest.mark.parametrize("cell", [cell for _, cell in cells()], ids=[name for name, _ in cells()])
def test_any_callable_is_known_by_the_name_in_the_check(notebook, cell):
    """The exercise's name is read in the check's cell: decorators, lambdas and classes lie about theirs."""
    assert PASSES in notebook.answer(SOFTMAX, cell)


def test_the_name_may_be_a_word(notebook):
    """`check("softmax_cols")` does the same."""
    notebook.run(RIGHT, cell_id=SOFTMAX)

    assert PASSES in notebook.run(f'check("{SOFTMAX}")')


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        ("np.exp", "got 'exp', expected the function of an exercise by its name, such as `project`."),
        ("'softmax'", "got 'softmax', expected the function of an exercise by its name, such as `softmax_cols`."),
        ("np.zeros((9, 9))", "expected the function of an exercise"),
    ],
)
def test_what_is_no_exercise_is_said_with_the_nearest_one(notebook, thing, said):
    """Something else than an exercise is answered in one line, with the exercise whose name is nearest."""
    printed = notebook.run(f"check({thing})")

    assert said in printed
    assert len(printed) < 160
    assert isinstance(notebook.error, NotYet)


def test_an_undefined_function_is_said_kindly_and_stays_undefined(notebook):
    """A check before its cell has run says which cell to run; no stand-in is left in the notebook."""
    printed = notebook.run(f"check({SOFTMAX})")

    assert printed.startswith(f"· {SOFTMAX}: no cell that defines it has run in this session.")
    assert "Run its cell first" in printed
    assert SOFTMAX not in notebook.names


def test_an_explorer_of_an_undefined_function_says_which_exercise_to_finish(notebook):
    """`explore.single_head(attention_weights)` before its cell has run raises nothing and leaves the name undefined."""
    notebook.run("from helpers import explore\nshown = explore.single_head(attention_weights)")

    assert notebook.error is None
    assert "Finish exercise 1.3 in 01_single_head.ipynb first" in notebook.names["shown"].picture.value
    assert "attention_weights" not in notebook.names


def test_the_cell_with_our_id_wins_over_a_later_one(notebook):
    """A later scratch cell with another version is not the answer; that the two differ is said."""
    notebook.run(RIGHT, cell_id=SOFTMAX)
    notebook.run(OVER_ROWS, cell_id="scratch")
    printed = notebook.run(f"check({SOFTMAX})")

    assert "the function in memory is not the one its cell defines" in printed
    assert not progress.load()["exercises"]
    assert PASSES in notebook.answer(SOFTMAX, RIGHT)


def test_a_scratch_cell_counts_while_ours_is_the_stub(notebook):
    """An answer written in another cell is judged as long as the TODO cell is untouched."""
    notebook.run(STUB, cell_id=SOFTMAX)
    notebook.run(RIGHT, cell_id="scratch")

    assert PASSES in notebook.run(f"check({SOFTMAX})")


@pytest.mark.parametrize("called", [f"check({SOFTMAX})", f'check("{SOFTMAX}")'], ids=["by function", "by word"])
@pytest.mark.parametrize(
    "again",
    [f"exec({RIGHT!r})", f"{SOFTMAX} = lambda S: S", f"{SOFTMAX} = loud(lambda S: S)"],
    ids=["exec", "lambda", "same decorator"],
)
def test_a_live_redefinition_does_not_fool_the_check(notebook, again, called):
    """A function that was put in place of the cell's, by any way, is not taken for it."""
    loud = "def loud(f):\n    def inner(S):\n        return f(S)\n    return inner"
    notebook.run(f"{loud}\n\n@loud\n{OVER_ROWS}", cell_id=SOFTMAX)
    notebook.run(again, cell_id="elsewhere")
    printed = notebook.run(called)

    assert isinstance(notebook.error, NotYet)
    assert "the function in memory is not the one its cell defines" in printed
    assert not progress.load()["exercises"]


def test_a_deleted_function_is_not_the_cells(notebook):
    """A function that was deleted after its cell ran is said to be missing from memory, not judged from the cell."""
    notebook.run(RIGHT, cell_id=SOFTMAX)
    notebook.run(f"del {SOFTMAX}")

    assert "the function in memory is not the one its cell defines" in notebook.run(f"check({SOFTMAX})")


# --- edited but not run


def test_a_cell_that_was_changed_after_it_ran_is_said(notebook, folder, monkeypatch):
    """If the saved notebook holds other code than what ran, the check says to run the cell."""
    notebook.run(OVER_ROWS, cell_id=SOFTMAX)
    save_notebook(folder, monkeypatch, {SOFTMAX: RIGHT})

    assert "The cell was changed after it ran." in notebook.run(f"check({SOFTMAX})")


def test_a_saved_cell_that_is_the_one_that_ran_is_not_said_to_be_changed(notebook, folder, monkeypatch):
    """Saving the notebook is no change of the cell."""
    notebook.run(OVER_ROWS, cell_id=SOFTMAX)
    save_notebook(folder, monkeypatch, {SOFTMAX: OVER_ROWS.splitlines(keepends=True)})

    assert "Which axis" in notebook.run(f"check({SOFTMAX})")


# --- earlier functions


def test_an_earlier_function_that_has_not_passed_is_named_with_its_number(notebook):
    """An answer that uses an earlier exercise without having passed it is told which to finish first."""
    notebook.run(RIGHT, cell_id=SOFTMAX)
    printed = notebook.answer("attention_weights", solutions.source("attention_weights"))

    assert "uses `softmax_cols`, which is exercise 1.2 and has not passed its check yet." in printed
    assert "Finish 1.2 first" in printed


def test_a_later_function_is_not_promised(notebook):
    """An answer that uses a later exercise is not told to finish that first: a check lends earlier ones only."""
    printed = notebook.answer(SOFTMAX, f"def {SOFTMAX}(S):\n    return attention_weights(S, S)")

    assert "which is exercise 1.3 and comes later" in printed


def test_earlier_functions_that_passed_are_lent(notebook, passed):
    """What has passed is there, whether or not this session has defined it."""
    passed(SOFTMAX)

    assert "✓ attention_weights" in notebook.answer("attention_weights", solutions.source("attention_weights"))


def test_a_file_that_is_no_longer_python_is_said(notebook, folder):
    """A my_attention.py that was broken by hand does not end in a traceback."""
    (folder / "my_attention.py").write_text("def (")
    printed = notebook.answer(SOFTMAX, RIGHT)

    assert isinstance(notebook.error, NotYet)
    assert "my_attention.py cannot be used: SyntaxError" in printed
    assert len(printed.splitlines()) <= 3


def test_a_folder_that_cannot_be_written_is_said_once_it_matters(notebook, tmp_path, monkeypatch):
    """Where nothing can be written, a passed function is kept for the session, and that is said."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(
        "ATTENTION_HOME", str(tmp_path / "file" / "home")
    )  # its parent is a file: nobody can write there
    printed = notebook.answer(SOFTMAX, RIGHT)

    assert "kept for this session only" in printed
    assert "✓ attention_weights" in notebook.answer("attention_weights", solutions.source("attention_weights"))


def test_recording_survives_a_cell_that_is_not_python(notebook):
    """Cells that IPython would refuse are recorded too, and harm nothing."""
    notebook.run("this is not Python")

    assert session.current_cell() == "this is not Python"
    assert PASSES in notebook.answer(SOFTMAX, RIGHT)


def test_a_broken_todo_cell_is_said_by_its_line(notebook):
    """A syntax error in the TODO cell is told with its line, though the cell could not run."""
    printed = notebook.answer(SOFTMAX, f"def {SOFTMAX}(S)\n    return S")

    assert "line 1 is not Python" in printed


def test_one_interrupt_ends_the_whole_check(notebook, monkeypatch):
    """After the stop button was pressed once, the other examples are not called: each might loop again."""
    calls = []
    monkeypatch.setattr(sys, "calls", calls, raising=False)
    body = "    sys.calls.append(1)\n    raise KeyboardInterrupt"
    source = f"import sys\n\ndef {SOFTMAX}(S):\n{body}"

    assert "interrupted before it returned" in notebook.answer(SOFTMAX, source)
    assert len(calls) == 1


# --- advice that leads on


def test_a_misspelled_first_line_is_said(notebook):
    """A TODO cell that ran under another name is told so, also after an earlier version had passed."""
    misspelled = RIGHT.replace(SOFTMAX, "softmax_colls")
    assert f"its cell ran, and does not define `{SOFTMAX}`" in notebook.answer(SOFTMAX, misspelled)

    assert PASSES in notebook.answer(SOFTMAX, RIGHT)
    assert f"its cell ran, and does not define `{SOFTMAX}`" in notebook.answer(SOFTMAX, misspelled)


def test_a_stub_that_ran_last_is_no_reason_to_run_it_again(notebook):
    """A right answer in a scratch cell, and the stub run after it: the advice is to keep one version."""
    notebook.run(RIGHT, cell_id="scratch")

    assert "Keep one version, in the TODO cell." in notebook.answer(SOFTMAX, STUB)


def test_what_must_be_finished_first_is_said_every_time(notebook):
    """Checking again what waits for an earlier exercise repeats which one, not that the code is the same."""
    source = "def {}(Q, K):\n    return {}(K.T @ Q)".format("attention_weights", SOFTMAX)

    for _ in range(2):
        assert "Finish 1.2 first, then run this check again." in notebook.answer("attention_weights", source)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("check()", "check: got nothing, expected the function of an exercise by its name"),
        ("hint()", "hint: got nothing"),
        ("solution()", "solution: got nothing"),
        ("check(np.ones((2, 2)))", "check: got a result of type ndarray"),
        ("reveal()", "reveal: the question's name stands first"),
        ("show(np.ones((2, 2)))", "show: the name stands first"),
    ],
)
def test_a_call_without_what_it_needs_is_answered_in_words(notebook, call, said):
    """No call of a student ends in a traceback for a missing or misplaced argument."""
    printed = notebook.run(call)

    assert said in printed
    assert isinstance(notebook.error, NotYet | None)


# --- what only shows later, or elsewhere


def test_a_function_cannot_be_taken_from_the_file_that_keeps_it(notebook, folder):
    """A TODO cell that imports the function, from our file or another, is refused; the file still holds it."""
    notebook.answer(SOFTMAX, RIGHT)
    kept = (folder / "my_attention.py").read_text()

    assert "no line of the cell defines it" in notebook.answer(SOFTMAX, f"from my_attention import {SOFTMAX}")
    assert "the cell imports `pytest`" in notebook.answer(SOFTMAX, f"from pytest import approx as {SOFTMAX}")
    assert (folder / "my_attention.py").read_text() == kept


def test_a_function_of_an_earlier_notebook_is_said_to_be_imported(notebook, passed, folder):
    """In a later notebook the check of what passed says where it stands, and asks for nothing to be written anew."""
    passed(SOFTMAX)
    kept = (folder / "my_attention.py").read_text()
    notebook.run(f"from my_attention import {SOFTMAX}", cell_id="imports")

    assert notebook.run(f"check({SOFTMAX})", cell_id="mine") == (
        f"· {SOFTMAX}: exercise 1.2, which this notebook imports.\n"
        "  To change it, open 01_single_head.ipynb, and check it there.\n"
    )
    assert isinstance(notebook.error, NotYet)
    assert (folder / "my_attention.py").read_text() == kept


def test_an_import_does_not_hide_a_definition(notebook, passed):
    """A function that a cell defines is the one that is judged, although what passed was imported later."""
    passed(SOFTMAX)
    notebook.run(RIGHT, cell_id="scratch")
    notebook.run(f"from my_attention import {SOFTMAX}", cell_id="imports")

    assert "Run that cell last, then this one." in notebook.run(f"check({SOFTMAX})", cell_id="mine")
    notebook.run(RIGHT, cell_id="scratch")
    assert PASSES in notebook.run(f"check({SOFTMAX})", cell_id="mine")


def test_a_helper_that_would_break_an_earlier_function_is_not_saved(notebook, folder):
    """A helper named like one of Python's own functions passes alone, and would change another section."""
    loop = "sum(omega[:, [d]] * X[[d]] for d in range(len(X)))"
    notebook.answer(PROJECT, f"def {PROJECT}(X, omega, beta):\n    return {loop} + beta")
    helper = "def sum(e):\n    return e.sum(axis=0)"
    function = RIGHT.replace("np.sum(exponentials, axis=0, keepdims=True)", "sum(exponentials)")
    printed = notebook.answer(SOFTMAX, f"{helper}\n\n{function}")

    assert PASSES in printed
    assert f"not saved: beside this cell's lines, `{PROJECT}` would no longer pass in my_attention.py." in printed
    assert list(portfolio.sections((folder / "my_attention.py").read_text())) == [PROJECT]


def test_a_patch_of_numpy_in_another_cell_makes_nothing_right(notebook):
    """What another cell added to numpy is not there when the function is judged."""
    notebook.run("np.shares = lambda S: np.exp(S - S.max(axis=0)) / np.exp(S - S.max(axis=0)).sum(axis=0)")
    try:
        assert "There is nothing named `shares`" in notebook.answer(
            SOFTMAX, f"def {SOFTMAX}(S):\n    return np.shares(S)"
        )
    finally:
        notebook.run("del np.shares")


@pytest.mark.parametrize(
    ("source", "elsewhere"),
    [
        (f"def {SOFTMAX}(S, axis=0):\n    e = np.exp(S - S.max(axis=axis))\n    return e / e.sum(axis=axis)", "axis=1"),
        (
            "from functools import partial\n\ndef shares(axis, S):\n    e = np.exp(S - S.max(axis=axis))\n"
            f"    return e / e.sum(axis=axis)\n\n{SOFTMAX} = partial(shares, 0)",
            "partial(shares, 1)",
        ),
    ],
    ids=["default", "partial"],
)
def test_a_value_that_was_changed_elsewhere_is_seen(notebook, source, elsewhere):
    """The live function must be the cell's in its defaults and bound arguments too."""
    assert PASSES in notebook.answer(SOFTMAX, source)
    notebook.run(source.replace("axis=0", elsewhere) if "=" in elsewhere else f"{SOFTMAX} = {elsewhere}")

    assert "the function in memory is not the one its cell defines" in notebook.run(f"check({SOFTMAX})")


def test_a_section_edited_by_hand_is_not_lent(notebook, folder):
    """A function whose section was edited since its check is asked for again, not blamed on a later exercise."""
    notebook.answer(SOFTMAX, RIGHT)
    path = folder / "my_attention.py"
    path.write_text(path.read_text().replace("axis=0", "axis=1"))
    source = "def {}(Q, K):\n    return {}(K.T @ Q)".format("attention_weights", SOFTMAX)

    assert "exercise 1.2 and has not passed its check yet" in notebook.answer("attention_weights", source)


def test_a_module_of_another_cell_is_named(notebook):
    """A module that only another cell imports gets the advice to import it here."""
    notebook.run("import math")

    assert "write `import math` in it" in notebook.answer(SOFTMAX, f"def {SOFTMAX}(S):\n    return math.pi * S")


def test_only_earlier_exercises_are_lent():
    """A function of a later exercise is not at hand, even where it has passed."""
    later = {SOFTMAX: solutions.function(SOFTMAX)}
    verdict, _, _ = judge_source(PROJECT, f"def {PROJECT}(X, omega, beta):\n    return {SOFTMAX}(X)", later)

    assert "which is exercise 1.2 and comes later" in verdict.text


@pytest.mark.parametrize(("off", "status"), [(2e-5, "right"), (1e-3, "wrong")])
def test_a_single_precision_answer_may_be_off_by_its_rounding_only(off, status):
    """Float32 keeps seven digits, and five times its rounding is allowed for; a thousandth is not."""
    source = f"def {PROJECT}(X, omega, beta):\n    return ((omega @ X + beta) * (1 + {off})).astype(np.float32)"
    verdict, _, _ = judge_source(PROJECT, source, {})

    assert verdict.status == status


def test_a_wildcard_import_belongs_to_the_answer(notebook):
    """Names that come from `from numpy import *` are there when the function is judged alone."""
    body = "    e = exp(S - amax(S, axis=0))\n    return e / e.sum(axis=0)"  # numpy 1.26 exports no `max`

    assert PASSES in notebook.answer(SOFTMAX, f"from numpy import *\n\ndef {SOFTMAX}(S):\n{body}")


def test_a_saved_notebook_that_is_older_than_the_run_says_nothing(notebook, tmp_path, monkeypatch):
    """Other code on disk from before the cell ran is no reason to speak of an edit."""
    notebook.run(OVER_ROWS, cell_id=SOFTMAX)
    save_notebook(tmp_path, monkeypatch, {SOFTMAX: RIGHT})
    os.utime(tmp_path / "01_single_head.ipynb", (time.time() - 60, time.time() - 60))

    assert "changed after it ran" not in notebook.run(f"check({SOFTMAX})")
