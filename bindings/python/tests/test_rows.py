"""Distances, closest points and areas of rows; bodies that slide; tiles; motions from an overlap."""

from __future__ import annotations

import multiprocessing
import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st

import widephase as wp


@given(st.integers(0, 2**32 - 1), st.sampled_from((np.float32, np.float64)))
def test_distances_of_circles_and_boxes(seed, dtype):
    rng = np.random.default_rng(seed)
    at = (rng.normal(size=(40, 2)) * 5).astype(dtype)
    radius = rng.uniform(0, 2, 40).astype(dtype)
    low = (rng.normal(size=(40, 2)) * 5).astype(dtype)
    high = low + rng.uniform(0, 3, (40, 2)).astype(dtype)
    gaps = np.maximum(np.maximum(low - at, at - high), 0).astype(np.float64)
    expected = np.maximum(np.hypot(*gaps.T) - radius, 0)
    found = wp.distance(wp.circles(at, radius), wp.boxes(low, high))
    assert found.dtype == dtype
    tolerance = 1e-5 if dtype == np.float32 else 1e-12
    np.testing.assert_allclose(found, expected, atol=tolerance)
    np.testing.assert_allclose(wp.distance(at, low), np.hypot(*(at - low).T), atol=tolerance)


@given(st.integers(0, 2**32 - 1))
def test_distances_of_columns_are_those_of_a_store(seed):
    """Circles and boxes have a way of their own."""
    rng = np.random.default_rng(seed)
    at = (rng.normal(size=(40, 2)) * 5).astype(np.float32)
    sets = [wp.points(at), wp.circles(at, 0.5), wp.boxes(at, at + 1), wp.rounded_boxes(at, at + 1, 0.25)]
    pairs = rng.integers(0, 40, (200, 2))
    for first in sets:
        for second in sets:
            stored = wp.concat([second, wp.segments(at[:1], at[:1])])
            found = wp.distance(first, second, pairs)
            np.testing.assert_array_equal(found, wp.distance(first, stored, pairs))


def test_rows_by_pairs_and_one_for_all(rng):
    at = rng.normal(size=(30, 2))
    discs = wp.circles(at, 0.25)
    pairs = np.argwhere(np.ones((30, 30), bool))
    table = wp.distance(discs, discs, pairs).reshape(30, 30)
    assert (np.diag(table) == 0).all() and (table == table.T).all()
    np.testing.assert_array_equal(wp.distance(discs, discs[4:5]), table[:, 4])
    np.testing.assert_array_equal(wp.distance(discs[4:5], discs), table[4])
    np.testing.assert_array_equal(table == 0, np.hypot(*(at[:, None] - at).T) <= 0.5)
    assert wp.distance(discs, discs, []).shape == (0,)
    assert wp.distance(np.empty((0, 2)), np.empty((0, 2))).shape == (0,)
    for threads in (1, 2):
        np.testing.assert_array_equal(wp.distance(discs, discs, pairs, threads=threads).reshape(30, 30), table)
        polygons = wp.polygons([[[0, 0], [1, 0], [0, 1]] + place for place in at])
        one = wp.overlap_area(polygons, polygons, pairs, threads=1)
        np.testing.assert_array_equal(wp.overlap_area(polygons, polygons, pairs, threads=threads), one)


def stars(rng, n, vertices, side):
    """Outlines that are not convex, as (n, vertices, 2)."""
    step = 2 * np.pi / vertices
    angles = np.arange(vertices) * step + rng.uniform(0, step * 0.8, (n, vertices))
    rings = np.stack((np.cos(angles), np.sin(angles)), 2) * rng.uniform(0.3, 1, (n, vertices, 1))
    return (rings + rng.uniform(0, side, (n, 1, 2))).astype(np.float32)


