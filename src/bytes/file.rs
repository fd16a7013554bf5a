//! What snapshots and recordings begin with.

use super::{Reader, Xxh64};
use crate::{Error, error::FileFault};

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Snapshot,
    Recording,
}

/// The version of the format of both. Files of other versions are refused.
const VERSION: u64 = 1;

/// The bytes of the header: magic, version, number of bytes behind the header, and their hash, each
/// eight bytes.
const HEADER: usize = 32;

impl FileKind {
    /// What a file of this kind begins with.
    fn magic(self) -> [u8; 8] {
        match self {
            FileKind::Snapshot => *b"wpworld\n",
            FileKind::Recording => *b"wpcalls\n",
        }
    }

    /// Begins a file: clears `bytes`, and leaves a place for the header.
    pub(crate) fn begin(bytes: &mut Vec<u8>) {
        bytes.clear();
        bytes.resize(HEADER, 0);
    }

    /// Completes a file by its header.
    pub(crate) fn finish(self, bytes: &mut [u8]) {
        let (header, body) = bytes.split_at_mut(HEADER);
        let numbers = [VERSION, body.len() as u64, Xxh64::of(body)].map(u64::to_le_bytes);
        header.copy_from_slice([self.magic(), numbers[0], numbers[1], numbers[2]].as_flattened());
    }

    /// A reader behind the header of a file, which is whole and of this kind.
    pub(crate) fn open(self, bytes: &[u8]) -> Result<Reader<'_>, Error> {
        let mut header = Reader::new(bytes, 0);
        if header.take(8).ok() != Some(&self.magic()) {
            return Err(Reader::new(bytes, 0).error(FileFault::Foreign));
        }
        let version = header.u64()?;
        if version != VERSION {
            return Err(Reader::new(bytes, 8).error(FileFault::Version { version }));
        }
        let (len, hash) = (header.u64()?, header.u64()?);
        let left = header.left() as u64;
        if left < len {
            return Err(header.error(FileFault::TooShort));
        }
        if left > len {
            return Err(header.error(FileFault::TooLong));
        }
        let body = header.clone().take(header.left())?;
        if Xxh64::of(body) != hash {
            return Err(header.error(FileFault::Damaged));
        }
        Ok(header)
    }
}
