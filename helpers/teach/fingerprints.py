"""What the recorded mistakes give on the examples: found by running them, and stored for `check` to look up.

Nothing here is written by hand but the mistakes themselves: which ones give the same numbers, which change nothing,
and which pairs differ from every single one is found by running them all.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from helpers.course import course
from helpers.examples import examples
from helpers.learn.errors import Trouble
from helpers.learn.fingerprints import ENOUGH, TOLERANCE, Made, Mark, mark, parse, written
from helpers.learn.pairs import print_of, same_pair, split, text_of
from helpers.learn.results import Unreadable, read
from helpers.learn.run import Outcome, copied, quiet
from helpers.teach.mistakes import Mistake, NotAPatch, Overlap, patched, possible_in, recorded, where
from helpers.truth import Truth

MOST = 4  # so many alternatives can be named in one verdict


@dataclass(frozen=True)
class Fingerprint:
    """What some ways of making mistakes all give: their names, and the marks."""

    ways: tuple[Made, ...]
    marks: tuple[Mark, ...]

    @property
    def names(self) -> str:
        """The names as they are stored."""
        return written(self.ways)

    @property
    def changes(self) -> bool:
        """Whether anything differs from the truth."""
        return any(one.kind != "=" for one in self.marks)

    def tells(self, function: str) -> bool:
        """Whether the examples give numbers enough to know it by.

        One is enough for a mistake of the exercise itself. Where one that is made in an early function raises on most
        examples, what is left may be too small to tell it from others.

        Zeros, equal columns and nan come of many slips, and so does a drawn number, which is compared with some room: a
        pair is known only where it gives other numbers, and these or what is right on more than half of the examples
        that give any.
        """
        if len(self.ways[0]) > 1:
            full = sum(one.numeric and not one.flat for one in self.marks)
            right = sum(one.kind == "=" for one in self.marks)
            empty = sum(one.flat or one.kind == "nan" for one in self.marks)
            if not full or full + right <= empty or any(example.near for example in examples(function)):
                return False
        own = any(recorded()[name].exercise == function for way in self.ways for name in way)
        raises = any(one.kind.startswith("!") for one in self.marks)
        return sum(one.numeric for one in self.marks) >= (ENOUGH if raises and not own else 1)


def outcomes(function: str, mistakes: Sequence[Mistake], true: Truth) -> list[Outcome]:
    """Return what an exercise's solution gives on its examples, with mistakes made."""
    answer = patched(function, mistakes)
    found = []
    with quiet():
        for example, layout in zip(examples(function), true.layouts, strict=True):
            try:
                found.append(Outcome(read(answer(*copied(example.arguments)), layout)))
            except Unreadable as complaint:
                found.append(Outcome(unreadable=str(complaint)))
            except Exception as error:  # noqa: BLE001  a mistake may raise anything
                kinds = tuple(base.__name__ for base in type(error).__mro__)
                found.append(Outcome(trouble=Trouble(type(error).__name__, None, str(error), kinds=kinds)))
    return found


def marks(function: str, mistakes: Sequence[Mistake], true: Truth) -> tuple[Mark, ...]:
    """Return the marks of mistakes made together, one for each example."""
    given = zip(outcomes(function, mistakes, true), true.values, examples(function), strict=True)
    return tuple(mark(*one) for one in given)


def survey(function: str, true: Truth) -> list[Fingerprint]:
    """Return the fingerprints of an exercise: of every single mistake, then of the pairs that no single one gives.

    A pair is two mistakes that can be made together, one of them at least in the exercise itself. Those that give the
    same are joined, the truth among them.
    """
    possible = possible_in(function)
    found = _Joined(len(examples(function)))
    for mistake in possible:
        found.add(frozenset([mistake.name]), marks(function, [mistake], true))
    singles = len(found.marks)
    for first, second in combinations(possible, 2):
        if first.exercise == function:
            try:
                found.add(frozenset([first.name, second.name]), marks(function, [first, second], true), after=singles)
            except Overlap:
                continue
    return [Fingerprint(tuple(ways), one) for ways, one in zip(found.ways, found.marks, strict=True)]


class _Joined:
    """Fingerprints, joined where they are alike."""

    def __init__(self, examples: int) -> None:
        self.ways: list[list[Made]] = []
        self.marks: list[tuple[Mark, ...]] = []
        self.kinds: dict[tuple[str, ...], list[int]] = {}
        self.values = np.zeros((0, examples))  # (capacity, number of examples)

    def add(self, way: Made, fresh: tuple[Mark, ...], after: int = 0) -> None:
        """Join one to those that are alike. A pair that is like one of the first `after`, the singles, is dropped."""
        kinds = tuple(one.kind for one in fresh)
        if after and all(kind == "=" for kind in kinds):
            return
        values = np.array([one.value if one.numeric else 0.0 for one in fresh])  # (number of examples,)
        # Half of what a look-up allows, so that each of those that are joined is found by the numbers of the first.
        room = np.array([TOLERANCE / 2 * one.size for one in fresh])  # (number of examples,)
        among = self.kinds.setdefault(kinds, [])
        close = np.all(np.abs(self.values[among] - values) <= room, axis=1)  # (len(among),)
        if close.any():
            index = among[int(np.argmax(close))]
            if index >= after:
                self.ways[index].append(way)
            return
        index = len(self.marks)
        if index == len(self.values):
            self.values = np.concatenate([self.values, np.zeros((max(64, index), len(fresh)))])
        self.values[index] = values
        among.append(index)
        self.ways.append([way])
        self.marks.append(fresh)


