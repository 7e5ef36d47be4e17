"""What a class of Moodle's leads to, all together."""

import re
import zipfile

from grading.gradebooks import class_of, graded
from grading.records import RUN

from helpers.teach.grading.outputs import write_all


def test_a_class_of_moodles(tmp_path):
    """Every file that INSTRUCTORS.md names is written, the zip holds the pages, and what is not in it is said."""
    ada = graded("ada", owner="Ada_17_assignsubmission_file_", reflections={"column_meaning": "Shares."})
    said = write_all(class_of(tmp_path, ada, graded("bob")), RUN, tmp_path)
    assert re.findall("Moodle: (.*)", " ".join(said)) == ["bob."]
    assert {path.name for path in tmp_path.iterdir()} == {
        "class.html", "feedback", "feedback-moodle.zip", "grades.csv", "gradescope", "reflections.csv", "results.jsonl",
    }  # fmt: skip
    with zipfile.ZipFile(tmp_path / "feedback-moodle.zip") as packed:
        (name,) = packed.namelist()
        assert packed.read(name) == (tmp_path / "feedback" / "ada.html").read_bytes()
    assert "Shares." in (tmp_path / "reflections.csv").read_text(encoding="utf-8")
