"""Notebook 4, concatenation: the heads' outputs stacked, and mixed by Omega_c."""

import numpy as np

from helpers.parameters import Head
from solutions.two_heads import head_output


def stack_heads(Sa_list):
    """Return the outputs of all heads as one matrix, one above the other.

    Parameters
    ----------
    Sa_list : list of H arrays, each of shape (D_q, N)
        What each head puts out, head 1 first.

    Returns
    -------
    stacked : array, shape (H D_q, N)
        The rows of head 1, below them those of head 2, and so on.
    """
    stacked = np.concatenate(Sa_list, axis=0)  # (H D_q, N)
    return stacked


def mix(omega_c, stacked):
    """Return the stacked rows, recombined: every output row is a mixture of the rows of all heads.

    Parameters
    ----------
    omega_c : array, shape (D, H D_q)
        The recipes: row i holds how much of each stacked row goes into row i of the output.
    stacked : array, shape (H D_q, N)
        The outputs of all heads, one above the other.

    Returns
    -------
    X_prime : array, shape (D, N)
        One output per token.
    """
    X_prime = omega_c @ stacked  # (D, N)
    return X_prime


def head_contributions(omega_c, Sa_list):
    """Return what each head writes into the output. Together they add up to the whole.

    Parameters
    ----------
    omega_c : array, shape (D, H D_q)
        The first D_q columns belong to head 1, the next D_q to head 2, and so on.
    Sa_list : list of H arrays, each of shape (D_q, N)
        What each head puts out, head 1 first.

    Returns
    -------
    contributions : list of H arrays, shape (D, N)
        One for each head, in the same order.
    """
    contributions = []
    first = 0
    for Sa in Sa_list:
        last = first + Sa.shape[0]
        block = omega_c[:, first:last]  # (D, D_q)
        contributions.append(block @ Sa)  # (D, N)
        first = last
    return contributions


def multihead(X, heads, omega_c):
    """Return multi-head self-attention of `X`, for any number of heads.

    Vaswani et al., "Attention Is All You Need" (2017), section 3.2.2.

    Parameters
    ----------
    X : array, shape (D, N)
        One token per column.
    heads : list of H Heads
        The parameters of each head.
    omega_c : array, shape (D, H D_q)
        What mixes the stacked outputs.

    Returns
    -------
    X_prime : array, shape (D, N)
        One output per token, of the size of a token.
    """
    Sa_list = [head_output(X, head)[0] for head in heads]  # H arrays (D_q, N)
    stacked = stack_heads(Sa_list)  # (H D_q, N)
    X_prime = mix(omega_c, stacked)  # (D, N)
    return X_prime


def multihead_scaled_self_attention(
    X,
    omega_v1,
    omega_q1,
    omega_k1,
    beta_v1,
    beta_q1,
    beta_k1,
    omega_v2,
    omega_q2,
    omega_k2,
    beta_v2,
    beta_q2,
    beta_k2,
    omega_c,
):
    """Return multi-head scaled self-attention of `X` with two heads, every parameter an argument of its own.

    Parameters
    ----------
    X : array, shape (D, N)
        One token per column.
    omega_v1, omega_q1, omega_k1, omega_v2, omega_q2, omega_k2 : array, shape (D_q, D)
        Weights of head 1 and head 2. Mind the order: values first, then queries, then keys.
    beta_v1, beta_q1, beta_k1, beta_v2, beta_q2, beta_k2 : array, shape (D_q, 1)
        Biases, in the same order.
    omega_c : array, shape (D, 2 D_q)
        What mixes the stacked outputs.

    Returns
    -------
    X_prime : array, shape (D, N)
        One output per token.
    """
    head1 = Head(omega_q=omega_q1, omega_k=omega_k1, omega_v=omega_v1, beta_q=beta_q1, beta_k=beta_k1, beta_v=beta_v1)
    head2 = Head(omega_q=omega_q2, omega_k=omega_k2, omega_v=omega_v2, beta_q=beta_q2, beta_k=beta_k2, beta_v=beta_v2)
    X_prime = multihead(X, [head1, head2], omega_c)  # (D, N)
    return X_prime
