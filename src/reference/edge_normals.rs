//! The separating axis test of two convex polygons, by the normals of all edges; inclusive.
//!
//! Both polygons are projected on the normal of every edge of both, and they are apart when their
//! shadows on one of these are. The normals are not brought to length 1, which changes no answer.
//!
//! Shadows that meet are not apart, so polygons that touch collide. What has fewer than 3 vertices
//! never collides. The vertices may go round either way; what is not convex is taken for its convex
//! hull on the normals of its own edges, so it may collide with what lies in its dents. Repeated
//! vertices do no harm: an edge without length has a zero normal, on which everything meets. A polygon
//! without area has no normal along its line, so two of them on one line always collide, and two that
//! are points collide wherever they are; with any other polygon they get the right answer.
//!
//! Products and sums are rounded to `f32`. Two shadows are off by a few parts in 2^24 of the length
//! of the edge times the largest coordinate, so far from the origin, polygons that close to touching
//! may get either answer. Small integers are not rounded. With edges and coordinates below about
//! 2^-63 the products underflow, and polygons that are apart may collide.

use glam::Vec2;

use super::project;

/// Whether two convex polygons touch or overlap.
///
/// Any unit of length. O((n + m)²) time for n and m vertices; two allocations. Never panics.
///
/// ```
/// use widephase::reference::edge_normals::polygon_polygon;
///
/// let triangle = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]].map(Into::into);
/// let square = [[2.0, 2.0], [3.0, 2.0], [3.0, 3.0], [2.0, 3.0]].map(Into::into);
/// assert!(polygon_polygon(&triangle, &square)); // the corner (2, 2) is on the long side
/// assert!(!polygon_polygon(&triangle, &square[..2]));
/// ```
pub fn polygon_polygon(a: &[Vec2], b: &[Vec2]) -> bool {
    if a.len() < 3 || b.len() < 3 {
        return false;
    }
    let a: Vec<[f32; 2]> = a.iter().map(Vec2::to_array).collect();
    let b: Vec<[f32; 2]> = b.iter().map(Vec2::to_array).collect();
    normals(&a).chain(normals(&b)).all(|normal| {
        let [a_min, a_max] = project(&a, normal);
        let [b_min, b_max] = project(&b, normal);
        a_min <= b_max && b_min <= a_max
    })
}

/// The normals of all edges, as long as these.
fn normals(polygon: &[[f32; 2]]) -> impl Iterator<Item = [f32; 2]> {
    let next = polygon.iter().cycle().skip(1);
    polygon.iter().zip(next).map(|([ax, ay], [bx, by])| [ay - by, bx - ax])
}
