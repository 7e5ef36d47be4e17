"""Notebook 5: right answers in unusual styles, and wrong ones; the letters are those of our list of mistakes."""
# ruff: noqa: F821  an answer uses the functions of earlier exercises, and sometimes the notebook's data

import numpy as np

from answers import right, right_cell, wrong, wrong_cell

# ============================================================ 5.1 permute_columns: right


@right("permute_columns")
def taken_along_the_axis(X, perm):
    return np.take(X, perm, axis=1)


@right("permute_columns")
def column_after_column(X, perm):
    out = np.zeros_like(X)
    for j, source in enumerate(perm):
        out[:, j] = X[:, source]
    return out


@right("permute_columns")
def times_a_permutation_matrix(X, perm):
    P = np.zeros((len(perm), len(perm)))
    P[perm, np.arange(len(perm))] = 1
    return X @ P


@right("permute_columns")
def times_rows_of_the_identity_turned(X, perm):
    return X @ np.eye(X.shape[1])[perm].T


@right("permute_columns")
def columns_stacked(X, perm):
    return np.column_stack([X[:, p] for p in perm])


@right("permute_columns")
def rows_turned_at_the_end(X, perm):
    return X.T[perm].T


@right("permute_columns")
def scattered_with_the_inverse(X, perm):
    inverse = np.argsort(perm)
    out = np.empty(X.shape)
    out[:, :] = X
    for j in range(X.shape[1]):
        out[:, inverse[j]] = X[:, j]
    return out


@right("permute_columns")
def a_list_of_lists(X, perm):
    return [[row[p] for p in perm] for row in X.tolist()]


@right("permute_columns")
def float32_columns(x, order):
    return x.astype(np.float32)[:, list(order)]


# ============================================================ 5.1 permute_columns: wrong


@wrong("permute_columns", says="row 1, column 1 is 2, expected 3", named="columns_sent_away")
def the_inverse_order(X, perm):
    out = np.zeros_like(X)
    out[:, perm] = X
    return out


@wrong("permute_columns", says="row 1, column 1 is 2, expected 3", named="columns_sent_away")
def the_inverse_by_argsort(X, perm):
    return X[:, np.argsort(perm)]


@wrong("permute_columns", says="Index 2 is asked for; along axis 0 there are 2", named="order_picks_rows")
def rows_permuted(X, perm):
    return X[perm]


@wrong("permute_columns", says="wrong on an example with D = N")
def rows_permuted_where_they_are_as_many(X, perm):
    return X[perm] if X.shape[0] == X.shape[1] else X[:, perm]


@wrong("permute_columns", says="changed its argument `X`")
def shuffled_in_place(X, perm):
    X[:] = X[:, perm]
    return X


@wrong("permute_columns", says="row 1, column 2 is 2, expected 1")
def a_random_order(X, perm):  # seeded here, so that the verdict is always this one
    return X[:, np.random.RandomState(0).permutation(X.shape[1])]


@wrong("permute_columns", says="row 1, column 1 is 1, expected 3", named="order_not_used")
def the_order_sorted(X, perm):
    return X[:, np.sort(perm)]


@wrong("permute_columns", says="row 1, column 1 is 1, expected 3", named="order_not_used")
def nothing_moved(X, perm):
    return X.copy()


@wrong("permute_columns", says="expected (2, 3)")
def a_pair_of_lists_as_index(X, perm):
    return X[np.arange(X.shape[0]), perm[: X.shape[0]]]


@wrong(
    "permute_columns",
    says="right on the paper example, wrong on an example of other sizes",
    named="columns_rolled_right",
)
def shifted_by_one(X, perm):
    return np.roll(X, 1, axis=1)


@wrong("permute_columns", says="Index 3 is asked for; along axis 1 there are 3")
def counted_from_one(X, perm):
    return X[:, perm + 1]


@wrong("permute_columns", says="row 1, column 1 is 2, expected 3", named="order_one_down")
def counted_from_one_down(X, perm):
    return X[:, perm - 1]


@wrong("permute_columns", says="uses `X`, which the notebook holds")
def global_tokens(tokens, perm):
    return X[:, perm]


# ============================================================ 5.2 equivariance_gap: right


@right("equivariance_gap")
def in_one_line(f, X, perm):
    return np.abs(f(X[:, perm]) - f(X)[:, perm]).max()


@right("equivariance_gap")
def shuffled_back_instead(f, X, perm):
    # The same differences, each in another column: their largest is the same.
    back = np.argsort(perm)
    return float(np.max(np.abs(permute_columns(f(permute_columns(X, perm)), back) - f(X))))


@right("equivariance_gap")
def number_by_number(f, X, perm):
    before, after = f(permute_columns(X, perm)), f(X)
    largest = 0.0
    for row in range(before.shape[0]):
        for j in range(before.shape[1]):
            difference = before[row, j] - after[row, perm[j]]
            if difference < 0:
                difference = -difference
            largest = max(largest, difference)
    return largest


@right("equivariance_gap")
def larger_of_both_signs(f, X, perm):
    difference = f(permute_columns(X, perm)) - permute_columns(f(X), perm)
    return max(difference.max(), -difference.min())


@right("equivariance_gap")
def by_the_norm_of_the_flat_difference(f, X, perm):
    return np.linalg.norm((f(permute_columns(X, perm)) - permute_columns(f(X), perm)).ravel(), ord=np.inf)


@right("equivariance_gap")
def with_a_permutation_matrix(f, X, perm):
    P = np.eye(len(perm))[:, perm]
    return np.max(np.abs(f(X @ P) - f(X) @ P))


@right("equivariance_gap")
def other_argument_names(function, tokens, order):
    return np.ptp([0.0, np.abs(function(tokens[:, order]) - function(tokens)[:, order]).max()])


# ============================================================ 5.2 equivariance_gap: wrong


@wrong("equivariance_gap", says="the result is 2.667, expected 4", named="gap_mean")
def the_mean_difference(f, X, perm):
    return np.mean(np.abs(f(permute_columns(X, perm)) - permute_columns(f(X), perm)))


@wrong("equivariance_gap", says="the result is 2, expected 4", named="gap_signed")
def the_sign_kept(f, X, perm):
    return np.max(f(permute_columns(X, perm)) - permute_columns(f(X), perm))


@wrong(
    "equivariance_gap",
    says="right on the paper example, wrong on an example of other sizes",
    named="gap_signed_the_other_way",
)
def the_sign_kept_the_other_way(f, X, perm):
    return np.max(permute_columns(f(X), perm) - f(permute_columns(X, perm)))


