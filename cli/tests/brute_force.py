#!/usr/bin/env python3
"""Compares `widephase query` with an independent brute force on random shapes and queries.

    cargo build --release
    python3 cli/tests/brute_force.py target/release/widephase [--shapes N] [--queries N] [--seed N]

The script writes a file of shapes of every kind and a file of queries of every kind, runs the
command with and without --all and --exclusive, and derives every answer by another method. It needs
Python 3 and nothing else. Exit status 1 if an answer is wrong.

The method: the signed distance of a point from each shape (below 0 within) is the only thing that
is known of a shape. It is a convex function of the point.
- A point or a circle touches a shape if the signed distance of its centre is at most its radius.
- A region touches a shape if it holds a point of the shape, or if the least signed distance along
  one of its sides, found by golden section, is at most 0.
- A ray or a moving circle: the least signed distance along the way is found by golden section. If
  it is at most the radius, the fraction of the hit is found by bisection before that place. The
  normal is the numeric gradient.
- The nearest shapes are those of the smallest signed distances.
Segments and points have no inside. Where a ray crosses one, the least signed distance is 0.
Therefore a ray crosses a segment where the signs of two cross products say so.

Only shapes whose bounding circle is near the query are examined: they are sorted by x in classes of
similar size. Nothing else is left out.

The command decides in other arithmetic, so a result may differ within TOLERANCE. Each such answer
has to be right within the tolerance, and is counted as a near tie.
"""

import argparse
import bisect
import csv
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
import time

# Above the roundings of numbers of up to 2,000 to f32, which are 2^-14 at most.
TOLERANCE = 2e-4

KINDS = ["point", "circle", "aabb", "rounded_box", "obb", "capsule", "segment", "polygon"]
QUERIES = ["point", "region", "circle", "ray", "nearest", "cast"]
SHAPE_COLUMNS = (
    "kind,body,x,y,radius,min_x,min_y,max_x,max_y,half_width,half_height,angle,cos,sin,"
    "ax,ay,bx,by,vertices"
).split(",")
QUERY_COLUMNS = (
    "query,x,y,min_x,min_y,max_x,max_y,radius,dx,dy,max,k,max_distance,start"
).split(",")
INFINITY = math.inf


def f32(value):
    """The nearest f32."""
    return struct.unpack("f", struct.pack("f", value))[0]


# Signed distances


class Point:
    thin = True

    def __init__(self, x, y):
        self.center, self.reach = (x, y), 0.0

    def distance(self, x, y):
        return math.hypot(x - self.center[0], y - self.center[1])

    def crossing(self, x, y, dx, dy):
        return None


class Circle:
    thin = False

    def __init__(self, x, y, radius):
        self.center, self.reach = (x, y), radius

    def distance(self, x, y):
        return math.hypot(x - self.center[0], y - self.center[1]) - self.reach


class Box:
    """A rotated box with a radius around it."""

    thin = False

    def __init__(self, x, y, half_width, half_height, cos, sin, radius):
        self.center, self.half, self.radius = (x, y), (half_width, half_height), radius
        length = math.hypot(cos, sin)
        self.cos, self.sin = cos / length, sin / length
        self.reach = math.hypot(half_width, half_height) + radius

    def distance(self, x, y):
        x, y = x - self.center[0], y - self.center[1]
        across = abs(self.cos * x + self.sin * y) - self.half[0]
        up = abs(self.cos * y - self.sin * x) - self.half[1]
        if across > 0.0 and up > 0.0:
            return math.hypot(across, up) - self.radius
        return max(across, up) - self.radius


