"""Where the course lies on disk: the folder that holds `notebooks/`, and `solutions/` where an edition has them."""

from __future__ import annotations

from pathlib import Path

import helpers


def course_folder() -> Path:
    """Return the folder above `helpers/`: an editable install of the course."""
    return Path(helpers.__file__).resolve().parent.parent


def notebooks_folder() -> Path:
    """Return `notebooks/`."""
    return course_folder() / "notebooks"


def solutions_folder() -> Path:
    """Return `solutions/`, whether or not this edition has it."""
    return course_folder() / "solutions"


def true_values_folder() -> Path:
    """Return `helpers/true_values/`."""
    return Path(helpers.__file__).resolve().parent / "true_values"
