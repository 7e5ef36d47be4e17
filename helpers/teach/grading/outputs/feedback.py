"""`feedback/STUDENT.html`: what passed, what was got and expected, the mistake by its name, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from helpers.course import course
from helpers.draw import tiles
from helpers.learn.fingerprints import made, stored
from helpers.learn.home import write_whole
from helpers.teach.grading.gradebook import Gradebook, Person
from helpers.teach.grading.outputs.file_names import file_names
from helpers.teach.grading.outputs.page import LOOKS, called, counted, render
from helpers.teach.grading.record import Marked, Record


def write_feedback(book: Gradebook, folder: Path) -> dict[str, Path]:
    """Write a page for every student of a class, also for who handed in nothing.

    Parameters
    ----------
    book : Gradebook
        The class.
    folder : Path
        Where the pages go; made where it is missing.

    Returns
    -------
    dict of str to Path
        Each student's page, by the key of their submissions.

    Raises
    ------
    OSError
        If the folder cannot be written.
    """
    pages = {}
    for student, name in file_names(book.people).items():
        pages[student] = folder / f"{name}.html"
        write_whole(pages[student], feedback_page(book.people[student], book.of(student)))
    return pages


def feedback_page(person: Person, records: Sequence[Record]) -> str:
    """Return one student's page.

    Parameters
    ----------
    person : Person
        Whose it is.
    records : sequence of Record
        All of the student's, in any order.

    Returns
    -------
    str
        The HTML: one file that asks for nothing else, the same for the same records.
    """
    order = list(course().notebooks)
    graded = sorted(
        (record for record in records if record.status == "graded"), key=lambda one: order.index(one.notebook)
    )
    rest = sorted((record for record in records if record.status != "graded"), key=lambda one: one.file)
    there = {record.notebook for record in graded}
    verdicts = {one.function: one for record in graded for one in record.exercises}
    return render(
        "feedback.html",
        person=person,
        graded=graded,
        unreadable=[record for record in rest if record.status == "unreadable"],
        superseded=[record for record in rest if record.status == "superseded"],
        absent=[notebook for notebook in course().notebooks.values() if notebook.name not in there],
        points=sum(record.points for record in graded),
        possible=sum(record.possible for record in graded),
        course=course(),
        first=_first_step(graded, there),
        next_step=next_step,
        picture=Markup(_picture(verdicts)),  # noqa: S704 - an SVG of helpers.draw, which escapes what it writes
    )


def next_step(marked: Marked) -> str:
    """Return what to do about an exercise, with code between backticks; nothing where it is right."""
    name = marked.function
    if marked.verdict == "wrong":
        if (other := _practiced_in(marked)) and other != name:
            earlier = course().exercises[other]
            return f"Exercise {called(earlier)} is about that step alone: `hint({other})`. Then `check({name})`."
        return f"Change the cell, run it, then `check({name})`. `hint({name})` opens a hint."
    return {
        "right": "",
        "error": f"Run `check({name})` in the notebook: it points at the line. `hint({name})` opens a hint.",
        "timeout": "Is there a loop that cannot end, or one over every pair of numbers? Try it on two tokens first. "
        f"Then `check({name})`.",
        "killed": "It took more memory than there is, or ended Python itself. Does it make an array that is far too "
        f"large, or call `exit`? Then `check({name})`.",
        "not started": f"It is still as it was handed out. `hint({name})` opens a first hint.",
        "missing": f"No code cell of the file defines `{name}`. Was the cell deleted, renamed, or turned into text? "
        "Copy the cell from the notebook that you were given.",
    }[marked.verdict]


def _practiced_in(marked: Marked) -> str:
    """Return the first exercise of the course in which the same mistakes can be made; empty where none is named."""
    ways = made(marked.mistake) if marked.mistake else set()
    for name in course().exercises:
        if ways and ways <= {way for names in stored(name) for way in made(names)}:
            return name
    return ""


class _Step(NamedTuple):
    """What to do next, how to begin, and the exercise where it is one of the page."""

    what: str
    how: str
    function: str = ""


def _first_step(graded: Sequence[Record], there: set[str]) -> _Step:
    """Return the one thing to do next: the first exercise that is not right yet, else the first notebook left."""
    marks = {one.function: one for record in graded for one in record.exercises}
    for exercise in course().exercises.values():
        one = marks.get(exercise.function)
        if one and one.verdict != "right" and not exercise.optional:
            return _Step(f"Exercise {called(exercise)}", next_step(one), exercise.function)
    for notebook in course().notebooks.values():
        if notebook.name not in there:
            first = course().exercises_of(notebook.name)[0]
            return _Step(f"Notebook {notebook.number} · {notebook.title}", f"It begins with exercise {called(first)}.")
    return _Step("All done", "Every exercise is right, and `my_attention.py` is a transformer that you wrote.")


def _picture(verdicts: dict[str, Marked]) -> str:
    """Return where the student is in the course."""
    rows, notes = [], []
    for name in course().notebooks:
        exercises = course().exercises_of(name)
        looks = [LOOKS[verdicts[one.function].verdict] if one.function in verdicts else None for one in exercises]
        rows.append([look.standing if look else "to do" for look in looks])
        notes.append(
            [
                f"{called(one)}: {look.word if look else 'not handed in'}"
                for one, look in zip(exercises, looks, strict=True)
            ]
        )
    right = sum(row.count("right") for row in rows)
    return tiles(
        rows,
        title=f"{right} of {counted(len(course().exercises), 'exercise')} {'is' if right == 1 else 'are'} right",
        description="; ".join(
            f"notebook {number}: {row.count('right')} of {len(row)}" for number, row in enumerate(rows, start=1)
        ),
        labels=[f"{notebook.number} · {notebook.title}" for notebook in course().notebooks.values()],
        notes=notes,
    )
