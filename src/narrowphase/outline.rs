//! Outlines as one area: what lies on an inner side lies inside, and no contact pushes out through
//! an inner side.
//!
//! The kernels see the convex parts of an outline alone. Two parts share an inner side, on which
//! each of them has a border that the outline has not. A part knows its rim: which of its sides are
//! on the border of the outline, and the directions of the border before and after each vertex. In
//! plain words:
//!
//! ```text
//! a shape without area that lies on an inner side: touches
//! normals of the outline: those of outer sides, above these sides
//!     at a convex corner of the border, all between the normals of its two sides
//! a contact whose normal is one of them: as it is
//! any other contact of a part:
//!     none if one of the contacts above also moves the shape out of this part
//!     else the least deep of
//!         each outer side of the part, with the middle of the shape in front: as a segment of a
//!             chain, with what is above it, as far as the part reaches along the side
//!         each convex corner of the part, with the sides of the shape that face it
//!     else none
//! if no contact is left and the shapes touch: the side of the border nearest to the middle of the
//!     shape
//! ```
//!
//! The arithmetic is `f64`, and the same on all levels. Contacts with half-planes have the normal
//! of the half-plane and stay as they are.

use super::{
    Contact, ContactPoint, Feature, PairQuery,
    chain::{self, Other, Strip},
    view::{Member, Set, Sources, View},
};
use crate::{
    Pair,
    base::order::{f32_rank, list_by_key},
    geometry::{Core, Vector, left_of},
    posed::{Frame, Placed, ShapeClass},
    shape::rim::RimCorner,
    simd::map_each,
};

/// The sine of the angle between normals that count as equal: a few roundings of an `f32`.
const EQUAL: f64 = 1.0 / (1 << 20) as f64;

/// Roundings of places, as a share of the largest coordinate.
const NEAR: f64 = 1.0 / (1 << 19) as f64;

/// At most this many contacts are asked whether they also move a shape out of another part: the
/// deepest ones.
const ASKED: usize = 16;

/// A corner of a rim in the world.
#[derive(Debug, Clone, Copy)]
struct Corner {
    at: Vector,
    before: Vector,
    after: Vector,
    outer: bool,
}

/// An outer side of a part.
#[derive(Debug, Clone, Copy)]
struct OuterSide {
    start: Vector,
    /// The direction and the outward normal, of length 1.
    along: Vector,
    normal: Vector,
    length: f64,
}

/// The rim of a part in the world.
#[derive(Debug, Default)]
struct Rim {
    corners: Vec<Corner>,
    /// The roundings of places.
    near: f64,
}

/// A point of a compound in the world, as exact arithmetic places the corners of its parts.
fn place(frame: Frame, at: [f32; 2]) -> Vector {
    let [x, y] = frame.place(at.map(f64::from));
    Vector::new(x, y)
}

impl Rim {
    fn set(&mut self, frame: Frame, rim: &[RimCorner]) {
        self.corners.clear();
        self.corners.extend(rim.iter().map(|corner| {
            let RimCorner { at, before, after, outer } = *corner;
            let [at, before, after] = map_each([at, before, after], |at| place(frame, at));
            Corner { at, before, after, outer }
        }));
        let size = self.corners.iter().map(|corner| corner.at.x.abs().max(corner.at.y.abs()));
        self.near = size.fold(0.0, f64::max) * NEAR;
    }

