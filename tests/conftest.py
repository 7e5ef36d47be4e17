"""What several folders of tests share: three packages and three modules, found by their places."""

import importlib.util
import sys
from pathlib import Path

TESTS = Path(__file__).parent


def load(name, file, **places):
    """Import a file of tests/ under a name; with --import-mode=importlib nothing of tests/ is on sys.path."""
    spec = importlib.util.spec_from_file_location(name, file, **places)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


for package in ("answers", "browser", "submissions"):
    load(package, TESTS / package / "__init__.py", submodule_search_locations=[str(TESTS / package)])
for shared in ("oracles", "pictures", "explorers"):
    load(shared, TESTS / f"{shared}.py")
