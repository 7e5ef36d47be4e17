"""The operands of the operation that raised, as they were typed, with their shapes; only what reads runs again."""

from __future__ import annotations

import ast
import dis
import operator
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np

from helpers.parameters import Head, Layer

Shape: TypeAlias = "tuple[int, ...] | None"  # None where it is not known
Operands: TypeAlias = "tuple[tuple[str, Shape], ...]"
_Part: TypeAlias = "tuple[ast.expr, int | None]"  # an operand's expression; which item of it, where it is a list

_ndarray, _errstate = np.ndarray, np.errstate  # bound now, as in results.py
_NUMBERS = (bool, int, float, np.generic)
_SYMBOLS: dict[type, str] = {
    ast.MatMult: "@",
    ast.Mult: "*",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.BitAnd: "&",
    ast.BitOr: "|",
}
_ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.MatMult: operator.matmul,
    ast.Mult: operator.mul,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
}
_PRODUCTS = ("matmul", "dot")
_JOINS = ("concatenate", "stack", "hstack", "vstack", "column_stack", "array")

# What may be called once more, and with how many arguments: one more may be `out=`, which is written into.
_ONE = ("exp", "sqrt", "log", "abs", "tanh", "sin", "cos", "transpose", "ravel", "squeeze", "hstack", "vstack")
_TWO = ("maximum", "minimum", "add", "subtract", "multiply", "divide", "power", "matmul", "dot", "outer", "sum", "mean")
_TWO_MORE = ("max", "min", "amax", "amin", "var", "std", "reshape", "expand_dims", "concatenate", "stack")
_PURE = {id(getattr(np, name)): count for count, names in ((1, _ONE), (2, _TWO), (2, _TWO_MORE)) for name in names}
_METHODS = {
    **dict.fromkeys(("ravel", "flatten", "copy", "squeeze"), 0),
    **dict.fromkeys(("sum", "mean", "max", "min", "var", "std", "dot"), 1),
    **dict.fromkeys(("reshape", "transpose"), 3),
}
_KEYWORDS = {"axis", "keepdims"}
_LARGEST = 3_000  # entries of an array that is worked with once more: a product of two may have the square of it


class _Unknown(Exception):
    """An expression that is not evaluated once more, or not with certainty to the same value."""


def operands_of(
    error: BaseException, frame: types.FrameType, instruction: int, source: str, called: types.FrameType | None = None
) -> tuple[str, Operands]:
    """Return the operator that raised, and its operands: the text that was typed, and the shape.

    Parameters
    ----------
    error : BaseException
        What was raised.
    frame : FrameType
        The frame of the cell's line that took part last.
    instruction : int
        Where in its code it stood: the traceback's `tb_lasti`.
    source : str
        The cell, with magics emptied: what was compiled.
    called : FrameType, optional
        The frame of the function that the line called, where the error comes from there: it still holds its arguments.

    Returns
    -------
    (str, tuple of (str, shape))
        `@` (for `np.matmul` and `np.dot` too), `*`, `+` and so on; `=` for an assignment into a part of an array, its
        operands the place and the value; `np.concatenate` and the like; `np.einsum` with its letters; `name()` for a
        call of another function. A shape is None where it is not known. ("", ()) where nothing is known.
    """
    if not isinstance(error, ValueError):  # what numpy raises where shapes do not fit
        return "", ()
    try:
        tree = ast.parse(source)
        node, around = _failed(tree, _position(frame, instruction))
        if node is None:
            return "", ()
        values = _Values(frame, _lost_names(around), called)
        with warnings.catch_warnings(), _errstate(all="ignore"):  # what the student's line warned of, it said already
            warnings.simplefilter("ignore")
            symbol, parts = _taken_apart(node, around, values)
            named = tuple((_text(source, part, item), values.shape(part, item)) for part, item in parts)
        return symbol, _agreed(symbol, named, str(error))
    except Exception:  # noqa: BLE001  whatever the student's objects do, the error itself is still to be told
        return "", ()


def _position(frame: types.FrameType, instruction: int) -> tuple[int | None, ...]:
    """Return line, last line, column and last column of what an instruction belongs to."""
    return list(frame.f_code.co_positions())[instruction // 2]


def _failed(tree: ast.AST, position: tuple[int | None, ...]) -> tuple[ast.AST | None, list[ast.AST]]:
    """Return the node of an operation at a position, and what stands around it, the nearest last."""
    line, last_line, column, last_column = position
    ends = None
    for node, around in _walk(tree, []):
        if isinstance(node, (ast.BinOp, ast.AugAssign, ast.Compare, ast.Call, ast.Subscript)):
            if (node.end_lineno, node.end_col_offset) != (last_line, last_column):
                continue
            if (node.lineno, node.col_offset) == (line, column):
                return node, around
            if isinstance(node, ast.Call) and ends is None:
                ends = node, around  # a method on a line of its own: Python gives that line, not the object's
    return ends or (None, [])


def _walk(node: ast.AST, around: list[ast.AST]) -> Iterator[tuple[ast.AST, list[ast.AST]]]:
    yield node, around
    for child in ast.iter_child_nodes(node):
        yield from _walk(child, [*around, node])


def _lost_names(around: list[ast.AST]) -> set[str]:
    """Return the names of comprehensions around a node that its frame no longer holds, or holds as something else."""
    if sys.version_info < (3, 12):  # there a comprehension has a frame of its own
        return set()
    comprehensions = [node for node in around if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp))]
    targets = [part.target for node in comprehensions for part in node.generators]
    return {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}


