"""`class.html`: what to look at by hand, who is where, what the class misunderstands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from statistics import fmean, median
from typing import Any, NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from helpers.course import Exercise, Notebook, course
from helpers.draw import histogram, mosaic, shares
from helpers.draw.shares import percent
from helpers.draw.standing import STANDINGS
from helpers.learn.fingerprints import made
from helpers.learn.naming import SEVERAL, TWO, WHICH, name_lines
from helpers.learn.words import listed
from helpers.teach.grading.gradebook import Gradebook
from helpers.teach.grading.outputs.file_names import file_names
from helpers.teach.grading.outputs.page import called, counted, duration, render
from helpers.teach.grading.outputs.tally import BROKEN, Broken, Row, Tally, Unreadable, tally

MANY = 40  # students: from here on a picture shows the class, and the table is folded up
TOP = 10  # entries of a ranking that are shown before the others are folded up
BEHIND = 2  # notebooks
FEW = 5  # students whose names are not folded up
ROOMY, NARROW = 730, 350  # px: what a picture may take beside another, and on a telephone
SLOWEST = 5  # exercises that are named


class LeftOver(NamedTuple):
    """An exercise with answers that only a reader can explain.

    Attributes
    ----------
    unnamed : list of str
        Whose wrong answers no recorded mistake explains.
    broken : list of Broken
        What raised or was stopped.
    kinds : list of str
        How many there are of each kind, in words.
    """

    exercise: Exercise
    unnamed: list[str]
    broken: list[Broken]
    kinds: list[str]

    @property
    def total(self) -> int:
        """How many answers they are."""
        return len(self.unnamed) + len(self.broken)


class Ranked(NamedTuple):
    """A mistake, and who made it.

    Attributes
    ----------
    shows, asks : str
        What the numbers show, and what its makers were asked.
    share : str
        How many of those who tried the exercise.
    also : list of (str, int)
        The exercises in which the same was found, and how often.
    """

    exercise: Exercise
    name: str
    shows: str
    asks: str
    students: list[str]
    share: str
    also: list[tuple[str, int]]


def class_page(book: Gradebook, run: Mapping[str, Any], feedback: str = "feedback/") -> str:
    """Return the page about a class.

    Parameters
    ----------
    book : Gradebook
        The class.
    run : mapping
        What RESULTS/run.json holds: `protections`, `started`, `workers`, `seconds`, `versions`, `course`. Its `seed` is
        never shown.
    feedback : str
        Where the students' pages are, seen from this one.

    Returns
    -------
    str
        The HTML: one file that asks for nothing else, the same for the same records.
    """
    count = tally(book)
    rows = list(count.rows.values())
    totals = [row.total for row in rows if row.points]
    return render(
        "class.html",
        count=count,
        rows=rows,
        many=len(rows) > MANY,
        links={student: feedback + quote(f"{name}.html") for student, name in file_names(book.people).items()},
        possible=sum(exercise.points for exercise in count.exercises),
        middle=f"{median(totals):g}" if totals else "",
        groups=_groups(rows),
        pictures={name: Markup(svg) for name, svg in _class_pictures(count, rows).items()},  # noqa: S704 - of helpers.draw
        cards=[Markup(_card(count, notebook)) for notebook in count.notebooks],  # noqa: S704 - as above
        verdicts=("right", "wrong", *BROKEN, "not started", "missing"),
        unreadable=_unreadable(count),
        options=_options(count),
        mistakes=_ranking(count),
        unnamed=sum(len(students) for (_, name), students in count.mistakes.items() if not name),
        left_over=_left_over(count),
        top=TOP,
        few=FEW,
        notes=sorted(count.notes.items(), key=lambda note: (-len(note[1]), note[0])),
        times=_times(count, run),
        run=run,
        started=f"{datetime.fromisoformat(run['started']):%Y-%m-%d %H:%M %Z}".strip(),
        course=course(),
    )


def _groups(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """Return who may need help, each student in the first group that fits."""
    groups: dict[str, list[Row]] = {
        "with nothing handed in": [],
        "with no file that could be read": [],
        "with nothing right yet": [],
        "with less than half of the points of what they handed in": [],
        f"at least {BEHIND} notebooks behind half of the class": [],
    }
    nothing, unread, none, low, behind = groups.values()
    usual = median([len(row.points) for row in rows] or [0])
    for row in rows:
        if not row.files:
            nothing.append(row)
        elif not row.points:
            unread.append(row)
        elif not row.right:
            none.append(row)
        elif 2 * row.total < sum(row.possible.values()):
            low.append(row)
        elif len(row.points) <= usual - BEHIND:
            behind.append(row)
    low.sort(key=lambda row: row.total / sum(row.possible.values()))
    return [(what, group) for what, group in groups.items() if group]


def _class_pictures(count: Tally, rows: Sequence[Row]) -> dict[str, str]:
    """Return how points are spread and how far everybody is, for a class too large to be read name by name.

    How far everybody is comes in two widths: for a window that is wide, and for one that is not.
    """
    if len(rows) <= MANY:
        return {}
    possible = sum(exercise.points for exercise in count.exercises)
    totals = [row.total for row in rows if row.points] or [0]
    functions = [exercise.function for exercise in count.exercises]
    standings = [[row.standing(function) for function in functions] for row in rows]
    standings.sort(key=lambda row: (-row.count("right"), [STANDINGS.index(one) for one in row]))
    points = histogram(
        [totals.count(points) for points in range(possible + 1)],
        [points - 0.5 for points in range(possible + 2)],
        title=f"Half of those with a grade have {median(totals):g} points or more, of {possible}",
        description=f"From {min(totals)} to {max(totals)} points.",
        value_axis="points",
        height_axis="students",
        width=NARROW,
    )
    roomy, narrow = (
        mosaic(
            standings,
            [len(course().exercises_of(notebook.name)) for notebook in count.notebooks],
            title=f"{len(rows):,} students, those with most exercises right on top",
            description="One line a student, one column an exercise. The table below holds the same.",
            labels=[str(notebook.number) for notebook in count.notebooks],
            width=width,
        )
        for width in (ROOMY, NARROW)
    )
    return {"points": points, "roomy": roomy, "narrow": narrow}


def _card(count: Tally, notebook: Notebook) -> str:
    """Return how many of the class have each exercise of a notebook right."""
    exercises = course().exercises_of(notebook.name)
    standings = [count.standings(exercise.function) for exercise in exercises]
    handed_in = sum(notebook.name in row.points for row in count.rows.values())
    return shares(
        standings,
        title=f"{notebook.number} · {notebook.title}, {counted(handed_in, 'file')}",
        description="; ".join(
            f"{called(exercise)}: {right} of {sum((right, *rest))} right"
            for exercise, (right, *rest) in zip(exercises, standings, strict=True)
        ),
        labels=[called(exercise) for exercise in exercises],
        legend=False,
    )


def _ranking(count: Tally) -> list[Ranked]:
    """Return the mistakes that have names, the commonest first, then in the course's order."""
    order = list(course().exercises)
    found = [(function, name, students) for (function, name), students in count.mistakes.items() if name]
    found.sort(key=lambda one: (-len(one[2]), order.index(one[0]), one[1]))
    return [
        Ranked(
            course().exercises[function],
            name,
            *explained(name),
            students,
            percent(len(students), count.tried(function)),
            [
                (course().exercises[other].number, len(count.mistakes[other, name]))
                for other in order
                if other != function and (other, name) in count.mistakes
            ],
        )
        for function, name, students in found
    ]


