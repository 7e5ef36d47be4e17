"""The student's functions as an explorer calls them: on copies, quietly, and with words for what goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from helpers.course import Exercise, course
from helpers.examples import examples
from helpers.learn import portfolio
from helpers.learn.compare import finite
from helpers.learn.errors import Surroundings, trouble_from
from helpers.learn.judge import judge
from helpers.learn.results import Array, Layout, Unreadable, read
from helpers.learn.run import copied, own_names, quiet, run
from helpers.truth import truth

Shape = tuple[int, ...]


class NotDrawn(Exception):
    """There is no picture of what a function did; the message says what that was."""


class Student:
    """The functions of some exercises.

    Parameters
    ----------
    functions : mapping of str to object
        What stands under each exercise's name; anything at all.
    **optional : object
        The same for optional exercises. None stands for the student's own function, once its check has passed.

    Attributes
    ----------
    notices : list of str
        For each function that is missing or wrong, which exercise to finish.
    unfinished : bool
        Whether one of them is missing, so that nothing can be drawn.
    """

    def __init__(self, functions: Mapping[str, Any], **optional: Any) -> None:
        found = {name: _passed(name) if function is None else function for name, function in optional.items()}
        self._functions = {**functions} | {name: one for name, one in found.items() if one is not None}
        standings = {name: _standing(name, function) for name, function in self._functions.items()}
        self.unfinished = "missing" in standings.values()
        self.notices = [
            _NOTICES[standing](course().exercises[name]) for name, standing in standings.items() if standing
        ]

    def has(self, name: str) -> bool:
        """Return whether there is a function of an optional exercise."""
        return name in self._functions

    def call(self, name: str, *arguments: Any, shapes: tuple[Shape, ...], layout: Layout = None) -> tuple[Array, ...]:
        """Return what a function gives, as float64 arrays.

        Parameters
        ----------
        name : str
            The exercise.
        arguments : object
            What it is called with; copies, which it may change.
        shapes : tuple of shape
            The shape of each array that it should return.
        layout : Layout
            How they are held together, as in `results.read`.

        Raises
        ------
        NotDrawn
            If it raises, or returns something else, or nan or inf.
        """
        try:
            with quiet(), own_names():
                found = read(self._functions[name](*copied(arguments)), layout).arrays
        except Unreadable as complaint:
            raise NotDrawn(f"{name} {complaint}") from None
        except BaseException as error:  # noqa: BLE001  SystemExit and KeyboardInterrupt from the student's code too
            trouble = trouble_from(error, f"<cell of {name}>")
            raise NotDrawn(f"{name} raised {trouble.kind}: {trouble.message or 'without a message'}.") from None
        for array, shape in zip(found, shapes, strict=True):
            if array.shape != shape:
                raise NotDrawn(f"{name} returned an array of shape {array.shape}, expected {shape}. Run its check.")
            if not finite(array):
                raise NotDrawn(f"{name} returned nan or inf, which no picture can hold. Run its check.")
        return found


def _passed(name: str) -> Any:
    """Return the student's own function from my_attention.py, or None where its check has not passed."""
    try:
        return portfolio.passed().get(name)
    except portfolio.Refused:  # a check says what is wrong with the file
        return None


def _standing(name: str, function: Any) -> str:
    """Return "missing" for a stub or no function at all, "wrong" for one that its check refuses, else nothing."""
    if not callable(function):
        return "missing"
    calls, true = examples(name), truth(name)
    outcomes = run(function, name, calls, true.layouts)
    if outcomes[0].trouble and outcomes[0].trouble.kind == "NotImplementedError":
        return "missing"
    with own_names():
        verdict = judge(course().exercises[name], true, calls, outcomes, Surroundings("", (), {}))
    return "" if verdict.status == "right" else "wrong"


def _finish(exercise: Exercise) -> str:
    return (
        f"this runs on your {exercise.function}. Finish exercise {exercise.number} in "
        f"{course().notebooks[exercise.notebook].file} first, then run this cell again."
    )


def _mend(exercise: Exercise) -> str:
    return (
        f"your {exercise.function} does not pass the check of exercise {exercise.number} in "
        f"{course().notebooks[exercise.notebook].file}. The check says why. "
        "What you see is what it gives now. Mend it, then run this cell again."
    )


_NOTICES: Mapping[str, Callable[[Exercise], str]] = {"missing": _finish, "wrong": _mend}
