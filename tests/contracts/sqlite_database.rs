//! Tests of what SQLite databases promise beyond the ports: the write-ahead log, readers and locks.

use parlance_adapters_sql::{Database, MigrationReport};
use parlance_domain::message::PageLimit;
use support::{
    database::{TestDatabase, query_integer},
    fixtures::{acme, ada, conversation, from_micros, message, upsert_for},
    stores::TestStores,
};

use crate::{
    database::assert_unavailable,
    message_store::{append, create_conversation},
};

#[tokio::test]
async fn sqlite_flushes_its_write_ahead_log_at_every_commit() {
    let test_db = TestDatabase::sqlite();
    let database = test_db.open().await;
    // The setting belongs to a connection, so the test reads it through the writer's own connection.
    database
        .execute_unprepared("CREATE TABLE asked AS SELECT synchronous AS answer FROM pragma_synchronous")
        .await
        .unwrap();
    let full = 2;
    assert_eq!(query_integer(&test_db.connect().await, "SELECT answer FROM asked").await, full);
}

#[tokio::test]
async fn sqlite_uses_a_write_ahead_log() {
    let test_db = TestDatabase::sqlite();
    let database = test_db.open().await;
    let query = "CREATE TABLE asked AS SELECT journal_mode = 'wal' AS answer FROM pragma_journal_mode";
    database.execute_unprepared(query).await.unwrap();
    assert_eq!(query_integer(&test_db.connect().await, "SELECT answer FROM asked").await, 1);
}

#[tokio::test]
async fn an_open_transaction_does_not_block_a_reader_of_sqlite() {
    let test_db = TestDatabase::sqlite();
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    let id = create_conversation(&stores, &acme(), 1).await;
    database.execute_unprepared("BEGIN IMMEDIATE; UPDATE conversations SET customer_name = NULL").await.unwrap();
    let found = stores.conversations.find(&acme(), &id).await.unwrap().unwrap();
    assert_eq!(found.customer, ada());
    database.execute_unprepared("ROLLBACK").await.unwrap();
}

#[tokio::test]
async fn a_lock_of_another_process_on_sqlite_makes_writes_unavailable() {
    let test_db = TestDatabase::sqlite();
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let other = test_db.open().await;
    other.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
    let new = conversation(1, "call-1");
    assert_unavailable("upsert", stores.conversations.upsert(&acme(), &upsert_for(&new), from_micros(5), None).await);
    other.execute_unprepared("ROLLBACK").await.unwrap();
    stores.create_conversation(&acme(), &new, from_micros(5)).await;
}

#[tokio::test]
async fn a_schema_that_is_up_to_date_is_accepted_while_another_process_writes() {
    let test_db = TestDatabase::sqlite();
    let database = test_db.open_migrated().await;
    let other = test_db.open().await;
    other.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
    assert_eq!(database.migrate().await.unwrap(), MigrationReport::default());
    other.execute_unprepared("ROLLBACK").await.unwrap();
}

#[tokio::test]
async fn sqlite_in_memory_is_one_database() {
    let database = Database::open("sqlite::memory:").await.unwrap();
    database.migrate().await.unwrap();
    let stores = TestStores::in_sql(&database);
    let id = create_conversation(&stores, &acme(), 1).await;
    append(&stores, message(1, &id, from_micros(0))).await;
    assert_eq!(stores.messages.page(&acme(), &id, None, PageLimit::MAX).await.unwrap().messages.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_that_a_killed_process_left_is_emptied_when_the_database_is_opened() {
    let test_db = TestDatabase::sqlite();
    let database = test_db.open_migrated().await;
    TestStores::in_sql(&database).create_conversation(&acme(), &conversation(1, "call-1"), from_micros(1)).await;
    let file = test_db.url().trim_start_matches("sqlite://").to_owned();
    let directory = tempfile::tempdir().unwrap();
    let copy = directory.path().join("copy.db");
    for suffix in ["", "-wal"] {
        std::fs::copy(format!("{file}{suffix}"), format!("{}{suffix}", copy.display())).unwrap();
    }
    let log = format!("{}-wal", copy.display());
    assert_ne!(std::fs::metadata(&log).unwrap().len(), 0);
    let _reopened = Database::open(&format!("sqlite://{}", copy.display())).await.unwrap();
    assert_eq!(std::fs::metadata(&log).unwrap().len(), 0);
}
