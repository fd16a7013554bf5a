//! What stops a motion: the rule of casts, swept pairs and times of impact.
//!
//! In plain words, for each two solids, with their Minkowski difference as the obstacle and the
//! translation as a path from the origin:
//!
//! ```text
//! the path meets the obstacle after the start:
//!     it stops there, unless it only grazes the obstacle: on one side of the line of the path, the
//!     obstacle is not wider than the tolerance
//! the start is in the obstacle or on its border:
//!     it stops there if the path leads further in: somewhere on it, the solids are deeper in each
//!     other than at the start, by more than the tolerance
//! one of them is a segment with one side:
//!     only a motion against that side stops, and only in front of it
//! ```
//!
//! The tolerance is the rounding of positions: a shape that was moved by the fraction of its last
//! cast lies up to some roundings inside of what stopped it. Without a tolerance, it would be
//! stopped by the next tile of a flat floor.

use super::{
    batch::Room,
    border::Border,
    enter::{Entry, Path},
    record::{CastOptions, CastStart, Hit},
    separation::{difference, nearest_on, normal_at_origin},
    solid::{Corners, Solid, sides},
    vector::Vector,
};
use crate::{
    narrowphase::{Contact, PairQuery, SmoothBorder},
    shape::MAX_COORDINATE,
};

/// The tolerance as a share of the coordinates of the moving shape, along each axis: sixteen
/// roundings of an `f32`.
const TOLERANCE: f64 = 1.0 / (1 << 20) as f64;

/// The largest share of the obstacle that is within the tolerance: where that is more, shapes are
/// hardly larger than roundings.
const SHARE: f64 = 1.0 / 16.0;

/// A motion, relative to the shapes that may stop it.
pub(crate) struct Motion {
    pub(super) path: Path,
    /// The least distance to keep.
    gap: f64,
    start: CastStart,
    /// The translation of the shapes that may stop it.
    other: Vector,
    only_at_start: bool,
}

/// Passes every two parts of a moving shape and another one to a callback.
pub(super) type EachTwo<'a> =
    dyn FnMut(&mut [Corners; 2], &mut dyn FnMut([u32; 2], &Solid<'_>, &Solid<'_>)) + 'a;

/// Where a solid stops a motion.
#[derive(Clone, Copy)]
struct Stop {
    entry: Entry,
    way: Way,
}

/// Two parts that stop each other at the start.
#[derive(Debug)]
pub(crate) struct StopAtStart {
    parts: [u32; 2],
    way: Way,
}

impl Motion {
    /// A motion along a translation.
    pub(super) fn new(translation: [f32; 2], options: &CastOptions) -> Self {
        let limit = f64::from(options.max_fraction.min(f32::MAX));
        Self {
            path: Path::new(Vector::ZERO, Vector::wide(translation), limit),
            gap: f64::from(options.gap),
            start: options.start,
            other: Vector::ZERO,
            only_at_start: false,
        }
    }

    /// The motion of one shape relative to another one that moves, too.
    pub(crate) fn between([own, other]: [[f32; 2]; 2], options: &CastOptions) -> Self {
        let motion = Self::new(own, options);
        let other = Vector::wide(other);
        let path = Path::new(Vector::ZERO, motion.path.direction - other, motion.path.limit);
        Self { path, other, ..motion }
    }

    /// The same motion of shapes that stop each other only at the start.
    pub(crate) fn only_at_start(self) -> Self {
        Self { only_at_start: true, ..self }
    }

    /// A radius that is larger by the gap.
    pub(super) fn widened(&self, radius: f32) -> f32 {
        if self.gap > 0.0 { (radius + self.gap as f32).next_up() } else { radius }
    }

