//! Fuzz target: decodes an input into a call of the redaction engine and panics on the first violated invariant.

#![no_main]

use libfuzzer_sys::fuzz_target;
use redaction_fuzz::{Call, check_invariants};

fuzz_target!(|input: &[u8]| {
    let call = Call::decode(input);
    if let Err(violation) = check_invariants(&call) {
        panic!("{violation}\n{call:#?}");
    }
});
