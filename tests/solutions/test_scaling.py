"""The solutions of notebook 2 against oracles that share no code with them."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import attention_by_definition

from helpers.examples import examples
from helpers.examples.example import draw_head, seeded_head, seeded_tokens
from helpers.teach import solutions

dot_variance = solutions.function("dot_variance")
scaled_scores = solutions.function("scaled_scores")
entropy_cols = solutions.function("entropy_cols")
scaled_self_attention = solutions.function("scaled_self_attention")
softmax_jacobian = solutions.function("softmax_jacobian")
softmax_cols = solutions.function("softmax_cols")
self_attention = solutions.function("self_attention")


columns_of_scores = st.lists(st.floats(-30, 30), min_size=1, max_size=6).map(lambda s: np.array([s]).T)


# --- how far dot products spread


@pytest.mark.parametrize("D_q", [1, 2, 3, 5])
def test_signs_have_the_variance_d_q(D_q):
    """Over all pairs of vectors of signs, counted one by one, the mean square of the dot product is D_q."""
    vectors = list(itertools.product([1, -1], repeat=D_q))
    dots = [sum(a * b for a, b in zip(q, k, strict=True)) for q in vectors for k in vectors]

    assert sum(dots) == 0
    assert sum(dot * dot for dot in dots) == D_q * len(dots)


@pytest.mark.parametrize("D_q", [1, 2, 8, 64])
def test_the_variance_is_near_d_q(D_q):
    """Drawn, the variance is within four standard deviations of D_q, whatever the generator."""
    n = 20_000
    deviation = math.sqrt((2 + 6 / D_q) / n)
    found = [dot_variance(D_q, n, np.random.RandomState(seed)) / D_q - 1 for seed in range(10)]

    assert max(map(abs, found)) < 4 * deviation
    assert len({*found}) == 10


WAYS = {
    "one draw": lambda D_q, n, rng: rng.normal(size=(2, D_q, n)).prod(axis=0).sum(axis=0),
    "one pair a row": lambda D_q, n, rng: (rng.normal(size=(n, D_q)) * rng.normal(size=(n, D_q))).sum(axis=1),
    "pair by pair": lambda D_q, n, rng: [rng.normal(size=D_q) @ rng.normal(size=D_q) for _ in range(n)],
    "row by row": lambda D_q, n, rng: sum(rng.normal(size=n) * rng.normal(size=n) for _ in range(D_q)),
}


@pytest.mark.parametrize("way", WAYS)
def test_another_way_of_drawing_stays_far_inside_what_the_check_allows(way):
    """The check allows 10 %, and that is more than five standard deviations of any fair drawing."""
    for example in examples("dot_variance"):
        D_q, n, rng = example.arguments
        twin = np.random.RandomState()
        twin.set_state(rng.get_state())
        other = np.var(WAYS[way](D_q, n, twin))

        assert n >= 10_000
        assert example.near > 5.5 * math.sqrt((2 + 6 / D_q) / n)
        assert abs(dot_variance(*_fresh(example)) / D_q - 1) < 0.002
        assert abs(other / D_q - 1) < 0.06


def _fresh(example):
    D_q, n, rng = example.arguments
    twin = np.random.RandomState()
    twin.set_state(rng.get_state())
    return D_q, n, twin


# --- scores


def test_scores_are_dot_products_over_the_root():
    """Each score is a sum of D_q products over the root of D_q, on sizes that all differ."""
    rng = np.random.RandomState(4)
    Q, K = rng.normal(size=(5, 3)), rng.normal(size=(5, 4))
    by_loops = [[sum(K[i, m] * Q[i, n] for i in range(5)) / math.sqrt(5) for n in range(3)] for m in range(4)]

    np.testing.assert_allclose(scaled_scores(Q, K), by_loops, atol=1e-14)


@pytest.mark.parametrize("D_q", [1, 4, 25, 256])
def test_scaled_scores_have_variance_one_at_every_size(D_q):
    """Of random queries and keys the scores spread alike, small head or large."""
    rng = np.random.RandomState(D_q)
    scores = scaled_scores(rng.normal(size=(D_q, 2000)), rng.normal(size=(D_q, 1000)))

    # The spread of this estimate: about the root of 2 / (1000 D_q), and of 2 / (2000 D_q), together .055 at D_q = 1.
    assert np.var(scores) == pytest.approx(1, abs=0.2 / math.sqrt(D_q))


@given(columns_of_scores, st.floats(0.1, 100))
def test_dividing_changes_no_winner(s, divisor):
    """The largest score keeps the largest weight, whatever positive number divides the column."""
    before, after = softmax_cols(s)[:, 0], softmax_cols(s / divisor)[:, 0]

    assert after[np.argmax(before)] == pytest.approx(after.max(), abs=1e-9)


# --- entropy


@pytest.mark.parametrize("N_k", [1, 2, 5, 100])
def test_entropy_has_its_two_ends(N_k):
    """One weight of 1 has entropy 0; equal weights have the logarithm of their number."""
    A = np.zeros((N_k, 2))
    A[:, 0], A[-1, 1] = 1 / N_k, 1

    np.testing.assert_allclose(entropy_cols(A), [math.log(N_k), 0], atol=1e-12)


def test_entropy_is_its_definition():
    """Summed one weight at a time, zeros left out, on a matrix that is not square."""
    A = np.array([[0.2, 0, 1], [0.5, 0.25, 0], [0.3, 0, 0], [0, 0.75, 0]])
    by_loops = [-sum(a * math.log(a) for a in column if a) for column in A.T.tolist()]

    np.testing.assert_allclose(entropy_cols(A), by_loops, atol=1e-14)


@given(columns_of_scores, st.floats(1.0, 20))
def test_entropy_never_falls_when_the_temperature_rises(s, factor):
    """Scores divided by more have weights whose entropy is at least as large, and at most the logarithm of N_k."""
    colder, warmer = entropy_cols(softmax_cols(s)), entropy_cols(softmax_cols(s / factor))

    assert -1e-12 <= colder[0] <= warmer[0] + 1e-9
    assert warmer[0] <= math.log(len(s)) + 1e-9


# --- the whole


@pytest.mark.parametrize(("D", "N", "D_q"), [(5, 3, 2), (4, 3, 4), (10, 7, 5), (3, 1, 6)])
def test_scaled_self_attention_is_its_definition(D, N, D_q):
    """Queries, keys, values, divided scores, shares and mixture, one number at a time, give the matrix form."""
    rng = np.random.RandomState(D + 10 * N)
    X, head = rng.normal(size=(D, N)), draw_head(rng, D, D_q)

    np.testing.assert_allclose(
        scaled_self_attention(X, head), attention_by_definition(X, head)[0], rtol=1e-12, atol=1e-12
    )


def test_the_seeded_output_is_the_known_one():
    """On the book's data the scaled output is what another program gave once, to its eighth decimal."""
    known = [  # computed outside this course from the book's notebook 12.1, which does not scale itself
        [0.97411966, 1.59622051, 1.32638014],
        [-0.23738409, -0.09516106, 0.13062402],
        [-0.72333202, 3.70194096, 3.02371664],
        [-0.34413007, 2.01339538, 1.6902419],
    ]

    np.testing.assert_allclose(scaled_self_attention(seeded_tokens(), seeded_head()), known, atol=5e-9)


