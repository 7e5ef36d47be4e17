"""Whose row it is: the students of a class, found by what an LMS writes about them."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from helpers.teach.grading.gradebook import Person

# What an LMS calls the files of a student: "lovelaceada_4711_99_01.ipynb", "Ada Lovelace_4711_assignsubmission_file_".
_LMS_KEY: Final = re.compile(r"(?P<name>.+?)(?:_late)?_(?P<number>\d+)(?:_.*)?", re.IGNORECASE | re.DOTALL)


class Students:
    """The students of a class, by everything that may tell who a row of an LMS's file is about."""

    def __init__(self, people: Iterable[Person]) -> None:
        self._by_mark: defaultdict[str, set[str]] = defaultdict(set)
        self._by_name: defaultdict[str, set[str]] = defaultdict(set)
        for person in people:
            made = _LMS_KEY.fullmatch(person.student)
            inside = (made["name"], made["number"]) if made else ()
            for mark in (person.student, person.id, person.email, *inside):
                self._by_mark[_mark(mark)].add(person.student)
            for name in (person.name, person.student, *inside[:1]):
                self._by_name[_name(name)].add(person.student)

    def whose(self, marks: Iterable[str], name: str) -> set[str]:
        """Return the students that a row may be about: exactly one where its cells tell.

        Parameters
        ----------
        marks : iterable of str
            The row's IDs, logins and email addresses, each of which belongs to one student.
        name : str
            The row's name, as "Ada Lovelace" or "Lovelace, Ada".

        Returns
        -------
        set of str
            Their keys. None where no cell fits anybody; several where the cells fit several alike, or where one cell
            fits one student and another cell another. Where two marks agree, and no mark tells another, the name is not
            asked.
        """
        told = {_mark(mark): self._by_mark.get(_mark(mark), set()) for mark in marks if _mark(mark)}
        known = [students for students in told.values() if students]
        agreed = set.intersection(*known) if known else set()
        if len(known) > 1 and len(agreed) == 1:
            return agreed
        last, _, first = name.partition(",")
        spelled = {_name(name), _name(f"{first} {last}")} - {""}
        named = [self._by_name.get(one, set()) for one in spelled]
        # Canvas writes a name into a file's name as "lovelaceada".
        named += [self._by_mark.get(one.replace(" ", ""), set()) for one in spelled]
        evidence = [students for students in (*known, set().union(*named)) if students]
        if not evidence:
            return set()
        return set.intersection(*evidence) or set.union(*evidence)


def _mark(text: str) -> str:
    return _composed(text).strip()


def _name(text: str) -> str:
    """Return a name's words in small letters, one space between them, without marks: Canvas's `="=Ada"` is "ada"."""
    return " ".join(re.findall(r"[^\W_]+", _composed(text)))


def _composed(text: str) -> str:
    """Return the text in small letters, each accent one character with its letter: macOS keeps them apart."""
    return unicodedata.normalize("NFC", text.casefold())
