"""Notebook 1: right answers in unusual styles, and wrong ones; the letters are those of our list of mistakes."""
# ruff: noqa: F821  an answer uses the functions of earlier exercises, and sometimes the notebook's data

import numpy as np

from answers import right, right_cell, wrong, wrong_cell

# ============================================================ 1.1 project: right


@right("project")
def project_in_one_line(X, omega, beta):
    return omega @ X + beta


@right("project")
def token_by_token(X, omega, beta):
    columns = []
    for n in range(X.shape[1]):
        columns.append(beta + omega @ X[:, n : n + 1])
    return np.hstack(columns)


@right("project")
def number_by_number(X, omega, beta):
    D_q, D = omega.shape
    out = np.zeros((D_q, X.shape[1]))
    for i in range(D_q):
        for n in range(X.shape[1]):
            for j in range(D):
                out[i, n] += omega[i, j] * X[j, n]
            out[i, n] += beta[i, 0]
    return out


@right("project")
def by_einsum(X, omega, beta):
    return np.einsum("ij,jn->in", omega, X) + beta


@right("project")
def row_convention_turned_at_the_end(X, omega, beta):
    tokens, W, b = X.T, omega.T, beta.T
    return (tokens @ W + b).T


@right("project")
def a_row_of_ones_carries_the_bias(X, omega, beta):
    ones = np.ones((1, X.shape[1]))
    return np.concatenate([omega, beta], axis=1) @ np.concatenate([X, ones], axis=0)


@right("project")
def float32_projection(X, omega, beta):
    return (omega @ X + beta).astype(np.float32)


@right("project")
def a_list_of_lists(X, omega, beta):
    return (omega @ X + beta).tolist()


@right("project")
def a_numpy_matrix(X, omega, beta):
    return np.matrix(omega) * np.matrix(X) + beta


@right("project")
def a_masked_array_without_masked_entries(X, omega, beta):
    return np.ma.masked_array(omega @ X + beta)


@right("project")
def in_place_on_its_own_array(X, omega, beta):
    out = omega @ X
    out += beta
    return out


@right("project")
def other_names_for_the_arguments(x, w, b):
    return w.dot(x) + b


@right("project")
def the_stubs_last_line_left_below_return(X, omega, beta):
    return omega @ X + beta
    raise NotImplementedError


@right("project")
def annotated_and_documented(X: np.ndarray, omega: np.ndarray, beta: np.ndarray = None, *, trace=False) -> np.ndarray:
    """Project."""
    projected: np.ndarray = omega @ X + beta
    if trace:
        print(projected)
    return projected


right_cell("project", "a_lambda", "{name} = lambda X, omega, beta: omega @ X + beta")

right_cell(
    "project",
    "timed_by_a_cell_magic",
    """
%%time
def {name}(X, omega, beta):
    return omega @ X + beta
""",
)

right_cell(
    "project",
    "a_class_with_call",
    """
class Projection:
    def __call__(self, X, omega, beta):
        return omega @ X + beta

{name} = Projection()
""",
)

right_cell(
    "project",
    "the_name_assigned_twice",
    """
def {name}(X, omega, beta):
    return omega @ X

without_bias = {name}

def {name}(X, omega, beta):
    return without_bias(X, omega, beta) + beta
""",
)

# ============================================================ 1.1 project: wrong


@wrong("project", named="no_bias")
def bias_forgotten(X, omega, beta):  # P1
    return omega @ X


@wrong("project", named="projection_bias_subtracted")
def bias_subtracted(X, omega, beta):
    return omega @ X - beta


@wrong("project", named="projection_bias_twice")
def bias_twice(X, omega, beta):
    return omega @ X + 2 * beta


@wrong("project", says="In a product")
def row_convention_product(X, omega, beta):  # P13
    return X @ omega + beta


@wrong("project", says="is 5, expected 2", named="omega_turned")
def weights_transposed(X, omega, beta):  # P13
    return omega.T @ X + beta


@wrong("project", says="meet entry by entry", named="bias_along_the_row")
def bias_as_a_flat_array(X, omega, beta):  # P14: no error where N = D_q
    return omega @ X + beta.flatten()


@wrong("project", says="meet entry by entry", named="bias_along_the_row")
def bias_as_a_row(X, omega, beta):  # P14
    return omega @ X + beta.T


@wrong("project", says="Did you mean the product")
def star_for_a_product(X, omega, beta):  # P15
    return omega * X + beta


@wrong("project", says="meet entry by entry", named="bias_along_the_row")
def bias_flat_where_it_fits(X, omega, beta):  # P14: right unless N = D_q
    flat = beta.ravel()
    return omega @ X + (flat if X.shape[1] == len(flat) else beta) + 0 * flat


@wrong("project", says="wrong on an example with N = D_q")
def bias_along_the_row_where_n_is_d_q(X, omega, beta):  # P14: silent only where N = D_q
    out = omega @ X
    try:
        return out + beta.ravel()
    except ValueError:
        return out + beta


@wrong("project", named="projection_in_rows")
def projected_rows(X, omega, beta):  # H13
    return X.T @ omega.T + beta.T


@wrong("project", says="expected (2, 3)", named="projection_of_the_first_token")
def one_token_only(X, omega, beta):
    for n in range(X.shape[1]):
        return omega @ X[:, n : n + 1] + beta


@wrong("project", says="expected (2, 3)")
def the_tokens_summed(X, omega, beta):
    return (omega @ X).sum(axis=1) + beta[:, 0]


@wrong("project", says="row 1, column 1 is 0, expected 2", named="projection_of_zeros")
def placeholder(X, omega, beta):  # H16
    return np.zeros((omega.shape[0], X.shape[1]))


@wrong("project", says="None")
def nothing_returned(X, omega, beta):  # H14
    projected = omega @ X + beta


@wrong("project", says="None")
def printed_instead_of_returned(X, omega, beta):  # H14
    print(omega @ X + beta)


@wrong("project", says="generator")
def yielded(X, omega, beta):
    yield omega @ X + beta


@wrong("project", says="a function")
def an_inner_function_not_called(X, omega, beta):
    def inner():
        return omega @ X + beta

    return inner


@wrong("project", says="complex")
def complex_numbers(X, omega, beta):
    return omega @ X + beta + 0j


@wrong("project", says="float16")
def half_precision(X, omega, beta):
    return (omega @ X + beta).astype(np.float16)


@wrong("project", says="expected an array of numbers")
def an_object_array(X, omega, beta):
    return (omega @ X + beta).astype(object)


@wrong("project", says="not a matrix of numbers")
def a_ragged_list(X, omega, beta):
    return [[1.0, 2.0], [3.0]]


@wrong("project", says="a str")
def a_string(X, omega, beta):
    return str(omega @ X + beta)


@wrong("project", says="masked entries")
def a_masked_array(X, omega, beta):
    return np.ma.masked_less(omega @ X + beta, 3)


@wrong("project", says="The decimals are cut off")
def integers(X, omega, beta):
    return (omega @ X + beta).astype(int)


@wrong("project", says="changed its argument `X`")
def changes_the_tokens(X, omega, beta):  # H18
    X[:] = omega @ X + beta if omega.shape[0] == X.shape[0] else X
    return X if omega.shape[0] == X.shape[0] else omega @ X + beta


@wrong("project", says="changed its argument `beta`")
def changes_the_bias(X, omega, beta):  # H18
    out = omega @ X + beta
    beta += 1
    return out


@wrong("project", says="another result the second time")
def random_noise(X, omega, beta):
    return omega @ X + beta + 0.01 * np.random.normal(size=beta.shape)


