"""The pictures of how exercises stand: tiles of one student, shares of a class, the mosaic of all."""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.draw import mosaic, palette, shares, tiles
from helpers.draw.shares import percent
from helpers.draw.standing import FILLS, OUTLINE, STANDINGS

WORDS = {"title": "8 of 9 are right", "description": "d"}
ROWS = [["right", "not yet", "error", "to do"], ["right", "right"]]
COUNTS = [[6, 2, 1, 1], [0, 0, 0, 0], [10, 0, 0, 0]]

standings = st.sampled_from(STANDINGS)
lines = st.text(st.characters(codec="latin-1"), max_size=60)


def draw_tiles(rows=ROWS, **changes):
    """Return tiles, with ordinary options but for the changes."""
    return tiles(rows, **{**WORDS, "labels": [f"{k} · One head" for k in range(len(rows))]} | changes)


def draw_shares(counts=COUNTS, **changes):
    """Return shares, with ordinary options but for the changes."""
    return shares(counts, **{**WORDS, "labels": [f"1.{k} Mix the rows" for k in range(len(counts))]} | changes)


def draw_mosaic(rows, groups, **changes):
    """Return a mosaic, with ordinary options but for the changes."""
    return mosaic(rows, groups, **{**WORDS, "labels": [str(k) for k in range(len(groups))]} | changes)


def areas(svg):
    """Return how large the area of each standing is in a mosaic."""
    found = {}
    for fill in FILLS.values():
        path = re.search(rf'<path d="([^"]*)" fill="{fill}"/>', svg)
        cells = re.findall(r"h([\d.]+)v([\d.]+)h-", path[1] if path else "")
        found[fill] = sum(float(across) * float(down) for across, down in cells)
    return found


def test_the_looks_differ_without_color(contrast):
    """Each two fills differ in lightness by at least 1.5 to 1, as a print without colors shows them."""
    for one, other in combinations(FILLS.values(), 2):
        assert contrast(one, other) >= 1.5, (one, other)
    assert contrast(OUTLINE, palette.CARD) >= 3


def test_each_tile_has_the_mark_of_its_standing(read):
    """A tile is a square in its color; a check has one stroke, a cross two, a dot is a circle, the last is empty."""
    picture = read(draw_tiles([["right", "not yet", "error", "to do"]]))
    fills = [rect.fill for rect in picture.rects]
    shapes = [element.tag.rpartition("}")[2] for element in picture.root]

    assert fills[:4] == [FILLS["right"], FILLS["not yet"], FILLS["error"], palette.CARD]
    assert fills[4:] == fills[:4], "the legend shows the same four"
    assert (shapes.count("polyline"), shapes.count("circle")) == (2 * 3, 2 * 1)


def test_tiles_stand_beside_their_label(read):
    """The tiles of a row are level with its label, and right of every label."""
    picture = read(draw_tiles())
    first, second = picture.find("0 · One head").box, picture.find("1 · One head").box
    upper, lower = picture.rects[:4], picture.rects[4:6]
    for rects, label in ((upper, first), (lower, second)):
        for rect in rects:
            assert rect.box.top < (label.top + label.bottom) / 2 < rect.box.bottom
            assert rect.box.left > max(first.right, second.right)


def test_the_tiles_of_the_course_fit_on_a_telephone(read):
    """Six rows of up to eight tiles with the course's titles are not wider than 390 px less the page's margins."""
    titles = ["One head", "Scaling", "Two heads", "Concatenation", "Positions", "The layer"]
    rows = [["to do"] * size for size in (5, 5, 4, 5, 8, 6)]
    picture = read(draw_tiles(rows, labels=[f"{k} · {title}" for k, title in enumerate(titles, start=1)]))
    assert picture.frame.right <= 390 - 2 * 14


def test_a_bar_is_split_by_its_counts(read):
    """The parts of a bar are as long as their counts, in the order of the legend, and fill it."""
    rects = read(draw_shares()).rects
    track = next(rect.box for rect in rects if rect.stroke == OUTLINE)
    length = track.right - track.left - 1
    parts = [rect.box for rect in rects if rect.fill in FILLS.values()][:4]
    assert [one.right - one.left for one in parts] == pytest.approx([length * n / 10 for n in (6, 2, 1, 1)], abs=1.2)
    assert parts == sorted(parts)
    assert parts[-1].right == pytest.approx(track.right - 0.5, abs=0.2)


def test_the_share_of_right_ones_is_written(read):
    """60 % for 6 of 10, nothing where there is no answer, 100 % where all are right."""
    words = read(draw_shares()).words
    assert [word for word in words if word.endswith("%")] == ["60 %", "100 %"]


