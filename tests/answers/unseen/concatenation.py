"""Notebook 4, answers nobody has seen."""

# ruff: noqa: F821  an answer uses the functions of earlier exercises

import numpy as np

from answers import right, right_cell, wrong, wrong_cell

# --- 4.1 stack_heads


@right("stack_heads")
def row_after_row_into_a_list(Sa_list):
    rows = []
    for Sa in Sa_list:
        for row in np.asarray(Sa).tolist():
            rows.append(row)
    return rows


@right("stack_heads")
def side_by_side_and_turned(Sa_list):
    return np.hstack([Sa.T for Sa in Sa_list]).T


@right("stack_heads")
def new_axis_and_reshape(Sa_list):
    cube = np.array(Sa_list, dtype=np.float32)
    H, D_q, N = cube.shape
    return cube.reshape(H * D_q, N)


@right("stack_heads")
def filled_block_by_block(Sa_list):
    height = sum(len(one) for one in Sa_list)
    out = np.ma.zeros((height, Sa_list[0].shape[1]))
    at = 0
    for one in Sa_list:
        out[at : at + len(one), :] = one
        at += len(one)
    return out


right_cell(
    "stack_heads",
    "folded_two_at_a_time",
    """
from functools import reduce

def on_top(upper, lower):
    return np.block([[upper], [lower]])

def {name}(Sa_list):
    return reduce(on_top, Sa_list)
""",
)


# did: joined the heads along the columns, so that they stand side by side
@wrong("stack_heads", named="heads_side_by_side")
def c_underscore_from_matlab(Sa_list):
    joined = Sa_list[0]
    for nxt in Sa_list[1:]:
        joined = np.c_[joined, nxt]
    return joined


# did: laid the rows of the heads alternately: row 1 of every head, then row 2 of every head
@wrong("stack_heads", named="heads_side_by_side_reshaped | rows_of_heads_take_turns")
def rows_zipped(Sa_list):
    out = []
    for same_row in zip(*Sa_list):
        out.extend(same_row)
    return np.array(out)


# did: stacked only the first two heads, whatever their number
@wrong("stack_heads", named="two_heads_stacked_only")
def two_are_enough(Sa_list):
    top, bottom = Sa_list[0], Sa_list[min(1, len(Sa_list) - 1)]
    if len(Sa_list) == 1:
        return top
    return np.concatenate((top, bottom))


# did: made each head's numbers one flat vector and put these vectors one above the other
@wrong("stack_heads")
def one_flat_row_per_head(Sa_list):
    H = len(Sa_list)
    return np.array([Sa.ravel() for Sa in Sa_list]).reshape(H, -1)


# did: turned every head's output over before joining, so that tokens are rows
@wrong("stack_heads", named="stack_turned_over")
def tokens_as_rows(Sa_list):
    transposed = [head.T for head in Sa_list]
    result = np.concatenate(transposed, axis=1)
    return result


# did: started with a row of zeros and stacked the heads below it, without taking it off
@wrong("stack_heads")
def starts_from_zeros(Sa_list):
    stacked = np.zeros((1, Sa_list[0].shape[1]))
    for Sa in Sa_list:
        stacked = np.vstack([stacked, Sa])
    return stacked


# did: put every new head on top of those before, so that the last head is first
@wrong("stack_heads", named="last_head_on_top")
def each_new_one_on_top(Sa_list):
    tower = Sa_list[0]
    for k in range(1, len(Sa_list)):
        tower = np.r_[Sa_list[k], tower]
    return tower


# did: named the axis `dim`, as PyTorch does, which numpy refuses
@wrong("stack_heads")
def torch_dim(Sa_list):
    return np.concatenate(Sa_list, dim=0)


# did: returned inside the loop, after the first head
@wrong("stack_heads", named="first_head_stacked_only")
def return_one_tab_too_far(Sa_list):
    parts = []
    for Sa in Sa_list:
        parts.append(Sa)
        return np.vstack(parts)


# --- 4.2 mix


@right("mix")
def einsum_over_the_stack(omega_c, stacked):
    return np.einsum("ij,jn->in", omega_c, stacked, optimize=True)


@right("mix")
def sum_of_outer_products(omega_c, stacked):
    total = np.zeros((omega_c.shape[0], stacked.shape[1]))
    for column, row in zip(omega_c.T, stacked):
        total = total + np.outer(column, row)
    return total


@right("mix")
def every_recipe_by_hand(omega_c, stacked):
    D, rows = omega_c.shape
    N = stacked.shape[1]
    out = [[0.0 for n in range(N)] for i in range(D)]
    for i in range(D):
        for n in range(N):
            for j in range(rows):
                out[i][n] += omega_c[i, j] * stacked[j, n]
    return out


@right("mix")
def linear_layer_on_rows_of_tokens(omega_c, stacked):
    tokens = stacked.T
    W_O = omega_c.T
    return (tokens @ W_O).T


@right("mix")
def matrices_with_a_star(omega_c, stacked):
    return np.asmatrix(omega_c) * np.asmatrix(stacked)


# did: used omega_c turned over, so that its columns are the recipes
@wrong("mix", named="recipes_read_down")
def recipes_in_columns(omega_c, stacked):
    return np.einsum("ji,jn->in", omega_c, stacked)


# did: multiplied in the other order, stacked times omega_c
@wrong("mix", named="stack_mixture_factors_exchanged")
def stacked_first(omega_c, stacked):
    X_prime = stacked.dot(omega_c)
    return X_prime


# did: multiplied element by element
@wrong("mix", named="stack_mixture_entry_by_entry")
def star_of_arrays(omega_c, stacked):
    return omega_c * stacked


