//! The task that reads the change log for all subscribers.

use std::{sync::Arc, time::Duration};

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    event::{EventReader, EventType, Events, LogPosition, LogRead},
    id::ConversationId,
    limits::EVENT_STREAMS_MAX,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    time::{sleep, timeout},
};

use super::{ChangeHints, registry::Registry, rendered_event::RenderedEvent, subscription::Subscription};

/// Time between two looks at the log without a hint.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Shortest time between two looks at the log. Hints that come meanwhile become one.
const MIN_INTERVAL: Duration = Duration::from_millis(5);

/// Time after which the log is read again when a store failed.
const FAILURE_INTERVAL: Duration = Duration::from_secs(1);

/// Entries of the log that are read at once.
const PAGE_ENTRIES: usize = 200;

/// Reads the change log for all subscribers of this process. Clones share the subscribers.
#[derive(Clone)]
pub struct EventHub {
    events: Events,
    hints: ChangeHints,
    registry: Registry,
    streams: Arc<Semaphore>,
}

impl EventHub {
    /// A hub without subscribers.
    #[must_use]
    pub fn new(events: Events) -> Self {
        let streams = Arc::new(Semaphore::new(EVENT_STREAMS_MAX));
        Self { events, hints: ChangeHints::default(), registry: Registry::default(), streams }
    }

    /// The handle that wakes the hub after a write.
    #[must_use]
    pub fn hints(&self) -> &ChangeHints {
        &self.hints
    }

    /// Subscribes a reader that has read the log up to `position`: to the events of a conversation, or of its tenant.
    pub(crate) fn subscribe(
        &self,
        reader: &EventReader,
        conversation: Option<ConversationId>,
        position: LogPosition,
    ) -> Subscription {
        Subscription::new(&self.registry, reader, conversation, position)
    }

    /// A permit for one open stream; `None` if there are too many.
    pub(crate) fn stream_permit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.streams).try_acquire_owned().ok()
    }

    /// Reads the log until `stop` becomes true.
    pub async fn run(self, mut stop: watch::Receiver<bool>) {
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => {}
            () = self.follow() => {}
        }
    }

    async fn follow(&self) {
        loop {
            let heads = self.registry.heads();
            if heads.is_empty() {
                self.registry.subscribed().await;
                continue;
            }
            if let Err(error) = self.advance(&heads).await {
                tracing::warn!(cause = error.cause_chain(), "failed to read the change log for streams");
                sleep(FAILURE_INTERVAL).await;
            }
            sleep(MIN_INTERVAL).await;
            // Without a hint, the log is read after the interval.
            let _ = timeout(POLL_INTERVAL, self.hints.notified()).await;
        }
    }

    /// Offers what follows the heads. A failure for one tenant holds up no other.
    async fn advance(&self, heads: &[(TenantId, LogPosition)]) -> Result<(), StoreError> {
        let has_entries = self.events.log().has_entries(heads).await?;
        let mut outcome = Ok(());
        for ((tenant, head), _) in heads.iter().zip(has_entries).filter(|(_, has_entries)| *has_entries) {
            outcome = outcome.and(self.advance_tenant(tenant, *head).await);
        }
        outcome
    }

    async fn advance_tenant(&self, tenant: &TenantId, head: LogPosition) -> Result<(), StoreError> {
        let LogRead::Page(page) = self.events.log().read(tenant, head, PAGE_ENTRIES).await? else {
            // The log was replaced, or the subscribers were too slow. Each learns it when it reads.
            self.registry.restart(tenant, self.events.log().newest(tenant).await?);
            return Ok(());
        };
        if page.has_more {
            self.hints.notify();
        }
        let Some((reader, needed)) = self.registry.select(tenant, &page.entries) else { return Ok(()) };
        if page.entries.iter().any(|entry| entry.change.event_type() == EventType::RedactionSwitched) {
            self.events.forget_active_entities(&reader);
        }
        let events = self.events.load(&reader, needed).await?;
        let rendered: Vec<_> = events.iter().map(|event| Arc::new(RenderedEvent::new(event))).collect();
        self.registry.offer(tenant, &page.entries, &rendered);
        Ok(())
    }
}
