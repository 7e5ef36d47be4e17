"""One call of an exercise, and what every notebook's examples share.

Only `RandomState` is used: its stream is frozen across numpy versions. The global generator is never seeded.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpers.parameters import Head, Layer

Array = NDArray[np.float64]
RandomState = np.random.RandomState  # bound now: a notebook may rename what it likes later


@dataclass(frozen=True)
class Example:
    """One call of an exercise: its arguments, and what to call it in a message.

    Attributes
    ----------
    label : str
        What it is, after "on": "the seeded example".
    arguments : tuple
        What the function is called with.
    sizes : dict of str to int
        The sizes a message names.
    near : float
        For a result that is drawn at random: how far off it may be, as a part of the true one. 0 for any other.
    refuses : tuple of str
        For a call that must raise a `ValueError`: what its message must name. Empty for any other.
    """

    label: str
    arguments: tuple[Any, ...]
    sizes: dict[str, int] = field(default_factory=dict)
    near: float = 0.0
    refuses: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """The example in words: "on the seeded example (D = 4, N = 3)"."""
        sizes = ", ".join(f"{symbol} = {size}" for symbol, size in self.sizes.items())
        return f"on {self.label}" + (f" ({sizes})" if sizes else "")


# Sizes that all differ come before sizes that are alike, which let a transposed matrix fit: there a slip shows as a
# shape, which says more than a wrong number. Last comes a shape that occurred before, with other numbers: a result that
# was kept by shape shows there.
AGAIN = "other numbers of the same sizes"


def matrix(*rows: list[float]) -> Array:
    """Return rows as a matrix of floats."""
    return np.array(rows, dtype=np.float64)


def draw_head(rng: np.random.RandomState, D: int, D_q: int, *, calm: bool = False) -> Head:
    """Return a head of standard normals, drawn in the book's order: the omegas q, k, v, then the betas.

    `calm` divides the omegas by the root of D: the scores stay small, and no key takes all the weight, whatever D is.
    """
    omegas = [rng.normal(size=(D_q, D)) / (np.sqrt(D) if calm else 1.0) for _ in range(3)]
    betas = [rng.normal(size=(D_q, 1)) for _ in range(3)]
    return Head(*omegas, *betas)


def tokens_and_head(rng: np.random.RandomState, D: int, N: int, D_q: int, *, calm: bool = False) -> tuple[Array, Head]:
    """Return tokens of standard normals, then a head."""
    return rng.normal(size=(D, N)), draw_head(rng, D, D_q, calm=calm)


def queries_and_keys(rng: np.random.RandomState, D_q: int, N_q: int, N_k: int) -> tuple[Array, Array]:
    """Return queries and keys of standard normals."""
    return rng.normal(size=(D_q, N_q)), rng.normal(size=(D_q, N_k))


def draw_layer(rng: np.random.RandomState, D: int, H: int, D_m: int, *, calm: bool = False) -> Layer:
    """Return a layer of standard normals, biases, gammas and deltas too, so that nothing can be left out unseen."""
    heads = [draw_head(rng, D, D // H, calm=calm) for _ in range(H)]
    omega_c = rng.normal(size=(D, D))
    gamma1, delta1 = rng.normal(size=(D, 1)), rng.normal(size=(D, 1))
    W1, b1 = rng.normal(size=(D_m, D)), rng.normal(size=(D_m, 1))
    W2, b2 = rng.normal(size=(D, D_m)), rng.normal(size=(D, 1))
    gamma2, delta2 = rng.normal(size=(D, 1)), rng.normal(size=(D, 1))
    return Layer(heads, omega_c, gamma1, delta1, W1, b1, W2, b2, gamma2, delta2)


def draw_shares(rng: np.random.RandomState, N_k: int, N_q: int, least: float = 0.1) -> Array:
    """Return weights: every column sums to one, and none is small. `least` is the smallest before they are divided."""
    amounts = rng.uniform(least, 1.0, size=(N_k, N_q))
    shares: Array = amounts / amounts.sum(axis=0)
    return shares


# --- the grader's own examples

OWN = "one of the grader's own examples"
# No size is the half, the double or the root of another, and no public example has these alone.
_SIZES, _HEADS = (7, 11, 13, 17, 19), (3, 4, 5)

Draw = Callable[..., tuple[Any, ...]]  # from a generator and the sizes to the arguments of a call
Maker = Callable[[np.random.RandomState], list[Example]]


def own_sizes(rng: np.random.RandomState, *symbols: str) -> tuple[dict[str, int], dict[str, int]]:
    """Return sizes for two calls that differ; within a call no two are alike, and a head has fewer rows than X."""
    sizes, heads = rng.permutation(_SIZES).tolist(), rng.permutation(_HEADS).tolist()
    first, second = (
        {symbol: heads[call] if symbol == "H" else sizes[call + place] for place, symbol in enumerate(symbols)}
        for call in range(2)
    )
    for drawn in (first, second):
        for symbol in drawn:
            if symbol.startswith("D_q") and drawn.get("D", np.inf) < drawn[symbol]:
                drawn["D"], drawn[symbol] = drawn[symbol], drawn["D"]
    return first, second


def own(symbols: tuple[str, ...], first: Draw, second: Draw | None = None) -> Maker:
    """Return the maker of two hidden examples.

    Parameters
    ----------
    symbols : tuple of str
        Which sizes are drawn, four at most besides "H": ("D", "N").
    first, second : callable
        Return the arguments of each call from the generator and the sizes, in the order of `symbols`; the first serves
        for both if there is no second.
    """

    def make(rng: np.random.RandomState) -> list[Example]:
        calls = zip((first, second or first), own_sizes(rng, *symbols), strict=True)
        return [Example(OWN, draw(rng, *sizes.values()), sizes) for draw, sizes in calls]

    return make


# --- the seeded data of the notebooks


def seeded_tokens() -> Array:
    """Return the three tokens of the book's notebook on one head, shape (4, 3): seed 3, one draw a token."""
    rng = RandomState(3)
    return np.hstack([rng.normal(size=(4, 1)) for _ in range(3)])


def seeded_head() -> Head:
    """Return the parameters of the book's notebook on one head: seed 0, D = D_q = 4."""
    return draw_head(RandomState(0), D=4, D_q=4)


def six_tokens() -> Array:
    """Return the six tokens of the book's notebook on two heads, shape (8, 6): seed 3, one draw."""
    return RandomState(3).normal(size=(8, 6))


def seeded_heads() -> tuple[Head, Head, Array]:
    """Return the parameters of the book's notebook on two heads: seed 0; head 1, head 2, and omega_c (8, 8)."""
    rng = RandomState(0)
    head1, head2 = draw_head(rng, D=8, D_q=4), draw_head(rng, D=8, D_q=4)
    return head1, head2, rng.normal(size=(8, 8))


def seeded_layer() -> Layer:
    """Return the layer of notebook 6: the seeded heads, an MLP of seed 1 with 32 hidden units, plain LayerNorms."""
    head1, head2, omega_c = seeded_heads()
    rng = RandomState(1)
    W1 = rng.normal(size=(32, 8)) * np.sqrt(2 / 8)
    W2 = rng.normal(size=(8, 32)) * np.sqrt(2 / 32)
    ones, zeros = np.ones((8, 1)), np.zeros((8, 1))
    return Layer([head1, head2], omega_c, ones, zeros, W1, np.zeros((32, 1)), W2, zeros, ones, zeros)
