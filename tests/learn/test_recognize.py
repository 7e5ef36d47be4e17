"""Which steps a student's variables hold, and which is the first that is none: on functions written in one piece."""

import numpy as np
import pytest
from answers import right_answers

from helpers.course import course
from helpers.examples import examples
from helpers.learn.errors import Trouble
from helpers.learn.recognize import WIDTH, Sight, quantities, recognize, word
from helpers.learn.run import build
from helpers.learn.slices import answer_slice, argument_names
from helpers.learn.watch import named, watch
from helpers.teach import solutions
from helpers.truth import stages, truth

# Right answers without any earlier function; NAME stands for the exercise's.

SELF_ATTENTION = """
def NAME(X, head):
    q = head.omega_q @ X + head.beta_q
    k = head.omega_k @ X + head.beta_k
    v = head.omega_v @ X + head.beta_v
    s = k.T @ q
    e = np.exp(s - s.max(axis=0))
    att = e / e.sum(axis=0)
    out = v @ att
    return out
"""

TWO_HEADS = """
def one(X, h):
    q = h.omega_q @ X + h.beta_q
    k = h.omega_k @ X + h.beta_k
    v = h.omega_v @ X + h.beta_v
    s = k.T @ q / np.sqrt(q.shape[0])
    e = np.exp(s - s.max(axis=0, keepdims=True))
    a = e / e.sum(axis=0, keepdims=True)
    return v @ a, a

def NAME(X, head1, head2):
    o1, a1 = one(X, head1)
    o2, a2 = one(X, head2)
    return [o1, o2], [a1, a2]
"""

BY_PARAMETER = """
def NAME(X, omega_v1, omega_q1, omega_k1, beta_v1, beta_q1, beta_k1,
         omega_v2, omega_q2, omega_k2, beta_v2, beta_q2, beta_k2, omega_c):
    q1 = omega_q1 @ X + beta_q1
    k1 = omega_k1 @ X + beta_k1
    v1 = omega_v1 @ X + beta_v1
    q2 = omega_q2 @ X + beta_q2
    k2 = omega_k2 @ X + beta_k2
    v2 = omega_v2 @ X + beta_v2
    scale = np.sqrt(q1.shape[0])
    s1 = k1.T @ q1 / scale
    s2 = k2.T @ q2 / scale
    a1 = np.exp(s1) / np.exp(s1).sum(axis=0)
    a2 = np.exp(s2) / np.exp(s2).sum(axis=0)
    both = np.concatenate([v1 @ a1, v2 @ a2])
    return omega_c @ both
"""

LAYER_NORM = """
def NAME(X, gamma=1.0, delta=0.0, eps=1e-5):
    m = X.mean(axis=0, keepdims=True)
    c = X - m
    var = (c ** 2).mean(axis=0, keepdims=True)
    n = c / np.sqrt(var + eps)
    return gamma * n + delta
"""

MLP = """
def NAME(X, W1, b1, W2, b2):
    a = W1 @ X + b1
    h = np.maximum(a, 0)
    y = W2 @ h + b2
    return y
"""

WITH_BIAS = """
def NAME(Q, K, V, B):
    s = K.T @ Q / np.sqrt(K.shape[0])
    t = s + B
    e = np.exp(t - t.max(axis=0))
    w = e / e.sum(axis=0)
    return V @ w
"""

LAYER = """
def norm(Z, g, d):
    mu = Z.mean(axis=0)
    sd = np.sqrt(Z.var(axis=0) + 1e-5)
    return g * (Z - mu) / sd + d

def NAME(X, layer):
    outs = []
    for h in layer.heads:
        q = h.omega_q @ X + h.beta_q
        k = h.omega_k @ X + h.beta_k
        v = h.omega_v @ X + h.beta_v
        s = k.T @ q / np.sqrt(len(q))
        w = np.exp(s) / np.exp(s).sum(axis=0)
        outs.append(v @ w)
    mixed = layer.omega_c @ np.vstack(outs)
    x1 = X + mixed
    x2 = norm(x1, layer.gamma1, layer.delta1)
    hidden = np.maximum(layer.W1 @ x2 + layer.b1, 0)
    x3 = x2 + layer.W2 @ hidden + layer.b2
    return norm(x3, layer.gamma2, layer.delta2)
"""

