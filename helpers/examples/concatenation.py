"""The examples of notebook 4, and the recipes that mix what the heads of notebook 3 say about the sentence."""

from collections.abc import Callable
from functools import partial

import numpy as np

from helpers.examples.example import (
    AGAIN,
    OWN,
    Array,
    Example,
    Maker,
    RandomState,
    draw_head,
    matrix,
    own,
    own_sizes,
    seeded_heads,
    six_tokens,
)
from helpers.examples.single_head import paper_head
from helpers.parameters import Head

# One row for each of two heads, and what mixes them. Turned over, the amounts make another output of the same shape.
PAPER_OUTPUTS = (matrix([1, 2, 3]), matrix([4, 5, 6]))
PAPER_AMOUNTS = matrix([1, 10], [2, 20])


def _paper_heads() -> tuple[Array, list[Head], Array]:
    """Return two tokens, two heads that put out (5, 5.6) and (2, 2), and amounts that make (25, 25.6) of them."""
    X, looks = paper_head()  # of exercise 1.5: with D_q = 1 the scale is 1
    nothing = matrix([0])
    asks_nothing = Head(matrix([0, 0]), matrix([1, 0]), matrix([0, 1]), nothing, nothing, matrix([-2]))
    return X, [looks, asks_nothing], PAPER_AMOUNTS


def _call(
    rng: np.random.RandomState, D: int, N: int, H: int, D_q: int, *, calm: bool = False
) -> tuple[Array, list[Head], Array]:
    """Return tokens, heads and omega_c of standard normals; D need not be H times D_q."""
    heads = [draw_head(rng, D, D_q, calm=calm) for _ in range(H)]
    return rng.normal(size=(D, N)), heads, rng.normal(size=(D, H * D_q))


def _outputs(rng: np.random.RandomState, H: int, D_q: int, N: int) -> list[Array]:
    """Return what H heads might put out."""
    return [rng.normal(size=(D_q, N)) for _ in range(H)]


def _stack_heads() -> list[Example]:
    rng = RandomState(41)
    # Two rows a head: with one, rows that take turns cannot be told from rows that stand head by head.
    paper = [matrix([1, 2, 3], [4, 5, 6]), matrix([7, 8, 9], [10, 11, 12])]
    return [
        Example("the paper example", (paper,)),
        Example("an example of other sizes", (_outputs(rng, 2, 4, 5),), {"H": 2, "D_q": 4, "N": 5}),
        Example("an example with three heads", (_outputs(rng, 3, 2, 5),), {"H": 3, "D_q": 2, "N": 5}),
        Example("an example with one head", (_outputs(rng, 1, 3, 4),), {"H": 1, "D_q": 3, "N": 4}),
        # H = D_q = N: whatever axis is taken for another, the shape agrees.
        Example("an example with H = D_q = N", (_outputs(rng, 3, 3, 3),), {"H": 3, "D_q": 3, "N": 3}),
        Example(AGAIN, (_outputs(rng, 2, 4, 5),)),
    ]


def _to_mix(rng: np.random.RandomState, D: int, rows: int, N: int) -> tuple[Array, Array]:
    return rng.normal(size=(D, rows)), rng.normal(size=(rows, N))


def _mix() -> list[Example]:
    rng = RandomState(42)
    return [
        Example("the paper example", (PAPER_AMOUNTS, np.vstack(PAPER_OUTPUTS)), {"D": 2, "H D_q": 2, "N": 3}),
        Example("an example of other sizes", _to_mix(rng, 5, 4, 3), {"D": 5, "H D_q": 4, "N": 3}),
        Example("an example of the book's sizes", _to_mix(rng, 8, 8, 6), {"D": 8, "H D_q": 8, "N": 6}),
        # D = H D_q = N: factors that change places, or are turned over, give no error here.
        Example("an example with D = H D_q = N", _to_mix(rng, 4, 4, 4), {"D": 4, "H D_q": 4, "N": 4}),
        Example(AGAIN, _to_mix(rng, 5, 4, 3)),
    ]


def _to_split(rng: np.random.RandomState, D: int, H: int, D_q: int, N: int) -> tuple[Array, list[Array]]:
    return rng.normal(size=(D, H * D_q)), _outputs(rng, H, D_q, N)


def _head_contributions() -> list[Example]:
    rng = RandomState(43)
    return [
        Example("the paper example", (PAPER_AMOUNTS, [*PAPER_OUTPUTS])),
        Example("an example of other sizes", _to_split(rng, 5, 2, 3, 4), {"D": 5, "H": 2, "D_q": 3, "N": 4}),
        Example("an example with three heads", _to_split(rng, 7, 3, 2, 4), {"D": 7, "H": 3, "D_q": 2, "N": 4}),
        Example("an example with one head", _to_split(rng, 5, 1, 3, 4), {"D": 5, "H": 1, "D_q": 3, "N": 4}),
        Example("an example of the book's sizes", _to_split(rng, 8, 2, 4, 6), {"D": 8, "H": 2, "D_q": 4, "N": 6}),
        # D = D_q = N: a block that is turned over, or a product the other way round, gives no error here.
        Example("an example with D = D_q = N", _to_split(rng, 3, 2, 3, 3), {"D": 3, "H": 2, "D_q": 3, "N": 3}),
        Example(AGAIN, _to_split(rng, 5, 2, 3, 4)),
    ]


