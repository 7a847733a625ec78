//! Tests of writes that share a commit: each write succeeds or fails alone, and no write is lost.

use std::{future::poll_fn, sync::Arc, task::Poll, time::Duration};

use parlance_adapters_sql::Database;
use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    id::ConversationId,
    message::{AppendOutcome, Message, PageLimit},
};
use support::{
    database::{TestDatabase, query_integer},
    fixtures::{acme, from_micros, message},
    stores::TestStores,
};
use tokio::{
    runtime::Builder,
    task::{JoinSet, spawn_blocking, yield_now},
    time::timeout,
};

use crate::message_store::{append, create_conversation};

sql_contract![
    a_failing_row_fails_alone,
    a_message_without_a_conversation_does_not_affect_the_rest_of_its_batch,
    writes_queued_when_the_database_is_closed_are_stored_or_refused,
    a_cancelled_write_is_stored_whole_or_not_at_all,
];

/// Appends the messages concurrently. Returns the outcome of each, in the order of the messages.
async fn append_concurrently(stores: &TestStores, messages: Vec<Message>) -> Vec<Result<AppendOutcome, StoreError>> {
    let mut appends = JoinSet::new();
    for (index, message) in messages.into_iter().enumerate() {
        let store = Arc::clone(&stores.messages);
        appends.spawn(async move { (index, store.append(&acme(), &message).await) });
    }
    let mut outcomes = appends.join_all().await;
    outcomes.sort_by_key(|(index, _)| *index);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

async fn stored_messages(stores: &TestStores, conversation: &ConversationId) -> Vec<Message> {
    stores.messages.page(&acme(), conversation, None, PageLimit::MAX).await.unwrap().messages
}

async fn a_failing_row_fails_alone(test_db: &TestDatabase) {
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let taken = append(&stores, message(1, &conversation, from_micros(0))).await;
    let mut messages: Vec<_> = (2..=60).map(|number| message(number, &conversation, from_micros(0))).collect();
    messages.insert(30, taken);
    let outcomes = append_concurrently(&stores, messages).await;
    for (index, outcome) in outcomes.into_iter().enumerate() {
        match outcome {
            Ok(outcome) => assert_eq!((index == 30, outcome), (false, AppendOutcome::Appended)),
            Err(error) => assert_eq!((index, error.kind()), (30, StoreErrorKind::Unexpected)),
        }
    }
    assert_eq!(stored_messages(&stores, &conversation).await.len(), 60);
}

async fn a_message_without_a_conversation_does_not_affect_the_rest_of_its_batch(test_db: &TestDatabase) {
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let missing = ConversationId::from_bits(9);
    let target = |number: u128| if number.is_multiple_of(3) { &missing } else { &conversation };
    let messages = (1..=60).map(|number| message(number, target(number), from_micros(0))).collect();
    let outcomes = append_concurrently(&stores, messages).await;
    for (number, outcome) in (1..).zip(outcomes) {
        let expected = if *target(number) == missing { AppendOutcome::NoConversation } else { AppendOutcome::Appended };
        assert_eq!(outcome.unwrap(), expected, "message {number}");
    }
    assert_eq!(stored_messages(&stores, &conversation).await.len(), 40);
}

async fn writes_queued_when_the_database_is_closed_are_stored_or_refused(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let messages = (1..=500).map(|number| message(number, &conversation, from_micros(0))).collect();
    let (outcomes, closed) = tokio::join!(append_concurrently(&stores, messages), database.close());
    closed.unwrap();
    let appended = outcomes.iter().filter(|outcome| matches!(outcome, Ok(AppendOutcome::Appended))).count();
    let refused = |error: &StoreError| error.kind() == StoreErrorKind::Unavailable;
    assert!(outcomes.iter().all(|outcome| outcome.as_ref().err().is_none_or(refused)));
    let reopened = TestStores::in_sql(&test_db.open().await);
    assert_eq!(stored_messages(&reopened, &conversation).await.len(), appended);
}

async fn a_cancelled_write_is_stored_whole_or_not_at_all(test_db: &TestDatabase) {
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let conversation = create_conversation(&stores, &acme(), 1).await;
    for number in 1..=50 {
        let abandoned = message(number, &conversation, from_micros(0));
        // The write may be stored or not. The writer must continue in both cases.
        let _ = timeout(Duration::from_micros(50), stores.messages.append(&acme(), &abandoned)).await;
    }
    append(&stores, message(99, &conversation, from_micros(0))).await;
    let all: Vec<_> = (1..=99).map(|number| message(number, &conversation, from_micros(0))).collect();
    let found = stored_messages(&stores, &conversation).await;
    assert!(found.iter().all(|message| all.contains(message)), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_beyond_the_queue_limit_are_refused_and_queued_writes_fail_in_time() {
    let test_db = TestDatabase::sqlite();
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let other = Database::open(test_db.url()).await.unwrap();
    other.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
    let messages = (1..=3_000).map(|number| message(number, &conversation, from_micros(0))).collect();
    let outcomes = timeout(Duration::from_secs(3), append_concurrently(&stores, messages)).await.unwrap();
    let errors = outcomes.into_iter().map(|outcome| format!("{:?}", outcome.unwrap_err()));
    let refused = errors.filter(|error| error.contains("the write queue is full")).count();
    assert!((1..3_000).contains(&refused), "{refused} of 3,000 writes were refused");
    other.execute_unprepared("ROLLBACK").await.unwrap();
    append(&stores, message(9_999, &conversation, from_micros(0))).await;
}

#[tokio::test]
async fn the_writer_moves_to_a_runtime_and_returns_to_the_original_runtime_when_the_new_one_ends() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    let conversation = create_conversation(&stores, &acme(), 1).await;
    // Nothing drives this runtime, so work that is moved to it waits.
    let new_runtime = Builder::new_current_thread().enable_all().build().unwrap();
    {
        let _entered = new_runtime.enter();
        database.enable_single_worker_mode();
    }
    yield_now().await;
    let (tenant, first) = (acme(), message(1, &conversation, from_micros(0)));
    let mut write = stores.messages.append(&tenant, &first);
    let queued = poll_fn(|context| Poll::Ready(write.as_mut().poll(context).is_pending())).await;
    assert!(queued);
    for _ in 0..20 {
        assert_eq!(stored_messages(&stores, &conversation).await, [], "the message was written in another runtime");
    }
    new_runtime.shutdown_background();
    assert_eq!(write.await.unwrap(), AppendOutcome::Appended);
}

#[tokio::test]
async fn queued_writes_are_stored_on_close_even_if_the_writers_thread_has_ended() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    let conversation = create_conversation(&stores, &acme(), 1).await;
    let [first, second] = [1, 2].map(|number| message(number, &conversation, from_micros(0)));
    let (database_of_thread, messages) = (database.clone(), Arc::clone(&stores.messages));
    let thread = spawn_blocking(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            database_of_thread.enable_single_worker_mode();
            messages.append(&acme(), &first).await
        })
    });
    assert_eq!(thread.await.unwrap().unwrap(), AppendOutcome::Appended);
    let tenant = acme();
    let (written, closed) = tokio::join!(stores.messages.append(&tenant, &second), database.close());
    closed.unwrap();
    assert_eq!(written.unwrap(), AppendOutcome::Appended);
    assert_eq!(stored_messages(&TestStores::in_sql(&test_db.open().await), &conversation).await.len(), 2);
}

