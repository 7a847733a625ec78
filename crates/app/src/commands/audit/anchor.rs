//! `parlance audit anchor`.

use anyhow::Context;
use clap::Args;
use parlance_domain::audit::VerificationScope;

use super::{anchors::AnchorLocation, verify::ensure_intact};
use crate::{
    commands::{database_error, print},
    settings::Settings,
    wiring::Stores,
};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The file or address to write to, such as `s3://bucket/name`
    #[arg(long, value_name = "FILE|URL", value_parser = AnchorLocation::parse)]
    output: AnchorLocation,
}

impl Options {
    /// Verifies all chains and writes their heads. If one chain is broken, nothing is written.
    pub(super) async fn run(self, settings: &Settings) -> anyhow::Result<()> {
        let stores = Stores::open_with_checked_key(settings).await?;
        let verifications = stores.audit.verify(&VerificationScope::default()).await.map_err(database_error)?;
        let anchors = stores.audit.anchors(&verifications, stores.clock.now());
        stores.database.close().await?;
        ensure_intact(&verifications)?;
        let anchors = anchors.context("the heads are not signed: set master_key_file")?;
        self.output.write(&anchors).await.context("--output")?;
        print(&format!("The heads are written; tenants: {}\n", anchors.len()))
    }
}
