"""widephase beside scipy, shapely, pykdtree, matscipy, freud and pymunk, on one thread.

``python bench.py [--rows 10000,100000] [--rounds 7] [--rust PROGRAM] [--check]`` prints one table
in Markdown. Each row of it is measured in turns: ours, theirs, ours, theirs. The numbers are
medians of the CPU time of the whole process, so that a helper thread counts, in nanoseconds a row,
and their quartiles must be within 1.3 times of each other, or the row is called noisy. Answers are
compared before they are timed. Peers that are not installed are left out.

``--rust`` is the program of ``cargo build --release --example rust_call``: the same call from Rust.
``--check`` exits with 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

# One thread for each library, before numpy and the peers are imported.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np

import widephase as wp

GOALS = {
    "pairs, float32 / scipy": 20.0,
    "neighbours, 20 / matscipy": 20.0,
    "neighbours, 2 / matscipy": 20.0,
    "1 nearest, float32 / pykdtree": 3.0,
    "8 nearest, float32 / pykdtree": 3.0,
    "neighbours of two sets, 5 / scipy": 1.0,
    "neighbours of two sets, 40 / scipy": 1.0,
    **{
        f"KDTree{box}, {call} / scipy": 1.0
        for box in ("", " in a box")
        for call in ("one query", "one query_ball_point", "query_ball_point", "query_pairs")
    },
    "pairs, float32 / Rust": 1 / 1.3,
    "pairs, float64 / Rust": 1 / 2.0,
}


def module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def cpu_ns(call: Callable[[], object]) -> float:
    start = time.process_time_ns()
    call()
    return float(time.process_time_ns() - start)


class Table:
    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.missed: list[str] = []
        print("| call | rows | widephase | peer | times |")
        print("|---|---|---|---|---|")

    def row(
        self,
        name: str,
        peer: str,
        rows: int,
        ours: Callable[[], object],
        theirs: Callable[[], object],
        scale: float = 1.0,
    ) -> None:
        """Times both calls in turns. Theirs may do a part of the work: `scale` makes it whole."""
        ours(), theirs()
        samples: tuple[list[float], list[float]] = ([], [])
        for _ in range(self.rounds):
            samples[0].append(cpu_ns(ours) / rows)
            samples[1].append(cpu_ns(theirs) * scale / rows)
        self.line(name, peer, rows, *samples)

    def line(self, name: str, peer: str, rows: int, ours: list[float], theirs: list[float]) -> None:
        times = float(np.median(theirs) / np.median(ours))
        spread = max(np.percentile(of, 75) / np.percentile(of, 25) for of in (ours, theirs))
        note = " (noisy)" if spread > 1.3 else ""
        print(
            f"| {name} | {rows:,} | {np.median(ours):,.1f} | {peer} {np.median(theirs):,.1f} "
            f"| {times:,.3g}{note} |",
            flush=True,
        )
        goal = GOALS.get(f"{name} / {peer}")
        if goal is not None and rows == 100_000 and times < goal:
            self.missed.append(f"{name} / {peer}: {times:.2f}, the goal is {goal:.2f}")


def as_set(pairs: np.ndarray) -> set[tuple[int, int]]:
    return set(map(tuple, np.asarray(pairs).tolist()))


def same_neighbours(indptr: Any, indices: Any, first: Any, second: Any) -> bool:
    order = np.lexsort((second, first))
    counts = np.bincount(first, minlength=len(indptr) - 1)
    return bool((np.diff(indptr) == counts).all() and (indices == second[order]).all())


def pairs_of_circles(table: Table, n: int, rng: np.random.Generator, rust: str | None) -> None:
    spatial = module("scipy.spatial")
    side, distance = np.sqrt(n), 0.8  # about one pair a circle
    doubles = rng.uniform(0, side, (n, 2))
    detector = wp.Detector(threads=1)
    for positions, label in ((doubles.astype(np.float32), "float32"), (doubles, "float64")):
        shapes = wp.circles(positions, distance / 2)
        found = detector.pairs(shapes, sorted=False)
        if spatial is not None:
            # scipy decides in float64: its pairs of the rounded positions may differ by roundings.
            theirs = spatial.cKDTree(positions).query_pairs(distance, output_type="ndarray")
            differ = len(as_set(found) ^ as_set(theirs))
            assert differ == 0 if label == "float64" else differ <= n / 10_000, differ

            def query(positions: Any = positions) -> Any:
                return spatial.cKDTree(positions).query_pairs(distance, output_type="ndarray")

            unsorted = lambda shapes=shapes: detector.pairs(shapes, sorted=False)
            ordered = lambda shapes=shapes: detector.pairs(shapes)
            table.row(f"pairs, {label}", "scipy", n, unsorted, query)
            table.row(f"pairs, {label}, sorted", "scipy", n, ordered, query)
        if rust is not None:
            kind = "single" if label == "float32" else "double"
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "positions"
                positions.tofile(file)
                ours: list[float] = []
                calls: list[float] = []
                for _ in range(table.rounds):
                    ran = subprocess.run(
                        [rust, kind, str(file), str(distance / 2), "21"],
                        capture_output=True, text=True, check=True,
                    )
                    count, time_ns = ran.stdout.split()
                    assert int(count) == len(found)
                    calls.append(float(time_ns))
                    walls = []
                    for _ in range(21):
                        start = time.perf_counter_ns()
                        detector.pairs(shapes, sorted=False)
                        walls.append((time.perf_counter_ns() - start) / n)
                    ours.append(float(np.median(walls)))
                table.line(f"pairs, {label}", "Rust", n, ours, calls)


def boxes(table: Table, n: int, rng: np.random.Generator) -> None:
    shapely = module("shapely")
    if shapely is None:
        return
    low = rng.uniform(0, np.sqrt(n), (n, 2))
    high = low + rng.uniform(0.2, 1.0, (n, 2))
    geometries = shapely.box(*low.T, *high.T)

    def query() -> Any:
        return shapely.STRtree(geometries).query(geometries)

    found, theirs = wp.pairs(wp.boxes(low, high)), query().T
    theirs = theirs[theirs[:, 0] < theirs[:, 1]]
    assert as_set(found) == as_set(theirs)
    detector, shapes = wp.Detector(threads=1), wp.boxes(low, high)
    table.row("pairs of boxes, float64, sorted", "shapely", n, lambda: detector.pairs(shapes), query)


def neighbours(table: Table, n: int, rng: np.random.Generator) -> None:
    matscipy, freud = module("matscipy.neighbours"), module("freud")
    spatial = module("scipy.spatial")
    for expected in (2, 20):
        distance = float(np.sqrt(expected / np.pi))
        doubles = rng.uniform(0, np.sqrt(n), (n, 2))
        singles = doubles.astype(np.float32)
        detector = wp.Detector(threads=1)
        ours = lambda: detector.neighbors(singles, distance, sorted=False)
        exact = lambda: detector.neighbors(doubles, distance)
        near = exact()
        if spatial is not None:
            def pairs() -> Any:
                return spatial.cKDTree(doubles).query_pairs(distance, output_type="ndarray")

            found = pairs()
            both = np.concatenate((found, found[:, ::-1]))
            assert same_neighbours(near.indptr, near.indices, both[:, 0], both[:, 1])
            table.row(f"neighbours, {expected}, float64, sorted", "scipy (half)", n, exact, pairs)
        if matscipy is not None:
            flat = np.column_stack((doubles, np.zeros(n)))
            cell = np.diag([np.sqrt(n), np.sqrt(n), 1.0])

            def lists() -> Any:
                return matscipy.neighbour_list(
                    "ij", cutoff=distance, positions=flat, cell=cell, pbc=np.zeros(3, bool)
                )

            first, second = lists()
            assert same_neighbours(near.indptr, near.indices, first, second)
            table.row(f"neighbours, {expected}", "matscipy", n, ours, lists)
            ascending = lambda: detector.neighbors(singles, distance)
            table.row(f"neighbours, {expected}, sorted", "matscipy", n, ascending, lists)
        if freud is not None:
            box = freud.box.Box.square(2 * np.sqrt(n) + 4 * distance)
            flat = np.column_stack((singles, np.zeros(n, np.float32)))
            freud.parallel.set_num_threads(1)

            def query() -> Any:
                tree = freud.locality.AABBQuery(box, flat)
                return tree.query(flat, dict(r_max=distance, exclude_ii=True)).toNeighborList()

            assert abs(len(query()) - len(ours().indices)) <= n / 1000
            table.row(f"neighbours, {expected}", "freud", n, ours, query)


def nearest(table: Table, n: int, rng: np.random.Generator) -> None:
    pykdtree, spatial = module("pykdtree.kdtree"), module("scipy.spatial")
    doubles, queries = rng.uniform(0, 1000, (n, 2)), rng.uniform(0, 1000, (n, 2))
    for dtype, label in ((np.float32, "float32"), (np.float64, "float64")):
        points, asked = doubles.astype(dtype), queries.astype(dtype)
        index = wp.Index(points, threads=1)
        for k in (1, 8):
            ours = lambda index=index, asked=asked, k=k: index.k_nearest(asked, k)
            for peer, make in (
                ("pykdtree", pykdtree and (lambda points=points: pykdtree.KDTree(points))),
                ("scipy", spatial and (lambda points=points: spatial.cKDTree(points))),
            ):
                if not make:
                    continue
                tree = make()
                distance, _ = tree.query(asked, k=k)
                found = ours().distance.reshape(np.shape(distance))
                np.testing.assert_allclose(found, distance, rtol=1e-4, atol=1e-4)
                table.row(f"{k} nearest, {label}", peer, n, ours, lambda tree=tree, k=k: tree.query(asked, k=k))
                if k == 1:
                    table.row(f"build, {label}", peer, n, lambda: wp.Index(points, threads=1), make)


def two_sets(table: Table, n: int, rng: np.random.Generator) -> None:
    spatial = module("scipy.spatial")
    if spatial is None:
        return
    points, asked = rng.random((n, 2)), rng.random((n, 2))
    detector, index = wp.Detector(threads=1), wp.Index(points, threads=1)
    tree, trees = spatial.cKDTree(points), spatial.cKDTree(asked)
    for expected in (5, 40):
        r = float(np.sqrt(expected / np.pi / n))
        ours = lambda: detector.neighbors(asked, r, against=index)
        theirs = lambda: trees.sparse_distance_matrix(tree, r, output_type="coo_matrix")
        near, found = ours(), theirs()
        assert same_neighbours(near.indptr, near.indices, found.row, found.col)
        table.row(f"neighbours of two sets, {expected}", "scipy", n, ours, theirs)


def trees(table: Table, n: int, rng: np.random.Generator) -> None:
    """``KDTree`` beside scipy's: many calls with one point each, and calls with many points."""
    spatial = module("scipy.spatial")
    if spatial is None:
        return
    wp.set_threads(1)
    points, asked = rng.random((n, 2)), rng.random((n, 2))
    r, single = float(np.sqrt(5 / np.pi / n)), list(asked[:1000])
    for box, name in ((None, "KDTree"), (1.0, "KDTree in a box")):
        ours, theirs = wp.KDTree(points, boxsize=box), spatial.cKDTree(points, boxsize=box)

        def row(call: str, rows: int, ask: Callable[[Any], Any]) -> None:
            assert ask(ours) == ask(theirs), call
            table.row(f"{name}, {call}", "scipy", rows, lambda: ask(ours), lambda: ask(theirs))

        row("one query", n, lambda tree: [tree.query(at)[1] for at in single])
        row("one query_ball_point", n, lambda tree: sum(len(tree.query_ball_point(at, r)) for at in single))
        row("query_ball_point", n, lambda tree: tree.query_ball_point(asked, r)[0])
        row("query_pairs", n, lambda tree: tree.query_pairs(r))
    wp.set_threads(None)


