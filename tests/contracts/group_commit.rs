//! What writes that share a commit owe each other: nothing. Each lands or fails by itself, and none is lost.

use std::{future::poll_fn, sync::Arc, task::Poll, time::Duration};

use parlance_adapters_sql::Database;
use parlance_domain::{
    conversation::{Append, Message, PageLimit},
    error::{StoreError, StoreErrorKind},
    id::ConversationId,
};
use support::{
    database::{TestDatabase, answer},
    fixtures::{acme, at, conversation, message},
    stores::Stores,
};
use tokio::{
    runtime::Builder,
    task::{JoinSet, spawn_blocking, yield_now},
    time::timeout,
};

sql_contract![
    a_row_that_fails_fails_alone,
    a_message_without_a_conversation_leaves_those_beside_it,
    writes_that_wait_when_the_database_is_closed_are_written_or_refused,
    a_write_whose_caller_gave_up_is_whole_or_not_there,
];

async fn create(stores: &Stores) -> ConversationId {
    let new = conversation(1, "call-1");
    let id = new.id.clone();
    stores.create(&acme(), &new, at(5)).await;
    id
}

/// Appends these at once, and gives what became of each, in their order.
async fn append_at_once(stores: &Stores, messages: Vec<Message>) -> Vec<Result<Append, StoreError>> {
    let mut senders = JoinSet::new();
    for (place, message) in messages.into_iter().enumerate() {
        let store = Arc::clone(&stores.messages);
        senders.spawn(async move { (place, store.append(&acme(), &message).await) });
    }
    let mut outcomes = senders.join_all().await;
    outcomes.sort_by_key(|(place, _)| *place);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

async fn stored(stores: &Stores, conversation: &ConversationId) -> Vec<Message> {
    stores.messages.page(&acme(), conversation, None, PageLimit::MAX).await.unwrap().messages
}

async fn a_row_that_fails_fails_alone(home: &TestDatabase) {
    let stores = Stores::in_sql(&home.migrated().await);
    let conversation = create(&stores).await;
    let taken = message(1, &conversation, at(0));
    assert_eq!(stores.messages.append(&acme(), &taken).await.unwrap(), Append::Appended);
    let mut messages: Vec<_> = (2..=60).map(|number| message(number, &conversation, at(0))).collect();
    messages.insert(30, taken);
    let outcomes = append_at_once(&stores, messages).await;
    for (place, outcome) in outcomes.into_iter().enumerate() {
        match outcome {
            Ok(outcome) => assert_eq!((place == 30, outcome), (false, Append::Appended)),
            Err(error) => assert_eq!((place, error.kind()), (30, StoreErrorKind::Unexpected)),
        }
    }
    assert_eq!(stored(&stores, &conversation).await.len(), 60);
}

async fn a_message_without_a_conversation_leaves_those_beside_it(home: &TestDatabase) {
    let stores = Stores::in_sql(&home.migrated().await);
    let conversation = create(&stores).await;
    let missing = ConversationId::from_bits(9);
    let place = |number: u128| if number.is_multiple_of(3) { &missing } else { &conversation };
    let messages = (1..=60).map(|number| message(number, place(number), at(0))).collect();
    let outcomes = append_at_once(&stores, messages).await;
    for (number, outcome) in (1..).zip(outcomes) {
        let expected = if *place(number) == missing { Append::NoConversation } else { Append::Appended };
        assert_eq!(outcome.unwrap(), expected, "message {number}");
    }
    assert_eq!(stored(&stores, &conversation).await.len(), 40);
}

async fn writes_that_wait_when_the_database_is_closed_are_written_or_refused(home: &TestDatabase) {
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    let conversation = create(&stores).await;
    let messages = (1..=500).map(|number| message(number, &conversation, at(0))).collect();
    let (outcomes, closed) = tokio::join!(append_at_once(&stores, messages), database.close());
    closed.unwrap();
    let appended = outcomes.iter().filter(|outcome| matches!(outcome, Ok(Append::Appended))).count();
    let refused = |error: &StoreError| error.kind() == StoreErrorKind::Unavailable;
    assert!(outcomes.iter().all(|outcome| outcome.as_ref().err().is_none_or(refused)));
    let reopened = Stores::in_sql(&home.open().await);
    assert_eq!(stored(&reopened, &conversation).await.len(), appended);
}

async fn a_write_whose_caller_gave_up_is_whole_or_not_there(home: &TestDatabase) {
    let stores = Stores::in_sql(&home.migrated().await);
    let conversation = create(&stores).await;
    for number in 1..=50 {
        let abandoned = message(number, &conversation, at(0));
        // Whether it lands is open; that the writer goes on is not.
        let _ = timeout(Duration::from_micros(50), stores.messages.append(&acme(), &abandoned)).await;
    }
    let last = message(99, &conversation, at(0));
    assert_eq!(stores.messages.append(&acme(), &last).await.unwrap(), Append::Appended);
    let whole: Vec<_> = (1..=99).map(|number| message(number, &conversation, at(0))).collect();
    let kept = stored(&stores, &conversation).await;
    assert!(kept.iter().all(|one| whole.contains(one)), "{kept:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn more_writes_than_may_wait_are_refused_at_once_and_the_others_in_time() {
    let home = TestDatabase::sqlite();
    let stores = Stores::in_sql(&home.migrated().await);
    let conversation = create(&stores).await;
    let other = Database::open(home.url()).await.unwrap();
    other.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
    let messages = (1..=3_000).map(|number| message(number, &conversation, at(0))).collect();
    let outcomes = timeout(Duration::from_secs(3), append_at_once(&stores, messages)).await.unwrap();
    let reasons = outcomes.into_iter().map(|outcome| format!("{:?}", outcome.unwrap_err()));
    let refused = reasons.filter(|reason| reason.contains("too many writes wait")).count();
    assert!((1..3_000).contains(&refused), "{refused} of 3,000 writes were refused");
    other.execute_unprepared("ROLLBACK").await.unwrap();
    let late = message(9_999, &conversation, at(0));
    assert_eq!(stores.messages.append(&acme(), &late).await.unwrap(), Append::Appended);
}

#[tokio::test]
async fn writes_are_made_where_they_are_told_to_be_and_where_they_began_once_that_place_is_no_more() {
    let Some(home) = TestDatabase::postgres() else { return };
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    let conversation = create(&stores).await;
    // Nobody runs it, so that whatever is to be done in it waits.
    let idle = Builder::new_current_thread().enable_all().build().unwrap();
    {
        let _entered = idle.enter();
        database.answer_on_this_thread_alone();
    }
    yield_now().await;
    let (tenant, first) = (acme(), message(1, &conversation, at(0)));
    let mut write = stores.messages.append(&tenant, &first);
    let ordered = poll_fn(|context| Poll::Ready(write.as_mut().poll(context).is_pending())).await;
    assert!(ordered);
    for _ in 0..20 {
        assert_eq!(stored(&stores, &conversation).await, [], "it is written elsewhere");
    }
    idle.shutdown_background();
    assert_eq!(write.await.unwrap(), Append::Appended);
}

#[tokio::test]
async fn what_waits_when_the_database_is_closed_is_written_also_where_the_writers_thread_has_ended() {
    let Some(home) = TestDatabase::postgres() else { return };
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    let conversation = create(&stores).await;
    let [first, second] = [1, 2].map(|number| message(number, &conversation, at(0)));
    let (there, messages) = (database.clone(), Arc::clone(&stores.messages));
    let thread = spawn_blocking(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            there.answer_on_this_thread_alone();
            messages.append(&acme(), &first).await
        })
    });
    assert_eq!(thread.await.unwrap().unwrap(), Append::Appended);
    let tenant = acme();
    let (written, closed) = tokio::join!(stores.messages.append(&tenant, &second), database.close());
    closed.unwrap();
    assert_eq!(written.unwrap(), Append::Appended);
    assert_eq!(stored(&Stores::in_sql(&home.open().await), &conversation).await.len(), 2);
}

