"""The examples of notebook 5, and the two sentences that open it."""

from collections.abc import Callable

import numpy as np

from helpers.examples.example import (
    AGAIN,
    OWN,
    Array,
    Example,
    Maker,
    RandomState,
    matrix,
    own,
    own_sizes,
    six_tokens,
)
from helpers.parameters import Head

# No order here is its own inverse: with one that is, a result in the inverse order would look right.
PAPER_ORDER = (2, 0, 1)
SEEDED_ORDER = (2, 0, 1, 5, 4, 3)


def _order(*positions: int) -> np.ndarray:
    """Return an order as an array of whole numbers."""
    return np.array(positions)


def _tokens_and_order(rng: np.random.RandomState, D: int, N: int) -> tuple[Array, np.ndarray]:
    """Return tokens, and an order that leads back to itself only after N times: it is not its own inverse."""
    around = rng.permutation(N)
    order = np.empty_like(around)
    order[around] = np.roll(around, 1)
    return rng.normal(size=(D, N)), order


def _permute_columns() -> list[Example]:
    rng = RandomState(51)
    return [
        Example("the paper example", (matrix([1, 2, 3], [4, 5, 6]), _order(*PAPER_ORDER)), {"D": 2, "N": 3}),
        Example("an example of other sizes", (rng.normal(size=(5, 4)), _order(1, 2, 3, 0)), {"D": 5, "N": 4}),
        Example("the seeded example", (six_tokens(), _order(*SEEDED_ORDER)), {"D": 8, "N": 6}),
        # D = N: rows in a new order give no error here.
        Example("an example with D = N", (rng.normal(size=(4, 4)), _order(3, 0, 1, 2)), {"D": 4, "N": 4}),
        Example("an example in the order it has", (rng.normal(size=(2, 3)), _order(0, 1, 2)), {"D": 2, "N": 3}),
        Example(AGAIN, (rng.normal(size=(5, 4)), _order(2, 3, 1, 0)), {"D": 5, "N": 4}),
    ]


# --- functions of tokens for 5.2: some can tell order, some cannot


def running_sums(X: Array) -> Array:
    """Return, for every token, the sum of all tokens up to it."""
    return np.cumsum(X, axis=1)


def doubled(X: Array) -> Array:
    """Return every token times 2."""
    return 2.0 * X


def adds_its_place(X: Array) -> Array:
    """Return every token with its position added, counted from 0."""
    return X + np.arange(X.shape[1])


def two_rows_by_place(X: Array) -> Array:
    """Return two rows of the tokens, every column times its position: D_out is 2, whatever D is."""
    return X[1::-1] * np.arange(X.shape[1])


def less_the_mean(X: Array) -> Array:
    """Return every token minus the mean of all tokens."""
    mean: Array = X.mean(axis=1, keepdims=True)
    return X - mean


def fades(X: Array) -> Array:
    """Return every token times a factor that falls from position to position."""
    return X * 0.5 ** np.arange(X.shape[1])


def _equivariance_gap() -> list[Example]:
    rng = RandomState(52)
    whole = rng.randint(-9, 10, size=(3, 4)).astype(np.float64)  # whole numbers: their sums are exact in any order
    return [
        # Differences -4, 2, 2: the largest without its sign is another one.
        Example("the paper example", (running_sums, matrix([3, 1, 2]), _order(*PAPER_ORDER)), {"D": 1, "N": 3}),
        Example(
            "an example of other sizes",
            (two_rows_by_place, rng.normal(size=(5, 4)), _order(1, 2, 3, 0)),
            {"D": 5, "N": 4},
        ),
        Example("a function that adds each token's position", (adds_its_place, whole, _order(2, 0, 3, 1))),
        Example("a function that doubles every token", (doubled, rng.normal(size=(5, 3)), _order(*PAPER_ORDER))),
        Example("a function that subtracts the mean token", (less_the_mean, whole, _order(3, 0, 1, 2))),
        Example("the seeded example", (fades, six_tokens(), _order(*SEEDED_ORDER)), {"D": 8, "N": 6}),
        Example("an example with D = N", (running_sums, rng.normal(size=(4, 4)), _order(3, 0, 1, 2)), {"D": 4, "N": 4}),
        Example(AGAIN, (two_rows_by_place, rng.normal(size=(5, 4)), _order(3, 1, 0, 2)), {"D": 5, "N": 4}),
    ]


