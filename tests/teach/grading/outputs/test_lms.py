import csv
import io

import pytest
from grading import records
from grading.gradebooks import ADA, EMMY, GRACE, class_of, graded, unreadable
from hypothesis import assume, given
from hypothesis import strategies as st

from helpers.course import course
from helpers.teach.grading.gradebook import Person
from helpers.teach.grading.outputs import lms
from helpers.teach.grading.sheet import parse_sheet

# As Canvas's lib/gradebook_exporter.rb writes one: a posting row, the points possible, totals that are read only.
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Notes,Attention (4711),Essay (4712),Current Score,Final Score\n"
    ",,,,,,Manual Posting,,,\n"
    "    Points Possible,,,,,(read only),30,100,(read only),(read only)\n"
    '"Lovelace, Ada",101,1815,ada,"Maths, 1","says ""hi""",,90,90,90\n'
    '"Hopper, Grace",102,1906,ghopper,Maths,,12,80,80,80\n'
    '"Noether, Emmy",103,1882,enoether,Maths,,EX,,,\n'
    '"Student, Test",104,,,Maths,,,,,\n'
)
# As Moodle's mod/assign/gradingtable.php writes one.
MOODLE = (
    '\ufeffIdentifier,"Full name","ID number","Email address",Status,Grade,"Maximum Grade","Grade can be changed",'
    '"Last modified (submission)","Last modified (grade)","Feedback comments"\r\n'
    '"Participant 11","Ada Lovelace",1815,ada@example.org,Submitted,,100.00,Yes,-,-,\r\n'
    '"Participant 12","Grace Hopper",,grace@example.org,Submitted,"33.33",100.00,Yes,-,-,"a line\nand one more"\r\n'
    '"Participant 13","Emmy Noether",,emmy@example.org,Submitted,,100.00,No,-,-,\r\n'
)
ROSTER = (ADA, EMMY, GRACE)
ADA_BEFORE, ADA_AFTER = '"says ""hi""",,90', '"says ""hi""",30,90'


@pytest.fixture
def export(tmp_path):
    """Write an export of an LMS into a folder of its own and return its path."""

    def write(text, encoding="utf-8"):
        path = tmp_path / "exported" / "2026_Grades-ML.csv"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode(encoding))
        return path

    return write


def test_a_canvas_gradebook(tmp_path, export):
    """Of a real gradebook's bytes those of one column's two cells differ, and everything left alone is said."""
    book = class_of(tmp_path, graded("ada"), graded("grace", wrong=("self_attention",)), graded("emmy"), roster=ROSTER)
    text, report = lms.fill(export(CANVAS), book, "Attention")
    assert text == CANVAS.replace(ADA_BEFORE, ADA_AFTER).replace(",12,80", ",20,80")
    assert report == [
        "Canvas gradebook: 2 of 4 rows are changed, in the column 'Attention (4711)'.",
        "Points out of 3 are scaled to a maximum of 30.",
        "Nobody in the class has the name, ID or login, the row stays as it was: Row 7 (Student, Test).",
        "Row 5 (Hopper, Grace): 12 became 20.",
        "Row 6 (Noether, Emmy): EX stays; 3 of 3 points are not filled in.",
    ]


def test_a_moodle_worksheet(tmp_path, export):
    """The byte order mark, quotes, line ends and a comment of two lines stay, and a grade that Moodle locks."""
    book = class_of(tmp_path, graded("ada", wrong=("self_attention",)), graded("grace"), graded("emmy"), roster=ROSTER)
    text, report = lms.fill(export(MOODLE), book)
    assert text == MOODLE.replace(",Submitted,,100.00,Yes", ",Submitted,66.67,100.00,Yes").replace('"33.33"', '"100"')
    assert report == [
        "Moodle worksheet: 2 of 3 rows are changed, in the column 'Grade'.",
        "Points out of 3 are scaled to a maximum of 100.",
        "Row 3 (Grace Hopper): 33.33 became 100.",
        "Row 4 (Emmy Noether): Moodle says it cannot be changed; 3 of 3 points are not filled in.",
    ]


def test_the_export_is_only_read(tmp_path, export):
    """The copy has the export's name in the folder of the results; the export itself keeps its bytes."""
    path, book = export(MOODLE), class_of(tmp_path, graded("ada"), roster=ROSTER)
    report = lms.write(path, book, tmp_path / "results")
    copy = tmp_path / "results" / path.name
    assert path.read_bytes() == MOODLE.encode()
    assert copy.read_bytes() == lms.fill(path, book)[0].encode() != MOODLE.encode()
    assert report[0].startswith("Moodle worksheet: 1 of 3")
    lms.write(path, book, tmp_path / "results")  # again, after regrading
    with pytest.raises(ValueError, match="which is taken"):
        lms.write(path, book, path.parent)
    with pytest.raises(ValueError, match="which is taken"):
        lms.write(path.rename(path.with_name("Grades.csv")), book, tmp_path / "results")


