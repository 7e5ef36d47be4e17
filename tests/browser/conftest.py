"""Chromium and JupyterLab, started once for all tests in a browser; a screenshot of what failed."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import lab

FAILURES = Path(__file__).parent / "failures"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--disable-background-networking",  # this and the two below: the browser itself asks nobody for anything
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",  # a machine without a screen may have none
)

_browsers: list[Any] = []  # the one that is running, where `screenshot` finds it


def _refuse(reason: str) -> None:
    """Skip, or fail where the tests in a browser must run."""
    (pytest.fail if os.environ.get("ATTENTION_BROWSER") == "required" else pytest.skip)(reason)


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Start Chromium without a window. Whoever lacks something is told what installs it."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _refuse("Playwright is not installed: `make browser` installs it.")
    from browser.page import AXE

    if not AXE.is_file():
        _refuse("axe-core is not installed: `make browser` installs it.")
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
        program = next(filter(None, map(shutil.which, PROGRAMS)), own if Path(own).is_file() else None)
        if program is None:
            _refuse(f"There is no Chromium: `{sys.executable} -m playwright install chromium` installs it.")
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []  # root has no sandbox
        started = playwright.chromium.launch(executable_path=program, args=[*FLAGS, *root])
        _browsers.append(started)
        yield started
        _browsers.clear()
        started.close()


@pytest.fixture(scope="package")
def student(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lay out the folder of a student who has finished."""
    folder = tmp_path_factory.mktemp("student")
    lab.lay_out(folder)
    return folder


@pytest.fixture(scope="package")
def server(student: Path) -> Iterator[tuple[str, str]]:
    """Serve that folder; yield address and token."""
    with lab.serve(student) as served:
        yield served


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Keep a screenshot of the page on which a test failed, and say where it is."""
    report = yield
    pages = [page for browser in _browsers for context in browser.contexts for page in context.pages]
    if report.failed and pages:
        file = FAILURES / f"{item.name}.png"
        FAILURES.mkdir(exist_ok=True)
        try:
            pages[-1].screenshot(path=file)
        except Exception as error:  # noqa: BLE001 - whatever a broken page raises, the test's own failure is what counts
            report.sections.append(("Screenshot", f"none: {error}"))
        else:
            report.sections.append(("Screenshot", str(file)))
    return report
