//! Prints the hash of each SIMD level of this machine.

use widephase::{Error, SimdLevel};

fn main() -> Result<(), Error> {
    for &level in SimdLevel::available() {
        println!("{level} {:016x}", golden::hash(level)?);
    }
    Ok(())
}
