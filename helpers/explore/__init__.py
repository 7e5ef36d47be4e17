"""Explorers: the key idea of each notebook, moved by sliders, computed by the student's own functions.

One module an explorer, named as its notebook. Their pictures come from `helpers.draw`; ipywidgets are needed here only.
"""

from helpers.explore.concatenation import concatenation
from helpers.explore.positions import positions
from helpers.explore.scaling import scaling
from helpers.explore.single_head import single_head

# Its own name says what it is: `two_heads` is an exercise, defined in its stub and its solution only.
from helpers.explore.two_heads import two_heads_explorer as two_heads

__all__ = ["concatenation", "positions", "scaling", "single_head", "two_heads"]
