//! The wiring of the service that exports feeds.

use std::sync::Arc;

use parlance_adapters_sql::{SqlFeedSource, SqlRedaction};
use parlance_domain::{feed::FeedProduction, redaction::ActiveEntityCache};

use crate::{settings::Settings, wiring::Stores};

impl Stores {
    /// Builds the service that exports feeds from the database into their store.
    #[must_use]
    pub fn feed_production(&self, settings: &Settings) -> FeedProduction {
        let redaction_store = Arc::new(SqlRedaction::new(self.database.clone()));
        let active = ActiveEntityCache::new(redaction_store, Arc::clone(&self.monotonic));
        let fields = self.redactions.fields(active.clone());
        let redaction = self.export_redaction(active);
        let source = Arc::new(SqlFeedSource::new(self.database.clone()));
        let store_and_sink = (Arc::new(self.feeds.clone()) as Arc<_>, Arc::new(self.feeds.clone()) as Arc<_>);
        let ids_and_clock = (Arc::clone(&self.ids), Arc::clone(&self.clock));
        FeedProduction::new(source, store_and_sink, (redaction, fields), ids_and_clock, settings.feeds.compression)
            .with_intervals(settings.feeds.intervals)
    }
}
