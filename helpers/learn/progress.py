"""`progress()`, and the record it reads: attempts, hints opened, predictions and reflections in `progress.json`."""

from __future__ import annotations

import builtins
import contextlib
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from helpers.course import Notebook, course
from helpers.learn import home

_print = builtins.print  # bound now: a notebook may rename print later

Record = dict[str, Any]


def path() -> Path:
    """Return where `progress.json` lies."""
    return home.home() / "progress.json"


def load(file: Path | None = None) -> Record:
    """Return the record, of another file than the session's if one is given.

    A file that cannot be read is moved aside and said so; nothing is lost.
    """
    file = file or path()
    empty: Record = {"exercises": {}, "predictions": {}, "reflections": {}}
    try:
        text = home.read(file)
        record = {**empty, **(json.loads(text) if text else {})}
        entries = [entry for table in empty for entry in record[table].items()]  # each is a table, or this raises
        if all(isinstance(value, (dict, str)) for _, value in entries):
            return record
    except (ValueError, TypeError, AttributeError):
        pass  # not text, not JSON, or not a record
    number = 1
    while (aside := file.with_name(f"progress.unreadable-{number}.json")).exists():
        number += 1
    with contextlib.suppress(OSError):
        file.replace(aside)
        _print(f"progress.json could not be read. It is kept as {aside.name}; a new one begins.")
    return empty


@contextmanager
def editing() -> Iterator[Record]:
    """Lend the record to be changed, and write it back."""
    with home.locked():
        record = load()
        before = json.dumps(record)
        yield record
        if json.dumps(record) != before:
            home.write(path(), json.dumps(record, indent=1, ensure_ascii=False) + "\n")


def entry(record: Record, name: str) -> Record:
    """Return one exercise's entry, made if it is missing."""
    fresh = {
        "attempts": [],
        "message": "",
        "repeats": 0,
        "hints": 0,
        "hint_after": 0,
        "passed": False,
        "gave_up": False,
    }
    found: Record = record["exercises"].setdefault(name, {})
    for key, value in fresh.items():
        found.setdefault(key, value)
    return found


def attempt(name: str, text: str, *, passed: bool) -> bool:
    """Record an attempt at an exercise, and return whether it is the very code of the last one."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    with editing() as record:
        mine = entry(record, name)
        same: bool = mine["attempts"][-1:] == [digest]
        mine["attempts"] = [*(one for one in mine["attempts"] if one != digest), digest]
        mine["passed"] = mine["passed"] or passed
    return same


def repeats(name: str, message: str) -> int:
    """Record what a check said, and return how many times in a row it has said that."""
    with editing() as record:
        mine = entry(record, name)
        mine["repeats"] = mine["repeats"] + 1 if mine["message"] == message else 1
        mine["message"] = message
        return int(mine["repeats"])


def next_step(notebook: Notebook, record: Record) -> str:
    """Return what comes next in a notebook: an exercise's number, "a reflection", or nothing where all is done."""
    for exercise in course().exercises_of(notebook.name):
        if not exercise.optional and not record["exercises"].get(exercise.function, {}).get("passed"):
            return exercise.number
    asked = [name for name, reflection in course().reflections.items() if reflection.notebook == notebook.name]
    return "" if all(record["reflections"].get(name, "").strip() for name in asked) else "a reflection"


def at_work(file: Path) -> Notebook:
    """Return the first notebook in which something is left to do, by the record in a file; the first if nothing is."""
    record = load(file)
    notebooks = list(course().notebooks.values())
    return next((notebook for notebook in notebooks if next_step(notebook, record)), notebooks[0])


def progress() -> None:
    """Print what is done in each notebook: one box an exercise, options in parentheses, and the reflections written.

    A box is filled once the check has passed. Nothing is timed and nothing is taken away.
    """
    record = load()
    rows = []
    for notebook in course().notebooks.values():
        exercises = course().exercises_of(notebook.name)
        passed = {one.function: bool(record["exercises"].get(one.function, {}).get("passed")) for one in exercises}
        asked_for = [one for one in exercises if not one.optional]
        options = [one for one in exercises if one.optional]
        asked = [name for name, reflection in course().reflections.items() if reflection.notebook == notebook.name]
        written = [name for name in asked if record["reflections"].get(name, "").strip()]
        boxes, extra = (
            " ".join("■" if passed[one.function] else "□" for one in group) for group in (asked_for, options)
        )
        step = next_step(notebook, record)
        done = f"{sum(passed[one.function] for one in asked_for)} of {len(asked_for)} checks"
        rows.append(
            (
                f"{notebook.number} · {notebook.title}",
                f"{boxes} ({extra})" if extra else boxes,
                f"{done}, {len(written)} of {len(asked)} reflections",
                f"next: {step}" if step else "all done",
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        _print("   ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
    if all(state == "all done" for *_, state in rows):
        _print("\nAll done: my_attention.py is a transformer that you wrote.")
