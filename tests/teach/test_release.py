import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import nbformat
import pytest

from helpers import cli
from helpers.course import course
from helpers.learn.slices import answer_slice, is_stub
from helpers.teach import notebook_form, solutions
from helpers.teach.course_folder import course_folder, notebooks_folder, solutions_folder
from helpers.teach.release import edition, release

NOTEBOOKS = list(course().notebooks.values())
EXERCISES = list(course().exercises.values())
GRADED = [exercise for exercise in EXERCISES if not exercise.optional]
FIRST = NOTEBOOKS[0]

# A given cell of notebook 3 calls the function of 3.2 like this; 3.3, in which our solution has the same line, comes
# after it.
GIVEN = {"Sa1,A1=head_output(X,head1)"}


def contents(folder):
    """Return the files of a folder by their paths, with forward slashes."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def unpacked(path):
    """Return the files of a zip by their paths below its one top folder."""
    with zipfile.ZipFile(path) as packed:
        names = [name for name in packed.namelist() if not name.endswith("/")]
        assert {name.partition("/")[0] for name in names} == {path.stem}
        return {name.partition("/")[2]: packed.read(name) for name in names}


def cells(content):
    """Return the cells of a notebook's bytes."""
    return nbformat.reads(content.decode(), as_version=4).cells


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Return the course edition: its folder and its zip."""
    return release(tmp_path_factory.mktemp("course") / "attention")


@pytest.fixture(scope="module")
def nbgrader_files(tmp_path_factory):
    """Return the files of the course edition for nbgrader."""
    folder, _ = release(tmp_path_factory.mktemp("nbgrader") / "attention", nbgrader=True)
    return contents(folder)


# --- no solution in any file


def squeezed(text):
    """Return a text as a reader would still recognize it: without white space, with one kind of quotes."""
    return re.sub(r"\s+", "", text).replace('"', "'")


def statements(function):
    """Return each statement of a solution, as it is written and as Python would write it.

    The docstring is the stub's, too. A bare `return A` says nothing.
    """
    source = solutions.source(function)
    (definition,) = ast.parse(source).body
    inside = [node for part in definition.body[1:] for node in ast.walk(part) if isinstance(node, ast.stmt)]
    told = [one for one in inside if not (isinstance(one, ast.Return) and isinstance(one.value, ast.Name))]
    texts = {squeezed(text) for one in told for text in (ast.unparse(one), ast.get_source_segment(source, one))}
    return texts - GIVEN


SECRETS = {exercise.function: statements(exercise.function) for exercise in EXERCISES}


def strings(value):
    """Return the strings inside a value that was read from JSON, in order: the lines of a cell follow one another."""
    if isinstance(value, str):
        return [value]
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for part in inside for text in strings(part)]


def leaks(files, functions=tuple(SECRETS)):
    """Return which solutions stand in which files: any statement, or a second definition beside the stub."""
    found = set()
    for name, content in files.items():
        text = content.decode()
        if name.endswith((".ipynb", ".json")):
            text = "\n".join(strings(json.loads(text)))
        dense = squeezed(text)
        for function in functions:
            stubs = int(name.endswith(f"/{course().notebooks[course().exercises[function].notebook].file}"))
            definitions = len(re.findall(rf"^ *def {function}\(", text, re.MULTILINE))
            if definitions > stubs or any(secret in dense for secret in SECRETS[function]):
                found.add((function, name))
    return found


def test_no_file_of_the_folder_or_the_zip_holds_solution_code(written):
    """In the course edition no statement of a solution stands in any file, and no exercise is defined but as a stub."""
    folder, zipped = written

    assert leaks(contents(folder)) == set()
    assert leaks(unpacked(zipped)) == set()
    assert all(SECRETS.values())


def test_the_edition_for_nbgrader_holds_no_solution_code(nbgrader_files):
    """Nor does it stand in any file of the edition for nbgrader, its folder `source` included."""
    assert leaks(nbgrader_files) == set()


@pytest.mark.parametrize("function", SECRETS)
@pytest.mark.parametrize("place", ["helpers/learn/hints.py", "helpers/course.toml", "notebooks/01_single_head.ipynb"])
def test_a_planted_line_is_found(written, place, function):
    """The search finds each statement of each solution, in code, in the manifest and in a notebook's cell."""
    planted = contents(written[0])[place].decode()
    for statement in ast.parse(solutions.source(function)).body[0].body[1:]:
        line = ast.unparse(statement)
        if squeezed(line) not in SECRETS[function]:
            continue
        if place.endswith(".ipynb"):
            notebook = json.loads(planted)
            notebook["cells"][0]["source"] += [f"\n{part}" for part in line.splitlines()]
            changed = json.dumps(notebook)
        else:
            changed = f"{planted}\n# {line}\n"

        assert (function, place) in leaks({place: changed.encode()}, [function]), line


