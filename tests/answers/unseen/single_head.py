"""Notebook 1, answers nobody has seen."""

# ruff: noqa: F821  an answer uses the functions of earlier exercises

import numpy as np

from answers import right, right_cell, wrong, wrong_cell

# --- 1.1 project


@right("project")
def one_matrix_with_a_row_of_ones(X, omega, beta):
    ones = np.ones((1, X.shape[1]))
    return np.block([omega, beta]) @ np.vstack((X, ones))


@right("project")
def rows_of_rows_in_plain_python(X, omega, beta):
    tokens = list(zip(*X.tolist()))
    answer = []
    for weights, (b,) in zip(omega.tolist(), beta.tolist()):
        answer.append([sum(w * x for w, x in zip(weights, token)) + b for token in tokens])
    return answer


@right("project")
def matlab_matrices(X, omega, beta):
    W, x, b = np.asmatrix(omega), np.asmatrix(X), np.asmatrix(beta)
    return W * x + np.kron(np.ones((1, x.shape[1])), b)


@right("project")
def linear_layer_on_rows_turned_back(X, omega, beta):
    tokens = X.swapaxes(0, 1)
    out = tokens.dot(omega.swapaxes(0, 1)) + beta.squeeze(axis=1)
    return out.swapaxes(0, 1)


# did: adds the bias inside the inner loop, so that each entry gets it D times instead of once
@wrong("project", named="bias_for_every_row_of_X")
def bias_in_the_inner_loop(X, omega, beta):
    D, N = X.shape
    D_q = omega.shape[0]
    out = np.zeros((D_q, N))
    for i in range(D_q):
        for n in range(N):
            for d in range(D):
                out[i, n] += omega[i, d] * X[d, n] + beta[i, 0]
    return out


# did: loops over all tokens but the last, whose column stays zero
@wrong("project", named="projection_without_the_last_token")
def last_token_left_out(X, omega, beta):
    result = np.zeros((omega.shape[0], X.shape[1]))
    n = 0
    while n < X.shape[1] - 1:
        result[:, n] = omega @ X[:, n] + beta[:, 0]
        n += 1
    return result


# did: computes omega X + beta on a line of its own without keeping it, and returns omega X alone
@wrong("project", named="no_bias")
def sum_that_is_not_kept(X, omega, beta):
    projected = np.dot(omega, X)
    np.add(projected, beta)
    return projected


# did: works token by token as rows and stacks the results as rows, so the answer is (N, D_q)
@wrong("project", named="projection_in_rows")
def vectors_stacked_as_rows(X, omega, beta):
    vectors = []
    for token in X.T:
        vectors.append(omega @ token + beta.flatten())
    return np.array(vectors)


# did: adds the bias to the first column only
@wrong("project", named="bias_for_the_first_token")
def bias_on_the_first_token(X, omega, beta):
    y = omega @ X
    y[:, 0] += beta[:, 0]
    return y


# did: adds the first entry of beta to every row, instead of row i's own entry
@wrong("project", named="bias_first_entry")
def one_number_of_the_bias(X, omega, beta):
    b = beta[0]
    return omega @ X + b


# did: adds beta to the tokens before the product, so that omega multiplies it too
@wrong("project", named="bias_before_omega")
def bias_before_the_weights(X, omega, beta):
    shifted = X + beta
    return omega @ shifted


# did: gathers the results in an array of whole numbers, which cuts the decimals off
@wrong("project")
def whole_number_buffer(X, omega, beta):
    out = np.zeros((len(omega), len(X[0])), int)
    for row in range(len(omega)):
        for col in range(len(X[0])):
            out[row, col] = np.dot(omega[row], X[:, col]) + beta[row].item()
    return out


# --- 1.2 softmax_cols


@right("softmax_cols")
def log_of_the_sum_subtracted(S):
    return np.exp(S - np.logaddexp.reduce(S, axis=0))


@right("softmax_cols")
def one_over_the_sum_of_ratios(S):
    ratios = np.exp(S[:, None, :] - S[None, :, :])  # (key above, key below, query)
    return 1 / np.sum(ratios, axis=0)


