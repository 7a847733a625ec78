//! `parlance man`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::{Args, Command, ValueHint};
use clap_mangen::Man;

use super::print;
use crate::build_info;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Write the page of the program and of each command into this directory, instead of printing the page of the
    /// program
    #[arg(long, value_name = "DIRECTORY", value_hint = ValueHint::DirPath)]
    directory: Option<PathBuf>,
}

/// Prints the manual page of `command_line`, or writes the pages of all its commands.
pub(crate) fn run(options: &Options, command_line: Command) -> anyhow::Result<()> {
    let mut command_line = command_line.disable_help_subcommand(true);
    command_line.build();
    let Some(directory) = &options.directory else {
        let (_, page) = render(command_line)?;
        return print(&page);
    };
    fs::create_dir_all(directory).with_context(|| format!("--directory: {} cannot be created", directory.display()))?;
    write_pages(&command_line, directory)
}

fn write_pages(command: &Command, directory: &Path) -> anyhow::Result<()> {
    let (name, page) = render(command.clone())?;
    let file = directory.join(name);
    fs::write(&file, page).with_context(|| format!("--directory: {} cannot be written", file.display()))?;
    command.get_subcommands().try_for_each(|subcommand| write_pages(subcommand, directory))
}

/// Returns the file name of the page, such as `parlance-feed-export.1`, and the page.
fn render(command: Command) -> anyhow::Result<(String, String)> {
    let page = Man::new(command).date(build_info::commit_date().unwrap_or_default());
    let (name, mut text) = (page.get_filename(), Vec::new());
    page.render(&mut text).context("failed to render a manual page")?;
    Ok((name, escape(&String::from_utf8(text)?)))
}

/// Escapes every letter beyond ASCII, which roff reads as bytes of Latin-1 unless it is told the encoding.
fn escape(page: &str) -> String {
    let escaped = page.chars().map(|letter| match letter {
        letter if letter.is_ascii() => letter.to_string(),
        letter => format!("\\[u{:04X}]", u32::from(letter)),
    });
    escaped.collect()
}
