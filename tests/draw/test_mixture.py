import math
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.draw import mixture, palette
from helpers.draw.board import size

SVG = "{http://www.w3.org/2000/svg}"
VALUES = [[3.0, -1.0, -3.0, 1.0], [1.0, 3.0, -1.0, -3.0]]
LABELS = ["v1", "v2", "v3", "v4"]


def draw(weights=(0.25, 0.25, 0.25, 0.25), values=VALUES, **changes):
    """Return a mixture, with ordinary options but for the changes."""
    return mixture(
        values, weights, **{"title": "A mixture", "description": "d", "labels": LABELS, "limit": 4.0} | changes
    )


def circles(svg):
    """Return middle, radius and fill of each circle: the values in their order, then the mixture."""
    found = ElementTree.fromstring(svg).iter(f"{SVG}circle")  # noqa: S314  our own picture
    return [(float(c.attrib["cx"]), float(c.attrib["cy"]), float(c.attrib["r"]), c.attrib["fill"]) for c in found]


def in_units(svg, x, y):
    """Return what a place on the card means, read off the square around the origin."""
    frame = next(r for r in ElementTree.fromstring(svg).iter(f"{SVG}rect") if r.attrib["fill"] == "none")  # noqa: S314  ours
    left, top, side = (float(frame.attrib[name]) for name in ("x", "y", "width"))
    return 8 * (x - left) / side - 4, 4 - 8 * (y - top) / side


def shares(count=4):
    """Return a strategy for weights that sum to one."""
    parts = st.lists(st.floats(0, 1), min_size=count, max_size=count).filter(lambda parts: sum(parts) > 0.01)
    return parts.map(lambda parts: [part / sum(parts) for part in parts])


@given(shares())
@settings(max_examples=50)
def test_the_ring_is_where_the_weights_put_it(weights):
    """The ring's middle is the sum of the values, each times its weight; the dots stand on the values."""
    svg = draw(weights)
    *dots, ring = circles(svg)

    assert in_units(svg, *ring[:2]) == pytest.approx(np.array(VALUES) @ weights, abs=0.01)
    for dot, value in zip(dots, np.transpose(VALUES), strict=True):
        assert in_units(svg, *dot[:2]) == pytest.approx(value, abs=0.01)


def test_the_area_of_a_dot_grows_with_its_share():
    """Above the smallest dot, area is proportional to the weight: twice the share, twice the area."""
    *dots, _ = circles(draw([0.0, 0.2, 0.4, 0.4]))
    nothing, one, two, other = (math.pi * dot[2] ** 2 for dot in dots)

    assert (two - nothing) / (one - nothing) == pytest.approx(2, rel=0.05)  # radii have one decimal
    assert two == other


def test_the_hull_holds_every_value_as_a_corner():
    """Four values in convex position are the corners of the shaded polygon; one inside is not."""

    def corners(svg):
        points = next(ElementTree.fromstring(svg).iter(f"{SVG}polygon")).attrib["points"]  # noqa: S314  our own picture
        return len(points.split())

    assert corners(draw()) == 4
    assert corners(draw([0.2] * 5, np.hstack([VALUES, [[0.0], [0.0]]]), labels=[*LABELS, "v5"])) == 4


@given(shares())
@settings(max_examples=25)
def test_no_size_depends_on_the_weights(weights):
    """Whatever the weights, the card has one size."""
    assert size(draw(weights)) == size(draw())


def test_it_can_be_read(read):
    """All words keep on the card and off each other, and the two kinds of marks are said in words."""
    picture = read(draw([1, 0, 0, 0]))

    picture.assert_legible()
    assert picture.find("v1").fill == palette.VALUE
    assert "output: the ring" in picture.words


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([0.5, 0.5], "got 2 weights for 4 values"),
        ([0.5, 0.5, 0.5, 1.5], r"got the weight 1.5 at index \[3\]"),
        ([1, 1, 0, 0], "the largest magnitude is"),
    ],
)
def test_what_cannot_be_drawn_is_refused(weights, said):
    """Too few weights, weights above one, and a mixture off the plane are told with their numbers."""
    with pytest.raises(ValueError, match=said):
        draw(weights, limit=3.5)


def test_values_that_are_no_places_are_refused():
    """A value of three numbers has no place on a plane; the message says what was got and what to pass."""
    with pytest.raises(ValueError, match=r"got values of 3 numbers each; expected 2.*Pass values of shape \(2, N\)"):
        draw(values=np.ones((3, 4)))
