"""The notebooks and their explorers in JupyterLab, as a student sees them: drawn, worked by keys, scanned."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from browser import lab
from browser.explorer import Explorer, Findings
from browser.page import Opened
from helpers.course import course

EXPLORING = [notebook for notebook in course().notebooks if lab.explorers(notebook)]

pytestmark = pytest.mark.xdist_group("browser")  # one worker, so that JupyterLab and Chromium start once
every_notebook = pytest.mark.parametrize("visit", course().notebooks, indirect=True)
exploring = pytest.mark.parametrize("visit", EXPLORING, indirect=True)
both_looks = pytest.mark.parametrize(("theme", "width"), [("Light", 1280), ("Dark", 900)])

# What is ours in the page: what markdown cells and outputs show.
OURS = [".jp-Notebook .jp-MarkdownOutput", ".jp-Notebook .jp-OutputArea-output"]

# What is not ours, or not as axe-core sees it; each with the reason.
LEFT_OUT = [
    "th:has(mjx-container)",  # JupyterLab draws a formula with glyphs of a style sheet: to axe-core the cell is empty
]


def assert_none(found: list[str], name: str = "") -> None:
    """Assert that nothing was found; all of it is said."""
    assert found == [], "\n".join([name, *found])


class Visit(NamedTuple):
    """A notebook that was opened and run, and the copies of each of its explorers."""

    opened: Opened
    copies: dict[str, list[Explorer]]


@pytest.fixture(scope="module")
def visit(request: pytest.FixtureRequest, browser: Any, server: tuple[str, str]) -> Iterator[Visit]:
    """Open a notebook and run all of its cells, once for all tests."""
    opened = Opened(browser, server, course().notebooks[request.param].file)
    yield Visit(opened, {name: opened.explorers(name) for name in lab.explorers(request.param)})
    opened.page.close()


@pytest.fixture(scope="module")
def findings(visit: Visit) -> dict[str, Findings]:
    """Work the second copy of each explorer, once for all tests: an option of its notebook is passed above it."""
    return {name: other.work(one) for name, (one, other) in visit.copies.items()}


@every_notebook
def test_every_cell_runs(visit: Visit) -> None:
    """With every exercise solved, all cells run to the end, those of the explorers too."""
    assert visit.opened.ran_to_the_end


@exploring
def test_every_explorer_draws(visit: Visit) -> None:
    """Each explorer shows cards and a sentence, twice, and neither a notice nor an error."""
    for name, copies in visit.copies.items():
        assert len(copies) == 2, name
        for copy in copies:
            assert copy.root.locator(".attention-picture svg[role=img]").count() > 0, name
            assert copy.root.locator(".attention-sentence").first.inner_text() != "", name
            assert copy.notices() == [], name


@exploring
def test_tab_reaches_every_control(visit: Visit) -> None:
    """Tab goes from control to control in the order of the page, and meets none that obeys no key."""
    for name, (one, _) in visit.copies.items():
        for tab in one.tabs():
            assert_none(one.unreached(), f"{name} {tab}")
            assert_none(one.strange(), f"{name} {tab}")


@exploring
def test_every_control_has_a_name(visit: Visit) -> None:
    """A screen reader has a name to read for every control in every tab, and two controls have different names."""
    for name, (one, _) in visit.copies.items():
        for tab in one.tabs():
            names = [control.name() for control in one.controls()]
            assert all(names), (name, tab, names)
            assert len(set(names)) == len(names), (name, tab, names)


@every_notebook
@both_looks
def test_the_scan_finds_nothing_of_ours(visit: Visit, theme: str, width: int) -> None:
    """axe-core finds no violation in what markdown cells, outputs and explorers show, in both themes."""
    visit.opened.dress(theme, width)

    assert_none(visit.opened.violations(OURS, LEFT_OUT))
    for name, (one, _) in visit.copies.items():
        for tab in one.tabs():
            assert_none(visit.opened.violations([f".attention-{name}"], LEFT_OUT), f"{name} {tab}")


@exploring
def test_nothing_shrinks_or_is_cut_off_in_a_narrow_window(visit: Visit) -> None:
    """At 900 pixels the cards of every tab have the size that they have at 1280, and nothing sticks out."""
    for name, (one, _) in visit.copies.items():
        for tab in one.tabs():
            visit.opened.dress("Light", 1280)
            wide = one.sizes()
            visit.opened.dress("Light", 900)
            assert one.sizes() == wide, (name, tab)
            assert not one.cut_off(), (name, tab)


@exploring
def test_a_burst_of_keys_ends_on_the_picture_of_the_last_value(visit: Visit) -> None:
    """After 40 keys without a pause a slider shows what the other copy shows that came there one key at a time."""
    for name, (one, other) in visit.copies.items():
        assert_none(one.late(other), name)


@exploring
def test_every_control_changes_the_picture_by_keys(findings: dict[str, Findings], visit: Visit) -> None:
    """Each key on each control that is in use changes the cards or the sentence, and none ends in an error."""
    for name, found in findings.items():
        assert found.worked != [], name
        assert_none(found.dead, name)
        assert_none(found.notices, name)


@exploring
def test_a_control_put_back_brings_the_first_picture_back(findings: dict[str, Findings], visit: Visit) -> None:
    """What is shown depends on where the controls stand, and not on how they came there."""
    for name, found in findings.items():
        assert_none(found.lost, name)


@exploring
def test_cards_keep_their_size(findings: dict[str, Findings], visit: Visit) -> None:
    """No key changes the size of a card: what stands below keeps its place."""
    for name, found in findings.items():
        assert_none(found.resized, name)


@exploring
def test_two_copies_do_not_disturb_each_other(findings: dict[str, Findings], visit: Visit) -> None:
    """While one copy of an explorer is worked, the other one shows what it showed."""
    for name, found in findings.items():
        assert_none(found.disturbed, name)


@every_notebook
def test_nothing_leaves_the_machine(visit: Visit) -> None:
    """No request of the page goes anywhere but to this machine, and the console shows no error."""
    assert_none(visit.opened.left)
    assert_none(visit.opened.errors)
