//! The rows of a Parquet file as text, which is read as any other table.

use std::{
    io::{self, Read},
    sync::Arc,
};

use anyhow::{Context, Result, ensure};
use csv::WriterBuilder;
use parquet::{
    basic::{ConvertedType, Repetition, Type as Physical},
    file::reader::{FileReader, SerializedFileReader},
    record::{Field, reader::RowIter},
    schema::types::Type,
};

/// How many rows are text at a time.
const ROWS: usize = 256;

/// The columns of plain values as CSV, with a header. Lists, structures and bytes are left out.
/// Parquet is read from its end, so the bytes of `input` go into a temporary file without a name.
pub(super) fn text(mut input: Box<dyn Read>, delimiter: u8) -> Result<Box<dyn Read>> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut input, &mut file)?;
    let reader = SerializedFileReader::new(file).context("not a Parquet file")?;
    let schema = reader.metadata().file_metadata().schema();
    let columns: Vec<_> =
        schema.get_fields().iter().filter(|column| is_plain(column)).cloned().collect();
    ensure!(!columns.is_empty(), "no column has numbers or text");
    let names = columns.iter().map(|column| column.name());
    let mut header = WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
    header.write_record(names)?;
    let header = header.into_inner()?;
    let projected = Type::group_type_builder(schema.name()).with_fields(columns).build()?;
    let rows = RowIter::from_file_into(Box::new(reader)).project(Some(projected))?;
    Ok(Box::new(Text { rows, delimiter, part: header, read: 0 }))
}

/// Whether each row has one number or text in a column.
fn is_plain(column: &Arc<Type>) -> bool {
    let info = column.get_basic_info();
    let is_text = matches!(
        info.converted_type(),
        ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON | ConvertedType::DECIMAL
    );
    let is_one = column.is_primitive() && info.repetition() != Repetition::REPEATED;
    is_one && (column.get_physical_type() != Physical::BYTE_ARRAY || is_text)
}

/// Rows that become text when they are read.
struct Text {
    rows: RowIter<'static>,
    delimiter: u8,
    /// The text of some rows, and how much of it has been read.
    part: Vec<u8>,
    read: usize,
}

impl Read for Text {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.part.len() {
            self.refill()?;
        }
        let len = (&self.part[self.read..]).read(buffer)?;
        self.read += len;
        Ok(len)
    }
}

impl Text {
    /// Makes the text of the next rows. At the end there is no batch.
    fn refill(&mut self) -> io::Result<()> {
        self.part.clear();
        self.read = 0;
        let mut writer = WriterBuilder::new().delimiter(self.delimiter).from_writer(&mut self.part);
        for row in self.rows.by_ref().take(ROWS) {
            for (_, field) in row.map_err(io::Error::other)?.get_column_iter() {
                writer.write_field(value(field))?;
            }
            writer.write_record(None::<&[u8]>)?;
        }
        writer.flush()
    }
}

/// A value as text, from which the same number is read.
fn value(field: &Field) -> String {
    match field {
        Field::Null => String::new(),
        Field::Float16(number) => f64::from(*number).to_string(),
        Field::Float(number) => f64::from(*number).to_string(),
        Field::Double(number) => number.to_string(),
        Field::Str(text) => text.clone(),
        other => other.to_string(),
    }
}
