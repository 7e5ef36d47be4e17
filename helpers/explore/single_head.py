"""Turn the query: scores are dot products, weights are shares, the output is a mixture of the values."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from helpers.draw import Arrow, bars, mixture, plane
from helpers.draw.text import value_text
from helpers.explore.controls import choice, slider
from helpers.explore.explorer import Explorer, State, View
from helpers.explore.student import Student
from helpers.explore.words import most, numbered
from helpers.learn.results import Array
from helpers.learn.words import capital

KEYS: Final = numbered("key ", 4)
KEY_LENGTH, LONGEST_QUERY = 2.0, 4.0
VALUES: Final = np.array([[3.0, -1.0, -3.0, 1.0], [1.0, 3.0, -1.0, -3.0]])  # (2, 4)


def single_head(attention_weights: Any) -> Explorer:
    """Return an explorer of one query among four keys: its angle, its length, and a key to turn.

    Parameters
    ----------
    attention_weights : callable
        Exercise 1.3: from Q, shape (D_q, N_q), and K, shape (D_q, N_k), to A, shape (N_k, N_q).
    """
    controls = {
        "angle": slider("Angle of the query, degrees", 0, 360, 5, value=0),
        "length": slider("Length of the query", 0.0, LONGEST_QUERY, 0.25, value=1.0),
        "key": choice("Key to turn", [(name, m) for m, name in enumerate(KEYS)], value=0),
        "turn": slider("Turn this key by, degrees", -180, 180, 5, value=0),
    }
    student = Student({"attention_weights": attention_weights})
    return Explorer("single_head", "A query among four keys", student, controls, draw)


def draw(student: Student, state: State) -> View:
    """Return the four steps from a query to its output: arrows, scores, weights, the mixture."""
    angles = np.array([0.0, 90.0, 180.0, 270.0])
    angles[state["key"]] += state["turn"]
    K = KEY_LENGTH * _directions(angles)  # (2, 4)
    Q = state["length"] * _directions(np.array([state["angle"]]))  # (2, 1)
    scores = (Q.T @ K)[0]  # (4,)
    (A,) = student.call("attention_weights", Q, K, shapes=((4, 1),))
    weights = A[:, 0]  # (4,)
    output = VALUES @ weights  # (2,)

    arrows = [Arrow(x, y, f"k{m}", "key") for m, (x, y) in enumerate(K.T.tolist(), start=1)]
    arrows += [Arrow(x, y, "q", "query") for x, y in Q.T.tolist()]
    panels = (
        plane(
            arrows,
            title="A query among four keys",
            description="Four keys as arrows of length 2, and one query.",
            limit=LONGEST_QUERY + 0.5,
            side=270,
        ),
        bars(
            scores,
            kind="scores",
            labels=KEYS,
            title="Scores: keys times query",
            description="The four dot products as bars.",
            limit=KEY_LENGTH * LONGEST_QUERY,
            track=133,
            pitch=68,
        ),
        bars(
            weights,
            labels=KEYS,
            title="Weights: softmax of scores",
            description="The four weights as bars; together they are 1.",
            track=184,
            pitch=68,
        ),
        mixture(
            VALUES,
            weights,
            labels=numbered("v", 4),
            title="Output: the values, mixed",
            description="Four values as dots, and their mixture as a ring among them.",
            limit=4.5,
            side=270,
        ),
    )
    place = ", ".join(map(value_text, output.tolist()))
    return View(
        "A query among four keys, the scores, the weights, and the output among four values.",
        panels,
        f"The query puts {most(weights, KEYS)}. The output lies at ({place}). "
        f"{capital(KEYS[state['key']])} points to {angles[state['key']] % 360:.0f} degrees.",
    )


def _directions(degrees: Array) -> Array:
    """Return a column of length 1 for each angle, shape (2, N); exact at right angles."""
    radians = np.deg2rad(degrees)
    return np.round(np.vstack([np.cos(radians), np.sin(radians)]), 12)
