//! Sorting by integer keys.
//!
//! Each type that is sorted gets 5 to 10 KB of code of its own from the standard library. Here,
//! numbers are sorted as integers, and items by a key of 64 bits with their index, so all sorts
//! that are not in the hottest loops share this code.

use glam::Vec2;

/// Sorts numbers by [`f32::total_cmp`].
pub(crate) fn sort_f32(values: &mut [f32]) {
    let ranks: &mut [u32] = bytemuck::cast_slice_mut(values);
    for value in &mut *ranks {
        *value = f32_rank(f32::from_bits(*value));
    }
    ranks.sort_unstable();
    for rank in ranks {
        *rank ^= if *rank >> 31 == 1 { 1 << 31 } else { u32::MAX };
    }
}

/// Sorts numbers by [`f64::total_cmp`].
pub(crate) fn sort_f64(values: &mut [f64]) {
    reorder_f64(values, |ranks| ranks.sort_unstable());
}

/// Reorders numbers by [`f64::total_cmp`] so that the `middle`-th is at its place, none before it
/// is above it, and none after it is below it.
pub(crate) fn select_f64(values: &mut [f64], middle: usize) {
    reorder_f64(values, |ranks| {
        ranks.select_nth_unstable(middle);
    });
}

/// Reorders numbers by their [ranks](f64_rank).
fn reorder_f64(values: &mut [f64], reorder: impl FnOnce(&mut [u64])) {
    let ranks: &mut [u64] = bytemuck::cast_slice_mut(values);
    for value in &mut *ranks {
        *value = f64_rank(f64::from_bits(*value));
    }
    reorder(ranks);
    for rank in ranks {
        *rank ^= if *rank >> 63 == 1 { 1 << 63 } else { u64::MAX };
    }
}

/// An integer that is above another exactly if the number is, by [`f32::total_cmp`].
pub(crate) fn f32_rank(value: f32) -> u32 {
    let bits = value.to_bits();
    bits ^ if bits >> 31 == 1 { u32::MAX } else { 1 << 31 }
}

/// An integer that is above another exactly if the number is, by [`f64::total_cmp`].
pub(crate) fn f64_rank(value: f64) -> u64 {
    let bits = value.to_bits();
    bits ^ if bits >> 63 == 1 { u64::MAX } else { 1 << 63 }
}

/// An integer in the order of [`f32::total_cmp`]. Comparing integers takes one instruction.
pub(crate) fn ordered(value: f32) -> i32 {
    let bits = value.to_bits() as i32;
    bits ^ (bits >> 31 & i32::MAX)
}

/// The value that [`ordered`] has mapped to this integer.
pub(crate) fn value(ordered: i32) -> f32 {
    f32::from_bits((ordered ^ (ordered >> 31 & i32::MAX)) as u32)
}

/// Reorders points so that the `middle`-th along `axis` is at its place, none before it is above
/// it, and none after it is below it.
pub(crate) fn select_along(points: &mut [[i32; 2]], middle: usize, axis: usize) {
    points.select_nth_unstable_by_key(middle, |point| point[axis]);
}

/// An integer by which points are from left to right, then upwards.
pub(crate) fn point_rank(point: Vec2) -> u64 {
    u64::from(f32_rank(point.x)) << 32 | u64::from(f32_rank(point.y))
}

/// The keys of `items` from the smallest to the largest, each with the index of its item. Items
/// with equal keys keep their order.
pub(crate) fn by_key<T>(items: &[T], key: impl FnMut(&T) -> u64) -> Vec<(u64, u32)> {
    let mut keys = Vec::new();
    list_by_key(&mut keys, items, key);
    keys
}

/// Like [`by_key`], into memory that is used again.
pub(crate) fn list_by_key<T>(keys: &mut Vec<(u64, u32)>, items: &[T], key: impl FnMut(&T) -> u64) {
    keys.clear();
    keys.extend(items.iter().map(key).zip(0..));
    keys.sort_unstable();
}

#[cfg(test)]
mod tests {
    use super::{by_key, sort_f32, sort_f64};

    /// Zeros of both signs, subnormal numbers, infinities, NaN of both signs.
    const ODD: [f32; 12] = [
        1.0,
        -f32::NAN,
        0.0,
        f32::INFINITY,
        -1.0e-45,
        f32::NAN,
        -0.0,
        f32::NEG_INFINITY,
        1.0e-45,
        -1.0,
        f32::MAX,
        f32::MIN,
    ];

    #[test]
    fn numbers_are_in_total_order() {
        let mut sorted = ODD;
        sort_f32(&mut sorted);
        let mut expected = ODD;
        expected.sort_by(f32::total_cmp);
        assert_eq!(sorted.map(f32::to_bits), expected.map(f32::to_bits));
        let mut sorted = ODD.map(f64::from);
        sort_f64(&mut sorted);
        let mut expected = ODD.map(f64::from);
        expected.sort_by(f64::total_cmp);
        assert_eq!(sorted.map(f64::to_bits), expected.map(f64::to_bits));
    }

    #[test]
    fn equal_keys_keep_their_order() {
        let sorted = by_key(&[3, 1, 3, 2, 1], |number| *number);
        assert_eq!(sorted, [(1, 1), (1, 4), (2, 3), (3, 0), (3, 2)]);
    }
}
