"""Every number of notebook 4 that a student can check on paper, held against the solutions."""

import re

import numpy as np
import pytest
from pictures import Picture

from helpers.course import course
from helpers.examples import examples
from helpers.examples.concatenation import sentence_recipes
from helpers.examples.example import seeded_heads, six_tokens
from helpers.examples.single_head import SENTENCE, sentence_tokens
from helpers.examples.two_heads import did_head, who_head
from helpers.parameters import Head
from helpers.teach import notebook_form, solutions
from helpers.teach.course_folder import notebooks_folder
from helpers.truth import shown

project = solutions.function("project")
softmax_cols = solutions.function("softmax_cols")
scaled_scores = solutions.function("scaled_scores")
head_output = solutions.function("head_output")
two_heads = solutions.function("two_heads")
stack_heads = solutions.function("stack_heads")
mix = solutions.function("mix")
head_contributions = solutions.function("head_contributions")
multihead = solutions.function("multihead")
whole = solutions.function("multihead_scaled_self_attention")

# What the seed document prints under "True values:", line by line (udlbook, notebook 12.2).
PRINTED = """
[[-21.207  -5.373 -20.933  -9.179 -11.319 -17.812]
 [ -1.995   7.906 -10.516   3.452   9.863  -7.24 ]
 [  5.479   1.115   9.244   0.453   5.656   7.089]
 [ -7.413  -7.416   0.363  -5.573  -6.736  -0.848]
 [-11.261  -9.937  -4.848  -8.915 -13.378  -5.761]
 [  3.548  10.036  -2.244   1.604  12.113  -2.557]
 [  4.888  -5.814   2.407   3.228  -4.232   3.71 ]
 [  1.248  18.894  -6.409   3.224  19.717  -5.629]]
""".strip()

X = six_tokens()
head1, head2, omega_c = seeded_heads()
outputs, weights = two_heads(X, head1, head2)
written = head_contributions(omega_c, outputs)
said, _ = two_heads(sentence_tokens(), who_head(), did_head())
mixed = mix(sentence_recipes(), stack_heads(said))
paper_tokens, paper_heads, paper_amounts = examples("multihead")[0].arguments
ADA, FED, THE, CAT, IT, PURRED = range(6)


@pytest.fixture(scope="module")
def stored():
    """Return the notebook's cells by id."""
    notebook = notebook_form.read(notebooks_folder() / "04_concatenation.ipynb")
    return {cell.id: cell for cell in notebook.cells}


@pytest.fixture(scope="module")
def cells(stored):
    """Return the notebook's cells' sources by id."""
    return {id_: cell.source for id_, cell in stored.items()}


def rows(*numbers):
    """Return rows as a matrix of floats."""
    return np.array(numbers, dtype=float)


ONE, TWO, AMOUNTS = rows([1, 2, 3]), rows([4, 5, 6]), rows([1, 10], [2, 20])

