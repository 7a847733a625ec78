//! What reads that share a statement owe each other: nothing. Each gets its own answer, or fails by itself.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::Arc,
    task::Poll,
    thread,
    time::Duration,
};

use parlance_adapters_sql::Database;
use parlance_domain::{
    access::TenantId,
    conversation::{Append, Message, PageLimit},
    error::StoreErrorKind,
    id::ConversationId,
};
use support::{
    database::{TestDatabase, answer},
    fixtures::{acme, at, conversation, external_id, globex, message},
    stores::Stores,
};
use tokio::{join, runtime, task::JoinSet, time::timeout};

sql_contract![
    reads_at_once_get_each_its_own_answer,
    reads_at_once_get_each_its_own_answer_where_one_thread_answers_all,
    a_read_of_a_corrupt_row_fails_alone,
    a_read_whose_caller_gave_up_leaves_the_others,
];

/// How many conversations a tenant has.
const CONVERSATIONS: u128 = 12;

fn id(number: u128) -> ConversationId {
    conversation(number, "any").id
}

/// What a conversation of a tenant is made to hold: as many messages as its number says, that differ between tenants.
fn messages(tenant: &TenantId, number: u128) -> Vec<Message> {
    let offset = if *tenant == acme() { 1_000 } else { 2_000 };
    (0..number)
        .map(|place| message(offset + number * 50 + place, &id(number), at(i64::try_from(place).unwrap())))
        .collect()
}

/// Conversations under the same identifiers in two tenants.
async fn fill(stores: &Stores) {
    for tenant in [acme(), globex()] {
        for number in 1..=CONVERSATIONS {
            stores.create(&tenant, &conversation(number, &format!("call-{number}")), at(5)).await;
            for one in messages(&tenant, number) {
                assert_eq!(stores.messages.append(&tenant, &one).await.unwrap(), Append::Appended);
            }
        }
    }
}

/// Asks for everything that there is of one conversation, and checks it.
async fn check(stores: Stores, tenant: TenantId, number: u128) {
    let (key, kept) = (id(number), messages(&tenant, number));
    let exists = number <= CONVERSATIONS;
    let kept = if exists { kept } else { Vec::new() };
    let found = stores.conversations.find(&tenant, &key).await.unwrap();
    assert_eq!(found.is_some_and(|found| found.id == key), exists);
    let name = external_id(&format!("call-{number}"));
    let found = stores.conversations.find_by_external_id(&tenant, &name).await.unwrap();
    assert_eq!(found.is_some_and(|found| found.id == key), exists);
    let limit = PageLimit::new(5).unwrap();
    let page = stores.messages.page(&tenant, &key, None, limit).await.unwrap();
    assert_eq!((page.messages, page.more), (kept.iter().take(5).cloned().collect(), kept.len() > 5));
    let newest = stores.messages.newest(&tenant, &key, None).await.unwrap();
    assert_eq!(newest, kept.get(kept.len().saturating_sub(6)..).unwrap());
    if let Some(second) = kept.get(1) {
        let after = stores.messages.page(&tenant, &key, Some(&second.position()), PageLimit::MAX).await.unwrap();
        assert_eq!(after.messages, kept.get(2..).unwrap());
        let before = stores.messages.newest(&tenant, &key, Some(&second.position())).await.unwrap();
        assert_eq!(before, kept.get(..1).unwrap());
    }
}

async fn reads_at_once_get_each_its_own_answer(home: &TestDatabase) {
    read_at_once(&home.migrated().await, 4).await;
}

async fn reads_at_once_get_each_its_own_answer_where_one_thread_answers_all(home: &TestDatabase) {
    let database = home.migrated().await;
    database.answer_on_this_thread_alone();
    // More than two turns of such a thread.
    read_at_once(&database, 8).await;
}

async fn read_at_once(database: &Database, times: usize) {
    let stores = Stores::in_sql(database);
    fill(&stores).await;
    let mut readers = JoinSet::new();
    for _ in 0..times {
        for number in 1..=CONVERSATIONS + 2 {
            readers.spawn(check(stores.clone(), acme(), number));
            readers.spawn(check(stores.clone(), globex(), number));
        }
    }
    readers.join_all().await;
}

async fn a_read_of_a_corrupt_row_fails_alone(home: &TestDatabase) {
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    fill(&stores).await;
    let broken = id(3);
    let break_it = format!("UPDATE messages SET text = '' WHERE tenant_id = 'acme' AND conversation_id = '{broken}'");
    database.execute_unprepared(&break_it).await.unwrap();
    let mut readers = JoinSet::new();
    for number in (1..=CONVERSATIONS).cycle().take(60) {
        let store = Arc::clone(&stores.messages);
        readers.spawn(async move { (number, store.page(&acme(), &id(number), None, PageLimit::MAX).await) });
    }
    for (number, outcome) in readers.join_all().await {
        match outcome {
            Ok(page) => assert_eq!(page.messages, messages(&acme(), number)),
            Err(error) => assert_eq!((number, error.kind()), (3, StoreErrorKind::Corrupt)),
        }
    }
}

