"""Notebook 3, two heads: each with parameters of its own, each reading all of X."""

import numpy as np

from solutions.scaling import scaled_scores
from solutions.single_head import project, softmax_cols, weighted_values


def head_size(D, H):
    """Return how many rows the queries, keys and values of each head have.

    Parameters
    ----------
    D : int
        Rows of a token.
    H : int
        Number of heads.

    Returns
    -------
    D_q : int
        D / H, a whole number.

    Raises
    ------
    ValueError
        If D cannot be divided by H. The message names both numbers.
    """
    if D % H != 0:
        raise ValueError(f"D = {D} rows cannot be shared evenly by H = {H} heads.")
    D_q = D // H
    return D_q


def head_output(X, head):
    """Return what one head puts out, and the weights it used (equation 12.9).

    Parameters
    ----------
    X : array, shape (D, N)
        One token per column. Every head reads all D rows.
    head : Head
        omega_q, omega_k and omega_v, each (D_q, D); beta_q, beta_k and beta_v, each (D_q, 1).

    Returns
    -------
    Sa : array, shape (D_q, N)
        Scaled self-attention, one output per token.
    A : array, shape (N, N)
        The weights, every column summing to one.
    """
    Q = project(X, head.omega_q, head.beta_q)  # (D_q, N)
    K = project(X, head.omega_k, head.beta_k)  # (D_q, N)
    V = project(X, head.omega_v, head.beta_v)  # (D_q, N)
    scores = scaled_scores(Q, K)  # (N, N)
    A = softmax_cols(scores)  # (N, N)
    Sa = weighted_values(A, V)  # (D_q, N)
    return Sa, A


def two_heads(X, head1, head2):
    """Return what two heads put out on the same `X`, side by side.

    Parameters
    ----------
    X : array, shape (D, N)
        One token per column.
    head1, head2 : Head
        The parameters of each head. Their D_q may differ.

    Returns
    -------
    Sa : list of 2 arrays, shape (D_q, N)
        What head 1 and head 2 put out.
    A : list of 2 arrays, shape (N, N)
        The weights of head 1 and head 2.
    """
    Sa1, A1 = head_output(X, head1)  # (D_q, N), (N, N)
    Sa2, A2 = head_output(X, head2)  # (D_q, N), (N, N)
    Sa = [Sa1, Sa2]
    A = [A1, A2]
    return Sa, A


def strongest_key(A):
    """Return, for every query, the position of the key with the largest weight.

    Parameters
    ----------
    A : array, shape (N_k, N_q)
        Weights, keys down and queries across.

    Returns
    -------
    positions : array, shape (N_q,)
        Whole numbers, counted from 0; of equal weights the first.
    """
    positions = np.argmax(A, axis=0)  # (N_q,)
    return positions
