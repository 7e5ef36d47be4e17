"""From one submission to one record: where an answer is found, what is noted, and what a fault of ours costs."""

import signal

import numpy as np
import pytest
from submissions import Notebook

from helpers.learn.errors import Trouble
from helpers.learn.results import Reading
from helpers.learn.run import Outcome
from helpers.teach.grading import mark as mark_module
from helpers.teach.grading.mark import Grader
from helpers.teach.grading.record import CHECK_ONLY
from helpers.teach.grading.sandbox.confine import Limits
from helpers.teach.grading.sandbox.runner import Ran
from helpers.teach.grading.sandbox.warm import NO_ANSWER
from helpers.teach.grading.sandbox.wire import pack
from helpers.teach.grading.submission import Submission, digest
from helpers.teach.grading.trial import Trial, hidden_truth
from helpers.truth import truth


class StandIn:
    """A runner that runs nothing: each job gets the answer that `give` makes for it."""

    limits, seed = Limits(seconds=7, memory=99), 11

    def __init__(self, give):
        self.give = give
        self.jobs = []

    def run(self, job, *, most=None):
        """Return what `give` says."""
        self.jobs.append(job)
        given = self.give(job)
        return given if isinstance(given, Ran) else Ran(given, 0, 0.1, 0.1, stopped=False)


def true_outcomes(job):
    """Return what a right answer gives: the stored truth, and on hidden examples what our solution gives."""
    values = [*truth(job.function).values, *hidden_truth(job.function, StandIn.seed).values]
    outcomes = [
        Outcome(Reading(value.arrays)) if value.arrays else Outcome(trouble=refusal(job.function)) for value in values
    ]
    return pack([*outcomes, outcomes[0]])


def refusal(function):
    """Return the error of a refusal; none of the exercises below has one."""
    raise AssertionError(function)


def graded(notebook, tmp_path, give=true_outcomes, secret=1):
    """Return the record of a notebook whose answers give what is said, and the exercises by name."""
    runner = StandIn(give)
    submission = Submission("ada/one.ipynb", "ada", 5.0, notebook.write(tmp_path / "one.ipynb"), owner="ada")
    record = Grader(runner, secret).mark(submission)
    return record, {one.function: one for one in record.exercises}, runner


def test_a_record_says_whose_it_is(tmp_path):
    """File, student, date, owner and digest are the submission's; the exercises stand in order, with their points."""
    record, _, _ = graded(Notebook(), tmp_path)
    assert (record.file, record.student, record.submitted) == ("ada/one.ipynb", "ada", 5.0)
    assert record.owner == "ada"
    assert record.digest == digest((tmp_path / "one.ipynb").read_bytes())
    assert (record.status, record.notebook, record.points, record.possible) == ("graded", "single_head", 3, 3)
    assert [one.function for one in record.exercises] == [
        "project",
        "softmax_cols",
        "attention_weights",
        "weighted_values",
        "self_attention",
    ]


def test_a_known_problem_is_the_reason():
    """What `collect` holds against a file is said, and the file is not read."""
    submission = Submission("x", "ada", 0.0, None, problem="it is a link.", owner="Ada_1_x")
    record = Grader(StandIn(true_outcomes), 1).mark(submission)
    assert (record.status, record.reason, record.digest) == ("unreadable", "it is a link.", "")
    assert record.owner == "Ada_1_x"


def test_a_file_that_is_gone_has_a_record(tmp_path):
    """Nothing that reading raises gets out."""
    record = Grader(StandIn(true_outcomes), 1).mark(Submission("x", "ada", 0.0, tmp_path / "none.ipynb"))
    assert record.status == "unreadable"
    assert "No such file" in record.reason


def test_one_fork_an_exercise(tmp_path):
    """An answer that is right is run once; what was not started or is missing is not run."""
    _, _, runner = graded(Notebook().stub("project").delete("softmax_cols"), tmp_path)
    assert [job.function for job in runner.jobs] == ["attention_weights", "weighted_values", "self_attention"]
    assert [job.watch for job in runner.jobs] == [None] * 3


def test_a_fork_gets_no_more_than_it_needs(tmp_path):
    """Earlier functions that the answer uses, no others, not the answer of another, and not the secret itself."""
    _, _, runner = graded(Notebook(), tmp_path, secret=987654321)
    jobs = {job.function: job for job in runner.jobs}
    assert jobs["weighted_values"].lent == ""
    assert "def softmax_cols" in jobs["attention_weights"].lent
    assert "def project" not in jobs["attention_weights"].lent
    assert "def self_attention" not in jobs["self_attention"].lent
    assert all("987654321" not in str(vars(job)) for job in runner.jobs)


