"""Turn the query: what it shows, against the definition and the solutions."""

import math
import re

import numpy as np
import pytest
from explorers import built, states
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import Picture

from helpers.explore.single_head import VALUES
from helpers.teach import solutions

any_state = settings(max_examples=50)


def weights_by_definition(state):
    """Return the four weights, in plain Python."""
    keys = [90 * m + (state["turn"] if m == state["key"] else 0) for m in range(4)]
    scores = [2 * state["length"] * math.cos(math.radians(key - state["angle"])) for key in keys]
    parts = [math.exp(score - max(scores)) for score in scores]
    return [part / sum(parts) for part in parts]


def test_the_starting_numbers_are_the_solutions():
    """A query of length 1 at key 1: the bars show what the solution gives, .78 .10 .01 .10."""
    explorer = built("single_head")
    keys, query = np.array([[2.0, 0, -2, 0], [0, 2.0, 0, -2]]), np.array([[1.0], [0.0]])
    weights = solutions.function("attention_weights")(query, keys)[:, 0]
    _, _, bars, _ = (Picture(panel) for panel in explorer.view().panels)

    assert [f"{w:.2f}".removeprefix("0") for w in weights] == [
        word for word in bars.words if re.fullmatch(r"\.\d\d", word)
    ]
    assert "78 % on key 1" in explorer.view().sentence


@any_state
@given(data=st.data())
def test_the_sentence_is_true(data):
    """The key that is named has the largest weight by the definition, and the percentage is that weight."""
    explorer = built("single_head")
    state = data.draw(states(explorer))
    weights = weights_by_definition(state)
    sentence = explorer.view(state).sentence
    largest = max(weights)
    first = [m for m, weight in enumerate(weights, start=1) if largest - weight < 1e-6]

    assert sentence.startswith("The query puts ")
    named = sentence.removeprefix("The query puts ").partition(". ")[0]
    share, _, keys = named.partition(" on ")
    assert [m for m in range(1, 5) if f"key {m}" in keys] == first
    assert ("each" in share) == (len(first) > 1)
    if share.startswith("over"):
        assert largest > 0.99
    else:
        assert int(share.split()[0]) == pytest.approx(100 * largest, abs=0.5)
    points = (90 * state["key"] + state["turn"]) % 360
    assert sentence.endswith(f" Key {state['key'] + 1} points to {points} degrees.")


@any_state
@given(data=st.data())
def test_the_output_lies_among_the_values(data):
    """The output that is named is the mixture of the values, by the definition, to two decimals."""
    explorer = built("single_head")
    state = data.draw(states(explorer))
    place = explorer.view(state).sentence.partition("lies at (")[2].partition(")")[0]
    output = VALUES @ weights_by_definition(state)

    assert [float(number.replace("−", "-")) for number in place.split(", ")] == pytest.approx(output, abs=0.006)
