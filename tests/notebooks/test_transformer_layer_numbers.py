"""Every number of notebook 6 that a student can check on paper, held against the solutions."""

import ast
import re
import subprocess
import sys

import numpy as np
import pytest

from helpers.course import course
from helpers.examples import examples
from helpers.examples.example import seeded_layer, six_tokens
from helpers.examples.transformer_layer import paper_layer, silent_layers, small_layers
from helpers.learn import portfolio
from helpers.learn.slices import Slice
from helpers.parameters import Layer
from helpers.teach import notebook_form, overlay, solutions
from helpers.teach.course_folder import notebooks_folder
from helpers.teach.figures import transformer_layer as pictures

EARLIER = ("attention_with_bias", "equivariance_gap", "multihead", "project")
OWN = [exercise.function for exercise in course().exercises_of("transformer_layer")]
FUNCTIONS = {name: solutions.function(name) for name in (*EARLIER, *OWN)}
layer_norm, mlp, residual = (FUNCTIONS[name] for name in ("layer_norm", "mlp", "residual"))
one_layer, many_layers, pre_norm = (FUNCTIONS[name] for name in ("transformer_layer", "stack", "pre_norm_layer"))
multihead, attention_with_bias = FUNCTIONS["multihead"], FUNCTIONS["attention_with_bias"]

X, LAYER = six_tokens(), seeded_layer()


@pytest.fixture(scope="module")
def cells():
    """Return the notebook's cells by id."""
    notebook = notebook_form.read(notebooks_folder() / "06_transformer_layer.ipynb")
    return {cell.id: cell.source for cell in notebook.cells}


@pytest.fixture(scope="module")
def held(cells):
    """Return what the notebook's given cells define and show, run with the solutions."""
    namespace = {"np": np, "shown": {}, **FUNCTIONS}
    exec("from helpers import Head, Layer", namespace)  # noqa: S102  our own words
    namespace["show"] = namespace["shown"].__setitem__
    ours = [id_ for id_ in cells if re.search(r"-(cell|show|try|layers)$|^leak$", id_) and id_ != "progress-cell"]
    for id_ in ours:
        exec(cells[id_], namespace)  # noqa: S102  our own notebook
    return namespace


def column(*numbers):
    """Return numbers as a column."""
    return np.array([numbers], dtype=float).T


def length(matrix):
    """Return the length of every column."""
    return np.linalg.norm(matrix, axis=0)


def line_one(tokens, layer):
    """Return what line 1 makes of the tokens."""
    return tokens + multihead(tokens, layer.heads, layer.omega_c)


def line_three(tokens, layer):
    """Return what line 3 makes of the tokens."""
    return tokens + mlp(tokens, layer.W1, layer.b1, layer.W2, layer.b2)


PAPER = paper_layer()
paper_tokens = examples("transformer_layer")[0].arguments[0]
AFTER_1 = line_one(paper_tokens, PAPER)
AFTER_2 = layer_norm(AFTER_1, PAPER.gamma1, PAPER.delta1)
AFTER_3 = line_three(AFTER_2, PAPER)
pre_tokens = examples("pre_norm_layer")[0].arguments[0]
PRE_1 = pre_tokens + multihead(layer_norm(pre_tokens, PAPER.gamma1, PAPER.delta1), PAPER.heads, PAPER.omega_c)
PRE_NORMAL = layer_norm(PRE_1, PAPER.gamma2, PAPER.delta2)
mlp_paper = examples("mlp")[0].arguments
FIRST, SECOND = silent_layers()
LENGTHS, MOVED = pictures.lengths_line_by_line(), pictures.moved_by_token_three()

