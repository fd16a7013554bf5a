//! A group of points that share a walk down the tree.

use std::ops::Range;

use super::{
    AnyReach, BoxReach, Find, KEPT, Limit, MeasureNear, NONE, Near, SLACK, Shrink, WIDTH, Walk,
    key_of,
};
use crate::{
    grid::search::{by_distance::AskedSides, nearest_items::NearestItems},
    shape::RoundedBox,
    simd::{Kernel, Simd, map_each},
};

/// The most boxes of a group, and the fewest.
const FIRST: usize = 16;
const MOST: usize = 64;
pub(super) const FEWEST: usize = 4;

/// The most items that are shared.
pub(super) const MOST_SHARED: usize = 128;

/// After a smallest group with too many items near it, so many boxes are searched for one by one,
/// and each time twice as many.
const ALONE: usize = 64;

/// If at most so many items are near a group, all of them are decided for each box of it: more if
/// only the nearest one is wanted.
const FEW: usize = WIDTH;
const FEW_OF_ONE: usize = 2 * WIDTH;

/// If more items than this are near a group, the next group is smaller.
const SMALLER: usize = 96;

/// A factor on distances for the rounding to `f32`, and a term for subnormal ones.
const ROUNDED: f64 = 1.0 + 1.0 / (1 << 22) as f64;
const SUBNORMAL: f64 = 1.0 / (1_u128 << 126) as f64;

/// A share of coordinates and radii that is above all roundings in `f64`.
const SHARE: f64 = 1.0 / (1_u64 << 45) as f64;

/// How many of the next boxes are in a group.
pub(super) struct GroupSizes {
    size: usize,
    /// The largest group that pays.
    most: usize,
    /// How many boxes are not in a group before the next one, and how many if that fails.
    alone: usize,
    next_alone: usize,
}

impl GroupSizes {
    pub(super) const NONE: Self = Self { size: FIRST, most: MOST, alone: 0, next_alone: ALONE };

    pub(super) fn next(&mut self) -> usize {
        let alone = self.alone > 0;
        self.alone -= usize::from(alone);
        if alone { 1 } else { self.size }
    }

    /// Notes that too many items are near a group.
    fn note_too_many(&mut self) {
        if self.size > FEWEST {
            self.size /= 2;
        } else {
            (self.alone, self.next_alone) = (self.next_alone, 2 * self.next_alone);
        }
    }

    /// Notes how many items are near a group whose first box took so many tests.
    fn note(&mut self, items: usize, few: usize, tests: usize) {
        self.next_alone = ALONE;
        // So many items that most of them are probably near other groups as well.
        let same = items <= SMALLER / 2 && items > 2 * self.size;
        if items > few && 2 * items.div_ceil(WIDTH) >= tests {
            self.most = FEWEST.max(self.size / 2);
        }
        if items <= few / 2 || same || few == FEW && items <= SMALLER / 2 {
            self.size *= 2;
        } else if items > SMALLER {
            self.size /= 2;
        }
        self.size = self.size.clamp(FEWEST, self.most);
    }
}

/// What a box shares with its group.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shares {
    Nothing,
    /// The items that are near, of which only some are within the limit of the box.
    Many,
    /// The items that are decided.
    All,
}

/// The corners of a rectangle that holds a group of points, and a limit for each.
pub(super) struct GroupCorners {
    /// Two values of each coordinate, each from and to; the first ones have all if there is only one
    /// limit.
    sides: [[[f64; 2]; 2]; 2],
    limits: [Limit; 4],
    /// Two if the points are on a line along an axis. One if all corners have the first limit.
    count: usize,
    /// A rounded box that all k items of an answer hold. What it holds is not nearer than they are.
    held: RoundedBox,
    /// The highest row of these items.
    pub(super) row: u32,
    sharp: bool,
}

/// The sides of each corner. The first two are all corners of a segment.
const CORNERS: [[usize; 2]; 4] = [[0, 0], [1, 1], [0, 1], [1, 0]];

/// Which of sixteen boxes, by their sides and radii, may hold an item within the limit of a corner,
/// as bits. Of boxes at the distance of the limit, only those in `rows`.
pub(super) struct TestCorners<'a> {
    pub(super) corners: &'a GroupCorners,
    pub(super) columns: [&'a [f32; WIDTH]; 5],
    pub(super) rows: u32,
}

