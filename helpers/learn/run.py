"""Run an answer on examples: alone, in a fresh namespace, on copies of the arguments.

Nothing here knows what is right. What comes back is plain data, so that the same judge serves a notebook and a grader.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import types
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from helpers.examples.example import Example
from helpers.learn.errors import Trouble, trouble_from
from helpers.learn.results import Layout, Reading, Unreadable, read
from helpers.learn.slices import Slice
from helpers.parameters import Head, Layer

_array_equal, _ndarray, _errstate = np.array_equal, np.ndarray, np.errstate  # bound now, as in results.py
_OURS = [(module, {**vars(module)}) for module in (builtins, np)]  # as they were before any of the student's code ran


@dataclass(frozen=True)
class Outcome:
    """What one call gave: a reading, or why there is none.

    Attributes
    ----------
    reading : Reading or None
        The numbers.
    unreadable : str
        What came back instead of numbers, as a sentence part.
    trouble : Trouble or None
        The error that was raised.
    changed : tuple of int
        The positions of the arguments that the call changed.
    """

    reading: Reading | None = None
    unreadable: str = ""
    trouble: Trouble | None = None
    changed: tuple[int, ...] = ()


def build(part: Slice, earlier: Mapping[str, Any], *, at_once: bool = False) -> Any:
    """Run the slice and return what stands under the exercise's name.

    Parameters
    ----------
    part : Slice
        The answer.
    earlier : mapping
        The functions of earlier exercises. `np`, `Head` and `Layer` are there too; the notebook's data is not.
    at_once : bool
        Compile all statements together, as `%%time` does; a notebook compiles them one by one. Python makes other
        code of a function in the two, with the same meaning.

    Returns
    -------
    object
        Usually a function. A `Trouble` if the statements raised, or if it cannot be called.
    """
    filename = f"<cell of {part.function}>"
    # Under the name of the file that will hold it: a dataclass looks its module up, `if __name__ == ...` asks for it.
    namespace = {"__name__": "my_attention", "np": np, "Head": Head, "Layer": Layer, **earlier}
    try:
        with quiet(), own_names():
            for body in [part.tree.body] if at_once else [[statement] for statement in part.tree.body]:
                # dont_inherit: this module's `from __future__ import annotations` is not the student's.
                code = compile(ast.Module(body, []), filename, "exec", part.flags, dont_inherit=True)
                exec(code, namespace)  # noqa: S102  running the student's code is the purpose
    except BaseException as error:  # noqa: BLE001  SystemExit and KeyboardInterrupt from the student's code too
        return trouble_from(error, filename, part.source)
    if part.function not in namespace:
        return Trouble("NotDefined", None, "")
    answer = namespace[part.function]
    return answer if callable(answer) else Trouble("NotCallable", None, type(answer).__name__)


def run(
    answer: Callable[..., Any],
    function: str,
    examples: Sequence[Example],
    layouts: Sequence[Layout],
    source: str = "",
    order: Sequence[int] = (),
) -> list[Outcome]:
    """Return the outcome of each example, and of the first once more at the end.

    Parameters
    ----------
    answer : callable
        What `build` returned.
    function : str
        The exercise's name.
    examples : sequence of Example
        The calls to make.
    layouts : sequence of Layout
        For each example, what is expected (see `results.read`).
    source : str
        The cell as it was compiled (`Slice.source`): an error is told with the operands that stand there.
    order : sequence of int, optional
        In which order the examples are called, by their positions. The outcomes come in the examples' own order.
    """
    outcomes: dict[int, Outcome] = {}
    last: Outcome | None = None
    for turn, position in enumerate([*(order or range(len(examples))), 0]):
        if last is None or last.trouble is None or last.trouble.kind != "KeyboardInterrupt":
            last = _call(answer, f"<cell of {function}>", examples[position], layouts[position], source)
        # else: one press of the stop button is enough, the calls after an interrupt are not made.
        outcomes[position if turn < len(examples) else len(examples)] = last
    return [outcomes[position] for position in range(len(examples) + 1)]


def _call(answer: Callable[..., Any], filename: str, example: Example, layout: Layout, source: str) -> Outcome:
    arguments = copied(example.arguments)
    try:
        with quiet(), own_names():
            value = answer(*arguments)
            reading = read(value, layout)
    except Unreadable as complaint:
        return Outcome(unreadable=str(complaint), changed=_changed(arguments, example))
    except BaseException as error:  # noqa: BLE001  SystemExit and KeyboardInterrupt from the student's code too
        return Outcome(trouble=trouble_from(error, filename, source))
    return Outcome(reading, changed=_changed(arguments, example))


@contextlib.contextmanager
def own_names() -> Iterator[None]:
    """Run and judge with Python's and numpy's own names: other cells may have put others into both modules."""
    theirs = [(module, {**module.__dict__}) for module, _ in _OURS]
    for module, names in _OURS:
        _replace(module, names)
    try:
        yield
    finally:
        for module, names in theirs:
            _replace(module, names)


def _replace(module: types.ModuleType, names: dict[str, Any]) -> None:
    """Give a module these names, and no others but submodules that were imported since."""
    for name, value in list(module.__dict__.items()):
        if name not in names and not isinstance(value, types.ModuleType):
            del module.__dict__[name]
    module.__dict__.update(names)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Swallow prints and warnings of the student's code; neither is a fault."""
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
        _errstate(all="ignore"),
    ):
        warnings.simplefilter("ignore")
        yield


def copied(arguments: Sequence[Any]) -> list[Any]:
    """Return deep copies of a call's arguments, for code that may change them; a generator's copy draws the same."""
    return [_copy(argument) for argument in arguments]


def _copy(argument: Any) -> Any:
    """Return a deep copy of an argument: arrays, and lists, tuples and NamedTuples of them."""
    if isinstance(argument, _ndarray):
        return argument.copy()
    if isinstance(argument, np.random.RandomState):
        twin = np.random.RandomState()
        twin.set_state(argument.get_state())
        return twin
    if isinstance(argument, tuple) and hasattr(argument, "_fields"):
        return type(argument)(*(_copy(part) for part in argument))
    if isinstance(argument, (list, tuple)):
        return type(argument)(_copy(part) for part in argument)
    return argument


def _same(left: Any, right: Any) -> bool:
    if isinstance(right, _ndarray):
        return isinstance(left, _ndarray) and left.shape == right.shape and bool(_array_equal(left, right))
    if isinstance(right, (list, tuple)):
        return len(left) == len(right) and all(_same(a, b) for a, b in zip(left, right, strict=True))
    return True  # numbers and strings cannot be changed; a generator is meant to move on


def _changed(arguments: Sequence[Any], example: Example) -> tuple[int, ...]:
    pairs = enumerate(zip(arguments, example.arguments, strict=True))
    return tuple(position for position, (now, before) in pairs if not _same(now, before))
