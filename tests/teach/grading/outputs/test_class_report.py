import re
import statistics
from collections import Counter, defaultdict
from itertools import pairwise
from urllib.parse import unquote

import pytest
from grading import records
from grading.pages import EVIL, assert_tame, links, read, text

from helpers.course import course
from helpers.learn import fingerprints
from helpers.teach.grading.gradebook import Person
from helpers.teach.grading.outputs.class_report import class_page, explained
from helpers.teach.grading.outputs.feedback import write_feedback


class Class:
    """A class, and its page as a tree."""

    def __init__(self, book, run=records.RUN):
        self.book = book
        self.records = list(book.records())
        self.html = class_page(book, run)
        self.page = read(self.html)

    @property
    def graded(self):
        """The records that count."""
        return [record for record in self.records if record.status == "graded"]

    @property
    def answers(self):
        """Every exercise of them, with whose it is."""
        return [(record.student, one) for record in self.graded for one in record.exercises]

    def section(self, title):
        """Return what stands under a heading, up to the next one."""
        heading = self.page.find("h2", string=title)
        found = []
        for element in heading.find_next_siblings():
            if element.name == "h2":
                break
            found.append(element)
        return read("".join(map(str, found)))


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Return a class of 500."""
    return Class(records.book(tmp_path_factory.mktemp("large"), 500))


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Return a class of three."""
    return Class(records.book(tmp_path_factory.mktemp("small"), 3))


@pytest.fixture(params=["small", "large"])
def either(request):
    """Return the class of three, and the class of 500."""
    return request.getfixturevalue(request.param)


def facts(page):
    """Return the numbers on top, by their words."""
    return {text(one.dt): text(one.dd) for one in page.select(".facts div")}


def test_the_facts_on_top_are_those_of_the_records(large):
    """Students, notebooks, unreadable files, earlier attempts and median points, counted here."""
    count = Counter(record.status for record in large.records)
    points = Counter()  # of those with a grade: what nobody read is no 0
    for record in large.graded:
        points[record.student] += record.points

    assert facts(large.page) == {
        "students": "500",
        "notebooks graded": str(count["graded"]),
        "could not be read": str(count["unreadable"]),
        "earlier attempts set aside": str(count["superseded"]),
        f"median points, of {sum(one.points for one in course().exercises.values())}": (
            f"{statistics.median(points.values()):g}"
        ),
    }


def test_what_could_not_be_read_comes_first(large):
    """The first heading is theirs; each file stands below with its student, and how often its reason was given."""
    unreadable = [record for record in large.records if record.status == "unreadable"]
    section = large.section("Could not be read")

    assert large.page.find("h2").get_text() == "Could not be read"
    assert len(unreadable) > 10
    assert sorted(text(item.code) for item in section.find_all("li")) == sorted(record.file for record in unreadable)
    assert {text(item.a) for item in section.find_all("li")} >= {
        large.book.people[record.student].name for record in unreadable if record.student.startswith("s0")
    }
    times = Counter(record.reason for record in unreadable)
    heads = {text(head).lower(): len(head.find_next_sibling("ul").find_all("li")) for head in section.find_all("h3")}
    assert heads == {f"{reason} ({n})".lower(): n for reason, n in times.items() if n > 1}


def test_a_reason_given_once_stands_beside_its_file(tmp_path):
    """It is a sentence, and the file is named once."""
    section = Class(records.book_of(tmp_path, [records.unreadable("ada")])).section("Could not be read")

    assert text(section.li).startswith("ada ada/homework (1).ipynb Expected a notebook, got a file that is none")


def test_each_student_has_a_row_with_points(either):
    """Everybody stands in the table, with the sum of their points and the points of each notebook."""
    rows = either.page.select("#students tbody tr")
    there = [name for name in course().notebooks if any(record.notebook == name for record in either.graded)]
    assert len(rows) == len(either.book.people)
    for row, student in zip(rows, either.book.people, strict=True):
        mine = {record.notebook: record for record in either.graded if record.student == student}
        cells = [text(cell) for cell in row.find_all("td")]
        assert cells[0] == (str(sum(record.points for record in mine.values())) if mine else "–")  # which is no 0
        for cell, name in zip(cells[1:], there, strict=True):
            assert cell.rpartition("○")[2].lstrip("✓●✗") == (
                f"{mine[name].points}/{mine[name].possible}" if name in mine else "–"
            )


