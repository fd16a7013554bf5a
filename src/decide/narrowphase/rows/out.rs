//! Contacts as columns, batch by batch.

use crate::{
    narrowphase::{
        Contact, ContactColumns, Feature,
        kernels::flags,
        lane_batch::LaneBatch,
        manifold::Manifold,
        output::{ContactLanes, WorldManifold, WorldPoint, integer},
    },
    posed::ShapeClass,
    simd::{MAX_LANES, Simd},
};

/// The columns of contacts, as whole batches.
pub(super) struct RowsOut<'a> {
    /// The number of shapes in each pair that are known to be points or circles. With one or two,
    /// the columns of second points are not written. With two, the columns of features are not
    /// written.
    pub(super) round: usize,
    /// The id of both shapes in the first row. The ids of the other rows follow it.
    first: u32,
    keys: [&'a mut [[u32; MAX_LANES]]; 2],
    count: &'a mut [[u32; MAX_LANES]],
    /// The normal and the depth, then the position of the first point and its depth.
    values: [&'a mut [[f32; MAX_LANES]]; 6],
    /// The position of the second point and its depth.
    second: [&'a mut [[f32; MAX_LANES]]; 3],
    /// The features of each point.
    features: [[&'a mut [[Feature; MAX_LANES]]; 2]; 2],
}

impl<'a> RowsOut<'a> {
    /// Prepares to write all of `contacts`, whose first row has the id `first`. `only` has the
    /// classes of all rows, if they are known. No shape may be a compound.
    ///
    /// If one shape of each pair is a point or a circle, there is no second point. If both shapes
    /// are, all features are 0. The columns that are not written because of this are set to zeros
    /// here.
    pub(super) fn new(
        contacts: &'a mut ContactColumns,
        first: usize,
        only: Option<[ShapeClass; 2]>,
    ) -> Self {
        let round =
            only.map_or(0, |only| only.into_iter().filter(|c| *c == ShapeClass::Round).count());
        let ContactColumns { a, b, part_a, part_b, normal_x, normal_y, depth, count, points } =
            contacts;
        part_a.fill(0);
        part_b.fill(0);
        let [one, two] = points;
        let second = [&mut two.x, &mut two.y, &mut two.depth];
        let features =
            [[&mut one.feature_a, &mut one.feature_b], [&mut two.feature_a, &mut two.feature_b]];
        let mut out = Self {
            round,
            first: first as u32,
            keys: [a, b].map(|column| batches(column)),
            count: batches(count),
            values: [normal_x, normal_y, depth, &mut one.x, &mut one.y, &mut one.depth]
                .map(|column| batches(column)),
            second: second.map(|column| batches(column)),
            features: features.map(|columns| columns.map(|column| batches(column))),
        };
        if round > 0 {
            for column in &mut out.second {
                column.as_flattened_mut().fill(0.0);
            }
        }
        for column in out.features.iter_mut().skip(2 - round).flatten() {
            column.as_flattened_mut().fill(Feature::default());
        }
        out
    }

    /// Writes the ids of all shapes.
    #[inline(always)]
    pub(super) fn name(&mut self) {
        for keys in &mut self.keys {
            for (name, row) in keys.as_flattened_mut().iter_mut().zip(self.first..) {
                *name = row;
            }
        }
    }

    /// Writes batch `number`: the contacts of the lanes whose bit in `near` is set, and zeros in
    /// lanes without a contact.
    #[inline(always)]
    pub(super) fn take<S: Simd>(
        &mut self,
        simd: S,
        number: usize,
        columns: &ContactLanes,
        near: u32,
    ) {
        let ContactLanes { words, features } = columns;
        let [values @ .., first_x, first_y, first_depth, _, second_x, second_y, second_depth, _] =
            words;
        let [normal_x, normal_y, depth, count] = values;
        let values = [normal_x, normal_y, depth, first_x, first_y, first_depth];
        let near = flags(near);
        let (mut counts, mut numbers) = ([0.0; MAX_LANES], [[[0.0; MAX_LANES]; 2]; 2]);
        let points = 2 - self.round.min(1);
        for at in (0..MAX_LANES).step_by(S::LANES) {
            let zero = simd.splat(0.0);
            let hit = simd.lt(zero, simd.load(count, at));
            let there = simd.and(hit, simd.lt(zero, simd.load(&near, at)));
            copy(simd, there, count, &mut counts, at);
            for (column, value) in self.values.iter_mut().zip(values) {
                copy(simd, there, value, &mut column[number], at);
            }
            if points > 1 {
                let second = [second_x, second_y, second_depth];
                for (column, value) in self.second.iter_mut().zip(second) {
                    copy(simd, there, value, &mut column[number], at);
                }
            }
            for (to, from) in numbers.iter_mut().zip(features).take(points) {
                copy(simd, there, &from[0], &mut to[0], at);
                copy(simd, there, &from[1], &mut to[1], at);
            }
        }
        self.count_points(number, &counts);
        for (columns, words) in self.features.iter_mut().zip(&numbers).take(points) {
            for (column, words) in columns.iter_mut().zip(words) {
                for (number, word) in column[number].iter_mut().zip(words) {
                    *number = Feature::of(integer(*word) as u16);
                }
            }
        }
    }

    /// Writes the lanes from `at` on of batch `number`, for points and circles only. Lanes without
    /// a contact must be all zeros, as [`Manifold::only`] makes them. The numbers of points are
    /// stored in `counts`, for [`count_points`](RowsOut::count_points).
    #[inline(always)]
    pub(super) fn store_circles<S: Simd>(
        &mut self,
        simd: S,
        batch: &LaneBatch,
        at: usize,
        manifold: &Manifold<S>,
        number: usize,
        counts: &mut [f32; MAX_LANES],
    ) {
        let WorldManifold { normal, depth, count, points: [point, _] } =
            WorldManifold::new(simd, batch, at, manifold);
        let WorldPoint { place, depth: point_depth, .. } = point;
        let values = [normal.x, normal.y, depth, place.x, place.y, point_depth];
        for (column, value) in self.values.iter_mut().zip(values) {
            simd.store(value, &mut column[number], at);
        }
        simd.store(count, counts, at);
    }

    /// Writes the numbers of points of the contacts of batch `number`.
    #[inline(always)]
    pub(super) fn count_points(&mut self, number: usize, counts: &[f32; MAX_LANES]) {
        // A plain loop over arrays. It is compiled for the SIMD level and becomes vector code.
        for (count, word) in self.count[number].iter_mut().zip(counts) {
            *count = integer(*word);
        }
    }

    /// Removes the contact in a lane of a batch.
    pub(super) fn clear(&mut self, batch: usize, lane: usize) {
        self.count[batch][lane] = 0;
        for column in self.values.iter_mut().chain(&mut self.second) {
            column[batch][lane] = 0.0;
        }
        for column in self.features.as_flattened_mut() {
            column[batch][lane] = Feature::default();
        }
    }

    /// Removes all contacts of a batch.
    pub(super) fn clear_tile(&mut self, batch: usize) {
        self.count[batch] = [0; MAX_LANES];
        for column in self.values.iter_mut().chain(&mut self.second) {
            column[batch] = [0.0; MAX_LANES];
        }
        for column in self.features.as_flattened_mut() {
            column[batch] = [Feature::default(); MAX_LANES];
        }
    }

    /// Writes a contact to a lane of a batch.
    pub(super) fn set(&mut self, batch: usize, lane: usize, contact: &Contact) {
        let Contact { normal_x, normal_y, depth, count, point: [first, second], .. } = *contact;
        self.count[batch][lane] = count;
        let values = [normal_x, normal_y, depth, first.x, first.y, first.depth];
        for (column, value) in self.values.iter_mut().zip(values) {
            column[batch][lane] = value;
        }
        for (column, value) in self.second.iter_mut().zip([second.x, second.y, second.depth]) {
            column[batch][lane] = value;
        }
        for (columns, point) in self.features.iter_mut().zip([first, second]) {
            for (column, feature) in columns.iter_mut().zip([point.feature_a, point.feature_b]) {
                column[batch][lane] = feature;
            }
        }
    }
}

/// Copies the lanes from `at` on, and writes zeros to the lanes outside of `there`. A function,
/// because vector code is not inlined into closures.
#[inline(always)]
fn copy<S: Simd>(
    simd: S,
    there: S::Mask,
    from: &[f32; MAX_LANES],
    to: &mut [f32; MAX_LANES],
    at: usize,
) {
    simd.store(simd.select(there, simd.load(from, at), simd.splat(0.0)), to, at);
}

/// A column as batches.
fn batches<T>(column: &mut [T]) -> &mut [[T; MAX_LANES]] {
    column.as_chunks_mut().0
}
