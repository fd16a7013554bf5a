//! `Scope`: which shapes a detector pairs; and `RunOptions`: the options of one detection.

use crate::{
    error::Error,
    index::{Index, IndexPart},
    options::{CellSize, GridLevels, Options, Threads, in_memory},
    simd::Isa,
    store::{Columns, Shapes},
};

/// Which shapes a [`Detector`](crate::Detector) pairs: the first argument of its verbs. Each of
/// these values is taken as it is, by `impl Into<Scope>`:
///
/// | value | pairs | `a`, `b` |
/// |---|---|---|
/// | `shapes`: [`Columns`] or `&`[`Shapes`] | of the shapes with each other | rows, `a < b` |
/// | `(shapes, &index)` | of a shape and a shape of the [`Index`] | row of the shapes, row of the index |
/// | `(&index, &other)` | of a shape of one index and a shape of the other | row of `index`, row of `other` |
///
/// Shapes of one side of a tuple are not tested against each other.
///
/// - A set of **shapes** is sorted, then searched.
/// - With an **index**, the shapes are sorted, and the index is searched for each shape. Time is
///   proportional to the number of shapes and pairs, not to the size of the index.
/// - Of **two indexes** nothing is sorted: only the search costs. It is lowest if the first index
///   is the smaller index. Only [`contacts`] and [`for_each_contact`] with a margin and
///   [`swept_pairs`] take the shapes of the first index as a set that they copy and sort: the index
///   is sorted without a margin, and without paths. The detector then keeps 25 bytes a row for
///   them.
///
/// ```
/// use widephase::{Columns, Detector, Index, Pair};
///
/// let (x, y, radius) = ([0.0, 1.0, 9.0], [0.0; 3], [1.0; 3]);
/// let ships = Columns::circles(&x, &y, &radius)?;
/// let rocks = Index::build(Columns::aabbs(&[0.5], &[0.5], &[5.0], &[5.0])?)?;
/// let (mut detector, mut pairs) = (Detector::new(), Vec::new());
/// detector.pairs(ships, &mut pairs)?;
/// assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
/// assert_eq!(detector.count((ships, &rocks))?, 2);
/// assert_eq!(detector.count((&rocks, &Index::build(ships)?))?, 2);
/// # Ok::<(), widephase::Error>(())
/// ```
///
/// [`contacts`]: crate::Detector::contacts
/// [`for_each_contact`]: crate::Detector::for_each_contact
/// [`swept_pairs`]: crate::Detector::swept_pairs
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    pub(crate) sides: ScopeSides<'a>,
}

/// The sets of shapes of a scope.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ScopeSides<'a> {
    One(Columns<'a>),
    WithIndex(Columns<'a>, IndexPart<'a>),
    Indexes([&'a Index; 2]),
}

impl<'a> Scope<'a> {
    /// Shapes with a part of an index.
    pub(crate) fn with_part(shapes: Columns<'a>, part: IndexPart<'a>) -> Self {
        Self { sides: ScopeSides::WithIndex(shapes, part) }
    }

    /// Whether pairs are of two sets.
    pub(crate) fn has_two(&self) -> bool {
        !matches!(self.sides, ScopeSides::One(_))
    }
}

impl<'a> From<Columns<'a>> for Scope<'a> {
    fn from(shapes: Columns<'a>) -> Self {
        Self { sides: ScopeSides::One(shapes) }
    }
}

impl<'a> From<&'a Shapes> for Scope<'a> {
    fn from(shapes: &'a Shapes) -> Self {
        shapes.columns().into()
    }
}

impl<'a> From<(Columns<'a>, &'a Index)> for Scope<'a> {
    fn from((shapes, index): (Columns<'a>, &'a Index)) -> Self {
        Self::with_part(shapes, index.part(0))
    }
}

impl<'a> From<(&'a Shapes, &'a Index)> for Scope<'a> {
    fn from((shapes, index): (&'a Shapes, &'a Index)) -> Self {
        (shapes.columns(), index).into()
    }
}

impl<'a> From<(&'a Index, &'a Index)> for Scope<'a> {
    fn from((index, other): (&'a Index, &'a Index)) -> Self {
        Self { sides: ScopeSides::Indexes([index, other]) }
    }
}

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
