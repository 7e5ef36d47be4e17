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
from typing import Any, NoReturn

import nbformat
import pytest
from nbval.kernel import CURRENT_ENV_KERNEL_NAME, RunningKernel
from nbval.plugin import IPyNbCell, IPyNbFile, NbCellError

from helpers.learn import portfolio
from helpers.teach import notebook_form, overlay
from helpers.teach.numbers import text_difference
from helpers.truth import reference_cells

NBVAL_TIMEOUT, OUR_TIMEOUT = 2000, 60  # nbval's default in seconds, and ours
POLL = 0.5  # seconds between two looks whether the kernel still lives
FIRST_TRY = 20  # seconds for a kernel to start, before it is started anew
GRACE = 3  # seconds that an interrupted cell has to end, before its kernel is ended

# What `show` prints; a student's debug prints around it are no difference.
_SHOWN = re.compile(r"Your answer:\n.*?^(?:They |Yours )[^\n]*", re.MULTILINE | re.DOTALL)
_DISAGREES = re.compile(r"^(?:They differ|Yours has|show \w+:).*", re.MULTILINE)

PROPERTY = "attention_by_hand"  # marks our items' reports, on whatever worker they were made


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Generator[None, Any, Any]:
    """Put our collector in the place of nbval's, for our notebooks and for files that are no notebooks at all."""
    collectors = yield
    if not any(isinstance(one, IPyNbFile) for one in collectors):
        return collectors
    ours = _collector(file_path, parent)
    return [ours if ours is not None and isinstance(one, IPyNbFile) else one for one in collectors]


