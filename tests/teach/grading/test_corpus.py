"""Every submission of `tests/submissions` gets the record that stands above it, and the host is as it was."""

import os
import re
import socket
import tempfile
from pathlib import Path

import numpy as np
import pytest
from submissions import Notebook, cases

from helpers.teach.course_folder import course_folder
from helpers.teach.grading.collecting.collect import collect
from helpers.teach.grading.mark import Grader
from helpers.teach.grading.record import parse
from helpers.teach.grading.sandbox.confine import Limits
from helpers.teach.grading.sandbox.runner import Runner
from helpers.teach.grading.submission import Submission

MEMORY = 256  # megabytes for an answer
SEED = os.getpid()  # it stands in the command of our warm process and its forks, by which they are found


@pytest.fixture(scope="module")
def patient():
    """Return one grader for the file: what one submission does to it, the next one meets."""
    with Runner(Limits(memory=MEMORY), SEED) as runner:
        yield Grader(runner, secret=20261130)


@pytest.fixture(scope="module")
def hurried():
    """Return the same for submissions of which an answer may never end."""
    with Runner(Limits(seconds=1, memory=MEMORY), SEED) as runner:
        yield Grader(runner, secret=20261130)


@pytest.fixture
def grader(request, case):
    """Return the grader for a submission. What ends by itself has time to, however busy the machine is."""
    verdicts = case.expected.verdicts.values()
    endless = any("timeout" in one for one in verdicts)
    return request.getfixturevalue("hurried" if endless else "patient")


def marked(grader, case, folder):
    """Write a submission as a student's file beside another student's, collect it, and return its record."""
    for student, file, content in ((case.name, case.file, case.content()), ("zoe", "notes.txt", b"")):
        (folder / student).mkdir()
        (folder / student / file).write_bytes(content)
    (submission,) = (one for one in collect(folder) if one.student == case.name)
    return grader.mark(submission)


@pytest.mark.parametrize("case", cases("honest"), ids=str)
def test_honest(case, grader, tmp_path):
    """What is right earns its points, however it is written and saved; what is not is told as `check` tells it."""
    assert case.expected.differences(marked(grader, case, tmp_path)) == []


@pytest.mark.parametrize("case", cases("broken"), ids=str)
def test_broken(case, grader, tmp_path):
    """What cannot be read says why; what is damaged in one place costs no more than that."""
    assert case.expected.differences(marked(grader, case, tmp_path)) == []


@pytest.mark.parametrize("case", cases("hostile"), ids=str)
def test_hostile(case, grader, tmp_path):
    """No attack gains a mark, costs the next student one, leaves a trace, or gets a terminal code into the record."""
    before = host(grader)
    record = marked(grader, case, tmp_path)
    assert case.expected.differences(record) == []
    assert grader.mark(honest(tmp_path)).points == 3
    assert host(grader) == before
    texts = [record.reason, *(text for one in record.exercises for text in (*one.lines, *one.notes, one.mistake))]
    assert all(text.isprintable() and len(text) < 400 for text in texts)
    assert parse(record.line().encode("utf-8").decode("utf-8")) == record


def honest(folder):
    """Return the next student's submission, which is right."""
    return Submission("next.ipynb", "next", 0.0, Notebook().write(folder / "next" / "next.ipynb"))


def host(grader):
    """Return what a hostile submission might change: the warm process, what it holds open, processes, files."""
    warm = grader.runner._process.pid
    return {
        "warm process": warm,
        "its descriptors": sorted(os.listdir(f"/proc/{warm}/fd")),  # noqa: PTH208  numbers, not paths
        "processes": _processes(grader.runner.limits.seconds),
        "files": {**_course_files(), **_traces()},
    }


def _processes(seconds):
    """Return the processes that run our warm process's command: itself, and whatever was forked from it."""
    command = f"helpers.teach.grading.sandbox.warm\0.*\0{SEED}\0{seconds}\0"
    found = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and re.search(command, (process / "cmdline").read_text()):
                found.append(process.name)
        except OSError:  # it has ended
            continue
    return found


def _course_files():
    """Return size, mode, owner and date of each file of the course; byte code is written by whoever runs tests."""
    places = [course_folder() / name for name in ("helpers", "notebooks", "solutions")]
    files = [path for place in places for path in [place, *place.rglob("*")] if "__pycache__" not in path.parts]
    return {str(path): _facts(path) for path in [*files, Path(np.__file__)] if path.is_file()}


def _facts(path):
    info = path.stat()
    return info.st_size, info.st_mode, info.st_uid, info.st_nlink, info.st_mtime_ns


def _traces():
    """Return what the corpus would leave where others write too, by the name that it uses."""
    packages = Path(np.__file__).parents[1]
    places = [Path(tempfile.gettempdir()), Path("/tmp"), Path("/dev/shm"), Path.home(), Path.cwd(), Path("/")]  # noqa: S108  looked at
    names = ["attention_was_here", ".attention_was_here", "numpy.py", "x"]
    left = [place / name for place in places for name in names]
    left += [packages / "x.pth", packages / "sitecustomize.py", packages / "numpy" / "__pycache__" / "x.pyc"]
    return {str(path): path.exists() for path in left}


def test_nobody_calls(patient, tmp_path):
    """A listener of each kind on this machine hears nothing of an answer that knows where it is."""
    attack = """
def NAME(A, V):
    import socket
    for kind, family, place in {calls!r}:
        try:
            with socket.socket(family, kind) as one:
                one.connect(place)
                one.send(b"x")
        except OSError:
            pass
    return V @ A"""
    kinds = (
        (socket.SOCK_STREAM, socket.AF_INET),
        (socket.SOCK_DGRAM, socket.AF_INET),
        (socket.SOCK_STREAM, socket.AF_UNIX),
    )
    listeners = [socket.socket(family, kind) for kind, family in kinds]
    try:
        for one in listeners:
            one.bind("\0attention by hand" if one.family == socket.AF_UNIX else ("127.0.0.1", 0))
            one.setblocking(False)
            if one.type == socket.SOCK_STREAM:
                one.listen()
        calls = [(int(one.type), int(one.family), one.getsockname()) for one in listeners]
        path = Notebook(weighted_values=attack.format(calls=calls)).write(tmp_path / "01.ipynb")
        assert patient.mark(Submission("01.ipynb", "ada", 0.0, path)).points == 3
        for one in listeners:
            with pytest.raises(BlockingIOError):
                one.accept() if one.type == socket.SOCK_STREAM else one.recv(1)
    finally:
        for one in listeners:
            one.close()
