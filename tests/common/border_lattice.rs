//! Shapes whose centres lie on the borders of cells, and a rounding or two beside them. Plain Rust:
//! unit tests of the library include this file.
#![allow(unreachable_pub, reason = "in the package of the tests, it is a part of the API")]

use widephase::shape::{Aabb, AxisAligned, Circle, RoundedBox};

/// Points per side of the lattice, from -10 to 9, at a pitch of 1.
pub const SIDE: i32 = 20;

/// The side of a cell. It is twice as large as the pitch: every other row and column of centres
/// lies on the borders of cells.
pub const CELL: f32 = 2.0;

/// The size to ask for, where one level has cells of the size [`CELL`]: they are slightly larger
/// than requested, to cover roundings.
pub const PLAIN_CELL: f32 = 1.999_986_6;

pub fn coordinate(index: i32) -> f32 {
    (index - SIDE / 2) as f32
}

pub fn square(center: [f32; 2], side: f32) -> RoundedBox {
    Aabb::centered(center, [side / 2.0; 2]).rounded_box()
}

/// Squares of this side at all points of the lattice. With side 1, all sides and corners touch
/// exactly.
pub fn squares(side: f32) -> impl Iterator<Item = RoundedBox> {
    let points = (0..SIDE * SIDE).map(|point| [point % SIDE, point / SIDE].map(coordinate));
    points.map(move |center| square(center, side))
}

/// A distance from a border: a few roundings of `f32` at the ends of the lattice.
pub const NEAR: f32 = 1.0 / (1 << 17) as f32;

/// The distance from a border below which the grid allows for roundings of `f32`.
pub const SLACK: f32 = 1.0 / (1 << 20) as f32;

/// Circles displaced from these points by up to four times `near`, except at the edge, so that the
/// lattice is as wide. They are slightly smaller than the cells, so that they touch the next circle
/// but one, or miss it by as little. The second of two such circles is displaced by five steps up
/// relative to the first, or by four steps down; in the second case they just touch.
pub fn circles(near: f32) -> impl Iterator<Item = RoundedBox> {
    let radius = CELL / 2.0 - 2.0 * near;
    (0..SIDE * SIDE).map(move |point| {
        let [x, y] = [(point % SIDE, point * 7), (point / SIDE, point * 8)].map(|(index, step)| {
            let inside = (1..SIDE - 1).contains(&index);
            coordinate(index) + if inside { (step % 9 - 4) as f32 * near } else { 0.0 }
        });
        Circle::new([x, y], radius).rounded_box()
    })
}
