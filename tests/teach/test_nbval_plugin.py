"""Single runs; then a class of students, one notebook each, validated in one run on two workers of its own."""

import contextlib
import json
import os
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from answers import wrong_answers
from nbclient import NotebookClient

import helpers
from helpers.course import course
from helpers.learn import portfolio
from helpers.learn.home import locked
from helpers.learn.slices import answer_slice
from helpers.teach import nbval_plugin, overlay, solutions

ANOTHER_STYLE = {
    "project": """
import numpy as np

def NAME(X, omega, beta):
    return np.einsum("qd,dn->qn", omega, X) + beta
project(X, head.omega_q, head.beta_q)""",
    "softmax_cols": """
def NAME(S):
    A = np.empty(S.shape)
    for n in range(S.shape[1]):
        e = [np.exp(s - max(S[:, n])) for s in S[:, n]]
        A[:, n] = [one / sum(e) for one in e]
    return A""",
    "attention_weights": """
def NAME(Q, K):
    return softmax_cols(K.astype(np.float32).T @ Q.astype(np.float32))""",
    "weighted_values": """
def NAME(A, V):
    import warnings
    warnings.warn("a warning is no fault")
    print("shapes", A.shape, V.shape)
    return (A.T @ V.T).T""",
    "self_attention": """%%time
def NAME(X, head):
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    print("They are here, and no line ends: ", Q.shape, end="")
    return weighted_values(attention_weights(Q, K), V)
print(self_attention(X, head))""",
}
DOUBLED = ("X_prime = weighted_values(A, V)", "X_prime = 2 * weighted_values(A, V)")
ENDS_THE_PROCESS = "\nimport os\nos._exit(0)"
STUBBORN = """
while True:
    try:
        print("again")
    except KeyboardInterrupt:
        pass"""


def markers(submission):
    """Put every tag and comment on every cell that switches plain nbval off."""
    for cell in submission.code:
        cell.metadata.tags = ["nbval-skip", "nbval-ignore-output", "raises-exception", "nbval-raises-exception"]
        cell.source = f"# NBVAL_SKIP\n# NBVAL_IGNORE_OUTPUT\n# NBVAL_RAISES_EXCEPTION\n{cell.source}"
    return submission


def untidy(submission):
    """Reorder the cells, double an answer, delete a check and what is shown."""
    submission.notebook.cells.remove(submission.cell("softmax_cols-check"))
    submission.notebook.cells.remove(submission.shows("X_prime_one_head"))
    submission.notebook.cells.reverse()
    submission.add(ENDS_THE_PROCESS)  # a cell of the student's own is not run
    return submission.add(submission.cell("project").source, position=0)


def with_its_own_outputs(submission, home):
    """Run the notebook as JupyterLab does, and keep the outputs that its answers give."""
    client = NotebookClient(submission.notebook, timeout=60, allow_errors=True)
    client.execute(env={**os.environ, "ATTENTION_HOME": str(home)})
    assert "They differ in 12 of 12" in submission.shows("X_prime_one_head").outputs[0].text
    return submission


