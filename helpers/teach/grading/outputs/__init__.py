"""What becomes of the records: tables, files for an LMS, pages to look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from helpers.learn.home import write_whole
from helpers.teach.grading.gradebook import Gradebook
from helpers.teach.grading.outputs import (
    class_report,
    feedback,
    grades_csv,
    gradescope,
    lms,
    moodle_zip,
    reflections_csv,
)


def write_all(
    book: Gradebook,
    run: Mapping[str, Any],
    results: Path,
    filled: Path | None = None,
    column: str = "",
    notebooks: Sequence[str] = (),
) -> list[str]:
    """Write everything that is made of a class into its folder, and return what the instructor should hear.

    Parameters
    ----------
    book : Gradebook
        The class.
    run : mapping
        What `run.json` holds.
    results : Path
        The folder.
    filled : Path, optional
        A file exported from Canvas or Moodle, of which a copy is filled in.
    column : str, optional
        Which of its columns, where there are several.
    notebooks : sequence of str, optional
        The notebooks whose points it holds; all that anybody handed in, where none is named.
    """
    said = moodle_zip.write(book, feedback.write_feedback(book, results / "feedback"), results)
    write_whole(results / "class.html", class_report.class_page(book, run))
    grades_csv.write(book, results)
    reflections_csv.write(book, results)
    gradescope.write(book, results / "gradescope")  # who has no file there is said in the class's page
    return [*said, *lms.write(filled, book, results, column, notebooks)] if filled else said