    /// The sides on the border.
    fn outer_sides(&self) -> impl Iterator<Item = OuterSide> + '_ {
        let next = self.corners.iter().cycle().skip(1);
        let sides = self.corners.iter().zip(next).filter(|(corner, _)| corner.outer);
        sides.filter_map(|(corner, next)| OuterSide::new(corner.at, next.at))
    }

    /// How far the part reaches in a direction.
    fn reach(&self, direction: Vector) -> f64 {
        let reaches = self.corners.iter().map(|corner| direction.dot(corner.at));
        reaches.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Whether a normal is one of the outline's own at some of these points.
    fn admits(&self, normal: Vector, points: &[Vector]) -> bool {
        let above = |side: OuterSide| {
            side.normal.dot(normal) > 0.0
                && side.normal.cross(normal).abs() <= EQUAL
                && points.iter().any(|point| {
                    let along = side.along.dot(*point - side.start);
                    (-self.near..=side.length + self.near).contains(&along)
                })
        };
        self.outer_sides().any(above)
            || self.furthest(normal).any(|corner| {
                corner.admits(normal)
                    && points.iter().any(|point| {
                        let depth = (*point - corner.at).length();
                        normal.cross(*point - corner.at).abs() <= self.near + depth * EQUAL
                    })
            })
    }

    /// The corners that are furthest in a direction, within roundings.
    fn furthest(&self, direction: Vector) -> impl Iterator<Item = &Corner> {
        let least = self.reach(direction) - self.near;
        self.corners.iter().filter(move |corner| direction.dot(corner.at) >= least)
    }

    /// Whether a shape is apart from the part, or only touches it, once it is moved by `by`. May be
    /// false for shapes of which a corner is nearest.
    fn is_clear_of(&self, other: &Other<'_>, by: Vector, normal: Vector) -> bool {
        let low = |direction: Vector| {
            let corners =
                (0..other.core.count()).map(|corner| direction.dot(other.core.at(corner)));
            corners.fold(f64::INFINITY, f64::min) + direction.dot(by) - other.radius
        };
        let clear = |direction: Vector| self.reach(direction) <= low(direction) + self.near;
        let next = self.corners.iter().cycle().skip(1);
        let mut sides = self.corners.iter().zip(next);
        clear(normal)
            || sides.any(|(start, end)| {
                OuterSide::new(start.at, end.at).is_some_and(|side| clear(side.normal))
            })
            || other.sides().any(|(_, side)| clear(-side.normal))
    }
}

impl Corner {
    /// Whether the border is convex or straight here, and a normal is between the normals of its
    /// sides.
    fn admits(&self, normal: Vector) -> bool {
        let (Some(before), Some(after)) =
            ((self.at - self.before).unit(), (self.after - self.at).unit())
        else {
            return false;
        };
        let [first, last] = [-before.perp(), -after.perp()];
        before.cross(after) >= -EQUAL
            && first.cross(normal) >= -EQUAL
            && normal.cross(last) >= -EQUAL
            && (first.dot(normal) > 0.0 || last.dot(normal) > 0.0)
    }
}

impl OuterSide {
    /// `None` if it has no length.
    fn new(start: Vector, end: Vector) -> Option<Self> {
        let along = (end - start).unit()?;
        Some(Self { start, along, normal: -along.perp(), length: (end - start).length() })
    }

    fn distance(&self, point: Vector) -> f64 {
        let to = point - self.start;
        let along = self.along.dot(to).clamp(0.0, self.length);
        (to - self.along * along).length()
    }

    /// How far a point is above the line of the side.
    fn height(&self, point: Vector) -> f64 {
        self.normal.dot(point - self.start)
    }
}

impl Other<'_> {
    /// The sides of the core by their numbers as features: of a segment 0 and 2.
    fn sides(&self) -> impl Iterator<Item = (usize, OuterSide)> {
        let count = self.core.count();
        let step = if count == 2 { 2 } else { 1 };
        let end = move |number: usize| self.core.at(if number < count { number } else { 0 });
        (0..count).filter_map(move |number| {
            OuterSide::new(end(number), end(number + 1)).map(|side| (number * step, side))
        })
    }
}

/// A placed outline: its parts in its set.
#[derive(Clone, Copy)]
pub(crate) struct PlacedOutline<'a> {
    view: View<'a>,
    frame: Frame,
    first: usize,
    count: usize,
}

impl<'a> PlacedOutline<'a> {
    /// `None` for a shape of the set that is no outline.
    pub(crate) fn of(set: &Set<'a>, placed: &Placed) -> Option<Self> {
        if !placed.is(ShapeClass::Compound) || !set.view.has_rims() {
            return None;
        }
        let (view, (first, count)) = (set.view, placed.parts());
        let outline = Self { view, frame: placed.own_frame(), first, count };
        (!outline.rim(0).is_empty()).then_some(outline)
    }

