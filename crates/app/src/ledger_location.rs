//! The location of the ledger of erasures, according to the settings.

use std::path::{self, PathBuf};

use anyhow::{Context, bail};
use parlance_adapters_objects::ObjectLedger;
use parlance_adapters_sql::backup;

use crate::{
    companion_files::beside,
    settings::{PrivateUrl, Settings},
    tls,
};

/// The address of the ledger: that of the setting, else the directory beside the embedded database. `None` if the
/// database is PostgreSQL or in memory, and no address is set.
pub(crate) fn ledger_address(settings: &Settings) -> Option<PrivateUrl> {
    let default = || {
        let database = backup::database_file(settings.database_url.reveal()).ok()?;
        Some(PrivateUrl::new(format!("file://{}", beside(&database, ".ledger").display())))
    };
    settings.ledger_url.clone().or_else(default)
}

/// Opens the ledger; `None` without an address. No request is sent yet.
///
/// # Errors
/// If the address cannot be opened, or is within the feeds.
pub(crate) fn open_ledger(settings: &Settings) -> anyhow::Result<Option<ObjectLedger>> {
    let Some(address) = ledger_address(settings) else { return Ok(None) };
    ensure_apart(&address, &settings.feeds.url)?;
    tls::install_provider();
    ObjectLedger::open(address.reveal()).context("ledger_url").map(Some)
}

/// Fails if the ledger is within the feeds, which others read and clean.
///
/// # Errors
/// One line that names the setting.
pub(crate) fn ensure_apart(ledger: &PrivateUrl, feeds: &PrivateUrl) -> anyhow::Result<()> {
    if comparable(ledger).starts_with(comparable(feeds)) {
        bail!("ledger_url: is within the store of feeds: choose another directory or bucket");
    }
    Ok(())
}

/// The address as a path whose components can be compared.
fn comparable(address: &PrivateUrl) -> PathBuf {
    let directory = address.reveal().strip_prefix("file://");
    directory.and_then(|directory| path::absolute(directory).ok()).unwrap_or_else(|| address.reveal().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_apart(ledger: &str, feeds: &str) -> bool {
        ensure_apart(&PrivateUrl::new(ledger), &PrivateUrl::new(feeds)).is_ok()
    }

    #[test]
    fn a_ledger_within_the_feeds_is_refused() {
        assert!(!is_apart("file://feeds", "file://feeds/"));
        assert!(!is_apart("file://feeds/acme", "file://feeds"));
        assert!(!is_apart("s3://bucket/feeds/ledger", "s3://bucket/feeds"));
    }

    #[test]
    fn a_ledger_beside_the_feeds_is_accepted() {
        assert!(is_apart("file://feeds.ledger", "file://feeds"));
        assert!(is_apart("s3://bucket/ledger", "s3://bucket/feeds"));
        assert!(is_apart("file://ledger", "s3://bucket/ledger"));
    }
}
