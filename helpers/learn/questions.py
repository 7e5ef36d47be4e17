"""Predictions and reflections: asked before and after, kept, never graded for being right."""

from __future__ import annotations

import builtins
import textwrap

from helpers.course import Question, course
from helpers.learn import progress
from helpers.learn.errors import did_you_mean

_print = builtins.print  # bound now: a notebook may rename print later

WIDTH = 88  # characters that fit into a window of 900 pixels


def predict(name: str = "", choice: str = "", why: str = "") -> None:
    """Keep your guess.

    Parameters
    ----------
    name : str
        The question's name, as the cell gives it.
    choice : str
        A letter. Wrong guesses are welcome.
    why : str
        Your reason, if you like.
    """
    question = _question("predict", name)
    if question is None:
        return
    letter = str(choice).strip().lower().strip("().")
    letters = list(question.choices)
    if not letter:
        _print(f'Put {_listed(letters)} in the first empty quotes, after "{name}", and run this cell again.')
        return
    if letter not in question.choices:
        _print(f"Got {choice!r}, expected {_listed(letters)}. Nothing was kept.")
        return
    with progress.editing() as record:
        record["predictions"][name] = {"choice": letter, "why": str(why)}
    _print(f"Kept: ({letter}) {question.choices[letter]}.")


def reveal(name: str = "") -> None:
    """Print the answer of a question beside your guess."""
    question = _question("reveal", name)
    if question is None:
        return
    guess = progress.load()["predictions"].get(name)
    if guess is None:
        _print("Guess first: wrong guesses help too.")
        return
    right = guess["choice"] == question.answer
    _print(f"Your guess: ({guess['choice']}) {question.choices[guess['choice']]}.")
    if guess["why"]:
        _print(f"Your reason: {guess['why']}")
    _print(f"{'So it is' if right else 'It is'}: ({question.answer}) {question.choices[question.answer]}.")
    _print(_wrapped(question.because))


def reflect(name: str = "", text: str = "") -> None:
    """Keep a sentence or two of yours, and print ours to compare with.

    Parameters
    ----------
    name : str
        The question's name, as the cell gives it.
    text : str
        Your answer, in your own words.
    """
    reflections = course().reflections
    if name not in reflections:
        _print(did_you_mean("reflect", name, reflections))
        return
    if not str(text).strip():
        _print("Write your own sentence between the last quotes first; then ours appears below it.")
        return
    with progress.editing() as record:
        record["reflections"][name] = str(text)
    mine, ours = _wrapped(f"You: {str(text).strip()}"), _wrapped(f"We:  {reflections[name].model}")
    _print(f"{mine}\n\n{ours}\n\nWhat does one say that the other does not?")


def _question(caller: str, name: str) -> Question | None:
    questions = course().questions
    if name in questions:
        return questions[name]
    if len(str(name)) < 2:
        _print(f"{caller}: the question's name stands first, as the cell gives it; your letter comes second.")
    else:
        _print(did_you_mean(caller, name, questions))
    return None


def _wrapped(text: str) -> str:
    """Return a text in lines that a narrow notebook shows whole: JupyterLab breaks longer ones inside a word."""
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _listed(letters: list[str]) -> str:
    return f"{', '.join(letters[:-1])} or {letters[-1]}"
