//! Outlines as one area: a shape on an inner side lies inside, and no contact pushes out through an
//! inner side.
//!
//! The kernels see the convex parts of an outline alone. Two parts share an inner side, on which
//! each part has a border that the outline has not. A part knows its rim: which of its sides are on
//! the border of the outline, and the directions of the border before and after each vertex. In
//! plain words:
//!
//! ```text
//! a shape without area that lies on an inner side: touches
//! normals of the outline: those of outer sides, above these sides
//!     at a convex corner of the border, all between the normals of its two sides
//! a contact whose normal is one of them, and leads out of the area at each point: as it is
//! any other contact of a part:
//!     none if its normal is none of them, and one of the contacts above also moves the shape out
//!         of this part
//!     else the least deep of these, with its own normal before others
//!         each outer side of the part, with the middle of the shape in front: what is above it
//!         each convex corner of the part, with the sides of the shape that face it
//!     else none
//! if a part without a contact is deeper in the shape than all contacts: one more, the least deep of
//!     each outer side of the outline that the shape is beside, wherever its middle is
//!     each convex corner of the outline, away from the middle of the shape
//! ```
//!
//! A side goes on, straight within roundings, over the next sides of its part. A replaced contact
//! is as deep as the shape is to be moved along its normal, to be out of the part that it names.
//!
//! The arithmetic is `f64`, on all levels. Contacts with half-planes have the normal of the
//! half-plane and stay as they are.

use super::{
    Contact, ContactPoint, Feature, PairQuery,
    chain::{self, EQUAL, Other, Strip},
    part_bounds::{NearBox, PartBounds},
    view::{Member, Set, Sources, View},
};
use crate::{
    base::{
        F32_SLACK, Pair, held,
        order::{f32_rank, list_by_key},
    },
    geometry::{Core, Vector, Vertices, cores_touch, left_of},
    posed::{Frame, PartTree, Placed, ShapeClass},
    shape::{RoundedBox, compound::RimCorner},
    simd::map_each,
};

/// At most this many contacts are tested whether they also move a shape out of another part: the
/// deepest contacts.
const MAX_CONTACTS_ASKED: usize = 16;

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
    end: Vector,
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

held!(Rim { corners, near });

/// A point of a compound in the world, as exact arithmetic places the corners of its parts.
fn place(frame: Frame, at: [f32; 2]) -> Vector {
    let [x, y] = frame.place(map_each(at, f64::from));
    Vector::new(x, y)
}

/// A corner of a rim in the world.
fn place_corner(frame: Frame, corner: &RimCorner) -> Corner {
    let RimCorner { at, before, after, outer } = *corner;
    let [at, before, after] = map_each([at, before, after], |at| place(frame, at));
    Corner { at, before, after, outer }
}

impl Rim {
    fn set(&mut self, frame: Frame, rim: &[RimCorner]) {
        self.corners.clear();
        self.corners.extend(rim.iter().map(|corner| place_corner(frame, corner)));
        let size = self.corners.iter().map(|corner| corner.at.x.abs().max(corner.at.y.abs()));
        self.near = size.fold(0.0, f64::max) * (2.0 * F32_SLACK);
    }

    /// The sides on the border.
    fn outer_sides(&self) -> impl Iterator<Item = OuterSide> + '_ {
        let next = self.corners.iter().cycle().skip(1);
        let sides = self.corners.iter().zip(next).filter(|(corner, _)| corner.outer);
        sides.filter_map(|(corner, next)| OuterSide::new(corner.at, next.at))
    }

    /// The places along a side of the border between which the part goes on straight, within
    /// roundings, on the border.
    fn run(&self, side: &OuterSide) -> [f64; 2] {
        let count = self.corners.len();
        let [mut first, mut last] = [0.0, side.length];
        let place = |at: Vector| side.along.dot(at - side.start);
        let Some(own) = self.corners.iter().position(|corner| corner.at == side.start) else {
            return [first, last];
        };
        for step in 1..count {
            let next = self.corners[(own + step + 1) % count].at;
            let is_outer = self.corners[(own + step) % count].outer;
            if !is_outer || side.height(next).abs() > self.near || place(next) <= last {
                break;
            }
            last = place(next);
        }
        for step in 1..count {
            let next = self.corners[(own + count - step) % count];
            if !next.outer || side.height(next.at).abs() > self.near || place(next.at) >= first {
                break;
            }
            first = place(next.at);
        }
        [first, last]
    }

    /// How far the part reaches in a direction.
    fn reach(&self, direction: Vector) -> f64 {
        let reaches = self.corners.iter().map(|corner| direction.dot(corner.at));
        reaches.fold(f64::NEG_INFINITY, f64::max)
    }

    /// The side of the border with this normal that a point is beside.
    fn side_below(&self, normal: Vector, point: Vector) -> Option<OuterSide> {
        self.outer_sides().find(|side| {
            let along = side.along.dot(point - side.start);
            is_along(side.normal, normal) && (-self.near..=side.length + self.near).contains(&along)
        })
    }

    /// The corner with this normal on the line along the normal through a point.
    fn corner_below(&self, normal: Vector, point: Vector) -> Option<&Corner> {
        self.furthest(normal).find(|corner| {
            let depth = (point - corner.at).length();
            let off = normal.cross(point - corner.at).abs();
            corner.admits(normal) && off <= self.near + depth * EQUAL
        })
    }

    /// Whether a normal is a normal of the outline's own border at a point.
    fn admits(&self, normal: Vector, point: Vector) -> bool {
        self.side_below(normal, point).is_some() || self.corner_below(normal, point).is_some()
    }

    /// Whether ways along a normal leave the area at a point, within `near`.
    fn is_left_at(&self, normal: Vector, point: Vector, near: f64) -> bool {
        self.outer_sides()
            .any(|side| side.normal.dot(normal) > EQUAL && side.distance(point) <= near)
    }

    /// The corners that are furthest in a direction, within roundings.
    fn furthest(&self, direction: Vector) -> impl Iterator<Item = &Corner> {
        let least = self.reach(direction) - self.near;
        self.corners.iter().filter(move |corner| direction.dot(corner.at) >= least)
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

    /// Whether a way from the corner leads into the area beside it.
    fn leads_in(&self, way: Vector) -> bool {
        let (Some(back), Some(along)) =
            ((self.before - self.at).unit(), (self.after - self.at).unit())
        else {
            return true;
        };
        let [from, to] = [along.cross(way), way.cross(back)];
        if along.cross(back) > 0.0 {
            from > EQUAL && to > EQUAL
        } else {
            from > EQUAL || to > EQUAL
        }
    }
}

