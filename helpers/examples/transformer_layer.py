"""The examples of notebook 6."""

from collections.abc import Callable

import numpy as np

from helpers.examples.example import (
    AGAIN,
    OWN,
    Array,
    Example,
    Maker,
    RandomState,
    draw_layer,
    matrix,
    own,
    own_sizes,
    seeded_layer,
    six_tokens,
)
from helpers.parameters import Head, Layer


def _column(*numbers: float) -> Array:
    """Return numbers as a column."""
    return np.array([numbers], dtype=np.float64).T


def _nothing(*shape: int) -> Array:
    return np.zeros(shape)


# --- the layers that can be done on paper: with two rows LayerNorm makes the larger number 1 and the smaller -1. Their
# numbers lie 10 apart before each LayerNorm, so that eps is too small to be seen in the result.


def even_head() -> Head:
    """Return a head of two rows that attends evenly and takes the tokens themselves as values."""
    return Head(_nothing(2, 2), _nothing(2, 2), matrix([1, 0], [0, 1]), _nothing(2, 1), _nothing(2, 1), _nothing(2, 1))


def paper_layer() -> Layer:
    """Return the layer of exercises 6.4 and 6.6. Every token reads the mean column."""
    return Layer(
        heads=[even_head()],
        omega_c=matrix([-1, 1], [0, 0]),
        gamma1=_column(10, 10),
        delta1=_column(0, -10),
        W1=matrix([1, 0]),
        b1=_nothing(1, 1),
        W2=_column(0, 2),
        b2=_nothing(2, 1),
        gamma2=_column(2, 1),
        delta2=_column(0, 2),
    )


def silent_layers() -> list[Layer]:
    """Return the two layers of exercise 6.5, whose attention and MLP add nothing: only the LayerNorms are left."""
    silent = paper_layer()._replace(omega_c=_nothing(2, 2), W2=_nothing(2, 1), delta1=_nothing(2, 1))
    return [
        silent._replace(gamma2=_column(1, 1), delta2=_column(0, 5)),
        silent._replace(gamma2=_column(3, 3), delta2=_column(0, 9)),
    ]


# --- the stack of exercise 6.5


def small_layers(count: int) -> list[Layer]:
    """Return as many of the layers that the notebook draws with seed 7; their matrices are divided by root D."""
    rng = RandomState(7)
    return [_small_layer(rng, D=8, H=2, D_m=32) for _ in range(count)]


