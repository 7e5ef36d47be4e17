"""`reflections.csv`: what students wrote to the open questions, question by question, to be read by somebody."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

from helpers.course import course
from helpers.learn.home import write_whole
from helpers.teach.grading.gradebook import Gradebook
from helpers.teach.grading.outputs.spreadsheet import sheet

NAME: Final = "reflections.csv"
_HEADER: Final = ("notebook", "question", "student", "name", "text", "same as", "points")


def write(book: Gradebook, results: Path) -> None:
    """Write `reflections.csv` into the folder of the results."""
    write_whole(results / NAME, text(book))


def text(book: Gradebook) -> str:
    """Return a table with a row for each text that counts: of several attempts at a notebook those of the latest.

    `same as` says what a reader would not see in three hundred rows: "ours" where a text is our model answer, "2
    others" where two more students have these words. Case and punctuation do not tell texts apart. `points` is empty,
    to be filled in.
    """
    written: dict[str, list[tuple[str, str]]] = {name: [] for name in course().reflections}
    for student in book.people:
        for record in book.graded(student).values():
            for name, words in record.reflections.items():
                written[name].append((student, words))
    table: list[list[str | int | None]] = [[*_HEADER]]
    for name, texts in written.items():
        asked = course().reflections[name]
        ours, times = _bare(asked.model), Counter(_bare(words) for _, words in texts)
        for student, words in texts:
            bare = _bare(words)
            others = times[bare] - 1
            same = "ours" if bare == ours else f"{others} other{'s' * (others > 1)}" if others else ""
            table.append([asked.notebook, name, student, book.people[student].name, words, same, None])
    return sheet(table)


def _bare(words: str) -> str:
    """Return a text without what does not make it another one."""
    return "".join(letter for letter in words.casefold() if letter.isalnum())
