"""An error in the student's code, in words: the line, what happened, and a likely cause."""

from __future__ import annotations

import difflib
import re
import traceback
import types
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from helpers.parameters import Head, Layer

UNKNOWN = "Run the function on the paper example yourself, and print what each line gives."


@dataclass(frozen=True)
class Trouble:
    """An error as plain data: its type's name, the cell's line it came from, its message."""

    kind: str
    line: int | None
    message: str
    near: str = ""  # the nearest name that exists, where one was misspelled
    kinds: tuple[str, ...] = ()  # the names of the classes it is one of, its own among them


def trouble_from(error: BaseException, filename: str) -> Trouble:
    """Return the trouble in `error`, with the last line of `filename` that took part."""
    if isinstance(error, SyntaxError):
        return Trouble(type(error).__name__, error.lineno, error.msg)
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == filename]
    message = str(error).strip().split("\n")[0]
    kinds = tuple(base.__name__ for base in type(error).__mro__)
    return Trouble(type(error).__name__, lines[-1] if lines else None, message, _nearest(error), kinds)


def _nearest(error: BaseException) -> str:
    """Return what a misspelled attribute may have meant; for a bare name, numpy's function of that name."""
    if isinstance(error, AttributeError) and error.name:
        near = difflib.get_close_matches(error.name, {*dir(error.obj)} - {error.name}, n=1)
        return near[0] if near else ""
    if isinstance(error, NameError) and error.name in vars(np):
        return f"np.{error.name}"
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
    """

    source: str
    arguments: tuple[str, ...]
    exercises: dict[str, str]
    earlier: Collection[str] = ()
    live: Mapping[str, object] = field(default_factory=dict)


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
    if cause := _cause(trouble, code):
        return [f"{place} raised {trouble.kind}.", *cause]
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


def _cause(trouble: Trouble, code: str) -> list[str]:
    """Return what the commonest errors of matrix code mean, and what to do; empty for any other.

    Parameters
    ----------
    trouble : Trouble
        The error.
    code : str
        The line that raised it.
    """
    message = trouble.message
    if ("matmul" in message or "not aligned" in message) and re.search(r"\bX\[(?!:\s*,).*\bhead", code):
        return ["The parameters of a head expect all D rows of X.", "What is a slice of X taken for?"]
    if ("matmul" in message or "not aligned" in message) and not re.search(r"@|dot|matmul|einsum", code):
        return [
            "The arguments of the function that is called there do not fit together.",
            "Do they stand in the order that its first line names, and have the shapes its docstring names?",
        ]
    if found := re.search(r"matmul.*\(size (\d+) is different from (\d+)\)", message):
        return _inner_sizes(found[2], found[1])
    if found := re.search(r"shapes \((?:\d+,)?(\d+),?\) and \((\d+),(?:\d+)?\) not aligned", message):
        return _inner_sizes(found[1], found[2])
    if re.search(r"np\.(max|min)\(", code) and ("scalar" in message or trouble.kind in ("AxisError", "TypeError")):
        return [
            "`np.max` takes one array, and an axis.",
            "`np.maximum` compares two arrays, or an array and a number, entry by entry.",
        ]
    if "could not broadcast input array" in message and re.search(r"\[:, *\w+\] *=", code):
        return ["`X[:, n]` is flat, (D,), and what it is to hold is not.", "`X[:, n : n + 1]` is a column, (D, 1)."]
    if "could not broadcast input array" in message:
        return [
            "The array on the right has another shape than the place on the left.",
            "Print both shapes. Of an odd number of rows, every second one from row 0 is one more than from row 1."
            if "::2" in code
            else "Print both shapes. Is a size written as a number, where it should be taken from an argument?",
        ]
    if "could not be broadcast" in message or "broadcast together" in message:
        if "@" not in code and not re.search(r"\(\d+,\)", message) and re.search(r"\w\)? \* \(?\w", code):
            return ["`*` multiplies entry by entry, and the shapes do not fit.", "Did you mean the product, `@`?"]
        return [
            "Two arrays meet entry by entry, and their shapes do not fit.",
            "A column that goes with every token has shape (rows, 1). Print both shapes before that line.",
        ]
    if trouble.kind == "AttributeError" and (found := re.search(r"has no attribute '(\w+)'", message)):
        for what in (Head, Layer):
            if f"'{what.__name__}' object" in message:
                parts = f"{', '.join(what._fields[:-1])} and {what._fields[-1]}"
                return [f"A {what.__name__.lower()} has no `{found[1]}`.", f"It holds {parts}."]
        is_field = found[1] in {*Head._fields, *Layer._fields}
        if is_field and ("'list' object" in message or "'tuple' object" in message):
            return [f"A list has no `{found[1]}`; its items have.", "Take one of them, or hand over the whole list."]
        if is_field and "'numpy.ndarray' object" in message:
            return [
                f"An array has no `{found[1]}`; a head or a layer has.",
                "Was one head handed over where a list of heads is wanted, or are two arguments exchanged?",
            ]
        meant = f" Did you mean `{trouble.near}`?" if trouble.near else ""
        return [f"There is nothing named `{found[1]}`.{meant}"]
    if found := re.search(r"unexpected keyword argument '(\w+)'", message):
        return [f"The function called there has no argument `{found[1]}`.", "Is it misspelled, as `keepdims` often is?"]
    if "must have the same shape" in message or "inhomogeneous" in message:
        return [
            "Arrays of different shapes do not stack into one.",
            "Is one of them a pair, output and weights, where one of them is meant? Else keep them apart, in a list.",
        ]
    if "must match exactly" in message:
        return [
            "Arrays that are joined along one axis must have the same size along the other.",
            "axis=0 puts one below the other, axis=1 side by side. Which one do the shapes allow?",
        ]
    if "truth value of an array" in message:
        return [
            "`max`, `min`, `if` and `and` of Python want one number, and got an array.",
            "`np.max` finds the largest number along an axis; `np.maximum` compares two arrays entry by entry.",
        ]
    if "converted to Python scalar" in message or "must be real number" in message:
        name = found[1] if (found := re.search(r"math\.(\w+)", code)) else "exp"
        return ["The functions of `math` take one number.", f"Those of numpy take an array: `np.{name}`."]
    if "method" in message and trouble.kind == "TypeError":
        return ["A method is named there but not called.", "Does it need parentheses, as in `S.max(axis=0)`?"]
    if trouble.kind == "MemoryError":
        return [
            "That line makes an array too large for the memory.",
            "Which of its numbers are needed? Make only those.",
        ]
    if "ndarray' object is not callable" in message:
        return [
            "Round brackets call a function, and got an array. Square brackets take entries of an array.",
            "Is a function wanted as an argument? Hand it over uncalled; `lambda X: ...` makes one on the spot.",
        ]
    if "'function' object is not subscriptable" in message:
        return ["Square brackets take entries of an array, and got a function.", "Round brackets call it: `f(X)`."]
    if "bitwise_xor" in message or "for ^" in message:
        return ["`^` is no power in Python.", "A power is written `**`."]
    if "as a data type" in message:
        return ["The shape of a new array is one argument, a pair.", "It has brackets of its own: `np.zeros((3, 4))`."]
    if "concatenate(" in code and trouble.kind == "TypeError":
        return ["The arrays to be joined are one argument, a list.", "The axis is the other."]
    if "__index__" in message or "as an integer" in message or "only integers, slices" in message:
        return ["An index, a size and a range are whole numbers.", "`/` makes numbers with decimals; `//` does not."]
    if "unsupported operand" in message and "'function'" in message:
        return ["A function stands there that is not called.", "Call it with its argument, as in `f(X)`."]
    if "'float' object is not subscriptable" in message or "'float' object has no attribute 'shape'" in message:
        return [
            "A single number stands there, and the line takes a part of it.",
            "That argument may be one number too.",
        ]
    if trouble.kind == "IndexError" and "list index" in message:
        return ["An index is larger than the list.", "How many items does it hold? Code counts from 0."]
    if "too many indices" in message:
        return ["The array has fewer axes than the line asks for.", "Print its shape before that line."]
    if found := re.search(r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)", message):
        return [
            f"Index {found[1]} is asked for; along axis {found[2]} there are {found[3]}, counted from 0.",
            "Are row and column exchanged, or does a loop or a sum run too far?",
        ]
    if trouble.kind == "IndexError":
        return ["An index is larger than the matrix.", "Are row and column exchanged, or does a loop run too far?"]
    if "read-only" in message or "can't set attribute" in message:
        return ["The input may not be changed.", "Make a new array instead of writing into the argument."]
    if trouble.kind == "UnboundLocalError":
        return ["That line uses a name before any line has given it a value.", "Which line should stand above it?"]
    if trouble.kind == "TypeError" and ("positional argument" in message or "keyword argument" in message):
        if trouble.line:
            return [
                f"It says: {_short(message, 120)}",
                "The first line of the function that is called there names its arguments, in their order.",
            ]
        return [
            "The check calls it with the arguments that the first line of the stub names.",
            "Put that line back as it was.",
        ]
    if trouble.kind == "AxisError" or ("axis" in message and "out of bounds" in message):
        return ["A matrix has axis 0 (down a column) and axis 1 (along a row).", "Which of the two did you mean?"]
    if trouble.kind == "RecursionError":
        return ["The function calls itself without end.", "Which function did you mean to call?"]
    return []


def _inner_sizes(columns: str, rows: str) -> list[str]:
    return [
        f"In a product `a @ b` the columns of a ({columns}) must be as many as the rows of b ({rows}).",
        "Write both shapes beside the line. Which factor needs `.T`, or should they change places?",
    ]


def _short(text: str, limit: int = 40) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
