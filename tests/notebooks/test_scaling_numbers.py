"""Every number of notebook 2 that a student can check on paper, held against the solutions."""

import itertools
import math
import re

import numpy as np
import pytest

from helpers.course import course
from helpers.draw.text import weight_text
from helpers.examples import examples
from helpers.examples.example import seeded_head, seeded_tokens
from helpers.examples.scaling import long_query_and_keys, paper_head
from helpers.teach import notebook_form, solutions
from helpers.teach.course_folder import notebooks_folder
from helpers.teach.figures import scaling as pictures
from helpers.truth import shown

LN2, LN3 = math.log(2), math.log(3)
project = solutions.function("project")
softmax_cols = solutions.function("softmax_cols")
attention_weights = solutions.function("attention_weights")
self_attention = solutions.function("self_attention")
dot_variance = solutions.function("dot_variance")
scaled_scores = solutions.function("scaled_scores")
entropy_cols = solutions.function("entropy_cols")
scaled_self_attention = solutions.function("scaled_self_attention")
softmax_jacobian = solutions.function("softmax_jacobian")


@pytest.fixture(scope="module")
def cells():
    """Return the notebook's cells by id."""
    notebook = notebook_form.read(notebooks_folder() / "02_scaling.ipynb")
    return {cell.id: cell.source for cell in notebook.cells}


def column(*numbers):
    """Return numbers as a column."""
    return np.array([numbers], dtype=float).T


X, head = seeded_tokens(), seeded_head()
queries, keys = project(X, head.omega_q, head.beta_q), project(X, head.omega_k, head.beta_k)
A, A_scaled = attention_weights(queries, keys), softmax_cols(scaled_scores(queries, keys))
signs = np.array(list(itertools.product([1, -1], repeat=2))).T  # (2, 4), in the order of the table
tokens, paper = paper_head()
paper_queries, paper_keys = project(tokens, paper.omega_q, paper.beta_q), project(tokens, paper.omega_k, paper.beta_k)
temperatures = softmax_cols(column(2, 1, 0) / np.array([0.25, 1, 4]))


def weights_at(T):
    """Return the weights of the scores 2, 1 and 0 at one temperature."""
    return softmax_cols(column(2, 1, 0) / T)


def nudged(divisor):
    """Return how far the weights of notebook 1's first column move when its third dot product grows by 1."""
    scores = 2 * scaled_scores(queries, keys)[:, :1]
    return softmax_cols((scores + column(0, 0, 1)) / divisor) - softmax_cols(scores / divisor)