def test_the_same_grade_again_changes_nothing(tmp_path, export):
    """Where the LMS holds these points already, in its own spelling, the cell stays as it is spelled."""
    path = export(MOODLE.replace('"33.33"', "66.670"))
    text, report = lms.fill(path, class_of(tmp_path, graded("grace", wrong=("self_attention",)), roster=(GRACE,)))
    assert text.encode() == path.read_bytes()
    assert report[0].startswith("Moodle worksheet: 0 of 3")


def test_all_wrong_is_filled_in_as_zero(tmp_path, export):
    """A notebook that was graded and earned nothing is a 0 in the LMS, not an empty cell."""
    wrong = ("attention_weights", "weighted_values", "self_attention")
    text, _ = lms.fill(export(MOODLE), class_of(tmp_path, graded("ada", wrong=wrong), roster=ROSTER))
    assert ",Submitted,0,100.00,Yes" in text


def test_unreadable_and_absent_are_never_zero(tmp_path, export):
    """A file that could not be read, or none at all, leaves the cell alone, an old grade too; the reason is said."""
    book = class_of(tmp_path, unreadable("ada"), graded("emmy"), unreadable("emmy", "scaling"), roster=ROSTER)
    path = export(MOODLE.replace(",No,", ",Yes,"))
    text, report = lms.fill(path, book)
    assert text.encode() == path.read_bytes()
    assert report[3:] == [
        "Row 2 (Ada Lovelace): it stays as it was, since a file could not be read. ada/work.ipynb: it is no notebook.",
        "Row 4 (Emmy Noether): it stays as it was, since a file could not be read. emmy/work.ipynb: it is no notebook.",
        "Nothing was handed in, the row stays as it was: Row 3 (Grace Hopper).",
    ]


def test_one_notebook_of_several(tmp_path, export):
    """An assignment in the LMS may be one notebook: only its points count, and only its unreadable files matter."""
    book = class_of(
        tmp_path,
        graded("ada"),
        graded("ada", "scaling", wrong=("entropy_cols",)),
        unreadable("ada", "concatenation"),
        roster=(ADA,),
    )
    text, report = lms.fill(export(CANVAS), book, "Attention (4711)", ["scaling"])
    possible = records.possible("scaling")
    earned = possible - course().exercises["entropy_cols"].points
    assert f'"says ""hi""",{round(30 * earned / possible, 2):g},90' in text
    assert not any("notebooks" in line for line in report)
    _, report = lms.fill(export(CANVAS), book, "Attention (4711)")
    named = "the notebooks 1 · One head, 2 · Scaling and 4 · Concatenation count"
    assert sum(named in line for line in report) == 1  # nobody's share becomes smaller in silence
    with pytest.raises(ValueError, match="got the notebook 'one', expected one of single_head, "):
        lms.fill(export(CANVAS), book, "Attention", ["one"])


def person(key, **known):
    """Return a student of a roster."""
    return Person(key, **known)


@pytest.mark.parametrize(
    "who",
    [
        pytest.param(person("x", id="101"), id="Canvas's ID"),
        pytest.param(person("x", id="1815"), id="SIS User ID"),
        pytest.param(person("x", email="ADA"), id="SIS Login ID, an address without case"),
        pytest.param(person("ADA"), id="SIS Login ID is the folder"),
        pytest.param(person("x", name="Ada  Lovelace"), id="name"),
        pytest.param(person("x", name="Lovelace, Ada"), id="name as Canvas has it"),
        pytest.param(person("Ada Lovelace"), id="the folder is the name"),
        pytest.param(person("Lovelace ADA"), id="the folder is the name, as sorted, in capitals"),
        pytest.param(person("ada_lovelace"), id="the folder is the name with a line"),
        pytest.param(person("lovelaceada"), id="the name in a Canvas download"),
        pytest.param(person("lovelaceada_101"), id="name and ID in a Canvas download"),
        pytest.param(person("lovelaceada_LATE_7_99_single_head"), id="name in a late Canvas download"),
        pytest.param(person("somebody_LATE_101_99_single_head"), id="ID in a late Canvas download"),
    ],
)
def test_who_a_canvas_row_is(tmp_path, export, who):
    """A row finds its student by any of its IDs, its login, or its name, as roster or download have them."""
    text, _ = lms.fill(export(CANVAS), class_of(tmp_path, graded(who.student), roster=(who,)), "Attention")
    assert text == CANVAS.replace(ADA_BEFORE, ADA_AFTER)