    /// The rim of a part, in the frame of the outline.
    fn rim(&self, part: usize) -> &'a [RimCorner] {
        self.view.rim(self.first + part)
    }

    /// Whether a normal at a point of a part is one of the outline's own.
    #[cfg(feature = "queries")]
    pub(super) fn admits(&self, part: usize, normal: Vector, point: Vector) -> bool {
        let mut rim = Rim::default();
        rim.set(self.frame, self.rim(part));
        rim.admits(normal, &[point])
    }

    /// Whether a core has no area, and has a point in common with an inner side, which it must not
    /// cross.
    pub(crate) fn has_flat_on_inner_side(&self, corners: &[Vector]) -> bool {
        match *corners {
            [point] => self.has_on_inner_side([point; 2]),
            [start, end] => self.has_on_inner_side([start, end]),
            _ => false,
        }
    }

    /// Whether a segment, or a point if its ends are equal, has a point in common with an inner
    /// side. It must not cross the side.
    pub(crate) fn has_on_inner_side(&self, ends: [Vector; 2]) -> bool {
        (0..self.count).any(|part| is_on_inner_side(self.frame, self.rim(part), ends))
    }
}

/// Whether two shapes touch because one of them is an outline, and a part of the other, without
/// area, lies on an inner side of it.
pub(super) fn meet_on_inner_side(
    query: &PairQuery<'_>,
    sources: &Sources<'_>,
    members: [Member; 2],
) -> bool {
    [members, [members[1], members[0]]].into_iter().any(|[own, other]| {
        outline(query, sources, own).is_some_and(|outline| {
            flat_parts(sources, other).any(|ends| outline.has_on_inner_side(ends))
        })
    })
}

fn outline<'a>(
    query: &PairQuery<'a>,
    sources: &Sources<'_>,
    member: Member,
) -> Option<PlacedOutline<'a>> {
    PlacedOutline::of(&query.sets[member.source as usize % 2], sources.placed(member))
}

/// The ends of the parts of a shape that are points and segments, without a radius.
fn flat_parts<'a>(
    sources: &'a Sources<'a>,
    member: Member,
) -> impl Iterator<Item = [Vector; 2]> + 'a {
    let placed = sources.placed(member);
    let count = if placed.is(ShapeClass::Compound) { placed.parts().1 as u32 } else { 1 };
    (0..count).filter_map(move |number| {
        let part = sources.part(member, number);
        let placed = sources.placed(part);
        let flat = placed.radius() == 0.0 && !placed.class().is_polygon();
        if !flat || placed.is(ShapeClass::HalfPlane) {
            return None;
        }
        flat_ends(&Core::of(&sources.exact(part)))
    })
}

/// The ends of a core that is a point or a segment, or `None` if it has an area.
fn flat_ends(core: &Core<'_>) -> Option<[Vector; 2]> {
    let first = core.at(0);
    let corners = || (1..core.count()).map(|number| core.at(number));
    let last = corners().find(|corner| *corner != first).unwrap_or(first);
    corners().all(|corner| corner == first || corner == last).then_some([first, last])
}

/// Whether a segment has a point in common with an inner side of a part without its ends, or with a
/// vertex inside of the area. The segment must not cross it.
///
/// Exact: the parts on both sides, and the side here, have equal corners, also with a pose.
fn is_on_inner_side(frame: Frame, rim: &[RimCorner], ends: [Vector; 2]) -> bool {
    let next = rim.iter().cycle().skip(1);
    rim.iter().zip(next).any(|(corner, next)| {
        if corner.outer {
            return false;
        }
        let side = [corner.at, next.at].map(|at| place(frame, at));
        let [start, end] = side;
        let way = end - start;
        let far = ends.into_iter().any(|point| {
            let [start, end, point] = map_each([start, end, point], |at| [at.x, at.y]);
            left_of([start, end], point) != 0.0
        });
        if far {
            return false;
        }
        // Along the axis on which the side is longer. All differences have the right sign.
        let along = |at: Vector| if way.x.abs() >= way.y.abs() { at.x } else { at.y };
        let [start, end] = [along(start), along(end)];
        let [start, end] = [start.min(end), start.max(end)];
        let [from, to] = ends.map(along);
        let inside = |corner: &RimCorner| corner.before == corner.at && corner.after == corner.at;
        let [from, to] = [from.min(to), from.max(to)];
        let holds = |corner: &RimCorner| {
            let at = along(place(frame, corner.at));
            inside(corner) && from <= at && at <= to
        };
        (to > start && from < end) || holds(corner) || holds(next)
    })
}

