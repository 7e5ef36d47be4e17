"""The controls of explorers: core widgets that obey the keyboard in JupyterLab, each with its words.

A dropdown and radio buttons are not among them: JupyterLab takes their arrow keys and letters for its own commands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ipywidgets as widgets

from helpers.course import course

_WORDS = {"description_width": "initial"}


def slider(words: str, start: float, stop: float, step: float, *, value: float) -> widgets.Widget:
    """Return a slider over numbers, whole ones where the step is whole."""
    kind = widgets.IntSlider if isinstance(step, int) else widgets.FloatSlider
    return kind(value, min=start, max=stop, step=step, description=words, style=_WORDS, layout={"width": "380px"})


def stops(words: str, options: Sequence[tuple[str, Any]], *, value: Any) -> widgets.Widget:
    """Return a slider over a few named values."""
    return widgets.SelectionSlider(
        options=options, value=value, description=words, style=_WORDS, layout={"width": "380px"}
    )


def choice(words: str, options: Sequence[tuple[str, Any]], *, value: Any) -> widgets.Widget:
    """Return a row of buttons, one of which is pressed."""
    return widgets.ToggleButtons(
        options=options, value=value, description=words, style={**_WORDS, "button_width": "auto"}
    )


def switch(words: str, *, value: bool = False) -> widgets.Widget:
    """Return a box to check."""
    return widgets.Checkbox(
        value, description=words, indent=False, layout={"width": "auto", "margin": "2px 18px 2px 2px"}
    )


def opened_by(function: str, *controls: widgets.Widget, done: bool) -> widgets.Widget:
    """Return controls of an optional exercise in rows: until that is done, disabled, with a sentence that says so."""
    if done:
        return in_rows(*controls)
    for control in controls:
        control.disabled = True
    exercise = course().exercises[function]
    words = f"Exercise {exercise.number}, {function}, opens this. Pass its check, then run this cell again."
    return in_rows(*controls, widgets.HTML(words))


def in_rows(*controls: widgets.Widget) -> widgets.Widget:
    """Return controls side by side, a new row where the page is too narrow."""
    return widgets.Box(controls, layout={"flex_flow": "row wrap", "align_items": "center", "grid_gap": "0 16px"})


def in_lines(*rows: widgets.Widget) -> widgets.Widget:
    """Return rows of controls one under the other."""
    return widgets.VBox(rows)


def in_tabs(tab: widgets.Widget, rows: Sequence[widgets.Widget]) -> widgets.Widget:
    """Return tabs of controls, one for each option of a choice that says which tab is open, and is not shown itself."""
    tabs = widgets.Tab(rows, titles=[title for title, _ in tab.options])
    widgets.link((tab, "index"), (tabs, "selected_index"))
    return tabs