impl OuterSide {
    /// `None` if it has no length.
    fn new(start: Vector, end: Vector) -> Option<Self> {
        let along = (end - start).unit()?;
        Some(Self { start, end, along, normal: -along.perp(), length: (end - start).length() })
    }

    /// How far the ends reach along the normal: as far as a convex core, but for roundings.
    fn reach(&self) -> f64 {
        self.normal.dot(self.start).max(self.normal.dot(self.end))
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

    fn strip(&self, range: [f64; 2], size: f64) -> Strip {
        let Self { start, along, normal, .. } = *self;
        Strip { start, along, normal, range, size }
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

    /// How far the core reaches in a direction.
    fn reach(&self, direction: Vector) -> f64 {
        let reaches = (0..self.core.count()).map(|number| direction.dot(self.core.at(number)));
        reaches.fold(f64::NEG_INFINITY, f64::max)
    }

    /// How far the shape is to be moved in a direction so that it only touches a polygon: 0 if it
    /// is apart within `near`. May be further for shapes of which a corner is nearest.
    ///
    /// It is the least way along the normals of all sides. The ends of a side bound the depth along
    /// its normal from below. The side with the least bound is decided exactly. Mostly, its way is
    /// its bound, so that it is the least way, and no corner was compared with each side.
    fn way_out_of(&self, polygon: &Core<'_>, direction: Vector, near: f64) -> f64 {
        let polygon = Other { core: polygon, radius: 0.0 };
        let depth = |reaches: [f64; 2]| reaches[0] + reaches[1] + self.radius;
        let way = |normal: Vector, depth: f64| {
            let ahead = normal.dot(direction);
            match depth <= near {
                true => (ahead > -EQUAL).then_some(0.0),
                false => (ahead > EQUAL).then(|| depth / ahead),
            }
        };
        let exact = |normal| way(normal, depth([polygon.reach(normal), self.reach(-normal)]));
        let bounds = || {
            let own = polygon
                .sides()
                .map(|(_, side)| (side.normal, depth([side.reach(), self.reach(-side.normal)])));
            let other = self.sides().map(|(_, side)| {
                (-side.normal, depth([polygon.reach(-side.normal), side.reach()]))
            });
            own.chain(other).filter_map(|(normal, depth)| Some((way(normal, depth)?, normal)))
        };
        let first = bounds().min_by(|(a, _), (b, _)| a.total_cmp(b));
        let ways = first.iter().map(|(_, normal)| *normal).chain([direction]).filter_map(exact);
        let least = ways.fold(f64::INFINITY, f64::min);
        if first.is_none_or(|(bound, _)| least <= bound) {
            return least;
        }
        let below = bounds().filter(|(bound, _)| *bound < least);
        below.filter_map(|(_, normal)| exact(normal)).fold(least, f64::min)
    }

    /// The mean of the corners of the core.
    fn middle(&self) -> Vector {
        let count = self.core.count();
        (0..count).fold(Vector::ZERO, |sum, number| sum + self.core.at(number)) / count as f64
    }

    /// How far the core goes on behind a place in it, against a direction.
    fn behind(&self, place: Vector, direction: Vector) -> f64 {
        let ways = self.sides().filter_map(|(_, side)| {
            let against = -side.normal.dot(direction);
            (against > EQUAL).then(|| -side.height(place) / against)
        });
        let ends = (0..self.core.count()).map(|end| direction.dot(place - self.core.at(end)));
        ways.fold(ends.fold(0.0, f64::max), f64::min).max(0.0)
    }
}

/// A placed outline: its parts in its set.
#[derive(Clone, Copy)]
pub(crate) struct PlacedOutline<'a> {
    view: View<'a>,
    frame: Frame,
    first: usize,
    count: usize,
    /// `None` if it has only a few parts.
    tree: Option<PartTree<'a>>,
}

impl<'a> PlacedOutline<'a> {
    /// `None` for a shape of the set that is no outline.
    pub(crate) fn of(set: &Set<'a>, placed: &Placed) -> Option<Self> {
        if !placed.is(ShapeClass::Compound) || !set.view.has_rims() {
            return None;
        }
        let (view, (first, count)) = (set.view, placed.parts());
        let (frame, tree) = (placed.own_frame(), view.tree(placed));
        let outline = Self { view, frame, first, count, tree };
        (!outline.rim(0).is_empty()).then_some(outline)
    }

