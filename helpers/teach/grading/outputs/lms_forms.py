"""What an instructor's export from Canvas or Moodle holds: the column to fill in, and the rows of students.

What the two write and accept is read off their source: Canvas's `lib/gradebook_exporter.rb` and
`gradebook_importer.rb`, Moodle's `mod/assign/gradingtable.php` and `mod/assign/feedback/offline/`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from helpers.draw.text import clean
from helpers.teach.grading.sheet import Sheet, parse_sheet

_CANVAS_MARKS: Final = ("ID", "SIS User ID", "SIS Login ID", "Integration ID")
_MOODLE_MARKS: Final = ("Identifier", "ID number", "Username", "Email address")
# Canvas's importer passes over every column whose header holds one of these.
_CANVAS_TOTAL: Final = re.compile(r"(Current|Final|Override) (Score|Points|Grade|Status)")
_CANVAS_ASSIGNMENT: Final = re.compile(r"(.*)\s\(\d+\)", re.DOTALL)  # "Attention (4711)"
_CANVAS_POSTING: Final = re.compile(r"\s*(Muted|Manual Posting.*)?\s*")


@dataclass(frozen=True)
class Row:
    """A student's row.

    Attributes
    ----------
    index : int
        Its place in the sheet, from 0.
    name : str
        The student's name there.
    marks : tuple of str
        Their IDs, logins and email addresses there.
    grade : str
        What stands in the column to fill in.
    most : float or None
        How many points the LMS gives at most; None where it does not say.
    fixed : str
        Why its grade must stay; empty where it may be filled in.
    """

    index: int
    name: str
    marks: tuple[str, ...]
    grade: str
    most: float | None
    fixed: str

    def __str__(self) -> str:
        return f"Row {self.index + 1} ({clean(self.name) or 'no name'})"


@dataclass(frozen=True)
class Form:
    """An LMS's file, understood: whose it is, its cells, which column is filled in, and the rows of students."""

    lms: str
    sheet: Sheet
    column: int
    rows: list[Row]


def read_form(path: Path, column: str = "") -> Form:
    """Return what an exported file holds.

    Raises
    ------
    ValueError
        If it is neither a Canvas gradebook nor a Moodle worksheet, or has no such column that can be filled in.
    """
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise ValueError(
            f"{path}: cannot be read ({error.strerror}); expected the file that the LMS exported."
        ) from None
    except UnicodeDecodeError:
        raise ValueError(f"{path}: got another encoding, expected UTF-8. Export the file once more.") from None
    broken = ""
    for delimiter in ",;":
        try:
            sheet = parse_sheet(text, delimiter)
        except ValueError as error:
            broken = broken or f"{path}: {error} Export the file once more."
            continue
        header = [cell.strip() for cell in sheet.rows[0]] if sheet.rows else [""]
        if {"ID", "Section"} <= set(header) and header[0] in ("Student", "LastName"):
            return _canvas(path, sheet, header, column)
        if {"Identifier", "Grade"} <= set(header):
            return _moodle(path, sheet, header, column)
    raise ValueError(
        broken
        or f"{path}: got a file that begins {clean(text[:60])!r}, expected a Canvas gradebook (Student, ID, ..., "
        "Section, ...) or a Moodle grading worksheet (Identifier, ..., Grade, ...). Export it with the LMS in English."
    )


def number(cell: str) -> float | None:
    """Return the number in a cell, with a decimal point or comma; None where there is none."""
    if not re.fullmatch(r"\d[\d.,]*", cell.strip()):
        return None
    *whole, last = re.split(r"[.,]", cell.strip())
    return float(f"{''.join(whole)}.{last}" if whole else last)


def _canvas(path: Path, sheet: Sheet, header: list[str], column: str) -> Form:
    possible = next((row for row in sheet.rows if "Points Possible" in row[0]), [])
    place = _assignment(path, header, possible, column)
    most = number(possible[place]) if place < len(possible) else None
    rows = []
    for index, row in enumerate(sheet.rows[1:], start=1):
        if row is possible or all(_CANVAS_POSTING.fullmatch(cell) for cell in row):
            continue
        at = dict(zip(header, row, strict=False))
        name = at["Student"] if "Student" in at else f"{at['LastName']}, {at.get('FirstName', '')}"
        grade = row[place].strip() if place < len(row) else ""
        fixed = "" if place < len(row) else "its row ends before that column"
        if grade.upper() in ("EX", "N/A"):  # excused, not assigned
            fixed = f"{grade} stays"
        rows.append(Row(index, name, tuple(at.get(mark, "") for mark in _CANVAS_MARKS), grade, most, fixed))
    return Form("Canvas gradebook", sheet, place, rows)


def _assignment(path: Path, header: list[str], possible: list[str], column: str) -> int:
    """Return which column of a Canvas gradebook is filled in."""
    read_only = {index for index, cell in enumerate(possible) if "read only" in cell}
    titles = {
        index: [title, made[1]]
        for index, title in enumerate(header)
        if (made := _CANVAS_ASSIGNMENT.fullmatch(title)) and not _CANVAS_TOTAL.search(title) and index not in read_only
    }
    wanted = [index for index, names in titles.items() if not column or column.strip() in names]
    if len(wanted) == 1:
        return wanted[0]
    if not titles:
        raise ValueError(f"{path}: got no assignment that can be filled in, expected one. Export the entire gradebook.")
    there = ", ".join(repr(clean(header[index])) for index in (wanted or titles))
    got = f"the assignment {column!r}" if column else "no choice of an assignment"
    raise ValueError(f"{path}: got {got}, expected one of {there}. Choose one by its title.")


def _moodle(path: Path, sheet: Sheet, header: list[str], column: str) -> Form:
    if column and column != "Grade":
        raise ValueError(f"{path}: got the column {column!r}; a Moodle worksheet has one that can be filled in, Grade.")
    if "Scale" in header:
        raise ValueError(f"{path}: got an assignment graded in words (a scale), expected points. Change it in Moodle.")
    rows = []
    for index, row in enumerate(sheet.rows[1:], start=1):
        if not any(cell.strip() for cell in row):
            continue
        at = dict(zip(header, row, strict=False))
        fixed = "" if "Grade" in at else "its row ends before that column"
        if at.get("Grade can be changed", "Yes").strip() != "Yes":
            fixed = "Moodle says it cannot be changed"
        marks = (*(at.get(mark, "") for mark in _MOODLE_MARKS), at.get("Identifier", "").removeprefix("Participant "))
        most, grade = number(at.get("Maximum Grade", "")), at.get("Grade", "").strip()
        rows.append(Row(index, at.get("Full name", ""), marks, grade, most, fixed))
    return Form("Moodle worksheet", sheet, header.index("Grade"), rows)
