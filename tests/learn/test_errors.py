"""An error in the student's own words: the operands of its line, their shapes, what each axis is, and what to do."""

import pickle
import sys

import numpy as np
import pytest

from helpers.examples import examples
from helpers.learn.check import judge_source
from helpers.learn.errors import trouble_from
from helpers.learn.operands import operands_of
from helpers.learn.shape_words import named_axes
from helpers.parameters import Head
from helpers.teach import solutions

PROJECT, SOFTMAX, ATTENTION = "project", "softmax_cols", "self_attention"
FILE = "<cell>"
A, B = np.ones((2, 3)), np.ones((2, 3))
NOT_KEPT = sys.version_info >= (3, 12)  # a comprehension's names are gone once it has raised


def raised(lines, source="", **names):
    """Run lines as the body of a function of a, b, L; return what they raised."""
    source = source or "def f(a, b, L):\n    " + lines.replace("\n", "\n    ")
    namespace = {"np": np, **names}
    exec(compile(source, FILE, "exec"), namespace)  # noqa: S102  the cell of this test
    try:
        with np.errstate(all="ignore"):  # as a check does
            namespace["f"](A.copy(), B.copy(), [A, B.T])
    except Exception as error:  # noqa: BLE001  whatever it is, it is what the test asks for
        return error, source
    raise AssertionError("nothing was raised")


def operands(lines, **names):
    """Return the operator and the operands of what lines raise."""
    trouble = trouble_from(*_with_file(*raised(lines, **names)))
    return trouble.operator, trouble.operands


def _with_file(error, source):
    return error, FILE, source


def said(name, *lines, arguments):
    """Return the verdict on an answer with these lines."""
    source = "\n    ".join([f"def {name}({arguments}):", *lines])
    earlier = {other: solutions.function(other) for other in (PROJECT, SOFTMAX, "attention_weights")}
    return judge_source(name, source, earlier)[0].text.split("\n  ")


# --- which operation, which operands


@pytest.mark.parametrize(
    ("line", "operator", "named"),
    [
        ("a @ b", "@", {"a": (2, 3), "b": (2, 3)}),
        ("(a + 1) @ (b)", "@", {"a + 1": (2, 3), "b": (2, 3)}),
        ("a.T @ b @ b", "@", {"a.T @ b": (3, 3), "b": (2, 3)}),
        ("a @= b", "@=", {"a": (2, 3), "b": (2, 3)}),
        ("np.dot(a, b)", "@", {"a": (2, 3), "b": (2, 3)}),
        ("np.matmul(a, b)", "@", {"a": (2, 3), "b": (2, 3)}),
        ("a.dot(b)", "@", {"a": (2, 3), "b": (2, 3)}),
        ("(a\n  .dot(b))", "@", {"a": (2, 3), "b": (2, 3)}),
        ("a + b.T", "+", {"a": (2, 3), "b.T": (3, 2)}),
        ("a * b[:, :2]", "*", {"a": (2, 3), "b[:, :2]": (2, 2)}),
        ("a == b.T", "==", {"a": (2, 3), "b.T": (3, 2)}),
        ("a -= b.T", "-=", {"a": (2, 3), "b.T": (3, 2)}),
        ("a[0] += b", "+=", {"a[0]": (3,), "b": (2, 3)}),
        ("np.maximum(a, b.T)", "np.maximum", {"a": (2, 3), "b.T": (3, 2)}),
        ("a[:, 0] = b", "=", {"a[:, 0]": (2,), "b": (2, 3)}),
        ("a[:, 0], a[1] = b[0], b", "=", {"a[:, 0]": (2,), "b[0]": (3,)}),
        ("a @ np.log(0 * b)", "@", {"a": (2, 3), "np.log(0 * b)": (2, 3)}),
        ("np.concatenate([a, b.T])", "np.concatenate", {"a": (2, 3), "b.T": (3, 2)}),
        ("np.vstack(L)", "np.vstack", {"L[0]": (2, 3), "L[1]": (3, 2)}),
        ("np.stack([a, b.T], axis=0)", "np.stack", {"a": (2, 3), "b.T": (3, 2)}),
        ("np.einsum('ij,jn->in', a, b)", "np.einsum ij,jn->in", {"a": (2, 3), "b": (2, 3)}),
        ("a @ np.exp(b - b.max(axis=0))", "@", {"a": (2, 3), "np.exp(b - b.max(axis=0))": (2, 3)}),
        ("a @ given(b)", "@", {"a": (2, 3), "given(b)": None}),
        ("product(a, b)", "product()", {"a": (2, 3), "b": (2, 3)}),
        ("product(q=b, p=given(a))", "product()", {"b": (2, 3), "given(a)": (2, 3)}),
        ("np.array(L[:1] * 5) @ np.ones((4, 3, 3))", "@", {"np.array(L[:1] * 5)": None, "np.ones((4, 3, 3))": None}),
        ("L[0] @ a[np.array([0, 1])]", "@", {"L[0]": (2, 3), "a[np.array([0, 1])]": None}),
        ("a + given(b).T", "+", {"a": (2, 3), "given(b).T": (3, 2)}),
    ],
)
def test_the_operands_are_found_as_they_were_typed(line, operator, named):
    """The operation that raised is found in its line, with the text and the shape of each operand."""
    exec("def product(p, q):\n    return p @ q", names := {})  # noqa: S102  a function of no cell
    found = operands(line, given=lambda x: x, product=names["product"])

    assert found == (operator, tuple(named.items()))


