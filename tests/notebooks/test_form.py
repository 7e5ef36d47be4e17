"""How notebooks are stored, and what every one of them has."""

import ast
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from helpers.course import course
from helpers.teach import notebook_form
from helpers.teach.course_folder import notebooks_folder

NOTEBOOKS = list(course().notebooks.values())


@pytest.fixture(params=NOTEBOOKS, ids=[notebook.name for notebook in NOTEBOOKS])
def stored(request):
    """One notebook of the course, as it is committed."""
    return notebook_form.read(notebooks_folder() / request.param.file)


def code(notebook):
    """Return the code cells."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.name)
def test_it_is_in_the_stored_form(notebook):
    """Reading and writing a committed notebook gives the same bytes, and nothing is left to mend by hand."""
    path = notebooks_folder() / notebook.file

    assert notebook_form.text(notebook_form.normal(notebook_form.read(path))) == path.read_text(encoding="utf-8")
    assert notebook_form.problems(notebook_form.read_as_is(path)) == []


def test_counts_run_from_one_and_skip_what_is_stored_unrun(stored):
    """Cells that judge or depend on the reader have no count and no output; the others count 1..n."""
    unrun = [cell for cell in code(stored) if notebook_form.is_unrun(cell)]
    run = [cell for cell in code(stored) if not notebook_form.is_unrun(cell)]

    assert all(cell.execution_count is None and not cell.outputs for cell in unrun)
    assert [cell.execution_count for cell in run] == list(range(1, len(run) + 1))


def test_every_picture_is_a_file_with_an_alt_sentence(stored):
    """Pictures are SVG files shown by markdown; each has a sentence for those who do not see it."""
    for cell in stored.cells:
        for alt, target in re.findall(r"!\[(.*?)\]\((.*?)\)", cell.source):
            path = notebooks_folder() / target
            assert target.startswith("figures/")
            assert path.is_file()
            assert len(alt.split()) > 5
            assert alt.endswith(".")


def test_who_hears_a_picture_hears_its_alt_sentence(stored):
    """The description inside each SVG is the alt sentence that stands in the notebook, whose numbers are tested."""
    for cell in stored.cells:
        for alt, target in re.findall(r"!\[(.*?)\]\((.*?)\)", cell.source):
            svg = ElementTree.parse(notebooks_folder() / target)  # noqa: S314  our own file
            assert svg.findtext("{*}desc") == alt


def test_no_output_holds_anything_but_printed_text(stored):
    """No picture bytes, no widgets, no errors and no warnings are stored."""
    kinds = {(output.output_type, output.get("name")) for cell in code(stored) for output in cell.outputs}

    assert kinds <= {("stream", "stdout")}


def test_a_reader_never_has_much_to_read_before_there_is_something_to_do(stored):
    """Between two code cells stand at most 120 words, tables, formulas and pictures not counted."""
    words, before = 0, "the first cell"
    for cell in stored.cells:
        if cell.cell_type == "code":
            words, before = 0, cell.id
            continue
        prose = re.sub(
            r"(?s:\$\$.*?\$\$)|\$[^$\n]*\$|!\[.*?\]\(.*?\)|^\|.*$|^#.*$", "", cell.source, flags=re.MULTILINE
        )
        words += len(prose.split())
        assert words <= 120, f"{words} words after {before}, up to {cell.id}"


def test_cells_are_short(stored):
    """A given cell has at most 25 lines; no line is wider than 120 characters."""
    todo = set(course().exercises)
    for cell in code(stored):
        lines = cell.source.splitlines()
        assert cell.id in todo or len(lines) <= 25, cell.id
        assert max(map(len, lines)) <= 120, cell.id


def test_every_notebook_has_its_parts(stored):
    """Objectives and time, symbols, paper, a guess; at the end a reflection, and the bridge to what follows."""
    ids = [cell.id for cell in stored.cells]
    source = {cell.id: cell.source for cell in stored.cells}
    (number,) = map(int, re.findall(r"^# (\d) · ", stored.cells[0].source))
    text = "\n".join(cell.source for cell in stored.cells if cell.cell_type == "markdown")

    assert "**After this notebook you can**" in text
    assert re.search(r"About \d+ minutes", text)
    assert "| symbol | shape | in words |" in text
    assert "**On paper.**" in text
    assert "**Guess first.**" in text
    assert source["reflection"].startswith("## In one sentence\n\n")
    assert source[ids[ids.index("reflection") + 1]].startswith("reflect(")
    assert source[ids[ids.index("bridge") + 1]] == "progress()"
    if number < len(NOTEBOOKS):
        assert re.search(rf"^## Next: .+\n\n.*\bNotebook {number + 1}\b", source["bridge"], re.MULTILINE | re.DOTALL)
    else:
        assert source["bridge"].startswith("## After this course\n\n")


def rows_on_paper(notebook):
    """Return cell and words of every row of ON_PAPER in the test of a notebook's numbers."""
    text = Path(__file__).with_name(f"test_{notebook.name}_numbers.py").read_text(encoding="utf-8")
    (table,) = (
        statement.value
        for statement in ast.parse(text).body
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "ON_PAPER"
    )
    return [[ast.literal_eval(part) for part in row.elts[:2]] for row in table.elts]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.name)
def test_every_number_on_paper_is_tested(notebook):
    """From each cell's work on paper some words stand in ON_PAPER of the notebook's test, beside what they say."""
    cells = notebook_form.read(notebooks_folder() / notebook.file).cells
    paper = {cell.id: cell.source.partition("**On paper.**")[2] for cell in cells if cell.cell_type == "markdown"}
    tested = {cell for cell, words in rows_on_paper(notebook) if words in paper.get(cell, "")}

    assert [cell for cell, text in paper.items() if re.search(r"\d", text) and cell not in tested] == []


def test_every_question_is_predicted_before_it_is_revealed(stored, request):
    """Each question of the manifest has a predict cell, and a reveal cell after it; each reflection has its cell."""
    name = next(notebook.name for notebook in NOTEBOOKS if stored.cells[0].source.startswith(f"# {notebook.number} · "))
    ids = [cell.id for cell in stored.cells]
    asked = [question.name for question in course().questions.values() if question.notebook == name]
    reflected = [reflection.name for reflection in course().reflections.values() if reflection.notebook == name]

    for question in asked:
        assert ids.index(f"{question}-predict") < ids.index(f"{question}-reveal")
    # And no cell asks what the manifest does not know.
    assert sorted(id_.removesuffix("-predict") for id_ in ids if id_.endswith("-predict")) == sorted(asked)
    assert sorted(id_.removesuffix("-reflect") for id_ in ids if id_.endswith("-reflect")) == sorted(reflected)


def test_every_exercise_heading_has_its_number_and_title(stored):
    """The heading above an exercise is the manifest's number and title, and its docstring names the equation."""
    for exercise in course().exercises.values():
        cells = {cell.id: cell.source for cell in stored.cells}
        if exercise.function in cells:
            headings = "\n".join(cells.values())
            assert f"### {exercise.number} · {exercise.title}\n" in headings
            if exercise.equation:  # empty where the book has none
                assert f"{exercise.equation})" in cells[exercise.function].split("\n")[1]