# Cell, words that stand there, what the solutions give, what the words say, and half a unit of what is written.
EXACT, TWO_DECIMALS, THREE_DECIMALS = 1e-12, 5e-3, 5e-4
ON_PAPER = [
    ("idea", "put .998 on one token", A[:, 0].max(), 0.998, THREE_DECIMALS),
    ("paper", "| dot product | $2$ | $0$ | $0$ | $-2$ |", np.array([1, 1]) @ signs, [2, 0, 0, -2], EXACT),
    ("paper", "$(4+0+0+4)/4=2$", np.var(signs.T @ signs, axis=0), [2, 2, 2, 2], EXACT),
    ("paper", "Their mean is 0", np.mean(signs.T @ signs, axis=0), [0, 0, 0, 0], EXACT),
    (
        "paper",
        "Other queries meet the same four numbers",
        np.sort(signs.T @ signs, axis=0),
        [[-2] * 4, [0] * 4, [0] * 4, [2] * 4],
        EXACT,
    ),
    ("paper-question", "The products are $1$ and $-1$; the variance is 1.", np.var([1, -1]), 1, EXACT),
    ("divisor-question", r"$2,0,0,-2$ have variance 2.", np.var([2, 0, 0, -2]), 2, EXACT),
    ("divisor-question", r"$1,0,0,-1$, have variance $\tfrac12$", np.var([1, 0, 0, -1]), 0.5, EXACT),
    (
        "scaled_scores-text",
        "Key 1: $3+2+0+1=6$, divided by 2 is 3. Work out the other two. (You should get 1 and $-1$.)",
        scaled_scores(*examples("scaled_scores")[0].arguments),
        [[3], [1], [-1]],
        EXACT,
    ),
    (
        "scaled_scores-text",
        r"\begin{pmatrix}1&0&-1\\2&0&1\\0&1&0\\1&0&0\end{pmatrix}",
        examples("scaled_scores")[0].arguments[1],
        [[1, 0, -1], [2, 0, 1], [0, 1, 0], [1, 0, 0]],
        EXACT,
    ),
    (
        "scaled_scores-text",
        r"\begin{pmatrix}3\\1\\2\\1\end{pmatrix}",
        examples("scaled_scores")[0].arguments[0],
        [[3], [1], [2], [1]],
        EXACT,
    ),
    ("scaled_scores-read", "250,000 random scores", 500 * 500, 250_000, EXACT),
    ("scaled_scores-read", "All three come out near 1", shown()["variances_after_scaling"], [1, 1, 1], 0.01),
    (
        "entropy_cols-text",
        r"$(.5,.5)$ gives $-.5\ln.5-.5\ln.5=\ln2=.693$: two keys",
        entropy_cols(column(0.5, 0.5)),
        [0.693],
        THREE_DECIMALS,
    ),
    ("entropy_cols-text", "two keys", np.exp(entropy_cols(column(0.5, 0.5))), [2], EXACT),
    ("entropy_cols-text", "$(1,0)$ gives 0: one key", entropy_cols(column(1, 0)), [0], EXACT),
    ("entropy_cols-text", r"largest, $\ln N_k$", entropy_cols(np.full((7, 1), 1 / 7)), [math.log(7)], EXACT),
    (
        "self-text",
        r"All four entries of a query are $1-x$, all four of a key $\tfrac12\ln3\cdot x$",
        [paper_queries, paper_keys],
        [[[1, 0]] * 4, [[0, LN3 / 2]] * 4],
        EXACT,
    ),
    (
        "self-text",
        r"has the dot products 0 and $4\cdot\tfrac12\ln3=2\ln3$",
        paper_keys.T @ paper_queries[:, :1],
        [[0], [2 * LN3]],
        EXACT,
    ),
    (
        "self-text",
        r"Divided by 2: 0 and $\ln3$, shares $(\tfrac14,\tfrac34)$. Token 2 scores 0 with both: $(\tfrac12,\tfrac12)$",
        softmax_cols(scaled_scores(paper_queries, paper_keys)),
        [[1 / 4, 1 / 2], [3 / 4, 1 / 2]],
        EXACT,
    ),
    (
        "self-text",
        "First entries of the values: 2 and 6",
        project(tokens, paper.omega_v, paper.beta_v)[0],
        [2, 6],
        EXACT,
    ),
    ("self-text", "Outputs: 5 and 4.", scaled_self_attention(tokens, paper)[0], [5, 4], EXACT),
    ("self-read", "was .947, 1.642, 1.619", self_attention(X, head)[0], [0.947, 1.642, 1.619], THREE_DECIMALS),
    (
        "jacobian-text",
        r"on the diagonal $\tfrac14\cdot\tfrac34=\tfrac3{16}$ and $\tfrac34\cdot\tfrac14=\tfrac3{16}$, "
        r"elsewhere $-\tfrac3{16}$",
        softmax_jacobian(np.array([1 / 4, 3 / 4])),
        [[3 / 16, -3 / 16], [-3 / 16, 3 / 16]],
        EXACT,
    ),
    ("jacobian-text", "(All four are 0.)", softmax_jacobian(np.array([1.0, 0.0])), [[0, 0], [0, 0]], EXACT),
]


@pytest.mark.parametrize(("cell", "words", "given", "said", "half_a_unit"), ON_PAPER)
def test_a_number_on_paper_is_what_the_solutions_give(cells, cell, words, given, said, half_a_unit):
    """The words stand in the notebook, and the solutions give what they say, to the decimals that are written."""
    assert words in cells[cell]
    np.testing.assert_allclose(given, said, rtol=0, atol=half_a_unit)


# Question, words of its answer, what the solutions give, what the words say.
BECAUSE = [
    ("temperature_entropy", ".09, .83 and 1.08", entropy_cols(temperatures), [0.09, 0.83, 1.08]),
    ("temperature_entropy", "ln 3 = 1.10", LN3, 1.10),
    ("nudged_score", "By .024 instead of .003", [nudged(2)[2, 0], nudged(1)[2, 0]], [0.024, 0.003]),
    ("variance_growth", "64 is 16 times 4", 64 / 4, 16),
]