impl Kernel for TestCorners<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> u32 {
        let Self { corners, columns, rows } = self;
        let [min_x, min_y, max_x, max_y, radii] = columns;
        let GroupCorners { sides: [x, y], limits, count, held, sharp, .. } = corners;
        let gap = |[low, high]: [f64; 2], min: f32, max: f32| {
            let (ahead, behind) = (f64::from(min) - high, low - f64::from(max));
            let gap = if ahead > behind { ahead } else { behind };
            if gap > 0.0 { gap * gap } else { 0.0 }
        };
        let (mut across, mut along) = ([[0.0; WIDTH]; 2], [[0.0; WIDTH]; 2]);
        for lane in 0..WIDTH {
            across[0][lane] = gap(x[0], min_x[lane], max_x[lane]);
            across[1][lane] = gap(x[1], min_x[lane], max_x[lane]);
            along[0][lane] = gap(y[0], min_y[lane], max_y[lane]);
            along[1][lane] = gap(y[1], min_y[lane], max_y[lane]);
        }
        let mut bits = 0;
        for (limit, [x, y]) in limits[..*count].iter().zip(CORNERS) {
            let mut squares = [0.0; WIDTH];
            for lane in 0..WIDTH {
                squares[lane] = across[x][lane] + along[y][lane];
            }
            bits |= limit.admits(simd, &squares, (*sharp, 0.0), radii, rows);
        }
        let not_nearer = bits & !rows != 0 && held.min_x <= held.max_x && held.min_y <= held.max_y;
        if not_nearer { bits & (rows | !held_by(simd, held, columns)) } else { bits }
    }
}

/// Which of sixteen boxes, by their sides and radii, a rounded box holds, as bits.
#[inline(always)]
fn held_by<S: Simd>(simd: S, held: &RoundedBox, columns: [&[f32; WIDTH]; 5]) -> u32 {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = *held;
    let mut bits = 0;
    for at in (0..WIDTH).step_by(S::LANES) {
        let [left, low, right, upper, radii] = columns;
        let mut own = simd.bits(simd.le(simd.splat(min_x), simd.load(left, at)));
        own &= simd.bits(simd.le(simd.splat(min_y), simd.load(low, at)));
        own &= simd.bits(simd.le(simd.load(right, at), simd.splat(max_x)));
        own &= simd.bits(simd.le(simd.load(upper, at), simd.splat(max_y)));
        own &= simd.bits(simd.le(simd.load(radii, at), simd.splat(radius)));
        bits |= own << at;
    }
    bits
}

impl Walk<'_> {
    /// Finds the items that are near a box.
    #[inline(always)]
    pub(super) fn prepare<S: Simd>(&mut self, simd: S, reach: &mut BoxReach, shares: Shares) {
        if shares == Shares::All {
            return;
        }
        self.lower_to_last(simd, reach);
        if shares == Shares::Nothing {
            self.descend(simd, reach);
            simd.call(Find { walk: self, reaches: AnyReach::Box(reach) });
            return;
        }
        self.near.len = 0;
        for first in (0..self.shared.len).step_by(WIDTH) {
            let Self { near, shared, points, .. } = self;
            let places = first..shared.len.min(first + WIDTH);
            near.take_near(simd, &AnyReach::Box(reach), &shared.items(), places, *points);
            if near.len > KEPT {
                simd.call(Shrink { walk: self, reach });
            }
        }
    }

    /// Finds all items that may be near one of a group of points. The first of them is about in the
    /// middle and has just been answered. Finds nothing if too many items are near, or if that
    /// answer has fewer items than are wanted.
    ///
    /// The items of the answer limit how far away those of the other points are. If some item is
    /// nearer than they are at a place of a rectangle, it is nearer than they are at one of its
    /// corners: docs/numerics.md, "Nearest", has the proof. So only corners are tested.
    #[inline(always)]
    pub(super) fn share<S: Simd>(
        &mut self,
        simd: S,
        search: &NearestItems<'_>,
        group: Range<usize>,
        sizes: &mut GroupSizes,
    ) -> Shares {
        let numbers = &search.left[group];
        let sides =
            |at: usize| search.boxes.rounded_box(search.order[numbers[at] as usize] as usize);
        let RoundedBox { min_x: x, min_y: y, .. } = sides(0);
        let [mut left, mut low, mut right, mut upper] = [x, y, x, y];
        for at in 0..numbers.len() {
            let RoundedBox { min_x, min_y, max_x, max_y, radius } = sides(at);
            if !self.enough || min_x < max_x || min_y < max_y || radius > 0.0 {
                sizes.note_too_many();
                return Shares::Nothing;
            }
            [left, low] = [left.min(min_x), low.min(min_y)];
            [right, upper] = [right.max(min_x), upper.max(min_y)];
        }
        let sides = map_each([[left, right], [low, upper]], |ends| map_each(ends, f64::from));
        let (tests, sharp) = (self.tests, self.points);
        let (mut limits, held, most, alike) = self.last.limits(&sides, [x, y], sharp);
        let mut count = if left < right && low < upper { 4 } else { 2 };
        let mut ranges = map_each(sides, |[low, high]| [[low, low], [high, high]]);
        let rectangle = BoxReach::of_group([left, low, right, upper], most, sharp);
        if alike && self.rounds_alike(simd, &rectangle) {
            (count, limits[0]) = (1, rectangle.limit);
            ranges = map_each(sides, |ends| [ends, ends]);
        }
        let (sides, row) = (ranges, most as u32);
        let corners = GroupCorners { sides, limits, count, held, row, sharp };
        let found = simd.call(Find { walk: self, reaches: AnyReach::Group(&corners) });
        let few = if self.wanted == 1 { FEW_OF_ONE } else { FEW };
        if !found {
            sizes.note_too_many();
            return Shares::Nothing;
        }
        sizes.note(self.near.len, few, tests);
        if self.near.len <= few {
            Shares::All
        } else {
            std::mem::swap(&mut self.near, &mut self.shared);
            Shares::Many
        }
    }
}

