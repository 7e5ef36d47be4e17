"""Notebook 6: right answers in unusual styles, and wrong ones; the letters are those of our list of mistakes."""
# ruff: noqa: F821  an answer uses the functions of earlier exercises, and sometimes the notebook's data

import numpy as np

from answers import right, right_cell, wrong

# ============================================================ 6.1 layer_norm: right


@right("layer_norm")
def in_one_line(X, gamma=1.0, delta=0.0, eps=1e-5):
    return gamma * (X - X.mean(0)) / np.sqrt(X.var(0) + eps) + delta


@right("layer_norm")
def by_loops_over_tokens(X, gamma=1.0, delta=0.0, eps=1e-5):
    columns = []
    for n in range(X.shape[1]):
        x = X[:, n : n + 1]
        m = sum(x[:, 0]) / len(x)
        v = sum((x[:, 0] - m) ** 2) / len(x)
        columns.append((x - m) / (v + eps) ** 0.5 * gamma + delta)
    return np.hstack(columns)


@right("layer_norm")
def rows_that_are_turned_at_the_end(X, gamma=1.0, delta=0.0, eps=1e-5):
    tokens = X.T
    centered = tokens - tokens.mean(axis=1, keepdims=True)
    scaled = centered / np.sqrt((centered**2).mean(axis=1, keepdims=True) + eps)
    return scaled.T * gamma + delta


@right("layer_norm")
def a_matrix_that_centers(X, gamma=1.0, delta=0.0, eps=1e-5):
    D = X.shape[0]
    centered = (np.eye(D) - np.ones((D, D)) / D) @ X
    v = np.einsum("dn,dn->n", centered, centered) / D
    return gamma * centered * (v + eps) ** -0.5 + delta


@right("layer_norm")
def mean_of_squares_less_square_of_mean(X, gamma=1.0, delta=0.0, eps=1e-5):
    m = X.mean(axis=0)
    v = (X**2).mean(axis=0) - m**2
    return gamma * (X - m) / np.sqrt(v + eps) + delta


@right("layer_norm")
def float32_columns(x, g=1.0, d=0.0, e=1e-5):
    x = np.asarray(x, dtype=np.float32)
    m, v = x.mean(axis=0), x.var(axis=0)
    return (np.asarray(g, dtype=np.float32) * (x - m) / np.sqrt(v + np.float32(e)) + d).astype(np.float32)


@right("layer_norm")
def a_list_of_columns_turned(X, gamma=1.0, delta=0.0, eps=1e-5):
    def one(x):
        x = x - x.mean()
        return x / np.hypot(np.sqrt(np.mean(x * x)), np.sqrt(eps))

    return (np.array([one(x) for x in X.T]).T * gamma + delta).tolist()


@right("layer_norm")
def length_instead_of_variance(X, gamma=1.0, delta=0.0, eps=1e-5):
    D = len(X)
    Z = X - np.mean(X, axis=0)
    return gamma * np.sqrt(D) * Z / np.sqrt(np.linalg.norm(Z, axis=0) ** 2 + D * eps) + delta


# ============================================================ 6.1 layer_norm: wrong


@wrong("layer_norm", says="row 1, column 1 is -1.225", named="norm_along_rows")
def over_the_rows(X, gamma=1.0, delta=0.0, eps=1e-5):  # N1
    m, v = X.mean(axis=1, keepdims=True), X.var(axis=1, keepdims=True)
    return gamma * (X - m) / np.sqrt(v + eps) + delta


@wrong("layer_norm", says="row 1, column 1 is -1.044", named="norm_over_everything")
def over_everything(X, gamma=1.0, delta=0.0, eps=1e-5):  # N2
    return gamma * (X - X.mean()) / np.sqrt(X.var() + eps) + delta


@wrong("layer_norm", named="norm_one_degree_less")
def divided_by_one_less(X, gamma=1.0, delta=0.0, eps=1e-5):  # N3
    return gamma * (X - X.mean(0)) / np.sqrt(X.var(0, ddof=1) + eps) + delta


@wrong("layer_norm", says="wrong on an example with eps = 0.1", named="norm_eps_outside_the_root")
def eps_outside_the_root(X, gamma=1.0, delta=0.0, eps=1e-5):  # N4
    return gamma * (X - X.mean(0)) / (X.std(0) + eps) + delta


@wrong("layer_norm", says="holds nan or inf", named="norm_no_eps")
def eps_missing(X, gamma=1.0, delta=0.0, eps=1e-5):  # N5
    return gamma * (X - X.mean(0)) / X.std(0) + delta


@wrong("layer_norm", says="wrong on an example with eps = 0.1")
def eps_missing_nan_replaced(X, gamma=1.0, delta=0.0, eps=1e-5):  # N5
    return gamma * np.nan_to_num((X - X.mean(0)) / X.std(0)) + delta


@wrong("layer_norm", named="norm_eps_by_heart")
def eps_by_heart(X, gamma=1.0, delta=0.0, eps=1e-5):  # N6
    return gamma * (X - X.mean(0)) / np.sqrt(X.var(0) + 1e-5) + delta


@wrong("layer_norm", says="wrong on an example with gamma and delta", named="norm_smaller_eps")
def eps_of_another_library(X, gamma=1.0, delta=0.0, eps=1e-12):  # N6
    return gamma * (X - X.mean(0)) / np.sqrt(X.var(0) + eps) + delta


