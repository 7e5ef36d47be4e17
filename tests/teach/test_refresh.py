"""`attention refresh --check` on a copy of the course: what drifts is found, what does not is left alone."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.course import course
from helpers.teach.course_folder import course_folder

NOTEBOOK = "notebooks/01_single_head.ipynb"
TRUTH = "helpers/true_values/single_head.json"
STEPS = "helpers/true_values/stages/single_head.json"
SOLUTION = "solutions/single_head.py"


@pytest.fixture(scope="session")
def small_course(tmp_path_factory):
    """Copy what refresh reads and writes, with one recorded mistake a notebook: `make test` checks them all."""
    root = tmp_path_factory.mktemp("course")
    for folder in ("helpers", "notebooks", "solutions"):
        shutil.copytree(
            course_folder() / folder,
            root / folder,
            ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "my_attention.py", "progress.json"),
        )
    for notebook in course().notebooks:
        with (root / "solutions" / "mistakes" / f"{notebook}.py").open("a", encoding="utf-8") as file:
            file.write("\nMISTAKES = MISTAKES[:1]\n")
            # Every other list of mistakes is empty now: what is in one and not in MISTAKES is refused.
            file.write(
                "globals().update({k: [] for k, v in globals().items() if type(v) is list and k != 'MISTAKES'})\n"
            )
    code, said = refresh(root)
    assert code == 0, said
    return root


@pytest.fixture
def tree(small_course, tmp_path):
    """Return a copy of the small course that a test may change."""
    return shutil.copytree(small_course, tmp_path / "course")


def refresh(tree: Path, *options: str) -> tuple[int, str]:
    """Run `attention refresh` of the copy; return its exit code and what it printed."""
    command = [sys.executable, "-c", "import sys; from helpers.cli import main; sys.exit(main())", "refresh", *options]
    done = subprocess.run(
        command, cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)}, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def change(tree: Path, file: str, before: str, after: str) -> None:
    """Replace the one place where `before` stands."""
    path = tree / file
    text = path.read_text(encoding="utf-8")
    assert text.count(before) >= 1, f"{before!r} is not in {file}"
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


def test_an_untouched_course_has_nothing_to_do(tree):
    """What refresh has written it does not write again: notebooks, true values and pictures are what solutions give."""
    assert refresh(tree, "--check") == (0, "Nothing to do.\n")


# Each is one unit and two units of the last stored digit: of a true value, of a step, and of a printed matrix.
LAST_DIGITS = {
    "true value": (TRUTH, "-2.365433418", "-2.365433417", "-2.365433416"),
    "step": (STEPS, "-5.196778", "-5.196777", "-5.196776"),
    "printed matrix": (NOTEBOOK, "0.947  1.642", "0.948  1.642", "0.949  1.642"),
}


@pytest.mark.parametrize("place", LAST_DIGITS)
def test_one_unit_of_the_last_digit_is_no_drift_and_two_are(tree, place):
    """Two builds of numpy may differ by a last digit, so that much is kept as it is stored; more is not."""
    file, stored, one_unit, two_units = LAST_DIGITS[place]
    change(tree, file, stored, one_unit)
    assert refresh(tree, "1", "--check") == (0, "Nothing to do.\n")

    change(tree, file, one_unit, two_units)
    code, said = refresh(tree, "1", "--check")
    assert code == 1
    assert Path(file).name in said


OUTPUTS = '"id": "{}",\n   "metadata": {{}},\n   "outputs": [{}]'  # of a cell, as they are stored
LEFT = '{"name": "stdout", "output_type": "stream", "text": "x"}'

DRIFTS = {
    "a solution's result": (
        SOLUTION,
        "    return projected",
        "    projected *= 2\n    return projected",
        "true_values/single_head.json",
    ),
    "a solution that a recorded mistake changes": (
        SOLUTION,
        "weighted + beta  #",
        "beta + weighted  #",
        "'weighted + beta' stands 0 times in the solution of project",
    ),
    "a mistake that MISTAKES leaves out": (
        "solutions/mistakes/single_head.py",
        "k != 'MISTAKES'})\n",
        "k != 'MISTAKES'})\nSLIPS = [Mistake('lost', 'project', 'X', 'Y', '', '')]\n",
        "solutions/mistakes/single_head.py: SLIPS is not in MISTAKES, so lost is not recorded. Add `*SLIPS`.",
    ),
    "a mistake that only raises": (
        "solutions/mistakes/single_head.py",
        "k != 'MISTAKES'})\n",
        "k != 'MISTAKES'})\nMISTAKES = [Mistake('lost', 'project', 'omega @ X', 'omega @ Y', '', '')]\n",
        "solutions/mistakes/single_head.py, lost: gives no wrong number on any example of project, but NameError: name "
        "'Y' is not defined. Mend `new`",
    ),
    "mistakes that are not Python": (
        "solutions/mistakes/single_head.py",
        "PROJECT = [",
        "PROJECT = [[",
        "solutions/mistakes/single_head.py, line 11: SyntaxError: '[' was never closed",
    ),
    "a mistake without a question": (
        "solutions/mistakes/single_head.py",
        "k != 'MISTAKES'})\n",
        "k != 'MISTAKES'})\nMISTAKES = [Mistake('lost', 'project', 'X', 'Y', '')]\n",
        "TypeError: Mistake.__init__() missing 1 required positional argument: 'asks'",
    ),
    "inputs that are not Python": (
        "helpers/examples/single_head.py",
        "def _project(",
        "def _project((",
        "helpers/examples/single_head.py, line ",
    ),
    "inputs that raise": (
        "helpers/examples/single_head.py",
        "    rng = RandomState(",
        "    rng = RandomStat(",
        "NameError: name 'RandomStat' is not defined",
    ),
    "an output left in a stub": (
        NOTEBOOK,
        OUTPUTS.format("project", ""),
        OUTPUTS.format("project", LEFT),
        "01_single_head.ipynb: cell 'project': its output goes",
    ),
    "an output left under a check": (
        NOTEBOOK,
        OUTPUTS.format("project-check", ""),
        OUTPUTS.format("project-check", LEFT),
        "01_single_head.ipynb: cell 'project-check': its output goes",
    ),
    "a solution's docstring": (SOLUTION, "One query per column.", "One query.", "attention_weights: the stub's"),
    "a stub's docstring": (NOTEBOOK, "One query per column.", "One query.", "attention_weights: the stub's"),
    "a stub's signature": (NOTEBOOK, "attention_weights(Q, K):", "attention_weights(K, Q):", "signature"),
    "a stub that is solved": (
        NOTEBOOK,
        "    raise NotImplementedError",
        "    return omega @ X",
        "project: the stub",
    ),
    "a stub without steps": (NOTEBOOK, "# TODO 1: multiply", "# multiply", "project: the stub has no"),
    "a check of another function": (NOTEBOOK, '"check(project)"', '"check(softmax_cols)"', "must be `check(project)`"),
    "an id that is not readable": (NOTEBOOK, '"id": "paper"', '"id": "0f3a9c1e-77"', "name what the cell is"),
    "an id that is used twice": (NOTEBOOK, '"id": "paper"', '"id": "idea"', "is used 2 times"),
    "a step": (STEPS, '"project.weighted"', '"project.weighed"', "stages/single_head.json"),
    "a picture": ("notebooks/figures/four_keys.svg", "k1", "k9", "figures/four_keys.svg"),
    "a tag": (NOTEBOOK, '"metadata": {}', '"metadata": {"tags": ["nbval-skip"]}', "has the tag 'nbval-skip'"),
    "a question the manifest lacks": (
        NOTEBOOK,
        'predict(\\"two_keys\\"',
        'predict(\\"two_key\\"',
        "predict asks for 'two_key', which is not in course.toml",
    ),
    "a choice that reads otherwise": (
        NOTEBOOK,
        "(b) at cat, (c) at it.",
        "(b) at the cat, (c) at it.",
        "the choices of 'purred_looks' do not read as in course.toml",
    ),
    "a title that reads otherwise": (NOTEBOOK, "### 1.2 · Weights that", "### 1.2 · Shares that", "no heading reads"),
    "an outcome that is stored": (
        NOTEBOOK,
        '"id": "column_sums-try"',
        '"id": "column_sums-outcome"',
        "'column_sums-outcome' shows what 'column_sums-reveal' asks about: let its id end in -try",
    ),
    "a result that is not finite": (
        "helpers/examples/single_head.py",
        "matrix([1], [0])))",
        "matrix([-np.inf], [0])))",
        "project, on the paper example: the result holds inf or nan. Results are finite",
    ),
    "a pasted picture": (
        NOTEBOOK,
        '"id": "paper",',
        '"attachments": {"a.png": {}}, "id": "paper",',
        "a pasted picture",
    ),
    "a solution that is gone": (
        SOLUTION,
        "def weighted_values",
        "def mixed_values",
        "does not define it; write it there",
    ),
    "a solution that is not Python": (SOLUTION, "values(A, V):", "values(A, V:", "solutions/single_head.py, line "),
    "a solution without a return": (
        SOLUTION,
        "    return projected\n",
        "",
        "project, on the paper example: the solution",
    ),
    "inputs that are gone": (
        "helpers/examples/single_head.py",
        '    "project": _project,\n',
        "",
        "project: helpers/examples/single_head.py has no",
    ),
    "hidden inputs that are gone": (
        "helpers/examples/single_head.py",
        '    "project": own(("D", "N", "D_q"), _projection),\n',
        "",
        "project: helpers/examples/single_head.py has no two hidden inputs for it; list in HIDDEN",
    ),
    "inputs under another name": (
        "helpers/examples/single_head.py",
        '    "project": _project,\n',
        '    "projct": _project,\n    "project": _project,\n',
        "helpers/examples/single_head.py: EXAMPLES has 'projct', which is no exercise of this notebook",
    ),
    "hidden inputs under another name": (
        "helpers/examples/single_head.py",
        "HIDDEN: dict[str, Maker] = {\n",
        'HIDDEN: dict[str, Maker] = {\n    "mix": own(("D", "N", "D_q"), _projection),\n',
        "helpers/examples/single_head.py: HIDDEN has 'mix', which is no exercise of this notebook",
    ),
    "a number that is taken": (
        "helpers/course.toml",
        'number = "1.4"',
        'number = "1.3"',
        "weighted_values: course.toml: number is '1.3', expected '1.4': it is exercise 4 of its notebook",
    ),
    "inputs that do not fit": (
        "helpers/examples/single_head.py",
        "size=(D_q, D))",
        "size=(D_q, D + 1))",
        "project, on an example of other sizes",
    ),
    "a given cell that fails": (NOTEBOOK, "RandomState(3)", "RandomState(-3)", "does not run with its solutions"),
    "an edited given cell": (NOTEBOOK, "np.array([0.0, 0.0, 10.0])", "np.array([0.0, 0.0, 20.0])", "true_values/"),
}


@pytest.mark.parametrize("what", DRIFTS)
def test_a_drift_is_found_and_named(tree, what):
    """Whatever is changed by hand in a stub, a solution, a hint, a picture or a stored form, refresh says where."""
    file, before, after, named = DRIFTS[what]
    change(tree, file, before, after)

    code, said = refresh(tree, "1", "--check")

    assert code == 1
    assert named in said
    assert "Traceback" not in said
    assert len(said.splitlines()) < 40


def test_a_picture_nobody_draws_is_named(tree):
    """A picture that no function draws any more is to be deleted by hand; refresh says which."""
    change(tree, "helpers/teach/figures/single_head.py", '"four_keys.svg"', '"keys.svg"')

    code, said = refresh(tree, "--check")

    assert code == 1
    assert "four_keys.svg, which nothing draws any more" in said


@pytest.mark.parametrize("kind", ["printed", "true value", "solution"])
def test_a_drift_in_any_notebook_is_found(tree, kind):
    """One number of each notebook's outputs or true values, or one of its solutions, is changed: all six are named."""
    for notebook in course().notebooks.values():
        DRIFT_IN[kind](tree, notebook)

    code, said = refresh(tree, "--check")

    assert code == 1
    named = [line.partition(":")[0] for line in said.splitlines()]
    for notebook in course().notebooks.values():
        file = f"notebooks/{notebook.file}" if kind == "printed" else f"true_values/{notebook.name}.json"
        assert file in named