SCALED = SELF_ATTENTION.replace("s = k.T @ q", "d = k.shape[0]\n    s = k.T @ q / np.sqrt(d)")
HEAD_OUTPUT = SCALED.replace("return out", "return out, att")

RIGHT = {
    "self_attention": SELF_ATTENTION,
    "scaled_self_attention": SCALED,
    "head_output": HEAD_OUTPUT,
    "two_heads": TWO_HEADS,
    "multihead_scaled_self_attention": BY_PARAMETER,
    "attention_with_bias": WITH_BIAS,
    "layer_norm": LAYER_NORM,
    "mlp": MLP,
    "transformer_layer": LAYER,
}

# A right answer, what is changed in it, and what is said then, on the first example that shows it.
WRONG = [
    (
        "self_attention",
        [(" + head.beta_q", "")],
        ["`k` holds the keys.", "`q`, line 2, holds the queries without their bias; the queries are in no variable."],
    ),
    (
        "self_attention",
        [("X + head.beta_q", "X + head.beta_k")],
        ["`q`, line 2, holds the queries, with `head.beta_k` in place of their bias."],
    ),
    (
        "self_attention",
        [("X + head.beta_q", "X - head.beta_q")],
        ["`q`, line 2, holds the queries without their bias, minus `head.beta_q`."],
    ),
    (
        "self_attention",
        [("k.T @ q", "q.T @ k")],
        ["`s` holds the scores, turned over.", "The first whose numbers belong to no step I know is `e`, line 6."],
    ),
    (
        "self_attention",
        [("max(axis=0)", "max()"), ("e.sum(axis=0)", "e.sum(axis=1, keepdims=True)")],
        [
            "`q`, `k` and `s` hold the queries, keys and scores.",
            "The first whose numbers belong to no step I know is `att`, line 7: its rows sum to 1, its columns do not.",
        ],
    ),
    (
        "self_attention",
        [("max(axis=0)", "max()"), ("e.sum(axis=0)", "e.sum()")],
        [
            "`q`, `k` and `s` hold the queries, keys and scores.",
            "The first whose numbers belong to no step I know is `att`, line 7: all its entries together sum to 1.",
        ],
    ),
    (
        "self_attention",
        [("v @ att", "v @ att.T")],
        [
            "`v` and `att` hold the values and weights.",
            "The first whose numbers belong to no step I know is `out`, line 8.",
        ],
    ),
    (
        "self_attention",
        [("v @ att", "k @ att")],
        [
            "`k` and `att` hold the keys and weights.",
            "The first whose numbers belong to no step I know is `out`, line 8.",
        ],
    ),
    (
        "self_attention",
        [("k = head.omega_k @ X + head.beta_k", "k = head.omega_q @ X + head.beta_q")],
        ["`q` and `k` both hold the queries; the keys are in no variable."],
    ),
    (
        "self_attention",
        [("k = head.omega_k", "k = head.omega_v")],
        ["`k`, line 3, holds the values, with `head.beta_k` in place of their bias."],
    ),
    (
        "self_attention",
        [("s = k.T @ q", "s = k.T @ q\n    s = np.where(np.triu(np.ones_like(s)) > 0, s, -np.inf)")],
        [
            "`q` and `k` hold the queries and keys.",
            "The first whose numbers belong to no step I know is `s`, line 6: below the diagonal every entry is -inf.",
        ],
    ),
    (
        "scaled_self_attention",
        [("np.sqrt(d)", "d")],
        ["`q` and `k` hold the queries and keys.", "`s`, line 6, holds the scores before scaling, divided by 2."],
    ),
    (
        "scaled_self_attention",
        [("/ np.sqrt(d)", "* np.sqrt(d)")],
        ["`q` and `k` hold the queries and keys.", "`s`, line 6, holds the scores before scaling, times 1.414."],
    ),
    (
        "scaled_self_attention",
        [("out = v", "v = v / np.sqrt(d)\n    out = v")],
        ["`v`, line 9, holds the values, times 0.707."],
    ),
    (
        "head_output",
        [("/ np.sqrt(d)", "")],
        [
            "`q` and `k` hold the queries and keys.",
            "`s`, line 6, holds the scores before scaling; the scaled scores are in no variable.",
        ],
    ),
    (
        "head_output",
        [("v @ att", "v @ e")],
        ["`v` holds the values.", "The first whose numbers belong to no step I know is `out`, line 9."],
    ),
    (
        "two_heads",
        [("one(X, head2)", "one(X, head1)")],
        [
            "`k`, `v`, `s` and `a` hold the keys, values, scaled scores and weights of head 1.",
            "`o1` and `o2` both hold the output of head 1; the output of head 2 is in no variable.",
        ],
    ),
    (
        "two_heads",
        [("e / e.sum(axis=0, keepdims=True)", "e / e.sum(axis=1, keepdims=True)")],
        ["The first whose numbers belong to no step I know is `a`, line 7: its rows sum to 1, its columns do not."],
    ),
    (
        "two_heads",
        [("h.beta_v", "h.beta_q")],
        ["`v`, line 4, holds the values of head 1, with `head1.beta_q` in place of their bias."],
    ),
    (
        "two_heads",
        [("[o1, o2]", "[o2, o1]")],
        [
            "`o1`, `a1`, `o2` and `a2` hold the output of head 1, weights of head 1, output of head 2 "
            "and weights of head 2.",
            "Item 1 of what it returns is the output of head 2.",
        ],
    ),
    (
        "multihead_scaled_self_attention",
        [("+ beta_q2", "+ beta_q1")],
        ["`q2`, line 6, holds the queries of head 2, with `beta_q1` in place of their bias."],
    ),
    (
        "multihead_scaled_self_attention",
        [("q2 = omega_q2 @ X + beta_q2", "q2 = omega_q1 @ X + beta_q1")],
        [
            "`k2` holds the keys of head 2.",
            "`q1` and `q2` both hold the queries of head 1; the queries of head 2 are in no variable.",
        ],
    ),
    (
        "multihead_scaled_self_attention",
        [("k2.T @ q2", "k1.T @ q2")],
        [
            "`k1` and `q2` hold the keys of head 1 and queries of head 2.",
            "The first whose numbers belong to no step I know is `s2`, line 11.",
        ],
    ),
    (
        "multihead_scaled_self_attention",
        [("v2 @ a2", "v2 @ a1")],
        [
            "`v1`, `v2` and `a1` hold the values of head 1, values of head 2 and weights of head 1.",
            "The first whose numbers belong to no step I know is `both`, line 14.",
        ],
    ),
    (
        "multihead_scaled_self_attention",
        [("[v1 @ a1, v2 @ a2]", "[v2 @ a2, v1 @ a1]")],
        [
            "`v1`, `v2`, `a1` and `a2` hold the values of head 1, values of head 2, weights of head 1 "
            "and weights of head 2.",
            "`both`, line 14, holds the stacked outputs of the heads, with its rows in another order.",
        ],
    ),
    (
        "layer_norm",
        [("X.mean(axis=0, keepdims=True)", "X.mean(axis=1, keepdims=True)")],
        ["The first whose numbers belong to no step I know is `m`, line 2."],
    ),
    (
        "layer_norm",
        [("mean(axis=0, keepdims=True)\n    n", "sum(axis=0, keepdims=True)\n    n")],
        ["`m` holds the means of the columns.", "The first whose numbers belong to no step I know is `n`, line 5."],
    ),
    (
        "layer_norm",
        [("np.sqrt(var + eps)", "(var + eps)")],
        [
            "`var` holds the variances of the columns.",
            "The first whose numbers belong to no step I know is `n`, line 5.",
        ],
    ),
    (
        "layer_norm",
        [("+ delta", "")],
        ["`n` holds the columns with mean 0 and variance 1.", "What it returns belongs to no step I know."],
    ),
    ("mlp", [(" + b1", "")], ["`a`, line 2, holds the hidden numbers before ReLU, minus `b1`."]),
    (
        "mlp",
        [("np.maximum(a, 0)", "np.tanh(a)")],
        [
            "`a` holds the hidden numbers before ReLU.",
            "The first whose numbers belong to no step I know is `h`, line 3.",
        ],
    ),
    (
        "mlp",
        [("np.maximum(a, 0)", "np.abs(a)")],
        [
            "`a` holds the hidden numbers before ReLU.",
            "The first whose numbers belong to no step I know is `h`, line 3.",
        ],
    ),
    (
        "attention_with_bias",
        [("t = s + B", "t = (s + B) / 2")],
        ["`s` holds the scaled scores.", "`t`, line 3, holds the scaled scores plus the bias, divided by 2."],
    ),
    (
        "attention_with_bias",
        [("t = s + B", "t = s - B")],
        ["`s` holds the scaled scores.", "`t`, line 3, holds the scaled scores, minus `B`."],
    ),
    (
        "transformer_layer",
        [("X + mixed", "mixed")],
        [
            "`x1`, line 16, holds the output of multi-head attention; the tokens plus the output of "
            "multi-head attention are in no variable."
        ],
    ),
    (
        "transformer_layer",
        [("sqrt(Z.var(axis=0) + 1e-5)", "sqrt(Z.var(axis=1, keepdims=True) + 1e-5)")],
        [
            "`Z` holds the tokens plus the output of multi-head attention.",
            "The first whose numbers belong to no step I know is `sd`, line 3.",
        ],
    ),
    (
        "transformer_layer",
        [("x2 + layer.W2", "x1 + layer.W2")],
        [
            "`x1` and `hidden` hold the tokens plus the output of multi-head attention and hidden numbers after ReLU.",
            "The first whose numbers belong to no step I know is `x3`, line 19.",
        ],
    ),
    (
        "transformer_layer",
        [(" + layer.b1", "")],
        [
            "`x2` holds the output of the first LayerNorm.",
            "The first whose numbers belong to no step I know is `hidden`, line 18.",
        ],
    ),
    (
        "transformer_layer",
        [("h.beta_q", "layer.heads[0].beta_q")],
        ["`q`, line 9, holds the queries of head 2, with `layer.heads[0].beta_q` in place of their bias."],
    ),
    (
        "transformer_layer",
        [("layer.gamma2, layer.delta2", "layer.gamma1, layer.delta1")],
        [
            "`x3` holds the output of the first LayerNorm plus that of the MLP.",
            "What it returns belongs to no step I know.",
        ],
    ),
    (
        "transformer_layer",
        [(" / np.sqrt(len(q))", "")],
        ["`s`, line 12, holds the scores before scaling of head 1; the scaled scores of head 1 are in no variable."],
    ),
]


