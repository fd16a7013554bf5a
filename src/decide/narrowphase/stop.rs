//! What stops a motion: the rule of casts, swept pairs and times of impact.
//!
//! In plain words, for each two solids, with their Minkowski difference as the obstacle and the
//! translation as a path from the origin:
//!
//! ```text
//! the path meets the obstacle after the start:
//!     it stops there, unless it only grazes the obstacle: on one side of the line of the path, the
//!     obstacle is not wider than the tolerance, and not than half of the moving solid
//! the start is in the obstacle or on its border:
//!     it stops there if the path leads further in: somewhere on it, the solids are deeper in each
//!     other than at the start, by more than the tolerance
//! one of them is a segment of a chain, or an outline that is touched at the start:
//!     only the normals of its smooth border stop it, at the start the normal of the contact
//!     a segment with one side stops only a motion against that side, and no shape that is across
//!     it when they meet (stop/one_way.rs)
//!     what has sunk into an outline is also stopped where it gets deeper in a part than it is in
//!     the outline at the start
//! ```
//!
//! The tolerance is the rounding of positions of the shape that moves; of two moving shapes, of the
//! shape with the larger coordinates. A shape that was moved by the fraction of its last cast lies
//! up to some roundings inside the shape that stopped it. Without a tolerance, it would be stopped
//! by the next tile of a flat floor.

mod one_way;

use super::{
    Contact, PairQuery, SmoothBorder,
    aligned_contact::{AlignedContact, AlignedShape, contact_of_aligned},
    hit::{CastOptions, CastStart, Hit},
    obstacle_path::{ObstaclePath, StopAtStart, TOLERATED_SHARE, widths},
    part_bounds::{NearBox, PartBounds},
    solids::{PartWorkspace, SolidWorkspace},
};
use crate::{
    base::F32_SLACK,
    geometry::{
        Border, Path, RayEntry, Solid, Vector, difference, normal_at_origin, sides, touching_point,
    },
    shape::MAX_COORDINATE,
    simd::map_each,
};
use one_way::is_in_front;

/// A motion, relative to the shapes that may stop it.
pub(crate) struct RelativeMotion {
    pub(crate) path: Path,
    /// The least distance to keep.
    pub(crate) gap: f64,
    start: CastStart,
    /// The translation of the shapes that may stop it.
    other: Vector,
    only_at_start: bool,
}

/// Passes every two parts of a moving shape and another shape to a callback, except parts that
/// certainly do not meet.
pub(crate) type EachTwo<'a> =
    dyn FnMut(&mut [PartWorkspace; 2], &mut dyn FnMut([u32; 2], &Solid<'_>, &Solid<'_>)) + 'a;

/// An `EachTwo` without the memory for corners.
pub(super) type EachOfTwo<'a> = dyn FnMut(&mut dyn FnMut([u32; 2], &Solid<'_>, &Solid<'_>)) + 'a;

/// Where a solid stops a motion.
#[derive(Clone, Copy)]
struct Stop {
    entry: RayEntry,
    way: ObstaclePath,
    /// Whether the path leads deeper in, if it starts in the obstacle.
    deeper: bool,
}

/// Two parts of shapes with smooth borders.
struct Inner<'a> {
    borders: &'a [Option<SmoothBorder<'a>>; 2],
    parts: [u32; 2],
    solids: [&'a Solid<'a>; 2],
}

impl RelativeMotion {
    /// A motion along a translation.
    pub(crate) fn new(translation: [f32; 2], options: &CastOptions) -> Self {
        let limit = f64::from(options.max_fraction.min(f32::MAX));
        Self {
            path: Path::new(Vector::ZERO, Vector::wide(translation), limit),
            gap: f64::from(options.gap),
            start: options.start,
            other: Vector::ZERO,
            only_at_start: false,
        }
    }

    /// The motion of one shape relative to another shape that also moves.
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

    /// The bounds of parts that may stop a solid with this box, up to a fraction.
    pub(crate) fn bounds(&self, own: NearBox, most: f64) -> PartBounds {
        own.along(self.path.direction, most, self.gap)
    }

