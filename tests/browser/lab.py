"""The course as a student has it who has finished it, served by JupyterLab on this machine alone."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

from helpers.course import course
from helpers.teach import notebook_form, overlay
from helpers.teach.course_folder import notebooks_folder

START = 180  # seconds that JupyterLab has to answer; it takes 2 on a quiet machine

SETTINGS: dict[str, dict[str, object]] = {
    "notebook-extension/tracker": {"windowingMode": "none"},  # every cell is in the page, in view or not
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},  # no dialog, nothing fetched
}

EXPLORES = re.compile(r"\bexplore\.(\w+)\(")


def explorers(notebook: str) -> dict[str, str]:
    """Return the explorers of one of the course's notebooks: the name of each, and its cell's source."""
    cells = overlay.code_cells(_stored(notebook))
    return {name: source for _, source in cells for name in EXPLORES.findall(source)}


def finished(notebook: str) -> Any:
    """Return a notebook of the course with every exercise solved and every question answered.

    Each explorer stands a second time at the end: two copies are compared with each other.
    """
    book = _stored(notebook)
    solved = overlay.solved(notebook)
    for cell in book.cells:
        if cell.cell_type == "code":
            cell.source = _answered(solved.get(cell.id, cell.source))
    book.cells += [nbformat.v4.new_code_cell(source) for source in explorers(notebook).values()]
    return book


def _stored(notebook: str) -> Any:
    return notebook_form.read(notebooks_folder() / course().notebooks[notebook].file)


def _answered(source: str) -> str:
    """Return a cell with the first empty quotes of a question or a reflection filled."""
    for question in course().questions.values():
        source = source.replace(f'predict("{question.name}", ""', f'predict("{question.name}", "{question.answer}"')
    for name in course().reflections:
        source = source.replace(f'reflect("{name}", ""', f'reflect("{name}", "How much n reads from m."')
    return source


def lay_out(folder: Path) -> None:
    """Make a student's folder: the finished notebooks, their figures, and `my_attention.py` in a home of its own."""
    shutil.copytree(notebooks_folder() / "figures", folder / "notebooks" / "figures")
    for name, notebook in course().notebooks.items():
        nbformat.write(finished(name), folder / "notebooks" / notebook.file)
    (folder / "home").mkdir()
    (folder / "home" / "my_attention.py").write_text(overlay.earlier_file(name), encoding="utf-8")


@contextlib.contextmanager
def serve(folder: Path) -> Iterator[tuple[str, str]]:
    """Run JupyterLab on the `notebooks/` of a folder, on a free port; yield its address and its token.

    Nothing of the user's own Jupyter is read or written.
    """
    for name, settings in SETTINGS.items():
        file = folder / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(settings), encoding="utf-8")
    own = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
        "ATTENTION_HOME": "home",
    }
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--ServerApp.ip=127.0.0.1", "--ServerApp.port=0"),
        *("--LabApp.expose_app_in_browser=True", "--LabApp.extension_manager=readonly"),
        f"--ServerApp.root_dir={folder / 'notebooks'}",
        *(["--allow-root"] if _is_root() else []),
    ]
    environment = {**os.environ, **{name: str(folder / value) for name, value in own.items()}}
    log = folder / "lab.log"
    with (
        log.open("w", encoding="utf-8") as lines,
        subprocess.Popen(command, env=environment, stdout=lines, stderr=subprocess.STDOUT) as server,
    ):
        try:
            yield _address(folder / "runtime", server, log)
        finally:
            server.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(timeout=START)
            server.kill()  # does nothing to a process that has ended


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _address(runtime: Path, server: subprocess.Popen[bytes], log: Path) -> tuple[str, str]:
    """Wait for the file in which the server says where it listens."""
    end = time.monotonic() + START
    while time.monotonic() < end and server.poll() is None:
        for file in runtime.glob("jpserver-*.json"):
            with contextlib.suppress(json.JSONDecodeError):  # it is being written
                said = json.loads(file.read_text(encoding="utf-8"))
                return said["url"], said["token"]
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab does not answer. Its last words:\n{log.read_text(encoding='utf-8')[-2000:]}")
