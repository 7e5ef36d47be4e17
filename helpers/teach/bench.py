"""`make bench`: what an import and a check cost. A benchmark, not a test: ratios within one run are what counts."""

from __future__ import annotations

import contextlib
import io
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from helpers.course import course
from helpers.learn import session
from helpers.teach import solutions
from helpers.teach.mistakes import patched_source, possible_in

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
    """Time each check cell in a notebook's shell: a typical mistake, named, and a right one, new each time and saved.

    At the end the first exercises pass anew, which judges again all that uses them.
    """
    print(f"check, run as a cell, median and largest of {CHECK_ROUNDS}:")
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(ATTENTION_HOME=folder, IPYTHONDIR=folder)
        config = Config()
        config.HistoryManager.enabled = False
        shell = InteractiveShell.instance(config=config)
        session.start()  # `helpers` was imported before there was a shell
        _cell(shell, "import numpy as np\nfrom helpers import Head, check")
        names = list(course().exercises)
        width = max(map(len, names))
        for name in [*names, *names[:2]]:
            right = solutions.source(name)
            wrong = patched_source(name, [next(one for one in possible_in(name) if one.exercise == name)])
            for answer, mark in ((wrong, "✗"), (right, "✓")):
                runs = []
                for turn in range(CHECK_ROUNDS):
                    _cell(shell, answer.replace('"""Return', f'"""({turn}) Return', 1), name)
                    start = time.perf_counter()
                    said = _cell(shell, f"check({name})")
                    runs.append(1000 * (time.perf_counter() - start))
                    if not said.startswith(mark):
                        raise RuntimeError(f"expected {mark}, got: {said}")
                print(f"  {name:<{width}} {mark} {statistics.median(runs):6.1f} ms   {max(runs):6.1f} ms")


def _cell(shell: Any, source: str, id_: str | None = None) -> str:
    """Run a cell and return what it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        shell.run_cell(source, store_history=False, cell_id=id_)
    return printed.getvalue()


def _interpret(program: str) -> None:
    subprocess.run([sys.executable, "-c", program], check=True)  # noqa: S603  one of the three above


def _milliseconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - start)


if __name__ == "__main__":
    main()
