"""Small classes for the tests of what becomes of the records: each is a `results.jsonl` with a few lines."""

from grading import records
from helpers.course import course
from helpers.teach.grading.gradebook import Person
from helpers.teach.grading.record import Record


def graded(student, notebook="single_head", wrong=(), lines=("a line",), **more):
    """Return a record of a notebook in which all exercises are right, but those in `wrong`."""
    exercises = [
        records.marked(one.function, "wrong" if one.function in wrong else "right", lines=lines)
        for one in course().exercises_of(notebook)
    ]
    return records.graded(student, notebook, *exercises, **{"submitted": 0.0, **more})


def unreadable(student, notebook="", reason="it is no notebook.", submitted=1.0):
    """Return a record of a file that could not be read."""
    return Record(f"{student}/work.ipynb", student, submitted, "", "unreadable", reason, notebook)


def class_of(folder, *lines, roster=()):
    """Return the class of some records, and of the people on its roster."""
    return records.book_of(folder, lines, {person.student: person for person in roster})


ADA = Person("ada", "Ada Lovelace", "1815", "ada@example.org")
GRACE = Person("grace", "Grace Hopper", "1906", "grace@example.org")
EMMY = Person("emmy", "Emmy Noether", "1882", "emmy@example.org")
