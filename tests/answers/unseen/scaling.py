"""Notebook 2, answers nobody has seen."""

# ruff: noqa: F821  an answer uses the functions of earlier exercises

import numpy as np

from answers import right, right_cell, wrong, wrong_cell
from answers.scaling import NO_SPREAD, ONE

# --- 2.1 dot_variance


@right("dot_variance")
def mean_square_of_pairs_in_rows(D_q, n, rng):
    q, k = rng.standard_normal((n, D_q)), rng.standard_normal((n, D_q))
    dots = np.einsum("nd,nd->n", q, k)
    return np.mean(dots**2)  # their mean is 0


@right("dot_variance")
def one_pair_after_another(D_q, n, rng):
    seen = []
    for _ in range(n):
        pair = rng.randn(2, D_q)
        seen.append(pair[0] @ pair[1])
    mean = sum(seen) / len(seen)
    return sum((s - mean) ** 2 for s in seen) / (len(seen) - 1)


@right("dot_variance")
def all_numbers_at_once(D_q, n, rng):
    both = rng.normal(0, 1, 2 * D_q * n).reshape(2, D_q, n)
    return both.prod(axis=0).sum(axis=0).std() ** 2


# did: draws the keys once and uses them as the queries too, so each product is a squared length
@wrong("dot_variance", named="drawn_once | queries_and_keys_added")
def keys_are_the_queries(D_q, n, rng):
    vectors = rng.normal(size=(D_q, n))
    keys = queries = vectors
    products = (queries * keys).sum(axis=0)
    return products.var()


# did: returns the standard deviation, not the variance
@wrong("dot_variance", named="deviation_for_variance | variance_over_the_root")
def standard_deviation(D_q, n, rng):
    Q = rng.normal(size=(D_q, n))
    K = rng.normal(size=(D_q, n))
    dots = [Q[:, i] @ K[:, i] for i in range(n)]
    return np.std(dots)


# did: takes the variance of all single terms without summing them to dot products
@wrong("dot_variance", named=ONE)
def terms_not_summed(D_q, n, rng):
    a = rng.randn(n, D_q)
    b = rng.randn(n, D_q)
    return float(np.var(a * b))


# did: draws uniform numbers between 0 and 1 instead of normal ones
@wrong("dot_variance", named="entries_between_0_and_1")
def uniform_numbers(D_q, n, rng):
    q = rng.rand(D_q, n)
    k = rng.rand(D_q, n)
    return np.var((q * k).sum(0))


# did: sums along the pairs instead of the entries, so it has D_q products of length n
@wrong("dot_variance", named="summed_over_the_pairs")
def summed_over_the_pairs(D_q, n, rng):
    queries = rng.normal(size=(D_q, n))
    keys = rng.normal(size=(D_q, n))
    return np.var(np.sum(queries * keys, axis=1))


# did: hands D_q and n to rng.normal as mean and deviation, which draws single numbers
@wrong("dot_variance", named=NO_SPREAD)
def sizes_as_mean_and_deviation(D_q, n, rng):
    queries = rng.normal(D_q, n)
    keys = rng.normal(D_q, n)
    products = np.dot(queries, keys)
    return np.var(products)


# did: divides the products by the square root of D_q, so the variance is 1 for every size
@wrong("dot_variance", named=ONE)
def already_scaled(D_q, n, rng):
    Q = rng.normal(size=(n, D_q))
    K = rng.normal(size=(n, D_q))
    s = (Q * K).sum(axis=1) / np.sqrt(D_q)
    return s.var()


# did: returns the mean of the products instead of their variance
@wrong("dot_variance")
def mean_of_the_products(D_q, n, rng):
    total = 0
    for i in range(n):
        total = total + np.sum(rng.normal(size=D_q) * rng.normal(size=D_q))
    return total / n


# did: does not average: returns the sum of squared deviations over all n products
@wrong("dot_variance", named="squares_summed")
def sum_of_squares(D_q, n, rng):
    p = np.sum(rng.randn(D_q, n) * rng.randn(D_q, n), 0)
    return np.sum((p - p.mean()) ** 2)


# --- 2.2 scaled_scores


