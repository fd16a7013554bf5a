//! Pairs that are decided one by one, without a kernel: a half-plane and any other shape; and
//! the slabs of half-planes and long shapes.
//!
//! In plain words:
//!
//! ```text
//! height of a corner = normal · corner - offset - radius
//! they touch if the lowest corner is not above the border
//! the contact is at that corner, and at the lower of its neighbours if that is within the margin
//! ```
//!
//! The arithmetic is `f64`, with `+`, `-` and `×` only until a result is rounded. Two half-planes
//! never touch, and neither do two segments of chains.

use super::{
    Contact, ContactPoint, Feature,
    jobs::{ContactKey, Job},
    pair_query::PairQuery,
    view::{Member, Sources},
};
use crate::{
    base::Pair,
    geometry::{Border, Core, Vector, Vertices},
    grid::Slab,
    posed::{Placed, ShapeClass},
    shape::RoundedBox,
    simd::map_each,
};

/// Sets `hits` for the jobs whose shapes touch.
pub(super) fn test(query: &PairQuery<'_>, jobs: &[Job], hits: &mut [bool]) {
    let sources = Sources::of(&query.sets);
    for job in jobs {
        let touches = Support::of(&sources, job.members())
            .is_some_and(|support| support.touches(query.inclusive));
        hits[job.index as usize] |= touches;
    }
}

/// Writes the contact of each job at its index, or one without points. The keys are
/// those of [`Job::key`].
pub(super) fn contacts(
    query: &PairQuery<'_>,
    jobs: &[Job],
    keys: &[ContactKey],
    contacts: &mut [Contact],
) {
    let sources = Sources::of(&query.sets);
    for job in jobs {
        let index = job.index as usize;
        let support = Support::of(&sources, job.members())
            .filter(|support| support.reaches(query.margin, query.inclusive));
        let mut contact = support.map_or_else(Contact::default, |support| {
            let contact = support.contact(f64::from(query.margin));
            if job.exchanged() == 0.0 { contact } else { contact.mirrored() }
        });
        let [a, b, part_a, part_b] = job.key(keys);
        contact = Contact { pair: Pair { a, b }, part_a, part_b, ..contact };
        contacts[index] = contact;
    }
}

/// The corner of a shape that is deepest in a half-plane, and the lower of the corners beside it.
struct Support {
    normal: Vector,
    offset: f64,
    radius: f64,
    corners: [(Vector, usize); 2],
}

impl Support {
    /// `None` unless the first member is a half-plane, and only it.
    fn of(sources: &Sources<'_>, [plane, other]: [Member; 2]) -> Option<Self> {
        let placed = map_each([plane, other], |member| sources.placed(member));
        if map_each(placed, |placed| placed.is(ShapeClass::HalfPlane)) != [true, false] {
            return None;
        }
        let Border { normal, offset } = sources.exact(plane).border()?;
        let core = Core::of(&sources.exact(other));
        let corners = core.corners().map(|[x, y]| Vector::new(x, y)).enumerate();
        let count = core.count();
        let low = |number: usize, corner: Vector| (normal.dot(corner), number, corner);
        let first = corners.map(|(number, corner)| low(number, corner)).reduce(lower)?;
        let beside = [(first.1 + count - 1) % count, (first.1 + 1) % count];
        let [before, after] = map_each(beside, |number| low(number, core.at(number)));
        let second = lower(before, after);
        let corners = map_each([first, second], |(_, number, corner)| (corner, number));
        let radius = f64::from(placed[1].radius());
        Some(Self { normal, offset, radius, corners })
    }

    /// The height of the core at a corner above the border.
    fn height(&self, corner: Vector) -> f64 {
        self.normal.dot(corner) - self.offset
    }

    fn touches(&self, inclusive: bool) -> bool {
        let height = self.height(self.corners[0].0);
        if inclusive { height <= self.radius } else { height < self.radius }
    }

    /// Whether the shapes touch, or are at most `margin` apart if that is above 0.
    fn reaches(&self, margin: f32, inclusive: bool) -> bool {
        let near = self.height(self.corners[0].0) - self.radius <= f64::from(margin);
        self.touches(inclusive) || (margin > 0.0 && near)
    }

    /// The contact, from the half-plane to the other shape.
    fn contact(&self, margin: f64) -> Contact {
        let [(first, _), (second, _)] = self.corners;
        let point = |(corner, number): (Vector, usize)| {
            let (height, radius) = (self.height(corner), self.radius);
            // Half way between the surface of the shape, at height - radius, and the border.
            let [x, y] = (corner - self.normal * ((height + radius) * 0.5)).narrow();
            ContactPoint {
                x,
                y,
                depth: (radius - height) as f32 + 0.0,
                feature_a: Feature::side(0),
                feature_b: Feature::vertex(number),
            }
        };
        let deep = |corner: Vector| self.radius - self.height(corner) >= -margin;
        let two = second != first && deep(second);
        let [normal_x, normal_y] = self.normal.narrow();
        let points = map_each(self.corners, point);
        Contact {
            normal_x,
            normal_y,
            depth: points[0].depth,
            count: if two { 2 } else { 1 },
            point: [points[0], if two { points[1] } else { ContactPoint::default() }],
            ..Contact::default()
        }
    }
}

