"""What holds for every explorer."""

import copy
import re
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from explorers import OPTIONAL, TAKES, built, states, whole
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import Picture

from helpers import explore
from helpers.course import course
from helpers.draw.board import size
from helpers.explore.explorer import Explorer, View
from helpers.explore.student import Student
from helpers.teach import solutions

every_explorer = pytest.mark.parametrize("name", TAKES)
# With its functions, as its notebook builds it, and once an optional exercise is done.
each_way = pytest.mark.parametrize(
    ("name", "build", "functions"),
    [(name, built, taken) for name, taken in TAKES.items()]
    + [(name, whole, [*TAKES[name], optional]) for name, optional in OPTIONAL.items()],
    ids=[*TAKES, *map("{} with {}".format, OPTIONAL, OPTIONAL.values())],
)
some_states = settings(max_examples=25)


def no_function(*_):
    """Stand for a stub."""
    raise NotImplementedError


def values(control):
    """Return some of the values that a control can take, both ends among them."""
    if hasattr(control, "options"):
        return [value for _, value in control.options]
    return [False, True] if isinstance(control.value, bool) else [control.min, inside(control), control.max]


def inside(control):
    """Return a value of a box or a slider that is neither of its ends nor halfway."""
    if isinstance(control.value, bool):
        return True
    return control.min + control.step * (round((control.max - control.min) / control.step) // 3)


def tabs(explorer):
    """Return what the states of each tab have in common; one tab without a word where there are none."""
    return [{"tab": value} for value in values(explorer.controls["tab"])] if "tab" in explorer.controls else [{}]


def pictures(explorer):
    """Return what an explorer shows in each of its tabs, with all boxes checked."""
    shown = []
    for control in explorer.controls.values():
        if control.value is False and not control.disabled:
            control.value = True
    for tab in tabs(explorer):
        for name, value in tab.items():
            explorer.controls[name].value = value
        shown.append(explorer.picture.value)
    return "".join(shown)


def panels(explorer):
    """Return the cards that an explorer shows on the page."""
    return re.findall(r"<svg .*?</svg>", explorer.picture.value, re.DOTALL)


def test_there_is_one_explorer_for_every_notebook():
    """`explore.single_head` and so on: named as the notebooks, nothing else."""
    assert list(explore.__all__) == sorted(TAKES)
    assert set(TAKES) <= set(course().notebooks)


@each_way
def test_it_draws_without_a_notice_on_right_functions(name, build, functions):
    """On the solutions an explorer shows cards and a sentence, no notice and no error, in any tab."""
    explorer = build(name)

    assert len(panels(explorer)) > 1
    assert explorer.sentence.value
    assert "attention-notice" not in pictures(explorer)
    assert "attention-error" not in pictures(explorer)


@each_way
@some_states
@given(data=st.data())
def test_a_picture_never_changes_its_size(name, build, functions, data):
    """Whatever the controls say, every card of a tab has the size it began with, and can be read."""
    explorer = build(name)
    state = data.draw(states(explorer))
    start = explorer.start | ({"tab": state["tab"]} if "tab" in state else {})
    before, after = explorer.view(start).panels, explorer.view(state).panels

    assert [size(panel) for panel in before] == [size(panel) for panel in after]
    for panel in after:
        Picture(panel).assert_legible()


@each_way
def test_every_control_changes_what_is_seen(name, build, functions):
    """With the others off their ends, each control that is not disabled moves what one tab shows, and no other tab.

    Boxes are all checked or all not: a checked one may close the others.
    """
    explorer = build(name)
    boxes = [other for other, control in explorer.controls.items() if isinstance(control.value, bool)]
    middle = {
        other: control.value if hasattr(control, "options") else inside(control)
        for other, control in explorer.controls.items()
    }
    middles = [middle | dict.fromkeys(boxes, checked) for checked in (True, False)]
    for moved, control in explorer.controls.items():
        if not control.disabled:
            moves = [
                any(len({explorer.view(others | tab | {moved: v}) for v in values(control)}) > 1 for others in middles)
                for tab in (tabs(explorer) if moved != "tab" else [{}])
            ]
            assert moves.count(True) == 1, moved


@every_explorer
def test_every_control_says_in_words_what_it_does(name):
    """A description of more than a letter stands beside each control."""
    for control in built(name).controls.values():
        assert len(control.description) > 3


@each_way
def test_the_static_picture_is_the_starting_state(name, build, functions):
    """`static` and `alt` do not follow the controls; the words are the description in the SVG, which fits a page."""
    explorer = build(name)
    before = explorer.static(), explorer.alt()
    for control in explorer.controls.values():
        if not control.disabled and not hasattr(control, "options"):
            control.value = inside(control)

    assert (explorer.static(), explorer.alt()) == before
    assert ElementTree.fromstring(before[0]).findtext("{*}desc") == before[1]  # noqa: S314  our own picture
    assert before[1].endswith(explorer.view(explorer.start).sentence)
    assert size(before[0])[0] <= 720


@every_explorer
def test_a_missing_function_is_asked_for_kindly(name):
    """With a stub, or no function at all, an explorer names the exercise and its notebook, and draws nothing."""
    for function in TAKES[name]:
        exercise = course().exercises[function]
        for missing in (no_function, None):
            explorer = built(name, **{function: missing})
            assert f"Finish exercise {exercise.number}" in explorer.picture.value
            assert course().notebooks[exercise.notebook].file in explorer.picture.value
            assert not panels(explorer)
            assert all(control.disabled for control in explorer.controls.values())


@each_way
def test_an_error_is_shown_in_its_own_area(name, build, functions):
    """A function that raises, or returns nonsense, is told in red with what it said; the explorer raises nothing."""

    def breaks(*_):
        raise ValueError("<b>no</b> such shape")

    for function in functions:
        raised = pictures(build(name, **{function: breaks}))
        assert f"✗ Error: {function} raised ValueError: &lt;b&gt;no&lt;/b&gt; such shape" in raised
        assert "does not pass the check" in raised
        odd = pictures(build(name, **{function: lambda *_: np.zeros((97, 89))}))
        assert "✗ Error: " in odd
        stopped = pictures(build(name, **{function: lambda *_: sys.exit("no more")}))
        assert f"✗ Error: {function} raised SystemExit: no more" in stopped


@each_way
def test_what_is_no_number_is_told_with_the_function_that_returned_it(name, build, functions):
    """Of nan and inf no picture speaks: the function that returned them is named."""

    def spoiled(value, by):
        if isinstance(value, (list, tuple)):
            return [spoiled(part, by) for part in value]
        return np.full(np.shape(value), by)

    for function in functions:
        true = solutions.function(function)
        for by in (np.nan, np.inf):
            shown = pictures(build(name, **{function: lambda *a, true=true, by=by: spoiled(true(*a), by)}))
            assert f"✗ Error: {function} returned nan or inf" in shown


@each_way
def test_a_function_may_change_what_it_is_called_with(name, build, functions):
    """It gets copies: one that empties its arguments changes no picture, not even the next."""
    for function in functions:
        true = solutions.function(function)

        def empties(*arguments, true=true):
            result = true(*copy.deepcopy(arguments))
            for array in arguments:
                if isinstance(array, np.ndarray):
                    array[...] = 0
            return result

        right, explorer = build(name), build(name, **{function: empties})
        for tab in tabs(right) * 2:
            assert explorer.view(explorer.start | tab) == right.view(right.start | tab)


def test_a_weight_that_no_bar_can_show_is_told_without_advice_for_programmers():
    """What a picture refuses is said; what its caller should pass instead is not."""
    picture = built("single_head", attention_weights=lambda Q, K: np.full((K.shape[1], Q.shape[1]), 7.0)).picture.value
    assert "no picture can hold these numbers: got the weight 7 at index [0]; expected weights from 0 to 1." in picture
    assert "kind=" not in picture


@every_explorer
def test_two_explorers_do_not_know_of_each_other(name):
    """Moving one leaves the other as it was, and no id that could clash stands in either."""
    one, other = built(name), built(name)
    before = other.picture.value
    for control in one.controls.values():
        control.value = values(control)[-1]

    assert one.picture.value != before
    assert other.picture.value == before
    assert " id=" not in before


@every_explorer
def test_its_text_form_is_the_same_each_time(name):
    """The text of the object holds no address: nbval compares it."""
    assert repr(built(name)) == f"Explorer({name})"


@pytest.mark.parametrize("name", OPTIONAL)
@pytest.mark.parametrize(
    "written",
    [
        "def {0}(*_):\n    return 0\n",
        "# --- {0} (exercise 1.1, 01234567)\ndef {0}(:\n# --- end of {0}\n",
        "# --- {0} (exercise 1.1, 01234567)\n# \N{LATIN SMALL LETTER E WITH ACUTE}\n# --- end of {0}\n",
    ],
    ids=["no section", "no Python", "no UTF-8"],
)
def test_what_no_check_has_passed_opens_nothing(name, written, folder):
    """A function outside the marks of my_attention.py, and a file that cannot be read, leave the option closed."""
    (folder / "my_attention.py").write_text(written.format(OPTIONAL[name]), encoding="latin-1")
    explorer = built(name)

    assert any(control.disabled for control in explorer.controls.values())
    assert "attention-error" not in explorer.picture.value


def test_what_a_function_prints_is_not_shown(capsys):
    """A print left in a function would write a line at every move, and a warning is no fault."""

    def loud(Q, K):
        print("here")
        np.log(np.zeros(1))
        return solutions.function("attention_weights")(Q, K)

    explorer = built("single_head", attention_weights=loud)
    explorer.controls["angle"].value = 90

    assert capsys.readouterr() == ("", "")
    assert "attention-error" not in explorer.picture.value


def test_a_sentence_is_text():
    """What a sentence says is shown as it is, whatever characters stand in it."""
    view = View("Nothing.", ("<svg />",), "1 < 2 & <b>so on</b>")
    explorer = Explorer("single_head", "a title", Student({}), {}, lambda *_: view)

    assert "1 &lt; 2 &amp; &lt;b&gt;so on&lt;/b&gt;" in explorer.sentence.value
