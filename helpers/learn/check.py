"""`check(f)`: judge the cell that defines f, say what is wrong in at most three lines, keep what is right."""

from __future__ import annotations
import __future__

import builtins
import dataclasses
import json
import types
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

import numpy as np

from helpers.course import course
from helpers.examples import examples
from helpers.learn import home, portfolio, progress, session
from helpers.learn.errors import Surroundings, Trouble
from helpers.learn.judge import Verdict, errored, judge, not_alone, not_defined, not_started
from helpers.learn.run import Outcome, build, own_names, run
from helpers.learn.slices import NOT_PYTHON, Slice, answer_slice, argument_names, foreign_imports, is_stub, names_read
from helpers.truth import truth

if TYPE_CHECKING:  # imported where they are needed: `import helpers` stays quick
    from helpers.learn.diagnose import Look
    from helpers.learn.watch import Seen

_print = builtins.print  # bound now: a notebook may rename print later


class NotYet(Exception):
    """A check did not pass. Jupyter shows its lines alone, without a traceback, and Run All stops here."""

    def _render_traceback_(self) -> list[str]:
        return str(self).split("\n")


def check(function: Any = None) -> None:
    """Judge the cell that defines `function`, and print what was found.

    Parameters
    ----------
    function : callable
        The function you wrote, by its name: ``check(softmax_cols)``.

    Raises
    ------
    NotYet
        If it is not right yet. The message has at most three lines: what was got, what was expected, what to do.
    """
    try:
        name = session.name_of(function)
    except ValueError as error:
        raise NotYet(f"✗ check: {error}") from None
    cell = session.cell_of(name)
    if cell is None and session.has_run(name):
        raise NotYet(
            f"✗ {name}: its cell ran, and does not define `{name}`.\n"
            f"  Put the first line of the function back as it was, run the cell, then this one."
        )
    if cell is None and session.is_taken(name):
        exercise = course().exercises[name]
        raise NotYet(
            f"· {name}: exercise {exercise.number}, which this notebook imports.\n"
            f"  To change it, open {course().notebooks[exercise.notebook].file}, and check it there."
        )
    if cell is None:
        raise NotYet(
            f"· {name}: no cell that defines it has run in this session.\n"
            f"  Run its cell first (Shift+Enter), then this one."
        )
    try:
        earlier = portfolio.at_hand(name)
        verdict, part, answer = judge_source(name, cell.source, earlier, session.live_names())
    except portfolio.Refused as broken:
        raise NotYet(f"✗ {name}: " + str(broken).replace("\n", "\n  ")) from None
    if answer is not None and part is not None and not _is_the_cells(function, part, answer, earlier):
        raise NotYet(
            f"✗ {name}: the function in memory is not the one its cell defines.\n"
            f"  It was defined in another cell too, or the cell was changed and not run.\n"
            f"  Keep one version, in the TODO cell. Run that cell last, then this one."
        )
    stale = _edited_since(name, cell) if verdict.status != "right" else ""
    if part is not None and verdict.status != "not started":
        same_as_before = progress.attempt(name, part.text, passed=verdict.status == "right")
        waits = any(other in names_read(part) and other not in earlier for other in course().before(name))
        if same_as_before and not stale and not waits:  # what waits for another exercise may well be as it was
            stale = "This is the code I checked last time. If you changed the cell, run it first (Shift+Enter)."
    if verdict.status != "right":
        raise NotYet(_with_note(verdict, stale))
    _print(verdict.text)
    if part is not None:
        for other in names_read(part) & {*course().before(name)} & {*earlier}:
            session.live_names().setdefault(other, earlier[other])  # lent to the check, lent to the notebook
        _keep(part)


def judge_source(
    name: str, source: str, earlier: Mapping[str, Any], live: Mapping[str, Any] | None = None
) -> tuple[Verdict, Slice | None, Any]:
    """Return the verdict on the cell `source`, the slice of it that was judged, and the function that it gave.

    Parameters
    ----------
    name : str
        The exercise's function.
    source : str
        The whole cell.
    earlier : mapping
        Functions at hand; only those of earlier exercises are lent.
    live : mapping, optional
        The notebook's names, to say of a missing one where it comes from.
    """
    around, verdict = read_answer(name, source, live)
    if verdict is not None or around.part is None:
        return verdict or not_defined(course().exercises[name]), around.part, None
    lent = {other: earlier[other] for other in course().before(name) if other in earlier}
    answer = build(around.part, lent)
    if isinstance(answer, Trouble):
        return errored(course().exercises[name], answer, around), around.part, None
    return _judged(name, answer, around), around.part, answer


