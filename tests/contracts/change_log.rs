//! Contract of the change log.

use parlance_domain::{
    access::TenantId,
    event::{Change, FeedChange, LogEntry, LogPage, LogPosition, LogRead, MessageReference},
    feed::{Day, FeedName},
    id::ConversationId,
    message::{AppendBatch, AppendOutcome, MaskUpdate, Message, Redactions},
    text::MessageText,
    time::Timestamp,
};
use support::{
    fixtures::{acme, conversation, from_micros, globex, message},
    stores::TestStores,
};
use tokio::task::JoinSet;

contract![
    an_empty_log_has_no_entries_from_its_start_on,
    an_upsert_is_logged_as_created_and_then_as_updated,
    the_messages_of_a_batch_are_logged_in_chronological_order,
    a_message_that_is_masked_further_is_logged_after_what_was_added,
    a_rejected_write_leaves_no_entry,
    a_read_continues_within_a_row,
    a_page_that_is_full_has_more,
    tenants_do_not_see_each_others_entries,
    a_position_of_another_tenant_is_unknown,
    the_newest_position_is_that_of_the_last_entry,
    a_position_has_entries_if_a_later_one_was_appended,
    concurrent_writers_lose_no_entry_and_change_no_order,
    a_feed_day_is_logged_once_for_each_revision,
    dropped_entries_expire_the_positions_before_them,
    the_position_of_the_last_dropped_entry_stays_valid,
    a_log_goes_on_after_all_entries_were_dropped,
];

async fn page(stores: &TestStores, tenant: &TenantId, after: LogPosition, limit: usize) -> LogPage {
    match stores.log.read(tenant, after, limit).await.unwrap() {
        LogRead::Page(page) => page,
        other => panic!("the read fails: {other:?}"),
    }
}

/// All entries of the tenant of most tests.
async fn entries(stores: &TestStores) -> Vec<LogEntry> {
    page(stores, &acme(), LogPosition::START, 1_000).await.entries
}

async fn changes(stores: &TestStores) -> Vec<Change> {
    entries(stores).await.into_iter().map(|entry| entry.change).collect()
}

async fn create(stores: &TestStores, tenant: &TenantId, number: u128) {
    let conversation = conversation(number, &format!("c{number}"));
    stores.create_conversation(tenant, &conversation, Timestamp::EPOCH).await;
}

fn id(number: u128) -> ConversationId {
    conversation(number, "c").id
}

/// A message of conversation 1.
fn numbered(number: u128) -> Message {
    numbered_in(1, number)
}

fn numbered_in(conversation: u128, number: u128) -> Message {
    message(number, &id(conversation), from_micros(i64::try_from(number).unwrap()))
}

fn created(message: &Message) -> Change {
    Change::MessageCreated(MessageReference::from(message))
}

async fn append_all(stores: &TestStores, messages: Vec<Message>) {
    let batch = AppendBatch {
        conversation: messages[0].conversation.clone(),
        messages,
        expected_tail: None,
        mask_updates: Vec::new(),
        idempotency_record: None,
    };
    let outcome = stores.messages.append_batch(&acme(), &batch).await.unwrap();
    assert_eq!(outcome, AppendOutcome::Appended);
}

async fn an_empty_log_has_no_entries_from_its_start_on(stores: TestStores) {
    let acme = acme();
    assert_eq!(page(&stores, &acme, LogPosition::START, 10).await, LogPage::default());
    assert_eq!(stores.log.oldest(&acme).await.unwrap(), LogPosition::START);
    assert_eq!(stores.log.newest(&acme).await.unwrap(), LogPosition::START);
}

async fn an_upsert_is_logged_as_created_and_then_as_updated(stores: TestStores) {
    create(&stores, &acme(), 1).await;
    create(&stores, &acme(), 1).await;
    assert_eq!(changes(&stores).await, [Change::ConversationCreated(id(1)), Change::ConversationUpdated(id(1))]);
}

async fn the_messages_of_a_batch_are_logged_in_chronological_order(stores: TestStores) {
    create(&stores, &acme(), 1).await;
    append_all(&stores, vec![numbered(1), numbered(2), numbered(3)]).await;
    assert_eq!(changes(&stores).await[1..], [1, 2, 3].map(|number| created(&numbered(number))));
}

