"""Every number of notebook 5 that a student can check on paper, held against the solutions."""

import itertools

import numpy as np
import pytest

from helpers.course import course
from helpers.examples import examples
from helpers.examples.example import seeded_heads, six_tokens
from helpers.examples.positions import DOG_BIT_MAN, MAN_BIT_DOG, SEEDED_ORDER, bite_head, bite_tokens
from helpers.parameters import Head
from helpers.teach import notebook_form, solutions
from helpers.teach.course_folder import notebooks_folder

LN2, LN3 = np.log(2), np.log(3)
self_attention = solutions.function("self_attention")
softmax_cols = solutions.function("softmax_cols")
scaled_scores = solutions.function("scaled_scores")
stack_heads = solutions.function("stack_heads")
head_contributions = solutions.function("head_contributions")
permute_columns = solutions.function("permute_columns")
equivariance_gap = solutions.function("equivariance_gap")
sinusoids = solutions.function("sinusoids")
add_positions = solutions.function("add_positions")
relative_bias = solutions.function("relative_bias")
attention_with_bias = solutions.function("attention_with_bias")
rope = solutions.function("rope")
look_back = solutions.function("look_back")


@pytest.fixture(scope="module")
def cells():
    """Return the notebook's cells by id."""
    notebook = notebook_form.read(notebooks_folder() / "05_positions.ipynb")
    return {cell.id: cell.source for cell in notebook.cells}


def matrix(*rows):
    """Return rows as a matrix of floats."""
    return np.array(rows, dtype=float)


three = matrix([1, 2, 3])
order = np.array([2, 0, 1])
moved = permute_columns(three, order)
running, tokens, _ = examples("equivariance_gap")[0].arguments
paper_pi, _ = examples("relative_bias")[0].arguments
Q, K, V, B = examples("attention_with_bias")[0].arguments
slope = relative_bias(-0.5 * np.abs(np.arange(-5.0, 6.0)), 6)
outputs = {sentence: self_attention(bite_tokens(sentence), bite_head()) for sentence in (DOG_BIT_MAN, MAN_BIT_DOG)}

