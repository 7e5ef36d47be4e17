import pytest

from helpers.course import course
from helpers.learn import progress
from helpers.learn.hints import hint, solution
from helpers.teach import solutions

NAME = "softmax_cols"
HINTS = [text.strip() for text in course().exercises[NAME].hints]


@pytest.fixture
def said(capsys):
    """Return a function that calls another with the exercise's name and gives what it printed."""

    def call(function, *arguments, **options):
        capsys.readouterr()
        function(*arguments or (NAME,), **options)
        return capsys.readouterr().out.strip()

    return call


def try_once(text):
    """Make an attempt that does not pass."""
    progress.attempt(NAME, text, passed=False)


def test_the_first_hint_is_there_at_once(said):
    """The first level opens without an attempt; asked again, it promises the next one after an attempt."""
    assert said(hint) == HINTS[0]
    assert said(hint) == f"{HINTS[0]}\n\nThe next hint opens after a new attempt: change the cell, run it, check it."


def test_a_hint_stays_until_something_new_was_tried(said):
    """Asking again, or checking the same code again, gives the same hint."""
    said(hint)
    try_once("one")
    said(hint)
    try_once("one")

    assert HINTS[1] in said(hint)
    assert HINTS[1] in said(hint)


def test_three_levels_open_with_three_attempts(said):
    """Each new attempt opens one level more; the last stays, and promises nothing."""
    seen = [said(hint)]
    for text in ("one", "two", "three"):
        try_once(text)
        seen.append(said(hint))

    assert seen == [*HINTS, HINTS[2]]


def test_the_stub_opens_nothing(notebook):
    """Running the check on the untouched stub is no attempt: the first hint stays."""
    notebook.run(f"hint({NAME})")
    notebook.answer(NAME, f"def {NAME}(S):\n    raise NotImplementedError")

    assert HINTS[0] in notebook.run(f"hint({NAME})")
    assert HINTS[1] not in notebook.run(f"hint({NAME})")


def test_a_hint_before_the_cell_has_run(notebook):
    """A hint is there before the function is defined."""
    assert HINTS[0] in notebook.run(f"hint({NAME})")
    assert notebook.error is None


def test_a_hint_for_something_else_says_so(said):
    """A hint for what is no exercise is no error."""
    assert said(hint, "softmax").startswith("hint: got 'softmax', expected the function of an exercise")


def test_the_solution_opens_after_three_different_attempts(said):
    """Until then it says how many are missing, and how to give up."""
    for text, left in (("one", "3 more different attempts"), ("two", "2 more different attempts"), ("two", "1 more")):
        assert f"It opens after {left}" in said(solution)
        assert f"solution({NAME}, give_up=True)" in said(solution)
        try_once(text)

    assert "It opens after 1 more attempt" in said(solution)
    try_once("three")
    assert said(solution).startswith(solutions.source(NAME))


def test_giving_up_shows_it_and_is_noted(said):
    """Giving up shows the solution at once, and is kept in the progress."""
    assert said(solution, give_up=True).startswith(solutions.source(NAME))
    assert progress.load()["exercises"][NAME]["gave_up"]


def test_reading_it_after_passing_is_not_giving_up(said):
    """Who has passed may read ours."""
    progress.attempt(NAME, "right", passed=True)

    assert said(solution).startswith(solutions.source(NAME))
    assert not progress.load()["exercises"][NAME]["gave_up"]


def test_an_edition_without_solutions_says_who_has_them(said, monkeypatch, tmp_path):
    """Where no solutions are installed, that is said, and no attempt is asked for."""
    monkeypatch.setattr(solutions, "solutions_folder", lambda: tmp_path / "solutions")

    assert said(solution, give_up=True) == (
        f"This edition holds no solution of {NAME}. Whoever gave you the notebooks has it."
    )
