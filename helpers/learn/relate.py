"""How a value is related to the known steps: it is one, it is harmless, or it differs by something plain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from helpers.learn.compare import finite, number
from helpers.learn.watch import Seen
from helpers.truth import Stage

Array = NDArray[np.float64]

# Of the largest magnitude. Stages are stored to seven digits. What is only close to a step (float32, another eps) is
# not called that step, and not called wrong either.
EQUAL, CLOSE = 2e-6, 3e-4


@dataclass(frozen=True)
class Match:
    """How a value is related to what is known.

    Attributes
    ----------
    kind : str
        ``step``, ``turned``, ``other`` (an argument, a by-product, a part, a constant, something close to a step),
        ``order``, ``off``, ``times``, or empty for a value that is none of these.
    stage : Stage or None
        The step, where it is related to one.
    said : str
        What is added to the step's word, where it is not the step itself: "without `beta_q`".
    """

    kind: str
    stage: Stage | None = None
    said: str = ""

    @property
    def right(self) -> bool:
        """Whether the value is a right step, as it is or turned over."""
        return self.kind in ("step", "turned")

    @property
    def known(self) -> bool:
        """Whether the value need not be looked at any further."""
        return self.right or self.kind == "other"


def is_equal(one: Array, other: Array, limit: float = EQUAL) -> bool:
    """Return whether two arrays of one size are equal within a part of the other's largest magnitude."""
    largest = float(np.max(np.abs(other))) or 1.0
    return bool(np.max(np.abs(one - other)) <= limit * largest)


@dataclass
class _Pool:
    """Arrays of one shape as the rows of a matrix, so that a value is compared with all at once."""

    rows: list[Array] = field(default_factory=list)
    tags: list[Match] = field(default_factory=list)
    matrix: Array | None = None
    largest: Array | None = None

    def find(self, value: Array) -> tuple[Match | None, bool]:
        """Return what equals a value, and whether anything is close to it."""
        if self.matrix is None or self.largest is None:
            self.matrix = np.array(self.rows)
            self.largest = np.abs(self.matrix).max(axis=1)
        off = np.abs(self.matrix - value.ravel()).max(axis=1)
        hits = np.flatnonzero(off <= EQUAL * self.largest)
        return (self.tags[int(hits[0])] if len(hits) else None), bool((off <= CLOSE * self.largest).any())


class Known:
    """The steps, and everything that is harmless."""

    def __init__(self, stages: Sequence[Stage], arguments: Mapping[str, Array], expected: Sequence[Array]) -> None:
        self.stages, self.arguments = stages, arguments
        self.pools: dict[tuple[int, ...], _Pool] = {}
        for stage in stages:
            self._add(stage.value, Match("step", stage))
        for result in expected:
            self._add(result, Match("step"))
        for stage in stages:
            if stage.value.ndim == 2:
                self._add(stage.value.T, Match("turned", stage, "turned over"))
        given: list[tuple[Array, Stage | None]] = [(stage.value, stage) for stage in stages]
        given += [(value, None) for value in (*expected, *arguments.values())]
        given = [(base, stage) for base, stage in given if base.ndim in (1, 2) and base.size]
        self.bases = [base for base, _ in given]
        for base, origin in given:
            for product in (base, *_by_products(base)):
                for one in (product, product.T) if product.ndim == 2 else (product,):
                    self._add(one, Match("other", origin))

    def _add(self, value: Array, tag: Match) -> None:
        if value.size and np.isfinite(value).all():
            pool = self.pools.setdefault(value.shape, _Pool())
            pool.rows.append(np.ascontiguousarray(value).ravel())
            pool.tags.append(tag)

    def find(self, value: Array) -> tuple[Match | None, bool]:
        """Return what equals a value, and whether anything is close to it."""
        pool = self.pools.get(value.shape)
        return pool.find(value) if pool else (None, False)

    def is_part(self, value: Array) -> bool:
        """Return whether each row, or each column, of a value is one of a single known array."""
        flat = value.ravel()
        for base in self.bases:
            if base.ndim == 1:
                continue
            for one in (base, base.T):
                # A row or column by itself, in whatever shape.
                if one.shape[1] == flat.size and (np.abs(one - flat).max(axis=1) <= CLOSE * np.abs(base).max()).any():
                    return True
                if value.ndim == 2 and value.shape[0] < one.shape[0] and value.shape[1] == one.shape[1]:
                    off = np.abs(value[:, np.newaxis, :] - one[np.newaxis]).max(axis=2)
                    if (off.min(axis=1) <= CLOSE * np.abs(base).max()).all():
                        return True
        return False