def test_a_second_definition_is_found(written):
    """The search finds a helper that is named as an exercise, whatever it does."""
    place = "helpers/learn/hints.py"
    changed = contents(written[0])[place] + b"\n    def %s(scores):\n        pass\n" % b"softmax_cols"

    assert leaks({place: changed}) == {("softmax_cols", place)}


# --- what an edition holds


def test_the_zip_is_the_folder(written):
    """The zip holds the files of the folder, under its name."""
    folder, zipped = written

    assert zipped == folder.with_name("attention.zip")
    assert unpacked(zipped) == contents(folder)


def test_what_a_student_gets(written):
    """The course edition has notebooks, helpers and what installs them; nothing that is an author's or a machine's."""
    files = contents(written[0])

    assert {name.partition("/")[0] for name in files} == {
        "LICENSE",
        "LICENSE-CONTENT",
        "Makefile",
        "NOTICE",
        "README.md",
        "environment.yml",
        "helpers",
        "notebooks",
        "pyproject.toml",
        "requirements.lock",
    }
    assert [name for name in files if "__pycache__" in name or name.startswith(".") or "/." in name] == []
    assert {name for name in files if re.fullmatch(r"notebooks/[^/]+", name)} == {
        f"notebooks/{one.file}" for one in NOTEBOOKS
    }
    pictures = {path.name for path in (notebooks_folder() / "figures").iterdir()}
    assert {Path(name).name for name in files if name.startswith("notebooks/figures/")} == pictures


def test_notebooks_are_cleared_and_otherwise_as_they_are(written):
    """No cell has an output or a count; sources, ids and metadata are those of the course."""
    for one in NOTEBOOKS:
        handed_out = nbformat.read(written[0] / "notebooks" / one.file, as_version=4)
        ours = nbformat.read(notebooks_folder() / one.file, as_version=4)
        for cell in [cell for cell in ours.cells if cell.cell_type == "code"]:
            cell.outputs, cell.execution_count = [], None

        assert handed_out == ours


def test_who_installs_the_edition_gets_no_tools_of_an_author(written):
    """Its pyproject.toml installs the same packages and commands, and asks for no linter."""
    text = (written[0] / "pyproject.toml").read_text(encoding="utf-8")
    ours = (course_folder() / "pyproject.toml").read_text(encoding="utf-8")

    assert "ruff" not in text
    assert "playwright" not in text
    for line in ("[project.scripts]", 'attention = "helpers.cli:main"', "[project.entry-points.pytest11]"):
        assert line in text
        assert line in ours
    assert re.search(r"packages = \[.*?\]", text, re.DOTALL)[0] == re.search(r"packages = \[.*?\]", ours, re.DOTALL)[0]


