"""What the text of an answer shows without running it: a value that nothing keeps, an argument that nothing reads.

Every rule is a statement about the code that is true whatever the arguments are; where it may not be, it is silent.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator
from typing import TypeAlias

from helpers.learn.shape_words import short
from helpers.learn.slices import Slice, bound_names

_Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPOUND = {ast.If: "if", ast.For: "for", ast.While: "while", ast.With: "with", ast.Try: "try"}
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_SEES_ALL = {"locals", "vars", "eval", "exec", "globals", "dir"}  # may read any name
# Called for their value alone, and with how many arguments at most: one more may be what is written into.
_OF_NUMPY = {
    **dict.fromkeys(("exp", "sqrt", "log", "abs", "tanh", "sin", "cos", "array", "hstack", "vstack", "ravel"), 1),
    **dict.fromkeys(("maximum", "minimum", "add", "subtract", "multiply", "divide", "power", "outer", "dot"), 2),
    **dict.fromkeys(("matmul", "sum", "mean", "max", "min", "concatenate", "stack", "reshape", "transpose"), 2),
}
_OF_ARRAYS = {
    **dict.fromkeys(("sum", "mean", "max", "min", "dot", "ravel", "flatten", "astype", "squeeze"), 1),
    **dict.fromkeys(("reshape", "transpose"), 9),
}


def remark(part: Slice) -> str:
    """Return one short sentence on what an answer's code shows: the strongest that is true, or an empty string.

    Parameters
    ----------
    part : Slice
        The answer.
    """
    functions = [node for node in ast.walk(part.tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    own = exercise_function(part)
    for rule in _RULES:
        for function in functions:
            if found := rule(function):
                return found
        if rule is _thrown_away and own is not None and (found := _unused_arguments(own)):
            return found
    return ""


def nothing_returned(part: Slice) -> str:
    """Return where the result went, for an answer that returned None: one sentence, or an empty string.

    Parameters
    ----------
    part : Slice
        The answer, of which it is known that it returned None.
    """
    function = exercise_function(part)
    if function is None or function.decorator_list or any(map(_is_yield, _inside(function))):
        return ""
    returns = [node for node in _inside(function) if isinstance(node, ast.Return)]
    valued = [node for node in returns if node.value is not None and not _is_none(node.value)]
    if len(valued) > 1:
        return ""
    if not valued:
        bare = [node for node in function.body if isinstance(node, ast.Return)]
        return f"Line {bare[0].lineno} returns nothing: its `return` has no value." if bare else _no_return(function)
    (only,) = valued
    if only not in function.body:
        above = next(node for node in _inside(function) if only in ast.iter_child_nodes(node))
        word = _COMPOUND.get(type(above))
        return f"Is the `return` on line {only.lineno} reached? It stands inside the `{word}` above it." if word else ""
    if len(returns) > 1:
        return ""
    if isinstance(only.value, ast.Call):
        called = _called(only.value)
        return f"Line {only.lineno} returns what `{called}` gives back, and that is None." if called else ""
    return f"Line {only.lineno} returns `{_typed(only.value or only)}`, and that is None there."


def exercise_function(part: Slice) -> ast.FunctionDef | None:
    """Return the definition of the exercise's function; None where no plain `def` has the last word."""
    binding = [statement for statement in part.tree.body if part.function in bound_names(statement)]
    return binding[-1] if binding and isinstance(binding[-1], ast.FunctionDef) else None