def _small_layer(rng: np.random.RandomState, D: int, H: int, D_m: int) -> Layer:
    """Return a layer as the notebook's cell draws it, in its order."""
    heads = []
    for _ in range(H):
        omegas = [rng.normal(size=(D // H, D)) / np.sqrt(D) for _ in range(3)]
        heads.append(Head(*omegas, *(_nothing(D // H, 1) for _ in range(3))))
    omega_c = rng.normal(size=(D, D)) / np.sqrt(D)
    W1, W2 = rng.normal(size=(D_m, D)) * np.sqrt(2 / D), rng.normal(size=(D, D_m)) * np.sqrt(2 / D_m)
    ones, zeros = np.ones((D, 1)), _nothing(D, 1)
    return Layer(heads, omega_c, ones, zeros, W1, _nothing(D_m, 1), W2, zeros, ones, zeros)


# --- what stands for f in exercise 6.3


def sum_of_columns(X: Array) -> Array:
    """Return the sum of all columns, in every column."""
    return np.repeat(X.sum(axis=1, keepdims=True), X.shape[1], axis=1)


def squares(X: Array) -> Array:
    """Return every number squared: what happens to the input before shows in the output."""
    return X**2


def reads_to_the_left(X: Array) -> Array:
    """Return, in every column, twice the column before it."""
    return 2 * np.roll(X, 1, axis=1)


def its_own_argument(X: Array) -> Array:
    """Return the very array that came in: whoever adds to it in place changes the input."""
    return X


def nothing_at_all(X: Array) -> Array:
    """Return zeros."""
    return np.zeros(X.shape)


# --- the examples


def _with_a_constant_column(rng: np.random.RandomState, D: int, N: int) -> tuple[Array, Array, Array]:
    X = rng.normal(size=(D, N))
    X[:, rng.randint(N)] = rng.randint(1, 9)
    return X, rng.normal(size=(D, 1)), rng.normal(size=(D, 1))


def _with_a_large_eps(rng: np.random.RandomState, D: int, N: int) -> tuple[Array, float, float, float]:
    gamma, delta, eps = rng.uniform((2, 2, 0.1), (5, 5, 0.5)).tolist()
    return 2 + rng.normal(size=(D, N)), gamma, delta, eps


def _layer_norm() -> list[Example]:
    rng = RandomState(61)
    X = rng.normal(size=(4, 3))
    X[:, 1] = 1.5  # a constant column
    return [
        # The middle column is constant: without eps it is 0 / 0. A tiny eps leaves the numbers as they are on paper.
        Example("the paper example with eps = 1e-12", (matrix([1, 2, 3], [3, 2, 7]), 1.0, 0.0, 1e-12)),
        # With 1e-5 nobody sees where eps stands.
        Example("an example with eps = 0.1", (2 + rng.normal(size=(5, 3)), 1.0, 0.0, 0.1), {"D": 5, "N": 3}),
        Example(
            "an example with gamma and delta",
            (rng.normal(size=(3, 4)), rng.normal(size=(3, 1)), rng.normal(size=(3, 1))),
            {"D": 3, "N": 4},
        ),
        Example("an example with gamma = 2 and delta = 3", (rng.normal(size=(4, 3)), 2.0, 3.0), {"D": 4, "N": 3}),
        Example(
            "an example with a constant column",
            (X, rng.normal(size=(4, 1)), rng.normal(size=(4, 1))),
            {"D": 4, "N": 3},
        ),
        # D = N: a gamma or delta of the wrong orientation gives no error here.
        Example(
            "an example with D = N",
            (rng.normal(size=(3, 3)), rng.normal(size=(3, 1)), rng.normal(size=(3, 1)), 0.01),
            {"D": 3, "N": 3},
        ),
        Example("the seeded example", (six_tokens(),), {"D": 8, "N": 6}),
        Example(AGAIN, (rng.normal(size=(5, 3)),)),
    ]


def _draw_mlp(rng: np.random.RandomState, D: int, D_m: int) -> tuple[Array, Array, Array, Array]:
    W1, b1 = rng.normal(size=(D_m, D)), rng.normal(size=(D_m, 1))
    return W1, b1, rng.normal(size=(D, D_m)), rng.normal(size=(D, 1))


def _tokens_and_mlp(rng: np.random.RandomState, D: int, N: int, D_m: int) -> tuple[Array, ...]:
    return rng.normal(size=(D, N)), *_draw_mlp(rng, D, D_m)


def _mlp() -> list[Example]:
    rng = RandomState(62)
    seeded = seeded_layer()
    return [
        Example(
            "the paper example",
            (
                matrix([1, -1], [2, 0]),
                matrix([1, 0], [0, 1], [1, -1]),
                _column(0, -1, 0),
                matrix([1, 0, 2], [0, 3, 1]),
                _column(1, -1),
            ),
            {"D": 2, "N": 2, "D_m": 3},
        ),
        Example("an example of other sizes", _tokens_and_mlp(rng, 5, 3, 7), {"D": 5, "N": 3, "D_m": 7}),
        # N = D_m, then all alike: a bias of the wrong orientation, or a matrix turned over, gives no error here.
        Example("an example with N = D_m", _tokens_and_mlp(rng, 5, 4, 4), {"D": 5, "N": 4, "D_m": 4}),
        Example("an example with D = N = D_m", _tokens_and_mlp(rng, 3, 3, 3), {"D": 3, "N": 3, "D_m": 3}),
        Example(
            "the seeded example",
            (six_tokens(), seeded.W1, seeded.b1, seeded.W2, seeded.b2),
            {"D": 8, "N": 6, "D_m": 32},
        ),
        # Hidden numbers far above 10: an activation that cuts off large numbers shows here.
        Example("large numbers", (100 * rng.normal(size=(5, 3)), *_draw_mlp(rng, 5, 7))),
        Example(AGAIN, _tokens_and_mlp(rng, 5, 3, 7)),
    ]


def _residual() -> list[Example]:
    rng = RandomState(63)
    return [
        Example("the paper example", (matrix([1, 3], [2, 0]), sum_of_columns)),
        Example("an example where f squares every number", (rng.normal(size=(5, 3)), squares), {"D": 5, "N": 3}),
        Example("an example where f moves the columns", (rng.normal(size=(3, 4)), reads_to_the_left), {"D": 3, "N": 4}),
        Example("an example where f returns zeros", (rng.normal(size=(2, 4)), nothing_at_all), {"D": 2, "N": 4}),
        Example("an example where f returns what it got", (rng.normal(size=(4, 2)), its_own_argument)),
        Example(AGAIN, (rng.normal(size=(5, 3)), squares)),
    ]


def _drawn(rng: np.random.RandomState, label: str, D: int, N: int, H: int, D_m: int, *, calm: bool = False) -> Example:
    """Return an example with a layer of standard normals."""
    X, layer = rng.normal(size=(D, N)), draw_layer(rng, D, H, D_m, calm=calm)
    return Example(label, (X, layer), {"D": D, "N": N, "H": H, "D_q": D // H, "D_m": D_m})


def _own_layer(rng: np.random.RandomState) -> list[Example]:
    drawn = [one.values() for one in own_sizes(rng, "H", "D_q", "N", "D_m")]
    return [_drawn(rng, OWN, H * D_q, N, H, D_m, calm=True) for H, D_q, N, D_m in drawn]


def _one_layer(paper: Array, seed: int) -> list[Example]:
    """Return the examples of one layer, post-norm or pre-norm; `paper` is what enters the paper layer."""
    rng = RandomState(seed)
    return [
        Example("the paper example", (paper, paper_layer()), {"D": 2, "N": 2, "H": 1, "D_q": 2, "D_m": 1}),
        _drawn(rng, "an example of other sizes", D=6, N=4, H=3, D_m=5),
        _drawn(rng, "an example with one head", D=3, N=5, H=1, D_m=7),
        Example("the seeded example", (six_tokens(), seeded_layer()), {"D": 8, "N": 6, "H": 2, "D_q": 4, "D_m": 32}),
        # No root of any size here equals another size: each wrong divisor of the scores shows.
        _drawn(rng, "an example with D = 10", D=10, N=7, H=2, D_m=12),
        # D = N = D_m: what is turned over gives no error here.
        _drawn(rng, "an example with D = N = D_m", D=4, N=4, H=2, D_m=4),
        _drawn(rng, AGAIN, D=6, N=4, H=3, D_m=5),
    ]


def _transformer_layer() -> list[Example]:
    return _one_layer(matrix([20, 40], [10, 10]), 64)


def _stack() -> list[Example]:
    rng = RandomState(65)
    alike = RandomState(67)
    sizes = {"D": 6, "N": 4}
    return [
        Example("the paper example", (_column(30, 10), silent_layers()), {"D": 2, "N": 1}),
        # Layers that differ in everything but D.
        Example(
            "an example with three layers",
            (rng.normal(size=(6, 4)), [draw_layer(rng, 6, H, D_m) for H, D_m in ((3, 5), (2, 7), (1, 3))]),
            sizes,
        ),
        Example("an example with one layer", (rng.normal(size=(6, 4)), [draw_layer(rng, 6, 2, 5)]), sizes),
        Example("an example with no layers", (rng.normal(size=(6, 4)), []), sizes),
        Example(
            "the seeded example",
            (six_tokens(), [seeded_layer(), draw_layer(rng, 8, 4, 16)]),
            {"D": 8, "N": 6},
        ),
        # D = N = D_m: what is turned over inside a layer gives no error here.
        Example(
            "an example with D = N = D_m",
            (alike.normal(size=(4, 4)), [draw_layer(alike, 4, H, 4) for H in (2, 1)]),
            {"D": 4, "N": 4},
        ),
        Example(AGAIN, (rng.normal(size=(6, 4)), [draw_layer(rng, 6, H, D_m) for H, D_m in ((3, 5), (2, 7), (1, 3))])),
    ]


def _own_stack(rng: np.random.RandomState) -> list[Example]:
    made = []
    rows = rng.permutation((12, 18, 24)).tolist()
    for depth, sizes in zip((2, 3), own_sizes(rng, "N", "D_m", "D_m of layer 2", "D_m of layer 3"), strict=True):
        D, (N, *widths) = rows.pop(), sizes.values()
        heads = rng.permutation((1, 2, 3, 6)).tolist()  # each divides D: the layers differ in everything else
        X = rng.normal(size=(D, N))
        layers = [draw_layer(rng, D, heads.pop(), D_m, calm=True) for D_m in widths[:depth]]
        made.append(Example(OWN, (X, layers), {"D": D, "N": N}))
    return made


def _pre_norm_layer() -> list[Example]:
    return _one_layer(matrix([20, 50], [10, 10]), 66)


EXAMPLES: dict[str, Callable[[], list[Example]]] = {
    "layer_norm": _layer_norm,
    "mlp": _mlp,
    "residual": _residual,
    "transformer_layer": _transformer_layer,
    "stack": _stack,
    "pre_norm_layer": _pre_norm_layer,
}

HIDDEN: dict[str, Maker] = {
    "layer_norm": own(("D", "N"), _with_a_constant_column, _with_a_large_eps),
    "mlp": own(("D", "N", "D_m"), _tokens_and_mlp),
    "residual": own(
        ("D", "N"),
        lambda rng, *shape: (rng.normal(size=shape), squares),
        lambda rng, *shape: (rng.normal(size=shape), reads_to_the_left),
    ),
    "transformer_layer": _own_layer,
    "stack": _own_stack,
    "pre_norm_layer": _own_layer,
}
