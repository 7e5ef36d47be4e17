"""Explorers: the key idea of each notebook, moved by sliders, computed by the student's own functions.

One module an explorer, named as its notebook. Their pictures come from `helpers.draw`; ipywidgets are needed here only.
"""

from helpers.explore.positions import positions
from helpers.explore.scaling import scaling
from helpers.explore.single_head import single_head

__all__ = ["positions", "scaling", "single_head"]
