//! How the signing of heads begins, and who may not go on with it.

use anyhow::{Context, anyhow};
use parlance_domain::audit::{Audit, UnsignedHeads};

use super::{KeyPlace, finding::write_note};
use crate::commands::in_words;

/// Refuses to go on without the key that signed the heads of this database, or with another one.
///
/// # Errors
/// One line that names the setting, the key and what to do.
pub(crate) async fn check_key(audit: &Audit, place: &KeyPlace) -> anyhow::Result<()> {
    let signed_by = audit.keys().await.map_err(in_words)?;
    let own = audit.key();
    let is_right = own.is_some_and(|own| signed_by.contains(&own));
    let Some(other) = signed_by.first().filter(|_| !is_right) else { return Ok(()) };
    let found = own.map_or_else(|| "there is none".to_owned(), |own| format!("the key there is {own}"));
    let advice = place.advice();
    Err(anyhow!("the audit log of this database is signed by the key {other}, and {found}: {advice}"))
        .context("master_key_file")
}

/// Signs the heads that were written before there was a key, after verifying their chains. It does so once: a head
/// without a signature is refused from then on, so that nobody who can write the database has a head signed by a restart.
/// That it was done is noted beside the key, where the database cannot reach.
pub(crate) async fn sign_existing_heads(audit: &Audit, place: &KeyPlace) -> anyhow::Result<()> {
    let Some(note) = place.note().filter(|note| !note.exists()) else { return Ok(()) };
    if !audit.keys().await.map_err(in_words)?.is_empty() {
        // Another replica has signed them. Without the note the next start finds the same.
        write_note(&note);
        return Ok(());
    }
    let heads = match audit.unsigned_heads().await.map_err(in_words)? {
        UnsignedHeads::Verified(heads) => heads,
        UnsignedHeads::Broken(broken) => {
            let tenants = broken.iter().map(|found| found.tenant.as_str()).collect::<Vec<_>>().join(" ");
            tracing::error!(
                tenants,
                "the heads of the audit log are not signed, for it is not as it was written: run `parlance audit verify`"
            );
            return Ok(());
        }
    };
    if !write_note(&note) && !heads.is_empty() {
        let file = note.display().to_string();
        tracing::warn!(
            file,
            "the heads of the audit log are not signed, for this file cannot be written: run `parlance audit sign`"
        );
        return Ok(());
    }
    let count = audit.sign(&heads).await.map_err(in_words)?;
    if count > 0 {
        tracing::info!(count, "verified the audit log and signed its heads");
    }
    Ok(())
}
