"""Every family of calls: without memory, interrupted, forked, in eight threads."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest
from families import FAMILIES, same

HERE = Path(__file__).parent
# Memory goes back to the system at once, and no thread has a store of addresses: a limit is felt.
ALLOCATOR = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "65536",
    "MALLOC_TRIM_THRESHOLD_": "65536",
}
LINUX = Path("/proc/self/status").exists()


def lines_of(mode: str, shapes: int, first: int, *rest: int, timeout: float = 600.0) -> list[list[str]]:
    """The lines that a process of its own prints: one family after the other."""
    arguments = [sys.executable, str(HERE / "families.py"), mode, str(shapes), str(first), *map(str, rest)]
    environment = {**os.environ, **ALLOCATOR}
    with subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, text=True) as child:
        timer = threading.Timer(timeout, child.kill)
        timer.start()
        lines = [line.rstrip("\n").split("\t") for line in child.stdout or ()]
        timer.cancel()
    return lines + [["status", str(child.returncode)]]


def rooms() -> list[int]:
    """The address space that calls have, in bytes."""
    if os.environ.get("WIDEPHASE_MEMORY_SWEEP"):
        return [int(4096 * 1.19**step) for step in range(60)]
    return [64 << 10, 400 << 10, 1 << 20, 2_500_000, 5_000_000, 12_000_000]


@pytest.mark.skipif(not LINUX, reason="needs a limit of the address space")
def test_memory_that_runs_out_is_an_error():
    names, first, bad, refused = list(FAMILIES), 0, [], set()
    while first < len(names):
        *lines, status = lines_of("memory", 20_000, first, *rooms(), timeout=1800.0)
        for name, room, outcome in lines:
            if outcome == "refused":
                refused.add(name)
            elif outcome not in ("began", "answered"):
                bad.append(f"{name}, {room} bytes: {outcome}")
        if status[1] == "0":
            break
        name, room, _ = lines[-1] if lines else ("?", "?", "?")
        bad.append(f"{name}, {room} bytes: ended with {status[1]}")
        first = names.index(name) + 1
    assert not bad, "\n".join(bad)
    # A limit that nothing meets would test nothing. Many calls take less than these rooms.
    assert len(refused) > 0.5 * len(names), sorted(set(names) - refused)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_children_always_answer():
    *lines, status = lines_of("forked", 70_000, 0)
    assert status == ["status", "0"]
    bad = [line for line in lines if any(outcome != "answered" for outcome in line[1:])]
    assert not bad and len(lines) == len(FAMILIES), bad


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_ctrl_c_is_answered_in_every_family():
    *lines, status = lines_of("interrupted", 200_000, 0)
    assert status == ["status", "0"]
    late = [(name, took) for name, took in lines if took == "never" or float(took) > 1.0]
    assert not late and len(lines) == len(FAMILIES), late


def test_no_family_keeps_the_gil():
    *lines, status = lines_of("gaps", 200_000, 0)
    assert status == ["status", "0"]
    # Millions of lists and tuples of Python are freed, and searched for cycles, with it.
    lists = ("KDTree.query_pairs as a set", "KDTree.query_ball_point")
    long = [(name, gap) for name, gap in lines if float(gap) > (1.0 if name in lists else 0.1)]
    assert not long and len(lines) == len(FAMILIES), long


@pytest.mark.parametrize("name", FAMILIES)
def test_eight_threads_have_one_answer(name):
    call = FAMILIES[name](2000)
    expected, wrong = call(), []
    start = threading.Barrier(8)

    def work() -> None:
        try:
            start.wait()
            for _ in range(2):
                if not same(call(), expected):
                    wrong.append("another answer")
        except BaseException as error:
            wrong.append(repr(error))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong


FORKS = """
    import multiprocessing, sys, threading, time
    import numpy as np, widephase as wp
    positions = np.random.default_rng(1).uniform(0, 450, (200_000, 2)).astype(np.float32)
    discs = wp.circles(positions, 0.5)
    expected, stop = wp.count(discs, threads=2), threading.Event()

    def work():
        while not stop.is_set():
            wp.count(discs, threads=2)

    def child():
        sys.exit(0 if wp.count(discs, threads=2) == expected else 1)

    thread = threading.Thread(target=work)
    thread.start()
    outcomes = []
    for _ in range(10):
        time.sleep(0.1)
        children = [multiprocessing.get_context("fork").Process(target=child) for _ in range(3)]
        for started in children:
            started.start()
        for started in children:
            started.join(20)
            outcomes.append(started.exitcode)
            started.kill()
        if None in outcomes:
            break
    stop.set()
    thread.join()
    print(outcomes)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_children_answer_while_another_thread_calls():
    """A thread held a lock of the extension at every third fork, and the child waited for it."""
    program = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(FORKS)]
    ran = subprocess.run(program, capture_output=True, text=True, timeout=300)
    assert ran.stdout == f"{[0] * 30}\n", ran.stdout + ran.stderr


