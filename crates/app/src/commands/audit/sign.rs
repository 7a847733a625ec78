//! `parlance audit sign`.

use anyhow::bail;
use parlance_domain::audit::UnsignedHeads;

use super::verify::ensure_intact;
use crate::{
    commands::{database_error, print},
    settings::Settings,
    wiring::Stores,
};

pub(super) async fn run(settings: &Settings) -> anyhow::Result<()> {
    let stores = Stores::open(settings, true).await?;
    if stores.audit.key().is_none() {
        bail!("master_key_file: there is no key to sign with: set it, or start `parlance serve`, which creates one");
    }
    let heads = match stores.audit.unsigned_heads().await.map_err(database_error)? {
        UnsignedHeads::Verified(heads) => heads,
        UnsignedHeads::Broken(broken) => return ensure_intact(&broken),
    };
    let count = stores.audit.sign(&heads).await.map_err(database_error)?;
    stores.database.close().await?;
    print(&format!("The audit log is verified; newly signed heads: {count}\n"))
}
