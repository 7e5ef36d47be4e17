"""An explorer in the page: what it shows, and its controls, worked with real keys."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

MOST_STEPS = 1000  # of a slider, from end to end
BURST = 40  # keys
LOOKS = 50  # at a picture, until two in a row are the same

# The pictures and sentences, without those in a tab that is not in front.
SHOWN = """root => Array.from(root.querySelectorAll('.attention-picture, .attention-sentence'))
  .filter(part => part.checkVisibility()).map(part => part.innerHTML).join('\\n')"""

SIZES = """root => Array.from(root.querySelectorAll('.attention-picture svg'))
  .filter(svg => svg.checkVisibility()).map(svg => svg.getBoundingClientRect())
  .map(box => `${box.width} x ${box.height}`)"""

# What Tab reaches, in the order of the page. The number beside a slider is a part of the slider.
REACHABLE = """root => Array.from(root.querySelectorAll(
    'a[href], button, input, select, textarea, [tabindex="0"], [contenteditable=true]'))
  .filter(one => one.checkVisibility() && !one.matches('.widget-readout, :disabled'))"""

CUT_OFF = """root => {
  const output = root.closest('.jp-OutputArea-output');
  return output.scrollWidth > output.clientWidth;
}"""

# Where a slider stands: the value to one decimal, and the text beside it.
STATE = """handle => handle.getAttribute('aria-valuenow') + ' ' +
  handle.closest('.widget-slider')?.querySelector('.widget-readout')?.textContent"""


@dataclass
class Findings:
    """What an explorer did while it was worked; each entry names the control and the key."""

    worked: list[str] = field(default_factory=list)  # all keys: nothing is wrong where nothing was pressed
    dead: list[str] = field(
        default_factory=list
    )  # neither the picture nor the sentence changed, wherever the sliders stood
    resized: list[str] = field(default_factory=list)  # a card had another size than before
    lost: list[str] = field(default_factory=list)  # the control was put back, the first picture did not come back
    disturbed: list[str] = field(default_factory=list)  # the other copy changed
    notices: list[str] = field(default_factory=list)  # a notice or an error stood in the picture


class Explorer:
    """One explorer in the page."""

    def __init__(self, opened: Any, root: Any) -> None:
        self.opened, self.root, self.page = opened, root, opened.page

    def shown(self) -> str:
        """Return the pictures and sentences in front, once they have come to rest."""
        before = None
        for _ in range(LOOKS):
            self.opened.settle()
            now = self.look()
            if now == before:
                return now
            before = now
        raise AssertionError(f"The picture did not come to rest in {LOOKS} looks.")

    def look(self) -> str:
        """Return the pictures and sentences in front as they are now."""
        return str(self.root.evaluate(SHOWN))

    def sizes(self) -> list[str]:
        """Return the width and height of each card in front."""
        return list(self.root.evaluate(SIZES))

    def notices(self) -> list[str]:
        """Return the words of the notices and errors in the pictures."""
        return list(self.root.locator(".attention-notice, .attention-error").all_text_contents())

    def controls(self) -> list["Control"]:
        """Return the controls in front that are in use, tabs left out, in the order in which they are worked."""
        found = [kind(self, one) for kind in KINDS for one in self.root.locator(kind.selector).all()]
        return [control for control in found if control.in_use()]

    def sliders(self) -> list["Slider"]:
        """Return the sliders among them."""
        return [control for control in self.controls() if isinstance(control, Slider)]

    def tabs(self) -> Iterator[str]:
        """Bring one tab after the other to the front, by keys; yield its name once its picture has come to rest.

        Where there are no tabs, yield "" once. At the end the first tab is in front again.
        """
        tabs = self.root.get_by_role("tab").all()
        self.shown()
        yield tabs[0].inner_text() if tabs else ""
        for before, tab in pairwise(tabs):
            self._turn(before, "ArrowRight")
            yield tab.inner_text()
        for tab in reversed(tabs[1:]):
            self._turn(tab, "ArrowLeft")

    def _turn(self, tab: Any, key: str) -> None:
        """Go from a tab to the next; until the kernel has answered, the page shows the picture of the one before."""
        tab.focus()
        self.page.keyboard.press(key)
        self.page.keyboard.press("Enter")
        self.shown()

    def unreached(self) -> list[str]:
        """Press Tab from the first control on; return what it does not reach, or not in the order of the page."""
        wanted = self.page.evaluate_handle(REACHABLE, self.root.element_handle())
        wanted.evaluate("all => all[0].focus()")
        found = []
        for k in range(1, wanted.evaluate("all => all.length")):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("document.activeElement.matches('.widget-readout')"):
                self.page.keyboard.press("Tab")
            if not wanted.evaluate("(all, k) => document.activeElement === all[k]", k):
                found.append(wanted.evaluate("(all, k) => all[k].outerHTML.slice(0, 200)", k))
        return found

    def strange(self) -> list[str]:
        """Return what Tab reaches and nothing here knows how to work: in JupyterLab a Dropdown obeys no key."""
        known = ", ".join([kind.focused for kind in KINDS] + ["[role=tab]"])
        unknown = f"({REACHABLE})(root).filter(one => !one.matches('{known}')).map(one => one.outerHTML.slice(0, 200))"
        return list(self.root.evaluate(f"root => {unknown}"))

    def cut_off(self) -> bool:
        """Return whether something sticks out on the right of its output."""
        return bool(self.root.evaluate(CUT_OFF))

    def late(self, other: "Explorer") -> list[str]:
        """Press 40 keys on each slider without a pause; return those that end on another picture than one at a time."""
        found = []
        for _ in zip(self.tabs(), other.tabs(), strict=True):
            for one, twin in zip(self.sliders(), other.sliders(), strict=True):
                first = one.state()
                one.press("Home")
                self.shown()
                one.press("ArrowRight", BURST)
                twin.move_to(one.state())
                for key in ("ArrowLeft", "ArrowRight"):
                    other.shown()
                    twin.press(key)
                if self.shown() != other.shown():
                    found.append(str(one))
                one.move_to(first)
                twin.move_to(first)
        return found

    def work(self, other: "Explorer") -> Findings:
        """Work every control in every tab by keys and put it back, with an eye on the other copy."""
        findings = Findings()
        shown = ""
        for tab in self.tabs():
            before, shown = shown, self.shown()
            if shown == before:
                findings.dead.append(f"tab {tab!r}")
            for control in self.controls():
                dead = self._work(control, other, findings)
                if dead:  # which key is turned, say, shows only where it is turned by something: all sliders move first
                    stood = [(slider, slider.state()) for slider in self.controls() if isinstance(slider, Slider)]
                    for slider, _ in stood:
                        slider.step()
                    dead = self._work(control, other, findings)
                    for slider, state in stood:
                        slider.move_to(state)
                findings.dead += dead
        return findings

    def _work(self, control: "Control", other: "Explorer", findings: Findings) -> list[str]:
        """Work one control; return the keys that changed nothing, and keep whatever else is found."""
        first = shown = self.shown()
        sizes, beside = self.sizes(), other.shown()
        dead = []
        for key in control.work():
            words = f"{control}: {key}"
            findings.worked.append(words)
            before, shown = shown, self.shown()
            if shown == before:
                dead.append(words)
            if self.sizes() != sizes:
                findings.resized.append(words)
            if other.look() != beside:
                findings.disturbed.append(words)
                beside = other.look()
            findings.notices += [f"{words}: {notice}" for notice in self.notices()]
        if control.is_back() and self.shown() != first:
            findings.lost.append(str(control))
        return dead


class Control:
    """One control of an explorer. `selector` finds it, `focused` finds what of it has the focus."""

    selector = focused = ""

    def __init__(self, explorer: Explorer, element: Any) -> None:
        self.explorer, self.element, self.page = explorer, element, explorer.page

    def __str__(self) -> str:
        return f"{type(self).__name__} {self.name()!r}"

    def name(self) -> str:
        """Return the name that a screen reader reads; empty where there is none."""
        found = re.match(r'- \w+ "(.+?)"', self.element.aria_snapshot())
        return found[1] if found else ""

    def in_use(self) -> bool:
        """Return whether it is in front and not disabled."""
        return bool(self.element.is_visible() and self.element.is_enabled())

    def is_back(self) -> bool:
        """Return whether `work` leaves it as it was."""
        return True

    def press(self, key: str, times: int = 1) -> None:
        """Press a key on it, without waiting for what comes of it."""
        self.element.focus()
        for _ in range(times):
            self.page.keyboard.press(key)

    def work(self) -> Iterator[str]:
        """Press one key after the other, each of which must change what is shown, and yield its name."""
        raise NotImplementedError


class Slider(Control):
    """Any slider of ipywidgets: its handle."""

    selector = focused = "[role=slider]"

    def in_use(self) -> bool:  # noqa: D102 - as above
        return super().in_use() and not self.element.evaluate("handle => handle.closest('[disabled]') !== null")

    def state(self) -> str:
        """Return where it stands."""
        return str(self.element.evaluate(STATE))

    def work(self) -> Iterator[str]:  # noqa: D102 - as above
        first = self.state()
        for key in ("ArrowRight", "End", "ArrowLeft", "Home"):
            before = self.state()
            self.press(key)
            # At an end two of the keys have nothing to do. To the left of the end there is always something.
            if self.state() != before or key == "ArrowLeft":
                yield f"{key}, from {before} to {self.state()}"
        self.move_to(first)

    def step(self) -> None:
        """Move it by one step, to the right unless it stands there."""
        before = self.state()
        self.press("ArrowRight")
        if self.state() == before:
            self.press("ArrowLeft")

    def move_to(self, state: str) -> None:
        """Bring it to a state, by keys."""
        self.press("Home")
        for _ in range(MOST_STEPS):
            if self.state() == state:
                return
            self.page.keyboard.press("ArrowRight")
        raise AssertionError(f"{self} does not come to {state}, it stands at {self.state()}.")


class Toggles(Control):
    """Buttons of which one is chosen."""

    selector, focused = ".widget-toggle-buttons", ".widget-toggle-button"

    def in_use(self) -> bool:  # noqa: D102 - as above
        return bool(self.element.is_visible() and self.element.locator("button").first.is_enabled())

    def work(self) -> Iterator[str]:  # noqa: D102 - as above
        buttons = self.element.locator("button").all()
        (chosen,) = (button for button in buttons if "mod-active" in button.get_attribute("class"))
        for button in [*(button for button in buttons if button != chosen), chosen]:
            button.focus()
            self.page.keyboard.press("Enter")
            yield f"Enter on {button.inner_text()!r}"


class Checkbox(Control):
    """A box to tick."""

    selector = focused = "input[type=checkbox]"

    def work(self) -> Iterator[str]:  # noqa: D102 - as above
        for _ in range(2):
            self.press("Space")
            yield "Space"


class Number(Control):
    """A number to type, or to step."""

    selector = focused = "input[type=number]"

    def work(self) -> Iterator[str]:  # noqa: D102 - as above
        first = self.element.input_value()
        self.press("ArrowUp")
        there, back = ("ArrowUp", "ArrowDown") if self.element.input_value() != first else ("ArrowDown", "ArrowUp")
        if there == "ArrowDown":
            self.press(there)
        yield there
        self.press(back)
        yield back


class Button(Control):
    """A button that does something once."""

    selector = focused = ".widget-button"

    def is_back(self) -> bool:  # noqa: D102 - as above
        return False

    def work(self) -> Iterator[str]:  # noqa: D102 - as above
        self.press("Enter")
        yield "Enter"


KINDS: tuple[type[Control], ...] = (Slider, Toggles, Checkbox, Number, Button)  # buttons last: nothing puts them back