/// The workspace for contacts of outlines.
#[derive(Debug, Default)]
pub(super) struct Outlines {
    rims: [Rim; 2],
    /// The contacts that are kept as they are, and contacts whose normals are not the outline's
    /// own.
    kept: Vec<Contact>,
    refused: Vec<Contact>,
    /// The order of contacts, with their keys.
    order: Vec<(u64, u32)>,
}

/// A pair of shapes of which at least one is an outline.
struct OutlinePair<'a> {
    query: &'a PairQuery<'a>,
    sources: &'a Sources<'a>,
    pair: Pair,
    members: [Member; 2],
    outlines: [Option<PlacedOutline<'a>>; 2],
}

impl<'a> OutlinePair<'a> {
    /// `None` if none of two shapes is an outline, or one is a half-plane.
    fn new(query: &'a PairQuery<'a>, sources: &'a Sources<'a>, pair: Pair) -> Option<Self> {
        let members = [Member::new(pair.a, false), Member::new(pair.b, query.between)];
        let outlines = members.map(|member| outline(query, sources, member));
        let is_plane = |member| sources.placed(member).is(ShapeClass::HalfPlane);
        let one = outlines.iter().any(Option::is_some) && !members.into_iter().any(is_plane);
        one.then_some(Self { query, sources, pair, members, outlines })
    }

    /// Places the rims of the parts of a contact; the rim of a shape that is no outline is empty.
    fn place(&self, rims: &mut [Rim; 2], parts: [u32; 2]) {
        for ((rim, outline), part) in rims.iter_mut().zip(&self.outlines).zip(parts) {
            match outline {
                Some(outline) => rim.set(outline.frame, outline.rim(part as usize)),
                None => rim.corners.clear(),
            }
        }
    }

    /// Whether the normal of a contact is one of the outline's own, or of both outlines'.
    fn admits(&self, rims: &[Rim; 2], contact: &Contact) -> bool {
        let normal = Vector::wide(contact.normal().to_array());
        let points = contact.point.map(|point| Vector::wide([point.x, point.y]));
        let points = &points[..contact.points().len()];
        self.sides().all(|side| rims[side].admits(outward(normal, side), points))
    }

    /// The sides of the pair that are outlines.
    fn sides(&self) -> impl Iterator<Item = usize> {
        (0..2).filter(|side| self.outlines[*side].is_some())
    }

    /// The contact instead of one that has been refused: the least deep one in front of an outer
    /// side or a convex corner of the part.
    fn replaced(&self, rims: &[Rim; 2], contact: &Contact) -> Option<Contact> {
        let mut best: Option<Contact> = None;
        for side in self.in_order(contact) {
            self.each_candidate(rims, side, contact, &mut |found| {
                if best.is_none_or(|best| found.depth < best.depth) {
                    best = Some(found);
                }
            });
        }
        best
    }

    /// The sides of the pair that are outlines, in an order that does not depend on which of two is
    /// first.
    fn in_order(&self, contact: &Contact) -> impl Iterator<Item = usize> {
        let parts = [contact.part_a, contact.part_b];
        let cores = [0, 1].map(|side| Core::of(&self.sources.exact(self.part(side, parts[side]))));
        let [a, b] = cores.each_ref().map(|core| {
            let center = Other { core, radius: 0.0 }.center();
            std::iter::once([center.x, center.y]).chain(core.corners())
        });
        let sides = if b.lt(a) { [1, 0] } else { [0, 1] };
        sides.into_iter().filter(|side| self.outlines[*side].is_some())
    }

    fn part(&self, side: usize, number: u32) -> Member {
        self.sources.part(self.members[side], number)
    }

