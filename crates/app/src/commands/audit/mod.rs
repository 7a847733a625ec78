//! `parlance audit log|verify|anchor|sign`.

mod anchor;
mod anchors;
mod log;
mod period;
mod sign;
mod verify;

use clap::Subcommand;

pub(super) use verify::{ensure_intact, summary};

use crate::settings::Settings;

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Print the records of a tenant's audit log, the oldest first
    Log(log::Log),
    /// Verify that the audit log is intact, and that credentials and switches match it
    Verify(verify::Verify),
    /// Write the signed heads of all chains to a file or bucket outside the database
    Anchor(anchor::Options),
    /// Verify all chains, and sign the heads that the master key has not signed
    Sign(sign::Options),
}

pub(crate) async fn run(action: Action, settings: &Settings) -> anyhow::Result<()> {
    match action {
        Action::Log(log) => log.run(settings).await,
        Action::Verify(verify) => verify.run(settings).await,
        Action::Anchor(anchor) => anchor.run(settings).await,
        Action::Sign(options) => sign::run(&options, settings).await,
    }
}
