//! New poses for rows of a store that follow each other, sixteen at a time.

use std::ops::Range;

use glam::Vec2;

use super::{PosedShapes, axis_aligned_bounds};
use crate::{
    posed::{
        lanes::BoxLanes,
        placed::Placed,
        record::{LocalShape, ShapeClass},
    },
    shape::{Kind, Pose, Rotation, RoundedBox},
    simd::{Kernel, MAX_LANES, Simd},
};

/// Where a row goes: a pose, or a position, where the rotation stays.
pub(crate) trait Placement: Copy {
    /// The new pose of a row, from its present pose.
    fn pose(self, before: Pose) -> Pose;
}

impl Placement for Pose {
    #[inline(always)]
    fn pose(self, _: Pose) -> Pose {
        self
    }
}

impl Placement for Vec2 {
    #[inline(always)]
    fn pose(self, before: Pose) -> Pose {
        Pose { x: self.x, y: self.y, ..before }
    }
}

/// Gives each of some rows its pose, and writes the bounding boxes.
///
/// Sixteen rows are placed as lanes if all rows are rotated boxes, all are segments and capsules,
/// or all are axis-aligned. Other rows are placed one by one. (Computing mixed groups as lanes as
/// well, and keeping only the rotated boxes took half as long again: the branch is mispredicted.)
pub(crate) struct MoveRows<'a, P> {
    pub(crate) posed_shapes: &'a mut PosedShapes,
    pub(crate) rows: Range<usize>,
    /// Where each of the rows goes, checked. For vacant rows it may be anything.
    pub(crate) places: P,
    /// The kinds of all rows.
    pub(crate) kinds: &'a [Option<Kind>],
    /// The columns of the store: four sides and the radius.
    pub(crate) sides: [&'a mut [f32]; 5],
}

impl<P: Iterator<Item: Placement>> Kernel for MoveRows<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let Range { start, end } = self.rows;
        let mut poses = [Pose::default(); MAX_LANES];
        let mut placed = [Placed::NONE; MAX_LANES];
        for first in (start..end).step_by(MAX_LANES) {
            let count = (end - first).min(MAX_LANES);
            let before = &self.posed_shapes.poses[first..first + count];
            for ((pose, place), before) in poses.iter_mut().zip(self.places.by_ref()).zip(before) {
                *pose = place.pose(*before);
            }
            if count == MAX_LANES && self.are_aligned_and_move(first, &poses) {
                self.place_aligned(first, &poses);
                continue;
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

impl<P> MoveRows<'_, P> {
    /// Whether the sixteen rows from `first` on are axis-aligned, and none of them stays where it
    /// is.
    #[inline(always)]
    fn are_aligned_and_move(&self, first: usize, poses: &[Pose; MAX_LANES]) -> bool {
        let kinds = &self.kinds[first..first + MAX_LANES];
        let own = &self.posed_shapes.poses[first..first + MAX_LANES];
        kinds.iter().all(|kind| kind.is_some_and(Kind::is_axis_aligned))
            && own.iter().zip(poses).all(|(own, pose)| own.position() != pose.position())
    }

    /// Places sixteen axis-aligned shapes.
    #[inline(always)]
    fn place_aligned(&mut self, first: usize, poses: &[Pose; MAX_LANES]) {
        let (rows, shapes) = (first..first + MAX_LANES, &mut *self.posed_shapes);
        let (own, placed) =
            (&mut shapes.poses[rows.clone()], &mut shapes.placed.rows[rows.clone()]);
        let locals = &shapes.rows[rows.clone()];
        let [min_x, min_y, max_x, max_y, _] =
            self.sides.each_mut().map(|side| &mut side[rows.clone()]);
        for lane in 0..MAX_LANES {
            let Pose { x, y, .. } = poses[lane];
            own[lane] = Pose::at([x, y]);
            let sides = axis_aligned_bounds(&LocalShape { x: x + 0.0, y: y + 0.0, ..locals[lane] });
            placed[lane] = placed[lane].with_sides(sides);
            (min_x[lane], min_y[lane]) = (sides.min_x, sides.min_y);
            (max_x[lane], max_y[lane]) = (sides.max_x, sides.max_y);
        }
    }

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
    /// the pose already keep their ends, and the signs of zeros in their pose.
    #[inline(always)]
    fn lines(&mut self, first: usize, poses: &mut [Pose; MAX_LANES]) -> BoxLanes {
        let mut lanes = BoxLanes::new(ShapeClass::Line);
        for (lane, (row, pose)) in (first..).zip(poses).enumerate() {
            let Rotation { cos, sin } = pose.rotation().at_length_one();
            *pose = Pose { cos, sin, ..*pose };
            let moved = self.rows[row].placed_line(*pose);
            let [[x, y], [half_x, half_y]] = self.placed.rows[row].ends();
            let kept = LocalShape { x, y, half_x, half_y, ..moved };
            let own = self.poses[row];
            let stays = own == *pose;
            if !stays && moved.keeps_ends() {
                self.rows[row] = self.rows[row].keeping_ends(false);
            }
            *pose = if stays { own } else { *pose };
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
