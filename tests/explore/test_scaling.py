"""How many entries until softmax freezes: what it shows, against the definitions and the solutions."""

import itertools
import math
import re

import numpy as np
import pytest
from explorers import built, states, whole
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import Picture

from helpers.course import course
from helpers.draw import palette
from helpers.learn import portfolio
from helpers.learn.slices import answer_slice
from helpers.teach import solutions

any_state = settings(max_examples=40)
DIVISORS = {"nothing": lambda _: 1, "root": math.sqrt, "all": lambda D_q: D_q}
softmax_jacobian = solutions.function("softmax_jacobian")


def all_scores(state):
    """Return the 4,000 dot products as drawn: 50 groups in which 10 queries meet 8 keys, entry by entry."""
    rng = np.random.RandomState(state["draw"])
    Q, K = rng.normal(size=(50, 1024, 10)), rng.normal(size=(50, 1024, 8))
    return sum(K[:, d, :, np.newaxis] * Q[:, d, np.newaxis, :] for d in range(state["D_q"]))  # (50, 8, 10)


def softmax(scores):
    """Return weights, in plain Python."""
    parts = [math.exp(score - max(scores)) for score in scores]
    return [part / sum(parts) for part in parts]


def by_definition(state):
    """Return the scores as set, and both columns of weights: as set, and divided by the root of D_q alone."""
    scores = all_scores(state)
    first = scores[0, :, 0].tolist()
    divisor = state["temperature"] * DIVISORS[state["divisor"]](state["D_q"])
    root = math.sqrt(state["D_q"])
    return scores / divisor, softmax([s / divisor for s in first]), softmax([s / root for s in first])


def moved(explorer, **changed):
    """Return what is shown where some controls stand elsewhere than at the start."""
    return explorer.view(explorer.start | changed)


def numbers_of(panel):
    """Return the numbers at the ends of the bars of a card."""
    _, *found = [float(word) for word in Picture(panel).words if re.fullmatch(r"0|\.\d\d|1\.00", word)]
    return found  # the first was the 0 of the axis


def bins_of(panel):
    """Return left, right and height of each bar of the histogram: scores, and shares of the peak of the curve."""
    picture = Picture(panel)
    ticks = {word: picture.find(word).box for word in ("−40", "40")}
    left, right = (sum(ticks[word][::2]) / 2 for word in ("−40", "40"))
    middles = {word: (box.top + box.bottom) / 2 for word in ("0.5", "1.5") for box in [picture.find(word).box]}
    unit = middles["0.5"] - middles["1.5"]
    bars = [rect.box for rect in picture.rects if rect.fill == palette.WEIGHTS[1]]
    across = lambda x: (x - left) / (right - left) * 80 - 40  # noqa: E731  a name for one line
    return [(across(box.left), across(box.right), (box.bottom - box.top) / unit) for box in bars]


def is_share(words, share):
    """Return whether words like "83 %" say this share."""
    if words.startswith("over 99"):
        return 0.99 < share < 1
    if words.startswith("under 1"):
        return 0 < share < 0.01
    return abs(int(words.split()[0]) - 100 * share) <= 0.5 + 1e-6


def test_the_starting_numbers_are_the_solutions():
    """16 entries, draw 8: the bars are the solutions' weights, .91 undivided and .38 divided at the largest."""
    explorer = built("scaling")
    rng = np.random.RandomState(8)
    Q, K = rng.normal(size=(50, 1024, 10))[0, :16, :1], rng.normal(size=(50, 1024, 8))[0, :16]
    plain = solutions.function("attention_weights")(Q, K)
    scaled = solutions.function("softmax_cols")(solutions.function("scaled_scores")(Q, K))
    entropies = solutions.function("entropy_cols")(np.hstack([plain, scaled]))
    *columns, _, gauges = explorer.view().panels

    for panel, A in zip(columns, (plain, scaled), strict=True):
        assert numbers_of(panel) == pytest.approx(A[:, 0], abs=0.006)
    assert "Not divided, the largest of the 8 weights is 91 %; with your scaled_scores, 38 %." in explorer.alt()
    shown = [float(word.split()[0]) for word in Picture(gauges).words if " of " in word and word[0] in ".0123456789"]
    assert shown == pytest.approx([*entropies, *np.exp(entropies)], abs=0.006)


