"""Notebook 3, answers nobody has seen."""

# ruff: noqa: F821  an answer uses the functions of earlier exercises

import numpy as np

from answers import right, right_cell, wrong

# --- 3.1 head_size


@right("head_size")
def quotient_and_rest(D, H):
    size, rest = divmod(D, H)
    if not rest:
        return size
    raise ValueError(" ".join(["D and H do not fit:", str(D), str(H)]))


@right("head_size")
def found_by_trying(D, H):
    for candidate in range(1, D + 1):
        if candidate * H == D:
            return np.int64(candidate)
    raise ValueError("no whole number times " + repr(H) + " gives " + repr(D))


@right("head_size")
def a_float_that_is_whole(D, H):
    size = D / H
    if not size.is_integer():
        raise ValueError(f"{D=} {H=}")
    return size


# did: asserts, so that an AssertionError and no ValueError is raised
@wrong("head_size")
def asserted(D, H):
    assert D % H == 0, f"D={D} must be divisible by H={H}"
    return D // H


# did: prints a message for sizes that do not fit and goes on with the rounded size
@wrong("head_size", named="uneven_rounded_down")
def printed_a_warning(D, H):
    if D % H != 0:
        print("D", D, "is not divisible by H", H)
    return D // H


# did: raises a ValueError that names neither number
@wrong("head_size")
def message_without_numbers(D, H):
    if D % H:
        raise ValueError("D must be divisible by H")
    return int(D / H)


# did: tests the remainder the wrong way round (H by D), so fitting sizes are refused
@wrong("head_size", named="remainder_of_exchanged")
def remainder_exchanged(D, H):
    if H % D != 0:
        raise ValueError(f"cannot share D = {D} among H = {H}")
    return D // H


# did: returns the ValueError instead of raising it
@wrong("head_size")
def error_returned(D, H):
    if D / H != D // H:
        return ValueError(f"D = {D}, H = {H}")
    return D // H


# did: returns the remainder where the quotient belongs
@wrong("head_size", named="remainder_returned")
def remainder_returned(D, H):
    if D % H != 0:
        raise ValueError(f"{D} rows, {H} heads")
    return D % H


# did: refuses only odd D, so that 10 rows for 4 heads go through as 2
@wrong("head_size")
def only_odd_refused(D, H):
    if H > D or (D % 2 == 1 and H % 2 == 0):
        raise ValueError(f"D={D}, H={H}")
    return D // H


# did: names D but not H in the message
@wrong("head_size")
def only_one_number_named(D, H):
    D_q, rest = divmod(D, H)
    if rest > 0:
        raise ValueError("cannot split " + str(D) + " rows evenly")
    return D_q


# --- 3.2 head_output


@right("head_output")
def rows_with_both_turned_back(X, head):
    x = X.T
    q, k, v = (x @ W.T + b.T for W, b in zip(head[:3], head[3:]))
    att = q @ k.T / np.sqrt(q.shape[-1])
    att = np.exp(att - att.max(axis=-1, keepdims=True))
    att = att / att.sum(axis=-1, keepdims=True)
    return (att @ v).T, att.T


@right("head_output")
def loops_for_everything(X, head):
    D_q, D = head.omega_q.shape
    N = X.shape[1]
    q = [
        [sum(head.omega_q[i, d] * X[d, n] for d in range(D)) + head.beta_q[i, 0] for i in range(D_q)] for n in range(N)
    ]
    k = [
        [sum(head.omega_k[i, d] * X[d, n] for d in range(D)) + head.beta_k[i, 0] for i in range(D_q)] for n in range(N)
    ]
    v = [
        [sum(head.omega_v[i, d] * X[d, n] for d in range(D)) + head.beta_v[i, 0] for i in range(D_q)] for n in range(N)
    ]
    A = np.zeros((N, N))
    out = np.zeros((D_q, N))
    for n in range(N):
        s = np.array([sum(k[m][i] * q[n][i] for i in range(D_q)) / D_q**0.5 for m in range(N)])
        s = np.exp(s - max(s))
        A[:, n] = s / sum(s)
        for m in range(N):
            for i in range(D_q):
                out[i, n] += A[m, n] * v[m][i]
    return [out, A]


right_cell(
    "head_output",
    "one_stacked_projection",
    """
def qkv(X, head):
    W = np.concatenate([head.omega_q, head.omega_k, head.omega_v])
    b = np.concatenate([head.beta_q, head.beta_k, head.beta_v])
    return np.split(W @ X + b, 3)


def {name}(X, head):
    Q, K, V = qkv(X, head)
    log_weights = scaled_scores(Q, K)
    log_weights = log_weights - np.logaddexp.reduce(log_weights, axis=0)
    return V @ np.exp(log_weights), np.exp(log_weights)
""",
)


