"""Notebook 2: right answers in unusual styles, and wrong ones; the letters are those of our list of mistakes."""
# ruff: noqa: F821  an answer uses the functions of earlier exercises, and sometimes the notebook's data

import numpy as np

from answers import right, right_cell, wrong, wrong_cell

# ============================================================ 2.1 dot_variance: right


@right("dot_variance")
def variance_in_one_line(D_q, n, rng):
    return (rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n))).sum(axis=0).var()


@right("dot_variance")
def by_randn(D_q, n, rng):
    q, k = rng.randn(D_q, n), rng.randn(D_q, n)
    return np.var(np.einsum("in,in->n", q, k))


@right("dot_variance")
def by_standard_normal_one_pair_a_row(D_q, n, rng):
    q = rng.standard_normal((n, D_q))
    k = rng.standard_normal((n, D_q))
    return np.var((q * k).sum(axis=1))


@right("dot_variance")
def queries_and_keys_in_one_draw(D_q, n, rng):
    both = rng.normal(size=(2, D_q, n))
    return np.var(np.prod(both, axis=0).sum(axis=0))


@right("dot_variance")
def pair_by_pair(D_q, n, rng):
    products = []
    for _ in range(n):
        query = rng.normal(size=D_q)
        key = rng.normal(size=D_q)
        products.append(query @ key)
    return np.var(products)


@right("dot_variance")
def with_n_minus_one(D_q, n, rng):
    return np.var(np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0), ddof=1)


@right("dot_variance")
def keys_drawn_first(D_q, n, rng):
    keys = rng.normal(0, 1, (D_q, n))
    queries = rng.normal(0, 1, (D_q, n))
    dots = sum(queries[i] * keys[i] for i in range(D_q))
    return float(np.mean((dots - np.mean(dots)) ** 2))


@right("dot_variance")
def with_a_helper_function(D_q, n, rng):
    def spread(numbers):
        mean = sum(numbers) / len(numbers)
        return sum((number - mean) ** 2 for number in numbers) / len(numbers)

    return spread(np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0).tolist())


@right("dot_variance")
def variance_in_float32(D_q, n, rng):
    q, k = rng.normal(size=(D_q, n)).astype(np.float32), rng.normal(size=(D_q, n)).astype(np.float32)
    return np.var((q * k).sum(axis=0))


@right("dot_variance")
def not_centered(D_q, n, rng):  # the mean is 0, so the mean of the squares is the variance but for chance
    return np.mean(np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0) ** 2)


@right("dot_variance")
def entries_of_plus_and_minus_one(D_q, n, rng):  # as on paper: they have mean 0 and variance 1 too
    q, k = rng.choice([-1.0, 1.0], size=(D_q, n)), rng.choice([-1.0, 1.0], size=(D_q, n))
    return np.var(np.sum(q * k, axis=0))


@right("dot_variance")
def variances_of_the_rows_added(D_q, n, rng):  # the rows are independent, so this is the variance of their sum
    return np.sum(np.var(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=1))


@right("dot_variance")
def mean_square_length_of_the_queries(D_q, n, rng):  # D_q as well: no drawn number can tell the two apart
    return np.mean(np.sum(rng.normal(size=(D_q, n)) ** 2, axis=0))


right_cell(
    "dot_variance",
    "a_list_of_one_by_one",
    """
from math import fsum

def {name}(D, pairs, generator):
    q = generator.normal(size=(pairs, D)).tolist()
    k = generator.normal(size=(pairs, D)).tolist()
    dots = [fsum(a * b for a, b in zip(x, y)) for x, y in zip(q, k)]
    mean = fsum(dots) / pairs
    return fsum((dot - mean) ** 2 for dot in dots) / pairs
""",
)

# ============================================================ 2.1 dot_variance: wrong

# What gives 0, and what gives about 1 for every D_q.
NO_SPREAD = (
    "all_products_summed | distances_averaged_then_squared | one_pair_only | products_less_themselves | "
    "sizes_as_mean_and_deviation"
)
ONE = "one_entry_only | products_not_summed | variance_of_divided_products | variance_over_D_q"


@wrong("dot_variance", says="is 1.41", named="deviation_for_variance | variance_over_the_root")
def the_standard_deviation(D_q, n, rng):
    return np.std(np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0))


@wrong("dot_variance", says="expected about 2", named="summed_over_the_pairs")
def summed_along_the_pairs(D_q, n, rng):
    return np.var(np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=1))


@wrong("dot_variance", says="expected about 2", named=ONE)
def products_not_summed(D_q, n, rng):
    return np.var(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)))


