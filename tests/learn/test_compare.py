import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from helpers.learn.compare import agree, finite, first_difference, number, pattern, wrong_entries
from helpers.learn.invariants import columns_sum_to_one
from helpers.learn.results import Unreadable, layout_of, read

# Whole numbers, so that every difference below is either none or far above the tolerance.
whole = arrays(float, (3, 4), elements=st.integers(-9, 9).map(float))
square = arrays(float, (3, 3), elements=st.integers(-9, 9).map(float))


@given(whole, whole)
def test_arrays_agree_exactly_if_they_are_equal(got, expected):
    """On numbers that are equal or far apart, `agree` is equality, and the wrong entries are those that differ."""
    assert agree(got, expected) == np.array_equal(got, expected)
    assert wrong_entries(got, expected) == np.flatnonzero(got != expected).tolist()


@given(whole, st.floats(-0.99e-6, 0.99e-6))
def test_the_tolerance_goes_with_the_largest_entry(expected, part):
    """An error of up to a millionth of the largest magnitude is none, wherever it sits; twice that is one."""
    largest = np.abs(expected).max() or 1.0

    assert agree(expected + part * largest, expected)
    assert not agree(expected + 2.1e-6 * largest, expected)
    assert agree(expected + 2.1e-6 * largest, expected, single=True)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nan_and_inf_agree_with_nothing(bad):
    """Not a number is never right, not even against itself."""
    got = np.array([[bad, 1.0]])

    assert not agree(got, np.array([[0.0, 1.0]]))
    assert not agree(got, got)
    assert not finite(got)


def test_shapes_must_be_equal():
    """Nothing is broadcast."""
    assert not agree(np.zeros((2, 1)), np.zeros((2, 2)))
    assert not agree(np.zeros(2), np.zeros((2, 1)))


@given(square)
def test_a_transposed_matrix_is_recognized(expected):
    """A square matrix with rows and columns exchanged is told as such."""
    assume(not np.array_equal(expected, expected.T))

    assert pattern(expected.T.copy(), expected).startswith("The numbers are right, with rows and columns exchanged")


@given(whole, st.sampled_from([-1.0, 0.5, 2.0, 0.25]))
def test_a_constant_factor_is_recognized(expected, factor):
    """A multiple of the true matrix is told with its factor."""
    assume(expected.any())

    assert pattern(expected * factor, expected).startswith(f"Every entry is the true one times {number(factor)}.")


@given(whole, arrays(float, (3, 1), elements=st.integers(-9, 9).map(float)))
def test_the_same_offset_in_every_column_is_recognized(expected, offset):
    """A forgotten bias is told by its amounts."""
    assume(offset.any())
    said = pattern(expected + offset, expected)
    assume("times" not in said)  # an offset that is also a factor is told as a factor

    amounts = ", ".join(number(v) for v in offset.ravel())
    assert said.startswith(f"Every column is off by the same amounts ({amounts}): ")


@given(whole, st.sets(st.integers(0, 3), min_size=1, max_size=3), st.permutations(range(1, 13)))
def test_right_columns_are_named_and_no_others(expected, wrong, noise):
    """Where some columns are right, exactly those are called right, counted from 1."""
    got = expected.copy()
    columns = sorted(wrong)
    got[:, columns] += 100 + np.array(noise, dtype=float).reshape(3, 4)[:, columns] ** 2
    said = pattern(got, expected)
    assume("times" not in said)
    first, _, second = said.partition(";")

    assert [int(word.strip(",")) - 1 for word in second.split() if word.strip(",").isdigit()] == columns
    assert {int(word.strip(",")) - 1 for word in first.split() if word.strip(",").isdigit()} == set(range(4)) - wrong


def test_decimals_cut_off_are_recognized():
    """Results that were put into an array of whole numbers are told as such."""
    expected = np.array([[1.5, -2.25], [0.75, 3.0]])

    assert pattern(np.trunc(expected), expected).startswith("The decimals are cut off")
    assert "cut off" not in pattern(np.round(expected), expected)
    assert "cut off" not in pattern(np.zeros((2, 2)), np.array([[0.5, 0.25], [0.75, 0.1]]))


def test_nothing_is_said_where_nothing_holds_for_all():
    """A matrix with an error in every row and column, of no pattern, gets no sentence."""
    assert pattern(np.array([[1.0, 2.0], [5.0, 9.0]]), np.array([[4.0, 3.0], [2.0, 1.0]])) == ""


