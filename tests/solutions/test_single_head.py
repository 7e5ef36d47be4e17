"""The solutions of notebook 1 against oracles that share no code with them."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from oracles import attention_by_definition

from helpers.examples.example import draw_head, seeded_head, seeded_tokens
from helpers.teach import solutions

ONNX = Path(__file__).parents[1] / "data" / "onnx_node_cases.npz"

project = solutions.function("project")
softmax_cols = solutions.function("softmax_cols")
attention_weights = solutions.function("attention_weights")
weighted_values = solutions.function("weighted_values")
self_attention = solutions.function("self_attention")


@pytest.mark.parametrize(("D", "N", "D_q"), [(5, 3, 2), (4, 3, 4), (3, 7, 3), (6, 1, 2)])
def test_self_attention_is_its_definition(D, N, D_q):
    """Queries, keys, values, shares and mixture, summed one number at a time, give the matrix form."""
    rng = np.random.RandomState(D + 10 * N)
    X, head = rng.normal(size=(D, N)), draw_head(rng, D, D_q)

    expected, _ = attention_by_definition(X, head, divided=False)
    np.testing.assert_allclose(self_attention(X, head), expected, rtol=1e-12, atol=1e-12)


def test_the_book_prints_these_three_vectors():
    """The three outputs that the public notebook on one head prints come out to its eighth decimal."""
    printed = [  # udlbook, notebook 12.1: x'0, x'1, x'2
        [0.94744244, -0.24348429, -0.91310441, -0.44522983],
        [1.64201168, -0.08470004, 4.02764044, 2.18690791],
        [1.61949281, -0.06641533, 3.96863308, 2.15858316],
    ]

    # Half a unit of the last printed digit.
    np.testing.assert_allclose(self_attention(seeded_tokens(), seeded_head()), np.transpose(printed), atol=5e-9)


def test_the_seeded_data_are_the_books():
    """Three draws of one column each, not one draw of three: only so are the numbers the book's."""
    printed_rows = [[1.78862847, -0.2773882, -0.04381817], [0.43650985, -0.35475898, -0.47721803]]  # udlbook 12.1

    np.testing.assert_allclose(seeded_tokens()[:2], printed_rows, atol=5e-9)


SOFTMAX_CASES = [
    "test_softmax_axis_0",
    "test_softmax_axis_1",
    "test_softmax_axis_2",
    "test_softmax_default_axis",
    "test_softmax_example",
    "test_softmax_large_number",
    "test_softmax_negative_axis",
]


@pytest.mark.parametrize("case", SOFTMAX_CASES)
def test_softmax_agrees_with_the_onnx_cases(case):
    """The published cases of ONNX Softmax come out, each with its axis turned into our axis 0."""
    with np.load(ONNX, allow_pickle=False) as cases:
        x, expected = cases[f"{case}/input_0"], cases[f"{case}/output_0"]
        axis = json.loads(str(cases[f"{case}/attributes"])).get("axis", -1)
    columns = np.moveaxis(x, axis, 0).reshape(x.shape[axis], -1)  # (N_k, all other axes)
    ours = softmax_cols(columns).reshape(np.moveaxis(x, axis, 0).shape)

    # The published numbers are float32, which holds 1 part in 8 million.
    np.testing.assert_allclose(np.moveaxis(ours, 0, axis), expected, rtol=2e-6, atol=1e-7)


def test_all_onnx_softmax_cases_are_run():
    """No Softmax case of the file is left out."""
    with np.load(ONNX, allow_pickle=False) as cases:
        held = sorted(
            name.split("/")[0] for name in cases.files if name.startswith("test_softmax") and "op_type" in name
        )

    assert held == SOFTMAX_CASES


def test_softmax_ignores_a_constant_added_to_a_column():
    """Softmax of S and of S plus any number a column are the same: that is why the maximum may be subtracted."""
    rng = np.random.RandomState(1)
    S = rng.normal(size=(4, 3))

    np.testing.assert_allclose(softmax_cols(S + np.array([[1000.0, -1000.0, 3.0]])), softmax_cols(S), rtol=1e-12)


def test_a_permutation_of_tokens_permutes_the_outputs():
    """Self-attention without positions is equivariant (the book's problem 12.3)."""
    rng = np.random.RandomState(2)
    X, head = rng.normal(size=(5, 6)), draw_head(rng, 5, 3)
    order = [2, 0, 1, 5, 4, 3]

    np.testing.assert_allclose(self_attention(X[:, order], head), self_attention(X, head)[:, order], atol=1e-13)


def test_a_bias_of_the_keys_cancels():
    """A key bias adds one number to every score of a column, so the output does not depend on it."""
    X, head = seeded_tokens(), seeded_head()

    np.testing.assert_allclose(
        self_attention(X, head._replace(beta_k=0 * head.beta_k)), self_attention(X, head), atol=1e-12
    )


def test_the_value_bias_comes_out_as_it_is():
    """Columns of A sum to one, so a value bias is added to every output unchanged."""
    X, head = seeded_tokens(), seeded_head()
    without = self_attention(X, head._replace(beta_v=0 * head.beta_v))

    np.testing.assert_allclose(self_attention(X, head) - without, np.repeat(head.beta_v, 3, axis=1), atol=1e-12)


def test_each_function_is_a_plain_piece_of_the_whole():
    """Projection, weights and mixture, each by loops, on sizes that all differ."""
    rng = np.random.RandomState(3)
    X, omega, beta = rng.normal(size=(5, 3)), rng.normal(size=(2, 5)), rng.normal(size=(2, 1))
    by_loops = [[beta[i, 0] + sum(omega[i, d] * X[d, n] for d in range(5)) for n in range(3)] for i in range(2)]
    np.testing.assert_allclose(project(X, omega, beta), by_loops, atol=1e-14)

    Q, K = rng.normal(size=(2, 3)), rng.normal(size=(2, 4))
    exponentials = [[math.exp(sum(K[i, m] * Q[i, n] for i in range(2))) for n in range(3)] for m in range(4)]
    totals = [sum(row[n] for row in exponentials) for n in range(3)]
    shares = [[row[n] / totals[n] for n in range(3)] for row in exponentials]
    np.testing.assert_allclose(attention_weights(Q, K), shares, atol=1e-14)

    A, V = rng.uniform(size=(4, 3)), rng.normal(size=(2, 4))
    mixtures = [[sum(A[m, n] * V[i, m] for m in range(4)) for n in range(3)] for i in range(2)]
    np.testing.assert_allclose(weighted_values(A, V), mixtures, atol=1e-14)