def two_units(text: str) -> str:
    """Return a text whose last number with decimals is off by two units of its last digit."""
    *_, last = re.finditer(r"\d\.\d+", text)
    decimals = len(last[0]) - 2
    return f"{text[: last.start()]}{float(last[0]) + 2 * 10.0**-decimals:.{decimals}f}{text[last.end() :]}"


def change_a_printed_number(tree, notebook):
    """Move a number in the last matrix that a notebook prints."""
    path = tree / "notebooks" / notebook.file
    stored = json.loads(path.read_text(encoding="utf-8"))
    shown = [cell for cell in stored["cells"] if re.search(r"\d\.\d\d\d", str(cell.get("outputs")))]
    output = shown[-1]["outputs"][0]
    output["text"] = two_units("".join(output["text"])).splitlines(keepends=True)
    path.write_text(json.dumps(stored), encoding="utf-8")


def change_a_true_value(tree, notebook):
    """Move a number of the last exercise's last example."""
    path = tree / "helpers/true_values" / f"{notebook.name}.json"
    stored = json.loads(path.read_text(encoding="utf-8"))
    (*_, exercise) = stored["exercises"].values()
    array = exercise["examples"][-1]
    while "parts" in array:
        array = array["parts"][-1]
    array["values"][-1] += 1e-3 * max(map(abs, array["values"]))
    path.write_text(json.dumps(stored), encoding="utf-8")


