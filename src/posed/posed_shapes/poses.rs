//! New poses for all rows of a store, sixteen at a time.

use super::PosedShapes;
use crate::{
    posed::{
        lanes::BoxLanes,
        placed::Placed,
        record::{LocalShape, ShapeClass},
    },
    shape::{Kind, Pose, Rotation, RoundedBox},
    simd::{Kernel, MAX_LANES, Simd},
};

/// Gives every row of `posed_shapes` its pose, and writes the bounding boxes.
///
/// Sixteen rows are placed as lanes if all are rotated boxes, or all are segments and capsules.
/// Other rows are placed one by one. (Computing mixed groups as lanes as well, and keeping only the
/// rotated boxes took half as long again: the branch is mispredicted. See benches/log.)
pub(crate) struct PlaceAll<'a, P> {
    pub(crate) posed_shapes: &'a mut PosedShapes,
    /// One checked pose for each row. Poses of vacant rows may be anything.
    pub(crate) poses: P,
    pub(crate) kinds: &'a [Option<Kind>],
    /// The columns of the store: four sides and the radius.
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
            let lanes = if count < MAX_LANES {
                None
            } else if self.posed_shapes.are_all(ShapeClass::Rotated, first) {
                Some(self.posed_shapes.boxes(first, &mut poses))
            } else if self.posed_shapes.are_all(ShapeClass::Line, first) {
                Some(self.posed_shapes.lines(first, &mut poses))
            } else {
                None
            };
            let Some(lanes) = lanes else {
                for (row, pose) in (first..).zip(&poses[..count]) {
                    self.place(row, *pose);
                }
                continue;
            };
            for at in (0..MAX_LANES).step_by(S::LANES) {
                for (side, value) in self.sides.iter_mut().zip(lanes.around(simd, at)) {
                    simd.store(value, side, first + at);
                }
            }
            let rows = first..first + MAX_LANES;
            lanes.write(simd, &mut placed);
            self.posed_shapes.placed.rows[rows.clone()].copy_from_slice(&placed);
            self.posed_shapes.poses[rows].copy_from_slice(&poses);
        }
    }
}

impl<P> PlaceAll<'_, P> {
    /// Places one row, unless it is vacant.
    fn place(&mut self, row: usize, pose: Pose) {
        if self.kinds[row].is_none() {
            return;
        }
        // It has been checked, so this only normalises it.
        let rotation = pose.rotation().checked(row).unwrap_or(pose.rotation());
        let RoundedBox { min_x, min_y, max_x, max_y, radius } =
            self.posed_shapes.place(row, Pose::new(pose.position(), rotation));
        for (side, value) in self.sides.iter_mut().zip([min_x, min_y, max_x, max_y, radius]) {
            side[row] = value;
        }
    }
}

impl PosedShapes {
    /// Whether the sixteen rows from `first` on are of `class`.
    #[inline(always)]
    fn are_all(&self, class: ShapeClass, first: usize) -> bool {
        self.placed.rows[first..first + MAX_LANES].iter().all(|placed| placed.is(class))
    }

    /// Places sixteen segments or capsules at these poses, and normalises the poses. Rows that have
    /// the pose already keep their ends.
    #[inline(always)]
    fn lines(&mut self, first: usize, poses: &mut [Pose; MAX_LANES]) -> BoxLanes {
        let mut lanes = BoxLanes::new(ShapeClass::Line);
        for (lane, (row, pose)) in (first..).zip(poses).enumerate() {
            let Rotation { cos, sin } = pose.rotation().at_length_one();
            *pose = Pose { cos, sin, ..*pose };
            let moved = self.rows[row].placed_line(*pose);
            let [[x, y], [half_x, half_y]] = self.placed.rows[row].ends();
            let kept = LocalShape { x, y, half_x, half_y, ..moved };
            let stays = self.poses[row] == *pose;
            if !stays && moved.keeps_ends() {
                self.rows[row] = self.rows[row].keeping_ends(false);
            }
            lanes.set_line(lane, if stays { &kept } else { &moved });
        }
        lanes
    }

    /// Places sixteen rotated boxes at these poses, and normalises the poses.
    #[inline(always)]
    fn boxes(&self, first: usize, poses: &mut [Pose; MAX_LANES]) -> BoxLanes {
        let mut lanes = BoxLanes::new(ShapeClass::Rotated);
        let locals = &self.rows[first..first + MAX_LANES];
        for (lane, (local, pose)) in locals.iter().zip(poses).enumerate() {
            let Rotation { cos, sin } = pose.rotation().at_length_one();
            *pose = Pose { cos, sin, ..*pose };
            lanes.set_box(lane, &local.turned(*pose));
        }
        lanes
    }
}
