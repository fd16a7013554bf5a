//! Where many rays hit, exactly: the first hits among few shapes (`FirstHits`), the ranges of
//! scans (`Decision`), and where eight rays enter a shape each (`Entries`).

use super::{
    projection::{PACKET, Packet},
    record::{Ray, ScanColumns},
    rings::ScanRings,
};
use crate::{
    base::UNDERFLOW,
    geometry::{Path, Vector},
    grid::{CAST, CastRays, RAISED},
    kernel::{BoxColumns, RoundedColumns},
    narrowphase::Hit,
    simd::{Kernel, Simd, map_each},
};

/// Decides up to sixteen rays among axis-aligned shapes, of which the bounds are known. A ray gets
/// its hit if it hits nothing, or if it hits its nearest shape before it may hit another shape, and
/// this shape is a circle that does not hold the origin, or a box that it clearly hits.
///
/// Returns the rays that hit something, and the rays that are left open, one bit each.
pub(super) struct FirstHits<'a> {
    pub(super) rays: &'a [Ray],
    /// The bounds of the rays.
    pub(super) cast: &'a CastRays,
    /// The shapes, and the complements of their rows. The few shapes begin at the place `start`.
    pub(super) shapes: RoundedColumns<'a>,
    pub(super) ids: &'a [u32],
    pub(super) start: usize,
    /// Whether all shapes are circles with a radius.
    pub(super) circles: bool,
    /// Where the hits go; `None` if it is enough whether there are any.
    pub(super) hits: Option<&'a mut [Option<Hit>]>,
}

impl Kernel for FirstHits<'_> {
    type Output = [u32; 2];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [u32; 2] {
        let simd = simd.half();
        let Self { rays, cast, shapes, ids, start, circles, mut hits } = self;
        let [mut all_found, mut all_open] = [0; 2];
        let mut entries = Entries::NONE;
        for first in (0..rays.len().min(CAST)).step_by(PACKET) {
            let count = PACKET.min(rays.len() - first);
            if cast.lowest[first..first + count].iter().all(|lowest| *lowest == f32::INFINITY) {
                continue;
            }
            for (lane, ray) in rays[first..first + count].iter().enumerate() {
                let Path { origin, direction, limit, end, .. } = ray.unchecked_path();
                (entries.origin[0][lane], entries.origin[1][lane]) = (origin.x, origin.y);
                let parts = &mut entries.direction;
                (parts[0][lane], parts[1][lane]) = (direction.x, direction.y);
                entries.limit[lane] = limit;
                (entries.end[0][lane], entries.end[1][lane]) = (end.x, end.y);
            }
            let numbers: [f32; PACKET] = cast.number.as_chunks().0[first / PACKET];
            let places = map_each(numbers, |number| start as u32 + number.to_bits());
            entries.see(simd, shapes, &places, circles);
            let mut normals = [[0.0; PACKET]; 2];
            let wanted = hits.is_some().then_some(&mut normals);
            let fractions = entries.fractions(circles, wanted);
            let mut narrow = [[0.0; PACKET]; 2];
            for lane in 0..PACKET {
                let [dx, dy] = [entries.direction[0][lane], entries.direction[1][lane]];
                let length = (dx * dx + dy * dy).sqrt();
                let rounded = f64::from(fractions[lane] as f32);
                narrow[0][lane] = fractions[lane] as f32;
                // The distance is rounded once more than the fraction, so it is raised once more.
                narrow[1][lane] = (rounded * length * RAISED * RAISED) as f32;
            }
            let [mut found, mut open] = decide(simd, cast, first, &narrow, hits.is_none());
            let valid = (1 << count) - 1;
            (found, open) = (found & valid, open & valid);
            if let Some(hits) = &mut hits {
                let points = entries.points(&fractions);
                let mut narrow = [[0.0; PACKET]; 5];
                let wide = [&fractions, &points[0], &points[1], &normals[0], &normals[1]];
                for (narrow, wide) in narrow.iter_mut().zip(wide) {
                    for (narrow, wide) in narrow.iter_mut().zip(wide) {
                        *narrow = *wide as f32 + 0.0;
                    }
                }
                for (lane, hit) in hits[first..first + count].iter_mut().enumerate() {
                    let [fraction, x, y, normal_x, normal_y] =
                        map_each([0, 1, 2, 3, 4], |value: usize| narrow[value][lane]);
                    // The centre of a circle has no normal.
                    let some = !normal_x.is_nan();
                    let (found_here, row) = (found >> lane & 1 == 1, !ids[places[lane] as usize]);
                    open |= u32::from(found_here & !some) << lane;
                    *hit = (found_here & some).then_some(Hit {
                        row,
                        part: 0,
                        fraction,
                        x,
                        y,
                        normal_x,
                        normal_y,
                    });
                }
            }
            all_found |= found << first;
            all_open |= open << first;
        }
        [all_found, all_open]
    }
}

