import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.draw import heat_map, palette
from helpers.draw.board import size

WORDS = ["Ada", "fed", "the", "cat", "it", "purred"]

# What is written in the course, beside what students may type. Scripts that DejaVu Sans sets wider than estimated
# (Canadian syllabics, Ogham) may be cut off late and are left out.
labels = st.text(alphabet=st.one_of(st.characters(codec="latin-1"), st.sampled_from("жщΩ漢字…−<&\"'")), max_size=40)


def attention(M=6, N=6, seed=0):
    """Return weights whose columns sum to one."""
    S = np.random.RandomState(seed).randn(M, N) * 2
    e = np.exp(S - S.max(axis=0))
    return e / e.sum(axis=0)


def draw(values=None, **changes):
    """Return a heat map, with ordinary options but for the changes."""
    values = attention() if values is None else values
    M, N = np.shape(values)
    options = {"title": "Who reads whom", "description": "d", "rows": WORDS * 11, "columns": WORDS * 11} | changes
    return heat_map(values, **options | {"rows": options["rows"][:M], "columns": options["columns"][:N]})


def cells(picture):
    """Return the painted cells: what lies in the picture with neither outline nor strip."""
    return [rect for rect in picture.rects if not rect.stroke]


def test_one_cell_a_number_in_the_books_order(read):
    """Row m, column n of the matrix is the cell m down and n across, with its number inside."""
    A = np.array([[0.1, 0.3], [0.2, 0.3], [0.7, 0.4]])
    picture = read(draw(A))
    numbers = [text for text in picture.texts if text.words.startswith(".")]
    assert [text.words for text in numbers] == [".10", ".30", ".20", ".30", ".70", ".40"]
    assert all(number.box.inside(cell.box) for number, cell in zip(numbers, cells(picture), strict=True))
    boxes = [cell.box for cell in cells(picture)]
    assert boxes[0].left == boxes[2].left < boxes[1].left
    assert boxes[0].top == boxes[1].top < boxes[2].top


def test_column_sums_stand_under_weights_only(read):
    """By default weights have their column sums, scores have none, and either can be asked for."""
    assert read(draw()).words.count("1.00") == 6
    assert "sum" not in read(draw(sums=False)).words
    assert "sum" not in read(draw(kind="scores")).words
    sums = read(draw([[1.5, -2.0], [1.0, 1.0]], kind="scores", sums=True)).words
    assert sums[-2:] == ["2.50", "−1.00"]


def test_a_sum_that_is_not_one_is_shown_as_it_is(read):
    """Weights normalized along the wrong axis give themselves away under the map."""
    assert read(draw([[0.5, 0.5], [0.25, 0.75]])).words[-2:] == [".75", "1.25"]


@pytest.mark.parametrize("n", range(6))
def test_the_selected_column_is_outlined_and_bold(read, n):
    """One outline in the query color lies around the selected column alone, from its bold label to its sum."""
    picture = read(draw(selected=n))
    (outline,) = (rect.box for rect in picture.rects if rect.stroke)
    assert [rect.stroke for rect in picture.rects if rect.stroke] == [palette.QUERY]
    inside = [cell for cell in cells(picture) if cell.box.inside(outline)]
    assert inside == cells(picture)[n::6]
    bold = [text for text in picture.texts if text.weight == 700]
    assert [text.words for text in bold] == [WORDS[n], "1.00"]
    assert all(text.box.inside(outline) for text in bold)


def test_the_other_columns_fade(read):
    """Each fill outside the selected column gets lighter, each inside stays."""
    plain, chosen = cells(read(draw())), cells(read(draw(selected=2)))
    for i, (before, after) in enumerate(zip(plain, chosen, strict=True)):
        brighter = palette.contrast(after.fill, "#ffffff") < palette.contrast(before.fill, "#ffffff")
        assert brighter != (i % 6 == 2)


