"""Where the output comes from: what it shows, against the definition and the solutions."""

import re
from itertools import product

import numpy as np
import pytest
from explorers import built, states
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import Picture

from helpers.examples.example import seeded_heads, six_tokens
from helpers.explore.concatenation import LARGEST_SAID, LARGEST_SUM, omegas
from helpers.teach import solutions

any_state = settings(max_examples=50)

# The first column that the book's notebook prints under "True values" (udlbook, notebook 12.2).
PRINTED = ["−21.21", "−2.00", "+5.48", "−7.41", "−11.26", "+3.55", "+4.89", "+1.25"]


@pytest.fixture
def explorer():
    """Return the explorer on our functions; a view of a state leaves it as it was."""
    return built("concatenation")


@pytest.fixture(scope="module")
def said():
    """Return what the two heads put out, as attention is defined: one token, one key, one number at a time."""
    X, outputs = six_tokens().T, []
    for head in seeded_heads()[:2]:
        queries, keys, values = (
            [omega @ x + beta[:, 0] for x in X]
            for omega, beta in (
                (head.omega_q, head.beta_q),
                (head.omega_k, head.beta_k),
                (head.omega_v, head.beta_v),
            )
        )
        columns = []
        for query in queries:
            exponentials = [np.exp(sum(key * query) / 2) for key in keys]  # 2 is the root of D_q
            columns.append(sum(e * value for e, value in zip(exponentials, values, strict=True)) / sum(exponentials))
        outputs.append(np.transpose(columns))
    return outputs


def parts_by_definition(state, said):
    """Return what each head writes into each row for the token of a state, number by number."""
    _, _, book = seeded_heads()
    kept = {
        "the book's": lambda i, j: book[i, j],
        "identity": lambda i, j: float(i == j),
        "block-diagonal": lambda i, j: book[i, j] if (i < 4) == (j < 4) else 0.0,
        "the other two blocks": lambda i, j: 0.0 if (i < 4) == (j < 4) else book[i, j],
    }[state["omega_c"]]
    n = state["token"] - 1
    return [
        [state[f"gain_{h + 1}"] * sum(kept(i, 4 * h + j) * said[h][j, n] for j in range(4)) for i in range(8)]
        for h in range(2)
    ]


def sums_of(view):
    """Return the eight numbers at the ends of the waterfall's rows, as they are written."""
    label_and_sum = Picture(view.panels[2]).words[-16:]
    assert label_and_sum[::2] == list("12345678")
    return label_and_sum[1::2]


def test_the_starting_numbers_are_the_solutions(explorer):
    """Token 1 as the book mixes it: the sums are the first column of multihead, and of what the book prints."""
    head1, head2, omega_c = seeded_heads()
    whole = solutions.function("multihead")(six_tokens(), [head1, head2], omega_c)[:, 0]
    mixes, stack, _ = (Picture(panel) for panel in explorer.view().panels)

    assert [f"{v:+.2f}".replace("-", "−") for v in whole] == PRINTED
    assert sums_of(explorer.view()) == PRINTED
    assert "−2.77" in mixes.words  # the largest entry, row 7, column 8
    assert stack.words[-8:] == [".24", "3.59", "−8.19", "−1.93", "1.79", "2.07", ".17", "−3.40"]


def test_a_gain_turns_down_what_its_head_says(explorer):
    """At half the gain of head 1 its rows of the stack are half as large, and those of head 2 as before."""
    stack = Picture(explorer.view(explorer.start | {"gain_1": 0.5}).panels[1])

    assert stack.words[-8:] == [".12", "1.79", "−4.10", "−.97", "1.79", "2.07", ".17", "−3.40"]


def test_the_two_halves_make_the_whole():
    """The block-diagonal choice and the other two blocks share no entry, and add up to the book's."""
    mixers = omegas()

    assert np.array_equal(mixers["block-diagonal"] + mixers["the other two blocks"], mixers["the book's"])
    assert not (mixers["block-diagonal"] * mixers["the other two blocks"]).any()


@any_state
@given(data=st.data())
def test_the_sentence_is_true(explorer, said, data):
    """It counts the rows into which each head writes .005 and more, where both do, and where their signs differ."""
    state = data.draw(states(explorer))
    one, two = parts_by_definition(state, said)
    into1, into2 = ([i for i in range(8) if abs(part[i]) >= 0.005] for part in (one, two))
    meet = [i for i in into1 if i in into2]
    apart = [i for i in meet if (one[i] < 0) != (two[i] < 0)]

    found = re.fullmatch(
        r"Token (\d): head 1 writes into (no|\d) rows?, head 2 into (none|\d)\. "
        r"They meet in (none|\d)(?: and pull apart in (none|\d))?\.",
        explorer.view(state).sentence,
    )
    counts = [0 if word in ("no", "none", None) else int(word) for word in found.groups()]
    assert counts == [state["token"], len(into1), len(into2), len(meet), len(apart)]
    assert (found[5] is None) == (not meet)


@any_state
@given(data=st.data())
def test_the_sums_are_the_parts_together(explorer, said, data):
    """The number at the end of each row of the waterfall is what both heads write there, to two decimals."""
    state = data.draw(states(explorer))
    one, two = parts_by_definition(state, said)
    sums = [float(number.replace("−", "-")) for number in sums_of(explorer.view(state))]

    assert sums == pytest.approx([a + b for a, b in zip(one, two, strict=True)], abs=0.006)


def test_no_number_lies_near_the_threshold(explorer, said):
    """No part of any state is so close to .005 that two machines could count it differently."""
    steps = [0.0, 0.25, 0.5, 0.75, 1.0]
    for omega_c in omegas():
        for token in range(1, 7):
            for gain in steps:
                state = explorer.start | {"omega_c": omega_c, "token": token, "gain_1": gain, "gain_2": gain}
                sizes = np.abs(parts_by_definition(state, said))
                assert (np.abs(sizes - 0.005) > 1e-3).all()


def test_the_scales_hold_every_state(said):
    """The scales end at the largest number of the stack, and of parts and sums at all ends of the gains."""
    parts = np.array(
        [
            parts_by_definition({"omega_c": omega_c, "token": token, "gain_1": gain_1, "gain_2": gain_2}, said)
            for omega_c, token, gain_1, gain_2 in product(omegas(), range(1, 7), (0, 1), (0, 1))
        ]
    )

    assert np.abs(said).max() == pytest.approx(LARGEST_SAID, abs=1e-3)
    assert np.abs(said).max() <= LARGEST_SAID
    assert max(np.abs(parts).max(), np.abs(parts.sum(axis=1)).max()) == pytest.approx(LARGEST_SUM, abs=1e-3)
    assert max(np.abs(parts).max(), np.abs(parts.sum(axis=1)).max()) <= LARGEST_SUM


@pytest.mark.parametrize(("factor", "sums"), [(10, ["−212", "−19.95", "+54.79"]), (0, ["0", "0", "0"])])
def test_a_wrong_function_is_drawn_too(factor, sums):
    """Heads that write ten times too much, or nothing, are shown as they are: the scale follows them."""
    right = solutions.function("head_contributions")

    def wrong(omega_c, said):
        return [factor * part for part in right(omega_c, said)]

    explorer = built("concatenation", head_contributions=wrong)

    assert "attention-notice" in explorer.picture.value
    assert "attention-error" not in explorer.picture.value
    assert sums_of(explorer.view())[:3] == sums
