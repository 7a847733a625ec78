//! Tests of the change log on PostgreSQL: which open transactions hold its readers up.

use std::sync::Arc;

use parlance_adapters_sql::ChangeNotifications;
use parlance_domain::{
    event::{LogEntry, LogPage, LogPosition, LogRead},
    time::Timestamp,
};
use sea_orm::{ConnectionTrait, DatabaseTransaction, TransactionTrait};
use support::{
    database::TestDatabase,
    fixtures::{acme, conversation, globex},
    stores::TestStores,
};
use tokio::sync::Notify;

/// The first key of the locks that announce numbers.
const LOCK_CLASS: i32 = 0x7061_726c;

/// Empty stores in a database on PostgreSQL; `None` without a server.
async fn stores() -> Option<(TestDatabase, TestStores)> {
    let test_db = TestDatabase::postgres()?;
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    Some((test_db, stores))
}

/// Opens a transaction that has added a conversation of acme.
async fn open_transaction(test_db: &TestDatabase, number: u128) -> DatabaseTransaction {
    let transaction = test_db.connect().await.begin().await.unwrap();
    let id = conversation(number, "c").id;
    let insert = format!(
        "INSERT INTO conversations (tenant_id, id, external_id, customer_external_id, started_at, created_at, updated_at)
            VALUES ('acme', '{id}', 'open-{number}', 'customer', 0, 0, 0)"
    );
    transaction.execute_unprepared(&insert).await.unwrap();
    transaction
}

async fn create(stores: &TestStores, number: u128) {
    stores.create_conversation(&acme(), &conversation(number, &format!("c{number}")), Timestamp::EPOCH).await;
}

async fn entries(stores: &TestStores) -> Vec<LogEntry> {
    match stores.log.read(&acme(), LogPosition::START, 100).await.unwrap() {
        LogRead::Page(page) => page.entries,
        other => panic!("the read fails: {other:?}"),
    }
}

/// The ids of the conversations in the order of the log.
async fn logged(stores: &TestStores) -> Vec<String> {
    entries(stores).await.iter().filter_map(|entry| entry.change.conversation()).map(ToString::to_string).collect()
}

