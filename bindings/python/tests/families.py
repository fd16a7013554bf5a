"""Every family of calls once, for the tests of memory, threads, signals and forks."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

import widephase as wp

#: Prepares a call for a number of shapes. The call can be repeated, by several threads.
Prepare = Callable[[int], Callable[[], Any]]

FAMILIES: dict[str, Prepare] = {}

F32, F64 = np.float32, np.float64


def place(n: int, dtype: type = F32, seed: int = 1) -> np.ndarray:
    """Positions with about one other position within a distance of 0.56."""
    return np.random.default_rng(seed).uniform(0, n**0.5, (n, 2)).astype(dtype)


def discs(n: int, dtype: type = F32, radius: float = 0.8) -> wp.Shapes:
    """Circles with about eight others each."""
    return wp.circles(place(n, dtype), dtype(radius))


def beams(n: int) -> wp.Shapes:
    return wp.obbs(place(n), (1.0, 0.5), np.linspace(0, 9, n, dtype=F32))


def triangles(n: int, dtype: type = F32) -> np.ndarray:
    corners = np.array([[0, 0], [1.5, 0], [0, 1.5]], dtype)
    return (place(n, dtype)[:, None, :] + corners).reshape(-1, 2)


def dumbbells(n: int, dtype: type = F32) -> wp.Shapes:
    """Two circles beside each other for each compound."""
    ends = np.array([[0, 0], [0.5, 0]], dtype)
    return wp.circles((place(n, dtype)[:, None, :] + ends).reshape(-1, 2), dtype(0.4))


def mixed(n: int, dtype: type = F32) -> wp.Shapes:
    half = n // 2
    at = place(n, dtype)
    return wp.concat([wp.circles(at[:half], dtype(0.8)), wp.boxes(at[half:], at[half:] + dtype(1))])


def filtered(n: int) -> wp.Shapes:
    category = np.left_shift(np.uint64(1), np.arange(n, dtype=np.uint64) % np.uint64(5))
    spaces = np.arange(n, dtype=np.uint32) % 3
    return discs(n).with_filters(category=category, owner=np.arange(n) % 7).with_spaces(spaces)


def parts(found: Any) -> Any:
    """The arrays of an answer."""
    if isinstance(found, wp.Lists):
        names = ("indptr", "indices", "distances", "shifts")
        return tuple(getattr(found, name) for name in names if hasattr(found, name))
    if isinstance(found, wp.Shapes):
        return (len(found), wp.count(found, threads=1))
    if isinstance(found, tuple):
        return tuple(parts(part) for part in found)
    return found


def same(one: Any, other: Any) -> bool:
    """Whether two answers are equal, bit for bit."""
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    return bool(one == other)


def size_of(found: Any) -> int:
    """The bytes of the arrays of an answer."""
    if isinstance(found, tuple):
        return sum(map(size_of, found))
    return found.nbytes if isinstance(found, np.ndarray) else len(found) if isinstance(found, bytes) else 0


def add(name: str, given: Callable[[int], Any], call: Callable[[Any], Any]) -> None:
    """A family with input that is prepared, and a call of it."""

    def prepare(n: int) -> Callable[[], Any]:
        made = given(n)
        return lambda: parts(call(made))

    FAMILIES[name] = prepare


# One detector's calls: of the functions, which take the detector of their thread.
for _dtype, _name in ((F32, ""), (F64, ", float64")):
    add("pairs" + _name, lambda n, d=_dtype: discs(n, d), lambda s: wp.pairs(s))
    add("pairs, unsorted" + _name, lambda n, d=_dtype: discs(n, d), lambda s: wp.pairs(s, sorted=False))
    add("pairs, 2 threads" + _name, lambda n, d=_dtype: discs(n, d), lambda s: wp.pairs(s, threads=2))
    add("pairs, against" + _name, lambda n, d=_dtype: (discs(n, d), wp.Index(discs(n, d))), lambda g: wp.pairs(g[0], against=g[1]))
    add("count" + _name, lambda n, d=_dtype: discs(n, d), lambda s: wp.count(s))
    add("contacts" + _name, lambda n, d=_dtype: discs(n, d), lambda s: wp.contacts(s, 0.25))
    add("neighbors" + _name, lambda n, d=_dtype: place(n, d), lambda p: wp.neighbors(p, 1.6))
    add("neighbors, distances" + _name, lambda n, d=_dtype: place(n, d), lambda p: wp.neighbors(p, 1.6, distances=True))
    add("neighbors, half, 2 threads" + _name, lambda n, d=_dtype: place(n, d), lambda p: wp.neighbors(p, 1.6, half=True, threads=2))
    add("neighbors, against" + _name, lambda n, d=_dtype: (place(n, d), wp.Index(place(n, d, 2))), lambda g: wp.neighbors(g[0], 1.6, against=g[1]))
    add("neighbors, periodic" + _name, lambda n, d=_dtype: place(n, d), lambda p: wp.neighbors(p, 1.6, periodic=(len(p) ** 0.5,) * 2))
    add("k_nearest_periodic" + _name, lambda n, d=_dtype: place(n, d), lambda p: wp.k_nearest_periodic(p, 4, (len(p) ** 0.5,) * 2))
    add("pairs_periodic" + _name, lambda n, d=_dtype: discs(n, d), lambda s: wp.pairs_periodic(s, (len(s) ** 0.5 + 1,) * 2))
    add("swept_pairs" + _name, lambda n, d=_dtype: (discs(n, d, 0.1), place(n, d, 3) % 2 - 1), lambda g: wp.swept_pairs(*g))
    add("Index" + _name, lambda n, d=_dtype: discs(n, d), lambda s: wp.Index(s).count([[1.0, 1.0]]))
    for _threads in (1, 2):
        _in = f"{_name}{', 2 threads' * (_threads - 1)}"
        _made = lambda n, d=_dtype, t=_threads: (wp.Index(discs(n, d), threads=t), place(n, d, 2))  # noqa: E731
        add("overlapping" + _in, _made, lambda g: g[0].overlapping(g[1]))
        add("Index.count" + _in, _made, lambda g: g[0].count(g[1]))
        add("k_nearest" + _in, _made, lambda g: g[0].k_nearest(g[1], 4))
        add("cast_rays" + _in, _made, lambda g: g[0].cast_rays(g[1], [1.0, 0.25], 9.0))
    add("overlapping, without" + _name, _made, lambda g: g[0].overlapping(g[1], without=np.arange(len(g[1]))))
    add("any" + _name, _made, lambda g: g[0].any(g[1]))
    add("nearest" + _name, _made, lambda g: g[0].nearest(g[1]))
    add("k_nearest, without" + _name, _made, lambda g: g[0].k_nearest(g[1], 3, without=np.arange(len(g[1]))))
    add("k_nearest_of_rows" + _name, _made, lambda g: g[0].k_nearest_of_rows(3))
    add("cast_rays_all" + _name, _made, lambda g: g[0].cast_rays_all(g[1], [1.0, 0.25], 5.0))
    add("hits_any" + _name, _made, lambda g: g[0].hits_any(g[1], [1.0, 0.25]))
    add("scan" + _name, _made, lambda g: g[0].scan(wp.Fan(40, 5.0), g[1][: len(g[1]) // 10 + 1]))
    add("cast_shapes" + _name, _made, lambda g: g[0].cast_shapes(wp.circles(g[1], 0.1), g[1] - g[1][::-1]))
    add("polygons" + _name, lambda n, d=_dtype: (triangles(n, d), np.full(n, 3)), lambda g: wp.polygons(*g))
    add("concat" + _name, lambda n, d=_dtype: [discs(n, d), wp.boxes(place(n, d), place(n, d) + d(1))], lambda s: wp.concat(s))
    add("pickle of a mixed set" + _name, lambda n, d=_dtype: mixed(n, d), lambda s: pickle.loads(pickle.dumps(s)))
    add("rows of a mixed set" + _name, lambda n, d=_dtype: mixed(n, d), lambda s: s[::2])
    add("pickle of an index" + _name, lambda n, d=_dtype: wp.Index(discs(n, d)), lambda i: pickle.loads(pickle.dumps(i)).count([[1.0, 1.0]]))

for _dtype, _name in ((F32, ""), (F64, ", float64")):
    _rows = lambda n, d=_dtype: (discs(n, d), discs(n, d)[::-1], np.arange(n), np.arange(n)[::-1])  # noqa: E731
    add("rounded_boxes" + _name, lambda n, d=_dtype: place(n, d), lambda p: wp.rounded_boxes(p, p + 1, 0.1))
    add("outlines" + _name, lambda n, d=_dtype: (triangles(n // 10, d), np.full(n // 10, 3)), lambda g: wp.outlines(*g))
    add("chains" + _name, lambda n, d=_dtype: (triangles(n, d), np.full(n, 3)), lambda g: wp.chains(*g))
    add("half_planes" + _name, lambda n, d=_dtype: place(n // 100, d), lambda p: wp.half_planes(p, np.tile(np.array([0, 1], p.dtype), (len(p), 1))))
    add("compounds" + _name, lambda n, d=_dtype: (dumbbells(n // 2, d), np.full(n // 2, 2)), lambda g: wp.compounds(*g))
    add("distance" + _name, _rows, lambda g: wp.distance(*g[:2]))
    add("closest_points" + _name, _rows, lambda g: wp.closest_points(*g[:2]))
    add("overlap_area" + _name, _rows, lambda g: wp.overlap_area(*g[:2]))
    add("tiles" + _name, lambda n, d=_dtype: discs(n, d), lambda s: tuple(tile.pairs() for tile in wp.tiles(s, 4)))

add("pairs of beams", beams, lambda s: wp.pairs(s))
add("contacts of beams", beams, lambda s: wp.contacts(s, 0.1))
add("contacts of beams, 2 threads", beams, lambda s: wp.contacts(s, 0.1, threads=2))
add("pairs with filters and spaces", filtered, lambda s: wp.pairs(s))
add("rows with filters and spaces", filtered, lambda s: s[np.arange(len(s)) % 3 > 0])
add("pickle with filters and spaces", filtered, lambda s: pickle.loads(pickle.dumps(s)))
add("rows of circles", discs, lambda s: s[np.arange(len(s)) % 3 > 0])
add("lists, all their forms", lambda n: wp.neighbors(place(n), 1.6), lambda near: (near.pairs(), near.vectors(place(len(near)))))


def _world(n: int, **options: Any) -> wp.World:
    world = wp.World(**options)
    world.insert(discs(n))
    return world


add("World.insert", discs, lambda s: _inserted(s))
add("World.insert of beams", beams, lambda s: _inserted(s))
add("World.step", lambda n: _world(n).snapshot(), lambda saved: _stepped(wp.World.restore(saved)))
add("World.step, 2 threads", lambda n: _world(n).snapshot(), lambda saved: _stepped(wp.World.restore(saved, threads=2)))
add("World.step with an origin", lambda n: _world(n, origin=(1.0, 2.0)).snapshot(), lambda saved: _stepped(wp.World.restore(saved)))
add("World.set_poses", lambda n: (_world(n), place(n)), lambda g: (g[0].set_poses(g[1], 0.5), g[0].positions, g[0].angles_of()))
add("World.set_positions of handles", lambda n: (_world(n), place(n)), lambda g: g[0].set_positions(g[1], handles=g[0].handles))
add("World.set_velocities", lambda n: (_world(n), place(n)), lambda g: g[0].set_velocities(g[0].handles, g[1]))
add("World.set_motion", lambda n: _world(n), lambda w: w.set_motion(w.handles, "moving"))
add("World.handles", lambda n: _world(n), lambda w: (len(w.handles), len(w.handles_of(np.arange(len(w))))))
add("World.remove", lambda n: _world(n), lambda w: _removed(w))
add("World.index", lambda n: _world(n), lambda w: w.index().count([[1.0, 1.0]]))
add("World.islands", lambda n: _world(n), lambda w: (w.step() and None, w.islands()))
add("World.snapshot", lambda n: _world(n), lambda w: len(w.snapshot()))
add("copy of a world", lambda n: _world(n), lambda w: len(w.__copy__()))
add("pickle of a world", lambda n: _world(n), lambda w: len(pickle.loads(pickle.dumps(w))))


def _inserted(shapes: wp.Shapes) -> Any:
    return len(wp.World().insert(shapes))


def _stepped(world: wp.World) -> Any:
    step = world.step()
    return (step.pairs, step.contacts, step.started["index"], len(world.step().persisted))


def _removed(world: wp.World) -> Any:
    again = world.__copy__()
    again.remove(again.handles[::2])
    return len(again)


def _listed(n: int) -> np.ndarray:
    return wp.pairs(discs(n))


def _updated(listed: np.ndarray) -> Any:
    diff = wp.PairDiff()
    return (tuple(diff.update(listed)), tuple(diff.update(listed[::2])))


def _updated_with_ids(listed: np.ndarray) -> Any:
    diff, ids = wp.PairDiff(), np.arange(int(listed.max()) + 1, dtype=np.uint64) * np.uint64(7)
    return (tuple(diff.update(listed, ids)), tuple(diff.update(listed[::2], ids)))


add("PairDiff", _listed, _updated)
add("PairDiff with ids", _listed, _updated_with_ids)
add("islands", _listed, lambda listed: tuple(wp.islands(int(listed.max()) + 1, listed)))
add("adjacency", _listed, lambda listed: wp.adjacency(int(listed.max()) + 1, listed))

_TREE = lambda n: (wp.KDTree(place(n, F64)), place(n, F64, 2))  # noqa: E731
add("KDTree", lambda n: place(n, F64), lambda p: wp.KDTree(p).n)
add("KDTree.query", _TREE, lambda g: g[0].query(g[1], 3))
add("KDTree.query_pairs", _TREE, lambda g: g[0].query_pairs(1.6, output_type="ndarray"))
add("KDTree.query_pairs as a set", _TREE, lambda g: len(g[0].query_pairs(0.5)))
add("KDTree.query_ball_point", _TREE, lambda g: len(g[0].query_ball_point(g[1], 0.8)))
add("KDTree.count_neighbors", _TREE, lambda g: g[0].count_neighbors(g[0], 1.5))
add("KDTree.sparse_distance_matrix", _TREE, lambda g: g[0].sparse_distance_matrix(g[0], 1.0, output_type="ndarray"))


def under_limits(names: list[str], shapes: int, rooms: list[int]) -> None:
    """Calls each family with little more address space than there is, and prints how it ends."""
    import ctypes
    import gc
    import resource
    from pathlib import Path

    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    trim = ctypes.CDLL(None).malloc_trim

    def ended(call: Callable[[], Any], expected: Any) -> str:
        try:
            return "answered" if same(call(), expected) else "wrong"
        except MemoryError:
            return "refused"
        except BaseException as error:
            return f"{type(error).__name__}: {error}"

    for name in names:
        call = FAMILIES[name](shapes)
        expected = call()
        for room in rooms:
            wp._detector._kept.__dict__.clear()
            gc.collect()
            trim(0)
            print(name, room, "began", sep="\t", flush=True)
            status = Path("/proc/self/status").read_text()
            used = int(status.split("VmSize:")[1].split()[0]) * 1024
            resource.setrlimit(resource.RLIMIT_AS, (used + room, most))
            outcome = ended(call, expected)
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            print(name, room, outcome, sep="\t", flush=True)


def interrupted(names: list[str], shapes: int) -> None:
    """Interrupts a loop of each family, and prints the seconds from the signal to its exception."""
    import os
    import signal
    import threading
    import time

    for name in names:
        call, sent = FAMILIES[name](shapes), [0.0]

        def send() -> None:
            sent[0] = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)

        try:
            threading.Timer(0.3, send).start()
            while time.monotonic() - sent[0] > 60.0 or sent[0] == 0.0:
                call()
            time.sleep(1.0)
            print(name, "never", sep="\t", flush=True)
        except KeyboardInterrupt:
            print(name, time.monotonic() - sent[0], sep="\t", flush=True)


def gaps(names: list[str], shapes: int) -> None:
    """Prints the longest time that another thread of Python waited for the GIL during a call.

    Of three calls the shortest one, because other programs of the machine take turns, too.
    """
    import sys
    import threading
    import time

    sys.setswitchinterval(0.001)

    def longest_gap(call: Callable[[], Any]) -> float:
        longest, done = [0.0], threading.Event()

        def tick() -> None:
            before = time.monotonic()
            while not done.is_set():
                time.sleep(0.0005)
                now = time.monotonic()
                longest[0], before = max(longest[0], now - before), now

        ticking = threading.Thread(target=tick)
        ticking.start()
        call()
        done.set()
        ticking.join()
        return longest[0]

    for name in names:
        call, gap = FAMILIES[name](shapes), 1e9
        for _ in range(3):
            gap = min(gap, longest_gap(call))
            if gap < 0.02:
                break
        print(name, gap, sep="\t", flush=True)


def forked(names: list[str], shapes: int) -> None:
    """Forks while another thread is in a loop of a family; each child calls it, too."""
    import os
    import threading
    import time

    for name in names:
        call, own, stop = FAMILIES[name](shapes), FAMILIES[name](shapes), threading.Event()
        expected = own()

        def work() -> None:
            while not stop.is_set():
                call()

        thread = threading.Thread(target=work)
        thread.start()
        children = []
        for _ in range(3):
            time.sleep(0.003)
            child = os.fork()
            if child == 0:
                # Of the same objects: an error of the ones that were in use, or the answer.
                good = same(own(), expected)
                try:
                    good = good and same(call(), expected)
                except RuntimeError as error:
                    good = good and "forked" in str(error)
                os._exit(0 if good else 1)
            children.append(child)
        until = time.monotonic() + 20.0
        outcomes = []
        for child in children:
            while (ended := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < until:
                time.sleep(0.005)
            if ended[0] == 0:
                os.kill(child, 9)
                os.waitpid(child, 0)
                outcomes.append("never")
            else:
                outcomes.append("answered" if ended[1] == 0 else f"status {ended[1]}")
        stop.set()
        thread.join()
        print(name, *outcomes, sep="\t", flush=True)


if __name__ == "__main__":
    import sys

    mode, shapes, first, *rest = sys.argv[1:]
    names = list(FAMILIES)[int(first) :]
    if mode == "memory":
        under_limits(names, int(shapes), [int(room) for room in rest])
    else:
        {"interrupted": interrupted, "gaps": gaps, "forked": forked}[mode](names, int(shapes))
