"""Notebook 5, answers nobody has seen."""

# ruff: noqa: F821  an answer uses the functions of earlier exercises

import numpy as np

from answers import right, right_cell, wrong

# --- 5.1 permute_columns


@right("permute_columns")
def columns_collected_in_python(X, perm):
    columns = list(X.T)
    return list(zip(*[columns[p].tolist() for p in perm]))


@right("permute_columns")
def product_with_a_matrix_of_ones(X, perm):
    N = len(perm)
    P = np.zeros((N, N))
    P[perm, range(N)] = 1
    return np.asmatrix(X) * P


@right("permute_columns")
def sorted_by_where_each_one_goes(X, perm):
    goes_to = np.empty_like(perm)
    goes_to[perm] = np.arange(perm.size)
    return X.T[sorted(range(perm.size), key=goes_to.__getitem__)].T


@right("permute_columns")
def taken_along_the_axis(X, perm):
    return np.take_along_axis(X, np.broadcast_to(perm, X.shape), axis=1)


# did: sent column j to place perm[j], the inverse order
@wrong("permute_columns", named="columns_sent_away")
def columns_sent_instead_of_fetched(X, perm):
    Y = np.empty(X.shape)
    for j, target in enumerate(perm):
        Y[:, target] = X[:, j]
    return Y


# did: put the rows, not the columns, in the new order
@wrong("permute_columns", named="order_picks_rows")
def torch_index(X, perm):
    return X[perm]


# did: counted the positions from 1, so that every column comes from one place too far left
@wrong("permute_columns", named="order_one_down")
def matlab_counts_from_one(X, perm):
    out = []
    for p in perm:
        out.append(X[:, p - 1])
    return np.column_stack(out)


# did: fetched the columns by the argsort of perm, which is the inverse order
@wrong("permute_columns", named="columns_sent_away")
def argsort_of_the_order(X, perm):
    order = np.argsort(perm)
    return X[:, order]


# did: wrote the columns into X while reading them from it
@wrong("permute_columns")
def in_place_one_after_another(X, perm):
    for j in range(len(perm)):
        X[:, j] = X[:, perm[j]]
    return X


# did: returned the columns as rows: collected them and forgot to turn the result over
@wrong("permute_columns", named="permuted_turned_over")
def list_of_columns(X, perm):
    shuffled = [X[:, j] for j in perm]
    return np.array(shuffled)


# did: shuffled at random, without a look at perm
@wrong("permute_columns")
def numpy_shuffles(X, perm):
    rng = np.random.default_rng(0)
    return rng.permutation(X, axis=1)


# --- 5.2 equivariance_gap


@right("equivariance_gap")
def norm_of_the_flat_difference(f, X, perm):
    first, then = f(X[:, perm]), f(X)[:, perm]
    return np.linalg.norm((first - then).ravel(), ord=np.inf)


@right("equivariance_gap")
def larger_of_two_ends(f, X, perm):
    d = np.subtract(f(permute_columns(X, perm)), permute_columns(f(X), perm))
    return max(d.max(), -d.min())


@right("equivariance_gap")
def entry_by_entry(f, X, perm):
    P = np.eye(len(perm))[:, perm]
    left, whole = f(X @ P), f(X)
    gap = 0.0
    for j, p in enumerate(perm):
        for a, b in zip(left[:, j], whole[:, p]):
            if abs(a - b) > gap:
                gap = abs(a - b)
    return float(gap)


@right("equivariance_gap")
def undone_on_the_other_side(f, X, perm):
    back = np.argsort(perm)
    return np.ptp(np.stack([f(X[:, perm])[:, back], f(X)]), axis=0).max()


# did: took the largest difference with its sign
@wrong("equivariance_gap", named="gap_signed")
def largest_but_signed(f, X, perm):
    before = f(permute_columns(X, perm))
    after = permute_columns(f(X), perm)
    return (before - after).max()


# did: compared f of the shuffled tokens with f of the tokens, never shuffled after
@wrong("equivariance_gap", named="gap_reordered_before_and_after | gap_result_not_reordered")
def only_shuffled_before(f, X, perm):
    out1 = f(X)
    out2 = f(X[:, perm])
    return np.max(np.abs(out2 - out1))


# did: took the mean of the absolute differences instead of the largest
@wrong("equivariance_gap", named="gap_mean")
def mean_absolute_error(f, X, perm):
    error = f(permute_columns(X, perm)) - permute_columns(f(X), perm)
    return np.abs(error).mean()


# did: took the largest of each side first and subtracted these two numbers
@wrong("equivariance_gap", named="gap_of_largest_sizes")
def difference_of_two_maxima(f, X, perm):
    a = np.abs(f(X[:, perm])).max()
    b = np.abs(f(X)[:, perm]).max()
    return abs(a - b)


# did: took the Euclidean length of all differences together
@wrong("equivariance_gap", named="gap_length")
def frobenius(f, X, perm):
    P = np.eye(X.shape[1])[:, perm]
    return np.linalg.norm(f(X @ P) - f(X) @ P)


# did: shuffled after by the inverse order
@wrong("equivariance_gap", named="gap_inverse_after")
def order_taken_back_after(f, X, perm):
    inverse = np.argsort(perm)
    fX = f(X)
    difference = f(X[:, perm]) - fX[:, inverse]
    return np.amax(np.absolute(difference))


# did: returned the largest difference of each token, one number per column
@wrong("equivariance_gap", named="gap_for_each_token")
def one_gap_per_token(f, X, perm):
    moved = permute_columns(X, perm)
    return np.abs(f(moved) - permute_columns(f(X), perm)).max(axis=0)


# did: answered whether the two agree, True or False, instead of by how much they differ
@wrong("equivariance_gap")
def yes_or_no(f, X, perm):
    return np.allclose(f(X[:, perm]), f(X)[:, perm])


# did: put f itself in the new order, as if it were the array f(X)
@wrong("equivariance_gap")
def function_put_in_order(f, X, perm):
    left = f(permute_columns(X, perm))
    right_side = permute_columns(f, perm)(X)
    return np.max(np.abs(left - right_side))


# --- 5.3 sinusoids


@right("sinusoids")
def row_by_row(D, N, base=10000):
    from math import cos, sin

    Pi = []
    for r in range(D):
        wave = cos if r % 2 else sin
        slow = base ** ((r - r % 2) / D)
        Pi.append([wave(n / slow) for n in range(N)])
    return Pi


@right("sinusoids")
def complex_clock_hands(D, N, base=10000):
    pairs = (D + 1) // 2
    speed = np.exp(-np.log(base) * 2 * np.arange(pairs) / D)
    hands = np.exp(1j * np.outer(speed, np.arange(N)))
    both = np.stack([hands.imag, hands.real], axis=1)
    return both.reshape(2 * pairs, N)[:D]