    /// The rim of a part, in the frame of the outline.
    fn rim(&self, part: usize) -> &'a [RimCorner] {
        self.view.rim(self.first + part)
    }

    /// Whether a normal at a point of a part is a normal of the outline's own border.
    #[cfg(feature = "queries")]
    pub(super) fn admits(&self, part: usize, normal: Vector, point: Vector) -> bool {
        let mut rim = Rim::default();
        rim.set(self.frame, self.rim(part));
        rim.admits(normal, point)
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
        let near = NearBox::of_corners(ends.into_iter(), 0.0);
        self.any_near(near, |part| is_on_inner_side(self.frame, self.rim(part), ends))
    }

    /// Whether `is` holds for any part whose box meets a box.
    fn any_near(&self, near: NearBox, mut is: impl FnMut(usize) -> bool) -> bool {
        let Some(tree) = &self.tree else {
            let is_near = |part: &usize| near.meets(self.view.part_bounds(self.first + part));
            return (0..self.count).filter(is_near).any(is);
        };
        let (bounds, mut any) = (PartBounds::Distance(near), false);
        tree.find(|block| bounds.within(block, 0.0), |part, _| any = any || is(part as usize));
        any
    }

    /// The box around a core with a radius in the frame of the outline, which is in the box
    /// `around`, for distances from sides.
    fn unplaced(&self, core: &Core<'_>, radius: f64, around: RoundedBox) -> NearBox {
        let RoundedBox { min_x, min_y, max_x, max_y, .. } = around;
        let far = map_each([min_x, min_y, max_x, max_y], |side| f64::from(side.abs()));
        let mut far = far.into_iter().fold(0.0, f64::max);
        let own = core.corners().map(|at| {
            far = far.max(at[0].abs()).max(at[1].abs());
            let [x, y] = self.frame.unplace(at);
            Vector::new(x, y)
        });
        let near = NearBox::of_corners(own, radius).with_slack(8.0 * F32_SLACK);
        near.grown(far * (8.0 * F32_SLACK))
    }

    /// Whether an outer side of a part may be at most this far from a shape within a box, which is
    /// in the frame of the outline. (Each corner of the border ends an outer side of some part.)
    fn has_outer_side_near(&self, part: usize, near: &NearBox, limit: f64) -> bool {
        let rim = self.rim(part);
        let next = rim.iter().cycle().skip(1);
        let mut outer = rim.iter().zip(next).filter(|(corner, _)| corner.outer);
        outer.any(|(corner, next)| near.is_within([corner.at, next.at], limit))
    }

    /// Passes the numbers of parts to `take`, about by their distances from a shape. `take` returns
    /// the distance up to which it goes on.
    fn each_first(&self, bounds: impl FnOnce() -> PartBounds, take: &mut dyn FnMut(u32) -> f64) {
        let Some(tree) = &self.tree else {
            for part in 0..self.count as u32 {
                take(part);
            }
            return;
        };
        let bounds = bounds();
        tree.find_first(f64::INFINITY, |block, least| bounds.of(block, least), take);
    }
}

/// Whether two shapes touch because a part of one shape, without area, lies on an inner side of the
/// other, an outline.
pub(super) fn meet_on_inner_side(
    query: &PairQuery<'_>,
    sources: &Sources<'_>,
    members: [Member; 2],
) -> bool {
    [members, [members[1], members[0]]].into_iter().any(|[own, other]| {
        PlacedOutline::of(query.set_of(own), sources.placed(own)).is_some_and(|outline| {
            let near = NearBox::of_box(query.set_of(own).box_of(own.row as usize));
            each_near(query, sources, other, near, &mut |part| {
                flat_ends_of(sources, part).is_some_and(|ends| outline.has_on_inner_side(ends))
            })
        })
    })
}

/// Passes a shape, or the parts of a compound near a box, to `is`, in no order. Returns whether it
/// holds for any.
fn each_near(
    query: &PairQuery<'_>,
    sources: &Sources<'_>,
    member: Member,
    near: NearBox,
    is: &mut dyn FnMut(Member) -> bool,
) -> bool {
    let placed = sources.placed(member);
    if !placed.is(ShapeClass::Compound) {
        return is(member);
    }
    let (first, count) = placed.parts();
    let (first, mut any) = (member.part(first as u32), false);
    match query.set_of(member).view.tree(placed) {
        None => (0..count as u32).any(|part| is(first.plus(part))),
        Some(tree) => {
            let near = PartBounds::Distance(near);
            let within = |block| near.within(block, 0.0);
            tree.find(within, |part, _| any = any || is(first.plus(part)));
            any
        }
    }
}

