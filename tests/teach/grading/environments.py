"""An environment for each tool, made with pip from the versions that stand here."""

import hashlib
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from helpers.teach.course_folder import course_folder

# What a notebook of the course needs to run is the same everywhere.
NOTEBOOK = ("numpy==2.4.6", "matplotlib==3.11.2", "ipykernel==7.4.0", "ipywidgets==8.1.9")
VERSIONS = {
    "ours": (
        *NOTEBOOK,
        "nbformat==5.11.1",
        "nbclient==0.11.0",
        "nbval==0.11.0",
        "pytest==9.2.0",
        "jinja2==3.1.6",
        "tqdm==4.70.1",
        *(("pyseccomp==0.1.2",) if sys.platform == "linux" else ()),
    ),
    "nbval": (*NOTEBOOK, "nbval==0.11.0", "pytest==9.2.0", "pytest-xdist==3.8.0"),
    "nbgrader": (*NOTEBOOK, "nbgrader==0.9.6"),
    "otter": (*NOTEBOOK, "otter-grader==7.0.0"),
    "floor": NOTEBOOK,
}


@dataclass(frozen=True)
class Environment:
    """A virtual environment.

    Attributes
    ----------
    tool : str
        Whose it is.
    folder : Path
        Where it lies.
    """

    tool: str
    folder: Path

    def command(self, *words: str | Path) -> list[str]:
        """Return a command of this environment, its program by its whole path."""
        program, *rest = map(str, words)
        return [str(self.folder / "bin" / program), *rest]

    def variables(self) -> dict[str, str]:
        """Return all the environment variables of a measured command. Nothing of the user's own settings is in them."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        return {
            "PATH": f"{self.folder / 'bin'}:/usr/bin:/bin",
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "OPENBLAS_NUM_THREADS": "1",
            "JUPYTER_PREFER_ENV_PATH": "1",  # its own kernel, not one that was installed for the user
        }

    def versions(self) -> list[str]:
        """Return each installed package as pip has it: `numpy==2.4.6`."""
        return (self.folder / "freeze.txt").read_text(encoding="utf-8").splitlines()


def environment(tool: str, cache: Path) -> Environment:
    """Return the environment of a tool, made now unless the cache has it.

    Parameters
    ----------
    tool : str
        One of `VERSIONS`.
    cache : Path
        The folder that keeps them. One that was made from other versions, or for another copy of the course, is not
        used again.
    """
    wanted = "\n".join([*VERSIONS[tool], sys.version, str(course_folder())])
    made = Environment(tool, cache / f"{tool}-{hashlib.sha256(wanted.encode()).hexdigest()[:8]}")
    if not (made.folder / "freeze.txt").is_file():
        print(f"installing {', '.join(VERSIONS[tool])}", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", made.folder], check=True)
        pip = made.command("python", "-m", "pip", "-qq", "--disable-pip-version-check")
        # pip's own settings (an index, a certificate) are the user's; a PYTHONPATH is not.
        variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        subprocess.run([*pip, "install", *VERSIONS[tool]], check=True, env=variables)
        subprocess.run([*pip, "install", "--no-deps", "--editable", course_folder()], check=True, env=variables)
        frozen = subprocess.run(
            [*pip, "freeze", "--exclude-editable"], check=True, env=variables, capture_output=True, text=True
        )
        (made.folder / "freeze.txt").write_text(frozen.stdout, encoding="utf-8")
    return made
