import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from helpers.draw import palette

colors = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


def test_contrast_is_that_of_wcag(contrast):
    """The course's contrast equals an independent writing of the formula, and its two known ends."""
    assert palette.contrast("#ffffff", "#000000") == 21
    assert palette.contrast("#777777", "#777777") == 1
    for color in (*palette.WEIGHTS, *palette.SCORES, palette.QUERY):
        assert palette.contrast(color, palette.INK) == pytest.approx(contrast(color, palette.INK), abs=1e-6)


def test_every_written_color_reads_on_the_card(contrast):
    """Roles, inks and verdicts reach 4.5:1 on the white card."""
    names = ("QUERY", "KEY", "VALUE", "INK", "SECONDARY", "RIGHT", "NOT_YET", "ERROR")
    assert [name for name in names if contrast(getattr(palette, name), palette.CARD) < 4.5] == []


@given(fill=colors, quiet=st.booleans())
@example(fill="#787878", quiet=False)
def test_readable_reaches_the_contrast_on_any_fill(contrast, fill, quiet):
    """Whatever the fill, text on what comes back has a contrast of at least 4.5:1."""
    assert contrast(*palette.readable(fill, quiet=quiet)) >= 4.5 - 1e-6


@given(fill=colors)
def test_readable_moves_only_fills_from_the_band(contrast, fill):
    """A fill on which ink or white reads comes back as it is."""
    if max(contrast(fill, text) for text in (palette.INK, palette.WHITE)) >= 4.5 + 1e-6:
        assert palette.readable(fill)[0] == fill


def test_the_band_exists():
    """There are weights whose own color carries neither ink nor white, so the move is needed."""
    ramp = [palette.weight_color(w / 100) for w in range(101)]
    assert any(palette.readable(fill)[0] != fill for fill in ramp)


def test_weight_color_meets_the_stops():
    """The ramp passes through its five colors at 0, .25, .5, .75 and 1, and is clipped beyond them."""
    assert [palette.weight_color(w) for w in (0, 0.25, 0.5, 0.75, 1)] == list(palette.WEIGHTS)
    assert palette.weight_color(-1) == palette.WEIGHTS[0]
    assert palette.weight_color(2) == palette.WEIGHTS[4]


@given(st.lists(st.floats(0, 1), min_size=2, max_size=2).map(sorted))
def test_larger_weights_are_darker(contrast, pair):
    """Also after the move off the band, a larger weight is never drawn lighter than a smaller one."""
    light, dark = (palette.readable(palette.weight_color(w))[0] for w in pair)
    # A channel is a whole number, so neighbors may differ by one step of one channel.
    assert contrast(dark, "#ffffff") >= contrast(light, "#ffffff") - 0.05


def test_score_color_is_symmetric_around_zero():
    """Zero has the middle color, both limits have the ends, and what lies beyond is clipped."""
    assert [palette.score_color(s, 30) for s in (-30, 0, 30)] == list(palette.SCORES)
    assert palette.score_color(99, 30) == palette.SCORES[2]


@given(st.floats(-1, 1))
def test_ink_reads_on_every_value(contrast, v):
    """The calm ramp of plain values takes ink from end to end."""
    assert contrast(palette.value_color(v, 1), palette.INK) >= 4.5


def test_role_color_follows_the_words():
    """An axis that begins with a role has its color; any other is secondary."""
    words = ("queries n", "query", "Keys m", "key", "values", "dimensions", "")
    expected = [palette.QUERY] * 2 + [palette.KEY] * 2 + [palette.VALUE] + [palette.SECONDARY] * 2
    assert [palette.role_color(w) for w in words] == expected