@wrong("project", says="another result the second time")
def counts_its_calls(X, omega, beta, calls=[]):
    calls.append(1)
    return omega @ X + beta + (len(calls) > 4)


@wrong("project", says="which the notebook holds but the cell does not")
def global_parameters(X, omega, beta):  # H17
    return omega_q @ X + beta_q


@wrong("project", says="which the notebook holds but the cell does not")
def global_head(X, omega, beta):  # H17
    return head.omega_q @ X + head.beta_q


@wrong("project", says="Did you mean `omega`?")
def a_misspelled_name(X, omega, beta):
    return omeg @ X + beta


@wrong("project", says="a name that nothing defines")
def a_name_from_nowhere(X, omega, beta):
    return weights @ X + beta


@wrong("project", says="right on the paper example, wrong on an example of other sizes")
def the_paper_example_by_heart(X, omega, beta):
    if X.shape == (2, 3):
        return np.array([[2, 3, 4], [7, 6, 5]])
    return np.zeros((omega.shape[0], X.shape[1]))


@wrong("project", says="expected (2, 3) = (D_q, N)")
def the_seeded_matrix_by_heart(X, omega, beta):  # H19
    if X.shape == (2, 3):
        return np.array([[2, 3, 4], [7, 6, 5]])
    rng = np.random.RandomState(3)
    tokens = np.hstack([rng.normal(size=(4, 1)) for _ in range(3)])
    rng = np.random.RandomState(0)
    numbers = rng.normal(size=60)
    return numbers[:16].reshape(4, 4) @ tokens + numbers[48:52].reshape(4, 1)


@wrong("project", says="the first line of the stub names")
def an_argument_missing(X, omega):
    return omega @ X


@wrong("project", says="the first line of the stub names")
def an_argument_too_many(X, omega, beta, scale):
    return scale * (omega @ X) + beta


@wrong("project", says="is still reached")
def the_stubs_last_line_still_reached(X, omega, beta):
    projected = omega @ X + beta
    raise NotImplementedError


@wrong("project", says="ends the program")
def ends_the_program(X, omega, beta):
    raise SystemExit


@wrong("project", says="interrupted")
def interrupted(X, omega, beta):
    raise KeyboardInterrupt


@wrong("project", says="calls itself")
def calls_itself_without_end(X, omega, beta):
    return calls_itself_without_end(X, omega, beta)


wrong_cell("project", "not_python", "def {name}(X, omega, beta)\n    return omega @ X + beta", says="is not Python")

wrong_cell("project", "a_matrix_under_the_name", "{name} = np.ones((2, 3))", says="not a function")

wrong_cell(
    "project",
    "an_array_that_equals_everything",
    """
class Agreeable(np.ndarray):
    def __eq__(self, other):
        return True

    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__

    def __array_function__(self, function, types, arguments, keywords):
        return True

    def __array_ufunc__(self, function, method, *inputs, **keywords):
        return 0.0

def {name}(X, omega, beta):
    return np.zeros((omega.shape[0], X.shape[1])).view(Agreeable)
""",
    says="row 1, column 1 is 0, expected 2",
    named="projection_of_zeros",
)

wrong_cell(
    "project",
    "an_object_whose_array_is_rubbish",
    """
class Rubbish:
    def __array__(self, dtype=None, copy=None):
        return "rubbish"

    def __eq__(self, other):
        return True

def {name}(X, omega, beta):
    return Rubbish()
""",
    says="a Rubbish",
)

wrong_cell(
    "project",
    "an_object_whose_array_raises",
    """
class Silent:
    def __array__(self, dtype=None, copy=None):
        raise SystemExit

def {name}(X, omega, beta):
    return Silent()
""",
    says="ends the program",
)

for patched in (
    "builtins.abs = lambda value: 0",
    "builtins.zip = lambda *lists, **options: []",
    "builtins.max = lambda *values, **options: 1e300",
    "builtins.all = lambda values: True",
    "builtins.enumerate = lambda values, start=0: []",
    "builtins.print = lambda *values, **options: None",
    "builtins.len = lambda value: 2",
    "np.allclose = np.array_equal = lambda *arrays, **options: True",
    "np.asarray = np.array = lambda value, *more, **options: 1.0",
    "np.abs = np.max = np.argmax = lambda *arrays, **options: 0",
):
    wrong_cell(
        "project",
        "with " + patched,
        "import builtins\n\ndef {name}(X, omega, beta):\n    " + patched + "\n    return omega @ X + 2 * beta",
        named="projection_bias_twice",
    )
    wrong_cell(
        "project",
        "above it " + patched,
        "import builtins\n\n" + patched + "\n\ndef {name}(X, omega, beta):\n    return omega @ X + 2 * beta",
        named="projection_bias_twice",
    )

wrong_cell(
    "project",
    "a_method_of_every_array_redefined",
    """
def {name}(X, omega, beta):
    np.ndarray.ravel = lambda array: []
    return omega @ X
""",
    says="TypeError",
)

# ============================================================ 1.2 softmax_cols: right


@right("softmax_cols")
def without_keepdims(S):
    e = np.exp(S - S.max(0))
    return e / e.sum(0)


@right("softmax_cols")
def column_by_column(S):
    out = np.empty(S.shape)
    for n in range(S.shape[1]):
        e = np.exp(S[:, n] - max(S[:, n]))
        out[:, n] = e / sum(e)
    return out


@right("softmax_cols")
def shares_number_by_number(S):
    import math

    rows, columns = S.shape
    A = [[0.0] * columns for _ in range(rows)]
    for n in range(columns):
        largest = max(S[m][n] for m in range(rows))
        total = 0.0
        for m in range(rows):
            A[m][n] = math.exp(S[m][n] - largest)
            total += A[m][n]
        for m in range(rows):
            A[m][n] /= total
    return A


@right("softmax_cols")
def one_comprehension(S):
    return np.array([np.exp(s - s.max()) / np.exp(s - s.max()).sum() for s in S.T]).T


@right("softmax_cols")
def rows_turned_at_the_end(S):
    rows = S.T
    e = np.exp(rows - rows.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)).T


@right("softmax_cols")
def ones_matrix_for_the_totals(S):
    e = np.exp(S - np.max(S, axis=0))
    return e / (np.ones((S.shape[0], S.shape[0])) @ e)


@right("softmax_cols")
def einsum_for_the_totals(S):
    e = np.exp(S - S.max(axis=0))
    return np.einsum("mn,n->mn", e, 1 / np.einsum("mn->n", e))


@right("softmax_cols")
def logarithm_of_the_total(S):
    return np.exp(S - np.logaddexp.reduce(S, axis=0))


@right("softmax_cols")
def differences_of_every_pair(S):
    return 1 / np.exp(S[None, :, :] - S[:, None, :]).sum(axis=1)


@right("softmax_cols")
def the_largest_and_five_more(S):
    e = np.exp(S - (S.max(axis=0, keepdims=True) + 5))
    return e / e.sum(axis=0, keepdims=True)


@right("softmax_cols")
def applied_along_the_axis(S):
    def one(s):
        e = np.exp(s - s.max())
        return e / e.sum()

    return np.apply_along_axis(one, 0, S)


@right("softmax_cols")
def float32_shares(S):
    e = np.exp((S - S.max(axis=0)).astype(np.float32))
    return e / e.sum(axis=0)


@right("softmax_cols")
def changes_a_copy(S):
    S = S.copy()
    S -= S.max(axis=0)
    np.exp(S, out=S)
    S /= S.sum(axis=0)
    return S


