//! `parlance feed export|list`.

mod export;
mod list;
mod progress;
mod tenant_selection;

use clap::Subcommand;

use crate::settings::Settings;

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Export the days that are missing or out of date, and print the progress
    Export(export::Options),
    /// Print a calendar of the days that are complete
    List(list::Options),
}

pub(crate) async fn run(action: Action, settings: &Settings) -> anyhow::Result<()> {
    match action {
        Action::Export(options) => export::run(options, settings).await,
        Action::List(options) => list::run(options, settings).await,
    }
}
