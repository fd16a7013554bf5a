//! `RunOptions`: the options of one detection.

use crate::{
    error::Error,
    options::{CellSize, GridLevels, Options, Threads, in_memory},
    simd::Isa,
};

/// The options of one detection: the options of the caller, or changed options for a detection that
/// is a part of a larger call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunOptions<'a> {
    pub(crate) isa: Isa,
    /// Whether shapes that touch without overlapping are pairs.
    pub(crate) inclusive: bool,
    pub(crate) threads: Threads,
    pub(crate) cell_size: CellSize,
    pub(crate) grid_levels: &'a GridLevels,
    pub(crate) max_pairs: usize,
    pub(crate) max_contacts: usize,
    /// Whether each pair comes with its distance: see [`list_near`](super::list_near). Not for
    /// contacts.
    pub(crate) distances: bool,
}

impl<'a> RunOptions<'a> {
    /// The options of the caller.
    pub(crate) fn of(options: &'a Options) -> Result<Self, Error> {
        Ok(Self {
            isa: options.isa()?,
            inclusive: options.inclusive(),
            threads: options.threads,
            cell_size: options.cell_size,
            grid_levels: &options.grid_levels,
            max_pairs: in_memory(options.max_pairs),
            max_contacts: in_memory(options.max_contacts),
            distances: false,
        })
    }
}
