"""The solutions of notebook 6 against oracles that share no code with them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from oracles import multihead_by_definition

from helpers.examples.example import draw_layer, seeded_layer, six_tokens
from helpers.teach import solutions

layer_norm = solutions.function("layer_norm")
mlp = solutions.function("mlp")
residual = solutions.function("residual")
one_layer = solutions.function("transformer_layer")
many_layers = solutions.function("stack")
pre_norm = solutions.function("pre_norm_layer")


# --- one number at a time, in plain Python


def times(matrix, vector):
    """Return a matrix times a vector."""
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in np.asarray(matrix).tolist()]


def plus(*vectors):
    """Return the sum of vectors."""
    return [sum(parts) for parts in zip(*vectors, strict=True)]


def flat(column):
    """Return a column as a list."""
    return np.asarray(column)[:, 0].tolist()


def normal(vector, gamma, delta, eps=1e-5):
    """Return LayerNorm of one token."""
    D = len(vector)
    mean = sum(vector) / D
    variance = sum((value - mean) ** 2 for value in vector) / D
    root = math.sqrt(variance + eps)
    return [g * (value - mean) / root + d for value, g, d in zip(vector, flat(gamma), flat(delta), strict=True)]


def network(vector, layer):
    """Return the MLP of one token."""
    hidden = [max(value, 0.0) for value in plus(times(layer.W1, vector), flat(layer.b1))]
    return plus(times(layer.W2, hidden), flat(layer.b2))


def attention(tokens, layer):
    """Return multi-head attention of a list of tokens."""
    return multihead_by_definition(np.array(tokens).T, layer.heads, layer.omega_c).T.tolist()


def post_norm_by_definition(X, layer):
    """Return a layer by the book's four lines, token by token."""
    tokens = X.T.tolist()
    tokens = [plus(token, read) for token, read in zip(tokens, attention(tokens, layer), strict=True)]
    tokens = [normal(token, layer.gamma1, layer.delta1) for token in tokens]
    tokens = [plus(token, network(token, layer)) for token in tokens]
    return np.array([normal(token, layer.gamma2, layer.delta2) for token in tokens]).T


def pre_norm_by_definition(X, layer):
    """Return a pre-norm layer, token by token."""
    tokens = X.T.tolist()
    calm = [normal(token, layer.gamma1, layer.delta1) for token in tokens]
    tokens = [plus(token, read) for token, read in zip(tokens, attention(calm, layer), strict=True)]
    calm = [normal(token, layer.gamma2, layer.delta2) for token in tokens]
    return np.array([plus(token, network(c, layer)) for token, c in zip(tokens, calm, strict=True)]).T


SIZES = [(6, 4, 3, 5), (3, 5, 1, 7), (10, 7, 2, 12), (4, 1, 2, 3)]


