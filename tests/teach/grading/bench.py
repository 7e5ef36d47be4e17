"""`python -m tests.teach.grading.bench`: what grading costs, here and with other tools, in one run.

All get the same submissions of notebook 1, in rounds, each tool in an environment of its own. `--growth` measures how
our grader does with 30, 300 and 3,000 submissions instead. What counts are ratios within one run.
"""

import argparse
import math
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

if "grading" not in sys.modules:  # pytest's conftest has loaded it; the command has not
    sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]

from grading import metered, synthetic
from grading.contenders import CONTENDERS, FILE, Contender, handed_in
from grading.environments import VERSIONS, Environment, environment
from grading.metered import Cost, Failed
from helpers.course import course
from helpers.teach.grading.record import parse

MB = 1e6
NAMED = ("numpy", "ipykernel", "nbformat", "nbclient", "nbconvert", "pytest", "nbval", "nbgrader", "otter-grader")


@dataclass
class Measured:
    """What a contender's rounds gave.

    Attributes
    ----------
    count : int
        How many submissions a round had.
    whole : list of Cost
        Each round with all of them.
    single : list of Cost
        Each round with one of them; empty where each is graded by a command of its own.
    agrees : str
        How many submissions got the right verdict, in the last round.
    failed : str
        Why it could not be measured.
    """

    count: int
    whole: list[Cost] = field(default_factory=list)
    single: list[Cost] = field(default_factory=list)
    agrees: str = ""
    failed: str = ""

    @property
    def rate(self) -> float:
        """Submissions a second, start-up and all."""
        return self.count / _median(self.whole, _wall)

    @property
    def start(self) -> float:
        """Seconds that do not depend on the number of submissions."""
        return max(0.0, _median(self.single, _wall) - self._more(_wall)) if self.single else 0.0

    @property
    def rate_after(self) -> float:
        """Submissions a second after the start-up; nan where the noise hides it."""
        more = self._more(_wall)
        return 1 / more if more > 0 else float("nan")

    @property
    def cpu(self) -> float:
        """Seconds of a processor for each submission, start-up and all."""
        return _median(self.whole, _cpu) / self.count

    @property
    def cpu_after(self) -> float:
        """Seconds of a processor for each submission after the start-up."""
        return self._more(_cpu)

    def _more(self, part: Callable[[Cost], float]) -> float:
        """Return what one submission more costs: by the difference of all to one."""
        if not self.single:
            return _median(self.whole, part) / self.count
        return (_median(self.whole, part) - _median(self.single, part)) / (self.count - 1)


def compare(contenders: Sequence[Contender], counts: dict[str, int], rounds: int, cache: Path) -> dict[str, Measured]:
    """Measure all contenders in turn, round by round, so that a busy moment meets them alike."""
    found = {one.name: Measured(counts[one.pace]) for one in contenders}
    environments = {one.tool: environment(one.tool, cache) for one in contenders}
    for turn in range(rounds):
        for one in contenders:
            measured = found[one.name]
            if measured.failed:
                continue
            _say(f"round {turn + 1} of {rounds}: {one.name}")
            try:
                if not one.alone:
                    measured.single.append(_graded(one, 1, environments[one.tool])[0])
                cost, measured.agrees = _graded(one, measured.count, environments[one.tool])
                measured.whole.append(cost)
            except Failed as failure:
                measured.failed = str(failure)
    return found


def _graded(one: Contender, count: int, used: Environment) -> tuple[Cost, str]:
    """Grade some submissions in a folder of their own; return the cost, and how many verdicts are as they should be."""
    handed = handed_in(count)
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name).resolve()
        commands = one.prepare(folder, handed, used)
        cost = metered.run(commands, folder, used.variables(), one.good)
        try:
            right = one.right(folder, used)
        except OSError as error:
            raise Failed(f"it left no result: {error}") from error
    if right is None:
        return cost, "–"
    return cost, f"{sum((each.student in right) == each.right for each in handed)} of {count}"


def tables(found: dict[str, Measured]) -> Iterable[str]:
    """Yield the lines of two Markdown tables: what each contender costs, and how the rates compare."""
    done = {name: one for name, one in found.items() if one.whole and not one.failed}
    after = ("start-up s", "a second after it", "CPU s each after it")
    yield _row(
        "", "submissions", "a second", "[min–max]", "CPU s each", *after, "peak MB", "verdicts as they should be"
    )
    yield _row("---", *9 * ["---:"])
    for name, one in done.items():
        rates = [one.count / cost.wall for cost in one.whole]
        yield _row(
            name,
            one.count,
            _figure(one.rate),
            f"[{_figure(min(rates))}–{_figure(max(rates))}]",
            f"{one.cpu:.3f}",
            f"{one.start:.1f}" if one.single else "in each",
            _figure(one.rate_after),
            f"{one.cpu_after:.3f}",
            f"{max(cost.tree for cost in one.whole) / MB:.0f}",
            one.agrees,
        )
    than = [name for name in done if name.startswith(("attention", "floor"))]
    yield ""
    yield _row("the rate of each, in multiples of this row's (in brackets: after start-up)", *than)
    yield _row("---", *["---:" for _ in than])
    for name, one in done.items():
        ratios = [(done[other].rate / one.rate, done[other].rate_after / one.rate_after) for other in than]
        yield _row(name, *[f"{_figure(whole)} ({_figure(after)})" for whole, after in ratios])
    for name, one in found.items():
        if left := sum(cost.left for cost in one.whole):
            yield f"\n{name} left {left} processes running, which were killed."
        if one.failed:
            yield f"\nNot measured: {name}. {one.failed}"


