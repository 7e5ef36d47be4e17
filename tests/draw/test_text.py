import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.draw.text import (
    clean,
    difference_text,
    score_text,
    shorten,
    text_width,
    tick_text,
    value_text,
    weight_text,
    wrap,
)


@pytest.mark.parametrize(
    ("w", "expected"),
    [(0, ""), (0.0049, ""), (0.005, ".01"), (0.83, ".83"), (0.5, ".50"), (0.995, ".99"), (0.9951, "1"), (1, "1")],
)
def test_weights_are_written_short(w, expected):
    """A weight has two decimals and no leading zero; it is blank below .005 and 1 above .995."""
    assert weight_text(w) == expected


@pytest.mark.parametrize(
    ("d", "expected"),
    [(0.83, "+.83"), (-0.94, "−.94"), (1, "+1"), (-0.996, "−1"), (0, "0"), (0.0049, "0"), (-0.0049, "0")],
)
def test_differences_are_written_as_weights_with_a_sign(d, expected):
    """A difference of weights has a sign and is as short as a weight; what rounds to zero is 0."""
    assert difference_text(d) == expected


@pytest.mark.parametrize(
    ("s", "expected"),
    [(1.2, "+1.20"), (-0.35, "−.35"), (0, "0"), (0.004, "0"), (-0.004, "0"), (-30, "−30.00")],
)
def test_scores_are_written_with_their_sign(s, expected):
    """A score has a sign and two decimals; what rounds to zero has no sign."""
    assert score_text(s) == expected


def test_long_numbers_stay_short():
    """No finite number takes more than nine characters."""
    assert [value_text(v) for v in (99.99, 99.996, -12345.6, 1e5, 1e300)] == [
        "99.99",
        "100",
        "−12346",
        "1.0e5",
        "1.0e300",
    ]


def test_ticks_are_written_without_spare_zeros():
    """A tick shows the digits it needs and a true minus sign."""
    assert [tick_text(t) for t in (-20.0, -0.0, 0.5, 2e5, 5e-9)] == ["−20", "0", "0.5", "2e5", "5e−9"]


@pytest.mark.parametrize("weight", [400, 700])
def test_width_is_never_underestimated(advance, weight):
    """For each Latin, Greek and Cyrillic letter the estimate is at least the width in DejaVu Sans."""
    characters = [
        c for c in map(chr, [*range(0x20, 0x7F), *range(0xA1, 0x180), *range(0x391, 0x460)]) if c.isprintable()
    ]
    short = [c for c in characters if text_width(c, 10, bold=weight > 400) < advance(c, 10, weight) - 1e-9]
    assert not short


@given(words=st.text(), room=st.floats(20, 200))
def test_shorten_keeps_to_the_room(words, room):
    """A shortened label fits, and one that fits is left alone."""
    short = shorten(words, room, 13)
    assert text_width(short, 13) <= room
    assert short == words or (short.endswith("…") and text_width(words, 13) > room)


@given(words=st.text(alphabet="ab W", max_size=200), room=st.floats(60, 300))
def test_wrap_keeps_to_the_room_and_loses_no_short_word(words, room):
    """Every line fits, and all words that fit on a line come out in order."""
    lines = wrap(words, room, 15)
    assert all(text_width(line, 15) <= room for line in lines)
    if all(text_width(word, 15) <= room for word in words.split()):
        assert " ".join(lines).split() == words.split()


def test_clean_takes_out_what_xml_cannot_hold():
    """Control characters and lone surrogates are replaced, white space becomes one space."""
    assert clean(" a\tb\n\nc ") == "a b c"
    assert clean("\x00\x1b\ud800\uffff") == "\N{REPLACEMENT CHARACTER}" * 4
    assert clean(7) == "7"
