"""Who belongs to a class, read from a CSV file whatever its columns are called."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
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
        Each person by key, name, id and email. Also by what nobody else is called: the name with the last name last,
        and as Canvas writes it ("lovelaceada"). The key is the login where there is one, else the name, id or email.

    Raises
    ------
    ValueError
        If it is not such a file, no column says who somebody is, or two rows call different people the same.
    """
    rows = _rows(path)
    if not rows:
        raise ValueError(f"{path.name}: got an empty file; expected a CSV file with {_EXPECTED}.")
    columns = _columns(rows[0])
    if not columns:
        raise ValueError(f"{path.name}: got the columns {', '.join(map(repr, rows[0]))}; expected {_EXPECTED}.")
    claimed: dict[str, tuple[int, str, Person]] = {}  # by folded key: the row, what it says, and who that is
    for number, row in enumerate(rows[1:], start=2):
        cells = {what: [row[i].strip() for i in places if i < len(row)] for what, places in columns.items()}
        person = _person(cells)
        if person is None:
            continue
        for called in [person.student, person.name, *cells["student"], *cells["id"], *cells["email"]]:
            first, _, other = claimed.setdefault(fold(called), (number, called, person))
            if called and other != person:
                raise ValueError(
                    f"{path.name}: got {called!r} in row {first} and in row {number}, for two people; expected one. "
                    "Correct one row, or tell two students of one name apart, as in 'Ada Lovelace 2'."
                )
    claimed.pop("", None)
    people = {called: person for _, called, person in claimed.values()}
    others = [(other, person) for person in dict.fromkeys(people.values()) for other in _forms(person.name)]
    times = Counter(fold(other) for other, _ in others)
    return people | {other: one for other, one in others if times[fold(other)] == 1 and fold(other) not in claimed}


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


def _person(cells: dict[str, list[str]]) -> Person | None:
    """Return who a row is about; None for an empty row, and for the row of Canvas with the points."""
    student, id_, email, first, last = (
        next(filter(None, cells[what]), "") for what in ("student", "id", "email", "first", "last")
    )
    name = next(filter(None, cells["name"]), "") or f"{first} {last}".strip()
    key = student or name or id_ or email
    return Person(key, name, id_, email) if key and key != "Points Possible" else None


def _forms(name: str) -> set[str]:
    """Return a name as other systems write it: the last name last, and Canvas' form."""
    last, comma, first = map(str.strip, name.partition(","))
    if not comma:
        *given, last = name.split() or [""]
        first = " ".join(given)
    return {f"{first} {last}".strip(), re.sub(r"\W", "", f"{last}{first}".lower())} - {"", name}