@right("scaled_scores")
def fourth_roots_on_both_sides(Q, K):
    r = len(Q) ** 0.25
    return (K / r).T @ (Q / r)


@right("scaled_scores")
def a_loop_of_dot_products(Q, K):
    d = Q[:, 0].size
    return [[np.vdot(k, q) / d**0.5 for q in Q.T] for k in K.T]


@right("scaled_scores")
def tensordot_and_a_power(Q, K):
    return np.tensordot(K, Q, axes=(0, 0)) * np.power(float(K.shape[0]), -0.5)


# did: writes the root as ** 1/2, which divides by D_q and then by 2
@wrong("scaled_scores", named="scale_by_twice_D_q")
def power_before_division(Q, K):
    d_k = K.shape[0]
    return K.T @ Q / d_k**1 / 2


# did: takes the last axis for D_q, as in the row convention, so divides by the root of the number of keys
@wrong("scaled_scores", named="scale_by_the_number_of_keys")
def last_size_of_the_keys(Q, K):
    d_k = K.shape[-1]
    scores = np.matmul(np.transpose(K), Q) / np.sqrt(d_k)
    return scores


# did: divides queries and keys by the root of D_q each, so the scores are divided by D_q
@wrong("scaled_scores", named="scale_by_D_q | scale_twice")
def both_factors_divided(Q, K):
    root = np.sqrt(Q.shape[0])
    Qs = Q / root
    Ks = K / root
    return Ks.T @ Qs


# did: multiplies by the root of D_q instead of dividing
@wrong("scaled_scores", named="scale_multiplied")
def multiplied_by_the_root(Q, K):
    D_q, N_q = Q.shape
    D_q, N_k = K.shape
    S = np.zeros((N_k, N_q))
    for m in range(N_k):
        for n in range(N_q):
            for d in range(D_q):
                S[m, n] += K[d, m] * Q[d, n]
            S[m, n] *= D_q**0.5
    return S


# did: divides by the standard deviation of the scores that were found, instead of the root of D_q
@wrong("scaled_scores", named="scale_by_their_deviation")
def divided_by_their_own_spread(Q, K):
    products = K.T @ Q
    return products / products.std()


# did: puts queries down and keys across, scaled rightly
@wrong("scaled_scores", named="scores_turned_over")
def queries_down_scaled(Q, K):
    return np.einsum("ij,ik->jk", Q, K) / np.sqrt(len(K))


# did: divides with // and so keeps only whole numbers of the scaled scores
@wrong("scaled_scores", named="scale_rounds_scores")
def floor_division(Q, K):
    scores = (K.T @ Q) // np.sqrt(K.shape[0])
    return scores


# did: divides by the root of the number of entries of K (D_q times N_k)
@wrong("scaled_scores", named="scale_by_all_entries")
def root_of_all_entries(Q, K):
    n_dims = K.size
    return np.dot(K.T, Q) / np.sqrt(n_dims)


# did: calls sqrt without importing it
@wrong("scaled_scores")
def sqrt_from_nowhere(Q, K):
    D_q = Q.shape[0]
    return (K.T @ Q) / sqrt(D_q)


# --- 2.3 entropy_cols


@right("entropy_cols")
def column_by_column_with_math_log(A):
    from math import log

    return [-sum(p * log(p) for p in column if p) + 0.0 for column in A.T.tolist()]


@right("entropy_cols")
def logs_only_where_positive(A):
    logs = np.zeros_like(A)
    np.log(A, out=logs, where=A > 0)
    return np.einsum("kq,kq->q", A, -logs)


@right("entropy_cols")
def limit_of_powers(A):
    return -np.nansum(A * np.log(A), axis=0)


@right("entropy_cols")
def masked_logs_filled(A):
    terms = np.ma.log(A) * A
    return -terms.filled(0).sum(axis=0)


# did: takes logarithms to base 2
@wrong("entropy_cols", named="entropy_in_bits")
def in_bits(A):
    H = np.zeros(A.shape[1])
    for j in range(A.shape[1]):
        for p in A[:, j]:
            if p > 0:
                H[j] -= p * np.log2(p)
    return H


