"""scipy's own tests of ``query``, ``query_pairs``, ``query_ball_point``, ``query_ball_tree``,
``count_neighbors`` and ``sparse_distance_matrix``, with ``boxsize`` and without, against ``KDTree``.

They come with scipy and are run from there. Tests with points in the plane are run as they are.
Tests with more dimensions are run with the first two of their coordinates: where a test has a
reference of its own, its data are cut; where it compares calls of the tree with each other, the
tree cuts them. Where a test goes through several norms, the other norms are asked of scipy.
"""

from __future__ import annotations

import numpy as np
import pytest

import widephase as wp

kdtree = pytest.importorskip("scipy.spatial.tests.test_kdtree")


Plane = wp.KDTree


class AnyNorm(wp.KDTree):
    """Other norms than the Euclidean one are scipy's own."""

    def query(self, x, k=1, eps=0, p=2, **named):
        if p != 2:
            return kdtree.KDTree(self.data, boxsize=self.boxsize).query(x, k, eps, p, **named)
        return super().query(x, k, eps, p, **named)


class Cut(AnyNorm):
    """A tree of the first two coordinates."""

    def __init__(self, data, *options, **named):
        super().__init__(np.asarray(data)[:, :2], *options, **named)

    def query(self, x, *args, **named):
        return super().query(x if np.ndim(x) == 0 else np.asarray(x)[..., :2], *args, **named)

    def query_ball_point(self, x, *args, **named):
        return super().query_ball_point(np.asarray(x)[..., :2], *args, **named)


# Whole tests with data in the plane.
PLANE = [
    kdtree.test_query_ball_point_multithreading,
    kdtree.test_query_pairs_single_node,
    kdtree.test_kdtree_query_pairs,
    kdtree.test_query_pairs_eps,
    kdtree.test_ball_point_ints,
    kdtree.test_kdtree_list_k,
    kdtree.test_kdtree_count_neighbous_multiple_r,
    kdtree.test_len0_arrays,
    kdtree.test_kdtree_box_0boxsize,
    kdtree.test_kdtree_box_upper_bounds,
    kdtree.test_kdtree_box_lower_bounds,
    kdtree.test_gh_18800,
]

# Whole tests that have no reference but the tree.
CUT = [
    kdtree.test_random_ball_vectorized,
    kdtree.test_onetree_query,
    kdtree.test_short_knn,
    kdtree.test_query_ball_point_vector_r,
    kdtree.test_query_ball_point_length,
    kdtree.test_discontiguous,
    kdtree.test_kdtree_build_modes,
    kdtree.test_kdtree_pickle,
    kdtree.test_kdtree_pickle_boxsize,
    kdtree.test_kdtree_copy_data,
]

# Whole tests that take the tree from the names of scipy's module.
NAMED = [
    kdtree.test_kdtree_nan,
    kdtree.test_nonfinite_inputs_gh_18223,
]


@pytest.mark.parametrize("test", PLANE, ids=lambda test: test.__name__)
def test_in_the_plane(test):
    test(AnyNorm)


@pytest.mark.parametrize("test", CUT, ids=lambda test: test.__name__)
def test_with_two_of_the_coordinates(test):
    test(Cut)


@pytest.mark.parametrize("test", NAMED, ids=lambda test: test.__name__)
def test_that_names_the_tree(test, monkeypatch):
    monkeypatch.setattr(kdtree, "KDTree", Cut)
    test()


def test_box(monkeypatch):
    simulate = kdtree.simulate_periodic_box
    cut_images = lambda tree, data, *rest, **named: simulate(tree, data[:, :2], *rest, **named)
    monkeypatch.setattr(kdtree, "simulate_periodic_box", cut_images)
    kdtree.test_kdtree_box(Cut)


def test_workers(monkeypatch):
    kdtree.test_ckdtree_parallel(Cut, monkeypatch)


@pytest.mark.parametrize("balanced_tree", [True, False])
@pytest.mark.parametrize("compact_nodes", [True, False])
def test_empty(balanced_tree, compact_nodes):
    kdtree.test_kdtree_empty_input(Cut, balanced_tree, compact_nodes)


def cut(case: object) -> None:
    """Leaves two coordinates of the data of a test case."""
    case.data = case.data[:, :2]
    case.m = 2
    case.x = case.x[..., :2]
    if hasattr(case, "kdtree"):
        # The tests of points nearby compare distances with d and with the square of d.
        case.d = 1.0


