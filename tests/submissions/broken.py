"""Files that are no notebook of ours, or are damaged, or far larger than anything typed by hand."""

import copy
import io
import json
import stat
import zipfile

import nbformat

from . import Notebook, graded, unreadable, zipped

NONE = "expected a notebook, got a file that is none"

# ============================================================ no notebook


@unreadable(NONE)
def empty_file():
    """No byte."""
    return b""


@unreadable(NONE)
def not_json():
    """The Python script that an export makes."""
    return "# %%\nimport numpy as np\n"


@unreadable(NONE)
def a_web_page():
    """The page of a login that expired, saved under the notebook's name."""
    return "<!DOCTYPE html><html><body>Please log in.</body></html>"


@unreadable(NONE)
def cut_off():
    """The first half of the file."""
    text = Notebook().text()
    return text[: len(text) // 2]


@unreadable(NONE)
def merge_markers():
    """A conflict that nobody resolved."""
    text = Notebook().text()
    return text.replace('"metadata"', '<<<<<<< HEAD\n"metadata"', 1)


@unreadable(NONE)
def empty_json():
    """An empty object."""
    return "{}"


@unreadable(NONE)
def a_list():
    """JSON, and no notebook."""
    return "[]"


@unreadable(NONE)
def null():
    """JSON's nothing."""
    return "null"


@unreadable(NONE)
def only_null_bytes():
    """What a full disk leaves behind."""
    return b"\0" * 100_000


@unreadable(NONE)
def random_bytes():
    """A picture under the notebook's name."""
    return b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40


@unreadable(NONE)
def latin_1():
    """An encoding that is neither UTF-8 nor UTF-16."""
    return Notebook().text().encode("latin-1", errors="replace").replace(b"head", b"K\xf6pfchen")


@unreadable(NONE)
def deep_json():
    """A million lists in one another."""
    return "[" * 1_000_000


@unreadable(NONE)
def deep_metadata():
    """A notebook whose metadata nests as deep as the parser lets it."""
    return Notebook().text().replace('"metadata": {', '"metadata": {"deep": ' + "[" * 900 + "]" * 900 + ", ", 1)


@unreadable(NONE)
def a_number_of_a_million_digits():
    """A format that no machine can count."""
    return Notebook().text().replace('"nbformat": 4', '"nbformat": ' + "9" * 1_000_000)


@unreadable(NONE)
def format_99():
    """A notebook from the future."""
    return Notebook().text().replace('"nbformat": 4', '"nbformat": 99')


@unreadable(NONE)
def cells_that_are_none():
    """Words where cells are expected."""
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": ["project", 3, None]})


@unreadable(NONE)
def sources_that_are_none():
    """Numbers where sources are expected."""
    notebook = json.loads(Notebook().text())
    for cell in notebook["cells"]:
        cell["source"] = 7
    return json.dumps(notebook)


# ============================================================ another notebook


@unreadable("none of this course's exercises is in it")
def no_cells():
    """A new notebook."""
    return nbformat.writes(nbformat.v4.new_notebook())


@unreadable("none of this course's exercises is in it")
def another_courses_notebook():
    """Homework of another course; one function is called like one of ours."""
    cells = ["import pandas as pd", "project = lambda df: df", "project(pd.DataFrame())"]
    return nbformat.writes(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(one) for one in cells]))


@unreadable("none of this course's exercises is in it")
def an_r_notebook():
    """Another language."""
    cells = [nbformat.v4.new_code_cell("project <- function(X, omega, beta) omega %*% X + beta")]
    metadata = {"kernelspec": {"name": "ir", "display_name": "R", "language": "R"}}
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells, metadata=metadata))


@unreadable("none of this course's exercises is in it")
def all_cells_turned_to_text():
    """Ours, with every code cell as markdown."""
    notebook = Notebook()
    for cell in notebook.code:
        cell.cell_type = "markdown"
        del cell["outputs"], cell["execution_count"]
    return notebook


# ============================================================ damaged


@graded(3, note="2 cells define it")
def one_id_for_two_cells():
    """The id of an answer on a copy of it."""
    notebook = Notebook()
    notebook.notebook.cells.append(copy.deepcopy(notebook.cell("weighted_values")))
    return notebook


@graded(3, note="found in another cell")
def one_id_for_all_cells():
    """Every cell that is no answer is called like an answer."""
    notebook = Notebook()
    for cell in notebook.code:
        if "def " not in cell.source:
            cell.id = "weighted_values"
    return notebook


@graded(2, weighted_values="error", says="is not Python")
def null_bytes_in_a_cell():
    """A null in a source."""
    return Notebook(weighted_values="def NAME(A, V):\n    return V @ A\0")


@graded(2, weighted_values="error", says="is not Python")
def half_a_character():
    """Half of a pair of UTF-16, as JSON can hold it and UTF-8 cannot."""
    return Notebook(weighted_values="def NAME(A, V):\n    return '\\ud800'").text().replace("'\\\\ud800'", "'\\ud800'")


@graded(2, weighted_values="missing")
def the_name_misspelled():
    """The id is gone, and the function has another name."""
    notebook = Notebook().delete("weighted_values")
    return notebook.add("def weighted_value(A, V):\n    return V @ A")


# ============================================================ too large, too deep


@graded(2, weighted_values="error", says="characters")
def a_cell_of_10_mb():
    """A table of numbers pasted into the answer."""
    return Notebook(weighted_values="TABLE = [" + "1.0, " * 2_000_000 + "]\ndef NAME(A, V):\n    return V @ A")


