"""Code for type checkers: read by mypy and pyright, never run."""

from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

import widephase as wp

positions = np.zeros((3, 2), dtype=np.float32)
discs = wp.circles(positions, 0.5)
wp.circles(positions[:, 0], positions[:, 1], radius=[1.0, 2.0, 3.0])
wp.circles(x=[0.0], y=[0.0], radius=1)
wp.boxes(min=positions, max=positions + 1)

assert_type(discs, wp.Shapes)
assert_type(wp.pairs(discs), npt.NDArray[np.uint32])
assert_type(wp.count(discs, against=wp.Index(discs)), int)
assert_type(wp.neighbors(positions, 1.0), wp.Lists)
assert_type(wp.neighbors(positions, 1.0, distances=True), wp.Distances)
assert_type(wp.neighbors(positions, 1.0, periodic=(10, 10)), wp.PeriodicNeighbors)
assert_type(wp.Detector(level="avx2").neighbors(discs, 1.0), wp.Lists)

near = wp.neighbors(positions, 1.0)
assert_type(near.indptr, npt.NDArray[np.int64])
assert_type(near[0], npt.NDArray[np.uint32])
assert_type([rows.dtype for rows in near], list[np.dtype[np.uint32]])
assert_type(wp.neighbors(positions, 1.0, against=positions), wp.Distances)
assert_type(wp.k_nearest_periodic(positions, 3, (10, 10)), wp.PeriodicNeighbors)
rows, distances = wp.Index(discs).k_nearest(positions, k=3)
assert_type(rows, npt.NDArray[np.uint32])
assert_type(distances, npt.NDArray[Any])
hits = wp.Index(discs).cast_rays(positions, (1.0, 0.0))
assert_type(hits.fraction, npt.NDArray[np.float32])
scan = wp.Index(discs).scan(wp.Fan(360, max_range=5.0), positions)
assert_type(scan.range, npt.NDArray[np.float32])

world = wp.World(margin=0.1)
assert_type(world.insert(discs, motion="static"), npt.NDArray[np.uint64])
step = world.step()
assert_type(world.handles_of(step.pairs), npt.NDArray[np.uint64])
assert_type(step.pairs, npt.NDArray[np.uint32])
assert_type(wp.World.restore(world.snapshot()), wp.World)
assert_type(wp.KDTree(positions).query_pairs(1.0), set[tuple[int, int]])

ring = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
areas = wp.outlines([[ring]])
assert_type(areas, wp.Shapes)
assert_type(wp.outlines(positions, counts=[3], rings=[1]), wp.Shapes)
assert_type(wp.compounds(discs, counts=[1, 2]), wp.Shapes)
assert_type(wp.chains([ring], closed=True, sides="left"), wp.Shapes)
assert_type(wp.from_shapely([]), wp.Shapes)
assert_type(wp.distance(discs, positions), npt.NDArray[Any])
assert_type(wp.overlap_area(discs, areas, wp.pairs(discs)), npt.NDArray[np.float32])
assert_type(wp.closest_points(discs, areas), wp.ClosestPoints)
assert_type(wp.swept_pairs(discs, positions, start="any"), npt.NDArray[Any])
assert_type(world.move_and_slide(world.handles, positions).positions, npt.NDArray[np.float64])
assert_type(wp.tiles(discs, 4)[0].pairs(), npt.NDArray[np.uint32])