def fingerprints(notebook: str, true: Mapping[str, Truth]) -> dict[str, Any]:
    """Return what is stored of a notebook's mistakes: the sentences, and the fingerprints of each exercise.

    Raises
    ------
    NotAPatch
        If a mistake cannot be seen, or cannot be told; one line each.
    """
    exercises: dict[str, dict[str, str]] = {}
    accepted: dict[str, dict[str, str]] = {}
    pairs: dict[str, dict[str, str]] = {}
    problems: list[str] = []
    functions = [exercise.function for exercise in course().exercises_of(notebook)]
    for function, found in zip(functions, _surveys(functions, true), strict=True):
        singles = [one for one in found if len(one.ways[0]) == 1]
        exercises[function] = {
            one.names: " ".join(mark.text() for mark in one.marks)
            for one in singles
            if one.changes and one.tells(function)
        }
        if lines := _pair_lines(function, found[len(singles) :]):
            pairs[function] = lines
        same = sorted(name for one in found if not one.changes for way in one.ways for name in way)
        if same:
            accepted[function] = {name: _seen_in(name) for name in same}
        problems += _problems(function, found, true[function])
    if problems:
        raise NotAPatch("\n".join(problems))
    sentences = {
        mistake.name: [mistake.shows, mistake.asks]
        for mistake in recorded().values()
        if course().exercises[mistake.exercise].notebook == notebook
    }
    return {"sentences": sentences, "exercises": exercises, "accepted": accepted, "pairs": pairs}


def _surveys(functions: Sequence[str], true: Mapping[str, Truth]) -> list[list[Fingerprint]]:
    """Return the fingerprints of several exercises, found by as many processes as there are processors."""
    if not any(map(possible_in, functions)):
        return [[] for _ in functions]
    with ProcessPoolExecutor(min(len(functions), os.cpu_count() or 1)) as pool:
        # The last exercise of a notebook takes longest, and starts first.
        jobs = {name: pool.submit(survey, name, true[name]) for name in reversed(functions)}
        return [jobs[name].result() for name in functions]


def _pair_lines(function: str, pairs: Sequence[Fingerprint]) -> dict[str, str]:
    """Return for each mistake of an exercise its pairs on one line."""
    lines: dict[str, list[str]] = {}
    for one in pairs:
        if one.tells(function):
            whole = print_of(one.marks, examples(function))
            for way in one.ways:
                first, second = sorted(way, key=lambda name: (recorded()[name].exercise != function, name))
                lines.setdefault(first, []).append(text_of(second, whole))
    return {first: "".join(line) for first, line in lines.items()}


def _seen_in(name: str) -> str:
    """Return the exercise that can see a mistake."""
    mistake = recorded()[name]
    return recorded()[mistake.twin].exercise if mistake.twin in recorded() else mistake.exercise


def _problems(function: str, found: Iterable[Fingerprint], true: Truth) -> list[str]:
    """Return what an author must mend: mistakes of this exercise that nothing shows, or too many that are alike."""
    problems = []
    for one in found:
        own = [recorded()[name] for way in one.ways if len(way) == 1 for name in way]
        for mistake in (mistake for mistake in own if mistake.exercise == function):
            if one.changes and not one.tells(function):
                problems.append(
                    f"{where(mistake)}: gives no wrong number on any example of {function}, but "
                    f"{_instead(mistake, true)}. Mend `new`, or leave the mistake out: a slip that only raises is told "
                    "by its error."
                )
            if not one.changes and not mistake.twin:
                problems.append(
                    f"{where(mistake)}: changes no result of {function}. Add an example that shows it, or name a "
                    "`twin`: the same slip where a check can see it."
                )
            if mistake.twin and (one.changes or mistake.twin not in recorded()):
                problems.append(f"{where(mistake)}: its twin {mistake.twin!r} is not recorded, or it needs none.")
        shows = {mistake.shows for mistake in own}
        if one.changes and any(mistake.exercise == function for mistake in own) and len(shows) > MOST:
            problems.append(f"{function}: {one.names} give the same numbers; no more than {MOST} can be named at once.")
    return problems


def _instead(mistake: Mistake, true: Truth) -> str:
    """Return what a mistake gives that gives no number: its error in words, or what cannot be read."""
    given = [one for one in outcomes(mistake.exercise, [mistake], true) if one.trouble or one.unreadable]
    if not given:
        return "inf or nan"
    trouble = given[0].trouble
    return f"{trouble.kind}: {trouble.message}" if trouble else given[0].unreadable


def as_before(before: Mapping[str, str], fresh: Mapping[str, str]) -> dict[str, str]:
    """Return fresh lines of one exercise, each as stored where it differs by no more than a last digit."""
    return {
        names: before[names] if names in before and _same_line(before[names], line) else line
        for names, line in fresh.items()
    }


def _same_line(stored: str, fresh: str) -> bool:
    ours, new = parse(stored), parse(fresh)
    return len(ours) == len(new) and all(map(_same_mark, ours, new))


def _same_mark(stored: Mark, fresh: Mark) -> bool:
    if stored.kind != fresh.kind or stored.numeric != fresh.numeric:
        return False
    return not stored.numeric or abs(stored.value - fresh.value) <= TOLERANCE * abs(stored.value)


def pairs_as_before(before: Mapping[str, str], fresh: Mapping[str, str]) -> dict[str, str]:
    """Return fresh lines of pairs, each pair as stored where it differs by no more than a last digit."""
    return {first: _line_as_before(before.get(first, ""), line) for first, line in fresh.items()}


def _line_as_before(before: str, fresh: str) -> str:
    ours, new = split(before), split(fresh)
    same = len(ours) == len(new) and all(map(same_pair, ours, new))
    return before if same else fresh
