//! The program `parlance`.

use std::process::ExitCode;

/// Requests make many small values that live shortly, which it hands out faster than the system's allocator, and it gives
/// memory back that a burst took.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    parlance::cli::run()
}