/// For eight rays from number `first` on, with known fractions and distances: the rays that hit
/// their shape before another shape, or that hit `any`, and the rays that are left open, as bits.
#[inline(always)]
fn decide<S: Simd>(
    simd: S,
    cast: &CastRays,
    first: usize,
    [fractions, distances]: &[[f32; PACKET]; 2],
    any: bool,
) -> [u32; 2] {
    let [mut found, mut open] = [0; 2];
    let (zero, infinity) = (simd.splat(0.0), simd.splat(f32::INFINITY));
    for at in (0..PACKET).step_by(S::LANES) {
        let (fraction, distance) = (simd.load(fractions, at), simd.load(distances, at));
        let second = simd.load(&cast.second, first + at);
        let some = simd.lt(simd.load(&cast.lowest, first + at), infinity);
        let alone = simd.le(infinity, second);
        let hit = simd.and(simd.lt(fraction, infinity), some);
        let apart = simd.and(simd.or(alone, simd.lt(distance, second)), simd.lt(zero, fraction));
        let hit = if any { hit } else { simd.and(hit, apart) };
        let missed = simd.and(simd.le(infinity, fraction), alone);
        let left = simd.and(some, simd.not(simd.or(hit, missed)));
        found |= simd.bits(hit) << at;
        open |= simd.bits(left) << at;
    }
    [found, open]
}

/// Decides the rays of a scan among axis-aligned shapes. A ray gets its range and its row if it
/// hits nothing, or if it hits its nearest shape before it may hit another shape, and this shape is
/// a circle, or a box that it clearly hits. The numbers of all other rays are added to `open`.
///
/// Plain loops over arrays, with no branches: compiled for a SIMD level, they become vector code.
pub(super) struct Decision<'a> {
    pub(super) rings: &'a ScanRings,
    pub(super) shapes: RoundedColumns<'a>,
    /// Whether all shapes are circles with a radius.
    pub(super) circles: bool,
    pub(super) ids: &'a [u32],
    pub(super) origin: [f32; 2],
    pub(super) max_range: f32,
    pub(super) range: &'a mut [f32],
    pub(super) row: &'a mut [u32],
    pub(super) open: &'a mut Vec<u32>,
}

impl Kernel for Decision<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let simd = simd.half();
        let Self { rings, shapes, circles, ids, origin, max_range, range, row, open } = self;
        let mut entries = Entries::NONE;
        entries.origin = map_each(origin, |at| [f64::from(at); PACKET]);
        entries.limit = [f64::from(max_range.min(f32::MAX)); PACKET];
        let outputs = range.chunks_mut(PACKET).zip(row.chunks_mut(PACKET));
        for (number, (packet, (range, row))) in rings.packets.iter().zip(outputs).enumerate() {
            let Packet { direction, shape, lowest, .. } = packet;
            if lowest.iter().all(|lowest| *lowest == f32::INFINITY) {
                range.fill(f32::INFINITY);
                row.fill(ScanColumns::NO_ROW);
                continue;
            }
            let places = map_each(*shape, f32::to_bits);
            let mut rows = map_each(places, |place| ids[place as usize]);
            entries.see(simd, shapes, &places, circles);
            for (wide, parts) in entries.direction.iter_mut().zip(direction) {
                for (wide, part) in wide.iter_mut().zip(parts) {
                    *wide = f64::from(*part);
                }
            }
            for axis in [0, 1] {
                for lane in 0..PACKET {
                    let (way, limit) = (entries.direction[axis][lane], entries.limit[lane]);
                    entries.end[axis][lane] = entries.origin[axis][lane] + way * limit;
                }
            }
            let fractions = entries.fractions(circles, None);
            let mut ranges = [0.0; PACKET];
            for (range, fraction) in ranges.iter_mut().zip(&fractions) {
                *range = *fraction as f32 + 0.0;
            }
            let [found, mut left] = decide_ranges(simd, rings, packet, max_range, &mut ranges);
            for (lane, row) in rows.iter_mut().enumerate() {
                // All bits of rays that have not found a circle.
                *row = !*row | (found >> lane & 1).wrapping_sub(1);
            }
            write(range, &ranges);
            write(row, &rows);
            left &= (1 << range.len()) - 1;
            while left != 0 {
                open.push((number * PACKET) as u32 + left.trailing_zeros());
                left &= left - 1;
            }
        }
    }
}