# Cell, words that stand there, what the solutions give, what the words say, and half a unit of what is written.
# eps moves a paper number by 1 part in 100,000 at most.
EXACT, NEARLY, TWO_DECIMALS = 1e-12, 1e-3, 5.001e-3
ON_PAPER = [
    ("layer_norm-paper", "Column 1 has mean 2", np.mean([1, 3]), 2, EXACT),
    ("layer_norm-paper", "so variance 1", np.var([1, 3]), 1, EXACT),
    ("layer_norm-paper", "Column 3 has mean 5", np.mean([3, 7]), 5, EXACT),
    ("layer_norm-paper", "variance 4", np.var([3, 7]), 4, EXACT),
    (
        "layer_norm-paper",
        r"column 2 becomes $(0,0)$",
        layer_norm(np.array([[1.0, 2, 3], [3, 2, 7]])),
        [[-1, 0, -1], [1, 0, 1]],
        NEARLY,
    ),
    (
        "mlp-paper",
        r"Column 1 arrives at the hidden numbers as $(1,1,-1)$. ReLU leaves $(1,1,0)$",
        mlp_paper[1] @ mlp_paper[0][:, :1] + mlp_paper[2],
        column(1, 1, -1),
        EXACT,
    ),
    ("mlp-paper", r"makes $(1,3)$ of it", mlp_paper[3] @ column(1, 1, 0), column(1, 3), EXACT),
    ("mlp-paper", "it is $(2,2)$", mlp(*mlp_paper)[:, :1], column(2, 2), EXACT),
    (
        "mlp-paper",
        "Column 2 arrives as $(-1,-1,-1)$",
        mlp_paper[1] @ mlp_paper[0][:, 1:] + mlp_paper[2],
        column(-1, -1, -1),
        EXACT,
    ),
    ("mlp-paper", "(You should get $(1,-1)$.)", mlp(*mlp_paper)[:, 1:], column(1, -1), EXACT),
    (
        "residual-text",
        r"it returns $\begin{pmatrix}4&4\\2&2\end{pmatrix}$. What does the residual connection return? "
        r"(Column 2 becomes $(7,2)$.)",
        residual(*examples("residual")[0].arguments),
        [[5, 7], [4, 2]],
        EXACT,
    ),
    ("layer-paper", "the mean column, here $(30,10)$", paper_tokens.mean(axis=1), [30, 10], EXACT),
    ("layer-paper", r"| $(20,10)$ | $(40,10)$ |", paper_tokens, [[20, 40], [10, 10]], EXACT),
    ("layer-paper", r"| $(-20,0)$ | $(-20,0)$ |", AFTER_1 - paper_tokens, [[-20, -20], [0, 0]], EXACT),
    ("layer-paper", r"| after line 1 | $(0,10)$ | $(20,10)$ |", AFTER_1, [[0, 20], [10, 10]], EXACT),
    ("layer-paper", r"| after line 2 | $(-10,0)$ | $(10,-20)$ |", AFTER_2, [[-10, 10], [0, -20]], NEARLY),
    (
        "layer-paper",
        "| hidden number, after ReLU | $0$ | $10$ |",
        np.maximum(PAPER.W1 @ AFTER_2 + PAPER.b1, 0),
        [[0, 10]],
        NEARLY,
    ),
    ("layer-paper", r"| after line 3 | $(-10,0)$ | $(10,0)$ |", AFTER_3, [[-10, 10], [0, 0]], NEARLY),
    (
        "layer-paper",
        r"| after line 4 | $(-2,3)$ | $(2,1)$ |",
        one_layer(paper_tokens, PAPER),
        [[-2, 2], [3, 1]],
        NEARLY,
    ),
    ("layer-read", r"back to $\sqrt8$, which is 2.83", length(one_layer(X, LAYER)), 2.83, TWO_DECIMALS),
    ("layer-read", "come in between 2.17 and 3.64", [LENGTHS[0].min(), LENGTHS[0].max()], [2.17, 3.64], TWO_DECIMALS),
    (
        "layer-read",
        "After line 1 they lie between 16.25 and 31.28",
        [LENGTHS[1].min(), LENGTHS[1].max()],
        [16.25, 31.28],
        TWO_DECIMALS,
    ),
    (
        "layer-read",
        "after line 3 between 3.01 and 5.18",
        [LENGTHS[3].min(), LENGTHS[3].max()],
        [3.01, 5.18],
        TWO_DECIMALS,
    ),
    ("layer-read", "After lines 2 and 4 each is 2.83", LENGTHS[[2, 4]], 2.83, TWO_DECIMALS),
    (
        "layer-tasks",
        "all six move: .05, 24.30, 13.48, 17.50, .21, 6.02",
        MOVED[0],
        [0.05, 24.30, 13.48, 17.50, 0.21, 6.02],
        TWO_DECIMALS,
    ),
    ("layer-tasks", "column 3 alone moves, by .92", MOVED[1], [0, 0, 0.92, 0, 0, 0], TWO_DECIMALS),
    ("layer-tasks", "column 3 alone, by 2.22", MOVED[2], [0, 0, 2.22, 0, 0, 0], TWO_DECIMALS),
    ("stack-text", "and makes $(1,4)$", one_layer(column(30, 10), FIRST), column(1, 4), NEARLY),
    ("stack-text", "and makes $(-3,12)$", many_layers(column(30, 10), [FIRST, SECOND]), column(-3, 12), NEARLY),
    ("stack-text", "(You should get $(-1,6)$.)", many_layers(column(30, 10), [SECOND, FIRST]), column(-1, 6), NEARLY),
    (
        "mask-picture",
        "Column 1 is 1, 0, 0; column 2 is one half, one half, 0; column 3 is one third each",
        attention_with_bias(
            np.zeros((2, 3)), np.zeros((2, 3)), np.eye(3), np.where(np.tri(3, k=-1) == 1, -np.inf, 0.0)
        ),
        [[1, 1 / 2, 1 / 3], [0, 1 / 2, 1 / 3], [0, 0, 1 / 3]],
        EXACT,
    ),
    (
        "pre_norm-paper",
        "Normalized by line 1 both are $(10,-20)$",
        layer_norm(pre_tokens, PAPER.gamma1, PAPER.delta1),
        [[10, 10], [-20, -20]],
        NEARLY,
    ),
    ("pre_norm-paper", "makes $(-30,0)$ of it", PAPER.omega_c @ column(10, -20), column(-30, 0), EXACT),
    ("pre_norm-paper", r"| after line 1 | $(-10,10)$ | $(20,10)$ |", PRE_1, [[-10, 20], [10, 10]], NEARLY),
    ("pre_norm-paper", r"| $(-2,3)$ | $(2,1)$ |", PRE_NORMAL, [[-2, 2], [3, 1]], NEARLY),
    (
        "pre_norm-paper",
        "| hidden number, after ReLU | $0$ | $2$ |",
        np.maximum(PAPER.W1 @ PRE_NORMAL + PAPER.b1, 0),
        [[0, 2]],
        NEARLY,
    ),
    (
        "pre_norm-paper",
        r"| after line 2 | $(-10,10)$ | $(20,14)$ |",
        pre_norm(pre_tokens, PAPER),
        [[-10, 20], [10, 14]],
        NEARLY,
    ),
]


