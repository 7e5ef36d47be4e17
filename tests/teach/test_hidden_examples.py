"""The hidden examples: valid calls in new shapes, which right answers pass, and what was learned by heart does not."""

import dataclasses
import os
import pickle
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from answers import right_answers

from helpers.course import course
from helpers.examples import examples, hidden
from helpers.examples.example import OWN
from helpers.learn.compare import finite
from helpers.learn.errors import Surroundings
from helpers.learn.judge import judge
from helpers.learn.results import Reading, layout_of, read
from helpers.learn.run import build, copied, run
from helpers.learn.slices import answer_slice
from helpers.teach import solutions
from helpers.truth import truth

EXERCISES = list(course().exercises)
SEEDS = (0, 20261130, 2**32 - 1)


@cache
def true_of(name, seed):
    """Return the truth of an exercise on its hidden examples: what the solution gives."""
    calls = hidden(name, seed)
    results = [None if call.refuses else solutions.function(name)(*copied(call.arguments)) for call in calls]
    layouts = tuple(layout_of(result) for result in results)
    values = [Reading(()) if call.refuses else read(*one) for call, *one in zip(calls, results, layouts, strict=True)]
    return dataclasses.replace(truth(name), layouts=layouts, values=tuple(values))


def verdict_of(name, answer, calls, true, source="", part=None):
    """Judge a function on calls."""
    outcomes = run(answer, name, calls, true.layouts, source)
    around = Surroundings(source, true.arguments, {}, course().before(name), part=part)
    return judge(course().exercises[name], true, calls, outcomes, around)


def verdict_on(name, source, seed):
    """Judge a cell on the hidden examples, with the earlier exercises passed."""
    part = answer_slice(source, name, course().exercises)
    answer = build(part, {other: solutions.function(other) for other in course().before(name)})
    return verdict_of(name, answer, hidden(name, seed), true_of(name, seed), part.source, part)


def content(argument, of_array):
    """Return what tells an argument from another, its arrays as `of_array` has them."""
    if isinstance(argument, np.random.RandomState):
        return of_array(argument.get_state()[1])
    if isinstance(argument, (list, tuple)):
        return tuple(content(part, of_array) for part in argument)
    return of_array(argument) if isinstance(argument, np.ndarray) else argument


def shapes(call):
    """Return the shapes of a call's arguments; numbers and functions stand for themselves."""
    return content(call.arguments, np.shape)


def numbers(arguments):
    """Return the arguments of a call, to the last bit."""
    return content(arguments, lambda array: (array.shape, array.tobytes()))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", EXERCISES)
def test_the_solution_gives_finite_numbers_or_refuses(name, seed):
    """Of two calls at least, each under one label, our solution makes finite numbers, or an error where it must."""
    calls, true = hidden(name, seed), true_of(name, seed)

    assert len([call for call in calls if not call.refuses]) >= 2
    assert {call.label for call in calls} == {OWN}
    assert all(finite(array) for value in true.values for array in value.arrays)
    assert verdict_on(name, solutions.source(name), seed).status == "right"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", EXERCISES)
def test_no_two_shapes_are_alike(name, seed):
    """A hidden call has the shapes of no public one and of no other hidden one; where only numbers enter, the numbers.

    Within a call no two sizes are alike, and a head has fewer rows than X. `dot_variance` is called twice with one
    size and two generators: the judge compares the two.
    """
    mine = [shapes(call) for call in hidden(name, seed)]

    assert not {*mine} & {shapes(call) for call in examples(name)}
    assert len({*mine}) == len(mine) - (name == "dot_variance")
    for sizes in (call.sizes for call in hidden(name, seed)):
        assert len({*sizes.values()}) == len(sizes) > 0
        assert sizes.get("D_q", 0) < sizes.get("D", np.inf)


