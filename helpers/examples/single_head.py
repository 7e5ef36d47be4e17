"""The examples of notebook 1, and the sentence that opens it."""

from collections.abc import Callable
from functools import partial

import numpy as np

from helpers.examples.example import (
    AGAIN,
    Array,
    Example,
    Maker,
    RandomState,
    draw_shares,
    matrix,
    own,
    queries_and_keys,
    seeded_head,
    seeded_tokens,
    tokens_and_head,
)
from helpers.parameters import Head


def _thirds_and_halves() -> tuple[Array, Array]:
    """Return the paper query (ln 2, ln 3) and its three keys: weights 1/6, 1/3, 1/2."""
    Q = matrix([np.log(2)], [np.log(3)])
    K = matrix([0, 1, 0], [0, 0, 1])
    return Q, K


def paper_head() -> tuple[Array, Head]:
    """Return two tokens and a head: queries (1, 2), keys (0, ln 3), values (2, 6), so the outputs are 5 and 5.6."""
    X = matrix([0, 1], [2, 6])
    nothing = matrix([0])
    return X, Head(matrix([1, 0]), matrix([np.log(3), 0]), matrix([0, 1]), matrix([1]), nothing, nothing)


def _projection(rng: np.random.RandomState, D: int, N: int, D_q: int) -> tuple[Array, Array, Array]:
    return rng.normal(size=(D, N)), rng.normal(size=(D_q, D)), rng.normal(size=(D_q, 1))


def _project() -> list[Example]:
    rng = RandomState(11)
    head = seeded_head()
    return [
        Example("the paper example", (matrix([1, 2, 3], [3, 2, 1]), matrix([1, 0], [1, 2]), matrix([1], [0]))),
        Example("an example of other sizes", _projection(rng, 5, 3, 2), {"D": 5, "N": 3, "D_q": 2}),
        Example("the seeded example", (seeded_tokens(), head.omega_q, head.beta_q), {"D": 4, "N": 3, "D_q": 4}),
        # N = D_q: a bias of the wrong orientation broadcasts without an error here.
        Example("an example with N = D_q", _projection(rng, 5, 3, 3), {"D": 5, "N": 3, "D_q": 3}),
        Example(AGAIN, _projection(rng, 5, 3, 2)),
    ]


def _softmax_cols() -> list[Example]:
    rng = RandomState(12)
    return [
        Example("the paper example", (matrix([0], [np.log(2)], [np.log(3)]),)),
        Example("an example of other sizes", (rng.normal(size=(4, 3)),), {"N_k": 4, "N_q": 3}),
        Example("an example with N_k = N_q", (5 * rng.normal(size=(3, 3)),), {"N_k": 3, "N_q": 3}),
        Example("a column of two scores of 1000", (matrix([1000], [1000]),)),
        # Only its largest score, subtracted, keeps this column finite: the mean, the first or the last does not.
        Example("a column whose scores lie 2000 apart", (matrix([-1000], [1000], [999], [-1000]),)),
        Example(
            "columns that lie 2000 apart",
            (rng.normal(size=(3, 4)) + matrix([0, 1000, -1000, 5]),),
            {"N_k": 3, "N_q": 4},
        ),
        Example(AGAIN, (rng.normal(size=(4, 3)),)),
    ]


def _far_apart(rng: np.random.RandomState, N_k: int, N_q: int) -> tuple[Array]:
    """Return columns that lie 3000 apart, with scores that lie 1000 apart in each: no one number keeps all finite."""
    quarters = rng.randint(-8, 9, size=(N_k, N_q)) / 4  # float32 holds them beside the thousands
    return (quarters + 1000.0 * rng.randint(-1, 2, size=(N_k, N_q)) + 3000.0 * rng.permutation(N_q),)


def _with_large_scores(rng: np.random.RandomState, D_q: int, N_q: int, N_k: int) -> tuple[Array, Array]:
    """Return queries and keys of whole numbers: their products are exact, in float32 too, however close two come."""
    Q, K = (rng.randint(-40, 41, size=(D_q, N)).astype(np.float64) for N in (N_q, N_k))
    return Q, K


