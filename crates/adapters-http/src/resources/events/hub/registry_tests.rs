//! Tests of the registry of subscribers.

use std::sync::Arc;

use futures_util::FutureExt;
use parlance_domain::{
    access::{AuthorizedCaller, Caller, Permission, ReadConversations, TenantId},
    event::{Change, EventReader, EventTypes, LogEntry, LogPosition, MessageReference},
    id::{ConversationId, MessageId},
    message::MessagePosition,
    redaction::Entity,
    time::Timestamp,
};

use super::{
    mailbox::{
        Taken,
        tests::{at, event},
    },
    registry::{Registry, Subscriber},
};
fn tenant() -> TenantId {
    TenantId::parse("acme").unwrap()
}

fn reader() -> EventReader {
    let caller = Caller::new(tenant(), [Permission::ReadConversations].into_iter().collect());
    let caller: AuthorizedCaller<ReadConversations> = Caller::authorize(&caller).unwrap();
    EventReader::new(&caller, None).unwrap()
}

fn subscribe(registry: &Registry, conversation: Option<u128>) -> Arc<Subscriber> {
    let subscriber = Subscriber::new(EventTypes::all(), conversation.map(ConversationId::from_bits));
    registry.add(&reader(), &subscriber, LogPosition::START);
    registry.start_queueing(&tenant(), &subscriber);
    subscriber
}

fn entry(sequence: i64, change: Change) -> LogEntry {
    LogEntry { position: at(sequence), occurred_at: Timestamp::EPOCH, change }
}

fn update(sequence: i64, conversation: u128) -> LogEntry {
    entry(sequence, Change::ConversationUpdated(ConversationId::from_bits(conversation)))
}

fn masking(sequence: i64, conversation: u128) -> LogEntry {
    let position = MessagePosition { sent_at: Timestamp::EPOCH, id: MessageId::from_bits(1) };
    let conversation = ConversationId::from_bits(conversation);
    entry(sequence, Change::MessageMasked(MessageReference { conversation, position }))
}

/// Offers entries, each with an event whose frame is its number.
fn offer(registry: &Registry, entries: &[LogEntry]) {
    let (_, needed) = registry.select(&tenant(), entries).unwrap();
    let rendered: Vec<_> =
        needed.iter().map(|entry| event(entry.position.sequence, &entry.position.sequence.to_string())).collect();
    registry.offer(&tenant(), entries, &rendered);
}

/// What a subscriber takes: the frames, `-` for none, or `lagging`.
fn taken(registry: &Registry, subscriber: &Subscriber) -> String {
    match registry.take(&tenant(), subscriber, LogPosition::START, |_| false) {
        Taken::Frames(frames) => String::from_utf8(frames.bytes.to_vec()).unwrap(),
        Taken::Empty(_) => "-".to_owned(),
        Taken::Lagging => "lagging".to_owned(),
    }
}

fn is_woken(subscriber: &Subscriber) -> bool {
    subscriber.news().now_or_never().is_some()
}

#[test]
fn an_event_wakes_only_the_subscribers_of_its_conversation_and_of_the_tenant() {
    let registry = Registry::default();
    let (all, first, second) =
        (subscribe(&registry, None), subscribe(&registry, Some(1)), subscribe(&registry, Some(2)));
    offer(&registry, &[update(1, 1), update(2, 3)]);
    assert_eq!([&all, &first, &second].map(|subscriber| is_woken(subscriber)), [true, true, false]);
    assert_eq!([&all, &first, &second].map(|subscriber| taken(&registry, subscriber)), ["12", "1", "-"]);
    assert_eq!(registry.head(&tenant()), at(2));
}

#[test]
fn only_what_a_queue_needs_is_rendered() {
    let registry = Registry::default();
    let _second = subscribe(&registry, Some(2));
    let lagging = Subscriber::new(EventTypes::all(), None);
    registry.add(&reader(), &lagging, LogPosition::START);
    let (_, needed) = registry.select(&tenant(), &[update(1, 1), update(2, 2)]).unwrap();
    assert_eq!(needed, [update(2, 2)]);
    offer(&registry, &[update(1, 1)]);
    assert!(is_woken(&lagging), "a subscriber that reads the log itself is woken");
}

#[test]
fn a_masked_message_withdraws_what_is_queued_of_its_conversation() {
    let registry = Registry::default();
    let (first, second) = (subscribe(&registry, Some(1)), subscribe(&registry, Some(2)));
    offer(&registry, &[update(1, 1), update(2, 2)]);
    offer(&registry, &[masking(3, 1)]);
    assert_eq!([&first, &second].map(|subscriber| taken(&registry, subscriber)), ["lagging", "2"]);
}

#[test]
fn a_switch_withdraws_everything_that_is_queued() {
    let registry = Registry::default();
    let (first, second) = (subscribe(&registry, Some(1)), subscribe(&registry, None));
    offer(&registry, &[update(1, 1)]);
    offer(&registry, &[entry(2, Change::RedactionSwitched(Entity::ALL[0]))]);
    assert_eq!([&first, &second].map(|subscriber| taken(&registry, subscriber)), ["lagging", "lagging"]);
}

#[test]
fn a_subscriber_that_began_to_queue_after_the_choice_reads_the_log() {
    let registry = Registry::default();
    let late = Subscriber::new(EventTypes::all(), None);
    registry.add(&reader(), &late, LogPosition::START);
    let entries = [update(1, 1)];
    let (_, needed) = registry.select(&tenant(), &entries).unwrap();
    assert_eq!(needed, []);
    registry.start_queueing(&tenant(), &late);
    registry.offer(&tenant(), &entries, &[]);
    assert_eq!(taken(&registry, &late), "lagging");
}

#[test]
fn a_tenant_without_subscribers_is_not_read() {
    let registry = Registry::default();
    let (first, second) = (subscribe(&registry, Some(1)), subscribe(&registry, None));
    assert_eq!(registry.heads(), [(tenant(), LogPosition::START)]);
    registry.remove(&tenant(), &first);
    assert_eq!(registry.heads().len(), 1);
    registry.remove(&tenant(), &second);
    assert!(registry.heads().is_empty());
}
