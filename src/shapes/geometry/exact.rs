//! The exact touching test, for pairs that kernels leave in doubt.
//!
//! A kernel knows the distance of two shapes up to rounding errors. Where these could decide, the
//! pair comes here:
//!
//! 1. A core is the convex hull of its corners. The corners are the coordinates that the caller
//!    gave. For a shape with a pose, they are these coordinates, placed in `f64`
//!    ([`Frame::place`](crate::posed::Frame::place)). So equal corners of two shapes with equal
//!    poses, and of two parts of one compound, stay equal.
//! 2. Cores are apart if all corners of one are beyond a side of the other, or if their bounding
//!    boxes are apart. Exact arithmetic decides on which side of a line a point is (Shewchuk,
//!    "Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997;
//!    the crate `robust`).
//! 3. Cores overlap if every side of both has a corner of the other on its inner side. Otherwise
//!    they meet.
//! 4. With radii, the squares of distance and radius are compared, in `f64`.
//!
//! So shapes without a radius and without a pose are decided exactly, whatever their coordinates.
//! The result depends only on the shapes. See docs/numerics.md.

use robust::{Coord, orient2d};

use super::vector::{Border, Vector};
use crate::{
    posed::{Frame, OwnShape, OwnVertices, Placed, ShapeClass, VertexBlock, sum},
    simd::map_each,
};

/// A shape of a pair in doubt.
#[derive(Clone, Copy)]
pub(crate) struct ExactShape<'a> {
    pub(crate) placed: Placed,
    /// The blocks of a polygon, else empty.
    pub(crate) blocks: &'a [VertexBlock],
    /// The shape in its own frame, unless the placed shape has its exact numbers.
    pub(crate) own: Option<OwnShape<'a>>,
}

impl ExactShape<'_> {
    /// A shape that is placed as it was given.
    pub(crate) fn plain(placed: Placed) -> Self {
        Self { placed, blocks: &[], own: None }
    }

    /// The line of a half-plane.
    pub(crate) fn border(&self) -> Option<Border> {
        let OwnShape { record, frame, .. } = self.own.as_ref()?;
        let (normal, offset) = frame.border([record.cos, record.sin], record.half_x);
        let [x, y] = normal;
        self.placed.is(ShapeClass::HalfPlane).then(|| Border { normal: Vector::new(x, y), offset })
    }
}

/// Whether two cores are within the sum of the radii around them, under the policy.
pub(crate) fn cores_touch<A: Vertices + ?Sized, B: Vertices + ?Sized>(
    a: &A,
    b: &B,
    radius: f64,
    inclusive: bool,
) -> bool {
    match relation(a, b) {
        Relation::Overlap => true,
        Relation::Meet => inclusive || radius > 0.0,
        Relation::Apart => radius > 0.0 && reach(a, b, radius, inclusive),
    }
}

/// The corners of a convex core, counter-clockwise.
pub(crate) enum Core<'a> {
    /// At most four corners, and their number.
    Few([Coordinates; 4], usize),
    Polygon(Polygon<'a>),
    /// Corners that were listed before.
    Listed(&'a [Vector]),
}

type Coordinates = [f64; 2];

/// The corners of a convex core, counter-clockwise, by number.
pub(crate) trait Vertices {
    fn count(&self) -> usize;

    fn corner(&self, number: usize) -> Coordinates;

    /// The corner with this number, as a vector.
    fn at(&self, number: usize) -> Vector {
        let [x, y] = self.corner(number);
        Vector::new(x, y)
    }

    fn corners(&self) -> impl Iterator<Item = Coordinates> {
        (0..self.count()).map(|number| self.corner(number))
    }

    /// The sides that have a length. A segment has two sides, one in each direction. A point has no
    /// side.
    fn sides(&self) -> impl Iterator<Item = [Coordinates; 2]> {
        let count = self.count();
        let sides = (0..count).map(move |number| {
            let next = if number + 1 < count { number + 1 } else { 0 };
            [self.corner(number), self.corner(next)]
        });
        sides.filter(|[start, end]| start != end)
    }

    /// The lower left and the upper right corner of the bounding box.
    fn bounds(&self) -> [Coordinates; 2] {
        self.corners().fold([[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]], |[min, max], [x, y]| {
            [[min[0].min(x), min[1].min(y)], [max[0].max(x), max[1].max(y)]]
        })
    }
}

impl Vertices for [Vector] {
    #[inline]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn corner(&self, number: usize) -> Coordinates {
        [self[number].x, self[number].y]
    }
}

/// A placed polygon.
pub(crate) struct Polygon<'a> {
    own_vertices: &'a [OwnVertices],
    count: usize,
    /// `None` if the vertices are where their own coordinates say.
    frame: Option<Frame>,
}

