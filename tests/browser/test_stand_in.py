"""The tests in a browser can fail: on an explorer with every fault, each fault is found, and none on a sound one."""

from pathlib import Path

import nbformat
import pytest

from browser.page import Opened
from helpers.teach.notebook_form import KERNEL

pytestmark = pytest.mark.xdist_group("browser")  # one worker, so that JupyterLab and Chromium start once

OUTSIDE = "http://elsewhere.invalid/picture.png"  # a name that no network knows


@pytest.fixture(scope="module")
def stand_in(browser, server, student):
    """Open a notebook with the stand-ins, each shown twice, and a picture from elsewhere."""
    source = (Path(__file__).parent / "stand_in.py").read_text(encoding="utf-8")
    outside = f"HTML('<img src=\"{OUTSIDE}\">')"
    sources = [source, "sound()", "sound()", "keeping()", "keeping()", "faulty()", "faulty()", outside]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=KERNEL), student / "notebooks" / "stand_in.ipynb")
    opened = Opened(browser, server, "stand_in.ipynb")
    yield opened
    opened.page.close()


def controls(entries):
    """Return the controls that entries of findings begin with, each once."""
    return list(dict.fromkeys(entry.partition(":")[0] for entry in entries))


def test_nothing_is_found_on_a_sound_explorer(stand_in):
    """On a sound explorer every kind of control is worked and put back, those in the second tab too."""
    one, other = stand_in.explorers("sound")
    late = one.late(other)
    findings = one.work(other)

    assert late == []
    assert one.unreached() == []
    assert one.strange() == []
    assert controls(findings.worked) == [
        *("Slider 'angle'", "Toggles 'show'", "Checkbox 'swap the heads'", "Number 'seed'", "Button 'new draw'"),
        "Slider 'D_q'",
    ]
    assert findings.dead == []
    assert findings.resized == []
    assert findings.lost == []
    assert findings.disturbed == []
    assert findings.notices == []


def test_each_fault_is_found_where_it_is(stand_in):
    """A dead control, a card that grows, a copy disturbed, an error, a menu that obeys no key: found by name."""
    one, other = stand_in.explorers("faulty")
    findings = one.work(other)

    assert controls(findings.dead) == ["Slider 'dead'"]
    assert controls(findings.resized) == ["Slider 'grows'"]
    assert controls(findings.disturbed) == ["Slider 'meddles'"]
    assert controls(findings.notices) == ["Slider 'fails'"]
    assert ["<select" in found for found in one.strange()] == [True]


def test_a_picture_that_depends_on_the_way_is_found(stand_in):
    """A burst of keys ends on another picture than single ones, and a slider put back does not show the first one."""
    one, other = stand_in.explorers("keeping")

    assert one.late(other) == ["Slider 'keeps'"]
    assert one.work(other).lost == ["Slider 'keeps'"]


def test_the_scan_finds_a_control_without_a_name(stand_in):
    """axe-core reports the unnamed slider of each copy, and no other control."""
    found = stand_in.violations([".jp-OutputArea-output"], [])

    assert [one.partition(":")[0] for one in found] == 2 * ["aria-input-field-name"]


def test_what_leaves_the_machine_is_seen(stand_in):
    """A picture from elsewhere is found among the requests, and its failure among the console's errors."""
    assert set(stand_in.left) == {OUTSIDE}
    assert [error for error in stand_in.errors if "ERR_NAME_NOT_RESOLVED" in error] == stand_in.errors != []
