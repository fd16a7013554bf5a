#!/usr/bin/env python3
"""Compares `widephase detect` and `query` with shapely on random maps.

    cargo build --release
    python3 -m venv target/shapely && target/shapely/bin/pip install 'shapely>=2.1'
    target/shapely/bin/python cli/tests/beside_shapely.py target/release/widephase [--features N] [--seeds N]

Each map has polygons that share borders, polygons with holes, islands that fill holes, multipolygons,
stars across all of that, lines along borders and across, points on borders and beside, multipoints
and collections: in degrees as GeoJSON, and in UTM metres as WKT. What is compared:

- pairs: `STRtree` and `intersects`;
- pairs with --exclusive: `relate` with the pattern T********, part by part. Points are inside of areas
  only, so two points, and a point and a line, are no pair;
- pairs with --within: `dwithin`, and --distance: `distance`;
- queries of geometries and of nearest shapes.

Exit status 1 if a list differs.
"""

import argparse
import csv
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile

import shapely
from shapely import GeometryCollection, LineString, MultiLineString, MultiPoint, MultiPolygon
from shapely import Point, Polygon, STRtree

# Origin, width of a cell, and the form of the file.
PLACES = {"degrees": ((170.0, -40.0), 0.125, "json"), "metres": ((500_000.3, 4_500_000.7), 60.0, "wkt")}


class Map:
    """Cells of a grid whose corners and sides are shifted; neighbours share their vertices."""

    def __init__(self, rng, cells, origin, width):
        self.rng, self.cells, self.origin, self.width = rng, cells, origin, width
        self.corners, self.sides = {}, {}

    def at(self, x, y):
        return (self.origin[0] + x * self.width, self.origin[1] + y * self.width)

    def corner(self, column, row):
        if (column, row) not in self.corners:
            shift = lambda: self.rng.uniform(-0.2, 0.2)
            self.corners[column, row] = self.at(column + shift(), row + shift())
        return self.corners[column, row]

    def side(self, a, b):
        """The vertices from corner a to corner b, without b."""
        if a > b:
            return [self.corner(*a)] + self.side(b, a)[:0:-1]
        if (a, b) not in self.sides:
            (ax, ay), (bx, by) = self.corner(*a), self.corner(*b)
            between = []
            for share in sorted(self.rng.uniform(0.1, 0.9) for _ in range(self.rng.randrange(5))):
                off = self.rng.uniform(-0.05, 0.05) * self.rng.choice([0, 1])
                x, y = ax + (bx - ax) * share, ay + (by - ay) * share
                between.append((x - (by - ay) * off, y + (bx - ax) * off))
            self.sides[a, b] = [self.corner(*a)] + between
        return self.sides[a, b]

    def cell(self, column, row):
        corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
        return sum((self.side(a, b) for a, b in zip(corners, corners[1:] + corners[:1])), [])

    def hole(self, column, row):
        ring, share = self.cell(column, row), self.rng.uniform(0.2, 0.6)
        (x, y) = self.at(column + 0.5, row + 0.5)
        return [(x + (px - x) * share, y + (py - y) * share) for px, py in ring]

    def anywhere(self):
        return self.rng.randrange(self.cells), self.rng.randrange(self.cells)

    def near(self):
        x, y = self.anywhere()
        return self.at(x + self.rng.random(), y + self.rng.random())

    def star(self):
        (x, y), count = self.near(), self.rng.randrange(3, 30)
        turn = sorted(self.rng.uniform(0, 2 * math.pi) for _ in range(count))
        far = [self.rng.uniform(0.1, 1.2) * self.width for _ in turn]
        return [(x + r * math.cos(t), y + r * math.sin(t)) for t, r in zip(turn, far)]

    def path(self):
        """A line along borders, which may cross itself or come back."""
        (column, row), line = self.anywhere(), []
        for _ in range(self.rng.randrange(1, 6)):
            step = self.rng.choice([(1, 0), (-1, 0), (0, 1), (0, -1)])
            to = (column + step[0], row + step[1])
            line += self.side((column, row), to)
            column, row = to
        line.append(self.corner(column, row))
        return line[self.rng.randrange(2) * (len(line) > 2):]

    def walk(self):
        line = [self.near()]
        for _ in range(self.rng.randrange(1, 9)):
            line.append(tuple(at + self.rng.uniform(-1, 1) * self.width for at in line[-1]))
        return line

    def border(self):
        """A point on a border as far as numbers allow: a vertex, or the middle of a side."""
        ring = self.cell(*self.anywhere())
        at = self.rng.randrange(len(ring))
        (ax, ay), (bx, by) = ring[at - 1], ring[at]
        share = self.rng.choice([0, 0.5, self.rng.random()])
        return (ax + (bx - ax) * share, ay + (by - ay) * share)

    def feature(self, number):
        rng, (column, row) = self.rng, self.anywhere()
        kind = number % 16
        if kind < 5:
            return Polygon(self.cell(column, row))
        if kind == 5:
            return Polygon(self.cell(column, row), [self.hole(column, row)])
        if kind == 6:
            hole = self.hole(column, row)
            return GeometryCollection([]) if len(hole) < 3 else Polygon(hole)
        if kind == 7:
            # They meet at corners only.
            cells = {(column + 2 * rng.randrange(3), row + 2 * rng.randrange(3)) for _ in range(4)}
            cells |= {(x + 1, y + 1) for x, y in list(cells)[:2]}
            return MultiPolygon([Polygon(self.cell(*cell)) for cell in sorted(cells)])
        if kind == 8:
            return Polygon(self.star())
        if kind < 11:
            return LineString(self.path() if kind == 9 else self.walk())
        if kind == 11:
            return MultiLineString([self.path(), self.walk(), self.path()])
        if kind == 12:
            return Point(self.border())
        if kind == 13:
            return Point(self.near())
        if kind == 14:
            return MultiPoint([self.border() if rng.random() < 0.5 else self.near() for _ in range(5)])
        return GeometryCollection([Point(self.border()), LineString(self.path()), Polygon(self.star())])