def write_class(folder, new, stub):
    """Write the notebooks of a whole class."""
    styles = new()
    for function, source in ANOTHER_STYLE.items():
        styles.answer(function, source)
    styles.write(folder / "styles.ipynb")
    untidy(new()).write(folder / "untidy.ipynb")
    stripped = new().strip_ids()
    stripped.notebook.metadata.kernelspec.name = "no-such-kernel"
    stripped.write(folder / "stripped.ipynb", "utf-8-sig")
    old = nbformat.convert(new().notebook, 3)
    (folder / "old.ipynb").write_text(nbformat.v3.writes_json(old), encoding="utf-8")

    with_its_own_outputs(new().replace("self_attention", *DOUBLED), folder.parent / "home").write(
        folder / "saved.ipynb"
    )
    markers(new().replace("self_attention", *DOUBLED)).clear().write(folder / "marked.ipynb")
    off = new().replace("project", "return projected", "projected[0, 0] += 0.0009\n    return projected")
    off.replace("self_attention", "return X_prime", "X_prime[0, 0] += 0.0020\n    return X_prime")
    off.write(folder / "off.ipynb")
    half = new().answer("softmax_cols", stub("softmax_cols")).to_text("weighted_values")
    half.write(folder / "half.ipynb")
    part = answer_slice(solutions.source("softmax_cols"), "softmax_cols")
    (folder / "my_attention.py").write_text(portfolio.insert("", part), encoding="utf-8")

    magic = "%%nosuchmagic\n" + solutions.source("project")
    new().answer("project", magic).write(folder / "magic.ipynb")
    new().answer("project", solutions.source("project") + ENDS_THE_PROCESS).write(folder / "dies_in_cell.ipynb")
    new().answer("project", "def NAME(X, omega, beta):" + ENDS_THE_PROCESS.replace("\n", "\n    ")).write(
        folder / "dies_in_function.ipynb"
    )
    exits = solutions.source("project") + "\nimport tools\nexit()"
    new().answer("project", exits).write(folder / "exits.ipynb")
    (folder / "tools.py").write_text("", encoding="utf-8")  # importing it could leave a __pycache__
    new().replace("project", "weighted =", "while True: pass\n    weighted =").write(folder / "loops.ipynb")
    new().answer("project", solutions.source("project") + STUBBORN).write(folder / "stubborn.ipynb")

    new().write(folder / "hidden" / "mine.ipynb")
    (folder / "hidden" / "helpers.py").write_text("", encoding="utf-8")
    stream = nbformat.v4.new_output("stream", text="1.0\n")
    cells = [nbformat.v4.new_code_cell(f"print({one})", execution_count=1, outputs=[stream]) for one in ("1.0", "1.1")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / "foreign.ipynb")
    (folder / "cut_off.ipynb").write_text('{"cells": [', encoding="utf-8")


@contextlib.contextmanager
def one_worker_at_a_time(folder):
    """Hold a folder's lock; the other workers of this session wait."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ATTENTION_HOME", str(folder))
        with locked():
            yield


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """Return a folder that all workers of this session share."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(scope="session")
def folder(shared, new_submission, stub):
    """Return the folder of the class."""
    with one_worker_at_a_time(shared / "writing"):
        if not (shared / "class").is_dir():
            write_class(shared / "class", new_submission, stub)
    return shared / "class"


@pytest.fixture(scope="session")
def whole_class(shared, folder, nbval, run_of):
    """Return what became of the class: one run in this session, on two workers of its own."""
    kept = shared / "class.json"
    with one_worker_at_a_time(shared / "running"):
        if not kept.is_file():
            endless = {"loops": "project-check", "stubborn": "project"}
            run = nbval(folder, "--nbval", "-n", "2", ".", endless=endless)
            kept.write_text(json.dumps(vars(run)), encoding="utf-8")
    return run_of(**json.loads(kept.read_text(encoding="utf-8")))


@pytest.fixture(scope="session")
def ids(new_submission):
    """Return the ids of our code cells, in order."""
    return [cell.id for cell in new_submission().code]


@pytest.fixture(scope="session")
def shows(new_submission):
    """Return the finder of the cell that shows a name."""
    return lambda name: new_submission().shows(name).id


# --- single runs: before the class, whose run takes both workers


def test_some_cells_only(folder, nbval, shows, tmp_path):
    """Cells chosen by `-k` or `::`, from another working folder, get a fresh kernel in which those above have run.

    If one of those ends the kernel the chosen cell fails, and says so. `--nbval-lax` is as strict as `--nbval`.
    """
    A, X = shows("A_one_head"), shows("X_prime_one_head")
    wrong, dead = folder / "saved.ipynb", folder / "dies_in_function.ipynb"

    run = nbval(tmp_path, "--nbval-lax", str(wrong), f"{dead}::{A}", "-k", f"{A} or {X}")

    (dead_file,), (wrong_file,) = ([file for file in run.cells if part in file] for part in ("dies_in", "saved"))
    assert list(run.cells[wrong_file]) == [A, X]
    assert run.failed(wrong_file) == [X]
    assert list(run.cells[dead_file]) == [A]
    assert run.cells[dead_file][A].startswith(f"{A}: not run: the kernel died in cell project-check")
    assert run.code == pytest.ExitCode.TESTS_FAILED


def test_collect_only(folder, nbval, ids):
    """`--collect-only` lists our cells and starts no kernel."""
    run = nbval(folder, "--nbval", "--collect-only", "-q", "dies_in_cell.ipynb", "--nbval-kernel-name=no-such-kernel")

    assert run.text.splitlines()[: len(ids)] == [f"dies_in_cell.ipynb::{id_}" for id_ in ids]
    assert run.code == 0