@wrong(
    "dot_variance",
    says="is 0, expected about 2",
    named=NO_SPREAD,
)
def everything_summed(D_q, n, rng):
    return np.var(np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n))))


@wrong("dot_variance", says="expected about 2", named="mean_of_the_entries_products")
def the_mean_of_the_products(D_q, n, rng):
    return np.var(np.mean(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0))


@wrong("dot_variance", says="expected about 2", named="mean_dot_product")
def the_mean_dot_product(D_q, n, rng):
    return np.mean(np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0))


@wrong(
    "dot_variance",
    says="is 0, expected about 2",
    named=NO_SPREAD,
)
def one_pair_only(D_q, n, rng):
    return np.var(rng.normal(size=D_q) @ rng.normal(size=D_q))


@wrong("dot_variance", says="expected about 2")
def the_products_of_one_pair(D_q, n, rng):
    return np.var(rng.normal(size=D_q) * rng.normal(size=D_q))


@wrong("dot_variance", says="expected about 2", named="entries_between_0_and_1")
def uniform_entries(D_q, n, rng):
    return np.var(np.sum(rng.uniform(size=(D_q, n)) * rng.uniform(size=(D_q, n)), axis=0))


@wrong("dot_variance", says="expected about 2", named="entries_between_minus_1_and_1")
def uniform_entries_around_zero(D_q, n, rng):
    return np.var(np.sum(rng.uniform(-1, 1, (D_q, n)) * rng.uniform(-1, 1, (D_q, n)), axis=0))


@wrong(
    "dot_variance",
    says="is 0, expected about 2",
    named=NO_SPREAD,
)
def sizes_taken_for_mean_and_deviation(D_q, n, rng):
    queries = rng.normal(D_q, n)
    keys = rng.normal(D_q, n)
    return np.var(np.sum(queries * keys, axis=0))


@wrong("dot_variance", says="expected about 2", named="drawn_once | queries_and_keys_added")
def queries_with_themselves(D_q, n, rng):
    queries = rng.normal(size=(D_q, n))
    return np.var(np.sum(queries * queries, axis=0))


@wrong(
    "dot_variance", says="expected about 5", named="one_query_for_all"
)  # with 2 entries the lone key's squares happen to sum to 2
def every_key_is_the_same(D_q, n, rng):
    keys = rng.normal(size=(D_q, 1))
    return np.var(np.sum(rng.normal(size=(D_q, n)) * keys, axis=0))


@wrong("dot_variance", says="expected about 2", named=ONE)
def already_divided_by_the_root(D_q, n, rng):
    return np.var(np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0) / np.sqrt(D_q))


@wrong("dot_variance", says="The result is about 2, whatever D_q is.", named="two_entries_only")
def two_entries_whatever_is_asked(D_q, n, rng):
    return np.var(np.sum(rng.normal(size=(2, n)) * rng.normal(size=(2, n)), axis=0))


@wrong("dot_variance", says="Nothing is left of how the dot products differ.", named=NO_SPREAD)
def squared_after_the_mean(D_q, n, rng):
    dots = np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0)
    return np.mean(dots - np.mean(dots)) ** 2


@wrong("dot_variance", says="Nothing is left of how the dot products differ.", named=NO_SPREAD)
def subtracted_from_themselves(D_q, n, rng):
    dots = np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0)
    return np.mean((dots - dots) ** 2)


@wrong("dot_variance", says="every vector has one entry, whatever D_q is", named=ONE)
def one_entry_only(D_q, n, rng):
    return np.var(rng.normal(size=n) * rng.normal(size=n))


@wrong("dot_variance", says="or the variance is divided by D_q. Is it one of these?", named=ONE)
def variance_over_the_entries(D_q, n, rng):
    return np.var(np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0)) / D_q


@wrong("dot_variance", says="two generators gave the same number")
def the_answer_without_drawing(D_q, n, rng):
    return float(D_q)


@wrong("dot_variance", says="two generators gave the same number")
def a_seed_of_its_own(D_q, n, rng):
    rng = np.random.RandomState(0)
    return np.var(np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0))


@wrong("dot_variance", says="two generators gave the same number")
def the_global_generator_seeded(D_q, n, rng):
    np.random.seed(1)
    return np.var(np.sum(np.random.normal(size=(D_q, n)) * np.random.normal(size=(D_q, n)), axis=0))


@wrong("dot_variance", says="another result the second time")
def the_global_generator(D_q, n, rng):
    return np.var(np.sum(np.random.normal(size=(D_q, n)) * np.random.normal(size=(D_q, n)), axis=0))


