"""Which values of a watched function were made from which, as far as the names that each statement reads tell."""

from __future__ import annotations

import re
from collections.abc import Sequence

from helpers.learn.watch import RETURNED, Seen


def is_returned(name: str) -> bool:
    """Return whether a name is that of the result, or of a part of it."""
    return name == RETURNED or name[0] in "[."


class Flow:
    """Which values were made from which, as far as the names that each statement reads tell."""

    def __init__(self, seen: Sequence[Seen]) -> None:
        self.made_from: list[set[int]] = []
        self.partial = [self._is_partial(k, seen) for k in range(len(seen))]
        latest: dict[tuple[int, str], set[int]] = {}  # the values that a name stands for now
        for k, one in enumerate(seen):
            sources = {j for name in one.uses for j in latest.get((one.call, name), ())}
            # What a call noted goes into the next value of whoever called.
            sources |= self._inner(k, seen)
            self.made_from.append(sources - {k})
            base = base_of(one.name)
            mine = latest.setdefault((one.call, base), set())
            if base == one.name and not self._is_partial_of(k, seen, mine):
                mine.clear()
            mine.add(k)
        self.together = _together(seen)
        self.returned = {k for k, one in enumerate(seen) if is_returned(one.name)}
        self.makes: list[set[int]] = [set() for _ in seen]
        for k, sources in enumerate(self.made_from):
            for j in sources:
                self.makes[j].add(k)

    @staticmethod
    def _inner(k: int, seen: Sequence[Seen]) -> set[int]:
        """Return what inner calls returned, or last held, just before a value."""
        found: set[int] = set()
        j = k - 1
        while j >= 0 and (seen[j].call, seen[j].line) == (seen[k].call, seen[k].line) and seen[j].name != seen[k].name:
            j -= 1  # several names in one statement: `a, b = pair(X)`
        while j >= 0 and seen[j].call > seen[k].call:
            last_of_call = j == k - 1 or seen[j + 1].call != seen[j].call
            if last_of_call or seen[j].name.partition("()")[1]:
                found.add(j)
            j -= 1
        return found

    @staticmethod
    def _is_partial(k: int, seen: Sequence[Seen]) -> bool:
        """Return whether a value is a buffer that is still being filled: what comes next keeps some of its entries."""
        one = seen[k]
        later = next((two for two in seen[k + 1 :] if (two.call, two.name) == (one.call, one.name)), None)
        if later is None or later.value.shape != one.value.shape:
            return False
        return _keeps(later, one) and not bool((later.value == one.value).all())

    @staticmethod
    def _is_partial_of(k: int, seen: Sequence[Seen], earlier: set[int]) -> bool:
        """Return whether a value continues an earlier one in place: what went into that went into this."""
        return any(
            seen[j].name == seen[k].name and seen[j].value.shape == seen[k].value.shape and _keeps(seen[k], seen[j])
            for j in earlier
        )

    def after(self, k: int) -> set[int]:
        """Return everything that was made from a value, directly or not."""
        return _reached(k, self.makes)

    def before(self, k: int) -> set[int]:
        """Return everything that a value was made from, directly or not."""
        return _reached(k, self.made_from)


def _keeps(later: Seen, one: Seen) -> bool:
    """Return whether some entries are as they were; zeros and ones are alike in many arrays."""
    same = later.value == one.value
    return bool((same & (one.value != 0) & (one.value != 1)).any())


def _together(seen: Sequence[Seen]) -> list[set[int]]:
    """Return, for each value, those that one statement gave together: what went into one may not be in the other."""
    groups: list[set[int]] = []
    for k, one in enumerate(seen):
        last = groups[-1] if groups else set()
        same = k and (seen[k - 1].call, seen[k - 1].line) == (one.call, one.line)
        groups.append(last if same and all(seen[j].name != one.name for j in last) else set())
        groups[-1].add(k)
    return groups


def _reached(start: int, edges: Sequence[set[int]]) -> set[int]:
    found: set[int] = set()
    todo = [start]
    while todo:
        for k in edges[todo.pop()] - found:
            found.add(k)
            todo.append(k)
    return found


def base_of(name: str) -> str:
    """Return the variable of a name: ``heads`` of ``heads[1]``."""
    return re.split(r"[\[.(]", name, maxsplit=1)[0]
