"""`grades.csv`: one row a student, one column an exercise, for a spreadsheet program."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from helpers.course import course
from helpers.learn.home import write_whole
from helpers.teach.grading.gradebook import Gradebook
from helpers.teach.grading.outputs.earned import Earned, earned, handed_in, possible

NAME: Final = "grades.csv"
_BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"  # without it, spreadsheet programs take UTF-8 for an older encoding
# A cell that begins so is run as a formula. OWASP's list ("CSV Injection"), with the full-width forms and, from its
# ASVS, the null character.
_FORMULA: Final = tuple("=+-@\t\r\n\0＝＋－＠")


def write(book: Gradebook, results: Path) -> None:
    """Write `grades.csv` into the folder of the results."""
    write_whole(results / NAME, text(book))


def text(book: Gradebook) -> str:
    """Return the table of a class, for everybody who handed something in or stands on the roster.

    For each notebook that anybody handed in there is its status ("graded", "unreadable", or empty), a column for each
    of its exercises, and its points. A cell of an exercise holds its points; of a warm-up, which has none, its
    verdict. What was not handed in or could not be read is an empty cell, never a 0. `total` is empty where an
    unreadable file may be a notebook that has no grade, and `look` names that file and the reason; `possible` is what
    the listed notebooks hold, the same in each row.
    """
    notebooks = handed_in(book)
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\r\n")
    header = ["student", "name", "id", "email"]
    for notebook in notebooks:
        header += [f"{notebook} status", *_functions(notebook), f"{notebook} points"]
    writer.writerow([*header, "total", "possible", "look"])
    for student, person in book.people.items():
        has = earned(book, student, notebooks)
        row: list[str | int | None] = [neutral(one) for one in (student, person.name, person.id, person.email)]
        for notebook in notebooks:
            row += _notebook(has, notebook)
        writer.writerow([*row, has.points, possible(notebooks), neutral(has.look)])
    return _BOM + table.getvalue()


def neutral(words: str) -> str:
    """Return text that comes from outside as a cell that no spreadsheet program runs as a formula.

    An apostrophe is put in front of what begins like one; it then reads as text.
    """
    return f"'{words}" if words.startswith(_FORMULA) or words.lstrip().startswith(_FORMULA) else words


def _notebook(has: Earned, notebook: str) -> Iterator[str | int | None]:
    """Yield the cells of one notebook: its status, its exercises, its points."""
    record = has.graded.get(notebook)
    if record is None:
        yield "unreadable" if any(one.notebook == notebook for one in has.unreadable) else ""
        yield from [None] * (len(_functions(notebook)) + 1)
        return
    yield record.status
    marks = {one.function: one.points if one.possible else one.verdict for one in record.exercises}
    yield from (marks.get(function) for function in _functions(notebook))
    yield record.points


def _functions(notebook: str) -> list[str]:
    return [exercise.function for exercise in course().exercises_of(notebook)]