/// The ends of a shape that is a point or a segment, without a radius.
fn flat_ends_of(sources: &Sources<'_>, part: Member) -> Option<[Vector; 2]> {
    let placed = sources.placed(part);
    let flat = placed.radius() == 0.0 && !placed.class().is_polygon();
    if !flat || placed.is(ShapeClass::HalfPlane) {
        return None;
    }
    flat_ends(&Core::of(&sources.exact(part)))
}

/// The ends of a core that is a point or a segment, or `None` if it has an area.
fn flat_ends(core: &Core<'_>) -> Option<[Vector; 2]> {
    let first = core.at(0);
    let corners = || (1..core.count()).map(|number| core.at(number));
    let last = corners().find(|corner| *corner != first).unwrap_or(first);
    corners().all(|corner| corner == first || corner == last).then_some([first, last])
}

/// Whether a segment has a point in common with an inner side of a part without its ends. The
/// segment must not cross it. (The ends are on the border: no vertex of a part is inside.)
///
/// Exact: the parts on both sides, and the side here, have equal corners, also with a pose.
fn is_on_inner_side(frame: Frame, rim: &[RimCorner], ends: [Vector; 2]) -> bool {
    let next = rim.iter().cycle().skip(1);
    rim.iter().zip(next).any(|(corner, next)| {
        if corner.outer {
            return false;
        }
        let side = map_each([corner.at, next.at], |at| place(frame, at));
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
        let [from, to] = map_each(ends, along);
        from.max(to) > start && from.min(to) < end
    })
}

/// The workspace for contacts of outlines.
#[derive(Debug, Default)]
pub(super) struct Outlines {
    rims: [Rim; 2],
    /// The contacts that are kept as they are, and the refused contacts, with `true` if their
    /// normals are not the outline's own.
    kept: Vec<Contact>,
    refused: Vec<(bool, Contact)>,
    /// The order of contacts, with their keys.
    order: Vec<(u64, u32)>,
}

held!(Outlines { rims, kept, refused, order });

/// How far the normal and the points of a contact are of the border of an outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The normal is a normal of the border, and leads out of the area at each point.
    Whole,
    /// As `Whole`, but the side goes on straight beyond the side of the part.
    Cut,
    /// The normal is a normal of the border, and does not lead out at each point.
    Off,
    /// The normal is no normal of the border.
    Foreign,
}

/// A pair of shapes with at least one outline.
struct OutlinePair<'a> {
    query: &'a PairQuery<'a>,
    sources: &'a Sources<'a>,
    members: [Member; 2],
    outlines: [Option<PlacedOutline<'a>>; 2],
}

impl<'a> OutlinePair<'a> {
    /// `None` if neither shape is an outline, or one shape is a half-plane.
    #[inline]
    fn new(query: &'a PairQuery<'a>, sources: &'a Sources<'a>, pair: Pair) -> Option<Self> {
        let members = [Member::new(pair.a, false), Member::new(pair.b, query.between)];
        let outlines =
            map_each(members, |of| PlacedOutline::of(query.set_of(of), sources.placed(of)));
        let is_plane = |member| sources.placed(member).is(ShapeClass::HalfPlane);
        let one = outlines.iter().any(Option::is_some) && !members.into_iter().any(is_plane);
        one.then_some(Self { query, sources, members, outlines })
    }

    /// Places the rims of the parts of a contact; the rim of a shape that is no outline is empty.
    fn place(&self, rims: &mut [Rim; 2], parts: [u32; 2]) {
        for ((rim, outline), part) in rims.iter_mut().zip(&self.outlines).zip(parts) {
            match outline {
                Some(outline) => rim.set(outline.frame, outline.rim(part as usize)),
                None => {
                    rim.corners.clear();
                    rim.near = 0.0;
                }
            }
        }
    }

    /// How far a contact is a contact of the border of the outline on this side.
    fn fit(&self, rims: &[Rim; 2], side: usize, contact: &Contact) -> Fit {
        /// How far the second point of shapes that are apart may be off, as a share of their
        /// distance.
        const MAX_SLANT_SHARE: f64 = 1.0 / (1 << 4) as f64;
        let (rim, normal) = (&rims[side], outward(contact.wide_normal(), side));
        let (mut fit, mut is_own) = (Fit::Whole, false);
        for point in contact.points() {
            let depth = f64::from(point.depth);
            let surface = Vector::wide([point.x, point.y]) + normal * (depth * 0.5);
            // The second point of shapes that are apart is measured along another normal.
            let near = rim.near - depth.min(0.0) * MAX_SLANT_SHARE;
            let leads_out = if let Some(below) = rim.side_below(normal, surface) {
                is_own = true;
                let [first, last] = rim.run(&below);
                let goes_on = first < -near || last > below.length + near;
                fit = if goes_on { fit.max(Fit::Cut) } else { fit };
                below.height(surface).abs() <= near
            } else if let Some(corner) = rim.corner_below(normal, surface) {
                is_own = true;
                !self.leads_in(side, corner.at, contact)
            } else {
                rim.is_left_at(normal, surface, near)
            };
            fit = if leads_out { fit } else { Fit::Off };
        }
        if is_own { fit } else { Fit::Foreign }
    }