    /// Passes the contacts in front of the part of the outline on this side to `take`, which may be
    /// in place of `contact`.
    fn each_candidate(
        &self,
        rims: &[Rim; 2],
        side: usize,
        contact: &Contact,
        take: &mut dyn FnMut(Contact),
    ) {
        let parts = [contact.part_a, contact.part_b];
        let (own, member) = (self.part(side, parts[side]), self.part(1 - side, parts[1 - side]));
        let [own, core] = [own, member].map(|part| Core::of(&self.sources.exact(part)));
        let radius = f64::from(self.sources.placed(member).radius());
        let other = Other { core: &core, radius };
        let (center, rim, margin) = (other.center(), &rims[side], self.query.margin);
        let seen = if side == 0 { *contact } else { contact.mirrored() };
        let touching = contact.depth >= 0.0;
        let mut offer = |candidate: Contact| {
            let depth = candidate.depth;
            // What is apart in another direction stays apart, and what touches stays so.
            if !touching && (depth >= 0.0 || depth < -margin) {
                return;
            }
            let depth = if touching { depth.max(0.0) } else { depth };
            let candidate = Contact { depth, ..candidate };
            let candidate = if side == 0 { candidate } else { candidate.mirrored() };
            if self.other_admits(rims, side, &candidate) {
                take(candidate);
            }
        };
        for outer in rim.outer_sides() {
            let places =
                (0..core.count()).map(|corner| outer.along.dot(core.at(corner) - outer.start));
            let [least, most] = places.fold([f64::INFINITY, f64::NEG_INFINITY], |range, place| {
                [range[0].min(place), range[1].max(place)]
            });
            let in_front = outer.normal.dot(center - outer.start) >= 0.0;
            if !in_front || most + radius < 0.0 || least - radius > outer.length {
                continue;
            }
            let start = outer.along.dot(outer.start);
            let range = [
                -rim.reach(-outer.along) - start - radius,
                rim.reach(outer.along) - start + radius,
            ];
            let strip = outer.strip(range, rim.near);
            let number = facing(&own, outer.normal);
            // What touches in another direction may be apart in this one by roundings only.
            let slack = if touching { margin + rim.near as f32 } else { margin };
            if let Some(found) = strip.contact(&other, Feature::side(number), &seen, slack) {
                offer(found);
            }
        }
        let at_corner = |corner: &Corner, normal: Vector, depth: f64, feature_b: Feature| {
            let [x, y] = (corner.at - normal * (depth * 0.5)).narrow();
            let (depth, [normal_x, normal_y]) = (depth as f32 + 0.0, normal.narrow());
            let feature_a = Feature::vertex(nearest(&own, corner.at));
            let point = ContactPoint { x, y, depth, feature_a, feature_b };
            let point = [point, ContactPoint::default()];
            Contact { normal_x, normal_y, depth, count: 1, point, ..seen }
        };
        for (number, facing) in other.sides() {
            let normal = -facing.normal;
            for corner in rim.furthest(normal) {
                if !corner.admits(normal) || normal.dot(center - corner.at) < 0.0 {
                    continue;
                }
                let depth = radius + normal.dot(corner.at - facing.start);
                offer(at_corner(corner, normal, depth, Feature::side(number)));
            }
        }
        if core.count() == 1 && radius > 0.0 {
            for corner in &rim.corners {
                let normal = (center - corner.at).unit().filter(|way| corner.admits(*way));
                let Some(normal) = normal else { continue };
                let depth = radius - normal.dot(center - corner.at);
                offer(at_corner(corner, normal, depth, Feature::vertex(0)));
            }
        }
    }

    /// Whether the shape that is not on this side admits the normal of a contact, if it is another
    /// outline or a segment of a chain.
    fn other_admits(&self, rims: &[Rim; 2], side: usize, contact: &Contact) -> bool {
        let normal = Vector::wide(contact.normal().to_array());
        let (other, out) = (1 - side, outward(normal, 1 - side));
        if self.outlines[other].is_some() {
            return rims[other]
                .outer_sides()
                .any(|side| side.normal.dot(out) > 0.0 && side.normal.cross(out).abs() <= EQUAL)
                || rims[other].furthest(out).any(|corner| corner.admits(out));
        }
        if !self.is_chain(other) {
            return true;
        }
        let parts = [contact.part_a, contact.part_b];
        let core = Core::of(&self.sources.exact(self.part(side, parts[side])));
        let middle = Other { core: &core, radius: 0.0 }.center();
        chain::admits(self.query, self.members[other], middle, out)
    }