    /// Where the shape of a row stops the shape of a probe, at most at the fraction `most`. `each`
    /// passes every two parts of them.
    ///
    /// At the start, the contact of the narrowphase has the point and the normal. It also has a say:
    /// there is no contact with the inner corners of a chain.
    pub(super) fn hit(
        &self,
        query: &PairQuery<'_>,
        row: u32,
        most: f64,
        room: &mut Room,
        each: &mut EachTwo<'_>,
    ) -> Option<Hit> {
        if query.never_touch(row) {
            return None;
        }
        let Room { corners, difference, stops } = room;
        let borders = query.smooth_borders(row);
        let is_smooth = borders.iter().any(Option::is_some);
        let passes = is_smooth && self.slides(query, row, &borders);
        let mut best: Option<(f64, Hit)> = None;
        stops.clear();
        each(corners, &mut |parts, own, other| {
            let stop = self.stop(own, other, most, difference);
            let Some(Stop { entry, way }) = stop else { return };
            if entry.fraction == 0.0 {
                stops.push(StopAtStart { parts, way });
            } else if best.is_none_or(|(fraction, _)| entry.fraction < fraction) {
                let moved = self.path.at(entry.fraction);
                let point = touching_point(own, other, moved, entry.normal);
                if passes && !self.is_stopped_by(&borders, parts, [own, other], &entry, point) {
                    return;
                }
                let point = point + self.other * entry.fraction;
                best = Some((entry.fraction, Hit::of(row, parts[1], &entry, point)));
            }
        });
        let later = best.map(|(_, hit)| hit);
        if stops.is_empty() {
            return later;
        }
        match self.contact_at_start(query, row, stops, is_smooth) {
            Ok(contact) => contact.and_then(|contact| Hit::of_contact(row, &contact)).or(later),
            Err(without) => {
                let mut hit = None;
                each(corners, &mut |parts, own, other| {
                    if parts == without {
                        hit = self.hit_without_contact(row, parts[1], [own, other], difference);
                    }
                });
                hit.or(later)
            }
        }
    }