LATER = [notebook for notebook in course().notebooks if notebook != "single_head"]


def test_later_notebooks(new_submission, nbval, stub, tmp_path):
    """Right answers pass in every later notebook, options may be left out, and a wrong answer fails where it shows.

    The functions of earlier notebooks come from the solutions: the folder holds no my_attention.py.
    """
    wrong_in = {}
    for notebook in LATER:
        new_submission(notebook).write(tmp_path / f"{notebook}.ipynb")
        left_out = new_submission(notebook)
        for exercise in course().exercises_of(notebook):
            if exercise.optional:
                left_out.answer(exercise.function, stub(exercise.function))
        left_out.write(tmp_path / f"{notebook}_left_out.ipynb")
        wrong_in[notebook] = next(one.function for one in course().exercises_of(notebook) if one.points)
        wrong = wrong_answers(wrong_in[notebook])[0].source
        new_submission(notebook).answer(wrong_in[notebook], wrong).write(tmp_path / f"{notebook}_wrong.ipynb")

    run = nbval(tmp_path, "--nbval", "--tb=no", "-q")

    for notebook in LATER:
        assert run.failed(notebook) == []
        assert run.skipped[notebook] == []
        assert run.failed(f"{notebook}_left_out") == []
        options = [one.function for one in course().exercises_of(notebook) if one.optional]
        assert run.skipped[f"{notebook}_left_out"][:1] == options[:1]
        assert f"{wrong_in[notebook]}-check" in run.failed(f"{notebook}_wrong")
    summary = [line for line in run.text.splitlines() if "are all right" in line]
    assert summary[0].startswith(f"{2 * len(LATER)} of {3 * len(LATER)} notebooks are all right.")


def move(text, units):
    """Return a text whose first number with three decimals is off by some units."""
    return re.sub(r"\d\.\d{3}", lambda found: f"{float(found[0]) + units / 1000:.3f}", text, count=1)


def test_solved(new_submission, nbval, shows, stub, tmp_path):
    """With `--solved` the stored outputs are compared: one unit, spacing and `-0.` are no difference, two units are."""
    for file, units in (("one", 1), ("two", 2)):
        author = new_submission().answer("project", stub("project"))
        Q, A, X = (author.shows(name).outputs[0] for name in ("Q_one_head", "A_one_head", "X_prime_one_head"))
        before = [Q.text, A.text, X.text]
        Q.text, A.text, X.text = Q.text.replace("  ", " "), A.text.replace("[0. ", "[-0. "), move(X.text, units)
        assert all(old != new for old, new in zip(before, [Q.text, A.text, X.text], strict=True))
        author.write(tmp_path / f"{file}.ipynb")

    run = nbval(tmp_path, "--nbval", "--solved", ".")

    assert run.failed("one") == []
    assert run.failed("two") == [shows("X_prime_one_head")]
    assert "1 of " in run.cells["two"][shows("X_prime_one_head")]
    assert "1 of 2 notebooks are all right. We ran each TODO cell as its solution." in run.text


def test_a_kernel_that_does_not_start_is_started_once_more(monkeypatch):
    """The first try is given 20 seconds, the second what `--nbval-kernel-startup-timeout` says."""
    tried = []

    class Kernel:
        def __init__(self, name, cwd, startup_timeout):
            tried.append(startup_timeout)
            if len(tried) == 1:
                raise RuntimeError("Kernel didn't respond")

    monkeypatch.setattr(nbval_plugin, "WatchedKernel", Kernel)
    option = SimpleNamespace(nbval_kernel_name=None, nbval_kernel_startup_timeout=60)
    file = SimpleNamespace(config=SimpleNamespace(option=option), path=Path("mine.ipynb"))

    assert isinstance(nbval_plugin.CourseFile._start(file), Kernel)
    assert tried == [20, 60]