# did: normalised every recipe to sum to one before mixing
@wrong("mix", named="recipes_made_to_sum_to_1")
def recipes_that_sum_to_one(omega_c, stacked):
    shares = omega_c / omega_c.sum(axis=1, keepdims=True)
    return shares @ stacked


# did: kept in each output entry the last term of the sum only, by = for +=
@wrong("mix")
def no_plus_in_the_loop(omega_c, stacked):
    X_prime = np.zeros((len(omega_c), stacked.shape[1]))
    for i, recipe in enumerate(omega_c):
        for j, amount in enumerate(recipe):
            X_prime[i] = amount * stacked[j]
    return X_prime


# did: added the stacked rows to the product, a way around the mixing
@wrong("mix")
def with_a_residual(omega_c, stacked):
    mixed = omega_c @ stacked
    if mixed.shape == stacked.shape:
        mixed = mixed + stacked
    return mixed


# did: printed the shape of the result and returned nothing
@wrong("mix")
def nothing_comes_back(omega_c, stacked):
    X_prime = np.matmul(omega_c, stacked)
    print(X_prime.shape)


# --- 4.3 head_contributions


@right("head_contributions")
def split_into_blocks(omega_c, Sa_list):
    blocks = np.hsplit(omega_c, len(Sa_list))
    return list(map(np.matmul, blocks, Sa_list))


@right("head_contributions")
def all_other_heads_silenced(omega_c, Sa_list):
    written = []
    for h in range(len(Sa_list)):
        only = [Sa if k == h else np.zeros_like(Sa) for k, Sa in enumerate(Sa_list)]
        written.append(mix(omega_c, stack_heads(only)))
    return written


@right("head_contributions")
def one_einsum_for_all(omega_c, Sa_list):
    H = len(Sa_list)
    blocks = omega_c.reshape(omega_c.shape[0], H, -1)
    return np.einsum("dhq,hqn->hdn", blocks, np.stack(Sa_list))


@right("head_contributions")
def columns_taken_off_from_the_left(omega_c, Sa_list):
    rest = omega_c.copy()
    out = ()
    for Sa in Sa_list:
        mine, rest = rest[:, : len(Sa)], rest[:, len(Sa) :]
        out += ((Sa.T @ mine.T).T,)
    return out


right_cell(
    "head_contributions",
    "a_generator_in_the_cell",
    """
def blocks(matrix, width):
    for left in range(0, matrix.shape[1], width):
        yield matrix[:, left:left + width]

def {name}(omega_c, Sa_list):
    D_q = Sa_list[0].shape[0]
    return [np.dot(block, Sa) for block, Sa in zip(blocks(omega_c, D_q), Sa_list)]
""",
)


# did: cut omega_c by rows: block h is rows h D_q to (h + 1) D_q instead of columns
@wrong("head_contributions", named="blocks_of_rows")
def row_blocks(omega_c, Sa_list):
    D_q = len(Sa_list[0])
    out = []
    for h, Sa in enumerate(Sa_list):
        block = omega_c[h * D_q : (h + 1) * D_q, :]
        out.append(block @ Sa)
    return out


# did: used the first block of columns for every head
@wrong("head_contributions", named="first_block_for_all")
def offset_never_moves(omega_c, Sa_list):
    start = 0
    contributions = []
    for Sa in Sa_list:
        stop = start + Sa.shape[0]
        contributions += [omega_c[:, start:stop] @ Sa]
    return contributions


# did: took every H-th column for head h instead of a block of neighbours
@wrong("head_contributions", named="blocks_of_every_other_column")
def every_other_column(omega_c, Sa_list):
    H = len(Sa_list)
    return [omega_c[:, h::H] @ Sa for h, Sa in enumerate(Sa_list)]


# did: gave the blocks out from the right: the last columns to head 1
@wrong("head_contributions", named="blocks_in_reverse")
def blocks_from_the_right(omega_c, Sa_list):
    pieces = np.split(omega_c, len(Sa_list), axis=1)
    result = []
    for Sa in Sa_list:
        result.append(pieces.pop() @ Sa)
    return result


# did: returned running sums: item h is what heads 1 to h write together
@wrong("head_contributions", named="running_sum_of_contributions")
def accumulated(omega_c, Sa_list):
    D_q = Sa_list[0].shape[0]
    total = np.zeros((omega_c.shape[0], Sa_list[0].shape[1]))
    kept = []
    for h in range(len(Sa_list)):
        total = total + omega_c[:, h * D_q : h * D_q + D_q] @ Sa_list[h]
        kept.append(total)
    return kept


# did: added the contributions up and returned the sum, one matrix
@wrong("head_contributions")
def summed_already(omega_c, Sa_list):
    q = Sa_list[0].shape[0]
    return sum(omega_c[:, h * q : (h + 1) * q] @ Sa_list[h] for h in range(len(Sa_list)))


# did: took the width of a block from the number of tokens
@wrong("head_contributions")
def width_from_tokens(omega_c, Sa_list):
    width = Sa_list[0].shape[1]
    out = []
    for h in range(len(Sa_list)):
        W = omega_c[:, h * width : (h + 1) * width]
        out.append(W @ Sa_list[h])
    return out


# did: returned a generator, round brackets for square ones
@wrong("head_contributions")
def round_brackets(omega_c, Sa_list):
    parts = np.array_split(omega_c, len(Sa_list), axis=1)
    return (part @ Sa for part, Sa in zip(parts, Sa_list))