def _own_sinusoids(rng: np.random.RandomState) -> list[Example]:
    odd, even = own_sizes(rng, "D", "N")
    even |= {"D": even["D"] + 1, "base": int(rng.randint(50, 5000))}
    return [Example(OWN, tuple(sizes.values()), sizes) for sizes in (odd, even)]


def _sinusoids() -> list[Example]:
    return [
        Example("the paper example", (2, 3), {"D": 2, "N": 3}),
        Example("an example of other sizes", (6, 4), {"D": 6, "N": 4}),
        Example("the sizes of the seeded tokens", (8, 6), {"D": 8, "N": 6}),
        Example("an example with base 50", (4, 3, 50), {"D": 4, "N": 3, "base": 50}),
        Example("an example with an odd D", (5, 3), {"D": 5, "N": 3}),
        Example("an example with one row", (1, 4), {"D": 1, "N": 4}),
        Example("an example with one position", (6, 1), {"D": 6, "N": 1}),
        Example("an example with an odd D and base 100", (7, 4, 100), {"D": 7, "N": 4, "base": 100}),
        # D = N: a result that is turned over has the right shape here.
        Example("an example with D = N", (4, 4), {"D": 4, "N": 4}),
        Example(AGAIN, (6, 4, 20), {"D": 6, "N": 4, "base": 20}),
    ]


def _two_of_one_shape(rng: np.random.RandomState, D: int, N: int) -> tuple[Array, Array]:
    return rng.normal(size=(D, N)), rng.normal(size=(D, N))


def _add_positions() -> list[Example]:
    rng = RandomState(54)
    turns = np.arange(3)
    twice_the_same = (matrix([2, 2, 2], [3, 3, 3]), matrix(np.sin(turns).tolist(), np.cos(turns).tolist()))
    return [
        Example("the paper example", twice_the_same, {"D": 2, "N": 3}),
        Example("an example of other sizes", _two_of_one_shape(rng, 5, 3), {"D": 5, "N": 3}),
        Example("the seeded example", (six_tokens(), rng.normal(size=(8, 6))), {"D": 8, "N": 6}),
        Example("an example with D = N", _two_of_one_shape(rng, 4, 4), {"D": 4, "N": 4}),
        Example("an example with one token", _two_of_one_shape(rng, 4, 1), {"D": 4, "N": 1}),
        Example(AGAIN, _two_of_one_shape(rng, 5, 3), {"D": 5, "N": 3}),
    ]


def _relative_bias() -> list[Example]:
    rng = RandomState(55)
    return [
        # Not the same to both sides: a mirrored bias would look right.
        Example("the paper example", (np.array([-4.0, -2.0, 0.0, -1.0, -3.0]), 3), {"N": 3}),
        Example("an example of another size", (rng.normal(size=9), 5), {"N": 5}),
        Example("an example of two tokens", (rng.normal(size=3), 2), {"N": 2}),
        Example("an example of one token", (rng.normal(size=1), 1), {"N": 1}),
        Example("an example of six tokens", (rng.normal(size=11), 6), {"N": 6}),
        Example(AGAIN, (rng.normal(size=9), 5), {"N": 5}),
    ]


def _biased(rng: np.random.RandomState, D_q: int, N_q: int, N_k: int, D_v: int) -> tuple[Array, Array, Array, Array]:
    """Return queries, keys, values and a bias of standard normals."""
    shapes = [(D_q, N_q), (D_q, N_k), (D_v, N_k), (N_k, N_q)]
    Q, K, V, B = (rng.normal(size=shape) for shape in shapes)
    return Q, K, V, B


