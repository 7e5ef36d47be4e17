"""Zips from students: what they hold and what is wrong with them, read in memory and within limits."""

from __future__ import annotations

import io
import re
import stat
import struct
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Final

STARTS: Final = (b"PK\x03\x04", b"PK\x05\x06")  # of a zip, and of an empty one
TABLE_OF_A_CLASS: Final = 10_000_000  # bytes of a table of contents: some 60,000 files

_CHUNK: Final = 1 << 16
_DRIVE: Final = re.compile(r"^[A-Za-z]:")
_DEEP: Final = 50  # folders in folders
_LONG: Final = 1_000  # characters of a name with its folders
_HEADER: Final = 30  # bytes in front of a member, at least
_ENCRYPTED: Final = 1 << 0  # this flag and the next: section 4.4.4 of the zip format's specification
_UTF8: Final = 1 << 11
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # zipfile reads the others without a bound
_KINDS: Final = {stat.S_IFLNK: "a symbolic link", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
# What zipfile raises on damaged and hostile zips: RuntimeError for a password, NotImplementedError for a method.
_DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    OverflowError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)


@dataclass(frozen=True)
class Member:
    """One entry of a zip.

    Attributes
    ----------
    name : str
        By which `zipfile` knows it.
    parts : tuple of str
        Its folders and its own name, without whatever would lead out of the zip.
    folder : bool
        Whether it is a folder.
    size : int
        How many bytes it says it unpacks to.
    date : float or None
        In seconds since 1970; None where the zip has none.
    problem : str
        Why it is not read, as a sentence; empty where nothing is known against it.
    """

    name: str
    parts: tuple[str, ...]
    folder: bool
    size: int
    date: float | None
    problem: str


class _Careful:
    """A file that is not read in one piece larger than `most`: `zipfile` reads a table of contents at once."""

    def __init__(self, file: IO[bytes], most: int) -> None:
        self.file, self.most = file, max(most, 2 * _CHUNK)  # to find the table, zipfile reads a little more than one

    def read(self, size: int = -1) -> bytes:
        if size > self.most:
            raise ValueError(f"a table of contents of {size:,} bytes, the limit is {self.most:,}")
        return self.file.read(size if size >= 0 else 2 * _CHUNK)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


@contextmanager
def opened(file: IO[bytes], table: int = TABLE_OF_A_CLASS) -> Iterator[zipfile.ZipFile]:
    """Open a zip whose table of contents has at most `table` bytes.

    Raises
    ------
    ValueError
        If it is damaged, or none, or its table is larger.
    """
    try:
        archive = zipfile.ZipFile(_Careful(file, table))
    except _DAMAGE as error:
        raise ValueError(f"got a zip that cannot be opened ({_short(error)}); expected a whole one.") from None
    with archive:
        yield archive


def members(archive: zipfile.ZipFile) -> list[Member]:
    """Return what a zip holds.

    Raises
    ------
    ValueError
        If its entries share bytes, as in a zip bomb.
    """
    infos = archive.infolist()
    end = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.header_offset < end:
            raise ValueError(
                f"got a zip in which {info.filename!r} shares its bytes with another file, as in a zip bomb; "
                "expected each file to have its own."
            )
        end = info.header_offset + _HEADER + info.compress_size
    times = Counter(info.filename for info in infos)
    return [_member(info, times[info.filename]) for info in infos]


def read(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    """Return at most the first `limit` bytes of a member, whatever it says of its size.

    Raises
    ------
    ValueError
        If it is damaged.
    """
    try:
        with archive.open(name) as file:
            return _start(file, limit)
    except (KeyError, *_DAMAGE) as error:
        raise ValueError(f"got a zip whose {name!r} cannot be read ({_short(error)}); expected a whole one.") from None


def read_through(place: Path, names: tuple[str, ...], limit: int) -> bytes:
    """Return at most the first `limit` bytes of a file, or of the member that `names` lead to, zip by zip."""
    with place.open("rb") as file:
        if not names:
            return _start(file, limit)
        return _inside(file, names, limit)


def _start(file: IO[bytes], limit: int) -> bytes:
    """Return at most the first `limit` bytes; `file.read(limit)` would take the memory for them all."""
    pieces: list[bytes] = []
    while limit > 0 and (piece := file.read(min(limit, _CHUNK))):
        pieces.append(piece)
        limit -= len(piece)
    return b"".join(pieces)


def _inside(file: IO[bytes], names: tuple[str, ...], limit: int) -> bytes:
    first, rest = names[0], names[1:]
    with opened(file) as archive:
        # Of a zip in a zip no more is read than it declares, and what it declares was judged when it was collected.
        content = read(archive, first, sys.maxsize if rest else limit)
    return _inside(io.BytesIO(content), rest, limit) if rest else content


def _member(info: zipfile.ZipInfo, times: int) -> Member:
    whole = _name(info)
    name = whole[-_LONG:]  # the end says what it is
    pieces = re.split(r"[/\\]", name)
    problem = _against(info, name, pieces)
    if len(whole) > _LONG:
        problem = f"got a name of {len(whole):,} characters in a zip; expected at most {_LONG:,}."
    if not problem and times > 1:
        problem = f"got {times} files called {name!r} in one zip; expected one."
    clean = _DRIVE.sub("", name.replace("\0", ""))
    parts = [piece for piece in re.split(r"[/\\]", clean) if piece not in ("", ".", "..")][-_DEEP:]
    if problem and not parts:
        parts = [repr(name)]  # a problem is shown somewhere
    return Member(info.filename, tuple(parts), pieces[-1] == "", info.file_size, _date(info), problem)


def _name(info: zipfile.ZipInfo) -> str:
    """Return a member's name as it was written: macOS writes UTF-8 and does not say so."""
    name = info.orig_filename
    if not info.flag_bits & _UTF8:
        try:
            return name.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass  # it is what zipfile takes it for
    return name


def _against(info: zipfile.ZipInfo, name: str, pieces: list[str]) -> str:
    """Return what is wrong with an entry, as far as the table of contents says."""
    kind = stat.S_IFMT(info.external_attr >> 16)
    if "\0" in name or ".." in pieces or pieces[0] == "" or _DRIVE.match(name):
        return f"got the name {name!r} in a zip; expected one that stays inside it: no '..', no root, no drive."
    if len(pieces) > _DEEP:
        return f"got a file {len(pieces):,} folders deep in a zip; expected at most {_DEEP}."
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return f"got {_KINDS.get(kind, 'a device')} in a zip; expected a file. Put the notebook itself into the zip."
    if info.flag_bits & _ENCRYPTED:
        return "got a file with a password in a zip; expected one without."
    if info.compress_type not in _METHODS:
        return f"got a file compressed by method {info.compress_type} in a zip; expected an ordinary zip (deflate)."
    return ""


def _date(info: zipfile.ZipInfo) -> float | None:
    try:
        return datetime(*info.date_time).timestamp() if info.date_time[0] > 1980 else None  # 1980 is "no date"
    except (ValueError, OverflowError):
        return None  # the thirtieth of February, say


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0][:100]
