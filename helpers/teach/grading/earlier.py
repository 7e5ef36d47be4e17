"""What `--resume` finds of the run that it goes on with, and where it must not: no mark is lost without a word."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from helpers.teach.grading.outputs.page import counted, some
from helpers.teach.grading.submission import Submission

NAME: Final = "run.json"
_NAMED: Final = 3  # files in a sentence


def read_run(results: Path) -> dict[str, Any]:
    """Return what `run.json` says of the run in a folder.

    Raises
    ------
    ValueError
        If it is damaged.
    """
    try:
        run = json.loads((results / NAME).read_text(encoding="utf-8"))
    except ValueError:
        run = None
    if isinstance(run, dict) and isinstance(run.get("seed"), int) and isinstance(run.get("seconds", 0.0), int | float):
        return run
    raise ValueError(
        f"got {results / NAME}, which is damaged, expected the seed of a run. "
        "Put an older copy in its place, or begin anew, in another folder."
    )


def refuse_other(run: Mapping[str, Any], submissions: Path, seed: int | None) -> None:
    """Raise ValueError if a run is to go on with other submissions or another seed than it began with."""
    began = run.get("submissions", str(submissions.resolve()))  # runs of before it was kept do not say
    if began != str(submissions.resolve()):
        raise ValueError(
            f"got --resume with {submissions}, expected the run's own: it began with {began}. "
            "Give that, or another folder for the results."
        )
    if seed not in (None, run["seed"]):
        raise ValueError(f"got --seed {seed}, expected the run's own: it began with {run['seed']}.")


def changes(
    whose: Mapping[str, str], found: Iterable[Submission], submissions: Path, run: Mapping[str, Any], roster: str
) -> list[str]:
    """Return what became of the files that were marked, one sentence each.

    Parameters
    ----------
    whose : mapping of str to str
        The student of each, as recorded.
    found : iterable of Submission
        What is collected now.
    submissions : Path
        Where.
    run : mapping
        What `run.json` says.
    roster : str
        What tells the roster of now from others; empty where there is none.

    Raises
    ------
    ValueError
        If most of the files are gone. Or if most are another student's now, and no new roster says so: one file in the
        wrong place can make a class one student.
    """
    now = {one.file: one.student for one in found}
    gone = [file for file in whose if file not in now]
    moved = [file for file, student in whose.items() if now.get(file, student) != student]
    if 2 * len(gone) > len(whose):
        raise ValueError(
            f"got {submissions} without {len(gone):,} of the {counted(len(whose), 'file')} that are marked, "
            "expected most of them. Put them back, or choose another folder for the results."
        )
    began = run.get("roster", "")
    if 2 * len(moved) > len(whose) and roster in ("", began):
        what = (
            "The run had a roster: give --roster again."
            if began and not roster
            else "Look at what was added, give a --roster, or choose another folder for the results."
        )
        raise ValueError(
            f"got {submissions} as the work of {counted(len(set(now.values())), 'student')}, expected that of "
            f"{len(set(whose.values())):,}: {len(moved):,} of the {counted(len(whose), 'file')} that are marked would "
            f"become another student's. {what}"
        )
    said = []
    if gone:
        said.append(f"{counted(len(gone), 'marked file')} gone from {submissions}, with the marks: {_some(gone)}.")
    if moved:
        said.append(f"{counted(len(moved), 'marked file')} under another student than before: {_some(moved)}.")
    return said


def _some(files: list[str]) -> str:
    return some(files, _NAMED)