# did: let every block stop one column early, and left the last row of each head out to match
@wrong("head_contributions")
def last_column_lost(omega_c, Sa_list):
    D_q = Sa_list[0].shape[0]
    out = []
    for h, Sa in enumerate(Sa_list):
        lo, hi = h * D_q, (h + 1) * D_q - 1
        out.append(omega_c[:, lo:hi] @ Sa[: hi - lo])
    return out


# --- 4.4 multihead


@right("multihead")
def all_heads_in_one_einsum(X, heads, omega_c):
    Wq, Wk, Wv, bq, bk, bv = (np.stack(part) for part in zip(*heads))
    q, k, v = Wq @ X + bq, Wk @ X + bk, Wv @ X + bv
    s = np.einsum("hdm,hdn->hmn", k, q) / q.shape[1] ** 0.5
    e = np.exp(s - s.max(1, keepdims=True))
    Sa = v @ (e / e.sum(1, keepdims=True))
    return omega_c @ Sa.reshape(-1, X.shape[1])


@right("multihead")
def tokens_as_rows_as_in_torch(X, heads, omega_c):
    x = X.T
    outs = []
    for h in heads:
        q, k, v = x @ h.omega_q.T + h.beta_q.T, x @ h.omega_k.T + h.beta_k.T, x @ h.omega_v.T + h.beta_v.T
        logits = q @ k.T * k.shape[-1] ** -0.5
        logits = logits - logits.max(axis=-1, keepdims=True)
        probs = np.exp(logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True)))
        outs.append(probs @ v)
    return (np.concatenate(outs, axis=-1) @ omega_c.T).T


@right("multihead")
def sum_of_what_each_head_writes(X, heads, omega_c):
    return sum(head_contributions(omega_c, [head_output(X, head)[0] for head in heads]))


@right("multihead")
def query_by_query(X, heads, omega_c):
    columns = []
    for n in range(X.shape[1]):
        told = []
        for wq, wk, wv, bq, bk, bv in heads:
            query = (wq @ X[:, [n]] + bq).ravel()
            shares = []
            for m in range(X.shape[1]):
                key = (wk @ X[:, [m]] + bk).ravel()
                shares.append(query @ key / len(query) ** 0.5)
            shares = [np.exp(s - max(shares)) for s in shares]
            value = sum(w * (wv @ X[:, [m]] + bv).ravel() for m, w in enumerate(shares)) / sum(shares)
            told.extend(value)
        columns.append([float(np.dot(recipe, told)) for recipe in omega_c])
    return [list(row) for row in zip(*columns)]


right_cell(
    "multihead",
    "a_class_and_a_decorator",
    """
def stacking(f):
    def wrapped(X, heads):
        return np.vstack([f(X, h) for h in heads])
    return wrapped

class Attend:
    def __init__(self, head):
        self.h = head

    def __call__(self, X):
        q = project(X, self.h.omega_q, self.h.beta_q)
        k = project(X, self.h.omega_k, self.h.beta_k)
        v = project(X, self.h.omega_v, self.h.beta_v)
        return weighted_values(softmax_cols(scaled_scores(q, k)), v)

@stacking
def run(X, h):
    return Attend(h)(X)

def {name}(X, heads, omega_c):
    return np.dot(omega_c, run(X, heads))
""",
)


# did: divided the scores by sqrt of D, the rows of X, instead of sqrt of D_q
@wrong("multihead", named="head_scale_by_root_of_D")
def dk_of_the_whole_model(X, heads, omega_c):
    d_k = X.shape[0]
    context = []
    for head in heads:
        q = head.omega_q @ X + head.beta_q
        k = head.omega_k @ X + head.beta_k
        v = head.omega_v @ X + head.beta_v
        energy = k.T @ q / np.sqrt(d_k)
        energy = np.exp(energy - energy.max(axis=0))
        attn = energy / energy.sum(axis=0)
        context.append(v @ attn)
    return omega_c @ np.vstack(context)


# did: softmax over all scores of a head at once, so that the whole matrix sums to one
@wrong("multihead", named="one_softmax_for_all | one_softmax_for_all_not_shifted")
def one_softmax_for_the_whole_matrix(X, heads, omega_c):
    outs = []
    for wq, wk, wv, bq, bk, bv in heads:
        Q, K, V = wq @ X + bq, wk @ X + bk, wv @ X + bv
        P = K.T @ Q / np.sqrt(Q.shape[0])
        P = np.exp(P - np.max(P))
        P = P / np.sum(P)
        outs.append(V @ P)
    return omega_c @ np.concatenate(outs, 0)


# did: used the attention weights of head 1 for every head, each with its own values
@wrong("multihead", named="multihead_weights_of_head_1")
def everyone_looks_as_head_one(X, heads, omega_c):
    first = heads[0]
    Q = project(X, first.omega_q, first.beta_q)
    K = project(X, first.omega_k, first.beta_k)
    A = softmax_cols(scaled_scores(Q, K))
    parts = [weighted_values(A, project(X, h.omega_v, h.beta_v)) for h in heads]
    return mix(omega_c, stack_heads(parts))


# did: averaged the heads, and repeated the mean, instead of stacking them
@wrong("multihead")
def mean_of_heads(X, heads, omega_c):
    Sa = [head_output(X, head)[0] for head in heads]
    mean = sum(Sa) / len(Sa)
    return omega_c @ np.tile(mean, (len(heads), 1))


# did: scaled the scores a second time: scaled_scores, then divided by sqrt(D_q) again
@wrong("multihead", named="scale_by_D_q | scale_twice")
def scaled_twice(X, heads, omega_c):
    rows = []
    for head in heads:
        queries = project(X, head.omega_q, head.beta_q)
        keys = project(X, head.omega_k, head.beta_k)
        values = project(X, head.omega_v, head.beta_v)
        scores = scaled_scores(queries, keys) / np.sqrt(queries.shape[0])
        weights = softmax_cols(scores)
        rows.extend(weighted_values(weights, values))
    return mix(omega_c, np.array(rows))


