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
        ("login,name\na,Ann Lee\nb,Bo Wu\nc,ann lee\n", r"got 'ann lee' in row 2 and in row 4"),
        ("login,id\na,1\nb,1\n", r"got '1' in row 2 and in row 3"),
        ("login,id\na,b\nb,1\n", r"got 'b' in row 2 and in row 3"),
    ],
    ids=["a name, in another case", "an id", "one's id is another's login"],
)
def test_two_people_of_one_name_are_an_error(tmp_path, text, said):
    """Who is meant cannot be told; the message names both rows."""
    with pytest.raises(ValueError, match=said):
        roster(tmp_path, text)


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
