"""The pictures of notebook 1."""

from __future__ import annotations

import numpy as np

from helpers.draw import Arrow, heat_map, plane
from helpers.examples.single_head import FEATURES, SENTENCE, sentence_head, sentence_tokens
from helpers.teach import solutions


def figures() -> dict[str, str]:
    """Return every picture of the notebook: file name and SVG."""
    return {
        "sentence_tokens.svg": sentence_tokens_picture(),
        "sentence_weights.svg": sentence_weights_picture(),
        "sentence_output.svg": sentence_output_picture(),
        "four_keys.svg": four_keys_picture(),
    }


def sentence_tokens_picture() -> str:
    """Draw the six words, one a column, by their features."""
    return heat_map(
        sentence_tokens(),
        kind="values",
        rows=FEATURES,
        columns=SENTENCE,
        row_axis="features",
        column_axis="tokens n",
        title="Six words, five features",
        description="Five features of the six words. Ada is a person; fed is an action; the has no feature; "
        "cat is an animal; it is a pronoun; purred is an action and a sound.",
    )


def sentence_weights_picture() -> str:
    """Draw where each word looks, the column of *it* selected."""
    X, head = sentence_tokens(), sentence_head()
    project, attention_weights = solutions.function("project"), solutions.function("attention_weights")
    A = attention_weights(project(X, head.omega_q, head.beta_q), project(X, head.omega_k, head.beta_k))
    return heat_map(
        A,
        rows=SENTENCE,
        columns=SENTENCE,
        selected=SENTENCE.index("it"),
        title="“it” looks at “cat”",
        description="Attention weights of the sentence, the column of it selected. "
        "The query of it puts .92 on cat and .02 on each other word.",
    )


def sentence_output_picture() -> str:
    """Draw what each word has taken over."""
    output = solutions.function("self_attention")(sentence_tokens(), sentence_head())
    return heat_map(
        output,
        kind="values",
        rows=FEATURES[:2],
        columns=SENTENCE,
        selected=SENTENCE.index("it"),
        row_axis="values",
        column_axis="outputs n",
        title="“it” has become an animal",
        description="Outputs of the sentence. Column it: person .02, animal .92. "
        "Column fed: person .92, animal .02. Column purred: person .02, animal .92.",
    )


def four_keys_picture() -> str:
    """Draw four keys around the origin, and a query that points at the first."""
    keys = np.array([[2.0, 0.0, -2.0, 0.0], [0.0, 2.0, 0.0, -2.0]])  # (2, 4)
    arrows = [Arrow(x, y, f"k{number}", "key") for number, (x, y) in enumerate(keys.T.tolist(), start=1)]
    return plane(
        [*arrows, Arrow(1.0, 0.0, "q", "query")],
        title="Query q points at key k1",
        description="A plane with four keys of length 2 at 0, 90, 180 and 270 degrees, "
        "and a query of length 1 that points at key 1.",
    )
