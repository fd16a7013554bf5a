//! The records of events.

use crate::Handle;

/// A pair of bodies that touch since this step, or still do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PairEvent {
    /// The bodies, the smaller handle first.
    pub a: Handle,
    /// The other body.
    pub b: Handle,
    /// The values of the caller of both.
    pub user_a: u64,
    /// That of the other body.
    pub user_b: u64,
    /// Whether one of them is a sensor: they overlap, and have no contact.
    pub sensor: bool,
    /// The place of the pair in [`Step::pairs`](crate::Step::pairs).
    pub index: u32,
}

/// A pair of bodies that touched in the last step and no longer does. The bodies may be gone; the
/// record has their handles and values all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StopEvent {
    /// The bodies, the smaller handle first.
    pub a: Handle,
    /// The other body.
    pub b: Handle,
    /// The values of the caller of both.
    pub user_a: u64,
    /// That of the other body.
    pub user_b: u64,
    /// Why it stopped.
    pub reason: StopReason,
}

/// Why a pair of bodies no longer touches: the first of these that applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum StopReason {
    /// One of the bodies was removed.
    Removed,
    /// Their filters no longer let them meet, or both became static.
    Filtered,
    /// The shape of one of them was replaced, and they are apart.
    Changed,
    /// They moved apart.
    Apart,
}
