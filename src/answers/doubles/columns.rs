//! `DoubleColumns`: borrowed columns of `f64`. `DoubleBox`: a shape of `f64`, and the decision
//! in `f64`.

use std::ops::Range;

use crate::{
    base::{higher, rounded_distance},
    columns::Radii,
    error::{Error, Fault, Field},
    filter::Filter,
    shape::{MAX_COORDINATE, Touching},
    simd::map_each,
    store::{Positions, RoundColumns, index_fits, round_columns},
};

/// Shapes in columns of `f64`: points, circles, axis-aligned boxes, or a slice of [`DoubleBox`]es.
/// Nothing is copied; values are checked by the calls that take them.
///
/// ```
/// use widephase::{Pair, doubles::{DoubleColumns, DoubleDetector}};
///
/// // Two houses in UTM metres, 0.1 apart. In f32 they would touch.
/// let (left, right) = ([4_500_000.0, 4_500_000.4], [4_500_000.3, 4_500_000.7]);
/// let houses = DoubleColumns::aabbs(&left, &[0.0; 2], &right, &[1.0; 2])?;
/// assert_eq!(DoubleDetector::new().count(houses)?, 0);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct DoubleColumns<'a> {
    pub(super) form: DoubleForm<'a>,
    pub(super) len: usize,
    pub(super) filters: Option<&'a [Filter]>,
    pub(super) spaces: Option<&'a [u32]>,
}

/// The values of the columns.
#[derive(Debug, Clone, Copy)]
pub(super) enum DoubleForm<'a> {
    Round(RoundAt<'a, [&'a [f64]; 2]>),
    RoundAt(RoundAt<'a, &'a [[f64; 2]]>),
    Boxes([&'a [f64]; 4]),
    Any(&'a [DoubleBox]),
}

/// Reads shapes row by row.
pub(super) trait ReadRows: Copy + Send + Sync {
    const FORM: RecordForm;
    /// Some of the rows. With slices of one length, a loop over rows needs no checks.
    fn part(self, rows: Range<usize>) -> Self;
    fn row(&self, row: usize) -> DoubleBox;
}

/// The form that all shapes of a set have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum RecordForm {
    /// Cores have no extent.
    #[default]
    Round,
    /// There are no radii.
    Boxes,
    Any,
}

/// Points or circles: columns or a slice of centres, and the radii.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoundAt<'a, P> {
    pub(super) positions: P,
    pub(super) radii: Radii<'a, f64>,
}

#[inline(always)]
fn part<'a>(radii: Radii<'a, f64>, rows: Range<usize>) -> Radii<'a, f64> {
    match radii {
        Radii::Each(radii) => Radii::Each(&radii[rows]),
        same => same,
    }
}

impl ReadRows for RoundAt<'_, [&[f64]; 2]> {
    const FORM: RecordForm = RecordForm::Round;

    #[inline(always)]
    fn part(self, rows: Range<usize>) -> Self {
        let positions = map_each(self.positions, |column| &column[rows.clone()]);
        Self { positions, radii: part(self.radii, rows) }
    }

    #[inline(always)]
    fn row(&self, row: usize) -> DoubleBox {
        let at = map_each(self.positions, |column| column[row]);
        DoubleBox { min: at, max: at, radius: self.radii.of(row) }
    }
}

impl ReadRows for RoundAt<'_, &[[f64; 2]]> {
    const FORM: RecordForm = RecordForm::Round;

    #[inline(always)]
    fn part(self, rows: Range<usize>) -> Self {
        Self { positions: &self.positions[rows.clone()], radii: part(self.radii, rows) }
    }

    #[inline(always)]
    fn row(&self, row: usize) -> DoubleBox {
        let at = self.positions[row];
        DoubleBox { min: at, max: at, radius: self.radii.of(row) }
    }
}

impl ReadRows for [&[f64]; 4] {
    const FORM: RecordForm = RecordForm::Boxes;

    #[inline(always)]
    fn part(self, rows: Range<usize>) -> Self {
        map_each(self, |side| &side[rows.clone()])
    }

    #[inline(always)]
    fn row(&self, row: usize) -> DoubleBox {
        let [left, low, right, high] = map_each(*self, |side| side[row]);
        DoubleBox { min: [left, low], max: [right, high], radius: 0.0 }
    }
}

impl ReadRows for &[DoubleBox] {
    const FORM: RecordForm = RecordForm::Any;

    #[inline(always)]
    fn part(self, rows: Range<usize>) -> Self {
        &self[rows]
    }

    #[inline(always)]
    fn row(&self, row: usize) -> DoubleBox {
        self[row]
    }
}

