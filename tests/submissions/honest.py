"""Submissions of students who mean well: right in many styles, wrong in the usual ways, saved by all sorts of tools.

The exercises of the first notebook are worth 0, 0, 1, 1 and 1 points; NAME stands for an exercise's name.
"""

import codecs
import json
import uuid

import nbformat

from helpers.examples import examples

from . import Notebook, graded

# ============================================================ right, in many styles


@graded(3)
def as_our_solutions():
    """What our own solutions give."""
    return Notebook()


@graded(3)
def loops():
    """No matrix product anywhere."""
    return Notebook(
        project="""
def NAME(X, omega, beta):
    out = []
    for i in range(len(omega)):
        row = []
        for n in range(X.shape[1]):
            total = beta[i][0]
            for j in range(len(X)):
                total += omega[i][j] * X[j][n]
            row.append(total)
        out.append(row)
    return np.array(out)""",
        softmax_cols="""
def NAME(S):
    A = np.empty(S.shape)
    for n in range(S.shape[1]):
        e = [np.exp(s - max(S[:, n])) for s in S[:, n]]
        A[:, n] = [one / sum(e) for one in e]
    return A""",
        weighted_values="""
def NAME(A, V):
    return np.stack([sum(A[m, n] * V[:, m] for m in range(len(A))) for n in range(A.shape[1])], axis=1)""",
    )


@graded(3)
def einsum():
    """Indices instead of products."""
    return Notebook(
        project='def NAME(X, omega, beta):\n    return np.einsum("qd,dn->qn", omega, X) + beta',
        attention_weights='def NAME(Q, K):\n    return softmax_cols(np.einsum("dm,dn->mn", K, Q))',
        weighted_values='def NAME(A, V):\n    return np.einsum("mn,dm->dn", A, V)',
    )


@graded(3)
def rows_turned_at_the_end():
    """Thought of with a token in each row, as most libraries do, and turned for the last line."""
    return Notebook(
        self_attention="""
def NAME(X, head):
    T = X.T
    q, k, v = (T @ w.T + b.T for w, b in zip(head[:3], head[3:]))
    s = q @ k.T
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True) @ v).T"""
    )


@graded(3)
def float32():
    """Single precision throughout."""
    return Notebook(
        attention_weights="def NAME(Q, K):\n    return softmax_cols(K.astype(np.float32).T @ Q.astype(np.float32))",
        weighted_values="def NAME(A, V):\n    return V.astype('f4') @ A.astype('f4')",
    )


@graded(3)
def a_lambda():
    """A name for a lambda."""
    return Notebook(weighted_values="NAME = lambda A, V: V @ A")


@graded(3)
def a_partial():
    """`functools.partial` of a function of the cell."""
    return Notebook(
        weighted_values="""
import functools
def mixed(order, A, V):
    return np.einsum(order, V, A)
NAME = functools.partial(mixed, "dm,mn->dn")"""
    )


@graded(3)
def a_class_with_call():
    """An object that can be called."""
    return Notebook(
        softmax_cols="""
class Softmax:
    axis = 0
    def __call__(self, S):
        e = np.exp(S - S.max(self.axis))
        return e / e.sum(self.axis)
NAME = Softmax()"""
    )


@graded(3)
def decorated():
    """A decorator of the student's own, and `functools.lru_cache` on a helper."""
    return Notebook(
        weighted_values="""
import functools
def traced(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        print("calling", f.__name__, [a.shape for a in args])
        return f(*args, **kwargs)
    return inner

@functools.lru_cache
def order():
    return "dm,mn->dn"

@traced
def NAME(A, V):
    return np.einsum(order(), V, A)"""
    )


@graded(3)
def a_helper_in_the_cell():
    """Helpers below the function, one of them recursive."""
    return Notebook(
        attention_weights="""
def NAME(*args):
    return shares(scores(*args))

def shares(S):
    return softmax_cols(S)

def scores(Q, K, done=0):
    if done == K.shape[1]:
        return np.empty((0, Q.shape[1]))
    return np.vstack([K[:, done] @ Q, scores(Q, K, done + 1)])"""
    )


@graded(3)
def a_generator_inside():
    """The columns come from a generator."""
    return Notebook(
        weighted_values="""
def NAME(A, V):
    def columns():
        for shares in A.T:
            yield V @ shares
    return np.column_stack(list(columns()))"""
    )


