"""Where a student's state lies, and how it is written: whole, then renamed, one writer at a time."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

_started_in = Path.cwd()  # frozen at import: `%cd` may move the working folder later
_memory: dict[Path, str] = {}  # what could not be written to a read-only folder


def home() -> Path:
    """Return the folder of `my_attention.py` and `progress.json`.

    `ATTENTION_HOME` decides; otherwise it is the notebook's folder, otherwise the folder the session started in.
    While nbgrader autogrades, nothing but that folder: in a shared one a submission would find another's functions.
    """
    if os.environ.get("NBGRADER_EXECUTION") == "autograde":
        return _started_in
    if chosen := os.environ.get("ATTENTION_HOME"):
        return _started_in / Path(chosen).expanduser()
    notebook = notebook_path()
    return notebook.parent if notebook else _started_in


def notebook_path() -> Path | None:
    """Return the file of the notebook that is running, where the front end tells it (JupyterLab, VS Code)."""
    main = sys.modules.get("__main__")
    for told in (os.environ.get("JPY_SESSION_NAME"), getattr(main, "__vsc_ipynb_file__", None)):
        # JPY_SESSION_NAME is stale after a rename: believe it only while the file is there.
        if told and told.endswith(".ipynb") and Path(told).is_file():
            return Path(told).resolve()
    return None


def read(path: Path) -> str:
    """Return a state file's text; empty where there is none yet."""
    if path in _memory:
        return _memory[path]
    try:
        return path.read_text(encoding="utf-8-sig")  # an editor may have put a byte order mark in front
    except (FileNotFoundError, NotADirectoryError):
        return ""


def write(path: Path, text: str) -> bool:
    """Write a state file whole, then rename it into place.

    Returns
    -------
    bool
        False where the folder cannot be written: the text is then kept in memory, for this session only.
    """
    try:
        write_whole(path, text)
    except OSError:
        _memory[path] = text
        return False
    _memory.pop(path, None)
    return True


def write_whole(path: Path, text: str | Iterable[str]) -> None:
    """Write a file whole, as UTF-8, then rename it into place.

    Its folder is made where it is missing. Whoever reads it meanwhile sees the old text or the new one. A text that is
    larger than what should be in memory may come in pieces.

    Raises
    ------
    OSError
        If the folder cannot be written. What was there before is still there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing.")  # a name near the longest has room for no more
    try:
        # A name that was no UTF-8 on disk holds surrogates; they are written as `\udc80`, which JSON reads back.
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.writelines([text] if isinstance(text, str) else text)
        Path(name).chmod(path.stat().st_mode if path.is_file() else 0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    """Return which rights a new file does not get; `mkstemp` gives its own to the owner alone."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """Hold the home folder's lock, so that two notebooks saving at once lose nothing.

    The operating system frees the lock when a process dies. Where there is none to be had (a read-only folder,
    a browser), there is one writer only.
    """
    try:
        home().mkdir(parents=True, exist_ok=True)
        file = (home() / ".attention.lock").open("a+")
    except OSError:
        yield
        return
    with file:
        _lock(file.fileno())
        yield  # closing the file frees the lock


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
else:

    def _lock(descriptor: int) -> None:
        with contextlib.suppress(ImportError, OSError):  # Pyodide has one process and no locks
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX)
