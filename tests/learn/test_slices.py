import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.course import course
from helpers.learn.slices import answer_slice, argument_names, choose, defines, is_stub, plain_source

NAME = "softmax_cols"
ANSWER = f"def {NAME}(S):\n    return shares(S) * factor"
HELPERS = ["import numpy as np", "factor = 1.0", "def shares(S):\n    e = np.exp(S)\n    return e / e.sum(axis=0)"]
TRIALS = [
    "print('trial')",
    f"print({NAME}(trial))",
    "trial = np.eye(3)",
    f"{NAME}(trial)",
    "assert True",
    "def unused(S):\n    print(S)",
]


@given(st.permutations([ANSWER, *HELPERS, *TRIALS]))
def test_a_slice_holds_what_the_function_needs_and_no_trial(statements):
    """In whatever order a cell is written, its slice is the function, its helpers and imports, in the cell's order."""
    part = answer_slice("\n\n".join(statements), NAME)

    assert part.text.split("\n\n") == [one for one in statements if one in (ANSWER, *HELPERS)]


@given(st.permutations([ANSWER, *HELPERS, *TRIALS]))
def test_a_slice_keeps_the_cells_line_numbers(statements):
    """An error in a slice is told by the line of the cell."""
    cell = "\n\n".join(statements)
    part = answer_slice(cell, NAME)

    first_lines = [cell.splitlines()[statement.lineno - 1] for statement in part.tree.body]

    assert first_lines == [one.splitlines()[0] for one in statements if one in (ANSWER, *HELPERS)]


@pytest.mark.parametrize(
    "changed",
    [
        "table = {}\ntable['k'] = 1",
        "table = make()\ntable.k = 1",
        "table = []\nfor k in range(3):\n    table[k:] = [k]",
    ],
)
def test_what_changes_a_helper_belongs_to_the_slice(changed):
    """A statement that writes into something the function uses is needed too."""
    cell = f"def make():\n    return lambda: 0\n\n{changed}\n\ndef {NAME}(S):\n    return table"

    assert changed.split("\n", 1)[1] in answer_slice(cell, NAME).text


def test_a_patch_of_numpy_is_nobodys_answer():
    """A line that changes what the cell did not make is left out, so that my_attention.py never patches numpy."""
    part = answer_slice(f"import numpy as np\nnp.exp = abs\ndef {NAME}(S):\n    return np.exp(S)", NAME)

    assert part.text.splitlines() == ["import numpy as np", "", f"def {NAME}(S):", "    return np.exp(S)"]


def test_a_trial_named_like_an_argument_is_no_part_of_the_answer():
    """What a function calls its argument, or makes itself, it does not take from the cell."""
    part = answer_slice(f"S = 1\nA = 2\ndef {NAME}(S):\n    A = [a for a in S]\n    return A", NAME)

    assert part.text.startswith(f"def {NAME}(S):")


def test_other_exercises_in_the_cell_are_left_out():
    """A cell that also defines an earlier exercise does not put that into this one's slice."""
    cell = f"project = lambda X: X\n\n{NAME} = lambda S: project(S)"

    assert answer_slice(cell, NAME, course().exercises).text == f"{NAME} = lambda S: project(S)"
    assert answer_slice(cell, "project", course().exercises).text == "project = lambda X: X"


def test_a_comment_above_and_inside_the_function_stays():
    """What a student wrote inside the function, comments and decorators included, is kept as it was typed."""
    cell = f"def twice(f):\n    return f\n\n@twice\n@twice\ndef {NAME}(S):\n    # mine\n    return S  # (N_k, N_q)"

    assert answer_slice(cell, NAME).text == cell


def test_a_cell_that_does_not_bind_the_name_has_no_slice():
    """A mention, a call or a name inside a function is no definition."""
    cell = f"print({NAME})\ndef outer():\n    {NAME} = 3\n[{NAME} for {NAME} in ()]"

    assert answer_slice(cell, NAME) is None
    assert not defines(cell, NAME)


@pytest.mark.parametrize(
    "binding",
    [
        "{name} = 1",
        "x, {name} = 1, 2",
        "({name} := 1)",
        "for {name} in (): pass",
        "class {name}: pass",
        "with open('x') as {name}: pass",
        "if x:\n    {name} = 1",
    ],
)
def test_every_way_to_bind_a_name_defines_it(binding):
    """Assignments, loops, classes and branches all bind a name."""
    assert defines(binding.format(name=NAME), NAME)


