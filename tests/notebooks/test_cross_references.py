"""Where a text names another exercise by its number in digits, the number is still that exercise's."""

import re

import pytest

from helpers.course import course
from helpers.teach import notebook_form
from helpers.teach.course_folder import course_folder, notebooks_folder
from helpers.teach.mistakes import recorded

# "exercise 5.7", "as in 1.3", "(5.6)", and not "section 3.5" or "$(2.5, 3.5)$".
REFERENCE = re.compile(
    r"(?:(?:exercise|as in|see|from|of|It is) |\((?=[\d.]+\)))([1-6]\.[1-9])(?!\.?\d)", re.IGNORECASE
)

# Cell, and the exercise that it means.
IN_NOTEBOOKS = {
    "scaling": {"scaled_scores": "attention_weights", "freeze-text": "entropy_cols"},
    "concatenation": {"multihead-text": "self_attention", "whole-text": "multihead"},
    "positions": {
        "equivariance_gap": "permute_columns",
        "move-text": "rope",
        "turn-formula": "sinusoids",
        "look-formula": "sinusoids",
        "look_back": "sinusoids",
    },
    "transformer_layer": {
        "layer-read": "equivariance_gap",
        "mask-question": "attention_with_bias",
        "pre_norm-paper": "transformer_layer",
        "pre_norm_layer": "transformer_layer",
    },
}
# Exercise, and those that the sentences of its mistakes mean.
IN_MISTAKES = {
    "add_positions": {"sinusoids"},
    "attention_with_bias": {"scaled_scores"},
    "look_back": {"sinusoids"},
    "layer_norm": {"layer_norm"},
    "transformer_layer": {"layer_norm", "residual"},
    "pre_norm_layer": {"layer_norm"},
}
# Explorer, and the exercise that it means beside those whose functions it is given.
IN_EXPLORERS = {"positions": ["rope"], "transformer_layer": ["pre_norm_layer"]}


def number(function):
    """Return the number of an exercise."""
    return course().exercises[function].number


@pytest.mark.parametrize("notebook", course().notebooks.values(), ids=lambda one: one.name)
def test_a_notebook_names_the_exercise_that_it_means(notebook):
    """Every number of an exercise in a notebook's cells, headings aside, is that of the one listed above."""
    cells = notebook_form.read(notebooks_folder() / notebook.file).cells
    found = {cell.id: numbers for cell in cells if (numbers := REFERENCE.findall(cell.source))}

    assert found == {cell: [number(name)] for cell, name in IN_NOTEBOOKS.get(notebook.name, {}).items()}


@pytest.mark.parametrize("function", course().exercises)
def test_a_mistake_names_the_exercise_that_it_means(function):
    """Every number in the sentences of an exercise's mistakes is that of one listed above."""
    said = [f"{one.shows} {one.asks}" for one in recorded().values() if one.exercise == function]

    assert set(REFERENCE.findall("\n".join(said))) == set(map(number, IN_MISTAKES.get(function, ())))


@pytest.mark.parametrize("notebook", course().notebooks)
def test_an_explorer_names_the_exercise_that_it_means(notebook):
    """The number under an argument in an explorer's docstring is the exercise's of that name; others stand above."""
    text = (course_folder() / "helpers" / "explore" / f"{notebook}.py").read_text(encoding="utf-8")
    given = re.findall(r"^    (\w+) : callable.*\n +Exercise ([\d.]+): ", text, re.MULTILINE)

    assert [found for _, found in given] == [number(name) for name, _ in given]
    assert given
    others = REFERENCE.findall(re.sub(r"^ +Exercise ([\d.]+): ", "", text, flags=re.MULTILINE))
    assert others == [number(name) for name in IN_EXPLORERS.get(notebook, [])]