def test_the_order_is_the_answers_own(tmp_path):
    """Two answers to one exercise are called in other orders; every example is called."""
    orders = set()
    for source in ("def NAME(A, V):\n    return V @ A", "def NAME(A, V):\n    return V.dot(A)"):
        _, _, runner = graded(Notebook(weighted_values=source), tmp_path)
        (order,) = (job.order for job in runner.jobs if job.function == "weighted_values")
        assert sorted(order) == list(range(len(order)))
        orders.add(order)
    assert len(orders) == 2


# --- where it was found


@pytest.mark.parametrize(
    ("change", "verdict", "notes"),
    [
        (lambda one: one, "right", ()),
        (lambda one: one.delete("weighted_values"), "missing", ()),
        (lambda one: one.to_text("weighted_values"), "missing", ()),
        (lambda one: one.stub("weighted_values"), "not started", ()),
        (
            lambda one: one.delete("weighted_values").add("weighted_values = lambda A, V: V @ A", 2),
            "right",
            ("found in another cell, by the function's name",),
        ),
        (
            lambda one: one.stub("weighted_values").add("weighted_values = lambda A, V: V @ A", 0),
            "right",
            (
                "found in another cell, by the function's name",
                "2 cells define it: the answer is number 1 of the code cells",
            ),
        ),
    ],
    ids=["as given", "deleted", "turned to text", "as handed out", "moved", "answered elsewhere"],
)
def test_where_an_answer_is_found(change, verdict, notes, tmp_path):
    """By its id; by its name where the cell is gone or untouched, and that is noted; never twice."""
    _, exercises, _ = graded(change(Notebook()), tmp_path)
    assert (exercises["weighted_values"].verdict, exercises["weighted_values"].notes) == (verdict, notes)


# --- how a fork ends


@pytest.mark.parametrize(
    ("ran", "verdict", "says"),
    [
        (Ran(b"", -9, 7.1, 0.0, stopped=True), "timeout", "did not end within 7 s"),
        (Ran(b"", -9, 7.0, 7.0, stopped=False), "timeout", "did not end within 7 s"),
        (Ran(b"", -signal.SIGSEGV, 0.1, 0.1, stopped=False), "killed", "SIGSEGV"),
        (Ran(b"", -64, 0.1, 0.1, stopped=False), "killed", "ended by"),
        (Ran(b"", NO_ANSWER, 0.1, 0.1, stopped=False), "killed", "99 MB"),
        (Ran(b"", 0, 0.1, 0.1, stopped=False), "killed", "exit code 0"),
        (Ran(b"rubbish", 0, 0.1, 0.1, stopped=False), "killed", "something else than an answer"),
    ],
)
def test_how_a_fork_ends(ran, verdict, says, tmp_path):
    """Each way to end without an answer has a verdict and a sentence, costs its points, and no others."""
    record, exercises, _ = graded(
        Notebook(), tmp_path, lambda job: ran if job.function == "weighted_values" else true_outcomes(job)
    )
    assert exercises["weighted_values"].verdict == verdict
    assert says in exercises["weighted_values"].lines[0] + exercises["weighted_values"].lines[-1]
    assert record.points == 2


def test_a_judge_that_raises_costs_one_exercise(tmp_path, monkeypatch):
    """A fault of ours is said to be looked at by hand, printably; the other exercises keep their points."""
    judge = Trial.verdict

    def fails(self, *values):
        if self.function == "weighted_values":
            raise ZeroDivisionError("of ours\x1b[2J\ud800\n")
        return judge(self, *values)

    monkeypatch.setattr(mark_module.Trial, "verdict", fails)
    record, exercises, _ = graded(Notebook(), tmp_path)
    assert record.points == 2
    assert exercises["weighted_values"].verdict == "killed"
    (note,) = exercises["weighted_values"].notes
    assert note.startswith("look at this by hand: judging it raised ZeroDivisionError: of ours")
    assert note.isprintable()


# --- what was written to open questions

WRITTEN = {
    "as the cell has it": 'reflect("column_meaning", "Shares of n.")',
    "by keywords": 'reflect(text="Shares of n.", name="column_meaning")',
    "over two lines": 'reflect("column_meaning",\n        "Shares "\n        "of n.")',
    "in three quotes": 'reflect("column_meaning", """\n  Shares\n  of n.\n""")',
    "below a magic": '%%time\nreflect("column_meaning", "Shares of n.")',
    "and tidied up": 'reflect("column_meaning", "No.")\nreflect("column_meaning", "Shares of n.")',
    "in a branch, and again": 'if X:\n    reflect("column_meaning", "No.")\nreflect("column_meaning", "Shares of n.")',
    "above the line it had": 'reflect("column_meaning", "Shares of n.")\nreflect("column_meaning", "")',
    "with what is not seen": 'reflect("column_meaning", "\ufeffShares\u200b of\u00ad n.\u202e")',
}