PEAK = """
    import numpy as np, widephase as wp
    from families import mixed, parts, place, size_of

    def kilobytes(name):
        text = open("/proc/self/status").read()
        return int(text.split(name)[1].split()[0])

    positions = np.random.default_rng(1).uniform(0, 316, (100_000, 2)).astype(np.{dtype})
    reach = positions.dtype.type(4.0)
    discs, detector = wp.circles(positions, reach), wp.Detector(threads=1)
    index = wp.Index(wp.circles(positions, positions.dtype.type(0.5)), threads=1)
    beams = wp.obbs(positions, (4.0, 2.0), np.linspace(0, 9, 100_000, dtype=positions.dtype))
    asked = np.random.default_rng(2).uniform(0, 316, (2_000_000, 2)).astype(np.{dtype})
    small, ways = wp.circles(asked[:1_000_000], 0.1), asked[:1_000_000] % 3 - 1
    listed, world = wp.pairs(discs), wp.World(threads=1)
    world.insert(wp.circles(place(1_000_000), 0.4))
    for name, call in {{
        "pairs": lambda: detector.pairs(discs, sorted=False),
        "pairs, sorted": lambda: detector.pairs(discs),
        "pairs, against": lambda: detector.pairs(discs, against=index),
        "contacts": lambda: detector.contacts(discs, sorted=False),
        "contacts, sorted": lambda: detector.contacts(discs),
        "contacts of beams": lambda: detector.contacts(beams),
        "neighbors": lambda: wp.Detector(threads=1).neighbors(positions, 2 * reach, sorted=False),
        "neighbors, sorted": lambda: wp.Detector(threads=1).neighbors(positions, 2 * reach),
        "neighbors, half": lambda: wp.Detector(threads=1).neighbors(positions, 2 * reach, half=True),
        "neighbors, distances": lambda: wp.Detector(threads=1).neighbors(positions, 2 * reach, distances=True),
        "neighbors, against": lambda: wp.Detector(threads=1).neighbors(positions, 2 * reach, against=index),
        "neighbors of beams": lambda: wp.Detector(threads=1).neighbors(beams, 6.0),
        "neighbors of beams, distances": lambda: wp.Detector(threads=1).neighbors(beams, 6.0, distances=True),
        "pairs_periodic": lambda: wp.Detector(threads=1).pairs_periodic(discs, (316.0, 316.0)),
        "k_nearest_of_rows": lambda: index.k_nearest_of_rows(40),
        "nearest": lambda: index.nearest(asked),
        "k_nearest": lambda: index.k_nearest(asked, 4),
        "cast_rays": lambda: index.cast_rays(asked, [1.0, 0.25], 9.0),
        "cast_shapes": lambda: index.cast_shapes(small, ways),
        "overlapping": lambda: index.overlapping(wp.circles(positions, 2 * reach)),
        "without": lambda: index.overlapping(wp.circles(positions, 2 * reach), without=np.arange(100_000)),
        "cast_rays_all": lambda: index.cast_rays_all(positions, [1.0, 0.25], 50.0),
        "scan": lambda: index.scan(wp.Fan(100, 9.0), positions),
        "snapshot": lambda: world.snapshot(),
        "positions": lambda: world.positions,
        "handles": lambda: world.handles,
        "adjacency": lambda: wp.adjacency(100_000, listed),
    }}.items():
        before = kilobytes("VmRSS:")
        open("/proc/self/clear_refs", "w").write("5")
        found = call()
        peak = kilobytes("VmHWM:") - before
        print(name, peak * 1024 / size_of(parts(found)), sep="\\t")
        del found
"""


@pytest.mark.skipif(not LINUX, reason="needs the peak of the memory")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_answers_are_there_once(dtype):
    """The most memory of a call, beside its answer. docs/python.md names the calls that take more."""
    program = [sys.executable, "-c", textwrap.dedent(PEAK.format(dtype=dtype))]
    environment = {**os.environ, **ALLOCATOR, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])}
    ran = subprocess.run(program, env=environment, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    peaks = dict(line.split("\t") for line in ran.stdout.splitlines())
    assert len(peaks) == 27 and all(float(peak) < 1.6 for peak in peaks.values()), peaks
