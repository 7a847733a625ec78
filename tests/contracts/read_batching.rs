//! Tests of reads that share a statement: each read gets its own result or fails alone.

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
    error::StoreErrorKind,
    id::ConversationId,
    message::{AppendOutcome, Message, PageLimit},
};
use support::{
    database::{TestDatabase, query_integer},
    fixtures::{acme, conversation, external_id, from_micros, globex, message},
    stores::TestStores,
};
use tokio::{join, runtime, task::JoinSet, time::timeout};

sql_contract![
    concurrent_reads_each_get_their_own_result,
    concurrent_reads_each_get_their_own_result_in_single_worker_mode,
    a_read_of_a_corrupt_row_fails_alone,
    a_cancelled_read_does_not_affect_the_others,
];

/// The number of conversations of a tenant.
const CONVERSATIONS: u128 = 12;

fn id(number: u128) -> ConversationId {
    conversation(number, "any").id
}

/// The messages of conversation `number` of a tenant: `number` messages, which differ between tenants.
fn messages(tenant: &TenantId, number: u128) -> Vec<Message> {
    let offset = if *tenant == acme() { 1_000 } else { 2_000 };
    (0..number)
        .map(|index| message(offset + number * 50 + index, &id(number), from_micros(i64::try_from(index).unwrap())))
        .collect()
}

/// Creates conversations with the same identifiers in two tenants.
async fn fill(stores: &TestStores) {
    for tenant in [acme(), globex()] {
        for number in 1..=CONVERSATIONS {
            stores.create_conversation(&tenant, &conversation(number, &format!("call-{number}")), from_micros(5)).await;
            for message in messages(&tenant, number) {
                assert_eq!(stores.messages.append(&tenant, &message).await.unwrap(), AppendOutcome::Appended);
            }
        }
    }
}

/// Reads one conversation by every kind of query, and checks the results.
async fn read_and_check(stores: TestStores, tenant: TenantId, number: u128) {
    let (conversation, expected) = (id(number), messages(&tenant, number));
    let exists = number <= CONVERSATIONS;
    let expected = if exists { expected } else { Vec::new() };
    let found = stores.conversations.find(&tenant, &conversation).await.unwrap();
    assert_eq!(found.is_some_and(|found| found.id == conversation), exists);
    let name = external_id(&format!("call-{number}"));
    let found = stores.conversations.find_by_external_id(&tenant, &name).await.unwrap();
    assert_eq!(found.is_some_and(|found| found.id == conversation), exists);
    let limit = PageLimit::new(5).unwrap();
    let page = stores.messages.page(&tenant, &conversation, None, limit).await.unwrap();
    assert_eq!((page.messages, page.has_more), (expected.iter().take(5).cloned().collect(), expected.len() > 5));
    let newest = stores.messages.newest(&tenant, &conversation, None).await.unwrap();
    assert_eq!(newest, expected.get(expected.len().saturating_sub(6)..).unwrap());
    if let Some(second) = expected.get(1) {
        let after =
            stores.messages.page(&tenant, &conversation, Some(&second.position()), PageLimit::MAX).await.unwrap();
        assert_eq!(after.messages, expected.get(2..).unwrap());
        let before = stores.messages.newest(&tenant, &conversation, Some(&second.position())).await.unwrap();
        assert_eq!(before, expected.get(..1).unwrap());
    }
}

async fn concurrent_reads_each_get_their_own_result(test_db: &TestDatabase) {
    read_concurrently(&test_db.open_migrated().await, 4).await;
}

async fn concurrent_reads_each_get_their_own_result_in_single_worker_mode(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    database.enable_single_worker_mode();
    // More reads than the two workers of such a thread take in one batch each.
    read_concurrently(&database, 8).await;
}

async fn read_concurrently(database: &Database, times: usize) {
    let stores = TestStores::in_sql(database);
    fill(&stores).await;
    let mut readers = JoinSet::new();
    for _ in 0..times {
        for number in 1..=CONVERSATIONS + 2 {
            readers.spawn(read_and_check(stores.clone(), acme(), number));
            readers.spawn(read_and_check(stores.clone(), globex(), number));
        }
    }
    readers.join_all().await;
}

