"""From whatever lies in a folder to a list of submissions: who handed in what, and when."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Final

from helpers.teach.grading.collecting.owners import File, by_student
from helpers.teach.grading.collecting.walk import Found, Limits, walk
from helpers.teach.grading.gradebook import Person
from helpers.teach.grading.submission import Submission

_DEFAULT: Final = Limits()
_MOST: Final = 60  # notebooks of one student, ten attempts at each of six: each is run, and may use all of its time
_EXPECTED: Final = (
    "Expected notebooks (.ipynb) or zips of them: one folder a student, or a download as the LMS made it."
)


def collect(folder: Path, limits: Limits = _DEFAULT, roster: Mapping[str, Person] | None = None) -> list[Submission]:
    """Return what was handed in, by student, the latest first. Nothing is unpacked, and no content is kept.

    Who handed in nothing that could be a notebook is there once, with a `problem`.

    Parameters
    ----------
    folder : Path
        A folder, a zip or a notebook. See `owners` for whose a file is, `lms_names` for the names that are known.
    limits : Limits
        How large a submission may be.
    roster : mapping of str to Person, optional
        As from `read_roster`: who is called what. A student's key is then the roster's.

    Returns
    -------
    list of Submission
        Two of one student differ in `submitted`: what has the same date is moved on by a millisecond, in the order of
        the names.

    Raises
    ------
    ValueError
        If nothing was handed in. The message says what was searched and seen.
    """
    if not (folder.is_dir() or folder.is_file()):
        raise ValueError(f"got {folder}, which is no folder and no file. {_EXPECTED}")
    found = list(walk(folder, limits))
    files = by_student(found, roster or {}, folder.resolve().name)
    submissions = [one for student, theirs in files.items() for one in _of(student, theirs, limits)]
    if not submissions:
        raise ValueError(f"searched {folder} and found {_seen(found)}. {_EXPECTED}")
    return _unique(sorted(submissions, key=lambda one: (one.student, -one.submitted)))


def _of(student: str, files: list[File], limits: Limits) -> list[Submission]:
    """Return a student's submissions, or one that says that there is none."""
    notebooks = [file for file in files if file.found.kind == "notebook"]
    if not notebooks:
        first = min(files, key=lambda file: file.found.parts)
        nothing = f"got {_named(files)}; expected a notebook (.ipynb), or a zip of notebooks."
        problem = next((file.found.problem for file in files if file.found.problem), nothing)
        return [replace(_submission(student, first, first.found.date, limits), problem=problem)]
    submissions = []
    latest = 0.0
    for file, date in sorted(_dated(notebooks), key=lambda dated: (dated[1], dated[0].said.order, _natural(dated[0]))):
        latest = max(date, latest + 0.001)
        submissions.append(_submission(student, file, latest, limits))
    problem = (
        f"got {len(submissions):,} notebooks under {student!r}; of one student the latest {_MOST} are graded. "
        "Are they several students'?"
    )
    too_many = [replace(one, problem=one.problem or problem) for one in submissions[:-_MOST]]
    return too_many + submissions[-_MOST:]


def _dated(files: list[File]) -> list[tuple[File, float]]:
    """Return files with the dates that count: what an LMS wrote, else what the zip or the disk says.

    The dates in a download of Canvas are of the minute when it was made, in any order; the numbers in its names grow.
    """
    numbered = sorted((file for file in files if file.said.order), key=lambda file: file.said.order)
    dates = sorted(file.found.date for file in numbered)
    others = [file for file in files if not file.said.order]
    return [
        *zip(numbered, dates, strict=True),
        *((file, file.found.date if file.said.submitted is None else file.said.submitted) for file in others),
    ]


def _natural(file: File) -> str:
    """Return a path for sorting: "nb", "nb (2)", "nb (10)"."""
    stem = re.sub(r"\.ipynb", "", "/".join(file.found.parts), flags=re.IGNORECASE)
    return re.sub(r"\d+", lambda digits: digits[0].zfill(20), stem)


def _submission(student: str, file: File, submitted: float, limits: Limits) -> Submission:
    found, owner = file.found, file.found.parts[len(file.download)]
    return Submission(
        "/".join(found.parts),
        student,
        submitted,
        found.place,
        found.members,
        found.problem,
        limits.notebook_bytes,
        owner,
    )


def _unique(submissions: list[Submission]) -> list[Submission]:
    """Return submissions whose files are told apart: the members `a//nb` and `a/nb` of one zip, say."""
    times: Counter[str] = Counter()
    result = []
    for one in submissions:
        times[one.file] += 1
        result.append(one if times[one.file] == 1 else replace(one, file=f"{one.file} [{times[one.file]}]"))
    return result


def _named(files: list[File]) -> str:
    """Return what a student handed in, in words."""
    names = sorted({file.found.parts[-1] for file in files if file.found.kind == "other"})
    if not names:
        return "nothing"
    return "only " + ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _seen(found: list[Found]) -> str:
    """Return how many files of which kinds were seen, in words."""
    kinds = Counter(
        PurePath(one.parts[-1]).suffix.lower() or "without a suffix" for one in found if one.kind == "other"
    )
    if not kinds:
        return "no files"
    return f"{kinds.total():,} files (" + ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common(5)) + ")"
