"""The student's growing file, `my_attention.py`: every function that passed, exactly as it was judged.

The file runs alone, without the notebooks and without this package, once nothing that it uses is lent.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import inspect
import re
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from helpers.course import course
from helpers.learn import home, ours
from helpers.learn.slices import Slice, bound_names, names_read
from helpers.parameters import Head, Layer

_print = builtins.print  # bound now: a notebook may rename print later

HEADER = f'''"""The functions I wrote, each passed by its check. This file needs numpy only.

A check rewrites the text between its two marks. What stands outside the marks is mine and stays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


{inspect.getsource(Head)}

{inspect.getsource(Layer)}'''

_SECTION = re.compile(
    r"^# --- (?P<name>\w+) \(exercise [\d.]+, (?P<digest>\w{8})\)\n(?P<text>.*?)\n# --- end of (?P=name)\n",
    re.MULTILINE | re.DOTALL,
)


class Refused(Exception):
    """The file was left as it is; the message says why and what to do, one line each."""


def path() -> Path:
    """Return where `my_attention.py` lies."""
    return home.home() / "my_attention.py"


def sections(text: str) -> dict[str, str]:
    """Return the marked sections of the file, by function."""
    return {found["name"]: found["text"] for found in _SECTION.finditer(text)}


def intact(text: str) -> str:
    """Return a text of the file without the sections that were edited by hand."""
    return _SECTION.sub(lambda match: match[0] if match["digest"] == _digest(match["text"]) else "", text)


def functions() -> dict[str, Any]:
    """Return what the file defines, freshly read: the student's passed functions and their helpers."""
    return execute(_text())


def at_hand(function: str) -> dict[str, Any]:
    """Return the functions that a check may lend to an exercise.

    The student's own are lent where their sections are as their checks left them; ours, where this edition holds
    them, for what is missing of earlier notebooks.
    """
    text = intact(_text())
    return {**lent(text, course().exercises[function].notebook), **_own(text)}


def passed() -> dict[str, Any]:
    """Return the student's own functions whose sections are as their checks left them."""
    return _own(intact(_text()))


def _own(text: str) -> dict[str, Any]:
    found = execute(text)
    return {name: found[name] for name in sections(text) if name in found}


def lent(text: str, notebook: str) -> dict[str, Any]:
    """Return our functions of the notebooks before this one that a text of the file does not define."""
    return _ours(
        exercise.function for exercise in course().earlier(notebook) if exercise.function not in sections(text)
    )


def _ours(names: Iterable[str]) -> dict[str, Any]:
    return {name: function for name in names if (function := ours.function(name)) is not None}


def execute(text: str) -> dict[str, Any]:
    """Return what a text of the file defines. Exercises that its functions use, and it lacks, are lent.

    Raises
    ------
    Refused
        If it raises.
    """
    if not text:
        return {}
    written = sections(text)
    reads = frozenset[str]().union(*map(_names_read, written.values()))
    borrowed = _ours(name for name in course().exercises if name in reads and name not in written)
    namespace: dict[str, Any] = {"__name__": "my_attention", **borrowed}
    try:
        exec(compile(text, str(path()), "exec", dont_inherit=True), namespace)  # noqa: S102  the student's own file
    except Refused:
        raise  # the file imports itself, and this was said further in
    except Exception as error:  # noqa: BLE001  whatever a hand edit may raise
        raise Refused(
            f"my_attention.py cannot be used: {type(error).__name__}: {error}.\n"
            "It was changed by hand. Mend it, or move it away: the checks you run write it again."
        ) from None
    namespace.update(Head=Head, Layer=Layer)  # ours, so that `isinstance(head, Head)` holds in a notebook too
    return {name: value for name, value in namespace.items() if name not in borrowed or value is not borrowed[name]}


def _text() -> str:
    try:
        return home.read(path())
    except UnicodeDecodeError:
        raise Refused(
            "my_attention.py cannot be read: an editor has saved it in another encoding.\n"
            "Save it as UTF-8, or move it away: the checks you run write it again."
        ) from None


def save(part: Slice, broken: Callable[[str], list[str]] = lambda _: []) -> bool:
    """Put a passed answer into the file, and return whether the file could be written.

    Parameters
    ----------
    part : Slice
        The answer.
    broken : callable
        Told the new text, returns the functions that no longer pass in it.

    Raises
    ------
    Refused
        If the section was edited by hand, if a helper of this name stands in another section with other code,
        if another function would no longer pass, or if the file is no longer Python. Nothing is lost then.
    """
    with home.locked():
        text = _text()
        updated = insert(text, part)
        if updated != text and (names := broken(updated)):
            raise Refused(
                f"not saved: beside this cell's lines, {' and '.join(names)} would no longer pass in my_attention.py.\n"
                f"Do both use one name for two things? Give it another name here, and run this check again."
            )
        return home.write(path(), updated) if updated != text else True


def insert(text: str, part: Slice) -> str:
    """Return the file's text with the section of `part` put in its place in the course's order.

    Raises
    ------
    Refused
        As in `save`.
    """
    text = text or HEADER
    exercises = course().exercises
    order = list(exercises)
    section = (
        f"# --- {part.function} (exercise {exercises[part.function].number}, {_digest(part.text)})\n"
        f"{part.text}\n"
        f"# --- end of {part.function}\n"
    )
    found = {match["name"]: match for match in _SECTION.finditer(text)}
    if old := found.get(part.function):
        if old["digest"] != _digest(old["text"]):
            raise Refused(
                f"not saved: the section {part.function} in my_attention.py was edited by hand.\n"
                f"Copy what you want to keep into the notebook's cell, delete the section, and run this check again."
            )
        updated = text[: old.start()] + section + text[old.end() :]
    else:
        earlier = [
            match.end()
            for name, match in found.items()
            if name in order and order.index(name) < order.index(part.function)
        ]
        later = [
            match.start()
            for name, match in found.items()
            if name in order and order.index(name) > order.index(part.function)
        ]
        if earlier:
            updated = f"{text[: max(earlier)]}\n\n{section}{text[max(earlier) :]}"
        elif later:
            updated = f"{text[: min(later)]}{section}\n\n{text[min(later) :]}"
        else:
            updated = f"{text.rstrip()}\n\n\n{section}"
    _refuse_collisions(part, {name: match["text"] for name, match in found.items()})
    try:
        compile(updated, "my_attention.py", "exec")
    except SyntaxError as error:
        raise Refused(
            f"not saved: my_attention.py would not be Python any more (line {error.lineno}: {error.msg}).\n"
            "Something was typed into the file by hand there. Mend or delete it, and run this check again."
        ) from None
    return updated


def affected(text: str, part: Slice) -> list[str]:
    """Return the functions in the file that an answer may change: itself, and all that use a name it binds.

    Where its cell does more than define and import, that is every function.
    """
    reads = {name: _names_read(section) for name, section in sections(text).items()}
    plain = all(
        isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef))
        and not getattr(statement, "decorator_list", ())
        and not any(alias.name == "*" for alias in getattr(statement, "names", ()))
        for statement in part.tree.body
    )
    known = [name for name in reads if name in course().exercises]  # a later version may have dropped one
    if not plain:
        return known
    changed = set().union(*(bound_names(statement) for statement in part.tree.body))
    found: set[str] = {part.function}
    while more := {name for name, names in reads.items() if names & changed and name not in found}:
        found |= more
        changed |= more
    return [name for name in known if name in found]


@lru_cache(maxsize=256)  # a check reads every section of the file
def _names_read(text: str) -> frozenset[str]:
    try:
        return frozenset(names_read(Slice("", ast.parse(text), text)))
    except (SyntaxError, ValueError):
        return frozenset()  # whoever runs the text says what is wrong with it


def _refuse_collisions(part: Slice, others: Mapping[str, str]) -> None:
    """Refuse a helper that another section defines with other code: in one file the later would win for both."""
    mine = _helpers(part.text, part.function)
    for name, text in others.items():
        if name == part.function:
            continue
        for helper, code in _helpers(text, name).items():
            if helper in mine and mine[helper] != code:
                raise Refused(
                    f"not saved: `{helper}` stands in the cells of {part.function} and {name}, with different code.\n"
                    f"In one file the later one would serve both. Rename one of them, and run its check again."
                )


def _helpers(text: str, function: str) -> dict[str, str]:
    """Return the names a section defines besides its function, each with its code."""
    found: dict[str, str] = {}
    for statement in ast.parse(text).body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            module = getattr(statement, "module", "")
            found.update({alias.asname or alias.name: f"{module} {alias.name}" for alias in statement.names})
        else:
            found.update(dict.fromkeys(bound_names(statement) - {function}, ast.dump(statement)))
    return found


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


class NotYetPassed(ImportError):
    """A function is imported that has not passed its check."""

    def _render_traceback_(self) -> list[str]:
        return str(self).split("\n")


class MyAttention(types.ModuleType):
    """`my_attention`, never stale: it reads the file whenever a name is asked for, and lends ours where it can."""

    def __init__(self) -> None:
        super().__init__("my_attention", "The functions I wrote, each passed by its check.")
        self.said: set[str] = set()  # what was lent in this session, and said to be

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = functions()
        if name in found:
            return found[name]
        if name in course().exercises:
            exercise = course().exercises[name]
            notebook = course().notebooks[exercise.notebook]
            if (function := ours.function(name)) is not None:
                if name not in self.said:
                    _print(f"Lent: {name} ({exercise.number}) is ours, until your own passes in {notebook.file}.")
                    self.said.add(name)
                return function
            raise NotYetPassed(
                f"✗ my_attention has no {name} yet.\n"
                f"  It is exercise {exercise.number}, in {notebook.file}.\n"
                f"  Pass its check there, then run this cell again."
            )
        raise AttributeError(f"my_attention has no {name!r}; it holds the functions whose checks you passed")

    def __dir__(self) -> list[str]:
        return [name for name in functions() if not name.startswith("__")]


def install_module() -> None:
    """Make `from my_attention import ...` read the student's file as it is now."""
    sys.modules["my_attention"] = MyAttention()
