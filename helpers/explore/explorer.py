"""What all explorers share: controls, the picture they redraw, and the sentence under it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from importlib.resources import files
from typing import Any, Final, NamedTuple

import ipywidgets as widgets

from helpers.draw import board
from helpers.draw.palette import CARD, ERROR, HAIRLINE, NOT_YET
from helpers.explore.controls import in_rows
from helpers.explore.student import NotDrawn, Student

State = Mapping[str, Any]

FILE_WIDTH: Final = 720  # of what `static` draws: a file does not wrap, it would shrink where a page is narrow

_NOTE: Final = (
    f"display:inline-block;max-width:640px;margin:0 0 8px;padding:8px 14px;line-height:1.5;background:{CARD};"
    f"border:1px solid {HAIRLINE};border-radius:10px;color:{{color}}"
)


class View(NamedTuple):
    """What an explorer shows in one state.

    Parameters
    ----------
    shows : str
        What is drawn, as sentences for those who do not see it.
    panels : tuple of str
        The cards, SVG strings of `helpers.draw`.
    sentence : str
        What the numbers say.
    """

    shows: str
    panels: tuple[str, ...]
    sentence: str


class Explorer:
    """Controls above, cards in the middle, a sentence below; whatever moves, the student's functions compute anew.

    The last line of a cell shows it. What goes wrong on the way is said in its own area: nothing is raised.

    Parameters
    ----------
    name : str
        The notebook it belongs to.
    title : str
        What it lets one do, as a sentence part.
    student : Student
        The functions it calls.
    controls : mapping of str to widget
        What can be moved, by the name it has in a state.
    draw : callable
        From the functions and a state to a `View`: pure, so that a state is always drawn alike.
    arranged : widget, optional
        The controls as they stand on the page; by default in rows.
    width : int
        The width at which the cards begin a new row, in px.

    Attributes
    ----------
    controls : mapping of str to widget
        As above.
    start : dict
        The starting state.
    picture, sentence : widget
        What is redrawn.
    widget : widget
        All of it.
    """

    def __init__(
        self,
        name: str,
        title: str,
        student: Student,
        controls: Mapping[str, widgets.Widget],
        draw: Callable[[Student, State], View],
        *,
        arranged: widgets.Widget | None = None,
        width: int = FILE_WIDTH,
    ) -> None:
        self.name, self.title, self.controls, self.width = name, title, controls, width
        self._student, self._draw = student, draw
        self._notes = "".join(_note("attention-notice", NOT_YET, f"· Not yet: {note}") for note in student.notices)
        self.start = self.state
        self.picture, self.sentence = widgets.HTML(), widgets.HTML()
        self.picture.add_class("attention-picture")
        self.sentence.add_class("attention-sentence")
        self.widget = widgets.VBox([arranged or in_rows(*controls.values()), self.picture, self.sentence])
        self.widget.add_class("attention-explorer").add_class(f"attention-{name}")
        for control in controls.values():
            control.disabled = control.disabled or student.unfinished
            control.observe(self._redraw, names="value")
        self._redraw()

    @property
    def state(self) -> dict[str, Any]:
        """Where the controls stand."""
        return {name: control.value for name, control in self.controls.items()}

    def view(self, state: State | None = None) -> View:
        """Return what is shown in a state, by default where the controls stand.

        Raises
        ------
        Exception
            Whatever the student's functions, or a picture that cannot hold their numbers, raise.
        """
        return self._draw(self._student, self.state if state is None else state)

    def static(self) -> str:
        """Return the cards of the starting state as one SVG string; `view` says what it raises."""
        view = self.view(self.start)
        return board(view.panels, title=self.title, description=_said(view), width=min(self.width, FILE_WIDTH))

    def alt(self) -> str:
        """Return in words what `static` shows."""
        return _said(self.view(self.start))

    def _redraw(self, _: Any = None) -> None:
        try:
            if self._student.unfinished:
                self.picture.value, self.sentence.value = self._notes, ""
                return
            view = self.view()
            cards = "".join(
                panel.replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1) for panel in view.panels
            )
            self.picture.value = (
                f'{self._notes}<div style="display:flex;flex-wrap:wrap;align-items:flex-start;gap:12px;'
                f'max-width:{self.width}px">{cards}</div>'
            )
            self.sentence.value = f'<p style="margin:4px 0;line-height:1.5">{escape(view.sentence)}</p>'
        except NotDrawn as error:
            self._refuse(str(error))
        except Exception as error:  # noqa: BLE001  what an observer raises is lost in a log; here it is read
            # What a picture advises next is for whoever calls it, not for the student.
            words = (str(error) or type(error).__name__).partition(". ")[0]
            self._refuse(f"no picture can hold these numbers: {words}. Run the checks once more.")

    def _refuse(self, words: str) -> None:
        self.picture.value = self._notes + _note("attention-error", ERROR, f"✗ Error: {words}")
        self.sentence.value = ""

    def _ipython_display_(self) -> None:
        from IPython.display import HTML, display

        script = files("helpers.explore").joinpath("accessible.js").read_text(encoding="utf-8")
        display(HTML(f"<script>{script}</script>"))  # type: ignore[no-untyped-call] # IPython gives it no types
        # Its text is ours: a VBox tells its children, which nobody wants to read where no widgets are drawn.
        bundle = {**self.widget._repr_mimebundle_(), "text/plain": repr(self)}
        display(bundle, raw=True)  # type: ignore[no-untyped-call] # as above

    def __repr__(self) -> str:
        return f"Explorer({self.name})"


def _said(view: View) -> str:
    return f"{view.shows} {view.sentence}"


def _note(kind: str, color: str, words: str) -> str:
    return f'<div><div class="{kind}" role="status" style="{_NOTE.format(color=color)}">{escape(words)}</div></div>'