def _hiding(rng: np.random.RandomState, *sizes: int) -> tuple[Array, Array, Array, Array]:
    """Return such a call whose bias hides about half of the keys from each query, and one key from none."""
    Q, K, V, B = _biased(rng, *sizes)
    hidden = rng.uniform(size=B.shape) < 0.5
    hidden[rng.randint(len(B))] = False
    B[hidden] = -np.inf
    return Q, K, V, B


def _attention_with_bias() -> list[Example]:
    rng = RandomState(56)
    sizes = {"D_q": 3, "N_q": 2, "N_k": 4, "D_v": 5}
    alike = {"D_q": 3, "N_q": 3, "N_k": 3, "D_v": 3}
    X = six_tokens()
    hidden = _biased(rng, 3, 2, 4, 5)
    hidden[3][:2, 0] = hidden[3][3, 1] = -np.inf  # no column is hidden whole
    nearly = _biased(rng, 3, 2, 4, 5)
    nearly[3][1:, 0] = -1e9
    # In quarters, and with a root of 2, float32 holds them all beside 1000.
    raised = tuple(np.round(4 * part) / 4 for part in _biased(rng, 4, 3, 5, 2))
    raised[3][:, 1] += 1000.0  # the same for every key of the column: it changes nothing
    return [
        # Scaled scores (0, ln 2) and (0, 0), bias (0, ln 2) and (ln 3, 0): shares 1/5, 4/5 and 3/4, 1/4.
        Example(
            "the paper example",
            (
                matrix([2, 0], [0, 0], [0, 0], [0, 0]),
                matrix([0, np.log(2)], [0, 0], [0, 0], [0, 0]),
                matrix([10, 20]),
                matrix([0, np.log(3)], [np.log(2), 0]),
            ),
            {"D_q": 4, "N_q": 2, "N_k": 2, "D_v": 1},
        ),
        Example("an example of other sizes", _biased(rng, 3, 2, 4, 5), sizes),
        Example(
            "rows of the seeded tokens",
            (X[:4], X[4:], X, rng.normal(size=(6, 6))),
            {"D_q": 4, "N_q": 6, "N_k": 6, "D_v": 8},
        ),
        # All alike: whatever is turned over has the right shape here.
        Example("an example with D_q = N_q = N_k = D_v", _biased(rng, 3, 3, 3, 3), alike),
        Example("an example whose bias hides keys with -inf", hidden, sizes),
        Example("an example whose bias hides keys with -1e9", nearly, sizes),
        Example("an example with a bias of 1000 in a whole column", raised),
        Example(AGAIN, _biased(rng, 3, 2, 4, 5), sizes),
    ]


def _own_rope(rng: np.random.RandomState) -> list[Example]:
    made = []
    for sizes in own_sizes(rng, "D", "N"):
        D, N = sizes.values()
        positions = rng.permutation(100)[:N]
        made.append(Example(OWN, (rng.normal(size=(D + 1, N)), positions), {"D": D + 1, "N": N}))
        made.append(Example(OWN, (rng.normal(size=(D, N)), positions), sizes, refuses=(str(D),)))
    return made


def _rope() -> list[Example]:
    rng = RandomState(57)
    return [
        Example("the paper example", (matrix([1, 0], [0, 2]), np.array([1, 0])), {"D": 2, "N": 2}),
        Example("an example of other sizes", (rng.normal(size=(6, 3)), np.array([3, 0, 7])), {"D": 6, "N": 3}),
        Example("the seeded example", (six_tokens(), np.arange(6)), {"D": 8, "N": 6}),
        # D = N: turned along the tokens, or by the row's number, it has the right shape here.
        Example("an example with D = N", (rng.normal(size=(4, 4)), np.array([5, 1, 4, 2])), {"D": 4, "N": 4}),
        Example("far positions", (rng.normal(size=(4, 2)), np.array([1000, 20000])), {"D": 4, "N": 2}),
        Example("an example with an odd D", (rng.normal(size=(7, 4)), np.arange(4)), {"D": 7, "N": 4}, refuses=("7",)),
        Example(
            "another example with an odd D", (rng.normal(size=(3, 2)), np.arange(2)), {"D": 3, "N": 2}, refuses=("3",)
        ),
        Example(AGAIN, (rng.normal(size=(6, 3)), np.array([2, 9, 4])), {"D": 6, "N": 3}),
    ]


