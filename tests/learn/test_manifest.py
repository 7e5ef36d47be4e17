import ast
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest

from helpers.course import course, parse_course
from helpers.learn.invariants import INVARIANTS
from helpers.parameters import Head, Layer
from helpers.teach import solutions
from helpers.teach.course_folder import course_folder, notebooks_folder
from helpers.truth import shown, truth

MANIFEST = (course_folder() / "helpers" / "course.toml").read_text(encoding="utf-8")
EXERCISES = list(course().exercises.values())
EXERCISE = (
    '[[exercise]]\nfunction = "one"\nnotebook = "one"\nnumber = "1.1"\ntitle = ""\n'
    'points = 0\nright = ""\nwhy = ""\nhints = []\n'
)
NOTEBOOK = '[[notebook]]\nnumber = 1\nname = "one"\ntitle = "One"\n'


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


def literals(text, before):
    """Return each number or list that follows a pattern, with what the pattern's last group found."""
    return [
        (match.groups()[-1], ast.literal_eval(first_literal(text[match.end() :])))
        for match in re.finditer(before, text)
    ]


def first_literal(text):
    """Return the number or the list of lists that a text begins with."""
    if not text.startswith("["):
        return re.match(r"-?\d*\.?\d+", text)[0]
    depths = np.cumsum([(character == "[") - (character == "]") for character in text])
    return text[: int(np.argmin(depths > 0)) + 1]


def numbers(value):
    """Return a list of numbers as an array, a list of matrices as a list of arrays, a number as it is."""
    if isinstance(value, list) and value and isinstance(value[0], list) and isinstance(value[0][0], list):
        return [numbers(part) for part in value]
    return np.array(value) if isinstance(value, list) else value


# Functions that a hint gives in words.
IN_WORDS = {
    "f doubles every number": lambda X: 2 * X,
    "f adds 10 to the first column": lambda X: X + 10 * (np.arange(X.shape[1]) == 0),
}


def head_of(given, suffix=""):
    """Return the head whose parts a hint names, with a number behind each name or without; no biases are zeros."""
    omegas = [given.pop(f"omega_{letter}{suffix}") for letter in "qkv"]
    return Head(*omegas, *(given.pop(f"beta_{letter}{suffix}", np.zeros((len(omegas[0]), 1))) for letter in "qkv"))


def heads_of(given):
    """Return all heads that a hint names: head 1 has omega_q1, and so on."""
    return [head_of(given, k) for k in range(1, 9) if f"omega_q{k}" in given]


def layer_of(given):
    """Return the layer whose parts a hint names; a gamma that is not named is 1, a delta or bias 0."""
    rows = len(given["W2"])
    usual = {"b1": np.zeros((len(given["W1"]), 1))}
    usual |= {name: np.ones((rows, 1)) for name in ("gamma1", "gamma2")}
    usual |= {name: np.zeros((rows, 1)) for name in ("delta1", "delta2", "b2")}
    heads = heads_of(given)
    return Layer(heads, *(given.pop(name, usual.get(name)) for name in Layer._fields[1:]))


def arguments_of_the_hint(function, text):
    """Return the arguments that a worked example gives, as `name = [[...]]`; heads and layers by their parts."""
    given = {name: numbers(value) for name, value in literals(text, r"(\w+) = (?=[\[\d-])")}
    special = {
        "head": lambda: head_of(given),
        "head1": lambda: head_of(given, 1),
        "head2": lambda: head_of(given, 2),
        "heads": lambda: heads_of(given),
        "layer": lambda: layer_of(given),
        "layers": lambda: [layer_of(given)] * given.pop("copies"),
        "f": lambda: next(f for words, f in IN_WORDS.items() if words in text),
        "rng": lambda: np.random.RandomState(0),
    }
    found = []
    for name in truth(function).arguments:
        if name in given:
            found.append(given.pop(name))
        elif name in special:
            found.append(special[name]())
        else:
            break  # the rest have the values of the function's first line
    assert not given, f"the hint gives {[*given]}, which {function} does not take"
    return found


def flat(result):
    """Return the arrays of a result, in order, whatever lists they stand in."""
    if isinstance(result, (list, tuple)):
        return [array for part in result for array in flat(part)]
    return [np.asarray(result)]


# --- names


def test_every_name_of_the_manifest_is_unique():
    """Exercises, questions, reflections and shown values share no name: each is a key in the student's record."""
    names = [*course().exercises, *course().questions, *course().reflections, *shown()]

    assert sorted(names) == sorted(set(names))
    assert {*names} & {*course().notebooks} <= {*course().exercises}  # a notebook may be named after an exercise


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.function)
def test_an_exercises_name_is_written_once_in_the_manifest(exercise):
    """Texts speak of other exercises by number, as `{name}`; a name that is no exercise's is refused by the parser."""
    without_notebooks = re.sub(
        r'^(notebook = |\[\[notebook\]\]\nnumber = \d+\nname = )".*"$|{\w+}', "", MANIFEST, flags=re.MULTILINE
    )
    word = exercise.function if "_" in exercise.function else rf'["`]{exercise.function}["`(]|{exercise.function}\('

    # Names that are words (mix, stack) may stand in a sentence.
    assert len(re.findall(rf"(?<!\w)(?:{word})(?!\w)", without_notebooks)) == 1
    assert f'function = "{exercise.function}"' in MANIFEST


