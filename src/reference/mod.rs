//! The reference: plain scalar code for the decisions of the engine, easy to check by eye.
//!
//! This module is an oracle for the tests of this crate. Users can check a result with it, port the
//! decision to another program, or compare the contract with a test that they know. The engine does
//! not call it. It has no SIMD and no state, and it stays slow and simple.
//!
//! [`contract::overlap`] decides whether two axis-aligned shapes touch. [`single::touches`] decides
//! this for single shapes of any kind, and [`whole::touches`] also for compounds. The other modules
//! hold the collision tests of tutorials and games, each under its own name and with its own
//! boundary rule, and brute force for lists of pairs. Where the rule of a test agrees with the
//! contract's, it gives the same answer. Where it does not, the module's page says by how much.
//!
//! | function | origin | touching | arithmetic |
//! |---|---|---|---|
//! | [`contract::overlap`] | gap of two rounded boxes against the sum of their radii | either | `f32`, written order |
//! | [`contract::point_circle`], [`contract::circle_circle`] | squared distance against squared radius | either | `f32` |
//! | [`contract::circle_aabb`] | nearest point by clamping | either | `f32` |
//! | [`contract::point_aabb`], [`contract::aabb_aabb`] | comparisons of sides | either | none |
//! | [`nine_zones::circle_rect`], [`nine_zones::point_in_circle`] | nine-zone (Voronoi region) test | counts | `f32`, differences |
//! | [`min_max::aabb_aabb`] | min/max test | counts | none |
//! | [`center_distance::circle_circle`] | distance of the centres | counts | `f32`, square root |
//! | [`expanded_sides::circle_rect`] | cross of expanded sides, then nearest vertex | counts | `f32`, sums of side and radius |
//! | [`expanded_rect_strict::circle_rect`] | expanded rectangle, then corner | does not count | `f32`, sums of side and radius |
//! | [`expanded_rect_strict::point_circle`], [`expanded_rect_strict::circle_circle`] | squared distance against squared radius | does not count | `f32` |
//! | [`expanded_rect_strict::point_rect`], [`expanded_rect_strict::rect_rect`] | comparisons of sides | does not count | none |
//! | [`integer_square::circle_rect`] | centre distances against half sizes, circle by its bounding square | counts | exact integers |
//! | [`separating_axes::obb_obb`], [`separating_axes::corners`] | separating axes of two rotated rectangles, by their corners | does not count | `f32` |
//! | [`rotated_rect::obb_circle`] | circle rotated into the frame of the rectangle, then expanded sides and nearest vertex | counts | `f32`, sums of side and radius |
//! | [`edge_normals::polygon_polygon`] | projections on the normals of all edges | counts | `f32` |
//! | [`compound_circles::any_circle`] | every circle of one body against every circle of the other | does not count | `f32` |
//! | [`closest_points::point_segment_distance2`], [`closest_points::segment_segment_distance2`] | closest points of segments | | `f32`, divisions |
//! | [`closest_points::capsule_capsule`], [`closest_points::capsule_circle`] | squared distance of the cores against the squared sum of the radii | counts | `f32`, divisions |
//! | [`brute_force::pairs`], [`brute_force::count`] | every shape against every other shape | either | as in `overlap` |
//! | [`exact::touch`], [`exact::cores_touch`] | separating sides by orientation tests; squared distances | either | exact; with radii, `f64` |
//! | [`single::touches`] | bounding boxes, then [`exact::touch`] | either | exact; with radii, `f64` |
//! | [`single::pairs`] | every shape against every other shape | either | as in [`single::touches`] |
//! | [`whole::touches`] | every part of one compound against every part of the other | either | as in [`single::touches`] |
//! | [`whole::pairs`] | every shape against every other shape | either | as in [`whole::touches`] |
//! | [`half_plane::touches`], [`half_plane::contact`] | the lowest corner | either | `f64`, written order |
//! | [`neighbors::near`], [`neighbors::distance`], [`neighbors::pairs`] | gap against the sum of the inflated radii; every shape against every other shape | counts | `f32`, written order; distances in `f64` |
//! | [`periodic::pairs`], [`periodic::images`] | every shape against every image of every other shape | either | as in [`neighbors`] |
//! | [`islands::islands`] | propagation of labels | | none |
//! | [`pair_diff::pair_diff`] | lookup of every pair in the other list | | none |
//!
//! # Where the answers differ
//!
//! - **Touching.** All classic tests count it except the tests in [`expanded_rect_strict`],
//!   [`separating_axes`] and [`compound_circles`]. On numbers that need no rounding, such as small
//!   integers, each test of axis-aligned shapes always equals the contract under the policy of its
//!   column, shapes of zero size included.
//! - **Rotation.** A rotated corner is rounded unless the rotation is a whole number of quarter
//!   turns. So where rotated shapes only touch, their tests may give either answer.
//! - **Rounding.** A test that moves a side by the radius, or takes a square root, rounds where the
//!   contract does not. The contract rounds where such a test does not. Within the last bits of
//!   touching the answers may differ.
//! - **Underflow.** Squares of lengths below 2^-63 lose bits, and below 2^-75 they lose all bits.
//!   The contract guards against the worst of it. The classic tests do not.

// All functions here are `#[inline]`, so that they are compiled for the programs that call them,
// and not for every program that depends on the library.

use crate::base::Pair;

pub mod brute_force;
pub mod center_distance;
#[cfg(feature = "narrowphase")]
pub mod closest_points;
#[cfg(feature = "narrowphase")]
pub mod compound_circles;
pub mod contract;
#[cfg(feature = "narrowphase")]
pub mod edge_normals;
#[cfg(feature = "narrowphase")]
pub mod exact;
pub mod expanded_rect_strict;
pub mod expanded_sides;
#[cfg(feature = "narrowphase")]
pub mod half_plane;
pub mod integer_square;
pub mod islands;
pub mod min_max;
#[cfg(feature = "queries")]
pub mod neighbors;
pub mod nine_zones;
pub mod pair_diff;
#[cfg(feature = "queries")]
pub mod periodic;
#[cfg(feature = "narrowphase")]
pub mod placed_shape;
#[cfg(feature = "narrowphase")]
pub mod rotated_rect;
#[cfg(feature = "narrowphase")]
pub mod separating_axes;
#[cfg(feature = "narrowphase")]
pub mod single;
#[cfg(feature = "narrowphase")]
pub mod whole;

/// Every pair of shapes, sorted by `a`, then by `b`, with `a < b`.
#[inline]
fn each<T>(shapes: &[T]) -> impl Iterator<Item = (Pair, &T, &T)> {
    let numbered = move || (0..u32::MAX).zip(shapes);
    numbered().flat_map(move |(a, first)| {
        let behind = numbered().skip(a as usize + 1);
        behind.map(move |(b, second)| (Pair { a, b }, first, second))
    })
}

/// Projects points on an axis that need not have length 1. Returns the least and the greatest dot
/// product.
#[inline]
fn project(points: &[[f32; 2]], [x, y]: [f32; 2]) -> [f32; 2] {
    points.iter().fold([f32::INFINITY, f32::NEG_INFINITY], |[min, max], point| {
        let place = point[0] * x + point[1] * y;
        [min.min(place), max.max(place)]
    })
}
