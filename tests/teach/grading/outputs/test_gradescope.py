import json

import pytest
from grading.gradebooks import ADA, GRACE, class_of, graded, unreadable

from helpers.course import course
from helpers.teach.grading.outputs import gradescope

# https://gradescope-autograders.readthedocs.io/en/latest/specs/, "Output format".
TOP = {
    "score": float, "execution_time": (int, float), "output": str, "output_format": str, "test_output_format": str,
    "test_name_format": str, "visibility": str, "stdout_visibility": str, "extra_data": dict, "tests": list,
    "leaderboard": list,
}  # fmt: skip
TEST = {
    "score": (int, float), "max_score": (int, float), "status": str, "name": str, "name_format": str, "number": str,
    "output": str, "output_format": str, "tags": list, "visibility": str, "extra_data": dict,
}  # fmt: skip
FORMATS = ("text", "html", "simple_format", "md", "ansi")
VISIBILITY = ("hidden", "after_due_date", "after_published", "visible")


def check_documented(results):
    """Hold a `results.json` against the documented fields."""
    for fields, entry in [(TOP, results), *((TEST, test) for test in results["tests"])]:
        for name, value in entry.items():
            assert isinstance(value, fields[name]), name
        assert entry["output_format"] in FORMATS
        assert entry.get("visibility", "visible") in VISIBILITY
        assert entry.get("status", "passed") in ("passed", "failed")
    # "score: optional, but required if not on each test case": ours stands on each, since the total would override.
    assert results["tests"]
    assert all("score" in test for test in results["tests"])
    assert "score" not in results


def test_one_record():
    """A notebook is a test for each exercise, in the documented fields, with the course's numbers and points."""
    record = graded("ada", wrong=("self_attention",), lines=("got <b>2</b>", "expected 3"), seconds=1.23456)
    results = gradescope.results([record])
    check_documented(results)
    assert [(test["number"], test["name"]) for test in results["tests"]] == [
        ("1.1", "project"),
        ("1.2", "softmax_cols"),
        ("1.3", "attention_weights"),
        ("1.4", "weighted_values"),
        ("1.5", "self_attention"),
    ]
    assert [(test["score"], test["max_score"]) for test in results["tests"]] == [(0, 0), (0, 0), (1, 1), (1, 1), (0, 1)]
    assert [test["status"] for test in results["tests"]] == ["passed"] * 4 + ["failed"]
    assert results["tests"][4]["output"] == "got <b>2</b>\nexpected 3"
    assert results["tests"][4]["output_format"] == "text"
    assert results["output"] == "ada/01_single_head.ipynb: 2 of 3"
    assert results["execution_time"] == 1.235


def test_a_test_without_lines_says_its_verdict():
    """Where nothing was recorded to say, the verdict is said."""
    assert gradescope.results([graded("ada", lines=())])["tests"][0]["output"] == "right"


def test_an_unreadable_file_is_said_beside_the_others():
    """A file that could not be read takes no part in the score, and the student reads why."""
    results = gradescope.results([graded("ada"), unreadable("ada")])
    check_documented(results)
    assert len(results["tests"]) == len(course().exercises_of("single_head"))
    assert results["output"].startswith("ada/work.ipynb could not be read, and is not part of the score: it is no note")


def test_unreadable_alone_is_refused():
    """Without a graded notebook there is no file at all: Gradescope would add up no tests to a 0."""
    with pytest.raises(ValueError, match=r"would show a 0\. ada/work\.ipynb could not be read"):
        gradescope.results([unreadable("ada")])


def test_a_class(tmp_path):
    """A file for each student with a graded notebook, under a safe name, and a sentence for each of the others."""
    book = class_of(
        tmp_path, graded("ada"), graded("ada", "scaling"), graded("../zoë"), unreadable("x"), roster=(ADA, GRACE)
    )
    said = gradescope.write(book, tmp_path / "gradescope")
    assert said == [
        "Grace Hopper: no file for Gradescope, nothing was handed in.",
        "x: no file for Gradescope, what was handed in could not be read.",
    ]
    zoe, ada = sorted((tmp_path / "gradescope").iterdir())
    assert ada.name == "ada.json"
    assert zoe.name.startswith("_zoë-")
    for file in (zoe, ada):
        check_documented(json.loads(file.read_text(encoding="utf-8")))
    numbers = [one.number for name in ("single_head", "scaling") for one in course().exercises_of(name)]
    assert [test["number"] for test in json.loads(ada.read_text(encoding="utf-8"))["tests"]] == numbers


def test_a_file_of_an_earlier_run_is_removed(tmp_path):
    """Ada's key changed, and Bob has nothing graded any more: their old files would be handed on."""
    folder = tmp_path / "gradescope"
    gradescope.write(class_of(tmp_path, graded("ada"), graded("bob"), graded("zoë")), folder)
    (folder / "autograder.zip").write_text("mine")

    gradescope.write(class_of(tmp_path, graded("u000"), unreadable("bob"), graded("zoë")), folder)

    assert {file.name for file in folder.iterdir()} == {"u000.json", "zoë.json", "autograder.zip"}