def test_two_zips_are_the_same_bytes(written, tmp_path):
    """A second run gives the same zip, which says of no file when it was written."""
    _, again = release(tmp_path / "attention")

    assert again.read_bytes() == written[1].read_bytes()
    with zipfile.ZipFile(again) as packed:
        assert {entry.date_time for entry in packed.infolist()} == {(2026, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize(
    ("unlock", "modules"), [(["01"], ["single_head"]), (["3", "01", "03"], ["single_head", "two_heads"])]
)
def test_unlocking(tmp_path, unlock, modules):
    """The solutions of the unlocked notebooks are there, those of no other, and the README says which."""
    folder, _ = release(tmp_path / "attention", unlock=unlock)
    files = contents(folder)
    held = {name: content for name, content in files.items() if name.startswith("solutions/")}

    assert sorted(held) == sorted(["solutions/__init__.py", *(f"solutions/{name}.py" for name in modules)])
    assert all(content == (course_folder() / name).read_bytes() for name, content in held.items())
    assert leaks({name: content for name, content in files.items() if name not in held}) == set()
    titles = ", ".join(course().notebooks[name].title for name in modules)
    assert f"This edition holds our solutions of {titles} (" in files["README.md"].decode()


def test_self_study_holds_every_solution_and_no_mistake(tmp_path):
    """In it `solution` and the lending find ours; the typical mistakes stay with the author."""
    folder, _ = release(tmp_path / "attention", "self-study")
    held = {name for name in contents(folder) if name.startswith("solutions/")}

    assert held == {"solutions/__init__.py", *(f"solutions/{one.name}.py" for one in NOTEBOOKS)}
    program = (
        "import helpers, sys; from helpers.learn import ours\n"
        "print(helpers.__file__, *(ours.source(name) is not None for name in sys.argv[1:]))"
    )
    done = run([sys.executable, "-c", program, "project", "stack"], folder, PYTHONPATH=str(folder))
    assert done.stdout.split() == [str(folder / "helpers" / "__init__.py"), "True", "True"]


# --- what is refused


@pytest.mark.parametrize("name", ["attention", "attention.zip"])
def test_nothing_is_overwritten(tmp_path, capsys, name):
    """Where the folder or the zip is there already, that is said, and nothing is touched."""
    (tmp_path / name).write_text("mine", encoding="utf-8")

    assert cli.main(["release", str(tmp_path / "attention")]) == 2
    assert f"{tmp_path / name} is there already, and was not touched." in capsys.readouterr().err
    assert contents(tmp_path) == {name: b"mine"}


@pytest.mark.parametrize("broken", ["_write_folder", "write_zip"])
def test_whole_or_not_at_all(tmp_path, monkeypatch, broken):
    """Where the disk is full in the middle, neither folder nor zip is there, nor anything half done."""

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(f"helpers.teach.release.{broken}", full)

    with pytest.raises(ValueError, match="cannot be written: No space left on device"):
        release(tmp_path / "attention")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--unlock", "07"], "--unlock: got '07', expected numbers of notebooks: 01, 02, 03, 04, 05, 06."),
        (["--unlock", "x"], "--unlock: got 'x', expected"),
        (["--edition", "self-study", "--unlock", "01"], "which holds every solution. Leave --unlock out."),
    ],
)
def test_a_wrong_call(tmp_path, capsys, arguments, said):
    """What cannot be handed out is refused in a sentence, and nothing is written."""
    assert cli.main(["release", str(tmp_path / "attention"), *arguments]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("out", "said"),
    [("a.zip", "got a.zip, expected the name of a folder. a gives a and a.zip."), ("none/a", "Make .*none first")],
)
def test_a_wrong_place(tmp_path, out, said):
    """A name that ends in .zip, and a place in no folder, are refused."""
    with pytest.raises(ValueError, match=said):
        release(tmp_path / out)


def test_a_disk_is_no_place(tmp_path, capsys, monkeypatch):
    """The root of a disk has no name, and no zip can lie beside it."""
    monkeypatch.chdir(tmp_path)

    assert cli.main(["release", tmp_path.anchor]) == 2
    assert f"got {tmp_path.anchor}, expected the name of a new folder." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "unlock", "missing"), [("self-study", [], "02, 03, 04, 05, 06"), ("course", ["01", "02"], "02")]
)
def test_an_edition_cannot_hand_out_what_it_does_not_hold(tmp_path, monkeypatch, kind, unlock, missing):
    """Where solutions that were asked for are not installed, that is said; without them the edition is written."""
    held = tmp_path / "solutions"
    held.mkdir()
    for name in ("__init__.py", "single_head.py"):
        shutil.copy(solutions_folder() / name, held)
    monkeypatch.setattr(edition, "solutions_folder", lambda: held)

    with pytest.raises(ValueError, match=f"expected solutions of the notebooks {missing} in .*Run the command in the"):
        release(tmp_path / "attention", kind, unlock)
    assert [path.name for path in release(tmp_path / "attention", unlock=["01"])] == ["attention", "attention.zip"]


