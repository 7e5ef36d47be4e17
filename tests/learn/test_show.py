import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from helpers.learn.show import matrix_text, show
from helpers.truth import shown

NAME = "X_prime_one_head"
TRUE = shown()[NAME]

# The first four rows of the matrix that the book's notebook on two heads prints (udlbook, Notebooks/Chap12/12_2).
BOOK = """\
[[-21.207  -5.373 -20.933  -9.179 -11.319 -17.812]
 [ -1.995   7.906 -10.516   3.452   9.863  -7.24 ]
 [  5.479   1.115   9.244   0.453   5.656   7.089]
 [ -7.413  -7.416   0.363  -5.573  -6.736  -0.848]]"""

matrices = arrays(float, (3, 2), elements=st.floats(-1000, 1000, allow_subnormal=False))


@pytest.fixture
def said(capsys):
    """Return a function that shows a value and gives what it printed."""

    def call(value, name=NAME):
        show(name, value)
        return capsys.readouterr().out

    return call


def test_a_matrix_is_printed_as_the_book_prints_it():
    """Three decimals, columns aligned, trailing zeros as spaces: character for character the book's form."""
    numbers = [[float(number) for number in re.findall(r"[-\d.]+", line)] for line in BOOK.splitlines()]

    assert matrix_text(np.array(numbers)) == BOOK


@given(matrices)
def test_no_zero_has_a_sign(matrix):
    """What rounds to zero is printed as 0., whatever its sign: a last bit must not change what is printed."""
    assert re.search(r"-0\.(?!\d)", matrix_text(matrix)) is None


@given(matrices)
def test_the_printed_numbers_are_the_rounded_ones(matrix):
    """Every printed number is within half a unit of the third decimal."""
    printed = [float(number) for number in re.findall(r"-?\d+\.\d*", matrix_text(matrix))]

    assert np.allclose(printed, matrix.ravel(), rtol=0, atol=0.0005 + 1e-9)  # the 1e-9 is for halves in binary


def test_a_long_matrix_is_printed_whole():
    """Nothing is left out by `...`."""
    assert "..." not in matrix_text(np.zeros((40, 40)))


def test_yours_and_the_true_one_stand_below_each_other(said):
    """Both matrices are printed, and whether they agree."""
    matrix = matrix_text(TRUE)

    assert said(TRUE) == f"Your answer:\n{matrix}\nTrue values:\n{matrix}\nThey agree.\n"


@pytest.mark.parametrize(
    "value", [TRUE.tolist(), TRUE.astype(np.float32), TRUE + 0.0009], ids=["list", "float32", "near"]
)
def test_a_last_digit_is_no_difference(said, value):
    """Lists, float32 and differences below what is printed agree."""
    assert said(value).endswith("They agree.\n")


def test_a_difference_is_counted_and_measured(said):
    """Where numbers differ, it says in how many and by how much."""
    mine = TRUE.copy()
    mine[0, 0] += 0.25
    mine[1, 2] -= 0.5

    assert said(mine).endswith(f"They differ in 2 of {TRUE.size} numbers, by up to 0.500.\n")


def test_nan_differs(said):
    """A nan agrees with nothing, and is told as such."""
    assert said(np.full(TRUE.shape, np.nan)).endswith("Yours holds nan or inf, the true values do not.\n")


def test_another_shape_is_said(said):
    """Where the shape is another, that is said in place of a count."""
    assert said(TRUE.T).endswith(f"Yours has shape {TRUE.T.shape}, expected {TRUE.shape}.\n")


def test_what_is_no_matrix_is_said(said):
    """A function that returned nothing is told here too, without an error."""
    assert said(None).startswith(f"show {NAME}: your code returned None")


def test_a_name_that_does_not_exist_is_answered_by_the_nearest(said):
    """A misspelled name is told which name is nearest."""
    assert said(TRUE, "X_prime_one_haed") == f"show: got the name 'X_prime_one_haed'. Did you mean {NAME!r}?\n"


def test_a_renamed_numpy_function_does_no_harm(said, monkeypatch):
    """A notebook that has put something of its own into numpy sees the same lines."""
    before = said(TRUE)
    for name in ("abs", "max", "sum", "round", "asarray"):
        monkeypatch.setattr(np, name, None)

    assert said(TRUE) == before


def test_whole_numbers_are_printed_as_such_only_where_the_truth_is_whole(capsys, monkeypatch):
    """Positions print without decimals; whole numbers where fractions are right do not hide those."""
    monkeypatch.setattr(
        "helpers.learn.show.shown", lambda: {"positions": np.array([1.0, 2]), "shares": np.array([0.5, 1])}
    )
    show("positions", [1, 2])
    assert capsys.readouterr().out == "Your answer:\n[1 2]\nTrue values:\n[1 2]\nThey agree.\n"
    show("shares", [0, 1])
    assert "True values:\n[0.5 1. ]\n" in capsys.readouterr().out
