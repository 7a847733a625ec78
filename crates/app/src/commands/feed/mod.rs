//! `parlance feed export|list`.

mod export;
mod list;
mod watch;

use clap::Subcommand;
use parlance_domain::feed::{Day, NotADay};

use crate::settings::Settings;

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Write the files of days that are missing or out of date, and tell how far it has come
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

fn read_day(text: &str) -> Result<Day, NotADay> {
    Day::parse(text)
}
