"""`attention grade` and `pytest --nbval` agree on every honest submission: all right, or not all right."""

from submissions import cases

LIMIT = 3  # seconds a cell: the endless loop costs it, and the slowest right cell, the imports, needs 0.5


def test_nbval_agrees(nbval, tmp_path):
    """One run of nbval, on two workers of its own, on all of them: they are honest, so they run unconfined.

    `test_corpus` holds that the grader gives the expected records.
    """
    for case in cases("honest"):
        (tmp_path / f"{case.name}.ipynb").write_bytes(case.content())
    run = nbval(tmp_path, "--nbval", f"--nbval-cell-timeout={LIMIT}", "-n", "2", ".")
    disagree = {
        case.name: run.failed(case.name)
        for case in cases("honest")
        if (run.failed(case.name) == []) != (not case.expected.verdicts)
    }
    assert disagree == {}
