//! Segments of chains with one side: they stop only shapes that meet them from the front.
//!
//! In plain words, at the place where a shape meets such a segment:
//!
//! ```text
//! a part of the shape overlaps the segment, or a segment beside it that goes on in about its
//! direction, by more than the tolerance, or touches it from behind:
//!     the shape is across the floor, which does not stop it
//! the normal is one of the smooth surface in front, at a free end nearer to the normal of the
//! segment than to its direction, and the shape is not sunk in along it:
//!     it meets the segment from the front
//! ```

use super::{EachOfTwo, RelativeMotion};
use crate::{
    geometry::{Solid, Vector},
    narrowphase::{
        SmoothBorder,
        obstacle_path::{ObstaclePath, widths},
    },
};

/// Whether a contact with this normal, from the first shape to the second, is in front of the
/// segments with one side among the two. `is_flush` tells whether they only touch along it.
pub(super) fn is_in_front(
    borders: &[Option<SmoothBorder<'_>>; 2],
    normal: Vector,
    is_flush: impl Fn() -> bool,
) -> bool {
    let is_in_front = |border: &Option<SmoothBorder<'_>>, away: Vector| match border {
        Some(border) if border.one_way().is_some() => {
            border.stops(0, away, Vector::ZERO, Vector::ZERO) && is_flush()
        }
        _ => true,
    };
    is_in_front(&borders[0], normal) && is_in_front(&borders[1], -normal)
}

impl RelativeMotion {
    /// Whether one of two shapes is a segment with one side, and the other shape is across it at a
    /// fraction of the motion. `each` passes every two parts of them.
    pub(super) fn is_across(
        &self,
        borders: &[Option<SmoothBorder<'_>>; 2],
        fraction: f64,
        workspace: &mut Vec<Vector>,
        each: &mut EachOfTwo<'_>,
    ) -> bool {
        let floor = |side: usize| Some((side, borders[side].as_ref()?.one_way()?));
        let Some((side, floor)) = floor(0).or_else(|| floor(1)) else { return false };
        let moved = self.path.at(fraction);
        let mut is_across = false;
        each(&mut |_, own, other| {
            for ends in floor.iter().flatten() {
                let segment = Solid { corners: ends, radius: 0.0, aligned: None, border: None };
                let solids = if side == 0 { [&segment, other] } else { [own, &segment] };
                is_across |= self.crosses(solids, side, moved, workspace);
            }
        });
        is_across
    }

    /// Whether the first solid, which has moved, and the second overlap by more than the tolerance,
    /// or touch from behind. The solid with the number `side` is a segment whose front is to the
    /// left. A half-plane crosses nothing.
    fn crosses(
        &self,
        solids: [&Solid<'_>; 2],
        side: usize,
        moved: Vector,
        workspace: &mut Vec<Vector>,
    ) -> bool {
        let [own, other] = solids;
        let Some(obstacle) = self.obstacle(own, other, workspace) else { return false };
        if obstacle.half_plane().is_some() {
            return false;
        }
        let way = ObstaclePath::new(&self.path, self.movers(own, other), &obstacle);
        for corner in &mut *workspace {
            *corner = *corner - moved;
        }
        let radius = own.radius + other.radius;
        let obstacle = Solid { corners: workspace, radius, aligned: None, border: None };
        let (deep, depth) = way.at_start().depths(&obstacle);
        if deep > 0.0 {
            return true;
        }
        let [start, end] = [solids[side].corners[0], solids[side].corners[1]];
        let Some(along) = (end - start).unit() else { return false };
        let normal = along.perp();
        let moved = if side == 0 { -moved } else { moved };
        let [high, low] = widths(solids[1 - side], normal);
        let height = normal.dot(moved - start);
        let tolerance = way.tolerance_along(normal);
        depth >= -tolerance
            && high + radius + height <= tolerance
            && low + radius - height > tolerance
    }
}
