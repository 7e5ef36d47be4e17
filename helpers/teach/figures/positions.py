"""The pictures of notebook 5."""

from __future__ import annotations

import numpy as np

from helpers.draw import Arrow, heat_map, plane
from helpers.examples.positions import BITE_FEATURES, DOG_BIT_MAN, MAN_BIT_DOG, bite_head, bite_tokens
from helpers.examples.single_head import SENTENCE
from helpers.teach import solutions


def figures() -> dict[str, str]:
    """Return every picture of the notebook: file name and SVG."""
    return {
        "dog_bit_man.svg": bite_picture(
            DOG_BIT_MAN,
            "The dog bit the man: “bit” takes over a dog and a man",
            "Outputs of the dog bit the man. Column bit: animal .49, person .49, action .01. "
            "Columns dog and man: action .93. Both columns of the: .20 each.",
        ),
        "man_bit_dog.svg": bite_picture(
            MAN_BIT_DOG,
            "The man bit the dog: the same columns, in another order",
            "Outputs of the man bit the dog. The columns are those of the other sentence, "
            "with man and dog in each other's place; column bit is the same.",
        ),
        "waves.svg": waves_picture(),
        "slope_bias.svg": slope_bias_picture(),
        "turned_arrows.svg": turned_arrows_picture(),
        "look_back.svg": look_back_picture(),
    }


def bite_picture(sentence: tuple[str, ...], title: str, description: str) -> str:
    """Draw what each word of one of the two sentences has taken over, the column of *bit* selected."""
    output = solutions.function("self_attention")(bite_tokens(sentence), bite_head())
    return heat_map(
        output,
        kind="values",
        rows=BITE_FEATURES,
        columns=sentence,
        selected=sentence.index("bit"),
        row_axis="values",
        column_axis="outputs n",
        title=title,
        description=description,
    )


def waves_picture() -> str:
    """Draw sinusoids of 16 rows at 24 positions."""
    return heat_map(
        solutions.function("sinusoids")(16, 24),
        kind="scores",
        rows=[str(row) for row in range(16)],
        columns=[str(position) for position in range(24)],
        row_axis="rows",
        column_axis="positions n",
        title="Fast waves above, slow ones below",
        description="Sixteen rows of waves at positions 0 to 23. Rows 0 and 1 come back about every six positions, "
        "rows 2 and 3 about every twenty, the rows at the bottom hardly change.",
    )


def slope_bias_picture() -> str:
    """Draw the bias of six tokens that falls by .5 a step of distance."""
    numbers = [str(number) for number in range(6)]
    return heat_map(
        solutions.function("relative_bias")(-0.5 * np.abs(np.arange(-5.0, 6.0)), 6),
        kind="scores",
        rows=numbers,
        columns=numbers,
        row_axis="keys a",
        column_axis="queries b",
        title="Along a diagonal the distance is the same, and so is the bias",
        description="Bias of six keys and six queries: 0 on the diagonal, and .5 less with every step away from it, "
        "to −2.50 in two corners.",
    )


def turned_arrows_picture() -> str:
    """Draw one query and one key, each turned to two positions, the query one ahead of the key."""
    turn = solutions.function("rope")
    queries = 1.5 * turn(np.array([[1.0, 1.0], [0.0, 0.0]]), np.array([1, 3]))  # (2, 2)
    keys = turn(np.array([[1.0, 1.0], [0.0, 0.0]]), np.array([0, 2]))  # (2, 2)
    arrows = [Arrow(x, y, f"q at {place}", "query") for (x, y), place in zip(queries.T.tolist(), (1, 3), strict=True)]
    arrows += [Arrow(x, y, f"k at {place}", "key") for (x, y), place in zip(keys.T.tolist(), (0, 2), strict=True)]
    return plane(
        arrows,
        title="One step apart, the angle is the same anywhere",
        description="A plane with a query at positions 1 and 3 and a key at positions 0 and 2. "
        "Each position on turns an arrow by 1 radian, so both pairs enclose the same angle.",
    )


def look_back_picture() -> str:
    """Draw the weights of the head that looks back, on the sentence of notebook 1."""
    Pi = solutions.function("sinusoids")(8, len(SENTENCE))
    omega_q, omega_k = solutions.function("look_back")(8, 5.0)
    A = solutions.function("softmax_cols")(solutions.function("scaled_scores")(omega_q @ Pi, omega_k @ Pi))
    return heat_map(
        A,
        rows=SENTENCE,
        columns=SENTENCE,
        selected=SENTENCE.index("cat"),
        title="“cat” looks back at “the”, and so on",
        description="Attention weights of the sentence, keys down and queries across. "
        "From fed on, every word puts .97 or more on the word before it; Ada, which has none, looks at purred.",
    )
