//! Tests that the triggers of both databases record exactly the late changes of the domain's rule.

use std::collections::BTreeMap;

use parlance_adapters_sql::SqlFeedSource;
use parlance_domain::{
    audit::AuditEntry,
    conversation::UpsertOutcome,
    feed::{Day, Feed, FeedSource, Interval, LateChanges, plan::late_hour},
    id::ConversationId,
    message::{AppendOutcome, Message},
    privacy::{Erasure, ErasureOutcome, IdentifierDigest},
    time::{Clock, MICROS_PER_DAY, MICROS_PER_HOUR, Timestamp},
};
use support::{
    database::{TestDatabase, query_integer},
    fixtures::{acme, conversation, from_micros, message, upsert_for},
    stores::TestStores,
};

sql_contract![
    messages_are_late_by_the_rule_of_the_domain,
    conversations_are_late_by_the_rule_of_the_domain,
    an_erasure_is_a_late_change_of_the_past_hours_that_it_touches,
    an_erasure_leaves_no_row_of_the_criteria,
];

/// The current time, and times on both sides of the ends of days and hours.
fn creation_times() -> (Timestamp, Vec<Timestamp>) {
    let now = parlance::system::SystemClock.now();
    let today = Day::containing(now).start().as_micros();
    let hour = Interval::hour_containing(now).start().as_micros();
    let starts = [hour, hour - MICROS_PER_HOUR, today, today - MICROS_PER_DAY, MICROS_PER_DAY, 2 * MICROS_PER_DAY];
    (now, starts.into_iter().flat_map(|start| [start - 1, start, start + 1]).map(from_micros).collect())
}

fn late_by_the_rule(times: &[Timestamp], now: Timestamp) -> LateChanges {
    let mut late: BTreeMap<Interval, u64> = BTreeMap::new();
    for hour in times.iter().filter_map(|created_at| late_hour(*created_at, now)) {
        *late.entry(hour).or_default() += 1;
    }
    late.into_iter().collect()
}

async fn messages_are_late_by_the_rule_of_the_domain(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    let new = conversation(1, "call-1");
    stores.create_conversation(&acme(), &new, from_micros(5)).await;
    let (now, times) = creation_times();
    for (number, created_at) in (1..).zip(times.iter().copied()) {
        let message = Message { created_at, ..message(number, &new.id, from_micros(5)) };
        assert_eq!(stores.messages.append(&acme(), &message).await.unwrap(), AppendOutcome::Appended);
    }
    let recorded = SqlFeedSource::new(database).late_changes(&acme(), Feed::Messages).await.unwrap();
    assert_eq!(recorded, late_by_the_rule(&times, now));
}

async fn conversations_are_late_by_the_rule_of_the_domain(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    let (now, times) = creation_times();
    for (number, created_at) in (1..).zip(times.iter().copied()) {
        let new = conversation(number, &format!("call-{number}"));
        let outcome = stores.conversations.upsert(&acme(), &upsert_for(&new), created_at, None).await.unwrap();
        assert_eq!(outcome, UpsertOutcome::Stored(new.id));
    }
    let recorded = SqlFeedSource::new(database).late_changes(&acme(), Feed::Conversations).await.unwrap();
    assert_eq!(recorded, late_by_the_rule(&times, now));
}

async fn erase(stores: &TestStores, id: ConversationId) {
    let erasure = Erasure { conversation: id, digest: IdentifierDigest([7; 32]), at: from_micros(9), request: None };
    let entry = AuditEntry::conversation_erased(&erasure, None);
    assert!(matches!(stores.erasures.erase(&acme(), &erasure, entry).await.unwrap(), ErasureOutcome::Erased(_)));
}

async fn an_erasure_is_a_late_change_of_the_past_hours_that_it_touches(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    let new = conversation(1, "call-1");
    let (now, times) = creation_times();
    stores.create_conversation(&acme(), &new, times[0]).await;
    for (number, created_at) in (1..).zip(times.iter().copied()) {
        let message = Message { created_at, ..message(number, &new.id, from_micros(5)) };
        assert_eq!(stores.messages.append(&acme(), &message).await.unwrap(), AppendOutcome::Appended);
    }
    test_db.execute("DELETE FROM late_changes").await;
    erase(&stores, new.id).await;
    let source = SqlFeedSource::new(database);
    for (feed, times) in [(Feed::Messages, &times[..]), (Feed::Conversations, &times[..1])] {
        let recorded = source.late_changes(&acme(), feed).await.unwrap();
        let expected = late_by_the_rule(times, now);
        let hours = times.iter().map(|created_at| Interval::hour_containing(*created_at));
        let is_late = |late: &LateChanges| hours.clone().map(|hour| late.of(hour) > 0).collect::<Vec<_>>();
        assert_eq!(is_late(&recorded), is_late(&expected));
    }
}

async fn an_erasure_leaves_no_row_of_the_criteria(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    let new = conversation(1, "call-1");
    stores.create_conversation(&acme(), &new, from_micros(5)).await;
    // Another hour than that of the creation has a row of its own.
    let later = stores.conversations.upsert(&acme(), &upsert_for(&new), from_micros(2 * MICROS_PER_HOUR), None).await;
    assert_eq!(later.unwrap(), UpsertOutcome::Stored(new.id.clone()));
    let connection = test_db.connect().await;
    let count = async |table| query_integer(&connection, &format!("SELECT count(*) AS answer FROM {table}")).await;
    assert!(count("conversation_metadata").await > 0 && count("conversation_updates").await > 0);
    erase(&stores, new.id).await;
    assert_eq!((count("conversation_metadata").await, count("conversation_updates").await), (0, 0));
}
