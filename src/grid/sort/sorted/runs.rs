//! The copy that rows need which are in cells of their own, a run of rows each.

use crate::{
    base::buffer::{grow, make_room},
    grid::sort::LayoutKind,
    simd::MAX_LANES,
    store::Layout,
};

use super::Sorted;

impl Sorted {
    /// Replaces all items by rows of `layout`, in this order. Ids are the complements of rows. The
    /// items of cell `c` end at place `ends[c]`, and there are no levels.
    pub(in crate::grid) fn fill_runs(
        &mut self,
        layout: Layout<'_>,
        form: LayoutKind,
        rows: &[u32],
        ends: &[u32],
    ) {
        match (layout, form) {
            (Layout::Circles(circles), LayoutKind::Rounded) => {
                Layout::Rounded(circles.rounded()).copy_rows(rows, &mut self.columns);
            }
            (Layout::Centered(_), _) => self.copy_boxes(layout, rows),
            _ => {
                layout.copy_rows(rows, &mut self.columns);
            }
        }
        (self.places, self.removed) = (rows.len(), 0);
        for column in &mut self.columns {
            if column.len() >= rows.len() {
                grow(column, rows.len() + MAX_LANES);
            }
        }
        make_room(&mut self.ids, rows.len() + MAX_LANES);
        self.ids.extend(rows.iter().map(|row| !row));
        grow(&mut self.ids, rows.len() + MAX_LANES);
        make_room(&mut self.starts, ends.len() + 1);
        self.starts.push(0);
        self.starts.extend_from_slice(ends);
        self.items.fill(0..0);
        self.fullest.clear();
    }

    /// Copies rows of boxes that are given by their centres.
    fn copy_boxes(&mut self, layout: Layout<'_>, rows: &[u32]) {
        let [min_x, min_y, max_x, max_y, _] = &mut self.columns;
        for column in [&mut *min_x, &mut *min_y, &mut *max_x, &mut *max_y] {
            make_room(column, rows.len());
        }
        for &row in rows {
            let sides = layout.rounded_box(row as usize);
            min_x.push(sides.min_x);
            min_y.push(sides.min_y);
            max_x.push(sides.max_x);
            max_y.push(sides.max_y);
        }
    }
}