@pytest.mark.parametrize(
    "who",
    [
        pytest.param(person("Somebody_11_assignsubmission_file_"), id="the participant's number in a Moodle download"),
        pytest.param(person("Participant 11"), id="the participant of a download without names"),
        pytest.param(person("Ada Lovelace_99_assignsubmission_file_"), id="the name in a Moodle download"),
        pytest.param(person("x", id="1815"), id="ID number"),
        pytest.param(person("x", email="Ada@Example.org"), id="email"),
        pytest.param(person("ada@example.org"), id="the folder is the address"),
    ],
)
def test_who_a_moodle_row_is(tmp_path, export, who):
    """A row finds its student by the participant's number, the ID number, the address or the name."""
    text, _ = lms.fill(export(MOODLE), class_of(tmp_path, graded(who.student), roster=(who,)))
    assert text == MOODLE.replace(",Submitted,,100.00,Yes", ",Submitted,100,100.00,Yes")


@pytest.mark.parametrize(
    ("people", "said"),
    [
        pytest.param(
            [person("a1", name="Ada Lovelace"), person("a2", name="Ada Lovelace")],
            "Row 4 (Lovelace, Ada): it may be Ada Lovelace (a1) or Ada Lovelace (a2). It stays as it was",
            id="two students of one name",
        ),
        pytest.param(
            [person("a1", id="101"), person("a2", name="Ada Lovelace")],
            "Row 4 (Lovelace, Ada): it may be a1 or Ada Lovelace (a2). It stays as it was",
            id="the ID is one's, the name another's",
        ),
        pytest.param(
            [person("a1", name="Ada Lovelace", email="102")],
            "Row 4 (Lovelace, Ada) and Row 5 (Hopper, Grace): each may be Ada Lovelace (a1). They stay",
            id="two rows for one student",
        ),
    ],
)
def test_where_it_is_not_certain_nobody_gets_a_grade(tmp_path, export, people, said):
    """A row that may be two students, and two rows that may be one, are left alone, and so are the students."""
    text, report = lms.fill(
        export(CANVAS), class_of(tmp_path, *(graded(one.student) for one in people), roster=people), "Attention"
    )
    assert text == CANVAS
    assert any(line.startswith(said) for line in report)
    assert sum(line.endswith("no row is certainly theirs, nothing is filled in.") for line in report) == len(people)


def test_an_accent_is_one_letter_or_two(tmp_path, export):
    """A folder from macOS, where an accent is a character of its own, is the student whom the LMS spells with one."""
    path = export(CANVAS.replace("Lovelace, Ada", "Lovelace, Zo\u00eb"))
    text, _ = lms.fill(path, class_of(tmp_path, graded("Zoe\u0308 Lovelace")), "Attention")
    assert ADA_AFTER in text


def test_an_id_tells_two_students_of_one_name_apart(tmp_path, export):
    """Of two students with a row's name, the one with its ID gets the points."""
    people = [person("a1", name="Ada Lovelace", id="1"), person("a2", name="Ada Lovelace", id="101")]
    book = class_of(tmp_path, graded("a1", wrong=("self_attention",)), graded("a2"), roster=people)
    text, report = lms.fill(export(CANVAS), book, "Attention")
    assert text == CANVAS.replace(ADA_BEFORE, ADA_AFTER)
    assert "Ada Lovelace (a1): no row is certainly theirs, nothing is filled in." in report


def test_an_id_and_a_login_outweigh_a_name(tmp_path, export):
    """Whom an ID and a login name gets the points, though another has the row's name; two that disagree settle nothing.

    The same ID in two columns is one ID.
    """
    namesake = person("x", name="Ada Lovelace", id="2")
    book = class_of(tmp_path, graded("ada"), roster=[person("ada", name="Ada Lovelace 2", id="101"), namesake])
    assert lms.fill(export(CANVAS), book, "Attention")[0] == CANVAS.replace(ADA_BEFORE, ADA_AFTER)
    for text in (CANVAS.replace("101,1815,ada", "101,101,"), CANVAS.replace("101,1815,ada", "101,2,ada")):
        filled, report = lms.fill(export(text), book, "Attention")
        assert filled == text
        assert any(line.startswith("Row 4 (Lovelace, Ada): it may be Ada Lovelace ") for line in report)


