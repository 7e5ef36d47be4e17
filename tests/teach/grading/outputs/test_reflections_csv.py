import csv
import io

import pytest
from grading.gradebooks import ADA, EMMY, GRACE, class_of, graded

from helpers.course import course
from helpers.teach.grading.outputs import reflections_csv

COLUMNS = "\ufeffnotebook,question,student,name,text,same as\r\n"


def rows(book):
    """Return the rows of a class's table, each a dict by column."""
    return list(csv.DictReader(io.StringIO(reflections_csv.text(book).removeprefix("\ufeff"), newline=""), strict=True))


def wrote(student, text, question="column_meaning", notebook="single_head", **more):
    """Return a record with a text to one question."""
    return graded(student, notebook, reflections={question: text}, **more)


def test_the_whole_file(tmp_path):
    """The bytes of a small class: by notebook and question, then by name."""
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
        COLUMNS + "single_head,query_direction,grace,Grace Hopper,Who gets é.,\r\n"
        "single_head,column_meaning,ada,Ada Lovelace,Shares of n.,\r\n"
        'single_head,column_meaning,grace,Grace Hopper,"It\'s ""who"", shared.",\r\n'
        "scaling,why_divide,ada,Ada Lovelace,The root.,\r\n"
    ).encode()


SHARES = "Shares of the value of n."


def same_as(folder, *texts):
    """Return what the table says of each text of a class that a copy of it is."""
    return [row["same as"] for row in rows(class_of(folder, *map(wrote, "abcdefgh", texts)))]


def test_a_copy_is_told(tmp_path):
    """Our model answer is "ours", and words of others are counted; case and punctuation make no other text."""
    ours = course().reflections["column_meaning"].model
    texts = (ours.upper().replace(",", ""), SHARES, "shares of the value of N", "(shares of the value: of n)", "Mine.")
    assert same_as(tmp_path, *texts) == ["ours", "2 others", "2 others", "2 others", ""]


ALONE = {
    "few words are alike by chance": ("It is a share.", "It is a share."),
    "a sign of mathematics": ("It grows where m > n holds.", "It grows where m < n holds."),
    "a vowel sign": ("a b c d \u092e\u0940", "a b c d \u092e\u093e"),
}


@pytest.mark.parametrize("what", ALONE)
def test_another_text_is_no_copy(tmp_path, what):
    """Texts that differ in a sign that means something, or say too little to be copied, stand alone."""
    assert same_as(tmp_path, *ALONE[what]) == ["", ""]


def test_one_other(tmp_path):
    """Two students with one text are one other to each other; the same words to another question do not count."""
    book = class_of(tmp_path, wrote("a", SHARES), wrote("b", SHARES), wrote("c", SHARES, "query_direction"))
    assert [(row["student"], row["same as"]) for row in rows(book)] == [("c", ""), ("a", "1 other"), ("b", "1 other")]


def test_the_attempt_that_counts(tmp_path):
    """Of two attempts at a notebook the later one's text is listed, once, and is no copy of the earlier one's."""
    first, last = (wrote("ada", SHARES, file=f"ada/{k}.ipynb", submitted=float(k)) for k in range(2))
    assert [(row["text"], row["same as"]) for row in rows(class_of(tmp_path, first, last))] == [(SHARES, "")]


def test_a_text_is_no_formula(tmp_path):
    """A text that a spreadsheet program would run gets an apostrophe in front."""
    (row,) = rows(class_of(tmp_path, wrote("ada", "=1+1")))
    assert row["text"] == "'=1+1"


def test_nobody_wrote_anything(tmp_path):
    """The header stands alone."""
    assert reflections_csv.text(class_of(tmp_path, graded("ada"))) == COLUMNS


def test_a_question_that_is_gone(tmp_path):
    """A text to a question that an author took away since is left out, and nothing else is lost."""
    book = class_of(tmp_path, graded("ada", reflections={"gone": SHARES, "column_meaning": "Mine."}))
    assert [row["text"] for row in rows(book)] == ["Mine."]
