//! `Displacements`: how shapes move during a step. `Impact`: two shapes that stop each other.

use crate::{
    base::{F32_SLACK, HasPair, Pair, no_padding, pod},
    error::{Error, Fault, Field, limit::Listed},
    geometry::ends,
    narrowphase::{AlignedShape, CastStart, Hit},
    posed::ShapeClass,
    shape::{MAX_COORDINATE, MAX_REACH, RoundedBox},
    simd::map_each,
};
use glam::Vec2;

/// The largest share of the coordinates and sizes by which roundings may bring shapes together, in
/// the `f32` of the test at the start. The share of the `f64` of the step is far smaller.
pub(super) const STEP_SLACK: f64 = F32_SLACK / 2.0;

/// The slack of tiny shapes, whose squares lose bits to underflow.
pub(super) const STEP_LENGTH: f64 = 1.0 / (1_u128 << 72) as f64;

/// Which rows are bullets: pairs with a bullet are tested along the whole step, and pairs of two
/// rows that are no bullets only at the start of the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bullets<'a> {
    /// All rows, so all pairs are tested along the step.
    #[default]
    All,
    /// The rows whose flag is set. There must be a flag for each row.
    Rows(&'a [bool]),
}

/// How the shapes move during a step: the argument of
/// [`Detector::swept_pairs`](crate::Detector::swept_pairs). Row `i` moves by (`x[i]`, `y[i]`), in
/// the unit of length, for the whole step: velocity times its duration.
///
/// ```
/// use widephase::{Bullets, Displacements};
///
/// let (x, y) = ([4.0, 0.0], [0.0, -0.5]);
/// let all = Displacements { x: &x, y: &y, ..Displacements::default() };
/// // Only row 0 is fast enough to tunnel.
/// let one = Displacements { bullets: Bullets::Rows(&[true, false]), ..all };
/// assert_ne!(all, one);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Displacements<'a> {
    /// The displacement of each row along x.
    pub x: &'a [f32],
    /// The displacement of each row along y.
    pub y: &'a [f32],
    /// Which rows are bullets.
    pub bullets: Bullets<'a>,
    /// Which of the shapes that touch at the start of the step stop each other.
    pub start: CastStart,
}

/// The displacements of a step, and which rows are bullets.
#[derive(Clone, Copy)]
pub(super) struct SweptStep<'a> {
    pub(super) moves: Displacements<'a>,
    /// Whether rows that are not bullets stay at their start.
    pub(super) others_stay: bool,
}

impl SweptStep<'_> {
    /// Checks that there is one value for each row.
    pub(super) fn check(&self, expected: usize) -> Result<(), Error> {
        let Displacements { x, y, bullets, .. } = self.moves;
        let bullets = match bullets {
            Bullets::All => expected,
            Bullets::Rows(flags) => flags.len(),
        };
        Field::Dx.check_len(x.len(), expected)?;
        Field::Dy.check_len(y.len(), expected)?;
        Field::Bullet.check_len(bullets, expected)
    }

    fn is_bullet(&self, row: u32) -> bool {
        match self.moves.bullets {
            Bullets::All => true,
            Bullets::Rows(flags) => flags[row as usize],
        }
    }

    fn displacement(&self, row: u32) -> [f32; 2] {
        [self.moves.x[row as usize], self.moves.y[row as usize]]
    }

    /// Checks the displacement of a row with these bounds.
    pub(super) fn check_row(&self, row: u32, bounds: RoundedBox) -> Result<(), Error> {
        let most = f64::from(MAX_COORDINATE);
        let axes = ends(bounds).into_iter().zip(self.displacement(row));
        for (field, ([low, high], value)) in [Field::Dx, Field::Dy].into_iter().zip(axes) {
            let center = (low + high) * 0.5;
            let end = (center + f64::from(value)).abs();
            let fault = if value.is_nan() {
                Fault::NotANumber
            } else if value.is_infinite() {
                Fault::Infinite
            } else if end > most.max(center.abs()) {
                Fault::TooLarge
            } else {
                continue;
            };
            return Err(Error::InvalidShape { index: row as usize, field, value, fault });
        }
        Ok(())
    }

    /// A row with these bounds, and its motion. `class` is the class of an axis-aligned shape.
    #[inline]
    pub(super) fn shape(
        &self,
        row: u32,
        bounds: RoundedBox,
        class: Option<ShapeClass>,
    ) -> MovingShape {
        let is_bullet = self.is_bullet(row);
        let by = self.displacement(row);
        let shape = MovingShape::still(bounds, class);
        let stays = self.others_stay && !is_bullet;
        let motion = if is_bullet { Mark::Bullet as u32 } else { 0 }
            | if stays { Mark::Stays as u32 } else { 0 }
            | if self.moves.start == CastStart::Inward { 0 } else { Mark::AnyWay as u32 };
        MovingShape { by, marks: shape.marks | motion, ..shape }
    }
}

/// A shape that moves: the box around it, or the shape itself if it is axis-aligned. Half a cache
/// line.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(32))]
pub(super) struct MovingShape {
    pub(super) bounds: RoundedBox,
    pub(super) by: [f32; 2],
    /// The [`Mark`]s of the shape, as bits.
    pub(super) marks: u32,
}

