"""Sets of shapes: columns of arrays, which are read at each call."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from . import _widephase
from ._arrays import (
    Column,
    Numbers,
    Positions,
    bits,
    column,
    numbers,
    ragged,
    sized,
    sized_for,
    spread,
    two,
    unsigned,
    whole,
)
from ._errors import ShapeError

__all__ = [
    "Filter",
    "Shapes",
    "boxes",
    "capsules",
    "circles",
    "concat",
    "obbs",
    "points",
    "polygons",
    "segments",
]


class Filter(NamedTuple):
    """Which other shapes a shape meets. Each field is one value for all rows, or a column.

    Two shapes meet by the first rule that applies: never if they have one ``owner``, not 0; if they
    are in one ``group``, not 0, always if it is positive and never if it is negative; else if each
    shape accepts the other: ``a.category & b.mask != 0`` and ``b.category & a.mask != 0``.

    Attributes
    ----------
    category, mask : int or array of uint64
        The categories of the shape, one bit each, and the categories that it accepts. ``~1`` is all
        categories but the first.
    group : int or array of int32
    owner : int or array of uint32
    sensor : bool or array of bool
        Pairs with a sensor are listed and have no contacts.

    Examples
    --------
    >>> import widephase as wp
    >>> teams = wp.Filter(owner=[1, 1, 2])
    >>> discs = wp.circles([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], 2.0, filters=teams)
    >>> wp.pairs(discs).tolist()
    [[0, 2], [1, 2]]
    """

    category: npt.ArrayLike = 1
    mask: npt.ArrayLike = 0xFFFF_FFFF_FFFF_FFFF
    group: npt.ArrayLike = 0
    owner: npt.ArrayLike = 0
    sensor: npt.ArrayLike = False


class Shapes:
    """A set of shapes, numbered by row. :func:`circles` and the functions beside it make them.

    Columns of float32 and float64 are not copied: they are read at each call, so that a call sees
    the values that were written to them before. No thread may write to them during a call. Other
    numbers (whole numbers, float16, lists) are copied once, exactly.

    Shapes of float32 are decided in float32. Points, circles and boxes with a column of float64 are
    decided in float64, as the values are given: pairs, counts, neighbours, overlap and nearest
    shapes are the results of brute force in float64. Other answers (contacts, rays, casts, other
    kinds) are computed in float32 relative to a row in the middle of the set: a position that is
    ``d`` away from it along an axis is rounded by at most ``d * 2**-24``.

    Limits: coordinates up to 2^60 in magnitude, radii from 0 to 2^60, no NaN, ``min <= max``.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _widephase.Shapes) -> None:
        self._native = native

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        dtype = "float64" if self._native.is_double else "float32"
        return f"<widephase.Shapes: {len(self)} {self.kind}, {dtype}>"

    def __getitem__(self, rows: slice | npt.ArrayLike) -> Shapes:
        """Some of the shapes: by a slice, a mask of bool, or a list of rows.

        A slice reads the same arrays; what a mask or a list chooses is copied.

        >>> import numpy as np, widephase as wp
        >>> discs = wp.circles(np.zeros((5, 2), np.float32), [1.0, 2.0, 3.0, 4.0, 5.0])
        >>> discs[1:3], discs[[4, 0]].columns["radius"].tolist()
        (<widephase.Shapes: 2 circles, float64>, [5.0, 1.0])
        """
        if not isinstance(rows, slice):
            rows = np.asarray(rows)
            if rows.ndim != 1 or (rows.size > 0 and rows.dtype.kind not in "biu"):
                message = "rows: expected a slice, a mask of bool, or a list of rows"
                raise TypeError(f"{message}, not {_kind(rows)}")
            if rows.dtype == np.bool_:
                if len(rows) != len(self):
                    raise IndexError(f"a mask of {len(rows)} for {len(self)} shapes")
                rows = np.flatnonzero(rows)
            rows = rows.astype(np.intp, copy=False)
        chosen = _taken(np.arange(len(self), dtype=np.uint32), rows)
        columns = [_taken(column, rows) for column in self.columns.values()]
        return Shapes(self._native.taken(columns, chosen))

    # Rows are chosen, not gone through: a loop over single shapes has columns.
    __iter__ = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled with a copy of the arrays."""
        made, stored = self._native, self._native.stored()
        if stored is None:
            state: tuple[Any, ...] = (self.kind, list(self.columns.values()), None, False)
        else:
            state = (self.kind, [], stored, made.is_exact)
        return _rebuilt, (*state, made.filters, made.spaces)

    @property
    def kind(self) -> str:
        """The name of the function that makes such shapes; ``"mixed"`` for several kinds."""
        return self._native.kind

    @property
    def dtype(self) -> np.dtype[Any]:
        """float64 if a column is; it decides in which precision calls answer."""
        return np.dtype(np.float64 if self._native.is_double else np.float32)

    @property
    def columns(self) -> dict[str, Column]:
        """The arrays that calls read, by name. Polygons and mixed sets have no columns.

        >>> import numpy as np, widephase as wp
        >>> positions = np.zeros((3, 2), np.float32)
        >>> shapes = wp.circles(positions, 1.0)
        >>> np.shares_memory(shapes.columns["x"], positions)
        True
        """
        return dict(self._native.columns)

    def with_filters(self, filters: Filter | None = None, /, **fields: npt.ArrayLike) -> Shapes:
        """The same shapes with a :class:`Filter` for each row.

        >>> import widephase as wp
        >>> discs = wp.circles([[0.0, 0.0], [1.0, 0.0]], 1.0)
        >>> wp.count(discs), wp.count(discs.with_filters(group=-1))
        (1, 0)
        """
        chosen = Filter(**fields) if filters is None else filters._replace(**fields)
        n = len(self)
        group = whole(chosen.group, "group")
        owner = unsigned(np.atleast_1d(np.asarray(chosen.owner)), "owner")
        sensor = np.asarray(chosen.sensor)
        if sensor.dtype != np.bool_:
            raise ShapeError(f"sensor: expected bool, not {sensor.dtype}", field="sensor")
        if group.size > 0 and (int(group.min()) < -(2**31) or int(group.max()) >= 2**31):
            raise ShapeError("group: beyond 32 bits", field="group")
        if np.ndim(chosen.owner) == 0:
            owner = owner.reshape(())
        return Shapes(
            self._native.with_filters(
                bits(chosen.category, "category", n),
                bits(chosen.mask, "mask", n),
                spread(group.astype(np.int32), "group", n),
                spread(owner, "owner", n),
                spread(sensor, "sensor", n),
            )
        )

    def with_spaces(self, spaces: npt.ArrayLike) -> Shapes:
        """The same shapes with the number of a space for each row: from 0 to 2^32 - 1.

        Rows of different spaces never meet, wherever they lie.

        >>> import widephase as wp
        >>> discs = wp.circles([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]], 1.0)
        >>> wp.pairs(discs.with_spaces([0, 0, 7])).tolist()
        [[0, 1]]
        """
        return Shapes(self._native.with_spaces(unsigned(spaces, "space", len(self))))


def _shown_fields(function: Any) -> None:
    """Gives a function of a :class:`Filter` or of its fields the signature with all fields."""
    kinds, own = inspect.Parameter, inspect.signature(function)
    given = [name for name in own.parameters.values() if name.kind != kinds.VAR_KEYWORD]
    defaults = Filter._field_defaults
    fields = [kinds(name, kinds.KEYWORD_ONLY, default=defaults[name]) for name in defaults]
    function.__signature__ = own.replace(parameters=[*given, *fields])


_shown_fields(Shapes.with_filters)


def _rebuilt(
    kind: str,
    columns: list[Column],
    stored: bytes | None,
    exact: bool,
    filters: tuple[Any, ...] | None,
    spaces: npt.NDArray[np.uint32] | None,
) -> Shapes:
    """Shapes that were pickled."""
    if stored is None:
        made = _widephase.Shapes(kind, columns)
    else:
        made = _widephase.Shapes.restored(kind, exact, stored)
    if filters is not None:
        made = made.with_filters(*filters)
    return Shapes(made if spaces is None else made.with_spaces(spaces))


def _taken(column: npt.NDArray[Any], rows: slice | npt.NDArray[np.intp]) -> npt.NDArray[Any]:
    """Some values. Without memory, ``column[rows]`` of numpy ends the process, ``take`` does not."""
    return column[rows] if isinstance(rows, slice) else column.take(rows)


def _kind(rows: npt.NDArray[Any]) -> str:
    return f"{rows.dtype} of the shape {rows.shape}"


def made(
    kind: str,
    columns: Sequence[Column],
    filters: Filter | None,
    spaces: npt.ArrayLike | None,
) -> Shapes:
    return finished(Shapes(_widephase.Shapes(kind, list(columns))), filters, spaces)


def finished(shapes: Shapes, filters: Filter | None, spaces: npt.ArrayLike | None) -> Shapes:
    if filters is not None:
        shapes = shapes.with_filters(filters)
    return shapes if spaces is None else shapes.with_spaces(spaces)


def _shown(function: Any, *names: str) -> None:
    """Gives a function that takes its arguments in several forms the signature of the first one."""
    kinds = inspect.Parameter
    given = [kinds(name, kinds.POSITIONAL_OR_KEYWORD) for name in names]
    rest = [kinds(name, kinds.KEYWORD_ONLY, default=None) for name in ("filters", "spaces")]
    function.__signature__ = inspect.Signature([*given, *rest], return_annotation=Shapes)


def _arguments(
    function: str,
    given: tuple[Any, ...],
    named: dict[str, Any],
    *forms: tuple[str, ...],
    hint: str = "",
) -> dict[str, Any]:
    """The arguments by name, of the form, among several forms, that has all of them."""
    for form in forms:
        if len(given) + len(named) == len(form) and set(form[len(given) :]) == named.keys():
            return dict(zip(form, given)) | named
    choices = " or ".join(f"{function}({', '.join(form)})" for form in forms)
    unknown = [name for name in named if not any(name in form for form in forms)]
    if unknown:
        hint = f": {function} has no argument {', '.join(unknown)}"
    raise TypeError(f"expected {choices}{hint}")


def _place(arguments: dict[str, Any]) -> tuple[Column, Column]:
    """The columns of positions, given as one array or as two columns."""
    if "positions" in arguments:
        return two(arguments["positions"], "positions", ("x", "y"))
    x = column(arguments["x"], "x")
    return x, column(arguments["y"], "y", len(x))


@overload
def points(
    positions: Positions, /, *, filters: Filter | None = ..., spaces: npt.ArrayLike | None = ...
) -> Shapes: ...
@overload
def points(
    x: Numbers,
    y: Numbers,
    /,
    *,
    filters: Filter | None = ...,
    spaces: npt.ArrayLike | None = ...,
) -> Shapes: ...
@overload
def points(
    *, positions: Positions, filters: Filter | None = ..., spaces: npt.ArrayLike | None = ...
) -> Shapes: ...
@overload
def points(
    *,
    x: Numbers,
    y: Numbers,
    filters: Filter | None = ...,
    spaces: npt.ArrayLike | None = ...,
) -> Shapes: ...
def points(
    *args: Any,
    filters: Filter | None = None,
    spaces: npt.ArrayLike | None = None,
    **named: Any,
) -> Shapes:
    """Points: ``points(positions)`` with an (n, 2) array, or ``points(x, y)`` with two columns.

    Parameters
    ----------
    positions : (n, 2) array, or x and y: two columns of n values
        In any unit of length. Arrays of float32 and float64 are read in place.
    filters : Filter, optional
        Which rows meet: see :class:`Filter`.
    spaces : n whole numbers, optional
        Rows of different spaces never meet.

    Raises
    ------
    ShapeError
        Wrong shapes, dtypes or lengths. Values are checked by the calls that read them.

    Examples
    --------
    >>> import widephase as wp
    >>> wp.points([[0.0, 1.0], [2.0, 3.0]])
    <widephase.Shapes: 2 points, float64>
    """
    arguments = _arguments("points", args, named, ("positions",), ("x", "y"))
    return made("points", _place(arguments), filters, spaces)


@overload
def circles(
    positions: Positions,
    /,
    radius: Numbers,
    *,
    filters: Filter | None = ...,
    spaces: npt.ArrayLike | None = ...,
) -> Shapes: ...
@overload
def circles(
    x: Numbers,
    y: Numbers,
    /,
    radius: Numbers,
    *,
    filters: Filter | None = ...,
    spaces: npt.ArrayLike | None = ...,
) -> Shapes: ...
@overload
def circles(
    *,
    positions: Positions,
    radius: Numbers,
    filters: Filter | None = ...,
    spaces: npt.ArrayLike | None = ...,
) -> Shapes: ...
@overload
def circles(
    *,
    x: Numbers,
    y: Numbers,
    radius: Numbers,
    filters: Filter | None = ...,
    spaces: npt.ArrayLike | None = ...,
) -> Shapes: ...
def circles(
    *args: Any,
    filters: Filter | None = None,
    spaces: npt.ArrayLike | None = None,
    **named: Any,
) -> Shapes:
    """Circles: ``circles(positions, radius)`` or ``circles(x, y, radius)``.

    Parameters
    ----------
    positions : (n, 2) array, or x and y: two columns of n values
        The centres. Arrays of float32 and float64 are read in place.
    radius : n values, or one number for all
        At least 0. A number of Python takes the dtype of the positions.
    filters, spaces : optional
        As of :func:`points`.

    Raises
    ------
    ShapeError
        Wrong shapes, dtypes or lengths. Values are checked by the calls that read them.

    Examples
    --------
    >>> import widephase as wp
    >>> wp.pairs(wp.circles([0.0, 1.5, 9.0], [0.0, 0.0, 0.0], 1.0)).tolist()
    [[0, 1]]
    """
    arguments = _arguments(
        "circles", args, named, ("positions", "radius"), ("x", "y", "radius")
    )
    place = _place(arguments)
    return made(
        "circles", (*place, sized(arguments["radius"], "radius", place)), filters, spaces
    )


@overload
def boxes(
    min: Positions,
    max: Positions,
    /,
    *,
    filters: Filter | None = ...,
    spaces: npt.ArrayLike | None = ...,
) -> Shapes: ...
@overload
def boxes(
    min_x: Numbers,
    min_y: Numbers,
    max_x: Numbers,
    max_y: Numbers,
    /,
    *,
    filters: Filter | None = ...,
    spaces: npt.ArrayLike | None = ...,
) -> Shapes: ...
@overload
def boxes(
    *,
    min: Positions,
    max: Positions,
    filters: Filter | None = ...,
    spaces: npt.ArrayLike | None = ...,
) -> Shapes: ...
@overload
def boxes(
    *,
    min_x: Numbers,
    min_y: Numbers,
    max_x: Numbers,
    max_y: Numbers,
    filters: Filter | None = ...,
    spaces: npt.ArrayLike | None = ...,
) -> Shapes: ...
def boxes(
    *args: Any,
    filters: Filter | None = None,
    spaces: npt.ArrayLike | None = None,
    **named: Any,
) -> Shapes:
    """Axis-aligned boxes: ``boxes(min, max)`` or ``boxes(min_x, min_y, max_x, max_y)``.

    Parameters
    ----------
    min, max : (n, 2) arrays, or four columns of n values
        The lower left and the upper right corners. Arrays of float32 and float64 are read in place;
        ``shapely.bounds(geometries).T`` are the four columns.
    filters, spaces : optional
        As of :func:`points`.

    Raises
    ------
    ShapeError
        Wrong shapes, dtypes or lengths. Values are checked by the calls that read them.

    Examples
    --------
    >>> import widephase as wp
    >>> # Two houses in UTM metres, 0.1 apart. In float32 they would touch.
    >>> houses = wp.boxes([[4500000.0, 0], [4500000.4, 0]], [[4500000.3, 1], [4500000.7, 1]])
    >>> wp.count(houses)
    0
    """
    sides = ("min_x", "min_y", "max_x", "max_y")
    hint = ""
    if len(args) == 1 and not named:
        hint = ": of an array a of the shape (n, 4), min is a[:, :2] and max is a[:, 2:]"
    arguments = _arguments("boxes", args, named, ("min", "max"), sides, hint=hint)
    if "min" in arguments:
        low = two(arguments["min"], "min", ("min_x", "min_y"))
        high = two(arguments["max"], "max", ("max_x", "max_y"))
        if len(low[0]) != len(high[0]):
            message = f"max: {len(high[0])} rows, expected {len(low[0])}"
            raise ShapeError(message, field="max")
        return made("boxes", (*low, *high), filters, spaces)
    first = column(arguments["min_x"], "min_x")
    others = [column(arguments[side], side, len(first)) for side in sides[1:]]
    return made("boxes", (first, *others), filters, spaces)


_shown(points, "positions")
_shown(circles, "positions", "radius")
_shown(boxes, "min", "max")


def obbs(
    positions: Positions,
    half_extents: Positions,
    angle: Numbers,
    *,
    filters: Filter | None = None,
    spaces: npt.ArrayLike | None = None,
) -> Shapes:
    """Rotated boxes.

    Parameters
    ----------
    positions : (n, 2) array
        The centres.
    half_extents : (n, 2) array, or one (2,) pair for all
        Half of the width and of the height before the rotation.
    angle : n values, or one for all
        Radians, counter-clockwise where y points up. Sines and cosines are taken once: later
        changes of the array are not seen.
    filters, spaces : optional
        As of :func:`points`.

    Raises
    ------
    ShapeError
        Wrong shapes, dtypes or lengths; an angle that is not finite.

    Examples
    --------
    >>> import numpy as np, widephase as wp
    >>> beams = wp.obbs([[0.0, 0.0], [3.0, 0.0]], (2.0, 0.25), [0.0, np.pi / 2])
    >>> wp.contacts(beams, margin=1.0)["depth"].round(2).tolist()
    [-0.75]
    """
    x, y = two(positions, "positions")
    extents = numbers(half_extents, "half_extents")
    if extents.shape == (2,):
        extents = np.broadcast_to(extents, (len(x), 2))
    if extents.ndim != 2 or extents.shape[1] != 2:
        message = f"half_extents: expected (n, 2), or (2,) for all rows, not {extents.shape}"
        raise ShapeError(message, field="half_extents")
    width, height = extents[:, 0], extents[:, 1]
    angles = column(angle, "angle", len(x)).astype(np.float64)
    if not np.isfinite(angles).all():
        row = int(np.flatnonzero(~np.isfinite(angles))[0])
        value = float(angles[row])
        raise ShapeError(f"angle: {value}", row=row, field="angle", value=value)
    like = np.result_type(x, y)
    if len(width) != len(x):
        raise ShapeError(f"half_extents: {len(width)} rows, expected {len(x)}", field="half_extents")
    if like == np.float32 and type(half_extents) is not np.ndarray:
        width, height = width.astype(like), height.astype(like)
    cos, sin = np.cos(angles).astype(like), np.sin(angles).astype(like)
    return made("obbs", (x, y, width, height, cos, sin), filters, spaces)


def capsules(
    a: Positions,
    b: Positions,
    radius: Numbers,
    *,
    filters: Filter | None = None,
    spaces: npt.ArrayLike | None = None,
) -> Shapes:
    """Capsules: all points within a radius of a segment.

    Parameters
    ----------
    a, b : (n, 2) arrays
        The ends of the segments.
    radius : n values, or one for all
        At least 0.
    filters, spaces : optional
        As of :func:`points`.

    Raises
    ------
    ShapeError
        Wrong shapes, dtypes or lengths.

    Examples
    --------
    >>> import widephase as wp
    >>> pills = wp.capsules([[0, 0], [0, 1]], [[4, 0], [4, 1]], 0.5)
    >>> wp.pairs(pills).tolist()
    [[0, 1]]
    """
    ends = (*two(a, "a"), *two(b, "b"))
    if len(ends[2]) != len(ends[0]):
        raise ShapeError(f"b: {len(ends[2])} rows, expected {len(ends[0])}", field="b")
    return made("capsules", (*ends, sized(radius, "radius", ends)), filters, spaces)


def segments(
    a: Positions,
    b: Positions,
    *,
    filters: Filter | None = None,
    spaces: npt.ArrayLike | None = None,
) -> Shapes:
    """Line segments: walls, edges of a graph, parts of a polyline.

    Parameters
    ----------
    a, b : (n, 2) arrays
        The ends. A polyline is ``segments(line[:-1], line[1:])``.
    filters, spaces : optional
        As of :func:`points`.

    Raises
    ------
    ShapeError
        Wrong shapes, dtypes or lengths.

    Examples
    --------
    >>> import widephase as wp
    >>> wp.count(wp.segments([[0, 0], [0, 1]], [[1, 1], [1, 0]]))
    1
    """
    ends = (*two(a, "a"), *two(b, "b"))
    if len(ends[2]) != len(ends[0]):
        raise ShapeError(f"b: {len(ends[2])} rows, expected {len(ends[0])}", field="b")
    return made("segments", ends, filters, spaces)


def polygons(
    vertices: Positions | Sequence[Positions],
    counts: npt.ArrayLike | None = None,
    radius: Numbers | None = None,
    *,
    filters: Filter | None = None,
    spaces: npt.ArrayLike | None = None,
) -> Shapes:
    """Convex polygons. They are copied. :func:`outlines` are polygons of any shape.

    Parameters
    ----------
    vertices : a sequence of (k, 2) arrays; or one (total, 2) array with `counts`
        The vertices of each polygon, in either direction. Vertices that no side bends at are left
        out.
    counts : n whole numbers, optional
        How many vertices each polygon has, where they are one array.
    radius : n values, or one for all, optional
        The polygon is all within this radius of its vertices and sides.
    filters, spaces : optional
        As of :func:`points`.

    Raises
    ------
    ShapeError
        A polygon that is not convex or has no area; wrong shapes, dtypes or lengths.

    Examples
    --------
    >>> import widephase as wp
    >>> triangle = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]
    >>> square = [[0.9, 0.9], [3.0, 0.9], [3.0, 3.0], [0.9, 3.0]]
    >>> wp.pairs(wp.polygons([triangle, square])).tolist()
    [[0, 1]]
    """
    x, y, lengths = ragged(vertices, counts)
    around = None if radius is None else sized_for(radius, "radius", x, len(lengths))
    return finished(Shapes(_widephase.Shapes.polygons(x, y, lengths, around)), filters, spaces)


def concat(sets: Sequence[Shapes]) -> Shapes:
    """The shapes of several sets in one, one set after the other. They are copied.

    Rows of the second set follow the rows of the first. Filters and spaces go with them.

    Parameters
    ----------
    sets : sequence of Shapes
        Of any kinds. If a set is of float64 and all sets are points, circles or boxes, the result
        is decided in float64.

    Raises
    ------
    ShapeError
        A value that is outside of the limits.

    Examples
    --------
    >>> import widephase as wp
    >>> level = wp.concat([wp.circles([[0.0, 0.0]], 1.0), wp.boxes([[0.5, 0.0]], [[2.0, 1.0]])])
    >>> level, wp.pairs(level).tolist()
    (<widephase.Shapes: 2 mixed, float64>, [[0, 1]])
    """
    if isinstance(sets, Shapes):
        raise TypeError("sets: expected a list of Shapes, not one of them")
    for shapes in sets:
        if not isinstance(shapes, Shapes):
            raise TypeError(f"sets: expected Shapes, not {type(shapes).__name__}")
    return Shapes(_widephase.Shapes.concat([shapes._native for shapes in sets]))


def native(shapes: Shapes, argument: str = "shapes") -> _widephase.Shapes:
    """The shapes as the extension knows them."""
    if not isinstance(shapes, Shapes):
        message = f"{argument}: expected widephase.Shapes, such as widephase.points(array)"
        raise TypeError(f"{message}, not {type(shapes).__name__}")
    return shapes._native