def test_each_mark_is_the_verdict(small):
    """In a row stand a notebook's verdicts, in the order of its exercises."""
    marks = {"right": "✓", "wrong": "●", "not started": "○", "missing": "○"}
    for row, student in zip(small.page.select("#students tbody tr"), small.book.people, strict=True):
        verdicts = [one.verdict for record in small.book.graded(student).values() for one in record.exercises]
        assert [mark.get_text() for mark in row.find_all("i")] == [marks.get(one, "✗") for one in verdicts]


def test_pass_rates_are_those_of_the_records(either):
    """Each exercise's share of right answers, and how often each verdict was given."""
    given = defaultdict(Counter)
    for _, one in either.answers:
        given[one.function][one.verdict] += 1
    section = either.section("Which exercises are right")
    described = " ".join(text(one) for one in section.find_all("desc"))
    table = {text(row.th): [int(text(cell)) for cell in row.find_all("td")] for row in section.select("tbody tr")}
    order = ("right", "wrong", "error", "timeout", "killed", "not started", "missing")
    for exercise in course().exercises.values():
        count = given[exercise.function]
        if count.total():
            name = f"{exercise.number} {exercise.title}"
            assert f"{name}: {count['right']} of {count.total()} right" in described
            assert table[name] == [count[verdict] for verdict in order]


def test_mistakes_are_ranked_by_how_often_they_were_made(either):
    """Every exercise with a named mistake has its entry: count, name and who, the commonest first."""
    made = {}
    for student, one in either.answers:
        if one.mistake:
            made.setdefault((one.function, one.mistake), []).append(either.book.people[student].called)
    entries = either.section("What the class misunderstands").select("ol.ranked > li")
    counts = [int(text(entry.b)) for entry in entries]

    assert sorted(map(len, made.values()), reverse=True) == counts
    found = Counter()
    for entry in entries:
        about, name = text(entry.select_one("div > p.quiet")), text(entry.code)
        (function,) = (
            one.function for one in course().exercises.values() if about.startswith(f"{one.number} {one.title}")
        )
        assert len(entry.select(".names a")) == len(made[function, name]) == int(text(entry.b))
        found[function, name] += 1
    assert set(found) == set(made)
    assert found.total() == len(made)


def test_a_mistake_has_its_sentence_and_its_share(tmp_path):
    """Three of four forgot to scale, one with an error: the sentence, the question, the share, and where else."""
    wrong = [records.marked("scaled_scores", "wrong", "no_scale")]
    book = records.book_of(
        tmp_path,
        [
            records.graded("a", "scaling", *wrong),
            records.graded("b", "scaling", *wrong, records.marked("scaled_self_attention", "wrong", "no_scale")),
            records.graded("c", "scaling"),
            records.graded("d", "scaling", records.marked("scaled_scores", "error", "no_scale")),
            records.graded("e", "scaling", records.marked("scaled_scores", "not started")),
        ],
    )
    first, second = Class(book).section("What the class misunderstands").select("ol.ranked > li")

    assert text(first.select_one(".tally")) == "3 75 %"
    assert text(first.h3) == "Nothing divides the scores on their way to the result."
    assert "They were asked: How do dot products grow" in text(first)
    later = course().exercises["scaled_self_attention"].number
    assert f"{records.heading('scaled_scores')}, no_scale; also in {later} (1)" in text(first)
    assert "a; b; d" in text(first)
    assert text(second.select_one(".tally")) == "1 20 %"


def test_every_recorded_mistake_has_a_sentence():
    """No mistake of the course, alone or one of several that look alike, is shown by its bare name."""
    for function in course().exercises:
        for name in fingerprints.stored(function):
            shows, _ = explained(name)
            assert shows != name
            assert shows.endswith(".")
    assert explained("of_another_course") == ("of_another_course", "")
    both, _ = explained("no_beta_q + no_beta_v")
    assert "The queries have no bias".lower() in both.lower()
    assert "the values have no bias" in both.lower()