    /// Whether the way of a contact from a vertex of the border leads into another part of the
    /// outline: where the outline touches itself.
    fn leads_in(&self, side: usize, vertex: Vector, contact: &Contact) -> bool {
        let Some(outline) = self.outlines[side] else { return false };
        let way = outward(contact.wide_normal(), side);
        let at_vertex = NearBox::of_corners(std::iter::once(vertex), 0.0);
        outline.any_near(at_vertex, |part| {
            outline.rim(part).iter().any(|corner| {
                let corner = place_corner(outline.frame, corner);
                corner.at == vertex && corner.leads_in(way)
            })
        })
    }

    /// The sides of the pair that are outlines.
    fn sides(&self) -> impl Iterator<Item = usize> {
        (0..2).filter(|side| self.outlines[*side].is_some())
    }

    /// The contact that replaces a refused contact: along its normal, unless that is `foreign`, or
    /// else the least deep contact in front of an outer side or a convex corner of the part. For
    /// shapes that are apart, the nearest contact.
    fn replaced(&self, rims: &[Rim; 2], contact: &Contact, foreign: bool) -> Option<Contact> {
        let mut best: Option<((bool, f32), Contact)> = None;
        for side in self.in_order(contact) {
            let cores = self.cores(side, contact);
            self.each_candidate(rims, side, contact, &cores, None, &mut |found, corner| {
                let turned = !is_along(found.wide_normal(), contact.wide_normal());
                let deep = if contact.depth >= 0.0 { found.depth } else { -found.depth };
                let merit = (turned && !foreign, deep);
                if best.is_none_or(|(best, _)| merit < best)
                    && self.other_admits(rims, side, &found)
                    && !corner.is_some_and(|corner| self.leads_in(side, corner, &found))
                {
                    best = Some((merit, found));
                }
            });
        }
        best.map(|(_, contact)| contact)
    }

