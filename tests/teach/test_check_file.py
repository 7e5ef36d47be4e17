import os

import nbformat
import pytest
from nbclient import NotebookClient

from helpers.cli import main
from helpers.course import course
from helpers.learn import portfolio
from helpers.learn.slices import answer_slice
from helpers.teach import overlay, solutions
from helpers.teach.check_file import check_file

NAME = "softmax_cols"  # a search for its definition should find the stub and the solution only
WRONG = f"def {NAME}(S):\n    return np.exp(S) / np.sum(np.exp(S), axis=1, keepdims=True)"
NOT_PYTHON = f"def {NAME}(S:\n    return S"


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    """Keep the student's state in a temporary folder; the command may choose the folder itself."""
    monkeypatch.setenv("ATTENTION_HOME", str(tmp_path))


@pytest.fixture
def statuses(tmp_path):
    """Return the judge: a submission's status of each exercise."""

    def judge(submission, encoding="utf-8"):
        path = submission.write(tmp_path / "mine.ipynb", encoding)
        return {verdict.function: verdict.status for verdict in check_file(path)}

    return judge


def all_right_but(**others):
    """Return the verdicts on notebook 1, all right except for those given."""
    functions = ("project", "softmax_cols", "attention_weights", "weighted_values", "self_attention")
    return {function: others.get(function, "right") for function in functions}


def lost(**others):
    """Return the verdicts where softmax_cols does not pass: what builds on it cannot either."""
    return all_right_but(attention_weights="error", self_attention="error", **others)


def test_right(submission, statuses):
    """Every solution passes, in the order of the course."""
    assert list(statuses(submission).items()) == list(all_right_but().items())


def test_wrong(submission, statuses):
    """A wrong answer is wrong, and does not serve the exercises after it."""
    assert statuses(submission.answer("softmax_cols", WRONG)) == lost(softmax_cols="wrong")


def test_stub(submission, stub, statuses):
    """What was handed out is not started."""
    assert statuses(submission.answer("softmax_cols", stub("softmax_cols"))) == lost(softmax_cols="not started")


def test_not_python(submission, statuses):
    """A cell that is not Python is an error, and the other cells are judged."""
    assert statuses(submission.answer("softmax_cols", NOT_PYTHON)) == lost(softmax_cols="error")


def test_turned_to_text(submission, statuses):
    """A TODO cell turned to markdown is missing, whatever it says."""
    assert statuses(submission.to_text("softmax_cols")) == lost(softmax_cols="missing")


def test_deleted(submission, statuses):
    """A TODO cell that was deleted is missing."""
    submission.notebook.cells.remove(submission.cell("softmax_cols"))

    assert statuses(submission) == lost(softmax_cols="missing")


def test_moved(submission, stub, statuses):
    """An answer in a cell of the student's own counts while the TODO cell is still the stub."""
    submission.answer("softmax_cols", stub("softmax_cols")).add(solutions.source("softmax_cols"))

    assert statuses(submission) == all_right_but()


def test_duplicated(submission, statuses):
    """Of two answers the one in the TODO cell counts."""
    assert statuses(submission.add(WRONG)) == all_right_but()


def test_duplicated_without_ids(submission, statuses):
    """Without ids the last of two answers counts, as it does in a notebook that is run from top to bottom."""
    assert statuses(submission.add(WRONG).strip_ids()) == lost(softmax_cols="wrong")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_ids_stripped(submission, statuses, encoding):
    """A file whose ids were stripped is judged by the names it defines, in whatever encoding it was saved."""
    assert statuses(submission.strip_ids(), encoding) == all_right_but()


def test_what_is_imported_does_not_say_which_notebook_it_is(new_submission, tmp_path):
    """Notebook 2 without ids, and without two of its answers, is no notebook 1, of which it imports four."""
    own = new_submission("scaling").delete("scaled_scores", "softmax_jacobian").strip_ids()

    assert "entropy_cols" in {verdict.function for verdict in check_file(own.write(tmp_path / "mine.ipynb"))}


def test_a_cell_without_a_source(submission, statuses):
    """A cell that some tool left without a source is an empty cell."""
    del submission.cell("softmax_cols")["source"]

    assert statuses(submission) == lost(softmax_cols="missing")


