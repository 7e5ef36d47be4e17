"""Chromium without a window, for tests and for the benchmark."""

import contextlib
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from browser.page import AXE

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--disable-background-networking",  # this and the two below: the browser itself asks nobody for anything
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",  # a machine without a screen may have none
)


class Missing(Exception):
    """Something is not installed; the message says what, and the one line that installs it."""


@contextlib.contextmanager
def started() -> Iterator[Any]:
    """Start Chromium, and close it at the end.

    Raises
    ------
    Missing
        If there is no Playwright, no axe-core or no Chromium.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Missing("Playwright is not installed: `make browser` installs it.") from None
    if not AXE.is_file():
        raise Missing("axe-core is not installed: `make browser` installs it.")
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
        program = next(filter(None, map(shutil.which, PROGRAMS)), own if Path(own).is_file() else None)
        if program is None:
            raise Missing(f"There is no Chromium: `{sys.executable} -m playwright install chromium` installs it.")
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []  # root has no sandbox
        browser = playwright.chromium.launch(executable_path=program, args=[*FLAGS, *root])
        yield browser
        browser.close()