@wrong("dot_variance", says="another result the second time")
def a_new_generator_each_time(D_q, n, rng):
    rng = np.random.default_rng()
    return np.var(np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0))


@wrong("dot_variance", says="variance has shape (16000,), expected ()", named="dot_products_returned")
def the_dot_products_themselves(D_q, n, rng):
    return np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0)


@wrong("dot_variance", says="variance has shape (16000,), expected ()", named="variance_of_each_pair")
def a_variance_for_each_pair(D_q, n, rng):
    return np.var(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0)


@wrong("dot_variance", says="None")
def the_variance_printed(D_q, n, rng):
    print(np.var(np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0)))


# ============================================================ 2.2 scaled_scores: right


@right("scaled_scores")
def divided_in_one_line(Q, K):
    return K.T @ Q / np.sqrt(len(Q))


@right("scaled_scores")
def score_by_score(Q, K):
    D_q, N_q = Q.shape
    out = np.zeros((K.shape[1], N_q))
    for m in range(K.shape[1]):
        for n in range(N_q):
            for i in range(D_q):
                out[m, n] += K[i, m] * Q[i, n] / D_q**0.5
    return out


@right("scaled_scores")
def scores_by_einsum(Q, K):
    return np.einsum("im,in->mn", K, Q) * Q.shape[0] ** -0.5


@right("scaled_scores")
def rows_turned_at_the_end(Q, K):
    queries, keys = Q.T, K.T  # one a row
    return (queries @ keys.T / np.sqrt(queries.shape[-1])).T


@right("scaled_scores")
def only_the_keys_divided(Q, K):
    return (K / np.sqrt(K.shape[0])).T @ Q


@right("scaled_scores")
def both_divided_by_the_fourth_root(Q, K):
    fourth = Q.shape[0] ** 0.25
    return (K / fourth).T @ (Q / fourth)


@right("scaled_scores")
def divided_in_float32(Q, K):
    return ((K.T @ Q) / np.sqrt(K.shape[0])).astype(np.float32)


@right("scaled_scores")
def a_list_of_rows(Q, K):
    return [[float(np.dot(k, q)) / np.sqrt(len(k)) for q in Q.T] for k in K.T]


right_cell(
    "scaled_scores",
    "with_math_and_a_helper",
    """
import math

def size(vectors):
    return vectors.shape[0]

{name} = lambda queries, keys: np.matmul(keys.T, queries) / math.sqrt(size(keys))
""",
)

# ============================================================ 2.2 scaled_scores: wrong


@wrong("scaled_scores", named="no_scale")
def not_divided(Q, K):  # L2
    return K.T @ Q


@wrong("scaled_scores", named="scale_by_D_q | scale_twice")
def divided_by_d_q(Q, K):  # L3
    return K.T @ Q / Q.shape[0]


@wrong("scaled_scores", named="scale_by_D_q | scale_twice")
def both_divided_by_the_root(Q, K):  # L3
    root = np.sqrt(Q.shape[0])
    return (K / root).T @ (Q / root)


@wrong("scaled_scores", named="scale_multiplied")
def multiplied(Q, K):  # L9
    return K.T @ Q * np.sqrt(Q.shape[0])


@wrong("scaled_scores", named="scale_multiplied")
def divided_by_the_inverse_root(Q, K):  # L9
    return K.T @ Q / Q.shape[0] ** -0.5


@wrong("scaled_scores", named="scale_by_the_number_of_keys")
def divided_by_the_root_of_n(Q, K):  # L6, L12
    return K.T @ Q / np.sqrt(K.shape[1])


@wrong("scaled_scores", named="scale_by_the_number_of_queries")
def divided_by_the_root_of_the_number_of_queries(Q, K):  # L12
    return K.T @ Q / np.sqrt(Q.shape[1])


@wrong("scaled_scores", says="right on the paper example, wrong on an example of other sizes", named="scale_by_two")
def divided_by_two(Q, K):  # L7
    return K.T @ Q / 2


@wrong("scaled_scores", named="scale_cut_off")
def divided_by_a_root_cut_off(Q, K):  # L7
    return K.T @ Q / int(np.sqrt(Q.shape[0]))


@wrong("scaled_scores", says="right on the paper example", named="scale_by_half")
def divided_by_half_of_d_q(Q, K):
    return K.T @ Q / (Q.shape[0] / 2)