@pytest.mark.parametrize("seed", range(20))
def test_weights_are_weights_and_orders_are_orders(seed):
    """Weights are not negative, sum to one in every column, and are equal or clearly apart; orders hold each position.

    An order that is its own inverse would let a result in the inverse order pass.
    """
    for name in EXERCISES:
        for call in hidden(name, seed):
            given = dict(zip(truth(name).arguments, call.arguments, strict=False))
            for weights in (given[key] for key in ("A", "a") if key in given):
                assert (weights >= 0).all()
                np.testing.assert_allclose(weights.sum(axis=0), 1.0, rtol=1e-12)
            if name == "strongest_key":
                gaps = np.diff(np.sort(given["A"], axis=0), axis=0)
                assert ((gaps == 0) | (gaps > 1e-3)).all()
            if "perm" in given:
                order = given["perm"]
                assert sorted(order) == list(range(given["X"].shape[1]))
                assert (order[order] != np.arange(len(order))).any()


@pytest.mark.parametrize("answer", right_answers(), ids=lambda one: f"{one.exercise}-{one.called}")
def test_a_right_answer_passes(answer):
    """Whatever is right on the public examples in an unusual style is right on the hidden ones."""
    for seed in SEEDS:
        verdict = verdict_on(answer.exercise, answer.source, seed)
        assert verdict.status == "right", (seed, verdict.text)


@pytest.mark.parametrize("name", EXERCISES)
def test_what_was_learned_by_heart_does_not_pass(name):
    """Who returns the stored true values of the public examples, and zeros of the right shape elsewhere, is refused."""
    public, stored = examples(name), truth(name)
    known = {numbers(one.arguments): place for place, one in enumerate(public)}
    zeros = {}

    def by_heart(*arguments):
        place = known.get(numbers(arguments))
        if place is None:
            return zeros[numbers(arguments)]
        if public[place].refuses:
            raise ValueError(" and ".join(public[place].refuses))
        return laid_out(stored.layouts[place], iter(stored.values[place].arrays))

    assert verdict_of(name, by_heart, public, stored).status == "right"
    for seed in SEEDS:
        calls, true = hidden(name, seed), true_of(name, seed)
        for call, layout, value in zip(calls, true.layouts, true.values, strict=True):
            zeros[numbers(call.arguments)] = laid_out(layout, (0 * array for array in value.arrays or (np.zeros(()),)))
        assert verdict_of(name, by_heart, calls, true).status == "wrong"


def laid_out(layout, arrays):
    """Return arrays as a result that is built like this."""
    return next(arrays) if layout is None else [laid_out(inner, arrays) for inner in layout]


def test_a_seed_gives_the_same_numbers_in_every_process():
    """A grader that is started again, with other hashes of strings, draws what it drew before."""
    program = (
        "import pickle, sys\n"
        "from helpers.examples import hidden\n"
        f"sys.stdout.buffer.write(pickle.dumps([hidden(name, 7) for name in {EXERCISES}]))\n"
    )
    drawn = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": salt, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for salt in ("1", "2")
    ]

    for name, *elsewhere in zip(EXERCISES, *map(pickle.loads, drawn), strict=True):
        wanted = [numbers(call.arguments) for call in hidden(name, 7)]
        assert [[numbers(call.arguments) for call in calls] for calls in elsewhere] == [wanted, wanted]


def test_another_seed_and_another_exercise_have_other_numbers():
    """Of one exercise nothing can be learned about another one, or about another class."""
    starts = [
        argument.ravel()[:3].tobytes()
        for name in EXERCISES
        for seed in SEEDS
        for argument in hidden(name, seed)[0].arguments
        if isinstance(argument, np.ndarray) and argument.dtype.kind == "f" and argument.size > 2
    ]

    assert len(starts) > len(EXERCISES)
    assert len({*starts}) == len(starts)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_out_of_range_is_refused(seed):
    """A seed that RandomState does not take is named, with what it takes."""
    with pytest.raises(ValueError, match=f"got the seed {seed}, expected a whole number from 0 to 4294967295"):
        hidden("project", seed)
