"""The benchmark measures what it says, on submissions that are what it says; the other tools are not started here."""

import os
import subprocess
import sys

import numpy as np
import pytest

from grading import bench, contenders, metered
from helpers.parameters import Head

ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}


def python(program):
    """Return the command that runs a program in a fresh interpreter."""
    return [sys.executable, "-c", program]


def burn(seconds):
    """Return a program that keeps a processor busy for some seconds of its own time."""
    return f"import time\nwhile time.process_time() < {seconds}: pass"


def test_a_childs_child_counts_as_processor_time(tmp_path):
    """What a grader's kernels use is the grader's cost."""
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {burn(0.5)!r}])"
    cost = metered.run([python(nested)], tmp_path, ENVIRONMENT)
    assert 0.5 <= cost.cpu < 5
    assert cost.wall >= 0.5


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere orphans are missed, as the docstring says")
def test_a_process_that_outlives_its_parent_counts(tmp_path):
    """A grader that leaves its workers to end by themselves does not look cheaper."""
    orphan = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {burn(0.5)!r}])"
    # A busy machine may need long to give it half a second of a processor.
    cost = metered.run([python(orphan)], tmp_path, ENVIRONMENT, grace=120)
    assert cost.cpu >= 0.5
    assert cost.left == 0


def test_commands_add_up(tmp_path):
    """Two commands that sleep take as long as both, and next to no processor time."""
    cost = metered.run([python("import time; time.sleep(0.3)")] * 2, tmp_path, ENVIRONMENT)
    assert cost.wall >= 0.6
    assert cost.cpu < cost.wall


def test_the_memory_of_all_processes_is_seen_together(tmp_path):
    """A parent and its child with 60 MB each are more than 120 MB, and the parent alone is less."""
    child = "x = bytearray(60_000_000); import time; time.sleep(1)"
    parent = f"import subprocess, sys; x = bytearray(60_000_000); subprocess.run([sys.executable, '-c', {child!r}])"
    cost = metered.run([python(parent)], tmp_path, ENVIRONMENT)
    assert cost.tree > 120e6
    assert 60e6 < cost.main < 120e6


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_memory_that_a_fork_shares_counts_once(tmp_path):
    """A fork that writes nothing adds little to the 60 MB of its parent."""
    program = (
        "import os, time; x = b'x' * 60_000_000; c = os.fork(); time.sleep(1); c and os.waitpid(c, 0); os._exit(0)"
    )
    assert 60e6 < metered.run([python(program)], tmp_path, ENVIRONMENT).tree < 110e6


def test_a_command_that_fails_says_what_it_said(tmp_path):
    """The table tells why a tool could not be measured."""
    with pytest.raises(metered.Failed, match="ended with 3: no such thing"):
        metered.run([python("print('no such thing'); raise SystemExit(3)")], tmp_path, ENVIRONMENT)
    metered.run([python("raise SystemExit(1)")], tmp_path, ENVIRONMENT, good=(0, 1))


def test_submissions_are_as_right_as_they_are_said_to_be():
    """Run by themselves, the right ones agree with every public example, and the others do not."""
    handed = contenders.handed_in(3)
    assert [one.right for one in handed] == [True, False, False]
    for one in handed:
        names = {"np": np, "Head": Head}
        for source in one.sources.values():
            exec(source, names)  # noqa: S102  the solutions, and one recorded mistake
        agree = [
            function in names and all(eval(expression, names) for expression in contenders._agrees(function))  # noqa: S307  our own
            for function in contenders.EXERCISES
        ]
        assert all(agree) == one.right
        assert any(agree)


def test_the_start_up_is_told_from_what_one_submission_more_costs():
    """Two seconds to start and half a second each: 7 s for ten, 2.5 s for one, on two processors."""
    measured = bench.Measured(10, [metered.Cost(wall=7.0, cpu=14.0)], [metered.Cost(wall=2.5, cpu=5.0)])
    assert measured.rate == pytest.approx(10 / 7)
    assert measured.rate_after == pytest.approx(2)
    assert measured.start == pytest.approx(2)
    assert measured.cpu == pytest.approx(1.4)
    assert measured.cpu_after == pytest.approx(1)


def test_a_tool_that_cannot_be_measured_is_named_below_the_tables():
    """One tool's failure leaves the others' figures."""
    fast, slow = bench.Measured(4, [metered.Cost(wall=1.0)]), bench.Measured(4, [metered.Cost(wall=8.0)])
    lines = list(bench.tables({"floor": fast, "slow": slow, "broken": bench.Measured(1, failed="it ended with 2")}))
    assert any(line.startswith("| slow | 4 | 0.50 ") for line in lines)
    assert "| slow | 8.0 (8.0) |" in lines
    assert lines[-1].endswith("broken. it ended with 2")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_the_floor_runs_every_cell(tmp_path):
    """In a shell each check of a right notebook passes; by `exec` all else runs; the TODO cells alone print nothing."""
    (handed,) = contenders.handed_in(1)
    file = tmp_path / "student" / contenders.FILE
    notebook = contenders.synthetic.handed_out(contenders.NOTEBOOK)
    contenders.synthetic.write(file, contenders.synthetic.filled(notebook, handed.sources))

    def printed(*options):
        command = [sys.executable, contenders.floor.__file__, *options, file]
        return subprocess.run(command, capture_output=True, text=True, check=True, env=ENVIRONMENT).stdout

    lines = [line for cell in notebook["cells"] if cell["cell_type"] == "code" for line in cell["source"]]
    shown = sum(line.startswith("show(") for line in lines)
    assert shown > len(contenders.EXERCISES)
    shell, bare = printed("--shell"), printed()
    assert (shell.count("✓ "), shell.count("They agree.")) == (len(contenders.EXERCISES), shown)
    assert (bare.count("✓ "), bare.count("They agree.")) == (0, shown)
    assert printed("--only", ",".join(contenders.EXERCISES)) == ""