class OnlyEuclidean:
    def test_points_near_l1(self):
        pytest.skip("not Euclidean")

    def test_points_near_linf(self):
        pytest.skip("not Euclidean")


class TestRandom(OnlyEuclidean, kdtree._Test_random):
    kdtree_type = Cut

    def setup_method(self):
        super().setup_method()
        cut(self)


class TestRandomFar(OnlyEuclidean, kdtree._Test_random_far):
    kdtree_type = Cut

    def setup_method(self):
        super().setup_method()
        cut(self)


class TestSmall(OnlyEuclidean, kdtree._Test_small):
    """A square, twice: its corners are each there two times."""

    kdtree_type = Plane

    def setup_method(self):
        self.data = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
        self.kdtree = Plane(self.data)
        self.n, self.m, self.d, self.k = 4, 2, 0.5, 4
        self.x = np.random.default_rng(1234).normal(size=2)

    def test_nearest(self):
        np.testing.assert_array_equal(self.kdtree.query((0, 0.1), 1), (0.1, 0))

    def test_nearest_two(self):
        np.testing.assert_array_equal(self.kdtree.query((0, 0.1), 2), ([0.1, 0.9], [0, 1]))


class TestVectorization(kdtree.Test_vectorization_KDTree):
    def setup_method(self):
        super().setup_method()
        self.kdtree = Cut(self.data)


class Ball:
    def setup_method(self):
        super().setup_method()
        cut(self)
        self.T = Plane(self.data)


class TestBall(Ball, kdtree._Test_random_ball):
    kdtree_type = Cut


class TestBallFar(Ball, kdtree._Test_random_ball_far):
    kdtree_type = Cut


class TestBallApprox(Ball, kdtree._Test_random_ball_approx):
    kdtree_type = Cut


class PeriodicBall(Ball):
    def setup_method(self):
        super().setup_method()
        self.T = Plane(self.data, boxsize=1)


class TestBallPeriodic(PeriodicBall, kdtree._Test_random_ball_periodic):
    kdtree_type = Cut


class TestBallFarPeriodic(PeriodicBall, kdtree._Test_random_ball_far_periodic):
    kdtree_type = Cut


class TwoTrees:
    def setup_method(self):
        super().setup_method()
        self.data1, self.data2 = self.data1[:, :2], self.data2[:, :2]
        self.m = 2


class TestTwoTrees(TwoTrees, kdtree._Test_two_random_trees):
    kdtree_type = Cut


class TestTwoTreesFar(TwoTrees, kdtree._Test_two_random_trees_far):
    kdtree_type = Cut


class TestTwoTreesPeriodic(TwoTrees, kdtree._Test_two_random_trees_periodic):
    kdtree_type = Cut


class TestTwoTreesFarPeriodic(TwoTrees, kdtree._Test_two_random_trees_far_periodic):
    kdtree_type = Cut


class TestSparseDistanceMatrix(TwoTrees, kdtree._Test_sparse_distance_matrix):
    kdtree_type = Cut


class TestCountNeighbors(kdtree._Test_count_neighbors):
    kdtree_type = Plane


def test_weights_are_those_of_scipy(rng):
    ours, theirs = [], []
    data = rng.random((7, 2)), rng.random((15, 2))
    weights, r = (rng.random(7), rng.random(15)), np.arange(0.05, 1, 0.05)
    for tree, answers in ((Plane, ours), (kdtree.KDTree, theirs)):
        for box in ({}, {"boxsize": 1.0}, {"boxsize": (0.0, 1.5)}):
            a, b = (tree(points, **box) for points in data)
            for cumulative in (True, False):
                answers += [
                    a.count_neighbors(b, r, weights=weights, cumulative=cumulative),
                    a.count_neighbors(b, r, cumulative=cumulative),
                    a.count_neighbors(b, r, weights=(None, weights[1]), cumulative=cumulative),
                    a.count_neighbors(a, r, weights=weights[0], cumulative=cumulative),
                    [a.count_neighbors(b, 0.25), a.count_neighbors(b, 0.25, weights=weights)],
                ]
            with pytest.raises(ValueError):
                a.count_neighbors(b, r, weights=weights[0])
            with pytest.raises(ValueError):
                a.count_neighbors(b, r, weights=(weights[1], weights[0]))
            with pytest.raises(ValueError):
                a.count_neighbors(b, [0.1, 0.0], cumulative=False)
    for one, other in zip(ours, theirs):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def test_only_names_of_scipy_are_taken():
    with pytest.raises(TypeError):
        Plane([[0.0, 0.0]], boxsise=10)
    for boxsize in (-1.0, np.inf, np.nan, (1.0, 2.0, 3.0)):
        with pytest.raises(ValueError):
            Plane([[0.0, 0.0]], boxsize=boxsize)
    for outside in ([-0.5, 0.0], [10.0, 0.0], [10.2, 0.0], [0.0, 11.0]):
        with pytest.raises(ValueError):
            Plane([outside], boxsize=10)


