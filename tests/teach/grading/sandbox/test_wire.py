"""What comes back from a fork is what was sent, or it is garbled: nothing else can happen."""

import base64
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.learn.errors import Trouble
from helpers.learn.results import Reading
from helpers.learn.run import Outcome
from helpers.learn.watch import Seen
from helpers.teach.grading.sandbox.wire import Garbled, Job, pack, pack_job, unpack_job, unpack_outcomes, unpack_seen

ARRAYS = (np.array([[1.5, np.nan], [np.inf, -0.0]]), np.zeros((0, 3)), np.array(7.0))
TROUBLE = Trouble("ValueError", 3, "no", "np.exp", ("ValueError", "Exception"), "@", (("V", (2, 3)), ("A", None)))


def test_outcomes_arrive_as_they_were_sent():
    """Numbers to the last bit, nan and empty arrays too; sentences, errors, and which arguments were changed."""
    sent = [Outcome(Reading(ARRAYS, single=True, other="a list"), changed=(1,)), Outcome(unreadable="returned None.")]
    sent.append(Outcome(trouble=TROUBLE))
    came = unpack_outcomes(pack(sent), [(None, None, None), None, None])
    assert came[1:] == sent[1:]
    assert (came[0].reading.single, came[0].reading.other, came[0].changed) == (True, "a list", (1,))
    assert [array.tobytes() for array in came[0].reading.arrays] == [array.tobytes() for array in ARRAYS]
    assert [array.shape for array in came[0].reading.arrays] == [(2, 2), (0, 3), ()]


def test_trouble_arrives_as_it_was_sent():
    """Why a cell could not be run takes the place of the outcomes."""
    assert unpack_outcomes(pack(TROUBLE), [None]) == TROUBLE


def test_what_was_seen_arrives_as_it_was_sent():
    """A variable's name, line, value and call."""
    (came,) = unpack_seen(pack([Seen("heads[1]", 4, ARRAYS[0], 2, frozenset({"Q", "K"}))]))
    assert (came.name, came.line, came.call, came.uses) == ("heads[1]", 4, 2, {"Q", "K"})
    assert came.value.tobytes() == ARRAYS[0].tobytes()


def test_a_job_arrives_as_it_was_sent():
    """Layouts of lists in lists too, and any character in the source."""
    job = Job("project", "x = '\u202eé\x00'", (3, 0), "", (2, 0, 1), (None, (None, (None, None)), ()), None)
    assert unpack_job(pack_job(job)) == job


def test_text_is_cut_and_harmless():
    """A message has a length, and nothing in it that a terminal would obey."""
    loud = Trouble("E\x1b[31m" * 99, None, "\u202e\n" + "x" * 1_000_000, "a\x07", ("<b>\r",))
    came = unpack_outcomes(pack(loud), [None])
    texts = [came.kind, came.message, came.near, *came.kinds]
    assert all(text.isprintable() and len(text) <= 300 for text in texts)


# --- whatever a student's code writes into the pipe

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["", "AAAAAAAA8D8=", 2**31 - 1, 2**31, -1, 1e308]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
GOOD = {
    "all": json.loads(pack([Outcome(Reading(ARRAYS[:1])), Outcome(trouble=TROUBLE)]))["all"],
    "trouble": json.loads(pack(TROUBLE))["trouble"],
}
SEEN = json.loads(pack([Seen("x", 1, ARRAYS[0], 1)]))


def places(content, path=()):
    """Yield the path to everything in a JSON value."""
    yield path
    items = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in items:
        yield from places(value, (*path, key))


def put(content, path, value):
    """Return a copy with another value at a path."""
    if not path:
        return value
    copy = dict(content) if isinstance(content, dict) else list(content)
    copy[path[0]] = put(copy[path[0]], path[1:], value)
    return copy


def read(raw):
    """Read bytes as both answers; return whether nothing but Garbled was raised."""
    for unpack in (lambda: unpack_outcomes(raw, [None, None]), lambda: unpack_seen(raw)):
        try:
            unpack()
        except Garbled:
            continue
    return True


@pytest.mark.parametrize(
    "good", [{"all": GOOD["all"]}, {"trouble": GOOD["trouble"]}, SEEN], ids=["all", "trouble", "seen"]
)
@settings(max_examples=150)
@given(data=st.data())
def test_one_value_exchanged(good, data):
    """Anything in the place of any part of a good answer is read, or garbled."""
    path = data.draw(st.sampled_from(list(places(good))))
    assert read(json.dumps(put(good, path, data.draw(VALUES))).encode())


@given(st.binary(max_size=200) | VALUES.map(lambda value: json.dumps(value).encode()))
def test_anything_else(raw):
    """Bytes and JSON of any kind are read, or garbled."""
    assert read(raw)


@pytest.mark.parametrize(
    "raw",
    [
        b"[" * 1_000_000,
        b'{"all":' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"trouble":{"kind":' + b"[" * 900 + b"]" * 900 + b"}}",
        b'{"all":[{"arrays":null,"unreadable":"","changed":[' + b"[" * 900 + b"]" * 900 + b'],"trouble":null}]}',
        b"9" * 1_000_000,
        b'{"all": [' + b"9" * 4000 + b"]}",
        b'{"all": [1e999]}',
        b'{"all": [], "all": {}}',
        b'\xff\xfe{"all": []}',
        b'{"all": ["\\ud800"]}',
        b"",
    ],
    ids=range(11),
)
def test_pathological_json(raw):
    """Nesting, digits and encodings that parsers trip over are garbled."""
    with pytest.raises(Garbled):
        unpack_outcomes(raw, [None])


@pytest.mark.parametrize("shape", [[2, 3], [-1], [2**40], [1.0], [True], [2] * 99, [0] * 99, "6", None])
def test_an_array_that_is_another(shape):
    """A shape that does not fit its bytes, or is none, is garbled."""
    array = {"shape": shape, "data": base64.b64encode(bytes(8)).decode()}
    outcome = {"arrays": [array], "single": False, "other": "", "unreadable": "", "trouble": None, "changed": []}
    with pytest.raises(Garbled):
        unpack_outcomes(json.dumps({"all": [outcome]}).encode(), [None])
