"""The layer step by step: which line mixes columns, what each does to their length, and twelve layers in a row."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

import numpy as np

from helpers.draw import bars, curves, heat_map, pipeline
from helpers.draw.text import value_text
from helpers.examples.example import six_tokens
from helpers.examples.transformer_layer import small_layers
from helpers.explore.controls import in_lines, in_rows, opened_by, slider, switch
from helpers.explore.explorer import Explorer, State, View
from helpers.explore.limits import holding
from helpers.explore.student import Student
from helpers.explore.words import numbered
from helpers.learn.results import Array
from helpers.parameters import Layer

LAYERS: Final = 12
D, N = 8, 6
TOKENS: Final = numbered("x", N)

# No number and no length in any state is larger. Most numbers lie below 3.
LARGEST, DARKEST = 15.0, 3.0
LONGEST, LONGEST_PRE = 14.0, 21.0

POST: Final = ("X", "1: MhSa", "2: LayerNorm", "3: mlp", "4: LayerNorm")
PRE: Final = ("X", "1: LayerNorm", "2: MhSa", "3: LayerNorm", "4: mlp")

_POST_WORDS: Final = (
    "before line 1",
    "after line 1, MhSa",
    "after line 2, LayerNorm",
    "after line 3, mlp",
    "after line 4, LayerNorm",
)
_PRE_WORDS: Final = (
    "before line 1",
    "what attention reads",
    "after line 1, MhSa",
    "what the MLP reads",
    "after line 2, mlp",
)


class Changes(NamedTuple):
    """What is changed in every layer; the first three change the post-norm layer only."""

    no_residual: bool = False
    no_norm: bool = False
    by_rows: bool = False
    pre_norm: bool = False


def transformer_layer_explorer(multihead: Any, layer_norm: Any, mlp: Any, pre_norm_layer: Any = None) -> Explorer:
    """Return an explorer of twelve layers: their steps, and what happens without a residual or a LayerNorm.

    The first six layers are those that the notebook draws.

    Parameters
    ----------
    multihead : callable
        Exercise 4.4: from X, shape (D, N), heads and omega_c, shape (D, D), to an array of shape (D, N).
    layer_norm : callable
        Exercise 6.1: from X, shape (D, N), gamma and delta, each (D, 1) or a number, to an array of shape (D, N).
    mlp : callable
        Exercise 6.2: from X, shape (D, N), W1, b1, W2 and b2 to an array of shape (D, N).
    pre_norm_layer : callable, optional
        Exercise 6.6: from X, shape (D, N), and a Layer to an array of shape (D, N). By default the student's own,
        once its check has passed; without it one control is disabled.
    """
    functions = {"multihead": multihead, "layer_norm": layer_norm, "mlp": mlp}
    student = Student(functions, pre_norm_layer=pre_norm_layer)
    changes = {
        "no_residual": switch("Leave out the first residual"),
        "no_norm": switch("Leave out the first LayerNorm"),
        "by_rows": switch("LayerNorm over rows instead of columns"),
    }
    pre_norm = switch("LayerNorm before, not after (6.6)")
    moves = {
        "layer": slider("Layer", 1, LAYERS, 1, value=1),
        "step": slider("Step", 0, 4, 1, value=1),
        "token": slider("Token n", 1, N, 1, value=1),
    }
    kept = lru_cache(partial(walk, student))  # twelve layers take longer than the picture, and most controls move none
    option = opened_by("pre_norm_layer", pre_norm, done=student.has("pre_norm_layer"))
    explorer = Explorer(
        "transformer_layer",
        "The layer, step by step",
        student,
        {**moves, **changes, "pre_norm": pre_norm},
        partial(draw, kept),
        arranged=in_lines(in_rows(*moves.values()), in_rows(*changes.values(), option)),
    )

    def close(change: Any) -> None:
        for control in changes.values():
            control.disabled = change["new"]

    pre_norm.observe(close, names="value")
    return explorer


def draw(walked: Callable[[Changes], Walk], student: Student, state: State) -> View:
    """Return the steps of the layer, the six tokens at this one, their lengths, and how alike the layers make them."""
    changes = Changes(*(state[name] for name in Changes._fields))
    if changes.pre_norm:  # the other switches are closed then
        changes = Changes(pre_norm=True) if student.has("pre_norm_layer") else changes._replace(pre_norm=False)
    chosen, plain = walked(changes), walked(Changes())
    step, layer, token = state["step"], state["layer"], state["token"] - 1
    X = chosen.steps[layer - 1][step]  # (D, N)
    lengths = np.linalg.norm(X, axis=0)  # (N,)

    panels = (
        pipeline(
            PRE if changes.pre_norm else POST,
            notes=_notes(changes),
            current=step,
            skipped=[2] if changes.no_norm else [],
            title="One layer: four steps",
            description="Which step of the layer is shown, and in which of them columns mix.",
        ),
        heat_map(
            X,
            kind="values",
            rows=numbered("", D),
            columns=TOKENS,
            selected=token,
            row_axis="numbers of a token",
            title="The six tokens at this step",
            description="The tokens as six columns of eight numbers, one column selected.",
            limit=holding(LARGEST, X),
            full=DARKEST,
            fades=False,
        ),
        bars(
            lengths,
            kind="values",
            signed=False,
            labels=TOKENS,
            selected=token,
            label_axis="tokens n",
            value_axis="length",
            title="Length of each",
            description="The lengths of the six columns as bars.",
            limit=holding(LONGEST_PRE if changes.pre_norm else LONGEST, lengths),
            track=90,
            pitch=57,
        ),
        curves(
            np.arange(LAYERS + 1),
            [chosen.alike, plain.alike],
            labels=["as the switches say", "all switches off"],
            marked=layer,
            x_axis="layers",
            y_axis="mean cosine of two columns",
            title="How alike the columns are",
            description="The mean cosine of two columns after 0 to 12 layers.",
            limit=1.0,
        ),
    )
    return View(
        "The four steps of a layer; the six tokens as columns of eight numbers; the lengths of the columns; and how "
        "alike the columns are after each of twelve layers.",
        panels,
        f"Layer {layer}, {_where(step, changes)}: {_said(lengths, token)}. "
        f"After layer {layer} the mean cosine of two columns is {value_text(chosen.alike[layer])}.",
    )


class Walk(NamedTuple):
    """The tokens on their way through the layers.

    Parameters
    ----------
    steps : list of tuple of array
        For each layer, what it begins with and what its four steps leave, each of shape (D, N).
    alike : list of float
        The mean cosine of two different columns, before the first layer and after each.
    """

    steps: list[tuple[Array, ...]]
    alike: list[float]


def walk(student: Student, changes: Changes) -> Walk:
    """Return the six tokens on their way through the layers."""
    X = six_tokens()
    walked = Walk([], [_mean_cosine(X)])
    one_layer = _pre_norm_steps if changes.pre_norm else _post_norm_steps
    for layer in small_layers(LAYERS):
        walked.steps.append(one_layer(student, X, layer, changes))
        X = walked.steps[-1][-1]
        walked.alike.append(_mean_cosine(X))
    return walked


def _post_norm_steps(student: Student, X: Array, layer: Layer, changes: Changes) -> tuple[Array, ...]:
    """Return the tokens as they come in and after each of the four lines."""

    def norm(tokens: Array, gamma: Array, delta: Array) -> Array:
        if changes.by_rows:
            # Every gamma is 1 and every delta 0; as numbers they fit the rows, too.
            (turned,) = student.call("layer_norm", tokens.T, 1.0, 0.0, shapes=((N, D),))
            return turned.T
        return student.call("layer_norm", tokens, gamma, delta, shapes=((D, N),))[0]

    (read,) = student.call("multihead", X, layer.heads, layer.omega_c, shapes=((D, N),))
    attended = read if changes.no_residual else X + read  # (D, N)
    normalized = attended if changes.no_norm else norm(attended, layer.gamma1, layer.delta1)  # (D, N)
    (worked,) = student.call("mlp", normalized, layer.W1, layer.b1, layer.W2, layer.b2, shapes=((D, N),))
    processed = normalized + worked  # (D, N)
    return X, attended, normalized, processed, norm(processed, layer.gamma2, layer.delta2)


def _pre_norm_steps(student: Student, X: Array, layer: Layer, _: Changes) -> tuple[Array, ...]:
    """Return the tokens as they come in, what attention reads, line 1, what the MLP reads, line 2."""
    silent = layer._replace(W2=0 * layer.W2, b2=0 * layer.b2)  # without its MLP a layer is its first line
    (attended,) = student.call("pre_norm_layer", X, silent, shapes=((D, N),))
    (processed,) = student.call("pre_norm_layer", X, layer, shapes=((D, N),))
    (before,) = student.call("layer_norm", X, layer.gamma1, layer.delta1, shapes=((D, N),))
    (between,) = student.call("layer_norm", attended, layer.gamma2, layer.delta2, shapes=((D, N),))
    return X, before, attended, between, processed


def _mean_cosine(X: Array) -> float:
    lengths = np.linalg.norm(X, axis=0)  # (N,)
    units = X / np.where(lengths > 0, lengths, 1.0)  # (D, N)
    cosines = units.T @ units  # (N, N)
    mean = (cosines.sum() - np.trace(cosines)) / (N * (N - 1))
    return float(np.clip(mean, -1, 1))


def _notes(changes: Changes) -> tuple[str, ...]:
    """Return what stands under each step."""
    if changes.pre_norm:
        return "", "read, not kept", "X added, columns mix", "read, not kept", "X added, each alone"
    norm = "columns mix" if changes.by_rows else "each alone"
    return "", f"X {'left out' if changes.no_residual else 'added'}, columns mix", norm, "X added, each alone", norm


def _where(step: int, changes: Changes) -> str:
    """Return in words what the layer has come to."""
    if step == 2 and changes.no_norm:
        return "line 2 left out"
    return (_PRE_WORDS if changes.pre_norm else _POST_WORDS)[step]


def _said(lengths: Array, token: int) -> str:
    """Return how long the columns are: one number where all read alike."""
    written = [value_text(length) for length in lengths.tolist()]
    if len(set(written)) == 1:
        return f"every column is {written[0]} long"
    shortest, longest = (value_text(end) for end in (lengths.min(), lengths.max()))
    return f"column {token + 1} is {written[token]} long, the six lie between {shortest} and {longest}"
