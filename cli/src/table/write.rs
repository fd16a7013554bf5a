//! Writes lists as CSV.

use std::io;

use anyhow::{Context, Result};
use csv::{ErrorKind, Writer, WriterBuilder};
use serde::Serialize;

use super::target::Target;

/// Writes CSV, buffered.
pub(crate) struct ListWriter {
    writer: Writer<Target>,
    /// The output's name, for messages.
    name: String,
}

impl ListWriter {
    /// Writes the header of a list to `target`.
    pub(crate) fn new(target: Target, header: &[&str]) -> Result<Self> {
        let name = target.name.clone();
        let mut builder = WriterBuilder::new();
        let writer = builder.has_headers(false).buffer_capacity(1 << 16).from_writer(target);
        let mut list = Self { writer, name };
        let written = list.writer.write_record(header);
        list.told(written)?;
        Ok(list)
    }

    /// Writes one entry.
    pub(crate) fn write(&mut self, cells: impl Serialize) -> Result<()> {
        let written = self.writer.serialize(cells);
        self.told(written)
    }

    /// Flushes the buffer and completes the output.
    pub(crate) fn finish(self) -> Result<()> {
        let result = match self.writer.into_inner() {
            Ok(target) => target.finish(),
            Err(error) => Err(error.into_error()),
        };
        result.context(self.name)
    }

    /// Adds the name of the output to the error of a write.
    fn told(&self, written: csv::Result<()>) -> Result<()> {
        let result = written.map_err(|error| match error.into_kind() {
            ErrorKind::Io(error) => error,
            other => io::Error::other(format!("{other:?}")),
        });
        result.with_context(|| self.name.clone())
    }
}