def function(name, source):
    """Return an answer as the check builds it, and the names of its arguments."""
    part = answer_slice(source, name, course().exercises)
    answer = build(part, {other: solutions.function(other) for other in course().before(name)})
    assert not isinstance(answer, Trouble)
    return answer, argument_names(part) or truth(name).arguments


def sights(name, source):
    """Yield what is recognized on each example that has stages, and whether the result is wrong there."""
    answer, arguments = function(name, source)
    for index, known in stages(name).items():
        example, true = examples(name)[index], truth(name).values[index].arrays
        seen = watch(answer, f"<cell of {name}>", example.arguments)
        returned = [one.value for one in seen if one.name == "" or one.name[0] == "["]
        pairs = zip(returned, true, strict=False)
        wrong = not all(one.shape == other.shape and np.allclose(one, other, atol=1e-6) for one, other in pairs)
        yield recognize(seen, known, named(arguments, example.arguments), true), wrong


def changed(name, changes):
    """Return a right answer with changes made in it."""
    text = RIGHT[name]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text.replace("NAME", name).strip("\n")


@pytest.mark.parametrize(("name", "changes", "lines"), WRONG, ids=lambda part: part if isinstance(part, str) else "")
def test_a_mistake_in_one_line_is_located(name, changes, lines):
    """What is said of an answer in one piece is true of its variables, and leads to the line of the mistake."""
    found = next(sight for sight, wrong in sights(name, changed(name, changes)) if wrong)

    assert list(found.lines) == lines
    assert max(map(len, found.lines)) <= WIDTH


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_is_recognized_from_the_first_step_to_the_last(name):
    """On a right answer nothing is called wrong, and its variables are known by the right words."""
    for sight, wrong in sights(name, changed(name, [])):
        assert not wrong
        assert sight.point is None
        assert sight.lines == ()
        assert len(sight.recognized) > 1
        for variable, match in sight.recognized:
            plain = variable.partition("[")[0]
            assert MEANT.get(plain, MEANT.get(plain.rstrip("12"))) in word(match.stage)


