//! Tests that the triggers of both databases record exactly the late changes of the domain's rule.

use std::collections::BTreeMap;

use parlance_adapters_sql::SqlFeedSource;
use parlance_domain::{
    conversation::UpsertOutcome,
    feed::{Day, Feed, FeedSource, Interval, LateChanges, plan::late_hour},
    message::{AppendOutcome, Message},
    time::{Clock, MICROS_PER_DAY, MICROS_PER_HOUR, Timestamp},
};
use support::{
    database::TestDatabase,
    fixtures::{acme, conversation, from_micros, message, upsert_for},
    stores::TestStores,
};

sql_contract![messages_are_late_by_the_rule_of_the_domain, conversations_are_late_by_the_rule_of_the_domain];

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
