//! `Decision`: where rays enter circles, exactly, for many rays at once.

use super::{
    columns::ScanColumns,
    packet::{PACKET, Packet},
    rings::ScanRings,
};
use crate::{
    geometry::{Path, Vector},
    kernel::columns::CircleColumns,
    simd::{Kernel, Simd},
};

/// Decides the rays of a scan among circles. A ray gets its range and its row if it hits nothing, or
/// if it hits its nearest circle before it may hit another one. The numbers of all other rays are
/// added to `open`.
///
/// Plain loops over arrays, with no branches: compiled for a SIMD level, they become vector code.
pub(super) struct Decision<'a> {
    pub(super) rings: &'a ScanRings,
    pub(super) circles: CircleColumns<'a>,
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
        let Self { rings, circles, ids, origin, max_range, range, row, open } = self;
        let (origin, limit) = (Vector::wide(origin), f64::from(max_range.min(f32::MAX)));
        let CircleColumns { x, y, radius } = circles;
        // One check of bounds for all columns.
        let (y, radius, ids) = (&y[..x.len()], &radius[..x.len()], &ids[..x.len()]);
        let outputs = range.chunks_mut(PACKET).zip(row.chunks_mut(PACKET));
        for (number, (packet, (range, row))) in rings.packets.iter().zip(outputs).enumerate() {
            let Packet { direction: [dx, dy], shape, lowest, .. } = packet;
            if lowest.iter().all(|lowest| *lowest == f32::INFINITY) {
                range.fill(f32::INFINITY);
                row.fill(ScanColumns::NO_ROW);
                continue;
            }
            let (mut centers, mut radii) = ([[0.0; PACKET]; 2], [0.0; PACKET]);
            let (mut ranges, mut rows) = ([0.0; PACKET], [0; PACKET]);
            for lane in 0..PACKET {
                let place = shape[lane].to_bits() as usize;
                (centers[0][lane], centers[1][lane]) = (x[place], y[place]);
                (radii[lane], rows[lane]) = (radius[place], !ids[place]);
            }
            for lane in 0..PACKET {
                let path = Path::new(origin, Vector::wide([dx[lane], dy[lane]]), limit);
                let center = Vector::wide([centers[0][lane], centers[1][lane]]);
                let fraction = path.fraction_or_infinity(center, f64::from(radii[lane]));
                ranges[lane] = fraction as f32 + 0.0;
            }
            let [found, mut left] = decide(simd, rings, packet, max_range, &mut ranges);
            for (lane, row) in rows.iter_mut().enumerate() {
                // All bits of rays that have not found a circle.
                *row |= (found >> lane & 1).wrapping_sub(1);
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

/// The rays whose range is known to be the first one, and those that are left open, as bits. The
/// range of all others becomes infinite.
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
        let hits = simd.lt(range, infinity);
        let missed = simd.and(simd.not(hits), simd.lt(simd.splat(max_range), others));
        let open = simd.and(some, simd.not(simd.or(found, missed)));
        simd.store(simd.select(found, range, infinity), ranges, at);
        all_found |= simd.bits(found) << at;
        left |= simd.bits(open) << at;
    }
    [all_found, left]
}

/// Writes the values of a packet. The last one may have fewer rays.
#[inline(always)]
fn write<T: Copy>(out: &mut [T], values: &[T; PACKET]) {
    match <&mut [T; PACKET]>::try_from(&mut *out) {
        Ok(out) => *out = *values,
        Err(_) => out.copy_from_slice(&values[..out.len()]),
    }
}
