import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.draw import palette, waterfall

HEADS = ["head 1", "head 2", "head 3", "head 4"]
PARTS = [[4.0, -6.0, 2.0, 0.0], [3.0, 2.0, -8.0, 0.0]]
SOLID, OUTLINE = palette.WEIGHTS[3], palette.WEIGHTS[0]


def draw(parts=PARTS, **changes):
    """Return a waterfall, with ordinary options but for the changes."""
    P, M = np.shape(parts)
    labels = [str(m + 1) for m in range(M)]
    options = {"title": "Both heads write", "description": "d", "labels": labels, "part_labels": HEADS[:P]}
    return waterfall(parts, **options | changes)


def zero_line(picture):
    """Return where the numbers on the axis say that 0 is."""
    lowest = max(text.box.top for text in picture.texts)
    (zero,) = (t.box for t in picture.texts if t.words == "0" and t.box.top == lowest)
    return (zero.left + zero.right) / 2


def spans(picture, m):
    """Return the bars in row m, from the top lane down, as left and right ends."""
    row = picture.find(str(m + 1)).box
    bars = [r.box for r in picture.rects if r.fill == SOLID and row.top - 6 < r.box.top < row.bottom + 6]
    return [(box.left, box.right) for box in sorted(bars, key=lambda box: box.top)]


def sums_at(picture):
    """Return where the marks of the sums stand, row by row."""
    thick = [line.attrib for line in picture.root.iter() if line.get("stroke-width") == "3"]
    return [float(line["x1"]) for line in thick[1:]]  # the first explains itself in the legend


def test_each_part_begins_where_the_one_before_it_ends(read):
    """From 0 to 4 and on to 7, from 0 to -6 and back to -4, in lanes of their own, to scale."""
    picture = read(draw(limit=11))
    zero = zero_line(picture)
    for m, steps in enumerate([(0, 4, 7), (0, -6, -4), (0, 2, -6)]):
        expected = [(zero + 10 * min(step), zero + 10 * max(step)) for step in pairwise(steps)]
        for span, wanted in zip(spans(picture, m), expected, strict=True):
            assert span == pytest.approx(wanted, abs=0.11)
    assert spans(picture, 3) == [], "nothing is added to nothing"


def test_the_sum_is_marked_and_written(read):
    """The mark stands where the last part ends, its number at one place at the right, whatever the sum."""
    picture = read(draw(limit=11))
    zero = zero_line(picture)
    assert sums_at(picture) == pytest.approx([zero + 70, zero - 40, zero - 60, zero], abs=0.11)
    other = read(draw([[-1e9, 0.5, 1e5, 2.0]]))
    written = [picture.find(words) for words in ("+7.00", "−4.00", "−6.00")]
    written += [other.find(words) for words in ("−1.0e9", "+.50", "+1.0e5", "+2.00")]
    assert len({round(text.box.right, 6) for text in written}) == 1


def test_parts_are_told_apart_without_color(read):
    """Two parts of a row stand in lanes that do not touch, one filled and one hollow, as the legend shows in words."""
    picture = read(draw(limit=11))
    lanes = {(r.box.top, r.box.bottom) for r in picture.rects if r.fill == SOLID and r.box.top > 90}
    assert len(lanes) == 2 * 3, "the fourth row adds nothing to nothing"
    assert all(upper[1] < lower[0] for upper, lower in pairwise(sorted(lanes)))
    hollow = [r for r in picture.rects if r.fill == OUTLINE]
    assert len(hollow) == 1 + 3, "in the legend and in three rows"
    assert picture.find("head 1").box.right < picture.find("head 2").box.left
    assert palette.contrast(OUTLINE, SOLID) >= 3


@given(st.data())
def test_any_numbers_keep_the_size_and_stay_legible(read, contrast, data):
    """Whatever parts: the view box is that of zeros, nothing overlaps or sticks out, every color is readable."""
    P, M = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 30))
    labels = data.draw(st.lists(st.text(st.characters(codec="latin-1"), max_size=30), min_size=M, max_size=M))
    heads = data.draw(st.lists(st.text(st.characters(codec="latin-1"), max_size=30), min_size=P, max_size=P))
    size = data.draw(st.sampled_from([1e-3, 1.0, 1e4, 1e12]))
    row = st.lists(st.floats(-size, size), min_size=M, max_size=M)
    parts = data.draw(st.lists(row, min_size=P, max_size=P))
    picture = read(draw(parts, labels=labels, part_labels=heads))
    assert picture.frame == read(draw(np.zeros((P, M)), labels=labels, part_labels=heads)).frame
    picture.assert_legible()
    assert all(rect.box.inside(picture.frame) for rect in picture.rects)
    assert all(contrast(text.fill, palette.CARD) >= 4.5 for text in picture.texts)


def test_it_fits_beside_another_card(read):
    """Two heads and eight rows take at most 430 px."""
    assert read(draw(np.ones((2, 8)), label_axis="output rows")).frame.right <= 430


def test_pictures_repeat():
    """The same numbers give the same bytes, also with noise in the last digits, and no id."""
    assert draw() == draw(np.array(PARTS) + 1e-14)
    assert not re.search(r"\bid=", draw())


def test_labels_have_the_color_of_their_role(read):
    """Rows are secondary unless their words begin with a role."""
    assert read(draw()).find("rows").fill == palette.SECONDARY
    assert read(draw(label_axis="values")).find("values").fill == palette.VALUE


@pytest.mark.parametrize(
    ("parts", "changes", "message"),
    [
        (np.ones((5, 2)), {"part_labels": list("abcde")}, "got 5 parts; expected at most 4"),
        (np.ones((2, 2)), {"part_labels": ["one"]}, "part_labels has 1 labels, but there are 2 parts"),
        (np.ones((2, 2)), {"labels": "a b"}, r"labels is one string.*split"),
        ([[1.0, np.nan]], {}, r"nan at index \[0, 1\]"),
        ([[1e308], [1e308]], {}, r"inf at index \[1, 0\].*overflow"),
        (PARTS, {"limit": 5}, "limit is 5, but the largest magnitude is 7"),
    ],
)
def test_bad_input_is_explained(parts, changes, message):
    """What cannot be drawn raises a ValueError that says what was got, what was expected and what to do."""
    with pytest.raises(ValueError, match=message):
        draw(parts, **changes)


def test_one_part_alone_is_explained():
    """A plain column is refused with the call that would do."""
    with pytest.raises(ValueError, match=r"shape \(2,\).*two axes.*np\.stack"):
        waterfall([1.0, 2.0], title="t", description="d", labels=["a", "b"], part_labels=["head 1"])