@wrong(
    "scaled_scores", says="right on the paper example, wrong on an example of other sizes", named="scale_rounds_scores"
)
def whole_number_division(Q, K):
    return K.T @ Q // np.sqrt(Q.shape[0])


@wrong("scaled_scores", named="scale_by_all_entries")
def divided_by_the_root_of_all_entries(Q, K):
    return K.T @ Q / np.sqrt(K.size)


@wrong("scaled_scores", says="holds nan")
def the_root_of_everything(Q, K):
    return np.sqrt(K.T @ Q / Q.shape[0])


@wrong("scaled_scores", says="is 0.867, expected 3", named="softmax_in_the_scores")
def weights_already(Q, K):
    return softmax_cols(K.T @ Q / np.sqrt(Q.shape[0]))


@wrong("scaled_scores", says="is 0.491, expected 3", named="scores_scaled_after_a_softmax")
def scaled_after_softmax(Q, K):  # L10
    return softmax_cols(K.T @ Q) / np.sqrt(Q.shape[0])


@wrong("scaled_scores", says="expected 3", named="scale_by_their_deviation")
def divided_by_their_own_deviation(Q, K):
    S = K.T @ Q
    return S / np.std(S)


@wrong("scaled_scores", says="expected 3", named="scale_by_the_lengths")
def divided_by_the_lengths(Q, K):
    return (K / np.linalg.norm(K, axis=0)).T @ (Q / np.linalg.norm(Q, axis=0))


@wrong("scaled_scores", named="scores_turned_over")
def queries_down(Q, K):  # L1
    return Q.T @ K / np.sqrt(Q.shape[0])


@wrong("scaled_scores", says="In a product", named="scores_of_keys_not_turned")
def no_transpose(Q, K):
    return K @ Q / np.sqrt(Q.shape[0])


@wrong("scaled_scores", says="scores has shape (4, 4), expected (3, 1)")
def products_of_the_entries(Q, K):
    return Q @ Q.T / np.sqrt(Q.shape[0])


@wrong("scaled_scores", says="which the notebook holds but the cell does not")
def of_the_notebooks_queries(Q, K):  # H17
    return keys.T @ queries / np.sqrt(4)


@wrong("scaled_scores", says="changed its argument `K`")
def divides_the_keys_in_place(Q, K):  # H18
    K /= np.sqrt(K.shape[0])
    return K.T @ Q


@wrong("scaled_scores", says="None")
def no_return(Q, K):
    scores = K.T @ Q / np.sqrt(Q.shape[0])


# ============================================================ 2.3 entropy_cols: right


@right("entropy_cols")
def column_by_column(A):
    return [-sum(a * np.log(a) for a in column if a > 0) for column in A.T]


@right("entropy_cols")
def nan_replaced_by_zero(A):
    return -np.nansum(A * np.log(A), axis=0)


@right("entropy_cols")
def nan_turned_into_zero(A):
    terms = np.nan_to_num(A * np.log(A))
    return -terms.sum(axis=0)


@right("entropy_cols")
def logarithm_where_positive(A):
    logs = np.zeros_like(A)
    np.log(A, out=logs, where=A > 0)
    return -np.einsum("mn,mn->n", A, logs)


@right("entropy_cols")
def a_tiny_number_added(A):  # off by a billionth a key
    return -np.sum(A * np.log(A + 1e-9), axis=0)


@right("entropy_cols")
def clipped_from_below(A):
    return -np.sum(A * np.log(np.clip(A, 1e-12, 1.0)), axis=0)


@right("entropy_cols")
def powers_multiplied(A):  # 0 to the power 0 is 1
    return -np.log(np.prod(A**A, axis=0))


@right("entropy_cols")
def logarithms_of_the_inverse(A):
    safe = np.maximum(A, 1e-300)
    return (A * np.log(1 / safe)).sum(0)


@right("entropy_cols")
def rows_of_the_transpose(A):
    shares = A.T
    positive = shares > 0
    out = np.zeros(len(shares))
    for n, row in enumerate(shares):
        out[n] = -np.dot(row[positive[n]], np.log(row[positive[n]]))
    return out


@right("entropy_cols")
def entropy_in_float32(A):
    A = A.astype(np.float32)
    return -np.sum(A * np.log(np.where(A == 0, np.float32(1), A)), axis=0)


@right("entropy_cols")
def two_bases(A):
    return -np.sum(A * np.log2(np.where(A > 0, A, 1)), axis=0) * np.log(2)


# ============================================================ 2.3 entropy_cols: wrong