# did: adds .001 to every weight before the logarithm to avoid log 0, which moves the result
@wrong("entropy_cols", named="entropy_plus_1e_3")
def large_epsilon(A):
    eps = 1e-3
    return -(A * np.log(A + eps)).sum(axis=0)


# did: divides by the logarithm of N_k, so that the largest entropy is 1
@wrong("entropy_cols", named="entropy_over_the_largest")
def relative_entropy(A):
    keys = A.shape[0]
    safe = np.where(A == 0, 1, A)
    h = -(A * np.log(safe)).sum(axis=0)
    return h / np.log(keys)


# did: averages the terms of a column instead of summing them
@wrong("entropy_cols", named="entropy_averaged")
def averaged_terms(A):
    terms = np.where(A > 0, -A * np.log(np.where(A > 0, A, 1)), 0)
    return np.mean(terms, axis=0)


# did: takes the logarithm of zeros as it is, so 0 times -inf gives nan
@wrong("entropy_cols")
def nan_where_zero(A):
    return -np.sum(A * np.log(A), axis=0)


# did: sums the terms of all columns to one number
@wrong("entropy_cols", named="entropy_of_the_whole")
def one_entropy_for_all(A):
    p = A[A > 0]
    return -(p * np.log(p)).sum()


# did: leaves out weights of .01 and less, not only zeros
@wrong("entropy_cols", named="entropy_without_small_weights")
def small_weights_dropped(A):
    big = A > 0.01
    logs = np.log(np.where(big, A, 1))
    return -np.sum(np.where(big, A, 0) * logs, axis=0)


# did: leaves out the factor A: sums minus the logarithms of the positive weights
@wrong("entropy_cols", named="entropy_not_weighted")
def logs_without_weights(A):
    safe = np.where(A > 0, A, 1.0)
    surprise = -np.log(safe)
    return surprise.sum(axis=0)


# did: loops over the rows, so it gives one entropy for each key instead of each query
@wrong("entropy_cols", named="entropy_of_the_rows")
def entropy_of_the_rows(A):
    out = []
    for row in A:
        row = row[row > 0]
        out.append(-np.sum(row * np.log(row)))
    return np.array(out)


# did: forgets the minus sign
@wrong("entropy_cols", named="entropy_negative")
def no_minus(A):
    return np.nan_to_num(A * np.log(A)).sum(axis=0)


# --- 2.4 scaled_self_attention


@right("scaled_self_attention")
def torch_style_turned_back(X, head):
    x = np.ascontiguousarray(X.T)
    F = lambda W, b: x @ W.T + b.reshape(-1)  # noqa: E731  a student's lambda
    q, k, v = F(head.omega_q, head.beta_q), F(head.omega_k, head.beta_k), F(head.omega_v, head.beta_v)
    att = q @ k.transpose() / k.shape[-1] ** 0.5
    att = np.exp(att - att.max(-1)[:, None])
    return ((att / att.sum(-1)[:, None]) @ v).transpose()


@right("scaled_self_attention")
def numerator_over_denominator(X, head):
    Wq, Wk, Wv, bq, bk, bv = head
    d = Wq.shape[0]
    S = (Wk @ X + bk).T @ ((Wq @ X + bq) / np.sqrt(d))
    E = np.exp(S - S.max(0))
    return (Wv @ X @ E + bv * E.sum(0)) / E.sum(0)


@right("scaled_self_attention")
def lists_of_columns(X, head):
    tokens = [X[:, [n]] for n in range(X.shape[1])]
    keys = [head.omega_k @ t + head.beta_k for t in tokens]
    values = np.hstack([head.omega_v @ t + head.beta_v for t in tokens])
    out = []
    for t in tokens:
        query = head.omega_q @ t + head.beta_q
        column = np.array([[np.sum(query * key)] for key in keys]) / np.sqrt(query.size)
        out.append(weighted_values(softmax_cols(column), values))
    return np.hstack(out)


