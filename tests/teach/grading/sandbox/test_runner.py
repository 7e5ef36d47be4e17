"""The warm process: what it gives, how it is ended, and what holds where Bubblewrap takes Landlock's place."""

import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest
from submissions import Notebook, cases

from helpers.teach.grading.mark import Grader
from helpers.teach.grading.sandbox import runner as runner_module
from helpers.teach.grading.sandbox.confine import BUBBLEWRAP, NOTHING, Limits
from helpers.teach.grading.sandbox.runner import Runner, Unconfined
from helpers.teach.grading.submission import Submission

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can confine")

SEED = 7  # of the hidden examples


@pytest.fixture(scope="module")
def runner():
    """Return one warm process for the file; an answer has far more time than it needs on a busy machine."""
    with Runner(Limits(memory=256), SEED) as started:
        yield started


def verdict(runner, tmp_path, source):
    """Return what becomes of `weighted_values` written like this."""
    path = Notebook(weighted_values=source).write(tmp_path / "one.ipynb")
    record = Grader(runner, 1).mark(Submission("one.ipynb", "ada", 0.0, path))
    return next(one for one in record.exercises if one.function == "weighted_values")


def test_all_is_protected(runner):
    """The four barriers are named, and none is lacking."""
    assert len(runner.protections) == 4
    assert runner.lacking == []


def test_none_confines_none_runs(monkeypatch):
    """Where nothing keeps answers from files, it refuses and says what to do; `trust` overrides it and is told so."""
    with pytest.raises(Unconfined, match="--trust-submissions"):
        Runner(Limits(), SEED, barrier=NOTHING)
    with Runner(Limits(), SEED, trust=True, barrier=NOTHING) as trusting:
        assert trusting.lacking


def test_no_environment_of_ours(runner, tmp_path, monkeypatch):
    """A password in the grader's environment does not get into the warm process."""
    monkeypatch.setenv("SECRET_OF_THE_GRADER", "x")
    assert "SECRET_OF_THE_GRADER" not in runner_module._environment()
    environment = Path(f"/proc/{runner._process.pid}/environ").read_text()
    assert "SECRET" not in environment
    assert "HOME=" not in environment


def test_no_answer_is_in_the_warm_process(runner, tmp_path):
    """No solution is loaded where answers run, and no true value was read there."""
    source = """
def NAME(A, V):
    import sys
    held = [name for name in sys.modules if name.startswith(("solutions", "helpers.teach.solutions"))]
    from importlib import import_module
    truth = import_module("helpers.truth")
    read = [one.cache_info().currsize for one in (truth._stored, truth.truth, truth.stages, truth.shown)]
    raise ValueError(held, read)"""
    assert "It says: ([], [0, 0, 0, 0])" in verdict(runner, tmp_path, source).lines


def test_it_starts_anew_when_it_was_ended(tmp_path):
    """A warm process that something ends between two exercises costs none."""
    with Runner(Limits(), SEED) as started:
        os.kill(started._process.pid, signal.SIGKILL)
        time.sleep(0.1)
        record = Grader(started, 1).mark(Submission("one.ipynb", "ada", 0.0, Notebook().write(tmp_path / "one.ipynb")))
        assert [one.verdict for one in record.exercises] == ["right"] * 5


def test_an_answer_does_not_pay_for_the_end_of_the_warm_process(tmp_path):
    """It is run again; and what ran when the warm process was ended is ended with it."""
    with Runner(Limits(), SEED) as started:
        warm = psutil.Process(started._process.pid)
        alive = []

        def end():
            before, until = [], time.monotonic() + 20
            while not (forks := [one for one in warm.children() if one in before]) and time.monotonic() < until:
                before = warm.children()  # the fork that is there at two looks is the one that sleeps
                time.sleep(0.3)
            warm.kill()
            alive.extend(psutil.wait_procs(forks, timeout=60)[1])

        ending = threading.Thread(target=end)
        ending.start()
        source = "import time\ndef NAME(A, V):\n    time.sleep(0.2)\n    return V @ A"
        assert verdict(started, tmp_path, source).verdict == "right"
        ending.join()
        assert started._process.pid != warm.pid
        assert alive == []


def test_a_fork_ends_with_its_parent(tmp_path):
    """Whoever closes the runner leaves no process behind, a running answer neither."""
    started = Runner(Limits(), SEED)
    warm = started._process.pid
    started.close()
    assert started._process.returncode is not None
    with pytest.raises(ProcessLookupError):
        os.kill(warm, 0)


def test_the_wall_clock_is_held(tmp_path):
    """An answer that sleeps is ended when its time is up, not when it wakes."""
    with Runner(Limits(seconds=1), SEED) as started:
        marked = verdict(started, tmp_path, "def NAME(A, V):\n    import time\n    time.sleep(600)")
    assert marked.verdict == "timeout"
    assert 1 <= marked.seconds < 600


# --- Bubblewrap

needs_bubblewrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="Bubblewrap is not installed")
UNLIKE = {  # what has another error there: there is no such file, where Landlock refuses one that is
    "reads_the_passwords",
    "reads_its_memory",
    "reads_its_parents_environment",
    "reads_the_course",
    "reads_the_true_values",
    "asks_for_the_truth",
    "lists_the_processes",
}
HARMLESS = {"lists_the_home"}  # there is a home folder, and nothing in it but the way to Python
SLOW = ("timeout", ("error", "killed", "timeout"))


@pytest.fixture(scope="module")
def wrapped():
    """Return a runner whose warm process is in Bubblewrap's sandbox; an answer has time on a busy machine, too."""
    with Runner(Limits(memory=256), SEED, barrier=BUBBLEWRAP) as started:
        yield started


@pytest.fixture(scope="module")
def hurried():
    """Return the same for attacks that may never end."""
    with Runner(Limits(seconds=3, memory=256), SEED, barrier=BUBBLEWRAP) as started:
        yield started


@needs_bubblewrap
def test_bubblewrap_protects(wrapped):
    """It is said to be active, Landlock is not, and nothing is lacking."""
    assert wrapped.lacking == []
    assert any("Bubblewrap" in one for one in wrapped.protections)
    assert not any("Landlock" in one for one in wrapped.protections)


@needs_bubblewrap
@pytest.mark.parametrize(
    "case",
    [
        case
        for case in cases("hostile")
        if case.expected.verdicts["weighted_values"] not in SLOW and case.name not in HARMLESS
    ],
    ids=str,
)
def test_no_attack_gets_through_bubblewrap(case, request, tmp_path):
    """The same submissions get the same records, in other words where files are not there at all."""
    endless = "timeout" in case.expected.verdicts["weighted_values"]
    runner = request.getfixturevalue("hurried" if endless else "wrapped")
    path = tmp_path / case.file
    path.write_bytes(case.content())
    record = Grader(runner, 1).mark(Submission(case.file, "ada", 0.0, path))
    assert record.points == case.expected.points
    if case.name in UNLIKE:
        (found,) = (one for one in record.exercises if one.function == "weighted_values")
        assert found.verdict == "error"
        assert "FileNotFoundError" in found.lines[0]
    else:
        assert case.expected.differences(record) == []