@pytest.mark.parametrize(("cell", "words", "given", "said", "half_a_unit"), ON_PAPER)
def test_a_number_on_paper_is_what_the_solutions_give(cells, cell, words, given, said, half_a_unit):
    """The words stand in the notebook, and the solutions give what they say, to the decimals that are written."""
    assert words in cells[cell]
    np.testing.assert_allclose(given, np.broadcast_to(said, np.shape(given)), rtol=0, atol=half_a_unit)


def parts(layer):
    """Return every array of a layer, in order."""
    return [*(part for head in layer.heads for part in head), *layer[1:]]


def test_the_notebooks_data_are_those_of_the_examples(held):
    """Tokens, heads and MLP drawn in the notebook are the seeded ones, in the book's order; so is the paper layer."""
    np.testing.assert_array_equal(held["X"], X)
    np.testing.assert_array_equal(held["paper_tokens"], paper_tokens)
    for ours, theirs in [(held["layer"], LAYER), (held["paper_layer"], PAPER)]:
        for mine, true in zip(parts(ours), parts(theirs), strict=True):
            np.testing.assert_array_equal(mine, true)


def test_the_matrices_on_paper_are_those_of_the_examples(cells):
    """Parameters that stand in the prose as matrices are what the checks' paper examples use."""
    for cell, name, value in [
        ("layer-paper", r"\boldsymbol\Omega_c", PAPER.omega_c),
        ("layer-paper", r"\boldsymbol\gamma_1", PAPER.gamma1),
        ("layer-paper", r"\boldsymbol\delta_1", PAPER.delta1),
        ("layer-paper", r"\mathbf W_1", PAPER.W1),
        ("layer-paper", r"\mathbf W_2", PAPER.W2),
        ("layer-paper", r"\boldsymbol\gamma_2", PAPER.gamma2),
        ("layer-paper", r"\boldsymbol\delta_2", PAPER.delta2),
        *(
            ("mlp-paper", rf"\mathbf {symbol}", part)
            for symbol, part in zip(("X", "W_1", "b_1", "W_2", "b_2"), mlp_paper, strict=True)
        ),
        ("layer_norm-paper", r"\mathbf X", examples("layer_norm")[0].arguments[0]),
    ]:
        rows = r"\\".join("&".join(f"{number:g}" for number in row) for row in value.tolist())
        assert rf"{name}=\begin{{pmatrix}}{rows}\end{{pmatrix}}" in cells[cell], (cell, name)
    assert [part.any() for part in (PAPER.b1, PAPER.b2, *PAPER.heads[0][3:])] == [False] * 5


