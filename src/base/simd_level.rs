//! `SimdLevel`: the names of the SIMD levels, and which of them this CPU has.

use std::{fmt, sync::OnceLock};

/// A set of vector instructions, chosen at run time. Results are equal on every level, to the bit.
///
/// Levels are ordered from the slowest to the fastest.
///
/// ```
/// use widephase::SimdLevel;
///
/// let best = SimdLevel::best();
/// assert!(best.is_available());
/// assert_eq!(SimdLevel::available().last(), Some(&best));
/// assert_eq!("portable".parse(), Ok(SimdLevel::Portable));
/// for level in SimdLevel::ALL {
///     assert_eq!(level.required().is_ok(), level.is_available());
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum SimdLevel {
    /// One value at a time, on every CPU.
    Scalar,
    /// 128-bit vectors by the crate `wide`: SSE2 on x86-64, NEON on AArch64, SIMD128 on
    /// WebAssembly, plain code elsewhere.
    Portable,
    /// 256-bit vectors: x86-64 CPUs with AVX2, BMI1, BMI2 and POPCNT (Intel since 2013, AMD
    /// since 2015).
    Avx2,
    /// 512-bit vectors: x86-64 CPUs with AVX-512 F, BW, DQ and VL besides what
    /// [`Avx2`](SimdLevel::Avx2) needs (Intel servers since 2017, AMD since 2022).
    Avx512,
}

impl SimdLevel {
    /// All levels, available or not, from the slowest to the fastest.
    pub const ALL: [SimdLevel; 4] =
        [SimdLevel::Scalar, SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512];

    /// The levels that run on this CPU, from the slowest to the fastest. They are detected once; a
    /// call costs a load.
    pub fn available() -> &'static [SimdLevel] {
        static AVAILABLE: OnceLock<Vec<SimdLevel>> = OnceLock::new();
        AVAILABLE
            .get_or_init(|| SimdLevel::ALL.into_iter().filter(|&level| cpu_has(level)).collect())
    }

    /// The fastest level that runs on this CPU.
    pub fn best() -> SimdLevel {
        SimdLevel::available().last().copied().unwrap_or(SimdLevel::Scalar)
    }

    /// Whether this CPU has the instructions of this level.
    pub fn is_available(self) -> bool {
        SimdLevel::available().contains(&self)
    }

    /// The number of `f32` values in one vector of this level: 1, 8, 8 or 16.
    ///
    /// `Portable` processes eight values as two vectors of four. The sweep over the grid uses eight
    /// lanes also on `Avx512`, because it tests a few shapes at a time.
    pub const fn lanes(self) -> usize {
        match self {
            SimdLevel::Scalar => 1,
            SimdLevel::Portable | SimdLevel::Avx2 => 8,
            SimdLevel::Avx512 => 16,
        }
    }

    /// The name in lower case: `scalar`, `portable`, `avx2`, `avx512`.
    pub const fn name(self) -> &'static str {
        match self {
            SimdLevel::Scalar => "scalar",
            SimdLevel::Portable => "portable",
            SimdLevel::Avx2 => "avx2",
            SimdLevel::Avx512 => "avx512",
        }
    }

    /// The names of the available levels, for messages.
    pub(crate) fn list_available() -> String {
        let names: Vec<_> = SimdLevel::available().iter().map(|level| level.name()).collect();
        names.join(", ")
    }
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Whether the CPU has the instructions of `level`: all features that its function `run_…` in
/// `simd/` enables.
fn cpu_has(level: SimdLevel) -> bool {
    match level {
        SimdLevel::Scalar | SimdLevel::Portable => true,
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx2 => {
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
        }
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 => {
            cpu_has(SimdLevel::Avx2)
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
        }
        #[cfg(not(target_arch = "x86_64"))]
        SimdLevel::Avx2 | SimdLevel::Avx512 => false,
    }
}
