"""What passes between the trusted process and a fork, as JSON: nothing that comes back is executed, or believed.

A fork's answer may be anything a student's code could write into the pipe. What is read of it is numbers, and text of
bounded length; all else is `Garbled`.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpers.learn.errors import Trouble
from helpers.learn.results import Layout, Reading
from helpers.learn.run import Outcome
from helpers.learn.watch import Seen

Array = NDArray[np.float64]

MOST_SEEN = 400  # variables of one answer; the most of all recorded ones is 41, and each costs the judge a millisecond
LONGEST_TEXT, LONGEST_NAME, MOST_DIMENSIONS = 300, 80, 64  # numpy's own limit on dimensions


class Garbled(ValueError):
    """A fork wrote something else than an answer."""


@dataclass(frozen=True)
class Job:
    """What one fork does: run an answer on examples, or watch its variables on one of them.

    Attributes
    ----------
    function : str
        The exercise.
    source : str
        The student's cell, magics emptied.
    statements : tuple of int
        Which of its top-level statements are the answer, by their positions.
    lent : str
        The source of the earlier exercises' functions that it uses: ours.
    order : tuple of int
        In which order the examples are called, the public ones counted first.
    layouts : tuple of Layout
        How the result of each example is built.
    watch : int or None
        The example on which to watch the variables, instead of running all.
    """

    function: str
    source: str
    statements: tuple[int, ...]
    lent: str
    order: tuple[int, ...]
    layouts: tuple[Layout, ...]
    watch: int | None = None


def pack_job(job: Job) -> bytes:
    """Return a job as it is sent."""
    return json.dumps(vars(job)).encode()


def unpack_job(raw: bytes) -> Job:
    """Return the job that was sent. It comes from the trusted side."""
    content = json.loads(raw)
    layouts = tuple(_tuples(layout) for layout in content.pop("layouts"))
    positions = {name: tuple(content[name]) for name in ("statements", "order")}
    return Job(**{**content, **positions, "layouts": layouts})


def _tuples(layout: Any) -> Layout:
    return None if layout is None else tuple(_tuples(part) for part in layout)


# --- a fork's answer


def pack(answer: Trouble | Sequence[Outcome] | Sequence[Seen]) -> bytes:
    """Return what a fork sends: why the cell could not be run, what its calls gave, or what was seen."""
    if isinstance(answer, Trouble):
        return json.dumps({"trouble": _from_trouble(answer)}).encode()
    seen = [_from_seen(one) for one in answer if isinstance(one, Seen)][:MOST_SEEN]
    return json.dumps({"all": seen or [_from_outcome(one) for one in answer if isinstance(one, Outcome)]}).encode()


def unpack_outcomes(raw: bytes, layouts: Sequence[Layout]) -> Trouble | list[Outcome]:
    """Return what the calls of a fork gave.

    Parameters
    ----------
    raw : bytes
        What came through the pipe.
    layouts : sequence of Layout
        How the result of each call is built.

    Raises
    ------
    Garbled
        If it is not that.
    """
    found = _items(raw)
    if isinstance(found, Trouble):
        return found
    if len(found) != len(layouts):
        raise Garbled(f"expected {len(layouts)} results, got {len(found)}")
    outcomes: list[Outcome] = [_guarded(_to_outcome, one) for one in found]
    for outcome, layout in zip(outcomes, layouts, strict=True):
        if outcome.reading and len(outcome.reading.arrays) != _leaves(layout):
            raise Garbled(f"expected {_leaves(layout)} arrays, got {len(outcome.reading.arrays)}")
    return outcomes


def unpack_seen(raw: bytes) -> list[Seen]:
    """Return what a fork saw of an answer's variables; nothing where the cell could not be run.

    Raises
    ------
    Garbled
        If it is not that.
    """
    found = _items(raw)
    if isinstance(found, Trouble):
        return []
    if len(found) > MOST_SEEN:
        raise Garbled(f"expected at most {MOST_SEEN} variables, got {len(found)}")
    return [_guarded(_to_seen, one) for one in found]


def _items(raw: bytes) -> Trouble | list[Any]:
    try:
        content = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise Garbled(f"not an answer ({type(error).__name__})") from None
    if isinstance(content, dict) and "trouble" in content:
        found: Trouble = _guarded(_to_trouble, content["trouble"])
        return found
    if not isinstance(content, dict) or not isinstance(content.get("all"), list):
        raise Garbled("not an answer")
    items: list[Any] = content["all"]
    return items


def _guarded(make: Any, content: Any) -> Any:
    try:
        return make(content)
    except Garbled:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise Garbled(f"not an answer ({type(error).__name__})") from None


def _leaves(layout: Layout) -> int:
    """Return how many arrays a result of this layout holds."""
    return 1 if layout is None else sum(map(_leaves, layout))


def _from_array(array: Array) -> dict[str, Any]:
    return {"shape": array.shape, "data": base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()}


def _to_array(content: Any) -> Array:
    shape = tuple(_count(size) for size in content["shape"])
    raw = base64.b64decode(content["data"], validate=True)
    if len(shape) > MOST_DIMENSIONS or prod(shape) * 8 != len(raw):
        raise Garbled(f"an array of shape {shape[:MOST_DIMENSIONS]} with {len(raw)} bytes")
    return np.frombuffer(raw, dtype=np.float64).reshape(shape).copy()


def _from_trouble(trouble: Trouble) -> dict[str, Any]:
    return {**vars(trouble), "message": trouble.message[:LONGEST_TEXT]}


def _to_trouble(content: Any) -> Trouble:
    return Trouble(
        _text(content["kind"], LONGEST_NAME),
        None if content["line"] is None else _count(content["line"]),
        _text(content["message"]),
        _text(content["near"], LONGEST_NAME),
        tuple(_text(kind, LONGEST_NAME) for kind in content["kinds"][:20]),
        _text(content["operator"], LONGEST_NAME),
        tuple(
            (_text(name), None if shape is None else tuple(_count(size) for size in shape[:MOST_DIMENSIONS]))
            for name, shape in content["operands"][:10]
        ),
    )


def _from_outcome(outcome: Outcome) -> dict[str, Any]:
    reading = outcome.reading
    return {
        "arrays": None if reading is None else [_from_array(array) for array in reading.arrays],
        "single": reading is not None and reading.single,
        "other": reading.other if reading else "",
        "unreadable": outcome.unreadable,
        "trouble": None if outcome.trouble is None else _from_trouble(outcome.trouble),
        "changed": outcome.changed,
    }


def _to_outcome(content: Any) -> Outcome:
    arrays = content["arrays"]
    reading = (
        None
        if arrays is None
        else Reading(
            tuple(_to_array(one) for one in arrays), content["single"] is True, _text(content["other"], LONGEST_NAME)
        )
    )
    return Outcome(
        reading,
        _text(content["unreadable"]),
        None if content["trouble"] is None else _to_trouble(content["trouble"]),
        tuple(_count(position) for position in content["changed"][:20]),
    )


def _from_seen(seen: Seen) -> dict[str, Any]:
    return {**vars(seen), "value": _from_array(seen.value), "uses": sorted(seen.uses)}


def _to_seen(content: Any) -> Seen:
    uses = frozenset(_text(name, LONGEST_NAME) for name in content["uses"][:100])
    name, line, call = _text(content["name"], LONGEST_NAME), _count(content["line"]), _count(content["call"])
    return Seen(name, line, _to_array(content["value"]), call, uses)


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**31:
        raise Garbled(f"{str(value)[:20]!r} where a count is expected")
    return value


def _text(value: Any, longest: int = LONGEST_TEXT) -> str:
    if not isinstance(value, str):
        raise Garbled("no text where one is expected")
    return printable(value[:longest])


def printable(text: str) -> str:
    """Return a text without what a terminal or a page would take for something else."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
