//! Pairs that move: eight at a time are tested, and circles are decided, in lanes.
//!
//! In plain words:
//!
//! ```text
//! read the shapes of eight pairs; they become columns
//! test them, or decide where circles stop each other, without a branch
//! ```
//!
//! Meanwhile the shapes of later pairs are prefetched.

use super::step::{Impact, Mark, MovingShape, STEP_LENGTH, STEP_SLACK};
use crate::{
    base::{Pair, WORD_ROWS},
    geometry::Vector,
    narrowphase::{CircleHits, CircleLanes, Set, circle_hits},
    posed::ShapeClass,
    shape::RoundedBox,
    simd::{HALF_LANES, Isa, Kernel, Simd, dispatch_moves, map_each, prefetch_at},
};

/// Where the shapes of pairs are.
#[derive(Clone, Copy)]
pub(super) struct MovingPairs<'a> {
    pub(super) shapes: &'a [MovingShape],
    /// The shapes of the index, which are the second shapes of the pairs.
    pub(super) set: Option<&'a Set<'a>>,
}

/// The impacts of a block of pairs. A pair is a bit of each mask.
pub(super) struct BlockImpacts {
    pub(super) hits: u64,
    /// The pairs that are not decided.
    pub(super) open: u64,
    /// The impacts of the pairs that stop each other.
    pub(super) impacts: [Impact; WORD_ROWS],
}

/// Moves the pairs that may stop each other to the front, in their order. Returns their number.
struct KeepPairs<'a> {
    moving: MovingPairs<'a>,
    pairs: &'a mut [Pair],
}

/// Decides some pairs of circles.
struct DecideCircles<'a> {
    moving: MovingPairs<'a>,
    pairs: &'a [Pair],
    /// The pairs of circles, as bits: at least one.
    circles: u64,
    found: &'a mut BlockImpacts,
}

/// Eight shapes as columns of words.
struct MovingLanes([[u32; HALF_LANES]; 8]);

/// A disc that moves, in `f64`.
struct MovingDisc {
    center: Vector,
    by: Vector,
    /// Its radius and the slack for roundings.
    radius: f64,
}

impl MovingPairs<'_> {
    /// Prefetches the shapes of pairs.
    #[inline(always)]
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

    /// The shapes of a pair.
    #[inline(always)]
    pub(super) fn of(&self, pair: Pair) -> [MovingShape; 2] {
        let second = match self.set {
            Some(set) => still(set, pair.b),
            None => self.shapes[pair.b as usize],
        };
        [self.shapes[pair.a as usize], second]
    }

    /// Drops pairs that cannot stop each other.
    pub(super) fn keep_that_may_stop(self, isa: Isa, pairs: &mut Vec<Pair>) {
        let kept = dispatch_moves(isa, KeepPairs { moving: self, pairs });
        pairs.truncate(kept);
    }

    /// Decides the pairs of circles of a block that stop each other where they approach. All other
    /// pairs are left open.
    pub(super) fn decide_circles(self, isa: Isa, pairs: &[Pair], found: &mut BlockImpacts) {
        let mut circles = 0;
        for (place, pair) in pairs.iter().enumerate() {
            let is_second = match self.set {
                Some(set) => set.placed[pair.b as usize].class() == ShapeClass::Round,
                None => self.shapes[pair.b as usize].is(Mark::Round),
            };
            let first = self.shapes[pair.a as usize];
            let are_circles = first.is(Mark::Round) & is_second & !first.is(Mark::AnyWay);
            circles |= u64::from(are_circles) << place;
        }
        (found.hits, found.open) = (0, !circles & u64::MAX >> (WORD_ROWS - pairs.len()));
        if circles != 0 {
            dispatch_moves(isa, DecideCircles { moving: self, pairs, circles, found });
        }
    }

    /// The shapes of eight pairs as columns.
    #[inline(always)]
    fn lanes<S: Simd>(self, simd: S, pairs: [Pair; HALF_LANES]) -> [MovingLanes; 2] {
        let Self { shapes, set } = self;
        let columns = |rows: [&MovingShape; HALF_LANES]| {
            let mut columns = [[0; HALF_LANES]; 8];
            simd.transpose(map_each(rows, MovingShape::words), &mut columns);
            MovingLanes(columns)
        };
        let own = columns(map_each(pairs, |pair| &shapes[pair.a as usize]));
        let other = match set {
            Some(set) => columns(map_each(pairs, |pair| still(set, pair.b)).each_ref()),
            None => columns(map_each(pairs, |pair| &shapes[pair.b as usize])),
        };
        [own, other]
    }
}

/// A row of an index.
#[inline]
fn still(set: &Set<'_>, row: u32) -> MovingShape {
    let class = set.placed[row as usize].class();
    let class = class.is_axis_aligned().then_some(class);
    MovingShape::still(set.box_of(row as usize), class)
}

impl Default for BlockImpacts {
    fn default() -> Self {
        Self { hits: 0, open: 0, impacts: [Impact::default(); WORD_ROWS] }
    }
}

impl Kernel for KeepPairs<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let Self { moving, pairs } = self;
        let (len, mut kept) = (pairs.len(), 0);
        for first in (0..len).step_by(HALF_LANES) {
            let end = len.min(first + HALF_LANES);
            moving.prefetch(&pairs[len.min(first + WORD_ROWS)..len.min(end + WORD_ROWS)]);
            // Further lanes repeat the last pair.
            let eight =
                map_each([0, 1, 2, 3, 4, 5, 6, 7], |lane| pairs[(first + lane).min(end - 1)]);
            let bits = may_stop(moving.lanes(simd, eight));
            for at in first..end {
                pairs[kept] = pairs[at];
                kept += (bits >> (at - first) & 1) as usize;
            }
        }
        kept
    }
}