# Cell, words that stand there, what the solutions give, what the words say, and half a unit of what is written.
EXACT, TWO_DECIMALS, THREE_DECIMALS = 1e-12, 5e-3, 5e-4
ON_PAPER = [
    (
        "idea",
        "Column bit: animal .49, person .49, action .01. "
        "Columns dog and man: action .93. Both columns of the: .20 each.",
        outputs[DOG_BIT_MAN],
        [[0.2, 0.02, 0.49, 0.2, 0.02], [0.2, 0.02, 0.49, 0.2, 0.02], [0.2, 0.93, 0.01, 0.2, 0.93]],
        TWO_DECIMALS,
    ),
    ("idea", "half and half", outputs[DOG_BIT_MAN][0, 2], outputs[DOG_BIT_MAN][1, 2], EXACT),
    ("idea-bag", "column bit is the same", outputs[MAN_BIT_DOG][:, 2], outputs[DOG_BIT_MAN][:, 2], EXACT),
    (
        "idea-bag",
        "with man and dog in each other's place",
        outputs[MAN_BIT_DOG],
        outputs[DOG_BIT_MAN][:, [0, 4, 2, 3, 1]],
        EXACT,
    ),
    (
        "permute-text",
        r"(The rows are $3\ 1\ 2$ and $6\ 4\ 5$.)",
        permute_columns(matrix([1, 2, 3], [4, 5, 6]), order),
        [[3, 1, 2], [6, 4, 5]],
        EXACT,
    ),
    (
        "permute-text",
        "The order that takes this back is another one, $(1,2,0)$",
        permute_columns(moved, np.array([1, 2, 0])),
        three,
        EXACT,
    ),
    ("proof", r"1&2&3\\2&4&6\\3&6&9", three.T @ three, [[1, 2, 3], [2, 4, 6], [3, 6, 9]], EXACT),
    ("proof", r"9&3&6\\3&1&2\\6&2&4", moved.T @ moved, [[9, 3, 6], [3, 1, 2], [6, 2, 4]], EXACT),
    (
        "proof",
        "token 3 is the first column now, and holds its old scores 3, 6, 9 in the new order",
        (moved.T @ moved)[:, 0],
        np.array([3, 6, 9])[order],
        EXACT,
    ),
    (
        "proof",
        "Find .950 in both",
        [softmax_cols(three.T @ three)[2, 2], softmax_cols(moved.T @ moved)[0, 0]],
        [0.950, 0.950],
        THREE_DECIMALS,
    ),
    ("gap-text", "$(3,1,2)$ becomes $(3,4,6)$", running(matrix([3, 1, 2])), [[3, 4, 6]], EXACT),
    ("gap-text", "$(2,3,1)$, then sums: $(2,5,6)$", permute_columns(tokens, order), [[2, 3, 1]], EXACT),
    ("gap-text", "$(2,3,1)$, then sums: $(2,5,6)$", running(permute_columns(tokens, order)), [[2, 5, 6]], EXACT),
    ("gap-text", "sums, then $(6,3,4)$", permute_columns(running(tokens), order), [[6, 3, 4]], EXACT),
    (
        "gap-text",
        "The differences are $-4,2,2$",
        running(permute_columns(tokens, order)) - permute_columns(running(tokens), order),
        [[-4, 2, 2]],
        EXACT,
    ),
    ("gap-text", "The gap is 4", equivariance_gap(running, tokens, order), 4, EXACT),
    ("waves-text", "the first hand by 1 radian per position", np.arcsin(sinusoids(8, 2)[0, 1]), 1, EXACT),
    (
        "waves-text",
        "Rows 0 and 1 come back about every six positions, rows 2 and 3 about every twenty",
        [2 * np.pi / np.arcsin(sinusoids(16, 2)[row, 1]) for row in (0, 2)],
        [6, 20],
        0.5,
    ),
    ("waves-text", "the rows at the bottom hardly change", np.ptp(sinusoids(16, 24)[14:], axis=1), [0, 0], 0.01),
    ("waves-formula", "position 1 has the angle $1/100$ there", np.arcsin(sinusoids(4, 2)[2, 1]), 1 / 100, EXACT),
    (
        "waves-formula",
        "The columns are $(0,1)$, $(.841,.540)$, $(.909,-.416)$",
        sinusoids(2, 3).T,
        [[0, 1], [0.841, 0.540], [0.909, -0.416]],
        THREE_DECIMALS,
    ),
    (
        "waves-read",
        "four hands at the angles 1, .1, .01 and .001",
        np.arcsin(sinusoids(8, 2)[0::2, 1]),
        [1, 0.1, 0.01, 0.001],
        EXACT,
    ),
    (
        "add-text",
        r"\begin{pmatrix}2&2.841&2.909\\4&3.540&2.584\end{pmatrix}",
        add_positions(matrix([2, 2, 2], [3, 3, 3]), sinusoids(2, 3)),
        [[2, 2.841, 2.909], [4, 3.540, 2.584]],
        THREE_DECIMALS,
    ),
    (
        "bias-text",
        "0 on the diagonal, and .5 less with every step away from it",
        slope[0],
        [0, -0.5, -1, -1.5, -2, -2.5],
        EXACT,
    ),
    ("bias-text", "to −2.50 in two corners", [slope[0, 5], slope[5, 0]], [-2.5, -2.5], EXACT),
    ("bias-paper", "`pi` $=(-4,-2,0,-1,-3)$", paper_pi, [-4, -2, 0, -1, -3], EXACT),
    (
        "bias-paper",
        r"\begin{pmatrix}0&-1&-2\\1&0&-1\\2&1&0\end{pmatrix}",
        relative_bias(np.arange(-2.0, 3.0), 3),
        [[0, -1, -2], [1, 0, -1], [2, 1, 0]],
        EXACT,
    ),
    (
        "bias-paper",
        r"\begin{pmatrix}0&-2&-4\\-1&0&-2\\-3&-1&0\end{pmatrix}",
        relative_bias(paper_pi, 3),
        [[0, -2, -4], [-1, 0, -2], [-3, -1, 0]],
        EXACT,
    ),
    ("bias-paper", "(Row 1, column 2: $-2$.)", relative_bias(paper_pi, 3)[0, 1], paper_pi[-1 + 3 - 1], EXACT),
    ("slope-text", "eleven numbers for six tokens", 2 * 6 - 1, 11, EXACT),
    ("biased-text", r"\begin{pmatrix}0&0\\\ln2&0\end{pmatrix}", scaled_scores(Q, K), [[0, 0], [LN2, 0]], EXACT),
    ("biased-text", r"\begin{pmatrix}0&\ln3\\\ln2&0\end{pmatrix}", B, [[0, LN3], [LN2, 0]], EXACT),
    (
        "biased-text",
        r"Column 1 is $(0,2\ln2)$: shares $(\tfrac15,\tfrac45)$, output 18. "
        r"Column 2 is $(\ln3,0)$: shares $(\tfrac34,\tfrac14)$, output 12.5.",
        attention_with_bias(Q, K, np.eye(2), B),
        [[1 / 5, 3 / 4], [4 / 5, 1 / 4]],
        EXACT,
    ),
    ("biased-text", "values 10 and 20", attention_with_bias(Q, K, V, B), [[18, 12.5]], EXACT),
    (
        "turn-formula",
        r"becomes $(\cos1,\sin1)=(.540,.841)$. The column $(0,2)$ at position 0 stays.",
        rope(matrix([1, 0], [0, 2]), np.array([1, 0])),
        [[0.540, 0], [0.841, 2]],
        THREE_DECIMALS,
    ),
    (
        "look-formula",
        r"takes position 0, $(0,1)$, to $(\sin1,\cos1)=(.841,.540)$, position 1",
        look_back(2, 1.0)[1] @ matrix([0], [1]),
        [[0.841], [0.540]],
        THREE_DECIMALS,
    ),
    ("look-formula", "to $(\\sin1,\\cos1)", look_back(2, 1.0)[1] @ matrix([0], [1]), sinusoids(2, 2)[:, 1:], EXACT),
    ("look-question", "at 6 radians, is nearly back at the top", 6 / (2 * np.pi), 1, 0.05),
]