@pytest.mark.parametrize(("question", "words", "given", "said"), BECAUSE)
def test_a_number_in_an_answer_is_what_the_solutions_give(question, words, given, said):
    """The words stand in the answer that is revealed, and the solutions give what they say, to half a unit."""
    decimals = 3 if question == "nudged_score" else 2
    assert words in course().questions[question].because
    np.testing.assert_allclose(given, said, rtol=0, atol=0.5 * 10.0**-decimals)


def test_a_nudge_is_felt_eight_times_as_far():
    """Divided, the weight moves eight times as far, as the answer says."""
    assert "eight times as far" in course().questions["nudged_score"].because
    assert round(float(nudged(2)[2, 0] / nudged(1)[2, 0])) == 8


# --- drawn numbers


def test_the_ratios_do_not_depend_on_the_way_of_drawing(cells):
    """A ratio that is rounded to 4 lies more than seven standard deviations from the next whole number."""
    assert (
        "dot_variance(D_q, 20_000, np.random.RandomState(D_q)) for D_q in (4, 16, 64)" in cells["variance_growth-try"]
    )

    def deviation(D_q):
        return math.sqrt((2 + 6 / D_q) / 20_000)

    for small, large in ((4, 16), (16, 64)):
        assert 7 * 4 * math.hypot(deviation(small), deviation(large)) < 0.5
    ratios = [
        dot_variance(4 * D_q, 20_000, np.random.RandomState(seed))
        / dot_variance(D_q, 20_000, np.random.RandomState(100 + seed))
        for D_q in (4, 16)
        for seed in range(5)
    ]
    np.testing.assert_array_equal(np.round(ratios), 4)
    np.testing.assert_array_equal(shown()["variance_ratios"], [4, 4])


# --- pictures


def numbered(weights):
    """Return weights as a picture writes them, read as numbers; what is left blank is 0."""
    return [[float(weight_text(w) or 0) for w in row] for row in weights]


def test_the_pictures_say_what_their_sentences_say(cells):
    """The numbers of the alt sentences are those of the cells of the pictures."""
    before, after = (np.array(numbered(pictures.columns_by_size(scaled=scaled))) for scaled in (False, True))
    assert "key 4 has .41. With 16 keys 4 and 6 have .58 and .42. With 64 key 4 has all." in cells["idea"]
    assert before[3].tolist() == [0.41, 0.58, 1]
    assert before[5, 1] == 0.42
    assert before[:, 0].all(), "with 1 entry every key has a share"
    assert (
        "key 4 has .41, as before. With 16 keys 4 and 6 have .40 and .37. With 64 key 4 has .50."
        in (cells["winner-picture"])
    )
    assert after[3].tolist() == [0.41, 0.40, 0.50]
    assert after[5, 1] == 0.37

    assert "Column 1: 0, 1, 0. Column 2: 0, .01, .99. Column 3: .01, .01, .99." in cells["self-read"]
    assert numbered(A.T) == [[0, 1, 0], [0, 0.01, 0.99], [0.01, 0.01, 0.99]]
    assert "Column 1: 0, .96, .04. Column 2: 0, .07, .93. Column 3: .06, .07, .87." in cells["self-read"]
    assert numbered(A_scaled.T) == [[0, 0.96, 0.04], [0, 0.07, 0.93], [0.06, 0.07, 0.87]]


def test_the_drawn_columns_are_the_notebooks():
    """The pictures and the cell that shows the same columns agree."""
    for scaled, name in ((False, "columns_before_scaling"), (True, "columns_after_scaling")):
        np.testing.assert_allclose(pictures.columns_by_size(scaled=scaled), shown()[name], atol=1e-9)
    np.testing.assert_array_equal(shown()["winners_before_and_after"][:, 2], [3, 3])  # key 4, counted from 0
    np.testing.assert_array_equal(*shown()["winners_before_and_after"])


# --- tasks


def test_other_drawings_are_sharp_before_and_not_after(cells):
    """With seeds 1 to 5 one key has more than half of the last column each time, and never once it is divided."""
    assert "the seeds 1 to 5" in cells["winner-picture"]
    for seed in range(1, 6):
        rng = np.random.RandomState(seed)
        q, K = rng.normal(size=(64, 1)), rng.normal(size=(64, 6))
        assert attention_weights(q, K).max() > 0.5
        assert softmax_cols(scaled_scores(q, K)).max() < 0.5
    np.testing.assert_array_equal(long_query_and_keys()[0], np.random.RandomState(0).normal(size=(64, 1)))


