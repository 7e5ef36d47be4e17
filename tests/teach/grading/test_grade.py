"""`attention grade` by its command: a run that is killed, interrupted, resumed, and what it leaves behind."""

import csv
import json
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import time

import psutil
import pytest

from grading import synthetic
from helpers.course import course
from helpers.teach import solutions
from helpers.teach.course_folder import notebooks_folder
from helpers.teach.grading.record import parse

pytestmark = pytest.mark.xdist_group("grading")  # it starts processes, which others should not wait for

STUDENTS = 8

# In the background of a shell Ctrl-C is ignored, and a process inherits that: here the command obeys it all the same.
COMMAND = """
import signal
from helpers.cli import main

signal.signal(signal.SIGINT, signal.default_int_handler)
raise SystemExit(main())
"""


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    """Return a small class, and what was drawn for it."""
    folder = tmp_path_factory.mktemp("class")
    return folder, synthetic.make(folder, STUDENTS, seed=3)


def start(folder, results, *options, **how):
    """Start the command, with what else `Popen` takes."""
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, "grade", str(folder), "--out", str(results), "--workers", "2", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        **how,
    )


def finished(folder, results, *options, **how):
    """Run the command, and return its exit code and what it printed."""
    process = start(folder, results, *options, **how)
    said, _ = process.communicate(timeout=300)
    return process.returncode, said


def lines(results):
    """Return the records of a run."""
    return [parse(line) for line in (results / "results.jsonl").read_text(encoding="utf-8").split("\n")[:-1]]


def wait_for(results, count):
    """Wait until so many records are written."""
    until = time.monotonic() + 120
    while not (results / "results.jsonl").is_file() or len(lines(results)) < count:
        assert time.monotonic() < until, "no records came"
        time.sleep(0.05)


def gone(processes):
    """Say whether processes end in time."""
    _, alive = psutil.wait_procs(processes, timeout=60)
    return not alive


@pytest.fixture(scope="module")
def whole(handed_in, tmp_path_factory):
    """Return the results of one run from the beginning to the end."""
    results = tmp_path_factory.mktemp("results") / "whole"
    code, said = finished(handed_in[0], results, "--seed", "987654321")
    assert code == 0, said
    return results, said


def test_right_answers_earn_their_points_and_no_other_does(handed_in, whole):
    """Of every exercise of a class: what was drawn right is right, what was drawn otherwise is not."""
    results, _ = whole
    found = {record.file: record for record in lines(results)}

    assert sorted(found) == sorted(handed_in[1])
    for file, drawn in handed_in[1].items():
        for marked in found[file].exercises:
            what = drawn[marked.function]
            assert (marked.verdict == "right") == (what == "right"), (file, marked)
            assert marked.points == (marked.possible if what == "right" else 0)
            if what in ("missing", "not started") and not marked.notes:  # a helper of the name may stand elsewhere
                assert marked.verdict == what


def test_all_results_are_there(whole):
    """A run leaves records, tables and pages, says what was active, and keeps the seed."""
    results, said = whole
    run = json.loads((results / "run.json").read_text(encoding="utf-8"))

    assert run["seed"] == 987654321
    assert stat.S_IMODE(results.stat().st_mode) == 0o700  # nobody else on this machine reads marks, or the seed
    assert all(f"Active: {one}." in said for one in run["protections"])
    assert {path.name for path in results.iterdir()} == {
        "class.html", "feedback", "grades.csv", "gradescope", "reflections.csv", "results.jsonl", "run.json",
    }  # fmt: skip
    assert len(list((results / "feedback").iterdir())) == STUDENTS
    assert all(str(run["seed"]) not in page.read_text(encoding="utf-8") for page in (results / "feedback").iterdir())


def test_a_run_that_is_killed_goes_on_and_ends_as_if_it_had_not_been(handed_in, whole, tmp_path):
    """After `kill -9` no process is left, and `--resume` gives the records of a whole run, each once."""
    results = tmp_path / "killed"
    process = start(handed_in[0], results, "--seed", "987654321")
    wait_for(results, 4)
    below = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.communicate()
    known = len(lines(results))
    assert gone(below)
    assert 4 <= known < len(handed_in[1])

    code, said = finished(handed_in[0], results, "--resume")

    assert code == 0, said
    assert [timeless(record) for record in lines(results)] == [timeless(record) for record in lines(whole[0])]


