//! The well-known bounding-square circle-rectangle test on integer rectangles: centre distances
//! against half sizes, then the corner distance; inclusive.
//!
//! Programs that keep everything in integer rectangles (pixels) give a circle by the square around
//! it. The usual code finds centres and half sizes by integer division, which drops the half of an
//! odd size. Take the circle in the square from 0 to 3 and a rectangle from 3 to 6: they share the
//! line x = 3. With integer halves, the circle has its centre at 1 and reaches to 2. The rectangle
//! has its centre at 4 and reaches back to 3, so the two are one unit apart. This test doubles
//! every length instead of halving it. Halves are then exact, and so is the answer for every input.
//!
//! It equals [`contract::overlap`](super::contract::overlap) under
//! [`Inclusive`](crate::Touching::Inclusive), sizes of zero included, as long as the circle's
//! diameter is below 4096 and no side lies beyond ±2^22. Within these limits the contract's `f32`
//! hold the halves and the decisive squares exactly. Beyond them, this test is right.
//!
//! A rectangle is the region between its sides. Two neighbouring pixels share a side, so they
//! touch.

/// A rectangle with integer sides: the region from `x` to `x + width` and `y` to `y + height`.
///
/// Every value is valid. Sizes cannot be negative, and the far sides may lie beyond the range of
/// `i32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct IntRect {
    /// Left side.
    pub x: i32,
    /// Lower side.
    pub y: i32,
    /// Distance from the left to the right side.
    pub width: u32,
    /// Distance from the lower to the upper side.
    pub height: u32,
}

/// A circle, given by the square around it, from (`x`, `y`) to (`x + side`, `y + side`).
///
/// The centre is the centre of the square and the radius is half its side. Both numbers may be
/// half-integers. Every value is valid; a side of 0 is a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BoundingSquare {
    /// Left side of the square.
    pub x: i32,
    /// Lower side of the square.
    pub y: i32,
    /// Side of the square: the diameter of the circle.
    pub side: u32,
}

/// Whether a circle and a rectangle touch or overlap, exactly, for every input.
///
/// Touching counts. Constant time, in 64-bit integers, and in 128-bit integers for the squares of
/// the corner. Never overflows, never panics.
///
/// ```
/// use widephase::reference::integer_square::{BoundingSquare, IntRect, circle_rect};
///
/// let circle = BoundingSquare { x: 0, y: 0, side: 3 };
/// assert!(circle_rect(circle, IntRect { x: 3, y: 0, width: 3, height: 3 })); // share x = 3
/// assert!(!circle_rect(circle, IntRect { x: 3, y: 3, width: 3, height: 3 })); // corner too far
/// ```
#[inline]
pub fn circle_rect(circle: BoundingSquare, rect: IntRect) -> bool {
    // Every length is doubled, so the doubled half of a size is the size.
    let radius = i64::from(circle.side);
    let half_width = i64::from(rect.width);
    let half_height = i64::from(rect.height);
    let dx = (doubled_center(circle.x, circle.side) - doubled_center(rect.x, rect.width)).abs();
    let dy = (doubled_center(circle.y, circle.side) - doubled_center(rect.y, rect.height)).abs();

    if dx > half_width + radius || dy > half_height + radius {
        return false;
    }
    if dx <= half_width || dy <= half_height {
        return true;
    }
    // Neither difference exceeds the radius, which is below 2^32, so the squares are below 2^64.
    let corner_x = i128::from(dx - half_width);
    let corner_y = i128::from(dy - half_height);
    let radius = i128::from(radius);
    corner_x * corner_x + corner_y * corner_y <= radius * radius
}

/// Twice the middle of an interval; below 2^34 in magnitude.
#[inline]
fn doubled_center(min: i32, size: u32) -> i64 {
    2 * i64::from(min) + i64::from(size)
}
