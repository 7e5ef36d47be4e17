"""Class lists as people write them and as Canvas, Moodle and Gradescope export them."""

import pytest

from helpers.teach.grading.collecting.roster import read_roster
from helpers.teach.grading.gradebook import Person

ADA = Person("alove", "Ada Lovelace", "4711", "ada@example.org")


def roster(tmp_path, text, encoding="utf-8"):
    """Read a roster from a text."""
    path = tmp_path / "roster.csv"
    path.write_bytes(text.encode(encoding))
    return read_roster(path)


@pytest.mark.parametrize(
    "text",
    [
        "student,name,id,email\nalove,Ada Lovelace,4711,ada@example.org\n",
        "Email address;ID;Full name;Login\nada@example.org;4711;Ada Lovelace;alove\n",
        "key\tNAME\tid\te-mail address\r\nalove\tAda Lovelace\t4711\tada@example.org\r\n",
        '"Folder","Name","ID","Email"\n " alove ","Ada Lovelace",4711,ada@example.org\n\n,,,\n'.replace("\n ", "\n"),
        "First Name,Last Name,SID,Email,Username\nAda,Lovelace,4711,ada@example.org,alove\n",
    ],
    ids=["commas", "semicolons", "tabs", "quotes and empty rows", "two names"],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_columns_in_any_order_under_many_names(tmp_path, text, encoding):
    """The person is found by key, name, id and email, and by the name in Canvas' form."""
    people = roster(tmp_path, text, encoding)

    assert {people[called] for called in ("alove", "Ada Lovelace", "4711", "ada@example.org")} == {ADA}
    assert people["lovelaceada"] == ADA


def test_a_canvas_grade_book(tmp_path):
    """An export of Canvas is a roster: the last name first, two kinds of id, and a row of points that is nobody."""
    people = roster(
        tmp_path,
        "Student,ID,SIS User ID,SIS Login ID,Section,One head (77)\n"
        "    Points Possible,,,,,10\n"
        '"Lovelace, Ada",12345,u4711,alove,A,\n'
        '"O\'Brien, Zo\u00eb",12346,u4712,zob,A,\n',
    )

    assert people["alove"] == Person("alove", "Lovelace, Ada", "12345")
    assert people["12345"] == people["u4711"] == people["lovelaceada"] == people["Ada Lovelace"] == people["alove"]
    assert people["obrienzo\u00eb"].student == "zob"
    assert len(set(people.values())) == 2


def test_a_moodle_worksheet(tmp_path):
    """A grading worksheet of Moodle is a roster: the name is the key, the participant's number another."""
    people = roster(
        tmp_path,
        "Identifier,Full name,ID number,Email address,Status,Grade\n"
        "Participant 77,Ada Lovelace,4711,ada@example.org,,\n",
    )

    ada = Person("Ada Lovelace", "Ada Lovelace", "4711", "ada@example.org")
    assert people["Participant 77"] == people["4711"] == people["Ada Lovelace"] == ada


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("student", Person("x", "x")),
        ("login", Person("x")),
        ("id", Person("x", "", "x")),
        ("email", Person("x", email="x")),
    ],
)
def test_one_column_will_do(tmp_path, header, expected):
    """Whatever one column says of somebody is the key as well."""
    assert roster(tmp_path, f"{header}\nx\n")["x"] == expected


def test_accents_are_composed(tmp_path):
    """A decomposed name in the file is the composed one in the result."""
    assert "Zo\u00eb" in roster(tmp_path, "name\nZoe\u0308\n")


@pytest.mark.parametrize("name", ['=HYPERLINK("x")', "Ada, Countess", 'A "B" C'])
def test_names_pass_through_unchanged(tmp_path, name):
    """What a spreadsheet would take for a formula is a name like any other here."""
    quoted = name.replace('"', '""')

    assert roster(tmp_path, f'login,name\na,"{quoted}"\n')["a"].name == name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("login,id\na,1\nb,1\n", r"got '1' in row 2 and in row 3"),
        ("login,name\na,Ann\nA,Bo\n", r"got 'A' in row 2 and in row 3"),
        ("name,email\nAnn,a@x\nBo,A@x\n", r"got 'A@x' in row 2 and in row 3"),
        ("login,id\na,b\nb,1\n", r"got 'b' in row 2 and in row 3"),
        ("login,name\na,Ann\nann,Bo\n", r"got 'ann' in row 2 and in row 3"),
        ("name,id\nAnn,1\nBo,2\nann,\n", r"got 'ann' in row 2 and in row 4"),
        ("name,id\nAnn,\nBo,2\nann,1\n", r"got 'ann' in row 2 and in row 4"),
        ("name,id\nAnn,1\nAnn,2\nAnn,\n", r"got 'Ann' in row 2 and in row 3"),
    ],
    ids=[
        "an id", "a login, in another case", "an address", "one's id is another's login",
        "one's name is another's login",
        "a name, the later without more", "a name, the earlier without more", "a name, one of three without more",
    ],
)  # fmt: skip
def test_what_tells_two_people_apart_must(tmp_path, text, said):
    """Of two people of one login, id or address, and of one name without any of these, nobody can tell who is meant."""
    with pytest.raises(ValueError, match=said):
        roster(tmp_path, text)


CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Attention (77)\n"
    ",,,,,Manual Posting\n"
    "    Points Possible,,,,,10\n"
    '"Lovelace, Ada",5000,S1,alove,A,\n'
    '"Lee, Kim",5005,S2,u005,A,\n'
    '"Lee, Kim",5006,S3,u006,A,\n'
    '"Student, Test",6000,,d3adbeef,A,\n'
)
MOODLE = (
    "Identifier,Full name,ID number,Email address,Status,Grade\n"
    "Participant 10,Ada Lovelace,20240,s0@uni.edu,,\n"
    "Participant 11,Kim Lee,20245,s5@uni.edu,,\n"
    "Participant 12,Kim Lee,20246,s6@uni.edu,,\n"
)
OF_ONE_NAME = {
    "Canvas": (CANVAS, {"u005": "5005 S2", "u006": "5006 S3"}),
    "a Moodle worksheet": (MOODLE, {"20245": "s5@uni.edu Participant|11", "20246": "s6@uni.edu Participant|12"}),
    "a Moodle worksheet without more": (
        "Identifier,Full name,Status,Grade\nParticipant 11,Kim Lee,,\nParticipant 12,Kim Lee,,\n",
        {"Participant 11": "", "Participant 12": ""},
    ),
    "Moodle's participants": (
        '"First name","Last name","ID number","Email address",Groups\n'
        "Ada,Lovelace,20240,s0@uni.edu,\nKim,Lee,20245,s5@uni.edu,\nKim,Lee,,s6@uni.edu,\n",
        {"20245": "s5@uni.edu", "s6@uni.edu": ""},
    ),
    "Gradescope": (
        "First Name,Last Name,SID,Email,Role,Sections\nKim,Lee,20245,s5@uni.edu,Student,\n"
        "Kim,Lee,20246,s6@uni.edu,Student,\n",
        {"20245": "s5@uni.edu", "20246": "s6@uni.edu"},
    ),
    "ours": (
        "student,name,id,email\nkim1,Kim Lee,1,a@x\nkim2,KIM LEE,2,b@x\n",
        {"kim1": "1 a@x", "kim2": "2 b@x"},
    ),
    "ours, where a key is enough": ("student,name\nkim1,Kim Lee\nkim2,Kim Lee\n", {"kim1": "", "kim2": ""}),
}


@pytest.mark.parametrize("form", OF_ONE_NAME)
def test_a_name_that_two_share_is_nobodys(tmp_path, form):
    """Two of one name are two people, found by login, ID or address, whose key is one of these; by the name neither."""
    text, expected = OF_ONE_NAME[form]

    people = roster(tmp_path, text)

    kims = {person.student for person in people.values() if "kim" in person.name.casefold()}
    assert kims == expected.keys()
    for student, marks in expected.items():
        assert {people[mark.replace("|", " ")].student for mark in [*marks.split(), student]} == {student}
    assert not {"lee, kim", "kim lee", "leekim"} & {called.casefold() for called in people}
    if "Lovelace" in text:
        assert people["lovelaceada"] == people["Ada Lovelace"]


def test_a_shared_name_is_not_found_as_the_form_of_another(tmp_path):
    """Two are called "Lee Kim": whoever is "Kim, Lee" in the roster does not get what comes under that name."""
    people = roster(tmp_path, 'login,name\na,Lee Kim\nb,Lee Kim\nc,"Kim, Lee"\n')

    assert "Lee Kim" not in people
    assert people["Kim, Lee"].student == "c"


SPLIT = "LastName,FirstName,ID,Section\nPoints Possible,,,\nHo,Bo,1,A\nLee,Kim,2,A\nLee,Kim,3,A\nStudent,Test,9,A\n"


@pytest.mark.parametrize("text", [CANVAS, SPLIT], ids=["one name", "two names"])
def test_the_test_student_of_canvas_is_nobody(tmp_path, text):
    """The row that Canvas has for a teacher's own trials is no student who sent nothing."""
    people = roster(tmp_path, text)

    assert len({person.student for person in people.values()}) == 3
    assert not any("Test" in called for called in people)


def test_a_row_that_stands_twice_is_one_person(tmp_path):
    """The same row again is no contradiction."""
    assert set(roster(tmp_path, "login,name\na,Ann\na,Ann\n").values()) == {Person("a", "Ann")}


def test_a_form_that_two_names_share_belongs_to_neither(tmp_path):
    """Canvas writes "Ann Lee" and "Lee, Ann" the same: neither is found by it, both as the roster writes them."""
    people = roster(tmp_path, 'login,name\na,Ann Lee\nb,"Lee, Ann"\n')

    assert "leeann" not in people
    assert (people["Ann Lee"].student, people["Lee, Ann"].student) == ("a", "b")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "got an empty file"),
        (b"section,grade\nA,3\n", r"got the columns 'section', 'grade'; expected a column that says who it is"),
        ("name\nZo\u00eb\n".encode("latin-1"), "it is not UTF-8"),
        (b'student,name\nbo,Bo\n"ada,Ada\ncem,Cem\n', "r.csv: row 3: got a quote that is not closed"),
        (b'student,name\n"ada,Ada\nbo,"Bo"\n', "r.csv: row 2: got a quote that is not closed"),
    ],
)
def test_what_is_no_roster_is_an_error(tmp_path, content, said):
    """The message says what was got and what is expected."""
    (tmp_path / "r.csv").write_bytes(content)

    with pytest.raises(ValueError, match=said):
        read_roster(tmp_path / "r.csv")
    with pytest.raises(ValueError, match="No such file"):
        read_roster(tmp_path / "absent.csv")