# did: divides by the root of D, the height of X, instead of D_q
@wrong("scaled_self_attention", named="scale_by_the_root_of_D")
def root_of_the_token_height(X, head):
    d_model, seq_len = X.shape
    query = head.omega_q @ X + head.beta_q
    key = head.omega_k @ X + head.beta_k
    value = head.omega_v @ X + head.beta_v
    energy = (key.T @ query) / np.sqrt(d_model)
    energy = np.exp(energy - energy.max(axis=0))
    return value @ (energy / energy.sum(axis=0))


# did: divides the weights by the root of D_q after the softmax instead of the scores before it
@wrong("scaled_self_attention", named="weights_scaled")
def scaled_after_the_softmax(X, head):
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    A = softmax_cols(K.T @ Q) / np.sqrt(Q.shape[0])
    return V @ A


# did: makes the values with the bias of the keys
@wrong("scaled_self_attention", named="scaled_values_with_beta_k")
def key_bias_on_the_values(X, head):
    q = project(X, head.omega_q, head.beta_q)
    k = project(X, head.omega_k, head.beta_k)
    v = project(X, head.omega_v, head.beta_k)
    return weighted_values(softmax_cols(scaled_scores(q, k)), v)


# did: reuses self_attention of notebook 1, and divides its output by the root of D_q
@wrong("scaled_self_attention", named="weights_scaled")
def output_of_notebook_one_divided(X, head):
    D_q = head.omega_q.shape[0]
    return self_attention(X, head) / np.sqrt(D_q)


# did: unpacks the head as weight and bias in turn, though it holds three weights, then three biases
@wrong("scaled_self_attention")
def unpacked_in_pairs(X, head):
    Wq, bq, Wk, bk, Wv, bv = head
    Q = Wq @ X + bq
    K = Wk @ X + bk
    V = Wv @ X + bv
    return V @ softmax_cols(scaled_scores(Q, K))


# did: leaves out all three biases
@wrong("scaled_self_attention", named="no_bias")
def no_biases_at_all(X, head):
    Q, K, V = [W @ X for W in (head.omega_q, head.omega_k, head.omega_v)]
    scores = K.T @ Q / np.sqrt(K.shape[0])
    attention = np.exp(scores - np.max(scores, axis=0))
    attention = attention / np.sum(attention, axis=0)
    output = V @ attention
    return output


# did: scales twice, once in the queries by hand and once by scaled_scores
@wrong("scaled_self_attention", named="scale_by_D_q | scale_twice")
def scaled_twice(X, head):
    scale = head.omega_q.shape[0] ** -0.5
    q = project(X, head.omega_q, head.beta_q) * scale
    k = project(X, head.omega_k, head.beta_k)
    v = project(X, head.omega_v, head.beta_v)
    att = softmax_cols(scaled_scores(q, k))
    return v @ att


# did: scales the scores in the exponentials above the fraction bar, and sums the exponentials of unscaled scores below
@wrong("scaled_self_attention")
def scaled_above_not_below(X, head):
    q = project(X, head.omega_q, head.beta_q)
    k = project(X, head.omega_k, head.beta_k)
    v = project(X, head.omega_v, head.beta_v)
    N = X.shape[1]
    result = np.zeros((v.shape[0], N))
    for n in range(N):
        raw = k.T @ q[:, n]
        top = np.exp(raw / np.sqrt(q.shape[0]))
        bottom = np.exp(raw).sum()
        result[:, n] = v @ (top / bottom)
    return result


# did: works in rows with the softmax over the wrong axis (down the queries), and turns the result back
@wrong("scaled_self_attention", named="rows_for_columns | rows_for_columns_not_shifted")
def rows_with_softmax_down(X, head):
    x = X.T
    Q = x @ head.omega_q.T + head.beta_q.T
    K = x @ head.omega_k.T + head.beta_k.T
    V = x @ head.omega_v.T + head.beta_v.T
    P = softmax_cols(Q @ K.T / np.sqrt(Q.shape[1]))
    return (P @ V).T


# did: uses the true scores but no exponential: divides each column of scores by its sum
@wrong("scaled_self_attention", named="scores_over_their_sum")
def shares_without_exponentials(X, head):
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    S = K.T @ Q / np.sqrt(len(Q))
    A = S / S.sum(axis=0)
    return V @ A