def test_the_name_of_a_comprehension_is_not_looked_up_where_it_is_gone():
    """From Python 3.12 on, a comprehension's name means what it meant outside, so its shape is not told."""
    symbol, named = operands("x = a.T\n[x @ b for x in L]")

    assert (symbol, dict(named)["b"]) == ("@", (2, 3))
    assert dict(named)["x"] == (None if NOT_KEPT else (2, 3))


def test_nothing_runs_a_second_time_that_may_change_something():
    """Functions that are not numpy's own, and numpy's with `out=`, are not called again to learn a shape."""
    calls, kept = [], np.zeros((2, 3))
    once = lambda x: calls.append(x) or x  # noqa: E731  as a student may write it
    named = [operands(f"a @ {text}", once=once, kept=kept)[1] for text in ("once(b)", "np.exp(b, out=kept)")]

    assert [shape for _, (_, shape) in named] == [None, None]
    assert len(calls) == 1


def test_the_arguments_of_a_call_are_those_that_it_was_given():
    """An argument is looked up in the function that was called, where that has not changed it; nothing runs twice."""
    calls, names = [], {"np": np}
    exec("def product(p, q):\n    q = q.T[:1]\n    return p @ q", names)  # noqa: S102  a function of no cell
    once = lambda x: calls.append(x) or x  # noqa: E731  as a student may write it

    assert operands("product(once(a), once(b))", once=once, product=names["product"]) == (
        "product()",
        (("once(a)", (2, 3)), ("once(b)", None)),
    )
    assert len(calls) == 2


def test_an_object_that_misbehaves_costs_its_own_shape_only():
    """An operand whose class raises whatever it is asked for is named without a shape; the other keeps its own."""

    class Awkward:
        __array_ufunc__ = None  # numpy leaves the operation to this class

        def __rmatmul__(self, other):
            raise ValueError("never")

        @property
        def shape(self):
            raise RuntimeError

    assert operands("a @ awkward", awkward=Awkward()) == ("@", (("a", (2, 3)), ("awkward", None)))
    assert operands("a @ (b + 0 * awkward[0])", awkward=np.ones((1, 9))) == (
        "+",
        (("b", (2, 3)), ("0 * awkward[0]", (9,))),
    )


def test_an_instruction_that_is_not_there_names_nothing():
    """Where Python keeps no positions, or others, the error is told without operands."""
    error, source = raised("a @ b")
    frame = error.__traceback__.tb_next.tb_frame

    assert operands_of(error, frame, 10**6, source) == ("", ())
    assert operands_of(error, frame, error.__traceback__.tb_next.tb_lasti, "x = 1") == ("", ())


