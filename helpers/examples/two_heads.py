"""The examples of notebook 3, and the two heads that read the sentence of notebook 1."""

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
    draw_shares,
    matrix,
    own,
    own_sizes,
    seeded_heads,
    six_tokens,
    tokens_and_head,
)
from helpers.parameters import Head


def _paper_head() -> tuple[Array, Head]:
    """Return three tokens and a head with the keys and values that stand on paper in notebook 1.

    Divided by the root of D_q = 2, and by no other number, the scores are logarithms of whole numbers: token 1 asks
    with ln 2 and ln 3, token 2 with ln 2 and 0, token 3 with ln 3 and 0. All sizes differ.
    """
    X = matrix([0, 1, 0], [0, 0, 1], [6, 0, 3], [0, 6, 3])
    first, last = matrix([1, 0, 0, 0], [0, 1, 0, 0]), matrix([0, 0, 1, 0], [0, 0, 0, 1])
    omega_q = np.sqrt(2) * matrix([0, np.log(3 / 2), 0, 0], [-np.log(3), -np.log(3), 0, 0])
    beta_q = np.sqrt(2) * matrix([np.log(2)], [np.log(3)])
    nothing = np.zeros((2, 1))
    return X, Head(omega_q, first, last, beta_q, nothing, nothing.copy())


def _paper_heads() -> tuple[Array, Head, Head]:
    """Return two tokens, a head that reads row 1 and a head that reads row 2: outputs (.5, .731) and (.731, .5)."""
    X = matrix([0, 1], [1, 0])
    nothing = matrix([0])
    one, two = ([row.copy() for _ in range(3)] for row in (matrix([1, 0]), matrix([0, 1])))
    none = [nothing.copy() for _ in range(3)]
    return X, Head(*one, *none), Head(*two, *none)


def _head_size() -> list[Example]:
    return [
        Example("the paper example", (12, 3), {"D": 12, "H": 3}),
        Example("the sizes of the seeded example", (8, 2), {"D": 8, "H": 2}),
        Example("one head", (7, 1), {"D": 7, "H": 1}),
        Example("a head for every row", (6, 6), {"D": 6, "H": 6}),
        # Even numbers both, and 2.5 when divided: a test for odd numbers, or rounding, goes through elsewhere.
        Example("rows that cannot be shared evenly", (10, 4), {"D": 10, "H": 4}, refuses=("10", "4")),
        Example("an odd number of rows", (11, 4), {"D": 11, "H": 4}, refuses=("11", "4")),
        # 2.25 when divided: rounding to the nearest and rounding up differ here, and do not where it is 2.5 or 2.75.
        Example("one row too many", (9, 4), {"D": 9, "H": 4}, refuses=("9", "4")),
        Example("more heads than rows", (3, 6), {"D": 3, "H": 6}, refuses=("3", "6")),
        Example("other numbers", (768, 12), {"D": 768, "H": 12}),
    ]


def _own_head_size(rng: np.random.RandomState) -> list[Example]:
    made = []
    for sizes in own_sizes(rng, "H", "D_q"):
        H, D = sizes["H"], sizes["H"] * sizes["D_q"]
        uneven = D + int(rng.randint(1, H))
        made.append(Example(OWN, (D, H), {"D": D, "H": H}))
        made.append(Example(OWN, (uneven, H), {"D": uneven, "H": H}, refuses=(str(uneven), str(H))))
    return made


def _head_output() -> list[Example]:
    rng = RandomState(31)
    X, head1, _ = _seeded()
    return [
        Example("the paper example", _paper_head(), {"D": 4, "N": 3, "D_q": 2}),
        Example("an example of other sizes", tokens_and_head(rng, 6, 5, 3), {"D": 6, "N": 5, "D_q": 3}),
        # Here the root of D_q, H, D / H / H and the root of D without its decimals are all 2.
        Example("the seeded example", (X, head1), {"D": 8, "N": 6, "D_q": 4}),
        # Here 2, H, D_q, and the roots of D and N, with decimals or without, all differ from the root of D_q.
        Example("an example with D_q = 5", tokens_and_head(rng, 10, 7, 5), {"D": 10, "N": 7, "D_q": 5}),
        Example("a head that is not half as high as X", tokens_and_head(rng, 9, 4, 2), {"D": 9, "N": 4, "D_q": 2}),
        # N = D_q: a bias of the wrong orientation, or V and A exchanged, gives no error here.
        Example("an example with N = D_q", tokens_and_head(rng, 6, 3, 3), {"D": 6, "N": 3, "D_q": 3}),
        Example(
            "an example with large scores",
            (30 * rng.normal(size=(6, 5)), draw_head(rng, D=6, D_q=3)),
            {"D": 6, "N": 5, "D_q": 3},
        ),
        Example(AGAIN, tokens_and_head(rng, 6, 5, 3)),
    ]


