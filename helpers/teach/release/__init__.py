"""`attention release`: the folder and the zip that an instructor hands out, written whole or not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath

from helpers.teach.release.edition import contents
from helpers.teach.zipped import write_zip


def release(out: Path, kind: str = "course", unlock: Collection[str] = (), *, nbgrader: bool = False) -> list[Path]:
    """Write an edition of the course into a new folder, and as a zip beside it.

    Parameters
    ----------
    out : Path
        The folder. Neither it nor `out`.zip may exist.
    kind : {"course", "self-study"}
        Without solutions, or with all of them.
    unlock : collection of str
        The numbers of the notebooks whose solutions a course edition holds all the same.
    nbgrader : bool
        Give the notebooks nbgrader's cell metadata, and lay them out for an nbgrader course besides.

    Returns
    -------
    list of Path
        The folder and the zip.

    Raises
    ------
    ValueError
        If `out` cannot be written as asked, if there is no such edition or notebook, if this installation lacks a
        solution that was asked for, or if one of its notebooks is not as the course's author stored it.
    """
    out = Path.cwd() / out
    if not out.name:  # the root of a disk
        raise ValueError(f"got {out}, expected the name of a new folder. `attention release handout` makes one here.")
    zipped = out.with_name(f"{out.name}.zip")
    _refuse_place(out, zipped)
    files = contents(kind, unlock, nbgrader=nbgrader)
    try:
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as folder:
            made, packed = Path(folder) / out.name, Path(folder) / zipped.name
            _write_folder(made, files)
            write_zip(packed, ((str(PurePosixPath(out.name, name)), files[name]) for name in sorted(files)))
            packed.rename(zipped)
            try:
                made.rename(out)
            except OSError:
                zipped.unlink()
                raise
    except OSError as error:
        raise ValueError(f"{out} cannot be written: {error.strerror}. Give a place where you may write.") from None
    return [out, zipped]


def _refuse_place(out: Path, zipped: Path) -> None:
    if out.suffix == ".zip":
        raise ValueError(f"got {out.name}, expected the name of a folder. {out.stem} gives {out.stem} and {out.name}.")
    if not out.parent.is_dir():
        raise ValueError(f"got {out}, expected a place in a folder that is there. Make {out.parent} first.")
    for path in (out, zipped):
        if path.exists() or path.is_symlink():
            raise ValueError(f"{path} is there already, and was not touched. Move it away, or give another name.")


def _write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
