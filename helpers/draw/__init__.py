"""Pictures of attention: pure functions from arrays to SVG strings, the same bytes for the same numbers."""

from helpers.draw.bars import bars
from helpers.draw.board import board
from helpers.draw.butterfly import butterfly
from helpers.draw.curves import curves
from helpers.draw.gauges import gauges
from helpers.draw.heat import heat_map
from helpers.draw.histogram import histogram
from helpers.draw.mixture import mixture
from helpers.draw.mosaic import mosaic
from helpers.draw.pipeline import pipeline
from helpers.draw.plane import Arrow, plane
from helpers.draw.shares import shares
from helpers.draw.tiles import tiles
from helpers.draw.waterfall import waterfall

__all__ = [
    "Arrow",
    "bars",
    "board",
    "butterfly",
    "curves",
    "gauges",
    "heat_map",
    "histogram",
    "mixture",
    "mosaic",
    "pipeline",
    "plane",
    "shares",
    "tiles",
    "waterfall",
]
