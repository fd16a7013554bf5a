//! `CopiedFilters`: the filters and spaces that decide which copies of shapes meet.

use crate::{base::held, error::Error, filter::Filter, store::Columns};

/// The filters and spaces of copies of the caller's rows.
#[derive(Debug, Default)]
pub(crate) struct CopiedFilters {
    filters: Vec<Filter>,
    spaces: Vec<u32>,
}

held!(CopiedFilters { filters, spaces });

impl CopiedFilters {
    /// Takes the filters and spaces of `rows` from `columns`, if it has any.
    pub(crate) fn fill(&mut self, columns: Columns<'_>, rows: impl Iterator<Item = u32> + Clone) {
        let Self { filters, spaces } = self;
        let rows = rows.map(|row| row as usize);
        filters.clear();
        if let Some(all) = columns.filtering.filters {
            filters.extend(rows.clone().map(|row| all[row]));
        }
        spaces.clear();
        if let Some(all) = columns.spaces {
            spaces.extend(rows.map(|row| all[row]));
        }
    }

    /// Attaches the filters, spaces and predicate of `columns` to `copied`. `accept` is the
    /// predicate for two copies.
    pub(crate) fn give<'a>(
        &'a self,
        columns: Columns<'_>,
        mut copied: Columns<'a>,
        accept: &'a (dyn Fn(u32, u32) -> bool + Sync),
    ) -> Result<Columns<'a>, Error> {
        if columns.filtering.filters.is_some() {
            copied = copied.with_filters(&self.filters)?;
        }
        if columns.spaces.is_some() {
            copied = copied.with_spaces(&self.spaces)?;
        }
        let predicate = columns.filtering.predicate.is_some();
        Ok(if predicate { copied.with_predicate(accept) } else { copied })
    }
}
