//! Tests that a lock in PostgreSQL delays only the writes to the locked row.

use std::time::{Duration, Instant};

use parlance_domain::{
    access::TenantId,
    conversation::UpsertOutcome,
    error::{StoreError, StoreErrorKind},
    id::ConversationId,
    message::{AppendOutcome, Message},
    text::MessageText,
};
use sea_orm::{ConnectionTrait, DatabaseTransaction, TransactionTrait};
use support::{
    database::TestDatabase,
    fixtures::{acme, conversation, from_micros, globex, message, upsert_for},
    stores::TestStores,
};
use tokio::task::JoinSet;

/// The longest time a write may take while a row of another tenant is locked. The bound is 100 ms, plus a search of
/// the batch for writes in the same batch. The rest allows for a busy machine.
const MAX_DELAY: Duration = Duration::from_millis(900);

/// The number of conversations of the tenant that is not locked.
const OTHER_CONVERSATIONS: u128 = 40;

/// Creates a conversation of acme and many of globex.
async fn prepare(test_db: &TestDatabase) -> (TestStores, ConversationId) {
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let locked = conversation(1, "call-1");
    stores.create_conversation(&acme(), &locked, from_micros(5)).await;
    for number in 100..100 + OTHER_CONVERSATIONS {
        stores.create_conversation(&globex(), &conversation(number, &format!("call-{number}")), from_micros(5)).await;
    }
    (stores, locked.id)
}

/// Opens an operator's transaction, which locks acme's conversation until the transaction ends.
async fn lock(test_db: &TestDatabase) -> DatabaseTransaction {
    let operator = test_db.connect().await.begin().await.unwrap();
    operator.execute_unprepared("SELECT 1 FROM conversations WHERE tenant_id = 'acme' FOR UPDATE").await.unwrap();
    operator
}

type Outcomes = Vec<(TenantId, Duration, Result<AppendOutcome, StoreError>)>;

/// Appends the messages concurrently. Returns the duration and the outcome of each write.
async fn append_concurrently(stores: &TestStores, messages: Vec<(TenantId, Message)>) -> Outcomes {
    let mut writes = JoinSet::new();
    for (tenant, message) in messages {
        let store = stores.messages.clone();
        writes.spawn(async move {
            let started = Instant::now();
            let outcome = store.append(&tenant, &message).await;
            (tenant, started.elapsed(), outcome)
        });
    }
    writes.join_all().await
}

/// One message to each conversation of globex, numbered from `first`, with one message of acme in the middle.
fn messages(first: u128, locked: &ConversationId) -> Vec<(TenantId, Message)> {
    let message_of_globex =
        |number| (globex(), message(first + number, &ConversationId::from_bits(100 + number), from_micros(0)));
    let mut messages: Vec<_> = (0..OTHER_CONVERSATIONS).map(message_of_globex).collect();
    messages.insert(messages.len() / 2, (acme(), message(first + OTHER_CONVERSATIONS, locked, from_micros(0))));
    messages
}

/// Checks that all messages of globex were appended in time. Returns the outcomes of the other messages.
fn assert_globex_appended(outcomes: Outcomes) -> Vec<Result<AppendOutcome, StoreError>> {
    let mut rest = Vec::new();
    for (tenant, took, outcome) in outcomes {
        if tenant == globex() {
            assert_eq!(outcome.unwrap(), AppendOutcome::Appended);
            assert!(took < MAX_DELAY, "another tenant waited {took:?}");
        } else {
            rest.push(outcome);
        }
    }
    rest
}

fn is_unavailable<T>(outcome: Result<T, StoreError>) -> bool {
    outcome.is_err_and(|error| error.kind() == StoreErrorKind::Unavailable)
}

#[tokio::test]
async fn a_locked_conversation_delays_no_message_of_another_tenant() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let (stores, locked) = prepare(&test_db).await;
    let operator = lock(&test_db).await;
    let acme_outcomes = assert_globex_appended(append_concurrently(&stores, messages(1_000, &locked)).await);
    assert!(acme_outcomes.into_iter().all(is_unavailable), "the write to the locked row succeeded");
    operator.rollback().await.unwrap();
    let after = append_concurrently(&stores, messages(2_000, &locked)).await;
    assert!(after.into_iter().all(|(.., outcome)| outcome.is_ok()));
}

