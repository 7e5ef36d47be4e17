"""`python -m tests.diagnosis`: how well the check names mistakes, measured on everything that is recorded.

For each exercise: the recorded mistakes that change a result of it, alone and in pairs, and the recorded answers.
`named` is the very mistake; `or` is it among others that give the same numbers; `told` is something true of a variable
or of the result; `differs` no more than what was got and expected; `misled` is the name of something that was not done.
"""

import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

if "answers" not in sys.modules:  # pytest's conftest has loaded it; the command has not
    sys.path.insert(0, str(Path(__file__).parent))

from answers import recorded as recorded_answers

from helpers.course import course
from helpers.examples import examples
from helpers.learn.check import judge_source
from helpers.learn.diagnose import diagnosed
from helpers.learn.errors import Surroundings
from helpers.learn.fingerprints import made
from helpers.learn.judge import judge
from helpers.teach import fingerprints, solutions
from helpers.teach.mistakes import possible_in
from helpers.truth import truth

KINDS = ("named", "or", "told", "differs", "accepted", "misled")


def kind(verdict, done):
    """Return how a verdict treats what was done: a set of names, empty where it is no recorded mistake."""
    if verdict.status == "right":
        return "accepted"
    if verdict.mistake:
        ways = made(verdict.mistake)
        if done in ways:
            return "named" if len(ways) == 1 else "or"
        return "told" if any(way <= done for way in ways) else "misled"  # one of two things that were done is true
    plain = verdict.fault is not None and verdict.lines == verdict.fault.lines and not verdict.fault.seen
    return "differs" if plain and verdict.fault.summary else "told"


def verdict_on_mistakes(function, mistakes):
    """Return the verdict on our solution with mistakes made in it, and what it gave."""
    true, calls = truth(function), examples(function)
    outcomes = fingerprints.outcomes(function, mistakes, true)
    said = judge(
        course().exercises[function], true, calls, [*outcomes, outcomes[0]], Surroundings("", true.arguments, {})
    )
    return diagnosed(said, true, calls, outcomes)


def singles(function):
    """Yield each mistake that can show in an exercise, and how it is treated."""
    for mistake in possible_in(function):
        yield mistake, kind(verdict_on_mistakes(function, [mistake]), {mistake.name})


def pairs(function):
    """Yield each pair that can be told from the truth and from every single mistake, and how it is treated."""
    distinct = {way for one in fingerprints.survey(function, truth(function)) for way in one.ways}
    for first, second in combinations(possible_in(function), 2):
        way = frozenset([first.name, second.name])
        if way in distinct:
            yield way, kind(verdict_on_mistakes(function, [first, second]), way)


def answers(function):
    """Yield each recorded answer of an exercise, the verdict, and how it is treated."""
    earlier = {other: solutions.function(other) for other in course().before(function)}
    for answer in recorded_answers():
        if answer.exercise == function:
            verdict, _, _ = judge_source(function, answer.source, earlier)
            yield answer, verdict, _kind_of(answer, verdict)


def _kind_of(answer, verdict):
    if not verdict.mistake or verdict.status == "right":
        return kind(verdict, set())
    if verdict.mistake != answer.named:
        return "misled"
    return "named" if len(made(answer.named)) == 1 else "or"


def main():
    """Print a table, an exercise a line, and the totals."""
    width = max(map(len, course().exercises))
    totals = {}
    print(f"{'':{width}}  {'named':>6} {'or':>6} {'told':>6} {'differs':>7} {'accepted':>8} {'misled':>6}")
    for function in course().exercises:
        counts = {"mistakes": Counter(one for _, one in singles(function))}
        counts["pairs"] = Counter(one for _, one in pairs(function))
        for answer, _, one in answers(function):
            group = "right answers" if not answer.says else "unseen answers" if answer.unseen else "wrong answers"
            counts.setdefault(group, Counter())[one] += 1
        print(function)
        for group, counter in counts.items():
            totals.setdefault(group, Counter()).update(counter)
            print(_row(f"  {group}", counter, width))
    print("all exercises")
    for group, counter in totals.items():
        print(_row(f"  {group}", counter, width))


def _row(name, counter, width):
    cells = [f"{counter[one]:{space}}" for one, space in zip(KINDS, (6, 6, 6, 7, 8, 6), strict=True)]
    return f"{name:{max(width, 18)}}  {' '.join(cells)}  of {counter.total()}"


if __name__ == "__main__":
    main()
