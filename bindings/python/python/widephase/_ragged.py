"""Shapes of many vertices or parts: outlines, chains, half-planes, compounds, rounded boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _widephase
from ._arrays import Numbers, Positions, counted, numbers, ragged, sized, two
from ._errors import ShapeError
from ._shapes import Filter, Shapes, concat, finished, made, native

__all__ = ["chains", "compounds", "half_planes", "outlines", "rounded_boxes"]


def rounded_boxes(
    min: Positions,
    max: Positions,
    radius: Numbers,
    *,
    filters: Filter | None = None,
    spaces: npt.ArrayLike | None = None,
) -> Shapes:
    """Axis-aligned boxes and all within a radius of them.

    Parameters
    ----------
    min, max : (n, 2) arrays
        The corners of the boxes within. Arrays of float32 and float64 are read in place.
    radius : n values, or one number for all
        At least 0. A number of Python takes the dtype of the corners.
    filters, spaces : optional
        As of :func:`points`.

    Raises
    ------
    ShapeError
        Wrong shapes, dtypes or lengths. Values are checked by the calls that read them.

    Examples
    --------
    >>> import widephase as wp
    >>> plates = wp.rounded_boxes([[0.0, 0.0], [4.0, 0.0]], [[2.0, 1.0], [5.0, 1.0]], 1.0)
    >>> plates, wp.pairs(plates).tolist()
    (<widephase.Shapes: 2 rounded_boxes, float64>, [[0, 1]])
    """
    corners = (*two(min, "min"), *two(max, "max"))
    if len(corners[2]) != len(corners[0]):
        message = f"max: {len(corners[2])} rows, expected {len(corners[0])}"
        raise ShapeError(message, field="max")
    columns = (*corners, sized(radius, "radius", corners))
    return made("rounded_boxes", columns, filters, spaces)


def outlines(
    vertices: Positions | Sequence[Any],
    counts: npt.ArrayLike | None = None,
    rings: npt.ArrayLike | None = None,
    polygons: npt.ArrayLike | None = None,
    *,
    filters: Filter | None = None,
    spaces: npt.ArrayLike | None = None,
) -> Shapes:
    """Polygons of any shape with holes, and multipolygons: each row is one area. They are copied.

    Parameters
    ----------
    vertices : a sequence of areas; or one (total, 2) array with `counts`
        An area is a ring, which is a (k, 2) array; or a polygon, which is a list of rings, its
        outline first and then its holes; or a list of polygons. Rings go in either direction, and
        may repeat their first vertex at the end.
    counts : whole numbers, optional
        How many vertices each ring has, where they are one array.
    rings : whole numbers, optional
        How many rings each polygon has; by default one.
    polygons : n whole numbers, optional
        How many polygons each row has; by default one.
    filters, spaces : optional
        As of :func:`points`.

    Rings may touch in points. Polygons of one area may share sides, which are then inside of it.
    An area is divided into convex parts once, which takes a few microseconds a vertex.

    Raises
    ------
    ShapeError
        Sides that cross, a hole that is not within its outline, an area of 0, with the row; wrong
        shapes, dtypes or lengths.

    Examples
    --------
    >>> import widephase as wp
    >>> square = [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]]
    >>> hole = [[1.0, 1.0], [8.0, 1.0], [8.0, 8.0], [1.0, 8.0]]
    >>> yards = wp.outlines([[square, hole], square])
    >>> wp.pairs(wp.points([[4.0, 4.0]]), against=yards).tolist()
    [[0, 1]]
    """
    if counts is None:
        if rings is not None or polygons is not None:
            raise TypeError("rings= and polygons= are for one array of vertices with counts=")
        all_rings, of_polygons, of_areas = _flat(vertices)
        x, y, lengths = ragged(all_rings, None)
    else:
        x, y, lengths = ragged(vertices, counts)
        ones = np.ones(len(lengths), np.int64)
        of_polygons = ones if rings is None else counted(rings, "rings", len(lengths), "rings")
        total = len(of_polygons)
        ones = np.ones(total, np.int64)
        of_areas = ones if polygons is None else counted(polygons, "polygons", total, "polygons")
    shapes = _widephase.Shapes.outlines(x, y, lengths, of_polygons, of_areas, None)
    return finished(Shapes(shapes), filters, spaces)


def _flat(areas: Any) -> tuple[list[Any], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The rings of all areas, how many each polygon has, and how many polygons each area has."""
    rings: list[Any] = []
    of_polygons: list[int] = []
    of_areas: list[int] = []
    for row, area in enumerate(areas):
        depth = _depth(area)
        if depth not in (2, 3, 4):
            message = "vertices: expected a ring (k, 2), a list of rings or a list of polygons"
            raise ShapeError(f"{message} in row {row}", row=row, field="vertices")
        polygons = area if depth == 4 else [area if depth == 3 else [area]]
        of_areas.append(len(polygons))
        for polygon in polygons:
            of_polygons.append(len(polygon))
            rings.extend(polygon)
    return rings, np.array(of_polygons, np.int64), np.array(of_areas, np.int64)


def _depth(values: Any) -> int:
    """How deep lists are in each other: of vertices (k, 2), 2."""
    if isinstance(values, np.ndarray) and values.dtype != object:
        return values.ndim
    if not hasattr(values, "__len__") or isinstance(values, (str, bytes)):
        return 0
    return 1 + max((_depth(value) for value in values[:1]), default=1)


