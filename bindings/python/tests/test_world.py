"""Worlds: events, handles, snapshots."""

from __future__ import annotations

import numpy as np
import pytest

import widephase as wp


def test_events_follow_the_pairs(rng):
    world, diff = wp.World(), wp.PairDiff()
    positions = rng.uniform(0, 12, (200, 2))
    handles = world.insert(wp.circles(positions, 0.4), user=np.arange(200))
    np.testing.assert_array_equal(world.handles, handles)
    touching: set[tuple[int, int]] = set()
    for _ in range(20):
        positions += rng.normal(scale=0.1, size=(200, 2))
        world.set_positions(positions)
        step = world.step()
        changes = diff.update(step.pairs)
        users = [set(zip(e["user_a"].tolist(), e["user_b"].tolist())) for e in (step.started, step.stopped, step.persisted)]
        ordered = [{tuple(sorted(pair)) for pair in found} for found in users]
        assert ordered[0] == {tuple(pair) for pair in changes.started.tolist()}
        assert ordered[1] == {tuple(pair) for pair in changes.stopped.tolist()}
        assert ordered[2] == {tuple(pair) for pair in changes.persisted.tolist()}
        touching = (touching | ordered[0]) - ordered[1]
        assert touching == {tuple(pair) for pair in step.pairs.tolist()}
        assert {tuple(pair) for pair in wp.pairs(wp.circles(positions.astype(np.float32), 0.4)).tolist()} == touching
        np.testing.assert_array_equal(step.contacts["a"], np.minimum(step.contacts["a"], step.contacts["b"]))


def test_removed_bodies_stop_and_their_handles_are_stale():
    world = wp.World()
    a, b = world.insert(wp.circles([[0.0, 0.0], [1.0, 0.0]], 1.0))
    world.step()
    world.remove([b])
    step = world.step()
    assert wp.STOP_REASONS[step.stopped["reason"][0]] == "removed" and len(world) == 1
    with pytest.raises(wp.ShapeError) as caught:
        world.set_positions([[0.0, 0.0], [1.0, 1.0]], handles=[a, b])
    assert (caught.value.field, caught.value.row, caught.value.value) == ("handles", 1, int(b))
    assert str(int(b)) in str(caught.value)
    assert world.positions.tolist() == [[0.0, 0.0]]
    with pytest.raises(wp.ShapeError) as caught:
        world.remove([a, a])
    assert (caught.value.field, caught.value.row, caught.value.value) == ("handles", 1, int(a))
    for handle in (0, 2**64 - 1, int(a) + 1):
        with pytest.raises(wp.ShapeError):
            world.remove([handle])
    assert len(world) == 1


def test_rows_become_handles():
    """Rows keep holes; `handles` and `positions` do not."""
    world = wp.World()
    handles = world.insert(wp.circles([[0.0, 0.0], [5.0, 0.0], [6.0, 0.0], [7.0, 0.0]], 1.0))
    world.remove(handles[:1])
    step = world.step()
    assert step.pairs.tolist() == [[1, 2], [1, 3], [2, 3]]
    expected = [[handles[1], handles[2]], [handles[1], handles[3]], [handles[2], handles[3]]]
    assert world.handles_of(step.pairs).tolist() == expected
    assert world.handles_of(step.contacts["a"]).tolist() == [pair[0] for pair in expected]
    assert world.handles.tolist() == handles[1:].tolist()
    near = world.index().nearest([[6.1, 0.0], [5.1, 0.0]])
    assert world.handles_of(near.row).tolist() == [handles[2], handles[1]]
    none = world.handles_of([0, 3, 4, wp.NO_ROW])
    assert none.dtype == np.uint64 and none.tolist() == [0, handles[3], 0, 0]
    assert world.handles_of(3).shape == () and world.handles_of([]).shape == (0,)
    new = world.insert(wp.circles([[0.0, 0.0]], 1.0))
    assert world.handles_of(0) == new[0] != handles[0]


def test_events_have_the_order_of_rows_that_are_used_again():
    world = wp.World(margin=0.25)
    first, second = world.insert(wp.circles([[-9.0, 0.0], [0.0, 0.0]], 1.0), user=[1, 2])
    world.step()
    world.remove([first])
    (again,) = world.insert(wp.circles([[1.5, 0.0]], 1.0), user=[3])
    assert again > second
    step = world.step()
    event = step.started[0]
    assert (event["a"], event["b"], event["user_a"], event["user_b"]) == (again, second, 3, 2)
    contact = step.contacts[event["contact"]]
    assert (contact["a"], contact["b"]) == (0, 1) and contact["normal"].tolist() == [-1.0, 0.0]
    world.set_positions([[-9.0, 0.0]], handles=[second])
    stopped = world.step().stopped[0]
    assert (stopped["a"], stopped["b"]) == (again, second)


@pytest.mark.parametrize("margin", [0.0, 0.25])
def test_lists_are_sorted_whatever_moves(rng, margin):
    world = wp.World(margin=margin)
    positions = rng.uniform(0, 6, (90, 2))
    spaces = rng.integers(0, 3, 90)
    motion = [("moving", "asleep", "static")[number % 3] for number in range(90)]
    world.insert(wp.circles(positions, 0.5, spaces=spaces), motion=motion)
    step = world.step()
    for pairs in (step.pairs.tolist(), list(zip(step.contacts["a"].tolist(), step.contacts["b"].tolist()))):
        assert len(pairs) > 20 and pairs == sorted(pairs)
    moving = wp.circles(positions, 0.5, spaces=spaces)
    found = wp.pairs(moving).tolist()
    assert len(found) > 20 and found == sorted(found)


