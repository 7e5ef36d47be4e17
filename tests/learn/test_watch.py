"""Watching an answer: which numbers stood in which variable, after which line."""

import sys
from collections import Counter

import numpy as np
import pytest

from helpers.examples import examples
from helpers.learn.watch import MOST_VALUES, _Watcher, named, watch

X = np.array([[1.0, 2.0], [3.0, 5.0], [8.0, 13.0]])  # (3, 2)


def watched(body, *arguments, helpers=""):
    """Watch a function `f(X, other=None)` with this body, whose first line is line 2."""
    lines = ["    " + line for line in body.strip("\n").splitlines()]
    text = "\n".join(["def f(X, other=None):", *lines])
    namespace = {"np": np}
    exec(compile(helpers, "<cell of f>", "exec"), namespace)  # noqa: S102  a test's own text
    exec(compile(text, "<cell of f>", "exec"), namespace)  # noqa: S102  as above
    return watch(namespace["f"], "<cell of f>", arguments or (X,))


def values(seen, name):
    """Return the values of one name as lists, in order."""
    return [one.value.tolist() for one in seen if one.name == name]


def test_each_variable_is_seen_with_its_line_and_the_result_is_last():
    """A variable is noted once, under the line that gave it its value; what is returned has no name."""
    seen = watched("doubled = 2 * X\nflat = doubled.sum(axis=0)\nreturn flat + 1")

    assert [(one.name, one.line, one.call) for one in seen] == [("doubled", 2, 1), ("flat", 3, 1), ("", 4, 1)]
    assert values(seen, "doubled") == [(2 * X).tolist()]
    assert values(seen, "") == [[25.0, 41.0]]


def test_arguments_are_not_seen_and_not_changed():
    """What the call is given is known; it gets copies."""
    seen = watched("same = X\nX += 1\nreturn same", X)

    assert [one.name for one in seen] == [""]
    assert X[0, 0] == 1.0


@pytest.mark.parametrize("change", ["S /= 2", "S[:] = S / 2", "np.divide(S, 2, out=S)", "S = S / 2"])
def test_a_change_in_place_is_a_new_value(change):
    """Both values of a variable are seen, whether it was bound again or written into."""
    seen = watched(f"S = 4 * X\n{change}\nreturn S")

    assert values(seen, "S") == [(4 * X).tolist(), (2 * X).tolist()]
    assert [one.line for one in seen if one.name == "S"] == [2, 3]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("parts = [2 * X, 3 * X]", "parts[1]"),
        ("parts = (2 * X, (X + 1, 3 * X))", "parts[1][1]"),
        ("parts = {'a': 3 * X}", "parts['a']"),
        ("parts = [[3 * x for x in row] for row in X.tolist()]", "parts"),
        ("parts = [3 * row for row in X]", "parts"),
        ("parts = np.matrix(3 * X)", "parts"),
    ],
)
def test_parts_are_named_as_their_author_would(line, name):
    """Arrays in lists, tuples and dicts are seen; rows of one length are seen as a matrix."""
    seen = watched(f"{line}\nreturn X")

    assert (3 * X).tolist() in values(seen, name)


def test_a_helper_function_is_seen_call_by_call():
    """Its variables, what it was given and what it returned are noted for each call under the call's number."""
    helper = "def twice(Z):\n    out = 2 * Z\n    return out + 1\n"
    seen = watched("return twice(twice(X + 1))", helpers=helper)
    calls = [(one.name, one.call) for one in seen]

    assert calls == [("Z", 2), ("out", 2), ("twice()", 2), ("Z", 3), ("out", 3), ("twice()", 3), ("", 1)]


def test_the_values_of_a_loop_are_few_and_the_last_is_among_them():
    """A loop that fills an array leaves a bounded number of copies; the full array is one of them."""
    body = "out = np.zeros((3, 50))\nfor j in range(50):\n    out[:, j] = j + 1\nreturn out"
    found = values(watched(body), "out")

    assert len(found) == MOST_VALUES
    assert found[0] == np.zeros((3, 50)).tolist()
    assert found[-1] == np.tile(np.arange(1.0, 51.0), (3, 1)).tolist()


def test_a_long_loop_is_seen_at_its_end():
    """After many turns the lines are no longer looked at one by one; the final value is seen all the same."""
    body = "out = np.zeros(500)\nfor j in range(500):\n    out[j] = j\nlast = out + 1\nreturn last"
    seen = watched(body)

    assert values(seen, "out")[-1] == list(range(500))
    assert [one.line for one in seen if one.name == "out"][-1] == 4


