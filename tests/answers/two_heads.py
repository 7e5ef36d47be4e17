"""Notebook 3: right answers in unusual styles, and wrong ones; the letters are those of our list of mistakes."""
# ruff: noqa: F821  an answer uses the functions of earlier exercises, and sometimes the notebook's data

import numpy as np

from answers import right, right_cell, wrong, wrong_cell

# ============================================================ 3.1 head_size: right


@right("head_size")
def by_the_remainder(D, H):
    if D % H:
        raise ValueError(f"{H} heads cannot share {D} rows")
    return D // H


@right("head_size")
def by_divmod(rows, heads):
    size, left = divmod(rows, heads)
    if left != 0:
        raise ValueError(f"D={rows} H={heads} leaves {left}")
    return size


@right("head_size")
def a_float_that_is_whole(D, H):
    if (D / H).is_integer():
        return D / H
    raise ValueError("D = " + str(D) + " and H = " + str(H))


@right("head_size")
def by_multiplying_back(D, H):
    D_q = int(D / H)
    if D_q * H != D:
        raise ValueError("no head of that size", D, H)
    return D_q


@right("head_size")
def by_counting(D, H):
    size = 0
    left = D
    while left >= H:
        left -= H
        size += 1
    if left:
        raise ValueError(" ".join(["rows:", str(D), "heads:", str(H)]))
    return np.int64(size)


# ============================================================ 3.1 head_size: wrong


@wrong("head_size", says="expected a ValueError", named="uneven_rounded_down")
def rounds_down(D, H):  # H15
    return D // H


@wrong("head_size", says="expected a ValueError", named="uneven_as_fraction")
def leaves_the_half_row(D, H):
    return D / H


@wrong("head_size", says="expected a ValueError", named="uneven_rounded")
def rounds(D, H):
    return round(D / H)


@wrong("head_size", says="expected ValueError")
def asserts(D, H):
    assert D % H == 0, f"D = {D} and H = {H}"
    return D // H


