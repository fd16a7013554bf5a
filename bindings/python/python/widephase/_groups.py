"""Lists of pairs: changes and connections."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from . import _widephase
from ._arrays import handle_list, index_of, pair_list
from ._errors import ShapeError
from ._results import Changes, Islands, Lists

__all__ = ["PairDiff", "adjacency", "islands", "levels"]


class PairDiff:
    """The pairs that started, persisted and stopped since the last list.

    The order within a pair matters: ``[1, 0]`` is another pair than ``[0, 1]``. Only with ``ids``
    and no ``others`` it does not: the smaller id of a pair comes first.

    Examples
    --------
    >>> import widephase as wp
    >>> diff = wp.PairDiff()
    >>> diff.update([[0, 1], [1, 2]]).started.tolist()
    [[0, 1], [1, 2]]
    >>> changes = diff.update([[1, 2], [2, 3]])
    >>> changes.started.tolist(), changes.persisted.tolist(), changes.stopped.tolist()
    ([[2, 3]], [[1, 2]], [[0, 1]])
    >>> changes.started_at.tolist(), changes.persisted_at.tolist()  # in [[1, 2], [2, 3]]
    ([1], [0])
    """

    __slots__ = ("_len", "_native")

    def __init__(self) -> None:
        self._native = _widephase.PairDiff()
        self._len = 0

    def __repr__(self) -> str:
        return f"<widephase.PairDiff: {self._len} pairs>"

    def update(
        self,
        pairs: npt.ArrayLike,
        ids: npt.ArrayLike | None = None,
        others: npt.ArrayLike | None = None,
    ) -> Changes:
        """Takes the pairs of this step, and tells the changes.

        Parameters
        ----------
        pairs : (n, 2) array of rows
            Each pair once.
        ids : whole numbers from 0, optional
            The id of each row, where rows change their place.
        others : whole numbers from 0, optional
            The ids of the second rows, for pairs with an index.

        Returns
        -------
        Changes
            Pairs of ids; without ``ids``, of rows. ``started_at`` and ``persisted_at`` are places
            in ``pairs``. Pairs that have stopped are in no list, and have no place.
        """
        if others is not None and ids is None:
            raise ShapeError("others: ids are expected, too", field="others")
        named = [None if given is None else handle_list(given, "ids") for given in (ids, others)]
        listed = pair_list(pairs)
        changes = Changes(*self._native.update(listed, named[0], named[1]))
        self._len = len(listed)
        return changes

    def clear(self) -> None:
        """Forgets the last list: the pairs of the next one have all started."""
        self._native.clear()
        self._len = 0


def islands(
    rows: int, pairs: npt.ArrayLike, joins: npt.ArrayLike | None = None
) -> Islands:
    """The groups of rows that pairs connect.

    Parameters
    ----------
    rows : int
        The number of rows.
    pairs : (n, 2) array of rows
    joins : bool for each row, optional
        Rows that are ``False`` connect nothing and join no island, such as the ground.

    Returns
    -------
    Islands
        ``island`` of each row, ``lists`` of the rows of each island.

    Examples
    --------
    >>> import widephase as wp
    >>> wp.islands(4, [[0, 1], [2, 3]]).island.tolist()
    [0, 0, 1, 1]
    """
    joined = None
    if joins is not None:
        joined = np.asarray(joins)
        if joined.dtype != np.bool_ or joined.ndim != 1:
            raise ShapeError("joins: expected a bool for each row", field="joins")
    island, lists = _widephase.islands(_rows(rows, "islands"), pair_list(pairs), joined)
    return Islands(island, Lists(*lists))


def adjacency(rows: int, pairs: npt.ArrayLike, *, half: bool = False) -> Lists:
    """The partners of each row of a list of pairs, ascending.

    >>> import widephase as wp
    >>> wp.adjacency(3, [[0, 1], [1, 2]])[1].tolist()
    [0, 2]
    """
    return Lists(*_widephase.adjacency(_rows(rows, "adjacency"), pair_list(pairs), bool(half)))


def _rows(rows: int, call: str) -> int:
    """The number of rows, which comes before the pairs."""
    if np.ndim(rows) != 0:
        message = f"rows: expected a whole number before the pairs: {call}(rows, pairs)"
        raise ShapeError(message, field="rows")
    return index_of(rows, "rows")


def levels() -> list[str]:
    """The SIMD levels of this CPU, the best one last. All levels have the same results.

    >>> import widephase as wp
    >>> wp.levels()[:2]
    ['scalar', 'portable']
    """
    return _widephase.levels()


def set_threads(threads: int | None) -> None:
    """Sets the number of threads of large calls without ``threads=``, in this process.

    ``None``: as at the start, which is the number in the environment variable
    ``RAYON_NUM_THREADS``, or else one thread for each core. Results do not depend on it.

    >>> import widephase as wp
    >>> wp.set_threads(2)
    >>> wp.set_threads(None)
    """
    _widephase.set_threads(threads)
