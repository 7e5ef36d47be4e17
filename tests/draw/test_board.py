import re
from xml.etree import ElementTree

import pytest

from helpers.draw import bars, board
from helpers.draw.board import GAP, size

SVG = "{http://www.w3.org/2000/svg}"


def card(title="a card", track=100):
    """Return a small picture."""
    return bars([0.5, 0.5], title=title, description="two bars", labels=["a", "b"], track=track)


def places(svg):
    """Return left, top, width and height of each card on a board."""
    inner = ElementTree.fromstring(svg).findall(f"{SVG}svg")  # noqa: S314  our own picture
    return [tuple(float(one.attrib[name]) for name in ("x", "y", "width", "height")) for one in inner]


def draw(pictures, **changes):
    """Return a board, with ordinary options but for the changes."""
    return board(pictures, **{"title": "two cards", "description": "d", "width": 700} | changes)


def test_a_row_is_filled_before_the_next_begins():
    """Cards stand from left to right with a gap, and a new row begins where the next would not fit."""
    width, height = size(card())

    assert [place[:2] for place in places(draw([card()] * 3, width=2 * width + GAP))] == [
        (0, 0),
        (pytest.approx(width + GAP, abs=0.1), 0),
        (0, pytest.approx(height + GAP, abs=0.1)),
    ]


def test_no_card_leaves_the_board():
    """The view box holds every card, one that is wider than a row too."""
    svg = draw([card(), card(track=500), card()], width=300)
    width, height = size_of_board(svg)

    assert all(x + wide <= width + 0.1 and y + high <= height + 0.1 for x, y, wide, high in places(svg))


def size_of_board(svg):
    """Return the size in the view box."""
    return tuple(map(float, ElementTree.fromstring(svg).attrib["viewBox"].split()[2:]))  # noqa: S314  our own picture


def test_the_board_speaks_for_its_cards():
    """Title and description come first, as text; what a card says of itself stays inside it."""
    root = ElementTree.fromstring(draw([card()], title="<b>", description="a & b"))  # noqa: S314  our own picture

    assert [root[0].text, root[1].text] == ["<b>", "a & b"]
    assert root.find(f"{SVG}svg/{SVG}title").text == "a card"


@pytest.mark.parametrize(("pictures", "said"), [([], "got no picture"), (["<p>"], "got '<p>'; expected an SVG string")])
def test_what_is_no_picture_is_refused(pictures, said):
    """Nothing, and anything else than a picture of ours, is refused with what was got."""
    with pytest.raises(ValueError, match=re.escape(said)):
        draw(pictures)
