"""How a mistake is named: the two lines that follow what was got and what was expected."""

from __future__ import annotations

from collections.abc import Collection

from helpers.learn.fingerprints import Made, sentences

WIDTH = 160  # no line of a verdict is longer


def name_lines(ways: Collection[Made]) -> list[str]:
    """Return two lines that name a mistake: what the numbers show, and what to ask oneself.

    Parameters
    ----------
    ways : collection of frozenset of str
        Each way that gives the numbers: one mistake, or two made together.

    Returns
    -------
    list of str
        Empty where the ways have too little in common to be said in two lines.
    """
    parts = _factors(ways)
    if not parts:
        return []
    clauses = [_distinct(part) for part in parts]
    if len(clauses) == 1:
        (shows,) = clauses
        asks = sentences(parts[0][0])[1]
        lines = [f"{_capital(shows[0])}.", asks] if len(shows) == 1 else _either_lines(shows)
    else:
        first, second = sorted(map(_either, clauses), key=len)
        lines = [f"Two things at once, it seems: {first};", f"and {second}."]
    return lines if max(map(len, lines)) <= WIDTH - 2 else []  # a verdict indents them by two


def _factors(ways: Collection[Made]) -> list[list[str]]:
    """Return the mistakes of a class, sorted: [[a, b]] for "a or b", [[a, b], [c]] for "a or b, and c"."""
    ordered = sorted(map(sorted, ways))
    if not ordered:
        return []
    if all(len(way) == 1 for way in ordered):
        return [[way[0] for way in ordered]]
    names = sorted({name for way in ordered for name in way})
    for first in ([name] for name in names):
        # Those that never go together with the first are its alternatives.
        left = [name for name in names if {first[0], name} not in map(set, ordered)]
        right = [name for name in names if name not in left]
        if len(left) * len(right) == len(ordered) and all({a, b} in map(set, ordered) for a in left for b in right):
            return [left, right]
    return []


def _distinct(names: Collection[str]) -> list[str]:
    """Return the clauses of several mistakes, each once."""
    return list(dict.fromkeys(sentences(name)[0] for name in names))


def _either(clauses: list[str]) -> str:
    return clauses[0] if len(clauses) == 1 else "either " + ", or ".join(clauses)


def _either_lines(clauses: list[str]) -> list[str]:
    front, back = clauses[: (len(clauses) + 1) // 2], clauses[(len(clauses) + 1) // 2 :]
    last = f"or {', or '.join(back)}."
    question = " Which one is it in your code?"
    return ["Either " + ", or ".join(front) + ",", last + question if len(last + question) <= WIDTH - 2 else last]


def _capital(clause: str) -> str:
    return clause[:1].upper() + clause[1:]
