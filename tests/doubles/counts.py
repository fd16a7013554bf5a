"""The numbers of `counts.rs`, by scipy and shapely: `pip install scipy shapely && python tests/doubles/counts.py`."""

import numpy
import scipy.spatial
import shapely


def units(seed, count):
    """Numbers from 0 to 1: SplitMix64 of a counter, its upper 53 bits."""
    with numpy.errstate(over="ignore"):
        z = (numpy.arange(count, dtype=numpy.uint64) + numpy.uint64(seed << 32)) * numpy.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        z = z ^ (z >> numpy.uint64(31))
    return (z >> numpy.uint64(11)).astype(numpy.float64) / 2.0**53


def points(count, origin, side):
    return numpy.stack([origin[0] + units(1, count) * side, origin[1] + units(2, count) * side], 1)


def within(count, origin, side, distance):
    return len(scipy.spatial.cKDTree(points(count, origin, side)).query_pairs(distance, output_type="ndarray"))


def boxes(count, origin, side, size):
    low = points(count, origin, side)
    high = low + numpy.stack([units(3, count) * size, units(4, count) * size], 1)
    shapes = shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1])
    a, b = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    return int((a < b).sum())


utm = [500_000.0, 4_500_000.0]
print("points in UTM metres within 2 m:", within(1_000_000, utm, 16_000.0, 2.0))
for origin in [0.0, 1e5, 4e6, 1e12]:
    print("points at", origin, "within 0.8:", within(100_000, [origin, -origin], 450.0, 0.8))
print("boxes of up to 12 m:", boxes(1_000_000, utm, 8_000.0, 12.0))
distance, row = scipy.spatial.cKDTree(points(100_000, utm, 450.0)).query(points(1_000, utm, 460.0)[::-1], k=3)
print("three nearest: sum of rows", int(row.sum()), "sum of distances", repr(float(distance.sum())))
