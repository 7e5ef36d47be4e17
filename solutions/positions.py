"""Notebook 5, positions: attention cannot tell order; absolute, relative and rotary positions can."""

import numpy as np

from solutions.scaling import scaled_scores
from solutions.single_head import softmax_cols, weighted_values


def permute_columns(X, perm):
    """Return the tokens of `X` in another order.

    Parameters
    ----------
    X : array, shape (D, N)
        One token per column.
    perm : array of int, shape (N,)
        Every position once, counted from 0.

    Returns
    -------
    X_permuted : array, shape (D, N)
        Column j is column perm[j] of `X`.
    """
    X_permuted = X[:, perm]  # (D, N)
    return X_permuted


def equivariance_gap(f, X, perm):
    """Return how far it matters whether tokens change places before `f` or after it.

    Parameters
    ----------
    f : callable
        Takes a (D, N) array and returns one with N columns.
    X : array, shape (D, N)
        One token per column.
    perm : array of int, shape (N,)
        The new order (see 5.1).

    Returns
    -------
    gap : float
        The largest absolute difference of the two results; 0 where `f` cannot tell order.
    """
    before = f(permute_columns(X, perm))  # (D_out, N)
    after = permute_columns(f(X), perm)  # (D_out, N)
    gap = np.max(np.abs(before - after))  # ()
    return gap


def sinusoids(D, N, base=10000):
    """Return a column of waves for every position.

    Vaswani et al., "Attention Is All You Need" (2017), section 3.5.

    Parameters
    ----------
    D : int
        Rows. Rows 2i and 2i + 1 are a pair, counted from 0.
    N : int
        Positions, counted from 0.
    base : float
        Pair i turns base**(2 * i / D) times slower than pair 0.

    Returns
    -------
    Pi : array, shape (D, N)
        Row 2i is the sine, row 2i + 1 the cosine of position / base**(2 * i / D). An odd D ends on a sine.
    """
    rows = np.arange(D)[:, np.newaxis]  # (D, 1)
    positions = np.arange(N)[np.newaxis, :]  # (1, N)
    pairs = rows // 2  # (D, 1)
    angles = positions / base ** (2 * pairs / D)  # (D, N)
    Pi = np.where(rows % 2 == 0, np.sin(angles), np.cos(angles))  # (D, N)
    return Pi


def add_positions(X, Pi):
    """Return the tokens with their positions added: absolute encodings, fixed or learned.

    Parameters
    ----------
    X : array, shape (D, N)
        One token per column.
    Pi : array, shape (D, N)
        One column for every position.

    Returns
    -------
    X_placed : array, shape (D, N)
        Column n is token n plus position n.
    """
    X_placed = X + Pi  # (D, N)
    return X_placed


def relative_bias(pi, N):
    """Return a bias for every pair of key and query that depends on their distance only.

    Raffel et al., "Exploring the Limits of Transfer Learning" (2020), section 2.1, without their buckets.

    Parameters
    ----------
    pi : array, shape (2 N - 1,)
        One number for every offset, from -(N - 1) to N - 1.
    N : int
        Number of tokens.

    Returns
    -------
    B : array, shape (N, N)
        Row a, column b is pi[a - b + N - 1]: a the position of the key, b that of the query, counted from 0.
    """
    keys = np.arange(N)[:, np.newaxis]  # (N, 1)
    queries = np.arange(N)[np.newaxis, :]  # (1, N)
    offsets = keys - queries  # (N, N)
    B = pi[offsets + N - 1]  # (N, N)
    return B


def attention_with_bias(Q, K, V, B):
    """Return scaled attention with a bias added to every score.

    Parameters
    ----------
    Q : array, shape (D_q, N_q)
        One query per column.
    K : array, shape (D_q, N_k)
        One key per column.
    V : array, shape (D_v, N_k)
        One value per column.
    B : array, shape (N_k, N_q)
        What is added to the scaled scores, before softmax.

    Returns
    -------
    output : array, shape (D_v, N_q)
        One output per query.
    """
    scores = scaled_scores(Q, K)  # (N_k, N_q)
    biased = scores + B  # (N_k, N_q)
    A = softmax_cols(biased)  # (N_k, N_q)
    output = weighted_values(A, V)  # (D_v, N_q)
    return output


def rope(Z, positions):
    """Return queries or keys, every pair of rows turned by an angle that grows with the position.

    Su et al., "RoFormer" (2021), section 3.2. The base is 10000.

    Parameters
    ----------
    Z : array, shape (D, N)
        Queries or keys, one per column. Rows 2i and 2i + 1 are a pair, counted from 0.
    positions : array, shape (N,)
        The position of every column.

    Returns
    -------
    rotated : array, shape (D, N)
        Pair i of every column, turned counter-clockwise by position / 10000**(2 * i / D).

    Raises
    ------
    ValueError
        If D is odd. The message names D.
    """
    D = Z.shape[0]
    if D % 2 != 0:
        raise ValueError(f"D = {D} is odd: the rows are turned in pairs.")
    pairs = np.arange(D // 2)[:, np.newaxis]  # (D/2, 1)
    angles = positions / 10000 ** (2 * pairs / D)  # (D/2, N)
    first, second = Z[0::2], Z[1::2]  # (D/2, N) each
    rotated = np.zeros(Z.shape)  # (D, N)
    rotated[0::2] = first * np.cos(angles) - second * np.sin(angles)
    rotated[1::2] = first * np.sin(angles) + second * np.cos(angles)
    return rotated


def look_back(D, c, base=10000):
    """Return the two matrices of a head that looks back one word, on columns that are sinusoids only.

    Parameters
    ----------
    D : int
        Rows of a column, an even number.
    c : float
        How sharply it looks.
    base : float
        The base of the sinusoids (see 5.3).

    Returns
    -------
    omega_q : array, shape (D, D)
        c times the identity: a position asks for itself.
    omega_k : array, shape (D, D)
        c times the matrix that takes every position one step on: position m answers as m + 1.
    """
    omega_q = c * np.eye(D)  # (D, D)
    omega_k = np.zeros((D, D))  # (D, D)
    for row in range(0, D, 2):
        angle = 1 / base ** (row / D)
        step = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])  # (2, 2)
        omega_k[row : row + 2, row : row + 2] = c * step
    return omega_q, omega_k
