//! New poses for all rows of a store, sixteen at a time.

use super::Solids;
use crate::{
    shape::{Kind, Pose, Rotation, RoundedBox},
    simd::{Kernel, MAX_LANES, Simd},
    solid::{lanes::TurnedLanes, placed::Placed},
};

/// Gives every row of `solids` its pose, and writes the boxes around them.
///
/// Where sixteen rows are turned boxes, they are placed as lanes; others one by one. (Lanes of those rows that are, among
/// others, took half as long again: which rows they are cannot be guessed.)
pub(crate) struct PlaceAll<'a, P> {
    pub(crate) solids: &'a mut Solids,
    /// One for each row, checked; those of vacant rows may be anything.
    pub(crate) poses: P,
    pub(crate) kinds: &'a [Option<Kind>],
    /// The columns of the store.
    pub(crate) sides: [&'a mut [f32]; 5],
}

impl<P: Iterator<Item = Pose>> Kernel for PlaceAll<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let rows = self.kinds.len();
        let mut poses = [Pose::default(); MAX_LANES];
        let mut placed = [Placed::NONE; MAX_LANES];
        for first in (0..rows).step_by(MAX_LANES) {
            let count = (rows - first).min(MAX_LANES);
            for (own, pose) in poses.iter_mut().zip(self.poses.by_ref().take(count)) {
                *own = pose;
            }
            if count < MAX_LANES || !self.solids.are_turned(first) {
                for (row, pose) in (first..).zip(&poses[..count]) {
                    self.place(row, *pose);
                }
                continue;
            }
            let lanes = self.solids.lanes(first, &mut poses);
            for at in (0..MAX_LANES).step_by(S::LANES) {
                for (side, value) in self.sides.iter_mut().zip(lanes.around(simd, at)) {
                    simd.store(value, side, first + at);
                }
            }
            let rows = first..first + MAX_LANES;
            lanes.write(simd, &mut placed);
            self.solids.placed.rows[rows.clone()].copy_from_slice(&placed);
            self.solids.poses[rows].copy_from_slice(&poses);
        }
    }
}

impl<P> PlaceAll<'_, P> {
    /// Places one row, unless it is vacant.
    fn place(&mut self, row: usize, pose: Pose) {
        if self.kinds[row].is_none() {
            return;
        }
        // It has been checked, so this only brings it to length 1.
        let rotation = pose.rotation().checked(row).unwrap_or(pose.rotation());
        let RoundedBox { min_x, min_y, max_x, max_y, radius } =
            self.solids.place(row, Pose::new(pose.position(), rotation));
        for (side, value) in self.sides.iter_mut().zip([min_x, min_y, max_x, max_y, radius]) {
            side[row] = value;
        }
    }
}

impl Solids {
    /// Whether sixteen rows are turned boxes.
    #[inline(always)]
    fn are_turned(&self, first: usize) -> bool {
        self.placed.rows[first..first + MAX_LANES].iter().all(Placed::is_turned)
    }

    /// Sixteen turned boxes at these poses, which are brought to length 1.
    #[inline(always)]
    fn lanes(&self, first: usize, poses: &mut [Pose; MAX_LANES]) -> TurnedLanes {
        let mut lanes = TurnedLanes::new();
        let locals = &self.rows[first..first + MAX_LANES];
        for (lane, (local, pose)) in locals.iter().zip(poses).enumerate() {
            let Rotation { cos, sin } = pose.rotation().at_length_one();
            *pose = Pose { cos, sin, ..*pose };
            lanes.set(lane, &local.placed(*pose));
        }
        lanes
    }
}