# did: added X to the output where the shapes agree, a residual connection
@wrong("multihead", named="multihead_tokens_added")
def residual_from_the_paper(X, heads, omega_c):
    Sa_list = [head_output(X, h)[0] for h in heads]
    return X + mix(omega_c, stack_heads(Sa_list))


# did: concatenated the attention weights of the heads, not their outputs
@wrong("multihead")
def weights_for_outputs(X, heads, omega_c):
    found = [head_output(X, head)[1] for head in heads]
    stacked = stack_heads(found)
    return mix(omega_c, stacked)


# did: handed the pairs (output, weights) to stack_heads without taking the outputs out
@wrong("multihead")
def pairs_not_unpacked(X, heads, omega_c):
    Sa_list = [head_output(X, head) for head in heads]
    return mix(omega_c, stack_heads(Sa_list))


# did: used the unscaled self_attention of notebook 1 for each head
@wrong("multihead", named="no_scale")
def attention_of_notebook_one(X, heads, omega_c):
    outs = []
    for i in range(len(heads)):
        outs.append(self_attention(X, heads[i]))
    return mix(omega_c, stack_heads(outs))


# did: added the query bias to the keys and the key bias to the queries
@wrong("multihead", named="head_beta_k_for_queries")
def biases_of_query_and_key_swapped(X, heads, omega_c):
    result = 0
    at = 0
    for Wq, Wk, Wv, bq, bk, bv in heads:
        Q, K, V = Wq @ X + bk, Wk @ X + bq, Wv @ X + bv
        S = K.T @ Q / Q.shape[0] ** 0.5
        E = np.exp(S - S.max(0))
        Sa = V @ E / E.sum(0)
        result = result + omega_c[:, at : at + len(Sa)] @ Sa
        at += len(Sa)
    return result


# did: left the value bias out, and took softmax along the rows
@wrong("multihead")
def row_softmax_and_no_value_bias(X, heads, omega_c):
    z = []
    for h in heads:
        q, k = h.omega_q @ X + h.beta_q, h.omega_k @ X + h.beta_k
        v = h.omega_v @ X
        t = (k.T @ q) / np.sqrt(len(k))
        t = np.exp(t - t.max(axis=1, keepdims=True))
        t /= t.sum(axis=1, keepdims=True)
        z.append(v @ t)
    return omega_c @ np.vstack(z)


# --- 4.5 multihead_scaled_self_attention


@right("multihead_scaled_self_attention")
def in_one_piece_with_logs(
    X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c,
):  # fmt: skip
    def attend(Wv, Wq, Wk, bv, bq, bk):
        scores = (Wk @ X + bk).T @ (Wq @ X + bq) / np.sqrt(Wq.shape[0])
        log_total = np.logaddexp.reduce(scores, axis=0)
        return (Wv @ X + bv) @ np.exp(scores - log_total)

    one = attend(omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1)
    two = attend(omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2)
    return omega_c @ np.append(one, two, axis=0)


@right("multihead_scaled_self_attention")
def all_arguments_in_a_star(X, *rest):
    *parts, mixer = rest
    out = 0
    for h in (0, 1):
        v, q, k = (W @ X + b for W, b in zip(parts[6 * h : 6 * h + 3], parts[6 * h + 3 : 6 * h + 6]))
        a = softmax_cols(scaled_scores(q, k))
        out = out + mixer[:, h * len(v) : (h + 1) * len(v)] @ v @ a
    return out


@right("multihead_scaled_self_attention")
def rows_of_tokens_in_float32(
    X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c,
):  # fmt: skip
    x = X.T
    outs = []
    for wv, wq, wk, bv, bq, bk in [
        (omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1),
        (omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2),
    ]:
        V, Q, K = x @ wv.T + bv.ravel(), x @ wq.T + bq.ravel(), x @ wk.T + bk.ravel()
        logits = Q @ K.T / np.sqrt(K.shape[1])
        p = np.exp(logits - np.amax(logits, axis=1)[:, None])
        outs.append(p @ V / p.sum(axis=1)[:, None])
    y = np.column_stack(outs) @ omega_c.T
    return y.T.astype(np.float32)


# did: took the arguments as q, k, v: the names in the first line were put in another order
@wrong("multihead_scaled_self_attention", named="head_roles_turned_back | seed_parameters_in_order_of_draws")
def names_moved_in_the_first_line(
    X, omega_q1, omega_k1, omega_v1, beta_q1, beta_k1, beta_v1,
    omega_q2, omega_k2, omega_v2, beta_q2, beta_k2, beta_v2, omega_c,
):  # fmt: skip
    Q1, K1, V1 = omega_q1 @ X + beta_q1, omega_k1 @ X + beta_k1, omega_v1 @ X + beta_v1
    Q2, K2, V2 = omega_q2 @ X + beta_q2, omega_k2 @ X + beta_k2, omega_v2 @ X + beta_v2
    A1 = softmax_cols(scaled_scores(Q1, K1))
    A2 = softmax_cols(scaled_scores(Q2, K2))
    return omega_c @ np.vstack([V1 @ A1, V2 @ A2])