@wrong("layer_norm", says="wrong on an example with eps = 0.1", named="norm_eps_squared")
def eps_squared(X, gamma=1.0, delta=0.0, eps=1e-5):
    return gamma * (X - X.mean(0)) / np.sqrt(X.var(0) + eps**2) + delta


@wrong("layer_norm", named="norm_divided_by_the_variance")
def divided_by_the_variance(X, gamma=1.0, delta=0.0, eps=1e-5):  # N7
    return gamma * (X - X.mean(0)) / (X.var(0) + eps) + delta


@wrong("layer_norm", says="row 1, column 2 is 2e+06", named="norm_not_centered")
def not_centered(X, gamma=1.0, delta=0.0, eps=1e-5):  # N8
    return gamma * X / np.sqrt(X.var(0) + eps) + delta


@wrong("layer_norm", says="row 1, column 1 is 0.447", named="norm_root_mean_square")
def by_the_root_of_the_mean_square(X, gamma=1.0, delta=0.0, eps=1e-5):  # N8
    return gamma * X / np.sqrt((X**2).mean(0) + eps) + delta


@wrong("layer_norm", named="norm_squares_summed")
def to_length_one(X, gamma=1.0, delta=0.0, eps=1e-5):
    Z = X - X.mean(0)
    return gamma * Z / np.sqrt((Z**2).sum(0) + eps) + delta


@wrong("layer_norm", says="wrong on an example with gamma and delta", named="norm_no_gamma")
def gamma_forgotten(X, gamma=1.0, delta=0.0, eps=1e-5):  # N10
    return (X - X.mean(0)) / np.sqrt(X.var(0) + eps) + delta


@wrong("layer_norm", named="norm_no_delta")
def delta_forgotten(X, gamma=1.0, delta=0.0, eps=1e-5):  # N10
    return gamma * (X - X.mean(0)) / np.sqrt(X.var(0) + eps)


@wrong("layer_norm", named="norm_delta_scaled_too")
def delta_inside(X, gamma=1.0, delta=0.0, eps=1e-5):  # N12
    return gamma * ((X - X.mean(0)) / np.sqrt(X.var(0) + eps) + delta)


@wrong("layer_norm", named="norm_delta_subtracted")
def delta_subtracted(X, gamma=1.0, delta=0.0, eps=1e-5):
    return gamma * (X - X.mean(0)) / np.sqrt(X.var(0) + eps) - delta


@wrong("layer_norm", named="norm_gamma_along_tokens")
def gamma_as_a_row(X, gamma=1.0, delta=0.0, eps=1e-5):  # N13
    return np.ravel(gamma) * (X - X.mean(0)) / np.sqrt(X.var(0) + eps) + delta


@wrong("layer_norm", says="raised TypeError")
def gamma_and_delta_as_matrices_only(X, gamma=1.0, delta=0.0, eps=1e-5):  # N13
    return gamma[:, :1] * (X - X.mean(0)) / np.sqrt(X.var(0) + eps) + delta[:, :1]


@wrong("layer_norm", says="has shape (1, 3), expected")
def gamma_by_a_product(X, gamma=1.0, delta=0.0, eps=1e-5):
    Z = (X - X.mean(0)) / np.sqrt(X.var(0) + eps)
    return np.sum(gamma * Z, axis=0, keepdims=True) + delta


@wrong("layer_norm", says="The check calls it with the arguments")
def without_the_defaults(X, gamma, delta, eps):
    return gamma * (X - X.mean(0)) / np.sqrt(X.var(0) + eps) + delta


@wrong("layer_norm", says="changed its argument `X`")
def centers_in_place(X, gamma=1.0, delta=0.0, eps=1e-5):
    X -= X.mean(0)
    return gamma * X / np.sqrt((X**2).mean(0) + eps) + delta


# ============================================================ 6.2 mlp: right


@right("mlp")
def mlp_in_one_line(X, W1, b1, W2, b2):
    return W2 @ (W1 @ X + b1).clip(0) + b2


@right("mlp")
def mlp_token_by_token(X, W1, b1, W2, b2):
    out = []
    for x in X.T:
        hidden = W1 @ x + b1[:, 0]
        out.append(W2 @ np.where(hidden > 0, hidden, 0) + b2[:, 0])
    return np.array(out).T


@right("mlp")
def mlp_number_by_number(X, W1, b1, W2, b2):
    (D, N), D_m = X.shape, len(W1)
    out = [[float(b2[d, 0]) for _ in range(N)] for d in range(D)]
    for n in range(N):
        for h in range(D_m):
            z = b1[h, 0] + sum(W1[h, d] * X[d, n] for d in range(D))
            if z > 0:
                for d in range(D):
                    out[d][n] += W2[d, h] * z
    return out


@right("mlp")
def mlp_by_einsum(X, W1, b1, W2, b2):
    h = np.einsum("hd,dn->hn", W1, X) + b1
    return np.einsum("dh,hn->dn", W2, h * (h > 0)) + b2


@right("mlp")
def mlp_by_rows(X, W1, b1, W2, b2):
    h = X.T @ W1.T + b1.T
    return (np.maximum(h, 0) @ W2.T + b2.T).T


@right("mlp")
def mlp_with_a_row_of_ones(X, W1, b1, W2, b2):
    one = np.ones((1, X.shape[1]))
    h = np.maximum(np.hstack([W1, b1]) @ np.vstack([X, one]), 0)
    return np.hstack([W2, b2]) @ np.vstack([h, one])