def timeless(record):
    """Return a record without what a clock said."""
    content = json.loads(record.line())
    for one in [content, *content["exercises"]]:
        del one["seconds"]
    return content


def test_an_interrupted_run_says_how_to_go_on(handed_in, tmp_path):
    """Ctrl-C ends all processes at once, keeps what is known, and names the option that goes on."""
    results = tmp_path / "stopped"
    process = start(handed_in[0], results)
    wait_for(results, 2)
    below = psutil.Process(process.pid).children(recursive=True)

    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=120)

    assert process.returncode == 130
    assert "--resume goes on" in said
    assert "Traceback" not in said
    assert gone(below)
    assert len(lines(results)) >= 2


def test_who_stops_before_anything_is_graded_is_promised_nothing(tmp_path):
    """Ctrl-C, as a terminal sends it to all processes, while the first of ours starts: one sentence, and it holds."""
    handed_out(tmp_path / "in", "ada")
    process = start(tmp_path / "in", tmp_path / "out", start_new_session=True)
    until = time.monotonic() + 120
    while not psutil.Process(process.pid).children():
        assert time.monotonic() < until, "no process was started"
        time.sleep(0.01)

    os.killpg(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=60)

    begun = (tmp_path / "out" / "run.json").exists()  # on a machine that keeps this test waiting
    assert said.strip() == (
        f"Stopped. What is known lies in {tmp_path / 'out'}; the same command with --resume goes on."
        if begun
        else "Stopped before anything was graded; run the same command again."
    )
    assert process.returncode == 130
    assert finished(tmp_path / "in", tmp_path / "out", *["--resume"] * begun)[0] == 0


def handed_out(folder, *students):
    """Write notebook 1, as it is handed out, for some students."""
    file = course().notebooks["single_head"].file
    for student in students:
        (folder / student).mkdir(parents=True)
        shutil.copyfile(notebooks_folder() / file, folder / student / file)


def test_a_full_disk_is_said(handed_in, tmp_path):
    """A file that may not grow stops the run as a full disk does: with a message, and what is known stays."""
    results, room = tmp_path / "full", 20_000

    code, said = finished(
        handed_in[0], results, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    )

    assert code == 2
    assert f"got 'File too large' at {results}" in said
    assert "the same command with --resume goes on." in said
    assert "Traceback" not in said
    assert 0 < (results / "results.jsonl").read_bytes().count(b"\n") < len(handed_in[1])


def test_results_that_are_deleted_meanwhile_are_not_half_a_class(handed_in, tmp_path):
    """The run ends with a message, and leaves nothing behind that looks like the results of a class."""
    results = tmp_path / "deleted"
    process = start(handed_in[0], results)
    wait_for(results, 1)

    results.rename(tmp_path / "gone")  # at once, and not file by file while others are written
    said, _ = process.communicate(timeout=120)

    assert process.returncode == 2
    assert f"at {results}, expected to read and write there" in said
    assert "There is no run.json to go on with: begin anew" in said
    assert "Traceback" not in said
    assert not results.exists()


def test_records_that_are_lost_meanwhile_are_missed(handed_in, tmp_path):
    """Where lines went from results.jsonl no table of half a class is made, and going on marks what is missing."""
    results = tmp_path / "emptied"
    process = start(handed_in[0], results)
    wait_for(results, 1)

    os.truncate(results / "results.jsonl", 0)
    said, _ = process.communicate(timeout=120)

    assert process.returncode == 2
    assert f"expected one for each of {len(handed_in[1])} submissions" in said
    assert not (results / "grades.csv").exists()
    assert finished(handed_in[0], results, "--resume")[0] == 0
    assert sorted(record.file for record in lines(results)) == sorted(handed_in[1])


def test_results_that_cannot_be_written_are_said(tmp_path):
    """Where no folder can be made nothing was done, and the message says so."""
    handed_out(tmp_path / "in", "ada")
    (tmp_path / "file").write_text("mine", encoding="utf-8")

    code, said = finished(tmp_path / "in", tmp_path / "file" / "out")

    assert code == 2
    assert "got 'Not a directory' at" in said
    assert "Nothing was done." in said


