//! Blocks of pairs that move, of which circles are tested and decided in lanes.
//!
//! In plain words:
//!
//! ```text
//! read the shapes of a block of pairs
//! list the pairs of two discs; eight of them at a time become columns
//! test or decide these without a branch
//! ```
//!
//! Shapes of a block are read before any of them is used, because reads without work between them
//! do not wait for each other.

use super::{
    impact::Impact,
    step::{BULLET, DISC, MovingShape, ROUND, ROUNDING, TINY},
};
use crate::{
    Pair,
    geometry::Vector,
    narrowphase::{CIRCLES, CircleHits, CircleLanes, Set, circle_hits},
    simd::{Isa, Kernel, Simd, dispatch_moves, map_each, prefetch_at},
};

/// The pairs of a block.
pub(super) const BLOCK: usize = 64;

/// A sum of two products in `f64` that is this share of its terms below 0 has a sum without
/// roundings that is below 0, and so have products that are rounded twice more.
const APART: f64 = 1.0 / (1_u64 << 48) as f64;

/// Where the shapes of pairs are.
#[derive(Clone, Copy)]
pub(super) struct MovingPairs<'a> {
    pub(super) shapes: &'a [MovingShape],
    /// The shapes of the index, which are the second ones.
    pub(super) set: Option<&'a Set<'a>>,
}

/// The shapes of a block of pairs.
pub(super) struct MovingBlock {
    pub(super) shapes: [[MovingShape; 2]; BLOCK],
    len: usize,
}

/// The impacts of a block of pairs. A pair is a bit of each mask.
pub(super) struct BlockImpacts {
    pub(super) hits: u64,
    /// The pairs that are not decided.
    pub(super) open: u64,
    /// The impacts of the pairs that stop each other.
    pub(super) impacts: [Impact; BLOCK],
}

/// The places of some pairs in a block.
struct Places {
    places: [u8; BLOCK],
    len: usize,
}

/// The places of all pairs of a block.
const ALL: [u8; BLOCK] = {
    let mut places = [0; BLOCK];
    let mut place = 0;
    while place < BLOCK {
        places[place] = place as u8;
        place += 1;
    }
    places
};

/// Which of some pairs of discs may stop each other.
struct MayStop<'a> {
    shapes: &'a [[MovingShape; 2]; BLOCK],
    places: &'a [u8],
}

/// Decides some pairs of circles.
struct DecideCircles<'a> {
    shapes: &'a [[MovingShape; 2]; BLOCK],
    places: &'a [u8],
    pairs: &'a [Pair],
    found: &'a mut BlockImpacts,
}

/// Up to eight shapes as columns.
#[derive(Clone, Copy)]
struct DiscLanes {
    circles: CircleLanes,
    marks: [u32; CIRCLES],
}

/// A disc that moves, in `f64`.
struct MovingDisc {
    center: Vector,
    by: Vector,
    /// Its radius and the slack for roundings.
    radius: f64,
}

impl MovingPairs<'_> {
    /// Prefetches the shapes of pairs.
    #[inline]
    pub(super) fn prefetch(&self, pairs: &[Pair]) {
        let Self { shapes, set } = *self;
        for pair in pairs {
            prefetch_at(shapes, pair.a as usize);
            match set {
                None => prefetch_at(shapes, pair.b as usize),
                Some(set) => prefetch_at(set.placed, pair.b as usize),
            }
        }
    }

    /// Reads the shapes of at most a block of pairs.
    #[inline]
    pub(super) fn read(&self, pairs: &[Pair], block: &mut MovingBlock) {
        let Self { shapes, set } = *self;
        block.len = pairs.len();
        let blocks = block.shapes.iter_mut().zip(pairs);
        match set {
            None => {
                for (both, pair) in blocks {
                    *both = [shapes[pair.a as usize], shapes[pair.b as usize]];
                }
            }
            Some(set) => {
                for (both, pair) in blocks {
                    *both = [shapes[pair.a as usize], still(set, pair.b)];
                }
            }
        }
    }
}

/// A row of an index.
#[inline]
fn still(set: &Set<'_>, row: u32) -> MovingShape {
    let class = set.placed[row as usize].class();
    let class = class.is_axis_aligned().then_some(class);
    MovingShape::still(set.box_of(row as usize), class)
}

impl Default for MovingBlock {
    fn default() -> Self {
        Self { shapes: [[MovingShape::default(); 2]; BLOCK], len: 0 }
    }
}

impl MovingBlock {
    /// Which of the pairs `among` may stop each other, as bits.
    pub(super) fn may_stop(&self, isa: Isa, among: u64) -> u64 {
        let shapes = &self.shapes;
        let (discs, others) = self.places(DISC);
        let mut found = match discs.as_slice() {
            [] => 0,
            places => dispatch_moves(isa, MayStop { shapes, places }),
        };
        let mut left = others & among;
        while left != 0 {
            let place = left.trailing_zeros();
            left &= left - 1;
            let [first, second] = &shapes[place as usize];
            found |= u64::from(first.may_stop(second)) << place;
        }
        found & among
    }

    /// Decides the pairs of circles. All other pairs are left open.
    pub(super) fn decide_circles(&self, isa: Isa, pairs: &[Pair], found: &mut BlockImpacts) {
        let (circles, others) = self.places(ROUND);
        (found.hits, found.open) = (0, others);
        if circles.len > 0 {
            let (shapes, places) = (&self.shapes, circles.as_slice());
            dispatch_moves(isa, DecideCircles { shapes, places, pairs, found });
        }
    }

