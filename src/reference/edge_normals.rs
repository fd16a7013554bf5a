//! The separating axis test of two convex polygons, by the normals of all edges; inclusive.
//!
//! Both polygons are projected on the normal of every edge of both polygons. They are apart when
//! their projections on one of these normals are apart. The normals are not normalised to length 1,
//! which changes no answer.
//!
//! Projections that meet are not apart, so polygons that touch collide. A list of fewer than 3
//! vertices never collides. The vertices may go round either way. A polygon that is not convex is
//! treated as its convex hull, but only the normals of its own edges are tested, so it may collide
//! with shapes in its dents. Repeated vertices do no harm: an edge without length has a zero
//! normal, on which all projections meet. A polygon without area has no normal along its line. So
//! two of them on one line always collide, and two that are points collide wherever they are.
//! Against any other polygon the answer is right.
//!
//! Products and sums are rounded to `f32`. Two projections are off by a few parts in 2^24 of the
//! length of the edge times the largest coordinate. So far from the origin, polygons that close to
//! touching may get either answer. Small integers are not rounded. With edges and coordinates below
//! about 2^-63 the products underflow, and polygons that are apart may collide.

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
#[inline]
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

/// The normals of all edges, each normal as long as its edge.
#[inline]
fn normals(polygon: &[[f32; 2]]) -> impl Iterator<Item = [f32; 2]> {
    let next = polygon.iter().cycle().skip(1);
    polygon.iter().zip(next).map(|([ax, ay], [bx, by])| [ay - by, bx - ax])
}
