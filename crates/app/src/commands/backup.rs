//! `parlance backup` and `parlance restore`.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use parlance_adapters_sql::backup::{self, ChecksumResult};
use parlance_domain::{audit::VerificationScope, privacy::LedgerReport};

use super::{audit, database_error, print};
use crate::{
    keys::{KeyLocation, check_key, is_missing_key},
    ledger,
    ledger_location::open_ledger,
    settings::Settings,
    wiring::Stores,
};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The file of the copy
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Copies the embedded database into a new file, with its checksum in a file beside it. The database may be in use.
pub(crate) async fn back_up(Options { file }: &Options, settings: &Settings) -> anyhow::Result<()> {
    backup::database_file(settings.database_url.reveal()).context("database_url")?;
    let stores = Stores::open(settings, false).await?;
    let result = stores.database.back_up(file).await;
    let closed = stores.database.close().await;
    result.context("backup")?;
    closed?;
    print(&format!("The copy is made and verified: {}\n", file.display()))
}

/// Checks a copy, puts it in place as the embedded database, then verifies its audit log and applies the ledger of
/// erasures.
pub(crate) async fn restore(Options { file }: &Options, settings: &Settings) -> anyhow::Result<()> {
    let database_file = backup::database_file(settings.database_url.reveal()).context("database_url")?;
    // A restore cannot be repeated while its copy is in place, so an unusable key file or ledger fails it before.
    KeyLocation::from_settings(settings).load()?;
    if let Some(ledger) = open_ledger(settings)? {
        ledger::read_all(&ledger).await?;
    }
    let checksum = backup::restore(file, &database_file).await.context("restore")?;
    let place = database_file.display();
    let report = verify_restored(settings).await;
    let report = report.with_context(|| format!("the copy is at {place}, move it away before another restore"))?;
    let notice = match checksum {
        ChecksumResult::Matches => String::new(),
        ChecksumResult::NoFile => {
            format!("There is no {}.sha256: a change within a text would not have been found\n", file.display())
        }
    };
    print(&format!("The copy is verified and in place: {place}\n{report}{notice}"))
}

/// Verifies the audit log of the restored database, then applies the ledger of erasures. Returns a line for each chain,
/// and notices. If the key is missing, the database is intact, but no server starts: the start with the key applies the
/// ledger.
async fn verify_restored(settings: &Settings) -> anyhow::Result<String> {
    let (stores, _) = Stores::open_or_create(settings).await?;
    let report = verify_and_apply(&stores, settings).await;
    let closed = stores.database.close().await;
    let report = report?;
    closed?;
    Ok(report)
}

async fn verify_and_apply(stores: &Stores, settings: &Settings) -> anyhow::Result<String> {
    let verifications = stores.audit.verify(&VerificationScope::default()).await.map_err(database_error)?;
    audit::ensure_intact(&verifications)?;
    let report = audit::summary(&verifications);
    match check_key(&stores.audit, &KeyLocation::from_settings(settings)).await {
        // Without the key, no record can be appended to the audit log.
        Err(key_error) if is_missing_key(&key_error) => {
            return Ok(format!("{report}Before a server can start: {key_error:#}\n"));
        }
        outcome => outcome?,
    }
    let ledger_report = match stores.ledger(settings)? {
        Some(ledger) => ledger::apply(&ledger).await?,
        None => LedgerReport::default(),
    };
    Ok(report + &ledger::notice(ledger_report))
}
