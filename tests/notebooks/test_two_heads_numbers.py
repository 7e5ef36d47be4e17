"""Every number of notebook 3 that a student can check on paper, held against the solutions."""

import re

import numpy as np
import pytest

from helpers.course import course
from helpers.examples import examples
from helpers.examples.example import seeded_heads, six_tokens
from helpers.examples.single_head import sentence_head, sentence_tokens
from helpers.examples.two_heads import did_head, who_head
from helpers.teach import notebook_form, solutions
from helpers.teach.course_folder import notebooks_folder

softmax_cols = solutions.function("softmax_cols")
project = solutions.function("project")
scaled_scores = solutions.function("scaled_scores")
head_size = solutions.function("head_size")
head_output = solutions.function("head_output")
two_heads = solutions.function("two_heads")
strongest_key = solutions.function("strongest_key")


@pytest.fixture(scope="module")
def cells():
    """Return the notebook's cells by id."""
    notebook = notebook_form.read(notebooks_folder() / "03_two_heads.ipynb")
    return {cell.id: cell.source for cell in notebook.cells}


def column(*numbers):
    """Return numbers as a column."""
    return np.array([numbers], dtype=float).T


X, head1, head2 = six_tokens(), *seeded_heads()[:2]
(SA1, SA2), (A1, A2) = two_heads(X, head1, head2)
WHO, DID = two_heads(sentence_tokens(), who_head(), did_head())[1]
IT = 4  # the column of *it*
PAPER_X, PAPER_HEAD = examples("head_output")[0].arguments
PAPER_SA, PAPER_A = head_output(PAPER_X, PAPER_HEAD)
PAIR_SA, PAIR_A = two_heads(*examples("two_heads")[0].arguments)
SMALL_A = examples("strongest_key")[0].arguments[0]
LN2, LN3 = np.log(2), np.log(3)

