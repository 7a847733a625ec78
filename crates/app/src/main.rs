//! The program `parlance`.

use std::process::ExitCode;

fn main() -> ExitCode {
    parlance::cli::run()
}