def explained(name: str) -> tuple[str, str]:
    """Return what a mistake's numbers show, and what whoever made it is asked; its bare name where no sentence fits."""
    try:
        lines = name_lines(made(name))
    except KeyError:  # recorded in another version of the course
        lines = []
    if not lines:
        return name, ""
    if lines[0].startswith((TWO, SEVERAL)):
        return " ".join(lines).replace(WHICH, ""), ""
    return lines[0], lines[1]


def _left_over(count: Tally) -> list[LeftOver]:
    """Return the exercises with answers to look at by hand, those with most on top."""
    found = []
    for exercise in count.exercises:
        unnamed = count.mistakes.get((exercise.function, ""), [])
        broken = sorted(count.broken.get(exercise.function, []), key=lambda one: BROKEN.index(one.verdict))
        numbers = Counter(one.verdict for one in broken)
        kinds = [f"{len(unnamed)} not named"] if unnamed else []
        kinds += [counted(numbers[kind], kind) if kind != "killed" else f"{numbers[kind]} killed" for kind in numbers]
        found.append(LeftOver(exercise, unnamed, broken, kinds))
    return sorted((one for one in found if one.total), key=lambda one: -one.total)


def _unreadable(count: Tally) -> list[tuple[str, list[Unreadable]]]:
    """Return the files that could not be read, by reason, the commonest first."""
    found: dict[str, list[Unreadable]] = {}
    for one in count.unreadable:
        found.setdefault(one.reason, []).append(one)
    return sorted(found.items(), key=lambda one: (-len(one[1]), one[0]))


def _options(count: Tally) -> str:
    """Return which exercises may be left out, as a sentence."""
    numbers = [exercise.number for exercise in count.exercises if exercise.optional]
    return f"{listed(numbers)} {'is an option' if len(numbers) == 1 else 'are options'}." if numbers else ""


def _times(count: Tally, run: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what grading took, in rows of words and numbers."""
    workers = counted(run["workers"], "worker")
    rows = [("The whole run", f"{duration(run['seconds'])}, {workers}")]
    if count.seconds:
        rows.append(
            ("A submission", f"median {duration(median(count.seconds))}, longest {duration(max(count.seconds))}")
        )
    slowest = sorted(count.exercises, key=lambda one: -fmean(count.took.get(one.function, [0.0])))
    for exercise in slowest[:SLOWEST]:
        if took := count.took.get(exercise.function):
            rows.append((called(exercise), f"mean {duration(fmean(took))}, longest {duration(max(took))}"))
    return rows
