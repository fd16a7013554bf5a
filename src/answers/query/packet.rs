//! `Packet`: eight rays of a scan.

use crate::{base::F32_SLACK, simd::HALF_LANES};

/// Rays that are tested together.
pub(super) const PACKET: usize = HALF_LANES;

/// Eight rays.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(super) struct Packet {
    pub(super) direction: [[f32; PACKET]; 2],
    /// The inverses of the parts of the directions, if some shapes have a core.
    pub(super) inverse: [[f32; PACKET]; 2],
    /// The lowest bound of each ray, the place of its shape as bits, and the second lowest bound.
    /// The lowest bounds of lanes beyond the last ray are 0.
    pub(super) lowest: [f32; PACKET],
    pub(super) shape: [f32; PACKET],
    pub(super) second: [f32; PACKET],
}

impl Packet {
    /// Rays that have met nothing.
    pub(super) const NONE: Self = Self {
        direction: [[0.0; PACKET]; 2],
        inverse: [[0.0; PACKET]; 2],
        lowest: [f32::INFINITY; PACKET],
        shape: [0.0; PACKET],
        second: [f32::INFINITY; PACKET],
    };
}

/// The error of bounds, as a share of the distance.
pub(super) const PACKET_SLACK: f32 = 2.0 * F32_SLACK as f32;