def test_rows_of_nobody_are_one_line(tmp_path, export):
    """Who sent nothing and stands on no roster has no line alone: it would hide the lines that ask for a hand."""
    _, report = lms.fill(export(CANVAS), class_of(tmp_path, graded("ada"), roster=(ADA,)), "Attention")
    assert report[2:] == [
        "Nobody in the class has the name, ID or login, the row stays as it was: "
        "Row 5 (Hopper, Grace), Row 6 (Noether, Emmy), Row 7 (Student, Test)."
    ]


def test_one_word_of_letters_is_no_name_of_two(tmp_path, export):
    """Ann Alee and Anna Lee have the same letters and are two people."""
    path = export(CANVAS.replace("Lovelace, Ada", "Lee, Anna"))
    book = class_of(tmp_path, graded("x"), roster=[person("x", name="Ann Alee")])
    assert lms.fill(path, book, "Attention")[0].encode() == path.read_bytes()


def test_a_name_like_a_formula_stays_the_lms_s_own(tmp_path, export):
    """Canvas writes such a name as `="=..."`: it is matched as the name it is, and goes back as Canvas wrote it."""
    odd = CANVAS.replace('"Lovelace, Ada",101,1815,ada', '"=""=Lovelace, Ada""",101,,')
    text, _ = lms.fill(
        export(odd), class_of(tmp_path, graded("x"), roster=[person("x", name="Ada Lovelace")]), "Attention"
    )
    assert text == odd.replace(ADA_BEFORE, ADA_AFTER)


@pytest.mark.parametrize(
    ("most", "points", "said"),
    [
        pytest.param("3", "2", "Points are out of 3, here and there.", id="the same maximum"),
        pytest.param("10", "6.67", "Points out of 3 are scaled to a maximum of 10.", id="two decimals"),
        pytest.param('"1.000,50"', "667", "Points out of 3 are scaled to a maximum of 1000.5.", id="another language"),
        pytest.param("0", "2", "The file names no maximum: points are filled in as they are, out of 3.", id="zero"),
        pytest.param("", "2", "The file names no maximum: points are filled in as they are, out of 3.", id="none"),
    ],
)
def test_points_are_scaled(tmp_path, export, most, points, said):
    """2 of 3 points are two thirds of what Canvas gives at most; where it does not say, they are 2."""
    book = class_of(tmp_path, graded("ada", wrong=("self_attention",)), roster=ROSTER)
    text, report = lms.fill(export(CANVAS.replace(",30,100,", f",{most},100,")), book, "Attention")
    assert f'"says ""hi""",{points},90' in text
    assert report[1] == said


def test_semicolons_and_last_names(tmp_path, export):
    """Canvas may separate by semicolons and split names; the only assignment needs no title."""
    other = (
        "LastName;FirstName;ID;SIS Login ID;Section;Attention (4711);Final Score\n"
        "    Points Possible;;;;;3,00;(read only)\n"
        "Lovelace;Ada;101;x;M;0,50;9,00\n"
    )
    text, report = lms.fill(export(other), class_of(tmp_path, graded("ada"), roster=(ADA,)), "")
    assert text == other.replace("0,50", "3")
    assert "Row 3 (Lovelace, Ada): 0,50 became 3." in report


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        pytest.param(CANVAS, "", r"expected one of 'Attention \(4711\)', 'Essay \(4712\)'", id="two assignments"),
        pytest.param(
            CANVAS, "attention", "got the assignment 'attention', expected one of 'Att", id="no such assignment"
        ),
        pytest.param(CANVAS, "Final Score", "got the assignment 'Final Score'", id="a total"),
        pytest.param(
            CANVAS.replace("Essay", "Final Score"), "Final Score", "expected one of 'Att[^,]*Ch", id="one Canvas skips"
        ),
        pytest.param("Student,ID,Section\n", "", "no assignment that can be filled in", id="no assignment"),
        pytest.param(CANVAS, "Notes", "got the assignment 'Notes'", id="a column that is no assignment"),
        pytest.param(CANVAS.replace(",30,", ",(read only),"), "Attention", "expected one of 'Essay", id="read only"),
        pytest.param(
            CANVAS.replace("Essay", "Attention"), "Attention", r"'Attention \(4711\)', 'Attention", id="twice"
        ),
        pytest.param(
            MOODLE, "Status", "a Moodle worksheet has one that can be filled in, Grade", id="Moodle's is Grade"
        ),
        pytest.param(MOODLE.replace("Maximum Grade", "Scale"), "", "graded in words", id="a scale"),
        pytest.param("Nom,Note\n", "", "got a file that begins 'Nom,Note', expected a Canvas", id="another language"),
        pytest.param("", "", "expected a Canvas gradebook", id="empty"),
        pytest.param(CANVAS + '"', "Attention", "row 8: got a quote that is not closed", id="cut off"),
    ],
)
def test_what_cannot_be_filled_in(tmp_path, export, text, column, said):
    """A file that is not understood, and a column that is not to be filled in, are refused with what to do."""
    with pytest.raises(ValueError, match=said):
        lms.fill(export(text), class_of(tmp_path, graded("ada")), column)


