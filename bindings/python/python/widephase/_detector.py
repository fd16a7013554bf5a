"""``Detector``, and the same calls as functions."""

from __future__ import annotations

import inspect
import math
import threading
from collections.abc import Sequence
from typing import Any, Literal, NoReturn, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from . import _widephase
from ._arrays import Positions, index_of, limits, number, numbers, size, two
from ._errors import ShapeError
from ._index import Index, as_shapes
from ._results import (
    CONTACT,
    CONTACT64,
    IMPACT,
    IMPACT64,
    Distances,
    Lists,
    PeriodicNeighbors,
    PeriodicPairs,
    absolute,
    records,
)
from ._shapes import Shapes, native

__all__ = [
    "Detector",
    "Level",
    "Touching",
    "contacts",
    "count",
    "k_nearest_periodic",
    "neighbors",
    "pairs",
    "pairs_periodic",
    "swept_pairs",
]

#: The SIMD levels: :func:`widephase.levels` lists the levels of this CPU.
Level: TypeAlias = Literal["scalar", "portable", "avx2", "avx512"]
#: Whether shapes that only touch are pairs.
Touching: TypeAlias = Literal["inclusive", "exclusive"]
#: Corners of a box that repeats: ``(min, max)``, or ``(width, height)`` with the corner (0, 0).
Periodic: TypeAlias = Sequence[Any]

_MAX_PAIRS = 1 << 27
_MAX_CONTACTS = 1 << 24


