"""The known steps of an exercise: what stands in the variables of our solutions while an example is computed.

`attention refresh` stores them, numbers only, so that a check can recognize a student's variables.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpers.course import course
from helpers.examples import examples
from helpers.examples.example import AGAIN
from helpers.learn.watch import Call, Seen, named, watch_calls
from helpers.teach import solutions
from helpers.teach.course_folder import solutions_folder
from helpers.truth import Stage

Array = NDArray[np.float64]

DIGITS = 7  # of the largest magnitude: a check compares with a millionth of it
MOST_EXAMPLES = 3  # of one exercise
MOST_NUMBERS = 2000  # of one example: a larger one shows nothing that a smaller one does not

# What a call of these is the first, second ... of is said by a stage's head and layer, not by its name.
HEAD, LAYER = "head_output", "transformer_layer"
OF_HEADS, OF_LAYERS = ("multihead", "two_heads"), ("stack",)


def stored_stages(notebook: str) -> dict[str, dict[str, list[Stage]]]:
    """Return the stages of a notebook's exercises: for each exercise, under the position of each chosen example."""
    return {
        exercise.function: {str(index): stages for index, stages in chosen(exercise.function).items()}
        for exercise in course().exercises_of(notebook)
    }


def chosen(function: str) -> dict[int, list[Stage]]:
    """Return the stages of the examples of an exercise that tell most: small ones on which no two stages are alike.

    On the others, the paper examples among them, a stage equals an argument or another stage by chance, and a variable
    that is recognized there may be something else.
    """
    found = {
        index: stages_on(function, index)
        for index, example in enumerate(examples(function))
        if not (example.refuses or example.near)
    }
    small = {index: stages for index, stages in found.items() if 0 < _size(stages) <= MOST_NUMBERS}
    kinds = {index: _kinds(stages) for index, stages in small.items()}
    second = sorted(kinds.values())[-2:-1]  # two examples at least, if there are so many
    again = {index for index in small if examples(function)[index].label == AGAIN}
    best = sorted(
        (index for index in small if kinds[index] >= min(second, default=0)),
        key=lambda index: (-kinds[index], index in again, _alike(function, index), _size(small[index]), index),
    )
    return {index: small[index] for index in sorted(best[:MOST_EXAMPLES])}


def _kinds(stages: Sequence[Stage]) -> int:
    """Return how many kinds of stages there are, however many heads, layers and turns of a loop."""
    return len({re.sub(r"\[\d+\]| \d+$", "", stage.name) for stage in stages})


def _size(stages: Sequence[Stage]) -> int:
    return sum(stage.value.size for stage in stages)


def _alike(function: str, index: int) -> int:
    """Return how many sizes of an example are alike: where one fits for another, less is told apart."""
    sizes = list(examples(function)[index].sizes.values())
    return len(sizes) - len(set(sizes))


def stages_on(function: str, index: int) -> list[Stage]:
    """Return the stages of one example, in the order in which they are computed.

    Each array of each variable in the frames of our solutions, under the name of the function and of the variable.
    What equals an argument is left out, and of equal ones all but the one nearest to the exercise.
    """
    answer, arguments = solutions.function(function), examples(function)[index].arguments
    filenames = [str(path) for path in solutions_folder().glob("*.py")]
    seen, calls = watch_calls(answer, filenames, arguments)
    taken = [*named([str(k) for k in range(len(arguments))], arguments).values()]
    names = _Names(calls)
    # Of equals the one of a head or a layer stays, and of those the outer one.
    ordered = sorted(_steps(seen, calls), key=lambda pair: (-sum(map(bool, names.place(pair[1].call))), pair[1].call))
    kept: list[tuple[int, Seen]] = []
    for position, one in ordered:
        if not any(_equal(one.value, other) for other in taken):
            taken.append(one.value)
            kept.append((position, one))
    turns: Counter[tuple[int, str]] = Counter()
    several = Counter((one.call, one.name) for _, one in kept)
    stages = []
    for _, one in sorted(kept, key=lambda pair: pair[0]):
        turns[one.call, one.name] += 1
        turn = f" {turns[one.call, one.name]}" if several[one.call, one.name] > 1 else ""
        head, layer = names.place(one.call)
        stages.append(Stage(f"{names.function(one.call)}.{one.name}{turn}", head, layer, one.value))
    return stages


def _steps(seen: Sequence[Seen], calls: Mapping[int, Call]) -> Iterator[tuple[int, Seen]]:
    """Yield what is a step, with its position.

    No argument of an inner call, no buffer that is still being filled, no constant, nothing infinite.
    """
    for position, one in enumerate(seen):
        if one.line == calls[one.call].line:
            continue
        later = next((two for two in seen[position + 1 :] if (two.call, two.name) == (one.call, one.name)), None)
        filled = later is not None and later.value.shape == one.value.shape and (later.value == one.value).any()
        plain = one.name and "()" not in one.name and np.isfinite(one.value).all() and np.ptp(one.value) > 0
        if plain and not filled:
            yield position, one


def _equal(one: Array, other: Array) -> bool:
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-12, atol=1e-12))  # rounding only


class _Names:
    """How the calls of our functions are told apart."""

    def __init__(self, calls: Mapping[int, Call]) -> None:
        self.calls = calls
        self.turn: dict[int, int] = {}
        counts: Counter[tuple[int, str]] = Counter()
        for number, call in calls.items():
            if not call.function.startswith("<"):
                counts[self._unit(number), call.function] += 1
                self.turn[number] = counts[self._unit(number), call.function]
        self.counts = counts

    def _outer(self, number: int) -> int:
        """Return the call of a named function that a call was made from; 0 for the first."""
        parent = self.calls[number].parent
        while parent and self.calls[parent].function.startswith("<"):
            parent = self.calls[parent].parent
        return parent

    def _unit(self, number: int) -> int:
        """Return the head, the layer or the answer in which a call was made."""
        outer = self._outer(number)
        while outer and self.calls[outer].function not in (HEAD, LAYER) and self._outer(outer):
            outer = self._outer(outer)
        return outer

    def function(self, number: int) -> str:
        """Return the function's name, and which call of it this is where there are several: "project 2"."""
        if number not in self.turn:
            number = self._outer(number)  # a comprehension's variables are its function's
        name = self.calls[number].function
        counted = name in (HEAD, LAYER) or self.counts[self._unit(number), name] == 1
        return name if counted else f"{name} {self.turn[number]}"

    def place(self, number: int) -> tuple[int, int]:
        """Return which head and which layer a call belongs to, counted from 1; 0 where there is but one."""
        head = layer = 0
        while number:
            outer = self._outer(number)
            within = self.calls[outer].function if outer else ""
            if self.calls[number].function == HEAD and within in OF_HEADS:
                head = self.turn[number]
            if self.calls[number].function == LAYER and within in OF_LAYERS:
                layer = self.turn[number]
            number = outer
        return head, layer


def as_stored(stage: Stage, array: dict[str, Any]) -> dict[str, Any]:
    """Return a stage as one line of the store: its name, its place where it has one, and its array."""
    place = {key: value for key, value in (("head", stage.head), ("layer", stage.layer)) if value}
    return {"name": stage.name, **place, **array}
