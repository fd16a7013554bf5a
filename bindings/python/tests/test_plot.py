"""Pictures: what is drawn, and where."""

from __future__ import annotations

import numpy as np
import pytest

import widephase as wp

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture
def ax():
    figure, ax = plt.subplots()
    yield ax
    figure.canvas.draw()
    plt.close(figure)


def extents(ax) -> list[list[float]]:
    return [path.get_extents().extents.round(6).tolist() for path in ax.collections[0].get_paths()]


def test_shapes_are_drawn_where_they_are(ax):
    square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    sets = [
        wp.circles([[1.0, 2.0]], 3.0),
        wp.boxes([[4500000.0, 0.0]], [[4500001.0, 2.0]]),
        wp.rounded_boxes([[0.0, 0.0]], [[1.0, 2.0]], 0.5),
        wp.obbs([[0.0, 0.0]], (2.0, 1.0), np.pi / 2),
        wp.capsules([[0.0, 0.0]], [[4.0, 0.0]], 1.0),
        wp.polygons([square + 5], radius=1.0),
        wp.outlines([[square * 2, square + 1]]),
        wp.compounds([wp.circles([[0.0, 0.0], [4.0, 0.0]], 1.0)]),
    ]
    expected = [
        [-2, -1, 4, 5], [4500000, 0, 4500001, 2], [-0.5, -0.5, 1.5, 2.5], [-1, -2, 1, 2],
        [-1, -1, 5, 1], [4, 4, 8, 8], [0, 0, 4, 4], [-1, -1, 5, 1],
    ]  # fmt: skip
    for shapes, box in zip(sets, expected):
        ax.clear()
        assert wp.plot(ax, shapes, facecolor="tab:red") is ax
        np.testing.assert_allclose(extents(ax), [box], atol=1e-5)
    ax.clear()
    wp.plot(ax, wp.concat([wp.segments([[0.0, 0.0]], [[3.0, 4.0]]), wp.half_planes([[0.0, -1.0]], [0.0, 1.0])]))
    assert [tuple(line.get_xy1()) for line in ax.lines] == [(0.0, -1.0)]
    ax.clear()
    wp.plot(ax, wp.points([[1.0, 2.0], [3.0, 4.0]]))
    assert ax.collections[0].get_offsets().tolist() == [[1.0, 2.0], [3.0, 4.0]]
    ax.clear()
    wp.plot(ax, wp.points(np.empty((0, 2))))
    assert not ax.collections


def test_pairs_contacts_and_scans(ax):
    discs = wp.circles([[0.0, 0.0], [1.5, 0.0], [9.0, 0.0]], 1.0)
    wp.plot(ax, discs, pairs=wp.pairs(discs), contacts=wp.contacts(discs))
    shapes, lines, points, arrows = ax.collections
    assert len(shapes.get_paths()) == 3
    np.testing.assert_allclose(lines.get_segments(), [[[0, 0], [1.5, 0]]])
    assert points.get_offsets().tolist() == [[0.75, 0.0]] and arrows.N == 1
    ax.clear()
    fan, poses = wp.Fan(4, max_range=5.0), [[5.0, 0.0, 0.0]]
    wp.plot(ax, scan=(fan, poses, wp.Index(discs).scan(fan, poses)))
    rays, hits = ax.collections
    assert len(rays.get_segments()) == 4
    np.testing.assert_allclose(hits.get_offsets(), [[8.0, 0.0], [2.5, 0.0]], atol=1e-6)
    with pytest.raises(TypeError):
        wp.plot(ax, pairs=[[0, 1]])
    with pytest.raises(wp.ShapeError):
        wp.plot(ax, contacts=np.zeros(3))
