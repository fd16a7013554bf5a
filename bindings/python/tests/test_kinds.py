"""Rounded boxes and polygons, outlines, chains, half-planes, compounds: beside shapely and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import as_set
from hypothesis import given, strategies as st

import widephase as wp

shapely = pytest.importorskip("shapely")

#: Where data lie: in float32, coordinates of 1/1024 are exact relative to a vertex near them.
ORIGINS = (0.0, 4_500_000.0)


def star(rng: np.random.Generator, radius: float) -> np.ndarray:
    """A ring around the origin, with corners at multiples of 1/1024."""
    n = rng.integers(3, 12)
    angles = (np.arange(n) + rng.uniform(0.1, 0.9, n)) * (2 * np.pi / n)
    lengths = rng.uniform(0.4, 1.0, n) * radius
    return np.round(np.column_stack((np.cos(angles), np.sin(angles))) * lengths[:, None] * 1024) / 1024


def area(rng: np.random.Generator) -> list[list[np.ndarray]]:
    """One polygon or two, each with a hole or without."""
    polygons = []
    for at in ([0.0, 0.0], [7.0, 0.0])[: rng.integers(1, 3)]:
        ring = star(rng, 3.0)
        polygons.append([ring + at] + ([ring / 4 + at] if rng.random() < 0.5 else []))
    return polygons


def polygon_of(rings: list[np.ndarray]) -> shapely.Polygon:
    return shapely.Polygon(rings[0], rings[1:])


def scattered(seed: int, origin: float, count: int = 14) -> tuple[list, np.ndarray]:
    """Areas as rings, and the same as geometries of shapely."""
    rng = np.random.default_rng(seed)
    areas = []
    while len(areas) < count:
        place = np.round(rng.uniform(-12, 12, 2) * 8) / 8 + origin
        moved = [[ring + place for ring in polygon] for polygon in area(rng)]
        if shapely.MultiPolygon([polygon_of(rings) for rings in moved]).is_valid:
            areas.append(moved)
    return areas, np.array([shapely.MultiPolygon([polygon_of(rings) for rings in moved]) for moved in areas])


def all_pairs(geometries: np.ndarray) -> set[tuple[int, int]]:
    touch = shapely.intersects(geometries[:, None], geometries)
    return {(int(a), int(b)) for a, b in np.argwhere(np.triu(touch, 1))}


@given(st.integers(0, 2**32 - 1), st.sampled_from(ORIGINS))
def test_outlines_beside_shapely(seed, origin):
    areas, geometries = scattered(seed, origin)
    shapes = wp.outlines(areas)
    assert as_set(wp.pairs(shapes)) == all_pairs(geometries)
    rng = np.random.default_rng(seed)
    at = np.round(rng.uniform(-15, 15, (200, 2)) * 64) / 64 + origin
    inside = shapely.intersects(shapely.points(at)[:, None], geometries)
    assert as_set(wp.pairs(wp.points(at), against=shapes)) == as_set(np.argwhere(inside))
    np.testing.assert_array_equal(wp.Index(shapes).count(at), inside.sum(axis=1))
    # The same as one array, with the numbers of vertices, rings and polygons.
    polygons = [polygon for moved in areas for polygon in moved]
    rings = [ring for polygon in polygons for ring in polygon]
    again = wp.outlines(
        np.concatenate(rings),
        [len(ring) for ring in rings],
        [len(polygon) for polygon in polygons],
        [len(moved) for moved in areas],
    )
    np.testing.assert_array_equal(wp.pairs(again), wp.pairs(shapes))
    # Areas and distances.
    pairs = np.argwhere(np.triu(np.ones((len(areas), len(areas)), bool), 1))
    a, b = geometries[pairs[:, 0]], geometries[pairs[:, 1]]
    common = shapely.area(shapely.intersection(a, b))
    np.testing.assert_allclose(wp.overlap_area(shapes, shapes, pairs), common, rtol=1e-4, atol=1e-5)
    apart = shapely.distance(a, b)
    np.testing.assert_allclose(wp.distance(shapes, shapes, pairs), apart, rtol=1e-5, atol=1e-6)
    near = wp.closest_points(shapes, shapes, pairs)
    np.testing.assert_allclose(near.distance, apart, rtol=1e-5, atol=1e-6)
    off = np.flatnonzero(apart > 0)
    gaps = np.linalg.norm(near.point_b[off] - near.point_a[off], axis=1)
    np.testing.assert_allclose(gaps, apart[off], rtol=1e-3, atol=1e-5)
    assert np.isnan(near.point_a[apart == 0]).all()


def test_nesting_of_outlines():
    square = np.array([[0, 0], [4, 0], [4, 4], [0, 4]], np.float32)
    hole = square / 4 + 1
    far = square + 10
    for areas in ([square], [[square]], [[[square]]], [square.tolist()], [[square.tolist()]], (square,)):
        assert len(wp.outlines(areas)) == 1
    shapes = wp.outlines([square, [square, hole], [[square, hole], [far]]])
    assert repr(shapes) == "<widephase.Shapes: 3 outlines, float32>"
    found = wp.Index(shapes).overlapping([[1.5, 1.5], [0.5, 0.5], [11, 11]])
    assert [rows.tolist() for rows in found] == [[0], [0, 1, 2], [2]]
    with pytest.raises(TypeError, match="counts"):
        wp.outlines([square], rings=[1])
    with pytest.raises(wp.ShapeError) as caught:
        wp.outlines([square, [square, hole + 100]])
    assert caught.value.row == 1 and "hole" in str(caught.value)
    with pytest.raises(wp.ShapeError) as caught:
        wp.outlines([square, [[0, 0], [1, np.nan], [1, 1]]])
    assert (caught.value.row, caught.value.field) == (1, "y") and np.isnan(caught.value.value)


@given(st.integers(0, 2**32 - 1), st.sampled_from((np.float32, np.float64)))
def test_rounded_shapes_beside_distances(seed, dtype):
    rng = np.random.default_rng(seed)
    low = (rng.integers(-40, 40, (20, 2)) / 4).astype(dtype)
    high = low + (rng.integers(0, 8, (20, 2)) / 4).astype(dtype)
    radius = (rng.integers(0, 8, 20) / 4).astype(dtype)
    boxes = shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1])
    apart = shapely.distance(boxes[:, None], boxes)
    touch = apart <= radius[:, None] + radius
    expected = as_set(np.argwhere(np.triu(touch, 1)))
    rounded = wp.rounded_boxes(low, high, radius)
    assert rounded.columns["radius"] is not None and rounded.dtype == dtype
    assert as_set(wp.pairs(rounded)) == expected
    assert as_set(wp.pairs(rounded[::-1][::-1])) == expected
    corners = np.stack([low, np.column_stack((high[:, 0], low[:, 1])), high, np.column_stack((low[:, 0], high[:, 1]))], 1)
    wide = ((high - low) > 0).all(axis=1)
    polygons = wp.polygons(list(corners[wide]), radius=radius[wide])
    assert as_set(wp.pairs(polygons)) == as_set(np.argwhere(np.triu(touch[wide][:, wide], 1)))
    pairs = np.argwhere(np.ones((20, 20), bool))
    gaps = np.maximum(apart - radius[:, None] - radius, 0.0).reshape(-1)
    np.testing.assert_allclose(wp.distance(rounded, rounded, pairs), gaps, rtol=1e-6, atol=1e-12)


def test_chains_have_a_row_for_each_segment():
    line = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0]]
    for closed, rows in ((False, 2), (True, 3)):
        chain = wp.chains([line], closed=closed)
        assert len(chain) == rows and chain.kind == "chains"
    both = wp.chains(line + line, [3, 3])
    assert len(both) == 4
    ball = wp.circles([[2.0, 0.25]], 0.5)
    for sides, count in (("both", 1), ("left", 1), ("right", 0)):
        assert len(wp.contacts(ball, against=wp.chains([line], sides=sides))) == count
    with pytest.raises(wp.ShapeError) as caught:
        wp.chains([line, [[0, 0], [1, 1], [1, 1]]])
    assert caught.value.row == 1


@pytest.mark.parametrize("dtype", (np.float32, np.float64))
def test_half_planes(dtype, rng):
    at = rng.normal(size=(50, 2)).astype(dtype) * 10
    angles = rng.uniform(0, 2 * np.pi, 6)
    normals = np.column_stack((np.cos(angles), np.sin(angles))).astype(dtype)
    places = rng.normal(size=(6, 2)).astype(dtype)
    planes = wp.half_planes(places, normals)
    beyond = ((at[:, None] - places) * normals).sum(axis=2)
    found = np.zeros((50, 6), bool)
    found[tuple(wp.pairs(wp.points(at), against=planes).T)] = True
    clear = np.abs(beyond) > 1e-4
    np.testing.assert_array_equal(found[clear], (beyond <= 0)[clear])
    assert wp.count(planes) == 0


def test_normals_of_half_planes_have_any_length():
    floor = wp.half_planes([[0.0, 1.0]], [0.0, 1.0])
    for length in (1e-30, 0.5, 3.0, 1e30):
        for dtype in (np.float32, np.float64):
            normal = np.array([[0.0, length]], dtype)
            other = wp.half_planes(np.array([[0.0, 1.0]], dtype), normal)
            ball = wp.circles([[7.0, 1.75]], 1.0)
            assert wp.contacts(ball, against=other)["depth"].tolist() == [0.25]
    slope = wp.contacts(wp.points([[0.0, 1.0]]), against=wp.half_planes([[0.0, 6.0]], [3.0, 4.0]))
    np.testing.assert_allclose(slope["normal"], [[-0.6, -0.8]], atol=1e-7)
    np.testing.assert_allclose(slope["depth"], [4.0], rtol=1e-6)
    for normal in ([0.0, 0.0], [np.inf, 0.0], [np.nan, 1.0]):
        with pytest.raises(wp.ShapeError) as caught:
            wp.half_planes([[0.0, 0.0]], normal)
        assert caught.value.row == 0


def test_compounds_are_their_parts(rng):
    at = rng.normal(size=(30, 2)) * 3
    parts = wp.concat([
        wp.circles(at[:10], 0.5),
        wp.boxes(at[10:20], at[10:20] + 1),
        wp.polygons([[[0, 0], [1, 0], [0, 1]] + place for place in at[20:]]),
    ])
    order = rng.permutation(30)
    counts = [3, 1, 5, 6, 2, 7, 6]
    bodies = wp.compounds(parts[order], counts)
    of = np.repeat(np.arange(len(counts)), counts)
    place = np.argsort(order)
    expected = {
        tuple(sorted((int(of[place[a]]), int(of[place[b]])))) for a, b in wp.pairs(parts)
    }
    assert as_set(wp.pairs(bodies)) == {pair for pair in expected if pair[0] != pair[1]}
    ends = np.cumsum([0, *counts])
    again = wp.compounds([parts[order[a:b]] for a, b in zip(ends, ends[1:])])
    np.testing.assert_array_equal(wp.pairs(again), wp.pairs(bodies))
    with pytest.raises(TypeError):
        wp.compounds(parts)
    # A compound is no part of a compound.
    with pytest.raises(wp.ShapeError) as caught:
        wp.compounds(wp.compounds(parts, counts), [len(counts)])
    assert caught.value.row == 0


def test_all_kinds_in_worlds_indexes_and_detectors():
    square = np.array([[0, 0], [2, 0], [2, 2], [0, 2]], np.float64)
    kinds = [
        wp.rounded_boxes([[0.0, 0.0]], [[2.0, 2.0]], 0.5),
        wp.polygons([square], radius=0.5),
        wp.outlines([[square * 2, square + 0.5]]),
        wp.chains([square[:2]]),
        wp.half_planes([[0.0, 1.0]], [0.0, 1.0]),
        wp.compounds([wp.circles(square, 1.0)]),
    ]
    ball = wp.circles([[1.0, 0.25]], 0.5)
    for shapes in [*kinds, wp.concat(kinds)]:
        world = wp.World()
        handles = world.insert(wp.concat([shapes, ball]), user=7)
        step = world.step()
        touching = wp.pairs(wp.concat([shapes, ball]))
        np.testing.assert_array_equal(step.pairs, touching)
        assert len(shapes) in touching[:, 1]
        again = wp.World.restore(world.snapshot())
        assert again.state_hash() == world.state_hash() and len(handles) == len(shapes) + 1
        index = wp.Index(shapes)
        assert index.any(ball).all() and index.count(ball)[0] == wp.count(ball, against=index)
        assert len(wp.Detector().contacts(ball, against=shapes)) >= 1
        assert (index.k_nearest(ball, 1).distance == 0).all()
        hits = index.cast_rays([[1.0, 9.0]], [0.0, -1.0])
        assert hits.hit.all()
