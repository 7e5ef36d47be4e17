"""Chromium and JupyterLab, started once for all tests in a browser; a screenshot of what failed."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import chromium, lab

FAILURES = Path(__file__).parent / "failures"

_browsers: list[Any] = []  # the one that is running, where `screenshot` finds it


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Start Chromium. Where something is missing, skip and say what installs it; fail where these tests must run."""
    with contextlib.ExitStack() as stack:
        try:
            _browsers.append(stack.enter_context(chromium.started()))
        except chromium.Missing as missing:
            (pytest.fail if os.environ.get("ATTENTION_BROWSER") == "required" else pytest.skip)(str(missing))
        yield _browsers[0]
        _browsers.clear()


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
