import json
import subprocess
import sys

import numpy as np
import pytest

from helpers.course import course
from helpers.examples.example import seeded_head, seeded_tokens
from helpers.learn import home, ours, portfolio
from helpers.learn.slices import answer_slice
from helpers.teach import solutions

FIRST, SECOND, THIRD, LAST = "project", "softmax_cols", "weighted_values", "self_attention"
NOTEBOOK_1 = [exercise.function for exercise in course().exercises_of("single_head")]

# The output of the book's notebook on one head, as printed there (udlbook, Notebooks/Chap12/12_1): one list a token.
PRINTED_BY_THE_BOOK = [
    [0.94744244, -0.24348429, -0.91310441, -0.44522983],
    [1.64201168, -0.08470004, 4.02764044, 2.18690791],
    [1.61949281, -0.06641533, 3.96863308, 2.15858316],
]


def answer(name, body="return 1", above=""):
    """Return the slice of a small answer."""
    return answer_slice(f"{above}def {name}(*arguments):\n    {body}", name, course().exercises)


def text():
    """Return the file as it lies on disk."""
    return portfolio.path().read_text(encoding="utf-8")


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_sections_stand_in_the_courses_order(order):
    """In whatever order functions pass, the file has them in the course's."""
    for index in order:
        portfolio.save(answer((FIRST, SECOND, THIRD)[index]))

    assert list(portfolio.sections(text())) == [FIRST, SECOND, THIRD]


def test_saving_again_replaces_the_section_alone():
    """A new version takes the old one's place; the other sections stay to the letter."""
    for name in (FIRST, SECOND):
        portfolio.save(answer(name))
    before = text()
    portfolio.save(answer(FIRST, "return 2"))

    assert portfolio.sections(text()) == {**portfolio.sections(before), FIRST: answer(FIRST, "return 2").text}
    assert portfolio.functions()[FIRST]() == 2


def test_what_is_written_outside_the_marks_stays():
    """Lines of one's own above, between and below the sections are kept."""
    for name in (FIRST, THIRD):
        portfolio.save(answer(name))
    end = f"# --- end of {FIRST}\n"
    edited = "# my own first line\n" + text().replace(end, end + "\nMINE = 1\n") + "\nprint  # my last line\n"
    portfolio.path().write_text(edited, encoding="utf-8")
    portfolio.save(answer(SECOND))
    portfolio.save(answer(FIRST, "return 2"))
    portfolio.save(answer(LAST))

    assert text().startswith("# my own first line\n")
    assert text().endswith("\nprint  # my last line\n")
    assert portfolio.functions()["MINE"] == 1
    assert list(portfolio.sections(text())) == [FIRST, SECOND, THIRD, LAST]


def test_a_section_that_was_edited_by_hand_is_refused_and_kept():
    """A hand edit inside a section is not overwritten; the message says what to do."""
    portfolio.save(answer(FIRST))
    portfolio.path().write_text(text().replace("return 1", "return 7"), encoding="utf-8")

    with pytest.raises(portfolio.Refused, match=r"the section project .* was edited by hand"):
        portfolio.save(answer(FIRST, "return 2"))

    assert portfolio.functions()[FIRST]() == 7


def test_two_helpers_of_one_name_are_refused_with_both_places():
    """A helper that another section defines with other code would change that one: it is refused, both named."""
    portfolio.save(answer(FIRST, "return helper()", above="def helper():\n    return 1\n\n"))
    before = text()

    with pytest.raises(portfolio.Refused, match="`helper` stands in the cells of softmax_cols and project"):
        portfolio.save(answer(SECOND, "return helper()", above="def helper():\n    return 2\n\n"))

    assert text() == before


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        ("", {FIRST, LAST, "multihead"}),
        ("from numpy import *\n", {FIRST, SECOND, THIRD, LAST, "multihead"}),
        ("np.seterr(all='ignore')\nones = np.seterr()\n", {FIRST, SECOND, THIRD, LAST, "multihead"}),
        ("def abs(x):\n    return x\n", {FIRST, THIRD, LAST, "multihead"}),
        ("def once(f):\n    return f\n@once\ndef abs(x):\n    return x\n", {FIRST, SECOND, THIRD, LAST, "multihead"}),
    ],
    ids=["a function", "all of a module", "a statement", "a name of Python's own", "a decorator"],
)
def test_what_a_new_answer_may_change_is_judged_again(above, expected):
    """What uses a name it binds, at any distance; everything, where the cell does more than define and import."""
    bodies = {SECOND: "return 1", THIRD: "return abs(-1)", LAST: f"return {FIRST}()", "multihead": f"return {LAST}()"}
    for name, body in bodies.items():
        portfolio.save(answer(name, body))
    part = answer(FIRST, f"return {'ones' if 'ones' in above else 'abs(1)'}", above)
    portfolio.save(part)

    assert {*portfolio.affected(text(), part)} == expected


def test_an_exercise_that_the_course_no_longer_has_is_kept_and_not_judged():
    """A section of an earlier version stays in the file, and no check asks after it."""
    portfolio.save(answer(FIRST))
    gone = text().replace(FIRST, "exercise_of_an_earlier_version").replace("return 1", f"return {FIRST}()")
    portfolio.path().write_text(text() + gone[gone.index("# --- exercise") :], encoding="utf-8")
    part = answer(FIRST, "return 2")
    portfolio.save(part)

    assert "exercise_of_an_earlier_version" in portfolio.sections(text())
    assert portfolio.affected(text(), part) == [FIRST]


