//! `parlance privacy apply-ledger`.

use anyhow::bail;
use clap::Args;

use crate::{
    commands::print,
    ledger::{notice, unusable},
    settings::Settings,
    wiring::Stores,
};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Also apply objects without a valid authentication code: of an earlier release, or of a master key that was lost. Whoever
    /// can write to the ledger can have forged them
    #[arg(long)]
    accept_unauthenticated: bool,
}

pub(super) async fn run(options: &Options, settings: &Settings) -> anyhow::Result<()> {
    let stores = Stores::open_with_checked_key(settings).await?;
    let Some(ledger) = stores.ledger(settings)? else {
        bail!("ledger_url: there is no ledger: set its address");
    };
    let applied =
        if options.accept_unauthenticated { ledger.apply_unauthenticated().await } else { ledger.apply().await };
    let closed = stores.database.close().await;
    let report = applied.map_err(unusable)?;
    closed?;
    print(&format!("The ledger is applied\n{}", notice(report)))
}