def test_an_answer_that_runs_too_long_is_not_half_seen():
    """Beyond the bound on lines only the result is reported: half of the values would mislead."""
    body = "S = 2 * X\nfor j in range(200000):\n    pass\nT = 3 * X\nreturn T"
    assert [one.name for one in watched(body)] == [""]


@pytest.mark.parametrize("body", ["S = 2 * X\nraise SystemExit", "S = 2 * X\nreturn S @ S"])
def test_an_error_ends_it_quietly(body):
    """What an answer raises is the judge's business; what was seen before stays."""
    assert [one.name for one in watched(body)] == ["S"]


def test_what_the_answer_prints_is_swallowed(capsys):
    """Watching says nothing in the notebook."""
    watched("print(X)\nreturn X")

    assert capsys.readouterr().out == ""


def test_another_trace_function_stays_in_place():
    """A debugger or a coverage tool that traces finds its own function again."""

    def theirs(frame, event, argument):
        return None

    before = sys.gettrace()
    sys.settrace(theirs)
    try:
        seen = watched("S = 2 * X\nreturn S")
        assert sys.gettrace() is theirs
    finally:
        sys.settrace(before)
    assert [one.name for one in seen] == ["S", ""]


def test_numbers_texts_and_functions_are_no_arrays():
    """Single numbers, and what is no numbers, are not noted."""
    body = "n = X.shape[1]\nscale = np.sqrt(n)\nword = 'a'\ng = lambda Z: Z\nc = 1j * X\nreturn X"
    assert [one.name for one in watched(body)] == [""]


def test_arguments_are_named_part_by_part():
    """The arrays of a call's arguments have the names that a student would write."""
    names = named(("X", "layer"), examples("transformer_layer")[1].arguments)

    assert names["layer.heads[2].beta_q"].shape == (2, 1)
    assert {"X", "layer.omega_c", "layer.W1"} <= names.keys()


ENTRY_BY_ENTRY = """
def product(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            out[i, j] = total
    return out
"""


def test_loops_over_entries_are_seen():
    """A layer whose every product is a triple loop is watched to its end."""
    body = """
rows = []
for head in other.heads:
    q = product(head.omega_q, X) + head.beta_q
    k = product(head.omega_k, X) + head.beta_k
    v = product(head.omega_v, X) + head.beta_v
    scores = product(k.T, q)
    rows.append(product(v, scores))
mixed = product(other.omega_c, np.vstack(rows))
hidden = product(other.W1, mixed) + other.b1
return product(other.W2, hidden)
"""
    seen = watched(body, *examples("transformer_layer")[1].arguments, helpers=ENTRY_BY_ENTRY)

    assert {"q", "scores", "rows[2]", "mixed", "hidden", ""} <= {one.name for one in seen}


def test_loops_over_entries_cost_little(monkeypatch):
    """Of the thousands of lines that a triple loop runs, the variables are looked at after not one in twenty."""
    count = Counter()
    for method in (_Watcher._step, _Watcher._look):

        def counted(*arguments, method=method):
            count[method.__name__] += 1
            return method(*arguments)

        monkeypatch.setattr(_Watcher, method.__name__, counted)
    large = np.ones((16, 16))

    seen = watched("return product(X, other)", large, large, helpers=ENTRY_BY_ENTRY)

    assert count["_step"] > 16**3
    assert 0 < count["_look"] < count["_step"] / 20
    assert np.array_equal(seen[-1].value, large @ large)


def test_what_a_statement_reads_is_known():
    """Each value comes with the variables of its statement, on whatever line of it they stand."""
    body = """
a = 2 * X
b = 3 * X
c = np.concatenate([
    a,
    b,
])
c /= c.sum(axis=0)
for turn in range(1):
    d = [row + a[0] for row in c]
return d
"""
    seen = watched(body)
    # A comprehension's own variable belongs to a call of its own, from Python 3.12 on to the call around it.
    own = [one for one in seen if one.call == 1 and one.name != "row"]
    used = [(one.name, one.uses & {"a", "b", "c", "d"}) for one in own]

    assert used == [("a", set()), ("b", set()), ("c", {"a", "b"}), ("c", {"c"}), ("d", {"a", "c"}), ("", {"d"})]