def test_a_passing_earlier_function_is_the_students_own(submission, statuses):
    """A later exercise is lent the earlier function of the same file, not ours."""
    submission.replace("softmax_cols", "return A", "softmax_cols.was_called = True\n    return A")
    submission.replace("attention_weights", "return A", "assert softmax_cols.was_called\n    return A")

    assert statuses(submission) == all_right_but()


def test_my_attention_does_not_lend_what_fails_here(submission, statuses, tmp_path):
    """An exercise that fails in this file is not taken from the my_attention.py beside it."""
    part = answer_slice(solutions.source("softmax_cols"), "softmax_cols")
    (tmp_path / "my_attention.py").write_text(portfolio.insert("", part), encoding="utf-8")

    assert statuses(submission.answer("softmax_cols", WRONG)) == lost(softmax_cols="wrong")


def test_the_words_are_those_of_check(submission, stub, tmp_path):
    """For right, wrong, unfinished and broken cells the file's verdict is, word for word, what `check` says."""
    submission.answer("softmax_cols", WRONG).answer("attention_weights", stub("attention_weights"))
    submission.answer("weighted_values", "def NAME(A, V:\n    return V @ A")
    path = submission.write(tmp_path / "mine.ipynb")
    verdicts = {verdict.function: verdict for verdict in check_file(path)}

    notebook = nbformat.read(path, as_version=4)
    (tmp_path / "home").mkdir()
    client = NotebookClient(notebook, timeout=60, allow_errors=True, resources={"metadata": {"path": str(tmp_path)}})
    client.execute(env={**os.environ, "ATTENTION_HOME": str(tmp_path / "home")})
    said = {cell.id.removesuffix("-check"): cell.outputs[0] for cell in notebook.cells if cell.id.endswith("-check")}

    assert [verdict.status for verdict in verdicts.values()] == ["right", "wrong", "not started", "error", "error"]
    for function, verdict in verdicts.items():
        if verdict.status == "right":  # `check` goes on to say where it saved the function
            assert said[function].text.startswith(verdict.text + "\n")
        else:
            assert said[function].evalue == verdict.text


def test_command_all_right(submission, tmp_path, capsys):
    """`attention check` ends with 0 if every exercise passes, and prints a line for each."""
    path = submission.write(tmp_path / "mine.ipynb")

    assert main(["check", str(path)]) == 0
    out, err = capsys.readouterr()
    assert [line.split(":")[0] for line in out.splitlines() if line.startswith("✓ ")] == [
        f"✓ {function}" for function in all_right_but()
    ]
    assert out.endswith("\n5 of 5 exercises pass.\n")
    assert err == ""


def test_command_not_all_right(submission, tmp_path, capsys):
    """`attention check` ends with 1 if one exercise does not pass."""
    path = submission.replace("weighted_values", "V @ A", "2 * V @ A").write(tmp_path / "mine.ipynb")

    assert main(["check", str(path)]) == 1
    assert capsys.readouterr().out.endswith("\n3 of 5 exercises pass.\n")


def test_command_changes_nothing(submission, tmp_path, monkeypatch):
    """`attention check` leaves the notebook as it is, byte for byte, and writes nothing beside it."""
    monkeypatch.delenv("ATTENTION_HOME")
    path = submission.answer("softmax_cols", WRONG).write(tmp_path / "folder" / "mine.ipynb")
    before = path.read_bytes()

    main(["check", str(path)])

    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


@pytest.fixture
def copy(new_submission, tmp_path, monkeypatch):
    """Return a solved notebook 3 in a folder of its own, beside a course without solutions in which 1 and 2 passed."""
    notebooks = tmp_path / "course" / "notebooks"
    notebooks.mkdir(parents=True)
    (notebooks / "my_attention.py").write_text(overlay.earlier_file("two_heads"), encoding="utf-8")
    path = new_submission("two_heads").write(tmp_path / "Downloads" / "mine.ipynb")
    monkeypatch.setattr("helpers.teach.course_folder.notebooks_folder", lambda: notebooks)
    monkeypatch.setattr(solutions, "held", lambda _: False)
    monkeypatch.delenv("ATTENTION_HOME")
    return path