@pytest.mark.parametrize(("cell", "words", "given", "said", "half_a_unit"), ON_PAPER)
def test_a_number_on_paper_is_what_the_solutions_give(cells, cell, words, given, said, half_a_unit):
    """The words stand in the notebook, and the solutions give what they say, to the decimals that are written."""
    assert words in cells[cell]
    np.testing.assert_allclose(given, said, rtol=0, atol=half_a_unit)


# --- the cells, run with the solutions


class Reader:
    """Runs cells with the solutions, some of them changed as a task says, and reads what they show."""

    def __init__(self, cells):
        self.cells = cells
        self.shown = {}
        functions = {name: solutions.function(name) for name in course().exercises}
        self.names = {"np": np, "Head": Head, **functions, "show": self.shown.__setitem__}
        for id_ in ("data-cell", "sinusoids-show", "slope-cell", "distance-cell", "look_back-cell"):
            self.run(id_)

    def run(self, id_, *changes):
        """Run one cell with each (old, new) of the changes made in it."""
        source = self.cells[id_]
        for old, new in changes:
            assert old in source
            source = source.replace(old, new)
        exec(source, self.names)  # noqa: S102  our own notebook
        return self.shown


@pytest.fixture
def reader(cells):
    """Return a reader whose notebook is as it is handed out."""
    return Reader(cells)


def test_the_recalled_answers_are_what_notebook_4_builds():
    """Two outputs of 4 by 6 make 8 by 6; columns 5 to 8 of omega_c are those that the second output meets."""
    rng = np.random.RandomState(1)
    one, two, omega_c = rng.normal(size=(4, 6)), rng.normal(size=(4, 6)), rng.normal(size=(8, 8))

    assert stack_heads([one, two]).shape == (8, 6)
    np.testing.assert_allclose(head_contributions(omega_c, [one, two])[1], omega_c[:, 4:8] @ two)


def test_shuffled_tokens_give_shuffled_outputs(reader):
    """The outputs of shuffled tokens are the old outputs in the new order, which begins with column 2."""
    shown = reader.run("positions_shuffled-try")
    before, after = shown["outputs_as_they_were"], shown["outputs_of_shuffled_tokens"]

    np.testing.assert_allclose(after, before[:, list(SEEDED_ORDER)], atol=1e-12)
    assert SEEDED_ORDER[0] == 2
    assert np.abs(after - before).max() > 1


def test_the_order_of_the_data_is_the_examples(reader):
    """The notebook's order is the seeded example's, and not its own inverse."""
    perm = reader.names["perm"]

    assert tuple(perm) == SEEDED_ORDER
    assert np.argsort(perm).tolist() != perm.tolist()