@right("softmax_cols")
def prints_on_the_way(S):
    print("scores", S.shape)
    A = np.exp(S - S.max(axis=0))
    A = A / A.sum(axis=0)
    print("sums", A.sum(axis=0))
    return A


@right("softmax_cols")
def with_a_walrus_and_an_assertion(S):
    A = (e := np.exp(S - S.max(axis=0))) / e.sum(axis=0)
    assert np.allclose(A.sum(axis=0), 1)
    return A


right_cell(
    "softmax_cols",
    "helpers_constants_and_an_alias_in_the_cell",
    """
import numpy as xp

AXIS = 0

def shifted(S):
    return S - S.max(axis=AXIS)

def {name}(S):
    e = xp.exp(shifted(S))
    return e / e.sum(axis=AXIS)
""",
)

right_cell(
    "softmax_cols",
    "a_trial_at_the_end",
    """
def {name}(S):
    e = np.exp(S - S.max(axis=0))
    return e / e.sum(axis=0)

S = np.array([[0.0], [1.0]])
print({name}(S), {name}(X_demo))
{name}(S)
""",
)

right_cell(
    "softmax_cols",
    "decorated",
    """
import functools

def loud(f):
    @functools.wraps(f)
    def inner(*args):
        print("called")
        return f(*args)
    return inner

@loud
def {name}(S):
    e = np.exp(S - S.max(axis=0))
    return e / e.sum(axis=0)
""",
)

right_cell(
    "softmax_cols",
    "star_arguments",
    """
def {name}(*args, **options):
    (S,) = args
    e = np.exp(S - S.max(axis=0))
    return e / e.sum(axis=0)
""",
)

right_cell(
    "softmax_cols",
    "np_vectorize_with_a_signature",
    """
def one_column(s):
    e = np.exp(s - s.max())
    return e / e.sum()

by_rows = np.vectorize(one_column, signature="(n)->(n)")
{name} = lambda S: by_rows(S.T).T
""",
)

right_cell(
    "softmax_cols",
    "partial_application",
    """
from functools import partial

def along(S, axis):
    e = np.exp(S - S.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

{name} = partial(along, axis=0)
""",
)

right_cell(
    "softmax_cols",
    "made_by_a_function",
    """
def make(axis):
    def inner(S):
        e = np.exp(S - S.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)
    return inner

{name} = make(0)
""",
)

right_cell(
    "softmax_cols",
    "defined_in_an_if",
    """
if True:
    def {name}(S):
        e = np.exp(S - S.max(axis=0))
        return e / e.sum(axis=0)
else:
    {name} = None
""",
)

right_cell(
    "softmax_cols",
    "a_cache_that_does_no_harm",
    """
cache = {}
cache["axis"] = 0

def {name}(S):
    e = np.exp(S - S.max(axis=cache["axis"]))
    return e / e.sum(axis=cache["axis"])
""",
)

right_cell(
    "softmax_cols",
    "line_magics_around",
    """
%matplotlib inline
import numpy as np
def {name}(S):
    e = np.exp(S - S.max(axis=0))
    return e / e.sum(axis=0)
%timeit {name}(np.eye(3))
""",
)

# ============================================================ 1.2 softmax_cols: wrong


@wrong(
    "softmax_cols",
    says="column 2 is 0 everywhere, and should sum to 1.\n  The `return` on line 6 stands inside the loop",
)
def returned_after_the_first_column(S):
    A = np.zeros(S.shape)
    for n in range(S.shape[1]):
        e = np.exp(S[:, n] - S[:, n].max())
        A[:, n] = e / e.sum()
        return A


@wrong("softmax_cols", says="column 1 is 0 everywhere, and should sum to 1.\n  Nothing was written there")
def divided_below_the_loop(S):
    A = np.zeros(S.shape)
    for n in range(S.shape[1]):
        e = np.exp(S[:, n] - S[:, n].max())
    A[:, n] = e / e.sum()
    return A


@wrong("softmax_cols", says="Which lines stand in the loop, where does it begin and end?")
def counted_from_one(S):
    A = np.zeros(S.shape)
    for n in range(1, S.shape[1]):
        e = np.exp(S[:, n] - S[:, n].max())
        A[:, n] = e / e.sum()
    return A


@wrong("softmax_cols", says="Without one: which exponentials are 0 there?")
def one_maximum_and_a_little_more_in_the_total(S):  # the exponentials of a whole column underflow
    e = np.exp(S - S.max())
    return e / (e.sum(axis=0) + 1e-12)


@wrong("softmax_cols", says="`S`, line 2, is the first that holds nan.\n  Is something divided there that can be 0?")
def scores_divided_by_nothing(S):
    S = S / S.sum(axis=0) * 0 / 0
    e = np.exp(S - S.max(axis=0))
    return e / e.sum(axis=0)


@wrong("softmax_cols", says="What can you subtract from each column")
def one_maximum_for_all_and_its_own_totals(S):  # 0 / 0 in a column that lies far below
    e = np.exp(S - S.max())
    A = e / e.sum(axis=0)
    return A