def test_a_roster_given_later_takes_effect(tmp_path):
    """Canvas's names become logins: every record, page and row is under the new key, and none is lost or left over."""
    given = {"lovelaceada": "u000", "hoppergrace": "u001", "noetheremmy": "u002"}
    for number, student in enumerate(given):
        handed_out(tmp_path / "made", student)
        (tmp_path / "in").mkdir(exist_ok=True)
        file = tmp_path / "in" / f"{student}_{number + 50}_{number + 900}_01_single_head.ipynb"
        shutil.copyfile(tmp_path / "made" / student / course().notebooks["single_head"].file, file)
    roster = tmp_path / "class.csv"
    roster.write_text(
        "login,name,id\nu000,Ada Lovelace,1\nu001,Grace Hopper,2\nu002,Emmy Noether,3\n", encoding="utf-8"
    )
    results = tmp_path / "out"
    assert finished(tmp_path / "in", results)[0] == 0
    assert {record.student for record in lines(results)} == {*given}

    code, said = finished(tmp_path / "in", results, "--resume", "--roster", str(roster))

    assert code == 0, said
    assert "3 of 3 submissions graded, of 3 students; 0 of them now" in said
    assert "3 marked files under another student than before" in said
    assert "on the roster" not in said
    assert {record.student for record in lines(results)} == {*given.values()}
    for folder in ("feedback", "gradescope"):
        assert {path.stem for path in (results / folder).iterdir()} == {*given.values()}
    rows = list(csv.DictReader((results / "grades.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert [(row["student"], row["name"], row["total"]) for row in rows] == [
        ("u000", "Ada Lovelace", "0"), ("u002", "Emmy Noether", "0"), ("u001", "Grace Hopper", "0"),
    ]  # fmt: skip

    code, said = finished(tmp_path / "in", results, "--resume")

    assert code == 2
    assert "give --roster again" in said
    assert {record.student for record in lines(results)} == {*given.values()}


def test_who_is_not_on_the_roster_is_said(tmp_path):
    """Their names are on one line and send the terminal nothing."""
    handed_out(tmp_path / "in", "ada", "bao", "no\x1b[2J\nbody")
    (tmp_path / "class.csv").write_text("login,name\nada,Ada Lovelace\n", encoding="utf-8")

    code, said = finished(tmp_path / "in", tmp_path / "out", "--roster", str(tmp_path / "class.csv"))

    assert code == 0
    assert "2 students not on the roster: bao and no\ufffd[2J body; their rows have no name or id." in said


def test_the_results_of_a_class_are_not_those_of_another(handed_in, whole):
    """`--resume` with another first argument would drop every mark: it is refused, and nothing changes."""
    before = (whole[0] / "results.jsonl").read_bytes()
    one = next(handed_in[0].glob("*/*.ipynb"))

    code, said = finished(one, whole[0], "--resume")

    assert code == 2
    assert f"it began with {handed_in[0].resolve()}" in said
    assert (whole[0] / "results.jsonl").read_bytes() == before


def test_two_runs_do_not_write_into_one_folder(handed_in, tmp_path):
    """The second is refused while the first is at work, and goes on where that was killed."""
    results = tmp_path / "shared"
    first = start(handed_in[0], results)
    wait_for(results, 1)
    first.send_signal(signal.SIGSTOP)  # it stays at work, however long the second takes to begin

    code, said = finished(handed_in[0], results, "--resume")
    first.kill()
    first.communicate()

    assert code == 2
    assert "no other run" in said
    assert finished(handed_in[0], results, "--resume")[0] == 0
    assert sorted(record.file for record in lines(results)) == sorted(handed_in[1])


def test_results_are_not_written_over(handed_in, whole):
    """A folder that holds results is refused, and nothing in it changes."""
    before = (whole[0] / "results.jsonl").read_bytes()

    code, said = finished(handed_in[0], whole[0])

    assert code == 2
    assert "--resume" in said
    assert (whole[0] / "results.jsonl").read_bytes() == before


def test_a_run_keeps_its_seed(handed_in, whole):
    """Going on with another seed would judge two halves of a class by different examples."""
    code, said = finished(handed_in[0], whole[0], "--resume", "--seed", "8")

    assert code == 2
    assert "got --seed 8" in said


def test_what_cannot_be_read_is_said_and_is_no_zero(handed_in, tmp_path):
    """A file that is no notebook makes the exit code 1, is counted, and leaves its cells in the table empty."""
    folder = tmp_path / "in"
    (folder / "ada").mkdir(parents=True)
    (folder / "ada" / "01_single_head.ipynb").write_text('{"cells": [', encoding="utf-8")  # cut off

    code, said = finished(folder, tmp_path / "out")

    assert code == 1
    assert "1 could not be read" in said
    (row,) = csv.DictReader((tmp_path / "out" / "grades.csv").read_text(encoding="utf-8-sig").splitlines())
    assert row["total"] == ""
    assert row["look"].startswith("ada/01_single_head.ipynb: expected a notebook, got a file that is none (it is no wh")


CANVAS = """\
Student,ID,SIS Login ID,Section,Attention (4711),Essay (4712)
    Points Possible,,,,10,100
"Lovelace, Ada",101,student-0001,A,,
"""


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--lms", "nowhere.csv"], "nowhere.csv: cannot be read"),
        (["--lms", "canvas.csv"], "got no choice of an assignment, expected one of 'Attention (4711)', 'Essay (4712)'"),
        (["--lms", "canvas.csv", "--lms-column", "Atention"], "got the assignment 'Atention', expected one of"),
        (["--lms-column", "Attention"], "expected --lms FILE beside it"),
        (
            ["--lms", "canvas.csv", "--lms-notebooks", "7"],
            "--lms-notebooks: got '7', expected numbers of notebooks: 01,",
        ),
        (["--resume"], "expected a run.json"),
    ],
)
def test_a_wrong_call_is_refused_before_anything_is_graded(handed_in, tmp_path, monkeypatch, options, reason):
    """Nobody waits for a class to be graded and then reads that a column was misspelled; no folder is left behind."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "canvas.csv").write_text(CANVAS, encoding="utf-8")

    code, said = finished(handed_in[0], tmp_path / "out", *options)

    assert code == 2
    assert reason in said
    assert not (tmp_path / "out").exists()


def test_results_lie_outside_of_what_was_handed_in(handed_in, tmp_path):
    """Another run would take results among the submissions for a student's; a file is no place for them either."""
    file = tmp_path / "file"
    file.write_text("mine", encoding="utf-8")
    for place, reason in [(handed_in[0] / "results", "another run would take it"), (file, "which is a file")]:
        code, said = finished(handed_in[0], place)

        assert code == 2
        assert reason in said
    assert not (handed_in[0] / "results").exists()
    assert file.read_text(encoding="utf-8") == "mine"