# Cell, words that stand there, what the solutions give, what the words say, and half a unit of what is written.
EXACT, TWO_DECIMALS, THREE_DECIMALS = 1e-12, 5e-3, 5e-4
ON_PAPER = [
    ("idea", "Head 1 says animal, .93, at it and purred.", said[0][1, [IT, PURRED]], [0.93, 0.93], TWO_DECIMALS),
    ("idea", "Head 2 says sound, .93, at cat and it.", said[1][1, [CAT, IT]], [0.93, 0.93], TWO_DECIMALS),
    ("idea-mix", "half of *animal* and half of *sound*", sentence_recipes()[-1], [0, 0.5, 0, 0.5], EXACT),
    ("idea-mix", "takes .5 of animal and .5 of sound", sentence_recipes()[-1], [0, 0.5, 0, 0.5], EXACT),
    (
        "idea-mix",
        "Its last row, animal and sound, is .93 at it and .55 at cat and purred.",
        mixed[-1, [IT, CAT, PURRED]],
        [0.93, 0.55, 0.55],
        TWO_DECIMALS,
    ),
    ("paper", r"$(1,2,3)+10\,(4,5,6)=(41,52,63)$", mix(AMOUNTS, stack_heads([ONE, TWO]))[0], [41, 52, 63], EXACT),
    (
        "stack_heads-text",
        "Token 1's column is $(1,4,7,10)$. What is token 3's? (You should get $(3,6,9,12)$.)",
        stack_heads([rows([1, 2, 3], [4, 5, 6]), rows([7, 8, 9], [10, 11, 12])])[:, [0, 2]],
        [[1, 3], [4, 6], [7, 9], [10, 12]],
        EXACT,
    ),
    (
        "mix-text",
        r"it makes $2\,(1,2,3)+20\,(4,5,6)=(82,104,126)$",
        mix(AMOUNTS, stack_heads([ONE, TWO]))[1],
        [82, 104, 126],
        EXACT,
    ),
    (
        "mix-text",
        "Did you get $(90,120,150)$? Then you read",
        mix(AMOUNTS.T, stack_heads([ONE, TWO]))[1],
        [90, 120, 150],
        EXACT,
    ),
    (
        "contributions-text",
        r"=\begin{pmatrix}1&2&3\\2&4&6\end{pmatrix}",
        head_contributions(AMOUNTS, [ONE, TWO])[0],
        [[1, 2, 3], [2, 4, 6]],
        EXACT,
    ),
    (
        "contributions-text",
        r"=\begin{pmatrix}40&50&60\\80&100&120\end{pmatrix}",
        head_contributions(AMOUNTS, [ONE, TWO])[1],
        [[40, 50, 60], [80, 100, 120]],
        EXACT,
    ),
    (
        "contributions-read",
        "In row 3 the heads pull apart: 9.325 and -3.846.",
        [written[0][2, 0], written[1][2, 0]],
        [9.325, -3.846],
        THREE_DECIMALS,
    ),
    ("multihead-text", r"\mathbf X=\begin{pmatrix}0&1\\2&6\end{pmatrix}", paper_tokens, [[0, 1], [2, 6]], EXACT),
    (
        "multihead-text",
        r"with $D_q=1$ the scale is 1, and it puts out $(5,\ 5.6)$ as there",
        head_output(paper_tokens, paper_heads[0])[0],
        [[5, 5.6]],
        EXACT,
    ),
    (
        "multihead-text",
        "Head 2's values are $(0,4)$",
        project(paper_tokens, paper_heads[1].omega_v, paper_heads[1].beta_v),
        [[0, 4]],
        EXACT,
    ),
    (
        "multihead-text",
        r"its queries are 0, so its shares are $\tfrac12$",
        head_output(paper_tokens, paper_heads[1])[1],
        [[0.5, 0.5], [0.5, 0.5]],
        EXACT,
    ),
    ("multihead-text", "it puts out $(2,2)$", head_output(paper_tokens, paper_heads[1])[0], [[2, 2]], EXACT),
    (
        "multihead-text",
        r"row 1 is $(25,\ 25.6)$. And row 2? (Twice that.)",
        multihead(paper_tokens, paper_heads, paper_amounts),
        [[25, 25.6], [50, 51.2]],
        EXACT,
    ),
    (
        "whole-read",
        "-7.24 and 3.71: their third decimal is 0",
        written[0][1, 5] + written[1][1, 5],
        -7.240,
        THREE_DECIMALS,
    ),
    (
        "whole-read",
        "-7.24 and 3.71: their third decimal is 0",
        written[0][6, 5] + written[1][6, 5],
        3.710,
        THREE_DECIMALS,
    ),
    ("costs-question", "make 2,000,000 scores", 2 * 1000**2, 2_000_000, EXACT),
    ("costs-question", "(c) 8,000,000", 2 * 2000**2, 8_000_000, EXACT),
]


@pytest.mark.parametrize(("cell", "words", "given", "said", "half_a_unit"), ON_PAPER)
def test_a_number_on_paper_is_what_the_solutions_give(cells, cell, words, given, said, half_a_unit):
    """The words stand in the notebook, and the solutions give what they say, to the decimals that are written."""
    assert words in cells[cell]
    np.testing.assert_allclose(given, said, rtol=0, atol=half_a_unit)


# --- the book's own exercise


