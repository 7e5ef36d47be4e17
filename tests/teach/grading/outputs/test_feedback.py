import hashlib
import json
import re
import unicodedata

import pytest
from grading import records
from grading.pages import EVIL, assert_tame, links, read, text
from hypothesis import given
from hypothesis import strategies as st

from helpers.course import course
from helpers.teach import solutions
from helpers.teach.grading.gradebook import Person
from helpers.teach.grading.outputs.feedback import feedback_page, next_step, write_feedback
from helpers.teach.grading.outputs.file_names import LONGEST, file_names
from helpers.teach.grading.record import CHECK_ONLY

ADA = Person("ada", "Lovelace, Ada", "70001", "ada@example.org")
RESERVED = {"con", "prn", "aux", "nul", *(f"{device}{k}" for device in ("com", "lpt") for k in range(1, 10))}


def one(verdict, function="scaled_scores", mistake="", **changes):
    """Return the article about an exercise, as the page about a notebook shows it."""
    notebook = course().exercises[function].notebook
    record = records.graded("ada", notebook, records.marked(function, verdict, mistake, **changes))
    return read(feedback_page(ADA, [record])).find(id=function)


def test_it_says_who_and_how_many_points():
    """Name, points and notebooks stand on top, the points counted here from the course's file."""
    graded = [
        records.graded("ada", "single_head", records.marked("self_attention", "wrong")),
        records.graded("ada", "scaling"),
    ]
    page = read(feedback_page(ADA, graded))
    first, second = records.possible("single_head"), records.possible("scaling")
    lost = course().exercises["self_attention"].points

    assert text(page.h1) == "Lovelace, Ada"
    assert f"{first - lost + second} of {first + second} points in 2 notebooks" in text(page.main)
    assert [text(head) for head in page.select(".notebook-head")] == [
        f"1 · One head {first - lost} of {first} points",
        f"2 · Scaling {second} of {second} points",
    ]
    assert lost
    assert "ada/01_single_head.ipynb, of 2025-11-30 10:53 UTC" in text(page.main)


def test_each_exercise_has_its_verdict_its_points_and_its_lines(tmp_path):
    """Number, title, word, points and lines of every exercise stand in its own article, for a class of three."""
    words = {"right": "✓ right", "wrong": "● not yet", "error": "✗ error", "timeout": "✗ ran too long"}
    words |= {"killed": "✗ was stopped", "not started": "○ not started", "missing": "○ missing"}
    seen = set()
    book = records.book(tmp_path, 3)
    for student, person in book.people.items():
        page = read(feedback_page(person, book.of(student)))
        graded = [json.loads(record.line()) for record in book.of(student) if record.status == "graded"]
        for marked in (marked for record in graded for marked in record["exercises"]):
            exercise, article = course().exercises[marked["function"]], page.find(id=marked["function"])
            assert text(article.h3) == f"{exercise.number} {exercise.title}"
            assert text(article.select_one(".verdict")) == words[marked["verdict"]]
            points = f"{marked['points']} of {marked['possible']} point" if marked["possible"] else ""
            assert points in text(article.select_one(".side"))
            assert " ".join(marked["lines"]).replace("`", "") in text(article.select_one(".lines"))
            seen.add(marked["verdict"])
        assert len(page.find_all("article")) == sum(len(record["exercises"]) for record in graded)
    assert {"right", "wrong", "error"} <= seen


def test_the_named_mistake_is_said():
    """The sentence of a recorded mistake and its question stand in the article."""
    lines = text(one("wrong", mistake="no_scale").select_one(".lines"))
    assert "Nothing divides the scores on their way to the result." in lines
    assert "How do dot products grow" in lines


@pytest.mark.parametrize(
    ("verdict", "says"),
    [
        ("wrong", "check(scaled_scores). hint(scaled_scores) opens a hint"),
        ("error", "it points at the line"),
        ("timeout", "on two tokens"),
        ("killed", "on two tokens"),
        ("not started", "hint(scaled_scores) opens a first hint"),
        ("missing", "Copy the cell from the notebook that you were given"),
    ],
)
def test_what_is_not_right_has_a_next_step(verdict, says):
    """Every verdict but right says one thing to do, and what is right asks for nothing."""
    assert says in text(one(verdict).select_one(".then"))
    assert one("right").select_one(".then") is None


def test_a_mistake_of_an_earlier_exercise_sends_there():
    """A bias forgotten in self_attention is what project is about, twice too; other mistakes are its own."""
    told = {
        mistake: text(one("wrong", "self_attention", mistake).select_one(".then"))
        for mistake in ("no_bias", "no_bias + bias_along_the_row", "no_beta_q", "no_beta_q + no_bias")
    }

    there = f"Exercise {records.heading('project')}"
    assert [there in line for line in told.values()] == [True, True, False, False]
    assert "hint(self_attention)" in told["no_beta_q"]