@right("sinusoids")
def the_torch_tutorial_turned_over(D, N, base=10000):
    pe = np.zeros((N, D))
    position = np.arange(N)[:, None]
    div_term = np.exp(np.arange(0, D, 2) * (-np.log(base) / D))
    pe[:, 0::2] = np.sin(position * div_term)
    pe[:, 1::2] = np.cos(position * div_term[: D // 2])
    return pe.T


@right("sinusoids")
def cosines_as_shifted_sines(D, N, base=10000):
    r, n = np.mgrid[0:D, 0:N]
    return np.sin(n * float(base) ** (-2 * (r // 2) / D) + np.pi / 2 * (r & 1))


# did: counted rows in the exponent instead of pairs: 2 r / D with r the number of the row
@wrong("sinusoids", named="waves_row_for_pair")
def every_row_its_own_speed(D, N, base=10000):
    Pi = np.zeros((D, N))
    for r in range(D):
        for n in range(N):
            angle = n / base ** (2 * r / D)
            Pi[r, n] = np.sin(angle) if r % 2 == 0 else np.cos(angle)
    return Pi


# did: made the exponent row / D for odd rows too, so that the cosine of a pair turns slower than its sine
@wrong("sinusoids", named="waves_exponent_row_by_row")
def row_over_rows(D, N, base=10000):
    j = np.arange(D).reshape(-1, 1)
    phase = np.arange(N) / base ** (j / D)
    phase[0::2] = np.sin(phase[0::2])
    phase[1::2] = np.cos(phase[1::2])
    return phase


# did: put all sines on top and all cosines below
@wrong("sinusoids", named="waves_in_halves")
def sines_on_top(D, N, base=10000):
    half = (D + 1) // 2
    freq = 1.0 / base ** (2 * np.arange(half) / D)
    a = np.outer(freq, np.arange(N))
    return np.vstack([np.sin(a), np.cos(a)])[:D]


# did: exchanged sine and cosine: the cosine stands in the even rows
@wrong("sinusoids", named="waves_exchanged")
def cosine_first(D, N, base=10000):
    out = np.empty((D, N))
    n = np.arange(N)
    for i in range(0, D, 2):
        w = n / base ** (i / D)
        out[i] = np.cos(w)
        if i + 1 < D:
            out[i + 1] = np.sin(w)
    return out


# did: counted the positions from 1
@wrong("sinusoids", named="waves_from_position_1")
def positions_from_one(D, N, base=10000):
    rows = np.arange(D)[:, None]
    pos = np.arange(1, N + 1)[None, :]
    theta = pos / np.power(base, 2 * (rows // 2) / D)
    return np.where(rows % 2, np.cos(theta), np.sin(theta))


# did: multiplied the position by the power of base instead of dividing, so that later hands turn faster
@wrong("sinusoids", named="waves_faster_and_faster")
def faster_and_faster(D, N, base=10000):
    def wave(r, n):
        angle = n * base ** (2 * (r // 2) / D)
        return [np.sin, np.cos][r % 2](angle)

    return np.array([[wave(r, n) for n in range(N)] for r in range(D)])


# did: wrote 10000 into the formula, whatever the base is
@wrong("sinusoids", named="waves_base_by_heart")
def the_constant_of_the_paper(D, N, base=10000):
    i = np.repeat(np.arange((D + 1) // 2), 2)[:D]
    wavelength = 10000 ** (2 * i / D)
    angles = np.arange(N) / wavelength[:, None]
    even = np.arange(D)[:, None] % 2 == 0
    return np.sin(angles) * even + np.cos(angles) * ~even


# did: divided by the number of pairs instead of D: the exponent is 2 i / (D // 2), with at least one pair
@wrong("sinusoids", named="waves_over_the_pairs")
def speed_over_the_pairs(D, N, base=10000):
    d = max(D // 2, 1)
    Pi = np.zeros((D, N))
    for row in range(D):
        i = row // 2
        a = np.arange(N) / base ** (2 * i / d)
        Pi[row] = np.sin(a) if row == 2 * i else np.cos(a)
    return Pi


# did: made D // 2 pairs of rows, so that the last row of an odd D stays zero
@wrong("sinusoids", named="waves_odd_row_zero")
def last_row_of_an_odd_size_forgotten(D, N, base=10000):
    Pi = np.zeros((D, N))
    t = np.arange(N)
    for i in range(D // 2):
        a = t / base ** (2 * i / D)
        Pi[2 * i, :], Pi[2 * i + 1, :] = np.sin(a), np.cos(a)
    return Pi


# did: spaced the exponents evenly from 0 to 1 with both ends, so that the last pair divides by the base itself
@wrong("sinusoids", named="waves_exponent_ends_at_1")
def logspace_with_the_end(D, N, base=10000):
    pairs = (D + 1) // 2
    slow = np.logspace(0, 1, pairs, base=base)
    angles = np.arange(N)[None, :] / slow[:, None]
    out = np.zeros((2 * pairs, N))
    out[::2], out[1::2] = np.sin(angles), np.cos(angles)
    return out[:D]


# did: took the angles for degrees
@wrong("sinusoids", named="waves_in_degrees")
def a_calculator_in_degrees(D, N, base=10000):
    k = np.arange(D)[:, None] // 2
    turn = np.deg2rad(np.arange(N)[None, :] / base ** (2 * k / D))
    return np.where(np.arange(D)[:, None] % 2 == 1, np.cos(turn), np.sin(turn))


# --- 5.4 add_positions


@right("add_positions")
def token_by_token(X, Pi):
    placed = []
    for token, place in zip(X.T, Pi.T):
        placed.append(token + place)
    return np.column_stack(placed)


@right("add_positions")
def sum_over_a_new_axis(X, Pi):
    return np.stack([X, Pi]).sum(axis=0)


@right("add_positions")
def a_copy_and_plus_equals(X, Pi):
    X = X.copy()
    X += Pi
    return np.asmatrix(X)


# did: wrote the positions below the tokens instead of adding them
@wrong("add_positions", named="positions_below_the_tokens")
def positions_as_new_rows(X, Pi):
    return np.vstack([X, Pi])


# did: added the position of token 0 to every token
@wrong("add_positions", named="position_0_for_all")
def first_position_everywhere(X, Pi):
    return X + Pi[:, [0]]


# did: changed X itself by adding in place
@wrong("add_positions")
def plus_equals(X, Pi):
    X += Pi
    return X


# did: multiplied every token by its position, entry by entry
@wrong("add_positions", named="tokens_times_positions")
def gated_by_position(X, Pi):
    placed = X * Pi
    return placed


# did: multiplied the tokens by the root of D before adding, as the original transformer does with embeddings
@wrong("add_positions", named="tokens_times_root_D")
def embeddings_times_root(X, Pi):
    d_model = X.shape[0]
    return X * np.sqrt(d_model) + Pi


# did: took the mean of token and position instead of the sum
@wrong("add_positions", named="mean_of_token_and_position")
def half_and_half(X, Pi):
    return np.mean([X, Pi], axis=0)


# did: made sinusoids anew instead of adding the positions that were handed over
@wrong("add_positions", named="waves_whatever_is_given")
def own_waves(X, Pi):
    D, N = X.shape
    waves = sinusoids(D, N)
    return X + waves


# did: skipped token 0, since its position counts as 0
@wrong("add_positions", named="position_0_left_out")
def from_the_second_word_on(X, Pi):
    out = X.copy()
    for n in range(1, X.shape[1]):
        out[:, n] = X[:, n] + Pi[:, n]
    return out


# --- 5.5 relative_bias


@right("relative_bias")
def a_window_for_every_query(pi, N):
    return np.array([pi[N - 1 - b : 2 * N - 1 - b] for b in range(N)]).T


@right("relative_bias")
def diagonal_by_diagonal(pi, N):
    B = np.zeros((N, N))
    for k, value in enumerate(pi):
        B = B + np.diag(np.full(N - abs(k - N + 1), value), N - 1 - k)
    return B


@right("relative_bias")
def sliding_windows(pi, N):
    windows = np.lib.stride_tricks.sliding_window_view(pi, N)
    return windows[:, ::-1]


@right("relative_bias")
def lists_in_lists(pi, N):
    last = N - 1
    return [[float(pi[last + key - query]) for query in range(N)] for key in range(N)]


# did: took the distance as query minus key, so that before and behind are exchanged
@wrong("relative_bias", named="bias_pi_backward | bias_query_minus_key")
def query_minus_key(pi, N):
    B = np.zeros((N, N))
    for key in range(N):
        for query in range(N):
            B[key, query] = pi[query - key + N - 1]
    return B


# did: left the shift of N - 1 out, so that negative distances count from the end of pi
@wrong("relative_bias", named="bias_index_from_the_end")
def negative_indices(pi, N):
    a, b = np.ogrid[:N, :N]
    return pi[a - b]


# did: used the distance without its sign, so that keys before are treated as keys behind
@wrong("relative_bias", named="bias_alike_on_both_sides")
def distance_without_sign(pi, N):
    k = np.arange(N)
    d = np.abs(np.subtract.outer(k, k))
    return pi[d + N - 1]


# did: shifted by N instead of N - 1
@wrong("relative_bias")
def shifted_by_one_too_many(pi, N):
    B = np.empty((N, N))
    for a in range(N):
        for b in range(N):
            B[a, b] = pi[a - b + N]
    return B


# did: returned the distances themselves, shifted, without looking them up in pi
@wrong("relative_bias", named="bias_the_indices")
def indices_for_values(pi, N):
    i = np.arange(N)
    offsets = i[:, None] - i[None, :]
    B = offsets + N - 1
    return B


# did: filled one triangle only: keys before the query or at it; the others stay zero
@wrong("relative_bias", named="bias_before_only")
def lower_half_only(pi, N):
    B = np.zeros((N, N))
    for query in range(N):
        for key in range(query + 1):
            B[key, query] = pi[key - query + N - 1]
    return B


# did: used the sum of the two positions, so that the bias is the same along the other diagonals
@wrong("relative_bias", named="bias_of_the_sum")
def sum_of_positions(pi, N):
    return np.array([[pi[a + b] for b in range(N)] for a in range(N)])


# did: laid the entries of pi out row after row, repeating them to fill the square
@wrong("relative_bias", named="bias_row_after_row")
def resized(pi, N):
    return np.resize(pi, (N, N))


# did: gave every pair of key and query the bias of distance 0, the middle of pi
@wrong("relative_bias")
def middle_everywhere(pi, N):
    return np.full((N, N), pi[len(pi) // 2])


# --- 5.6 attention_with_bias


@right("attention_with_bias")
def query_after_query(Q, K, V, B):
    columns = []
    for n in range(Q.shape[1]):
        s = Q[:, n] @ K / len(K) ** 0.5 + B[:, n]
        w = np.exp(s - max(s))
        columns.append(np.average(V, axis=1, weights=w))
    return np.transpose(columns)


@right("attention_with_bias")
def rows_as_in_pytorch(Q, K, V, B):
    q, k, v, mask = Q.T, K.T, V.T, B.T
    attn = q @ k.T / np.sqrt(q.shape[-1]) + mask
    attn = np.exp(attn - attn.max(-1, keepdims=True))
    return (attn @ v / attn.sum(-1, keepdims=True)).T


@right("attention_with_bias")
def bias_as_two_more_sets_of_rows(Q, K, V, B):
    hidden = np.isneginf(B)
    finite = np.where(hidden, 0.0, B)
    N_q = Q.shape[1]
    longer_Q = np.vstack([Q / np.sqrt(Q.shape[0]), np.eye(N_q)])
    longer_K = np.vstack([K, finite.T])
    S = np.where(hidden, -np.inf, longer_K.T @ longer_Q)
    return weighted_values(softmax_cols(S), V)


right_cell(
    "attention_with_bias",
    "logs_in_a_helper",
    """
def log_softmax(z):
    return z - np.logaddexp.reduce(z, axis=0)

def {name}(Q, K, V, B):
    z = np.einsum('dm,dn->mn', K, Q) / np.sqrt(K.shape[0])
    return np.einsum('vm,mn->vn', V, np.exp(log_softmax(z + B)))
""",
)


# did: added the bias before the scaling, so that it is divided by sqrt(D_q) too
@wrong("attention_with_bias", named="bias_divided_too")
def everything_over_the_root(Q, K, V, B):
    logits = (K.T @ Q + B) / np.sqrt(K.shape[0])
    P = np.exp(logits - logits.max(axis=0))
    return V @ (P / P.sum(axis=0))


# did: added the bias to the weights after softmax
@wrong("attention_with_bias", named="bias_after_softmax")
def bias_on_the_shares(Q, K, V, B):
    S = scaled_scores(Q, K)
    shares = softmax_cols(S)
    shares = shares + B
    out = weighted_values(shares, V)
    return out


# did: multiplied the scores by the bias
@wrong("attention_with_bias", named="bias_times_the_scores")
def bias_as_a_factor(Q, K, V, B):
    return weighted_values(softmax_cols(scaled_scores(Q, K) * B), V)


# did: subtracted the bias from the scaled scores
@wrong("attention_with_bias", named="bias_subtracted")
def penalty(Q, K, V, B):
    d = Q.shape[0]
    energy = np.einsum("dk,dq->kq", K, Q) / d**0.5
    energy = energy - B
    e = np.exp(energy - energy.max(0, keepdims=True))
    alpha = e / e.sum(0, keepdims=True)
    return np.einsum("vk,kq->vq", V, alpha)


# did: did not scale the scores at all
@wrong("attention_with_bias", named="no_scale")
def plain_products_plus_bias(Q, K, V, B):
    outputs = np.zeros((V.shape[0], Q.shape[1]))
    for n in range(Q.shape[1]):
        column = K.T @ Q[:, n] + B[:, n]
        column = column - column.max()
        share = np.exp(column) / np.exp(column).sum()
        outputs[:, n] = V @ share
    return outputs


# did: took softmax of the scores, softmax of the bias, and the mean of the two
@wrong("attention_with_bias")
def mean_of_two_softmaxes(Q, K, V, B):
    content = softmax_cols(scaled_scores(Q, K))
    place = softmax_cols(B)
    return weighted_values((content + place) / 2, V)


# did: took softmax along the queries, so that rows sum to one
@wrong("attention_with_bias", named="rows_for_columns")
def softmax_along_queries(Q, K, V, B):
    t = K.T @ Q / np.sqrt(len(Q)) + B
    t = np.exp(t - t.max(axis=1, keepdims=True))
    t = t / t.sum(axis=1, keepdims=True)
    return V @ t


# did: scaled by the root of the number of values' rows, D_v
@wrong("attention_with_bias", named="bias_scale_of_the_values")
def root_of_the_values_rows(Q, K, V, B):
    D_v, N_k = V.shape
    products = np.array([[k @ q for q in Q.T] for k in K.T])
    biased = products / np.sqrt(D_v) + B
    A = softmax_cols(biased)
    return np.array([[np.sum(v * a) for a in A.T] for v in V])


# did: ignored the bias
@wrong("attention_with_bias", named="bias_forgotten")
def bias_never_used(Q, K, V, B):
    scores = scaled_scores(Q, K)
    biased = scores + 0 * np.nan_to_num(B)
    return weighted_values(softmax_cols(biased), V)


# did: did not subtract the largest score, so that the exponentials overflow for a large bias
@wrong("attention_with_bias")
def exponentials_overflow(Q, K, V, B):
    num = np.exp(scaled_scores(Q, K) + B)
    return V @ num / num.sum(axis=0)


# did: subtracted the largest score before the bias was added, so that a large bias still overflows
@wrong("attention_with_bias")
def largest_taken_off_too_early(Q, K, V, B):
    S = K.T @ Q / np.sqrt(K.shape[0])
    S = S - S.max(axis=0)
    S = S + B
    W = np.exp(S)
    W = W / np.sum(W, axis=0)
    return V @ W


# did: made a mask of the bias: keys with a negative bias are hidden, the others keep their scaled score
@wrong("attention_with_bias")
def taken_for_a_mask(Q, K, V, B):
    scores = scaled_scores(Q, K)
    scores = np.where(B < 0, -1e9, scores)
    return weighted_values(softmax_cols(scores), V)


# did: exchanged queries and keys, added B to these turned scores, and turned the sum back
@wrong("attention_with_bias", named="bias_turned_over")
def bias_turned_over(Q, K, V, B):
    S = scaled_scores(K, Q)
    S = S + B
    return weighted_values(softmax_cols(S.T), V)


# --- 5.7 rope


@right("rope")
def complex_numbers(Z, positions):
    D, N = Z.shape
    if D & 1:
        raise ValueError("an odd number of rows: " + str(D))
    arrows = Z[::2] + 1j * Z[1::2]
    arrows = arrows * np.exp(1j * np.outer(10000.0 ** (-np.arange(0, D, 2) / D), positions))
    return np.dstack([arrows.real, arrows.imag]).transpose(0, 2, 1).reshape(D, N)


@right("rope")
def one_matrix_per_column(Z, positions):
    D = len(Z)
    if D % 2:
        raise ValueError(f"no partner for the last of {D} rows")
    columns = []
    for z, p in zip(Z.T, positions):
        R = np.zeros((D, D))
        for i in range(D // 2):
            t = p / 10000 ** (2 * i / D)
            R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]
        columns.append(R @ z)
    return np.array(columns).T


@right("rope")
def partners_rolled_as_in_llama(Z, positions):
    D = Z.shape[0]
    half, rest = divmod(D, 2)
    if rest:
        raise ValueError(f"D must be even, got {D}")
    angle = np.repeat(10000.0 ** (-np.arange(half) / half), 2)[:, None] * np.asarray(positions)
    partner = Z.reshape(half, 2, -1)[:, ::-1].reshape(Z.shape)
    sign = np.where(np.arange(D) % 2, 1, -1)[:, None]
    return Z * np.cos(angle) + sign * partner * np.sin(angle)


@right("rope")
def length_and_direction(Z, positions):
    D, N = Z.shape
    if D % 2 == 1:
        raise ValueError(f"D is {D}")
    new = np.full((D, N), np.nan)
    for i in range(0, D, 2):
        for n in range(N):
            r = np.hypot(Z[i, n], Z[i + 1, n])
            where = np.arctan2(Z[i + 1, n], Z[i, n]) + positions[n] * 10000 ** (-i / D)
            new[i, n], new[i + 1, n] = r * np.cos(where), r * np.sin(where)
    return new


# did: turned clockwise: the minus stands at the other sine
@wrong("rope", named="rope_clockwise")
def clockwise(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"D = {D} is odd")
    out = np.zeros_like(Z)
    for i in range(D // 2):
        th = positions / 10000 ** (2 * i / D)
        x, y = Z[2 * i], Z[2 * i + 1]
        out[2 * i] = x * np.cos(th) + y * np.sin(th)
        out[2 * i + 1] = y * np.cos(th) - x * np.sin(th)
    return out


# did: paired row i with row i + D/2, the upper half with the lower half
@wrong("rope", named="rope_halves_for_pairs")
def halves_as_pairs(Z, positions):
    D = Z.shape[0]
    if D % 2 != 0:
        raise ValueError("D = " + str(D))
    h = D // 2
    theta = np.outer(1 / 10000 ** (2 * np.arange(h) / D), positions)
    a, b = Z[:h], Z[h:]
    return np.vstack([a * np.cos(theta) - b * np.sin(theta), a * np.sin(theta) + b * np.cos(theta)])


# did: used the number of the column for its position
@wrong("rope", named="rope_columns_for_positions")
def column_numbers(Z, positions):
    D, N = Z.shape
    if D % 2:
        raise ValueError(f"odd D: {D}")
    ang = np.arange(N)[None, :] / 10000 ** (np.arange(0, D, 2)[:, None] / D)
    c, s = np.cos(ang), np.sin(ang)
    out = np.empty((D, N))
    out[::2] = Z[::2] * c - Z[1::2] * s
    out[1::2] = Z[::2] * s + Z[1::2] * c
    return out


# did: overwrote the first row of a pair before the second was computed from it
@wrong("rope", named="rope_first_row_already_new")
def upper_row_used_after_its_turn(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"{D} rows")
    R = np.array(Z, dtype=float)
    for i in range(0, D, 2):
        t = positions / 10000 ** (i / D)
        R[i] = R[i] * np.cos(t) - R[i + 1] * np.sin(t)
        R[i + 1] = R[i] * np.sin(t) + R[i + 1] * np.cos(t)
    return R


# did: turned every pair with the same speed, 1 radian per position
@wrong("rope", named="rope_one_speed")
def one_speed_for_all(Z, positions):
    if Z.shape[0] % 2 == 1:
        raise ValueError(f"D is odd: {Z.shape[0]}")
    c, s = np.cos(positions), np.sin(positions)
    top, low = Z[0::2, :], Z[1::2, :]
    turned = np.stack([c * top - s * low, s * top + c * low], axis=1)
    return turned.reshape(Z.shape)


# did: doubled the exponent: 2 * row / D, where the row is already twice the pair
@wrong("rope", named="rope_exponent_doubled")
def exponent_doubled(Z, positions):
    D, N = Z.shape
    if D % 2:
        raise ValueError("D=" + str(D))
    rotated = np.zeros((D, N))
    for row in range(0, D, 2):
        for n in range(N):
            theta = positions[n] / 10000 ** (2 * row / D)
            rot = np.array([[np.cos(theta), -np.sin(theta)], [np.sin(theta), np.cos(theta)]])
            rotated[row : row + 2, n] = rot @ Z[row : row + 2, n]
    return rotated


# did: wrote the turned rows into Z itself
@wrong("rope")
def argument_changed(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"expected an even D, got {D}")
    for i in range(D // 2):
        a = positions / 10000 ** (2 * i / D)
        u, w = Z[2 * i].copy(), Z[2 * i + 1].copy()
        Z[2 * i] = np.cos(a) * u - np.sin(a) * w
        Z[2 * i + 1] = np.sin(a) * u + np.cos(a) * w
    return Z


# did: added the waves to the rows instead of turning them
@wrong("rope", named="rope_waves_added")
def added_not_turned(Z, positions):
    D, N = Z.shape
    if D % 2:
        raise ValueError(f"D = {D}")
    out = Z.copy()
    for i in range(0, D, 2):
        theta = positions / 10000 ** (i / D)
        out[i] += np.sin(theta)
        out[i + 1] += np.cos(theta)
    return out


# did: accepted an odd D: the last row is left as it is, without an error
@wrong("rope")
def odd_rows_passed_through(Z, positions):
    D = Z.shape[0]
    out = Z.copy()
    for first in range(0, D - 1, 2):
        second = first + 1
        t = positions / 10000 ** (first / D)
        out[first] = Z[first] * np.cos(t) - Z[second] * np.sin(t)
        out[second] = Z[first] * np.sin(t) + Z[second] * np.cos(t)
    return out


# did: refused an odd D with an assert, which raises an AssertionError
@wrong("rope")
def asserted(Z, positions):
    D = Z.shape[0]
    assert D % 2 == 0, f"D = {D} is odd"
    w = 1 / 10000 ** (np.arange(0, D, 2) / D)
    z = (Z[::2] + 1j * Z[1::2]) * np.exp(1j * w[:, None] * positions)
    out = np.empty(Z.shape)
    out[::2], out[1::2] = z.real, z.imag
    return out


# did: multiplied the position by the power of 10000, so that later pairs turn faster
@wrong("rope", named="rope_faster_and_faster")
def later_pairs_faster(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"D = {D} has a row left over")
    freqs = 10000 ** (np.arange(0, D, 2) / D)
    phi = freqs[:, None] * positions[None, :]
    even, odd = Z[0::2], Z[1::2]
    res = np.zeros(Z.shape)
    res[0::2], res[1::2] = even * np.cos(phi) - odd * np.sin(phi), odd * np.cos(phi) + even * np.sin(phi)
    return res


# --- 5.8 look_back


@right("look_back")
def kron_for_two_and_blocks(D, c, base=10000):
    omega_k = np.zeros((D, D))
    for i in range(D // 2):
        t = 1.0 / base ** (2 * i / D)
        place = np.zeros((D // 2, D // 2))
        place[i, i] = c
        omega_k += np.kron(place, np.array([[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]))
    return np.diag([float(c)] * D), omega_k


@right("look_back")
def three_diagonals(D, c, base=10000):
    t = float(base) ** (-np.arange(0, D, 2) / D)
    beside = np.zeros(D - 1)
    beside[::2] = np.sin(t)
    R = np.diag(np.repeat(np.cos(t), 2)) + np.diag(beside, 1) - np.diag(beside, -1)
    return [c * np.identity(D), c * R]


@right("look_back")
def solved_from_the_waves(D, c, base=10000):
    now = np.zeros((D, D))
    for i in range(0, D, 2):
        now[i : i + 2, i : i + 2] = sinusoids(2, 2)[:, [0, 1]]
    then = np.zeros((D, D))
    for i in range(0, D, 2):
        w = base ** (-i / D)
        moves = np.array([0, 1]) + w
        then[i : i + 2, i : i + 2] = [np.sin(moves), np.cos(moves)]
    return np.array([c * np.eye(D), c * then @ np.linalg.inv(now)])


# did: turned the step over: it takes every position one step back
@wrong("look_back", named="look_one_step_ahead")
def one_step_back(D, c, base=10000):
    Wq = np.eye(D) * c
    Wk = np.zeros((D, D))
    for i in range(D // 2):
        a = 1 / base ** (2 * i / D)
        Wk[2 * i, 2 * i] = Wk[2 * i + 1, 2 * i + 1] = np.cos(a)
        Wk[2 * i, 2 * i + 1] = -np.sin(a)
        Wk[2 * i + 1, 2 * i] = np.sin(a)
    return Wq, c * Wk


# did: left c out of omega_k
@wrong("look_back", named="look_no_c_in_the_keys")
def sharp_on_one_side_only(D, c, base=10000):
    R = np.zeros((D, D))
    for row in range(0, D, 2):
        th = 1 / base ** (row / D)
        R[row : row + 2, row : row + 2] = [[np.cos(th), np.sin(th)], [-np.sin(th), np.cos(th)]]
    return c * np.eye(D), R


# did: returned omega_k first
@wrong("look_back")
def keys_first(D, c, base=10000):
    R = np.eye(D)
    for i in range(0, D, 2):
        cos, sin = np.cos(base ** (-i / D)), np.sin(base ** (-i / D))
        R[i, i], R[i, i + 1], R[i + 1, i], R[i + 1, i + 1] = cos, sin, -sin, cos
    return c * R, c * np.eye(D)


# did: turned every block by 1 radian, the speed of pair 0
@wrong("look_back", named="look_one_speed")
def all_blocks_alike(D, c, base=10000):
    block = np.array([[np.cos(1), np.sin(1)], [-np.sin(1), np.cos(1)]])
    return c * np.eye(D), c * np.kron(np.eye(D // 2), block)


# did: wrote 10000 for the base
@wrong("look_back", named="look_base_by_heart")
def base_written_out(D, c, base=10000):
    omega_k = np.zeros((D, D))
    for i in range(D // 2):
        angle = 1 / 10000 ** (2 * i / D)
        s = slice(2 * i, 2 * i + 2)
        omega_k[s, s] = c * np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return c * np.eye(D), omega_k


# did: made omega_q the step too, so that query and key are both one position on
@wrong("look_back", named="look_both_step")
def both_take_the_step(D, c, base=10000):
    M = np.zeros((D, D))
    for r in range(0, D, 2):
        t = base ** (-r / D)
        M[r : r + 2, r : r + 2] = [[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]
    return c * M, c * M


# did: filled omega_q with c everywhere: ones in place of the identity
@wrong("look_back", named="look_c_everywhere")
def full_of_c(D, c, base=10000):
    omega_q = c * np.ones((D, D))
    omega_k = np.zeros((D, D))
    for j in range(0, D, 2):
        ang = 1 / base ** (j / D)
        omega_k[j, j] = omega_k[j + 1, j + 1] = c * np.cos(ang)
        omega_k[j, j + 1] = c * np.sin(ang)
        omega_k[j + 1, j] = -c * np.sin(ang)
    return omega_q, omega_k


# did: stopped the loop at half of the pairs: range(0, D // 2, 2) leaves the lower blocks zero
@wrong("look_back", named="look_last_blocks_missing")
def loop_ends_too_early(D, c, base=10000):
    omega_q = np.diag(np.full(D, c))
    omega_k = np.zeros((D, D))
    for i in range(0, D // 2, 2):
        a = 1 / base ** (i / D)
        omega_k[i : i + 2, i : i + 2] = c * np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return omega_q, omega_k


# did: put c into the angle instead of in front of the matrix
@wrong("look_back", named="look_c_in_the_angle + look_no_c_in_the_keys")
def c_in_the_angle(D, c, base=10000):
    K = np.zeros((D, D))
    for i in range(D // 2):
        phi = c / base ** (2 * i / D)
        K[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(phi), np.sin(phi)], [-np.sin(phi), np.cos(phi)]]
    return c * np.eye(D), K


# === a second set, by someone who had seen neither the recorded mistakes nor the answers above

# --- 5.1 permute_columns


@right("permute_columns")
def permute_b_by_a_matrix(X, perm):
    P = np.zeros((len(perm), len(perm)))
    for j, p in enumerate(perm):
        P[p, j] = 1
    return X @ P


@right("permute_columns")
def permute_b_tokens_as_rows(X, perm):
    return X.T[perm].T


# did: reorders the rows with the order of the columns
@wrong("permute_columns", named="order_picks_rows")
def permute_b_take_without_axis_one(X, perm):
    return np.take(X, perm, axis=0)


# did: sends column j to place perm[j], the order that takes it back
@wrong("permute_columns", named="columns_sent_away")
def permute_b_sends_instead_of_fetching(X, perm):
    moved = np.empty_like(X)
    for j in range(X.shape[1]):
        moved[:, perm[j]] = X[:, j]
    return moved


# did: exchanges column j with column perm[j] one after the other, on a copy that is already changed
@wrong("permute_columns")
def permute_b_swaps_in_turn(X, perm):
    Y = X.copy()
    for j, p in enumerate(perm):
        Y[:, [j, p]] = Y[:, [p, j]]
    return Y


# did: writes the columns into X itself while it still reads from it
@wrong("permute_columns")
def permute_b_in_place(X, perm):
    for j, p in enumerate(perm):
        X[:, j] = X[:, p]
    return X


# --- 5.2 equivariance_gap


@right("equivariance_gap")
def gap_b_norm_of_flat(f, X, perm):
    difference = f(X[:, perm]) - f(X)[:, perm]
    return np.linalg.norm(difference.ravel(), np.inf)


@right("equivariance_gap")
def gap_b_loops(f, X, perm):
    early, late = f(X[:, perm]), f(X)
    worst = 0.0
    for j, p in enumerate(perm):
        for one, other in zip(early[:, j], late[:, p]):
            worst = one - other if one - other > worst else worst
            worst = other - one if other - one > worst else worst
    return worst


# did: shuffles before f only, and compares with f of the tokens as they were
@wrong("equivariance_gap", named="gap_reordered_before_and_after | gap_result_not_reordered")
def gap_b_second_not_shuffled(f, X, perm):
    shuffled = f(permute_columns(X, perm))
    original = f(X)
    return np.abs(shuffled - original).max()


# did: takes the largest of the signed differences
@wrong("equivariance_gap", named="gap_signed_the_other_way")
def gap_b_sign_kept(f, X, perm):
    a = f(permute_columns(X, perm))
    b = permute_columns(f(X), perm)
    return np.amax(b - a)


# did: sums the absolute differences
@wrong("equivariance_gap", named="gap_sum")
def gap_b_total_difference(f, X, perm):
    delta = f(X[:, perm]) - f(X)[:, perm]
    return float(np.sum(np.abs(delta)))


# did: takes the largest absolute number of each result, and subtracts those
@wrong("equivariance_gap", named="gap_of_largest_sizes")
def gap_b_difference_of_maxima(f, X, perm):
    before = np.max(np.abs(f(permute_columns(X, perm))))
    after = np.max(np.abs(permute_columns(f(X), perm)))
    return np.abs(before - after)


# did: one number a column comes back, the largest of that column
@wrong("equivariance_gap", named="gap_for_each_token")
def gap_b_max_down_the_columns(f, X, perm):
    before, after = f(X[:, perm]), f(X)[:, perm]
    return np.max(np.abs(before - after), axis=0)


# --- 5.3 sinusoids


@right("sinusoids")
def sinusoids_b_complex_numbers(D, N, base=10000):
    half = (D + 1) // 2
    turning = np.exp(1j * np.outer(float(base) ** (-2 * np.arange(half) / D), np.arange(N)))
    both = np.stack([turning.imag, turning.real], axis=1)
    return both.reshape(2 * half, N)[:D]


@right("sinusoids")
def sinusoids_b_quarter_turn_shift(D, N, base=10000):
    table = []
    for d in range(D):
        speed = base ** (-(d - d % 2) / D)
        table.append([np.sin(n * speed + (d % 2) * np.pi / 2) for n in range(N)])
    return np.array(table).reshape(D, N)


@right("sinusoids")
def sinusoids_b_pytorch_tutorial_turned(D, N, base=10000):
    pe = np.zeros((N, D))
    pos = np.arange(N).reshape(-1, 1)
    div = np.exp(np.arange(0, D, 2) * -(np.log(base) / D))
    pe[:, 0::2] = np.sin(pos * div)
    pe[:, 1::2] = np.cos(pos * div[: D // 2])
    return pe.T


# did: uses the row number in the exponent, so the cosine of a pair turns slower than its sine
@wrong("sinusoids", named="waves_exponent_row_by_row")
def sinusoids_b_every_row_its_own_speed(D, N, base=10000):
    Pi = np.zeros((D, N))
    for r in range(D):
        for n in range(N):
            w = n / base ** (r / D)
            Pi[r, n] = np.sin(w) if r % 2 == 0 else np.cos(w)
    return Pi


# did: doubles the even row number in the exponent: base**(2 * row / D)
@wrong("sinusoids", named="waves_exponent_doubled")
def sinusoids_b_two_times_the_even_row(D, N, base=10000):
    out = np.zeros((D, N))
    position = np.arange(N)
    for row in range(0, D, 2):
        theta = position / base ** (2 * row / D)
        out[row] = np.sin(theta)
        if row + 1 < D:
            out[row + 1] = np.cos(theta)
    return out


# did: puts all sines into the upper half and all cosines into the lower half
@wrong("sinusoids", named="waves_in_halves")
def sinusoids_b_halves(D, N, base=10000):
    i = np.arange((D + 1) // 2).reshape(-1, 1)
    ang = np.arange(N) / base ** (2 * i / D)
    return np.vstack([np.sin(ang), np.cos(ang)])[:D]


# did: counts positions from 1
@wrong("sinusoids", named="waves_from_position_1")
def sinusoids_b_matlab_positions(D, N, base=10000):
    t = np.linspace(1, N, N)
    rows = np.arange(D)
    w = base ** (-2.0 * (rows // 2) / D)
    angle = w[:, None] * t[None, :]
    even = (rows % 2 == 0)[:, None]
    return np.where(even, np.sin(angle), np.cos(angle))


# did: ignores the argument base and always takes 10000
@wrong("sinusoids", named="waves_base_by_heart")
def sinusoids_b_constant_base(D, N, base=10000):
    encoding = np.zeros((D, N))
    for pos in range(N):
        for k in range(0, D, 2):
            a = pos / np.power(10000, k / D)
            encoding[k, pos] = np.sin(a)
            if k != D - 1:
                encoding[k + 1, pos] = np.cos(a)
    return encoding


# did: cosine above, sine below
@wrong("sinusoids", named="waves_exchanged")
def sinusoids_b_cosine_first(D, N, base=10000):
    d, n = np.indices((D, N))
    phase = n / base ** (2 * (d // 2) / D)
    Pi = np.cos(phase)
    Pi[1::2] = np.sin(phase)[1::2]
    return Pi


# did: the angles are multiplied by base**(2i/D) where they are divided: higher pairs turn faster
@wrong("sinusoids", named="waves_faster_and_faster")
def sinusoids_b_faster_and_faster(D, N, base=10000):
    pair = np.arange(D) // 2
    freq = base ** (2 * pair / D)
    args = np.outer(freq, np.arange(N))
    waves = np.sin(args)
    waves[1::2, :] = np.cos(args[1::2, :])
    return waves


# did: the exponent of pair i is i over the number of the last pair, not 2i over D
@wrong("sinusoids", named="waves_exponent_ends_at_1")
def sinusoids_b_tensor2tensor_spacing(D, N, base=10000):
    pairs = np.arange(D) // 2
    last = max(pairs[-1], 1)
    angle = np.arange(N)[None] / base ** (pairs[:, None] / last)
    return np.where(np.arange(D)[:, None] % 2, np.cos(angle), np.sin(angle))


# did: an odd D ends on a cosine: the last row is overwritten
@wrong("sinusoids", named="waves_odd_row_cosine")
def sinusoids_b_last_row_overwritten(D, N, base=10000):
    P = np.empty((D, N))
    n = np.arange(N)
    for i in range((D + 1) // 2):
        theta = n * base ** (-2 * i / D)
        P[2 * i] = np.sin(theta)
        P[min(2 * i + 1, D - 1)] = np.cos(theta)
    return P


# did: degrees: multiplies the angle by pi / 180
@wrong("sinusoids", named="waves_in_degrees")
def sinusoids_b_degrees(D, N, base=10000):
    r = np.arange(D)[:, None]
    angle = np.deg2rad(np.arange(N) / base ** (2 * (r // 2) / D))
    return np.where(r % 2 == 0, np.sin(angle), np.cos(angle))


# --- 5.4 add_positions


@right("add_positions")
def placed_b_column_by_column(X, Pi):
    return np.array([x + p for x, p in zip(X.T, Pi.T)]).T


@right("add_positions")
def placed_b_identity_blocks(X, Pi):
    both = np.concatenate([X, Pi])
    eye = np.eye(len(X))
    return np.hstack([eye, eye]) @ both


# did: appends the positions below the tokens
@wrong("add_positions", named="positions_below_the_tokens")
def placed_b_appended_below(X, Pi):
    return np.append(X, Pi, axis=0)


# did: scales the tokens by the root of D before the positions are added
@wrong("add_positions", named="tokens_times_root_D")
def placed_b_scaled_embedding(X, Pi):
    d_model = X.shape[0]
    return X * np.sqrt(d_model) + Pi


# did: adds the first column of positions to every token
@wrong("add_positions", named="position_0_for_all")
def placed_b_one_column_for_all(X, Pi):
    result = np.zeros(X.shape)
    for n in range(X.shape[1]):
        result[:, n] = X[:, n] + Pi[:, 0]
    return result


# did: adds sinusoids of its own and does not look at Pi
@wrong("add_positions", named="waves_whatever_is_given")
def placed_b_own_waves(X, Pi):
    return X + sinusoids(*X.shape)


# did: uses `.sum` of a stack along the wrong axis, so rows are added up
@wrong("add_positions")
def placed_b_summed_over_rows(X, Pi):
    stacked = np.stack([X, Pi])
    return stacked.sum(axis=1)


# --- 5.5 relative_bias


@right("relative_bias")
def bias_b_sliding_windows(pi, N):
    rows = np.lib.stride_tricks.sliding_window_view(pi, N)
    return rows[:, ::-1]


@right("relative_bias")
def bias_b_sum_of_diagonals(pi, N):
    B = np.zeros((N, N))
    for offset in range(-(N - 1), N):
        B = B + pi[offset + N - 1] * np.eye(N, k=-offset)
    return B


# did: takes query minus key: mirrored at the diagonal
@wrong("relative_bias", named="bias_pi_backward | bias_query_minus_key")
def bias_b_windows_not_reversed_and_flipped(pi, N):
    return np.array([[pi[q - k + N - 1] for q in range(N)] for k in range(N)])


# did: takes the distance without its sign
@wrong("relative_bias", named="bias_alike_on_both_sides")
def bias_b_absolute_distance(pi, N):
    a = np.arange(N).reshape(N, 1)
    b = np.arange(N).reshape(1, N)
    return pi[np.abs(a - b) + N - 1]


# did: leaves out the shift by N - 1, so that negative offsets count from the end
@wrong("relative_bias", named="bias_index_from_the_end")
def bias_b_python_counts_from_the_end(pi, N):
    idx = np.subtract.outer(np.arange(N), np.arange(N))
    return pi[idx]


# did: shifts by N where it should be N - 1
@wrong("relative_bias")
def bias_b_shift_by_n(pi, N):
    B = np.zeros((N, N))
    for a in range(N):
        for b in range(N):
            B[a, b] = pi[a - b + N]
    return B


# did: depends on the sum of the positions: the same along the other diagonals
@wrong("relative_bias", named="bias_of_the_sum")
def bias_b_hankel(pi, N):
    return np.array([pi[start : start + N] for start in range(N)])


# --- 5.6 attention_with_bias


@right("attention_with_bias")
def biased_b_query_by_query(Q, K, V, B):
    columns = []
    for n in range(Q.shape[1]):
        s = [float(K[:, m] @ Q[:, n]) / len(Q) ** 0.5 + B[m, n] for m in range(K.shape[1])]
        top = max(s)
        w = np.array([np.exp(x - top) for x in s])
        columns.append(V @ w / w.sum())
    return np.column_stack(columns)


@right("attention_with_bias")
def biased_b_rows_of_pytorch(Q, K, V, B):
    query, key, value = Q.T, K.T, V.T
    logits = query @ key.T * query.shape[-1] ** -0.5 + B.T
    logits = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
    return (np.exp(logits) @ value).T


# did: adds the bias to the products before the division by the root, so that it is divided too
@wrong("attention_with_bias", named="bias_divided_too")
def biased_b_inside_the_fraction(Q, K, V, B):
    dim = Q.shape[0]
    energy = (K.T @ Q + B) / np.sqrt(dim)
    energy = energy - energy.max(axis=0)
    p = np.exp(energy)
    p = p / p.sum(axis=0)
    return V @ p


# did: adds the bias to the weights, after softmax
@wrong("attention_with_bias")
def biased_b_after_softmax(Q, K, V, B):
    A = softmax_cols(scaled_scores(Q, K))
    shifted = A + np.where(np.isfinite(B), B, 0)
    return V @ shifted


# did: multiplies the scores by the bias, instead of adding it
@wrong("attention_with_bias", named="bias_times_the_scores")
def biased_b_times(Q, K, V, B):
    s = scaled_scores(Q, K) * B
    a = softmax_cols(s)
    return weighted_values(a, V)


# did: takes the bias into the exponential without subtracting any maximum
@wrong("attention_with_bias")
def biased_b_naive_exponentials(Q, K, V, B):
    num = np.exp(K.T @ Q / np.sqrt(K.shape[0])) * np.exp(B)
    return V @ (num / num.sum(axis=0, keepdims=True))


# did: no division by the root of D_q
@wrong("attention_with_bias", named="no_scale")
def biased_b_unscaled(Q, K, V, B):
    weights = softmax_cols(K.T.dot(Q) + B)
    return V.dot(weights)


# did: divides by the root of the number of keys
@wrong("attention_with_bias", named="scale_by_the_number_of_keys")
def biased_b_root_of_key_count(Q, K, V, B):
    n_keys = K.T.shape[0]
    logits = np.einsum("dk,dq->kq", K, Q) / n_keys**0.5
    logits = logits + B
    m = np.max(logits, axis=0, keepdims=True)
    expd = np.exp(logits - m)
    return np.einsum("vk,kq->vq", V, expd / np.sum(expd, axis=0, keepdims=True))


# did: subtracts the bias
@wrong("attention_with_bias")
def biased_b_minus(Q, K, V, B):
    scores = scaled_scores(Q, K)
    penalty = np.where(np.isinf(B), np.inf, B)
    scores = scores - penalty
    return weighted_values(softmax_cols(scores), V)


# did: uses the bias as a switch: where it is 0 or more a key counts, elsewhere it is hidden
@wrong("attention_with_bias")
def biased_b_as_boolean_mask(Q, K, V, B):
    scores = scaled_scores(Q, K)
    masked = np.where(B < 0, -1e9, scores)
    return weighted_values(softmax_cols(masked), V)


# did: takes one maximum and one total over all queries: all weights together sum to one
@wrong("attention_with_bias", named="one_softmax_for_all")
def biased_b_softmax_over_everything(Q, K, V, B):
    z = scaled_scores(Q, K) + B
    e = np.exp(z - z.max())
    return V @ (e / e.sum())


# --- 5.7 rope


@right("rope")
def rope_b_complex_multiplication(Z, positions):
    D, N = Z.shape
    if D & 1:
        raise ValueError(f"an odd number of rows, {D=}")
    z = Z[::2] + 1j * Z[1::2]
    speeds = 10000.0 ** -(np.arange(0, D, 2) / D)
    z = z * np.exp(1j * np.outer(speeds, positions))
    return np.stack([z.real, z.imag], axis=1).reshape(D, N)


@right("rope")
def rope_b_block_diagonal_per_token(Z, positions):
    if len(Z) % 2:
        raise ValueError(f"cannot pair {len(Z)} rows")
    columns = []
    for z, p in zip(Z.T, positions):
        R = np.eye(len(Z))
        for i in range(0, len(Z), 2):
            c, s = np.cos(p * 10000 ** (-i / len(Z))), np.sin(p * 10000 ** (-i / len(Z)))
            R[i : i + 2, i : i + 2] = [[c, -s], [s, c]]
        columns.append(R @ z)
    return np.array(columns).T


# did: turns clockwise
@wrong("rope", named="rope_clockwise")
def rope_b_clockwise(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"D={D} must be even")
    w = 1.0 / 10000 ** (np.arange(0, D, 2) / D)
    ang = w[:, None] * positions[None, :]
    c, s = np.cos(ang), np.sin(ang)
    x, y = Z[0::2], Z[1::2]
    out = np.empty(Z.shape)
    out[0::2] = c * x + s * y
    out[1::2] = c * y - s * x
    return out


# did: pairs row i with row i + D/2, as Llama does
@wrong("rope", named="rope_halves_for_pairs")
def rope_b_rotate_half(Z, positions):
    D = Z.shape[0]
    if D % 2 == 1:
        raise ValueError("D = " + str(D) + " is odd")
    inv_freq = 1.0 / (10000 ** (np.arange(0, D, 2) / D))
    freqs = np.outer(inv_freq, positions)
    emb = np.concatenate([freqs, freqs])
    half = D // 2
    rotated = np.concatenate([-Z[half:], Z[:half]])
    return Z * np.cos(emb) + rotated * np.sin(emb)


# did: numbers the columns 0, 1, 2 and does not look at positions
@wrong("rope", named="rope_columns_for_positions")
def rope_b_arange_for_positions(Z, positions):
    D, N = Z.shape
    if D % 2 != 0:
        raise ValueError(f"{D}")
    out = np.zeros((D, N))
    for n in range(N):
        for i in range(D // 2):
            t = n / 10000 ** (2 * i / D)
            a, b = Z[2 * i, n], Z[2 * i + 1, n]
            out[2 * i, n] = a * np.cos(t) - b * np.sin(t)
            out[2 * i + 1, n] = a * np.sin(t) + b * np.cos(t)
    return out


# did: the second row of a pair is made from the first one after that is already turned
@wrong("rope", named="rope_first_row_already_new")
def rope_b_already_turned(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"odd D: {D}")
    R = Z.astype(float)
    theta = positions * 10000.0 ** (-np.arange(0, D, 2)[:, None] / D)
    R[::2] = R[::2] * np.cos(theta) - R[1::2] * np.sin(theta)
    R[1::2] = R[::2] * np.sin(theta) + R[1::2] * np.cos(theta)
    return R


# did: leaves out the 2 in the exponent: pair i turns by position / 10000**(i / D)
@wrong("rope", named="rope_exponent_halved")
def rope_b_exponent_without_two(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"D is {D}")
    pair = np.arange(D // 2)[:, None]
    phi = positions / 10000 ** (pair / D)
    even, odd = Z[0::2], Z[1::2]
    new_even = even * np.cos(phi) - odd * np.sin(phi)
    new_odd = even * np.sin(phi) + odd * np.cos(phi)
    return np.stack([new_even, new_odd], axis=1).reshape(Z.shape)


# did: all right, but the turned rows stand as two halves, not in pairs
@wrong("rope", named="rope_halves_written")
def rope_b_halves_put_together(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"D is {D}")
    phi = np.outer(10000 ** (-np.arange(0, D, 2) / D), positions)
    a = Z[0::2] * np.cos(phi) - Z[1::2] * np.sin(phi)
    b = Z[0::2] * np.sin(phi) + Z[1::2] * np.cos(phi)
    return np.vstack([a, b])


# did: an odd D is not refused, its last row stays as it was
@wrong("rope")
def rope_b_last_row_untouched(Z, positions):
    out = Z.copy()
    D = len(Z)
    for i in range(0, D - 1, 2):
        angle = positions / 10000 ** (i / D)
        out[i] = Z[i] * np.cos(angle) - Z[i + 1] * np.sin(angle)
        out[i + 1] = Z[i] * np.sin(angle) + Z[i + 1] * np.cos(angle)
    return out


# did: the message of the ValueError does not name D
@wrong("rope")
def rope_b_message_without_number(Z, positions):
    if Z.shape[0] % 2 == 1:
        raise ValueError("the number of rows must be even")
    z = Z[0::2] + Z[1::2] * 1j
    k = np.arange(len(z))[:, np.newaxis]
    z = z * np.exp(1j * positions / 10000 ** (2 * k / Z.shape[0]))
    result = np.zeros(Z.shape)
    result[0::2], result[1::2] = z.real, z.imag
    return result


# did: adds the waves of the position to the pairs, as in 5.4, and turns nothing
@wrong("rope", named="rope_waves_added")
def rope_b_added_waves(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"D = {D}")
    angle = positions / 10000 ** (np.arange(0, D, 2)[:, None] / D)
    out = Z + 0.0
    out[0::2] += np.sin(angle)
    out[1::2] += np.cos(angle)
    return out


# --- 5.8 look_back


@right("look_back")
def look_back_b_kron_and_sums(D, c, base=10000):
    omega_k = np.zeros((D, D))
    for i in range(D // 2):
        here = np.zeros((D // 2, D // 2))
        here[i, i] = c
        t = base ** (-2 * i / D)
        omega_k += np.kron(here, [[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]])
    return np.diag([c] * D), omega_k


@right("look_back")
def look_back_b_diagonals(D, c, base=10000):
    theta = 1 / base ** (np.arange(0, D, 2) / D)
    cosines = np.repeat(np.cos(theta), 2)
    sines = np.zeros(D - 1)
    sines[::2] = np.sin(theta)
    R = np.diag(cosines) + np.diag(sines, 1) - np.diag(sines, -1)
    return [c * np.identity(D), c * R]


# did: the blocks turn the other way, one position back
@wrong("look_back", named="look_one_step_ahead")
def look_back_b_rotation_from_the_textbook(D, c, base=10000):
    omega_q, omega_k = c * np.eye(D), np.zeros((D, D))
    for i in range(D // 2):
        th = base ** (-2 * i / D)
        rotation = np.array([[np.cos(th), -np.sin(th)], [np.sin(th), np.cos(th)]])
        omega_k[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = c * rotation
    return omega_q, omega_k


# did: omega_k is not multiplied by c
@wrong("look_back", named="look_no_c_in_the_keys")
def look_back_b_sharp_queries_only(D, c, base=10000):
    K = np.zeros((D, D))
    for r in range(0, D, 2):
        a = base ** (-r / D)
        K[r, r] = K[r + 1, r + 1] = np.cos(a)
        K[r, r + 1], K[r + 1, r] = np.sin(a), -np.sin(a)
    return np.eye(D) * c, K


# did: every pair turns by 1, the angle of the first
@wrong("look_back", named="look_one_speed")
def look_back_b_same_angle_in_all_blocks(D, c, base=10000):
    block = [[np.cos(1), np.sin(1)], [-np.sin(1), np.cos(1)]]
    step = np.kron(np.eye(D // 2), block)
    return c * np.eye(D), c * step


# did: omega_k first
@wrong("look_back")
def look_back_b_key_comes_first(D, c, base=10000):
    R = np.zeros((D, D))
    for i in range(0, D, 2):
        t = 1 / base ** (i / D)
        R[i : i + 2, i : i + 2] = [[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]
    return c * R, c * np.eye(D)


# did: base is left at 10000
@wrong("look_back", named="look_base_by_heart")
def look_back_b_ten_thousand(D, c, base=10000):
    theta = 10000.0 ** (-np.arange(0, D, 2) / D)
    R = np.zeros((D, D))
    e, o = np.arange(0, D, 2), np.arange(1, D, 2)
    R[e, e] = R[o, o] = np.cos(theta)
    R[e, o] = np.sin(theta)
    R[o, e] = -np.sin(theta)
    return c * np.eye(D), c * R
