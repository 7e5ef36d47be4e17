"""Where Landlock is missing: the warm process in a sandbox of Bubblewrap's, in which there is little to be found."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

import helpers

_SYSTEM = (
    "/usr/lib",
    "/usr/lib64",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/sbin/ldconfig",
)  # shared libraries, and how they are found
_UNSEEN = ("true_values", "teach/figures")  # of `helpers`, what the warm process does not need


def bubblewrapped() -> list[str]:
    """Return the beginning of a command that runs the rest of it in a sandbox.

    Nothing can be written there. There is no network, no process of others, no `/proc`; of the file system Python, its
    packages and `helpers` without its true values are left.
    """
    course = Path(helpers.__file__).resolve().parent
    paths = sysconfig.get_paths()
    folders = {Path(paths[kind]) for kind in ("stdlib", "platstdlib", "purelib", "platlib", "scripts")}
    interpreter = Path(sys.executable)
    folders |= {interpreter.parent, interpreter.resolve().parent, Path(sys.base_prefix) / "lib"}
    folders |= {Path(entry) for entry in sys.path if "site-packages" in entry}
    seen = [*sorted({str(folder) for folder in folders if folder.is_dir()}), str(course)]
    if (settings := Path(sys.prefix) / "pyvenv.cfg").is_file():
        seen.append(str(settings))
    hidden = [str(course / part) for part in _UNSEEN]
    return [
        "bwrap",
        *("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--chdir", "/"),
        *(word for path in _SYSTEM for word in ("--ro-bind-try", path, path)),
        *(word for path in seen for word in ("--ro-bind", path, path)),
        *(word for path in hidden for word in ("--tmpfs", path, "--remount-ro", path)),
        *("--dev-bind", "/dev/null", "/dev/null", "--dev-bind", "/dev/urandom", "/dev/urandom"),
        *("--remount-ro", "/"),
    ]
