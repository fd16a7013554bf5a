//! Splits bytes into records, in bounded memory: `csv_core`, line by line.

use std::io::{BufRead, BufReader, Cursor, Read};

use anyhow::{Result, bail, ensure};
use csv_core::{ReadRecordResult, Reader};

/// The maximum number of bytes of a record, without commas and quotes.
const MAX_BYTES: usize = 64 << 10;

/// The maximum number of columns, which is that of a spreadsheet.
const MAX_COLUMNS: usize = 16_384;

/// The values of a row, or the names in a header.
pub(crate) struct Record {
    /// The values one after the other, followed by free space.
    text: Vec<u8>,
    /// The end of each value in the text, followed by free space.
    ends: Vec<usize>,
    /// The number of values.
    len: usize,
    /// The line on which it begins, from 1.
    pub(crate) first_line: u64,
    /// The line on which it ends.
    pub(crate) last_line: u64,
}

impl Record {
    /// A record with space for the largest one.
    pub(crate) fn new() -> Self {
        let (text, ends) = (vec![0; MAX_BYTES + 1], vec![0; MAX_COLUMNS + 1]);
        Self { text, ends, len: 0, first_line: 1, last_line: 1 }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// A value; empty if there is none.
    pub(crate) fn get(&self, index: usize) -> &[u8] {
        let ends = &self.ends[..self.len];
        let start = index.checked_sub(1).and_then(|before| ends.get(before)).unwrap_or(&0);
        ends.get(index).map_or(&[], |end| &self.text[*start..*end])
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len).map(|index| self.get(index))
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
    /// Refuses text that is neither single bytes nor UTF-8.
    pub(crate) fn new(mut input: Box<dyn Read>) -> Result<Self> {
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
        Ok(Self { input, reader: Reader::new(), part: Vec::new(), read: 0, line: 1 })
    }

    /// The number of the line that was read last.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// Reads the next record; `false` at the end. Errors name lines.
    pub(crate) fn next(&mut self, record: &mut Record) -> Result<bool> {
        let mut bytes = 0;
        record.len = 0;
        // The line of a quote that is open at the end of a line, and the number of its value.
        let mut open: Option<(u64, usize)> = None;
        loop {
            let end_of_file = self.read == self.part.len() && !self.refill()?;
            if end_of_file && let Some((line, _)) = open {
                bail!("line {line}: a quote opens here and is never closed");
            }
            let begun = bytes + record.len > 0;
            let (text, ends) = (&mut record.text[bytes..], &mut record.ends[record.len..]);
            let (result, read, written, ended) =
                self.reader.read_record(&self.part[self.read..], text, ends);
            self.read += read;
            bytes += written;
            record.len += ended;
            if !begun {
                record.first_line = self.line;
            }
            let long = match result {
                ReadRecordResult::Record => {
                    record.last_line = self.line;
                    return Ok(true);
                }
                ReadRecordResult::End => return Ok(false),
                ReadRecordResult::InputEmpty => {
                    // Only a quote keeps a record open beyond its line.
                    let (value, at_end) = (record.len, self.part.ends_with(b"\n"));
                    if at_end && bytes + value > 0 && open.is_none_or(|(_, of)| of != value) {
                        open = Some((self.line, value));
                    }
                    continue;
                }
                ReadRecordResult::OutputFull => "64 KiB".to_owned(),
                ReadRecordResult::OutputEndsFull => format!("{MAX_COLUMNS} values"),
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
        let limit = MAX_BYTES as u64;
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
