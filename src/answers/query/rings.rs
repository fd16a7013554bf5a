//! `ScanRings`: the shapes around a sensor, projected onto the rays of its fan.

use std::{f64::consts::PI, ops::Range};

use super::{
    projection::{Fan, PACKET, PACKET_SLACK, Packet, Projection, heading},
    search::IndexSearch,
    solids::Solids,
};
use crate::{
    base::higher,
    geometry::Corners,
    grid::{CAST, CastRays},
    shape::{Pose, Rotation},
    simd::{Simd, map_each},
};

/// For each ray of a fan, the shape that it may hit first.
///
/// In plain words:
///
/// ```text
/// for each ring around the sensor, until every ray ends before it:
///     for each shape of the ring:
///         for each ray that the shape may cover, unless all rays there end before it:
///             bound = a little less than the distance at which the ray may enter its box
///             keep the lowest bound of the ray, its shape, and the second lowest bound
/// ```
///
/// Rays are tested by whole vectors. The bounds are `f32` and slightly too low, so a shape with a
/// higher bound than the exact distance of another shape is not hit first.
#[derive(Debug)]
pub(super) struct ScanRings {
    pub(super) packets: Vec<Packet>,
    /// A shape whose entry is further behind the lowest bound of a ray than this is not looked at.
    /// The ray ends before that, or is cast alone.
    spare: f32,
    /// Shapes further away have not been seen.
    seen: f32,
    /// Workspace: rays among few shapes.
    pub(super) few: CastRays,
}

/// Shapes that are expected in the first ring. To look at one takes about as long as to cast a ray.
const SHAPES_IN_FIRST_RING: usize = 48;

/// If no more than this many shapes are expected within the range, there is only one ring.
const MAX_SHAPES_OF_ONE_RING: usize = 250;

impl ScanRings {
    /// No rays.
    pub(super) const NONE: Self =
        Self { packets: Vec::new(), spare: 0.0, seen: 0.0, few: CastRays::NONE };

    /// Projects the shapes of an index onto the rays of a fan. Returns false for fans that are
    /// swept ray by ray instead, unless the shapes are few: fans of few rays, of more than a
    /// full turn, or of angles so large that their steps are unequal.
    pub(super) fn sweep(
        &mut self,
        search: &IndexSearch<'_>,
        solids: &Solids<'_>,
        fan: &Fan,
        pose: Pose,
        corners: &mut Corners,
    ) -> bool {
        /// The least step of a sweep, in radians.
        const MIN_STEP: f64 = 1e-6;
        /// The largest magnitude of the angles of a sweep. Up to it, the sums of the first angle
        /// and some steps are off by less than 2^-13 radians, so the directions turn by equal steps
        /// within the error that a [`Projection`] allows for.
        const MAX_ANGLE: f64 = (1_u64 << 38) as f64;
        /// The most shapes: the bits of their places are no NaN.
        const MAX_SHAPES: usize = 0x7f80_0000;
        if let Some(places) = search.few() {
            self.cast_among_few(search, fan, pose, places);
            return true;
        }
        let (rays, step) = (fan.rays(), fan.step.abs());
        let turn = step * (rays.max(1) - 1) as f64;
        let regular = step >= MIN_STEP && turn <= 2.0 * PI && fan.first_angle.abs() <= MAX_ANGLE;
        let some = (1..MAX_SHAPES).contains(&search.len());
        if !regular || !some {
            return false;
        }
        // Directions have length 1 within roundings, so a ray may end a little further away.
        let range = fan.max_range() * (1.0 + PACKET_SLACK);
        let of = |count: usize| search.grid().reach_of(count) as f32;
        if rays < SHAPES_IN_FIRST_RING && range > of(rays) {
            return false;
        }
        self.begin(search, fan, heading(pose));
        let first =
            if range <= of(MAX_SHAPES_OF_ONE_RING) { range } else { of(SHAPES_IN_FIRST_RING) };
        let (mut before, mut reach) = (-1.0, first.min(range));
        let shapes = search.live();
        let spare = self.spare.min(reach / 8.0);
        loop {
            let (place, reaches) = ([pose.x, pose.y], [before, reach]);
            let outs = (&mut self.packets[..], &mut *corners);
            let mut ring = Projection::new(search, solids, fan, place, reaches, outs, self.spare);
            search.vectors(place, reach, &mut ring);
            let total = ring.total;
            if total == shapes || reach >= range {
                self.seen = f32::INFINITY;
                return true;
            }
            self.seen = reach * (1.0 - PACKET_SLACK);
            let ceiling = self.highest() + spare;
            if ceiling <= reach {
                return true;
            }
            (before, reach) = (reach, (reach * 2.0).min(range).min(ceiling));
        }
    }