right_cell(
    "softmax_cols",
    "decorated_row_softmax",
    """
from functools import wraps
from math import exp, fsum


def on_columns(f):
    @wraps(f)
    def g(M):
        return np.transpose([f(list(column)) for column in np.transpose(M)])
    return g


@on_columns
def {name}(scores):
    top = max(scores)
    powers = [exp(s - top) for s in scores]
    return [p / fsum(powers) for p in powers]
""",
)


@right("softmax_cols")
def in_single_precision(S):
    low = (S - S.max(0)).astype(np.float32)
    np.exp(low, out=low)
    low /= low.sum(0)
    return low


# did: subtracts the largest score of the whole matrix, so a column far below it has only zeros and 0 / 0
@wrong("softmax_cols")
def one_maximum_for_all(S):
    stable = S - np.amax(S)
    E = np.exp(stable)
    return E / E.sum(axis=0)


# did: keeps large scores finite by clipping them to at most 50 instead of subtracting the maximum
@wrong("softmax_cols", named="scores_clipped")
def clipped_scores(S):
    Z = np.clip(S, -50, 50)
    ez = np.exp(Z)
    return ez / np.sum(ez, axis=0, keepdims=True)


# did: divides each column by its largest exponential instead of the sum of its exponentials
@wrong("softmax_cols", named="divided_by_the_largest_exponential | exponentials_not_divided")
def divided_by_the_largest(S):
    A = np.zeros_like(S)
    for j in range(S.shape[1]):
        col = S[:, j]
        e = np.exp(col - col.max())
        A[:, j] = e / e.max()
    return A


# did: divides by the column sum of the shifted scores instead of the sum of their exponentials
@wrong("softmax_cols", named="exponentials_over_the_sum_of_shifted_scores")
def divided_by_the_sum_of_the_scores(S):
    shifted = S - S.max(axis=0, keepdims=True)
    top = np.exp(shifted)
    bottom = shifted.sum(axis=0, keepdims=True)
    return top / bottom


# did: normalizes along the last axis, so that the rows sum to one
@wrong("softmax_cols", named="rows_for_columns")
def last_axis_like_torch(S):
    def softmax(x, dim=-1):
        x = x - x.max(axis=dim, keepdims=True)
        return np.exp(x) / np.exp(x).sum(axis=dim, keepdims=True)

    return softmax(S)


# did: subtracts the column's mean instead of its maximum, which overflows where scores lie far apart
@wrong("softmax_cols")
def mean_subtracted(S):
    centered = S - np.mean(S, axis=0)
    return np.exp(centered) / np.sum(np.exp(centered), axis=0)


# did: subtracts the largest score in place and so changes the matrix that came in
@wrong("softmax_cols")
def written_into_the_scores(S):
    S -= np.max(S, axis=0)
    A = np.exp(S)
    A /= A.sum(axis=0)
    return A


# did: adds a small constant of .01 to the sum so as not to divide by zero
@wrong("softmax_cols", named="totals_plus_1e_2")
def cautious_denominator(S):
    m = S.max(axis=0)
    num = np.exp(S - m)
    den = num.sum(axis=0) + 0.01
    return num / den


# did: takes powers of 2 instead of e
@wrong("softmax_cols", named="powers_of_two | powers_of_two_not_shifted")
def powers_of_two(S):
    P = 2.0 ** (S - S.max(axis=0))
    return P / P.sum(axis=0)


# did: divides each exponential by the sum of the others, leaving itself out
@wrong("softmax_cols")
def sum_of_the_others(S):
    E = np.exp(S - S.max(axis=0))
    total = E.sum(axis=0)
    return E / (total - E)


# --- 1.3 attention_weights


@right("attention_weights")
def query_by_query(Q, K):
    columns = [softmax_cols((K * Q[:, [n]]).sum(axis=0)[:, np.newaxis]) for n in range(Q.shape[1])]
    return np.concatenate(columns, axis=1)


@right("attention_weights")
def rows_with_a_softmax_of_its_own(Q, K):
    logits = Q.T @ K  # (N_q, N_k)
    logits = logits - logits.max(1, keepdims=True)
    w = np.exp(logits)
    w /= w.sum(1, keepdims=True)
    return w.T


