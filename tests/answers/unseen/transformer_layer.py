"""Notebook 6, answers nobody has seen."""

# ruff: noqa: F821  an answer uses the functions of earlier exercises

import numpy as np

from answers import right, right_cell, wrong, wrong_cell

# --- 6.1 layer_norm


@right("layer_norm")
def mean_square_minus_square_of_the_mean(X, gamma=1.0, delta=0.0, eps=1e-5):
    D = X.shape[0]
    m = np.einsum("dn->n", X) / D
    v = np.einsum("dn,dn->n", X - m, X) / D
    return np.einsum("dn,n->dn", X - m, (v + eps) ** -0.5) * gamma + delta


@right("layer_norm")
def tokens_as_rows_and_turned_back(X, gamma=1.0, delta=0.0, eps=1e-5):
    tokens = np.transpose(X)
    mu = tokens.mean(-1, keepdims=True)
    sigma2 = ((tokens - mu) ** 2).mean(-1, keepdims=True)
    tokens = (tokens - mu) / np.sqrt(sigma2 + eps)
    return tokens.T * gamma + delta


@right("layer_norm")
def centering_matrix(X, gamma=1.0, delta=0.0, eps=1e-5):
    D = len(X)
    C = np.eye(D) - np.full((D, D), 1 / D)
    centered = C @ X
    lengths = np.linalg.norm(centered, axis=0)
    return delta + gamma * centered / np.sqrt(lengths**2 / D + eps)


right_cell(
    "layer_norm",
    "plain_lists_token_by_token",
    """
def one_token(numbers, eps):
    m = sum(numbers) / len(numbers)
    v = sum((number - m) ** 2 for number in numbers) / len(numbers)
    return [(number - m) / (v + eps) ** 0.5 for number in numbers]


def {name}(X, gamma=1.0, delta=0.0, eps=1e-5):
    columns = [one_token(column, eps) for column in X.T.tolist()]
    rows = [list(row) for row in zip(*columns)]
    return np.multiply(rows, gamma) + delta
""",
)


# did: divides by the length of the centered column, the root of the sum of squares and not of their mean
@wrong("layer_norm", named="norm_squares_summed")
def unit_length(X, gamma=1.0, delta=0.0, eps=1e-5):
    centered = X - X.mean(0)
    length = np.sqrt((centered**2).sum(0) + eps)
    return gamma * centered / length + delta


# did: adds eps to the standard deviation, outside the root
@wrong("layer_norm", named="norm_eps_outside_the_root")
def eps_beside_the_deviation(X, gamma=1.0, delta=0.0, eps=1e-5):
    m = np.mean(X, axis=0)
    s = np.std(X, axis=0)
    return gamma * ((X - m) / (s + eps)) + delta


# did: divides the squared distances by D - 1 instead of D, as MATLAB's var does
@wrong("layer_norm", named="norm_one_degree_less")
def matlab_variance(X, gamma=1.0, delta=0.0, eps=1e-5):
    D, N = X.shape
    out = np.zeros((D, N))
    for n in range(N):
        x = X[:, n]
        mu = sum(x) / D
        sigma2 = sum((x - mu) ** 2) / (D - 1)
        out[:, n] = (x - mu) / np.sqrt(sigma2 + eps)
    return gamma * out + delta


# did: scales the column by gamma and delta together: adds delta first and multiplies the sum by gamma
@wrong("layer_norm", named="norm_delta_scaled_too")
def shifted_then_scaled(X, gamma=1.0, delta=0.0, eps=1e-5):
    m, v = X.mean(axis=0, keepdims=True), X.var(axis=0, keepdims=True)
    z = (X - m) / np.sqrt(v + eps)
    z = z + delta
    z = z * gamma
    return z


# did: takes the mean of the squares without subtracting the mean first, and centers only the numerator
@wrong("layer_norm", named="norm_spread_from_zero")
def squares_of_the_raw_numbers(X, gamma=1.0, delta=0.0, eps=1e-5):
    mean = X.mean(axis=0)
    power = (X * X).mean(axis=0)
    return (X - mean) / np.sqrt(power + eps) * gamma + delta


# did: never subtracts the mean from the numerator; only the divisor knows it
@wrong("layer_norm", named="norm_not_centered")
def divided_but_not_centered(X, gamma=1.0, delta=0.0, eps=1e-5):
    variance = np.var(X, axis=0, keepdims=True)
    std = np.sqrt(variance + eps)
    return gamma * (X / std) + delta


# did: takes mean and variance over the tokens of each row (axis -1) as in PyTorch code for (N, D)
@wrong("layer_norm", named="norm_along_rows")
def last_axis_as_in_torch(x, weight=1.0, bias=0.0, eps=1e-5):
    mean = x.mean(-1, keepdims=True)
    var = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(var + eps) * weight + bias


# did: takes one mean and one variance over all numbers of the matrix
@wrong("layer_norm", named="norm_over_everything")
def one_mean_for_all(X, gamma=1.0, delta=0.0, eps=1e-5):
    return gamma * (X - np.mean(X)) / np.sqrt(np.var(X) + eps) + delta


# did: divides by the mean absolute distance from the mean instead of the root of the mean square, and adds eps to it
@wrong("layer_norm", named="norm_absolute_distances")
def mean_distance(X, gamma=1.0, delta=0.0, eps=1e-5):
    mitte = X.mean(axis=0)
    abstand = np.abs(X - mitte)
    streuung = abstand.mean(axis=0)
    return gamma * (X - mitte) / (streuung + eps) + delta


# did: indexes gamma and delta row by row, which fails where they are plain numbers
@wrong("layer_norm")
def gamma_row_by_row(X, gamma=1.0, delta=0.0, eps=1e-5):
    D, N = X.shape
    Y = np.empty((D, N))
    for n in range(N):
        mean = X[:, n].mean()
        var = X[:, n].var()
        for d in range(D):
            Y[d, n] = gamma[d] * (X[d, n] - mean) / np.sqrt(var + eps) + delta[d]
    return Y


# did: divides by the variance, without a root
@wrong("layer_norm", named="norm_divided_by_the_variance")
def root_forgotten(X, gamma=1.0, delta=0.0, eps=1e-5):
    avg = np.average(X, axis=0)
    var = np.average((X - avg) ** 2, axis=0)
    normed = np.divide(X - avg, var + eps)
    return np.add(np.multiply(gamma, normed), delta)


# did: never uses eps: replaces a variance below 0.00000001 by that number, and adds nothing to the others
@wrong("layer_norm")
def floor_instead_of_sum(X, gamma=1.0, delta=0.0, eps=1e-5):
    mean = X.mean(axis=0, keepdims=True)
    variance = np.maximum(X.var(axis=0, keepdims=True), 1e-8)
    return gamma * (X - mean) / np.sqrt(variance) + delta


# --- 6.2 mlp


@right("mlp")
def einsum_and_where(X, W1, b1, W2, b2):
    h = np.einsum("md,dn->mn", W1, X) + b1
    h = np.where(h > 0, h, 0.0)
    return np.einsum("dm,mn->dn", W2, h) + b2


@right("mlp")
def linear_layers_on_rows(X, W1, b1, W2, b2):
    x = X.T
    x = x @ W1.T + b1.ravel()
    x = (x + abs(x)) / 2
    x = x @ W2.T + np.ravel(b2)
    return x.T


@right("mlp")
def biases_as_one_more_column(X, W1, b1, W2, b2):
    ones = np.ones((1, X.shape[1]))
    hidden = np.hstack([W1, b1]) @ np.vstack([X, ones])
    hidden = hidden * (hidden > 0)
    return np.hstack([W2, b2]) @ np.vstack([hidden, ones])


