"""Notebook 6, the transformer layer: LayerNorm, the MLP, residuals, the layer's four lines, and a stack."""

import numpy as np

from solutions.concatenation import multihead


def layer_norm(X, gamma=1.0, delta=0.0, eps=1e-5):
    """Return every column with mean 0 and variance 1, then scaled by gamma and shifted by delta.

    Ba et al., "Layer Normalization" (2016), section 3.

    Parameters
    ----------
    X : array, shape (D, N)
        One token per column.
    gamma : array, shape (D, 1), or float
        The new scale of every row.
    delta : array, shape (D, 1), or float
        The new offset of every row.
    eps : float
        Added to the variance, so that a constant column divides by something.

    Returns
    -------
    normalized : array, shape (D, N)
        Each column treated alone. The variance is the mean of the squared distances from the mean.
    """
    mean = np.mean(X, axis=0, keepdims=True)  # (1, N)
    variance = np.var(X, axis=0, keepdims=True)  # (1, N)
    standard = (X - mean) / np.sqrt(variance + eps)  # (D, N)
    normalized = gamma * standard + delta  # (D, N)
    return normalized


def mlp(X, W1, b1, W2, b2):
    """Return what a network with one hidden layer makes of every column.

    Parameters
    ----------
    X : array, shape (D, N)
        One token per column.
    W1 : array, shape (D_m, D)
        Weights into the hidden layer.
    b1 : array, shape (D_m, 1)
        Its biases.
    W2 : array, shape (D, D_m)
        Weights out of the hidden layer.
    b2 : array, shape (D, 1)
        Their biases.

    Returns
    -------
    output : array, shape (D, N)
        Every column through the same network. The activation is ReLU: negative numbers become 0.
    """
    incoming = W1 @ X + b1  # (D_m, N)
    hidden = np.maximum(incoming, 0)  # (D_m, N)
    output = W2 @ hidden + b2  # (D, N)
    return output


def residual(X, f):
    """Return `X` plus what `f` makes of it.

    He et al., "Deep Residual Learning" (2016), section 3.1.

    Parameters
    ----------
    X : array, shape (D, N)
        One token per column.
    f : callable
        Takes a (D, N) array and returns one of the same shape.

    Returns
    -------
    output : array, shape (D, N)
        The input, and what `f` adds to it.
    """
    change = f(X)  # (D, N)
    output = X + change  # (D, N)
    return output


def transformer_layer(X, layer):
    """Return what one transformer layer makes of `X`: attention, LayerNorm, MLP, LayerNorm.

    Vaswani et al., "Attention Is All You Need" (2017), section 3.1. This order is called post-norm.

    Parameters
    ----------
    X : array, shape (D, N)
        One token per column.
    layer : Layer
        heads, omega_c; gamma1, delta1, each (D, 1); W1 (D_m, D), b1 (D_m, 1), W2 (D, D_m), b2 (D, 1);
        gamma2, delta2, each (D, 1).

    Returns
    -------
    X_out : array, shape (D, N)
        The same tokens, each changed by what it read and by the MLP.
    """
    attended = residual(X, lambda tokens: multihead(tokens, layer.heads, layer.omega_c))  # (D, N)
    normalized = layer_norm(attended, layer.gamma1, layer.delta1)  # (D, N)
    processed = residual(normalized, lambda tokens: mlp(tokens, layer.W1, layer.b1, layer.W2, layer.b2))  # (D, N)
    X_out = layer_norm(processed, layer.gamma2, layer.delta2)  # (D, N)
    return X_out


def stack(X, layers):
    """Return what layers make of `X`, one after the other.

    Parameters
    ----------
    X : array, shape (D, N)
        One token per column.
    layers : list of Layers
        The parameters of each layer, the first first. There may be none.

    Returns
    -------
    X_out : array, shape (D, N)
        What the last layer puts out; `X` itself where there are no layers.
    """
    X_out = X  # (D, N)
    for layer in layers:
        X_out = transformer_layer(X_out, layer)  # (D, N)
    return X_out


def pre_norm_layer(X, layer):
    """Return what a layer makes of `X` that normalizes first, before attention and before the MLP.

    Xiong et al., "On Layer Normalization in the Transformer Architecture" (2020), figure 1 (b).

    Parameters
    ----------
    X : array, shape (D, N)
        One token per column.
    layer : Layer
        The same parameters as in 6.4; gamma1 and delta1 belong to the attention, gamma2 and delta2 to the MLP.

    Returns
    -------
    X_out : array, shape (D, N)
        Not normalized at the end.
    """

    def read(tokens):
        calm = layer_norm(tokens, layer.gamma1, layer.delta1)  # (D, N)
        return multihead(calm, layer.heads, layer.omega_c)  # (D, N)

    def process(tokens):
        calm = layer_norm(tokens, layer.gamma2, layer.delta2)  # (D, N)
        return mlp(calm, layer.W1, layer.b1, layer.W2, layer.b2)  # (D, N)

    attended = residual(X, read)  # (D, N)
    X_out = residual(attended, process)  # (D, N)
    return X_out