@wrong("entropy_cols", says="holds nan or inf on columns that hold zeros")
def zero_times_minus_infinity(A):
    return -np.sum(A * np.log(A), axis=0)


@wrong("entropy_cols", says="entropy has shape (2,), expected (1,)", named="entropy_of_the_rows")
def entropy_of_the_rows(A):
    return -np.sum(A * np.log(np.where(A > 0, A, 1)), axis=1)


@wrong("entropy_cols", says="entropy has shape (), expected (1,)", named="entropy_of_the_whole")
def entropy_of_the_whole(A):
    return -np.sum(A * np.log(np.where(A > 0, A, 1)))


@wrong("entropy_cols", says="is 1, expected 0.693", named="entropy_in_bits")
def in_bits(A):
    return -np.sum(A * np.log2(np.where(A > 0, A, 1)), axis=0)


@wrong("entropy_cols", says="is 0.301, expected 0.693", named="entropy_to_base_10")
def to_base_ten(A):
    return -np.sum(A * np.log10(np.where(A > 0, A, 1)), axis=0)


@wrong("entropy_cols", says="an entropy is negative (the smallest is -0.693)", named="entropy_negative")
def sign_forgotten(A):
    return np.sum(A * np.log(np.where(A > 0, A, 1)), axis=0)


@wrong("entropy_cols", says="is 1.386, expected 0.693", named="entropy_not_weighted")
def not_weighted(A):
    return -np.sum(np.log(np.where(A > 0, A, 1)), axis=0)


@wrong("entropy_cols", says="is 0.347, expected 0.693", named="entropy_averaged")
def mean_in_place_of_sum(A):
    return -np.mean(A * np.log(np.where(A > 0, A, 1)), axis=0)


@wrong("entropy_cols", says="is 0.691, expected 0.693", named="entropy_plus_1e_3")
def too_much_added(A):
    return -np.sum(A * np.log(A + 1e-3), axis=0)


@wrong("entropy_cols", says="wrong on a column with small weights", named="entropy_without_small_weights")
def small_weights_dropped(A):
    return -np.sum(A * np.log(np.where(A > 0.01, A, 1)), axis=0)


@wrong("entropy_cols", says="is 1, expected 0.693", named="entropy_over_the_largest")
def as_a_part_of_the_largest(A):
    return -np.sum(A * np.log(np.where(A > 0, A, 1)), axis=0) / np.log(A.shape[0])


@wrong("entropy_cols", says="is 2, expected 0.693", named="entropy_as_a_number_of_keys")
def in_keys(A):
    return np.exp(-np.sum(A * np.log(np.where(A > 0, A, 1)), axis=0))


@wrong("entropy_cols", says="is 0.500, expected 0.693", named="entropy_by_squares")
def one_minus_the_squares(A):
    return 1 - np.sum(A**2, axis=0)


@wrong("entropy_cols", says="entropy has shape (1, 1), expected (1,)", named="entropy_kept_as_a_row")
def an_axis_too_many(A):
    return -np.sum(A * np.log(np.where(A > 0, A, 1)), axis=0, keepdims=True)


@wrong("entropy_cols", says="entropy has shape (2, 1), expected (1,)", named="entropy_not_summed")
def terms_not_summed(A):
    return -A * np.log(np.where(A > 0, A, 1))


@wrong("entropy_cols", says="on columns that hold zeros")
def zeros_left_out_of_the_matrix(A):
    positive = A[A > 0].reshape(-1, A.shape[1])
    return -np.sum(positive * np.log(positive), axis=0)


@wrong("entropy_cols", says="functions of `math` take one number")
def with_the_logarithm_of_math(A):
    import math

    return -np.sum(A * math.log(A), axis=0)


@wrong("entropy_cols", says="changed its argument `A`")
def writes_ones_into_the_weights(A):  # H18
    A[A == 0] = 1
    return -np.sum(A * np.log(A), axis=0)


@wrong(
    "entropy_cols", says="right on the paper example, wrong on an example of other sizes", named="entropy_of_a_softmax"
)
def of_a_softmax_once_more(A):
    A = softmax_cols(A)
    return -np.sum(A * np.log(A), axis=0)


# ============================================================ 2.4 scaled_self_attention: right


@right("scaled_self_attention")
def with_the_earlier_exercises(X, head):
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(softmax_cols(scaled_scores(Q, K)), V)


@right("scaled_self_attention")
def from_the_start(X, head):
    Q = head.omega_q @ X + head.beta_q
    K = head.omega_k @ X + head.beta_k
    V = head.omega_v @ X + head.beta_v
    S = K.T @ Q / np.sqrt(Q.shape[0])
    E = np.exp(S - S.max(axis=0))
    return V @ (E / E.sum(axis=0))


