"""How a result becomes a file: written whole, and named after a student whatever they are called."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

from helpers.learn.home import write_whole

__all__ = ["file_stem", "write_whole"]

# What every system takes as a name: 50 characters of four bytes each leave room for a suffix in the usual 255.
_PLAIN: Final = re.compile(r"\w([\w .-]{0,48}\w)?")
_DEVICE: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # Windows keeps these


def file_stem(student: str) -> str:
    """Return what the file of a student is called, without its suffix: their key, where every system takes it.

    Otherwise it is what can be kept of the key, and eight characters that tell it from the others. It is one name:
    neither a folder nor a way out of one.
    """
    if _PLAIN.fullmatch(student) and not _DEVICE.fullmatch(student):
        return student
    kept = re.sub(r"\W+", "_", student)[:40].strip("_")
    return f"{kept or 'student'}-{sha256(student.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
