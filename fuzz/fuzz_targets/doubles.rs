//! Arbitrary bytes become shapes of `f64`: pairs, numbers, neighbours, overlap and nearest shapes
//! must equal `f64` brute force on the values as they are given, at every SIMD level.
#![no_main]

#[path = "../../tests/doubles/any_values.rs"]
mod any_values;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| any_values::check(bytes));
