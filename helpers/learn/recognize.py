"""What is true of a student's variables, in their names: which steps they hold, and which is the first that is none.

Pure: what was seen, the known steps and the arguments go in, sentences come out. Nothing is said that is not literally
true of the numbers. What cannot be matched is not given a name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from helpers.learn.compare import finite
from helpers.learn.flow import Flow, base_of, is_returned
from helpers.learn.relate import CLOSE, Known, Match, is_equal, related
from helpers.learn.watch import Seen
from helpers.learn.words import WIDTH, capital, listed
from helpers.truth import Stage

Array = NDArray[np.float64]

# What our steps are called, without an article; by the whole name, or else by the variable's alone. A step without a
# word is recognized and never spoken of.
WORDS = {
    "Q": "queries",
    "K": "keys",
    "V": "values",
    "A": "weights",
    "scaled_scores.scores": "scaled scores",
    "scaled_self_attention.scores": "scaled scores",
    "head_output.scores": "scaled scores",
    "attention_with_bias.scores": "scaled scores",
    "attention_weights.scores": "scores",
    "scaled_scores.products": "scores before scaling",
    "attention_with_bias.biased": "scaled scores plus the bias",
    "Sa": "output",
    "project.weighted": "products of omega and the tokens, without the bias",
    "project 1.weighted": "queries without their bias",
    "project 2.weighted": "keys without their bias",
    "project 3.weighted": "values without their bias",
    "multihead.stacked": "stacked outputs of the heads",
    "residual 1.change": "output of multi-head attention",
    "residual 2.change": "output of the MLP",
    "attended": "tokens plus the output of multi-head attention",
    "transformer_layer.normalized": "output of the first LayerNorm",
    "processed": "output of the first LayerNorm plus that of the MLP",
    "transformer_layer.X_out": "output of the second LayerNorm",
    "read.calm": "output of the first LayerNorm",
    "process.calm": "output of the second LayerNorm",
    "mean": "means of the columns",
    "variance": "variances of the columns",
    "standard": "columns with mean 0 and variance 1",
    "mlp.incoming": "hidden numbers before ReLU",
    "mlp.hidden": "hidden numbers after ReLU",
    "entropy_cols.terms": "weights times their logarithms",
    "sinusoids.angles": "angles",
    "rope.angles": "angles",
    "equivariance_gap.before": "results for the columns in their new order",
    "equivariance_gap.after": "results, brought into the new order",
}
_NUMBERED = {" 1": "first ", " 2": "second "}  # the two LayerNorms of a layer
# A step that stands for one of these is recognized in several places: of a head, or of queries, keys and values.
_TRIO = ("Q", "K", "V")


@dataclass(frozen=True)
class Sight:
    """What is true of the variables.

    Attributes
    ----------
    recognized : tuple of (str, Match)
        The names that hold right steps, in order.
    point : Seen or None
        The first value that is no step, with nothing right made from it.
    lines : tuple of str
        What to say: at most two lines, or none.
    vague : bool
        Whether they say no more of the wrong value than that it is no step.
    """

    recognized: tuple[tuple[str, Match], ...] = ()
    point: Seen | None = None
    lines: tuple[str, ...] = ()
    vague: bool = False


def recognize(
    seen: Sequence[Seen], stages: Sequence[Stage], arguments: Mapping[str, Array], expected: Sequence[Array]
) -> Sight:
    """Return what is true of a student's variables on one example.

    Parameters
    ----------
    seen : sequence of Seen
        What `watch` returned.
    stages : sequence of Stage
        The known steps of the exercise on this example.
    arguments : mapping of str to array
        The arrays among the arguments, by their names in the student's function (see `watch.named`).
    expected : sequence of array
        The true result.
    """
    if not seen or not stages:
        return Sight()
    known = Known(stages, arguments, expected)
    flow = Flow(seen)
    matches = [related(one, known) for one in seen]
    sizes = {size for stage in stages for size in stage.value.shape}
    point = next((k for k in range(len(seen)) if _is_point(k, seen, matches, flow, sizes)), None)
    if point is not None:
        point = _outside(point, seen)
    twins = _twins(seen, matches, flow, stages)
    halfway = _halfway(seen, matches, flow, stages)
    recognized = _recognized(seen, matches, flow, point)
    vague = False
    if halfway and point is not None and matches[point].stage in halfway[2]:
        halfway = None  # the next step was tried, and is what is spoken of
    said = [found[:2] for found in (twins, halfway) if found and (point is None or found[1] < point)]
    if said:
        last, point = min(said, key=lambda found: found[1])
    elif point is not None:
        last = _point_line(seen[point], matches[point], {base.shape for base in known.bases}, bool(recognized))
        vague = not _described(matches[point])
    else:
        last = _returned_line(seen, matches, expected)
    recognized = [pair for pair in recognized if f"`{pair[0]}`" not in last]
    first = _recognized_line(recognized) if last else ""
    return Sight(
        tuple(recognized),
        seen[point] if point is not None else None,
        tuple(line for line in (first, last) if line),
        vague,
    )


def quantities(stages: Sequence[Stage], arguments: Mapping[str, Array]) -> dict[str, Array]:
    """Return what a result may be compared with, under what it is called in a sentence: "`X`", "the weights"."""
    named = {f"`{name}`": value for name, value in arguments.items()}
    return named | {f"the {word(stage)}{_place(stage)}": stage.value for stage in stages if word(stage)}


# --- the first that is none


def _is_point(k: int, seen: Sequence[Seen], matches: Sequence[Match], flow: Flow, sizes: set[int]) -> bool:
    """Return whether a value is none of the steps, the result was made from it, and nothing right was.

    `sizes` are those that the steps have: a value of other sizes may be of another way of computing, and is left alone.
    """
    if matches[k].known or flow.partial[k]:
        return False
    made, shape = flow.after(k), seen[k].value.shape
    fits = len(shape) > 1 or (shape[0] in sizes and shape[0] > 2)
    reaches_the_result = k in flow.returned or (fits and bool(made & flow.returned))
    return reaches_the_result and not _led_on(made, matches, flow)


def _led_on(made: set[int], matches: Sequence[Match], flow: Flow) -> bool:
    """Return whether a right step is among what was made from a value; not beside a wrong one, in one statement."""
    return any(matches[j].right and all(matches[i].known for i in flow.together[j]) for j in made)


# --- what is said


def word(stage: Stage | None) -> str:
    """Return what a step is called; empty where it has no word."""
    if stage is None:
        return ""
    name = re.sub(r"\[\d+\]$", "", stage.name)
    bare = name.rpartition(".")[2]
    found = WORDS.get(name) or WORDS.get(re.sub(r" \d+(?=\.)", "", name)) or WORDS.get(bare, "")
    turn = re.search(r"^layer_norm( \d)\.", name)
    if found and turn:
        return f"{found} in the {_NUMBERED[turn[1]]}LayerNorm"
    return found


def _verb(stage: Stage) -> str:
    return "are" if any(one.endswith("s") for one in word(stage).split()[:2]) else "is"


def _place(stage: Stage) -> str:
    head = f" of head {stage.head}" if stage.head else ""
    layer = f" in layer {stage.layer}" if stage.layer else ""
    return head + layer


def _described(match: Match) -> str:
    """Return in words what a value is: "queries of head 2, without `beta_q`"; empty where there is no word."""
    if not word(match.stage) or match.stage is None:
        return ""
    text = word(match.stage) + _place(match.stage)
    return f"{text}, {match.said}" if match.said else text


def _is_variable(name: str) -> bool:
    return not is_returned(name) and "()" not in name


def _subject(name: str) -> str:
    """Return how a variable is spoken of."""
    if not is_returned(name):
        return f"`{name}`"
    item = re.match(r"\[(\d+)\]", name)
    return f"item {int(item[1]) + 1} of what it returns" if item else "what it returns"


def _recognized(
    seen: Sequence[Seen], matches: Sequence[Match], flow: Flow, point: int | None
) -> list[tuple[str, Match]]:
    """Return the names that hold one right step each; those that the first wrong value was made from."""
    found: dict[str, list[Match]] = {}
    until = len(seen) if point is None else point + 1
    for one, match, partial in zip(seen[:until], matches[:until], flow.partial[:until], strict=True):
        if not is_returned(one.name) and not partial:
            found.setdefault(one.name, []).append(match)
    right = {name: held[0] for name, held in found.items() if len(set(map(_described, held))) == 1 and held[0].right}
    near = flow.made_from[point] if point is not None else set(range(len(seen)))
    wanted = {seen[k].name for k in near if seen[k].name in right} or {
        seen[k].name for k in flow.before(point if point is not None else len(seen) - 1)
    }
    chosen = [(name, match) for name, match in right.items() if name in wanted and _described(match)]
    spoken: dict[str, tuple[str, Match]] = {}  # of several names for one step the plainest is spoken of
    for name, match in sorted(chosen, key=lambda pair: len(pair[0])):
        spoken.setdefault(_described(match), (name, match))
    return [pair for pair in chosen if pair in spoken.values()]


def _recognized_line(recognized: Sequence[tuple[str, Match]]) -> str:
    """Return a sentence that says which names hold which steps."""
    for most in range(min(4, len(recognized)), 0, -1):
        # What has more to its word than a name comes last, so that "without" reaches no further than it should.
        pairs = sorted(recognized[-most:], key=lambda pair: _is_long(pair[1]))
        plain = [pair for pair in pairs if not _is_long(pair[1])]
        parts = [_held(plain)] if plain else []
        for name, match in pairs[len(plain) :]:
            verb = "holds " if not parts else ""
            parts.append(f"`{name}` {verb}the {_described(match)}")
        line = "; ".join(parts) + "."
        if len(line) <= WIDTH:
            return line
    return ""


def _is_long(match: Match) -> bool:
    return bool(match.said) or " without " in word(match.stage)


def _held(pairs: Sequence[tuple[str, Match]]) -> str:
    """Return which names hold which steps: "`q` and `k` hold the queries and keys of head 1"."""
    stages = [match.stage for _, match in pairs if match.stage is not None]
    words = list(dict.fromkeys(map(word, stages)))
    places = list(dict.fromkeys(map(_place, stages)))
    if len(places) == 1:
        what = listed(words) + places[0]
    elif len(words) == 1 and all(stage.head and not stage.layer for stage in stages):
        what = f"{words[0]} of heads {listed([str(stage.head) for stage in stages])}"
    else:
        what = listed([word(stage) + _place(stage) for stage in stages])
    return f"{listed([f'`{name}`' for name, _ in pairs])} {'holds' if len(pairs) == 1 else 'hold'} the {what}"


def _point_line(one: Seen, match: Match, shapes: set[tuple[int, ...]], recognized: bool) -> str:
    """Return a sentence about the first value that is no step."""
    subject = _subject(one.name)
    where = "" if is_returned(one.name) else f", line {one.line},"
    if described := _described(match):
        if described.endswith("in its place"):  # the queries without their bias, with another
            described = described.replace(" without their bias", "").replace("in its place", "in place of their bias")
        return f"{capital(subject)}{where} {'holds' if where else 'is'} the {described}."
    fact = _fact(one.value, shapes)
    if is_returned(one.name):
        return f"{capital(subject)} belongs to no step I know{': ' + fact if fact else ''}." if recognized else ""
    first = f"The first whose numbers belong to no step I know is {subject}{where.rstrip(',')}"
    return f"{first}: {fact}." if fact else f"{first}."


def _fact(value: Array, shapes: set[tuple[int, ...]]) -> str:
    """Return something true of a value that belongs to no step; empty where there is nothing to say."""
    if np.isnan(value).any():
        return "it holds nan"
    if value.ndim == 2 and min(value.shape) > 1:
        if value.shape[0] == value.shape[1] and (where := _empty_triangle(value)):
            return where
        ones = [bool(np.allclose(value.sum(axis=axis), 1, atol=1e-6)) for axis in (0, 1)]
        if ones == [False, True]:
            return "its rows sum to 1, its columns do not"
        if ones == [True, False]:
            return "its columns sum to 1"
        if abs(value.sum() - 1) < 1e-6 and (value >= 0).all():
            return "all its entries together sum to 1"
    if not finite(value):
        return "it holds infinite numbers"
    return "" if value.shape in shapes else f"its shape is {value.shape}"


def _empty_triangle(value: Array) -> str:
    """Return on which side of the diagonal of a square nothing is left: 0, or minus infinity."""
    for side, triangle in (("below", np.tril_indices(len(value), -1)), ("above", np.triu_indices(len(value), 1))):
        for nothing, name in ((0.0, "0"), (-np.inf, "-inf")):
            if (value[triangle] == nothing).all():
                return f"{side} the diagonal every entry is {name}"
    return ""


def _twins(
    seen: Sequence[Seen], matches: Sequence[Match], flow: Flow, stages: Sequence[Stage]
) -> tuple[str, int] | None:
    """Return a sentence about two names that hold one step, where another step like it is nowhere, and a position."""
    held = {match.stage for match in matches if match.right}
    for k in sorted(range(len(seen)), key=lambda k: seen[k].call > 1):  # the answer's own names first
        match = matches[k]
        if match.kind != "step" or match.stage is None or not word(match.stage) or not _is_variable(seen[k].name):
            continue
        missing = [one for one in _siblings(match.stage, stages) if one not in held]
        for j in range(k):
            if (
                missing
                and matches[j] == match
                and _is_variable(seen[j].name)
                and _apart(seen[j], seen[k], j in flow.before(k))
                and _nowhere(missing[0], seen)
            ):
                what = f"the {_described(match)}"
                absent = f"the {word(missing[0])}{_place(missing[0])} {_verb(missing[0])}"
                if seen[j].name == seen[k].name:
                    return f"`{seen[k].name}` holds {what} in two calls; {absent} in no variable.", k
                return f"`{seen[j].name}` and `{seen[k].name}` both hold {what}; {absent} in no variable.", k
    return None


# What a step still lacks to be the next one.
_NEXT = {
    "project 1.weighted": "Q",
    "project 2.weighted": "K",
    "project 3.weighted": "V",
    "scaled_scores.products": "scores",
    "attention_with_bias.scores": "biased",
    "residual 1.change": "attended",
    "residual 2.change": "processed",
}


def _halfway(
    seen: Sequence[Seen], matches: Sequence[Match], flow: Flow, stages: Sequence[Stage]
) -> tuple[str, int, tuple[Stage, Stage]] | None:
    """Return a sentence about a name that holds a step whose next one is nowhere, its position, and the two steps."""
    met = {match.stage for match in matches if match.known}
    for k, match in enumerate(matches):
        stage = match.stage
        if not match.right or stage is None or is_returned(seen[k].name) or stage.name not in _NEXT:
            continue
        following = next(
            (
                one
                for one in stages
                if one.name.rpartition(".")[2] == _NEXT[stage.name]
                and (one.head, one.layer) == (stage.head, stage.layer)
            ),
            None,
        )
        if following is None or following in met or not word(following):
            continue
        made = flow.after(k)
        if made & flow.returned and _nowhere(following, seen) and not _led_on(made, matches, flow):
            nowhere = f"the {word(following)}{_place(following)} {_verb(following)} in no variable"
            return (
                f"`{seen[k].name}`, line {seen[k].line}, holds the {_described(match)}; {nowhere}.",
                k,
                (stage, following),
            )
    return None


def _outside(k: int, seen: Sequence[Seen]) -> int:
    """Return where the caller of a helper function keeps what it returned; the same value if there is no such place."""
    if "()" not in seen[k].name:
        return k
    later = (j for j in range(k + 1, len(seen)) if seen[j].call < seen[k].call)
    return next((j for j in later if np.array_equal(seen[j].value, seen[k].value)), k)


def _nowhere(stage: Stage, seen: Sequence[Seen]) -> bool:
    """Return whether a step stands in no variable, not as a part of one either."""
    limit = CLOSE * float(np.max(np.abs(stage.value)))
    for one in seen:
        for block in one.value if one.value.ndim == 3 else (one.value,):
            for value in (block, block.T) if block.ndim == 2 else ():
                if value.shape[1] == stage.value.shape[1] and value.shape[0] >= stage.value.shape[0]:
                    off = np.abs(stage.value[:, np.newaxis, :] - value[np.newaxis]).max(axis=2)
                    if (off.min(axis=1) <= limit).all():
                        return False
    return True


def _siblings(stage: Stage, stages: Sequence[Stage]) -> list[Stage]:
    """Return the steps that a step may be mistaken for: of another head or layer, or another of Q, K and V."""
    function, _, bare = stage.name.rpartition(".")
    same = [one for one in stages if one.name == stage.name and one is not stage]
    trio = [
        one
        for one in stages
        if bare in _TRIO
        and one.name in {f"{function}.{other}" for other in _TRIO if other != bare}
        and (one.head, one.layer) == (stage.head, stage.layer)
    ]
    return trio + same


def _apart(one: Seen, other: Seen, made_from_it: bool) -> bool:
    """Return whether two names hold a step independently: no copy, no part of a list that the other went into."""
    items = base_of(one.name) == base_of(other.name) and one.name != other.name and one.call == other.call
    return items or not made_from_it


def _returned_line(seen: Sequence[Seen], matches: Sequence[Match], expected: Sequence[Array]) -> str:
    """Return a sentence about a result that is another step than the one asked for."""
    returned = [(one, match) for one, match in zip(seen, matches, strict=True) if is_returned(one.name)]
    for (one, match), true in zip(returned, expected, strict=False):
        wrong = one.value.shape != true.shape or not is_equal(one.value, true, CLOSE)
        if wrong and match.right and _described(match):
            return f"{capital(_subject(one.name))} is the {_described(match)}."
    return ""