@wrong("head_size", says="`print` shows a value")
def prints_a_complaint(D, H):
    if D % H != 0:
        print(f"{D} cannot be divided by {H}")
        return None
    print(D // H)


@wrong("head_size", says="expected a ValueError")
def returns_nothing_where_it_does_not_fit(D, H):
    if D % H == 0:
        return D // H


@wrong("head_size", says="it returned a ValueError")
def returns_the_error(D, H):
    if D % H != 0:
        return ValueError(f"{D} {H}")
    return D // H


@wrong("head_size", says="does not name 10 and 4")
def says_nothing(D, H):
    if D % H != 0:
        raise ValueError
    return D // H


@wrong("head_size", says="does not name 10 and 4")
def names_one_number(D, H):
    if D % H != 0:
        raise ValueError(f"D = {D} cannot be shared evenly by the heads")
    return D // H


@wrong("head_size", says="does not name 10 and 4")
def names_letters_instead_of_numbers(D, H):
    if D % H != 0:
        raise ValueError("D = {D} cannot be divided by H = {H}")
    return D // H


@wrong("head_size", says="raised ValueError", named="remainder_of_exchanged")
def asks_the_other_way_round(D, H):
    if H % D != 0:
        raise ValueError(f"{D} rows, {H} heads")
    return D // H


@wrong("head_size", says="raised ValueError", named="even_refused")
def raises_where_it_fits(D, H):
    if D % H == 0:
        raise ValueError(f"{D} rows, {H} heads")
    return D // H


@wrong("head_size", says="expected a ValueError")
def refuses_odd_numbers_only(D, H):
    if D % 2 and H % 2 == 0:
        raise ValueError(f"{D} rows, {H} heads")
    return D // H


@wrong("head_size", says="expected a ValueError", named="only_more_heads_than_rows_refused")
def always_two_heads(D, H):
    if H > D:
        raise ValueError(f"{D} rows, {H} heads")
    return D // H


@wrong("head_size", says="expected 4", named="number_of_heads_returned")
def heads_and_rows_exchanged(D, H):
    if D % H != 0:
        raise ValueError(f"{D} rows, {H} heads")
    return H


@wrong("head_size", named="heads_over_rows")
def heads_divided_by_rows(D, H):
    if D % H != 0:
        raise ValueError(f"{D} rows, {H} heads")
    return H / D


@wrong("head_size", says="returned a result on rows that cannot be shared evenly")
def rounds_a_half_up(D, H):
    return int(D / H + 0.5)


@wrong("head_size", says="expected 4", named="root_of_rows")
def the_root_of_the_rows(D, H):
    if D % H != 0:
        raise ValueError(f"{D} rows, {H} heads")
    return int(np.sqrt(D))


@wrong("head_size", says="expected ()", named="size_for_every_head")
def a_size_for_every_head(D, H):
    if D % H != 0:
        raise ValueError(f"{D} rows, {H} heads")
    return [D // H] * H


# ============================================================ 3.2 head_output: right


@right("head_output")
def from_the_pieces(X, head):
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    A = softmax_cols(scaled_scores(Q, K))
    return weighted_values(A, project(X, head.omega_v, head.beta_v)), A


@right("head_output")
def by_einsum_throughout(X, head):
    Q, K, V = (np.einsum("ij,jn->in", o, X) + b for o, b in zip(head[:3], head[3:]))
    S = np.einsum("dm,dn->mn", K, Q) * len(Q) ** -0.5
    E = np.exp(S - S.max(0))
    A = E / E.sum(0)
    return np.einsum("dm,mn->dn", V, A), A


@right("head_output")
def query_by_query_in_loops(X, head):
    D_q, N = head.omega_q.shape[0], X.shape[1]
    Sa, A = np.zeros((D_q, N)), np.zeros((N, N))
    for n in range(N):
        q = head.omega_q @ X[:, n] + head.beta_q[:, 0]
        for m in range(N):
            k = head.omega_k @ X[:, m] + head.beta_k[:, 0]
            A[m, n] = sum(k * q) / D_q**0.5
        A[:, n] = np.exp(A[:, n] - max(A[:, n]))
        A[:, n] /= sum(A[:, n])
        for m in range(N):
            Sa[:, n] += A[m, n] * (head.omega_v @ X[:, m] + head.beta_v[:, 0])
    return Sa, A


@right("head_output")
def rows_for_tokens_turned_at_the_end(X, head):  # S8
    x = X.T
    q = x @ head.omega_q.T + head.beta_q.T
    k = x @ head.omega_k.T + head.beta_k.T
    v = x @ head.omega_v.T + head.beta_v.T
    s = q @ k.T / np.sqrt(q.shape[1])
    e = np.exp(s - s.max(axis=1, keepdims=True))
    a = e / e.sum(axis=1, keepdims=True)
    return (a @ v).T, a.T


@right("head_output")
def the_output_from_notebook_2_and_the_weights_again(X, head):
    Q, K = project(X, head.omega_q, head.beta_q), project(X, head.omega_k, head.beta_k)
    return scaled_self_attention(X, head), softmax_cols(scaled_scores(Q, K))


@right("head_output")
def the_queries_divided_and_notebook_1_reused(X, head):
    Q, K, V = [project(X, head[i], head[i + 3]) for i in range(3)]
    A = attention_weights(Q / np.sqrt(head.omega_q.shape[0]), K)
    return [V @ A, A]


@right("head_output")
def no_bias_of_the_keys(X, head):
    # P3: it adds one number to every score of a column, and softmax cancels it. Neither result can show it.
    Q, K = project(X, head.omega_q, head.beta_q), head.omega_k @ X
    A = softmax_cols(scaled_scores(Q, K))
    return weighted_values(A, project(X, head.omega_v, head.beta_v)), A


@right("head_output")
def the_bias_of_the_values_at_the_end(X, head):
    Q, K = project(X, head.omega_q, head.beta_q), project(X, head.omega_k, head.beta_k)
    A = softmax_cols(scaled_scores(Q, K))
    return head.omega_v @ (X @ A) + head.beta_v, A


@right("head_output")
def float32_head(X, head):
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    A = softmax_cols(scaled_scores(Q, K)).astype(np.float32)
    return (V.astype(np.float32) @ A, A)


@right("head_output")
def lists_of_lists(X, parameters):
    q, k, v = (project(X, omega, beta) for omega, beta in zip(parameters[:3], parameters[3:]))
    A = softmax_cols(scaled_scores(q, k))
    return (v @ A).tolist(), A.tolist()


right_cell(
    "head_output",
    "a_helper_and_a_named_result_in_the_cell",
    """
from collections import namedtuple

Result = namedtuple("Result", "Sa A")

def qkv(X, head):
    for letter in "qkv":
        yield project(X, getattr(head, "omega_" + letter), getattr(head, "beta_" + letter))

def {name}(X, head):
    Q, K, V = qkv(X, head)
    A = softmax_cols(scaled_scores(Q, K))
    return Result(weighted_values(A, V), A)
""",
)

# ============================================================ 3.2 head_output: wrong


@wrong("head_output", says="the right arrays, in another order")
def weights_first(X, head):
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(scaled_scores(Q, K))
    return A, weighted_values(A, V)


@wrong("head_output", says="expected 2 arrays")
def the_output_alone(X, head):
    return scaled_self_attention(X, head)


@wrong("head_output", says="expected 2 arrays")
def output_and_weights_stacked(X, head):
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(scaled_scores(Q, K))
    return np.vstack([V @ A, A])


@wrong("head_output", says="expected 2 arrays")
def the_weights_alone(X, head):
    return softmax_cols(scaled_scores(project(X, head.omega_q, head.beta_q), project(X, head.omega_k, head.beta_k)))


@wrong("head_output", says="the columns do not sum to 1", named="head_scores_for_weights")
def scores_and_output(X, head):
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    scores = scaled_scores(Q, K)
    return weighted_values(softmax_cols(scores), V), scores


@wrong("head_output", says="A, row 1, column 1 is 0.119, expected 0.167", named="no_scale")
def not_divided(X, head):  # L2
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = attention_weights(Q, K)
    return weighted_values(A, V), A


@wrong("head_output", says="A, row 1, column 1 is 0.208, expected 0.167", named="scale_by_two")
def divided_by_two(X, head):  # L7
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(K.T @ Q / 2)
    return weighted_values(A, V), A


@wrong("head_output", says="A, row 1, column 1 is 0.208, expected 0.167", named="head_scale_by_D_over_D_q")
def divided_by_the_number_of_heads(X, head):  # L7
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(K.T @ Q / (X.shape[0] // Q.shape[0]))
    return weighted_values(A, V), A


@wrong("head_output", says="A, row 1, column 1 is 0.208, expected 0.167", named="head_scale_by_root_of_D")
def divided_by_the_root_of_d(X, head):  # L4
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(K.T @ Q / np.sqrt(X.shape[0]))
    return weighted_values(A, V), A


@wrong("head_output", says="A, row 1, column 1 is 0.208, expected 0.167", named="head_scale_by_whole_root_of_D")
def divided_by_the_whole_root_of_d(X, head):  # L7
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(K.T @ Q / int(np.sqrt(X.shape[0])))
    return weighted_values(A, V), A


@wrong("head_output", says="wrong on a head that is not half as high as X", named="head_scale_by_root_of_half_D")
def divided_by_the_root_of_half_of_d(X, head):  # right wherever D_q is D / 2
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(K.T @ Q / np.sqrt(X.shape[0] / 2))
    return weighted_values(A, V), A


@wrong(
    "head_output",
    says="A, row 1, column 1 is 0.208, expected 0.167",
    named="scale_by_D_q | scale_twice",
)
def divided_by_d_q(X, head):  # L3
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(K.T @ Q / Q.shape[0])
    return weighted_values(A, V), A


@wrong("head_output", says="A, row 1, column 1 is 0.119, expected 0.167", named="scale_cut_off")
def divided_by_the_whole_root_of_d_q(X, head):  # L11
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(K.T @ Q / int(np.sqrt(Q.shape[0])))
    return weighted_values(A, V), A


@wrong(
    "head_output",
    says="A, row 1, column 1 is 0.192, expected 0.167",
    named="scale_by_the_number_of_keys | scale_by_the_number_of_queries",
)
def divided_by_the_root_of_n(X, head):  # L12
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(K.T @ Q / np.sqrt(K.shape[1]))
    return weighted_values(A, V), A


@wrong(
    "head_output",
    says="A, row 1, column 1 is 0.208, expected 0.167",
    named="scale_by_D_q | scale_twice",
)
def divided_twice(X, head):
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(scaled_scores(Q, K) / np.sqrt(Q.shape[0]))
    return weighted_values(A, V), A


@wrong("head_output", says="columns do not sum to 1", named="head_scaled_after_softmax")
def weights_divided_after_softmax(X, head):  # L10
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = attention_weights(Q, K) / np.sqrt(Q.shape[0])
    return weighted_values(A, V), A


@wrong("head_output", says="every row sums to 1", named="rows_for_columns")
def softmax_along_the_rows(X, head):  # S1
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(scaled_scores(Q, K).T).T
    return weighted_values(A, V), A


@wrong(
    "head_output",
    says="A, row 1, column 1 is 0.333, expected 0.167",
    named="head_queries_and_keys_exchanged | scores_turned_over",
)
def queries_and_keys_exchanged(X, head):  # P5, L1
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(scaled_scores(K, Q))
    return weighted_values(A, V), A


@wrong("head_output", says="Sa, row 1, column 1 is 0.333, expected 2.500", named="head_values_of_keys")
def keys_mixed_for_values(X, head):  # P6
    Q, K = (project(X, head[i], head[i + 3]) for i in range(2))
    A = softmax_cols(scaled_scores(Q, K))
    return weighted_values(A, K), A


@wrong("head_output", says="Sa, row 1, column 1 is 1.267, expected 2.500", named="head_values_of_queries")
def queries_mixed_for_values(X, head):
    Q, K = (project(X, head[i], head[i + 3]) for i in range(2))
    A = softmax_cols(scaled_scores(Q, K))
    return weighted_values(A, Q), A


@wrong("head_output", says="Sa has shape (4, 3), expected (2, 3)", named="head_tokens_as_values")
def tokens_mixed_for_values(X, head):  # P8
    Q, K = (project(X, head[i], head[i + 3]) for i in range(2))
    A = softmax_cols(scaled_scores(Q, K))
    return X @ A, A


@wrong(
    "head_output",
    says="Sa, row 1, column 1 is 1.600, expected 2.500",
    named="weights_turned_in_the_mixture",
)
def weights_turned_over_in_the_mixture(X, head):  # S7
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(scaled_scores(Q, K))
    return V @ A.T, A


@wrong("head_output", named="head_weights_turned_over")
def weights_turned_over_in_the_return(X, head):
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(scaled_scores(Q, K))
    return weighted_values(A, V), A.T


@wrong("head_output", says="Sa has shape (3, 2), expected (2, 3)", named="head_output_turned_over | mixtures_in_rows")
def the_output_turned_over(X, head):  # H13
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(scaled_scores(Q, K))
    return weighted_values(A, V).T, A


@wrong("head_output", says="A, row 1, column 1 is 0.333, expected 0.167", named="no_bias")
def no_biases(X, head):  # P1
    Q, K, V = head.omega_q @ X, head.omega_k @ X, head.omega_v @ X
    A = softmax_cols(scaled_scores(Q, K))
    return weighted_values(A, V), A


@wrong("head_output", says="A, row 1, column 1 is 0.333, expected 0.167", named="head_no_beta_q")
def no_bias_of_the_queries(X, head):  # P2
    Q, K, V = head.omega_q @ X, *(project(X, head[i], head[i + 3]) for i in (1, 2))
    A = softmax_cols(scaled_scores(Q, K))
    return weighted_values(A, V), A


@wrong("head_output", says="Every column is off by the same amounts", named="head_no_beta_v")
def no_bias_of_the_values(X, head):  # P4
    Q, K = (project(X, head[i], head[i + 3]) for i in range(2))
    A = softmax_cols(scaled_scores(Q, K))
    return weighted_values(A, head.omega_v @ X), A


@wrong("head_output", says="in the order that its first line names")
def the_first_rows_of_x(X, head):
    X = X[: head.omega_q.shape[0]]
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(scaled_scores(Q, K))
    return weighted_values(A, V), A


@wrong("head_output", says="Sa, row 1, column 1 is 0, expected 2.500", named="head_first_rows_of_X")
def the_first_rows_of_x_and_columns_of_the_omegas(X, head):
    D_q = head.omega_q.shape[0]
    Q, K, V = (project(X[:D_q], head[i][:, :D_q], head[i + 3]) for i in range(3))
    A = softmax_cols(scaled_scores(Q, K))
    return weighted_values(A, V), A


@wrong("head_output", says="changed its argument `X`")
def centers_the_tokens_in_place(X, head):  # H18
    X -= X.mean(axis=0)
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(scaled_scores(Q, K))
    return weighted_values(A, V), A


@wrong("head_output", says="nan or inf")
def a_softmax_of_its_own_that_overflows(X, head):  # S10
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    E = np.exp(scaled_scores(Q, K))
    A = E / E.sum(axis=0)
    return weighted_values(A, V), A


@wrong("head_output", says="A, row 1, column 1 is 0, expected 0.167", named="winner_takes_all")
def the_largest_share_only(X, head):  # S9
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    S = scaled_scores(Q, K)
    A = (S == S.max(axis=0)).astype(float)
    return weighted_values(A, V), A


@wrong("head_output", says="which the notebook holds but the cell does not")
def the_notebooks_head(X, head):  # H17
    Q = project(X, head1.omega_q, head1.beta_q)
    K = project(X, head1.omega_k, head1.beta_k)
    A = softmax_cols(scaled_scores(Q, K))
    return weighted_values(A, project(X, head1.omega_v, head1.beta_v)), A


@wrong("head_output", says="missing 1 required positional argument: 'K'")
def scores_called_without_the_keys(X, head):
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(scaled_scores(Q))
    return weighted_values(A, V), A


@wrong("head_output", says="A head has no `omega_q1`")
def parameters_named_as_in_the_data(X, head):
    Q = project(X, head.omega_q1, head.beta_q1)
    return Q, Q


# ============================================================ 3.3 two_heads: right


@right("two_heads")
def one_after_the_other(X, head1, head2):
    Sa1, A1 = head_output(X, head1)
    Sa2, A2 = head_output(X, head2)
    return [Sa1, Sa2], [A1, A2]


@right("two_heads")
def two_heads_by_zip(X, *heads):
    return tuple(zip(*[head_output(X, head) for head in heads]))


@right("two_heads")
def two_heads_in_a_loop(X, first, second):
    outputs, weights = [], []
    for head in (first, second):
        output, A = head_output(X, head)
        outputs.append(output)
        weights.append(A)
    return outputs, weights


@right("two_heads")
def tuples_and_lists_mixed(X, head1, head2):
    results = [head_output(X, head1), head_output(X, head2)]
    return [(results[0][0], results[1][0]), [results[0][1].tolist(), results[1][1]]]


@right("two_heads")
def everything_anew(X, head1, head2):
    Sa, A = [], []
    for oq, ok, ov, bq, bk, bv in (head1, head2):
        scores = (ok @ X + bk).T @ (oq @ X + bq) / np.sqrt(oq.shape[0])
        E = np.exp(scores - scores.max(axis=0))
        A.append(E / E.sum(axis=0))
        Sa.append((ov @ X + bv) @ A[-1])
    return Sa, A


@right("two_heads")
def both_heads_projected_at_once(X, head1, head2):
    D_q = head1.omega_q.shape[0]
    Q, K, V = (np.vstack([head1[i], head2[i]]) @ X + np.vstack([head1[i + 3], head2[i + 3]]) for i in range(3))
    A = [softmax_cols(scaled_scores(Q[rows], K[rows])) for rows in (slice(D_q), slice(D_q, None))]
    return [V[:D_q] @ A[0], V[D_q:] @ A[1]], A


@right("two_heads")
def weights_stacked_outputs_listed(X, head1, head2):
    # Both matrices of weights are (N, N) always, so they may be stacked along a new axis.
    (Sa1, A1), (Sa2, A2) = head_output(X, head1), head_output(X, head2)
    return [Sa1, Sa2], np.stack([A1, A2])


@right("two_heads")
def float32_heads(X, head1, head2):
    Sa, A = zip(head_output(X, head1), head_output(X, head2))
    return [one.astype(np.float32) for one in Sa], [one.astype(np.float32) for one in A]


# ============================================================ 3.3 two_heads: wrong


@wrong("two_heads", says="A[0] is right, and A[1] is a copy of it", named="head_1_for_both")
def head_1_twice(X, head1, head2):  # P10
    Sa1, A1 = head_output(X, head1)
    Sa2, A2 = head_output(X, head1)
    return [Sa1, Sa2], [A1, A2]


@wrong("two_heads", says="A[1] is right, and A[0] is a copy of it", named="head_2_for_both")
def head_2_twice(X, head1, head2):  # P11
    Sa1, A1 = head_output(X, head2)
    Sa2, A2 = head_output(X, head2)
    return [Sa1, Sa2], [A1, A2]


@wrong("two_heads", says="the right arrays, in another order")
def head_2_first(X, head1, head2):  # H1
    Sa1, A1 = head_output(X, head1)
    Sa2, A2 = head_output(X, head2)
    return [Sa2, Sa1], [A2, A1]


@wrong("two_heads", says="the right arrays, in another order")
def weights_in_the_other_order(X, head1, head2):
    Sa1, A1 = head_output(X, head1)
    Sa2, A2 = head_output(X, head2)
    return [Sa1, Sa2], [A2, A1]


@wrong("two_heads", says="Expected Sa, a list of 2, then A, a list of 2")
def a_pair_for_each_head(X, head1, head2):
    return [head_output(X, head1), head_output(X, head2)]


@wrong("two_heads", says="returned 4 things, expected 2 lists")
def four_arrays(X, head1, head2):
    Sa1, A1 = head_output(X, head1)
    Sa2, A2 = head_output(X, head2)
    return Sa1, Sa2, A1, A2


@wrong("two_heads", says="expected 2 arrays in a list or tuple")
def the_outputs_alone(X, head1, head2):
    return [head_output(X, head1)[0], head_output(X, head2)[0]]


@wrong("two_heads", says="the right arrays, in another order")
def weights_before_outputs(X, head1, head2):
    Sa1, A1 = head_output(X, head1)
    Sa2, A2 = head_output(X, head2)
    return [A1, A2], [Sa1, Sa2]


@wrong("two_heads", says="a dict")
def a_dictionary(X, head1, head2):
    Sa1, A1 = head_output(X, head1)
    Sa2, A2 = head_output(X, head2)
    return {"Sa": [Sa1, Sa2], "A": [A1, A2]}


@wrong("two_heads", says="expected 2 arrays in a list or tuple")
def outputs_one_above_the_other(X, head1, head2):
    Sa1, A1 = head_output(X, head1)
    Sa2, A2 = head_output(X, head2)
    return np.vstack([Sa1, Sa2]), [A1, A2]


@wrong("two_heads", says="expected 2 arrays in a list or tuple")
def outputs_added(X, head1, head2):  # H4
    Sa1, A1 = head_output(X, head1)
    Sa2, A2 = head_output(X, head2)
    return Sa1 + Sa2, [A1, A2]


@wrong("two_heads", says="ValueError")
def outputs_stacked(X, head1, head2):
    # Right where both heads have the same D_q; the docstring says that they need not.
    Sa, A = zip(head_output(X, head1), head_output(X, head2))
    return np.stack(Sa), np.stack(A)


@wrong("two_heads", says="ValueError")
def outputs_in_an_array(X, head1, head2):
    # As above.
    Sa, A = zip(head_output(X, head1), head_output(X, head2))
    return np.array(Sa), np.array(A)


@wrong("two_heads", says="in the order that its first line names")
def head_2_reads_head_1(X, head1, head2):
    Sa1, A1 = head_output(X, head1)
    Sa2, A2 = head_output(Sa1, head2)
    return [Sa1, Sa2], [A1, A2]


@wrong("two_heads", says="expect all D rows of X")
def half_of_the_rows_for_each(X, head1, head2):
    half = X.shape[0] // 2
    Sa1, A1 = head_output(X[:half], head1)
    Sa2, A2 = head_output(X[half:], head2)
    return [Sa1, Sa2], [A1, A2]


@wrong(
    "two_heads",
    says="right on the paper example, wrong on an example of other sizes",
    named="two_heads_half_of_the_rows_each",
)
def half_of_the_rows_and_of_the_omegas_for_each(X, head1, head2):
    half = X.shape[0] // 2

    def part(head, rows):
        return head_output(X[rows], Head(*[omega[:, rows] for omega in head[:3]], *head[3:]))

    (Sa1, A1), (Sa2, A2) = part(head1, slice(half)), part(head2, slice(half, None))
    return [Sa1, Sa2], [A1, A2]


@wrong("two_heads", says="has shape (1, 1), expected (1, 2)", named="two_heads_half_of_the_tokens_each")
def half_of_the_tokens_for_each(X, head1, head2):
    half = X.shape[1] // 2
    Sa1, A1 = head_output(X[:, :half], head1)
    Sa2, A2 = head_output(X[:, half:], head2)
    return [Sa1, Sa2], [A1, A2]


@wrong("two_heads", says="A[1] is a copy of it", named="head_2_uses_weights_of_head_1")
def weights_of_head_1_for_the_values_of_head_2(X, head1, head2):
    Sa1, A1 = head_output(X, head1)
    Sa2 = weighted_values(A1, project(X, head2.omega_v, head2.beta_v))
    return [Sa1, Sa2], [A1, A1]


@wrong("two_heads", named="head_2_asked_by_head_1")
def queries_of_head_1_for_head_2(X, head1, head2):
    Sa1, A1 = head_output(X, head1)
    Q2 = project(X, head1.omega_q, head1.beta_q)
    K2 = project(X, head2.omega_k, head2.beta_k)
    V2 = project(X, head2.omega_v, head2.beta_v)
    A2 = softmax_cols(scaled_scores(Q2, K2))
    return [Sa1, weighted_values(A2, V2)], [A1, A2]


@wrong("two_heads", named="head_2_mixes_values_of_head_1")
def values_of_head_1_for_head_2(X, head1, head2):
    Sa1, A1 = head_output(X, head1)
    A2 = head_output(X, head2)[1]
    Sa2 = weighted_values(A2, project(X, head1.omega_v, head1.beta_v))
    return [Sa1, Sa2], [A1, A2]


@wrong("two_heads", says="A[0], row 1, column 1 is 0.616", named="two_heads_weights_averaged")
def weights_averaged(X, head1, head2):
    A = (head_output(X, head1)[1] + head_output(X, head2)[1]) / 2
    Sa = [weighted_values(A, project(X, head.omega_v, head.beta_v)) for head in (head1, head2)]
    return Sa, [A, A]


@wrong("two_heads", says="A[0], row 1, column 1 is 0.670", named="two_heads_as_one_wide_head")
def one_wide_head_cut_in_two(X, head1, head2):  # H10
    wide = Head(*[np.vstack([head1[i], head2[i]]) for i in range(6)])
    Sa, A = head_output(X, wide)
    D_q = head1.omega_q.shape[0]
    return [Sa[:D_q], Sa[D_q:]], [A, A]


@wrong("two_heads", says="A[0], row 1, column 2 is 0.330", named="head_scale_by_root_of_D")
def scaled_for_both_heads_together(X, head1, head2):  # L4
    Sa, A = [], []
    for head in (head1, head2):
        Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
        A.append(softmax_cols(K.T @ Q / np.sqrt(X.shape[0])))
        Sa.append(weighted_values(A[-1], V))
    return Sa, A


@wrong("two_heads", says="A[0], row 1, column 2 is 0.378", named="scale_by_two")
def divided_by_two_heads(X, head1, head2):  # L7
    Sa, A = [], []
    for head in (head1, head2):
        Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
        A.append(softmax_cols(K.T @ Q / 2))
        Sa.append(weighted_values(A[-1], V))
    return Sa, A


@wrong("two_heads", says="right on the paper example, wrong on an example of other sizes", named="no_scale")
def neither_scaled(X, head1, head2):  # L2
    Sa, A = [], []
    for head in (head1, head2):
        Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
        A.append(attention_weights(Q, K))
        Sa.append(weighted_values(A[-1], V))
    return Sa, A


@wrong(
    "two_heads", says="wrong on a head with D_q = 2 and a head with D_q = 3", named="head_2_scaled_by_size_of_head_1"
)
def the_height_of_head_1_for_both(X, head1, head2):
    D_q = head1.omega_q.shape[0]
    Sa, A = [], []
    for head in (head1, head2):
        Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
        A.append(softmax_cols(K.T @ Q / np.sqrt(D_q)))
        Sa.append(weighted_values(A[-1], V))
    return Sa, A


@wrong("two_heads", named="head_2_with_biases_of_head_1")
def biases_of_head_1_for_both(X, head1, head2):
    mixed = Head(*head2[:3], *head1[3:])
    (Sa1, A1), (Sa2, A2) = head_output(X, head1), head_output(X, mixed)
    return [Sa1, Sa2], [A1, A2]


@wrong("two_heads", says="returned one list twice: ")
def one_list_repeated(X, head1, head2):
    out = [[0] * 2] * 2
    for i, head in enumerate((head1, head2)):
        out[0][i], out[1][i] = head_output(X, head)
    return out


@wrong("two_heads", says="returned one list twice: ")
def one_list_with_two_names(X, head1, head2):
    Sa = A = []
    for head in (head1, head2):
        output, weights = head_output(X, head)
        Sa.append(output)
        A.append(weights)
    return Sa, A


@wrong("two_heads", says="which the notebook holds but the cell does not")
def the_notebooks_heads(tokens, one, two):  # H17
    (Sa1, A1), (Sa2, A2) = head_output(X, head1), head_output(X, head2)
    return [Sa1, Sa2], [A1, A2]


wrong_cell(
    "two_heads",
    "its_name_for_the_list_of_heads",
    "{name} = [head_output(X, head1), head_output(X, head2)]",
    says="the notebook holds but the cell does not",
)

# ============================================================ 3.4 strongest_key: right


@right("strongest_key")
def by_argmax(A):
    return A.argmax(0)


@right("strongest_key")
def turned_and_along_the_rows(A):
    return np.argmax(A.T, axis=1)


@right("strongest_key")
def column_by_column_in_a_list(A):
    return [list(column).index(max(column)) for column in A.T]


@right("strongest_key")
def by_comparing(A):
    best = []
    for n in range(A.shape[1]):
        place = 0
        for m in range(1, A.shape[0]):
            if A[m, n] > A[place, n]:
                place = m
        best.append(place)
    return np.array(best)


@right("strongest_key")
def positions_as_floats(A):
    return np.argmax(A, axis=0).astype(float)


@right("strongest_key")
def first_where_it_is_largest(A):
    return (A == A.max(axis=0)).argmax(axis=0)


@right("strongest_key")
def sorted_from_the_largest(A):
    return np.argsort(-A, axis=0, kind="stable")[0]


@right("strongest_key")
def largest_by_key(A):
    return tuple(max(range(len(A)), key=lambda m: A[m, n]) for n in range(A.shape[1]))


# ============================================================ 3.4 strongest_key: wrong


@wrong("strongest_key", says="expected (2,)", named="strongest_query")
def strongest_query(A):
    return np.argmax(A, axis=1)


@wrong("strongest_key", says="expected (2,)", named="strongest_of_all")
def strongest_of_all(A):
    return np.argmax(A)


@wrong("strongest_key", says="entry 1 is 2, expected 1", named="strongest_counted_from_1")
def counted_from_one(A):
    return np.argmax(A, axis=0) + 1


@wrong("strongest_key", says="entry 1 is 0.500, expected 1", named="strongest_share")
def the_share_itself(A):
    return np.max(A, axis=0)


@wrong("strongest_key", named="strongest_share_of_all")
def the_largest_share_of_all(A):
    return np.max(A)


@wrong("strongest_key", named="strongest_queries_listed")
def columns_of_the_places(A):
    return np.where(A == A.max(axis=0))[1]


@wrong("strongest_key", named="strongest_position_kept")
def a_loop_that_keeps_its_best(A):
    positions, best, where = [], 0, 0
    for n in range(A.shape[1]):
        for m in range(A.shape[0]):
            if A[m, n] > best:
                best, where = A[m, n], m
        positions.append(where)
    return positions


@wrong("strongest_key", says="wrong on an example with equal weights in a column", named="strongest_last_of_equal")
def the_last_of_equal_ones(A):
    return A.shape[0] - 1 - np.argmax(A[::-1], axis=0)


@wrong("strongest_key", says="wrong on an example with equal weights in a column", named="strongest_last_of_equal")
def sorted_and_the_last_taken(A):
    return np.argsort(A, axis=0, kind="stable")[-1]


@wrong("strongest_key", says="entry 1 is 0, expected 1", named="weakest_key")
def the_weakest(A):
    return np.argmin(A, axis=0)


@wrong("strongest_key", says="expected (2,)", named="strongest_as_row")
def a_row_of_positions(A):
    return np.argmax(A, axis=0, keepdims=True)


@wrong("strongest_key", says="expected (2,)", named="strongest_marked")
def marks_for_the_strongest(A):
    return (A == A.max(axis=0)).astype(int)


@wrong("strongest_key", says="expected (2,)")
def row_and_column_of_the_largest(A):
    return np.unravel_index(np.argmax(A), A.shape) + (0,)


@wrong("strongest_key", says="expected (2,)", named="strongest_places_listed")
def positions_for_every_mark(A):
    return np.argwhere(A == A.max(axis=0))


@wrong("strongest_key", says="positions has shape (7,), expected (4,)", named="strongest_all_of_equal")
def every_place_where_it_is_largest(A):
    return np.nonzero((A == A.max(axis=0)).T)[1]


@wrong("strongest_key", says="raised IndexError")
def weights_over_one_half(A):
    return np.array([np.flatnonzero(column >= 0.5)[0] for column in A.T])


@wrong("strongest_key", says="expected (2,)", named="strongest_query")
def strongest_queries_where_square(A):
    return np.argmax(A, axis=-1)


@wrong("strongest_key", says="wrong on an example with N_k = N_q")
def the_shorter_axis(A):
    return np.argmax(A, axis=0) if A.shape[0] != A.shape[1] else np.argmax(A, axis=1)


@wrong("strongest_key", says="None")
def words_are_printed(A):
    for n in range(A.shape[1]):
        print(n, np.argmax(A[:, n]))


@wrong("strongest_key", says="raised ValueError")
def python_finds_the_largest(A):
    return [A[:, n].tolist().index(max(A[n])) for n in range(A.shape[1])]


@wrong("head_size", says="it raised KeyError")
def another_kind_of_error(D, H):
    if D % H:
        raise KeyError(f"D = {D} and H = {H}")
    return D // H


@wrong("head_size", says="Is the letter f missing")
def the_letter_f_forgotten(D, H):
    if D % H:
        raise ValueError("D = {D} cannot be shared by H = {H}")
    return D // H


@wrong("two_heads", named="rows_for_columns | rows_for_columns_not_shifted")
def softmax_along_the_rows_of_both(X, head1, head2):  # S1
    outputs, weights = [], []
    for head in (head1, head2):
        S = scaled_scores(project(X, head.omega_q, head.beta_q), project(X, head.omega_k, head.beta_k))
        weights.append(softmax_cols(S.T).T)
        outputs.append(project(X, head.omega_v, head.beta_v) @ weights[-1])
    return outputs, weights
