//! The filters of the rows of a store.

use super::Shapes;
use crate::{
    error::{Error, Field},
    filter::Filter,
    store::Columns,
};

impl Shapes {
    /// Sets the [filter](Filter) of the shape in row `index`. It stays when the shape is replaced
    /// or moved, and is the default filter again after the shape has been removed.
    ///
    /// O(1) time. The first call makes the filters of all rows, 32 bytes each.
    ///
    /// # Errors
    /// [`Error::NoSuchShape`], also for a vacant row.
    ///
    /// ```
    /// use widephase::{Detector, Filter, Shapes, shape::Circle};
    ///
    /// let mut shapes = Shapes::from_slice(&[Circle::new([0.0, 0.0], 1.0); 3])?;
    /// shapes.set_filter(0, Filter::ALL.in_group(-1))?;
    /// shapes.set_filter(2, Filter::ALL.in_group(-1))?;
    /// assert_eq!(Detector::new().count(&shapes)?, 2); // not 0 and 2
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn set_filter(&mut self, index: u32, filter: Filter) -> Result<(), Error> {
        let row = self.occupied(index)?;
        if self.filters.is_empty() {
            self.ask_for_records()?;
        }
        self.make_filters();
        self.filters[row] = filter;
        Ok(())
    }

    /// Sets the filters of all rows, vacant rows included: a shape that fills a vacant row has the
    /// filter of the row.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] for [`Field::Filter`] unless there is a filter for each row; the
    /// filters are then as before.
    pub fn set_filters(&mut self, filters: &[Filter]) -> Result<(), Error> {
        Field::Filter.check_len(filters.len(), self.rows())?;
        if self.filters.capacity() < filters.len() {
            self.ask_for_records()?;
        }
        self.filters.clear();
        self.filters.extend_from_slice(filters);
        Ok(())
    }

    /// The filter of the shape in row `index`. `None` if the row is vacant or does not exist.
    pub fn filter(&self, index: u32) -> Option<Filter> {
        self.kind(index)?;
        Some(self.filters.get(index as usize).copied().unwrap_or_default())
    }

    /// Whether the filter of a row makes it a sensor.
    pub(crate) fn is_sensor(&self, row: u32) -> bool {
        self.filters.get(row as usize).is_some_and(|filter| filter.sensor)
    }

    /// The filter of each row, if any has been set.
    pub(super) fn row_filters(&self) -> Option<&[Filter]> {
        (!self.filters.is_empty()).then_some(&self.filters[..])
    }

    /// Makes the filters of all rows if there are none yet.
    fn make_filters(&mut self) {
        if self.filters.is_empty() {
            self.filters.resize(self.kinds.len(), Filter::ALL);
        }
    }

    /// Gives the last rows the filters of the rows `from` of `columns`, of which they are copies.
    pub(super) fn copy_filters(
        &mut self,
        columns: &Columns<'_>,
        from: impl ExactSizeIterator<Item = usize>,
    ) {
        let Some(filters) = columns.filtering.filters else { return };
        self.make_filters();
        let first = self.filters.len() - from.len();
        for (filter, row) in self.filters[first..].iter_mut().zip(from) {
            *filter = filters[row];
        }
    }
}