/// The rays whose range is known to be the distance of their first shape, and the rays that are
/// left open, as bits. The range of all other rays becomes infinite. A range that is not known is
/// NaN.
#[inline(always)]
fn decide_ranges<S: Simd>(
    simd: S,
    rings: &ScanRings,
    packet: &Packet,
    max_range: f32,
    ranges: &mut [f32; PACKET],
) -> [u32; 2] {
    let [mut all_found, mut left] = [0; 2];
    let infinity = simd.splat(f32::INFINITY);
    for at in (0..PACKET).step_by(S::LANES) {
        let (lowest, second) = (simd.load(&packet.lowest, at), simd.load(&packet.second, at));
        let range = simd.load(ranges, at);
        let others = rings.others(simd, lowest, second);
        let some = simd.lt(lowest, infinity);
        let found = simd.and(simd.lt(range, others), some);
        let misses = simd.le(infinity, range);
        let missed = simd.and(misses, simd.lt(simd.splat(max_range), others));
        let open = simd.and(some, simd.not(simd.or(found, missed)));
        simd.store(simd.select(found, range, infinity), ranges, at);
        all_found |= simd.bits(found) << at;
        left |= simd.bits(open) << at;
    }
    [all_found, left]
}

/// Writes the values of a packet. The last packet may have fewer rays.
#[inline(always)]
fn write<T: Copy>(out: &mut [T], values: &[T; PACKET]) {
    match <&mut [T; PACKET]>::try_from(&mut *out) {
        Ok(out) => *out = *values,
        Err(_) => out.copy_from_slice(&values[..out.len()]),
    }
}

/// Eight rays, and an axis-aligned shape for each, in columns of `f64`.
///
/// Plain loops over arrays, with no branches: compiled for a SIMD level, they become vector code.
/// All loops are over `f64`. A loop that also reads `f32` has masks of two sizes, and took twice as
/// long.
pub(super) struct Entries {
    pub(super) origin: [[f64; PACKET]; 2],
    pub(super) direction: [[f64; PACKET]; 2],
    pub(super) limit: [f64; PACKET],
    pub(super) end: [[f64; PACKET]; 2],
    /// Left and lower sides, radii, right and upper sides.
    shapes: [[f64; PACKET]; 5],
}

impl Entries {
    pub(super) const NONE: Self = Self {
        origin: [[0.0; PACKET]; 2],
        direction: [[0.0; PACKET]; 2],
        limit: [0.0; PACKET],
        end: [[0.0; PACKET]; 2],
        shapes: [[0.0; PACKET]; 5],
    };

    /// Replaces the shapes by shapes at some places.
    #[inline(always)]
    pub(super) fn see<S: Simd>(
        &mut self,
        simd: S,
        shapes: RoundedColumns<'_>,
        places: &[u32; PACKET],
        circles: bool,
    ) {
        const { assert!(PACKET.is_multiple_of(S::LANES), "a packet is whole vectors") };
        let RoundedColumns { core: BoxColumns { min_x, min_y, max_x, max_y }, radius } = shapes;
        let mut values = [[0.0; PACKET]; 5];
        let columns = [min_x, min_y, radius, max_x, max_y];
        // Circles have no other sides.
        let used = if circles { 3 } else { 5 };
        for (values, column) in values.iter_mut().zip(columns).take(used) {
            for at in (0..PACKET).step_by(S::LANES) {
                simd.store(simd.gather(column, places, at), values, at);
            }
        }
        for (wide, values) in self.shapes.iter_mut().zip(&values) {
            for (wide, value) in wide.iter_mut().zip(values) {
                *wide = f64::from(*value);
            }
        }
    }