    /// Whether a shape that may slide along the border of the other one is stopped only along the
    /// normals of that border: always along a chain, and along an outline that it touches at the
    /// start. (From outside, a shape meets the border of an outline first.)
    fn slides(
        &self,
        query: &PairQuery<'_>,
        row: u32,
        borders: &[Option<SmoothBorder<'_>>; 2],
    ) -> bool {
        if borders.iter().flatten().any(|border| matches!(border, SmoothBorder::Chain(..))) {
            return true;
        }
        let query = query.with_margin(self.gap as f32);
        query.boxes_near([0, row as usize]) && query.deepest(row, &|_| true).is_some()
    }

    /// Whether an entry, which is at a point of the other solid, is along a normal of the borders.
    fn is_stopped_by(
        &self,
        [own_border, border]: &[Option<SmoothBorder<'_>>; 2],
        [own_part, part]: [u32; 2],
        [own, other]: [&Solid<'_>; 2],
        entry: &Entry,
        point: Vector,
    ) -> bool {
        let (moved, normal) = (self.path.at(entry.fraction), entry.normal);
        let admits =
            |border: &Option<SmoothBorder<'_>>, part, normal, point, solid: &Solid<'_>, by| {
                let middle = if solid.corners.is_empty() { point } else { middle(solid) + by };
                border.as_ref().is_none_or(|border| border.stops(part, normal, point, middle))
            };
        let own_point = point + normal * self.gap - moved;
        admits(border, part, normal, point, own, moved)
            && admits(own_border, own_part, -normal, own_point, other, -moved)
    }

    /// The contact of two shapes of which some parts stop each other at the start: the deepest one
    /// that stops the motion, if any does.
    ///
    /// # Errors
    /// Parts that touch in `f64`, but not by the roundings of the narrowphase.
    fn contact_at_start(
        &self,
        query: &PairQuery<'_>,
        row: u32,
        stops: &[StopAtStart],
        is_smooth: bool,
    ) -> Result<Option<Contact>, [u32; 2]> {
        let is_of =
            |contact: &Contact, stop: &StopAtStart| stop.parts == [contact.part_a, contact.part_b];
        let accept = |contact: &Contact| {
            stops.iter().find(|stop| is_of(contact, stop)).is_some_and(|stop| {
                let normal = contact.normal();
                let normal = Vector::wide([normal.x, normal.y]);
                self.start == CastStart::Any || stop.way.leads_along(normal)
            })
        };
        let widened;
        let mut query = query;
        if self.gap > 0.0 || is_smooth {
            widened = query.with_margin(self.margin(stops));
            query = &widened;
        }
        let near = query.boxes_near([0, row as usize]);
        if near && let Some(contact) = query.deepest(row, &accept) {
            return Ok(Some(contact));
        }
        let is_without = |stop: &&StopAtStart| {
            let same = |contact: &Contact| is_of(contact, stop);
            !is_smooth && (!near || query.deepest(row, &same).is_none())
        };
        stops.iter().find(is_without).map_or(Ok(None), |stop| Err(stop.parts))
    }

    /// The hit of two solids that touch at the start.
    fn hit_without_contact(
        &self,
        row: u32,
        part: u32,
        [own, other]: [&Solid<'_>; 2],
        room: &mut Vec<Vector>,
    ) -> Option<Hit> {
        let obstacle = self.obstacle(own, other, room)?;
        let normal = match obstacle.half_plane() {
            Some(border) => border.normal,
            None => normal_at_origin(&obstacle, self.path.direction)
                .unwrap_or(self.path.inside().normal),
        };
        let point = touching_point(own, other, Vector::ZERO, normal);
        Some(Hit::of(row, part, &Entry { fraction: 0.0, normal }, point))
    }

    /// The margin with which all shapes that are within the gap have a contact.
    fn margin(&self, stops: &[StopAtStart]) -> f32 {
        let tolerance = |stop: &StopAtStart| stop.way.tolerance.x + stop.way.tolerance.y;
        let most = stops.iter().map(tolerance).fold(0.0, f64::max);
        ((self.gap * (1.0 + TOLERANCE) + most) as f32).next_up().min(MAX_COORDINATE)
    }

    /// Where `other` stops `own`, at most at the fraction `most`. `room` is overwritten by the
    /// corners of their difference.
    fn stop(
        &self,
        own: &Solid<'_>,
        other: &Solid<'_>,
        most: f64,
        room: &mut Vec<Vector>,
    ) -> Option<Stop> {
        let Self { path, start, .. } = self;
        let passes = other.lets_pass(path.direction) || own.lets_pass(-path.direction);
        if passes && *start != CastStart::Any {
            return None;
        }
        let obstacle = self.obstacle(own, other, room)?;
        let entry = Path::new(path.origin, path.direction, most).enter(&obstacle)?;
        let at_start = entry.fraction == 0.0;
        if !at_start && (passes || self.only_at_start) {
            return None;
        }
        if !at_start && !self.may_graze(&obstacle) {
            return Some(Stop { entry, way: Way::NONE });
        }
        let way = self.way(own, other, &obstacle);
        let stops = match start {
            _ if !at_start => !way.grazes(&obstacle, path.direction),
            CastStart::Inward => way.leads_deeper(&obstacle, fronts(own, other)),
            CastStart::Any => true,
            CastStart::Ignored => false,
        };
        stops.then_some(Stop { entry, way })
    }

    /// Whether the path may graze an obstacle, whatever the tolerance is.
    fn may_graze(&self, obstacle: &Solid<'_>) -> bool {
        let Path { direction, length2, .. } = self.path;
        let radius = if obstacle.radius > 0.0 { obstacle.radius * length2.sqrt() } else { 0.0 };
        let [left, right] = widths(obstacle, direction.perp()).map(|width| width + radius);
        left.min(right) <= (left + right) * SHARE
    }

    /// The Minkowski difference of two solids, larger by the gap. Two half-planes have none.
    fn obstacle<'a>(
        &self,
        own: &Solid<'_>,
        other: &Solid<'_>,
        room: &'a mut Vec<Vector>,
    ) -> Option<Solid<'a>> {
        let radius = own.radius + other.radius + self.gap;
        if let (Some(own), Some(other)) = (own.aligned, other.aligned)
            && let Some(aligned) = difference_of_boxes(own, other, room)
        {
            return Some(Solid { corners: room, radius, aligned: Some(aligned), border: None });
        }
        room.clear();
        let border = match [own.half_plane(), other.half_plane()] {
            [None, None] => {
                difference(own.corners, other.corners, room);
                None
            }
            [None, Some(Border { normal, offset })] => {
                let lowest = Border { normal, offset: 0.0 }.lowest(own.corners).0;
                Some(Border { normal, offset: offset - lowest })
            }
            [Some(border), None] => {
                // The height of the other shape above the border that moves.
                let (height, _) = border.lowest(other.corners);
                Some(Border { normal: -border.normal, offset: -height })
            }
            [Some(_), Some(_)] => return None,
        };
        Some(Solid { corners: room, radius, aligned: None, border })
    }

    /// The part of the path that is beside the obstacle, and the tolerance there.
    fn way(&self, own: &Solid<'_>, other: &Solid<'_>, obstacle: &Solid<'_>) -> Way {
        let Path { direction, length2, limit, .. } = self.path;
        let mut until = limit;
        if length2 > 0.0 && obstacle.half_plane().is_none() {
            let along = obstacle.corners.iter().map(|corner| direction.dot(*corner));
            let last = along.fold(f64::NEG_INFINITY, f64::max);
            until = until.min((last / length2 + obstacle.radius / length2.sqrt()).max(0.0));
        }
        let end = direction * until;
        let mut reach = extent(own);
        if self.other != Vector::ZERO {
            reach = reach + extent(other);
        }
        let size = size(obstacle) * SHARE;
        let tolerance = |reach: f64, by: f64, most: f64| ((reach + by.abs()) * TOLERANCE).min(most);
        let tolerance =
            Vector::new(tolerance(reach.x, end.x, size.x), tolerance(reach.y, end.y, size.y));
        Way { end, tolerance }
    }
}

/// Whether a solid is a segment with one side.
fn is_one_sided(solid: &Solid<'_>) -> bool {
    solid.border.is_some() && !solid.corners.is_empty()
}

/// The Minkowski difference of two boxes as a box, and its corners as [`difference`] lists them.
/// `None` if it is flat.
fn difference_of_boxes(
    [own_min, own_max]: [Vector; 2],
    [other_min, other_max]: [Vector; 2],
    corners: &mut Vec<Vector>,
) -> Option<[Vector; 2]> {
    let (min, max) = (other_min - own_max, other_max - own_min);
    corners.clear();
    if min == max {
        corners.push(min);
    } else if min.x < max.x && min.y < max.y {
        corners.extend([min, Vector::new(max.x, min.y), max, Vector::new(min.x, max.y)]);
    } else {
        return None;
    }
    Some([min, max])
}

/// The front normals, as seen from the moving solid, of those solids that are segments with one
/// side.
fn fronts(own: &Solid<'_>, other: &Solid<'_>) -> [Option<Vector>; 2] {
    let front = |solid: &Solid<'_>| {
        solid.border.filter(|_| is_one_sided(solid)).map(|border| border.normal)
    };
    [front(other), front(own).map(|normal| -normal)]
}

/// The largest coordinate of a solid in magnitude, along each axis. A half-plane has none.
fn extent(solid: &Solid<'_>) -> Vector {
    let mut extent = Vector::ZERO;
    for corner in solid.corners {
        extent = Vector::new(extent.x.max(corner.x.abs()), extent.y.max(corner.y.abs()));
    }
    Vector::new(extent.x + solid.radius, extent.y + solid.radius)
}

/// The middle of the box around the core of a solid that has corners.
fn middle(solid: &Solid<'_>) -> Vector {
    let (mut min, mut max) = (solid.corners[0], solid.corners[0]);
    for corner in solid.corners {
        min = Vector::new(min.x.min(corner.x), min.y.min(corner.y));
        max = Vector::new(max.x.max(corner.x), max.y.max(corner.y));
    }
    (min + max) * 0.5
}

/// The path from the origin to its last point beside an obstacle.
#[derive(Debug, Clone, Copy)]
struct Way {
    end: Vector,
    /// The tolerance along each axis.
    tolerance: Vector,
}

impl Way {
    /// No part of a path.
    const NONE: Self = Self { end: Vector::ZERO, tolerance: Vector::ZERO };