# did: returns the weights first and the output second
@wrong("head_output")
def weights_returned_first(X, head):
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    A = softmax_cols(scaled_scores(Q, K))
    return A, V @ A


# did: returns as second result the scaled scores, before the softmax
@wrong("head_output", named="head_scores_for_weights")
def scores_returned_as_weights(X, head):
    q = head.omega_q @ X + head.beta_q
    k = head.omega_k @ X + head.beta_k
    v = head.omega_v @ X + head.beta_v
    att = k.T @ q / np.sqrt(q.shape[0])
    probs = softmax_cols(att)
    y = v @ probs
    return y, att


# did: returns the weights transposed (queries down), though the output was made with the right ones
@wrong("head_output", named="head_weights_turned_over")
def weights_returned_transposed(X, head):
    x = X.T
    q = x @ head.omega_q.T + head.beta_q.T
    k = x @ head.omega_k.T + head.beta_k.T
    v = x @ head.omega_v.T + head.beta_v.T
    w = q @ k.T / np.sqrt(q.shape[1])
    w = np.exp(w - w.max(axis=1, keepdims=True))
    w = w / w.sum(axis=1, keepdims=True)
    return (w @ v).T, w


# did: divides the scores by 2, the number of heads, in place of the root of D_q
@wrong("head_output", named="scale_by_two")
def divided_by_the_number_of_heads(X, head):
    n_heads = 2
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    A = softmax_cols(K.T @ Q / n_heads)
    return weighted_values(A, V), A


# did: does not scale the scores
@wrong("head_output", named="no_scale")
def unscaled(X, head):
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = attention_weights(Q, K)
    return weighted_values(A, V), A


# did: exponentiates without subtracting the maximum, which overflows on large scores
@wrong("head_output")
def no_maximum(X, head):
    q = head.omega_q @ X + head.beta_q
    k = head.omega_k @ X + head.beta_k
    v = head.omega_v @ X + head.beta_v
    dim = q.shape[0]
    e = np.exp(np.dot(k.T, q) / dim**0.5)
    a = e / np.sum(e, axis=0)
    return np.dot(v, a), a


# did: divides by the root of the number of tokens instead of the root of D_q
@wrong("head_output", named="scale_by_the_number_of_keys | scale_by_the_number_of_queries")
def root_of_the_number_of_tokens(X, head):
    Q = head.omega_q @ X + head.beta_q
    K = head.omega_k @ X + head.beta_k
    V = head.omega_v @ X + head.beta_v
    scores = K.T @ Q
    scores = scores / np.sqrt(scores.shape[0])
    scores = scores - scores.max(axis=0)
    A = np.exp(scores) / np.exp(scores).sum(axis=0)
    Sa = V @ A
    return Sa, A


# did: makes the values with the weights of the keys, the bias is the value's
@wrong("head_output", named="head_omega_k_for_values")
def values_of_the_key_weights(X, head):
    Q = head.omega_q @ X + head.beta_q
    K = head.omega_k @ X + head.beta_k
    V = head.omega_k @ X + head.beta_v
    A = softmax_cols(scaled_scores(Q, K))
    return V @ A, A


# did: lets the head read only the first D_q rows of X, which raises as omega has D columns
@wrong("head_output")
def reads_part_of_the_rows(X, head):
    D_q = head.omega_q.shape[0]
    part = X[:D_q]
    Q = project(part, head.omega_q, head.beta_q)
    K = project(part, head.omega_k, head.beta_k)
    V = project(part, head.omega_v, head.beta_v)
    A = softmax_cols(scaled_scores(Q, K))
    return V @ A, A


# did: returns only the output
@wrong("head_output")
def output_alone(X, head):
    return scaled_self_attention(X, head)


# did: takes the softmax along the rows, and leaves the bias of the keys out
@wrong("head_output", named="head_no_beta_k + rows_for_columns")
def rows_and_no_key_bias(X, head):
    q = head.omega_q @ X + head.beta_q
    k = head.omega_k @ X
    v = head.omega_v @ X + head.beta_v
    s = k.T @ q / np.sqrt(len(k))
    s = np.exp(s - s.max(axis=1, keepdims=True))
    a = s / s.sum(axis=1, keepdims=True)
    return v @ a, a


# did: sets the weights of a token on itself to zero after the softmax, so columns do not sum to one
@wrong("head_output")
def no_look_at_oneself(X, head):
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    A = softmax_cols(scaled_scores(Q, K))
    np.fill_diagonal(A, 0)
    return V @ A, A


# did: makes the output with the right weights, then rounds the returned weights to two decimals
@wrong("head_output")
def rounded_weights(X, head):
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    A = softmax_cols(scaled_scores(Q, K))
    return V @ A, A.round(2)


# --- 3.3 two_heads


@right("two_heads")
def zipped_pairs(X, head1, head2):
    outputs, weights = zip(*map(lambda h: head_output(X, h), (head1, head2)))
    return outputs, weights