# did: calls scaled_scores but keeps on with the unscaled product, which is what the softmax gets
@wrong("scaled_self_attention", named="no_scale")
def scaled_scores_not_used(X, head):
    q = project(X, head.omega_q, head.beta_q)
    k = project(X, head.omega_k, head.beta_k)
    v = project(X, head.omega_v, head.beta_v)
    dots = k.T @ q
    scores = scaled_scores(q, k)
    weights = softmax_cols(dots)
    return weighted_values(weights, v)


# did: adds the biases as rows (transposed), which raises unless the sizes happen to fit
@wrong("scaled_self_attention")
def biases_as_rows(X, head):
    Q = head.omega_q @ X + head.beta_q.T
    K = head.omega_k @ X + head.beta_k.T
    V = head.omega_v @ X + head.beta_v.T
    return V @ softmax_cols(K.T @ Q / np.sqrt(Q.shape[0]))


# did: a helper returns weights with queries down the rows, and the values are multiplied as if keys stood there
wrong_cell(
    "scaled_self_attention",
    "helper_gives_rows",
    """
def weights_of(q, k):
    s = q.T @ k / np.sqrt(len(q))
    s = np.exp(s - s.max(axis=1, keepdims=True))
    return s / s.sum(axis=1, keepdims=True)

def {name}(X, head):
    q, k, v = (w @ X + b for w, b in zip(head[:3], head[3:]))
    return v @ weights_of(q, k)
""",
    named="weights_turned | weights_turned_in_the_mixture | weights_turned_not_shifted",
)


# --- 2.5 softmax_jacobian (option)


@right("softmax_jacobian")
def two_loops_and_a_delta(a):
    N = len(a)
    delta = lambda i, j: 1 if i == j else 0  # noqa: E731  a student's lambda
    return [[a[i] * (delta(i, j) - a[j]) for j in range(N)] for i in range(N)]


@right("softmax_jacobian")
def centered_rows_scaled(a):
    return a[:, None] * (np.eye(a.size) - a)


right_cell(
    "softmax_jacobian",
    "quotient_rule_on_shares",
    """
def quotient(i, j, a):
    # (top' * bottom - top * bottom') / bottom ** 2, where bottom is the sum of the shares
    bottom = a.sum()
    top_prime = a[i] if i == j else 0.0
    return (top_prime * bottom - a[i] * a[j]) / bottom**2


def {name}(a):
    return np.array([quotient(i, j, a) for i in range(a.size) for j in range(a.size)]).reshape(a.size, a.size)
""",
)


# did: multiplies a with itself as a dot product, so one number is subtracted everywhere
@wrong("softmax_jacobian", named="jacobian_dot_product")
def dot_product_subtracted(a):
    return np.diag(a) - a @ a.T


# did: fills the diagonal alone and leaves the rest zero
@wrong("softmax_jacobian", named="jacobian_diagonal_only")
def diagonal_alone(a):
    J = np.zeros((len(a), len(a)))
    for i in range(len(a)):
        J[i, i] = a[i] * (1 - a[i])
    return J


# did: writes the off-diagonal entries without their minus sign
@wrong("softmax_jacobian", named="jacobian_positive_beside")
def positive_off_the_diagonal(a):
    n = a.shape[0]
    J = np.outer(a, a)
    for k in range(n):
        J[k, k] = a[k] * (1 - a[k])
    return J


# did: subtracts a squared entry by entry along the columns instead of the outer product
@wrong("softmax_jacobian", named="jacobian_squares_across")
def squares_broadcast(a):
    return np.diag(a) - a * a


# did: takes the softmax of the weights, which are a softmax already
@wrong("softmax_jacobian", named="jacobian_of_a_softmax")
def softmax_once_more(a):
    e = np.exp(a - a.max())
    p = e / e.sum()
    return np.diag(p) - np.outer(p, p)


# did: puts 1 on the diagonal where the weight itself belongs
@wrong("softmax_jacobian", named="jacobian_identity")
def identity_minus_outer(a):
    return np.eye(len(a)) - np.outer(a, a)


# did: returns the vector of derivatives of each weight by its own score only
@wrong("softmax_jacobian", named="jacobian_flat")
def elementwise_derivative(a):
    return a * (1 - a)