def test_a_trouble_with_its_operands_goes_through_a_pipe():
    """What is told of an error is plain data: it is the same after it was sent to another process."""
    trouble = trouble_from(*_with_file(*raised("a @ b")))

    assert pickle.loads(pickle.dumps(trouble)) == trouble  # noqa: S301  pickled in this line
    assert trouble.operands == (("a", (2, 3)), ("b", (2, 3)))


def test_without_the_cell_no_operands_are_named():
    """An error of a function whose source is not at hand is told as numpy tells it."""
    error, _ = raised("a @ b")

    assert trouble_from(error, FILE).operands == ()


def test_lines_are_counted_with_the_magics_of_the_cell():
    """A cell that begins with a magic is compiled as it stands: the operands are those of the line."""
    verdict, _, _ = judge_source(PROJECT, f"%%time\n\ndef {PROJECT}(X, omega, beta):\n    return X @ omega", {})

    assert verdict.text.split("\n  ")[0].startswith(f"✗ {PROJECT}: line 4, `return X @ omega`,")
    assert "`X` is (D, N) = (5, 3), `omega` is (D_q, D) = (2, 5)." in verdict.text


# --- what each axis is


@pytest.mark.parametrize(
    ("shape", "sizes", "words"),
    [
        ((5, 3), {"D": 5, "N": 3, "D_q": 2}, "(D, N) = (5, 3)"),
        ((2,), {"D": 5, "N": 3, "D_q": 2}, "(D_q,) = (2,)"),
        ((2, 1), {"D": 5, "N": 3, "D_q": 2}, "(D_q, 1) = (2, 1)"),
        ((2, 4), {"D": 5, "N": 3, "D_q": 2}, "(D_q, 4) = (2, 4)"),
        ((5, 3), {"D": 5, "N": 3, "D_q": 3}, "(D, 3) = (5, 3)"),
        ((3, 1), {"D": 1, "N": 2, "D_q": 4}, "(3, 1)"),
        ((3, 3), {"D": 5, "N": 3}, "(3, 3)"),
        ((2, 3), {"H": 2, "N": 3}, "(2, N) = (2, 3)"),
        ((2, 4, 3), {"H": 2, "D_q": 4, "N": 3}, "(H, D_q, N) = (2, 4, 3)"),
        ((10, 7), {"D": 10, "N": 7, "H": 2, "D_q": 5}, "(10, N) = (10, 7)"),
        ((50, 3), {"D": 4, "N": 3, "base": 50}, "(50, N) = (50, 3)"),
        ((5, 3), {}, "(5, 3)"),
        ((), {"D": 5}, "a single number"),
    ],
)
def test_an_axis_is_named_where_its_size_has_one_symbol(shape, sizes, words):
    """A symbol stands for a size that no other has; 1, two axes of one size and products of sizes are numbers."""
    assert named_axes(shape, sizes) == words


# --- the sentences


