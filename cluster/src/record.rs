//! A body as it is sent and saved.

use bytemuck::{Pod, Zeroable};
use widephase::shape::{Pose, Rotation};

/// A body, without the floats of its shape: 40 bytes, or 5 words of a message.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Record {
    /// The name of the body on all ranks. Of two bodies, the one with the smaller id is the first
    /// of a contact.
    pub(crate) id: u64,
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) cos: f32,
    pub(crate) sin: f32,
    /// The distance along each axis in a step.
    pub(crate) velocity: [f32; 2],
    /// The rotation in a step, as the tangent of the angle.
    pub(crate) spin: f32,
    /// The kind of the shape (`geometry.rs`).
    pub(crate) kind: u16,
    /// The number of floats of the shape.
    pub(crate) floats: u16,
}

impl Record {
    pub(crate) fn pose(&self) -> Pose {
        let Self { x, y, cos, sin, .. } = *self;
        Pose::new([x, y], Rotation { cos, sin })
    }
}

/// Bodies on their way: records, and the floats of all of them in the same order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parcel {
    pub(crate) records: Vec<Record>,
    pub(crate) floats: Vec<f32>,
}

impl Parcel {
    pub(crate) fn clear(&mut self) {
        self.records.clear();
        self.floats.clear();
    }

    pub(crate) fn push(&mut self, record: Record, floats: &[f32]) {
        self.records.push(record);
        self.floats.extend_from_slice(floats);
    }

    /// Each body with the floats of its shape. Ends early where floats are missing.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Record, &[f32])> {
        let mut rest = &self.floats[..];
        self.records.iter().map_while(move |record| {
            let (floats, after) = rest.split_at_checked(record.floats.into())?;
            rest = after;
            Some((record, floats))
        })
    }
}
