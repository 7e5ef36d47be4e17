"""What may import what, and what an import costs."""

import ast
import subprocess
import sys

from helpers.teach.course_folder import course_folder

HELPERS = course_folder() / "helpers"
OURS_AND_NUMPY = {"numpy", "helpers", "__future__"} | set(sys.stdlib_module_names)


def imported(path, *, everywhere=True):
    """Return the modules a file imports: anywhere in it, or at its top level only."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = set()
    for node in ast.walk(tree) if everywhere else tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""  # empty in `from . import ...`
            found |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return found


def tops(modules):
    """Return the packages that modules belong to."""
    return {module.partition(".")[0] for module in modules}


def inside(modules, package):
    """Return those of the modules that belong to a package."""
    return {module for module in modules if module == package or module.startswith(f"{package}.")}


def test_drawing_imports_nothing_of_the_rest():
    """Pictures are pure functions: `helpers.draw` knows of numpy, the standard library and itself."""
    for path in HELPERS.glob("draw/*.py"):
        modules = imported(path)
        assert tops(modules) <= OURS_AND_NUMPY, path.name
        assert inside(modules, "helpers") == inside(modules, "helpers.draw"), path.name


def test_the_students_side_does_not_import_the_teachers():
    """`helpers.learn` imports `helpers.teach` in one place, which asks whether this edition holds a solution."""
    askers = [path.name for path in HELPERS.glob("learn/*.py") if inside(imported(path), "helpers.teach")]
    at_import = [
        path.name for path in HELPERS.glob("learn/*.py") if inside(imported(path, everywhere=False), "helpers.teach")
    ]

    assert askers == ["ours.py"]
    assert at_import == []


def test_explorers_need_numpy_and_widgets_only():
    """`helpers.explore` imports no matplotlib, and of `helpers` nothing of the teacher's side."""
    for path in HELPERS.glob("explore/*.py"):
        modules = imported(path)
        assert tops(modules) <= OURS_AND_NUMPY | {"ipywidgets", "IPython"}, path.name
        assert not inside(modules, "helpers.teach"), path.name


def test_nothing_imports_the_solutions_by_name():
    """Solutions are reached by the course folder's path only, so that an edition without them imports cleanly."""
    files = [*HELPERS.rglob("*.py"), *(course_folder() / "tests").rglob("*.py")]

    assert [path.name for path in files if inside(imported(path), "solutions")] == []


def test_an_editable_install_does_not_make_the_solutions_importable():
    """From another folder, `import solutions` fails: the installation maps `helpers` and nothing else."""
    run = subprocess.run(
        [sys.executable, "-c", "import solutions"], cwd="/", capture_output=True, text=True, check=False
    )

    assert "No module named 'solutions'" in run.stderr


def test_importing_helpers_brings_numpy_and_the_standard_library_only():
    """No pyplot, no IPython, no widgets: what `import helpers` and its company load comes from a file of these."""
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"  # what the interpreter loads by itself, as for an editable install
        "import helpers, helpers.draw, my_attention\n"
        # What Cython makes inside numpy, and `my_attention`, have no file.
        "print(*(name for name in set(sys.modules) - before if getattr(sys.modules[name], '__file__', None)))\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert {"helpers", "numpy"} <= tops(run.stdout.split()) <= OURS_AND_NUMPY