class Capsule:
    def __init__(self, ax, ay, bx, by, radius):
        self.a, self.along, self.radius = (ax, ay), (bx - ax, by - ay), radius
        self.length2 = self.along[0] ** 2 + self.along[1] ** 2
        self.center = ((ax + bx) / 2, (ay + by) / 2)
        self.reach = math.sqrt(self.length2) / 2 + radius
        self.thin = radius == 0.0

    def distance(self, x, y):
        (ax, ay), (ux, uy) = self.a, self.along
        x, y = x - ax, y - ay
        share = 0.0
        if self.length2 > 0.0:
            share = min(max((x * ux + y * uy) / self.length2, 0.0), 1.0)
        return math.hypot(x - share * ux, y - share * uy) - self.radius

    def crossing(self, x, y, dx, dy):
        """The fraction at which a ray crosses the segment, if it does."""
        (ax, ay), (ux, uy) = self.a, self.along
        turn = dx * uy - dy * ux
        if turn == 0.0:
            return None
        share = ((ax - x) * dy - (ay - y) * dx) / turn
        fraction = ((ax - x) * uy - (ay - y) * ux) / turn
        return fraction if 0.0 <= share <= 1.0 else None


class Polygon:
    """A convex polygon with a radius around it: the corners counter-clockwise."""

    thin = False

    def __init__(self, corners, radius):
        self.radius = radius
        count = len(corners)
        self.sides = []
        for number, (ax, ay) in enumerate(corners):
            bx, by = corners[(number + 1) % count]
            ux, uy = bx - ax, by - ay
            length = math.hypot(ux, uy)
            self.sides.append((ax, ay, ux / length, uy / length, length))
        x = sum(corner[0] for corner in corners) / count
        y = sum(corner[1] for corner in corners) / count
        self.center = (x, y)
        self.reach = max(math.hypot(a - x, b - y) for a, b in corners) + radius

    def distance(self, x, y):
        height, nearest = -INFINITY, INFINITY
        for ax, ay, ux, uy, length in self.sides:
            px, py = x - ax, y - ay
            height = max(height, px * uy - py * ux)
            share = min(max(px * ux + py * uy, 0.0), length)
            nearest = min(nearest, math.hypot(px - share * ux, py - share * uy))
        return (nearest if height > 0.0 else height) - self.radius


class Compound:
    """Not convex: every search goes through its parts."""

    def __init__(self, parts):
        self.parts = parts
        x = sum(part.center[0] for part in parts) / len(parts)
        y = sum(part.center[1] for part in parts) / len(parts)
        self.center = (x, y)
        offset = lambda part: math.hypot(part.center[0] - x, part.center[1] - y)
        self.reach = max(offset(part) + part.reach for part in parts)

    def distance(self, x, y):
        return min(part.distance(x, y) for part in self.parts)


def parts_of(shape):
    return shape.parts if isinstance(shape, Compound) else [shape]


# Random shapes and queries