@pytest.mark.parametrize(
    ("id_", "source"),
    [
        ("weighted_values", solutions.source("weighted_values")),
        ("weighted_values", "def NAME(A, V):\n    raise NotImplementedError\n\n\ndef mine(A, V):\n    return V @ A"),
        ("two_keys-predict", 'predict("two_keys", "a", why="")'),
        (None, "weighted_values(np.eye(2), np.eye(2))"),
    ],
    ids=["an answer", "an answer beside the stub", "a guess", "a cell of one's own"],
)
def test_an_instructors_own_answers_are_not_handed_out(tmp_path, monkeypatch, id_, source):
    """A notebook that somebody has worked in is refused, by the name of its cell."""
    shutil.copytree(notebooks_folder(), tmp_path / "notebooks")
    stored = nbformat.read(notebooks_folder() / FIRST.file, as_version=4)
    if id_ is None:
        stored.cells.append(nbformat.v4.new_code_cell(source, id="mine"))
    else:
        (cell,) = (cell for cell in stored.cells if cell.id == id_)
        cell.source = source.replace("NAME", id_)
    nbformat.write(stored, tmp_path / "notebooks" / FIRST.file)
    monkeypatch.setattr(edition, "notebooks_folder", lambda: tmp_path / "notebooks")

    with pytest.raises(ValueError, match=f"01_single_head.ipynb: got the cell '{id_ or 'mine'}' changed"):
        release(tmp_path / "attention")


# --- the student's README and Makefile


@pytest.mark.parametrize("kind", ["course", "self-study"])
def test_what_the_readme_names_is_there(tmp_path, kind):
    """Its files are in the edition, its two commands in the Makefile, and its check says what ours says."""
    folder, _ = release(tmp_path / "attention", kind)
    readme, makefile = ((folder / name).read_text(encoding="utf-8") for name in ("README.md", "Makefile"))
    exercise = course().exercises["softmax_cols"]

    for target in re.findall(r"\]\(([^)]+)\)", readme):
        assert (folder / target).is_file(), target
    assert re.findall(r"^make (\w+)$", readme, re.MULTILINE) == ["lab", "test"]
    assert re.findall(r"^(\w+):", makefile, re.MULTILINE) == ["lab", "test"]
    assert f"✓ softmax_cols: {exercise.right}\n  {exercise.why}\n" in readme
    assert ("hand in the file" in readme) == (kind == "course")
    assert ("give_up=True" in readme) == (kind == "self-study")


# --- nbgrader


def nbgrader_metadata(content):
    """Return nbgrader's metadata of the cells that have it, by the cells' ids."""
    return {cell.id: cell.metadata.nbgrader for cell in cells(content) if "nbgrader" in cell.metadata}


@pytest.mark.parametrize("folder", ["notebooks/{0}.ipynb", "source/{0}/{0}.ipynb"])
@pytest.mark.parametrize("one", NOTEBOOKS, ids=lambda one: one.name)
def test_cell_metadata_is_of_nbgraders_schema_3(nbgrader_files, one, folder):
    """The fields, their types and the pattern of ids are those of nbgraderformat/v3.json in nbgrader 0.9.6."""
    found = nbgrader_metadata(nbgrader_files[folder.format(Path(one.file).stem)])
    types = {"schema_version": int, "grade_id": str, "cell_type": str, "points": int}
    types |= dict.fromkeys(["grade", "locked", "solution", "task"], bool)

    assert len({entry["grade_id"] for entry in found.values()}) == len(found)
    for entry in found.values():
        assert {name: type(value) for name, value in entry.items()} == {name: types[name] for name in entry}
        assert {"schema_version", "grade_id", "grade", "locked", "solution"} <= set(entry)
        assert entry["schema_version"] == 3
        assert re.fullmatch(r"[a-zA-Z0-9_\-]+", entry["grade_id"])
        assert entry["cell_type"] == "code"
        assert ("points" in entry) == entry["grade"]