# did: head 2's scores are made from head 1's keys, a slip of copying
@wrong("multihead_scaled_self_attention", named="seed_head_2_omega_k_of_head_1")
def keys_of_head_one_for_both(
    X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c,
):  # fmt: skip
    v1 = omega_v1 @ X + beta_v1
    q1 = omega_q1 @ X + beta_q1
    k1 = omega_k1 @ X + beta_k1
    v2 = omega_v2 @ X + beta_v2
    q2 = omega_q2 @ X + beta_q2
    k2 = omega_k2 @ X + beta_k2
    root = np.sqrt(q1.shape[0])
    w1 = softmax_cols(k1.T @ q1 / root)
    w2 = softmax_cols(k1.T @ q2 / root)
    return mix(omega_c, stack_heads([v1 @ w1, v2 @ w2]))


# did: divided the scores by sqrt(2 D_q), the rows of both heads together, instead of sqrt(D_q)
@wrong("multihead_scaled_self_attention", named="head_scale_by_root_of_D | multihead_scale_by_all_rows")
def root_of_both_heads(
    X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c,
):  # fmt: skip
    d = omega_q1.shape[0] + omega_q2.shape[0]

    def sa(v, q, k):
        s = k.T @ q / np.sqrt(d)
        e = np.exp(s - s.max(axis=0, keepdims=True))
        return v @ (e / e.sum(axis=0, keepdims=True))

    a = sa(omega_v1 @ X + beta_v1, omega_q1 @ X + beta_q1, omega_k1 @ X + beta_k1)
    b = sa(omega_v2 @ X + beta_v2, omega_q2 @ X + beta_q2, omega_k2 @ X + beta_k2)
    return omega_c @ np.r_[a, b]


# did: used the value bias of head 1 for head 2 too: beta_v1 stands where beta_v2 belongs
@wrong("multihead_scaled_self_attention", named="seed_head_2_beta_v_of_head_1")
def one_digit_wrong(
    X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c,
):  # fmt: skip
    head1 = Head(omega_q1, omega_k1, omega_v1, beta_q1, beta_k1, beta_v1)
    head2 = Head(omega_q2, omega_k2, omega_v2, beta_q2, beta_k2, beta_v1)
    return multihead(X, [head1, head2], omega_c)


# did: mixed with omega_c turned over, and scaled nothing
@wrong("multihead_scaled_self_attention")
def two_slips_at_once(
    X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c,
):  # fmt: skip
    left = self_attention(X, Head(omega_q1, omega_k1, omega_v1, beta_q1, beta_k1, beta_v1))
    right_ = self_attention(X, Head(omega_q2, omega_k2, omega_v2, beta_q2, beta_k2, beta_v2))
    both = np.vstack((left, right_))
    return omega_c.T @ both


# did: let head 2 read X plus what head 1 writes, instead of X
@wrong("multihead_scaled_self_attention")
def second_head_reads_the_first(
    X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c,
):  # fmt: skip
    Sa1, _ = head_output(X, Head(omega_q1, omega_k1, omega_v1, beta_q1, beta_k1, beta_v1))
    width = Sa1.shape[0]
    X = X + omega_c[:, :width] @ Sa1
    Sa2, _ = head_output(X, Head(omega_q2, omega_k2, omega_v2, beta_q2, beta_k2, beta_v2))
    return omega_c[:, :width] @ Sa1 + omega_c[:, width:] @ Sa2


# did: added the value bias twice: to the values, and once more after the weighted sum
@wrong("multihead_scaled_self_attention", named="head_beta_v_twice")
def value_bias_twice(
    X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c,
):  # fmt: skip
    blocks = []
    for ov, oq, ok, bv, bq, bk in (
        (omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1),
        (omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2),
    ):
        val, que, key = project(X, ov, bv), project(X, oq, bq), project(X, ok, bk)
        att = softmax_cols(scaled_scores(que, key))
        blocks.append(val @ att + bv)
    return omega_c @ np.vstack(blocks)


# did: left a comma out in the list of arguments, so that the cell is not Python
wrong_cell(
    "multihead_scaled_self_attention",
    "the_stub_with_a_missing_comma",
    """
def {name}(
    X,
    omega_v1, omega_q1, omega_k1 beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2,
    omega_c,
):
    return omega_c @ X
""",
)


# === a second set, by someone who had seen neither the recorded mistakes nor the answers above

# --- 4.1 stack_heads


@right("stack_heads")
def stack_b_rows_collected_in_a_list(Sa_list):
    rows = []
    for Sa in Sa_list:
        rows.extend(Sa.tolist())
    return rows


@right("stack_heads")
def stack_b_row_convention_turned_back(Sa_list):
    tokens_as_rows = np.hstack([Sa.T for Sa in Sa_list])
    return tokens_as_rows.T


@right("stack_heads")
def stack_b_three_axes_flattened(Sa_list):
    cube = np.array(Sa_list)
    H, D_q, N = cube.shape
    return cube.reshape(H * D_q, N)


# did: lays the heads side by side for rows as tokens, (N, H D_q), and does not turn the result back
@wrong("stack_heads", named="stack_turned_over")
def stack_b_transposed_heads_side_by_side(Sa_list):
    turned = [Sa.T for Sa in Sa_list]
    return np.concatenate(turned, axis=-1)


# did: always joins two heads, the first and the last of the list
@wrong("stack_heads")
def stack_b_first_and_last_only(Sa_list):
    top, bottom = Sa_list[0], Sa_list[-1]
    return np.vstack([top, bottom])


# did: flattens (D_q, H, N) so that the rows of the heads take turns
@wrong("stack_heads", named="heads_side_by_side_reshaped | rows_of_heads_take_turns")
def stack_b_axes_moved_before_reshape(Sa_list):
    cube = np.stack(Sa_list, axis=1)
    return cube.reshape(-1, cube.shape[2])


