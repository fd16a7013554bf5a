"""``Index``: shapes that are sorted once and asked many times."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from . import _widephase
from ._arrays import (
    Column,
    Numbers,
    Positions,
    column,
    index_of,
    limit,
    mask as bits_of,
    number,
    numbers,
    two,
    unsigned,
)
from ._errors import ShapeError
from ._results import HitLists, Hits, Lists, Nearest, Scan
from ._shapes import Filter, Shapes, native, points

if TYPE_CHECKING:
    from ._detector import Level, Touching

__all__ = ["Fan", "Index"]


class Fan(NamedTuple):
    """Rays with equal angular steps, as a lidar casts them.

    Attributes
    ----------
    rays : int
        At most 2^24.
    max_range : float
        How far a ray goes.
    first_angle : float or None
        The angle of the first ray from the heading of the sensor, in radians, counter-clockwise
        where y points up. ``None``: straight ahead.
    step : float or None
        The angle from one ray to the next. ``None``: the rays go all around.

    Examples
    --------
    >>> import math, widephase as wp
    >>> wp.Fan(360, max_range=30.0)  # all around
    Fan(rays=360, max_range=30.0, first_angle=None, step=None)
    >>> wp.Fan.between(-math.pi / 2, math.pi / 2, rays=3, max_range=10.0).step == math.pi / 2
    True
    """

    rays: int
    max_range: float = math.inf
    first_angle: float | None = None
    step: float | None = None

    @classmethod
    def between(cls, first: float, last: float, rays: int, max_range: float = math.inf) -> Fan:
        """Rays from one angle to another, both included."""
        return cls(rays, max_range, first, (last - first) / max(rays - 1, 1))

    def angles(self) -> npt.NDArray[np.float64]:
        """The angle of each ray from the heading of the sensor, in radians: (rays,).

        Examples
        --------
        >>> import widephase as wp
        >>> (wp.Fan(4).angles() / 3.141592653589793).tolist()
        [0.0, 0.5, 1.0, 1.5]
        """
        first = 0.0 if self.first_angle is None else self.first_angle
        step = math.tau / self.rays if self.step is None else self.step
        return first + step * np.arange(self.rays, dtype=np.float64)


class Index:
    """Shapes that are sorted once and asked many times, by any number of threads.

    Parameters
    ----------
    shapes : Shapes, or an (n, 2) array of points
        They are copied: later changes of the arrays are not seen.
    level, threads, touching : optional
        As of :class:`Detector`.
    max_pairs : int
        The most rows or hits in the lists of a call, and the most values of a table of the nearest
        rows: more are a :class:`LimitError`. In float64 with ``without``, all touching rows count, in :meth:`count` and :meth:`any` as well.

    A query with many shapes or rays is one call for all of them. One position, an array of the
    shape (2,), is answered without the axis of rows. Among points, circles and boxes, overlap and
    nearest shapes are decided in float64 if the index or the queries are of float64; else all
    answers are computed in float32. An index of float32 that is asked in float64 sorts its shapes
    once more, for such queries.

    Examples
    --------
    >>> import widephase as wp
    >>> towns = wp.Index([[0.0, 0.0], [3.0, 0.0], [9.0, 9.0]])
    >>> row, distance = towns.nearest([[2.0, 0.0]])
    >>> row.tolist(), distance.tolist()
    ([1], [1.0])
    """

    __slots__ = ("_native", "_options")

    def __init__(
        self,
        shapes: Shapes | Positions,
        *,
        level: Level | None = None,
        threads: int | None = None,
        touching: Touching = "inclusive",
        max_pairs: int = 1 << 27,
    ) -> None:
        given, most = native(as_shapes(shapes)), limit(max_pairs, "max_pairs")
        self._options = (level, threads, touching, most)
        self._native = _widephase.Index(given, level, threads, touching, most)

    @classmethod
    def _of(cls, index: _widephase.Index) -> Index:
        made = cls.__new__(cls)
        made._native = index
        made._options = (None, None, "inclusive", 1 << 27)
        return made

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        return f"<widephase.Index: {len(self)} shapes>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its shapes, which are sorted again."""
        shapes = self._native.shapes()
        if shapes is None:
            raise TypeError("an index of a world cannot be pickled: pickle the world")
        return _rebuilt, (Shapes(shapes), self._options)

    @property
    def bytes(self) -> int:
        """The memory that the index takes."""
        return self._native.bytes()

    def overlapping(
        self,
        shapes: Shapes | Positions,
        *,
        filter: Filter | None = None,
        without: npt.ArrayLike | None = None,
    ) -> Lists:
        """The rows that touch each of some shapes, ascending.

        Parameters
        ----------
        shapes : Shapes, or an (n, 2) array of points, or one (2,) position
            Their filters and spaces decide which rows they meet. Shapes without filters have the
            default filter, ``Filter()``, as in every call.
        filter : Filter, optional
            One filter for all shapes, unless they have their own.
        without : n rows, optional
            The row that each shape does not meet, such as itself. :data:`NO_ROW` for no row.

        Returns
        -------
        Lists
            ``indptr, indices``.

        Raises
        ------
        ShapeError
            A value that is NaN, infinite or outside of the limits, with row and field.

        Examples
        --------
        >>> import widephase as wp
        >>> index = wp.Index(wp.circles([[0.0, 0.0], [1.0, 0.0], [9.0, 0.0]], 1.0))
        >>> index.overlapping([[0.5, 0.0], [5.0, 0.0]])[0].tolist()
        [0, 1]
        >>> index.overlapping([0.5, 0.0]).tolist()  # one position: its list
        [0, 1]
        """
        asked, one = _queries(shapes)
        lists = Lists(*self._native.overlapping(*_asked(asked, filter, without)))
        # Of one position, the rows: the type tells of arrays of positions, which are usual.
        return cast(Lists, lists[0]) if one else lists

    def count(
        self,
        shapes: Shapes | Positions,
        *,
        filter: Filter | None = None,
        without: npt.ArrayLike | None = None,
    ) -> npt.NDArray[np.uint64]:
        """The number of rows that touch each of some shapes: see :meth:`overlapping`.

        >>> import widephase as wp
        >>> wp.Index([[0.0, 0.0], [1.0, 0.0]]).count(wp.boxes([[-1, -1], [5, 5]], [[2, 2], [6, 6]]))
        array([2, 0], dtype=uint64)
        """
        asked, one = _queries(shapes)
        counts = self._native.count(*_asked(asked, filter, without))
        return counts[0] if one else counts

    def any(
        self,
        shapes: Shapes | Positions,
        *,
        filter: Filter | None = None,
        without: npt.ArrayLike | None = None,
    ) -> npt.NDArray[np.bool_]:
        """Whether each of some shapes touches a row: see :meth:`overlapping`.

        >>> import widephase as wp
        >>> wp.Index(wp.boxes([[0, 0]], [[2, 2]])).any([[1.0, 1.0], [3.0, 1.0]])
        array([ True, False])
        """
        asked, one = _queries(shapes)
        found = self._native.any(*_asked(asked, filter, without))
        return found[0] if one else found

    def nearest(
        self,
        shapes: Shapes | Positions,
        *,
        max_distance: float = math.inf,
        filter: Filter | None = None,
        without: npt.ArrayLike | None = None,
    ) -> Nearest:
        """The nearest row of each of some shapes, and the distance of the surfaces.

        Parameters
        ----------
        shapes : Shapes, or an (n, 2) array of points
        max_distance : float
            Rows that are further away are not found. A row exactly there is.
        filter, without : optional
            As of :meth:`overlapping`.

        Returns
        -------
        Nearest
            ``row, distance`` of n values each. Of equal distances, the smallest row.

        Examples
        --------
        >>> import widephase as wp
        >>> wp.Index(wp.circles([[0.0, 0.0]], 1.0)).nearest([[3.0, 0.0]]).distance
        array([2.])
        """
        rows, distances = self.k_nearest(
            shapes, 1, max_distance=max_distance, filter=filter, without=without
        )
        return Nearest(rows[..., 0][()], distances[..., 0][()])

    def k_nearest(
        self,
        shapes: Shapes | Positions,
        k: int,
        *,
        max_distance: float = math.inf,
        filter: Filter | None = None,
        without: npt.ArrayLike | None = None,
    ) -> Nearest:
        """The k nearest rows of each of some shapes, the nearest first.

        Parameters
        ----------
        shapes, max_distance, filter, without
            As of :meth:`nearest`.
        k : int

        Returns
        -------
        Nearest
            ``row, distance`` of the shape (n, k). :data:`NO_ROW` and infinity fill rows with fewer
            neighbours.

        Examples
        --------
        >>> import widephase as wp
        >>> wp.Index([[0, 0], [1, 0], [3, 0]]).k_nearest([[0, 0]], 2).row.tolist()
        [[0, 1]]
        """
        given, one = _queries(shapes)
        k, most = index_of(k, "k"), number(max_distance, "max_distance")
        asked, *rest = _asked(given, filter, without)
        row, distance = self._native.k_nearest(asked, k, most, *rest)
        return Nearest(row[0], distance[0]) if one else Nearest(row, distance)

    def k_nearest_of_rows(self, k: int, *, max_distance: float = math.inf) -> Nearest:
        """The k nearest other rows of each row of the index: (n, k), each in its space.

        >>> import widephase as wp
        >>> wp.Index([[0, 0], [1, 0], [3, 0]]).k_nearest_of_rows(1).row[:, 0].tolist()
        [1, 0, 1]
        """
        most = number(max_distance, "max_distance")
        return Nearest(*self._native.k_nearest_of_rows(index_of(k, "k"), most))

    def cast_rays(
        self,
        origins: Positions,
        directions: Positions,
        max_fraction: Numbers = math.inf,
        *,
        filter: Filter | None = None,
        spaces: npt.ArrayLike | None = None,
        without: npt.ArrayLike | None = None,
    ) -> Hits:
        """The first hit of each ray.

        Parameters
        ----------
        origins : (n, 2) array
        directions : (n, 2) array, or one (2,) direction for all
            Their length is the unit of the fractions: with length 1 they are distances, with the
            way to a target, 1 is the target. A direction of length 0 hits only shapes that it
            starts in.
        max_fraction : n values, or one for all
            How far the rays go.
        filter : Filter, optional
            Only shapes that meet it are hit.
        spaces : n whole numbers or one, optional
            The space of each ray, for shapes with spaces.
        without : n rows, optional
            The row that each ray passes, such as the sensor's own.

        Returns
        -------
        Hits
            Columns of n values. Computed in float32; positions of shapes of float64 are relative to
            a row in the middle while they are computed. A ray that starts in a shape hits it at
            fraction 0. Where nothing is hit, the fraction is infinite, and the position and the
            normal are NaN.

        Examples
        --------
        >>> import widephase as wp
        >>> index = wp.Index(wp.circles([[5.0, 0.0], [9.0, 0.0]], 1.0))
        >>> hits = index.cast_rays([[0.0, 0.0], [0.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]])
        >>> hits.hit.tolist(), hits.row[0], hits.fraction[0], hits.position[0].tolist()
        ([True, False], np.uint32(0), np.float32(4.0), [4.0, 0.0])
        """
        rays = _rays(origins, directions, max_fraction)
        return Hits(*self._native.cast_rays(rays, *_passing(rays[0], filter, spaces, without)))

    def cast_rays_all(
        self,
        origins: Positions,
        directions: Positions,
        max_fraction: Numbers = math.inf,
        *,
        filter: Filter | None = None,
        spaces: npt.ArrayLike | None = None,
        without: npt.ArrayLike | None = None,
    ) -> HitLists:
        """All hits of each ray, by fraction: see :meth:`cast_rays`.

        >>> import widephase as wp
        >>> index = wp.Index(wp.circles([[5.0, 0.0], [9.0, 0.0]], 1.0))
        >>> index.cast_rays_all([[0.0, 0.0]], [[1.0, 0.0]]).hits.row.tolist()
        [0, 1]
        """
        rays = _rays(origins, directions, max_fraction)
        rest = _passing(rays[0], filter, spaces, without)
        indptr, hits = self._native.cast_rays_all(rays, *rest)
        return HitLists(indptr, Hits(*hits))

    def hits_any(
        self,
        origins: Positions,
        directions: Positions,
        max_fraction: Numbers = 1.0,
        *,
        filter: Filter | None = None,
        spaces: npt.ArrayLike | None = None,
        without: npt.ArrayLike | None = None,
    ) -> npt.NDArray[np.bool_]:
        """Whether something is in the way: see :meth:`cast_rays`.

        By default a ray ends at ``origin + direction``, so ``target - origin`` asks whether the
        line of sight is blocked.

        >>> import widephase as wp
        >>> index = wp.Index(wp.boxes([[1.0, -1.0]], [[2.0, 1.0]]))
        >>> index.hits_any([[0.0, 0.0], [0.0, 0.0]], [[3.0, 0.0], [0.5, 0.0]])
        array([ True, False])
        """
        rays = _rays(origins, directions, max_fraction)
        return self._native.hits_any(rays, *_passing(rays[0], filter, spaces, without))

    def scan(
        self,
        fan: Fan,
        poses: Positions,
        *,
        filter: Filter | None = None,
        spaces: npt.ArrayLike | None = None,
        without: npt.ArrayLike | None = None,
    ) -> Scan:
        """The ranges of lidars: a fan of rays from each pose.

        Parameters
        ----------
        fan : Fan
        poses : (n, 3) array of x, y and heading in radians; or (n, 2), heading along x
        filter, spaces, without : optional
            As of :meth:`cast_rays`, for each pose.

        Returns
        -------
        Scan
            ``range, row`` of the shape (n, rays), infinity and :data:`NO_ROW` where nothing is hit.
            The same values as :meth:`cast_rays`, several times as fast from about a hundred rays
            a fan on.

        Examples
        --------
        >>> import widephase as wp
        >>> index = wp.Index(wp.circles([[5.0, 0.0], [0.0, -3.0]], 1.0))
        >>> index.scan(wp.Fan(4, max_range=10.0), [[0.0, 0.0, 0.0]]).range.tolist()
        [[4.0, inf, inf, 2.0]]
        """
        if not isinstance(fan, Fan):
            raise TypeError(f"fan: expected a Fan, as Fan(360, max_range=30.0), not {fan!r}")
        array = numbers(poses, "poses")
        if array.ndim != 2 or array.shape[1] not in (2, 3):
            raise ShapeError(
                f"poses: expected the shape (n, 3) or (n, 2), not {array.shape}", field="poses"
            )
        headed = array.shape[1] == 3
        angle = array[:, 2] if headed else np.broadcast_to(np.float32(0.0), (len(array),))
        if (fan.first_angle is None) != (fan.step is None):
            raise ShapeError("fan: first_angle and step go together", field="fan")
        most = number(fan.max_range, "max_range")
        angles = tuple(
            None if value is None else number(value, name)
            for value, name in ((fan.first_angle, "first_angle"), (fan.step, "step"))
        )
        given = (index_of(fan.rays, "rays", 24), angles[0], angles[1], most)
        rest = _passing(array, filter, spaces, without)
        return Scan(*self._native.scan(given, [array[:, 0], array[:, 1], angle], *rest))

    def cast_shapes(
        self,
        shapes: Shapes,
        translations: Positions,
        max_fraction: float = 1.0,
        *,
        gap: float = 0.0,
        start: Literal["inward", "any", "ignored"] = "inward",
        filter: Filter | None = None,
        without: npt.ArrayLike | None = None,
    ) -> Hits:
        """The first row that stops each of some shapes on its way.

        Parameters
        ----------
        shapes : Shapes
        translations : (n, 2) array
            The way of each shape, from where it is.
        max_fraction : float
            How much of the way is cast.
        gap : float
            The least distance to keep.
        start : {"inward", "any", "ignored"}
            Whether a row that a shape touches at the start stops it: if the motion leads further
            in, in any case, or not at all.
        filter, without : optional
            As of :meth:`overlapping`.

        Returns
        -------
        Hits
            Columns of n values. ``fraction`` is the share of the translation: infinite where
            nothing is hit, with a position and a normal of NaN.

        Examples
        --------
        >>> import widephase as wp
        >>> wall = wp.Index(wp.boxes([[5.0, -9.0]], [[6.0, 9.0]]))
        >>> wall.cast_shapes(wp.circles([[0.0, 0.0]], 1.0), [[8.0, 0.0]]).fraction
        array([0.5], dtype=float32)
        """
        asked = native(shapes)
        dx, dy = two(translations, "translations")
        options = (number(max_fraction, "max_fraction"), number(gap, "gap"), start)
        rest = (_fields(filter), _rows(without, "without", len(asked)))
        return Hits(*self._native.cast_shapes(asked, dx, dy, options, *rest))


