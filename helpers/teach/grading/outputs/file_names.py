"""A file's name for every student, whatever their key holds: one that each system takes, and no two alike."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path

LONGEST = 100  # bytes, far below what any file system takes, with room for what a collector puts in front

_INSIDE = " .-"  # neither first nor last

# Windows keeps these for devices, with any ending.
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d|con(in|out)\$)(\..*)?", re.IGNORECASE)
_MARKED = re.compile(r".*-[0-9a-f]{8}", re.IGNORECASE)


def file_names(students: Iterable[str]) -> dict[str, str]:
    """Return a file's name, without its ending, for each student.

    Letters of every script, digits, blanks and ``. _ -`` stay. A key that has anything else, is too long, begins or
    ends with a dot, a blank or a hyphen, or differs from another only in what some systems do not tell apart, gets
    eight digits of its hash behind what is left of it. So a name depends on the key, not on the order.

    Parameters
    ----------
    students : iterable of str
        The keys, each once.
    """
    kept = {student: _kept(student) for student in students}
    shared = Counter(map(_as_compared, kept.values()))
    return {
        student: name if name == student and shared[_as_compared(name)] == 1 and _sound(name) else _told(student, name)
        for student, name in kept.items()
    }


def remove_others(folder: Path, names: Collection[str], ending: str) -> None:
    """Remove the files of an earlier run that are nobody's now: those with names as `file_names` gives, and no others.

    To be called before new ones are written: a system that tells no cases apart would list `Ada` as the old `ada`.
    """
    wanted = set(names)
    for path in list(folder.glob(f"*{ending}")):
        name = unicodedata.normalize("NFC", path.name.removesuffix(ending))
        is_ours = all(map(_stays, name)) and name == name.strip(_INSIDE)
        if is_ours and name not in wanted and path.is_file():
            path.unlink()


def _kept(student: str) -> str:
    """Return what may stay of a key."""
    text = unicodedata.normalize("NFC", student)
    name = "".join(c if _stays(c) else "_" for c in text)
    short = name.encode("utf-8")[:LONGEST].decode("utf-8", errors="ignore")  # never half a letter
    return short.strip(_INSIDE)


def _stays(character: str) -> bool:
    return character.isalnum() or character in " ._-"


def _sound(name: str) -> bool:
    """Return whether a name stands by itself: not empty, no device, and not like one that was told apart."""
    return bool(name) and not _RESERVED.fullmatch(name) and not _MARKED.fullmatch(name)


def _told(student: str, name: str) -> str:
    """Return a name with the hash of the key behind it."""
    mark = hashlib.sha256(student.encode("utf-8", errors="surrogatepass")).hexdigest()[:8]
    front = "student" if not name or _RESERVED.fullmatch(name) else name
    return f"{front}-{mark}"


def _as_compared(name: str) -> str:
    """Return a name as a system compares it that tells neither case nor spelling of letters apart."""
    return unicodedata.normalize("NFKC", name).casefold()
