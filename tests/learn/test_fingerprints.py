"""Fingerprints: the numbers by which a mistake is known again, and how they are said."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.course import course
from helpers.examples import examples
from helpers.examples.example import Example
from helpers.learn import fingerprints, naming
from helpers.learn.errors import Trouble
from helpers.learn.fingerprints import Mark, alike, made, mark, parse, stored, written
from helpers.learn.results import Reading
from helpers.learn.run import Outcome
from helpers.teach.course_folder import true_values_folder

CALL = Example("an example", ())
TRUE = Reading((np.array([[1.0, 2.0], [3.0, 4.0]]),))


def outcome(*rows, single=False):
    """Return the outcome of a call that returned a matrix."""
    return Outcome(Reading((np.array(rows, dtype=float),), single))


def test_each_kind_of_result_has_its_mark():
    """Right, another number, another shape, not finite, an error, nothing: each is told apart in what is stored."""
    raised = Outcome(trouble=Trouble("ValueError", 3, "", kinds=("ValueError", "Exception")))
    refusing = Example("a call to refuse", (), refuses=("D",))

    assert mark(outcome([1, 2], [3, 4]), TRUE, CALL).text() == "="
    assert re.fullmatch(r"[\d.]+", mark(outcome([1, 2], [3, 5]), TRUE, CALL).text())
    assert re.fullmatch(r"1x2:[\d.]+", mark(outcome([1, 2]), TRUE, CALL).text())
    assert mark(outcome([1, 2], [3, np.nan]), TRUE, CALL).text() == "nan"
    assert mark(raised, TRUE, CALL).text() == "!ValueError"
    assert mark(raised, Reading(()), refusing).text() == "="
    assert mark(Outcome(unreadable="returned None"), TRUE, CALL).text() == "?"


@given(st.permutations(range(6)), st.lists(st.integers(-9, 9), min_size=6, max_size=6, unique=True))
def test_the_order_of_the_entries_counts(order, entries):
    """Two results with the same entries in other places have other marks."""
    one = mark(outcome(entries), TRUE, CALL)
    other = mark(outcome([entries[k] for k in order]), TRUE, CALL)

    assert alike([one], [other], [CALL]) == (list(order) == list(range(6)))


@pytest.mark.parametrize(
    ("rows", "flat"),
    [
        ([[0, 0], [0, 0]], True),
        ([[1, 1], [2, 2]], True),
        ([[1, 1], [2, 3]], False),
        ([[1], [1]], False),
        ([[0], [0]], True),
    ],
)
def test_zeros_and_equal_columns_are_flat(rows, flat):
    """Nothing but zeros, and several columns that are all equal, are flat; one column of equal numbers is not.

    Where the true numbers are flat themselves, none is.
    """
    assert mark(outcome(*rows), TRUE, CALL).flat == flat
    assert not mark(outcome(*rows), Reading((np.array([[5.0, 5.0], [7.0, 7.0]]),)), CALL).flat


def test_a_mark_is_known_again_from_what_is_stored():
    """What is stored is alike what it was made from, for numbers of any size, and in float32 within its digits."""
    for size in (1e-6, 1.0, 1e9):
        rows = (np.arange(6.0).reshape(2, 3) - 2.2) * size
        exact, rounded = (
            mark(outcome(*one, single=s), TRUE, CALL) for one, s in ((rows, False), (rows * 1.00001, True))
        )

        assert alike([exact], parse(exact.text()), [CALL])
        assert alike([rounded], parse(exact.text()), [CALL])
        assert not alike([mark(outcome(*rows * 1.00001), TRUE, CALL)], parse(exact.text()), [CALL])


def test_an_answer_that_raises_is_known_by_the_examples_on_which_it_does_not():
    """Two numbers that match are enough where a third example raised; one is not, and a wrong one never is."""
    stored_marks, raised = parse("1.5 2.5 3.5"), Mark("!ValueError")
    one, two = Mark("", 1.5, 4.0), Mark("", 2.5, 4.0)

    assert not alike([one, two, raised], stored_marks, [CALL] * 3)
    assert alike([one, two, raised], stored_marks, [CALL] * 3, raised_too=True)
    assert not alike([one, raised, raised], stored_marks, [CALL] * 3, raised_too=True)
    assert not alike([Mark("", 1.5, 4.0, flat=True), two, raised], stored_marks, [CALL] * 3, raised_too=True)
    assert not alike([one, Mark("", 2.6, 4.0), raised], stored_marks, [CALL] * 3, raised_too=True)


def test_nothing_but_right_marks_names_no_mistake():
    """A mistake that gives the truth wherever the answer gave numbers is not named."""
    assert not alike([Mark("="), Mark("!ValueError")], parse("= !ValueError"), [CALL] * 2)


@pytest.mark.parametrize("function", list(course().exercises))
def test_the_store_holds_one_mark_an_example(function):
    """Every stored line has as many marks as the exercise has examples, and at least one number that is not true."""
    for names, line in stored(function).items():
        assert len(parse(line)) == len(examples(function)), names
        assert any(one.numeric for one in parse(line)), names


@pytest.mark.parametrize("function", list(course().exercises))
def test_every_single_mistake_can_be_said(function):
    """Each class of single mistakes gives two lines of at most 160 characters."""
    for names in stored(function):
        if " + " not in names:
            lines = naming.name_lines(made(names))
            assert len(lines) == 2, names


def test_most_pairs_can_be_said():
    """Of the classes of pairs, 95 of 100 at least give two lines; the others have too little in common."""
    classes = [names for function in course().exercises for names in stored(function) if " + " in names]
    said = [names for names in classes if naming.name_lines(made(names))]

    assert len(said) >= 0.95 * len(classes)


def test_the_store_is_small_and_holds_no_code():
    """Sentences, names and marks, nothing else, in less than a megabyte for the course."""
    files = sorted((true_values_folder() / "fingerprints").glob("*.json"))

    assert [file.stem for file in files] == sorted(course().notebooks)
    assert sum(file.stat().st_size for file in files) < 1_000_000
    name, number = r"\w+( [+|] \w+)*", r"-?[\d.]+(e[+-]\d+)?"
    marks = rf"(=|nan|\?|!\w+|([\dx,()]+:)?{number})"
    for function in course().exercises:
        for names, line in stored(function).items():
            assert re.fullmatch(name, names)
            assert re.fullmatch(rf"{marks}( {marks})*", line), line


def test_ways_are_read_as_they_are_written():
    """Names of mistakes, alone, in pairs and in classes, come back as they were stored."""
    ways = {frozenset(["a", "b"]), frozenset(["c"])}

    assert written(ways) == "a + b | c"
    assert made("a + b | c") == ways


@pytest.fixture
def three_sentences(monkeypatch):
    """Give mistakes a, b and c sentences of their own; another one says what a does, and one explains itself."""
    said = {name: (f"it is {name}", f"Is it {name}?") for name in "abc"}
    said |= {"a_too": ("it is a", "Is it a?"), "d": ("it is d: that is the rest", "Is it d?")}
    monkeypatch.setattr(naming, "sentences", said.__getitem__)


@pytest.mark.parametrize(
    ("names", "lines"),
    [
        ("a", ["It is a.", "Is it a?"]),
        ("a | a_too", ["It is a.", "Is it a?"]),
        ("d", ["It is d: that is the rest.", "Is it d?"]),
        ("a | d", ["Perhaps it is a,", "or it is d. Is it one of these?"]),
        ("a | b", ["Perhaps it is a,", "or it is b. Is it one of these?"]),
        ("a | b | c", ["Perhaps it is a, or it is b,", "or it is c. Is it one of these?"]),
        ("a + b", ["Two things at once, it seems: it is a;", "and it is b."]),
        ("a + b | a + c", ["Two things at once, it seems: it is a;", "and either it is b, or it is c."]),
        ("a + d", ["Two things at once, it seems: it is a;", "and it is d."]),
        ("a + b | c + d", []),
        ("a + b | a_too + c | b + c", []),
    ],
)
@pytest.mark.usefixtures("three_sentences")
def test_a_class_is_said_in_words(names, lines):
    """One mistake with its question, alternatives openly, pairs tentatively; nothing where no part is common."""
    assert naming.name_lines(made(names)) == lines


def test_unknown_names_are_refused():
    """A name that no record has raises."""
    with pytest.raises(KeyError):
        fingerprints.sentences("never_recorded")
