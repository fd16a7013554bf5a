//! The SIMD level that a call takes: forced, parsed or preferred.

use std::{str::FromStr, sync::OnceLock};

use crate::{base::SimdLevel, error::Error};

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
