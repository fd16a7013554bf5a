//! Pairs in a periodic box by brute force: every shape against every image of every other.
//!
//! ```
//! use widephase::{Periodic, Touching, reference::periodic, shape::Point};
//!
//! let torus = Periodic::new([0.0, 0.0], [10.0, 10.0]);
//! let corners = [Point::new([0.0, 0.0]), Point::new([7.0, 6.0])];
//! let found = periodic::pairs(&corners, &torus, 5.0, Touching::Inclusive);
//! assert_eq!((found[0].0.shift, found[0].1), ([-1, -1], 5.0));
//! ```

use super::neighbors;
use crate::{
    base::Pair,
    periodic::{PeriodicPair, periodic::Periodic},
    shape::{AxisAligned, RoundedBox, Touching},
};

/// The shape in the box: moved so that the centre of its core is at least `min` and less than
/// `max`, along the axes that wrap.
///
/// The vector is computed in `f64`, and each side is rounded once. Never panics.
#[inline]
pub fn wrapped(shape: impl AxisAligned, periodic: &Periodic) -> RoundedBox {
    let mut shape = shape.rounded_box();
    let [period_x, period_y] = periodic.period();
    let by = |min: f32, max: f32, axis: usize, period: f32| {
        let center = (f64::from(min) + f64::from(max)) / 2.0;
        let (low, high) = (f64::from(periodic.min[axis]), f64::from(periodic.max[axis]));
        let inside = low <= center && center < high;
        if inside || !periodic.wrap[axis] {
            return 0.0;
        }
        let wrapped = low + (center - low).rem_euclid(f64::from(period));
        if wrapped as f32 >= periodic.max[axis] { low - center } else { wrapped - center }
    };
    let x = by(shape.min_x, shape.max_x, 0, period_x);
    let y = by(shape.min_y, shape.max_y, 1, period_y);
    for (side, by) in
        [(&mut shape.min_x, x), (&mut shape.max_x, x), (&mut shape.min_y, y), (&mut shape.max_y, y)]
    {
        *side = (f64::from(*side) + by) as f32;
    }
    shape
}

/// By how many periods a shape was moved to where it is in the box.
fn periods(given: impl AxisAligned, inside: RoundedBox, periodic: &Periodic) -> [f64; 2] {
    let given = given.rounded_box();
    let count = |from: f32, to: f32, period: f32| {
        let periods = (f64::from(to) - f64::from(from)) / f64::from(period);
        if period > 0.0 { periods.round() } else { 0.0 }
    };
    let [x, y] = periodic.period();
    [count(given.min_x, inside.min_x, x), count(given.min_y, inside.min_y, y)]
}

/// All pairs of `rows` rows, with their images by at most `most` periods along each axis that
/// wraps, for which `near` returns a distance; sorted by `a`, `b` and shift.
///
/// `near(fixed, moved, shift)` tests the row `fixed` against the row `moved`, moved by `shift`
/// periods. Of two opposite shifts it is called with the shift that is positive along x, or else
/// along y. O(n²) calls for each image of a row. Never panics.
pub fn images(
    rows: u32,
    periodic: &Periodic,
    most: [i16; 2],
    near: impl Fn(u32, u32, [i16; 2]) -> Option<f32>,
) -> Vec<(PeriodicPair, f32)> {
    let mut found = Vec::new();
    let shifts = |axis: usize| {
        let most = if periodic.wrap[axis] { most[axis].max(0) } else { 0 };
        -most..=most
    };
    for a in 0..rows {
        for b in a..rows {
            for x in shifts(0) {
                for y in shifts(1) {
                    let positive = x > 0 || (x == 0 && y > 0);
                    let distance = if positive {
                        near(a, b, [x, y])
                    } else if a == b {
                        // The same row itself, or its image with the opposite shift.
                        None
                    } else if [x, y] == [0, 0] {
                        near(a, b, [0, 0])
                    } else {
                        near(b, a, [-x, -y])
                    };
                    if let Some(distance) = distance {
                        found.push((PeriodicPair { pair: Pair { a, b }, shift: [x, y] }, distance));
                    }
                }
            }
        }
    }
    found
}

/// The most periods along x and along y by which an image of a shape, at most `longest` long
/// including the distance from another shape, may be near that shape; 0 along an axis that does not
/// wrap.
///
/// Where `longest` is not above the period, 1. Beyond, there may be one more for roundings.
#[inline]
fn most_periods(periodic: &Periodic, longest: [f64; 2]) -> [i16; 2] {
    let most = |longest: f64, period: f32| match longest / f64::from(period) {
        _ if period == 0.0 => 0,
        periods if periods > 1.0 => (periods + 2.0) as i16,
        _ => 1,
    };
    let [x, y] = periodic.period();
    [most(longest[0], x), most(longest[1], y)]
}

/// All pairs of axis-aligned shapes that are [`near`](neighbors::near) each other in a periodic
/// box, with their distances. Shapes are [`wrapped`] first; shifts are between the shapes as they
/// were given. Sorted by `a`, `b` and shift.
///
/// A moved side is one rounded sum. O(n²) time for each image of a row. Never panics; shapes from
/// the 2^32nd on are left out.
#[inline]
pub fn pairs<S: AxisAligned>(
    shapes: &[S],
    periodic: &Periodic,
    distance: f32,
    touching: Touching,
) -> Vec<(PeriodicPair, f32)> {
    let mut longest = [0.0_f64; 2];
    for shape in shapes {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape.rounded_box();
        let more = 2.0 * f64::from(radius) + f64::from(distance);
        for (longest, [min, max]) in longest.iter_mut().zip([[min_x, max_x], [min_y, max_y]]) {
            *longest = longest.max(f64::from(max) - f64::from(min) + more);
        }
    }
    let most = most_periods(periodic, longest);
    let given = shapes;
    let shapes: Vec<_> = shapes.iter().map(|shape| wrapped(*shape, periodic)).collect();
    let rows = u32::try_from(shapes.len()).unwrap_or(u32::MAX);
    let mut found = images(rows, periodic, most, |fixed, moved, shift| {
        let [x, y] = periodic.offset(shift);
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = shapes[moved as usize];
        let (min_x, min_y, max_x, max_y) = (min_x + x, min_y + y, max_x + x, max_y + y);
        let (one, other) =
            (shapes[fixed as usize], RoundedBox { min_x, min_y, max_x, max_y, radius });
        let near = neighbors::near(one, other, distance, touching);
        near.then(|| neighbors::distance(one, other))
    });
    for (PeriodicPair { pair, shift }, _) in &mut found {
        let of = |row: u32| periods(given[row as usize], shapes[row as usize], periodic);
        let (a, b) = (of(pair.a), of(pair.b));
        for axis in 0..2 {
            shift[axis] = (f64::from(shift[axis]) + b[axis] - a[axis]) as i16;
        }
    }
    found
}