def geometries(table: Table, n: int, rng: np.random.Generator) -> None:
    """Polygons with holes."""
    shapely = module("shapely")
    if shapely is None:
        return
    n //= 10
    angles = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    rings = np.stack((np.cos(angles), np.sin(angles)), 1) * rng.uniform(0.5, 1.0, (n, 20, 1))
    places = rng.uniform(0, np.sqrt(2 * n), (n, 1, 2))
    areas = shapely.difference(shapely.polygons(rings + places), shapely.polygons(rings * 0.3 + places))
    shapes = wp.from_shapely(areas)

    def theirs() -> Any:
        found = shapely.STRtree(areas).query(areas, predicate="intersects")
        return found[:, found[0] < found[1]]

    ours = lambda: wp.pairs(shapes, threads=1)
    assert as_set(ours()) == as_set(theirs().T)
    table.row("pairs of polygons with holes", "shapely", n, ours, theirs)
    table.row("the same, with from_shapely", "shapely", n, lambda: wp.pairs(wp.from_shapely(areas)), theirs)


def rays(table: Table, n: int, rng: np.random.Generator) -> None:
    pymunk = module("pymunk")
    if pymunk is None:
        return
    side = np.sqrt(n / 0.05)
    centers, radius = rng.uniform(0, side, (n, 2)), 0.4
    space = pymunk.Space()
    for x, y in centers.tolist():
        space.add(pymunk.Circle(space.static_body, radius, (x, y)))
    origins = rng.uniform(0, side, (n, 2))
    angles = rng.uniform(0, 2 * np.pi, n)
    ends = origins + 30 * np.column_stack((np.cos(angles), np.sin(angles)))
    index = wp.Index(wp.circles(centers, radius), threads=1)
    few = 1000

    def query() -> list[float]:
        found = []
        for start, end in zip(origins[:few].tolist(), ends[:few].tolist()):
            hit = space.segment_query_first(start, end, 0, pymunk.ShapeFilter())
            found.append(np.inf if hit is None else hit.alpha)
        return found

    ours = index.cast_rays(origins, ends - origins, 1.0)
    # A ray that starts inside is at 0; pymunk's leaves the shape.
    outside = ours.fraction[:few] > 0
    np.testing.assert_allclose(ours.fraction[:few][outside], np.array(query())[outside], atol=1e-3)
    table.row(
        "rays, range 30, density 0.05", "pymunk", n,
        lambda: index.cast_rays(origins, ends - origins, 1.0), query, scale=n / few,
    )
    fan, poses = wp.Fan(1000, 30.0), origins[: n // 1000]
    some = origins[:1].repeat(few, axis=0)
    around = np.column_stack([f(np.arange(few) * 2 * np.pi / few) for f in (np.cos, np.sin)])

    def loop() -> None:
        for start, end in zip(some.tolist(), (some + 30 * around).tolist()):
            space.segment_query_first(start, end, 0, pymunk.ShapeFilter())

    table.row("scan, 1000 rays", "pymunk", n, lambda: index.scan(fan, poses), loop, scale=n / few)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", default="10000,100000")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--rust")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    model = platform.processor()
    if Path("/proc/cpuinfo").exists():
        names = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line]
        model = names[0].split(":")[1].strip() if names else model
    versions = []
    for name in ("scipy", "shapely", "pykdtree", "matscipy", "freud-analysis", "pymunk"):
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            versions.append(f"{name} not installed")
    print(f"{model}, level {wp.levels()[-1]}, {datetime.date.today()}; numpy {np.__version__}, {', '.join(versions)}\n")
    table = Table(options.rounds)
    rng = np.random.default_rng(52)
    for n in map(int, options.rows.split(",")):
        pairs_of_circles(table, n, rng, options.rust)
        boxes(table, n, rng)
        neighbours(table, n, rng)
        nearest(table, n, rng)
        two_sets(table, n, rng)
        trees(table, n, rng)
        geometries(table, n, rng)
        rays(table, n, rng)
    for missed in table.missed:
        print(f"missed: {missed}", file=sys.stderr)
    return 1 if options.check and table.missed else 0


if __name__ == "__main__":
    sys.exit(main())
