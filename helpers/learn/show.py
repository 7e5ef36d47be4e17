"""`show(name, value)`: your matrix and the true one, through one rounding."""

from __future__ import annotations

import builtins
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

from helpers.learn.compare import finite, number
from helpers.learn.errors import did_you_mean
from helpers.learn.results import Array, Unreadable, read
from helpers.learn.run import own_names
from helpers.truth import shown

_print = builtins.print  # bound now: a notebook may rename print later
_round, _array2string = np.round, np.array2string

DECIMALS = 3


def matrix_text(array: Array, *, whole: bool = False) -> str:
    """Return an array as every notebook prints it: three decimals, or none, columns aligned, no `-0.`."""
    if whole:
        return str(_array2string(array.astype(np.int64), max_line_width=200, threshold=sys.maxsize))
    return str(
        _array2string(
            _round(array, DECIMALS) + 0.0,
            precision=DECIMALS,
            suppress_small=True,
            max_line_width=200,
            threshold=sys.maxsize,
        )
    )


def show(name: str = "", value: Any = None) -> None:
    """Print your matrix and the true one below it.

    Parameters
    ----------
    name : str
        The name under which the true value is kept.
    value : array
        What your functions gave.
    """
    if not isinstance(name, str) or not name:
        _print("show: the name stands first, in quotes, as the cell gave it; your matrix comes second.")
        return
    try:
        mine = read(value).arrays[0]
    except Unreadable as complaint:
        _print(f"show {name}: your code {complaint}")
        return
    if record := os.environ.get("ATTENTION_RECORD"):
        # `attention refresh` runs the solutions and collects here what becomes the true value.
        with Path(record).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"name": name, "shape": mine.shape, "values": mine.ravel().tolist()}) + "\n")
        true = mine
    elif name in shown():
        true = shown()[name]
    else:
        _print(did_you_mean("show", name, shown()))
        return
    with own_names():
        whole = np.asarray(value).dtype.kind in "iub" and bool(np.all(true == np.round(true)))
        texts = [matrix_text(array, whole=whole) for array in (mine, true)]
        lines = ["Your answer:", texts[0], "True values:", texts[1], _agreement(mine, true)]
    _print("\n".join(lines))


def _agreement(mine: Array, true: Array) -> str:
    if mine.shape != true.shape:
        return f"Yours has shape {mine.shape}, expected {true.shape}."
    if not finite(mine):
        return "Yours holds nan or inf, the true values do not."
    difference = np.abs(mine - true)
    wrong = int(np.sum(~(difference <= 10.0**-DECIMALS)))
    if not wrong:
        return "They agree."
    return f"They differ in {wrong} of {true.size} numbers, by up to {number(float(np.max(difference)))}."