# did: puts every new head on top of those that are there already, so that the last head is first
@wrong("stack_heads", named="last_head_on_top")
def stack_b_new_ones_go_on_top(Sa_list):
    pile = Sa_list[0]
    for nxt in Sa_list[1:]:
        pile = np.append(nxt, pile, axis=0)
    return pile


# did: np.append without an axis makes everything one flat array
@wrong("stack_heads")
def stack_b_append_without_axis(Sa_list):
    stacked = np.array([])
    for Sa in Sa_list:
        stacked = np.append(stacked, Sa)
    return stacked


# --- 4.2 mix


@right("mix")
def mix_b_outer_products_summed(omega_c, stacked):
    total = 0
    for j in range(omega_c.shape[1]):
        total = total + np.outer(omega_c[:, j], stacked[j])
    return total


@right("mix")
def mix_b_rows_from_the_right(omega_c, stacked):
    tokens = np.transpose(stacked)
    W_O = np.transpose(omega_c)
    return np.transpose(np.dot(tokens, W_O))


# did: multiplies from the other side, tokens by recipes
@wrong("mix", named="stack_mixture_turned_over")
def mix_b_linear_layer_forgot_to_turn_back(omega_c, stacked):
    out = stacked.T @ omega_c.T
    return out


# did: takes omega_c by its columns: einsum sums over its first index
@wrong("mix", named="recipes_read_down")
def mix_b_einsum_first_index(omega_c, stacked):
    return np.einsum("di,dn->in", omega_c, stacked)


# did: normalizes every recipe so that its amounts sum to one
@wrong("mix", named="recipes_made_to_sum_to_1")
def mix_b_recipes_as_shares(omega_c, stacked):
    shares = omega_c / omega_c.sum(axis=1, keepdims=True)
    return shares @ stacked


# did: every loop over the rows leaves out the last stacked row
@wrong("mix")
def mix_b_range_minus_one(omega_c, stacked):
    D, R = omega_c.shape
    N = stacked.shape[1]
    X_prime = np.zeros((D, N))
    for i in range(D):
        for n in range(N):
            for r in range(R - 1):
                X_prime[i, n] += omega_c[i, r] * stacked[r, n]
    return X_prime


# did: assigns in the loop where it should add, so that only the last stacked row counts
@wrong("mix")
def mix_b_assigned_not_added(omega_c, stacked):
    result = np.zeros((len(omega_c), stacked.shape[1]))
    for r in range(stacked.shape[0]):
        result = omega_c[:, [r]] * stacked[[r], :]
    return result


# --- 4.3 head_contributions


@right("head_contributions")
def contributions_b_split_by_numpy(omega_c, Sa_list):
    return [block @ Sa for block, Sa in zip(np.split(omega_c, len(Sa_list), axis=1), Sa_list)]


@right("head_contributions")
def contributions_b_all_others_set_to_zero(omega_c, Sa_list):
    found = []
    for h in range(len(Sa_list)):
        quiet = [Sa if k == h else np.zeros_like(Sa) for k, Sa in enumerate(Sa_list)]
        found.append(omega_c @ np.vstack(quiet))
    return found


@right("head_contributions")
def contributions_b_einsum_of_three_axes(omega_c, Sa_list):
    heads = np.stack(Sa_list)
    blocks = omega_c.reshape(omega_c.shape[0], heads.shape[0], heads.shape[1])
    return list(np.einsum("dhq,hqn->hdn", blocks, heads))


# did: takes every H-th column of omega_c for a head
@wrong("head_contributions", named="blocks_of_every_other_column")
def contributions_b_strided_columns(omega_c, Sa_list):
    H = len(Sa_list)
    return [omega_c[:, h::H] @ Sa for h, Sa in enumerate(Sa_list)]


# did: steps on by one column a head, and not by D_q
@wrong("head_contributions", named="blocks_begin_one_column_on")
def contributions_b_window_moves_by_one(omega_c, Sa_list):
    out = []
    for h, Sa in enumerate(Sa_list):
        width = Sa.shape[0]
        out.append(omega_c[:, h : h + width] @ Sa)
    return out


# did: divides each head's writing by the number of heads
@wrong("head_contributions", named="contributions_shared")
def contributions_b_averaged(omega_c, Sa_list):
    pieces = np.hsplit(omega_c, len(Sa_list))
    return [pieces[i] @ Sa_list[i] / len(Sa_list) for i in range(len(Sa_list))]


# did: adds what was written before, so that the list holds running sums
@wrong("head_contributions", named="running_sum_of_contributions")
def contributions_b_running_sum(omega_c, Sa_list):
    written = []
    so_far = np.zeros((omega_c.shape[0], Sa_list[0].shape[1]))
    start = 0
    for Sa in Sa_list:
        stop = start + len(Sa)
        so_far = so_far + omega_c[:, start:stop] @ Sa
        written.append(so_far)
        start = stop
    return written


# did: every head meets the last block, because the lambdas are called after the loop is over
@wrong("head_contributions", named="blocks_in_reverse + first_block_for_all")
def contributions_b_late_binding(omega_c, Sa_list):
    D_q = Sa_list[0].shape[0]
    makers = []
    for h in range(len(Sa_list)):
        makers.append(lambda S: omega_c[:, h * D_q : (h + 1) * D_q] @ S)
    return [make(S) for make, S in zip(makers, Sa_list)]


# --- 4.4 multihead


@right("multihead")
def multihead_b_adds_what_each_writes(X, heads, omega_c):
    total = np.zeros((omega_c.shape[0], X.shape[1]))
    left = 0
    for wq, wk, wv, bq, bk, bv in heads:
        q, k, v = wq @ X + bq, wk @ X + bk, wv @ X + bv
        logits = np.einsum("ik,iq->kq", k, q) * len(k) ** -0.5
        logits -= np.log(np.exp(logits - logits.max()).sum(0)) + logits.max()
        total += omega_c[:, left : left + len(v)] @ v @ np.exp(logits)
        left += len(v)
    return total