def test_the_other_columns_can_keep_their_colors(read):
    """Without fading a selection is an outline and a bold label: every cell has the fill it had."""
    plain, outlined = read(draw()), read(draw(selected=2, fades=False))
    assert [cell.fill for cell in cells(outlined)] == [cell.fill for cell in cells(plain)]
    assert [text.words for text in outlined.texts if text.weight == 700] == ["the", "1.00"]


def test_cells_can_be_as_wide_and_high_as_asked(read):
    """From one cell to the next it is `pitch` across and `row_pitch` down: 4 rows take the room of 16."""
    pictures = []
    for M in (4, 16):
        pictures.append(draw(attention(M, 8), rows=[str(m) for m in range(M)], pitch=12, row_pitch=48 // M))
        boxes = [cell.box for cell in cells(read(pictures[-1]))]
        assert boxes[1].left - boxes[0].left == pytest.approx(12)
        assert boxes[8].top - boxes[0].top == pytest.approx(48 / M)
    assert size(pictures[0]) == size(pictures[1])


def test_selecting_moves_nothing(read):
    """With another selection every text stands where it stood, so that a redrawn picture does not jump."""
    pictures = [read(draw(selected=n)) for n in (None, 0, 5)]
    assert len({picture.frame for picture in pictures}) == 1
    assert len({tuple((t.words, round(t.box.top, 6)) for t in picture.texts) for picture in pictures}) == 1
    assert len({tuple(cell.box for cell in cells(picture)) for picture in pictures}) == 1


@given(
    seed=st.integers(0, 99),
    kind=st.sampled_from(["weights", "differences", "scores", "values"]),
    n=st.none() | st.integers(0, 5),
)
def test_every_number_reads_on_its_cell(read, contrast, seed, kind, n):
    """Selected, faded or plain: the contrast of a number with its cell is at least 4.5:1."""
    picture = read(draw(attention(4, 6, seed), kind=kind, selected=n))
    for cell in cells(picture):
        for text in picture.texts:
            if text.box.inside(cell.box):
                assert contrast(text.fill, cell.fill) >= 4.5 - 1e-6


@settings(max_examples=60)
@given(
    rows=st.lists(labels, min_size=1, max_size=9),
    columns=st.lists(labels, min_size=1, max_size=24),
    title=labels,
    kind=st.sampled_from(["weights", "differences", "scores", "values"]),
    data=st.data(),
)
def test_any_tokens_leave_the_picture_legible(read, rows, columns, title, kind, data):
    """Whatever the tokens: well-formed XML, nothing outside, nothing overlapping, nothing under 11 px."""
    selected = data.draw(st.none() | st.integers(0, len(columns) - 1))
    A = attention(len(rows), len(columns))
    read(
        heat_map(A, title=title, description=title, rows=rows, columns=columns, kind=kind, selected=selected)
    ).assert_legible()


@pytest.mark.parametrize(("M", "N"), [(4, 6), (1, 1), (1, 9), (9, 1), (2, 40), (40, 2), (20, 20), (64, 64)])
def test_any_shape_is_drawn_whole(read, M, N):
    """Rectangular, tiny and large matrices have all their cells, legibly, in at most 640 px."""
    picture = read(draw(attention(M, N)))
    numbered = any(text.box.inside(cell.box) for text in picture.texts for cell in cells(picture))
    assert len(cells(picture)) == M * N + (0 if numbered else 11)
    assert picture.frame.right <= 640
    picture.assert_legible()


def test_numbers_are_dropped_in_cells_under_26_px(read):
    """Down to 26 px cells have numbers of the same size; below they have none, but a strip and a note on hovering."""
    seen = set()
    for N in range(1, 30):
        picture = read(draw(np.full((N, N), 1 / N)))
        box = cells(picture)[0].box
        large = min(box.right - box.left, box.bottom - box.top) >= 26
        numbers = [text.size for text in picture.texts if re.fullmatch(r"\.\d\d|1", text.words)][: N * N]
        assert numbers == [12] * N * N if large else len(numbers) <= 1  # the strip ends on 1
        notes = [element.text for element in picture.root.iter("{http://www.w3.org/2000/svg}title")][1:]
        assert bool(notes) != large
        seen.add(large)
    assert seen == {True, False}
    assert notes[1] == f"Ada, fed: {1 / N:.2f}".replace("0.", ".")


def test_the_selected_label_survives_thinning(read):
    """Where only every other label has room, the selected column's is among those written."""
    picture = read(draw(np.zeros((2, 64)), kind="scores", columns=[f"token{n}" for n in range(64)], selected=31))
    assert picture.find("token31").weight == 700
    assert "token30" not in picture.words


def test_long_labels_turn(read):
    """Column labels stay level while all of them fit, and turn together when one does not."""
    assert draw(row_axis="").count("rotate") == 0
    assert draw(row_axis="", columns=[*WORDS[:5], "internationalization"]).count("rotate") == 6


def test_axes_say_their_role_in_its_color(read):
    """Keys and queries are named in words, in their colors; values name neither."""
    picture = read(draw())
    assert picture.find("keys m").fill == palette.KEY
    assert picture.find("queries n").fill == palette.QUERY
    assert not {"keys m", "queries n"} & set(read(draw(kind="values")).words)
    assert read(draw(kind="values", column_axis="keys m")).find("keys m").fill == palette.KEY


def test_tokens_are_escaped(read):
    """Markup in a token, title or description is shown, not obeyed."""
    markup = '<b>&"'
    svg = draw(np.ones((1, 1)), rows=[markup], columns=[markup], title=markup, description=markup)
    assert "<b>" not in svg
    picture = read(svg)
    assert picture.words.count(markup) == 3
    assert [element.text for element in picture.root[:2]] == [markup, markup]


def test_pictures_can_share_a_page(read):
    """A picture has no id, names itself an image, and comes with a title and a description."""
    svg = draw(selected=1)
    assert not re.search(r"\bid=", svg)
    root = read(svg).root
    assert root.attrib["role"] == "img"
    assert [element.tag.rpartition("}")[2] for element in root[:2]] == ["title", "desc"]


def test_same_numbers_same_bytes():
    """Drawing twice, or with noise in the last digits as between numpy versions, gives the same bytes."""
    A = np.array([[0.125, 0.375], [0.875, 0.625]])
    assert draw(A) == draw(A) == draw(A + 1e-14) == draw(A - 1e-14) == draw(A.tolist())
    assert draw(A - A, kind="scores") == draw(-(A - A), kind="scores")


def test_the_input_is_left_alone():
    """Drawing changes no array."""
    A = attention()
    A.flags.writeable = False
    draw(A, selected=1)


def test_maps_can_share_a_scale(read):
    """With a common limit the same score has the same color in both maps."""
    one, other = (cells(read(draw([[3.0, s]], kind="scores", limit=30)))[0].fill for s in (4.0, 30.0))
    assert one == other


@pytest.mark.parametrize("kind", ["scores", "values"])
def test_the_full_color_can_come_before_the_limit(read, kind):
    """With `full` at 3 the numbers 3 and 9 share the darkest color, which is that of 20 on a scale up to 20."""
    early = [cell.fill for cell in cells(read(draw([[1.0, 3.0, 9.0]], kind=kind, limit=20, full=3)))]
    darkest = cells(read(draw([[20.0]], kind=kind, limit=20)))[0].fill

    assert early[1:] == [darkest, darkest]
    assert early[0] != darkest


def test_a_difference_has_the_size_of_the_weights(read):
    """With a common pitch a map of weights and one of their differences are equally large; differences sum to 0."""
    A = attention()
    weights = draw(A, pitch=41)
    difference = draw(A - A[:, ::-1], kind="differences", pitch=41)

    assert size(weights) == size(difference)
    assert size(weights)[0] < size(draw(A))[0]
    assert read(difference).words[-7:] == ["sum", "0", "0", "0", "0", "0", "0"]
    assert read(draw([[0.25, -0.5]], kind="differences", sums=False)).words[-2:] == ["+.25", "−.50"]


@pytest.mark.parametrize(
    ("values", "changes", "message"),
    [
        (np.ones(3), {}, r"shape \(3,\).*two axes.*use bars"),
        (np.ones((0, 2)), {}, r"shape \(0, 2\)"),
        ([[1, 2], [3]], {}, "list.*equally long"),
        ([[1j]], {}, "not complex"),
        ([["a"]], {}, "numbers only"),
        ([[np.nan]], {}, r"nan at index \[0, 0\].*finite"),
        ([[0.0, np.inf]], {"kind": "scores"}, r"inf at index \[0, 1\]"),
        ([[0.5], [1.1]], {}, r"1\.1 at index \[1, 0\].*softmax.*scores"),
        ([[-0.1]], {}, "-0.1"),
        ([[-1.1]], {"kind": "differences"}, "the difference -1.1 at .* expected differences from -1 to 1"),
        ([[0.5]], {"rows": ["a", "b"]}, "rows has 2 labels, but there are 1 rows"),
        ([[0.5]], {"columns": []}, "columns has 0 labels"),
        ([[0.5]], {"columns": "a"}, "one string.*split"),
        ([[0.5]], {"selected": 1}, "selected is 1; expected 0 to 0"),
        ([[0.5]], {"selected": -1}, "selected is -1"),
        ([[0.5]], {"kind": "weight"}, "'weight'; expected one of 'weights'"),
        ([[3.0]], {"kind": "scores", "limit": 2}, "limit is 2, but the largest magnitude is 3"),
        ([[3.0]], {"kind": "scores", "limit": 0}, "positive"),
        ([[3.0]], {"kind": "values", "full": 0}, "full has to be a positive number"),
    ],
)
def test_bad_input_is_explained(values, changes, message):
    """What cannot be drawn raises a ValueError that says what was got, what was expected and what to do."""
    options = {"title": "t", "description": "d", "rows": ["a"] * len(values), "columns": ["a"] * np.size(values[:1])}
    with pytest.raises(ValueError, match=message):
        heat_map(values, **options | changes) if len(values) else draw(values)


def test_weights_a_hair_outside_are_drawn(read):
    """Rounding errors up to 1e-6 beyond 0 and 1 are no fault."""
    assert read(draw([[1 + 1e-7], [-1e-7]])).words.count("1") == 1


def test_whole_values_have_no_decimals(read):
    """Plain numbers that are all whole are written without decimals, and with two where one is not."""
    assert read(draw([[0, 3], [-4, 1]], kind="values")).words[-4:] == ["0", "3", "−4", "1"]
    assert read(draw([[0, 3], [-4, 0.5]], kind="values")).words[-4:] == ["0", "3.00", "−4.00", ".50"]


@given(st.lists(st.floats(-120, 120), min_size=4, max_size=4), st.sampled_from(["scores", "values"]))
def test_with_a_limit_no_size_depends_on_the_numbers(entries, kind):
    """Maps that share a limit share a view box, so that one redrawn with other numbers does not jump."""
    one, other = (
        heat_map(
            np.reshape(numbers, (2, 2)),
            kind=kind,
            limit=120,
            title="t",
            description="d",
            rows=["a", "b"],
            columns=["c", "d"],
        )
        for numbers in (entries, [0.0] * 4)
    )
    assert size(one) == size(other)


def test_rows_can_lie_closer_than_columns(read):
    """With `row_pitch` 32 the cells begin 32 px under each other; the columns stay where they were."""
    wide, close = (cells(read(draw([[0.1], [0.9]], **more))) for more in ({}, {"row_pitch": 32}))

    assert close[1].box.top - close[0].box.top == pytest.approx(32, abs=0.1)
    assert [cell.box.left for cell in close] == [cell.box.left for cell in wide]