@right("attention_weights")
def inner_products_of_transposes(Q, K):
    return softmax_cols(np.inner(K.T, Q.T))


# did: multiplies queries by keys, so that rows are queries, and takes the softmax down those columns
@wrong("attention_weights", named="queries_and_keys_exchanged")
def queries_down(Q, K):
    scores = np.einsum("dq,dk->qk", Q, K)
    return softmax_cols(scores)


# did: normalizes over the queries, and turns the result afterwards so that the shape is right
@wrong("attention_weights", named="rows_for_columns")
def softmax_over_queries_then_turned(Q, K):
    scores = Q.T @ K
    A = softmax_cols(scores)
    return A.T


# did: scales every query and key to length 1 first, so the scores are cosines
@wrong("attention_weights", named="cosines_for_products")
def cosines(Q, K):
    q = Q / np.linalg.norm(Q, axis=0)
    k = K / np.linalg.norm(K, axis=0)
    return softmax_cols(k.T @ q)


# did: divides the scores by the square root of D_q, which this exercise does not ask for
@wrong("attention_weights", named="scaled_too_early")
def scaled_as_in_the_paper(Q, K):
    d_k = K.shape[0]
    scores = K.T @ Q / np.sqrt(d_k)
    return softmax_cols(scores)


# did: returns the dot products without a softmax
@wrong("attention_weights", named="no_softmax")
def only_dot_products(Q, K):
    S = np.empty((K.shape[1], Q.shape[1]))
    for m in range(K.shape[1]):
        for n in range(Q.shape[1]):
            S[m, n] = K[:, m] @ Q[:, n]
    return S


# did: scores by minus the squared distance between key and query instead of their dot product
@wrong("attention_weights", named="distances_for_products")
def near_means_alike(Q, K):
    gap = K[:, :, None] - Q[:, None, :]
    return softmax_cols(-(gap**2).sum(axis=0))


# did: writes `.T()` as in PyTorch, which calls an array
@wrong("attention_weights")
def transpose_called(Q, K):
    scores = K.T() @ Q
    return softmax_cols(scores)


# did: applies the softmax twice
@wrong("attention_weights", named="softmax_twice")
def softmax_of_a_softmax(Q, K):
    shares = softmax_cols(K.T @ Q)
    A = softmax_cols(shares)
    return A


# did: exponentiates without the maximum subtracted, so large scores give inf / inf
@wrong("attention_weights")
def bare_exponentials(Q, K):
    E = np.exp(K.T @ Q)
    return E / E.sum(axis=0)


# --- 1.4 weighted_values


@right("weighted_values")
def sum_of_outer_products(A, V):
    return sum(np.outer(V[:, m], A[m]) for m in range(len(A)))


@right("weighted_values")
def row_convention_turned_back(A, V):
    attn, values = A.T, V.T
    return np.matmul(attn, values).T


@right("weighted_values")
def weighted_averages(A, V):
    return np.stack([np.average(V, axis=1, weights=share) for share in A.T], axis=-1)


# did: multiplies in the row convention and does not turn the result back, so it is (N_q, D_v)
@wrong("weighted_values", named="mixtures_in_rows")
def left_in_rows(A, V):
    return (A.T) @ (V.T)


# did: assigns in the loop over keys instead of adding, so only the last key's share is left
@wrong("weighted_values", named="last_value_only")
def overwritten_in_the_loop(A, V):
    N_k, N_q = A.shape
    out = np.zeros((V.shape[0], N_q))
    for n in range(N_q):
        for m in range(N_k):
            out[:, n] = A[m, n] * V[:, m]
    return out


# did: takes for each query the value of its strongest key alone
@wrong("weighted_values", named="heaviest_value_only")
def winner_takes_all(A, V):
    best = A.argmax(axis=0)
    return V[:, best]


# did: averages the weighted values over the keys instead of summing them, so all is divided by N_k
@wrong("weighted_values", named="mixture_over_the_number_of_keys")
def mean_in_place_of_sum(A, V):
    terms = V[:, :, None] * A[None, :, :]  # (D_v, N_k, N_q)
    return terms.mean(axis=1)


