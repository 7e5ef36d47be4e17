import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.teach.grading.outputs.files import file_stem, write_whole


@pytest.mark.parametrize("student", ["ada", "Ada Lovelace", "Zoë_4711", "o.neill", "A-B", "7", "李雷"])
def test_a_file_is_called_after_its_student(student):
    """An ordinary key, with accents and spaces too, is the file's name."""
    assert file_stem(student) == student


@pytest.mark.parametrize(
    "student",
    ["../etc", "a/b", "a\\b", "", ".", "..", ".hidden", "con", "NUL.x", "a:b", "a ", "x" * 300, "a\0", "\ud800"],
)
def test_a_key_that_is_no_file_name_is_made_one(student):
    """A key that some system would refuse, or read as a folder, gets letters, digits and a hyphen only."""
    stem = file_stem(student)
    assert stem.replace("-", "").replace("_", "").isalnum()
    assert 9 <= len(stem) <= 50


def test_made_names_differ():
    """Two keys that keep the same letters have two files."""
    assert file_stem("a/b") != file_stem("a\\b")


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=400))
def test_any_key_is_one_name(student):
    """Whatever a student is called, the file lies in its folder and its name fits in 255 bytes with a suffix."""
    stem = file_stem(student)
    assert not set(stem) & set('/\\:*?"<>|\0\n\r\t')
    assert stem.strip(". ") == stem != ""
    assert len(f".{stem}.html.12345678".encode()) <= 255


def test_a_file_is_whole_and_alone(tmp_path):
    """The text arrives as UTF-8 with its own line ends, in a folder that was not there, and nothing else is left."""
    write_whole(tmp_path / "results" / "x.csv", "ä\r\n")
    write_whole(tmp_path / "results" / "x.csv", "ö\r\nü\n")
    assert [path.name for path in (tmp_path / "results").iterdir()] == ["x.csv"]
    assert (tmp_path / "results" / "x.csv").read_bytes() == "ö\r\nü\n".encode()


def test_a_name_that_was_no_utf_8_is_written(tmp_path):
    """A surrogate, which a file's name on Linux may bring, is written as its escape; one student spoils no table."""
    write_whole(tmp_path / "x", "ada\udcff")
    assert (tmp_path / "x").read_bytes() == b"ada\\udcff"


def test_a_file_that_cannot_be_written_is_told(tmp_path):
    """What cannot be written raises, and leaves nothing behind: a table must not be lost in silence."""
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError, match="taken"):
        write_whole(tmp_path / "taken", "text")
    assert list(tmp_path.iterdir()) == [tmp_path / "taken"]
