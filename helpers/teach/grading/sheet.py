"""A CSV file as it stands: single cells can be changed, and every other byte is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Sheet:
    """A CSV file. The csv module reads one, but writes its own quotes and line ends; here each cell knows its place.

    Attributes
    ----------
    text : str
        The whole file.
    rows : list of list of str
        What stands in the cells, without quotes.
    places : list of list of tuple
        Where each cell begins and ends in `text`, with its quotes.
    """

    text: str
    rows: list[list[str]]
    places: list[list[tuple[int, int]]]

    def changed(self, cells: dict[tuple[int, int], str]) -> str:
        """Return the text with other content in the cells (row, column): words without quotes or delimiters.

        A cell that is quoted stays quoted.
        """
        parts, done = [], 0
        for (row, column), content in sorted(cells.items()):
            start, end = self.places[row][column]
            quote = '"' if self.text.startswith('"', start, end) else ""
            parts += [self.text[done:start], quote, content, quote]
            done = end
        return "".join([*parts, self.text[done:]])


def parse_sheet(text: str, delimiter: str) -> Sheet:
    """Return the cells of a CSV file. A byte order mark belongs to none of them.

    Raises
    ------
    ValueError
        If a quote is opened and never closed, or is followed by other text.
    """
    cell = re.compile(rf'("(?:[^"]++|"")*+"|(?!")[^{delimiter}\r\n]*+)({delimiter}|\r\n|[\r\n]|\Z)')
    sheet = Sheet(text, [], [])
    at, row_ended = len(text) - len(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")), True
    while at < len(text) or not row_ended:
        found = cell.match(text, at)
        if found is None:
            raise ValueError(f"row {len(sheet.rows) + row_ended}: got a quote that is not closed, expected a CSV file.")
        if row_ended:
            sheet.rows.append([])
            sheet.places.append([])
        raw, end = found.groups()
        sheet.rows[-1].append(raw[1:-1].replace('""', '"') if raw.startswith('"') else raw)
        sheet.places[-1].append(found.span(1))
        at, row_ended = found.end(), end != delimiter
    return sheet
