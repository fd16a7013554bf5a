//! `Deciding`: what decides which copies of shapes meet.

use crate::{Columns, Error, Filter};

/// The filters and worlds of copies of the caller's rows.
#[derive(Debug, Default)]
pub(crate) struct Deciding {
    filters: Vec<Filter>,
    worlds: Vec<u32>,
}

impl Deciding {
    /// Takes the filters and worlds of `rows` from `columns`, as far as it has some.
    pub(crate) fn fill(&mut self, columns: Columns<'_>, rows: impl Iterator<Item = u32> + Clone) {
        let Self { filters, worlds } = self;
        let rows = rows.map(|row| row as usize);
        filters.clear();
        if let Some(all) = columns.filtering.filters {
            filters.extend(rows.clone().map(|row| all[row]));
        }
        worlds.clear();
        if let Some(all) = columns.worlds {
            worlds.extend(rows.map(|row| all[row]));
        }
    }

    /// Attaches the filters, worlds and predicate of `columns` to `copied`. `accept` is the
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
        if columns.worlds.is_some() {
            copied = copied.with_spaces(&self.worlds)?;
        }
        let predicate = columns.filtering.predicate.is_some();
        Ok(if predicate { copied.with_predicate(accept) } else { copied })
    }

    /// The bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        let Self { filters, worlds } = self;
        filters.capacity() * size_of::<Filter>() + worlds.capacity() * size_of::<u32>()
    }
}
