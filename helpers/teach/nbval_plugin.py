"""nbval for the course's notebooks, with numbers compared as numbers and the students' cells inside our copy.

``pytest --nbval --solved notebooks/``
    Every TODO cell runs as its solution; every printed output must match the stored one.
``pytest --nbval some/folder/*.ipynb``
    The student's TODO cells run inside our copy of the notebook, and are compared with the true outputs.

Other notebooks stay plain nbval's. A cell may take 60 seconds unless `--nbval-cell-timeout` says otherwise.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import nbformat
import pytest
from nbval.kernel import CURRENT_ENV_KERNEL_NAME, RunningKernel
from nbval.plugin import IPyNbCell, IPyNbFile, NbCellError

from helpers.course import course
from helpers.teach import notebook_form, overlay
from helpers.teach.course_folder import solutions_folder
from helpers.teach.numbers import text_difference
from helpers.truth import reference_cells

NBVAL_TIMEOUT, OUR_TIMEOUT = 2000, 60  # nbval's default in seconds, and ours
POLL = 0.5  # seconds between two looks whether the kernel still lives

# What `show` prints; a student's debug prints around it are no difference.
_SHOWN = re.compile(r"^Your answer:\n.*?^(?:They |Yours )[^\n]*", re.MULTILINE | re.DOTALL)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Generator[None, Any, Any]:
    """Put our collector in the place of nbval's, for our notebooks only."""
    collectors = yield
    if file_path.suffix != ".ipynb" or ".ipynb_checkpoints" in file_path.parts:
        return collectors
    try:
        notebook = notebook_form.read(file_path)
        name = overlay.recognize(overlay.code_cells(notebook))
    except ValueError:
        return collectors  # not a notebook: nbval says so
    if name is None:
        return collectors
    ours = CourseFile.from_parent(parent, path=file_path)
    ours.take(name, notebook)
    return [ours if isinstance(one, IPyNbFile) else one for one in collectors]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep a notebook's cells on one worker: they share a kernel."""
    from xdist.scheduler import LoadFileScheduling

    return LoadFileScheduling(config, log)


class DeadKernel(Exception):
    """The kernel's process ended while a cell ran."""


class WatchedKernel(RunningKernel):  # type: ignore[misc] # nbval ships no types
    """A kernel that is looked at while it is waited for, so that its death is noticed at once."""

    def await_reply(self, msg_id: str, timeout: float | None = None) -> None:
        """Wait for a cell's reply; raise `Empty` after `timeout` seconds, `DeadKernel` when the process ends."""
        end = time.monotonic() + (timeout if timeout is not None else float("inf"))
        while True:
            try:
                super().await_reply(msg_id, timeout=min(POLL, max(end - time.monotonic(), 0.01)))
            except Empty:
                if not self.is_alive():
                    raise DeadKernel from None
                if time.monotonic() >= end:
                    raise
            else:
                return


class CourseFile(IPyNbFile):  # type: ignore[misc] # nbval ships no types
    """One of the course's notebooks: our cells, with the solutions or a student's answers in the TODO cells."""

    def take(self, name: str, notebook: Any) -> None:
        """Say which notebook of the course this is, and what the file holds."""
        self.course_notebook, self.submitted = name, notebook
        self.stopped = ""  # why later cells are skipped
        self.items: list[CourseCell] = []

    def collect(self) -> Iterator[CourseCell]:
        """Yield one item for each of our code cells, named by its id."""
        self.nb = self.submitted  # nbval reads the kernel's name there
        sources: dict[str, str | None]
        if self.config.getoption("solved"):
            sources = {**overlay.solved(self.course_notebook)}
            cells = [cell for cell in notebook_form.normal(self.submitted).cells if cell.cell_type == "code"]
        else:
            sources = overlay.answers(overlay.code_cells(self.submitted), self.course_notebook)
            cells = [nbformat.from_dict(cell) for cell in reference_cells(self.course_notebook)]
        laid = [cell.id for cell in cells if cell.id in sources]
        if sorted(laid) != sorted(sources):
            missing = ", ".join(sorted(set(sources) - set(laid))) or "none"
            raise self.CollectError(
                f"{self.path.name}: expected one TODO cell for each exercise, got {len(laid)} of {len(sources)} "
                f"(without a cell of that id: {missing})."
            )
        for number, cell in enumerate(cells):
            graded = cell.id in sources
            source = sources[cell.id] if graded else cell.source
            item = CourseCell.from_parent(
                self, name=cell.id, cell_num=number, cell=cell, options=defaultdict(bool, check=True)
            )
            item.graded, item.missing = graded, source is None
            cell.source = source or ""
            self.items.append(item)
            yield item

    def setup(self) -> None:
        """Start a kernel whose state lies in a temporary folder, never beside the notebook."""
        self._home = tempfile.TemporaryDirectory(prefix="attention-")
        earlier = self._earlier()
        if earlier:
            (Path(self._home.name) / "my_attention.py").write_text(earlier, encoding="utf-8")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ATTENTION_HOME", self._home.name)
            patch.delenv("JPY_SESSION_NAME", raising=False)
            patch.delenv("ATTENTION_RECORD", raising=False)
            patch.setenv("OPENBLAS_NUM_THREADS", os.environ.get("OPENBLAS_NUM_THREADS", "1"))
            self.kernel = WatchedKernel(
                self.config.option.nbval_kernel_name or CURRENT_ENV_KERNEL_NAME,
                cwd=str(self.path.parent),
                startup_timeout=self.config.option.nbval_kernel_startup_timeout,
            )
        self.setup_sanitize_files()

    def _earlier(self) -> str:
        """Return the functions of earlier notebooks: the solutions where they are installed, else the student's own."""
        if solutions_folder().is_dir():
            return overlay.earlier_file(self.course_notebook)
        own = self.path.parent / "my_attention.py"
        return own.read_text(encoding="utf-8") if own.is_file() else ""

    def teardown(self) -> None:
        """Stop the kernel, and forget its state."""
        super().teardown()
        self._home.cleanup()


