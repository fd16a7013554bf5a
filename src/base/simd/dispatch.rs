//! From a SIMD level, forced or preferred, to a function compiled for it.

use std::{str::FromStr, sync::OnceLock};

#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512};
use super::{
    portable::{Portable, PortableHalf},
    scalar::Scalar,
    vector::{Kernel, Simd},
};
use crate::{base::SimdLevel, error::Error};

/// A SIMD level, with the proof that this CPU has it.
///
/// An enum of tokens and not a table of function pointers: functions with target features coerce
/// only to `unsafe` pointers, and the cost of a match is negligible next to a batch.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Isa {
    Scalar(Scalar),
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Isa {
    /// Scalar code, which runs on every CPU.
    pub(crate) const SCALAR: Self = Self::Scalar(Scalar);

    /// The [preferred](SimdLevel::preferred) level, or scalar code if that is an error. For calls
    /// that have no option for the level.
    pub(crate) fn any() -> Self {
        SimdLevel::preferred().and_then(Self::new).unwrap_or(Self::SCALAR)
    }

    /// The proof for `level`, or [`Error::LevelUnavailable`].
    #[allow(unsafe_code)]
    pub(crate) fn new(level: SimdLevel) -> Result<Self, Error> {
        match level.required()? {
            SimdLevel::Scalar => Ok(Self::Scalar(Scalar)),
            SimdLevel::Portable => Ok(Self::Portable(Portable)),
            // SAFETY: `required` has returned the level, so `cpu_has` is true for it.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2 => Ok(Self::Avx2(unsafe { Avx2::assume() })),
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512 => Ok(Self::Avx512(unsafe { Avx512::assume() })),
            #[cfg(not(target_arch = "x86_64"))]
            SimdLevel::Avx2 | SimdLevel::Avx512 => Err(Error::LevelUnavailable { level }),
        }
    }

    /// The level for work on this many pairs. On AVX-512, up to eight pairs run the code of AVX2: one
    /// pair took 1.08 times as long with sixteen lanes.
    #[inline]
    pub(crate) fn of_pairs(self, pairs: usize) -> Self {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(token) if pairs <= 8 => Self::Avx2(token.into()),
            isa => isa,
        }
    }

    /// The SIMD level that this proves.
    pub(crate) fn level(self) -> SimdLevel {
        match self {
            Self::Scalar(_) => SimdLevel::Scalar,
            Self::Portable(_) => SimdLevel::Portable,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => SimdLevel::Avx2,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => SimdLevel::Avx512,
        }
    }
}

/// Makes functions that run a kernel in a function compiled for the level of `isa`, from the tokens
/// that run the kernels of the first levels, and of AVX2 and AVX-512. (Levels with one token share
/// an arm: with two, callers of [`dispatch_narrow`] were not inlined.)
macro_rules! policies {
    ($($(#[$doc:meta])* $name:ident: {$($level:pat => $token:expr),+} $avx2:ty, $avx512:ty;)+) => {$(
        $(#[$doc])*
        pub(crate) fn $name<K: Kernel>(isa: Isa, kernel: K) -> K::Output {
            match isa {
                $($level => $token.call(kernel),)+
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2(token) => <$avx2>::from(token).call(kernel),
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512(token) => <$avx512>::from(token).call(kernel),
            }
        }
    )+};
}

policies! {
    /// Runs `kernel` in a function compiled for the level of `isa`. Call it once per batch and
    /// inside rayon's tasks, not around them: a task is a separate function, compiled without the
    /// features.
    dispatch: {Isa::Scalar(_) => Scalar, Isa::Portable(_) => Portable} Avx2, Avx512;
    /// Like [`dispatch`], but scalar code runs on the portable level, so each kernel is compiled
    /// three times instead of four times. For kernels that move little memory and gain from sixteen
    /// lanes.
    dispatch_vectors: {Isa::Scalar(_) | Isa::Portable(_) => Portable} Avx2, Avx512;
    /// Like [`dispatch_vectors`], but the portable level has four lanes. For kernels with many
    /// values at a time: checks of columns, and the narrowphase ([`Isa::of_pairs`]).
    dispatch_narrow: {Isa::Scalar(_) | Isa::Portable(_) => PortableHalf} Avx2, Avx512;
    /// Like [`dispatch`], for kernels that wait for memory more than they compute and gain nothing
    /// from wider vectors: the filter by boxes took 1.09 to 1.15 times as long with AVX-512. Runs
    /// on the portable level or on AVX2, whichever the level of `isa` includes, so each kernel is
    /// compiled twice instead of four times.
    dispatch_moves: {Isa::Scalar(_) | Isa::Portable(_) => Portable} Avx2, Avx2;
}

/// The name of the environment variable that forces a SIMD level: `WIDEPHASE_LEVEL=avx2`.
///
/// ```
/// assert_eq!(widephase::options::LEVEL_VARIABLE, "WIDEPHASE_LEVEL");
/// ```
pub const LEVEL_VARIABLE: &str = "WIDEPHASE_LEVEL";

impl SimdLevel {
    /// The level that is used if the caller names no level: the value of the environment variable
    /// [`WIDEPHASE_LEVEL`](LEVEL_VARIABLE) if it is set and not empty, else
    /// [`best`](SimdLevel::best). The variable is read once, at the first call.
    ///
    /// # Errors
    /// [`Error::UnknownLevel`] if the variable names a level that does not exist;
    /// [`Error::LevelUnavailable`] if it names a level that does not run on this CPU.
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

    /// This level, if it runs on this CPU.
    ///
    /// # Errors
    /// [`Error::LevelUnavailable`] if it does not run.
    pub fn required(self) -> Result<SimdLevel, Error> {
        if self.is_available() { Ok(self) } else { Err(Error::LevelUnavailable { level: self }) }
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