@pytest.mark.parametrize(
    ("line", "second", "third"),
    [
        (
            "return X @ omega + beta",
            "`X` is (D, N) = (5, 3), `omega` is (D_q, D) = (2, 5). In a product the columns of the first (3) must be as"
            " many as the rows of the second (2).",
            "Turning one of them over is not enough. In the equation, which stands first, and which is turned over?",
        ),
        ("return omega @ X.T + beta", "`X.T` is (N, D) = (3, 5). In a product", "Changing places would not help."),
        (
            "return omega @ X[0]",
            "the entries of the second (3).",
            "is flat: an axis is lost, or was never there",
        ),
        ("return omega @ X[1:]", "`X[1:]` is (4, N) = (4, 3)", "Neither `.T` nor another order"),
        ("return omega @ X.shape[0]", "`X.shape[0]` is a single number, and `@` wants", "multiplies every entry"),
        ("return omega * X + beta", "`*` multiplies entry by entry, and the shapes do not", "Did you mean the product"),
        (
            "return omega @ X + beta.ravel()",
            "`omega @ X` is (D_q, N) = (2, 3), `beta.ravel()` is (D_q,) = (2,). Two arrays meet entry by entry: from"
            " the right, sizes must be equal or 1.",
            "The bias of the projection runs along the row",  # on square sizes it does: a recorded mistake
        ),
        (
            "return omega @ X + beta.T",
            "`beta.T` is (1, D_q) = (1, 2)",
            "The bias of the projection runs along the row",  # as above
        ),
        ("return X + beta.ravel()", "`beta.ravel()` is (D_q,) = (2,)", "`beta.ravel()` is flat: it lines up with"),
        ("return omega @ X + X[:, 1:]", "(D_q, N) = (2, 3)", "Which of the two shapes surprises you?"),
        (
            "return X + X.T",
            "Two arrays meet",
            "Each has the other's shape, turned over.",
        ),
        (
            "omega = omega[0].copy(); omega += X.T",
            "`+=` writes into the first, whose shape stays",
            "Which shape should",
        ),
        ("return np.vstack([omega, beta])", "All sizes but that of the joined axis", "`np.hstack` side by side"),
        ("return np.concatenate([X, beta.ravel()])", "the same number of axes", "A flat array has one axis; a column"),
        ("return np.stack([omega, X])", "do not stack into one", "Else keep them apart, in a list."),
        (
            "return np.einsum('ij,nj->in', omega, X)",
            "j stands for 5 in the first, for 3 in the second.",
            "Which axes stand in another order?",
        ),
        (
            "return np.einsum('ij,jn,ik->in', omega, X, beta.ravel())",
            "`beta.ravel()` is (D_q,) = (2,): `ik` has 2 letters for its axes.",
            "Each axis has a letter of its own",
        ),
    ],
)
def test_the_operands_are_said_and_a_question_that_fits(line, second, third):
    """Three lines: the place, both operands with their axes, and what to look at; on sizes that all differ."""
    lines = said(PROJECT, line, arguments="X, omega, beta")

    assert len(lines) == 3
    assert second in lines[1]
    assert third in lines[2]
    assert max(map(len, lines)) <= 158


def test_a_place_and_what_is_written_there_are_told_apart():
    """A column that is written into a flat place gets both shapes, and how the two are written."""
    lines = said(PROJECT, "out = omega @ X", "out[:, 0] = beta", "return out", arguments="X, omega, beta")

    assert lines[
        1
    ] == "The place `out[:, 0]` is (D_q,) = (2,), `beta` is (D_q, 1) = (2, 1): what is written there has" + (
        " another shape."
    )
    assert lines[2] == "`X[:, n]` is flat, (D,); `X[:, n : n + 1]` is a column, (D, 1)."


def test_the_arguments_of_a_function_of_an_earlier_exercise_are_told():
    """An error inside a function that was lent is told by the arguments it was given, not by that function's lines."""
    lines = said(ATTENTION, "return project(head.omega_q, X, head.beta_q)", arguments="X, head")

    assert lines[1:] == [
        "`head.omega_q` is (D_q, D) = (2, 5), `X` is (D, N) = (5, 3), `head.beta_q` is (D_q, 1) = (2, 1). The arguments"
        " of `project` do not fit together.",
        "Do they stand in the order that its first line names, and have the shapes its docstring names?",
    ]


