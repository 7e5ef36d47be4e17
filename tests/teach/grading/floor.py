"""The floor of the benchmark: run the code cells of notebooks in forks of one warm process, and judge nothing.

`python floor.py [--only ID,ID] [--shell] NOTEBOOK ...`. A script of its own, for an environment of its own. Cells are
run by `exec`, where `check` refuses to judge, or in IPython's shell as in a kernel, where it does.
"""

import argparse
import gc
import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import matplotlib.pyplot  # noqa: F401  warm: what a notebook imports is there before the first fork
import numpy  # noqa: F401  as above
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import helpers.explore  # noqa: F401  as above
from helpers.learn import session

Cell = dict[str, str]


def bare() -> Callable[[Cell], None]:
    """Return what runs a cell by `exec`; one that raises does not stop the next."""
    names: dict[str, object] = {"__name__": "__main__"}

    def run(cell: Cell) -> None:
        try:
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)  # noqa: S102  that is the floor
        except Exception:  # noqa: BLE001  a student's error may be any
            traceback.print_exc()

    return run


def in_shell() -> Callable[[Cell], None]:
    """Return what runs a cell in IPython's shell."""
    config = Config()
    config.HistoryManager.enabled = False  # it would start a thread
    shell = InteractiveShell.instance(config=config)
    session.start()  # `helpers` was imported before there was a shell

    def run(cell: Cell) -> None:
        shell.run_cell("".join(cell["source"]), store_history=False, cell_id=cell["id"])

    return run


def main() -> None:
    """Fork once for each notebook."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="ids of the cells to run; all of them unless said otherwise")
    parser.add_argument("--shell", action="store_true", help="run them in IPython's shell")
    parser.add_argument("notebooks", type=Path, nargs="+")
    wanted = parser.parse_args()
    only = [id_ for id_ in wanted.only.split(",") if id_]
    run = in_shell() if wanted.shell else bare()
    gc.collect()
    gc.freeze()  # the forks do not copy what the collector would touch
    for path in wanted.notebooks:
        child = os.fork()
        if not child:
            os.environ["ATTENTION_HOME"] = str(path.resolve().parent)
            for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
                if cell["cell_type"] == "code" and (not only or cell["id"] in only):
                    run(cell)
            sys.stdout.flush()
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
