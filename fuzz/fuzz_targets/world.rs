//! Arbitrary bytes become the calls of a world: see tests/world/any_calls.rs, which a test of the
//! crate runs on random bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/world/any_calls.rs"]
mod any_calls;

fuzz_target!(|data: &[u8]| {
    any_calls::check(data);
    any_calls::record(data);
});
