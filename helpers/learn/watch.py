"""Run an answer once more under a line trace, and note which numbers stood in its variables.

Nothing here knows what is right: `recognize` compares what was seen with the steps of an exercise.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpers.learn.results import REAL_KINDS
from helpers.learn.run import copied, own_names, quiet

Array = NDArray[np.float64]

WATCHED_KINDS = REAL_KINDS + "b"  # a mask is no result, but what was made of it is
RETURNED = ""  # the name of what the answer returned

# Bounds on the work: a loop over entries must not cost more than a few hundredths of a second.
MOST_EVENTS = 100_000  # lines that ran; beyond that nothing is said of the variables
MOST_LOOKS = 40  # how often the variables are looked at after one line of one call
MOST_CALLS = 40  # how many calls of one function are watched
MOST_VALUES = 8  # how many values of one variable are kept in one call: the first ones, and the last
MOST_PARTS, MOST_DEPTH, MOST_ENTRIES = 64, 3, 10_000  # of a list of arrays; of one array

# Bound at import: the student's code may rename numpy's functions.
_array, _asarray, _ndarray, _float64 = np.array, np.asarray, np.ndarray, np.float64
_NUMBERS = (bool, int, float, np.number, np.bool_)


@dataclass(frozen=True)
class Seen:
    """What a variable held after a line.

    Attributes
    ----------
    name : str
        The variable, or the part of it, as its author would write it: ``heads[1]``. ``attend()`` is what a helper
        function of that name returned, the empty name what the answer returned.
    line : int
        The line that gave the variable this value, counted as the traceback counts.
    value : array
        A copy, in float64.
    call : int
        Which call of a function it belongs to: 1 is the call of the answer.
    uses : frozenset of str
        The variables that the statement read.
    """

    name: str
    line: int
    value: Array
    call: int
    uses: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Call:
    """A call that was watched: the function's name and first line, and the number of the call that made it, or 0."""

    function: str
    line: int
    parent: int


def watch(answer: Callable[..., Any], filename: str, arguments: Sequence[Any]) -> list[Seen]:
    """Return what stood in the variables of an answer, in the order in which it came there.

    Parameters
    ----------
    answer : callable
        What `run.build` returned.
    filename : str
        Only frames of this file are watched: the cell's own.
    arguments : sequence
        What to call it with. It gets copies.

    Returns
    -------
    list of Seen
        One for each value of each variable that is an array of numbers. What the answer returned is last. Where it
        raises, what was seen until then. Arguments of the call itself are not among them.
    """
    seen, _ = watch_calls(answer, [filename], arguments)
    return seen


def watch_calls(
    answer: Callable[..., Any], filenames: Collection[str], arguments: Sequence[Any]
) -> tuple[list[Seen], dict[int, Call]]:
    """Return the same as `watch` for frames of several files, and the calls by their numbers."""
    own = copied(arguments)
    watcher = _Watcher(frozenset(filenames), {id(part) for part in _all_parts(own)})
    before = sys.gettrace()
    try:
        with quiet(), own_names():
            sys.settrace(watcher.enter)
            try:
                value = answer(*own)
            finally:
                sys.settrace(before)
    except BaseException:  # noqa: BLE001  the student's code may raise anything; the judge has told what
        return watcher.everything(), watcher.calls
    returned = [Seen(RETURNED + tail, watcher.last_line, copy, 1, watcher.last_uses) for tail, copy in arrays_in(value)]
    return [*watcher.everything(), *returned], watcher.calls


def arrays_in(value: Any, name: str = "") -> Iterator[tuple[str, Array]]:
    """Yield the arrays of numbers in a value, each as a copy, under its name: `name`, ``name[0]``, ``name.omega_q``."""
    for tail, part in _parts(value):
        yield name + tail, _array(part, dtype=_float64)