@wrong("equivariance_gap", says="the result is 3, expected 4", named="gap_old_order_in_f")
def only_the_output_permuted(f, X, perm):
    return np.max(np.abs(f(X) - permute_columns(f(X), perm)))


@wrong(
    "equivariance_gap",
    says="the result is 1, expected 4",
    named="gap_reordered_before_and_after | gap_result_not_reordered",
)
def the_output_not_permuted(f, X, perm):
    return np.max(np.abs(f(permute_columns(X, perm)) - f(X)))


@wrong(
    "equivariance_gap",
    says="the result is 1, expected 4",
    named="gap_reordered_before_and_after | gap_result_not_reordered",
)
def permuted_twice_before(f, X, perm):
    return np.max(np.abs(permute_columns(f(permute_columns(X, perm)), perm) - permute_columns(f(X), perm)))


@wrong("equivariance_gap", says="the result is 3, expected 4", named="gap_inverse_after")
def permuted_back_after(f, X, perm):
    return np.max(np.abs(f(permute_columns(X, perm)) - permute_columns(f(X), np.argsort(perm))))


@wrong("equivariance_gap", says="the result is 8, expected 4", named="gap_sum")
def the_sum_of_differences(f, X, perm):
    return np.sum(np.abs(f(permute_columns(X, perm)) - permute_columns(f(X), perm)))


@wrong("equivariance_gap", says="the result is 4.899, expected 4", named="gap_length")
def the_length_of_the_difference(f, X, perm):
    return np.linalg.norm(f(permute_columns(X, perm)) - permute_columns(f(X), perm))


@wrong("equivariance_gap", says="expected ()", named="gap_for_each_token")
def one_number_a_token(f, X, perm):
    return np.max(np.abs(f(permute_columns(X, perm)) - permute_columns(f(X), perm)), axis=0)


@wrong("equivariance_gap", says="expected ()", named="gap_all_differences")
def the_whole_difference(f, X, perm):
    return np.abs(f(permute_columns(X, perm)) - permute_columns(f(X), perm))


@wrong("equivariance_gap", says="is True or False, expected a number")
def whether_they_differ(f, X, perm):
    return not np.allclose(f(permute_columns(X, perm)), permute_columns(f(X), perm))


@wrong("equivariance_gap", says="the result is 0, expected 4", named="gap_always_0 | order_not_used")
def the_function_left_out(f, X, perm):
    return np.max(np.abs(permute_columns(X, perm) - X[:, perm]))


@wrong("equivariance_gap", says="changed its argument `X`")
def tokens_shuffled_in_place(f, X, perm):
    after = permute_columns(f(X), perm)
    X[:] = permute_columns(X, perm)
    return np.max(np.abs(f(X) - after))


@wrong("equivariance_gap", says="which the notebook holds but the cell does not")
def the_notebooks_own_heads(f, X, perm):
    before = multihead(permute_columns(X, perm), heads, omega_c)
    return np.max(np.abs(before - permute_columns(multihead(X, heads, omega_c), perm)))


# ============================================================ 5.3 sinusoids: right


