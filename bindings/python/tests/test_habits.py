"""What objects do besides answering: pickles, copies, repr, slices, iteration, signatures."""

from __future__ import annotations

import copy
import inspect
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import widephase as wp

SQUARE = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]


def sets(dtype: type) -> list[wp.Shapes]:
    """A set of each kind, at UTM metres if float64."""
    at = np.array([[0, 0], [0.75, 0], [3, 0], [9, 9]], dtype) + dtype(4_500_000 if dtype == np.float64 else 0)
    made = [
        wp.points(np.repeat(at, 2, axis=0)),
        wp.circles(at, 0.5),
        wp.circles(at, np.array([1, 2, 3, 4], dtype)),
        wp.boxes(at, at + 1),
        wp.obbs(at, (0.5, 0.25), [0.0, 0.1, 0.2, 0.3]),
        wp.capsules(at, at + 1, 0.25),
        wp.segments(at, at + 1),
        wp.polygons([np.array(SQUARE, dtype) + place for place in at]),
        wp.concat([wp.circles(at, 0.5), wp.boxes(at, at + 1)]),
        wp.concat([wp.circles(at, 0.5), wp.polygons([np.array(SQUARE, dtype) + place for place in at])]),
    ]
    square = np.array(SQUARE, dtype)
    made += [
        wp.rounded_boxes(at, at + 1, 0.25),
        wp.polygons([square + place for place in at], radius=0.5),
        wp.outlines([[4 * square + place, square + 1 + place] for place in at]),
        wp.chains([square[:3] + place for place in at[:2]], sides="left"),
        wp.half_planes(at, np.array([0.6, 0.8], dtype)),
        wp.compounds(wp.concat([wp.circles(at, 0.5), wp.boxes(at, at + 1)])[[0, 4, 1, 5, 2, 3, 6, 7]], [2, 2, 1, 3]),
    ]
    made.append(wp.concat([made[-2], made[-1], made[1], made[-4]]))
    filters = wp.Filter(owner=np.arange(len(made[2])) % 3, sensor=[True, False, False, False])
    return [*made, made[2].with_filters(filters).with_spaces([0, 0, 0, 7]), made[7].with_filters(category=2)]


def same(one: wp.Shapes, other: wp.Shapes) -> None:
    """Two sets answer the same, bit for bit."""
    assert repr(one) == repr(other)
    np.testing.assert_array_equal(wp.pairs(one), wp.pairs(other))
    assert wp.contacts(one, 0.5).tobytes() == wp.contacts(other, 0.5).tobytes()
    near = wp.neighbors(one, 2.0, distances=True), wp.neighbors(other, 2.0, distances=True)
    np.testing.assert_array_equal(near[0].distances, near[1].distances)
    np.testing.assert_array_equal(near[0].indices, near[1].indices)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_shapes_are_pickled_and_copied(dtype):
    for shapes in sets(dtype):
        for again in (pickle.loads(pickle.dumps(shapes)), copy.copy(shapes), copy.deepcopy(shapes)):
            same(again, shapes)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_slices_masks_and_lists_of_rows(dtype):
    for shapes in sets(dtype):
        n = len(shapes)
        mask = np.arange(n) % 2 == 1
        for rows in (slice(1, 3), slice(None, None, -1), mask, [2, 0], np.array([-1, 1]), []):
            chosen = np.arange(n)[np.asarray(rows, dtype=np.intp) if isinstance(rows, list) else rows]
            taken = shapes[rows]
            assert len(taken) == len(chosen) and taken.kind == shapes.kind
            place = {int(row): number for number, row in enumerate(chosen)}
            expected = {
                tuple(sorted((place[a], place[b])))
                for a, b in wp.pairs(shapes).tolist()
                if a in place and b in place
            }
            assert {tuple(pair) for pair in wp.pairs(taken).tolist()} == expected
        for wrong in (1, "x", [[0]], np.ones((2, 2), bool)):
            with pytest.raises((TypeError, IndexError)):
                shapes[wrong]
        with pytest.raises(IndexError):
            shapes[[n]]
        with pytest.raises(TypeError):
            iter(shapes)


def test_slices_read_the_same_arrays():
    positions = np.zeros((5, 2), np.float32)
    part = wp.circles(positions, 0.5)[::2]
    assert wp.count(part) == 3
    positions[4] = 9.0
    assert wp.count(part) == 1


def test_an_index_is_pickled():
    for shapes in sets(np.float64):
        index = wp.Index(shapes, touching="exclusive")
        again = pickle.loads(pickle.dumps(index))
        queries = shapes if shapes.kind != "points" else shapes[::2]
        np.testing.assert_array_equal(again.overlapping(queries).indices, index.overlapping(queries).indices)
        assert repr(again) == repr(index)
    with pytest.raises(TypeError, match="pickle the world"):
        pickle.dumps(wp.World().index())


