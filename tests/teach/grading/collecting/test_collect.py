"""Folders and zips as instructors have them, and as hostile students make them, built in a temporary folder."""

import io
import os
import socket
import stat
import struct
import tempfile
import tracemalloc
import unicodedata
import warnings
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from helpers.teach.grading.collecting.collect import collect
from helpers.teach.grading.collecting.walk import Limits
from helpers.teach.grading.gradebook import Person

NOTEBOOK = b'{"cells": [{"cell_type": "code", "source": ""}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
COMPOSED, DECOMPOSED = "Zo\u00eb", "Zoe\u0308"


def lay(root, *names, content=NOTEBOOK):
    """Write files, a notebook each by default, below a folder, and return the folder."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root


def zipped(*names, content=NOTEBOOK):
    """Return a zip of files as bytes; a name may be a ZipInfo."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of a name that is written twice
        for name in names:
            archive.writestr(name, content)
    return buffer.getvalue()


def entry(name, *, mode=None, date=(2026, 1, 31, 10, 11, 12)):
    """Return a zip's entry with a name that `zipfile` would clean, a Unix mode and a date."""
    info = zipfile.ZipInfo("placeholder", date)
    info.filename = info.orig_filename = name
    info.compress_type = zipfile.ZIP_DEFLATED
    if mode is not None:
        info.create_system, info.external_attr = 3, mode << 16
    return info


def who(submissions):
    """Return student and file of what can be read."""
    return [(one.student, one.file) for one in submissions if not one.problem]


def problem(submissions, student):
    """Return the problem of a student who has one submission."""
    (one,) = (one for one in submissions if one.student == student)
    return one.problem


def readable(submissions, student="bob"):
    """Whether a student's only submission is without a problem and can be read."""
    (one,) = (one for one in submissions if one.student == student)
    return not one.problem and one.read() == NOTEBOOK


# What is a submission