class World:
    """The rows of the file of shapes, and the shapes by the numbers of their rows."""

    def __init__(self, count, rng):
        self.rng = rng
        # About ten units of area for each shape.
        self.side = f32(math.sqrt(count * 10.0))
        self.rows, self.shapes = [], {}
        bodies = 0
        while len(self.rows) < count:
            # One in two hundred is large.
            size = 20.0 if rng.random() < 0.005 else 1.0
            x, y = self.at(), self.at()
            if rng.random() < 0.03 and len(self.rows) + 3 <= count:
                first, parts, bodies = len(self.rows), [], bodies + 1
                for _ in range(3):
                    # Boxes in a compound are rounded to a centre and half sizes. On this raster
                    # they are exact.
                    near = [round(64 * (at + rng.uniform(-1.5, 1.5))) / 64 for at in (x, y)]
                    kind = rng.choice(KINDS)
                    parts.append(self.append(kind, *near, 0.5, bodies, f"b{bodies}"))
                self.shapes[first] = Compound(parts)
            else:
                row = len(self.rows)
                self.shapes[row] = self.append(rng.choice(KINDS), x, y, size, None, "")

    def at(self):
        return f32(self.rng.uniform(0.0, self.side))

    def append(self, kind, x, y, size, raster, body):
        """Appends a row and returns its shape."""
        rng = self.rng

        def length(low, high):
            value = size * rng.uniform(low, high)
            return round(64 * value + 1) / 64 if raster else f32(value)

        row = {"kind": kind, "body": body}
        if kind in ("point", "circle", "obb"):
            row |= {"x": x, "y": y}
        if kind in ("circle", "rounded_box", "capsule"):
            row["radius"] = length(0.1, 1.2)
        if kind == "point":
            shape = Point(x, y)
        elif kind == "circle":
            shape = Circle(x, y, row["radius"])
        elif kind in ("aabb", "rounded_box"):
            max_x, max_y = f32(x + length(0.1, 3.0)), f32(y + length(0.1, 3.0))
            row |= {"min_x": x, "min_y": y, "max_x": max_x, "max_y": max_y}
            center, half = ((x + max_x) / 2, (y + max_y) / 2), ((max_x - x) / 2, (max_y - y) / 2)
            shape = Box(*center, *half, 1.0, 0.0, row.get("radius", 0.0))
        elif kind == "obb":
            half, (cos, sin) = (length(0.1, 1.5), length(0.1, 1.5)), self.rotation(row)
            row |= {"half_width": half[0], "half_height": half[1]}
            shape = Box(x, y, *half, cos, sin, 0.0)
        elif kind in ("capsule", "segment"):
            end = [f32(at + size * rng.uniform(-3.0, 3.0)) for at in (x, y)]
            row |= {"ax": x, "ay": y, "bx": end[0], "by": end[1]}
            shape = Capsule(x, y, *end, row.get("radius", 0.0))
        else:
            shape = self.polygon(row, x, y, size, raster is not None)
        self.rows.append(row)
        return shape

    def rotation(self, row):
        angle = f32(self.rng.uniform(-4.0, 4.0))
        cos, sin = math.cos(angle), math.sin(angle)
        if self.rng.random() < 0.5:
            row["angle"] = angle
        else:
            cos, sin = f32(cos), f32(sin)
            row |= {"cos": cos, "sin": sin}
        return cos, sin

    def polygon(self, row, x, y, size, stays):
        """Corners on an ellipse, at its own place or moved and rotated."""
        rng = self.rng
        radius = 0.0
        if rng.random() < 0.5:
            radius = row["radius"] = f32(size * rng.uniform(0.1, 0.6))
        count, width, height = rng.randint(3, 9), rng.uniform(0.3, 1.6), rng.uniform(0.3, 1.6)
        begin = rng.uniform(0.0, math.tau)
        turn = math.tau / count
        angles = [begin + turn * (step + rng.uniform(-0.3, 0.3)) for step in range(count)]
        moved = not stays and rng.random() < 0.5
        middle = (0.0, 0.0) if moved else (x, y)
        corners = [
            (
                f32(middle[0] + size * width * math.cos(angle)),
                f32(middle[1] + size * height * math.sin(angle)),
            )
            for angle in angles
        ]
        written = corners[::-1] if rng.random() < 0.3 else corners
        row["vertices"] = " ".join(f"{a!r} {b!r}" for a, b in written)
        if moved:
            row |= {"x": x, "y": y}
            cos, sin = self.rotation(row)
            corners = [(x + cos * a - sin * b, y + sin * a + cos * b) for a, b in corners]
        return Polygon(corners, radius)

    def query(self):
        rng = self.rng
        kind = rng.choice(QUERIES)
        x, y = (f32(rng.uniform(-0.02, 1.02) * self.side) for _ in range(2))
        query = {"query": kind}
        if kind == "region":
            width, height = (f32(rng.choice((0.5, 5.0, 20.0)) * rng.random()) for _ in range(2))
            max_x, max_y = f32(x + width), f32(y + height)
            return query | {"min_x": x, "min_y": y, "max_x": max_x, "max_y": max_y}
        query |= {"x": x, "y": y}
        if kind in ("circle", "cast"):
            query["radius"] = f32(rng.uniform(0.05, 3.0))
        if kind in ("ray", "cast"):
            length, angle = rng.choice((1.0, 10.0, 60.0)) * rng.random(), rng.uniform(0.0, math.tau)
            query |= {"dx": f32(length * math.cos(angle)), "dy": f32(length * math.sin(angle))}
            if rng.random() < 0.1:
                query[rng.choice(("dx", "dy"))] = 0.0
            if rng.random() < 0.5:
                query["max"] = f32(rng.uniform(0.0, 2.0))
        if kind == "cast":
            query["start"] = rng.choice(("", "inward", "any"))
        if kind == "nearest":
            if rng.random() < 0.7:
                query["k"] = rng.randint(1, 12)
            if rng.random() < 0.5:
                query["max_distance"] = f32(rng.uniform(0.0, 8.0))
        return query