def test_the_temperature_tasks_lead_where_they_say(cells):
    """Three keys count as 2.000 at a T of three decimals and at none of two; at 1000 as three; at -1 in reverse."""

    def count(T):
        return np.exp(entropy_cols(weights_at(T)))[0]

    assert "count as two, 2.000. (It takes three decimals of $T$.)" in cells["temperature-tasks"]
    assert [round(T / 1000, 3) for T in range(700, 800) if round(count(T / 1000), 3) == 2] == [0.754]
    assert np.exp(entropy_cols(weights_at(1000)))[0] == pytest.approx(3, abs=THREE_DECIMALS)
    assert np.argsort(weights_at(-1.0)[:, 0]).tolist() == [0, 1, 2]
    assert np.argsort(weights_at(1.0)[:, 0]).tolist() == [2, 1, 0]


def test_variances_of_sums_are_what_the_words_say(cells):
    """Two signs multiplied have mean 0; four products of standard normals and a bias have variance 5."""
    assert "$pr$ is $+1$ as often as $-1$" in cells["paper-question"]
    signs = (1, -1)
    assert (
        sorted(q1 * k1 * q2 * k2 for q1 in signs for k1 in signs for q2 in signs for k2 in signs) == [-1] * 8 + [1] * 8
    )

    assert "so its variance is about 5" in cells["still-sharp"]
    rng = np.random.RandomState(0)
    entries = np.sum(rng.normal(size=(4, 100_000)) * rng.normal(size=(4, 100_000)), axis=0) + rng.normal(size=100_000)
    assert np.var(entries) == pytest.approx(5, rel=0.02)


def test_the_output_that_moves_furthest_is_the_one_whose_entropy_rises_most():
    """Token 3's output moves furthest from notebook 1's, and the entropy of its column rises most."""
    moved = np.linalg.norm(scaled_self_attention(X, head) - self_attention(X, head), axis=0)
    risen = entropy_cols(A_scaled) - entropy_cols(A)

    assert np.argmax(moved) == np.argmax(risen) == 2
    assert [entropy_cols(A)[2], entropy_cols(A_scaled)[2]] == pytest.approx([0.07, 0.48], abs=TWO_DECIMALS)
    assert np.argmax(np.abs(scaled_self_attention(X, head) - self_attention(X, head))[0]) == 2  # in the first row too


def test_the_books_scores_need_a_temperature_near_thirty(cells):
    """The largest derivative is about exp(-95) at T = 1; 29 is the smallest whole T that brings one above .1."""

    def largest(T):
        return np.abs(softmax_jacobian(softmax_cols(column(-3, 1, 100, 5, -1) / T)[:, 0])).max()

    assert r"The largest is about $e^{-95}$, which is $5.5\cdot10^{-42}$" in cells["saturated-text"]
    assert largest(1) == pytest.approx(math.exp(-95))
    assert largest(1) == pytest.approx(5.5e-42, rel=0.01)
    assert "29 is the smallest whole number" in cells["saturated-text"]
    assert largest(28) < 0.1 < largest(29)


def test_zero_times_the_logarithm_of_zero_is_nan_in_numpy():
    """In numpy log(0) is -inf and 0 times -inf is nan, as the notebook says."""
    with np.errstate(divide="ignore", invalid="ignore"):
        assert np.log(0.0) == -np.inf
        assert np.isnan(0.0 * -np.inf)


# A task of the explorer: where the controls stand, and what the sentence says there.
EXPLORED = [
    ({"divisor": "all", "temperature": 0.25}, "the 8 weights are those of your scaled_scores"),
    ({"D_q": 64, "temperature": 8.0}, "the 8 weights are those of your scaled_scores"),
    ({"D_q": 16}, "is 91 %; with your scaled_scores, 38 %"),
    ({"D_q": 64}, "is over 99 %; with your scaled_scores, 42 %"),
    ({"D_q": 1024, "draw": 12}, "is 57 %"),
]


@pytest.fixture
def explorer():
    """Return the explorer of the notebook on the solutions, the optional function among them."""
    from explorers import whole

    return whole("scaling")


@pytest.mark.parametrize(("moved", "said"), EXPLORED)
def test_the_tasks_of_the_explorer_can_be_done(explorer, moved, said):
    """Each task ends in a state that the controls reach from the start, with what the text says."""
    for name, value in moved.items():
        explorer.controls[name].value = value

    assert said in explorer.view().sentence


