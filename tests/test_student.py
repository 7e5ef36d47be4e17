"""One student, a real kernel: wrong attempts first, then right ones, a restart in between, until all is done."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
from answers import wrong_answers
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from helpers.course import course
from helpers.teach import solutions
from helpers.teach.course_folder import notebooks_folder


class Student:
    """Runs the cells of one notebook in a kernel of their own, in any order, as often as they like."""

    def __init__(self, notebook: str, folder: Path) -> None:
        self.notebook = nbformat.read(notebooks_folder() / course().notebooks[notebook].file, as_version=4)
        self.client = NotebookClient(
            self.notebook,
            timeout=60,
            resources={"metadata": {"path": str(folder)}},
            extra_arguments=["--log-level=40"],  # ipykernel warns of its own transport at every start
        )

    def run(self, id_: str, source: str | None = None) -> str:
        """Run one cell, edited if a source is given; return what it prints, or the lines of its error."""
        index = next(index for index, cell in enumerate(self.notebook.cells) if cell.id == id_)
        cell = self.notebook.cells[index]
        if source is not None:
            cell.source = source
        try:
            self.client.execute_cell(cell, index)
        except CellExecutionError:
            return "\n".join(cell.outputs[-1].traceback)
        return "".join(output.text for output in cell.outputs if output.output_type == "stream")


@contextlib.contextmanager
def at_work(notebook: str, folder: Path) -> Iterator[Student]:
    """Lend a student with a fresh kernel whose first cell has run."""
    student = Student(notebook, folder)
    with student.client.setup_kernel():
        student.run("setup")
        yield student


def test_a_student_works_through_the_course(tmp_path, monkeypatch):
    """From the first stub to all done, with wrong attempts and restarts; then my_attention.py stands alone."""
    monkeypatch.setenv("ATTENTION_HOME", str(tmp_path))
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    for notebook in course().notebooks:
        exercises = [exercise.function for exercise in course().exercises_of(notebook)]
        half = len(exercises) // 2
        for part in (exercises[:half], exercises[half:]):  # a new kernel for each: the student went to bed
            with at_work(notebook, tmp_path) as student:
                for name in part:
                    try_and_pass(student, name)
        with at_work(notebook, tmp_path) as student:
            for name in [name for name, asked in course().questions.items() if asked.notebook == notebook]:
                assert "Guess first" in student.run(f"{name}-reveal")
                assert "Kept" in student.run(f"{name}-predict", f'predict("{name}", "a")')
                assert "Your guess: (a)" in student.run(f"{name}-reveal")
            for name in [name for name, asked in course().reflections.items() if asked.notebook == notebook]:
                assert "We:" in student.run(f"{name}-reflect", f'reflect("{name}", "The share of m in n.")')
            assert "all done" in student.run("progress-cell").splitlines()[course().notebooks[notebook].number - 1]

    alone = subprocess.run(
        [sys.executable, "-I", "-c", SEEDED_EXAMPLE, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert alone.stdout.split() == ["0.94744244", "-0.24348429", "-0.91310441", "-0.44522983"]


def try_and_pass(student, name):
    """Run the stub, a wrong attempt and a right one, and see what the check says of each."""
    assert f"· {name}: no cell that defines it has run" in student.run(f"{name}-check")
    student.run(name)
    assert "not started" in student.run(f"{name}-check")

    for wrong in wrong_answers(name)[:3]:
        student.run(name, wrong.source)
        said = student.run(f"{name}-check")
        assert said.startswith(f"✗ {name}: ")
        assert wrong.says in said
        assert len(said.splitlines()) <= 3

    student.run(name, solutions.source(name))
    said = student.run(f"{name}-check")
    assert said.startswith(f"✓ {name}: ")
    assert "Saved in my_attention.py." in said


# Run with -I: neither this folder nor PYTHONPATH is searched, so `helpers` cannot help.
SEEDED_EXAMPLE = """
import sys
sys.path[:0] = [sys.argv[1]]
sys.modules["helpers"] = None  # importing it would fail
import numpy as np
from my_attention import Head, self_attention

rng = np.random.RandomState(3)
X = np.hstack([rng.normal(size=(4, 1)) for _ in range(3)])
rng = np.random.RandomState(0)
omegas = [rng.normal(size=(4, 4)) for _ in range(3)]
betas = [rng.normal(size=(4, 1)) for _ in range(3)]
for value in self_attention(X, Head(*omegas, *betas))[:, 0]:
    print(f"{value:.8f}")
"""