async fn a_message_that_is_masked_further_is_logged_after_what_was_added(stores: TestStores) {
    create(&stores, &acme(), 1).await;
    append_all(&stores, vec![numbered(1)]).await;
    let update = MaskUpdate {
        position: numbered(1).position(),
        expected: numbered(1).text,
        masked: MessageText::parse("*****").unwrap(),
        redactions: Redactions::NONE,
    };
    let batch = AppendBatch {
        conversation: numbered(1).conversation,
        messages: vec![numbered(2)],
        expected_tail: Some(vec![numbered(1)]),
        mask_updates: vec![update],
        idempotency_record: None,
    };
    let outcome = stores.messages.append_batch(&acme(), &batch).await.unwrap();
    assert_eq!(outcome, AppendOutcome::Appended);
    let masked = Change::MessageMasked(MessageReference::from(&numbered(1)));
    let logged = changes(&stores).await;
    assert_eq!(logged.len(), 4);
    assert!(logged[2..].contains(&masked) && logged[2..].contains(&created(&numbered(2))));
}

async fn a_rejected_write_leaves_no_entry(stores: TestStores) {
    create(&stores, &acme(), 1).await;
    let before = changes(&stores).await;
    let missing = numbered_in(2, 9);
    assert_eq!(stores.messages.append(&acme(), &missing).await.unwrap(), AppendOutcome::NoConversation);
    assert_eq!(changes(&stores).await, before);
}

async fn a_read_continues_within_a_row(stores: TestStores) {
    create(&stores, &acme(), 1).await;
    append_all(&stores, (1..=5).map(numbered).collect()).await;
    let (mut seen, mut at) = (Vec::new(), LogPosition::START);
    loop {
        let LogPage { entries, has_more } = page(&stores, &acme(), at, 2).await;
        at = entries.last().map_or(at, |entry| entry.position);
        seen.extend(entries);
        if !has_more {
            break;
        }
    }
    assert_eq!(seen, entries(&stores).await);
    assert_eq!(seen.len(), 6);
}

async fn a_page_that_is_full_has_more(stores: TestStores) {
    create(&stores, &acme(), 1).await;
    append_all(&stores, (1..=3).map(numbered).collect()).await;
    let first = page(&stores, &acme(), LogPosition::START, 3).await;
    assert_eq!((first.entries.len(), first.has_more), (3, true));
    let rest = page(&stores, &acme(), first.entries[2].position, 3).await;
    assert_eq!((rest.entries.len(), rest.has_more), (1, false));
}

async fn tenants_do_not_see_each_others_entries(stores: TestStores) {
    create(&stores, &acme(), 1).await;
    create(&stores, &globex(), 2).await;
    assert_eq!(changes(&stores).await, [Change::ConversationCreated(id(1))]);
}

async fn a_position_of_another_tenant_is_unknown(stores: TestStores) {
    create(&stores, &acme(), 1).await;
    create(&stores, &globex(), 2).await;
    create(&stores, &globex(), 3).await;
    let at = stores.log.newest(&globex()).await.unwrap();
    assert_eq!(stores.log.read(&acme(), at, 10).await.unwrap(), LogRead::Unknown);
    let beyond = LogPosition { sequence: at.sequence + 1_000, ..at };
    assert_eq!(stores.log.read(&globex(), beyond, 10).await.unwrap(), LogRead::Unknown);
}

async fn the_newest_position_is_that_of_the_last_entry(stores: TestStores) {
    create(&stores, &acme(), 1).await;
    append_all(&stores, vec![numbered(1), numbered(2)]).await;
    let newest = stores.log.newest(&acme()).await.unwrap();
    assert_eq!(Some(newest), entries(&stores).await.last().map(|entry| entry.position));
    assert_eq!(page(&stores, &acme(), newest, 10).await, LogPage::default());
}

async fn a_position_has_entries_if_a_later_one_was_appended(stores: TestStores) {
    create(&stores, &acme(), 1).await;
    let (acme, globex) = (acme(), globex());
    let newest = stores.log.newest(&acme).await.unwrap();
    let positions = [(acme.clone(), LogPosition::START), (globex, LogPosition::START), (acme.clone(), newest)];
    assert_eq!(stores.log.has_entries(&positions).await.unwrap(), [true, false, false]);
    append_all(&stores, vec![numbered(1)]).await;
    assert_eq!(stores.log.has_entries(&[(acme, newest)]).await.unwrap(), [true]);
    assert_eq!(stores.log.has_entries(&[]).await.unwrap(), [] as [bool; 0]);
}

