//! Arbitrary bytes become a message to `widephase view`: see cli/tests/cli/view/any_message.rs,
//! which a test of the command runs on random bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../cli/tests/cli/view/any_message.rs"]
mod any_message;

fuzz_target!(|data: &[u8]| any_message::check(data));
