"""An error in the student's code, in words: the line, what happened, and a likely cause."""

from __future__ import annotations

import difflib
import re
import types
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from helpers.learn.causes import CAUSES, CLOSER, cause_of
from helpers.learn.operands import Operands, operands_of
from helpers.learn.shape_words import shape_lines
from helpers.learn.shape_words import short as _short
from helpers.learn.slices import Slice

UNKNOWN = "Run the function on the paper example yourself, and print what each line gives."


@dataclass(frozen=True)
class Trouble:
    """An error as plain data, so that it can be sent from one process to another.

    Attributes
    ----------
    kind : str
        Its type's name.
    line : int or None
        The cell's line it came from.
    message : str
        What it says.
    near : str
        The nearest name that exists, where one was misspelled.
    kinds : tuple of str
        The names of the classes it is one of, its own among them.
    operator : str
        What raised, where an operation on arrays did (see `operands.operands_of`).
    operands : tuple of (str, shape)
        Its operands, as they were typed, and their shapes; a shape that is not known is None.
    """

    kind: str
    line: int | None
    message: str
    near: str = ""
    kinds: tuple[str, ...] = ()
    operator: str = ""
    operands: Operands = ()


def trouble_from(error: BaseException, filename: str, source: str = "") -> Trouble:
    """Return the trouble in `error`, with the last line of `filename` that took part.

    Parameters
    ----------
    error : BaseException
        What was raised, its traceback still with it.
    filename : str
        What the cell was compiled as.
    source : str
        The cell, with magics emptied: to name the operands. Without it none are named.
    """
    try:
        return _trouble_from(error, filename, source)
    except Exception:  # noqa: BLE001  a class of the student's may raise anything when its error is asked what it is
        return Trouble("Exception", None, "an error that cannot say what it is")


def _trouble_from(error: BaseException, filename: str, source: str) -> Trouble:
    if isinstance(error, SyntaxError):
        return Trouble(type(error).__name__, error.lineno, error.msg)
    message = str(error).strip().split("\n")[0]
    kinds = tuple(base.__name__ for base in type(error).__mro__)
    last, trace = None, error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == filename:
            last = trace
        trace = trace.tb_next
    if last is None:
        return Trouble(type(error).__name__, None, message, _nearest(error, {}), kinds)
    near = _nearest(error, last.tb_frame.f_globals)
    called = last.tb_next.tb_frame if last.tb_next else None
    operator, operands = operands_of(error, last.tb_frame, last.tb_lasti, source, called)
    return Trouble(type(error).__name__, last.tb_lineno, message, near, kinds, operator, operands)


_KEYWORDS = ("axis", "keepdims", "dtype", "initial", "where", "ddof")  # of numpy's functions


def _nearest(error: BaseException, names: Mapping[str, object]) -> str:
    """Return what a misspelled name may have meant: an attribute, an argument; for a bare name, numpy's function.

    Parameters
    ----------
    error : BaseException
        What was raised.
    names : mapping
        The names of the cell, to find the arguments of a function that it calls.
    """
    if isinstance(error, AttributeError) and error.name:
        near = difflib.get_close_matches(error.name, {*dir(error.obj)} - {error.name}, n=1)
        return near[0] if near else ""
    if isinstance(error, NameError) and error.name in vars(np):
        return f"np.{error.name}"
    pattern = r"(?:(\w+)\(\) got an )?unexpected keyword argument '(\w+)'"
    if isinstance(error, TypeError) and (found := re.search(pattern, str(error))):
        called = names.get(found[1])
        code = called.__code__ if isinstance(called, types.FunctionType) else None
        known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if code else _KEYWORDS
        return next(iter(difflib.get_close_matches(found[2], known, n=1)), "")
    return ""


@dataclass(frozen=True)
class Surroundings:
    """What a sentence about an error may refer to.

    Attributes
    ----------
    source : str
        The cell.
    arguments : tuple of str
        The function's arguments.
    exercises : dict of str to str
        Every exercise and its number.
    earlier : collection of str
        Those that come before this one: the functions a check lends.
    live : mapping
        What the notebook holds; empty outside a notebook.
    part : Slice or None
        The answer, where the cell holds one.
    sizes : mapping of str to int
        The symbols of the example that is spoken of, and their sizes.
    """

    source: str
    arguments: tuple[str, ...]
    exercises: dict[str, str]
    earlier: Collection[str] = ()
    live: Mapping[str, object] = field(default_factory=dict)
    part: Slice | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)


