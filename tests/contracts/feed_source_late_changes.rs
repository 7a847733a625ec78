//! Contract of feed sources: the late changes of hours and days.

use parlance_domain::{
    conversation::{Change, Upsert, UpsertOutcome},
    feed::{Day, Feed, FeedSource, Interval},
    message::{AppendBatch, AppendOutcome, Message},
    time::{Clock, MICROS_PER_DAY},
};
use support::{
    database::TestDatabase,
    fixtures::{acme, conversation, from_micros, message, upsert_for},
};

use crate::feed_source::{FeedSourceFixture, first_day, first_day_at};

sql_contract![
    a_record_stored_on_its_own_day_is_not_late,
    a_record_stored_after_its_day_is_late,
    every_past_day_of_a_batch_is_late,
    a_conversation_that_is_updated_after_its_day_is_late,
];

async fn a_record_stored_on_its_own_day_is_not_late(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    let now = parlance::system::SystemClock.now();
    fixture.create_conversation(&acme(), 1, now).await;
    fixture.append_message(1, now).await;
    for feed in Feed::ALL {
        assert!(fixture.source.late_changes(&acme(), feed).await.unwrap().is_empty());
    }
}

async fn a_record_stored_after_its_day_is_late(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    fixture.create_conversation(&acme(), 1, first_day_at(0)).await;
    for number in 1..=3 {
        fixture.append_message(number, first_day_at(0)).await;
    }
    let late = fixture.source.late_changes(&acme(), Feed::Messages).await.unwrap();
    let hours: Vec<_> = Interval::hours_of(first_day()).collect();
    assert_eq!((late.of(first_day()), late.of(hours[0]), late.of(hours[1])), (3, 3, 0));
}

async fn every_past_day_of_a_batch_is_late(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    fixture.create_conversation(&acme(), 1, first_day_at(0)).await;
    let conversation = conversation(1, "call-1").id;
    let times = [first_day_at(0), parlance::system::SystemClock.now(), first_day_at(MICROS_PER_DAY), first_day_at(5)];
    let messages = (1..)
        .zip(times)
        .map(|(number, created_at)| Message { created_at, ..message(number, &conversation, from_micros(5)) });
    let messages = messages.collect();
    let batch =
        AppendBatch { conversation, messages, expected_tail: None, mask_updates: Vec::new(), idempotency_record: None };
    assert_eq!(fixture.stores.messages.append_batch(&acme(), &batch).await.unwrap(), AppendOutcome::Appended);
    let late = fixture.source.late_changes(&acme(), Feed::Messages).await.unwrap();
    // SQLite records each late message, PostgreSQL each late hour of a statement.
    assert!(late.of(first_day()) > 0 && late.of(first_day().next().unwrap()) > 0);
    assert!(!late.affect(Day::containing(parlance::system::SystemClock.now())));
}

async fn a_conversation_that_is_updated_after_its_day_is_late(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    fixture.create_conversation(&acme(), 1, first_day_at(0)).await;
    let count = async || fixture.source.late_changes(&acme(), Feed::Conversations).await.unwrap().of(first_day());
    let before = count().await;
    let change = Upsert { agent: Change::Clear, ..upsert_for(&conversation(2, "call-1")) };
    let outcome =
        fixture.stores.conversations.upsert(&acme(), &change, first_day_at(MICROS_PER_DAY), None).await.unwrap();
    assert_eq!(outcome, UpsertOutcome::Stored(conversation(1, "call-1").id));
    assert_eq!(count().await, before + 1);
}
