"""A class on several machines: Dask's scheduler and two workers on loopback, one of them killed in the middle."""

import re
import subprocess
import sys
import time

import psutil
import pytest

from grading import synthetic

pytest.importorskip("distributed", reason="Dask is an extra: `pip install -e '.[cluster]'`")

from helpers.cli import main
from helpers.teach.grading.record import parse

pytestmark = pytest.mark.xdist_group("grading")  # it starts processes, which others should not wait for

ADDRESS = re.compile(r"tcp://127\.0\.0\.1:\d+")
ON_LOOPBACK = ["--host", "127.0.0.1", "--no-dashboard"]
SCHEDULER = [sys.executable, "-m", "distributed.cli.dask_scheduler", *ON_LOOPBACK, "--port", "0"]
WORKER = [sys.executable, "-m", "distributed.cli.dask_worker", *ON_LOOPBACK, "--nthreads", "1", "--no-nanny"]


@pytest.fixture
def scheduler(tmp_path):
    """Return the address of a scheduler on loopback, and its two workers."""
    started = []

    def start(command, name):
        with (tmp_path / f"{name}.log").open("w") as log:
            started.append(subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=subprocess.STDOUT))
        return started[-1], tmp_path / f"{name}.log"

    def said(log, pattern):
        until = time.monotonic() + 60
        while not (found := pattern.search(log.read_text())):
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.1)
        return found[0]

    _, log = start(SCHEDULER, "scheduler")
    address = said(log, ADDRESS)
    workers = []
    for number in range(2):
        worker, log = start([*WORKER, address], f"worker{number}")
        said(log, re.compile("Registered to"))
        workers.append(worker)
    yield address, workers
    for process in reversed(started):
        process.kill()
        process.wait()


def test_a_class_is_graded_though_a_worker_is_killed(scheduler, tmp_path, monkeypatch, capsys):
    """Every submission gets one record, right answers their points, and the killed worker leaves no process behind."""
    address, (first, _) = scheduler
    expected = synthetic.make(tmp_path / "in", 40, seed=5, notebooks=["single_head"])
    killed = []
    from helpers.teach.grading.ledger import Ledger

    write = Ledger.write

    def kill_then_write(self, records):
        """Kill a worker once the first records are there."""
        if not killed:
            killed.extend([psutil.Process(first.pid), *psutil.Process(first.pid).children(recursive=True)])
            first.kill()
        write(self, records)

    monkeypatch.setattr(Ledger, "write", kill_then_write)

    code = main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--scheduler", address])

    found = [parse(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()]
    assert code == 0, capsys.readouterr().err
    assert sorted(record.file for record in found) == sorted(expected)
    assert all(
        (marked.verdict == "right") == (expected[record.file][marked.function] == "right")
        for record in found
        for marked in record.exercises
    )
    assert len(killed) >= 2  # the worker, its warm process, and a fork if one was at work
    assert psutil.wait_procs(killed, timeout=60)[1] == []


def test_no_scheduler_is_said(tmp_path, capsys):
    """An address where nothing listens is named, and nothing is graded."""
    synthetic.make(tmp_path / "in", 1, notebooks=["single_head"])

    code = main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--scheduler", "tcp://127.0.0.1:9"])

    assert code == 2
    assert "got --scheduler tcp://127.0.0.1:9, expected a Dask scheduler there" in capsys.readouterr().err