def _by_products(base: Array) -> Iterator[Array]:
    """Yield what is computed on the way from one step to the next in many styles, and is no mistake.

    Sums run down the columns. Where tokens are rows, they are those of the array turned over.
    """
    for keep in (True, False):
        yield base.sum(axis=0, keepdims=keep)
        yield base.mean(axis=0, keepdims=keep)
        yield base.max(axis=0, keepdims=keep)
    yield base**2
    yield np.sqrt(np.abs(base))
    yield np.log(np.where(base > 0, base, 1.0))
    if base.ndim != 2:
        return
    deviations = base - base.mean(axis=0)
    yield deviations
    yield deviations**2
    for keep in (True, False):
        yield (deviations**2).sum(axis=0, keepdims=keep)
        yield base.std(axis=0, keepdims=keep)
        yield base.var(axis=0, keepdims=keep)
    for largest in (base.max(axis=0), base.max(), np.zeros(1)):
        shifted = base - largest
        yield shifted
        if shifted.max() < 500:  # above, the exponential overflows
            powers = np.exp(shifted)
            yield powers
            yield powers.sum(axis=0)
            yield powers.sum(axis=0, keepdims=True)


def related(one: Seen, known: Known) -> Match:
    """Return how one value is related to what is known."""
    value = one.value
    found, close = known.find(value) if finite(value) and value.size else (None, False)
    if found is not None:
        return found
    if _is_constant(value):
        return Match("other")
    if not finite(value):
        return Match("")
    if value.ndim == 3:
        return _of_slices(value, known)
    if close or known.is_part(value):
        return Match("other")
    if value.size < 3:
        return Match("")
    return _differing(value, known) or Match("")


def _of_slices(value: Array, known: Known) -> Match:
    """Return how a block of matrices, one a head, is related to what is known."""
    found = [known.find(part)[0] for part in value]
    if all(match is not None and match.right for match in found):
        return Match("step")
    return Match("other" if all(found) else "")


def _is_constant(value: Array) -> bool:
    """Return whether a value is a mask, a buffer of zeros or ones, or counts positions: no step of a drawn example."""
    if value.size == 0:
        return True
    entries = np.unique(value[~np.isnan(value)])
    small = len(entries) <= 2 or (value.size > 4 and len(entries) <= 3 and bool(np.isin(0, entries)))
    whole = bool(np.isfinite(entries).all()) and bool((entries == np.round(entries)).all())
    return (small and not np.isnan(value).any() and value.size > 2) or (whole and value.size > 2)


def _differing(value: Array, known: Known) -> Match | None:
    """Return which step a value differs from by an input, a factor, or the order of its rows or columns."""
    if value.ndim != 2:
        return None
    steps = [stage for stage in known.stages if stage.value.shape == value.shape]
    columns = {
        name: argument for name, argument in known.arguments.items() if argument.shape in (value.shape, (len(value), 1))
    }
    for stage in steps:
        for name, argument in columns.items():
            if not np.any(argument):
                continue
            if is_equal(value, stage.value + argument):
                if "weighted" in stage.name and " " in stage.name and argument.shape != value.shape:
                    return Match("off", stage, f"with `{name}` in its place")
                return Match("off", stage, f"plus `{name}`")
            if is_equal(value, stage.value - argument):
                return Match("off", stage, f"minus `{name}`")
    for stage in sorted(steps, key=lambda stage: not stage.name.endswith(".products")):
        position = int(np.argmax(np.abs(stage.value)))
        factor = float(value.flat[position] / stage.value.flat[position])
        if factor and is_equal(value / factor, stage.value):
            return _times(stage, factor)
    if value.size >= 6:
        for stage in steps:
            for name, mine, true in (("rows", value, stage.value), ("columns", value.T, stage.value.T)):
                if _reordered(mine, true):
                    return Match("order", stage, f"with its {name} in another order")
    return None


def _times(stage: Stage, factor: float) -> Match:
    """Return the match of a value that is a step times a constant."""
    rows = stage.value.shape[0]
    shares = (rows**-0.5, rows**-0.25)
    if stage.name.endswith((".Q", ".K")) and any(abs(factor - share) < 1e-5 for share in shares):
        return Match("other")  # the scale may be given to the queries or the keys
    if abs(factor) < 0.999 and abs(1 / factor - round(1 / factor)) < 1e-5:
        return Match("times", stage, f"divided by {round(1 / factor)}")
    return Match("times", stage, f"times {number(round(factor, 5))}")


def _reordered(mine: Array, true: Array) -> bool:
    limit = EQUAL * float(np.max(np.abs(true)))
    off = np.abs(mine[:, np.newaxis, :] - true[np.newaxis]).max(axis=2) <= limit
    return bool(off.any(axis=1).all() and off.any(axis=0).all() and not off.diagonal().all())
