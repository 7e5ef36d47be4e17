"""Two heads side by side: the same tokens, parameters of their own, hence weights and outputs of their own."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from helpers.draw import butterfly, heat_map
from helpers.draw.text import value_text
from helpers.examples.example import seeded_heads, six_tokens
from helpers.explore.controls import choice, slider, switch
from helpers.explore.explorer import Explorer, State, View
from helpers.explore.limits import holding
from helpers.explore.student import Student
from helpers.explore.words import TIE, most, numbered
from helpers.learn.results import Array
from helpers.parameters import Head

TOKENS: Final = numbered("x", 6)
KEYS: Final = numbered("key ", 6)
ROWS: Final = numbered("row ", 4)
HEADS: Final = numbered("head ", 2)
LARGEST_OUTPUT: Final = 9.0  # no entry of a value is larger, so no entry of a right mixture is
PITCH: Final = 41  # of the columns: two maps stand side by side where a window is 900 px wide


def two_heads_explorer(head_output: Any) -> Explorer:
    """Return an explorer of two heads on the same six tokens: a query to read, and parameters to exchange.

    Parameters
    ----------
    head_output : callable
        Exercise 3.2: from X, shape (D, N), and a head to Sa, shape (D_q, N), and A, shape (N, N).
    """
    controls = {
        "query": slider("Query n", 1, len(TOKENS), 1, value=3),
        "minus": choice("Second map", [("head 2", False), ("head 1 minus head 2", True)], value=False),
        "swapped": switch("Swap the heads’ omega_v and beta_v"),
        "twin": switch("Give head 2 the queries and keys of head 1"),
        "undivided": switch("Undo the division of the scores"),
    }
    student = Student({"head_output": head_output})
    return Explorer("two_heads", "Two heads on the same tokens", student, controls, draw)


def draw(student: Student, state: State) -> View:
    """Return both maps, and for the chosen query both columns of weights and both outputs."""
    X, n = six_tokens(), state["query"] - 1  # X: (D, N)
    shapes = (len(ROWS), len(TOKENS)), (len(TOKENS), len(TOKENS))
    (Sa1, A1), (Sa2, A2) = (
        student.call("head_output", X, head, shapes=shapes, layout=(None, None)) for head in heads(state)
    )
    first, second = A1[:, n], A2[:, n]  # (N,) each
    outputs = np.column_stack([Sa1[:, n], Sa2[:, n]])  # (D_q, 2)

    across = "Keys down, queries across, the chosen query outlined."
    panels = (
        heat_map(
            A1,
            rows=TOKENS,
            columns=TOKENS,
            selected=n,
            title="Weights of head 1",
            description=across,
            pitch=PITCH,
        ),
        heat_map(
            A1 - A2 if state["minus"] else A2,
            kind="differences" if state["minus"] else "weights",
            rows=TOKENS,
            columns=TOKENS,
            selected=n,
            title="Head 1 minus head 2" if state["minus"] else "Weights of head 2",
            description=across,
            pitch=PITCH,
        ),
        butterfly(
            first,
            second,
            labels=TOKENS,
            left_label=HEADS[0],
            right_label=HEADS[1],
            title="The chosen query in both heads",
            description="Its weights in head 1 as bars to the left, in head 2 as bars to the right.",
        ),
        heat_map(
            outputs,
            kind="values",
            rows=ROWS,
            columns=HEADS,
            row_axis="",
            column_axis="",
            title="Its two outputs",
            description="The four numbers that each head puts out for the chosen query.",
            limit=holding(LARGEST_OUTPUT, outputs),
        ),
    )
    return View(
        "Two heads on the same six tokens. Each has a map of its weights, keys down and queries across. "
        "For one query: its weights in both heads, back to back, and its two outputs.",
        panels,
        f"Query {state['query']}: {_compared(first, second)}",
    )


def heads(state: State) -> tuple[Head, Head]:
    """Return head 1 and head 2 as the switches leave them."""
    head1, head2, _ = seeded_heads()
    if state["twin"]:
        head2 = head1._replace(omega_v=head2.omega_v, beta_v=head2.beta_v)
    if state["swapped"]:
        head1, head2 = (
            head1._replace(omega_v=head2.omega_v, beta_v=head2.beta_v),
            head2._replace(omega_v=head1.omega_v, beta_v=head1.beta_v),
        )
    return (_undivided(head1), _undivided(head2)) if state["undivided"] else (head1, head2)


def _undivided(head: Head) -> Head:
    """Return the head with queries as many times longer as its scores are divided by."""
    root = np.sqrt(len(head.beta_q))
    return head._replace(omega_q=root * head.omega_q, beta_q=root * head.beta_q)


def _compared(first: Array, second: Array) -> str:
    """Return where two columns of weights, shape (N,) each, have most, and how evenly they are spread."""
    limit = f"of at most {value_text(np.log(len(first)))}"
    if np.abs(first - second).max() < TIE:
        return f"both heads put {most(first, KEYS)}. The entropy of either column is {_entropy(first)}, {limit}."
    return (
        f"head 1 puts {most(first, KEYS)}, head 2 {most(second, KEYS)}. "
        f"The entropies are {_entropy(first)} and {_entropy(second)}, {limit}."
    )


def _entropy(weights: Array) -> str:
    positive = weights[weights > 0]  # a weight of 0 adds nothing
    return value_text(-float(positive @ np.log(positive)))
