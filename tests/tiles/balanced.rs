//! Balanced tiles.

use widephase::{
    Columns, Options, Shapes,
    shape::Circle,
    tiles::{Axis, TileRows, Tiles},
};

use crate::assert_same;
use common::Rng;

fn largest(tiles: &Tiles, columns: Columns<'_>) -> usize {
    let mut rows = TileRows::new();
    rows.divide(tiles, columns, 0.0).unwrap();
    (0..tiles.len()).map(|tile| rows.owned(tile).len()).max().unwrap()
}

/// Few rows are all considered, so numbers are equal.
#[test]
fn few_shapes_are_parted_exactly() {
    let mut rng = Rng::new(3);
    let mut column = || (0..1200).map(|_| rng.range(0.0, 100.0)).collect::<Vec<f32>>();
    let (x, y) = (column(), column());
    let points = Columns::points(&x, &y).unwrap();
    for count in [1, 2, 3, 5, 12, 100] {
        let tiles = Tiles::balanced(points, count).unwrap();
        assert_eq!(tiles.len(), count);
        assert_eq!(largest(&tiles, points), 1200_usize.div_ceil(count), "{count}");
    }
}

/// A lattice in the order of its rows, each 8th row of which would be one of few columns.
#[test]
fn many_shapes_are_parted_by_a_sample() {
    let side = 1024;
    let x: Vec<f32> = (0..side * side).map(|i| (i % side) as f32).collect();
    let y: Vec<f32> = (0..side * side).map(|i| (i / side) as f32).collect();
    let points = Columns::points(&x, &y).unwrap();
    let tiles = Tiles::balanced(points, 16).unwrap();
    let largest = largest(&tiles, points) as f64 / (side * side / 16) as f64;
    assert!(largest < 1.03, "{largest}");
}

/// The tiles divide the dense part, not the space.
#[test]
fn a_cluster_and_a_few_far_away() {
    let mut rng = Rng::new(4);
    let mut shapes = Shapes::new();
    for i in 0..1000 {
        let size = if i < 990 { 1.0 } else { 1.0e9 };
        let place = [rng.range(-size, size), rng.range(-size, size)];
        shapes.push(Circle::new(place, 0.05)).unwrap();
    }
    let tiles = Tiles::balanced(&shapes, 8).unwrap();
    assert_eq!(largest(&tiles, shapes.columns()), 125);
    assert!(assert_same(&tiles, &shapes, 0.0, &Options::default()) > 100);
}

#[test]
fn tiles_without_shapes_are_balanced_too() {
    // All shapes in one place: one tile has all of them. No shapes: tiles as requested.
    let shapes = Shapes::from_slice(&[Circle::new([1.0, 2.0], 1.0); 10]).unwrap();
    for count in [1, 4, 7] {
        let tiles = Tiles::balanced(&shapes, count).unwrap();
        assert_eq!((tiles.len(), largest(&tiles, shapes.columns())), (count, 10));
        assert_eq!(assert_same(&tiles, &shapes, 0.0, &Options::default()), 45);
    }
    let none = Shapes::new();
    let tiles = Tiles::balanced(&none, 3).unwrap();
    assert_eq!((tiles.len(), largest(&tiles, none.columns())), (3, 0));
    assert_eq!(Tiles::balanced(&none, 0).unwrap().len(), 1);
    // A cut outside of a tile leaves it whole.
    let mut tiles = Tiles::new();
    tiles.cut(0, Axis::X, 0.0).unwrap();
    let empty = tiles.cut(0, Axis::X, 5.0).unwrap();
    assert_eq!((tiles.find([-1.0, 0.0]), tiles.find([6.0, 0.0]), empty), (0, 1, 2));
    assert!(!tiles.get(empty).unwrap().contains([5.0, 0.0]));
}