@pytest.mark.parametrize("name", ["nb", "nb.txt", "nb.json", "nb.ipynb (1)", "NB.IPYNB", "nb.html"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf", "utf-16"], ids=["plain", "bom", "utf-16"])
def test_a_notebook_is_known_by_its_content(tmp_path, name, bom):
    """Whatever it is called and however it is encoded, a notebook is collected as it is."""
    content = NOTEBOOK.decode().encode("utf-16") if bom == "utf-16" else bom + NOTEBOOK

    (one,) = collect(lay(tmp_path, f"ada/{name}", content=content))

    assert (one.student, one.problem, one.read()) == ("ada", "", content)


@pytest.mark.parametrize("content", [b"", b"not JSON", b"{", b"\0" * 20, b"%PDF-1.4"])
@pytest.mark.parametrize("name", ["nb.ipynb", "nb.ipynb (1)", "nb.ipynb.txt"])
def test_what_is_called_a_notebook_is_a_submission(tmp_path, content, name):
    """Content is judged later, so that a broken notebook is reported and not lost."""
    (one,) = collect(lay(tmp_path, f"ada/{name}", content=content))

    assert (one.student, one.problem, one.read()) == ("ada", "", content)


@pytest.mark.parametrize("name", ["work.zip", "work.ipynb", "work"])
def test_a_zip_is_known_by_its_content(tmp_path, name):
    """A zip is opened whatever it is called."""
    lay(tmp_path, f"ada/{name}", content=zipped("a/nb.ipynb"))

    (one,) = collect(tmp_path)

    assert (one.file, one.read()) == (f"ada/{name}/a/nb.ipynb", NOTEBOOK)


def test_a_zip_in_a_zip_is_opened(tmp_path):
    """Members are found and read through two zips; the file's name shows the way."""
    lay(tmp_path, "ada.zip", content=zipped("inner.zip", content=zipped("x/nb.ipynb")))
    lay(tmp_path, "bob/nb.ipynb")

    ada, _ = collect(tmp_path)

    assert (ada.student, ada.file, ada.read()) == ("ada", "ada.zip/inner.zip/x/nb.ipynb", NOTEBOOK)


def test_zips_too_deep_are_a_problem(tmp_path):
    """Zips in zips end somewhere, with a sentence."""
    content = NOTEBOOK
    for _ in range(8):
        content = zipped("inner.zip", content=content)
    lay(lay(tmp_path, "bob/nb.ipynb"), "ada.zip", content=content)

    found = collect(tmp_path)

    assert "more than 4 deep" in problem(found, "ada")
    assert readable(found)


@pytest.mark.parametrize(
    "name",
    ["__MACOSX/._nb.ipynb", ".DS_Store", ".ipynb_checkpoints/nb-checkpoint.ipynb", ".nb.ipynb", "~$nb.ipynb"],
)
def test_what_programs_keep_is_passed_over(tmp_path, name):
    """Hidden files are neither submissions nor problems, on disk and in a zip."""
    lay(tmp_path, "ada/nb.ipynb", f"ada/{name}")
    lay(tmp_path, "bob.zip", content=zipped("nb.ipynb", name))

    assert [(one.file, one.problem) for one in collect(tmp_path)] == [("ada/nb.ipynb", ""), ("bob.zip/nb.ipynb", "")]


def test_other_files_are_no_submissions(tmp_path):
    """What the course leaves behind, data and reports are passed over; so is JSON that is no notebook."""
    lay(tmp_path, "ada/nb.ipynb")
    lay(tmp_path, "ada/report.pdf", "ada/my_attention.py", "grades.csv", content=b"x")
    lay(tmp_path, "ada/progress.json", content=b'{"cells": {"project": 3}}')
    lay(tmp_path, "ada/text.docx", content=zipped("word/document.xml"))

    assert [one.file for one in collect(tmp_path)] == ["ada/nb.ipynb"]


def test_nobody_vanishes(tmp_path):
    """Who handed in no notebook is there once, and the sentence says what was there instead."""
    lay(tmp_path, "bob/nb.ipynb")
    lay(tmp_path, "ada/report.pdf", content=b"%PDF")
    lay(tmp_path, *(f"eve/{name}" for name in ("a.py", "b.py", "c.py", "d.py")), content=b"x")
    lay(tmp_path, "zoe.zip", content=zipped("report.pdf", content=b"%PDF"))
    (tmp_path / "max").mkdir()
    lay(tmp_path, "tim.zip", content=zipped())

    found = collect(tmp_path)

    assert [one.student for one in found] == ["ada", "bob", "eve", "max", "tim", "zoe"]
    assert "got only report.pdf; expected a notebook" in problem(found, "ada")
    assert "got only a.py, b.py, c.py and 1 more" in problem(found, "eve")
    assert "got nothing; expected a notebook" in problem(found, "max")
    assert "got nothing; expected a notebook" in problem(found, "tim")
    assert "got only report.pdf" in problem(found, "zoe")


def test_nothing_at_all_is_an_error(tmp_path):
    """The message says where was searched, what was seen, and what is expected."""
    lay(tmp_path, "a.pdf", "b.pdf", "c.py", content=b"x")

    with pytest.raises(ValueError, match=r"searched .*3 files \(2 \.pdf, 1 \.py\)\. Expected notebooks"):
        collect(tmp_path)
    with pytest.raises(ValueError, match="no folder and no file"):
        collect(tmp_path / "absent")


# Over a limit, damaged, hostile: each beside Bob, who is not harmed


def beside_bob(tmp_path, content, *, limits=None):
    """Collect Ada's zip beside Bob's notebook; Bob's must be readable."""
    lay(tmp_path, "bob/nb.ipynb")
    lay(tmp_path, "ada.zip", content=content)
    found = collect(tmp_path, limits or Limits())
    assert readable(found)
    return [one for one in found if one.student == "ada"]


def test_a_large_notebook_is_a_problem(tmp_path):
    """On disk and in a zip, a notebook over the limit is said with its size and the limit."""
    limits = Limits(notebook_bytes=200)
    lay(tmp_path, "eve/nb.ipynb", content=b" " * 201)

    (ada,) = beside_bob(tmp_path, zipped("nb.ipynb", content=b" " * 202), limits=limits)

    assert ada.problem == "got a notebook of 202 bytes; the limit is 200."
    assert problem(collect(tmp_path, limits), "eve") == "got a notebook of 201 bytes; the limit is 200."


def test_too_many_entries_are_a_problem(tmp_path):
    """A zip with more files than the limit is one problem, not many submissions; one at the limit is read."""
    names = [f"{i}.ipynb" for i in range(11)]

    (ada,) = beside_bob(tmp_path, zipped(*names), limits=Limits(zip_entries=10))

    assert ada.problem == "got a zip with 11 files; the limit is 10."
    assert len(beside_bob(tmp_path, zipped(*names[:10]), limits=Limits(zip_entries=10))) == 10


def test_entries_of_zips_in_zips_are_counted_together(tmp_path):
    """Ten zips of ten files each are a hundred and ten."""
    inner = zipped(*(f"{i}.ipynb" for i in range(10)))

    ada = beside_bob(tmp_path, zipped(*(f"{i}.zip" for i in range(10)), content=inner), limits=Limits(zip_entries=50))

    assert sum(not one.problem for one in ada) == 40
    assert {one.problem for one in ada if one.problem} == {
        f"got a zip with {n} files; the limit is 50." for n in range(60, 111, 10)
    }


def test_a_bomb_is_judged_by_its_declared_size(tmp_path):
    """A small zip that says it unpacks to more than the limit is not unpacked."""
    content = zipped("a.ipynb", "b.ipynb", content=b"\0" * 600_000)

    (ada,) = beside_bob(tmp_path, content, limits=Limits(unpacked_bytes=1_000_000))

    assert ada.problem == "got a zip that unpacks to 1,200,000 bytes; the limit is 1,000,000."
    assert len(content) < 3_000


def declare(content, size):
    """Return a zip of one member with another unpacked size written into its two headers."""
    content = bytearray(content)
    for start, offset in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        struct.pack_into("<L", content, content.index(start) + offset, size)
    return bytes(content)


def test_a_declared_size_that_lies_is_not_believed(tmp_path):
    """A member that says it has 100 bytes and has 30 MB is refused, and never held in memory."""
    content = declare(zipped("nb.ipynb", content=b"\0" * 30_000_000), 100)

    tracemalloc.start()
    (ada,) = beside_bob(tmp_path, content)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert "cannot be read" in ada.problem
    assert peak < 5_000_000


@pytest.mark.parametrize("size", [100, 4_000_000_000], ids=["small", "huge"])
def test_reading_stops_at_the_limit(tmp_path, size):
    """`read` takes no more than the limit, though the member goes on and the zip says otherwise."""
    lay(tmp_path, "ada.zip", content=zipped("nb.ipynb", content=NOTEBOOK))
    (one,) = collect(tmp_path, Limits(notebook_bytes=1_000_000))
    lay(tmp_path, "ada.zip", content=declare(zipped("nb.ipynb", content=b"\0" * 30_000_000), size))

    tracemalloc.start()
    with pytest.raises(ValueError, match=r"more than 1,000,000 bytes|cannot be read"):
        one.read()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 5_000_000


def test_a_notebook_that_grew_is_not_read_whole(tmp_path):
    """The limit holds on disk as well."""
    lay(tmp_path, "ada/nb.ipynb")
    (one,) = collect(tmp_path, Limits(notebook_bytes=1_000))
    lay(tmp_path, "ada/nb.ipynb", content=b" " * 1_001)

    with pytest.raises(ValueError, match=r"more than 1,000 bytes"):
        one.read()
    (tmp_path / "ada/nb.ipynb").unlink()
    with pytest.raises(ValueError, match=r"cannot be opened"):
        one.read()


def test_members_that_share_their_bytes_are_a_problem(tmp_path):
    """A zip bomb that quotes one member many times is refused whole."""
    content = bytearray(zipped("a.ipynb", "b.ipynb"))
    second = content.index(b"PK\1\2", content.index(b"PK\1\2") + 1)
    struct.pack_into("<L", content, second + 42, 0)  # where its bytes begin: where the first one's do

    (ada,) = beside_bob(tmp_path, bytes(content))

    assert "shares its bytes" in ada.problem


def test_a_huge_table_of_contents_is_not_read(tmp_path):
    """A zip of half a million empty names is refused before its table is in memory."""
    record = struct.pack("<4sHHHHHHLLLHHHHHLL", b"PK\1\2", 20, 20, 0, 0, 0, 33, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    table = record * 500_000
    content = b"PK\3\4" + bytes(26) + table + struct.pack("<4sHHHHLLH", b"PK\5\6", 0, 0, 1, 1, len(table), 30, 0)

    tracemalloc.start()
    (ada,) = beside_bob(tmp_path, content)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert "a table of contents of 23,500,000 bytes, the limit is 10,000,000" in ada.problem
    assert peak < 25_000_000 + len(content)


@pytest.mark.parametrize(
    "content",
    [b"PK\3\4", b"PK\3\4" + b"\xff" * 200, zipped("nb.ipynb")[:-30], zipped("nb.ipynb")[:60], b"Rar!\x1a\x07", b""],
    ids=["start", "noise", "end cut off", "half", "rar", "empty"],
)
def test_a_broken_zip_is_a_problem(tmp_path, content):
    """What cannot be opened is said; the student is the file's name."""
    (ada,) = beside_bob(tmp_path, content)

    assert ada.problem.startswith("got a zip that cannot be opened") or "called .zip that is none" in ada.problem


def test_a_damaged_member_harms_no_other(tmp_path):
    """One member with flipped bytes is a problem; its neighbor is read."""
    content = bytearray(zipped("a.ipynb", "b.ipynb"))
    content[37 + 5] ^= 0xFF

    a, b = sorted(beside_bob(tmp_path, bytes(content)), key=lambda one: one.file)

    assert "cannot be read" in a.problem
    assert b.read() == NOTEBOOK


def test_a_password_is_a_problem(tmp_path):
    """An encrypted member is said to be one."""
    content = bytearray(zipped("nb.ipynb"))
    content[6] |= 1
    content[content.index(b"PK\1\2") + 8] |= 1

    (ada,) = beside_bob(tmp_path, bytes(content))

    assert ada.problem == "got a file with a password in a zip; expected one without."


def test_other_compression_is_a_problem(tmp_path):
    """`zipfile` would unpack bzip2 without a bound, so it is not asked to."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("nb.ipynb", NOTEBOOK)

    (ada,) = beside_bob(tmp_path, buffer.getvalue())

    assert "compressed by method 12" in ada.problem


@pytest.mark.parametrize(
    "name",
    [
        "../nb.ipynb", "a/../../nb.ipynb", "/etc/nb.ipynb", "..\\nb.ipynb", "\\nb.ipynb", "C:\\nb.ipynb", "c:nb.ipynb",
        "nb.ipynb\0.txt",
    ],
)  # fmt: skip  # one line says more here
def test_a_name_that_leads_out_of_the_zip_is_a_problem(tmp_path, name):
    """Names with `..`, a root, a drive or NUL are refused, each alone, and stay inside in `file`."""
    bad, good = beside_bob(tmp_path, zipped(entry(name), "good.ipynb"))
    bad, good = (good, bad) if good.problem else (bad, good)

    assert "expected one that stays inside it" in bad.problem
    assert not {"..", "", "etc", "C:"} & (set(bad.file.split("/")) - {"etc"})
    assert good.read() == NOTEBOOK


@pytest.mark.parametrize(
    ("name", "said"),
    [("a/" * 60 + "nb.ipynb", "61 folders deep"), ("x" * 60_000 + ".ipynb", "a name of 60,006 characters")],
    ids=["deep", "long"],
)
def test_a_deep_or_long_name_is_a_problem(tmp_path, name, said):
    """A name that would cost memory or time is refused; its neighbor is read."""
    good, bad = sorted(beside_bob(tmp_path, zipped(name, "good.ipynb")), key=lambda one: one.problem)

    assert said in bad.problem
    assert len(bad.file) < 1_100
    assert good.read() == NOTEBOOK


@pytest.mark.parametrize(
    ("mode", "said"), [(stat.S_IFLNK, "a symbolic link"), (stat.S_IFIFO, "a pipe"), (stat.S_IFCHR, "a device")]
)
def test_a_zip_holds_files_only(tmp_path, mode, said):
    """Links and special files inside a zip are problems, known by their attributes."""
    (ada,) = beside_bob(tmp_path, zipped(entry("nb.ipynb", mode=mode | 0o644), content=b"/etc/passwd"))

    assert said in ada.problem


def test_a_name_that_stands_twice_in_a_zip_is_a_problem(tmp_path):
    """Which of two members of one name counts cannot be told."""
    one, two = beside_bob(tmp_path, zipped("nb.ipynb", "nb.ipynb"))

    assert "got 2 files called 'nb.ipynb'" in one.problem
    assert one.file != two.file


def test_links_on_disk_are_not_followed(tmp_path):
    """A link to a folder or a file is a problem of whoever has it, in a folder or directly."""
    outside = lay(tmp_path / "outside", "secret/nb.ipynb")
    folder = lay(tmp_path / "in", "bob/nb.ipynb", "eve/nb.ipynb")
    (folder / "ada").symlink_to(outside / "secret")
    (folder / "eve" / "more.ipynb").symlink_to(outside / "secret/nb.ipynb")
    (folder / "eve" / "up").symlink_to(folder)

    found = collect(folder)

    assert "links are not followed" in problem(found, "ada")
    assert sorted((one.file, bool(one.problem)) for one in found if one.student == "eve") == [
        ("eve/more.ipynb", True), ("eve/nb.ipynb", False),
    ]  # fmt: skip  # one line says more here
    assert readable(found)


def test_special_files_are_not_opened(tmp_path):
    """A pipe, which would block, and a socket are problems."""
    lay(tmp_path, "bob/nb.ipynb", "ada/x", "eve/x")
    (tmp_path / "ada/x").unlink()
    (tmp_path / "eve/x").unlink()
    os.mkfifo(tmp_path / "ada/nb.ipynb")
    with tempfile.TemporaryDirectory() as short, socket.socket(socket.AF_UNIX) as server:
        server.bind(f"{short}/s")  # a socket's path is at most 108 bytes
        Path(short, "s").rename(tmp_path / "eve/nb.ipynb")

        found = collect(tmp_path)

    assert "got a pipe, a socket or a device" in problem(found, "ada")
    assert "got a pipe, a socket or a device" in problem(found, "eve")
    assert readable(found)


def test_what_cannot_be_opened_is_a_problem():
    """A folder and a file without permission are problems of their students."""
    with tempfile.TemporaryDirectory() as name:
        folder = lay(Path(name), "bob/nb.ipynb", "ada/nb.ipynb", "eve/nb.ipynb", "max/nb.ipynb")
        for path in (folder, *folder.iterdir()):
            path.chmod(0o755)
        (folder / "ada").chmod(0)
        (folder / "eve/nb.ipynb").chmod(0)
        (folder / "max").chmod(0o444)  # its names can be read, nothing else
        before = os.geteuid()
        if before == 0:
            os.seteuid(65534)  # root may open everything
        try:
            found = collect(folder)
            assert readable(found)
        finally:
            os.seteuid(before)
            for student in ("ada", "max"):
                (folder / student).chmod(0o755)

    assert "got a folder that cannot be opened (Permission denied)" in problem(found, "ada")
    assert "got a file that cannot be opened (Permission denied)" in problem(found, "eve")
    assert "got a file that cannot be opened (Permission denied)" in problem(found, "max")


def test_folders_in_folders_without_end_are_walked(tmp_path):
    """A thousand nested folders exceed Python's recursion; the notebook inside is found."""
    path = lay(tmp_path, "bob/nb.ipynb") / "ada"
    path.mkdir()
    before, depth = Path.cwd(), 1_500
    try:
        os.chdir(path)
        for _ in range(depth):
            Path("d").mkdir()
            os.chdir("d")
        Path("nb.ipynb").write_bytes(NOTEBOOK)
        ada, bob = collect(tmp_path)
        Path("nb.ipynb").unlink()
        for _ in range(depth):  # what removes temporary folders is recursive, too
            os.chdir("..")
            Path("d").rmdir()
    finally:
        os.chdir(before)

    assert ada.student == "ada"
    assert ada.file.count("/") == depth + 1
    assert bob.problem == ""


def test_a_name_that_is_no_utf8_is_told(tmp_path):
    """A file's name in Latin-1 becomes text that a results file can hold, and the file is read."""
    lay(tmp_path, os.fsdecode(b"Zo\xeb/nb.ipynb"), "bob/nb.ipynb")

    zoe, _ = collect(tmp_path)

    assert zoe.student.encode("utf-8").startswith(b"Zo")
    assert zoe.read() == NOTEBOOK


# Who


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(["ada/nb.ipynb", "bob/x/y/nb.ipynb"], ["ada", "bob"], id="folders"),
        pytest.param(["ada.ipynb", "bob.ipynb"], ["ada", "bob"], id="files"),
        pytest.param(["sub/ada/nb.ipynb", "sub/bob/nb.ipynb"], ["ada", "bob"], id="a wrapping folder"),
        pytest.param(["sub/ada.ipynb", "sub/bob.ipynb"], ["sub", "sub"], id="a folder with notebooks"),
        pytest.param(["a/b/ada/nb.ipynb", "a/b/bob/nb.ipynb"], ["ada", "bob"], id="two wrapping folders"),
        pytest.param(["sub/ada/nb.ipynb"], ["ada"], id="a class of one in a wrapping folder"),
        pytest.param(["ada/nb.ipynb"], ["ada"], id="a class of one"),
        pytest.param(["ada/nb.ipynb", "ada/old/nb.ipynb"], ["ada", "ada"], id="a class of one with two folders"),
        pytest.param(["ada/nb.ipynb", "bob.ipynb"], ["ada", "bob"], id="folders and files"),
        pytest.param(["ada/x/nb.ipynb", "bob.ipynb"], ["ada", "bob"], id="one folder beside a file is no wrapping one"),
        pytest.param(
            ["lovelaceada_12345_67890_01_single_head.ipynb", "babbagecharles_LATE_222_67891_nb-1.ipynb"],
            ["babbagecharles", "lovelaceada"],
            id="Canvas",
        ),
        pytest.param(["anon_x7Fq2_67890_nb.ipynb", "LATE_anon_aBc9_67891_nb.ipynb"], ["anon_aBc9", "anon_x7Fq2"],
                     id="Canvas, names hidden"),
        pytest.param(["hw1/leea_1_100_nb.ipynb", "hw1/wub_2_101_nb.ipynb", "hw2/leea_1_200_nb.ipynb"],
                     ["leea", "leea", "wub"], id="Canvas, a folder for each notebook"),
        pytest.param(
            ["Ada Lovelace_1234567_assignsubmission_file_/nb.ipynb", "Bo_12_assignsubmission_file_/x/nb.ipynb"],
            ["Ada Lovelace", "Bo"], id="Moodle",
        ),
        pytest.param(
            ["hw1/Ada L_12_assignsubmission_file_/nb.ipynb", "hw2/Ada L_34_assignsubmission_file_/nb.ipynb"],
            ["Ada L", "Ada L"], id="Moodle, another number in each assignment",
        ),
        pytest.param(["Ada Lovelace_1234567_assignsubmission_file_nb.ipynb", "Bo_12_assignsubmission_file_01_x.ipynb"],
                     ["Ada Lovelace", "Bo"], id="Moodle, flat"),
        pytest.param(["Participant_1_assignsubmission_file_/nb.ipynb", "Participant_2_assignsubmission_file_/nb.ipynb"],
                     ["Participant 1", "Participant 2"], id="Moodle, names hidden"),
        pytest.param(["submission_100012/nb.ipynb", "submission_100034/nb.ipynb", "submission_metadata.yml"],
                     ["submission_100012", "submission_100034"], id="Gradescope"),
        pytest.param(["assignment_9_export/submission_100012/nb.ipynb", "assignment_9_export/submission_metadata.yml"],
                     ["submission_100012"], id="Gradescope, one student"),
        pytest.param(["Week 1_alovelace_attempt_2026-01-31-10-11-12_nb.ipynb"], ["alovelace"], id="Blackboard"),
        pytest.param(["HW_1_eve_attempt_2026-01-31-10-11-12_ada_attempt_2026-02-01-10-11-13_nb.ipynb"], ["eve"],
                     id="Blackboard, and another name in the student's"),
        pytest.param(["submitted/ada/ps1/nb.ipynb", "submitted/ada/ps1/timestamp.txt"], ["ada"], id="nbgrader, one"),
        pytest.param(["submitted/ada/ps1/nb.ipynb", "submitted/bob/ps1/nb.ipynb"], ["ada", "bob"], id="nbgrader"),
        pytest.param(["hw1-ada/nb.ipynb", "hw1-bob/nb.ipynb"], ["hw1-ada", "hw1-bob"], id="GitHub Classroom"),
        pytest.param(
            ["hw1/ada/01_single_head.ipynb", "hw1/bob/01_single_head (1).ipynb",
             "hw2/ada/02_scaling.ipynb", "hw2/bob/x/02-scaling.ipynb", "hw3/ada/03_two_heads.ipynb"],
            ["ada", "ada", "ada", "bob", "bob"], id="a folder for each notebook",
        ),
        pytest.param(
            ["hw1/ada_01_single_head.ipynb", "hw1/bob_01_single_head.ipynb",
             "hw2/ada_02_scaling.ipynb", "hw2/bob_02_scaling.ipynb"],
            ["ada", "ada", "bob", "bob"], id="a folder of files for each notebook",
        ),
        pytest.param(["01_single_head/ada.ipynb", "01_single_head/bob.ipynb", "02_scaling/ada.ipynb"],
                     ["ada", "ada", "bob"], id="a folder of files under each notebook's name"),
        pytest.param(
            ["ada/hw1/01_single_head.ipynb", "ada/hw2/02_scaling.ipynb",
             "bob/hw1/01_single_head.ipynb", "bob/hw2/02_scaling.ipynb"],
            ["ada", "ada", "bob", "bob"], id="a folder for each student's notebook",
        ),
        pytest.param(["ada/01_single_head/01_single_head.ipynb", "ada/old/01_single_head.ipynb",
                      "bob/01_single_head/01_single_head.ipynb", "bob/old/01_single_head.ipynb"],
                     ["ada", "ada", "bob", "bob"], id="old attempts in a folder"),
        pytest.param(["ada/ada_01_single_head.ipynb", "ada/ada-v2_01_single_head.ipynb",
                      "bob/bob_01_single_head.ipynb", "bob/bob-v2_01_single_head.ipynb"],
                     ["ada", "ada", "bob", "bob"], id="attempts under a student's own names"),
        pytest.param(["01_single_head.ipynb", "01_single_head (1).ipynb", "02_scaling.ipynb"],
                     ["01_single_head", "01_single_head (1)", "02_scaling"], id="the course's names say nobody"),
        pytest.param(["ada_01_single_head.ipynb", "02_scaling-ada.ipynb", "01-single-head_4711.ipynb"],
                     ["4711", "ada", "ada"], id="beside the course's names"),
        pytest.param(["ada/nb.ipynb", "ADA/nb2.ipynb", f"{COMPOSED}/nb.ipynb", f"{DECOMPOSED}/nb2.ipynb"],
                     ["ADA", "ADA", COMPOSED, COMPOSED], id="case and accents"),
        pytest.param(['=1+1/nb.ipynb', '"Q", Jr./nb.ipynb', "O'Brien, Zo\u00eb/nb.ipynb"],
                     ['"Q", Jr.', "=1+1", "O'Brien, Zo\u00eb"], id="passed through unchanged"),
    ],
)  # fmt: skip  # one case a line
def test_who(tmp_path, names, expected):
    """The student is the folder's name, or what an LMS wrote; on disk and in a zip of the same."""
    lay(tmp_path / "disk", *names)
    for name in names:
        if name.endswith((".yml", ".txt")):
            lay(tmp_path / "disk", name, content=b"")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.write(tmp_path / "disk" / name, name)
    lay(tmp_path, "class.zip", content=buffer.getvalue())

    assert [one.student for one in collect(tmp_path / "disk")] == expected
    assert [one.student for one in collect(tmp_path / "class.zip")] == expected
    assert not any(one.problem for one in collect(tmp_path / "class.zip"))


def test_a_single_notebook(tmp_path):
    """One notebook can be collected by itself, under its own name."""
    (one,) = collect(lay(tmp_path, "ada.ipynb") / "ada.ipynb")

    assert (one.student, one.file, one.read()) == ("ada", "ada.ipynb", NOTEBOOK)


def test_a_single_student(tmp_path):
    """One student's folder or zip can be collected by itself, under its own name; two copies are two's."""
    names = ["01_single_head.ipynb", "02_scaling.ipynb"]
    lay(tmp_path / "ada", *names)
    lay(tmp_path, "bob.zip", content=zipped(*names))
    lay(tmp_path / "mails", *names, "02_scaling (1).ipynb")

    assert [one.student for one in collect(tmp_path / "ada")] == ["ada", "ada"]
    assert [one.student for one in collect(tmp_path / "bob.zip")] == ["bob", "bob"]
    assert len({one.student for one in collect(tmp_path / "mails")}) == 3


def test_a_zip_of_a_class_in_a_folder(tmp_path):
    """One zip that an LMS made is descended through, beside a file of grades; Ada's own zip is Ada's."""
    names = ["leea_1_100_nb.ipynb", "wub_2_101_nb.ipynb"]
    lay(tmp_path / "lms", "submissions.zip", content=zipped(*names))
    lay(tmp_path / "lms", "grades.csv", content=b"x")
    lay(tmp_path / "own", "ada.zip", content=zipped("nb.ipynb"))

    assert [one.student for one in collect(tmp_path / "lms")] == ["leea", "wub"]
    assert [one.student for one in collect(tmp_path / "own")] == ["ada"]


def test_the_limits_of_a_class_are_larger_than_a_students(tmp_path):
    """Six downloads of a class hold more files than one student's zip may."""
    for i in range(2):
        names = [f"s{n}_{n}_{100 + n + 50 * i}_nb.ipynb" for n in range(1, 21)]
        lay(tmp_path, f"hw{i}.zip", content=zipped(*names))

    found = collect(tmp_path, Limits(zip_entries=10))

    assert len(who(found)) == 40
    assert len({one.student for one in found}) == 20


def test_a_zip_that_lies_alone_in_a_students_folder_has_a_students_limits(tmp_path):
    """It is alone there, but not among all that came in; nor is it a class' because it holds folders side by side."""
    lay(tmp_path, "bob/nb.ipynb")
    lay(tmp_path, "eve/hw.zip", content=zipped(*(f"{side}/{i}.ipynb" for side in "ab" for i in range(6))))

    assert problem(collect(tmp_path, Limits(zip_entries=10)), "eve") == "got a zip with 12 files; the limit is 10."


def test_of_one_student_the_latest_sixty_are_graded(tmp_path):
    """Each notebook is run and may use all of its time: the older ones of a hundred are a problem that is said."""
    lay(tmp_path, *(f"eve/{i:03}.ipynb" for i in range(100)), "bob/nb.ipynb")
    for i in range(100):
        os.utime(tmp_path / "eve" / f"{i:03}.ipynb", (i, i))

    eve = [one for one in collect(tmp_path) if one.student == "eve"]

    assert [one.file for one in eve if not one.problem] == [f"eve/{i:03}.ipynb" for i in range(99, 39, -1)]
    assert {one.problem for one in eve if one.problem} == {
        "got 100 notebooks under 'eve'; of one student the latest 60 are graded. Are they several students'?"
    }


def test_a_students_zip_in_a_class_has_its_own_limit(tmp_path):
    """In one zip of a class, a student's zip over the limit is that student's problem."""
    many = zipped(*(f"{i}.ipynb" for i in range(11)))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("leea_1_100_work.zip", many)
        archive.writestr("wub_2_101_nb.ipynb", NOTEBOOK)
    lay(tmp_path, "class.zip", content=buffer.getvalue())

    found = collect(tmp_path, Limits(zip_entries=10))

    assert problem(found, "leea") == "got a zip with 11 files; the limit is 10."
    assert readable(found, "wub")


def test_students_zips_in_one_zip_do_not_share_a_limit(tmp_path):
    """Zips side by side in a zip that lies alone are of a class: one over the limit leaves the others theirs."""
    inner = {"ada.zip": zipped(*(f"{n}.ipynb" for n in range(2_000)))}
    inner |= {f"s{i}.zip": zipped(*(f"{n}.ipynb" for n in range(9))) for i in range(50)}
    inner["bob.zip"] = zipped("nb.ipynb", content=os.urandom(600_000))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in inner.items():
            archive.writestr(name, content)
    lay(tmp_path, "class.zip", content=buffer.getvalue())

    found = collect(tmp_path, Limits(zip_entries=10, unpacked_bytes=400_000))

    assert len(who(found)) == 450
    assert problem(found, "ada") == "got a zip with 2,000 files; the limit is 10."
    assert problem(found, "bob").startswith("got a zip of 600,")


def test_nobody_hands_in_for_somebody_else(tmp_path):
    """A name in LMS style inside a student's folder or zip does not make it another student's."""
    lms = lay(tmp_path / "lms", "bobsmith_2_101_nb.ipynb")
    lay(lms, "eve_1_100_work.zip", content=zipped("bobsmith_2_999_nb.ipynb"))
    folders = lay(tmp_path / "folders", "eve/bobsmith_2_999_nb.ipynb", "bobsmith/nb.ipynb")
    zips = lay(tmp_path / "zips", "eve.zip", content=zipped("bobsmith_2_999_nb.ipynb", "../bobsmith/nb.ipynb"))
    lay(zips, "bobsmith/nb.ipynb")

    for folder in (lms, folders, zips):
        assert [one.student for one in collect(folder)][:2] == ["bobsmith", "eve"]
        assert readable(collect(folder), "bobsmith")


def test_a_students_folders_make_no_students(tmp_path):
    """Names inside a folder are students' where most folders say so, and nothing lies beside them: one cannot."""
    inside = ("ada/01_single_head.ipynb", "bob/01_single_head.ipynb", "bob/02_scaling.ipynb")
    few = lay(tmp_path / "few", *(f"eve/{name}" for name in inside), "ada/01_single_head.ipynb")
    most = lay(tmp_path / "most", *(f"{who}/{name}" for who in ("eve", "mal") for name in inside))
    lay(most, "ada/01_single_head.ipynb", "bob/bob/01_single_head.ipynb")
    beside = lay(tmp_path / "beside", *(f"{who}/{name}" for who in ("eve", "mal") for name in inside), "ada.ipynb")

    assert {one.student for one in collect(few)} == {"ada", "eve"}
    assert {one.student for one in collect(most)} == {"ada", "bob", "eve", "mal"}
    assert {one.student for one in collect(beside)} == {"ada", "eve", "mal"}


LATE = "ada_02_scaling.ipynb"


@pytest.mark.parametrize(
    "lay_class",
    [
        lambda root: lay(root, "class.zip", content=zipped(*(f"{who}_01_single_head.ipynb" for who in ("ada", "bob")))),
        lambda root: lay(root, "class.zip", content=zipped("leea_1_100_nb.ipynb", "wub_2_101_nb.ipynb")),
        lambda root: lay(root, "weeks/hw1/ada/01_single_head.ipynb", "weeks/hw1/bob/01_single_head.ipynb",
                         "weeks/hw2/ada/02_scaling.ipynb", "weeks/hw2/bob/02_scaling.ipynb"),
        lambda root: lay(root, "hw1/ada/01_single_head.ipynb", "hw1/bob/01_single_head.ipynb",
                         "hw2/ada/02_scaling.ipynb", "hw2/bob/02_scaling.ipynb"),
        lambda root: lay(root, "hw1/leea_1_100_nb.ipynb", "hw2/leea_1_200_nb.ipynb", "hw1/wub_2_101_nb.ipynb"),
    ],
    ids=["files in a zip", "a download", "a folder of folders", "folders", "downloads"],
)  # fmt: skip  # one case a line
def test_a_class_beside_a_file_is_the_rosters_to_tell(tmp_path, lay_class):
    """A late file beside a class, or a student's zip full of names beside a class: only the roster knows which."""
    lay_class(tmp_path)
    lay(tmp_path, LATE)
    roster = {name: Person(name) for name in ("ada", "bob", "leea", "wub")}

    late, *others = sorted(collect(tmp_path), key=lambda one: one.file != LATE)
    by_roster = collect(tmp_path, roster=roster)

    assert (late.student, late.problem) == ("ada", "")
    assert all("got files of 2 students in" in one.problem for one in others)
    assert {one.student for one in by_roster} - {"ada"} in ({"bob"}, {"leea", "wub"})
    assert not any(one.problem for one in by_roster)


def test_names_in_a_students_zip_are_not_asked(tmp_path):
    """A zip among notebooks, or one that lies alone, is its sender's where the roster knows the sender."""
    forged = zipped("ada_4711_67890_01_single_head.ipynb", "bob_4712_67891_01_single_head.ipynb")
    roster = {name: Person(name) for name in ("ada", "bob", "eve")}
    alone = lay(tmp_path / "alone", "eve.zip", content=forged)
    among = lay(tmp_path / "among", "eve.zip", content=forged)
    lay(among, "ada.ipynb", "bob.ipynb")

    for folder in (alone, among):
        found = collect(folder, roster=roster)
        assert [one.file for one in found if one.student in ("ada", "bob")] == sorted({"ada.ipynb", "bob.ipynb"} & {
            path.name for path in folder.iterdir()
        })  # fmt: skip
        assert all("got files of 2 students" in one.problem for one in found if one.student == "eve")


def test_the_first_in_a_new_folder_hands_in_for_nobody_else(tmp_path):
    """Who is a student in hw1/ and hw2/ is one in hw3/, though nobody else has handed in there."""
    lay(tmp_path, *(f"{hw}/{who}/{nb}.ipynb" for hw, nb in (("hw1", "01_single_head"), ("hw2", "02_scaling"))
                    for who in ("ada", "bob", "eve")), "hw3/eve/ada/01_single_head.ipynb")  # fmt: skip

    assert {one.student for one in collect(tmp_path) if one.file.startswith("hw3")} == {"eve"}


def test_a_file_in_gradescopes_name_inside_a_students_zip_says_nothing(tmp_path):
    """It is not read: neither what it says of others, nor a date that no calendar has, nor blanks without end."""
    evil = "submission_1:\n  :submitters:\n  - :name: Ada" + " " * 200_000 + "x\n  :created_at: 2026-99-99 10:11:12 Z\n"
    lay(tmp_path, "submission_100012/nb.ipynb", "submission_100034/nb.ipynb")
    for name in ("submission_100034/submission_metadata.yml", "submission_metadata.yml"):
        lay(tmp_path, name, content=evil.encode())
    lay(tmp_path, "submission_100034/x.zip", content=zipped("submission_metadata.yml", "nb.ipynb", content=evil))

    assert {one.student for one in collect(tmp_path)} == {"submission_100012", "submission_100034"}


def test_a_date_that_no_calendar_has_is_passed_over(tmp_path):
    """The date is then the file's, and the class is collected."""
    lay(tmp_path, "submitted/eve/ps1/nb.ipynb", "submitted/ada/ps1/nb.ipynb")
    lay(tmp_path, "submitted/eve/ps1/timestamp.txt", content=b"2026-02-30 10:00:00 UTC")

    assert [one.student for one in collect(tmp_path)] == ["ada", "eve"]


def test_a_download_among_students_folders_is_nobodys(tmp_path):
    """Where a class' notebooks lie beside folders of students, none passes for an attempt of one student."""
    lay(tmp_path, "bob/nb.ipynb", "hw1/leea_1_100_nb.ipynb", "hw1/wub_2_101_nb.ipynb")

    found = collect(tmp_path)

    assert readable(found)
    assert all("Give --roster, which says who is a student" in one.problem for one in found if one.student == "hw1")


def test_two_students_of_one_name_are_two(tmp_path):
    """Where the numbers beside a name differ, they are part of the key."""
    lay(tmp_path / "canvas", "leea_1_100_nb.ipynb", "leea_2_101_nb.ipynb", "wub_3_102_nb.ipynb")
    lay(tmp_path / "moodle", "A Lee_1_assignsubmission_file_/nb.ipynb", "A Lee_2_assignsubmission_file_/nb.ipynb")

    assert [one.student for one in collect(tmp_path / "canvas")] == ["leea_1", "leea_2", "wub"]
    assert [one.student for one in collect(tmp_path / "moodle")] == ["A Lee_1", "A Lee_2"]


def test_who_handed_in_text_to_canvas_is_there(tmp_path):
    """An entry without a file is a student without a notebook."""
    lay(tmp_path, "leea_1_100_nb.ipynb")
    lay(tmp_path, "wub_2_text.html", "kimc_LATE_3_link.html", content=b"<html>")

    found = collect(tmp_path)

    assert "got only wub_2_text.html" in problem(found, "wub")
    assert "got only kimc_LATE_3_link.html" in problem(found, "kimc")


def test_names_in_a_zip_of_macos(tmp_path):
    """UTF-8 that is not marked as such, decomposed, is the student's name."""
    content = zipped(f"{DECOMPOSED}/nb.ipynb", "bob/nb.ipynb")
    marked = content.index(b"PK\1\2")
    unmarked = bytearray(content)
    unmarked[7] &= ~8
    unmarked[marked + 9] &= ~8
    lay(tmp_path, "class.zip", content=bytes(unmarked))

    zoe = collect(tmp_path)[0 if COMPOSED < "bob" else 1]

    assert zoe.student == unicodedata.normalize("NFC", COMPOSED)
    assert zoe.read() == NOTEBOOK


# The roster


def test_the_roster_translates(tmp_path):
    """Whatever the name says, the key is the roster's: by folder, Canvas' form, its number, or the full name."""
    ada, wu = Person("alove", "Ada Lovelace", "4711"), Person("bwu")
    roster = {"alove": ada, "Ada Lovelace": ada, "lovelaceada": ada, "4711": ada, "bwu": wu}
    lay(tmp_path, "ALOVE.ipynb", "lovelaceada_9_100_nb.ipynb", "xx_4711_101_nb.ipynb", "eve.ipynb")
    lay(tmp_path, "ada lovelace_7_assignsubmission_file_/nb.ipynb")

    assert [one.student for one in collect(tmp_path, roster=roster)] == ["alove"] * 4 + ["eve"]


def test_a_student_of_the_roster_is_not_descended_through(tmp_path):
    """A class of one whose folder holds one folder: the roster says which of the two is the student."""
    lay(tmp_path, "ada/work/nb.ipynb")

    assert [one.student for one in collect(tmp_path)] == ["work"]
    assert [one.student for one in collect(tmp_path, roster={"ada": Person("ada")})] == ["ada"]


def test_the_roster_says_at_which_depth_the_students_are(tmp_path):
    """It knows the folders inside, or those outside, whatever the notebooks are called."""
    lay(tmp_path, "one/ada/nb.ipynb", "one/bob/nb.ipynb", "two/ada/nb.ipynb", "two/bob/nb.ipynb")
    inside, outside = {"ada": Person("ada")}, {"one": Person("one"), "ada": Person("ada")}

    assert {one.student for one in collect(tmp_path)} == {"one", "two"}
    assert {one.student for one in collect(tmp_path, roster=inside)} == {"ada", "bob"}
    assert {one.student for one in collect(tmp_path, roster=outside)} == {"one", "two"}


def test_a_name_and_a_number_of_two_people_are_nobodys(tmp_path):
    """Where the roster disagrees with itself about a file, nobody is given it."""
    roster = {"lovelaceada": Person("ada"), "22": Person("bob")}

    (one,) = collect(lay(tmp_path, "lovelaceada_22_100_nb.ipynb"), roster=roster)

    assert one.student == "lovelaceada_22"


GRADESCOPE = """---
submission_100012:
  :submitters:
  - :name: Ada Lovelace
    :sid: '4711'
    :email: ada@example.org
  :created_at: 2015-02-02 15:58:23.948203000 Z
  :score: 3.0
  :history:
  - :id: 11
    :created_at: 2014-01-01 00:00:00.000000000 Z
submission_100034:
  :submitters:
  - :name: 'O''Brien: Bo'
    :sid:
    :email: bo@example.org
  :created_at: 2015-02-03 15:58:23.948203000 Z
submission_100056:
  :submitters:
  - :name: Pair One
    :sid: '1'
  - :name: Pair Two
    :sid: '2'
"""


def test_gradescope_writes_who_and_when(tmp_path):
    """Names and dates stand in a file beside the folders; what a group handed in keeps the folder's name."""
    lay(
        tmp_path,
        "export/submission_100012/nb.ipynb",
        "export/submission_100034/nb.ipynb",
        "export/submission_100056/nb.ipynb",
    )
    lay(tmp_path, "export/submission_metadata.yml", content=GRADESCOPE.encode())

    ada, bo, pair = collect(tmp_path)

    assert [ada.student, bo.student, pair.student] == ["Ada Lovelace", "O'Brien: Bo", "submission_100056"]
    assert ada.submitted == datetime(2015, 2, 2, 15, 58, 23, tzinfo=UTC).timestamp()
    assert [
        one.student for one in collect(tmp_path, roster={"4711": Person("alove"), "bo@example.org": Person("bo")})
    ] == [
        "alove",
        "bo",
        "submission_100056",
    ]


# When


def test_the_date_is_the_files(tmp_path):
    """On disk it is the time of the last change; in a zip the zip's, and the disk's where the zip has none."""
    lay(tmp_path, "ada/nb.ipynb")
    lay(tmp_path, "bob.zip", content=zipped(entry("nb.ipynb")))
    lay(tmp_path, "eve.zip", content=zipped(entry("nb.ipynb", date=(1980, 1, 1, 0, 0, 0))))
    for name in ("ada/nb.ipynb", "bob.zip", "eve.zip"):
        os.utime(tmp_path / name, (1_000_000, 1_000_000))

    ada, bob, eve = collect(tmp_path)

    assert ada.submitted == 1_000_000
    assert datetime.fromtimestamp(bob.submitted) == datetime(2026, 1, 31, 10, 11, 12)  # zips know no zone
    assert eve.submitted == 1_000_000


def test_the_date_is_blackboards(tmp_path):
    """The date in the name counts, not the disk's; the latest is first."""
    old, new = (f"hw_ada_attempt_2026-01-{day}-10-11-12_nb.ipynb" for day in (30, 31))
    lay(tmp_path, old, new)
    os.utime(tmp_path / new, (1_000_000, 1_000_000))

    found = collect(tmp_path)

    assert [one.file for one in found] == [new, old]
    assert found[0].submitted - found[1].submitted == pytest.approx(86_400, abs=3_700)  # a day, or daylight saving


def test_the_date_is_nbgraders(tmp_path):
    """`timestamp.txt` beside the notebook counts; elsewhere, and in a zip, a student may have written it."""
    written = b"2015-02-02 15:58:23.948203 UTC\n"
    lay(tmp_path, "submitted/ada/ps1/nb.ipynb", "submitted/bob/ps1/x/nb.ipynb")
    lay(tmp_path, "submitted/ada/ps1/timestamp.txt", "submitted/bob/ps1/x/timestamp.txt", content=written)
    lay(tmp_path, "submitted/eve.zip", content=zipped("ps1/nb.ipynb", "ps1/timestamp.txt", content=written))

    ada, bob, eve = collect(tmp_path)

    assert ada.submitted == datetime(2015, 2, 2, 15, 58, 23, tzinfo=UTC).timestamp()
    assert min(bob.submitted, eve.submitted) > datetime(2020, 1, 1, tzinfo=UTC).timestamp()


def test_canvas_numbers_tell_which_is_later(tmp_path):
    """The dates of a Canvas download are of its making: of two files, the one with the higher number is later."""
    lay(tmp_path, "leea_1_100_nb.ipynb", "leea_1_99_nb.ipynb", "leea_1_999_nb-1.ipynb", "leea_1_1000_nb-2.ipynb")
    for date, number in enumerate((1000, 999, 100)):
        (name,) = tmp_path.glob(f"leea_1_{number}_*")
        os.utime(name, (1_000_000 + date, 1_000_000 + date))
    (tmp_path / "leea_1_99_nb.ipynb").unlink()

    assert [one.file.split("_")[2] for one in collect(tmp_path)] == ["1000", "999", "100"]


def test_equal_dates_are_told_apart_by_name(tmp_path):
    """`submitted` alone says which of two attempts is the latest, by natural order of the names."""
    names = ["nb.ipynb", "nb (2).ipynb", "nb (10).ipynb"]
    lay(tmp_path, *(f"ada/{name}" for name in names))
    for name in names:
        os.utime(tmp_path / "ada" / name, (1_000_000, 1_000_000))

    found = collect(tmp_path)

    assert [one.file for one in found] == ["ada/nb (10).ipynb", "ada/nb (2).ipynb", "ada/nb.ipynb"]
    assert found[0].submitted > found[1].submitted > found[2].submitted == 1_000_000


def test_sorted_by_student_then_the_latest_first(tmp_path):
    """The order does not depend on the disk's."""
    lay(tmp_path, "bob/1.ipynb", "ada/1.ipynb", "bob/2.ipynb")
    os.utime(tmp_path / "bob/1.ipynb", (2_000_000_000, 2_000_000_000))

    assert [one.file for one in collect(tmp_path)] == ["ada/1.ipynb", "bob/1.ipynb", "bob/2.ipynb"]


def test_the_memory_of_a_class_is_small(tmp_path):
    """Three thousand notebooks of 20 kB are collected in 6 MB: their content is not kept."""
    content = NOTEBOOK + b" " * 20_000
    for student in range(500):
        lay(tmp_path, *(f"s{student}/{i}.ipynb" for i in range(6)), content=content)

    tracemalloc.start()
    found = collect(tmp_path)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert len(found) == 3_000
    assert kept < 6_000_000
    assert peak < 12_000_000
