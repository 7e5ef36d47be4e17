"""Notebook 1, one head: queries, keys and values, weights that sum to one, and the weighted sum."""

import numpy as np


def project(X, omega, beta):
    """Return one vector for every token: queries, keys or values (equations 12.2 and 12.4).

    Parameters
    ----------
    X : array, shape (D, N)
        One token per column.
    omega : array, shape (D_q, D)
        Weights.
    beta : array, shape (D_q, 1)
        Biases, the same for every token.

    Returns
    -------
    projected : array, shape (D_q, N)
        Column n is omega times token n, plus beta.
    """
    weighted = omega @ X  # (D_q, N)
    projected = weighted + beta  # (D_q, N)
    return projected


def softmax_cols(S):
    """Return weights: every column of `S` made positive and summing to one (equation 12.5).

    Parameters
    ----------
    S : array, shape (N_k, N_q)
        Scores of any size, keys down and queries across.

    Returns
    -------
    A : array, shape (N_k, N_q)
        Weights, finite for scores of any size.
    """
    largest = np.max(S, axis=0, keepdims=True)  # (1, N_q)
    exponentials = np.exp(S - largest)  # (N_k, N_q)
    totals = np.sum(exponentials, axis=0, keepdims=True)  # (1, N_q)
    A = exponentials / totals  # (N_k, N_q)
    return A


def attention_weights(Q, K):
    """Return how much every query reads from every key (equation 12.5).

    Parameters
    ----------
    Q : array, shape (D_q, N_q)
        One query per column.
    K : array, shape (D_q, N_k)
        One key per column.

    Returns
    -------
    A : array, shape (N_k, N_q)
        Row m, column n: the share of key m in the answer to query n. Not scaled.
    """
    scores = K.T @ Q  # (N_k, N_q)
    A = softmax_cols(scores)  # (N_k, N_q)
    return A


def weighted_values(A, V):
    """Return, for every query, the values summed with its weights (equation 12.3).

    Parameters
    ----------
    A : array, shape (N_k, N_q)
        Weights: every column sums to one.
    V : array, shape (D_v, N_k)
        One value per column.

    Returns
    -------
    output : array, shape (D_v, N_q)
        Column n is the sum of the values, each times its weight for query n.
    """
    output = V @ A  # (D_v, N_q)
    return output


def self_attention(X, head):
    """Return self-attention of `X` in matrix form, without scaling (equations 12.6 to 12.8).

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
    A = attention_weights(Q, K)  # (N, N)
    X_prime = weighted_values(A, V)  # (D_q, N)
    return X_prime
