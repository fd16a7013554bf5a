"""scipy's own tests of ``query``, ``query_ball_point`` and ``query_pairs``, run against ``KDTree``.

They come with scipy and are run from there. Tests with points in the plane are run as they are.
Tests with more dimensions are run with the first two of their coordinates: where a test has a
reference of its own, its data are cut; where it compares calls of the tree with each other, the
tree cuts them.
"""

from __future__ import annotations

import numpy as np
import pytest

import widephase as wp

kdtree = pytest.importorskip("scipy.spatial.tests.test_kdtree")


class Plane(wp.KDTree):
    """Accepts the arguments that scipy's tests pass, and has the attributes that they read beside
    the three calls."""

    def query_ball_tree(self, other, r):
        return self.query_ball_point(other.data, r).tolist() if self.n else []


class Cut(Plane):
    """A tree of the first two coordinates."""

    def __init__(self, data, **options):
        super().__init__(np.asarray(data)[:, :2], **options)

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
]

# Whole tests that have no reference but the tree.
CUT = [
    kdtree.test_random_ball_vectorized,
    kdtree.test_onetree_query,
    kdtree.test_short_knn,
    kdtree.test_query_ball_point_vector_r,
    kdtree.test_query_ball_point_length,
    kdtree.test_discontiguous,
]


@pytest.mark.parametrize("test", PLANE, ids=lambda test: test.__name__)
def test_in_the_plane(test):
    test(Plane)


@pytest.mark.parametrize("test", CUT, ids=lambda test: test.__name__)
def test_with_two_of_the_coordinates(test):
    test(Cut)


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


def test_empty_and_not_finite():
    tree = Plane(np.empty((0, 2)))
    assert tree.query_ball_point(np.ones((1, 2)), 0.3, return_length=True) == 0
    distance, row = tree.query(np.ones((2, 2)), 2)
    assert row.shape == (2, 2) and np.isinf(distance).all()
    with pytest.raises(ValueError, match="must be finite"):
        Plane([[np.nan, 0.0]])
    for call in (lambda tree: tree.query([np.nan, 0]), lambda tree: tree.query_ball_point([np.inf, 0], 1)):
        with pytest.raises(ValueError, match="must be finite"):
            call(Plane([[0.0, 0.0]]))


def test_no_test_of_scipy_is_forgotten():
    """The tests of the three calls in this version of scipy are all named here."""
    named = {test.__name__ for test in (*PLANE, *CUT)}
    other = {
        # Other calls, other norms, periodic trees, details of scipy's nodes.
        "test_kdtree_box", "test_kdtree_box_0boxsize", "test_kdtree_box_upper_bounds",
        "test_kdtree_box_lower_bounds", "test_kdtree_build_modes", "test_kdtree_pickle",
        "test_kdtree_pickle_boxsize", "test_kdtree_copy_data", "test_ckdtree_parallel",
        "test_ckdtree_view", "test_ckdtree_memuse", "test_kdtree_weights", "test_kdtree_comparisons",
        "test_kdtree_count_neighbous_multiple_r", "test_kdtree_duplicated_inputs",
        "test_kdtree_noncumulative_nondecreasing", "test_kdtree_complex_data", "test_kdtree_tree_access",
        "test_kdtree_attributes", "test_kdtree_count_neighbors_weighted", "test_distance_l2",
        "test_distance_l1", "test_distance_linf", "test_distance_vectorization", "test_distance_matrix",
        "test_distance_matrix_looping", "test_gh_18800",
        # These calls, among others, are rewritten above or below.
        "test_len0_arrays", "test_kdtree_empty_input", "test_kdtree_nan", "test_nonfinite_inputs_gh_18223",
    }
    present = {name for name in vars(kdtree) if name.startswith("test_")}
    assert present - named - other == set()


def test_len0_arrays():
    rng = np.random.RandomState(1234)
    x, y = rng.rand(10, 2), rng.rand(10, 2)
    tree = Plane(x)
    distance, _ = tree.query([0.5, 0.5], k=1)
    assert tree.query_ball_point([0.5, 0.5], 0.1 * distance) == []
    distance, _ = tree.query(y, k=1)
    assert tree.query_ball_point(y, 0.1 * distance.min()).tolist() == [[]] * 10
    distance, _ = tree.query(x, k=2)
    assert tree.query_pairs(0.1 * distance[:, -1].min()) == set()
    assert tree.query_pairs(0.1 * distance[:, -1].min(), output_type="ndarray").shape == (0, 2)


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
