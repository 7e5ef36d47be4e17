"""How many entries until softmax freezes: dot products spread, and what they are divided by decides the weights."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Final

import numpy as np

from helpers.draw import bars, gauges, histogram
from helpers.draw.text import whole_text
from helpers.explore.controls import choice, in_rows, opened_by, slider, stops, switch
from helpers.explore.explorer import Explorer, State, View
from helpers.explore.student import Student
from helpers.explore.words import TIE, numbered, percent
from helpers.learn.results import Array

SIZES: Final = (1, 4, 16, 64, 256, 1024)
TEMPERATURES: Final = (("1/4", 0.25), ("1/2", 0.5), ("1", 1.0), ("2", 2.0), ("4", 4.0), ("8", 8.0))
NOTHING, ROOT, ALL = "nothing", "root", "all"  # what scores are divided by
DRAWS: Final = 20

GROUPS, QUERIES, KEYS = 50, 10, 8  # in each group every query meets every key: 4,000 scores
NAMES: Final = numbered("key ", KEYS)
COLUMNS: Final = ("with your setting", "with the root of D_q")

FARTHEST: Final = 40.0  # where the axis of the scores ends, on both sides
HIGHEST: Final = 1.6  # of a bar, in peaks of the normal curve: with D_q = 1 most scores lie nearer to 0 than under it
MOST: Final = {"entropy": math.log(KEYS), "equal keys": float(KEYS), "norm of J": 0.5}  # most: half each on two keys
WIDTH: Final = 349  # of a chart: as wide as the bars

_WAYS: Final = {NOTHING: (), ROOT: ("the root of D_q",), ALL: ("D_q",)}


def scaling(scaled_scores: Any, entropy_cols: Any, softmax_jacobian: Any = None) -> Explorer:
    """Return an explorer of random scores: how many entries a query has, what scores are divided by, which draw.

    Parameters
    ----------
    scaled_scores : callable
        Exercise 2.2: from Q, shape (D_q, N_q), and K, shape (D_q, N_k), to scores, shape (N_k, N_q).
    entropy_cols : callable
        Exercise 2.3: from A, shape (N_k, N_q), to entropies, shape (N_q,).
    softmax_jacobian : callable, optional
        Exercise 2.5: from a, shape (N,), to J, shape (N, N). By default the student's own, once its check has passed;
        without it one control is disabled.
    """
    student = Student({"scaled_scores": scaled_scores, "entropy_cols": entropy_cols}, softmax_jacobian=softmax_jacobian)
    controls = {
        "D_q": stops("Entries of a query, D_q", [(f"{size:,}", size) for size in SIZES], value=16),
        "draw": slider("Draw (a seed)", 1, DRAWS, 1, value=8),
        "divisor": choice(
            "Divide the scores by", [("nothing", NOTHING), ("the root of D_q", ROOT), ("D_q", ALL)], value=NOTHING
        ),
        "temperature": stops("Temperature", TEMPERATURES, value=1.0),
        "nudge": switch("Show how far a nudged score moves the weights"),
    }
    *first, last = controls.values()
    opened = opened_by("softmax_jacobian", last, done=student.has("softmax_jacobian"))
    return Explorer(
        "scaling",
        "How many entries until softmax freezes",
        student,
        controls,
        draw,
        arranged=in_rows(*first, opened),
    )


def draw(student: Student, state: State) -> View:
    """Return the scores as they were divided, their first column of weights, and the column of the student's scores."""
    Q, K = (entries[:, : state["D_q"]] for entries in _drawn(state["draw"]))  # (50, D_q, 10), (50, D_q, 8)
    scores = _divided(student, Q, K, state)  # (50, 8, 10)
    (yours,) = student.call("scaled_scores", Q[0], K[0], shapes=((KEYS, QUERIES),))
    A = np.column_stack([_softmax(scores[0, :, 0]), _softmax(yours[:, 0])])  # (8, 2)
    weights = [
        bars(
            column,
            labels=NAMES,
            title=f"Weights {words}",
            description=f"The weights of one query on 8 keys, {words}.",
            track=198,
            pitch=26,
        )
        for column, words in zip(A.T, COLUMNS, strict=True)
    ]
    return View(
        "Weights of one query on 8 keys, its scores divided as set and by the root of D_q. Below, the spread of "
        "4,000 scores as set, with a normal curve, and how sharp both columns are.",
        (*weights, _spread(scores, state), _sharpness(student, A, nudge=state["nudge"])),
        f"{_compared(A, state)} The variance of the 4,000 scores is {_short(float(np.var(scores)))}.",
    )


