"""Right and wrong answers as students write them, kept as source and never run here.

One module for each notebook. An answer is a function under a telling name: "def" and an exercise's own name stand
together in two places only, the stub and the solution. `source` puts the exercise's name in.
"""

import importlib
import inspect
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from helpers.course import course


@dataclass(frozen=True)
class Answer:
    """One recorded answer.

    Attributes
    ----------
    exercise : str
        The function that it answers.
    called : str
        What it does, as a name.
    source : str
        The whole cell.
    says : str
        What the verdict must contain, so that the student knows the mistake again; empty for a right answer.
    """

    exercise: str
    called: str
    source: str
    says: str = ""


_recorded: list[Answer] = []


def right(exercise):
    """Record a function as a right answer."""
    return _recorder(exercise, "")


def wrong(exercise, says):
    """Record a function as a wrong answer, and what the verdict must contain."""
    return _recorder(exercise, says)


def right_cell(exercise, called, text):
    """Record a whole cell as a right answer; `{name}` stands for the exercise's name."""
    _recorded.append(Answer(exercise, called, _filled(text, exercise)))


def wrong_cell(exercise, called, text, says):
    """Record a whole cell as a wrong answer; `{name}` stands for the exercise's name."""
    _recorded.append(Answer(exercise, called, _filled(text, exercise), says))


@cache
def recorded():
    """Return every recorded answer, notebook by notebook."""
    for notebook in course().notebooks:
        if (Path(__file__).parent / f"{notebook}.py").is_file():
            importlib.import_module(f"answers.{notebook}")
    return tuple(_recorded)


def right_answers(exercise=None):
    """Return the right answers, of one exercise or of all."""
    return [one for one in recorded() if not one.says and exercise in (None, one.exercise)]


def wrong_answers(exercise=None):
    """Return the wrong answers, of one exercise or of all."""
    return [one for one in recorded() if one.says and exercise in (None, one.exercise)]


def _recorder(exercise, says):
    def record(function):
        lines = inspect.getsource(function).splitlines()
        first = next(index for index, line in enumerate(lines) if line.startswith("def "))
        text = re.sub(rf"\b{function.__name__}\b", exercise, "\n".join(lines[first:]))
        _recorded.append(Answer(exercise, function.__name__, text, says))
        return function

    return record


def _filled(text, exercise):
    return text.replace("{name}", exercise).strip("\n")
