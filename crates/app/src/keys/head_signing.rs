//! Checks of the signing key, and the first signatures of existing heads.

use anyhow::Context;
use parlance_domain::{
    audit::{Audit, UnsignedHeads},
    signing::KeyFingerprint,
};

use super::location::{KeyLocation, write_marker};
use crate::commands::database_error;

/// The master key is not one of the keys that signed the heads.
#[derive(Debug, thiserror::Error)]
#[error("the audit log of this database is signed by the key {signer_key}, but {}: {advice}", .found_key.map_or_else(
    || "no key was found".to_owned(), |key| format!("the key found is {key}")))]
struct SignerKeyError {
    signer_key: KeyFingerprint,
    found_key: Option<KeyFingerprint>,
    advice: String,
}

/// Whether an error of [`check_key`] says that there is no key, as opposed to another key or an error of the database.
pub(crate) fn is_missing_key(error: &anyhow::Error) -> bool {
    error.downcast_ref::<SignerKeyError>().is_some_and(|error| error.found_key.is_none())
}

/// Checks that the master key is one of the keys that signed the heads of this database. A database without a signed
/// head passes with any key and without a key.
///
/// # Errors
/// The key is missing or another one, or the database cannot be queried. The error is one line that names the setting
/// and, for a key, how to correct it.
pub(crate) async fn check_key(audit: &Audit, location: &KeyLocation) -> anyhow::Result<()> {
    let signed_by = audit.keys().await.map_err(database_error)?;
    let found_key = audit.key();
    let is_signer = found_key.is_some_and(|key| signed_by.contains(&key));
    let Some(&signer_key) = signed_by.first().filter(|_| !is_signer) else { return Ok(()) };
    Err(SignerKeyError { signer_key, found_key, advice: location.advice() }).context("master_key_file")
}

/// Verifies the chains and signs the heads that were written without a key. This happens once: later, a head without a
/// signature is refused, so that nobody who can write to the database can get a head signed by a restart. A marker file
/// beside the key, outside the database, records that it has happened.
pub(crate) async fn sign_existing_heads(audit: &Audit, location: &KeyLocation) -> anyhow::Result<()> {
    let Some(marker) = location.marker_path().filter(|marker| !marker.exists()) else { return Ok(()) };
    if !audit.keys().await.map_err(database_error)?.is_empty() {
        // Another replica has signed them. If the marker cannot be written, the next start comes here again.
        write_marker(&marker);
        return Ok(());
    }
    let heads = match audit.unsigned_heads().await.map_err(database_error)? {
        UnsignedHeads::Verified(heads) => heads,
        UnsignedHeads::Broken(broken) => {
            let tenants = broken.iter().map(|chain| chain.tenant.as_str()).collect::<Vec<_>>().join(" ");
            tracing::error!(
                tenants,
                "the heads of the audit log are not signed, because the log was altered: run `parlance audit verify`"
            );
            return Ok(());
        }
    };
    if !write_marker(&marker) && !heads.is_empty() {
        let file = marker.display().to_string();
        tracing::warn!(
            file,
            "the heads of the audit log are not signed, because this file cannot be written: run `parlance audit sign`"
        );
        return Ok(());
    }
    let count = audit.sign(&heads).await.map_err(database_error)?;
    if count > 0 {
        tracing::info!(count, "verified the audit log and signed its heads");
    }
    Ok(())
}