def test_the_first_difference_is_counted_from_one():
    """Words count from 1: row 2, column 1 of the matrix, entry 2 of a vector."""
    assert first_difference(np.array([[1.0], [2.0]]), np.array([[1.0], [3.0]])) == "row 2, column 1 is 2, expected 3"
    assert first_difference(np.array([1.0, 2.0]), np.array([1.0, 3.0])) == "entry 2 is 2, expected 3"
    assert first_difference(np.array(0.5), np.array(0.25)) == "the result is 0.500, expected 0.250"


@given(st.floats(-100, 100), st.floats(1e-4, 1))
def test_two_numbers_that_differ_never_look_alike(true, difference):
    """A message never says "is 0.947, expected 0.947"."""
    said = first_difference(np.array([[true + difference]]), np.array([[true]]))
    got, expected = said.removeprefix("row 1, column 1 is ").split(", expected ")

    assert got != expected


# --- what must hold for any right result


@given(arrays(float, (3, 4), elements=st.floats(0.01, 1)))
def test_shares_keep_the_rule(matrix):
    """Columns that are divided by their sums keep the rule, and only those."""
    assert columns_sum_to_one(matrix / matrix.sum(axis=0)) == []
    assert columns_sum_to_one(2 * matrix / matrix.sum(axis=0))[0].startswith(
        "the columns do not sum to 1 (column 1: 2.00)"
    )


@given(arrays(float, (3, 4), elements=st.floats(0.01, 1)), st.integers(0, 3))
def test_the_first_wrong_column_is_named(matrix, column):
    """The message shows a column that is wrong, not one that is right."""
    shares = matrix / matrix.sum(axis=0)
    shares[:, column] *= 1.5

    assert f"(column {column + 1}: 1.50)" in columns_sum_to_one(shares)[0]


# --- what is read


@given(whole)
def test_numbers_are_read_from_anything_that_holds_them(matrix):
    """Lists, tuples, whole numbers, matrices, float32 and masked arrays without a mask are the same numbers."""
    for value in (
        matrix,
        matrix.tolist(),
        tuple(map(tuple, matrix)),
        list(matrix),
        matrix.astype(int),
        matrix.astype(np.float32),
        np.ma.masked_array(matrix),
        np.asfortranarray(matrix),
    ):
        (array,) = read(value).arrays
        assert array.dtype == np.float64
        assert np.array_equal(array, matrix)


def test_what_is_read_no_longer_depends_on_what_was_returned():
    """A function that keeps its result and changes it later does not change what was read."""
    kept = np.ones((2, 2))
    (array,) = read(kept).arrays
    kept[:] = 7

    assert np.array_equal(array, np.ones((2, 2)))


@pytest.mark.parametrize("value", [[np.ones((2, 2)), np.ones((2, 2))], (np.ones((2, 1)), np.ones((2, 3)))])
def test_several_arrays_are_not_one(value):
    """Where one array is asked for, several are told as several."""
    with pytest.raises(Unreadable, match="of 2 arrays, expected one"):
        read(value)


def test_the_number_of_arrays_must_fit():
    """Where several arrays are asked for, one is told, and so is another number of them."""
    two = (None, None)
    assert len(read([np.ones(2), np.ones(3)], two).arrays) == 2
    with pytest.raises(Unreadable, match="returned an ndarray, expected 2 arrays in a list or tuple"):
        read(np.ones((2, 2)), two)
    with pytest.raises(Unreadable, match="returned 3 things, expected 2 arrays"):
        read([1, 2, 3], two)


def test_lists_in_a_list_are_read_in_order():
    """Two lists of two arrays give four arrays; equal shapes may come as one array with an axis more."""
    nested = layout_of(([np.ones(1), np.ones(2)], [np.ones(3), np.ones(4)]))

    assert [array.size for array in read([(1.0, [2, 3]), [np.ones(5), 4]], nested).arrays] == [1, 2, 5, 1]
    assert [array.tolist() for array in read(np.arange(8.0).reshape(2, 2, 2), (None, None)).arrays] == [
        [[0, 1], [2, 3]],
        [[4, 5], [6, 7]],
    ]
    with pytest.raises(Unreadable, match="returned 1 thing, expected 2 lists"):
        read([[np.ones(1), np.ones(2)]], nested)
    with pytest.raises(Unreadable, match="returned None: no `return` handed back a value"):
        read(None, nested)


