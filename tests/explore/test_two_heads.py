"""Two heads side by side: what it shows, against the definition."""

import functools
import itertools
import math
import re

import numpy as np
import pytest
from explorers import built, states
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import attention_by_definition
from pictures import Picture

from helpers.draw.text import value_text, weight_text
from helpers.examples.example import seeded_heads, six_tokens
from helpers.explore.two_heads import KEYS, LARGEST_OUTPUT
from helpers.teach import solutions

any_state = settings(max_examples=50)
SWITCHES = [
    dict(zip(("swapped", "twin", "undivided"), on, strict=True)) for on in itertools.product([False, True], repeat=3)
]


def by_definition(state):
    """Return outputs and weights of both heads: from which head each takes queries and keys, and from which values."""
    return _by_definition(state["swapped"], state["twin"], state["undivided"])


@functools.cache
def _by_definition(swapped, twin, undivided):
    seeded, results = seeded_heads()[:2], []
    for number in (0, 1):
        asks, tells = seeded[0 if twin else number], seeded[1 - number if swapped else number]
        head = asks._replace(omega_v=tells.omega_v, beta_v=tells.beta_v)
        results.append(attention_by_definition(six_tokens(), head, divided=not undivided))
    return results


def entropy(column):
    """Return the entropy of a column, in plain Python."""
    return -sum(weight * math.log(weight) for weight in column if weight > 0)


def test_the_starting_numbers_are_the_solutions():
    """Query 3 has .83 on key 5 in head 1 and .90 on key 6 in head 2."""
    explorer = built("two_heads")

    assert explorer.start == {"query": 3, "minus": False, "swapped": False, "twin": False, "undivided": False}
    assert explorer.view().sentence == (
        "Query 3: head 1 puts 83 % on key 5, head 2 90 % on key 6. The entropies are .52 and .33, of at most 1.79."
    )


@pytest.mark.parametrize("switches", SWITCHES)
@pytest.mark.parametrize("query", range(1, 7))
def test_maps_and_outputs_are_the_definitions(query, switches):
    """In every state the cells of both maps and of both outputs show the numbers of the definition."""
    state = {"query": query, "minus": False, **switches}
    (Sa1, A1), (Sa2, A2) = by_definition(state)
    maps = built("two_heads").view(state).panels

    for panel, A in zip(maps[:2], (A1, A2), strict=True):
        shown = [word for word in Picture(panel).words if re.fullmatch(r"1|\.\d\d", word)]
        assert shown == [weight_text(w) for w in A.ravel() if weight_text(w)]
    outputs = np.column_stack([Sa1[:, query - 1], Sa2[:, query - 1]])
    assert Picture(maps[3]).words[-8:] == [value_text(v) for v in outputs.ravel()]
    assert np.abs(outputs).max() < LARGEST_OUTPUT


@any_state
@given(data=st.data())
def test_the_sentence_is_true(data):
    """In every state the keys that are named have the largest weights, which are the percentages; so the entropies."""
    state = data.draw(states(built("two_heads")))
    columns = [A[:, state["query"] - 1] for _, A in by_definition(state)]
    sentence = built("two_heads").view(state).sentence
    where, _, spread = sentence.partition(". ")
    together = "both heads put" in where

    assert where.startswith(f"Query {state['query']}: ")
    assert together == np.allclose(*columns, rtol=0, atol=1e-6)
    parts = re.findall(r"(over 99|\d+) % on (key \d)", where)
    assert len(parts) == (1 if together else 2)
    for (share, key), column in zip(parts, columns, strict=False):
        assert KEYS.index(key) == column.argmax()
        if share == "over 99":
            assert column.max() > 0.99
        else:
            assert int(share) == pytest.approx(100 * column.max(), abs=0.5)
    *said, most = re.findall(r"\d?\.\d\d|\b0\b", spread)
    assert [float(number) for number in said] == pytest.approx(
        [entropy(column) for column in columns[: len(parts)]], abs=0.006
    )
    assert float(most) == pytest.approx(math.log(6), abs=0.006)


def test_the_difference_takes_the_place_of_the_second_map():
    """Only that card changes: its cells are head 1 minus head 2, and every column sums to 0."""
    explorer = built("two_heads")
    state = explorer.start
    (_, A1), (_, A2) = by_definition(state)
    before, after = (explorer.view({**state, "minus": minus}) for minus in (False, True))
    words = Picture(after.panels[1]).words

    assert [a == b for a, b in zip(before.panels, after.panels, strict=True)] == [True, False, True, True]
    assert before.sentence == after.sentence
    assert words.count("+.83") == 1
    assert words.count("−.90") == 1
    assert A1[4, 2] - A2[4, 2] == pytest.approx(0.83, abs=0.005)
    assert A1[5, 2] - A2[5, 2] == pytest.approx(-0.90, abs=0.005)
    assert words[-7:] == ["sum", "0", "0", "0", "0", "0", "0"]


@pytest.mark.parametrize("query", range(1, 7))
def test_values_move_no_weight(query):
    """Swapped values leave both maps and the bars as they were, and change the outputs."""
    explorer = built("two_heads")
    before, after = (explorer.view({**explorer.start, "query": query, "swapped": on}) for on in (False, True))

    assert [a == b for a, b in zip(before.panels, after.panels, strict=True)] == [True, True, True, False]
    assert before.sentence == after.sentence


def test_a_wrong_output_is_drawn_as_it_is():
    """A function whose outputs are too large by far is told so kindly, and its numbers are shown."""
    right = solutions.function("head_output")

    def loud(X, head):
        Sa, A = right(X, head)
        return 10 * Sa, A

    explorer = built("two_heads", head_output=loud)

    assert "does not pass the check of exercise 3.2" in explorer.picture.value
    assert "attention-error" not in explorer.picture.value
    assert "−68.54" in explorer.picture.value


def test_equal_queries_and_keys_make_equal_weights():
    """With the queries and keys of head 1, head 2 differs from it nowhere, and puts out something else."""
    explorer = built("two_heads")
    view = explorer.view({**explorer.start, "minus": True, "twin": True})
    numbers = [word for word in Picture(view.panels[1]).words if re.fullmatch(r"[+−]?\.?\d+", word)]

    assert set(numbers) == {"0"}
    assert len(numbers) == 36 + 6
    assert "both heads put 83 % on key 5" in view.sentence


@pytest.mark.parametrize("query", range(1, 7))
def test_the_chosen_query_is_emphasized_in_both_maps(query):
    """Of the labels over the columns that of the query is bold, in one map as in the other."""
    for panel in built("two_heads").view({**built("two_heads").start, "query": query}).panels[:2]:
        assert f"x{query}" in [text.words for text in Picture(panel).texts if text.weight == 700]
