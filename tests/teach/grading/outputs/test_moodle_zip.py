import zipfile

import pytest
from grading.gradebooks import class_of, graded

from helpers.teach.grading.collecting.collect import collect
from helpers.teach.grading.outputs import moodle_zip
from helpers.teach.grading.outputs.feedback import write_feedback


def handed_back(folder, *records):
    """Return the names in the zip and what stands under each; None where there is no zip."""
    book = class_of(folder, *records)
    moodle_zip.write(book, write_feedback(book, folder / "feedback"), folder)
    if not (folder / "feedback-moodle.zip").exists():
        return None
    with zipfile.ZipFile(folder / "feedback-moodle.zip") as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def whose(name):
    """Return the number by which Moodle knows whose file it is, and the file's name, as its importer reads a path.

    After `is_valid_filename_for_import` in Moodle's source: the first part with a number between the first and the
    second underscore; the parts before the fifth name the plugin that handed it out.
    """
    for part in name.split("/"):
        pieces = part.split("_", 4)
        if len(pieces) == 5 and pieces[1].isdecimal() and pieces[2:4] == ["assignsubmission", "file"]:
            return int(pieces[1]), pieces[4]
    return None


NAMES = {
    "a folder each": "Ada Lovelace_17_assignsubmission_file_",
    "a folder each, since 4.1": "Ada Lovelace_17_assignsubmission_file",
    "flat": "Ada Lovelace_17_assignsubmission_file_01_single_head.ipynb",
    "in a group": "Group 3-Ada Lovelace_17_assignsubmission_file_",
    "hidden": "Participant_17_assignsubmission_file_",
    "typed": "Ada Lovelace_17_assignsubmission_onlinetext_",
}


@pytest.mark.parametrize("way", NAMES)
def test_moodle_knows_whose_it_is(tmp_path, way):
    """Under each name that Moodle gives a submission, its importer finds the student and calls it feedback.html."""
    files = handed_back(tmp_path, graded("Ada Lovelace", owner=NAMES[way]))
    (name,) = files
    assert whose(name) == (17, "feedback.html")
    assert files[name] == (tmp_path / "feedback" / "Ada Lovelace.html").read_bytes()


def test_every_assignment_gets_the_page(tmp_path):
    """A student has another number in each assignment; of two files in one assignment there is one page."""
    owners = ["Ada_17_assignsubmission_file_", "Ada_17_assignsubmission_file_", "Ada_40_assignsubmission_file_"]
    records = [graded("Ada", file=f"{k}.ipynb", submitted=float(k), owner=one) for k, one in enumerate(owners)]
    assert sorted(map(whose, handed_back(tmp_path, *records))) == [(17, "feedback.html"), (40, "feedback.html")]


@pytest.mark.parametrize("owner", ["", "ada", "lovelaceada_12_34567_nb.ipynb", "Ada_assignsubmission_file_"])
def test_what_is_not_from_moodle_makes_no_zip(tmp_path, owner):
    """A folder, a name of Canvas, a name without a number: nothing is written."""
    assert handed_back(tmp_path, graded("ada", owner=owner)) is None


def test_a_new_run_replaces_the_zip(tmp_path):
    """The zip is written whole, and nothing half done is left beside it."""
    for _ in range(2):
        handed_back(tmp_path, graded("Ada", owner="Ada_17_assignsubmission_file_"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["feedback", "feedback-moodle.zip", "results.jsonl"]


def test_nobody_gets_a_page_by_what_lies_inside(tmp_path):
    """What a student calls their own files sends their page to nobody else: the outermost name says whose it is."""
    inside = "Ada_17_assignsubmission_file_/Bob_40_assignsubmission_file_/nb.ipynb"
    for name in (inside, "Cy_5_assignsubmission_file_/nb.ipynb"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("{}", encoding="utf-8")
    owners = {one.student: one.owner for one in collect(tmp_path)}
    assert owners == {"Ada": "Ada_17_assignsubmission_file_", "Cy": "Cy_5_assignsubmission_file_"}


def test_a_folder_of_a_class_is_its_own_owner(tmp_path):
    """Beside folders of other students, a name of Moodle's inside one is that student's own, and no owner."""
    for name in ("ada/Bob_40_assignsubmission_file_/nb.ipynb", "bob/nb.ipynb"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("{}", encoding="utf-8")
    assert {one.owner for one in collect(tmp_path)} == {"ada", "bob"}
