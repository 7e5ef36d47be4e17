"""How explorers say numbers."""

import numpy as np
import pytest

from helpers.explore.limits import holding
from helpers.explore.words import most, percent


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0, "0 %"),
        (1e-9, "under 1 %"),
        (0.0099, "under 1 %"),
        (0.01, "1 %"),
        (0.834, "83 %"),
        (0.99, "99 %"),
        (0.9901, "over 99 %"),
        (0.9999, "over 99 %"),
        (1 - 1e-9, "100 %"),
        (1, "100 %"),
    ],
)
def test_a_share_is_said_in_whole_percents(share, words):
    """Nothing is rounded to none or to all of it, but for what differs in the last digits."""
    assert percent(share) == words


def test_a_shared_first_place_is_said():
    """Weights that differ in the last digits share it; those that differ to a reader do not."""
    names = ["key 1", "key 2", "key 3"]

    assert most(np.array([0.4, 0.4 - 1e-9, 0.2]), names) == "40 % each on key 1 and key 2"
    assert most(np.array([0.4, 0.39999, 0.2]), names) == "40 % on key 1"


def test_a_scale_ends_at_its_limit_or_at_what_goes_beyond():
    """The limit holds for smaller numbers of either sign; the largest magnitude among all arrays lifts it."""
    assert holding(3, np.array([1.0, -2.0]), np.zeros(4)) == 3
    assert holding(3, np.array([1.0, -2.0]), np.array([[-4.0, 1.0]])) == 4
