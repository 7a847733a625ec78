//! Servers and tools that a machine may lack. Tests skip what is missing, unless it is required.

use std::{env, io::Write};

/// Whether `PARLANCE_TEST_REQUIRE`, a list of names separated by commas, has this name. What it names must not be
/// missing.
#[must_use]
pub fn is_required(name: &str) -> bool {
    env::var("PARLANCE_TEST_REQUIRE").unwrap_or_default().split(',').any(|required| required.trim() == name)
}

/// Writes a line about skipped tests to standard error.
pub fn report_skipped(line: &str) {
    // Not `eprintln!`: the test harness hides its output if the test passes.
    let _ = writeln!(std::io::stderr(), "{line}");
}
