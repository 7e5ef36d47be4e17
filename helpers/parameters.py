"""The parameters of one head and of one layer, under the book's names."""

from typing import Any, NamedTuple


class Head(NamedTuple):
    """One attention head: omega_* are (D_q, D), beta_* are (D_q, 1)."""

    omega_q: Any
    omega_k: Any
    omega_v: Any
    beta_q: Any
    beta_k: Any
    beta_v: Any


class Layer(NamedTuple):
    """One transformer layer: gamma* and delta* are (D, 1), b* are columns."""

    heads: Any
    omega_c: Any
    gamma1: Any
    delta1: Any
    W1: Any
    b1: Any
    W2: Any
    b2: Any
    gamma2: Any
    delta2: Any