def numbers(text):
    """Return the numbers of a printed matrix, line by line."""
    return [[float(number) for number in re.findall(r"-?\d+\.\d*", line)] for line in text.split("\n")]


def printed_by(stored, cell):
    """Return the stored print of a cell: the matrix after "Your answer:" and the one after "True values:"."""
    (output,) = stored[cell].outputs
    return re.fullmatch(r"Your answer:\n(.*)\nTrue values:\n(.*)\nThey agree.\n", output.text, re.DOTALL).groups()


def test_the_last_exercise_prints_the_matrix_of_the_book(stored):
    """Under 4.5 stand the book's printed true values: the same 48 numbers, three decimals each, twice."""
    for matrix in printed_by(stored, "multihead_scaled_self_attention-show"):
        assert numbers(matrix) == numbers(PRINTED)
        assert sum(map(len, numbers(matrix))) == 48


def test_the_last_exercise_is_called_as_the_book_calls_it(cells):
    """The notebook's cells draw the book's numbers under the book's names, and 4.5 makes its matrix of them."""
    namespace = {"np": np, "show": lambda name, value: None, "multihead_scaled_self_attention": whole}
    namespace |= {"Head": Head, "two_heads": two_heads}
    exec(cells["data-cell"], namespace)  # noqa: S102  our own notebook
    drawn_first = namespace["heads"], namespace["omega_c"]
    exec(cells["book-cell"], namespace)  # noqa: S102
    exec(cells["multihead_scaled_self_attention-show"], namespace)  # noqa: S102

    np.testing.assert_allclose(namespace["X_prime"], numbers(PRINTED), rtol=0, atol=THREE_DECIMALS)
    np.testing.assert_array_equal(namespace["X"], X)
    for number, head, first in zip("12", (head1, head2), drawn_first[0], strict=True):
        for name, part in head._asdict().items():
            np.testing.assert_array_equal(namespace[name + number], part)
            np.testing.assert_array_equal(getattr(first, name), part)
    np.testing.assert_array_equal(namespace["omega_c"], omega_c)
    np.testing.assert_array_equal(drawn_first[1], omega_c)


def test_two_numbers_of_the_print_end_early():
    """Among the book's 48 numbers, -7.24 and 3.71 alone have two decimals, as the notebook says."""
    assert [n for n in re.findall(r"-?\d+\.\d+", PRINTED) if len(n.partition(".")[2]) < 3] == ["-7.24", "3.71"]


def by_hand(scale=2.0, *, axis=0, turned=False):
    """Return the heads' outputs on the book's data, one above the other, with a mistake on purpose."""
    Sa = []
    for head in (head1, head2):
        Q, K = (head.omega_q @ X + head.beta_q), (head.omega_k @ X + head.beta_k)
        products = (Q.T @ K if turned else K.T @ Q) / scale
        e = np.exp(products)
        Sa.append((head.omega_v @ X + head.beta_v) @ (e / e.sum(axis=axis, keepdims=True)))
    return np.vstack(Sa)


# The call passes v, q, k. A Head filled with them as they come, or a first line that says q, k, v, takes omega_v1 for
# omega_q1 and so on.
READ = [Head(h.omega_v, h.omega_q, h.omega_k, h.beta_v, h.beta_q, h.beta_k) for h in (head1, head2)]
PASSED = [(h.omega_q, h.omega_k, h.omega_v, h.beta_q, h.beta_k, h.beta_v) for h in (head1, head2)]
WRONG_FIRST_NUMBERS = {
    "6.574 | arguments passed to `Head` as they come, v, q, k": multihead(X, READ, omega_c),
    "6.456 | the function called in the order of the draws, q, k, v": whole(X, *PASSED[0], *PASSED[1], omega_c),
    "2.681 | head 2 on top": multihead(X, [head2, head1], omega_c),
    r"0.236 | no $\boldsymbol\Omega_c$": by_hand(),
    r"-9.788 | $\boldsymbol\Omega_c$ transposed": omega_c.T @ by_hand(),
    "-21.033 | no scaling": omega_c @ by_hand(scale=1),
    r"-20.826 | scaled by $\sqrt D$": omega_c @ by_hand(scale=np.sqrt(8)),
    r"-8.674 | $\mathbf Q^T\mathbf K$, or queries and keys exchanged": omega_c @ by_hand(turned=True),
    "-22.646 | softmax along rows": omega_c @ by_hand(axis=1),
}


