"""The command `attention grade`: its options, and what it prints. Nothing heavy is imported until it runs."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # imported where it runs: a student's installation lacks what it needs
    from helpers.teach.grading.grade import Graded

EXAMPLES = """\
examples:
  attention grade downloads/ --out results/               grade a folder, a zip or one notebook
  attention grade downloads/ --out results/ --resume      go on where a run was ended
  attention grade canvas.zip --out results/ --lms gradebook.csv --lms-column "Attention 1 (4711)"
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `attention grade`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.add_argument("submissions", type=Path, help="a folder, a zip or a notebook; nothing in it is changed")
    parser.add_argument("--out", type=Path, required=True, metavar="RESULTS", help="a new folder for all results")
    parser.add_argument("--resume", action="store_true", help="go on with the run that was ended in RESULTS")
    parser.add_argument("--workers", type=_count, default=os.cpu_count() or 1, help="processes (default: one a core)")
    parser.add_argument("--scheduler", default="", metavar="ADDRESS", help="send the work to a Dask scheduler instead")
    parser.add_argument("--roster", type=Path, metavar="CSV", help="who belongs to the class: key, name, id, email")
    parser.add_argument(
        "--lms", type=Path, metavar="CSV", help="an exported Canvas or Moodle file, to fill in a copy of"
    )
    parser.add_argument(
        "--lms-column", default="", metavar="NAME", help="which of its columns, where there are several"
    )
    parser.add_argument(
        "--lms-notebooks",
        nargs="+",
        default=[],
        metavar="NN",
        help="the notebooks whose points it holds (default: all that anybody handed in)",
    )
    parser.add_argument("--seed", type=_count, help="of the hidden examples (default: drawn, and kept in run.json)")
    parser.add_argument(
        "--trust-submissions",
        action="store_true",
        help="run the students' code also where this machine cannot confine it, with your rights",
    )
    limits = parser.add_argument_group("limits of an exercise, and of a file")
    limits.add_argument("--seconds", type=_count, default=10, help="wall clock, and processor time (10)")
    limits.add_argument("--memory", type=_count, default=1024, metavar="MB", help="beyond the warm process (1024)")
    limits.add_argument("--answer", type=_count, default=4, metavar="MB", help="that may come back from it (4)")
    limits.add_argument("--notebook", type=_count, default=50, metavar="MB", help="size of a notebook (50)")
    limits.add_argument("--zip-entries", type=_count, default=1000, metavar="N", help="files in a student's zip (1000)")
    limits.add_argument("--zip-size", type=_count, default=200, metavar="MB", help="of what they unpack to (200)")


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected a whole number above 0")
    return int(text)


def run(chosen: argparse.Namespace) -> int:
    """Grade; return 0 if every submission could be graded, 1 if some must be looked at by hand, 130 after Ctrl-C."""
    try:
        return _run(chosen)
    except KeyboardInterrupt:
        print(f"\n{_stopped(chosen.out)}")
        return 130


def _stopped(results: Path) -> str:
    if (results / "run.json").is_file():
        return f"Stopped. What is known lies in {results}; the same command with --resume goes on."
    return "Stopped before anything was graded; run the same command again."


def _run(chosen: argparse.Namespace) -> int:
    from helpers.course import course, numbered
    from helpers.teach import solutions

    if absent := [name for name in course().exercises if not solutions.held(name)]:
        raise ValueError(
            f"got an edition without the solution of `{absent[0]}`, expected the whole course: "
            "a class is graded where the solutions are."
        )
    if (chosen.lms_column or chosen.lms_notebooks) and chosen.lms is None:
        raise ValueError("got --lms-column or --lms-notebooks, expected --lms FILE beside it: the file to fill in.")
    try:
        from helpers.teach.grading import grade as grading
    except ModuleNotFoundError as missing:
        raise ValueError(
            f"the package {missing.name} is not installed, which only graders need: `pip install -e '.[grade]'`."
        ) from None
    from helpers.teach.grading.collecting.walk import Limits as FileLimits
    from helpers.teach.grading.sandbox.confine import MB, Limits
    from helpers.teach.grading.sandbox.runner import Unconfined

    options = grading.Options(
        workers=chosen.workers,
        scheduler=chosen.scheduler,
        resume=chosen.resume,
        seed=chosen.seed,
        roster=chosen.roster,
        lms=chosen.lms,
        lms_column=chosen.lms_column,
        lms_notebooks=[one.name for one in numbered(chosen.lms_notebooks, "--lms-notebooks")],
        trust=chosen.trust_submissions,
        limits=Limits(chosen.seconds, chosen.memory, chosen.answer),
        files=FileLimits(chosen.notebook * MB, chosen.zip_entries, chosen.zip_size * MB),
    )
    try:
        graded = grading.grade(chosen.submissions, chosen.out, options)
    except Unconfined as problem:
        raise ValueError(str(problem)) from None
    for line in [*_summary(graded, chosen.out), *graded.said]:
        print(line)
    return 1 if graded.counts["unreadable"] else 0


def _summary(graded: Graded, results: Path) -> list[str]:
    """Return what a run came to, in a few lines."""
    from helpers.teach.grading.grade import CROWD
    from helpers.teach.grading.outputs.page import counted, some

    def named(students: Sequence[str]) -> str:
        return some([graded.book.people[student].called for student in students], 3)

    counts, run = graded.counts, graded.run
    (done, seconds), total = graded.now, sum(counts.values())
    lines = [
        f"{counts['graded']:,} of {total:,} submissions graded, of {counted(graded.senders, 'student')}; "
        f"{done:,} of them now, in {seconds:.0f} s ({done / max(seconds, 0.01):.1f} a second)."
    ]
    if absent := len(graded.book.people) - graded.senders:
        lines.append(f"{absent:,} on the roster sent nothing.")
    if graded.unlisted:
        lines.append(
            f"{counted(len(graded.unlisted), 'student')} not on the roster: {named(graded.unlisted)}; "
            "their rows have no name or id."
        )
    if counts["superseded"]:
        lines.append(f"{counts['superseded']:,} superseded by a later attempt.")
    if graded.crowded:
        lines.append(
            f"{named(graded.crowded)}: got {CROWD} attempts or more at one notebook. Is that a folder "
            "of several students? Then grade it by itself, or give --roster."
        )
    if counts["unreadable"]:
        lines.append(f"{counts['unreadable']:,} could not be read: class.html lists them first. They are no 0.")
    lines += [f"Active: {one}." for one in run["protections"]]
    lines += [f"NOT active: {one}." for one in run["lacking"]]
    return [*lines, f"Open {results / 'class.html'}. Keep {results / 'run.json'} to yourself: it holds the seed."]
