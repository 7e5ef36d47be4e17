"""Whose a file is: the first name on the way to it that tells one student from another.

That is a folder, a zip, or what an LMS wrote into a name (see `lms_names`). What lies inside it is the student's,
whatever it is called, so that nobody can hand in for somebody else. These are gone through, as they are no student's:

- a folder that lies alone and holds no notebook itself (`submissions/`, `hw1/`);
- folders and zips side by side that an LMS made, one for each notebook;
- those of which most hold one notebook under several students' names (`hw1/ada/`, `hw2/ada/`);
- those that are called as the course's notebooks are (`01_single_head/ada.ipynb`).

Where a student's file lies beside them, one student may have made them up. Then the roster must know a name in them;
without it they are a problem that is said. Whoever the roster knows is never gone through.
"""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Final

from helpers.course import course
from helpers.teach.grading.collecting import archive, gradescope_export
from helpers.teach.grading.collecting.gradescope_export import submitters
from helpers.teach.grading.collecting.lms_names import Named, named
from helpers.teach.grading.collecting.roster import fold, shared_names
from helpers.teach.grading.collecting.walk import Found
from helpers.teach.grading.gradebook import Person

_SUFFIX: Final = re.compile(r"(\.(ipynb|zip|json|txt))+(?=\W*(?:\d{1,3}\W*)?$)", re.IGNORECASE)
_COPY: Final = re.compile(r"\W*(?:\d{1,2}\W*)?")  # what a browser adds to a name: "(1)", "-1"
_TEXT_BYTES: Final = 20_000_000  # of Gradescope's file, for a large class
_NBGRADER: Final = "timestamp.txt"  # its file in STUDENT/ASSIGNMENT/
_NBGRADER_DATE: Final = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(\.\d+)? UTC\s*")


@dataclass(frozen=True)
class File:
    """Something found, and whose it is.

    Attributes
    ----------
    found : Found
        What was found, with nbgrader's date where there is one.
    said : Named
        The student, as far as the name says.
    download : tuple of str
        The parts of its path in front of that name.
    """

    found: Found
    said: Named
    download: tuple[str, ...]


def by_student(found: list[Found], roster: Mapping[str, Person], root: str) -> dict[str, list[File]]:
    """Return what was found, by student. What is nobody's is left out: a list of grades beside the students' folders.

    Parameters
    ----------
    found : list of Found
        From `walk`.
    roster : mapping of str to Person
        From `read_roster`; it may be empty.
    root : str
        The name of what was walked: the student's, where nothing but different notebooks of the course lie there.
    """
    known = {fold(called): person for called, person in roster.items()}
    if _is_one_students(found):
        files = [File(one, Named(key(root)), ()) for one in found]
    else:
        files = _with_gradescope(_below(found, 0, frozenset(known)), found)
    shared = _shared(files) | shared_names(known.values())
    students: dict[str, tuple[str, list[File]]] = {}
    for file in sorted(files, key=lambda file: file.found.parts):
        student = _student(file.said, known, shared=fold(file.said.student) in shared)
        students.setdefault(fold(student), (student, []))[1].append(file)
    return dict(students.values())


def _is_one_students(found: list[Found]) -> bool:
    """Whether several notebooks lie side by side, each under another name of the course's own."""
    notebooks = [_course_name(one.parts[0]) for one in found if len(one.parts) == 1 and _is_the_courses(one.parts[0])]
    return len(found) == len(notebooks) == len(set(notebooks)) > 1


def _with_gradescope(files: list[File], found: list[Found]) -> list[File]:
    """Return files with the names that Gradescope wrote beside their folders, and not a student inside of one."""
    downloads = {file.download for file in files}
    written = {
        one.parts[:-1]: submitters(_text(one))
        for one in found
        if one.parts[-1] == gradescope_export.FILE and one.parts[:-1] in downloads
    }
    return [replace(file, said=written.get(file.download, {}).get(file.said.student, file.said)) for file in files]


def _text(found: Found) -> str:
    try:
        return archive.read_through(found.place, found.members, _TEXT_BYTES).decode("utf-8", errors="replace")
    except (OSError, ValueError):
        return ""  # then it says nothing


def _shared(files: list[File]) -> set[str]:
    """Return the names that more than one student has: two numbers stand beside them."""
    numbers: dict[tuple[str, tuple[str, ...]], set[str]] = defaultdict(set)
    for file in files:
        if file.said.id:
            numbers[fold(file.said.student), () if file.said.lasting else file.download].add(file.said.id)
    return {name for (name, _), ids in numbers.items() if len(ids) > 1}


