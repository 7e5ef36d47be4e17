"""Explorers: the key idea of each notebook, moved by sliders, computed by the student's own functions.

One module an explorer, named as its notebook. Their pictures come from `helpers.draw`; ipywidgets are needed here only.
"""

from helpers.explore.scaling import scaling
from helpers.explore.single_head import single_head
from helpers.explore.transformer_layer import transformer_layer

__all__ = ["scaling", "single_head", "transformer_layer"]