@pytest.mark.parametrize("vertices", (3, 5, 8, 13, 20, 40, 90))
@pytest.mark.parametrize("side", (1.5, 4.0, 1000.0))
def test_rows_of_outlines_beside_shapely(vertices, side, rng):
    shapely = pytest.importorskip("shapely")
    rings, others = stars(rng, 60, vertices, side), stars(rng, 60, 9, side)
    holes = [ring * 0.25 + ring.mean(axis=0) * 0.75 for ring in others]
    areas = shapely.polygons(rings.astype(np.float64))
    walls = np.array([shapely.Polygon(ring, [hole]) for ring, hole in zip(others, holes)])
    fine = shapely.is_valid(walls)
    walls = walls[fine]
    a = wp.outlines([ring for ring, own in zip(rings, fine) if own])
    areas = areas[fine]
    b = wp.outlines([[ring, hole] for ring, hole, own in zip(others, holes, fine) if own])
    scale = 1e-6 * max(side, 1)
    apart = shapely.distance(areas, walls)
    np.testing.assert_allclose(wp.distance(a, b), apart, atol=scale)
    common = shapely.area(shapely.intersection(areas, walls))
    np.testing.assert_allclose(wp.overlap_area(a, b), common, atol=4 * scale)
    near = wp.closest_points(a, b)
    away = apart > scale
    np.testing.assert_allclose(near.distance[away], apart[away], atol=scale)
    for shapes, points in ((areas, near.point_a), (walls, near.point_b)):
        assert (shapely.distance(shapes[away], shapely.points(points[away])) <= scale).all()
    for threads in (1, 2):
        pairs = rng.integers(0, len(areas), (300, 2))
        found = wp.distance(a, b, pairs, threads=threads)
        np.testing.assert_array_equal(found, wp.distance(a[pairs[:, 0]], b[pairs[:, 1]]))


def test_an_error_names_the_set():
    at = np.zeros((3, 2), np.float32)
    bad = at.copy()
    bad[2, 0] = np.nan
    for sets in ((wp.segments(at, at + 1), wp.segments(bad, at)), (wp.segments(bad, at), wp.points(at))):
        for call in (wp.distance, wp.closest_points, wp.overlap_area):
            with pytest.raises(wp.ShapeError) as caught:
                call(*sets)
            assert (caught.value.row, caught.value.field) == (2, "ax")


def test_closest_points_at_utm_metres():
    at = np.array([[4_500_000.0, 500_000.0]])
    near = wp.closest_points(wp.circles(at, 1.0), wp.circles(at + [5.0, 0.0], 1.0))
    assert near.point_a.dtype == np.float64
    np.testing.assert_allclose(near.point_a - at, [[1.0, 0.0]])
    np.testing.assert_allclose(near.point_b - at, [[4.0, 0.0]])
    assert near.distance.tolist() == [3.0] and near.part_a.tolist() == [0]
    assert wp.overlap_area(wp.circles(at, 1.0), wp.circles(at, 1.0))[0] == np.float32(np.pi)


def test_motions_that_begin_in_an_overlap():
    discs = wp.circles([[0.0, 0.0], [0.5, 0.0], [9.0, 0.0]], 0.5)
    apart, into, still = [[0, 0], [2, 0], [0, 0]], [[1, 0], [0, 0], [0, 0]], np.zeros((3, 2))

    def listed(ways, start, **named):
        return wp.swept_pairs(discs, ways, start=start, **named)[["a", "b", "fraction"]].tolist()

    assert listed(apart, "inward") == listed(still, "inward") == []
    assert listed(into, "inward") == [(0, 1, 0.0)]
    for ways in (apart, into, still):
        assert listed(ways, "any") == [(0, 1, 0.0)]
        assert listed(ways, "ignored") == []
    far = [[0, 0], [10, 0], [0, 0]]
    assert [row[:2] for row in listed(far, "any")] == [(0, 1), (1, 2)]
    assert [row[:2] for row in listed(far, "ignored")] == [(1, 2)]
    walls = wp.Index(wp.boxes([[-1.0, -1.0]], [[0.25, 1.0]]))
    assert listed([[-1, 0], [1, 0], [0, 0]], "any", against=walls) == [(0, 0, 0.0), (1, 0, 0.0)]
    assert listed([[1, 0], [1, 0], [0, 0]], "ignored", against=walls) == []


@given(st.integers(0, 2**32 - 1))
def test_any_start_lists_what_touches(seed):
    rng = np.random.default_rng(seed)
    at = rng.integers(-6, 7, (25, 2)) / 2
    for shapes in (wp.circles(at, 0.5), wp.boxes(at, at + 1), wp.obbs(at, (0.5, 0.25), 0.3)):
        found = wp.swept_pairs(shapes, rng.integers(-2, 3, (25, 2)), start="any")
        touching = {tuple(pair) for pair in wp.pairs(wp.concat([shapes]))[:, :].tolist()}
        begun = {(int(hit["a"]), int(hit["b"])) for hit in found if hit["fraction"] == 0}
        assert touching <= begun


