//! Compaction of stores with vacant rows.

use crate::{
    Error,
    grid::Ids,
    kernel::columns::{BoxColumns, CenteredColumns, CircleColumns, RoundedColumns},
    simd::Isa,
    store::{Checked, Layout, Rows},
};

/// Copies of the rows of a store that hold a shape, without gaps, so that the later stages need not
/// handle vacant rows.
#[derive(Debug, Default)]
pub(super) struct Compact {
    columns: [Vec<f32>; 5],
    /// The store row of each copy.
    rows: Vec<u32>,
}

impl Compact {
    /// Checks `rows`, and compacts them if some are vacant or not selected. Returns the shapes, and
    /// the row that each of them has in the results.
    pub(super) fn close<'a>(
        &'a mut self,
        rows: Rows<'a>,
        isa: Isa,
        threads: bool,
    ) -> Result<(Checked<'a>, Ids<'a>), Error> {
        if let Some(selection) = rows.selection {
            let layout = match selection {
                // Consecutive rows are read in place.
                [first, .., last] if (last - first) as usize == selection.len() - 1 => {
                    rows.layout.rows(*first as usize..*last as usize + 1)
                }
                _ => gather_all(&mut self.columns, rows.layout, selection),
            };
            let shapes = Rows::closed(layout, selection.len()).check_on(isa, threads)?;
            return Ok((shapes, Ids::List(selection)));
        }
        let shapes = rows.check_on(isa, threads)?;
        let Some(live) = shapes.live else { return Ok((shapes, Ids::Rows)) };
        let (layout, rows) = self.fill(shapes.layout, live, shapes.len);
        Ok((Rows::closed(layout, rows.len()).check_on(isa, threads)?, Ids::List(rows)))
    }

    /// Copies the rows of `layout` whose bit in `live` is set. Returns the copies and the row of
    /// each.
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
        (gather_all(columns, layout, rows), rows)
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let floats: usize = self.columns.iter().map(Vec::capacity).sum();
        floats * size_of::<f32>() + self.rows.capacity() * size_of::<u32>()
    }
}

/// Copies the rows `rows` of `layout` to `columns`.
fn gather_all<'a>(columns: &'a mut [Vec<f32>; 5], layout: Layout<'_>, rows: &[u32]) -> Layout<'a> {
    let [a, b, c, d, e] = columns;
    match layout {
        Layout::Circles(CircleColumns { x, y, radius }) => Layout::Circles(CircleColumns {
            x: gather(a, x, rows),
            y: gather(b, y, rows),
            radius: gather(c, radius, rows),
        }),
        Layout::Boxes(set) | Layout::Rounded(RoundedColumns { core: set, .. }) => {
            let core = BoxColumns {
                min_x: gather(a, set.min_x, rows),
                min_y: gather(b, set.min_y, rows),
                max_x: gather(c, set.max_x, rows),
                max_y: gather(d, set.max_y, rows),
            };
            match layout {
                Layout::Rounded(RoundedColumns { radius, .. }) => {
                    Layout::Rounded(RoundedColumns { core, radius: gather(e, radius, rows) })
                }
                _ => Layout::Boxes(core),
            }
        }
        Layout::Centered(CenteredColumns { x, y, half_width, half_height }) => {
            Layout::Centered(CenteredColumns {
                x: gather(a, x, rows),
                y: gather(b, y, rows),
                half_width: gather(c, half_width, rows),
                half_height: gather(d, half_height, rows),
            })
        }
    }
}

/// Replaces the content of `to` by the rows `rows` of `from`, and returns it.
fn gather<'a>(to: &'a mut Vec<f32>, from: &[f32], rows: &[u32]) -> &'a [f32] {
    make_room(to, rows.len());
    to.extend(rows.iter().map(|&row| from[row as usize]));
    to
}

/// Clears `list` and makes sure that its capacity is at least `len`. If it grows, it reserves an
/// eighth more than `len` instead of doubling.
fn make_room<T>(list: &mut Vec<T>, len: usize) {
    list.clear();
    if list.capacity() < len {
        list.reserve_exact(len + len / 8);
    }
}