    fn is_chain(&self, side: usize) -> bool {
        self.sources.placed(self.members[side]).is(ShapeClass::ChainSegment)
    }

    /// The contact out through the side of the border that is nearest to the middle of the other
    /// shape, and whether that shape admits its normal. `contact` names the other shape's part.
    fn outermost(&self, rims: &mut [Rim; 2], contact: &Contact) -> Option<(Contact, bool)> {
        let mut best: Option<((bool, f64, f32), Contact)> = None;
        for side in self.in_order(contact) {
            let count = self.outlines[side].map_or(0, |outline| outline.count);
            let parts = [contact.part_a, contact.part_b];
            let member = self.part(1 - side, parts[1 - side]);
            let core = Core::of(&self.sources.exact(member));
            let other =
                Other { core: &core, radius: f64::from(self.sources.placed(member).radius()) };
            let center = other.center();
            for part in 0..count as u32 {
                let mut parts = parts;
                parts[side] = part;
                self.place(rims, parts);
                let own = Core::of(&self.sources.exact(self.part(side, part)));
                let [part_a, part_b] = parts;
                let seen = Contact { pair: self.pair, part_a, part_b, ..Contact::default() };
                let seen = if side == 0 { seen } else { seen.mirrored() };
                for outer in rims[side].outer_sides() {
                    let (distance, height) = (outer.distance(center), outer.height(center));
                    // Beyond the end of a side at a reflex vertex, the way out is longer than to
                    // the line of the side.
                    let further = if height < 0.0 {
                        outer.normal * (distance + height)
                    } else {
                        Vector::ZERO
                    };
                    let moved = OuterSide { start: outer.start + further, ..outer };
                    let strip = moved.strip([f64::NEG_INFINITY, f64::INFINITY], rims[side].near);
                    let number = Feature::side(facing(&own, outer.normal));
                    let margin = self.query.margin + rims[side].near as f32;
                    let Some(found) = strip.contact(&other, number, &seen, margin) else {
                        continue;
                    };
                    let found = Contact { depth: found.depth.max(0.0), ..found };
                    let found = if side == 0 { found } else { found.mirrored() };
                    let refused = !self.other_admits(rims, side, &found);
                    let merit = (refused, distance, found.depth);
                    if best.is_none_or(|(best, _)| merit < best) {
                        best = Some((merit, found));
                    }
                }
            }
        }
        best.map(|((refused, ..), contact)| (contact, !refused))
    }
}

impl OuterSide {
    fn strip(&self, range: [f64; 2], size: f64) -> Strip {
        let Self { start, along, normal, .. } = *self;
        Strip { start, along, normal, range, size }
    }
}

/// The normal of a contact as seen from the shape on this side.
fn outward(normal: Vector, side: usize) -> Vector {
    if side == 0 { normal } else { -normal }
}

/// The side of a polygon that faces most in a direction.
fn facing(polygon: &Core<'_>, direction: Vector) -> usize {
    let count = polygon.count();
    let ahead = |number: usize| {
        let end = polygon.at(if number + 1 < count { number + 1 } else { 0 });
        OuterSide::new(polygon.at(number), end).map_or(-1.0, |side| side.normal.dot(direction))
    };
    (1..count).fold(0, |best, number| if ahead(number) > ahead(best) { number } else { best })
}

/// The corner of a polygon that is nearest to a point.
fn nearest(polygon: &Core<'_>, point: Vector) -> usize {
    let distance2 = |number: usize| (polygon.at(number) - point).length2();
    let nearer = |best, number| if distance2(number) < distance2(best) { number } else { best };
    (1..polygon.count()).fold(0, nearer)
}