def test_scaling_is_a_shorter_query():
    """A head whose queries are divided by the root of D_q gives without scaling what the head gives with it."""
    rng = np.random.RandomState(6)
    X, head = rng.normal(size=(6, 4)), draw_head(rng, 6, 3)
    shorter = head._replace(omega_q=head.omega_q / math.sqrt(3), beta_q=head.beta_q / math.sqrt(3))

    np.testing.assert_allclose(self_attention(X, shorter), scaled_self_attention(X, head), atol=1e-12)


# --- derivatives


@given(columns_of_scores)
def test_the_derivatives_are_what_nudges_show(s):
    """Each score nudged both ways moves the weights by what the formula says."""
    step = 1e-5
    nudges = step * np.eye(len(s))
    nudged = (softmax_cols(s + nudges) - softmax_cols(s - nudges)) / (2 * step)

    np.testing.assert_allclose(softmax_jacobian(softmax_cols(s)[:, 0]), nudged, atol=1e-9)


@given(columns_of_scores)
def test_the_derivatives_sum_to_nothing(s):
    """Columns and rows of the derivatives sum to 0: no weight appears, and raising all scores alike changes none."""
    J = softmax_jacobian(softmax_cols(s)[:, 0])

    np.testing.assert_allclose(J.sum(axis=0), 0, atol=1e-14)
    np.testing.assert_allclose(J.sum(axis=1), 0, atol=1e-14)
    np.testing.assert_array_equal(J, J.T)


def test_a_saturated_column_passes_nothing_on():
    """At the scores of the book's problem 12.4 no derivative is larger than e to the power -95."""
    a = softmax_cols(np.array([[-3.0, 1.0, 100.0, 5.0, -1.0]]).T)[:, 0]

    # Of two weights the larger is 1, the other at most e to the power 5 - 100.
    assert np.abs(softmax_jacobian(a)).max() == pytest.approx(math.exp(-95), rel=1e-9)
