"""Two students of one name, from the files that came in to the file that goes back to the LMS."""

import csv
import io

import pytest

from grading import gradebooks, records
from helpers.course import course
from helpers.teach.grading.collecting.collect import collect
from helpers.teach.grading.collecting.roster import read_roster
from helpers.teach.grading.outputs import lms

FUNCTIONS = [one.function for one in course().exercises_of("single_head") if one.points]

# As the two export them: of Kim 1 and Kim 2 the names are the same.
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Attention (4711),Final Score\n"
    "    Points Possible,,,,,3,(read only)\n"
    '"Lovelace, Ada",5000,20240,u000,A,,\n'
    '"Lee, Kim",5005,20245,u005,A,,\n'
    '"Lee, Kim",5006,20246,u006,A,,\n'
    '"Student, Test",6000,,d3adbeef,A,,\n'
)
MOODLE = (
    "Identifier,Full name,ID number,Email address,Status,Grade,Maximum Grade\n"
    "Participant 110,Ada Lovelace,20240,s0@uni.edu,,,3.00\n"
    "Participant 115,Kim Lee,20245,s5@uni.edu,,,3.00\n"
    "Participant 116,Kim Lee,20246,s6@uni.edu,,,3.00\n"
)
PARTICIPANTS = (
    "First name,Last name,ID number,Email address,Groups\n"
    "Ada,Lovelace,20240,s0@uni.edu,\nKim,Lee,20245,s5@uni.edu,\nKim,Lee,20246,s6@uni.edu,\n"
)
GRADESCOPE = (
    "First Name,Last Name,SID,Email,Role,Sections\n"
    "Ada,Lovelace,20240,s0@uni.edu,Student,\nKim,Lee,20245,s5@uni.edu,Student,\nKim,Lee,20246,s6@uni.edu,Student,\n"
)
OURS = "student,name,id,email\nada,Ada Lovelace,,\nkim1,Kim Lee,{},a@x\nkim2,Kim Lee,{},b@x\n"
SUBMITTERS = "---\n" + "".join(
    f"submission_10001{points}:\n  :submitters:\n  - :name: {name}\n    :sid: '2024{n}'\n    :email: s{n}@uni.edu\n"
    for points, name, n in [(3, "Ada Lovelace", 0), (2, "Kim Lee", 5), (1, "Kim Lee", 6)]
)

# Every file is called by the points that it earns.
CANVAS_FILES = ("lovelaceada_5000_900_3.ipynb", "leekim_5005_901_2.ipynb", "leekim_5006_902_1.ipynb")
MOODLE_FILES = tuple(
    f"{who}_assignsubmission_file_/{points}.ipynb"
    for who, points in [("Ada Lovelace_110", 3), ("Kim Lee_115", 2), ("Kim Lee_116", 1)]
)
GRADESCOPE_FILES = tuple(f"submission_10001{points}/{points}.ipynb" for points in (3, 2, 1))


@pytest.fixture
def filled(tmp_path):
    """Return what becomes of a class: the grades in the LMS's file, row by row, and what is said about it."""

    def fill(roster, export, files):
        for name, text in {"class.csv": roster, "export.csv": export}.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        for name in files:
            path = tmp_path / "in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}', encoding="utf-8")
        if files == GRADESCOPE_FILES:
            (tmp_path / "in" / "submission_metadata.yml").write_text(SUBMITTERS, encoding="utf-8")
        known = read_roster(tmp_path / "class.csv")
        lines = [
            gradebooks.graded(one.student, wrong=FUNCTIONS[int(one.file[-len("3.ipynb")]) :], file=one.file)
            for one in collect(tmp_path / "in", roster=known)
        ]
        book = records.book_of(tmp_path, lines, known)
        text, said = lms.fill(tmp_path / "export.csv", book)
        column = "Grade" if export == MOODLE else "Attention (4711)"
        rows = [row for row in csv.DictReader(io.StringIO(text)) if "Points Possible" not in row.get("Student", "")]
        return [row[column] for row in rows], said

    return fill