def test_many_bodies_slide():
    world = wp.World(origin=(1000.0, 0.0))
    x = np.arange(50) * 4.0 + 1000
    heroes = world.insert(wp.capsules(np.column_stack((x, x * 0 + 0.75)), np.column_stack((x, x * 0 + 1.5)), 0.5), user=np.arange(50))
    floor = world.insert(wp.boxes([[900, -1]], [[1300, 0]]), motion="static", user=99)
    walls = world.insert(wp.boxes(np.column_stack((x + 2, x * 0)), np.column_stack((x + 2.5, x * 0 + 9))), motion="static")
    ends = world.move_and_slide(heroes, np.tile([3.0, -1.0], (50, 1)))
    np.testing.assert_allclose(ends.positions[:, 0], x + 1.49, atol=1e-4)
    assert (ends.ground == floor[0]).all() and len(ends.indptr) == 51
    hits = ends.hits[ends.indptr[7] : ends.indptr[8]]
    assert hits["body"].tolist() == [floor[0], walls[7]] and hits["user"].tolist() == [99, 0]
    assert hits["ground"].tolist() == [True, False] and hits["row"].tolist() == [50, 58]
    np.testing.assert_allclose(hits["normal"], [[0, 1], [-1, 0]], atol=1e-6)
    np.testing.assert_allclose(hits["position"][1, 0], x[7] + 2)
    before = world.positions
    world.set_positions(ends.positions, handles=heroes)
    assert not np.array_equal(before, world.positions)
    # One by one they end at the same places.
    world.set_positions(before)
    for number in (0, 31):
        one = world.move_and_slide(heroes[number], [[3.0, -1.0]])
        np.testing.assert_array_equal(one.positions[0], ends.positions[number])
    world.remove(heroes[3])
    with pytest.raises(wp.ShapeError) as caught:
        world.move_and_slide(heroes, np.zeros((50, 2)))
    assert (caught.value.row, caught.value.field) == (3, "handles")
    with pytest.raises(wp.ShapeError) as caught:
        world.move_and_slide(heroes[:2], [[0, 0], [np.nan, 0]])
    assert caught.value.row == 1
    assert len(world.move_and_slide([], np.empty((0, 2))).positions) == 0


def scenes(dtype: type, seed: int) -> list[wp.Shapes]:
    rng = np.random.default_rng(seed)
    at = (rng.random((600, 2)) * 20).astype(dtype) + dtype(4_500_000 if dtype == np.float64 else 0)
    return [
        wp.circles(at, rng.uniform(0, 0.4, 600).astype(dtype)),
        wp.boxes(at, at + dtype(0.5)),
        wp.obbs(at, (0.4, 0.2), rng.random(600)),
        wp.circles(at, 0.3, spaces=rng.integers(0, 3, 600)).with_filters(group=rng.integers(-2, 3, 600)),
    ]


@pytest.mark.parametrize("dtype", (np.float32, np.float64))
def test_tiles_report_each_pair_once(dtype):
    for seed, shapes in enumerate(scenes(dtype, 11)):
        whole = wp.pairs(shapes)
        for n in (1, 3, 8):
            parts = wp.tiles(shapes, n, margin=0.25)
            assert len(parts) == n
            found = np.concatenate([tile.pairs(sorted=seed % 2 == 0) for tile in parts])
            assert len(found) == len(whole)
            np.testing.assert_array_equal(found[np.lexsort(found.T[::-1])], whole)
            owned = np.concatenate([tile.rows[tile.owned] for tile in parts])
            np.testing.assert_array_equal(np.sort(owned), np.arange(len(shapes)))
            if dtype == np.float32:
                contacts = np.concatenate([tile.contacts(0.25) for tile in parts])
                contacts = contacts[np.lexsort((contacts["b"], contacts["a"]))]
                assert contacts.tobytes() == wp.contacts(shapes, 0.25).tobytes()


@pytest.mark.parametrize("dtype", (np.float32, np.float64))
def test_tiles_with_sides_on_many_limits(dtype):
    """Points and boxes on a grid, which touch exactly at the sides of tiles."""
    x, y = (axis.reshape(-1).astype(dtype) for axis in np.meshgrid(np.arange(20), np.arange(20)))
    for shapes in (wp.boxes(x, y, x + 1, y + 1), wp.circles(x, y, 0.5), wp.points(np.floor(x / 2), y)):
        found = np.concatenate([tile.pairs() for tile in wp.tiles(shapes, 7)])
        np.testing.assert_array_equal(found[np.lexsort(found.T[::-1])], wp.pairs(shapes))


def pairs_of(tile: wp.Tile) -> np.ndarray:
    return tile.pairs()