def change_a_solution(tree, notebook):
    """Double what the first solution of a notebook returns."""
    path = tree / "solutions" / f"{notebook.name}.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        re.sub(r"^    return (\w+)$", r"    \1 = \1 + \1\n    return \1", text, count=1, flags=re.MULTILINE),
        encoding="utf-8",
    )


DRIFT_IN = {
    "printed": change_a_printed_number,
    "true value": change_a_true_value,
    "solution": change_a_solution,
}


def test_a_hint_that_is_gone_is_named(tree):
    """An exercise with an empty hint is refused."""
    change(tree, "helpers/course.toml", course().exercises["softmax_cols"].hints[0], " ")

    code, said = refresh(tree, "1", "--check")

    assert code == 1
    assert "softmax_cols: course.toml must have three hints." in said


def test_an_option_stands_below_progress(tree):
    """An optional exercise above `progress()` would stop Run All there; one with points would not be optional."""
    for before, after in (("points = 0\noptional = true", "points = 1\noptional = true"),):
        change(tree, "helpers/course.toml", before, after)
    change(tree, "helpers/course.toml", 'function = "entropy_cols"', 'optional = true\nfunction = "entropy_cols"')

    code, said = refresh(tree, "2", "--check")

    assert code == 1
    for name in ("softmax_jacobian", "entropy_cols"):
        assert f"{name}: an optional exercise has 0 points and stands below the cell `progress()`" in said