@right("scaled_self_attention")
def queries_divided_first(X, head):
    omega_q, omega_k, omega_v, beta_q, beta_k, beta_v = head
    Q = project(X, omega_q, beta_q) / np.sqrt(len(omega_q))
    return project(X, omega_v, beta_v) @ attention_weights(Q, project(X, omega_k, beta_k))


@right("scaled_self_attention")
def a_head_with_smaller_parameters(X, head):
    root = np.sqrt(head.omega_q.shape[0])
    return self_attention(X, head._replace(omega_q=head.omega_q / root, beta_q=head.beta_q / root))


@right("scaled_self_attention")
def without_the_bias_of_the_keys(X, head):  # P3: it adds one number to every score of a column, which softmax cancels
    S = scaled_scores(project(X, head.omega_q, head.beta_q), head.omega_k @ X)
    return weighted_values(softmax_cols(S), project(X, head.omega_v, head.beta_v))


@right("scaled_self_attention")
def in_rows(X, head):  # S8
    x = X.T
    q, k, v = (x @ head[i].T + head[i + 3].T for i in range(3))
    s = q @ k.T / q.shape[1] ** 0.5
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return ((e / e.sum(axis=1, keepdims=True)) @ v).T


@right("scaled_self_attention")
def token_by_token_scaled(X, head):
    D_q, N = head.omega_q.shape[0], X.shape[1]
    out = np.zeros((D_q, N))
    for n in range(N):
        q = head.omega_q @ X[:, n] + head.beta_q[:, 0]
        scores = [(head.omega_k @ X[:, m] + head.beta_k[:, 0]) @ q / D_q**0.5 for m in range(N)]
        top = max(scores)
        shares = [np.exp(score - top) for score in scores]
        for m in range(N):
            out[:, n] += shares[m] / sum(shares) * (head.omega_v @ X[:, m] + head.beta_v[:, 0])
    return out


@right("scaled_self_attention")
def scaled_in_float32(X, head):
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(softmax_cols(scaled_scores(Q, K)), V).astype(np.float32)


right_cell(
    "scaled_self_attention",
    "with_a_helper_in_the_cell",
    """
def q_k_v(X, head):
    return [omega @ X + beta for omega, beta in zip(head[:3], head[3:])]

def {name}(tokens, parameters):
    Q, K, V = q_k_v(tokens, parameters)
    return np.einsum("dm,mn->dn", V, softmax_cols(np.einsum("im,in->mn", K, Q) / np.sqrt(len(Q))))
""",
)

# ============================================================ 2.4 scaled_self_attention: wrong


@wrong("scaled_self_attention", says="row 1, column 1 is 5.600, expected 5", named="no_scale")
def not_scaled(X, head):  # L2
    return self_attention(X, head)


@wrong("scaled_self_attention", says="row 1, column 1 is 5.600, expected 5", named="scale_by_the_root_of_D")
def scaled_by_the_root_of_d(X, head):  # L4: D = 1 on paper
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(softmax_cols(K.T @ Q / np.sqrt(X.shape[0])), V)


@wrong("scaled_self_attention", says="row 1, column 1 is 4.536, expected 5", named="scale_by_D_q | scale_twice")
def scaled_by_d_q(X, head):  # L3
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(softmax_cols(K.T @ Q / len(Q)), V)


@wrong("scaled_self_attention", says="row 1, column 1 is 4.536, expected 5", named="scale_by_D_q | scale_twice")
def scaled_twice(X, head):
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(softmax_cols(scaled_scores(Q, K) / np.sqrt(len(Q))), V)


@wrong(
    "scaled_self_attention",
    says="row 1, column 1 is 5.302, expected 5",
    named="scale_by_the_number_of_keys | scale_by_the_number_of_queries",
)
def scaled_by_the_root_of_n(X, head):  # L6
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(softmax_cols(K.T @ Q / np.sqrt(X.shape[1])), V)


@wrong(
    "scaled_self_attention", says="right on the paper example, wrong on an example of other sizes", named="scale_by_two"
)
def scaled_by_two(X, head):  # L7
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(softmax_cols(K.T @ Q / 2), V)


@wrong(
    "scaled_self_attention",
    says="right on the paper example, wrong on an example of other sizes",
    named="scale_cut_off",
)
def scaled_by_the_root_cut_off(X, head):  # L7
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(softmax_cols(K.T @ Q / int(len(Q) ** 0.5)), V)


