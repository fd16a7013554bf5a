//! `SortedShapes`: an index in `f32`, in `f64`, or both, made when they are first asked.

use std::sync::{Arc, OnceLock};

use widephase::{Error, Index, IndexOptions, doubles::DoubleIndex};

use crate::{errors::Failure, held::Held, memory};

/// An index takes about so many bytes for each row.
const BYTES_OF_A_ROW: usize = 128;

/// Shapes that are sorted once. Any number of threads share the parts that do not change.
#[derive(Debug)]
pub struct SortedShapes {
    /// A copy, because the arrays may change; `None` if there is only the index in `f32`.
    shapes: Option<Arc<Held>>,
    options: IndexOptions,
    /// The origin of the index in `f32`.
    origin: [f64; 2],
    single: OnceLock<Result<Index, Error>>,
    double: OnceLock<Result<DoubleIndex, Error>>,
}

impl SortedShapes {
    /// Sorts shapes: shapes of `f64` exactly, if the library can.
    pub fn build(shapes: &Held, options: IndexOptions) -> Result<Self, Failure> {
        let copied = shapes.copied()?;
        let origin = copied.origin()?;
        let (single, double) = (OnceLock::new(), OnceLock::new());
        let sorted = Self { shapes: Some(Arc::new(copied)), options, origin, single, double };
        let built = if sorted.is_exact() {
            sorted.double().map(|_| ())
        } else {
            sorted.single().map(|_| ())
        };
        built.map_err(|error| shapes.failure(error))?;
        Ok(sorted)
    }

    /// An index that exists already.
    pub fn of(index: Index, origin: [f64; 2]) -> Self {
        let options = *index.options();
        let (single, double) = (OnceLock::from(Ok(index)), OnceLock::new());
        Self { shapes: None, options, origin, single, double }
    }

    /// The same shapes, not sorted yet; without shapes, a copy of the index. It waits for nobody: in
    /// a process that was forked, threads that do not exist may have been making parts of it.
    pub fn fresh(&self) -> Result<Self, Error> {
        let Self { shapes, options, origin, .. } = self;
        match (shapes, self.single.get()) {
            (None, Some(Ok(index))) => {
                memory::ask(index.rows().saturating_mul(BYTES_OF_A_ROW))?;
                Ok(Self::of(index.clone(), *origin))
            }
            _ => Ok(Self {
                shapes: shapes.clone(),
                options: *options,
                origin: *origin,
                single: OnceLock::new(),
                double: OnceLock::new(),
            }),
        }
    }

    /// Whether there is the index in `f64`, or in `f32`.
    pub fn has(&self, exact: bool) -> bool {
        if exact { self.double.get().is_some() } else { self.single.get().is_some() }
    }

    /// Whether the shapes were given in `f64` and are decided in it.
    pub fn is_exact(&self) -> bool {
        self.shapes.as_ref().is_some_and(|shapes| shapes.is_double() && shapes.can_be_exact())
    }

    /// Whether positions that are answered are `f64`.
    pub fn is_double(&self) -> bool {
        match &self.shapes {
            Some(shapes) => shapes.is_double(),
            None => self.origin != [0.0; 2],
        }
    }

    /// Whether a shape may have a filter. Bodies of a world have.
    pub fn has_filters(&self) -> bool {
        self.shapes.as_ref().is_none_or(|shapes| shapes.filters().is_some())
    }

    /// Whether the answers for these shapes are decided in `f64`.
    pub fn is_exact_for(&self, queries: &Held) -> bool {
        let can = self.shapes.as_ref().is_some_and(|shapes| shapes.can_be_exact())
            && queries.can_be_exact();
        can && (self.is_double() || queries.is_double())
    }

    pub fn origin(&self) -> [f64; 2] {
        self.origin
    }

    pub fn rows(&self) -> usize {
        match &self.shapes {
            Some(shapes) => shapes.len(),
            None => self.single.get().map_or(0, |single| single.as_ref().map_or(0, Index::rows)),
        }
    }

    /// The index in `f32`.
    pub fn single(&self) -> Result<&Index, Error> {
        get_or_build(&self.single, || {
            let mut index = Index::with_options(self.options)?;
            if let Some(shapes) = &self.shapes {
                shapes.relative(self.origin, |columns| index.rebuild(columns))?;
            }
            Ok(index)
        })
    }

    /// The index in `f64`.
    pub fn double(&self) -> Result<&DoubleIndex, Error> {
        get_or_build(&self.double, || {
            let mut index = DoubleIndex::with_options(self.options)?;
            if let Some(shapes) = &self.shapes {
                shapes.exact(|columns| index.rebuild(columns))?;
            }
            Ok(index)
        })
    }

    /// The shapes as they were given.
    pub fn shapes(&self) -> Option<&Held> {
        self.shapes.as_deref()
    }

    /// The bytes of the indexes.
    pub fn bytes(&self) -> usize {
        let single = self.single.get().and_then(|index| index.as_ref().ok()).map(Index::bytes);
        let double = self.double.get().and_then(|index| index.as_ref().ok());
        single.unwrap_or(0) + double.map_or(0, DoubleIndex::bytes)
    }
}

/// The index that is there, or the index that `build` makes. Two threads may both make it, and one
/// index is dropped: if threads of a pool waited for each other, a thread could wait for itself.
fn get_or_build<T>(
    cell: &OnceLock<Result<T, Error>>,
    build: impl FnOnce() -> Result<T, Error>,
) -> Result<&T, Error> {
    let made = match cell.get() {
        Some(made) => made,
        None => {
            let built = build();
            cell.get_or_init(|| built)
        }
    };
    made.as_ref().map_err(Clone::clone)
}
