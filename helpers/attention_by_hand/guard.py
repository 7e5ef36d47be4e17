"""Importing this says so where somebody else's `helpers` stands in the way of ours."""

import importlib.util
from pathlib import Path


class Hidden(ImportError):
    """Another `helpers` is found first. Jupyter shows the lines alone, without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return str(self).split("\n")


def make_sure_helpers_is_ours() -> None:
    """Raise if `import helpers` would find something that is not this course's.

    Raises
    ------
    Hidden
        With the path of what hides it, and what to do.
    """
    spec = importlib.util.find_spec("helpers")
    places = list(spec.submodule_search_locations or []) if spec else []
    if any((Path(place) / "course.toml").is_file() for place in places):
        return
    found = places[0] if places else spec and spec.origin
    raise Hidden(
        f"✗ helpers: found {found or 'none'}, expected the one of Attention by Hand.\n"
        + (
            "  A file or folder of that name hides it. Rename yours, then restart the kernel or run the command again."
            if found
            else "  Install the course as its README says, and restart the kernel."
        )
    )


make_sure_helpers_is_ours()
