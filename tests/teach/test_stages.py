"""The known steps of the exercises: found by running the solutions, stored as numbers."""

import numpy as np
import pytest

from helpers.course import course
from helpers.examples import examples
from helpers.learn.compare import agree
from helpers.teach import solutions
from helpers.teach.course_folder import true_values_folder
from helpers.teach.stages import chosen, stages_on
from helpers.truth import stages, truth

WITHOUT = ("dot_variance", "head_size")  # drawn at random; a single number
EXERCISES = [name for name in course().exercises if name not in WITHOUT]


def value(found, name, head=0, layer=0):
    """Return the one stage of a name."""
    (stage,) = [one for one in found if (one.name, one.head, one.layer) == (name, head, layer)]
    return stage.value


@pytest.mark.parametrize("name", EXERCISES)
def test_what_is_stored_is_what_the_solutions_give(name):
    """The store holds each chosen stage to seven digits, in the order of computing."""
    stored, fresh = stages(name), chosen(name)

    assert list(stored) == list(fresh)
    for index in stored:
        ours = [(one.name, one.head, one.layer) for one in stored[index]]
        assert ours == [(one.name, one.head, one.layer) for one in fresh[index]]
        for kept, new in zip(stored[index], fresh[index], strict=True):
            assert np.abs(kept.value - new.value).max() <= 1e-6 * np.abs(new.value).max()  # seven digits are kept


@pytest.mark.parametrize("name", EXERCISES)
def test_two_examples_at_least_are_stored_one_of_them_not_on_paper(name):
    """A step that is right by chance on one example shows on another."""
    found = stages(name)

    assert len(found) >= 2
    assert any("paper" not in examples(name)[index].label for index in found)


@pytest.mark.parametrize("name", EXERCISES)
def test_no_two_stages_of_one_example_are_alike(name):
    """A variable is one step, not either of two."""
    for found in stages(name).values():
        arrays = [stage.value for stage in found]
        assert not [(i, j) for i in range(len(arrays)) for j in range(i) if agree(arrays[i], arrays[j])]


@pytest.mark.parametrize("name", ["self_attention", "multihead", "transformer_layer", "layer_norm", "stack"])
def test_the_result_is_the_last_stage(name):
    """What an exercise returns is its own last step."""
    for index, found in stages(name).items():
        assert agree(found[-1].value, truth(name).values[index].arrays[0])


def test_heads_are_told_apart():
    """The queries of each head stand under its number, and are omega_q times X plus beta_q."""
    X, heads, _ = examples("multihead")[3].arguments
    found = stages_on("multihead", 3)

    for number, head in enumerate(heads, start=1):
        assert agree(value(found, "head_output.Q", number), head.omega_q @ X + head.beta_q)
        assert agree(value(found, "project 1.weighted", number), head.omega_q @ X)
        assert agree(value(found, "project 3.weighted", number), head.omega_v @ X)


def test_layers_are_told_apart():
    """Each layer of a stack has steps of its own, and its two LayerNorms have two means."""
    found = stages_on("stack", 1)
    first = value(found, "transformer_layer.attended", layer=1)
    third = value(found, "transformer_layer.processed", layer=3)

    assert agree(value(found, "layer_norm 1.mean", layer=1), first.mean(axis=0, keepdims=True))
    assert agree(value(found, "layer_norm 2.mean", layer=3), third.mean(axis=0, keepdims=True))


def test_a_buffer_is_a_stage_only_when_it_is_full():
    """Rope fills its result in two steps; only the full one is known."""
    full = [stage for stage in stages_on("rope", 1) if stage.name.startswith("rope.rotated")]

    assert [stage.name for stage in full] == ["rope.rotated"]
    assert agree(full[0].value, solutions.function("rope")(*examples("rope")[1].arguments))


def test_the_store_is_small():
    """Its size is bounded: a check reads one of its files."""
    files = list((true_values_folder() / "stages").glob("*.json"))
    assert sum(path.stat().st_size for path in files) < 300_000
