//! The subscribers, by tenant and conversation.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
};

use parlance_domain::{
    access::TenantId,
    event::{Change, EventReader, EventType, EventTypes, LogEntry, LogPosition},
    id::{ConversationId, MessageId},
    sync,
};
use tokio::sync::Notify;

use super::{
    mailbox::{Mailbox, Queue, Taken},
    rendered_event::RenderedEvent,
};

/// The subscribers of all tenants. Clones share them.
#[derive(Clone, Default)]
pub(super) struct Registry(Arc<Shared>);

#[derive(Default)]
struct Shared {
    tenants: Mutex<HashMap<TenantId, TenantSubscribers>>,
    subscribed: Notify,
}

/// A subscriber.
pub(super) struct Subscriber {
    types: EventTypes,
    conversation: Option<ConversationId>,
    mailbox: Mutex<Mailbox>,
    news: Notify,
}

/// The subscribers of a tenant, and up to where its log was read for them.
struct TenantSubscribers {
    /// Reads on behalf of all of them.
    reader: EventReader,
    /// The position up to which every event was offered.
    head: LogPosition,
    of_tenant: Vec<Arc<Subscriber>>,
    of_conversations: HashMap<ConversationId, Vec<Arc<Subscriber>>>,
}

impl Subscriber {
    pub(super) fn new(types: EventTypes, conversation: Option<ConversationId>) -> Arc<Self> {
        Arc::new(Self { types, conversation, mailbox: Mutex::default(), news: Notify::new() })
    }

    /// Waits until there is something to take or to read since the last call.
    pub(super) async fn news(&self) {
        self.news.notified().await;
    }

    fn is_queueing(&self) -> bool {
        matches!(*sync::lock(&self.mailbox), Mailbox::Queueing(_))
    }

    fn lag(&self) {
        *sync::lock(&self.mailbox) = Mailbox::Lagging;
        self.news.notify_one();
    }
}

impl TenantSubscribers {
    fn all(&self) -> impl Iterator<Item = &Arc<Subscriber>> {
        self.of_tenant.iter().chain(self.of_conversations.values().flatten())
    }

    /// The subscribers of the tenant and of the conversation of a change.
    fn around(&self, change: &Change) -> impl Iterator<Item = &Arc<Subscriber>> {
        let of_conversation = change.conversation().and_then(|id| self.of_conversations.get(id));
        self.of_tenant.iter().chain(of_conversation.into_iter().flatten())
    }

    /// The subscribers that asked for the event of a change.
    fn matching(&self, change: &Change) -> impl Iterator<Item = &Arc<Subscriber>> {
        let event_type = change.event_type();
        self.around(change).filter(move |subscriber| subscriber.types.contains(event_type))
    }

    /// Withdraws queued events whose text may read differently after a change.
    fn withdraw_outdated(&self, change: &Change) {
        match change.event_type() {
            EventType::RedactionSwitched => self.all().for_each(|subscriber| withdraw(subscriber)),
            EventType::MessageMasked | EventType::ConversationErased => {
                self.around(change).for_each(|subscriber| withdraw(subscriber));
            }
            EventType::ConversationCreated
            | EventType::ConversationUpdated
            | EventType::MessageCreated
            | EventType::VocabularyCreated
            | EventType::VocabularyDeleted
            | EventType::FeedDayCompleted
            | EventType::FeedDayRevised => {}
        }
    }
}

fn withdraw(subscriber: &Subscriber) {
    sync::lock(&subscriber.mailbox).withdraw();
    subscriber.news.notify_one();
}

