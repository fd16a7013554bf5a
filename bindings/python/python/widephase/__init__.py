"""Which of these thousands to millions of 2D shapes touch?

Shapes are columns of numpy, results are arrays. ``docs/python.md`` is the guide.

>>> import numpy as np
>>> import widephase as wp
>>> positions = np.array([[0, 0], [1.5, 0], [9, 0]], dtype=np.float32)
>>> wp.pairs(wp.circles(positions, radius=1.0))
array([[0, 1]], dtype=uint32)
>>> wp.neighbors(positions, 8.0)[0].tolist()
[1]
>>> index = wp.Index(wp.circles(positions, radius=1.0))
>>> index.cast_rays([[4.0, 0.0]], [[1.0, 0.0]]).fraction.tolist()
[4.0]
"""

from __future__ import annotations

import os as _os

from . import _widephase
from ._detector import (
    Detector,
    Level,
    Touching,
    contacts,
    count,
    k_nearest_periodic,
    neighbors,
    pairs,
    pairs_periodic,
    swept_pairs,
)
from ._errors import LimitError, ShapeError
from ._groups import PairDiff, adjacency, islands, levels, set_threads
from ._index import Fan, Index
from ._kdtree import KDTree
from ._plot import plot
from ._ragged import chains, compounds, half_planes, outlines, rounded_boxes
from ._results import (
    CONTACT,
    CONTACT64,
    IMPACT,
    IMPACT64,
    NO_ROW,
    PAIR_EVENT,
    SLIDE_HIT,
    STOP_EVENT,
    STOP_REASONS,
    Changes,
    Distances,
    HitLists,
    Hits,
    Islands,
    Lists,
    Nearest,
    PeriodicNeighbors,
    PeriodicPairs,
    Scan,
    Slides,
)
from ._rows import ClosestPoints, closest_points, distance, overlap_area
from ._shapely import from_shapely
from ._shapes import (
    Filter,
    Shapes,
    boxes,
    capsules,
    circles,
    concat,
    obbs,
    points,
    polygons,
    segments,
)
from ._tiles import Tile, tiles
from ._world import Motion, Step, World

__all__ = [
    "CONTACT",
    "CONTACT64",
    "IMPACT",
    "IMPACT64",
    "NO_ROW",
    "PAIR_EVENT",
    "SLIDE_HIT",
    "STOP_EVENT",
    "STOP_REASONS",
    "Changes",
    "ClosestPoints",
    "Detector",
    "Distances",
    "Fan",
    "Filter",
    "HitLists",
    "Hits",
    "Index",
    "Islands",
    "KDTree",
    "Level",
    "LimitError",
    "Lists",
    "Motion",
    "Nearest",
    "PairDiff",
    "PeriodicNeighbors",
    "PeriodicPairs",
    "Scan",
    "ShapeError",
    "Shapes",
    "Slides",
    "Step",
    "Tile",
    "Touching",
    "World",
    "adjacency",
    "boxes",
    "capsules",
    "chains",
    "circles",
    "closest_points",
    "compounds",
    "concat",
    "contacts",
    "count",
    "distance",
    "from_shapely",
    "half_planes",
    "islands",
    "k_nearest_periodic",
    "levels",
    "neighbors",
    "obbs",
    "outlines",
    "overlap_area",
    "pairs",
    "pairs_periodic",
    "plot",
    "points",
    "polygons",
    "rounded_boxes",
    "segments",
    "set_threads",
    "swept_pairs",
    "tiles",
]

# A forked process has no threads but the thread that forked.
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_widephase.after_fork)


def __getattr__(name: str) -> str:
    if name == "__version__":
        from importlib import metadata

        return metadata.version("widephase")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
