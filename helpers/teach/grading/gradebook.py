"""The records of a class by student: what counts, and where it lies in `results.jsonl`.

The records themselves stay in the file, since a class may be large; a student's are read when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from helpers.course import course
from helpers.teach.grading.record import Record, parse


@dataclass(frozen=True)
class Person:
    """A student as a roster knows them; without a roster the key alone is known.

    Attributes
    ----------
    student : str
        The key of their submissions: a folder's name, or what an LMS wrote.
    name, id, email : str
        As the roster has them; empty where it does not.
    """

    student: str
    name: str = ""
    id: str = ""
    email: str = ""

    @property
    def called(self) -> str:
        """What to print: the name, or the key."""
        return self.name or self.student


@dataclass
class Gradebook:
    """A class.

    Attributes
    ----------
    results : Path
        The file `results.jsonl`.
    people : dict of str to Person
        Everybody who handed something in or stands on the roster, in the order of their names.
    """

    results: Path
    people: dict[str, Person]
    _lines: dict[str, list[int]] = field(default_factory=dict)  # where each student's records begin in the file

    @property
    def size(self) -> int:
        """How many records there are."""
        return sum(map(len, self._lines.values()))

    def of(self, student: str) -> list[Record]:
        """Return all records of a student: by notebook, then the unreadable ones, then what is superseded.

        Of several attempts at one notebook the latest counts; the others are superseded, whatever their lines say.
        """
        order = [*course().notebooks]
        found = settled(self._read(student))

        def place(record: Record) -> tuple[object, ...]:
            known = order.index(record.notebook) if record.notebook in order else len(order)
            return record.status == "superseded", known, record.file

        return sorted(found, key=place)

    def _read(self, student: str) -> list[Record]:
        with self.results.open("rb") as file:
            records = []
            for start in self._lines.get(student, ()):
                file.seek(start)
                records.append(parse(file.readline().decode("utf-8")))
        return records

    def graded(self, student: str) -> dict[str, Record]:
        """Return the record that counts of each notebook that a student handed in and that could be read."""
        return {record.notebook: record for record in self.of(student) if record.status == "graded"}

    def records(self) -> Iterator[Record]:
        """Yield every record, student by student."""
        for student in self.people:
            yield from self.of(student)


def settled(records: Iterable[Record]) -> list[Record]:
    """Return a student's records with the status that they have beside one another."""
    found = sorted(records, key=lambda record: (record.submitted, record.file))
    latest = {record.notebook: record for record in found if record.notebook}

    def status(record: Record) -> Record:
        counts = latest.get(record.notebook, record)
        if record.status == "unreadable":
            return record
        if counts is record:
            return replace(record, status="graded", reason="")
        return replace(record, status="superseded", reason=f"{counts.file} counts, which is later.")

    return [status(record) for record in found]


def gradebook(results: Path, roster: dict[str, Person] | None = None) -> Gradebook:
    """Return the class in a file `results.jsonl`.

    Parameters
    ----------
    results : Path
        The file.
    roster : dict of str to Person, optional
        Who belongs to the class, by whatever they are called. Who is on it and handed in nothing is in the book too.
        Every record is the student's whose key it has.

    Raises
    ------
    ValueError
        If a line is no record.
    """
    people = {person.student: person for person in (roster or {}).values()}
    lines: dict[str, list[int]] = {}
    start = 0
    with results.open("rb") as file:
        for raw in file:
            lines.setdefault(parse(raw.decode("utf-8")).student, []).append(start)
            start += len(raw)
    people |= {student: Person(student) for student in lines if student not in people}
    ordered = sorted(people.values(), key=lambda person: (person.called.casefold(), person.student))
    return Gradebook(results, {person.student: person for person in ordered}, lines)
