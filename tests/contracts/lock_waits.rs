//! What a lock in PostgreSQL holds up: the writes that touch the locked row, and no others.

use std::time::{Duration, Instant};

use parlance_domain::{
    access::TenantId,
    conversation::{Append, Message, Upserted},
    error::{StoreError, StoreErrorKind},
    id::ConversationId,
    text::MessageText,
};
use sea_orm::{ConnectionTrait, DatabaseTransaction, TransactionTrait};
use support::{
    database::TestDatabase,
    fixtures::{acme, at, conversation, creation, globex, message},
    stores::Stores,
};
use tokio::task::JoinSet;

/// How long a write may wait for a row of another tenant. The bound is 100 ms, and for those in the same batch a search of
/// it; the rest is for a machine that is busy.
const HELD_UP_AT_MOST: Duration = Duration::from_millis(900);

/// Conversations of the tenant that has nothing to do with the lock.
const OTHERS: u128 = 40;

/// A conversation of acme and many of globex.
async fn prepare(home: &TestDatabase) -> (Stores, ConversationId) {
    let stores = Stores::in_sql(&home.migrated().await);
    let locked = conversation(1, "call-1");
    stores.create(&acme(), &locked, at(5)).await;
    for number in 100..100 + OTHERS {
        stores.create(&globex(), &conversation(number, &format!("call-{number}")), at(5)).await;
    }
    (stores, locked.id)
}

/// A transaction of an operator that holds acme's conversation until it ends.
async fn lock(home: &TestDatabase) -> DatabaseTransaction {
    let operator = home.look().await.begin().await.unwrap();
    operator.execute_unprepared("SELECT 1 FROM conversations WHERE tenant_id = 'acme' FOR UPDATE").await.unwrap();
    operator
}

type Outcomes = Vec<(TenantId, Duration, Result<Append, StoreError>)>;

/// Appends these at once, and gives what became of each and how long that took.
async fn append_at_once(stores: &Stores, messages: Vec<(TenantId, Message)>) -> Outcomes {
    let mut writes = JoinSet::new();
    for (tenant, message) in messages {
        let store = stores.messages.clone();
        writes.spawn(async move {
            let began = Instant::now();
            let outcome = store.append(&tenant, &message).await;
            (tenant, began.elapsed(), outcome)
        });
    }
    writes.join_all().await
}

/// A message of globex to each of its conversations, numbered from `first`, and one of acme in their midst.
fn messages(first: u128, locked: &ConversationId) -> Vec<(TenantId, Message)> {
    let of = |number| (globex(), message(first + number, &ConversationId::from_bits(100 + number), at(0)));
    let mut all: Vec<_> = (0..OTHERS).map(of).collect();
    all.insert(all.len() / 2, (acme(), message(first + OTHERS, locked, at(0))));
    all
}

/// All of globex are appended in time; gives what became of the others.
fn others_are_appended(outcomes: Outcomes) -> Vec<Result<Append, StoreError>> {
    let mut rest = Vec::new();
    for (tenant, took, outcome) in outcomes {
        if tenant == globex() {
            assert_eq!(outcome.unwrap(), Append::Appended);
            assert!(took < HELD_UP_AT_MOST, "another tenant waited {took:?}");
        } else {
            rest.push(outcome);
        }
    }
    rest
}

fn unavailable<T>(outcome: Result<T, StoreError>) -> bool {
    outcome.is_err_and(|error| error.kind() == StoreErrorKind::Unavailable)
}

#[tokio::test]
async fn a_locked_conversation_holds_up_no_message_of_another_tenant() {
    let Some(home) = TestDatabase::postgres() else { return };
    let (stores, locked) = prepare(&home).await;
    let operator = lock(&home).await;
    let rest = others_are_appended(append_at_once(&stores, messages(1_000, &locked)).await);
    assert!(rest.into_iter().all(unavailable), "the locked row fails by its own deadline");
    operator.rollback().await.unwrap();
    let after = append_at_once(&stores, messages(2_000, &locked)).await;
    assert!(after.into_iter().all(|(.., outcome)| outcome.is_ok()));
}

#[tokio::test]
async fn what_waits_for_a_lock_lands_once_the_lock_ends() {
    let Some(home) = TestDatabase::postgres() else { return };
    let (stores, locked) = prepare(&home).await;
    let operator = lock(&home).await;
    let writing = tokio::spawn({
        let (stores, messages) = (stores.clone(), messages(1_000, &locked));
        async move { append_at_once(&stores, messages).await }
    });
    let waits = "SELECT count(*) AS answer FROM pg_locks WHERE NOT granted AND locktype IN ('transactionid', 'tuple')";
    let look = home.look().await;
    let deadline = Instant::now() + Duration::from_secs(1);
    while support::database::answer(&look, waits).await == 0 && Instant::now() < deadline {}
    operator.rollback().await.unwrap();
    assert_eq!(others_are_appended(writing.await.unwrap()).remove(0).unwrap(), Append::Appended);
}

