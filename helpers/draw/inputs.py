"""What the pictures accept, and what they say about the rest: what was got, what was expected, what to do."""

import operator
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal, SupportsIndex, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from helpers.draw.text import clean

Kind = Literal["weights", "differences", "scores", "values"]

# Finer than any picture shows, coarser than what differs between numpy versions: the same bytes everywhere.
_DECIMALS: Final = 9
_TOLERANCE: Final = 1e-6
LOWEST: Final[dict[Kind, float]] = {"weights": 0.0, "differences": -1.0}  # of the kinds that end at 1


def numbers(values: ArrayLike, kind: Kind, *, ndim: int, advice: str) -> NDArray[np.float64]:
    """Return the values, quantized, after checking that they can be drawn as `kind`.

    Parameters
    ----------
    values : array
        What the caller passed.
    kind : {"weights", "differences", "scores", "values"}
        What the numbers mean.
    ndim : int
        How many axes they must have.
    advice : str
        What to do where they have not.

    Returns
    -------
    array
        A new float64 array of the same shape.

    Raises
    ------
    ValueError
        Where they are no real finite numbers, have other axes, are empty, or are weights outside 0 to 1 or
        differences of weights outside -1 to 1.
    """
    if kind not in get_args(Kind):
        raise ValueError(f"kind is {kind!r}; expected one of {', '.join(map(repr, get_args(Kind)))}.")
    array = _real(values)
    if array.ndim != ndim or array.size == 0:
        wanted = {1: "one axis, (M,)", 2: "two axes, (M, N)"}[ndim]
        raise ValueError(f"got an array of shape {array.shape}; expected {wanted}, none of them empty. {advice}")
    if not np.isfinite(array).all():
        place, found = _first(array, ~np.isfinite(array))
        raise ValueError(f"got {found} at {place}; expected finite numbers. Look for an overflow before this picture.")
    if (low := LOWEST.get(kind)) is not None:
        outside = (array < low - _TOLERANCE) | (array > 1 + _TOLERANCE)
        if outside.any():
            place, found = _first(array, outside)
            raise ValueError(
                f"got the {kind.removesuffix('s')} {found:g} at {place}; expected {kind} from {low:g} to 1. "
                'Take the softmax over the keys (axis 0) first, or pass kind="scores".'
            )
        array = np.clip(array, low, 1.0)
    # Python's round is exact; adding zero turns -0.0 into 0.0.
    return np.array([round(v, _DECIMALS) + 0.0 for v in array.ravel().tolist()]).reshape(array.shape)


def tokens(labels: Sequence[str], count: int, *, name: str, axis: str) -> list[str]:
    """Return the labels, cleaned, after checking that there is one for each of `count` rows, columns or bars."""
    if isinstance(labels, str):
        raise ValueError(
            f"{name} is one string, {labels!r}; expected a list of {count}. Try {name}={labels!r}.split()."
        )
    if len(labels) != count:
        raise ValueError(f"{name} has {len(labels)} labels, but there are {count} {axis}. Give one label for each.")
    return [clean(label) for label in labels]


def chosen(selected: SupportsIndex | None, count: int, *, axis: str, name: str = "selected") -> int | None:
    """Return the selected index, counted from 0, after checking that it exists."""
    if selected is None:
        return None
    index = operator.index(selected)
    if not 0 <= index < count:
        raise ValueError(
            f"{name} is {index}; expected 0 to {count - 1}, as there are {count} {axis} and code counts from 0."
        )
    return index


def increasing(values: list[float], *, name: str) -> list[float]:
    """Return the values of a horizontal axis, after checking that each of at least two lies right of the last."""
    if len(values) < 2:
        raise ValueError(f"{name} holds {len(values)} number; expected at least 2. An axis needs a start and an end.")
    for i, (before, after) in enumerate(pairwise(values), start=1):
        if after <= before:
            raise ValueError(
                f"{name}[{i}] is {after:g}, after {before:g}; expected growing numbers. Sort {name} first."
            )
    return values


def _real(values: ArrayLike) -> NDArray[np.float64]:
    try:
        array = np.asarray(values)
        if not np.iscomplexobj(array):
            return array.astype(np.float64)
    except (TypeError, ValueError):
        pass  # ragged lists and words end here, too
    raise ValueError(
        f"got {type(values).__name__} that does not turn into an array of real numbers. "
        "Check its rows: equally long, numbers only, not complex."
    )


def _first(array: NDArray[np.float64], where: NDArray[np.bool_]) -> tuple[str, float]:
    """Return the place of the first entry `where` points at, in words, and the entry."""
    index = tuple(int(i) for i in np.argwhere(where)[0])
    return "index [" + ", ".join(map(str, index)) + "]", float(array[index])
