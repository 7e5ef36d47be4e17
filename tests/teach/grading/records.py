"""A class that never was: records as the grader writes them, drawn from the course and its recorded mistakes."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from helpers.course import Exercise, course
from helpers.learn import fingerprints, judge, naming
from helpers.teach.grading.gradebook import Gradebook, Person, gradebook
from helpers.teach.grading.record import Marked, Record
from helpers.teach.overlay import MISSING

# Each is in every class that is large enough: what breaks a table, a page, a path, a line of text.
ODD = (
    "O'Brien, Zoë",
    "<script>alert('b6')</script>",
    '=HYPERLINK("http://elsewhere.invalid","grade")',
    'Jürgen "Jay" Müller & Söhne',
    "CON",
    "con",
    "../../etc/passwd",
    "李小龍",
    "مريم الزهراء",
    "evil\N{RIGHT-TO-LEFT OVERRIDE}gpj.exe",
    "bell\x07 and\nnew line",
    "🦊 fox 👩‍💻",
    "name." * 60,
    ".hidden",
    "-rf",
)
FIRST = (
    *("Ada", "Bao", "Chidi", "Dana", "Emre", "Fatou", "Goran", "Hana", "Ivo", "Jun"),
    *("Kofi", "Lea", "Mira", "Noor", "Omar", "Pia", "Quinn", "Rosa", "Sven", "Tariq"),
)
LAST = (
    *("Abbott", "Ben-David", "Castillo", "Diop", "Eriksen", "Fischer", "García", "Haddad"),
    *("Ito", "Jansen", "Kowalski", "López", "Mbeki", "Nguyễn", "Okafor"),
)

UNREADABLE = (
    "expected a notebook, got a file that is none (it is no whole JSON: cut off on its way, or another kind of file).",
    "expected a notebook, got a file that is none (TypeError: a cell's source is no text).",
    "none of this course's exercises is in it.",
    "got a notebook of 61,203,118 bytes; the limit is 50,000,000.",
)

RUN = {
    "protections": [
        "Landlock: the student's code reads the standard library and nothing else, and writes nowhere.",
        "seccomp: no sockets, no other processes, no signals.",
        "rlimits: 10 s of CPU, 1 GiB of memory, no files.",
    ],
    "seed": 8_675_309,
    "started": "2026-11-30T11:02:07+00:00",
    "workers": 2,
    "seconds": 187.25,
    "versions": {"python": "3.11.7", "numpy": "2.4.6"},
    "course": "0.1.0",
}


def a_class(students: int, seed: int = 12) -> tuple[list[Record], dict[str, Person]]:
    """Return the records of a class and its roster, in no particular order.

    About one student in thirty hands in nothing, one in twenty a file that cannot be read, one in ten a second
    attempt. Notebooks are left out from the end; later exercises are harder.
    """
    random = Random(seed)  # noqa: S311 - a class is no secret
    records: list[Record] = []
    people: dict[str, Person] = {}
    for number in range(students):
        key, person = _person(number, students)
        people[key] = person
        if number and random.random() < 1 / 30:
            continue
        skill, reach = random.betavariate(5, 1.6), 1 + int(6 * random.betavariate(3, 0.9))
        for notebook in list(course().notebooks)[: min(reach, 6)]:
            records += _attempts(random, key, notebook, skill)
        if random.random() < 1 / 20:
            records.append(unreadable(key, random.choice(UNREADABLE)))
    random.shuffle(records)
    return records, people


def _person(number: int, students: int) -> tuple[str, Person]:
    if students > len(ODD) and number < len(ODD):
        return ODD[number], Person(ODD[number])  # not on the roster: the key is all that is known
    if students <= len(ODD) and number == 0:
        return ODD[0], Person(ODD[0])
    first, last = FIRST[number % len(FIRST)], LAST[number // len(FIRST) % len(LAST)]
    key = f"s{number:04d}"
    return key, Person(key, f"{last}, {first}", str(70_000 + number), f"{key}@example.org")


def unreadable(student: str, reason: str = UNREADABLE[0]) -> Record:
    """Return the record of a file that cannot be read."""
    name = "homework (1).ipynb"
    return Record(f"{student}/{name}", student, 1_764_400_000.0, "", "unreadable", reason)


def graded(student: str, notebook: str, *exercises: Marked, **changes: object) -> Record:
    """Return the record of a notebook; what is not said of an exercise is right."""
    told = {one.function: one for one in exercises}
    everything = tuple(told.get(one.function, marked(one.function)) for one in course().exercises_of(notebook))
    file = f"{student}/{course().notebooks[notebook].file}"
    whole = {"digest": "0" * 32, "status": "graded", "notebook": notebook, "exercises": everything, "seconds": 0.4}
    return Record(**{"file": file, "student": student, "submitted": 1_764_500_000.0, **whole, **changes})


def marked(function: str, verdict: judge.Status = "right", mistake: str = "", **changes: object) -> Marked:
    """Return an exercise as the grader marks it, with lines such as the judge writes."""
    exercise = course().exercises[function]
    points = exercise.points if verdict == "right" else 0
    lines = _lines(exercise, verdict, mistake)
    return Marked(**{**_fields(function, verdict, points, exercise.points, lines, mistake), **changes})


def _fields(function, verdict, points, possible, lines, mistake):
    return {
        "function": function,
        "verdict": verdict,
        "points": points,
        "possible": possible,
        "lines": lines,
        "mistake": mistake,
        "seconds": 0.03,
    }


def _lines(exercise: Exercise, verdict: judge.Status, mistake: str) -> tuple[str, ...]:
    if verdict == "right":
        return exercise.right, exercise.why
    if verdict == "not started":
        return judge.not_started(exercise).lines
    if verdict == "missing":
        return MISSING
    if verdict == "timeout":
        return "did not end within 10 s.", "Which loop, if any, never stops?"
    if verdict == "killed":
        return (
            "its process ended before it answered, with exit code 0.",
            "Does a line call `exit`, `quit` or `os._exit`?",
        )
    named = naming.name_lines(fingerprints.made(mistake)) if mistake else []
    if verdict == "error":
        return (
            "line 2, `scores = K @ Q`, raised ValueError, on an example of other sizes.",
            "`K` is (D_q, N_k) = (2, 4), `Q` is (D_q, N_q) = (2, 3). In a product the columns of the first (4) must be "
            "as many as the rows of the second (2).",
            named[0] if named else "Write both shapes beside the line. Which factor needs `.T`?",
        )
    last = "Do that example on paper, and print each line's result beside it. Which is the first that differs?"
    return "row 1, column 1 is 6, expected 3, on the paper example (D_q = 4, N_q = 1, N_k = 3).", *(named or [last])


def _attempts(random: Random, student: str, notebook: str, skill: float) -> list[Record]:
    exercises = tuple(_drawn(random, one, skill) for one in course().exercises_of(notebook))
    seconds = round(sum(one.seconds for one in exercises) + 0.1, 3)
    notes = ("The file was saved with a byte order mark.",) if random.random() < 1 / 40 else ()
    submitted = 1_764_500_000.0 + random.randrange(86_400)
    record = graded(student, notebook, *exercises, submitted=submitted, seconds=seconds, notes=notes)
    if random.random() > 1 / 10:
        return [record]
    reason = f"{record.file} came later and counts."
    file = record.file.replace(".ipynb", " (first try).ipynb")
    return [record, Record(file, student, submitted - 3600, "1" * 32, "superseded", reason, notebook)]


def _drawn(random: Random, exercise: Exercise, skill: float) -> Marked:
    """Return an exercise at which a student of some skill (0 to 1) tried a hand."""
    hard = 0.12 + 0.3 * float(exercise.number[0]) / 6 + 0.25 * exercise.optional
    seconds = round(random.uniform(0.01, 0.09), 4)
    notes = ("Found in another cell by its name.",) if random.random() < 1 / 60 else ()
    if random.random() > hard * (1.9 - 1.7 * skill):
        return marked(exercise.function, seconds=seconds, notes=notes)
    verdict = random.choices(
        ["wrong", "not started", "missing", "error", "timeout", "killed"], [60, 18, 3, 14, 4, 1], k=1
    )[0]
    named = verdict == "wrong" or (verdict == "error" and random.random() < 0.3)
    mistake = _mistake(random, exercise.function) if named else ""
    return marked(exercise.function, verdict, mistake, seconds=10.0 if verdict == "timeout" else seconds, notes=notes)


def _mistake(random: Random, function: str) -> str:
    """Return a recorded mistake, the first ones far more often; two at once now and then, and none."""
    names = list(fingerprints.stored(function))
    if not names or random.random() < 0.15:
        return ""
    one, other = (names[min(int(random.expovariate(0.7)), len(names) - 1)] for _ in range(2))
    both = sorted({one, other})
    return " + ".join(both) if random.random() < 0.1 and "|" not in one + other and len(both) == 2 else one


def possible(*notebooks: str) -> int:
    """Return how many points some notebooks are worth together."""
    return sum(one.points for name in notebooks for one in course().exercises_of(name))


def heading(function: str) -> str:
    """Return what an exercise is called in the outputs: its number and its title."""
    exercise = course().exercises[function]
    return f"{exercise.number} {exercise.title}"


def book_of(folder: Path, records: Sequence[Record], people: dict[str, Person] | None = None) -> Gradebook:
    """Return the class with these records, written to `results.jsonl` in a folder."""
    results = folder / "results.jsonl"
    results.write_text("".join(record.line() for record in records), encoding="utf-8")
    return gradebook(results, people)


def book(folder: Path, students: int, seed: int = 12) -> Gradebook:
    """Return a class of some size."""
    return book_of(folder, *a_class(students, seed))
