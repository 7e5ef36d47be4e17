"""Notebook 2, scaling: why scores are divided by the root of D_q, and self-attention that does it."""

import numpy as np

from solutions.single_head import project, softmax_cols, weighted_values


def dot_variance(D_q, n, rng):
    """Return how far the dot products of random queries and keys spread: their variance.

    Parameters
    ----------
    D_q : int
        Entries of a query, and of a key.
    n : int
        How many pairs to draw, 10,000 or more.
    rng : RandomState
        What to draw with. Every entry is a standard normal number.

    Returns
    -------
    variance : float
        The variance of the n dot products.
    """
    queries = rng.normal(size=(D_q, n))  # (D_q, n)
    keys = rng.normal(size=(D_q, n))  # (D_q, n)
    products = np.sum(queries * keys, axis=0)  # (n,)
    variance = np.var(products)  # ()
    return variance


def scaled_scores(Q, K):
    """Return the scores of every key with every query, divided by the root of D_q (equation 12.9).

    Parameters
    ----------
    Q : array, shape (D_q, N_q)
        One query per column.
    K : array, shape (D_q, N_k)
        One key per column.

    Returns
    -------
    scores : array, shape (N_k, N_q)
        Row m, column n: key m times query n, divided by the root of D_q.
    """
    D_q = K.shape[0]
    products = K.T @ Q  # (N_k, N_q)
    scores = products / np.sqrt(D_q)  # (N_k, N_q)
    return scores


def entropy_cols(A):
    """Return how evenly each column spreads its weight: its entropy, by the natural logarithm.

    Parameters
    ----------
    A : array, shape (N_k, N_q)
        Weights: every column sums to one. Some may be 0, which add nothing.

    Returns
    -------
    entropy : array, shape (N_q,)
        0 where one weight is 1, log(N_k) where all are equal.
    """
    safe = np.where(A > 0, A, 1.0)  # (N_k, N_q)
    terms = A * np.log(safe)  # (N_k, N_q)
    entropy = -np.sum(terms, axis=0)  # (N_q,)
    return entropy


def scaled_self_attention(X, head):
    """Return scaled dot-product self-attention of `X` (equation 12.9).

    Parameters
    ----------
    X : array, shape (D, N)
        One token per column.
    head : Head
        omega_q, omega_k and omega_v, each (D_q, D); beta_q, beta_k and beta_v, each (D_q, 1).

    Returns
    -------
    X_prime : array, shape (D_q, N)
        One output per token.
    """
    Q = project(X, head.omega_q, head.beta_q)  # (D_q, N)
    K = project(X, head.omega_k, head.beta_k)  # (D_q, N)
    V = project(X, head.omega_v, head.beta_v)  # (D_q, N)
    scores = scaled_scores(Q, K)  # (N, N)
    A = softmax_cols(scores)  # (N, N)
    X_prime = weighted_values(A, V)  # (D_q, N)
    return X_prime


def softmax_jacobian(a):
    """Return how each weight of a column answers to a small change of each score.

    Parameters
    ----------
    a : array, shape (N,)
        One column of weights, a softmax of N scores.

    Returns
    -------
    J : array, shape (N, N)
        Row i, column j: the derivative of weight i with respect to score j.
    """
    own = np.diag(a)  # (N, N)
    shared = np.outer(a, a)  # (N, N)
    J = own - shared  # (N, N)
    return J
