//! The SIMD levels: detected, listed and forced.

use std::{fmt, str::FromStr, sync::OnceLock};

use crate::Error;

/// The name of the environment variable that forces a SIMD level: `WIDEPHASE_LEVEL=avx2`.
///
/// ```
/// assert_eq!(widephase::LEVEL_VARIABLE, "WIDEPHASE_LEVEL");
/// ```
pub const LEVEL_VARIABLE: &str = "WIDEPHASE_LEVEL";

/// A set of vector instructions, chosen at run time. Results are the same on every level, to the
/// bit.
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
        AVAILABLE.get_or_init(|| {
            SimdLevel::ALL.into_iter().filter(|&level| super::dispatch::cpu_has(level)).collect()
        })
    }

    /// The fastest level that runs on this CPU.
    pub fn best() -> SimdLevel {
        SimdLevel::available().last().copied().unwrap_or(SimdLevel::Scalar)
    }

    /// The level that is used if the caller names none: that of the environment variable
    /// [`WIDEPHASE_LEVEL`](LEVEL_VARIABLE) if it is set and not empty, else
    /// [`best`](SimdLevel::best). The variable is read once, at the first call.
    ///
    /// # Errors
    /// [`Error::UnknownLevel`] if the variable names a level that does not exist;
    /// [`Error::LevelUnavailable`] if it names one that does not run on this CPU.
    pub fn preferred() -> Result<SimdLevel, Error> {
        static PREFERRED: OnceLock<Result<SimdLevel, Error>> = OnceLock::new();
        PREFERRED
            .get_or_init(|| match std::env::var_os(LEVEL_VARIABLE) {
                Some(name) if !name.is_empty() => {
                    name.to_string_lossy().parse::<SimdLevel>()?.required()
                }
                _ => Ok(SimdLevel::best()),
            })
            .clone()
    }

    /// Whether this CPU has the instructions of this level.
    pub fn is_available(self) -> bool {
        SimdLevel::available().contains(&self)
    }

    /// This level, if it runs on this CPU.
    ///
    /// # Errors
    /// [`Error::LevelUnavailable`] if it does not run.
    pub fn required(self) -> Result<SimdLevel, Error> {
        if self.is_available() { Ok(self) } else { Err(Error::LevelUnavailable { level: self }) }
    }

    /// The number of `f32` values in one vector of this level: 1, 8, 8 or 16.
    ///
    /// `Portable` processes eight values as two vectors of four. The sweep over the grid uses eight
    /// lanes on `Avx512`, too, because it tests a few shapes at a time.
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

impl FromStr for SimdLevel {
    type Err = Error;

    /// Parses the [`name`](SimdLevel::name) of a level, in upper or lower case. `avx-512` also
    /// means `avx512`.
    fn from_str(name: &str) -> Result<Self, Error> {
        let plain = name.trim().to_ascii_lowercase().replace('-', "");
        SimdLevel::ALL
            .into_iter()
            .find(|level| level.name() == plain)
            .ok_or_else(|| Error::UnknownLevel { name: name.to_owned() })
    }
}
