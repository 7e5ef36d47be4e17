"""`python -m tests.browser.bench`: from a key press to the changed picture, for each explorer and for interact.

`interact` with matplotlib, what a notebook would use otherwise, draws a heat map of six tokens with its numbers. All
is measured in one run, in one browser, one key at a time. Beside it stands what the kernel alone needs for a redraw.
"""

import itertools
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

if "browser" not in sys.modules:  # pytest's conftest has loaded it; the command has not
    sys.path.insert(0, str(Path(__file__).parents[1]))

from explorers import TAKES, built, values

from browser import chromium, lab
from browser.page import Opened
from helpers.course import course

MOVES = 60
PAUSE = 150  # ms between moves, as of a hand that looks: keys in a row would wait for what the last one left to do
INTERACT = """
import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import IntSlider, interact

S = np.random.RandomState(0).normal(size=(6, 6))
words = [f"x{n}" for n in range(1, 7)]

def heat_map(n):
    A = np.exp(S * n / 30)
    A = A / A.sum(axis=0)
    figure, axes = plt.subplots(figsize=(4, 4))
    axes.imshow(A, cmap="Purples", vmin=0, vmax=1)
    for k in range(6):
        for m in range(6):
            axes.text(k, m, f"{A[m, k]:.2f}", ha="center", va="center")
        axes.text(k, 6, f"{A[:, k].sum():.2f}", ha="center", va="center")
    axes.set(title="Weights", xlabel="queries n", ylabel="keys m")
    axes.set_xticks(range(6), words)
    axes.set_yticks(range(6), words)
    plt.show()

interact(heat_map, n=IntSlider(30, 0, 100));
"""

# From the key to the first frame with another picture: the page's own clock, nothing of the test's.
ARM = """root => {
  const drawn = () => { const one = root.querySelector('img, svg'); return one && (one.src ?? root.innerHTML); };
  const before = drawn();
  window.shown = new Promise(shown => {
    let pressed;
    document.addEventListener('keydown', () => { pressed = performance.now(); }, { capture: true, once: true });
    const done = () => requestAnimationFrame(() => shown(performance.now() - pressed));
    const changes = new MutationObserver(() => {
      const now = drawn();
      if (!now || now === before) return;
      changes.disconnect();
      const picture = root.querySelector('img, svg');
      if (picture.tagName !== 'IMG' || picture.complete) done(); else picture.addEventListener('load', done);
    });
    changes.observe(root, { childList: true, subtree: true, attributes: true });
  });
}"""


def latencies(opened: Opened, picture: Any, slider: Any) -> list[float]:
    """Return how long each of the moves took, in ms; each begins when the page and the kernel are at rest."""
    found = []
    for key in itertools.islice(_keys(slider), MOVES):
        opened.settle()
        opened.page.wait_for_timeout(PAUSE)
        picture.evaluate(ARM)
        opened.page.keyboard.press(key)
        found.append(float(opened.page.evaluate("window.shown")))
    return found


def _keys(slider: Any) -> Iterator[str]:
    """Go to the right end, back to the left, and so on: every key moves the slider."""
    slider.focus()
    for key, end in itertools.cycle((("ArrowRight", "aria-valuemax"), ("ArrowLeft", "aria-valuemin"))):
        while slider.get_attribute("aria-valuenow") != slider.get_attribute(end):
            yield key


def redraws(name: str) -> list[float]:
    """Return what the kernel alone needs in some states drawn at random, in ms: the functions and the pictures."""
    explorer, rng = built(name), random.Random(0)  # noqa: S311  nothing is kept secret with it
    found = []
    for _ in range(MOVES):
        state = {control: rng.choice(values(one)) for control, one in explorer.controls.items()}
        start = time.perf_counter()
        explorer.view(state)
        found.append(1000 * (time.perf_counter() - start))
    return found


def line(words: str, times: list[float], than: float | None = None) -> float:
    """Print the two percentiles of some times, and how many times the first goes into another; return the first."""
    p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    ratio = "" if than is None else f"   {than / p50:5.1f} times as fast"
    print(f"  {words:<46} p50 {p50:6.1f} ms   p95 {p95:6.1f} ms{ratio}", flush=True)
    return p50


def main() -> None:
    """Print the table that the README and the notes quote."""
    with tempfile.TemporaryDirectory() as folder, chromium.started() as browser:
        lab.lay_out(Path(folder))
        other = nbformat.v4.new_notebook(metadata=lab.finished(next(iter(course().notebooks))).metadata)
        other.cells = [nbformat.v4.new_code_cell(INTERACT.strip())]
        nbformat.write(other, Path(folder) / "notebooks" / "interact.ipynb")
        with lab.serve(Path(folder)) as server:
            opened = Opened(browser, server, "interact.ipynb")
            output = opened.page.locator(".widget-output").first
            handle = output.locator("xpath=ancestor::*[contains(@class, 'widget-interact')]").get_by_role("slider")
            print(f"from a key press to the changed picture, {MOVES} moves each:")
            than = line("interact with matplotlib", latencies(opened, output, handle))
            opened.page.close()
            for name, notebook in course().notebooks.items():
                opened = Opened(browser, server, notebook.file)
                for explorer in opened.explorers(name)[:1]:
                    for tab in explorer.tabs():
                        slider = explorer.sliders()[0]
                        picture = explorer.root.locator(".attention-picture")
                        words = f"{name}{' · ' * bool(tab)}{tab}: {slider.name()}"
                        line(words, latencies(opened, picture, slider.element), than)
                opened.page.close()
    print(f"what the kernel alone needs for a redraw, {MOVES} states at random:")
    for name in TAKES:
        line(name, redraws(name))


if __name__ == "__main__":
    main()
