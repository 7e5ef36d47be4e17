"""What a notebook of *Attention by Hand* imports.

Dimension key, the same in every docstring and shape comment: D rows of a token, N tokens (one a column),
N_q queries, N_k keys, D_q rows of a query or key, D_v rows of a value, H heads, D_m hidden numbers of an MLP.
"""

from helpers.learn import session
from helpers.learn.check import check
from helpers.learn.hints import hint, solution
from helpers.learn.progress import progress
from helpers.learn.questions import predict, reflect, reveal
from helpers.learn.show import show
from helpers.parameters import Head, Layer

__all__ = [
    "Head",
    "Layer",
    "check",
    "hint",
    "predict",
    "progress",
    "reflect",
    "reveal",
    "show",
    "solution",
]

session.start()
