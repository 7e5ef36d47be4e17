"""The pictures of notebook 6."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from helpers.draw import heat_map
from helpers.examples.example import Array, seeded_layer, six_tokens
from helpers.teach import solutions

TOKENS = [f"x{n}" for n in range(1, 7)]
LINES = ["X + MhSa[X]", "LayerNorm[X]", "X + mlp[X]"]


def figures() -> dict[str, str]:
    """Return every picture of the notebook: file name and SVG."""
    return {
        "attention_alone.svg": attention_alone_picture(),
        "one_token_changed.svg": one_token_changed_picture(),
        "lengths_line_by_line.svg": lengths_picture(),
        "causal_weights.svg": causal_weights_picture(),
    }


def attention_rounds(rounds: int) -> Array:
    """Return what is left of the six tokens when attention is fed its own output."""
    X, layer = six_tokens(), seeded_layer()
    for _ in range(rounds):
        X = solutions.function("multihead")(X, layer.heads, layer.omega_c)
    return X


def attention_alone_picture() -> str:
    """Draw the six tokens after four rounds of attention, divided by the largest number."""
    X = attention_rounds(4)
    return heat_map(
        X / np.abs(X).max(),
        kind="values",
        rows=[f"row {d}" for d in range(1, 9)],
        columns=TOKENS,
        row_axis="numbers of a token",
        column_axis="tokens after four rounds",
        title="Attention alone: six equal columns",
        description="The six columns after four rounds of attention, divided by the largest number. "
        "Every row holds one number six times.",
    )


def single_lines() -> list[Callable[[Array], Array]]:
    """Return the three different lines of the seeded layer, each as a function of the tokens."""
    layer = seeded_layer()
    multihead, norm, mlp = (solutions.function(name) for name in ("multihead", "layer_norm", "mlp"))
    return [
        lambda X: X + multihead(X, layer.heads, layer.omega_c),
        lambda X: norm(X, layer.gamma1, layer.delta1),
        lambda X: X + mlp(X, layer.W1, layer.b1, layer.W2, layer.b2),
    ]


def moved_by_token_three() -> Array:
    """Return how far each column of each line's output moves when 1 is added to the fifth number of token 3."""
    X = six_tokens()
    changed = X + np.outer(np.eye(8)[4], np.eye(6)[2])
    return np.array([np.linalg.norm(line(changed) - line(X), axis=0) for line in single_lines()])


def one_token_changed_picture() -> str:
    """Draw which columns a change of token 3 reaches, line by line."""
    return heat_map(
        moved_by_token_three(),
        kind="values",
        rows=LINES,
        columns=TOKENS,
        row_axis="lines",
        column_axis="columns of the result",
        title="Token 3 changes: who moves?",
        description="How far each column moves when token 3 changes. Under X + MhSa[X] all six move: .05, 24.30, "
        "13.48, 17.50, .21, 6.02. Under LayerNorm[X] column 3 alone moves, by .92, and under X + mlp[X] column 3 "
        "alone, by 2.22.",
    )


def lengths_line_by_line() -> Array:
    """Return the length of every column as it comes in and after each of the four lines."""
    attend, norm, process = single_lines()
    states = [six_tokens()]
    for line in (attend, norm, process, norm):
        states.append(line(states[-1]))
    return np.array([np.linalg.norm(state, axis=0) for state in states])


def lengths_picture() -> str:
    """Draw what the four lines do to the length of every column."""
    return heat_map(
        lengths_line_by_line(),
        kind="values",
        rows=["X comes in", "1 · + MhSa[X]", "2 · LayerNorm", "3 · + mlp[X]", "4 · LayerNorm"],
        columns=TOKENS,
        row_axis="after each line",
        column_axis="tokens",
        title="The length of every column, line by line",
        description="The six lengths come in between 2.17 and 3.64. After line 1 they lie between 16.25 and 31.28, "
        "after line 3 between 3.01 and 5.18. After lines 2 and 4 each is 2.83.",
    )


def causal_weights_picture() -> str:
    """Draw the weights of three tokens with equal scores, none of which may look ahead."""
    weights = np.triu(np.ones((3, 3)))
    return heat_map(
        weights / weights.sum(axis=0),
        rows=TOKENS[:3],
        columns=TOKENS[:3],
        title="Nobody looks ahead",
        description="Weights of three tokens with equal scores. Column 1 is 1, 0, 0; column 2 is one half, one half, "
        "0; column 3 is one third each.",
    )
