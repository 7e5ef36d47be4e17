import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.draw import Arrow, palette, plane

SVG = "{http://www.w3.org/2000/svg}"
KEYS = [Arrow(2, 0, "Ada", "key"), Arrow(0, 2, "fed", "key"), Arrow(-2, 0, "the", "key"), Arrow(0, -2, "cat", "key")]
QUERY = Arrow(1.2, 1.6, "it", "query")


def draw(*arrows, **changes):
    """Return a plane, with ordinary options but for the changes."""
    return plane(arrows, **{"title": "“it” points between “Ada” and “fed”", "description": "d"} | changes)


def heads(picture):
    """Return each arrow head as its corners, the tip first."""
    for polygon in picture.root.iter(f"{SVG}polygon"):
        yield [tuple(map(float, point.split(","))) for point in polygon.attrib["points"].split()]


def hits(head, box):
    """Return whether a triangle comes into a box, by looking at points all over it."""
    (ax, ay), (bx, by), (cx, cy) = head
    steps = [(i / 8, j / 8) for i in range(9) for j in range(9 - i)]
    points = [(ax + u * (bx - ax) + v * (cx - ax), ay + u * (by - ay) + v * (cy - ay)) for u, v in steps]
    return any(box.left < x < box.right and box.top < y < box.bottom for x, y in points)


def test_arrows_point_where_their_numbers_say(read):
    """Right is the first number, up is the second, and both axes have one scale."""
    picture = read(draw(*KEYS))
    (right, up, left, down) = [head[0] for head in heads(picture)]
    center = ((right[0] + left[0]) / 2, (up[1] + down[1]) / 2)
    reach = right[0] - center[0]
    assert reach > 100
    assert right == pytest.approx((center[0] + reach, center[1]), abs=0.2)
    assert up == pytest.approx((center[0], center[1] - reach), abs=0.2)


def test_roles_are_said_in_color_and_in_words(read):
    """Each label has the color of its role, and the legend names the role in words."""
    picture = read(draw(*KEYS, QUERY, Arrow(1, -1, "v1", "value")))
    assert picture.find("it").fill == palette.QUERY
    assert picture.find("Ada").fill == palette.KEY
    assert picture.find("v1").fill == palette.VALUE
    assert {"query: it", "keys: Ada, fed, the, cat", "value: v1"} <= set(picture.words)


def test_a_zero_vector_is_a_dot(read):
    """An arrow without length is a labeled dot, and has no head."""
    picture = read(draw(Arrow(0, 0, "nothing", "value"), Arrow(1, 1, "x1", "key")))
    (dot,) = picture.root.iter(f"{SVG}circle")
    assert dot.attrib["fill"] == palette.VALUE
    assert len(list(heads(picture))) == 1
    assert "nothing" in picture.words


def test_a_key_on_its_query_hides_nothing(read):
    """Of two equal vectors the query is drawn first and larger, so both are seen."""
    picture = read(draw(Arrow(1, 2, "cat", "key"), Arrow(1, 2, "it", "query")))
    query, key = picture.root.iter(f"{SVG}polygon")
    assert (query.attrib["fill"], key.attrib["fill"]) == (palette.QUERY, palette.KEY)
    sizes = [math.dist(head[0], head[1]) for head in heads(picture)]
    assert sizes[0] > sizes[1] + 2


@settings(max_examples=60)
@given(
    angles=st.lists(st.integers(0, 23), min_size=1, max_size=8),
    lengths=st.lists(st.sampled_from([0.3, 1.0, 2.0]), min_size=8, max_size=8),
    tokens=st.lists(st.text(st.characters(codec="latin-1"), max_size=12), min_size=8, max_size=8),
    roles=st.lists(st.sampled_from(["query", "key", "value"]), min_size=8, max_size=8),
)
def test_labels_keep_off_heads_and_each_other(read, angles, lengths, tokens, roles):
    """Up to eight arrows, also of the same direction and length: each label stands free, inside the picture."""
    arrows = [
        Arrow(length * math.cos(angle * math.pi / 12), length * math.sin(angle * math.pi / 12), token, role)
        for angle, length, token, role in zip(angles, lengths, tokens, roles, strict=False)
    ]
    picture = read(draw(*arrows))
    picture.assert_legible()
    for head in heads(picture):
        assert not any(hits(head, text.box) for text in picture.texts)


def test_equal_arrows_have_labels_apart(read):
    """Six keys on one spot still have six labels that can be read."""
    read(draw(*(Arrow(1, 1, f"token {i}", "key") for i in range(6)))).assert_legible()


def test_planes_can_share_their_axes(read):
    """With a common limit the same arrow has the same tip, whatever lies beside it."""
    pictures = (read(draw(Arrow(1, 1, "a", "key"), Arrow(s, 0, "b", "key"), limit=4)) for s in (1, 4))
    one, other = (set(map(tuple, heads(picture))) for picture in pictures)
    assert len(one & other) == 1


def test_pictures_share_a_page_and_repeat(read):
    """The same numbers give the same bytes, also with noise in the last digits; no marker, no id; tokens escaped."""
    svg = draw(*KEYS, QUERY._replace(label='<b>&"'))
    assert svg == draw(*(a._replace(x=a.x + 1e-14, y=a.y - 1e-14) for a in KEYS), QUERY._replace(label='<b>&"'))
    assert not re.search(r"\bid=|<marker|<b>", svg)
    assert 'query: <b>&"' in read(svg).words


@pytest.mark.parametrize(
    ("arrows", "changes", "message"),
    [
        ([], {}, "Pass at least one Arrow"),
        ([Arrow(math.nan, 0, "a", "key")], {}, "nan"),
        ([Arrow(1, 0, "a", "keys")], {}, "role of arrow 'a' is 'keys'; expected one of 'query', 'key', 'value'"),
        ([Arrow(3, 0, "a", "key")], {"limit": 2}, "limit is 2, but the largest magnitude is 3"),
    ],
)
def test_bad_input_is_explained(arrows, changes, message):
    """What cannot be drawn raises a ValueError that says what was got, what was expected and what to do."""
    with pytest.raises(ValueError, match=message):
        draw(*arrows, **changes)