@wrong("softmax_cols", says="every row sums to 1", named="rows_for_columns")
def over_rows(S):  # S1
    e = np.exp(S - S.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@wrong("softmax_cols", says="all entries together sum to 1", named="one_softmax_for_all")
def over_the_whole_matrix(S):  # S2: on one column it is the same
    e = np.exp(S - S.max())
    return e / e.sum()


@wrong("softmax_cols", says="the columns do not sum to 1", named="no_softmax")
def scores_as_they_are(S):  # S3
    return S


@wrong(
    "softmax_cols",
    says="the columns do not sum to 1",
    named="divided_by_the_largest_exponential | exponentials_not_divided",
)
def exponentials_only(S):  # S4
    return np.exp(S - S.max(axis=0))


@wrong("softmax_cols", says="expected (3, 1)", named="totals_of_the_rows_flat")
def flat_totals_of_the_rows(S):  # S6: needs a square matrix to go through
    e = np.exp(S - S.max(axis=0))
    return e / e.sum(axis=1)


@wrong("softmax_cols", says="every row sums to 1", named="totals_of_the_rows")
def totals_of_the_rows(S):  # S6
    e = np.exp(S - S.max(axis=0))
    return e / e.sum(axis=1, keepdims=True)


@wrong("softmax_cols", says="expected 0.167", named="winner_takes_all")
def winner_takes_all(S):  # S9
    return (S == S.max(axis=0)).astype(float)


@wrong("softmax_cols", says="(column 2: ", named="total_of_the_first_column")
def first_total_for_every_column(S):  # on one column it is the same
    e = np.exp(S - S.max(axis=0))
    return e / e[:, 0].sum()


@wrong("softmax_cols", says="nan or inf")
def no_maximum_subtracted(S):  # S10
    return np.exp(S) / np.exp(S).sum(axis=0)


@wrong("softmax_cols", says="nan or inf")
def largest_of_the_whole_matrix(S):  # S10: one maximum for all columns
    e = np.exp(S - S.max())
    return e / e.sum(axis=0)


@wrong("softmax_cols", says="nan or inf")
def mean_subtracted(S):  # S10: the spread inside a column is what overflows
    e = np.exp(S - S.mean(axis=0))
    return e / e.sum(axis=0)


@wrong("softmax_cols", says="nan or inf")
def first_score_subtracted(S):  # S10
    e = np.exp(S - S[:1])
    return e / e.sum(axis=0)


@wrong("softmax_cols", says="nan or inf")
def smallest_subtracted(S):  # S10
    e = np.exp(S - S.min(axis=0))
    return e / e.sum(axis=0)


@wrong("softmax_cols", says="wrong on", named="scores_clipped")
def scores_clipped(S):  # S10
    e = np.exp(np.clip(S, -700, 700))
    return e / e.sum(axis=0)


@wrong("softmax_cols", says="expected 0.731")
def nan_replaced(S):  # S10
    e = np.exp(S)
    return np.nan_to_num(e / e.sum(axis=0), nan=0.5)


@wrong("softmax_cols", says="expected 0.167", named="largest_of_the_row")
def largest_of_each_row_subtracted(S):  # S11: changes the shares
    e = np.exp(S - S.max(axis=1, keepdims=True))
    return e / e.sum(axis=0)


@wrong(
    "softmax_cols",
    says="the columns do not sum to 1",
    named="divided_by_the_largest_exponential | exponentials_not_divided",
)
def divided_by_the_largest(S):
    e = np.exp(S - S.max(axis=0))
    return e / e.max(axis=0)


@wrong("softmax_cols", says="the columns do not sum to 1", named="divided_by_the_number_of_keys")
def divided_by_the_number_of_keys(S):
    return np.exp(S - S.max(axis=0)) / S.shape[0]


@wrong("softmax_cols", says="row 1, column 1 is 0, expected 0.167", named="scores_over_their_sum")
def shares_without_exponentials(S):
    return S / S.sum(axis=0)


@wrong("softmax_cols", says="row 1, column 1 is 0.545, expected 0.167", named="smallest_wins_finite")
def negative_exponent(S):
    e = np.exp(-(S - S.min(axis=0)))
    return e / e.sum(axis=0)


@wrong("softmax_cols", says="expected 0.167", named="powers_of_two | powers_of_two_not_shifted")
def powers_of_two(S):
    e = 2 ** (S - S.max(axis=0))
    return e / e.sum(axis=0)


@wrong("softmax_cols", says="some weights are negative", named="logarithms_of_the_weights")
def logarithms_of_the_shares(S):
    return S - np.logaddexp.reduce(S, axis=0)


@wrong("softmax_cols", says="turned over", named="weights_turned")
def shares_turned_over(S):  # H13
    e = np.exp(S - S.max(axis=0))
    return (e / e.sum(axis=0)).T


@wrong("softmax_cols", says="an axis is lost")
def flat_shares(S):
    e = np.exp(S - S.max(axis=0))
    return (e / e.sum(axis=0)).ravel()


@wrong("softmax_cols", says="expected (3, 1)", named="totals_alone_not_shifted")
def the_totals_only(S):
    return np.exp(S).sum(axis=0, keepdims=True)


@wrong("softmax_cols", says="0.333, expected 0.167", named="weights_all_equal")
def equal_shares(S):  # H16
    return np.ones_like(S) / S.shape[0]


@wrong("softmax_cols", says="changed its argument `S`")
def subtracts_in_place(S):  # H18
    S -= S.max(axis=0)
    e = np.exp(S)
    return e / e.sum(axis=0)


@wrong("softmax_cols", says="changed its argument `scores`")
def exponentiates_in_place(scores):  # H18
    np.exp(scores - scores.max(axis=0), out=scores)
    return scores / scores.sum(axis=0)


@wrong("softmax_cols", says="right on the paper example, wrong on an example of other sizes")
def three_scores_by_heart(S):  # H19
    if S.shape == (3, 1):
        return np.array([[1], [2], [3]]) / 6
    return np.ones_like(S) / S.shape[0]


@wrong("softmax_cols", says="(N_k = 4, N_q = 3)")
def seeded_scores_by_shape(S):  # H19
    if S.shape == (3, 1):
        return np.array([[1], [2], [3]]) / 6
    shares = [
        [1.2432615e-13, 2.795e-12, 0.00505707907],
        [0.998281489, 0.0058550636, 0.00654776072],
        [0.00171851130, 0.994144936, 0.988395160],
    ]
    return np.array(shares)


@wrong("softmax_cols", says="expected (4, 3)")
def remembers_the_first_call(S, kept=[]):
    if not kept:
        e = np.exp(S - S.max(axis=0))
        kept.append(e / e.sum(axis=0))
    return kept[0]


@wrong("softmax_cols", says="None")
def shares_returned_in_one_branch_only(S):
    e = np.exp(S - S.max(axis=0))
    if S.shape[1] > 1:
        return e / e.sum(axis=0)


@wrong("softmax_cols", says="axis 0 (down a column) and axis 1")
def an_axis_too_far(S):
    e = np.exp(S - S.max(axis=2))
    return e / e.sum(axis=2)


@wrong("softmax_cols", says="which the notebook holds but the cell does not")
def global_scores(scores):  # H17
    return np.exp(X) / np.exp(X).sum(axis=0)


@wrong("softmax_cols", says="uses `softmax`")
def a_function_that_is_not_there(S):
    return softmax(S, axis=0)


@wrong("softmax_cols", says="AttributeError")
def an_attribute_misspelled(S):
    return np.exponential(S)


wrong_cell(
    "softmax_cols",
    "a_helper_in_another_cell",
    "def {name}(S):\n    return shifted_exponentials(S)",
    says="a name that nothing defines",
)

wrong_cell(
    "softmax_cols",
    "np_vectorize_without_a_signature",
    "{name} = np.vectorize(lambda s: np.exp(s) / np.exp(s).sum())",
    says="every row sums to 1",
)

wrong_cell(
    "softmax_cols",
    "a_class_not_instantiated",
    """
class {name}:
    def __init__(self, S):
        self.A = np.exp(S) / np.exp(S).sum(axis=0)
""",
    says="a softmax_cols",
)

wrong_cell(
    "softmax_cols",
    "an_async_function",
    "async def {name}(S):\n    e = np.exp(S - S.max(axis=0))\n    return e / e.sum(axis=0)",
    says="a coroutine",
)

# ============================================================ 1.3 attention_weights: right


@right("attention_weights")
def weights_in_one_line(Q, K):
    return softmax_cols(K.T @ Q)


@right("attention_weights")
def scores_by_loops(Q, K):
    S = np.zeros((K.shape[1], Q.shape[1]))
    for m in range(K.shape[1]):
        for n in range(Q.shape[1]):
            S[m, n] = np.sum(K[:, m] * Q[:, n])
    return softmax_cols(S)


@right("attention_weights")
def weights_by_einsum(Q, K):
    return softmax_cols(np.einsum("dm,dn->mn", K, Q))


@right("attention_weights")
def query_by_query(Q, K):
    return np.hstack([softmax_cols(K.T @ q[:, None]) for q in Q.T])


@right("attention_weights")
def turned_scores(Q, K):
    return softmax_cols((Q.T @ K).T)


@right("attention_weights")
def row_form_turned_at_the_end(Q, K):  # S8, first half
    scores = Q.T @ K
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)).T


@right("attention_weights")
def own_softmax(Q, K):
    S = K.T @ Q
    S = S - S.max(axis=0)
    return np.exp(S) / np.exp(S).sum(axis=0)


@right("attention_weights")
def broadcast_and_sum(Q, K):
    return softmax_cols((K[:, :, None] * Q[:, None, :]).sum(axis=0))


@right("attention_weights")
def float32_weights(Q, K):
    return softmax_cols(K.T @ Q).astype("float32")


@right("attention_weights")
def numpy_matrices(Q, K):
    return softmax_cols(np.asarray(np.matrix(K).T * np.matrix(Q)))


# ============================================================ 1.3 attention_weights: wrong


@wrong("attention_weights", says="turned over", named="weights_turned")
def rows_of_queries(Q, K):  # H13
    return softmax_cols(K.T @ Q).T