    /// The sides of the pair that are outlines, in an order that does not depend on which of two is
    /// first.
    fn in_order(&self, contact: &Contact) -> impl Iterator<Item = usize> {
        let parts = contact.parts();
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

    /// The core of the part that a contact names on this side, and of the part on the other side.
    fn cores(&self, side: usize, contact: &Contact) -> [Core<'a>; 2] {
        let parts = contact.parts();
        let core = |side: usize| Core::of(&self.sources.exact(self.part(side, parts[side])));
        [core(side), core(1 - side)]
    }

    /// Passes the contacts of the part of the outline on this side, whose rim is placed, to `take`,
    /// which may be in place of `contact`: the contacts along its normal, and the contacts with the
    /// middle of the other shape in front; or all contacts no deeper than a `limit`. With each of a
    /// corner, passes the corner.
    fn each_candidate(
        &self,
        rims: &[Rim; 2],
        side: usize,
        contact: &Contact,
        [own, core]: &[Core<'_>; 2],
        limit: Option<f64>,
        take: &mut dyn FnMut(Contact, Option<Vector>),
    ) {
        let member = self.part(1 - side, contact.parts()[1 - side]);
        let radius = f64::from(self.sources.placed(member).radius());
        let (other, rim) = (Other { core, radius }, &rims[side]);
        let seen = if side == 0 { *contact } else { contact.mirrored() };
        let (all, limit) = (limit.is_some(), limit.unwrap_or(f64::INFINITY));
        let margin = self.query.margin;
        let around = BorderBeside { rim, own, other: &other, seen, all, limit, margin };
        let touching = contact.depth >= 0.0;
        let mut offer = |corner: Option<Vector>, candidate: Contact| {
            let depth = candidate.depth;
            // Shapes that are apart in another direction stay apart, and shapes that touch stay
            // touching. In this direction they may be apart by roundings only.
            let [least, most] = if touching {
                [-rim.near as f32, f32::INFINITY]
            } else {
                [-margin, -f32::MIN_POSITIVE]
            };
            if depth < least || depth > most || f64::from(depth) > limit {
                return;
            }
            let mut candidate = candidate;
            if touching {
                let way = other.way_out_of(own, candidate.wide_normal(), rim.near);
                let deepest = &mut candidate.point[0].depth;
                *deepest = deepest.max(0.0);
                candidate.depth = deepest.max(way as f32);
            }
            take(if side == 0 { candidate } else { candidate.mirrored() }, corner);
        };
        for outer in rim.outer_sides() {
            if let Some(found) = around.above(&outer) {
                offer(None, found);
            }
        }
        around.each_at_corner(&mut |corner, found| offer(Some(corner), found));
    }

    /// Whether the shape that is not on this side admits a contact, if it is another outline or a
    /// segment of a chain.
    fn other_admits(&self, rims: &[Rim; 2], side: usize, contact: &Contact) -> bool {
        let other = 1 - side;
        if self.outlines[other].is_some() {
            return self.fit(rims, other, contact) <= Fit::Cut;
        }
        if !self.is_chain(other) {
            return true;
        }
        let parts = contact.parts();
        let core = Core::of(&self.sources.exact(self.part(side, parts[side])));
        let middle = Other { core: &core, radius: 0.0 }.center();
        let out = outward(contact.wide_normal(), other);
        chain::admits(self.query, self.members[other], middle, out)
    }

    /// The first two parts that are within `near`.
    fn parts_that_touch(&self, near: f64) -> [u32; 2] {
        let core = |part| Core::of(&self.sources.exact(part));
        let [first, second] = self.members;
        let boxes = map_each(self.members, |member| {
            NearBox::of_box(self.query.set_of(member).box_of(member.row as usize)).grown(near)
        });
        let number = |part: Member, side: usize| {
            let placed = self.sources.placed(self.members[side]);
            if placed.is(ShapeClass::Compound) { part.row - placed.parts().0 as u32 } else { 0 }
        };
        let mut best = None;
        each_near(self.query, self.sources, first, boxes[1], &mut |a| {
            each_near(self.query, self.sources, second, boxes[0], &mut |b| {
                let parts = [number(a, 0), number(b, 1)];
                let comes_first = best.is_none_or(|best| parts < best);
                if comes_first && cores_touch(&core(a), &core(b), near, true) {
                    best = Some(parts);
                }
                false
            })
        });
        best.unwrap_or_default()
    }

    fn is_chain(&self, side: usize) -> bool {
        self.sources.placed(self.members[side]).is(ShapeClass::ChainSegment)
    }

    /// The least deep contact out of the whole outline, and whether the other shape admits its
    /// normal. `contact` names a part of each shape.
    fn outermost(&self, rims: &mut [Rim; 2], contact: &Contact) -> Option<(Contact, bool)> {
        let mut best: Option<((bool, f32), Contact)> = None;
        for side in self.in_order(contact) {
            let Some(outline) = self.outlines[side] else { continue };
            self.place(rims, contact.parts());
            let member = self.part(1 - side, contact.parts()[1 - side]);
            let radius = f64::from(self.sources.placed(member).radius());
            let cores = self.cores(side, contact);
            let bounds = || {
                PartBounds::Distance(
                    NearBox::of_core(&cores[1], radius).with_slack(8.0 * F32_SLACK),
                )
            };
            // The shape as the outline sees it, and how far it is from the sides at most.
            let own = self.members[side];
            let around = self.query.set_of(own).box_of(own.row as usize);
            let near = outline.unplaced(&cores[1], radius, around);
            let (mut here, mut limit) = (None::<((bool, f32), u32, Contact)>, f64::INFINITY);
            outline.each_first(bounds, &mut |part| {
                if !outline.has_outer_side_near(part as usize, &near, limit) {
                    return limit;
                }
                rims[side].set(outline.frame, outline.rim(part as usize));
                self.each_candidate(
                    rims,
                    side,
                    contact,
                    &cores,
                    Some(limit),
                    &mut |found, corner| {
                        let merit = (!self.other_admits(rims, side, &found), found.depth);
                        let comes_first = here.is_none_or(|(best, number, _)| {
                            merit < best || merit == best && part < number
                        });
                        if comes_first && !corner.is_some_and(|at| self.leads_in(side, at, &found))
                        {
                            here = Some((merit, part, found));
                        }
                    },
                );
                if let Some(((false, depth), ..)) = here {
                    limit = f64::from(depth);
                }
                limit
            });
            if let Some((merit, _, found)) = here
                && best.is_none_or(|(best, _)| merit < best)
            {
                best = Some((merit, found));
            }
        }
        best.map(|((refused, _), contact)| (contact, !refused))
    }
}

/// A part of an outline, or another part of its border, and a shape beside it.
struct BorderBeside<'a> {
    rim: &'a Rim,
    /// The part that contacts name.
    own: &'a Core<'a>,
    other: &'a Other<'a>,
    /// The contact of them, from the outline.
    seen: Contact,
    /// Whether the middle of the shape may be behind the border.
    all: bool,
    /// Contacts that are surely deeper are left out.
    limit: f64,
    margin: f32,
}

impl BorderBeside<'_> {
    /// Whether there may be a contact along a normal at a place.
    fn is_open(&self, normal: Vector, at: Vector) -> bool {
        self.all
            || normal.dot(self.other.center() - at) >= 0.0
            || is_along(normal, self.seen.wide_normal())
    }

    /// The contact along the normal of a side, with the part of the shape that is above it.
    fn above(&self, side: &OuterSide) -> Option<Contact> {
        let Self { rim, own, other, seen, limit, margin, .. } = self;
        if !self.is_open(side.normal, side.start) {
            return None;
        }
        let slack = margin + rim.near as f32;
        let (strip, feature) = (side.strip(rim.run(side), rim.near), Feature::default());
        let mut found = strip
            .contact(other, feature, seen, slack)
            .or_else(|| strip.contact_of_cap(other, feature, seen, slack))
            .filter(|found| f64::from(found.depth) <= *limit)?;
        // Which side of the part it is takes as long to find as the contact.
        let feature = Feature::side(facing(own, side.normal));
        let count = found.count as usize;
        for point in &mut found.point[..count] {
            point.feature_a = feature;
        }
        Some(found)
    }