def _collector(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Return our collector for a file, or None where the file is nbval's business."""
    try:
        notebook = notebook_form.read(path)
    except ValueError as error:
        unreadable: UnreadableFile = UnreadableFile.from_parent(parent, path=path)
        unreadable.why = str(error)
        return unreadable
    name = overlay.recognize(overlay.code_cells(notebook))
    if name is None:
        return None
    ours: CourseFile = CourseFile.from_parent(parent, path=path)
    ours.take(name, notebook)
    return ours


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep a notebook's cells on one worker: they share a kernel."""
    from xdist.scheduler import LoadFileScheduling

    return LoadFileScheduling(config, log)


class DeadKernel(Exception):
    """The kernel's process ended while a cell ran."""


class WatchedKernel(RunningKernel):  # type: ignore[misc] # nbval ships no types
    """A kernel that is looked at while it is waited for, so that its death is noticed at once."""

    told_to_exit = False  # a cell called `exit` or `quit`: the kernel ends some time after its reply
    give_up: float | None = None  # when to stop listening: a cell may ignore the interrupt and print forever

    def get_message(self, stream: str, timeout: float | None = None) -> Any:
        """Return the next message; remember a reply that asks for the kernel's end."""
        if self.give_up is not None:
            timeout = self.give_up - time.monotonic()
            if timeout < 0:
                raise Empty
        message = super().get_message(stream, timeout=timeout)
        asked = [payload.get("source") for payload in message["content"].get("payload", ())]
        self.told_to_exit = self.told_to_exit or "ask_exit" in asked
        return message

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
                    self.give_up = time.monotonic() + GRACE
                    raise
            else:
                return

    def run_silently(self, source: str) -> None:
        """Run code of ours that leaves no trace in the notebook's cells and outputs."""
        message = self.kc.execute(source, silent=True, store_history=False)
        self.await_reply(message, timeout=OUR_TIMEOUT)
        self.await_idle(message, timeout=OUR_TIMEOUT)


# A student's TODO cell may use our names for trials of its own (`X = ...`, `check = print`). What it needs itself
# stays; every other name gets back what it held before.
_REMEMBER = "__ours = {**globals()}"
_PUT_BACK = "globals().update({{name: value for name, value in __ours.items() if name not in {kept!r}}})"


class UnreadableFile(pytest.File):
    """A file that is no notebook: one failure, where nbval's collection error would end the run for everyone."""

    why = ""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the one item."""
        yield UnreadableItem.from_parent(self, name="unreadable")


class UnreadableItem(pytest.Item):
    """Fails, and says why the file cannot be read."""

    def runtest(self) -> None:
        """Fail."""
        self.user_properties.append((PROPERTY, ""))
        assert isinstance(self.parent, UnreadableFile)  # noqa: S101  it is made there
        raise ValueError(f"{self.name}: {self.parent.why}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        """Return the sentence alone."""
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Name the file."""
        return self.path, 0, self.nodeid


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
            try:
                sources = {**overlay.solved(self.course_notebook)}
            except FileNotFoundError as error:
                raise self.CollectError(str(error)) from None
            cells = [cell for cell in notebook_form.normal(self.submitted).cells if cell.cell_type == "code"]
        else:
            sources = overlay.answers(overlay.code_cells(self.submitted), self.course_notebook)
            cells = [_as_cell(**cell) for cell in reference_cells(self.course_notebook)]
        laid = [cell.id for cell in cells if cell.id in sources]
        if sorted(laid) != sorted(sources):
            missing = ", ".join(sorted(set(sources) - set(laid))) or "none"
            raise self.CollectError(
                f"{self.path.name}: expected one TODO cell for each exercise, got {len(laid)} of {len(sources)} "
                f"(without a cell of that id: {missing})."
            )
        option = ""
        for number, cell in enumerate(cells):
            graded = cell.id in sources
            if graded:  # what stands below an option that was left out, up to the next exercise, needs it
                option = cell.id if overlay.left_out(cell.id, sources[cell.id]) else ""
            source = sources[cell.id] if graded else cell.source
            item = CourseCell.from_parent(
                self, name=cell.id, cell_num=number, cell=cell, options=defaultdict(bool, check=True)
            )
            item.graded, item.missing, item.option = graded, source is None, option
            item.user_properties.append((PROPERTY, self.course_notebook))
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
            patch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # no __pycache__ beside the notebook either
            patch.setenv("OPENBLAS_NUM_THREADS", os.environ.get("OPENBLAS_NUM_THREADS", "1"))
            self.kernel = self._start()
        self.setup_sanitize_files()

    def _start(self) -> WatchedKernel:
        """Return a running kernel. The first try is short: two kernels that start at once may pick the same port."""
        name = self.config.option.nbval_kernel_name or CURRENT_ENV_KERNEL_NAME
        limit = self.config.option.nbval_kernel_startup_timeout
        try:
            return WatchedKernel(name, cwd=str(self.path.parent), startup_timeout=min(limit, FIRST_TRY))
        except RuntimeError:
            return WatchedKernel(name, cwd=str(self.path.parent), startup_timeout=limit)

    def _earlier(self) -> str:
        """Return the functions of earlier notebooks: the solutions where they are installed, else the student's own."""
        file = self.path.parent / "my_attention.py"
        own = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
        try:
            return overlay.earlier_file(self.course_notebook, own)
        except (SyntaxError, portfolio.Refused):
            return own  # the cell that imports from it says what is wrong with it

    def teardown(self) -> None:
        """Stop the kernel, and forget its state."""
        super().teardown()
        self._home.cleanup()


class CourseCell(IPyNbCell):  # type: ignore[misc] # nbval ships no types
    """One of our cells."""

    graded = False  # a TODO cell
    missing = False  # a TODO cell that the student's file does not have
    option = ""  # the option that this cell belongs to, if it was left out
    ran = False

    def setup(self) -> None:
        """Skip an option that was left out, and what stands below a dead kernel or an endless loop."""
        if self.option:
            pytest.skip(f"not run: {self.option} is an option, and was left out")
        if self.parent.stopped:
            pytest.skip(self.parent.stopped)

    def runtest(self) -> None:
        """Run what stands above and was not selected, then the cell."""
        for earlier in self.parent.items[: self.parent.items.index(self)]:
            if earlier.ran or earlier.option:
                continue
            try:
                earlier.run()
            except NbCellError:
                # It was not selected, so its failure is not this cell's news, unless it ends the kernel.
                if self.parent.stopped:
                    self.raise_cell_error(self.parent.stopped)
        self.run()

    def run(self) -> None:
        """Run the cell alone, and compare what it prints."""
        self.ran = True
        self.output_timeout = OUR_TIMEOUT  # nbval's 5 s, from a reply to the end of its output, are for a quiet machine
        if self.missing:
            self.raise_cell_error(
                "missing: the file has no code cell that defines it. Was it deleted, or turned to text?"
            )
        if not self.parent.kernel.is_alive():
            self._stop("the kernel had ended", "the kernel ended between the cell above and this one.")
        wanted = self.config.option.nbval_cell_timeout
        limit = OUR_TIMEOUT if wanted == NBVAL_TIMEOUT else wanted
        traceback = None
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.config.option, "nbval_cell_timeout", limit)
            try:
                if self.graded:
                    self.parent.kernel.run_silently(_REMEMBER)
                super().runtest()
                if self.graded and not self.parent.timed_out:
                    kept = overlay.names_kept(self.cell.source, self.name)
                    self.parent.kernel.run_silently(_PUT_BACK.format(kept=kept))
                self._see_what_is_shown()
            except DeadKernel:
                self._stop(
                    "the kernel died",
                    "the kernel died while this cell ran. Does it end the process, or take all memory?",
                )
            except NbCellError as error:
                if not self.parent.timed_out:
                    raise
                traceback = error.inner_traceback
        if self.parent.kernel.told_to_exit:
            self._stop("the kernel was told to exit", "this cell calls `exit` or `quit`, which ends the kernel.")
        if self.parent.timed_out:  # even where the cell caught the interrupt and went on
            self._stop(f"a limit of {limit:g} s", f"did not end within {limit:g} s. Does a loop never stop?", traceback)

    def _see_what_is_shown(self) -> None:
        """Fail if `show` says that a matrix is not the true one, in a cell that is stored without its output."""
        printed = _stream(self.test_outputs, "stdout")
        if self.cell.execution_count is None and (said := _DISAGREES.search(printed)):
            self.raise_cell_error("Cell outputs differ", f"{said[0]}\n{printed}")

    def _stop(self, what: str, reason: str, traceback: str | None = None) -> NoReturn:
        """Fail, and let all later cells be skipped."""
        self.parent.stopped = f"not run: {what} in cell {self.name}"
        self.raise_cell_error(reason, traceback)
        raise AssertionError  # never reached: nbval's method raises

    def compare_outputs(self, test: list[Any], ref: list[Any], skip_compare: Any = None) -> bool:
        """Return whether what was printed matches what is stored; words as words, numbers as numbers."""
        self.comparison_traceback: list[str] = []
        if found := re.search(r"^UsageError: .*", _stream(test, "stderr"), re.MULTILINE):
            self.comparison_traceback = [found[0]]
            return False
        if self.graded:
            return True  # a trial print in a TODO cell is the student's business
        expected, got = _printed(ref), _printed(test)
        if not self.config.getoption("solved"):  # a student's function may print: only what `show` prints counts
            if not expected.strip():
                return True
            if _SHOWN.search(expected):
                expected = "\n".join(_SHOWN.findall(expected))
                got = "\n".join(_SHOWN.findall(got)) or got
        difference = text_difference(expected, got)
        if difference:
            said = _DISAGREES.search(got)
            # What `show` prints holds the true values already.
            self.comparison_traceback = [said[0], got] if said else [difference, "Stored:", expected, "Now:", got]
        return not difference

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
        """Return the reason on the first line, then what helps to see it."""
        error = excinfo.value
        if not isinstance(error, NbCellError):
            return str(super().repr_failure(excinfo))
        reason, more = str(error), re.sub(r"\x1b\[[0-9;]*m", "", error.inner_traceback or "").strip()
        if reason == "Cell outputs differ":
            reason, _, more = more.partition("\n")
        elif reason.startswith("Cell execution caused"):
            raised = self.test_outputs[-1]
            reason = more.partition("\n")[0]
            if raised.evalue.startswith(reason):  # one of ours, which shows its lines alone
                more = more.partition("\n")[2]
            else:
                reason = f"{raised.ename}: {raised.evalue}".partition("\n")[0].rstrip(": ")
        function = self.name.removesuffix("-check")
        reason = reason.removeprefix(f"✗ {function}: ").removeprefix(f"· {function}: ")
        parts = [f"{self.name}: {reason}", more]
        if self.graded and error.source and not more:
            parts.append(f"The cell:\n{error.source}")
        return "\n".join(part for part in parts if part.strip())

    def reportinfo(self) -> tuple[Path, int, str]:
        """Name the file and the cell, by its id."""
        return self.path, 0, self.nodeid


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what was run, and for each notebook that is not right the first thing that is wrong: one line a file."""
    files: dict[str, dict[str, list[pytest.TestReport]]] = {}
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in terminalreporter.stats.get(outcome, []):
            if PROPERTY in dict(getattr(report, "user_properties", ())):
                files.setdefault(report.nodeid.partition("::")[0], defaultdict(list))[outcome].append(report)
    if not files:
        return
    solved = terminalreporter.config.getoption("solved")
    how = "each TODO cell as its solution" if solved else "each file's own TODO cells, in our notebook"
    wrong = {file: reports for file, reports in files.items() if reports["failed"] or reports["error"]}
    terminalreporter.section("Attention by Hand")
    terminalreporter.write_line(f"{len(files) - len(wrong)} of {len(files)} notebooks are all right. We ran {how}.")
    for file, reports in wrong.items():
        faults = [*reports["failed"], *reports["error"]]
        total = sum(map(len, reports.values()))
        reason = str(faults[0].longrepr).strip().partition("\n")[0]
        skipped = f", {len(reports['skipped'])} are not run" if reports["skipped"] else ""
        terminalreporter.write_line(f"{file}: {len(faults)} of {total} cells fail{skipped}. {reason}")


def _as_cell(id: str, source: str, outputs: list[Any] | None) -> Any:  # noqa: A002  nbformat's own name
    """Return a stored code cell as nbformat has it; nbval compares no output where there is no count."""
    count = None if outputs is None else 1
    return nbformat.v4.new_code_cell(source, id=id, outputs=nbformat.from_dict(outputs or []), execution_count=count)


def _stream(outputs: list[Any], name: str) -> str:
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == name)


def _printed(outputs: list[Any]) -> str:
    """Return all that a cell printed or displayed as text. Warnings are no fault."""
    shown = [output.data.get("text/plain", "") for output in outputs if "data" in output]
    return "\n".join([_stream(outputs, "stdout"), *shown])
