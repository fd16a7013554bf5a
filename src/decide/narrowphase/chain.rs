//! Contacts of segments of chains: a shape slides over joints without catching.
//!
//! The kernels make the contact of the segment alone. At a joint its normal may point along the
//! chain, against a shape that slides over it. Here, such a contact is made again or left out, by
//! the neighbours of the segment (the idea is ghost vertices: Catto, "Smooth collision",
//! Box2D). In plain words, with the side of the chain on which the other shape is as the front:
//!
//! ```text
//! if that side has no contacts: none
//! a circle beyond a joint: the contact of the corner if the joint is convex in front, once
//! if the normal is one of a smooth surface here: the contact as it is
//!     along the segment, that is its own normal only
//!     at a joint that is convex in front, normals from its own to the neighbour's
//!     at a free end, all of the front
//! otherwise: the normal of the segment, and the part of the shape that is above the segment;
//!     none if no part is
//! ```
//!
//! A circle at a convex joint would have the same contact with both segments. It has it with the
//! segment before the joint.

use super::{
    Contact, ContactPoint, Feature, PairQuery,
    view::{ChainPiece, Member, Sources},
};
use crate::{
    base::Pair,
    geometry::{Core, Vector, Vertices},
    posed::ShapeClass,
    shape::Sides,
    simd::map_each,
};

/// The sine of the angle between normals that count as equal: a few roundings of an `f32`.
pub(super) use crate::base::F32_SLACK as EQUAL;

/// The contact of a pair of rows of `query`, corrected if one of them is a segment of a chain. Not
/// both rows are segments.
pub(super) fn smooth(
    query: &PairQuery<'_>,
    sources: &Sources<'_>,
    contact: &Contact,
) -> Option<Contact> {
    let Pair { a, b } = contact.pair;
    let members = [Member::new(a, false), Member::new(b, query.between)];
    let is_chain = |member: &Member| sources.placed(*member).is(ShapeClass::ChainSegment);
    let Some(side) = members.iter().position(is_chain) else {
        return Some(*contact);
    };
    let (own, other) = (members[side], members[1 - side]);
    if sources.placed(other).is(ShapeClass::HalfPlane) {
        return Some(*contact);
    }
    let part = sources.part(other, [contact.part_a, contact.part_b][1 - side]);
    let set = &query.sets[own.source as usize % 2];
    let segment = SmoothSegment::new(&set.chain_piece(own.row as usize)?)?;
    let shape = Other {
        core: &Core::of(&sources.exact(part)),
        radius: f64::from(sources.placed(part).radius()),
    };
    if side == 0 {
        return segment.smooth(&shape, contact, query.margin);
    }
    let smooth = segment.smooth(&shape, &contact.mirrored(), query.margin)?;
    Some(smooth.mirrored())
}

/// Whether a normal away from a segment of a chain, towards a shape with its middle at `center`, is
/// a normal of the smooth surface in front of the segment.
pub(super) fn admits(query: &PairQuery<'_>, own: Member, center: Vector, normal: Vector) -> bool {
    let piece = query.sets[own.source as usize % 2].chain_piece(own.row as usize);
    let Some(piece) = piece else { return true };
    let segment = SmoothSegment::new(&piece);
    segment.is_some_and(|segment| {
        segment.front(center).is_some_and(|front| segment.admits(normal, front))
    })
}

/// Whether a segment of a chain stops a shape, with its middle at `middle`, along a normal away
/// from it: a normal of the smooth surface on the side of the middle, or on the only side.
///
/// A segment with one side has no side at a free end: it stops nothing there along a normal that is
/// nearer to its direction than to its own normal.
#[cfg(feature = "queries")]
pub(super) fn stops(piece: &ChainPiece, normal: Vector, middle: Vector) -> bool {
    SmoothSegment::new(piece).is_none_or(|segment| {
        let front = match piece.sides {
            Sides::Both if segment.is_beside(middle, 1.0) => 1.0,
            Sides::Left => 1.0,
            Sides::Both | Sides::Right => -1.0,
        };
        let (along, above) = (segment.along.dot(normal), segment.normal(front).dot(normal));
        let neighbour = if along > 0.0 { segment.after } else { segment.before };
        let is_end = piece.sides != Sides::Both && neighbour.is_none() && above < along.abs();
        segment.admits(normal, front) && !is_end
    })
}