fn ids(numbers: &[u128]) -> Vec<String> {
    numbers.iter().map(|number| conversation(*number, "c").id.to_string()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_is_not_read_while_an_earlier_transaction_is_open() {
    let Some((test_db, stores)) = stores().await else { return };
    create(&stores, 1).await;
    let open = open_transaction(&test_db, 2).await;
    create(&stores, 3).await;
    assert_eq!(logged(&stores).await, ids(&[1]));
    assert_eq!(stores.log.has_entries(&[(acme(), stores.log.newest(&acme()).await.unwrap())]).await.unwrap(), [false]);
    open.commit().await.unwrap();
    assert_eq!(logged(&stores).await, ids(&[1, 2, 3]));
}

/// A transaction reads the last number and then takes the lock, and readers can pass the number between the two.
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_waits_where_it_is_while_an_announced_number_is_before_its_position() {
    let Some((test_db, stores)) = stores().await else { return };
    create(&stores, 1).await;
    create(&stores, 2).await;
    let position = entries(&stores).await.last().unwrap().position;
    let late = test_db.connect().await.begin().await.unwrap();
    late.execute_unprepared(&format!("SELECT pg_advisory_xact_lock_shared({LOCK_CLASS}, 1)")).await.unwrap();
    assert_eq!(stores.log.read(&acme(), position, 100).await.unwrap(), LogRead::Page(LogPage::default()));
    create(&stores, 3).await;
    assert_eq!(stores.log.read(&acme(), position, 100).await.unwrap(), LogRead::Page(LogPage::default()));
    late.commit().await.unwrap();
    let LogRead::Page(page) = stores.log.read(&acme(), position, 100).await.unwrap() else { panic!("the read fails") };
    assert_eq!(page.entries.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_is_rolled_back_leaves_no_gap() {
    let Some((test_db, stores)) = stores().await else { return };
    let open = open_transaction(&test_db, 1).await;
    create(&stores, 2).await;
    open.rollback().await.unwrap();
    assert_eq!(logged(&stores).await, ids(&[2]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_appends_nothing_holds_up_no_reader() {
    let Some((test_db, stores)) = stores().await else { return };
    let open = test_db.connect().await.begin().await.unwrap();
    open.execute_unprepared("CREATE TABLE others (id INT); INSERT INTO others VALUES (1)").await.unwrap();
    create(&stores, 1).await;
    assert_eq!(logged(&stores).await, ids(&[1]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_in_another_database_of_the_server_holds_up_no_reader() {
    let (Some((_test_db, stores)), Some((other_db, _))) = (stores().await, stores().await) else { return };
    let open = open_transaction(&other_db, 7).await;
    create(&stores, 1).await;
    assert_eq!(logged(&stores).await, ids(&[1]));
    open.rollback().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_status_names_the_open_transaction() {
    let Some((test_db, stores)) = stores().await else { return };
    create(&stores, 1).await;
    let before = stores.log.status().await.unwrap();
    assert_eq!((before.watermark_lag, before.oldest_open_transaction), (0, None));
    let open = open_transaction(&test_db, 2).await;
    let during = stores.log.status().await.unwrap();
    assert!(during.oldest_open_transaction.is_some() && during.watermark_lag > 0 && during.head > before.head);
    open.rollback().await.unwrap();
    assert_eq!(stores.log.status().await.unwrap().watermark_lag, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_copy_does_not_know_the_positions_of_what_it_lacks() {
    let Some((test_db, stores)) = stores().await else { return };
    create(&stores, 1).await;
    let connection = test_db.connect().await;
    connection.execute_unprepared("CREATE TABLE copy AS SELECT * FROM change_log").await.unwrap();
    create(&stores, 2).await;
    let ahead = stores.log.newest(&acme()).await.unwrap();
    // The copy is brought back, and another change takes the number of the lost one.
    connection
        .execute_unprepared(&format!(
            "TRUNCATE change_log; INSERT INTO change_log SELECT * FROM copy; SELECT setval('change_log_sequence', {})",
            ahead.sequence - 1
        ))
        .await
        .unwrap();
    assert_eq!(stores.log.read(&acme(), ahead, 10).await.unwrap(), LogRead::Unknown);
    create(&stores, 3).await;
    assert_eq!(stores.log.newest(&acme()).await.unwrap().sequence, ahead.sequence);
    assert_eq!(stores.log.read(&acme(), ahead, 10).await.unwrap(), LogRead::Unknown);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_of_several_tenants_is_logged_for_each() {
    let Some((_test_db, stores)) = stores().await else { return };
    let (one, other) = ((acme(), conversation(1, "c1")), (globex(), conversation(2, "c2")));
    tokio::join!(
        stores.create_conversation(&one.0, &one.1, Timestamp::EPOCH),
        stores.create_conversation(&other.0, &other.1, Timestamp::EPOCH)
    );
    assert_eq!(logged(&stores).await, ids(&[1]));
    assert_ne!(stores.log.newest(&globex()).await.unwrap(), LogPosition::START);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hint_of_one_replica_reaches_another() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let sender = ChangeNotifications::new(test_db.open_migrated().await).unwrap();
    let receiver = ChangeNotifications::new(test_db.open().await).unwrap();
    let hint = Arc::new(Notify::new());
    let on_hint = {
        let hint = Arc::clone(&hint);
        // The first call says that the replica listens.
        move || hint.notify_one()
    };
    let listening = tokio::spawn(async move { receiver.listen(on_hint).await });
    hint.notified().await;
    assert!(!sender.has_other_listeners().await.unwrap(), "one session listens");
    sender.send().await.unwrap();
    hint.notified().await;
    listening.abort();
}

#[tokio::test]
async fn an_embedded_database_has_no_other_replicas() {
    let database = TestDatabase::sqlite().open_migrated().await;
    assert!(ChangeNotifications::new(database).is_none());
}
