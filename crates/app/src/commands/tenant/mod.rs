//! `parlance tenant erase`.

mod erase;
mod progress;

use clap::Subcommand;

use crate::settings::Settings;

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Erase everything of a tenant for good, while servers run; a run that was ended is taken up by repeating the command
    Erase(erase::Options),
}

pub(crate) async fn run(action: Action, settings: &Settings) -> anyhow::Result<()> {
    let Action::Erase(options) = action;
    erase::run(options, settings).await
}