/// Evaluates an expression with the reader of some columns.
macro_rules! with_reader {
    ($columns:expr, $reader:ident => $work:expr) => {
        match $columns.form {
            $crate::doubles::columns::DoubleForm::Round($reader) => $work,
            $crate::doubles::columns::DoubleForm::RoundAt($reader) => $work,
            $crate::doubles::columns::DoubleForm::Boxes($reader) => $work,
            $crate::doubles::columns::DoubleForm::Any($reader) => $work,
        }
    };
}
pub(super) use with_reader;

impl<'a> DoubleColumns<'a> {
    fn round(columns: RoundColumns<'a, f64>) -> Self {
        let radii = columns.radii.unwrap_or(Radii::Same(0.0));
        let form = match columns.positions {
            Positions::Columns(positions) => DoubleForm::Round(RoundAt { positions, radii }),
            Positions::Interleaved(positions) => DoubleForm::RoundAt(RoundAt { positions, radii }),
        };
        Self { form, len: columns.len(), filters: None, spaces: None }
    }

    /// Axis-aligned boxes by their sides.
    ///
    /// # Errors
    /// As [`points`](DoubleColumns::points).
    pub fn aabbs(
        min_x: &'a [f64],
        min_y: &'a [f64],
        max_x: &'a [f64],
        max_y: &'a [f64],
    ) -> Result<Self, Error> {
        let len = min_x.len();
        Field::MinY.check_len(min_y.len(), len)?;
        Field::MaxX.check_len(max_x.len(), len)?;
        Field::MaxY.check_len(max_y.len(), len)?;
        Self::new(DoubleForm::Boxes([min_x, min_y, max_x, max_y]), len)
    }

    /// Points, circles, boxes and rounded boxes together.
    ///
    /// # Errors
    /// [`Error::TooManyShapes`] beyond [`u32::MAX`] rows.
    ///
    /// ```
    /// use widephase::doubles::{DoubleBox, DoubleColumns, DoubleDetector};
    ///
    /// let tower = DoubleBox { min: [4_500_000.0, 0.0], max: [4_500_000.5, 9.0], radius: 0.0 };
    /// let mast = DoubleBox { min: [4_500_001.0, 4.0], max: [4_500_001.0, 4.0], radius: 0.5 };
    /// let both = [tower, mast];
    /// assert_eq!(DoubleDetector::new().count(DoubleColumns::shapes(&both)?)?, 1);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn shapes(shapes: &'a [DoubleBox]) -> Result<Self, Error> {
        Self::new(DoubleForm::Any(shapes), shapes.len())
    }

    fn new(form: DoubleForm<'a>, len: usize) -> Result<Self, Error> {
        index_fits(len)?;
        Ok(Self { form, len, filters: None, spaces: None })
    }

    /// The columns with a filter for each row: see
    /// [`Columns::with_filters`](crate::Columns::with_filters).
    ///
    /// # Errors
    /// [`Error::UnequalColumns`].
    pub fn with_filters(self, filters: &'a [Filter]) -> Result<Self, Error> {
        Field::Filter.check_len(filters.len(), self.len)?;
        Ok(Self { filters: Some(filters), ..self })
    }

    /// The columns with a space for each row: see
    /// [`Columns::with_spaces`](crate::Columns::with_spaces).
    ///
    /// # Errors
    /// [`Error::UnequalColumns`].
    pub fn with_spaces(self, spaces: &'a [u32]) -> Result<Self, Error> {
        Field::Space.check_len(spaces.len(), self.len)?;
        Ok(Self { spaces: Some(spaces), ..self })
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The shape of a row; `None` if there is no such row.
    pub fn get(&self, row: usize) -> Option<DoubleBox> {
        (row < self.len).then(|| with_reader!(self, reader => reader.row(row)))
    }

    /// Checks all values, as each call does: they are finite, coordinates are at most 2^60 in
    /// magnitude, radii are from 0 to 2^60, and `min <= max`.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for the first invalid value, rounded to `f32`.
    pub fn check(&self) -> Result<(), Error> {
        with_reader!(self, reader => {
            let invalid = |row: &usize| !is_valid(&reader.row(*row));
            (0..self.len).find(invalid).map_or(Ok(()), |row| check_row(reader, row))
        })
    }
}

/// Whether the values of a shape are within the limits.
#[inline(always)]
pub(super) fn is_valid(shape: &DoubleBox) -> bool {
    let most = f64::from(MAX_COORDINATE);
    let DoubleBox { min, max, radius } = shape;
    // NaN fails each comparison.
    (min[0] >= -most)
        & (min[1] >= -most)
        & (max[0] <= most)
        & (max[1] <= most)
        & (min[0] <= max[0])
        & (min[1] <= max[1])
        & (*radius >= 0.0)
        & (*radius <= most)
}

