"""`results.jsonl`: appended to record by record, and picked up again after whatever ended the run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from helpers.learn.home import write_whole
from helpers.teach.grading.gradebook import gradebook
from helpers.teach.grading.record import Record, parse
from helpers.teach.grading.submission import Submission

Key = tuple[str, float]  # which file, as it was handed in when


class Ledger:
    """The records of a run, on disk.

    Parameters
    ----------
    path : Path
        The file `results.jsonl`; made if it is not there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def whose(self) -> dict[str, str]:
        """Return the student of every file that is marked. What could not be read has no marks to lose."""
        return {record.file: record.student for record in _intact(self.path) if record.status != "unreadable"}

    def resume(self, found: Iterable[Submission]) -> set[Key]:
        """Return which of the submissions are recorded, and forget all other lines.

        A line that was cut off is no record. A record of a file that has changed since, or is gone, is none either.
        What is kept is whoever's it is now: a roster that was not there before may call a student something else.
        """
        wanted = {(one.file, one.submitted): one for one in found}
        known: set[Key] = set()

        def kept() -> Iterator[str]:
            for record in _intact(self.path):
                key = record.file, record.submitted
                if key in wanted and key not in known:
                    known.add(key)
                    yield replace(record, student=wanted[key].student, owner=wanted[key].owner).line()

        write_whole(self.path, kept())
        return known

    def write(self, records: Iterable[Record]) -> None:
        """Append records, so that they are in the file when this returns."""
        with self.path.open("a", encoding="utf-8", newline="") as file:
            file.write("".join(record.line() for record in records))

    def settle(self) -> None:
        """Sort the file by student, and say in it which attempts are superseded."""
        write_whole(self.path, (record.line() for record in gradebook(self.path).records()))


def _intact(path: Path) -> Iterator[Record]:
    """Yield the records in a file, which may be missing, and of which lines may be damaged."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        for line in file:
            try:
                record = parse(line.decode("utf-8"))
            except ValueError:
                continue
            yield record
