//! `parlance completions`.

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use super::print;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The shell
    shell: Shell,
}

/// Prints the script that completes the commands and flags of `command_line` in a shell.
pub(crate) fn run(options: &Options, mut command_line: Command) -> anyhow::Result<()> {
    let mut script = Vec::new();
    let name = command_line.get_name().to_owned();
    generate(options.shell, &mut command_line, name, &mut script);
    print(&String::from_utf8(script)?)
}