class Detector:
    """Finds the shapes that touch, and keeps its memory for the next call.

    Parameters
    ----------
    level : {"scalar", "portable", "avx2", "avx512"}, optional
        The SIMD instructions; by default the best of this CPU. Results do not depend on it.
    threads : int, optional
        1 to 1024. By default 1 for less than 65,536 shapes and else all cores. Results do not
        depend on it.
    touching : {"inclusive", "exclusive"}
        Whether shapes that only touch are pairs.
    max_pairs, max_contacts : int
        The longest lists that calls make: a longer list is a :class:`LimitError`.

    A detector may be used by several threads, one at a time: the other threads wait.

    Examples
    --------
    >>> import numpy as np, widephase as wp
    >>> positions = np.array([[0, 0], [1.5, 0], [9, 0]], dtype=np.float32)
    >>> detector = wp.Detector(threads=1)
    >>> discs = wp.circles(positions, radius=1.0)
    >>> detector.pairs(discs).tolist()
    [[0, 1]]
    >>> positions[2] = [2.5, 0]  # discs read the array at each call
    >>> detector.pairs(discs).tolist()
    [[0, 1], [1, 2]]
    """

    __slots__ = ("_native", "_options")

    def __init__(
        self,
        *,
        level: Level | None = None,
        threads: int | None = None,
        touching: Touching = "inclusive",
        max_pairs: int = _MAX_PAIRS,
        max_contacts: int = _MAX_CONTACTS,
    ) -> None:
        self._options = (level, threads, touching)
        most = limits(max_pairs, max_contacts)
        self._native = _widephase.Detector(level, threads, touching, *most)

    def pairs(
        self,
        shapes: Shapes,
        *others: NoReturn,
        against: Index | Shapes | None = None,
        sorted: bool = True,
    ) -> npt.NDArray[np.uint32]:
        """All pairs of shapes that touch, as an (n, 2) array of rows.

        Parameters
        ----------
        shapes : Shapes
        against : Index or Shapes, optional
            Pairs of the shapes with these shapes, instead of with each other.
        sorted : bool
            By the first row, then by the second. If not, the order is the order of the search,
            which depends on the shapes and options alone, and takes less time.

        Returns
        -------
        (n, 2) array of uint32
            Each pair once: with ``a < b`` among the shapes; ``against`` others, a row of the shapes
            and a row of the others.

        Raises
        ------
        ShapeError
            A value that is NaN, infinite or outside of the limits, with row and field.
        LimitError
            More pairs than ``max_pairs``.

        Examples
        --------
        >>> import widephase as wp
        >>> walls = wp.boxes([[0, 0]], [[10, 1]])
        >>> wp.Detector().pairs(wp.points([[5, 2], [5, 1]]), against=walls).tolist()
        [[1, 0]]
        """
        _named(others)
        return self._native.pairs(native(shapes), self._index(against), bool(sorted))

    def count(
        self, shapes: Shapes, *others: NoReturn, against: Index | Shapes | None = None
    ) -> int:
        """The number of pairs. No pair is stored.

        >>> import widephase as wp
        >>> wp.Detector().count(wp.points([[0, 0], [0, 0], [0, 0]]))
        3
        """
        _named(others)
        return self._native.count(native(shapes), self._index(against))

    def contacts(
        self,
        shapes: Shapes,
        margin: float = 0.0,
        *,
        against: Index | Shapes | None = None,
        sorted: bool = True,
    ) -> npt.NDArray[Any]:
        """How shapes touch: normals, depths and points.

        Parameters
        ----------
        shapes : Shapes
        margin : float
            Shapes that are at most so far apart have contacts, too, with a depth below 0.
        against : Index or Shapes, optional
        sorted : bool
            As in :meth:`pairs`.

        Returns
        -------
        structured array, :data:`CONTACT`; :data:`CONTACT64` for shapes of float64
            ``normal`` has length 1 and points from ``a`` to ``b``. The first ``count`` of
            ``points`` are in use. Computed in float32, for shapes of float64 relative to a row in
            the middle: they may have more or fewer contacts than :meth:`pairs`.

        Examples
        --------
        >>> import widephase as wp
        >>> found = wp.Detector().contacts(wp.circles([[0.0, 0.0], [1.5, 0.0]], 1.0))
        >>> found["a"][0], found["b"][0], found["depth"][0], found["normal"][0].tolist()
        (np.uint32(0), np.uint32(1), np.float32(0.5), [1.0, 0.0])
        >>> found["points"]["position"][0, 0].tolist()
        [0.75, 0.0]
        """
        if isinstance(margin, (Shapes, Index)):
            _named((margin,))
        margin = size(margin, "margin")
        words, wide = self._native.contacts(
            native(shapes), self._index(against), margin, bool(sorted)
        )
        return records(words, CONTACT64 if wide else CONTACT)

    @overload
    def neighbors(
        self,
        shapes: Shapes | Positions,
        r: float,
        *,
        against: None = ...,
        half: bool = ...,
        distances: Literal[False] = ...,
        sorted: bool = ...,
        periodic: None = ...,
    ) -> Lists: ...
    @overload
    def neighbors(
        self,
        shapes: Shapes | Positions,
        r: float,
        *,
        against: None = ...,
        half: bool = ...,
        distances: Literal[True],
        sorted: bool = ...,
        periodic: None = ...,
    ) -> Distances: ...
    @overload
    def neighbors(
        self,
        shapes: Shapes | Positions,
        r: float,
        *,
        against: Index | Shapes | Positions,
        sorted: bool = ...,
    ) -> Distances: ...
    @overload
    def neighbors(
        self,
        shapes: Shapes | Positions,
        r: float,
        *,
        against: None = ...,
        half: bool = ...,
        distances: bool = ...,
        sorted: bool = ...,
        periodic: Periodic,
    ) -> PeriodicNeighbors: ...
    def neighbors(
        self,
        shapes: Shapes | Positions,
        r: float,
        *,
        against: Index | Shapes | Positions | None = None,
        half: bool = False,
        distances: bool = False,
        sorted: bool = True,
        periodic: Periodic | None = None,
    ) -> Lists | Distances | PeriodicNeighbors:
        """The rows within a distance of each row: neighbour lists.

        Parameters
        ----------
        shapes : Shapes, or an (n, 2) array of points
        r : float
            The largest distance of the surfaces; of points, of the points.
        against : Index, Shapes or an (n, 2) array of points, optional
            The rows of these within the distance of each row, with distances, instead of the rows
            of the shapes.
        half : bool
            Each pair is only in the list of its smaller row.
        distances : bool
            Whether to return distances, too.
        sorted : bool
            Each list ascends. If not, its order is the order of the search.
        periodic : (min, max) or (width, height), optional
            A box that repeats in both axes, where each image of a row is a neighbour of its own.
            ``None`` in place of a width or height: that axis does not repeat. Distances and shifts
            are returned: the neighbour ``j`` of row ``i`` is at ``positions[j] + shift * period``,
            wherever the positions are, in the box or not. A shift that does not fit 16 bits is a
            :class:`LimitError`.

        Returns
        -------
        Lists, Distances or PeriodicNeighbors
            ``indptr, indices[, distances[, shifts]]``, with ``.pairs()``, ``.vectors(positions)``,
            and ``.to_scipy()`` without a box.

        Examples
        --------
        >>> import widephase as wp
        >>> near = wp.Detector().neighbors([[0, 0], [1, 0], [3, 0]], 1.5)
        >>> near.indptr.tolist(), near.indices.tolist()
        ([0, 1, 2, 2], [1, 0])
        >>> gulls, boats = [[0.0, 0.0], [5.0, 0.0]], [[3.0, 4.0]]
        >>> near = wp.Detector().neighbors(gulls, 5.0, against=boats)
        >>> near.counts.tolist(), near.distances.tolist(), near.vectors(gulls, boats).tolist()
        ([1, 1], [5.0, 4.47213595499958], [[3.0, 4.0], [-2.0, 4.0]])
        """
        if against is not None and (half or periodic is not None):
            raise TypeError("half= and periodic= are for the rows of one set, without against=")
        box = None if periodic is None else periodic_box(periodic)
        other = None if against is None else self._index(as_index(against))
        indptr, indices, lengths, shifts = self._native.neighbors(
            native(as_shapes(shapes)),
            other,
            size(r, "r"),
            bool(half),
            bool(distances),
            bool(sorted),
            box,
        )
        if lengths is not None and shifts is not None and box is not None:
            return PeriodicNeighbors(indptr, indices, lengths, shifts, _period(box))
        if lengths is not None:
            near = Distances(indptr, indices, lengths)
            near.others = None if other is None else len(other)
            return near
        return Lists(indptr, indices)

    def k_nearest_periodic(
        self,
        shapes: Shapes | Positions,
        k: int,
        periodic: Periodic,
        *,
        max_distance: float = math.inf,
    ) -> PeriodicNeighbors:
        """The k nearest rows of each row in a box that repeats, the nearest first.

        Each image of a row counts, also of the row itself. Of equal distances, the smaller row and
        then the smaller shift is first.

        Parameters
        ----------
        shapes : Shapes, or an (n, 2) array of points
        k : int
        periodic : (min, max) or (width, height)
            As of :meth:`neighbors`.
        max_distance : float
            Rows that are further away are not found, so that lists may be shorter than ``k``.

        Examples
        --------
        >>> import widephase as wp
        >>> points = [[1.0, 5.0], [4.0, 5.0], [9.0, 5.0]]
        >>> near = wp.Detector().k_nearest_periodic(points, 2, periodic=(10, 10))
        >>> near[0].tolist(), near.distances[:2].tolist(), near.shifts[:2].tolist()
        ([2, 1], [2.0, 3.0], [[-1, 0], [0, 0]])
        """
        box, most = periodic_box(periodic), number(max_distance, "max_distance")
        asked = native(as_shapes(shapes))
        indptr, indices, lengths, shifts = self._native.k_nearest_periodic(
            asked, index_of(k, "k"), most, box
        )
        return PeriodicNeighbors(indptr, indices, lengths, shifts, _period(box))

    def pairs_periodic(
        self, shapes: Shapes, periodic: Periodic, *, sorted: bool = True
    ) -> PeriodicPairs:
        """The pairs that touch in a box that repeats, and how often they cross its sides.

        Shifts are as of :meth:`neighbors`.

        >>> import widephase as wp
        >>> discs = wp.circles([[0.1, 5.0], [9.9, 5.0]], 0.2)
        >>> wp.Detector().pairs_periodic(discs, periodic=(10, 10))
        PeriodicPairs(pairs=array([[0, 1]], dtype=uint32), shifts=array([[-1,  0]], dtype=int16))
        """
        found = self._native.pairs_periodic(native(shapes), periodic_box(periodic), bool(sorted))
        return PeriodicPairs(*found)

    def swept_pairs(
        self,
        shapes: Shapes,
        displacements: Positions,
        *,
        against: Index | Shapes | None = None,
        start: Literal["inward", "any", "ignored"] = "inward",
    ) -> npt.NDArray[Any]:
        """The pairs that stop each other while shapes move: nothing tunnels.

        Parameters
        ----------
        shapes : Shapes
            Where they are at the start of the step.
        displacements : (n, 2) array
            How far each moves during the step.
        against : Index or Shapes, optional
            Shapes that stand still.
        start : {"inward", "any", "ignored"}
            Which pairs that touch or overlap at the start are listed, with the fraction 0:
            ``"inward"``, pairs that move further into each other, while pairs that part or slide
            are free; ``"any"``, all such pairs, even without a motion; ``"ignored"``, no such pair,
            and they pass through each other.

        Returns
        -------
        structured array, :data:`IMPACT`; :data:`IMPACT64` for shapes of float64
            By pair. ``fraction`` is the share of the step, ``normal`` the normal of ``b``.

        Examples
        --------
        >>> import widephase as wp
        >>> bullets = wp.circles([[0.0, 0.0], [10.0, 0.0]], 0.5)
        >>> hits = wp.Detector().swept_pairs(bullets, [[20.0, 0.0], [0.0, 0.0]])
        >>> hits[["a", "b", "fraction"]].tolist()
        [(0, 1, 0.44999998807907104)]
        >>> nested, apart = wp.circles([[0.0, 0.0], [0.5, 0.0]], 0.5), [[0.0, 0.0], [2.0, 0.0]]
        >>> [len(wp.swept_pairs(nested, apart, start=start)) for start in ("inward", "any")]
        [0, 1]
        """
        dx, dy = two(displacements, "displacements")
        if len(dx) != len(shapes):
            message = f"displacements: {len(dx)} rows, expected {len(shapes)}"
            raise ShapeError(message, field="displacements")
        other = self._index(against)
        words, origin = self._native.swept_pairs(native(shapes), other, dx, dy, start)
        return absolute(records(words, IMPACT), IMPACT64, origin)

    def __repr__(self) -> str:
        level, threads, touching = self._options
        shown = {"level": level, "threads": threads, "touching": touching}
        usual = {"level": None, "threads": None, "touching": "inclusive"}
        given = [f"{name}={value}" for name, value in shown.items() if value != usual[name]]
        return f"<widephase.Detector: {', '.join(given) or 'default options'}>"

    @property
    def bytes(self) -> int:
        """The memory that is kept."""
        return self._native.bytes()

    def _index(self, against: Index | Shapes | None) -> _widephase.Index | None:
        if against is None:
            return None
        if isinstance(against, Index):
            return against._native
        native(against, "against")
        level, threads, touching = self._options
        return Index(against, level=level, threads=threads, touching=touching)._native


