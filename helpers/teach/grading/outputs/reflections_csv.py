"""`reflections.csv`: what students wrote to the open questions, question by question, to be read by somebody."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Final

from helpers.course import course
from helpers.learn.home import write_whole
from helpers.teach.grading.gradebook import Gradebook
from helpers.teach.grading.outputs.page import counted
from helpers.teach.grading.outputs.spreadsheet import as_csv

NAME: Final = "reflections.csv"
_HEADER: Final = ("notebook", "question", "student", "name", "text", "same as")
_FEWEST: Final = 5  # words: shorter texts are alike by chance
_MARKS: Final = re.compile(r"[\s.,;:!?\"'()]+")


def write(book: Gradebook, results: Path) -> None:
    """Write `reflections.csv` into the folder of the results."""
    write_whole(results / NAME, text(book))


def text(book: Gradebook) -> str:
    """Return a table with a row for each text that counts: of several attempts at a notebook those of the latest.

    `same as` says what a reader would not see in three hundred rows: "ours" where a text is our model answer, "2
    others" where two more students have these words. Case and punctuation do not tell texts apart. Texts of fewer
    than five words are not compared.
    """
    texts: dict[str, list[tuple[str, str]]] = {name: [] for name in course().reflections}
    for student in book.people:
        for record in book.graded(student).values():
            for name in texts.keys() & record.reflections.keys():
                texts[name].append((student, record.reflections[name]))
    table: list[list[str]] = [[*_HEADER]]
    for name, asked in course().reflections.items():
        times = Counter(_bare(words) for _, words in texts[name])
        for student, words in texts[name]:
            same = _same_as(words, asked.model, times)
            table.append([asked.notebook, name, student, book.people[student].name, words, same])
    return as_csv(table)


def _same_as(words: str, ours: str, times: Counter[str]) -> str:
    """Return whose words a text is, besides its student's; empty where nobody's, or where it is too short to tell."""
    if len(words.split()) < _FEWEST:
        return ""
    if _bare(words) == _bare(ours):
        return "ours"
    others = times[_bare(words)] - 1
    return counted(others, "other") if others else ""


def _bare(words: str) -> str:
    """Return a text without what does not make it another one."""
    return _MARKS.sub("", unicodedata.normalize("NFKC", words).casefold())
