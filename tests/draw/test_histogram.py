import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.draw import histogram, palette

SVG = "{http://www.w3.org/2000/svg}"
HEIGHTS = [0.1, 0.25, 0.4, 0.0, 0.05]
EDGES = [-3, -1, 0, 1, 2, 6]
CURVE = [(-2, 0.1), (-0.5, 0.25), (0.5, 0.4), (6, 0.0)]


def draw(heights=HEIGHTS, edges=EDGES, **changes):
    """Return a histogram, with ordinary options but for the changes."""
    options = {"title": "Dot products spread", "description": "d", "value_axis": "dot product"}
    return histogram(heights, edges, **options | changes)


def line(picture):
    """Return the points of the curve."""
    (places,) = {e.attrib["points"] for e in picture.root.iter(f"{SVG}polyline") if len(e.attrib["points"].split()) > 2}
    return [tuple(map(float, point.split(","))) for point in places.split()]


def test_bars_are_as_high_as_their_density(read):
    """A bar's height is its density on an axis that ends at `top`, and a bin without numbers has no bar."""
    rects = read(draw(top=0.5)).rects
    assert [rect.box.bottom - rect.box.top for rect in rects] == pytest.approx([26, 65, 104, 13], abs=0.11)
    assert len({rect.box.bottom for rect in rects}) == 1


def test_bars_are_as_wide_as_their_bins(read):
    """From edge to edge on one axis, where the ticks stand at their numbers."""
    picture = read(draw())
    one = picture.rects[1].box.right - picture.rects[1].box.left
    widths = [rect.box.right - rect.box.left for rect in picture.rects]
    assert widths == pytest.approx([2 * one, one, one, 4 * one], abs=0.4)
    tick = picture.find("2").box
    assert (tick.left + tick.right) / 2 == pytest.approx(picture.rects[3].box.left, abs=0.2)


def test_the_curve_and_the_bars_share_both_axes(read):
    """A point of the curve with the density of a bar lies at the bar's upper edge."""
    picture = read(draw(curve=CURVE, curve_label="normal curve"))
    first, second, third = (rect.box for rect in picture.rects[:3])
    middles = [((box.left + box.right) / 2, box.top) for box in (first, second, third)]
    assert line(picture) == [
        *(pytest.approx(middle, abs=0.2) for middle in middles),
        pytest.approx((picture.rects[3].box.right, first.bottom), abs=0.2),
    ]
    assert picture.find("normal curve").fill == palette.QUERY
    assert picture.find("normal curve").box.top > picture.find("dot product").box.bottom


@given(
    heights=st.lists(st.floats(0, 2), min_size=5, max_size=5),
    curved=st.booleans(),
)
def test_no_size_depends_on_the_numbers(read, heights, curved):
    """Under one `top` and one set of edges the picture keeps its size, with and without the curve."""
    options = {"top": 2, "curve_label": "normal curve"}
    picture = read(draw(heights, curve=CURVE if curved else None, **options))
    assert picture.frame == read(draw(**options)).frame
    assert picture.find("1.5").box == read(draw(**options)).find("1.5").box


@given(
    heights=st.lists(st.floats(0, 1e9), min_size=1, max_size=60),
    start=st.floats(-1e6, 1e6),
    width=st.floats(1e-3, 1e6),
    words=st.text(st.characters(codec="latin-1"), max_size=90),
)
def test_any_numbers_leave_the_picture_legible(read, contrast, heights, start, width, words):
    """Whatever numbers and words: nothing outside, nothing overlapping, every color readable on the card."""
    edges = [start + i * width for i in range(len(heights) + 1)]
    curve = [(edges[0], heights[0]), (edges[-1], heights[-1])]
    picture = read(draw(heights, edges, curve=curve, curve_label=f"c{words}", value_axis=words))
    picture.assert_legible()
    assert all(rect.box.inside(picture.frame) for rect in picture.rects)
    assert all(contrast(text.fill, palette.CARD) >= 4.5 for text in picture.texts)


def test_a_narrow_card_holds_everything(read):
    """A `width` narrows the card and what is on it; the words of both axes stand on it."""
    picture = read(draw(width=353, height_axis="how many", curve=CURVE, curve_label="a normal curve"))
    assert picture.frame.right == 353
    assert {"how many", "dot product", "a normal curve"} <= set(picture.words)
    picture.assert_legible()
    assert all(rect.box.inside(picture.frame) for rect in picture.rects)
    assert max(x for x, _ in line(picture)) < 353


def test_bars_and_curve_are_told_apart(contrast):
    """An outline is seen on the card, the curve on card and bars: 3:1, as WCAG 1.4.11 asks of graphics."""
    assert contrast(palette.WEIGHTS[3], palette.CARD) >= 3
    assert contrast(palette.QUERY, palette.CARD) >= 3
    assert contrast(palette.QUERY, palette.WEIGHTS[1]) >= 3
    picture = draw(curve=CURVE, curve_label="c")
    assert f'fill="{palette.WEIGHTS[1]}" stroke="{palette.WEIGHTS[3]}"' in picture


def test_pictures_share_a_page_and_repeat():
    """The same numbers give the same bytes, also with noise in the last digits, and no id."""
    assert draw() == draw(np.array(HEIGHTS) + 1e-14, np.array(EDGES) + 1e-14)
    assert not re.search(r"\bid=", draw())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"heights": np.ones((2, 2))}, r"shape \(2, 2\).*one axis.*density a bin"),
        ({"heights": [0.1, np.nan, 0.1, 0.1, 0.1]}, "nan"),
        ({"heights": [0.1, -0.2, 0.1, 0.1, 0.1]}, r"density -0\.2.*none below 0"),
        ({"edges": [0, 1, 2, 3, 4]}, r"5 heights and 5 edges.*numpy\.histogram"),
        ({"edges": [0, 1, 1, 2, 3, 4]}, r"edges\[2\] is 1, after 1.*Sort edges"),
        ({"edges": [0]}, "edges holds 1 number; expected at least 2"),
        ({"top": 0.3}, r"top is 0\.3, but the largest magnitude is 0\.4.*Raise top"),
        ({"top": 0}, "top has to be a positive number; got 0"),
        ({"curve": CURVE}, "without curve_label"),
        ({"curve": [0.1, 0.2], "curve_label": "c"}, r"shape \(2,\).*column_stack"),
        ({"curve": np.ones((2, 3)), "curve_label": "c"}, r"shape \(2, 3\); expected \(P, 2\)"),
        ({"curve": [(-4, 0.1), (0, 0.1)], "curve_label": "c"}, "from -4 to 0, but the edges from -3 to 6"),
        ({"curve": [(-2, 0.1), (0, -0.1)], "curve_label": "c"}, r"density -0\.1"),
    ],
)
def test_bad_input_is_explained(changes, message):
    """What cannot be drawn raises a ValueError that says what was got, what was expected and what to do."""
    with pytest.raises(ValueError, match=message):
        draw(**changes)