def test_the_explorer_starts_as_its_tasks_say(explorer):
    """Draw 8, divided by nothing, temperature 1."""
    assert explorer.start == {"D_q": 16, "temperature": 1.0, "divisor": "nothing", "draw": 8, "nudge": False}


def equal_columns(explorer, **state):
    """Return the temperatures at which both columns are the same."""
    return [
        words
        for words, T in explorer.controls["temperature"].options
        if "are those of your" in explorer.view(explorer.start | state | {"temperature": T}).sentence
    ]


def test_one_temperature_makes_both_columns_the_same(explorer, cells):
    """1/4 mends a division by 16, of the three choices and of all; undivided at 64 entries it is the root, 8."""
    assert equal_columns(explorer, divisor="all") == ["1/4"]
    assert equal_columns(explorer, D_q=64) == ["8"]
    assert course().questions["variance_mended"].choices[course().questions["variance_mended"].answer] == "1/4"


def test_the_column_freezes_at_64_entries_and_thaws_in_one_draw(explorer):
    """Draw 8 has a key over 99 % from 64 entries on; with 1,024 only draw 12 leaves every key below 60 %."""

    def largest(**state):
        """Return the share of the largest weight, in whole per cent."""
        return int(re.search(r"is (?:over )?(\d+) %", explorer.view(explorer.start | state).sentence)[1])

    assert [largest(D_q=D_q) for D_q in (1, 4, 16, 64, 256, 1024)] == [15, 53, 91, 99, 99, 100]
    assert [draw for draw in range(1, 21) if largest(D_q=1024, draw=draw) < 60] == [12]


def test_one_setting_makes_every_weight_nearly_equal(explorer):
    """With 16 entries every weight is .12 or .13 by D_q at temperature 8 alone: 7.99 equal keys."""
    found = []
    for _, divisor in explorer.controls["divisor"].options:
        for words, T in explorer.controls["temperature"].options:
            panels = explorer.view(explorer.start | {"divisor": divisor, "temperature": T}).panels
            _, *weights = re.findall(r">(0|\.\d\d|1\.00)<", panels[0])  # the first is the 0 of the axis
            if set(weights) <= {".12", ".13"}:
                found.append((divisor, words))
                assert ">7.99 of 8.00<" in panels[3]

    assert found == [("all", "8")]


def test_the_norm_of_the_jacobian_rises_before_it_falls(explorer, cells):
    """Of draw 8: .33, .43, .13, 0; on average .24, .15, .07, .05 from 16 entries on, and near .37 divided."""
    norms = []
    for D_q in (1, 4, 16, 64, 256, 1024):
        panel = explorer.view(explorer.start | {"D_q": D_q, "nudge": True}).panels[3]
        norms.append(re.findall(r">(\S+) of .50<", panel)[0])
    assert "(At 4: .33, .43, .13, then 0.)" in cells["nudge-norm"]
    assert norms == [".33", ".43", ".13", "0", "0", "0"]

    rng = np.random.RandomState(8)
    Q, K = rng.normal(size=(50, 1024, 10)), rng.normal(size=(50, 1024, 8))

    def mean_norm(D_q, divisor):
        """Return the norm of the Jacobian, averaged over the 500 columns."""
        groups = [softmax_cols(k[:D_q].T @ q[:D_q] / divisor) for q, k in zip(Q, K, strict=True)]
        return np.mean([np.linalg.norm(softmax_jacobian(a)) for A in groups for a in A.T])

    assert ".24, .15, .07 and .05" in cells["nudge-norm"]
    found = [mean_norm(D_q, 1) for D_q in (16, 64, 256, 1024)]
    assert found == pytest.approx([0.24, 0.15, 0.07, 0.05], abs=TWO_DECIMALS)
    assert "Divided by the root of $D_q$ it stays near .37" in cells["nudge-norm"]
    divided = [mean_norm(D_q, math.sqrt(D_q)) for D_q in (16, 64, 256, 1024)]
    assert divided == pytest.approx([0.37] * 4, abs=TWO_DECIMALS)
    assert "Eight equal shares have .33; two keys with half each have .50" in cells["nudge-norm"]
    assert np.linalg.norm(softmax_jacobian(np.full(8, 1 / 8))) == pytest.approx(0.33, abs=TWO_DECIMALS)
    assert np.linalg.norm(softmax_jacobian(np.array([0.5, 0.5]))) == pytest.approx(0.5)
