"""Attention by the definition: one number at a time, in plain Python, sharing no code with the solutions."""

import math

import numpy as np


def attention_by_definition(X, head, *, divided=True):
    """Return the output (D_q, N) of one head and its weights (N, N); scores are divided by the root of D_q, or not."""
    D, N = X.shape
    D_q = len(head.beta_q)
    divisor = math.sqrt(D_q) if divided else 1.0

    def vector(omega, beta, n):
        return [beta[i, 0] + sum(omega[i, d] * X[d, n] for d in range(D)) for i in range(D_q)]

    output, weights = np.zeros((D_q, N)), np.zeros((N, N))
    for n in range(N):
        q = vector(head.omega_q, head.beta_q, n)
        dots = [sum(a * b for a, b in zip(vector(head.omega_k, head.beta_k, m), q, strict=True)) for m in range(N)]
        exponentials = [math.exp(dot / divisor) for dot in dots]
        for m in range(N):
            weights[m, n] = exponentials[m] / math.fsum(exponentials)
            for i, v in enumerate(vector(head.omega_v, head.beta_v, m)):
                output[i, n] += weights[m, n] * v
    return output, weights


def multihead_by_definition(X, heads, omega_c):
    """Return multi-head attention (D, N): every number of every head, times its amount, added to every output row."""
    output = np.zeros((len(omega_c), X.shape[1]))
    column = 0
    for head in heads:
        for row in attention_by_definition(X, head)[0]:
            for i, n in np.ndindex(output.shape):
                output[i, n] += omega_c[i, column] * row[n]
            column += 1
    return output
