//! `Decision`: where rays enter circles and boxes, exactly, for many rays at once.

use super::{
    columns::ScanColumns,
    entries::Entries,
    packet::{PACKET, Packet},
    rings::ScanRings,
};
use crate::{
    kernel::RoundedColumns,
    simd::{Kernel, Simd, map_each},
};

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
            let [found, mut left] = decide(simd, rings, packet, max_range, &mut ranges);
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
fn decide<S: Simd>(
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