def test_a_tree_is_pickled(rng):
    for box in (None, 1.0, (0.0, 1.0)):
        tree = wp.KDTree(rng.random((50, 2)), boxsize=box)
        again = pickle.loads(pickle.dumps(tree))
        assert again.query_pairs(0.2) == tree.query_pairs(0.2) and repr(again) == repr(tree)


def test_a_world_is_copied_and_pickled(rng):
    world = wp.World(margin=0.25, origin=(500_000.0, 4_500_000.0), touching="exclusive")
    place = rng.uniform(0, 10, (40, 2)) + [500_000.0, 4_500_000.0]
    world.insert(wp.circles(place, 0.5))
    world.step()
    before = world.state_hash()
    copies = [copy.copy(world), copy.deepcopy(world), pickle.loads(pickle.dumps(world))]
    for again in copies:
        assert again.state_hash() == before and len(again) == 40
        np.testing.assert_array_equal(again.positions, world.positions)
        again.remove(again.handles[:20])
        assert len(again) == 20
    assert world.state_hash() == before and len(world) == 40
    contacts = [again.step().contacts.tobytes() for again in copies]
    assert contacts == [contacts[0]] * 3


def test_lists_are_lists():
    near = wp.neighbors([[0.0, 0.0], [1.0, 0.0], [5.0, 0.0]], 2.0, distances=True)
    assert len(near) == 3 and [rows.tolist() for rows in near] == [[1], [0], []]
    assert near[-1].tolist() == [] and near[np.int64(1)].tolist() == [0]
    assert list(map(len, near)) == near.counts.tolist()
    for wrong in (3, -4):
        with pytest.raises(IndexError):
            near[wrong]
    with pytest.raises(TypeError):
        near["x"]
    again = pickle.loads(pickle.dumps(near))
    np.testing.assert_array_equal(again.distances, near.distances)
    assert repr(near) == repr(again) == "<widephase.Distances: 3 lists, 2 rows>"
    periodic = wp.neighbors([[0.0, 0.0], [9.0, 0.0]], 2.0, periodic=(10, 10))
    assert pickle.loads(pickle.dumps(periodic)).shifts.tolist() == periodic.shifts.tolist()
    with pytest.raises(TypeError):
        periodic.to_scipy()


def test_one_position_is_answered_without_an_axis():
    for dtype in (np.float32, np.float64):
        points = np.array([[0, 0], [1, 0], [5, 0]], dtype)
        index, one = wp.Index(wp.circles(points, 1.0)), np.array([0.5, 0.0], dtype)
        assert index.overlapping(one).tolist() == [0, 1]
        assert index.count(one) == 2 and index.any(one) and not index.any([20.0, 0.0])
        row, distance = index.nearest([9.0, 0.0])
        assert (row, distance) == (2, 3.0) and np.shape(row) == ()
        row, distance = index.k_nearest(one, 2, without=0)
        assert row.tolist() == [1, 2] and distance.shape == (2,)


def test_everything_shows_its_counts():
    shapes = wp.circles(np.zeros((4, 2)), 1.0)
    world = wp.World()
    world.insert(shapes)
    shown = [shapes, wp.Index(shapes), wp.KDTree(np.zeros((4, 2))), world, wp.neighbors(shapes, 1.0)]
    assert all("4 " in repr(made) for made in shown), shown
    assert "6 pairs" in repr(world.step())
    assert repr(wp.Detector(threads=2)) == "<widephase.Detector: threads=2>"
    diff = wp.PairDiff()
    diff.update([[0, 1], [2, 3]])
    assert repr(diff) == "<widephase.PairDiff: 2 pairs>"


def test_signatures_name_the_arguments():
    for call, names in (
        (wp.points, ["positions"]),
        (wp.circles, ["positions", "radius"]),
        (wp.boxes, ["min", "max"]),
    ):
        assert list(inspect.signature(call).parameters) == [*names, "filters", "spaces"]
    for call in (wp.neighbors, wp.KDTree, wp.pairs, wp.Index, wp.World.restore):
        kinds = [parameter.kind for parameter in inspect.signature(call).parameters.values()]
        assert inspect.Parameter.VAR_KEYWORD not in kinds


