"""What a student hands in: a notebook with every exercise solved, for a test to change; and pytest, run on it."""

import dataclasses
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest
from submissions import Notebook

from helpers.course import course
from helpers.teach import overlay
from helpers.teach.course_folder import notebooks_folder

NOTEBOOK = "single_head"

# Two seconds for a cell that never ends, a minute for every other: no busy machine can fail a test by them.
LIMITS = """
def pytest_runtest_setup(item):
    endless = {endless}.get(item.path.stem) == item.name
    item.config.option.nbval_cell_timeout = 2 if endless else 60
"""


@pytest.fixture
def submission() -> Notebook:
    """Return a submission that is right."""
    return Notebook()


@pytest.fixture(scope="session")
def new_submission() -> Callable[..., Notebook]:
    """Return the maker of submissions that are right, of notebook 1 unless told otherwise."""
    return Notebook


@pytest.fixture(scope="session")
def stub() -> Callable[[str], str]:
    """Return the reader of our stubs: what a student finds in a TODO cell."""
    cells: dict[str, str] = {}
    for notebook in course().notebooks.values():
        cells |= dict(overlay.code_cells(nbformat.read(notebooks_folder() / notebook.file, as_version=4)))
    return lambda function: cells[function]


@dataclasses.dataclass
class Run:
    """What became of a run of pytest.

    Attributes
    ----------
    code : int
        Its exit code.
    text : str
        What it printed.
    cells : dict
        For each file (without .ipynb), what became of each cell: "" if it passed, else the text of its report.
    skipped : dict
        For each file, the cells that were not run.
    changed : list of str
        The files in the folder that were written, changed or deleted.
    """

    code: int
    text: str
    cells: dict[str, dict[str, str]]
    skipped: dict[str, list[str]]
    changed: list[str]

    def failed(self, file: str) -> list[str]:
        """Return the cells of a file that fail."""
        return [name for name, report in self.cells[file].items() if report and name not in self.skipped[file]]


def run_pytest(folder: Path, *arguments: str, endless: dict[str, str] | None = None, **environment: str) -> Run:
    """Run `python -m pytest` in a folder, as an instructor does; every warning is an error.

    `endless` names, for each file (without .ipynb) that holds one, the cell that never ends.
    """
    if endless:
        (folder / "conftest.py").write_text(LIMITS.format(endless=endless), encoding="utf-8")
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "ATTENTION_", "JPY_", "PYTHON"))
    }
    handle, junit = tempfile.mkstemp(".xml")
    os.close(handle)
    parallel = [] if "-n" in arguments else ["-p", "no:xdist"]
    # The cache is pytest's own, and would lie in the folder.
    options = ["-W", "error", "-p", "no:cacheprovider", f"--junit-xml={junit}", *parallel]
    before = _contents(folder)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *arguments],
        cwd=folder,
        env={**clean, "PYTHONIOENCODING": "utf-8", "COLUMNS": "200", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    after = _contents(folder)
    changed = [str(path) for path in before | after if before.get(path) != after.get(path)]
    run = Run(done.returncode, done.stdout + done.stderr, {}, {}, changed)
    text = Path(junit).read_text(encoding="utf-8")
    Path(junit).unlink()
    for case in ElementTree.fromstring(text or "<none/>").iter("testcase"):  # noqa: S314  the file is pytest's own
        file, name = re.sub(r"\.ipynb$", "", case.attrib["classname"]), case.attrib["name"]
        outcome = next((part for part in case if part.tag in ("failure", "error", "skipped")), None)
        run.cells.setdefault(file, {})[name] = "" if outcome is None else outcome.attrib["message"]
        run.skipped.setdefault(file, [])
        if outcome is not None and outcome.tag == "skipped":
            run.skipped[file].append(name)
    return run


def _contents(folder: Path) -> dict[Path, bytes]:
    """Return what stands in each file of a folder, but in what pytest makes of a conftest.py of ours."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("conftest."))
    return {path: path.read_bytes() for path in files}


@pytest.fixture(scope="session")
def nbval() -> Callable[..., Run]:
    """Return the command: folder, arguments, and environment variables by name."""
    return run_pytest


@pytest.fixture(scope="session")
def run_of() -> type[Run]:
    """Return the class of a run, to read a kept one."""
    return Run