    /// The bounds of the parts of the moving shape that a shape in this box may stop.
    pub(crate) fn bounds_of_own(&self, other: NearBox, most: f64) -> PartBounds {
        other.along(-self.path.direction, most, self.gap)
    }

    /// A radius that is larger by the gap.
    pub(crate) fn widened(&self, radius: f32) -> f32 {
        if self.gap > 0.0 { (radius + self.gap as f32).next_up() } else { radius }
    }

    /// Where the shape of a row stops the shape of a probe, at most at the fraction `most`. `each`
    /// passes every two parts of them.
    ///
    /// At the start, the contact of the narrowphase has the point and the normal. It also has a
    /// say: there is no contact with the inner corners of a chain.
    pub(crate) fn hit(
        &self,
        query: &PairQuery<'_>,
        row: u32,
        most: f64,
        workspace: &mut SolidWorkspace,
        each: &mut EachTwo<'_>,
    ) -> Option<Hit> {
        if query.never_touch(row) {
            return None;
        }
        let SolidWorkspace { parts: both, difference, stops, .. } = workspace;
        let borders = query.smooth_borders(row);
        let is_smooth = borders.iter().any(Option::is_some);
        let sunk = if is_smooth { self.sunk(query, row, &borders) } else { None };
        let mut best: Option<(f64, Hit)> = None;
        stops.clear();
        each(both, &mut |parts, own, other| {
            let stop = self.stop(own, other, is_smooth, most, difference);
            let Some(Stop { entry, way, deeper }) = stop else { return };
            if entry.fraction == 0.0 {
                stops.push(StopAtStart { parts, way, deeper });
            } else if best.is_none_or(|(fraction, _)| entry.fraction < fraction) {
                let moved = self.path.at(entry.fraction);
                let met = |entry: RayEntry| {
                    let point = touching_point(own, other, moved, entry.normal);
                    let stops = sunk.is_none()
                        || self.is_stopped_by(&borders, parts, [own, other], &entry, point);
                    stops.then_some((entry, point))
                };
                let met = met(entry)
                    .or_else(|| self.sides_met([own, other], entry, difference).find_map(met))
                    .or_else(|| {
                        let inner = Inner { borders: &borders, parts, solids: [own, other] };
                        self.deeper(&inner, sunk?, most, difference)
                    });
                let Some((entry, point)) = met else { return };
                let point = point + self.other * entry.fraction;
                best = Some((entry.fraction, Hit::of(row, parts[1], &entry, point)));
            }
        });
        let mut each = |take: &mut dyn FnMut([u32; 2], &Solid<'_>, &Solid<'_>)| each(both, take);
        let mut is_across =
            |fraction: f64| self.is_across(&borders, fraction, difference, &mut each);
        let later = best.filter(|(fraction, _)| !is_across(*fraction)).map(|(_, hit)| hit);
        if stops.is_empty() || is_across(0.0) {
            return later;
        }
        let hit = match self.contact_at_start(query, row, &borders, stops) {
            Ok(Some(contact)) => Hit::of_contact(row, &contact),
            Ok(None) => self
                .hit_at_joint(row, &borders, stops, difference, &mut each)
                .or_else(|| self.hit_at_seam(row, &borders, sunk?, stops, difference, &mut each)),
            Err(without) => {
                let mut hit = None;
                each(&mut |parts, own, other| {
                    if parts == without {
                        hit = self.hit_without_contact(row, parts[1], [own, other], difference);
                    }
                });
                hit
            }
        };
        hit.or(later)
    }

