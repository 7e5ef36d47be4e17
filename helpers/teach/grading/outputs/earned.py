"""What a student earned in some notebooks, and when nobody can say: what every table of grades is made of."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from helpers.course import course
from helpers.teach.grading.gradebook import Gradebook, Person
from helpers.teach.grading.record import Record


@dataclass(frozen=True)
class Earned:
    """A student's records in the notebooks that are asked for.

    Attributes
    ----------
    person : Person
        Whose they are.
    graded : dict of str to Record
        The record that counts, by notebook.
    unreadable : tuple of Record
        The files that could not be read and are a notebook without a grade, or might be one.
    points : int or None
        What all exercises earned together. None, which is no 0, where nothing is graded, or where an unreadable file
        may be a notebook that has no grade.
    """

    person: Person
    graded: dict[str, Record]
    unreadable: tuple[Record, ...]
    points: int | None

    @property
    def look(self) -> str:
        """What a person must look at: the unreadable files, each with its reason. Empty where there is none."""
        return "; ".join(f"{record.file}: {record.reason}" for record in self.unreadable)


def earned(book: Gradebook, student: str, notebooks: Collection[str]) -> Earned:
    """Return what a student earned in some notebooks."""
    records = [record for record in book.of(student) if record.notebook in {*notebooks, ""}]
    graded = {record.notebook: record for record in records if record.status == "graded"}
    # Of a notebook with a grade, a file that could not be read was an earlier attempt: nobody needs to look at it.
    unreadable = tuple(one for one in records if one.status == "unreadable" and one.notebook not in graded)
    in_doubt = unreadable and set(notebooks) - set(graded)
    points = None if in_doubt or not graded else sum(record.points for record in graded.values())
    return Earned(book.people[student], graded, unreadable, points)


def handed_in(book: Gradebook) -> list[str]:
    """Return the notebooks that anybody in the class handed in, in the course's order."""
    found = {record.notebook for record in book.records()}
    return [notebook for notebook in course().notebooks if notebook in found]


def possible(notebooks: Sequence[str]) -> int:
    """Return how many points some notebooks hold together."""
    return sum(exercise.points for notebook in notebooks for exercise in course().exercises_of(notebook))
