"""The layer step by step: what it shows, against the definition and the solutions."""

import re
from functools import cache
from itertools import product

import numpy as np
import pytest
from explorers import built, states, whole
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import multihead_by_definition
from pictures import Picture

from helpers.examples.example import six_tokens
from helpers.examples.transformer_layer import small_layers
from helpers.explore.transformer_layer import LARGEST, LONGEST, LONGEST_PRE, POST
from helpers.learn import portfolio
from helpers.teach import solutions

SWITCHES = ("no_residual", "no_norm", "by_rows")
PRE_NORM = solutions.function("pre_norm_layer")
some_states = settings(max_examples=100)


def normalized(X):
    """Return columns of mean 0 and variance 1, one at a time."""
    columns = [(x - sum(x) / len(x)) / (sum((x - sum(x) / len(x)) ** 2) / len(x) + 1e-5) ** 0.5 for x in X.T]
    return np.array(columns).T


def added(X, layer):
    """Return what the MLP adds, one column at a time; the biases are 0."""
    return np.array([layer.W2 @ [max(0.0, number) for number in layer.W1 @ x] for x in X.T]).T


@cache
def walked(no_residual=False, no_norm=False, by_rows=False, pre_norm=False):
    """Return for each layer its five states, by the definition."""

    def norm(Y):
        return normalized(Y.T).T if by_rows else normalized(Y)

    X, found = six_tokens(), []
    for layer in small_layers(12):
        if pre_norm:
            first = normalized(X)
            attended = X + multihead_by_definition(first, layer.heads, layer.omega_c)
            second = normalized(attended)
            steps = [X, first, attended, second, attended + added(second, layer)]
        else:
            attended = multihead_by_definition(X, layer.heads, layer.omega_c) + (0 if no_residual else X)
            second = attended if no_norm else norm(attended)
            processed = second + added(second, layer)
            steps = [X, attended, second, processed, norm(processed)]
        found.append(steps)
        X = steps[-1]
    return found


def truth(state):
    """Return the tokens that a state shows and the mean cosine after its layer, by the definition."""
    switches = {"pre_norm": True} if state["pre_norm"] else {name: state[name] for name in SWITCHES}
    layers = walked(**switches)
    last = layers[state["layer"] - 1][-1]
    cosines = [
        last[:, i] @ last[:, j] / np.linalg.norm(last[:, i]) / np.linalg.norm(last[:, j])
        for i in range(6)
        for j in range(i)
    ]
    return layers[state["layer"] - 1][state["step"]], sum(cosines) / 15


def notes(widget):
    """Return all texts that stand among some widgets."""
    inner = "".join(map(notes, getattr(widget, "children", ())))
    return inner + (widget.value if isinstance(getattr(widget, "value", None), str) else "")


def number(words):
    """Return a number as it is written in a sentence."""
    return float(words.replace("−", "-"))


def test_the_starting_numbers_are_the_solutions():
    """Layer 1 after line 1: matrix and bars show what the solution of multihead adds to the tokens."""
    layer = small_layers(1)[0]
    X = six_tokens() + solutions.function("multihead")(six_tokens(), layer.heads, layer.omega_c)
    _, matrix, bars, _ = (Picture(panel) for panel in built("transformer_layer").view().panels)

    shown = [number(word) for word in matrix.words if re.fullmatch(r"−?\d?\.\d\d|0", word)]
    assert shown == pytest.approx(X.ravel(), abs=0.0051)
    lengths = [number(word) for word in bars.words if re.fullmatch(r"\d\.\d\d", word)]
    assert lengths == pytest.approx(np.linalg.norm(X, axis=0), abs=0.0051)


@some_states
@given(data=st.data())
def test_the_sentence_is_true(data):
    """Layer, lengths and mean cosine are those of the definition, to two decimals, in every state of all switches."""
    explorer = whole("transformer_layer")
    state = data.draw(states(explorer))
    X, cosine = truth(state)
    lengths = np.linalg.norm(X, axis=0)
    sentence = explorer.view(state).sentence

    about, said, alike = re.fullmatch(
        r"Layer (\d+), .*?: (.*)\. After layer \1 the mean cosine of two columns is (−?\d?\.?\d+)\.", sentence
    ).groups()
    assert int(about) == state["layer"]
    assert number(alike) == pytest.approx(cosine, abs=0.0051)
    if every := re.fullmatch(r"every column is (\S+) long", said):
        assert [number(every[1])] * 6 == pytest.approx(lengths, abs=0.0051)
    else:
        n, its, shortest, longest = re.fullmatch(
            r"column (\d) is (\S+) long, the six lie between (\S+) and (\S+)", said
        ).groups()
        assert int(n) == state["token"]
        assert number(its) == pytest.approx(lengths[state["token"] - 1], abs=0.0051)
        assert [number(shortest), number(longest)] == pytest.approx([lengths.min(), lengths.max()], abs=0.0051)