right_cell(
    "two_heads",
    "a_class_for_a_head",
    """
class Attend:
    def __init__(self, head):
        self.h = head

    def __call__(self, X):
        rows = X.T
        q, k, v = (rows @ w.T + b.ravel() for w, b in zip(self.h[:3], self.h[3:]))
        a = np.exp((q @ k.T - (q @ k.T).max(1, keepdims=True)) / np.sqrt(k.shape[1]))
        a /= a.sum(1, keepdims=True)
        return (a @ v).T, a.T


def {name}(X, head1, head2):
    (o1, w1), (o2, w2) = Attend(head1)(X), Attend(head2)(X)
    return (o1, o2), (w1, w2)
""",
)


@right("two_heads")
def everything_twice(X, head1, head2):
    S1 = (head1.omega_k @ X + head1.beta_k).T @ (head1.omega_q @ X + head1.beta_q) / head1.omega_q.shape[0] ** 0.5
    S2 = (head2.omega_k @ X + head2.beta_k).T @ (head2.omega_q @ X + head2.beta_q) / head2.omega_q.shape[0] ** 0.5
    A1, A2 = softmax_cols(S1), softmax_cols(S2)
    return [(head1.omega_v @ X + head1.beta_v) @ A1, (head2.omega_v @ X + head2.beta_v) @ A2], [A1, A2]


# did: returns a pair (output, weights) for each head instead of both outputs, then both weights
@wrong("two_heads")
def pair_by_pair(X, head1, head2):
    results = []
    for head in (head1, head2):
        results.append(head_output(X, head))
    return results


# did: stacks the outputs of the two heads to one matrix, and the weights stay in a list
@wrong("two_heads")
def outputs_stacked(X, head1, head2):
    o1, w1 = head_output(X, head1)
    o2, w2 = head_output(X, head2)
    return np.concatenate([o1, o2], axis=0), [w1, w2]


# did: takes the queries of head 2 with the keys of head 1 for the second head's scores
@wrong("two_heads", named="head_2_asks_keys_of_head_1")
def keys_of_the_first_head_twice(X, head1, head2):
    q1, k1, v1 = (w @ X + b for w, b in zip(head1[:3], head1[3:]))
    q2, k2, v2 = (w @ X + b for w, b in zip(head2[:3], head2[3:]))
    a1 = softmax_cols(k1.T @ q1 / np.sqrt(len(q1)))
    a2 = softmax_cols(k1.T @ q2 / np.sqrt(len(q2)))
    return [v1 @ a1, v2 @ a2], [a1, a2]


# did: mixes the second head's values with the first head's weights; the weights returned are right
@wrong("two_heads", named="head_2_mixes_with_weights_of_head_1")
def weights_of_the_first_head_twice(X, head1, head2):
    def weights(head):
        return softmax_cols(scaled_scores(project(X, head.omega_q, head.beta_q), project(X, head.omega_k, head.beta_k)))

    V1 = project(X, head1.omega_v, head1.beta_v)
    V2 = project(X, head2.omega_v, head2.beta_v)
    A1, A2 = weights(head1), weights(head2)
    Sa1 = V1 @ A1
    Sa2 = V2 @ A1
    return [Sa1, Sa2], [A1, A2]


# did: divides the scores of both heads by the root of head 1's D_q, which shows where the two differ
@wrong("two_heads", named="head_2_scaled_by_size_of_head_1")
def one_scale_for_both(X, head1, head2):
    scale = np.sqrt(head1.omega_q.shape[0])
    outs, atts = [], []
    for h in [head1, head2]:
        Q = project(X, h.omega_q, h.beta_q)
        K = project(X, h.omega_k, h.beta_k)
        V = project(X, h.omega_v, h.beta_v)
        S = K.T @ Q / scale
        E = np.exp(S - S.max(axis=0))
        A = E / E.sum(axis=0)
        outs.append(V @ A)
        atts.append(A)
    return outs, atts


# did: runs head 1 twice, by a slip in the second call
@wrong("two_heads", named="head_1_for_both")
def first_head_run_twice(X, head1, head2):
    first, att_first = head_output(X, head1)
    second, att_second = head_output(X, head1)
    return [first, second], [att_first, att_second]


# did: returns inside the loop, so only head 1 is done
@wrong("two_heads")
def returned_in_the_loop(X, head1, head2):
    Sa = []
    A = []
    for head in [head1, head2]:
        out, weights = head_output(X, head)
        Sa.append(out)
        A.append(weights)
        return Sa, A


# did: makes the lists with [[]] * 2, so outputs and weights are gathered in one and the same list
@wrong("two_heads")
def one_list_under_two_names(X, head1, head2):
    Sa, A = [[]] * 2
    for h in (head1, head2):
        s, a = head_output(X, h)
        Sa.append(s)
        A.append(a)
    return Sa, A


