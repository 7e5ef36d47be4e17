"""Every number of notebook 1 that a student can check on paper, held against the solutions."""

import numpy as np
import pytest

from helpers.examples import examples
from helpers.examples.example import seeded_head, seeded_tokens
from helpers.examples.single_head import sentence_head, sentence_tokens
from helpers.teach import notebook_form, solutions
from helpers.teach.course_folder import notebooks_folder

LN2, LN3 = np.log(2), np.log(3)
project = solutions.function("project")
softmax_cols = solutions.function("softmax_cols")
attention_weights = solutions.function("attention_weights")
weighted_values = solutions.function("weighted_values")
self_attention = solutions.function("self_attention")


@pytest.fixture(scope="module")
def cells():
    """Return the notebook's cells by id."""
    notebook = notebook_form.read(notebooks_folder() / "01_single_head.ipynb")
    return {cell.id: cell.source for cell in notebook.cells}


def column(*numbers):
    """Return numbers as a column."""
    return np.array([numbers], dtype=float).T


X, head = seeded_tokens(), seeded_head()

# Cell, words that stand there, what the solutions give, what the words say, and half a unit of what is written.
EXACT, TWO_DECIMALS, THREE_DECIMALS = 1e-12, 5e-3, 5e-4
ON_PAPER = [
    ("paper", r"\mathbf k_1\cdot\mathbf q=3", np.array([[1, 0]]) @ column(3, 1), 3, EXACT),
    ("paper", r"\mathbf k_2\cdot\mathbf q=2", np.array([[0, 2]]) @ column(3, 1), 2, EXACT),
    ("paper", "(b) .73 and .27", softmax_cols(column(3, 2)), [[0.73], [0.27]], TWO_DECIMALS),
    (
        "project-text",
        r"column 1 is $(1+1,\ 1+2\cdot3)=(2,7)$. Work out the other two. (You should get $(3,6)$ and $(4,5)$.)",
        project(np.array([[1, 2, 3], [3, 2, 1]]), np.array([[1, 0], [1, 2]]), column(1, 0)),
        [[2, 3, 4], [7, 6, 5]],
        EXACT,
    ),
    (
        "softmax-text",
        r"so the shares are $(\tfrac16,\tfrac13,\tfrac12)$",
        softmax_cols(column(0, LN2, LN3)),
        [[1 / 6], [1 / 3], [1 / 2]],
        EXACT,
    ),
    ("softmax-text", "must give $(.5, .5)$", softmax_cols(column(1000, 1000)), [[0.5], [0.5]], EXACT),
    (
        "weights-text",
        r"You know the shares: $(\tfrac16,\tfrac13,\tfrac12)$",
        attention_weights(column(LN2, LN3), np.array([[0, 1, 0], [0, 0, 1]])),
        [[1 / 6], [1 / 3], [1 / 2]],
        EXACT,
    ),
    (
        "values-text",
        r"=(2.5,\ 3.5)$",
        weighted_values(column(1 / 6, 1 / 3, 1 / 2), np.array([[6, 0, 3], [0, 6, 3]])),
        [[2.5], [3.5]],
        EXACT,
    ),
    (
        "self-text",
        r"shares $(\tfrac14,\tfrac34)$, output 5. "
        r"Token 2 scores 0 and $2\ln3$: shares $(\tfrac1{10},\tfrac9{10})$, output 5.6",
        self_attention(*examples("self_attention")[0].arguments),
        [[5, 5.6]],
        EXACT,
    ),
    (
        "self-text",
        r"shares $(\tfrac14,\tfrac34)$, output 5. Token 2 scores 0 and $2\ln3$: shares $(\tfrac1{10},\tfrac9{10})$",
        attention_weights(np.array([[1, 2]]), np.array([[0, LN3]])),
        [[1 / 4, 1 / 10], [3 / 4, 9 / 10]],
        EXACT,
    ),
    ("idea-weights", ".92 at *cat*", self_attention(sentence_tokens(), sentence_head())[1, 4], 0.92, TWO_DECIMALS),
    (
        "idea-output",
        "Column it: person .02, animal .92. Column fed: person .92, animal .02. Column purred: person .02, animal .92.",
        self_attention(sentence_tokens(), sentence_head())[:, [4, 1, 5]],
        [[0.02, 0.92, 0.02], [0.92, 0.02, 0.92]],
        TWO_DECIMALS,
    ),
    (
        "bridge",
        "Column 1 of your `A` has .998 on one token",
        attention_weights(project(X, head.omega_q, head.beta_q)[:, :1], project(X, head.omega_k, head.beta_k)).max(),
        0.998,
        THREE_DECIMALS,
    ),
]