def test_a_notebook_in_the_wrong_place_costs_the_others_nothing(tmp_path):
    """Grace hands in notebook 2 for notebook 1: with `--lms-notebooks 1`, Ada still gets all of Canvas's points."""
    right = {"ada": "single_head", "grace": "scaling"}
    for student, name in right.items():
        answers = {one.function: solutions.source(one.function) for one in course().exercises_of(name)}
        file = tmp_path / "in" / student / course().notebooks[name].file
        synthetic.write(file, synthetic.filled(synthetic.handed_out(name), answers))
    gradebook = tmp_path / "canvas.csv"
    gradebook.write_text(CANVAS.replace("student-0001", "ada"), encoding="utf-8")
    (tmp_path / "class.csv").write_text("student\nada\ngrace\nemmy\n", encoding="utf-8")

    code, said = finished(
        tmp_path / "in", tmp_path / "out", "--lms", str(gradebook), "--lms-column", "Attention",
        "--lms-notebooks", "1", "--roster", str(tmp_path / "class.csv"),
    )  # fmt: skip

    assert code == 0, said
    assert '"Lovelace, Ada",101,ada,A,10,' in (tmp_path / "out" / "canvas.csv").read_text(encoding="utf-8")
    assert "2 of 2 submissions graded, of 2 students" in said
    assert "1 on the roster sent nothing." in said


def test_a_folder_of_a_class_that_passes_for_a_student_is_asked_about(tmp_path):
    """Where notebooks of a class lie side by side in one folder, nothing tells them from attempts of one student."""
    stub = (notebooks_folder() / course().notebooks["single_head"].file).read_bytes()
    for number in range(5):
        file = tmp_path / "in" / "week\n1" / f"student-{number}.ipynb"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(stub)

    _, said = finished(tmp_path / "in", tmp_path / "out")
    _, alone = finished(tmp_path / "in" / "week\n1", tmp_path / "out of week1")

    assert "of 1 student;" in said
    assert "week 1: got 5 attempts or more at one notebook. Is that a folder of several students?" in said
    assert "of 5 students;" in alone
    assert "attempts" not in alone