@right("sinusoids")
def number_by_number_with_math(D, N, base=10000):
    import math

    Pi = np.zeros((D, N))
    for row in range(D):
        for n in range(N):
            angle = n / base ** (2 * (row // 2) / D)
            Pi[row, n] = math.sin(angle) if row % 2 == 0 else math.cos(angle)
    return Pi


@right("sinusoids")
def every_second_row_assigned(D, N, base=10000):
    Pi = np.empty((D, N))
    even = np.arange(0, D, 2)
    angles = np.arange(N) / np.power(float(base), even / D)[:, None]
    Pi[0::2] = np.sin(angles)
    Pi[1::2] = np.cos(angles[: D // 2])
    return Pi


@right("sinusoids")
def a_quarter_turn_for_the_cosine(D, N, base=10000):
    rows = np.arange(D)
    return np.sin(np.outer(base ** -((rows - rows % 2) / D), np.arange(N)) + (rows % 2)[:, None] * np.pi / 2)


@right("sinusoids")
def by_logarithms(D, N, base=10000):
    speeds = np.exp(-np.log(base) * 2 * (np.arange(D) // 2) / D)
    table = np.outer(np.arange(N), speeds)  # one position a row, turned at the end
    table[:, 0::2], table[:, 1::2] = np.sin(table[:, 0::2]), np.cos(table[:, 1::2])
    return table.T


@right("sinusoids")
def complex_hands(D, N, base=10000):
    pairs = np.arange((D + 1) // 2)
    hands = np.exp(1j * np.arange(N)[None, :] / base ** (2 * pairs[:, None] / D))
    return np.stack([hands.imag, hands.real], axis=1).reshape(-1, N)[:D]


@right("sinusoids")
def one_step_after_another(D, N, base=10000):
    pairs = (D + 1) // 2
    column = np.tile([0.0, 1.0], pairs)
    columns = []
    for _ in range(N):
        columns.append(column[:D])
        after = np.zeros(2 * pairs)
        for i in range(pairs):
            step = base ** (-2 * i / D)
            s, c = column[2 * i], column[2 * i + 1]
            after[2 * i] = s * np.cos(step) + c * np.sin(step)
            after[2 * i + 1] = c * np.cos(step) - s * np.sin(step)
        column = after
    return np.array(columns).T


@right("sinusoids")
def float32_waves(D, N, base=10000.0):
    i = np.arange(D)[:, None] // 2
    angles = np.arange(N)[None, :] / base ** (2 * i / D)
    return np.where(np.arange(D)[:, None] % 2, np.cos(angles), np.sin(angles)).astype(np.float32)


@right("sinusoids")
def lists_joined(D, N, base=10000):
    def wave(row, n):
        return (np.sin, np.cos)[row % 2](n * base ** (-(row - row % 2) / D))

    return [[wave(row, n) for n in range(N)] for row in range(D)]


# ============================================================ 5.3 sinusoids: wrong


@wrong("sinusoids", says="right on the paper example, wrong on an example of other sizes", named="waves_in_halves")
def halves_stacked(D, N, base=10000):  # E1
    angles = np.arange(N) / base ** (2 * np.arange((D + 1) // 2)[:, None] / D)
    return np.vstack([np.sin(angles), np.cos(angles[: D // 2])])


@wrong("sinusoids", says="row 1, column 1 is 1, expected 0", named="waves_exchanged")
def sine_and_cosine_exchanged(D, N, base=10000):  # E2
    rows = np.arange(D)[:, None]
    angles = np.arange(N) / base ** (2 * (rows // 2) / D)
    return np.where(rows % 2, np.sin(angles), np.cos(angles))


@wrong("sinusoids", says="row 1, column 1 is 0.841, expected 0", named="waves_from_position_1")
def positions_from_one(D, N, base=10000):  # E3
    rows = np.arange(D)[:, None]
    angles = np.arange(1, N + 1) / base ** (2 * (rows // 2) / D)
    return np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong("sinusoids", says="row 2, column 2 is 1.000, expected 0.540, on the paper example", named="waves_row_for_pair")
def the_row_for_the_pair(D, N, base=10000):  # E4
    rows = np.arange(D)[:, None]
    angles = np.arange(N) / base ** (2 * rows / D)
    return np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong(
    "sinusoids",
    says="row 2, column 2 is 1.000, expected 0.540, on the paper example",
    named="waves_cosine_of_the_next_pair",
)
def the_next_pair_for_the_cosine(D, N, base=10000):  # E5
    rows = np.arange(D)[:, None]
    angles = np.arange(N) / base ** (2 * ((rows + 1) // 2) / D)
    return np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong(
    "sinusoids",
    says="row 2, column 2 is 1.000, expected 0.540, on the paper example",
    named="waves_exponent_row_by_row",
)
def the_row_itself_over_d(D, N, base=10000):
    rows = np.arange(D)[:, None]
    angles = np.arange(N) / base ** ((rows - 1 + rows % 2) / D)
    angles[0::2] = np.arange(N) / base ** (rows[0::2] / D)
    return np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong("sinusoids", named="waves_exponent_halved")
def the_factor_2_lost(D, N, base=10000):  # E7
    rows = np.arange(D)[:, None]
    angles = np.arange(N) / base ** ((rows // 2) / D)
    return np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong("sinusoids", named="waves_base_1000")
def base_1000(D, N, base=1000):  # E8
    rows = np.arange(D)[:, None]
    angles = np.arange(N) / base ** (2 * (rows // 2) / D)
    return np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong("sinusoids", says="wrong on an example with base 50", named="waves_base_by_heart")
def base_by_heart(D, N, base=10000):
    rows = np.arange(D)[:, None]
    angles = np.arange(N) / 10000 ** (2 * (rows // 2) / D)
    return np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong("sinusoids", named="waves_base_e")
def base_e(D, N, base=10000):  # E9
    rows = np.arange(D)[:, None]
    angles = np.arange(N) / np.exp(2 * (rows // 2) / D)
    return np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong("sinusoids", named="waves_faster_and_faster")
def the_sign_of_the_exponent_flipped(D, N, base=10000):  # E10
    rows = np.arange(D)[:, None]
    angles = np.arange(N) * base ** (2 * (rows // 2) / D)
    return np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong("sinusoids", says="row 1, column 2 is 0, expected 0.841")
def base_and_exponent_exchanged(D, N, base=10000):  # E11
    rows = np.arange(D)[:, None]
    angles = np.arange(N) / (2 * (rows // 2) / D + 1e-9) ** (1 / base)
    angles[:2] = np.arange(N) * 0.0
    return np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong("sinusoids", named="waves_one_speed")
def divided_from_left_to_right(D, N, base=10000):  # E12
    rows = np.arange(D)[:, None]
    angles = np.arange(N) / base ** (2 * rows / D // 2)
    return np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong("sinusoids", named="waves_one_speed")
def whole_division_in_the_exponent(D, N, base=10000):  # E13
    rows = np.arange(D)[:, None]
    angles = np.arange(N) / base ** (2 * (rows // 2) // D)
    return np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong("sinusoids", says="nan or inf", named="waves_one_pair_less")
def one_pair_less_in_the_denominator(D, N, base=10000):  # E15
    rows = np.arange(D)[:, None]
    angles = np.arange(N) / base ** ((rows // 2) / np.float64(D / 2 - 1))
    return np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong("sinusoids", says="row 2, column 1 is 0, expected 1", named="waves_only_sines")
def only_sines(D, N, base=10000):  # E16
    rows = np.arange(D)[:, None]
    return np.sin(np.arange(N) / base ** (2 * (rows // 2) / D))


@wrong("sinusoids", says="row 1, column 2 is 0.017, expected 0.841", named="waves_in_degrees")
def degrees(D, N, base=10000):  # E17
    rows = np.arange(D)[:, None]
    angles = np.radians(np.arange(N) / base ** (2 * (rows // 2) / D))
    return np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong("sinusoids", named="waves_turned_over")
def one_position_a_row(D, N, base=10000):  # E18
    rows = np.arange(D)[None, :]
    angles = np.arange(N)[:, None] / base ** (2 * (rows // 2) / D)
    return np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong("sinusoids", says="wrong on an example with D = N")
def one_position_a_row_where_it_fits(D, N, base=10000):  # E18
    rows = np.arange(D)[:, None]
    angles = np.arange(N) / base ** (2 * (rows // 2) / D)
    Pi = np.where(rows % 2, np.cos(angles), np.sin(angles))
    return Pi.T if D == N else Pi


@wrong("sinusoids", says="on an example with an odd D")
def a_crash_where_d_is_odd(D, N, base=10000):  # E22
    Pi = np.zeros((D, N))
    angles = np.arange(N) / base ** (np.arange(0, D, 2)[:, None] / D)
    Pi[0::2] = np.sin(angles)
    Pi[1::2] = np.cos(angles)
    return Pi


@wrong("sinusoids", says="has shape (4, 3), expected (5, 3) = (D, N)", named="waves_last_row_lost")
def one_row_too_few_where_d_is_odd(D, N, base=10000):  # E22
    Pi = np.zeros((2 * (D // 2), N))
    angles = np.arange(N) / base ** (2 * np.arange(D // 2)[:, None] / D)
    Pi[0::2], Pi[1::2] = np.sin(angles), np.cos(angles)
    return Pi


@wrong("sinusoids", says="on an example with an odd D", named="waves_D_rounded_up")
def an_odd_d_made_even_in_the_exponent(D, N, base=10000):
    rows = np.arange(D)[:, None]
    angles = np.arange(N) / base ** (2 * (rows // 2) / (D + D % 2))
    return np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong("sinusoids", says="The position is 0 in every column.", named="waves_position_stays")
def the_position_never_advances(D, N, base=10000):
    Pi = np.zeros((D, N))
    position = 0
    for n in range(N):
        for i in range((D + 1) // 2):
            angle = position / base ** (2 * i / D)
            Pi[2 * i, n] = np.sin(angle)
            if 2 * i + 1 < D:
                Pi[2 * i + 1, n] = np.cos(angle)
    return Pi


# ============================================================ 5.4 add_positions: right


@right("add_positions")
def by_the_numpy_function(X, Pi):
    return np.add(X, Pi)


@right("add_positions")
def token_by_token(X, Pi):
    out = X.copy()
    for n in range(X.shape[1]):
        out[:, n] += Pi[:, n]
    return out


@right("add_positions")
def two_things_summed(tokens, places):
    return np.sum([tokens, places], axis=0)


@right("add_positions")
def lists_of_sums(X, Pi):
    return [[x + p for x, p in zip(row, places)] for row, places in zip(X, Pi)]


@right("add_positions")
def in_float32(X, Pi):
    return X.astype(np.float32) + Pi.astype(np.float32)


@right("add_positions")
def one_wide_product(X, Pi):
    identity = np.eye(X.shape[0])
    return np.hstack([identity, identity]) @ np.vstack([X, Pi])


# ============================================================ 5.4 add_positions: wrong


@wrong("add_positions", named="positions_alone")
def the_positions_alone(X, Pi):  # E21: the paper example's tokens are all alike
    return Pi


@wrong("add_positions", says="row 1, column 2 is 2, expected 2.841", named="tokens_without_positions")
def the_tokens_alone(X, Pi):  # E21
    return X.copy()


@wrong("add_positions", says="row 1, column 2 is 3.683, expected 2.841", named="positions_twice")
def added_twice(X, Pi):  # E21
    return X + 2 * Pi


@wrong("add_positions", says="expected (2, 3) = (D, N)", named="positions_below_the_tokens")
def one_above_the_other(X, Pi):  # E19
    return np.concatenate([X, Pi], axis=0)


@wrong("add_positions", says="expected (2, 3) = (D, N)", named="positions_beside_the_tokens")
def one_beside_the_other(X, Pi):
    return np.concatenate([X, Pi], axis=1)


@wrong("add_positions", named="position_0_for_all")
def one_position_for_all(X, Pi):  # E20
    return X + Pi[:, :1]


@wrong("add_positions", says="changed its argument `X`")
def added_in_place(X, Pi):  # H18
    X += Pi
    return X


@wrong("add_positions", says="changed its argument `Pi`")
def added_in_place_to_the_positions(X, Pi):  # H18
    Pi += X
    return Pi


@wrong("add_positions", says="row 1, column 1 is 2.828, expected 2", named="tokens_times_root_D")
def tokens_times_the_root(X, Pi):  # E23
    return X * np.sqrt(X.shape[0]) + Pi


@wrong("add_positions", says="entry by entry", named="positions_turned_over")
def positions_turned_over(X, Pi):
    return X + Pi.T


@wrong("add_positions", says="wrong on an example with D = N")
def positions_turned_over_where_they_fit(X, Pi):
    return X + (Pi.T if Pi.shape[0] == Pi.shape[1] else Pi)


@wrong("add_positions", says="row 1, column 1 is 0, expected 2", named="tokens_times_positions")
def multiplied(X, Pi):
    return X * Pi


@wrong("add_positions", says="right on the paper example, wrong", named="waves_whatever_is_given")
def the_waves_whatever_is_given(X, Pi):
    return X + sinusoids(*X.shape)


@wrong("add_positions", says="row 1, column 1 is 1, expected 2", named="mean_of_token_and_position")
def the_mean_of_both(X, Pi):
    return (X + Pi) / 2


# ============================================================ 5.5 relative_bias: right


@right("relative_bias")
def entry_by_entry(pi, N):
    B = np.zeros((N, N))
    for a in range(N):
        for b in range(N):
            B[a, b] = pi[a - b + N - 1]
    return B


@right("relative_bias")
def windows_of_pi_turned(pi, N):
    return [[pi[N - 1 + a - b] for b in range(N)] for a in range(N)]


@right("relative_bias")
def columns_are_windows(pi, N):
    return np.stack([pi[N - 1 - b : 2 * N - 1 - b] for b in range(N)], axis=1)


@right("relative_bias")
def rows_are_windows_backward(pi, N):
    return np.array([pi[a : a + N][::-1] for a in range(N)])


@right("relative_bias")
def outer_difference(pi, N):
    return pi[np.subtract.outer(np.arange(N), np.arange(N)) + N - 1]


@right("relative_bias")
def the_middle_found_from_pi(pi, N):
    # The length of pi is 2 N - 1, so its middle is N - 1.
    a, b = np.indices((N, N))
    return np.take(pi, a - b + len(pi) // 2)


@right("relative_bias")
def diagonal_by_diagonal(pi, N):
    return sum(pi[k + N - 1] * np.eye(N, k=-k) for k in range(1 - N, N))


@right("relative_bias")
def a_mirrored_table_turned_over(pi, N):
    rows, columns = np.ogrid[:N, :N]
    return pi.astype(np.float32)[columns - rows + N - 1].T


# ============================================================ 5.5 relative_bias: wrong


@wrong("relative_bias", named="bias_pi_backward | bias_query_minus_key")
def mirrored(pi, N):
    n = np.arange(N)
    return pi[n[None, :] - n[:, None] + N - 1]


@wrong("relative_bias", named="bias_pi_backward | bias_query_minus_key")
def pi_reversed(pi, N):
    n = np.arange(N)
    return pi[::-1][n[:, None] - n[None, :] + N - 1]


@wrong("relative_bias", says="Index 5 is asked for; along axis 0 there are 5")
def one_too_far(pi, N):
    n = np.arange(N)
    return pi[n[:, None] - n[None, :] + N]


@wrong("relative_bias", says="row 1, column 1 is -4, expected 0", named="bias_index_from_the_end")
def no_shift(pi, N):
    n = np.arange(N)
    return pi[n[:, None] - n[None, :]]


@wrong("relative_bias", says="row 1, column 1 is -4, expected 0", named="bias_size_is_the_index")
def the_distance_without_its_sign(pi, N):
    n = np.arange(N)
    return pi[np.abs(n[:, None] - n[None, :])]


@wrong("relative_bias", says="row 1, column 2 is -1, expected -2", named="bias_alike_on_both_sides")
def the_same_to_both_sides(pi, N):
    n = np.arange(N)
    return pi[np.abs(n[:, None] - n[None, :]) + N - 1]


@wrong("relative_bias", says="row 1, column 2 is -1, expected -2")
def the_sum_of_positions(pi, N):
    n = np.arange(N)
    return pi[(n[:, None] + n[None, :]) % N + N - 1]


@wrong("relative_bias", says="an axis is lost")
def one_query_only(pi, N):
    return pi[np.arange(N) + N - 1]


@wrong("relative_bias", says="expected (3, 3) = (N, N)", named="bias_one_column")
def one_column(pi, N):
    return pi[np.arange(N)[:, None] + N - 1]


@wrong("relative_bias", says="row 1, column 2 is -1, expected -2", named="bias_the_distances")
def the_distances_themselves(pi, N):
    n = np.arange(N)
    return n[:, None] - n[None, :]


@wrong("relative_bias", says="expected (3, 3) = (N, N)")
def as_many_as_pi(pi, N):
    n = np.arange(len(pi))
    return pi[(n[:, None] - n[None, :]) % len(pi)]


@wrong("relative_bias", says="right on the paper example, wrong on an example of another size")
def three_tokens_only(pi, N):
    n = np.arange(N)
    return pi[np.clip(n[:, None] - n[None, :] + 2, 0, len(pi) - 1)]


# ============================================================ 5.6 attention_with_bias: right


@right("attention_with_bias")
def in_one_product(Q, K, V, B):
    return V @ softmax_cols(K.T @ Q / np.sqrt(len(Q)) + B)


@right("attention_with_bias")
def query_by_query(Q, K, V, B):
    out = np.zeros((V.shape[0], Q.shape[1]))
    for n in range(Q.shape[1]):
        scores = np.array([K[:, m] @ Q[:, n] / len(Q) ** 0.5 + B[m, n] for m in range(K.shape[1])])
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        for m in range(K.shape[1]):
            out[:, n] += shares[m] * V[:, m]
    return out


@right("attention_with_bias")
def by_einsum(Q, K, V, B):
    scores = np.einsum("dm,dn->mn", K, Q) / Q.shape[0] ** 0.5 + B
    e = np.exp(scores - scores.max(axis=0))
    return np.einsum("vm,mn->vn", V, e / e.sum(axis=0))


@right("attention_with_bias")
def rows_turned_over_at_the_end(Q, K, V, B):
    scores = Q.T @ K / np.sqrt(Q.shape[0]) + B.T
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True) @ V.T).T


@right("attention_with_bias")
def the_bias_as_a_factor(Q, K, V, B):
    # e to a sum is a product: shares times e to the bias, divided by their sums, are the same shares.
    B = B - B.max(axis=0)
    A = softmax_cols(scaled_scores(Q, K)) * np.exp(B)
    return weighted_values(A / A.sum(axis=0), V)


@right("attention_with_bias")
def the_bias_as_more_rows(Q, K, V, B):
    # A bias is a dot product, too: with rows of the identity below the keys, rows of B below the queries.
    root = np.sqrt(Q.shape[0])
    queries = np.vstack([Q / root, np.maximum(B, -1e12)])
    keys = np.vstack([K, np.eye(K.shape[1])])
    return weighted_values(softmax_cols(keys.T @ queries), V)


@right("attention_with_bias")
def float32_mixture(Q, K, V, B):
    return weighted_values(softmax_cols(scaled_scores(Q, K) + B), V).astype(np.float32)


right_cell(
    "attention_with_bias",
    "a_helper_in_the_cell",
    """
def biased_weights(Q, K, B):
    return softmax_cols(scaled_scores(Q, K) + B)

def {name}(Q, K, V, B):
    return weighted_values(biased_weights(Q, K, B), V)
""",
)

# ============================================================ 5.6 attention_with_bias: wrong


@wrong(
    "attention_with_bias", says="row 1, column 1 is 17.388, expected 18, on the paper example", named="bias_divided_too"
)
def the_bias_before_the_scaling(Q, K, V, B):
    return weighted_values(softmax_cols((K.T @ Q + B) / np.sqrt(Q.shape[0])), V)


@wrong(
    "attention_with_bias",
    says="row 1, column 1 is 30.530, expected 18, on the paper example",
    named="bias_after_softmax",
)
def the_bias_after_softmax(Q, K, V, B):
    return weighted_values(softmax_cols(scaled_scores(Q, K)) + B, V)


@wrong(
    "attention_with_bias", says="row 1, column 1 is 18.571, expected 18, on the paper example", named="bias_turned_over"
)
def the_bias_turned_over(Q, K, V, B):
    return weighted_values(softmax_cols(scaled_scores(Q, K) + B.T), V)


@wrong("attention_with_bias", says="row 1, column 1 is 18.889, expected 18, on the paper example", named="no_scale")
def not_scaled(Q, K, V, B):
    return weighted_values(softmax_cols(K.T @ Q + B), V)


@wrong(
    "attention_with_bias",
    says="row 1, column 1 is 16.179, expected 18, on the paper example",
    named="bias_times_the_scores",
)
def the_bias_multiplied(Q, K, V, B):
    return weighted_values(softmax_cols(scaled_scores(Q, K) * B), V)


@wrong("attention_with_bias", says="row 1, column 1 is 15, expected 18, on the paper example", named="bias_subtracted")
def the_bias_subtracted(Q, K, V, B):
    return weighted_values(softmax_cols(scaled_scores(Q, K) - B), V)


@wrong(
    "attention_with_bias", says="row 1, column 1 is 16.667, expected 18, on the paper example", named="bias_forgotten"
)
def the_bias_forgotten(Q, K, V, B):
    return weighted_values(softmax_cols(scaled_scores(Q, K)), V)


@wrong("attention_with_bias", says="row 1, column 1 is 18.889, expected 18, on the paper example", named="bias_twice")
def the_bias_twice(Q, K, V, B):
    return weighted_values(softmax_cols(scaled_scores(Q, K) + 2 * B), V)


@wrong("attention_with_bias", says="row 1, column 1 is 10, expected 18, on the paper example")
def the_bias_added_to_the_values(Q, K, V, B):
    return weighted_values(softmax_cols(scaled_scores(Q, K)), V + B) if V.shape == B.shape else (V + B)[:1]


@wrong("attention_with_bias", says="expected (1, 2) = (D_v, N_q)", named="weights_for_the_mixture")
def the_weights_returned(Q, K, V, B):
    return softmax_cols(scaled_scores(Q, K) + B)


@wrong("attention_with_bias", says="returned a tuple of 2 arrays, expected one")
def output_and_weights(Q, K, V, B):
    A = softmax_cols(scaled_scores(Q, K) + B)
    return weighted_values(A, V), A


@wrong(
    "attention_with_bias", says="row 1, column 1 is 18.500, expected 18, on the paper example", named="rows_for_columns"
)
def softmax_along_the_rows(Q, K, V, B):  # S1
    return weighted_values(softmax_cols((scaled_scores(Q, K) + B).T).T, V)


@wrong(
    "attention_with_bias",
    says="row 1, column 1 is 16.667, expected 18, on the paper example",
    named="scores_turned_over",
)
def queries_and_keys_exchanged(Q, K, V, B):  # L1
    return weighted_values(softmax_cols(scaled_scores(K, Q) + B), V)


@wrong("attention_with_bias", says="changed its argument `B`")
def scores_written_into_the_bias(Q, K, V, B):
    B += scaled_scores(Q, K)
    return weighted_values(softmax_cols(B), V)


@wrong(
    "attention_with_bias",
    says="row 1, column 1 is 18.889, expected 18, on the paper example",
    named="bias_scale_of_the_values",
)
def scaled_by_the_width_of_the_values(Q, K, V, B):
    return weighted_values(softmax_cols(K.T @ Q / np.sqrt(V.shape[0]) + B), V)


@wrong("attention_with_bias", says="wrong on an example of other sizes", named="scale_by_two")
def scaled_by_two(Q, K, V, B):  # L7
    return weighted_values(softmax_cols(K.T @ Q / 2 + B), V)


@wrong("attention_with_bias", says="nan or inf on an example whose bias hides keys with -inf")
def a_hidden_key_times_zero(Q, K, V, B):
    A = softmax_cols(scaled_scores(Q, K) + B)
    return weighted_values(A + 0 * B, V)


@wrong("attention_with_bias", says="nan or inf")
def no_largest_score_subtracted(Q, K, V, B):  # S10
    e = np.exp(K.T @ Q / np.sqrt(Q.shape[0]) + B)
    return V @ (e / e.sum(axis=0))


# ============================================================ 5.7 rope: right


@right("rope")
def complex_numbers(Z, positions):
    D, N = Z.shape
    if D % 2:
        raise ValueError(f"cannot pair D = {D} rows")
    arrows = Z[0::2] + 1j * Z[1::2]
    arrows = arrows * np.exp(1j * np.outer(10000.0 ** (-np.arange(0, D, 2) / D), positions))
    out = np.empty((D, N))
    out[0::2], out[1::2] = arrows.real, arrows.imag
    return out


@right("rope")
def a_matrix_for_each_column(Z, positions):
    D = len(Z)
    if D % 2 == 1:
        raise ValueError(f"D is {D}")
    columns = []
    for n, position in enumerate(positions):
        R = np.zeros((D, D))
        for i in range(D // 2):
            angle = position / 10000 ** (2 * i / D)
            R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        columns.append(R @ Z[:, n])
    return np.stack(columns, axis=1)


@right("rope")
def rows_repeated_and_a_partner(Z, positions):
    D, N = Z.shape
    if D % 2:
        raise ValueError(f"expected an even number of rows, got {D}")
    rows = np.arange(D)[:, None]
    angles = positions / 10000 ** (2 * (rows // 2) / D)
    partner = np.stack([-Z[1::2], Z[0::2]], axis=1).reshape(D, N)
    return Z * np.cos(angles) + partner * np.sin(angles)


@right("rope")
def number_by_number_from_copies(Z, positions):
    D, N = Z.shape
    if D / 2 != D // 2:
        raise ValueError("D=" + str(D) + " is not even")
    out = [[0.0] * N for _ in range(D)]
    for n in range(N):
        for row in range(0, D, 2):
            t = positions[n] * 10000 ** (-row / D)
            x, y = Z[row, n], Z[row + 1, n]
            out[row][n] = x * np.cos(t) - y * np.sin(t)
            out[row + 1][n] = x * np.sin(t) + y * np.cos(t)
    return out


@right("rope")
def by_polar_coordinates(Z, positions):
    D, N = Z.shape
    if D % 2 != 0:
        raise ValueError(f"D={D}")
    pairs = Z.reshape(D // 2, 2, N)
    length, direction = np.hypot(pairs[:, 0], pairs[:, 1]), np.arctan2(pairs[:, 1], pairs[:, 0])
    direction = direction + np.asarray(positions)[None, :] / 10000 ** (np.arange(D // 2)[:, None] * 2 / D)
    return np.stack([length * np.cos(direction), length * np.sin(direction)], axis=1).reshape(D, N)


@right("rope")
def looked_up_in_the_waves(Z, positions):
    # The sines and cosines are those of 5.3, column by position.
    D, N = Z.shape
    if D % 2:
        raise ValueError(f"D = {D}")
    table = sinusoids(D, int(max(positions)) + 1)[:, positions]
    sines, cosines = table[0::2], table[1::2]
    out = Z.copy()
    out[0::2] = Z[0::2] * cosines - Z[1::2] * sines
    out[1::2] = Z[1::2] * cosines + Z[0::2] * sines
    return out


# ============================================================ 5.7 rope: wrong


@wrong("rope", says="row 2, column 1 is -0.841, expected 0.841", named="rope_clockwise")
def clockwise(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"D = {D}")
    angles = positions / 10000 ** (2 * np.arange(D // 2)[:, None] / D)
    out = np.zeros(Z.shape)
    out[0::2] = Z[0::2] * np.cos(angles) + Z[1::2] * np.sin(angles)
    out[1::2] = Z[1::2] * np.cos(angles) - Z[0::2] * np.sin(angles)
    return out


@wrong("rope", says="right on the paper example, wrong on an example of other sizes", named="rope_halves_for_pairs")
def halves_for_pairs(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"D = {D}")
    angles = positions / 10000 ** (2 * np.arange(D // 2)[:, None] / D)
    x, y = Z[: D // 2], Z[D // 2 :]
    return np.vstack([x * np.cos(angles) - y * np.sin(angles), x * np.sin(angles) + y * np.cos(angles)])


@wrong("rope", says="row 1, column 1 is -0.416, expected 0.540", named="rope_one_position_on")
def counted_from_one_place_on(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"D = {D}")
    angles = (positions + 1) / 10000 ** (2 * np.arange(D // 2)[:, None] / D)
    out = np.zeros(Z.shape)
    out[0::2] = Z[0::2] * np.cos(angles) - Z[1::2] * np.sin(angles)
    out[1::2] = Z[0::2] * np.sin(angles) + Z[1::2] * np.cos(angles)
    return out


@wrong("rope", says="row 1, column 1 is 1, expected 0.540", named="rope_columns_for_positions")
def the_columns_number_for_its_position(Z, positions):
    D, N = Z.shape
    if D % 2:
        raise ValueError(f"D = {D}")
    angles = np.arange(N) / 10000 ** (2 * np.arange(D // 2)[:, None] / D)
    out = np.zeros(Z.shape)
    out[0::2] = Z[0::2] * np.cos(angles) - Z[1::2] * np.sin(angles)
    out[1::2] = Z[0::2] * np.sin(angles) + Z[1::2] * np.cos(angles)
    return out


@wrong("rope", says="row 2, column 1 is 0.455, expected 0.841", named="rope_first_row_already_new")
def the_first_row_overwritten_too_early(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"D = {D}")
    angles = positions / 10000 ** (2 * np.arange(D // 2)[:, None] / D)
    out = Z.copy()
    out[0::2] = out[0::2] * np.cos(angles) - out[1::2] * np.sin(angles)
    out[1::2] = out[0::2] * np.sin(angles) + out[1::2] * np.cos(angles)
    return out


@wrong("rope", says="row 2, column 1 is 0, expected 0.841", named="rope_second_row_as_it_was")
def the_second_row_forgotten(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"D = {D}")
    angles = positions / 10000 ** (2 * np.arange(D // 2)[:, None] / D)
    out = Z.copy()
    out[0::2] = Z[0::2] * np.cos(angles) - Z[1::2] * np.sin(angles)
    return out


@wrong("rope", says="row 2, column 1 is 0, expected 0.841", named="rope_cosines_alone")
def cosines_alone(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"D = {D}")
    angles = positions / 10000 ** (2 * (np.arange(D)[:, None] // 2) / D)
    return Z * np.cos(angles)


@wrong("rope", says="row 1, column 1 is 1.841, expected 0.540", named="rope_waves_added")
def the_waves_added_instead(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"D = {D}")
    rows = np.arange(D)[:, None]
    angles = positions / 10000 ** (2 * (rows // 2) / D)
    return Z + np.where(rows % 2, np.cos(angles), np.sin(angles))


@wrong("rope", says="right on the paper example, wrong on an example of other sizes", named="rope_one_speed")
def one_speed_for_all_pairs(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"D = {D}")
    out = np.zeros(Z.shape)
    out[0::2] = Z[0::2] * np.cos(positions) - Z[1::2] * np.sin(positions)
    out[1::2] = Z[0::2] * np.sin(positions) + Z[1::2] * np.cos(positions)
    return out


@wrong("rope", says="right on the paper example, wrong on an example of other sizes", named="rope_exponent_halved")
def the_exponent_without_its_two(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"D = {D}")
    angles = positions / 10000 ** (np.arange(D // 2)[:, None] / D)
    out = np.zeros(Z.shape)
    out[0::2] = Z[0::2] * np.cos(angles) - Z[1::2] * np.sin(angles)
    out[1::2] = Z[0::2] * np.sin(angles) + Z[1::2] * np.cos(angles)
    return out


@wrong("rope", says="row 1, column 2 is 0.841, expected 0")
def turned_along_the_tokens(Z, positions):
    if Z.shape[0] % 2:
        raise ValueError(f"D = {Z.shape[0]}")
    Y = Z.T.copy()
    N = Y.shape[0]
    for row in range(0, N - 1, 2):
        angle = positions[row] / 10000 ** (row / N)
        x, y = Y[row].copy(), Y[row + 1].copy()
        Y[row], Y[row + 1] = x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)
    return Y.T


@wrong("rope", says="changed its argument `Z`")
def turned_in_place(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError(f"D = {D}")
    angles = positions / 10000 ** (2 * np.arange(D // 2)[:, None] / D)
    first, second = Z[0::2].copy(), Z[1::2].copy()
    Z[0::2] = first * np.cos(angles) - second * np.sin(angles)
    Z[1::2] = first * np.sin(angles) + second * np.cos(angles)
    return Z


@wrong("rope", says="expected a ValueError")
def an_odd_d_let_through(Z, positions):
    D = Z.shape[0]
    angles = positions / 10000 ** (2 * np.arange(D // 2)[:, None] / D)
    first, second = Z[0 : D - D % 2 : 2], Z[1::2]
    out = Z.copy()
    out[0 : D - D % 2 : 2] = first * np.cos(angles) - second * np.sin(angles)
    out[1::2] = first * np.sin(angles) + second * np.cos(angles)
    return out


@wrong("rope", says="expected ValueError")
def an_odd_d_asserted(Z, positions):
    D = Z.shape[0]
    assert D % 2 == 0, f"D = {D}"
    angles = positions / 10000 ** (2 * np.arange(D // 2)[:, None] / D)
    out = np.zeros(Z.shape)
    out[0::2] = Z[0::2] * np.cos(angles) - Z[1::2] * np.sin(angles)
    out[1::2] = Z[0::2] * np.sin(angles) + Z[1::2] * np.cos(angles)
    return out


@wrong("rope", says="does not name 7")
def an_odd_d_not_named(Z, positions):
    D = Z.shape[0]
    if D % 2:
        raise ValueError("D must be even")
    angles = positions / 10000 ** (2 * np.arange(D // 2)[:, None] / D)
    out = np.zeros(Z.shape)
    out[0::2] = Z[0::2] * np.cos(angles) - Z[1::2] * np.sin(angles)
    out[1::2] = Z[0::2] * np.sin(angles) + Z[1::2] * np.cos(angles)
    return out


# ============================================================ 5.8 look_back: right


@right("look_back")
def diagonals_filled(D, c, base=10000):
    angles = 1 / base ** (2 * (np.arange(D) // 2) / D)
    omega_k = np.diag(np.cos(angles))
    even = np.arange(0, D, 2)
    omega_k[even, even + 1] = np.sin(angles[even])
    omega_k[even + 1, even] = -np.sin(angles[even])
    return c * np.eye(D), c * omega_k


@right("look_back")
def solved_from_the_waves(D, c, base=10000):
    # The step is the one matrix that takes D positions to the D that follow, block by block.
    Pi = sinusoids(D, 3, base)
    R = np.zeros((D, D))
    for row in range(0, D, 2):
        pair = Pi[row : row + 2]
        R[row : row + 2, row : row + 2] = pair[:, 1:3] @ np.linalg.inv(pair[:, 0:2])
    return c * np.identity(D), c * R


@right("look_back")
def numbers_from_position_one(D, c, base=10000):
    # Position 1 holds every sine and cosine that the blocks need.
    one = sinusoids(D, 2, base)[:, 1]
    Q, K = np.zeros((D, D)), np.zeros((D, D))
    for i in range(D):
        Q[i, i] = c
        K[i, i] = c * one[i + 1 - i % 2]
        K[i, i + 1 - 2 * (i % 2)] = c * (one[i] if i % 2 == 0 else -one[i - 1])
    return [Q, K]


@right("look_back")
def a_kronecker_product_a_pair(D, c, base=10000):
    R = 0
    for i in range(D // 2):
        here = np.zeros(D // 2)
        here[i] = 1
        t = base ** (-2 * i / D)
        R = R + np.kron(np.diag(here), [[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]])
    return c * np.eye(D), c * R


@right("look_back")
def the_rotary_turn_the_other_way(D, c, base=10000):
    if base != 10000:
        angles = np.repeat(base ** (-np.arange(0, D, 2) / D), 2)
        swap = np.kron(np.eye(D // 2), [[0, 1], [-1, 0]])
        return c * np.eye(D), c * (np.diag(np.cos(angles)) + np.diag(np.sin(angles)) @ swap)
    return c * np.eye(D), c * rope(np.eye(D), -np.ones(D))


# ============================================================ 5.8 look_back: wrong


@wrong("look_back", named="look_one_step_ahead")
def one_step_back(D, c, base=10000):
    R = np.zeros((D, D))
    for row in range(0, D, 2):
        t = 1 / base ** (row / D)
        R[row : row + 2, row : row + 2] = [[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]
    return c * np.eye(D), c * R


@wrong("look_back", says="omega_k, row 1, column 1 is 0.540, expected 1.081", named="look_no_c_in_the_keys")
def c_forgotten_in_the_keys(D, c, base=10000):
    R = np.zeros((D, D))
    for row in range(0, D, 2):
        t = 1 / base ** (row / D)
        R[row : row + 2, row : row + 2] = [[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]
    return c * np.eye(D), R


@wrong("look_back", says="omega_q, row 1, column 1 is 1, expected 2", named="look_no_c_in_the_queries")
def c_in_the_keys_alone(D, c, base=10000):
    R = np.zeros((D, D))
    for row in range(0, D, 2):
        t = 1 / base ** (row / D)
        R[row : row + 2, row : row + 2] = [[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]
    return np.eye(D), c * R


@wrong("look_back", says="omega_q, row 1, column 1 is 1.414, expected 2", named="look_root_of_c")
def the_root_of_c(D, c, base=10000):
    R = np.zeros((D, D))
    for row in range(0, D, 2):
        t = 1 / base ** (row / D)
        R[row : row + 2, row : row + 2] = [[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]
    return np.sqrt(c) * np.eye(D), np.sqrt(c) * R


@wrong("look_back", says="the right arrays, in another order")
def queries_and_keys_in_the_wrong_order(D, c, base=10000):
    R = np.zeros((D, D))
    for row in range(0, D, 2):
        t = 1 / base ** (row / D)
        R[row : row + 2, row : row + 2] = [[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]
    return c * R, c * np.eye(D)


@wrong("look_back", says="omega_q is right, and omega_k is a copy of it", named="look_at_itself")
def every_word_looks_at_itself(D, c, base=10000):
    return c * np.eye(D), c * np.eye(D)


@wrong("look_back", says="right on the paper example, wrong on an example of another size", named="look_one_speed")
def one_speed_for_every_pair(D, c, base=10000):
    block = [[np.cos(1), np.sin(1)], [-np.sin(1), np.cos(1)]]
    return c * np.eye(D), c * np.kron(np.eye(D // 2), block)


@wrong(
    "look_back", says="right on the paper example, wrong on an example of another size", named="look_halves_for_pairs"
)
def halves_for_pairs_of_rows(D, c, base=10000):
    t = 1 / base ** (2 * np.arange(D // 2) / D)
    C, S = np.diag(np.cos(t)), np.diag(np.sin(t))
    return c * np.eye(D), c * np.block([[C, S], [-S, C]])


@wrong(
    "look_back", says="right on the paper example, wrong on an example of another size", named="look_exponent_doubled"
)
def the_row_as_the_pair(D, c, base=10000):
    R = np.zeros((D, D))
    for row in range(0, D, 2):
        t = 1 / base ** (2 * row / D)
        R[row : row + 2, row : row + 2] = [[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]
    return c * np.eye(D), c * R


@wrong("look_back", says="wrong on an example with base 50", named="look_base_by_heart")
def base_10000_by_heart(D, c, base=10000):
    R = np.zeros((D, D))
    for row in range(0, D, 2):
        t = 1 / 10000 ** (row / D)
        R[row : row + 2, row : row + 2] = [[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]
    return c * np.eye(D), c * R


@wrong("look_back", says="expected 2 arrays in a list or tuple")
def the_keys_alone(D, c, base=10000):
    R = np.zeros((D, D))
    for row in range(0, D, 2):
        t = 1 / base ** (row / D)
        R[row : row + 2, row : row + 2] = [[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]
    return c * R


@wrong("look_back", says="omega_q has shape (), expected (2, 2)")
def a_number_for_the_queries(D, c, base=10000):
    R = np.zeros((D, D))
    for row in range(0, D, 2):
        t = 1 / base ** (row / D)
        R[row : row + 2, row : row + 2] = [[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]
    return c, c * R


wrong_cell(
    "look_back",
    "the_weights_instead_of_the_matrices",
    """
def {name}(D, c, base=10000):
    Pi = sinusoids(D, D, base)
    A = softmax_cols(c * c * Pi.T @ Pi)
    return A, np.roll(A, 1, axis=0)
""",
    says="omega_q, row 1, column 1 is",
)


@wrong("rope", says="it went on until a later step failed")
def no_refusal_at_all(Z, positions):
    angles = positions / 10000 ** (2 * np.arange(Z.shape[0] // 2)[:, None] / Z.shape[0])
    out = np.zeros(Z.shape)
    out[0::2] = Z[0::2] * np.cos(angles) - Z[1::2] * np.sin(angles)
    out[1::2] = Z[0::2] * np.sin(angles) + Z[1::2] * np.cos(angles)
    return out


@wrong("look_back", says="Both matrices are 0 everywhere.", named="look_zeros")
def both_matrices_left_at_zero(D, c, base=10000):
    omega_q, omega_k = np.zeros((D, D)), np.zeros((D, D))
    return omega_q, omega_k


@wrong("look_back", says="The matrix of the queries is 0 everywhere.", named="look_queries_zeros")
def queries_left_at_zero(D, c, base=10000):
    omega_q, omega_k = np.zeros((D, D)), np.zeros((D, D))
    for i in range(0, D, 2):
        angle = 1 / base ** (i / D)
        sine, cosine = c * np.sin(angle), c * np.cos(angle)
        omega_k[i : i + 2, i : i + 2] = [[cosine, sine], [-sine, cosine]]
    return omega_q, omega_k
