import ast
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest

from helpers.course import course, parse_course
from helpers.learn.invariants import INVARIANTS
from helpers.parameters import Head
from helpers.teach import solutions
from helpers.teach.course_folder import course_folder, notebooks_folder
from helpers.truth import shown, truth

MANIFEST = (course_folder() / "helpers" / "course.toml").read_text(encoding="utf-8")
EXERCISES = list(course().exercises.values())
NOTEBOOK = '[[notebook]]\nnumber = 1\nname = "one"\ntitle = "One"\n'
ARRAY = r"\[\[.*?\]\]|\[.*?\]"


def markdown(notebook):
    """Return the prose of a notebook."""
    stored = nbformat.read(notebooks_folder() / course().notebooks[notebook].file, as_version=4)
    return "\n".join(cell.source for cell in stored.cells if cell.cell_type == "markdown")


def course_files():
    """Return every file of the course that holds text, without what tools and students write."""
    folders = [folder for folder in course_folder().iterdir() if not folder.name.startswith(".")]
    for path in sorted(one for folder in folders for one in [folder, *folder.rglob("*")]):
        hidden = any(part.startswith((".", "__pycache__")) for part in path.relative_to(course_folder()).parts)
        text = path.suffix in {".py", ".ipynb", ".json", ".md", ".toml", ".txt"}
        if text and not hidden and path.is_file() and path.name != "my_attention.py":
            yield path


def arguments_of_the_hint(function, text):
    """Return the arguments that a worked example gives: `name = [[...]]`; a Head from its six parts."""
    given = {name: np.array(ast.literal_eval(value)) for name, value in re.findall(rf"(\w+) = ({ARRAY})", text)}
    names = truth(function).arguments
    unused = set(given) - set(names) - set(Head._fields if "head" in names else ())
    assert not unused, f"the hint gives {unused}, which {function} does not take"
    return [Head(*(given[part] for part in Head._fields)) if name == "head" else given[name] for name in names]


# --- names


def test_every_name_of_the_manifest_is_unique():
    """Exercises, questions, reflections and shown values share no name: each is a key in the student's record."""
    names = [*course().notebooks, *course().exercises, *course().questions, *course().reflections, *shown()]

    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.function)
def test_an_exercises_name_is_written_once_in_the_manifest(exercise):
    """Hints and answers speak of other exercises by number, so that a name is changed in one place."""
    assert re.findall(rf"\b{exercise.function}\b", MANIFEST) == [exercise.function]
    assert f'function = "{exercise.function}"' in MANIFEST


def test_an_exercise_is_defined_in_its_stub_and_its_solution_only():
    """A search for the definition of an exercise finds two places: what the student opens, and what we keep."""
    found = {exercise.function: [] for exercise in EXERCISES}
    for path in course_files():
        for name in re.findall(r"\bdef (\w+)\(", path.read_text(encoding="utf-8")):
            if name in found:
                found[name].append(path.relative_to(course_folder()))

    for exercise in EXERCISES:
        notebook = course().notebooks[exercise.notebook]
        assert found[exercise.function] == [
            Path("notebooks", notebook.file),
            Path("solutions", f"{notebook.name}.py"),
        ]


def test_exercises_are_numbered_in_their_order():
    """Exercise 1.2 is the second of notebook 1, and notebooks count from 1."""
    assert [notebook.number for notebook in course().notebooks.values()] == list(range(1, len(course().notebooks) + 1))
    for notebook in course().notebooks.values():
        numbers = [exercise.number for exercise in course().exercises_of(notebook.name)]
        assert numbers == [f"{notebook.number}.{k + 1}" for k in range(len(numbers))]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.function)
def test_an_exercise_is_titled_as_in_its_notebook(exercise):
    """Number and title stand above the exercise, and its rules exist."""
    assert f"{exercise.number} · {exercise.title}" in markdown(exercise.notebook)
    assert set(exercise.invariants) <= set(INVARIANTS)


# --- hints


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.function)
def test_there_are_three_hints(exercise):
    """Every exercise has three different hints."""
    assert len(exercise.hints) == 3
    assert len({hint.strip() for hint in exercise.hints} - {""}) == 3


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.function)
def test_the_worked_example_is_true(exercise):
    """The third hint's result is what the solution gives for its numbers, to the decimals that are written."""
    hint = exercise.hints[2]
    (written,) = re.findall(rf"gives ({ARRAY})", hint)
    decimals = max((len(number.partition(".")[2]) for number in re.findall(r"\d+\.?\d*", written)), default=0)
    result = solutions.function(exercise.function)(*arguments_of_the_hint(exercise.function, hint))

    assert np.array_equal(np.round(result, decimals), np.array(ast.literal_eval(written)))


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.function)
def test_what_a_student_may_read_holds_no_line_of_the_solution(exercise):
    """Hints, and what a check says when it passes, give no line of the solution away."""
    (function,) = ast.parse(solutions.source(exercise.function)).body
    lines = [ast.unparse(statement) for statement in function.body[1:]]
    readable = "\n".join([*exercise.hints, exercise.right, exercise.why])

    assert [line for line in lines if line in readable] == []


# --- questions


@pytest.mark.parametrize("question", course().questions.values(), ids=lambda one: one.name)
def test_a_question_is_asked_in_its_notebook_in_the_same_words(question):
    """The choices a student reads are those that are read back, and the answer is one of them."""
    prose = markdown(question.notebook)

    assert [words for letter, words in question.choices.items() if f"({letter}) {words}" not in prose] == []
    assert question.answer in question.choices


@pytest.mark.parametrize(
    "asked", [*course().questions.values(), *course().reflections.values()], ids=lambda one: one.name
)
def test_what_is_asked_has_a_cell(asked):
    """Every question has a cell to answer in and one to look; every reflection has one to write in."""
    stored = nbformat.read(notebooks_folder() / course().notebooks[asked.notebook].file, as_version=4)
    code = "\n".join(cell.source for cell in stored.cells if cell.cell_type == "code")
    expected = [f'predict("{asked.name}", ""', f'reveal("{asked.name}")'] if hasattr(asked, "choices") else []

    assert [call for call in expected or [f'reflect("{asked.name}", ""'] if call not in code] == []


# --- mistakes in the manifest


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (NOTEBOOK + NOTEBOOK, "the name 'one' is used twice"),
        (NOTEBOOK + '[[reflection]]\nname = "one"\nnotebook = "one"\nmodel = ""\n', "the name 'one' is used twice"),
        (NOTEBOOK + 'color = "red"\n', "notebook 'one': .*color"),
        ('[[notebook]]\nnumber = 1\nname = "one"\n', "notebook 'one': .*title"),
        ('[[exercises]]\nfunction = "f"\n', "got a table 'exercises', expected one of notebook, exercise"),
        ('[[question]]\nname = "q"\nnotebook = "none"\nchoices = {}\nanswer = ""\nbecause = ""\n', "notebook 'none'"),
        ("[[notebook]\n", "course.toml"),
    ],
    ids=[
        "twice",
        "twice in two lists",
        "a field too many",
        "a field missing",
        "a wrong table",
        "no such notebook",
        "TOML",
    ],
)
def test_a_mistake_in_the_manifest_is_said_with_its_place(text, said):
    """An author reads which entry is wrong, and what about it."""
    with pytest.raises(ValueError, match=said):
        parse_course(text)
