"""What the class page counts, gathered in one pass over the records: none of them is kept."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from helpers.course import Exercise, Notebook, course
from helpers.draw.standing import STANDINGS, Standing
from helpers.learn.judge import Status
from helpers.teach.grading.gradebook import Gradebook, Person
from helpers.teach.grading.outputs.page import LOOKS, why
from helpers.teach.grading.record import Marked, Record

BROKEN = ("error", "timeout", "killed")


class Unreadable(NamedTuple):
    """A file to look at by hand."""

    file: str
    student: str
    reason: str


class Broken(NamedTuple):
    """An answer that raised or was stopped."""

    student: str
    verdict: Status
    line: str


@dataclass
class Row:
    """One student.

    Attributes
    ----------
    verdicts : dict of str to Status
        Of each exercise in a notebook that could be read.
    points, possible : dict of str to int
        What each notebook earned, of how much.
    files, unreadable : int
        How many files came in, and how many of them could not be read.
    """

    person: Person
    verdicts: dict[str, Status] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)
    possible: dict[str, int] = field(default_factory=dict)
    files: int = 0
    unreadable: int = 0

    @property
    def total(self) -> int:
        """All points."""
        return sum(self.points.values())

    @property
    def right(self) -> int:
        """How many exercises are right."""
        return list(self.verdicts.values()).count("right")

    def standing(self, function: str) -> Standing:
        """Return how an exercise stands."""
        return LOOKS[self.verdicts[function]].standing if function in self.verdicts else "to do"


@dataclass
class Tally:
    """A class, counted.

    Attributes
    ----------
    rows : dict of str to Row
        Every student, in the order of the book.
    unreadable : list of Unreadable
        In the order of the students.
    superseded, graded : int
        How many records do not count, and how many do.
    seconds : list of float
        What grading each submission took.
    verdicts : dict of str to Counter
        For each exercise how many times each verdict was given.
    took : dict of str to list of float
        For each exercise how long its forks ran.
    mistakes : dict of (str, str) to list of str
        For each exercise and mistake who made it; under the mistake "" whose wrong answer has no name.
    broken : dict of str to list of Broken
        For each exercise whose answers raised or were stopped, where no mistake explains it.
    notes : dict of str to list of (str, str)
        For each note whose work it is about, and where: an exercise's number or a file.
    """

    rows: dict[str, Row]
    unreadable: list[Unreadable] = field(default_factory=list)
    superseded: int = 0
    graded: int = 0
    seconds: list[float] = field(default_factory=list)
    verdicts: dict[str, Counter[Status]] = field(default_factory=lambda: defaultdict(Counter))
    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    mistakes: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    broken: dict[str, list[Broken]] = field(default_factory=lambda: defaultdict(list))
    notes: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))

    @property
    def notebooks(self) -> list[Notebook]:
        """The notebooks that somebody handed in; all of the course where nobody has."""
        there = {name for row in self.rows.values() for name in row.points}
        return [notebook for name, notebook in course().notebooks.items() if name in there or not there]

    @property
    def exercises(self) -> list[Exercise]:
        """The exercises of those notebooks."""
        return [exercise for notebook in self.notebooks for exercise in course().exercises_of(notebook.name)]

    def standings(self, function: str) -> list[int]:
        """Return how many of those who handed in its notebook stand where, in the order of `STANDINGS`."""
        given = self.verdicts[function].items()
        return [sum(n for verdict, n in given if LOOKS[verdict].standing == one) for one in STANDINGS]

    def tried(self, function: str) -> int:
        """Return how many answers there are to an exercise."""
        *answers, _to_do = self.standings(function)
        return sum(answers)

    def add(self, record: Record) -> None:
        """Count a record."""
        row = self.rows[record.student]
        row.files += 1
        if record.status == "superseded":
            self.superseded += 1
            return
        self.seconds.append(record.seconds)
        self._note(record.notes, record.student, record.file)
        if record.status == "unreadable":
            row.unreadable += 1
            self.unreadable.append(Unreadable(record.file, record.student, why(record)))
            return
        self.graded += 1
        row.points[record.notebook], row.possible[record.notebook] = record.points, record.possible
        for one in record.exercises:
            row.verdicts[one.function] = one.verdict
            self._count(one, record.student)

    def _count(self, one: Marked, student: str) -> None:
        self.verdicts[one.function][one.verdict] += 1
        self.took[one.function].append(one.seconds)
        self._note(one.notes, student, course().exercises[one.function].number)
        if one.mistake or one.verdict == "wrong":
            self.mistakes[one.function, one.mistake].append(student)
        elif one.verdict in BROKEN:
            self.broken[one.function].append(Broken(student, one.verdict, one.lines[0] if one.lines else ""))

    def _note(self, notes: Iterable[str], student: str, where: str) -> None:
        for note in notes:
            self.notes[note].append((student, where))


def tally(book: Gradebook) -> Tally:
    """Return a class, counted: its records are read one student at a time."""
    counted = Tally({student: Row(person) for student, person in book.people.items()})
    for record in book.records():
        counted.add(record)
    return counted