right_cell(
    "mlp",
    "scalar_by_scalar",
    """
relu = lambda z: z if z > 0 else 0.0


def {name}(X, W1, b1, W2, b2):
    result = []
    for d in range(len(W2)):
        line = []
        for n in range(X.shape[1]):
            total = b2[d, 0]
            for m in range(len(W1)):
                total += W2[d, m] * relu(sum(W1[m, i] * X[i, n] for i in range(len(X))) + b1[m, 0])
            line.append(total)
        result.append(line)
    return np.array(result)
""",
)


# did: reduces with np.max over axis 0, one number a token, instead of comparing each number with 0
@wrong("mlp")
def max_over_an_axis(X, W1, b1, W2, b2):
    incoming = W1 @ X + b1
    hidden = np.max(incoming, 0)
    return W2 @ hidden + b2


# did: sets the negative ones to 0 before the bias is added, not after
@wrong("mlp", named="mlp_relu_before_the_bias")
def bias_after_relu(X, W1, b1, W2, b2):
    a = np.matmul(W1, X)
    a[a < 0] = 0
    a = a + b1
    return np.matmul(W2, a) + b2


# did: applies ReLU to the output too
@wrong("mlp", named="mlp_relu_at_the_end_too")
def relu_after_both(X, W1, b1, W2, b2):
    out = X
    for W, b in ((W1, b1), (W2, b2)):
        out = np.maximum(0, W @ out + b)
    return out


# did: computes the outputs from the hidden numbers before the negative ones are set to 0
@wrong("mlp", named="mlp_no_activation")
def relu_too_late(X, W1, b1, W2, b2):
    hidden = W1 @ X + b1
    output = W2 @ hidden + b2
    hidden[hidden < 0] = 0
    return output


# did: keeps a hundredth of the negative numbers, as leaky ReLU does
@wrong("mlp", named="mlp_leaky")
def leaky(X, W1, b1, W2, b2):
    z = W1 @ X + b1
    return W2 @ np.where(z > 0, z, 0.01 * z) + b2


# did: uses the sizes of the negative numbers, abs instead of ReLU
@wrong("mlp", named="mlp_sizes")
def absolute_values(X, W1, b1, W2, b2):
    return W2 @ np.abs(W1 @ X + b1) + b2


# did: adds the input to the output, the residual connection inside the MLP
@wrong("mlp", named="mlp_input_added")
def residual_inside(X, W1, b1, W2, b2):
    H = np.maximum(W1 @ X + b1, 0)
    return X + W2 @ H + b2


# did: multiplies X by W1 from the right as in PyTorch's row convention, without turning X over
@wrong("mlp")
def rows_without_turning(x, W1, b1, W2, b2):
    h = x @ W1.T + b1
    h = np.clip(h, 0, None)
    return h @ W2.T + b2


# did: works token by token and stacks the results as rows, so the answer is (N, D)
@wrong("mlp", named="mlp_turned_over")
def tokens_left_as_rows(X, W1, b1, W2, b2):
    outs = []
    for x in X.T:
        x = x.reshape(-1, 1)
        h = np.maximum(W1.dot(x) + b1, 0)
        outs.append((W2.dot(h) + b2)[:, 0])
    return np.array(outs)


# did: forgets the bias of the hidden numbers
@wrong("mlp", named="mlp_no_b1")
def first_bias_unused(X, W1, b1, W2, b2):
    in_layer = np.dot(W1, X)
    activated = np.maximum(in_layer, np.zeros_like(in_layer))
    out_layer = np.dot(W2, activated)
    return out_layer + b2


# did: limits the hidden numbers to at most 1 as well as at least 0
@wrong("mlp", named="mlp_at_most_1")
def clipped_to_one(X, W1, b1, W2, b2):
    return W2 @ np.clip(W1 @ X + b1, 0, 1) + b2


# --- 6.3 residual


@right("residual")
def copied_and_added_to(X, f):
    out = np.array(X, dtype=float)
    out += f(X)
    return out


@right("residual")
def two_planes_summed(X, f):
    return np.sum([X, f(X)], axis=0)


@right("residual")
def entry_by_entry(X, f):
    change = np.asarray(f(X))
    D, N = np.shape(X)
    return [[X[d][n] + change[d, n] for n in range(N)] for d in range(D)]


# did: calls f on each column alone, so what f reads from other columns is lost
@wrong("residual", named="residual_column_by_column")
def column_by_column(X, f):
    cols = []
    for n in range(X.shape[1]):
        x = X[:, [n]]
        cols.append(x + f(x))
    return np.hstack(cols)


# did: overwrites X with f(X) and adds that to itself, twice f(X) in place of X + f(X)
@wrong("residual", named="residual_change_doubled")
def overwritten_first(X, f):
    X = f(X)
    X = X + X
    return X


# did: adds in place, so the caller's X is changed
@wrong("residual")
def plus_equals_on_the_argument(X, f):
    X += f(X)
    return X


# did: adds f itself, without calling it
@wrong("residual")
def never_called(X, f):
    return X + f


# did: takes the mean of X and f(X), half of the sum
@wrong("residual", named="residual_mean")
def halfway(X, f):
    return 0.5 * (X + f(X))


# did: returns the difference, f(X) minus X
@wrong("residual", named="residual_input_subtracted")
def what_f_changed(X, f):
    new = f(X)
    change = new - X
    return change


# did: applies f a second time to the sum
@wrong("residual", named="residual_f_of_the_sum")
def f_called_on_the_sum(X, f):
    Y = X + f(X)
    return f(Y)


# did: puts f(X) below X, so the answer has 2D rows
@wrong("residual", named="residual_below")
def one_above_the_other(X, f):
    return np.concatenate((X, f(X)))


# did: prints the sum and returns nothing
@wrong("residual")
def printed_sum(X, f):
    added = X + f(X)
    print(added)


# --- 6.4 transformer_layer


@right("transformer_layer")
def four_lines_on_one_name(X, layer):
    heads, omega_c, g1, d1, W1, b1, W2, b2, g2, d2 = layer
    X = X + multihead(X, heads, omega_c)
    X = layer_norm(X, g1, d1)
    X = X + mlp(X, W1, b1, W2, b2)
    X = layer_norm(X, g2, d2)
    return X


@right("transformer_layer")
def every_step_written_out(X, layer):
    outs = []
    for h in layer.heads:
        q, k, v = h.omega_q @ X + h.beta_q, h.omega_k @ X + h.beta_k, h.omega_v @ X + h.beta_v
        s = np.einsum("dk,dq->kq", k, q) / np.sqrt(len(k))
        w = np.exp(s - np.logaddexp.reduce(s, axis=0))
        outs.append(v @ w)
    Y = X + layer.omega_c @ np.concatenate(outs)
    Y = (Y - Y.mean(0)) / np.sqrt(Y.var(0) + 1e-5) * layer.gamma1 + layer.delta1
    Z = Y + layer.W2 @ np.maximum(layer.W1 @ Y + layer.b1, 0) + layer.b2
    return (Z - Z.mean(0)) / np.sqrt(Z.var(0) + 1e-5) * layer.gamma2 + layer.delta2


