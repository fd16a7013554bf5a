//! Which line a byte of the input is on.

use std::{
    collections::VecDeque,
    io::{self, Read},
};

/// A reader that remembers where the line ends were that went through it.
///
/// The `csv` reader counts lines too, but a row's position is where the row before has ended: blank
/// lines, and the second half of CR LF, still lie ahead of it.
pub(super) struct LineCounter<R> {
    reader: R,
    /// Bytes handed on.
    bytes: u64,
    /// Positions of line feeds that have not been counted yet; about one buffer's worth.
    ahead: VecDeque<u64>,
    /// Line feeds that have been counted.
    counted: u64,
}

impl<R> LineCounter<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, bytes: 0, ahead: VecDeque::new(), counted: 0 }
    }

    /// The line, from 1, of the last byte before `end`, where `end` is the position behind a row:
    /// behind its LF, behind the CR of its CR LF, or the end of the input. Positions must not
    /// decrease from call to call.
    pub(super) fn line_before(&mut self, end: u64) -> u64 {
        while self.ahead.front().is_some_and(|&at| at + 1 < end) {
            self.ahead.pop_front();
            self.counted += 1;
        }
        self.counted + 1
    }
}

impl<R: Read> Read for LineCounter<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.reader.read(buffer)?;
        let positions = (self.bytes..).zip(&buffer[..len]);
        self.ahead.extend(positions.filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at));
        self.bytes += len as u64;
        Ok(len)
    }
}