def _student(said: Named, known: Mapping[str, Person], *, shared: bool) -> str:
    """Return a student's key: the roster's, or what the name says."""
    name = unicodedata.normalize("NFC", said.student)
    unique = f"{name}_{said.id}" if said.id else name
    names = [unique, *said.also] if shared else [name, *said.also]
    people = {known[fold(one)] for one in names if fold(one) in known}
    if len(people) == 1:
        return people.pop().student
    return unique if shared or people else name  # where name and number are two people's, it is nobody's


def _below(found: list[Found], depth: int, known: frozenset[str]) -> list[File]:
    """Return the files whose students are told apart by the names at a depth, or deeper."""
    layer = _layer(found, depth)
    folders = {name: below for name, below in layer.items() if _is_folder(below, depth) and named(name) is None}
    owners = {name: below for name, below in layer.items() if name not in folders and _is_somebodys(name, below)}
    files = [file for name, below in owners.items() for file in _students(name, below, depth)]
    through = _through(folders, depth + 1, known, alone=not owners)
    # Names that stand in several of them are students': in hw3/ the first to hand in hands in for nobody else.
    inner = known.union(*(_names(folders[name], depth + 1) for name in through if len(through) > 1))
    inside = {name: _below(folders[name], depth + 1, inner) for name in through}
    said = [file.said for theirs in inside.values() for file in theirs]
    # Beside a student's file only the roster can say that they are not another student's.
    sure = not owners or any(fold(called) in known for one in said for called in (one.student, *one.also))
    several = len({one.student for one in said})
    for name, below in folders.items():
        if name in inside:
            files += inside[name] if sure else _students(name, below, depth, several)
        else:
            files += _students(name, below, depth)
    return files


def _through(folders: Mapping[str, list[Found]], depth: int, known: frozenset[str], *, alone: bool) -> Collection[str]:
    """Return which of the folders side by side seem to be no students, but to hold them at a depth.

    `alone` says that no file of a student lies beside them.
    """
    if any(fold(key(name)) in known for name in folders):
        return ()
    if all(_is_download(below, depth) for below in folders.values()):
        return folders.keys()
    if len(folders) == 1:
        (below,) = folders.values()
        return folders.keys() if (_holds_students if alone else _holds_a_class)(below, depth) else ()
    return folders.keys() if all(map(_is_the_courses, folders)) else _classes(folders, depth, known)


def _classes(folders: Mapping[str, list[Found]], depth: int, known: frozenset[str]) -> Collection[str]:
    """Return which folders hold a class each, one for each notebook, whose names stand at a depth.

    Names in them are known, or names that come again in other folders share a notebook. Most folders must be
    like that: one student's folder does not turn the names in it into students.
    """
    inside = {name: _names(below, depth) for name, below in folders.items()}
    times = Counter(one for names in inside.values() for one in names)
    classes = [
        name
        for name, names in inside.items()
        if names & known or (sum(times[one] > 1 for one in names) > 1 and _share_a_notebook(folders[name], depth))
    ]
    if len(classes) < 2 or len(classes) <= len(folders) / 2:
        return ()
    students = set().union(*(inside[name] for name in classes))
    return [name for name, names in inside.items() if names and names <= students]


def _holds_a_class(found: list[Found], depth: int) -> bool:
    """Whether a folder seems to hold several students: an LMS named them, or names share a notebook, at any depth."""
    layer = _layer(found, depth)
    if len({one.student for one in map(named, layer) if one}) > 1 or _share_a_notebook(found, depth):
        return True
    folders = [below for below in layer.values() if _is_folder(below, depth)]
    return bool(folders) and all(_holds_a_class(below, depth + 1) for below in folders)


def _share_a_notebook(found: list[Found], depth: int) -> bool:
    """Whether two names at a depth hold the same notebook of the course, and none is the course's own name."""
    holders: dict[str, set[str]] = defaultdict(set)
    for name, below in _layer(found, depth).items():
        for notebook in (_course_name(one.parts[-1]) for one in below if one.kind == "notebook"):
            if notebook and _is_the_courses(name):
                return False
            if notebook:
                holders[notebook].add(fold(key(name)))
    return any(len(several) > 1 for several in holders.values())


def _names(found: list[Found], depth: int) -> set[str]:
    """Return the names at a depth below which something was handed in."""
    return {
        fold(key(name)) for name, below in _layer(found, depth).items() if any(one.kind != "other" for one in below)
    }