def explain(trouble: Trouble, around: Surroundings) -> list[str]:
    """Return two or three lines: where it happened, a likely cause, one thing to do."""
    code = line_of(trouble, around).strip()
    place = f"line {trouble.line}, `{_short(code)}`," if code else "the call"
    if trouble.kind == "NameError" and (found := re.search(r"name '(\w+)'", trouble.message)):
        return _unknown_name(found[1], trouble, around)
    if trouble.kind == "KeyboardInterrupt":
        return [
            "interrupted before it returned.",
            "Does a loop never end? Check what changes from one turn to the next.",
        ]
    if trouble.kind == "SystemExit":
        return [f"{place} ends the program instead of returning.", "Take `exit` or `quit` out; `return` the result."]
    if trouble.kind == "NotDefined":
        return [
            "run alone, the cell does not define it.",
            "Does the definition stand under an `if` that is not true there? Write it at the left margin.",
        ]
    if trouble.kind == "NotCallable":
        return [
            f"the name holds a value of type {trouble.message}, not a function.",
            "Begin with `def`, and use the name for nothing else in this cell.",
        ]
    if trouble.kind == "NotImplementedError":
        where = f"line {trouble.line}" if trouble.line else "the stub's last line"
        return [f"{where}, `raise NotImplementedError`, is still reached.", "Delete it, and `return` your own result."]
    if trouble.kind in ("SyntaxError", "IndentationError", "TabError"):
        if not trouble.line:
            return [f"the cell is not Python: {trouble.message}."]
        return [
            f"line {trouble.line} is not Python: {trouble.message}.",
            f"The line reads `{_short(code)}`.",
        ]
    if code.startswith("raise ") or ": raise " in code:
        return [
            f"{place} raised {trouble.kind}.",
            f"It says: {_short(trouble.message, 120)}",
            "This input has an answer. Is the condition above that line turned around?",
        ]
    operands = shape_lines(trouble.operator, trouble.operands, trouble.message, code, around.sizes)
    said = trouble.kind, trouble.message, code, trouble.near
    if lines := cause_of(*said, CLOSER) or operands or cause_of(*said, CAUSES):
        return [f"{place} raised {trouble.kind}.", *lines]
    return [f"{place} raised {trouble.kind}.", f"It says: {_short(trouble.message, 120)}", UNKNOWN]


def line_of(trouble: Trouble, around: Surroundings) -> str:
    """Return the line of the cell that raised, as it was typed; empty where it is none of the cell's."""
    lines = around.source.splitlines()
    return lines[trouble.line - 1] if trouble.line and trouble.line <= len(lines) else ""


def _unknown_name(name: str, trouble: Trouble, around: Surroundings) -> list[str]:
    where = f"line {trouble.line} uses `{name}`" if trouble.line else f"the cell uses `{name}`"
    if name in around.arguments and line_of(trouble, around)[:1].isspace():
        return [
            f"{where}, which is an argument of the function, known inside it only.",
            "A helper function has arguments of its own, or is defined inside.",
        ]
    number = around.exercises.get(name)
    if number and name not in around.earlier:
        return [
            f"{where}, which is exercise {number} and comes later.",
            "A check lends you the functions of earlier exercises only.",
            "Write that step here, in lines of your own.",
        ]
    if number:
        return [
            f"{where}, which is exercise {number} and has not passed its check yet.",
            "A check lends you functions that have passed, as they passed.",
            f"Finish {number} first, then run this check again.",
        ]
    if isinstance(around.live.get(name), types.ModuleType):
        return [
            f"{where}, a module that another cell imports.",
            f"The check runs this cell alone: write `import {name}` in it.",
        ]
    if same := [one for one in around.arguments if one != name and one.lower() == name.lower()]:
        return [f"{where}, a name that nothing defines.", f"Did you mean `{same[0]}`?"]
    if name in around.live:
        given = ", ".join(f"`{argument}`" for argument in around.arguments)
        given = f"Its arguments: {given}" if len(around.arguments) < 7 else "Its arguments stand in its first line"
        return [
            f"{where}, which the notebook holds but the cell does not.",
            "The check runs this cell alone, on other data: use the arguments, and what the cell itself defines.",
            "Write that function in this cell too, or do without it."
            if callable(around.live[name])
            else f"{given}. Which did you mean?",
        ]
    if trouble.near:
        return [f"{where}, a name that nothing defines.", f"Did you mean `{trouble.near}`?"]
    near = difflib.get_close_matches(name, [*around.arguments, *around.earlier, "np"], n=1, cutoff=0.7)
    return [
        f"{where}, a name that nothing defines.",
        f"Did you mean `{near[0]}`?" if near else "Is it misspelled, or is a line missing above it?",
    ]


def did_you_mean(caller: str, got: str, names: Collection[str]) -> str:
    """Return what to say of a name that does not exist."""
    near = difflib.get_close_matches(str(got), names, n=1, cutoff=0.0)
    return f"{caller}: got the name {got!r}. Did you mean {near[0]!r}?"