/// For a segment with one side: its ends, and the ends of the segments beside it that turn by at
/// most 45 degrees from its direction. The side with contacts is to the left along each of these
/// segments.
#[cfg(feature = "queries")]
pub(super) fn one_way(piece: &ChainPiece) -> Option<[Option<[Vector; 2]>; 3]> {
    let ChainPiece { ends: [start, end], vertices: [before, after], sides } = *piece;
    let goes_on = |ends: &[Vector; 2]| {
        let ([from, to], along) = (*ends, end - start);
        along.cross(to - from).abs() <= along.dot(to - from)
    };
    let before = before.map(|before| [before, start]).filter(goes_on);
    let after = after.map(|after| [end, after]).filter(goes_on);
    let segments = [Some([start, end]), before, after];
    match sides {
        Sides::Both => None,
        Sides::Left => Some(segments),
        Sides::Right => Some(map_each(segments, |ends| ends.map(|[from, to]| [to, from]))),
    }
}

/// The shape that touches a segment of a chain, or a part of an outline.
pub(super) struct Other<'a> {
    pub(super) core: &'a Core<'a>,
    pub(super) radius: f64,
}

/// A segment of a chain and the directions of its neighbours.
struct SmoothSegment {
    start: Vector,
    end: Vector,
    /// The direction, of length 1.
    along: Vector,
    length: f64,
    /// The directions of the neighbours, of length 1.
    before: Option<Vector>,
    after: Option<Vector>,
    sides: Sides,
}

/// A point of the core above the segment.
#[derive(Clone, Copy)]
struct Above {
    /// The height of the core above the line of the segment, and the position along it.
    height: f64,
    along: f64,
    /// The vertex of the core.
    vertex: usize,
}

impl SmoothSegment {
    /// `None` if the ends coincide, which only the rounding of a pose can bring about.
    fn new(piece: &ChainPiece) -> Option<Self> {
        let ChainPiece { ends: [start, end], vertices, sides } = *piece;
        let along = (end - start).unit()?;
        let before = vertices[0].and_then(|vertex| (start - vertex).unit());
        let after = vertices[1].and_then(|vertex| (vertex - end).unit());
        let length = (end - start).length();
        Some(Self { start, end, along, length, before, after, sides })
    }

    /// The corrected contact, from the segment to the other shape, as `contact` is.
    fn smooth(&self, other: &Other<'_>, contact: &Contact, margin: f32) -> Option<Contact> {
        let center = other.center();
        let front = self.front(center)?;
        if other.core.count() == 1 && self.is_beyond_joint(center) {
            return self.corner_contact(center, other.radius, front, contact);
        }
        let normal = contact.normal();
        if self.admits(Vector::wide([normal.x, normal.y]), front) {
            return Some(*contact);
        }
        self.contact_above(other, front, contact, margin)
    }

    /// The side of the chain on which a point is, if that side has contacts: 1 for the left side,
    /// -1 for the right.
    fn front(&self, center: Vector) -> Option<f64> {
        let front = match self.sides {
            Sides::Both if self.is_beside(center, 1.0) => 1.0,
            Sides::Left => 1.0,
            Sides::Both | Sides::Right => -1.0,
        };
        Some(front).filter(|front| self.is_beside(center, *front))
    }

    /// Whether a point is beyond an end with a neighbour.
    fn is_beyond_joint(&self, point: Vector) -> bool {
        let along = self.along.dot(point - self.start);
        along < 0.0 && self.before.is_some() || along > self.length && self.after.is_some()
    }

    /// The contact of the corner at the second end with a circle beyond a joint. `None` if the
    /// circle is above the next segment, which then has the contact, or if the joint is concave in
    /// front. The two segments at a joint compute the same numbers, so that a circle always has a
    /// contact, and a single contact at a corner.
    fn corner_contact(
        &self,
        center: Vector,
        radius: f64,
        front: f64,
        contact: &Contact,
    ) -> Option<Contact> {
        let (after, to) = (self.after?, center - self.end);
        let beyond = self.along.dot(center - self.start) > self.length && after.dot(to) < 0.0;
        if !beyond || !is_convex([self.along, after], front) {
            return None;
        }
        let normal = to.unit()?;
        let depth = (radius - to.length()) as f32;
        // The sign of the depth says whether they touch, which has been decided.
        let depth =
            if contact.depth >= 0.0 { depth.max(0.0) } else { depth.min(-f32::MIN_POSITIVE) };
        let [x, y] = (center - normal * ((to.length() + radius) * 0.5)).narrow();
        let [normal_x, normal_y] = normal.narrow();
        let point = ContactPoint { x, y, depth, ..contact.point[0] };
        Some(Contact { normal_x, normal_y, depth, point: [point, contact.point[1]], ..*contact })
    }

