"""The recorded mistakes: each fits its solution, shows in a number, and is refused and named by the check."""

import ast
import re

import pytest

from helpers.course import course
from helpers.examples import examples
from helpers.learn.check import judge_source
from helpers.learn.fingerprints import ENOUGH, made, matching
from helpers.teach import fingerprints, mistakes, solutions
from helpers.teach.mistakes import Mistake, NotAPatch, Overlap, patched, patched_source, possible_in, recorded
from helpers.truth import truth

EVERY = list(recorded().values())
NAMES = [mistake.name for mistake in EVERY]


@pytest.mark.parametrize("function", list(course().exercises))
def test_every_mistake_that_can_show_is_stored(function):
    """Each mistake of an exercise, or of a function it is built on, is looked up by its numbers, or changes nothing."""
    for mistake in possible_in(function):
        marks = fingerprints.marks(function, [mistake], truth(function))
        found = matching(marks, function, examples(function))
        told = sum(one.numeric for one in marks)
        raises = any(one.kind.startswith("!") for one in marks)

        assert frozenset([mistake.name]) in found or told < (ENOUGH if raises else 1), mistake.name


def cell_with(function, mistake):
    """Return a cell that answers an exercise in functions of its own, with a mistake made in one of them."""
    inner = [*mistakes.built_of(function), function]
    sources = [
        patched_source(name, [mistake]) if name == mistake.exercise else solutions.source(name) for name in inner
    ]
    own = "|".join(name for name in inner if name != function) or "(?!)"
    return re.sub(rf"(?<![.\w])({own})(?=\()", r"own_\1", "\n\n\n".join(sources))


def verdict_on(function, source):
    """Judge a cell with the earlier exercises passed."""
    earlier = {other: solutions.function(other) for other in course().before(function)}
    return judge_source(function, source, earlier)[0]


@pytest.mark.parametrize("mistake", EVERY, ids=NAMES)
def test_a_mistake_is_refused_and_named_where_it_is_made(mistake):
    """A cell with the mistake in it is refused, and the verdict names it, with others only if all numbers are equal."""
    verdict = verdict_on(mistake.exercise, patched_source(mistake.exercise, [mistake]))

    if mistake.twin:
        assert verdict.status == "right", verdict.text
    else:
        assert verdict.status in ("wrong", "error"), verdict.text
        assert frozenset([mistake.name]) in made(verdict.mistake), verdict.text


LATER = [
    (function, mistake)
    for function in course().exercises
    for mistake in possible_in(function)
    if mistake.exercise != function
][::25]  # a cell each takes long; all of them are looked up in the next test


@pytest.mark.parametrize(
    ("function", "mistake"), LATER, ids=[f"{function}-{mistake.name}" for function, mistake in LATER]
)
def test_a_mistake_of_an_early_function_is_named_in_a_later_one(function, mistake):
    """Written out in one cell of a later exercise, an early mistake is named too, unless it changes or raises all."""
    verdict = verdict_on(function, cell_with(function, mistake))

    marks = fingerprints.marks(function, [mistake], truth(function))
    told = sum(one.numeric for one in marks)
    if verdict.status == "wrong" and verdict.fault.summary and told >= ENOUGH:
        assert frozenset([mistake.name]) in made(verdict.mistake), verdict.text


@pytest.mark.parametrize("mistake", EVERY, ids=NAMES)
def test_the_sentences_fit_three_lines_and_give_nothing_away(mistake):
    """Both sentences are short, in the form that lines are built from, and hold no statement of the solution."""
    (function,) = ast.parse(solutions.source(mistake.exercise)).body
    statements = [ast.unparse(statement) for statement in function.body[1:]]
    values = [line.partition(" = ")[2] or line for line in statements]
    both = f"{mistake.shows} {mistake.asks}"

    assert re.match(r"[a-z]+[ ,]", mistake.shows), "begins with an ordinary word"
    assert not mistake.shows.endswith(".")
    assert "this step" not in mistake.shows, "read in a later exercise, it must say which step"
    assert len(mistake.shows) <= 75
    assert mistake.asks[-1] in "?."
    assert len(mistake.asks) <= 110
    assert "!" not in both
    assert [line for line in values if len(line) > 3 and line in both] == []


@pytest.mark.parametrize(
    ("function", "names", "tells"),
    [
        ("sinusoids", ["waves_exponent_ends_at_2", "waves_no_sines"], False),  # equal columns
        ("look_back", ["look_both_step", "look_keys_zeros"], False),  # zeros
        ("attention_weights", ["earlier_keys_hidden", "scores_over_their_sum"], False),  # nan
        ("dot_variance", ["drawn_once", "variance_of_divided_products"], False),  # drawn
        ("self_attention", ["no_beta_q", "no_beta_v"], True),
        ("sinusoids", ["waves_from_position_1", "waves_exchanged"], True),
    ],
)
def test_a_pair_needs_numbers_that_tell(function, names, tells):
    """Two mistakes that leave zeros, equal columns, nan or a drawn number are not known by them; others are."""
    marks = fingerprints.marks(function, [recorded()[name] for name in names], truth(function))

    assert fingerprints.Fingerprint((frozenset(names),), marks).tells(function) == tells


def test_a_change_must_fit_once():
    """What does not stand in the solution, or stands there twice, or changes nothing, is refused by name."""
    for old, new in (("not there", "x"), ("X", "Y"), ("omega @ X", "omega @ X")):
        with pytest.raises(NotAPatch, match="made_up"):
            patched_source("project", [Mistake("made_up", "project", old, new, "", "")])


def test_two_changes_of_one_place_cannot_be_made_together():
    """Changes that overlap are refused; changes of two places are both made."""
    first = Mistake("first", "project", "omega @ X", "X", "", "")
    second = Mistake("second", "project", "@ X", "* X", "", "")
    third = Mistake("third", "project", "weighted + beta", "weighted", "", "")

    with pytest.raises(Overlap, match="first and second"):
        patched_source("project", [first, second])
    assert "weighted = X " in patched_source("project", [first, third])
    assert "projected = weighted " in patched_source("project", [first, third])


def test_what_is_no_python_is_refused(monkeypatch):
    """A change that leaves something which is not Python names the mistake."""
    broken = Mistake("broken", "mix", "omega_c @ stacked", "omega_c @", "", "")
    monkeypatch.setattr(mistakes, "recorded", lambda: {"broken": broken})

    with pytest.raises(NotAPatch, match=r"broken.*not Python"):
        patched("mix", [broken])