impl Registry {
    fn tenants(&self) -> MutexGuard<'_, HashMap<TenantId, TenantSubscribers>> {
        sync::lock(&self.0.tenants)
    }

    /// Adds a subscriber that has read the log up to `position`.
    pub(super) fn add(&self, reader: &EventReader, subscriber: &Arc<Subscriber>, position: LogPosition) {
        let mut tenants = self.tenants();
        let tenant = tenants.entry(reader.tenant().clone()).or_insert_with(|| TenantSubscribers {
            reader: reader.clone(),
            head: position,
            of_tenant: Vec::new(),
            of_conversations: HashMap::new(),
        });
        tenant.reader = tenant.reader.join(reader).unwrap_or_else(|| reader.clone());
        let subscribers = match &subscriber.conversation {
            None => &mut tenant.of_tenant,
            Some(id) => tenant.of_conversations.entry(id.clone()).or_default(),
        };
        subscribers.push(Arc::clone(subscriber));
        self.0.subscribed.notify_one();
    }

    /// Removes a subscriber, and a tenant without any.
    pub(super) fn remove(&self, tenant_id: &TenantId, subscriber: &Arc<Subscriber>) {
        let mut tenants = self.tenants();
        let Some(tenant) = tenants.get_mut(tenant_id) else { return };
        let remove = |subscribers: &mut Vec<Arc<Subscriber>>| {
            if let Some(index) = subscribers.iter().position(|other| Arc::ptr_eq(other, subscriber)) {
                subscribers.swap_remove(index);
            }
        };
        match &subscriber.conversation {
            None => remove(&mut tenant.of_tenant),
            Some(id) => {
                tenant.of_conversations.get_mut(id).into_iter().for_each(remove);
                tenant.of_conversations.retain(|other, subscribers| other != id || !subscribers.is_empty());
            }
        }
        if tenant.of_tenant.is_empty() && tenant.of_conversations.is_empty() {
            tenants.remove(tenant_id);
        }
    }

    /// Waits until a subscriber was added since the last call.
    pub(super) async fn subscribed(&self) {
        self.0.subscribed.notified().await;
    }

    /// The tenants with subscribers, each with the position up to which its log was read.
    pub(super) fn heads(&self) -> Vec<(TenantId, LogPosition)> {
        self.tenants().iter().map(|(id, tenant)| (id.clone(), tenant.head)).collect()
    }

    /// The position up to which every event of a tenant was offered.
    pub(super) fn head(&self, tenant: &TenantId) -> LogPosition {
        self.tenants().get(tenant).map_or(LogPosition::START, |tenant| tenant.head)
    }

    /// The reader on behalf of all subscribers of a tenant, and those of the entries that one of the queues needs.
    pub(super) fn select(&self, tenant: &TenantId, entries: &[LogEntry]) -> Option<(EventReader, Vec<LogEntry>)> {
        let tenants = self.tenants();
        let tenant = tenants.get(tenant)?;
        let is_needed = |entry: &&LogEntry| tenant.matching(&entry.change).any(|subscriber| subscriber.is_queueing());
        Some((tenant.reader.clone(), entries.iter().filter(is_needed).cloned().collect()))
    }

    /// Offers the events of entries that follow the head. `rendered` has the events that [`select`](Self::select) chose, in
    /// the same order.
    pub(super) fn offer(&self, tenant: &TenantId, entries: &[LogEntry], rendered: &[Arc<RenderedEvent>]) {
        let mut tenants = self.tenants();
        let Some(tenant) = tenants.get_mut(tenant) else { return };
        let mut rendered = rendered.iter().peekable();
        for LogEntry { position, change, .. } in entries {
            tenant.withdraw_outdated(change);
            let event = rendered.next_if(|event| event.position == *position);
            for subscriber in tenant.matching(change) {
                let mut mailbox = sync::lock(&subscriber.mailbox);
                match event {
                    Some(event) => mailbox.offer(event),
                    // The subscriber began to queue after the events were chosen.
                    None => *mailbox = Mailbox::Lagging,
                }
                drop(mailbox);
                subscriber.news.notify_one();
            }
            tenant.head = *position;
        }
    }

    /// Lets every subscriber of a tenant read the log itself, and continues from `head`.
    pub(super) fn restart(&self, tenant: &TenantId, head: LogPosition) {
        if let Some(tenant) = self.tenants().get_mut(tenant) {
            tenant.head = head;
            tenant.all().for_each(|subscriber| subscriber.lag());
        }
    }

    /// Begins to queue events for a subscriber. Returns the position from which on all are queued.
    pub(super) fn start_queueing(&self, tenant: &TenantId, subscriber: &Subscriber) -> LogPosition {
        let tenants = self.tenants();
        *sync::lock(&subscriber.mailbox) = Mailbox::Queueing(Queue::default());
        tenants.get(tenant).map_or(LogPosition::START, |tenant| tenant.head)
    }

    /// Takes events from the queue of a subscriber.
    pub(super) fn take(
        &self,
        tenant: &TenantId,
        subscriber: &Subscriber,
        position: LogPosition,
        is_known: impl Fn(&MessageId) -> bool,
    ) -> Taken {
        let tenants = self.tenants();
        let head = tenants.get(tenant).map_or(position, |tenant| tenant.head);
        sync::lock(&subscriber.mailbox).take(position, head, is_known)
    }
}
