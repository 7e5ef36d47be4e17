import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.teach.numbers import text_difference


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        pytest.param("[[0.947 1.642]]", "[[0.948 1.641]]", id="one unit"),
        pytest.param("[[-7.24   1.115]]", "[[-7.241  1.115]]", id="one unit of the block's finest decimal"),
        pytest.param("[[0.    0.999]]", "[[0.    1.   ]]", id="one unit, a zero dropped"),
        pytest.param("[1.23e-05 4.00e-05]", "[1.24e-05 3.99e-05]", id="one unit in scientific notation"),
        pytest.param("about 2.50 nats", "about 2.49 nats", id="one unit in a sentence"),
        pytest.param("[[ 1.5 -2. ]\n [ 0.   3. ]]", "[[1.5   -2.0]\n[0 3.]]", id="spacing and trailing zeros"),
        pytest.param("[[-0.  0.5]]", "[[ 0.  0.5]]", id="minus zero"),
        pytest.param("[nan inf -inf 1.5]", "[nan inf -inf 1.5]", id="nan and inf stay"),
        pytest.param("H1 has shape (3, 4)", "H1  has shape (3, 4)", id="a number inside a word is a word"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_no_difference(expected, got):
    """Two right prints of the same values are alike, whichever of them is the stored one."""
    assert text_difference(expected, got) == ""
    assert text_difference(got, expected) == ""


@pytest.mark.parametrize(
    ("expected", "got", "said"),
    [
        pytest.param("[[0.947 1.642]]", "[[0.949 1.642]]", "1 of 2 numbers differ", id="two units"),
        pytest.param("[[7.24 1.115]]", "[[7.25 1.115]]", "1 of 2 numbers differ", id="one unit of a coarser decimal"),
        pytest.param("[1.5]\n[1.235]", "[1.498]\n[1.235]", "1 of 2 numbers differ", id="a block takes no other's unit"),
        pytest.param("[1.5 2.5]\n[1.235]", "[1.5 2.5]\n[1.335]", "1 of 3", id="nor does the finer the coarser's"),
        pytest.param("[1.23e-05]", "[1.25e-05]", "1 of 1 numbers differ", id="two units in scientific notation"),
        pytest.param("[1.23e-05]", "[1.23e-04]", "1 of 1 numbers differ", id="another exponent"),
        pytest.param("shape (3, 4)", "shape (3, 3)", "1 of 2 numbers differ", id="whole numbers are equal or not"),
        pytest.param("[0 1 2]", "[0 1 1]", "1 of 3 numbers differ", id="positions too"),
        pytest.param("[1.5 2.5]", "[1.5 -2.5]", "expected 2.5, got -2.5", id="a sign"),
        pytest.param("[1.5 2.5]", "[1.5 nan]", "expected 2.5, got nan", id="a number became nan"),
        pytest.param("[inf 2.5]", "[-inf 2.5]", "expected inf, got -inf", id="the other infinity"),
        pytest.param("[[1. 2.]\n [3. 4.]]", "[[1. 2.]]", "expected 4 numbers, got 2", id="a missing row"),
        pytest.param("[[1. 2.]\n [3. 4.]]", "[[1. 2. 3. 4.]]", "in other rows", id="another shape"),
        pytest.param("1.5\n2.5", "1.5 2.5", "in other rows", id="lines joined"),
        pytest.param("They agree.", "They differ.", "expected the words 'agree.', got 'differ.'", id="words"),
        pytest.param("1.5 nats", "1.5 bits", "'nats'", id="a unit of measure"),
        pytest.param("They agree.", "", "got nothing more", id="words that are gone"),
        pytest.param("", "1.5", "expected 0 numbers, got 1", id="a number too many"),
    ],
)
def test_difference(expected, got, said):
    """A difference that means something is found, and said in one sentence that names the first."""
    assert said in text_difference(expected, got)
    assert "\n" not in text_difference(expected, got)
    assert text_difference(got, expected) != ""


def printed(units, decimals):
    """Return a matrix of two rows as numpy prints it, from whole numbers of its last decimal."""
    values = np.array(units).reshape(2, -1) / 10**decimals
    return np.array2string(values, formatter={"float_kind": lambda value: f"{value:.{decimals}f}"}, threshold=10**9)


@given(st.data())
def test_one_unit_is_accepted_and_two_are_refused(data):
    """Any values moved by at most one unit of the last decimal are alike; move one by two or more, and they are not."""
    decimals = data.draw(st.integers(1, 8))
    units = data.draw(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=6)) * 2
    moves = data.draw(st.lists(st.integers(-1, 1), min_size=len(units), max_size=len(units)))
    near = [unit + move for unit, move in zip(units, moves, strict=True)]
    far, place = list(near), data.draw(st.integers(0, len(units) - 1))
    far[place] = units[place] + data.draw(st.sampled_from([-1, 1])) * data.draw(st.integers(2, 10**6))

    assert text_difference(printed(units, decimals), printed(near, decimals)) == ""
    assert text_difference(printed(units, decimals), printed(far, decimals)) != ""