def _parts(value: Any, depth: int = MOST_DEPTH) -> Iterator[tuple[str, Any]]:
    """Yield what an array of numbers can be made of, a list of numbers or of flat arrays among them."""
    if isinstance(value, _ndarray):
        if value.ndim and value.dtype.kind in WATCHED_KINDS and value.size <= MOST_ENTRIES:
            yield "", _asarray(value)
        return
    if not isinstance(value, (list, tuple, dict)) or not depth or not 0 < len(value) <= MOST_PARTS:
        return
    if isinstance(value, dict):
        items = [(f"[{key!r}]", part) for key, part in value.items()]
    elif hasattr(value, "_fields"):
        items = [(f".{field}", part) for field, part in zip(value._fields, value, strict=False)]
    else:
        if (rows := _rows(value)) is not None:
            yield "", rows
            return
        items = [(f"[{index}]", part) for index, part in enumerate(value)]
    for tail, part in items:
        for rest, array in _parts(part, depth - 1):
            yield tail + rest, array


def _rows(value: list[Any] | tuple[Any, ...]) -> Any:
    """Return a list of numbers, or of rows of equal length, as an array; None for any other."""
    if all(isinstance(part, _NUMBERS) for part in value):
        return _asarray(value, dtype=_float64)
    flat = [
        part for part in value if isinstance(part, _ndarray) and part.ndim == 1 and part.dtype.kind in WATCHED_KINDS
    ]
    listed = [part for part in value if isinstance(part, list) and all(isinstance(one, _NUMBERS) for one in part)]
    if len(value) in (len(flat), len(listed)) and len({len(part) for part in value}) == 1:
        return _asarray(value, dtype=_float64)
    return None


def _all_parts(value: Any) -> Iterator[Any]:
    """Yield a value, and what stands in it at any depth."""
    yield value
    if isinstance(value, (list, tuple)):
        for part in value:
            yield from _all_parts(part)


def reads(code: CodeType) -> dict[int, frozenset[str]]:
    """Return which variables the statement on each line reads; a statement may span several lines."""
    first: dict[int, int] = {}  # of each line, where its statement begins
    found: dict[int, set[str]] = {}
    for one in dis.get_instructions(code):
        place = one.positions
        if place is None or place.lineno is None:
            continue
        if "LOAD" in one.opname and any(kind in one.opname for kind in ("FAST", "NAME", "DEREF", "CLOSURE")):
            names = one.argval if isinstance(one.argval, tuple) else (one.argval,)
            found.setdefault(place.lineno, set()).update(names)
        # What jumps spans a whole loop; what computes or stores spans its own statement at most.
        whole = one.opname.startswith(("CALL", "BINARY", "BUILD", "COMPARE", "LIST", "STORE", "RETURN"))
        last = place.end_lineno if whole and place.end_lineno else place.lineno
        for line in range(place.lineno, last + 1):
            first[line] = min(place.lineno, first.get(line, place.lineno))
    groups: dict[int, set[str]] = {}
    for line in sorted(first):
        first[line] = first[first[line]]  # an inner span joins the outer one
        groups.setdefault(first[line], set()).update(found.get(line, ()))
    return {line: frozenset(groups[start]) for line, start in first.items()}


@dataclass
class _Frame:
    """What is known of one call while it runs."""

    number: int
    line: int
    reads: dict[int, frozenset[str]]  # which variables the statement of each line reads
    digests: dict[str, int] = field(default_factory=dict)  # of each name, as last seen
    lines: dict[str, int] = field(default_factory=dict)  # where each name changed last
    looks: dict[int, int] = field(default_factory=dict)  # how often it was looked at after each line
    skipped: bool = False  # whether lines ran since the last look