def public() -> list[tuple[str, object]]:
    """All public functions, classes and methods, and what the extension has."""
    found: list[tuple[str, object]] = []
    for module, names in ((wp, wp.__all__), (wp._widephase, dir(wp._widephase))):
        for name in names:
            one = getattr(module, name)
            if name.startswith("_") or not (inspect.isclass(one) or inspect.isroutine(one)):
                continue
            found.append((name, one))
            methods = vars(one) if inspect.isclass(one) else {}
            found += [(f"{name}.{of}", getattr(one, of)) for of in methods if of[0] != "_" and callable(getattr(one, of))]
    return found


def test_everything_has_a_signature_and_a_docstring():
    assert len(public()) > 120
    for name, call in public():
        signature = inspect.signature(call)
        kinds = [parameter.kind for parameter in signature.parameters.values()]
        assert inspect.Parameter.VAR_POSITIONAL not in kinds, (name, signature)
        # The style of a picture is matplotlib's.
        assert inspect.Parameter.VAR_KEYWORD not in kinds or name == "plot", (name, signature)
    for name in wp.__all__:
        if inspect.isclass(getattr(wp, name)) or inspect.isroutine(getattr(wp, name)):
            assert getattr(wp, name).__doc__, name


def test_packed_records_are_read_at_each_call():
    packed = np.zeros(10, dtype=[("kind", "u1"), ("x", "f4"), ("y", "f8"), ("radius", "f4")])
    packed["radius"] = 1.0
    assert not packed["x"].flags.aligned
    shapes = wp.circles(packed["x"], packed["y"], packed["radius"])
    singles = wp.circles(packed["x"], packed["x"], packed["radius"])
    assert wp.count(shapes) == wp.count(singles) == 45
    packed["x"] = np.arange(10) * 2
    assert np.shares_memory(shapes.columns["x"], packed)
    assert wp.count(shapes) == 9 and wp.count(singles) == 0
    assert wp.Index(shapes).count(shapes).sum() == 10 + 2 * 9


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_has_no_filter_has_the_default_one(dtype):
    place = np.zeros((1, 2), dtype)
    for filters, meet in (
        (wp.Filter(mask=0), False),
        (wp.Filter(category=0), False),
        (wp.Filter(mask=2), False),
        (wp.Filter(category=2), True),
        (wp.Filter(owner=1), True),
        (wp.Filter(group=-1), True),
    ):
        plain, filtered = wp.points(place), wp.points(place, filters=filters)
        world = wp.World()
        world.insert(filtered)
        for index, asked in (
            (wp.Index(filtered), plain),
            (wp.Index(plain), filtered),
            (world.index(), plain),
        ):
            answers = [
                len(index.overlapping(asked).indices) > 0,
                bool(index.count(asked)[0]),
                bool(index.any(asked)[0]),
                bool(index.nearest(asked).row[0] == 0),
                index.cast_shapes(asked, [[1.0, 0.0]], start="any").hit[0],
                wp.count(asked, against=index) > 0,
                len(wp.pairs(asked, against=index)) > 0,
                len(wp.contacts(asked, against=index)) > 0,
                len(wp.neighbors(asked, 1.0, against=index).indices) > 0,
                wp.count(wp.concat([plain, filtered])) > 0,
            ]
            assert answers == [meet] * len(answers), (filters, answers)
            # Rays are no shapes: without a filter they meet everything.
            assert index.hits_any([[0.0, 0.0]], [[1.0, 0.0]]).all()


def test_threads_of_large_calls():
    """The threads that a call of 100,000 rows makes, in a new process: names of Linux."""
    program = """if True:
        import sys, time
        from pathlib import Path
        import numpy as np, widephase as wp
        expected, *set_to = map(int, sys.argv[1:])
        if set_to:
            wp.set_threads(*set_to)
        wp.count(wp.circles(np.zeros((100_000, 2)) + np.arange(100_000)[:, None], 0.25))
        def count():
            names = [(task / "comm").read_text() for task in Path("/proc/self/task").iterdir()]
            return sum(name[:10] == "widephase-" and name[10:].strip().isdigit() for name in names)
        # A thread names itself when it first runs.
        until = time.monotonic() + 20
        while count() < expected and time.monotonic() < until:
            time.sleep(0.01)
        print(count())
    """
    if not Path("/proc/self/task").is_dir():
        pytest.skip("needs the names of threads in /proc")
    for set_to, named, expected in (("3", "2", 3), (None, "5", 5), ("1", "4", 0)):
        arguments = [sys.executable, "-c", program, str(expected)] + ([set_to] if set_to else [])
        environment = {**os.environ, "RAYON_NUM_THREADS": named}
        ended = subprocess.run(arguments, env=environment, capture_output=True, text=True, check=True)
        assert int(ended.stdout) == expected
    for wrong in (0, -1, 1025):
        with pytest.raises(wp.ShapeError, match="threads: from 1 to 1024"):
            wp.set_threads(wrong)
