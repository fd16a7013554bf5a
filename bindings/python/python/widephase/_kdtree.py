"""``KDTree``: the calls of ``scipy.spatial.KDTree``, in two dimensions."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, Literal, NoReturn, overload

import numpy as np
import numpy.typing as npt

from ._detector import pairs, pairs_periodic
from ._index import Index
from ._results import NO_ROW
from ._shapes import circles, points

__all__ = ["KDTree"]

#: A distance beyond which there is nothing: distances of scipy may be infinite.
_FURTHEST = 2.0**59

#: Numbers become numbers of Python in blocks: meanwhile no other thread has a turn.
_BLOCK = 1 << 14


def _of_nodes(name: str) -> property:
    def get(_: KDTree) -> NoReturn:
        raise AttributeError(
            f"{name}: widephase.KDTree sorts its points into a grid. It has no nodes, and no order of "
            "rows in them"
        )

    return property(get)


class KDTree:
    """A stand-in for ``scipy.spatial.KDTree`` with points in the plane and Euclidean distances.

    The calls take the arguments of scipy's and return the same answers, decided in float64. At
    equal distances, the smaller row is first. Other dimensions and norms are a
    ``NotImplementedError``.

    Parameters
    ----------
    data : (n, 2) array
        It is copied.
    leafsize, compact_nodes, copy_data, balanced_tree : optional
        As of scipy. They change no answer.
    boxsize : float or 2 floats, optional
        The plane repeats after this width and height, from 0 on: distances are the ones of the
        nearest images. 0: this axis does not repeat. Data outside of the box are a ``ValueError``;
        what is asked for may be anywhere.

    Examples
    --------
    >>> import widephase as wp
    >>> tree = wp.KDTree([[0.0, 0.0], [3.0, 4.0]])
    >>> tree.query([0.0, 1.0])
    (np.float64(1.0), np.int64(0))
    >>> tree.query_pairs(5.0)
    {(0, 1)}
    >>> wp.KDTree([[0.5, 5.0], [9.5, 5.0]], boxsize=10.0).query([9.9, 5.0], 2)[0].round(1).tolist()
    [0.4, 0.6]
    """

    def __init__(
        self,
        data: npt.ArrayLike,
        leafsize: int = 10,
        compact_nodes: bool = True,
        copy_data: bool = False,
        balanced_tree: bool = True,
        boxsize: npt.ArrayLike | None = None,
    ) -> None:
        array = np.array(_real(data), dtype=np.float64)
        if array.ndim != 2:
            raise ValueError("data must be of shape (n, 2)")
        if not np.isfinite(array).all():
            raise ValueError("data must be finite, check for nan or inf values")
        if array.shape[1] != 2:
            raise NotImplementedError("widephase.KDTree is for points in the plane")
        if leafsize < 1:
            raise ValueError("leafsize must be at least 1")
        self.data = array
        self.leafsize: int = int(leafsize)
        self.n: int = array.shape[0]
        self.m: int = array.shape[1]
        none = np.zeros(2)
        self.maxes: npt.NDArray[np.float64] = np.amax(array, axis=0) if self.n else none
        self.mins: npt.NDArray[np.float64] = np.amin(array, axis=0) if self.n else none
        self.boxsize: npt.NDArray[np.float64] | None = None
        if boxsize is not None:
            box = _box(boxsize, self.mins, self.maxes)
            self.boxsize = box if box.any() else None
        #: Of the axes that repeat: the period, and the range of the data.
        self._sides = [
            (axis, (side, float(self.mins[axis]), float(self.maxes[axis])))
            for axis, side in enumerate([] if self.boxsize is None else self.boxsize.tolist())
            if side > 0.0
        ]
        self._shapes = points(array)
        self._index = Index(self._shapes, max_pairs=2**64)

    #: What scipy's trees say of their nodes.
    indices = _of_nodes("indices")
    size = _of_nodes("size")
    tree = _of_nodes("tree")

    def __repr__(self) -> str:
        box = "" if self.boxsize is None else f", boxsize={self.boxsize.tolist()}"
        return f"<widephase.KDTree: {self.n} points{box}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.data, self.leafsize, True, False, True, self.boxsize)

    def query(
        self,
        x: npt.ArrayLike,
        k: int | Sequence[int] = 1,
        eps: float = 0.0,
        p: float = 2.0,
        distance_upper_bound: float = math.inf,
        workers: int = 1,
    ) -> tuple[Any, Any]:
        """The k nearest points: ``distance, row``. Missing points are infinite, with row ``n``.

        Distances are below ``distance_upper_bound``. A sequence as ``k`` asks for these ranks, from
        1. ``eps`` and ``workers`` change no answer.
        """
        _euclidean(p)
        if type(k) is int and k > 0 and workers == 1:
            at = _one(x)
            if at is not None:
                found = self._nearest_of_one(at, k, distance_upper_bound)
                return found if k > 1 else (found[0][0], found[1][0])
        _check_workers(workers)
        ranks, most = _ranks(k)
        asked = _asked(x)
        flat = asked.reshape(-1, 2)
        distance, row = self._nearest(flat, most)
        beyond = (row == NO_ROW) | (distance >= distance_upper_bound)
        distance[beyond], row[beyond] = math.inf, self.n
        shape = asked.shape[:-1]
        if ranks is not None:
            distance, row = distance[:, ranks - 1], row[:, ranks - 1]
            return distance.reshape((*shape, -1)), row.reshape((*shape, -1))
        if most > 1:
            return distance.reshape((*shape, most)), row.reshape((*shape, most))
        distance, row = distance.reshape(shape), row.reshape(shape)
        # Without axes, numbers.
        return distance[()], row[()]

    def query_ball_point(
        self,
        x: npt.ArrayLike,
        r: npt.ArrayLike,
        p: float = 2.0,
        eps: float = 0.0,
        workers: int = 1,
        return_sorted: bool | None = None,
        return_length: bool = False,
    ) -> Any:
        """The rows within ``r * (1 + eps)`` of each point, as sorted lists; or their numbers."""
        _euclidean(p)
        if (type(r) is float or type(r) is int) and workers == 1:
            at, reach = _one(x), min(r * (1.0 + eps), _FURTHEST)
            if at is not None and reach >= 0.0:
                near = self._near_one(at, reach)
                return len(near) if return_length else near
        _check_workers(workers)
        asked = _asked(x)
        shape = np.broadcast_shapes(asked.shape[:-1], np.shape(r))
        flat = np.broadcast_to(asked, (*shape, 2)).reshape(-1, 2)
        radius = np.broadcast_to(np.asarray(r, dtype=np.float64), shape).reshape(-1) * (1.0 + eps)
        ends, rows = self._within(flat, radius)
        if return_length:
            counts = np.diff(ends)
            return counts.reshape(shape) if shape else int(counts[0])
        found = _lists(ends, rows, self.n)
        return found.reshape(shape) if shape else found[0]

    def query_ball_tree(
        self, other: KDTree, r: float, p: float = 2.0, eps: float = 0.0
    ) -> list[list[int]]:
        """For each point of this tree, the rows of the other one within ``r * (1 + eps)``."""
        _euclidean(p)
        ends, rows = other._within(self.data, r * (1.0 + eps))
        found: list[list[int]] = _lists(ends, rows, other.n).tolist()
        return found

    @overload
    def query_pairs(
        self, r: float, p: float = ..., eps: float = ..., output_type: Literal["set"] = ...
    ) -> set[tuple[int, int]]: ...
    @overload
    def query_pairs(
        self, r: float, p: float = ..., eps: float = ..., *, output_type: Literal["ndarray"]
    ) -> npt.NDArray[np.intp]: ...
    def query_pairs(
        self, r: float, p: float = 2.0, eps: float = 0.0, output_type: str = "set"
    ) -> set[tuple[int, int]] | npt.NDArray[np.intp]:
        """The pairs of rows within ``r * (1 + eps)``, as a set or an (n, 2) array."""
        _euclidean(p)
        if output_type not in ("set", "ndarray"):
            raise ValueError("Invalid output type")
        reach, as_set = r * (1.0 + eps), output_type == "set"
        found: npt.NDArray[Any]
        if reach < 0.0:
            found = np.empty((0, 2), dtype=np.intp)
        elif self.boxsize is None:
            discs = circles(self.data, min(reach, _FURTHEST) / 2.0)
            found = pairs(discs, sorted=not as_set)
        elif (self.boxsize[self.boxsize > 0.0] > 2.0 * reach).all():
            # No two images of a row are within the distance.
            box = [side if side > 0.0 else None for side in self.boxsize.tolist()]
            discs = circles(self.data, reach / 2.0)
            found = pairs_periodic(discs, box, sorted=not as_set).pairs
        else:
            first, second = self._near(self, reach)
            found = np.column_stack((first, second))[first < second]
        if not as_set:
            return found.astype(np.intp, copy=False)
        answer: set[tuple[int, int]] = set()
        for lower, upper in zip(_ints(found[:, 0], self.n), _ints(found[:, 1], self.n)):
            answer.update(zip(lower, upper))
        return answer

    def count_neighbors(
        self,
        other: KDTree,
        r: npt.ArrayLike,
        p: float = 2.0,
        weights: Any = None,
        cumulative: bool = True,
    ) -> Any:
        """How many pairs of a point of this tree and one of the other one are within each ``r``.

        With ``weights`` (one array for both trees, which must then be the same one, or two), the sum
        of the products of their weights. Without ``cumulative``, of each ``r`` those beyond the one
        before; the values must then ascend.
        """
        _euclidean(p)
        radii = np.asarray(r, dtype=np.float64)
        if radii.ndim > 1:
            raise ValueError("r must be a number or an array with one axis")
        if not cumulative and (np.diff(radii.reshape(-1)) < 0.0).any():
            raise ValueError("r must be non-decreasing for non-cumulative counting.")
        of_pairs = _weights(weights, self, other)
        counts: list[Any] = []
        for radius in radii.reshape(-1).tolist():
            if of_pairs is None:
                counts.append(np.intp(other._within(self.data, radius)[0][-1]))
                continue
            first, second = self._near(other, radius)
            counts.append((of_pairs[0][first] * of_pairs[1][second]).sum())
        if radii.ndim == 0:
            return counts[0]
        dtype = np.intp if of_pairs is None else np.float64
        found = np.array(counts, dtype=dtype)
        return found if cumulative else np.diff(found, prepend=found.dtype.type(0))

    def sparse_distance_matrix(
        self,
        other: KDTree,
        max_distance: float,
        p: float = 2.0,
        output_type: Literal["dok_matrix", "coo_matrix", "dict", "ndarray"] = "dok_matrix",
    ) -> Any:
        """The distances of points of this tree and of the other one up to a largest one."""
        _euclidean(p)
        if output_type not in ("dok_matrix", "coo_matrix", "dict", "ndarray"):
            raise ValueError("Invalid output type")
        first, second = self._near(other, max_distance)
        distance = np.hypot(*other._apart(self.data[first], other.data[second]).T)
        if output_type == "dict":
            made: dict[tuple[int, int], float] = {}
            for begin in range(0, len(first), _BLOCK):
                own = slice(begin, begin + _BLOCK)
                keys = zip(first[own].tolist(), second[own].tolist())
                made.update(zip(keys, distance[own].tolist()))
            return made
        if output_type == "ndarray":
            dtype = np.dtype([("i", np.intp), ("j", np.intp), ("v", np.float64)], align=True)
            records = np.empty(len(distance), dtype)
            records["i"], records["j"], records["v"] = first, second, distance
            return records
        sparse: Any = import_module("scipy.sparse")
        matrix = sparse.coo_matrix((distance, (first, second)), shape=(self.n, other.n))
        return matrix if output_type == "coo_matrix" else matrix.todok()

    def _near(
        self, other: KDTree, r: float
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """All pairs of rows of this tree and of the other one within a distance, sorted."""
        ends, second = other._within(self.data, r)
        return np.repeat(np.arange(self.n), np.diff(ends)), second

    def _apart(
        self, a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        """The vectors between points, of the nearest images."""
        apart = b - a
        if self.boxsize is not None:
            with np.errstate(divide="ignore", invalid="ignore"):
                periods = np.where(self.boxsize > 0.0, np.round(apart / self.boxsize), 0.0)
            apart -= periods * self.boxsize
        return apart

    def _inside(self, asked: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Points moved into the box."""
        if self.boxsize is None:
            return asked
        with np.errstate(divide="ignore", invalid="ignore"):
            inside = asked - np.floor(asked / self.boxsize) * self.boxsize
        return np.where(self.boxsize > 0.0, inside, asked)

    def _images(
        self, inside: npt.NDArray[np.float64], reach: npt.NDArray[np.float64]
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]:
        """The other images of points that may be nearest to data: the number of each, and where.

        In a box, the image that is nearest to a point of the data is, along each axis, the point in
        the box or its image across the side that is nearer.
        """
        number, at = np.arange(len(inside)), inside
        sides = [] if self.boxsize is None else self.boxsize.tolist()
        for axis, side in enumerate(sides):
            if side > 0.0:
                moved = at.copy()
                moved[:, axis] += np.where(at[:, axis] < 0.5 * side, side, -side)
                gap = np.maximum(self.mins[axis] - moved[:, axis], moved[:, axis] - self.maxes[axis])
                kept = gap <= reach[number]
                at = np.concatenate((at, moved[kept]))
                number = np.concatenate((number, number[kept]))
        return number[len(inside) :], at[len(inside) :]

    def _images_of_one(self, at: tuple[float, float], reach: float) -> list[tuple[float, float]]:
        """A point moved into the box, and its other images that may be within a distance of data."""
        for axis, (side, _, _) in self._sides:
            x = at[axis] - math.floor(at[axis] / side) * side
            at = (x, at[1]) if axis == 0 else (at[0], x)
        places = [at]
        for axis, (side, low, high) in self._sides:
            x = at[axis] + (side if at[axis] < 0.5 * side else -side)
            if max(low - x, x - high) <= reach:
                places += [(x, y) if axis == 0 else (_x, x) for _x, y in places]
        return places

    def _near_one(self, at: tuple[float, float], reach: float) -> list[int]:
        """The rows within a distance of one point, sorted."""
        places = self._images_of_one(at, reach)
        found = [self._index._native.rows_near_point(place, reach) for place in places]
        return found[0] if len(found) == 1 else sorted(set().union(*found))

    def _nearest_of_one(
        self, at: tuple[float, float], k: int, bound: float
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """The k nearest rows of one point that are nearer than a bound."""
        nearest = self._index._native.nearest_of_point
        if self.boxsize is None:
            return nearest(at, k, bound)
        inside = self._images_of_one(at, -1.0)[0]
        found = nearest(inside, k, bound)
        places = self._images_of_one(inside, min(float(found[0][-1]), bound))
        if len(places) == 1:
            return found
        least: dict[int, float] = {}
        for distances, rows in [found, *(nearest(place, k, bound) for place in places[1:])]:
            for distance, row in zip(distances.tolist(), rows.tolist()):
                if distance < least.get(row, math.inf):
                    least[row] = distance
        near = sorted((distance, row) for row, distance in least.items())[:k]
        near += [(math.inf, self.n)] * (k - len(near))
        return np.array([place[0] for place in near]), np.array([place[1] for place in near])

    def _within(
        self, asked: npt.NDArray[np.float64], r: npt.ArrayLike
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The rows within a distance of each point, sorted: where each list ends, and the rows."""
        reach = np.broadcast_to(np.asarray(r, dtype=np.float64), len(asked))
        # No point is within a distance below 0.
        given = np.flatnonzero(reach >= 0.0)
        if self.boxsize is None and len(given) == len(asked):
            found = self._index.overlapping(circles(asked, np.minimum(reach, _FURTHEST)))
            return found.indptr, found.indices.astype(np.intp)
        inside, most = self._inside(asked[given]), np.minimum(reach[given], _FURTHEST)
        lists = self._index.overlapping(circles(inside, most))
        query, row = given[lists.first()], lists.indices.astype(np.intp)
        number, at = self._images(inside, most)
        if len(at) > 0:
            more = self._index.overlapping(circles(at, most[number]))
            again = given[number[more.first()]] * self.n + more.indices
            # Two runs, which this order of sorting merges.
            keys = np.concatenate((query * self.n + row, np.sort(again)))
            keys.sort(kind="stable")
            # A row within the distance of several images counts once.
            kept = np.ones(len(keys), dtype=np.bool_)
            kept[1:] = keys[1:] != keys[:-1]
            query, row = np.divmod(keys[kept], max(self.n, 1))
        counts = np.bincount(query, minlength=len(asked))
        return np.concatenate(([0], np.cumsum(counts))), row

    def _nearest(
        self, asked: npt.NDArray[np.float64], k: int
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.intp]]:
        """The k nearest rows of each point, (n, k)."""
        inside = self._inside(asked)
        found = self._index.k_nearest(inside, k)
        distance, row = found.distance, found.row.astype(np.intp)
        number, at = self._images(inside, distance[:, -1])
        if len(number) > 0:
            most = max(min(k, self.n), 1)
            more = self._index.k_nearest(at, most)
            again = np.unique(number)
            query = np.concatenate((np.repeat(again, k), np.repeat(number, most)))
            rows = np.concatenate((row[again].reshape(-1), more.row.reshape(-1).astype(np.intp)))
            distances = np.concatenate((distance[again].reshape(-1), more.distance.reshape(-1)))
            distance[again], row[again] = _nearest_images(query, rows, distances, k)
        return distance, row


def _nearest_images(
    query: npt.NDArray[np.intp],
    row: npt.NDArray[np.intp],
    distance: npt.NDArray[np.float64],
    k: int,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.intp]]:
    """Of the images that queries have found, the k nearest rows of each query, each row once."""
    order = np.lexsort((distance, row, query))
    query, row, distance = query[order], row[order], distance[order]
    first = np.concatenate(([True], (np.diff(query) != 0) | (np.diff(row) != 0)))
    # What is missing stays, as rows that are infinitely far.
    kept = first | (row == NO_ROW)
    query, row, distance = query[kept], row[kept], distance[kept]
    order = np.lexsort((row, distance, query))
    counts = np.unique(query, return_counts=True)[1]
    chosen = order[(np.cumsum(counts) - counts)[:, None] + np.arange(k)]
    return distance[chosen], row[chosen]


def _box(
    boxsize: npt.ArrayLike, mins: npt.NDArray[np.float64], maxes: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """The width and the height of the box that data are in."""
    box = np.broadcast_to(np.asarray(boxsize, dtype=np.float64), 2).copy()
    if not (np.isfinite(box).all() and (box >= 0.0).all()):
        raise ValueError("boxsize must be finite, and at least 0")
    if (maxes >= box)[box > 0.0].any():
        raise ValueError("Some input data are greater than the size of the periodic box.")
    if (mins < 0.0)[box > 0.0].any():
        raise ValueError("Negative input data are outside of the periodic box.")
    return box


def _lists(
    ends: npt.NDArray[np.intp], rows: npt.NDArray[np.intp], n: int
) -> npt.NDArray[Any]:
    """The lists, of rows of n, as lists of Python."""
    shared = _shared(rows, n)
    found = np.empty(len(ends) - 1, dtype=object)
    for first in range(0, len(found), _BLOCK):
        places = ends[first : first + _BLOCK + 1] - ends[first]
        listed = shared(rows[ends[first] : ends[first] + places[-1]])
        own = places.tolist()
        lists = (listed[begin:end] for begin, end in zip(own, own[1:]))
        found[first : first + _BLOCK] = np.fromiter(lists, dtype=object, count=len(own) - 1)
    return found


def _ints(rows: npt.NDArray[Any], n: int) -> Iterator[list[int]]:
    """Rows of n as numbers of Python, in blocks: other threads run between two of them."""
    shared = _shared(rows, n)
    return (shared(rows[first : first + _BLOCK]) for first in range(0, len(rows), _BLOCK))


def _shared(rows: npt.NDArray[Any], n: int) -> Callable[[npt.NDArray[Any]], list[int]]:
    """Turns rows of n into numbers of Python: many rows share one object for each of the n."""
    if len(rows) < n:
        return lambda some: some.tolist()
    numbers = np.arange(n).astype(object)
    return lambda some: numbers[some].tolist()


def _weights(
    weights: Any, tree: KDTree, other: KDTree
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None:
    """The weights of the points of both trees; none if all are 1."""
    if weights is None:
        return None
    if isinstance(weights, tuple):
        both = weights
    elif tree is other:
        both = (weights, weights)
    else:
        raise ValueError("Two different trees are used. Specify weights for both in a tuple.")
    made: list[npt.NDArray[np.float64]] = []
    for given, of in zip(both, (tree, other)):
        array = np.ones(of.n) if given is None else np.asarray(given, dtype=np.float64)
        if array.shape != (of.n,):
            raise ValueError(f"Number of weights differ from the number of data points {of.n}")
        made.append(array)
    return made[0], made[1]


def _euclidean(p: float) -> None:
    if p != 2.0:
        raise NotImplementedError("widephase.KDTree has Euclidean distances: p = 2")


def _check_workers(workers: int) -> None:
    if workers == -1 and os.cpu_count() is None:
        raise NotImplementedError("Cannot determine the number of cpus using os.cpu_count()")


def _ranks(k: int | Sequence[int]) -> tuple[npt.NDArray[np.intp] | None, int]:
    """The ranks that are asked for, if there are several, and the largest rank."""
    try:
        ranks = np.asarray(k)
        whole = ranks.dtype.kind in "iu" and ranks.ndim < 2 and ranks.size > 0
        if whole and int(ranks.min()) >= 1:
            return (ranks.astype(np.intp) if ranks.ndim else None), int(ranks.max())
    except (TypeError, ValueError):
        pass
    raise ValueError("k must be an integer or a sequence of integers from 1")


def _real(values: npt.ArrayLike) -> npt.NDArray[Any]:
    array = np.asarray(values)
    if array.dtype.kind == "c":
        raise TypeError("KDTree does not work with complex data")
    return array


def _one(x: Any) -> tuple[float, float] | None:
    """One point of two numbers; None for all other arguments, which take longer to check."""
    if type(x) is np.ndarray and x.shape == (2,) and x.dtype == np.float64:
        first, second = x.tolist()
    elif (type(x) is list or type(x) is tuple) and len(x) == 2:
        first, second = x
        if type(first) is not float or type(second) is not float:
            return None
    else:
        return None
    return (first, second) if math.isfinite(first) and math.isfinite(second) else None


def _asked(x: npt.ArrayLike) -> npt.NDArray[np.float64]:
    array = _real(x).astype(np.float64, copy=False)
    if array.ndim == 0 or array.shape[-1] != 2:
        raise ValueError(f"x must consist of vectors of length 2 but has shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("x must be finite, check for nan or inf values")
    return array
