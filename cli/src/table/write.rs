//! Writes lists as CSV or JSON.

use std::{
    io::{self, BufWriter, Write},
    str,
};

use anyhow::{Context, Result};
use csv::{ErrorKind, Writer, WriterBuilder};
use serde::Serialize;
use widephase::Feature;

use super::target::Target;
use crate::values::ListFormat;

/// The bytes that are written at a time.
const BUFFER: usize = 1 << 16;

/// A value of an entry.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
pub(crate) enum Cell<'a> {
    /// Nothing: the entry does not have the value.
    Empty,
    Whole(u64),
    Single(f32),
    Double(f64),
    /// The bytes of a text from a file. The commands that write JSON take only names in UTF-8.
    #[serde(serialize_with = "text")]
    Text(&'a [u8]),
    /// A vertex or a side in short form: `v3`, `s2`.
    #[serde(serialize_with = "short")]
    Feature(Feature),
}

impl From<Option<f32>> for Cell<'_> {
    fn from(value: Option<f32>) -> Self {
        value.map_or(Self::Empty, Self::Single)
    }
}

impl From<Option<f64>> for Cell<'_> {
    fn from(value: Option<f64>) -> Self {
        value.map_or(Self::Empty, Self::Double)
    }
}

fn short<S: serde::Serializer>(feature: &Feature, serializer: S) -> Result<S::Ok, S::Error> {
    let letter = if feature.is_side() { 's' } else { 'v' };
    serializer.collect_str(&format_args!("{letter}{}", feature.index()))
}

fn text<S: serde::Serializer>(text: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    match str::from_utf8(text) {
        Ok(text) => serializer.serialize_str(text),
        Err(_) => serializer.serialize_bytes(text),
    }
}

/// Writes entries, buffered.
pub(crate) struct ListWriter {
    writer: EntryWriter,
    header: Vec<&'static str>,
    /// The output's name, for messages.
    name: String,
}

enum EntryWriter {
    Csv(Box<Writer<Target>>),
    /// An object a line.
    Json(BufWriter<Target>),
}

impl ListWriter {
    /// Begins a list in `target`, whose entries have these columns.
    pub(crate) fn new(
        target: Target,
        header: Vec<&'static str>,
        format: ListFormat,
    ) -> Result<Self> {
        let name = target.name.clone();
        let writer = match format {
            ListFormat::Csv => {
                let mut builder = WriterBuilder::new();
                let writer = builder.has_headers(false).buffer_capacity(BUFFER);
                EntryWriter::Csv(Box::new(writer.from_writer(target)))
            }
            ListFormat::Json => EntryWriter::Json(BufWriter::with_capacity(BUFFER, target)),
        };
        let mut list = Self { writer, header, name };
        if let EntryWriter::Csv(writer) = &mut list.writer {
            let written = writer.write_record(&list.header).map_err(io_error);
            written.with_context(|| list.name.clone())?;
        }
        Ok(list)
    }

    /// Writes one entry: a cell for each column.
    pub(crate) fn write(&mut self, cells: &[Cell<'_>]) -> Result<()> {
        let written = match &mut self.writer {
            EntryWriter::Csv(writer) => writer.serialize(cells).map_err(io_error),
            EntryWriter::Json(writer) => write_object(writer, &self.header, cells),
        };
        written.with_context(|| self.name.clone())
    }

    /// Flushes the buffer and completes the output.
    pub(crate) fn finish(self) -> Result<()> {
        let target = match self.writer {
            EntryWriter::Csv(writer) => writer.into_inner().map_err(|error| error.into_error()),
            EntryWriter::Json(writer) => writer.into_inner().map_err(|error| error.into_error()),
        };
        target.and_then(Target::finish).context(self.name)
    }
}

/// Writes an object and ends the line.
fn write_object(writer: &mut impl Write, header: &[&str], cells: &[Cell<'_>]) -> io::Result<()> {
    for (number, (name, cell)) in header.iter().zip(cells).enumerate() {
        write!(writer, "{}\"{name}\":", if number == 0 { '{' } else { ',' })?;
        serde_json::to_writer(&mut *writer, cell)?;
    }
    writer.write_all(b"}\n")
}

fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
