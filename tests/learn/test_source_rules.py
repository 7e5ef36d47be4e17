"""What an answer's text shows: each rule speaks where it is true, and is silent where it may not be."""

import pytest
from answers import right_answers

from helpers.course import course
from helpers.learn.check import judge_source
from helpers.learn.slices import answer_slice
from helpers.learn.source_rules import nothing_returned, remark
from helpers.teach import solutions

PROJECT = "project"


def part(*lines, arguments="X, omega, beta"):
    """Return an answer to project with these lines."""
    return answer_slice("\n    ".join([f"def {PROJECT}({arguments}):", *lines]), PROJECT)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["for n in X:", "    return omega @ X + beta"], "The `return` on line 3 stands inside the loop"),
        (
            ["return omega @ X", "return omega @ X + beta"],
            "Line 3 stands below the `return` of line 2: it is never run",
        ),
        (["out = omega @ X", "out == out + beta", "return out"], "Line 3, `out == out + beta`, compares"),
        (["out = omega @ X + beta", "out.sum", "return out"], "Line 3 names `out.sum` and does not call it"),
        (["out = omega @ X", "out + beta", "return out"], "Line 3, `out + beta`, works out a value that nothing keeps"),
        (["np.add(X, beta)", "return omega @ X"], "Line 2, `np.add(X, beta)`, works out a value that nothing keeps"),
        (["beta.reshape(-1)", "return omega @ X"], "Line 2, `beta.reshape(-1)`, works out a value that nothing keeps"),
        (["X.T", "return omega @ X + beta"], "Line 2, `X.T`, works out a value that nothing keeps"),
        (["return omega @ X"], "The argument `beta` is never used."),
        (["return X"], "The arguments `omega` and `beta` are never used."),
        (
            ["out = omega @ X", "out = X + beta", "return out"],
            "Line 3 gives `out` another value, and nothing has read the one of line 2.",
        ),
        (["out = omega @ X", "biased = out + beta", "return out"], "Line 3 works out `biased`, and no line reads it."),
    ],
)
def test_what_the_text_shows_is_said_with_its_line(lines, said):
    """Each rule names the line, or the argument, that it is about."""
    assert said in remark(part(*lines))


@pytest.mark.parametrize(
    "lines",
    [
        ["for n in X:", "    if n.any():", "        return omega @ X + beta", "return X"],
        ["for n in X:", "    if n.any():", "        continue", "    return omega @ X + beta"],
        ["return omega @ X + beta", "raise NotImplementedError"],
        ["return omega @ X + beta", "'''a note'''"],
        ["omega, beta == 1", "print(beta)", "return omega @ X"],
        ["out = []", "out.append(omega @ X + beta)", "return out[0]"],
        ["out = X.copy()", "np.exp(X, out)", "return omega @ out + beta"],
        ["out = X.copy()", "X.sum(0, None, out)", "return omega @ out + beta"],
        ["seen = set()", "seen.add(1)", "return omega @ X + beta, seen"],
        ["beta += 1", "return omega @ X"],
        ["return eval('omega @ X + beta')"],
        ["def inner():", "    return omega @ X + beta", "return inner()"],
        ["out = X", "out += beta", "return omega @ X"],
        ["out = X", "out[0] = beta", "return omega @ X"],
        ["out = omega", "out = out @ X", "return out + beta"],
        ["for n in X:", "    out = omega", "    if n.any():", "        break", "    out = X", "return out + beta"],
        ["try:", "    out = omega", "    out = X @ X", "except ValueError:", "    return out", "return beta"],
        ["out = 0", "out = omega @ X", "return out + beta"],
        ["out = omega", "f = lambda: out + beta", "out = X", "return f()"],
        ["D, N = X.shape", "size = len(X)", "return omega @ X + beta"],
        ["_ = omega @ X", "return omega @ X + beta"],
    ],
)
def test_where_it_may_not_be_true_nothing_is_said(lines):
    """What has an effect, is read in a way that may not show, or does no harm, is passed over in silence."""
    assert remark(part(*lines)) == ""


@pytest.mark.parametrize("name", [*course().exercises])
def test_nothing_is_said_of_a_solution(name):
    """Our own solutions give no cause for a remark."""
    assert remark(answer_slice(solutions.source(name), name)) == ""


def test_hardly_anything_is_said_of_right_answers():
    """Of all right answers on record one leaves arguments unused: a key's bias changes nothing."""
    remarked = [
        one.called for one in right_answers() if remark(answer_slice(one.source, one.exercise, course().exercises))
    ]

    assert remarked == ["both_key_biases_forgotten"]


# --- None


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["print(omega @ X + beta)"], "Line 2 prints: `print` shows a value, `return` hands it back."),
        (["omega @ X + beta"], "Line 2, `omega @ X + beta`, works out a value, and no `return` hands it back."),
        (["np.add(omega @ X, beta)"], "works out a value, and no `return` hands it back."),
        (["out = omega @ X + beta"], "Line 2 gives `out` its value, and no line returns it."),
        (["def inner():", "    return omega @ X + beta", "inner()"], "line 3 is that of `inner`, the function inside."),
        (
            ["if X is None:", "    return omega @ X + beta"],
            "Is the `return` on line 3 reached? It stands inside the `if`",
        ),
        (["for n in X[:0]:", "    return beta"], "It stands inside the `for` above it."),
        (["out = omega @ X", "return"], "Line 3 returns nothing: its `return` has no value."),
        (["return print(omega @ X + beta)"], "Line 2 returns what `print` gives back, and that is None."),
        (["out = []", "return out.append(X)"], "Line 3 returns what `append` gives back, and that is None."),
        (["out = None", "return out"], "Line 3 returns `out`, and that is None there."),
        (["if X is None:", "    return None", "print(X)"], "Line 4 prints"),
        (["for n in X:", "    print(n)"], "No line of the function returns a value."),
    ],
)
def test_where_the_result_went_is_said_by_its_line(lines, said):
    """A result that was not handed back is followed to its line, and the verdict names it."""
    answer = part(*lines)

    assert said in nothing_returned(answer)
    assert said in judge_source(PROJECT, answer.text, {})[0].text


@pytest.mark.parametrize(
    "source",
    [
        f"def loud(f):\n    return lambda *a: None\n@loud\ndef {PROJECT}(X, omega, beta):\n    return X",
        f"def {PROJECT}(X, omega, beta):\n    return X\n{PROJECT} = lambda X, omega, beta: None",
        f"def {PROJECT}(X, omega, beta):\n    if len(X) > 9:\n        return X\n    return None if len(X) else X",
    ],
    ids=["decorated", "rebound", "two returns"],
)
def test_a_none_that_may_come_from_elsewhere_is_not_followed(source):
    """Where the `def` has not the last word, or two lines return, no line is blamed."""
    assert nothing_returned(answer_slice(source, PROJECT)) == ""
    assert "returned None" in judge_source(PROJECT, source, {})[0].text