@pytest.mark.parametrize("method", ("spawn", "forkserver"))
def test_tiles_in_processes(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(method)
    shapes = scenes(np.float64, 5)[0]
    parts = wp.tiles(shapes, 6)
    again = pickle.loads(pickle.dumps(parts[2]))
    np.testing.assert_array_equal(again.pairs(), parts[2].pairs())
    assert repr(again) == repr(parts[2]) and len(again) == len(again.rows)
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = np.concatenate(pool.map(pairs_of, parts))
    np.testing.assert_array_equal(found[np.lexsort(found.T[::-1])], wp.pairs(shapes))


def test_tiles_in_processes_of_joblib_and_dask():
    shapes = scenes(np.float32, 6)[0]
    parts, whole = wp.tiles(shapes, 4), wp.count(shapes)
    joblib = pytest.importorskip("joblib")
    found = joblib.Parallel(n_jobs=2)(joblib.delayed(pairs_of)(tile) for tile in parts)
    assert sum(map(len, found)) == whole
    dask = pytest.importorskip("dask")
    found = dask.compute(*[dask.delayed(pairs_of)(tile) for tile in parts], scheduler="threads")
    assert sum(map(len, found)) == whole


@given(st.integers(0, 2**32 - 1), st.sampled_from(((np.float32, np.float32), (np.float64, np.float32), (np.float64, np.float64))))
def test_neighbours_of_two_sets(seed, dtypes):
    rng = np.random.default_rng(seed)
    first = (rng.integers(-8, 9, (40, 2)) / 2).astype(dtypes[0])
    second = (rng.integers(-8, 9, (30, 2)) / 2).astype(dtypes[1])
    radii = (rng.integers(0, 4, 30) / 4).astype(dtypes[1])
    for r in (0.0, 0.5, 2.0, 30.0):
        apart = np.hypot(*(first[:, None].astype(np.float64) - second).T).T
        for others, gaps in ((second, apart), (wp.circles(second, radii), np.maximum(apart - radii, 0))):
            near = wp.neighbors(first, r, against=others)
            rows, expected = np.nonzero(gaps <= r)
            np.testing.assert_array_equal(near.first(), rows)
            np.testing.assert_array_equal(near.indices, expected)
            np.testing.assert_allclose(near.distances, gaps[rows, expected], rtol=1e-6)
        square = wp.boxes(second, second + dtypes[1](0.5))
        rounded = wp.rounded_boxes(first, first + dtypes[0](0.25), dtypes[0](0.25))
        gaps = np.maximum(np.maximum(second - first[:, None] - 0.25, first[:, None] - second - 0.5), 0)
        gaps = np.maximum(np.hypot(*gaps.astype(np.float64).transpose(2, 0, 1)) - 0.25, 0)
        near = wp.neighbors(rounded, r, against=square)
        clear = np.abs(gaps - r) > 1e-6
        found = np.zeros(gaps.shape, bool)
        found[near.first(), near.indices] = True
        np.testing.assert_array_equal(found[clear], (gaps <= r)[clear])


@pytest.mark.parametrize("dtype", (np.float32, np.float64))
def test_lists_of_two_large_sets_ascend(dtype, rng):
    first, second = rng.random((3000, 2)).astype(dtype), rng.random((2000, 2)).astype(dtype)
    near = wp.neighbors(first, 0.05, against=second)
    assert (np.diff(near.indices.astype(np.int64)) > 0)[np.diff(near.first()) == 0].all()
    loose = wp.neighbors(first, 0.05, against=second, sorted=False)
    np.testing.assert_array_equal(loose.indptr, near.indptr)
    order = np.lexsort((loose.indices, loose.first()))
    np.testing.assert_array_equal(loose.indices[order], near.indices)
    np.testing.assert_array_equal(loose.distances[order], near.distances)
    apart = np.hypot(*(first[near.first()].astype(np.float64) - second[near.indices]).T)
    np.testing.assert_allclose(near.distances, apart, rtol=1e-6)
    expected = wp.Index(second).count(wp.circles(first, dtype(0.05)))
    np.testing.assert_array_equal(near.counts, expected)


def test_neighbours_of_two_sets_meet_filters_and_spaces():
    at = np.zeros((3, 2), np.float32)
    for dtype in (np.float32, np.float64):
        others = wp.points(at.astype(dtype), spaces=[0, 1, 2], filters=wp.Filter(owner=[5, 0, 0]))
        asked = wp.points(at.astype(dtype), spaces=[1, 0, 0], filters=wp.Filter(owner=[0, 5, 6]))
        near = wp.neighbors(asked, 1.0, against=others)
        assert [rows.tolist() for rows in near] == [[1], [], [0]]
    with pytest.raises(wp.LimitError):
        wp.Detector(max_pairs=10).neighbors(np.zeros((9, 2)), 1.0, against=np.zeros((9, 2)))
    with pytest.raises(wp.ShapeError) as caught:
        wp.neighbors(wp.circles(at, [1.0, -0.5, 1.0]), 1.0, against=at)
    assert (caught.value.row, caught.value.field, caught.value.value) == (1, "radius", -0.5)
