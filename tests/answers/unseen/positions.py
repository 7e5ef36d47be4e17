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