def as_index(against: Index | Shapes | Positions) -> Index | Shapes:
    """The index or the shapes; an (n, 2) array is points."""
    return against if isinstance(against, Index) else as_shapes(against)


def _period(
    box: tuple[tuple[float, float], tuple[float, float], tuple[bool, bool]],
) -> npt.NDArray[np.float64]:
    """The width and the height of a box; 0 along an axis that does not repeat."""
    low, high, wrap = box
    return np.where(wrap, np.subtract(high, low), 0.0)


def _shown(function: Any) -> None:
    """Leaves the arguments that are refused out of the signature."""
    own = inspect.signature(function)
    kept = [of for of in own.parameters.values() if of.kind != inspect.Parameter.VAR_POSITIONAL]
    kept = [of.replace(kind=of.KEYWORD_ONLY) if of.name == "against" else of for of in kept]
    function.__signature__ = own.replace(parameters=kept)


_shown(Detector.pairs)
_shown(Detector.count)


def _named(others: tuple[object, ...]) -> None:
    """Refuses a second set that has no name."""
    if others:
        raise TypeError("expected one set of shapes; pass the other one as against=")


#: The form of the corners, which is not the form of lammps.
_CORNERS = "(min, max) as ((xlo, ylo), (xhi, yhi)), not xlo, xhi, ylo, yhi"