def test_the_first_thing_to_do_stands_on_top():
    """The first exercise that is not right, options aside; then the first notebook that is not there; then nothing."""
    option = records.graded("ada", "scaling", records.marked("softmax_jacobian", "not started"))
    some = records.graded("ada", "scaling", option.exercises[-1], records.marked("entropy_cols", "error"))
    rest = [records.graded("ada", name) for name in course().notebooks if name != "scaling"]

    def first(*handed_in):
        return text(read(feedback_page(ADA, handed_in)).select_one(".next"))

    assert f"Exercise {records.heading('entropy_cols')}" in first(some)
    assert "Notebook 1 · One head It begins with exercise 1.1" in first(option)
    assert "All done" in first(*rest, records.graded("ada", "scaling"))


def test_a_week_speaks_of_its_own_notebook():
    """Where notebook 2 alone was collected, nothing is said to be missing, and the next one is 3."""
    page = read(feedback_page(ADA, [records.graded("ada", "scaling")], ["scaling"]))

    assert "Not handed in" not in text(page.main)
    assert "Notebook 3 · Two heads" in text(page.select_one(".next"))
    total = len(course().exercises_of("scaling"))
    assert text(page.svg.title) == f"{total} of {total} exercises are right"
    assert [text(one) for one in page.svg.find_all("title")][1:] == [
        f"{one.number} {one.title}: right" for one in course().exercises_of("scaling")
    ]
    absent = read(feedback_page(ADA, [records.graded("ada", "scaling")], ["single_head", "scaling"]))
    assert "Not handed in 1 · One head" in text(absent.main)
    last = read(feedback_page(ADA, [records.graded("ada", "transformer_layer")], ["transformer_layer"]))
    assert "Done Every exercise here is right." in text(last.select_one(".next"))


def test_what_could_not_be_read_is_no_zero():
    """A file that could not be read is named with its reason, and so is an attempt that does not count."""
    superseded = records.graded("ada", "scaling", status="superseded", reason="ada/new.ipynb came later and counts.")
    unread = records.unreadable("ada", "It is an empty file.")
    tree = read(feedback_page(ADA, [superseded, unread]))
    page = text(tree.main)

    assert "1 file could not be read That is no zero" in page
    assert "ada/homework (1).ipynb It is an empty file." in page
    assert "Earlier attempts" in page
    assert "ada/new.ipynb came later and counts." in page
    assert "No notebook of yours could be graded yet." in page
    assert tree.find("article") is None


def test_who_handed_in_nothing_has_a_page():
    """It says so, without a zero."""
    tree = read(feedback_page(ADA, []))
    tree.svg.extract()
    assert "Nothing was found under your name." in text(tree.main)
    assert not re.search(r"\b0\b", text(tree.main))


def test_the_picture_shows_the_course():
    """Its words say how many of the course's exercises are right, and each tile which it is."""
    page = read(feedback_page(ADA, [records.graded("ada", "single_head", records.marked("project", "timeout"))]))
    hovers = [text(one) for one in page.svg.find_all("title")]

    right = len(course().exercises_of("single_head")) - 1
    assert hovers[0] == f"{right} of {len(course().exercises)} exercises are right"
    assert hovers[1:] == [
        f"{one.number} {one.title}: "
        + ("ran too long" if one.function == "project" else "right" if one.number[0] == "1" else "not handed in")
        for one in course().exercises.values()
    ]


def test_nothing_of_a_student_becomes_markup():
    """Name, file, reason and lines that hold markup are shown as text, without control characters."""
    lines = (f"It says {EVIL}", "second")
    record = records.graded("ada", "scaling", records.marked("scaled_scores", "error", lines=lines), file=EVIL)
    page = feedback_page(Person(EVIL, EVIL), [record, records.unreadable(EVIL, EVIL)])

    assert_tame(page)
    assert text(read(page).h1).startswith("<script>alert(1)</script><img")


def test_a_page_is_one_file(tmp_path):
    """No script, font, style or picture from elsewhere, and every link leads to a place on the page."""
    book = records.book(tmp_path, 3)
    for student, person in book.people.items():
        page = feedback_page(person, book.of(student))
        assert all(read(page).find(id=link.removeprefix("#")) for link in links(page))


def test_no_line_of_a_solution_is_shown():
    """Whatever the verdicts, no page holds a line of code of ours."""
    verdicts = ("right", "wrong", "error", "timeout", "killed", "not started", "missing")
    for verdict in verdicts:
        graded = [
            records.graded("ada", name, *(records.marked(one.function, verdict) for one in course().exercises_of(name)))
            for name in course().notebooks
        ]
        page = read(feedback_page(ADA, graded)).get_text()
        for name in course().exercises:
            body = solutions.source(name).rpartition('"""')[2].splitlines()
            assert [line for line in body if len(line.strip()) > 12 and line.strip() in page] == [], name