def write(path, columns, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)


# Candidates


class Sorted:
    """Shapes sorted by x, in classes of similar reach."""

    def __init__(self, shapes):
        classes = {}
        for row, shape in shapes.items():
            size = math.frexp(max(shape.reach, 0.25))[1]
            classes.setdefault(size, []).append((*shape.center, shape.reach, row))
        self.classes = []
        for members in classes.values():
            members.sort()
            reach = max(member[2] for member in members)
            self.classes.append((reach, [member[0] for member in members], members))

    def near(self, ax, ay, bx, by, reach):
        """The rows of the shapes whose bounding circle is at most `reach` from the segment a b."""
        along_x, along_y = bx - ax, by - ay
        length2 = along_x * along_x + along_y * along_y
        scale = 1.0 / length2 if length2 > 0.0 else 0.0
        reach += TOLERANCE
        rows = []
        for widest, places, members in self.classes:
            most = widest + reach
            low = bisect.bisect_left(places, min(ax, bx) - most)
            high = bisect.bisect_right(places, max(ax, bx) + most)
            min_y, max_y = min(ay, by) - most, max(ay, by) + most
            for x, y, own, row in members[low:high]:
                if not min_y <= y <= max_y:
                    continue
                px, py = x - ax, y - ay
                share = min(max((px * along_x + py * along_y) * scale, 0.0), 1.0)
                px, py = px - share * along_x, py - share * along_y
                if px * px + py * py <= (own + reach) ** 2:
                    rows.append(row)
        return rows


# Searches

GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def least(function, low, high):
    """Where a convex function is least, and its value there."""
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = function(left), function(right)
    for _ in range(60):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = function(right)
    return min(((at, function(at)) for at in (low, left, right, high)), key=lambda found: found[1])


def first_below(function, high, height):
    """Where a convex function first comes down to `height` between 0, where it is above, and
    `high`, where it is not."""
    low = 0.0
    for _ in range(60):
        middle = (low + high) / 2
        if function(middle) <= height:
            high = middle
        else:
            low = middle
    return high


def overlap(shape, query):
    """Below 0 if the query and the shape overlap, above 0 if they are apart. Near 0, a distance."""
    if query["query"] != "region":
        return shape.distance(query["x"], query["y"]) - query.get("radius", 0.0)
    low, high = (query["min_x"], query["min_y"]), (query["max_x"], query["max_y"])
    result = INFINITY
    for part in parts_of(shape):
        inside = min(
            min(at - start, end - at) for at, start, end in zip(part.center, low, high)
        )
        if inside >= 0.0:
            result = min(result, -inside)
            continue
        for axis in (0, 1):
            for side in (low[1 - axis], high[1 - axis]):
                if axis == 0:
                    along = lambda at: part.distance(at, side)
                else:
                    along = lambda at: part.distance(side, at)
                depth = least(along, low[axis], high[axis])[1]
                if part.thin and abs(depth) < TOLERANCE:
                    depth = thin_crosses(part, axis, side, low, high)
                result = min(result, depth)
    return result


