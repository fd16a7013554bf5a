//! `DoublePeriodic`: a box of `f64` that repeats, shapes in it, and their neighbours there.

use super::{
    columns::{DoubleBox, DoubleColumns, DoubleForm, ReadRows, RoundAt, with_reader},
    frame::DoubleFrame,
};
use crate::{
    base::{Pair, held},
    error::Error,
    lists::Lists,
    periodic::{PeriodicNeighbor, PeriodicPair, check_sides, shift_between},
    shape::Touching,
    simd::{SEARCHES_AHEAD, map_each, prefetch_at},
};

/// A periodic box whose sides are `f64`: see [`Periodic`](crate::Periodic), which has the same
/// fields.
///
/// ```
/// use widephase::{Pair, doubles::{DoubleColumns, DoubleDetector, DoublePeriodic}};
///
/// // Two points 0.1 apart across the seam of a box at UTM metres.
/// let torus = DoublePeriodic::new([4_500_000.0, 0.0], [4_500_100.0, 100.0]);
/// let points = DoubleColumns::circles(&[4_500_000.03, 4_500_099.93], &[1.0; 2], 0.06)?;
/// let mut pairs = Vec::new();
/// DoubleDetector::new().pairs_periodic(points, &torus, &mut pairs)?;
/// assert_eq!((pairs[0].pair, pairs[0].shift), (Pair { a: 0, b: 1 }, [-1, 0]));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DoublePeriodic {
    /// The lower corner.
    pub min: [f64; 2],
    /// The upper corner, which is the same place as the lower corner.
    pub max: [f64; 2],
    /// Whether the plane repeats along x and along y.
    pub wrap: [bool; 2],
}

/// A neighbour of a shape of `f64` in a periodic box: the shape in row `row`, moved by `shift`
/// periods from where it was given.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DoublePeriodicNeighbor {
    /// The distance of the surfaces, 0 if they touch: [`DoubleBox::distance`].
    pub distance: f64,
    /// The row of the neighbour.
    pub row: u32,
    /// The periods along x and along y.
    pub shift: [i16; 2],
}

impl DoublePeriodic {
    /// A box that wraps along both axes.
    pub fn new(min: [f64; 2], max: [f64; 2]) -> Self {
        Self { min, max, wrap: [true; 2] }
    }

    /// Checks the box, as every call that takes it does.
    ///
    /// # Errors
    /// [`Error::InvalidPeriod`], values rounded to `f32`.
    pub fn check(&self) -> Result<(), Error> {
        check_sides(self.min, self.max, self.wrap)
    }

    /// The length after which the plane repeats along x and along y; 0 along an axis that does not
    /// wrap.
    pub fn period(&self) -> [f64; 2] {
        map_each([0, 1], |axis| if self.wrap[axis] { self.max[axis] - self.min[axis] } else { 0.0 })
    }

    /// The coordinate in the box, and by how many periods it moves there.
    fn wrapped(&self, axis: usize, at: f64) -> (f64, f64) {
        let (min, max) = (self.min[axis], self.max[axis]);
        if !self.wrap[axis] || (min <= at && at < max) {
            return (at, 0.0);
        }
        let wrapped = min + (at - min).rem_euclid(max - min);
        let wrapped = if wrapped < max { wrapped } else { min };
        (wrapped, ((wrapped - at) / (max - min)).round())
    }
}

/// Shapes of `f64`, wrapped: the workspace of these calls.
#[derive(Debug, Default)]
pub(super) struct WrappedDoubles {
    /// The centres of points and circles.
    centers: Vec<[f64; 2]>,
    /// Shapes of other forms.
    boxes: Vec<DoubleBox>,
    /// By how many periods each shape was moved into the box; empty if no shape was moved.
    wraps: Vec<[f64; 2]>,
}

held!(WrappedDoubles { centers, boxes, wraps });

impl WrappedDoubles {
    /// Replaces the shapes, and returns the longest length along an axis that wraps.
    pub(super) fn wrap(&mut self, shapes: &DoubleColumns<'_>, periodic: &DoublePeriodic) -> f64 {
        let Self { centers, boxes, wraps } = self;
        centers.clear();
        boxes.clear();
        wraps.clear();
        let round = matches!(shapes.form, DoubleForm::Round(_) | DoubleForm::RoundAt(_));
        let mut longest = 0.0_f64;
        for row in 0..shapes.len() {
            let DoubleBox { min, max, radius } = with_reader!(shapes, reader => reader.row(row));
            let middle = |axis: usize| 0.5 * min[axis] + 0.5 * max[axis];
            let center = if round { min } else { [middle(0), middle(1)] };
            let wrapped = map_each([0, 1], |axis| periodic.wrapped(axis, center[axis]));
            wraps.push(wrapped.map(|(_, periods)| periods));
            for axis in (0..2).filter(|axis| periodic.wrap[*axis]) {
                longest = longest.max(max[axis] - min[axis] + 2.0 * radius);
            }
            if round {
                centers.push(wrapped.map(|(at, _)| at));
            } else {
                let by = map_each([0, 1], |axis| wrapped[axis].0 - center[axis]);
                boxes.push(moved(DoubleBox { min, max, radius }, by));
            }
        }
        if wraps.iter().all(|periods| *periods == [0.0; 2]) {
            wraps.clear();
        }
        longest
    }

    /// Decides about the wrapped shapes and their images.
    pub(super) fn decider<'a>(
        &'a self,
        shapes: &DoubleColumns<'a>,
        periodic: &DoublePeriodic,
    ) -> ImageDecider<'a> {
        let positions = self.centers.as_slice();
        let form = match shapes.form {
            DoubleForm::Round(RoundAt { radii, .. })
            | DoubleForm::RoundAt(RoundAt { radii, .. }) => {
                DoubleForm::RoundAt(RoundAt { positions, radii })
            }
            _ => DoubleForm::Any(&self.boxes),
        };
        let shapes = DoubleColumns { form, ..*shapes };
        ImageDecider { shapes, wraps: &self.wraps, period: periodic.period() }
    }
}

