"""Parts of the plane, which threads, processes and machines detect one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _widephase
from ._arrays import index_of, size
from ._detector import Detector
from ._errors import ShapeError
from ._shapes import Shapes, native

if TYPE_CHECKING:
    from ._detector import Level, Touching

__all__ = ["Tile", "tiles"]


@dataclass(frozen=True, repr=False)
class Tile:
    """A part of the plane: the shapes that reach into it. It can be pickled.

    All tiles of :func:`tiles` together report each pair once.

    Attributes
    ----------
    rows : array of uint32
        The rows of the whole set that reach into this tile, ascending.
    owned : array of bool
        Of each of these rows, whether this tile owns it. Each row is owned by one tile.
    shapes : Shapes
        The shapes of these rows: a copy.
    """

    rows: npt.NDArray[np.uint32]
    owned: npt.NDArray[np.bool_]
    shapes: Shapes
    _place: tuple[Any, Any]
    _margin: float

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        owned = int(np.count_nonzero(self.owned))
        return f"<widephase.Tile: {len(self)} shapes, {owned} owned>"

    def pairs(
        self,
        *,
        sorted: bool = True,
        level: Level | None = None,
        threads: int | None = 1,
        touching: Touching = "inclusive",
        max_pairs: int = 1 << 27,
    ) -> npt.NDArray[np.uint32]:
        """The pairs that this tile reports, as rows of the whole set.

        Parameters
        ----------
        sorted, level, touching
            As of :func:`pairs`.
        threads : int, optional
            By default 1: the tiles are what is divided.
        max_pairs : int
            As of :class:`Detector`.
        """
        detector = Detector(level=level, threads=threads, touching=touching, max_pairs=max_pairs)
        found = detector.pairs(self.shapes, sorted=sorted)
        return self.rows.take(found.take(self._reported(found, 0.0), axis=0))

    def contacts(
        self,
        margin: float = 0.0,
        *,
        sorted: bool = True,
        level: Level | None = None,
        threads: int | None = 1,
        touching: Touching = "inclusive",
        max_contacts: int = 1 << 24,
    ) -> npt.NDArray[Any]:
        """The contacts that this tile reports, as :func:`contacts`, with rows of the whole set.

        ``margin`` is at most the margin of :func:`tiles`.
        """
        margin = size(margin, "margin")
        if margin > self._margin:
            message = f"margin: {margin}, and the tiles were made for {self._margin}"
            raise ShapeError(message, field="margin", value=margin)
        detector = Detector(
            level=level, threads=threads, touching=touching, max_contacts=max_contacts
        )
        found = detector.contacts(self.shapes, margin, sorted=sorted)
        pairs = np.column_stack((found["a"], found["b"]))
        found = found.take(self._reported(pairs, margin))
        for side in ("a", "b"):
            found[side] = self.rows.take(found[side])
        return found

    def _reported(self, pairs: npt.NDArray[np.uint32], margin: float) -> npt.NDArray[np.uint32]:
        return _widephase.reported(native(self.shapes), self._place, margin, pairs)


def tiles(shapes: Shapes, n: int, *, margin: float = 0.0) -> list[Tile]:
    """The plane in parts of about equally many shapes, for processes and machines.

    Each pair is reported by one tile: the one with the lower corner of the intersection of both
    bounding boxes. So the pairs of all tiles together are the pairs of one call.

    Parameters
    ----------
    shapes : Shapes
    n : int
        How many tiles.
    margin : float
        The largest margin of :meth:`Tile.contacts`.

    Returns
    -------
    list of Tile
        Each has a copy of its shapes, with filters and spaces.

    Examples
    --------
    >>> import numpy as np, widephase as wp
    >>> discs = wp.circles(np.random.default_rng(1).random((1000, 2)), 0.02)
    >>> parts = wp.tiles(discs, 4)
    >>> found = np.concatenate([tile.pairs() for tile in parts])
    >>> len(parts), bool((np.unique(found, axis=0) == wp.pairs(discs)).all())
    (4, True)
    """
    given, most = native(shapes), size(margin, "margin")
    origin, parts = _widephase.divided(given, index_of(n, "n", 24), most)
    made: list[Tile] = []
    for sides, owned, ghosts in parts:
        rows = np.concatenate((owned, ghosts))
        order = np.argsort(rows)
        own = order < len(owned)
        made.append(Tile(rows[order], own, shapes[rows[order]], (origin, sides), most))
    return made