    /// The tolerance along a vector, times its length.
    fn tolerance_along(&self, normal: Vector) -> f64 {
        normal.x.abs() * self.tolerance.x + normal.y.abs() * self.tolerance.y
    }

    /// Whether the path leads further along a normal than the tolerance.
    fn leads_along(&self, normal: Vector) -> bool {
        normal.dot(self.end) > self.tolerance_along(normal)
    }

    /// Whether the path only grazes an obstacle: on one side of its line, the obstacle is not wider
    /// than the tolerance. If on both sides, it is met head on.
    fn grazes(&self, obstacle: &Solid<'_>, direction: Vector) -> bool {
        if obstacle.half_plane().is_some() {
            return false;
        }
        let Some(along) = direction.unit() else { return false };
        let normal = along.perp();
        let [left, right] = widths(obstacle, normal).map(|width| width + obstacle.radius);
        let tolerance = self.tolerance_along(normal).min((left + right) * SHARE);
        (left <= tolerance) != (right <= tolerance)
    }

    /// Whether the solids are deeper in each other somewhere on the path than at its start, by more
    /// than the tolerance.
    fn leads_deeper(&self, obstacle: &Solid<'_>, fronts: [Option<Vector>; 2]) -> bool {
        if let Some(border) = obstacle.half_plane() {
            return self.leads_along(-border.normal);
        }
        if self.end == Vector::ZERO {
            return false;
        }
        if let [center] = obstacle.corners
            && center.dot(self.end) <= 0.0
        {
            return false;
        }
        let (way, start) = self.depths(obstacle, fronts);
        way > start.max(0.0)
    }

