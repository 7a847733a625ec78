//! The store of feeds, according to the settings.

use anyhow::Context;
use parlance_adapters_objects::ObjectFeeds;

use crate::{settings::Settings, tls};

/// Opens the store of feeds.
///
/// # Errors
/// If `feeds_url` is not an address that can be opened.
pub(crate) fn open_feeds(settings: &Settings) -> anyhow::Result<ObjectFeeds> {
    tls::install_provider();
    let feeds = ObjectFeeds::open(settings.feeds.url.reveal()).context("feeds_url")?;
    Ok(feeds.with_mode(settings.output_mode))
}