/// Returns the first fault of a row.
#[cold]
fn check_row<R: ReadRows>(reader: R, index: usize) -> Result<(), Error> {
    let DoubleBox { min, max, radius } = reader.row(index);
    let most = f64::from(MAX_COORDINATE);
    let fail = |field: Field, value: f64, fault: Fault| {
        Err(Error::InvalidShape { index, field, value: nearest_f32(value), fault })
    };
    let fields = if R::FORM == RecordForm::Round {
        [(Field::X, min[0]), (Field::Y, min[1]), (Field::X, max[0]), (Field::Y, max[1])]
    } else {
        [(Field::MinX, min[0]), (Field::MinY, min[1]), (Field::MaxX, max[0]), (Field::MaxY, max[1])]
    };
    for (field, value) in fields.into_iter().chain([(Field::Radius, radius)]) {
        if value.is_nan() {
            return fail(field, value, Fault::NotANumber);
        } else if value.is_infinite() {
            return fail(field, value, Fault::Infinite);
        } else if field == Field::Radius && value < 0.0 {
            return fail(field, value, Fault::Negative);
        } else if value.abs() > most {
            return fail(field, value, Fault::TooLarge);
        }
    }
    for (axis, field) in [Field::MinX, Field::MinY].into_iter().enumerate() {
        if min[axis] > max[axis] {
            return fail(field, min[axis], Fault::Inverted { max: nearest_f32(max[axis]) });
        }
    }
    Ok(())
}

/// The nearest `f32` that is finite, if the value is.
fn nearest_f32(value: f64) -> f32 {
    let most = f64::from(f32::MAX);
    (if value.is_finite() { value.clamp(-most, most) } else { value }) as f32
}

round_columns!(DoubleColumns of f64);

/// A shape of `f64`: a core box, and a radius around it. A point and a circle have a core without
/// extent, a box has no radius.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DoubleBox {
    /// The lower left corner of the core.
    pub min: [f64; 2],
    /// The upper right corner of the core.
    pub max: [f64; 2],
    /// The radius around the core: at least 0.
    pub radius: f64,
}

impl DoubleBox {
    /// The gap between the cores along each axis; below 0 where they overlap.
    #[inline(always)]
    fn gaps(&self, other: &Self) -> [f64; 2] {
        map_each([0, 1], |axis: usize| {
            higher(other.min[axis] - self.max[axis], self.min[axis] - other.max[axis])
        })
    }

    /// The distance of the surfaces, 0 if they touch: the length of the gap between the cores, less
    /// the radii. Each operation is rounded to `f64`.
    #[inline]
    pub fn distance(&self, other: &Self) -> f64 {
        let [x, y] = map_each(self.gaps(other), positive);
        rounded_distance([x, y], self.radius + other.radius)
    }

    /// Whether two shapes touch if `margin` is added to the radii.
    #[inline(always)]
    pub(super) fn within(&self, other: &Self, margin: f64, touching: Touching) -> bool {
        let [gap_x, gap_y] = self.gaps(other);
        let (x, y) = (positive(gap_x), positive(gap_y));
        let (square, r) = (x * x + y * y, self.radius + other.radius + margin);
        match touching {
            // The gaps are for squares that underflow.
            Touching::Inclusive => (square <= r * r) & (gap_x <= r) & (gap_y <= r),
            Touching::Exclusive => (square < r * r) | ((gap_x < 0.0) & (gap_y < 0.0)),
        }
    }
}

/// The value, or 0 if it is below.
#[inline(always)]
fn positive(value: f64) -> f64 {
    higher(value, 0.0)
}

/// Whether two shapes of `f64` touch: **the** decision of this module. It is the
/// [contract](crate::reference::contract::overlap) of `f32` shapes, each operation in `f64`.
///
/// For two points within a distance, which are circles of half of it, it is `dx * dx + dy * dy <=
/// r * r`, as in scipy's `query_pairs`. For boxes, sides are compared.
///
/// ```
/// use widephase::{Touching, doubles::{DoubleBox, touches}};
///
/// let circle = |x, radius| DoubleBox { min: [x, 0.0], max: [x, 0.0], radius };
/// let (a, b) = (circle(4_500_000.0, 0.25), circle(4_500_000.6, 0.3));
/// assert!(!touches(&a, &b, Touching::Inclusive)); // 0.05 apart, which f32 does not see
/// ```
pub fn touches(a: &DoubleBox, b: &DoubleBox, touching: Touching) -> bool {
    a.within(b, 0.0, touching)
}