@graded(3)
def lists_returned():
    """Lists of lists, where no later cell of the notebook wants an array."""
    return Notebook().replace("self_attention", "return X_prime", "return [[float(x) for x in row] for row in X_prime]")


@graded(3)
def np_matrix():
    """`np.matrix`, in which `*` is the product."""
    return Notebook(weighted_values="def NAME(A, V):\n    return np.matrix(V) * np.matrix(A)")


@graded(3)
def the_standard_library():
    """Modules that a student may think of, imported in the cell and in the function."""
    return Notebook(
        project="""
import itertools, math, statistics
from fractions import Fraction
from operator import mul
def NAME(X, omega, beta):
    out = np.zeros((len(omega), X.shape[1]))
    for i, n in itertools.product(*map(range, out.shape)):
        out[i, n] = math.fsum(map(mul, omega[i], X[:, n])) + beta[i, 0]
    return out""",
        softmax_cols="""
def NAME(S):
    import math, statistics
    from fractions import Fraction
    e = np.exp(S - S.max(axis=0))
    n = len(S)
    return np.array([row / (float(Fraction(n)) * np.array([statistics.fmean(c) for c in e.T])) for row in e])""",
        weighted_values="""
import numpy.linalg, random, collections, dataclasses, typing, contextlib, decimal, re, datetime
from numpy.linalg import multi_dot
def NAME(A, V):
    return multi_dot([V, A, np.eye(A.shape[1])])""",
    )


@graded(3)
def an_import_of_a_rarely_used_module():
    """Modules that the grader has not loaded before: they are read from disk in the fork."""
    return Notebook(
        weighted_values="""
import numpy.polynomial, numpy.fft, colorsys, graphlib, statistics
def NAME(A, V):
    return V @ A"""
    )


@graded(3)
def typed_and_documented():
    """Annotations that are looked up as the cell runs, and a dataclass."""
    return Notebook(
        weighted_values='''
from __future__ import annotations
from dataclasses import dataclass
from typing import NamedTuple
import numpy.typing as npt

@dataclass
class Mixed:
    of: np.ndarray

def NAME(A: npt.NDArray[np.float64], V: "array") -> Array:
    """Return the mixed values."""
    return Mixed(of=V @ A).of'''
    )


@graded(3)
def debug_prints():
    """Prints that were left in."""
    return Notebook().replace("self_attention", "Q = project", 'print("Q!", X.shape, flush=True)\n    Q = project')


@graded(3)
def megabytes_printed():
    """20 MB printed by one call."""
    return Notebook(weighted_values='def NAME(A, V):\n    print("x" * 20_000_000)\n    return V @ A')


@graded(3)
def warnings_raised():
    """Warnings of Python's and of numpy's."""
    return Notebook(
        weighted_values="""
def NAME(A, V):
    import warnings
    warnings.warn("a warning is no fault")
    np.log(np.zeros(3)) / 0
    return V @ A"""
    )


@graded(3)
def magics():
    """What IPython understands and Python does not."""
    return (
        Notebook()
        .answer("project", "%%time\n" + Notebook().cell("project").source)
        .answer(
            "softmax_cols",
            "!ls\n%timeit -n1 -r1 1 + 1\nnp.exp?\nfiles = !ls\n" + Notebook().cell("softmax_cols").source,
        )
        .answer("weighted_values", "%matplotlib inline\n" + Notebook().cell("weighted_values").source)
    )


@graded(3)
def plots_in_the_cell():
    """A picture drawn below the function: the lines that the function does not need are not run."""
    return Notebook().answer(
        "weighted_values",
        Notebook().cell("weighted_values").source + "\n\nimport matplotlib.pyplot as plt\nplt.imshow(A)\nplt.show()",
    )


# ============================================================ wrong, and told what


@graded(2, attention_weights="wrong", says="Queries and keys are exchanged")
def queries_and_keys_exchanged():
    """Scores the wrong way round."""
    return Notebook(attention_weights="def NAME(Q, K):\n    return softmax_cols(Q.T @ K)")


@graded(3, softmax_cols="wrong", says="sum")
def softmax_over_the_rows():
    """Rows sum to one. The exercises that use it are lent ours, so that it costs once."""
    return Notebook(
        softmax_cols="def NAME(S):\n    e = np.exp(S - S.max())\n    return e / e.sum(axis=1, keepdims=True)"
    )


