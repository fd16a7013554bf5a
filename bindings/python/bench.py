"""widephase beside scipy, freud, matscipy, shapely and geopandas, on one thread.

``python bench.py [--rows 100000] [--rounds 7] [--rust PROGRAM] [--check]`` prints one table in
Markdown. Each row of it is measured in turns: ours, theirs, ours, theirs. The numbers are medians
of the CPU time of the whole process, so that a helper thread counts, in nanoseconds a row, and
their quartiles must be within 1.3 times of each other, or the row is called noisy. Answers are
compared before they are timed. Peers that are not installed are left out. The last row is what
``import widephase`` takes once numpy is there.

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

#: How many times as fast as the peer.
GOALS = {
    "pairs / scipy": 12.0,
    "8 nearest / scipy": 6.0,
    "lists in a box, float32 / freud": 15.0,
    "lists in a box, float64 / matscipy": 12.0,
    "pairs of boxes / shapely": 8.0,
    "pairs of polygons with holes / shapely": 8.0,
    "points within a distance / geopandas": 4.0,
    "distances of rows of outlines / shapely": 1.0,
    "pairs / Rust": 1 / 2.0,
}
#: The most milliseconds of the import.
MOST_OF_IMPORT = 12.0


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
        print("| call | rows | widephase | peer | times | goal |")
        print("|---|---|---|---|---|---|")

    def row(
        self,
        name: str,
        peer: str,
        rows: int,
        ours: Callable[[], object],
        theirs: Callable[[], object],
    ) -> None:
        """Times both calls in turns."""
        ours(), theirs()
        samples: tuple[list[float], list[float]] = ([], [])
        for _ in range(self.rounds):
            samples[0].append(cpu_ns(ours) / rows)
            samples[1].append(cpu_ns(theirs) / rows)
        self.line(name, peer, rows, *samples)

    def line(self, name: str, peer: str, rows: int, ours: list[float], theirs: list[float]) -> None:
        times = float(np.median(theirs) / np.median(ours))
        spread = max(np.percentile(of, 75) / np.percentile(of, 25) for of in (ours, theirs))
        note = " (noisy)" if spread > 1.3 else ""
        goal = GOALS.get(f"{name} / {peer}")
        print(
            f"| {name} | {rows:,} | {np.median(ours):,.1f} | {peer} {np.median(theirs):,.1f} "
            f"| {times:,.3g}{note} | {'' if goal is None else f'{goal:.3g}'} |",
            flush=True,
        )
        if goal is not None and times < goal:
            self.missed.append(f"{name} / {peer}: {times:.2f}, the goal is {goal:.2f}")


def as_set(pairs: np.ndarray) -> set[tuple[int, int]]:
    return set(map(tuple, np.asarray(pairs).tolist()))


def same_pairs(ours: Any, first: Any, second: Any) -> bool:
    """Whether pairs that ascend are the pairs of two columns in any order."""
    order = np.lexsort((second, first))
    theirs = np.column_stack((np.asarray(first)[order], np.asarray(second)[order]))
    return len(ours) == len(theirs) and bool((np.asarray(ours) == theirs).all())


def pairs(table: Table, n: int, rng: np.random.Generator, rust: str | None) -> None:
    """Pairs of points within a distance: about one a row."""
    spatial = module("scipy.spatial")
    distance, positions = 0.8, rng.uniform(0, np.sqrt(n), (n, 2))
    ours = lambda: wp.pairs(wp.circles(positions, distance / 2), threads=1)
    if spatial is not None:
        def query() -> Any:
            return spatial.cKDTree(positions).query_pairs(distance, output_type="ndarray")

        assert same_pairs(ours(), *query().T)
        table.row("pairs", "scipy", n, ours, query)
        unsorted = lambda: wp.pairs(wp.circles(positions, distance / 2), sorted=False, threads=1)
        table.row("pairs, sorted=False", "scipy", n, unsorted, query)
    if rust is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "positions"
        positions.tofile(file)
        walls: list[float] = []
        calls: list[float] = []
        detector, shapes = wp.Detector(threads=1), wp.circles(positions, distance / 2)
        for _ in range(table.rounds):
            ran = subprocess.run(
                [rust, "double", str(file), str(distance / 2), "21"],
                capture_output=True, text=True, check=True,
            )
            calls.append(float(ran.stdout.split()[1]))
            own = []
            for _ in range(21):
                start = time.perf_counter_ns()
                detector.pairs(shapes, sorted=False)
                own.append((time.perf_counter_ns() - start) / n)
            walls.append(float(np.median(own)))
        table.line("pairs", "Rust", n, walls, calls)


def nearest(table: Table, n: int, rng: np.random.Generator) -> None:
    spatial = module("scipy.spatial")
    if spatial is None:
        return
    points, asked = rng.uniform(0, 1000, (n, 2)), rng.uniform(0, 1000, (n, 2))
    index, tree = wp.Index(points, threads=1), spatial.cKDTree(points)
    ours, theirs = lambda: index.k_nearest(asked, 8), lambda: tree.query(asked, k=8)
    assert (ours().row == theirs()[1]).all()
    table.row("8 nearest", "scipy", n, ours, theirs)


def lists(table: Table, n: int, rng: np.random.Generator) -> None:
    """Lists of about twenty neighbours in a box that repeats, with distances and images."""
    matscipy, freud = module("matscipy.neighbours"), module("freud")
    side, distance = float(np.sqrt(n)), float(np.sqrt(20 / np.pi))
    doubles = rng.uniform(0, side, (n, 2))
    singles = doubles.astype(np.float32)
    ours = lambda of: wp.neighbors(of, distance, periodic=(side, side), threads=1)
    if freud is not None:
        box = freud.box.Box.square(side)
        flat = np.column_stack((singles, np.zeros(n, np.float32)))
        freud.parallel.set_num_threads(1)

        def query() -> Any:
            tree = freud.locality.AABBQuery(box, flat)
            return tree.query(flat, dict(r_max=distance, exclude_ii=True)).toNeighborList()

        # Both decide in float32: neighbours at about the distance may differ.
        assert abs(len(query()) - len(ours(singles).indices)) <= n / 1000
        table.row("lists in a box, float32", "freud", n, lambda: ours(singles), query)
    if matscipy is not None:
        flat = np.column_stack((doubles, np.zeros(n)))
        cell = np.diag([side, side, 1.0])

        def neighbours() -> Any:
            return matscipy.neighbour_list(
                "ijdS", cutoff=distance, positions=flat, cell=cell, pbc=np.array([True, True, False])
            )

        first, second, lengths, _ = neighbours()
        near = ours(doubles)
        assert same_pairs(near.pairs(), first, second)
        np.testing.assert_allclose(np.sort(near.distances), np.sort(lengths), atol=1e-9)
        table.row("lists in a box, float64", "matscipy", n, lambda: ours(doubles), neighbours)


def boxes(table: Table, n: int, rng: np.random.Generator) -> None:
    shapely = module("shapely")
    if shapely is None:
        return
    low = rng.uniform(0, np.sqrt(n), (n, 2))
    high = low + rng.uniform(0.2, 1.0, (n, 2))
    geometries = shapely.box(*low.T, *high.T)

    def query() -> Any:
        return shapely.STRtree(geometries).query(geometries)

    ours = lambda: wp.pairs(wp.boxes(low, high), threads=1)
    theirs = query()
    assert same_pairs(ours(), *theirs[:, theirs[0] < theirs[1]])
    table.row("pairs of boxes", "shapely", n, ours, query)


def stars(n: int, vertices: int, rng: np.random.Generator, side: float) -> Any:
    angles = np.linspace(0, 2 * np.pi, vertices, endpoint=False)
    rings = np.stack((np.cos(angles), np.sin(angles)), 1) * rng.uniform(0.5, 1.0, (n, vertices, 1))
    return rings, rng.uniform(0, side, (n, 1, 2))


def polygons(table: Table, n: int, rng: np.random.Generator) -> None:
    """Polygons of 20 vertices, with holes; and the distances of rows of such polygons."""
    shapely = module("shapely")
    if shapely is None:
        return
    n //= 10
    rings, places = stars(n, 20, rng, np.sqrt(2 * n))
    areas = shapely.difference(shapely.polygons(rings + places), shapely.polygons(rings * 0.3 + places))
    shapes = wp.from_shapely(areas)

    def theirs() -> Any:
        return shapely.STRtree(areas).query(areas, predicate="intersects")

    ours = lambda: wp.pairs(shapes, threads=1)
    found = theirs()
    assert same_pairs(ours(), *found[:, found[0] < found[1]])
    table.row("pairs of polygons with holes", "shapely", n, ours, theirs)
    table.row("the same, with from_shapely", "shapely", n, lambda: wp.pairs(wp.from_shapely(areas)), theirs)
    rings, places = stars(n, 20, rng, np.sqrt(2 * n))
    others = shapely.polygons(rings + places)
    own = wp.from_shapely(others)
    ours, theirs = lambda: wp.distance(shapes, own, threads=1), lambda: shapely.distance(areas, others)
    np.testing.assert_allclose(ours(), theirs(), atol=1e-4)
    table.row("distances of rows of outlines", "shapely", n, ours, theirs)


def within(table: Table, n: int, rng: np.random.Generator) -> None:
    geopandas, shapely = module("geopandas"), module("shapely")
    if geopandas is None or shapely is None:
        return
    points, asked = rng.uniform(0, np.sqrt(n), (2, n, 2))
    column, queries = geopandas.GeoSeries(shapely.points(points)), shapely.points(asked)
    distance = float(np.sqrt(5 / np.pi))

    def theirs() -> Any:
        index = geopandas.GeoSeries(column.values).sindex
        return index.query(queries, predicate="dwithin", distance=distance)

    ours = lambda: wp.neighbors(asked, distance, against=points, threads=1)
    assert same_pairs(ours().pairs(), *theirs())
    table.row("points within a distance", "geopandas", n, ours, theirs)


def imported(table: Table) -> None:
    program = (
        "import numpy, time; start = time.process_time(); import widephase; "
        "print(time.process_time() - start)"
    )
    # As where it is installed: with the bytecode that the first import writes.
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def milliseconds() -> float:
        run = [sys.executable, "-c", program]
        done = subprocess.run(run, capture_output=True, text=True, check=True, env=own)
        return 1e3 * float(done.stdout)

    milliseconds()
    median = float(np.median([milliseconds() for _ in range(2 * table.rounds)]))
    print(f"| import, beyond numpy | | {median:.1f} ms | | | {MOST_OF_IMPORT:g} ms |")
    if median > MOST_OF_IMPORT:
        table.missed.append(f"import: {median:.1f} ms, the goal is {MOST_OF_IMPORT:g} ms")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--rust")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    model = platform.processor()
    if Path("/proc/cpuinfo").exists():
        names = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line]
        model = names[0].split(":")[1].strip() if names else model
    versions = []
    for name in ("scipy", "freud-analysis", "matscipy", "shapely", "geopandas"):
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            versions.append(f"{name} not installed")
    print(f"{model}, level {wp.levels()[-1]}, {datetime.date.today()}; numpy {np.__version__}, {', '.join(versions)}\n")
    table = Table(options.rounds)
    rng, n = np.random.default_rng(52), options.rows
    pairs(table, n, rng, options.rust)
    for measure in (nearest, lists, boxes, polygons, within):
        measure(table, n, rng)
    imported(table)
    for missed in table.missed:
        print(f"missed: {missed}", file=sys.stderr)
    return 1 if options.check and table.missed else 0


if __name__ == "__main__":
    sys.exit(main())