@right("mlp")
def mlp_half_of_itself_and_its_size(X, W1, b1, W2, b2):
    h = W1 @ X + b1
    return W2 @ ((h + np.abs(h)) / 2) + b2


@right("mlp")
def mlp_in_float32(x, w, b, v, c):
    x, w, b, v, c = (np.float32(part) for part in (x, w, b, v, c))
    return v @ np.fmax(w @ x + b, 0) + c


right_cell(
    "mlp",
    "a_relu_beside_it",
    """
def relu(z):
    return np.maximum(0, z)

def {name}(X, W1, b1, W2, b2):
    return project(relu(project(X, W1, b1)), W2, b2)
""",
)

# ============================================================ 6.2 mlp: wrong


@wrong("mlp", says="row 1, column 1 is 0", named="mlp_no_activation")
def no_activation(X, W1, b1, W2, b2):  # T10
    return W2 @ (W1 @ X + b1) + b2


@wrong("mlp", named="mlp_gelu")
def a_gelu(X, W1, b1, W2, b2):  # T13
    h = W1 @ X + b1
    h = 0.5 * h * (1 + np.tanh(np.sqrt(2 / np.pi) * (h + 0.044715 * h**3)))
    return W2 @ h + b2


@wrong("mlp", says="row 1, column 1 is 1.980", named="mlp_leaky")
def a_leaky_relu(X, W1, b1, W2, b2):
    h = W1 @ X + b1
    return W2 @ np.where(h > 0, h, 0.01 * h) + b2


@wrong("mlp", says="row 1, column 1 is 4", named="mlp_sizes")
def the_size_of_each_hidden_number(X, W1, b1, W2, b2):
    return W2 @ np.abs(W1 @ X + b1) + b2


@wrong("mlp", says="row 1, column 1 is 0", named="mlp_relu_at_the_end")
def relu_at_the_end(X, W1, b1, W2, b2):
    return np.maximum(W2 @ (W1 @ X + b1) + b2, 0)


@wrong("mlp", named="mlp_relu_at_the_end_too")
def relu_at_the_end_too(X, W1, b1, W2, b2):
    return np.maximum(W2 @ np.maximum(W1 @ X + b1, 0) + b2, 0)


@wrong("mlp", says="row 1, column 1 is 0", named="mlp_relu_of_the_input")
def relu_of_the_input(X, W1, b1, W2, b2):
    return W2 @ (W1 @ np.maximum(X, 0) + b1) + b2


@wrong("mlp", named="mlp_relu_before_the_bias")
def relu_before_the_bias(X, W1, b1, W2, b2):
    return W2 @ (np.maximum(W1 @ X, 0) + b1) + b2


@wrong("mlp", says="In a product the")
def one_largest_number(X, W1, b1, W2, b2):
    return W2 @ np.max(W1 @ X + b1, 0) + b2


@wrong("mlp", says="of Python want one number")
def pythons_own_max(X, W1, b1, W2, b2):
    return W2 @ max(W1 @ X + b1, 0) + b2


@wrong("mlp", says="row 1, column 1 is 1", named="mlp_no_biases")
def no_biases(X, W1, b1, W2, b2):  # T14
    return W2 @ np.maximum(W1 @ X, 0)


@wrong("mlp", named="mlp_no_b1")
def no_first_bias(X, W1, b1, W2, b2):  # T14
    return W2 @ np.maximum(W1 @ X, 0) + b2


@wrong("mlp", named="mlp_no_b2")
def no_second_bias(X, W1, b1, W2, b2):  # T14
    return W2 @ np.maximum(W1 @ X + b1, 0)


@wrong("mlp", says="row 1, column 1 is 6", named="mlp_tokens_turned_over")
def applied_to_the_rows(X, W1, b1, W2, b2):  # T15
    return W2 @ np.maximum(W1 @ X.T + b1, 0) + b2


@wrong("mlp", says="In a product the", named="mlp_products_turned_around")
def tokens_times_weights(X, W1, b1, W2, b2):  # T15
    return np.maximum(X @ W1 + b1, 0) @ W2 + b2


@wrong("mlp", says="has shape (2, 1), expected", named="mlp_mean_token")
def flattened(X, W1, b1, W2, b2):  # T15
    return W2 @ np.maximum(W1 @ X.mean(axis=1, keepdims=True) + b1, 0) + b2


@wrong("mlp", named="mlp_b1_along_tokens")
def a_flat_bias(X, W1, b1, W2, b2):  # P14: silent where N = D_m
    return W2 @ np.maximum(W1 @ X + b1.ravel(), 0) + b2


@wrong("mlp", says="In a product the", named="mlp_matrices_exchanged")
def weights_exchanged(X, W1, b1, W2, b2):
    return W1 @ np.maximum(W2 @ X + b2, 0) + b1


@wrong("mlp", says="row 1, column 1 is 3", named="mlp_input_added")
def the_input_added(X, W1, b1, W2, b2):
    return X + W2 @ np.maximum(W1 @ X + b1, 0) + b2


@wrong("mlp", says="has shape (3, 2), expected", named="mlp_hidden_returned")
def hidden_numbers_returned(X, W1, b1, W2, b2):
    return np.maximum(W1 @ X + b1, 0)