    #[inline(always)]
    fn path(&self, lane: usize) -> Path {
        let vector = |[x, y]: &[[f64; PACKET]; 2]| Vector::new(x[lane], y[lane]);
        let (origin, direction) = (vector(&self.origin), vector(&self.direction));
        let (length2, end) = (direction.length2(), vector(&self.end));
        Path { origin, direction, length2, limit: self.limit[lane], end }
    }

    #[inline(always)]
    fn min(&self, lane: usize) -> Vector {
        Vector::new(self.shapes[0][lane], self.shapes[1][lane])
    }

    #[inline(always)]
    fn max(&self, lane: usize) -> Vector {
        Vector::new(self.shapes[3][lane], self.shapes[4][lane])
    }

    /// Whether a shape is a circle that is not tiny.
    #[inline(always)]
    fn is_circle(&self, lane: usize) -> bool {
        let (min, max) = (self.min(lane), self.max(lane));
        let normal = self.shapes[2][lane] >= f64::from(UNDERFLOW);
        (min.x == max.x) & (min.y == max.y) & normal
    }

    /// Whether a shape is a box with a width and a height, and without a radius.
    #[inline(always)]
    fn is_box(&self, lane: usize) -> bool {
        let (min, max) = (self.min(lane), self.max(lane));
        (min.x < max.x) & (min.y < max.y) & (self.shapes[2][lane] == 0.0)
    }

    /// The fraction at which each ray enters its shape, or infinity if it misses the shape. NaN
    /// where that is not known: for boxes that it does not clearly hit, and for other shapes. If
    /// all shapes are `circles` with a radius, it is always known.
    ///
    /// Where fractions are above 0, `normals` get the normals there by axis, of which the normal at
    /// the centre of a circle is no number.
    #[inline(always)]
    pub(super) fn fractions(
        &self,
        circles: bool,
        normals: Option<&mut [[f64; PACKET]; 2]>,
    ) -> [f64; PACKET] {
        let mut fractions = [0.0; PACKET];
        for (lane, fraction) in fractions.iter_mut().enumerate() {
            let (center, radius) = (self.min(lane), self.shapes[2][lane]);
            *fraction = self.path(lane).fraction_or_infinity(center, radius);
        }
        let (mut of_boxes, mut sides) = ([0.0; PACKET], [[0.0; PACKET]; 2]);
        if !circles {
            for lane in 0..PACKET {
                let (min, max) = (self.min(lane), self.max(lane));
                let (fraction, normal) = self.path(lane).crossing_of_box(min, max);
                of_boxes[lane] = fraction;
                (sides[0][lane], sides[1][lane]) = (normal.x, normal.y);
            }
        }
        if let Some([x, y]) = normals {
            for lane in 0..PACKET {
                let outward = self.path(lane).at(fractions[lane]) - self.min(lane);
                let normal = outward / outward.length();
                (x[lane], y[lane]) = (normal.x, normal.y);
            }
            if !circles {
                for lane in 0..PACKET {
                    let is_box = self.is_box(lane);
                    x[lane] = if is_box { sides[0][lane] } else { x[lane] };
                    y[lane] = if is_box { sides[1][lane] } else { y[lane] };
                }
            }
        }
        if !circles {
            for lane in 0..PACKET {
                let other = if self.is_box(lane) { of_boxes[lane] } else { f64::NAN };
                fractions[lane] = if self.is_circle(lane) { fractions[lane] } else { other };
            }
        }
        fractions
    }

    /// The point at the fraction of each ray.
    #[inline(always)]
    pub(super) fn points(&self, fractions: &[f64; PACKET]) -> [[f64; PACKET]; 2] {
        let mut points = [[0.0; PACKET]; 2];
        for lane in 0..PACKET {
            let point = self.path(lane).at(fractions[lane]);
            (points[0][lane], points[1][lane]) = (point.x, point.y);
        }
        points
    }
}
