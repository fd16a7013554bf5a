"""``KDTree``: the three calls of ``scipy.spatial.KDTree`` that people use most, in two dimensions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from ._detector import Detector
from ._index import Index
from ._results import NO_ROW
from ._shapes import circles, points

__all__ = ["KDTree"]


class KDTree:
    """A stand-in for ``scipy.spatial.KDTree`` with points in the plane and Euclidean distances.

    :meth:`query`, :meth:`query_ball_point` and :meth:`query_pairs` take the arguments of scipy's
    and return the same answers, decided in float64. At equal distances, the smaller row is first.
    Other dimensions and norms are a ``NotImplementedError``.

    Parameters
    ----------
    data : (n, 2) array
        It is copied.

    Examples
    --------
    >>> import widephase as wp
    >>> tree = wp.KDTree([[0.0, 0.0], [3.0, 4.0]])
    >>> tree.query([0.0, 1.0])
    (np.float64(1.0), np.int64(0))
    >>> tree.query_pairs(5.0)
    {(0, 1)}
    """

    def __init__(self, data: npt.ArrayLike, leafsize: int = 10, **_unused: Any) -> None:
        array = np.array(data, dtype=np.float64)
        if array.ndim != 2:
            raise ValueError("data must be of shape (n, 2)")
        if array.shape[1] != 2:
            raise NotImplementedError("widephase.KDTree is for points in the plane")
        if not np.isfinite(array).all():
            raise ValueError("data must be finite, check for nan or inf values")
        self.data = array
        self.n: int = array.shape[0]
        self.m: int = array.shape[1]
        none = np.zeros(2)
        self.maxes: npt.NDArray[np.float64] = np.amax(array, axis=0) if self.n else none
        self.mins: npt.NDArray[np.float64] = np.amin(array, axis=0) if self.n else none
        self._shapes = points(array)
        self._index = Index(self._shapes)

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
        ranks, most = _ranks(k)
        asked = _asked(x)
        flat = asked.reshape(-1, 2)
        found = self._index.k_nearest(flat, most)
        distance, row = found.distance, found.row.astype(np.intp)
        beyond = (found.row == np.uint32(NO_ROW)) | (distance >= distance_upper_bound)
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
        asked = _asked(x)
        shape = np.broadcast_shapes(asked.shape[:-1], np.shape(r))
        flat = np.broadcast_to(asked, (*shape, 2)).reshape(-1, 2)
        radius = np.broadcast_to(np.asarray(r, dtype=np.float64), shape).reshape(-1) * (1.0 + eps)
        # No point is within a distance below 0.
        within = radius >= 0.0
        rings = circles(flat[within], radius[within])
        if return_length:
            counts = np.zeros(len(flat), dtype=np.intp)
            counts[within] = self._index.count(rings)
            return counts.reshape(shape) if shape else int(counts[0])
        lists = self._index.overlapping(rings)
        found = np.empty(len(flat), dtype=object)
        for place in range(len(flat)):
            found[place] = []
        for place, query in enumerate(np.flatnonzero(within)):
            found[query] = lists.row(place).tolist()
        return found.reshape(shape) if shape else found[0]

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
        if r < 0.0:
            found = np.empty((0, 2), dtype=np.uint32)
        else:
            found = Detector().neighbors(self._shapes, r * (1.0 + eps), half=True).pairs()
        if output_type == "ndarray":
            return found.astype(np.intp)
        return {(a, b) for a, b in found.tolist()}


def _euclidean(p: float) -> None:
    if p != 2.0:
        raise NotImplementedError("widephase.KDTree has Euclidean distances: p = 2")


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


def _asked(x: npt.ArrayLike) -> npt.NDArray[np.float64]:
    array = np.asarray(x, dtype=np.float64)
    if array.ndim == 0 or array.shape[-1] != 2:
        raise ValueError(f"x must consist of vectors of length 2 but has shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("x must be finite, check for nan or inf values")
    return array
