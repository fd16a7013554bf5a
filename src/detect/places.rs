//! Shapes in the order of a grid: what the narrowphase reads.

use crate::{
    grid::{Grid, grow},
    narrowphase::{Set, View},
    parallel::{self, Divide},
    solid::{Class, Placed},
};

/// The shapes of a grid, by the places that its sweep finds pairs of.
///
/// Rows of a pair may be anywhere in the caller's columns; places of a pair are near each other, and
/// near those of the next. So each shape is brought here once, instead of waiting for it in each of its
/// pairs.
#[derive(Debug, Default)]
pub(super) struct Places {
    placed: Vec<Placed>,
    /// What the sweep is to call each place: its number, or the complement of it.
    numbers: Vec<u32>,
    /// The class of all shapes, if it is one and known.
    only: Option<Class>,
    /// The places that are in use.
    len: usize,
}

/// Shapes that are brought here by one task.
const CHUNK: usize = 1 << 12;

impl Places {
    /// Takes the shapes of `grid`, whose ids are rows of `view`, or, if `complements` says so, the
    /// complements of rows.
    pub(super) fn fill(&mut self, grid: &Grid, view: View<'_>, complements: bool, threads: bool) {
        self.number(grid, complements);
        let Self { placed, only, len, .. } = self;
        *only = view.only_class();
        *len = grid.sorted.places();
        grow(placed, *len);
        let (ids, placed) = (&grid.sorted.ids()[..*len], &mut placed[..*len]);
        parallel::run(Place { view, ids, complements, placed }, threads);
    }

    /// Sees to it that there are numbers, or the complements of them, for all places of `grid`.
    pub(super) fn number(&mut self, grid: &Grid, complements: bool) {
        let known = self.numbers.len();
        grow(&mut self.numbers, grid.sorted.ids().len());
        for (place, number) in self.numbers.iter_mut().enumerate().skip(known) {
            *number = if complements { !(place as u32) } else { place as u32 };
        }
    }

    /// What a sweep over `grid` is to call the bodies.
    pub(super) fn numbers(&self, grid: &Grid) -> &[u32] {
        &self.numbers[..grid.sorted.ids().len()]
    }

    /// The shapes, which are those of `grid`.
    pub(super) fn set<'a>(&'a self, grid: &'a Grid, view: View<'a>, complements: bool) -> Set<'a> {
        let (placed, ids) = (&self.placed[..self.len], Some(grid.sorted.ids()));
        Set { view, placed, columns: None, only: self.only, ids, complements }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let numbers = self.numbers.capacity() * size_of::<u32>();
        self.placed.capacity() * size_of::<Placed>() + numbers
    }
}

/// Some places in a row.
struct Place<'a> {
    view: View<'a>,
    ids: &'a [u32],
    complements: bool,
    placed: &'a mut [Placed],
}

impl Divide for Place<'_> {
    fn tasks(&self) -> usize {
        self.ids.len().div_ceil(CHUNK)
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let (ids, more_ids) = self.ids.split_at(tasks * CHUNK);
        let (placed, more_placed) = self.placed.split_at_mut(tasks * CHUNK);
        (Place { ids, placed, ..self }, Place { ids: more_ids, placed: more_placed, ..self })
    }

    fn work(self) {
        let Self { view, ids, complements, placed } = self;
        if complements {
            view.place(ids.iter().map(|id| !id), placed);
        } else {
            view.place(ids.iter().copied(), placed);
        }
    }
}
