"""The form in which notebooks are stored: so that a diff shows what an author changed, and nothing else."""

from __future__ import annotations

import codecs
import json
import re
import warnings
from pathlib import Path
from typing import Any

import nbformat
from nbformat.warnings import DuplicateCellId, MissingIDFieldWarning

KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
LANGUAGE = {"language_info": {"name": "python"}}

# Cells whose output depends on the reader, or that judge: stored unrun.
UNRUN = re.compile(r"^\s*(check|hint|solution|predict|reveal|reflect|progress)\(", re.MULTILINE)

# The tags a cell may have: none yet. nbval's own tags switch comparisons off, so each one added here needs a reason.
TAGS: frozenset[str] = frozenset()


def read(path: Path) -> Any:
    """Return a notebook, upgraded to format 4, from whatever an editor or a mail program made of the file.

    Parameters
    ----------
    path : Path
        The file; in UTF-8 or UTF-16, with a byte order mark or without.

    Raises
    ------
    ValueError
        If it is not a notebook. The message is one line.
    """
    raw = path.read_bytes()
    encoding = "utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        with warnings.catch_warnings():
            # A student's front end strips or doubles ids; an author's are held by `problems`.
            warnings.simplefilter("ignore", MissingIDFieldWarning)
            warnings.simplefilter("ignore", DuplicateCellId)
            return nbformat.reads(raw.decode(encoding), as_version=4)
    except Exception as error:  # noqa: BLE001  nbformat raises whatever its parsers do
        why = f"{type(error).__name__}: {error}".partition("\n")[0][:100]
        raise ValueError(f"{path.name}: expected a notebook, got a file that is none ({why}).") from None


def is_unrun(source: str) -> bool:
    """Return whether a code cell is stored without outputs and without a count."""
    return UNRUN.search(source) is not None


def normal(notebook: Any) -> Any:
    """Return a copy in the stored form: format 4.5, closed metadata, counts 1..n, our ids kept."""
    result = nbformat.from_dict(json.loads(json.dumps(notebook)))
    result.nbformat, result.nbformat_minor = 4, 5
    result.metadata = nbformat.from_dict({**KERNEL, **LANGUAGE})
    count = 0
    for cell in result.cells:
        tags = sorted(set(cell.metadata.get("tags", [])) & TAGS)
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        cell.source = "\n".join(line.rstrip() for line in cell.source.strip("\n").split("\n"))
        cell.pop("attachments", None)
        if cell.cell_type != "code":
            cell.pop("outputs", None)
            cell.pop("execution_count", None)
        elif is_unrun(cell.source):
            cell.outputs, cell.execution_count = [], None
        else:
            count += 1
            cell.execution_count = count
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = count
    return result


def text(notebook: Any) -> str:
    """Return a notebook as the text of its file."""
    return str(nbformat.writes(notebook)) + "\n"


def problems(path: Path) -> list[str]:
    """Return what an author must mend by hand: ids that are missing, doubled or unreadable, and unknown tags.

    The file is read as it is, since nbformat gives a cell without an id a random one.
    """
    found = []
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    ids = [cell.get("id", "") for cell in cells]
    for id_ in sorted({id_ for id_ in ids if ids.count(id_) > 1}):
        found.append(f"the cell id {id_!r} is used {ids.count(id_)} times; give each cell its own.")
    for id_ in ids:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*(-[A-Za-z0-9_]+)*", id_) or re.fullmatch(
            r"[0-9a-f]{8}(-[0-9a-f]+)*", id_
        ):
            found.append(f"the cell id {id_!r} is not readable; name what the cell is, as in `softmax_cols-check`.")
    for cell in cells:
        for tag in set(cell["metadata"].get("tags", [])) - TAGS:
            found.append(
                f"cell {cell.get('id')!r} has the tag {tag!r}; allowed are {', '.join(sorted(TAGS)) or 'none'}."
            )
    return found