/// Which of eight pairs may stop each other, as bits.
#[inline(always)]
fn may_stop([own, other]: [MovingLanes; 2]) -> u32 {
    let [mut discs, mut found] = [0_u32; 2];
    for lane in 0..HALF_LANES {
        discs |= u32::from(own.marks(lane) & other.marks(lane) & (Mark::Disc as u32) != 0) << lane;
    }
    if discs != 0 {
        for lane in 0..HALF_LANES {
            let (own, other) = (own.shape(lane), other.shape(lane));
            let sweeps = own.sweeps_with(&other);
            let discs = [MovingDisc::of(&own), MovingDisc::of(&other)];
            let may_stop = discs[0].may_stop(&discs[1], sweeps, own.is(Mark::AnyWay));
            found |= u32::from(may_stop) << lane;
        }
        found &= discs;
    }
    if discs != 0xFF {
        let mut others = 0;
        for lane in 0..HALF_LANES {
            others |= u32::from(own.shape(lane).may_stop(&other.shape(lane))) << lane;
        }
        found |= others & !discs;
    }
    found
}

impl Kernel for DecideCircles<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { moving, pairs, mut circles, found } = self;
        while circles != 0 {
            // Further lanes repeat the last pair.
            let mut place = 0;
            let places = map_each([(); HALF_LANES], |()| {
                if circles != 0 {
                    place = circles.trailing_zeros();
                    circles &= circles - 1;
                }
                place
            });
            let eight = map_each(places, |place| pairs[place as usize]);
            let [own, other] = moving.lanes(simd, eight);
            let mut sweeps = 0;
            for lane in 0..HALF_LANES {
                sweeps |=
                    u32::from((own.marks(lane) | other.marks(lane)) & (Mark::Bullet as u32) != 0)
                        << lane;
            }
            let CircleHits { hits, open, values } =
                circle_hits(simd, [&own.circles(), &other.circles()], sweeps);
            for (lane, place) in places.into_iter().enumerate() {
                let [fractions, x, y, normals_x, normals_y] = &values;
                let (fraction, x, y) = (fractions[lane], x[lane], y[lane]);
                let (normal_x, normal_y) = (normals_x[lane], normals_y[lane]);
                found.impacts[place as usize] =
                    Impact { pair: eight[lane], fraction, x, y, normal_x, normal_y };
                found.hits |= u64::from(hits >> lane & 1) << place;
                found.open |= u64::from(open >> lane & 1) << place;
            }
        }
    }
}

impl MovingLanes {
    #[inline(always)]
    fn marks(&self, lane: usize) -> u32 {
        self.0[7][lane]
    }

    #[inline(always)]
    fn shape(&self, lane: usize) -> MovingShape {
        let [min_x, min_y, max_x, max_y, radius, dx, dy] =
            map_each([0, 1, 2, 3, 4, 5, 6], |word: usize| f32::from_bits(self.0[word][lane]));
        let bounds = RoundedBox { min_x, min_y, max_x, max_y, radius };
        MovingShape { bounds, by: [dx, dy], marks: self.marks(lane) }
    }

    #[inline(always)]
    fn circles(&self) -> CircleLanes {
        let [x, y, radius, dx, dy] =
            map_each([0, 1, 4, 5, 6], |word: usize| map_each(self.0[word], f32::from_bits));
        CircleLanes { x, y, radius, dx, dy }
    }
}

impl MovingDisc {
    #[inline(always)]
    fn of(shape: &MovingShape) -> Self {
        let RoundedBox { min_x, min_y, radius, .. } = shape.bounds;
        let (center, by) = (Vector::wide([min_x, min_y]), Vector::wide(shape.by));
        let far = center.x.abs() + by.x.abs() + center.y.abs() + by.y.abs();
        let radius = f64::from(radius);
        Self { center, by, radius: radius + ((far + radius) * STEP_SLACK + STEP_LENGTH) }
    }

    /// Whether two discs approach each other, and come as near as the sum of their radii and the
    /// slack for roundings; with `any_way`, also whether they touch at the start. Without a branch.
    #[inline(always)]
    fn may_stop(&self, other: &Self, sweeps: bool, any_way: bool) -> bool {
        let (way, direction) = (other.center - self.center, self.by - other.by);
        let (along_x, along_y) = (way.x * direction.x, way.y * direction.y);
        let (along, terms) = (along_x + along_y, along_x.abs() + along_y.abs());
        let length2 = direction.length2();
        // Discs that move apart do not stop each other, even if they touch. A sum of two products
        // that is below 0 by this share of its terms is below 0 without roundings too, also if the
        // products are rounded twice more.
        let apart = (along < -terms * (16.0 * f64::EPSILON)) | (length2 == 0.0);
        let reach = self.radius + other.radius;
        let reach2 = reach * reach;
        let beside = direction.cross(way);
        let passes = (along > 0.0) & (along < length2) & (beside * beside <= reach2 * length2);
        let at_end = (way - direction).length2() <= reach2;
        let at_start = way.length2() <= reach2;
        (at_start & (any_way | !apart)) | (!apart & sweeps & (at_end | passes))
    }
}
