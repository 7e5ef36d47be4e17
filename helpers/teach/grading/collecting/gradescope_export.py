"""What Gradescope writes beside the folders of an export, `submission_metadata.yml`: who, and when.

It is YAML that a program wrote, of one shape, so that its lines can be read one by one:

    submission_123456:
      :submitters:
      - :name: Ada Lovelace
        :sid: '4711'
        :email: ada@example.org
      :created_at: 2026-01-31 10:11:12.345678901 Z

The shape is as public tools read it; Gradescope does not document it.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from datetime import datetime

from helpers.teach.grading.collecting.lms_names import Named

FILE = "submission_metadata.yml"

_FOLDER = re.compile(r"(submission_\d+):\s*")
_SECTION = re.compile(r"  :(\w+):\s*(.*)")
_SUBMITTER = re.compile(r"  (- |  ):(name|sid|email):(.*)")
_DATE = re.compile(r"'?(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(\.\d+)? (Z|[+-]\d\d:\d\d).*")


def submitters(text: str) -> dict[str, Named]:
    """Return the student of each folder; a folder that a group handed in is left out, as it is no one student's."""
    return {folder: said for folder, lines in _folders(text) if (said := _said(lines)) is not None}


def _folders(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each folder with the lines about it."""
    folder, lines = "", list[str]()
    for line in text.splitlines():
        if line[:1] in (" ", ""):
            lines.append(line)
            continue
        if folder:
            yield folder, lines
        found = _FOLDER.fullmatch(line)
        folder, lines = found[1] if found else "", []
    if folder:
        yield folder, lines


def _said(lines: list[str]) -> Named | None:
    section, people, date = "", list[dict[str, str]](), None
    for line in lines:
        if found := _SECTION.fullmatch(line):
            section = found[1]
            if section == "created_at" and (written := _DATE.fullmatch(found[2])):
                with contextlib.suppress(ValueError):  # no day of any month
                    date = datetime.fromisoformat(written[1] + written[3].replace("Z", "+00:00")).timestamp()
        elif section == "submitters" and (found := _SUBMITTER.fullmatch(line)):
            if found[1] == "- ":
                people.append({})
            if people:
                people[-1][found[2]] = _scalar(found[3].strip())
    if len(people) != 1 or not people[0].get("name"):
        return None
    number, email = people[0].get("sid", ""), people[0].get("email", "")
    also = tuple(one for one in (number, email) if one)
    return Named(people[0]["name"], number or email, also, lasting=True, submitted=date)


def _scalar(text: str) -> str:
    """Return what a YAML scalar on one line says."""
    if text.startswith("'"):
        return text[1:-1].replace("''", "'")
    if text.startswith('"'):
        try:
            return str(json.loads(text))
        except ValueError:
            return text.strip('"')  # an escape that JSON lacks
    return "" if text in ("null", "~") else text