def test_the_example_that_names_the_axes_best_is_spoken_of():
    """The paper example of project has no sizes: the same error on another example says more."""
    first, *_ = examples(PROJECT)
    lines = said(PROJECT, "return X @ omega", arguments="X, omega, beta")

    assert first.sizes == {}
    assert lines[0].endswith("on an example of other sizes.")


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["return project(X, omegas=omega, beta=beta)"], "has no argument `omegas`."),
        (["return X.sum(axis=0, keepdim=True)"], "Is it misspelled? Did you mean `keepdims`?"),
        (["return [omega, X] @ 2.0"], "A list stands there, or a tuple, where an array is wanted"),
        (["return [omega @ X].T"], "A list has no `T`; an array has."),
        (["return [omega @ X, beta] * 0.5"], "A list stands there, or a tuple, where an array is wanted"),
        (["def add(a, b):", "    a + b", "return add(omega @ X, beta) * 2"], "One of the two is None"),
        (["return beta + print(omega @ X)"], "One of the two is None"),
        (["return np.zeros(2, 3)"], "The shape of a new array is one argument, a pair."),
        (["return omega^2"], "A power is written `**`."),
        (["return X[X.shape[0] / 2]"], "An index, a size and a range are whole numbers."),
        (["return np.concatenate(omega, X)"], "The arrays to be joined are one argument, a list."),
        (["return X(0)"], "Round brackets call a function, and got an array."),
        (["return omega.shape[0].T @ X"], "A single number has no `T`; an array has."),
        (["return project.T @ X"], "A function stands there that is not called."),
        (["out = np.zeros(3)", "out[0] = X[0]", "return out"], "has more axes than the place"),
        (["return omega[: beta] @ X"], "An array stands where one whole number is wanted"),
        (["return X.shape[0][1]"], "A single number stands there, and the line takes a part of it."),
        (["return X[0, 0, 0]"], "The array has fewer axes than the line asks for."),
        (["if X > 0:", "    return X"], "of Python want one number, and got an array."),
        (["return omega.gamma1 @ X"], "An array has no `gamma1`; a head or a layer has."),
        (["out = out + omega @ X", "return out"], "before any line has given it a value"),
        (["return np.max(omega @ X, beta)"], "`np.max` takes one array, and an axis."),
        (["return omega.transposed() @ X"], "There is nothing named `transposed`. Did you mean `transpose`?"),
    ],
)
def test_each_common_error_has_its_sentence(lines, words):
    """What is no error of shapes is told by what it most often means, in at most three lines."""
    verdict = said(PROJECT, *lines, arguments="X, omega, beta")

    assert words in "\n".join(verdict)
    assert len(verdict) <= 3


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("np.dot(S, S.T[:0])", "must be as many as the rows of the second"),
        ("np.matmull(S, S)", "There is nothing named `matmull`. Did you mean `matmul`?"),
        ("exp(S)", "Did you mean `np.exp`?"),
        ("__import__('math').exp(S)", "Those of numpy take an array"),
        ("max(S, S)", "`np.maximum` compares two arrays entry by entry"),
        ("S - S.max", "Does it need parentheses"),
        ("S.max(axis=0, keepdim=True)", "has no argument `keepdim`"),
        ("S[99, 99]", "Index 99 is asked for"),
        ("S * np.ones((9, 9))", "Did you mean the product, `@`?"),
        ("S + np.ones((9, 9))", "A column that goes with every token"),
        ("S.sum(axis=2)", "axis 0 (down a column)"),
    ],
)
def test_an_error_has_its_cause_in_words(line, words):
    """The commonest errors of matrix code are explained, with one thing to do."""
    lines = said(SOFTMAX, f"return {line}", arguments="S")

    assert words in "\n".join(lines)
    assert len(lines) <= 3


def test_a_misspelled_argument_of_the_students_own_function_is_named():
    """The arguments of a function that the cell defines are known: the nearest one is asked for."""
    source = f"def times(left, right):\n    return left @ right\n\ndef {PROJECT}(X, omega, beta):\n"
    verdict, _, _ = judge_source(PROJECT, source + "    return times(omega, rigth=X) + beta", {})

    assert "Did you mean `right`?" in verdict.text


def test_a_head_that_lacks_a_name_says_what_it_holds():
    """A part that a head has not is answered with those it has."""
    lines = said(ATTENTION, "return head.omega @ X", arguments="X, head")

    assert lines[2] == f"It holds {', '.join(Head._fields[:-1])} and {Head._fields[-1]}."


def test_a_slice_of_the_tokens_before_a_head_is_told_first():
    """That a head wants all rows of X says more than the shapes of the two."""
    lines = said(ATTENTION, "return project(X[:1], *head[0::3])", arguments="X, head")

    assert lines[1] == "The parameters of a head expect all D rows of X."
