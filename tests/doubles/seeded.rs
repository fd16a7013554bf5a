//! Seeded values of `f64`, as in `counts.py`. The tests of the command use them as well.

/// Numbers from 0 to 1: SplitMix64 of a counter, its upper 53 bits.
pub(crate) fn units(seed: u64, count: u64) -> impl Iterator<Item = f64> {
    (0..count).map(move |at| {
        let mut z = (at + (seed << 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    })
}

/// Points in a square.
pub(crate) fn points(count: u64, origin: [f64; 2], side: f64) -> Vec<[f64; 2]> {
    let both = units(1, count).zip(units(2, count));
    both.map(|(x, y)| [origin[0] + x * side, origin[1] + y * side]).collect()
}

/// A place in UTM metres.
pub(crate) const UTM: [f64; 2] = [500_000.0, 4_500_000.0];