def test_attention_alone_makes_six_equal_long_columns(cells):
    """After four rounds the columns are equal to all printed digits, and about 3,000 times as long as they came."""
    rounds = pictures.attention_rounds(4)

    assert "about 3,000 times as long" in cells["idea-picture"]
    assert np.ptp(rounds, axis=1).max() < 0.005 * abs(rounds).max() / 2
    assert length(rounds).mean() / length(X).mean() == pytest.approx(3000, rel=0.02)


def test_a_row_of_lengths_is_the_root_of_eight_after_any_norm():
    """With gamma 1 and delta 0 a column of 8 numbers has the length 2.83, to the decimals that are written."""
    np.testing.assert_allclose(length(layer_norm(X)), np.sqrt(8), atol=5e-4)
    assert "2.83" in course().questions["length_after_norm"].because
    assert round(float(np.sqrt(8)), 2) == 2.83


def test_the_tasks_on_the_norm_have_the_answers_they_lead_to(cells):
    """Size and offset are forgotten, the sign is not; eps counts for tiny columns; gamma 2 and delta 3 match."""
    before = layer_norm(X)
    assert "changed = 10 * X + 5" in cells["norm-tasks-cell"]
    np.testing.assert_allclose(layer_norm(10 * X + 5), before, atol=5e-4)  # printed as 0
    np.testing.assert_allclose(layer_norm(-X), -before, atol=EXACT)
    assert abs(layer_norm(0.001 * X) - before).max() > 0.1
    assert np.var(0.001 * X, axis=0).max() < 1e-5

    matched = layer_norm(X, gamma=2.0, delta=3.0)
    np.testing.assert_allclose(matched.mean(axis=0), 3, atol=EXACT)
    np.testing.assert_allclose(matched.var(axis=0), 4, atol=5e-4)


def test_the_mlp_doubles_and_does_not_change_signs(held):
    """Without biases twice the tokens give twice the output; changed signs give neither its negative nor itself."""
    doubled, turned = held["shown"]["mlp_of_doubled_tokens"], held["shown"]["mlp_of_turned_tokens"]
    before = mlp(X, LAYER.W1, LAYER.b1, LAYER.W2, LAYER.b2)[:2]

    np.testing.assert_allclose(doubled, 2 * before, atol=EXACT)
    assert abs(turned + before).max() > 1
    assert abs(turned - before).max() > 1


def test_the_parameters_are_counted_rightly(cells):
    """The MLP holds 552 of the layer's 864 numbers."""
    heads = sum(part.size for head in LAYER.heads for part in head)
    network = sum(part.size for part in (LAYER.W1, LAYER.b1, LAYER.W2, LAYER.b2))

    assert "552 of 864" in cells["residual-text"]
    assert (network, heads + sum(part.size for part in LAYER[1:])) == (552, 864)


def test_line_one_lengthens_as_it_says(cells):
    """Line 1 makes every column seven to twelve times as long."""
    factors = LENGTHS[1] / LENGTHS[0]

    assert "seven to twelve times as long" in cells["layer-read"]
    assert 7 < factors.min() < 8
    assert 11.5 < factors.max() < 12.5