# Cell, words that stand there, what the solutions give, what the words say, and half a unit of what is written.
EXACT, ONE_DECIMAL, TWO_DECIMALS, THREE_DECIMALS = 1e-12, 5e-2, 5e-3, 5e-4
ON_PAPER = [
    ("paper", r"divided by $\sqrt2$: that is 4.243", scaled_scores(column(6, 0), column(1, 0)), 4.243, THREE_DECIMALS),
    ("paper", r"$e^{4.243}\approx69.6$", np.exp(6 / np.sqrt(2)), 69.6, ONE_DECIMAL),
    ("paper", "*cat* gets $69.6/74.6=.93$", WHO[3, IT], 0.93, TWO_DECIMALS),
    ("paper", "*cat* gets $69.6/74.6=.93$", 69.6 / 74.6, 0.93, TWO_DECIMALS),
    ("paper", "(.77. That is why it became 6.)", head_output(sentence_tokens(), sentence_head())[1][3, IT], 0.77, 5e-3),
    ("idea-heads", "puts .93 on cat and .01 on each other word", WHO[:, IT], [0.01] * 3 + [0.93] + [0.01] * 2, 5e-3),
    ("idea-heads", "puts .93 on purred and .01 on each other word", DID[:, IT], [0.01] * 5 + [0.93], TWO_DECIMALS),
    ("head_size-text", "12 rows, 3 heads: 4 rows each", head_size(12, 3), 4, EXACT),
    ("head_size-text", "10 rows, 4 heads: 2.5", 10 / 4, 2.5, EXACT),
    (
        "head_output-text",
        r"\mathbf X=\begin{pmatrix}0&1&0\\0&0&1\\6&0&3\\0&6&3\end{pmatrix}",
        PAPER_X,
        [[0, 1, 0], [0, 0, 1], [6, 0, 3], [0, 6, 3]],
        EXACT,
    ),
    (
        "head_output-text",
        r"\mathbf Q=\sqrt2\begin{pmatrix}\ln2&\ln2&\ln3\\\ln3&0&0\end{pmatrix}",
        project(PAPER_X, PAPER_HEAD.omega_q, PAPER_HEAD.beta_q),
        np.sqrt(2) * np.array([[LN2, LN2, LN3], [LN3, 0, 0]]),
        EXACT,
    ),
    (
        "head_output-text",
        r"$\boldsymbol\Omega_k$ takes rows 1 and 2 of $\mathbf X$ as keys",
        project(PAPER_X, PAPER_HEAD.omega_k, PAPER_HEAD.beta_k),
        PAPER_X[:2],
        EXACT,
    ),
    (
        "head_output-text",
        r"$\boldsymbol\Omega_v$ rows 3 and 4 as values",
        project(PAPER_X, PAPER_HEAD.omega_v, PAPER_HEAD.beta_v),
        PAPER_X[2:],
        EXACT,
    ),
    (
        "head_output-text",
        r"shares, $(\tfrac16,\tfrac13,\tfrac12)$, and the mixture, $(2.5,\ 3.5)$. "
        r"Token 2 scores $(0,\ln2,0)$: shares $(\tfrac14,\tfrac12,\tfrac14)$, output $(2.25,\ 3.75)$. "
        r"And token 3? ($(\tfrac15,\tfrac35,\tfrac15)$ and $(1.8,\ 4.2)$.)",
        np.vstack([PAPER_A, PAPER_SA]),
        [[1 / 6, 1 / 4, 1 / 5], [1 / 3, 1 / 2, 3 / 5], [1 / 2, 1 / 4, 1 / 5], [2.5, 2.25, 1.8], [3.5, 3.75, 4.2]],
        EXACT,
    ),
    (
        "head_output-text",
        r"the scores of token 1 are $(0,\ln2,\ln3)$",
        scaled_scores(np.sqrt(2) * column(LN2, LN3), PAPER_X[:2]),
        column(0, LN2, LN3),
        EXACT,
    ),
    (
        "two_heads-text",
        r"shares $(.5,.5)$, output .5. Token 2 scores 0 and 1: shares $(.269,.731)$, output .731",
        PAIR_A[0],
        [[0.5, 0.269], [0.5, 0.731]],
        THREE_DECIMALS,
    ),
    ("two_heads-text", r"$\mathbf{Sa}_1=(.5,\ .731)$", PAIR_SA[0], [[0.5, 0.731]], THREE_DECIMALS),
    ("two_heads-text", r"What is $\mathbf{Sa}_2$? ($(.731,\ .5)$.)", PAIR_SA[1], [[0.731, 0.5]], THREE_DECIMALS),
    (
        "strongest_key-text",
        r"\mathbf A=\begin{pmatrix}.2&.6\\.5&.3\\.3&.1\end{pmatrix}",
        SMALL_A,
        [[0.2, 0.6], [0.5, 0.3], [0.3, 0.1]],
        EXACT,
    ),
    ("strongest_key-text", "The answer is $(1,0)$", strongest_key(SMALL_A), [1, 0], EXACT),
    ("words-text", "position 4 is x5", strongest_key(A1)[0] + 1, 5, EXACT),
    ("side-by-side", "The query of x6 puts .50 on x1 and .45 on x5", A1[[0, 4], 5], [0.50, 0.45], TWO_DECIMALS),
    ("side-by-side", "The query of x6 puts .69 on x6 and .30 on x3", A2[[5, 2], 5], [0.69, 0.30], TWO_DECIMALS),
    ("row-sums-read", "x5 collects 3.13", A1.sum(axis=1)[4], 3.13, TWO_DECIMALS),
    ("sentence-read", "*cat*, .93, and *purred*, .93", [WHO[3, IT], DID[5, IT]], [0.93, 0.93], TWO_DECIMALS),
    ("bridge", "two outputs of 4 rows; the tokens came in with 8", [len(SA1), len(SA2), len(X)], [4, 4, 8], EXACT),
]


@pytest.mark.parametrize(("cell", "words", "given", "said", "half_a_unit"), ON_PAPER)
def test_a_number_on_paper_is_what_the_solutions_give(cells, cell, words, given, said, half_a_unit):
    """The words stand in the notebook, and the solutions give what they say, to the decimals that are written."""
    assert words in cells[cell]
    np.testing.assert_allclose(given, said, rtol=0, atol=half_a_unit)


def test_the_table_says_where_both_heads_look(cells):
    """Each line names the strongest key and its share in both heads, and no token looks at one place in both."""
    lines = re.findall(r"^\| x(\d) \| x(\d) \| ([\d.]+) \| x(\d) \| ([\d.]+) \|$", cells["side-by-side"], re.MULTILINE)

    assert [int(line[0]) for line in lines] == [1, 2, 3, 4, 5, 6]
    for n, (_, first, share1, second, share2) in enumerate(lines):
        assert [int(first) - 1, int(second) - 1] == [strongest_key(A1)[n], strongest_key(A2)[n]]
        np.testing.assert_allclose([A1[:, n].max(), A2[:, n].max()], [float(share1), float(share2)], atol=TWO_DECIMALS)
        assert first != second
    assert "No token looks at the same place in both heads." in cells["side-by-side"]


def test_what_is_said_of_the_rows_is_so(cells):
    """x5 is read most in head 1 and x2 least; in head 2 x2 is read most."""
    assert "x2 next to nothing. Head 2 reads x2 most of all." in cells["row-sums-read"]
    assert A1.sum(axis=1).argmax() == 4
    assert A1.sum(axis=1).argmin() == 1
    assert A1.sum(axis=1)[1] < 0.005
    assert A2.sum(axis=1).argmax() == 1


