"""Who owns which memory, threads, forks and Ctrl-C."""

from __future__ import annotations

import gc
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import widephase as wp


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_columns_are_read_in_place(dtype):
    positions = np.zeros((10, 2), dtype)
    columns = np.zeros((3, 10), dtype)
    radius = np.ones(10, dtype)
    for shapes in (
        wp.circles(positions, radius),
        wp.circles(columns[0], columns[1], radius),
        wp.circles(positions[::2], radius[::2]),
        wp.circles(positions[::-1], radius),
        wp.circles(np.asfortranarray(positions), radius),
    ):
        assert shapes.dtype == dtype
        for name, column in shapes.columns.items():
            assert any(np.shares_memory(column, own) for own in (positions, columns, radius)) or name in "xy"
    shapes = wp.circles(positions, 0.5)
    assert np.shares_memory(shapes.columns["y"], positions)
    assert wp.count(shapes) == 45
    positions[:, 0] = np.arange(10) * 2
    assert wp.count(shapes) == 0


@pytest.mark.parametrize(
    "convert",
    [
        lambda a: a.tolist(),
        lambda a: a.astype(">f4"),
        lambda a: a.astype(">f8"),
        lambda a: a.astype(np.float16),
        lambda a: a.astype(np.int8),
        lambda a: a.astype(np.uint64),
        lambda a: a.astype(np.longdouble),
        lambda a: a[::-1][::-1],
        lambda a: np.asfortranarray(a),
        lambda a: np.lib.stride_tricks.as_strided(a),
        lambda a: np.frombuffer(b"0" + a.tobytes(), np.uint8)[1:].view(a.dtype).reshape(a.shape),
        lambda a: np.ma.masked_array(a),
        lambda a: a.view(np.matrix),
        lambda a: type("Array", (), {"__array__": lambda self, dtype=None, copy=None: a})(),
        lambda a: type("Interface", (), {"__array_interface__": a.__array_interface__, "keep": a})(),
        lambda a: memoryview(a),
        lambda a: __import__("pandas").DataFrame(a, columns=["x", "y"]),
        lambda a: __import__("pandas").DataFrame(a, columns=["x", "y"]).astype("Float64"),
        lambda a: __import__("pandas").DataFrame(a, columns=["x", "y"]).astype("float[pyarrow]"),
    ],
)
def test_whatever_is_an_array_has_the_same_answers(convert, rng):
    positions = rng.integers(0, 9, (40, 2)).astype(np.float32)
    expected = wp.pairs(wp.circles(positions, 0.5))
    np.testing.assert_array_equal(wp.pairs(wp.circles(convert(positions), 0.5)), expected)


def test_columns_of_pandas_and_arrow(rng):
    pandas, arrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    positions = rng.integers(0, 9, (40, 2)).astype(np.float32)
    expected = wp.pairs(wp.circles(positions, 0.5))
    frame = pandas.DataFrame(positions, columns=["x", "y"])
    table = arrow.table({"x": positions[:, 0], "y": positions[:, 1]})
    chunks = arrow.concat_tables([table.slice(0, 7), table.slice(7)])
    assert chunks["x"].num_chunks == 2
    for x, y in (
        (frame["x"], frame["y"]),
        (frame["x"].astype("Float32"), frame["y"].astype("Int64")),
        (frame["x"].astype("float[pyarrow]"), frame["y"].astype("double[pyarrow]")),
        (table["x"], table["y"]),
        (table["x"].combine_chunks(), table["y"].chunk(0)),
        (chunks["x"], chunks["y"]),
    ):
        np.testing.assert_array_equal(wp.pairs(wp.circles(x, y, 0.5)), expected)
    zero_copy = wp.points(table["x"].chunk(0), table["y"].chunk(0))
    assert zero_copy.dtype == np.float32
    for missing in (
        pandas.Series([1.0, None], dtype="Float64"),
        pandas.Series([1, None], dtype="Int64"),
        pandas.Series([1.0, None], dtype="double[pyarrow]"),
        arrow.array([1.0, None]),
        arrow.array([1, None]),
    ):
        with pytest.raises(wp.ShapeError) as caught:
            wp.count(wp.points(missing, [0.0, 0.0]))
        assert caught.value.row == 1


def test_results_own_their_memory(rng):
    positions = rng.uniform(0, 50, (5000, 2)).astype(np.float32)
    detector = wp.Detector(threads=1)
    pairs = detector.pairs(wp.circles(positions, 0.5))
    copy = pairs.copy()
    detector.pairs(wp.circles(positions[::-1], 0.7))
    del detector
    gc.collect()
    np.testing.assert_array_equal(pairs, copy)
    assert pairs.flags.writeable and pairs.flags.c_contiguous and pairs.flags.aligned


