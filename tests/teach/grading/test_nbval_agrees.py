"""`attention grade` and `pytest --nbval` agree on every honest submission: all right, or not all right."""

import re

import pytest
from submissions import cases

LIMIT = 3  # seconds a cell: the endless loop costs it twice, the slowest right cell needs 0.5


@pytest.fixture(scope="module")
def run(nbval, tmp_path_factory):
    """Run nbval on all of them at once, on two workers of its own; they are honest, so they run unconfined."""
    folder = tmp_path_factory.mktemp("honest")
    for case in cases("honest"):
        (folder / f"{case.name}.ipynb").write_bytes(case.content())
    return nbval(folder, "--nbval", f"--nbval-cell-timeout={LIMIT}", "-n", "2", ".")


@pytest.mark.xdist_group("nbval of the corpus")
@pytest.mark.parametrize("case", cases("honest"), ids=str)
def test_nbval_agrees(case, run):
    """The record that the grader must give (see `test_corpus`) and nbval's result are both all right, or both not."""
    assert (run.failed(case.name) == []) == (not case.expected.verdicts), re.sub(
        r"\s+", " ", str(run.cells[case.name])
    )[:500]