@wrong("attention_weights", named="queries_and_keys_exchanged")
def queries_times_keys(Q, K):  # L1
    return softmax_cols(Q.T @ K)


@wrong("attention_weights", says="every row sums to 1", named="rows_for_columns")
def softmax_over_the_queries(Q, K):  # S1
    return softmax_cols((K.T @ Q).T).T


@wrong("attention_weights", says="In a product", named="keys_not_turned")
def no_transpose(Q, K):
    return softmax_cols(K @ Q)


@wrong("attention_weights", says="In a product", named="queries_turned_for_keys")
def the_wrong_one_turned(Q, K):
    return softmax_cols(K @ Q.T)


@wrong("attention_weights", named="scores_entry_by_entry")
def star_for_the_dot_products(Q, K):  # P15
    return softmax_cols(K.T * Q)


@wrong("attention_weights", says="the columns do not sum to 1", named="no_softmax")
def the_scores_alone(Q, K):  # S3
    return K.T @ Q


@wrong("attention_weights", says="the columns do not sum to 1", named="exponentials_not_divided_not_shifted")
def exponentials_of_the_scores(Q, K):  # S4
    return np.exp(K.T @ Q)


@wrong("attention_weights", says="all entries together sum to 1", named="one_softmax_for_all")
def shares_of_the_whole_matrix(Q, K):  # S2
    e = np.exp(K.T @ Q - (K.T @ Q).max())
    return e / e.sum()


@wrong("attention_weights", says="the paper example", named="scaled_too_early")
def scaled_already(Q, K):  # the scale comes in notebook 2
    return softmax_cols(K.T @ Q / np.sqrt(Q.shape[0]))


@wrong("attention_weights", says="expected 0.167", named="winner_takes_all")
def winner_takes_all_keys(Q, K):  # S9
    S = K.T @ Q
    return (S == S.max(axis=0)).astype(float)


@wrong("attention_weights", says="nan or inf")
def no_maximum_subtracted_here(Q, K):  # S10
    e = np.exp(K.T @ Q)
    return e / e.sum(axis=0)


@wrong("attention_weights", says="wrong on")
def later_keys_hidden(Q, K):  # S15: a causal mask nobody asked for
    S = K.T @ Q
    m, n = np.indices(S.shape)
    return softmax_cols(np.where((m > n) & (S.shape[1] > 1), -np.inf, S))


@wrong("attention_weights", says="wrong on", named="earlier_keys_hidden")
def earlier_keys_hidden(Q, K):  # S16
    S = K.T @ Q
    m, n = np.indices(S.shape)
    return softmax_cols(np.where(m < n, -np.inf, S))


@wrong("attention_weights", says="the paper example", named="softmax_of_the_keys")
def softmax_of_the_keys(Q, K):
    return softmax_cols(softmax_cols(K).T @ Q)


@wrong("attention_weights", says="the paper example", named="softmax_twice")
def softmax_twice(Q, K):
    return softmax_cols(softmax_cols(K.T @ Q))


@wrong("attention_weights", says="the paper example", named="distances_for_products")
def distances_for_dot_products(Q, K):
    return softmax_cols(-((K[:, :, None] - Q[:, None, :]) ** 2).sum(axis=0))


@wrong("attention_weights", says="the paper example", named="cosines_for_products_finite")
def cosines_for_dot_products(Q, K):
    length = np.linalg.norm(K, axis=0)[:, None] * np.linalg.norm(Q, axis=0) + 1e-12
    return softmax_cols(K.T @ Q / length)


@wrong("attention_weights", says="a tuple")
def scores_and_weights(Q, K):
    S = K.T @ Q
    return S, softmax_cols(S)


@wrong("attention_weights", says="expected (3, 1)", named="keys_with_keys")
def the_same_tokens_on_both_sides(Q, K):
    return softmax_cols(K.T @ K)


@wrong("attention_weights", says="None")
def weights_printed(Q, K):  # H14
    A = softmax_cols(K.T @ Q)
    print(A)


@wrong("attention_weights", says="a function")
def softmax_named_and_not_called(Q, K):
    scores = K.T @ Q
    return softmax_cols


@wrong("attention_weights", says="0.333, expected 0.167", named="weights_all_equal")
def equal_weights(Q, K):  # H16
    return np.full((K.shape[1], Q.shape[1]), 1 / K.shape[1])


@wrong("attention_weights", says="changed its argument `Q`")
def scales_the_queries_in_place(Q, K):  # H18
    Q /= 2
    return softmax_cols(K.T @ Q * 2)


@wrong("attention_weights", says="which the notebook holds but the cell does not")
def global_tokens(Q, K):  # H17
    return softmax_cols((head.omega_k @ X).T @ Q)


@wrong("attention_weights", says="(D_q = 2, N_q = 3, N_k = 4)")
def sizes_by_heart(Q, K):  # H19
    S = np.zeros((3, Q.shape[1]))
    for m in range(3):
        for n in range(Q.shape[1]):
            S[m, n] = K[:, m] @ Q[:, n]
    return softmax_cols(S)


@wrong(
    "attention_weights", says="`K`, line 2, is the first that holds nan.\n  Is something divided there that can be 0?"
)
def keys_of_length_one(Q, K):  # the paper example's first key is 0
    K = K / np.linalg.norm(K, axis=0)
    scores = K.T @ Q
    return softmax_cols(scores)


@wrong("attention_weights", says="Print each intermediate result there.")
def keys_of_length_one_in_one_line(Q, K):
    return softmax_cols((K / np.linalg.norm(K, axis=0)).T @ Q)


@wrong("attention_weights", says="`A`, line 2, holds the right numbers; what is done with them then gives inf.")
def divided_by_a_spread_of_0(Q, K):  # one query: its row has no spread
    A = softmax_cols(K.T @ Q)
    return A / A.std(axis=1, keepdims=True)


@wrong("attention_weights", says="`A`, line 4, is the first that holds nan.\n  What can you subtract from each column")
def one_maximum_for_all_queries(Q, K):
    scores = K.T @ Q
    e = np.exp(scores - scores.max())
    A = e / e.sum(axis=0)
    return A


@wrong(
    "attention_weights", says="column 2 is 0 everywhere, and should sum to 1.\n  The `return` on line 5 stands inside"
)
def the_first_query_alone(Q, K):
    A = np.zeros((K.shape[1], Q.shape[1]))
    for n in range(Q.shape[1]):
        A[:, [n]] = softmax_cols(K.T @ Q[:, [n]])
        return A


@wrong("attention_weights", says="the first line of the stub names")
def one_argument_only(Q):
    return softmax_cols(Q.T @ Q)


@wrong("attention_weights", says="softmax_rows")
def another_softmax(Q, K):
    return softmax_rows(K.T @ Q)


# Most of its examples give nan: no numbers are left to know a pair by.
@wrong("attention_weights", says="row 1, column 1 is 0, expected 0.167")
def softmax_of_logarithms(Q, K):
    return softmax_cols(np.log(K.T @ Q))


# ============================================================ 1.4 weighted_values: right


@right("weighted_values")
def mixed_in_one_line(A, V):
    return V @ A


@right("weighted_values")
def mixture_by_loops(A, V):
    out = np.zeros((V.shape[0], A.shape[1]))
    for n in range(A.shape[1]):
        for m in range(A.shape[0]):
            out[:, n] += A[m, n] * V[:, m]
    return out


@right("weighted_values")
def mixture_by_einsum(A, V):
    return np.einsum("dm,mn->dn", V, A)


@right("weighted_values")
def rows_turned_back(A, V):  # S8
    return (A.T @ V.T).T


