//! `IndexRows`: the shapes of an index as a set of shapes.

use crate::{
    base::held,
    detect::{Scope, ScopeSides},
    error::Error,
    index::Index,
    store::{Columns, Shapes},
};

/// The shapes of an index by row, with their filters and spaces, for calls that inflate or move the
/// shapes of the first of two indexes.
#[derive(Debug, Default)]
pub(super) struct IndexRows {
    /// Axis-aligned shapes, since the first call that needs them: an empty store has memory. An
    /// index keeps rotated shapes by row itself.
    shapes: Option<Shapes>,
    spaces: Vec<u32>,
}

held!(IndexRows { shapes, spaces });

impl IndexRows {
    /// The scope of a call with a margin. The first of two indexes is then a set of shapes. It is a
    /// set of shapes as well if some of its shapes have changed.
    pub(super) fn open<'a>(
        &'a mut self,
        scope: Scope<'a>,
        margin: f32,
    ) -> Result<Scope<'a>, Error> {
        if let ScopeSides::Indexes([index, _]) = scope.sides {
            index.ready()?;
        }
        match scope.sides {
            ScopeSides::Indexes([index, other]) if margin > 0.0 || index.has_changed() => {
                Ok((self.read(index)?, other).into())
            }
            _ => Ok(scope),
        }
    }

    /// The shapes of an index, as columns of them.
    pub(super) fn read<'a>(&'a mut self, index: &'a Index) -> Result<Columns<'a>, Error> {
        let Self { shapes, spaces } = self;
        index.ready()?;
        spaces.clear();
        if index.in_spaces() {
            spaces.resize(index.rows(), 0);
            for part in index.parts() {
                for place in part.grid().live_places() {
                    spaces[!part.ids()[place] as usize] = part.space();
                }
            }
        }
        let columns = if index.has_store() {
            index.shapes().columns()
        } else {
            let shapes = shapes.get_or_insert_default();
            shapes.fill_rows(index.rows(), index.aligned_rows());
            shapes.columns()
        };
        let columns = match index.filters().rows() {
            Some(filters) => columns.with_filters(filters)?,
            None => columns,
        };
        if spaces.is_empty() { Ok(columns) } else { columns.with_spaces(spaces) }
    }
}
