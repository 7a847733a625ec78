//! Calls the redaction engine the way an input says and stops at the first promise it breaks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use redaction_fuzz::{Call, kept};

fuzz_target!(|input: &[u8]| {
    let call = Call::read(input);
    if let Err(broken) = kept(&call) {
        panic!("{broken}\n{call:#?}");
    }
});
