//! Tests of reading events: which entries are chosen, and which are held back.

use std::sync::Arc;

use parlance_domain::{
    access::{Caller, Permission, PermissionDenied, ReadConversations},
    conversation::{FieldRedaction, MockConversationStore},
    event::{
        Change, EventLimit, EventReader, EventSources, EventType, EventTypes, EventView, Events, LogEntry, LogPage,
        LogPosition, LogRead, MockChangeLog, PollError, PollRequest, PollStart,
    },
    id::{ConversationId, VocabularyEntryId},
    message::{ExportRedaction, Message, MessagePage, MessageRedaction, MockMessageStore, Role},
    redaction::{ActiveEntityCache, Flags, MockRedactionStore, TextRedaction},
    vocabulary::MockVocabularyStore,
};
use pollster::block_on;

use super::{ManualClock, at, clock, conversation, message_redaction::stored_message, tenant};

fn position(sequence: i64) -> LogPosition {
    LogPosition { sequence, index: 0, tag: 7 }
}

fn entry(sequence: i64, change: Change) -> LogEntry {
    LogEntry { position: position(sequence), occurred_at: at(sequence), change }
}

fn updated(sequence: i64) -> LogEntry {
    entry(sequence, Change::ConversationUpdated(ConversationId::from_bits(1)))
}

fn reader(permissions: &[Permission], types: Option<EventTypes>) -> Result<EventReader, PermissionDenied> {
    let caller = Caller::new(tenant(), permissions.iter().copied().collect());
    EventReader::new(&caller.authorize::<ReadConversations>().unwrap(), types)
}

/// The service over a log with these pages, in the order in which they are read.
fn events(pages: Vec<LogPage>, messages: MockMessageStore) -> Events {
    let (mut log, mut pages) = (MockChangeLog::new(), pages.into_iter());
    log.expect_read().returning(move |_, _, _| Ok(LogRead::Page(pages.next().unwrap_or_default())));
    log.expect_oldest().returning(|_| Ok(LogPosition::START));
    log.expect_newest().returning(|_| Ok(position(9)));
    service(log, messages)
}

fn service(log: MockChangeLog, messages: MockMessageStore) -> Events {
    let flags = || {
        let mut store = MockRedactionStore::new();
        store.expect_flags().returning(|_| Ok(Flags::none()));
        Arc::new(store)
    };
    let active = ActiveEntityCache::new(flags(), Arc::new(ManualClock::default()));
    let mut conversations = MockConversationStore::new();
    conversations.expect_find_all().returning(|_, _| Ok(vec![conversation(1, "call-1")]));
    let messages = Arc::new(messages);
    let redaction = MessageRedaction::new(TextRedaction::rules_only(), active.clone());
    let sources = EventSources {
        conversations: Arc::new(conversations),
        fields: FieldRedaction::new(active),
        messages: Arc::clone(&messages) as Arc<_>,
        redaction: ExportRedaction::new(messages, redaction),
        vocabularies: Arc::new(MockVocabularyStore::new()),
        entities: flags(),
    };
    Events::new(Arc::new(log), sources, clock(1_000))
}

fn page(entries: Vec<LogEntry>, has_more: bool) -> LogPage {
    LogPage { entries, has_more }
}

fn conversations_only() -> EventReader {
    reader(&[Permission::ReadConversations], None).unwrap()
}

#[test]
fn a_reader_gets_the_types_that_its_permissions_allow() {
    let types = conversations_only().types();
    assert!(types.contains(EventType::RedactionSwitched) && types.contains(EventType::MessageCreated));
    assert!(!types.contains(EventType::VocabularyCreated) && !types.contains(EventType::FeedDayCompleted));
}

#[test]
fn a_requested_type_without_its_permission_is_denied() {
    let requested = EventTypes::parse("message.created,feed.day_completed").unwrap();
    let denied = reader(&[Permission::ReadConversations], Some(requested)).unwrap_err();
    assert_eq!(denied, PermissionDenied(Permission::ReadFeeds));
}

#[test]
fn entries_of_other_types_are_skipped_and_the_position_passes_them() {
    let vocabulary = entry(2, Change::VocabularyDeleted(VocabularyEntryId::from_bits(1)));
    let pages = vec![page(vec![updated(1), vocabulary], false)];
    let polled = block_on(events(pages, MockMessageStore::new()).poll(&conversations_only(), &PollRequest::default()));
    let polled = polled.unwrap();
    assert_eq!((polled.events.len(), polled.next, polled.has_more), (1, position(2), false));
    assert_eq!(polled.events[0].external_id.as_ref().unwrap().as_str(), "call-1");
}

