import csv
import io

from grading.gradebooks import ADA, EMMY, GRACE, class_of, graded

from helpers.course import course
from helpers.teach.grading.outputs import reflections_csv

COLUMNS = "\ufeffnotebook,question,student,name,text,same as,points\r\n"


def rows(book):
    """Return the rows of a class's table, each a dict by column."""
    return list(csv.DictReader(io.StringIO(reflections_csv.text(book).removeprefix("\ufeff"), newline=""), strict=True))


def wrote(student, text, question="column_meaning", notebook="single_head", **more):
    """Return a record with a text to one question."""
    return graded(student, notebook, reflections={question: text}, **more)


def test_the_whole_file(tmp_path):
    """The bytes of a small class: by notebook and question, then by name; points are left to be filled in."""
    both = {"column_meaning": 'It\'s "who", shared.', "query_direction": "Who gets é."}
    book = class_of(
        tmp_path,
        graded("grace", reflections=both),
        wrote("ada", "Shares of n."),
        wrote("ada", "The root.", "why_divide", "scaling"),
        graded("emmy"),
        roster=(ADA, EMMY, GRACE),
    )
    reflections_csv.write(book, tmp_path)
    assert (tmp_path / "reflections.csv").read_bytes() == (
        COLUMNS + "single_head,query_direction,grace,Grace Hopper,Who gets é.,,\r\n"
        "single_head,column_meaning,ada,Ada Lovelace,Shares of n.,,\r\n"
        'single_head,column_meaning,grace,Grace Hopper,"It\'s ""who"", shared.",,\r\n'
        "scaling,why_divide,ada,Ada Lovelace,The root.,,\r\n"
    ).encode()


def test_a_copy_is_told(tmp_path):
    """Our model answer is "ours", and words of others are counted; case and punctuation make no other text."""
    ours = course().reflections["column_meaning"].model
    texts = (ours.upper().replace(",", ""), "Shares of n.", "shares of N", "(shares of n)", "Mine.")
    book = class_of(tmp_path, *map(wrote, "abcde", texts))
    assert {row["student"]: row["same as"] for row in rows(book)} == {
        "a": "ours", "b": "2 others", "c": "2 others", "d": "2 others", "e": "",
    }  # fmt: skip


def test_one_other(tmp_path):
    """Two students with one text are one other to each other; the same words to another question do not count."""
    book = class_of(tmp_path, wrote("a", "So."), wrote("b", "So."), wrote("c", "So.", "query_direction"))
    assert [(row["student"], row["same as"]) for row in rows(book)] == [("c", ""), ("a", "1 other"), ("b", "1 other")]


def test_the_attempt_that_counts(tmp_path):
    """Of two attempts at a notebook the later one's text is listed, once, and is no copy of the earlier one's."""
    first, last = (wrote("ada", "Shares.", file=f"ada/{k}.ipynb", submitted=float(k)) for k in range(2))
    assert [(row["text"], row["same as"]) for row in rows(class_of(tmp_path, first, last))] == [("Shares.", "")]


def test_a_text_is_no_formula(tmp_path):
    """A text that a spreadsheet program would run gets an apostrophe in front."""
    (row,) = rows(class_of(tmp_path, wrote("ada", "=1+1")))
    assert row["text"] == "'=1+1"


def test_nobody_wrote_anything(tmp_path):
    """The header stands alone."""
    assert reflections_csv.text(class_of(tmp_path, graded("ada"))) == COLUMNS
