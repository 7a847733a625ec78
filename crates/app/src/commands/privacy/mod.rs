//! `parlance privacy verify|scan|compact|fail|apply-ledger`.

mod apply_ledger;
mod compact;
mod fail;
mod scan;
mod scan_report;
mod search_paths;
mod value_list;
mod value_search;
mod verify;
mod written_forms;

use clap::Subcommand;

use crate::settings::Settings;

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Verify the receipt of an erasure, without a database, a configuration or a network
    Verify(verify::Options),
    /// Search all stored bytes for given values in their written forms; exit with 1 if one is found
    Scan(scan::Options),
    /// Rewrite the tables of PostgreSQL without the bytes of erased rows, and issue second receipts
    Compact,
    /// End an open privacy request whose stored row is invalid, so that no server can carry it out
    Fail(fail::Options),
    /// Apply the ledger of erasures to the database, as every start of a server does
    ApplyLedger(apply_ledger::Options),
}

pub(crate) async fn run(action: Action, settings: &Settings) -> anyhow::Result<()> {
    match action {
        Action::Verify(options) => verify::run(&options),
        Action::Scan(options) => scan::run(options, settings),
        Action::Compact => compact::run(settings).await,
        Action::Fail(options) => fail::run(&options, settings).await,
        Action::ApplyLedger(options) => apply_ledger::run(&options, settings).await,
    }
}
