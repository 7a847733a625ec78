//! `parlance config check|show`.

mod check;
mod effects;
mod show;

use clap::Subcommand;

use crate::settings::Sources;

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Check the settings as `serve` reads them, without starting anything
    Check,
    /// Print every setting with its value and its source; secrets are hidden
    Show(show::Options),
}

/// Runs the command. It takes the sources of the settings, because it also works with invalid settings.
pub(crate) fn run(action: &Action, sources: &Sources) -> anyhow::Result<()> {
    match action {
        Action::Check => check::run(sources),
        Action::Show(options) => show::run(options, sources),
    }
}