def run(cells, *ids, **names):
    """Return the names after our own cells of these ids, run with the solutions."""
    functions = {"softmax_cols": softmax_cols, "head_output": head_output, "two_heads": two_heads}
    shown = {}
    namespace = {
        "np": np,
        "Head": type(head1),
        "strongest_key": strongest_key,
        "show": lambda name, value: shown.update({name: np.asarray(value)}),
        "print": lambda *words: None,
        **functions,
        **names,
    }
    for id_ in ids:
        exec(cells[id_], namespace)  # noqa: S102  our own notebook
    return {**namespace, **shown}


def test_the_notebook_draws_the_books_data(cells):
    """The cell's draws, in its order, are the seeded tokens and both heads."""
    names = run(cells, "data")

    np.testing.assert_array_equal(names["X"], X)
    for ours, true in zip([*names["head1"], *names["head2"]], [*head1, *head2], strict=True):
        np.testing.assert_array_equal(ours, true)


def test_the_notebooks_paper_head_is_the_checks(cells):
    """The head on paper, as the notebook writes it, is the one that the check begins with."""
    names = run(cells, "paper-head")

    np.testing.assert_array_equal(names["paper_X"], PAPER_X)
    for ours, true in zip(names["paper_head"], PAPER_HEAD, strict=True):
        np.testing.assert_allclose(ours, true, rtol=0, atol=EXACT)


def test_the_notebooks_sentence_is_the_one_that_is_drawn(cells):
    """The matrices in the notebook's cell are those of the pictures."""
    names = run(cells, "sentence-heads", "sentence-cell")

    np.testing.assert_array_equal(names["tokens"], sentence_tokens())
    for ours, true in zip([*names["who"], *names["did"]], [*who_head(), *did_head()], strict=True):
        np.testing.assert_array_equal(ours, true)
    np.testing.assert_array_equal(names["A_words"][1], DID)


# --- the answers to the questions, and what their cells show


def because(name):
    """Return what is said when a question is revealed."""
    return course().questions[name].because


def test_two_keys_share_a_column(cells):
    """The more both are asked for, the closer each comes to one half, and neither passes it."""
    shares = run(cells, "shared_column-try")["shared_column_weights"]

    np.testing.assert_array_equal(shares[3], shares[5])
    assert np.all(np.diff(shares[3]) > 0)
    assert 0.499 < shares[3, 2] < 0.5
    assert "neither gets more than 1/2" in because("shared_column")


def test_two_small_heads_and_one_wide_have_as_many_parameters(cells):
    """216 both, counted in the notebook's cell, and by hand as its answer does."""
    shown = run(cells, "data", "two_small_or_one_wide-try")

    assert shown["parameters_of_two"] == shown["parameters_of_one_wide"] == 216 == 3 * 72 == 3 * 8 * (8 + 1)
    assert "3 times 72 is 216" in because("two_small_or_one_wide")


def test_the_last_row_moves_the_output(cells):
    """Every column of head 1's output moves when row 8 of X does."""
    effect = run(cells, "data", "rows_read-try", Sa1=SA1)["effect_of_the_last_row"]

    assert np.all(np.abs(effect).max(axis=0) > 0.1)


def test_a_twin_has_the_weights_and_not_the_outputs(cells):
    """Equal queries and keys give equal weights; other values give another output."""
    shown = run(cells, "data", "twin_heads-try")

    assert not shown["twin_weights_difference"].any()
    assert np.abs(shown["twin_output_difference"]).max() > 1


def test_dividing_a_column_keeps_its_winner_and_makes_it_smaller():
    """Over many columns of scores that differ, a quarter of them has the same strongest key with a smaller share."""
    S = np.random.RandomState(5).normal(size=(6, 100))
    whole, quarter = softmax_cols(S), softmax_cols(S / 4)

    np.testing.assert_array_equal(strongest_key(whole), strongest_key(quarter))
    assert np.all(quarter.max(axis=0) < whole.max(axis=0))


def test_the_recalled_root_is_that_of_sixteen():
    """With queries and keys of 16 entries the scores are divided by 4, and 8 is the root of D = 64."""
    np.testing.assert_allclose(scaled_scores(np.ones((16, 1)), np.ones((16, 1))), 16 / 4)
    assert np.sqrt(64) == 8


# --- the tasks


