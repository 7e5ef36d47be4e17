"""What students hand in, file by file, each with the record that it must get: honest, broken and hostile.

A submission is a function that returns its content; above it stands what must come of it. `python -m tests.submissions
FOLDER` writes all of them as files.
"""

import importlib
import io
import warnings
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from helpers.teach.grading.record import Record

from .notebook import Notebook

__all__ = ["Case", "Notebook", "cases", "graded", "unreadable", "write", "zipped"]

GROUPS = ("honest", "broken", "hostile")
Content = Notebook | str | bytes


@dataclass(frozen=True)
class Expected:
    """What must come of a submission.

    Attributes
    ----------
    status : {"graded", "unreadable"}
        Of the file.
    points : int
        What it earns.
    verdicts : mapping of str to (str or tuple of str)
        The exercises that are not right, each with its verdict, or with those that it may have.
    says : str
        What must stand in the reason, or in the lines of one of the exercises.
    note : str
        What must stand in a note to the instructor. Empty: there is no note.
    """

    status: str
    points: int = 0
    verdicts: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    says: str = ""
    note: str = ""

    def differences(self, record: Record) -> list[str]:
        """Return what of a record is not as expected."""
        found = []
        if (record.status, record.points) != (self.status, self.points):
            found.append(f"{record.status} with {record.points} points ({record.reason})")
        for one in record.exercises:
            wanted = self.verdicts.get(one.function, "right")
            if one.verdict not in ((wanted,) if isinstance(wanted, str) else wanted):
                found.append(f"{one.function} is {one.verdict}: {one.lines} {one.notes}")
        said = "\n".join([record.reason, *(line for one in record.exercises for line in one.lines)])
        if self.says not in said:
            found.append(f"says {said}")
        notes = "\n".join(note for one in record.exercises for note in one.notes)
        if self.note not in notes or (notes and not self.note):
            found.append(f"notes {notes}")
        return found


@dataclass(frozen=True)
class Case:
    """One submission.

    Attributes
    ----------
    group, name, about : str
        Where it belongs, what it is called, and what it is.
    file : str
        The name of its file.
    make : callable
        What returns its content.
    expected : Expected
        What must come of it; of a zip, of what it holds under its own name.
    """

    group: str
    name: str
    about: str
    file: str
    make: Callable[[], Content]
    expected: Expected

    def __str__(self) -> str:
        return f"{self.group}-{self.name}"

    def content(self) -> bytes:
        """Return the bytes of its file."""
        made = self.make()
        made = made.text() if isinstance(made, Notebook) else made
        return made.encode("utf-8", "surrogatepass") if isinstance(made, str) else made


_recorded: list[Case] = []


def graded(points, /, *, file="{}.ipynb", says="", note="", **verdicts):
    """Record a submission that is graded; all exercises are right but those that are named with a verdict."""
    return _recorder(file, Expected("graded", points, verdicts, says, note))


def unreadable(reason, /, *, file="{}.ipynb"):
    """Record a submission that cannot be read, and what its reason must contain."""
    return _recorder(file, Expected("unreadable", says=reason))


def _recorder(file, expected):
    def record(make):
        group = make.__module__.rpartition(".")[2]
        about = (make.__doc__ or "").strip()
        _recorded.append(Case(group, make.__name__, about, file.format(make.__name__), make, expected))
        return make

    return record


@cache
def cases(*groups: str) -> tuple[Case, ...]:
    """Return the recorded submissions of these groups, or all."""
    for group in GROUPS:
        importlib.import_module(f".{group}", __package__)
    return tuple(case for case in _recorded if not groups or case.group in groups)


def zipped(members: Mapping[str | zipfile.ZipInfo, Content]) -> bytes:
    """Return a zip of these members, compressed; of two with one name, say."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a name that is there already
        for member, content in members.items():
            archive.writestr(member, content.text() if isinstance(content, Notebook) else content)
    return raw.getvalue()


def write(folder: Path) -> None:
    """Write every submission as a student's, whose name is the submission's: FOLDER/GROUP-NAME/FILE."""
    for case in cases():
        place = folder / str(case) / case.file
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(case.content())
