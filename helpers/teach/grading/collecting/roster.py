"""Who belongs to a class, read from a CSV file whatever its columns are called."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from itertools import islice
from pathlib import Path
from typing import Final

from helpers.teach.grading.gradebook import Person
from helpers.teach.grading.sheet import parse_sheet

# Headers without all but their letters, the best first: ours, and those of Canvas, Moodle and Gradescope.
_COLUMNS: Final = {
    "student": ("key", "folder", "login", "sisloginid", "loginid", "username", "student"),
    "name": ("name", "fullname", "studentname", "student"),
    "id": ("id", "sisuserid", "idnumber", "studentid", "sid", "identifier"),
    "email": ("email", "emailaddress"),
    "first": ("firstname",),
    "last": ("lastname", "surname"),
}
# Rows of Canvas: what an assignment is worth, and the account for a teacher's own trials.
_NO_STUDENTS: Final = ("Points Possible", "Student, Test")
_EXPECTED: Final = "a column that says who it is: student (or login), name, id, or email"


def read_roster(path: Path) -> dict[str, Person]:
    """Return who belongs to a class, under everything that a row calls them.

    Parameters
    ----------
    path : Path
        A CSV file in UTF-8, with commas, semicolons or tabs. A Canvas grade book or a Moodle grading worksheet will do.

    Returns
    -------
    dict of str to Person
        Each person by key, id and email. Also by what nobody else is called: the name, the name with the last name
        last, and as Canvas writes it ("lovelaceada"). The key is the login where there is one, else the name if nobody
        else has it, the id or the email.

    Raises
    ------
    ValueError
        If it is not such a file, no column says who somebody is, two people have one login, id or email, or a name is
        all that is known of one of two who share it.
    """
    header, *rows = _rows(path) or [[]]
    if not header:
        raise ValueError(f"{path.name}: got an empty file; expected a CSV file with {_EXPECTED}.")
    columns = _columns(header)
    if not columns:
        raise ValueError(f"{path.name}: got the columns {', '.join(map(repr, header))}; expected {_EXPECTED}.")
    cells = [{what: [row[i].strip() for i in at if i < len(row)] for what, at in columns.items()} for row in rows]
    claims = _claims(path.name, cells)
    people = {name: one for by in claims.values() if len(by) == 1 for one, (_, name) in by.items()}
    others = [(other, person) for person in dict.fromkeys(people.values()) for other in _forms(person.name)]
    times = Counter(fold(other) for other, _ in others)
    return people | {other: one for other, one in others if times[fold(other)] == 1 and fold(other) not in claims}


def shared_names(people: Iterable[Person]) -> set[str]:
    """Return, folded, the names that more than one person on a roster has, in every form that another system writes."""
    forms = [name for one in set(people) for name in {fold(form) for form in (one.name, *_forms(one.name))}]
    return {name for name, count in Counter(forms).items() if name and count > 1}


def fold(called: str) -> str:
    """Return a key without what differs between systems: upper and lower case, the form of accents, outer spaces."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", called).casefold()).strip()


def _rows(path: Path) -> list[list[str]]:
    try:
        text = unicodedata.normalize("NFC", path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ValueError(f"{path.name}: cannot be read ({why}); expected a CSV file in UTF-8.") from None
    try:
        return parse_sheet(text, max(",;\t", key=text.partition("\n")[0].count)).rows
    except ValueError as error:
        raise ValueError(f"{path.name}: {error} Correct it there.") from None


def _columns(header: list[str]) -> dict[str, list[int]]:
    """Return where each kind of column stands, the best first; empty where none says who somebody is."""
    letters = [re.sub(r"[^a-z]", "", name.casefold()) for name in header]
    columns = {what: [letters.index(name) for name in names if name in letters] for what, names in _COLUMNS.items()}
    # "Student" is the name in a grade book of Canvas; where the name has a column of its own, it is the key.
    named = columns["first"] or any(letters[place] != "student" for place in columns["name"])
    unwanted = columns["name" if named else "student"]
    unwanted[:] = [place for place in unwanted if letters[place] != "student"]
    return columns if any(columns.values()) else {}


def _claims(file: str, cells: list[dict[str, list[str]]]) -> dict[str, dict[Person, tuple[int, str]]]:
    """Return who is called what, in which row and how it is written there; several people have a name at most."""
    times = Counter(fold(person.name) for person in set(map(_person, cells)) if person)
    shared = {name for name, count in times.items() if count > 1}
    claims: defaultdict[str, dict[Person, tuple[int, str]]] = defaultdict(dict)
    marks = set[str]()  # what one person alone may be called
    for number, row in enumerate(cells, start=2):
        person = _person(row, shared)
        if person is None:
            continue
        own = [person.student, *row["student"], *row["id"], *row["email"]]
        marks.update(map(fold, own))
        for called in filter(None, [*own, person.name]):
            claims[fold(called)].setdefault(person, (number, called))
    for called, several in claims.items():
        if len(several) > 1 and called in marks:
            (first, _), (other, written) = islice(several.values(), 2)
            raise ValueError(
                f"{file}: got {written!r} in row {first} and in row {other}, for two people; expected one. "
                "Correct one row. Two students of one name need a login, an ID or an address each."
            )
    return claims


def _person(cells: dict[str, list[str]], shared: Collection[str] = ()) -> Person | None:
    """Return who a row is about; None for an empty row, and for those of Canvas that are no student's.

    Their key is the login, else the name if it is not a shared one, the id or the email.
    """
    student, id_, email, first, last = (
        next(filter(None, cells[what]), "") for what in ("student", "id", "email", "first", "last")
    )
    name = next(filter(None, cells["name"]), "") or f"{first} {last}".strip()
    own = "" if fold(name) in shared else name
    key = student or own or id_ or email or name
    if not key or name in _NO_STUDENTS or f"{last}, {first}" in _NO_STUDENTS:
        return None
    return Person(key, name, id_, email)


def _forms(name: str) -> set[str]:
    """Return a name as other systems write it: the last name last, and Canvas' form."""
    last, comma, first = map(str.strip, name.partition(","))
    if not comma:
        *given, last = name.split() or [""]
        first = " ".join(given)
    return {f"{first} {last}".strip(), re.sub(r"\W", "", f"{last}{first}".lower())} - {"", name}