@pytest.mark.parametrize("one", NOTEBOOKS, ids=lambda one: one.name)
def test_what_nbgrader_grades(nbgrader_files, one):
    """Every exercise but an option is a solution cell and a locked test with its points; no other cell is either."""
    found = nbgrader_metadata(nbgrader_files[f"notebooks/{one.file}"])
    graded = [exercise for exercise in GRADED if exercise.notebook == one.name]

    assert {id_ for id_, entry in found.items() if entry["solution"]} == {exercise.function for exercise in graded}
    assert {id_: entry["points"] for id_, entry in found.items() if entry["grade"]} == {
        f"{exercise.function}-check": exercise.points for exercise in graded
    }
    assert all(entry["locked"] != entry["solution"] for entry in found.values())
    imports = {id_ for id_, entry in found.items() if not entry["grade"] and not entry["solution"]}
    assert imports == ({"setup"} if one is FIRST else {"setup", "earlier"})


@pytest.mark.parametrize("one", NOTEBOOKS, ids=lambda one: one.name)
def test_the_steps_survive_nbgraders_own_stub(nbgrader_files, one):
    """What nbgrader puts between its marks gives a cell that a check calls not started, with every TODO line."""
    name = Path(one.file).stem
    handed_out = {cell.id: cell.source for cell in cells(nbgrader_files[f"notebooks/{one.file}"])}
    for cell in cells(nbgrader_files[f"source/{name}/{one.file}"]):
        if not cell.metadata.get("nbgrader", {}).get("solution"):
            assert cell.source == handed_out[cell.id]
            continue
        # As nbgrader 0.9.6 does: its two lines in the place of the region, indented as the region's first line.
        region = re.compile(r"^( *)### BEGIN SOLUTION\n.*?### END SOLUTION$", re.MULTILINE | re.DOTALL)
        generated, count = region.subn(r"\1# YOUR CODE HERE\n\1raise NotImplementedError()", cell.source)
        assert count == 1
        assert is_stub(answer_slice(generated, cell.id))
        assert re.findall("TODO.*", generated) == re.findall("TODO.*", handed_out[cell.id])
        assert "TODO 1" in generated


def test_an_assignment_has_its_pictures(nbgrader_files):
    """Each assignment's folder holds the pictures that its notebook shows."""
    for one in NOTEBOOKS:
        folder = f"source/{Path(one.file).stem}"
        prose = "\n".join(cell.source for cell in cells(nbgrader_files[f"{folder}/{one.file}"]))
        shown = set(re.findall(r"\]\((figures/.*?)\)", prose))

        assert shown
        assert {name for name in nbgrader_files if name.startswith(f"{folder}/figures/")} == {
            f"{folder}/{picture}" for picture in shown
        }


def test_marks_are_nbgraders_only(written):
    """The plain edition's notebooks are in the stored form: without nbgrader's metadata and marks."""
    for one in NOTEBOOKS:
        content = (written[0] / "notebooks" / one.file).read_bytes()

        assert nbgrader_metadata(content) == {}
        assert b"BEGIN SOLUTION" not in content
        assert notebook_form.problems(nbformat.reads(content.decode(), as_version=4)) == []


# --- a student