def test_no_text_of_the_manifest_holds_a_number_that_may_move():
    """Where a text speaks of an exercise its number is put in by the parser, and none stands there in digits."""
    assert re.findall(r"exercises? \d\.\d", MANIFEST, flags=re.IGNORECASE) == []
    assert "Exercise 1.3 makes the weights" in course().exercises["self_attention"].hints[1]


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


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.function)
def test_an_exercise_has_an_oracle(exercise):
    """The test of the notebook's solutions takes it up: its true values are not its own word alone."""
    tests = course_folder() / "tests" / "solutions" / f"test_{exercise.notebook}.py"

    assert f'solutions.function("{exercise.function}")' in tests.read_text(encoding="utf-8")


@pytest.mark.parametrize("notebook", course().notebooks.values(), ids=lambda one: one.name)
def test_instructors_read_what_a_notebook_is_worth(notebook):
    """Title, minutes and points in the schedule of INSTRUCTORS.md are the notebook's own, and the manifest's."""
    schedule = (course_folder() / "INSTRUCTORS.md").read_text(encoding="utf-8")
    points = sum(exercise.points for exercise in course().exercises_of(notebook.name))
    (minutes,) = re.findall(r"About (\d+) minutes", markdown(notebook.name))
    row = rf"^\| \d+ \| {notebook.number} · {notebook.title} \| {minutes} \| {points} \| "

    assert re.search(row, schedule, flags=re.MULTILINE)


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
    told = hint[hint.index("gives ") :]
    written = [
        array
        for _, value in literals(told, r"(gives|and) (?:about )?(?:\w+ = )?(?=[\[\d-])")
        for array in flat(numbers(value))
    ]
    result = solutions.function(exercise.function)(
        *arguments_of_the_hint(exercise.function, hint[: hint.index("gives ")])
    )

    assert len(written) == len(flat(result))
    for ours, true in zip(written, flat(result), strict=True):
        decimals = max(
            (len(number.partition(".")[2]) for number in re.findall(r"\d+\.?\d*", str(ours.tolist()))), default=0
        )
        if "gives about" in told:
            assert np.allclose(true, ours, rtol=0.1, atol=0)
        else:
            assert np.array_equal(np.round(true, decimals), ours)


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
        (NOTEBOOK + EXERCISE.replace('why = ""', 'why = "See {on}."'), "exercise 'one': got {on}, expected the name"),
        (NOTEBOOK + EXERCISE.replace("0", "-1"), "exercise 'one': points is -1, expected 0 or more"),
        (NOTEBOOK + EXERCISE.replace("0", "true"), "exercise 'one': points is True, expected a whole number"),
        (NOTEBOOK + EXERCISE.replace('"1.1"', "1.1"), "exercise 'one': number is 1.1, expected a text"),
    ],
    ids=[
        "twice",
        "twice in two lists",
        "a field too many",
        "a field missing",
        "a wrong table",
        "no such notebook",
        "TOML",
        "the number of no exercise",
        "points below 0",
        "points that are true",
        "a number that is no text",
    ],
)
def test_a_mistake_in_the_manifest_is_said_with_its_place(text, said):
    """An author reads which entry is wrong, and what about it."""
    with pytest.raises(ValueError, match=said):
        parse_course(text)


def test_a_name_in_braces_becomes_a_number():
    """In hints, answers and choices `{one}` is read as the number of the exercise `one`, whatever that is."""
    question = (
        '[[question]]\nname = "q"\nnotebook = "one"\nchoices = { a = "in {one}" }\nanswer = "a"\nbecause = "{one}"\n'
    )
    moved = EXERCISE.replace("1.1", "1.7").replace("[]", '["As in {one}."]')
    parsed = parse_course(NOTEBOOK + moved + question)

    assert parsed.exercises["one"].hints == ("As in 1.7.",)
    assert (parsed.questions["q"].choices, parsed.questions["q"].because) == ({"a": "in 1.7"}, "1.7")


def test_an_exercise_may_be_named_as_its_notebook_and_once():
    """`two_heads` is a notebook and its exercise; a second exercise of that name is refused."""
    assert list(parse_course(NOTEBOOK + EXERCISE).exercises) == ["one"]
    with pytest.raises(ValueError, match="the name 'one' is used twice"):
        parse_course(NOTEBOOK + EXERCISE + EXERCISE)
