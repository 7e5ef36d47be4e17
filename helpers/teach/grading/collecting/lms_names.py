"""Who handed in a file and when, read from the name that a learning management system gave it.

How sure we are of each scheme:

- Canvas, ``lovelaceada_LATE_12345_67890_nb.ipynb``: read in its source (`lib/content_zipper.rb`). The sortable name in
  lower case without punctuation, the user's id, the file's id, the file's name; ``anon_x7Fq2`` in place of the first
  two where the assignment is anonymous; ``_text.html`` or ``_link.html`` in place of the last two where no file was
  uploaded. A second upload of a file is called ``nb-1.ipynb``; file ids grow with time.
- Moodle, ``Ada Lovelace_1234567_assignsubmission_file_/nb.ipynb``, or in one name: read in copies of its source
  (`mod/assign/locallib.php`). A group's name and a hyphen may stand in front. The number belongs to one assignment.
  Where the names are hidden, the student is "Participant", so we add the number.
- Blackboard, ``Assignment_username_attempt_2026-01-31-10-11-12_nb.ipynb``: seen in nbgrader's documentation and in
  public tools; the source is not public. A user name with an underscore is cut off.
- Gradescope, folders ``submission_123456`` beside `submission_metadata.yml`: seen in public tools. See
  `gradescope_export` for what that file says.

nbgrader's and GitHub Classroom's folders are plain folders and need no reading here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

_CANVAS: Final = re.compile(
    r"(?P<student>\w+?)(_LATE)?_(?P<id>[1-9]\d*)_((?P<order>[1-9]\d{2,17})_.+|text\.html|link\.html)", re.DOTALL
)
_CANVAS_HIDDEN: Final = re.compile(
    r"(LATE_)?(?P<student>anon_[A-Za-z0-9]+)_((?P<order>[1-9]\d{2,17})_.+|text\.html|link\.html)", re.DOTALL
)
_MOODLE: Final = re.compile(r"(?P<student>.+?)(_(?P<id>\d+))?_assignsubmission_(file|onlinetext)(_.*)?", re.DOTALL)
_BLACKBOARD: Final = re.compile(
    r"(.+?_)??(?P<student>[^_]+)_attempt_(?P<date>\d{4}(-\d\d){5})(_.+|\.txt)?", re.DOTALL
)  # the first such date in a name: what comes after it is the student's own
_GRADESCOPE: Final = re.compile(r"(?P<student>submission_\d{5,})")


@dataclass(frozen=True)
class Named:
    """What a name says.

    Attributes
    ----------
    student : str
        The key: a name in Canvas' form, a full name, a user name.
    id : str
        The number beside it: it tells two students of one name apart. Empty where there is none.
    also : tuple of str
        Under what else a roster may know the student.
    lasting : bool
        Whether the number is the student's in every download, not in one only.
    submitted : float or None
        When, in seconds since 1970.
    order : int
        Grows with time, where no date does; 0 where the name has nothing of the kind.
    """

    student: str
    id: str = ""
    also: tuple[str, ...] = ()
    lasting: bool = False
    submitted: float | None = None
    order: int = 0


def named(name: str) -> Named | None:
    """Return what a file's or a folder's name says; None where no LMS wrote it."""
    for read in (_canvas, _moodle, _blackboard, _gradescope):
        if (said := read(name)) is not None:
            return said
    return None


def moodle_front(name: str) -> str:
    """Return what Moodle looks for in a file's name to know whose feedback it is; empty where there is no number.

    It is the name of the submission's folder, up to ``_assignsubmission_file_``; see `moodle_zip`. Moodle itself puts
    no underscore into a student's name, and takes what stands between the first two for the number.
    """
    found = _MOODLE.fullmatch(name)
    if found is None or not found["id"] or "_" in found["student"]:
        return ""
    return f"{found['student']}_{found['id']}_assignsubmission_file_"


def _canvas(name: str) -> Named | None:
    if found := _CANVAS_HIDDEN.fullmatch(name):
        return Named(found["student"], order=int(found["order"] or 0))
    found = _CANVAS.fullmatch(name)
    if found is None or found["student"] != found["student"].lower():
        return None
    return Named(found["student"], found["id"], (found["id"],), lasting=True, order=int(found["order"] or 0))


def _moodle(name: str) -> Named | None:
    if (found := _MOODLE.fullmatch(name)) is None:
        return None
    student, number = found["student"], found["id"] or ""
    participant = f"Participant {number}"  # as in the column Identifier of its grading worksheet
    if student == "Participant" and number:
        return Named(participant)
    return Named(student, number, (participant,))


def _blackboard(name: str) -> Named | None:
    if (found := _BLACKBOARD.fullmatch(name)) is None:
        return None
    try:
        date = datetime.strptime(found["date"], "%Y-%m-%d-%H-%M-%S").timestamp()
    except (ValueError, OverflowError):
        return None
    return Named(found["student"], submitted=date)


def _gradescope(name: str) -> Named | None:
    return Named(name) if _GRADESCOPE.fullmatch(name) else None
