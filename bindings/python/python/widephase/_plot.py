"""Pictures of shapes, pairs, contacts and scans, with matplotlib."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import numbers, pair_list
from ._errors import ShapeError
from ._index import Fan
from ._results import Scan
from ._shapes import Shapes, native

__all__ = ["plot"]

#: The vertices of a circle that is drawn.
_CORNERS = 64


def plot(
    ax: Any,
    shapes: Shapes | None = None,
    *,
    pairs: npt.ArrayLike | None = None,
    contacts: npt.NDArray[Any] | None = None,
    scan: tuple[Fan, npt.ArrayLike, Scan] | None = None,
    **style: Any,
) -> Any:
    """Draws shapes, their pairs and contacts, and scans on axes of matplotlib.

    Parameters
    ----------
    ax : matplotlib.axes.Axes, or None for the current axes
    shapes : Shapes, optional
        Of any kinds.
    pairs : (n, 2) array of rows of the shapes, optional
        A line from the middle of one shape to the middle of the other.
    contacts : structured array, :data:`CONTACT` or :data:`CONTACT64`, optional
        A point for each point, with the normal.
    scan : (fan, poses, scan), optional
        The rays of ``scan = index.scan(fan, poses)``, as far as they go, with points where they hit.
    **style
        Of the shapes, as of ``matplotlib.collections.PathCollection``: ``facecolor``,
        ``edgecolor``, ``alpha``, ``linewidth``, ``zorder``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with equal scales in x and y.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import matplotlib.pyplot as plt, widephase as wp
    >>> figure, ax = plt.subplots()
    >>> discs = wp.circles([[0.0, 0.0], [1.5, 0.0], [9.0, 0.0]], 1.0)
    >>> ax = wp.plot(ax, discs, pairs=wp.pairs(discs), contacts=wp.contacts(discs), alpha=0.4)
    >>> len(ax.collections), ax.get_aspect()
    (4, 1.0)
    >>> plt.close(figure)
    """
    if ax is None:
        ax = import_module("matplotlib.pyplot").gca()
    collections: Any = import_module("matplotlib.collections")
    middles = None
    if shapes is not None:
        middles = _draw(ax, collections, shapes, style)
    elif pairs is not None:
        raise TypeError("pairs: expected shapes, too")
    if pairs is not None and middles is not None:
        lines = middles[pair_list(pairs).astype(np.intp)]
        ax.add_collection(collections.LineCollection(lines, colors="0.2", linewidths=1.0, zorder=3))
    if contacts is not None:
        _draw_contacts(ax, contacts)
    if scan is not None:
        _draw_scan(ax, collections, *scan)
    ax.set_aspect("equal")
    ax.autoscale_view()
    return ax


def _draw(
    ax: Any, collections: Any, shapes: Shapes, style: dict[str, Any]
) -> npt.NDArray[np.float64]:
    """Draws shapes, and returns the middle of each."""
    rows, counts, radii, vertices = native(shapes).parts()
    ends = np.cumsum(counts)
    parts = np.split(vertices, ends[:-1]) if len(ends) > 0 else []
    angles = np.linspace(0.0, 2.0 * np.pi, _CORNERS, endpoint=False)
    around = np.column_stack((np.cos(angles), np.sin(angles)))
    path: Any = import_module("matplotlib.path").Path
    # One path for all parts of a row, so that they have no seams.
    areas: dict[int, list[Any]] = {}
    lines: list[npt.NDArray[Any]] = []
    dots: list[npt.NDArray[Any]] = []
    for row, part, radius in zip(rows.tolist(), parts, radii.tolist()):
        if radius == np.inf:
            (at, (x, y)) = part
            ax.axline(at, at + np.array([-y, x]), color=style.get("edgecolor", "C0"))
        elif radius > 0.0:
            # In each direction, the vertex that is furthest, and the radius.
            furthest = (around @ part.T).argmax(axis=1)
            part = part[furthest] + radius * around
        if len(part) > 2:
            areas.setdefault(row, []).append(path(np.concatenate((part, part[:1])), closed=True))
        elif radius == 0.0:
            (lines if len(part) == 2 else dots).append(part)
    if areas:
        paths = [path.make_compound_path(*of_row) for of_row in areas.values()]
        given = {"alpha": 0.5, "linewidth": 0.0} | style
        ax.add_collection(collections.PathCollection(paths, **given))
    if lines:
        color = style.get("edgecolor", "C0")
        ax.add_collection(collections.LineCollection(lines, colors=color))
    if dots:
        ax.scatter(*np.concatenate(dots).T, s=9.0, color=style.get("facecolor", "C0"))
    low = np.full((len(shapes), 2), np.inf)
    high = -low
    bounded = np.repeat(radii != np.inf, counts)
    of = np.repeat(rows, counts)[bounded].astype(np.intp)
    np.minimum.at(low, of, vertices[bounded])
    np.maximum.at(high, of, vertices[bounded])
    low[low > high] = np.nan
    middles: npt.NDArray[np.float64] = (low + high) / 2.0
    return middles


def _draw_contacts(ax: Any, contacts: npt.NDArray[Any]) -> None:
    if contacts.dtype.names is None or "points" not in contacts.dtype.names:
        raise ShapeError("contacts: expected the array of contacts()", field="contacts")
    used = np.arange(2) < contacts["count"][:, None]
    x, y = contacts["points"]["position"][used].T
    normal_x, normal_y = np.repeat(contacts["normal"], contacts["count"], axis=0).T
    ax.scatter(x, y, s=12.0, color="C3", zorder=4)
    ax.quiver(x, y, normal_x, normal_y, color="C3", width=0.003, zorder=4)


def _draw_scan(ax: Any, collections: Any, fan: Fan, poses: npt.ArrayLike, scan: Scan) -> None:
    at = numbers(poses, "poses").astype(np.float64)
    heading = at[:, 2:3] if at.shape[1] == 3 else np.zeros((len(at), 1))
    angles = heading + fan.angles()
    hit = np.isfinite(scan.range)
    # A ray without an end is drawn as far as the others.
    most = fan.max_range if np.isfinite(fan.max_range) else scan.range[hit].max(initial=1.0)
    length = np.where(hit, scan.range, most)[..., None]
    begin = np.broadcast_to(at[:, None, :2], (*angles.shape, 2))
    end = begin + length * np.stack((np.cos(angles), np.sin(angles)), axis=-1)
    rays = np.stack((begin, end), axis=2).reshape(-1, 2, 2)
    ax.add_collection(collections.LineCollection(rays, colors="C1", linewidths=0.4, alpha=0.6))
    ax.scatter(*end[hit].T, s=4.0, color="C1", zorder=3)