@some_states
@given(data=st.data())
def test_the_matrix_is_that_of_the_definition(data):
    """The 48 numbers of every state, to two decimals."""
    explorer = whole("transformer_layer")
    state = data.draw(states(explorer))
    view = explorer.view(state)
    shown = [number(word) for word in Picture(view.panels[1]).words if re.fullmatch(r"−?\d*\.\d\d|0", word)]

    assert shown == pytest.approx(truth(state)[0].ravel(), abs=0.0051)


def test_the_scales_hold_every_state():
    """No number and no length of any layer, step and switch goes beyond the ends of its scale."""
    for switches in product([False, True], repeat=3):
        X = np.array(walked(*switches))
        assert abs(X).max() < LARGEST
        assert np.linalg.norm(X, axis=2).max() < LONGEST
    X = np.array(walked(pre_norm=True))
    assert abs(X).max() < LARGEST
    assert np.linalg.norm(X, axis=2).max() < LONGEST_PRE


def test_the_pipeline_says_what_is_left_out_and_what_mixes():
    """Columns mix in attention alone; with LayerNorm over rows in lines 2 and 4, too."""
    explorer = whole("transformer_layer")

    def words(**moved):
        return " ".join(Picture(explorer.view(explorer.start | moved).panels[0]).words)

    assert words().count("columns mix") == 1
    assert words(by_rows=True).count("columns mix") == 3
    assert "left out" not in words()
    assert "X left out" in words(no_residual=True)
    assert words(no_norm=True).count("left out") == 1


@pytest.mark.parametrize(("layer", "step"), [(3, 0), (7, 2), (12, 4)])
def test_the_step_and_the_layer_are_marked(layer, step):
    """In the row of steps the current one is bold, and on the curve the layer has its mark."""
    explorer = built("transformer_layer")
    pipeline, _, _, curve = explorer.view(explorer.start | {"layer": layer, "step": step}).panels

    assert [text.words for text in Picture(pipeline).texts if text.weight == 700] == [POST[step]]
    assert f"at {layer}" in Picture(curve).words


def test_the_other_order_waits_for_its_exercise(folder):
    """Without 6.6 its switch is disabled and a sentence says so; with the function in the student's file it opens."""
    closed = built("transformer_layer")
    assert closed.controls["pre_norm"].disabled
    assert "Exercise 6.6, pre_norm_layer, opens this." in notes(closed.widget)

    explorer = whole("transformer_layer")
    assert not explorer.controls["pre_norm"].disabled
    explorer.controls["pre_norm"].value = True
    assert all(explorer.controls[name].disabled for name in SWITCHES)
    explorer.controls["pre_norm"].value = False
    assert not any(explorer.controls[name].disabled for name in SWITCHES)


def test_the_function_of_the_other_order_is_found_in_the_students_file(monkeypatch):
    """By default the switch runs on the pre_norm_layer of my_attention.py, if its check has passed."""
    monkeypatch.setattr(portfolio, "functions", lambda: {"pre_norm_layer": PRE_NORM})
    monkeypatch.setattr(portfolio, "sections", lambda _: {"pre_norm_layer"})
    explorer = built("transformer_layer")

    explorer.controls["pre_norm"].value = True
    assert "attention-error" not in explorer.picture.value
    assert "attention-notice" not in explorer.picture.value


def test_a_wrong_function_is_drawn_beyond_the_scales(folder):
    """An MLP that gives numbers far too large is drawn with a notice, not refused for its size."""
    explorer = built("transformer_layer", mlp=lambda X, *_: 100 * X)
    explorer.controls["step"].value = 3

    assert "does not pass the check" in explorer.picture.value
    assert "attention-error" not in explorer.picture.value
    assert ">286<" in explorer.picture.value  # 101 times the root of 8
