import itertools
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT: dict[str, Any] = PYPROJECT["project"]
CONDA: list[Any] = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
LOCK, DEV_LOCK, BROWSER_LOCK = (
    (ROOT / f"requirements{name}.lock").read_text(encoding="utf-8").splitlines() for name in ("", "-dev", "-browser")
)
LOCKS = [*LOCK, *DEV_LOCK, *BROWSER_LOCK]
NPM_LOCK = (ROOT / "tests" / "browser" / "package-lock.json").read_text(encoding="utf-8")

EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
BUILD: list[str] = PYPROJECT["build-system"]["requires"]
LEFT_OUT: list[str] = PYPROJECT["tool"]["uv"]["constraint-dependencies"]
RANGES = [
    Requirement(line) for line in [*PROJECT["dependencies"], *BUILD, *itertools.chain(*EXTRAS.values()), *LEFT_OUT]
]
PINNED = re.compile(r"[a-z0-9-]+==[0-9a-z.]+( ; [^:@]+)?")


def is_pin(line: str) -> bool:
    """Say whether a line of the lock is a name, a version and at most a marker."""
    return PINNED.fullmatch(line) is not None and " --" not in line


def split_conda() -> tuple[Requirement, list[Requirement], list[str]]:
    """Return what environment.yml asks for: the interpreter, the packages, and pip's own lines."""
    python, *packages, pip, by_pip = CONDA
    assert pip == "pip"
    return Requirement(python), [Requirement(line) for line in packages], by_pip["pip"]


def test_conda_asks_for_the_same_packages() -> None:
    """The packages and ranges of environment.yml are those of pyproject.toml, in the same order."""
    _, packages, _ = split_conda()

    assert [Requirement(line) for line in PROJECT["dependencies"]] == packages


def test_conda_asks_for_the_same_python() -> None:
    """The range of Python versions in environment.yml is that of pyproject.toml."""
    python, _, _ = split_conda()

    assert python.name == "python"
    assert SpecifierSet(PROJECT["requires-python"]) == python.specifier


def test_pip_adds_the_project_only() -> None:
    """In a conda environment pip installs the project itself and nothing else."""
    _, _, by_pip = split_conda()

    assert by_pip == ["-e ."]


def test_lock_is_names_and_versions() -> None:
    """Every line of a lock is `name==version`, with a marker where the platform decides, and packaging reads it."""
    assert [line for line in LOCKS if not is_pin(line)] == []
    for line in LOCKS:
        Requirement(line)


def names(lock: list[str]) -> set[str]:
    """Return which packages a lock pins."""
    return {canonicalize_name(Requirement(line).name) for line in lock}


def test_a_student_downloads_what_the_course_needs() -> None:
    """A student's lock installs the course, and holds nothing that only an author, a grader or a browser test needs."""
    student = names(LOCK)

    assert {canonicalize_name(Requirement(line).name) for line in [*PROJECT["dependencies"], *BUILD]} <= student
    # These come with JupyterLab, its kernel and matplotlib.
    shared = {"beautifulsoup4", "fonttools", "jinja2", "packaging", "psutil", "pyyaml"}
    assert names(EXTRAS["dev"] + EXTRAS["grade"] + EXTRAS["cluster"] + EXTRAS["browser"]) & student == shared


def test_who_runs_the_tests_in_no_browser_downloads_nothing_for_them() -> None:
    """What drives Chromium stands in a lock of its own, which `make lab` and `make test` do not install."""
    assert names(EXTRAS["browser"]) <= names(BROWSER_LOCK)
    assert names(EXTRAS["browser"]) & names(DEV_LOCK) == set()


def test_what_the_course_is_built_with_is_said_alike_twice() -> None:
    """The group that puts setuptools into the lock asks for what the build asks for."""
    assert PYPROJECT["dependency-groups"]["build"] == BUILD


@pytest.mark.skipif("not config.getoption('loadgroup', False)", reason="`make test` alone keeps groups together")
@pytest.mark.xdist_group("kept")
def test_xdist_knows_the_groups(request: pytest.FixtureRequest) -> None:
    """Pytest-xdist 3.8 tells a group by the end of its tests' ids; where that is missing it spreads them silently."""
    assert request.node.nodeid.endswith("@kept")


def test_npm_lock_is_names_versions_and_hashes() -> None:
    """package-lock.json pins what package.json asks for, and says of no package where it was downloaded."""
    asked = json.loads((ROOT / "tests" / "browser" / "package.json").read_text(encoding="utf-8"))["dependencies"]
    pinned = {name: entry for name, entry in json.loads(NPM_LOCK)["packages"].items() if name}

    assert {f"node_modules/{name}": version for name, version in asked.items()} == {
        name: entry["version"] for name, entry in pinned.items()
    }
    assert all("integrity" in entry for entry in pinned.values())
    assert "://" not in NPM_LOCK


@pytest.mark.parametrize(
    "line",
    [
        "",
        "numpy",
        "numpy>=2.0",
        "numpy==2.0 --hash=sha256:00",
        "numpy==2.0 ; python_version < '4' --hash=sha256:00",
        "numpy @ file:///numpy.whl",
        "ftp://example.invalid/numpy.whl",
        "--index-url ftp://example.invalid",
        "-e .",
    ],
)
def test_lock_refuses_anything_else(line: str) -> None:
    """A range, an address, an option or an editable install is no line of the lock."""
    assert not is_pin(line)


@pytest.mark.parametrize("python", ["3.11.0", "3.13.0"])
@pytest.mark.parametrize("wanted", RANGES, ids=lambda wanted: wanted.name)
def test_lock_satisfies_the_ranges(wanted: Requirement, python: str) -> None:
    """On each Python version, on Linux, one version of each package of pyproject.toml is pinned, and it is in range."""
    pins = [pin for pin in map(Requirement, LOCKS) if canonicalize_name(pin.name) == canonicalize_name(wanted.name)]
    on = {"python_full_version": python, "sys_platform": "linux"}
    # A set: psutil stands in two locks, with a marker and without.
    applying = {str(pin.specifier) for pin in pins if pin.marker is None or pin.marker.evaluate(on)}

    assert len(applying) == 1
    (version,) = SpecifierSet(*applying)
    assert version.version in wanted.specifier