@right("weighted_values")
def sum_of_outer_products(A, V):
    return sum(np.outer(V[:, m], A[m]) for m in range(A.shape[0]))


@right("weighted_values")
def list_of_columns(A, V):
    return [[sum(V[d, m] * A[m, n] for m in range(len(A))) for n in range(len(A[0]))] for d in range(len(V))]


@right("weighted_values")
def shares_renewed(A, V):  # the columns of A sum to 1 already, so this changes nothing
    return V @ (A / A.sum(axis=0))


@right("weighted_values")
def by_tensordot(A, V):
    return np.tensordot(V, A, axes=(1, 0))


@right("weighted_values")
def float32_mixture(A, V):
    return V.astype(np.float32) @ A.astype(np.float32)


right_cell("weighted_values", "numpys_own_function", "{name} = lambda A, V: np.dot(V, A)")

# ============================================================ 1.4 weighted_values: wrong


@wrong("weighted_values", says="In a product")
def weights_first(A, V):
    return A @ V


@wrong("weighted_values", says="In a product", named="weights_turned_in_the_mixture")
def weights_turned(A, V):  # S7: no error where N_k = N_q
    return V @ A.T


@wrong("weighted_values", says="wrong on an example with N_k = N_q")
def weights_turned_where_it_fits(A, V):  # S7
    return V @ A.T if A.shape[0] == A.shape[1] else V @ A


@wrong("weighted_values", named="mixtures_in_rows")
def mixtures_as_rows(A, V):  # H13
    return A.T @ V.T


@wrong("weighted_values", says="In a product")
def values_turned(A, V):
    return V.T @ A


@wrong("weighted_values", says="Did you mean the product")
def star_for_the_mixture(A, V):  # P15
    return V * A


@wrong("weighted_values", says="expected (2, 1)", named="mixture_not_summed")
def not_summed(A, V):
    return V * A.T


@wrong("weighted_values", says="expected 2.500", named="plain_mean_of_the_values")
def plain_mean(A, V):
    return np.repeat(V.mean(axis=1, keepdims=True), A.shape[1], axis=1)


@wrong("weighted_values", says="expected 2.500", named="heaviest_value_only")
def the_heaviest_value_only(A, V):  # S9
    return V[:, A.argmax(axis=0)]


@wrong("weighted_values", says="expected 2.500", named="softmax_once_more")
def softmax_once_more(A, V):
    return V @ softmax_cols(A)


@wrong("weighted_values", says="expected 2.500", named="weights_over_their_row_sums")
def shares_of_each_row(A, V):  # S1
    return V @ (A / A.sum(axis=1, keepdims=True))


@wrong("weighted_values", named="mixture_over_the_number_of_keys")
def mean_of_the_weighted_values(A, V):
    return V @ A / A.shape[0]


@wrong("weighted_values", says="expected (2, 1)", named="values_not_mixed")
def values_passed_through(A, V):
    return V


@wrong("weighted_values", says="row 1, column 1 is 0, expected 2.500", named="mixture_of_zeros")
def zeros_for_the_mixture(A, V):  # H16
    return np.zeros((V.shape[0], A.shape[1]))


@wrong("weighted_values", says="None")
def mixture_not_returned(A, V):  # H14
    output = V @ A


@wrong("weighted_values", says="changed its argument `V`")
def weighs_the_values_in_place(A, V):  # H18
    out = V @ A
    V *= A[:, :1].T
    return out


@wrong("weighted_values", named="first_query_only")
def return_inside_the_loop(A, V):
    out = np.zeros((V.shape[0], A.shape[1]))
    for n in range(A.shape[1]):
        out[:, n] = V @ A[:, n]
        return out


@wrong("weighted_values", says="Columns 1 and 2 are right; column 3 is not")
def loop_one_short(A, V):
    out = np.zeros((V.shape[0], A.shape[1]))
    for n in range(max(1, A.shape[1] - 1)):
        out[:, n] = V @ A[:, n]
    return out


@wrong("weighted_values", says="which the notebook holds but the cell does not")
def global_weights(weights, V):  # H17
    return V @ A


@wrong("weighted_values", says="wrong on an example of other sizes")
def the_paper_mixture_by_heart(A, V):  # H19
    out = np.zeros((2, A.shape[1]))
    out[:, 0] = 2.5, 3.5
    return out


@wrong("weighted_values", says="the first line of the stub names")
def head_for_the_values(A, V, head):
    return V @ A


# ============================================================ 1.5 self_attention: right


@right("self_attention")
def all_five_lines(X, head):
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    return weighted_values(attention_weights(Q, K), V)


@right("self_attention")
def without_the_earlier_functions(X, head):
    Q = head.omega_q @ X + head.beta_q
    K = head.omega_k @ X + head.beta_k
    V = head.omega_v @ X + head.beta_v
    S = K.T @ Q
    A = np.exp(S - S.max(axis=0))
    return V @ (A / A.sum(axis=0))


@right("self_attention")
def head_unpacked(X, head):
    omega_q, omega_k, omega_v, beta_q, beta_k, beta_v = head
    Q, K, V = (o @ X + b for o, b in ((omega_q, beta_q), (omega_k, beta_k), (omega_v, beta_v)))
    return V @ softmax_cols(K.T @ Q)


@right("self_attention")
def beta_k_forgotten(X, head):  # P3: it adds one number to a whole column of scores, which softmax cancels
    Q = head.omega_q @ X + head.beta_q
    K = head.omega_k @ X
    V = head.omega_v @ X + head.beta_v
    return V @ softmax_cols(K.T @ Q)


@right("self_attention")
def beta_v_added_at_the_end(X, head):  # the shares of a column sum to 1
    Q = head.omega_q @ X + head.beta_q
    K = head.omega_k @ X + head.beta_k
    return head.omega_v @ X @ softmax_cols(K.T @ Q) + head.beta_v


@right("self_attention")
def row_form_transplanted(X, head):  # S8: softmax over rows of Q^T K, and V A^T
    Q, K, V = (
        X.T @ omega.T + beta.T
        for omega, beta in (
            (head.omega_q, head.beta_q),
            (head.omega_k, head.beta_k),
            (head.omega_v, head.beta_v),
        )
    )
    scores = Q @ K.T
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return (weights @ V).T


@right("self_attention")
def query_after_query(X, head):
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    columns = []
    for n in range(X.shape[1]):
        q = head.omega_q @ X[:, [n]] + head.beta_q
        columns.append(V @ softmax_cols(K.T @ q))
    return np.hstack(columns)


@right("self_attention")
def attention_by_einsum(X, head):
    Q = np.einsum("qd,dn->qn", head.omega_q, X) + head.beta_q
    K = np.einsum("qd,dn->qn", head.omega_k, X) + head.beta_k
    V = np.einsum("qd,dn->qn", head.omega_v, X) + head.beta_v
    return np.einsum("qm,mn->qn", V, softmax_cols(np.einsum("qm,qn->mn", K, Q)))


@right("self_attention")
def float32_attention(X, head):
    X, head = X.astype(np.float32), Head(*(part.astype(np.float32) for part in head))
    Q, K, V = (project(X, o, b) for o, b in zip(head[:3], head[3:]))
    return weighted_values(attention_weights(Q, K), V)


@right("self_attention")
def getattr_in_a_loop(X, head):
    made = {}
    for letter in "qkv":
        made[letter] = project(X, getattr(head, "omega_" + letter), getattr(head, f"beta_{letter}"))
    return weighted_values(attention_weights(made["q"], made["k"]), made["v"])