    /// The pairs of two shapes with a mark, and all others as bits.
    #[inline]
    fn places(&self, mark: u32) -> (Places, u64) {
        let shapes = &self.shapes[..self.len];
        let common = shapes.iter().fold(mark, |marks, [a, b]| marks & a.marks & b.marks);
        if common != 0 {
            return (Places { places: ALL, len: self.len }, 0);
        }
        let (mut found, mut others) = (Places::default(), 0);
        for (place, [first, second]) in (0..).zip(shapes) {
            let has = first.marks & second.marks & mark != 0;
            // Each is written, and counted if it has the mark.
            found.places[found.len] = place;
            found.len += usize::from(has);
            others |= u64::from(!has) << place;
        }
        (found, others)
    }
}

impl Default for Places {
    fn default() -> Self {
        Self { places: [0; BLOCK], len: 0 }
    }
}

impl Places {
    fn as_slice(&self) -> &[u8] {
        &self.places[..self.len]
    }
}

impl Default for BlockImpacts {
    fn default() -> Self {
        Self { hits: 0, open: 0, impacts: [Impact::default(); BLOCK] }
    }
}

impl Kernel for MayStop<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> u64 {
        let mut found = 0;
        for places in self.places.chunks(CIRCLES) {
            let [own, other] = lanes(simd, self.shapes, places);
            let mut bits = 0_u32;
            for lane in 0..CIRCLES {
                let sweeps = (own.marks[lane] | other.marks[lane]) & BULLET != 0;
                bits |= u32::from(own.disc(lane).may_stop(&other.disc(lane), sweeps)) << lane;
            }
            for (lane, place) in places.iter().enumerate() {
                found |= u64::from(bits >> lane & 1) << place;
            }
        }
        found
    }
}

impl Kernel for DecideCircles<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { shapes, places, pairs, found } = self;
        for places in places.chunks(CIRCLES) {
            let [own, other] = lanes(simd, shapes, places);
            let mut sweeps = 0;
            for lane in 0..CIRCLES {
                sweeps |= u32::from((own.marks[lane] | other.marks[lane]) & BULLET != 0) << lane;
            }
            let CircleHits { hits, open, values } =
                circle_hits(simd, [&own.circles, &other.circles], sweeps);
            for (lane, &place) in places.iter().enumerate() {
                let [fractions, x, y, normals_x, normals_y] = &values;
                let (fraction, x, y) = (fractions[lane], x[lane], y[lane]);
                let (normal_x, normal_y) = (normals_x[lane], normals_y[lane]);
                let pair = pairs[usize::from(place)];
                found.impacts[usize::from(place)] =
                    Impact { pair, fraction, x, y, normal_x, normal_y };
                found.hits |= u64::from(hits >> lane & 1) << place;
                found.open |= u64::from(open >> lane & 1) << place;
            }
        }
    }
}

/// The shapes of at most eight pairs, as columns. Further lanes repeat the last pair.
#[inline(always)]
fn lanes<S: Simd>(simd: S, shapes: &[[MovingShape; 2]; BLOCK], places: &[u8]) -> [DiscLanes; 2] {
    let last = places.len() - 1;
    let pairs = map_each([0, 1, 2, 3, 4, 5, 6, 7], |lane: usize| {
        &shapes[usize::from(places[lane.min(last)]) % BLOCK]
    });
    let own = columns(simd, map_each(pairs, |[first, _]| first.words()));
    [own, columns(simd, map_each(pairs, |[_, second]| second.words()))]
}

/// Shapes as columns.
#[inline(always)]
fn columns<S: Simd>(simd: S, shapes: [&[u32; 8]; CIRCLES]) -> DiscLanes {
    let mut words = [[0; CIRCLES]; 8];
    simd.transpose(shapes, &mut words);
    let [x, y, _, _, radius, dx, dy, marks] = words;
    let x = map_each(x, f32::from_bits);
    let y = map_each(y, f32::from_bits);
    let radius = map_each(radius, f32::from_bits);
    let dx = map_each(dx, f32::from_bits);
    let dy = map_each(dy, f32::from_bits);
    DiscLanes { circles: CircleLanes { x, y, radius, dx, dy }, marks }
}

impl DiscLanes {
    #[inline(always)]
    fn disc(&self, lane: usize) -> MovingDisc {
        let (center, by) = (self.circles.center(lane), self.circles.by(lane));
        let far = center.x.abs() + by.x.abs() + center.y.abs() + by.y.abs();
        let radius = f64::from(self.circles.radius[lane]);
        MovingDisc { center, by, radius: radius + ((far + radius) * ROUNDING + TINY) }
    }
}

impl MovingDisc {
    /// Whether two discs approach each other, and come as near as the sum of their radii and the
    /// slack for roundings. Without a branch.
    #[inline(always)]
    fn may_stop(&self, other: &Self, sweeps: bool) -> bool {
        let (way, direction) = (other.center - self.center, self.by - other.by);
        let (along_x, along_y) = (way.x * direction.x, way.y * direction.y);
        let (along, terms) = (along_x + along_y, along_x.abs() + along_y.abs());
        let length2 = direction.length2();
        // Of discs that move apart none stops the other, even if they touch.
        let apart = (along < -terms * APART) | (length2 == 0.0);
        let reach = self.radius + other.radius;
        let reach2 = reach * reach;
        let beside = direction.cross(way);
        let passes = (along > 0.0) & (along < length2) & (beside * beside <= reach2 * length2);
        let at_end = (way - direction).length2() <= reach2;
        let at_start = way.length2() <= reach2;
        !apart & (at_start | (sweeps & (at_end | passes)))
    }
}
