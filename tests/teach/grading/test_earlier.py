"""What `--resume` refuses, and what it says of marks that are gone or another student's."""

from pathlib import Path

import pytest

from helpers.teach.grading.earlier import changes, read_run, refuse_other
from helpers.teach.grading.submission import Submission

CLASS = {f"{student}/nb.ipynb": student for student in ("ada", "emmy", "grace", "mary")}


def said(now, *, run=(), roster=""):
    """Return what is said of a class of four, whose files are these students' now."""
    found = [Submission(file, student, 0.0, Path(file)) for file, student in now.items()]
    return changes(CLASS, found, Path("downloads"), dict(run), roster)


def moved(*students, to="week1"):
    """Return the class with some students' files under another."""
    return {file: to if student in students else student for file, student in CLASS.items()}


def without(*students):
    """Return the class without some students' files."""
    return {file: student for file, student in CLASS.items() if student not in students}


def test_nothing_is_said_where_nothing_changed():
    """A class to which a file was added needs no sentence."""
    assert said({**CLASS, "zoe/nb.ipynb": "zoe"}) == []


def test_marks_that_are_dropped_are_said():
    """Half of the files may be gone; a sentence names them."""
    assert said(without("ada")) == ["1 marked file gone from downloads, with the marks: ada/nb.ipynb."]
    assert said(without("ada", "emmy")) == [
        "2 marked files gone from downloads, with the marks: ada/nb.ipynb and emmy/nb.ipynb."
    ]


def test_a_class_that_is_gone_is_refused():
    """Where most files are gone it is another folder, and not the class."""
    with pytest.raises(ValueError, match=r"without 3 of the 4 files that are marked.*another folder for the results"):
        said(without("ada", "emmy", "grace"))


def test_marks_of_another_student_are_said():
    """Half of the files may become another student's; a sentence names them."""
    assert said(moved("ada", "emmy")) == [
        "2 marked files under another student than before: ada/nb.ipynb and emmy/nb.ipynb."
    ]


def test_a_class_that_becomes_one_student_is_refused():
    """One file in the wrong place can do that, and nobody meant it."""
    with pytest.raises(ValueError, match="as the work of 1 student, expected that of 4: 4 of the 4 files"):
        said(moved("ada", "emmy", "grace", "mary"))


@pytest.mark.parametrize(
    ("began", "now", "reason"),
    [("", "", "Look at what was added"), ("r1", "", "give --roster again"), ("r1", "r1", "Look at what was added")],
)
def test_without_a_new_roster_most_of_a_class_stays_as_it_was(began, now, reason):
    """The roster that the run had says nothing new, and to leave it out is an oversight."""
    with pytest.raises(ValueError, match=reason):
        said(moved("ada", "emmy", "grace"), run={"roster": began}, roster=now)


@pytest.mark.parametrize("began", [{}, {"roster": ""}, {"roster": "r1"}])
def test_a_new_roster_settles_whose_everything_is(began):
    """Also where the run had none, or is of before run.json said so."""
    (sentence,) = said(moved(*CLASS.values(), to="u000"), run=began, roster="r2")

    assert sentence.startswith("4 marked files under another student than before: ada/nb.ipynb, emmy/nb.ipynb and 2")


@pytest.mark.parametrize(
    "content", [b"", b'{"see', b"[]", b"null", b"{}", b'{"seed": "5"}', b'{"seed": 5, "seconds": ""}', b"\xff"]
)
def test_a_damaged_run_is_named(tmp_path, content):
    """The message says which file, and what to do, whatever is wrong with it."""
    (tmp_path / "run.json").write_bytes(content)

    with pytest.raises(ValueError, match=r"run\.json, which is damaged.*begin anew, in another folder"):
        read_run(tmp_path)


def test_a_run_goes_on_with_what_it_began_with(tmp_path, monkeypatch):
    """The same folder may be written in another way; another one is refused, and so is another seed."""
    monkeypatch.chdir(tmp_path)
    run = {"seed": 5, "submissions": str((tmp_path / "downloads").resolve())}

    refuse_other(run, Path("downloads"), None)
    refuse_other(run, tmp_path / "elsewhere" / ".." / "downloads", 5)
    refuse_other({"seed": 5}, Path("elsewhere"), None)  # a run of before run.json said so
    with pytest.raises(ValueError, match=r"got --resume with elsewhere, .* it began with .*downloads"):
        refuse_other(run, Path("elsewhere"), None)
    with pytest.raises(ValueError, match=r"got --seed 8, .* it began with 5"):
        refuse_other(run, Path("downloads"), 8)
