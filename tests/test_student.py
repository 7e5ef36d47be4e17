"""One student, real kernels: wrong attempts, restarts, a notebook skipped and caught up, until all six are done."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import numpy as np
from answers import wrong_answers
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from helpers.course import course
from helpers.examples.example import seeded_heads, seeded_layer, six_tokens
from helpers.teach import solutions
from helpers.teach.course_folder import notebooks_folder

SKIPPED, AHEAD = "two_heads", "concatenation"  # the student does notebook 4 before notebook 3
ORDER = [name for name in course().notebooks if name != SKIPPED]
ORDER.insert(ORDER.index(AHEAD) + 1, SKIPPED)


class Student:
    """Runs the cells of one notebook in a kernel of their own, in any order, as often as they like."""

    def __init__(self, notebook: str, folder: Path) -> None:
        self.notebook = nbformat.read(notebooks_folder() / course().notebooks[notebook].file, as_version=4)
        self.client = NotebookClient(
            self.notebook,
            timeout=60,
            startup_timeout=60,
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

    def run_all(self) -> dict[str, str]:
        """Run every code cell from the top, as the menu does; return what each prints."""
        return {cell.id: self.run(cell.id) for cell in self.notebook.cells if cell.cell_type == "code"}


@contextlib.contextmanager
def at_work(notebook: str, folder: Path) -> Iterator[Student]:
    """Lend a student with a fresh kernel whose imports have run."""
    with contextlib.ExitStack() as stack:
        try:
            student = Student(notebook, folder)
            stack.enter_context(student.client.setup_kernel())
        except RuntimeError:  # two kernels that start at once may pick the same port
            student = Student(notebook, folder)
            stack.enter_context(student.client.setup_kernel())
        student.run("setup")
        yield student


def test_a_student_works_through_the_course(tmp_path, monkeypatch):
    """From the first stub to all done in six notebooks, 3 after 4; then my_attention.py alone does all they taught."""
    monkeypatch.setenv("ATTENTION_HOME", str(tmp_path))
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    for notebook in ORDER:
        work_through(notebook, tmp_path)
    with at_work(SKIPPED, tmp_path) as student:
        rows = student.run("progress-cell").splitlines()

    assert [row.endswith("all done") for row in rows[: len(ORDER)]] == [True] * 6
    assert rows[-1] == "All done: my_attention.py is a transformer that you wrote."

    assert np.array_equal(np.round(alone(tmp_path, SEEDS_EXAMPLE), 3), PRINTED_BY_THE_BOOK)

    layer = seeded_layer()
    layers = [layer, layer._replace(heads=layer.heads[::-1]), layer._replace(omega_c=seeded_heads()[2].T)]
    program = STACK.format(X=six_tokens().tolist(), layers=json.dumps([[*map(as_lists, one)] for one in layers]))
    np.testing.assert_allclose(alone(tmp_path, program), solutions.function("stack")(six_tokens(), layers), atol=1e-12)


def work_through(notebook, folder):
    """Do one notebook in three sittings, each with a new kernel, and see what every cell says."""
    exercises = [exercise.function for exercise in course().exercises_of(notebook)]
    half = len(exercises) // 2
    for part in (exercises[:half], exercises[half:]):
        with at_work(notebook, folder) as student:
            if notebook == AHEAD:
                assert "Lent: head_output (3.2) is ours, until your own passes" in student.run("earlier")
            for name in part:
                try_and_pass(student, name)
    with at_work(notebook, folder) as student:
        for name in [name for name, asked in course().questions.items() if asked.notebook == notebook]:
            assert "Guess first" in student.run(f"{name}-reveal")
            assert "Kept" in student.run(f"{name}-predict", f'predict("{name}", "a")')
            assert "Your guess: (a)" in student.run(f"{name}-reveal")
        for name in [name for name, asked in course().reflections.items() if asked.notebook == notebook]:
            assert "We:" in student.run(f"{name}-reflect", f'reflect("{name}", "The share of m in n.")')
        for name in exercises:
            student.run(name, solutions.source(name))
        for id_, said in student.run_all().items():
            assert "Traceback" not in said, id_
            assert said.count("They agree.") == said.count("Your answer:"), id_
            assert "Lent" not in said or (id_, notebook) == ("earlier", AHEAD)
        assert "all done" in student.run("progress-cell").splitlines()[course().notebooks[notebook].number - 1]


def try_and_pass(student, name):
    """Run the stub, wrong attempts and a right one, and see what the check says of each."""
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


def alone(home, program):
    """Run a program on the student's file, without the notebooks and without this package; return what it prints."""
    # -I: neither this folder nor PYTHONPATH is searched. None: importing it would fail.
    start = f"import sys, json\nsys.path[:0] = [{str(home)!r}]\nsys.modules.update(helpers=None, solutions=None)\n"
    done = subprocess.run([sys.executable, "-I", "-c", start + program], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def as_lists(part):
    """Return an array, or a list of heads, as lists."""
    return [[*map(as_lists, head)] for head in part] if isinstance(part, (list, tuple)) else part.tolist()


# The draws and the call are those of the book's notebook on two heads.
SEEDS_EXAMPLE = """
import numpy as np
from my_attention import multihead_scaled_self_attention

X = np.random.RandomState(3).normal(size=(8, 6))
rng = np.random.RandomState(0)
q1, k1, v1 = (rng.normal(size=(4, 8)) for _ in range(3))
bq1, bk1, bv1 = (rng.normal(size=(4, 1)) for _ in range(3))
q2, k2, v2 = (rng.normal(size=(4, 8)) for _ in range(3))
bq2, bk2, bv2 = (rng.normal(size=(4, 1)) for _ in range(3))
c = rng.normal(size=(8, 8))
print(json.dumps(multihead_scaled_self_attention(X, v1, q1, k1, bv1, bq1, bk1, v2, q2, k2, bv2, bq2, bk2, c).tolist()))
"""

# As printed there (udlbook, Notebooks/Chap12/12_2).
PRINTED_BY_THE_BOOK = [
    [-21.207, -5.373, -20.933, -9.179, -11.319, -17.812],
    [-1.995, 7.906, -10.516, 3.452, 9.863, -7.24],
    [5.479, 1.115, 9.244, 0.453, 5.656, 7.089],
    [-7.413, -7.416, 0.363, -5.573, -6.736, -0.848],
    [-11.261, -9.937, -4.848, -8.915, -13.378, -5.761],
    [3.548, 10.036, -2.244, 1.604, 12.113, -2.557],
    [4.888, -5.814, 2.407, 3.228, -4.232, 3.71],
    [1.248, 18.894, -6.409, 3.224, 19.717, -5.629],
]

STACK = """
import numpy as np
from my_attention import Head, Layer, stack

def layer_of(heads, *others):
    return Layer([Head(*map(np.array, head)) for head in heads], *map(np.array, others))

print(json.dumps(stack(np.array({X}), [layer_of(*one) for one in {layers}]).tolist()))
"""