KNOWN = {
    "Canvas's own": (CANVAS, CANVAS, CANVAS_FILES),
    "Canvas's, one Kim renamed by hand": (CANVAS.replace('Kim",5006', 'Kim 2",5006'), CANVAS, CANVAS_FILES),
    "ours, with Canvas's IDs": (OURS.format(5005, 5006), CANVAS, CANVAS_FILES),
    "Moodle's own": (MOODLE, MOODLE, MOODLE_FILES),
    "Moodle's, one Kim renamed by hand": (MOODLE.replace("Lee,20246", "Lee 2,20246"), MOODLE, MOODLE_FILES),
    "Moodle's participants, from Gradescope": (PARTICIPANTS, MOODLE, GRADESCOPE_FILES),
    "Gradescope's own, to Moodle": (GRADESCOPE, MOODLE, GRADESCOPE_FILES),
    "Gradescope's own, to Canvas": (GRADESCOPE, CANVAS, GRADESCOPE_FILES),
}


@pytest.mark.parametrize("form", KNOWN)
def test_each_gets_their_own_marks(filled, form):
    """By the number beside the name, or the ID, each Kim's points reach their own row."""
    grades, said = filled(*KNOWN[form])

    assert grades[:3] == ["3", "2", "1"]
    assert not any("it may be" in line or "no row is certainly theirs" in line for line in said)


@pytest.mark.parametrize(
    ("roster", "files"), [(CANVAS, CANVAS_FILES), (MOODLE, MOODLE_FILES)], ids=["Canvas", "Moodle"]
)
def test_one_of_the_two_alone(filled, roster, files):
    """Where one Kim handed in, the number still tells which."""
    grades, _ = filled(roster, roster, files[2:])

    assert grades[:3] == ["", "", "1"]


def test_a_name_alone_is_nobodys(filled):
    """A folder that has only the name that two share is neither's: nothing is filled in, and that is said."""
    grades, said = filled(CANVAS, CANVAS, ("Lovelace, Ada/3.ipynb", "Lee, Kim/2.ipynb"))

    assert grades == ["3", "", "", ""]
    assert said[-2:] == [
        "Nothing was handed in, the row stays as it was: Row 4 (Lee, Kim), Row 5 (Lee, Kim).",
        "Lee, Kim: no row is certainly theirs, nothing is filled in.",
    ]


@pytest.mark.parametrize(
    "files", [("Lee, Kim/2.ipynb",), ("Lee, Kim/2.ipynb", "u005/3.ipynb")], ids=["alone", "beside"]
)
def test_a_name_that_two_rows_share_tells_nothing(filled, files):
    """Without a roster, too: that one Kim's folder has a login does not make the other folder the other Kim's."""
    grades, said = filled("student\n", CANVAS, files)

    assert grades == ["", "", "", ""]
    assert (
        "Row 5 (Lee, Kim): it may be Lee, Kim. It stays as it was; a roster with all IDs of this row would tell."
    ) in said


def test_numbers_that_the_roster_lacks(filled):
    """Canvas's own number still leads from a file to a row; whom on the roster it means is not known, and is said."""
    grades, said = filled(OURS.format(1, 2), CANVAS, CANVAS_FILES)

    assert grades == ["3", "2", "1", ""]
    assert said[-2:] == [f"Kim Lee (kim{k}): no row is certainly theirs, nothing is filled in." for k in (1, 2)]


def test_two_assignments_in_each_of_which_one_handed_in(filled):
    """Whom the roster says to be two are two, though each download has one of them; without its numbers it says so."""
    _, said = filled(PARTICIPANTS, MOODLE, (f"hw1/{MOODLE_FILES[1]}", f"hw2/{MOODLE_FILES[2]}"))

    assert {line.partition(":")[0] for line in said if "no row is certainly" in line} >= {"Kim Lee_115", "Kim Lee_116"}


def test_ids_that_contradict_the_files(filled):
    """Moodle's numbers are not in its list of participants: with that for a roster, both rows wait for a hand."""
    grades, said = filled(PARTICIPANTS, MOODLE, MOODLE_FILES)

    assert grades == ["3", "", ""]
    waiting = [line for line in said if line.startswith(("Row 3 (Kim Lee): it may be", "Row 4 (Kim Lee): it may be"))]
    assert len(waiting) == 2
    assert all(line.endswith("It stays as it was; a roster with all IDs of this row would tell.") for line in waiting)
