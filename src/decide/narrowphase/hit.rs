//! `CastOptions`: how far a shape is cast, and which shapes stop it. `Hit`: where it first
//! touches a shape.

use super::{Contact, ContactPoint};
use crate::{
    base::pod,
    error::{Error, Fault, Field},
    geometry::{RayEntry, Vector},
    shape::check::size_fault,
};
use glam::Vec2;

/// Where a ray first touches a shape of an index, or where a shape stops a moving shape.
///
/// No value is infinite or NaN, and no zero is negative.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Hit {
    /// The row of the shape.
    pub row: u32,
    /// The part of the shape, if it is a compound; else 0.
    pub part: u32,
    /// The fraction of the direction or translation, at least 0.
    pub fraction: f32,
    /// Horizontal coordinate of the point where they touch.
    pub x: f32,
    /// Vertical coordinate of the point.
    pub y: f32,
    /// Horizontal part of the outward normal of the shape at the point.
    pub normal_x: f32,
    /// Vertical part of the normal, which has length 1.
    pub normal_y: f32,
}

pod!(Hit { row, part, fraction, x, y, normal_x, normal_y });

impl Hit {
    /// The point where they touch.
    pub fn position(&self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }

    /// The outward normal of the shape at the point, of length 1 within roundings. A ray that
    /// starts in the shape or on its border has the normal opposite to its direction, or (1, 0) if
    /// it has no direction.
    pub fn normal(&self) -> Vec2 {
        Vec2::new(self.normal_x, self.normal_y)
    }

    /// The hit of an entry at a point.
    pub(crate) fn of(row: u32, part: u32, entry: &RayEntry, point: Vector) -> Self {
        let ([x, y], [normal_x, normal_y]) = (point.narrow(), entry.normal.narrow());
        let fraction = entry.fraction as f32 + 0.0;
        Self { row, part, fraction, x, y, normal_x, normal_y }
    }

    /// The hit of shapes that touch at the start: their contact, seen from the second shape.
    pub(crate) fn of_contact(row: u32, contact: &Contact) -> Option<Self> {
        let (point, normal) = (contact.points().first()?, contact.normal());
        let (normal_x, normal_y) = (0.0 - normal.x, 0.0 - normal.y);
        let (part, ContactPoint { x, y, .. }) = (contact.part_b, *point);
        Some(Self { row, part, fraction: 0.0, x, y, normal_x, normal_y })
    }

    /// The order of hits: by fraction, then by row, then by part.
    pub(crate) fn order(&self, other: &Self) -> std::cmp::Ordering {
        let fractions = self.fraction.total_cmp(&other.fraction);
        fractions.then((self.row, self.part).cmp(&(other.row, other.part)))
    }
}

/// How far a shape is cast, and which shapes stop it: for
/// [`Queries::cast_shape`](crate::Queries::cast_shape) and
/// [`time_of_impact`](crate::narrowphase::time_of_impact).
///
/// A number converts to options with that `max_fraction`.
///
/// ```
/// use widephase::{CastOptions, Columns, Index, Queries, shape::Circle, narrowphase::CastStart};
///
/// let floor = Index::build(Columns::aabbs(&[-9.0], &[-1.0], &[9.0], &[0.0])?)?;
/// let ball = Circle::new([0.0, 1.0], 1.0);
/// // It lies on the floor: it can roll and be lifted, and not sink in.
/// assert_eq!(floor.cast_shape(ball, [4.0, 0.0], 1.0)?, None);
/// assert_eq!(floor.cast_shape(ball, [0.0, 4.0], 1.0)?, None);
/// assert_eq!(floor.cast_shape(ball, [4.0, -4.0], 1.0)?.unwrap().fraction, 0.0);
/// // What it touches, wherever it moves; and a distance to keep.
/// let touched = CastOptions { start: CastStart::Any, ..CastOptions::default() };
/// assert_eq!(floor.cast_shape(ball, [0.0, 4.0], touched)?.unwrap().fraction, 0.0);
/// let above = Circle::new([0.0, 5.0], 1.0);
/// let apart = CastOptions { gap: 0.5, ..CastOptions::default() };
/// assert_eq!(floor.cast_shape(above, [0.0, -7.0], apart)?.unwrap().fraction, 0.5);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CastOptions {
    /// The largest fraction of the translation, at least 0; infinity for no limit. By default 1.
    pub max_fraction: f32,
    /// The least distance to keep from other shapes, in the unit of length: from 0, the default, to
    /// 2^60. Shapes that are nearer than that at the start count as touching.
    pub gap: f32,
    /// Which of the shapes that touch at the start stop the motion.
    pub start: CastStart,
}

/// Which of the shapes that touch or overlap at the start of a cast stop it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CastStart {
    /// Shapes into which the motion leads further. A motion along a side, away from a shape or out
    /// of it is free.
    #[default]
    Inward,
    /// All touching shapes, wherever the motion leads, and even without a motion. (Not a segment
    /// with one side that the shape is behind or across.)
    Any,
    /// No touching shape: the whole motion passes through them.
    Ignored,
}

impl Default for CastOptions {
    fn default() -> Self {
        Self { max_fraction: 1.0, gap: 0.0, start: CastStart::Inward }
    }
}

impl From<f32> for CastOptions {
    fn from(max_fraction: f32) -> Self {
        Self { max_fraction, ..Self::default() }
    }
}

impl CastOptions {
    /// Checks a translation, and the options; `index` is for the error.
    pub(crate) fn check(&self, index: usize, translation: [f32; 2]) -> Result<(), Error> {
        check_translation(index, translation, self.max_fraction)?;
        refuse(index, Field::Gap, self.gap, size_fault(self.gap))
    }
}

/// Checks a direction or translation, and its largest fraction.
pub(crate) fn check_translation(
    index: usize,
    [dx, dy]: [f32; 2],
    max_fraction: f32,
) -> Result<(), Error> {
    for (field, value) in [(Field::Dx, dx), (Field::Dy, dy)] {
        let fault = if value.is_nan() {
            Some(Fault::NotANumber)
        } else {
            value.is_infinite().then_some(Fault::Infinite)
        };
        refuse(index, field, value, fault)?;
    }
    check_most(index, Field::MaxFraction, max_fraction)
}

/// Checks a largest fraction or distance: at least 0, or infinite.
pub(crate) fn check_most(index: usize, field: Field, value: f32) -> Result<(), Error> {
    let fault = if value.is_nan() {
        Some(Fault::NotANumber)
    } else {
        (value < 0.0).then_some(Fault::Negative)
    };
    refuse(index, field, value, fault)
}

pub(crate) fn refuse(
    index: usize,
    field: Field,
    value: f32,
    fault: Option<Fault>,
) -> Result<(), Error> {
    match fault {
        Some(fault) => Err(Error::InvalidQuery { index, field, value, fault }),
        None => Ok(()),
    }
}