@lru_cache(maxsize=4)
def _drawn(seed: int) -> tuple[Array, Array]:
    """Return standard normal queries, shape (50, 1024, 10), and keys, shape (50, 1024, 8), the same for every D_q.

    As many queries with a key each would give 4,000 scores, too, from nine times as many numbers.
    """
    rng = np.random.RandomState(seed)
    return rng.normal(size=(GROUPS, SIZES[-1], QUERIES)), rng.normal(size=(GROUPS, SIZES[-1], KEYS))


def _divided(student: Student, Q: Array, K: Array, state: State) -> Array:
    """Return all scores, shape (50, 8, 10), divided as the controls say."""
    if state["divisor"] == ROOT:
        groups = [student.call("scaled_scores", q, k, shapes=((KEYS, QUERIES),))[0] for q, k in zip(Q, K, strict=True)]
        scores: Array = np.stack(groups) / state["temperature"]
    else:
        scores = K.transpose(0, 2, 1) @ Q / _divisor(state)
    return scores


def _divisor(state: State) -> float:
    """Return what the dot products are divided by in all."""
    D_q: int = state["D_q"]
    return float(state["temperature"] * {NOTHING: 1, ROOT: math.sqrt(D_q), ALL: D_q}[state["divisor"]])


def _spread(scores: Array, state: State) -> str:
    """Draw how the scores are spread, as high as the normal curve that they should have, whose peak is 1.

    The axis is the same in all states, so that a wider spread is seen as one. Only its tails may not fit.
    """
    values = np.round(scores.ravel(), 9)  # the last digits differ between machines, and a bin may not
    deviation = math.sqrt(state["D_q"]) / _divisor(state)
    bin_ = max(min(deviation / 2, 2.0), min(deviation / 8, 8.0))
    reach = min(10 * deviation, FARTHEST)
    inner = bin_ * np.arange(-round(reach / bin_), round(reach / bin_) + 1)
    edges = inner if reach == FARTHEST else np.array([-FARTHEST, *inner, FARTHEST])
    counts, _ = np.histogram(values, edges)
    outside = int((abs(values) > FARTHEST).sum()) / values.size
    peak = 1 / (deviation * math.sqrt(2 * math.pi))
    x = np.linspace(-reach, reach, 201)
    return histogram(
        counts / values.size / np.diff(edges) / peak,
        edges,
        title=f"4,000 scores {COLUMNS[0]}",
        description="The spread of 4,000 scores, divided as set, and a normal curve.",
        curve=np.column_stack([x, np.exp(-((x / deviation) ** 2) / 2)]),
        curve_label=f"normal curve of variance {_short(deviation**2)}",
        value_axis="score" + (f"; {percent(outside)} lie outside" if outside else ""),
        height_axis="how many; 1 is the peak of the curve",
        top=HIGHEST,
        width=WIDTH,
    )


def _sharpness(student: Student, A: Array, *, nudge: bool) -> str:
    """Draw the entropy of both columns and how many keys it counts, or how far a nudged score moves the weights."""
    (entropies,) = student.call("entropy_cols", A, shapes=((2,),))
    shown = {"entropy": entropies, "equal keys": np.exp(entropies)}
    if nudge and student.has("softmax_jacobian"):
        jacobians = [student.call("softmax_jacobian", a, shapes=((KEYS, KEYS),))[0] for a in A.T]
        shown = {"entropy": entropies, "norm of J": np.array([np.linalg.norm(J) for J in jacobians])}
    return gauges(
        np.concatenate([*shown.values()]),
        ends=np.repeat([MOST[name] for name in shown], 2),
        labels=[f"{name} {words}" for name in shown for words in COLUMNS],
        title="How sharp both columns are",
        description="The entropy of both columns, and how many equal keys it counts or how far a nudge moves them.",
        width=WIDTH,
    )


def _compared(A: Array, state: State) -> str:
    """Return in words how large the largest weight is, as set and by the student's scores."""
    ways = [*_WAYS[state["divisor"]]]
    if state["temperature"] != 1:
        words = {number: words for words, number in TEMPERATURES}[state["temperature"]]
        ways.append(f"a temperature of {words}")
    way = f"Divided by {' and by '.join(ways)}" if ways else "Not divided"
    largest, yours = (percent(float(column.max())) for column in A.T)
    if np.abs(A[:, 0] - A[:, 1]).max() < TIE:
        return f"{way}, the 8 weights are those of your scaled_scores; the largest is {largest}."
    return f"{way}, the largest of the 8 weights is {largest}; with your scaled_scores, {yours}."


def _short(variance: float) -> str:
    """Return a variance in words, as it stands in a sentence."""
    return whole_text(variance) if variance >= 0.01 else "under .01"


def _softmax(scores: Array) -> Array:
    """Return the weights of one column, shape (8,)."""
    parts = np.exp(scores - scores.max())
    shares: Array = parts / parts.sum()
    return shares
