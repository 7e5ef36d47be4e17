"""`results.jsonl` after a run that ended in the middle."""

import dataclasses
from pathlib import Path

import pytest

from grading.records import graded, unreadable
from helpers.teach.grading.gradebook import Person, gradebook
from helpers.teach.grading.ledger import Ledger
from helpers.teach.grading.record import parse
from helpers.teach.grading.submission import Submission

ADA, GRACE = graded("ada", "single_head"), graded("grace", "scaling")


def key(record):
    """Return what a submission is known by."""
    return record.file, record.submitted


def found(record, **changes):
    """Return the submission that a record is of."""
    return dataclasses.replace(Submission(record.file, record.student, record.submitted, Path("nowhere")), **changes)


@pytest.fixture
def ledger(tmp_path):
    """Return a ledger that nothing is written in."""
    return Ledger(tmp_path / "results.jsonl")


def lines(ledger):
    """Return the records in the file."""
    return [parse(line) for line in ledger.path.read_text(encoding="utf-8").split("\n")[:-1]]


def test_a_record_comes_back_as_it_was_written(ledger):
    """Names of any kind, lines and notes survive the way through the file."""
    odd = dataclasses.replace(unreadable('Zoë, "=1+1"\u2028'), notes=("a\nb", "c"))

    ledger.write([ADA, odd])

    assert lines(ledger) == [ADA, odd]


def test_what_is_recorded_is_not_done_again(ledger):
    """A run goes on with the submissions that have no line yet."""
    ledger.write([ADA])

    assert ledger.resume([found(ADA), found(GRACE)]) == {key(ADA)}


def test_a_line_that_was_cut_off_is_done_again(ledger):
    """A process that was killed while it wrote leaves half a line: it goes, and those before it stay."""
    ledger.write([ADA])
    with ledger.path.open("a", encoding="utf-8") as file:
        file.write(GRACE.line()[:40])

    assert ledger.resume([found(ADA), found(GRACE)]) == {key(ADA)}
    ledger.write([GRACE])
    assert lines(ledger) == [ADA, GRACE]


def test_a_line_that_is_no_text_is_done_again(ledger):
    """A byte that no UTF-8 has makes a line no record, and costs the lines beside it nothing."""
    ledger.write([ADA, GRACE])
    ledger.path.write_bytes(ledger.path.read_bytes().replace(b'"ada"', b'"\xffda"'))

    assert ledger.whose() == {GRACE.file: "grace"}
    assert ledger.resume([found(ADA), found(GRACE)]) == {key(GRACE)}
    assert lines(ledger) == [GRACE]


def test_a_record_is_whoevers_its_file_is_now(ledger):
    """A roster that was not there before calls Ada u000: her record is kept under that, and nothing is done again."""
    ledger.write([ADA])

    assert ledger.resume([found(ADA, student="u000", owner="ada_17_assignsubmission_file_")]) == {key(ADA)}
    assert lines(ledger) == [dataclasses.replace(ADA, student="u000", owner="ada_17_assignsubmission_file_")]


def test_what_could_not_be_read_has_no_marks_to_lose(ledger):
    """Of the files that are marked the ledger says whose they are; where nothing is recorded yet, of none."""
    assert ledger.whose() == {}

    ledger.write([ADA, unreadable("grace")])

    assert ledger.whose() == {ADA.file: "ada"}


def test_a_record_under_another_name_of_the_roster_is_in_the_book(ledger):
    """Whatever key a record has, the book has a student of that key."""
    ledger.write([ADA])
    person = Person("u000", "Ada Lovelace")

    book = gradebook(ledger.path, {"u000": person, "ada": person})

    assert list(book.records()) == [ADA]
    assert [*book.people] == ["ada", "u000"]


def test_a_file_that_changed_is_done_again(ledger):
    """The record of a file that was handed in anew since, or is gone, is dropped."""
    ledger.write([ADA, GRACE])

    assert ledger.resume([found(ADA, submitted=ADA.submitted + 1)]) == set()
    assert lines(ledger) == []


def test_nothing_stands_twice(ledger):
    """Of two lines on one submission one stays."""
    ledger.write([ADA, ADA])

    ledger.resume([found(ADA)])

    assert lines(ledger) == [ADA]


def test_of_two_attempts_the_later_counts(ledger):
    """Settling says of the earlier one that it is superseded, and by which file, whatever was recorded first."""
    again = dataclasses.replace(ADA, file="ada/again.ipynb", submitted=ADA.submitted + 60)
    for order in ([ADA, again], [again, ADA]):
        ledger.path.unlink(missing_ok=True)
        ledger.write(order)

        ledger.settle()

        assert {record.file: record.status for record in lines(ledger)} == {
            ADA.file: "superseded",
            again.file: "graded",
        }
        assert "again.ipynb" in next(record.reason for record in lines(ledger) if record.file == ADA.file)
        assert gradebook(ledger.path).graded("ada") == {"single_head": again}


def test_an_unreadable_attempt_supersedes_nothing(ledger):
    """Whoever sends a broken file after a sound one keeps the sound one's marks, and is listed as unreadable."""
    broken = dataclasses.replace(unreadable("ada"), submitted=ADA.submitted + 60)
    ledger.write([ADA, broken])

    ledger.settle()

    assert [record.status for record in lines(ledger)] == ["graded", "unreadable"]
