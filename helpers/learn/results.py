"""What a function returned, read as plain numbers, so that no object of the student's is asked to judge itself."""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# How a result is built: None stands for one array, a tuple for a list of results, each with a layout of its own.
Layout: TypeAlias = "tuple[Layout, ...] | None"

# Bound at import: the student's code may rename numpy's functions, and must not change what is judged.
_asarray, _MaskedArray = np.asarray, np.ma.MaskedArray
_is_masked: Any = np.ma.is_masked  # numpy 1.26 gives it no type
_ndarray, _float16, _float32, _float64 = np.ndarray, np.float16, np.float32, np.float64

REAL_KINDS = "uif"  # unsigned, integer, float


class Unreadable(Exception):
    """What was returned is not the numbers that were asked for; the message says what it is."""


@dataclass(frozen=True)
class Reading:
    """Numbers as they were returned.

    Attributes
    ----------
    arrays : tuple of array
        One float64 array for each array that was expected, in order, whatever lists they stand in.
    single : bool
        Whether any of them came in float32, which is compared more loosely.
    other : str
        What came where an array was expected, if it could be read as one: "a list"; empty if arrays came.
    """

    arrays: tuple[Array, ...]
    single: bool = False
    other: str = ""


def read(value: Any, layout: Layout = None) -> Reading:
    """Return `value` as plain float64 arrays.

    Parameters
    ----------
    value : object
        Anything `np.asarray` turns into real numbers; or, as `layout` says, a list or tuple of such.
    layout : Layout
        What is expected.

    Raises
    ------
    Unreadable
        If it is something else. The message is one sentence for the student.
    """
    found = _read_all(value, layout, ())
    arrays = [array for array, _ in found]
    other = next((_kind(item) for array, item in found if array.ndim and type(item) is not _ndarray), "")
    single = any(array.dtype == _float32 for array in arrays)
    return Reading(tuple(array.astype(_float64) for array in arrays), single, other)


def layout_of(value: Any) -> Layout:
    """Return how a result of ours is built."""
    return tuple(layout_of(part) for part in value) if isinstance(value, (list, tuple)) else None


def _read_all(value: Any, layout: Layout, position: tuple[int, ...]) -> list[tuple[NDArray[Any], Any]]:
    """Return the arrays of a result, or of the part of it that stands at a position, each with what it was before."""
    where = " of ".join(f"item {k}" for k in reversed(position))
    got, holds = (f"{where} of what it returned {verb}" if where else "returned" for verb in ("is", "holds"))
    if layout is None:
        if isinstance(value, (list, tuple)) and any(isinstance(part, _ndarray) and part.ndim > 1 for part in value):
            raise Unreadable(
                f"{got} {_kind(value)} of {len(value)} arrays, expected one: join them, or return the one asked for."
            )
        return [(_read_array(value, got), value)]
    what = "lists" if any(part is not None for part in layout) else "arrays" if len(layout) > 1 else "array"
    # Equal shapes stacked along a new axis are as good as a list of them.
    if not isinstance(value, (list, tuple)) and not (isinstance(value, _ndarray) and value.ndim > 2):
        _refuse_no_result(value, got)
        raise Unreadable(f"{got} {_kind(value)}, expected {len(layout)} {what} in a list or tuple.")
    if what == "lists" and isinstance(value, (list, tuple)) and _repeats_a_list(value):
        raise Unreadable(f"{holds} one list twice: `a = b = []` gives one list two names, `[[]] * 2` repeats it.")
    if len(value) != len(layout):
        things = "thing" if len(value) == 1 else "things"
        raise Unreadable(f"{holds} {len(value)} {things}, expected {len(layout)} {what}.")
    return [
        pair
        for k, (part, inner) in enumerate(zip(value, layout, strict=True), start=1)
        for pair in _read_all(part, inner, (*position, k))
    ]


def _repeats_a_list(value: list[Any] | tuple[Any, ...]) -> bool:
    """Return whether one list stands in two places of another: what is written into one stands in the other, too."""
    lists = [part for part in value if isinstance(part, list)]
    return len({id(part) for part in lists}) < len(lists)


def _refuse_no_result(value: Any, got: str) -> None:
    """Refuse what stands where a result was forgotten or not computed; `got` begins the sentence."""
    if value is None:
        why = (
            "no `return` handed back a value, and printing is not returning"
            if got == "returned"
            else "a result is missing"
        )
        raise Unreadable(f"{got} None: {why}.")
    if isinstance(value, types.GeneratorType):
        raise Unreadable(
            f"{got} a generator: `yield` makes one, and so do round brackets around a loop. Square ones make a list."
        )
    if isinstance(value, types.CoroutineType):
        value.close()
        raise Unreadable(f"{got} a coroutine: write `def` without `async`.")
    if callable(value):
        raise Unreadable(f"{got} a function: it was named but not called.")


def _read_array(value: Any, got: str) -> NDArray[Any]:
    _refuse_no_result(value, got)
    if isinstance(value, _MaskedArray) and _is_masked(value):
        raise Unreadable(f"{got} a masked array with masked entries: every entry needs a number.")
    try:
        array: NDArray[Any] = _asarray(value)
    except Exception as error:  # noqa: BLE001  an object's own conversion may raise anything
        raise Unreadable(f"{got} {_kind(value)} that is not a matrix of numbers ({type(error).__name__}).") from None
    if array.dtype.kind == "c":
        raise Unreadable(f"{got} complex numbers, expected real ones.")
    if array.dtype == _float16:
        raise Unreadable(f"{got} float16, which keeps only three digits: use float64.")
    if array.dtype.kind == "b":
        what = "of True and False, expected numbers" if array.ndim else "that is True or False, expected a number"
        raise Unreadable(f"{got} {_kind(value)} {what}.")
    if array.dtype.kind not in REAL_KINDS:
        what = "an array of objects" if isinstance(value, _ndarray) else _kind(value)
        raise Unreadable(f"{got} {what}, expected an array of numbers.")
    return array


def _kind(value: Any) -> str:
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' or name == 'ndarray' else 'a'} {name}"
