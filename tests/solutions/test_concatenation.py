"""The solutions of notebook 4 against oracles that share no code with them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import multihead_by_definition

from helpers.examples.example import draw_head, seeded_heads, six_tokens
from helpers.parameters import Head
from helpers.teach import solutions

stack_heads = solutions.function("stack_heads")
mix = solutions.function("mix")
head_contributions = solutions.function("head_contributions")
multihead = solutions.function("multihead")
whole = solutions.function("multihead_scaled_self_attention")

# Rows 1 and 8 of the output on the book's data, in full precision, and two numbers of the whole; computed by others.
ROW_1 = [-21.20713746, -5.37331153, -20.93339642, -9.17882081, -11.31857415, -17.81168839]
ROW_8 = [1.24780832, 18.89410252, -6.40861427, 3.22362808, 19.71659095, -5.62887477]
SUM, NORM = -79.30598006811724, 62.629207143262164

sizes = st.tuples(st.integers(1, 6), st.integers(1, 5), st.integers(1, 4), st.integers(1, 4), st.integers(0, 999))


def drawn(D, N, H, D_q, seed):
    """Return tokens, heads and omega_c of any sizes."""
    rng = np.random.RandomState(seed)
    heads = [draw_head(rng, D, D_q) for _ in range(H)]
    return rng.normal(size=(D, N)), heads, rng.normal(size=(D, H * D_q))


@pytest.mark.parametrize(
    ("D", "N", "H", "D_q"), [(10, 7, 2, 5), (6, 5, 3, 2), (4, 3, 1, 4), (5, 4, 2, 3), (3, 1, 4, 2)]
)
def test_multi_head_attention_is_its_definition(D, N, H, D_q):
    """Every head's queries, keys, shares and values, and the amounts, summed one number at a time."""
    X, heads, omega_c = drawn(D, N, H, D_q, seed=D + 10 * N)

    np.testing.assert_allclose(
        multihead(X, heads, omega_c), multihead_by_definition(X, heads, omega_c), rtol=1e-9, atol=1e-10
    )


def test_the_books_matrix_comes_out_in_full_precision():
    """On the book's data two rows, the sum and the norm are those that an independent run gave."""
    head1, head2, omega_c = seeded_heads()
    X_prime = multihead(six_tokens(), [head1, head2], omega_c)

    np.testing.assert_allclose(X_prime[[0, 7]], [ROW_1, ROW_8], rtol=0, atol=5e-9)  # half a unit of what is written
    assert X_prime.sum() == pytest.approx(SUM, abs=1e-9)
    assert np.linalg.norm(X_prime) == pytest.approx(NORM, abs=1e-9)


def test_the_order_of_arguments_is_values_queries_keys():
    """Given v, q, k by place, the last exercise is multi-head attention of two heads; given q, k, v it is not."""
    head1, head2, omega_c = seeded_heads()
    X = six_tokens()

    def parts(omegas, betas):
        names = [f"omega_{letter}" for letter in omegas] + [f"beta_{letter}" for letter in betas]
        return [getattr(head, name) for head in (head1, head2) for name in names]

    np.testing.assert_allclose(
        whole(X, *parts("vqk", "vqk"), omega_c), multihead(X, [head1, head2], omega_c), atol=1e-12
    )
    # The mistakes that the book's order of draws invites, where -21.207 is right.
    assert whole(X, *parts("qkv", "qkv"), omega_c)[0, 0] == pytest.approx(6.456, abs=5e-4)
    assert whole(X, *parts("qkv", "vqk"), omega_c)[0, 0] == pytest.approx(5.600, abs=5e-4)  # the omegas alone


@given(sizes)
@settings(max_examples=40)
def test_what_heads_write_adds_up_to_the_whole(drawn_sizes):
    """For any sizes, the contributions sum to the stacked rows, mixed."""
    D, N, H, D_q, seed = drawn_sizes
    rng = np.random.RandomState(seed)
    outputs, omega_c = [rng.normal(size=(D_q, N)) for _ in range(H)], rng.normal(size=(D, H * D_q))
    written = head_contributions(omega_c, outputs)

    assert [one.shape for one in written] == [(D, N)] * H
    np.testing.assert_allclose(sum(written), mix(omega_c, stack_heads(outputs)), atol=1e-12)


