"""What several folders of tests share: the package `answers`, found by its place."""

import importlib.util
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "answers"


def load_answers():
    """Import tests/answers as `answers`; with --import-mode=importlib nothing of tests/ is on sys.path."""
    spec = importlib.util.spec_from_file_location(
        "answers", FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)]
    )
    package = importlib.util.module_from_spec(spec)
    sys.modules["answers"] = package
    spec.loader.exec_module(package)


load_answers()