def test_the_tasks_on_the_layer_have_the_answers_they_lead_to(held):
    """Without omega_c only column 3 moves; without W2 the others still do; without gamma2 none does."""
    bumped = held["bumped"]
    np.testing.assert_array_equal(np.argwhere(bumped != X), [[4, 2]])
    assert bumped[4, 2] - X[4, 2] == pytest.approx(1)

    def moved(layer):
        return length(one_layer(bumped, layer) - one_layer(X, layer))

    assert (moved(LAYER) > 0.005).all()
    cut = moved(LAYER._replace(omega_c=0 * LAYER.omega_c))
    assert (cut > 1e-9).tolist() == [False, False, True, False, False, False]
    assert (moved(LAYER._replace(W2=0 * LAYER.W2)) > 1e-3).sum() > 1
    assert moved(LAYER._replace(gamma2=0 * LAYER.gamma2)).max() == 0


def test_a_layer_cannot_tell_order(held):
    """What is printed as the gap is 0, and stays so for another way of adding."""
    assert held["gap_of_the_layer"] < 1e-12


def test_what_came_in_keeps_the_columns_apart(held, cells):
    """Attention alone loses the tokens in three rounds; with what came in, and in whole layers, they stay apart."""
    alone, first_line, whole = (held["shown"][f"apart_{name}"] for name in ("alone", "line_one", "whole_layers"))

    assert alone[0, 3] < 5e-4  # printed as 0 from the third round on
    assert alone[0, 4] < 5e-4
    assert ".234 against .575" in cells["stack-tasks"]
    assert [whole[0, -1], first_line[0, -1]] == pytest.approx([0.234, 0.575], abs=5e-4)
    np.testing.assert_allclose(whole[1, 1:], np.sqrt(8), atol=5e-4)


def test_the_tasks_on_the_layers_have_the_answers_they_lead_to(held, cells):
    """Two seeds below 5 leave less than .1; without the MLP .956 is kept; the order of the layers matters."""
    draw, apart = held["draw_one_layer"], held["apart"]

    def left(seed, layers):
        return apart(many_layers(X, layers(np.random.RandomState(seed))))

    def six(rng):
        return [draw(rng) for _ in range(6)]

    assert sum(left(seed, six) < 0.1 for seed in range(5)) == 2
    as_it_was = held["shown"]["apart_after_six_layers"]
    assert left(7, six) == as_it_was
    silent = left(7, lambda rng: [one._replace(W2=0 * one.W2) for one in six(rng)])
    assert silent == pytest.approx(0.956, abs=5e-4)
    assert "(.956)" in cells["stack-tasks"]
    assert abs(left(7, lambda rng: six(rng)[::-1]) - as_it_was) > 0.01


def test_nothing_leaks_from_the_last_token(held):
    """With the mask below the diagonal only the last output moves; with the one above, earlier ones do."""
    moved = held["shown"]["moved_by_the_last_token"]
    assert (moved[:5] == 0).all()
    assert moved[5] > 1

    key, query = np.indices((6, 6))
    head = held["heads"][1]
    Q, K, V = (FUNCTIONS["project"](X, head[i], head[i + 3]) for i in range(3))
    Q2, K2, V2 = (FUNCTIONS["project"](held["last_changed"], head[i], head[i + 3]) for i in range(3))
    above = np.where(key < query, -np.inf, 0.0)
    other = abs(attention_with_bias(Q2, K2, V2, above) - attention_with_bias(Q, K, V, above)).max(axis=0)
    assert (other > 1).all()


def test_without_a_last_norm_columns_grow(held):
    """After six pre-norm layers every column is longer than 2.83."""
    assert (held["shown"]["lengths_by_pre_norm"][-1] > 3 * np.sqrt(8)).all()


def test_the_script_at_the_end_runs_beside_my_attention(cells, tmp_path):
    """The lines shown for a script of one's own run with the file of all exercises, without this course's code."""
    (script,) = re.findall(r"```python\n(.*?)```", cells["yours"], re.DOTALL)
    text = overlay.earlier_file("transformer_layer")
    for source in map(solutions.source, OWN):
        (definition,) = ast.parse(source).body
        text = portfolio.insert(text, Slice(definition.name, ast.parse(source), source))
    (tmp_path / "my_attention.py").write_text(text, encoding="utf-8")
    alone = f"import sys; sys.path[:0] = [{str(tmp_path)!r}]; sys.modules['helpers'] = None\n{script}"
    run = subprocess.run([sys.executable, "-I", "-c", alone], capture_output=True, text=True, check=True)

    printed = np.array(re.findall(r"-?\d+\.\d*(?:e[-+]\d+)?", run.stdout), dtype=float).reshape(4, 5)
    np.testing.assert_allclose(printed.mean(axis=0), 0, atol=1e-3)
    np.testing.assert_allclose(np.linalg.norm(printed, axis=0), 2, atol=1e-3)