# did: sums over the queries instead of the keys, which is V times A transposed
@wrong("weighted_values")
def other_index_summed(A, V):
    return np.einsum("dm,nm->dn", V, A)


# did: divides each row of A by its sum before mixing
@wrong("weighted_values", named="weights_over_their_row_sums")
def weights_made_to_sum_along_rows(A, V):
    W = A / A.sum(axis=1, keepdims=True)
    return V @ W


# did: multiplies A by V in the order of the row convention
@wrong("weighted_values")
def attention_first(A, V):
    out = np.matmul(A, V)
    return out


# did: takes the softmax of the weights once more before mixing
@wrong("weighted_values", named="softmax_once_more")
def weights_softmaxed_again(A, V):
    return V @ softmax_cols(A)


# did: multiplies entry by entry
@wrong("weighted_values")
def star_product(A, V):
    result = V * A
    return result


# --- 1.5 self_attention


@right("self_attention")
def all_in_rows(X, head):
    x = X.T
    q = x @ head.omega_q.T + head.beta_q.T
    k = x @ head.omega_k.T + head.beta_k.T
    v = x @ head.omega_v.T + head.beta_v.T
    logits = q @ k.T
    logits -= logits.max(axis=-1, keepdims=True)
    attn = np.exp(logits)
    attn /= attn.sum(axis=-1, keepdims=True)
    return (attn @ v).T


@right("self_attention")
def token_by_token(X, head):
    Wq, Wk, Wv, bq, bk, bv = head
    outputs = []
    for x in X.T:
        q = Wq @ x + bq.ravel()
        scores = [q @ (Wk @ y + bk.ravel()) for y in X.T]
        biggest = max(scores)
        parts = [np.exp(s - biggest) for s in scores]
        mixed = sum(p * (Wv @ y + bv.ravel()) for p, y in zip(parts, X.T))
        outputs.append(mixed / sum(parts))
    return np.column_stack(outputs)


right_cell(
    "self_attention",
    "helpers_and_einsum",
    """
def affine(W, x, b):
    return np.einsum("ij,jn->in", W, x) + b


def soften(z):
    z = np.exp(z - z.max(axis=0))
    return z / z.sum(axis=0)


def {name}(X, head):
    Q, K, V = (affine(getattr(head, "omega_" + c), X, getattr(head, "beta_" + c)) for c in "qkv")
    return np.einsum("dm,mn->dn", V, soften(np.einsum("dm,dn->mn", K, Q)))
""",
)


# did: makes the keys with the query's weights, so scores are queries with queries; the key's bias is used
@wrong("self_attention", named="keys_with_omega_q | queries_with_queries")
def keys_of_the_query_weights(X, head):
    q = head.omega_q @ X + head.beta_q
    k = head.omega_q @ X + head.beta_k
    v = head.omega_v @ X + head.beta_v
    e = np.exp(k.T @ q - (k.T @ q).max(axis=0))
    att = e / e.sum(axis=0)
    return v @ att


# did: writes attention as in PyTorch with tokens as columns: the softmax runs along the last axis, over the queries
@wrong("self_attention", named="rows_for_columns | rows_for_columns_not_shifted")
def softmax_along_the_last_axis(X, head):
    queries = head.omega_q @ X + head.beta_q
    keys = head.omega_k @ X + head.beta_k
    values = head.omega_v @ X + head.beta_v
    logits = keys.T @ queries
    logits = logits - logits.max(axis=-1, keepdims=True)
    probs = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    return values @ probs


# did: mixes the tokens themselves with the weights, and makes values of the mixtures without the value bias
@wrong("self_attention", named="no_beta_v")
def tokens_mixed_and_bias_forgotten(X, head):
    A = attention_weights(project(X, head.omega_q, head.beta_q), project(X, head.omega_k, head.beta_k))
    mixed_tokens = X @ A
    return head.omega_v @ mixed_tokens


# did: divides the scores by the square root of D_q, which notebook 1 does not do
@wrong("self_attention", named="scaled_too_early")
def scaled_already(X, head):
    xq = project(X, head.omega_q, head.beta_q)
    xk = project(X, head.omega_k, head.beta_k)
    xv = project(X, head.omega_v, head.beta_v)
    wei = xk.T @ xq * xk.shape[0] ** -0.5
    wei = softmax_cols(wei)
    return xv @ wei


