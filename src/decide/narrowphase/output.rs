//! From the columns of a batch to contacts.

use super::{
    Contact,
    jobs::{ContactKey, Job, KEY_WORDS},
    lane_batch::LaneBatch,
    lanes::Vectors,
    manifold::{Manifold, ManifoldPoint},
};
use crate::{
    posed::Words,
    simd::{HALF_LANES, MAX_LANES, Simd, map_each},
};

/// The contacts of a batch as columns. A contact is sixteen words: first the four words of its
/// [`ContactKey`], then these twelve.
#[repr(C, align(64))]
pub(super) struct ContactLanes {
    /// The normal, the depth, the number of points, and the words of each point.
    pub(super) words: [[f32; MAX_LANES]; 12],
    /// The features of each point, as the numbers that kernels use.
    pub(super) features: [[[f32; MAX_LANES]; 2]; 2],
}

/// The first word of each point in [`ContactLanes::words`].
const POINT_WORDS: [usize; 2] = [4, 8];

/// A manifold as it is reported: in the world, from the caller's first shape to the second. Missing
/// points are all zeros, and no zero is negative.
pub(super) struct WorldManifold<S: Simd> {
    pub(super) normal: Vectors<S>,
    pub(super) depth: S::F32,
    pub(super) count: S::F32,
    pub(super) points: [WorldPoint<S>; 2],
}

pub(super) struct WorldPoint<S: Simd> {
    pub(super) place: Vectors<S>,
    pub(super) depth: S::F32,
    pub(super) features: [S::F32; 2],
}

impl<S: Simd> WorldManifold<S> {
    /// Converts the manifold of the lanes from `at` on.
    #[inline(always)]
    pub(super) fn new(simd: S, batch: &LaneBatch, at: usize, manifold: &Manifold<S>) -> Self {
        let Manifold { hit, normal, depth, points: [first, second], two, .. } = *manifold;
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let exchanged = simd.lt(zero, batch.exchanged(simd, at));
        // Zeros must be positive: a sum with 0 is never -0.
        let normal = Vectors {
            x: simd.select(exchanged, simd.sub(zero, normal.x), simd.add(normal.x, zero)),
            y: simd.select(exchanged, simd.sub(zero, normal.y), simd.add(normal.y, zero)),
        };
        let count = simd.select(two, simd.add(one, one), one);
        let center = batch.a.center(simd, at);
        Self {
            normal,
            depth: simd.add(depth, zero),
            count: simd.select(hit, count, zero),
            points: [
                WorldPoint::new(simd, first, hit, center, exchanged),
                WorldPoint::new(simd, second, two, center, exchanged),
            ],
        }
    }
}

impl<S: Simd> WorldPoint<S> {
    /// Moves a point from the frame of `center` into the world. It is zero outside of the lanes of
    /// `there`.
    #[inline(always)]
    fn new(
        simd: S,
        point: ManifoldPoint<S>,
        there: S::Mask,
        center: Vectors<S>,
        exchanged: S::Mask,
    ) -> Self {
        let ManifoldPoint { at: place, depth, features: [first, second] } = point;
        let (place, zero) = (place.plus(simd, center), simd.splat(0.0));
        let [a, b] = [simd.select(exchanged, second, first), simd.select(exchanged, first, second)];
        Self {
            place: Vectors {
                x: simd.select(there, simd.add(place.x, zero), zero),
                y: simd.select(there, simd.add(place.y, zero), zero),
            },
            depth: simd.select(there, simd.add(depth, zero), zero),
            features: [simd.select(there, a, zero), simd.select(there, b, zero)],
        }
    }
}

impl Default for ContactLanes {
    fn default() -> Self {
        Self { words: [[0.0; MAX_LANES]; 12], features: [[[0.0; MAX_LANES]; 2]; 2] }
    }
}

impl ContactLanes {
    /// Stores the lanes from `at` on. Returns the bits of the lanes with a contact. The other lanes
    /// have no points.
    #[inline(always)]
    pub(super) fn store<S: Simd>(
        &mut self,
        simd: S,
        batch: &LaneBatch,
        at: usize,
        manifold: &Manifold<S>,
    ) -> u32 {
        let Self { words, features } = self;
        let WorldManifold { normal, depth, count, points } =
            WorldManifold::new(simd, batch, at, manifold);
        for (value, word) in [normal.x, normal.y, depth, count].into_iter().zip(&mut *words) {
            simd.store(value, word, at);
        }
        for ((point, first), features) in points.into_iter().zip(POINT_WORDS).zip(features) {
            let WorldPoint { place, depth, features: [a, b] } = point;
            for (value, word) in [place.x, place.y, depth].into_iter().zip(&mut words[first..]) {
                simd.store(value, word, at);
            }
            let [own_a, own_b] = features;
            simd.store(a, own_a, at);
            simd.store(b, own_b, at);
        }
        simd.bits(manifold.hit)
    }

