"""Positions, in four tabs: shuffled tokens, waves, a bias for every distance, arrows that turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from helpers.draw import Arrow, curves, gauges, heat_map, plane
from helpers.draw.text import score_text, value_text
from helpers.examples.example import seeded_heads, six_tokens
from helpers.explore.controls import choice, in_rows, in_tabs, opened_by, slider, stops
from helpers.explore.explorer import Explorer, State, View
from helpers.explore.limits import holding
from helpers.explore.student import Student
from helpers.explore.words import TIE, most, numbered
from helpers.learn.results import Array
from helpers.learn.words import listed

# Permute: the notebook's tokens, and orders whose labels count from 1.
D, N = 8, 6
ORDERS: Final = (
    (0, 1, 2, 3, 4, 5),
    (1, 0, 2, 3, 4, 5),
    (1, 2, 3, 4, 5, 0),
    (2, 0, 1, 5, 4, 3),
    (5, 4, 3, 2, 1, 0),
    (3, 5, 1, 0, 2, 4),
)
LARGEST_OUTPUT, LARGEST_GAP = 30.0, 16.92  # of all these orders, whatever is done with the positions
SAME: Final = 1e-9  # sums taken in another order may differ by less

# Sinusoids: from every reference every offset leads to a position on the map.
PLACES, FIRST, LAST = 24, 8, 15
MAP_HEIGHT: Final = 192  # a multiple of every D

# Relative bias: one number for every offset of a key from its query, 1 - N to N - 1.
OFFSETS: Final = np.arange(1.0 - N, N)  # (2 N - 1,)
BUCKETS: Final = np.array([-3.0, -3.0, -1.0, -1.0, 0.5, 0.0, -0.5, -1.5, -1.5, -4.0, -4.0])  # (2 N - 1,)
KEYS: Final = numbered("key ", N)
HIDDEN, STRONGEST = -10.0, 2.0

FARTHEST: Final = 20  # position on a slider of the last tab
ARROW: Final = np.array([[1.0], [0.0]])  # (2, 1): query and key before they are turned


def positions(
    equivariance_gap: Any,
    multihead: Any,
    sinusoids: Any,
    relative_bias: Any,
    attention_with_bias: Any,
    rope: Any = None,
) -> Explorer:
    """Return an explorer of positions with four tabs, the last of which exercise 5.7 opens.

    Parameters
    ----------
    equivariance_gap : callable
        Exercise 5.2: from a function of tokens, X, shape (D, N), and an order, shape (N,), to one number.
    multihead : callable
        Exercise 4.4: from X, a list of heads and omega_c, shape (D, D), to an output, shape (D, N).
    sinusoids : callable
        Exercise 5.3: from D, N and a base to Pi, shape (D, N).
    relative_bias : callable
        Exercise 5.5: from pi, shape (2 N - 1,), and N to B, shape (N, N).
    attention_with_bias : callable
        Exercise 5.6: from Q, K, V and B to an output, shape (D_v, N).
    rope : callable, optional
        Exercise 5.7: from Z, shape (D, N), and positions, shape (N,), to Z turned. By default the student's own,
        where its check has passed.
    """
    functions = {
        "equivariance_gap": equivariance_gap,
        "multihead": multihead,
        "sinusoids": sinusoids,
        "relative_bias": relative_bias,
        "attention_with_bias": attention_with_bias,
    }
    student = Student(functions, rope=rope)

    tab = choice("What to look at", [(name, name) for name in _TABS], value="Permute")
    permute = {
        "order": stops(
            "Order of the tokens", [(" ".join(str(n + 1) for n in order), order) for order in ORDERS], value=ORDERS[3]
        ),
        "placed": choice(
            "Positions", [("none", "none"), ("stay in place", "stay"), ("move with their tokens", "move")], value="stay"
        ),
    }
    waves = {
        "D": stops("Rows D", [("8", 8), ("16", 16), ("64", 64)], value=8),
        "base": stops("Base", [(str(base), base) for base in (10, 100, 1000, 10000)], value=10000),
        "reference": slider("Reference position", FIRST, LAST, 1, value=10),
        "offset": slider("Offset from it", -FIRST, FIRST, 1, value=1),
    }
    bias = {
        "kind": choice("Bias", [(kind, kind) for kind in ("slope", "buckets", "looks back")], value="slope"),
        "strength": slider("Strength", 0.0, STRONGEST, 0.25, value=0.5),
        "query": slider("Query n", 1, N, 1, value=3),
    }
    turns = {
        "m": slider("Position of the key", 0, FARTHEST, 1, value=0),
        "n": slider("Position of the query", 0, FARTHEST, 1, value=1),
        "both": slider("Move both by", 0, FARTHEST, 1, value=0),
    }
    rows = [in_rows(*controls.values()) for controls in (permute, waves, bias)]
    rows += [opened_by("rope", *turns.values(), done=student.has("rope"))]
    return Explorer(
        "positions",
        "Positions",
        student,
        {"tab": tab, **permute, **waves, **bias, **turns},
        draw,
        arranged=in_tabs(tab, rows),
        width=840,
    )


def draw(student: Student, state: State) -> View:
    """Return what stands in the tab that is open."""
    return _TABS[state["tab"]](student, state)


def _permute(student: Student, state: State) -> View:
    """Return what comes out when tokens are shuffled before attention, and after it."""
    perm = np.array(state["order"])
    X = six_tokens()  # (D, N)
    places = np.zeros((D, N))  # (D, N): what is added wherever a token stands
    if state["placed"] != "none":
        (Pi,) = student.call("sinusoids", D, N, shapes=((D, N),))
        if state["placed"] == "stay":
            places = Pi
        else:
            X = X + Pi

    *heads, omega_c = seeded_heads()

    def attend(tokens: Array) -> Array:
        (output,) = student.call("multihead", tokens + places, heads, omega_c, shapes=((D, N),))
        return output

    before, after = attend(X[:, perm]), attend(X)[:, perm]  # (D, N) each
    (found,) = student.call("equivariance_gap", attend, X, perm, shapes=((),))
    gap = float(found)

    names = [f"x{n + 1}" for n in state["order"]]
    maps = {
        "Shuffled first, then attention": (before, "The eight numbers that come out for each token, shuffled before."),
        "Attention first, then shuffled": (after, "The same, shuffled after."),
    }
    panels = [
        heat_map(
            output,
            kind="values",
            rows=numbered("", D),
            columns=names,
            column_axis="outputs n",
            title=title,
            description=description,
            limit=holding(LARGEST_OUTPUT, output),
            pitch=52,
            row_pitch=29,
        )
        for title, (output, description) in maps.items()
    ]
    panels.append(
        gauges(
            [gap],
            labels=["largest difference of the two maps"],
            ends=[holding(LARGEST_GAP, found)],
            value_axis="of the most that these six orders give",
            title="Your equivariance gap",
            description="One number on a track.",
        )
    )
    apart = np.abs(before - after).max(axis=0)  # (N,)
    farthest = [name for name, size in zip(names, apart.tolist(), strict=True) if apart.max() - size < TIE]
    return View(
        "The outputs of six tokens as two maps, shuffled before attention and after it, and how far the two differ.",
        tuple(panels),
        "The gap is below 1e-9: each token has the same output on both maps."
        if abs(gap) < SAME
        else f"The gap is {value_text(gap)}: that far apart are the two outputs of {listed(farthest)}.",
    )


def _sinusoids(student: Student, state: State) -> View:
    """Return the waves, and the products of one position with those around it."""
    rows, reference, offset = state["D"], state["reference"], state["offset"]
    (Pi,) = student.call("sinusoids", rows, PLACES, state["base"], shapes=((rows, PLACES),))
    offsets = np.arange(-FIRST, FIRST + 1)  # (2 FIRST + 1,)
    products = Pi[:, reference] @ Pi[:, reference + offsets]  # (2 FIRST + 1,)
    panels = (
        heat_map(
            Pi,
            kind="scores",
            rows=[str(i) for i in range(rows)],
            columns=[str(n) for n in range(PLACES)],
            row_axis="rows",
            column_axis="positions n",
            title="Your waves, the reference outlined",
            description="Your sinusoids at 24 positions, a column outlined.",
            limit=holding(1.0, Pi),
            selected=reference,
            fades=False,
            pitch=12,
            row_pitch=MAP_HEIGHT // rows,
        ),
        curves(
            offsets,
            [products],
            labels=["reference times position"],
            x_axis="offset from the reference",
            y_axis="dot product",
            title="Products with the reference",
            description="The dot product of two columns over their offset.",
            marked=offset + FIRST,
            limit=holding(rows / 2, products),
        ),
    )
    here, there = value_text(products[FIRST]), value_text(products[FIRST + offset])
    return View(
        "Waves at 24 positions, and the product of one of these columns with those up to eight before and behind.",
        panels,
        f"Position {reference} times itself is {here}"
        + (f"; times position {reference + offset} it is {there}." if offset else "."),
    )


def _relative_bias(student: Student, state: State) -> View:
    """Return the bias of every pair, and the weights of queries that have nothing else to go by."""
    shapes = {
        "slope": -np.abs(OFFSETS) * state["strength"],
        "buckets": BUCKETS * state["strength"],
        "looks back": np.where(OFFSETS > 0, HIDDEN, OFFSETS * state["strength"]),
    }
    (B,) = student.call("relative_bias", shapes[state["kind"]], N, shapes=((N, N),))
    nothing = np.zeros((1, N))  # (D_q, N): queries and keys whose scores are all 0
    (A,) = student.call("attention_with_bias", nothing, nothing, np.eye(N), B, shapes=((N, N),))
    n = state["query"] - 1
    mean = float(A[:, n] @ np.abs(np.arange(N) - n))
    numbers = numbered("", N)
    panels = (
        heat_map(
            B,
            kind="scores",
            rows=numbers,
            columns=numbers,
            title="Your bias of every pair",
            description="Six keys down and six queries across, with the bias of each pair.",
            limit=holding(-HIDDEN, B),
            pitch=52,
            selected=n,
        ),
        heat_map(
            A,
            rows=numbers,
            columns=numbers,
            title="Weights from your bias alone",
            description="The weights that the bias alone gives.",
            selected=n,
        ),
    )
    return View(
        "The bias of six keys and six queries, and the weights that it gives where all scores are 0.",
        panels,
        f"Query {n + 1} puts {most(A[:, n], KEYS)}. On average it looks {value_text(mean)} places away.",
    )


def _rotary(student: Student, state: State) -> View:
    """Return a query and a key turned to their positions, and their score among those of other distances."""
    shows = "A plane with a query and a key, turned to their positions, and their score over the distance of the two."
    if not student.has("rope"):
        return View(shows, (), "Nothing is turned yet.")
    m, n = state["m"] + state["both"], state["n"] + state["both"]
    distances = np.arange(-FARTHEST, FARTHEST + 1)  # (2 FARTHEST + 1,)
    (key,) = student.call("rope", ARROW, np.array([m]), shapes=((2, 1),))
    queries = np.repeat(ARROW, distances.size, axis=1)  # (2, 2 FARTHEST + 1)
    (queries,) = student.call("rope", queries, m + distances, shapes=(queries.shape,))
    scores = (key.T @ queries)[0]  # (2 FARTHEST + 1,)
    here = n - m + FARTHEST
    (kx, ky), (qx, qy) = key[:, 0].tolist(), queries[:, here].tolist()
    panels = (
        plane(
            [Arrow(qx, qy, f"q at {n}", "query"), Arrow(kx, ky, f"k at {m}", "key")],
            title="Turned to their positions",
            description="A query and a key as arrows of length 1.",
            limit=holding(1.5, key, queries),
            side=270,
        ),
        curves(
            distances,
            [scores],
            labels=["your score"],
            x_axis="query's position minus key's",
            y_axis="score",
            title="Score of this key and any query",
            description="The score over the distance, from −20 to 20.",
            marked=here,
            limit=holding(1.0, scores),
        ),
    )
    far = abs(n - m)
    return View(
        shows,
        panels,
        f"Query at {n}, key at {m}: {far} {'place' if far == 1 else 'places'} apart. "
        f"Their score is {score_text(scores[here])}.",
    )


_TABS: Final[dict[str, Callable[[Student, State], View]]] = {
    "Permute": _permute,
    "Sinusoids": _sinusoids,
    "Relative bias": _relative_bias,
    "Rotary": _rotary,
}
