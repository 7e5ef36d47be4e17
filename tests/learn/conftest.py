"""A student's folder, and a notebook that runs in this process."""

import gc
import os
import sys

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from helpers.course import course
from helpers.learn import home, progress, session
from helpers.teach import solutions


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Give each test its own home, as a student has on the first day."""
    own = tmp_path / "home"
    own.mkdir()
    monkeypatch.setenv("ATTENTION_HOME", str(own))
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    monkeypatch.delenv("ATTENTION_RECORD", raising=False)
    monkeypatch.setattr(home, "_memory", {})
    monkeypatch.setattr(session, "_cells", {})
    monkeypatch.setattr(session, "_stand_ins", [])
    return own


class Notebook:
    """Cells, run one after the other as a notebook runs them."""

    def __init__(self, shell, capsys):
        self.shell, self.capsys = shell, capsys

    def run(self, source, cell_id=None):
        """Run one cell, keep what it raised in `error`, and return what it printed."""
        self.capsys.readouterr()
        result = self.shell.run_cell(source, store_history=False, cell_id=cell_id)
        self.error = result.error_before_exec or result.error_in_exec
        return self.capsys.readouterr().out

    def answer(self, name, source):
        """Run a source in the exercise's own cell, then its check; return what that printed."""
        self.run(source, cell_id=name)
        return self.run(f"check({name})", cell_id=f"{name}-check")

    @property
    def names(self):
        """The names that the notebook holds."""
        return self.shell.user_ns


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    """Start IPython as a kernel does, and take it down: later tests must not find a notebook."""
    config = Config()
    config.HistoryManager.enabled = False
    before, ipython_folder = sys.modules["__main__"], os.environ.get("IPYTHONDIR")
    os.environ["IPYTHONDIR"] = str(tmp_path_factory.mktemp("ipython"))
    started = InteractiveShell.instance(config=config)
    session.start()
    gc.freeze()  # each reset of IPython collects garbage: it need not walk through what earlier tests have loaded
    yield started
    InteractiveShell.clear_instance()
    sys.modules["__main__"] = before
    os.environ.pop("IPYTHONDIR")
    if ipython_folder is not None:
        os.environ["IPYTHONDIR"] = ipython_folder


@pytest.fixture
def notebook(shell, folder, capsys):
    """Open a notebook and run its setup cell."""
    shell.reset(new_session=False)
    opened = Notebook(shell, capsys)
    opened.run("import numpy as np\nfrom helpers import Head, check, hint, predict, progress, reveal, show, solution")
    assert opened.error is None
    return opened


@pytest.fixture
def passed():
    """Return a function that marks an exercise as passed, its solution kept in my_attention.py."""

    def mark(name):
        from helpers.learn import portfolio
        from helpers.learn.slices import answer_slice

        portfolio.save(answer_slice(solutions.source(name), name, course().exercises))
        progress.attempt(name, solutions.source(name), passed=True)

    return mark