    /// Converts the count and the features from floats to integers.
    #[inline(always)]
    fn make_integers(&mut self) {
        let Self { words, features } = self;
        for count in &mut words[3] {
            *count = f32::from_bits(integer(*count));
        }
        for ([a, b], first) in features.iter().zip(POINT_WORDS) {
            for (word, (a, b)) in words[first + 3].iter_mut().zip(a.iter().zip(b)) {
                // Two numbers of sixteen bits, the first one first in memory.
                let both = integer(*a) | integer(*b) << 16;
                let both = if cfg!(target_endian = "big") { both.rotate_left(16) } else { both };
                *word = f32::from_bits(both);
            }
        }
    }

    /// Writes the eight records from lane `first` on. `key` has the columns of their keys.
    #[inline(always)]
    fn records<S: Simd>(
        &self,
        simd: S,
        key: [&Words; KEY_WORDS],
        first: usize,
        records: &mut [[u32; 16]; HALF_LANES],
    ) {
        let [a, b, c, d] = key;
        let [e, f, g, h, i, j, k, l, m, n, o, p] = map_each(self.words.each_ref(), |word| {
            bytemuck::cast_ref(&word.as_chunks::<HALF_LANES>().0[first / HALF_LANES])
        });
        simd.records([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p], records);
    }

    /// Writes the contacts of the lanes whose bit in `there` is set, from index `kept` on. `shapes`
    /// has the ids of the shapes in each lane. Returns the number of contacts in `contacts` after
    /// that.
    #[inline(always)]
    pub(super) fn write_in_order<S: Simd>(
        &mut self,
        simd: S,
        shapes: &[[u32; MAX_LANES]; 2],
        there: u32,
        lanes: usize,
        contacts: &mut [Contact],
        mut kept: usize,
    ) -> usize {
        self.make_integers();
        let no_part = &[0; HALF_LANES];
        let mut records = Records([[0; 16]; HALF_LANES]);
        for first in (0..lanes).step_by(HALF_LANES) {
            let [a, b] =
                map_each(shapes.each_ref(), |shape| &shape.as_chunks().0[first / HALF_LANES]);
            let key = [a, b, no_part, no_part];
            // Nearly always in a detection without a margin, all eight lanes have a contact. Then
            // they are written to their places directly. One call, because it is much code.
            let all = there >> first & ((1 << HALF_LANES) - 1) == ((1 << HALF_LANES) - 1);
            let room = if all { contacts[kept..].first_chunk_mut() } else { None };
            let directly = room.is_some();
            self.records(simd, key, first, room.map_or(&mut records.0, all_words));
            if directly {
                kept += HALF_LANES;
                continue;
            }
            for (lane, record) in (first..lanes).zip(&records.0) {
                *contact_words(&mut contacts[kept]) = *record;
                kept += (there >> lane & 1) as usize;
            }
        }
        kept
    }

    /// Writes the contacts of `jobs`, one per lane, each at the index of its job. If `in_order`,
    /// writes them one after another from index `kept` on instead, without contacts that have no
    /// points. The keys are those of [`Job::key`]. Returns the number of contacts after that.
    #[inline(always)]
    pub(super) fn write<S: Simd>(
        &mut self,
        simd: S,
        jobs: &[Job],
        keys: &[ContactKey],
        contacts: &mut [Contact],
        in_order: bool,
        mut kept: usize,
    ) -> usize {
        self.make_integers();
        let mut records = Records([[0; 16]; HALF_LANES]);
        for first in (0..jobs.len()).step_by(HALF_LANES) {
            // The keys are by job and not by lane, so they are copied afterwards.
            self.records(simd, [&[0; HALF_LANES]; KEY_WORDS], first, &mut records.0);
            for (job, record) in jobs[first..].iter().zip(&records.0) {
                let index = job.index as usize;
                let contact = contact_words(&mut contacts[if in_order { kept } else { index }]);
                *contact = *record;
                contact[..KEY_WORDS].copy_from_slice(&job.key(keys));
                // A contact without points is written as well, but not counted.
                kept += usize::from(count(record) > 0);
            }
        }
        kept
    }
}

/// A contact as words.
#[inline(always)]
fn contact_words(contact: &mut Contact) -> &mut [u32; 16] {
    bytemuck::cast_mut(contact)
}

/// Eight contacts as words.
#[inline(always)]
fn all_words(contacts: &mut [Contact; HALF_LANES]) -> &mut [[u32; 16]; HALF_LANES] {
    bytemuck::cast_mut(contacts)
}

/// A buffer of eight contacts as words. The alignment keeps a contact within one cache line.
#[repr(C, align(64))]
struct Records([[u32; 16]; HALF_LANES]);

/// The number of points of a contact.
#[inline(always)]
fn count(record: &[u32; 16]) -> u32 {
    record[7]
}

/// Converts a whole number from 0 to 65,535. In the sum with 2^23, the lowest bits are the bits of
/// the number. A conversion instruction would need a range check for each lane.
#[inline(always)]
pub(super) fn integer(number: f32) -> u32 {
    (number + (1 << 23) as f32).to_bits() & 0xffff
}
