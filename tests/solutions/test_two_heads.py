"""The solutions of notebook 3 against oracles that share no code with them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import attention_by_definition

from helpers.examples import examples
from helpers.examples.example import draw_head, seeded_heads, six_tokens
from helpers.teach import solutions

head_size = solutions.function("head_size")
head_output = solutions.function("head_output")
two_heads = solutions.function("two_heads")
strongest_key = solutions.function("strongest_key")

# The book's notebook on two heads (udlbook 12.2), to three decimals.
SA1 = [
    [0.236, 1.597, 0.060, -1.478, 0.096, -0.711],
    [3.589, 1.064, 3.165, 4.402, 3.532, 3.939],
    [-8.190, -4.459, -6.854, -4.780, -7.593, -6.154],
    [-1.932, -0.681, -1.706, -1.943, -1.868, -1.897],
]
SA2 = [
    [1.789, -1.129, 2.905, -0.393, -1.166, 2.196],
    [2.074, -0.991, 2.050, 2.141, -1.051, 2.283],
    [0.169, -6.946, 5.394, -1.362, -7.097, 4.210],
    [-3.396, -0.718, -1.522, -0.874, -0.723, -1.357],
]
# What the book prints after mixing with omega_c.
MIXED = [
    [-21.207, -5.373, -20.933, -9.179, -11.319, -17.812],
    [-1.995, 7.906, -10.516, 3.452, 9.863, -7.24],
    [5.479, 1.115, 9.244, 0.453, 5.656, 7.089],
    [-7.413, -7.416, 0.363, -5.573, -6.736, -0.848],
    [-11.261, -9.937, -4.848, -8.915, -13.378, -5.761],
    [3.548, 10.036, -2.244, 1.604, 12.113, -2.557],
    [4.888, -5.814, 2.407, 3.228, -4.232, 3.71],
    [1.248, 18.894, -6.409, 3.224, 19.717, -5.629],
]


@pytest.fixture(scope="module")
def seeded():
    """Return outputs and weights of the seeded heads."""
    return two_heads(six_tokens(), *seeded_heads()[:2])


# --- the book's numbers


def test_the_seeded_outputs_are_the_books(seeded):
    """Both heads put out the numbers of the book's notebook on two heads, to its three decimals."""
    # Half a unit of the last written digit.
    np.testing.assert_allclose(seeded[0], [SA1, SA2], rtol=0, atol=5.001e-4)


def test_stacked_and_mixed_they_are_the_printed_matrix(seeded):
    """With the book's omega_c the two outputs give the matrix that the public notebook prints."""
    mixed = seeded_heads()[2] @ np.vstack(seeded[0])

    np.testing.assert_allclose(mixed, MIXED, rtol=0, atol=5.001e-4)


def test_the_seeded_weights_have_the_known_rows(seeded):
    """Rows of head 1 collect what was worked out from the book's data, and every column sums to one."""
    (A1, A2) = seeded[1]

    np.testing.assert_allclose(A1.sum(axis=1), [1.564, 0.004, 0.007, 0.232, 3.133, 1.061], atol=5.001e-4)
    np.testing.assert_allclose([A1.sum(axis=0), A2.sum(axis=0)], np.ones((2, 6)), rtol=1e-12)


def test_the_seeded_heads_look_where_they_are_known_to(seeded):
    """The strongest keys of both seeded heads, from 0."""
    assert strongest_key(seeded[1][0]).tolist() == [4, 5, 4, 0, 4, 0]
    assert strongest_key(seeded[1][1]).tolist() == [3, 1, 5, 2, 1, 5]


# --- one head


