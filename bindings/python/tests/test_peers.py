"""Lists in boxes that repeat, beside ase and matscipy: rows, distances and shifts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import widephase as wp

Rows = dict[tuple[int, ...], float]


def peer(name: str) -> Callable[..., tuple[Any, ...]]:
    """The call for lists of the package, with the arguments periodic, cell, positions and r."""
    if name == "ase":
        return pytest.importorskip("ase.neighborlist").primitive_neighbor_list
    listed = pytest.importorskip("matscipy.neighbours").neighbour_list
    return lambda names, pbc, cell, positions, cutoff: listed(
        names, positions=positions, cell=cell, pbc=pbc, cutoff=cutoff
    )


def theirs(name: str, positions: np.ndarray, r: float, box: tuple[float | None, ...]) -> Rows:
    """Rows and shifts with their distances, in space with all positions in one plane."""
    periodic = [side is not None for side in box] + [False]
    cell = np.diag([10.0 if side is None else side for side in box] + [10.0])
    space = np.zeros((len(positions), 3))
    space[:, :2] = positions
    i, j, distances, shifts = peer(name)("ijdS", periodic, cell, space, r)
    assert not shifts[:, 2].any()
    rows = np.column_stack([i, j, shifts[:, :2]]).tolist()
    return {tuple(row): distance for row, distance in zip(rows, distances.tolist())}


@pytest.mark.parametrize("dtype", (np.float32, np.float64))
@pytest.mark.parametrize("name", ("ase", "matscipy"))
def test_300_boxes_beside_peers(name, dtype, rng):
    peer(name)
    # Positions are up to a few hundred from the box, where a float32 is off by 2e-5.
    slack = 1e-3 if dtype == np.float32 else 1e-11
    for number in range(300):
        sides = rng.uniform(2.0, 20.0, 2).tolist()
        box = (sides[0], None if number % 4 == 3 else sides[1])
        n, r = int(rng.integers(1, 25)), float(rng.uniform(0.2, 5.0))
        positions = rng.uniform(-200.0, 300.0, (n, 2))
        if box[1] is None:
            positions[:, 1] = rng.uniform(-5.0, 15.0, n)
        positions = positions.astype(dtype)
        near = wp.neighbors(positions, r, periodic=box)
        rows = np.column_stack([near.pairs(), near.shifts]).tolist()
        ours = {tuple(row): distance for row, distance in zip(rows, near.distances.tolist())}
        assert len(ours) == len(rows) and near.distances.dtype == dtype
        wider = theirs(name, positions, r + slack, box)
        assert ours.keys() <= wider.keys()
        missing = [distance for row, distance in wider.items() if row not in ours]
        assert all(distance > r - slack for distance in missing)
        for row, distance in ours.items():
            assert abs(distance - wider[row]) < slack