def test_solved_finds_two_units_in_every_notebook(new_submission, nbval, tmp_path):
    """In each of the six notebooks one printed number is moved by two units: that cell fails, and no other."""
    moved = {}
    for notebook in course().notebooks:
        author = new_submission(notebook)
        *_, cell = (cell for cell in author.code if cell.outputs and re.search(r"\d\.\d{3}", cell.outputs[0].text))
        cell.outputs[0].text = move(cell.outputs[0].text, 2)
        moved[notebook] = [cell.id]
        author.write(tmp_path / f"{notebook}.ipynb")

    run = nbval(tmp_path, "--nbval", "--solved", "--tb=no", "-q", ".")

    assert {notebook: run.failed(notebook) for notebook in moved} == moved


def test_solved_counts_the_exercises(submission, nbval, tmp_path):
    """A notebook that lost the id of a TODO cell is no green run: it is not collected, and the exercise is named."""
    submission.cell("project").id = "projection"
    submission.write(tmp_path / "lost.ipynb")

    run = nbval(tmp_path, "--nbval", "--solved", ".")

    assert run.code == pytest.ExitCode.INTERRUPTED
    assert "expected one TODO cell for each exercise, got 4 of 5 (without a cell of that id: project)" in run.text
    assert "Traceback" not in run.text


def test_solved_needs_nbval(nbval, tmp_path):
    """`--solved` without `--nbval` would run no notebook, and says so."""
    run = nbval(tmp_path, "--solved")

    assert run.code == pytest.ExitCode.USAGE_ERROR
    assert "give --nbval too" in run.text


def test_an_edition_without_solutions(submission, stub, nbval, tmp_path):
    """Where no solutions are installed a student's file is judged all the same, and `--solved` says what it lacks."""
    ours, edition = Path(helpers.__file__).parent, tmp_path / "edition"
    for package, source in (("helpers", ours), ("attention_by_hand", ours / "attention_by_hand")):
        shutil.copytree(source, edition / package, ignore=shutil.ignore_patterns("__pycache__"))
    student = submission.answer("weighted_values", stub("weighted_values")).write(tmp_path / "work" / "mine.ipynb")
    text = "".join(portfolio.insert("", answer_slice(solutions.source(f), f)) for f in ("weighted_values",))
    student.with_name("my_attention.py").write_text(text, encoding="utf-8")

    run = nbval(student.parent, "--nbval", ".", PYTHONPATH=str(edition))
    solved = nbval(student.parent, "--nbval", "--solved", ".", PYTHONPATH=str(edition))

    assert run.cells["mine"]["attention_weights-check"] == ""
    assert run.cells["mine"]["weighted_values-check"].startswith("weighted_values-check: not started.")
    assert "self_attention-check" in run.failed("mine")  # my_attention.py does not lend this notebook's own exercises
    assert run.changed == []
    assert "expected `project` in solutions/single_head.py, found none" in solved.text
    assert "runs without --solved" in solved.text
    assert "Traceback" not in solved.text


def test_another_helpers_beside_pytest(nbval, tmp_path):
    """`python -m pytest` works beside a student's `helpers.py`; with `--nbval` it says what hides ours."""
    (tmp_path / "helpers.py").write_text("", encoding="utf-8")
    (tmp_path / "test_mine.py").write_text("import helpers\n\ndef test_mine(): pass\n", encoding="utf-8")

    plain, validating = nbval(tmp_path, PYTHONDONTWRITEBYTECODE="1"), nbval(tmp_path, "--nbval")

    assert plain.code == 0
    assert validating.code == pytest.ExitCode.USAGE_ERROR
    assert f"✗ helpers: found {tmp_path / 'helpers.py'}, expected the one of Attention by Hand" in validating.text
    assert "Rename yours" in validating.text
    assert "Traceback" not in validating.text


def test_a_minute_for_each_cell(submission, nbval, tmp_path):
    """A cell may take 60 seconds unless told otherwise. Once it loops, the plugin's clock goes 59 seconds ahead."""
    looping = tmp_path / "looping"
    (tmp_path / "conftest.py").write_text(
        "import pathlib, time, types\n"
        "from helpers.teach import nbval_plugin\n"
        "real = time.monotonic\n"
        f"looping = pathlib.Path({str(looping)!r})\n"
        "nbval_plugin.time = types.SimpleNamespace(monotonic=lambda: real() + 59 * looping.exists())\n",
        encoding="utf-8",
    )
    loop = f"def NAME(X): pass\nopen({str(looping)!r}, 'w').close()\nwhile True: pass"
    submission.answer("project", loop).write(tmp_path / "mine.ipynb")

    run = nbval(tmp_path, "--nbval", "mine.ipynb::project")

    assert run.cells["mine"]["project"].startswith("project: did not end within 60 s.")


