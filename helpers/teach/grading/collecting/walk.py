"""Everything below a folder or inside a zip that could be a submission, known by content; no link is followed."""

from __future__ import annotations

import codecs
import io
import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal
from zipfile import ZipFile

from helpers.teach.grading.collecting import archive
from helpers.teach.grading.collecting.lms_names import named
from helpers.teach.grading.submission import NOTEBOOK_BYTES

_HEAD: Final = 1 << 16  # bytes in which a notebook shows what it is
_DEPTH: Final = 4  # zips in zips
_NOTEBOOK_KEYS: Final = re.compile(r'"(cell_type|nbformat|worksheets)"\s*:')
# "nb.ipynb", and what browsers and mail programs make of it: "nb.ipynb (1)", "nb.ipynb.txt".
_NOTEBOOK_NAME: Final = re.compile(r".*\.ipynb(\W*(?:\d{1,3}\W*)?|\.(txt|json))", re.IGNORECASE | re.DOTALL)
_ZIPS_BY_TRADE: Final = (".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".epub", ".npz", ".jar", ".whl")


@dataclass(frozen=True)
class Limits:
    """How large a submission may be.

    Attributes
    ----------
    notebook_bytes : int
        Of one notebook.
    zip_entries, unpacked_bytes : int
        How many files a student's zip may hold and how many bytes they may be, with what lies in zips inside it.
    """

    notebook_bytes: int = NOTEBOOK_BYTES
    zip_entries: int = 1_000
    unpacked_bytes: int = 200_000_000


@dataclass(frozen=True)
class Found:
    """One thing that lies there.

    Attributes
    ----------
    parts : tuple of str
        The names that lead to it from the folder that is walked; what a zip holds follows the zip's name.
    place : Path
        The file on disk.
    members : tuple of str
        As in `Submission`.
    date : float
        When a zip or the disk says it was written, in seconds since 1970.
    kind : {"notebook", "other", "empty"}
        Something that is or may hold a notebook; another file; nothing, as an empty folder or a link.
    problem : str
        Why it cannot be read, as a sentence; empty where nothing is known against it.
    """

    parts: tuple[str, ...]
    place: Path
    members: tuple[str, ...]
    date: float
    kind: Literal["notebook", "other", "empty"] = "notebook"
    problem: str = ""


@dataclass
class _Budget:
    """How much a zip may hold, and how much of that is spent."""

    entries: int
    bytes: int
    spent_entries: int = 0
    spent_bytes: int = 0

    def spend(self, members: Sequence[archive.Member]) -> None:
        """Count what a zip holds.

        Raises
        ------
        ValueError
            If it is too much.
        """
        self.spent_entries += len(members)
        self.spent_bytes += sum(member.size for member in members)
        if self.spent_entries > self.entries:
            raise ValueError(f"got a zip with {self.spent_entries:,} files; the limit is {self.entries:,}.")
        if self.spent_bytes > self.bytes:
            raise ValueError(f"got a zip that unpacks to {self.spent_bytes:,} bytes; the limit is {self.bytes:,}.")


def walk(root: Path, limits: Limits) -> Iterator[Found]:
    """Yield what lies below a folder, or in one zip or notebook. What programs keep for themselves is passed over.

    A zip on disk may hold a whole class. Its limits are then a hundred times as large, and each zip in it has its own.
    """
    if root.is_dir():
        yield from _folder(root, limits)
    else:
        found = Found((), root, (), root.stat().st_mtime)
        for one in _file(found, root.name, root.stat().st_size, limits, alone=True):
            yield one if one.parts else replace(one, parts=(_text(root.name),))


def _folder(root: Path, limits: Limits) -> Iterator[Found]:
    pending = [(Found((), root, (), root.stat().st_mtime, "empty"), True)]
    while pending:
        folder, alone = pending.pop()
        try:
            entries = [entry for entry in os.scandir(folder.place) if not _hidden(entry.name)]
        except OSError as error:
            if not folder.parts:
                raise ValueError(f"{root}: {_closed('folder', error)}") from None
            yield replace(folder, kind="notebook", problem=_closed("folder", error))
            continue
        if not entries and folder.parts:
            yield folder
        alone = alone and len(entries) == 1  # on the whole way to it, and so no student's among others
        for entry in sorted(entries, key=lambda entry: entry.name):
            found = Found((*folder.parts, _text(entry.name)), folder.place / entry.name, (), folder.date)
            try:
                info = entry.stat(follow_symlinks=False)
            except OSError as error:
                yield replace(found, problem=_closed("file", error))
                continue
            found = replace(found, date=info.st_mtime)
            if stat.S_ISDIR(info.st_mode):
                pending.append((replace(found, kind="empty"), alone))
            elif stat.S_ISREG(info.st_mode):
                yield from _file(found, entry.name, info.st_size, limits, alone=alone)
            elif stat.S_ISLNK(info.st_mode):
                yield _no_file(found, "got a symbolic link; links are not followed. Put the notebook there.")
            else:
                yield _no_file(found, "got a pipe, a socket or a device; expected a file.")


def _file(found: Found, name: str, size: int, limits: Limits, *, alone: bool) -> Iterator[Found]:
    """Yield a file on disk, or what it holds where it is a zip."""
    try:
        with found.place.open("rb") as file:
            head = file.read(_HEAD)
            if not _zip(name, head):
                yield _judged(found, name, head, size, limits)
                return
            file.seek(0)
            with archive.opened(file) as opened:
                members = archive.members(opened)
                class_ = _whole_class(members, alone=alone)
                budget = _budget(limits, 100 if class_ else 1)
                budget.spend(members)
                yield from _content(found, opened, members, limits, [budget], class_=class_)
    except OSError as error:
        yield replace(found, problem=_closed("file", error))
    except ValueError as error:
        yield replace(found, problem=str(error))


def _content(
    zip_: Found,
    opened: ZipFile,
    members: Sequence[archive.Member],
    limits: Limits,
    budgets: list[_Budget],
    *,
    class_: bool = False,
) -> Iterator[Found]:
    """Yield what a zip holds; of zips in it what they hold."""
    shown = [member for member in members if member.parts and not any(map(_hidden, member.parts))]
    holding = {member.parts[:depth] for member in shown for depth in range(len(member.parts))}
    if not shown:
        yield replace(zip_, kind="empty")
    for member in shown:
        found = Found(
            (*zip_.parts, *member.parts),
            zip_.place,
            (*zip_.members, member.name),
            zip_.date if member.date is None else member.date,
        )
        if member.problem:
            yield _no_file(found, member.problem)
        elif not member.folder:
            own = [*budgets, _budget(limits)] if class_ else budgets
            yield from _member(found, opened, member, limits, own)
        elif member.parts not in holding:
            yield replace(found, kind="empty")


def _member(
    found: Found, opened: ZipFile, member: archive.Member, limits: Limits, budgets: list[_Budget]
) -> Iterator[Found]:
    name = member.parts[-1]
    try:
        head = archive.read(opened, member.name, _HEAD)
        if not _zip(name, head):
            yield _judged(found, name, head, member.size, limits)
            return
        if len(found.members) == _DEPTH:
            raise ValueError(f"got zips in zips, more than {_DEPTH} deep; expected the notebooks in one.")
        if member.size > limits.unpacked_bytes:
            raise ValueError(f"got a zip of {member.size:,} bytes; the limit is {limits.unpacked_bytes:,}.")
        content = io.BytesIO(archive.read(opened, member.name, member.size))
        with archive.opened(content, 1_000 * limits.zip_entries) as inner:
            members = archive.members(inner)
            for budget in reversed(budgets):  # a student's first, so that it cannot use up the class's
                budget.spend(members)
            yield from _content(found, inner, members, limits, budgets)
    except ValueError as error:
        yield replace(found, problem=str(error))


def _budget(limits: Limits, times: int = 1) -> _Budget:
    return _Budget(times * limits.zip_entries, times * limits.unpacked_bytes)


def _whole_class(members: Sequence[archive.Member], *, alone: bool) -> bool:
    """Whether a zip seems to hold more than one student's files.

    An LMS named them, or the zip lies alone and holds folders or zips side by side.
    """
    paths = {member.parts[:2] for member in members}
    students = {said.student for path in paths for part in path if (said := named(part))}
    sides = [
        {one.parts[:depth] for one in members if len(one.parts) > depth or one.name.lower().endswith(".zip")}
        for depth in (1, 2)
    ]
    return len(students) > 1 or (alone and any(len(side) > 1 for side in sides))


def _closed(what: str, error: OSError) -> str:
    return f"got a {what} that cannot be opened ({error.strerror})."


def _no_file(found: Found, problem: str) -> Found:
    """Return something that is not opened. It is a problem of its own where a notebook or a zip should be."""
    name = found.parts[-1].lower()
    looked_for = name.endswith(".zip") or _NOTEBOOK_NAME.fullmatch(name)
    return replace(found, kind="notebook" if looked_for else "empty", problem=problem)


def _judged(found: Found, name: str, head: bytes, size: int, limits: Limits) -> Found:
    """Return a file with its kind, and its problem where it has one."""
    if name.lower().endswith(".zip"):
        return replace(found, problem=f"got a file called .zip that is none (it begins with {head[:8]!r}).")
    if not _NOTEBOOK_NAME.fullmatch(name) and not _notebook(head):
        return replace(found, kind="other")
    if size > limits.notebook_bytes:
        return replace(found, problem=f"got a notebook of {size:,} bytes; the limit is {limits.notebook_bytes:,}.")
    return found


def _zip(name: str, head: bytes) -> bool:
    return head.startswith(archive.STARTS) and not name.lower().endswith(_ZIPS_BY_TRADE)


def _notebook(head: bytes) -> bool:
    encoding = "utf-16" if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    text = head.decode(encoding, errors="replace").lstrip()
    return text.startswith("{") and _NOTEBOOK_KEYS.search(text) is not None


def _hidden(name: str) -> bool:
    """Whether a program keeps a file for itself: `.DS_Store`, `.ipynb_checkpoints`, `__MACOSX`, `~$nb.docx`."""
    return name.startswith((".", "~$")) or name == "__MACOSX"


def _text(name: str) -> str:
    """Return a file's name as text that UTF-8 can hold, whatever bytes it has on disk."""
    return os.fsencode(name).decode("utf-8", errors="backslashreplace")