def test_another_encoding_is_refused(tmp_path, export):
    """A file that a spreadsheet program saved in an older encoding is refused, not guessed at."""
    with pytest.raises(ValueError, match="expected UTF-8"):
        lms.fill(export(CANVAS.replace("Ada", "Zoë"), "latin-1"), class_of(tmp_path, graded("ada")), "Attention")


def test_a_row_that_is_cut_short_is_left_alone(tmp_path, export):
    """A row that ends before the column has no cell to fill in, and this is said."""
    short = CANVAS.replace(",90,90,90\n", ",90,90,90\nAugusta King,105\n\n")
    text, report = lms.fill(export(short), class_of(tmp_path, graded("x"), roster=[person("x", id="105")]), "Attention")
    assert text == short
    assert "Row 5 (Augusta King): its row ends before that column; 3 of 3 points are not filled in." in report


def test_no_character_of_a_report_is_a_command(tmp_path, export):
    """What a terminal would obey in a name does not reach the report."""
    path = export(CANVAS.replace("Lovelace, Ada", "\x1b[31mLovelace").replace("Hopper", "\x1b[1m"))
    roster = [person("\x1b[2J", id="101"), person("\x1b[3J")]
    book = class_of(tmp_path, unreadable("\x1b[2J", reason="\x1b[0m"), roster=roster)
    _, report = lms.fill(path, book, "Attention")
    assert any("could not be read" in line for line in report)
    assert any("Nobody in the class" in line for line in report)
    assert "\x1b" not in "".join(report)


CELL = st.text(st.characters(codec="utf-8") | st.sampled_from(',;"=\r\n EXN/A0159'), max_size=12)
GRADE = st.sampled_from(["", "0", "1.5", "30", "EX", "N/A", "-", "A+"])


@given(
    rows=st.lists(st.tuples(CELL, CELL, CELL, CELL, GRADE, CELL), max_size=6),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    bom=st.sampled_from(["", "\ufeff"]),
    delimiter=st.sampled_from([",", ";"]),
)
def test_no_other_cell_ever_changes(tmp_path, export, rows, quoting, end, bom, delimiter):
    """Whatever stands in a gradebook, a reader of CSV gets every cell but those of the one column as it was."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=quoting, lineterminator=end, delimiter=delimiter)
    writer.writerow(["Student", "ID", "SIS Login ID", "Section", "Attention (4711)", "Final Score"])
    writer.writerow(["    Points Possible", "", "", "", "30", "(read only)"])
    writer.writerow(["Lovelace, Ada", "101", "ada", "", "", ""])
    writer.writerows(rows)
    text = bom + out.getvalue()
    people = [ADA, *(person(f"p{index}", name=row[0], id=row[1]) for index, row in enumerate(rows))]
    filled, _ = lms.fill(export(text), class_of(tmp_path, *(graded(one.student) for one in people), roster=people))

    def read(content):
        return list(csv.reader(io.StringIO(content.removeprefix("\ufeff"), newline=""), delimiter=delimiter))

    before, after = read(text), read(filled)
    assert [row[:4] + row[5:] for row in after] == [row[:4] + row[5:] for row in before]
    assert all(new[4:5] in (old[4:5], ["30"]) for old, new in zip(before, after, strict=True))
    assert all(new == old for old, new in zip(before, after, strict=True) if old[4:5] in (["EX"], ["N/A"]))
    assert filled.startswith("\ufeff") == bool(bom)


@given(st.text(st.characters(codec="utf-8") | st.sampled_from(',;"\r\n')))
def test_cells_are_what_the_csv_module_reads(text):
    """Where our reader takes a file, it reads the cells that the csv module reads."""
    assume(not text.startswith("\ufeff"))
    try:
        sheet = parse_sheet(text, ",")
    except ValueError:
        return
    assert sheet.rows == [row or [""] for row in csv.reader(io.StringIO(text, newline=""))]
    assert sheet.changed({}) == text
