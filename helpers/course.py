"""The manifest, read: which notebooks, exercises, questions and reflections the course has, in their order."""

import difflib
import re
import tomllib
from collections.abc import Collection
from dataclasses import MISSING, dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any, get_origin


@dataclass(frozen=True)
class Notebook:
    """One notebook: `NN_name.ipynb`, `solutions/name.py` and `true_values/name.json`."""

    number: int
    name: str
    title: str

    @property
    def file(self) -> str:
        """The file's name in `notebooks/`."""
        return f"{self.number:02d}_{self.name}.ipynb"


@dataclass(frozen=True)
class Exercise:
    """One function that the student writes.

    `points` are the grader's, 0 for a warm-up; `equation` is empty where the book has none; `invariants` name rules in
    `helpers.learn.invariants`; `right` says what the check saw, `why` why it works. What is `optional` may be left out.
    """

    function: str
    notebook: str
    number: str
    title: str
    points: int
    right: str
    why: str
    hints: tuple[str, ...]
    equation: str = ""
    invariants: tuple[str, ...] = ()
    optional: bool = False


@dataclass(frozen=True)
class Question:
    """One prediction: `choices` maps a letter to its words, `answer` is a letter."""

    name: str
    notebook: str
    choices: dict[str, str]
    answer: str
    because: str


@dataclass(frozen=True)
class Reflection:
    """One open question with a model answer to compare with."""

    name: str
    notebook: str
    model: str


@dataclass(frozen=True)
class Course:
    """The whole manifest. Names are unique across its four lists; only an exercise may be named as its notebook is."""

    notebooks: dict[str, Notebook]
    exercises: dict[str, Exercise]
    questions: dict[str, Question]
    reflections: dict[str, Reflection]

    def exercises_of(self, notebook: str) -> list[Exercise]:
        """Return the exercises of one notebook, in their order."""
        return [exercise for exercise in self.exercises.values() if exercise.notebook == notebook]

    def earlier(self, notebook: str) -> list[Exercise]:
        """Return the exercises of all notebooks before this one."""
        number = self.notebooks[notebook].number
        return [exercise for exercise in self.exercises.values() if self.notebooks[exercise.notebook].number < number]

    def before(self, function: str) -> list[str]:
        """Return the functions of all earlier exercises."""
        names = list(self.exercises)
        return names[: names.index(function)]


def parse_course(text: str) -> Course:
    """Return the course a manifest describes.

    Parameters
    ----------
    text : str
        TOML with the tables `notebook`, `exercise`, `question` and `reflection`. In its texts `{softmax_cols}` stands
        for the number of that exercise.

    Raises
    ------
    ValueError
        If it is not TOML, if a name is used twice, or if an entry has a field too many or too few, a value of another
        kind, points below 0, or a notebook that is not there, or if a text asks for the number of no exercise.
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"course.toml: {error}.") from None
    kinds = {"notebook": Notebook, "exercise": Exercise, "question": Question, "reflection": Reflection}
    if unknown := set(raw) - set(kinds):
        raise ValueError(f"course.toml: got a table {sorted(unknown)[0]!r}, expected one of {', '.join(kinds)}.")
    numbers = {str(entry.get("function")): str(entry.get("number")) for entry in raw.get("exercise", [])}
    seen: set[str] = set()
    lists: dict[str, dict[str, object]] = {}
    for kind, make in kinds.items():
        lists[kind] = {}
        for entry in raw.get(kind, []):
            name = entry.get("function") or entry.get("name") or "?"
            if name in seen and not (kind == "exercise" and name in lists["notebook"] and name not in lists[kind]):
                raise ValueError(f"course.toml: the name {name!r} is used twice; names are unique in the course.")
            seen.add(name)
            place = f"course.toml: {kind} {name!r}"
            plain = {key: _with_numbers(value, numbers, place) for key, value in entry.items()}
            _check_fields(place, plain, make)
            lists[kind][name] = made = make(**plain)
            if entry.get("notebook", name) not in lists["notebook"] and kind != "notebook":
                raise ValueError(
                    f"course.toml: {kind} {name!r}: got the notebook {entry['notebook']!r}, there is none."
                )
            if isinstance(made, Exercise) and made.points < 0:
                raise ValueError(f"course.toml: exercise {name!r}: points is {made.points}, expected 0 or more.")
            if isinstance(made, Question) and made.answer not in made.choices:
                raise ValueError(f"course.toml: question {name!r}: the answer {made.answer!r} is none of its choices.")
    return Course(lists["notebook"], lists["exercise"], lists["question"], lists["reflection"])  # type: ignore[arg-type] # each list was filled by its own class


def _with_numbers(value: Any, numbers: dict[str, str], place: str) -> Any:
    """Return a value with the number of an exercise for each `{name}` in its texts; a list becomes a tuple."""
    if isinstance(value, list):
        return tuple(_with_numbers(one, numbers, place) for one in value)
    if isinstance(value, dict):
        return {key: _with_numbers(one, numbers, place) for key, one in value.items()}
    if not isinstance(value, str):
        return value
    if unknown := [name for name in re.findall(r"{(.*?)}", value) if name not in numbers]:
        raise ValueError(f"{place}: got {{{unknown[0]}}}, expected the name of an exercise, whose number stands there.")
    return re.sub(r"{(.*?)}", lambda found: numbers[found[1]], value)


# What TOML has for each type of a field.
_IN_WORDS = {str: "a text", int: "a whole number", bool: "true or false", tuple: "a list", dict: "a table"}


def _check_fields(place: str, entry: dict[str, object], make: type) -> None:
    """Raise if an entry lacks a field, has one too many, or holds a value of another type than the field's."""
    wanted = {field.name: field for field in fields(make)}
    for name in entry:
        if name not in wanted:
            near = difflib.get_close_matches(name, wanted, n=1)
            raise ValueError(f"{place}: got the field {name!r}" + (f"; did you mean {near[0]!r}?" if near else "."))
    for name, field in wanted.items():
        if name not in entry:
            if field.default is MISSING:
                raise ValueError(f"{place}: the field {name!r} is missing.")
            continue
        kind: Any = get_origin(field.type) or field.type
        if not isinstance(entry[name], kind) or (kind is int and isinstance(entry[name], bool)):
            raise ValueError(f"{place}: {name} is {entry[name]!r}, expected {_IN_WORDS[kind]}.")


@cache
def course() -> Course:
    """Return the course of this installation."""
    return parse_course(files("helpers").joinpath("course.toml").read_text(encoding="utf-8"))


def numbered(numbers: Collection[str], option: str) -> list[Notebook]:
    """Return the notebooks of these numbers, written `1` or `01`, in the course's order.

    Parameters
    ----------
    numbers : collection of str
        As somebody typed them.
    option : str
        Where: the name of an option, for the message.

    Raises
    ------
    ValueError
        If one is no notebook's.
    """
    by_number = {f"{one.number:02d}": one for one in course().notebooks.values()}
    for number in numbers:
        if number.zfill(2) not in by_number:
            raise ValueError(f"{option}: got {number!r}, expected numbers of notebooks: {', '.join(by_number)}.")
    wanted = {number.zfill(2) for number in numbers}
    return [one for number, one in by_number.items() if number in wanted]