impl<'a> Core<'a> {
    #[inline]
    pub(crate) fn of(shape: &ExactShape<'a>) -> Self {
        let ExactShape { placed, own, .. } = *shape;
        match (placed.class(), own) {
            (ShapeClass::AlignedBox, _) => Self::of_box(placed.ends()),
            (ShapeClass::Line | ShapeClass::ChainSegment, None) => {
                few(&map_each(placed.ends(), wide))
            }
            (ShapeClass::Line | ShapeClass::ChainSegment, Some(OwnShape { record, frame, .. })) => {
                few(&map_each(record.ends(), |end| frame.place(wide(end))))
            }
            (ShapeClass::Rotated, None) => {
                let [.., half] = placed.frame();
                Core::Few(placed.own_frame().place_box(wide(half)), 4)
            }
            (ShapeClass::Rotated, Some(own)) => few(&box_part(&own)),
            (
                ShapeClass::Polygon4 | ShapeClass::Polygon8 | ShapeClass::PolygonMany,
                Some(OwnShape { vertices: own_vertices, frame, .. }),
            ) => {
                let frame = (!frame.is_identity()).then_some(frame);
                let count = placed.size().vertices();
                Core::Polygon(Polygon { own_vertices, count, frame })
            }
            // A centre. Half-planes and compounds have no core.
            _ => few(&[wide(placed.ends()[0])]),
        }
    }

    /// The core of a box from its lower left to its upper right corner.
    pub(crate) fn of_box(ends: [[f32; 2]; 2]) -> Self {
        let [[left, lower], [right, upper]] = map_each(ends, wide);
        few(&[[left, lower], [right, lower], [right, upper], [left, upper]])
    }
}

impl Vertices for Core<'_> {
    fn count(&self) -> usize {
        match self {
            Core::Few(_, count) => *count,
            Core::Polygon(polygon) => polygon.count,
            Core::Listed(corners) => corners.len(),
        }
    }

    #[inline(always)]
    fn corner(&self, number: usize) -> Coordinates {
        match self {
            Core::Few(corners, _) => corners[number],
            Core::Polygon(polygon) => polygon.corner(number),
            Core::Listed(corners) => corners.corner(number),
        }
    }
}

/// A core of at most four corners.
fn few<'a>(corners: &[Coordinates]) -> Core<'a> {
    let mut few = [[0.0; 2]; 4];
    few[..corners.len()].copy_from_slice(corners);
    Core::Few(few, corners.len())
}

/// The corners of a box that is a part of a compound.
///
/// A corner of a rotated box is the sum of its centre and a rotated half diagonal. The part of the
/// sum that an `f32` can hold is placed as any other corner is, so that it stays equal to a corner
/// of another part that has these coordinates. The remainder is rotated and added.
fn box_part(own: &OwnShape<'_>) -> [Coordinates; 4] {
    let OwnShape { record, frame, .. } = own;
    if let Some([[left, lower], [right, upper]]) = record.sides() {
        let corners = [[left, lower], [right, lower], [right, upper], [left, upper]];
        return map_each(corners, |corner| frame.place(wide(corner)));
    }
    let turned = Frame::new([0.0; 2], [record.cos, record.sin]);
    let [x, y] = wide([record.half_x, record.half_y]);
    map_each([[-x, -y], [x, -y], [x, y], [-x, y]], |corner| {
        let diagonal = turned.turn(corner);
        let [x, y] = [sum(f64::from(record.x), diagonal[0]), sum(f64::from(record.y), diagonal[1])];
        let near = map_each([x, y], |[value, _]| f64::from(value as f32));
        let rest = [(x[0] - near[0]) + x[1], (y[0] - near[1]) + y[1]];
        plus(frame.place(near), frame.turn(rest))
    })
}

impl Polygon<'_> {
    fn corner(&self, number: usize) -> Coordinates {
        let own = wide(self.own_vertices.as_flattened()[number]);
        self.frame.map_or(own, |frame| frame.place(own))
    }
}

/// The relation of two cores.
enum Relation {
    /// They have no point in common.
    Apart,
    /// They have common points, but would be apart if either were any smaller.
    Meet,
    Overlap,
}

fn relation<A: Vertices + ?Sized, B: Vertices + ?Sized>(a: &A, b: &B) -> Relation {
    let walked = a.count().min(b.count()) > MAX_CORNERS_TRIED;
    let furthest = walked.then(|| {
        let sides = [a.bounds(), b.bounds()];
        sides.as_flattened().as_flattened().iter().fold(0.0, |most: f64, side| most.max(side.abs()))
    });
    let counts = counted(a, b, furthest).and_then(|[sides, within]| {
        let [others, others_within] = counted(b, a, furthest)?;
        Some([sides + others, within + others_within])
    });
    let Some([sides, sides_with_any_within]) = counts else { return Relation::Apart };
    let ([a_min, a_max], [b_min, b_max]) = (a.bounds(), b.bounds());
    let apart = |axis: usize| a_max[axis] < b_min[axis] || b_max[axis] < a_min[axis];
    // This decides points and cores on one line, which no side separates.
    if apart(0) || apart(1) {
        return Relation::Apart;
    }
    if sides > 0 && sides_with_any_within == sides { Relation::Overlap } else { Relation::Meet }
}

