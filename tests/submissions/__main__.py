"""`python -m tests.submissions FOLDER`: write every submission as a file, for whoever wants to look."""

import sys
from pathlib import Path

from . import cases, write

if len(sys.argv) != 2:
    sys.exit("usage: python -m tests.submissions FOLDER")
write(Path(sys.argv[1]))
print(f"{len(cases())} submissions in {sys.argv[1]}")
