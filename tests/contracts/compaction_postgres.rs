//! Compactions of real databases: no byte of an erased row is left in the files of PostgreSQL's tables.

use std::{sync::Arc, time::Duration};

use parlance_adapters_sql::{Database, SqlCompactor};
use parlance_domain::{
    conversation::{Conversation, Participant},
    message::Message,
    ports::DatabaseCompactor,
    privacy::{CompactionError, CompactionOutcome, ErasureCount, ErasureOutcome},
    text::{ExternalId, MessageText},
};
use sea_orm::{ConnectionTrait, DatabaseConnection, TransactionTrait};
use support::{
    database::{Roles, TestDatabase, query_text},
    fixtures::{acme, conversation, from_micros, message, upsert_for},
    stores::TestStores,
};

use crate::{
    compaction::{compaction, completed, receipt},
    erasure_store::erase,
};

/// How long a test waits for what does not end. Transactions of other tests, in other databases of the server, end within this
/// time.
const MAX_WAIT: Duration = Duration::from_secs(5);

const CANARY: &str = "zeppelin-4711";

/// The relations of the database that hold the canary in their files. What is only in memory is written before.
async fn relations_with_canary(connection: &DatabaseConnection) -> String {
    connection.execute_unprepared("CHECKPOINT").await.unwrap();
    let names = format!(
        "SELECT string_agg(relname, ' ' ORDER BY relname) AS answer FROM pg_class WHERE relkind IN ('r', 'i', 't', 'm')
            AND pg_relation_filepath(oid) IS NOT NULL
            AND position('{CANARY}'::bytea IN pg_read_binary_file(pg_relation_filepath(oid), 0, 100000000, true)) > 0"
    );
    query_text(connection, &names).await
}

/// A conversation with the canary in its customer and in its messages, which is erased.
async fn store_and_erase(stores: &TestStores, connection: &DatabaseConnection) {
    let number = 7;
    let customer = Participant { external_id: ExternalId::parse(CANARY).unwrap(), name: None };
    let created = Conversation { customer: customer.clone(), ..conversation(number, "call-7") };
    let upsert = parlance_domain::conversation::Upsert { customer, ..upsert_for(&created) };
    let _ = stores.conversations.upsert(&acme(), &upsert, from_micros(1), None).await.unwrap();
    for id in 1..=20 {
        let text = MessageText::parse(format!("{CANARY} says {id}")).unwrap();
        let message = Message { text, ..message(id, &created.id, from_micros(2)) };
        let _ = stores.messages.append(&acme(), &message).await.unwrap();
    }
    connection.execute_unprepared("ANALYZE").await.unwrap();
    let outcome = erase(stores, &acme(), &created).await;
    assert_eq!(outcome, ErasureOutcome::Erased(ErasureCount { messages: 20 }));
}

fn rewritten_tables(outcome: CompactionOutcome) -> Vec<&'static str> {
    let CompactionOutcome::Rewritten { tables, .. } = outcome else { panic!("nothing was rewritten") };
    tables.into_iter().map(|table| table.name).collect()
}

async fn compact(database: &Database) -> Result<CompactionOutcome, CompactionError> {
    SqlCompactor::new(database.clone()).compact().await
}

/// Compacts, and gives up after a short wait.
async fn try_to_compact(database: &Database) -> Result<CompactionOutcome, CompactionError> {
    SqlCompactor::new(database.clone()).with_max_wait(MAX_WAIT).compact().await
}

#[tokio::test(flavor = "multi_thread")]
async fn no_byte_of_an_erased_row_is_left_in_the_files_of_postgresql_after_a_compaction() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let (database, connection) = (test_db.open_migrated().await, test_db.connect().await);
    let superuser = "SELECT rolsuper::text AS answer FROM pg_roles WHERE rolname = current_user";
    if query_text(&connection, superuser).await != "true" {
        return;
    }
    let stores = TestStores::in_sql(&database);
    store_and_erase(&stores, &connection).await;
    let before = relations_with_canary(&connection).await;
    for relation in ["conversations", "conversations_by_customer", "messages", "pg_statistic"] {
        assert!(
            before.split(' ').any(|name| name == relation),
            "the bytes are not in {relation} to begin with: {before}"
        );
    }
    let tables = rewritten_tables(stores.compactor.compact().await.unwrap());
    for table in ["conversations", "messages", "former_customers", "pg_statistic"] {
        assert!(tables.contains(&table), "{tables:?}");
    }
    assert_eq!(relations_with_canary(&connection).await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compaction_of_postgresql_issues_second_receipts() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let request = completed(&stores, 1).await;
    let report = compaction(&stores, Arc::clone(&stores.compactor)).run().await.unwrap();
    assert_eq!(report.receipts, 1);
    assert!(receipt(&stores, &request, Some(2)).await.is_some());
}