# did: feeds head 2 with the output of head 1 instead of X
@wrong("two_heads")
def one_after_the_other(X, head1, head2):
    Sa1, A1 = head_output(X, head1)
    Sa2, A2 = head_output(Sa1, head2)
    return [Sa1, Sa2], [A1, A2]


# did: returns the four results side by side: two outputs, then two weights, without lists
@wrong("two_heads")
def four_results(X, head1, head2):
    Sa1, A1 = head_output(X, head1)
    Sa2, A2 = head_output(X, head2)
    return Sa1, Sa2, A1, A2


# did: uses the value bias of head 1 for both heads
@wrong("two_heads")
def value_bias_of_the_first_head(X, head1, head2):
    Q1, Q2 = head1.omega_q @ X + head1.beta_q, head2.omega_q @ X + head2.beta_q
    K1, K2 = head1.omega_k @ X + head1.beta_k, head2.omega_k @ X + head2.beta_k
    V1, V2 = head1.omega_v @ X + head1.beta_v, head2.omega_v @ X + head1.beta_v
    W1 = softmax_cols(scaled_scores(Q1, K1))
    W2 = softmax_cols(scaled_scores(Q2, K2))
    return [V1 @ W1, V2 @ W2], [W1, W2]


# did: normalizes the second head's weights along the rows, the first head's rightly down the columns
@wrong("two_heads")
def axis_slip_in_the_second_head(X, head1, head2):
    Sa1, A1 = head_output(X, head1)
    q = project(X, head2.omega_q, head2.beta_q)
    k = project(X, head2.omega_k, head2.beta_k)
    v = project(X, head2.omega_v, head2.beta_v)
    e = np.exp(scaled_scores(q, k))
    A2 = e / e.sum(axis=1, keepdims=True)
    Sa2 = v @ A2
    return [Sa1, Sa2], [A1, A2]


# did: returns head 2's results before head 1's
@wrong("two_heads")
def second_head_first(X, head1, head2):
    Sa, A = [], []
    for head in (head1, head2):
        s, a = head_output(X, head)
        Sa.insert(0, s)
        A.insert(0, a)
    return Sa, A


# --- 3.4 strongest_key


@right("strongest_key")
def a_loop_with_a_strict_comparison(A):
    best = np.zeros(A.shape[1], dtype=int)
    for n in range(A.shape[1]):
        for m in range(1, A.shape[0]):
            if A[m, n] > A[best[n], n]:
                best[n] = m
    return best


@right("strongest_key")
def lists_and_index(A):
    return [column.index(max(column)) for column in A.T.tolist()]


@right("strongest_key")
def stable_sort_of_the_negatives(A):
    return np.argsort(-A, axis=0, kind="stable")[0, :]


# did: gives the position in the flattened matrix, one number for all queries
@wrong("strongest_key", named="strongest_of_all")
def position_in_the_whole_matrix(A):
    return A.argmax()


# did: gives the largest weight itself instead of its position
@wrong("strongest_key", named="strongest_share")
def the_weight_itself(A):
    return np.array([max(A[:, j]) for j in range(A.shape[1])])


# did: counts positions from 1
@wrong("strongest_key", named="strongest_counted_from_1")
def counted_from_one(A):
    _, idx = A.max(axis=0), A.argmax(axis=0)
    return idx + 1


# did: takes the last of equal weights by comparing with >=
@wrong("strongest_key", named="strongest_last_of_equal")
def last_of_equals(A):
    out = []
    for n in range(A.shape[1]):
        where, high = 0, A[0, n]
        for m in range(A.shape[0]):
            if A[m, n] >= high:
                where, high = m, A[m, n]
        out.append(where)
    return np.array(out)


# did: goes along the rows, so it gives for each key the query that reads it most
@wrong("strongest_key", named="strongest_query")
def along_the_rows(A):
    return [int(np.argmax(row)) for row in A]


# did: keeps the best weight of the query before, so later queries are compared with a weight of another column
@wrong("strongest_key", named="strongest_best_kept")
def best_not_reset(A):
    N_k, N_q = A.shape
    pos = np.zeros(N_q, dtype=int)
    best = -1.0
    for n in range(N_q):
        for m in range(N_k):
            if A[m, n] > best:
                best = A[m, n]
                pos[n] = m
    return pos


# did: reads the row numbers of all entries that equal their column's maximum in row order, not in query order
@wrong("strongest_key", named="strongest_sorted_by_key")
def rows_where_it_is_maximal(A):
    rows, cols = np.where(A == A.max(axis=0))
    return rows


# did: sorts ascending and takes the first, which is the weakest key
@wrong("strongest_key", named="weakest_key")
def first_of_an_ascending_sort(A):
    order = np.argsort(A, axis=0)
    return order[0]
