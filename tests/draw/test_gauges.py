import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.draw import gauges, palette

LABELS = ["entropy", "size of the Jacobian"]
VALUES = [1.44, 0.2]
ENDS = [2.08, 0.8]


def draw(values=VALUES, **changes):
    """Return gauges, with ordinary options but for the changes."""
    return gauges(
        values, **{"title": "The column freezes", "description": "d", "labels": LABELS, "ends": ENDS} | changes
    )


def lengths(picture, fill):
    """Return how long the rectangles of a color are."""
    return [rect.box.right - rect.box.left for rect in picture.rects if rect.fill == fill]


def test_a_track_is_filled_up_to_its_share(read):
    """All tracks are equally long, and each is filled to the share its number is of its own end."""
    picture = read(draw())
    (track,) = set(lengths(picture, palette.WEIGHTS[0]))
    assert track > 200
    assert lengths(picture, palette.WEIGHTS[3]) == pytest.approx([track * 1.44 / 2.08, track / 4], abs=0.11)
    assert len({rect.box.left for rect in picture.rects}) == 1


def test_both_ends_are_drawn(read):
    """A number of 0 leaves the track empty, and one at the end fills it."""
    picture = read(draw([0, 0.8]))
    assert lengths(picture, palette.WEIGHTS[3]) == lengths(picture, palette.WEIGHTS[0])[1:]
    assert {"0 of 2.08", ".80 of .80"} <= set(picture.words)


def test_words_stand_over_the_track_and_the_number_right_of_it(read):
    """The number is level with its track, the label starts where the track does."""
    picture = read(draw())
    tracks = [rect.box for rect in picture.rects if rect.fill == palette.WEIGHTS[0]]
    for track, label, number in zip(tracks, LABELS, ("1.44 of 2.08", ".20 of .80"), strict=True):
        assert picture.find(label).box.left == track.left
        assert picture.find(label).box.bottom < track.top
        assert picture.find(number).box.left > track.right
        middle = (picture.find(number).box.top + picture.find(number).box.bottom) / 2
        assert middle == pytest.approx((track.top + track.bottom) / 2, abs=2)


def test_the_value_axis_is_said_where_there_is_one(read):
    """Words under the gauges take room of their own; without words there is none."""
    picture = read(draw(value_axis="share of the most"))
    assert picture.find("share of the most").box.top > picture.rects[-1].box.bottom
    assert picture.frame.bottom > read(draw()).frame.bottom


def test_a_narrow_card_has_shorter_tracks(read):
    """A `width` narrows the card by as much as the tracks."""
    narrow, wide = read(draw(width=353)), read(draw())
    narrow.assert_legible()
    less = wide.frame.right - narrow.frame.right
    assert less == 47
    assert lengths(narrow, palette.WEIGHTS[0])[0] == pytest.approx(
        lengths(wide, palette.WEIGHTS[0])[0] - less, abs=0.11
    )


@given(st.tuples(st.floats(0, 150), st.floats(0, 1)))
def test_nothing_moves_with_the_numbers(read, values):
    """Under the same ends the size, the tracks and the place of the numbers stay."""
    one, other = (read(draw(v, ends=[150, 1])) for v in ([0, 0], values))
    assert one.frame == other.frame
    tracks = [[rect.box for rect in picture.rects if rect.fill == palette.WEIGHTS[0]] for picture in (one, other)]
    assert tracks[0] == tracks[1]
    starts = [[t.box.left for t in picture.texts if " of " in t.words] for picture in (one, other)]
    assert starts[0] == starts[1]


@given(
    labels=st.lists(st.text(st.characters(codec="latin-1"), max_size=80), min_size=1, max_size=12),
    data=st.data(),
)
def test_any_numbers_leave_the_picture_legible(read, contrast, labels, data):
    """Whatever labels and numbers: nothing outside, nothing overlapping, every color readable on the card."""
    size = {"min_size": len(labels), "max_size": len(labels)}
    ends = np.array(data.draw(st.lists(st.floats(1e-3, 1e12), **size)))
    shares = np.array(data.draw(st.lists(st.floats(0, 1), **size)))
    picture = read(draw(shares * ends, labels=labels, ends=ends, value_axis=labels[0]))
    picture.assert_legible()
    for rect in picture.rects:
        assert not any(rect.box.overlaps(text.box) for text in picture.texts)
    assert all(contrast(text.fill, palette.CARD) >= 4.5 for text in picture.texts)


def test_pictures_share_a_page_and_repeat():
    """The same numbers give the same bytes, also with noise in the last digits, and no id."""
    assert draw() == draw(np.array(VALUES) + 1e-14, ends=np.array(ENDS) - 1e-14)
    assert draw([np.log(8)], labels=["entropy"], ends=[np.log(8) - 1e-14]), "noise beyond the end is none"
    assert not re.search(r"\bid=", draw())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"values": np.ones((2, 2))}, r"shape \(2, 2\).*one number a gauge"),
        ({"values": [0, np.nan]}, "nan"),
        ({"values": [0, 1]}, r"values\[1\] is 1; expected 0 to 0\.8.*Raise ends\[1\]"),
        ({"values": [-1, 0]}, r"values\[0\] is -1; expected 0 to 2\.08"),
        ({"ends": [2]}, "ends has 1 numbers, but there are 2 gauges"),
        ({"ends": [2, 0]}, r"ends\[1\] is 0; expected a number above 0"),
        ({"labels": ["a"]}, "labels has 1 labels, but there are 2 gauges"),
        ({"labels": "entropy Jacobian"}, r"Try labels='entropy Jacobian'\.split"),
    ],
)
def test_bad_input_is_explained(changes, message):
    """What cannot be drawn raises a ValueError that says what was got, what was expected and what to do."""
    with pytest.raises(ValueError, match=message):
        draw(**changes)