def as_shapes(shapes: Shapes | Positions) -> Shapes:
    """The shapes; an (n, 2) array is points."""
    return shapes if isinstance(shapes, Shapes) else points(shapes)


def _queries(shapes: Shapes | Positions) -> tuple[Shapes, bool]:
    """What an index is asked for, and whether it is one position, whose answer has no axis of rows."""
    one = not isinstance(shapes, Shapes) and np.shape(shapes) == (2,)
    given: Any = [shapes] if one else shapes
    return as_shapes(given), one


def _rebuilt(shapes: Shapes, options: tuple[Any, ...]) -> Index:
    """An index that was pickled."""
    level, threads, touching, most = options
    return Index(shapes, level=level, threads=threads, touching=touching, max_pairs=most)


def _fields(filter: Filter | None) -> tuple[int, int, int, int, bool] | None:
    """The fields of one filter."""
    if filter is None:
        return None
    values: list[Any] = []
    for name, value in zip(filter._fields, filter):
        if np.ndim(value) != 0:
            raise ShapeError(f"filter: one value for {name} is expected", field="filter")
        values.append(value)
    category, mask, group, owner, sensor = values
    if not (-(2**31) <= int(group) < 2**31 and 0 <= int(owner) < 2**32):
        raise ShapeError("filter: a group or owner beyond 32 bits", field="filter")
    accepted = bits_of(int(mask), "mask")
    return (bits_of(int(category), "category"), accepted, int(group), int(owner), bool(sensor))


def _rows(
    values: npt.ArrayLike | None, field: str, length: int
) -> npt.NDArray[np.uint32] | None:
    return None if values is None else unsigned(values, field, length)


def _asked(
    shapes: Shapes, filter: Filter | None, without: npt.ArrayLike | None
) -> tuple[Any, Any, Any]:
    asked = native(shapes)
    return asked, _fields(filter), _rows(without, "without", len(asked))


def _passing(
    queries: npt.NDArray[Any],
    filter: Filter | None,
    spaces: npt.ArrayLike | None,
    without: npt.ArrayLike | None,
) -> tuple[Any, Any, Any]:
    n = len(queries)
    return _fields(filter), _rows(spaces, "spaces", n), _rows(without, "without", n)


def _rays(origins: Positions, directions: Positions, max_fraction: Numbers) -> list[Column]:
    x, y = two(origins, "origins")
    way = numbers(directions, "directions")
    if way.shape == (2,):
        way = np.broadcast_to(way, (len(x), 2))
    dx, dy = two(way, "directions")
    if len(dx) != len(x):
        raise ShapeError(f"directions: {len(dx)} rows, expected {len(x)}", field="directions")
    return [x, y, dx, dy, column(max_fraction, "max_fraction", len(x))]