@wrong("scaled_self_attention", says="expected 5", named="scale_multiplied")
def multiplied_by_the_root(X, head):  # L9
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(softmax_cols(K.T @ Q * np.sqrt(len(Q))), V)


@wrong("scaled_self_attention", says="row 1, column 1 is 2.800, expected 5", named="weights_scaled")
def scaled_after_the_softmax(X, head):  # L10
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(attention_weights(Q, K) / np.sqrt(len(Q)), V)


@wrong("scaled_self_attention", named="values_scaled_too")
def values_scaled_too(X, head):  # L13
    Q, K, V = (project(X, head[i], head[i + 3]) / np.sqrt(len(head[i])) ** (i > 0) for i in range(3))
    return weighted_values(attention_weights(Q, K), V)


@wrong("scaled_self_attention", says="expected 5", named="no_softmax")
def no_softmax(X, head):  # S3
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(scaled_scores(Q, K), V)


@wrong(
    "scaled_self_attention", says="expected 5", named="scaled_softmax_twice | softmax_in_the_scores | softmax_once_more"
)
def softmax_twice(X, head):
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(softmax_cols(softmax_cols(scaled_scores(Q, K))), V)


@wrong("scaled_self_attention", says="expected 5", named="rows_for_columns | rows_for_columns_not_shifted")
def softmax_along_the_rows(X, head):  # S1
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(softmax_cols(scaled_scores(Q, K).T).T, V)


@wrong("scaled_self_attention", says="expected 5", named="scores_turned_over")
def queries_and_keys_exchanged(X, head):  # L1, P5
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(softmax_cols(scaled_scores(K, Q)), V)


@wrong(
    "scaled_self_attention",
    says="expected 5",
    named="weights_turned | weights_turned_in_the_mixture | weights_turned_not_shifted",
)
def weights_transposed(X, head):  # S7
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(softmax_cols(scaled_scores(Q, K)).T, V)


@wrong("scaled_self_attention", says="expected 5", named="scaled_keys_as_values")
def keys_as_values(X, head):  # P6
    Q, K = project(X, head.omega_q, head.beta_q), project(X, head.omega_k, head.beta_k)
    return weighted_values(softmax_cols(scaled_scores(Q, K)), K)


@wrong("scaled_self_attention", says="X_prime has shape (1, 2), expected (4, 2)", named="scaled_tokens_as_values")
def tokens_as_values(X, head):  # P8
    Q, K = project(X, head.omega_q, head.beta_q), project(X, head.omega_k, head.beta_k)
    return weighted_values(softmax_cols(scaled_scores(Q, K)), X)


@wrong("scaled_self_attention", says="expected 5", named="scaled_no_beta_q")
def bias_of_the_queries_forgotten(X, head):  # P2
    Q, K, V = head.omega_q @ X, project(X, head.omega_k, head.beta_k), project(X, head.omega_v, head.beta_v)
    return weighted_values(softmax_cols(scaled_scores(Q, K)), V)


@wrong("scaled_self_attention", named="scaled_no_beta_v")
def bias_of_the_values_forgotten(X, head):  # P4
    Q, K, V = project(X, head.omega_q, head.beta_q), project(X, head.omega_k, head.beta_k), head.omega_v @ X
    return weighted_values(softmax_cols(scaled_scores(Q, K)), V)


@wrong("scaled_self_attention", named="scaled_weights_before_values")
def arguments_of_the_mixture_exchanged(X, head):
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(V, softmax_cols(scaled_scores(Q, K)))


@wrong("scaled_self_attention", says="X_prime has shape (2, 2), expected (4, 2)", named="weights_for_the_mixture")
def the_weights_alone(X, head):
    Q, K = project(X, head.omega_q, head.beta_q), project(X, head.omega_k, head.beta_k)
    return softmax_cols(scaled_scores(Q, K))


@wrong("scaled_self_attention", says="returned a tuple of 2 arrays, expected one")
def output_and_weights(X, head):
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    A = softmax_cols(scaled_scores(Q, K))
    return weighted_values(A, V), A


@wrong("scaled_self_attention", says="which the notebook holds but the cell does not")
def the_notebooks_queries(X, head):  # H17
    V = project(X, head.omega_v, head.beta_v)
    return weighted_values(softmax_cols(scaled_scores(queries, keys)), V)


@wrong("scaled_self_attention", says="A head has no `W_q`")
def parameters_by_another_name(X, head):
    return head.W_q @ X


