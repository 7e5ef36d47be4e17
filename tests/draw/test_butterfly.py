import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.draw import butterfly, palette

WORDS = ["Ada", "fed", "the", "cat", "it", "purred"]
LEFT = [0.46, 0.01, 0.22, 0.06, 0.24, 0.01]
RIGHT = [0.03, 0.05, 0.07, 0.09, 0.11, 0.65]


def draw(left=LEFT, right=RIGHT, **changes):
    """Return a butterfly, with ordinary options but for the changes."""
    options = {"title": "Query 3 in both heads", "description": "d", "labels": WORDS[: np.size(left)]}
    return butterfly(left, right, **options | {"left_label": "head 1", "right_label": "head 2"} | changes)


def halves(picture):
    """Return the bars on the left and on the right, each from the top down."""
    middle = picture.find("keys m").box
    boxes = [rect.box for rect in picture.rects]
    return [b for b in boxes if b.right <= middle.left], [b for b in boxes if b.left >= middle.right]


def test_lengths_are_proportional_to_weights(read):
    """On both sides a bar is as long as its weight, on one scale."""
    for boxes, weights in zip(halves(read(draw())), (LEFT, RIGHT), strict=True):
        assert [box.right - box.left for box in boxes] == pytest.approx([116 * w for w in weights], abs=0.11)


def test_bars_grow_outward_from_two_lines(read):
    """Left bars share their right end and right bars their left end, with the labels between."""
    left, right = halves(read(draw()))
    (inner_left,), (inner_right,) = {box.right for box in left}, {box.left for box in right}
    for word in WORDS:
        label = read(draw()).find(word).box
        assert inner_left < label.left < label.right < inner_right
        assert label.left - inner_left == pytest.approx(inner_right - label.right, abs=0.11)


def test_each_bar_has_its_number_at_its_end(read):
    """In the line of a label stand the left number outside the left bar, and the right one outside the right bar."""
    picture = read(draw([0.75, 0.25], [0.4, 0.6]))
    left, right = halves(picture)
    for m, (one, other) in enumerate([(".75", ".40"), (".25", ".60")]):
        assert picture.find(one).box.right == pytest.approx(left[m].left - 6, abs=0.11)
        assert picture.find(other).box.left == pytest.approx(right[m].right + 6, abs=0.11)
        tops = [picture.find(words).box.top for words in (one, other, WORDS[m])]
        assert max(tops) - min(tops) < 2


def test_each_side_is_named(read):
    """The heads stand in words over their side, and the keys in their color over the labels."""
    picture = read(draw())
    head_1, keys, head_2 = (picture.find(words) for words in ("head 1", "keys m", "head 2"))
    assert head_1.box.right < keys.box.left < keys.box.right < head_2.box.left
    assert keys.fill == picture.find("cat").fill == palette.KEY
    assert "attention weight" in picture.words


words = st.text(st.characters(codec="latin-1"), max_size=40)


@given(labels=st.lists(words, min_size=1, max_size=40), heads=st.tuples(words, words), data=st.data())
def test_any_weights_keep_the_size_and_stay_legible(read, contrast, labels, heads, data):
    """Whatever weights and words: the view box is that of zeros, nothing overlaps, every color is readable."""
    column = st.lists(st.floats(0, 1), min_size=len(labels), max_size=len(labels))
    options = {"labels": labels, "left_label": heads[0], "right_label": heads[1]}
    picture = read(draw(data.draw(column), data.draw(column), **options))
    assert picture.frame == read(draw(np.zeros(len(labels)), np.zeros(len(labels)), **options)).frame
    picture.assert_legible()
    assert all(rect.box.inside(picture.frame) for rect in picture.rects)
    assert all(contrast(text.fill, palette.CARD) >= 4.5 for text in picture.texts)


def test_it_fits_beside_another_card(read):
    """Six words take at most 430 px."""
    assert read(draw()).frame.right <= 430


def test_pictures_repeat():
    """The same numbers give the same bytes, also with noise in the last digits, and no id."""
    assert draw() == draw(np.array(LEFT) + 1e-14)
    assert not re.search(r"\bid=", draw())


@pytest.mark.parametrize(
    ("left", "right", "changes", "message"),
    [
        ([0.5, 0.5], [1.0], {}, r"left has 2 weights, right has 1.*weights\[:, n\]"),
        (np.ones((2, 2)), [1.0], {}, r"shape \(2, 2\).*one axis"),
        ([0.5], [1.5], {}, r"1\.5 at index \[0\]"),
        ([0.5], [0.5], {"labels": ["a", "b"]}, "labels has 2 labels, but there are 1 rows"),
    ],
)
def test_bad_input_is_explained(left, right, changes, message):
    """What cannot be drawn raises a ValueError that says what was got, what was expected and what to do."""
    with pytest.raises(ValueError, match=message):
        draw(left, right, **changes)