@graded(3, softmax_cols="wrong", says="nan or inf")
def softmax_overflows():
    """No largest score subtracted."""
    return Notebook(softmax_cols="def NAME(S):\n    e = np.exp(S)\n    return e / e.sum(axis=0)")


@graded(3, project="wrong")
def bias_forgotten():
    """No beta."""
    return Notebook(project="def NAME(X, omega, beta):\n    return omega @ X")


@graded(2, weighted_values="error", says="The weights are turned over")
def weights_turned():
    """The sum runs over the queries."""
    return Notebook(weighted_values="def NAME(A, V):\n    return V @ A.T")


@graded(2, self_attention="error", says="which the notebook holds but the cell does not")
def a_global_of_the_notebook():
    """Reads the notebook's `X` and `omega_q` instead of the arguments."""
    return Notebook(
        self_attention="""
def NAME(X, head):
    return weighted_values(attention_weights(omega_q @ X, omega_k @ X), omega_v @ X)"""
    )


@graded(2, weighted_values="wrong", says="None")
def printed_instead_of_returned():
    """No `return`."""
    return Notebook(weighted_values="def NAME(A, V):\n    print(V @ A)")


@graded(2, weighted_values="wrong", says="changed its argument")
def changes_its_argument():
    """Writes into V."""
    return Notebook(weighted_values="def NAME(A, V):\n    V *= 2\n    return V @ A / 2")


@graded(2, weighted_values="error", says="is not Python")
def not_python():
    """A colon is missing."""
    return Notebook(weighted_values="def NAME(A, V)\n    return V @ A")


@graded(2, weighted_values="error", says="is still reached")
def the_stubs_last_line_left_in():
    """The answer is there, and the line that raises as well."""
    return Notebook(weighted_values="def NAME(A, V):\n    output = V @ A\n    raise NotImplementedError")


@graded(2, weighted_values="error", says="ZeroDivisionError")
def raises():
    """An error of its own."""
    return Notebook(weighted_values="def NAME(A, V):\n    return V @ A / (1 // 0)")


@graded(2, weighted_values="timeout", says="Which loop")
def an_endless_loop():
    """A loop whose counter stands still."""
    return Notebook(
        weighted_values="def NAME(A, V):\n    n = 0\n    while n < A.shape[1]:\n        V @ A[:, n]\n    return V @ A"
    )


@graded(2, weighted_values="error", says="calls itself")
def recursion_without_end():
    """A function that calls itself on the same input."""
    return Notebook(weighted_values="def NAME(A, V):\n    return NAME(A, V)")


@graded(2, weighted_values=("error", "killed"), says="memory")
def too_much_memory():
    """A table of everything against everything, by mistake: 1.3 TB, which no machine gives, confined or not."""
    return Notebook(weighted_values="def NAME(A, V):\n    table = np.ones((400_000, 400_000))\n    return V @ A")


@graded(2, weighted_values="error", says="ends the program")
def calls_exit():
    """`exit()` left in."""
    return Notebook(weighted_values="def NAME(A, V):\n    import sys\n    sys.exit(0)")


@graded(2, weighted_values="wrong", says="the check does not show")
def fitted_to_the_check():
    """Right for the sizes that the check shows, found by trial."""
    sizes = {example.arguments[0].shape for example in examples("weighted_values")}
    return Notebook(weighted_values=f"def NAME(A, V):\n    return V @ A if A.shape in {sizes} else V @ A ** 2")


# ============================================================ how far a student came


@graded(1, weighted_values="not started", self_attention="not started")
def half_done():
    """Two cells as they were handed out."""
    return Notebook().stub("weighted_values", "self_attention")


@graded(
    0,
    project="not started",
    softmax_cols="not started",
    attention_weights="not started",
    weighted_values="not started",
    self_attention="not started",
)
def as_handed_out():
    """Nothing done."""
    return Notebook().stub("project", "softmax_cols", "attention_weights", "weighted_values", "self_attention")


@graded(2, weighted_values="missing", says="turned to text")
def turned_to_text():
    """A TODO cell that is markdown now."""
    return Notebook().to_text("weighted_values")


@graded(2, weighted_values="missing", says="deleted")
def cell_deleted():
    """A TODO cell that is gone."""
    return Notebook().delete("weighted_values")