def periodic_box(
    periodic: Periodic,
) -> tuple[tuple[float, float], tuple[float, float], tuple[bool, bool]]:
    """The corners of a box that repeats, and along which axes it does."""
    if not hasattr(periodic, "__len__") or len(periodic) != 2:
        message = "periodic: expected (width, height), such as (10, 10), or " + _CORNERS
        raise ShapeError(message, field="periodic")
    first, second = periodic
    if np.ndim(first) == 0 and np.ndim(second) == 0:
        wrap = (first is not None, second is not None)
        width, height = (1.0 if side is None else number(side, "periodic") for side in periodic)
        return (0.0, 0.0), (width, height), wrap
    low, high = numbers(first, "periodic"), numbers(second, "periodic")
    if low.shape != (2,) or high.shape != (2,):
        message = "periodic: expected (width, height) or " + _CORNERS
        raise ShapeError(message, field="periodic")
    if not (low < high).all():
        message = f"periodic: {low.tolist()} is not below {high.tolist()}: expected " + _CORNERS
        raise ShapeError(message, field="periodic")
    return (float(low[0]), float(low[1])), (float(high[0]), float(high[1])), (True, True)


#: The memory that the functions keep for each thread, while it is small.
_kept = threading.local()
_MOST_KEPT = 64 << 20