def test_the_same_helper_in_two_sections_is_no_collision():
    """Two cells may hold the same helper, and may import the same module."""
    above = "import numpy as xp\n\ndef helper():\n    return xp.pi\n\n"
    portfolio.save(answer(FIRST, "return helper()", above))
    portfolio.save(answer(SECOND, "return helper()", above))

    assert portfolio.functions()[FIRST]() == portfolio.functions()[SECOND]() == np.pi


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"def (", "SyntaxError"), (b"1 / 0", "ZeroDivisionError"), ("é".encode("latin-1"), "another encoding")],
    ids=["not Python", "raises", "another encoding"],
)
def test_a_file_that_cannot_be_used_is_said_and_kept(content, said):
    """A file broken by hand is left as it is, and the message says what happened."""
    portfolio.path().write_bytes(content)

    with pytest.raises(portfolio.Refused, match=said):
        portfolio.functions()
    if said != "ZeroDivisionError":  # saving does not run the file
        with pytest.raises(portfolio.Refused):
            portfolio.save(answer(FIRST))
        assert portfolio.path().read_bytes() == content


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm():
    """A file saved by an editor on Windows is read like any other."""
    portfolio.save(answer(FIRST))
    portfolio.path().write_bytes(b"\xef\xbb\xbf" + text().replace("\n", "\r\n").encode())
    portfolio.save(answer(SECOND))

    assert list(portfolio.sections(text())) == [FIRST, SECOND]


def test_an_import_is_never_stale():
    """`from my_attention import f` gives the version saved last, within the same second and of the same size."""
    portfolio.install_module()
    for value in range(5):
        portfolio.save(answer(FIRST, f"return {value}"))
        from my_attention import project

        assert project() == value


def test_an_import_of_what_has_not_passed_says_which_exercise_gives_it(monkeypatch):
    """Where nothing is lent, a missing function is named with its exercise and its notebook, without a traceback."""
    monkeypatch.setattr(ours, "function", lambda _: None)
    portfolio.install_module()
    with pytest.raises(ImportError) as caught:
        from my_attention import softmax_cols  # noqa: F401  the import is what is tested

    assert caught.value._render_traceback_() == [
        "✗ my_attention has no softmax_cols yet.",
        "  It is exercise 1.2, in 01_single_head.ipynb.",
        "  Pass its check there, then run this cell again.",
    ]


def test_an_import_of_what_is_no_exercise_is_an_ordinary_error():
    """A name that no exercise has is an ImportError; the functions that passed are listed by dir()."""
    portfolio.install_module()
    portfolio.save(answer(FIRST))
    with pytest.raises(ImportError):
        from my_attention import attention  # noqa: F401  the import is what is tested

    assert FIRST in dir(sys.modules["my_attention"])


def test_the_file_runs_alone(folder, tmp_path):
    """With numpy, and without this package, the finished file computes the book's printed output."""
    for name in NOTEBOOK_1:
        portfolio.save(answer_slice(solutions.source(name), name, course().exercises))
    head = seeded_head()
    script = tmp_path / "alone.py"
    script.write_text(
        "import json, runpy, sys\n"
        "sys.modules.update(helpers=None, solutions=None, attention_by_hand=None)\n"  # None: an import of it fails
        f"mine = runpy.run_path({str(folder / 'my_attention.py')!r})\n"
        f"X = mine['np'].array({seeded_tokens().tolist()})\n"
        f"head = mine['Head'](*map(mine['np'].array, {[part.tolist() for part in head]}))\n"
        "print(json.dumps(mine['self_attention'](X, head).tolist()))\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, "-I", str(script)], capture_output=True, text=True, check=True)

    assert np.allclose(json.loads(done.stdout), np.transpose(PRINTED_BY_THE_BOOK), atol=1e-8)  # printed to 8 decimals


def test_three_writers_lose_nothing(folder):
    """Three processes that save at the same time lose no section and no attempt."""
    script = """
import sys
from helpers.learn import portfolio, progress
from helpers.learn.slices import answer_slice
for turn in range(40):
    source = f"def {sys.argv[1]}():\\n    return {turn}"
    portfolio.save(answer_slice(source, sys.argv[1]))
    progress.attempt("project", sys.argv[1] + source, passed=False)
"""
    names = (FIRST, SECOND, THIRD)
    writers = [subprocess.Popen([sys.executable, "-c", script, name]) for name in names]

    assert [writer.wait(timeout=60) for writer in writers] == [0, 0, 0]
    assert [portfolio.functions()[name]() for name in names] == [39, 39, 39]
    record = json.loads((folder / "progress.json").read_text())
    assert len(record["exercises"]["project"]["attempts"]) == 120
    assert sorted(path.name for path in folder.iterdir()) == [".attention.lock", "my_attention.py", "progress.json"]


def test_a_folder_that_cannot_be_written_keeps_the_file_in_memory(tmp_path, monkeypatch):
    """Where nothing can be written, what passed is there for the session."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(
        "ATTENTION_HOME", str(tmp_path / "file" / "home")
    )  # its parent is a file: nobody can write there

    assert portfolio.save(answer(FIRST)) is False
    assert portfolio.save(answer(SECOND)) is False
    assert {FIRST, SECOND} <= set(portfolio.functions())
    assert home.read(portfolio.path()).count("# --- end of") == 2