@pytest.mark.parametrize(
    ("part", "total", "text"),
    [
        (0, 7, "0 %"),
        (7, 7, "100 %"),
        (1, 2, "50 %"),
        (1, 8, "13 %"),
        (999, 1000, "99 %"),
        (1, 1000, "1 %"),
        (0, 0, ""),
    ],
)
def test_a_share_that_is_not_all_is_never_written_so(part, total, text):
    """Percents are rounded half up, but 999 of 1,000 is not all and 1 of 1,000 is not none."""
    assert percent(part, total) == text


def test_the_mosaic_gives_each_standing_its_area():
    """The area of a color is the number of its cells, whatever the order of the rows."""
    rows = [["right", "right", "to do"], ["right", "error", "to do"], ["not yet", "right", "to do"]]
    area = areas(draw_mosaic(rows, [2, 1]))
    cell = area[FILLS["error"]]
    assert cell > 100
    assert area == pytest.approx(
        {FILLS["right"]: 4 * cell, FILLS["not yet"]: cell, FILLS["error"]: cell, FILLS["to do"]: 3 * cell}, rel=0.01
    )


def test_a_large_class_takes_no_more_room_than_a_small_one(read):
    """3,000 students are drawn as high as 500, and below 200 kB where they are sorted."""
    sizes = []
    for n in (500, 3000):
        rows = [["right"] * (33 - 33 * k // n) + ["to do"] * (33 * k // n) for k in range(n)]
        svg = draw_mosaic(rows, [5, 5, 4, 5, 8, 6])
        sizes.append(read(svg).frame)
        assert len(svg) < 200_000
    assert sizes[0] == sizes[1]


@given(
    data=st.data(),
    labels=st.lists(lines, min_size=1, max_size=6),
    title=lines,
)
def test_any_class_leaves_the_pictures_legible(read, contrast, data, labels, title):
    """Whatever labels, counts and standings: nothing outside, nothing overlapping, every text readable."""
    size = {"min_size": len(labels), "max_size": len(labels)}
    rows = data.draw(st.lists(st.lists(standings, max_size=8), **size))
    counts = data.draw(st.lists(st.lists(st.integers(0, 10_000), min_size=4, max_size=4), **size))
    groups = data.draw(st.lists(st.integers(1, 8), **size))
    crowd = data.draw(st.lists(st.lists(standings, min_size=sum(groups), max_size=sum(groups)), min_size=1, max_size=9))
    for svg in (
        draw_tiles(rows, labels=labels, title=title),
        draw_shares(counts, labels=labels, title=title),
        draw_mosaic(crowd, groups, labels=labels, title=title),
    ):
        picture = read(svg)
        picture.assert_legible()
        assert all(contrast(text.fill, palette.CARD) >= 4.5 for text in picture.texts)


@given(st.lists(st.lists(standings, min_size=2, max_size=2), min_size=2, max_size=2))
def test_nothing_moves_with_the_standings(read, rows):
    """A picture of the same course has one size, whatever is right."""
    before = [["to do"] * 2] * 2
    assert read(draw_tiles(rows)).frame == read(draw_tiles(before)).frame
    assert read(draw_mosaic(rows, [1, 1])).frame == read(draw_mosaic(before, [1, 1])).frame


def test_pictures_share_a_page_and_repeat():
    """The same numbers give the same bytes, also with noise in the last digits, and no id."""
    assert draw_shares() == draw_shares(np.array(COUNTS) + 1e-12)
    for svg in (draw_shares(), draw_tiles(), draw_mosaic([["right"]], [1])):
        assert not re.search(r"\bid=", svg)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: draw_tiles([]), "rows is empty"),
        (lambda: draw_tiles([["wrong"]]), "got the standing 'wrong'; expected one of 'right'"),
        (lambda: draw_tiles(labels=["a"]), "labels has 1 labels, but there are 2 rows"),
        (lambda: draw_tiles(notes=[["a"]]), "notes has another shape"),
        (lambda: draw_shares([[1, 2, 3]]), r"shape \(1, 3\); expected \(M, 4\)"),
        (lambda: draw_shares([[1, 2, 3, -1]]), "whole numbers from 0 up"),
        (lambda: draw_shares([[1, 2, 3, 0.5]]), "whole numbers from 0 up"),
        (lambda: draw_mosaic([], [1]), "expected at least one row"),
        (lambda: draw_mosaic([["right"]], [2]), "2 entries in each"),
        (lambda: draw_mosaic([["right"], []], [1]), r"entries"),
    ],
)
def test_bad_input_is_explained(draw, message):
    """What cannot be drawn raises a ValueError that says what was got, what was expected and what to do."""
    with pytest.raises(ValueError, match=message):
        draw()