def _taken_apart(node: ast.AST, around: list[ast.AST], values: _Values) -> tuple[str, list[_Part]]:
    """Return an operation's symbol and its operands: each an expression, and which item of it, where it is a list."""
    if isinstance(node, ast.BinOp):
        return _SYMBOLS.get(type(node.op), ""), [(node.left, None), (node.right, None)]
    if isinstance(node, ast.AugAssign):
        return f"{_SYMBOLS.get(type(node.op), '')}=", [(node.target, None), (node.value, None)]
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _SYMBOLS.get(type(node.ops[0]), ""), [(node.left, None), (node.comparators[0], None)]
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        *_, above, parent = around
        if isinstance(parent, ast.Assign) and parent.targets == [node]:
            return "=", [(node, None), (parent.value, None)]
        if isinstance(parent, ast.Tuple) and isinstance(above, ast.Assign) and isinstance(above.value, ast.Tuple):
            places, given = parent.elts, above.value.elts  # a, b = 1, 2
            if len(places) == len(given) and not any(isinstance(one, ast.Starred) for one in (*places, *given)):
                return "=", [(node, None), (given[places.index(node)], None)]
    if isinstance(node, ast.Call) and not any(isinstance(argument, ast.Starred) for argument in node.args):
        return _call_apart(node, values)
    return "", []


def _call_apart(node: ast.Call, values: _Values) -> tuple[str, list[_Part]]:
    given: list[_Part] = [(argument, None) for argument in node.args]
    if isinstance(node.func, ast.Attribute) and node.func.attr == "dot" and len(node.args) == 1:
        try:
            if type(values.of(node.func.value)) is _ndarray:
                return "@", [(node.func.value, None), *given]
        except _Unknown:
            return "", []
    function = values.of(node.func)
    name = str(getattr(function, "__name__", ""))
    if not name or vars(np).get(name) is not function:
        if not isinstance(function, types.FunctionType):
            return "", []
        by_name = {keyword.value: keyword.arg for keyword in node.keywords if keyword.arg}
        values.take_arguments(function, dict(zip(node.args, function.__code__.co_varnames, strict=False)) | by_name)
        return f"{name}()", [*given, *((argument, None) for argument in by_name)]
    if name in _PRODUCTS:
        return "@", given[:2]
    if name == "einsum" and isinstance(node.args[0], ast.Constant):
        return f"np.einsum {node.args[0].value!s}", given[1:]
    if name in _JOINS:
        listed = node.args[0]
        if isinstance(listed, (ast.List, ast.Tuple)):
            return f"np.{name}", [(item, None) for item in listed.elts if not isinstance(item, ast.Starred)]
        items = values.of(listed)
        if type(items) in (list, tuple):
            return f"np.{name}", [(listed, index) for index in range(len(items))]
        return "", []
    return f"np.{name}", given[:2] if isinstance(function, np.ufunc) else []


def _text(source: str, node: ast.expr, item: int | None) -> str:
    """Return an operand as it was typed, on one line."""
    typed = " ".join((ast.get_source_segment(source, node) or ast.unparse(node)).split())
    return typed if item is None else f"{typed}[{item}]"


def _agreed(symbol: str, operands: Operands, message: str) -> Operands:
    """Return the operands with the shapes that numpy's message names; those that it contradicts are not known."""
    said: list[tuple[int, ...]] = []
    if symbol.endswith("()"):  # the message is about an operation inside the function that was called
        return operands
    if "could not be broadcast together with shapes" in message or "not aligned" in message:
        said = [_shape(found) for found in re.findall(r"\(([\d,]*)\)", message.split(" not aligned")[0])]
    if found := re.search(r"input array from shape \((.*?)\) into shape \((.*?)\)", message):
        said = [_shape(found[2]), _shape(found[1])]
    if len(said) >= len(operands) == 2:
        return tuple((text, shape) for (text, _), shape in zip(operands, said[:2], strict=True))
    if symbol in ("@", "@=") and len(operands) == 2 and (inner := inner_sizes(message)):
        (left, first), (right, second) = operands
        fits = not first or first[-1] == inner[0], not second or second[-2:][0] == inner[1]
        return (left, first if fits[0] else None), (right, second if fits[1] else None)
    return operands


def inner_sizes(message: str) -> tuple[int, int] | None:
    """Return the columns of the first factor and the rows of the second, as numpy's message names them."""
    if found := re.search(r"matmul.*core dimension 0.*\(size (\d+) is different from (\d+)\)", message):
        return int(found[2]), int(found[1])
    if found := re.search(r"not aligned: (\d+) \(dim \d+\) != (\d+) \(dim \d+\)", message):
        return int(found[1]), int(found[2])
    return None


