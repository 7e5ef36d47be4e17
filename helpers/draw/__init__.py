"""Pictures of attention: pure functions from arrays to SVG strings, the same bytes for the same numbers."""

from helpers.draw.bars import bars
from helpers.draw.board import board
from helpers.draw.heat import heat_map
from helpers.draw.mixture import mixture
from helpers.draw.plane import Arrow, plane

__all__ = ["Arrow", "bars", "board", "heat_map", "mixture", "plane"]