# did: hands keys and queries to attention_weights in exchanged places
@wrong("self_attention", named="queries_and_keys_exchanged")
def key_and_query_exchanged(X, head):
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    return weighted_values(attention_weights(K, Q), V)


# did: leaves out the bias of the queries
@wrong("self_attention", named="no_beta_q")
def queries_without_bias(X, head):
    n_tokens = X.shape[1]
    q_all = head.omega_q @ X
    k_all = head.omega_k @ X + head.beta_k
    v_all = head.omega_v @ X + head.beta_v
    result = np.zeros((v_all.shape[0], n_tokens))
    for n in range(n_tokens):
        s = k_all.T @ q_all[:, n]
        a = np.exp(s - np.max(s))
        a = a / np.sum(a)
        for m in range(n_tokens):
            result[:, n] += a[m] * v_all[:, m]
    return result


# did: does not reset the sum of exponentials for the next token, so later columns are divided by too much
@wrong("self_attention")
def running_total_not_reset(X, head):
    Q, K, V = (project(X, w, b) for w, b in zip(head[:3], head[3:]))
    N = X.shape[1]
    out = np.zeros(V.shape)
    total = 0.0
    for n in range(N):
        s = [float(K[:, m] @ Q[:, n]) for m in range(N)]
        big = max(s)
        for m in range(N):
            e = np.exp(s[m] - big)
            total += e
            out[:, n] += e * V[:, m]
        out[:, n] /= total
    return out


# did: lets each token attend only to itself and earlier ones: later keys are masked
@wrong("self_attention", named="later_keys_hidden")
def causal_mask(X, head):
    q, k, v = project(X, head[0], head[3]), project(X, head[1], head[4]), project(X, head[2], head[5])
    scores = k.T @ q
    scores = np.where(np.triu(np.ones_like(scores)) > 0, scores, -1e9)
    return v @ softmax_cols(scores)


# did: adds the tokens X to the output, as a residual connection
@wrong("self_attention", named="tokens_added")
def residual_added(X, head):
    Q, K, V = [project(X, head[i], head[i + 3]) for i in range(3)]
    return X + V @ softmax_cols(K.T @ Q)


# did: reads the head as a dictionary, which raises
@wrong("self_attention")
def head_as_a_dictionary(X, head):
    Q = head["omega_q"] @ X + head["beta_q"]
    K = head["omega_k"] @ X + head["beta_k"]
    V = head["omega_v"] @ X + head["beta_v"]
    return V @ softmax_cols(K.T @ Q)


# did: computes the right output and prints it, but does not return it
wrong_cell(
    "self_attention",
    "printed_not_returned",
    """
def softmax(z):
    z = z - z.max(axis=0)
    return np.exp(z) / np.exp(z).sum(axis=0)

def {name}(X, head):
    Q = head.omega_q @ X + head.beta_q
    K = head.omega_k @ X + head.beta_k
    V = head.omega_v @ X + head.beta_v
    X_prime = V @ softmax(K.T @ Q)
    print(X_prime)
""",
)


# did: a helper makes every projection with the bias subtracted instead of added
wrong_cell(
    "self_attention",
    "helper_subtracts_the_bias",
    """
def linear(W, b, x):
    return W @ x - b

def {name}(X, head):
    Q = linear(head.omega_q, head.beta_q, X)
    K = linear(head.omega_k, head.beta_k, X)
    V = linear(head.omega_v, head.beta_v, X)
    return weighted_values(attention_weights(Q, K), V)
""",
    named="projection_bias_subtracted",
)


# did: multiplies the values by the transposed weights, and leaves out the value bias
@wrong(
    "self_attention",
    named="no_beta_v + weights_turned | no_beta_v + weights_turned_in_the_mixture"
    " | no_beta_v + weights_turned_not_shifted",
)
def weights_transposed_and_no_value_bias(X, head):
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = head.omega_v @ X
    weights = softmax_cols(K.T @ Q)
    context = V @ weights.T
    return context
