import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.draw import palette, pipeline

STEPS = ["X", "+ MhSa[X]", "LayerNorm", "+ mlp[X]", "LayerNorm"]
NOTES = ["six columns", "mixes columns", "each column alone", "each column alone", "each column alone"]


def draw(steps=STEPS, **changes):
    """Return a pipeline, with ordinary options but for the changes."""
    return pipeline(steps, **{"title": "The layer, step by step", "description": "d", "current": 2} | changes)


def labels(picture):
    """Return the text in each box, in the order of the boxes."""
    return [next(text for text in picture.texts if text.box.inside(rect.box)) for rect in picture.rects]


def dashed(svg):
    """Return which boxes are dashed."""
    return [dash != "none" for dash in re.findall(r'stroke-dasharray="([^"]*)"', svg)]


def test_boxes_stand_in_their_order_with_arrows_between(read):
    """Five boxes of one height stand in a row of at most 640 px, and each arrow ends in the gap it crosses."""
    picture = read(draw(notes=NOTES))
    assert [text.words for text in labels(picture)] == STEPS
    boxes = [rect.box for rect in picture.rects]
    assert len({(box.top, box.bottom) for box in boxes}) == 1
    assert picture.frame.right <= 640
    arrows = [element.attrib["points"] for element in picture.root.iter() if element.tag.endswith("polygon")]
    tips = [float(points.split(",")[0]) for points in arrows]
    assert all(before.right < tip < after.left for (before, after), tip in zip(pairwise(boxes), tips, strict=True))


def test_what_does_not_fit_goes_on_in_a_second_line(read):
    """Seven long steps stand in two lines, in order, within 640 px."""
    steps = [f"long step {i}" for i in range(7)]
    picture = read(draw(steps))
    assert [text.words for text in labels(picture)] == steps
    tops = [rect.box.top for rect in picture.rects]
    assert tops == sorted(tops)
    assert len(set(tops)) == 2
    assert picture.frame.right <= 640


@pytest.mark.parametrize("current", range(5))
def test_the_current_step_alone_is_bold_and_outlined(read, current):
    """The query color, a thick outline and bold type are the current step's alone."""
    svg = draw(current=current)
    picture = read(svg)
    assert [rect.stroke == palette.QUERY for rect in picture.rects] == [i == current for i in range(5)]
    assert [text.weight == 700 for text in labels(picture)] == [i == current for i in range(5)]
    thick = [width == "2.5" for width in re.findall(r'rx="8"[^>]*stroke-width="([^"]*)"', svg)]
    assert thick == [i == current for i in range(5)]


def test_past_steps_are_filled_and_those_to_come_pale(read):
    """Boxes before the current one have a fill and ink; from it on they are white, and later text is secondary."""
    picture = read(draw(current=2))
    assert [rect.fill == palette.CARD for rect in picture.rects] == [False, False, True, True, True]
    ink, quiet = palette.INK, palette.SECONDARY
    assert [text.fill for text in labels(picture)] == [ink, ink, ink, quiet, quiet]
    done = read(draw(current=None))
    assert {text.fill for text in labels(done)} == {ink}
    assert not any(text.weight == 700 for text in labels(done))


def test_what_is_skipped_is_dashed_and_said(read):
    """A skipped step is dashed, and "left out" stands under its box in the place of its note."""
    svg = draw(current=4, notes=NOTES, skipped=[1, 4])
    picture = read(svg)
    assert dashed(svg) == [False, True, False, False, True]
    under = [text.box for text in picture.texts if text.words == "left out"]
    for box, note in zip([picture.rects[1].box, picture.rects[4].box], under, strict=True):
        assert box.left < note.left < note.right < box.right
        assert note.top >= box.bottom
    assert "mixes columns" not in picture.words
    assert not any(dashed(draw()))


def test_notes_keep_to_their_box(read):
    """Notes longer than narrow boxes go on in another line, and room for "left out" is there without any notes."""
    read(draw(["a", "b", "c"], notes=["mixes columns"] * 3)).assert_legible()
    assert read(draw(["a", "b", "c"])).frame == read(draw(["a", "b", "c"], notes=["one"] * 3)).frame


words = st.text(st.characters(codec="latin-1"), max_size=30)


@given(steps=st.lists(words, min_size=1, max_size=12), data=st.data())
def test_any_state_keeps_the_size_and_stays_legible(read, contrast, steps, data):
    """Whatever is current, skipped or noted: no box moves, nothing overlaps, every text reads on what is under it."""
    index = st.integers(0, len(steps) - 1)
    notes = data.draw(st.just([]) | st.lists(words, min_size=len(steps), max_size=len(steps)))
    picture = read(draw(steps, current=data.draw(index), skipped=data.draw(st.sets(index)), notes=notes))
    plain = read(draw(steps, current=None, notes=notes))
    assert picture.frame == plain.frame
    assert [rect.box for rect in picture.rects] == [rect.box for rect in plain.rects]
    picture.assert_legible()
    assert picture.frame.right <= 640
    for text in picture.texts:
        under = [rect.fill for rect in picture.rects if text.box.overlaps(rect.box)] or [palette.CARD]
        assert all(contrast(text.fill, fill) >= 4.5 for fill in under)


def test_pictures_repeat():
    """The same steps give the same bytes, and no id."""
    assert draw(skipped=[3, 1]) == draw(skipped=(1, 3))
    assert not re.search(r"\bid=", draw())


@pytest.mark.parametrize(
    ("steps", "changes", "message"),
    [
        ([], {"current": 0}, "steps is empty; expected at least one"),
        ("X LayerNorm", {"current": 0}, r"steps is one string.*a list of 2\. Try"),
        (STEPS, {"current": 5}, "current is 5; expected 0 to 4, as there are 5 steps"),
        (STEPS, {"skipped": [-1]}, "skipped is -1; expected 0 to 4"),
        (STEPS, {"notes": ["one"]}, "notes has 1 labels, but there are 5 steps"),
    ],
)
def test_bad_input_is_explained(steps, changes, message):
    """What cannot be drawn raises a ValueError that says what was got, what was expected and what to do."""
    with pytest.raises(ValueError, match=message):
        draw(steps, **changes)
