//! Buffers that keep their memory from call to call.

/// Makes `buffer` at least `len` long; it never shrinks, so that steady state writes nothing twice.
/// Takes an eighth more memory than that, so that a scene that spreads a little, and gets a few
/// cells more at every step, does not allocate at every other one.
pub(crate) fn grow<T: Clone + Default>(buffer: &mut Vec<T>, len: usize) {
    if buffer.capacity() < len {
        buffer.reserve_exact(len + len / 8 - buffer.len());
    }
    if buffer.len() < len {
        buffer.resize(len, T::default());
    }
}
