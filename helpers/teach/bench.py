"""`make bench`: what an import and a check cost. A benchmark, not a test: ratios within one run are what counts."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from helpers.course import course
from helpers.learn.check import judge_source
from helpers.teach import solutions

IMPORT_ROUNDS, CHECK_ROUNDS = 15, 50


def main() -> None:
    """Print the figures that the README and the notes quote."""
    _imports()
    _checks()


def _imports() -> None:
    """Time three fresh interpreters in turn, so that a busy moment meets them alike."""
    programs = {
        "numpy": "import numpy",
        "numpy + helpers": "import numpy, helpers",
        "numpy + matplotlib.pyplot": "import numpy, matplotlib.pyplot",
    }
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(IMPORT_ROUNDS):
        for name, program in programs.items():
            times[name].append(_milliseconds(lambda program=program: _interpret(program)))  # type: ignore[misc] # bound now
    median = {name: statistics.median(values) for name, values in times.items()}
    print(f"import, a fresh interpreter each, median of {IMPORT_ROUNDS}:")
    for name, value in median.items():
        print(f"  {name:<26} {value:6.0f} ms   (numpy + {value - median['numpy']:.0f} ms)")


def _checks() -> None:
    """Time the judgment of each right answer, and of one that fails, without the notebook around it."""
    print(f"check, median and largest of {CHECK_ROUNDS}:")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ATTENTION_HOME"] = folder
        earlier = {name: solutions.function(name) for name in course().exercises}
        for name in course().exercises:
            source = solutions.source(name)
            runs = [_milliseconds(lambda: judge_source(name, source, earlier)) for _ in range(CHECK_ROUNDS)]  # noqa: B023  called at once
            print(f"  {name:<26} {statistics.median(runs):6.1f} ms   {max(runs):6.1f} ms")


def _interpret(program: str) -> None:
    subprocess.run([sys.executable, "-c", program], check=True)  # noqa: S603  one of the three above


def _milliseconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - start)


if __name__ == "__main__":
    main()
