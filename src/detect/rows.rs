//! Shapes that only columns hold, as the narrowphase reads them.

use crate::{
    buffer::grow,
    narrowphase::{Set, View},
    parallel::{self, Divide},
    posed::{Class, Placed},
};

/// Axis-aligned shapes by their rows, placed.
///
/// A store of shapes that turn keeps its rows so, and they are read where they are. (Copied into the order of the grid
/// instead, rows of a pair are near each other; but that is a pass that waits for each of them, too, and memory for
/// all: docs/performance-log.md.)
#[derive(Debug, Default)]
pub(super) struct PlacedRows {
    placed: Vec<Placed>,
    /// How many of them there are now.
    len: usize,
    /// The class of all, if it is one and known.
    only: Option<Class>,
}

/// Rows that are placed by one task.
const CHUNK: usize = 1 << 12;

impl PlacedRows {
    /// Places the first `len` rows of `view`.
    pub(super) fn fill(&mut self, view: View<'_>, len: usize, threads: bool) {
        let Self { placed, only, .. } = self;
        *only = view.only_class();
        self.len = len;
        grow(placed, len);
        parallel::run(Place { view, first: 0, placed: &mut placed[..len] }, threads);
    }

    /// The rows, which are those of `view`, or of one that is no more.
    pub(super) fn set<'a>(&'a self, view: View<'a>) -> Set<'a> {
        Set::placed(view, &self.placed[..self.len], self.only)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.placed.capacity() * size_of::<Placed>()
    }
}

/// Some rows one after the other.
struct Place<'a> {
    view: View<'a>,
    first: usize,
    placed: &'a mut [Placed],
}

impl Divide for Place<'_> {
    fn tasks(&self) -> usize {
        self.placed.len().div_ceil(CHUNK)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let Self { view, first, placed } = self;
        let (placed, rest) = placed.split_at_mut(tasks * CHUNK);
        (Place { view, first, placed }, Place { view, first: first + tasks * CHUNK, placed: rest })
    }

    fn work(self) {
        let Self { view, first, placed } = self;
        view.place(first as u32.., placed);
    }
}
