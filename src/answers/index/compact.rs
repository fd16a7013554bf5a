//! Compaction of stores with vacant rows.

use crate::{
    base::{buffer::make_room, held},
    error::Error,
    grid::Ids,
    simd::Isa,
    store::{Checked, Extent, Layout, Rows},
};

/// Copies of the rows of a store that hold a shape, without gaps, so that the later stages need not
/// handle vacant rows.
#[derive(Debug, Default)]
pub(crate) struct Compact {
    columns: [Vec<f32>; 5],
    /// The store row of each copy.
    rows: Vec<u32>,
}

held!(Compact { columns, rows });

impl Compact {
    /// Checks `rows`, and compacts them if some are vacant or not selected. Returns the shapes, and
    /// the row of each shape in the results. If the extent of all rows is known, selected rows get
    /// this extent and are not read.
    pub(crate) fn close<'a>(
        &'a mut self,
        rows: Rows<'a>,
        known: Option<Extent>,
        isa: Isa,
        threads: bool,
    ) -> Result<(Checked<'a>, Ids<'a>), Error> {
        if let Some(selection) = rows.selection {
            let layout = match selection {
                // Consecutive rows are read in place.
                [first, .., last]
                    if last.wrapping_sub(*first) as usize == selection.len() - 1
                        && selection.is_sorted() =>
                {
                    rows.layout.rows(*first as usize..*last as usize + 1)
                }
                _ => rows.layout.copy_rows(selection, &mut self.columns),
            };
            let selected = Rows::closed(layout, selection.len());
            let shapes = match known {
                Some(extent) => selected.within(extent),
                None => selected.check_on(isa, threads)?,
            };
            return Ok((shapes, Ids::List(selection)));
        }
        let shapes = rows.check_on(isa, threads)?;
        let Some(live) = shapes.live else { return Ok((shapes, Ids::Rows)) };
        let (layout, rows) = self.fill(shapes.layout, live, shapes.len);
        Ok((Rows::closed(layout, rows.len()).check_on(isa, threads)?, Ids::List(rows)))
    }

    /// Copies the rows of `layout` whose bit in `live` is set. Returns the copies and the row of
    /// each copy.
    fn fill<'a>(
        &'a mut self,
        layout: Layout<'_>,
        live: &[u64],
        len: usize,
    ) -> (Layout<'a>, &'a [u32]) {
        let Self { columns, rows } = self;
        let filled = live.iter().map(|word| word.count_ones() as usize).sum();
        make_room(rows, filled);
        rows.extend((0..len as u32).filter(|&row| {
            let (word, bit) = (row as usize / 64, row % 64);
            live[word] >> bit & 1 == 1
        }));
        (layout.copy_rows(rows, columns), rows)
    }
}
