//! The subscription of one reader to the hub.

use std::sync::Arc;

use parlance_domain::{
    access::TenantId,
    event::{EventReader, LogPosition},
    id::{ConversationId, MessageId},
};

use super::{
    mailbox::Taken,
    registry::{Registry, Subscriber},
};

/// A subscription. It ends when it is dropped.
///
/// A new subscriber reads the log itself, and is only woken. It begins to [queue](Self::start_queueing) events before it
/// reads the log for the last time, so that it misses none.
pub(crate) struct Subscription {
    registry: Registry,
    tenant: TenantId,
    subscriber: Arc<Subscriber>,
}

impl Subscription {
    /// Subscribes a reader that has read the log up to `position`.
    pub(super) fn new(
        registry: &Registry,
        reader: &EventReader,
        conversation: Option<ConversationId>,
        position: LogPosition,
    ) -> Self {
        let subscriber = Subscriber::new(reader.types(), conversation);
        registry.add(reader, &subscriber, position);
        Self { registry: registry.clone(), tenant: reader.tenant().clone(), subscriber }
    }

    /// Waits until there is something to take or to read since the last call.
    pub(crate) async fn news(&self) {
        self.subscriber.news().await;
    }

    /// The position up to which the hub has read.
    pub(crate) fn head(&self) -> LogPosition {
        self.registry.head(&self.tenant)
    }

    /// Begins to queue events. Returns the position from which on all are queued.
    pub(crate) fn start_queueing(&self) -> LogPosition {
        self.registry.start_queueing(&self.tenant, &self.subscriber)
    }

    /// Takes the next events after `position`, except those that created a message for which `is_known` is true.
    pub(crate) fn take(&self, position: LogPosition, is_known: impl Fn(&MessageId) -> bool) -> Taken {
        self.registry.take(&self.tenant, &self.subscriber, position, is_known)
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.registry.remove(&self.tenant, &self.subscriber);
    }
}
