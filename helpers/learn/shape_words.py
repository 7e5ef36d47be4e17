"""A shape error in words: both operands with their shapes, what each axis is, and a question that fits."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from helpers.learn.operands import Operands, Shape, inner_sizes

Known: TypeAlias = tuple[str, tuple[int, ...]]  # an operand's text and its shape

WIDTH = 150  # of a line; a name of more than SHORT characters is cut
SHORT = 28
_NO_AXIS = ("base",)  # sizes of an example that no axis has
_ENTRYWISE = re.compile(r"(\+|-|\*|/|//|%|\*\*|==|!=|<|<=|>|>=|&|\|)=?|np\.\w+")
_HALVES = re.compile(r"::2|/ *2")
_JOINS = ("np.concatenate", "np.hstack", "np.vstack", "np.column_stack")


def shape_lines(operator: str, operands: Operands, message: str, code: str, sizes: Mapping[str, int]) -> list[str]:
    """Return two lines on operands that do not fit: what they are, and a question or one thing to do.

    Parameters
    ----------
    operator, operands
        What raised, as `operands_of` tells it.
    message : str
        What numpy says.
    code : str
        The line of the cell.
    sizes : mapping of str to int
        The example's symbols and their sizes. An axis is named where its size belongs to one symbol only.

    Returns
    -------
    list of str
        Empty where it is no error of shapes, or the operands are not known.
    """
    known = [(name, shape) for name, shape in operands if shape is not None]
    if not known:
        return []
    if _HALVES.search(code):
        sizes = {}  # half of one size may be another
    if operator.endswith("()"):
        return _call_lines(operator, known, message, sizes)
    if len(known) > 1 and operator in _JOINS and "same number of dimensions" in message:
        then = ". Arrays that are joined have the same number of axes."
        return [_are(_that_differ(known, len), sizes, then), "A flat array has one axis; a column, (rows, 1), has two."]
    if len(known) > 1 and operator in _JOINS and "must match exactly" in message:
        return _join_lines(operator, known, sizes)
    if len(known) > 1 and ("must have the same shape" in message or "inhomogeneous" in message):
        return _stack_lines(known, sizes)
    if operator.startswith("np.einsum "):
        return _einsum_lines(operator.removeprefix("np.einsum "), operands, sizes)
    if len(operands) != 2:
        return []
    if operator in ("@", "@="):
        return _product_lines(operands, message, sizes)
    if len(known) < 2:
        return []
    if operator == "=" and "could not broadcast input array" in message:
        return _place_lines(known, code, sizes)
    if "non-broadcastable output" in message and operator.endswith("="):
        return _in_place_lines(operator, known, sizes)
    if "could not be broadcast" in message and _ENTRYWISE.fullmatch(operator):
        return _entrywise_lines(operator, known, sizes)
    return []


def named_axes(shape: tuple[int, ...], sizes: Mapping[str, int]) -> str:
    """Return a shape with the symbols of its axes: "(D, N) = (5, 3)"; numbers only where no size tells its symbol."""
    if not shape:
        return "a single number"
    names = _symbols(shape, sizes)
    if names == [str(size) for size in shape]:
        return str(shape)
    return f"({', '.join(names)}{',' if len(names) == 1 else ''}) = {shape}"


def count_named(operands: Operands, sizes: Mapping[str, int]) -> int:
    """Return how many axes of the operands `named_axes` names."""
    return sum(not name.isdigit() for _, shape in operands if shape for name in _symbols(shape, sizes))


def _symbols(shape: tuple[int, ...], sizes: Mapping[str, int]) -> list[str]:
    """Return the symbol of each axis, or its size where no one symbol has it."""
    known = {symbol: value for symbol, value in sizes.items() if symbol not in _NO_AXIS}
    if "H" in known and "D_q" in known:
        known["H D_q"] = known["H"] * known["D_q"]
    if len(shape) < 3:
        known.pop("H", None)  # a matrix has no axis of heads
    names = []
    for size in shape:
        fitting = [symbol for symbol, value in known.items() if value == size != 1]  # any axis may be 1
        names.append(fitting[0] if len(fitting) == 1 else str(size))
    # Of two axes of one size, one may be of that size by chance.
    return names if len(set(shape)) == len(shape) else [str(size) for size in shape]


def _are(operands: Sequence[Known], sizes: Mapping[str, int], then: str) -> str:
    """Return "`a` is (D, N) = (5, 3), `b` is (2, 3)" and what follows, with as many symbols as the line holds."""
    for symbols in (sizes, {}):
        line = ", ".join(f"`{short(name, SHORT)}` is {named_axes(shape, symbols)}" for name, shape in operands) + then
        if len(line) <= WIDTH:
            return line
    return ", ".join(f"`{short(name, SHORT // 2)}` is {shape}" for name, shape in operands) + then


def short(text: str, limit: int = 40) -> str:
    """Return a text that is cut where it is long."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _product_lines(operands: Operands, message: str, sizes: Mapping[str, int]) -> list[str]:
    (left, first), (right, second) = operands
    if "enough dimensions" in message:
        return [
            f"`{short(left if first == () else right, SHORT)}` is a single number, and `@` wants two matrices.",
            "A number multiplies every entry with `*`.",
        ]
    inner = inner_sizes(message)
    if inner is None and "remapped" in message and first and second:
        then = ". A product of more than two axes takes matrix after matrix, and the other axes do not fit."
        return [
            _are([(left, first), (right, second)], sizes, then),
            "Which of the two has an axis more than you expect?",
        ]
    if inner is None:
        return []
    of_first = f"the {_lines_of(first, 'columns')} of {{}} ({inner[0]}) must be as many as"
    of_second = f"the {_lines_of(second, 'rows')} of {{}} ({inner[1]})."
    if first is None or second is None:
        names = f"`{short(left, SHORT)}`", f"`{short(right, SHORT)}`"
        return [
            f"In a product {of_first.format(names[0])} {of_second.format(names[1])}",
            "Write both shapes beside the line. Which factor needs `.T`, or should they change places?",
        ]
    rule = f". In a product {of_first.format('the first')} {of_second.format('the second')}"
    return [_are([(left, first), (right, second)], sizes, rule), _what_would_fit(left, first, right, second)]


