//! Fuzz target of the request parsers: bodies, headers, complete requests, cursors and other parameters.
//!
//! A parser either rejects the input with its documented error, which does not repeat the input, or returns a value
//! within its bounds.

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