#[tokio::test]
async fn a_message_without_a_precondition_calls_no_function_of_postgresql() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    let conversation = create_conversation(&stores, &acme(), 1).await;
    for function in ["add_messages_v2", "add_messages_to_known_v2"] {
        database.execute_unprepared(&format!("DROP FUNCTION {function}")).await.unwrap();
    }
    append(&stores, message(1, &conversation, from_micros(0))).await;
}

#[tokio::test]
async fn at_most_one_write_fails_after_a_server_restart() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let conversation = create_conversation(&stores, &acme(), 1).await;
    append(&stores, message(1, &conversation, from_micros(0))).await;
    test_db.terminate_connections().await;
    let _ = stores.messages.append(&acme(), &message(2, &conversation, from_micros(0))).await;
    append(&stores, message(3, &conversation, from_micros(0))).await;
}

/// Appends 300 messages on this thread, and returns how often the writer checks for peer writes. The server also runs
/// `extra_statement` in each check.
async fn write_and_count_peer_write_checks(test_db: &TestDatabase, extra_statement: &str) -> i64 {
    let migrated = test_db.open_migrated().await;
    let function = format!(
        "CREATE FUNCTION public.pg_current_snapshot() RETURNS pg_snapshot LANGUAGE SQL AS
        $$ SELECT nextval('asked'); {extra_statement}; SELECT pg_catalog.pg_current_snapshot() $$"
    );
    // The server finds this function before its own.
    let search_path = "DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$";
    for sql in ["CREATE SEQUENCE asked", &function, search_path] {
        migrated.execute_unprepared(sql).await.unwrap();
    }
    let database = test_db.open().await;
    let stores = TestStores::in_sql(&database);
    let conversation = create_conversation(&stores, &acme(), 1).await;
    database.enable_single_worker_mode();
    for number in 1..=300 {
        append(&stores, message(number, &conversation, from_micros(0))).await;
    }
    query_integer(
        &test_db.connect().await,
        "SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS answer FROM asked",
    )
    .await
}

#[tokio::test]
async fn peer_writes_are_checked_once_in_256_transactions() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    assert_eq!(write_and_count_peer_write_checks(&test_db, "SELECT 1").await, 1);
}

#[tokio::test]
async fn no_write_fails_if_the_connection_ends_during_a_check_for_peer_writes() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    assert_eq!(write_and_count_peer_write_checks(&test_db, "SELECT pg_terminate_backend(pg_backend_pid())").await, 1);
}

#[tokio::test]
async fn a_failing_check_for_peer_writes_is_not_repeated_sooner() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    assert_eq!(write_and_count_peer_write_checks(&test_db, "SELECT random() / 0").await, 1);
}