def test_references_are_given_back(rng):
    positions = rng.uniform(0, 5, (50, 2)).astype(np.float32)
    radius = np.full(50, 0.5, np.float32)
    before = sys.getrefcount(positions), sys.getrefcount(radius)
    for _ in range(100):
        shapes = wp.circles(positions, radius)
        wp.pairs(shapes), wp.Index(shapes).overlapping(shapes), wp.contacts(shapes)
        with pytest.raises(wp.ShapeError):
            wp.neighbors(shapes, -1.0)
        world = wp.World()
        world.insert(shapes)
        world.step().contacts
    del shapes, world
    gc.collect()
    assert (sys.getrefcount(positions), sys.getrefcount(radius)) == before


def test_long_calls_give_references_back(rng):
    """They run on a thread of their own, which holds no GIL."""
    positions = rng.uniform(0, 200, (40_000, 2)).astype(np.float32)
    before = sys.getrefcount(positions)
    for _ in range(5):
        wp.count(wp.circles(positions, 0.5), threads=1)
        wp.Index(positions).k_nearest(positions, 1)
        with pytest.raises(wp.ShapeError):
            wp.neighbors(positions, -1.0)
    gc.collect()
    assert sys.getrefcount(positions) == before


def test_memory_is_flat_over_many_calls(rng):
    """The most memory of 10^5 calls, after the first 10^4."""
    positions = rng.uniform(0, 5, (20, 2)).astype(np.float32)
    doubles = positions.astype(np.float64)
    detector, index, world = wp.Detector(), wp.Index(wp.points(doubles)), wp.World()
    world.insert(wp.circles(positions, 0.5))

    def calls(count: int) -> None:
        for number in range(count):
            shapes = wp.circles(positions if number % 2 else doubles, 0.5)
            detector.pairs(shapes)
            if number % 10 == 0:
                wp.neighbors(shapes, 1.0, distances=True)
                index.k_nearest(shapes, 2), index.cast_rays(doubles, doubles)
                world.set_positions(positions)
                world.step()
                wp.Index(shapes)
                try:
                    wp.pairs(wp.circles(positions, -1.0))
                except wp.ShapeError:
                    pass

    calls(10_000)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    calls(90_000)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 2_000, f"{grown} KiB more"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_eight_threads_share_an_index(dtype, rng):
    positions = rng.uniform(0, 100, (20_000, 2)).astype(dtype)
    index = wp.Index(wp.circles(positions, 0.5))
    queries = [rng.uniform(0, 100, (2000, 2)).astype(dtype) for _ in range(8)]
    results: list[object] = [None] * 8
    start = threading.Barrier(8)

    def ask(number: int) -> None:
        start.wait()
        for _ in range(5):
            found = index.k_nearest(queries[number], 3)
            lists = index.overlapping(wp.circles(queries[number], 1.0))
            hits = index.cast_rays(queries[number], (1.0, 0.5), 20.0)
            results[number] = (found.row, lists.indices, hits.row)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    fresh = wp.Index(wp.circles(positions, 0.5))
    for number in range(8):
        rows, indices, hits = results[number]
        np.testing.assert_array_equal(rows, fresh.k_nearest(queries[number], 3).row)
        np.testing.assert_array_equal(indices, fresh.overlapping(wp.circles(queries[number], 1.0)).indices)
        np.testing.assert_array_equal(hits, fresh.cast_rays(queries[number], (1.0, 0.5), 20.0).row)


def test_threads_take_turns_at_a_detector_and_a_world(rng):
    positions = rng.uniform(0, 30, (3000, 2)).astype(np.float32)
    detector, world = wp.Detector(), wp.World()
    world.insert(wp.circles(positions, 0.5))
    expected = wp.pairs(wp.circles(positions, 0.5))
    wrong: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(20):
                np.testing.assert_array_equal(detector.pairs(wp.circles(positions, 0.5)), expected)
                np.testing.assert_array_equal(world.step().pairs, expected)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_gil_is_released():
    """Another thread of Python runs while a long call does."""
    heap = wp.circles(np.zeros((60_000, 2), np.float32), 1.0)
    ticks, done = 0, threading.Event()

    def call() -> None:
        wp.count(heap, threads=1)
        done.set()

    thread = threading.Thread(target=call)
    thread.start()
    while not done.is_set():
        time.sleep(0.001)
        ticks += 1
    thread.join()
    assert ticks >= 10


