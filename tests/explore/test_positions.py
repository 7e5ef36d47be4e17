"""The four tabs of positions: what they say, against the definitions and the solutions."""

import ast
import inspect
import math
import re

import numpy as np
import pytest
from explorers import built, states, whole
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import Picture

from helpers.examples.example import seeded_heads, six_tokens
from helpers.explore.positions import BUCKETS, ORDERS
from helpers.learn import portfolio
from helpers.learn.slices import Slice
from helpers.teach import solutions

TABS = ("Permute", "Sinusoids", "Relative bias", "Rotary")
any_state = settings(max_examples=40)


def opened():
    """Return the explorer with all four tabs open."""
    return whole("positions")


def number(words):
    """Return the number that a picture or a sentence writes."""
    return float(words.replace("−", "-"))


def drawn(data, explorer, tab):
    """Return a state of one tab, and what is said in it."""
    state = data.draw(states(explorer)) | {"tab": tab}
    return state, explorer.view(state).sentence


def outputs(order, placed):
    """Return the outputs of the shuffled tokens, and the shuffled outputs, by notebooks 3 to 5."""
    *heads, omega_c = seeded_heads()
    multihead, Pi = solutions.function("multihead"), solutions.function("sinusoids")(8, 6)
    tokens, order = six_tokens(), list(order)
    moved = tokens[:, order] + {"none": 0 * Pi, "stay": Pi, "move": Pi[:, order]}[placed]
    return multihead(moved, heads, omega_c), multihead(tokens + (placed != "none") * Pi, heads, omega_c)[:, order]


def test_it_starts_where_the_notebook_has_come_to():
    """The order and the gap of 5.4, 13.57, on maps that show what the solutions give."""
    explorer = built("positions")
    before, after, gauge = (Picture(panel) for panel in explorer.view().panels)
    expected = outputs((2, 0, 1, 5, 4, 3), "stay")

    assert "The gap is 13.57" in explorer.view().sentence
    assert "13.57 of 16.92" in gauge.words
    for picture, array in zip((before, after), expected, strict=True):
        assert [word for word in picture.words if word.startswith("x")] == ["x3", "x1", "x2", "x6", "x5", "x4"]
        written = [number(word) for word in picture.words if re.fullmatch(r"−?\d*\.\d\d|0", word)]
        np.testing.assert_allclose(written, array.ravel(), atol=0.0051)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("placed", ["none", "stay", "move"])
def test_the_sentence_on_shuffled_tokens_is_true(order, placed):
    """The gap and the token that it belongs to, in each order, whatever is done with the positions."""
    explorer = built("positions")
    sentence = explorer.view(explorer.start | {"order": order, "placed": placed}).sentence
    before, after = outputs(order, placed)
    apart = np.abs(before - after).max(axis=0)

    if apart.max() < 1e-9:
        assert sentence.startswith("The gap is below 1e-9")
    else:
        found = re.fullmatch(r"The gap is (\S+): that far apart are the two outputs of x(\d)\.", sentence)
        assert number(found[1]) == pytest.approx(apart.max(), abs=0.0051)
        assert int(found[2]) - 1 == order[apart.argmax()]
    assert (apart.max() < 1e-9) == (placed != "stay" or order == ORDERS[0])


def test_no_order_has_a_larger_gap_than_the_track_ends_at():
    """The gauge ends at the largest gap of the six orders, to two decimals."""
    largest = max(np.abs(np.subtract(*outputs(order, "stay"))).max() for order in ORDERS)

    assert largest == pytest.approx(16.92, abs=0.005)
    assert largest <= 16.92


