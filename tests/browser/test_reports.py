"""The reports in a browser, as a student and an instructor see them: scanned, measured, worked by keys."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from grading import records

from browser.page import AXE, SCAN
from helpers.teach.grading.outputs.class_report import class_page
from helpers.teach.grading.outputs.feedback import write_feedback

pytestmark = pytest.mark.xdist_group("browser")  # one worker, so that Chromium starts once

SIZES = (3, 500)
both_looks = pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
both_sizes = pytest.mark.parametrize("size", SIZES)

WIDTH = "document.documentElement.scrollWidth"
# Everything that is folded up, unfolded: axe-core leaves out what is not shown.
UNFOLD = "document.querySelectorAll('details').forEach(one => { one.open = true; })"
# By how much the picture is scaled that is shrunk most.
SMALLEST = """Math.min(...[...document.querySelectorAll('svg')].filter(one => one.checkVisibility()).map(
  one => one.getBoundingClientRect().width / one.viewBox.baseVal.width))"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Write the reports about a class of 3 and one of 500: the folder of each."""
    folders = {}
    for size in SIZES:
        folders[size] = folder = tmp_path_factory.mktemp(f"class_of_{size}")
        book = records.book(folder, size)
        (folder / "class.html").write_text(class_page(book, records.RUN), encoding="utf-8")
        write_feedback(book, folder / "feedback")
    return folders


class Report:
    """A report in a tab of its own."""

    def __init__(self, browser: Any, file: Path, theme: str = "light", width: int = 1280) -> None:
        self.page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=theme)
        self.errors: list[str] = []  # what the console shows in red: what the page's policy forbids, too
        self.asked: list[str] = []  # the addresses of all requests
        self.page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri())

    def violations(self) -> list[str]:
        """Return what axe-core finds, its best practices included."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = self.page.evaluate(SCAN, [[["html"]], []])
        return [f"{one['id']}: {node['html'][:200]}" for one in found["violations"] for node in one["nodes"]]


@pytest.fixture
def opened(browser: Any, reports: dict[int, Path]) -> Iterator[Any]:
    """Return what opens a report, and close it at the end."""
    tabs: list[Report] = []

    def open_(size: int, file: str = "class.html", theme: str = "light", width: int = 1280) -> Report:
        (path,) = reports[size].glob(file)
        tabs.append(Report(browser, path, theme, width))
        return tabs[-1]

    yield open_
    for tab in tabs:
        tab.page.close()


def files(size: int) -> list[str]:
    """Return the class page and a few students' pages: an ordinary one, and those with the oddest names."""
    return [
        "class.html",
        *(f"feedback/{name}*.html" for name in (["s0001"] if size == 3 else ["s0300", "name.", "_script"])),
    ]


@both_sizes
@both_looks
def test_the_scan_finds_nothing(opened: Any, size: int, theme: str, width: int) -> None:
    """axe-core finds no violation, folded up as the page opens, and with everything unfolded."""
    for file in files(size):
        report = opened(size, file, theme, width)
        assert report.violations() == [], file
        if size == 3 or file != "class.html":  # 500 rows of it take axe-core minutes
            report.page.evaluate(UNFOLD)
            assert report.violations() == [], file


@both_sizes
@both_looks
def test_nothing_sticks_out(opened: Any, size: int, theme: str, width: int) -> None:
    """No page scrolls sideways, unfolded or not, and no picture is shrunk by more than a hundredth."""
    for file in files(size):
        report = opened(size, file, theme, width)
        assert report.page.evaluate(WIDTH) <= width, file
        assert report.page.evaluate(SMALLEST) >= 0.99, file
        report.page.evaluate(UNFOLD)
        assert report.page.evaluate(WIDTH) <= width, file


@both_sizes
def test_nothing_is_asked_for(opened: Any, size: int) -> None:
    """A page requests itself and nothing else, and its policy forbids nothing of its own."""
    for file in files(size):
        report = opened(size, file)
        assert len(report.asked) == 1, report.asked
        assert report.errors == []


def test_the_table_is_found_sorted_and_filtered_by_keys(opened: Any) -> None:
    """Unfold the table, sort it by points, find a student: all by Tab, Enter and letters."""
    report = opened(500)
    page = report.page
    shown = page.locator("#students tbody tr:visible")
    page.locator("summary", has_text="Every student").focus()
    page.keyboard.press("Enter")
    assert shown.count() == 500

    page.keyboard.press("Tab")
    page.keyboard.type("garcia")
    names = shown.locator("th").all_inner_texts()
    assert names
    assert all("García" in name for name in names)
    assert page.get_by_role("status").inner_text() == f"{len(names)} found"

    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    points = [int(text) for text in shown.locator("td.number").all_inner_texts()]
    assert points == sorted(points)
    assert len(set(points)) > 3


def test_a_fold_opens_without_script(browser: Any, reports: dict[int, Path]) -> None:
    """With scripts switched off the table unfolds, and the tools that need one are not there."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((reports[500] / "class.html").as_uri())
    page.locator("summary", has_text="Every student").click()

    assert page.locator("#students tbody tr:visible").count() == 500
    assert not page.locator("#tools").is_visible()
    context.close()