def _shape(text: str) -> tuple[int, ...]:
    return tuple(int(size) for size in text.split(",") if size.strip())


class _Values:
    """What expressions are in a frame: only those whose evaluation changes nothing."""

    def __init__(self, frame: types.FrameType, lost: set[str], called: types.FrameType | None) -> None:
        self._names: Mapping[str, Any] = {**frame.f_globals, **frame.f_locals}
        self._lost, self._called = lost, called
        self._handed_over: dict[ast.expr, Any] = {}

    def take_arguments(self, function: types.FunctionType, named: Mapping[ast.expr, str]) -> None:
        """Take the arguments of a call, under the function's names for them, from the frame that it ran in.

        So an argument that is itself a call need not run again. A name that the function gives another value is not
        the argument any more.
        """
        if self._called is None or self._called.f_code is not function.__code__:
            return
        held, changed = self._called.f_locals, set[Any]()
        for one in dis.get_instructions(function.__code__):
            if one.opname.startswith(("STORE", "DELETE")):  # some store two names at once
                changed.update(one.argval if isinstance(one.argval, tuple) else (one.argval,))
        self._handed_over = {node: held[name] for node, name in named.items() if name in held and name not in changed}

    def shape(self, node: ast.expr, item: int | None = None) -> Shape:
        """Return the shape of an operand; None where it is not known, or no array and no number."""
        try:
            value = self.of(node)
        except Exception:  # noqa: BLE001  an operand that raises has no shape
            return None
        if item is not None:
            value = value[item]
        if type(value) is _ndarray:
            return tuple(value.shape)
        return () if isinstance(value, _NUMBERS) else None

    def of(self, node: ast.expr) -> Any:
        """Return the value of an expression.

        Raises
        ------
        _Unknown
            If it is none of those that only read.
        """
        if node in self._handed_over:
            return self._handed_over[node]
        reader = getattr(self, f"_{type(node).__name__.lower()}", None)
        if reader is None:
            raise _Unknown
        return reader(node)

    def _name(self, node: ast.Name) -> Any:
        if node.id in self._lost or node.id not in self._names:
            raise _Unknown
        return self._names[node.id]

    def _constant(self, node: ast.Constant) -> Any:
        return node.value

    def _tuple(self, node: ast.Tuple) -> Any:
        return tuple(self.of(part) for part in node.elts)

    def _list(self, node: ast.List) -> Any:
        return [self.of(part) for part in node.elts]

    def _slice(self, node: ast.Slice) -> Any:
        return slice(*(part and self.of(part) for part in (node.lower, node.upper, node.step)))

    def _attribute(self, node: ast.Attribute) -> Any:
        value = self.of(node.value)
        if value is np:
            return vars(np).get(node.attr)
        if (type(value) is _ndarray and node.attr in ("T", "shape", "size", "ndim")) or (
            type(value) in (Head, Layer) and node.attr in value._fields
        ):
            return getattr(value, node.attr)
        raise _Unknown

    def _subscript(self, node: ast.Subscript) -> Any:
        value = self.of(node.value)
        index = self.of(node.slice)
        if type(value) not in (_ndarray, list, tuple, Head, Layer) or not _is_index(index):
            raise _Unknown
        return value[index]

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        value = self.of(node.operand)
        if not isinstance(node.op, ast.USub) or not _is_plain(value):
            raise _Unknown
        return -value

    def _binop(self, node: ast.BinOp) -> Any:
        left, right = self.of(node.left), self.of(node.right)
        if type(node.op) not in _ARITHMETIC or not _is_plain(left) or not _is_plain(right):
            raise _Unknown
        return _ARITHMETIC[type(node.op)](left, right)

    def _call(self, node: ast.Call) -> Any:
        if not {keyword.arg for keyword in node.keywords} <= _KEYWORDS:
            raise _Unknown
        arguments = [self.of(argument) for argument in node.args]
        options = {str(keyword.arg): self.of(keyword.value) for keyword in node.keywords}
        given = [part for one in arguments for part in (one if type(one) in (list, tuple) else [one])]
        if not all(map(_is_plain, given)):
            raise _Unknown
        if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
            value = self.of(node.func.value)
            if type(value) is _ndarray and len(arguments) <= _METHODS[node.func.attr]:
                return getattr(value, node.func.attr)(*arguments, **options)
        function = self.of(node.func)
        if len(arguments) > _PURE.get(id(function), -1):
            raise _Unknown
        return function(*arguments, **options)


def _is_index(value: Any) -> bool:
    """Return whether an index is of numpy's and Python's own types, which run no code of the student's."""
    if type(value) in (tuple, list):
        return all(map(_is_index, value))
    if type(value) is slice:
        return all(map(_is_index, (value.start, value.stop, value.step)))
    return value is None or value is ... or type(value) in (bool, int) or isinstance(value, (np.integer, _ndarray))


def _is_plain(value: Any) -> bool:
    """Return whether an operand is an array or a number, and of a size that is soon worked out."""
    if type(value) is _ndarray:
        return bool(value.dtype.kind in "buif") and value.size <= _LARGEST
    return value is None or (isinstance(value, _NUMBERS) and abs(float(value)) < 1e300)