def test_attributes_are_those_of_scipy(rng):
    points = rng.random((20, 2))
    theirs, ours = kdtree.cKDTree(points, 5, boxsize=[1.0, 2.0]), wp.KDTree(points, 5, boxsize=[1.0, 2.0])
    for name in ("data", "leafsize", "n", "m", "maxes", "mins", "boxsize"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
    for name in ("indices", "size", "tree"):
        assert hasattr(theirs, name)
        with pytest.raises(AttributeError, match=f"{name}: .* has no nodes"):
            getattr(ours, name)


def test_no_test_of_scipy_is_forgotten():
    """The tests of the three calls in this version of scipy are all named here."""
    named = {test.__name__ for test in (*PLANE, *CUT, *NAMED)}
    named |= {"test_kdtree_box", "test_ckdtree_parallel", "test_kdtree_empty_input"}
    other = {
        # Other dimensions with references of their own: rewritten above and below.
        "test_kdtree_complex_data",
        "test_kdtree_weights", "test_kdtree_count_neighbors_weighted",
        "test_kdtree_noncumulative_nondecreasing",
        # Details of scipy's nodes, memory, and functions that need no tree.
        "test_ckdtree_view", "test_ckdtree_memuse", "test_kdtree_comparisons",
        "test_kdtree_duplicated_inputs", "test_kdtree_tree_access", "test_kdtree_attributes",
        "test_distance_l2", "test_distance_l1", "test_distance_linf", "test_distance_vectorization",
        "test_distance_matrix", "test_distance_matrix_looping",
    }
    present = {name for name in vars(kdtree) if name.startswith("test_")}
    assert present - named - other == set()


def test_complex_data():
    points = np.ones((3, 2))
    for call in (Plane, Plane(points).query, lambda x: Plane(points).query_ball_point(x, r=1)):
        with pytest.raises(TypeError, match="complex data"):
            call(points * 1j)


def test_sorted_query_ball_point():
    points = np.column_stack((np.random.default_rng(1).normal(size=100), np.zeros(100)))
    for rows in Plane(points).query_ball_point(points, 1.0, return_sorted=True):
        assert rows == sorted(rows)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6])
def test_random_answers_are_those_of_scipy(scale, rng):
    data = rng.normal(size=(2000, 2)) * scale
    theirs, ours = kdtree.KDTree(data), Plane(data)
    asked = rng.normal(size=(300, 2)) * scale
    np.testing.assert_array_equal(ours.query(asked, 4)[1], theirs.query(asked, 4)[1])
    bounded = [tree.query(asked, 4, distance_upper_bound=0.02 * scale) for tree in (ours, theirs)]
    np.testing.assert_array_equal(bounded[0][1], bounded[1][1])
    assert ours.query_pairs(0.03 * scale) == theirs.query_pairs(0.03 * scale)
    radius = rng.uniform(0.0, 0.1, 300) * scale
    for one, other in zip(ours.query_ball_point(asked, radius), theirs.query_ball_point(asked, radius)):
        assert one == sorted(other)