@pytest.mark.parametrize("held", [True, False])
def test_earlier_notebooks_only(monkeypatch, held):
    """A notebook gets the functions of the notebooks before it: ours where held, else the student's intact ones."""
    own = ""
    for name in ("project", "softmax_cols", "head_output"):
        own = portfolio.insert(own, answer_slice(f"def {name}():\n    return 1", name))
    edited = own.replace("return 1\n# --- end of softmax_cols", "return 2\n# --- end of softmax_cols")
    monkeypatch.setattr(solutions, "held", lambda _: held)

    found = portfolio.sections(overlay.earlier_file("two_heads", edited))

    before = {exercise.function for exercise in course().earlier("two_heads")}
    assert set(found) == (before if held else {"project"})
    assert ("return 1" in found["project"]) is not held


# --- accepted


def test_right_answers_in_another_style(whole_class, ids):
    """Einsum, loops, float32, warnings, debug prints with and without a line's end, a trial at a cell's end: right."""
    assert whole_class.cells["styles"] == dict.fromkeys(ids, "")


@pytest.mark.parametrize("file", ["untidy", "stripped", "old"])
def test_right_answers_in_an_untidy_file(whole_class, ids, file):
    """Our cells run in our order, whatever happened to the file around the answers.

    Its cells reordered, doubled, added and deleted; its ids stripped, with a byte order mark and a kernel of an unknown
    name; its format that of 2013.
    """
    assert whole_class.cells[file] == dict.fromkeys(ids, "")
    assert list(whole_class.cells[file]) == ids


# --- refused


@pytest.mark.parametrize("file", ["saved", "marked"])
def test_a_wrong_answer(whole_class, shows, file):
    """Its check and each matrix it gives fail, and nothing else.

    So they do if the file holds its own wrong outputs; and if it holds none, and every cell is tagged and marked so
    that plain nbval would skip or ignore it.
    """
    failing = ["self_attention-check", shows("X_prime_one_head"), shows("sentence_output")]

    assert whole_class.failed(file) == failing
    assert whole_class.cells[file][failing[1]].startswith(f"{failing[1]}: They differ in 12 of 12 numbers")
    assert whole_class.skipped[file] == []


def test_off_by_two_units(whole_class, shows):
    """A printed number may be off by one unit of the last decimal, not by two; the check is stricter than both."""
    failed = whole_class.failed("off")

    assert shows("Q_one_head") not in failed
    assert whole_class.cells["off"][shows("X_prime_one_head")].startswith(
        f"{shows('X_prime_one_head')}: They differ in 1 of 12 numbers, by up to 0.00"
    )
    assert "project-check" in failed


def test_a_todo_turned_to_text(whole_class):
    """A TODO cell that is markdown is missing, in the place where it was."""
    assert whole_class.cells["half"]["weighted_values"].startswith(
        "weighted_values: missing: the file has no code cell"
    )
    assert "weighted_values-check" in whole_class.failed("half")


def test_a_stub(whole_class):
    """A stub is no fault in itself; its check says that it is not started."""
    assert whole_class.cells["half"]["softmax_cols"] == ""
    assert whole_class.cells["half"]["softmax_cols-check"].startswith("softmax_cols-check: not started.")


def test_another_students_functions_are_not_lent(whole_class):
    """A my_attention.py in the folder does not stand in for what a file itself has not done."""
    assert "softmax_cols" in whole_class.cells["half"]["attention_weights-check"]
    assert "has not passed its check" in whole_class.cells["half"]["attention_weights-check"]


# --- reported as what it is


def test_an_unknown_magic(whole_class):
    """A magic that IPython does not know is named."""
    assert whole_class.cells["magic"]["project"].startswith(
        "project: UsageError: Cell magic `%%nosuchmagic` not found."
    )


