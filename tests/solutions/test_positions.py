"""The solutions of notebook 5 against oracles that share no code with them."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.examples.example import seeded_heads, six_tokens
from helpers.examples.positions import SEEDED_ORDER
from helpers.teach import solutions

ONNX = Path(__file__).parents[1] / "data" / "onnx_node_cases.npz"

permute_columns = solutions.function("permute_columns")
equivariance_gap = solutions.function("equivariance_gap")
sinusoids = solutions.function("sinusoids")
add_positions = solutions.function("add_positions")
relative_bias = solutions.function("relative_bias")
attention_with_bias = solutions.function("attention_with_bias")
rope = solutions.function("rope")
look_back = solutions.function("look_back")
multihead = solutions.function("multihead")

sizes = st.integers(1, 9)
places = st.integers(0, 300)


def attend(X):
    """Return the output of the book's two heads."""
    *heads, omega_c = seeded_heads()
    return multihead(X, heads, omega_c)


# --- order


@given(st.permutations(range(6)))
def test_an_order_and_its_inverse_give_the_tokens_back(perm):
    """Column j is column perm[j], so the order that sorts perm takes it back."""
    X = six_tokens()
    moved = permute_columns(X, np.array(perm))

    assert all((moved[:, j] == X[:, perm[j]]).all() for j in range(6))
    np.testing.assert_array_equal(permute_columns(moved, np.argsort(perm)), X)


@given(st.permutations(range(6)))
def test_attention_without_positions_cannot_tell_any_order(perm):
    """The book's two heads are equivariant (problem 12.3): the gap is rounding, whatever the order."""
    assert equivariance_gap(attend, six_tokens(), np.array(perm)) < 1e-12


def test_the_gap_is_its_definition():
    """The largest of all differences, entry by entry, for a function that weighs each column by its place."""
    rng = np.random.RandomState(1)
    X, perm = rng.normal(size=(4, 5)), [3, 0, 4, 1, 2]
    rows, columns = range(3), range(5)

    def f(Y):
        return np.array([[(row + 1) * column * Y[row, column] for column in columns] for row in rows])

    differences = [
        abs((row + 1) * j * X[row, perm[j]] - (row + 1) * perm[j] * X[row, perm[j]]) for row in rows for j in columns
    ]
    assert equivariance_gap(f, X, np.array(perm)) == pytest.approx(max(differences), abs=1e-14)


def test_positions_make_order_matter():
    """With fixed waves added the gap of the book's two heads is 13.57 (facts of the course)."""
    Pi = sinusoids(8, 6)

    gap = equivariance_gap(lambda X: attend(add_positions(X, Pi)), six_tokens(), np.array(SEEDED_ORDER))
    assert gap == pytest.approx(13.57, abs=5e-3)


# --- absolute positions