@given(sizes)
@settings(max_examples=40)
def test_the_order_of_heads_means_nothing(drawn_sizes):
    """Heads and their blocks of omega_c, shuffled alike, give the same output."""
    D, N, H, D_q, seed = drawn_sizes
    X, heads, omega_c = drawn(D, N, H, D_q, seed)
    order = np.random.RandomState(seed).permutation(H)
    blocks = np.split(omega_c, H, axis=1)
    shuffled = multihead(X, [heads[h] for h in order], np.hstack([blocks[h] for h in order]))

    np.testing.assert_allclose(shuffled, multihead(X, heads, omega_c), atol=1e-10)


@given(sizes)
@settings(max_examples=40)
def test_a_key_bias_never_shows(drawn_sizes):
    """Whatever the sizes, no output depends on beta_k: an answer that forgets it cannot be told apart."""
    X, heads, omega_c = drawn(*drawn_sizes)
    without = [head._replace(beta_k=0 * head.beta_k) for head in heads]

    np.testing.assert_allclose(multihead(X, without, omega_c), multihead(X, heads, omega_c), atol=1e-9)


@given(sizes)
@settings(max_examples=40)
def test_a_value_bias_is_added_to_every_column(drawn_sizes):
    """Shares sum to one, so beta_v comes out as omega_c makes it, the same for every token."""
    X, heads, omega_c = drawn(*drawn_sizes)
    without = [head._replace(beta_v=0 * head.beta_v) for head in heads]
    added = omega_c @ np.vstack([head.beta_v for head in heads])  # (D, 1)

    np.testing.assert_allclose(multihead(X, heads, omega_c) - multihead(X, without, omega_c), added + 0 * X, atol=1e-9)


@given(sizes)
@settings(max_examples=40)
def test_a_permutation_of_tokens_permutes_the_outputs(drawn_sizes):
    """Without positions, multi-head attention is equivariant (the book's problem 12.3)."""
    D, N, H, D_q, seed = drawn_sizes
    X, heads, omega_c = drawn(D, N, H, D_q, seed)
    order = np.random.RandomState(seed).permutation(N)

    np.testing.assert_allclose(
        multihead(X[:, order], heads, omega_c), multihead(X, heads, omega_c)[:, order], atol=1e-9
    )


def test_one_head_and_the_identity_are_scaled_self_attention():
    """With H = 1 and the identity for omega_c nothing is left but notebook 2's function."""
    X, (head,), _ = drawn(4, 5, 1, 4, seed=1)

    np.testing.assert_allclose(
        multihead(X, [head], np.eye(4)), solutions.function("scaled_self_attention")(X, head), atol=1e-12
    )


def test_two_heads_of_four_are_not_one_head_of_eight():
    """Joined into one wide head, the book's parameters give another output: every head has a softmax of its own."""
    head1, head2, omega_c = seeded_heads()
    wide = Head(*(np.vstack(pair) for pair in zip(head1, head2, strict=True)))

    assert multihead(six_tokens(), [wide], omega_c)[0, 0] == pytest.approx(-22.043, abs=5e-4)


def test_rows_stand_head_by_head():
    """Row h D_q + i of the stacked outputs is row i of head h."""
    outputs = [np.full((3, 2), 10.0 * h) + np.arange(3)[:, None] for h in range(4)]

    assert stack_heads(outputs)[:, 0].tolist() == [0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32]
    assert stack_heads(tuple(outputs)).shape == (12, 2)


def test_mixing_is_a_sum_over_rows():
    """Entry by entry: amounts along a row of omega_c, numbers down a column of the stacked outputs."""
    rng = np.random.RandomState(5)
    omega_c, stacked = rng.normal(size=(5, 4)), rng.normal(size=(4, 3))
    sums = [[sum(omega_c[i, r] * stacked[r, n] for r in range(4)) for n in range(3)] for i in range(5)]

    np.testing.assert_allclose(mix(omega_c, stacked), sums, atol=1e-14)
