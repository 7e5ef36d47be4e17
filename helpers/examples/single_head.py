"""The examples of notebook 1, and the sentence that opens it."""

from collections.abc import Callable

import numpy as np

from helpers.examples.example import AGAIN, Array, Example, RandomState, draw_head, matrix, seeded_head, seeded_tokens
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


def _project() -> list[Example]:
    rng = RandomState(11)
    head = seeded_head()
    return [
        Example("the paper example", (matrix([1, 2, 3], [3, 2, 1]), matrix([1, 0], [1, 2]), matrix([1], [0]))),
        Example(
            "an example of other sizes",
            (rng.normal(size=(5, 3)), rng.normal(size=(2, 5)), rng.normal(size=(2, 1))),
            {"D": 5, "N": 3, "D_q": 2},
        ),
        Example("the seeded example", (seeded_tokens(), head.omega_q, head.beta_q), {"D": 4, "N": 3, "D_q": 4}),
        # N = D_q: a bias of the wrong orientation broadcasts without an error here.
        Example(
            "an example with N = D_q",
            (rng.normal(size=(5, 3)), rng.normal(size=(3, 5)), rng.normal(size=(3, 1))),
            {"D": 5, "N": 3, "D_q": 3},
        ),
        Example(AGAIN, (rng.normal(size=(5, 3)), rng.normal(size=(2, 5)), rng.normal(size=(2, 1)))),
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


def _attention_weights() -> list[Example]:
    rng = RandomState(13)
    return [
        Example("the paper example", _thirds_and_halves(), {"D_q": 2, "N_q": 1, "N_k": 3}),
        Example(
            "an example of other sizes",
            (rng.normal(size=(2, 3)), rng.normal(size=(2, 4))),
            {"D_q": 2, "N_q": 3, "N_k": 4},
        ),
        Example(
            "an example with D_q = N_q = N_k",
            (rng.normal(size=(3, 3)), rng.normal(size=(3, 3))),
            {"D_q": 3, "N_q": 3, "N_k": 3},
        ),
        Example(
            "an example with large scores",
            (100 * rng.normal(size=(2, 3)), 100 * rng.normal(size=(2, 5))),
            {"D_q": 2, "N_q": 3, "N_k": 5},
        ),
        Example(AGAIN, (rng.normal(size=(2, 3)), rng.normal(size=(2, 4)))),
    ]


def _weighted_values() -> list[Example]:
    rng = RandomState(14)
    weights = rng.uniform(0.1, 1.0, size=(4, 3))
    square = rng.uniform(0.1, 1.0, size=(3, 3))
    return [
        Example("the paper example", (matrix([1 / 6], [1 / 3], [1 / 2]), matrix([6, 0, 3], [0, 6, 3]))),
        Example(
            "an example of other sizes",
            (weights / weights.sum(axis=0), rng.normal(size=(2, 4))),
            {"D_v": 2, "N_k": 4, "N_q": 3},
        ),
        # Square weights: with A transposed by mistake the shapes still agree.
        Example(
            "an example with N_k = N_q",
            (square / square.sum(axis=0), rng.normal(size=(2, 3))),
            {"D_v": 2, "N_k": 3, "N_q": 3},
        ),
        Example(AGAIN, (weights[::-1] / weights.sum(axis=0), rng.normal(size=(2, 4)))),
    ]


def _self_attention() -> list[Example]:
    rng = RandomState(15)
    return [
        Example("the paper example", paper_head(), {"D": 2, "N": 2, "D_q": 1}),
        Example(
            "an example of other sizes",
            (rng.normal(size=(5, 3)), draw_head(rng, D=5, D_q=2)),
            {"D": 5, "N": 3, "D_q": 2},
        ),
        Example("the seeded example", (seeded_tokens(), seeded_head()), {"D": 4, "N": 3, "D_q": 4}),
        # N = D_q: a bias of the wrong orientation, or V and A exchanged, gives no error here.
        Example(
            "an example with N = D_q",
            (rng.normal(size=(5, 3)), draw_head(rng, D=5, D_q=3)),
            {"D": 5, "N": 3, "D_q": 3},
        ),
        Example(AGAIN, (rng.normal(size=(5, 3)), draw_head(rng, D=5, D_q=2))),
    ]


EXAMPLES: dict[str, Callable[[], list[Example]]] = {
    "project": _project,
    "softmax_cols": _softmax_cols,
    "attention_weights": _attention_weights,
    "weighted_values": _weighted_values,
    "self_attention": _self_attention,
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
