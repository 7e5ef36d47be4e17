"""The pictures of notebook 4."""

from __future__ import annotations

from helpers.draw import heat_map
from helpers.examples.concatenation import MIXED, ROWS, sentence_recipes
from helpers.examples.single_head import SENTENCE, sentence_tokens
from helpers.examples.two_heads import did_head, who_head
from helpers.teach import solutions


def figures() -> dict[str, str]:
    """Return every picture of the notebook: file name and SVG."""
    return {
        "concat_stack.svg": stack_picture(),
        "concat_recipes.svg": recipes_picture(),
        "concat_output.svg": output_picture(),
    }


def stack_picture() -> str:
    """Draw what both heads of the sentence say, one above the other."""
    said, _ = solutions.function("two_heads")(sentence_tokens(), who_head(), did_head())
    return heat_map(
        solutions.function("stack_heads")(said),
        kind="values",
        rows=ROWS,
        columns=SENTENCE,
        row_axis="head: what it says",
        column_axis="tokens n",
        title="Head 1 above, head 2 below",
        description="What two heads say about the six words, one above the other. Head 1 says animal, .93, "
        "at it and purred. Head 2 says sound, .93, at cat and it.",
    )


def recipes_picture() -> str:
    """Draw the sentence's omega_c: two columns for each head."""
    return heat_map(
        sentence_recipes(),
        kind="values",
        rows=MIXED,
        columns=ROWS,
        row_axis="rows of the output",
        column_axis="rows of the stack",
        title="Five recipes, one per row",
        description="The matrix that mixes: five recipes by four rows of the stack. Columns 1 and 2 belong to head 1, "
        "columns 3 and 4 to head 2. The last recipe takes .5 of animal and .5 of sound.",
    )


def output_picture() -> str:
    """Draw the five mixed rows, the column of *it* selected."""
    said, _ = solutions.function("two_heads")(sentence_tokens(), who_head(), did_head())
    both = solutions.function("stack_heads")(said)
    return heat_map(
        solutions.function("mix")(sentence_recipes(), both),
        kind="values",
        rows=MIXED,
        columns=SENTENCE,
        selected=SENTENCE.index("it"),
        row_axis="output",
        column_axis="tokens n",
        title="“it” is an animal that makes a sound",
        description="The output has five rows again. Its last row, animal and sound, is .93 at it "
        "and .55 at cat and purred.",
    )
