"""Rows of two sets: distances, closest points, common areas."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _widephase
from ._arrays import Positions, pair_list
from ._errors import ShapeError
from ._index import as_shapes
from ._shapes import Shapes, native

__all__ = ["ClosestPoints", "closest_points", "distance", "overlap_area"]


class ClosestPoints(NamedTuple):
    """The closest points of pairs of shapes: where they touch, the distance is 0 and points are NaN."""

    distance: npt.NDArray[np.float32]
    #: (n, 2): the points on the first shapes; float64 if a set is.
    point_a: npt.NDArray[Any]
    #: (n, 2): the points on the second shapes.
    point_b: npt.NDArray[Any]
    #: (n, 2): from the first shape to the second, of length 1.
    normal: npt.NDArray[np.float32]
    #: The parts of compounds that are nearest; else 0.
    part_a: npt.NDArray[np.uint32]
    part_b: npt.NDArray[np.uint32]


def distance(
    a: Shapes | Positions,
    b: Shapes | Positions,
    pairs: npt.ArrayLike | None = None,
    *,
    threads: int | None = None,
) -> npt.NDArray[Any]:
    """The distance of the surfaces of shapes, row by row: 0 where they touch.

    Parameters
    ----------
    a, b : Shapes, or (n, 2) arrays of points
        Row i of one with row i of the other. A set of one row is taken with each row of the other.
    pairs : (n, 2) array of rows, optional
        These rows of `a` and of `b` instead, such as the pairs of :func:`pairs`.
    threads : int, optional
        By default one, for many rows all cores.

    Returns
    -------
    n values
        float64 if a set is of float64 and both have points, circles or boxes; else float32.

    Raises
    ------
    ShapeError
        A value that is NaN, infinite or outside of the limits, with row and field.

    Examples
    --------
    >>> import widephase as wp
    >>> wp.distance(wp.circles([[0.0, 0.0], [9.0, 0.0]], 1.0), [[4.0, 0.0], [9.0, 0.5]]).tolist()
    [3.0, 0.0]
    >>> discs = wp.circles([[0.0, 0.0], [3.0, 4.0]], 1.0)
    >>> wp.distance(discs, discs, [[0, 1]]).tolist()
    [3.0]
    """
    return _widephase.distances(*_two(a, b, pairs), threads)


def closest_points(
    a: Shapes | Positions,
    b: Shapes | Positions,
    pairs: npt.ArrayLike | None = None,
    *,
    threads: int | None = None,
) -> ClosestPoints:
    """The closest points of shapes, row by row: arguments as of :func:`distance`.

    Computed in float32, for float64 relative to a row in the middle.

    Examples
    --------
    >>> import widephase as wp
    >>> near = wp.closest_points(wp.circles([[0.0, 3.0]], 1.0), wp.boxes([[4.0, 0.0]], [[5.0, 9.0]]))
    >>> near.point_a.tolist(), near.point_b.tolist(), near.normal.tolist()
    ([[1.0, 3.0]], [[4.0, 3.0]], [[1.0, 0.0]])
    """
    distances, points, normal, parts = _widephase.closest(*_two(a, b, pairs), threads)
    return ClosestPoints(distances, *points, normal, *parts)


def overlap_area(
    a: Shapes | Positions,
    b: Shapes | Positions,
    pairs: npt.ArrayLike | None = None,
    *,
    threads: int | None = None,
) -> npt.NDArray[np.float32]:
    """The area that shapes have in common, row by row: arguments as of :func:`distance`.

    Of compounds, the sum over their parts: what parts of one compound share counts twice. Computed
    from float32, for float64 relative to a row in the middle.

    Examples
    --------
    >>> import widephase as wp
    >>> tiles = wp.boxes([[0.0, 0.0], [3.0, 1.0]], [[4.0, 4.0], [9.0, 3.0]])
    >>> wp.overlap_area(tiles, tiles, wp.pairs(tiles)).tolist()
    [2.0]
    """
    return _widephase.overlap_areas(*_two(a, b, pairs), threads)


def _two(
    a: Shapes | Positions, b: Shapes | Positions, pairs: npt.ArrayLike | None
) -> tuple[_widephase.Shapes, _widephase.Shapes, list[npt.NDArray[np.uint32]]]:
    """Both sets, and the rows of each."""
    first, second = native(as_shapes(a), "a"), native(as_shapes(b), "b")
    if pairs is not None:
        listed = pair_list(pairs)
        return first, second, [listed[:, 0], listed[:, 1]]
    lengths = len(first), len(second)
    if lengths[0] != lengths[1] and 1 not in lengths:
        raise ShapeError(f"b: {lengths[1]} rows, expected {lengths[0]}", field="b")
    count = lengths[0] if lengths[1] == 1 else lengths[1]
    rows = np.arange(count, dtype=np.uint32)
    both = [rows if n == count else np.zeros(count, np.uint32) for n in lengths]
    return first, second, both
