"""What several folders of tests share: four packages and three modules, found by their places."""

import gc
import importlib.util
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

TESTS = Path(__file__).parent


def load(name, file, **places):
    """Import a file of tests/ under a name; with --import-mode=importlib nothing of tests/ is on sys.path."""
    spec = importlib.util.spec_from_file_location(name, file, **places)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


PACKAGES = {"answers": "answers", "browser": "browser", "grading": "teach/grading", "submissions": "submissions"}
for package, folder in PACKAGES.items():
    load(package, TESTS / folder / "__init__.py", submodule_search_locations=[str(TESTS / folder)])
for shared in ("oracles", "pictures", "explorers"):
    load(shared, TESTS / f"{shared}.py")

# No example has a deadline, and none is too slow: a test that a busy machine can fail proves nothing. A test's folder
# is one for all its examples: each writes anew what it reads. Where CI is set, Hypothesis draws the same each time.
settings.register_profile(
    "calm", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
settings.load_profile("calm")


def pytest_collection_finish():
    """Leave what was collected out of every later walk of the garbage collector: with 8,800 tests .6 s each."""
    gc.freeze()
