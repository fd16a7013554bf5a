"""``World``: bodies with handles, found at each step, with events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _widephase
from ._arrays import (
    Column,
    Numbers,
    Positions,
    column,
    handle_list,
    limits,
    not_negative,
    number,
    size,
    spread,
    two,
    unsigned,
    whole,
)
from ._errors import ShapeError
from ._index import Index
from ._results import (
    CONTACT,
    CONTACT64,
    PAIR_EVENT,
    SLIDE_HIT,
    STOP_EVENT,
    Lists,
    Slides,
    absolute,
    records,
)
from ._shapes import Shapes, native

if TYPE_CHECKING:
    from ._detector import Level, Touching

__all__ = ["Motion", "Step", "World"]

#: Whether bodies move: static bodies never meet each other; the pairs of sleeping bodies persist.
Motion: TypeAlias = Literal["static", "moving", "asleep"]

_MOTIONS = ("static", "moving", "asleep")


class Step:
    """The results of a step. The arrays may not be written to, and stay as they are."""

    __slots__ = ("_native", "_origin")

    def __init__(self, native: _widephase.Step, origin: tuple[float, float]) -> None:
        self._native = native
        self._origin = origin

    @property
    def started(self) -> npt.NDArray[Any]:
        """The pairs that touch since this step: records of :data:`PAIR_EVENT`, by their rows."""
        return records(self._native.started(), PAIR_EVENT)

    @property
    def persisted(self) -> npt.NDArray[Any]:
        """The pairs that still touch: records of :data:`PAIR_EVENT`."""
        return records(self._native.persisted(), PAIR_EVENT)

    @property
    def stopped(self) -> npt.NDArray[Any]:
        """The pairs that no longer touch: records of :data:`STOP_EVENT`."""
        return records(self._native.stopped(), STOP_EVENT)

    @property
    def pairs(self) -> npt.NDArray[np.uint32]:
        """All pairs of rows, (n, 2), the smaller row first, sorted by the first row, then the
        second."""
        return self._native.pairs().reshape(-1, 2)

    @property
    def contacts(self) -> npt.NDArray[Any]:
        """The contacts of rows: records of :data:`CONTACT`; :data:`CONTACT64` with an origin.

        They are sorted by their rows, and normals lead from the smaller row to the other row.
        """
        origin = None if self._origin == (0.0, 0.0) else self._origin
        return absolute(records(self._native.contacts(), CONTACT), CONTACT64, origin)

    def __repr__(self) -> str:
        lists = (f"{len(getattr(self, name))} {name}" for name in ("started", "stopped", "pairs"))
        return f"<widephase.Step: {', '.join(lists)}>"


class World:
    """Bodies with handles. Each step finds the bodies that touch, and the changes since the last
    step.

    It has no dynamics: move the bodies, then step.

    Parameters
    ----------
    level, threads, touching, max_pairs, max_contacts : optional
        As of :class:`Detector`.
    margin : float
        Contacts are made of bodies that are at most this far apart, too.
    origin : (float, float)
        A world computes in float32, relative to this position. Give a position in the middle of
        data with large coordinates: a position that is ``d`` away from it is rounded by at most ``d
        * 2**-24``.

    A handle is a number of 64 bits, not 0, that names one body for ever. Pairs, contacts and
    queries name bodies by their rows: :meth:`handles_of` turns rows into handles. The row of a body
    stays; once the body is removed, a new body may get the row.

    Examples
    --------
    >>> import widephase as wp
    >>> world = wp.World()
    >>> ball, wall = world.insert(wp.circles([[0.0, 0.0], [5.0, 0.0]], 1.0))
    >>> len(world.step().started)
    0
    >>> world.set_positions([[4.0, 0.0]], handles=[ball])
    >>> step = world.step()
    >>> step.started["a"][0] == ball, step.contacts["depth"].tolist()
    (np.True_, [1.0])
    """

    __slots__ = ("_native", "_options")

    def __init__(
        self,
        *,
        level: Level | None = None,
        threads: int | None = None,
        touching: Touching = "inclusive",
        margin: float = 0.0,
        origin: tuple[float, float] = (0.0, 0.0),
        max_pairs: int = 1 << 27,
        max_contacts: int = 1 << 24,
    ) -> None:
        place = _origin(origin)
        most = limits(max_pairs, max_contacts)
        self._options = (level, threads, *most)
        self._native = _widephase.World(
            level, threads, touching, *most, size(margin, "margin"), place
        )

    @classmethod
    def restore(
        cls,
        snapshot: bytes,
        *,
        level: Level | None = None,
        threads: int | None = None,
        origin: tuple[float, float] | None = None,
        max_pairs: int = 1 << 27,
        max_contacts: int = 1 << 24,
    ) -> World:
        """The world of a :meth:`snapshot`: it goes on bit for bit, with the same handles.

        A snapshot of a world with an origin has it, so that ``origin=`` is only for snapshots that
        another program has made relative to one.

        Raises
        ------
        ValueError
            The bytes are no whole snapshot of this version.
        """
        if not isinstance(snapshot, bytes):
            raise TypeError(f"snapshot: expected bytes, not {type(snapshot).__name__}")
        most = limits(max_pairs, max_contacts)
        made = cls.__new__(cls)
        place = None if origin is None else _origin(origin)
        made._options = (level, threads, *most)
        made._native = _widephase.World.restore(snapshot, level, threads, *most, place)
        return made

    def __copy__(self) -> World:
        made = type(self).__new__(type(self))
        made._options = self._options
        made._native = self._native.copy()
        return made

    def __deepcopy__(self, memo: object) -> World:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.snapshot(), self._options)

    def insert(
        self,
        shapes: Shapes,
        *,
        motion: Motion | npt.ArrayLike = "moving",
        user: npt.ArrayLike = 0,
    ) -> npt.NDArray[np.uint64]:
        """Inserts a body for each shape, all bodies or no body. The shapes are copied.

        Parameters
        ----------
        shapes : Shapes
            The bodies get their filters and spaces.
        motion : {"static", "moving", "asleep"}, or n of them
            Static bodies never meet each other; the pairs of sleeping bodies persist.
        user : n whole numbers from 0, or one
            Values that events hand back.

        Returns
        -------
        n handles, uint64

        Raises
        ------
        ShapeError
            A value that is NaN, infinite or outside of the limits, with row and field.
        """
        asked = native(shapes)
        n = len(asked)
        values = spread(not_negative(whole(user, "user"), "user"), "user", n)
        return self._native.insert(asked, _motions(motion, n), values)

    def remove(self, handles: npt.ArrayLike) -> None:
        """Removes bodies, all bodies or no body. Their pairs stop at the next step."""
        self._native.remove(handle_list(handles))

    def set_positions(
        self, positions: Positions, *, handles: npt.ArrayLike | None = None
    ) -> None:
        """Moves bodies; their rotations stay.

        Parameters
        ----------
        positions : (n, 2) array
        handles : n handles, optional
            By default all bodies, in the order of :attr:`handles`.
        """
        x, y = two(positions, "positions")
        self._native.set_poses(x, y, None, self._named(handles, "positions", x))

    def set_poses(
        self, positions: Positions, angles: Numbers, *, handles: npt.ArrayLike | None = None
    ) -> None:
        """Moves and turns bodies: angles in radians. As :meth:`set_positions`."""
        x, y = two(positions, "positions")
        angle = column(angles, "angle", len(x))
        self._native.set_poses(x, y, angle, self._named(handles, "positions", x))

    def move_and_slide(
        self,
        handles: npt.ArrayLike,
        displacements: Positions,
        *,
        gap: float = 0.01,
        up: tuple[float, float] = (0.0, 1.0),
        max_slope: float = 1.0,
        snap: float = 0.0,
    ) -> Slides:
        """Where bodies end that stop before what they meet, and slide along it.

        It moves nothing: give the positions to :meth:`set_positions`. Each body moves alone, among
        the others as they are now.

        Parameters
        ----------
        handles : n handles
        displacements : (n, 2) array
            The way of each body, if nothing is in it.
        gap : float
            The distance to keep: a hundredth of the size of a body or less.
        up : (float, float)
            The direction that is up, of length 1.
        max_slope : float
            The steepest ground, height by width, on which a body stands and which it climbs.
        snap : float
            How far down a body follows the ground, unless its way leads up.

        Returns
        -------
        Slides
            ``positions, ground, indptr, hits``.

        Examples
        --------
        >>> import widephase as wp
        >>> world = wp.World()
        >>> hero = world.insert(wp.capsules([[0.0, 0.75]], [[0.0, 1.5]], 0.5))
        >>> walls = world.insert(wp.boxes([[-9.0, -1.0], [3.0, 0.0]], [[9.0, 0.0], [4.0, 9.0]]))
        >>> ends = world.move_and_slide(hero, [[5.0, -1.0]])
        >>> ends.positions.round(3).tolist(), ends.hits["ground"].tolist()
        ([[2.49, 0.885]], [True, False])
        >>> world.set_positions(ends.positions, handles=hero)
        """
        named, (dx, dy) = handle_list(handles), two(displacements, "displacements")
        _check_rows("displacements", dx, len(named), "handles")
        x, y = (number(value, "up") for value in up)
        options = (number(gap, "gap"), (x, y), number(max_slope, "max_slope"), number(snap, "snap"))
        positions, ground, indptr, found = self._native.move_and_slide(named, dx, dy, options)
        (body, user), (row, part), (fraction, *normal), position, is_ground = found
        hits = np.empty(len(body), SLIDE_HIT)
        hits["body"], hits["user"], hits["row"], hits["part"] = body, user, row, part
        hits["fraction"], hits["ground"] = fraction, is_ground
        hits["normal"], hits["position"] = np.column_stack(normal), np.column_stack(position)
        return Slides(np.column_stack(positions), ground, indptr, hits)

    def set_velocities(
        self, handles: npt.ArrayLike, velocities: Positions, spin: Numbers = 0.0
    ) -> None:
        """Tells how fast bodies move, for the ``speed`` of events. It moves nothing.

        Parameters
        ----------
        handles : n handles
        velocities : (n, 2) array
            Lengths per unit of time.
        spin : n values, or one for all
            Radians a unit of time.
        """
        x, y = two(velocities, "velocities")
        named = handle_list(handles)
        _check_rows("velocities", x, len(named), "handles")
        self._native.set_velocities(named, x, y, column(spin, "spin", len(x)))

    def set_motion(self, handles: npt.ArrayLike, motion: Motion | npt.ArrayLike) -> None:
        """Sets whether bodies move: see :meth:`insert`."""
        named = handle_list(handles)
        self._native.set_motion(named, _motions(motion, len(named)))

    @property
    def handles(self) -> npt.NDArray[np.uint64]:
        """The handles of all bodies, in ascending order of their rows.

        Rows of removed bodies are left out: see :meth:`handles_of`.
        """
        return self._native.handles()

    def handles_of(self, rows: npt.ArrayLike) -> npt.NDArray[np.uint64]:
        """The handles of the bodies that are now in these rows.

        Parameters
        ----------
        rows : whole numbers from 0, in any shape
            Such as the ``pairs`` of a step, the ``a`` of its contacts, or an answer of
            :meth:`index`.

        Returns
        -------
        handles, uint64, in the same shape
            0, which is no handle, where a row has no body; also for :data:`NO_ROW`.

        Examples
        --------
        >>> import widephase as wp
        >>> world = wp.World()
        >>> a, b, c = world.insert(wp.circles([[0.0, 0.0], [5.0, 0.0], [6.0, 0.0]], 1.0))
        >>> world.remove([a])
        >>> pairs = world.step().pairs
        >>> pairs.tolist()
        [[1, 2]]
        >>> (world.handles_of(pairs) == [[b, c]]).all(), world.handles_of(0)
        (np.True_, array(0, dtype=uint64))
        """
        array = whole(rows, "rows")
        handles = self._native.handles_of(unsigned(array.reshape(-1), "rows"))
        return handles.reshape(array.shape)

    @property
    def positions(self) -> npt.NDArray[np.float64]:
        """The positions of all bodies, (n, 2), in the order of :attr:`handles`."""
        return self.positions_of(None)

    def positions_of(self, handles: npt.ArrayLike | None) -> npt.NDArray[np.float64]:
        """The positions of some bodies, (n, 2)."""
        named = None if handles is None else handle_list(handles)
        return self._native.positions(named)

    def angles_of(self, handles: npt.ArrayLike | None = None) -> npt.NDArray[np.float32]:
        """The rotations of some bodies, or of all, in radians."""
        named = None if handles is None else handle_list(handles)
        cos, sin = self._native.turns(named).T
        angles: npt.NDArray[np.float32] = np.arctan2(sin, cos)
        return angles

    def _named(
        self, handles: npt.ArrayLike | None, field: str, values: Column
    ) -> npt.NDArray[np.uint64] | None:
        """The handles of some bodies, or no handles for all bodies, beside a value for each."""
        named = None if handles is None else handle_list(handles)
        expected, of = (len(self), "bodies") if named is None else (len(named), "handles")
        _check_rows(field, values, expected, of)
        return named

    def step(self, *, persisted: bool = True) -> Step:
        """Finds the bodies that touch now, and the changes since the last step.

        ``persisted=False`` leaves out that list, which has nearly all pairs where little changes.
        """
        return Step(self._native.step(bool(persisted)), self._native.origin)

    def index(self) -> Index:
        """An :class:`Index` of all bodies as they are now; rows are the rows of the world."""
        return Index._of(self._native.index())

    def islands(self) -> Lists:
        """The groups of moving bodies that contacts of the last step connect: lists of rows."""
        return Lists(*self._native.islands())

    def snapshot(self) -> bytes:
        """The world as bytes: see :meth:`restore`.

        >>> import widephase as wp
        >>> world = wp.World()
        >>> handles = world.insert(wp.points([[0.0, 0.0]]))
        >>> wp.World.restore(world.snapshot()).state_hash() == world.state_hash()
        True
        """
        return self._native.snapshot()

    def state_hash(self) -> int:
        """A hash of a snapshot: equal after equal calls, on any machine."""
        return self._native.state_hash()

    @property
    def bytes(self) -> int:
        """The memory that the world takes."""
        return self._native.bytes()

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        return f"<widephase.World: {len(self)} bodies>"


def _restored(snapshot: bytes, options: tuple[Any, ...]) -> World:
    """A world that was pickled."""
    level, threads, max_pairs, max_contacts = options
    return World.restore(
        snapshot, level=level, threads=threads, max_pairs=max_pairs, max_contacts=max_contacts
    )


def _check_rows(field: str, values: Column, expected: int, of: str) -> None:
    if len(values) != expected:
        raise ShapeError(f"{field}: {len(values)} rows instead of {expected} {of}", field=field)


def _origin(origin: tuple[float, float]) -> tuple[float, float]:
    x, y = (number(value, "origin") for value in origin)
    if not (np.isfinite(x) and np.isfinite(y)):
        raise ShapeError("origin: not finite", field="origin")
    return x, y


def _motions(motion: Motion | npt.ArrayLike, length: int) -> npt.NDArray[np.uint8]:
    names = np.asarray(motion)
    codes = np.full(names.shape, 255, np.uint8)
    for code, name in enumerate(_MOTIONS):
        codes[names == name] = code
    if (codes == 255).any():
        row = int(np.flatnonzero(codes.reshape(-1) == 255)[0])
        message = f"motion: expected one of {', '.join(_MOTIONS)}"
        raise ShapeError(message, row=row if names.ndim else None, field="motion")
    return np.ascontiguousarray(spread(codes, "motion", length))
