//! The rows of a file, below its header. Every error names file, line and column.

use std::{io::Read, str};

use anyhow::{Context, Error, Result, anyhow, ensure};
use widephase::error::{self, Field};

#[cfg(feature = "parquet")]
use super::parquet;
use super::{
    columns::{Column, Names},
    input::{Form, Input},
    quote::{count, quoted},
    records::{Record, Records},
};
#[cfg(not(feature = "parquet"))]
use crate::off::TURN_ON;

/// The fault of a row.
pub(crate) enum Fault<'a> {
    /// A wrong value.
    Value { column: &'a Column, what: String },
    /// A fault of the row as a whole.
    Row(Error),
}

/// A file whose header has been read.
pub(crate) struct Rows {
    records: Records,
    names: Names,
    /// The line of the header.
    line: u64,
}

impl Rows {
    /// Reads the header of a file, and the rows by `read`.
    pub(crate) fn read<T>(
        input: Input,
        delimiter: u8,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let Input { name, reader, form, bar } = input;
        let reader = match form {
            #[cfg(feature = "parquet")]
            Form::Parquet => parquet::text(reader, delimiter),
            #[cfg(not(feature = "parquet"))]
            Form::Parquet => Err(anyhow!("a Parquet file; to read it, {TURN_ON}")),
            Form::Other(what) => Err(anyhow!(what)),
            Form::Text | Form::Json => Ok(reader),
        };
        let rows = reader.and_then(|reader| Self::new(reader, delimiter));
        let result = rows.and_then(|mut rows| read(&mut rows));
        bar.finish_and_clear();
        result.context(name)
    }

    fn new(reader: Box<dyn Read>, delimiter: u8) -> Result<Self> {
        let (mut records, mut names) = (Records::new(reader, delimiter)?, Record::header());
        ensure!(records.next(&mut names)?, "empty, there is not even a header");
        Ok(Self { records, names: Names::new(&names), line: names.last_line })
    }

    /// Finds the columns by `find`.
    pub(crate) fn columns<T>(&self, find: impl FnOnce(&Names) -> Result<T>) -> Result<T> {
        find(&self.names).with_context(|| place(self.line))
    }

    /// The names in the header.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// Calls `take` with each row, which has the values of the columns that were found.
    pub(crate) fn each<'a>(
        &mut self,
        mut take: impl FnMut(&Record) -> Result<(), Fault<'a>>,
    ) -> Result<()> {
        let mut record = Record::row(self.names.used());
        while self.records.next(&mut record)? {
            take(&record).map_err(|fault| fault.of(&record))?;
        }
        Ok(())
    }

    /// The last line that was read, as errors name it.
    pub(crate) fn place(&self) -> String {
        place(self.records.line())
    }
}

impl Fault<'_> {
    /// The error, which names the line of the row.
    pub(crate) fn of(self, record: &Record) -> Error {
        let place = place(record.last_line);
        match self {
            Self::Value { column, what } => anyhow!("{place}, {column}: {what}"),
            Self::Row(error) => error.context(place),
        }
    }
}

/// Checks that a row has as many values as the header has columns.
pub(crate) fn whole<'a>(record: &Record, columns: usize) -> Result<(), Fault<'a>> {
    if record.len() == columns { Ok(()) } else { Err(Fault::Row(unequal(columns, record))) }
}

fn place(line: u64) -> String {
    format!("line {line}")
}

/// The number of rows, and the number of each kind: `3 rows (2 circle, 1 point)`.
pub(crate) fn tally<'a>(kinds: impl IntoIterator<Item = (&'a str, u64)>) -> String {
    let kinds = kinds.into_iter().filter(|(_, rows)| *rows > 0);
    let (shown, rows): (Vec<String>, Vec<u64>) =
        kinds.map(|(kind, rows)| (format!("{rows} {kind}"), rows)).unzip();
    format!("{} ({})", count(rows.iter().sum(), "row"), shown.join(", "))
}

