//! Buffers that keep their memory from call to call.

/// Makes `buffer` at least `len` long. It never shrinks, so in the steady state no element is
/// initialised again.
///
/// When it allocates, it takes an eighth more than `len`. A scene that spreads slowly gets a few
/// more cells at every step, and would otherwise allocate at many steps.
pub(crate) fn grow<T: Clone + Default>(buffer: &mut Vec<T>, len: usize) {
    if buffer.capacity() < len {
        buffer.reserve_exact(len + len / 8 - buffer.len());
    }
    if buffer.len() < len {
        buffer.resize(len, T::default());
    }
}

/// Clears `list` and makes sure that its capacity is at least `len`. If it grows, it reserves an
/// eighth more than `len` instead of doubling. Returns false if there is no memory.
pub(crate) fn make_room<T>(list: &mut Vec<T>, len: usize) -> bool {
    list.clear();
    list.capacity() >= len || list.try_reserve_exact(len + len / 8).is_ok()
}

/// Makes a buffer `len` long, for items that are to be written. The items of the last call are not
/// cleared. When it grows, it takes an eighth more memory. Returns false if there is no memory.
pub(crate) fn overwrite<T: Clone + Default>(items: &mut Vec<T>, len: usize) -> bool {
    if items.capacity() < len
        && items.try_reserve_exact(len.saturating_add(len / 8) - items.len()).is_err()
    {
        return false;
    }
    items.resize(len, T::default());
    true
}
