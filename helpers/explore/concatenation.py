"""Where the output comes from: each head's part of every row, through Omega_c."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from helpers.draw import heat_map, waterfall
from helpers.examples.example import seeded_heads, six_tokens
from helpers.explore.controls import choice, in_lines, in_rows, slider
from helpers.explore.explorer import Explorer, State, View
from helpers.explore.limits import holding
from helpers.explore.student import Student
from helpers.explore.words import numbered
from helpers.learn.results import Array

D, N, H, D_Q = 8, 6, 2, 4
LARGEST_MIX, LARGEST_SAID, LARGEST_SUM = 2.773, 8.191, 21.208  # of all mixers, gains and tokens
WRITTEN: Final = 0.005  # in size: from here on a part is not written as 0

_OUTPUT_ROWS: Final = numbered("", D)
_STACK_ROWS: Final = [*numbered("1:", D_Q), *numbered("2:", D_Q)]
_PITCH: Final = 44  # of the columns: all cards stand side by side where a window is 1280 px wide
_ROW_PITCH: Final = 32  # that of a waterfall of two parts


def concatenation(two_heads: Any, stack_heads: Any, head_contributions: Any) -> Explorer:
    """Return an explorer of one column of the output: the gain of each head, and what mixes them.

    Parameters
    ----------
    two_heads : callable
        Exercise 3.3: from X and two heads to what they put out, and their weights.
    stack_heads : callable
        Exercise 4.1: from a list of H arrays, each of shape (D_q, N), to one, shape (H D_q, N).
    head_contributions : callable
        Exercise 4.3: from omega_c, shape (D, H D_q), and that list to H arrays, each of shape (D, N).
    """
    controls = {
        "gain_1": slider("Gain of head 1", 0.0, 1.0, 0.25, value=1.0),
        "gain_2": slider("Gain of head 2", 0.0, 1.0, 0.25, value=1.0),
        "token": slider("Token n", 1, N, 1, value=1),
        "omega_c": choice("Choice of Ω_c", [(name, name) for name in omegas()], value="the book's"),
    }
    functions = {"two_heads": two_heads, "stack_heads": stack_heads, "head_contributions": head_contributions}
    arranged = in_lines(
        in_rows(controls["gain_1"], controls["gain_2"]), in_rows(controls["token"], controls["omega_c"])
    )
    title = "What each head writes into the output"
    return Explorer("concatenation", title, Student(functions), controls, draw, arranged=arranged, width=1120)


def omegas() -> dict[str, Array]:
    """Return what can mix the stack, each of shape (D, H D_q), by its name."""
    _, _, omega_c = seeded_heads()
    diagonal = np.kron(np.eye(H), np.ones((D_Q, D_Q)))  # 1 where head 1 meets rows 1 to 4, head 2 the others
    return {
        "the book's": omega_c,
        "identity": np.eye(D),
        "block-diagonal": omega_c * diagonal,
        "the other two blocks": omega_c * (1 - diagonal),
    }


def draw(student: Student, state: State) -> View:
    """Return Omega_c, the chosen column of the stack, and in each row of the output what the heads write."""
    n = state["token"] - 1
    head1, head2, _ = seeded_heads()
    outputs = student.call(
        "two_heads",
        six_tokens(),
        head1,
        head2,
        shapes=((D_Q, N),) * H + ((N, N),) * H,
        layout=((None,) * H, (None,) * H),
    )
    heard = [state["gain_1"] * outputs[0], state["gain_2"] * outputs[1]]  # H arrays (D_q, N)
    (stack,) = student.call("stack_heads", heard, shapes=((H * D_Q, N),))
    omega_c = omegas()[state["omega_c"]]
    written = student.call("head_contributions", omega_c, heard, shapes=((D, N),) * H, layout=(None,) * H)
    parts = np.array(written)[:, :, n]  # (H, D)

    panels = (
        heat_map(
            omega_c,
            kind="values",
            rows=_OUTPUT_ROWS,
            columns=_STACK_ROWS,
            row_axis="rows of the output",
            column_axis="head : its row",
            title="Ω_c: four columns a head",
            description="What mixes: 8 rows of the output by 8 rows of the stack.",
            limit=LARGEST_MIX,
            pitch=_PITCH,
            row_pitch=_ROW_PITCH,
        ),
        heat_map(
            stack[:, [n]],
            kind="values",
            rows=_STACK_ROWS,
            columns=[str(state["token"])],
            row_axis="head : its row",
            column_axis="token n",
            title="The stack",
            description="What both heads say about one token, times the gains.",
            limit=holding(LARGEST_SAID, stack),
            row_pitch=_ROW_PITCH,
        ),
        waterfall(
            parts,
            labels=_OUTPUT_ROWS,
            part_labels=numbered("head ", H),
            title="What each head writes",
            description="For each row of the output the part of head 1, that of head 2 from its end, and the sum.",
            limit=holding(LARGEST_SUM, parts, parts.sum(axis=0)),
        ),
    )
    return View(
        "Ω_c as a map, one column of the stack, and for each row of the output what both heads write and the sum. "
        "From .005 up a part counts as written.",
        panels,
        f"Token {state['token']}: {_who_writes(parts)}",
    )


def _who_writes(parts: Array) -> str:
    """Return into how many rows each head writes, and in how many they meet; parts of shape (H, D)."""
    writes = np.abs(parts) >= WRITTEN  # (H, D)
    meet = writes.all(axis=0)  # (D,)
    apart = int((meet & (parts[0] * parts[1] < 0)).sum())
    into1, into2 = (int(count) for count in writes.sum(axis=1))
    rows = f"{into1 or 'no'} {'row' if into1 < 2 else 'rows'}"
    together = f"{meet.sum()} and pull apart in {apart or 'none'}" if meet.any() else "none"
    return f"head 1 writes into {rows}, head 2 into {into2 or 'none'}. They meet in {together}."
