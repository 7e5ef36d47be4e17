"""The form in which notebooks are stored: so that a diff shows what an author changed, and nothing else."""

from __future__ import annotations

import codecs
import json
import re
import warnings
from pathlib import Path
from typing import Any

import nbformat
from nbformat.reader import NotJSONError, parse_json
from nbformat.warnings import DuplicateCellId, MissingIDFieldWarning

from helpers.course import course

KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
LANGUAGE = {"language_info": {"name": "python"}}

MOST_CELLS = 2_000  # with code, in a notebook that was handed in
_CODE = ("cell_type", "id", "source", "input", "language")  # of a code cell; the last two are format 3's

# Cells whose output depends on the reader, or that judge. They are stored unrun, and refresh does not run them.
ASKS_THE_READER = re.compile(r"^\s*(check|hint|solution|predict|reveal|reflect|progress|explore\.\w+)\(", re.MULTILINE)

_READABLE = re.compile(r"[A-Za-z][A-Za-z0-9_]*(-[A-Za-z0-9_]+)*")
_RANDOM = re.compile(r"[0-9a-f]{8}(-[0-9a-f]+)*")  # what a front end gives a new cell


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
    return from_bytes(path.read_bytes(), path.name)


def from_bytes(raw: bytes, name: str, *, code_alone: bool = False) -> Any:
    """Return a notebook as `read` does, from the content of a file of this name.

    With `code_alone` it has its code cells and nothing else, and what else was in the file may be anything. nbformat
    keeps a report of each thing that is wrong, so that a small file can take all memory.
    """
    encoding = "utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        with warnings.catch_warnings():
            # A student's front end strips or doubles ids; an author's are held by `problems`.
            warnings.simplefilter("ignore", MissingIDFieldWarning)
            warnings.simplefilter("ignore", DuplicateCellId)
            text = raw.decode(encoding)
            if code_alone:
                text = json.dumps(_code_alone(parse_json(text)))
            notebook = nbformat.reads(text, as_version=4)
        if not all(isinstance(cell.get("source", ""), str) for cell in notebook.cells):  # reported, and let pass
            raise TypeError("a cell's source is no text")
    except NotJSONError:
        why = "it is no whole JSON: cut off on its way, or another kind of file"
        raise ValueError(f"{name}: expected a notebook, got a file that is none ({why}).") from None
    except Exception as error:  # noqa: BLE001  nbformat raises whatever its parsers do
        why = f"{type(error).__name__}: {error}".partition("\n")[0][:100]
        raise ValueError(f"{name}: expected a notebook, got a file that is none ({why}).") from None
    return notebook


def _code_alone(content: Any) -> dict[str, Any]:
    """Return the content of a notebook with its code cells, and of each its id and source; see `from_bytes`.

    Raises
    ------
    ValueError
        If they are more than anybody makes.
    """
    bare = {name: content[name] for name in ("nbformat", "nbformat_minor") if name in content} | {"metadata": {}}
    if "worksheets" in content:  # of format 3
        given = [cell for sheet in content["worksheets"] for cell in sheet["cells"]]
    else:
        given = content["cells"]
    code = [cell for cell in given if cell["cell_type"] == "code"]
    if len(code) > MOST_CELLS:
        raise ValueError(f"it has {len(code):,} code cells, the limit is {MOST_CELLS:,}")
    cells = [{name: cell[name] for name in _CODE if name in cell} | {"metadata": {}, "outputs": []} for cell in code]
    if "worksheets" in content:
        return bare | {"worksheets": [{"metadata": {}, "cells": cells}]}
    return bare | {"cells": [cell | {"execution_count": None} for cell in cells]}


def read_as_is(path: Path) -> Any:
    """Return an author's notebook without nbformat's repairs: it would give a cell without an id a random one.

    Raises
    ------
    ValueError
        If it is not a notebook of format 4.
    """
    read(path)  # says what is wrong with a file that is no notebook
    raw = nbformat.from_dict(json.loads(path.read_text(encoding="utf-8")))
    for cell in raw.cells:
        cell.source = "".join(cell.source)
        for output in cell.get("outputs", []):
            if "text" in output:
                output.text = "".join(output.text)
    return raw