@pytest.mark.parametrize("line", WRONG_FIRST_NUMBERS)
def test_a_wrong_first_number_comes_from_its_mistake(cells, line):
    """Each line of the table under 4.5 is what that mistake gives in row 1, column 1."""
    assert f"| {line} |" in cells["whole-read"]
    assert WRONG_FIRST_NUMBERS[line][0, 0] == pytest.approx(float(line.split()[0]), abs=THREE_DECIMALS)


def test_the_table_of_mistakes_is_whole(cells):
    """No line of the table goes untested."""
    lines = [line for line in cells["whole-read"].splitlines() if re.match(r"\| -?\d", line)]
    assert len(lines) == len(WRONG_FIRST_NUMBERS)


def test_queries_and_keys_exchanged_give_the_same_numbers_as_their_product_turned():
    """The table names two mistakes in one line: they cannot be told apart."""
    exchanged = [Head(h.omega_k, h.omega_q, h.omega_v, h.beta_k, h.beta_q, h.beta_v) for h in (head1, head2)]

    np.testing.assert_allclose(multihead(X, exchanged, omega_c), omega_c @ by_hand(turned=True), atol=1e-12)


# --- what the questions' answers say


def test_neither_head_alone_leaves_one_word():
    """Head 1 says animal of it and purred, head 2 sound of cat and it; both together leave it."""
    animal, sound = said[0][1] > 0.5, said[1][1] > 0.5

    assert [*np.flatnonzero(animal)] == [IT, PURRED]
    assert [*np.flatnonzero(sound)] == [CAT, IT]
    assert [*np.flatnonzero(animal & sound)] == [IT]
    assert SENTENCE[IT] == "it"


def test_the_sentences_heads_do_what_the_words_say():
    """Head 1 finds whom a word is about; Ada reads the silent action, cat and it the sound."""
    assert [said[0][:, n].argmax() for n in (FED, IT, PURRED)] == [0, 1, 1]
    assert [said[1][:, n].argmax() for n in (ADA, CAT, IT)] == [0, 1, 1]
    assert np.allclose(said[0][:, [ADA, THE, CAT]], 1 / 6)
    assert np.allclose(said[1][:, [FED, THE, PURRED]], 1 / 6)


def test_the_identity_gives_the_stacked_rows_back():
    """Recipe i takes row i once and nothing else."""
    np.testing.assert_array_equal(mix(np.eye(4), stack_heads(said)), stack_heads(said))


def test_without_head_2_all_rows_change_and_none_is_empty():
    """Taking away what head 2 writes moves every entry of every row, and leaves no row at 0."""
    left = multihead(X, [head1, head2], omega_c) - written[1]

    assert (np.abs(written[1]).max(axis=1) > 1).all()
    assert (np.abs(left).max(axis=1) > 0.5).all()
    assert shown()["without_head_2"] == pytest.approx(written[0])


def test_swapping_heads_and_blocks_moves_nothing():
    """A sum does not ask who comes first."""
    swapped = np.hstack([omega_c[:, 4:], omega_c[:, :4]])

    np.testing.assert_allclose(multihead(X, [head2, head1], swapped), written[0] + written[1], atol=1e-12)
    assert shown()["largest_difference_when_swapped"] == pytest.approx(0, abs=1e-9)


def test_without_a_key_bias_no_number_changes():
    """It adds one amount to all scores of a query; softmax takes out what a whole column shares."""
    Q, K = project(X, head1.omega_q, head1.beta_q), project(X, head1.omega_k, head1.beta_k)
    added = scaled_scores(Q, K) - scaled_scores(Q, head1.omega_k @ X)  # (N, N)

    np.testing.assert_allclose(added, np.repeat(added[:1], 6, axis=0), atol=1e-12)
    assert np.ptp(added[0]) > 1  # another amount for each query
    assert shown()["numbers_changed_without_beta_k1"] == 0