def test_the_same_records_give_the_same_bytes(tmp_path):
    """The order of the records makes no difference, nor does the time of day."""
    book = records.book(tmp_path, 3)
    for student, person in book.people.items():
        mine = book.of(student)
        assert feedback_page(person, mine) == feedback_page(person, mine[::-1])


def test_a_page_for_everybody_is_written(tmp_path):
    """Each student of a class has a file of their own, and nothing else is left in the folder."""
    book = records.book(tmp_path, 60)
    pages = write_feedback(book, tmp_path / "feedback")

    assert list(pages) == list(book.people)
    assert sorted(pages.values()) == sorted((tmp_path / "feedback").iterdir())
    for student, path in pages.items():
        assert path.read_text(encoding="utf-8") == feedback_page(book.people[student], book.of(student))


def test_a_page_that_is_nobodys_now_is_removed(tmp_path):
    """A roster gave Ada another key: the page under the old one would be handed back. What is not ours stays."""
    folder = tmp_path / "feedback"
    old = write_feedback(records.book_of(tmp_path, [*map(records.unreadable, ("ada", "../bob", "Grace"))]), folder)
    mine = [folder / name for name in ("ada (annotated).html", ".hidden.html", "ada.txt", "letter.html/ada.html")]
    for file in mine:
        file.parent.mkdir(exist_ok=True)
        file.write_text("mine")

    new = write_feedback(records.book_of(tmp_path, [*map(records.unreadable, ("u000", "Grace"))]), folder)

    assert {path.name for path in new.values()} == {"u000.html", "Grace.html"}
    assert {path for path in folder.rglob("*") if path.is_file()} == {*new.values(), *mine}
    assert old["ada"] not in new.values()


def test_a_link_in_the_way_is_replaced_and_not_followed(tmp_path):
    """A symbolic link under a page's name does not let it write elsewhere."""
    book = records.book_of(tmp_path, [records.unreadable("ada")])
    outside = tmp_path / "outside.txt"
    outside.write_text("mine")
    (tmp_path / "feedback").mkdir()
    (tmp_path / "feedback" / "ada.html").symlink_to(outside)
    write_feedback(book, tmp_path / "feedback")

    assert outside.read_text() == "mine"
    assert not (tmp_path / "feedback" / "ada.html").is_symlink()


def test_plain_keys_are_their_own_names():
    """Letters of any script, digits, blanks, dots, hyphens and underscores stay as they are."""
    plain = ["s0123", "Ada Lovelace", "García", "李小龍", "a.b-c_d"]
    assert file_names(plain) == {key: key for key in plain}


@pytest.mark.parametrize(
    ("key", "front"),
    [
        ("../../etc/passwd", "_.._etc_passwd"),
        ("CON", "student"),
        ("com7.txt", "student"),
        ("..", "student"),
        ("", "student"),
        ("-rf", "rf"),
        ("a:b?", "a_b_"),
        ("🦊", "_"),
        ("x" * 300, "x" * LONGEST),
        ("ö" * 300, "ö" * (LONGEST // 2)),
    ],
)
def test_other_keys_are_told_apart_by_their_hash(key, front):
    """What a file system may refuse is replaced, and eight digits of the key's hash follow."""
    mark = hashlib.sha256(key.encode()).hexdigest()[:8]
    assert file_names([key]) == {key: f"{front}-{mark}"}


def test_names_that_some_systems_do_not_tell_apart_are_told_apart():
    """Ada and ada, é in one character and in two, get names that differ in more than that; so does a forged one."""
    keys = ["Ada", "ada", "caf\u00e9", "cafe\u0301"]
    forged = file_names(keys)["Ada"]
    names = file_names([*keys, forged, "eve"])

    assert len({_folded(name) for name in names.values()}) == 6
    assert names["eve"] == "eve"


def _folded(name):
    return unicodedata.normalize("NFKC", name).casefold()


@given(st.lists(st.text(st.characters(), max_size=130) | st.sampled_from(records.ODD), unique=True, max_size=8))
def test_any_keys_get_names_that_every_system_takes(keys):
    """Unique without case, none reserved, none hidden, no separators, no more than 120 bytes; the order is nothing."""
    names = file_names(keys)

    assert names == file_names(keys[::-1])
    assert len({_folded(name) for name in names.values()}) == len(keys)
    for name in names.values():
        assert 0 < len(name.encode("utf-8")) <= 120
        assert not re.search(r'[\\/:*?"<>|\x00-\x1f]', name)
        assert name.strip(" .") == name
        assert not name.startswith("-")
        assert name.partition(".")[0].lower() not in RESERVED


def test_who_fails_on_hidden_examples_is_not_sent_back_to_the_check():
    """An answer that passes its check and nothing else needs another example: its check would say that it is right."""
    one = records.marked("softmax_cols", "wrong", lines=CHECK_ONLY)

    assert "an example of your own" in next_step(one)