def test_one_number_makes_purred_look_at_fed_and_changes_nothing_else():
    """Among all entries of `did_asks` only a sound that asks for a silent action does it."""
    X, head = sentence_tokens(), did_head()
    other_columns = [0, 1, 2, 3, 4]
    found = []
    for place in np.ndindex(2, 5):
        asks = head.omega_q.copy()
        asks[place] = 6
        A = head_output(X, head._replace(omega_q=asks))[1]
        if A[1, 5] > 0.9 and np.allclose(A[:, other_columns], DID[:, other_columns]):
            found.append(place)

    assert found == [(0, 3)]


def test_a_copy_of_a_head_tells_nothing_new():
    """Two equal heads give equal outputs and weights."""
    (Sa, Sb), (A, B) = two_heads(X, head1, head1)

    np.testing.assert_array_equal(Sa, Sb)
    np.testing.assert_array_equal(A, B)


def test_only_it_looks_somewhere_in_both_heads(cells):
    """A word that asks for nothing has six equal shares: *the* in both heads, *it* in neither, the others in one."""
    asks = [[A[:, n].max() > 0.9 for A in (WHO, DID)] for n in range(6)]

    assert asks[4] == [True, True]
    assert [sum(both) for both in asks] == [1, 1, 0, 1, 2, 1]
    np.testing.assert_array_equal(WHO[:, 2], np.full(6, WHO[0, 2]))
    np.testing.assert_array_equal(DID[:, 2], np.full(6, DID[0, 2]))
    assert "Only *it* has both answers" in cells["sentence-read"]


def test_a_silent_head_takes_the_mean():
    """Without omega_q all columns are alike; without beta_q too every share is 1/6 and the output the mean value."""
    quiet = head2._replace(omega_q=0 * head2.omega_q)
    A = head_output(X, quiet)[1]
    np.testing.assert_allclose(A, np.repeat(A[:, :1], 6, axis=1), rtol=1e-12)
    assert A.max() > 0.5

    Sa, A = head_output(X, quiet._replace(beta_q=0 * head2.beta_q))
    np.testing.assert_allclose(A, np.full((6, 6), 1 / 6), rtol=1e-12)
    values = head2.omega_v @ X + head2.beta_v
    np.testing.assert_allclose(Sa, np.repeat(values.mean(axis=1, keepdims=True), 6, axis=1), rtol=1e-12)


# --- the tasks of the explorer


def exchanged(**switches):
    """Return outputs and weights of both heads as the explorer's switches leave them."""
    from helpers.explore.two_heads import heads  # asked for here: it brings the widgets

    return two_heads(X, *heads({"swapped": False, "twin": False, "undivided": False} | switches))


def test_swapped_values_make_outputs_that_neither_head_had():
    """The maps stay; at every query both outputs are far from what either head put out before."""
    outputs, weights = exchanged(swapped=True)

    np.testing.assert_array_equal(weights, [A1, A2])
    for new in outputs:
        for old in (SA1, SA2):
            assert np.abs(new - old).max(axis=0).min() > 1
    assert "a mixture that neither made before" in because("swapped_values")


def test_one_switch_alone_makes_the_difference_of_the_maps_zero():
    """Equal queries and keys do; swapped values and undivided scores do not. The outputs differ at every query."""
    maps = {name: exchanged(**{name: True})[1] for name in ("swapped", "twin", "undivided")}

    assert [name for name, (one, other) in maps.items() if not np.subtract(one, other).any()] == ["twin"]
    one, other = exchanged(twin=True)[0]
    assert np.abs(one - other).max(axis=0).min() > 1


def test_one_query_has_a_key_in_common(cells):
    """More than .05 in both heads: query 1 on key 5, nothing else."""
    assert np.argwhere(np.minimum(A1, A2) > 0.05).tolist() == [[4, 0]]
    assert "more than .05 on the same key" in cells["exchange-tasks"]


def test_undivided_scores_leave_one_column_torn(cells):
    """Every entropy falls; under 60 % on every key stays query 6 in head 1 alone, and no strongest key changes."""
    weights = np.array(exchanged(undivided=True)[1])
    entropy_cols = solutions.function("entropy_cols")

    for before, after in zip((A1, A2), weights, strict=True):
        assert np.all(entropy_cols(after) < entropy_cols(before))
        np.testing.assert_array_equal(strongest_key(after), strongest_key(before))
    assert np.argwhere(weights.max(axis=1) < 0.6).tolist() == [[0, 5]]
    assert "In one column still no key has 60 %" in cells["exchange-tasks"]


def test_no_query_looks_at_one_key_in_both_heads():
    """The explorer's tokens are the notebook's: first keys 5 6 5 1 5 1 and 4 2 6 3 2 6, counted from 1."""
    _, (one, other) = exchanged()

    assert (strongest_key(one) + 1).tolist() == [5, 6, 5, 1, 5, 1]
    assert (strongest_key(other) + 1).tolist() == [4, 2, 6, 3, 2, 6]
