"""Answers beside brute force and scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from conftest import as_set, box_pairs, circle_pairs
from hypothesis import given, strategies as st
from scipy.spatial import cKDTree

import widephase as wp

# Where data lie, and how far they spread.
ORIGINS = (0.0, 1e5, 4e6, 1e12)
SPREADS = (1e-3, 1.0, 1e3, 1e9)
DTYPES = (np.float32, np.float64)


@st.composite
def scattered(draw: st.DrawFn) -> tuple[np.ndarray, float]:
    """Positions of float64 on a grid, so that distances are often exactly on the limit."""
    origin, spread = draw(st.sampled_from(ORIGINS)), draw(st.sampled_from(SPREADS))
    n, seed = draw(st.integers(0, 60)), draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    steps = rng.integers(-8, 9, size=(n, 2)) if draw(st.booleans()) else rng.normal(size=(n, 2)) * 8
    return origin + steps * (spread / 8), spread / 8


@given(scattered(), st.integers(0, 3))
def test_double_circles_are_those_of_brute_force(data, radius):
    positions, step = data
    r = np.full(len(positions), radius * step / 2)
    assert as_set(wp.pairs(wp.circles(positions, r))) == circle_pairs(positions, r)
    assert wp.count(wp.circles(positions, radius * step / 2)) == len(circle_pairs(positions, r))


@given(scattered())
def test_double_boxes_are_those_of_brute_force(data):
    positions, step = data
    high = positions + step
    assert as_set(wp.pairs(wp.boxes(positions, high))) == box_pairs(positions, high)


@given(scattered(), st.integers(0, 4))
def test_double_neighbours_are_those_of_brute_force(data, times):
    positions, step = data
    r = times * step
    near = wp.neighbors(positions, r, distances=True)
    delta = positions[:, None] - positions
    square = (delta * delta).sum(axis=2)
    expected = square <= r * r
    np.fill_diagonal(expected, False)
    for row in range(len(positions)):
        assert near[row].tolist() == np.flatnonzero(expected[row]).tolist()
    first, second = near.pairs().T
    np.testing.assert_array_equal(near.distances, np.sqrt(square)[first, second])


@given(scattered(), st.integers(1, 6))
def test_double_nearest_are_those_of_brute_force(data, k):
    positions, _ = data
    if len(positions) == 0:
        return
    found = wp.Index(positions).k_nearest(positions, k)
    delta = positions[:, None] - positions
    distance = np.sqrt((delta * delta).sum(axis=2))
    order = np.lexsort((np.broadcast_to(np.arange(len(positions)), distance.shape), distance))
    for query in range(len(positions)):
        expected = order[query][:k]
        got = found.row[query][: len(expected)]
        assert got.tolist() == expected.tolist()
        np.testing.assert_array_equal(found.distance[query][: len(expected)], distance[query, expected])
    assert (found.row[:, len(positions) :] == wp.NO_ROW).all()


@pytest.mark.parametrize("level", wp.levels())
@pytest.mark.parametrize("dtype", DTYPES)
def test_levels_and_threads_have_the_same_answers(level, dtype, rng):
    positions = rng.uniform(0, 100, (3000, 2)).astype(dtype)
    discs = wp.circles(positions, rng.uniform(0.2, 1.5, 3000).astype(dtype))
    expected = wp.pairs(discs, sorted=False)
    for threads in (1, 2, 5):
        detector = wp.Detector(level=level, threads=threads)
        np.testing.assert_array_equal(detector.pairs(discs, sorted=False), expected)
        index = wp.Index(discs, level=level, threads=threads)
        np.testing.assert_array_equal(index.overlapping(discs).indices, wp.Index(discs).overlapping(discs).indices)


@pytest.mark.parametrize("dtype", DTYPES)
def test_pairs_are_those_of_scipy(dtype, rng):
    positions = rng.uniform(0, 70, (5000, 2)).astype(dtype)
    found = as_set(wp.pairs(wp.circles(positions, 0.5)))
    assert found == cKDTree(positions).query_pairs(1.0)
    assert as_set(wp.neighbors(positions, 1.0, half=True).pairs()) == found


@pytest.mark.parametrize("dtype", DTYPES)
def test_lists_ascend_and_pairs_are_sorted(dtype, rng):
    positions = rng.uniform(0, 60, (4000, 2)).astype(dtype)
    for near in (
        wp.neighbors(positions, 1.0),
        wp.neighbors(positions, 1.0, distances=True),
        wp.neighbors(positions, 1.0, periodic=(60, 60)),
        wp.Index(positions).overlapping(wp.circles(positions, 1.0)),
    ):
        assert all((np.diff(near[i].astype(np.int64)) > 0).all() for i in range(4000))
    loose = wp.neighbors(positions, 1.0, sorted=False)
    assert as_set(loose.pairs()) == as_set(wp.neighbors(positions, 1.0).pairs())
    pairs = wp.pairs(wp.circles(positions, 0.5)).astype(np.int64)
    assert (np.diff(pairs[:, 0] * 4000 + pairs[:, 1]) > 0).all()


def test_utm_metres_are_those_of_scipy(rng):
    """At 4,500,000 a float32 has steps of 0.5."""
    positions = rng.uniform(0, 2000, (20_000, 2)) + [500_000.0, 4_500_000.0]
    near = wp.neighbors(positions, 8.0)
    assert as_set(near.pairs()[near.pairs()[:, 0] < near.pairs()[:, 1]]) == cKDTree(positions).query_pairs(8.0)
    distance, row = cKDTree(positions).query(positions[:100] + 0.3, 5)
    found = wp.Index(positions).k_nearest(positions[:100] + 0.3, 5)
    np.testing.assert_array_equal(found.row, row)
    np.testing.assert_allclose(found.distance, distance, rtol=1e-15)


@pytest.mark.parametrize("first", DTYPES)
@pytest.mark.parametrize("second", DTYPES)
def test_index_and_queries_of_any_dtype(first, second, rng):
    """An index of float32 that is asked in float64, and the other way round, is exact."""
    shapes = rng.uniform(0, 20, (400, 2)).astype(first)
    queries = rng.uniform(0, 20, (300, 2)).astype(second)
    index = wp.Index(shapes)
    rings = wp.circles(queries, np.full(300, 1.25, second))
    delta = queries[:, None].astype(np.result_type(first, second)) - shapes
    touch = (delta * delta).sum(axis=2) <= delta.dtype.type(1.25) ** 2
    lists = index.overlapping(rings)
    assert [lists[i].tolist() for i in range(300)] == [np.flatnonzero(row).tolist() for row in touch]
    np.testing.assert_array_equal(index.count(rings), touch.sum(axis=1))
    np.testing.assert_array_equal(index.any(rings), touch.any(axis=1))
    found = index.k_nearest(queries, 3)
    assert found.distance.dtype == np.result_type(first, second)
    distance, row = cKDTree(shapes.astype(np.float64)).query(queries.astype(np.float64), 3)
    np.testing.assert_array_equal(found.row, row)
    np.testing.assert_allclose(found.distance, distance, rtol=1e-6)
    against = wp.pairs(rings, against=index)
    assert as_set(against) == {(int(a), int(b)) for a, b in np.argwhere(touch)}
    np.testing.assert_array_equal(wp.pairs(rings, against=wp.points(shapes)), against)


def test_without_and_filters_and_spaces(rng):
    for dtype in DTYPES:
        positions = rng.uniform(0, 5, (60, 2)).astype(dtype)
        spaces = rng.integers(0, 3, 60)
        points = wp.points(positions, spaces=spaces)
        index, own = wp.Index(points), np.arange(60)
        found = index.k_nearest(points, 2, without=own)
        of_rows = index.k_nearest_of_rows(2)
        np.testing.assert_array_equal(found.row, of_rows.row)
        np.testing.assert_array_equal(found.distance, of_rows.distance)
        assert (spaces[found.row] == spaces[:, None]).all()
        lists = index.overlapping(wp.circles(positions, 1.0, spaces=spaces), without=own)
        first, second = lists.pairs().T
        assert (first != second).all() and (spaces[first] == spaces[second]).all()
        counts = index.count(wp.circles(positions, 1.0, spaces=spaces), without=own)
        np.testing.assert_array_equal(counts, lists.counts)
        teams = wp.points(positions, filters=wp.Filter(owner=spaces + 1))
        mates = wp.Index(teams).overlapping(wp.circles(positions, 1.0), filter=wp.Filter(owner=2))
        assert (spaces[mates.indices] != 1).all()


def test_periodic_neighbours_are_those_of_scipy(rng):
    for dtype in DTYPES:
        positions = rng.uniform(0, 10, (500, 2)).astype(dtype)
        near = wp.neighbors(positions, 0.9, half=True, periodic=(10.0, 10.0))
        tree = cKDTree(positions.astype(np.float64) % 10.0, boxsize=10.0)
        assert as_set(near.pairs()) == tree.query_pairs(0.9)
        first, second = near.pairs().T
        images = positions[second] + near.shifts * 10.0
        np.testing.assert_allclose(np.hypot(*(images - positions[first]).T), near.distances, atol=1e-5)
        found = wp.pairs_periodic(wp.circles(positions, 0.45), (10.0, 10.0))
        assert as_set(found.pairs) == tree.query_pairs(0.9)


def test_contacts_and_casts_of_doubles_are_near_the_ones_at_the_origin(rng):
    offset = np.array([500_000.0, 4_500_000.0])
    positions = rng.integers(0, 640, (300, 2)) / 32.0
    near, far = wp.circles(positions.astype(np.float32), 0.75), wp.circles(positions + offset, 0.75)
    a, b = wp.contacts(near), wp.contacts(far)
    assert a.dtype == wp.CONTACT and b.dtype == wp.CONTACT64
    for field in ("a", "b", "count"):
        np.testing.assert_array_equal(a[field], b[field])
    np.testing.assert_allclose(a["depth"], b["depth"], atol=1e-5)
    first = b["points"]["position"][:, 0] - offset
    np.testing.assert_allclose(first, a["points"]["position"][:, 0], atol=1e-5)
    assert (b["points"]["position"][b["count"] == 1, 1] == 0).all()
    origins = rng.uniform(0, 20, (50, 2))
    ways = rng.normal(size=(50, 2))
    one = wp.Index(near).cast_rays(origins.astype(np.float32), ways.astype(np.float32))
    other = wp.Index(far).cast_rays(origins + offset, ways)
    np.testing.assert_array_equal(one.row, other.row)
    np.testing.assert_allclose(one.position[one.hit], (other.position - offset)[one.hit], atol=1e-4)
    assert one.x.dtype == np.float32 and other.x.dtype == np.float64
    ranges = wp.Index(far).scan(wp.Fan(30, 50.0), np.column_stack((origins + offset, np.zeros(50)))).range
    expected = wp.Index(near).scan(wp.Fan(30, 50.0), origins.astype(np.float32)).range
    np.testing.assert_allclose(ranges, expected, atol=1e-3)


def test_rays_are_those_of_a_loop(rng):
    centers = rng.uniform(-10, 10, (80, 2))
    index = wp.Index(wp.circles(centers, 0.5))
    origins, angles = rng.uniform(-10, 10, (100, 2)), rng.uniform(0, math.tau, 100)
    ways = np.column_stack((np.cos(angles), np.sin(angles)))
    hits = index.cast_rays(origins, ways, 8.0)
    for ray in range(100):
        to = centers - origins[ray]
        along = to @ ways[ray]
        aside2 = (to * to).sum(axis=1) - along**2
        half = np.sqrt(np.maximum(0.25 - aside2, 0))
        inside = (to * to).sum(axis=1) <= 0.25
        entry = np.where(inside, 0.0, np.where((aside2 <= 0.25) & (along > 0), along - half, np.inf))
        if entry.min() <= 7.99:
            assert hits.fraction[ray] == pytest.approx(entry.min(), abs=1e-4)
        elif entry.min() > 8.01:
            assert hits.row[ray] == wp.NO_ROW and np.isinf(hits.fraction[ray])
    everything = index.cast_rays_all(origins, ways, 8.0)
    firsts = np.diff(everything.indptr) > 0
    np.testing.assert_array_equal(everything.hits.row[everything.indptr[:-1][firsts]], hits.row[hits.hit])
    np.testing.assert_array_equal(index.hits_any(origins, ways, 8.0), hits.hit)
    scan = index.scan(wp.Fan(1, 8.0), np.column_stack((origins, angles)))
    np.testing.assert_allclose(scan.range[:, 0], hits.fraction, atol=1e-4)


@pytest.mark.parametrize("dtype", DTYPES)
def test_rays_and_casts_that_miss_have_no_place(dtype):
    index = wp.Index(wp.circles(np.array([[5.0, 0.0]], dtype), 1.0))
    origins, ways = np.array([[0, 0], [0, 0]], dtype), np.array([[9, 0], [0, 9]], dtype)
    for hits in (
        index.cast_rays(origins, ways),
        index.cast_shapes(wp.points(origins), ways),
    ):
        assert hits.hit.tolist() == [True, False] and hits.x.dtype == dtype
        for column in (hits.x, hits.y, hits.normal_x, hits.normal_y):
            assert np.isnan(column).tolist() == [False, True]
    every = index.cast_rays_all(origins, ways).hits
    assert every.position.tolist() == [[4.0, 0.0]]


def test_a_ray_without_length_hits_what_it_starts_in():
    index = wp.Index(wp.circles([[5.0, 0.0]], 1.0))
    hits = index.cast_rays([[5.5, 0.0], [0.0, 0.0]], [0.0, 0.0])
    assert hits.fraction.tolist() == [0.0, math.inf] and hits.row.tolist() == [0, wp.NO_ROW]


def test_all_kinds_meet(rng):
    square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    for offset in (0.0, 4_500_000.0):
        at = np.array([[offset, 0.0]])
        sets = [
            wp.points(at + 0.5),
            wp.circles(at + 0.5, 0.25),
            wp.boxes(at, at + 1),
            wp.obbs(at + 0.5, (0.4, 0.2), 0.3),
            wp.capsules(at + 0.2, at + 0.8, 0.1),
            wp.segments(at + 0.1, at + 0.9),
            wp.polygons([np.array(square) + [offset, 0.0]]),
        ]
        mixed = wp.concat(sets)
        assert len(mixed) == 7 and wp.count(mixed) == 21
        for shapes in sets:
            assert wp.count(shapes, against=mixed) == 7
            assert wp.Index(mixed).count(shapes).tolist() == [7]
            assert wp.Index(shapes).nearest(mixed).distance.tolist() == [0.0] * 7
        assert len(wp.contacts(mixed)) > 0


def test_polygons_far_away_keep_their_vertices():
    block = np.array([[0, 0], [9, -0.1], [18, 0], [18, 12], [0, 12]]) + [5e6, 5e5]
    polygon = wp.polygons([block])
    # A point below the second vertex's chord, inside of the polygon.
    assert wp.count(wp.points([[5e6 + 9, 5e5 - 0.05]]), against=polygon) == 1
    assert wp.count(wp.points([[5e6 + 9, 5e5 - 0.2]]), against=polygon) == 0


def test_swept_pairs_and_casts():
    bullet, wall = wp.circles([[0.0, 0.0]], 0.5), wp.boxes([[10.0, -1.0]], [[10.1, 1.0]])
    hits = wp.swept_pairs(bullet, [[100.0, 0.0]], against=wall)
    assert hits["fraction"].tolist() == pytest.approx([0.095])
    cast = wp.Index(wall).cast_shapes(bullet, [[100.0, 0.0]], gap=0.5)
    assert cast.fraction.tolist() == pytest.approx([0.09])


def test_islands_and_differences():
    pairs = wp.pairs(wp.circles([[0, 0], [1, 0], [5, 0], [6, 0], [20, 0]], 0.5))
    groups = wp.islands(5, pairs)
    assert groups.island.tolist() == [0, 0, 1, 1, 2]
    assert groups.lists[1].tolist() == [2, 3]
    assert wp.islands(2, [[0, 1]], joins=[True, False]).island.tolist() == [0, wp.NO_ROW]
    diff = wp.PairDiff()
    diff.update(pairs, ids=[10, 11, 12, 13, 14])
    changes = diff.update([[0, 1]], ids=[10, 11])
    assert changes.persisted.tolist() == [[10, 11]] and changes.stopped.tolist() == [[12, 13]]
    # Places are in the list of this update. With ids, the smaller one comes first.
    changes = diff.update([[3, 4], [1, 0]], ids=[10, 11, 0, 1, 2])
    assert changes.started.tolist() == [[1, 2]] and changes.started_at.tolist() == [0]
    assert changes.persisted.tolist() == [[10, 11]] and changes.persisted_at.tolist() == [1]
    # Without ids, or with two lists of them, the order within a pair matters.
    for ids in ({}, {"ids": [7, 8], "others": [7, 8]}):
        diff.clear()
        diff.update([[0, 1]], **ids)
        changes = diff.update([[1, 0]], **ids)
        assert len(changes.started) == 1 and len(changes.stopped) == 1


def test_sparse_matrices_are_those_of_scipy(rng):
    positions = rng.uniform(0, 10, (200, 2))
    ours = wp.neighbors(positions, 1.0, distances=True).to_scipy().toarray()
    theirs = cKDTree(positions).sparse_distance_matrix(cKDTree(positions), 1.0).toarray()
    np.testing.assert_allclose(ours, theirs, rtol=1e-15)
    lists = wp.Index(positions).overlapping(wp.circles(positions[:10], 1.0))
    assert lists.to_scipy(200).shape == (10, 200)
    assert lists.to_scipy(200).sum() == len(lists.indices)


def test_headings_of_many_turns():
    index = wp.Index(wp.circles([[50.0, 0.0]], 1.0))
    for turns in (0, 1, 1_000, 100_000):
        scan = index.scan(wp.Fan(1, 100.0), [[0.0, 0.0, turns * 2.0 * np.pi]])
        assert scan.range[0, 0] == pytest.approx(49.0, abs=1e-5), turns


def test_lists_of_two_sets_need_the_positions_of_both():
    gulls, boats = [[0.0, 0.0], [5.0, 0.0]], [[3.0, 4.0], [90.0, 0.0], [91.0, 0.0]]
    near = wp.neighbors(gulls, 5.0, against=boats)
    assert near.vectors(gulls, boats).tolist() == [[3.0, 4.0], [-2.0, 4.0]]
    assert near.to_scipy().shape == (2, 3)
    with pytest.raises(TypeError, match="both"):
        near.vectors(gulls)
    for positions, others in ((gulls[:1], boats), (boats, boats), (gulls, boats[:1]), ([0.0, 0.0], boats)):
        with pytest.raises(wp.ShapeError):
            near.vectors(positions, others)