def _detector(level: Level | None, threads: int | None, touching: Touching) -> Detector:
    """The detector of this thread."""
    kept: Detector | None = getattr(_kept, "detector", None)
    if kept is None or kept._options != (level, threads, touching) or kept.bytes > _MOST_KEPT:
        kept = Detector(level=level, threads=threads, touching=touching)
        _kept.detector = kept
    return kept


def pairs(
    shapes: Shapes,
    *others: NoReturn,
    against: Index | Shapes | None = None,
    sorted: bool = True,
    level: Level | None = None,
    threads: int | None = None,
    touching: Touching = "inclusive",
) -> npt.NDArray[np.uint32]:
    """All pairs of shapes that touch, as an (n, 2) array of rows: :meth:`Detector.pairs`.

    Each thread keeps up to 64 MiB of memory for the next call of one of these functions; a
    :class:`Detector` keeps all its memory.

    Examples
    --------
    >>> import widephase as wp
    >>> wp.pairs(wp.circles([[0.0, 0.0], [1.5, 0.0], [9.0, 0.0]], radius=1.0))
    array([[0, 1]], dtype=uint32)
    """
    detector = _detector(level, threads, touching)
    return detector.pairs(shapes, *others, against=against, sorted=sorted)


def count(
    shapes: Shapes,
    *others: NoReturn,
    against: Index | Shapes | None = None,
    level: Level | None = None,
    threads: int | None = None,
    touching: Touching = "inclusive",
) -> int:
    """The number of pairs that touch: :meth:`Detector.count`.

    >>> import widephase as wp
    >>> wp.count(wp.boxes([[0, 0], [1, 1]], [[1, 1], [2, 2]]), touching="exclusive")
    0
    """
    return _detector(level, threads, touching).count(shapes, *others, against=against)


def contacts(
    shapes: Shapes,
    margin: float = 0.0,
    *,
    against: Index | Shapes | None = None,
    sorted: bool = True,
    level: Level | None = None,
    threads: int | None = None,
    touching: Touching = "inclusive",
) -> npt.NDArray[Any]:
    """How shapes touch, as a structured array: :meth:`Detector.contacts`.

    >>> import widephase as wp
    >>> wp.contacts(wp.boxes([[0.0, 0.0], [0.75, 0.0]], [[1.0, 1.0], [2.0, 1.0]]))["depth"]
    array([0.25], dtype=float32)
    """
    detector = _detector(level, threads, touching)
    return detector.contacts(shapes, margin, against=against, sorted=sorted)