#[tokio::test]
async fn a_write_that_waits_for_a_lock_is_stored_once_the_lock_ends() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let (stores, locked) = prepare(&test_db).await;
    let operator = lock(&test_db).await;
    let writes = tokio::spawn({
        let (stores, messages) = (stores.clone(), messages(1_000, &locked));
        async move { append_concurrently(&stores, messages).await }
    });
    let waiting_locks =
        "SELECT count(*) AS answer FROM pg_locks WHERE NOT granted AND locktype IN ('transactionid', 'tuple')";
    let connection = test_db.connect().await;
    let deadline = Instant::now() + Duration::from_secs(1);
    while support::database::query_integer(&connection, waiting_locks).await == 0 && Instant::now() < deadline {}
    operator.rollback().await.unwrap();
    assert_eq!(assert_globex_appended(writes.await.unwrap()).remove(0).unwrap(), AppendOutcome::Appended);
}

#[tokio::test]
async fn batches_that_arrive_while_writes_wait_for_a_lock_delay_no_other_tenant() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let (stores, locked) = prepare(&test_db).await;
    let operator = lock(&test_db).await;
    let mut rounds = JoinSet::new();
    for round in 1..=8 {
        let (stores, messages) = (stores.clone(), messages(round * 1_000, &locked));
        rounds.spawn(async move { append_concurrently(&stores, messages).await });
    }
    while let Some(outcomes) = rounds.join_next().await {
        assert!(assert_globex_appended(outcomes.unwrap()).into_iter().all(is_unavailable));
    }
    operator.rollback().await.unwrap();
}

#[tokio::test]
async fn a_locked_conversation_delays_no_upsert_of_another_tenant() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let (stores, locked) = prepare(&test_db).await;
    let operator = lock(&test_db).await;
    let mut upserts = JoinSet::new();
    for number in (99..100 + OTHER_CONVERSATIONS).rev() {
        let store = stores.conversations.clone();
        let (tenant, key) = if number == 99 { (acme(), 1) } else { (globex(), number) };
        upserts.spawn(async move {
            let (started, upsert) = (Instant::now(), upsert_for(&conversation(number, &format!("call-{key}"))));
            (tenant.clone(), started.elapsed(), store.upsert(&tenant, &upsert, from_micros(9), None).await)
        });
    }
    for (tenant, took, outcome) in upserts.join_all().await {
        if tenant == acme() {
            assert!(is_unavailable(outcome), "the write to the locked row succeeded");
        } else {
            assert!(matches!(outcome.unwrap(), UpsertOutcome::Stored(_)));
            assert!(took < MAX_DELAY, "another tenant waited {took:?}");
        }
    }
    operator.rollback().await.unwrap();
    let upsert = upsert_for(&conversation(99, "call-1"));
    let id = stores.conversations.upsert(&acme(), &upsert, from_micros(9), None).await.unwrap();
    assert_eq!(id, UpsertOutcome::Stored(locked));
}

/// Makes the server run `action` for every message with the text "trouble".
async fn on_trouble(test_db: &TestDatabase, action: &str) {
    let function = format!(
        "CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF NEW.text = 'trouble' THEN {action}; END IF; RETURN NEW; END $$"
    );
    let attach = "CREATE TRIGGER trouble BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION trouble()";
    let connection = test_db.connect().await;
    for sql in [function.as_str(), attach] {
        connection.execute_unprepared(sql).await.unwrap();
    }
}

/// Appends many messages, of which one triggers `action`, and checks that only this message fails.
async fn assert_only_the_affected_row_fails(action: &str, max_delay: Duration) {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let (stores, locked) = prepare(&test_db).await;
    on_trouble(&test_db, action).await;
    let text_of_acme = MessageText::parse("trouble").unwrap();
    let messages = messages(1_000, &locked).into_iter().map(|(tenant, message)| {
        let text = if tenant == acme() { text_of_acme.clone() } else { message.text.clone() };
        (tenant, Message { text, ..message })
    });
    for (tenant, took, outcome) in append_concurrently(&stores, messages.collect()).await {
        if tenant == acme() {
            assert!(is_unavailable(outcome), "{action}");
        } else {
            assert_eq!(outcome.unwrap(), AppendOutcome::Appended, "{action}");
            assert!(took < max_delay, "{action}: another tenant waited {took:?}");
        }
    }
}

#[tokio::test]
async fn a_deadlock_fails_only_the_affected_row() {
    assert_only_the_affected_row_fails("RAISE EXCEPTION 'no' USING ERRCODE = '40P01'", MAX_DELAY).await;
}

#[tokio::test]
async fn a_serialization_failure_fails_only_the_affected_row() {
    assert_only_the_affected_row_fails("RAISE EXCEPTION 'no' USING ERRCODE = '40001'", MAX_DELAY).await;
}

#[tokio::test]
async fn a_slow_statement_fails_only_the_affected_row() {
    assert_only_the_affected_row_fails("PERFORM pg_sleep(9)", Duration::from_millis(1_900)).await;
}