# ============================================================ 2.5 softmax_jacobian: right


@right("softmax_jacobian")
def derivatives_in_one_line(a):
    return np.diag(a) - np.outer(a, a)


@right("softmax_jacobian")
def entry_by_entry(a):
    N = len(a)
    J = np.zeros((N, N))
    for i in range(N):
        for j in range(N):
            J[i, j] = a[i] * (1 - a[i]) if i == j else -a[i] * a[j]
    return J


@right("softmax_jacobian")
def with_an_identity(a):
    return a[:, None] * (np.eye(a.size) - a[None, :])


@right("softmax_jacobian")
def by_nudging_the_logarithms(a):
    s = np.log(a)[:, np.newaxis]
    nudges = 1e-5 * np.eye(len(a))
    return (softmax_cols(s + nudges) - softmax_cols(s - nudges)) / 2e-5


@right("softmax_jacobian")
def diagonal_filled_in(a):
    J = -np.einsum("i,j->ij", a, a)
    J[np.diag_indices(len(a))] += a
    return J.tolist()


@right("softmax_jacobian")
def derivatives_in_float32(a):
    return (np.diag(a) - np.outer(a, a)).astype(np.float32)


@right("softmax_jacobian")
def a_column_times_a_row(a):
    column = a.reshape(-1, 1)
    return np.diagflat(column) - column @ column.T


# ============================================================ 2.5 softmax_jacobian: wrong


@wrong("softmax_jacobian", says="row 1, column 2 is 0, expected -0.188", named="jacobian_diagonal_only")
def diagonal_only(a):
    return np.diag(a * (1 - a))


@wrong("softmax_jacobian", says="J has shape (2,), expected (2, 2)", named="jacobian_flat")
def own_score_only(a):
    return a * (1 - a)


@wrong("softmax_jacobian", says="row 1, column 1 is 0.312, expected 0.188", named="jacobian_added")
def products_added(a):
    return np.diag(a) + np.outer(a, a)


@wrong("softmax_jacobian", named="jacobian_other_sign")
def the_other_way_round(a):
    return np.outer(a, a) - np.diag(a)


@wrong("softmax_jacobian", says="expected -0.188", named="jacobian_squares_across")
def squares_subtracted_along_the_rows(a):
    return np.diag(a) - a * a


@wrong("softmax_jacobian", says="expected 0.188", named="jacobian_weights_across")
def weights_subtracted(a):
    return np.diag(a) - a


@wrong("softmax_jacobian", says="expected 0.188", named="jacobian_dot_product")
def dot_product_for_the_outer(a):
    return np.diag(a) - a @ a


@wrong("softmax_jacobian", says="expected 0.188", named="jacobian_dot_product")
def transpose_of_a_flat_array(a):
    return np.diag(a) - a @ a.T


@wrong("softmax_jacobian", says="expected 0.188", named="jacobian_identity")
def identity_for_the_diagonal(a):
    return np.eye(len(a)) - np.outer(a, a)


@wrong("softmax_jacobian", says="row 1, column 2 is 0.062, expected -0.188", named="jacobian_everywhere_own")
def one_minus_the_other(a):
    return np.outer(a, 1 - a)


@wrong("softmax_jacobian", says="expected 0.188", named="jacobian_of_a_softmax")
def of_scores_in_place_of_weights(a):
    a = softmax_cols(a[:, np.newaxis])[:, 0]
    return np.diag(a) - np.outer(a, a)


@wrong("softmax_jacobian", says="changed its argument `a`")
def writes_into_the_weights(a):  # H18
    J = np.diag(a) - np.outer(a, a)
    a -= a
    return J


wrong_cell(
    "softmax_jacobian",
    "with_another_package",
    """
from scipy.special import softmax

def {name}(a):
    a = softmax(np.log(a))
    return np.diag(a) - np.outer(a, a)
""",
    says="the cell imports `scipy.special`",
)


@wrong("dot_variance", says="the result is 2.")
def fifteen_per_cent_too_much(D_q, n, rng):
    return 1.15 * np.var(np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0))


@right("dot_variance")
def within_what_chance_may_do(D_q, n, rng):  # the check allows 10 %: a drawn number cannot be held closer
    return 1.06 * np.var(np.sum(rng.normal(size=(D_q, n)) * rng.normal(size=(D_q, n)), axis=0))


@right("dot_variance")
def sums_of_entries_without_products(D_q, n, rng):  # the variance is D_q too; the notebook asks, no number can tell
    return np.var(np.sum(rng.normal(size=(D_q, n)), axis=0))