# What the variables of the right answers above hold, as a reader of their lines would say.
MEANT = {
    "q": "queries",
    "k": "keys",
    "v": "values",
    "s": "scores",
    "t": "scores plus the bias",
    "att": "weights",
    "w": "weights",
    "out": "output",
    "o": "output",
    "a": "",  # the weights in one answer, the hidden numbers in another
    "both": "stacked outputs",
    "m": "means",
    "var": "variances",
    "n": "mean 0 and variance 1",
    "h": "after ReLU",
    "outs": "output",
    "mixed": "output of multi-head attention",
    "x1": "tokens plus the output of multi-head attention",
    "x2": "output of the first LayerNorm",
    "hidden": "after ReLU",
    "x3": "LayerNorm plus that of the MLP",
}


@pytest.mark.parametrize("answer", right_answers(), ids=lambda one: f"{one.exercise}-{one.called}")
def test_nothing_in_a_recorded_right_answer_is_called_wrong(answer):
    """Whatever the style: loops, rows for columns, einsum, helper functions, arrays of all heads at once."""
    for sight, _ in sights(answer.exercise, answer.source):
        assert sight.point is None
        assert sight.lines == ()


def test_nothing_is_said_where_nothing_was_seen():
    """Without values, or without known steps, there is no sentence."""
    known = stages("self_attention")[1]

    assert recognize([], known, {}, []) == Sight()
    answer, arguments = function("self_attention", changed("self_attention", []))
    example = examples("self_attention")[1]
    seen = watch(answer, "<cell of self_attention>", example.arguments)
    assert recognize(seen, (), named(arguments, example.arguments), []) == Sight()


