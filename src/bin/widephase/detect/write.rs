//! Pairs as they are found.

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
};

use anyhow::{Context, Error, Result};
use csv::{ErrorKind, Writer};
use widephase::Pair;

/// Writes pairs as CSV, buffered.
pub(super) struct PairWriter {
    writer: Writer<Box<dyn Write>>,
    /// The output's name, for messages.
    name: String,
    /// The first write that failed. The sweep calls back for every pair and cannot be stopped, so
    /// the rest is dropped.
    failed: Option<csv::Error>,
}

impl PairWriter {
    /// Creates the file, or takes standard output, and writes the header `a,b`.
    pub(super) fn open(path: Option<&Path>) -> Result<Self> {
        let (name, output): (_, Box<dyn Write>) = match path {
            Some(path) => {
                let name = path.display().to_string();
                let file = File::create(path).with_context(|| name.clone())?;
                (name, Box::new(file))
            }
            None => ("standard output".to_owned(), Box::new(io::stdout().lock())),
        };
        let mut writer = csv::WriterBuilder::new().buffer_capacity(1 << 16).from_writer(output);
        let failed = writer.write_record(["a", "b"]).err();
        Ok(Self { writer, name, failed })
    }

    /// Writes one pair.
    pub(super) fn write(&mut self, Pair { a, b }: Pair) {
        if self.failed.is_none() {
            self.failed = self.writer.serialize((a, b)).err();
        }
    }

    /// Writes what is still in the buffer; tells of the first write that failed.
    pub(super) fn finish(mut self) -> Result<()> {
        let result = match self.failed.take().map(csv::Error::into_kind) {
            Some(ErrorKind::Io(error)) => Err(error),
            Some(other) => Err(io::Error::other(format!("{other:?}"))),
            None => self.writer.flush(),
        };
        result.map_err(Error::new).context(self.name)
    }
}
