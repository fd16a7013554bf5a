//! Random numbers that are equal in every run. Plain Rust: unit tests of the
//! library include this file.
#![allow(unreachable_pub, reason = "in the package of the tests, it is a part of the API")]
#![allow(dead_code, reason = "each test file uses a part of it")]

/// Splitmix64: small, and equal on every machine.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0, which may come, to 1, which does not.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// An integer in `0..end`.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(end)) >> 64) as u64
    }

    /// An integer in `low..=high`.
    pub fn int(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    /// A value in `low..high`.
    pub fn range(&mut self, low: f32, high: f32) -> f32 {
        let unit = (self.bits() >> 40) as f32 / (1 << 24) as f32;
        low + (high - low) * unit
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

/// 2^k, exactly, subnormals included.
pub fn pow2(k: i32) -> f32 {
    match k {
        -126..=127 => f32::from_bits(((k + 127) as u32) << 23),
        -149..=-127 => f32::from_bits(1 << (k + 149)),
        _ => unreachable!("2^{k} is not an f32"),
    }
}

/// A number of cases, times the factor `WIDEPHASE_CASES` of the environment, which is 1 if not set.
pub fn cases(count: usize) -> usize {
    let factor = std::env::var("WIDEPHASE_CASES").ok().and_then(|factor| factor.parse().ok());
    count * factor.unwrap_or(1)
}