    /// How far the path has to be shifted to be out of the obstacle, less the tolerance, and how far
    /// its start: at most 0 if it is not in it.
    ///
    /// The cores, path and obstacle, overlap by the least of their overlaps along the normals of
    /// their sides. Shapes are not shifted to the back of a segment with one side.
    fn depths(&self, obstacle: &Solid<'_>, fronts: [Option<Vector>; 2]) -> (f64, f64) {
        let Solid { corners, radius, .. } = *obstacle;
        let fits = |normal: Vector| {
            fronts.iter().flatten().all(|front| front.dot(normal) >= -BACK * front.length())
        };
        // The least overlaps, and the least overlap of the path less the tolerance.
        let mut start = f64::INFINITY;
        let (mut overlap, mut depth) = (f64::INFINITY, f64::INFINITY);
        let mut keep = |normal: Vector, width: f64| {
            overlap = overlap.min(width);
            depth = depth.min(width - self.tolerance_along(normal));
        };
        let mut side = |normal: Vector, width: f64| {
            start = start.min(width);
            keep(normal, width - normal.dot(self.end).min(0.0));
        };
        if let Some([min, max]) = obstacle.aligned.filter(|_| corners.len() == 4) {
            side(-Vector::Y, -min.y);
            side(Vector::X, max.x);
            side(Vector::Y, max.y);
            side(-Vector::X, -min.x);
        } else {
            for [from, to] in sides(corners) {
                if let Some(along) = (to - from).unit() {
                    let normal = -along.perp();
                    if fits(normal) {
                        side(normal, normal.dot(from));
                    }
                }
            }
        }
        if let Some(along) = self.end.unit() {
            let normal = along.perp();
            let [left, right] = widths(obstacle, normal);
            for (normal, width) in [(normal, left), (-normal, right)] {
                if fits(normal) {
                    keep(normal, width);
                }
            }
        }
        let overlaps = |overlap: f64| overlap > 0.0 && overlap < f64::INFINITY;
        let way = if overlaps(overlap) {
            depth + radius
        } else {
            // They are apart, or have no area.
            let apart = self.distance(corners);
            let tolerance = apart.unit().map_or(0.0, |normal| self.tolerance_along(normal));
            radius - apart.length() - tolerance
        };
        let start = if overlaps(start) {
            start + radius
        } else {
            radius - Self::NONE.distance(corners).length()
        };
        (way, start)
    }

