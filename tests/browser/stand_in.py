"""Explorers that are none of the course's: one is sound, the others have every fault that is looked for.

The text of this file is the first cell of a notebook; a test shows each of them twice.
"""

from importlib.resources import files

import ipywidgets as widgets
from IPython.display import HTML, display


def explorer(name, controls, draw, layout=None):
    """Return controls above a picture that `draw` gives anew whenever one of them changes."""
    script = files("helpers.explore").joinpath("accessible.js").read_text(encoding="utf-8")
    display(HTML(f"<script>{script}</script>"))
    picture = widgets.HTML(draw())
    picture.add_class("attention-picture")
    for control in controls:
        control.observe(lambda _: setattr(picture, "value", draw()), names=["value", "selected_index"])
    root = widgets.VBox([layout or widgets.VBox(controls), picture])
    for style in ("attention-explorer", f"attention-{name}"):
        root.add_class(style)
    return root


def card(words, width=200):
    """Return a card with words on it."""
    return (
        f'<svg role="img" aria-label="A card" width="{width}" height="40" viewBox="0 0 200 40">'
        f'<rect width="200" height="40" fill="#ffffff"/><text x="8" y="24" fill="#222222">{words}</text></svg>'
    )


def sound():
    """Return an explorer without a fault."""
    slider = widgets.IntSlider(description="angle", max=45, value=5)
    toggles = widgets.ToggleButtons(options=["scores", "weights"], description="show")
    box = widgets.Checkbox(description="swap the heads")
    number = widgets.BoundedIntText(description="seed", max=9, value=9)
    draws = widgets.IntText()
    button = widgets.Button(description="new draw")
    button.on_click(lambda _: setattr(draws, "value", draws.value + 1))
    second = widgets.SelectionSlider(options=[1, 4, 16], description="D_q", value=16)
    off = widgets.IntSlider(description="needs an exercise", disabled=True)
    tabs = widgets.Tab([widgets.VBox([slider, off, toggles]), second], titles=["one", "two"])
    values = [slider, toggles, box, number, draws, second]
    layout = widgets.VBox([tabs, box, number, button])
    return explorer(
        "sound", [*values, tabs], lambda: card([tabs.selected_index, *(one.value for one in values)]), layout
    )


def keeping():
    """Return an explorer that shows how its slider was moved, and not only where it stands."""
    slider, moves = widgets.IntSlider(description="keeps", max=50), []
    slider.observe(moves.append, names="value")
    return explorer("keeping", [slider], lambda: card([slider.value, len(moves)]))


pictures = []


def faulty():
    """Return an explorer with a fault in each control but the first."""
    slider, dead, grows, meddles, fails, unnamed = (
        widgets.IntSlider(description=name, max=3) for name in ("sound", "dead", "grows", "meddles", "fails", "")
    )
    menu = widgets.Dropdown(options=["no", "key"], description="menu")
    controls = [slider, dead, grows, meddles, fails, unnamed, menu]

    def draw():
        words = [one.value for one in controls if one is not dead]
        problem = '<p class="attention-error">Got 3.</p>' if fails.value == 3 else ""
        return card(words, width=200 + grows.value) + problem

    root = explorer("faulty", controls, draw)
    pictures.append(root.children[1])

    def meddle(change):
        for picture in pictures:
            if picture is not root.children[1]:
                picture.value = card(change["new"])

    meddles.observe(meddle, names="value")
    return root
