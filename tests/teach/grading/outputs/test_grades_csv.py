import csv
import io
import re

import pytest
from grading import records
from grading.gradebooks import ADA, EMMY, GRACE, class_of, graded, unreadable
from hypothesis import example, given
from hypothesis import strategies as st

from helpers.teach.grading.gradebook import Person
from helpers.teach.grading.outputs import grades_csv

BOM = "\ufeff"


def table(book):
    """Return the rows of a class's table by student, each a dict by column."""
    text = grades_csv.text(book)
    assert text.startswith(BOM)
    rows = csv.DictReader(io.StringIO(text.removeprefix(BOM), newline=""), strict=True)
    return {row["student"]: row for row in rows}


def test_the_whole_file(tmp_path):
    """The bytes of a small class: right, wrong, unreadable, not handed in; accents readable in a spreadsheet."""
    zoe = Person("zoë", "Zoë, called \"Z\"", "007", "z@example.org")  # fmt: skip
    wrong = graded("ada", wrong=("softmax_cols", "weighted_values", "self_attention"))
    book = class_of(tmp_path, wrong, graded("zoë"), unreadable("emmy", "single_head"), roster=(ADA, EMMY, GRACE, zoe))
    grades_csv.write(book, tmp_path)
    assert (tmp_path / "grades.csv").read_bytes() == (
        "\ufeffstudent,name,id,email,single_head status,project,softmax_cols,attention_weights,weighted_values,"
        "self_attention,single_head points,total,possible,look\r\n"
        "ada,Ada Lovelace,1815,ada@example.org,graded,right,wrong,1,0,0,1,1,3,\r\n"
        "emmy,Emmy Noether,1882,emmy@example.org,unreadable,,,,,,,,3,emmy/work.ipynb: it is no notebook.\r\n"
        "grace,Grace Hopper,1906,grace@example.org,,,,,,,,,3,\r\n"
        'zoë,"Zoë, called ""Z""",007,z@example.org,graded,right,right,1,1,1,3,3,3,\r\n'
    ).encode()


def test_all_wrong_is_a_zero(tmp_path):
    """A notebook that was read and earns nothing is 0, which an empty cell is not."""
    wrong = ("attention_weights", "weighted_values", "self_attention")
    row = table(class_of(tmp_path, graded("ada", wrong=wrong)))["ada"]
    assert (row["single_head points"], row["total"]) == ("0", "0")


def test_only_notebooks_that_came_in_have_columns(tmp_path):
    """Two notebooks that came in, from different students: their columns in the course's order, and their points."""
    row = table(class_of(tmp_path, graded("ada", "scaling"), graded("grace")))["ada"]
    assert [column for column in row if column.endswith("status")] == ["single_head status", "scaling status"]
    points, both = str(records.possible("scaling")), str(records.possible("single_head", "scaling"))
    earned = [row[column] for column in ("single_head points", "scaling points", "total", "possible")]
    assert earned == ["", points, points, both]


def test_nobody_handed_anything_in(tmp_path):
    """A roster alone gives a row for each student and no total."""
    assert table(class_of(tmp_path, roster=(ADA,)))["ada"]["total"] == ""


def test_two_heads_is_an_exercise_and_a_notebook(tmp_path):
    """No two columns share a name, where an exercise is called as its notebook too."""
    book = class_of(tmp_path, graded("ada", "two_heads"), graded("ada", "transformer_layer"))
    header = grades_csv.text(book).removeprefix(BOM).splitlines()[0].split(",")
    assert len(set(header)) == len(header)
    assert table(book)["ada"]["two_heads"] == "1"


LOOK = "ada/work.ipynb: it is no notebook."
FIRST, BOTH = str(records.possible("single_head")), str(records.possible("single_head", "scaling"))


@pytest.mark.parametrize(
    ("lines", "total", "look"),
    [
        pytest.param([graded("ada"), unreadable("ada")], "", LOOK, id="it may be the notebook that is missing"),
        pytest.param([graded("ada"), unreadable("ada", "scaling")], "", LOOK, id="it is the notebook that is missing"),
        pytest.param([graded("ada"), unreadable("ada", "single_head")], "", LOOK, id="a later attempt at the notebook"),
        pytest.param(
            [graded("ada"), unreadable("ada", "single_head", submitted=-1)], FIRST, "", id="an earlier attempt"
        ),
        pytest.param([graded("ada"), graded("ada", "scaling"), unreadable("ada")], BOTH, LOOK, id="nothing is missing"),
    ],
)
def test_an_unreadable_file_is_no_zero(tmp_path, lines, total, look):
    """A total is empty as long as a file that could not be read may add to it; `look` names the file."""
    row = table(class_of(tmp_path, *lines, graded("grace", "scaling")))["ada"]
    assert (row["total"], row["look"]) == (total, look)


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", " =", "\xa0="])
def test_no_cell_is_a_formula(tmp_path, begin):
    """Each text from outside (key, name, ID, address, file) that begins like a formula gets an apostrophe in front."""
    evil = f"{begin}1+1"
    row = table(class_of(tmp_path, unreadable(evil), roster=(Person(evil, evil, evil, evil),)))[f"'{evil}"]
    assert (row["name"], row["id"], row["email"]) == (f"'{evil}",) * 3
    assert row["look"].startswith(f"'{evil}/work.ipynb")


@given(st.text(st.characters(exclude_categories=["Cs"])))
@example('"=1",\r\n;')
@example("-")
@example("\n@")
@example("scores; =1+1")
@example("scores;\t-1")
def test_any_name_comes_back(tmp_path, name):
    """A reader of CSV gets every name as it is, or with apostrophes, whatever it takes for the end of a cell."""
    rows = table(class_of(tmp_path, roster=(Person("ada", name), GRACE)))
    read = rows["ada"]["name"]
    assert read.replace("'", "") == name.replace("'", "")
    assert not any(cell.lstrip().startswith(("=", "+", "-", "@")) for cell in re.split(r"[;\t\r\n]", read))
    assert len(rows) == 2
