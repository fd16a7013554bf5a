//! The decisions of the narrowphase for shapes of any kind, compounds included. Every part of one
//! shape is tested against every part of the other, by
//! [`single::touches`](super::single::touches()).
//!
//! There is no search for the parts whose boxes touch. A shape that is not a compound is its own
//! only part.
//!
//! ```
//! use widephase::Touching::{Exclusive, Inclusive};
//! use widephase::reference::whole::{Whole, touches};
//! use widephase::shape::{Circle, Compound, Pose};
//!
//! let snowman = Compound::new([Circle::new([0.0, 0.0], 2.0), Circle::new([0.0, 2.5], 1.0)])?;
//! let [a, b] = [[0.0, 0.0], [0.0, 5.5]].map(|at| Whole::new(&snowman, Some(Pose::at(at))));
//! // The head of the first ends at y = 3.5, where the body of the second begins.
//! assert!(touches(&a, &b, Inclusive) && !touches(&a, &b, Exclusive));
//! # Ok::<(), widephase::Error>(())
//! ```

use robust::{Coord, orient2d};

use super::{
    contract::overlap,
    each,
    placed_shape::{PlacedShape, exactly_placed},
    single,
};
use crate::{
    base::Pair,
    shape::{AnyShape, Compound, MAX_COORDINATE, Pose, RoundedBox, Shape, Touching},
    simd::map_each,
};

/// A placed shape of any kind, split into its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Whole {
    /// The parts of a compound, in their order; for any other shape, the shape itself.
    pub parts: Vec<PlacedShape>,
    /// The bounding box: without a radius for a compound, the box of the [`PlacedShape`] for other
    /// shapes.
    pub bounds: RoundedBox,
    /// The inner sides of an outline that is not convex, which two of its parts share; empty for
    /// any other shape.
    inner_sides: Vec<[[f64; 2]; 2]>,
}

impl Whole {
    /// The shape at its own coordinates, or at `pose`, as [`Shapes::push`](crate::Shapes::push) and
    /// [`Shapes::push_at`](crate::Shapes::push_at) take it.
    ///
    /// Values are not checked. For values that a store refuses, the result is unspecified. Never
    /// panics.
    #[inline]
    pub fn new<T: Shape + ?Sized>(shape: &T, pose: Option<Pose>) -> Self {
        let parts = PlacedShape::parts(shape, pose);
        let bounds = match shape.any() {
            AnyShape::Compound(_) => parts.iter().map(|part| outwards(part.bounds)).reduce(union),
            _ => parts.first().map(|part| part.bounds),
        };
        let place = pose.unwrap_or_default();
        let inner_sides = match shape.any() {
            AnyShape::Compound(compound) => inner_sides(compound, place),
            _ => Vec::new(),
        };
        Self { parts, bounds: bounds.unwrap_or_default(), inner_sides }
    }

    /// Whether a part of another shape, without area, has a point in common with an inner side
    /// without its ends. Exact.
    #[inline]
    fn has_on_inner_side(&self, other: &Self) -> bool {
        other.parts.iter().filter(|part| part.radius == 0.0).any(|part| {
            let [first, ..] = part.corners[..] else { return false };
            let last = part.corners.iter().find(|corner| **corner != first).unwrap_or(&first);
            let flat = part.corners.iter().all(|corner| *corner == first || corner == last);
            flat && self.inner_sides.iter().any(|side| lies_on(*side, [first, *last]))
        })
    }
}

/// Whether a segment lies along a side, and has a point in common with it without its ends.
#[inline]
fn lies_on([start, end]: [[f64; 2]; 2], ends: [[f64; 2]; 2]) -> bool {
    let coord = |[x, y]: [f64; 2]| Coord { x, y };
    let on_line = |at| orient2d(coord(start), coord(end), coord(at)) == 0.0;
    let [way_x, way_y] = [end[0] - start[0], end[1] - start[1]];
    let axis = if way_x.abs() >= way_y.abs() { 0 } else { 1 };
    let range = |[a, b]: [[f64; 2]; 2]| [a[axis].min(b[axis]), a[axis].max(b[axis])];
    let ([least, most], [from, to]) = (range([start, end]), range(ends));
    ends.into_iter().all(on_line) && to > least && from < most
}

/// The inner sides of an outline at `pose`, each once for each part that has it.
#[inline]
fn inner_sides(compound: &Compound, pose: Pose) -> Vec<[[f64; 2]; 2]> {
    let place = |at: [f32; 2]| exactly_placed(at.map(f64::from), pose);
    let rims = compound.rims().iter();
    let sides = rims.flat_map(|rim| rim.iter().zip(rim.iter().cycle().skip(1)));
    let inner = sides.filter(|(corner, _)| !corner.outer);
    inner.map(|(corner, next)| [place(corner.at), place(next.at)]).collect()
}

/// The bounding box of a rounded box, within the range of coordinates. If there is a radius, each
/// side is the next `f32` outwards.
#[inline]
fn outwards(rounded: RoundedBox) -> RoundedBox {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = rounded;
    let below = |side: f32| if radius > 0.0 { (side - radius).next_down() } else { side };
    let above = |side: f32| if radius > 0.0 { (side + radius).next_up() } else { side };
    let ([min_x, min_y], [max_x, max_y]) =
        (map_each([min_x, min_y], below), map_each([max_x, max_y], above));
    let [min_x, min_y, max_x, max_y] =
        map_each([min_x, min_y, max_x, max_y], |side| side.clamp(-MAX_COORDINATE, MAX_COORDINATE));
    RoundedBox { min_x, min_y, max_x, max_y, radius: 0.0 }
}

/// The box around two boxes.
#[inline]
fn union(a: RoundedBox, b: RoundedBox) -> RoundedBox {
    RoundedBox {
        min_x: a.min_x.min(b.min_x),
        min_y: a.min_y.min(b.min_y),
        max_x: a.max_x.max(b.max_x),
        max_y: a.max_y.max(b.max_y),
        radius: 0.0,
    }
}

/// Whether two shapes touch: the boxes around them touch, and some part of one touches some part of
/// the other, or a part without area lies on an inner side of an outline.
///
/// O(n m) time for n and m parts. Never panics.
#[inline]
pub fn touches(a: &Whole, b: &Whole, touching: Touching) -> bool {
    let any =
        |part: &PlacedShape| b.parts.iter().any(|other| single::touches(part, other, touching));
    overlap(a.bounds, b.bounds, touching)
        && (a.parts.iter().any(any) || a.has_on_inner_side(b) || b.has_on_inner_side(a))
}

/// All pairs of shapes that touch, sorted by `a`, then by `b`.
///
/// O(n²) time. Never panics; shapes from the 2^32nd on are left out.
#[inline]
pub fn pairs(shapes: &[Whole], touching: Touching) -> Vec<Pair> {
    let all = each(shapes).filter(|(_, a, b)| touches(a, b, touching));
    all.map(|(pair, ..)| pair).collect()
}
