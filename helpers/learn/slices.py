"""Which part of a cell is the answer: the top-level statements that the function needs, and nothing else."""

from __future__ import annotations
import __future__

import ast
import re
import symtable
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

NOT_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)  # the last two from what is nested too deeply
_IMPORTS = (ast.Import, ast.ImportFrom)
_MAGIC = re.compile(r"^(\s*)[%!].*")
_ASSIGNED = re.compile(r"^(\s*\w+\s*=\s*)[%!].*")  # what IPython runs and assigns
_HELP = re.compile(r"(\?{1,2}[\w.]+|[\w.]+\?{1,2})\s*$")  # alone on its line


@dataclass(frozen=True)
class Slice:
    """The judged part of one cell.

    Attributes
    ----------
    function : str
        The exercise's name.
    tree : ast.Module
        The statements, with the line numbers of the cell.
    text : str
        The same statements as text: what `my_attention.py` stores.
    flags : int
        The compiler flags of the cell's `from __future__` lines.
    source : str
        The whole cell as Python, which the line numbers count; magics are emptied.
    """

    function: str
    tree: ast.Module
    text: str
    flags: int = 0
    source: str = ""


def plain_source(raw: str) -> str:
    """Return a cell's source as Python: magics, `!` lines and requests for help (`np.exp?`) emptied.

    Line numbers stay those of the cell.
    """
    try:
        ast.parse(raw)
    except NOT_PYTHON:
        lines = raw.splitlines()
        first = next((index for index, line in enumerate(lines) if line.strip()), None)
        if first is not None and lines[first].startswith("%%"):
            lines[first] = ""
        lines = ["" if _HELP.match(line) else _ASSIGNED.sub(r"\1None", line) for line in lines]
        return "\n".join(_MAGIC.sub(r"\1pass", line) for line in lines)
    return raw


def defines(source: str, name: str) -> bool:
    """Return whether a cell binds `name` at its top level, and not by an import. What is not Python binds nothing."""
    return name in (_cell_names(source, imports=False) or ())


@lru_cache(maxsize=1024)  # as below
def takes(source: str, name: str) -> bool:
    """Return whether a cell imports `name` from `my_attention`."""
    try:
        nodes = [node for statement in ast.parse(plain_source(source)).body for node in _same_scope(statement)]
    except NOT_PYTHON:
        return False
    return any(
        isinstance(node, ast.ImportFrom) and node.module == "my_attention" and name in bound_names(node)
        for node in nodes
    )


@lru_cache(maxsize=1024)  # a check looks through all cells of the session
def _cell_names(source: str, *, imports: bool) -> frozenset[str] | None:
    """Return the names a cell binds at its top level, with those it imports or without; None if it is not Python."""
    try:
        statements = ast.parse(plain_source(source)).body
        return frozenset().union(*(bound_names(statement, imports=imports) for statement in statements))
    except NOT_PYTHON:
        return None


def choose(cells: Sequence[tuple[str, str]], name: str) -> int | None:
    """Return which cell holds the answer, or None where none does.

    The cell with the exercise's id counts, unless it is still the stub; otherwise the last one that defines the name.
    To import what has passed defines nothing; to import it from elsewhere is an answer, and one that is refused.

    Parameters
    ----------
    cells : sequence of (str, str)
        Id and source of each code cell, in order.
    name : str
        The exercise's function.
    """
    candidates = [index for index, (id_, source) in enumerate(cells) if _may_define(source, name, id_ == name)]
    written = [index for index in candidates if not _still_stub(cells[index][1], name)]
    ours = [index for index in written if cells[index][0] == name]
    found = ours or written or candidates
    return found[-1] if found else None


def _may_define(source: str, name: str, ours: bool) -> bool:
    """Return whether a cell defines the name, or would if it were Python."""
    bound = _cell_names(source, imports=True)
    if bound is None:
        return ours or re.search(rf"^[ \t]*def[ \t]+{name}\b", source, re.MULTILINE) is not None
    return name in bound and (ours or defines(source, name) or not takes(source, name))


@lru_cache(maxsize=1024)  # as above
def _still_stub(source: str, name: str) -> bool:
    try:
        part = answer_slice(source, name)
    except NOT_PYTHON:
        return False
    return part is not None and is_stub(part)


def answer_slice(source: str, name: str, others: Collection[str] = ()) -> Slice | None:
    """Return the statements of a cell that `name` needs: its own, its helpers and its imports.

    Parameters
    ----------
    source : str
        The whole cell.
    name : str
        The exercise's function.
    others : collection of str
        The other exercises: their definitions are left out, so that a cell which also holds an earlier exercise
        cannot overwrite it.

    Returns
    -------
    Slice or None
        None where the cell does not bind the name.

    Raises
    ------
    NOT_PYTHON
        If the cell is not Python, or nested too deeply to be read.
    """
    source = plain_source(source)
    everything = ast.parse(source).body
    statements = [statement for statement in everything if not _is_lent(statement)]
    # What the cell itself makes, it may change too (`cache["x"] = 1`); `np.exp = ...` is nobody's answer.
    made = set().union(*(bound_names(statement) for statement in statements if not isinstance(statement, _IMPORTS)))
    bound = [
        (bound_names(statement) | (_changed(statement) & made)) - (set(others) - {name}) for statement in statements
    ]
    if not any(name in names for names in bound):
        return None
    wanted, chosen = {name}, set[int]()
    while True:
        more = {
            index
            for index, names in enumerate(bound)
            if index not in chosen and (names & wanted or _imports_all(statements[index]))
        }
        if not more:
            break
        chosen |= more
        for index in more:
            wanted |= _read(statements[index])
    body = [statements[index] for index in sorted(chosen)]
    text = "\n\n".join(_text(source, statement) for statement in body)
    return Slice(name, ast.Module(body, []), text, future_flags(everything), source)


