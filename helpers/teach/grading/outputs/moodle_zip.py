"""`feedback-moodle.zip`: the pages under the names by which Moodle gives each to its student, all in one upload.

What Moodle takes for a student's file was read in its source (`mod/assign/feedback/file/importziplib.php`): the number
behind the name is the student's in one assignment, and no other assignment has it. So one zip does for several, and
each takes its own. Canvas has such an upload, too. It shows a page under the name of the notebook that was handed in,
`.ipynb`, where no student expects a page; so there is none for it.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from helpers.teach.grading.collecting.lms_names import moodle_front
from helpers.teach.grading.gradebook import Gradebook
from helpers.teach.grading.outputs.page import some
from helpers.teach.zipped import write_zip

NAME: Final = "feedback-moodle.zip"
PAGE: Final = "feedback.html"  # the name that a student sees
_NAMED: Final = 5  # students in a sentence


def write(book: Gradebook, pages: Mapping[str, Path], results: Path) -> list[str]:
    """Write the zip, if anything came from Moodle, and return what the instructor should hear of it.

    A number under which two students' files came is nobody's: no page goes to it.

    Parameters
    ----------
    book : Gradebook
        The class.
    pages : mapping of str to Path
        Each student's page, as `write_feedback` returns them.
    results : Path
        The folder of the results.
    """
    claimed: dict[str, dict[str, str]] = defaultdict(dict)  # for each number, by student, the front of the page's name
    for student in book.people:
        for front in filter(None, (moodle_front(record.owner) for record in book.of(student))):
            claimed[_number(front)].setdefault(student, front)
    if not claimed:
        (results / NAME).unlink(missing_ok=True)  # of an earlier run
        return []
    files = {front: student for by in claimed.values() if len(by) == 1 for student, front in by.items()}
    with tempfile.TemporaryDirectory(dir=results, prefix=".writing.") as folder:
        whole = Path(folder) / NAME
        write_zip(whole, ((f"{front}{PAGE}", pages[student].read_bytes()) for front, student in files.items()))
        whole.replace(results / NAME)
    return [*_left_out(book, claimed), *_contested(book, claimed)]


def _number(front: str) -> str:
    return front.split("_")[1].lstrip("0")  # Moodle reads it as a number


def _left_out(book: Gradebook, claimed: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield a sentence about those to whom no number leads."""
    known = set().union(*claimed.values())
    if absent := [student for student in book.people if student not in known]:
        yield f"Not in {NAME}, since nothing of theirs came from Moodle: {_called(book, absent)}."


def _contested(book: Gradebook, claimed: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield a sentence about each number under which more than one student's files came."""
    for number, by in claimed.items():
        if len(by) > 1:
            yield f"Moodle's number {number} stands before files of {_called(book, [*by])}: {NAME} has no page for it."


def _called(book: Gradebook, students: Sequence[str]) -> str:
    return some([book.people[student].called for student in students], _NAMED)