/// Writers append to one conversation each, while a reader follows the log.
async fn concurrent_writers_lose_no_entry_and_change_no_order(stores: TestStores) {
    const WRITERS: u128 = 8;
    const MESSAGES: u128 = 25;
    for writer in 1..=WRITERS {
        create(&stores, &acme(), writer).await;
    }
    let mut tasks = JoinSet::new();
    for writer in 1..=WRITERS {
        let stores = stores.clone();
        tasks.spawn(async move {
            for number in 1..=MESSAGES {
                let message = numbered_in(writer, writer * 1_000 + number);
                assert_eq!(stores.messages.append(&acme(), &message).await.unwrap(), AppendOutcome::Appended);
            }
        });
    }
    let mut followed: Vec<LogEntry> = Vec::new();
    let expected = usize::try_from(WRITERS * (MESSAGES + 1)).unwrap();
    let mut idle_reads = 0;
    while followed.len() < expected {
        let at = followed.last().map_or(LogPosition::START, |entry| entry.position);
        let read = page(&stores, &acme(), at, 7).await.entries;
        idle_reads = if read.is_empty() { idle_reads + 1 } else { 0 };
        assert!(idle_reads < 100_000, "{} of {expected} entries were read", followed.len());
        followed.extend(read);
        tokio::task::yield_now().await;
    }
    while let Some(writer) = tasks.join_next().await {
        writer.unwrap();
    }
    assert_eq!(entries(&stores).await, followed);
    for writer in 1..=WRITERS {
        let of_writer = followed.iter().filter_map(|entry| entry.change.message());
        let of_writer: Vec<_> = of_writer.filter(|message| message.conversation == id(writer)).collect();
        assert_eq!(of_writer.len(), usize::try_from(MESSAGES).unwrap());
        assert!(of_writer.is_sorted_by_key(|message| message.position.sent_at));
    }
}

fn feed_day(revision: u32) -> FeedChange {
    FeedChange { feed: FeedName::parse("messages").unwrap(), day: Day::parse("2026-01-31").unwrap(), revision }
}

async fn a_feed_day_is_logged_once_for_each_revision(stores: TestStores) {
    for revision in [1, 1, 3, 2, 3] {
        stores.log.append_feed_change(&acme(), &feed_day(revision)).await.unwrap();
    }
    let expected = [Change::FeedDayCompleted(feed_day(1)), Change::FeedDayRevised(feed_day(3))];
    assert_eq!(changes(&stores).await, expected);
}

/// Drops every entry that is older than a time in the far future.
async fn drop_all(stores: &TestStores) {
    let far_future = Timestamp::parse("2900-01-01T00:00:00Z").unwrap();
    while stores.log.drop_before(far_future).await.unwrap() {}
}

async fn dropped_entries_expire_the_positions_before_them(stores: TestStores) {
    create(&stores, &acme(), 1).await;
    append_all(&stores, (1..=3).map(numbered).collect()).await;
    let all = entries(&stores).await;
    drop_all(&stores).await;
    let acme = acme();
    for at in [LogPosition::START, all[0].position, all[2].position] {
        assert_eq!(stores.log.read(&acme, at, 10).await.unwrap(), LogRead::Expired, "{at}");
    }
}

async fn the_position_of_the_last_dropped_entry_stays_valid(stores: TestStores) {
    create(&stores, &acme(), 1).await;
    let newest = stores.log.newest(&acme()).await.unwrap();
    drop_all(&stores).await;
    assert_eq!(stores.log.newest(&acme()).await.unwrap(), newest);
    assert_eq!(stores.log.oldest(&acme()).await.unwrap(), newest);
    assert_eq!(page(&stores, &acme(), newest, 10).await, LogPage::default());
}

async fn a_log_goes_on_after_all_entries_were_dropped(stores: TestStores) {
    create(&stores, &acme(), 1).await;
    let oldest = stores.log.newest(&acme()).await.unwrap();
    drop_all(&stores).await;
    append_all(&stores, vec![numbered(1)]).await;
    let read = page(&stores, &acme(), oldest, 10).await;
    assert_eq!(read.entries.into_iter().map(|entry| entry.change).collect::<Vec<_>>(), [created(&numbered(1))]);
}
