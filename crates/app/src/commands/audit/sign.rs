//! `parlance audit sign`.

use anyhow::bail;
use parlance_domain::audit::UnsignedHeads;

use super::verify::refuse_broken;
use crate::{
    commands::{in_words, print},
    service::Stores,
    settings::Settings,
};

pub(super) async fn run(settings: &Settings) -> anyhow::Result<()> {
    let stores = Stores::open(settings, true).await?;
    if stores.audit.key().is_none() {
        bail!("master_key_file: there is no key to sign with: set it, or start `parlance serve`, which makes one");
    }
    let heads = match stores.audit.unsigned_heads().await.map_err(in_words)? {
        UnsignedHeads::Verified(heads) => heads,
        UnsignedHeads::Broken(broken) => return refuse_broken(&broken),
    };
    let count = stores.audit.sign(&heads).await.map_err(in_words)?;
    stores.database.close().await?;
    print(&format!("The audit log is verified; heads that are signed now: {count}\n"))
}