def _attention_weights() -> list[Example]:
    rng = RandomState(13)
    return [
        Example("the paper example", _thirds_and_halves(), {"D_q": 2, "N_q": 1, "N_k": 3}),
        Example("an example of other sizes", queries_and_keys(rng, 2, 3, 4), {"D_q": 2, "N_q": 3, "N_k": 4}),
        Example("an example with D_q = N_q = N_k", queries_and_keys(rng, 3, 3, 3), {"D_q": 3, "N_q": 3, "N_k": 3}),
        Example(
            "an example with large scores",
            (100 * rng.normal(size=(2, 3)), 100 * rng.normal(size=(2, 5))),
            {"D_q": 2, "N_q": 3, "N_k": 5},
        ),
        Example(AGAIN, queries_and_keys(rng, 2, 3, 4)),
    ]


def _weights_and_values(rng: np.random.RandomState, D_v: int, N_k: int, N_q: int) -> tuple[Array, Array]:
    return draw_shares(rng, N_k, N_q), rng.normal(size=(D_v, N_k))


def _weighted_values() -> list[Example]:
    rng = RandomState(14)
    weights, square = draw_shares(rng, 4, 3), draw_shares(rng, 3, 3)
    return [
        Example("the paper example", (matrix([1 / 6], [1 / 3], [1 / 2]), matrix([6, 0, 3], [0, 6, 3]))),
        Example("an example of other sizes", (weights, rng.normal(size=(2, 4))), {"D_v": 2, "N_k": 4, "N_q": 3}),
        # Square weights: with A transposed by mistake the shapes still agree.
        Example("an example with N_k = N_q", (square, rng.normal(size=(2, 3))), {"D_v": 2, "N_k": 3, "N_q": 3}),
        Example(AGAIN, (weights[::-1], rng.normal(size=(2, 4)))),
    ]


def _self_attention() -> list[Example]:
    rng = RandomState(15)
    return [
        Example("the paper example", paper_head(), {"D": 2, "N": 2, "D_q": 1}),
        Example("an example of other sizes", tokens_and_head(rng, 5, 3, 2), {"D": 5, "N": 3, "D_q": 2}),
        Example("the seeded example", (seeded_tokens(), seeded_head()), {"D": 4, "N": 3, "D_q": 4}),
        # N = D_q: a bias of the wrong orientation, or V and A exchanged, gives no error here.
        Example("an example with N = D_q", tokens_and_head(rng, 5, 3, 3), {"D": 5, "N": 3, "D_q": 3}),
        Example(AGAIN, tokens_and_head(rng, 5, 3, 2)),
    ]


EXAMPLES: dict[str, Callable[[], list[Example]]] = {
    "project": _project,
    "softmax_cols": _softmax_cols,
    "attention_weights": _attention_weights,
    "weighted_values": _weighted_values,
    "self_attention": _self_attention,
}

HIDDEN: dict[str, Maker] = {
    "project": own(("D", "N", "D_q"), _projection),
    "softmax_cols": own(("N_k", "N_q"), lambda rng, *shape: (rng.normal(size=shape),), _far_apart),
    "attention_weights": own(("D_q", "N_q", "N_k"), queries_and_keys, _with_large_scores),
    "weighted_values": own(("D_v", "N_k", "N_q"), _weights_and_values),
    "self_attention": own(("D", "N", "D_q"), partial(tokens_and_head, calm=True)),
}


# The sentence that opens notebook 1. Its numbers are set by hand: every entry of the result can be checked by eye.
SENTENCE = ("Ada", "fed", "the", "cat", "it", "purred")
FEATURES = ("person", "animal", "action", "sound", "pronoun")


def sentence_tokens() -> Array:
    """Return the sentence's six words, shape (5, 6): which of five features each word has."""
    return matrix(
        [1, 0, 0, 0, 0, 0],  # person
        [0, 0, 0, 1, 0, 0],  # animal
        [0, 1, 0, 0, 0, 1],  # action
        [0, 0, 0, 0, 0, 1],  # sound
        [0, 0, 0, 0, 1, 0],  # pronoun
    )


def sentence_head() -> Head:
    """Return a head in which *it* and *purred* ask for an animal and *fed* asks for a person."""
    omega_q = matrix(
        [0, 0, 4, -4, 0],  # asks for a person: an action does, a sound takes it back
        [0, 0, 0, 4, 4],  # asks for an animal: a sound and a pronoun do
    )
    omega_k = matrix(
        [1, 0, 0, 0, 0],  # is a person
        [0, 1, 0, 0, 0],  # is an animal
    )
    nothing = np.zeros((2, 1))
    return Head(omega_q, omega_k, omega_k.copy(), nothing, nothing.copy(), nothing.copy())
