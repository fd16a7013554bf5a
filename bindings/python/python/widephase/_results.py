"""The results of calls: tuples of arrays with names, and records."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._errors import ShapeError

__all__ = [
    "CONTACT",
    "CONTACT64",
    "IMPACT",
    "IMPACT64",
    "NO_ROW",
    "PAIR_EVENT",
    "SLIDE_HIT",
    "STOP_EVENT",
    "STOP_REASONS",
    "Changes",
    "Distances",
    "Hits",
    "HitLists",
    "Islands",
    "Lists",
    "Nearest",
    "PeriodicNeighbors",
    "PeriodicPairs",
    "Scan",
    "Slides",
]

#: The row of an answer that found nothing: 2^32 - 1.
NO_ROW = 0xFFFF_FFFF


def _contact(real: str) -> np.dtype[Any]:
    point = np.dtype(
        [("position", real, (2,)), ("depth", "<f4"), ("feature_a", "<u2"), ("feature_b", "<u2")]
    )
    return np.dtype(
        [
            ("a", "<u4"),
            ("b", "<u4"),
            ("part_a", "<u4"),
            ("part_b", "<u4"),
            ("normal", "<f4", (2,)),
            ("depth", "<f4"),
            ("count", "<u4"),
            ("points", point, (2,)),
        ]
    )


def _impact(real: str) -> np.dtype[Any]:
    return np.dtype(
        [
            ("a", "<u4"),
            ("b", "<u4"),
            ("fraction", "<f4"),
            ("position", real, (2,)),
            ("normal", "<f4", (2,)),
        ]
    )


#: A contact: rows ``a`` and ``b``; ``normal`` from a to b, of length 1; ``depth``, above 0 for
#: overlap and below 0 for a distance; ``count`` of ``points``, each with ``position``, ``depth``
#: and the features that meet. The second point is all zeros if there is only one point.
CONTACT = _contact("<f4")
#: A contact with positions of float64, for shapes of float64.
CONTACT64 = _contact("<f8")
#: Two shapes that stop each other: rows, ``fraction`` of the motion, position, normal of ``b``.
IMPACT = _impact("<f4")
#: Two shapes that stop each other, with positions of float64.
IMPACT64 = _impact("<f8")
#: A pair of bodies, the body in the smaller row first, as in pairs and contacts: handles, values of
#: the user, its place in the pairs of the step, its first contact (:data:`NO_ROW` for none), how
#: fast they approach, and whether one of them is a sensor.
PAIR_EVENT = np.dtype(
    [
        ("a", "<u8"),
        ("b", "<u8"),
        ("user_a", "<u8"),
        ("user_b", "<u8"),
        ("index", "<u4"),
        ("contact", "<u4"),
        ("speed", "<f4"),
        ("sensor", "<u4"),
    ]
)
#: A pair of bodies that stopped to touch: handles, values of the user, the place of the reason in
#: :data:`STOP_REASONS`.
STOP_EVENT = np.dtype(
    [("a", "<u8"), ("b", "<u8"), ("user_a", "<u8"), ("user_b", "<u8"), ("reason", "<u8")]
)
#: A surface that a body meets on its way: handle and value of the user of the other body, its row
#: and part, the fraction of the way, position and normal of the surface, whether it is ground.
SLIDE_HIT = np.dtype(
    [
        ("body", "<u8"),
        ("user", "<u8"),
        ("row", "<u4"),
        ("part", "<u4"),
        ("fraction", "<f4"),
        ("normal", "<f4", (2,)),
        ("ground", "?"),
        ("position", "<f8", (2,)),
    ],
    align=True,
)
#: Why pairs of bodies stop.
STOP_REASONS = ("removed", "filtered", "changed", "apart")


class Lists:
    """A list of rows for each query or row: compressed sparse rows.

    ``near[i]`` is list ``i``, the same as ``indices[indptr[i]:indptr[i + 1]]``; ``len(near)`` is the
    number of lists, and a loop goes over the lists.

    Examples
    --------
    >>> import widephase as wp
    >>> near = wp.neighbors([[0.0, 0.0], [1.0, 0.0], [5.0, 0.0]], 2.0)
    >>> near, len(near), [rows.tolist() for rows in near]
    (<widephase.Lists: 3 lists, 2 rows>, 3, [[1], [0], []])
    """

    __slots__ = ("indices", "indptr")

    #: Where each list begins, and the end of the last one: n + 1 values.
    indptr: npt.NDArray[np.int64]
    #: The rows of all lists, one list after the other.
    indices: npt.NDArray[np.uint32]

    def __init__(
        self, indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.uint32]
    ) -> None:
        self.indptr = indptr
        self.indices = indices

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __getitem__(self, i: int) -> npt.NDArray[np.uint32]:
        """List ``i``; below 0 from the end."""
        number = range(len(self))[operator.index(i)]
        return self.indices[self.indptr[number] : self.indptr[number + 1]]

    def __iter__(self) -> Iterator[npt.NDArray[np.uint32]]:
        ends = self.indptr.tolist()
        return (self.indices[begin:end] for begin, end in zip(ends, ends[1:]))

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"<widephase.{name}: {len(self)} lists, {len(self.indices)} rows>"

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """The length of each list."""
        return np.diff(self.indptr)

    def first(self) -> npt.NDArray[np.uint32]:
        """The number of the list that each of ``indices`` is in."""
        return np.repeat(np.arange(len(self), dtype=np.uint32), self.counts)

    def pairs(self) -> npt.NDArray[np.uint32]:
        """All (i, item) as an (m, 2) array."""
        return np.column_stack((self.first(), self.indices))

    def vectors(self, positions: npt.ArrayLike, others: npt.ArrayLike | None = None) -> npt.NDArray[Any]:
        """The vector from each row to each of its neighbours, (m, 2), in the order of ``indices``.

        Parameters
        ----------
        positions : (n, 2) array
            The positions of the rows that have the lists.
        others : (k, 2) array, optional
            The positions of the rows in the lists, of two sets.

        Examples
        --------
        >>> import widephase as wp
        >>> positions = [[0.0, 0.0], [1.0, 2.0]]
        >>> wp.neighbors(positions, 3.0).vectors(positions).tolist()
        [[1.0, 2.0], [-1.0, -2.0]]
        """
        own, to = self._both(positions, others)
        vectors: npt.NDArray[Any] = to[self.indices] - own[self.first()]
        return vectors

    def _both(
        self, positions: npt.ArrayLike, others: npt.ArrayLike | None
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """The positions of the rows that have the lists, and of the rows in the lists."""
        rows: int | None = getattr(self, "others", None)
        if others is None and rows is not None:
            raise TypeError("these are lists of two sets: pass the positions of both")
        own = np.asarray(positions)
        to = own if others is None else np.asarray(others)
        for name, array, count in (("positions", own, len(self)), ("others", to, rows)):
            if array.ndim != 2 or array.shape[1] != 2 or count not in (None, len(array)):
                shape = f"({'k' if count is None else count}, 2)"
                raise ShapeError(f"{name}: expected the shape {shape}, not {array.shape}", field=name)
        return own, to

    def to_scipy(self, columns: int | None = None) -> Any:
        """A ``scipy.sparse.csr_array`` of bool with a row for each list.

        ``columns`` is its width: by default the rows of the other set; of one set, as many as rows,
        or more if an item asks for it.
        """
        return self._to_scipy(np.ones(len(self.indices), dtype=np.bool_), columns)

    def _to_scipy(self, values: npt.NDArray[Any], columns: int | None) -> Any:
        sparse: Any = import_module("scipy.sparse")
        rows, highest = len(self), int(self.indices.max(initial=0))
        if columns is None:
            columns = getattr(self, "others", None)
        if columns is None:
            columns = max(rows, highest + 1) if len(self.indices) else rows
        # Rows below 2^31 are the same bits with a sign, which scipy asks for.
        indices: npt.NDArray[Any] = self.indices
        indices = indices.view(np.int32) if columns < 2**31 else indices.astype(np.int64)
        return sparse.csr_array((values, indices, self.indptr), shape=(rows, columns))


class Distances(Lists):
    """As :class:`Lists`, with the distance of each item, of the dtype that was computed in."""

    __slots__ = ("distances", "others")

    #: The distance of each of ``indices``.
    distances: npt.NDArray[Any]
    #: The number of rows of the other set, if the lists are of two sets.
    others: int | None

    def __init__(
        self,
        indptr: npt.NDArray[np.int64],
        indices: npt.NDArray[np.uint32],
        distances: npt.NDArray[Any],
    ) -> None:
        super().__init__(indptr, indices)
        self.distances = distances
        self.others = None

    def to_scipy(self, columns: int | None = None) -> Any:
        """A ``scipy.sparse.csr_array`` of the distances. A distance of 0 is stored."""
        return self._to_scipy(self.distances, columns)


class PeriodicNeighbors(Distances):
    """As :class:`Distances`, with the number of periods that each neighbour is shifted by."""

    __slots__ = ("period", "shifts")

    #: (m, 2): ``positions[j] + shift * period - positions[i]`` leads from row i to its neighbour j.
    shifts: npt.NDArray[np.int16]
    #: The width and the height of the box, float64; 0 along an axis that does not repeat.
    period: npt.NDArray[np.float64]

    def __init__(
        self,
        indptr: npt.NDArray[np.int64],
        indices: npt.NDArray[np.uint32],
        distances: npt.NDArray[Any],
        shifts: npt.NDArray[np.int16],
        period: npt.NDArray[np.float64],
    ) -> None:
        super().__init__(indptr, indices, distances)
        self.shifts = shifts
        self.period = period

    def vectors(self, positions: npt.ArrayLike, others: npt.ArrayLike | None = None) -> npt.NDArray[Any]:
        """The vector from each row to each of its neighbours, by its shift: as of :class:`Lists`.

        >>> import widephase as wp
        >>> positions = [[0.5, 5.0], [9.5, 5.0]]
        >>> wp.neighbors(positions, 2.0, periodic=(10, 10)).vectors(positions).tolist()
        [[-1.0, 0.0], [1.0, 0.0]]
        """
        own, to = self._both(positions, others)
        dtype = np.result_type(own, np.float32)
        shift = self.shifts.astype(dtype) * self.period.astype(dtype)
        vectors: npt.NDArray[Any] = to[self.indices] + shift - own[self.first()]
        return vectors

    def to_scipy(self, columns: int | None = None) -> Any:
        """Several images of one row would be one element: it is a ``TypeError``."""
        raise TypeError("lists in a box that repeats may have a row several times: no matrix")


class PeriodicPairs(NamedTuple):
    """Pairs in a box that repeats."""

    #: (n, 2) rows.
    pairs: npt.NDArray[np.uint32]
    #: (n, 2): ``positions[b] + shift * period - positions[a]``, from the first row to the second.
    shifts: npt.NDArray[np.int16]


class Nearest(NamedTuple):
    """The nearest rows: :data:`NO_ROW` and infinity where there is no row."""

    row: npt.NDArray[np.uint32]
    distance: npt.NDArray[Any]


class Hits(NamedTuple):
    """The first hit of each ray or cast, in columns.

    Where nothing is hit, ``row`` is :data:`NO_ROW`, ``fraction`` infinite, and the position and the
    normal are NaN. Positions are float64 if the shapes or the rays are.
    """

    row: npt.NDArray[np.uint32]
    part: npt.NDArray[np.uint32]
    fraction: npt.NDArray[np.float32]
    x: npt.NDArray[Any]
    y: npt.NDArray[Any]
    normal_x: npt.NDArray[np.float32]
    normal_y: npt.NDArray[np.float32]

    @property
    def hit(self) -> npt.NDArray[np.bool_]:
        """Whether something was hit."""
        hit: npt.NDArray[np.bool_] = self.row != np.uint32(NO_ROW)
        return hit

    @property
    def position(self) -> npt.NDArray[Any]:
        """x and y as an (n, 2) array."""
        return np.column_stack((self.x, self.y))


class HitLists(NamedTuple):
    """All hits of each ray, by fraction: ``hits`` from ``indptr[i]`` to ``indptr[i + 1]``."""

    indptr: npt.NDArray[np.int64]
    hits: Hits


class Scan(NamedTuple):
    """The ranges of sensors, (sensors, rays): infinity and :data:`NO_ROW` where nothing is hit."""

    range: npt.NDArray[np.float32]
    row: npt.NDArray[np.uint32]


class Slides(NamedTuple):
    """Where bodies end that are moved by hand, and what they meet on their ways."""

    #: (n, 2): the positions at the ends.
    positions: npt.NDArray[np.float64]
    #: The handle of the body that each stands on there; 0 for none.
    ground: npt.NDArray[np.uint64]
    #: Body ``i`` has met ``hits[indptr[i]:indptr[i + 1]]``, in this order.
    indptr: npt.NDArray[np.int64]
    #: Records of :data:`SLIDE_HIT`.
    hits: npt.NDArray[Any]


class Changes(NamedTuple):
    """The changes since the last list of pairs: (n, 2) arrays of ids.

    ``started_at`` and ``persisted_at`` are the places of these pairs in the list of this update.
    """

    started: npt.NDArray[np.uint64]
    started_at: npt.NDArray[np.uint32]
    persisted: npt.NDArray[np.uint64]
    persisted_at: npt.NDArray[np.uint32]
    stopped: npt.NDArray[np.uint64]


class Islands(NamedTuple):
    """Groups of rows that pairs connect."""

    #: The island of each row; :data:`NO_ROW` for a row in no island.
    island: npt.NDArray[np.uint32]
    #: The rows of each island.
    lists: Lists


def records(words: npt.NDArray[Any], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Words as the records that they are: the same memory."""
    return words.view(dtype)


def absolute(
    found: npt.NDArray[Any], dtype: np.dtype[Any], origin: tuple[float, float] | None
) -> npt.NDArray[Any]:
    """Contacts or impacts with positions of float64, if there is an origin."""
    if origin is None:
        return found
    made = np.empty(len(found), dtype)
    for name in dtype.names or ():
        if name == "points":
            points, given = made["points"], found["points"]
            for part in given.dtype.names or ():
                points[part] = given[part]
            points["position"] += np.asarray(origin)
            # A point that is not there stays zero.
            points["position"][found["count"] < 2, 1] = 0.0
        else:
            made[name] = found[name]
    if "position" in (dtype.names or ()):
        made["position"] += np.asarray(origin)
    return made