def test_command_on_a_copy_elsewhere(copy, capsys):
    """A notebook that lies alone, in Downloads say, may use what passed in the course's own folder."""
    assert main(["check", str(copy)]) == 0
    assert list(copy.parent.iterdir()) == [copy]


def test_command_prefers_the_file_beside_the_notebook(copy, capsys):
    """Where a my_attention.py stands beside the notebook, that one counts, and no other."""
    (copy.parent / "my_attention.py").write_text(portfolio.HEADER, encoding="utf-8")

    assert main(["check", str(copy)]) == 1
    assert "uses `project`, which is exercise 1.1 and has not passed its check yet" in capsys.readouterr().out


def refused(capsys, path):
    """Return what `attention check` says of a file that it does not judge."""
    assert main(["check", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("attention check: ")
    assert err.count("\n") <= 2
    return err


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "{}", "import numpy as np\n", "\N{LATIN SMALL LETTER E WITH ACUTE}"]
)
def test_not_a_notebook(tmp_path, capsys, content):
    """A file that is no notebook is named, with exit code 2."""
    path = tmp_path / "mine.ipynb"
    path.write_text(content, encoding="latin-1")

    assert "mine.ipynb: expected a notebook, got a file that is none" in refused(capsys, path)


def test_no_notebook_of_ours(tmp_path, capsys):
    """A notebook without any of our exercises is told which files were expected."""
    path = tmp_path / "other.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("from helpers import check")]), path)

    assert "other.ipynb: expected one of this course's notebooks (01_single_head.ipynb" in refused(capsys, path)


def test_no_such_file(tmp_path, capsys):
    """A path at which there is no file is named, with exit code 2; so is a folder."""
    assert "there is no such file" in refused(capsys, tmp_path / "mine.ipynb")
    assert "there is no such file" in refused(capsys, tmp_path)


def test_my_attention_is_broken(submission, tmp_path, capsys):
    """A my_attention.py beside the notebook that is no longer Python is named, with exit code 2."""
    (tmp_path / "my_attention.py").write_text("def half_a_line(X:\n", encoding="utf-8")

    assert "my_attention.py cannot be used" in refused(capsys, submission.write(tmp_path / "mine.ipynb"))


def test_an_option_may_be_left_out(new_submission, stub, tmp_path, capsys):
    """An option that is still the stub fails nothing and is counted apart; one that is wrong fails."""
    option = "softmax_jacobian"
    required = sum(not one.optional for one in course().exercises_of("scaling"))
    path = new_submission("scaling").answer(option, stub(option)).write(tmp_path / "left_out.ipynb")
    assert main(["check", str(path)]) == 0
    assert f"\n{required} of {required} exercises pass. Left out: 1 option.\n" in capsys.readouterr().out

    path = new_submission("scaling").answer(option, "def NAME(a):\n    return a").write(tmp_path / "wrong.ipynb")
    assert main(["check", str(path)]) == 1
    assert f"\n{required} of {required + 1} exercises pass.\n" in capsys.readouterr().out


def test_earlier_notebooks_are_lent(new_submission, tmp_path):
    """Notebook 4 alone, in an empty folder, is judged with our functions of notebooks 1 to 3 below it."""
    path = new_submission("concatenation").write(tmp_path / "mine.ipynb")

    assert {verdict.status for verdict in check_file(path)} == {"right"}


@pytest.mark.parametrize(("held", "status"), [(True, "right"), (False, "error")])
def test_a_section_edited_by_hand_is_not_lent(new_submission, tmp_path, monkeypatch, held, status):
    """A function whose section was changed by hand serves no check: ours does, where this edition holds one."""
    whole = new_submission("concatenation")
    monkeypatch.setattr(solutions, "held", lambda _: held)
    part = answer_slice("NAME = 1".replace("NAME", "head_output"), "head_output")
    text = portfolio.insert("", part).replace("= 1", "= 2")
    (tmp_path / "my_attention.py").write_text(text, encoding="utf-8")
    path = whole.write(tmp_path / "mine.ipynb")

    assert {verdict.function: verdict.status for verdict in check_file(path)}["multihead"] == status