class _Watcher:
    """A trace function, and what it has noted."""

    def __init__(self, filenames: Collection[str], known: Collection[int]) -> None:
        self.filenames, self.known = filenames, known
        self.calls: dict[int, Call] = {}
        self.last_line, self.last_uses = 0, frozenset[str]()
        self._reads: dict[CodeType, dict[int, frozenset[str]]] = {}
        self._frames: dict[FrameType, _Frame] = {}
        self._calls_of: dict[CodeType, int] = {}
        self._noted: dict[tuple[int, str], list[tuple[int, Seen]]] = {}  # with the order in which they came
        self._events = self._order = 0

    def everything(self) -> list[Seen]:
        """Return what was noted, in order; nothing if it would be half of the truth."""
        self._frames.clear()
        if self._events > MOST_EVENTS:
            return []
        return [seen for _, seen in sorted((pair for kept in self._noted.values() for pair in kept), key=_order)]

    def enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Take a call; return what traces its lines, or None where it is not to be watched."""
        code = frame.f_code
        if event != "call" or code.co_filename not in self.filenames or self._events > MOST_EVENTS:
            return None
        if frame not in self._frames:  # a generator is entered again and again
            self._calls_of[code] = self._calls_of.get(code, 0) + 1
            if self._calls_of[code] > MOST_CALLS:
                return None
            number = len(self.calls) + 1
            self.calls[number] = Call(code.co_name, frame.f_lineno, self._caller(frame))
            if code not in self._reads:
                self._reads[code] = reads(code)
            self._frames[frame] = _Frame(number, frame.f_lineno, self._reads[code])
            self._look(frame, self._frames[frame])
        return self._step

    def _caller(self, frame: FrameType) -> int:
        back = frame.f_back
        while back is not None:
            if back in self._frames:
                return self._frames[back].number
            back = back.f_back
        return 0

    def _step(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Look at the variables when a line has run: that is when the next one begins, or the call ends."""
        known = self._frames.get(frame)
        self._events += 1
        if known is None or self._events > MOST_EVENTS:
            sys.settrace(None)
            return None
        looks = known.looks[known.line] = known.looks.get(known.line, 0) + 1
        if event == "return" or (event == "line" and looks <= MOST_LOOKS):
            self._look(frame, known)
            known.skipped = False
        elif event == "line":
            known.skipped = True
        if event == "return":
            self._leave(frame, known, argument)
        elif event == "line":
            known.line = frame.f_lineno
        return self._step

    def _leave(self, frame: FrameType, known: _Frame, value: Any) -> None:
        if known.number == 1:
            self.last_line, self.last_uses = known.line, known.reads.get(known.line, frozenset())
        elif not frame.f_code.co_name.startswith("<") and id(value) not in self.known:
            for tail, part in _parts(value):
                self._note(known, f"{frame.f_code.co_name}(){tail}", known.line, part)

    def _look(self, frame: FrameType, known: _Frame) -> None:
        """Note each variable that is new or changed."""
        for name, value in frame.f_locals.items():
            kind = type(value)
            if kind is int or kind is float or id(value) in self.known or name.startswith(("_", ".")):
                continue
            for tail, part in _parts(value):
                full = name + tail
                digest = hash((part.shape, part.dtype.str, part.tobytes()))
                if known.digests.get(full) == digest or id(part) in self.known:
                    continue
                known.digests[full] = digest
                # Where lines ran unseen, it is most likely the one that changed it before.
                line = known.lines.get(full, known.line) if known.skipped else known.line
                known.lines[full] = line
                self._note(known, full, line, part)

    def _note(self, known: _Frame, name: str, line: int, value: Any) -> None:
        kept = self._noted.setdefault((known.number, name), [])
        if len(kept) == MOST_VALUES:
            kept.pop()  # the last one stays the last
        self._order += 1
        used = known.reads.get(line, frozenset())
        kept.append((self._order, Seen(name, line, _array(value, dtype=_float64), known.number, used)))


def _order(pair: tuple[int, Seen]) -> int:
    return pair[0]


def named(names: Sequence[str], arguments: Sequence[Any]) -> Mapping[str, Array]:
    """Return the arrays among a call's arguments by their names: ``X``, ``head.omega_q``, ``heads[0].beta_k``."""
    pairs = zip(names, arguments, strict=False)
    return {full: array for name, value in pairs for full, array in arrays_in(value, name)}