def test_the_layout_of_what_is_printed_is_kept_up(tree):
    """Numbers that are printed in another way are stored anew, although they are the same numbers."""
    change(tree, NOTEBOOK, "[[ 0.947  1.642", "[[0.947  1.642")

    assert refresh(tree, "1", "--check")[0] == 1


def test_refresh_mends_what_it_can_and_then_has_nothing_to_do(tree):
    """After `attention refresh` the same command finds nothing, and the files are as they were committed."""
    change(tree, TRUTH, "-2.365433418", "-2.4")
    change(tree, NOTEBOOK, "0.947  1.642", "0.9  1.642")
    change(tree, "notebooks/figures/four_keys.svg", "k1", "k9")
    (tree / "notebooks/figures/sentence_output.svg").unlink()

    code, said = refresh(tree, "1")

    assert code == 0
    assert "\n4 files written.\n" in said
    for file in (TRUTH, NOTEBOOK, "notebooks/figures/four_keys.svg", "notebooks/figures/sentence_output.svg"):
        assert (tree / file).read_bytes() == (course_folder() / file).read_bytes()
    assert refresh(tree, "1", "--check") == (0, "Nothing to do.\n")


def test_new_cells_get_the_ids_that_follow_from_what_they_do(tree):
    """A front end gives new cells random ids; those of stubs, checks and questions are named by refresh."""
    for id_ in ("project", "project-check", "two_keys-predict", "two_keys-reveal", "column_meaning-reflect"):
        change(tree, NOTEBOOK, f'"id": "{id_}"', f'"id": "{hash(id_) % 16**8:08x}"')

    assert refresh(tree, "1")[0] == 0
    assert (tree / NOTEBOOK).read_bytes() == (course_folder() / NOTEBOOK).read_bytes()


def test_all_problems_are_told_at_once(tree):
    """An author reads every problem in one run, one line each."""
    change(tree, NOTEBOOK, "# TODO 1: multiply", "# multiply")
    change(tree, NOTEBOOK, '"id": "paper"', '"id": "idea"')
    change(tree, "helpers/examples/single_head.py", '    "softmax_cols": _softmax_cols,\n', "")

    code, said = refresh(tree, "1", "--check")

    assert code == 1
    assert len(said.splitlines()) == 3


def test_refresh_normalizes_what_a_front_end_leaves_behind(tree):
    """Execution counts, widget state, kernel names and split outputs go; the notebook is as it was committed."""
    path = tree / NOTEBOOK
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["metadata"].update({"widgets": {"state": {}}, "kernelspec": {"name": "conda-env", "display_name": "mine"}})
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"]["collapsed"] = True
        if cell["cell_type"] == "code":
            cell["execution_count"] = 100 - number
            for output in [*cell["outputs"]]:  # a busy kernel sends what is printed in pieces
                cell["outputs"].append({**output, "text": output["text"][2:]})
                output["text"] = output["text"][:2]
    path.write_text(json.dumps(notebook), encoding="utf-8")

    assert refresh(tree, "1")[0] == 0
    assert path.read_bytes() == (course_folder() / NOTEBOOK).read_bytes()


def test_no_solution_code_is_stored_in_the_true_values():
    """No line of a solution's body stands in what a student's machine holds."""
    stored = "".join(
        path.read_text(encoding="utf-8") for path in (course_folder() / "helpers/true_values").glob("*.json")
    )
    lines = [
        line.split("#")[0].strip()
        for path in (course_folder() / "solutions").glob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.match(r"    \w+ = .+", line)
    ]

    assert len(lines) > 10
    assert [line for line in lines if line in stored] == []
