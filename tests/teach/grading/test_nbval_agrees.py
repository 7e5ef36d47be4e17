"""`attention grade` and `pytest --nbval` agree on every honest submission: all right, or not all right."""

from submissions import cases


def test_nbval_agrees(nbval, tmp_path):
    """One run of nbval, on two workers of its own, on all of them: they are honest, so they run unconfined.

    `test_corpus` holds that the grader gives the expected records.
    """
    for case in cases("honest"):
        (tmp_path / f"{case.name}.ipynb").write_bytes(case.content())
    run = nbval(tmp_path, "--nbval", "-n", "2", ".", endless={"an_endless_loop": "weighted_values-check"})
    disagree = {
        case.name: {cell: run.cells[case.name][cell][:500] for cell in run.failed(case.name)}
        for case in cases("honest")
        if (run.failed(case.name) == []) != (not case.expected.verdicts)
    }
    assert disagree == {}
