import pytest

from helpers.course import course
from helpers.learn import progress
from helpers.learn.questions import predict, reflect, reveal

NAME, REFLECTION = "double_query", "column_meaning"
QUESTION = course().questions[NAME]
WRONG = next(letter for letter in QUESTION.choices if letter != QUESTION.answer)


@pytest.fixture
def said(capsys):
    """Return a function that calls another and gives what it printed."""

    def call(function, *arguments, **options):
        capsys.readouterr()
        function(*arguments, **options)
        return capsys.readouterr().out.strip()

    return call


@pytest.mark.parametrize("typed", ["c", "C", " c ", "(c)", "c."])
def test_a_letter_is_kept_however_it_is_typed(said, typed):
    """Capitals, spaces and brackets do not matter; the guess is read back in words."""
    assert said(predict, NAME, typed) == f"Kept: (c) {QUESTION.choices['c']}."
    assert progress.load()["predictions"][NAME]["choice"] == "c"


def test_an_empty_guess_says_what_to_put_where(said):
    """The cell as it is handed out asks for a letter, and raises nothing: Run All goes on."""
    assert said(predict, NAME, "", why="") == (
        f'Put a, b or c in the first empty quotes, after "{NAME}", and run this cell again.'
    )
    assert progress.load()["predictions"] == {}


@pytest.mark.parametrize("typed", ["d", "ab", 3])
def test_what_is_no_choice_is_said_and_not_kept(said, typed):
    """Another letter, or two, is answered by the choices."""
    assert said(predict, NAME, typed) == f"Got {typed!r}, expected a, b or c. Nothing was kept."
    assert progress.load()["predictions"] == {}


def test_reveal_waits_for_a_guess(said):
    """The answer is not shown before a guess."""
    assert said(reveal, NAME) == "Guess first: wrong guesses help too."


def test_reveal_shows_the_answer_beside_the_guess(said):
    """A wrong guess and its reason stand above the answer and why it is so."""
    said(predict, NAME, WRONG, why="it seems so")

    guess, reason, answer, *because = said(reveal, NAME).splitlines()
    assert guess == f"Your guess: ({WRONG}) {QUESTION.choices[WRONG]}."
    assert reason == "Your reason: it seems so"
    assert answer == f"It is: ({QUESTION.answer}) {QUESTION.choices[QUESTION.answer]}."
    assert " ".join(because) == QUESTION.because
    assert max(map(len, because)) <= 88  # what fits into a narrow window


def test_a_right_guess_is_agreed_with(said):
    """A right guess is told so."""
    said(predict, NAME, QUESTION.answer)

    assert f"So it is: ({QUESTION.answer})" in said(reveal, NAME)


def test_the_last_guess_counts(said):
    """A student may change their mind before looking."""
    said(predict, NAME, WRONG)
    said(predict, NAME, QUESTION.answer)

    assert "So it is" in said(reveal, NAME)


def test_a_reflection_is_kept_and_answered(said):
    """Ours appears beside the student's own sentence, which is kept."""
    printed = said(reflect, REFLECTION, " my sentence ")

    assert "You: my sentence" in printed
    assert course().reflections[REFLECTION].model in " ".join(printed.split())
    assert progress.load()["reflections"][REFLECTION].strip() == "my sentence"


def test_an_empty_reflection_shows_nothing_of_ours(said):
    """Without a sentence of one's own there is nothing to compare, and nothing raises."""
    printed = said(reflect, REFLECTION, "  ")

    assert "Write your own sentence" in printed
    assert course().reflections[REFLECTION].model not in " ".join(printed.split())
    assert progress.load()["reflections"] == {}


@pytest.mark.parametrize(
    ("function", "arguments", "near"),
    [(predict, ("double", "a"), NAME), (reveal, ("double_querry",), NAME), (reflect, ("column", "x"), REFLECTION)],
)
def test_a_name_that_does_not_exist_is_answered_by_the_nearest(said, function, arguments, near):
    """A misspelled name is told in one line which name is nearest."""
    assert said(function, *arguments) == f"{function.__name__}: got the name {arguments[0]!r}. Did you mean {near!r}?"
