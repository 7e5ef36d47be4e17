"""One file that came in: whose it is, when it was handed in, and how to read it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from helpers.teach.grading.collecting import archive

NOTEBOOK_BYTES: Final = 50_000_000


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
    members : tuple of str
        The name inside the zip; of a zip in a zip, the names one by one. Empty for a plain file.
    problem : str
        Why it cannot be read, as a sentence; empty where nothing is known against it. Its content is then not asked
        for.
    limit : int
        How many bytes its content may have, whatever a zip says of it.
    owner : str
        The part of `file` that says whose it is: a folder's or a file's name, as it stands there. What lies below it
        is the student's own. See `owners`.
    content : bytes or None
        The file's bytes, where they were read already, to be sent to another machine.
    """

    file: str
    student: str
    submitted: float
    place: Path
    members: tuple[str, ...] = ()
    problem: str = ""
    limit: int = NOTEBOOK_BYTES
    owner: str = ""
    content: bytes | None = None

    def read(self) -> bytes:
        """Return the file's content.

        Raises
        ------
        ValueError
            If it is larger than the limit, cannot be opened, or lies in a damaged zip. No more than the limit is read.
        """
        if self.content is not None:
            return self.content
        try:
            content = archive.read_through(self.place, self.members, self.limit + 1)
        except OSError as error:
            raise ValueError(f"got a file that cannot be opened ({error.strerror}).") from None
        if len(content) > self.limit:
            raise ValueError(f"got more than {self.limit:,} bytes, which is the limit for a notebook.")
        return content


def digest(content: bytes) -> str:
    """Return what tells two contents apart: the first half of their SHA-256."""
    return hashlib.sha256(content).hexdigest()[:32]