no_padding!(MovingShape { bounds, by, marks });

/// A mark of a shape: one bit.
#[derive(Debug, Clone, Copy)]
pub(super) enum Mark {
    /// It is a bullet.
    Bullet = 1,
    /// It stays at its start.
    Stays = 2,
    /// It is axis-aligned.
    Aligned = 4,
    /// It has the class of points and circles.
    Round = 8,
    /// It is axis-aligned, and its core is a point.
    Disc = 16,
    /// It may be stopped by a shape that it touches at the start, wherever the way leads.
    AnyWay = 32,
}

impl MovingShape {
    /// A shape without a displacement. `class` is the class of an axis-aligned shape.
    #[inline]
    pub(super) fn still(bounds: RoundedBox, class: Option<ShapeClass>) -> Self {
        let is_point = bounds.min_x == bounds.max_x && bounds.min_y == bounds.max_y;
        let mut marks = 0;
        if let Some(class) = class {
            let round = if class == ShapeClass::Round { Mark::Round as u32 } else { 0 };
            marks |= Mark::Aligned as u32 | round;
            marks |= if is_point { Mark::Disc as u32 } else { 0 };
        }
        Self { bounds, by: [0.0; 2], marks }
    }

    /// Whether it has a mark.
    #[inline(always)]
    pub(super) fn is(&self, mark: Mark) -> bool {
        self.marks & mark as u32 != 0
    }

    /// The words of its fields, in their order.
    #[inline(always)]
    pub(super) fn words(&self) -> &[u32; 8] {
        bytemuck::cast_ref(self)
    }

    /// More than its largest coordinate in magnitude, during the step. NaN if a value is NaN.
    #[inline]
    pub(super) fn far(&self) -> f32 {
        let Self {
            bounds: RoundedBox { min_x, min_y, max_x, max_y, radius }, by: [dx, dy], ..
        } = *self;
        let x = min_x.abs() + max_x.abs() + dx.abs();
        let y = min_y.abs() + max_y.abs() + dy.abs();
        x + y + radius
    }

    /// Its displacement, unless it stays at its start.
    #[inline(always)]
    pub(super) fn moves_by(&self) -> [f32; 2] {
        if self.is(Mark::Stays) { [0.0; 2] } else { self.by }
    }

    /// Whether it is longer on its way than it is wide.
    #[inline]
    pub(super) fn is_long(&self) -> bool {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = self.bounds;
        let [dx, dy] = self.moves_by();
        dx.abs().max(dy.abs()) > (max_x - min_x).max(max_y - min_y) + radius
    }

    /// Whether it is a circle that moves less than its radius along each axis.
    #[inline]
    pub(super) fn is_slow_circle(&self) -> bool {
        let [dx, dy] = self.moves_by();
        self.is(Mark::Disc) & (dx.abs().max(dy.abs()) < self.bounds.radius)
    }

    /// The shape as a rounded box, if it is axis-aligned.
    pub(super) fn aligned(&self) -> Option<AlignedShape> {
        let class = if self.is(Mark::Round) { ShapeClass::Round } else { ShapeClass::AlignedBox };
        self.is(Mark::Aligned).then_some(AlignedShape { sides: self.bounds, class })
    }

    /// The ends of the box around it, and its motion.
    pub(super) fn mover(&self) -> Mover {
        Mover::new(self.bounds, self.moves_by())
    }

    /// The shape with its motion, or at rest if not `moves`.
    #[inline(always)]
    fn mover_if(&self, moves: bool) -> Mover {
        Mover::new(self.bounds, if moves { self.moves_by() } else { [0.0; 2] })
    }

    /// Whether a pair is tested along the step. Else it is tested at its start.
    #[inline(always)]
    pub(super) fn sweeps_with(&self, other: &Self) -> bool {
        (self.marks | other.marks) & (Mark::Bullet as u32) != 0
    }

    /// Whether two shapes, not both discs, may stop each other. Without a branch. (`lanes.rs` does
    /// this for two discs.)
    #[inline(always)]
    pub(super) fn may_stop(&self, other: &Self) -> bool {
        let sweeps = self.sweeps_with(other);
        let leaves = self.is(Mark::Aligned) & other.is(Mark::Aligned) & self.leaves(other);
        let (own, its) = (self.mover_if(sweeps), other.mover_if(sweeps));
        !leaves & own.may_touch(&its)
    }

    /// Whether the cores of two axis-aligned shapes overlap, and the shapes move apart along the
    /// axis and in the direction in which they are least deep in each other. Then they are nowhere
    /// deeper in each other than at the start, and do not stop each other, unless any way does.
    #[inline(always)]
    fn leaves(&self, other: &Self) -> bool {
        let (own, its) = (self.bounds, other.bounds);
        // How far this shape has to move to leave the other shape, to the right, left, up and down.
        let width = |from: f32, to: f32| f64::from(to) - f64::from(from);
        let right = width(own.min_x, its.max_x);
        let left = width(its.min_x, own.max_x);
        let up = width(own.min_y, its.max_y);
        let down = width(its.min_y, own.max_y);
        let [dx, dy] =
            map_each([0, 1], |axis| f64::from(self.by[axis]) - f64::from(other.by[axis]));
        let least = right.min(left).min(up.min(down));
        let is_out = (right == least) & (dx >= 0.0)
            | (left == least) & (dx <= 0.0)
            | (up == least) & (dy >= 0.0)
            | (down == least) & (dy <= 0.0);
        !self.is(Mark::AnyWay) & (least > 0.0) & is_out
    }
}

