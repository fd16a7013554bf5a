//! Arbitrary bytes become shapes of every kind and queries of any bits: see
//! tests/query/any_bits.rs, which a test of the crate runs on random bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/query/any_bits.rs"]
mod any_bits;
#[path = "../../tests/common/twins/mod.rs"]
mod twins;

fuzz_target!(|data: &[u8]| any_bits::check(data));
