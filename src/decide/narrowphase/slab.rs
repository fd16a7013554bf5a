//! The slabs of half-planes and of long shapes.

use super::{
    pair_query::PairQuery,
    view::{Member, Sources},
};
use crate::{
    geometry::Border,
    grid::Slab,
    posed::{Placed, ShapeClass},
    shape::RoundedBox,
    simd::map_each,
};

impl PairQuery<'_> {
    /// A slab that holds the shape of a row of the first or the second set, and everything within
    /// the margin of the shape. `None` if it holds hardly less than the box around the shape, or if
    /// the width or the height of that box is less than `least`.
    pub(crate) fn slab(&self, row: u32, second_set: bool, least: f32) -> Option<Slab> {
        let sources = Sources::of(&self.sets);
        let member = Member::new(row, second_set);
        let placed = sources.placed(member);
        let class = placed.class();
        if class.is_axis_aligned() || class == ShapeClass::Compound {
            return None;
        }
        let margin = f64::from(self.margin);
        if placed.is(ShapeClass::HalfPlane) {
            let Border { normal, offset } = sources.exact(member).border()?;
            let normal = normal.narrow();
            let highest = above(offset + margin, offset.abs() + margin);
            let slanted = normal[0] != 0.0 && normal[1] != 0.0;
            return slanted.then_some(Slab { normal, heights: [f32::NEG_INFINITY, highest] });
        }
        let RoundedBox { min_x, min_y, max_x, max_y, .. } = member.bounds(&self.sets);
        let short = (max_x - min_x).min(max_y - min_y);
        if short < least {
            return None;
        }
        let (normal, [lowest, highest]) = stripe(&sources, member, placed)?;
        let around = f64::from(placed.radius()) + margin;
        let size = map_each([min_x, min_y, max_x, max_y], |side| f64::from(side.abs()));
        let size = size.iter().sum::<f64>() + around;
        let heights = [-above(around - lowest, size), above(highest + around, size)];
        let slab = Slab { normal, heights };
        (slab.width() < 0.5 * short).then_some(slab)
    }
}

/// A number of `f32` that is above a height by more than the roundings of a shape of this size.
fn above(height: f64, size: f64) -> f32 {
    (height + size * (1.0 / (1 << 18) as f64) + f64::from(f32::MIN_POSITIVE)) as f32
}

/// The unit vector across the narrowest stripe along a side of the core, and the heights of the
/// core along it.
fn stripe(sources: &Sources<'_>, member: Member, placed: &Placed) -> Option<([f32; 2], [f64; 2])> {
    let wide = |point: [f32; 2]| map_each(point, f64::from);
    let dot = |a: [f32; 2], b: [f32; 2]| {
        let ([a, b], [c, d]) = (wide(a), wide(b));
        a * c + b * d
    };
    let class = placed.class();
    let [first, second, third] = placed.frame();
    if class.is_line() {
        let normal = [-third[1], third[0]];
        let heights = [dot(normal, first), dot(normal, second)];
        return Some((normal, [heights[0].min(heights[1]), heights[0].max(heights[1])]));
    }
    if class == ShapeClass::Rotated {
        let [cos, sin] = second;
        let (normal, half) =
            if third[1] <= third[0] { ([-sin, cos], third[1]) } else { ([cos, sin], third[0]) };
        let (middle, half) = (dot(normal, first), f64::from(half));
        return Some((normal, [middle - half, middle + half]));
    }
    if !matches!(class, ShapeClass::Polygon4 | ShapeClass::Polygon8) {
        return None;
    }
    let count = placed.size().vertices();
    let blocks = sources.blocks(member.source, placed);
    let corner = |number: usize| {
        let (block, slot) = (&blocks[number / blocks[0].x.len()], number % blocks[0].x.len());
        ([block.x[slot], block.y[slot]], [block.normal_x[slot], block.normal_y[slot]])
    };
    let sides = (0..count).map(|side| {
        let (start, normal) = corner(side);
        let lowest = (0..count).map(|vertex| dot(normal, corner(vertex).0));
        (normal, [lowest.fold(f64::INFINITY, f64::min), dot(normal, start)])
    });
    let narrowest = sides.min_by(|(_, a), (_, b)| (a[1] - a[0]).total_cmp(&(b[1] - b[0])))?;
    let (normal, heights) = narrowest;
    let middle = dot(normal, first);
    Some((normal, map_each(heights, |height| middle + height)))
}