@graded(3)
def checks_deleted():
    """All cells but the answers are gone."""
    notebook = Notebook()
    return notebook.delete(*(cell.id for cell in notebook.notebook.cells if not hasattr(cell, "id") or "-" in cell.id))


@graded(3)
def cells_reversed():
    """The last cell first."""
    notebook = Notebook()
    notebook.notebook.cells.reverse()
    return notebook


@graded(3, note="found in another cell")
def answered_in_another_cell():
    """The TODO cell is as it was; the answer stands at the end."""
    notebook = Notebook()
    source = notebook.cell("weighted_values").source
    return notebook.stub("weighted_values").add(source)


@graded(2, weighted_values="error", note="2 cells define it")
def answered_twice():
    """A right attempt in a cell of its own, and a wrong one in the TODO cell, which counts."""
    notebook = Notebook(weighted_values="def NAME(A, V):\n    return V @ A.T")
    return notebook.add(Notebook().cell("weighted_values").source)


@graded(3, note="2 cells define it")
def cells_pasted_twice():
    """The whole notebook twice, with the same ids, as a copy and paste of all cells makes it."""
    notebook = Notebook()
    notebook.notebook.cells += Notebook().notebook.cells
    return notebook


@graded(3, note="found in another cell")
def all_in_one_cell():
    """Every answer in the first TODO cell."""
    notebook = Notebook()
    functions = ("project", "softmax_cols", "attention_weights", "weighted_values", "self_attention")
    sources = [notebook.cell(function).source for function in functions]
    return notebook.stub(*functions).answer("project", "\n\n".join(sources))


# ============================================================ saved by all sorts of tools


@graded(3, note="found in another cell")
def saved_by_colab():
    """Colab: its own ids in the metadata, none of ours; form cells, a table of contents, a widget state."""
    notebook = Notebook().strip_ids()
    for cell in notebook.notebook.cells:
        cell.metadata = {"id": uuid.uuid5(uuid.NAMESPACE_URL, cell.source).hex[:12]}
        if cell.cell_type == "code":
            cell.metadata |= {
                "colab": {"base_uri": "https://localhost:8080/", "height": 35},
                "outputId": "6e0c2f0a-1f2b-4d7c-a6de-3f9b6f0a5b2c",
                "cellView": "form",
                "executionInfo": {"status": "ok", "timestamp": 1_700_000_000_000, "user": {"displayName": "Ada"}},
            }
    notebook.notebook.metadata = {
        "colab": {"provenance": [], "toc_visible": True, "authorship_tag": "ABX9TyM"},
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
        "widgets": {"application/vnd.jupyter.widget-state+json": {"abc": {"model_name": "IntSliderModel"}}},
        "accelerator": "GPU",
    }
    notebook.notebook.nbformat, notebook.notebook.nbformat_minor = 4, 0
    return notebook


@graded(3, note="found in another cell")
def saved_by_vs_code():
    """VS Code: other ids, metadata of its own, outputs of other kinds, no language version."""
    notebook = Notebook()
    for number, cell in enumerate(notebook.notebook.cells):
        cell.id = f"{number:08x}"
        cell.metadata = {"vscode": {"languageId": "python"}} if cell.cell_type == "code" else {}
        if cell.cell_type == "code":
            cell.outputs = [
                {
                    "data": {"text/plain": ["array"]},
                    "execution_count": 3,
                    "metadata": {},
                    "output_type": "execute_result",
                },
                {"name": "stderr", "output_type": "stream", "text": ["\u001b[1;31mKernel died\u001b[0m"]},
            ]
    notebook.notebook.metadata = {
        "kernelspec": {"display_name": ".venv", "language": "python", "name": "python3"},
        "language_info": {"codemirror_mode": {"name": "ipython", "version": 3}, "name": "python"},
        "orig_nbformat": 4,
    }
    return notebook


@graded(3)
def saved_by_jupyterlite():
    """JupyterLite: the Pyodide kernel, trusted marks, ids kept."""
    notebook = Notebook()
    for cell in notebook.notebook.cells:
        cell.metadata = {"trusted": True}
    notebook.notebook.metadata = {
        "kernelspec": {"name": "python", "display_name": "Python (Pyodide)", "language": "python"},
        "language_info": {"codemirror_mode": {"name": "python", "version": 3}, "name": "python", "version": "3.8"},
    }
    return notebook