def test_another_way_of_scaling_is_no_mistake():
    """Where the queries carry the scale, a later mistake is found, not the scale."""
    changes = [("s = k.T @ q / np.sqrt(d)", "q = q / np.sqrt(d)\n    s = k.T @ q"), ("v @ att", "v @ att.T")]
    answer = changed("scaled_self_attention", changes)
    found = next(sight for sight, wrong in sights("scaled_self_attention", answer) if wrong)

    assert found.point is not None
    assert found.point.name == "out"


def test_numbers_of_half_the_digits_are_not_called_wrong():
    """An answer in float32 is close to the steps; the mistake is found all the same."""
    single = "X = X.astype(np.float32); q = head.omega_q.astype(np.float32) @ X + head.beta_q.astype(np.float32)"
    changes = [("q = head.omega_q @ X + head.beta_q", single), ("v @ att", "v @ att.T")]
    found = next(sight for sight, wrong in sights("self_attention", changed("self_attention", changes)) if wrong)

    assert found.point is not None
    assert found.point.name == "out"


def test_what_a_result_is_compared_with_has_words():
    """Arguments go by their names, steps by their words and heads."""
    known = quantities(stages("two_heads")[1], {"X": np.ones((2, 2))})

    assert {"`X`", "the queries of head 1", "the weights of head 2", "the scaled scores of head 1"} <= known.keys()


def test_a_step_inside_a_larger_array_is_not_called_absent():
    """Queries that stand in a block of queries, keys and values are in a variable."""
    block = (
        "all = np.vstack([head.omega_q @ X + head.beta_q, head.omega_k @ X + head.beta_k])\n    q = head.omega_q @ X"
    )
    answer = changed("self_attention", [("q = head.omega_q @ X + head.beta_q", block)])
    found = next(sight for sight, wrong in sights("self_attention", answer) if wrong)

    assert "in no variable" not in " ".join(found.lines)


@pytest.mark.parametrize(
    ("change", "words"), [("-y", "times -1"), ("y / 4", "divided by 4"), ("y * 2.5", "times 2.500")]
)
def test_a_constant_factor_is_told_as_one_would_say_it(change, words):
    """A step times a constant is told with the constant, a division as such."""
    source = "def NAME(X, W1, b1, W2, b2):\n    z = FACTOR\n    y = z\n    return np.tanh(y)\n"
    text = source.replace("NAME", "mlp").replace("FACTOR", f"({change.replace('y', '(W1 @ X + b1)')})")
    found = next(sight for sight, wrong in sights("mlp", text) if wrong)

    assert f"the hidden numbers before ReLU, {words}." in found.lines[-1]
