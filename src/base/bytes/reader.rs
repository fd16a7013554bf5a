//! `Reader`: bytes of a stranger as values. `ByteSink`: a target to which values are written.

use crate::{
    error::{Error, FileFault},
    simd::{CACHE_LINE_BYTES, map_each},
};

/// Reads values one after the other. Nothing is allocated for a list unless its bytes are there, so
/// memory follows the bytes, whatever they say.
#[derive(Debug, Clone)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
    /// The number of bytes before `rest`, for errors.
    at: usize,
}

impl<'a> Reader<'a> {
    /// A reader of a file.
    pub(crate) fn new(file: &'a [u8]) -> Self {
        Self { rest: file, at: 0 }
    }

    /// A reader of the next bytes, which are a file of their own. Its errors count from the
    /// beginning of the outer file.
    pub(crate) fn part(&mut self, len: usize) -> Result<Self, Error> {
        let at = self.at;
        Ok(Self { rest: self.take(len)?, at })
    }

    /// Whether all bytes are read.
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The number of bytes that are left.
    pub(crate) fn left(&self) -> usize {
        self.rest.len()
    }

    /// An error at this place.
    pub(crate) fn error(&self, fault: FileFault) -> Error {
        Error::InvalidFile { offset: self.at, fault }
    }

    /// The error of a value that means nothing, or contradicts another value.
    pub(crate) fn wrong(&self, value: impl Into<u64>) -> Error {
        self.error(FileFault::Value { value: value.into() })
    }

    /// Checks that all bytes are read.
    pub(crate) fn end(&self) -> Result<(), Error> {
        if self.is_empty() { Ok(()) } else { Err(self.error(FileFault::TooLong)) }
    }

    /// The next bytes.
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], Error> {
        let Some((bytes, rest)) = self.rest.split_at_checked(len) else {
            return Err(self.error(FileFault::TooShort));
        };
        (self.rest, self.at) = (rest, self.at + len);
        Ok(bytes)
    }

    fn array<const LEN: usize>(&mut self) -> Result<[u8; LEN], Error> {
        let mut array = [0; LEN];
        array.copy_from_slice(self.take(LEN)?);
        Ok(array)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Error> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Error> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Error> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// Reads a byte as the index of one of `values`.
    pub(crate) fn one_of<T: Copy>(&mut self, values: &[T]) -> Result<T, Error> {
        let at = self.clone();
        let byte = self.byte()?;
        values.get(usize::from(byte)).copied().ok_or_else(|| at.wrong(byte))
    }

    pub(crate) fn flag(&mut self) -> Result<bool, Error> {
        self.one_of(&[false, true])
    }

    /// A number of things that take at least this many bytes each. An error if fewer bytes are
    /// left.
    pub(crate) fn count(&mut self, bytes_each: usize) -> Result<usize, Error> {
        let at = self.clone();
        let count = self.u64()?;
        match usize::try_from(count) {
            Ok(count) if count <= self.left() / bytes_each => Ok(count),
            _ => Err(at.error(FileFault::TooShort)),
        }
    }

    pub(crate) fn words<const LEN: usize>(&mut self) -> Result<[u32; LEN], Error> {
        let mut words = [0; LEN];
        for (word, bytes) in words.iter_mut().zip(self.take(4 * LEN)?.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        Ok(words)
    }

    pub(crate) fn f32s<const LEN: usize>(&mut self) -> Result<[f32; LEN], Error> {
        Ok(map_each(self.words()?, f32::from_bits))
    }

    /// A list of numbers.
    pub(crate) fn u32_list(&mut self, count: usize) -> Result<Vec<u32>, Error> {
        let bytes = self.take(count.saturating_mul(4))?;
        Ok(bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect())
    }

    pub(crate) fn u64_list(&mut self, count: usize) -> Result<Vec<u64>, Error> {
        let bytes = self.take(count.saturating_mul(8))?;
        Ok(bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect())
    }

    pub(crate) fn f32_list(&mut self, count: usize) -> Result<Vec<f32>, Error> {
        let bytes = self.take(count.saturating_mul(4))?;
        Ok(bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }
}

/// Takes values as bytes. It is a list of them, or their hash.
pub(crate) trait ByteSink {
    /// Takes some bytes.
    fn put(&mut self, bytes: &[u8]);

    fn byte(&mut self, value: u8) {
        self.put(&[value]);
    }

    fn bytes(&mut self, values: impl Iterator<Item = u8>) {
        let (mut bytes, mut len) = ([0; CACHE_LINE_BYTES], 0);
        for value in values {
            bytes[len] = value;
            len += 1;
            if len == CACHE_LINE_BYTES {
                self.put(&bytes);
                len = 0;
            }
        }
        self.put(&bytes[..len]);
    }

    fn flag(&mut self, value: bool) {
        self.byte(u8::from(value));
    }

    /// A number of things that follow.
    fn count(&mut self, count: usize) {
        self.u64s(&[count as u64]);
    }

    fn u32s(&mut self, values: &[u32]) {
        if cfg!(target_endian = "little") {
            return self.put(bytemuck::cast_slice(values));
        }
        for value in values {
            self.put(&value.to_le_bytes());
        }
    }

    fn u64s(&mut self, values: &[u64]) {
        if cfg!(target_endian = "little") {
            return self.put(bytemuck::cast_slice(values));
        }
        for value in values {
            self.put(&value.to_le_bytes());
        }
    }

    fn f32s(&mut self, values: &[f32]) {
        self.u32s(bytemuck::cast_slice(values));
    }
}

impl ByteSink for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}
