//! The counts of scipy and shapely for the same values: `counts.py` makes them.

use widephase::{
    Adjacency, Lists, Pair,
    doubles::{DoubleColumns, DoubleDetector, DoubleIndex},
};

use crate::seeded::{UTM, points, units};

/// Pairs of points within a distance, by both calls.
fn within(points: &[[f64; 2]], distance: f64) -> u64 {
    let mut detector = DoubleDetector::new();
    let circles = DoubleColumns::circles_at(points, distance * 0.5).unwrap();
    let count = detector.count(circles).unwrap();
    let (mut lists, points) = (Lists::new(), DoubleColumns::points_at(points).unwrap());
    detector.neighbors(points, distance, Adjacency::Half, &mut lists).unwrap();
    assert_eq!(lists.items().len() as u64, count);
    count
}

#[test]
fn as_many_points_as_scipy_finds() {
    assert_eq!(within(&points(1_000_000, UTM, 16_000.0), 2.0), 24_463);
    for origin in [0.0, 1e5, 4e6, 1e12] {
        let points = points(100_000, [origin, -origin], 450.0);
        assert_eq!(within(&points, 0.8), 49_812, "{origin}");
    }
}

#[test]
fn as_many_boxes_as_shapely_finds() {
    let low = points(1_000_000, UTM, 8_000.0);
    let [min_x, min_y] =
        [0, 1].map(|axis: usize| low.iter().map(|at| at[axis]).collect::<Vec<_>>());
    let high = |low: &[f64], seed: u64| {
        low.iter().zip(units(seed, 1_000_000)).map(|(low, by)| low + by * 12.0).collect::<Vec<_>>()
    };
    let (max_x, max_y) = (high(&min_x, 3), high(&min_y, 4));
    let boxes = DoubleColumns::aabbs(&min_x, &min_y, &max_x, &max_y).unwrap();
    let (mut detector, mut pairs) = (DoubleDetector::new(), Vec::new());
    detector.pairs(boxes, &mut pairs).unwrap();
    assert_eq!(pairs.len(), 1_124_861);
    assert!(pairs.iter().all(|Pair { a, b }| a < b));
    assert_eq!(detector.count(boxes), Ok(1_124_861));
}

#[test]
fn the_nearest_points_that_scipy_finds() {
    let stations = points(100_000, UTM, 450.0);
    let index = DoubleIndex::build(DoubleColumns::points_at(&stations).unwrap()).unwrap();
    let mut asked = points(1_000, UTM, 460.0);
    asked.reverse();
    let mut lists = Lists::new();
    let asked = DoubleColumns::points_at(&asked).unwrap();
    index.k_nearest_batch(asked, 3, f64::INFINITY, &mut lists).unwrap();
    let rows: u64 = lists.items().iter().map(|near| u64::from(near.row)).sum();
    let distances: f64 = lists.items().iter().map(|near| near.distance).sum();
    assert_eq!(rows, 149_082_562);
    assert!((distances - 3_620.111_838_666_763_6).abs() < 1e-9, "{distances}");
}