def asks_the_reader(source: str) -> bool:
    """Return whether what a code cell prints depends on the reader: a check, a hint, a prediction, a reflection."""
    return ASKS_THE_READER.search(source) is not None


def is_unrun(cell: Any) -> bool:
    """Return whether a code cell is stored without outputs and without a count.

    Besides the cells that ask the reader these are the ones whose id ends in `-try`: they show the outcome of a
    prediction, which nobody should see before guessing.
    """
    return asks_the_reader(cell.source) or cell.id.endswith("-try")


def normal(notebook: Any) -> Any:
    """Return a copy in the stored form: format 4.5, no metadata but tags, counts 1..n, readable ids kept."""
    result = nbformat.from_dict(json.loads(json.dumps(notebook)))
    result.nbformat, result.nbformat_minor = 4, 5
    result.metadata = nbformat.from_dict({**KERNEL, **LANGUAGE})
    count = 0
    for cell in result.cells:
        tags = cell.metadata.get("tags")  # kept for `problems` to see: nbval's own switch comparisons off
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        cell.source = "\n".join(line.rstrip() for line in cell.source.strip("\n").split("\n"))
        cell.id = _own_id(cell)
        if cell.cell_type != "code":
            cell.pop("outputs", None)
            cell.pop("execution_count", None)
        elif is_unrun(cell):
            cell.outputs, cell.execution_count = [], None
        else:
            count += 1
            cell.execution_count = count
            cell.outputs = merged(cell.outputs)
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = count
    return result


def merged(outputs: list[Any]) -> list[Any]:
    """Return outputs with what follows on one stream joined: a busy kernel may send it in several pieces."""
    joined: list[Any] = []
    for output in outputs:
        before: Any = joined[-1] if joined else None
        if before and output.output_type == "stream" == before.output_type and output.name == before.name:
            before.text += output.text
        else:
            joined.append(output)
    return joined


def text(notebook: Any) -> str:
    """Return a notebook as the text of its file."""
    return str(nbformat.writes(notebook)) + "\n"


def problems(notebook: Any) -> list[str]:
    """Return what an author must mend by hand: ids that are doubled or unreadable, unknown tags, pasted pictures."""
    found = []
    ids = [cell.get("id", "") for cell in notebook.cells]
    for id_ in sorted({id_ for id_ in ids if ids.count(id_) > 1}):
        found.append(f"the cell id {id_!r} is used {ids.count(id_)} times; give each cell its own.")
    for cell in notebook.cells:
        begins = " ".join(cell.source.split())[:30]
        if not _READABLE.fullmatch(cell.get("id", "")) or _RANDOM.fullmatch(cell.id):
            found.append(f"the cell that begins {begins!r} has the id {cell.get('id', '')!r}; name what the cell is.")
        if cell.get("attachments"):
            found.append(f"the cell that begins {begins!r} holds a pasted picture; pictures are files in figures/.")
        for tag in cell.metadata.get("tags", []):
            found.append(f"cell {cell.get('id')!r} has the tag {tag!r}; cells have no tags.")
    return found


def _own_id(cell: Any) -> str:
    """Return a cell's id; a new cell that judges or asks is named after what it judges or asks."""
    id_ = str(cell.get("id", ""))
    if id_ and not _RANDOM.fullmatch(id_):
        return id_
    if found := re.match(r"check\((\w+)\)$", cell.source):
        return f"{found[1]}-check"
    if found := re.match(r"(predict|reveal|reflect)\([\"'](\w+)[\"']", cell.source):
        return f"{found[2]}-{found[1]}"
    if (found := re.match(r"def (\w+)\(", cell.source)) and found[1] in course().exercises:
        return found[1]
    return id_