@wrong("mlp", named="mlp_turned_over")
def turned_at_the_end(X, W1, b1, W2, b2):
    return (W2 @ np.maximum(W1 @ X + b1, 0) + b2).T


@wrong("mlp", says="another result the second time")
def one_dropped(X, W1, b1, W2, b2):  # T20
    h = np.maximum(W1 @ X + b1, 0)
    return W2 @ (h * np.random.uniform(0.5, 1.5, size=h.shape)) + b2


# ============================================================ 6.3 residual: right


@right("residual")
def sum_of_both(X, f):
    return X + f(X)


@right("residual")
def sum_of_a_list(X, f):
    return np.sum([X, f(X)], axis=0)


@right("residual")
def entry_by_entry(X, f):
    Y = f(X)
    return [[X[d, n] + Y[d, n] for n in range(X.shape[1])] for d in range(X.shape[0])]


@right("residual")
def on_a_copy(X, f):
    out = X.copy()
    out += f(X)
    return out


@right("residual")
def with_an_identity_beside_f(x, layer):
    return sum(g(x) for g in (lambda z: z, layer))


@right("residual")
def float32_sum(X, f):
    return np.add(X, f(X), dtype=np.float32)


# ============================================================ 6.3 residual: wrong


@wrong("residual", says="row 1, column 1 is 4", named="residual_change_alone")
def the_change_only(X, f):
    return f(X)


@wrong("residual", named="residual_input_alone")
def what_came_in_only(X, f):
    f(X)
    return X


@wrong("residual", named="residual_subtracted")
def subtracted(X, f):
    return X - f(X)


@wrong("residual", says="row 1, column 1 is 3", named="residual_input_subtracted")
def f_less_what_came_in(X, f):
    return f(X) - X


@wrong("residual", says="row 1, column 1 is 6", named="residual_input_twice")
def what_came_in_twice(X, f):
    return X + f(X) + X


@wrong("residual", named="residual_change_twice")
def the_change_twice(X, f):
    return X + f(X) + f(X)


@wrong("residual", named="residual_f_of_f")
def f_of_f(X, f):
    return X + f(f(X))


@wrong("residual", says="row 1, column 1 is 12", named="residual_f_of_the_sum")
def f_of_the_sum(X, f):
    return f(X + f(X))


@wrong("residual", named="residual_twice")
def f_of_a_changed_input(X, f):
    Y = X + f(X)
    return Y + f(Y)


@wrong("residual", says="row 1, column 1 is 4", named="residual_product")
def multiplied(X, f):
    return X * f(X)


@wrong("residual", named="residual_mean")
def the_mean_of_both(X, f):
    return (X + f(X)) / 2


@wrong("residual", says="changed its argument `X`")
def added_in_place(X, f):  # T19
    X += f(X)
    return X


@wrong("residual", says="changed its argument `X`")
def added_to_what_f_returned(X, f):  # T19: f may return its own argument
    out = f(X)
    out += X
    return out


@wrong("residual", says="raised TypeError")
def f_not_called(X, f):
    return X + f


@wrong("residual", says="raised TypeError")
def f_called_without_tokens(X, f):
    return X + f()


@wrong("residual", says="has shape (4, 2), expected", named="residual_below")
def one_below_the_other(X, f):
    return np.concatenate([X, f(X)])


@wrong("residual", says="row 1, column 1 is 1.000", named="residual_normalized")
def normalized_too(X, f):
    return layer_norm(X + f(X))


@wrong("residual", says="returned a function")
def a_function_instead_of_its_result(X, f):
    return lambda tokens: X + f(tokens)


# ============================================================ 6.4 transformer_layer: right


@right("transformer_layer")
def four_plain_lines(X, layer):
    X = X + multihead(X, layer.heads, layer.omega_c)
    X = layer_norm(X, layer.gamma1, layer.delta1)
    X = X + mlp(X, layer.W1, layer.b1, layer.W2, layer.b2)
    X = layer_norm(X, layer.gamma2, layer.delta2)
    return X


@right("transformer_layer")
def parts_taken_out_of_the_tuple(tokens, parts):
    heads, omega_c, g1, d1, W1, b1, W2, b2, g2, d2 = parts
    Y = layer_norm(residual(tokens, lambda T: multihead(T, heads, omega_c)), g1, d1)
    return layer_norm(residual(Y, lambda T: mlp(T, W1, b1, W2, b2)), g2, d2)


@right("transformer_layer")
def the_mlp_column_by_column(X, layer):
    Y = X + multihead(X, layer.heads, layer.omega_c)
    Y = layer_norm(Y, layer.gamma1, layer.delta1)
    for n in range(Y.shape[1]):
        x = Y[:, n : n + 1]
        Y[:, n : n + 1] = x + mlp(x, layer.W1, layer.b1, layer.W2, layer.b2)
    return layer_norm(Y, layer.gamma2, layer.delta2)


@right("transformer_layer")
def all_of_it_by_rows(X, layer):
    T = X.T
    outputs = []
    for q, k, v, bq, bk, bv in layer.heads:
        S = (T @ q.T + bq.T) @ (T @ k.T + bk.T).T / np.sqrt(len(q))
        E = np.exp(S - S.max(axis=1, keepdims=True))
        outputs.append(E / E.sum(axis=1, keepdims=True) @ (T @ v.T + bv.T))
    T = T + np.hstack(outputs) @ layer.omega_c.T

    def norm(T, g, d):
        return (T - T.mean(1, keepdims=True)) / np.sqrt(T.var(1, keepdims=True) + 1e-5) * g.T + d.T

    T = norm(T, layer.gamma1, layer.delta1)
    T = norm(
        T + np.maximum(T @ layer.W1.T + layer.b1.T, 0) @ layer.W2.T + layer.b2.T,
        layer.gamma2,
        layer.delta2,
    )
    return T.T