/// The box around a shape, and its motion.
#[derive(Clone, Copy)]
pub(super) struct Mover {
    /// The lower and upper ends along x and along y.
    pub(super) ends: [[f64; 2]; 2],
    pub(super) by: [f64; 2],
    /// The slack for roundings.
    pub(super) slack: f64,
}

impl Mover {
    /// The box around a compound ends at the limit of coordinates, even if a part does not.
    #[inline(always)]
    pub(super) fn new(bounds: RoundedBox, by: [f32; 2]) -> Self {
        let [limit, most] = map_each([MAX_COORDINATE, MAX_REACH], f64::from);
        let whole = |[low, high]: [f64; 2]| {
            [if low > -limit { low } else { -most }, if high < limit { high } else { most }]
        };
        let (ends, by) = (map_each(ends(bounds), whole), map_each(by, f64::from));
        let far = |[low, high]: [f64; 2], by: f64| low.abs().max(high.abs()) + by.abs();
        let slack = far(ends[0], by[0]).max(far(ends[1], by[1])) * STEP_SLACK + STEP_LENGTH;
        Self { ends, by, slack }
    }

    /// The larger side of the box.
    pub(super) fn size(&self) -> f64 {
        let [[left, right], [low, high]] = self.ends;
        (right - left).max(high - low)
    }

    /// The larger part of the displacement.
    pub(super) fn length(&self) -> f64 {
        self.by[0].abs().max(self.by[1].abs())
    }

    /// The number of pieces of the path, each as long as the body and `unit` together.
    pub(super) fn pieces(&self, unit: f64) -> f64 {
        let (length, piece) = (self.length(), self.size() + unit);
        if length <= piece { 1.0 } else { (length / piece).ceil() }
    }

    /// Whether the boxes around two shapes touch at some time during the step: whether no line
    /// along x, along y or along the relative motion separates them. Without a branch.
    #[inline(always)]
    pub(super) fn may_touch(&self, other: &Self) -> bool {
        let slack = self.slack + other.slack;
        let axis = |axis: usize| {
            let ([low, high], [other_low, other_high]) = (self.ends[axis], other.ends[axis]);
            // They touch along the axis while the way is between the two.
            let (least, most) = (other_low - high - slack, other_high - low + slack);
            let way = self.by[axis] - other.by[axis];
            let touches = (way.min(0.0) <= most) & (way.max(0.0) >= least);
            (touches, way, (least + most) * 0.5, (most - least) * 0.5)
        };
        let ((x, way_x, center_x, half_x), (y, way_y, center_y, half_y)) = (axis(0), axis(1));
        let (beside, reach) =
            (way_x * center_y - way_y * center_x, way_x.abs() * half_y + way_y.abs() * half_x);
        x & y & (beside.abs() <= reach)
    }
}

/// Two shapes that stop each other during a step, and where: a result of
/// [`Detector::swept_pairs`](crate::Detector::swept_pairs).
///
/// No value is infinite or NaN, and no zero is negative. As [`Pod`](bytemuck::Pod), a slice of
/// impacts casts to bytes: 28 for each impact, without a gap.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Impact {
    /// The rows of the shapes.
    pub pair: Pair,
    /// When they do, as a fraction of the step: from 0 to 1; 0 if they touch at the start.
    pub fraction: f32,
    /// Horizontal coordinate of the point where they touch, at that time.
    pub x: f32,
    /// Vertical coordinate of the point.
    pub y: f32,
    /// Horizontal part of the outward normal of shape `b` at the point: it points towards `a`.
    pub normal_x: f32,
    /// Vertical part of the normal, which has length 1.
    pub normal_y: f32,
}

pod!(Impact { pair, fraction, x, y, normal_x, normal_y });

impl Impact {
    /// The point where they touch.
    pub fn position(&self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }

    /// The outward normal of shape `b` at the point, of length 1 within roundings.
    pub fn normal(&self) -> Vec2 {
        Vec2::new(self.normal_x, self.normal_y)
    }

    /// The impact of a pair whose first shape hits the second.
    pub(crate) fn of(pair: Pair, hit: &Hit) -> Self {
        let Hit { fraction, x, y, normal_x, normal_y, .. } = *hit;
        Self { pair, fraction, x, y, normal_x, normal_y }
    }
}

impl HasPair for Impact {
    fn pair(&self) -> Pair {
        self.pair
    }
}

impl Listed for Impact {
    fn too_many(limit: usize, found: u64) -> Error {
        Error::TooManyPairs { limit: limit as u64, found }
    }
}