def test_a_forgotten_key_bias_shows_in_the_keys():
    """Exercise 1.1 refuses a projection without its bias, as the answer says."""
    assert not np.allclose(project(X, head1.omega_k, head1.beta_k), head1.omega_k @ X)


def test_the_shapes_recalled_from_notebook_3_are_these():
    """Head 2 reads all 8 rows, puts out 4 x 6, and its weights are 6 x 6."""
    assert head2.omega_q.shape == (4, 8)
    assert outputs[1].shape == (4, 6)
    assert weights[1].shape == (6, 6)


# --- what the tables say


def test_row_4_of_token_1_is_head_2s_and_the_heads_pull_apart_in_four_rows():
    """Row 4 has next to nothing of head 1; in rows 3, 6, 7 and 8 both write much, with other signs."""
    first, second = written[0][:, 0], written[1][:, 0]
    assert abs(first[3]) < 0.02 * abs(second[3])

    both = np.minimum(abs(first), abs(second)) > 1
    assert [*np.flatnonzero(both & (first * second < 0)) + 1] == [3, 6, 7, 8]
    np.testing.assert_allclose(shown()["token_1_by_heads"], np.column_stack([first, second, first + second]), atol=1e-8)


def test_the_omegas_of_all_heads_are_three_squares(cells):
    """H times 3 times D_q times D is 3 D squared, whatever H is, as the book's heads have it."""
    assert r"$H\cdot3\cdot D_q\cdot D=3D^2$" in cells["costs-text"]
    assert sum(part.size for head in (head1, head2) for part in head[:3]) == 3 * 8**2
    assert sum(part.size for head in (head1, head2) for part in head[3:]) == 3 * 8


def test_the_costs_are_counted():
    """280 numbers are drawn for D = 8 and H = 2; the formula gives them, and D = 512 makes a million weights."""
    drawn = sum(part.size for head in (head1, head2) for part in head) + omega_c.size
    assert drawn == shown()["numbers_drawn"] == 280 == 3 * (64 + 8) + 64

    assert shown()["costs_of_two_sizes"].tolist() == [
        [256, 24, 280, 72],
        [4 * 512**2, 3 * 512, 4 * 512**2 + 3 * 512, 8 * 1000**2],
    ]
    assert sum(A.size for A in weights) == 72


def test_twice_the_tokens_are_four_times_the_scores():
    """The parameters stay, the scores are four times as many."""
    small, large = shown()["costs_of_twice_the_tokens"]

    assert [*small[:3]] == [*large[:3]]
    assert (small[3], large[3]) == (2_000_000, 8_000_000)


# --- what the tasks lead to


def test_the_tasks_on_the_recipes_have_the_answers_they_lead_to():
    """Animal without sound is purred's; without head 2 it and purred are alike; a sixth recipe is a sixth row."""
    match = mix(rows([0, 1, 0, -1]), stack_heads(said))[0]
    assert abs(match[IT]) < 0.005
    assert match.argmax() == PURRED

    deaf = sentence_recipes()
    deaf[:, 2:] = 0
    last = mix(deaf, stack_heads(said))[-1]
    assert last[IT] == pytest.approx(last[PURRED])
    assert sorted(np.argsort(last)[-2:]) == [IT, PURRED]

    grown = mix(np.vstack([sentence_recipes(), [1, 1, 0, 0]]), stack_heads(said))
    assert grown.shape == (6, 6)
    assert [*np.flatnonzero(grown[-1] > 0.5)] == [FED, IT, PURRED]  # the words that are about someone


def test_sixteen_entries_are_the_target():
    """Rows 5 to 8 are empty without head 2 if head 1's amounts for them are 0, and any entry left would show."""
    trial = omega_c.copy()
    trial[4:, :4] = 0
    left = head_contributions(trial, outputs)[0]
    assert not left[4:].any()
    assert left[:4].all()

    for i in range(4, 8):
        for j in range(4):
            one = trial.copy()
            one[i, j] = omega_c[i, j]
            assert head_contributions(one, outputs)[0][i].any()