def _lines_of(shape: Shape, what: str) -> str:
    return "entries" if shape is not None and len(shape) == 1 else what


def _what_would_fit(left: str, first: tuple[int, ...], right: str, second: tuple[int, ...]) -> str:
    """Return a question on two factors that do not fit, by what would make them fit."""
    for name, shape in ((left, first), (right, second)):
        if len(shape) == 1:
            return f"`{short(name, SHORT)}` is flat: an axis is lost, or was never there. Which shape should it have?"
    if len(first) != 2 or len(second) != 2:
        return "Which of the two has an axis more than you expect?"
    one_turned = first[0] == second[0] or first[1] == second[1]
    exchanged = second[1] == first[0]
    if one_turned and exchanged:
        return "Which factor needs `.T`, or should they change places?"
    if one_turned:
        return "Changing places would not help. Does one of the two need turning over, or is another matrix meant?"
    if exchanged:
        return "Turning one of them over is not enough. In the equation, which stands first, and which is turned over?"
    return "Neither `.T` nor another order makes these two fit. Which one is not what you expect?"


def _entrywise_lines(operator: str, operands: Sequence[Known], sizes: Mapping[str, int]) -> list[str]:
    (left, first), (right, second) = operands
    matrices = len(first) == len(second) == 2
    if operator == "*" and matrices:
        then = ": `*` multiplies entry by entry, and the shapes do not fit."
        return [_are(operands, sizes, then), "Did you mean the product, `@`?"]
    line = _are(operands, sizes, ". Two arrays meet entry by entry: from the right, sizes must be equal or 1.")
    column = "A column that goes with every token has shape (rows, 1)."
    if {len(first), len(second)} == {1, 2}:
        flat = left if len(first) == 1 else right
        return [line, f"`{short(flat, SHORT)}` is flat: it lines up with the columns. {column}"]
    if matrices and 1 in (first[0], second[0]):
        row = left if first[0] == 1 else right
        return [line, f"`{short(row, SHORT)}` is a row: it lines up with the columns. {column}"]
    if first == second[::-1]:
        return [line, "Each has the other's shape, turned over. Which one is turned that should not be?"]
    return [line, f"{column} Which of the two shapes surprises you?"]