@any_state
@given(data=st.data())
def test_the_sentence_is_true(data):
    """Both largest weights and the variance are what the definitions give, and only equal columns are called equal."""
    explorer = built("scaling")
    state = data.draw(states(explorer))
    scores, column, yours = by_definition(state)
    sentence = explorer.view(state).sentence
    same = max(abs(a - b) for a, b in zip(column, yours, strict=True)) < 1e-6

    assert ("are those of your scaled_scores" in sentence) == same
    found = re.findall(r"(?:over |under )?\d+ %", sentence)
    assert len(found) == 2 - same
    assert all(map(is_share, found, (max(column), max(yours))))
    variance = re.search(r"The variance of the 4,000 scores is (under \.01|[\d.]+)\.$", sentence)[1]
    if variance.startswith("under"):
        assert scores.var() < 0.01
    else:
        assert float(variance) == pytest.approx(scores.var(), abs=0.5 if scores.var() > 99 else 0.006)


@pytest.mark.parametrize(
    ("divisor", "temperature", "words"),
    [
        ("nothing", 1.0, "Not divided, "),
        ("nothing", 0.25, "Divided by a temperature of 1/4, "),
        ("root", 1.0, "Divided by the root of D_q, "),
        ("all", 8.0, "Divided by D_q and by a temperature of 8, "),
    ],
)
def test_the_sentence_says_what_divides(divisor, temperature, words):
    """The division and the temperature are named as the controls name them, a temperature of 1 not at all."""
    assert moved(built("scaling"), divisor=divisor, temperature=temperature).sentence.startswith(words)


@any_state
@given(data=st.data())
def test_the_bars_hold_the_scores(data):
    """Counted anew between the edges that are drawn, the scores fill each bar as high as it is."""
    explorer = built("scaling")
    state = data.draw(states(explorer))
    scores, *_ = by_definition(state)
    deviation = math.sqrt(state["D_q"]) / (state["temperature"] * DIVISORS[state["divisor"]](state["D_q"]))
    panel = explorer.view(state).panels[2]
    outside = float((abs(scores) > 40).mean())

    said = [word for word in Picture(panel).words if word.startswith("score")]
    assert len(said) == 1
    assert is_share(said[0].partition("; ")[2], outside) if outside else said == ["score"]
    if deviation >= 4:  # the edges are whole numbers then; on the card they stand to a tenth of a pixel
        bins = [(round(left), round(right), height) for left, right, height in bins_of(panel)]
        area = sum((right - left) * height for left, right, height in bins) / (deviation * math.sqrt(2 * math.pi))
        assert area == pytest.approx(1 - outside, rel=0.03)
        for left, right, height in bins:
            share = ((scores > left) & (scores < right)).mean()
            assert height == pytest.approx(share / (right - left) * deviation * math.sqrt(2 * math.pi), abs=0.02)


@pytest.mark.parametrize("D_q", [1, 4, 16, 64, 256, 1024])
def test_the_curve_has_the_variance_that_the_scores_should_have(D_q):
    """Undivided D_q, by the root 1, by D_q one over D_q."""
    wanted = {"nothing": f"{D_q}", "root": "1", "all": {1: "1", 4: ".25", 16: ".06", 64: ".02"}.get(D_q, "under .01")}
    for divisor, variance in wanted.items():
        panel = moved(built("scaling"), D_q=D_q, divisor=divisor).panels[2]
        assert f"normal curve of variance {variance}" in Picture(panel).words


