import pytest

from helpers.draw.scale import ticks, ticks_between


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 12, [0, 2, 4, 6, 8, 10, 12]),
        (-23, 23, [-20, -10, 0, 10, 20]),
        (7, 9.5, [7, 7.5, 8, 8.5, 9, 9.5]),
        (0, 1e-9, [0, 2e-10, 4e-10, 6e-10, 8e-10, 1e-9]),
    ],
)
def test_ticks_are_round_numbers_between_both_ends(low, high, expected):
    """They are the exact multiples of a round step, both ends included."""
    assert ticks_between(low, high) == expected


def test_a_coarser_axis_keeps_fewer_ticks():
    """Where numbers need more room, the step grows to the next round one."""
    assert ticks_between(-23, 23, coarser=2) == [-20, 0, 20]


def test_ticks_around_zero_are_symmetric():
    """An axis with one limit has the same ticks on both sides of zero."""
    assert ticks(0.5) == [-0.4, -0.2, 0, 0.2, 0.4]
