//! Writes lists as CSV.

use std::io;

use anyhow::{Context, Result};
use csv::{ErrorKind, Writer, WriterBuilder};
use widephase::Pair;

use super::{bodies::Bodies, list::Listed, target::Target};

/// Writes CSV, buffered.
pub(super) struct ListWriter<'a> {
    writer: Writer<Target>,
    /// The row numbers of the shapes in the list.
    bodies: &'a Bodies,
    /// The output's name, for messages.
    name: String,
}

impl<'a> ListWriter<'a> {
    /// Writes the header of a list about `bodies` to `target`.
    pub(super) fn new<T: Listed>(target: Target, bodies: &'a Bodies) -> Result<Self> {
        let name = target.name.clone();
        let mut builder = WriterBuilder::new();
        let writer = builder.has_headers(false).buffer_capacity(1 << 16).from_writer(target);
        let mut list = Self { writer, bodies, name };
        let written = list.writer.write_record(T::HEADER);
        list.told(written)?;
        Ok(list)
    }

    /// Writes one pair or contact. Shapes are identified by their row numbers.
    pub(super) fn write<T: Listed>(&mut self, item: &T) -> Result<()> {
        let Pair { a, b } = item.pair();
        let rows = [a, b].map(|shape| self.bodies.first_row(shape));
        let written = self.writer.serialize((rows, item.cells()));
        self.told(written)
    }

    /// Flushes the buffer and completes the output.
    pub(super) fn finish(self) -> Result<()> {
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