    /// The hit of two axis-aligned shapes, given as solids, without a row. `query` is the query of
    /// the two shapes, and `row` is the row of the second shape in it.
    pub(super) fn hit_of_aligned(
        &self,
        [own, other]: [&Solid<'_>; 2],
        shapes: impl FnOnce() -> [AlignedShape; 2],
        row: u32,
        query: impl FnOnce(&mut dyn FnMut(&PairQuery<'_>)),
        workspace: &mut Vec<Vector>,
    ) -> Option<Hit> {
        let Stop { entry, way, deeper } =
            self.stop(own, other, false, self.path.limit, workspace)?;
        if entry.fraction > 0.0 {
            return Some(self.hit_later([own, other], &entry));
        }
        if deeper && self.gap == 0.0 && self.start == CastStart::Inward {
            match contact_of_aligned(shapes()) {
                AlignedContact::Touch { point, normal } => {
                    return self.hit_by_contact(&way, point, normal);
                }
                AlignedContact::Apart => {
                    return self.hit_without_contact(0, 0, [own, other], workspace);
                }
                AlignedContact::Tied => {}
            }
        }
        let mut hit = None;
        query(&mut |query| {
            let stops = [StopAtStart { parts: [0; 2], way, deeper }];
            hit = match self.contact_at_start(query, row, &[None; 2], &stops) {
                Ok(contact) => contact.and_then(|contact| Hit::of_contact(0, &contact)),
                Err(_) => self.hit_without_contact(0, 0, [own, other], workspace),
            };
        });
        hit
    }

    /// The hit at the start of a motion that leads deeper, if it is against the contact.
    #[inline]
    fn hit_by_contact(
        &self,
        way: &ObstaclePath,
        [x, y]: [f32; 2],
        normal: [f32; 2],
    ) -> Option<Hit> {
        let is_against = way.leads_along(Vector::wide(normal));
        let [normal_x, normal_y] = map_each(normal, |part| 0.0 - part);
        is_against.then_some(Hit { x, y, normal_x, normal_y, ..Hit::default() })
    }

    /// The hit of two solids that stop each other after the start.
    #[inline]
    fn hit_later(&self, [own, other]: [&Solid<'_>; 2], entry: &RayEntry) -> Hit {
        let point = touching_point(own, other, self.path.at(entry.fraction), entry.normal);
        Hit::of(0, 0, entry, point + self.other * entry.fraction)
    }

    /// How deep a shape is at the start in a shape with a smooth border, if it is stopped only
    /// along the normals of that border: always by a chain, and by an outline that it touches at
    /// the start. (From outside, a shape meets the border of an outline first.)
    fn sunk(
        &self,
        query: &PairQuery<'_>,
        row: u32,
        borders: &[Option<SmoothBorder<'_>>; 2],
    ) -> Option<f64> {
        if borders.iter().flatten().any(SmoothBorder::is_chain) {
            return Some(0.0);
        }
        let query = query.with_margin(self.gap as f32);
        let near = query.boxes_near([0, row as usize]);
        let contact = if near { query.deepest(row, &|_| true) } else { None };
        contact.map(|contact| (f64::from(contact.depth) + self.gap).max(0.0))
    }

    /// Whether an entry, which is at a point of the other solid, is along a normal of the borders.
    fn is_stopped_by(
        &self,
        [own_border, border]: &[Option<SmoothBorder<'_>>; 2],
        [own_part, part]: [u32; 2],
        [own, other]: [&Solid<'_>; 2],
        entry: &RayEntry,
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

    /// An entry along each other side of the obstacle that the path meets together with its entry,
    /// within the tolerance, if it leads further behind that side. `corners` are the corners of the
    /// obstacle.
    ///
    /// A shape that slides along a floor into a slope enters the part below the slope through a
    /// side that the parts share, where the floor ends.
    fn sides_met<'a>(
        &self,
        [own, other]: [&Solid<'_>; 2],
        entry: RayEntry,
        corners: &'a [Vector],
    ) -> impl Iterator<Item = RayEntry> + 'a {
        let radius = own.radius + other.radius + self.gap;
        let obstacle = Solid { corners, radius, aligned: None, border: None };
        let way = ObstaclePath::new(&self.path, self.movers(own, other), &obstacle);
        let moved = self.path.at(entry.fraction);
        sides(corners).filter_map(move |[from, to]| {
            let normal = -(to - from).unit()?.perp();
            let height = normal.dot(moved - from) - radius;
            let is_met = way.is_at(normal, height) && way.leads_along_from(moved, -normal);
            is_met.then_some(RayEntry { normal, ..entry })
        })
    }

    /// The contact of two shapes whose parts stop each other at the start: the deepest contact that
    /// stops the motion, if there is one.
    ///
    /// # Errors
    /// Parts that touch in `f64`, but not by the roundings of the narrowphase.
    fn contact_at_start(
        &self,
        query: &PairQuery<'_>,
        row: u32,
        borders: &[Option<SmoothBorder<'_>>; 2],
        stops: &[StopAtStart],
    ) -> Result<Option<Contact>, [u32; 2]> {
        let is_smooth = borders.iter().any(Option::is_some);
        let is_of =
            |contact: &Contact, stop: &StopAtStart| stop.parts == [contact.part_a, contact.part_b];
        let deeper = stops.iter().any(|stop| stop.deeper);
        let accept = |contact: &Contact| {
            stops.iter().find(|stop| is_of(contact, stop)).is_some_and(|stop| {
                let normal = contact.normal();
                let normal = Vector::wide([normal.x, normal.y]);
                let depth = f64::from(contact.depth);
                // A shape that only touches may leave at a corner against the normal of one of the
                // sides.
                let sunk = || !stop.way.is_at(normal, depth + self.gap);
                let is_against = || stop.way.leads_along(normal) && (deeper || sunk());
                (self.start == CastStart::Any || is_against())
                    && is_in_front(borders, normal, || {
                        depth <= 0.0 || stop.way.is_at(normal, depth)
                    })
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

    /// The hit of a shape and a segment of a chain that touch at the start, but have no contact
    /// that stops the motion. Of two segments that share a corner, the segment that has the contact
    /// of the corner may let the motion pass, because the motion comes from behind it.
    fn hit_at_joint(
        &self,
        row: u32,
        borders: &[Option<SmoothBorder<'_>>; 2],
        stops: &[StopAtStart],
        workspace: &mut Vec<Vector>,
        each: &mut EachOfTwo<'_>,
    ) -> Option<Hit> {
        if self.start == CastStart::Any || !borders.iter().flatten().any(SmoothBorder::is_chain) {
            return None;
        }
        let mut hit = None;
        each(&mut |parts, own, other| {
            let Some(stop) = stops.iter().find(|stop| stop.parts == parts) else { return };
            if hit.is_some() || !stop.deeper {
                return;
            }
            let Some((entry, point)) = self.touch_at_start([own, other], workspace) else { return };
            if stop.way.leads_along(-entry.normal)
                && self.is_stopped_by(borders, parts, [own, other], &entry, point)
            {
                hit = Some(Hit::of(row, parts[1], &entry, point));
            }
        });
        hit
    }

    /// Where a motion leads deeper into a part of an outline than `sunk`, which is how deep the
    /// shape is in the outline at the start, and the point there. `corners` are the corners of the
    /// obstacle.
    ///
    /// A shape that has sunk into an outline enters its parts by the sides that they share. It is
    /// as deep in the outline as in any part, and deeper if several parts hold it.
    fn deeper(
        &self,
        inner: &Inner<'_>,
        sunk: f64,
        most: f64,
        corners: &[Vector],
    ) -> Option<(RayEntry, Vector)> {
        let [own, other] = inner.solids;
        if corners.is_empty() || inner.borders.iter().flatten().any(SmoothBorder::is_chain) {
            return None;
        }
        let radius = own.radius + other.radius + self.gap;
        let obstacle = Solid { corners, radius, aligned: None, border: None };
        let way = ObstaclePath::new(&self.path, self.movers(own, other), &obstacle);
        let (depth, start) = way.depths(&obstacle);
        let sunk = sunk.max(start);
        if depth <= sunk {
            return None;
        }
        let path = Path::new(self.path.origin, self.path.direction, most);
        let entry = path.enter_to(&obstacle, sunk)?;
        Some(self.along_border(inner, &way, entry, corners))
    }

    /// The entry, but along the normal of the border that leads out of the obstacle first, if the
    /// motion is against a normal of the border, and the point there.
    fn along_border(
        &self,
        inner: &Inner<'_>,
        way: &ObstaclePath,
        entry: RayEntry,
        corners: &[Vector],
    ) -> (RayEntry, Vector) {
        let Inner { borders, parts, solids: [own, other] } = *inner;
        let moved = self.path.at(entry.fraction);
        let mut best = (f64::INFINITY, entry, touching_point(own, other, moved, entry.normal));
        for [from, to] in sides(corners) {
            let Some(along) = (to - from).unit() else { continue };
            let normal = -along.perp();
            let depth = normal.dot(from - moved);
            if depth >= best.0 || !way.leads_along_from(moved, -normal) {
                continue;
            }
            let entry = RayEntry { normal, ..entry };
            let point = touching_point(own, other, moved, normal);
            if self.is_stopped_by(borders, parts, [own, other], &entry, point) {
                best = (depth, entry, point);
            }
        }
        (best.1, best.2)
    }

    /// The hit of a shape that touches parts of an outline at the start, and whose motion is along
    /// the contacts with them, but leads deeper into a part than the shape is in the outline: at a
    /// reflex corner, the contact of one side also stands for the parts at the other side.
    fn hit_at_seam(
        &self,
        row: u32,
        borders: &[Option<SmoothBorder<'_>>; 2],
        sunk: f64,
        stops: &[StopAtStart],
        workspace: &mut Vec<Vector>,
        each: &mut EachOfTwo<'_>,
    ) -> Option<Hit> {
        if self.start == CastStart::Any || borders.iter().flatten().any(SmoothBorder::is_chain) {
            return None;
        }
        let (mut best, mut sunk): (Option<(f64, Hit)>, _) = (None, sunk);
        each(&mut |parts, own, other| {
            let Some(stop) = stops.iter().find(|stop| stop.parts == parts) else { return };
            let Some(obstacle) = self.obstacle(own, other, workspace) else { return };
            if obstacle.corners.is_empty() {
                return;
            }
            let (depth, start) = stop.way.depths(&obstacle);
            sunk = sunk.max(start);
            if depth > sunk && best.is_none_or(|(best, _)| depth > best) {
                let entry = self.path.inside();
                let inner = Inner { borders, parts, solids: [own, other] };
                let (entry, point) = self.along_border(&inner, &stop.way, entry, obstacle.corners);
                best = Some((depth, Hit::of(row, parts[1], &entry, point)));
            }
        });
        best.filter(|(depth, _)| *depth > sunk).map(|(_, hit)| hit)
    }

    /// The hit of two solids that touch at the start.
    fn hit_without_contact(
        &self,
        row: u32,
        part: u32,
        [own, other]: [&Solid<'_>; 2],
        workspace: &mut Vec<Vector>,
    ) -> Option<Hit> {
        let (entry, point) = self.touch_at_start([own, other], workspace)?;
        Some(Hit::of(row, part, &entry, point))
    }

    /// The normal and the point at which two solids touch at the start.
    fn touch_at_start(
        &self,
        [own, other]: [&Solid<'_>; 2],
        workspace: &mut Vec<Vector>,
    ) -> Option<(RayEntry, Vector)> {
        let obstacle = self.obstacle(own, other, workspace)?;
        let normal = match obstacle.half_plane() {
            Some(border) => border.normal,
            None => normal_at_origin(&obstacle, self.path.direction)
                .unwrap_or(self.path.inside().normal),
        };
        let point = touching_point(own, other, Vector::ZERO, normal);
        Some((RayEntry { fraction: 0.0, normal }, point))
    }

    /// The margin with which all shapes that are within the gap have a contact.
    fn margin(&self, stops: &[StopAtStart]) -> f32 {
        let tolerance = |stop: &StopAtStart| stop.way.tolerance.x + stop.way.tolerance.y;
        let most = stops.iter().map(tolerance).fold(0.0, f64::max);
        ((self.gap * (1.0 + F32_SLACK) + most) as f32).next_up().min(MAX_COORDINATE)
    }

    /// Where `other` stops `own`, at most at the fraction `most`. `workspace` is overwritten by the
    /// corners of their difference. If one of them has a smooth border, `other` may stop `own`: at
    /// the start, the contact decides.
    fn stop(
        &self,
        own: &Solid<'_>,
        other: &Solid<'_>,
        is_smooth: bool,
        most: f64,
        workspace: &mut Vec<Vector>,
    ) -> Option<Stop> {
        let Self { path, start, .. } = self;
        let passes = other.lets_pass(path.direction) || own.lets_pass(-path.direction);
        if passes && *start != CastStart::Any {
            return None;
        }
        let obstacle = self.obstacle(own, other, workspace)?;
        let entry = Path::new(path.origin, path.direction, most).enter(&obstacle)?;
        let at_start = entry.fraction == 0.0;
        if !at_start && passes {
            return None;
        }
        self.stop_at([own, other], &obstacle, entry, is_smooth)
    }

    /// [`stop`](Self::stop) for an entry into the difference of two solids, whatever these let
    /// pass.
    #[inline]
    fn stop_at(
        &self,
        [own, other]: [&Solid<'_>; 2],
        obstacle: &Solid<'_>,
        entry: RayEntry,
        is_smooth: bool,
    ) -> Option<Stop> {
        let Self { path, start, .. } = self;
        let at_start = entry.fraction == 0.0;
        if !at_start && self.only_at_start {
            return None;
        }
        if !at_start && !self.may_graze(obstacle) {
            return Some(Stop { entry, way: ObstaclePath::NONE, deeper: false });
        }
        let movers = self.movers(own, other);
        let way = ObstaclePath::new(path, movers, obstacle);
        // Across a thin obstacle, no way is deep.
        let deeper = at_start
            && *start == CastStart::Inward
            && (way.leads_deeper(obstacle) || is_smooth && way.is_thin(obstacle));
        let stops = match start {
            _ if !at_start => !way.grazes(obstacle, path.direction, movers),
            CastStart::Inward => is_smooth || deeper,
            CastStart::Any => true,
            CastStart::Ignored => false,
        };
        stops.then_some(Stop { entry, way, deeper })
    }

    /// The solids that move, of two solids: the first, if neither moves.
    #[inline]
    pub(super) fn movers<'a>(
        &self,
        own: &'a Solid<'a>,
        other: &'a Solid<'a>,
    ) -> [Option<&'a Solid<'a>>; 2] {
        let other_moves = self.other != Vector::ZERO;
        let own_moves = !other_moves || self.path.direction + self.other != Vector::ZERO;
        [own_moves.then_some(own), other_moves.then_some(other)]
    }

    /// Whether the path may graze an obstacle, whatever the tolerance is.
    #[inline]
    fn may_graze(&self, obstacle: &Solid<'_>) -> bool {
        let Path { direction, length2, .. } = self.path;
        let radius = if obstacle.radius > 0.0 { obstacle.radius * length2.sqrt() } else { 0.0 };
        let [left, right] = map_each(widths(obstacle, direction.perp()), |width| width + radius);
        left.min(right) <= (left + right) * TOLERATED_SHARE
    }

    /// The Minkowski difference of two solids, larger by the gap. Two half-planes have no
    /// difference.
    pub(super) fn obstacle<'a>(
        &self,
        own: &Solid<'_>,
        other: &Solid<'_>,
        workspace: &'a mut Vec<Vector>,
    ) -> Option<Solid<'a>> {
        let radius = own.radius + other.radius + self.gap;
        if let (Some(own), Some(other)) = (own.aligned, other.aligned)
            && let Some(aligned) = difference_of_boxes(own, other, workspace)
        {
            return Some(Solid {
                corners: workspace,
                radius,
                aligned: Some(aligned),
                border: None,
            });
        }
        workspace.clear();
        let border = match [own.half_plane(), other.half_plane()] {
            [None, None] => {
                difference(own.corners, other.corners, workspace);
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
        Some(Solid { corners: workspace, radius, aligned: None, border })
    }
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

/// The middle of the box around the core of a solid that has corners.
fn middle(solid: &Solid<'_>) -> Vector {
    let (mut min, mut max) = (solid.corners[0], solid.corners[0]);
    for corner in solid.corners {
        min = Vector::new(min.x.min(corner.x), min.y.min(corner.y));
        max = Vector::new(max.x.max(corner.x), max.y.max(corner.y));
    }
    (min + max) * 0.5
}