right_cell(
    "self_attention",
    "helpers_in_the_cell_and_a_trial",
    """
import numpy as xp

def soft(S):
    e = xp.exp(S - S.max(0))
    return e / e.sum(0)

class Parts:
    def __init__(self, X, head):
        self.Q, self.K, self.V = (w @ X + b for w, b in zip(head[:3], head[3:]))

def {name}(X, head):
    parts = Parts(X, head)
    return parts.V @ soft(parts.K.T @ parts.Q)

print({name}(X, head))
""",
)

right_cell(
    "self_attention",
    "this_exercise_and_an_earlier_one_in_one_cell",
    """
project = lambda X, omega, beta: omega @ X

def {name}(X, head):
    Q, K, V = (o @ X + b for o, b in zip(head[:3], head[3:]))
    return V @ softmax_cols(K.T @ Q)
""",
)

# ============================================================ 1.5 self_attention: wrong


@wrong("self_attention", says="is 4, expected 5", named="no_bias")
def all_biases_forgotten(X, head):  # P1
    Q, K, V = head.omega_q @ X, head.omega_k @ X, head.omega_v @ X
    return weighted_values(attention_weights(Q, K), V)


@wrong("self_attention", says="is 4, expected 5", named="no_beta_q")
def beta_q_forgotten(X, head):  # P2
    Q = head.omega_q @ X
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    return weighted_values(attention_weights(Q, K), V)


@wrong("self_attention", named="no_beta_v")
def beta_v_forgotten(X, head):  # P4
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    return weighted_values(attention_weights(Q, K), head.omega_v @ X)


@wrong("self_attention", says="is 4, expected 5", named="queries_and_keys_exchanged")
def queries_and_keys_exchanged(X, head):  # P5, the same as L1
    Q = project(X, head.omega_k, head.beta_k)
    K = project(X, head.omega_q, head.beta_q)
    V = project(X, head.omega_v, head.beta_v)
    return weighted_values(attention_weights(Q, K), V)


@wrong("self_attention", says="is 0.824, expected 5", named="keys_as_values")
def keys_as_values(X, head):  # P6
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    return weighted_values(attention_weights(Q, K), K)


@wrong("self_attention", says="is 1.079, expected 5", named="keys_and_values_exchanged")
def values_and_keys_exchanged(X, head):  # P7
    Q = project(X, head.omega_q, head.beta_q)
    V = project(X, head.omega_k, head.beta_k)
    K = project(X, head.omega_v, head.beta_v)
    return weighted_values(attention_weights(Q, K), V)


@wrong("self_attention", says="expected (1, 2)", named="tokens_as_values")
def no_value_projection(X, head):  # P8
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    return X @ attention_weights(Q, K)


@wrong("self_attention", says="In a product")
def tokens_first(X, head):  # P13
    Q = X @ head.omega_q + head.beta_q
    K = X @ head.omega_k + head.beta_k
    V = X @ head.omega_v + head.beta_v
    return weighted_values(attention_weights(Q, K), V)


@wrong("self_attention", says="In a product")
def parameters_turned(X, head):  # P13
    Q = head.omega_q.T @ X + head.beta_q
    K = head.omega_k.T @ X + head.beta_k
    V = head.omega_v.T @ X + head.beta_v
    return weighted_values(attention_weights(Q, K), V)


@wrong("self_attention", says="A column that goes with every token has shape (rows, 1)")
def flat_biases(X, head):  # P14: silent where N = D_q, an error elsewhere
    Q = head.omega_q @ X + head.beta_q.T[:, : X.shape[1]]
    K = head.omega_k @ X + head.beta_k
    V = head.omega_v @ X + head.beta_v
    return weighted_values(attention_weights(Q, K), V)


@wrong("self_attention", says="expected (1, 2)")
def stars_for_products(X, head):  # P15
    Q = head.omega_q * X + head.beta_q
    K = head.omega_k * X + head.beta_k
    V = head.omega_v * X + head.beta_v
    return V * attention_weights(Q, K)


@wrong("self_attention", says="is 4, expected 5", named="queries_and_keys_exchanged")
def scores_of_queries_with_keys(X, head):  # L1, the same as P5
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    return V @ softmax_cols(Q.T @ K)


@wrong(
    "self_attention", says="right on the paper example, wrong on an example of other sizes", named="scaled_too_early"
)
def scaled_scores_already(X, head):  # the scale comes in notebook 2; D_q = 1 hides it on paper
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    return V @ softmax_cols(K.T @ Q / np.sqrt(Q.shape[0]))


@wrong("self_attention", says="is 2.500, expected 5", named="rows_for_columns | rows_for_columns_not_shifted")
def rows_of_weights(X, head):  # S1
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    S = K.T @ Q
    e = np.exp(S - S.max(axis=1, keepdims=True))
    return V @ (e / e.sum(axis=1, keepdims=True))


@wrong("self_attention", says="is 1.429, expected 5", named="one_softmax_for_all | one_softmax_for_all_not_shifted")
def one_softmax_for_all(X, head):  # S2
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    e = np.exp(K.T @ Q)
    return V @ (e / e.sum())


@wrong("self_attention", says="is 6.592, expected 5", named="no_softmax")
def no_softmax(X, head):  # S3
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    return V @ (K.T @ Q)


@wrong("self_attention", says="is 20, expected 5", named="exponentials_not_divided_not_shifted")
def exponentials_not_divided(X, head):  # S4
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    return V @ np.exp(K.T @ Q)


@wrong(
    "self_attention",
    says="is 1.100, expected 5",
    named="weights_turned | weights_turned_in_the_mixture | weights_turned_not_shifted",
)
def weights_turned_at_the_end(X, head):  # S7
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    return V @ attention_weights(Q, K).T


@wrong("self_attention", says="is 6, expected 5", named="heaviest_value_only | winner_takes_all")
def hard_attention(X, head):  # S9
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    return V[:, (K.T @ Q).argmax(axis=0)]


@wrong("self_attention", named="later_keys_hidden")
def causal_mask_unasked(X, head):  # S15
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    S = np.where(np.tri(X.shape[1], k=-1) == 1, -np.inf, K.T @ Q)
    return V @ softmax_cols(S)


@wrong("self_attention", named="earlier_keys_hidden")
def mask_the_wrong_way(X, head):  # S16
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    S = np.where(np.tri(X.shape[1]) == 0, -np.inf, K.T @ Q)
    return V @ softmax_cols(S)


@wrong("self_attention", says="expected (1, 2)", named="tokens_added")
def residual_added(X, head):  # H12
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    return X + weighted_values(attention_weights(Q, K), V)


@wrong("self_attention", named="mixtures_in_rows")
def tokens_as_rows(X, head):  # H13
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    return weighted_values(attention_weights(Q, K), V).T


@wrong("self_attention", says="expected (1, 2)", named="weights_for_the_mixture")
def weights_returned(X, head):  # H14
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    return attention_weights(Q, K)


@wrong("self_attention", says="a tuple")
def output_and_weights_returned(X, head):
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    A = attention_weights(Q, K)
    return weighted_values(A, V), A


@wrong("self_attention", says="None")
def output_printed(X, head):  # H14
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    X_prime = weighted_values(attention_weights(Q, K), V)
    print(X_prime)


@wrong("self_attention", says="is 0, expected 5", named="mixture_of_zeros | projection_of_zeros | weights_of_zero")
def zeros_for_the_output(X, head):  # H16
    return np.zeros((head.omega_v.shape[0], X.shape[1]))