def test_what_has_no_name_is_counted_and_listed(either):
    """Wrong answers without a name are counted once for all, and listed with errors and stops, exercise by exercise."""
    loose = Counter(
        one.function
        for _, one in either.answers
        if one.verdict in ("wrong", "error", "timeout", "killed") and not one.mistake
    )
    unnamed = sum(one.verdict == "wrong" and not one.mistake for _, one in either.answers)
    found = {
        text(entry.h3): int(text(entry.b)) for entry in either.section("To look at by hand").select("ol.ranked > li")
    }

    assert f"Not named: {unnamed}." in text(either.page)
    assert found == {
        f"{course().exercises[name].number} {course().exercises[name].title}": n for name, n in loose.items()
    }
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_an_answer_that_raised_is_shown_with_its_line(tmp_path):
    """Kind, who and the first line to the student stand under the exercise."""
    people = {"ada": Person("ada", "Lovelace, Ada")}
    stopped = [records.marked("mix", "killed"), records.marked("stack_heads", "timeout")]
    book = records.book_of(tmp_path, [records.graded("ada", "concatenation", *stopped)], people)
    first, second = Class(book).section("To look at by hand").select("ol.ranked > li")

    assert f"{records.heading('stack_heads')} 1 timeout" in text(first)
    assert "Lovelace, Ada, timeout: did not end within 10 s." in text(first)
    assert f"{records.heading('mix')} 1 killed" in text(second)


def test_who_may_need_help(tmp_path):
    """Nothing handed in, nothing that could be read, nothing right, less than half of the points, far behind."""
    none = [records.marked(one.function, "not started") for one in course().exercises_of("scaling")]
    few = [records.marked(one.function, points=1, possible=3) for one in course().exercises_of("scaling")]
    half = [records.marked(one.function, points=1, possible=2) for one in course().exercises_of("concatenation")]
    all_there = [
        records.graded(name, notebook) for name in "tuvwxyz" for notebook in ("single_head", "scaling", "two_heads")
    ]
    book = records.book_of(
        tmp_path,
        [
            *all_there,
            records.unreadable("unread"),
            records.graded("none", "scaling", *none),
            records.graded("few", "scaling", *few),
            records.graded("half", "concatenation", *half),
            records.graded("one", "single_head"),
        ],
        {"absent": Person("absent", "Absent, A")},
    )
    first = records.possible("single_head")
    groups = {text(one.summary): text(one.p) for one in Class(book).section("Who is where").select("h3 ~ details")}

    assert groups == {
        "1 with nothing handed in": "Absent, A",
        "1 with no file that could be read": "unread",
        "1 with nothing right yet": f"none 0/{records.possible('scaling')}",
        "1 with less than half of the points of what they handed in": f"few {len(few)}/{3 * len(few)}",
        "2 at least 2 notebooks behind half of the class": f"half {len(half)}/{2 * len(half)}; one {first}/{first}",
    }


def test_a_picture_shows_a_large_class_and_a_table_a_small_one(small, large):
    """For 500 there are pictures, one in two widths; for three the table is open, and enough."""
    for one, pictures in ((small, 0), (large, 3)):
        figures = one.section("Who is where").find_all("figure")
        assert len(figures) == pictures
        assert one.page.find(id="students").find_parent("details").has_attr("open") == (pictures == 0)


def test_only_what_somebody_handed_in_is_shown(tmp_path):
    """With one notebook collected, no other has a card, a column or points to be had."""
    page = Class(records.book_of(tmp_path, [records.graded("ada", "two_heads")])).page

    assert [text(head) for head in page.select("#students thead th")] == ["Student", "Points", "3 · Two heads"]
    points = records.possible("two_heads")
    assert facts(page)[f"median points, of {points}"] == f"{points}"
    assert [text(one) for one in page.select("figure > svg > title")] == ["3 · Two heads, 1 file"]


def test_the_run_is_told_and_its_seed_is_not(either):
    """Protections, time, workers and versions are there; the seed, from which hidden examples come, is nowhere."""
    told = text(either.section("The run"))

    assert all(sentence in told for sentence in records.RUN["protections"])
    assert "3 min 7 s, 2 workers" in told
    assert "Course 0.1.0 · numpy 2.4.6 · python 3.11.7" in text(either.page.footer)
    assert "graded 2026-11-30 11:02 UTC" in text(either.page)
    assert str(records.RUN["seed"]) not in either.html
    assert f"{records.RUN['seed']:,}" not in either.html


