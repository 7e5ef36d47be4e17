"""A notebook as a student hands it in: all of it solved, until someone says otherwise."""

from pathlib import Path
from typing import Any

import nbformat

from helpers.course import course
from helpers.teach import solutions
from helpers.teach.course_folder import notebooks_folder


class Notebook:
    """A notebook of the course, the first by default, with every exercise solved but those that are given."""

    def __init__(self, notebook: str = "single_head", **answers: str) -> None:
        self.notebook = nbformat.read(notebooks_folder() / course().notebooks[notebook].file, as_version=4)
        for exercise in course().exercises_of(notebook):
            self.cell(exercise.function).source = solutions.source(exercise.function)
        for function, source in answers.items():
            self.answer(function, source)

    @property
    def code(self) -> list[Any]:
        """The code cells."""
        return [cell for cell in self.notebook.cells if cell.cell_type == "code"]

    def cell(self, id_: str) -> Any:
        """Return a cell by its id."""
        (found,) = (cell for cell in self.notebook.cells if cell.id == id_)
        return found

    def shows(self, name: str) -> Any:
        """Return the cell that shows a name."""
        (found,) = (cell for cell in self.code if f'show("{name}"' in cell.source)
        return found

    def answer(self, function: str, source: str) -> "Notebook":
        """Put a source into a TODO cell; NAME stands for the exercise's name (see `test_manifest`)."""
        self.cell(function).source = source.replace("NAME", function).lstrip("\n")
        return self

    def replace(self, function: str, old: str, new: str) -> "Notebook":
        """Change the text of a TODO cell."""
        source = self.cell(function).source
        assert source.count(old) == 1
        return self.answer(function, source.replace(old, new))

    def add(self, source: str, position: int | None = None) -> "Notebook":
        """Add a code cell, at the end unless told otherwise."""
        cells = self.notebook.cells
        cells.insert(len(cells) if position is None else position, nbformat.v4.new_code_cell(source))
        return self

    def stub(self, *functions: str) -> "Notebook":
        """Put TODO cells back as they were handed out."""
        stem = next(
            one for name, one in course().notebooks.items() if course().exercises[functions[0]].notebook == name
        )
        given = nbformat.read(notebooks_folder() / stem.file, as_version=4)
        for cell in given.cells:
            if cell.id in functions:
                self.cell(cell.id).source = cell.source
        return self

    def delete(self, *ids: str) -> "Notebook":
        """Delete cells."""
        self.notebook.cells = [cell for cell in self.notebook.cells if cell.id not in ids]
        return self

    def to_text(self, function: str) -> "Notebook":
        """Turn a TODO cell into markdown, as the menu of JupyterLab does."""
        cell = self.cell(function)
        cell.cell_type = "markdown"
        del cell["outputs"], cell["execution_count"]
        return self

    def clear(self) -> "Notebook":
        """Clear all outputs, as the menu of JupyterLab does."""
        for cell in self.code:
            cell.outputs, cell.execution_count = [], None
        return self

    def strip_ids(self) -> "Notebook":
        """Take every cell's id away, as some converters do."""
        for cell in self.notebook.cells:
            del cell["id"]
        return self

    def text(self) -> str:
        """Return the text of its file: by json, and not by nbformat, which would mend what is spoiled on purpose."""
        return str(nbformat.v4.nbjson.JSONWriter().writes(nbformat.from_dict(self.notebook)))

    def write(self, path: Path, encoding: str = "utf-8") -> Path:
        """Save it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.text(), encoding=encoding)
        return path
