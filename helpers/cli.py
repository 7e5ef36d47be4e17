"""The command `attention`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from helpers.teach.grading import command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if all went well, 1 if something is not right yet, 2 for a wrong call."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")  # a Windows console may use an encoding without ✓
    parser = argparse.ArgumentParser(prog="attention", description="Attention by Hand: write a transformer in numpy.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("lab", help="open the notebooks in JupyterLab; options are handed on to jupyter lab")
    check = commands.add_parser("check", help="judge a saved notebook, as its check cells do")
    check.add_argument("file", type=Path, help="the notebook; it is not changed")
    commands.add_parser("progress", help="what is done, from the progress.json in this folder or notebooks/")
    refresh = commands.add_parser("refresh", help="store outputs, true values and pictures anew (authors)")
    refresh.add_argument("number", type=int, nargs="*", help="the notebooks, by number; all if none is given")
    refresh.add_argument("--check", action="store_true", help="write nothing; fail if anything would change")
    _release_arguments(
        commands.add_parser("release", help="write the folder and the zip that students get (instructors)")
    )
    command.add_arguments(commands.add_parser("grade", help="grade a class (instructors)"))
    chosen, others = parser.parse_known_args(arguments)
    if others and chosen.command != "lab":
        parser.error(f"unrecognized arguments: {' '.join(others)}")
    try:
        code = _run(chosen, others)
        sys.stdout.flush()
    except ValueError as error:
        print(f"attention {chosen.command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # who read it, `head` say, has enough; Python's own last flush must not fail either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _run(chosen: argparse.Namespace, others: Sequence[str]) -> int:
    if chosen.command == "lab":
        return _lab(others)
    if chosen.command == "check":
        return _check(chosen.file)
    if chosen.command == "progress":
        return _progress()
    if chosen.command == "release":
        return _release(chosen.out, chosen.edition, chosen.unlock, nbgrader=chosen.format == "nbgrader")
    if chosen.command == "grade":
        return command.run(chosen)
    return _refresh(chosen.number, check=chosen.check)


def _lab(options: Sequence[str]) -> int:
    """Start JupyterLab, in this process, on the first notebook in which something is left to do."""
    from jupyterlab.labapp import main as jupyter_lab

    from helpers.learn.progress import at_work
    from helpers.teach.course_folder import notebooks_folder

    kept = Path(os.environ.get("ATTENTION_HOME", notebooks_folder())).expanduser()
    # As a default address and not as a file: so the address that is printed leads to the notebook, too.
    first = [
        f"--ServerApp.root_dir={notebooks_folder()}",
        f"--LabApp.default_url=/lab/tree/{at_work(kept / 'progress.json').file}",
    ]
    if any(option.endswith(".ipynb") for option in options):
        first = []  # the notebook that was asked for opens instead
    # In a container everything runs as root, where Jupyter wants to be told that this is meant.
    as_root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    sys.argv = ["jupyter-lab", *first, *as_root, *options]
    jupyter_lab()
    return 0


def _check(path: Path) -> int:
    from helpers.course import course
    from helpers.learn import portfolio
    from helpers.learn.judge import NOT_TRIED
    from helpers.teach.check_file import check_file
    from helpers.teach.course_folder import notebooks_folder

    if not path.is_file():
        raise ValueError(f"got {path}, expected a notebook; there is no such file.")
    beside = path.resolve().parent
    kept = beside if (beside / "my_attention.py").is_file() else notebooks_folder()
    os.environ.setdefault("ATTENTION_HOME", str(kept))
    verdicts = []
    try:
        for verdict in check_file(path):
            print(verdict.text)
            verdicts.append(verdict)
    except portfolio.Refused as broken:
        raise ValueError(str(broken)) from None
    left_out = [one for one in verdicts if course().exercises[one.function].optional and one.status in NOT_TRIED]
    right = sum(verdict.status == "right" for verdict in verdicts)
    total = len(verdicts) - len(left_out)
    options = f" Left out: {len(left_out)} {'option' if len(left_out) == 1 else 'options'}." if left_out else ""
    print(f"\n{right} of {total} exercises pass.{options}")
    return 0 if right == total else 1


def _progress() -> int:
    from helpers.learn.progress import progress
    from helpers.teach.course_folder import notebooks_folder

    if not Path("progress.json").is_file():
        os.environ.setdefault("ATTENTION_HOME", str(notebooks_folder()))
    progress()
    return 0


def _refresh(numbers: Sequence[int], *, check: bool) -> int:
    from helpers.teach.refresh import Drift, refresh

    try:
        changed = refresh(numbers, check=check)
    except (Drift, FileNotFoundError) as problem:
        print(problem, file=sys.stderr)
        return 1
    for line in changed:
        print(line)
    if check and changed:
        print(f"{len(changed)} files are not what the solutions give. Run `attention refresh` and look at the diff.")
        return 1
    print("Nothing to do." if not changed else f"{len(changed)} files written.")
    if changed and numbers:
        print("Other notebooks may use what changed: `attention refresh` looks at all of them.")
    return 0


def _release_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("out", type=Path, metavar="OUT", help="the new folder; OUT.zip is written beside it")
    parser.add_argument(
        "--edition",
        choices=("course", "self-study"),
        default="course",
        help="without solutions, or with all (default: course)",
    )
    parser.add_argument(
        "--unlock",
        nargs="+",
        default=[],
        metavar="NN",
        help="notebooks whose solutions a course edition holds all the same",
    )
    parser.add_argument(
        "--format",
        choices=("plain", "nbgrader"),
        default="plain",
        help="with nbgrader's cell metadata or without (default: plain)",
    )


def _release(out: Path, edition: str, unlock: Sequence[str], *, nbgrader: bool) -> int:
    from helpers.teach.release import release

    folder, zipped = release(out, edition, unlock, nbgrader=nbgrader)
    print(f"Written: {folder} and {zipped}. Students unpack the zip and read its README.md.")
    if nbgrader:
        print(f"For the nbgrader course: {folder / 'NBGRADER.md'}.")
    return 0