def _in_place_lines(operator: str, operands: Sequence[Known], sizes: Mapping[str, int]) -> list[str]:
    then = f": `{operator}` writes into the first, whose shape stays as it is."
    return [_are(operands, sizes, then), "Which shape should the result have? Begin with an array of that shape."]


def _place_lines(operands: Sequence[Known], code: str, sizes: Mapping[str, int]) -> list[str]:
    (_, place), (_, value) = operands
    line = f"The place {_are(operands, sizes, ': what is written there has another shape.')}"
    if len(place) == 1 and value == (*place, 1):
        return [line, "`X[:, n]` is flat, (D,); `X[:, n : n + 1]` is a column, (D, 1)."]
    if "::2" in code:
        return [line, "Of an odd number of rows, every second one from row 0 is one more than from row 1."]
    return [line, "Is a size written as a number, where it should be taken from an argument?"]


def _join_lines(operator: str, operands: Sequence[Known], sizes: Mapping[str, int]) -> list[str]:
    ways = "axis=0 puts one below the other, axis=1 side by side."
    if operator != "np.concatenate":
        ways = "`np.vstack` puts one below the other, `np.hstack` side by side."
    then = ". All sizes but that of the joined axis must be equal."
    return [_are(_that_differ(operands), sizes, then), f"{ways} Which one do the shapes allow?"]


def _stack_lines(operands: Sequence[Known], sizes: Mapping[str, int]) -> list[str]:
    return [
        _are(_that_differ(operands), sizes, ". Arrays of different shapes do not stack into one."),
        "Is one of them a pair, output and weights, where one of them is meant? Else keep them apart, in a list.",
    ]


def _that_differ(operands: Sequence[Known], what: Callable[[tuple[int, ...]], object] = tuple) -> Sequence[Known]:
    """Return the first operand, and the first whose shape is another; all where there are no more than three."""
    if len(operands) < 4:
        return operands
    return [operands[0], *[one for one in operands if what(one[1]) != what(operands[0][1])][:1]]


def _einsum_lines(subscripts: str, operands: Operands, sizes: Mapping[str, int]) -> list[str]:
    groups = subscripts.replace(" ", "").split("->")[0].split(",")
    if "." in subscripts or len(groups) != len(operands):
        return []
    seen: dict[str, tuple[int, str, tuple[int, ...]]] = {}
    for letters, (name, shape) in zip(groups, operands, strict=True):
        if shape is None:
            continue
        if len(letters) != len(shape):
            return [
                _are([(name, shape)], sizes, f": `{letters}` has {len(letters)} letters for its axes."),
                "Each axis has a letter of its own, in the order of the axes.",
            ]
        for letter, size in zip(letters, shape, strict=True):
            size_before, *_ = seen.setdefault(letter, (size, name, shape))
            if size_before != size and 1 not in (size_before, size):
                both = [seen[letter][1:], (name, shape)]
                then = f": {letter} stands for {size_before} in the first, for {size} in the second."
                return [_are(both, sizes, then), "A letter names one size. Which axes stand in another order?"]
    return []


def _call_lines(operator: str, known: Sequence[Known], message: str, sizes: Mapping[str, int]) -> list[str]:
    if not re.search("matmul|not aligned|broadcast", message):
        return []
    then = f". The arguments of `{operator.removesuffix('()')}` do not fit together."
    return [
        _are(known[:3], sizes, then),
        "Do they stand in the order that its first line names, and have the shapes its docstring names?",
    ]