def _multihead() -> list[Example]:
    rng = RandomState(44)
    head1, head2, omega_c = seeded_heads()
    return [
        Example("the paper example", _paper_heads(), {"D": 2, "N": 2, "H": 2, "D_q": 1}),
        # No two of the numbers that a scale is mistaken for are alike: the root of D_q, D_q, D, N, H and their roots.
        Example("an example of other sizes", _call(rng, 10, 7, 2, 5), {"D": 10, "N": 7, "H": 2, "D_q": 5}),
        Example("the seeded example", (six_tokens(), [head1, head2], omega_c), {"D": 8, "N": 6, "H": 2, "D_q": 4}),
        Example("an example with three heads", _call(rng, 6, 5, 3, 2), {"D": 6, "N": 5, "H": 3, "D_q": 2}),
        Example("an example with three larger heads", _call(rng, 15, 7, 3, 5), {"D": 15, "N": 7, "H": 3, "D_q": 5}),
        Example("an example with one head", _call(rng, 4, 3, 1, 4), {"D": 4, "N": 3, "H": 1, "D_q": 4}),
        Example("an example with D other than H times D_q", _call(rng, 5, 4, 2, 3), {"D": 5, "N": 4, "H": 2, "D_q": 3}),
        # N = D_q: a bias of the wrong orientation gives no error here.
        Example("an example with N = D_q", _call(rng, 6, 3, 2, 3), {"D": 6, "N": 3, "H": 2, "D_q": 3}),
        Example(AGAIN, _call(rng, 10, 7, 2, 5)),
    ]


def _by_parameter(X: Array, heads: list[Head], omega_c: Array) -> tuple[Array, ...]:
    """Return the same call with every parameter an argument of its own, in the book's order: v, q, k."""
    each = [(h.omega_v, h.omega_q, h.omega_k, h.beta_v, h.beta_q, h.beta_k) for h in heads]
    return X, *each[0], *each[1], omega_c


def _multihead_scaled_self_attention() -> list[Example]:
    rng = RandomState(45)
    head1, head2, omega_c = seeded_heads()
    return [
        Example("the paper example", _by_parameter(*_paper_heads()), {"D": 2, "N": 2, "D_q": 1}),
        Example("an example of other sizes", _by_parameter(*_call(rng, 10, 7, 2, 5)), {"D": 10, "N": 7, "D_q": 5}),
        Example("the seeded example", _by_parameter(six_tokens(), [head1, head2], omega_c), {"D": 8, "N": 6, "D_q": 4}),
        Example("an example of smaller sizes", _by_parameter(*_call(rng, 6, 5, 2, 3)), {"D": 6, "N": 5, "D_q": 3}),
        # N = D_q: a bias of the wrong orientation gives no error here.
        Example("an example with N = D_q", _by_parameter(*_call(rng, 6, 3, 2, 3)), {"D": 6, "N": 3, "D_q": 3}),
        Example(AGAIN, _by_parameter(*_call(rng, 10, 7, 2, 5))),
    ]


def _own_multihead_scaled_self_attention(rng: np.random.RandomState) -> list[Example]:
    made = []
    for sizes in own_sizes(rng, "N", "D_q"):
        N, D_q = sizes.values()
        D = 2 * D_q  # as in the book, whose scale is the root of D / H
        call = _call(rng, D, N, 2, D_q, calm=True)
        made.append(Example(OWN, _by_parameter(*call), {"D": D, **sizes}))
    return made


EXAMPLES: dict[str, Callable[[], list[Example]]] = {
    "stack_heads": _stack_heads,
    "mix": _mix,
    "head_contributions": _head_contributions,
    "multihead": _multihead,
    "multihead_scaled_self_attention": _multihead_scaled_self_attention,
}

HIDDEN: dict[str, Maker] = {
    "stack_heads": own(("H", "D_q", "N"), lambda rng, *sizes: (_outputs(rng, *sizes),)),
    "mix": own(("D", "H D_q", "N"), _to_mix),
    "head_contributions": own(("D", "H", "D_q", "N"), _to_split),
    "multihead": own(("D", "N", "H", "D_q"), partial(_call, calm=True)),
    "multihead_scaled_self_attention": _own_multihead_scaled_self_attention,
}


# The sentence of notebook 1 again, with two heads. Scores are divided by the root of 2 now: the 6s keep shares sharp.
ROWS = ("1: person", "1: animal", "2: silent", "2: sound")
MIXED = ("person", "animal", "action", "sound", "animal, sound")


def sentence_recipes() -> Array:
    """Return what mixes the four rows of the sentence's heads, shape (5, 4): one recipe a row."""
    return matrix(
        [1, 0, 0, 0],  # person
        [0, 1, 0, 0],  # animal
        [0, 0, 1, 1],  # action: a sound is one too
        [0, 0, 0, 1],  # sound
        [0, 0.5, 0, 0.5],  # an animal that makes a sound
    )