def features(rng, count, origin, width):
    """A hole and the island in it have the same place: the numbers of their cells are remembered."""
    terrain = Map(rng, max(4, int(math.sqrt(count / 3))), origin, width)
    found = []
    while len(found) < count:
        feature = terrain.feature(len(found))
        if len(found) % 16 == 6 and found[-1].interiors:
            feature = Polygon(found[-1].interiors[0])
        if feature.is_valid and not feature.is_empty:
            found.append(feature)
    return found


def write(path, shapes, form):
    with open(path, "w", encoding="utf-8") as file:
        if form == "wkt":
            file.write("wkt\n")
            for shape in shapes:
                file.write(f'"{exact(shape)}"\n')
        else:
            entries = [
                {"type": "Feature", "properties": {}, "geometry": shapely.geometry.mapping(shape)}
                for shape in shapes
            ]
            json.dump({"type": "FeatureCollection", "features": entries}, file)


def exact(shape):
    """WKT with all digits."""
    return shapely.to_wkt(shape, rounding_precision=-1)


def run(*args):
    done = subprocess.run(args, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(args)}: {done.stderr}")
    return list(csv.reader(io.StringIO(done.stdout)))[1:]


def by_dimension(shape):
    """Its points, lines and areas, each as one geometry."""
    pieces = getattr(shape, "geoms", [shape])
    of = {}
    for piece in pieces:
        of.setdefault(shapely.get_dimensions(piece), []).append(piece)
    join = [MultiPoint, MultiLineString, MultiPolygon]
    return {dimension: join[dimension](parts) for dimension, parts in of.items()}


def insides_meet(a, b):
    for dimension, part in by_dimension(a).items():
        for other, against in by_dimension(b).items():
            has_inside = dimension == 2 or other == 2 or dimension == other == 1
            if has_inside and shapely.relate_pattern(part, against, "T********"):
                return True
    return False