def test_one_array_in_float32_widens_the_tolerance():
    """A result of several arrays is compared as loosely as its coarsest part needs."""
    assert read([np.ones(2, dtype=np.float32), np.ones(2)], (None, None)).single
    assert not read([np.ones(2), np.ones(2)], (None, None)).single


def test_what_came_in_place_of_an_array_is_remembered():
    """A list or a masked array is read, and said to be one; numbers and lists of arrays are what was asked for."""
    assert read([[1, 2]]).other == "a list"
    assert read(np.ma.masked_array([[1, 2]])).other == "a MaskedArray"
    assert read(3).other == read(np.ones((2, 2))).other == read([np.ones(2)], (None,)).other == ""


def test_positions_counted_from_one_are_told_so():
    """Whole numbers that are all one too many are counted from 1; other offsets, and other numbers, are only named."""
    positions, shares = np.array([0.0, 2.0, 1.0]), np.array([0.5, 0.25, 0.25])

    assert pattern(positions + 1, positions) == "Every entry is off by 1. Code counts from 0."
    assert pattern(positions + 2, positions) == "Every entry is off by 2."
    assert pattern(shares + 1, shares) == "Every entry is off by 1."


def test_a_trifle_is_not_named_beside_a_large_difference():
    """The first entry that is clearly wrong is named, not one that an eps has moved."""
    expected = np.array([[1.0, 2.0], [3.0, 4.0]])
    got = expected + np.array([[1e-5, 0], [0, 1]])

    assert first_difference(got, expected) == "row 2, column 2 is 5, expected 4"
    assert first_difference(expected + np.array([[1e-5, 0], [0, 0]]), expected).startswith("row 1, column 1 is 1.0000")


def test_rows_in_another_order_are_seen():
    """The same rows, or columns, in other places are told so, before any other pattern."""
    expected = np.array([[1.0, 2.0, 3.0], [4.0, 6.0, 5.0]])

    assert pattern(expected[::-1], expected) == "The right rows are there, in another order."
    assert pattern(expected[:, [1, 0, 2]], expected) == "The right columns are there, in another order."


MOVED = {"the last first": [2, 1, 0], "moved on by 1": [2, 0, 1], "moved back by 1": [1, 2, 0]}


@pytest.mark.parametrize("how", MOVED)
def test_a_plain_change_of_order_is_named(how):
    """Columns that are reversed or moved on are told so."""
    expected = np.array([[1.0, 2.0, 3.0], [4.0, 6.0, 5.0]])

    assert pattern(expected[:, MOVED[how]], expected) == f"The right columns are there, in another order, {how}."


def test_the_inverse_order_is_told_from_any_other():
    """Columns that went where they should have come from are told by the array that they are columns of."""
    X = np.array([[1.0, 2.0, 3.0, 7.0], [4.0, 6.0, 5.0, 9.0]])
    order = [1, 2, 3, 0]
    inverse = np.argsort(order)
    said = "The columns of `X` stand in the inverse order: each went where it should have come from."

    assert pattern(X[:, inverse], X[:, order], known={"`X`": X}) == said
    assert "inverse" not in pattern(X[:, [1, 0, 3, 2]], X[:, order], known={"`X`": X})


def test_a_known_quantity_is_named_where_it_stands_for_the_result():
    """A result that is another quantity, or differs by one, is told so, by the words it is known under."""
    rng = np.random.RandomState(5)
    right, X, column = rng.normal(size=(3, 4)), rng.normal(size=(3, 4)), rng.normal(size=(3, 1))
    known = {"`X`": X, "`beta`": column, "the result": right}

    assert pattern(X, right, known=known) == "The result equals `X`."
    assert pattern(right - X, right, known=known) == "The right result minus what you return is `X`: is it left out?"
    said = "What you return minus the right result is `beta`: is it added once too often?"
    assert pattern(right + column, right, known=known) == said
    assert pattern(rng.normal(size=(3, 4)), right, known=known) == ""


@pytest.mark.parametrize("column", [0, 2])
def test_a_mask_is_thought_of_where_there_are_weights(column):
    """Only the first or the last column right suggests a mask, in attention and nowhere else."""
    expected = np.random.RandomState(6).normal(size=(2, 3))
    got = expected + np.random.RandomState(7).uniform(1, 2, size=(2, 3))
    got[:, column] = expected[:, column]

    assert pattern(got, expected, known={"the weights": np.eye(3)}).endswith(
        "Does a mask hide keys from the other queries?"
    )
    assert "mask" not in pattern(got, expected, known={"the angles": np.eye(3)})
