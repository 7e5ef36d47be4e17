"""The solutions, reached by the course folder's path: as source to lay over a stub, and as functions to run."""

from __future__ import annotations

import ast
import importlib
import sys
import types
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from helpers.course import course
from helpers.teach.course_folder import solutions_folder


def held(function: str) -> bool:
    """Return whether this edition holds the solutions of an exercise's notebook."""
    return _file(function).is_file()


def _file(function: str) -> Path:
    return solutions_folder() / f"{course().exercises[function].notebook}.py"


def source_or_none(function: str) -> str | None:
    """Return the solution of an exercise as source; None where this edition holds none."""
    if not held(function):
        return None
    text = _file(function).read_text(encoding="utf-8")
    found = definition(text, function)
    return "\n".join(text.splitlines()[found.lineno - 1 : found.end_lineno]) if found else None


def definition(source: str, function: str) -> ast.FunctionDef | None:
    """Return where a function is defined at the top level of a source.

    Raises
    ------
    SyntaxError
        If the source is not Python.
    """
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.FunctionDef) and statement.name == function:
            return statement
    return None


def source(function: str) -> str:
    """Return the solution of an exercise as source.

    Raises
    ------
    FileNotFoundError
        Where this edition holds none.
    """
    found = source_or_none(function)
    if found is None:
        notebook = course().exercises[function].notebook
        raise FileNotFoundError(
            f"expected `{function}` in solutions/{notebook}.py, found none. "
            "An author writes it there; an edition without solutions runs without --solved."
        )
    return found


@cache
def function(name: str) -> Callable[..., Any]:
    """Return the solution of an exercise as a function."""
    found: Callable[..., Any] = getattr(module(course().exercises[name].notebook), name)
    return found


def module(name: str) -> Any:
    """Import `solutions.<name>` from the course folder, wherever the process was started."""
    if "solutions" not in sys.modules:
        package = types.ModuleType("solutions")
        package.__path__ = [str(solutions_folder())]
        sys.modules["solutions"] = package
    return importlib.import_module(f"solutions.{name}")