@pytest.mark.parametrize(("D", "N", "base"), [(2, 3, 10000), (7, 5, 10000), (6, 4, 50), (1, 4, 3), (8, 1, 100)])
def test_waves_are_their_definition(D, N, base):
    """Sine in row 2i, cosine in row 2i + 1, of position / base^(2i / D), one number at a time in plain Python."""
    by_definition = np.zeros((D, N))
    for n in range(N):
        for i in range((D + 1) // 2):
            by_definition[2 * i, n] = math.sin(n / base ** (2 * i / D))
            if 2 * i + 1 < D:
                by_definition[2 * i + 1, n] = math.cos(n / base ** (2 * i / D))

    np.testing.assert_allclose(sinusoids(D, N, base), by_definition, rtol=0, atol=1e-14)


def test_waves_have_the_base_of_the_paper():
    """Without a base it is 10000, as in "Attention Is All You Need"."""
    np.testing.assert_array_equal(sinusoids(6, 5), sinusoids(6, 5, 10000))


def test_position_one_of_eight_rows():
    """The numbers of position 1 that the course was planned with come out to their last digit."""
    expected = [0.8415, 0.5403, 0.0998, 0.9950, 0.0100, 1.0000, 0.0010, 1.0000]

    np.testing.assert_allclose(sinusoids(8, 6)[:, 1], expected, rtol=0, atol=5e-5)


@given(st.integers(1, 6), places, places, st.integers(0, 40))
def test_the_product_of_two_waves_depends_on_their_distance(pairs, a, b, moved):
    """Moving both positions leaves their dot product as it is: the sum of the cosines of distance times speed."""
    D = 2 * pairs
    Pi = sinusoids(D, max(a, b) + moved + 1)
    cosines = sum(math.cos((a - b) / 10000 ** (2 * i / D)) for i in range(pairs))

    assert Pi[:, a] @ Pi[:, b] == pytest.approx(cosines, abs=1e-9)
    assert Pi[:, a + moved] @ Pi[:, b + moved] == pytest.approx(cosines, abs=1e-9)


@given(sizes, sizes)
def test_adding_positions_adds_each_number(D, N):
    """Every entry is the token's plus the position's, and neither argument is changed."""
    rng = np.random.RandomState(D + 10 * N)
    X, Pi = rng.normal(size=(D, N)), rng.normal(size=(D, N))
    kept = X.copy(), Pi.copy()

    placed = add_positions(X, Pi)
    assert placed.tolist() == [[X[d, n] + Pi[d, n] for n in range(N)] for d in range(D)]
    np.testing.assert_array_equal((X, Pi), kept)


# --- relative positions


@given(sizes)
def test_a_bias_is_its_definition(N):
    """Row a, column b is the number of distance a - b, for every pair."""
    pi = np.random.RandomState(N).normal(size=2 * N - 1)
    of_distance = dict(zip(range(1 - N, N), pi.tolist(), strict=True))

    assert relative_bias(pi, N).tolist() == [[of_distance[a - b] for b in range(N)] for a in range(N)]


def attention_by_definition(Q, K, V, B):
    """Return attention with a bias, one number at a time, in plain Python."""
    D_q, N_q = Q.shape
    output = np.zeros((V.shape[0], N_q))
    for n in range(N_q):
        scores = [sum(K[d, m] * Q[d, n] for d in range(D_q)) / math.sqrt(D_q) + B[m, n] for m in range(K.shape[1])]
        total = sum(math.exp(score) for score in scores)
        for m, score in enumerate(scores):
            for d in range(V.shape[0]):
                output[d, n] += math.exp(score) / total * V[d, m]
    return output


@pytest.mark.parametrize(("D_q", "N_q", "N_k", "D_v"), [(3, 2, 4, 5), (1, 1, 3, 2), (5, 4, 1, 3), (2, 3, 3, 2)])
def test_attention_with_a_bias_is_its_definition(D_q, N_q, N_k, D_v):
    """Scaled scores plus bias, shares and mixture, summed one number at a time; keys hidden by -inf too."""
    rng = np.random.RandomState(D_q + 10 * N_k)
    Q, K, V = rng.normal(size=(D_q, N_q)), rng.normal(size=(D_q, N_k)), rng.normal(size=(D_v, N_k))
    B = rng.normal(size=(N_k, N_q))
    B[1:, 0] = -np.inf

    np.testing.assert_allclose(attention_with_bias(Q, K, V, B), attention_by_definition(Q, K, V, B), atol=1e-13)


def test_only_differences_of_biases_count():
    """A number added to every bias of a column changes nothing."""
    rng = np.random.RandomState(4)
    Q, K, V, B = (rng.normal(size=shape) for shape in [(3, 2), (3, 4), (5, 4), (4, 2)])

    np.testing.assert_allclose(
        attention_with_bias(Q, K, V, B + np.array([[5.0, -700.0]])), attention_with_bias(Q, K, V, B), atol=1e-12
    )


# --- the ONNX cases


def onnx_attention_cases():
    """Return the Attention cases that need softmax, a scale and a mask that is added, and nothing else."""
    with np.load(ONNX, allow_pickle=False) as held:
        names = [name.split("/")[0] for name in held.files if name.endswith("/op_type")]
        found = []
        for case in sorted(case for case in names if str(held[f"{case}/op_type"]) == "Attention"):
            attributes = json.loads(str(held[f"{case}/attributes"]))
            inputs = [name for name in held.files if name.startswith(f"{case}/input_") and name[-1].isdigit()]
            needs_more = {name[-1] for name in inputs} - set("0123")  # past keys and values, or a count of keys
            if not needs_more and not attributes.get("is_causal") and not attributes.get("softcap"):
                found.append(case)
    return found


@pytest.mark.parametrize("case", onnx_attention_cases())
def test_attention_agrees_with_the_onnx_cases(case):
    """The published cases of ONNX Attention come out, head by head, each turned into our columns."""
    with np.load(ONNX, allow_pickle=False) as held:
        attributes = json.loads(str(held[f"{case}/attributes"]))
        Q, K, V = (held[f"{case}/input_{k}"] for k in range(3))
        mask = held[f"{case}/input_3"] if f"{case}/input_3" in held.files else np.zeros((1, 1))
        expected = held[f"{case}/output_0"]
    # float32 holds 1 part in 8 million. The float16 case was summed in float16, 1 part in a thousand, all the way.
    tolerance = 2e-3 if Q.dtype == np.float16 else 2e-6
    if Q.ndim == 3:  # the heads stand side by side in the last axis
        (query_heads, key_heads) = (attributes[name] for name in ("q_num_heads", "kv_num_heads"))
        Q, K, V = apart(Q, query_heads), apart(K, key_heads), apart(V, key_heads)
        expected = apart(expected, query_heads)
    if mask.dtype == bool:
        mask = np.where(mask, 0.0, -np.inf)
    mask = np.broadcast_to(mask, (*Q.shape[:3], K.shape[2]))  # (batch, heads, N_q, N_k)
    D_q, each = Q.shape[3], Q.shape[1] // K.shape[1]  # `each` query heads share a key head
    Q = Q.astype(np.float64) * attributes.get("scale", 1 / math.sqrt(D_q)) * math.sqrt(D_q)

    for batch in range(Q.shape[0]):
        for h in range(Q.shape[1]):
            tokens_are_columns = Q[batch, h].T, K[batch, h // each].T, V[batch, h // each].T, mask[batch, h].T
            ours = attention_with_bias(*(array.astype(np.float64) for array in tokens_are_columns))
            np.testing.assert_allclose(ours.T, expected[batch, h], rtol=tolerance, atol=tolerance)


def apart(array, heads):
    """Return (batch, N, heads * size) as (batch, heads, N, size)."""
    batch, N, _ = array.shape
    return array.reshape(batch, N, heads, -1).transpose(0, 2, 1, 3)


def test_all_onnx_attention_cases_without_more_are_run():
    """There are 27: 21 with a key head for each query head, 6 with key heads that are shared."""
    cases = onnx_attention_cases()

    assert len(cases) == 27
    assert sum("gqa" in case for case in cases) == 6


# --- rotary positions


@given(st.integers(1, 5), st.lists(places, min_size=1, max_size=5))
def test_a_turn_is_a_product_of_complex_numbers(pairs, positions):
    """Row 2i plus row 2i + 1 times the imaginary unit, times e to the angle times that unit."""
    D = 2 * pairs
    Z = np.random.RandomState(D).normal(size=(D, len(positions)))
    turned = rope(Z, np.array(positions))

    for n, position in enumerate(positions):
        for i in range(pairs):
            angle = position / 10000 ** (2 * i / D)
            arrow = complex(Z[2 * i, n], Z[2 * i + 1, n]) * complex(math.cos(angle), math.sin(angle))
            assert turned[2 * i, n] == pytest.approx(arrow.real, abs=1e-12)
            assert turned[2 * i + 1, n] == pytest.approx(arrow.imag, abs=1e-12)


@given(places, places, st.integers(-100, 100))
def test_a_score_after_the_turn_depends_on_the_distance(a, b, moved):
    """Query and key moved by the same number of positions score the same."""
    q, k = six_tokens()[:, :1], six_tokens()[:, 1:2]

    def score(at_q, at_k):
        return (rope(k, np.array([at_k])).T @ rope(q, np.array([at_q]))).item()

    assert score(a + moved, b + moved) == pytest.approx(score(a, b), abs=1e-9)


def test_an_odd_number_of_rows_is_refused():
    """The message names D."""
    with pytest.raises(ValueError, match=r"\b5\b"):
        rope(np.zeros((5, 2)), np.arange(2))


# --- the head that looks back


@given(st.integers(1, 6), st.floats(0.1, 10), st.sampled_from([10000, 100, 7]))
def test_one_step_takes_every_position_to_the_next(pairs, c, base):
    """omega_k over c moves each column of waves one position on, and omega_q over c leaves it."""
    Pi = sinusoids(2 * pairs, 12, base)
    omega_q, omega_k = look_back(2 * pairs, c, base)

    np.testing.assert_allclose(omega_q @ Pi, c * Pi, atol=1e-12)
    np.testing.assert_allclose(omega_k @ Pi[:, :-1], c * Pi[:, 1:], atol=1e-12)


@pytest.mark.parametrize(
    ("D", "N", "c", "smallest"), [(64, 8, 1.5, 0.28), (64, 8, 3, 0.62), (64, 8, 5, 0.94), (8, 6, 5, 0.97)]
)
def test_every_word_looks_most_at_the_word_before(D, N, c, smallest):
    """Column n has its largest weight on n - 1; the smallest of these is what the course was planned with."""
    Pi = sinusoids(D, N)
    omega_q, omega_k = look_back(D, c)
    A = attention_with_bias(omega_q @ Pi, omega_k @ Pi, np.eye(N), np.zeros((N, N)))

    assert A.argmax(axis=0)[1:].tolist() == list(range(N - 1))
    assert A.max(axis=0)[1:].min() == pytest.approx(smallest, abs=5e-3)
