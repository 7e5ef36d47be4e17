"""The pictures of notebook 3."""

from __future__ import annotations

from helpers.draw import heat_map
from helpers.examples.example import seeded_heads, six_tokens
from helpers.examples.single_head import SENTENCE, sentence_tokens
from helpers.examples.two_heads import did_head, who_head
from helpers.teach import solutions

TOKENS = ("x1", "x2", "x3", "x4", "x5", "x6")


def figures() -> dict[str, str]:
    """Return every picture of the notebook: file name and SVG."""
    return {
        "sentence_who.svg": sentence_who_picture(),
        "sentence_did.svg": sentence_did_picture(),
        "seeded_head_1.svg": seeded_head_picture(1),
        "seeded_head_2.svg": seeded_head_picture(2),
    }


def sentence_who_picture() -> str:
    """Draw where each word looks in head 1, the column of *it* selected."""
    return heat_map(
        solutions.function("head_output")(sentence_tokens(), who_head())[1],
        rows=SENTENCE,
        columns=SENTENCE,
        selected=SENTENCE.index("it"),
        title="Head 1: “it” looks at “cat”",
        description="Attention weights of head 1, the column of it selected. "
        "The query of it puts .93 on cat and .01 on each other word.",
    )


def sentence_did_picture() -> str:
    """Draw where each word looks in head 2, the column of *it* selected."""
    return heat_map(
        solutions.function("head_output")(sentence_tokens(), did_head())[1],
        rows=SENTENCE,
        columns=SENTENCE,
        selected=SENTENCE.index("it"),
        title="Head 2: “it” looks at “purred”",
        description="Attention weights of head 2, the column of it selected. "
        "The query of it puts .93 on purred and .01 on each other word.",
    )


def seeded_head_picture(number: int) -> str:
    """Draw where the six seeded tokens look in one of the seeded heads, the column of token 6 selected."""
    titles = {1: "Head 1: x6 is torn", 2: "Head 2: x6 looks at itself"}
    descriptions = {
        1: "Seeded weights of head 1, the column of x6 selected. The query of x6 puts .50 on x1 and .45 on x5.",
        2: "Seeded weights of head 2, the column of x6 selected. The query of x6 puts .69 on x6 and .30 on x3.",
    }
    return heat_map(
        solutions.function("head_output")(six_tokens(), seeded_heads()[number - 1])[1],
        rows=TOKENS,
        columns=TOKENS,
        selected=5,
        title=titles[number],
        description=descriptions[number],
    )
