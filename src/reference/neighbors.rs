//! Neighbours by brute force: every shape against every other, and lists without offsets.
//!
//! ```
//! use widephase::{Adjacency, Touching, reference::neighbors, shape::Point};
//!
//! let row = [0.0, 1.0, 2.5].map(|x| Point::new([x, 0.0]));
//! let near = neighbors::pairs(&row, 1.5, Touching::Inclusive);
//! let distances: Vec<_> = near.iter().map(|(pair, apart)| (pair.a, pair.b, *apart)).collect();
//! assert_eq!(distances, [(0, 1, 1.0), (1, 2, 1.5)]);
//! let pairs: Vec<_> = near.into_iter().map(|(pair, _)| pair).collect();
//! assert_eq!(neighbors::lists(3, &pairs, Adjacency::Full), [vec![1], vec![0, 2], vec![1]]);
//! ```

use super::{contract::overlap, each};
use crate::{
    base::Pair,
    lists::Adjacency,
    shape::{AxisAligned, MAX_COORDINATE, RoundedBox, Touching},
    simd::map_each,
};

/// Whether two axis-aligned shapes are at most `distance` apart: whether they overlap when half of
/// the distance is added to each radius. A radius is limited to 2^60.
///
/// With a distance of 0 this is [`overlap`]. Above 0, shapes at exactly that distance are near each
/// other under either policy. Never panics.
#[inline]
pub fn near(a: impl AxisAligned, b: impl AxisAligned, distance: f32, touching: Touching) -> bool {
    if distance > 0.0 {
        overlap(inflated(a, distance), inflated(b, distance), Touching::Inclusive)
    } else {
        overlap(a, b, touching)
    }
}

/// The shape with half of `distance` added to its radius.
#[inline]
fn inflated(shape: impl AxisAligned, distance: f32) -> RoundedBox {
    let shape = shape.rounded_box();
    let radius = (shape.radius + distance * 0.5).min(MAX_COORDINATE);
    RoundedBox { radius, ..shape }
}

/// The distance between the surfaces of two axis-aligned shapes, computed in `f64` and rounded; 0
/// if they touch. Never panics.
#[inline]
pub fn distance(a: impl AxisAligned, b: impl AxisAligned) -> f32 {
    let wide = |shape: RoundedBox| {
        map_each([shape.min_x, shape.min_y, shape.max_x, shape.max_y, shape.radius], f64::from)
    };
    let [
        [a_min_x, a_min_y, a_max_x, a_max_y, a_radius],
        [b_min_x, b_min_y, b_max_x, b_max_y, b_radius],
    ] = map_each([a.rounded_box(), b.rounded_box()], wide);
    // On each axis, the cores overlap, or one core is after the other.
    let gap = |a_min: f64, a_max: f64, b_min: f64, b_max: f64| {
        if a_max < b_min {
            b_min - a_max
        } else if b_max < a_min {
            a_min - b_max
        } else {
            0.0
        }
    };
    let x = gap(a_min_x, a_max_x, b_min_x, b_max_x);
    let y = gap(a_min_y, a_max_y, b_min_y, b_max_y);
    let apart = (x * x + y * y).sqrt() - (a_radius + b_radius);
    if apart > 0.0 { apart as f32 } else { 0.0 }
}

/// All pairs of axis-aligned shapes that are [`near`] each other, with their [`distance`], sorted
/// by `a`, then by `b`.
///
/// O(n²) time. Never panics; shapes from the 2^32nd on are left out.
#[inline]
pub fn pairs<S: AxisAligned>(shapes: &[S], distance: f32, touching: Touching) -> Vec<(Pair, f32)> {
    let all = each(shapes).filter(|(_, a, b)| near(**a, **b, distance, touching));
    all.map(|(pair, a, b)| (pair, self::distance(*a, *b))).collect()
}

/// The partners of each of `rows` rows, ascending. Pairs of other rows are left out.
///
/// O(rows · pairs) time. Never panics.
#[inline]
pub fn lists(rows: usize, pairs: &[Pair], adjacency: Adjacency) -> Vec<Vec<u32>> {
    let partners = |row: u32| {
        let mut found = Vec::new();
        for &Pair { a, b } in pairs {
            if a == row {
                found.push(b);
            }
            if b == row && adjacency == Adjacency::Full {
                found.push(a);
            }
        }
        found.sort_unstable();
        found
    };
    (0..rows as u32).map(partners).collect()
}
