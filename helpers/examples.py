"""Every input that an exercise is run on: the paper cases, the seeded data, and examples of other shapes.

Only `RandomState` is used: its stream is frozen across numpy versions. The global generator is never seeded.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpers.parameters import Head

Array = NDArray[np.float64]
_RandomState = np.random.RandomState  # bound now: a notebook may rename what it likes later


@dataclass(frozen=True)
class Example:
    """One call of an exercise: its arguments, and what to call it in a message."""

    label: str
    arguments: tuple[Any, ...]
    sizes: dict[str, int] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """The example in words: "on the seeded example (D = 4, N = 3)"."""
        sizes = ", ".join(f"{symbol} = {size}" for symbol, size in self.sizes.items())
        return f"on {self.label}" + (f" ({sizes})" if sizes else "")


def seeded_tokens() -> Array:
    """Return the three tokens of the book's notebook on one head, shape (4, 3): seed 3, one draw a token."""
    rng = _RandomState(3)
    return np.hstack([rng.normal(size=(4, 1)) for _ in range(3)])


def draw_head(rng: np.random.RandomState, D: int, D_q: int) -> Head:
    """Return a head of standard normals, drawn in the book's order: the omegas q, k, v, then the betas."""
    omegas = [rng.normal(size=(D_q, D)) for _ in range(3)]
    betas = [rng.normal(size=(D_q, 1)) for _ in range(3)]
    return Head(*omegas, *betas)


def seeded_head() -> Head:
    """Return the parameters of the book's notebook on one head: seed 0, D = D_q = 4."""
    return draw_head(_RandomState(0), D=4, D_q=4)


def _matrix(*rows: list[float]) -> Array:
    return np.array(rows, dtype=np.float64)


def _thirds_and_halves() -> tuple[Array, Array]:
    """Return the paper query (ln 2, ln 3) and its three keys: weights 1/6, 1/3, 1/2."""
    Q = _matrix([np.log(2)], [np.log(3)])
    K = _matrix([0, 1, 0], [0, 0, 1])
    return Q, K


def _paper_head() -> tuple[Array, Head]:
    """Return two tokens and a head: queries (1, 2), keys (0, ln 3), values (2, 6), so the outputs are 5 and 5.6."""
    X = _matrix([0, 1], [2, 6])
    nothing = _matrix([0])
    return X, Head(_matrix([1, 0]), _matrix([np.log(3), 0]), _matrix([0, 1]), _matrix([1]), nothing, nothing)


# Sizes that all differ come before sizes that are alike, which let a transposed matrix fit: there a slip shows as a
# shape, which says more than a wrong number. Last comes a shape that occurred before, with other numbers: a result that
# was kept by shape shows there.
AGAIN = "other numbers of the same sizes"


def _project() -> list[Example]:
    rng = _RandomState(11)
    head = seeded_head()
    return [
        Example("the paper example", (_matrix([1, 2, 3], [3, 2, 1]), _matrix([1, 0], [1, 2]), _matrix([1], [0]))),
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
    rng = _RandomState(12)
    return [
        Example("the paper example", (_matrix([0], [np.log(2)], [np.log(3)]),)),
        Example("an example of other sizes", (rng.normal(size=(4, 3)),), {"N_k": 4, "N_q": 3}),
        Example("an example with N_k = N_q", (5 * rng.normal(size=(3, 3)),), {"N_k": 3, "N_q": 3}),
        Example("a column of two scores of 1000", (_matrix([1000], [1000]),)),
        # Only its largest score, subtracted, keeps this column finite: the mean, the first or the last does not.
        Example("a column whose scores lie 2000 apart", (_matrix([-1000], [1000], [999], [-1000]),)),
        Example(
            "columns that lie 2000 apart",
            (rng.normal(size=(3, 4)) + _matrix([0, 1000, -1000, 5]),),
            {"N_k": 3, "N_q": 4},
        ),
        Example(AGAIN, (rng.normal(size=(4, 3)),)),
    ]


def _attention_weights() -> list[Example]:
    rng = _RandomState(13)
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
    rng = _RandomState(14)
    weights = rng.uniform(0.1, 1.0, size=(4, 3))
    square = rng.uniform(0.1, 1.0, size=(3, 3))
    return [
        Example("the paper example", (_matrix([1 / 6], [1 / 3], [1 / 2]), _matrix([6, 0, 3], [0, 6, 3]))),
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
    rng = _RandomState(15)
    return [
        Example("the paper example", _paper_head(), {"D": 2, "N": 2, "D_q": 1}),
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


_EXAMPLES: dict[str, Callable[[], list[Example]]] = {
    "project": _project,
    "softmax_cols": _softmax_cols,
    "attention_weights": _attention_weights,
    "weighted_values": _weighted_values,
    "self_attention": _self_attention,
}


def has_examples(function: str) -> bool:
    """Return whether an exercise has inputs here."""
    return function in _EXAMPLES


@cache
def examples(function: str) -> tuple[Example, ...]:
    """Return the public examples of an exercise. Copy the arguments before handing them to anyone's code."""
    return tuple(_EXAMPLES[function]())


# The sentence that opens notebook 1. Its numbers are set by hand: every entry of the result can be checked by eye.
SENTENCE = ("Ada", "fed", "the", "cat", "it", "purred")
FEATURES = ("person", "animal", "action", "sound", "pronoun")


def sentence_tokens() -> Array:
    """Return the sentence's six words, shape (5, 6): which of five features each word has."""
    return _matrix(
        [1, 0, 0, 0, 0, 0],  # person
        [0, 0, 0, 1, 0, 0],  # animal
        [0, 1, 0, 0, 0, 1],  # action
        [0, 0, 0, 0, 0, 1],  # sound
        [0, 0, 0, 0, 1, 0],  # pronoun
    )


def sentence_head() -> Head:
    """Return a head in which *it* and *purred* ask for an animal and *fed* asks for a person."""
    omega_q = _matrix(
        [0, 0, 4, -4, 0],  # asks for a person: an action does, a sound takes it back
        [0, 0, 0, 4, 4],  # asks for an animal: a sound and a pronoun do
    )
    omega_k = _matrix(
        [1, 0, 0, 0, 0],  # is a person
        [0, 1, 0, 0, 0],  # is an animal
    )
    nothing = np.zeros((2, 1))
    return Head(omega_q, omega_k, omega_k.copy(), nothing, nothing.copy(), nothing.copy())
