"""What the commonest errors of matrix code mean: a table, from what Python and numpy say to two lines."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from helpers.learn.shape_words import short
from helpers.learn.words import listed
from helpers.parameters import Head, Layer


@dataclass(frozen=True)
class Cause:
    """One row of the table: what it recognizes, and its lines.

    A line may hold `{name}`, a group of the patterns, and `{meant}`, the nearest name as a question.
    """

    lines: tuple[str, ...]
    message: str = ""  # a pattern that the error's message holds
    kind: str = ""  # a pattern that the error's type is
    code: str = ""  # a pattern that the line of the cell holds
    without: str = ""  # a pattern that the line does not hold


def cause_of(kind: str, message: str, code: str, near: str, causes: Collection[Cause]) -> list[str]:
    """Return the lines of the first row that fits an error; empty if none does.

    Parameters
    ----------
    kind, message : str
        The error's type and what it says.
    code : str
        The line of the cell that raised it; empty where it is none of the cell's.
    near : str
        The nearest name that exists, where one was misspelled.
    causes : collection of Cause
        The rows, in order.
    """
    for row in causes:
        said, typed = re.search(row.message, message), re.search(row.code, code)
        if said is None or typed is None or (row.kind and not re.fullmatch(row.kind, kind)):
            continue
        if row.without and re.search(row.without, code):
            continue
        more = {"meant": f" Did you mean `{near}`?" if near else "", "says": short(message, 120)}
        return [line.format(**said.groupdict(), **typed.groupdict(), **more) for line in row.lines]
    return []


_PARTS = "|".join({**dict.fromkeys(Head._fields), **dict.fromkeys(Layer._fields)})
_DO_NOT_FIT = "matmul|not aligned"
_ENTRYWISE = "could not be broadcast|broadcast together"

# What says more than the shapes of the operands.
CLOSER = (
    Cause(
        ("The parameters of a head expect all D rows of X.", "What is a slice of X taken for?"),
        message=_DO_NOT_FIT,
        code=r"\bX\[(?!:\s*,).*\bhead",
    ),
)

# The commonest errors of matrix code: the first row that fits speaks.
CAUSES = (
    # --- shapes, where the operands are not known
    Cause(
        (
            "The arguments of the function that is called there do not fit together.",
            "Do they stand in the order that its first line names, and have the shapes its docstring names?",
        ),
        message=_DO_NOT_FIT,
        without="@|dot|matmul|einsum",
    ),
    Cause(
        (
            "In a product `a @ b` the columns of a ({columns}) must be as many as the rows of b ({rows}).",
            "Write both shapes beside the line. Which factor needs `.T`, or should they change places?",
        ),
        message=r"matmul.*\(size (?P<rows>\d+) is different from (?P<columns>\d+)\)",
    ),
    Cause(
        (
            "In a product `a @ b` the columns of a ({columns}) must be as many as the rows of b ({rows}).",
            "Write both shapes beside the line. Which factor needs `.T`, or should they change places?",
        ),
        message=r"not aligned: (?P<columns>\d+) \(dim \d+\) != (?P<rows>\d+) \(dim \d+\)",
    ),
    *(
        Cause(
            (
                "`np.max` takes one array, and an axis.",
                "`np.maximum` compares two arrays, or an array and a number, entry by entry.",
            ),
            message=message,
            kind=kind,
            code=r"np\.(max|min)\(",
        )
        for message, kind in (("scalar", ""), ("", "AxisError|TypeError"))
    ),
    Cause(
        (
            "The array on the right has another shape than the place on the left.",
            "Print both shapes. Is a size written as a number, where it should be taken from an argument?",
        ),
        message="could not broadcast input array",
    ),
    Cause(
        (
            "Two arrays meet entry by entry, and their shapes do not fit.",
            "A column that goes with every token has shape (rows, 1). Print both shapes before that line.",
        ),
        message=_ENTRYWISE,
    ),
    Cause(
        (
            "Arrays of different shapes do not stack into one.",
            "Is one of them a pair, output and weights, where one of them is meant? Else keep them apart, in a list.",
        ),
        message="must have the same shape|inhomogeneous",
    ),
    Cause(
        (
            "What is written into a place of an array has more axes than the place.",
            "Print both shapes. Which of the two has an axis too many?",
        ),
        message="setting an array element with a sequence",
    ),
    Cause(
        (
            "Arrays that are joined along one axis must have the same size along the other.",
            "axis=0 puts one below the other, axis=1 side by side. Which one do the shapes allow?",
        ),
        message="must match exactly",
    ),
    # --- names: of parts, of arguments
    *(
        Cause(
            (f"A {what.__name__.lower()} has no `{{name}}`.", f"It holds {listed(what._fields)}."),
            kind="AttributeError",
            message=rf"'{what.__name__}' object has no attribute '(?P<name>\w+)'",
        )
        for what in (Head, Layer)
    ),
    Cause(
        ("A list has no `{name}`; its items have.", "Take one of them, or hand over the whole list."),
        kind="AttributeError",
        message=rf"'(list|tuple)' object has no attribute '(?P<name>{_PARTS})'",
    ),
    Cause(
        (
            "A {kind} has no `{name}`; an array has.",
            "Which function makes one array of it? Or is one item of it meant?",
        ),
        kind="AttributeError",
        message=r"'(?P<kind>list|tuple)' object has no attribute '(?P<name>T|shape|ndim|dot|sum|mean|max|min|reshape)'",
    ),
    Cause(
        (
            "An array has no `{name}`; a head or a layer has.",
            "Was one head handed over where a list of heads is wanted, or are two arguments exchanged?",
        ),
        kind="AttributeError",
        message=rf"'numpy.ndarray' object has no attribute '(?P<name>{_PARTS})'",
    ),
    Cause(
        (
            "A single number has no `{name}`; an array has.",
            "Which line makes one number, or which argument may be one?",
        ),
        kind="AttributeError",
        message=r"'(float|int)' object has no attribute '(?P<name>T|shape|ndim|dot|sum|mean|max|min|reshape)'",
    ),
    Cause(
        ("A function stands there that is not called.", "Call it with its argument, as in `f(X)`."),
        kind="AttributeError",
        message="'(function|method|builtin_function_or_method)' object has no attribute",
    ),
    Cause(
        ("There is nothing named `{name}`.{meant}",),
        kind="AttributeError",
        message=r"has no attribute '(?P<name>\w+)'",
    ),
    Cause(
        ("The function called there has no argument `{name}`.", "Is it misspelled?{meant}"),
        message=r"unexpected keyword argument '(?P<name>\w+)'",
    ),
    # --- Python's functions and numpy's
    Cause(
        (
            "`max`, `min`, `if` and `and` of Python want one number, and got an array.",
            "`np.max` finds the largest number along an axis; `np.maximum` compares two arrays entry by entry.",
        ),
        message="truth value of an array",
    ),
    Cause(
        ("The functions of `math` take one number.", "Those of numpy take an array: `np.{name}`."),
        message="converted to Python scalar|must be real number",
        code=r"math\.(?P<name>\w+)",
    ),
    Cause(
        ("The functions of `math` take one number.", "Those of numpy take an array: `np.exp`."),
        message="converted to Python scalar|must be real number",
    ),
    Cause(
        ("A method is named there but not called.", "Does it need parentheses, as in `S.max(axis=0)`?"),
        kind="TypeError",
        message="method",
    ),
    Cause(
        ("That line makes an array too large for the memory.", "Which of its numbers are needed? Make only those."),
        kind="MemoryError",
    ),
    Cause(
        (
            "Round brackets call a function, and got an array. Square brackets take entries of an array.",
            "Is a function wanted as an argument? Hand it over uncalled; `lambda X: ...` makes one on the spot.",
        ),
        message="ndarray' object is not callable",
    ),
    Cause(
        ("Square brackets take entries of an array, and got a function.", "Round brackets call it: `f(X)`."),
        message="'function' object is not subscriptable",
    ),
    Cause(("`^` is no power in Python.", "A power is written `**`."), message=r"bitwise_xor|for \^"),
    Cause(
        ("The shape of a new array is one argument, a pair.", "It has brackets of its own: `np.zeros((3, 4))`."),
        message="as a data type",
    ),
    Cause(
        ("The arrays to be joined are one argument, a list.", "The axis is the other."),
        kind="TypeError",
        code=r"concatenate\(",
    ),
    # --- lists, None, single numbers where an array is wanted
    Cause(
        ("A function stands there that is not called.", "Call it with its argument, as in `f(X)`."),
        message="unsupported operand.*'function'",
    ),
    Cause(
        (
            "One of the two is None: a function without a `return` line gives that, and so does `print`.",
            "Which of the two was made by a line that hands nothing back?",
        ),
        kind="TypeError",
        message="unsupported operand.*'NoneType'",
    ),
    Cause(
        (
            "A list stands there, or a tuple, where an array is wanted: `+` and `*` join and repeat lists.",
            "Which function makes one array of it? Or is one item of it meant?",
        ),
        kind="TypeError",
        message=r"unsupported operand.*'(list|tuple)'|can only concatenate (list|tuple)|can't multiply sequence",
    ),
    Cause(
        ("A single number stands there, and the line takes a part of it.", "That argument may be one number too."),
        message="'(float|int)' object is not subscriptable",
    ),
    # --- indices and axes
    Cause(
        ("An index, a size and a range are whole numbers.", "`/` makes numbers with decimals; `//` does not."),
        message="__index__|as an integer|only integers, slices",
    ),
    Cause(
        ("An array stands where one whole number is wanted: an axis, an index or a size.", "Which one is meant?"),
        message="only integer scalar arrays",
    ),
    Cause(
        ("An index is larger than the list.", "How many items does it hold? Code counts from 0."),
        kind="IndexError",
        message="list index",
    ),
    Cause(
        ("The array has fewer axes than the line asks for.", "Print its shape before that line."),
        message="too many indices",
    ),
    Cause(
        (
            "Index {index} is asked for; along axis {axis} there are {size}, counted from 0.",
            "Are row and column exchanged, or does a loop or a sum run too far?",
        ),
        message=r"index (?P<index>-?\d+) is out of bounds for axis (?P<axis>\d+) with size (?P<size>\d+)",
    ),
    Cause(
        ("An index is larger than the matrix.", "Are row and column exchanged, or does a loop run too far?"),
        kind="IndexError",
    ),
    Cause(
        ("A matrix has axis 0 (down a column) and axis 1 (along a row).", "Which of the two did you mean?"),
        kind="AxisError",
    ),
    Cause(
        ("A matrix has axis 0 (down a column) and axis 1 (along a row).", "Which of the two did you mean?"),
        message="axis.*out of bounds",
    ),
    # --- Python
    Cause(
        ("The input may not be changed.", "Make a new array instead of writing into the argument."),
        message="read-only|can't set attribute",
    ),
    Cause(
        ("That line uses a name before any line has given it a value.", "Which line should stand above it?"),
        kind="UnboundLocalError",
    ),
    Cause(
        (
            "The check calls it with the arguments that the first line of the stub names.",
            "Put that line back as it was.",
        ),
        kind="TypeError",
        message="positional argument|keyword argument",
        code="^$",  # the call itself
    ),
    Cause(
        ("It says: {says}", "The first line of the function that is called there names its arguments, in their order."),
        kind="TypeError",
        message="positional argument|keyword argument",
    ),
    Cause(
        ("The function calls itself without end.", "Which function did you mean to call?"),
        kind="RecursionError",
    ),
)
