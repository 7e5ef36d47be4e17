import json
import os
import subprocess
import sys

import pytest

from helpers import cli
from helpers.course import course
from helpers.teach.course_folder import notebooks_folder

FIRST = [f"--ServerApp.root_dir={notebooks_folder()}", "--LabApp.default_url=/lab/tree/01_single_head.ipynb"]


@pytest.fixture
def started(monkeypatch, tmp_path_factory):
    """Stand in for JupyterLab: return the command lines it was started with, without the name of the command."""
    calls = []
    monkeypatch.setenv("ATTENTION_HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setattr("jupyterlab.labapp.main", lambda: calls.append(sys.argv[1:]))
    monkeypatch.setattr(sys, "argv", ["attention"])
    monkeypatch.setattr("os.geteuid", lambda: 1000, raising=False)
    return calls


@pytest.fixture
def own_environment(monkeypatch):
    """Undo what the command sets: it may choose ATTENTION_HOME itself."""
    monkeypatch.setenv("ATTENTION_HOME", "anything, so that the variable is put back as it was")
    monkeypatch.delenv("ATTENTION_HOME")


def test_lab_opens_the_first_notebook(started):
    """`attention lab` starts JupyterLab on notebook 1."""
    assert cli.main(["lab"]) == 0
    assert started == [FIRST]


def test_lab_opens_the_notebook_at_work(started, monkeypatch, tmp_path):
    """Whoever has done notebook 1, its reflections too, goes on with notebook 2."""
    monkeypatch.setenv("ATTENTION_HOME", str(tmp_path))
    done = {exercise.function: {"passed": True} for exercise in course().exercises_of("single_head")}
    asked = [name for name, reflection in course().reflections.items() if reflection.notebook == "single_head"]
    for reflections, file in (({}, "01_single_head"), (dict.fromkeys(asked, "A share."), "02_scaling")):
        record = {"exercises": done, "reflections": reflections}
        (tmp_path / "progress.json").write_text(json.dumps(record), encoding="utf-8")
        assert cli.main(["lab"]) == 0
        assert started[-1][1] == f"--LabApp.default_url=/lab/tree/{file}.ipynb"


def test_lab_as_root(started, monkeypatch):
    """As root, in a container, Jupyter is told that this is meant."""
    monkeypatch.setattr("os.geteuid", lambda: 0, raising=False)

    assert cli.main(["lab"]) == 0
    assert started == [[*FIRST, "--allow-root"]]


@pytest.mark.parametrize("options", [["--no-browser"], ["--port", "9999"], ["--ip=0.0.0.0", "--no-browser"]])
def test_lab_hands_options_on(started, options):
    """What follows `attention lab` is JupyterLab's business, an option in the first place too."""
    assert cli.main(["lab", *options]) == 0
    assert started == [[*FIRST, *options]]


def test_lab_opens_another_notebook_when_it_is_asked_for(started):
    """A notebook named on the command line opens in the place of the first."""
    assert cli.main(["lab", "mine.ipynb"]) == 0
    assert started == [["mine.ipynb"]]


@pytest.fixture
def record(tmp_path):
    """Return a folder whose progress.json says that exercise 1.1 passed."""
    text = json.dumps({"exercises": {"project": {"passed": True}}})
    (tmp_path / "progress.json").write_text(text, encoding="utf-8")
    return tmp_path


def test_progress_of_this_folder(record):
    """`attention progress` shows what the progress.json of the folder says it was called in."""
    clean = {name: value for name, value in os.environ.items() if name not in ("ATTENTION_HOME", "JPY_SESSION_NAME")}
    command = "from helpers.cli import main; raise SystemExit(main(['progress']))"
    done = subprocess.run(
        [sys.executable, "-c", command], cwd=record, env=clean, capture_output=True, encoding="utf-8", check=True
    )

    assert "next: 1.2" in done.stdout


def test_a_reader_that_has_gone(record):
    """`attention progress | true` ends without a traceback."""
    command = "from helpers.cli import main; raise SystemExit(main(['progress']))"
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-c", command], cwd=record, stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)

    assert (done.returncode, done.stderr) == (1, "")


def test_progress_of_the_notebooks(record, own_environment, monkeypatch, tmp_path_factory, capsys):
    """Called where there is no progress.json, it shows the one beside the course's notebooks."""
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    monkeypatch.setattr("helpers.teach.course_folder.notebooks_folder", lambda: record)

    assert cli.main(["progress"]) == 0
    assert "next: 1.2" in capsys.readouterr().out


def test_help(capsys):
    """`attention --help` names every command and ends with 0."""
    with pytest.raises(SystemExit) as ended:
        cli.main(["--help"])

    assert ended.value.code == 0
    assert "{lab,check,progress,refresh" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments", [[], ["grad"], ["check"], ["progress", "--all"], ["refresh", "--chek"], ["refresh", "one"]]
)
def test_a_wrong_call(arguments, capsys):
    """No command, an unknown one, a missing file and an unknown option end with 2 and say how to call."""
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)

    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("usage: attention")
