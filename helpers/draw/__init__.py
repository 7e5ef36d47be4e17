"""Pictures of attention: pure functions from arrays to SVG strings, the same bytes for the same numbers."""

from helpers.draw.bars import bars
from helpers.draw.butterfly import butterfly
from helpers.draw.heat import heat_map
from helpers.draw.pipeline import pipeline
from helpers.draw.plane import Arrow, plane
from helpers.draw.waterfall import waterfall

__all__ = ["Arrow", "bars", "butterfly", "heat_map", "pipeline", "plane", "waterfall"]