/// The shape moved by a vector.
fn moved(DoubleBox { min, max, radius }: DoubleBox, by: [f64; 2]) -> DoubleBox {
    let to = |corner: [f64; 2]| map_each([0, 1], |axis| corner[axis] + by[axis]);
    DoubleBox { min: to(min), max: to(max), radius }
}

/// Decides in `f64` about images that were found in `f32`.
pub(super) struct ImageDecider<'a> {
    pub(super) shapes: DoubleColumns<'a>,
    wraps: &'a [[f64; 2]],
    period: [f64; 2],
}

impl ImageDecider<'_> {
    #[inline(always)]
    fn shape(&self, row: u32) -> DoubleBox {
        with_reader!(self.shapes, reader => reader.row(row as usize))
    }

    /// A shape and an image of another shape, moved so that they are near: of two opposite shifts
    /// by the shift that is positive along x, or else along y.
    #[inline(always)]
    fn images(&self, both: [DoubleBox; 2], [x, y]: [i16; 2]) -> [DoubleBox; 2] {
        if [x, y] == [0, 0] {
            return both;
        }
        let [one, other] = both;
        let forward = x > 0 || (x == 0 && y > 0);
        let (fixed, other, shift) =
            if forward { (one, other, [x, y]) } else { (other, one, [-x, -y]) };
        [fixed, moved(other, map_each([0, 1], |axis| f64::from(shift[axis]) * self.period[axis]))]
    }

    /// The shift between two shapes as they were given, from the shift between the wrapped ones.
    #[inline(always)]
    fn given(&self, rows: [u32; 2], shift: [i16; 2]) -> Result<[i16; 2], Error> {
        match self.wraps {
            [] => Ok(shift),
            wraps => shift_between(rows, shift, rows.map(|row| wraps[row as usize])),
        }
    }

    /// The neighbour of a row, with the shift between the shapes as they were given.
    #[inline(always)]
    fn neighbor(
        &self,
        row: u32,
        near: &PeriodicNeighbor,
        [one, other]: &[DoubleBox; 2],
    ) -> Result<DoublePeriodicNeighbor, Error> {
        let shift = self.given([row, near.row], near.shift)?;
        Ok(DoublePeriodicNeighbor { distance: one.distance(other), row: near.row, shift })
    }

    /// Keeps the pairs of shapes that touch.
    pub(super) fn keep_touching(
        &self,
        pairs: &mut Vec<PeriodicPair>,
        touching: Touching,
    ) -> Result<(), Error> {
        let mut result = Ok(());
        pairs.retain_mut(|PeriodicPair { pair: Pair { a, b }, shift }| {
            let [one, other] = self.images([self.shape(*a), self.shape(*b)], *shift);
            let kept = one.within(&other, 0.0, touching);
            if kept {
                match self.given([*a, *b], *shift) {
                    Ok(given) => *shift = given,
                    Err(error) => result = Err(error),
                }
            }
            kept
        });
        result
    }

    /// Appends the neighbours of all rows that are within a distance.
    pub(super) fn list_within(
        &self,
        near: &Lists<PeriodicNeighbor>,
        (distance, touching): (f64, Touching),
        lists: &mut Lists<DoublePeriodicNeighbor>,
    ) -> Result<(), Error> {
        lists.open().reserve(near.items().len());
        // Neighbours go anywhere.
        let mut ahead = near.items().get(SEARCHES_AHEAD..).unwrap_or_default().iter();
        for (row, list) in (0..).zip(near.iter()) {
            let (own, found) = (self.shape(row), lists.open());
            for near in list {
                if let (Some(near), DoubleForm::RoundAt(round)) = (ahead.next(), self.shapes.form) {
                    prefetch_at(round.positions, near.row as usize);
                }
                let both = self.images([own, self.shape(near.row)], near.shift);
                if both[0].within(&both[1], distance, touching) {
                    found.push(self.neighbor(row, near, &both)?);
                }
            }
            lists.end_list();
        }
        Ok(())
    }

    /// Appends the nearest `k` neighbours of the nearest `wanted` in `f32`. Returns whether these
    /// neighbours are surely the nearest.
    pub(super) fn list_nearest(
        &self,
        near: &Lists<PeriodicNeighbor>,
        (k, wanted): (usize, usize),
        (max_distance, frame): (f64, &DoubleFrame),
        lists: &mut Lists<DoublePeriodicNeighbor>,
    ) -> Result<bool, Error> {
        let mut sure = true;
        for (row, list) in (0..).zip(near.iter()) {
            let (own, found) = (self.shape(row), lists.open());
            let first = found.len();
            for near in list {
                let both = self.images([own, self.shape(near.row)], near.shift);
                found.push(self.neighbor(row, near, &both)?);
            }
            let own = &mut found[first..];
            // By its bits, a distance of at least 0 has its place in the order.
            own.sort_unstable_by_key(|near| (near.distance.to_bits(), near.row, near.shift));
            let count = own.partition_point(|near| near.distance <= max_distance).min(k);
            let last = if count == k { own[..k].last() } else { None };
            // Shapes that touch come first, by row.
            let touches = count == k && last.is_none_or(|last| last.distance == 0.0);
            let last = last.map_or(max_distance, |last| last.distance);
            let further = |near: &PeriodicNeighbor| frame.at_least(near.distance) > last;
            sure &= touches || list.len() < wanted || list.last().is_some_and(further);
            found.truncate(first + count);
            lists.end_list();
        }
        Ok(sure)
    }
}
