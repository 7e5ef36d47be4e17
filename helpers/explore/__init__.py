"""Explorers: the key idea of each notebook, moved by sliders, computed by the student's own functions.

One module an explorer, named as its notebook. Their pictures come from `helpers.draw`; ipywidgets are needed here only.
"""

from helpers.explore.concatenation import concatenation
from helpers.explore.positions import positions
from helpers.explore.scaling import scaling
from helpers.explore.single_head import single_head

# Their own names say what they are: `transformer_layer` and `two_heads` are exercises, defined in a stub and a solution
# only.
from helpers.explore.transformer_layer import transformer_layer_explorer as transformer_layer
from helpers.explore.two_heads import two_heads_explorer as two_heads

__all__ = ["concatenation", "positions", "scaling", "single_head", "transformer_layer", "two_heads"]
