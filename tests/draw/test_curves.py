import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.draw import curves, palette

SVG = "{http://www.w3.org/2000/svg}"
X = list(range(-4, 5))
TENT = [4 - abs(x) for x in X]
SLOPE = [x / 2 for x in X]


def draw(lines=(TENT, SLOPE), x=X, **changes):
    """Return curves, with ordinary options but for the changes."""
    options = {
        "title": "Near positions agree",
        "description": "d",
        "labels": ["tent", "slope"][: len(lines)],
        "x_axis": "offset",
        "y_axis": "dot product",
    }
    return curves(x, lines, **options | changes)


def lines_of(picture):
    """Return the points of each line, without the samples in the legend."""
    places = [e.attrib["points"].split() for e in picture.root.iter(f"{SVG}polyline")]
    return [[tuple(map(float, p.split(","))) for p in line] for line in places if len(line) > 2]


def center(text):
    """Return the middle of a text across, and a little above its baseline, where the tick is."""
    return (text.box.left + text.box.right) / 2, (text.box.top + text.box.bottom) / 2 - 1.2


def test_lines_run_through_their_points(read):
    """Points stand over their tick on the horizontal axis, level with their tick on the vertical one."""
    picture = read(draw([TENT], limit=4))
    (line,) = lines_of(picture)
    ticks = {text.words: center(text) for text in picture.texts}
    assert line[0][0] == pytest.approx(ticks["−4"][0], abs=0.1)
    assert line[2][0] == pytest.approx(ticks["−2"][0], abs=0.1)
    level = next(text for text in picture.texts if text.words == "2")  # the vertical axis is written first
    assert line[2][1] == pytest.approx(center(level)[1], abs=0.2)
    assert line[0][1] - line[4][1] == pytest.approx(65, abs=0.2), "from 0 to the limit"


def test_the_vertical_axis_has_both_signs(read):
    """Both sides of zero reach equally far, whatever the signs of the numbers."""
    (tent,) = lines_of(read(draw([TENT], limit=8)))
    assert tent[0][1] - tent[4][1] == pytest.approx(32.5, abs=0.2), "a half of the half above zero"
    (slope,) = lines_of(read(draw([SLOPE], limit=2)))
    assert slope[0][1] - slope[8][1] == pytest.approx(130, abs=0.2)
    assert "−4" in read(draw([TENT], x=[x + 4 for x in X])).words


def test_each_line_is_known_without_color(read):
    """Every line has a dash pattern of its own, and the legend shows it before the line's words."""
    picture = read(draw([TENT] * 4, labels=["a", "b", "c", "e"]))
    elements = list(picture.root.iter(f"{SVG}polyline"))
    dashes = [element.attrib.get("stroke-dasharray", "") for element in elements]
    assert sorted(dashes) == sorted(2 * list(dict.fromkeys(dashes)))
    assert len(set(dashes)) == 4
    samples = [element for element in elements if len(element.attrib["points"].split()) == 2]
    for sample, words in zip(samples, "abce", strict=True):
        x, y = map(float, sample.attrib["points"].split()[1].split(","))
        assert picture.find(words).fill == sample.attrib["stroke"]
        assert picture.find(words).box.left == pytest.approx(x + 8, abs=0.2)
        assert picture.find(words).box.top < y < picture.find(words).box.bottom


def test_a_mark_stands_at_its_point_with_the_numbers(read):
    """The mark crosses each line at the marked point, and the numbers there are written."""
    picture = read(draw(marked=5))
    dots = [(float(e.attrib["cx"]), float(e.attrib["cy"])) for e in picture.root.iter(f"{SVG}circle")]
    assert dots == [line[5] for line in lines_of(picture)]
    assert center(picture.find("at 1"))[0] == pytest.approx(dots[0][0], abs=0.1)
    assert {"tent: 3.00", "slope: .50"} <= set(picture.words)
    assert "3.00 at 1" in read(draw([TENT], marked=5)).words
    assert not list(read(draw()).root.iter(f"{SVG}circle"))


@given(
    lines=st.lists(st.lists(st.floats(-150, 150), min_size=9, max_size=9), min_size=2, max_size=2),
    marked=st.integers(0, 8),
)
def test_no_size_depends_on_the_numbers(read, lines, marked):
    """Under one limit the picture keeps its size, whatever the numbers and wherever the mark."""
    plain, picture = (read(draw(numbers, limit=150, marked=m)) for numbers, m in (((TENT, SLOPE), 0), (lines, marked)))
    assert picture.frame == plain.frame
    assert picture.find("−4").box == plain.find("−4").box
    assert picture.find("offset").box == plain.find("offset").box


@given(
    data=st.data(),
    labels=st.lists(st.text(st.characters(codec="latin-1"), max_size=60), min_size=1, max_size=4),
    start=st.floats(-1e6, 1e6),
    steps=st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=30),
    end=st.sampled_from([1e-6, 1.0, 1e12]),
)
def test_any_numbers_leave_the_picture_legible(read, contrast, data, labels, start, steps, end):
    """Whatever numbers and words: nothing outside, nothing overlapping, every color readable on the card."""
    x = start + np.cumsum([0, *steps])
    line = st.lists(st.floats(-end, end), min_size=len(x), max_size=len(x))
    lines = data.draw(st.lists(line, min_size=len(labels), max_size=len(labels)))
    marked = data.draw(st.none() | st.integers(0, len(steps)))
    picture = read(draw(lines, x=x, labels=labels, marked=marked, x_axis=labels[0], y_axis=labels[-1]))
    picture.assert_legible()
    assert all(contrast(text.fill, palette.CARD) >= 4.5 for text in picture.texts)


def test_pictures_share_a_page_and_repeat():
    """The same numbers give the same bytes, also with noise in the last digits, and no id."""
    assert draw(marked=2) == draw(np.array([TENT, SLOPE]) + 1e-14, np.array(X) - 1e-14, marked=2)
    assert not re.search(r"\bid=", draw(marked=2))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lines": TENT, "labels": ["tent"]}, r"shape \(9,\).*two axes.*lines\[None, :\]"),
        ({"lines": [[np.inf] * 9]}, "inf"),
        ({"lines": np.ones((9, 2))}, r"shape \(9, 2\); expected at most 4 rows of 9"),
        ({"lines": np.ones((5, 9))}, r"shape \(5, 9\); expected at most 4 rows"),
        ({"x": X[::-1]}, r"x\[1\] is 3, after 4; expected growing"),
        ({"x": [1]}, "x holds 1 number"),
        ({"labels": ["tent"]}, "labels has 1 labels, but there are 2 lines"),
        ({"marked": 9}, "marked is 9; expected 0 to 8, as there are 9 points"),
        ({"limit": 1}, "limit is 1, but the largest magnitude is 4"),
    ],
)
def test_bad_input_is_explained(changes, message):
    """What cannot be drawn raises a ValueError that says what was got, what was expected and what to do."""
    with pytest.raises(ValueError, match=message):
        draw(**changes)