def growth(sizes: Sequence[int], workers: int, cache: Path) -> Iterable[str]:
    """Yield the lines of a Markdown table: our grader on classes of some sizes."""
    used = environment("ours", cache)
    each = len(course().notebooks)
    yield f"attention grade, {workers} workers, synthetic classes of all {each} notebooks:"
    yield ""
    figures = ("seconds", "a second", "CPU s each", "peak MB, main process", "peak MB, all processes")
    yield _row("submissions", *figures, "records", "exercises with the right verdict")
    yield _row(*8 * ["---:"])
    for size in sizes:
        _say(f"a class with {size} submissions")
        with tempfile.TemporaryDirectory(prefix="bench-") as name:
            folder = Path(name).resolve()
            drawn = synthetic.make(folder / "submissions", size // each, absent=0)
            command = used.command("attention", "grade", "submissions", "--out", "results", "--workers", str(workers))
            cost = metered.run([command], folder, used.variables())
            with (folder / "results" / "results.jsonl").open(encoding="utf-8") as file:
                records = list(map(parse, file))
        verdicts = [(one.verdict, drawn[record.file][one.function]) for record in records for one in record.exercises]
        agree = sum((verdict == "right") == (what == "right") for verdict, what in verdicts)
        yield _row(
            len(drawn),
            f"{cost.wall:.1f}",
            _figure(len(drawn) / cost.wall),
            f"{cost.cpu / len(drawn):.3f}",
            f"{cost.main / MB:.0f}",
            f"{cost.tree / MB:.0f}",
            f"{len(records)}, of {len({record.file for record in records})} files",
            f"{agree} of {sum(map(len, drawn.values()))}",
        )


def circumstances(tools: Iterable[str], cache: Path) -> Iterable[str]:
    """Yield what the figures depend on: the machine, and the versions."""
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    yield f"{time.strftime('%Y-%m-%d')}, {platform.platform()}, {os.cpu_count()} cores, load {load} (1, 5, 15 min)."
    yield f"Python {platform.python_version()}, OPENBLAS_NUM_THREADS=1 everywhere."
    for tool in dict.fromkeys(tools):
        installed = [one for one in environment(tool, cache).versions() if one.partition("==")[0] in NAMED]
        yield f"- {tool}: {', '.join(installed)}"


def _wall(cost: Cost) -> float:
    return cost.wall


def _cpu(cost: Cost) -> float:
    return cost.cpu


def _median(costs: Iterable[Cost], part: Callable[[Cost], float]) -> float:
    return statistics.median(map(part, costs))


def _figure(value: float) -> str:
    """Return a number with two or three digits that count; what the noise hides, as a dash."""
    if math.isnan(value):
        return "–"
    return f"{value:.2f}" if value < 1 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def _row(*words: object) -> str:
    return f"| {' | '.join(map(str, words))} |"


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def main() -> None:
    """Measure what the command line asks for, and print the tables."""
    parser = argparse.ArgumentParser(description="Measure what grading costs, here and with other tools.")
    parser.add_argument("--slow", type=int, default=12, metavar="N", help="submissions for nbval, nbgrader and otter")
    parser.add_argument("--fast", type=int, default=300, metavar="N", help="submissions for ours and bare execution")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--only", nargs="+", choices=[*VERSIONS], metavar="TOOL", help=f"of {', '.join(VERSIONS)}")
    parser.add_argument("--quick", action="store_true", help="one round of a few submissions, to try it out")
    parser.add_argument("--growth", action="store_true", help="our grader on 30, 300 and 3,000 submissions")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="for --growth")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep the environments there for the next time")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-") as forgotten:
        cache = (wanted.cache or Path(forgotten)).resolve()
        cache.mkdir(parents=True, exist_ok=True)
        if wanted.growth:
            lines = growth((30, 60) if wanted.quick else (30, 300, 3000), wanted.workers, cache)
            tools = ["ours"]
        else:
            chosen = [one for one in CONTENDERS if not wanted.only or one.tool in wanted.only]
            counts = {"slow": wanted.slow, "fast": wanted.fast}
            rounds = wanted.rounds
            if wanted.quick:
                counts, rounds = {"slow": 3, "fast": 6}, 1
            lines = tables(compare(chosen, counts, rounds, cache))
            tools = [one.tool for one in chosen]
            print(f"Copies of {FILE}: right, with a softmax along the rows, and half done; medians of {rounds} rounds.")
        for line in [*lines, "", *circumstances(tools, cache)]:
            print(line, flush=True)


if __name__ == "__main__":
    main()