#[test]
fn a_page_ends_at_its_limit_and_the_next_begins_there() {
    let pages = vec![page(vec![updated(1), updated(2), updated(3)], false)];
    let request = PollRequest { limit: EventLimit::new(2).unwrap(), ..PollRequest::default() };
    let polled = block_on(events(pages, MockMessageStore::new()).poll(&conversations_only(), &request)).unwrap();
    assert_eq!((polled.events.len(), polled.next, polled.has_more), (2, position(2), true));
}

#[test]
fn a_poll_without_matching_entries_ends_after_ten_reads() {
    let skipped =
        |sequence| page(vec![entry(sequence, Change::VocabularyDeleted(VocabularyEntryId::from_bits(1)))], true);
    let pages = (1..=20).map(skipped).collect();
    let polled = block_on(events(pages, MockMessageStore::new()).poll(&conversations_only(), &PollRequest::default()));
    let polled = polled.unwrap();
    assert_eq!((polled.events.len(), polled.next, polled.has_more), (0, position(10), true));
}

#[test]
fn a_poll_from_the_latest_event_begins_after_it() {
    let request = PollRequest { start: PollStart::Latest, ..PollRequest::default() };
    let polled = block_on(events(Vec::new(), MockMessageStore::new()).poll(&conversations_only(), &request)).unwrap();
    assert_eq!((polled.events.len(), polled.next), (0, position(9)));
}

#[test]
fn an_expired_and_an_unknown_position_are_errors() {
    for (read, is_expected) in [
        (LogRead::Expired, (|error| matches!(error, PollError::Expired)) as fn(PollError) -> bool),
        (LogRead::Unknown, |error| matches!(error, PollError::Unknown)),
    ] {
        let mut log = MockChangeLog::new();
        log.expect_read().return_once(|_, _, _| Ok(read));
        let request = PollRequest { start: PollStart::After(position(4)), ..PollRequest::default() };
        let polled = block_on(service(log, MockMessageStore::new()).poll(&conversations_only(), &request));
        assert!(is_expected(polled.unwrap_err()));
    }
}

/// Polls settled events at 1,000 seconds: an update, and then a message that arrived at `created_at`, before `following`
/// ones. Returns the number of events.
fn settled_events(text: &str, created_at: i64, following: Vec<Message>) -> usize {
    let message = Message { created_at: at(created_at), ..stored_message(5, Role::Customer, text) };
    let (mut store, found) = (MockMessageStore::new(), message.clone());
    store.expect_find_all().returning(move |_, _| Ok(vec![Some(found.clone())]));
    store.expect_page().returning(move |_, _, _, _| Ok(MessagePage { messages: following.clone(), has_more: false }));
    let pages = vec![page(vec![updated(1), entry(2, Change::MessageCreated((&message).into()))], false)];
    let request = PollRequest { view: EventView::Settled, ..PollRequest::default() };
    let polled = block_on(events(pages, store).poll(&conversations_only(), &request)).unwrap();
    assert_eq!(
        polled.next,
        position(i64::try_from(polled.events.len()).unwrap()),
        "the position passes what is held back"
    );
    polled.events.len()
}

#[test]
fn a_message_is_held_back_for_ten_seconds() {
    assert_eq!(settled_events("hello", 991, Vec::new()), 1);
    assert_eq!(settled_events("hello", 990, Vec::new()), 2);
}

#[test]
fn a_message_before_six_others_is_not_held_back() {
    let following = |count| (0..count).map(|number| stored_message(10 + number, Role::Customer, "yes")).collect();
    assert_eq!(settled_events("hello", 995, following(5)), 1);
    assert_eq!(settled_events("hello", 995, following(6)), 2);
}

#[test]
fn a_message_of_digits_is_held_back_for_ten_minutes_unless_its_speaker_goes_on_otherwise() {
    assert_eq!(settled_events("4111", 401, Vec::new()), 1);
    assert_eq!(settled_events("4111", 400, Vec::new()), 2);
    assert_eq!(settled_events("4111", 999, vec![stored_message(9, Role::Customer, "that was the order number")]), 2);
}

#[test]
fn a_number_that_is_masked_already_is_held_back_for_ten_seconds_only() {
    assert_eq!(settled_events("**** **** **** 1111", 991, Vec::new()), 1);
    assert_eq!(settled_events("**** **** **** 1111", 990, Vec::new()), 2);
}
