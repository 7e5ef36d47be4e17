"""A home for each test of the explorers."""

import pytest

from helpers.learn import home


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Give each test a folder without a my_attention.py."""
    monkeypatch.setenv("ATTENTION_HOME", str(tmp_path))
    monkeypatch.setattr(home, "_memory", {})
    return tmp_path