def chains(
    vertices: Positions | Sequence[Positions],
    counts: npt.ArrayLike | None = None,
    *,
    closed: bool = False,
    sides: Literal["both", "left", "right"] = "both",
    filters: Filter | None = None,
    spaces: npt.ArrayLike | None = None,
) -> Shapes:
    """Polylines whose segments know their neighbours, so that no contact catches on a joint.

    Each segment is a row: a chain of k vertices has k - 1 rows, a closed chain k rows. Polylines
    that are one row each are :func:`compounds` of segments.

    Parameters
    ----------
    vertices : a sequence of (k, 2) arrays; or one (total, 2) array with `counts`
        The vertices of each chain.
    counts : n whole numbers, optional
        How many vertices each chain has, where they are one array.
    closed : bool
        Whether the last vertex of each chain is joined to its first.
    sides : {"both", "left", "right"}
        Which sides have contacts and stop motions, seen along the chain.
    filters, spaces : optional
        As of :func:`points`: a value for each segment.

    Raises
    ------
    ShapeError
        A vertex that repeats the one before it; wrong shapes, dtypes or lengths.

    Examples
    --------
    >>> import widephase as wp
    >>> ground = wp.chains([[[0.0, 0.0], [5.0, 0.0], [9.0, 2.0]]])
    >>> ground, wp.pairs(wp.circles([[7.0, 1.0]], 0.5), against=ground).tolist()
    (<widephase.Shapes: 2 chains, float64>, [[0, 1]])
    """
    x, y, lengths = ragged(vertices, counts)
    shapes = _widephase.Shapes.chains(x, y, lengths, bool(closed), sides)
    return finished(Shapes(shapes), filters, spaces)


def half_planes(
    positions: Positions,
    normals: Positions,
    *,
    filters: Filter | None = None,
    spaces: npt.ArrayLike | None = None,
) -> Shapes:
    """Everything on one side of a line: floors, walls and slopes without an end.

    Parameters
    ----------
    positions : (n, 2) array
        A point on the border of each.
    normals : (n, 2) array, or one (2,) normal for all
        The direction out of it, of any length: it is made 1 long in float64.
    filters, spaces : optional
        As of :func:`points`.

    A few half-planes are meant, as the borders of a world. Two half-planes never touch.

    Raises
    ------
    ShapeError
        A normal without a direction; wrong shapes, dtypes or lengths.

    Examples
    --------
    >>> import widephase as wp
    >>> floor = wp.half_planes([[0.0, 0.0]], [0.0, 1.0])
    >>> wp.contacts(wp.circles([[1e6, 0.75]], 1.0), against=floor)["depth"].tolist()
    [0.25]
    """
    x, y = two(positions, "positions")
    normal = numbers(normals, "normals")
    if normal.shape == (2,):
        normal = np.broadcast_to(normal, (len(x), 2))
    normal_x, normal_y = two(normal, "normals")
    if len(normal_x) != len(x):
        raise ShapeError(f"normals: {len(normal_x)} rows, expected {len(x)}", field="normals")
    shapes = _widephase.Shapes.half_planes(x, y, normal_x, normal_y)
    return finished(Shapes(shapes), filters, spaces)


def compounds(
    parts: Shapes | Sequence[Shapes],
    counts: npt.ArrayLike | None = None,
    *,
    filters: Filter | None = None,
    spaces: npt.ArrayLike | None = None,
) -> Shapes:
    """Bodies of several parts: each row is one body. They are copied.

    Parameters
    ----------
    parts : a sequence of sets, one for each body; or one set with `counts`
        Points, circles, boxes, rounded and rotated boxes, capsules, segments, convex polygons, and
        sets of several of these kinds. Parts may overlap.
    counts : n whole numbers, optional
        How many parts each body has, where they are one set.
    filters, spaces : optional
        As of :func:`points`: a value for each body. Parts have none.

    Raises
    ------
    ShapeError
        A body without a part, or a part of another kind; values outside of the limits.

    Examples
    --------
    >>> import widephase as wp
    >>> handle = wp.capsules([[0.0, 0.0]], [[0.0, 3.0]], 0.2)
    >>> head = wp.boxes([[-1.0, 3.0]], [[1.0, 4.0]])
    >>> hammers = wp.compounds([wp.concat([handle, head])])
    >>> hammers, wp.pairs(wp.points([[0.0, 1.0], [0.5, 1.0]]), against=hammers).tolist()
    (<widephase.Shapes: 1 compounds, float64>, [[0, 0]])
    """
    if counts is None:
        if isinstance(parts, Shapes):
            raise TypeError("parts: expected a list of Shapes, or one set with counts=")
        lengths = np.array([len(native(part, "parts")) for part in parts], np.int64)
        whole_set = concat(list(parts))
    else:
        whole_set = parts  # type: ignore[assignment]
        lengths = counted(counts, "counts", len(native(whole_set, "parts")), "parts")
    own = native(whole_set, "parts")
    if own.filters is not None or own.spaces is not None:
        raise ShapeError("parts: filters and spaces are of bodies, not of parts", field="parts")
    return finished(Shapes(_widephase.Shapes.compounds(own, lengths, None)), filters, spaces)