async fn a_database_that_overwrites_deleted_data_needs_no_compaction(stores: TestStores) {
    completed(&stores, 1).await;
    let report = compaction(&stores, Arc::clone(&stores.compactor)).run().await.unwrap();
    assert_eq!((report.outcome, report.receipts), (CompactionOutcome::NotNeeded, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_needs_no_compaction() {
    let test_db = TestDatabase::sqlite();
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    a_database_that_overwrites_deleted_data_needs_no_compaction(stores).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_needs_no_compaction() {
    a_database_that_overwrites_deleted_data_needs_no_compaction(TestStores::in_memory()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_can_see_erased_rows_is_an_error_until_it_ends() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let (database, connection) = (test_db.open_migrated().await, test_db.connect().await);
    let reader = connection.begin_with_config(Some(sea_orm::IsolationLevel::RepeatableRead), None).await.unwrap();
    reader.execute_unprepared("SELECT count(*) FROM leases").await.unwrap();
    TestStores::in_sql(&database).create_conversation(&acme(), &conversation(1, "call-1"), from_micros(1)).await;
    let error = try_to_compact(&database).await.unwrap_err();
    assert!(matches!(error, CompactionError::OpenTransaction), "{error}");
    reader.rollback().await.unwrap();
    compact(&database).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_in_use_is_named() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let (database, connection) = (test_db.open_migrated().await, test_db.connect().await);
    let user = connection.begin().await.unwrap();
    user.execute_unprepared("LOCK TABLE messages IN ACCESS SHARE MODE").await.unwrap();
    let error = try_to_compact(&database).await.unwrap_err();
    assert!(matches!(error, CompactionError::TableInUse("messages")), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_that_does_not_own_the_database_is_told_which_role_to_use() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    drop(test_db.open_migrated().await);
    let roles = Roles::create(&test_db).await;
    for url in [roles.server_url(), roles.owner_url()] {
        let error = compact(&Database::open(&url).await.unwrap()).await.unwrap_err();
        assert!(matches!(error, CompactionError::MissingRights), "{error}");
        assert!(error.to_string().contains("as a superuser, or as a role that owns both the tables and the database"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_of_the_tables_and_of_the_database_may_compact_without_the_rights_of_a_superuser() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    drop(test_db.open_migrated().await);
    let roles = Roles::create(&test_db).await;
    let connection = test_db.connect().await;
    let name = query_text(&connection, "SELECT current_database()::text AS answer").await;
    let own = |role: &str| format!("ALTER DATABASE {name} OWNER TO {role}");
    connection.execute_unprepared(&own(&roles.owner)).await.unwrap();
    let outcome = compact(&Database::open(&roles.owner_url()).await.unwrap()).await.unwrap();
    connection.execute_unprepared(&own("CURRENT_USER")).await.unwrap();
    let CompactionOutcome::Rewritten { is_log_switched, .. } = outcome else { panic!("nothing was rewritten") };
    assert!(!is_log_switched, "the role may not begin a new segment of the log");
}

#[tokio::test(flavor = "multi_thread")]
async fn statistics_of_an_empty_table_are_an_error_for_a_role_that_cannot_delete_them() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let (database, connection) = (test_db.open_migrated().await, test_db.connect().await);
    store_and_erase(&TestStores::in_sql(&database), &connection).await;
    let roles = Roles::create(&test_db).await;
    let name = query_text(&connection, "SELECT current_database()::text AS answer").await;
    let own = |role: &str| format!("ALTER DATABASE {name} OWNER TO {role}");
    connection.execute_unprepared(&own(&roles.owner)).await.unwrap();
    let error = compact(&Database::open(&roles.owner_url()).await.unwrap()).await.unwrap_err();
    connection.execute_unprepared(&own("CURRENT_USER")).await.unwrap();
    assert!(matches!(error, CompactionError::StaleStatistics("conversation_metadata")), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compaction_of_a_closed_database_is_unavailable() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let database = test_db.open_migrated().await;
    database.clone().close().await.unwrap();
    assert!(matches!(compact(&database).await, Err(CompactionError::Store(_))));
}
