//! `parlance openapi`.

use anyhow::Context;
use parlance_adapters_http::{HttpSettings, openapi};

use super::print;
use crate::settings::Settings;

pub(crate) fn run(settings: &Settings) -> anyhow::Result<()> {
    let http = HttpSettings::new(&settings.header_prefix, settings.max_body_bytes).context("header_prefix")?;
    let text = openapi(&http).to_pretty_json().context("failed to serialize the OpenAPI document")?;
    print(&format!("{text}\n"))
}