def names_read(part: Slice) -> set[str]:
    """Return every name that the answer reads."""
    return set().union(*(_read(statement) for statement in part.tree.body))


def is_stub(part: Slice) -> bool:
    """Return whether the function is as it was handed out: a docstring at most, then `raise NotImplementedError`."""
    definitions = [node for node in part.tree.body if isinstance(node, ast.FunctionDef) and node.name == part.function]
    if not definitions:
        return False
    body = definitions[-1].body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    return len(body) == 1 and _raises_not_implemented(body[0])


def argument_names(part: Slice) -> tuple[str, ...]:
    """Return the arguments of the function as the student names them; empty where it is no plain `def` or lambda."""
    for statement in reversed(part.tree.body):
        for node in ast.walk(statement):
            if (isinstance(node, ast.FunctionDef) and node.name == part.function) or (
                isinstance(node, ast.Lambda) and part.function in bound_names(statement)
            ):
                return tuple(argument.arg for argument in [*node.args.posonlyargs, *node.args.args])
    return ()


def _raises_not_implemented(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Raise)
        and node.exc is not None
        and any(isinstance(part, ast.Name) and part.id == "NotImplementedError" for part in ast.walk(node.exc))
    )


def _text(source: str, statement: ast.stmt) -> str:
    """Return a statement as it was typed, decorators and comments inside it included."""
    lines = source.splitlines()
    first = min([statement.lineno, *(decorator.lineno for decorator in getattr(statement, "decorator_list", []))])
    last = statement.end_lineno or statement.lineno
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return "\n".join(lines[first - 1 : last]).rstrip()
    return ast.get_source_segment(source, statement) or ast.unparse(statement)


def _is_lent(statement: ast.stmt) -> bool:
    """Return whether a statement imports what a check lends anyway, or turns annotations into text as our file does."""
    return isinstance(statement, ast.ImportFrom) and statement.module in ("my_attention", "helpers", "__future__")


def foreign_imports(part: Slice) -> list[str]:
    """Return the modules an answer imports besides numpy and the standard library."""
    modules = []
    for node in ast.walk(part.tree):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules.append(node.module or ".")
    at_hand = {"numpy", *sys.stdlib_module_names}
    return [module for module in modules if module.split(".")[0] not in at_hand]


def future_flags(statements: Sequence[ast.stmt]) -> int:
    """Return the compiler flags of a cell's `from __future__` lines."""
    flags = 0
    for statement in statements:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            features = [getattr(__future__, alias.name, None) for alias in statement.names]
            flags |= sum(feature.compiler_flag for feature in features if feature is not None)
    return flags


def _imports_all(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and any(alias.name == "*" for alias in statement.names)


def bound_names(statement: ast.stmt, *, imports: bool = True) -> set[str]:
    """Return the names a top-level statement binds, with those it imports or without."""
    names = set()
    for node in _same_scope(statement):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, _IMPORTS) and imports:
            names |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def _changed(statement: ast.stmt) -> set[str]:
    """Return the names whose object a top-level statement changes: x, in `x[0] = 1`, `x.y = 1` and `x.append(1)`."""
    names = set()
    for node in _same_scope(statement):
        is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        target = node.value.func if is_call else node  # type: ignore[attr-defined] # a call, seen in the line above
        stored = isinstance(target, (ast.Subscript, ast.Attribute)) and isinstance(target.ctx, ast.Store)
        if stored or (is_call and isinstance(target, ast.Attribute)):
            while isinstance(target, (ast.Subscript, ast.Attribute)):
                target = target.value
            if isinstance(target, ast.Name):
                names.add(target.id)
    return names


def _same_scope(node: ast.AST) -> Iterator[ast.AST]:
    """Walk a statement without entering the bodies of functions, classes and comprehensions."""
    yield node
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        return
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            yield from _same_scope(child)


def _read(statement: ast.stmt) -> set[str]:
    """Return the names a statement reads from the cell: not the arguments and local names of its functions."""

    def read(table: symtable.SymbolTable) -> set[str]:
        symbols = table.get_symbols()
        here = {
            symbol.get_name()
            for symbol in symbols
            if (symbol.is_global() or table.get_type() == "module") and (symbol.is_referenced() or symbol.is_assigned())
        }
        return here.union(*(read(inner) for inner in table.get_children()))

    return read(symtable.symtable(ast.unparse(statement), "cell", "exec"))
