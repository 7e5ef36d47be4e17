"""Notebook 2: mistakes made in dot products' variance, in scaling, in entropy."""

from helpers.teach.mistakes import Mistake

MISTAKES = [
    Mistake(
        "no_scale",
        "scaled_scores",
        "products / np.sqrt(D_q)",
        "products",
        shows="the scores are not divided at all",
        asks="How do dot products grow with the number of entries, and what takes that growth out?",
    ),
    Mistake(
        "scale_by_D_q",
        "scaled_scores",
        "np.sqrt(D_q)",
        "D_q",
        shows="the scores are divided by D_q itself",
        asks="What grows with D_q is the variance. Which number goes with the spread?",
    ),
]