@graded(3, note="found in another cell")
def no_metadata():
    """Neither ids nor metadata."""
    notebook = json.loads(Notebook().strip_ids().text())
    for cell in [notebook, *notebook["cells"]]:
        cell["metadata"] = {}
    return json.dumps(notebook)


@graded(3)
def another_kernel():
    """A kernel of the student's own that nobody else has."""
    notebook = Notebook()
    notebook.notebook.metadata.kernelspec = {"name": "my-env", "display_name": "ml 3.9", "language": "python"}
    return notebook


@graded(3)
def windows_line_ends():
    """CRLF in the file, and in the sources."""
    notebook = Notebook()
    for cell in notebook.notebook.cells:
        cell.source = cell.source.replace("\n", "\r\n")
    return notebook.text().replace("\n", "\r\n")


@graded(3)
def a_byte_order_mark():
    """UTF-8 with a mark, as Windows' Notepad writes it."""
    return Notebook().text().encode("utf-8-sig")


@graded(3)
def utf_16():
    """UTF-16, as PowerShell's `>` writes it."""
    return codecs.BOM_UTF16_LE + Notebook().text().encode("utf-16-le")


@graded(3)
def one_line_of_json():
    """No line breaks in the file, all of it in ASCII, sources as one text each."""
    return json.dumps(Notebook().notebook)


@graded(3, note="found in another cell")
def format_3():
    """Format 3, with worksheets."""
    return nbformat.v3.writes_json(nbformat.convert(Notebook().notebook, 3))


def _minor(version):
    def make():
        notebook = Notebook().strip_ids()
        notebook.notebook.nbformat_minor = version
        return notebook

    make.__name__, make.__module__ = f"format_4_{version}", __name__
    make.__doc__ = f"Format 4.{version}, in which cells have no ids."
    return make


for version in range(5):
    graded(3, note="found in another cell")(_minor(version))


@graded(3, file="Übung 1 – Ada's copy (2).ipynb")
def its_name_is_not_ours():
    """Renamed, with accents, as a download makes it."""
    return Notebook()


@graded(3)
def megabytes_stored():
    """20 MB of stored output in one cell."""
    notebook = Notebook()
    notebook.code[3].outputs = [nbformat.v4.new_output("stream", text="x" * 99 + "\n") for _ in range(3)]
    notebook.code[3].outputs[0].text = ("x" * 99 + "\n") * 200_000
    return notebook


@graded(3)
def wrong_outputs_stored():
    """The outputs of an earlier, wrong attempt, and an error."""
    notebook = Notebook()
    for cell in notebook.code:
        cell.outputs = [nbformat.v4.new_output("error", ename="ValueError", evalue="no", traceback=["\x1b[31mno"])]
    return notebook


@graded(2, weighted_values="error")
def nbvals_own_switches():
    """Every tag and comment that switches plain nbval off, on a wrong answer."""
    notebook = Notebook(weighted_values="def NAME(A, V):\n    return V @ A.T")
    for cell in notebook.code:
        cell.metadata = {"tags": ["nbval-skip", "nbval-ignore-output", "raises-exception", "nbval-raises-exception"]}
        cell.source = f"# NBVAL_SKIP\n# NBVAL_IGNORE_OUTPUT\n# NBVAL_RAISES_EXCEPTION\n{cell.source}"
    return notebook


@graded(3)
def cells_of_its_own():
    """Trials between ours: some fail, one is not Python, one would end the process."""
    notebook = Notebook()
    for source in ("1 / 0", "this is not python", "import os\nos._exit(0)", "%load_ext nothing", "while True: pass"):
        notebook.add(source, position=3)
    return notebook


@graded(3)
def a_long_sum():
    """A trial of 2,000 terms, too deep for whoever reads it by recursion."""
    return Notebook().add("total = " + " + ".join(["1"] * 2_000))


# ============================================================ other notebooks


def _whole(name, points):
    def make():
        return Notebook(name)

    make.__name__, make.__module__ = f"all_of_{name}", __name__
    make.__doc__ = "Every exercise of another notebook solved."
    return graded(points)(make)


_whole("scaling", 3)
_whole("two_heads", 3)
_whole("concatenation", 4)
_whole("positions", 5)
_whole("transformer_layer", 4)
