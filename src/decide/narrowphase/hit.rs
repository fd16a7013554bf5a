//! `Hit`: where a ray or a moving shape first touches a shape.

use glam::Vec2;

use super::{Contact, ContactPoint};
use crate::{
    base::pod,
    geometry::{RayEntry, Vector},
};

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