def thin_crosses(part, axis, side, low, high):
    """How deep the end of a segment is beyond a side that it crosses: its depth in the region."""
    if isinstance(part, Point):
        return 0.0
    ends = (part.a, (part.a[0] + part.along[0], part.a[1] + part.along[1]))
    heights = [end[1 - axis] - side for end in ends]
    if heights[0] * heights[1] >= 0.0:
        return 0.0
    share = heights[0] / (heights[0] - heights[1])
    at = ends[0][axis] + share * (ends[1][axis] - ends[0][axis])
    inside = min(at - low[axis], high[axis] - at)
    return -max(min(inside, abs(heights[0]), abs(heights[1])), 0.0)


class Entry:
    """How a ray or a moving circle meets a shape. `depth` is how far it gets below the surface,
    and below 0 for a miss by that distance."""

    def __init__(self, fraction, depth, part):
        self.fraction, self.depth, self.part = fraction, depth, part


def leads_inward(query):
    """Whether only what the query leads into stops it at its start."""
    return query.get("start", "any") != "any"


def slack(query, limit):
    """How deep a path may lead into a shape that does not count as hit: a few roundings, and for a
    cast the tolerance of docs/queries.md, "What stops a motion"."""
    if query["query"] != "cast":
        return TOLERANCE
    reach = [
        abs(query[at]) + abs(query[by]) * limit + query["radius"]
        for at, by in (("x", "dx"), ("y", "dy"))
    ]
    return TOLERANCE + sum(reach) * 2.0**-20


def enter(part, query, limit):
    x, y, dx, dy = query["x"], query["y"], query["dx"], query["dy"]
    radius = query.get("radius", 0.0)
    if radius == 0.0 and part.thin:
        fraction = part.crossing(x, y, dx, dy)
        if fraction is not None and 0.0 <= fraction <= limit:
            # How far the crossing is from the ends of both.
            length = math.hypot(dx, dy)
            px, py = x + fraction * dx - part.a[0], y + fraction * dy - part.a[1]
            share = math.hypot(px, py)
            whole = math.sqrt(part.length2)
            depth = min(share, whole - share, fraction * length, (limit - fraction) * length)
            return Entry(fraction, depth, part)
    height = lambda fraction: part.distance(x + fraction * dx, y + fraction * dy) - radius
    start = height(0.0)
    if start <= 0.0:
        if not leads_inward(query):
            return Entry(0.0, -start, part)
        # A cast is stopped by a shape that it gets deeper into.
        deeper = start - least(height, 0.0, limit)[1]
        return Entry(0.0, deeper if deeper > 0.0 else -INFINITY, part)
    at, lowest = least(height, 0.0, limit)
    if lowest > 0.0:
        return Entry(at, -lowest, part)
    return Entry(first_below(height, at, 0.0), -lowest, part)


def gradient(part, x, y):
    step = 1e-5
    gx = part.distance(x + step, y) - part.distance(x - step, y)
    gy = part.distance(x, y + step) - part.distance(x, y - step)
    length = math.hypot(gx, gy)
    return (gx / length, gy / length) if length > 0.0 else (0.0, 0.0)


# The comparison