def _own_look_back(rng: np.random.RandomState) -> list[Example]:
    (one,), (other,) = (sizes.values() for sizes in own_sizes(rng, "D"))
    D, base = 2 * other, int(rng.randint(50, 5000))
    return [
        Example(OWN, (2 * one, rng.uniform(0.5, 5.0)), {"D": 2 * one}),
        Example(OWN, (D, rng.uniform(0.5, 5.0), base), {"D": D, "base": base}),
    ]


def _look_back() -> list[Example]:
    return [
        Example("the paper example", (2, 2.0), {"D": 2}),
        Example("an example of another size", (6, 3.0), {"D": 6}),
        Example("an example with D = 8", (8, 5.0), {"D": 8}),
        Example("an example with base 50", (4, 1.5, 50), {"D": 4, "base": 50}),
        Example(AGAIN, (6, 0.5, 100), {"D": 6, "base": 100}),
    ]


EXAMPLES: dict[str, Callable[[], list[Example]]] = {
    "permute_columns": _permute_columns,
    "equivariance_gap": _equivariance_gap,
    "sinusoids": _sinusoids,
    "add_positions": _add_positions,
    "relative_bias": _relative_bias,
    "attention_with_bias": _attention_with_bias,
    "rope": _rope,
    "look_back": _look_back,
}

HIDDEN: dict[str, Maker] = {
    "permute_columns": own(("D", "N"), _tokens_and_order),
    "equivariance_gap": own(
        ("D", "N"),
        lambda rng, *sizes: (running_sums, *_tokens_and_order(rng, *sizes)),
        lambda rng, *sizes: (two_rows_by_place, *_tokens_and_order(rng, *sizes)),
    ),
    "sinusoids": _own_sinusoids,
    "add_positions": own(("D", "N"), _two_of_one_shape),
    "relative_bias": own(("N",), lambda rng, N: (rng.normal(size=2 * N - 1), N)),
    "attention_with_bias": own(("D_q", "N_q", "N_k", "D_v"), _biased, _hiding),
    "rope": _own_rope,
    "look_back": _own_look_back,
}


# The two sentences that open notebook 5. They are one bag of columns, in two orders.
DOG_BIT_MAN = ("the", "dog", "bit", "the", "man")
MAN_BIT_DOG = ("the", "man", "bit", "the", "dog")
BITE_FEATURES = ("animal", "person", "action")


def bite_tokens(sentence: tuple[str, ...]) -> Array:
    """Return a sentence of these words, shape (3, 5): which of three features each word has."""
    features = {"the": (0, 0, 0), "dog": (1, 0, 0), "man": (0, 1, 0), "bit": (0, 0, 1)}
    return np.array([features[word] for word in sentence], dtype=np.float64).T


def bite_head() -> Head:
    """Return a head in which an action asks for animals and persons, and those ask for an action."""
    omega_q = matrix(
        [0, 0, 4],  # asks for an animal or a person: an action does
        [4, 4, 0],  # asks for an action: animals and persons do
    )
    omega_k = matrix(
        [1, 1, 0],  # is an animal or a person
        [0, 0, 1],  # is an action
    )
    two, three = np.zeros((2, 1)), np.zeros((3, 1))
    return Head(omega_q, omega_k, np.eye(3), two, two.copy(), three)