@pytest.mark.parametrize("boxsize", [7.0, (7.0, 3.0), (7.0, 0.0), (0.0, 3.0), (0.0, 0.0)])
def test_random_answers_in_a_box_are_those_of_scipy(boxsize, rng):
    sides = np.broadcast_to(boxsize, 2)
    data = rng.uniform(0.0, 1.0, (500, 2)) * np.where(sides > 0.0, sides, 9.0)
    theirs, ours = (tree(data, boxsize=boxsize) for tree in (kdtree.KDTree, Plane))
    # Anywhere, also on the sides.
    asked = np.concatenate((rng.uniform(-30.0, 30.0, (300, 2)), [[0.0, 0.0], [7.0, 3.0], [-7.0, 3.5]]))
    for k in (1, 4, 500, 503, [1, 3]):
        one, other = (tree.query(asked, k) for tree in (ours, theirs))
        np.testing.assert_allclose(one[0], other[0], rtol=1e-13, atol=1e-14)
        np.testing.assert_array_equal(one[1], other[1])
    bounded = [tree.query(asked, 4, distance_upper_bound=0.1) for tree in (ours, theirs)]
    np.testing.assert_array_equal(bounded[0][1], bounded[1][1])
    for r in (0.0, 0.5, 2.0, 3.6, 50.0, np.inf):
        assert ours.query_pairs(r) == theirs.query_pairs(r)
        rows = [tree.query_ball_point(asked, r) for tree in (ours, theirs)]
        assert rows[0].tolist() == [sorted(found) for found in rows[1]]
        np.testing.assert_array_equal(ours.count_neighbors(ours, r), theirs.count_neighbors(theirs, r))
    one, other = (tree.sparse_distance_matrix(tree, 1.5).toarray() for tree in (ours, theirs))
    np.testing.assert_allclose(one, other, rtol=1e-13, atol=1e-14)
    radius = rng.uniform(0.0, 2.0, len(asked))
    lengths = [tree.query_ball_point(asked, radius, return_length=True) for tree in (ours, theirs)]
    np.testing.assert_array_equal(*lengths)


@pytest.mark.parametrize("box", (None, 1.0, (1.0, 0.0), (0.5, 2.0)))
def test_one_point_beside_scipy(box, rng):
    """Queries of one point, which take no arrays: the answers and their types."""
    for n in (1, 3, 60):
        data = rng.random((n, 2)) * np.where(np.broadcast_to(box or 1.0, 2) > 0, np.broadcast_to(box or 1.0, 2), 1.0)
        ours, theirs = wp.KDTree(data, boxsize=box), kdtree.KDTree(data, boxsize=box)
        for at in np.concatenate((rng.normal(size=(40, 2)), data[:1], [[0.0, 0.0]])):
            for asked in (at, at.tolist(), tuple(at.tolist()), at.astype(np.float32).astype(np.float64)):
                for k in (1, 2, 5):
                    for bound in (np.inf, 0.3):
                        found = ours.query(asked, k, distance_upper_bound=bound)
                        expected = theirs.query(asked, k, distance_upper_bound=bound)
                        np.testing.assert_allclose(found[0], expected[0], rtol=1e-12, atol=1e-15)
                        np.testing.assert_array_equal(found[1], expected[1])
                        assert type(found[0]) is type(np.asarray(expected[0])[()]) and np.shape(found[1]) == np.shape(expected[1])
                for r in (0, 0.1, 0.4, 1.5, np.inf):
                    assert ours.query_ball_point(asked, r) == sorted(theirs.query_ball_point(asked, r))
                    assert ours.query_ball_point(asked, r, return_length=True) == theirs.query_ball_point(asked, r, return_length=True)
    for wrong in ([np.nan, 0.0], [np.inf, 0.0], [1.0, 2.0, 3.0]):
        with pytest.raises(ValueError):
            ours.query(wrong)
        with pytest.raises(ValueError):
            ours.query_ball_point(wrong, 1.0)


@pytest.mark.parametrize("box", (None, 1.0, (1.0, 0.0)))
def test_many_points_beside_scipy(box, rng):
    data, asked = rng.random((80, 2)), rng.normal(size=(50, 2))
    ours, theirs = wp.KDTree(data, boxsize=box), kdtree.KDTree(data, boxsize=box)
    for r in (0.05, 0.3, 0.7, np.inf):
        found, expected = ours.query_ball_point(asked, r), theirs.query_ball_point(asked, r, return_sorted=True)
        assert found.dtype == object and found.tolist() == expected.tolist()
        assert ours.query_pairs(min(r, 9.0)) == theirs.query_pairs(min(r, 9.0))
        pairs = ours.query_pairs(min(r, 9.0), output_type="ndarray")
        assert {tuple(pair) for pair in pairs.tolist()} == ours.query_pairs(min(r, 9.0)) and pairs.dtype == np.intp