class Check:
    def __init__(self, world, queries):
        self.shapes, self.queries = world.shapes, queries
        self.sorted = Sorted(world.shapes)
        self.known = [self.derive(query) for query in queries]

    def derive(self, query):
        """What the method says about all shapes near a query."""
        kind = query["query"]
        if kind == "region":
            middle = (query["min_x"] + query["max_x"]) / 2, (query["min_y"] + query["max_y"]) / 2
            reach = math.hypot(query["max_x"] - middle[0], query["max_y"] - middle[1])
            rows = self.sorted.near(*middle, *middle, reach)
            return {row: overlap(self.shapes[row], query) for row in rows}
        x, y = query["x"], query["y"]
        if kind in ("point", "circle"):
            rows = self.sorted.near(x, y, x, y, query.get("radius", 0.0))
            return {row: overlap(self.shapes[row], query) for row in rows}
        if kind == "nearest":
            return self.nearest(query)
        limit = query.get("max", 1.0)
        end = x + limit * query["dx"], y + limit * query["dy"]
        rows = self.sorted.near(x, y, *end, query.get("radius", 0.0))
        return {
            row: [enter(part, query, limit) for part in parts_of(self.shapes[row])] for row in rows
        }

    def nearest(self, query):
        """The distances of all shapes up to a distance of which enough are found."""
        x, y = query["x"], query["y"]
        k, furthest = query.get("k", 1), query.get("max_distance", INFINITY)
        reach = 2.0
        while True:
            reach = min(reach, furthest)
            rows = self.sorted.near(x, y, x, y, reach)
            distances = {row: max(self.shapes[row].distance(x, y), 0.0) for row in rows}
            enough = sum(distance < reach - TOLERANCE for distance in distances.values()) >= k
            if enough or reach == furthest or len(rows) == len(self.shapes):
                return distances
            reach *= 2.0

    def compare(self, answers, every):
        """Counts right answers, near ties, and wrong ones, which are printed."""
        counts, self.shown = {}, 0
        for number, (query, known) in enumerate(zip(self.queries, self.known)):
            found = answers.get(number, [])
            kind = query["query"]
            check = {"nearest": self.check_nearest, "ray": self.check_hits, "cast": self.check_hits}
            faults, ties = check.get(kind, self.check_rows)(query, known, found, every)
            count = counts.setdefault(kind, [0, 0, 0, 0])
            for place, value in enumerate((1, len(found), ties, len(faults))):
                count[place] += value
            if faults and self.shown < 20:
                self.shown += 1
                print(f"WRONG: query {number}, {query}: {faults[0]}")
        return counts

    def check_rows(self, query, known, found, every):
        faults, ties = [], 0
        rows = [int(answer["row"]) for answer in found]
        if rows != sorted(set(rows)):
            faults.append("rows do not ascend")
        for row in rows:
            if row not in known or known[row] > TOLERANCE:
                faults.append(f"row {row} is listed and apart by {known.get(row)}")
        listed = set(rows)
        for row, height in known.items():
            ties += abs(height) <= TOLERANCE
            if height < -TOLERANCE and row not in listed:
                faults.append(f"row {row} is not listed and overlaps by {-height}")
        return faults, ties

    def check_nearest(self, query, known, found, every):
        faults = []
        k, furthest = query.get("k", 1), query.get("max_distance", INFINITY)
        order = [(float(answer["distance"]), int(answer["row"])) for answer in found]
        if order != sorted(set(order)):
            faults.append("not in the order of distances and rows")
        for distance, row in order:
            if row not in known or abs(known[row] - distance) > TOLERANCE:
                faults.append(f"row {row} is at {known.get(row)} and not at {distance}")
        sure = sum(distance <= furthest - TOLERANCE for distance in known.values())
        maybe = sum(distance <= furthest + TOLERANCE for distance in known.values())
        if not min(k, sure) <= len(order) <= min(k, maybe):
            faults.append(f"{len(order)} are listed, and {sure} to {maybe} are near")
        last = order[-1][0] if len(order) == k else furthest
        listed = {row for _, row in order}
        missed = [(known[row], row) for row in known if row not in listed]
        ties = sum(abs(distance - last) <= TOLERANCE for distance, _ in missed)
        for distance, row in missed:
            if distance < last - TOLERANCE:
                faults.append(f"row {row} at {distance} is not listed")
        return faults, ties

    def check_hits(self, query, known, found, every):
        faults, ties = [], 0
        length = math.hypot(query["dx"], query["dy"])
        limit = query.get("max", 1.0)
        # As a fraction, below which two hits are a tie. A point has no fractions.
        share = TOLERANCE / length if length > 0.0 else INFINITY
        order = [(float(answer["fraction"]), int(answer["row"])) for answer in found]
        if order != sorted(set(order)) or len({row for _, row in order}) != len(order):
            faults.append("not in the order of fractions and rows")
        listed = {row for _, row in order}
        sure, least_depth = {}, slack(query, limit)
        for row, entries in known.items():
            deep = [entry.fraction for entry in entries if entry.depth > least_depth]
            if deep:
                sure[row] = min(deep)
            elif any(entry.depth >= -TOLERANCE for entry in entries):
                ties += 1
        first = min(sure.values(), default=INFINITY)
        if every:
            for row in sure:
                if row not in listed:
                    faults.append(f"row {row} is not listed, and hit at {sure[row]}")
        elif len(order) > 1:
            faults.append("more than one hit")
        elif not order and sure:
            faults.append(f"no hit, and there is one at {first}")
        elif order and order[0][0] > first + share:
            faults.append(f"hits at {order[0][0]} and not at {first}")
        elif order and sum(fraction <= order[0][0] + share for fraction in sure.values()) > 1:
            # At fraction 0, the smallest row is hit first.
            ties += order[0][0] > 0.0
            rows = [row for row in sure if sure[row] == 0.0]
            if order[0][0] == 0.0 and rows and min(rows) < order[0][1]:
                faults.append(f"row {order[0][1]} is hit at once, and so is row {min(rows)}")
        for answer in found:
            fault = self.check_hit(query, known, answer, limit, share)
            if fault:
                faults.append(fault)
        return faults, ties

    def check_hit(self, query, known, answer, limit, share):
        """The first fault of a hit, by the distances of its point."""
        row, fraction = int(answer["row"]), float(answer["fraction"])
        x, y = float(answer["x"]), float(answer["y"])
        normal = float(answer["normal_x"]), float(answer["normal_y"])
        radius = query.get("radius", 0.0)
        at = query["x"] + fraction * query["dx"], query["y"] + fraction * query["dy"]
        if row not in known:
            return f"row {row} is hit and far away"
        if not 0.0 <= fraction <= limit + share:
            return f"row {row} is hit at {fraction}, beyond {limit}"
        if abs(math.hypot(*normal) - 1.0) > 1e-5:
            return f"the normal {normal} has another length than 1"
        shape = self.shapes[row]
        parts = parts_of(shape)
        if leads_inward(query) and fraction > 0.0:
            # The parts that it overlaps at the start do not stop it.
            parts = [part for part in parts if part.distance(query["x"], query["y"]) > radius]
        height = min((part.distance(*at) for part in parts), default=INFINITY) - radius
        if height > TOLERANCE or (fraction > 0.0 and height < -slack(query, limit)):
            return f"row {row} is hit at {fraction}, where it is {height} away"
        if fraction == 0.0:
            if leads_inward(query) and all(entry.depth < -TOLERANCE for entry in known[row]):
                return f"row {row} is hit at once, and the circle leaves it"
            if radius == 0.0:
                expected = (query["x"], query["y"])
                if math.dist((x, y), expected) > TOLERANCE:
                    return f"the point {(x, y)} of row {row} is not {expected}"
                return None
            # Of a body, any part that the circle leads into may have the contact.
            stops = parts_of(shape) if leads_inward(query) else [shape]
            told = [self.check_contact(part, at, radius, (x, y), normal, row) for part in stops]
            return None if None in told else told[0]
        before = max(fraction - 10.0 * share, 0.0)
        deepest = min(
            least(
                lambda at: part.distance(
                    query["x"] + at * query["dx"], query["y"] + at * query["dy"]
                ),
                0.0,
                before,
            )[1]
            for part in parts
        )
        if deepest - radius < -slack(query, limit):
            return f"row {row} is hit at {fraction}, and before that"
        # The point is on the surface, and the normal leads from it to the centre of a circle.
        surface = min(part.distance(x, y) for part in parts)
        if abs(surface) > TOLERANCE or abs(math.dist((x, y), at) - radius) > TOLERANCE:
            return f"the point {(x, y)} of row {row} is not where both touch"
        part = min(parts, key=lambda part: part.distance(*at))
        return self.check_normal(part, query, at, normal, row)

    def check_contact(self, shape, at, radius, point, normal, row):
        """The fault of the contact of a circle that overlaps a shape at the start."""
        part = min(parts_of(shape), key=lambda part: part.distance(*at))
        height = part.distance(*at)
        middle = [at[axis] - normal[axis] * (radius + height) / 2 for axis in (0, 1)]
        if math.dist(point, middle) > TOLERANCE:
            return f"the point {point} of row {row} is not between the surfaces, at {middle}"
        # Moved along the normal by the depth, the circle only touches.
        depth = radius - height
        apart = part.distance(*(at[axis] + normal[axis] * depth for axis in (0, 1))) - radius
        if abs(apart) > TOLERANCE:
            return f"the normal {normal} of row {row} is not the shortest way out of it"
        return None

    def check_normal(self, part, query, at, normal, row):
        radius = query.get("radius", 0.0)
        if normal[0] * query["dx"] + normal[1] * query["dy"] > 1e-4 * math.hypot(
            query["dx"], query["dy"]
        ):
            return f"the normal {normal} of row {row} leads along the ray"
        # From outside, at a small distance along the normal, the shape is that distance away: this
        # holds for each normal at a corner.
        step = radius if radius > 0.0 else 0.02
        outside = (
            (at[0], at[1]) if radius > 0.0 else (at[0] + step * normal[0], at[1] + step * normal[1])
        )
        if abs(part.distance(*outside) - step) > TOLERANCE + 1e-3 * step:
            return f"the normal {normal} of row {row} does not lead out of it"
        if part.distance(*outside) < 0.01:
            return None
        slope = gradient(part, *outside)
        if math.dist(slope, normal) > 0.01 + 4.0 * TOLERANCE / step:
            return f"the normal {normal} of row {row} is not {slope}"
        return None


