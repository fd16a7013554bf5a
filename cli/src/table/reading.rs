//! How a file of shapes is read, and which shapes it may have.

use std::str;

use anyhow::Result;
#[cfg(feature = "maps")]
use anyhow::anyhow;
use widephase::error::Field;

use super::{
    columns::{Column, Names},
    given::Given,
    quote::quoted,
    records::Record,
    rows::{Fault, text},
};
use crate::{args::TableArgs, earth};

/// How a file of shapes is read.
pub(crate) struct Reading<'a> {
    pub(crate) table: &'a TableArgs,
    /// The column of the names of rows; of GeoJSON the property, or `id`.
    pub(crate) id: Option<&'a str>,
    /// Whether all shapes have to be places on the globe, in degrees.
    pub(crate) metres: bool,
    /// Whether names have to be UTF-8, as they are written as JSON.
    pub(crate) json: bool,
}

impl Reading<'_> {
    /// The column of the names of rows, if they have names.
    pub(crate) fn id_column(&self, names: &Names) -> Result<Option<Column>> {
        let hint = "name the column of the names of rows by --id";
        self.id.map(|id| names.required(id, hint)).transpose()
    }

    /// The name of a row, which JSON has to be able to hold.
    pub(crate) fn name<'a, 'r>(
        &self,
        id: &'a Option<Column>,
        record: &'r Record,
    ) -> Result<Option<&'r [u8]>, Fault<'a>> {
        let Some(column) = id else { return Ok(None) };
        let name = text(column, record);
        if self.json && str::from_utf8(name).is_err() {
            let what = "is not UTF-8, as JSON is: save the file as UTF-8, or write CSV";
            return Err(Fault::Value { column, what: format!("{} {what}", quoted(name)) });
        }
        Ok(Some(name))
    }

    /// Checks that a shape is a place on the globe, if it has to be. An error has the field, if a
    /// field is wrong.
    pub(super) fn place(&self, given: &Given) -> Result<(), (Option<Field>, String)> {
        match given {
            _ if !self.metres => Ok(()),
            Given::Box(_, shape) => earth::check(shape),
            other => {
                Err((None, format!("{}, but this is of kind {}", earth::PLACES, other.kind())))
            }
        }
    }

    /// Checks that the geometry of a row is one place, or nothing.
    #[cfg(feature = "maps")]
    pub(super) fn places(&self, shapes: &[Given]) -> Result<()> {
        match shapes {
            [] => Ok(()),
            [one] => self.place(one).map_err(|(_, what)| anyhow!(what)),
            _ if !self.metres => Ok(()),
            more => Err(anyhow!("{}, but this has {} shapes", earth::PLACES, more.len())),
        }
    }
}