/// The lower of two corners, or the first of equally low corners.
fn lower(first: (f64, usize, Vector), second: (f64, usize, Vector)) -> (f64, usize, Vector) {
    if second.0 < first.0 { second } else { first }
}

impl PairQuery<'_> {
    /// A slab that holds the shape of a row of the first or the second set, and everything within
    /// the margin of the shape. `None` if it holds hardly less than the box around the shape, or if
    /// the width or the height of that box is less than `least`.
    pub(crate) fn slab(&self, row: u32, second_set: bool, least: f32) -> Option<Slab> {
        let sources = Sources::of(&self.sets);
        let member = Member::new(row, second_set);
        let placed = sources.placed(member);
        let class = placed.class();
        if class.is_axis_aligned() || class == ShapeClass::Compound {
            return None;
        }
        let margin = f64::from(self.margin);
        if placed.is(ShapeClass::HalfPlane) {
            let Border { normal, offset } = sources.exact(member).border()?;
            let normal = normal.narrow();
            let highest = above(offset + margin, offset.abs() + margin);
            let slanted = normal[0] != 0.0 && normal[1] != 0.0;
            return slanted.then_some(Slab { normal, heights: [f32::NEG_INFINITY, highest] });
        }
        let RoundedBox { min_x, min_y, max_x, max_y, .. } = member.bounds(&self.sets);
        let short = (max_x - min_x).min(max_y - min_y);
        if short < least {
            return None;
        }
        let (normal, [lowest, highest]) = stripe(&sources, member, placed)?;
        let around = f64::from(placed.radius()) + margin;
        let size = map_each([min_x, min_y, max_x, max_y], |side| f64::from(side.abs()));
        let size = size.iter().sum::<f64>() + around;
        let heights = [-above(around - lowest, size), above(highest + around, size)];
        let slab = Slab { normal, heights };
        (slab.width() < 0.5 * short).then_some(slab)
    }
}

/// A number of `f32` that is above a height by more than the roundings of a shape of this size.
fn above(height: f64, size: f64) -> f32 {
    (height + size * (1.0 / (1 << 18) as f64) + f64::from(f32::MIN_POSITIVE)) as f32
}

/// The unit vector across the narrowest stripe along a side of the core, and the heights of the
/// core along it.
fn stripe(sources: &Sources<'_>, member: Member, placed: &Placed) -> Option<([f32; 2], [f64; 2])> {
    let wide = |point: [f32; 2]| map_each(point, f64::from);
    let dot = |a: [f32; 2], b: [f32; 2]| {
        let ([a, b], [c, d]) = (wide(a), wide(b));
        a * c + b * d
    };
    let class = placed.class();
    let [first, second, third] = placed.frame();
    if class.is_line() {
        let normal = [-third[1], third[0]];
        let heights = [dot(normal, first), dot(normal, second)];
        return Some((normal, [heights[0].min(heights[1]), heights[0].max(heights[1])]));
    }
    if class == ShapeClass::Rotated {
        let [cos, sin] = second;
        let (normal, half) =
            if third[1] <= third[0] { ([-sin, cos], third[1]) } else { ([cos, sin], third[0]) };
        let (middle, half) = (dot(normal, first), f64::from(half));
        return Some((normal, [middle - half, middle + half]));
    }
    if !matches!(class, ShapeClass::Polygon4 | ShapeClass::Polygon8) {
        return None;
    }
    let count = placed.size().vertices();
    let blocks = sources.blocks(member.source, placed);
    let corner = |number: usize| {
        let (block, slot) = (&blocks[number / blocks[0].x.len()], number % blocks[0].x.len());
        ([block.x[slot], block.y[slot]], [block.normal_x[slot], block.normal_y[slot]])
    };
    let sides = (0..count).map(|side| {
        let (start, normal) = corner(side);
        let lowest = (0..count).map(|vertex| dot(normal, corner(vertex).0));
        (normal, [lowest.fold(f64::INFINITY, f64::min), dot(normal, start)])
    });
    let narrowest = sides.min_by(|(_, a), (_, b)| (a[1] - a[0]).total_cmp(&(b[1] - b[0])))?;
    let (normal, heights) = narrowest;
    let middle = dot(normal, first);
    Some((normal, map_each(heights, |height| middle + height)))
}