@pytest.mark.parametrize(("D", "N", "H", "D_m"), SIZES)
def test_a_layer_is_its_definition(D, N, H, D_m):
    """Attention, LayerNorm, MLP and LayerNorm, one number at a time, give the matrix form, post-norm and pre-norm."""
    rng = np.random.RandomState(D + 10 * N)
    X, layer = rng.normal(size=(D, N)), draw_layer(rng, D, H, D_m)

    np.testing.assert_allclose(one_layer(X, layer), post_norm_by_definition(X, layer), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(pre_norm(X, layer), pre_norm_by_definition(X, layer), rtol=1e-10, atol=1e-10)


def test_layer_norm_and_mlp_are_their_definitions():
    """Each alone, token by token, with every parameter drawn."""
    rng = np.random.RandomState(1)
    X, layer = rng.normal(size=(5, 3)), draw_layer(rng, 5, 1, 7)

    by_tokens = [normal(token, layer.gamma1, layer.delta1, 0.1) for token in X.T.tolist()]
    np.testing.assert_allclose(layer_norm(X, layer.gamma1, layer.delta1, 0.1), np.transpose(by_tokens), atol=1e-12)
    by_tokens = [network(token, layer) for token in X.T.tolist()]
    np.testing.assert_allclose(mlp(X, layer.W1, layer.b1, layer.W2, layer.b2), np.transpose(by_tokens), atol=1e-12)


def test_the_seeded_layer_gives_the_known_row():
    """Row 1 and the columns' lengths are those noted in our facts, reached by another program."""
    out = one_layer(six_tokens(), seeded_layer())

    np.testing.assert_allclose(out[0], [0.148, 0.227, -0.356, 0.168, 0.138, -0.474], atol=5e-4)
    np.testing.assert_allclose(np.linalg.norm(out, axis=0), 2.83, atol=5e-3)


# --- what must hold for any numbers

NUMBERS = st.floats(-100, 100, allow_subnormal=False)


def matrices(rows, columns):
    """Return a strategy for matrices."""
    return arrays(np.float64, (rows, columns), elements=NUMBERS)


@settings(max_examples=60)
@given(matrices(5, 3), st.floats(0.5, 50), NUMBERS)
def test_layer_norm_forgets_size_and_offset(X, factor, offset):
    """Of a X + b the normalized columns are those of X, if eps grows as the variance does."""
    eps = 1e-3
    # Where a column hardly varies, what cancels in X + b is not small beside the rest.
    np.testing.assert_allclose(
        layer_norm(factor * X + offset, eps=factor**2 * eps), layer_norm(X, eps=eps), rtol=0, atol=1e-6
    )


@settings(max_examples=60)
@given(matrices(4, 3))
def test_a_normalized_column_has_mean_0_and_the_variance_that_eps_leaves(X):
    """Mean 0, and variance v / (v + eps): 1 wherever the column varies much more than eps."""
    out, variance = layer_norm(X), X.var(axis=0)

    np.testing.assert_allclose(out.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(out.var(axis=0), variance / (variance + 1e-5), atol=1e-9)


@pytest.mark.parametrize("D", [2, 3, 8, 31])
def test_a_normalized_column_is_as_long_as_the_root_of_its_size(D):
    """The variance is the mean of the squares, not their sum by D - 1: the length is exactly the root of D."""
    X = np.random.RandomState(D).normal(size=(D, 4))

    np.testing.assert_allclose(np.linalg.norm(layer_norm(X, eps=0.0), axis=0), np.sqrt(D), rtol=1e-12)


def test_a_constant_column_becomes_delta():
    """Eps keeps 0 / 0 away."""
    out = layer_norm(np.full((3, 2), 7.0), gamma=np.full((3, 1), 4.0), delta=np.array([[1.0], [2.0], [3.0]]))

    np.testing.assert_allclose(out, [[1, 1], [2, 2], [3, 3]])


@settings(max_examples=40)
@given(st.permutations(range(5)), st.integers(0, 5))
def test_a_shuffle_of_tokens_shuffles_the_outputs(order, seed):
    """A layer, and several, cannot tell order; nor can the pre-norm layer."""
    rng = np.random.RandomState(seed)
    X, layers = rng.normal(size=(6, 5)), [draw_layer(rng, 6, H, 4) for H in (2, 3)]

    np.testing.assert_allclose(one_layer(X[:, order], layers[0]), one_layer(X, layers[0])[:, order], atol=1e-9)
    np.testing.assert_allclose(many_layers(X[:, order], layers), many_layers(X, layers)[:, order], atol=1e-9)
    np.testing.assert_allclose(pre_norm(X[:, order], layers[0]), pre_norm(X, layers[0])[:, order], atol=1e-9)


def test_without_attention_no_column_reads_another():
    """With omega_c = 0 every column goes its way alone: one token gives what it gives among others."""
    rng = np.random.RandomState(4)
    X, layer = rng.normal(size=(6, 4)), draw_layer(rng, 6, 2, 5)
    silent = layer._replace(omega_c=0 * layer.omega_c)
    alone = np.hstack([one_layer(X[:, n : n + 1], silent) for n in range(4)])

    np.testing.assert_allclose(one_layer(X, silent), alone, atol=1e-12)
    assert abs(one_layer(X, layer) - np.hstack([one_layer(X[:, n : n + 1], layer) for n in range(4)])).max() > 0.1


def test_the_mlp_with_two_halves_can_be_the_identity():
    """ReLU of x less ReLU of -x is x: hidden numbers lose nothing if both signs have a place."""
    X = np.random.RandomState(5).normal(size=(3, 4))
    both = np.vstack([np.eye(3), -np.eye(3)])

    np.testing.assert_allclose(mlp(X, both, np.zeros((6, 1)), both.T, np.zeros((3, 1))), X)


def test_the_mlp_grows_with_its_input_where_there_are_no_biases():
    """Without biases, twice the tokens give twice the outputs; with negative ones this does not hold."""
    rng = np.random.RandomState(6)
    X, W1, W2 = rng.normal(size=(3, 4)), rng.normal(size=(5, 3)), rng.normal(size=(3, 5))
    b1, b2 = np.zeros((5, 1)), np.zeros((3, 1))

    np.testing.assert_allclose(mlp(2 * X, W1, b1, W2, b2), 2 * mlp(X, W1, b1, W2, b2))
    assert abs(mlp(-X, W1, b1, W2, b2) + mlp(X, W1, b1, W2, b2)).max() > 0.1


def test_a_residual_of_nothing_is_what_came_in():
    """Where f returns zeros nothing is lost; f is called once, on X."""
    X, seen = np.random.RandomState(7).normal(size=(3, 2)), []

    def f(tokens):
        seen.append(tokens)
        return 0 * tokens

    np.testing.assert_array_equal(residual(X, f), X)
    assert [one is X for one in seen] == [True]


def test_layers_are_applied_in_their_order():
    """Three different layers, one inside the other; no layers leave X."""
    rng = np.random.RandomState(8)
    X, (a, b, c) = rng.normal(size=(6, 4)), [draw_layer(rng, 6, H, D_m) for H, D_m in ((3, 5), (2, 7), (1, 3))]

    np.testing.assert_array_equal(many_layers(X, [a, b, c]), one_layer(one_layer(one_layer(X, a), b), c))
    np.testing.assert_array_equal(many_layers(X, []), X)
    assert abs(many_layers(X, [a, b, c]) - many_layers(X, [c, b, a])).max() > 0.1


def test_post_norm_columns_are_normalized_and_pre_norm_columns_are_not():
    """After gamma 1 and delta 0 the last line leaves mean 0 and length root D; without it neither holds."""
    X, layer = six_tokens(), seeded_layer()
    after, before = one_layer(X, layer), pre_norm(X, layer)

    np.testing.assert_allclose(after.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(after, axis=0), np.sqrt(8), rtol=1e-4)
    assert abs(before.mean(axis=0)).max() > 0.1
    assert (np.linalg.norm(before, axis=0) > 3 * np.sqrt(8)).all()
