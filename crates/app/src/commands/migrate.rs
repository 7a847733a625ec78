//! `parlance migrate`.

use super::print;
use crate::{settings::Settings, wiring::Stores};

pub(crate) async fn run(settings: &Settings) -> anyhow::Result<()> {
    let stores = Stores::open_or_create(settings).await?;
    stores.database.close().await?;
    print("The schema is up to date.\n")
}
