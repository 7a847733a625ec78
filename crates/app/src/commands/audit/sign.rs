//! `parlance audit sign`.

use std::{
    fmt::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use clap::Args;
use parlance_adapters_sql::SqlDigestKey;
use parlance_domain::{
    audit::UnsignedHeads,
    signing::{KeyFingerprint, Verifier},
};

use super::verify::ensure_intact;
use crate::{
    commands::{database_error, print},
    keys::{DigestKey, KeyLocation, KeyPurpose, MasterKey, ReencryptedSecrets, reencrypt_webhook_secrets},
    settings::Settings,
    wiring::Stores,
};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Also sign heads that another key has signed, which replaces that key
    #[arg(long)]
    replace_key: bool,
    /// The file of the replaced key, so that what was erased before stays refused, and webhooks keep their secrets
    #[arg(long, value_name = "FILE", requires = "replace_key")]
    previous_key: Option<PathBuf>,
    /// Give up the stored key of the digests, which only the lost key opens: identifiers that were erased before are accepted again
    #[arg(long, requires = "replace_key", conflicts_with = "previous_key")]
    previous_key_lost: bool,
}

/// What is printed if another key is replaced and its file is not given.
const DIGESTS_LOST: &str =
    "Digests of identifiers have a new key: identifiers that were erased before are accepted again\n";

pub(super) async fn run(options: &Options, settings: &Settings) -> anyhow::Result<()> {
    let replace_key = options.replace_key;
    let stores = Stores::open(settings, true).await?;
    let Some(key) = stores.audit.key() else {
        bail!("master_key_file: there is no key to sign with: set it, or start `parlance serve`, which creates one");
    };
    let signed_by = stores.audit.keys().await.map_err(database_error)?;
    if let Some(other) = signed_by.iter().find(|other| **other != key).filter(|_| !replace_key) {
        bail!(
            "master_key_file: the audit log is signed by the key {other}, but the key found is {key}: put that key \
             back, or replace it with --replace-key, and with --previous-key unless it is lost"
        );
    }
    let heads = match stores.audit.unsigned_heads().await.map_err(database_error)? {
        UnsignedHeads::Verified(heads) => heads,
        UnsignedHeads::Broken(broken) => return ensure_intact(&broken),
    };
    let replaced =
        if replace_key { replace(&stores, settings, options, &signed_by).await? } else { Replaced::default() };
    let count = stores.audit.sign(&heads).await.map_err(database_error)?;
    stores.database.close().await?;
    let note = if replaced.has_new_digests { DIGESTS_LOST } else { "" };
    let webhooks = describe_webhooks(replaced.webhooks);
    print(&format!("{note}The audit log is verified; newly signed heads: {count}\n{webhooks}"))
}

fn describe_webhooks(ReencryptedSecrets { webhooks, reencrypted, lost }: ReencryptedSecrets) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    if webhooks > 0 {
        let _ = writeln!(text, "Webhooks: {webhooks}; with newly encrypted secrets: {reencrypted}");
    }
    if lost > 0 {
        let _ = writeln!(
            text,
            "Webhooks that need a new secret, because none of the keys opens theirs: {lost}: POST \
             /configuration/v1/webhooks/{{webhookId}}/rotate-secret gives one, and `parlance doctor` names them"
        );
    }
    text
}

/// What a replacement of the key did before the heads are signed.
#[derive(Default)]
struct Replaced {
    has_new_digests: bool,
    webhooks: ReencryptedSecrets,
}

/// Encrypts what the replaced key encrypted under the new one. A repetition after an interruption does what is left.
async fn replace(
    stores: &Stores,
    settings: &Settings,
    options: &Options,
    signed_by: &[KeyFingerprint],
) -> anyhow::Result<Replaced> {
    let current = KeyLocation::from_settings(settings).load()?.context("master_key_file: there is no file")?;
    let previous = options.previous_key.as_deref();
    let previous = previous.map(|path| anyhow::Ok((path, KeyLocation::load_previous(path)?)));
    let previous: Option<(&Path, MasterKey)> = previous.transpose().context("--previous-key")?;
    let digests = keep_digest_key(stores, (&current, previous.as_ref()), options, signed_by).await?;
    let previous = previous.as_ref().map(|(_, key)| key);
    let webhooks = reencrypt_webhook_secrets(&stores.database, &current, previous).await?;
    if matches!(digests, Digests::NotReplaced) && previous.is_some() && webhooks.reencrypted == 0 {
        bail!(
            "--previous-key: no key is replaced, because the key in master_key_file has signed the whole audit log, and no \
             secret of a webhook opens with the previous key"
        );
    }
    Ok(Replaced { has_new_digests: matches!(digests, Digests::New), webhooks })
}

/// What becomes of the key of the digests.
enum Digests {
    /// The digests keep their key.
    Kept,
    /// The digests have a new key.
    New,
    /// No other key has signed, so the key of the digests is not replaced.
    NotReplaced,
}

/// Encrypts the key of the digests under the master key. A repetition after an interruption changes nothing.
async fn keep_digest_key(
    stores: &Stores,
    (current, previous): (&MasterKey, Option<&(&Path, MasterKey)>),
    options: &Options,
    signed_by: &[KeyFingerprint],
) -> anyhow::Result<Digests> {
    let store = SqlDigestKey::new(stores.database.clone());
    let sealed = store.find().await.map_err(database_error)?;
    let is_kept = sealed.is_some() && DigestKey::open(current, sealed.as_deref())?.is_some();
    let is_replaced = sealed.is_some() || signed_by.iter().any(|key| Some(*key) != stores.audit.key());
    if is_kept {
        return Ok(Digests::Kept);
    }
    if !is_replaced {
        return Ok(Digests::NotReplaced);
    }
    let Some((path, previous)) = previous else {
        if sealed.is_some() && !options.previous_key_lost {
            bail!(
                "--previous-key: the database holds a key of digests that only the replaced key opens: name its file, or add \
                 --previous-key-lost if there is none"
            );
        }
        store.replace(None).await.map_err(database_error)?;
        return Ok(Digests::New);
    };
    // A stored key opens with the previous key only. Without one, the signatures tell which key that is.
    let is_signer = signed_by.contains(&previous.signer(KeyPurpose::AuditHeads)?.fingerprint());
    let Some(kept) = DigestKey::open(previous, sealed.as_deref())?.filter(|_| sealed.is_some() || is_signer) else {
        bail!("--previous-key: the key in {} is not the one that is replaced", path.display());
    };
    store.replace(Some(kept.seal(current)?)).await.map_err(database_error)?;
    Ok(Digests::Kept)
}
