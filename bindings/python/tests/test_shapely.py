"""Geometries of shapely: one row each, with shapely's answers."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import as_set
from hypothesis import given, strategies as st
from test_kinds import all_pairs, scattered

import widephase as wp

shapely = pytest.importorskip("shapely")


def geometries_of(seed: int, origin: float) -> np.ndarray:
    """Geometries of all types, with corners at multiples of 1/1024."""
    rng = np.random.default_rng(seed)
    _, areas = scattered(seed, origin, 6)

    def places(count: int) -> np.ndarray:
        return np.round(rng.uniform(-12, 12, (count, 2)) * 8) / 8 + origin

    def line() -> shapely.LineString:
        return shapely.LineString(places(rng.integers(2, 5)))

    made: list = [shapely.Point(at) for at in places(12)]
    made += [shapely.MultiPoint(places(rng.integers(1, 4))) for _ in range(4)]
    made += [line() for _ in range(4)]
    made += [shapely.MultiLineString([line() for _ in range(rng.integers(1, 4))]) for _ in range(3)]
    made += [shapely.LinearRing(places(3)) for _ in range(2)]
    made += [polygon for area in areas[:3] for polygon in area.geoms]
    made += list(areas)
    array = np.array(made, dtype=object)
    rng.shuffle(array)
    return array


@given(st.integers(0, 2**32 - 1), st.sampled_from((0.0, 4_500_000.0)))
def test_mixed_geometries_beside_shapely(seed, origin):
    geometries = geometries_of(seed, origin)
    shapes = wp.from_shapely(geometries)
    assert len(shapes) == len(geometries) and shapes.kind == "mixed"
    assert as_set(wp.pairs(shapes)) == all_pairs(geometries)
    pairs = np.argwhere(np.triu(np.ones((len(shapes), len(shapes)), bool), 1))
    apart = shapely.distance(geometries[pairs[:, 0]], geometries[pairs[:, 1]])
    np.testing.assert_allclose(wp.distance(shapes, shapes, pairs), apart, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("origin", (0.0, 4_500_000.0))
def test_families_alone(origin):
    geometries = geometries_of(3, origin)
    types = shapely.get_type_id(geometries)
    for family, kind in (((0,), "points"), ((0, 4), "compounds"), ((1, 2, 5), "compounds"), ((3,), "outlines"), ((3, 6), "outlines"), ((4,), "compounds"), ((5,), "compounds"), ((2,), "compounds")):
        own = geometries[np.isin(types, family)]
        shapes = wp.from_shapely(list(own))
        assert (len(shapes), shapes.kind) == (len(own), kind)
        assert as_set(wp.pairs(shapes)) == all_pairs(own)
    at = geometries[types == 0]
    np.testing.assert_array_equal(wp.from_shapely(at).columns["x"], shapely.get_x(at))


def test_rows_stay_with_their_geometries():
    geometries = geometries_of(5, 0.0)
    spaces = np.arange(len(geometries)) % 2
    shapes = wp.from_shapely(geometries, spaces=spaces)
    expected = {(a, b) for a, b in all_pairs(geometries) if spaces[a] == spaces[b]}
    assert as_set(wp.pairs(shapes)) == expected
    tree = shapely.STRtree(geometries)
    asked = shapely.box(-3, -3, 3, 3)
    found = wp.Index(wp.from_shapely(geometries)).overlapping(wp.from_shapely([asked]))[0]
    np.testing.assert_array_equal(found, np.sort(tree.query(asked, predicate="intersects")))


def test_empty_parts_are_left_out():
    line = shapely.LineString([(0, 0), (4, 0)])
    lines = shapely.from_wkt("MULTILINESTRING (EMPTY, (0 0, 4 0), EMPTY)")
    areas = shapely.from_wkt("MULTIPOLYGON (EMPTY, ((3 -1, 5 -1, 5 1, 3 1, 3 -1)))")
    assert wp.pairs(wp.from_shapely([lines, areas, line, shapely.Point(1, 0)])).tolist() == [
        [0, 1], [0, 2], [0, 3], [1, 2], [2, 3]
    ]


def test_heights_are_left_out():
    line = shapely.LineString([(0, 0, 5), (4, 0, 6)])
    shapes = wp.from_shapely([line, shapely.Point(2, 0, 9), shapely.Polygon([(1, -1, 0), (3, -1, 0), (3, 1, 0)])])
    assert wp.pairs(shapes).tolist() == [[0, 1], [0, 2], [1, 2]]


@pytest.mark.parametrize(
    "wrong, what",
    [
        (None, "nothing"),
        (shapely.Point(), "an empty Point"),
        (shapely.Polygon(), "an empty Polygon"),
        (shapely.GeometryCollection([shapely.Point(0, 0)]), "GeometryCollection"),
        (shapely.Polygon([(0, 0), (1, 1), (1, 0), (0, 1)]), "cross"),
    ],
)
def test_what_is_no_shape_is_refused_by_row(wrong, what):
    good = [shapely.Point(0, 0), shapely.box(0, 0, 1, 1), shapely.LineString([(0, 0), (1, 1)])]
    with pytest.raises(wp.ShapeError, match=what) as caught:
        wp.from_shapely([*good, wrong])
    assert caught.value.row == 3
    with pytest.raises(wp.ShapeError, match="one axis"):
        wp.from_shapely(shapely.Point(0, 0))
    assert len(wp.from_shapely([])) == 0


def test_what_float32_loses_is_named():
    """A slot between two holes, much narrower than a rounding there."""
    holes = [
        [[-439331.17424, -77210.55988], [-436895.80366, -74873.56537],
         [-436077.30088, -74088.12583], [-443164.26287, -67029.36651]],
        [[-439134.00087, -77021.35138], [-434840.16962, -72900.96817],
         [-432731.71239, -70877.68146], [-429316.59076, -81459.95822]],
    ]
    land = shapely.Polygon(shapely.box(-3e6, -3e6, 3e6, 3e6).exterior, holes)
    assert shapely.is_valid(land)
    ways = [shapely.LineString([(-1e6, -1e6), (1e6, 1e6)])] * 2
    with pytest.raises(wp.ShapeError, match="row 2: ring 1 .* ring 2.* valid in float64: float32") as caught:
        wp.from_shapely([*ways, land])
    assert caught.value.row == 2
    assert len(wp.from_shapely(shapely.set_precision([*ways, land], 1.0))) == 3


def test_columns_of_geopandas():
    geopandas = pytest.importorskip("geopandas")
    series = geopandas.GeoSeries([shapely.Point(0, 0), shapely.box(-1, -1, 1, 1)])
    assert wp.pairs(wp.from_shapely(series)).tolist() == [[0, 1]]
