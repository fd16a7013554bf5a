//! Shapes on the cuts, by hand.

use widephase::{
    Columns, Error, Filter, Options, Pair, Shapes,
    Touching::{Exclusive, Inclusive},
    error::Field,
    shape::{Aabb, Circle, HalfPlane, Point},
    tiles::{Axis, Tile, TileDetector, TileRows, Tiles},
};

use crate::assert_same;
use common::rect;

/// Four quarters of the plane: 0 below left, 1 below right, 2 above left, 3 above right.
fn quarters() -> Tiles {
    let mut tiles = Tiles::new();
    let right = tiles.cut(0, Axis::X, 0.0).unwrap();
    let above = [0, right].map(|tile| tiles.cut(tile, Axis::Y, 0.0).unwrap());
    assert_eq!((right, above), (1, [2, 3]));
    tiles
}

fn reporters(tiles: &Tiles, a: [f32; 4], b: [f32; 4]) -> Vec<usize> {
    let [a, b] = [a, b].map(|[x, y, width, height]| rect(x, y, width, height));
    let reports = |tile: &Tile| tile.reports([a, b], 0.0);
    let found = |pair: [_; 2]| -> Vec<usize> {
        let reports = |tile: &Tile| tile.reports(pair, 0.0);
        tiles.iter().enumerate().filter(|(_, tile)| reports(tile)).map(|(tile, _)| tile).collect()
    };
    assert_eq!(found([a, b]), found([b, a]));
    assert_eq!(tiles.iter().filter(reports).count(), 1);
    found([a, b])
}

#[test]
fn the_lower_corner_of_the_intersection_decides() {
    let tiles = quarters();
    // Centre and half sizes. Two boxes that touch along the cut, in its upper half.
    assert_eq!(reporters(&tiles, [-1.0, 2.0, 1.0, 1.0], [1.0, 2.0, 1.0, 1.0]), [3]);
    // They share the corner in the origin, in each of the two ways.
    assert_eq!(reporters(&tiles, [-1.0, -1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]), [3]);
    assert_eq!(reporters(&tiles, [-1.0, 1.0, 1.0, 1.0], [1.0, -1.0, 1.0, 1.0]), [3]);
    // Both reach over the origin.
    assert_eq!(reporters(&tiles, [0.5, 0.5, 1.0, 1.0], [-0.5, -0.5, 1.0, 1.0]), [0]);
    assert_eq!(reporters(&tiles, [1.0, 0.5, 1.0, 1.0], [-0.5, 0.0, 1.0, 1.0]), [1]);
    // A tile that owns neither shape: a wide shape below, whose centre is left, and a high shape.
    assert_eq!(reporters(&tiles, [-4.0, -2.0, 6.0, 1.0], [1.0, 3.0, 0.5, 6.0]), [1]);
    let owns = |shape| tiles.iter().position(|tile| tile.owns(shape));
    assert_eq!(owns(rect(-4.0, -2.0, 6.0, 1.0)), Some(0));
    assert_eq!(owns(rect(1.0, 3.0, 0.5, 6.0)), Some(3));
}

/// Also of pairs that do not touch, `retain` keeps the pairs that the tile reports.
#[test]
fn a_pair_is_retained_by_the_tile_that_reports_it() {
    let tiles = quarters();
    let circles = [[-3.0, 3.0], [3.0, 0.5], [3.0, 4.0], [-0.5, -3.0]];
    let shapes = Shapes::from_slice(&circles.map(|at| Circle::new(at, 1.0))).unwrap();
    let all: Vec<Pair> = (0..4).flat_map(|b| (0..b).map(move |a| Pair { a, b })).collect();
    let mut reported = vec![];
    for tile in tiles.iter() {
        let mut pairs = all.clone();
        tile.retain(&shapes, 0.0, &mut pairs).unwrap();
        let bounds = |pair: &Pair| [pair.a, pair.b].map(|row| shapes.bounds(row).unwrap());
        let expected = all.iter().filter(|pair| tile.reports(bounds(pair), 0.0));
        assert_eq!(pairs, expected.copied().collect::<Vec<_>>());
        reported.append(&mut pairs);
    }
    reported.sort();
    let mut all = all;
    all.sort();
    assert_eq!(reported, all);
}

#[test]
fn a_shape_on_a_cut_is_above_it_and_a_ghost_below_only_if_it_reaches() {
    let tiles = quarters();
    let shapes = Shapes::from_slice(&[
        Aabb::new([0.0, 0.0], [1.0, 1.0]), // in the corner of the upper right tile
        Aabb::new([-1.0, -1.0], [0.0, 0.0]), // owned by the lower left tile, touches all tiles
        Aabb::new([0.0, 0.0], [0.0, 0.0]), // the origin
    ]);
    let shapes = shapes.unwrap();
    let mut rows = TileRows::new();
    rows.divide(&tiles, &shapes, 0.0).unwrap();
    let all = |tile| (rows.owned(tile).to_vec(), rows.ghosts(tile).to_vec());
    assert_eq!(all(0), (vec![1], vec![]));
    assert_eq!(all(1), (vec![], vec![1]));
    assert_eq!(all(2), (vec![], vec![1]));
    assert_eq!(all(3), (vec![0, 2], vec![1]));
    for (touching, pairs) in [(Inclusive, 3), (Exclusive, 0)] {
        let options = Options { touching, ..Options::default() };
        assert_eq!(assert_same(&tiles, &shapes, 0.0, &options), pairs);
    }
    // With a margin, half of it reaches out of each shape.
    rows.divide(&tiles, &shapes, 0.5).unwrap();
    assert_eq!(rows.ghosts(0), [0, 2]);
}

