"""How a mistake is named: the two lines that follow what was got and what was expected."""

from __future__ import annotations

from collections.abc import Collection

from helpers.learn.fingerprints import Made, sentences
from helpers.learn.words import WIDTH, capital

# No store holds every mistake: what may be another one is said openly.
TWO, SEVERAL, WHICH = "Two things at once, it seems", "Perhaps ", " Is it one of these?"
OTHER = "the other one may be any of several. Take this one out first, then run the check again."


def name_lines(ways: Collection[Made]) -> list[str]:
    """Return two lines that name a mistake: what the numbers show, and what to ask oneself.

    Parameters
    ----------
    ways : collection of frozenset of str
        Each way that gives the numbers: one mistake, or two made together.

    Returns
    -------
    list of str
        Empty where the ways have too little in common to be said in two lines: two pairs that share no mistake are
        four guesses, of which two at least are false.
    """
    parts = _factors(ways)
    clauses = [_distinct(part) for part in parts]
    if len(clauses) == 1 and len(clauses[0]) > 1:
        choices = [_several_lines(clauses[0])]
    elif len(clauses) == 1:
        shows, asks = sentences(parts[0][0])
        choices = [[f"{_beginning(shows)}.", asks]]
    elif len(clauses) == 2:
        first, second = sorted(map(_either, clauses), key=len)
        certain = next((one[0] for one in clauses if len(one) == 1), "")
        choices = [[f"{TWO}: {first};", f"and {second}."], [f"{TWO}: {certain};", OTHER] if certain else []]
    else:
        choices = []
    return next((lines for lines in choices if lines and _fit(lines)), [])


def name_line(ways: Collection[Made]) -> str:
    """Return the same in one line, to stand below an error; empty where one does not hold it."""
    lines = name_lines(ways)
    if lines and lines[0].startswith((TWO, SEVERAL)):
        lines = [" ".join(lines).replace(WHICH, "")]
    return lines[0] if lines and _fit(lines[:1]) else ""


def _fit(lines: Collection[str]) -> bool:
    return max(map(len, lines)) <= WIDTH


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
    """Return the clauses of several mistakes, each once, without what explains it after a colon."""
    return list(dict.fromkeys(sentences(name)[0].partition(":")[0] for name in names))


def _either(clauses: list[str]) -> str:
    return clauses[0] if len(clauses) == 1 else "either " + ", or ".join(clauses)


def _several_lines(clauses: list[str]) -> list[str]:
    front, back = clauses[: (len(clauses) + 1) // 2], clauses[(len(clauses) + 1) // 2 :]
    last = f"or {', or '.join(back)}."
    return [SEVERAL + ", or ".join(front) + ",", last + WHICH if _fit([last + WHICH]) else last]


def _beginning(clause: str) -> str:
    """Return a clause as the beginning of a sentence; a symbol, such as f, keeps its letter."""
    return f"Here {clause}" if clause[1:2] == " " and clause[0] != "a" else capital(clause)