    /// The shortest vector from the path to a core that it does not cross.
    fn distance(&self, corners: &[Vector]) -> Vector {
        let mut best = (f64::INFINITY, Vector::ZERO);
        let mut closer = |from: Vector, to: Vector| {
            let way = to - from;
            if way.length2() < best.0 {
                best = (way.length2(), way);
            }
        };
        for corner in corners {
            let from = match self.end == Vector::ZERO {
                true => Vector::ZERO,
                false => nearest_on([Vector::ZERO, self.end], *corner),
            };
            closer(from, *corner);
        }
        for side in sides(corners) {
            for from in [Vector::ZERO, self.end] {
                closer(from, nearest_on(side, from));
            }
        }
        best.1
    }
}

/// The cosine from which on a normal leads to the back of a segment.
const BACK: f64 = 1.0 / (1_u64 << 40) as f64;

/// The lengths of the box around a solid; infinite for a half-plane.
fn size(solid: &Solid<'_>) -> Vector {
    if solid.corners.is_empty() {
        return Vector::new(f64::INFINITY, f64::INFINITY);
    }
    let length = |axis: Vector| {
        let [above, below] = widths(solid, axis);
        above + below + 2.0 * solid.radius
    };
    Vector::new(length(Vector::X), length(Vector::Y))
}

/// How far a core reaches along a normal from the origin, and how far against it.
fn widths(core: &Solid<'_>, normal: Vector) -> [f64; 2] {
    let mut widths = [f64::NEG_INFINITY; 2];
    for corner in core.corners {
        let height = normal.dot(*corner);
        widths = [widths[0].max(height), widths[1].max(-height)];
    }
    widths
}

/// The point where a solid that was moved by `moved` touches another one, whose normal is `normal`:
/// the point in which both are furthest along the normal, or the middle of the points.
fn touching_point(own: &Solid<'_>, other: &Solid<'_>, moved: Vector, normal: Vector) -> Vector {
    let along = normal.perp();
    let (height, ends) = furthest(other.corners.iter().copied(), normal, along);
    let height = other.half_plane().map_or(height, |border| border.offset);
    let (_, own_ends) = furthest(own.corners.iter().map(|corner| *corner + moved), -normal, along);
    // A half-plane has no ends.
    let ends = if other.corners.is_empty() { own_ends } else { ends };
    let own_ends = if own.corners.is_empty() { ends } else { own_ends };
    let common = [ends[0].max(own_ends[0]), ends[1].min(own_ends[1])];
    let middle = (common[0] + common[1]) * 0.5;
    normal * (height + other.radius) + along * middle
}

/// Corners whose heights differ by less than this share of the coordinates are equally far.
const LEVEL: f64 = 1.0 / (1_u64 << 40) as f64;

/// How far corners are along `normal`, and the range along `along` of those that are furthest.
fn furthest(
    corners: impl Iterator<Item = Vector> + Clone,
    normal: Vector,
    along: Vector,
) -> (f64, [f64; 2]) {
    let heights = corners.clone().map(|corner| corner.dot(normal));
    let height = heights.fold(f64::NEG_INFINITY, f64::max);
    let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
    for corner in corners {
        let slack = (corner.x.abs() + corner.y.abs()) * LEVEL;
        if corner.dot(normal) >= height - slack {
            let at = corner.dot(along);
            ends = [ends[0].min(at), ends[1].max(at)];
        }
    }
    (height, ends)
}