async fn a_read_of_a_corrupt_row_fails_alone(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    fill(&stores).await;
    let corrupt_id = id(3);
    let corrupt =
        format!("UPDATE messages SET text = '' WHERE tenant_id = 'acme' AND conversation_id = '{corrupt_id}'");
    database.execute_unprepared(&corrupt).await.unwrap();
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

async fn a_cancelled_read_does_not_affect_the_others(test_db: &TestDatabase) {
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    fill(&stores).await;
    let mut readers = JoinSet::new();
    for number in (1..=CONVERSATIONS).cycle().take(60) {
        let store = Arc::clone(&stores.messages);
        let time_limit = if number % 2 == 0 { Duration::from_micros(50) } else { Duration::from_mins(1) };
        readers.spawn(async move {
            let page = timeout(time_limit, store.page(&acme(), &id(number), None, PageLimit::MAX)).await;
            (number, page)
        });
    }
    for (number, outcome) in readers.join_all().await {
        if number % 2 == 1 {
            assert_eq!(outcome.unwrap().unwrap().messages, messages(&acme(), number));
        }
    }
}

/// Replaces the table of messages by a view of the rows for which `condition` is true.
async fn filter_messages(database: &Database, condition: &str) {
    let view = format!("CREATE VIEW messages AS SELECT * FROM all_messages WHERE {condition}");
    for sql in ["ALTER TABLE messages RENAME TO all_messages", &view] {
        database.execute_unprepared(sql).await.unwrap();
    }
}

/// Makes the database count the statements that read messages.
async fn count_statements(database: &Database) {
    database.execute_unprepared("CREATE SEQUENCE statements").await.unwrap();
    filter_messages(database, "(SELECT nextval('statements')) > 0").await;
}

/// Queues one read of a page of each conversation on one thread. Returns the number of statements that serve the reads.
async fn count_statements_of_queued_reads(database: &Database, test_db: &TestDatabase, limit: u64) -> i64 {
    let stores = TestStores::in_sql(database);
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
    query_integer(&test_db.connect().await, "SELECT last_value AS answer FROM statements").await
}

#[tokio::test]
async fn reads_queued_together_on_a_thread_share_one_statement() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    assert_eq!(count_statements_of_queued_reads(&test_db.open_migrated().await, &test_db, 50).await, 1);
}

#[tokio::test]
async fn a_statement_reads_up_to_320_rows_in_single_worker_mode() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let database = test_db.open_migrated().await;
    database.enable_single_worker_mode();
    // A page of 50 reads up to 51 rows, so one statement serves six of the twelve reads.
    assert_eq!(count_statements_of_queued_reads(&database, &test_db, 50).await, 2);
}

#[tokio::test]
async fn a_read_right_after_a_server_restart_succeeds() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    fill(&stores).await;
    // Each kind of read opens its own connection. The second round uses the same connections.
    for _ in 0..2 {
        let (tenant, key, name) = (acme(), id(3), external_id("call-3"));
        let found = join!(
            stores.conversations.find(&tenant, &key),
            stores.conversations.find_by_external_id(&tenant, &name),
            stores.messages.newest(&tenant, &key, None),
        );
        assert!(found.0.is_ok() && found.1.is_ok() && found.2.is_ok());
    }
    test_db.terminate_connections().await;
    assert_eq!(stores.conversations.find(&acme(), &id(3)).await.unwrap().unwrap().id, id(3));
}

/// Makes reads of the messages of one conversation slower than all other statements.
async fn slow_down(database: &Database, conversation: &ConversationId) {
    let slow = format!("CASE WHEN conversation_id = '{conversation}' THEN pg_sleep(0.2) IS NOT NULL ELSE true END");
    filter_messages(database, &slow).await;
}

#[tokio::test]
async fn a_slow_read_does_not_delay_later_reads() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    fill(&stores).await;
    slow_down(&database, &id(5)).await;
    let mut readers = JoinSet::new();
    for number in [5, 1, 2, 3] {
        let store = Arc::clone(&stores.messages);
        readers.spawn(async move { (number, store.page(&acme(), &id(number), None, PageLimit::MAX).await.unwrap()) });
        // The first read gets a statement of its own.
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
    }
    let answered: Vec<_> = readers.join_all().await.into_iter().map(|(number, _)| number).collect();
    assert_eq!(answered.last(), Some(&5), "{answered:?}");
}

#[test]
fn reads_of_a_new_runtime_succeed_after_a_runtime_ended_with_a_pending_read() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let runtime = || runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let first = runtime();
    let stores = first.block_on(async {
        let stores = TestStores::in_sql(&test_db.open_migrated().await);
        fill(&stores).await;
        stores
    });
    // Runs on a new thread, which has no connections of the first runtime.
    thread::scope(|threads| {
        let read_in_two_runtimes = || {
            let (tenant, key) = (acme(), id(7));
            let ended = runtime();
            ended.block_on(async {
                let mut read = pin!(stores.conversations.find(&tenant, &key));
                poll_fn(|context| Poll::Ready(read.as_mut().poll(context).is_ready())).await
            });
            drop(ended);
            runtime().block_on(stores.conversations.find(&tenant, &key))
        };
        let found = threads.spawn(read_in_two_runtimes).join().unwrap();
        assert_eq!(found.unwrap().unwrap().id, id(7));
    });
}