def test_the_gap_is_0_without_positions_and_13_574_with_them(reader):
    """Attention cannot tell order; with waves added it can, by the number that the answer names."""
    assert reader.run("equivariance_gap-show")["gap_of_attention"] == 0
    names = reader.names
    unrounded = names["equivariance_gap"](names["attend"], names["X"], names["perm"])
    assert unrounded < 2e-14  # "some $10^{-15}$"; another BLAS may round otherwise
    gap = reader.run("positions_gap_grows-try")["gap_with_positions"]
    assert gap == pytest.approx(13.574, abs=THREE_DECIMALS)
    assert "The gap is 13.574" in course().questions["positions_gap_grows"].because


def test_products_of_positions_are_equal_along_diagonals(reader):
    """What answers the question about two columns of waves holds one number on each diagonal."""
    products = reader.run("positions_meet-try")["position_products"]

    for offset in range(6):
        assert np.ptp(np.diagonal(products, offset)) < 1e-12


def test_the_tasks_on_added_positions_have_the_answers_they_lead_to(reader):
    """The gap falls below .01 at a ten-thousandth; one position for all gives 0; random columns tell order."""

    def gap(other):
        return reader.run("other_positions-try", ("0.1 * Pi", other))["gap_with_others"]

    assert [gap(f"{faint} * Pi") < 0.01 for faint in ("0.1", "0.01", "0.001", "0.0001")] == [False, False, False, True]
    assert gap("Pi[:, :1] + 0 * Pi") < 1e-12
    assert gap("np.random.RandomState(5).normal(size=(8, 6))") > 1


def test_a_slope_moves_the_last_column_from_far_to_near(reader):
    """Without a bias token 6 looks most at token 1, five places away; with the slope at token 5, one away."""
    before, after = reader.shown["weights_of_slope_0"][:, 5], reader.shown["weights_of_slope_half"][:, 5]

    assert (before.argmax(), after.argmax()) == (0, 4)
    assert after[0] < before[0] / 2
    assert after[4] > 0.8


def test_five_more_on_every_bias_changes_nothing(reader):
    """The change that answers the question is 0 everywhere."""
    assert not reader.run("positions_five_more-try")["change_by_five_more"].any()


def test_the_tasks_on_the_bias_have_the_answers_they_lead_to(reader):
    """One order alone keeps every distance; a bias of one direction breaks it; -inf hides what stands behind."""
    shown = reader.run("distance-gap-cell")
    assert shown["gap_by_distance"] > 0.1
    gap = reader.names["equivariance_gap"]
    kept = [
        perm
        for perm in itertools.permutations(range(6))
        if gap(reader.names["attend_by_distance"], reader.names["X"], np.array(perm)) < 1e-9
    ]
    assert kept == [(0, 1, 2, 3, 4, 5), (5, 4, 3, 2, 1, 0)]

    turned = ("order = perm", "order = np.array([5, 4, 3, 2, 1, 0])")
    assert reader.run("distance-gap-cell", turned)["gap_by_distance"] < 1e-9
    line = "B = relative_bias(pi, 6)"
    assert reader.run("distance-gap-cell", turned, (line, "pi[4] += 1\n" + line))["gap_by_distance"] > 0.1

    hidden = reader.run("distance-gap-cell", (line, "pi[6:] = -np.inf\n" + line))["weights_by_distance"]
    np.testing.assert_allclose(hidden[:, 0], [1, 0, 0, 0, 0, 0])
    assert not np.tril(hidden, -1).any()


def test_the_tasks_on_turned_arrows_have_the_answers_they_lead_to(reader):
    """The distance alone counts; before and behind differ; a key that does not move breaks it."""
    scores = reader.run("positions_both_move-try")["scores_two_apart"]
    assert np.ptp(scores) < 1e-9
    other_way = reader.run("positions_both_move-try", ("start + 2", "start - 2"))["scores_two_apart"]
    assert np.ptp(other_way) < 1e-9
    assert abs(scores[0] - other_way[0]) > 0.1
    key_stays = ("np.repeat(X[:, 1:2], 3, axis=1), start)", "np.repeat(X[:, 1:2], 3, axis=1), 0 * start)")
    assert np.ptp(reader.run("positions_both_move-try", key_stays)["scores_two_apart"]) > 0.1


def test_the_head_that_looks_back_does_so(cells, reader):
    """From the second word on .97 or more stands on the word before; the first word looks at the last."""
    A = reader.shown["looks_back"]

    assert (
        "every word puts .97 or more on the word before it; Ada, which has none, looks at purred" in cells["look-text"]
    )
    assert np.round(np.diagonal(A, 1), 2).min() == 0.97
    assert A[:, 0].argmax() == 5


