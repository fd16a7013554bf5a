//! XXH64: a hash of 64 bits for files and states; and the header of files, which has it.

use std::cmp::Ordering;

use super::{ByteSink, Reader};
use crate::{
    error::{Error, FileFault},
    simd::map_each,
};

const PRIMES: [u64; 5] = [
    0x9E37_79B1_85EB_CA87,
    0xC2B2_AE3D_27D4_EB4F,
    0x1656_67B1_9E37_79F9,
    0x85EB_CA77_C2B2_AE63,
    0x27D4_EB2F_1656_67C5,
];

/// The bytes of a stripe: a word for each lane.
const STRIPE_BYTES: usize = 32;

/// The bytes that are collected before they are hashed: many values are shorter than a stripe.
const COLLECTED_BYTES: usize = 64 * STRIPE_BYTES;

/// The hash XXH64 with the seed 0, of bytes that come in pieces
/// (<https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md>). It finds damage and
/// differences; it is no defence against forgery.
#[derive(Debug, Clone)]
pub(crate) struct Xxh64 {
    lanes: [u64; 4],
    /// Bytes that are not hashed yet.
    rest: [u8; COLLECTED_BYTES],
    filled: usize,
    len: u64,
}

impl Xxh64 {
    pub(crate) fn new() -> Self {
        let [first, second, ..] = PRIMES;
        let start = first.wrapping_add(second);
        let lanes = [start, second, 0, 0_u64.wrapping_sub(first)];
        Self { lanes, rest: [0; COLLECTED_BYTES], filled: 0, len: 0 }
    }

    /// The hash of these bytes.
    pub(crate) fn of(bytes: &[u8]) -> u64 {
        let mut hash = Self::new();
        hash.put(bytes);
        hash.finish()
    }

    /// The hash of all bytes so far.
    pub(crate) fn finish(&self) -> u64 {
        let [first, second, third, fourth, fifth] = PRIMES;
        let (stripes, rest) = self.rest[..self.filled].as_chunks();
        let mut lanes = self.lanes;
        add(&mut lanes, stripes);
        let [a, b, c, d] = lanes;
        let mut hash = if self.len < STRIPE_BYTES as u64 {
            fifth
        } else {
            let turned = [(a, 1), (b, 7), (c, 12), (d, 18)];
            let sum = turned
                .iter()
                .fold(0_u64, |sum, (lane, turn)| sum.wrapping_add(lane.rotate_left(*turn)));
            lanes.iter().fold(sum, |hash, lane| {
                (hash ^ round(0, *lane)).wrapping_mul(first).wrapping_add(fourth)
            })
        };
        hash = hash.wrapping_add(self.len);
        let (words, rest) = rest.as_chunks();
        for word in words {
            hash ^= round(0, u64::from_le_bytes(*word));
            hash = hash.rotate_left(27).wrapping_mul(first).wrapping_add(fourth);
        }
        let (halves, rest) = rest.as_chunks();
        for half in halves {
            hash ^= u64::from(u32::from_le_bytes(*half)).wrapping_mul(first);
            hash = hash.rotate_left(23).wrapping_mul(second).wrapping_add(third);
        }
        for byte in rest {
            hash ^= u64::from(*byte).wrapping_mul(fifth);
            hash = hash.rotate_left(11).wrapping_mul(first);
        }
        hash = (hash ^ hash >> 33).wrapping_mul(second);
        hash = (hash ^ hash >> 29).wrapping_mul(third);
        hash ^ hash >> 32
    }
}

fn round(lane: u64, word: u64) -> u64 {
    let [first, second, ..] = PRIMES;
    lane.wrapping_add(word.wrapping_mul(second)).rotate_left(31).wrapping_mul(first)
}

/// Adds whole stripes to the lanes.
fn add(lanes: &mut [u64; 4], stripes: &[[u8; STRIPE_BYTES]]) {
    for stripe in stripes {
        for (lane, bytes) in lanes.iter_mut().zip(stripe.as_chunks().0) {
            *lane = round(*lane, u64::from_le_bytes(*bytes));
        }
    }
}

impl ByteSink for Xxh64 {
    fn put(&mut self, mut bytes: &[u8]) {
        let Self { lanes, rest, filled, len } = self;
        *len += bytes.len() as u64;
        if *filled + bytes.len() > COLLECTED_BYTES {
            let (now, later) = bytes.split_at(COLLECTED_BYTES - *filled);
            rest[*filled..].copy_from_slice(now);
            add(lanes, rest.as_chunks().0);
            let (stripes, end) = later.as_chunks();
            add(lanes, stripes);
            (bytes, *filled) = (end, 0);
        }
        rest[*filled..][..bytes.len()].copy_from_slice(bytes);
        *filled += bytes.len();
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the reference implementation (`xxhsum -H64`).
    #[test]
    fn hashes_are_those_of_the_reference_implementation() {
        for (text, hash) in [
            ("", 0xEF46_DB37_51D8_E999),
            ("a", 0xD24E_C4F1_A98C_6E5B),
            ("abc", 0x44BC_2CF5_AD77_0999),
            ("123456789", 0x8CB8_41DB_40E6_AE83),
        ] {
            assert_eq!(Xxh64::of(text.as_bytes()), hash, "{text}");
        }
    }

    /// Another implementation, and bytes in pieces.
    #[test]
    fn bytes_in_pieces_have_the_hash_of_the_whole() {
        let bytes: Vec<u8> = (0..9000_u32).map(|at| (at * at + at / 7) as u8).collect();
        for len in (0..200).chain((200..bytes.len()).step_by(97)) {
            let whole = Xxh64::of(&bytes[..len]);
            assert_eq!(whole, xxhash_rust::xxh64::xxh64(&bytes[..len], 0), "{len}");
            for piece in [1, 3, 8, 31, 32, 33, 70, 2047, 2048, 2049, 5000] {
                let mut hash = Xxh64::new();
                for piece in bytes[..len].chunks(piece) {
                    hash.put(piece);
                }
                assert_eq!(hash.finish(), whole, "{len} in pieces of {piece}");
            }
        }
    }
}