@right("multihead")
def multihead_b_pytorch_rows(X, heads, omega_c):
    x = X.T
    outs = []
    for hd in heads:
        q = x @ hd.omega_q.T + hd.beta_q.T
        k = x @ hd.omega_k.T + hd.beta_k.T
        v = x @ hd.omega_v.T + hd.beta_v.T
        att = q @ k.T / q.shape[-1] ** 0.5
        att = np.exp(att - att.max(-1, keepdims=True))
        att = att / att.sum(-1, keepdims=True)
        outs.append(att @ v)
    return (np.concatenate(outs, -1) @ omega_c.T).T


# did: forgets the division by the root of D_q
@wrong("multihead", named="no_scale")
def multihead_b_raw_scores(X, heads, omega_c):
    outs = []
    for hd in heads:
        q = hd.omega_q @ X + hd.beta_q
        k = hd.omega_k @ X + hd.beta_k
        v = hd.omega_v @ X + hd.beta_v
        s = k.T @ q
        e = np.exp(s - s.max(axis=0))
        outs.append(v @ (e / e.sum(axis=0)))
    return omega_c @ np.vstack(outs)


# did: scales by the root of D, the rows of X, where D_q belongs
@wrong("multihead", named="head_scale_by_root_of_D")
def multihead_b_d_model_scale(X, heads, omega_c):
    d_model = X.shape[0]
    collected = None
    for head in heads:
        queries = project(X, head.omega_q, head.beta_q)
        keys = project(X, head.omega_k, head.beta_k)
        values = project(X, head.omega_v, head.beta_v)
        weights = softmax_cols(keys.T @ queries / np.sqrt(d_model))
        answer = values @ weights
        collected = answer if collected is None else np.vstack((collected, answer))
    return mix(omega_c, collected)


# did: from the second head on, each head reads X less what the head before it wrote, where the shapes allow it
@wrong("multihead")
def multihead_b_heads_in_a_chain(X, heads, omega_c):
    start = 0
    reading, total = X, 0
    for head in heads:
        Sa, _ = head_output(reading, head)
        stop = start + Sa.shape[0]
        writes = omega_c[:, start:stop] @ Sa
        total = total + writes
        if writes.shape == X.shape:
            reading = X - writes
        start = stop
    return total


# did: stacks the weights of the heads where their outputs belong
@wrong("multihead")
def multihead_b_second_of_the_pair(X, heads, omega_c):
    parts = []
    for head in heads:
        parts.append(head_output(X, head)[1])
    together = stack_heads(parts)
    return mix(omega_c, together)


# did: reshapes (H, D_q, N) by way of (D_q, H, N), so that the rows of the heads take turns before they are mixed
@wrong("multihead", named="heads_side_by_side_reshaped | rows_of_heads_take_turns")
def multihead_b_interleaved_heads(X, heads, omega_c):
    Sa = np.array([head_output(X, one)[0] for one in heads])
    flat = Sa.transpose(1, 0, 2).reshape(-1, X.shape[1])
    return omega_c @ flat


# did: subtracts one maximum a row and sums along rows: softmax over the queries
@wrong("multihead", named="rows_for_columns | rows_for_columns_not_shifted")
def multihead_b_softmax_of_pytorch_on_keys_by_queries(X, heads, omega_c):
    result = []
    for h in heads:
        q, k, v = (w @ X + b for w, b in zip(h[:3], h[3:]))
        scores = k.T @ q / np.sqrt(q.shape[0])
        p = np.exp(scores - scores.max(-1, keepdims=True))
        p = p / p.sum(-1, keepdims=True)
        result.append(v @ p)
    return omega_c @ np.concatenate(result)


# did: gives the biases to the wrong projections: the key's to the queries and the query's to the keys
@wrong("multihead", named="head_beta_k_for_queries")
def multihead_b_betas_of_q_and_k_swapped(X, heads, omega_c):
    outputs = []
    for Wq, Wk, Wv, bk, bq, bv in heads:
        Q, K, V = Wq @ X + bq, Wk @ X + bk, Wv @ X + bv
        A = softmax_cols(scaled_scores(Q, K))
        outputs.append(weighted_values(A, V))
    return omega_c @ np.concatenate(outputs, axis=0)


# did: averages what the heads write
@wrong("multihead", named="stacked_rows_shared")
def multihead_b_mean_of_contributions(X, heads, omega_c):
    outs = [head_output(X, h)[0] for h in heads]
    return np.mean(head_contributions(omega_c, outs), axis=0)


# did: returns inside the loop, after the first head
@wrong("multihead")
def multihead_b_return_too_far_right(X, heads, omega_c):
    all_heads = []
    for head in heads:
        Sa, A = head_output(X, head)
        all_heads.append(Sa)
        stacked = np.concatenate(all_heads, axis=0)
        return omega_c[:, : len(stacked)] @ stacked


# --- 4.5 multihead_scaled_self_attention


@right("multihead_scaled_self_attention")
def whole_b_stacked_parameters_and_einsum(
    X,
    omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2,
    omega_c,
):  # fmt: skip  # the stub's layout
    q = np.array([omega_q1 @ X + beta_q1, omega_q2 @ X + beta_q2])
    k = np.array([omega_k1 @ X + beta_k1, omega_k2 @ X + beta_k2])
    v = np.array([omega_v1 @ X + beta_v1, omega_v2 @ X + beta_v2])
    s = np.einsum("hdi,hdj->hij", k, q) / np.sqrt(q.shape[1])
    w = np.exp(s - s.max(axis=1, keepdims=True))
    w = w / w.sum(axis=1, keepdims=True)
    return omega_c @ np.einsum("hdi,hij->hdj", v, w).reshape(-1, X.shape[1])


