//! `parlance migrate`.

use super::print;
use crate::{service::Stores, settings::Settings};

pub(crate) async fn run(settings: &Settings) -> anyhow::Result<()> {
    let stores = Stores::create(settings).await?;
    stores.database.close().await?;
    print("The schema is up to date.\n")
}
