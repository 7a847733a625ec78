//! `parlance audit sign`.

use anyhow::bail;
use clap::Args;
use parlance_domain::audit::UnsignedHeads;

use super::verify::ensure_intact;
use crate::{
    commands::{database_error, print},
    settings::Settings,
    wiring::Stores,
};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Also sign heads that another key has signed, which replaces that key
    #[arg(long)]
    replace_key: bool,
}

pub(super) async fn run(Options { replace_key }: &Options, settings: &Settings) -> anyhow::Result<()> {
    let stores = Stores::open(settings, true).await?;
    let Some(key) = stores.audit.key() else {
        bail!("master_key_file: there is no key to sign with: set it, or start `parlance serve`, which creates one");
    };
    let signed_by = stores.audit.keys().await.map_err(database_error)?;
    if let Some(other) = signed_by.iter().find(|other| **other != key).filter(|_| !replace_key) {
        bail!(
            "master_key_file: the audit log is signed by the key {other}, but the key found is {key}: put that key \
             back, or replace it with --replace-key if it is lost"
        );
    }
    let heads = match stores.audit.unsigned_heads().await.map_err(database_error)? {
        UnsignedHeads::Verified(heads) => heads,
        UnsignedHeads::Broken(broken) => return ensure_intact(&broken),
    };
    let count = stores.audit.sign(&heads).await.map_err(database_error)?;
    stores.database.close().await?;
    print(&format!("The audit log is verified; newly signed heads: {count}\n"))
}