    /// Passes the contacts at convex corners: with the sides of the shape, with the middle of a
    /// circle, and away from the middle of any shape if it may be behind the border.
    fn each_at_corner(&self, take: &mut dyn FnMut(Vector, Contact)) {
        let Self { rim, own, other, seen, all, limit, .. } = self;
        let (center, radius, core) = (other.center(), other.radius, other.core);
        let mut offer = |corner: &Corner, normal: Vector, depth: f64, feature_b: Feature| {
            if f64::from(depth as f32) > *limit {
                return;
            }
            let [x, y] = (corner.at - normal * (depth * 0.5)).narrow();
            let (depth, [normal_x, normal_y]) = (depth as f32 + 0.0, normal.narrow());
            let feature_a = Feature::vertex(nearest(own, corner.at));
            let point = ContactPoint { x, y, depth, feature_a, feature_b };
            let point = [point, ContactPoint::default()];
            take(corner.at, Contact { normal_x, normal_y, depth, count: 1, point, ..*seen });
        };
        for (number, facing) in other.sides() {
            let normal = -facing.normal;
            for corner in rim.furthest(normal) {
                let along = facing.along.dot(corner.at - facing.start);
                let beside = (-rim.near..=facing.length + rim.near).contains(&along);
                if beside && corner.admits(normal) && self.is_open(normal, corner.at) {
                    let depth = radius + normal.dot(corner.at - facing.start);
                    offer(corner, normal, depth, Feature::side(number));
                }
            }
        }
        if !all && (core.count() > 1 || radius == 0.0) {
            return;
        }
        let middle = if *all { other.middle() } else { center };
        for corner in &rim.corners {
            let way = if *all { corner.at - middle } else { center - corner.at };
            // The depth is at least the length of the way, also when it is rounded to `f32`.
            if way.length2() > limit * limit * (1.0 + 2.0 * f64::from(f32::EPSILON)) {
                continue;
            }
            let Some(normal) = way.unit().filter(|way| corner.admits(*way)) else { continue };
            let depth = normal.dot(corner.at - middle) + other.behind(middle, normal) + radius;
            offer(corner, normal, depth, Feature::vertex(0));
        }
    }
}

impl Contact {
    fn wide_normal(&self) -> Vector {
        Vector::wide([self.normal_x, self.normal_y])
    }

    fn parts(&self) -> [u32; 2] {
        [self.part_a, self.part_b]
    }
}

