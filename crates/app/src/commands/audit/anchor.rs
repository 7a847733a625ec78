//! `parlance audit anchor`.

use anyhow::Context;
use clap::Args;
use parlance_domain::audit::Scope;

use super::{anchors::Location, verify::refuse_broken};
use crate::{
    commands::{in_words, print},
    service::Stores,
    settings::Settings,
};

#[derive(Debug, Args)]
pub(crate) struct Write {
    /// Where to write them: a file, or an address such as `s3://bucket/name`
    #[arg(long, value_name = "FILE|URL", value_parser = Location::parse)]
    output: Location,
}

impl Write {
    /// Writes the heads of chains that were verified; none where one is broken.
    pub(super) async fn run(self, settings: &Settings) -> anyhow::Result<()> {
        let stores = Stores::open_to_record(settings).await?;
        let found = stores.audit.verify(&Scope::default()).await.map_err(in_words)?;
        let anchors = stores.audit.anchors(&found, stores.clock.now());
        stores.database.close().await?;
        refuse_broken(&found)?;
        let anchors = anchors.context("the heads are not signed: set master_key_file")?;
        self.output.write(&anchors).await.context("--output")?;
        print(&format!("The heads are written; tenants: {}\n", anchors.len()))
    }
}