def _no_return(function: ast.FunctionDef) -> str:
    inner = [node for node in ast.walk(function) if isinstance(node, _FUNCTIONS) and node is not function]
    last = function.body[-1]
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and _called(last.value) == "print":
        return f"Line {last.lineno} prints: `print` shows a value, `return` hands it back."
    if isinstance(last, ast.Expr) and not isinstance(last.value, (ast.Constant, ast.Call)):
        return f"Line {last.lineno}, `{_typed(last)}`, works out a value, and no `return` hands it back."
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and _gives_a_value(last.value):
        return f"Line {last.lineno}, `{_typed(last)}`, works out a value, and no `return` hands it back."
    for one in inner:
        for node in _inside(one):
            if isinstance(node, ast.Return) and not isinstance(one, ast.Lambda):
                return f"The `return` on line {node.lineno} is that of `{one.name}`, the function inside."
    if isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name):
        return f"Line {last.lineno} gives `{last.targets[0].id}` its value, and no line returns it."
    return "No line of the function returns a value."


# --- the rules, the strongest first


def _return_in_a_loop(function: _Function) -> str:
    for loop in _inside(function):
        if not isinstance(loop, _LOOPS) or any(isinstance(node, ast.Continue) for node in ast.walk(loop)):
            continue
        for statement in loop.body:
            if isinstance(statement, ast.Return):
                return f"The `return` on line {statement.lineno} stands inside the loop: it ends at the first turn."
    return ""


def _never_reached(function: _Function) -> str:
    if any(map(_is_yield, _inside(function))):
        return ""
    for block in _blocks(function):
        for statement, following in itertools.pairwise(block):
            idle = isinstance(following, (ast.Raise, ast.Pass)) or _is_text(following)  # the stub's last line, a note
            if isinstance(statement, ast.Return) and not idle:
                return f"Line {following.lineno} stands below the `return` of line {statement.lineno}: it is never run."
    return ""


def _compared(function: _Function) -> str:
    for statement in _inside(function):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Compare):
            (operator, *_) = statement.value.ops
            if isinstance(operator, ast.Eq):
                return f"Line {statement.lineno}, `{_typed(statement)}`, compares: `==` asks, `=` assigns."
    return ""


def _not_called(function: _Function) -> str:
    for statement in _inside(function):
        value = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(value, ast.Attribute) and _most_arguments(value) >= 0:
            return f"Line {value.lineno} names `{_typed(value)}` and does not call it: no brackets follow."
    return ""


def _thrown_away(function: _Function) -> str:
    for statement in _inside(function):
        if not isinstance(statement, ast.Expr):
            continue
        value = statement.value
        calls = [node for node in ast.walk(value) if isinstance(node, ast.Call)]
        worked_out = isinstance(value, (ast.BinOp, ast.UnaryOp, ast.Call)) or (
            isinstance(value, ast.Attribute) and value.attr == "T"
        )
        if worked_out and all(map(_gives_a_value, calls)):
            return f"Line {statement.lineno}, `{_typed(statement)}`, works out a value that nothing keeps."
    return ""


def _unused_arguments(function: ast.FunctionDef) -> str:
    if _reads_any_name(function):
        return ""
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    read = _names_read(function)
    unused = [f"`{one.arg}`" for one in arguments if one.arg not in read and not one.arg.startswith("_")]
    if not unused:
        return ""
    if len(unused) == 1:
        return f"The argument {unused[0]} is never used."
    return f"The arguments {', '.join(unused[:-1])} and {unused[-1]} are never used." if len(unused) < 5 else ""


def _assigned_twice(function: _Function) -> str:
    nodes = list(ast.walk(function))
    # What is assigned before an error may be read after it, where the error is caught.
    if _reads_any_name(function) or any(isinstance(node, (ast.Try, ast.TryStar, ast.With)) for node in nodes):
        return ""
    inner = [node for node in nodes if isinstance(node, _FUNCTIONS) and node is not function]
    kept = set().union(*(_names_read(one) for one in inner))  # an inner function may read it whenever it is called
    for block in _blocks(function):
        waiting: dict[str, int] = {}
        for statement in block:
            leaves = any(isinstance(node, (ast.Break, ast.Continue)) for node in ast.walk(statement))
            read = set(waiting) if leaves else _names_read(statement)  # what follows the loop may read it
            waiting = {name: line for name, line in waiting.items() if name not in read}
            name = _assigned(statement)
            if name in waiting:
                return (
                    f"Line {statement.lineno} gives `{name}` another value, and nothing has read the one of line"
                    f" {waiting[name]}."
                )
            if name and name not in kept and not isinstance(getattr(statement, "value", None), ast.Constant):
                waiting[name] = statement.lineno
    return ""