@pytest.mark.parametrize("way", WRITTEN)
def test_a_reflection_is_kept(tmp_path, way):
    """What a student wrote stands in the record in one line, however it was written, and earns nothing."""
    notebook = Notebook()
    notebook.cell("column_meaning-reflect").source = WRITTEN[way]
    record, _, _ = graded(notebook, tmp_path)
    assert record.reflections == {"column_meaning": "Shares of n."}
    assert record.points == 3


NOT_WRITTEN = {
    "as it was handed out": 'reflect("column_meaning", "")',
    "blanks": 'reflect("column_meaning", "  ")',
    "no text": 'reflect("column_meaning")',
    "dots": 'reflect("column_meaning", ...)',
    "a number that no text can hold": f'reflect("column_meaning", 0x{"f" * 5000})',
    "nothing that is seen": 'reflect("column_meaning", "\u200b")',
    "another notebook's question": 'reflect("why_divide", "Because.")',
    "no such question": 'reflect("anything", "Because.")',
    "a question that is no word": 'reflect(3, "Because.")',
    "not Python": 'reflect("column_meaning", "Because.',
    "a comment": '# reflect("column_meaning", "Because.")',
}


@pytest.mark.parametrize("way", NOT_WRITTEN)
def test_nothing_written_is_nothing_kept(tmp_path, way):
    """A question without a text of the student's is not in the record, and costs the notebook nothing."""
    notebook = Notebook()
    notebook.cell("column_meaning-reflect").source = NOT_WRITTEN[way]
    record, _, _ = graded(notebook, tmp_path)
    assert record.reflections == {}
    assert record.points == 3


def reflected(tmp_path, cell):
    """Return what is kept of a cell with a text to the question `column_meaning`."""
    notebook = Notebook()
    notebook.cell("column_meaning-reflect").source = cell
    return graded(notebook, tmp_path)[0].reflections["column_meaning"]


def test_a_reflection_is_not_run(tmp_path):
    """A text that is put together, or has a name, is kept as the code that it is."""
    assert reflected(tmp_path, 'text = "Mine"\nreflect("column_meaning", text * 3)') == "text * 3"


def test_a_reflection_can_be_printed(tmp_path):
    """A control character becomes a mark; the joiners inside words of some languages stay."""
    assert (
        reflected(tmp_path, 'reflect("column_meaning", "\\x1b[2J m\u06cc\u200c\u062e")')
        == "\ufffd[2J m\u06cc\u200c\u062e"
    )


def test_a_long_reflection_is_cut(tmp_path):
    """2,000 characters are kept, and a mark says that there were more."""
    assert reflected(tmp_path, f'reflect("column_meaning", "{"b" * 2000}")') == "b" * 2000
    assert reflected(tmp_path, f'reflect("column_meaning", "{"b" * 2001}")') == "b" * 2000 + "…"


# --- hidden examples


def hidden_wrong(job):
    """Return true outcomes, but for the hidden examples of one exercise: there a telling number."""
    if job.function != "weighted_values":
        return true_outcomes(job)
    public = [Outcome(Reading(value.arrays)) for value in truth(job.function).values]
    own = [
        Outcome(Reading(tuple(np.full(array.shape, 31337.0) for array in value.arrays)))
        for value in hidden_truth(job.function, StandIn.seed).values
    ]
    return pack([*public, *own, public[0]])


def test_hidden_examples_count_and_stay_hidden(tmp_path):
    """Right on the public ones alone earns nothing, and what is said holds no number of a hidden one."""
    record, exercises, _ = graded(Notebook(), tmp_path, hidden_wrong)
    assert record.points == 2
    assert (exercises["weighted_values"].verdict, exercises["weighted_values"].lines) == ("wrong", CHECK_ONLY)
    assert "31337" not in record.line()


def test_an_error_on_a_hidden_example_stays_hidden(tmp_path):
    """The message of such an error could hold the arguments."""

    def give(job):
        if job.function != "weighted_values":
            return true_outcomes(job)
        public = [Outcome(Reading(value.arrays)) for value in truth(job.function).values]
        error = Outcome(trouble=Trouble("ValueError", 2, "31337", kinds=("ValueError",)))
        return pack([*public, *[error] * len(hidden_truth(job.function, StandIn.seed).values), public[0]])

    record, exercises, _ = graded(Notebook(), tmp_path, give)
    assert (exercises["weighted_values"].verdict, record.points) == ("error", 2)
    assert "31337" not in record.line()


def test_another_secret_draws_other_examples():
    """The hidden truth of two runs differs; that of one run does not."""
    one, same, other = (hidden_truth("weighted_values", seed) for seed in (1, 1, 2))
    assert one is same
    assert any(
        a.shape != b.shape or not np.array_equal(a, b)
        for x, y in zip(one.values, other.values, strict=True)
        for a, b in zip(x.arrays, y.arrays, strict=True)
    )