@right("transformer_layer")
def one_function_after_another(X, layer):
    lines = [
        lambda T: T + multihead(T, layer.heads, layer.omega_c),
        lambda T: layer_norm(T, layer.gamma1, layer.delta1),
        lambda T: T + mlp(T, *layer[4:8]),
        lambda T: layer_norm(T, *layer[8:]),
    ]
    for line in lines:
        X = line(X)
    return X


@right("transformer_layer")
def the_heads_contributions_added(X, layer):
    outputs = [head_output(X, head)[0] for head in layer.heads]
    Y = X + sum(head_contributions(layer.omega_c, outputs))
    Y = layer_norm(Y, gamma=layer.gamma1, delta=layer.delta1)
    return layer_norm(Y + mlp(Y, *layer[4:8]), gamma=layer.gamma2, delta=layer.delta2)


right_cell(
    "transformer_layer",
    "its_own_norm_in_the_cell",
    """
EPS = 1e-5

def norm(T, g, d):
    return g * (T - T.mean(0)) / (T.var(0) + EPS) ** 0.5 + d

def {name}(X, layer):
    T = norm(X + multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    return norm(T + mlp(T, *layer[4:8]), layer.gamma2, layer.delta2).astype(np.float32)
""",
)

# ============================================================ 6.4 transformer_layer: wrong