class Report:
    def __init__(self):
        self.wrong = 0

    def same(self, what, found, expected):
        if found == expected:
            print(f"{what}: {len(found)} agree")
            return
        self.wrong += 1
        missing, invented = sorted(expected - found), sorted(found - expected)
        print(f"{what}: {len(missing)} missing: {missing[:5]}, {len(invented)} invented: {invented[:5]}")


def pairs_of(tree, shapes, **how):
    first, second = tree.query(shapes, **how)
    return {(int(a), int(b)) for a, b in zip(first, second) if a < b}


def compare(program, folder, shapes, form, width, report):
    path = os.path.join(folder, "map." + ("csv" if form == "wkt" else form))
    write(path, shapes, form)
    tree = STRtree(shapes)
    pairs = lambda *args: {(int(row[0]), int(row[1])) for row in run(program, "detect", path, *args)}
    touching = pairs_of(tree, shapes, predicate="intersects")
    report.same("  pairs", pairs(), touching)
    report.same("  pairs in tiles", pairs("--tiles", "5"), touching)
    inside = {(a, b) for a, b in touching if insides_meet(shapes[a], shapes[b])}
    report.same("  exclusive", pairs("--exclusive"), inside)

    near = 0.3 * width
    rows = run(program, "detect", path, "--within", repr(near), "--distance")
    expected = pairs_of(tree, shapes, predicate="dwithin", distance=near)
    report.same("  within", {(int(a), int(b)) for a, b, _ in rows}, expected)
    far = lambda a, b: shapely.distance(shapes[int(a)], shapes[int(b)])
    off = max(abs(float(distance) - far(a, b)) for a, b, distance in rows)
    report.same("  distances", {off < 1e-9 * width}, {True})

    asked = list(range(0, len(shapes), 7))
    queries = os.path.join(folder, "queries.csv")
    with open(queries, "w", encoding="utf-8") as file:
        file.write("query,wkt,x,y,k\n")
        for row in asked:
            file.write(f'geometry,"{exact(shapes[row])}",,,\n')
        for row in asked:
            x, y = shapely.get_coordinates(shapes[row])[0] + 0.01 * width
            file.write(f"nearest,,{x!r},{y!r},3\n".replace("np.float64(", "").replace(")", ""))
    rows = run(program, "query", path, "--queries", queries)
    first, second = tree.query([shapes[row] for row in asked], predicate="intersects")
    expected = {(int(a), int(b)) for a, b in zip(first, second)}
    overlaps = {(int(row[0]), int(row[1])) for row in rows if not row[3]}
    report.same("  queries", overlaps, expected)
    off = 0.0
    for number, row in enumerate(asked):
        at = Point(shapely.get_coordinates(shapes[row])[0] + 0.01 * width)
        nearest = sorted(shapely.distance(shapes, at))[:3]
        answers = [row for row in rows if int(row[0]) == len(asked) + number]
        found = [float(row[3]) for row in answers]
        off = max([off] + [abs(a - b) for a, b in zip(found, nearest)])
        off = off if len(found) == 3 else math.inf
    report.same("  nearest", {off < 1e-9 * width}, {True})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--features", type=int, default=3000)
    parser.add_argument("--seeds", type=int, default=3)
    args = parser.parse_args()
    report = Report()
    print(f"shapely {shapely.__version__}, GEOS {shapely.geos_version_string}")
    for seed in range(1, args.seeds + 1):
        for name, (origin, width, form) in PLACES.items():
            shapes = features(random.Random(seed), args.features, origin, width)
            print(f"seed {seed}, {name}: {len(shapes)} features, {sum(map(shapely.get_num_coordinates, shapes))} vertices")
            with tempfile.TemporaryDirectory() as folder:
                compare(os.path.abspath(args.program), folder, shapes, form, width, report)
    sys.exit(1 if report.wrong else 0)


if __name__ == "__main__":
    main()
