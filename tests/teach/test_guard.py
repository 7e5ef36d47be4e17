import os
import subprocess
import sys
from pathlib import Path

import pytest

import helpers


@pytest.fixture
def first_cell(tmp_path, submission):
    """Return the runner of a notebook's first code cell, in a process that starts beside the notebook."""

    def run():
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ATTENTION_"))}
        source = submission.code[0].source
        assert "attention_by_hand.guard" in source
        return subprocess.run(
            [sys.executable, "-c", source], cwd=tmp_path, env=clean, capture_output=True, encoding="utf-8", check=False
        )

    return run


def test_ours_passes_silently(first_cell):
    """Where nothing hides our `helpers`, the first cell runs and prints nothing."""
    done = first_cell()

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("file", ["helpers.py", "helpers/__init__.py", "helpers/numbers.py", "helpers/learn/check.py"])
def test_another_helpers_is_named(first_cell, tmp_path, file):
    """A file or a folder named `helpers` beside the notebook is named by its path, before anything of it runs."""
    hiding = tmp_path / file
    hiding.parent.mkdir(parents=True, exist_ok=True)
    hiding.write_text("raise SystemExit('it was run')\n", encoding="utf-8")

    done = first_cell()

    assert done.returncode == 1
    assert f"✗ helpers: found {tmp_path / 'helpers'}" in done.stderr
    assert "expected the one of Attention by Hand" in done.stderr
    assert "Rename yours" in done.stderr
    assert "it was run" not in done.stderr


def test_a_folder_that_only_shares_a_neighborhood(first_cell, tmp_path):
    """Other files beside the notebook are no matter, whatever they hold."""
    (tmp_path / "helper.py").write_text("raise SystemExit('it was run')\n", encoding="utf-8")
    (tmp_path / "course.toml").write_text("", encoding="utf-8")

    assert first_cell().returncode == 0


def test_none_at_all():
    """Where the course is not installed, the guard says so, and not that something hides it."""
    code = "import sys; sys.path.append(sys.argv[1]); import attention_by_hand.guard"
    alone = [sys.executable, "-I", "-S", "-c", code, str(Path(helpers.__file__).parent)]  # without site-packages

    done = subprocess.run(alone, capture_output=True, encoding="utf-8", check=False)

    assert done.returncode == 1
    assert "✗ helpers: found none" in done.stderr
    assert "Install the course as its README says" in done.stderr
