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
    named : str
        The recorded mistakes that the verdict must name, as `Verdict.mistake` has them; a reader has found them true
        of this answer. Empty where it must name none.
    unseen : bool
        Whether it was written by someone who had not seen the recorded mistakes, to measure how far they reach.
    """

    exercise: str
    called: str
    source: str
    says: str = ""
    named: str = ""
    unseen: bool = False


_recorded: list[Answer] = []
_reading = {"unseen": False}


def right(exercise):
    """Record a function as a right answer."""
    return _recorder(exercise)


def wrong(exercise, says="✗", named=""):
    """Record a function as a wrong answer, what the verdict must contain, and what it must name."""
    return _recorder(exercise, says, named)


def right_cell(exercise, called, text):
    """Record a whole cell as a right answer; `{name}` stands for the exercise's name."""
    _record(exercise, called, _filled(text, exercise))


def wrong_cell(exercise, called, text, says="✗", named=""):
    """Record a whole cell as a wrong answer; `{name}` stands for the exercise's name."""
    _record(exercise, called, _filled(text, exercise), says, named)


@cache
def recorded():
    """Return every recorded answer, notebook by notebook."""
    for notebook in course().notebooks:
        for module in (notebook, f"unseen.{notebook}"):
            if (Path(__file__).parent / f"{module.replace('.', '/')}.py").is_file():
                _reading["unseen"] = module != notebook
                importlib.import_module(f"answers.{module}")
    return tuple(_recorded)


def right_answers(exercise=None):
    """Return the right answers, of one exercise or of all."""
    return [one for one in recorded() if not one.says and exercise in (None, one.exercise)]


def wrong_answers(exercise=None):
    """Return the wrong answers, of one exercise or of all."""
    return [one for one in recorded() if one.says and exercise in (None, one.exercise)]


def _record(exercise, called, source, says="", named=""):
    _recorded.append(Answer(exercise, called, source, says, named, _reading["unseen"]))


def _recorder(exercise, says="", named=""):
    def record(function):
        lines = inspect.getsource(function).splitlines()
        first = next(index for index, line in enumerate(lines) if line.startswith("def "))
        text = re.sub(rf"\b{function.__name__}\b", exercise, "\n".join(lines[first:]))
        _record(exercise, function.__name__, text, says, named)
        return function

    return record


def _filled(text, exercise):
    return text.replace("{name}", exercise).strip("\n")