/// The number of the sides of `own`, and of the sides with a corner of `other` on their inner side.
/// `None` if `other` is beyond a side. `furthest` is the largest coordinate, if both have so many
/// corners that only the corners about furthest to the left of each side are looked at.
fn counted<A: Vertices + ?Sized, B: Vertices + ?Sized>(
    own: &A,
    other: &B,
    furthest: Option<f64>,
) -> Option<[u32; 2]> {
    let (mut sides, mut sides_with_any_within, mut furthest_left) = (0, 0, 0);
    for side in own.sides() {
        let left = match furthest {
            Some(furthest) => most_left(side, other, &mut furthest_left, furthest),
            None => {
                let left = other.corners().map(|corner| left_of(side, corner));
                left.fold(f64::NEG_INFINITY, f64::max)
            }
        };
        if left < 0.0 {
            return None;
        }
        sides += 1;
        sides_with_any_within += u32::from(left > 0.0);
    }
    Some([sides, sides_with_any_within])
}

/// The most corners of the smaller of two cores whose corners are all tried with all sides, in
/// exact decisions and in distances.
pub(crate) const MAX_CORNERS_TRIED: usize = 16;

/// The largest [`left_of`] a side of the corners of a core, up to its sign. `number` is the corner
/// furthest to the left of the side before, and is set to the corner of this side: as the sides
/// turn to the left, so do these corners. `furthest` is the largest coordinate.
///
/// Goes from `number` in both directions, to corners that are further to the right than the best
/// corner by more than roundings. The corners after them are then further to the right, too: the
/// core is convex, but for the roundings of the places of its corners.
fn most_left<V: Vertices + ?Sized>(
    side: [Coordinates; 2],
    core: &V,
    number: &mut usize,
    furthest: f64,
) -> f64 {
    let along = way(side[0], side[1]);
    let size = (along[0].abs() + along[1].abs()) * furthest;
    let slack = size * (1.0 / (1_u64 << 44) as f64);
    let (count, first) = (core.count(), *number);
    let mut most = left_of(side, core.corner(first));
    let mut open = count - 1;
    for step in [1, count - 1] {
        let mut at = first;
        while open > 0 {
            at = (at + step) % count;
            open -= 1;
            let left = left_of(side, core.corner(at));
            if left > most {
                (most, *number) = (left, at);
            }
            if left < most - slack {
                break;
            }
        }
    }
    most
}

/// Whether the distance of cores that are apart is at most `radius`, or less than it if not
/// `inclusive`. The shortest connection of two cores starts or ends at a corner.
fn reach<A: Vertices + ?Sized, B: Vertices + ?Sized>(
    a: &A,
    b: &B,
    radius: f64,
    inclusive: bool,
) -> bool {
    let radius2 = radius * radius;
    let near = |distance2: f64, limit: f64| {
        if inclusive { distance2 <= limit } else { distance2 < limit }
    };
    let corners_near = a
        .corners()
        .any(|corner| b.corners().any(|other| near(square(way(corner, other)), radius2)));
    let side_near = |[start, end]: [Coordinates; 2], corner: Coordinates| {
        let along = way(start, end);
        let (length2, to) = (square(along), way(start, corner));
        let beside = along[0] * to[0] + along[1] * to[1];
        let across = along[0] * to[1] - along[1] * to[0];
        // Multiplied by the length instead of divided, so that whole numbers stay whole.
        (0.0..=length2).contains(&beside) && near(across * across, radius2 * length2)
    };
    corners_near
        || a.sides().any(|side| b.corners().any(|corner| side_near(side, corner)))
        || b.sides().any(|side| a.corners().any(|corner| side_near(side, corner)))
}

/// Above 0 if `point` is to the left of a side, below 0 if to the right, 0 if on its line.
pub(crate) fn left_of([start, end]: [Coordinates; 2], point: Coordinates) -> f64 {
    let [start, end, point] = map_each([start, end, point], |[x, y]| Coord { x, y });
    orient2d(start, end, point)
}

fn wide(point: [f32; 2]) -> Coordinates {
    map_each(point, f64::from)
}

fn plus(a: Coordinates, b: Coordinates) -> Coordinates {
    [a[0] + b[0], a[1] + b[1]]
}

fn way(from: Coordinates, to: Coordinates) -> Coordinates {
    [to[0] - from[0], to[1] - from[1]]
}

fn square([x, y]: Coordinates) -> f64 {
    x * x + y * y
}