@right("multihead_scaled_self_attention")
def whole_b_star_arguments(X, *everything):
    *parameters, omega_c = everything
    outputs = []
    for part in (parameters[:6], parameters[6:]):
        ov, oq, ok, bv, bq, bk = part
        outputs.append(head_output(X, Head(oq, ok, ov, bq, bk, bv))[0])
    return np.matmul(omega_c, np.vstack(outputs))


# did: hands the parameters to Head in the order v, q, k, in which they come
@wrong("multihead_scaled_self_attention", named="head_roles_turned_back | seed_parameters_in_order_of_draws")
def whole_b_head_in_order_of_arrival(X, *p):
    first, second = Head(*p[:6]), Head(*p[6:12])
    return multihead(X, [first, second], p[12])


# did: head 2 takes its values from head 1's omega_v
@wrong("multihead_scaled_self_attention", named="seed_head_2_omega_v_of_head_1")
def whole_b_copied_a_line_and_kept_v1(
    X,
    omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2,
    omega_c,
):  # fmt: skip  # the stub's layout
    V1 = omega_v1 @ X + beta_v1
    Q1 = omega_q1 @ X + beta_q1
    K1 = omega_k1 @ X + beta_k1
    V2 = omega_v1 @ X + beta_v2
    Q2 = omega_q2 @ X + beta_q2
    K2 = omega_k2 @ X + beta_k2
    Sa1 = V1 @ softmax_cols(scaled_scores(Q1, K1))
    Sa2 = V2 @ softmax_cols(scaled_scores(Q2, K2))
    return omega_c @ np.vstack((Sa1, Sa2))


# did: the value bias of both heads is left out
@wrong("multihead_scaled_self_attention", named="head_no_beta_v")
def whole_b_values_without_bias(
    X,
    omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2,
    omega_c,
):  # fmt: skip  # the stub's layout
    def attend(wv, wq, wk, bq, bk):
        scores = np.transpose(wk @ X + bk) @ (wq @ X + bq) / np.sqrt(wq.shape[0])
        return (wv @ X) @ softmax_cols(scores)

    top = attend(omega_v1, omega_q1, omega_k1, beta_q1, beta_k1)
    bottom = attend(omega_v2, omega_q2, omega_k2, beta_q2, beta_k2)
    return omega_c @ np.concatenate([top, bottom])


# did: stacks queries, keys and values of both heads and attends once, so both heads share one set of weights
@wrong("multihead_scaled_self_attention", named="multihead_one_wide_head")
def whole_b_one_attention_for_both(
    X,
    omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2,
    omega_c,
):  # fmt: skip  # the stub's layout
    Q = np.vstack([project(X, omega_q1, beta_q1), project(X, omega_q2, beta_q2)])
    K = np.vstack([project(X, omega_k1, beta_k1), project(X, omega_k2, beta_k2)])
    V = np.vstack([project(X, omega_v1, beta_v1), project(X, omega_v2, beta_v2)])
    return omega_c @ (V @ softmax_cols(scaled_scores(Q, K)))


# did: divides by D_q, without the root
@wrong("multihead_scaled_self_attention", named="multihead_scale_by_D_over_H | scale_by_D_q | scale_twice")
def whole_b_divided_by_d_q(
    X,
    omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2,
    omega_c,
):  # fmt: skip  # the stub's layout
    dq = omega_q1.shape[0]
    q1, k1, v1 = omega_q1 @ X + beta_q1, omega_k1 @ X + beta_k1, omega_v1 @ X + beta_v1
    q2, k2, v2 = omega_q2 @ X + beta_q2, omega_k2 @ X + beta_k2, omega_v2 @ X + beta_v2
    a1 = softmax_cols((k1.T @ q1) / dq)
    a2 = softmax_cols((k2.T @ q2) / dq)
    return omega_c @ np.r_[v1 @ a1, v2 @ a2]


# did: scales head 2 twice, head 1 not at all
@wrong("multihead_scaled_self_attention")
def whole_b_both_scales_on_the_second(
    X,
    omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2,
    omega_c,
):  # fmt: skip  # the stub's layout
    Q1, K1, V1 = omega_q1 @ X + beta_q1, omega_k1 @ X + beta_k1, omega_v1 @ X + beta_v1
    Q2, K2, V2 = omega_q2 @ X + beta_q2, omega_k2 @ X + beta_k2, omega_v2 @ X + beta_v2
    S1 = K1.T @ Q1
    S2 = K2.T @ Q2
    S2 /= np.sqrt(Q1.shape[0])
    S2 /= np.sqrt(Q2.shape[0])
    return omega_c @ np.vstack([V1 @ softmax_cols(S1), V2 @ softmax_cols(S2)])


# did: omega_c is left out; the stacked heads come back
@wrong("multihead_scaled_self_attention", named="stack_not_mixed")
def whole_b_forgot_the_recipes(
    X,
    omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
    omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2,
    omega_c,
):  # fmt: skip  # the stub's layout
    h1 = Head(omega_q1, omega_k1, omega_v1, beta_q1, beta_k1, beta_v1)
    h2 = Head(omega_q2, omega_k2, omega_v2, beta_q2, beta_k2, beta_v2)
    (Sa1, Sa2), _ = two_heads(X, h1, h2)
    return stack_heads([Sa1, Sa2])
