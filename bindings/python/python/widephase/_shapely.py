"""Geometries of shapely as shapes."""

from __future__ import annotations

from importlib import import_module
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _widephase
from ._errors import ShapeError
from ._shapes import Filter, Shapes, concat, finished, native, points, segments

__all__ = ["from_shapely"]

_Origin: TypeAlias = tuple[float, float]
#: The types of shapely: points, polylines and areas, each alone or as a multi-geometry.
_POINTS, _LINES, _AREAS = (0, 4), (1, 2, 5), (3, 6)


def from_shapely(
    geometries: Any,
    *,
    filters: Filter | None = None,
    spaces: npt.ArrayLike | None = None,
) -> Shapes:
    """The geometries of shapely or geopandas as shapes: one row for each, in their order.

    Parameters
    ----------
    geometries : sequence or array of geometries, or a column of geopandas
        Points, linestrings, rings, polygons with holes, and multi-geometries of these. Heights are
        left out.
    filters, spaces : optional
        As of :func:`points`.

    Returns
    -------
    Shapes
        Points, if all are points: these are decided in float64. Else areas (:func:`outlines`) and
        :func:`compounds` of points and segments, in float32 relative to a vertex in the middle.

    Raises
    ------
    ShapeError
        A missing or empty geometry, a collection, or an area that is not valid, with the row.

    Examples
    --------
    >>> import shapely, widephase as wp
    >>> lake = shapely.box(0, 0, 9, 9) - shapely.box(3, 3, 6, 6)
    >>> shapes = wp.from_shapely([lake, shapely.Point(4, 4), shapely.LineString([(4, 4), (8, 8)])])
    >>> shapes, wp.pairs(shapes).tolist()
    (<widephase.Shapes: 3 mixed, float64>, [[0, 2], [1, 2]])
    """
    shapely: Any = import_module("shapely")
    array = np.asarray(geometries, dtype=object)
    if array.ndim != 1:
        message = f"geometries: expected one axis, not the shape {array.shape}"
        raise ShapeError(message, field="geometries")
    types: npt.NDArray[Any] = shapely.get_type_id(array)
    _check(shapely, array, types)
    # One origin for all: shapes of another one would be moved, and rounded once more.
    origin = native(points(shapely.get_coordinates(array))).origin
    chosen: list[npt.NDArray[np.intp]] = []
    sets: list[Shapes] = []
    for family, make in ((_POINTS, _points), (_LINES, _lines), (_AREAS, _areas)):
        rows = np.flatnonzero(np.isin(types, family))
        if len(rows) > 0:
            chosen.append(rows)
            sets.append(_of_rows(shapely, array, rows, make, origin))
    if not sets:
        return finished(points(np.empty((0, 2))), filters, spaces)
    if len(sets) == 1:
        return finished(sets[0], filters, spaces)
    order = np.argsort(np.concatenate(chosen), kind="stable")
    return finished(concat(sets)[order], filters, spaces)


def _check(shapely: Any, array: npt.NDArray[Any], types: npt.NDArray[Any]) -> None:
    """Refuses rows that are no shapes."""
    known = np.isin(types, (*_POINTS, *_LINES, *_AREAS))
    refused = np.flatnonzero(~known | shapely.is_empty(array))
    if len(refused) > 0:
        row = int(refused[0])
        given = array[row]
        kind = "nothing" if given is None else f"{'an empty ' * bool(known[row])}{given.geom_type}"
        raise ShapeError(f"geometries: row {row} is {kind}", row=row, field="geometries")


def _of_rows(
    shapely: Any, array: npt.NDArray[Any], rows: npt.NDArray[np.intp], make: Any, origin: _Origin
) -> Shapes:
    """The shapes of some rows; an error names the row among all geometries."""
    try:
        made: Shapes = make(shapely, array[rows], origin)
    except ShapeError as error:
        if error.row is None:
            raise
        row = int(rows[error.row])
        reason = str(error).removeprefix(f"row {error.row}").lstrip(":, ")
        if error.field == "vertices" and shapely.is_valid(array[row]):
            near = tuple(round(side, 3) for side in origin)
            reason += (
                f". It is valid in float64: float32, relative to {near}, has no room for what is "
                "between these sides. Leave the hole or the slot out (shapely.set_precision does), "
                "or make sets of geometries that are near each other"
            )
        message = f"geometries: row {row}: {reason}"
        raise ShapeError(message, row=row, field=error.field, value=error.value) from None
    return made


def _points(shapely: Any, array: npt.NDArray[Any], origin: _Origin) -> Shapes:
    _, at, offsets = shapely.to_ragged_array(array, include_z=False)
    return _bodies(points(at), np.diff(offsets[0]), origin) if offsets else points(at)


def _lines(shapely: Any, array: npt.NDArray[Any], origin: _Origin) -> Shapes:
    rings = np.flatnonzero(shapely.get_type_id(array) == 2)
    if len(rings) > 0:
        array = array.copy()
        at, of = shapely.get_coordinates(array[rings], return_index=True)
        array[rings] = shapely.linestrings(at, indices=of)
    _, at, offsets = shapely.to_ragged_array(array, include_z=False)
    ends = offsets[0]
    # From each vertex but the last one of a line to the next.
    joined = np.ones(len(at), dtype=np.bool_)
    joined[ends[ends > 0] - 1] = False
    begins = np.flatnonzero(joined)
    # A line of a multi-geometry may be empty.
    counts = np.maximum(np.diff(ends) - 1, 0)
    if len(offsets) == 2:
        counts = np.add.reduceat(counts, offsets[1][:-1])
    return _bodies(segments(at[begins], at[begins + 1]), counts, origin)


def _areas(shapely: Any, array: npt.NDArray[Any], origin: _Origin) -> Shapes:
    _, at, offsets = shapely.to_ragged_array(array, include_z=False)
    counts, rings, *more = (np.diff(ends).astype(np.int64) for ends in offsets)
    polygons = more[0] if more else np.ones(len(array), np.int64)
    made = _widephase.Shapes.outlines(at[:, 0], at[:, 1], counts, rings, polygons, origin)
    return Shapes(made)


def _bodies(parts: Shapes, counts: npt.NDArray[Any], origin: _Origin) -> Shapes:
    return Shapes(_widephase.Shapes.compounds(native(parts), counts.astype(np.int64), origin))
