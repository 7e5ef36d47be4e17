"""Handing out work: whatever happens to a worker, each submission gets one record."""

import os

import pytest

from helpers.teach.grading import engine
from helpers.teach.grading.sandbox.confine import Limits
from helpers.teach.grading.submission import Submission

pytestmark = pytest.mark.xdist_group("grading")  # it starts processes, which others should not wait for

SETTINGS = engine.Settings(Limits(), secret=1)


class Deadly(Submission):
    """A submission whose reading ends the process."""

    def read(self):
        """End the process."""
        os._exit(3)


def submissions(tmp_path, count, deadly=()):
    """Return batches of one file each; a worker that reads a deadly one dies."""
    place = tmp_path / "no_notebook.ipynb"
    place.write_bytes(b"{}")
    return [((Deadly if n in deadly else Submission)(f"{n}.ipynb", f"s{n}", 0.0, place),) for n in range(count)]


@pytest.mark.parametrize("deadly", [(), (0,), (2, 3), (7,)])
def test_a_deadly_submission_harms_no_other(tmp_path, deadly):
    """Whichever files end the process that reads them: they are named for it, and each other one is read."""
    batches = submissions(tmp_path, 8, deadly)

    found = [record for few in engine.records(batches, SETTINGS, engine.LocalCrew(2)) for record in few]

    said = {record.file: "the grader's own process ended" in record.reason for record in found}
    assert len(found) == 8
    assert said == {f"{n}.ipynb": n in deadly for n in range(8)}


def test_no_more_is_handed_out_than_keeps_the_workers_busy(tmp_path):
    """A class of any size is taken from its list as the work goes on."""
    taken = []

    def lazily():
        for batch in submissions(tmp_path, 100):
            taken.append(batch)
            yield batch

    first = next(engine.records(lazily(), SETTINGS, engine.LocalCrew(1)))

    assert len(first) == 1
    assert len(taken) <= engine.AHEAD


def test_another_setting_starts_another_warm_process(tmp_path):
    """A worker that is told other limits confines by those."""
    one = engine._runner(SETTINGS)
    other = engine._runner(engine.Settings(Limits(seconds=1), secret=1))
    try:
        assert one is not other
        assert other.limits.seconds == 1
        assert one._process.poll() is not None
        assert engine._runner(engine.Settings(Limits(seconds=1), secret=1)) is other
    finally:
        other.close()