#[tokio::test]
async fn messages_that_come_while_others_wait_for_a_lock_hold_up_nobody_either() {
    let Some(home) = TestDatabase::postgres() else { return };
    let (stores, locked) = prepare(&home).await;
    let operator = lock(&home).await;
    let mut rounds = JoinSet::new();
    for round in 1..=8 {
        let (stores, messages) = (stores.clone(), messages(round * 1_000, &locked));
        rounds.spawn(async move { append_at_once(&stores, messages).await });
    }
    while let Some(outcomes) = rounds.join_next().await {
        assert!(others_are_appended(outcomes.unwrap()).into_iter().all(unavailable));
    }
    operator.rollback().await.unwrap();
}

#[tokio::test]
async fn a_locked_conversation_holds_up_no_upsert_of_another_tenant() {
    let Some(home) = TestDatabase::postgres() else { return };
    let (stores, locked) = prepare(&home).await;
    let operator = lock(&home).await;
    let mut upserts = JoinSet::new();
    for number in (99..100 + OTHERS).rev() {
        let store = stores.conversations.clone();
        let (tenant, key) = if number == 99 { (acme(), 1) } else { (globex(), number) };
        upserts.spawn(async move {
            let (began, upsert) = (Instant::now(), creation(&conversation(number, &format!("call-{key}"))));
            (tenant.clone(), began.elapsed(), store.upsert(&tenant, &upsert, at(9), None).await)
        });
    }
    for (tenant, took, outcome) in upserts.join_all().await {
        if tenant == acme() {
            assert!(unavailable(outcome), "the locked row fails by its own deadline");
        } else {
            assert!(matches!(outcome.unwrap(), Upserted::Stored(_)));
            assert!(took < HELD_UP_AT_MOST, "another tenant waited {took:?}");
        }
    }
    operator.rollback().await.unwrap();
    let upsert = creation(&conversation(99, "call-1"));
    let id = stores.conversations.upsert(&acme(), &upsert, at(9), None).await.unwrap();
    assert_eq!(id, Upserted::Stored(locked));
}

/// Has the server do this for every message with the text "trouble".
async fn on_trouble(home: &TestDatabase, action: &str) {
    let function = format!(
        "CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF NEW.text = 'trouble' THEN {action}; END IF; RETURN NEW; END $$"
    );
    let attach = "CREATE TRIGGER trouble BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION trouble()";
    let look = home.look().await;
    for sql in [function.as_str(), attach] {
        look.execute_unprepared(sql).await.unwrap();
    }
}

/// Appends many messages of which one meets trouble: it fails by itself.
async fn only_the_row_concerned_fails(does: &str, in_time: Duration) {
    let Some(home) = TestDatabase::postgres() else { return };
    let (stores, single) = prepare(&home).await;
    on_trouble(&home, does).await;
    let text_of_acme = MessageText::parse("trouble").unwrap();
    let messages = messages(1_000, &single).into_iter().map(|(tenant, message)| {
        let text = if tenant == acme() { text_of_acme.clone() } else { message.text.clone() };
        (tenant, Message { text, ..message })
    });
    for (tenant, took, outcome) in append_at_once(&stores, messages.collect()).await {
        if tenant == acme() {
            assert!(unavailable(outcome), "{does}");
        } else {
            assert_eq!(outcome.unwrap(), Append::Appended, "{does}");
            assert!(took < in_time, "{does}: another tenant waited {took:?}");
        }
    }
}

#[tokio::test]
async fn a_deadlock_fails_only_the_row_concerned() {
    only_the_row_concerned_fails("RAISE EXCEPTION 'no' USING ERRCODE = '40P01'", HELD_UP_AT_MOST).await;
}

#[tokio::test]
async fn a_serialization_failure_fails_only_the_row_concerned() {
    only_the_row_concerned_fails("RAISE EXCEPTION 'no' USING ERRCODE = '40001'", HELD_UP_AT_MOST).await;
}

#[tokio::test]
async fn a_statement_that_takes_too_long_fails_only_the_row_concerned() {
    only_the_row_concerned_fails("PERFORM pg_sleep(9)", Duration::from_millis(1_900)).await;
}