def test_divided_scores_spread_alike_at_every_size():
    """Undivided the bars reach further at each size; by the root they end near the same place from 4 entries on."""
    explorer, sizes = built("scaling"), (4, 16, 64, 256)

    def widths(**changed):
        """Return how far the bars at least half as high as the curve reach, for each size."""
        drawn = [bins_of(moved(explorer, D_q=D_q, **changed).panels[2]) for D_q in sizes]
        return [max(right for _, right, height in bins if height > 0.5) for bins in drawn]

    plain, divided = widths(), widths(divisor="root")
    assert all(after > 1.5 * before for before, after in itertools.pairwise(plain))
    assert max(divided) - min(divided) < 1


@pytest.mark.parametrize("draw", range(1, 21))
def test_every_draw_fits(draw):
    """With one entry the scores crowd at 0, higher than any normal curve: no draw leaves the picture."""
    for D_q in (1, 4):
        assert moved(built("scaling"), D_q=D_q, draw=draw).panels


def test_the_root_is_the_students():
    """A scaled_scores that forgets to divide is drawn as it is: both columns are the undivided one."""
    explorer = built("scaling", scaled_scores=lambda Q, K: K.T @ Q)

    assert "does not pass the check" in explorer.picture.value
    assert numbers_of(explorer.view().panels[0]) == numbers_of(explorer.view().panels[1])
    assert moved(explorer, divisor="root").panels[2] != moved(built("scaling"), divisor="root").panels[2]


def test_the_entropy_is_the_students():
    """An entropy that is half too small fills the track half as far."""
    entropy_cols = solutions.function("entropy_cols")
    explorer = built("scaling", entropy_cols=lambda A: entropy_cols(A) / 2)

    assert ".19 of 2.08" in Picture(explorer.view().panels[3]).words


def test_the_nudges_wait_for_their_exercise():
    """Until softmax_jacobian has passed its control is disabled, with a sentence; then it moves, with no other word."""
    closed = built("scaling")
    assert closed.controls["nudge"].disabled
    number = course().exercises["softmax_jacobian"].number
    assert f"Exercise {number}, softmax_jacobian, opens this." in _words(closed.widget)

    source = solutions.source("softmax_jacobian")
    portfolio.save(answer_slice(source, "softmax_jacobian", course().exercises))
    opened = built("scaling")
    assert not opened.controls["nudge"].disabled
    assert "opens this" not in _words(opened.widget)
    assert moved(opened, nudge=True).panels[3] != moved(opened).panels[3]
    assert moved(opened).panels == closed.view().panels


def _words(widget):
    """Return the text of all boxes of text in a widget."""
    own = widget.value if type(widget).__name__ == "HTML" else ""
    return own + "".join(map(_words, getattr(widget, "children", ())))


@pytest.mark.parametrize("D_q", [1, 4, 16, 64])
def test_the_norm_is_that_of_derivatives_by_trying(D_q):
    """What the lower gauges show is the norm of what small nudges of each score do, divided by their size."""
    explorer = whole("scaling")
    state = explorer.start | {"D_q": D_q, "nudge": True}
    scores = all_scores(state)[0, :, 0]
    norms = []
    for s in (scores, scores / math.sqrt(D_q)):
        nudges = 1e-6 * np.eye(8)
        rates = [(np.array(softmax(s + nudge)) - softmax(s - nudge)) / 2e-6 for nudge in nudges]
        norms.append(np.sqrt(np.sum(np.square(rates))))

    shown = [
        float(word.partition(" ")[0]) for word in Picture(explorer.view(state).panels[3]).words if " of .50" in word
    ]
    assert shown == pytest.approx(norms, abs=0.006)


def test_no_column_has_a_larger_norm_than_two_halves():
    """The track of the norm ends at .5: halves on two of eight keys reach it, and no random column does."""
    columns = np.random.RandomState(0).dirichlet(np.full(8, 0.3), size=2000)

    assert np.linalg.norm(softmax_jacobian(np.array([0.5, 0.5, 0, 0, 0, 0, 0, 0]))) == pytest.approx(0.5)
    assert max(np.linalg.norm(softmax_jacobian(a)) for a in columns) < 0.5
