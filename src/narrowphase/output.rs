//! From columns to contacts: what a tile has come to.

use super::{
    Contact, Feature,
    jobs::Job,
    manifold::{Manifold, ManifoldPoint},
    tile::{EIGHT, Tile, eight_lanes},
    vector::Vectors,
};
use crate::{
    simd::{MAX_LANES, Simd},
    solid::Words,
};

/// Contacts in columns: a contact is sixteen words, of which the first four say of what it is, and these
/// are the others.
#[repr(C, align(64))]
pub(super) struct Columns {
    /// The normal, the depth, the number of points, then each point.
    words: [[f32; MAX_LANES]; 12],
    /// Features of each point, as kernels call them.
    features: [[[f32; MAX_LANES]; 2]; 2],
}

/// The words of a contact before those: the pair, and which parts.
pub(super) type Name = [u32; NAME];

const NAME: usize = 4;

/// The first word of each point.
const POINTS: [usize; 2] = [4, 8];

/// The words of [`RowsOut::values`] and of [`RowsOut::second`].
const VALUES: [usize; 6] = [0, 1, 2, 4, 5, 6];
const SECOND: [usize; 3] = [8, 9, 10];

/// Columns of contacts, tile by tile.
pub(super) struct RowsOut<'a> {
    /// How many shapes of each pair are known to be points or circles: with one or two, the columns of second points
    /// are left alone, and with two those of all features.
    pub(super) round: usize,
    /// What the shapes of the first row are called; those of the others, as they follow.
    pub(super) first: u32,
    pub(super) names: [&'a mut [[u32; MAX_LANES]]; 2],
    pub(super) count: &'a mut [[u32; MAX_LANES]],
    /// The normal and the depth, then the place of the first point and its depth.
    pub(super) values: [&'a mut [[f32; MAX_LANES]]; VALUES.len()],
    /// The place of the second point and its depth.
    pub(super) second: [&'a mut [[f32; MAX_LANES]]; SECOND.len()],
    /// Of each point.
    pub(super) features: [[&'a mut [[Feature; MAX_LANES]]; 2]; 2],
}

impl RowsOut<'_> {
    /// Writes what all shapes are called.
    #[inline(always)]
    pub(super) fn name(&mut self) {
        for names in &mut self.names {
            for (name, row) in names.as_flattened_mut().iter_mut().zip(self.first..) {
                *name = row;
            }
        }
    }

    /// Takes the contact in a lane of a tile away.
    pub(super) fn clear(&mut self, tile: usize, lane: usize) {
        self.count[tile][lane] = 0;
        for column in self.values.iter_mut().chain(&mut self.second) {
            column[tile][lane] = 0.0;
        }
        for column in self.features.as_flattened_mut() {
            column[tile][lane] = Feature::default();
        }
    }

    /// Takes all contacts of a tile away.
    pub(super) fn clear_tile(&mut self, tile: usize) {
        self.count[tile] = [0; MAX_LANES];
        for column in self.values.iter_mut().chain(&mut self.second) {
            column[tile] = [0.0; MAX_LANES];
        }
        for column in self.features.as_flattened_mut() {
            column[tile] = [Feature::default(); MAX_LANES];
        }
    }

    /// Puts a contact into a lane of a tile.
    pub(super) fn set(&mut self, tile: usize, lane: usize, contact: &Contact) {
        let Contact { normal_x, normal_y, depth, count, point: [first, second], .. } = *contact;
        self.count[tile][lane] = count;
        let values = [normal_x, normal_y, depth, first.x, first.y, first.depth];
        for (column, value) in self.values.iter_mut().zip(values) {
            column[tile][lane] = value;
        }
        for (column, value) in self.second.iter_mut().zip([second.x, second.y, second.depth]) {
            column[tile][lane] = value;
        }
        for (columns, point) in self.features.iter_mut().zip([first, second]) {
            for (column, feature) in columns.iter_mut().zip([point.feature_a, point.feature_b]) {
                column[tile][lane] = feature;
            }
        }
    }
}

impl Default for Columns {
    fn default() -> Self {
        Self { words: [[0.0; MAX_LANES]; 12], features: [[[0.0; MAX_LANES]; 2]; 2] }
    }
}

impl Columns {
    /// Takes the lanes from `at` on, seen from the centre of the first shape, into the world, and turns
    /// those round that the caller knows in the other order. A lane without a contact has no points.
    #[inline(always)]
    pub(super) fn store<S: Simd>(
        &mut self,
        simd: S,
        tile: &Tile,
        at: usize,
        manifold: &Manifold<S>,
    ) {
        let Self { words, features } = self;
        let Manifold { hit, normal, depth, points, two } = *manifold;
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let exchanged = simd.lt(zero, tile.exchanged(simd, at));
        let center = tile.a.center(simd, at);
        // Zeros are positive, whatever the order of operations made of them: a sum with 0 never is -0.
        let normal = Vectors::<S> {
            x: simd.select(exchanged, simd.sub(zero, normal.x), simd.add(normal.x, zero)),
            y: simd.select(exchanged, simd.sub(zero, normal.y), simd.add(normal.y, zero)),
        };
        let count = simd.select(two, simd.add(one, one), one);
        let head = [normal.x, normal.y, simd.add(depth, zero), simd.select(hit, count, zero)];
        for (value, word) in head.into_iter().zip(&mut *words) {
            simd.store(value, word, at);
        }
        // Points that are none are all zeros.
        let there = [hit, two];
        for (number, point) in points.into_iter().enumerate() {
            let ManifoldPoint { at: place, depth, features: [first, second] } = point;
            let place = place.plus(simd, center);
            let own = &mut words[POINTS[number]..];
            for (value, word) in [place.x, place.y, depth].into_iter().zip(own) {
                let value = simd.select(there[number], simd.add(value, zero), zero);
                simd.store(value, word, at);
            }
            let [a, b] = &mut features[number];
            let sides =
                [simd.select(exchanged, second, first), simd.select(exchanged, first, second)];
            simd.store(simd.select(there[number], sides[0], zero), a, at);
            simd.store(simd.select(there[number], sides[1], zero), b, at);
        }
    }

    /// Makes integers of what is none of a contact's floats.
    #[inline(always)]
    fn make_integers(&mut self) {
        let Self { words, features } = self;
        for count in &mut words[3] {
            *count = f32::from_bits(integer(*count));
        }
        for ([a, b], first) in features.iter().zip(POINTS) {
            for (word, (a, b)) in words[first + 3].iter_mut().zip(a.iter().zip(b)) {
                let numbers = [integer(*a) as u16, integer(*b) as u16];
                *word = f32::from_bits(bytemuck::cast(numbers));
            }
        }
    }

    /// The records of the lanes from `first` on, a half after the other; `name` is the first words of each.
    #[inline(always)]
    fn records<S: Simd>(
        &mut self,
        simd: S,
        name: [&Words; NAME],
        first: usize,
    ) -> [[Words; EIGHT]; 2] {
        let [a, b, c, d] = name;
        let [e, f, g, h, i, j, k, l, m, n, o, p] =
            self.words.each_mut().map(|word| &*eight_lanes(word, first));
        let mut halves = [[[0; 8]; EIGHT]; 2];
        let [heads, tails] = &mut halves;
        simd.transpose([a, b, c, d, e, f, g, h], heads);
        simd.transpose([i, j, k, l, m, n, o, p], tails);
        halves
    }

    /// Writes the contacts of the first `lanes` lanes, which are of the shapes of these numbers, from `kept`
    /// on; but none of those that have no points, or whose bit in `near` is 0. Returns how many are kept
    /// then.
    #[inline(always)]
    pub(super) fn write_in_order<S: Simd>(
        &mut self,
        simd: S,
        shapes: &[[u32; MAX_LANES]; 2],
        near: u32,
        lanes: usize,
        contacts: &mut [Contact],
        mut kept: usize,
    ) -> usize {
        self.make_integers();
        let no_part = &[0; EIGHT];
        for first in (0..lanes).step_by(EIGHT) {
            let [a, b] = shapes.each_ref().map(|shape| &shape.as_chunks().0[first / EIGHT]);
            let [heads, tails] = self.records(simd, [a, b, no_part, no_part], first);
            for (lane, (head, tail)) in (first..lanes).zip(heads.iter().zip(&tails)) {
                write(&mut contacts[kept], head, tail);
                kept += usize::from(count(head) > 0 && near >> lane & 1 == 1);
            }
        }
        kept
    }

    /// Writes all lanes to tile `tile` of `rows`: contacts that are nothing but zeros where there are none, as
    /// [`Manifold::only`] makes them.
    #[inline(always)]
    pub(super) fn write_rows(&self, tile: usize, rows: &mut RowsOut<'_>) {
        match rows.round {
            0 => self.write_rows_of::<0>(tile, rows),
            1 => self.write_rows_of::<1>(tile, rows),
            _ => self.write_rows_of::<2>(tile, rows),
        }
    }

    /// The same for [`RowsOut::round`] in the code: with a number in its place, the loops were half as fast again.
    #[inline(always)]
    fn write_rows_of<const ROUND: usize>(&self, tile: usize, rows: &mut RowsOut<'_>) {
        let Self { words, features } = self;
        // Plain loops over arrays: compiled for the level, they become vector code.
        for (count, word) in rows.count[tile].iter_mut().zip(&words[3]) {
            *count = integer(*word);
        }
        for (column, word) in rows.values.iter_mut().zip(VALUES) {
            column[tile] = words[word];
        }
        if ROUND == 0 {
            for (column, word) in rows.second.iter_mut().zip(SECOND) {
                column[tile] = words[word];
            }
        }
        for (column, words) in rows.features.iter_mut().zip(features).take(2 - ROUND) {
            for (column, words) in column.iter_mut().zip(words) {
                for (number, word) in column[tile].iter_mut().zip(words) {
                    *number = Feature::of(integer(*word) as u16);
                }
            }
        }
    }

    /// Writes the contacts of `jobs`, one a lane, each where its job says; or else, `in_order`, from
    /// `kept` on, and none of those that have no points. `names` are by job, too.
    /// Returns how many are kept then.
    #[inline(always)]
    pub(super) fn write<S: Simd>(
        &mut self,
        simd: S,
        jobs: &[Job],
        names: &[Name],
        contacts: &mut [Contact],
        in_order: bool,
        mut kept: usize,
    ) -> usize {
        self.make_integers();
        for first in (0..jobs.len()).step_by(EIGHT) {
            // Names are by job and not by lane, and are put in their place afterwards.
            let [heads, tails] = self.records(simd, [&[0; EIGHT]; NAME], first);
            for (job, (head, tail)) in jobs[first..].iter().zip(heads.iter().zip(&tails)) {
                let index = job.index as usize;
                let contact = &mut contacts[if in_order { kept } else { index }];
                write(contact, head, tail);
                contact_words(contact)[..NAME].copy_from_slice(&names[index]);
                // What has no points is written in any case.
                kept += usize::from(count(head) > 0);
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

/// Writes the two halves of a contact.
#[inline(always)]
fn write(contact: &mut Contact, head: &Words, tail: &Words) {
    let words = contact_words(contact);
    words[..8].copy_from_slice(head);
    words[8..].copy_from_slice(tail);
}

/// The number of points of a contact that begins like this.
#[inline(always)]
fn count(head: &Words) -> u32 {
    head[7]
}

/// A whole number from 0 to 65,535 as an integer: beside 2^23, the bits of the number are the last of its
/// sum. A conversion would look for what is out of range, lane by lane.
#[inline(always)]
fn integer(number: f32) -> u32 {
    (number + (1 << 23) as f32).to_bits() & 0xffff
}
