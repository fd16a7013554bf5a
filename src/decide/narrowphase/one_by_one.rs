//! Pairs that are decided one by one, without a kernel: a half-plane and any other shape.
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
    posed::ShapeClass,
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