def test_the_try_in_the_notebook_misses_the_target():
    """The block that the cell sets to 0 empties rows 1 to 4 instead."""
    left = shown()["trial_without_head_2"]

    assert not left[:4].any()
    assert left[4:].all()


def test_the_notebooks_sentence_is_the_one_that_is_drawn(cells):
    """The matrices in the notebook's cells are those of the pictures."""
    namespace = {"np": np, "Head": Head, "show": lambda name, value: None, "two_heads": two_heads}
    namespace |= {"mix": mix, "stack_heads": stack_heads}
    exec(cells["sentence-heads"] + "\n" + cells["sentence-cell"], namespace)  # noqa: S102  our own notebook

    np.testing.assert_array_equal(namespace["tokens"], sentence_tokens())
    np.testing.assert_array_equal(namespace["recipes"], sentence_recipes())
    np.testing.assert_array_equal(stack_heads(namespace["said"]), stack_heads(said))


def test_a_swap_of_two_words_swaps_their_outputs():
    """Ada and cat exchanged: no number changes, as the last lines say."""
    order = [CAT, FED, THE, ADA, IT, PURRED]
    heads = [who_head(), did_head()]
    swapped = multihead(sentence_tokens()[:, order], heads, sentence_recipes())

    np.testing.assert_allclose(swapped, multihead(sentence_tokens(), heads, sentence_recipes())[:, order], atol=1e-12)


def test_a_block_diagonal_omega_c_keeps_the_heads_apart():
    """As the reflection's model answer says: every row of the output depends on one head alone."""
    diagonal = omega_c.copy()
    diagonal[:4, 4:] = diagonal[4:, :4] = 0
    first, second = head_contributions(diagonal, outputs)

    assert not first[4:].any()
    assert not second[:4].any()
    assert "repeat what one head found" in course().reflections["block_diagonal"].model


def views(**moved):
    """Return what the explorer shows for each token, with some of the other controls moved."""
    from explorers import built

    explorer = built("concatenation")
    return [explorer.view(explorer.start | moved | {"token": token}) for token in range(1, 7)]


def output(view):
    """Return the output's column as the waterfall of a view writes it."""
    return [float(number.replace("−", "-")) for number in Picture(view.panels[2]).words[-16:][1::2]]


def test_rows_move_away_from_0_without_head_2():
    """First task and answer: without head 2, rows 3, 6 and 8 of token 1 end farther from 0; every token has some."""
    before, after = (np.abs([output(view) for view in views(gain_2=gain)]) for gain in (1.0, 0.0))

    assert (np.flatnonzero(after[0] > before[0]) + 1).tolist() == [3, 6, 8]
    assert (after > before).any(axis=1).all()
    assert (after != before).all()  # all eight rows lose something: (c) is wrong for each token


def test_the_heads_pull_apart_least_at_token_4():
    """Second task: 2 rows, and at no other token so few."""
    counts = [int(re.search(r"pull apart in (\d)", view.sentence)[1]) for view in views()]

    assert counts == [5, 3, 4, 2, 4, 6]


def test_the_heads_meet_nowhere_with_three_of_the_four():
    """Third task: with the identity, the block-diagonal choice and the other two blocks; not with the book's."""
    from helpers.explore.concatenation import omegas

    apart = {name for name in omegas() if all("meet in none" in view.sentence for view in views(omega_c=name))}
    assert apart == {"identity", "block-diagonal", "the other two blocks"}
    assert all("meet in 8" in view.sentence for view in views())


@pytest.mark.parametrize(
    ("moved", "matched"),
    [
        ({"omega_c": "identity", "gain_2": 0.0}, True),
        ({"omega_c": "block-diagonal", "gain_2": 0.0}, True),
        ({"omega_c": "the other two blocks", "gain_1": 0.0}, True),
        ({"omega_c": "the other two blocks", "gain_2": 0.0}, False),
        ({"omega_c": "the book's", "gain_2": 0.0}, False),
    ],
)
def test_the_last_four_rows_can_be_emptied(moved, matched):
    """Fourth task: there is a way without head 2 and one without head 1, for each token."""
    for view in views(**moved):
        column = output(view)
        assert (all(column[:4]) and not any(column[4:])) == matched