@pytest.mark.parametrize(
    ("file", "cell", "said"),
    [
        ("dies_in_cell", "project", "the kernel died while this cell ran."),
        ("dies_in_function", "project-check", "the kernel died while this cell ran."),
        ("exits", "project", "this cell calls `exit` or `quit`, which ends the kernel."),
        ("loops", "project-check", "did not end within 2 s. Does a loop never stop?"),
        ("stubborn", "project", "did not end within 2 s. Does a loop never stop?"),
    ],
)
def test_a_dead_kernel_and_an_endless_loop(whole_class, ids, file, cell, said):
    """One cell fails and says why; those above it passed, and those below are skipped with that reason."""
    place = ids.index(cell)
    reports = list(whole_class.cells[file].values())

    assert whole_class.failed(file) == [cell]
    assert reports[place].startswith(f"{cell}: {said}")
    assert reports[:place] == [""] * place
    assert whole_class.skipped[file] == ids[place + 1 :]
    assert all(report.startswith("not run: ") and f" in cell {cell}" in report for report in reports[place + 1 :])


def test_another_helpers_beside_the_notebook(whole_class, ids):
    """A `helpers.py` in the student's folder is named by our first cell."""
    report = whole_class.cells["hidden.mine"][ids[0]]

    assert report.startswith(f"{ids[0]}: ✗ helpers: found ")
    assert str(Path("hidden", "helpers.py")) in report


def test_a_file_that_is_no_notebook(whole_class):
    """It fails alone, by name, and does not end the run for the others."""
    assert list(whole_class.cells["cut_off"]) == ["unreadable"]
    assert whole_class.cells["cut_off"]["unreadable"].startswith("unreadable: cut_off.ipynb: expected a notebook")


# --- the whole run


def test_foreign_notebooks_stay_plain(whole_class):
    """A notebook that is not ours is compared by nbval, character by character, under nbval's names."""
    assert whole_class.cells["foreign"]["Cell 0"] == ""
    assert "Notebook cell execution failed" in whole_class.cells["foreign"]["Cell 1"]


def test_the_reason_stands_first(whole_class):
    """Every failure of ours begins with its cell and a sentence, and holds no color codes, on screen and in the XML."""
    for file, cells in whole_class.cells.items():
        for name in whole_class.failed(file):
            if file != "foreign":
                assert re.match(rf"{re.escape(name)}: \S", cells[name])
                assert "\x1b" not in cells[name]
                assert "x1B" not in cells[name]


def test_one_line_for_each_file(whole_class):
    """The end of the report says how many are all right, and of each other file the first thing that is wrong."""
    summary = (
        whole_class.text.partition(" Attention by Hand ")[2].partition(" short test summary info ")[0].splitlines()
    )
    files = set(whole_class.cells) - {"foreign"}
    right = {file for file in files if not whole_class.failed(file)}

    assert (
        summary[1]
        == f"{len(right)} of {len(files)} notebooks are all right. We ran each file's own TODO cells, in our notebook."
    )
    assert right == {"styles", "untidy", "stripped", "old"}
    assert len(summary[2:-1]) == len(files - right)
    (line,) = (line for line in summary if line.startswith("loops.ipynb: "))
    assert re.fullmatch(r"loops.ipynb: 1 of \d+ cells fail, \d+ are not run. project-check: did not end .*", line)


def test_the_class_is_left_as_it_was(whole_class):
    """Nothing is written beside the notebooks, and none is changed."""
    assert whole_class.changed == []


def test_two_workers(whole_class):
    """Under `-n 2` with xdist's default distribution a notebook's cells stay together; no warning is given."""
    assert "2 workers" in whole_class.text
    assert whole_class.code == 1
    assert "warning" not in whole_class.text.splitlines()[-1]


def test_trials_in_a_todo_cell_change_nothing(new_submission, nbval, tmp_path):
    """Our names get back what they held: a trial `X` spoils no right answer, and `check = print` hides no wrong one."""
    trial = solutions.source("project") + "\n\nX = np.ones((2, 2))\nprint(project(X, X, X[:, :1]))"
    new_submission().answer("project", trial).write(tmp_path / "trial.ipynb")
    overflows = "def NAME(S):\n    return np.exp(S) / np.exp(S).sum(axis=0)\n\ncheck = print"
    new_submission().answer("softmax_cols", overflows).write(tmp_path / "silenced.ipynb")

    run = nbval(tmp_path, "--nbval")

    assert set(run.cells["trial"].values()) == {""}
    assert run.cells["silenced"]["softmax_cols-check"].startswith("softmax_cols-check: A holds nan or inf")