def _layer(found: Iterable[Found], depth: int) -> dict[str, list[Found]]:
    """Return what lies below each name at a depth."""
    layer: dict[str, list[Found]] = defaultdict(list)
    for one in found:
        if len(one.parts) > depth:
            layer[one.parts[depth]].append(one)
    return dict(layer)


def _is_folder(below: list[Found], depth: int) -> bool:
    return any(len(one.parts) > depth + 1 for one in below)


def _is_somebodys(name: str, below: list[Found]) -> bool:
    """Whether a name stands for a student: an LMS wrote it, or it is a notebook, a zip or an empty folder."""
    return named(name) is not None or any(one.kind != "other" for one in below)


def _is_download(found: list[Found], depth: int) -> bool:
    """Whether an LMS named what lies in a folder, and no other notebook lies beside it."""
    layer = _layer(found, depth)
    return any(map(named, layer)) and not _holds_notebooks(layer, depth)


def _holds_students(found: list[Found], depth: int) -> bool:
    """Whether a folder that lies alone holds the students, rather than being one."""
    return not any(_is_nbgraders(one, depth - 1) for one in found) and not _holds_notebooks(_layer(found, depth), depth)


def _holds_notebooks(layer: dict[str, list[Found]], depth: int) -> bool:
    """Whether notebooks lie in a folder itself, beside those that an LMS named. A broken zip says nothing of that."""
    files = {name: below[0] for name, below in layer.items() if not _is_folder(below, depth) and named(name) is None}
    return any(one.kind == "notebook" and (not one.problem or ".ipynb" in name) for name, one in files.items())


def _students(name: str, below: list[Found], depth: int, holds: int = 1) -> list[File]:
    """Return what lies below a student's name as theirs; where it seems to hold more students, as nobody's.

    The notebooks of a class must not pass for one student's attempts, nor one student's files for a class.
    """
    said = named(name) or Named(key(name))
    dates = _nbgrader_dates(below, depth)
    files = [File(replace(one, date=dates.get(one.parts[:-1], one.date)), said, one.parts[:depth]) for one in below]
    others = {other.student for inner in _layer(below, depth + 1) if (other := named(inner)) is not None}
    several = 0 if named(name) else max(holds, len(others))
    if several < 2:
        return files
    problem = (
        f"got files of {several} students in {name!r}, beside files of one student each; expected either. "
        "Give --roster, which says who is a student, or collect the two by themselves."
    )
    return [replace(file, found=replace(file.found, problem=file.found.problem or problem)) for file in files]


def key(name: str) -> str:
    """Return a student's key from the name of a folder or file: without suffix and without the course's own names.

    "ada_01_single_head.ipynb" gives "ada"; "01_single_head (1).ipynb" says nothing of a student and stays as it is.
    """
    stem, rest = _parted(name)
    return stem if rest is None or _COPY.fullmatch(rest) else rest.strip(" -_.")


def _is_the_courses(name: str) -> bool:
    """Whether a name is the course's own, or that of a copy: it says nothing of a student."""
    _, rest = _parted(name)
    return rest is not None and _COPY.fullmatch(rest) is not None


def _course_name(name: str) -> str:
    """Return which of the course's names stands in a name, however it is written; empty where none does."""
    found = _course_names().search(name)
    return re.sub(r"[-_ ]", "", found[0]).lower() if found else ""


def _parted(name: str) -> tuple[str, str | None]:
    """Return a name without suffix, and what is left of it beside a name of the course's; None where it has none."""
    stem = _SUFFIX.sub("", name)
    rest, times = _course_names().subn("", stem, count=1)
    return stem, rest if times else None


@cache
def _course_names() -> re.Pattern[str]:
    names = [f"{one.number:02d}_{one.name}" for one in course().notebooks.values()]
    any_of = "|".join(re.escape(name).replace("_", "[-_ ]") for name in names)
    return re.compile(rf"(?<![^\W_])({any_of})(?![^\W_])", re.IGNORECASE)


def _nbgrader_dates(below: list[Found], depth: int) -> dict[tuple[str, ...], float]:
    """Return when a student handed in each assignment, by its folder. In a zip the file may be the student's own."""
    dates = {}
    for one in below:
        if _is_nbgraders(one, depth) and not one.members and (written := _NBGRADER_DATE.fullmatch(_text(one))):
            with contextlib.suppress(ValueError):  # no day of any month
                dates[one.parts[:-1]] = datetime.fromisoformat(f"{written[1]}+00:00").timestamp()
    return dates


def _is_nbgraders(one: Found, depth: int) -> bool:
    """Whether this is nbgrader's file below a student's name at a depth."""
    return len(one.parts) == depth + 3 and one.parts[-1] == _NBGRADER