    /// Whether a point is on this side of the chain, border included: 1 for the left side, -1 for
    /// the right. Beyond an end, the neighbour also counts.
    fn is_beside(&self, point: Vector, side: f64) -> bool {
        let is_left = |start: Vector, along: Vector| side * along.cross(point - start) >= 0.0;
        let own = is_left(self.start, self.along);
        let along = self.along.dot(point - self.start);
        let (corner, turn, neighbour) = match (self.before, self.after) {
            (Some(before), _) if along < 0.0 => (self.start, [before, self.along], before),
            (_, Some(after)) if along > self.length => (self.end, [self.along, after], after),
            _ => return own,
        };
        let beside = is_left(corner, neighbour);
        if is_convex(turn, side) { own || beside } else { own && beside }
    }

    /// Whether a normal is a normal of the smooth surface in front of the segment.
    fn admits(&self, normal: Vector, front: f64) -> bool {
        let up = self.normal(front);
        let (along, above) = (self.along.dot(normal), up.dot(normal));
        if along.abs() <= EQUAL {
            return above > 0.0;
        }
        // The angle from one vector to the other, towards the second end, is from 0 to 180 degrees.
        let towards_end = |from: Vector, to: Vector| front * to.cross(from) >= -EQUAL;
        let (neighbour, turn) = if along > 0.0 {
            (self.after, self.after.map(|after| [self.along, after]))
        } else {
            (self.before, self.before.map(|before| [before, self.along]))
        };
        let (Some(neighbour), Some(turn)) = (neighbour, turn) else {
            return self.sides == Sides::Both || above >= -EQUAL;
        };
        let outermost = neighbour.perp() * front;
        is_convex(turn, front)
            && if along > 0.0 {
                towards_end(normal, outermost)
            } else {
                towards_end(outermost, normal)
            }
    }

    fn normal(&self, front: f64) -> Vector {
        self.along.perp() * front
    }

    /// The contact along the normal of the segment, with the part of the other shape that is above
    /// the segment.
    fn contact_above(
        &self,
        other: &Other<'_>,
        front: f64,
        contact: &Contact,
        margin: f32,
    ) -> Option<Contact> {
        let strip = Strip {
            start: self.start,
            along: self.along,
            normal: self.normal(front),
            range: [0.0, self.length],
            size: self.start.length() + self.length,
        };
        strip.contact(other, Feature::side(if front > 0.0 { 2 } else { 0 }), contact, margin)
    }
}

/// The area above a side: between two lines across it.
pub(super) struct Strip {
    /// A point of the side, its direction, and the normal on which shapes are above.
    pub(super) start: Vector,
    pub(super) along: Vector,
    pub(super) normal: Vector,
    /// The places of the two lines along the side, seen from the point.
    pub(super) range: [f64; 2],
    /// The size of the numbers, for roundings.
    pub(super) size: f64,
}

impl Strip {
    /// The contact along the normal with the part of a shape that is in the strip: `contact` with
    /// this normal and these points. `None` if no part is at most `margin` above the side.
    pub(super) fn contact(
        &self,
        other: &Other<'_>,
        side: Feature,
        contact: &Contact,
        margin: f32,
    ) -> Option<Contact> {
        let Self { start, along, normal, .. } = *self;
        let [first, second] = self.lowest_side(other.core)?;
        let least = -f64::from(margin) - self.slack(first);
        let depth = |point: Above| other.radius - point.height;
        if depth(first) < least {
            return None;
        }
        let two =
            depth(second) >= least && (second.along, second.vertex) != (first.along, first.vertex);
        let point = |point: Above| {
            // Half way between the surfaces, at 0 and at height - radius.
            let middle = (point.height - other.radius) * 0.5;
            let [x, y] = (start + along * point.along + normal * middle).narrow();
            ContactPoint {
                x,
                y,
                depth: depth(point).max(-f64::from(margin)) as f32 + 0.0,
                feature_a: side,
                feature_b: Feature::vertex(point.vertex),
            }
        };
        let points = [point(first), if two { point(second) } else { ContactPoint::default() }];
        let [normal_x, normal_y] = normal.narrow();
        let count = if two { 2 } else { 1 };
        Some(Contact {
            normal_x,
            normal_y,
            depth: points[0].depth,
            count,
            point: points,
            ..*contact
        })
    }