#[tokio::test]
async fn a_message_that_presumes_nothing_calls_no_function_of_postgresql() {
    let Some(home) = TestDatabase::postgres() else { return };
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    let conversation = create(&stores).await;
    for function in ["add_messages", "add_messages_to_known"] {
        database.execute_unprepared(&format!("DROP FUNCTION {function}")).await.unwrap();
    }
    let appended = stores.messages.append(&acme(), &message(1, &conversation, at(0))).await;
    assert_eq!(appended.unwrap(), Append::Appended);
}

#[tokio::test]
async fn one_write_at_most_fails_where_the_server_was_started_anew() {
    let Some(home) = TestDatabase::postgres() else { return };
    let stores = Stores::in_sql(&home.migrated().await);
    let conversation = create(&stores).await;
    let append = async |number| stores.messages.append(&acme(), &message(number, &conversation, at(0))).await;
    assert_eq!(append(1).await.unwrap(), Append::Appended);
    home.cut_all().await;
    let _ = append(2).await;
    assert_eq!(append(3).await.unwrap(), Append::Appended);
}

/// Appends 300 messages on this thread, to a server that does this as well when it is asked who else writes, and counts how
/// often it is.
async fn write_and_count_questions(home: &TestDatabase, besides: &str) -> i64 {
    let prepared = home.migrated().await;
    let asked = format!(
        "CREATE FUNCTION public.pg_current_snapshot() RETURNS pg_snapshot LANGUAGE SQL AS
        $$ SELECT nextval('asked'); {besides}; SELECT pg_catalog.pg_current_snapshot() $$"
    );
    // Found before the server's own.
    let first = "DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$";
    for sql in ["CREATE SEQUENCE asked", &asked, first] {
        prepared.execute_unprepared(sql).await.unwrap();
    }
    let database = home.open().await;
    let stores = Stores::in_sql(&database);
    let conversation = create(&stores).await;
    database.answer_on_this_thread_alone();
    for number in 1..=300 {
        let appended = stores.messages.append(&acme(), &message(number, &conversation, at(0))).await;
        assert_eq!(appended.unwrap(), Append::Appended, "message {number}");
    }
    answer(&home.look().await, "SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS answer FROM asked").await
}

#[tokio::test]
async fn who_else_writes_is_asked_once_in_256_transactions() {
    let Some(home) = TestDatabase::postgres() else { return };
    assert_eq!(write_and_count_questions(&home, "SELECT 1").await, 1);
}

#[tokio::test]
async fn no_write_fails_where_the_connection_ends_while_it_is_asked_who_else_writes() {
    let Some(home) = TestDatabase::postgres() else { return };
    assert_eq!(write_and_count_questions(&home, "SELECT pg_terminate_backend(pg_backend_pid())").await, 1);
}

#[tokio::test]
async fn a_server_that_does_not_tell_who_else_writes_is_asked_as_seldom() {
    let Some(home) = TestDatabase::postgres() else { return };
    assert_eq!(write_and_count_questions(&home, "SELECT random() / 0").await, 1);
}