@overload
def neighbors(
    shapes: Shapes | Positions,
    r: float,
    *,
    against: None = ...,
    half: bool = ...,
    distances: Literal[False] = ...,
    sorted: bool = ...,
    periodic: None = ...,
    level: Level | None = ...,
    threads: int | None = ...,
) -> Lists: ...
@overload
def neighbors(
    shapes: Shapes | Positions,
    r: float,
    *,
    against: None = ...,
    half: bool = ...,
    distances: Literal[True],
    sorted: bool = ...,
    periodic: None = ...,
    level: Level | None = ...,
    threads: int | None = ...,
) -> Distances: ...
@overload
def neighbors(
    shapes: Shapes | Positions,
    r: float,
    *,
    against: Index | Shapes | Positions,
    sorted: bool = ...,
    level: Level | None = ...,
    threads: int | None = ...,
) -> Distances: ...
@overload
def neighbors(
    shapes: Shapes | Positions,
    r: float,
    *,
    against: None = ...,
    half: bool = ...,
    distances: bool = ...,
    sorted: bool = ...,
    periodic: Periodic,
    level: Level | None = ...,
    threads: int | None = ...,
) -> PeriodicNeighbors: ...
def neighbors(
    shapes: Shapes | Positions,
    r: float,
    *,
    against: Index | Shapes | Positions | None = None,
    half: bool = False,
    distances: bool = False,
    sorted: bool = True,
    periodic: Periodic | None = None,
    level: Level | None = None,
    threads: int | None = None,
) -> Lists | Distances | PeriodicNeighbors:
    """The rows within a distance of each row, as sparse rows: :meth:`Detector.neighbors`.

    >>> import widephase as wp
    >>> near = wp.neighbors([[0.0, 0.0], [3.0, 4.0], [9.0, 9.0]], 5.0, distances=True)
    >>> near[0].tolist(), near.distances.tolist()
    ([1], [5.0, 5.0])
    """
    detector: Any = _detector(level, threads, "inclusive")
    found: Lists | Distances | PeriodicNeighbors = detector.neighbors(
        shapes,
        r,
        against=against,
        half=half,
        distances=distances,
        sorted=sorted,
        periodic=periodic,
    )
    return found


def k_nearest_periodic(
    shapes: Shapes | Positions,
    k: int,
    periodic: Periodic,
    *,
    max_distance: float = math.inf,
    level: Level | None = None,
    threads: int | None = None,
) -> PeriodicNeighbors:
    """The k nearest rows in a box that repeats: :meth:`Detector.k_nearest_periodic`."""
    detector = _detector(level, threads, "inclusive")
    return detector.k_nearest_periodic(shapes, k, periodic, max_distance=max_distance)


def pairs_periodic(
    shapes: Shapes,
    periodic: Periodic,
    *,
    sorted: bool = True,
    level: Level | None = None,
    threads: int | None = None,
    touching: Touching = "inclusive",
) -> PeriodicPairs:
    """The pairs that touch in a box that repeats: :meth:`Detector.pairs_periodic`."""
    return _detector(level, threads, touching).pairs_periodic(shapes, periodic, sorted=sorted)


def swept_pairs(
    shapes: Shapes,
    displacements: Positions,
    *,
    against: Index | Shapes | None = None,
    start: Literal["inward", "any", "ignored"] = "inward",
    level: Level | None = None,
    threads: int | None = None,
) -> npt.NDArray[Any]:
    """The pairs that stop each other while shapes move: :meth:`Detector.swept_pairs`."""
    detector = _detector(level, threads, "inclusive")
    return detector.swept_pairs(shapes, displacements, against=against, start=start)


_shown(pairs)
_shown(count)
