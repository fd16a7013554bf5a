//! The header of snapshots and recordings.

use std::cmp::Ordering;

use super::{Reader, Xxh64};
use crate::{
    error::{Error, FileFault},
    simd::map_each,
};

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Snapshot,
    Recording,
}

/// The version of both formats. Files of other versions are refused.
const VERSION: u64 = 7;

/// The bytes of the header: magic, version, number of bytes behind the header, and their hash, each
/// eight bytes.
const HEADER_BYTES: usize = 32;

impl FileKind {
    /// The bytes that a file of this kind begins with.
    fn magic(self) -> [u8; 8] {
        match self {
            FileKind::Snapshot => *b"wpworld\n",
            FileKind::Recording => *b"wpcalls\n",
        }
    }

    /// Begins a file: clears `bytes`, and leaves a place for the header.
    pub(crate) fn begin(bytes: &mut Vec<u8>) {
        bytes.clear();
        bytes.resize(HEADER_BYTES, 0);
    }

    /// Completes a file by its header.
    pub(crate) fn finish(self, bytes: &mut [u8]) {
        let (header, body) = bytes.split_at_mut(HEADER_BYTES);
        let numbers = map_each([VERSION, body.len() as u64, Xxh64::of(body)], u64::to_le_bytes);
        header.copy_from_slice([self.magic(), numbers[0], numbers[1], numbers[2]].as_flattened());
    }

    /// Reads the header of a file, which must be whole and of this kind. No bytes may follow the
    /// file.
    pub(crate) fn open(self, file: &mut Reader<'_>) -> Result<(), Error> {
        let start = file.clone();
        if file.take(8).ok() != Some(&self.magic()) {
            return Err(start.error(FileFault::Foreign));
        }
        let at = file.clone();
        let version = file.u64()?;
        if version != VERSION {
            return Err(at.error(FileFault::Version { version }));
        }
        let (len, hash) = (file.u64()?, file.u64()?);
        let body = file.clone().take(file.left())?;
        let fault = match len.cmp(&(body.len() as u64)) {
            Ordering::Greater => FileFault::TooShort,
            Ordering::Less => FileFault::TooLong,
            Ordering::Equal if Xxh64::of(body) != hash => FileFault::Damaged,
            Ordering::Equal => return Ok(()),
        };
        Err(file.error(fault))
    }
}