/// The error for a row that is longer or shorter than the header.
fn unequal(columns: usize, record: &Record) -> Error {
    let values = count(record.len() as u64, "value");
    let mut what = format!("{values}, but the header has {columns}");
    if record.first_line < record.last_line {
        what += &format!("; in quotes, the row goes on from line {}", record.first_line);
    }
    let is_digits = |value: &&[u8]| !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    let parts = record.iter().skip(1).filter(is_digits).count();
    if record.len() > columns && parts >= record.len() - columns {
        what += "; if numbers have a decimal comma: they need a point";
    }
    anyhow!(what)
}

/// A row and its kind.
#[derive(Clone, Copy)]
pub(crate) struct Row<'r> {
    pub(crate) record: &'r Record,
    /// The name of a row in messages: a row, or a query.
    pub(crate) noun: &'static str,
    pub(crate) kind: &'static str,
}

impl Row<'_> {
    /// A number that the row must have.
    pub(crate) fn number<'a>(&self, column: &'a Column) -> Result<f64, Fault<'a>> {
        let text = text(column, self.record);
        let number = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
        number.ok_or_else(|| match text {
            b"" => self.empty(column),
            text => {
                let mut what = format!("{} is not a number", quoted(text));
                let pointed = String::from_utf8_lossy(text).replacen(',', ".", 1);
                if pointed.parse::<f64>().is_ok() {
                    what += "; if it has a decimal comma: it needs a point";
                }
                Fault::Value { column, what }
            }
        })
    }

    /// Whether a column exists and has a value in this row.
    pub(crate) fn has(&self, column: Option<&Column>) -> bool {
        column.is_some_and(|column| !text(column, self.record).is_empty())
    }

    /// The error for a missing value that the row must have. `name` is for a column that does not
    /// exist.
    pub(crate) fn missing<'a>(&self, name: &str, column: Option<&'a Column>) -> Fault<'a> {
        let Self { noun, kind, .. } = self;
        match column {
            Some(column) => self.empty(column),
            None => Fault::Row(anyhow!(
                "the {noun} is of kind {kind}, and there is no column \"{name}\""
            )),
        }
    }

    /// The error for an empty value.
    pub(crate) fn empty<'a>(&self, column: &'a Column) -> Fault<'a> {
        let what = format!("empty, but the {} is of kind {}", self.noun, self.kind);
        Fault::Value { column, what }
    }

    /// The error for a value that the library refuses.
    pub(crate) fn refused<'a>(&self, column: &'a Column, fault: error::Fault) -> Fault<'a> {
        let what = format!("{} is refused: {fault}", quoted(text(column, self.record)));
        Fault::Value { column, what }
    }

    /// Converts the result of passing the values to the library, with the column of a field.
    pub(crate) fn taken<'a, T>(
        &self,
        result: Result<T, widephase::Error>,
        find: impl Fn(Field) -> Option<&'a Column>,
    ) -> Result<T, Fault<'a>> {
        result.map_err(|error| self.fault(error, find))
    }

    /// The error for refused values, with the column that `find` returns.
    pub(crate) fn fault<'a>(
        &self,
        error: widephase::Error,
        find: impl Fn(Field) -> Option<&'a Column>,
    ) -> Fault<'a> {
        use widephase::Error::{InvalidQuery, InvalidShape};
        let (InvalidShape { field, value, fault, .. } | InvalidQuery { field, value, fault, .. }) =
            error
        else {
            return Fault::Row(error.into());
        };
        match find(field) {
            Some(column) => self.refused(column, fault),
            // Without the index of the error: the line is named, and shapes are not numbered by
            // rows.
            None => Fault::Row(anyhow!("{field} is {value}: {fault}")),
        }
    }
}

/// The bytes of a value, without the blanks around it.
pub(crate) fn text<'a>(column: &Column, record: &'a Record) -> &'a [u8] {
    record.get(column.index).trim_ascii()
}
