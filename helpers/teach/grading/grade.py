"""`attention grade`: collect, mark, record, and write what comes of it."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import secrets
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from helpers.learn.home import write_whole
from helpers.teach.grading import earlier, outputs
from helpers.teach.grading.collecting.collect import collect
from helpers.teach.grading.collecting.roster import read_roster
from helpers.teach.grading.collecting.walk import Limits as FileLimits
from helpers.teach.grading.engine import Batch, Crew, LocalCrew, Settings, records
from helpers.teach.grading.gradebook import Gradebook, Person, gradebook
from helpers.teach.grading.ledger import Key, Ledger
from helpers.teach.grading.sandbox.confine import Limits
from helpers.teach.grading.sandbox.runner import Runner
from helpers.teach.grading.submission import Submission, digest
from helpers.teach.grading.trial import drawing_seed

if sys.platform != "win32":
    import fcntl

CROWD = 5  # attempts at one notebook: more likely a folder of several students than one student


@dataclass(frozen=True)
class Options:
    """How a class is graded; each field is an option of the command."""

    workers: int = 2
    scheduler: str = ""
    resume: bool = False
    seed: int | None = None
    roster: Path | None = None
    lms: Path | None = None
    lms_column: str = ""
    lms_notebooks: Sequence[str] = ()
    trust: bool = False
    limits: Limits = field(default_factory=Limits)
    files: FileLimits = field(default_factory=FileLimits)


@dataclass(frozen=True)
class Graded:
    """What came of a run.

    Attributes
    ----------
    book : Gradebook
        The class.
    run : mapping
        What `run.json` holds.
    counts : Counter of str
        How many submissions are "graded", "unreadable" and "superseded".
    senders : int
        How many students sent one.
    now : tuple of int and float
        How many submissions this run graded itself, and in how many seconds.
    crowded : list of str
        The students with more attempts at one notebook than one person makes, by `CROWD`.
    unlisted : list of str
        The students who are not on the roster, where one was given.
    said : list of str
        What else the instructor should hear, of earlier marks and of the files for an LMS, one sentence each.
    """

    book: Gradebook
    run: Mapping[str, Any]
    counts: Counter[str]
    senders: int
    now: tuple[int, float]
    crowded: list[str]
    unlisted: list[str]
    said: list[str]


def grade(submissions: Path, results: Path, options: Options) -> Graded:
    """Grade whatever lies in a folder, and write all results into another one.

    Parameters
    ----------
    submissions : Path
        A folder, a zip or a notebook. Nothing in it is changed.
    results : Path
        A new folder; with `options.resume` the one of a run that was ended.
    options : Options
        How.

    Raises
    ------
    ValueError
        If nothing is found, if `results`, the roster or the LMS's file is not what was expected, if a run cannot go
        on without losing marks, or if `results` cannot be written.
    Unconfined
        If this machine cannot confine the answers, and they are not trusted.
    KeyboardInterrupt
        If it was interrupted. What was known by then is recorded.
    """
    roster = read_roster(options.roster) if options.roster else {}
    if options.lms:  # a wrong column is said now, and not when everything is graded
        outputs.lms.refuse(options.lms, results, options.lms_column)
    with _saving(results):
        _refuse_place(submissions, results, options)
    found = collect(submissions, options.files, roster)
    with _saving(results):
        results.mkdir(mode=0o700, parents=True, exist_ok=True)  # names, marks and the seed: for one pair of eyes
    with _alone(results):
        return _graded(submissions, found, roster, results, options)


def _graded(
    submissions: Path, found: list[Submission], roster: dict[str, Person], results: Path, options: Options
) -> Graded:
    told = digest(repr(roster).encode()) if options.roster else ""
    with _saving(results):
        opened = _opened(submissions, results, found, told, options)
    ledger = opened.ledger
    secret = opened.run.get("seed", options.seed)
    secret = secrets.randbits(63) if secret is None else secret
    settings = Settings(options.limits, secret, options.trust)
    # Refuses, where it must, before anything else is done.
    with Runner(options.limits, drawing_seed(secret), trust=options.trust) as trial:
        protections, lacking = trial.protections, trial.lacking
    crew = _crew(options)
    run = {
        "seed": secret,
        "submissions": str(submissions.resolve()),
        "roster": told,
        "started": datetime.now().astimezone().isoformat(timespec="seconds"),
        "protections": protections,
        "lacking": lacking,
        "limits": asdict(options.limits),
        "workers": crew.size,
        "course": _version("attention-by-hand"),
        "versions": {"python": platform.python_version(), "numpy": version("numpy")},
    }
    todo = [submission for submission in found if (submission.file, submission.submitted) not in opened.known]
    start = kept = time.monotonic()

    @_saving(results)
    def keep(*, first: bool = False) -> float:
        run["seconds"] = round(opened.run.get("seconds", 0.0) + time.monotonic() - start, 3)
        if not first:
            (results / earlier.NAME).stat()  # raises where the folder was deleted: what follows would be half a class
        write_whole(results / earlier.NAME, json.dumps(run, indent=2) + "\n")
        return time.monotonic()

    keep(first=True)
    try:
        with tqdm(total=len(found), initial=len(found) - len(todo), unit=" submissions", disable=None) as bar:
            for marked in records(_batches(todo, crew.batch, send=bool(options.scheduler)), settings, crew):
                with _saving(results):
                    ledger.write(marked)
                bar.update(len(marked))
                if time.monotonic() > kept + 1:  # so that a run that is killed has its time on record, too
                    kept = keep()
    finally:
        keep()
    now = len(todo), time.monotonic() - start
    with _saving(results):
        ledger.settle()
        book = gradebook(ledger.path, roster)
        if book.size < len(found):
            raise ValueError(
                f"got {book.size:,} records in {ledger.path}, expected one for each of {len(found):,} submissions. "
                "Something else changed the file meanwhile; the same command with --resume marks the rest."
            )
        return _outcome(book, run, now, opened.said, roster, results, options)


def _outcome(
    book: Gradebook,
    run: Mapping[str, Any],
    now: tuple[int, float],
    said: list[str],
    roster: Mapping[str, Person],
    results: Path,
    options: Options,
) -> Graded:
    """Write what comes of the records, and return what a run came to."""
    counts, attempts = Counter[str](), Counter[tuple[str, str]]()
    for record in book.records():
        counts[record.status] += 1
        attempts[record.student, record.notebook] += 1
    senders = {student for student, _ in attempts}
    listed = {person.student for person in roster.values()} if options.roster else senders
    unlisted = [student for student in book.people if student not in listed]
    crowded = sorted({student for (student, notebook), count in attempts.items() if notebook and count >= CROWD})
    said = [*said, *outputs.write_all(book, run, results, options.lms, options.lms_column, options.lms_notebooks)]
    return Graded(book, run, counts, len(senders), now, crowded, unlisted, said)


def _refuse_place(submissions: Path, results: Path, options: Options) -> None:
    if results.exists() and not results.is_dir():
        raise ValueError(f"got {results}, which is a file, expected a new folder.")
    if results.resolve().is_relative_to(submissions.resolve()):
        raise ValueError(
            f"got {results}, which lies in {submissions}: another run would take it for a student's. "
            "Expected a folder outside of it."
        )
    if options.resume and not (results / earlier.NAME).is_file():
        what = "Begin anew, in another folder" if results.exists() and any(results.iterdir()) else "Leave --resume out"
        raise ValueError(f"got --resume, expected a run.json in {results}; there is none. {what}.")


@contextlib.contextmanager
def _saving(results: Path) -> Iterator[None]:
    """Say what to do where the folder of the results is full, read-only, or gone.

    Raises
    ------
    ValueError
        Instead of any OSError.
    """
    try:
        yield
    except OSError as error:
        if os.access(results / earlier.NAME, os.F_OK):
            what = "What was known is kept. Mend that; the same command with --resume goes on."
        elif isinstance(error, FileNotFoundError):
            what = "There is no run.json to go on with: begin anew, in another folder."
        else:
            what = "Nothing was done. Mend that, or choose another folder for the results."
        raise ValueError(f"got {error.strerror!r} at {results}, expected to read and write there. {what}") from None


@contextlib.contextmanager
def _alone(results: Path) -> Iterator[None]:
    """Hold a folder, so that no two runs write into it. A run lets it go however it ends.

    Raises
    ------
    ValueError
        If another run holds it.
    """
    if sys.platform == "win32":  # where nothing can be graded
        yield
        return
    with _saving(results):
        folder = os.open(results, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"got {results}, expected a folder into which no other run is writing now.") from None
        yield
    finally:
        os.close(folder)


class _Opened(NamedTuple):
    """The ledger, which submissions it knows, what `run.json` says of their run, and what became of earlier marks."""

    ledger: Ledger
    known: set[Key]
    run: Mapping[str, Any]
    said: list[str]


def _opened(submissions: Path, results: Path, found: Sequence[Submission], roster: str, options: Options) -> _Opened:
    ledger = Ledger(results / "results.jsonl")
    if options.resume:
        run = earlier.read_run(results)
        earlier.refuse_other(run, submissions, options.seed)
        said = earlier.changes(ledger.whose(), found, submissions, run, roster)
        return _Opened(ledger, ledger.resume(found), run, said)
    if any(results.iterdir()):
        there = (results / earlier.NAME).is_file()
        on = "`--resume` goes on with the run that was ended there; another folder begins anew."
        raise ValueError(
            f"got {results}, which is not empty, expected a new folder. {on if there else 'Choose another one.'}"
        )
    return _Opened(ledger, set(), {}, [])


def _crew(options: Options) -> Crew:
    if not options.scheduler:
        return LocalCrew(options.workers)
    from helpers.teach.grading.cluster import DaskCrew  # asked for here only: Dask is an extra

    return DaskCrew(options.scheduler)


def _batches(submissions: Sequence[Submission], size: int, *, send: bool) -> Iterator[Batch]:
    """Yield the submissions a few at a time; with their content, where they are sent to another machine."""
    rest = iter(submissions)
    while batch := tuple(islice(rest, size)):
        yield tuple(map(_with_content, batch)) if send else batch


def _with_content(submission: Submission) -> Submission:
    if submission.problem:
        return submission
    try:
        return replace(submission, content=submission.read())
    except (OSError, ValueError) as error:
        return replace(submission, problem=str(error))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed as a package"