impl BoxReach {
    /// The reach of a rectangle, for all points in it.
    #[inline(always)]
    fn of_group([min_x, min_y, max_x, max_y]: [f32; 4], most: u64, sharp: bool) -> Self {
        let sides = RoundedBox { min_x, min_y, max_x, max_y, radius: 0.0 };
        Self { sides, from: AskedSides::new(&sides, 1.0), limit: Limit::new(most), sharp }
    }
}

impl Walk<'_> {
    /// Whether the furthest item of the last answer is as far from the nearest place of a rectangle
    /// as from the furthest one, by rounded distances. Then these leave fewer items than those of
    /// corners do: from far away, many items are at the same rounded distance.
    #[inline(always)]
    fn rounds_alike<S: Simd>(&mut self, simd: S, reach: &BoxReach) -> bool {
        let (last, points) = (&mut self.last, self.points);
        simd.call(MeasureNear { near: last, reach, points });
        let mut furthest = 0;
        for bits in &last.distances[..last.len] {
            furthest = furthest.max(*bits);
        }
        u64::from(furthest) == reach.limit.key >> 32
    }
}

impl Near {
    /// Limits for items that may be nearer than the furthest of these, or as near and of a row that
    /// is not above all of theirs, at the corners of a rectangle that holds a place; what all of
    /// these hold; a key, with their highest row, above which none of them is from any place of the
    /// rectangle; and whether its distance may be that of all corners.
    fn limits(
        &self,
        sides: &[[f64; 2]; 2],
        place: [f32; 2],
        points: bool,
    ) -> ([Limit; 4], RoundedBox, u64, bool) {
        let place = map_each(place, f64::from);
        let (mut squares, mut largest, mut row) = ([0.0; 4], 0.0, 0);
        let lower = |a: f32, b: f32| if a < b { a } else { b };
        let higher = |a: f32, b: f32| if a > b { a } else { b };
        let all = f32::INFINITY;
        let mut held = RoundedBox { min_x: -all, min_y: -all, max_x: all, max_y: all, radius: all };
        for at in 0..self.len {
            let [min_x, min_y, max_x, max_y, radius] =
                map_each(self.columns.each_ref(), |column| f32::from_bits(column[at]));
            let item = if points {
                RoundedBox { min_x, min_y, max_x: min_x, max_y: min_y, radius: 0.0 }
            } else {
                RoundedBox { min_x, min_y, max_x, max_y, radius }
            };
            let [x, y] = point_of(&item, place);
            for (square, corner) in squares.iter_mut().zip(CORNERS) {
                let away = [x - sides[0][corner[0]], y - sides[1][corner[1]]];
                let other = away[0] * away[0] + away[1] * away[1];
                *square = if other > *square { other } else { *square };
            }
            held = RoundedBox {
                min_x: higher(held.min_x, item.min_x),
                min_y: higher(held.min_y, item.min_y),
                max_x: lower(held.max_x, item.max_x),
                max_y: lower(held.max_y, item.max_y),
                radius: lower(held.radius, item.radius),
            };
            largest = higher(largest, item.radius);
            row = (!self.ids[at]).max(row);
        }
        let distances = map_each(squares, f64::sqrt);
        let furthest = distances[0].max(distances[1]).max(distances[2]).max(distances[3]);
        let slack = SHARE * (furthest + 2.0 * f64::from(largest));
        let limits = map_each(distances, |distance| {
            let below = distance + slack;
            let factor = if below > 0.0 { SLACK } else { 0.0 };
            Limit { key: NONE, above: below * ROUNDED + SUBNORMAL, below, factor, row }
        });
        let least = distances[0].min(distances[1]).min(distances[2]).min(distances[3]);
        let most = (furthest + slack) as f32;
        (limits, held, key_of(most.to_bits(), !row), least as f32 == most)
    }
}

/// A point of a rounded box that is about the nearest one to a place.
#[inline(always)]
fn point_of(item: &RoundedBox, place: [f64; 2]) -> [f64; 2] {
    let [min, max] = map_each([[item.min_x, item.min_y], [item.max_x, item.max_y]], |corner| {
        map_each(corner, f64::from)
    });
    let core = map_each([0, 1], |axis| {
        let inside = if place[axis] > min[axis] { place[axis] } else { min[axis] };
        if inside < max[axis] { inside } else { max[axis] }
    });
    if item.radius == 0.0 {
        return core;
    }
    // A little less far outwards, for the roundings. A radius that is lost in them is left out.
    let [x, y] = map_each([0, 1], |axis| place[axis] - core[axis]);
    let outwards = f64::from(item.radius) * (1.0 - 1.0 / (1 << 20) as f64);
    let length = (x * x + y * y).sqrt();
    let far = core[0].abs().max(core[1].abs()).max(place[0].abs()).max(place[1].abs());
    if length <= outwards {
        place
    } else if outwards > far / (1 << 30) as f64 {
        let share = outwards / length;
        [core[0] + x * share, core[1] + y * share]
    } else {
        core
    }
}
