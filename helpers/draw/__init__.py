"""Pictures of attention: pure functions from arrays to SVG strings, the same bytes for the same numbers."""

from helpers.draw.bars import bars
from helpers.draw.curves import curves
from helpers.draw.gauges import gauges
from helpers.draw.heat import heat_map
from helpers.draw.histogram import histogram
from helpers.draw.plane import Arrow, plane

__all__ = ["Arrow", "bars", "curves", "gauges", "heat_map", "histogram", "plane"]