def _tokens_and_heads(
    rng: np.random.RandomState, D: int, N: int, one: int, other: int, *, calm: bool = False
) -> tuple[Array, Head, Head]:
    """Return tokens and two heads of so many rows."""
    return rng.normal(size=(D, N)), draw_head(rng, D, one, calm=calm), draw_head(rng, D, other, calm=calm)


def _two_heads() -> list[Example]:
    rng = RandomState(32)
    return [
        Example("the paper example", _paper_heads(), {"D": 2, "N": 2, "D_q": 1}),
        Example("an example of other sizes", _tokens_and_heads(rng, 6, 5, 3, 3), {"D": 6, "N": 5, "D_q": 3}),
        Example("the seeded example", _seeded(), {"D": 8, "N": 6, "D_q": 4}),
        Example("an example with D_q = 5", _tokens_and_heads(rng, 10, 7, 5, 5), {"D": 10, "N": 7, "D_q": 5}),
        # A head is told how high it is by its own parameters, by nothing else.
        Example("a head with D_q = 2 and a head with D_q = 3", _tokens_and_heads(rng, 7, 4, 2, 3), {"D": 7, "N": 4}),
        Example(AGAIN, _tokens_and_heads(rng, 6, 5, 3, 3)),
    ]


def _strongest_key() -> list[Example]:
    rng = RandomState(33)
    ties = matrix([0.4, 0.25, 0.1, 0.2], [0.4, 0.25, 0.45, 0.4], [0.2, 0.5, 0.45, 0.4])
    return [
        Example("the paper example", (matrix([0.2, 0.6], [0.5, 0.3], [0.3, 0.1]),), {"N_k": 3, "N_q": 2}),
        Example("an example of other sizes", (draw_shares(rng, 4, 7),), {"N_k": 4, "N_q": 7}),
        # Square weights: positions along the rows are as many as those down the columns.
        Example("an example with N_k = N_q", (draw_shares(rng, 6, 6),), {"N_k": 6, "N_q": 6}),
        Example("an example with equal weights in a column", (ties,), {"N_k": 3, "N_q": 4}),
        Example("a single key", (np.ones((1, 3)),), {"N_k": 1, "N_q": 3}),
        Example(AGAIN, (draw_shares(rng, 4, 7),)),
    ]


def _clear_shares(rng: np.random.RandomState, N_k: int, N_q: int) -> tuple[Array]:
    """Return weights of whole parts: two of a column are equal, or far enough apart for any rounding."""
    parts = rng.randint(1, 9, size=(N_k, N_q))
    return (parts / parts.sum(axis=0),)


def _seeded() -> tuple[Array, Head, Head]:
    head1, head2, _ = seeded_heads()
    return six_tokens(), head1, head2


EXAMPLES: dict[str, Callable[[], list[Example]]] = {
    "head_size": _head_size,
    "head_output": _head_output,
    "two_heads": _two_heads,
    "strongest_key": _strongest_key,
}

HIDDEN: dict[str, Maker] = {
    "head_size": _own_head_size,
    "head_output": own(("D", "N", "D_q"), partial(tokens_and_head, calm=True)),
    "two_heads": own(("D", "N", "D_q of head 1", "D_q of head 2"), partial(_tokens_and_heads, calm=True)),
    "strongest_key": own(("N_k", "N_q"), _clear_shares),
}


# Two heads for the sentence of notebook 1. Scores are divided by the root of D_q = 2 now: what was 4 there is 6 here.


def who_head() -> Head:
    """Return the head of notebook 1 with 6 for 4: *it* and *purred* ask for an animal, *fed* asks for a person."""
    asks = matrix(
        [0, 0, 6, -6, 0],  # asks for a person: an action does, a sound takes it back
        [0, 0, 0, 6, 6],  # asks for an animal: a sound and a pronoun do
    )
    holds = matrix(
        [1, 0, 0, 0, 0],  # is a person
        [0, 1, 0, 0, 0],  # is an animal
    )
    return _without_biases(asks, holds)


def did_head() -> Head:
    """Return a head in which *Ada* asks for an action that makes no sound, *cat* and *it* for one that does."""
    asks = matrix(
        [6, 0, 0, 0, 0],  # asks for a silent action: a person does
        [0, 6, 0, 0, 6],  # asks for a sound: an animal and a pronoun do
    )
    holds = matrix(
        [0, 0, 1, -1, 0],  # is a silent action: a sound takes it back
        [0, 0, 0, 1, 0],  # is a sound
    )
    return _without_biases(asks, holds)


def _without_biases(asks: Array, holds: Array) -> Head:
    return Head(asks, holds, holds.copy(), *(np.zeros((2, 1)) for _ in range(3)))