@pytest.mark.parametrize(("cell", "words", "given", "said", "half_a_unit"), ON_PAPER)
def test_a_number_on_paper_is_what_the_solutions_give(cells, cell, words, given, said, half_a_unit):
    """The words stand in the notebook, and the solutions give what they say, to the decimals that are written."""
    assert words in cells[cell]
    np.testing.assert_allclose(given, said, rtol=0, atol=half_a_unit)


def test_softmax_may_subtract_the_largest_score():
    """In numpy e to the power 1000 is inf and inf / inf is nan, as the notebook says."""
    with np.errstate(over="ignore", invalid="ignore"):
        assert np.isinf(np.exp(1000.0))
        assert np.isnan(np.exp(1000.0) / np.exp(1000.0))


def test_the_tasks_on_the_sentence_have_the_answers_they_lead_to():
    """Sharper takes the .02 away; without the -4 *purred* looks at both; *it* finds the cat wherever it stands."""
    X, head = sentence_tokens(), sentence_head()
    sharper = head._replace(omega_q=2 * head.omega_q)
    assert self_attention(X, sharper)[0, 4] < 0.001

    broken = head.omega_q.copy()
    broken[0, 3] = 0
    person, animal = self_attention(X, head._replace(omega_q=broken))[:, 5]
    assert person == pytest.approx(animal)
    assert person > 0.45

    swapped = X[:, [3, 1, 2, 0, 4, 5]]
    np.testing.assert_allclose(self_attention(swapped, head)[:, 4], self_attention(X, head)[:, 4])


def test_the_notebooks_sentence_is_the_one_that_is_drawn(cells):
    """The matrices in the notebook's cells are those of the pictures."""
    namespace = {"np": np, "show": lambda name, value: None, "attention_weights": attention_weights}
    exec(cells["sentence-tokens"] + "\n" + cells["sentence-cell"], namespace)  # noqa: S102  our own notebook

    np.testing.assert_array_equal(namespace["tokens"], sentence_tokens())
    np.testing.assert_array_equal(namespace["asks"], sentence_head().omega_q)
    np.testing.assert_array_equal(namespace["holds"], sentence_head().omega_k)


# A task of the explorer: where the controls stand, and what the answer, or the task itself, says of it.
TURNED = [
    ({"angle": 45}, "puts 47 % each on key 1 and key 2"),
    ({"angle": 45, "length": 4.0}, "puts 50 % each on key 1 and key 2. The output lies at (1.00, 2.00)"),
    ({"angle": 180, "length": 4.0}, "The output lies at (−3.00, −1.00)"),
    ({"angle": 65, "length": 0.0}, "puts 25 % each on key 1, key 2, key 3 and key 4"),
    ({"key": 2, "turn": 180}, "puts 44 % each on key 1 and key 3"),
]


@pytest.mark.parametrize(("moved", "said"), TURNED)
def test_the_tasks_of_the_explorer_can_be_done(moved, said):
    """Each task of "Turn the query" ends in a state that the controls reach, with the numbers of the text."""
    from explorers import built

    explorer = built("single_head")
    for name, value in moved.items():
        explorer.controls[name].value = value

    assert said in explorer.view().sentence


def test_the_ring_can_be_put_on_a_value():
    """The third value is (-3, -1), and half the first two is (1, 2): what two of the tasks come to."""
    from helpers.explore.single_head import VALUES

    assert VALUES[:, 2].tolist() == [-3, -1]
    assert VALUES[:, :2].mean(axis=1).tolist() == [1, 2]
