//! `FirstHits`: the first hits of many rays among few shapes, exactly.

use super::{entries::Entries, packet::PACKET, record::Ray};
use crate::{
    geometry::Path,
    grid::{CAST, CastRays, RAISED},
    kernel::RoundedColumns,
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
