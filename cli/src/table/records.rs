//! Splits bytes into records, in bounded memory: `csv_core`, line by line.

use std::io::{BufRead, BufReader, Cursor, Read};

use anyhow::{Result, bail, ensure};
use csv_core::{ReadFieldResult, Reader, ReaderBuilder};

/// The maximum number of bytes of the values of a row that are used, without commas and quotes. The
/// longest coastline of a continent has about a million vertices, each a text of up to 40 bytes.
const MAX_BYTES: usize = 64 << 20;

/// The bytes that are read at a time, and the first memory of a row.
const PART: usize = 64 << 10;

/// The maximum number of bytes of the names in a header, and the maximum number of columns.
const MAX_HEADER: usize = 4 << 20;
const MAX_COLUMNS: usize = 1 << 18;

/// The values of a row that are used, or the names in a header.
pub(crate) struct Record {
    /// The values, one after the other, followed by free space.
    text: Vec<u8>,
    /// The end of each value in the text. A value that is not used is empty.
    ends: Vec<usize>,
    /// Which columns are used; all columns in a header.
    used: Option<Vec<bool>>,
    /// The line on which it begins, from 1.
    pub(crate) first_line: u64,
    /// The line on which it ends.
    pub(crate) last_line: u64,
}

impl Record {
    /// The names in a header.
    pub(crate) fn header() -> Self {
        Self { text: vec![0; PART], ends: Vec::new(), used: None, first_line: 1, last_line: 1 }
    }

    /// A row, of which these columns are used.
    pub(crate) fn row(used: Vec<bool>) -> Self {
        Self { used: Some(used), ..Self::header() }
    }

    /// The number of values.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A value; empty if it is missing or not used.
    pub(crate) fn get(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).unwrap_or(&0);
        self.ends.get(index).map_or(&[], |end| &self.text[*start..*end])
    }

    /// The values. Unused values are empty.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Whether the next value is used. Values beyond the columns are: errors show them.
    fn uses_next(&self) -> bool {
        let used = self.used.as_ref();
        used.is_none_or(|used| used.get(self.len()).copied().unwrap_or(true))
    }

    /// Doubles the free space, up to the limit. Returns whether there is more space.
    fn grow(&mut self) -> bool {
        let most = 1 + if self.used.is_none() { MAX_HEADER } else { MAX_BYTES };
        let len = self.text.len();
        self.text.resize((2 * len).min(most).max(len), 0);
        self.text.len() > len
    }

    /// The limit of its size, for an error.
    fn limit(&self) -> &'static str {
        if self.used.is_none() { "4 MiB" } else { "64 MiB in the columns that are used" }
    }
}

/// A file, record by record.
///
/// Lines are counted here and not by the reader. For the reader, a row begins at the end of the
/// previous row, before any blank lines and before the second half of CR LF.
pub(crate) struct Records {
    input: BufReader<Box<dyn Read>>,
    reader: Reader,
    /// A line, or the part of it that is in memory.
    part: Vec<u8>,
    /// The number of bytes of the part that are read.
    read: usize,
    /// The number of its line, from 1.
    line: u64,
}

impl Records {
    /// Values are separated by `delimiter`. Refuses text that is neither single bytes nor UTF-8.
    pub(crate) fn new(mut input: Box<dyn Read>, delimiter: u8) -> Result<Self> {
        let mut start = Vec::new();
        input.by_ref().take(4).read_to_end(&mut start)?;
        let wide = matches!(start[..], [0xff, 0xfe, ..] | [0xfe, 0xff, ..])
            || matches!(
                start[..],
                [0, 1..=255, 0, 1..=255] | [1..=255, 0, 1..=255, 0] | [0, 0, 0xfe, 0xff]
            );
        ensure!(!wide, "the text is UTF-16 or UTF-32; save it as UTF-8");
        let whole: Box<dyn Read> = Box::new(Cursor::new(start).chain(input));
        let input = BufReader::with_capacity(1 << 16, whole);
        let reader = ReaderBuilder::new().delimiter(delimiter).build();
        Ok(Self { input, reader, part: Vec::new(), read: 0, line: 1 })
    }

    /// The number of the line that was read last.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// Reads the next record; `false` at the end. Errors name lines.
    pub(crate) fn next(&mut self, record: &mut Record) -> Result<bool> {
        // The bytes of the values that are used, and whether the value that is read has any.
        let (mut bytes, mut begun) = (0, false);
        let mut scratch = [0; 1 << 10];
        record.ends.clear();
        // The line of a quote that is open at the end of a line, and the number of its value.
        let mut open: Option<(u64, usize)> = None;
        loop {
            let end_of_file = self.read == self.part.len() && !self.refill()?;
            if end_of_file && let Some((line, _)) = open {
                bail!("line {line}: a quote opens here and is never closed");
            }
            let used = record.uses_next();
            let text = if used { &mut record.text[bytes..] } else { &mut scratch[..] };
            let full = text.is_empty();
            let (result, read, written) = self.reader.read_field(&self.part[self.read..], text);
            self.read += read;
            if record.ends.is_empty() && !begun {
                record.first_line = self.line;
            }
            begun |= written > 0;
            bytes += if used { written } else { 0 };
            match result {
                ReadFieldResult::Field { record_end } => {
                    begun = false;
                    record.ends.push(bytes);
                    if record_end {
                        record.last_line = self.line;
                        return Ok(true);
                    }
                    if record.ends.len() <= MAX_COLUMNS {
                        continue;
                    }
                }
                ReadFieldResult::End => return Ok(false),
                ReadFieldResult::InputEmpty => {
                    // Only a quote keeps a record open beyond its line.
                    let (value, at_end) = (record.len(), self.part.ends_with(b"\n"));
                    let is_open = begun || value > 0;
                    if at_end && is_open && open.is_none_or(|(_, of)| of != value) {
                        open = Some((self.line, value));
                    }
                    continue;
                }
                ReadFieldResult::OutputFull if !used || !full || record.grow() => continue,
                ReadFieldResult::OutputFull => {}
            }
            let long = match record.len() {
                ..=MAX_COLUMNS => record.limit().to_owned(),
                _ => format!("{MAX_COLUMNS} values"),
            };
            let place = record.first_line;
            if let Some((line, _)) = open {
                bail!(
                    "line {place}: a row of more than {long}; a quote opens on line {line} and is \
                     not closed until then"
                );
            }
            bail!("line {place}: a row of more than {long}");
        }
    }

    /// Reads the next line, or a part of it; `false` at the end of the file.
    fn refill(&mut self) -> Result<bool> {
        let ended = self.part.ends_with(b"\n");
        let empty = self.part.is_empty();
        self.part.clear();
        self.read = 0;
        let limit = PART as u64;
        let read = self.input.by_ref().take(limit).read_until(b'\n', &mut self.part)?;
        if read == 0 && !ended && !empty {
            // The last line need not have an end.
            self.part.push(b'\n');
        } else if read > 0 && ended {
            self.line += 1;
        }
        Ok(!self.part.is_empty())
    }
}
