"""Tables that a spreadsheet program opens as they are meant: accents kept, and nothing run as a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

_BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"  # without it, spreadsheet programs take UTF-8 for an older encoding
# A cell that begins so is run as a formula. OWASP's list ("CSV Injection"), with the full-width forms and, from its
# ASVS, the null character.
_FORMULA: Final = tuple("=+-@\t\r\n\0＝＋－＠")
# Where a program takes one of these for the end of a cell, what follows begins the next one.
_NEXT_CELL: Final = re.compile(r"([;\t\r\n]\s*)(?=[=+\-@＝＋－＠])")


def as_csv(rows: Iterable[Sequence[str | int | None]]) -> str:
    """Return rows as CSV; None is an empty cell, and no text is a formula."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\r\n")
    writer.writerows([neutral(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return _BOM + table.getvalue()


def neutral(words: str) -> str:
    """Return text that comes from outside as a cell that no spreadsheet program runs as a formula.

    An apostrophe is put in front of what begins like one; it then reads as text.
    """
    words = _NEXT_CELL.sub(r"\1'", words)
    return f"'{words}" if words.startswith(_FORMULA) or words.lstrip().startswith(_FORMULA) else words