def run(command, shapes, queries, options):
    arguments = [command, "query", shapes, "--queries", queries, *options]
    begin = time.perf_counter()
    done = subprocess.run(arguments, capture_output=True, text=True)
    seconds = time.perf_counter() - begin
    if done.returncode != 0:
        sys.exit(f"{arguments} failed: {done.stderr}")
    answers = {}
    for answer in csv.DictReader(done.stdout.splitlines()):
        answers.setdefault(int(answer["query"]), []).append(answer)
    numbers = [int(line.split(",", 1)[0]) for line in done.stdout.splitlines()[1:]]
    if numbers != sorted(numbers):
        sys.exit("answers are not in the order of the queries")
    return answers, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", help="the program widephase")
    parser.add_argument("--shapes", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    world = World(args.shapes, rng)
    queries = [world.query() for _ in range(args.queries)]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        shapes_file, queries_file = (os.path.join(folder, name) for name in ("s.csv", "q.csv"))
        write(shapes_file, SHAPE_COLUMNS, world.rows)
        write(queries_file, QUERY_COLUMNS, queries)
        begin = time.perf_counter()
        check = Check(world, queries)
        print(
            f"{args.shapes} rows ({len(world.shapes)} shapes), {args.queries} queries, seed "
            f"{args.seed}: brute force took {time.perf_counter() - begin:.1f} s"
        )
        for options in ([], ["--all"], ["--all", "--exclusive"]):
            answers, seconds = run(args.command, shapes_file, queries_file, options)
            counts = check.compare(answers, "--all" in options)
            print(f"query {' '.join(options)}: {seconds:.2f} s")
            print(f"  {'kind':8} {'queries':>8} {'answers':>8} {'near ties':>10} {'wrong':>6}")
            for kind in QUERIES:
                row = counts.get(kind, [0] * 4)
                print(f"  {kind:8} {row[0]:8} {row[1]:8} {row[2]:10} {row[3]:6}")
                wrong += row[3]
    print("all answers agree" if wrong == 0 else f"{wrong} answers are wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