/// Whether two normals count as equal.
fn is_along(one: Vector, other: Vector) -> bool {
    one.dot(other) > 0.0 && one.cross(other).abs() <= EQUAL
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
    /// Appends the contacts of a pair to `corrected`: `contacts`, which are all contacts that the
    /// kernels made of it, corrected if a shape is an outline.
    pub(super) fn correct(
        &mut self,
        query: &PairQuery<'_>,
        sources: &Sources<'_>,
        contacts: &[Contact],
        corrected: &mut Vec<Contact>,
    ) {
        let Some(&Contact { pair, .. }) = contacts.first() else { return };
        let Some(two) = &OutlinePair::new(query, sources, pair) else {
            return corrected.extend_from_slice(contacts);
        };
        let Self { rims, kept, refused, order } = self;
        kept.clear();
        refused.clear();
        for contact in contacts {
            two.place(rims, contact.parts());
            match two.sides().map(|side| two.fit(rims, side, contact)).max() {
                Some(Fit::Whole) => kept.push(*contact),
                fit => refused.push((fit == Some(Fit::Foreign), *contact)),
            }
        }
        if refused.is_empty() {
            return corrected.extend_from_slice(contacts);
        }
        let first = corrected.len();
        corrected.extend_from_slice(kept);
        // The deepest first.
        list_by_key(order, kept, |contact| u64::from(!f32_rank(contact.depth)));
        order.truncate(MAX_CONTACTS_ASKED);
        // The deepest part that no contact leads out of. Among equally deep parts, the part
        // furthest left, or lowest: one choice in either order of the shapes.
        let mut left: Option<Contact> = None;
        let merit = |contact: &Contact| {
            let ContactPoint { x, y, .. } = contact.point[0];
            (-contact.depth, x, y)
        };
        for (foreign, contact) in &*refused {
            two.place(rims, contact.parts());
            let mut kept = order.iter().map(|(_, at)| &kept[*at as usize]);
            if *foreign && kept.any(|kept| two.moves_out(rims, kept, contact)) {
                continue;
            }
            let replaced = two.replaced(rims, contact, *foreign);
            corrected.extend(replaced);
            let is_left = replaced.is_none() && contact.depth >= 0.0;
            if is_left && left.is_none_or(|left| merit(contact) < merit(&left)) {
                left = Some(*contact);
            }
        }
        let depths = corrected[first..].iter().map(|contact| contact.depth);
        let deepest = depths.fold(f32::NEG_INFINITY, f32::max);
        let near = rims.iter().map(|rim| rim.near as f32).fold(0.0, f32::max);
        let (is_none, is_chain) = (corrected.len() == first, two.is_chain(0) || two.is_chain(1));
        if let Some(left) = left.filter(|left| is_none || !is_chain && left.depth > deepest + near)
        {
            match two.outermost(rims, &left) {
                Some((contact, true)) => corrected.push(contact),
                // The surface of a chain comes first.
                _ if is_chain => corrected.extend_from_slice(contacts),
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

    /// Appends the contact of a pair without a contact of the kernels, if one shape lies on an
    /// inner side of the other, so that they touch.
    pub(super) fn missing(
        &mut self,
        query: &PairQuery<'_>,
        sources: &Sources<'_>,
        pair: Pair,
        corrected: &mut Vec<Contact>,
    ) {
        let Some(two) = &OutlinePair::new(query, sources, pair) else { return };
        let chain = two.is_chain(0) || two.is_chain(1);
        if chain || !meet_on_inner_side(query, sources, two.members) {
            return;
        }
        two.place(&mut self.rims, [0; 2]);
        let [part_a, part_b] = two.parts_that_touch(self.rims[0].near + self.rims[1].near);
        let contact = Contact { pair, part_a, part_b, ..Contact::default() };
        corrected.extend(two.outermost(&mut self.rims, &contact).map(|(contact, _)| contact));
    }
}

impl OutlinePair<'_> {
    /// Whether a contact of other parts moves the parts of `contact`, whose rims are placed, apart.
    fn moves_out(&self, rims: &[Rim; 2], kept: &Contact, contact: &Contact) -> bool {
        let parts = contact.parts();
        self.sides().any(|side| {
            let (own, member) =
                (self.part(side, parts[side]), self.part(1 - side, parts[1 - side]));
            let [own, core] = [own, member].map(|part| Core::of(&self.sources.exact(part)));
            let radius = f64::from(self.sources.placed(member).radius());
            let (other, near) = (Other { core: &core, radius }, rims[side].near);
            let way = other.way_out_of(&own, outward(kept.wide_normal(), side), near);
            way <= f64::from(kept.depth) + near
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Core, EQUAL, Other, Vector};

    /// The least way along the normals of all sides, each beside all corners.
    fn way_of_all(other: &Other<'_>, polygon: &Other<'_>, direction: Vector, near: f64) -> f64 {
        let own = polygon.sides().map(|(_, side)| side.normal);
        let normals = own.chain(other.sides().map(|(_, side)| -side.normal)).chain([direction]);
        let ways = normals.filter_map(|normal| {
            let deep = polygon.reach(normal) + other.reach(-normal) + other.radius;
            let ahead = normal.dot(direction);
            match deep <= near {
                true => (ahead > -EQUAL).then_some(0.0),
                false => (ahead > EQUAL).then(|| deep / ahead),
            }
        });
        ways.fold(f64::INFINITY, f64::min)
    }

    /// Rings that are convex but for roundings, so that bounds and depths differ: large and small,
    /// flat, far away, with sides of no length, and segments and points.
    #[test]
    fn the_way_out_is_the_least_of_all_sides_beside_all_corners() {
        let mut seed = 1_u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 40) as f64 / f64::from(1 << 24)
        };
        let counts = [1, 2, 3, 4, 7, 40];
        let (mut apart, mut deep) = (0, 0);
        for number in 0..20_000 {
            let mut ring = |count: usize, far: f64| -> Vec<Vector> {
                let (flat, turn) = (0.5_f64.powi((random() * 30.0) as i32), random());
                let [x, y] = [far * random(), 3.0 * random()];
                let at = |step: usize| std::f64::consts::TAU * (step as f64 / count as f64 + turn);
                let corner = |step: usize| {
                    let (sin, cos) = at(step / 2 * 2).sin_cos();
                    // The coordinates of f32.
                    Vector::new(f64::from((x + cos) as f32), f64::from((y + sin * flat) as f32))
                };
                (0..count).map(corner).collect()
            };
            let far = [3.0, 3.0, 1e6][number % 3];
            let [a, b] = [number / 3 % 6, number / 18 % 6].map(|at| ring(counts[at], far));
            let [polygon, core] = [Core::Listed(&a), Core::Listed(&b)];
            let angle = random() * std::f64::consts::TAU;
            let direction = match number % 2 {
                0 => Vector::new(angle.cos(), angle.sin()),
                _ => [Vector::new(1.0, 0.0), Vector::new(0.0, -1.0)][number / 2 % 2],
            };
            let radius = [0.0, 0.25][number / 2 % 2];
            let near = [0.0, 1e-7, 0.5][number / 4 % 3];
            let other = Other { core: &core, radius };
            let found = other.way_out_of(&polygon, direction, near);
            let all = Other { core: &polygon, radius: 0.0 };
            let expected = way_of_all(&other, &all, direction, near);
            assert_eq!(found.to_bits(), expected.to_bits(), "{number}: {found} {expected}");
            apart += usize::from(found == 0.0);
            deep += usize::from(found > 0.0);
        }
        assert!(apart > 2_000 && deep > 2_000, "{apart} apart, {deep} deep");
    }
}