@graded(2, weighted_values="error", says="1,000 lines")
def thousands_of_statements():
    """Each needs the one above it."""
    chain = "".join(f"x{k} = x{k - 1}\n" for k in range(1, 2_000))
    return Notebook(weighted_values=f"x0 = 1\n{chain}def NAME(A, V):\n    return V @ A * x1999")


@graded(3)
def empty_lines():
    """Thousands of them, in a cell that is not Python."""
    return Notebook().add("\n" * 900 + " " * 20_000 + "(" + "\n" * 90)


@graded(3)
def a_trial_of_10_mb():
    """The same in a cell that is no answer."""
    return Notebook().add("TABLE = [" + "1.0, " * 2_000_000 + "]")


@unreadable("characters of code")
def pages_of_code():
    """A thousand cells, none of them long."""
    notebook = Notebook()
    for k in range(1_000):
        notebook.add(f"x = {k}\n" * 60)
    return notebook


@graded(3)
def outputs_that_are_none():
    """100,000 empty objects in their place: a validator that reported each would take 4 GB."""
    notebook = json.loads(Notebook().text())
    next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")["outputs"] = [{}] * 100_000
    return json.dumps(notebook)


@unreadable("10,042 code cells")
def cells_without_end():
    """10,000 cells, none of them long."""
    notebook = json.loads(Notebook().text())
    notebook["cells"] += [
        {
            "cell_type": "code",
            "id": f"c{k}",
            "source": f"x = {k}\n" * 20,
            "metadata": {},
            "outputs": [],
            "execution_count": 1,
        }
        for k in range(10_000)
    ]
    return json.dumps(notebook)


@graded(3)
def fifty_megabytes():
    """Nothing but stored output; what is larger is refused when it is collected."""
    notebook = Notebook()
    notebook.code[0].outputs = [nbformat.v4.new_output("stream", text="0123456789" * 4_900_000)]
    return notebook


def _deep(name, unit, times, head="", tail="", closing=""):
    def make():
        return Notebook(
            weighted_values=f"def NAME(A, V):\n    x = {head}{unit * times}{tail}{closing * times}\n    return V @ A"
        )

    make.__name__, make.__module__, make.__doc__ = f"deep_{name}", __name__, f"{times:,} times {unit!r} in a row."
    return graded(2, weighted_values="error", says="is not Python")(make)


_deep("minus", "-", 28_000, tail="1")
_deep("not", "not ", 7_000, tail="1")
_deep("brackets", "[", 28_000)
_deep("braces", "{1:", 9_000)
_deep("calls", "f(", 9_000, closing=")")
_deep("lambdas", "lambda:", 4_000, tail="1")
_deep("powers", "1**", 9_000, tail="1")
_deep("conditions", "1 if 1 else ", 2_000, tail="1")
_deep("attributes", ".a", 14_000, head="a")
_deep("subscripts", "[0]", 9_000, head="a")
_deep("sums", "1+", 14_000, tail="1")
_deep("f_strings", "f'{", 5_000, tail="1", closing="}'")
_deep("spaces", " ", 28_000, tail="(")
_deep("sums_that_parse", "1+", 700, tail="1")


# ============================================================ zips: of each, what its own record must say


@unreadable("zip", file="{}.zip")
def a_zip_that_is_none():
    """Text under the name of a zip."""
    return "not a zip"


@unreadable("zip", file="{}.zip")
def a_zip_cut_off():
    """The first half of a zip."""
    raw = zipped({"01_single_head.ipynb": Notebook()})
    return raw[: len(raw) // 2]


@unreadable("unpacks to", file="{}.zip")
def a_zip_bomb():
    """300 kB that unpack to 300 MB."""
    return zipped({"01_single_head.ipynb": b" " * 300_000_000})


@unreadable("files", file="{}.zip")
def a_zip_of_a_thousand_files():
    """More than 1,000 entries."""
    return zipped({f"{number}.ipynb": "{}" for number in range(1_001)})


@unreadable("deep", file="{}.zip")
def zips_in_zips():
    """A zip in a zip in a zip, ten deep."""
    content: bytes = zipped({"01_single_head.ipynb": Notebook()})
    for _ in range(10):
        content = zipped({"inner.zip": content})
    return content


@unreadable("..", file="{}.zip")
def a_zip_that_climbs():
    """A member that would be unpacked outside."""
    return zipped({"../../../../tmp/escaped.ipynb": Notebook()})


@unreadable("/", file="{}.zip")
def a_zip_from_the_root():
    """A member with an absolute path."""
    return zipped({"/etc/cron.d/escaped.ipynb": Notebook()})


@unreadable("symbolic link", file="{}.zip")
def a_link_in_a_zip():
    """A member that is a link to a file of the host."""
    link = zipfile.ZipInfo("01_single_head.ipynb")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return zipped({link: "/etc/passwd"})


@unreadable("password", file="{}.zip")
def an_encrypted_zip():
    """A member with the flag of encryption."""
    raw = io.BytesIO(zipped({"01_single_head.ipynb": Notebook()}))
    content = bytearray(raw.getvalue())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + offset] |= 1
    return bytes(content)


@unreadable("expected a whole one", file="{}.zip")
def a_damaged_zip():
    """Bytes in the middle that were changed on the way."""
    content = bytearray(zipped({"01_single_head.ipynb": Notebook()}))
    content[200:300] = b"\0" * 100
    return bytes(content)


@graded(3, file="{}.zip")
def a_zip_with_folders():
    """A right notebook two folders deep, among what macOS adds."""
    return zipped({"work/01/01_single_head.ipynb": Notebook(), "__MACOSX/work/01/._01_single_head.ipynb": b"\0\5\26\7"})


@graded(3, file="{}.ipynb")
def a_zip_called_a_notebook():
    """Known by its content."""
    return zipped({"01_single_head.ipynb": Notebook()})
