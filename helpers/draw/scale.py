"""Scales: how far an axis or a ramp reaches, and where its ticks stand."""

import math
from collections.abc import Iterable


def reach(values: Iterable[float], limit: float | None, *, name: str = "limit") -> float:
    """Return the magnitude that a scale symmetric around zero ends on.

    Parameters
    ----------
    values : iterable of float
        What the scale has to hold.
    limit : float or None
        The end the caller wants, so that several pictures share one scale; by default the largest magnitude.
    name : str
        What the caller knows the limit as.

    Returns
    -------
    float
        The end; 1 where every value is zero.

    Raises
    ------
    ValueError
        Where `limit` is not positive or leaves a value outside.
    """
    largest = max(map(abs, values))
    if limit is None:
        return largest or 1.0
    if not (0 < limit < math.inf):
        raise ValueError(f"{name} has to be a positive number; got {limit}. Leave it out to fit it to the values.")
    if largest > limit + 1e-9:
        raise ValueError(
            f"{name} is {limit:g}, but the largest magnitude is {largest:g}. "
            f"Raise {name} to at least that, or leave it out to fit it to the values."
        )
    return float(limit)


def tick_step(limit: float) -> float:
    """Return the step 1, 2 or 5 times a power of ten that puts one to three ticks between 0 and `limit`."""
    coarse = limit / 3
    exponent = int(f"{coarse:e}".partition("e")[2])  # from the digits: a logarithm may fall short of a whole number
    return next(step for step in (float(f"{m}e{exponent}") for m in (1, 2, 5, 10)) if step >= coarse)


def ticks(limit: float) -> list[float]:
    """Return the multiples of the tick step from -`limit` to `limit`."""
    return ticks_between(-limit, limit)


def ticks_between(low: float, high: float, *, coarser: int = 1) -> list[float]:
    """Return the multiples of a round step from `low` to `high`, at most seven; fewer where it is `coarser`."""
    step = tick_step(coarser * (high / 2 - low / 2))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    # Digits, not decimals: the steps of a very short axis are steps, too.
    return [float(f"{i * step:.12g}") for i in range(first, last + 1)]