@any_state
@given(data=st.data())
def test_the_sentence_on_waves_is_true(data):
    """A product is a sum of cosines, one a pair of rows, of the offset times the pair's speed."""
    state, sentence = drawn(data, built("positions"), "Sinusoids")
    D, base, reference, offset = (state[name] for name in ("D", "base", "reference", "offset"))
    product = sum(math.cos(offset / base ** (2 * i / D)) for i in range(D // 2))

    found = re.fullmatch(
        r"Position (\d+) times itself is ([−\d.]+)(?:; times position (\d+) it is ([−\d.]*\d))?\.", sentence
    )
    assert int(found[1]) == reference
    assert number(found[2]) == D / 2
    if offset:
        assert int(found[3]) == reference + offset
        assert number(found[4]) == pytest.approx(product, abs=0.0051)
    else:
        assert found[3] is None


def test_the_reference_does_not_change_the_curve():
    """From 8 to 15 the second picture is the same, the first is not."""
    explorer = built("positions")
    views = [explorer.view(explorer.start | {"tab": "Sinusoids", "reference": r}).panels for r in range(8, 16)]

    assert len({waves for waves, _ in views}) == 8
    assert len({curve for _, curve in views}) == 1


@any_state
@given(data=st.data())
def test_the_sentence_on_biases_is_true(data):
    """The largest share and the average distance, by plain exponentials."""
    state, sentence = drawn(data, built("positions"), "Relative bias")
    n, strength = state["query"], state["strength"]

    def bias(offset):
        if state["kind"] == "buckets":
            return strength * float(BUCKETS[offset + 5])
        return -10.0 if state["kind"] == "looks back" and offset > 0 else -strength * abs(offset)

    parts = {m: math.exp(bias(m - n)) for m in range(1, 7)}
    shares = {m: part / sum(parts.values()) for m, part in parts.items()}
    found = re.fullmatch(
        rf"Query {n} puts (\d+|over 99) %(?: each)? on (.+)\. On average it looks (\S+) places away\.", sentence
    )
    largest = max(shares.values())
    if found[1] == "over 99":
        assert largest > 0.99
    else:
        assert int(found[1]) == pytest.approx(100 * largest, abs=0.5001)
    assert [m for m, share in shares.items() if largest - share < 1e-6] == [int(m) for m in re.findall(r"\d", found[2])]
    assert number(found[3]) == pytest.approx(sum(share * abs(m - n) for m, share in shares.items()), abs=0.0051)


@pytest.mark.parametrize(("strength", "distance"), [(0.0, "1.50"), (0.5, "1.06"), (1.0, ".69"), (2.0, ".27")])
def test_a_steeper_slope_looks_nearer(strength, distance):
    """Query 3 of 6, all scores 0: figures found by another program."""
    explorer = built("positions")

    assert f"looks {distance} places" in explorer.view(explorer.start | {"tab": TABS[2], "strength": strength}).sentence


def test_what_comes_after_is_hidden():
    """Looking back, no share below the diagonal is large enough to be written, at any strength."""
    explorer = built("positions")
    for strength in (0.0, 1.0, 2.0):
        state = explorer.start | {"tab": TABS[2], "kind": "looks back", "strength": strength}
        _, weights = (Picture(panel) for panel in explorer.view(state).panels)
        shares = [word for word in weights.words if re.fullmatch(r"\.\d\d|1", word)]

        assert len(shares) <= 21 + 2  # the upper triangle, and two labels
        assert weights.words.count("1.00") == 6


@any_state
@given(data=st.data())
def test_the_sentence_on_turned_arrows_is_true(data):
    """Two arrows of length 1 that were one: their score is the cosine of the distance in radians."""
    state, sentence = drawn(data, opened(), "Rotary")
    n, m = state["n"] + state["both"], state["m"] + state["both"]

    found = re.fullmatch(r"Query at (\d+), key at (\d+): (\d+) places? apart. Their score is ([+−\d.]*\d)\.", sentence)
    assert [int(found[i]) for i in (1, 2, 3)] == [n, m, abs(n - m)]
    assert number(found[4]) == pytest.approx(math.cos(n - m), abs=0.0051)


def test_moving_both_turns_the_arrows_and_leaves_the_score():
    """The plane changes, the curve and its mark do not."""
    explorer = opened()
    views = [explorer.view(explorer.start | {"tab": "Rotary", "both": both}).panels for both in (0, 7, 20)]

    assert len({plane for plane, _ in views}) == 3
    assert len({curve for _, curve in views}) == 1


@pytest.mark.parametrize(("m", "n", "both"), [(2, 5, 0), (7, 3, 4), (0, 20, 20)])
def test_the_mark_and_the_query_stand_at_their_places(m, n, both):
    """Over the curve stands the query's position minus the key's, and there the query was turned to its position."""
    turned = []

    def turns(Z, positions):
        turned.append(positions)
        return solutions.function("rope")(Z, positions)

    explorer = built("positions", rope=turns)
    _, curve = explorer.view(explorer.start | {"tab": "Rotary", "m": m, "n": n, "both": both}).panels
    key, queries = turned[-2:]

    assert key.tolist() == [m + both]
    assert queries[20 + n - m] == n + both
    assert any(words.endswith(f" at {n - m}".replace("-", "−")) for words in Picture(curve).words)


def in_front(explorer):
    """Return what stands in the tab that is open."""
    tabs = explorer.widget.children[0]
    return tabs.children[tabs.selected_index].children


@pytest.mark.parametrize("tab", TABS)
def test_a_tab_shows_its_own_controls(tab):
    """In it stand the controls that move it, and no others."""
    explorer = opened()
    controls = explorer.controls
    controls["tab"].value = tab
    visible = [name for name, control in controls.items() if control in in_front(explorer)]

    moves = []
    for name, control in controls.items():
        ends = [control.min, control.max] if hasattr(control, "min") else [value for _, value in control.options]
        if name != "tab" and len({explorer.view(explorer.state | {name: end}) for end in ends}) > 1:
            moves.append(name)
    assert visible == moves


def test_the_tab_that_is_opened_on_the_page_is_drawn():
    """A browser sets the number of the tab; the picture follows, and the name of the tab is in the state."""
    explorer = built("positions")
    explorer.widget.children[0].selected_index = 1

    assert explorer.state["tab"] == "Sinusoids"
    assert "Position 10" in explorer.sentence.value


def test_without_rope_the_last_tab_waits():
    """Its sliders are disabled, a sentence names the exercise, and the tab says that nothing is turned."""
    explorer = built("positions")
    explorer.controls["tab"].value = "Rotary"
    *_, note = in_front(explorer)

    assert [name for name, control in explorer.controls.items() if control.disabled] == ["m", "n", "both"]
    assert note.value.startswith("Exercise 5.7, rope, opens this.")
    assert "Nothing is turned yet" in explorer.sentence.value
    assert "attention-error" not in explorer.picture.value


def test_the_rope_that_has_passed_opens_the_last_tab():
    """The student's own, from my_attention.py, without being handed over."""
    text = inspect.getsource(solutions.function("rope"))
    assert portfolio.save(Slice("rope", ast.parse(text), text))
    explorer = built("positions")
    explorer.controls["tab"].value = "Rotary"

    assert not any(control.disabled for control in explorer.controls.values())
    assert "Query at 1, key at 0" in explorer.sentence.value