async fn a_read_whose_caller_gave_up_leaves_the_others(home: &TestDatabase) {
    let stores = Stores::in_sql(&home.migrated().await);
    fill(&stores).await;
    let mut readers = JoinSet::new();
    for number in (1..=CONVERSATIONS).cycle().take(60) {
        let store = Arc::clone(&stores.messages);
        let patience = if number % 2 == 0 { Duration::from_micros(50) } else { Duration::from_mins(1) };
        readers.spawn(async move {
            let page = timeout(patience, store.page(&acme(), &id(number), None, PageLimit::MAX)).await;
            (number, page)
        });
    }
    for (number, outcome) in readers.join_all().await {
        if number % 2 == 1 {
            assert_eq!(outcome.unwrap().unwrap().messages, messages(&acme(), number));
        }
    }
}

/// Has whoever reads messages read those of which this is true.
async fn look_through(database: &Database, condition: &str) {
    let view = format!("CREATE VIEW messages AS SELECT * FROM all_messages WHERE {condition}");
    for sql in ["ALTER TABLE messages RENAME TO all_messages", &view] {
        database.execute_unprepared(sql).await.unwrap();
    }
}

/// Has the database count the statements that read messages.
async fn count_statements(database: &Database) {
    database.execute_unprepared("CREATE SEQUENCE statements").await.unwrap();
    look_through(database, "(SELECT nextval('statements')) > 0").await;
}

/// How many statements answer one page of each conversation, asked for in one turn of a thread.
async fn statements_for_a_turn(database: &Database, home: &TestDatabase, limit: u64) -> i64 {
    let stores = Stores::in_sql(database);
    fill(&stores).await;
    count_statements(database).await;
    let (mut readers, limit) = (JoinSet::new(), PageLimit::new(limit).unwrap());
    for number in 1..=CONVERSATIONS {
        let store = Arc::clone(&stores.messages);
        readers.spawn(async move { (number, store.page(&acme(), &id(number), None, limit).await) });
    }
    for (number, page) in readers.join_all().await {
        assert_eq!(page.unwrap().messages.len(), messages(&acme(), number).len().min(limit.messages().into()));
    }
    answer(&home.look().await, "SELECT last_value AS answer FROM statements").await
}

#[tokio::test]
async fn reads_of_one_turn_of_a_thread_are_one_statement() {
    let Some(home) = TestDatabase::postgres() else { return };
    assert_eq!(statements_for_a_turn(&home.migrated().await, &home, 50).await, 1);
}

#[tokio::test]
async fn a_thread_that_answers_all_requests_asks_for_320_rows_at_once() {
    let Some(home) = TestDatabase::postgres() else { return };
    let database = home.migrated().await;
    database.answer_on_this_thread_alone();
    // A page of 50 asks for one more, so that six of the twelve are a statement.
    assert_eq!(statements_for_a_turn(&database, &home, 50).await, 2);
}

#[tokio::test]
async fn a_read_right_after_the_server_was_started_anew_is_answered() {
    let Some(home) = TestDatabase::postgres() else { return };
    let stores = Stores::in_sql(&home.migrated().await);
    fill(&stores).await;
    // Reads of different kinds open a connection each; the second time they use them again.
    for _ in 0..2 {
        let (tenant, key, name) = (acme(), id(3), external_id("call-3"));
        let found = join!(
            stores.conversations.find(&tenant, &key),
            stores.conversations.find_by_external_id(&tenant, &name),
            stores.messages.newest(&tenant, &key, None),
        );
        assert!(found.0.is_ok() && found.1.is_ok() && found.2.is_ok());
    }
    home.cut_all().await;
    assert_eq!(stores.conversations.find(&acme(), &id(3)).await.unwrap().unwrap().id, id(3));
}

/// Has reads of the messages of one conversation take longer than all else in the database.
async fn slow_down(database: &Database, conversation: &ConversationId) {
    let slow = format!("CASE WHEN conversation_id = '{conversation}' THEN pg_sleep(0.2) IS NOT NULL ELSE true END");
    look_through(database, &slow).await;
}

#[tokio::test]
async fn a_slow_read_does_not_hold_up_those_behind_it() {
    let Some(home) = TestDatabase::postgres() else { return };
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    fill(&stores).await;
    slow_down(&database, &id(5)).await;
    let mut readers = JoinSet::new();
    for number in [5, 1, 2, 3] {
        let store = Arc::clone(&stores.messages);
        readers.spawn(async move { (number, store.page(&acme(), &id(number), None, PageLimit::MAX).await.unwrap()) });
        // The first is asked by itself.
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
    }
    let answered: Vec<_> = readers.join_all().await.into_iter().map(|(number, _)| number).collect();
    assert_eq!(answered.last(), Some(&5), "{answered:?}");
}

#[test]
fn a_runtime_that_ends_before_it_has_served_a_read_leaves_those_of_the_next_one() {
    let Some(home) = TestDatabase::postgres() else { return };
    let runtime = || runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let first = runtime();
    let stores = first.block_on(async {
        let stores = Stores::in_sql(&home.migrated().await);
        fill(&stores).await;
        stores
    });
    // On a thread of its own, which has no connections of the first runtime.
    thread::scope(|threads| {
        let both = || {
            let (tenant, key) = (acme(), id(7));
            let ended = runtime();
            ended.block_on(async {
                let mut read = pin!(stores.conversations.find(&tenant, &key));
                poll_fn(|context| Poll::Ready(read.as_mut().poll(context).is_ready())).await
            });
            drop(ended);
            runtime().block_on(stores.conversations.find(&tenant, &key))
        };
        let found = threads.spawn(both).join().unwrap();
        assert_eq!(found.unwrap().unwrap().id, id(7));
    });
}
