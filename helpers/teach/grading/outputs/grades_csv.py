"""`grades.csv`: one row a student, one column an exercise, for a spreadsheet program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from helpers.course import course
from helpers.learn.home import write_whole
from helpers.teach.grading.gradebook import Gradebook
from helpers.teach.grading.outputs.earned import Earned, earned, handed_in, possible
from helpers.teach.grading.outputs.spreadsheet import as_csv

NAME: Final = "grades.csv"


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
    header = ["student", "name", "id", "email"]
    for notebook in notebooks:
        header += [f"{notebook} status", *_functions(notebook), f"{notebook} points"]
    table: list[list[str | int | None]] = [[*header, "total", "possible", "look"]]
    for student, person in book.people.items():
        has = earned(book, student, notebooks)
        row: list[str | int | None] = [student, person.name, person.id, person.email]
        for notebook in notebooks:
            row += _notebook(has, notebook)
        table.append([*row, has.points, possible(notebooks), has.look])
    return as_csv(table)


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