def _never_read(function: _Function) -> str:
    if _reads_any_name(function):
        return ""
    read = _names_read(function)
    for statement in _inside(function):
        name = _assigned(statement) if isinstance(statement, ast.stmt) else ""
        value = getattr(statement, "value", None)
        if not name or name.startswith("_") or name in read or isinstance(value, ast.Constant):
            continue
        if not any(_is_size(node) for node in ast.walk(statement)):  # a size that was noted down and not needed
            return f"Line {statement.lineno} works out `{name}`, and no line reads it."  # type: ignore[attr-defined] # a statement
    return ""


_RULES: tuple[Callable[[_Function], str], ...] = (
    _return_in_a_loop,
    _never_reached,
    _compared,
    _not_called,
    _thrown_away,  # after it, the arguments that are never used
    _assigned_twice,
    _never_read,
)


# --- reading the tree


def _inside(function: ast.AST) -> Iterator[ast.AST]:
    """Walk a function in the order of its lines, without entering the functions and classes inside it."""
    for child in ast.iter_child_nodes(function):
        yield child
        if not isinstance(child, (*_FUNCTIONS, ast.ClassDef)):
            yield from _inside(child)


def _blocks(function: _Function) -> Iterator[list[ast.stmt]]:
    """Return each list of statements that run one after the other."""
    for node in (function, *_inside(function)):
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)) and node is not function:
            continue
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                yield block


def _names_read(node: ast.AST) -> set[str]:
    """Return the names that are read anywhere in a node; `x += 1` reads x."""
    read = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Store)}
    added = [part.target for part in ast.walk(node) if isinstance(part, ast.AugAssign)]
    return read | {target.id for target in added if isinstance(target, ast.Name)}


def _reads_any_name(function: ast.AST) -> bool:
    """Return whether a function may read its names in a way that its text does not show, or shares them."""
    nodes = list(ast.walk(function))
    return bool(_SEES_ALL & _names_read(function)) or any(isinstance(n, (ast.Global, ast.Nonlocal)) for n in nodes)


def _assigned(statement: ast.stmt) -> str:
    """Return the one name that a statement gives a value; empty for any other statement."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    if isinstance(statement, ast.AnnAssign) and statement.value and isinstance(statement.target, ast.Name):
        return statement.target.id
    return ""


def _called(call: ast.Call) -> str:
    """Return the name of what a call calls: `print`, `append`; empty where it has none."""
    if isinstance(call.func, ast.Name):
        return call.func.id
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _most_arguments(called: ast.expr) -> int:
    """Return how many arguments a function has that is called for its value alone; -1 for any other function."""
    if not isinstance(called, ast.Attribute):
        return -1
    of_numpy = isinstance(called.value, ast.Name) and called.value.id in ("np", "numpy")
    return (_OF_NUMPY if of_numpy else _OF_ARRAYS).get(called.attr, -1)


def _gives_a_value(call: ast.Call) -> bool:
    """Return whether a call is made for its value alone."""
    plain = not any(isinstance(argument, ast.Starred) for argument in call.args)
    named = all(keyword.arg in ("axis", "keepdims") for keyword in call.keywords)
    return plain and named and len(call.args) <= _most_arguments(call.func)


def _is_size(node: ast.AST) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == "shape") or (
        isinstance(node, ast.Call) and _called(node) == "len"
    )


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_yield(node: ast.AST) -> bool:
    return isinstance(node, (ast.Yield, ast.YieldFrom))


def _typed(node: ast.AST) -> str:
    return short(" ".join(ast.unparse(node).split()), 40)