@right("transformer_layer")
def batch_first_and_turned_back(X, layer):
    x = np.asarray(X).T

    def norm(t, weight, bias):
        mu = t.mean(-1, keepdims=True)
        return (t - mu) / np.sqrt(((t - mu) ** 2).mean(-1, keepdims=True) + 1e-5) * weight.ravel() + bias.ravel()

    ctx = []
    for wq, wk, wv, bq, bk, bv in layer.heads:
        q, k, v = x @ wq.T + bq.T, x @ wk.T + bk.T, x @ wv.T + bv.T
        att = q @ k.T * k.shape[-1] ** -0.5
        att = np.exp(att - att.max(-1, keepdims=True))
        ctx.append((att / att.sum(-1, keepdims=True)) @ v)
    x = norm(x + np.concatenate(ctx, -1) @ layer.omega_c.T, layer.gamma1, layer.delta1)
    ff = np.maximum(x @ layer.W1.T + layer.b1.T, 0) @ layer.W2.T + layer.b2.T
    return norm(x + ff, layer.gamma2, layer.delta2).T


right_cell(
    "transformer_layer",
    "mlp_column_by_column_with_helpers",
    """
def attend(layer):
    return lambda tokens: multihead(tokens, layer.heads, layer.omega_c)


def feed(layer):
    def every(tokens):
        columns = [mlp(tokens[:, n : n + 1], *layer[4:8]) for n in range(tokens.shape[1])]
        return np.hstack(columns)

    return every


def {name}(X, layer):
    steps = [(attend, layer.gamma1, layer.delta1), (feed, layer.gamma2, layer.delta2)]
    for step, gamma, delta in steps:
        X = layer_norm(residual(X, step(layer)), gamma, delta)
    return X
""",
)


# did: line 3 adds the MLP's change to the sum of line 1, not to what line 2 normalized
@wrong("transformer_layer", named="layer_mlp_adds_to_what_was_attended")
def mlp_added_to_line_one(X, layer):
    line1 = X + multihead(X, layer.heads, layer.omega_c)
    line2 = layer_norm(line1, layer.gamma1, layer.delta1)
    line3 = line1 + mlp(line2, layer.W1, layer.b1, layer.W2, layer.b2)
    line4 = layer_norm(line3, layer.gamma2, layer.delta2)
    return line4


# did: the MLP reads the layer's input X in line 3, though its change is added to what line 2 left
@wrong("transformer_layer", named="layer_mlp_reads_the_input")
def mlp_reads_the_input(X, layer):
    a = residual(X, lambda t: multihead(t, layer.heads, layer.omega_c))
    a = layer_norm(a, layer.gamma1, layer.delta1)
    b = a + mlp(X, layer.W1, layer.b1, layer.W2, layer.b2)
    return layer_norm(b, layer.gamma2, layer.delta2)


# did: forgets to add what came in to the attention: normalizes the attention's output alone
@wrong("transformer_layer", named="layer_no_first_residual")
def attention_replaces_the_tokens(X, p):
    sa = []
    for h in p.heads:
        Q = h.omega_q @ X + h.beta_q
        K = h.omega_k @ X + h.beta_k
        V = h.omega_v @ X + h.beta_v
        E = np.exp(K.T @ Q / np.sqrt(Q.shape[0]))
        sa.append(V @ (E / E.sum(axis=0)))
    att = p.omega_c @ np.vstack(sa)
    n1 = p.gamma1 * (att - att.mean(0)) / np.sqrt(att.var(0) + 1e-5) + p.delta1
    out = n1 + p.W2 @ np.maximum(p.W1 @ n1 + p.b1, 0) + p.b2
    return p.gamma2 * (out - out.mean(0)) / np.sqrt(out.var(0) + 1e-5) + p.delta2


# did: line 4 normalizes with gamma1 and delta1 again
@wrong("transformer_layer", named="layer_first_norm_again")
def first_norm_twice(X, layer):
    def norm(Z):
        return layer_norm(Z, layer.gamma1, layer.delta1)

    X1 = norm(X + multihead(X, layer.heads, layer.omega_c))
    X2 = norm(X1 + mlp(X1, layer.W1, layer.b1, layer.W2, layer.b2))
    return X2


# did: the scores of each head are not divided by the root of D_q
@wrong("transformer_layer", named="no_scale")
def scores_left_large(X, layer):
    parts = []
    for omega_q, omega_k, omega_v, beta_q, beta_k, beta_v in layer.heads:
        queries = omega_q @ X + beta_q
        keys = omega_k @ X + beta_k
        values = omega_v @ X + beta_v
        scores = keys.T @ queries
        weights = np.exp(scores - scores.max(axis=0))
        weights = weights / weights.sum(axis=0)
        parts.append(values @ weights)
    X = X + layer.omega_c @ np.vstack(parts)
    X = layer_norm(X, layer.gamma1, layer.delta1)
    X = X + mlp(X, layer.W1, layer.b1, layer.W2, layer.b2)
    return layer_norm(X, layer.gamma2, layer.delta2)


# did: softmax of each head runs along the rows of the (keys, queries) scores
@wrong("transformer_layer", named="rows_for_columns | rows_for_columns_not_shifted")
def softmax_along_the_rows(X, layer):
    mh = np.zeros(X.shape)
    at = 0
    for head in layer.heads:
        q = project(X, head.omega_q, head.beta_q)
        k = project(X, head.omega_k, head.beta_k)
        v = project(X, head.omega_v, head.beta_v)
        e = np.exp(k.T @ q / len(q) ** 0.5)
        a = e / e.sum(axis=1, keepdims=True)
        block = layer.omega_c[:, at : at + len(v)]
        mh = mh + block @ v @ a
        at += len(v)
    t = layer_norm(X + mh, layer.gamma1, layer.delta1)
    return layer_norm(t + mlp(t, layer.W1, layer.b1, layer.W2, layer.b2), layer.gamma2, layer.delta2)


# did: unpacks the layer in another order than it has, so the matrices stand under wrong names
@wrong("transformer_layer")
def unpacked_in_another_order(X, layer):
    heads, omega_c, W1, b1, W2, b2, gamma1, delta1, gamma2, delta2 = layer
    X = layer_norm(X + multihead(X, heads, omega_c), gamma1, delta1)
    return layer_norm(X + mlp(X, W1, b1, W2, b2), gamma2, delta2)


# did: leaves out ReLU between the MLP's two matrices, and the bias b1 with it
@wrong("transformer_layer")
def two_matrices_in_a_row(X, layer):
    A = X + multihead(X, layer.heads, layer.omega_c)
    A = layer_norm(A, layer.gamma1, layer.delta1)
    F = layer.W2 @ (layer.W1 @ A) + layer.b2
    return layer_norm(A + F, layer.gamma2, layer.delta2)


# did: swaps gamma1 and delta1 in line 2
@wrong("transformer_layer", named="layer_delta1_for_gamma1")
def scale_and_offset_exchanged(X, layer):
    read = multihead(X, layer.heads, layer.omega_c)
    calm = layer_norm(X + read, layer.delta1, layer.gamma1)
    worked = mlp(calm, layer.W1, layer.b1, layer.W2, layer.b2)
    return layer_norm(calm + worked, layer.gamma2, layer.delta2)


# did: normalizes the sum of line 1 along its rows (axis 1), over the tokens; line 4 runs down the columns
@wrong("transformer_layer")
def line_two_over_the_tokens(X, layer):
    Y = X + multihead(X, layer.heads, layer.omega_c)
    m = Y.mean(axis=1, keepdims=True)
    s = np.sqrt(Y.var(axis=1, keepdims=True) + 1e-5)
    Y = (Y - m) / s * layer.gamma1 + layer.delta1
    Y = Y + mlp(Y, layer.W1, layer.b1, layer.W2, layer.b2)
    return layer_norm(Y, layer.gamma2, layer.delta2)