def run(command, folder, **environment):
    """Run a command as a student does, in a folder, without what this process was told."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "ATTENTION_", "JPY_", "PYTHON"))
    }
    return subprocess.run(
        command,
        cwd=folder,
        env={**clean, "PYTHONIOENCODING": "utf-8", "OPENBLAS_NUM_THREADS": "1", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


class Student:
    """Somebody with the unpacked zip, and what they have installed of it in a fresh environment."""

    def __init__(self, zipped, folder):
        shutil.unpack_archive(zipped, folder)
        self.folder = folder / zipped.stem
        self.notebook = self.folder / "notebooks" / FIRST.file
        self.bin = self.folder / ".venv" / ("Scripts" if os.name == "nt" else "bin")
        venv.create(self.folder / ".venv", symlinks=os.name != "nt")
        # The packages of requirements.lock are those of this environment: as folders to search, so that no .pth file
        # in them is obeyed, and least of all the one that leads to the course itself.
        others = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
        own = sysconfig.get_path("purelib", "venv", {"base": str(self.folder / ".venv")})
        Path(own, "others.pth").write_text("\n".join(others) + "\n", encoding="utf-8")
        install = ["install", "--quiet", "--no-index", "--no-build-isolation", "--no-deps", "--editable", "."]
        self.installed = run([sys.executable, "-m", "pip", "--python", self.bin / "python", *install], self.folder)

    def says(self, *command):
        """Run a command of the environment in the edition's folder; return it."""
        return run([self.bin / command[0], *command[1:]], self.folder)

    def writes(self, **answers):
        """Put sources into the TODO cells of notebook 1, run all cells in a kernel, save; return what cells show."""
        notebook = nbformat.read(self.notebook, as_version=4)
        for cell in notebook.cells:
            cell.source = answers.get(cell.id, cell.source)
        nbformat.write(notebook, self.notebook)
        ran = self.says("python", "-c", RUN_ALL, "--allow-errors", "--inplace", str(self.notebook))
        assert ran.returncode == 0, ran.stderr
        shown = {}
        for cell in nbformat.read(self.notebook, as_version=4).cells:
            lines = [output.get("text") or "\n".join(output.get("traceback", ())) for output in cell.get("outputs", ())]
            shown[cell.id] = "\n".join(lines)
        return shown

    def makes_test(self):
        """Run the line of `make test` on notebook 1."""
        (line,) = re.findall(r"^test:.*\n\t(.+)$", (self.folder / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        command = line.replace("$(BIN)/", "").replace("$(NOTEBOOKS)", str(self.notebook)).split()
        return self.says(*command)


RUN_ALL = "from nbclient.cli import main; main()"


@pytest.mark.xdist_group("release")  # beside nothing of its kind: it installs, and runs five processes
def test_a_student_with_the_course_edition(written, tmp_path):
    """From the zip through an installation, wrong and right answers, `attention check` and `make test`, to done."""
    student = Student(written[1], tmp_path)
    assert student.installed.returncode == 0, student.installed.stderr
    where = student.says("python", "-c", "import helpers, my_attention; print(helpers.__file__)").stdout.strip()
    assert where == str(student.folder / "helpers" / "__init__.py")

    again = student.says("attention", "release", str(tmp_path / "again"))
    assert again.returncode == 0, again.stderr
    assert contents(tmp_path / "again") == contents(written[0])
    refused = student.says("attention", "release", str(tmp_path / "all"), "--edition", "self-study")
    assert refused.returncode == 2
    assert "This is an edition without them." in refused.stderr

    right = {exercise.function: solutions.source(exercise.function) for exercise in course().exercises_of(FIRST.name)}
    wrong = right | {"softmax_cols": right["softmax_cols"].replace("axis=0", "axis=1")}
    shown = student.writes(**wrong)
    mine = student.folder / "notebooks" / "my_attention.py"
    assert shown["project-check"].startswith("✓ project: ")
    assert "✗ softmax_cols: every row sums to 1, the columns do not" in shown["softmax_cols-check"]
    assert "(exercise 1.1," in mine.read_text(encoding="utf-8")
    assert "(exercise 1.2," not in mine.read_text(encoding="utf-8")
    checked, tested = student.says("attention", "check", str(student.notebook)), student.makes_test()
    assert checked.returncode == 1
    assert "✗ softmax_cols: every row sums to 1" in checked.stdout
    assert tested.returncode == 1
    assert "0 of 1 notebooks are all right." in tested.stdout
    assert "softmax_cols-check: every row sums to 1, the columns do not" in tested.stdout

    shown = student.writes(**right)
    for name in right:
        assert shown[f"{name}-check"].startswith(f"✓ {name}: ")
        assert f"# --- end of {name}\n" in mine.read_text(encoding="utf-8")
    assert "They agree." in shown["self_attention-show"]
    checked, tested = student.says("attention", "check", str(student.notebook)), student.makes_test()
    assert checked.returncode == 0
    assert "5 of 5 exercises pass." in checked.stdout
    assert tested.returncode == 0, tested.stdout
    assert "1 of 1 notebooks are all right." in tested.stdout
