"""`feedback/STUDENT.html`: what passed, what was got and expected, the mistake by its name, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from helpers.course import course
from helpers.draw import tiles
from helpers.learn.fingerprints import made, stored
from helpers.learn.home import write_whole
from helpers.teach.grading.gradebook import Gradebook, Person
from helpers.teach.grading.outputs.earned import handed_in
from helpers.teach.grading.outputs.file_names import file_names, remove_others
from helpers.teach.grading.outputs.page import LOOKS, called, counted, render
from helpers.teach.grading.record import CHECK_ONLY, Marked, Record


def write_feedback(book: Gradebook, folder: Path) -> dict[str, Path]:
    """Write a page for every student of a class, also for who handed in nothing; remove those of nobody in it.

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
    pages, asked, names = {}, handed_in(book), file_names(book.people)
    remove_others(folder, names.values(), ".html")
    for student, name in names.items():
        pages[student] = folder / f"{name}.html"
        write_whole(pages[student], feedback_page(book.people[student], book.of(student), asked))
    return pages


def feedback_page(person: Person, records: Sequence[Record], asked: Sequence[str] = ()) -> str:
    """Return one student's page.

    Parameters
    ----------
    person : Person
        Whose it is.
    records : sequence of Record
        All of the student's, in any order.
    asked : sequence of str
        The notebooks that were collected, in the course's order; all of the course, where none is named. A page about
        one week says nothing of the others.

    Returns
    -------
    str
        The HTML: one file that asks for nothing else, the same for the same records.
    """
    order = list(course().notebooks)
    asked = list(asked) or order
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
        absent=[course().notebooks[name] for name in asked if name not in there],
        points=sum(record.points for record in graded),
        possible=sum(record.possible for record in graded),
        course=course(),
        first=_first_step(graded, asked),
        next_step=next_step,
        picture=Markup(_picture(verdicts, asked)),  # noqa: S704 - an SVG of helpers.draw, which escapes what it writes
    )


def next_step(marked: Marked) -> str:
    """Return what to do about an exercise, with code between backticks; nothing where it is right."""
    name = marked.function
    if (other := _practiced_in(marked)) not in ("", name):
        return f"Exercise {called(course().exercises[other])} is about that step alone: `hint({other})`."
    if marked.lines == CHECK_ONLY:
        return f"`check({name})` passes it, so make an example of your own: other sizes, all different."
    return {
        "right": "",
        "wrong": f"Change the cell, run it, then `check({name})`. `hint({name})` opens a hint.",
        "error": f"Run `check({name})` in the notebook: it points at the line. `hint({name})` opens a hint.",
        "timeout": f"Try it on two tokens and print what each line gives. Then `check({name})`.",
        "killed": f"Try it on two tokens until it gives an answer by itself. Then `check({name})`.",
        "not started": f"`hint({name})` opens a first hint.",
        "missing": "Copy the cell from the notebook that you were given, or give the function its name back.",
    }[marked.verdict]


def _practiced_in(marked: Marked) -> str:
    """Return the exercise in which the named mistakes are first made; empty where there is none, or more than one."""
    names = set().union(*made(marked.mistake)) if marked.mistake else set()
    places = {_first_made_in().get(name, "") for name in names}
    return places.pop() if len(places) == 1 else ""


@cache
def _first_made_in() -> dict[str, str]:
    """Return for every recorded mistake the first exercise of the course in which it shows."""
    found: dict[str, str] = {}
    for function in course().exercises:
        for name in set().union(*(way for names in stored(function) for way in made(names))):
            found.setdefault(name, function)
    return found


class _Step(NamedTuple):
    """What to do next, how to begin, and the exercise where it is one of the page."""

    what: str
    how: str
    function: str = ""


def _first_step(graded: Sequence[Record], asked: Sequence[str]) -> _Step:
    """Return the one thing to do next: the first exercise that is not right yet, else the first notebook left."""
    order = list(course().notebooks)
    following = order[order.index(asked[-1]) + 1 :][:1]
    marks = {one.function: one for record in graded for one in record.exercises}
    for exercise in course().exercises.values():
        one = marks.get(exercise.function)
        if one and one.verdict != "right" and not exercise.optional:
            return _Step(f"Exercise {called(exercise)}", next_step(one), exercise.function)
    there = {record.notebook for record in graded}
    for name in [*asked, *following]:
        if name not in there:
            notebook, first = course().notebooks[name], course().exercises_of(name)[0]
            return _Step(f"Notebook {notebook.number} · {notebook.title}", f"It begins with exercise {called(first)}.")
    if len(there) < len(order):
        return _Step("Done", "Every exercise here is right. `progress()` shows what is left elsewhere.")
    return _Step("All done", "Every exercise is right, and `my_attention.py` is a transformer that you wrote.")


def _picture(verdicts: dict[str, Marked], asked: Sequence[str]) -> str:
    """Return where the student is in these notebooks."""
    notebooks = [course().notebooks[name] for name in asked]
    rows, notes = [], []
    for name in asked:
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
        title=f"{right} of {counted(sum(map(len, rows)), 'exercise')} {'is' if right == 1 else 'are'} right",
        description="; ".join(
            f"notebook {one.number}: {row.count('right')} of {len(row)}"
            for one, row in zip(notebooks, rows, strict=True)
        ),
        labels=[f"{notebook.number} · {notebook.title}" for notebook in notebooks],
        notes=notes,
    )
