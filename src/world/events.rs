//! The records of events.

use crate::base::{Handle, no_padding};

/// A pair of bodies that touch since this step, or still do.
///
/// Its bytes may be read ([`bytemuck::NoUninit`]): 48, without a gap.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct PairEvent {
    /// The body in the smaller row, as in pairs and contacts: the normal of the contact points from
    /// it to the other body. Rows stay while bodies exist, so the order does, too.
    pub a: Handle,
    /// The body in the larger row.
    pub b: Handle,
    /// The value of the caller of the first body.
    pub user_a: u64,
    /// The value of the other body.
    pub user_b: u64,
    /// The place of the pair in [`Step::pairs`](crate::Step::pairs).
    pub index: u32,
    /// The place of its first contact in [`Step::contacts`](crate::Step::contacts), or
    /// [`NO_CONTACT`](PairEvent::NO_CONTACT). It is of
    /// the same bodies in the same order.
    pub contact: u32,
    /// How fast the bodies approach each other along the normal where they touch, of all their
    /// contact points the fastest: at least 0. It is 0 unless the world knows
    /// [velocities](crate::World::set_velocities).
    pub speed: f32,
    /// 1 if one of the bodies is a sensor, else 0.
    pub(super) senses: u32,
}

impl PairEvent {
    /// The place of the contact of a pair without a contact: a pair with a sensor, or sometimes
    /// with a segment of a chain.
    pub const NO_CONTACT: u32 = u32::MAX;

    /// Whether one of the bodies is a sensor: they overlap, and have no contact.
    pub const fn is_sensor(&self) -> bool {
        self.senses != 0
    }
}

no_padding!(PairEvent { a, b, user_a, user_b, index, contact, speed, senses });

/// A pair of bodies that touched in the last step and no longer does. The bodies may be gone; the
/// record has their handles and values nevertheless.
///
/// Its bytes may be read ([`bytemuck::NoUninit`]): 40, without a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct StopEvent {
    /// The body in the smaller row, as when the pair started.
    pub a: Handle,
    /// The body in the larger row.
    pub b: Handle,
    /// The value of the caller of the first body.
    pub user_a: u64,
    /// The value of the other body.
    pub user_b: u64,
    /// Why it stopped.
    pub reason: StopReason,
}

no_padding!(StopEvent { a, b, user_a, user_b, reason });

/// Why a pair of bodies no longer touches: the first reason that applies. As bytes, a number of
/// eight bytes: 0 to 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u64)]
pub enum StopReason {
    /// One of the bodies was removed.
    Removed,
    /// Their filters no longer let them meet, or both became static.
    Filtered,
    /// The shape of one of the bodies was replaced, and they are apart.
    Changed,
    /// They moved apart.
    Apart,
}

no_padding!(StopReason);
