"""What is compared: how each tool is given the same submissions, how it is started, and whom it calls all right."""

import csv
import inspect
import subprocess
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from xml.etree import ElementTree

from grading import floor, synthetic
from grading.environments import Environment
from grading.metered import Failed
from helpers.course import course
from helpers.examples import examples
from helpers.learn.run import copied
from helpers.parameters import Head
from helpers.teach import solutions
from helpers.teach.grading.record import parse
from helpers.teach.mistakes import patched_source, possible_in
from helpers.teach.release import release

NOTEBOOK = "single_head"
FILE = course().notebooks[NOTEBOOK].file
EXERCISES = [one.function for one in course().exercises_of(NOTEBOOK)]


@dataclass(frozen=True)
class Handed:
    """What a student handed in.

    Attributes
    ----------
    student : str
        The name of their folder.
    sources : dict of str to str
        For each exercise that was begun, the text of its cell.
    right : bool
        Whether all of it is.
    """

    student: str
    sources: dict[str, str]
    right: bool


def handed_in(count: int) -> list[Handed]:
    """Return honest submissions, in turn right, with a softmax along the rows, and half done."""
    right = {function: solutions.source(function) for function in EXERCISES}
    rows = next(one for one in possible_in("softmax_cols") if one.name == "rows_for_columns")
    variants = [
        (right, True),
        ({**right, "softmax_cols": patched_source("softmax_cols", [rows])}, False),
        ({function: right[function] for function in EXERCISES[: len(EXERCISES) // 2]}, False),
    ]
    return [Handed(f"s{number + 1:03d}", *variants[number % len(variants)]) for number in range(count)]


@dataclass
class Contender:
    """One way of grading.

    Attributes
    ----------
    name : str
        What the table calls it.
    tool : str
        Whose environment it needs.
    options : tuple of str
        What its command gets besides.
    pace : str
        How long a submission takes: "slow" is seconds, of which few are enough, "fast" a fraction of one.
    good : tuple of int
        The exit codes that mean that the work was done.
    alone : bool
        Whether it grades one submission a command, so that there is no start-up to tell apart.
    """

    name: str
    tool: str
    options: tuple[str, ...] = ()
    pace: Literal["slow", "fast"] = "slow"
    good: tuple[int, ...] = (0,)
    alone: bool = field(default=False, init=False)

    def prepare(self, folder: Path, handed: Sequence[Handed], environment: Environment) -> list[list[str]]:
        """Lay out submissions in an empty folder, and return the commands that grade them there."""
        raise NotImplementedError

    def right(self, folder: Path, environment: Environment) -> set[str] | None:
        """Return the students whose submission was found all right; None from what does not judge."""
        raise NotImplementedError


class Ours(Contender):
    """`attention grade`."""

    def prepare(self, folder: Path, handed: Sequence[Handed], environment: Environment) -> list[list[str]]:
        """See `Contender`."""
        _lay_out(folder / "submissions", handed)
        return [environment.command("attention", "grade", "submissions", "--out", "results", *self.options)]

    def right(self, folder: Path, environment: Environment) -> set[str]:
        """See `Contender`."""
        lines = (folder / "results" / "results.jsonl").read_text(encoding="utf-8").splitlines()
        records = map(parse, lines)
        return {one.student for one in records if all(marked.verdict == "right" for marked in one.exercises)}


class Nbval(Contender):
    """`pytest --nbval` as it comes: each notebook against the outputs stored in it."""

    def prepare(self, folder: Path, handed: Sequence[Handed], environment: Environment) -> list[list[str]]:
        """See `Contender`."""
        _lay_out(folder / "submissions", handed)
        # The course's own plugin, which would take over its notebooks, is switched off.
        plain = ("--nbval", "-p", "no:attention_by_hand", "-p", "no:cacheprovider", "-q", "--junitxml=results.xml")
        return [environment.command("python", "-m", "pytest", *plain, *self.options, "submissions")]

    def right(self, folder: Path, environment: Environment) -> set[str]:
        """See `Contender`."""
        found: dict[str, bool] = {}
        for case in ElementTree.parse(folder / "results.xml").iter("testcase"):  # noqa: S314  pytest's own file
            student = case.attrib["classname"].split(".")[1]
            found[student] = found.get(student, True) and case.find("failure") is None and case.find("error") is None
        return {student for student, right in found.items() if right}


class Nbgrader(Contender):
    """`nbgrader autograde`, one command for all students; making the assignment is not measured."""

    def prepare(self, folder: Path, handed: Sequence[Handed], environment: Environment) -> list[list[str]]:
        """See `Contender`."""
        edition, _ = release(folder / "edition", nbgrader=True)
        (edition / "source").rename(folder / "source")
        (folder / "nbgrader_config.py").write_text('c = get_config()\nc.CourseDirectory.course_id = "bench"\n')
        assignment = Path(FILE).stem
        _unmeasured(environment.command("nbgrader", "generate_assignment", assignment), folder, environment)
        released = synthetic.read(folder / "release" / assignment / FILE)
        for one in handed:
            file = folder / "submitted" / one.student / assignment / FILE
            synthetic.write(file, synthetic.filled(released, one.sources))
        return [environment.command("nbgrader", "autograde", assignment)]

    def right(self, folder: Path, environment: Environment) -> set[str]:
        """See `Contender`."""
        _unmeasured(environment.command("nbgrader", "export"), folder, environment)
        with (folder / "grades.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        return {row["student_id"] for row in rows if float(row["score"]) == float(row["max_score"])}


class Otter(Contender):
    """`otter run`, one command a submission; its tests are handed over as the zip it wants."""

    alone = True

    def prepare(self, folder: Path, handed: Sequence[Handed], environment: Environment) -> list[list[str]]:
        """See `Contender`."""
        _lay_out(folder / "submissions", handed)
        with zipfile.ZipFile(folder / "autograder.zip", "w") as archive:
            archive.writestr("otter_config.json", '{"pdf": false}')
            for function in EXERCISES:
                archive.writestr(f"tests/{function}.py", _otter_test(function))
        commands = []
        for one in handed:
            (folder / "results" / one.student).mkdir(parents=True)
            places = ("-a", "autograder.zip", "-o", f"results/{one.student}", f"submissions/{one.student}/{FILE}")
            commands.append(environment.command("otter", "run", *places))
        return commands

    def right(self, folder: Path, environment: Environment) -> set[str]:
        """See `Contender`."""
        found = set()
        for file in folder.glob("results/*/results.json"):
            tests = [test for test in synthetic.read(file)["tests"] if test.get("max_score")]
            if len(tests) == len(EXERCISES) and all(test["score"] == test["max_score"] for test in tests):
                found.add(file.parent.name)
        return found


class Floor(Contender):
    """Bare execution in forks of a warm process."""

    def prepare(self, folder: Path, handed: Sequence[Handed], environment: Environment) -> list[list[str]]:
        """See `Contender`."""
        files = _lay_out(folder / "submissions", handed)
        return [environment.command("python", inspect.getfile(floor), *self.options, *files)]

    def right(self, folder: Path, environment: Environment) -> None:
        """See `Contender`."""


def _not_drawn() -> list[str]:
    """Return the ids of the code cells that draw no picture."""
    cells = synthetic.handed_out(NOTEBOOK)["cells"]
    return [one["id"] for one in cells if one["cell_type"] == "code" and "explore." not in "".join(one["source"])]


CONTENDERS = (
    Ours("attention grade, 1 worker", "ours", ("--workers", "1"), pace="fast"),
    Ours("attention grade, 2 workers", "ours", ("--workers", "2"), pace="fast"),
    Nbval("pytest --nbval", "nbval", good=(0, 1)),
    Nbval("pytest --nbval -n 2 --dist loadfile", "nbval", ("-n", "2", "--dist", "loadfile"), good=(0, 1)),
    Nbgrader("nbgrader autograde, a batch", "nbgrader"),
    Otter("otter run, one by one", "otter"),
    Floor("floor: all cells in a shell", "floor", ("--shell",), pace="fast"),
    Floor("floor: all cells", "floor", pace="fast"),
    Floor("floor: nothing drawn", "floor", ("--only", ",".join(_not_drawn())), pace="fast"),
    Floor("floor: TODO cells alone", "floor", ("--only", ",".join(EXERCISES)), pace="fast"),
)


def _lay_out(folder: Path, handed: Sequence[Handed]) -> list[Path]:
    """Write each student's notebook into a folder of their own, and return the files."""
    files = [folder / one.student / FILE for one in handed]
    for file, one in zip(files, handed, strict=True):
        synthetic.write(file, synthetic.filled(synthetic.handed_out(NOTEBOOK), one.sources))
    return files


def _unmeasured(command: Sequence[str], folder: Path, environment: Environment) -> None:
    """Run what a tool needs before or after, and say what it said if it fails."""
    try:
        subprocess.run(command, cwd=folder, env=environment.variables(), check=True, capture_output=True, text=True)
    except subprocess.CalledProcessError as error:
        raise Failed(
            f"{Path(command[0]).name} {command[1]} ended with {error.returncode}: {error.stderr[-300:]}"
        ) from error


def _otter_test(function: str) -> str:
    """Return an exercise's test in otter's format: one case with a doctest line for each public example."""
    code = "\n".join(f">>> bool({expression})\nTrue" for expression in _agrees(function))
    cases = [{"code": code, "hidden": False, "locked": False}]
    suite = {"cases": cases, "scored": True, "setup": "", "teardown": "", "type": "doctest"}
    test = {"name": function, "points": 1, "suites": [suite]}
    return f"OK_FORMAT = True\ntest = {test!r}\n"


def _agrees(function: str) -> list[str]:
    """Return, for each public example of an exercise, the expression that an answer must make true."""
    found = []
    for example in examples(function):
        expected = solutions.function(function)(*copied(example.arguments))
        arguments = ", ".join(map(_literal, example.arguments))
        found.append(f"np.allclose({function}({arguments}), {_literal(expected)}, rtol=0, atol=1e-6)")
    return found


def _literal(value: Any) -> str:
    """Return an array or a head as the expression that makes it, where `np` and `Head` are known."""
    if isinstance(value, Head):
        return f"Head({', '.join(map(_literal, value))})"
    return f"np.array({value.tolist()!r})"