def read_answer(name: str, source: str, live: Mapping[str, Any] | None = None) -> tuple[Surroundings, Verdict | None]:
    """Return what is known of an answer before it runs, and the verdict where its source says it all.

    Parameters
    ----------
    name, source, live
        As in `judge_source`.

    Returns
    -------
    Surroundings
        With the slice to run as its `part`; None where no line of the cell defines the function.
    Verdict or None
        For what is not Python, not started, not defined, or imports what it may not. None for all that is to be run.
    """
    exercises = course().exercises
    exercise = exercises[name]
    around = Surroundings(
        source,
        truth(name).arguments,
        {other.function: other.number for other in exercises.values()},
        course().before(name),
        live or {},
    )
    try:
        part = answer_slice(source, name, exercises)
    except NOT_PYTHON as error:
        line, message = (error.lineno, error.msg) if isinstance(error, SyntaxError) else (None, str(error))
        if isinstance(error, (RecursionError, MemoryError)):
            message = "too many brackets, signs or steps in one another"
        return around, errored(exercise, Trouble("SyntaxError", line, message), around)
    if part is None:
        return around, not_defined(exercise)
    around = dataclasses.replace(around, part=part, arguments=argument_names(part) or around.arguments)
    if is_stub(part):
        return around, not_started(exercise)
    foreign = foreign_imports(part)
    return around, not_alone(exercise, foreign[0]) if foreign else None


def verdict_on(name: str, outcomes: Sequence[Outcome], around: Surroundings, look: Look | None = None) -> Verdict:
    """Return the verdict on what an answer gave on the public examples, the mistake named where it is known.

    Parameters
    ----------
    name : str
        The exercise's function.
    outcomes : sequence of Outcome
        As `run` returns them.
    around : Surroundings
        What `read_answer` returned.
    look : callable, optional
        How to see the answer's variables (see `diagnose.diagnosed`).
    """
    exercise, true, calls = course().exercises[name], truth(name), examples(name)
    verdict = judge(exercise, true, calls, outcomes, around)
    if verdict.status == "right":
        return verdict
    from helpers.learn.diagnose import diagnosed  # asked for here only: `import helpers` stays quick

    return diagnosed(verdict, true, calls, outcomes, look, around)


def _judged(name: str, answer: Any, around: Surroundings) -> Verdict:
    """Return the verdict on what stands under an exercise's name, run on all examples."""
    calls = examples(name)

    def look(position: int) -> list[Seen]:
        from helpers.learn.watch import watch  # asked for here only, as in `verdict_on`

        return watch(answer, f"<cell of {name}>", calls[position].arguments)

    outcomes = run(answer, name, calls, truth(name).layouts, around.part.source if around.part else "")
    with own_names():
        return verdict_on(name, outcomes, around, look)


def _with_note(verdict: Verdict, stale: str) -> str:
    """Return the verdict's text, at most three lines; a note takes the last one's place."""
    note = stale
    if not note and verdict.status in ("wrong", "error") and progress.repeats(verdict.function, verdict.lines[0]) >= 3:
        # Said twice already. A question, and a way on, help more than the same words again.
        note = f"Which shape, and which numbers, did you expect after each line? hint({verdict.function}) opens a hint."
    lines = (*verdict.lines[:2], note) if note else verdict.lines
    return Verdict(verdict.function, verdict.status, lines).text


def _keep(part: Slice) -> None:
    """Save what passed, and say so where there is something to say."""
    known = portfolio.sections(home.read(portfolio.path())).get(part.function)
    try:
        written = portfolio.save(part, lambda text: _no_longer_pass(portfolio.intact(text), part))
    except portfolio.Refused as refusal:
        _print("  " + str(refusal).replace("\n", "\n  "))
        return
    if not written:
        _print("  This folder cannot be written: kept for this session only, not in my_attention.py.")
    elif known is None:
        _print("  Saved in my_attention.py.")
    elif known != part.text:
        _print("  Saved in my_attention.py, in place of your earlier version.")
    exercises = course().exercises
    borrowed = portfolio.lent(home.read(portfolio.path()), exercises[part.function].notebook)
    if used := [f"{name} ({exercises[name].number})" for name in borrowed if name in names_read(part)]:
        _print(f"  It uses what is lent: {', '.join(used)}. Once that is yours too, the file runs alone.")