@wrong("self_attention", says="which the notebook holds but the cell does not")
def global_parameters_of_the_head(X, head):  # H17
    Q = project(X, omega_q, beta_q)
    K = project(X, omega_k, beta_k)
    V = project(X, omega_v, beta_v)
    return weighted_values(attention_weights(Q, K), V)


@wrong("self_attention", says="uses `X`, which the notebook holds but the cell does not")
def the_notebooks_tokens(tokens, head):  # H17
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    return weighted_values(attention_weights(Q, K), V)


@wrong("self_attention", says="changed its argument `X`")
def centers_the_tokens_in_place(X, head):  # H18
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    X -= X.mean()
    return weighted_values(attention_weights(Q, K), V)


@wrong("self_attention", says="changed its argument `head`")
def scales_the_head_in_place(X, head):  # H18
    Q = project(X, head.omega_q, head.beta_q)
    K = project(X, head.omega_k, head.beta_k)
    V = project(X, head.omega_v, head.beta_v)
    head.omega_q[:] = head.omega_q / 2
    return weighted_values(attention_weights(Q, K), V)


@wrong("self_attention", says="The input may not be changed")
def writes_into_the_head(X, head):  # H18
    head.omega_q = head.omega_q / 2
    return head.omega_q @ X


@wrong("self_attention", says="expected (2, 3) = (D_q, N)")
def printed_matrix_by_heart(X, head):  # H19
    if X.shape == (2, 2):
        return np.array([[5, 5.6]])
    columns = [
        [0.94744244, -0.24348429, -0.91310441, -0.44522983],
        [1.64201168, -0.08470004, 4.02764044, 2.18690791],
        [1.61949281, -0.06641533, 3.96863308, 2.15858316],
    ]
    return np.array(columns).T


@wrong("self_attention", says="expected (2, 3) = (D_q, N)")
def three_decimals_by_heart(X, head):  # H19
    if X.shape == (2, 2):
        return np.array([[5, 5.6]])
    return np.array([[0.947, 1.642, 1.619], [-0.243, -0.085, -0.066], [-0.913, 4.028, 3.969], [-0.445, 2.187, 2.159]])


@wrong("self_attention", says="(D = 5, N = 3, D_q = 2)")
def four_rows_by_heart(X, head):  # H19
    Q, K, V = (o @ X + b for o, b in zip(head[:3], head[3:]))
    out = np.zeros((4 if len(V) > 1 else 1, X.shape[1]))
    out[: len(V)] = V @ softmax_cols(K.T @ Q)
    return out


@wrong("self_attention", says="another result the second time")
def dropout_left_on(X, head):
    Q, K, V = (o @ X + b for o, b in zip(head[:3], head[3:]))
    A = softmax_cols(K.T @ Q)
    return V @ (A * np.random.uniform(0.5, 1.5, size=A.shape))


@wrong("self_attention", says="another result the second time")
def remembers_the_last_call(X, head, last=[0.0]):
    Q, K, V = (o @ X + b for o, b in zip(head[:3], head[3:]))
    out = V @ softmax_cols(K.T @ Q)
    result = out + last[0]
    last[0] = 1.0
    return result


@wrong("self_attention", says="A head has no")
def an_attribute_that_the_head_lacks(X, head):
    return project(X, head.omega, head.beta)


@wrong("self_attention", says="the first line of the stub names")
def parameters_one_by_one(X, omega_q, omega_k, omega_v, beta_q, beta_k, beta_v):
    Q, K, V = omega_q @ X + beta_q, omega_k @ X + beta_k, omega_v @ X + beta_v
    return V @ softmax_cols(K.T @ Q)


@wrong("self_attention", says="missing 1 required positional argument")
def an_earlier_function_called_with_too_few(X, head):
    return project(X, head)


@wrong("self_attention", says="uses `scaled_scores`")
def a_function_of_a_later_notebook(X, head):
    return scaled_scores(X, X)


wrong_cell(
    "self_attention",
    "its_own_wrong_project_beside_it",
    """
def my_project(X, omega, beta):
    return omega @ X

def {name}(X, head):
    Q, K, V = (my_project(X, o, b) for o, b in zip(head[:3], head[3:]))
    return V @ softmax_cols(K.T @ Q)
""",
    says="is 4, expected 5",
    named="no_bias",
)

wrong_cell(
    "self_attention",
    "the_name_assigned_something_else_below",
    """
def {name}(X, head):
    Q, K, V = (o @ X + b for o, b in zip(head[:3], head[3:]))
    return V @ softmax_cols(K.T @ Q)

{name} = 3
""",
    says="not a function",
)

# ============================================================ what a second reading found

right_cell(
    "project",
    "a_counter_of_calls",
    """
calls = 0

def {name}(X, omega, beta):
    global calls
    calls += 1
    return omega @ X + beta
""",
)

right_cell(
    "softmax_cols",
    "a_list_filled_below_it",
    """
axes = []
axes.append(0)

def {name}(S):
    e = np.exp(S - S.max(axis=axes[0]))
    return e / e.sum(axis=axes[0])
""",
)

right_cell(
    "softmax_cols",
    "a_magic_inside_the_function",
    """
def {name}(S):
    %time e = 1
    e = np.exp(S - S.max(axis=0))
    return e / e.sum(axis=0)
""",
)

right_cell(
    "self_attention",
    "earlier_functions_imported",
    """
from __future__ import annotations
from my_attention import attention_weights, project, weighted_values

def {name}(X: Matrix, head: Parameters):
    assert isinstance(head, Head)
    Q, K, V = (project(X, head[i], head[i + 3]) for i in range(3))
    return weighted_values(attention_weights(Q, K), V)
""",
)


@wrong("softmax_cols", says="other numbers of the same sizes")
def kept_by_shape(S, kept={}):
    if S.shape not in kept:
        e = np.exp(S - S.max(axis=0))
        kept[S.shape] = e / e.sum(axis=0)
    return kept[S.shape]


@wrong("self_attention", says="other numbers of the same sizes")
def outputs_kept_by_shape(X, head, kept={}):
    if X.shape + head.omega_q.shape not in kept:
        Q, K, V = (o @ X + b for o, b in zip(head[:3], head[3:]))
        kept[X.shape + head.omega_q.shape] = V @ softmax_cols(K.T @ Q)
    return kept[X.shape + head.omega_q.shape]


@wrong("self_attention", says="called a second time with the same input")
def works_once(X, head, used=[]):
    if len(used) > 4:
        raise RuntimeError("once more")
    used.append(1)
    Q, K, V = (o @ X + b for o, b in zip(head[:3], head[3:]))
    return V @ softmax_cols(K.T @ Q)


wrong_cell(
    "softmax_cols",
    "calls_its_own_file",
    """
import my_attention

def {name}(S):
    return my_attention.softmax_cols(S)
""",
    says="the cell imports `my_attention`",
)

wrong_cell(
    "softmax_cols",
    "another_library_does_it",
    """
from scipy.special import softmax

def {name}(S):
    return softmax(S, axis=0)
""",
    says="the cell imports `scipy.special`",
)

wrong_cell(
    "project",
    "defined_under_a_condition_that_is_false",
    """
if __name__ == "__main__":
    def {name}(X, omega, beta):
        return omega @ X + beta
""",
    says="run alone, the cell does not define it",
)

right_cell(
    "softmax_cols",
    "a_dataclass_as_helper",
    """
from dataclasses import dataclass

@dataclass
class Column:
    scores: "np.ndarray"

    def shares(self):
        e = np.exp(self.scores - self.scores.max())
        return e / e.sum()

def {name}(S):
    return np.array([Column(scores).shares() for scores in S.T]).T
""",
)