def test_the_table_for_pytorch_names_every_part_of_a_layer(cells):
    """Each field of a layer, and each part of a head, stands on the left of one row."""
    left = "\n".join(row.split("|")[1] for row in cells["torch"].splitlines() if row.startswith("| `"))
    names = [name for name in Layer._fields if name != "heads"] + [f"{a}_{b}" for a in ("omega", "beta") for b in "qkv"]

    assert sorted(names) == sorted(re.findall(r"`(\w+)`", left))


def test_the_explorer_walks_the_layers_of_the_notebook(held):
    """The first six of its twelve layers are those that the notebook draws with seed 7."""
    for mine, true in zip(held["six_layers"], small_layers(6), strict=True):
        for part, other in zip(parts(mine), parts(true), strict=True):
            np.testing.assert_array_equal(part, other)


@pytest.fixture(scope="module")
def explored():
    """Return what the explorer shows after a move of some controls: the matrix and the sentence."""
    from explorers import whole

    from helpers.explore.transformer_layer import Changes, walk

    explorer = whole("transformer_layer")

    def moved(*switches, layer=1, step=4):
        state = explorer.start | dict.fromkeys(switches, True) | {"layer": layer, "step": step}
        walked = walk(explorer._student, Changes(**dict.fromkeys(switches, True)))
        return walked.steps[layer - 1][step], explorer.view(state).sentence

    return moved


def test_without_line_two_the_lengths_are_as_before_and_the_numbers_are_not(explored):
    """Every column is 2.83 long either way, token 4 has other numbers; the mean of what the MLP read is the cause."""
    before, said = explored()
    without, said_without = explored("no_norm")

    assert "every column is 2.83 long" in said
    assert "every column is 2.83 long" in said_without
    assert abs(before - without)[:, 3].max() > 1
    assert (np.abs(before - without).max(axis=0) > 0.1).all()
    attended, layer = explored("no_norm", step=2)[0], small_layers(1)[0]
    centered = attended - attended.mean(axis=0)
    np.testing.assert_allclose(layer_norm(line_three(centered, layer)), before, atol=5e-4)


@pytest.mark.parametrize(("switches", "first"), [((), 6), (("no_residual",), 2)])
def test_the_first_residual_slows_how_the_columns_become_alike(explored, switches, first):
    """The mean cosine passes .9 in layer 6, without what came in already in layer 2; in the end it is 1.00 in both."""
    cosines = [float(explored(*switches, layer=n)[1].split()[-1][:-1].replace("−", "-")) for n in range(1, 13)]

    assert next(n for n, cosine in enumerate(cosines, start=1) if cosine > 0.9) == first
    assert cosines[-1] == 1.00


def test_by_rows_columns_have_different_lengths_and_sum_to_zero(explored):
    """At no step of any layer are all columns 2.83 long, and after each they sum to 0: they cannot all be alike."""
    for n in range(1, 13):
        for step in range(5):
            X, said = explored("by_rows", layer=n, step=step)
            assert "every column" not in said
        np.testing.assert_allclose(X.sum(axis=1), 0, atol=1e-12)
        assert length(X).min() > 0.5


def test_what_the_other_order_leaves_after_twelve_layers(explored, cells):
    """The lengths and the mean cosine that the last cell names, and that of post-norm."""
    _, said = explored("pre_norm", layer=12)

    assert "in layer 12 the columns are between 11.96 and 20.46 long, and their mean cosine is .68" in (
        cells["pre_norm-steps"].replace("In layer", "in layer")
    )
    assert said.endswith("the six lie between 11.96 and 20.46. After layer 12 the mean cosine of two columns is .68.")
    assert explored(layer=12)[1].endswith("1.00.")
