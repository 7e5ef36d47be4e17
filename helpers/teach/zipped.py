"""A zip that depends on its content alone: the same files give the same bytes."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path

# Of every file: some time, and a plain file's rights, which Unix keeps in the upper half.
SOME_TIME, PLAIN_FILE, UNIX = (2026, 1, 1, 0, 0, 0), 0o100644 << 16, 3


def write_zip(path: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write a zip of some files, each with its name inside, in their order."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files:
            entry = zipfile.ZipInfo(name, SOME_TIME)
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, PLAIN_FILE, UNIX
            packed.writestr(entry, content)
