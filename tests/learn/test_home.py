import sys
from pathlib import Path

import pytest

from helpers.learn import home


@pytest.fixture
def unset(monkeypatch, tmp_path):
    """Return a folder for notebooks, with ATTENTION_HOME not set."""
    monkeypatch.delenv("ATTENTION_HOME")
    monkeypatch.setattr(home, "_started_in", tmp_path / "started")
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "01.ipynb").write_text("{}")
    return tmp_path / "notebooks"


def test_attention_home_decides(monkeypatch, unset, tmp_path):
    """ATTENTION_HOME is stronger than the notebook's folder."""
    monkeypatch.setenv("JPY_SESSION_NAME", str(unset / "01.ipynb"))
    monkeypatch.setenv("ATTENTION_HOME", str(tmp_path / "chosen"))

    assert home.home() == tmp_path / "chosen"


def test_while_nbgrader_autogrades_each_submission_has_its_own(monkeypatch, unset, tmp_path):
    """A folder that all submissions share would lend one student's functions to the next."""
    monkeypatch.setenv("ATTENTION_HOME", str(tmp_path / "shared"))
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")

    assert home.home() == tmp_path / "started"

    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")  # a student's own, on their own notebook
    assert home.home() == tmp_path / "shared"


def test_jupyterlab_says_which_notebook_runs(monkeypatch, unset):
    """Without ATTENTION_HOME it is the folder of the notebook that JupyterLab names."""
    monkeypatch.setenv("JPY_SESSION_NAME", str(unset / "01.ipynb"))

    assert home.home() == unset.resolve()


def test_vs_code_says_which_notebook_runs(monkeypatch, unset):
    """VS Code puts the notebook's path among the notebook's own names."""
    monkeypatch.setattr(sys.modules["__main__"], "__vsc_ipynb_file__", str(unset / "01.ipynb"), raising=False)

    assert home.home() == unset.resolve()


@pytest.mark.parametrize("told", ["renamed.ipynb", "01.txt", ""])
def test_a_name_that_is_no_longer_true_is_not_believed(monkeypatch, unset, tmp_path, told):
    """JPY_SESSION_NAME stays as it was after a rename; without a file of that name the first folder counts."""
    monkeypatch.setenv("JPY_SESSION_NAME", str(unset / told) if told else "")

    assert home.notebook_path() is None
    assert home.home() == tmp_path / "started"


def test_the_working_folder_is_frozen_at_import(monkeypatch, unset, tmp_path):
    """`%cd` later in the notebook does not move the student's file."""
    monkeypatch.chdir(unset)

    assert home.home() == tmp_path / "started"


def test_a_file_is_written_whole_or_not_at_all(monkeypatch, folder):
    """A write that fails half-way leaves the old text, keeps the new one for the session, and leaves no litter."""
    path = folder / "my_attention.py"
    home.write(path, "old")

    def full(self, target):
        raise OSError("no space left")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", full)
        assert home.write(path, "new") is False

    assert path.read_text() == "old"
    assert home.read(path) == "new"
    assert [one.name for one in folder.iterdir()] == ["my_attention.py"]
    assert home.write(path, "newer") is True
    assert home.read(path) == path.read_text() == "newer"


def test_the_lock_is_no_obstacle_where_there_is_none_to_be_had(monkeypatch, tmp_path):
    """In a folder that cannot be made, locking lets the one writer through."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ATTENTION_HOME", str(tmp_path / "file" / "home"))
    with home.locked():
        written = home.write(home.home() / "x", "text")

    assert written is False
    assert home.read(home.home() / "x") == "text"


def test_a_state_file_can_be_read_by_whoever_could_before(tmp_path):
    """A new file gets the usual rights, and a rewritten one keeps its own."""
    path = tmp_path / "state"
    ordinary = tmp_path / "ordinary"
    ordinary.write_text("")

    home.write(path, "one")
    assert path.stat().st_mode == ordinary.stat().st_mode
    path.chmod(0o640)
    home.write(path, "two")
    assert sys.platform == "win32" or path.stat().st_mode & 0o777 == 0o640


def test_a_relative_home_does_not_move_with_the_working_folder(tmp_path, monkeypatch):
    """`ATTENTION_HOME=mine` means the folder below the one the session started in, also after `%cd`."""
    monkeypatch.setenv("ATTENTION_HOME", "mine")
    before = home.home()
    monkeypatch.chdir(tmp_path)

    assert home.home() == before


def test_a_file_is_whole_and_alone(tmp_path):
    """The text arrives as UTF-8 with its own line ends, in a folder that was not there, and nothing else is left."""
    home.write_whole(tmp_path / "results" / "x.csv", "ä\r\n")
    home.write_whole(tmp_path / "results" / "x.csv", "ö\r\nü\n")
    assert [path.name for path in (tmp_path / "results").iterdir()] == ["x.csv"]
    assert (tmp_path / "results" / "x.csv").read_bytes() == "ö\r\nü\n".encode()


def test_a_name_that_was_no_utf_8_is_written(tmp_path):
    """A surrogate, which a file's name on Linux may bring, is written as its escape; one student spoils no table."""
    home.write_whole(tmp_path / "x", "ada\udcff")
    assert (tmp_path / "x").read_bytes() == b"ada\\udcff"


def test_a_file_that_cannot_be_written_is_told(tmp_path):
    """What cannot be written raises, and leaves nothing behind: a table must not be lost in silence."""
    taken = tmp_path / "results" / "taken"
    taken.mkdir(parents=True)
    with pytest.raises(OSError, match="taken"):
        home.write_whole(taken, "text")
    assert list(taken.parent.iterdir()) == [taken]