    /// The contact with the round end of a shape whose core is beside the strip: at the end of the
    /// strip, with the lowest place of the circles around its corners.
    pub(super) fn contact_of_cap(
        &self,
        other: &Other<'_>,
        side: Feature,
        contact: &Contact,
        margin: f32,
    ) -> Option<Contact> {
        let lowest = (0..other.core.count()).filter_map(|vertex| {
            let to = other.core.at(vertex) - self.start;
            let along = self.along.dot(to);
            let beside = along.clamp(self.range[0], self.range[1]);
            let square = other.radius * other.radius - (along - beside) * (along - beside);
            let height = self.normal.dot(to) - square.sqrt();
            (square > 0.0).then_some(Above { height, along: beside, vertex })
        });
        let lowest = lowest.reduce(|a, b| if b.height < a.height { b } else { a })?;
        let Vector { x, y } = self.start + self.along * lowest.along;
        let end = [self.normal * (lowest.height + other.radius) + Vector::new(x, y)];
        let alone = Other { core: &Core::Listed(&end), radius: other.radius };
        let mut found = self.contact(&alone, side, contact, margin)?;
        found.point[0].feature_b = Feature::vertex(lowest.vertex);
        Some(found)
    }

    /// The roundings of a height.
    fn slack(&self, point: Above) -> f64 {
        let size = self.size + point.height.abs();
        size * (1.0 / (1_u64 << 44) as f64)
    }

    /// The side of a core that is lowest where it is in the strip: its ends, cut off at the lines,
    /// the lower one first. `None` if no part is in the strip.
    fn lowest_side(&self, core: &Core<'_>) -> Option<[Above; 2]> {
        let count = core.count();
        let above = |vertex: usize| {
            let to = core.at(vertex) - self.start;
            Above { height: self.normal.dot(to), along: self.along.dot(to), vertex }
        };
        let mut lowest: Option<[Above; 2]> = None;
        let mut last = above(count - 1);
        for vertex in 0..count {
            let next = above(vertex);
            if let Some(ends) = self.cut([last, next])
                && lowest.is_none_or(|lowest| heights(ends) < heights(lowest))
            {
                lowest = Some(ends);
            }
            last = next;
        }
        lowest
    }

    /// The part of a side that is in the strip, the lower end first.
    fn cut(&self, ends: [Above; 2]) -> Option<[Above; 2]> {
        let ([start, end], [first, last]) = (ends, self.range);
        let [least, most] = [start.along.min(end.along), start.along.max(end.along)];
        if most < first || least > last {
            return None;
        }
        let cut = |point: Above| {
            let along = point.along.clamp(first, last);
            if along == point.along {
                return point;
            }
            let share = (along - start.along) / (end.along - start.along);
            let height = start.height + (end.height - start.height) * share;
            Above { height, along, ..point }
        };
        let [start, end] = map_each(ends, cut);
        Some(if end.height < start.height { [end, start] } else { [start, end] })
    }
}

impl Other<'_> {
    /// The middle of the corners' bounding box.
    pub(super) fn center(&self) -> Vector {
        let [[min_x, min_y], [max_x, max_y]] = self.core.bounds();
        Vector::new((min_x + max_x) * 0.5, (min_y + max_y) * 0.5)
    }
}

fn heights([low, high]: [Above; 2]) -> [f64; 2] {
    [low.height, high.height]
}

/// Whether a turn from one direction to the next is away from this side. A turn back is away from
/// both sides.
fn is_convex([from, to]: [Vector; 2], side: f64) -> bool {
    let turn = side * from.cross(to);
    turn < 0.0 || (turn == 0.0 && from.dot(to) < 0.0)
}
