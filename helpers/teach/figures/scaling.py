"""The pictures of notebook 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from helpers.draw import heat_map
from helpers.examples.example import seeded_head, seeded_tokens
from helpers.examples.scaling import SIZES, long_query_and_keys
from helpers.teach import solutions

if TYPE_CHECKING:
    from helpers.examples.example import Array

TOKENS = ("token 1", "token 2", "token 3")


def figures() -> dict[str, str]:
    """Return every picture of the notebook: file name and SVG."""
    return {
        "scaling_more_entries.svg": more_entries_picture(scaled=False),
        "scaling_more_entries_divided.svg": more_entries_picture(scaled=True),
        "scaling_one_head.svg": one_head_picture(scaled=False),
        "scaling_one_head_divided.svg": one_head_picture(scaled=True),
    }


def columns_by_size(*, scaled: bool) -> Array:
    """Return the weights of one query on six keys, shape (6, 3): a column for each number of entries."""
    q, keys = long_query_and_keys()
    scores, softmax = solutions.function("scaled_scores"), solutions.function("softmax_cols")
    columns = [scores(q[:size], keys[:size]) * (1.0 if scaled else np.sqrt(size)) for size in SIZES]
    weights: Array = softmax(np.hstack(columns))
    return weights


def one_head_weights(*, scaled: bool) -> Array:
    """Return the weights of notebook 1's seeded head, shape (3, 3), as they were or with divided scores."""
    X, head = seeded_tokens(), seeded_head()
    project = solutions.function("project")
    Q, K = project(X, head.omega_q, head.beta_q), project(X, head.omega_k, head.beta_k)
    if not scaled:
        unscaled: Array = solutions.function("attention_weights")(Q, K)
        return unscaled
    weights: Array = solutions.function("softmax_cols")(solutions.function("scaled_scores")(Q, K))
    return weights


def more_entries_picture(*, scaled: bool) -> str:
    """Draw one query's weights on six keys, for queries and keys of 1, 16 and 64 entries."""
    return heat_map(
        columns_by_size(scaled=scaled),
        rows=[f"k{m}" for m in range(1, 7)],
        columns=[str(size) for size in SIZES],
        column_axis="entries of q and k",
        title="Divided: no key takes all" if scaled else "More entries, sharper columns",
        description="Weights of one query on the same six keys, scores divided by the root of the number of entries. "
        "With 1 entry key 4 has .41, as before. With 16 keys 4 and 6 have .40 and .37. With 64 key 4 has .50."
        if scaled
        else "Weights of one query on six keys. With 1 entry every key has a share, key 4 has .41. "
        "With 16 keys 4 and 6 have .58 and .42. With 64 key 4 has all.",
    )


def one_head_picture(*, scaled: bool) -> str:
    """Draw the weights of notebook 1's head."""
    return heat_map(
        one_head_weights(scaled=scaled),
        rows=TOKENS,
        columns=TOKENS,
        title="Scores divided" if scaled else "As in notebook 1",
        description="Weights of notebook 1, scores divided by 2. Column 1: 0, .96, .04. "
        "Column 2: 0, .07, .93. Column 3: .06, .07, .87."
        if scaled
        else "Weights of notebook 1, scores not divided. Column 1: 0, 1, 0. Column 2: 0, .01, .99. "
        "Column 3: .01, .01, .99.",
    )
