//! `Item`: an item of a neighbour list, with or without its distance.

use crate::query::Neighbor;

/// An item of a neighbour list.
pub(crate) trait Item: Copy + Default + Send {
    /// Whether the item has a distance. If not, no distance is computed.
    const HAS_DISTANCE: bool;

    fn new(row: u32, distance: f32) -> Self;
    fn of(near: Neighbor) -> Self;
    fn row(&self) -> u32;
    /// The items, or none if they have no distances.
    fn measured(items: &mut [Self]) -> &mut [Neighbor];
}

impl Item for u32 {
    const HAS_DISTANCE: bool = false;

    #[inline]
    fn new(row: u32, _: f32) -> Self {
        row
    }

    #[inline]
    fn of(near: Neighbor) -> Self {
        near.row
    }

    #[inline]
    fn row(&self) -> u32 {
        *self
    }

    #[inline]
    fn measured(_: &mut [Self]) -> &mut [Neighbor] {
        &mut []
    }
}

impl Item for Neighbor {
    const HAS_DISTANCE: bool = true;

    #[inline]
    fn new(row: u32, distance: f32) -> Self {
        Self { row, distance }
    }

    #[inline]
    fn of(near: Neighbor) -> Self {
        near
    }

    #[inline]
    fn row(&self) -> u32 {
        self.row
    }

    #[inline]
    fn measured(items: &mut [Self]) -> &mut [Neighbor] {
        items
    }
}