def test_time_is_that_of_the_records(tmp_path):
    """The median submission took so long, one longest; the slowest exercise comes first."""
    slow = records.marked("mix", "timeout", seconds=10.0)
    book = records.book_of(
        tmp_path,
        [
            records.graded("a", "concatenation", slow, seconds=10.5),
            records.graded("b", "concatenation", seconds=0.5),
            records.graded("c", "concatenation", seconds=0.25),
        ],
    )
    rows = [[text(cell) for cell in row.find_all(["th", "td"])] for row in Class(book).section("The run").select("tr")]

    assert rows[2] == ["A submission", "median 0.50 s, longest 10 s"]
    assert rows[3] == [records.heading("mix"), "mean 3.35 s, longest 10 s"]


def test_a_run_without_protections_says_so(small):
    """Where nothing held the students' code, the page says what that code could do."""
    page = text(read(class_page(small.book, {**records.RUN, "protections": []})))

    assert "Nothing held the students' code It ran unconfined" in page


def test_notes_are_gathered(tmp_path):
    """A note that comes up twice stands once, with whose files and exercises it is about."""
    note = "Found in another cell by its name."
    book = records.book_of(
        tmp_path,
        [
            records.graded("a", "two_heads", records.marked("head_output", notes=(note,))),
            records.graded("b", "two_heads", notes=(note,)),
        ],
    )
    (found,) = Class(book).section("Notes of the grader").find_all("details")

    assert text(found.summary) == f"2 × {note}"
    assert text(found.p) == f"a ({course().exercises['head_output'].number}); b (b/03_two_heads.ipynb)"


def test_a_class_of_one(tmp_path):
    """One student is spoken of in the singular."""
    page = Class(records.book_of(tmp_path, [records.graded("ada", "scaling")])).page

    assert facts(page)["student"] == "1"
    assert facts(page)["notebook graded"] == "1"
    assert "No wrong answer gives the numbers of a known mistake." in text(page)


def test_an_empty_class(tmp_path):
    """Where nobody is, the page says so; where nobody handed in anything, it lists who did not."""
    nobody = Class(records.book_of(tmp_path, []))
    assert text(nobody.page.h1) == "Nobody is in this class yet"
    assert [text(head) for head in nobody.page.find_all("h2")] == ["Could not be read", "The run"]

    nothing = Class(records.book_of(tmp_path, [], {"ada": Person("ada", "Lovelace, Ada")}))
    assert "1 with nothing handed in Lovelace, Ada" in text(nothing.page)


def test_nothing_of_a_student_becomes_markup(tmp_path):
    """Names, files, reasons, lines and notes that hold markup are shown as text, without control characters."""
    evil = EVIL.replace("\ud800", "")  # a file of results is UTF-8, and holds no half of a pair
    broken = records.marked("scaled_scores", "error", lines=(evil,), notes=(evil,))
    mine = [records.graded(evil, "scaling", broken, file=evil, notes=(evil,)), records.unreadable(evil, evil)]

    assert_tame(class_page(records.book_of(tmp_path, mine), records.RUN))


def test_the_page_is_one_file_and_its_links_lead_to_the_students_pages(tmp_path):
    """It needs nothing from elsewhere, and every page that it names is written, whatever the students are called."""
    odd = Class(records.book(tmp_path, len(records.ODD) + 5))
    pages = write_feedback(odd.book, tmp_path / "feedback")
    found = links(odd.html)

    assert {unquote(link) for link in found if link[0] != "#"} == {f"feedback/{path.name}" for path in pages.values()}
    assert all(odd.page.find(id=link[1:]) for link in found if link[0] == "#")


def test_the_same_class_gives_the_same_bytes(small, tmp_path):
    """The order in which records were written makes no difference."""
    again = records.book_of(tmp_path, small.records[::-1], small.book.people)

    assert class_page(again, records.RUN) == small.html


def test_a_large_class_stays_small(large):
    """500 students in six notebooks fit into 2 MB."""
    assert len(large.graded) > 2000
    assert len(large.html.encode("utf-8")) < 2_000_000


def test_headings_are_in_order(either):
    """One h1, and no level is left out."""
    levels = [int(head.name[1]) for head in either.page.find_all(re.compile("^h[1-6]$"))]

    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
