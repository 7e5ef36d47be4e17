"""`python -m tests.teach.grading.synthetic FOLDER`: a class that never was, from the recorded answers.

A folder for each student, in it the course's notebooks. Every TODO cell holds an answer drawn at random, always the
same for one seed: mostly a right one, sometimes a wrong one, the stub as it was handed out, or no cell at all.
"""

import argparse
import json
import random
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

if "answers" not in sys.modules:  # pytest's conftest has loaded it; the command has not
    sys.path.insert(0, str(Path(__file__).parents[2]))

from answers import right_answers, wrong_answers

from helpers.course import course
from helpers.teach import solutions
from helpers.teach.course_folder import notebooks_folder

Drawn = Literal["right", "wrong", "not started", "missing"]
SHARES: dict[Drawn, float] = {"right": 0.80, "wrong": 0.12, "not started": 0.05, "missing": 0.03}


def make(
    folder: Path, students: int, seed: int = 1, absent: float = 0.02, notebooks: Sequence[str] = ()
) -> dict[str, dict[str, Drawn]]:
    """Write a class, and return what it should get.

    Parameters
    ----------
    folder : Path
        Where each student's folder is put: `student-0001/01_single_head.ipynb`.
    students : int
        How many there are.
    seed : int, optional
        Another seed, another class.
    absent : float, optional
        The share of notebooks that are never handed in.
    notebooks : sequence of str, optional
        Which of the course's notebooks; all of them unless said otherwise.

    Returns
    -------
    drawn : dict of str to dict of str to str
        For each file, by its place in the folder, what was drawn for each exercise: "right" must earn its points,
        and nothing else may. "not started" and "missing" are the verdicts themselves; a wrong answer may be called
        "wrong" or "error".
    """
    rng = random.Random(seed)  # noqa: S311  nothing is kept secret with it
    expected: dict[str, dict[str, Drawn]] = {}
    for number in range(1, students + 1):
        for name in notebooks or course().notebooks:
            file = f"student-{number:04d}/{course().notebooks[name].file}"
            if rng.random() < absent:
                continue
            drawn = {one.function: rng.choices([*SHARES], [*SHARES.values()])[0] for one in course().exercises_of(name)}
            sources = {
                function: None if what == "missing" else rng.choice(_recorded(function)[what])
                for function, what in drawn.items()
                if what != "not started"
            }
            write(folder / file, filled(handed_out(name), sources))
            expected[file] = drawn
    return expected


def filled(notebook: Mapping[str, Any], sources: Mapping[str, str | None]) -> dict[str, Any]:
    """Return a notebook's JSON with answers in its TODO cells.

    Parameters
    ----------
    notebook : mapping
        The notebook as it was handed out.
    sources : mapping of str to str or None
        For an exercise the text of its cell, or None to take the cell out. One that is not named stays the stub.
    """
    cells = []
    for cell in notebook["cells"]:
        source = sources.get(cell["id"], cell["source"])
        if source is not None:
            cells.append({**cell, "source": source})
    return {**notebook, "cells": cells}


@cache
def handed_out(name: str) -> dict[str, Any]:
    """Return the JSON of one of the course's notebooks, by its name without the number."""
    return read(notebooks_folder() / course().notebooks[name].file)


def read(path: Path) -> dict[str, Any]:
    """Return the JSON of a file."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def write(path: Path, notebook: Mapping[str, Any]) -> None:
    """Write a notebook's file, and the folder it lies in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@cache
def _recorded(function: str) -> dict[str, list[str]]:
    """Return the right and the wrong sources of an exercise."""
    return {
        "right": [solutions.source(function), *(one.source for one in right_answers(function))],
        "wrong": [one.source for one in wrong_answers(function)],
    }


def main() -> None:
    """Write a class where the command line says."""
    parser = argparse.ArgumentParser(description="Write a class of synthetic submissions.")
    parser.add_argument("folder", type=Path, help="a new or empty folder")
    parser.add_argument("--students", type=int, default=500, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--absent", type=float, default=0.02, metavar="SHARE", help="notebooks never handed in")
    wanted = parser.parse_args()
    if wanted.folder.is_dir() and any(wanted.folder.iterdir()):
        parser.error(f"expected a new or empty folder, got {wanted.folder}; name another one.")
    expected = make(wanted.folder, wanted.students, wanted.seed, wanted.absent)
    print(f"{len(expected)} submissions of {wanted.students} students in {wanted.folder}")


if __name__ == "__main__":
    main()