def test_the_tasks_on_the_head_that_looks_back_have_the_answers_they_lead_to(reader):
    """Turned over it looks ahead; 4.2 is the smallest c; twice the step looks two back; more hands keep Ada at home."""
    ahead = reader.run("positions_turned_over-try")["looks_ahead"]
    assert ahead.argmax(axis=0)[:5].tolist() == [1, 2, 3, 4, 5]

    def back(*changes):
        return reader.run("look_back-cell", *changes)["looks_back"]

    sharp = [c for c in np.arange(30, 60) / 10 if np.diagonal(back(("c = 5.0", f"c = {c}")), 1).min() > 0.9]
    assert sharp[0] == 4.2
    two_back = back(("omega_k @ places", "omega_k @ omega_k / c @ places"))
    assert two_back.argmax(axis=0)[2:].tolist() == [0, 1, 2, 3]
    assert back(("(8,", "(64,")).argmax(axis=0).tolist() == [0, 0, 1, 2, 3, 4]


def test_a_match_of_the_two_sentences_scores_four(cells):
    """Every score of the hand-set head is 4 or 0, so that its shares can be redone on paper."""
    assert "A match scores 4, all else 0." in cells["idea"]
    head = bite_head()
    for sentence in (DOG_BIT_MAN, MAN_BIT_DOG):
        words = bite_tokens(sentence)
        queries, keys = (solutions.function("project")(words, head[i], head[i + 3]) for i in (0, 1))
        assert {*(keys.T @ queries).ravel().tolist()} == {0.0, 4.0}


def test_the_order_of_the_guess_begins_with_the_third_column(cells):
    """`perm` begins with 2, as the question says."""
    assert "which begins with 2" in cells["shuffled-question"]
    assert SEEDED_ORDER[0] == 2


# A task of the explorer: where the controls stand, and what the answer, or the task itself, says of it.
MOVED = [
    ({"order": (1, 2, 3, 4, 5, 0)}, "The gap is 16.92"),
    ({"placed": "move"}, "The gap is below 1e-9"),
    ({"tab": "Sinusoids", "offset": 3}, "times position 13 it is 1.96."),
    ({"tab": "Sinusoids", "offset": 4}, "times position 14 it is 2.27."),
    ({"tab": "Relative bias", "strength": 1.0}, "Query 3 puts 49 % on key 3. On average it looks .69 places away."),
    ({"tab": "Relative bias", "kind": "looks back", "strength": 0.0, "query": 1}, "looks 0 places away"),
    ({"tab": "Relative bias", "kind": "looks back", "strength": 2.0, "query": 1}, "looks 0 places away"),
    ({"tab": "Relative bias", "kind": "looks back", "strength": 0.0, "query": 5}, "looks 2.00 places away"),
    ({"tab": "Relative bias", "kind": "looks back", "strength": 0.0, "query": 6}, "looks 2.50 places away"),
    ({"tab": "Rotary", "m": 7, "n": 10, "both": 20}, "3 places apart. Their score is −.99."),
]


@pytest.mark.parametrize(("moved", "said"), MOVED)
def test_the_tasks_of_the_explorer_can_be_done(moved, said):
    """Each task of "Move the positions" ends in a state that the controls reach, with the numbers of the text."""
    from explorers import whole

    explorer = whole("positions")
    for name, value in moved.items():
        explorer.controls[name].value = value

    assert said in explorer.view().sentence


def test_the_gap_of_positions_that_are_taken_along_is_none_in_every_order():
    """The answer to the guess before the explorer; its second choice is the gap of positions in place."""
    from helpers.explore.positions import ORDERS

    *heads, omega_c = seeded_heads()
    Pi, choices = sinusoids(8, 6), next(q for q in course().questions.values() if q.name == "positions_taken_along")

    def attend(X):
        return solutions.function("multihead")(X, heads, omega_c)

    assert max(equivariance_gap(attend, six_tokens() + Pi, np.array(order)) for order in ORDERS) < 1e-9
    in_place = equivariance_gap(lambda X: attend(X + Pi), six_tokens(), np.array(SEEDED_ORDER))
    assert choices.choices["b"] == f"{in_place:.2f} again"


def test_only_three_places_have_the_lowest_score():
    """Of all distances that the last tab reaches, 3 has the lowest score, to either side."""
    scores = [np.cos(distance) for distance in range(21)]

    assert int(np.argmin(scores)) == 3
