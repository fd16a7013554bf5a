//! `IndexRows`: the shapes of an index as a set of shapes.

use super::{Scope, scope::ScopeSets};
use crate::{Columns, Error, Index, Shapes, posed::ShapeClass, shape::Kind};

/// The shapes of an index by row, with their filters and spaces, for calls that inflate or move the
/// shapes of the first of two indexes.
#[derive(Debug, Default)]
pub(super) struct IndexRows {
    /// Axis-aligned shapes, since the first call that needs them: an empty store has memory. An
    /// index keeps others by row itself.
    shapes: Option<Shapes>,
    spaces: Vec<u32>,
}

impl IndexRows {
    /// The scope of a call with a margin. Of two indexes, the first one is then a set of shapes.
    pub(super) fn open<'a>(
        &'a mut self,
        scope: Scope<'a>,
        margin: f32,
    ) -> Result<Scope<'a>, Error> {
        match scope.sides {
            ScopeSets::Indexes([index, other]) if margin > 0.0 => {
                Ok((self.read(index)?, other).into())
            }
            _ => Ok(scope),
        }
    }

    /// The shapes of an index, as columns of them.
    pub(super) fn read<'a>(&'a mut self, index: &'a Index) -> Result<Columns<'a>, Error> {
        let Self { shapes, spaces } = self;
        spaces.clear();
        if index.in_spaces() {
            spaces.resize(index.rows(), 0);
            for space in index.spaces() {
                let grid = index.part(space).grid();
                for place in grid.places() {
                    spaces[!grid.sorted.ids()[place] as usize] = space;
                }
            }
        }
        let columns = if index.rotates() {
            index.shapes().columns()
        } else {
            let grids = index.spaces().map(|space| index.part(space).grid());
            let bodies = grids.flat_map(|grid| {
                let (layout, ids) = (grid.sorted.layout(grid.form), grid.sorted.ids());
                grid.places().map(move |place| {
                    let (row, rounded) = (!ids[place], layout.rounded_box(place));
                    let kind = match index.class(row as usize) {
                        ShapeClass::Round if rounded.radius == 0.0 => Kind::Point,
                        ShapeClass::Round => Kind::Circle,
                        _ if rounded.radius == 0.0 => Kind::Aabb,
                        _ => Kind::RoundedBox,
                    };
                    (row, kind, rounded)
                })
            });
            let shapes = shapes.get_or_insert_default();
            shapes.fill_rows(index.rows(), bodies);
            shapes.columns()
        };
        let columns = match index.part(0).filters().rows() {
            Some(filters) => columns.with_filters(filters)?,
            None => columns,
        };
        if spaces.is_empty() { Ok(columns) } else { columns.with_spaces(spaces) }
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        self.shapes.as_ref().map_or(0, Shapes::bytes) + self.spaces.capacity() * size_of::<u32>()
    }
}
