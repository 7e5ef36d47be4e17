"""The floor of the benchmark: run the code cells of notebooks in forks of one warm process, and judge nothing.

`python floor.py [--only ID,ID] NOTEBOOK ...`. It is a script of its own, since it runs in an environment of its own.
"""

import argparse
import gc
import json
import os
import sys
import traceback
from pathlib import Path

import IPython  # noqa: F401  warm: what a notebook imports is there before the first fork
import matplotlib.pyplot  # noqa: F401  as above
import numpy  # noqa: F401  as above

import helpers.explore  # noqa: F401  as above


def run(path: Path, only: list[str]) -> None:
    """Run a notebook's code cells in order; one that raises does not stop the next."""
    os.environ["ATTENTION_HOME"] = str(path.parent)
    names: dict[str, object] = {"__name__": "__main__"}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code" and (not only or cell["id"] in only):
            try:
                exec(compile("".join(cell["source"]), cell["id"], "exec"), names)  # noqa: S102  that is the floor
            except Exception:  # noqa: BLE001  a student's error may be any
                traceback.print_exc()


def main() -> None:
    """Fork once for each notebook."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="ids of the cells to run; all of them unless said otherwise")
    parser.add_argument("notebooks", type=Path, nargs="+")
    wanted = parser.parse_args()
    only = [id_ for id_ in wanted.only.split(",") if id_]
    gc.collect()
    gc.freeze()  # the forks do not copy what the collector would touch
    for path in wanted.notebooks:
        child = os.fork()
        if not child:
            run(path.resolve(), only)
            sys.stdout.flush()
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
