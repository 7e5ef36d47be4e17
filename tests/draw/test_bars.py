import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.draw import bars, palette
from helpers.draw.board import size

WORDS = ["Ada", "fed", "the", "cat", "it", "purred"]
WEIGHTS = [0.46, 0.01, 0.22, 0.06, 0.24, 0.01]
SCORES = [3.2, -1.5, 0.0, -27.0, 12.0, 30.0]


def draw(values=WEIGHTS, **changes):
    """Return bars, with ordinary options but for the changes."""
    return bars(values, **{"title": "“it” reads “Ada”", "description": "d", "labels": WORDS[: len(values)]} | changes)


def length(rect):
    """Return how far a bar reaches."""
    return rect.box.right - rect.box.left


def test_lengths_are_proportional_to_weights(read):
    """A bar is as long as its weight, on an axis whose whole length is 1."""
    lengths = [length(rect) for rect in read(draw()).rects]
    assert lengths == pytest.approx([320 * w for w in WEIGHTS], abs=0.1)


def test_scores_run_to_both_sides_of_zero(read):
    """Negative bars end where positive ones begin, in the two colors, and a zero has a number but no bar."""
    picture = read(draw(SCORES, kind="scores"))
    positive = [rect for rect in picture.rects if rect.fill == palette.SCORES[2]]
    negative = [rect for rect in picture.rects if rect.fill == palette.SCORES[0]]
    assert (len(positive), len(negative)) == (3, 2)
    assert {rect.box.left for rect in positive} == {rect.box.right for rect in negative}
    assert picture.words.count("0") == 2, "on the axis, and at the bar of length 0"


def test_each_bar_has_its_label_and_number(read):
    """In a line with each bar stand its label at the left and its number at the end."""
    picture = read(draw([3.2, -1.5, 0.02, *SCORES[3:]], kind="scores"))  # "0" also stands on the axis
    for word, number in zip(WORDS, ("+3.20", "−1.50", "+.02", "−27.00", "+12.00", "+30.00"), strict=True):
        assert picture.find(word).box.right < picture.find(number).box.left
        assert picture.find(word).box.top == pytest.approx(picture.find(number).box.top, abs=2)


def test_labels_have_the_color_of_their_role(read):
    """Bars stand for keys unless the caller says otherwise, in words and in color."""
    assert read(draw()).find("keys m").fill == read(draw()).find("Ada").fill == palette.KEY
    assert read(draw(label_axis="dimensions")).find("Ada").fill == palette.SECONDARY
    assert "share" in read(draw(value_axis="share")).words


def test_the_selected_bar_keeps_its_color(read):
    """The selected bar is bold and strong, the others fade, and nothing moves."""
    plain, chosen = read(draw()), read(draw(selected=2))
    kept = [before.fill == after.fill for before, after in zip(plain.rects, chosen.rects, strict=True)]
    assert kept == [False, False, True, False, False, False]
    assert [text.words for text in chosen.texts if text.weight == 700] == ["the", ".22"]
    assert [rect.box for rect in plain.rects] == [rect.box for rect in chosen.rects]


@given(
    tokens=st.lists(st.text(st.characters(codec="latin-1"), max_size=40), min_size=1, max_size=40),
    kind=st.sampled_from(["weights", "differences", "scores", "values"]),
    data=st.data(),
)
def test_any_tokens_leave_the_picture_legible(read, contrast, tokens, kind, data):
    """Whatever tokens and numbers: nothing outside, nothing overlapping, every color readable on the card."""
    low, high = {"weights": (0, 1), "differences": (-1, 1)}.get(kind, (-1e12, 1e12))
    values = data.draw(st.lists(st.floats(low, high), min_size=len(tokens), max_size=len(tokens)))
    selected = data.draw(st.none() | st.integers(0, len(tokens) - 1))
    picture = read(bars(values, title="t", description="d", labels=tokens, kind=kind, selected=selected))
    picture.assert_legible()
    assert all(contrast(text.fill, palette.CARD) >= 4.5 for text in picture.texts)


def test_pictures_share_a_page_and_repeat():
    """The same numbers give the same bytes, also with noise in the last digits, and no id."""
    assert draw() == draw(np.array(WEIGHTS) + 1e-14)
    assert not re.search(r"\bid=", draw())


def test_pictures_can_share_an_axis(read):
    """With a common limit the same score has the same length."""
    one, other = (read(draw([2.0, s], kind="scores", limit=8)).rects[0] for s in (1.0, 8.0))
    assert length(one) == length(other) == 40


def test_differences_end_at_1_on_both_sides(read):
    """A difference of weights is as long as its part of the track, however small all of them are."""
    picture = read(draw([0.25, -0.5], kind="differences"))
    assert [length(bar) for bar in picture.rects] == pytest.approx([40, 80])
    assert {"−1", "1", "difference of weights"} <= set(picture.words)


@pytest.mark.parametrize(
    ("values", "changes", "message"),
    [
        (np.ones((2, 2)), {}, r"shape \(2, 2\).*one axis.*heat_map"),
        ([], {}, r"shape \(0,\)"),
        ([np.nan], {}, "nan"),
        ([1.5], {}, r"1\.5 at index \[0\]"),
        ([0.5], {"labels": ["a", "b"]}, "labels has 2 labels, but there are 1 bars"),
        ([0.5], {"selected": 3}, "selected is 3; expected 0 to 0"),
        ([5.0], {"kind": "scores", "limit": 2}, "limit is 2"),
    ],
)
def test_bad_input_is_explained(values, changes, message):
    """What cannot be drawn raises a ValueError that says what was got, what was expected and what to do."""
    with pytest.raises(ValueError, match=message):
        draw(values, **changes)


@given(st.lists(st.floats(-12, 12), min_size=3, max_size=3), st.sampled_from(["scores", "values"]))
def test_with_a_limit_no_size_depends_on_the_numbers(entries, kind):
    """Pictures that share a limit share a view box, so that one redrawn with other numbers does not jump."""
    assert size(draw(entries, kind=kind, limit=12)) == size(draw([0.0, 0.0, 0.0], kind=kind, limit=12))


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3))
def test_weights_always_take_the_same_room(entries):
    """The view box of three weights is the same for all weights."""
    assert size(draw(entries)) == size(draw([0.0, 1.0, 0.0]))


def test_lengths_begin_at_the_left(read):
    """Unsigned values have one color and an axis from 0, and a number below 0 is refused."""
    picture = read(draw([1.0, 2.0, 4.0], kind="values", signed=False))

    assert {rect.box.left for rect in picture.rects} == {picture.rects[0].box.left}
    assert [length(rect) for rect in picture.rects] == pytest.approx([80, 160, 320], abs=0.1)
    with pytest.raises(ValueError, match=r"got -1; expected no number below 0"):
        draw([1.0, -1.0], kind="values", signed=False)


def test_bars_can_stand_further_apart(read):
    """A larger pitch makes the card higher and leaves the bars as thick as they were."""
    near, far = read(draw()), read(draw(pitch=60))

    assert far.frame.bottom - near.frame.bottom == 6 * 30
    assert {rect.box.bottom - rect.box.top for rect in far.rects} == {
        rect.box.bottom - rect.box.top for rect in near.rects
    }