def test_snapshots_go_on_with_the_same_bits(rng):
    world = wp.World(margin=0.1)
    world.insert(wp.boxes([[0, 0]], [[10, 1]]), motion="static")
    world.insert(wp.circles(rng.uniform(0, 10, (50, 2)), 0.5))
    world.step()
    other = wp.World.restore(world.snapshot(), threads=1)
    for each in (world, other):
        each.set_positions(np.linspace(0, 10, 102).reshape(51, 2))
        each.step()
    assert world.state_hash() == other.state_hash()
    snapshot = world.snapshot()
    for damaged in (b"", snapshot[:-1], snapshot[:40], b"x" + snapshot[1:], snapshot + b"0"):
        with pytest.raises(ValueError):
            wp.World.restore(damaged)
    with pytest.raises(TypeError):
        wp.World.restore("text")


def test_snapshots_keep_the_origin():
    origin = (500_000.0, 4_500_000.0)
    world = wp.World(origin=origin)
    world.insert(wp.circles([[500_001.5, 4_500_002.25]], 0.5))
    snapshot = world.snapshot()
    for given in ({}, {"origin": origin}):
        again = wp.World.restore(snapshot, **given)
        assert again.positions.tolist() == [[500_001.5, 4_500_002.25]]
        assert again.snapshot() == snapshot
    with pytest.raises(wp.ShapeError) as caught:
        wp.World.restore(snapshot, origin=(0.0, 0.0))
    assert caught.value.field == "origin"
    # Without one, it is a snapshot of the library, for which an origin may be named.
    plain = wp.World()
    plain.insert(wp.circles([[1.5, 2.25]], 0.5))
    named = wp.World.restore(plain.snapshot(), origin=origin)
    assert named.positions.tolist() == world.positions.tolist()
    for place in range(len(snapshot) - 40, len(snapshot)):
        damaged = bytearray(snapshot)
        damaged[place] ^= 4
        with pytest.raises(ValueError):
            wp.World.restore(bytes(damaged))


def test_poses_motions_velocities_index():
    world = wp.World(origin=(500_000.0, 4_500_000.0))
    place = np.array([[500_001.0, 4_500_002.0], [500_009.0, 4_500_002.0]])
    handles = world.insert(wp.obbs(place, (2.0, 0.5), 0.0))
    np.testing.assert_allclose(world.positions, place, atol=1e-6)
    world.set_poses(place[:1], [np.pi / 2], handles=handles[:1])
    np.testing.assert_allclose(world.angles_of(), [np.pi / 2, 0.0], atol=1e-6)
    world.set_positions(place + 1.0)
    np.testing.assert_allclose(world.angles_of(handles[:1]), [np.pi / 2], atol=1e-6)
    world.set_velocities(handles, [[1.0, 0.0], [-1.0, 0.0]])
    world.set_positions(place[:1] + 1.0, handles=handles[1:])
    step = world.step()
    assert len(step.started) == 1 and step.contacts.dtype == wp.CONTACT64
    np.testing.assert_allclose(step.contacts["points"]["position"][0, 0], place[0] + 1, atol=3.0)
    assert world.index().nearest(place[:1]).row.tolist() == [0]
    assert world.islands().indices.tolist() == [0, 1]
    world.set_motion(handles, "static")
    assert len(world.step().pairs) == 0
    with pytest.raises(wp.ShapeError):
        world.set_motion(handles, ["moving", "flying"])


def test_arrays_of_a_step_stay_and_are_read_only(rng):
    world = wp.World()
    world.insert(wp.circles(rng.uniform(0, 5, (100, 2)), 0.5))
    step = world.step()
    pairs, contacts = step.pairs, step.contacts
    copies = pairs.copy(), contacts.copy()
    world.set_positions(rng.uniform(0, 5, (100, 2)))
    world.step()
    del world, step
    np.testing.assert_array_equal(pairs, copies[0])
    assert contacts.tobytes() == copies[1].tobytes()
    with pytest.raises(ValueError):
        pairs[0] = 7


def test_spaces_and_filters_of_bodies():
    world = wp.World()
    world.insert(wp.circles([[0, 0], [0, 0], [0, 0], [0, 0]], 1.0, spaces=[0, 0, 5, 5]))
    assert world.step().pairs.tolist() == [[0, 1], [2, 3]]
    world = wp.World()
    world.insert(wp.circles([[0, 0], [0, 0], [0, 0]], 1.0, filters=wp.Filter(owner=[1, 1, 2])))
    assert world.step().pairs.tolist() == [[0, 2], [1, 2]]
    sensor = wp.World()
    sensor.insert(wp.circles([[0, 0], [0, 0]], 1.0, filters=wp.Filter(sensor=[True, False])))
    step = sensor.step()
    assert step.started["sensor"].tolist() == [1] and len(step.contacts) == 0
