//! Tests that rare events on PostgreSQL, and the connections of the writer, are counted.

use std::sync::Arc;

use parlance_adapters_sql::Database;
use parlance_domain::{
    id::ConversationId,
    idempotency::{IdempotencyRecord, KeyDigest, Operation, RequestDigest},
    message::{AppendBatch, AppendOutcome, Message, PageLimit},
};
use sea_orm::{ConnectionTrait, TransactionTrait};
use support::{
    database::TestDatabase,
    fixtures::{acme, conversation, from_micros, message},
    stores::TestStores,
};
use tokio::task::JoinSet;

/// A database on PostgreSQL with one conversation.
struct Fixture {
    test_db: TestDatabase,
    database: Database,
    stores: TestStores,
    conversation: ConversationId,
}

impl Fixture {
    /// Returns `None` without a PostgreSQL server.
    async fn new() -> Option<Self> {
        let test_db = TestDatabase::postgres()?;
        let database = test_db.open_migrated().await;
        let (stores, new) = (TestStores::in_sql(&database), conversation(1, "call-1"));
        stores.create_conversation(&acme(), &new, from_micros(5)).await;
        Some(Self { test_db, database, stores, conversation: new.id })
    }

    /// Appends one message each, all on this thread, so that they share a batch. Returns the outcomes, in any order.
    async fn append_together(
        &self,
        numbers: [u128; 2],
        record: Option<&IdempotencyRecord>,
    ) -> Vec<Option<AppendOutcome>> {
        let mut appends = JoinSet::new();
        for number in numbers {
            let batch = AppendBatch {
                conversation: self.conversation.clone(),
                messages: vec![self.message(number)],
                expected_tail: None,
                mask_updates: Vec::new(),
                idempotency_record: record.cloned(),
            };
            let store = Arc::clone(&self.stores.messages);
            appends.spawn(async move { store.append_batch(&acme(), &batch).await.ok() });
        }
        appends.join_all().await
    }

    fn message(&self, number: u128) -> Message {
        message(number, &self.conversation, from_micros(0))
    }
}

#[tokio::test]
async fn a_batch_that_is_committed_whole_is_not_counted_as_split() {
    let Some(fixture) = Fixture::new().await else { return };
    fixture.append_together([1, 2], None).await;
    assert_eq!(fixture.database.event_counts().batch_splits, 0);
}

#[tokio::test]
async fn a_batch_with_a_failing_row_is_counted_as_split() {
    let Some(fixture) = Fixture::new().await else { return };
    let outcomes = fixture.append_together([1, 1], None).await;
    assert!(outcomes.contains(&Some(AppendOutcome::Appended)) && outcomes.contains(&None), "{outcomes:?}");
    assert_eq!(fixture.database.event_counts().batch_splits, 1);
}

#[tokio::test]
async fn a_batch_with_a_taken_idempotency_key_is_counted_as_split() {
    let Some(fixture) = Fixture::new().await else { return };
    let record = IdempotencyRecord {
        operation: Operation::CreateMessage,
        key: KeyDigest([1; 32]),
        digest: RequestDigest::Canonical([9; 32]),
        ids: vec!["01A".to_owned()],
        at: from_micros(0),
    };
    let outcomes = fixture.append_together([1, 2], Some(&record)).await;
    let taken = [AppendOutcome::Appended, AppendOutcome::KeyTaken];
    assert!(taken.iter().all(|outcome| outcomes.contains(&Some(*outcome))), "{outcomes:?}");
    assert_eq!(fixture.database.event_counts().batch_splits, 1);
}

#[tokio::test]
async fn a_batch_that_runs_again_because_a_conversation_is_missing_is_counted() {
    let Some(fixture) = Fixture::new().await else { return };
    for number in 1..=2 {
        let lost = message(number, &ConversationId::from_bits(9), from_micros(0));
        assert_eq!(fixture.stores.messages.append(&acme(), &lost).await.unwrap(), AppendOutcome::NoConversation);
    }
    // After the first such batch, batches look their conversations up at once.
    assert_eq!(fixture.database.event_counts().batch_fallbacks, 1);
}

#[tokio::test]
async fn a_batch_that_waits_for_a_lock_is_counted_as_blocked() {
    let Some(fixture) = Fixture::new().await else { return };
    let operator = fixture.test_db.connect().await.begin().await.unwrap();
    operator.execute_unprepared("SELECT 1 FROM conversations WHERE tenant_id = 'acme' FOR UPDATE").await.unwrap();
    fixture.stores.messages.append(&acme(), &fixture.message(1)).await.unwrap_err();
    assert_eq!(fixture.database.event_counts().blocked_batches, 1);
    operator.rollback().await.unwrap();
}

#[tokio::test]
async fn a_read_that_runs_again_because_its_connection_is_lost_is_counted() {
    let Some(fixture) = Fixture::new().await else { return };
    let (store, tenant) = (&fixture.stores.messages, acme());
    let page = async || store.page(&tenant, &fixture.conversation, None, PageLimit::MAX).await.unwrap();
    page().await;
    fixture.test_db.terminate_connections().await;
    page().await;
    assert_eq!(fixture.database.event_counts().statement_retries, 1);
}

#[tokio::test]
async fn the_connection_of_the_writer_is_counted_while_it_is_open() {
    let Some(Fixture { database, .. }) = Fixture::new().await else { return };
    let writer = database.pool_uses().into_iter().find(|(pool, _)| *pool == "native_writer").unwrap().1;
    assert_eq!((writer.open, writer.in_use), (1, 0));
}