@pytest.mark.parametrize(("D", "N", "D_q"), [(6, 5, 3), (10, 7, 5), (9, 4, 2), (3, 7, 3), (6, 1, 2), (2, 3, 1)])
def test_one_head_is_its_definition(D, N, D_q):
    """Output and weights, summed one number at a time, are those of the matrix form."""
    rng = np.random.RandomState(D + 10 * N)
    X, head = rng.normal(size=(D, N)), draw_head(rng, D, D_q)
    Sa, A = head_output(X, head)
    output, weights = attention_by_definition(X, head)

    np.testing.assert_allclose(Sa, output, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(A, weights, rtol=1e-12, atol=1e-12)


def test_a_head_reads_every_row():
    """A change of any one row of X changes the output, also of the rows behind the first D_q."""
    X, (head, _, _) = six_tokens(), seeded_heads()
    Sa, _ = head_output(X, head)

    for row in np.eye(8):
        assert np.abs(head_output(X + row[:, np.newaxis], head)[0] - Sa).max() > 0.1


def test_values_do_not_enter_the_weights():
    """A head with the queries and keys of another has its weights, and an output of its own."""
    X, (head1, head2, _) = six_tokens(), seeded_heads()
    (Sa1, Sa2), (A1, A2) = two_heads(X, head1, head1._replace(omega_v=head2.omega_v, beta_v=head2.beta_v))

    np.testing.assert_array_equal(A1, A2)
    assert np.abs(Sa1 - Sa2).max() > 1


DIVISORS = {
    "1": lambda D, N, D_q: 1,
    "2": lambda D, N, D_q: 2,
    "H": lambda D, N, D_q: D / D_q,
    "D_q": lambda D, N, D_q: D_q,
    "half of D_q": lambda D, N, D_q: D_q / 2,
    "the root of D": lambda D, N, D_q: np.sqrt(D),
    "the root of D, cut": lambda D, N, D_q: int(np.sqrt(D)),
    "the root of D_q, cut": lambda D, N, D_q: int(np.sqrt(D_q)),
    "the root of D / 2": lambda D, N, D_q: np.sqrt(D / 2),
    "the root of N": lambda D, N, D_q: np.sqrt(N),
    "the root of H": lambda D, N, D_q: np.sqrt(D / D_q),
}


@pytest.mark.parametrize("divisor", DIVISORS)
def test_every_other_divisor_shows_in_an_example(divisor):
    """The seeded sizes hide six wrong divisors; among the examples is one of other sizes that shows each of them."""
    apart = 0.0
    for example in examples("head_output")[1:]:
        X, head = example.arguments
        ratio = np.sqrt(len(head.omega_q)) / DIVISORS[divisor](*X.shape, len(head.omega_q))
        divided = head._replace(omega_q=ratio * head.omega_q, beta_q=ratio * head.beta_q)
        true, other = head_output(X, head)[0], head_output(X, divided)[0]
        apart = max(apart, np.abs(other - true).max() / np.abs(true).max())
    # The check refuses what differs by 1e-6 of the largest number.
    assert apart > 1e-2


def test_the_seeded_sizes_alone_would_hide_wrong_divisors():
    """With D = 8 and D_q = 4 the root of D_q is also 2, H, half of D_q and the root of D without its decimals."""
    hidden = [name for name, divisor in DIVISORS.items() if divisor(8, 6, 4) == np.sqrt(4)]

    assert hidden == ["2", "H", "half of D_q", "the root of D, cut", "the root of D_q, cut", "the root of D / 2"]


# --- two heads


def test_two_heads_are_one_head_twice():
    """Each of the two outputs and weights is what its head gives alone, also where the heads differ in size."""
    rng = np.random.RandomState(4)
    X, head1, head2 = rng.normal(size=(7, 4)), draw_head(rng, 7, 2), draw_head(rng, 7, 3)
    outputs, weights = two_heads(X, head1, head2)

    for head, Sa, A in zip((head1, head2), outputs, weights, strict=True):
        output, shares = attention_by_definition(X, head)
        np.testing.assert_allclose(Sa, output, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(A, shares, rtol=1e-12, atol=1e-12)


def test_exchanged_heads_give_exchanged_results():
    """Neither head sees the other, so exchanging them exchanges the results and changes nothing else."""
    X, (head1, head2, _) = six_tokens(), seeded_heads()
    (Sa1, Sa2), (A1, A2) = two_heads(X, head1, head2)
    (Sb1, Sb2), (B1, B2) = two_heads(X, head2, head1)

    for one, other in ((Sa1, Sb2), (Sa2, Sb1), (A1, B2), (A2, B1)):
        np.testing.assert_array_equal(one, other)


def test_a_permutation_of_tokens_permutes_both_heads():
    """Permuted tokens permute the columns of the outputs, and rows and columns of the weights."""
    X, (head1, head2, _) = six_tokens(), seeded_heads()
    order = [2, 0, 1, 5, 4, 3]

    outputs, weights = two_heads(X, head1, head2)
    permuted, their_weights = two_heads(X[:, order], head1, head2)

    for Sa, A, Sb, B in zip(outputs, weights, permuted, their_weights, strict=True):
        np.testing.assert_allclose(Sb, Sa[:, order], atol=1e-12)
        np.testing.assert_allclose(B, A[np.ix_(order, order)], atol=1e-13)


# --- sizes


@given(H=st.integers(1, 40), D_q=st.integers(1, 100))
def test_a_head_size_times_the_heads_is_d(H, D_q):
    """H heads of D_q rows share H times D_q rows, and the size is a whole number."""
    size = head_size(H * D_q, H)

    assert size == D_q
    assert isinstance(size, int)


@given(D=st.integers(1, 1000), H=st.integers(2, 40))
def test_what_cannot_be_shared_is_refused_by_name(D, H):
    """Where rows would be left over, a ValueError names D and H; elsewhere nothing is raised."""
    if D - H * (D // H) == 0:
        assert head_size(D, H) * H == D
        return
    with pytest.raises(ValueError, match=rf"\b{D}\b.*\b{H}\b"):
        head_size(D, H)


# --- the strongest key


def by_looking(A):
    """Return the position of each column's first largest entry, in plain Python."""
    positions = []
    for column in zip(*A.tolist(), strict=True):
        best = 0
        for m, weight in enumerate(column):
            if weight > column[best]:
                best = m
        positions.append(best)
    return positions


@given(
    st.integers(1, 6).flatmap(
        lambda N_q: st.lists(st.lists(st.integers(0, 3), min_size=N_q, max_size=N_q), min_size=1, max_size=5)
    )
)
def test_the_strongest_key_is_the_first_of_the_largest(rows):
    """Small whole numbers, so that most columns hold equal ones: the first of the largest is taken."""
    A = np.array(rows, dtype=float)

    assert strongest_key(A).tolist() == by_looking(A)


def test_dividing_scores_leaves_the_strongest_key():
    """Unscaled weights are sharper, and have the same strongest keys."""
    X, (head, _, _) = six_tokens(), seeded_heads()
    Q, K = head.omega_q @ X + head.beta_q, head.omega_k @ X + head.beta_k
    unscaled = solutions.function("attention_weights")(Q, K)

    assert strongest_key(unscaled).tolist() == strongest_key(head_output(X, head)[1]).tolist()
