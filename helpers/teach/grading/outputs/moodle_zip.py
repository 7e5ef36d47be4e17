"""`feedback-moodle.zip`: the pages under the names by which Moodle gives each to its student, all in one upload.

What Moodle takes for a student's file was read in its source (`mod/assign/feedback/file/importziplib.php`): the number
behind the name is the student's in one assignment, and no other assignment has it. So one zip does for several, and
each takes its own. Canvas has such an upload, too. It shows a page under the name of the notebook that was handed in,
`.ipynb`, which no student could open; so there is none for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from helpers.teach.grading.collecting.lms_names import moodle_front
from helpers.teach.grading.gradebook import Gradebook
from helpers.teach.zipped import write_zip

NAME: Final = "feedback-moodle.zip"
PAGE: Final = "feedback.html"  # what Moodle calls it then


def write(book: Gradebook, pages: Mapping[str, Path], results: Path) -> None:
    """Write the zip, if anything came from Moodle.

    Parameters
    ----------
    book : Gradebook
        The class.
    pages : mapping of str to Path
        Each student's page, as `write_feedback` returns them.
    results : Path
        The folder of the results.
    """
    named = [(name, pages[student]) for student in book.people for name in _names(book, student)]
    if named:
        unfinished = results / f".writing.{NAME}"
        write_zip(unfinished, ((name, page.read_bytes()) for name, page in named))
        unfinished.replace(results / NAME)


def _names(book: Gradebook, student: str) -> Iterator[str]:
    """Yield the names of a student's page, one for each assignment from which a file of theirs came."""
    fronts = {moodle_front(record.owner): None for record in book.of(student)}
    return (f"{front}{PAGE}" for front in fronts if front)