# did: asks the layer for gamma and delta without a number, which it does not have
@wrong("transformer_layer")
def parts_without_numbers(X, layer):
    X = layer_norm(X + multihead(X, layer.heads, layer.omega_c), layer.gamma, layer.delta)
    return layer_norm(X + mlp(X, layer.W1, layer.b1, layer.W2, layer.b2), layer.gamma, layer.delta)


# did: adds X twice in line 1: residual has added it already, and it is added once more
@wrong("transformer_layer", named="layer_first_residual_twice | multihead_tokens_added")
def input_added_twice(X, layer):
    step1 = X + residual(X, lambda Z: multihead(Z, layer.heads, layer.omega_c))
    step2 = layer_norm(step1, layer.gamma1, layer.delta1)
    step3 = residual(step2, lambda Z: mlp(Z, layer.W1, layer.b1, layer.W2, layer.b2))
    return layer_norm(step3, layer.gamma2, layer.delta2)


# did: sums the heads' outputs and gives omega_c the sum, instead of stacking them
@wrong("transformer_layer")
def heads_summed(X, layer):
    total = sum(head_output(X, head)[0] for head in layer.heads)
    X = X + layer.omega_c @ total
    X = layer_norm(X, layer.gamma1, layer.delta1)
    X = X + mlp(X, layer.W1, layer.b1, layer.W2, layer.b2)
    X = layer_norm(X, layer.gamma2, layer.delta2)
    return X


# --- 6.5 stack


right_cell(
    "stack",
    "reduced",
    """
from functools import reduce


def {name}(X, layers):
    return reduce(transformer_layer, layers, X)
""",
)


@right("stack")
def first_layer_then_the_rest(X, layers):
    if len(layers) == 0:
        return X
    first, *rest = layers
    return first_layer_then_the_rest(transformer_layer(X, first), rest)


@right("stack")
def history_of_states(X, layers):
    states = [np.array(X, dtype=float)]
    i = 0
    while i < len(layers):
        states.append(transformer_layer(states[i], layers[i]))
        i = i + 1
    return states[-1]


# did: every layer starts from the X that came in, and the last layer's output is returned
@wrong("stack", named="stack_each_reads_the_input")
def each_from_the_beginning(X, layers):
    result = X
    for layer in layers:
        result = transformer_layer(X, layer)
    return result


# did: returns inside the loop, after the first layer
@wrong("stack", named="stack_first_layer_only")
def return_in_the_loop(X, layers):
    for i in range(len(layers)):
        X = transformer_layer(X, layers[i])
        return X
    return X


# did: recursion peels the last layer off first, so the layers run from the last to the first
@wrong("stack", named="stack_last_layer_first")
def recursion_from_the_end(X, layers):
    if not layers:
        return X
    return recursion_from_the_end(transformer_layer(X, layers[-1]), layers[:-1])


# did: adds what each layer reads to what it puts out, a residual connection around each layer
@wrong("stack", named="layer_input_added_at_the_end | stack_residual_around_layers")
def residual_around_each(X, layers):
    for layer in layers:
        X = residual(X, lambda Z: transformer_layer(Z, layer))
    return X


# did: runs the first layer's parameters as many times as there are layers
@wrong("stack", named="stack_first_layer_always")
def first_layer_again_and_again(X, layers):
    out = X
    for _ in layers:
        out = transformer_layer(out, layers[0])
    return out


# did: stops one layer early, the last one never runs
@wrong("stack", named="stack_without_the_last")
def counted_one_short(X, layers):
    Y = X.copy()
    for i in range(1, len(layers)):
        Y = transformer_layer(Y, layers[i - 1])
    return Y


# did: returns the list of all layers' outputs instead of the last one
@wrong("stack")
def all_states(X, layers):
    states = []
    for layer in layers:
        X = transformer_layer(X, layer)
        states.append(X)
    return states


# did: the result has no value where there are no layers
@wrong("stack")
def nothing_without_layers(X, layers):
    inp = X
    for layer in layers:
        out = transformer_layer(inp, layer)
        inp = out
    return out


# did: takes the layers out of the caller's list, which is empty afterwards; the order is right
@wrong("stack")
def popped(X, layers):
    while layers:
        X = transformer_layer(X, layers.pop(0))
    return X


# did: averages what the layers make of the same X, side by side
@wrong("stack", named="stack_mean_of_layers")
def mean_of_the_layers(X, layers):
    return np.mean([transformer_layer(X, layer) for layer in layers], axis=0)


# --- 6.6 pre_norm_layer


@right("pre_norm_layer")
def two_lines_with_residual(X, layer):
    X = residual(X, lambda Z: multihead(layer_norm(Z, layer.gamma1, layer.delta1), layer.heads, layer.omega_c))
    return residual(X, lambda Z: mlp(layer_norm(Z, layer.gamma2, layer.delta2), *layer[4:8]))


@right("pre_norm_layer")
def sum_over_the_heads(X, layer):
    U = X - X.mean(0)
    U = layer.gamma1 * U / np.sqrt((U * U).mean(0) + 1e-5) + layer.delta1
    Y = np.array(X, dtype=float)
    row = 0
    for h in layer.heads:
        q, k, v = h.omega_q @ U + h.beta_q, h.omega_k @ U + h.beta_k, h.omega_v @ U + h.beta_v
        scores = (q.T @ k) / np.sqrt(q.shape[0])
        w = np.exp(scores - scores.max(1, keepdims=True))
        w /= w.sum(1, keepdims=True)
        Y += layer.omega_c[:, row : row + v.shape[0]] @ (v @ w.T)
        row += v.shape[0]
    T = Y - Y.mean(0)
    T = layer.gamma2 * T / np.sqrt((T * T).mean(0) + 1e-5) + layer.delta2
    return Y + layer.W2 @ np.maximum(0, layer.W1 @ T + layer.b1) + layer.b2


right_cell(
    "pre_norm_layer",
    "decorated_sublayers",
    """
def skip(sublayer):
    def with_skip(tokens, gamma, delta, *parts):
        return tokens + sublayer(layer_norm(tokens, gamma, delta), *parts)

    return with_skip


@skip
def attend(tokens, heads, omega_c):
    return multihead(tokens, heads, omega_c)


@skip
def work(tokens, *matrices):
    return mlp(tokens, *matrices)


def {name}(X, layer):
    heads, omega_c, gamma1, delta1, *matrices, gamma2, delta2 = layer
    return work(attend(X, gamma1, delta1, heads, omega_c), gamma2, delta2, *matrices)
""",
)


# did: adds the attention to the normalized tokens instead of to X; line 2 is right
@wrong("pre_norm_layer", named="pre_norm_adds_to_the_first_normalized")
def added_to_the_normalized(X, layer):
    n1 = layer_norm(X, layer.gamma1, layer.delta1)
    a = n1 + multihead(n1, layer.heads, layer.omega_c)
    n2 = layer_norm(a, layer.gamma2, layer.delta2)
    return a + mlp(n2, layer.W1, layer.b1, layer.W2, layer.b2)