class CourseCell(IPyNbCell):  # type: ignore[misc] # nbval ships no types
    """One of our cells."""

    graded = False  # a TODO cell
    missing = False  # a TODO cell that the student's file does not have
    ran = False

    def setup(self) -> None:
        """Skip what stands below a dead kernel or an endless loop; run what stands above and was not selected."""
        if self.parent.stopped:
            pytest.skip(self.parent.stopped)
        for earlier in self.parent.items[: self.parent.items.index(self)]:
            if not earlier.ran and not self.parent.stopped:
                try:
                    earlier.runtest()
                except (NbCellError, pytest.fail.Exception):
                    continue  # it was not selected, so its failure is not this cell's news

    def runtest(self) -> None:
        """Run the cell and compare what it prints."""
        self.ran = True
        if self.missing:
            self.raise_cell_error(
                "missing: the file has no code cell that defines it. Was it deleted, or turned to text?"
            )
        wanted = self.config.option.nbval_cell_timeout
        limit = OUR_TIMEOUT if wanted == NBVAL_TIMEOUT else wanted
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.config.option, "nbval_cell_timeout", limit)
            try:
                super().runtest()
            except DeadKernel:
                self.parent.stopped = f"the kernel died in cell {self.name}"
                self.raise_cell_error(
                    "the kernel died while this cell ran. Does it end the process, or take all memory?"
                )
            except NbCellError as error:
                if self.parent.timed_out:
                    self.parent.stopped = f"cell {self.name} ran into the limit of {limit:g} s"
                    self.raise_cell_error(
                        f"did not end within {limit:g} s. Does a loop never stop?", error.inner_traceback
                    )
                raise

    def compare_outputs(self, test: list[Any], ref: list[Any], skip_compare: Any = None) -> bool:
        """Return whether what was printed matches what is stored; words as words, numbers as numbers."""
        self.comparison_traceback: list[str] = []
        errors = _stream(test, "stderr")
        if found := re.search(r"^UsageError: .*", errors, re.MULTILINE):
            self.comparison_traceback = [found[0]]
            return False
        if self.graded:
            return True  # a trial print in a TODO cell is the student's business
        expected, got = _printed(ref), _printed(test)
        if _SHOWN.search(expected):
            expected, got = ("\n".join(_SHOWN.findall(text)) for text in (expected, got))
        if difference := text_difference(expected, got):
            self.comparison_traceback = [difference, "", "Stored:", expected, "", "Now:", got]
        return not difference

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
        """Return the reason first, then the cell."""
        error = excinfo.value
        if not isinstance(error, NbCellError):
            return str(super().repr_failure(excinfo))
        traceback = re.sub(r"\x1b\[[0-9;]*m", "", error.inner_traceback or "").strip()
        reason = str(error)
        if reason == "Cell outputs differ" or reason.startswith("Cell execution caused"):
            reason, _, traceback = traceback.partition("\n")
            if reason.startswith("---"):  # a real traceback: its last line is the reason
                reason = traceback.strip().splitlines()[-1]
        parts = [f"{self.name}: {reason}", traceback.strip("\n"), f"The cell:\n{error.source}"]
        return "\n\n".join(part for part in parts if part.strip())

    def reportinfo(self) -> tuple[Path, int, str]:
        """Name the cell by its id."""
        return self.path, 0, f"{self.path.name}::{self.name}"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what was run, so that a green line cannot stand for the wrong thing."""
    config = terminalreporter.config
    how = (
        "each TODO cell as its solution" if config.getoption("solved") else "the files' own TODO cells in our notebooks"
    )
    names = ", ".join(notebook.file for notebook in course().notebooks.values())
    terminalreporter.write_line(f"Attention by Hand: ran {how} ({names}).")


def _stream(outputs: list[Any], name: str) -> str:
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == name)


def _printed(outputs: list[Any]) -> str:
    """Return all that a cell printed or displayed as text. Warnings are no fault."""
    shown = [output.data.get("text/plain", "") for output in outputs if "data" in output]
    return "\n".join([_stream(outputs, "stdout"), *shown])
