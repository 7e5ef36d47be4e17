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
from typing import Any

from tqdm import tqdm

from helpers.learn.home import write_whole
from helpers.teach.grading import outputs
from helpers.teach.grading.collecting.collect import collect
from helpers.teach.grading.collecting.roster import read_roster
from helpers.teach.grading.collecting.walk import Limits as FileLimits
from helpers.teach.grading.engine import Batch, Crew, LocalCrew, Settings, records
from helpers.teach.grading.gradebook import Gradebook, Person, gradebook
from helpers.teach.grading.ledger import Ledger
from helpers.teach.grading.sandbox.confine import Limits
from helpers.teach.grading.sandbox.runner import Runner
from helpers.teach.grading.submission import Submission
from helpers.teach.grading.trial import drawing_seed

if sys.platform != "win32":
    import fcntl

CROWD = 10  # attempts at one notebook: more likely a folder of several students than one student


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
    said : list of str
        What the instructor should hear of the files for an LMS, one sentence each.
    """

    book: Gradebook
    run: Mapping[str, Any]
    counts: Counter[str]
    senders: int
    now: tuple[int, float]
    crowded: list[str]
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
        If nothing is found, or if `results`, the roster or the LMS's file is not what was expected.
    Unconfined
        If this machine cannot confine the answers, and they are not trusted.
    KeyboardInterrupt
        If it was interrupted. What was known by then is recorded.
    """
    roster = read_roster(options.roster) if options.roster else {}
    if options.lms:  # a wrong column is said now, and not when everything is graded
        outputs.lms.refuse(options.lms, results, options.lms_column)
    _refuse_place(submissions, results, options)
    found = collect(submissions, options.files, roster)
    results.mkdir(mode=0o700, parents=True, exist_ok=True)  # names, marks and the seed: for one pair of eyes
    with _alone(results):
        return _graded(found, roster, results, options)


def _graded(found: list[Submission], roster: dict[str, Person], results: Path, options: Options) -> Graded:
    ledger, known, earlier = _opened(results, found, options)
    secret = earlier.get("seed", options.seed)
    secret = secrets.randbits(63) if secret is None else secret
    settings = Settings(options.limits, secret, options.trust)
    # Refuses, where it must, before anything else is done.
    with Runner(options.limits, drawing_seed(secret), trust=options.trust) as trial:
        protections, lacking = trial.protections, trial.lacking
    crew = _crew(options)
    run = {
        "seed": secret,
        "started": datetime.now().astimezone().isoformat(timespec="seconds"),
        "protections": protections,
        "lacking": lacking,
        "limits": asdict(options.limits),
        "workers": crew.size,
        "course": _version("attention-by-hand"),
        "versions": {"python": platform.python_version(), "numpy": version("numpy")},
    }
    todo = [submission for submission in found if (submission.file, submission.submitted) not in known]
    start = kept = time.monotonic()

    def keep() -> float:
        run["seconds"] = round(earlier.get("seconds", 0.0) + time.monotonic() - start, 3)
        write_whole(results / "run.json", json.dumps(run, indent=2) + "\n")
        return time.monotonic()

    keep()
    try:
        with tqdm(total=len(found), initial=len(found) - len(todo), unit=" submissions", disable=None) as bar:
            for marked in records(_batches(todo, crew.batch, send=bool(options.scheduler)), settings, crew):
                ledger.write(marked)
                bar.update(len(marked))
                if time.monotonic() > kept + 1:  # so that a run that is killed has its time on record, too
                    kept = keep()
    finally:
        keep()
    now = len(todo), time.monotonic() - start
    ledger.settle()
    book = gradebook(ledger.path, roster)
    counts, attempts = Counter[str](), Counter[tuple[str, str]]()
    for record in book.records():
        counts[record.status] += 1
        attempts[record.student, record.notebook] += 1
    senders = {student for student, _ in attempts}
    crowded = sorted({student for (student, notebook), count in attempts.items() if notebook and count >= CROWD})
    said = outputs.write_all(book, run, results, options.lms, options.lms_column, options.lms_notebooks)
    return Graded(book, run, counts, len(senders), now, crowded, said)


def _refuse_place(submissions: Path, results: Path, options: Options) -> None:
    if results.exists() and not results.is_dir():
        raise ValueError(f"got {results}, which is a file, expected a new folder.")
    if results.resolve().is_relative_to(submissions.resolve()):
        raise ValueError(
            f"got {results}, which lies in {submissions}: another run would take it for a student's. "
            "Expected a folder outside of it."
        )
    if options.resume and not (results / "run.json").is_file():
        raise ValueError(f"got --resume, expected a run.json in {results}; there is none. Leave --resume out.")


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
    folder = os.open(results, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"got {results}, expected a folder into which no other run is writing now.") from None
        yield
    finally:
        os.close(folder)


def _opened(results: Path, found: Sequence[Submission], options: Options) -> tuple[Ledger, set[Any], dict[str, Any]]:
    """Return the ledger, what it knows of the submissions, and what `run.json` says of the run that it belongs to."""
    ledger, description = Ledger(results / "results.jsonl"), results / "run.json"
    if not options.resume:
        if any(results.iterdir()):
            raise ValueError(
                f"got {results}, which is not empty, expected a new folder. "
                "`--resume` goes on with a run that was ended there; another folder begins anew."
            )
        return ledger, set(), {}
    earlier: dict[str, Any] = json.loads(description.read_text(encoding="utf-8"))
    if options.seed not in (None, earlier["seed"]):
        raise ValueError(f"got --seed {options.seed}, expected the run's own: it began with {earlier['seed']}.")
    return ledger, ledger.resume({(one.file, one.submitted) for one in found}), earlier


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