    /// Tests each of few shapes against each ray.
    fn cast_among_few(
        &mut self,
        search: &IndexSearch<'_>,
        fan: &Fan,
        pose: Pose,
        places: Range<usize>,
    ) {
        const { assert!(CAST.is_multiple_of(PACKET), "whole packets are cast at once") };
        self.turn(fan, heading(pose), false);
        let Self { packets, few, seen, spare } = self;
        (*seen, *spare) = (f32::INFINITY, f32::INFINITY);
        let (start, sees) = (places.start, search.seen_at(places.clone()));
        few.origin = map_each([pose.x, pose.y], |at| [at; CAST]);
        few.limit = [fan.max_range().min(f32::MAX); CAST];
        (few.count, few.shared, few.unit) = (CAST, true, true);
        for packets in packets.chunks_mut(CAST / PACKET) {
            for (number, packet) in packets.iter().enumerate() {
                for (all, parts) in few.direction.iter_mut().zip(&packet.direction) {
                    all.as_chunks_mut().0[number] = *parts;
                }
            }
            search.cast_among_few(places.clone(), sees, few);
            for (number, packet) in packets.iter_mut().enumerate() {
                packet.lowest = few.lowest.as_chunks().0[number];
                // Directions have length 1 within roundings, so a bound is nearly a fraction.
                let second: [f32; PACKET] = few.second.as_chunks().0[number];
                packet.second = map_each(second, |second| second * (1.0 - PACKET_SLACK));
                let item: [f32; PACKET] = few.number.as_chunks().0[number];
                packet.shape = map_each(item, |item| f32::from_bits(start as u32 + item.to_bits()));
            }
        }
    }

    /// The rays of a fan with the heading of a sensor, which have met nothing.
    fn turn(&mut self, fan: &Fan, heading: Rotation, inverts: bool) {
        self.packets.resize(fan.rays().div_ceil(PACKET), Packet::NONE);
        for (packet, ahead) in self.packets.iter_mut().zip(fan.directions().chunks(PACKET)) {
            let Packet { direction: [x, y], inverse, lowest, shape, second } = packet;
            for (ahead, (x, y)) in ahead.iter().zip(x.iter_mut().zip(y)) {
                [*x, *y] = heading.apply(*ahead);
            }
            if inverts {
                *inverse = map_each(packet.direction, |parts| map_each(parts, self::inverse));
            }
            *lowest = Packet::NONE.lowest;
            lowest[ahead.len()..].fill(0.0);
            (*shape, *second) = (Packet::NONE.shape, Packet::NONE.second);
        }
    }

    /// Clears the rays of a fan.
    fn begin(&mut self, search: &IndexSearch<'_>, fan: &Fan, heading: Rotation) {
        let circles = search.grid().circles().is_some();
        self.turn(fan, heading, !circles);
        // A circle is entered near its bound, other shapes somewhere in their boxes.
        let share = if circles { 1.0 / 32.0 } else { 1.0 + 1.0 / 32.0 };
        self.spare = (search.grid().largest() * share) as f32;
    }

    /// The highest of the lowest bounds, raised a little.
    fn highest(&self) -> f32 {
        let mut lanes = [0.0; PACKET];
        for packet in &self.packets {
            for (lane, lowest) in lanes.iter_mut().zip(&packet.lowest) {
                *lane = higher(*lowest, *lane);
            }
        }
        lanes.into_iter().fold(0.0, higher) * (1.0 + 4.0 * PACKET_SLACK)
    }

    /// The place of the shape that a ray may hit first, and a fraction below which it hits no other
    /// shape; `None` if it hits no shape.
    pub(super) fn nearest(&self, ray: usize) -> Option<(usize, f32)> {
        let (packet, lane) = (&self.packets[ray / PACKET], ray % PACKET);
        let (lowest, place) = (packet.lowest[lane], packet.shape[lane].to_bits());
        let some = lowest < f32::INFINITY;
        some.then(|| (place as usize, packet.second[lane].min(self.seen).min(lowest + self.spare)))
    }

    /// The direction of a ray.
    pub(super) fn direction(&self, ray: usize) -> [f32; 2] {
        let packet = &self.packets[ray / PACKET];
        map_each([0, 1], |axis: usize| packet.direction[axis][ray % PACKET])
    }

    /// A ray with these two bounds hits no shape but its nearest at a smaller fraction than this.
    #[inline(always)]
    pub(super) fn others<S: Simd>(&self, simd: S, lowest: S::F32, second: S::F32) -> S::F32 {
        let spared = simd.add(lowest, simd.splat(self.spare));
        simd.min(simd.min(second, simd.splat(self.seen)), spared)
    }
}

/// The inverse of a part of a direction. It is finite.
fn inverse(part: f32) -> f32 {
    /// The least magnitude of a part of a direction that is inverted.
    const MIN_INVERTED: f32 = 1e-30;
    1.0 / if part.abs() < MIN_INVERTED { MIN_INVERTED.copysign(part) } else { part }
}
