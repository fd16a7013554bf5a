"""Whatever users pass is a typed error or an answer: never a crash, and nothing is half done."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import widephase as wp

TRIANGLE = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]
GOOD = np.zeros((3, 2), dtype=np.float32)

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "value, field, column",
    [(NAN, "x", 0), (INF, "y", 1), (-INF, "x", 0), (2.0**61, "y", 1), (-1.5, "radius", None), (NAN, "radius", None)],
)
def test_values_are_refused_by_row_and_field(dtype, value, field, column):
    positions, radius = np.zeros((5, 2), dtype), np.ones(5, dtype)
    if column is None:
        radius[3] = value
    else:
        positions[3, column] = value
    shapes = wp.circles(positions, radius)
    good = wp.Index(wp.circles(GOOD, 1.0))
    calls = (
        lambda: wp.pairs(shapes),
        lambda: wp.count(shapes),
        lambda: wp.contacts(shapes),
        lambda: wp.neighbors(shapes, 1.0),
        lambda: wp.Index(shapes),
        lambda: good.overlapping(shapes),
        lambda: good.nearest(shapes),
        lambda: good.cast_shapes(shapes, np.ones((5, 2))),
        lambda: wp.World().insert(shapes),
        lambda: wp.pairs(shapes, against=good),
        lambda: wp.concat([wp.points(GOOD), shapes]),
    )
    for call in calls:
        with pytest.raises(wp.ShapeError) as caught:
            call()
        assert (caught.value.field, caught.value.row) == (field, 3), call
        np.testing.assert_equal(caught.value.value, value)


def test_values_are_those_that_were_given():
    """Not rounded to float32, as the library reports them."""
    low = np.array([[4_500_000.4, 0.0]])
    with pytest.raises(wp.ShapeError) as caught:
        wp.count(wp.boxes(low, low - 0.1))
    assert (caught.value.field, caught.value.value) == ("min_x", 4_500_000.4)


@pytest.mark.parametrize(
    "make, field",
    [
        (lambda: wp.points(np.zeros(4)), "positions"),
        (lambda: wp.points(np.zeros((4, 3))), "positions"),
        (lambda: wp.points(np.zeros((2, 5))), "positions"),
        (lambda: wp.points(np.zeros((2, 2, 2))), "positions"),
        (lambda: wp.points(np.float32(3)), "positions"),
        (lambda: wp.points(3), "positions"),
        (lambda: wp.points(None), "positions"),
        (lambda: wp.points("text"), "positions"),
        (lambda: wp.points([["a", "b"]]), "positions"),
        (lambda: wp.points([[1, 2], [3]]), "positions"),
        (lambda: wp.points([[True, False]]), "positions"),
        (lambda: wp.points([[1j, 2j]]), "positions"),
        (lambda: wp.points([[object(), object()]]), "positions"),
        (lambda: wp.points(np.zeros((3, 2), dtype="datetime64[s]")), "positions"),
        (lambda: wp.points(np.zeros(3, dtype=[("x", "f4"), ("y", "f4")])), "positions"),
        (lambda: wp.points(np.ma.masked_array(np.zeros((3, 2)), [[0, 0], [0, 1], [0, 0]])), "positions"),
        (lambda: wp.points([[2**53 + 1, 0]]), "positions"),
        (lambda: wp.points([[10**400, 0]]), "positions"),
        (lambda: wp.points(np.array([[np.longdouble(1) + np.finfo(np.longdouble).eps, 0]])), "positions"),
        (lambda: wp.points([0.0, 1.0], [0.0]), "y"),
        (lambda: wp.points([[0.0]], [[0.0]]), "x"),
        (lambda: wp.circles(GOOD, [1.0, 2.0]), "radius"),
        (lambda: wp.circles(GOOD, [[1.0]] * 3), "radius"),
        (lambda: wp.circles(GOOD, True), "radius"),
        (lambda: wp.circles(GOOD, None), "radius"),
        (lambda: wp.boxes(GOOD, GOOD[:2]), "max"),
        (lambda: wp.boxes([0], [0], [1], [1, 2]), "max_y"),
        (lambda: wp.obbs(GOOD, (1, 1), NAN), "angle"),
        (lambda: wp.obbs(GOOD, (1, 1, 1), 0.0), "half_extents"),
        (lambda: wp.capsules(GOOD, GOOD[:1], 1.0), "b"),
        (lambda: wp.segments(GOOD, GOOD[:1]), "b"),
        (lambda: wp.polygons(np.zeros((4, 2)), [3]), "counts"),
        (lambda: wp.polygons(np.zeros((4, 2)), [-1, 5]), "counts"),
        (lambda: wp.polygons(np.zeros((4, 2)), [2**62, 2**62]), "counts"),
        (lambda: wp.polygons([[[0, 0], [1, 0], [NAN, 1]]]), "x"),
        (lambda: wp.points(GOOD, spaces=[0, 1]), "space"),
        (lambda: wp.points(GOOD, spaces=[0, 1, -1]), "space"),
        (lambda: wp.points(GOOD, spaces=[0.5, 1, 2]), "space"),
        (lambda: wp.points(GOOD, spaces=[0, 1, 2**32]), "space"),
        (lambda: wp.points(GOOD, filters=wp.Filter(category=[1, 2])), "category"),
        (lambda: wp.points(GOOD, filters=wp.Filter(mask=1.5)), "mask"),
        (lambda: wp.points(GOOD, filters=wp.Filter(mask=2**64)), "mask"),
        (lambda: wp.points(GOOD).with_filters(category=2**64), "category"),
        (lambda: wp.points(GOOD).with_filters(category=-(2**63) - 1), "category"),
        (lambda: wp.Index(GOOD).count(GOOD, filter=wp.Filter(category=2**64)), "category"),
        (lambda: wp.neighbors(GOOD, -1.0, against=GOOD), "r"),
        (lambda: wp.k_nearest_periodic(GOOD, -1, (1, 1)), "k"),
        (lambda: wp.k_nearest_periodic(GOOD, 1, (1, 0)), "periodic"),
        (lambda: wp.k_nearest_periodic(GOOD, 1, (1, 1), max_distance=NAN), "max_distance"),
        (lambda: wp.points(GOOD, filters=wp.Filter(group=2**40)), "group"),
        (lambda: wp.points(GOOD, filters=wp.Filter(owner=-1)), "owner"),
        (lambda: wp.points(GOOD, filters=wp.Filter(sensor=1)), "sensor"),
        (lambda: wp.neighbors(GOOD, -1.0), "r"),
        (lambda: wp.neighbors(GOOD, NAN), "r"),
        (lambda: wp.neighbors(GOOD, [1.0]), "r"),
        (lambda: wp.neighbors(GOOD, 1.0, periodic=(0, 1)), "periodic"),
        (lambda: wp.neighbors(GOOD, 1.0, periodic=(1, NAN)), "periodic"),
        (lambda: wp.neighbors(GOOD, 1.0, periodic=(1, 1, 1)), "periodic"),
        (lambda: wp.neighbors(GOOD, 1.0, periodic=(0, 9, 0, 9)), "periodic"),
        (lambda: wp.neighbors(GOOD, 1.0, periodic=((0, 9), (0, 9))), "periodic"),
        (lambda: wp.contacts(wp.points(GOOD), margin=-1.0), "margin"),
        (lambda: wp.contacts(wp.points(GOOD), margin=NAN), "margin"),
        (lambda: wp.Index(GOOD).k_nearest(GOOD, -1), "k"),
        (lambda: wp.Index(GOOD).k_nearest(GOOD, 1.5), "k"),
        (lambda: wp.Index(GOOD).nearest(GOOD, max_distance=-1), "max_distance"),
        (lambda: wp.Index(GOOD).nearest(GOOD, without=[1]), "without"),
        (lambda: wp.Index(GOOD).cast_rays(GOOD, GOOD[:2]), "directions"),
        (lambda: wp.Index(GOOD).cast_rays(GOOD, GOOD, [1.0]), "max_fraction"),
        (lambda: wp.Index(GOOD).cast_rays([[NAN, 0]], [[1, 0]]), "x"),
        (lambda: wp.Index(GOOD).cast_rays([[0, 0]], [[1, INF]]), "dy"),
        (lambda: wp.Index(GOOD).cast_rays([[0, 0]], [[1, 0]], -1), "max_fraction"),
        (lambda: wp.Index(GOOD).scan(wp.Fan(-1), GOOD), "rays"),
        (lambda: wp.Index(GOOD).scan(wp.Fan(2**24 + 1), GOOD), "rays"),
        (lambda: wp.Index(GOOD).scan(wp.Fan(3, NAN), GOOD), "max_range"),
        (lambda: wp.Index(GOOD).scan(wp.Fan(3, 1.0, 0.0), GOOD), "fan"),
        (lambda: wp.Index(GOOD).scan(wp.Fan(3), np.zeros((2, 4))), "poses"),
        (lambda: wp.Index(GOOD).cast_shapes(wp.points(GOOD), GOOD[:1]), "dx"),
        (lambda: wp.swept_pairs(wp.points(GOOD), GOOD[:1]), "displacements"),
        (lambda: wp.swept_pairs(wp.points(GOOD), GOOD, start="never"), "start"),
        (lambda: wp.rounded_boxes(GOOD, GOOD[:1], 1.0), "max"),
        (lambda: wp.rounded_boxes(GOOD, GOOD, [1.0]), "radius"),
        (lambda: wp.pairs(wp.rounded_boxes(GOOD, GOOD, -1.0)), "radius"),
        (lambda: wp.polygons([TRIANGLE], radius=-1.0), "radius"),
        (lambda: wp.polygons([TRIANGLE], radius=[1.0, 2.0]), "radius"),
        (lambda: wp.outlines(GOOD, [2]), "counts"),
        (lambda: wp.outlines(TRIANGLE, [3], [2]), "rings"),
        (lambda: wp.outlines(TRIANGLE, [3], [1], [2]), "polygons"),
        (lambda: wp.outlines([TRIANGLE[:2]]), "vertices"),
        (lambda: wp.outlines([[0.0, 1.0]]), "vertices"),
        (lambda: wp.outlines([[[TRIANGLE, [[9, 9], [10, 9], [9, 10]]]]]), "vertices"),
        (lambda: wp.outlines([[[0, 0], [1, 1], [1, 0], [0, 1]]]), "vertices"),
        (lambda: wp.outlines([[[0, 0], [1, INF], [1, 0]]]), "y"),
        (lambda: wp.outlines([[[0, 0], [1, 2.0**61], [1, 0]]]), "y"),
        (lambda: wp.chains([[[0, 0], [1, NAN]]]), "y"),
        (lambda: wp.chains([TRIANGLE], sides="up"), "sides"),
        (lambda: wp.half_planes(GOOD, [0.0, 0.0]), "normal_x"),
        (lambda: wp.half_planes(GOOD, [[0.0, 1.0]]), "normals"),
        (lambda: wp.half_planes([[0, INF]], [0.0, 1.0]), "offset"),
        (lambda: wp.compounds(wp.points(GOOD), [1, 1]), "counts"),
        (lambda: wp.compounds(wp.points(GOOD), [0, 3]), "parts"),
        (lambda: wp.compounds(wp.half_planes(GOOD, [0.0, 1.0]), [3]), "parts"),
        (lambda: wp.compounds(wp.points(GOOD, spaces=[0, 1, 2]), [3]), "parts"),
        (lambda: wp.distance(GOOD, GOOD[:2]), "b"),
        (lambda: wp.distance(GOOD, GOOD, [[0, 3]]), "rows"),
        (lambda: wp.distance(GOOD, [[NAN, 0]]), "x"),
        (lambda: wp.overlap_area(GOOD, wp.circles(GOOD, -1.0)), "radius"),
        (lambda: wp.closest_points(GOOD, GOOD, threads=0), "threads"),
        (lambda: wp.tiles(wp.points(GOOD), -1), "n"),
        (lambda: wp.tiles(wp.points(GOOD), 2, margin=-1.0), "margin"),
        (lambda: wp.tiles(wp.points(GOOD), 2)[0].contacts(1.0), "margin"),
        (lambda: wp.tiles(wp.points([[NAN, 0]]), 2), "x"),
        (lambda: wp.World().move_and_slide([], GOOD), "displacements"),
        (lambda: wp.World().move_and_slide([], np.empty((0, 2)), gap=[1]), "gap"),
        (lambda: wp.islands(2, [[0, 5]]), "pairs"),
        (lambda: wp.islands(2, [[0, -5]]), "pairs"),
        (lambda: wp.islands(2, [0, 1]), "pairs"),
        (lambda: wp.islands(2, [[0, 1]], joins=[True]), "joins"),
        (lambda: wp.PairDiff().update([[0, 1]], ids=[7]), "b"),
        (lambda: wp.World(margin=-1.0), "margin"),
        (lambda: wp.World(origin=(NAN, 0)), "origin"),
        (lambda: wp.World().insert(wp.points(GOOD), motion=["static"]), "motion"),
        (lambda: wp.World().insert(wp.points(GOOD), user=[1]), "user"),
        (lambda: wp.World().insert(wp.points(GOOD), user=-1), "user"),
        (lambda: wp.World().set_positions(GOOD), "positions"),
        (lambda: wp.World().set_positions(GOOD, handles=[1]), "positions"),
        (lambda: wp.World().set_velocities([1], GOOD), "velocities"),
        (lambda: wp.World().handles_of([0.5]), "rows"),
        (lambda: wp.World().handles_of(-1), "rows"),
        (lambda: wp.PairDiff().update([[0, 1]], ids=[0, -1]), "ids"),
        (lambda: wp.neighbors(GOOD, 1.0, periodic=10), "periodic"),
        (lambda: wp.Index(wp.points(GOOD, spaces=[0, 0, 1])).nearest(GOOD), "spaces"),
    ],
)
def test_arguments_are_refused_by_name(make, field):
    with pytest.raises(wp.ShapeError) as caught:
        make()
    assert caught.value.field == field, caught.value


@pytest.mark.parametrize(
    "call",
    [
        lambda: wp.pairs(GOOD),
        lambda: wp.pairs(wp.points(GOOD), against=GOOD),
        lambda: wp.circles(GOOD),
        lambda: wp.circles(GOOD, radius=1.0, height=2.0),
        lambda: wp.concat([GOOD]),
        lambda: wp.concat(wp.points(GOOD)),
        lambda: wp.Index(GOOD).scan(360, GOOD),
        lambda: wp.World().insert(GOOD),
        lambda: wp.pairs(wp.points(GOOD), threads="two"),
        lambda: wp.KDTree(GOOD, box_size=10),
        lambda: wp.KDTree(GOOD, boxsize=10, leaf_size=3),
    ],
)
def test_wrong_kinds_of_arguments_are_type_errors(call):
    with pytest.raises(TypeError):
        call()


@pytest.mark.parametrize(
    "call, field",
    [
        (lambda: wp.pairs(wp.points(GOOD), level="avx1024"), "level"),
        (lambda: wp.pairs(wp.points(GOOD), threads=0), "threads"),
        (lambda: wp.pairs(wp.points(GOOD), threads=-1), "threads"),
        (lambda: wp.pairs(wp.points(GOOD), threads=10**6), "threads"),
        (lambda: wp.pairs(wp.points(GOOD), touching="maybe"), "touching"),
        (lambda: wp.Index(GOOD).cast_shapes(wp.points(GOOD), GOOD, start="outward"), "start"),
        (lambda: wp.World().insert(wp.points(GOOD), motion="floating"), "motion"),
        (lambda: wp.Detector(max_pairs=-1), "max_pairs"),
        (lambda: wp.World(max_contacts=2**65), "max_contacts"),
    ],
)
def test_options_that_do_not_exist_are_shape_errors(call, field):
    with pytest.raises(wp.ShapeError) as caught:
        call()
    assert caught.value.field == field


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: wp.pairs(wp.points(GOOD), wp.points(GOOD)), "against="),
        (lambda: wp.count(wp.points(GOOD), wp.points(GOOD)), "against="),
        (lambda: wp.Detector().pairs(wp.points(GOOD), wp.Index(GOOD)), "against="),
        (lambda: wp.contacts(wp.points(GOOD), wp.Index(GOOD)), "against="),
        (lambda: wp.circles(GOOD, radii=1.0), "no argument radii"),
        (lambda: wp.boxes(np.zeros((3, 4))), "min is a[:, :2] and max is a[:, 2:]"),
        (lambda: wp.polygons(np.zeros((3, 2))), "[vertices] is a list of one"),
        (lambda: wp.obbs(GOOD, 1.0, 0.0), "(2,) for all rows"),
        (lambda: wp.points(None), "not NoneType"),
        (lambda: wp.points(row for row in GOOD), "not generator"),
        (lambda: wp.points({0.0, 1.0}), "not set"),
        (lambda: wp.points({"x": 0.0}), "not dict"),
        (lambda: wp.points(GOOD, spaces={0, 1}), "not set"),
        (lambda: wp.capsules([0.0, 0.0], [1.0, 0.0], 1.0), "[[x, y]] for one row"),
        (lambda: wp.neighbors(GOOD, -1.0), "r: -1.0 is not from 0 to 2^60"),
        (lambda: wp.neighbors(GOOD, 1.0, periodic=10), "(10, 10)"),
        (lambda: wp.Index(GOOD).k_nearest(GOOD, 2**62), "not from 0 to 2^48"),
        (lambda: wp.Index(GOOD).scan(wp.Fan(10**9), GOOD), "not from 0 to 2^24"),
        (lambda: wp.islands(2, [[0, 1], [0, 5]]), "pairs: row 5, of 2 rows"),
        (lambda: wp.islands([[0, 1]], 2), "islands(rows, pairs)"),
        (lambda: wp.adjacency([[0, 1]], 2), "adjacency(rows, pairs)"),
        (lambda: wp.World().set_positions(GOOD), "3 rows instead of 0 bodies"),
        (lambda: wp.World.restore(b"abc"), "not a snapshot"),
    ],
)
def test_messages_say_what_to_pass(call, text):
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    assert text in str(caught.value)


def test_values_of_lists_are_refused_by_row():
    world = wp.World()
    for call, row, value in (
        (lambda: world.insert(wp.points(GOOD), user=[1, -1, -2]), 1, -1),
        (lambda: world.remove([1, -5]), 1, -5),
        (lambda: wp.islands(2, [[0, 1], [0, 5]]), 1, 5),
        (lambda: wp.adjacency(2, [[0, 1], [7, 5]]), 1, 7),
    ):
        with pytest.raises(wp.ShapeError) as caught:
            call()
        assert (caught.value.row, caught.value.value) == (row, value)
    assert len(world) == 0


def test_lists_beyond_the_last_one_are_index_errors():
    for near in (
        wp.neighbors(GOOD, 1.0),
        wp.neighbors(GOOD, 1.0, distances=True),
        wp.neighbors(GOOD, 1.0, periodic=(10, 10)),
        wp.Index(GOOD).overlapping(GOOD),
    ):
        assert near[2].tolist()[:2] == near[-1].tolist()[:2] == [0, 1]
        assert len(near) == 3 and [len(rows) for rows in near] == near.counts.tolist()
        for row in (-4, 3):
            with pytest.raises(IndexError):
                near[row]


def test_limits_have_an_error_of_their_own():
    with pytest.raises(wp.LimitError):
        wp.Detector(max_pairs=2).pairs(wp.points(GOOD))
    with pytest.raises(wp.LimitError):
        wp.Detector(max_contacts=1).contacts(wp.circles(GOOD, 1.0))
    with pytest.raises(MemoryError):
        wp.Index(GOOD, max_pairs=2**60).k_nearest(GOOD, 2**47)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_list_has_a_limit(dtype):
    place = np.zeros((30, 2), dtype)
    heap, box = wp.circles(place, 0.5), (100.0, 100.0)
    few, more = wp.Detector(max_pairs=100, max_contacts=100), wp.Detector(max_pairs=1000)
    index, larger = wp.Index(heap, max_pairs=100), wp.Index(heap, max_pairs=1000)
    moves = np.tile([[1.0, 0.0], [-1.0, 0.0]], (15, 1))
    for call in (
        lambda detector, index: detector.pairs(heap),
        lambda detector, index: detector.pairs(heap, sorted=False),
        lambda detector, index: detector.pairs(heap, against=heap),
        lambda detector, index: detector.contacts(heap),
        lambda detector, index: detector.contacts(heap, against=heap),
        lambda detector, index: detector.neighbors(place, 1.0),
        lambda detector, index: detector.neighbors(place, 1.0, distances=True),
        lambda detector, index: detector.neighbors(place, 1.0, against=place),
        lambda detector, index: detector.neighbors(place, 1.0, periodic=box),
        lambda detector, index: detector.k_nearest_periodic(place, 4, box),
        lambda detector, index: detector.pairs_periodic(heap, box),
        lambda detector, index: detector.swept_pairs(wp.circles(moves * -5.0, dtype(0.5)), moves * 9.0),
        lambda detector, index: index.overlapping(heap),
        lambda detector, index: index.overlapping(heap, without=np.zeros(30, int)),
        lambda detector, index: index.k_nearest(place, 4),
        lambda detector, index: index.k_nearest_of_rows(4),
        lambda detector, index: index.cast_rays_all(place, [1.0, 0.0]),
    ):
        with pytest.raises(wp.LimitError):
            call(few, index)
        call(more, larger)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_lists_of_an_index_have_a_limit(dtype):
    heap = np.zeros((40_000, 2), dtype)
    index = wp.Index(heap)
    with pytest.raises(wp.LimitError, match="1600000000"):
        index.overlapping(heap)
    assert index.count(heap)[7] == 40_000 and index.any(heap).all()
    few = wp.Index(heap[:10], max_pairs=29)
    with pytest.raises(wp.LimitError):
        few.overlapping(heap[:3])
    with pytest.raises(wp.LimitError):
        few.cast_rays_all(heap[:3], [1.0, 0.0])
    assert len(few.overlapping(heap[:2]).indices) == 20


def test_errors_are_pickled_whole():
    error = wp.ShapeError("text", row=3, field="x", value=1.5)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.row, again.field, again.value) == ("text", 3, "x", 1.5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_no_rows_are_answered(dtype):
    none = np.empty((0, 2), dtype)
    for shapes in (wp.points(none), wp.circles(none, 1.0), wp.boxes(none, none), wp.polygons([]), wp.concat([])):
        assert wp.pairs(shapes).shape == (0, 2) and wp.count(shapes) == 0
        assert wp.contacts(shapes).shape == (0,)
        near = wp.neighbors(shapes, 1.0)
        assert near.indptr.tolist() == [0] and len(near.indices) == 0 and len(near) == 0
        index = wp.Index(shapes)
        assert index.k_nearest(GOOD, 2).row.tolist() == [[wp.NO_ROW] * 2] * 3
        assert wp.Index(GOOD).k_nearest(shapes, 2).row.shape == (0, 2)
        assert index.k_nearest(GOOD, 0).row.shape == (3, 0)
        assert not index.cast_rays(GOOD, GOOD).hit.any()
        assert index.scan(wp.Fan(0), GOOD).range.shape == (3, 0)
        assert index.scan(wp.Fan(4), none).range.shape == (0, 4)
        world = wp.World()
        assert len(world.insert(shapes)) == 0 and len(world.step().pairs) == 0
        assert world.positions.shape == (0, 2)
    assert wp.points([]).kind == "points" and len(wp.points([])) == 0
    assert wp.neighbors(none, 1.0).to_scipy().shape == (0, 0)
    assert wp.islands(0, []).island.tolist() == []


@given(
    hnp.arrays(
        dtype=st.one_of(
            hnp.floating_dtypes(), hnp.integer_dtypes(), hnp.boolean_dtypes(), hnp.unsigned_integer_dtypes()
        ),
        shape=hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5),
    )
)
def test_any_array_is_an_answer_or_a_shape_error(array):
    for call in (
        lambda: wp.pairs(wp.circles(array, 1.0)),
        lambda: wp.contacts(wp.circles(array, array)),
        lambda: wp.neighbors(array, 1.0),
        lambda: wp.Index(GOOD).nearest(array),
        lambda: wp.Index(GOOD).cast_rays(array, array),
        lambda: wp.Index(GOOD).scan(wp.Fan(3), array),
        lambda: wp.boxes(array, array),
        lambda: wp.World().insert(wp.points(array)),
        lambda: wp.World().remove(array),
        lambda: wp.PairDiff().update(array),
        lambda: wp.islands(4, array),
        lambda: wp.points(GOOD, spaces=array),
    ):
        try:
            call()
        except wp.ShapeError as error:
            assert str(error)


def test_arrays_that_change_their_shape_are_refused():
    x, y = np.zeros(100, np.float32), np.zeros(100, np.float32)
    shapes = wp.points(x, y)
    assert wp.count(shapes) == 4950
    x.resize(10, refcheck=False)
    with pytest.raises(wp.ShapeError):
        wp.count(shapes)
    z = np.zeros(100, np.float32)
    shapes = wp.points(z, np.zeros(100, np.float32))
    z.dtype = np.float64
    with pytest.raises(wp.ShapeError):
        wp.count(shapes)


def test_a_failed_call_changes_nothing():
    world = wp.World()
    handles = world.insert(wp.circles([[0.0, 0.0], [5.0, 0.0]], 1.0))
    before = world.state_hash()
    for call in (
        lambda: world.set_positions([[1.0, 1.0], [NAN, 0.0]]),
        lambda: world.set_positions([[1.0, 1.0], [NAN, 0.0]], handles=handles),
        lambda: world.set_poses([[1.0, 1.0], [0.0, 0.0]], [0.0, INF]),
        lambda: world.insert(wp.circles([[1.0, 0.0], [1.0, 0.0]], [1.0, -1.0])),
        lambda: world.remove([handles[0], handles[1], 12345]),
        lambda: world.set_motion([handles[0], 12345], "static"),
        lambda: world.set_velocities(handles, [[0.0, 0.0], [NAN, 0.0]]),
    ):
        with pytest.raises(wp.ShapeError):
            call()
        assert world.state_hash() == before


def test_rows_to_pass_over_must_exist():
    ways = [[1.0, 0.0]] * 3
    for dtype in (np.float32, np.float64):
        index = wp.Index(np.zeros((2, 2), dtype))
        asked = np.zeros((3, 2), dtype)
        for call in (
            index.overlapping, index.count, index.any, index.nearest,
            lambda at, without: index.k_nearest(at, 1, without=without),
            lambda at, without: index.cast_rays(at, ways, without=without),
            lambda at, without: index.cast_rays_all(at, ways, without=without),
            lambda at, without: index.hits_any(at, ways, without=without),
            lambda at, without: index.scan(wp.Fan(4), at, without=without),
            lambda at, without: index.cast_shapes(wp.points(at), ways, without=without),
        ):
            call(asked, without=[0, 1, wp.NO_ROW])
            with pytest.raises(wp.ShapeError, match="row 2 for query 1, and the index has 2 rows") as caught:
                call(asked, without=[0, 2, 7])
            assert (caught.value.row, caught.value.field) == (1, "without")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_errors_of_later_blocks_name_the_row(dtype: type) -> None:
    """Many queries are answered in blocks: the row of an error is a row of all queries."""
    index = wp.Index(np.zeros((3, 2), dtype))
    queries = np.zeros((200_000, 2), dtype)
    queries[150_001, 1] = np.nan
    rays = np.ones_like(queries)
    for call in (
        lambda: index.nearest(queries),
        lambda: index.k_nearest(queries, 2),
        lambda: index.cast_rays(queries, rays),
        lambda: index.hits_any(queries, rays),
        lambda: index.cast_shapes(wp.circles(queries, dtype(1)), rays),
    ):
        with pytest.raises(wp.ShapeError, match="150001") as error:
            call()
        assert error.value.row == 150_001
