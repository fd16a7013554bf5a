//! `ByteSink`: a target to which values are written.

/// Takes values as bytes. It is a list of them, or their hash.
pub(crate) trait ByteSink {
    /// Takes some bytes.
    fn put(&mut self, bytes: &[u8]);

    fn byte(&mut self, value: u8) {
        self.put(&[value]);
    }

    fn bytes(&mut self, values: impl Iterator<Item = u8>) {
        let (mut bytes, mut len) = ([0; CHUNK_BYTES], 0);
        for value in values {
            bytes[len] = value;
            len += 1;
            if len == CHUNK_BYTES {
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

/// The bytes that are collected before they are passed on.
const CHUNK_BYTES: usize = 64;

impl ByteSink for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}