# did: normalizes what attention and MLP put out instead of what they read
@wrong("pre_norm_layer", named="pre_norm_norms_of_the_changes")
def outputs_normalized(X, layer):
    X = X + layer_norm(multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    X = X + layer_norm(mlp(X, layer.W1, layer.b1, layer.W2, layer.b2), layer.gamma2, layer.delta2)
    return X


# did: the MLP's change is added to the layer's input X, so what attention wrote is lost from the sum
@wrong("pre_norm_layer", named="pre_norm_mlp_adds_to_the_input")
def sum_without_attention(X, layer):
    attended = X + multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    calm = layer_norm(attended, layer.gamma2, layer.delta2)
    return X + mlp(calm, layer.W1, layer.b1, layer.W2, layer.b2)


# did: MLP and attention both read the layer's input, side by side, and both are added
@wrong("pre_norm_layer", named="pre_norm_both_read_the_input")
def side_by_side(X, layer):
    read = multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    work = mlp(layer_norm(X, layer.gamma2, layer.delta2), layer.W1, layer.b1, layer.W2, layer.b2)
    return X + read + work


# did: normalizes once more at the end, with gamma2 and delta2
@wrong("pre_norm_layer", named="pre_norm_second_norm_at_the_end")
def one_more_norm_at_the_end(X, layer):
    ln1 = layer_norm(X, layer.gamma1, layer.delta1)
    res1 = X + multihead(ln1, layer.heads, layer.omega_c)
    ln2 = layer_norm(res1, layer.gamma2, layer.delta2)
    res2 = res1 + mlp(ln2, layer.W1, layer.b1, layer.W2, layer.b2)
    return layer_norm(res2, layer.gamma2, layer.delta2)


# did: normalizes without gamma and delta before the attention and before the MLP
@wrong("pre_norm_layer", named="norm_no_gamma_no_delta")
def plain_norm(X, layer):
    def z(Y):
        return (Y - Y.mean(0)) / np.sqrt(Y.var(0) + 1e-5)

    Y = X + multihead(z(X), layer.heads, layer.omega_c)
    return Y + mlp(z(Y), layer.W1, layer.b1, layer.W2, layer.b2)


# did: queries and keys come from the normalized tokens, the values from X as it came in
@wrong("pre_norm_layer")
def values_from_the_raw_tokens(X, layer):
    N1 = layer_norm(X, layer.gamma1, layer.delta1)
    outs = []
    for h in layer.heads:
        Q = project(N1, h.omega_q, h.beta_q)
        K = project(N1, h.omega_k, h.beta_k)
        V = project(X, h.omega_v, h.beta_v)
        A = softmax_cols(scaled_scores(Q, K))
        outs.append(V @ A)
    Y = X + layer.omega_c @ np.vstack(outs)
    return Y + mlp(layer_norm(Y, layer.gamma2, layer.delta2), layer.W1, layer.b1, layer.W2, layer.b2)


# did: exchanges the two norms: gamma2 and delta2 before the attention, gamma1 and delta1 before the MLP
@wrong("pre_norm_layer", named="pre_norm_norms_exchanged")
def norms_exchanged(X, layer):
    X = residual(X, lambda t: multihead(layer_norm(t, layer.gamma2, layer.delta2), layer.heads, layer.omega_c))
    X = residual(X, lambda t: mlp(layer_norm(t, layer.gamma1, layer.delta1), *layer[4:8]))
    return X


# did: the MLP reads the sum of line 1 as it is, not normalized
@wrong("pre_norm_layer", named="pre_norm_mlp_reads_raw")
def second_norm_left_out(X, layer):
    normed = layer_norm(X, layer.gamma1, layer.delta1)
    X = X + multihead(normed, layer.heads, layer.omega_c)
    X = X + mlp(X, layer.W1, layer.b1, layer.W2, layer.b2)
    return X


# did: the softmax divides by the sum over all scores of a head, and the scores are not divided by the root of D_q
@wrong("pre_norm_layer")
def one_sum_for_all_scores(X, layer):
    U = layer_norm(X, layer.gamma1, layer.delta1)
    out = []
    for h in layer.heads:
        S = (h.omega_k @ U + h.beta_k).T @ (h.omega_q @ U + h.beta_q)
        P = np.exp(S - S.max())
        out.append((h.omega_v @ U + h.beta_v) @ (P / P.sum()))
    Y = X + layer.omega_c @ np.concatenate(out, axis=0)
    return Y + mlp(layer_norm(Y, layer.gamma2, layer.delta2), layer.W1, layer.b1, layer.W2, layer.b2)


# did: calls the attention without omega_c
@wrong("pre_norm_layer")
def omega_c_not_given(X, layer):
    normed = layer_norm(X, layer.gamma1, layer.delta1)
    X = X + multihead(normed, layer.heads)
    normed = layer_norm(X, layer.gamma2, layer.delta2)
    return X + mlp(normed, layer.W1, layer.b1, layer.W2, layer.b2)


# did: adds what the MLP makes on a line of its own without keeping it, and returns the sum of line 1
wrong_cell(
    "pre_norm_layer",
    "sublayer_results_not_kept",
    """
def {name}(X, layer):
    h = X + multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    h + mlp(layer_norm(h, layer.gamma2, layer.delta2), layer.W1, layer.b1, layer.W2, layer.b2)
    return h
""",
    named="mlp_zeros | pre_norm_no_mlp",
)


# === a second set, by someone who had seen neither the recorded mistakes nor the answers above

# --- 6.1 layer_norm


@right("layer_norm")
def norm_b_centering_matrix(X, gamma=1.0, delta=0.0, eps=1e-5):
    D = len(X)
    C = np.eye(D) - np.ones((D, D)) / D
    centered = C @ X
    variances = np.einsum("dn,dn->n", centered, centered) / D
    return centered @ np.diag((variances + eps) ** -0.5) * gamma + delta


@right("layer_norm")
def norm_b_column_after_column(X, gamma=1.0, delta=0.0, eps=1e-5):
    scale, shift = np.ravel(gamma * np.ones((len(X), 1))), np.ravel(delta * np.ones((len(X), 1)))
    done = []
    for x in X.T:
        m = sum(x) / len(x)
        v = sum((xi - m) ** 2 for xi in x) / len(x)
        done.append([g * (xi - m) / (v + eps) ** 0.5 + d for g, xi, d in zip(scale, x, shift)])
    return np.transpose(done)


# did: mean and variance of every row, over the tokens
@wrong("layer_norm", named="norm_along_rows")
def norm_b_last_axis_of_pytorch(X, gamma=1.0, delta=0.0, eps=1e-5):
    mu = X.mean(-1, keepdims=True)
    sigma2 = X.var(-1, keepdims=True)
    return gamma * (X - mu) / np.sqrt(sigma2 + eps) + delta


# did: divides by the variance where the root of it belongs
@wrong("layer_norm", named="norm_divided_by_the_variance")
def norm_b_no_root(X, gamma=1.0, delta=0.0, eps=1e-5):
    m = X.mean(axis=0)
    centered = X - m
    v = np.mean(centered * centered, axis=0)
    out = centered / (v + eps)
    return out * gamma + delta


# did: divides the sum of squares by D - 1
@wrong("layer_norm", named="norm_one_degree_less")
def norm_b_matlab_var(X, gamma=1.0, delta=0.0, eps=1e-5):
    D, N = X.shape
    mu = np.sum(X, axis=0) / D
    v = np.sum((X - mu) ** 2, axis=0) / (D - 1)
    Z = (X - mu) / np.sqrt(v + eps)
    return gamma * Z + delta


# did: adds eps to the root and not under it
@wrong("layer_norm", named="norm_eps_outside_the_root")
def norm_b_eps_outside(X, gamma=1.0, delta=0.0, eps=1e-5):
    sd = np.sqrt(np.mean((X - X.mean(0)) ** 2, 0))
    return delta + gamma * ((X - X.mean(0)) / (sd + eps))


# did: delta is added before gamma multiplies
@wrong("layer_norm", named="norm_delta_scaled_too")
def norm_b_shift_then_scale(X, gamma=1.0, delta=0.0, eps=1e-5):
    m, s = np.mean(X, axis=0), np.std(X, axis=0)
    hat = (X - m) / np.sqrt(s**2 + eps)
    hat = hat + delta
    return hat * gamma


# did: takes the mean of the squares for the variance (mean not subtracted there)
@wrong("layer_norm", named="norm_spread_from_zero")
def norm_b_mean_square_for_variance(X, gamma=1.0, delta=0.0, eps=1e-5):
    mean = X.mean(axis=0, keepdims=True)
    power = (X**2).mean(axis=0, keepdims=True)
    return gamma * ((X - mean) / np.sqrt(power + eps)) + delta


# did: one mean and one variance of the whole matrix
@wrong("layer_norm", named="norm_over_everything")
def norm_b_whole_matrix(X, gamma=1.0, delta=0.0, eps=1e-5):
    z = (X - np.mean(X)) / np.sqrt(np.var(X) + eps)
    return gamma * z + delta


# did: divides by the length of the centered column where the root of the variance belongs
@wrong("layer_norm", named="norm_squares_summed")
def norm_b_unit_length(X, gamma=1.0, delta=0.0, eps=1e-5):
    centered = X - X.mean(axis=0)
    lengths = np.sqrt(np.sum(centered**2, axis=0) + eps)
    return gamma * (centered / lengths) + delta


# did: takes the mean of the absolute distances, not of the squares
@wrong("layer_norm")
def norm_b_absolute_distances(X, gamma=1.0, delta=0.0, eps=1e-5):
    away = X - np.average(X, axis=0)
    spread = np.average(np.abs(away), axis=0)
    return gamma * away / np.sqrt(spread**2 + eps) + delta


# did: eps is a constant of its own, the argument is not used
@wrong("layer_norm", named="norm_eps_by_heart")
def norm_b_eps_by_heart(X, gamma=1.0, delta=0.0, eps=1e-5):
    mu = X.mean(0)
    std = np.sqrt(X.var(0) + 1e-5)
    return (X - mu) / std * gamma + delta


# --- 6.2 mlp


@right("mlp")
def mlp_b_biases_as_a_row_of_ones(X, W1, b1, W2, b2):
    ones = np.ones((1, X.shape[1]))
    h = np.hstack([W1, b1]) @ np.vstack([X, ones])
    h = (h + np.abs(h)) / 2
    return np.hstack([W2, b2]) @ np.vstack([h, ones])


@right("mlp")
def mlp_b_one_hidden_unit_after_another(X, W1, b1, W2, b2):
    out = np.tile(b2.astype(float), (1, X.shape[1]))
    for unit in range(W1.shape[0]):
        pre = W1[unit] @ X + b1[unit]
        out = out + np.outer(W2[:, unit], np.where(pre > 0, pre, 0))
    return out


# did: no activation: both maps are linear
@wrong("mlp", named="mlp_no_activation")
def mlp_b_two_linear_maps(X, W1, b1, W2, b2):
    hidden = W1 @ X + b1
    return W2 @ hidden + b2


# did: takes the absolute value for ReLU
@wrong("mlp", named="mlp_sizes")
def mlp_b_absolute_value(X, W1, b1, W2, b2):
    h = np.sqrt((W1 @ X + b1) ** 2)
    return W2 @ h + b2


# did: applies ReLU to the output as well
@wrong("mlp", named="mlp_relu_at_the_end_too")
def mlp_b_relu_twice(X, W1, b1, W2, b2):
    relu = lambda z: z * (z > 0)  # noqa: E731  as students write it
    return relu(W2 @ relu(W1 @ X + b1) + b2)


# did: adds the first bias after ReLU
@wrong("mlp", named="mlp_relu_before_the_bias")
def mlp_b_bias_after_relu(X, W1, b1, W2, b2):
    z = np.clip(W1 @ X, 0, None)
    z = z + b1
    return np.matmul(W2, z) + b2


# did: keeps the negative numbers and sets the positive ones to 0
@wrong("mlp", named="mlp_minimum")
def mlp_b_minimum(X, W1, b1, W2, b2):
    pre_activation = np.dot(W1, X) + b1
    post_activation = np.where(pre_activation > 0, 0, pre_activation)
    return np.dot(W2, post_activation) + b2


# did: replaces every positive hidden number by 1, every other by 0
@wrong("mlp", named="mlp_steps")
def mlp_b_step_function(X, W1, b1, W2, b2):
    active = (W1 @ X + b1 > 0).astype(float)
    return W2 @ active + b2


# did: hidden numbers leak: a hundredth of each negative one is kept
@wrong("mlp", named="mlp_leaky")
def mlp_b_leaky(X, W1, b1, W2, b2):
    a = W1 @ X + b1
    h = np.maximum(a, 0.01 * a)
    return W2 @ h + b2


# did: np.max with 0 as its axis takes the largest hidden number of each column
@wrong("mlp")
def mlp_b_max_is_not_maximum(X, W1, b1, W2, b2):
    h = np.max(W1 @ X + b1, 0)
    return W2 @ h + b2


# did: the second bias is left out
@wrong("mlp", named="mlp_no_b2")
def mlp_b_second_bias_missing(X, W1, b1, W2, b2):
    layer1 = W1 @ X + b1
    layer1[layer1 < 0] = 0
    layer2 = W2 @ layer1
    return layer2


# --- 6.3 residual


@right("residual")
def residual_b_twice_the_mean(X, f):
    return 2 * np.mean([X, f(X.copy())], axis=0)


@right("residual")
def residual_b_copy_then_in_place(X, f):
    out = np.array(X, dtype=float)
    out += f(X)
    return out


# did: returns only what f makes
@wrong("residual", named="residual_change_alone")
def residual_b_no_skip(X, f):
    y = f(X)
    return y


# did: adds X in place, and so changes it
@wrong("residual")
def residual_b_plus_equals(X, f):
    X += f(X)
    return X


# did: calls f on the sum, so f works twice
@wrong("residual")
def residual_b_f_twice(X, f):
    y = X + f(X)
    return X + f(y)


# did: subtracts what f makes
@wrong("residual", named="residual_subtracted")
def residual_b_difference(X, f):
    change = f(X)
    return np.subtract(X, change)


# did: averages input and change
@wrong("residual", named="residual_mean")
def residual_b_halved(X, f):
    return (X + f(X)) / 2


# did: normalizes the sum as well
@wrong("residual", named="residual_normalized")
def residual_b_add_and_norm(X, f):
    return layer_norm(X + f(X))


# --- 6.4 transformer_layer


@right("transformer_layer")
def layer_b_all_in_one_piece(X, layer):
    (heads, omega_c, g1, d1, W1, b1, W2, b2, g2, d2) = layer

    def norm(Y, g, d):
        Y = Y - Y.mean(0)
        return g * Y / np.sqrt((Y * Y).mean(0) + 1e-5) + d

    collected = []
    for h in heads:
        q, k, v = h.omega_q @ X + h.beta_q, h.omega_k @ X + h.beta_k, h.omega_v @ X + h.beta_v
        w = np.exp(np.tensordot(k, q, (0, 0)) / len(q) ** 0.5)
        collected.append(v @ w / w.sum(0))
    Y = norm(X + omega_c @ np.concatenate(collected), g1, d1)
    return norm(Y + W2 @ np.maximum(W1 @ Y + b1, 0) + b2, g2, d2)


@right("transformer_layer")
def layer_b_token_by_token_after_attention(X, layer):
    read = X + multihead(X, layer.heads, layer.omega_c)
    out = []
    for n in range(X.shape[1]):
        x = layer_norm(read[:, [n]], layer.gamma1, layer.delta1)
        x = x + mlp(x, layer.W1, layer.b1, layer.W2, layer.b2)
        out.append(layer_norm(x, layer.gamma2, layer.delta2))
    return np.concatenate(out, axis=1)


# did: leaves out the residual around attention
@wrong("transformer_layer", named="layer_no_first_residual")
def layer_b_attention_replaces(X, layer):
    y = multihead(X, layer.heads, layer.omega_c)
    y = layer_norm(y, layer.gamma1, layer.delta1)
    z = y + mlp(y, layer.W1, layer.b1, layer.W2, layer.b2)
    return layer_norm(z, layer.gamma2, layer.delta2)


# did: the second residual adds the layer's input X, not what the MLP read
@wrong("transformer_layer", named="layer_mlp_adds_to_the_input")
def layer_b_second_skip_from_the_start(X, layer):
    attention = multihead(X, layer.heads, layer.omega_c)
    x1 = layer_norm(X + attention, layer.gamma1, layer.delta1)
    hidden = np.maximum(layer.W1 @ x1 + layer.b1, 0)
    feed_forward = layer.W2 @ hidden + layer.b2
    x2 = layer_norm(X + feed_forward, layer.gamma2, layer.delta2)
    return x2


# did: the second residual adds the sum before LayerNorm
@wrong("transformer_layer", named="layer_mlp_adds_to_what_was_attended")
def layer_b_skip_from_before_the_norm(X, layer):
    x = X + multihead(X, layer.heads, layer.omega_c)
    n = layer_norm(x, layer.gamma1, layer.delta1)
    x = x + mlp(n, layer.W1, layer.b1, layer.W2, layer.b2)
    return layer_norm(x, layer.gamma2, layer.delta2)


# did: uses gamma1 and delta1 for both LayerNorms
@wrong("transformer_layer", named="layer_first_norm_again")
def layer_b_one_norm_for_both(X, layer):
    def ln(Y):
        return layer_norm(Y, layer.gamma1, layer.delta1)

    Y = ln(residual(X, lambda T: multihead(T, layer.heads, layer.omega_c)))
    return ln(residual(Y, lambda T: mlp(T, layer.W1, layer.b1, layer.W2, layer.b2)))


# did: normalizes what attention makes before it is added, and what the MLP makes before it is added
@wrong("transformer_layer", named="layer_norms_of_the_changes")
def layer_b_norm_inside_the_sum(X, layer):
    first = layer_norm(multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    X = X + first
    second = layer_norm(mlp(X, layer.W1, layer.b1, layer.W2, layer.b2), layer.gamma2, layer.delta2)
    return X + second


# did: MLP first, attention after it, each with the LayerNorm of its place
@wrong("transformer_layer", named="layer_mlp_first")
def layer_b_mlp_before_attention(X, layer):
    Y = X + mlp(X, layer.W1, layer.b1, layer.W2, layer.b2)
    Y = layer_norm(Y, layer.gamma1, layer.delta1)
    Z = Y + multihead(Y, layer.heads, layer.omega_c)
    return layer_norm(Z, layer.gamma2, layer.delta2)


# did: the last LayerNorm is left out
@wrong("transformer_layer", named="layer_no_last_norm")
def layer_b_ends_at_line_three(X, layer):
    a = X + multihead(X, layer.heads, layer.omega_c)
    b = layer_norm(a, layer.gamma1, layer.delta1)
    c = b + mlp(b, layer.W1, layer.b1, layer.W2, layer.b2)
    return c


# did: in one piece, and the MLP has no ReLU
@wrong("transformer_layer", named="mlp_no_activation")
def layer_b_whole_without_relu(X, layer):
    stacked = []
    for head in layer.heads:
        Q = head.omega_q @ X + head.beta_q
        K = head.omega_k @ X + head.beta_k
        V = head.omega_v @ X + head.beta_v
        scores = K.T @ Q / np.sqrt(Q.shape[0])
        weights = np.exp(scores - scores.max(axis=0))
        weights /= weights.sum(axis=0)
        stacked.append(V @ weights)
    X1 = X + layer.omega_c @ np.vstack(stacked)
    X1 = layer.gamma1 * (X1 - X1.mean(axis=0)) / np.sqrt(X1.var(axis=0) + 1e-5) + layer.delta1
    X2 = X1 + layer.W2 @ (layer.W1 @ X1 + layer.b1) + layer.b2
    return layer.gamma2 * (X2 - X2.mean(axis=0)) / np.sqrt(X2.var(axis=0) + 1e-5) + layer.delta2


# did: in one piece, and queries are transposed where keys should be: queries down, keys across
@wrong("transformer_layer", named="head_queries_and_keys_exchanged | scores_turned_over")
def layer_b_whole_with_queries_down(X, layer):
    def norm(M, g, b):
        return g * (M - np.mean(M, 0)) / np.sqrt(np.var(M, 0) + 1e-5) + b

    outs = []
    for h in layer.heads:
        q, k, v = (w @ X + b for w, b in ((h[0], h[3]), (h[1], h[4]), (h[2], h[5])))
        s = q.T @ k / np.sqrt(len(k))
        e = np.exp(s - s.max(axis=0, keepdims=True))
        outs.append(v @ (e / e.sum(axis=0, keepdims=True)))
    R = norm(X + layer.omega_c @ np.vstack(outs), layer.gamma1, layer.delta1)
    H = layer.W1 @ R + layer.b1
    H[H < 0] = 0
    return norm(R + layer.W2 @ H + layer.b2, layer.gamma2, layer.delta2)


# did: two at once: gamma and delta are left out in both LayerNorms
@wrong("transformer_layer", named="norm_no_gamma_no_delta")
def layer_b_plain_norms(X, layer):
    X = layer_norm(X + multihead(X, layer.heads, layer.omega_c))
    X = layer_norm(X + mlp(X, layer.W1, layer.b1, layer.W2, layer.b2))
    return X


# did: in one piece, and LayerNorm divides by the standard deviation with D - 1 in both places
@wrong("transformer_layer", named="norm_one_degree_less")
def layer_b_whole_with_sample_deviation(X, layer):
    Sa = [head_output(X, h)[0] for h in layer.heads]
    Y = X + layer.omega_c @ np.vstack(Sa)
    Y = (Y - Y.mean(axis=0)) / np.sqrt(Y.var(axis=0, ddof=1) + 1e-5)
    Y = layer.gamma1 * Y + layer.delta1
    H = np.maximum(0, layer.W1 @ Y + layer.b1)
    Z = Y + layer.W2 @ H + layer.b2
    Z = (Z - Z.mean(axis=0)) / np.sqrt(Z.var(axis=0, ddof=1) + 1e-5)
    return layer.gamma2 * Z + layer.delta2


# did: adds the normalized tokens to themselves a second time after the MLP
@wrong("transformer_layer", named="layer_second_residual_twice | mlp_input_added")
def layer_b_skip_counted_twice(X, layer):
    out1 = layer_norm(residual(X, lambda T: multihead(T, layer.heads, layer.omega_c)), layer.gamma1, layer.delta1)
    changed = residual(out1, lambda T: mlp(T, layer.W1, layer.b1, layer.W2, layer.b2))
    out2 = layer_norm(out1 + changed, layer.gamma2, layer.delta2)
    return out2


# did: passes delta and gamma in the wrong order to both LayerNorms
@wrong("transformer_layer", named="norm_gamma_delta_exchanged")
def layer_b_delta_before_gamma(X, layer):
    Y = layer_norm(X + multihead(X, layer.heads, layer.omega_c), layer.delta1, layer.gamma1)
    return layer_norm(Y + mlp(Y, layer.W1, layer.b1, layer.W2, layer.b2), layer.delta2, layer.gamma2)


# --- 6.5 stack


@right("stack")
def stack_b_recursion_from_the_end(X, layers):
    if len(layers) == 0:
        return X
    return transformer_layer(stack_b_recursion_from_the_end(X, layers[:-1]), layers[-1])


right_cell(
    "stack",
    "stack_b_reduce_imported",
    """
from functools import reduce

{name} = lambda X, layers: reduce(transformer_layer, layers, X)
""",
)


# did: every layer begins with the tokens X, so that the last layer alone counts
@wrong("stack", named="stack_each_reads_the_input")
def stack_b_always_from_x(X, layers):
    Y = X
    for layer in layers:
        Y = transformer_layer(X, layer)
    return Y


# did: goes through the layers from the last to the first
@wrong("stack", named="stack_last_layer_first")
def stack_b_pop_from_the_end(X, layers):
    todo = list(layers)
    while todo:
        X = transformer_layer(X, todo.pop())
    return X


# did: uses the first layer's parameters in every round
@wrong("stack", named="stack_first_layer_always")
def stack_b_first_layer_again_and_again(X, layers):
    out = X
    for _ in range(len(layers)):
        out = transformer_layer(out, layers[0])
    return out


# did: adds what came in after every layer
@wrong("stack", named="layer_input_added_at_the_end | stack_residual_around_layers")
def stack_b_residual_around_layers(X, layers):
    for layer in layers:
        X = residual(X, lambda T: transformer_layer(T, layer))
    return X


# did: leaves out the last layer
@wrong("stack", named="stack_without_the_last")
def stack_b_one_too_few(X, layers):
    i = 0
    while i < len(layers) - 1:
        X = transformer_layer(X, layers[i])
        i += 1
    return X


# did: returns a list of what every layer left
@wrong("stack")
def stack_b_all_states(X, layers):
    states = [X]
    for layer in layers:
        states.append(transformer_layer(states[-1], layer))
    return states


# --- 6.6 pre_norm_layer


@right("pre_norm_layer")
def prenorm_b_written_out(X, layer):
    def standard(Y):
        c = Y - np.sum(Y, 0) / len(Y)
        return c / np.sqrt(np.sum(c**2, 0) / len(Y) + 1e-5)

    T = standard(X) * layer.gamma1 + layer.delta1
    start, Y = 0, X
    for h in layer.heads:
        q, k, v = h.omega_q @ T + h.beta_q, h.omega_k @ T + h.beta_k, h.omega_v @ T + h.beta_v
        s = q.T @ k / len(k) ** 0.5
        p = np.exp(s - s.max(1, keepdims=True))
        Y = Y + layer.omega_c[:, start : start + len(v)] @ (p / p.sum(1, keepdims=True) @ v.T).T
        start += len(v)
    U = standard(Y) * layer.gamma2 + layer.delta2
    h = layer.W1 @ U + layer.b1
    return Y + layer.W2 @ (h * (h > 0)) + layer.b2


@right("pre_norm_layer")
def prenorm_b_sum_of_three(X, layer):
    a = multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    m = mlp(layer_norm(X + a, layer.gamma2, layer.delta2), layer.W1, layer.b1, layer.W2, layer.b2)
    return np.sum([X, a, m], axis=0)


# did: the residual carries the normalized tokens, not X
@wrong("pre_norm_layer", named="pre_norm_adds_to_the_normalized")
def prenorm_b_adds_to_the_normalized(X, layer):
    n1 = layer_norm(X, layer.gamma1, layer.delta1)
    y = n1 + multihead(n1, layer.heads, layer.omega_c)
    n2 = layer_norm(y, layer.gamma2, layer.delta2)
    return n2 + mlp(n2, layer.W1, layer.b1, layer.W2, layer.b2)


# did: normalizes at the end as well, with gamma2 and delta2
@wrong("pre_norm_layer", named="pre_norm_second_norm_at_the_end")
def prenorm_b_final_norm(X, layer):
    y = X + multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    z = y + mlp(layer_norm(y, layer.gamma2, layer.delta2), layer.W1, layer.b1, layer.W2, layer.b2)
    return layer_norm(z, layer.gamma2, layer.delta2)


# did: MLP reads the sum without LayerNorm
@wrong("pre_norm_layer", named="pre_norm_mlp_reads_raw")
def prenorm_b_only_attention_normalized(X, layer):
    def attend(T):
        return multihead(layer_norm(T, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)

    Y = residual(X, attend)
    return residual(Y, lambda T: mlp(T, layer.W1, layer.b1, layer.W2, layer.b2))


# did: the MLP reads the normalized X of the start, not what attention has changed
@wrong("pre_norm_layer", named="pre_norm_both_read_the_input")
def prenorm_b_parallel_block(X, layer):
    attention = multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    network = mlp(layer_norm(X, layer.gamma2, layer.delta2), layer.W1, layer.b1, layer.W2, layer.b2)
    return X + attention + network


# did: exchanges the two LayerNorms' parameters
@wrong("pre_norm_layer", named="pre_norm_norms_exchanged")
def prenorm_b_two_before_one(X, layer):
    calm = layer_norm(X, layer.gamma2, layer.delta2)
    X1 = X + multihead(calm, layer.heads, layer.omega_c)
    calm = layer_norm(X1, layer.gamma1, layer.delta1)
    return X1 + mlp(calm, layer.W1, layer.b1, layer.W2, layer.b2)


# did: post-norm, the layer of 6.4
@wrong("pre_norm_layer", named="pre_norm_still_post_norm")
def prenorm_b_post_norm_again(X, layer):
    X = layer_norm(X + multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    X = layer_norm(X + mlp(X, layer.W1, layer.b1, layer.W2, layer.b2), layer.gamma2, layer.delta2)
    return X


# did: the second sum adds X, so that what attention wrote is lost
@wrong("pre_norm_layer", named="pre_norm_mlp_adds_to_the_input")
def prenorm_b_attention_lost(X, layer):
    after_attention = X + multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    normed = layer_norm(after_attention, layer.gamma2, layer.delta2)
    after_mlp = X + mlp(normed, layer.W1, layer.b1, layer.W2, layer.b2)
    return after_mlp


# did: in one piece, and only the queries read normalized tokens, keys and values read X
@wrong("pre_norm_layer")
def prenorm_b_queries_alone_normalized(X, layer):
    T = layer_norm(X, layer.gamma1, layer.delta1)
    outs = []
    for h in layer.heads:
        Q = project(T, h.omega_q, h.beta_q)
        K = project(X, h.omega_k, h.beta_k)
        V = project(X, h.omega_v, h.beta_v)
        outs.append(V @ softmax_cols(scaled_scores(Q, K)))
    Y = X + layer.omega_c @ stack_heads(outs)
    U = layer_norm(Y, layer.gamma2, layer.delta2)
    return Y + mlp(U, layer.W1, layer.b1, layer.W2, layer.b2)


# did: the result of the second line is not returned
@wrong("pre_norm_layer")
def prenorm_b_nothing_returned(X, layer):
    X = X + multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    X = X + mlp(layer_norm(X, layer.gamma2, layer.delta2), layer.W1, layer.b1, layer.W2, layer.b2)
