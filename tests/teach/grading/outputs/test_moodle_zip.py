import zipfile

import pytest
from grading.gradebooks import EMMY, class_of, graded

from helpers.teach.grading.collecting.collect import collect
from helpers.teach.grading.outputs import moodle_zip
from helpers.teach.grading.outputs.feedback import write_feedback


def written(folder, *records, roster=()):
    """Write the zip of a class, and return what is said of it."""
    book = class_of(folder, *records, roster=roster)
    return moodle_zip.write(book, write_feedback(book, folder / "feedback"), folder)


def contents(folder):
    """Return the names in the zip and what stands under each; None where there is no zip."""
    if not (folder / "feedback-moodle.zip").exists():
        return None
    with zipfile.ZipFile(folder / "feedback-moodle.zip") as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def handed_back(folder, *records):
    """Write the zip of a class, and return what is in it."""
    assert written(folder, *records) == []
    return contents(folder)


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


NOT_MOODLES = {
    "nothing": "",
    "a folder": "ada",
    "Canvas'": "lovelaceada_12_34567_nb.ipynb",
    "Canvas', with an end that the student chose": "lovelaceada_12_34567_x_40_assignsubmission_file_.ipynb",
    "no number": "Ada_assignsubmission_file_",
    "two numbers": "Ada_9_assignsubmission_comments_17_assignsubmission_file_",
}


@pytest.mark.parametrize("what", NOT_MOODLES)
def test_what_is_not_from_moodle_makes_no_zip(tmp_path, what):
    """Nothing is written, and the zip of an earlier run is gone: a page would go to nobody, or to another."""
    (tmp_path / "feedback-moodle.zip").write_bytes(b"of an earlier run")
    assert written(tmp_path, graded("ada", owner=NOT_MOODLES[what])) == []
    assert contents(tmp_path) is None


def test_a_new_run_replaces_the_zip(tmp_path):
    """What the first run had and the second has not is gone, and nothing half done is left beside the zip."""
    ada, bob = (graded(name, owner=f"{name}_17_assignsubmission_file_") for name in ("Ada", "Bob"))
    handed_back(tmp_path, ada)
    assert list(handed_back(tmp_path, bob)) == ["Bob_17_assignsubmission_file_feedback.html"]
    assert {path.name for path in tmp_path.iterdir()} == {"feedback", "feedback-moodle.zip", "results.jsonl"}


def test_a_zip_that_cannot_be_written_leaves_the_old_one(tmp_path, monkeypatch):
    """Where the disk is full in the middle, the zip of the run before is as it was, and nothing lies beside it."""
    ada = graded("Ada", owner="Ada_17_assignsubmission_file_")
    before = handed_back(tmp_path, ada)

    def full(path, files):
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(moodle_zip, "write_zip", full)
    with pytest.raises(OSError, match="No space left"):
        written(tmp_path, ada)
    assert contents(tmp_path) == before
    assert not list(tmp_path.glob(".writing*"))


def test_who_is_not_in_it_is_said(tmp_path):
    """Who sent nothing, or by another way, is named: their pages are to be handed back by hand."""
    ada = graded("Ada", owner="Ada_17_assignsubmission_file_")
    said = written(tmp_path, ada, graded("bob", owner="bob"), roster=(EMMY,))
    assert said == ["Not in feedback-moodle.zip, since nothing of theirs came from Moodle: bob and Emmy Noether."]
    assert list(contents(tmp_path)) == ["Ada_17_assignsubmission_file_feedback.html"]


def test_many_names_are_counted(tmp_path):
    """A sentence has room for five names."""
    ada = graded("Ada", owner="Ada_17_assignsubmission_file_")
    (said,) = written(tmp_path, ada, *(graded(f"b{k}", owner=f"b{k}") for k in range(7)))
    assert said.endswith(": b0, b1, b2, b3 and 3 more.")


def test_a_number_of_two_students_is_nobodys(tmp_path):
    """Where two students' files came under one number, whoever it belongs to gets no page of another's."""
    records = [graded(name, owner=f"{name}_{number}_assignsubmission_file_") for name, number in
               (("Ada", 17), ("Bob", 40), ("Cy", "017"))]  # fmt: skip
    said = written(tmp_path, *records)
    assert said == ["Moodle's number 17 stands before files of Ada and Cy: feedback-moodle.zip has no page for it."]
    assert list(contents(tmp_path)) == ["Bob_40_assignsubmission_file_feedback.html"]


def owners(folder, *names):
    """Return whose each of some files is, and which name says so."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("{}", encoding="utf-8")
    return {(one.student, one.owner) for one in collect(folder)}


INSIDE = "Bob_5_assignsubmission_file_/nb.ipynb"  # Bob's name, and a number that is Eve's


def test_a_name_inside_a_submission_says_nothing(tmp_path):
    """What lies in a student's own folder is theirs, whatever it is called: in Moodle's, and beside other folders."""
    moodles, plain = tmp_path / "moodles", tmp_path / "plain"
    eve = "Eve_5_assignsubmission_file_"
    assert owners(moodles, f"{eve}/{INSIDE}", "Cy_9_assignsubmission_file_/nb.ipynb") == {
        ("Eve", eve), ("Cy", "Cy_9_assignsubmission_file_"),
    }  # fmt: skip
    assert owners(plain, f"eve/{INSIDE}", "bob/nb.ipynb") == {("eve", "eve"), ("bob", "bob")}


def test_a_late_zip_beside_moodles_folders_is_its_senders(tmp_path):
    """A zip that came by mail is no download of Moodle's, though what is in it is called so."""
    bobs = "Bob_40_assignsubmission_file_"
    (tmp_path / "in").mkdir()
    with zipfile.ZipFile(tmp_path / "in" / "late-eve.zip", "w") as packed:
        packed.writestr(INSIDE, "{}")
    assert owners(tmp_path / "in", f"{bobs}/nb.ipynb") == {("Bob", bobs), ("late-eve", "late-eve.zip")}
