"""What pytest loads at start: one option, and our nbval plugin where `--nbval` is given."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--solved`."""
    parser.getgroup("nbval").addoption(
        "--solved", action="store_true", help="Attention by Hand: run every TODO cell as its solution (with --nbval)."
    )


def pytest_configure(config: pytest.Config) -> None:
    """Load the course's nbval plugin, only where notebooks are validated."""
    if not (config.getoption("nbval", default=False) or config.getoption("nbval_lax", default=False)):
        if config.getoption("solved"):
            raise pytest.UsageError("--solved says how notebooks are run: give --nbval too.")
        return
    try:
        import attention_by_hand.guard  # noqa: F401  raises where another `helpers` hides ours

        from helpers.course import course
        from helpers.teach import nbval_plugin

        course()  # a manifest that cannot be read is said once, here
    except (ImportError, ValueError) as error:
        raise pytest.UsageError(str(error)) from None
    config.pluginmanager.register(nbval_plugin, "attention_by_hand_nbval")
