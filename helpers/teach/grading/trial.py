"""One answer on trial: what a fork is asked to do with it, and what its outcomes are worth."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256

from helpers.course import course
from helpers.examples import examples, hidden
from helpers.examples.example import Example
from helpers.learn.check import verdict_on
from helpers.learn.errors import Surroundings
from helpers.learn.judge import Verdict, judge
from helpers.learn.results import Layout, Reading, layout_of, read
from helpers.learn.run import Outcome, copied, quiet
from helpers.learn.slices import answer_slice, names_read
from helpers.learn.watch import Seen
from helpers.teach import solutions
from helpers.teach.grading.record import CHECK_ONLY
from helpers.teach.grading.sandbox.wire import Job
from helpers.truth import Truth, truth


@dataclass(frozen=True)
class Trial:
    """An answer that is to be run.

    Attributes
    ----------
    function : str
        The exercise.
    around : Surroundings
        The answer, as `read_answer` returned it, with its slice.
    secret : int
        The seed of the run, which says in what order the examples are called.
    seed : int
        What the hidden examples are drawn from (see `drawing_seed`).
    """

    function: str
    around: Surroundings
    secret: int
    seed: int

    @cached_property
    def layouts(self) -> tuple[Layout, ...]:
        """How the results of all calls are built: the public examples, the hidden ones, the first once more."""
        public = truth(self.function).layouts
        return (*public, *hidden_truth(self.function, self.seed).layouts, public[0])

    def job(self, watch: int | None = None) -> Job:
        """Return what a fork is asked for: all outcomes, in an order of this answer's own; or to watch one example."""
        part = self.around.part
        if part is None:
            raise ValueError(f"{self.function}: expected an answer with a slice to run, got none.")
        order = list(range(len(self.layouts) - 1))
        random.Random(f"{self.secret} {part.source}").shuffle(order)  # noqa: S311  secret by its seed
        own = {(one.lineno, one.col_offset) for one in part.tree.body}
        everything = ast.parse(part.source).body
        statements = tuple(k for k, one in enumerate(everything) if (one.lineno, one.col_offset) in own)
        lent = lent_source(frozenset(names_read(part) & {*course().before(self.function)}))
        return Job(self.function, part.source, statements, lent, tuple(order), self.layouts, watch)

    def verdict(self, outcomes: list[Outcome], look: Callable[[int], list[Seen]]) -> Verdict:
        """Return the verdict: that of the check, and where all its examples are right, that of the hidden ones."""
        public = len(examples(self.function))
        verdict = verdict_on(self.function, [*outcomes[:public], outcomes[-1]], self.around, look)
        if verdict.status != "right":
            return verdict
        drawn, true = hidden(self.function, self.seed), hidden_truth(self.function, self.seed)
        own = outcomes[public:-1]
        judged = judge(course().exercises[self.function], true, drawn, [*own, own[0]], self.around)
        if judged.status == "right":
            return verdict
        # What the judge says of them holds their numbers, which are nobody's business but the grader's.
        return Verdict(self.function, judged.status, CHECK_ONLY)


def drawing_seed(secret: int) -> int:
    """Return what the hidden examples of a run are drawn from, the same for the whole class.

    It enters the warm process; the secret, from which it cannot be told, does not.
    """
    return int.from_bytes(sha256(str(secret).encode()).digest()[:4], "big")


@cache
def hidden_truth(function: str, seed: int) -> Truth:
    """Return what is true of an exercise on its hidden examples: what our solution gives."""
    values, layouts = zip(*(_solved(function, example) for example in hidden(function, seed)), strict=True)
    known = truth(function)
    return Truth(known.arguments, known.returns, layouts, values)


def _solved(function: str, example: Example) -> tuple[Reading, Layout]:
    if example.refuses:
        return Reading(()), None
    with quiet():
        result = solutions.function(function)(*copied(example.arguments))
    layout = layout_of(result)
    return read(result, layout), layout


@cache
def lent_source(names: frozenset[str]) -> str:
    """Return our solutions of these exercises, and of those that they use, as source."""
    wanted, found = set(names), dict[str, str]()
    while wanted:
        name = wanted.pop()
        found[name] = solutions.source(name)
        part = answer_slice(found[name], name)
        wanted |= (names_read(part) if part else set()) & course().exercises.keys() - found.keys()
    return "\n\n".join(found[name] for name in course().exercises if name in found)
