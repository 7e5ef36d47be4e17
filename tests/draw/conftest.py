"""The readers of pictures, as fixtures."""

from collections.abc import Callable

import pytest
from pictures import Picture, advance, contrast


@pytest.fixture(scope="session")
def read() -> Callable[[str], Picture]:
    """Return the reader of pictures."""
    return Picture


@pytest.fixture(scope="session", name="contrast")
def contrast_() -> Callable[[str, str], float]:
    """Return the contrast formula."""
    return contrast


@pytest.fixture(scope="session", name="advance")
def advance_() -> Callable[[str, float, int], float]:
    """Return the measure of text: words, size and weight to px."""
    return advance
