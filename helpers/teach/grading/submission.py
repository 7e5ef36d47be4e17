"""One file that came in: whose it is, when it was handed in, and how to read it."""

from __future__ import annotations

import hashlib
import zipfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Submission:
    """One file of a collection. Its content is read when it is its turn, so that a class of any size fits in memory.

    Attributes
    ----------
    file : str
        Where it was found, below the folder that was collected, with `/`; members of a zip follow its name:
        ``"ada/attempt2.zip/01_single_head.ipynb"``. Unique in a collection.
    student : str
        The key under which a student's files are gathered: the folder's name, or what an LMS wrote into the file's.
    submitted : float
        When it was handed in, in seconds since 1970: of several attempts at one notebook the latest counts.
    place : Path
        The file on disk: the notebook, or the zip that holds it.
    member : str
        The name inside the zip; empty for a plain file.
    problem : str
        Why it cannot be read, as a sentence; empty where nothing is known against it. Its content is then not asked
        for.
    """

    file: str
    student: str
    submitted: float
    place: Path
    member: str = ""
    problem: str = ""
    content: bytes | None = None

    def read(self) -> bytes:
        """Return the file's content."""
        if self.content is not None:
            return self.content
        if not self.member:
            return self.place.read_bytes()
        with zipfile.ZipFile(self.place) as archive:
            return archive.read(self.member)


def digest(content: bytes) -> str:
    """Return what tells two contents apart: the first half of their SHA-256."""
    return hashlib.sha256(content).hexdigest()[:32]
