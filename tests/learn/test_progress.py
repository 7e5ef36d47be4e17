import json
import re

import pytest

from helpers.course import course
from helpers.learn import progress
from helpers.learn.questions import reflect

EXERCISES = [exercise.function for exercise in course().exercises_of("single_head")]


@pytest.fixture
def row(capsys):
    """Return a function that prints the progress and gives the row of notebook 1."""

    def call():
        capsys.readouterr()
        progress.progress()
        return re.sub("  +", "   ", capsys.readouterr().out.splitlines()[0])  # columns are padded

    return call


def test_each_passed_check_fills_a_box(row):
    """The row has one box an exercise, and says what is next, down to the reflections."""
    total, asked = len(EXERCISES), [one.name for one in course().reflections.values() if one.notebook == "single_head"]
    none, all_ = (f"{done} of {len(asked)} reflections" for done in (0, len(asked)))
    empty, full = ["□"] * (total - 1), ["■"] * (total - 1)
    assert row() == f"1 · One head   {' '.join(['□', *empty])}   0 of {total} checks, {none}   next: 1.1"
    for name in EXERCISES[1:]:
        progress.attempt(name, "code", passed=True)
    assert f"{' '.join(['□', *full])}   {total - 1} of {total} checks, {none}   next: 1.1" in row()
    progress.attempt(EXERCISES[0], "code", passed=True)
    assert row().endswith("next: a reflection")
    for name in asked:
        reflect(name, "a sentence")
    assert f"{' '.join(['■', *full])}   {total} of {total} checks, {all_}   all done" in row()


def test_an_option_may_be_left_out(capsys):
    """Options stand in parentheses; a notebook is done without them, and their boxes fill too."""
    exercises = course().exercises_of("scaling")
    options = [exercise for exercise in exercises if exercise.optional]
    required = len(exercises) - len(options)
    boxes = "■ " * required
    for exercise in exercises[:required]:
        progress.attempt(exercise.function, "code", passed=True)
    for name in [name for name, asked in course().reflections.items() if asked.notebook == "scaling"]:
        reflect(name, "a sentence")
    capsys.readouterr()
    progress.progress()
    left_out = capsys.readouterr().out.splitlines()[1]
    progress.attempt(options[0].function, "code", passed=True)
    progress.progress()
    done = capsys.readouterr().out.splitlines()[1]

    assert exercises[required:] == options
    assert f"{boxes}(□) " in left_out
    assert f"{required} of {required} checks" in left_out
    assert left_out.endswith("all done")
    assert f"{boxes}(■) " in done


def test_the_end_of_the_course_is_said(capsys):
    """When every notebook is done, one line more says what my_attention.py now is, and not before."""
    for name in course().exercises:
        progress.attempt(name, "code", passed=True)
    for name in [*course().reflections][1:]:
        reflect(name, "a sentence")
    progress.progress()
    assert "All done" not in capsys.readouterr().out
    reflect(next(iter(course().reflections)), "a sentence")
    progress.progress()
    assert capsys.readouterr().out.endswith("\nAll done: my_attention.py is a transformer that you wrote.\n")


def test_nothing_is_taken_away(row):
    """A wrong attempt after a passed one leaves the box filled."""
    progress.attempt(EXERCISES[0], "right", passed=True)
    progress.attempt(EXERCISES[0], "wrong", passed=False)

    assert "■ □ □ □ □" in row()


def test_attempts_are_told_apart_by_their_code():
    """The same code twice in a row is said to be the same, and code tried before is not counted again."""
    said = [progress.attempt("project", text, passed=False) for text in ("a", "a", "b", "a")]

    assert said == [False, True, False, False]
    assert len(progress.load()["exercises"]["project"]["attempts"]) == 2


def test_repeats_count_the_same_words_in_a_row():
    """Another message begins the count anew."""
    assert [progress.repeats("project", words) for words in ("x", "x", "x", "y", "x")] == [1, 2, 3, 1, 1]


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[1, 2]",
        b"\xff\xfe\x00",
        b'{"exercises": []}',
        b'{"exercises": {"project": 3}}',
        b'{"predictions": null}',
    ],
    ids=["cut off", "a list", "not text", "a list inside", "a number inside", "null"],
)
def test_a_file_that_cannot_be_read_is_moved_aside_whole(folder, capsys, content):
    """A damaged record is kept to the byte under another name, and said; a new one begins."""
    for name in ("progress.unreadable-1.json", "progress.unreadable-2.json"):
        (folder / "progress.json").write_bytes(content)
        progress.attempt("project", "code", passed=True)

        assert f"kept as {name}" in capsys.readouterr().out
        assert (folder / name).read_bytes() == content
    assert json.loads((folder / "progress.json").read_text())["exercises"]["project"]["passed"]


def test_what_a_later_version_wrote_is_kept(folder):
    """Entries that this version does not know are carried along."""
    (folder / "progress.json").write_text('{"later": 1, "exercises": {"project": {"later": 2}}}')
    progress.attempt("project", "code", passed=True)
    record = json.loads((folder / "progress.json").read_text())

    assert record["later"] == 1
    assert record["exercises"]["project"]["later"] == 2


def test_a_folder_that_cannot_be_written_keeps_the_record_for_the_session(tmp_path, monkeypatch, row):
    """Where nothing can be written, the boxes fill all the same."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(
        "ATTENTION_HOME", str(tmp_path / "file" / "home")
    )  # its parent is a file: nobody can write there
    progress.attempt(EXERCISES[0], "code", passed=True)

    assert "■ □ □ □ □" in row()
