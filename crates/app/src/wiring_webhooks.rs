//! The wiring of webhooks.

use std::sync::Arc;

use anyhow::Context;
use parlance_adapters_http::JsonEventEncoder;
use parlance_adapters_sql::{SqlChangeLog, SqlRedaction, SqlWebhooks};
use parlance_adapters_webhook::{Authorities, HttpWebhookSender};
use parlance_domain::{
    id::IdSource,
    redaction::ActiveEntityCache,
    webhook::{Dispatcher, DispatcherPorts, Webhooks},
};

use crate::{settings::Settings, system::RandomSecrets, wiring::Stores};

impl Stores {
    /// Builds the service by which callers manage webhooks.
    pub(crate) fn webhooks(&self, settings: &Settings, ids: Arc<dyn IdSource>) -> Webhooks {
        let store = Arc::new(SqlWebhooks::new(self.database.clone()));
        let log = Arc::new(SqlChangeLog::new(self.database.clone()));
        Webhooks::new(
            (store, log),
            (Arc::clone(&self.webhook_cipher), Arc::new(RandomSecrets)),
            (ids, Arc::clone(&self.clock)),
            settings.webhooks.allow.clone(),
        )
    }

    /// Builds the dispatcher of webhooks.
    ///
    /// # Errors
    /// If `webhook_ca_file` cannot be used.
    pub(crate) fn webhook_dispatcher(&self, settings: &Settings) -> anyhow::Result<Dispatcher> {
        let authorities = settings.webhooks.ca_file.as_deref().map_or_else(
            || Ok(Authorities::default()),
            |file| Authorities::read(file).with_context(|| format!("webhook_ca_file: {}", file.display())),
        );
        let sender = HttpWebhookSender::new(settings.webhooks.allow.clone(), authorities?);
        let ports = DispatcherPorts {
            store: Arc::new(SqlWebhooks::new(self.database.clone())),
            sender: Arc::new(sender),
            encoder: Arc::new(JsonEventEncoder),
            cipher: Arc::clone(&self.webhook_cipher),
            ids: Arc::clone(&self.ids),
            clock: Arc::clone(&self.clock),
            monotonic: Arc::clone(&self.monotonic),
        };
        let redaction_store = Arc::new(SqlRedaction::new(self.database.clone()));
        let active = ActiveEntityCache::new(redaction_store, Arc::clone(&self.monotonic));
        let active = active.with_ttl(settings.redaction.refresh_seconds);
        Ok(Dispatcher::new(ports, self.events(active)))
    }
}