@pytest.mark.parametrize("line", ["import math as {name}", "from my_attention import {name}", "from x import {name}"])
def test_what_is_imported_is_not_defined(line):
    """An import binds a name, and is not its definition; nor is one inside a branch."""
    assert not defines(line.format(name=NAME), NAME)
    assert not defines(f"if x:\n    {line.format(name=NAME)}", NAME)
    assert defines(f"{line.format(name=NAME)}\n{NAME} = 1", NAME)


def test_magics_and_shell_lines_keep_the_line_numbers():
    """Magics, shell lines and requests for help, at any indentation, make way; the rest stays on its line."""
    cell = f"%%time\nfiles = !ls\n!ls\nnp.exp?\ndef {NAME}(S):\n    %time S\n    return S % 2  # why?"
    rest = [f"def {NAME}(S):", "    pass", "    return S % 2  # why?"]

    assert plain_source(cell).splitlines() == ["", "files = None", "pass", "", *rest]


def test_what_is_python_stays_as_it_is():
    """A line of a string or of a broken expression may begin with a percent sign."""
    cell = f'def {NAME}(S):\n    text = """\n%s""" % S\n    return (S\n% 8)'

    assert plain_source(cell) == cell


@pytest.mark.parametrize(
    ("body", "stub"),
    [
        ("raise NotImplementedError", True),
        ("raise NotImplementedError()", True),
        ("raise NotImplementedError('later')", True),
        ('"""Return."""\n    # TODO 1: ...\n    raise NotImplementedError', True),
        ("S = 1\n    raise NotImplementedError", False),
        ("return S\n    raise NotImplementedError", False),
        ("raise ValueError", False),
        ("return None", False),
        ('"""Only a docstring."""', False),
    ],
)
def test_a_stub_is_a_docstring_and_the_raise(body, stub):
    """A function is untouched only if nothing but a docstring and the raise stand in it."""
    assert is_stub(answer_slice(f"def {NAME}(S):\n    {body}", NAME)) is stub


def test_the_cell_with_the_exercises_id_is_chosen():
    """Our cell counts unless it is the stub; then the last that defines the name; else our stub."""
    stub, mine = f"def {NAME}(S):\n    raise NotImplementedError", f"def {NAME}(S):\n    return S"

    assert choose([(NAME, mine), ("b", mine)], NAME) == 0
    assert choose([(NAME, stub), ("b", mine), ("c", mine), ("d", "x = 1")], NAME) == 2
    assert choose([(NAME, stub), ("b", "x = 1")], NAME) == 0
    assert choose([(NAME, mine), (NAME, mine + "  # later")], NAME) == 1
    assert choose([(NAME, f"def {NAME}(S)\n"), ("b", mine)], NAME) == 0, "a broken answer is still the answer"
    assert choose([("a", "x = 1")], NAME) is None


def test_an_import_of_what_passed_is_no_answer():
    """An import from my_attention is chosen in our cell only; one from elsewhere anywhere, to be refused."""
    taken, foreign = f"from my_attention import project, {NAME}", f"from scipy.special import softmax as {NAME}"
    stub, mine = f"def {NAME}(S):\n    raise NotImplementedError", f"def {NAME}(S):\n    return S"

    assert choose([("imports", taken)], NAME) is None
    assert choose([("scratch", mine), ("imports", taken)], NAME) == 0
    assert choose([("scratch", f"try:\n    {taken}\nexcept ImportError:\n    pass")], NAME) is None
    assert choose([(NAME, stub), ("imports", taken)], NAME) == 0
    assert choose([(NAME, taken), ("b", "x = 1")], NAME) == 0
    assert choose([(NAME, stub), ("scratch", foreign)], NAME) == 1
    assert choose([("", f"{taken}\n{mine}")], NAME) == 0


def test_arguments_are_called_what_the_student_calls_them():
    """Messages speak of the student's own argument names."""
    assert argument_names(answer_slice(f"def {NAME}(scores, /, more=1): pass", NAME)) == ("scores", "more")
    assert argument_names(answer_slice(f"{NAME} = lambda s, t: s", NAME)) == ("s", "t")
    assert argument_names(answer_slice(f"{NAME} = max", NAME)) == ()
