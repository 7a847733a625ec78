//! Reads bytes with everything that reads requests: bodies, cursors and other parameters, headers. Each either refuses
//! them, as its caller is promised and without repeating them, or reads something that is within its bounds.

#![no_main]

use libfuzzer_sys::fuzz_target;
use parlance_adapters_http::fuzzing;

fuzz_target!(|input: &[u8]| {
    fuzzing::bodies(input);
    fuzzing::headers(input);
    fuzzing::requests(input);
    if let Ok(text) = std::str::from_utf8(input) {
        fuzzing::cursors(text);
    }
});