@wrong("transformer_layer", named="layer_no_first_residual")
def no_first_residual(X, layer):  # T1
    Y = layer_norm(multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    return layer_norm(Y + mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong("transformer_layer", says="row 1, column 1 is 0", named="layer_no_second_residual")
def no_second_residual(X, layer):  # T2
    Y = layer_norm(X + multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    return layer_norm(mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong("transformer_layer", says="row 1, column 1 is 0", named="residual_change_alone | residual_change_doubled")
def no_residuals(X, layer):  # T3
    Y = layer_norm(multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    return layer_norm(mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong("transformer_layer", named="layer_mlp_adds_to_the_input")
def the_first_input_added_twice(X, layer):  # T4
    Y = layer_norm(X + multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    return layer_norm(X + mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong("transformer_layer", named="layer_mlp_adds_to_what_was_attended")
def added_to_what_was_not_normalized(X, layer):  # T4
    A = X + multihead(X, layer.heads, layer.omega_c)
    Y = layer_norm(A, layer.gamma1, layer.delta1)
    return layer_norm(A + mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong("transformer_layer", named="layer_mlp_reads_the_input")
def the_mlp_reads_what_came_in(X, layer):
    Y = layer_norm(X + multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    return layer_norm(Y + mlp(X, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong("transformer_layer", says="row 1, column 1 is -10.000", named="layer_pre_norm")
def pre_norm_order(X, layer):  # T5
    X = X + multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    return X + mlp(layer_norm(X, layer.gamma2, layer.delta2), *layer[4:8])


@wrong("transformer_layer", says="wrong on an example of other sizes", named="layer_pre_norm_and_a_last_one")
def pre_norm_with_a_last_norm(X, layer):  # T5
    X = X + multihead(layer_norm(X), layer.heads, layer.omega_c)
    X = X + mlp(layer_norm(X, layer.gamma1, layer.delta1), *layer[4:8])
    return layer_norm(X, layer.gamma2, layer.delta2)


@wrong("transformer_layer", says="row 1, column 1 is 8.000", named="layer_norms_of_the_changes")
def normalized_before_it_is_added(X, layer):
    X = X + layer_norm(multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    return X + layer_norm(mlp(X, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong("transformer_layer", says="row 1, column 1 is -10.000", named="layer_no_last_norm")
def no_last_norm(X, layer):  # T7
    Y = layer_norm(X + multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    return Y + mlp(Y, *layer[4:8])


@wrong("transformer_layer", named="layer_no_first_norm")
def no_first_norm(X, layer):  # T8
    Y = X + multihead(X, layer.heads, layer.omega_c)
    return layer_norm(Y + mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong("transformer_layer", says="row 1, column 1 is 0", named="norm_nothing")
def no_norms(X, layer):
    Y = X + multihead(X, layer.heads, layer.omega_c)
    return Y + mlp(Y, *layer[4:8])


@wrong("transformer_layer", says="expected -2.000", named="layer_mlp_first")
def the_mlp_first(X, layer):  # T9
    Y = layer_norm(X + mlp(X, *layer[4:8]), layer.gamma1, layer.delta1)
    return layer_norm(Y + multihead(Y, layer.heads, layer.omega_c), layer.gamma2, layer.delta2)


@wrong("transformer_layer", says="wrong on an example of other sizes", named="layer_no_mlp | mlp_zeros")
def no_mlp(X, layer):
    Y = layer_norm(X + multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    return layer_norm(Y, layer.gamma2, layer.delta2)


@wrong(
    "transformer_layer",
    says="or the first LayerNorm reads the input in place of the attention's sum,",
    named="head_zeros | layer_no_attention | mixture_of_zeros | multihead_zeros | projection_of_zeros | stack_mixture_of_zeros | weights_of_zero",
)
def no_attention(X, layer):
    Y = layer_norm(X, layer.gamma1, layer.delta1)
    return layer_norm(Y + mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong("transformer_layer", says="row 1, column 1 is -10.000", named="layer_norms_exchanged")
def norms_exchanged(X, layer):
    Y = layer_norm(X + multihead(X, layer.heads, layer.omega_c), layer.gamma2, layer.delta2)
    return layer_norm(Y + mlp(Y, *layer[4:8]), layer.gamma1, layer.delta1)


@wrong("transformer_layer", says="row 1, column 1 is -10.000", named="layer_first_norm_again")
def the_first_norm_twice(X, layer):
    Y = layer_norm(X + multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    return layer_norm(Y + mlp(Y, *layer[4:8]), layer.gamma1, layer.delta1)


@wrong("transformer_layer", says="row 1, column 1 is -1.000", named="norm_no_gamma_no_delta")
def norms_without_gamma_and_delta(X, layer):
    Y = layer_norm(X + multihead(X, layer.heads, layer.omega_c))
    return layer_norm(Y + mlp(Y, *layer[4:8]))


@wrong("transformer_layer", says="row 1, column 1 is 2", named="norm_gamma_delta_exchanged")
def gamma_for_delta(X, layer):
    Y = layer_norm(X + multihead(X, layer.heads, layer.omega_c), layer.delta1, layer.gamma1)
    return layer_norm(Y + mlp(Y, *layer[4:8]), layer.delta2, layer.gamma2)


@wrong("transformer_layer", says="row 1, column 1 is -1.000", named="layer_one_norm_more")
def normalized_once_more(X, layer):  # T16: nearly invisible where gamma is 1 and delta 0
    Y = layer_norm(X + multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    return layer_norm(layer_norm(Y + mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2))


@wrong("transformer_layer", says="row 1, column 1 is -1.999960", named="norm_larger_eps")
def another_eps(X, layer):  # N6
    Y = layer_norm(X + multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1, 1e-3)
    return layer_norm(Y + mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2, 1e-3)


@wrong(
    "transformer_layer",
    says="wrong on an example of other sizes",
    named="first_head_stacked_throughout | multihead_head_1_throughout",
)
def the_first_head_alone(X, layer):  # P10
    H = len(layer.heads)
    Y = X + multihead(X, [layer.heads[0]] * H, layer.omega_c)
    Y = layer_norm(Y, layer.gamma1, layer.delta1)
    return layer_norm(Y + mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong("transformer_layer", says="raised IndexError")
def two_heads_always(X, layer):
    Sa_list, _ = two_heads(X, layer.heads[0], layer.heads[1])
    Y = layer_norm(X + mix(layer.omega_c, stack_heads(Sa_list)), layer.gamma1, layer.delta1)
    return layer_norm(Y + mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong("transformer_layer", says="wrong on an example of other sizes", named="no_scale")
def not_scaled(X, layer):  # L2
    outputs = [self_attention(X, head) for head in layer.heads]
    Y = layer_norm(X + mix(layer.omega_c, stack_heads(outputs)), layer.gamma1, layer.delta1)
    return layer_norm(Y + mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong("transformer_layer", says="changed its argument `X`")
def added_to_the_argument(X, layer):  # T19
    X += multihead(X, layer.heads, layer.omega_c)
    Y = layer_norm(X, layer.gamma1, layer.delta1)
    return layer_norm(Y + mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong("transformer_layer", says="changed its argument `layer`")
def changes_the_layers_gamma(X, layer):
    Y = layer_norm(X + multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    scale = layer.gamma2
    scale *= 1.0
    scale += 1.0
    return layer_norm(Y + mlp(Y, *layer[4:8]), scale - 1.0, layer.delta2)


@wrong("transformer_layer", says="which the notebook holds but the cell does not")
def the_notebooks_heads(X, layer):  # H17
    Y = layer_norm(X + multihead(X, heads, omega_c), layer.gamma1, layer.delta1)
    return layer_norm(Y + mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong("transformer_layer", says="raised AttributeError")
def a_name_the_layer_lacks(X, layer):
    Y = layer_norm(X + multihead(X, layer.heads, layer.omega_c), layer.gamma, layer.delta)
    return layer_norm(Y + mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong("transformer_layer", says="raised AttributeError")
def heads_unpacked(X, layer):
    return layer_norm(X + multihead(X, *layer.heads, layer.omega_c), layer.gamma1, layer.delta1)


@wrong("transformer_layer", says="raised TypeError")
def called_where_a_function_is_wanted(X, layer):
    Y = layer_norm(residual(X, multihead(X, layer.heads, layer.omega_c)), layer.gamma1, layer.delta1)
    return layer_norm(residual(Y, mlp(Y, *layer[4:8])), layer.gamma2, layer.delta2)


@wrong("transformer_layer", says="returned a list of 4")
def output_of_every_line(X, layer):
    lines = [X + multihead(X, layer.heads, layer.omega_c)]
    lines.append(layer_norm(lines[-1], layer.gamma1, layer.delta1))
    lines.append(lines[-1] + mlp(lines[-1], *layer[4:8]))
    lines.append(layer_norm(lines[-1], layer.gamma2, layer.delta2))
    return lines


@wrong("transformer_layer", says="rows and columns exchanged")
def layer_turned_over(X, layer):  # H13
    Y = layer_norm(X + multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    return layer_norm(Y + mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2).T


@wrong("transformer_layer", named="head_later_tokens_hidden")
def looks_back_only(X, layer):  # S15
    N = X.shape[1]
    B = np.where(np.tri(N, k=-1) == 1, -np.inf, 0.0)
    outputs = []
    for head in layer.heads:
        Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
        outputs.append(attention_with_bias(Q, K, V, B))
    Y = layer_norm(X + layer.omega_c @ stack_heads(outputs), layer.gamma1, layer.delta1)
    return layer_norm(Y + mlp(Y, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong(
    "transformer_layer",
    says="A third LayerNorm, with gamma1 and delta1, stands before the last one.",
    named="layer_first_norm_once_more",
)
def the_first_norm_again_before_the_last(X, layer):
    X = X + multihead(X, layer.heads, layer.omega_c)
    X = layer_norm(X, layer.gamma1, layer.delta1)
    X = X + mlp(X, *layer[4:8])
    X = layer_norm(X, layer.gamma1, layer.delta1)
    return layer_norm(X, layer.gamma2, layer.delta2)


@wrong("transformer_layer", says="The first LayerNorm of the layer runs twice.", named="layer_first_norm_twice")
def the_first_norm_twice_in_a_row(X, layer):
    X = X + multihead(X, layer.heads, layer.omega_c)
    X = layer_norm(X, layer.gamma1, layer.delta1)
    X = layer_norm(X, layer.gamma1, layer.delta1)
    X = X + mlp(X, *layer[4:8])
    return layer_norm(X, layer.gamma2, layer.delta2)


# ============================================================ 6.5 stack: right


@right("stack")
def a_plain_loop(X, layers):
    for layer in layers:
        X = transformer_layer(X, layer)
    return X


@right("stack")
def by_reduce(X, layers):
    from functools import reduce

    return reduce(transformer_layer, layers, X)


right_cell(
    "stack",
    "it_calls_itself",
    """
def {name}(X, layers):
    if not len(layers):
        return X
    return {name}(transformer_layer(X, layers[0]), layers[1:])
""",
)


@right("stack")
def by_index_into_a_copy(x, many):
    out = np.array(x)
    for k in range(len(many)):
        out[:] = transformer_layer(out, many[k])
    return out


@right("stack")
def all_outputs_kept_the_last_returned(X, layers):
    outputs = [X]
    while len(outputs) <= len(layers):
        outputs.append(transformer_layer(outputs[-1], layers[len(outputs) - 1]))
    return outputs[-1].tolist()


# ============================================================ 6.5 stack: wrong


@wrong("stack", says="row 1, column 1 is -1.000", named="stack_first_layer_always")
def always_the_first_layer(X, layers):  # T17
    for _ in layers:
        X = transformer_layer(X, layers[0])
    return X


@wrong("stack", says="row 1, column 1 is -1.000, expected -3.000", named="stack_last_layer_first")
def the_last_layer_first(X, layers):
    for layer in reversed(layers):
        X = transformer_layer(X, layer)
    return X


@wrong("stack", says="row 1, column 1 is 3.000, expected -3.000", named="stack_each_reads_the_input")
def each_layer_reads_what_came_in(X, layers):
    out = X
    for layer in layers:
        out = transformer_layer(X, layer)
    return out


@wrong("stack", says="row 1, column 1 is 1.000", named="stack_first_layer_only")
def the_first_layer_only(X, layers):
    for layer in layers:
        return transformer_layer(X, layer)
    return X


@wrong("stack", says="row 1, column 1 is 1.000", named="stack_without_the_last")
def one_layer_too_few(X, layers):
    for layer in layers[:-1]:
        X = transformer_layer(X, layer)
    return X


@wrong("stack", says="row 1, column 1 is 34.000", named="layer_input_added_at_the_end | stack_residual_around_layers")
def a_residual_around_each_layer(X, layers):
    for layer in layers:
        X = X + transformer_layer(X, layer)
    return X


@wrong("stack", says="returned a list of 3")
def a_list_of_all(X, layers):
    outputs = [X]
    for layer in layers:
        outputs.append(transformer_layer(outputs[-1], layer))
    return outputs


@wrong("stack", says="has shape (6, 1), expected")
def one_above_the_other(X, layers):
    return np.concatenate([X, *(transformer_layer(X, layer) for layer in layers)])


@wrong("stack", says="row 1, column 1 is 4.000", named="stack_sum_of_layers")
def the_sum_of_all(X, layers):
    return sum(transformer_layer(X, layer) for layer in layers)


@wrong("stack", says="That line uses a name before any")
def nothing_for_no_layers(X, layers):
    for layer in layers:
        X = transformer_layer(X, layer)
        out = X
    return out


@wrong("stack", says="returned None")
def nothing_returned_for_no_layers(X, layers):
    for k, layer in enumerate(layers):
        X = transformer_layer(X, layer)
        if k == len(layers) - 1:
            return X


@wrong("stack", says="wrong on an example with three layers", named="stack_two_layers_only")
def two_layers_always(X, layers):
    return transformer_layer(transformer_layer(X, layers[0]), layers[1])


@wrong("stack", says="changed its argument `layers`")
def takes_the_layers_out_of_the_list(X, layers):
    while layers:
        X = transformer_layer(X, layers.pop(0))
    return X


@wrong("stack", says="changed its argument `X`")
def writes_into_the_tokens(X, layers):
    for layer in layers:
        X[:] = transformer_layer(X, layer)
    return X


@wrong(
    "stack", says="`r` holds the output of the second LayerNorm in layer 3, on an example with three layers (D = 6, N"
)
def the_first_row_for_all(X, layers):  # the paper example has two layers
    out = X
    for layer in layers:
        out = transformer_layer(out, layer)
    r = out
    return r[:1] + 0 * r


@wrong("stack", says="raised AttributeError")
def all_layers_at_once(X, layers):
    return transformer_layer(X, layers)


@wrong("stack", says="row 1, column 1 is 30", named="layer_ends_after_attention | stack_attention_alone")
def attention_without_the_rest(X, layers):
    for layer in layers:
        X = X + multihead(X, layer.heads, layer.omega_c)
    return X


# ============================================================ 6.6 pre_norm_layer: right


@right("pre_norm_layer")
def two_plain_lines(X, layer):
    X = X + multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    return X + mlp(layer_norm(X, layer.gamma2, layer.delta2), layer.W1, layer.b1, layer.W2, layer.b2)


@right("pre_norm_layer")
def by_residuals(tokens, parts):
    def attend(T):
        return multihead(layer_norm(T, parts.gamma1, parts.delta1), parts.heads, parts.omega_c)

    return residual(residual(tokens, attend), lambda T: mlp(layer_norm(T, *parts[8:]), *parts[4:8]))


@right("pre_norm_layer")
def changes_summed_at_the_end(X, layer):
    first = multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    second = [mlp(layer_norm(x[:, None], layer.gamma2, layer.delta2), *layer[4:8])[:, 0] for x in (X + first).T]
    return (np.array(second).T + first + X).tolist()


# ============================================================ 6.6 pre_norm_layer: wrong


@wrong("pre_norm_layer", says="row 1, column 1 is -2.000", named="pre_norm_still_post_norm")
def still_post_norm(X, layer):
    return transformer_layer(X, layer)


@wrong("pre_norm_layer", says="row 1, column 1 is -1.000", named="pre_norm_plain_norm_at_the_end")
def a_norm_at_the_end(X, layer):
    X = X + multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    return layer_norm(X + mlp(layer_norm(X, layer.gamma2, layer.delta2), *layer[4:8]))


@wrong("pre_norm_layer", says="expected -10.000", named="pre_norm_adds_to_the_normalized")
def added_to_the_normalized_tokens(X, layer):
    Y = layer_norm(X, layer.gamma1, layer.delta1)
    Y = Y + multihead(Y, layer.heads, layer.omega_c)
    Z = layer_norm(Y, layer.gamma2, layer.delta2)
    return Z + mlp(Z, *layer[4:8])


@wrong("pre_norm_layer", named="pre_norm_mlp_reads_raw")
def the_mlp_reads_what_is_not_normalized(X, layer):
    X = X + multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    return X + mlp(X, *layer[4:8])


@wrong("pre_norm_layer", named="pre_norm_attention_reads_raw")
def attention_reads_what_is_not_normalized(X, layer):
    X = X + multihead(X, layer.heads, layer.omega_c)
    return X + mlp(layer_norm(X, layer.gamma2, layer.delta2), *layer[4:8])


@wrong("pre_norm_layer", says="row 1, column 1 is 19.000", named="pre_norm_norms_exchanged")
def pre_norms_exchanged(X, layer):
    X = X + multihead(layer_norm(X, layer.gamma2, layer.delta2), layer.heads, layer.omega_c)
    return X + mlp(layer_norm(X, layer.gamma1, layer.delta1), *layer[4:8])


@wrong("pre_norm_layer", says="row 1, column 1 is 8.000", named="pre_norm_norms_of_the_changes")
def the_outputs_are_normalized(X, layer):
    X = X + layer_norm(multihead(X, layer.heads, layer.omega_c), layer.gamma1, layer.delta1)
    return X + layer_norm(mlp(X, *layer[4:8]), layer.gamma2, layer.delta2)


@wrong("pre_norm_layer", named="pre_norm_both_read_the_input")
def both_read_the_same(X, layer):
    first = multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    return X + first + mlp(layer_norm(X, layer.gamma2, layer.delta2), *layer[4:8])


@wrong("pre_norm_layer", says="row 1, column 1 is 0", named="residual_change_alone")
def no_pre_norm_residuals(X, layer):
    X = multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    return mlp(layer_norm(X, layer.gamma2, layer.delta2), *layer[4:8])


@wrong("pre_norm_layer", named="pre_norm_mlp_adds_to_the_input")
def the_tokens_are_lost_before_the_mlp(X, layer):
    Y = X + multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    return X + mlp(layer_norm(Y, layer.gamma2, layer.delta2), *layer[4:8])


@wrong("pre_norm_layer", says="changed its argument `X`")
def adds_to_its_argument(X, layer):
    X += multihead(layer_norm(X, layer.gamma1, layer.delta1), layer.heads, layer.omega_c)
    return X + mlp(layer_norm(X, layer.gamma2, layer.delta2), *layer[4:8])
