"""`gradescope/STUDENT.json`: the records of a student in the shape that Gradescope reads as `results.json`.

The fields are those of https://gradescope-autograders.readthedocs.io/en/latest/specs/.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from helpers.course import course
from helpers.draw.text import clean
from helpers.learn.home import write_whole
from helpers.teach.grading.gradebook import Gradebook
from helpers.teach.grading.outputs.file_names import file_names, remove_others
from helpers.teach.grading.record import Marked, Record


def results(records: Sequence[Record]) -> dict[str, Any]:
    """Return the `results.json` of some records of a student: of one, where Gradescope grades one notebook at a time.

    Each exercise is a test with its own score. There is no score for the whole, which would override theirs.

    Raises
    ------
    ValueError
        If none of them is graded. Gradescope adds up the tests: a file without any would be a 0.
    """
    graded = [record for record in records if record.status == "graded"]
    unreadable = [record for record in records if record.status == "unreadable"]
    said = [f"{record.file} could not be read, and is not part of the score: {record.reason}" for record in unreadable]
    if not graded:
        raise ValueError(
            f"got no graded notebook, expected one or more. Gradescope would show a 0. {' '.join(said)}".rstrip()
        )
    return {
        "output": "\n".join([*said, *(f"{record.file}: {record.points} of {record.possible}" for record in graded)]),
        "output_format": "text",
        "execution_time": round(sum(record.seconds for record in records), 3),
        "tests": [_test(marked) for record in graded for marked in record.exercises],
    }


def write(book: Gradebook, folder: Path) -> list[str]:
    """Write a file for each student with a graded notebook into `folder`; return a sentence for each of the others.

    Files that an earlier run left there for anybody else are removed.
    """
    without = []
    names = file_names(book.people)
    remove_others(folder, names.values(), ".json")
    for student, person in book.people.items():
        records, place = book.of(student), folder / f"{names[student]}.json"
        if any(record.status == "graded" for record in records):
            write_whole(place, json.dumps(results(records), indent=1) + "\n")
        else:
            place.unlink(missing_ok=True)
            reason = "what was handed in could not be read" if records else "nothing was handed in"
            without.append(f"{clean(person.called)}: no file for Gradescope, {reason}.")
    return without


def _test(marked: Marked) -> dict[str, Any]:
    # The lines hold a student's own words: as "text" they are shown as they are, and never run as HTML.
    return {
        "name": marked.function,
        "number": course().exercises[marked.function].number,
        "score": marked.points,
        "max_score": marked.possible,
        "status": "passed" if marked.verdict == "right" else "failed",
        "output": "\n".join(marked.lines or (marked.verdict,)),
        "output_format": "text",
        "visibility": "visible",
    }