/// Circles a radius or a rounding away from the cut, whose boxes are not exact in `f32`.
#[test]
fn circles_that_touch_across_a_cut() {
    let mut tiles = Tiles::new();
    let at = 1.0e6;
    tiles.cut(0, Axis::X, at).unwrap();
    let mut shapes = Shapes::new();
    for row in 0..64 {
        // The computed gap is the sum of the radii; the exact gap may be a rounding larger.
        let (radius, y) = (0.3 + row as f32 * 0.01, row as f32 * 10.0);
        shapes.push(Circle::new([at - 0.5, y], radius)).unwrap();
        shapes.push(Circle::new([at + 0.5, y], 1.0 - radius)).unwrap();
    }
    let pairs = assert_same(&tiles, &shapes, 0.0, &Options::default());
    assert!(pairs > 40, "{pairs}");
}

/// Giants that reach over all tiles, and shapes without an end.
#[test]
fn giants_are_in_all_tiles_and_in_each_pair_once() {
    let mut shapes = Shapes::new();
    for row in 0..400 {
        let place = [(row % 20) as f32, (row / 20) as f32];
        shapes.push(Circle::new(place, 0.5)).unwrap();
    }
    shapes.push(Circle::new([10.0, 10.0], 30.0)).unwrap();
    shapes.push(Aabb::new([-1000.0, 4.9], [1000.0, 5.1])).unwrap();
    shapes.push(HalfPlane::new([0.0, 1.0], 3.5)).unwrap();
    let tiles = Tiles::balanced(&shapes, 16).unwrap();
    let mut rows = TileRows::new();
    rows.divide(&tiles, &shapes, 0.0).unwrap();
    for tile in 0..16 {
        let mut all = vec![];
        rows.all(tile, &mut all);
        assert!(all.contains(&400), "tile {tile} lacks the giant");
    }
    // Circles and their neighbours: 760. The giant meets all other shapes; the plank one row of
    // circles; the half-plane the circles in the five lowest rows.
    let pairs = assert_same(&tiles, &shapes, 0.0, &Options::default());
    assert_eq!(pairs, 760 + 402 + 20 + 5 * 20);
}

#[test]
fn cuts_outside_a_tile_are_refused() {
    let mut tiles = quarters();
    assert_eq!(tiles.cut(4, Axis::X, 1.0), Err(Error::NoSuchTile { index: 4, len: 4 }));
    for value in [f32::NAN, f32::INFINITY, -2.0e18] {
        let refused = tiles.cut(2, Axis::Y, value);
        assert!(
            matches!(refused, Err(Error::InvalidShape { index: 2, field: Field::Y, .. })),
            "{refused:?}"
        );
    }
    assert_eq!(tiles, quarters());

    let (x, y) = ([0.0, 1.0, f32::NAN], [0.0; 3]);
    let points = Columns::points(&x, &y).unwrap();
    let mut rows = TileRows::new();
    rows.divide(&tiles, Columns::points(&x[..2], &y[..2]).unwrap(), 0.0).unwrap();
    for margin in [-1.0, f32::NAN] {
        assert!(matches!(rows.divide(&tiles, points, margin), Err(Error::InvalidMargin { .. })));
    }
    let refused = rows.divide(&tiles, points, 0.0);
    assert!(matches!(refused, Err(Error::InvalidShape { index: 2, field: Field::X, .. })));
    assert!(matches!(Tiles::balanced(points, 2), Err(Error::InvalidShape { index: 2, .. })));
    // As before.
    assert_eq!((rows.len(), rows.owned(3)), (4, &[0, 1][..]));
    assert!(rows.owned(9).is_empty());

    let (mut detector, mut pairs) = (TileDetector::new(), vec![Pair { a: 1, b: 2 }]);
    let good = Columns::points(&x[..2], &y[..2]).unwrap();
    let refused = detector.pairs(&rows, 4, good, &mut pairs);
    assert_eq!((refused, pairs.len()), (Err(Error::NoSuchTile { index: 4, len: 4 }), 0));
    let fewer = Columns::points(&x[..1], &y[..1]).unwrap();
    let refused = detector.pairs(&rows, 3, fewer, &mut pairs);
    assert_eq!(refused, Err(Error::NoSuchShape { index: 1, len: 1 }));
    let refused = detector.contacts(&rows, 3, good, 0.5, &mut vec![]);
    assert_eq!(refused, Err(Error::InvalidMargin { value: 0.5 }));

    let mut pairs = vec![Pair { a: 0, b: 1 }, Pair { a: 0, b: 5 }];
    let refused = Tile::PLANE.retain(good, 0.0, &mut pairs);
    assert_eq!((refused, pairs.len()), (Err(Error::NoSuchShape { index: 5, len: 2 }), 2));
}

/// Rows that were removed are in no tile; a filter that meets nothing leaves no pair.
#[test]
fn vacant_rows_and_filters_of_a_store() {
    let mut shapes = Shapes::from_slice(&[Point::new([0.0, 0.0]); 4]).unwrap();
    shapes.remove(1).unwrap();
    shapes.set_filter(3, Filter::new(1, 0)).unwrap();
    let tiles = quarters();
    assert_eq!(assert_same(&tiles, &shapes, 0.0, &Options::default()), 1);
    let mut rows = TileRows::new();
    rows.divide(&tiles, &shapes, 0.0).unwrap();
    assert_eq!(rows.owned(3), [0, 2, 3]);
}