def _no_longer_pass(text: str, part: Slice) -> list[str]:
    """Return which functions of a my_attention.py are not right beside an answer: its names may change another's."""
    namespace = portfolio.execute(text)
    around = Surroundings("", (), {})
    # A name that is gone raises as it is called.
    verdicts = [_judged(name, namespace.get(name), around) for name in portfolio.affected(text, part)]
    return [f"`{verdict.function}`" for verdict in verdicts if verdict.status != "right"]


def _edited_since(name: str, cell: session.Cell) -> str:
    """Return a note if the notebook was saved after the cell ran, with other code in it."""
    path = home.notebook_path()
    saved = _saved_source(path, name) if path and path.stat().st_mtime > cell.at else None
    if saved is None or saved.strip() == cell.source.strip():
        return ""
    return "The cell was changed after it ran. Run it (Shift+Enter), then this one."


def _saved_source(path: Path, name: str) -> str | None:
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError):
        return None
    source = next((cell["source"] for cell in cells if cell.get("id") == name), None)
    return "".join(source) if isinstance(source, list) else source


def _is_the_cells(live: Any, part: Slice, judged: Any, earlier: Mapping[str, Any]) -> bool:
    """Return whether the live function is the one that its cell defines, as far as code and plain values tell."""
    if isinstance(live, str):  # check("softmax_cols")
        live = session.live_names().get(part.function, judged)
    if _same_function(live, judged):
        return True
    # Python makes other code of the same lines under `%%time`, and after a `from __future__` in an earlier cell.
    as_text = dataclasses.replace(part, flags=__future__.annotations.compiler_flag)
    ways = [(one, at_once) for one in (part, as_text) for at_once in (True, False)]
    return any(_same_function(live, build(one, earlier, at_once=at_once)) for one, at_once in ways)


def _same_function(live: Any, judged: Any) -> bool:
    mine, theirs = _makings(live), _makings(judged)
    same_kind = type(live).__qualname__ == type(judged).__qualname__  # the cell ran twice: a class of it is two classes
    return same_kind and len(mine) == len(theirs) and all(map(_same_making, mine, theirs))


def _makings(thing: Any, depth: int = 3) -> list[Any]:
    """Return what makes a callable: its code and plain values, and those of what it wraps.

    A wrapped function stands in a closure (decorators), in a `partial`, in `np.vectorize` or under `__call__`.
    """
    code = getattr(thing, "__code__", None)
    if isinstance(code, CodeType):
        inside = [_content(cell) for cell in thing.__closure__ or ()]
        found = [code, _plain(thing.__defaults__), _plain(thing.__kwdefaults__)]
    else:
        inside = [getattr(thing, name, None) for name in ("func", "pyfunc")]
        inside.append(vars(type(thing)).get("__call__"))
        found = [_plain(getattr(thing, "args", None)), _plain(getattr(thing, "keywords", None))]
    for inner in inside:
        if not callable(inner):
            found.append(_plain(inner))
        elif depth:
            found += _makings(inner, depth - 1)
    return found


def _plain(value: Any) -> str:
    """Return a value as text where its text says what it is; else the name of its type."""
    if isinstance(value, (list, tuple)):
        return repr([_plain(part) for part in value])
    if isinstance(value, dict):
        return repr({str(key): _plain(part) for key, part in value.items()})
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes, np.ndarray, np.generic)):
        return repr(value)
    return type(value).__qualname__


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None


def _same_making(mine: Any, theirs: Any) -> bool:
    both_code = isinstance(mine, CodeType) and isinstance(theirs, CodeType)
    return _same_code(mine, theirs) if both_code else bool(mine == theirs)


def _same_code(mine: CodeType, theirs: CodeType) -> bool:
    if (mine.co_code, mine.co_names, mine.co_varnames) != (theirs.co_code, theirs.co_names, theirs.co_varnames):
        return False
    return len(mine.co_consts) == len(theirs.co_consts) and all(
        _same_code(a, b) if isinstance(a, CodeType) and isinstance(b, CodeType) else repr(a) == repr(b)
        for a, b in zip(mine.co_consts, theirs.co_consts, strict=True)
    )
