"""Small classes for the tests of what becomes of the records: each is a `results.jsonl` with a few lines."""

from helpers.course import course
from helpers.teach.grading.gradebook import Person, gradebook
from helpers.teach.grading.record import Marked, Record

SINGLE_HEAD = ("project", "softmax_cols", "attention_weights", "weighted_values", "self_attention")


def graded(student, notebook="single_head", wrong=(), lines=("a line",), **more):
    """Return a record of a notebook in which all exercises are right, but those in `wrong`."""
    exercises = tuple(
        Marked(
            one.function,
            "wrong" if one.function in wrong else "right",
            0 if one.function in wrong else one.points,
            one.points,
            lines,
        )
        for one in course().exercises_of(notebook)
    )
    file = f"{student}/{course().notebooks[notebook].file}"
    return Record(file, student, 0.0, "d", "graded", notebook=notebook, exercises=exercises, **more)


def unreadable(student, notebook="", reason="it is no notebook.", submitted=1.0):
    """Return a record of a file that could not be read."""
    return Record(f"{student}/work.ipynb", student, submitted, "", "unreadable", reason, notebook)


def class_of(folder, *records, roster=()):
    """Return the class of some records, and of the people on its roster."""
    results = folder / "results.jsonl"
    results.write_text("".join(record.line() for record in records), encoding="utf-8")
    return gradebook(results, {person.student: person for person in roster})


ADA = Person("ada", "Ada Lovelace", "1815", "ada@example.org")
GRACE = Person("grace", "Grace Hopper", "1906", "grace@example.org")
EMMY = Person("emmy", "Emmy Noether", "1882", "emmy@example.org")
