"""Boxes that repeat, beside brute force: shifts of the positions as given, in the dtype given."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import widephase as wp

DTYPES = (np.float32, np.float64)


def images(positions: np.ndarray, r: float, sides: np.ndarray, most: int) -> set[tuple[int, ...]]:
    """All (i, j, shift x, shift y) that are within a distance, in float64 of the positions."""
    at = positions.astype(np.float64)
    periods = np.where(sides > 0, np.floor(at / np.where(sides > 0, sides, 1)), 0).astype(int)
    inside = at - periods * sides
    found = set()
    ways = [range(-most, most + 1) if side > 0 else (0,) for side in sides]
    for shift in itertools.product(*ways):
        way = inside[None] + np.array(shift) * sides - inside[:, None]
        near = (way * way).sum(axis=2) <= r * r
        if shift == (0, 0):
            np.fill_diagonal(near, False)
        for i, j in np.argwhere(near):
            given = np.array(shift) - periods[j] + periods[i]
            found.add((int(i), int(j), *map(int, given)))
    return found


def test_shifts_are_those_of_the_positions_as_given():
    for dtype in DTYPES:
        positions = np.array([[-0.5, 5.0], [10.25, 25.0], [10.0, 5.0]], dtype)
        near = wp.neighbors(positions, 1.0, periodic=(10, 10))
        assert near.pairs().tolist() == [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]
        assert near.shifts.tolist() == [[-1, -2], [-1, 0], [1, 2], [0, 2], [1, 0], [0, -2]]
        vectors = near.vectors(positions)
        assert vectors.dtype == near.distances.dtype == dtype
        assert vectors.tolist()[:2] == [[0.75, 0.0], [0.5, 0.0]]
        np.testing.assert_array_equal(np.hypot(*vectors.T), near.distances)
        pairs = wp.pairs_periodic(wp.circles(positions, 0.5), (10, 10))
        assert pairs.pairs.tolist() == [[0, 1], [0, 2], [1, 2]]
        assert pairs.shifts.tolist() == [[-1, -2], [-1, 0], [0, 2]]
        nearest = wp.k_nearest_periodic(positions, 1, (10, 10))
        assert nearest.pairs().tolist() == [[0, 2], [1, 2], [2, 1]]
        assert nearest.shifts.tolist() == [[-1, 0], [0, 2], [0, -2]]


def test_shifts_beyond_their_type_are_limit_errors():
    for dtype in DTYPES:
        far = np.array([[0.5, 0.5], [40_000.5, 0.5]], dtype)
        for call in (
            lambda: wp.neighbors(far, 0.25, periodic=(1, 1)),
            lambda: wp.k_nearest_periodic(far, 1, (1, 1)),
            lambda: wp.pairs_periodic(wp.circles(far, 0.1), (1, 1)),
        ):
            with pytest.raises(wp.LimitError, match="40000"):
                call()


@pytest.mark.parametrize("dtype", DTYPES)
def test_random_boxes_beside_brute_force(dtype, rng):
    for number in range(60):
        sides = rng.uniform(2.0, 9.0, 2)
        if number % 3 == 1:
            sides[1] = 0.0
        n, r = int(rng.integers(1, 30)), float(rng.uniform(0.2, 6.0))
        positions = rng.uniform(-40.0, 40.0, (n, 2)).astype(dtype)
        box = tuple(side if side > 0 else None for side in sides)
        near = wp.neighbors(positions, r, periodic=box)
        found = {(int(i), int(j), int(x), int(y)) for (i, j), (x, y) in zip(near.pairs(), near.shifts)}
        assert len(found) == len(near.indices) and near.distances.dtype == dtype
        expected = images(positions, r, sides, 5)
        if dtype == np.float64:
            assert found == expected
        else:
            # Roundings of float32 at the limit.
            assert images(positions, r - 1e-4, sides, 5) <= found <= images(positions, r + 1e-4, sides, 5)
        vectors = near.vectors(positions)
        np.testing.assert_allclose(np.hypot(*vectors.T), near.distances, atol=3e-5 if dtype == np.float32 else 1e-13)
        nearest = wp.k_nearest_periodic(positions, 3, box, max_distance=r)
        for row in range(n):
            begin, end = near.indptr[row], near.indptr[row + 1]
            begin3, end3 = nearest.indptr[row], nearest.indptr[row + 1]
            expected3 = np.sort(near.distances[begin:end])[:3]
            np.testing.assert_allclose(nearest.distances[begin3:end3], expected3, atol=1e-4)
        half = wp.neighbors(positions, r, half=True, periodic=box)
        assert 2 * len(half.indices) == len(near.indices)


def test_float64_is_decided_in_float64():
    """At 4,500,000 a float32 has steps of 0.5."""
    positions = np.array([[4_500_000.03, 0.5], [4_500_099.93, 0.5], [4_500_050.0, 0.5]])
    box = ([4_500_000.0, 0.0], [4_500_100.0, 10.0])
    near = wp.neighbors(positions, 0.11, periodic=box)
    assert near.pairs().tolist() == [[0, 1], [1, 0]] and near.distances.dtype == np.float64
    np.testing.assert_allclose(near.distances, 0.1, rtol=1e-8)
    assert len(wp.neighbors(positions, 0.09, periodic=box).indices) == 0
    assert len(wp.pairs_periodic(wp.circles(positions, 0.0545), box).pairs) == 1
    assert len(wp.pairs_periodic(wp.circles(positions, 0.0455), box).pairs) == 0
    # Other kinds are computed in float32 relative to the corner.
    rotated = wp.obbs(positions, (0.06, 0.06), 0.0)
    assert wp.pairs_periodic(rotated, box).pairs.tolist() == [[0, 1]]


@pytest.mark.parametrize("dtype", DTYPES)
def test_levels_and_threads_have_the_same_answers_in_a_box(dtype, rng):
    positions = rng.uniform(-50, 100, (3000, 2)).astype(dtype)
    expected = wp.neighbors(positions, 1.0, periodic=(60, 70), sorted=False)
    for level, threads in itertools.product(wp.levels(), (1, 2)):
        detector = wp.Detector(level=level, threads=threads)
        found = detector.neighbors(positions, 1.0, periodic=(60, 70), sorted=False)
        for name in ("indptr", "indices", "distances", "shifts"):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    assert wp.neighbors(np.empty((0, 2), dtype), 1.0, periodic=(1, 1)).shifts.shape == (0, 2)


@pytest.mark.parametrize("dtype", DTYPES)
def test_two_sets_beside_brute_force(dtype, rng):
    a = rng.integers(0, 12, (80, 2)).astype(dtype)
    b = rng.integers(0, 12, (60, 2)).astype(dtype)
    way = b[None] - a[:, None]
    distance = np.sqrt((way * way).sum(axis=2))
    for against in (b, wp.points(b), wp.Index(b)):
        near = wp.neighbors(a, 3.0, against=against)
        expected = [np.flatnonzero(row <= 3.0).tolist() for row in distance]
        assert [rows.tolist() for rows in near] == expected
        assert near.distances.dtype == dtype
        np.testing.assert_array_equal(near.distances, distance[near.first(), near.indices])
        np.testing.assert_array_equal(near.vectors(a, b), way[near.first(), near.indices])
        assert near.to_scipy(60).shape == (80, 60)
    boxes = wp.boxes(b, b + 1)
    near = wp.neighbors(wp.obbs(a, (0.5, 0.25), 0.3), 1.0, against=boxes)
    assert (near.distances <= 1.0).all() and len(near.indices) > 0
    for wrong in ({"half": True}, {"periodic": (12, 12)}):
        with pytest.raises(TypeError):
            wp.neighbors(a, 1.0, against=b, **wrong)
