"""Fill the points of a class into a file that an instructor exported from Canvas or Moodle."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from helpers.course import course
from helpers.draw.text import clean
from helpers.learn.home import write_whole
from helpers.learn.words import listed
from helpers.teach.grading.collecting.roster import fold
from helpers.teach.grading.gradebook import Gradebook, Person
from helpers.teach.grading.outputs import grades_csv, reflections_csv
from helpers.teach.grading.outputs.earned import earned, handed_in, possible
from helpers.teach.grading.outputs.lms_forms import Form, Row, number, read_form
from helpers.teach.grading.outputs.whose import Students

TAKEN = (grades_csv.NAME, reflections_csv.NAME)


def refuse(path: Path, results: Path, column: str = "") -> None:
    """Raise what `write` would, of a file and its column, before a class is graded."""
    copy = results / path.name
    if (copy.exists() and path.exists() and copy.samefile(path)) or copy.name.casefold() in TAKEN:
        raise ValueError(f"got {path}; its copy would be {copy}, which is taken. Give it another name or folder.")
    read_form(path, column)


def write(path: Path, book: Gradebook, results: Path, column: str = "", notebooks: Sequence[str] = ()) -> list[str]:
    """Write a filled-in copy of an exported file into the folder of the results, under its name; return the report.

    The exported file is only read. The other parameters, the report and the errors are those of `fill`.

    Raises
    ------
    ValueError
        If the copy would take the place of the exported file, or of a table of ours.
    """
    refuse(path, results, column)
    text, report = fill(path, book, column, notebooks)
    write_whole(results / path.name, text)
    return report


def fill(path: Path, book: Gradebook, column: str = "", notebooks: Sequence[str] = ()) -> tuple[str, list[str]]:
    """Return an exported file with the points of a class in one column, and what a person should know about it.

    Points are scaled to what the LMS gives at most, to two decimals. A grade that stands there is replaced, and the
    report says so. It stays where the LMS forbids a change (`EX`, `N/A`, "Grade can be changed"), where nothing was
    handed in, where a file could not be read, and where it is not certain whose row it is.

    Parameters
    ----------
    path : Path
        A Canvas gradebook or a Moodle grading worksheet, exported in English.
    book : Gradebook
        The class.
    column : str, optional
        Which assignment of a Canvas gradebook, by its title, with or without the number behind it. It may be left out
        where there is only one. Moodle's is always "Grade".
    notebooks : sequence of str, optional
        Which notebooks' points count: ["single_head"]. Default: all that anybody handed in.

    Returns
    -------
    text : str
        The new file, with the byte order mark where there was one.
    report : list of str
        Sentences: what was filled in, which grades were replaced, which rows and students were left alone, and why.

    Raises
    ------
    ValueError
        If the file is neither of the two, if it has no such column, or if a notebook is not the course's.
    """
    counted = list(notebooks) or handed_in(book)
    if unknown := set(counted) - set(course().notebooks):
        raise ValueError(f"got the notebook {min(unknown)!r}, expected one of {', '.join(course().notebooks)}.")
    form = read_form(path, column)
    rows, report = _match(form, book)
    cells, absent, whole = {}, [], possible(counted)
    for student, row in rows.items():
        has = earned(book, student, counted)
        if has.unreadable and has.points is None:
            report.append(f"{row}: it stays as it was, since a file could not be read. {clean(has.look)}")
        elif has.points is None:
            absent.append(str(row))
        elif row.fixed:
            report.append(f"{row}: {row.fixed}; {has.points} of {whole} points are not filled in.")
        elif number(row.grade) != float(points := _scaled(has.points, whole, row.most)):
            cells[row.index, form.column] = points
            report += [f"{row}: {clean(row.grade)} became {points}."] if row.grade else []
    if absent:
        report.append(f"Nothing was handed in, the row stays as it was: {', '.join(absent)}.")
    for student, person in book.people.items():
        if student not in rows:
            report.append(f"{_called(person)}: no row is certainly theirs, nothing is filled in.")
    title = clean(form.sheet.rows[0][form.column])
    filled = f"{form.lms}: {len(cells)} of {len(form.rows)} rows are changed, in the column {title!r}."
    # Only these cells change. A name with `=` in front stays, unlike in grades.csv: the file goes back to the LMS,
    # which wrote it so and would take another spelling for another student.
    return form.sheet.changed(cells), [filled, *_counted(counted), _scale(form, whole), *report]


def _match(form: Form, book: Gradebook) -> tuple[dict[str, Row], list[str]]:
    """Return the row of each student that has exactly one, and sentences about the other rows."""
    students = Students(book.people.values())
    times = Counter(fold(row.name) for row in form.rows)
    rows: defaultdict[str, list[Row]] = defaultdict(list)
    report, nobodys = [], []
    for row in form.rows:
        found = sorted(students.whose(row.marks, row.name))
        told = times[fold(row.name)] == 1 or students.whose(row.marks, "")  # a name that two rows share tells nothing
        if len(found) == 1 and told:
            rows[found[0]].append(row)
        elif found:
            several = " or ".join(_called(book.people[student]) for student in found)
            report.append(
                f"{row}: it may be {several}. It stays as it was; a roster with all IDs of this row would tell."
            )
        else:
            nobodys.append(str(row))
    for student, several_rows in rows.items():
        if len(several_rows) > 1:
            both = " and ".join(map(str, several_rows))
            report.append(f"{both}: each may be {_called(book.people[student])}. They stay as they were.")
    if nobodys:
        report.append(f"Nobody in the class has the name, ID or login, the row stays as it was: {', '.join(nobodys)}.")
    return {student: found[0] for student, found in rows.items() if len(found) == 1}, report


def _scaled(points: int, whole: int, most: float | None) -> str:
    """Return points as the LMS is to read them."""
    return f"{points * most / whole:.2f}".rstrip("0").rstrip(".") if most else str(points)


def _scale(form: Form, whole: int) -> str:
    """Return the sentence about how our points become theirs."""
    maxima = sorted({row.most for row in form.rows if row.most})
    if not maxima:
        return f"The file names no maximum: points are filled in as they are, out of {whole}."
    if maxima == [whole]:
        return f"Points are out of {whole}, here and there."
    return f"Points out of {whole} are scaled to a maximum of {' or '.join(f'{most:g}' for most in maxima)}."


def _counted(notebooks: Sequence[str]) -> list[str]:
    """Return the sentence about several that count: one in the wrong place makes everybody's share smaller."""
    if len(notebooks) < 2:
        return []
    names = [f"{course().notebooks[one].number} · {course().notebooks[one].title}" for one in notebooks]
    return [f"The points of the notebooks {listed(names)} count; `--lms-notebooks` names others."]


def _called(person: Person) -> str:
    return clean(person.student if person.called == person.student else f"{person.name} ({person.student})")