def test_writing_during_a_call_crashes_nothing(rng):
    """The answers mean nothing then; an error or some answer comes."""
    positions = rng.uniform(0, 100, (30_000, 2)).astype(np.float32)
    noise = rng.uniform(-1e6, 1e6, (30_000, 2)).astype(np.float32)
    noise[::1000] = np.nan
    calm, stop = positions.copy(), threading.Event()

    def disturb() -> None:
        while not stop.is_set():
            positions[:] = noise
            positions[:] = calm

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        columns = np.ascontiguousarray(positions.T)
        for _ in range(60):
            for shapes in (wp.circles(positions, 0.5), wp.circles(columns[0], columns[1], 0.5)):
                columns[:] = positions.T
                for call in (wp.pairs, wp.Index, wp.contacts):
                    try:
                        call(shapes)
                    except (wp.ShapeError, wp.LimitError, RuntimeError):
                        pass
    finally:
        stop.set()
        thread.join()


INTERRUPTED = """
    import os, signal, threading, time
    import numpy as np, widephase as wp
    heap = wp.circles(np.zeros((400_000, 2), np.{dtype}), 1.0)
    detector = wp.Detector({options})
    threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    try:
        detector.count(heap)
    except KeyboardInterrupt:
        print("after", time.monotonic() - start)
        # The detector begins anew, and the process goes on.
        assert detector.count(wp.circles([[0, 0], [1, 0]], 1.0)) == 1
        os._exit(0)
    print("ended", time.monotonic() - start)
    os._exit(1)
"""


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("options", ["threads=1", "threads=2"])
def test_ctrl_c_is_answered_within_a_second(dtype, options):
    code = textwrap.dedent(INTERRUPTED.format(dtype=dtype, options=options))
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0 and ran.stdout.startswith("after"), ran.stdout + ran.stderr
    assert float(ran.stdout.split()[1]) < 2.0


TURNS = """
    import os, threading
    import numpy as np, widephase as wp
    positions = np.random.default_rng(1).uniform(0, 600, (100_000, 2)).astype(np.float32)
    discs = wp.circles(positions, 0.5)
    detector, world = wp.Detector(threads=2), wp.World(threads=2)
    world.insert(discs)
    answers = []

    def work():
        for _ in range(15):
            answers.append((len(detector.contacts(discs)), len(world.step(persisted=False).pairs)))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(answers)) == 1 and len(answers) == 90, set(answers)
    print("done")
"""


def test_threads_take_turns_on_a_pool():
    """A thread of the pool that waits takes up other work: it must not wait for itself then."""
    code = textwrap.dedent(TURNS)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert ran.stdout == "done\n", ran.stdout + ran.stderr


INTERRUPTED_STEP = """
    import os, signal, threading, time
    import numpy as np, widephase as wp
    world = wp.World({options})
    world.insert(wp.circles(np.zeros((200_000, 2), np.float32), 1.0))
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    try:
        world.step()
    except KeyboardInterrupt:
        print("after", time.monotonic() - start)
        # The world waits for its step, and goes on.
        assert len(world) == 200_000
        world.remove(world.handles[2:])
        assert world.step().pairs.tolist() == [[0, 1]]
        os._exit(0)
    print("ended", time.monotonic() - start)
    os._exit(1)
"""


@pytest.mark.parametrize("options", ["threads=1", "threads=2"])
def test_ctrl_c_leaves_a_world_whole(options):
    code = textwrap.dedent(INTERRUPTED_STEP.format(options=options))
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0 and ran.stdout.startswith("after"), ran.stdout + ran.stderr
    assert float(ran.stdout.split()[1]) < 2.0


def _count(shapes: int) -> int:
    return wp.count(wp.points(np.zeros((shapes, 2), np.float32)), threads=2)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_makes_its_own_threads(rng):
    assert _count(100) == 4950
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_count, [100, 200, 300]).get(timeout=60) == [4950, 19900, 44850]


def test_import_is_quick_beyond_numpy():
    def import_time(module: str) -> float:
        code = f"import numpy, time; t = time.process_time(); import {module}; print(time.process_time() - t)"
        runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(5)]
        return min(float(run.stdout) for run in runs)

    assert import_time("widephase") < 0.05


def test_signals_are_left_alone():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.skipif(
    not os.path.exists("/sys/kernel/mm/transparent_hugepage"), reason="Linux without huge pages"
)
def test_lists_in_a_box_are_of_huge_pages():
    positions = np.random.default_rng(1).uniform(0, 100, (100_000, 2))
    found = wp.neighbors(positions, 1.0, periodic=(100, 100), threads=1)
    assert found.indices.nbytes > 8 << 20
    address, inside = found.indices.ctypes.data + (4 << 20), False
    with open("/proc/self/smaps") as lines:
        for line in lines:
            first, *rest = line.split()
            if first == "VmFlags:" and inside:
                assert "hg" in rest
                return
            if "-" in first and ":" not in first:
                low, high = (int(end, 16) for end in first.split("-"))
                inside = low <= address < high
    raise AssertionError("no mapping has the result")