impl Outlines {
    /// Appends the contacts of a pair to `corrected`: `contacts`, which are all that the kernels
    /// made of it, corrected if a shape is an outline.
    pub(super) fn correct(
        &mut self,
        query: &PairQuery<'_>,
        sources: &Sources<'_>,
        contacts: &[Contact],
        corrected: &mut Vec<Contact>,
    ) {
        let Some(&Contact { pair, .. }) = contacts.first() else { return };
        let Some(two) = OutlinePair::new(query, sources, pair) else {
            return corrected.extend_from_slice(contacts);
        };
        let Self { rims, kept, refused, order } = self;
        kept.clear();
        refused.clear();
        for contact in contacts {
            two.place(rims, [contact.part_a, contact.part_b]);
            if two.admits(rims, contact) { kept.push(*contact) } else { refused.push(*contact) }
        }
        if refused.is_empty() {
            return corrected.extend_from_slice(contacts);
        }
        let first = corrected.len();
        corrected.extend_from_slice(kept);
        // The deepest first.
        list_by_key(order, kept, |contact| u64::from(!f32_rank(contact.depth)));
        order.truncate(ASKED);
        for contact in &*refused {
            two.place(rims, [contact.part_a, contact.part_b]);
            if order.iter().any(|(_, at)| two.moves_out(rims, &kept[*at as usize], contact)) {
                continue;
            }
            corrected.extend(two.replaced(rims, contact));
        }
        if corrected.len() == first {
            let touching = refused.iter().filter(|contact| contact.depth >= 0.0);
            // Of equally deep ones the one furthest left, or lowest: the same in either order.
            let merit = |contact: &Contact| {
                let ContactPoint { x, y, .. } = contact.point[0];
                (-contact.depth, x, y)
            };
            let deepest = touching.reduce(|one, other| match merit(other) < merit(one) {
                true => other,
                false => one,
            });
            match deepest.and_then(|deepest| two.outermost(rims, deepest)) {
                Some((contact, true)) => corrected.push(contact),
                // The surface of a chain comes first.
                _ if two.is_chain(0) || two.is_chain(1) => corrected.extend_from_slice(contacts),
                Some((contact, false)) => corrected.push(contact),
                None => {}
            }
        }
        let corrected = &mut corrected[first..];
        kept.clear();
        kept.extend_from_slice(corrected);
        list_by_key(order, kept, |contact| {
            u64::from(contact.part_a) << 32 | u64::from(contact.part_b)
        });
        for (contact, (_, at)) in corrected.iter_mut().zip(order) {
            *contact = kept[*at as usize];
        }
    }

    /// Appends the contact of a pair for which the kernels made none, if they touch nevertheless:
    /// if one of them lies on an inner side of the other.
    pub(super) fn missing(
        &mut self,
        query: &PairQuery<'_>,
        sources: &Sources<'_>,
        pair: Pair,
        corrected: &mut Vec<Contact>,
    ) {
        let Some(two) = OutlinePair::new(query, sources, pair) else { return };
        let chain = two.is_chain(0) || two.is_chain(1);
        if chain || !meet_on_inner_side(query, sources, two.members) {
            return;
        }
        let contact = Contact { pair, ..Contact::default() };
        corrected.extend(two.outermost(&mut self.rims, &contact).map(|(contact, _)| contact));
    }

    /// The number of bytes allocated.
    pub(super) fn bytes(&self) -> usize {
        let corners: usize = self.rims.iter().map(|rim| rim.corners.capacity()).sum();
        let contacts = self.kept.capacity() + self.refused.capacity();
        let keys = self.order.capacity() * size_of::<(u64, u32)>();
        corners * size_of::<Corner>() + contacts * size_of::<Contact>() + keys
    }
}

impl OutlinePair<'_> {
    /// Whether a contact of other parts moves the parts of `contact`, whose rims are placed, apart.
    fn moves_out(&self, rims: &[Rim; 2], kept: &Contact, contact: &Contact) -> bool {
        let normal = Vector::wide(kept.normal().to_array());
        let parts = [contact.part_a, contact.part_b];
        self.sides().any(|side| {
            let member = self.part(1 - side, parts[1 - side]);
            let core = Core::of(&self.sources.exact(member));
            let radius = f64::from(self.sources.placed(member).radius());
            let normal = outward(normal, side);
            let by = normal * f64::from(kept.depth);
            rims[side].is_clear_of(&Other { core: &core, radius }, by, normal)
        })
    }
}
