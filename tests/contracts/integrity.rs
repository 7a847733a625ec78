//! Tests that integrity checks find damage in the structure of a database, in references between rows, and in rows.

use std::{
    fs::OpenOptions,
    io::{Seek, SeekFrom, Write},
};

use parlance_adapters_sql::{Database, Scrub};
use parlance_domain::{
    message::AppendOutcome,
    vocabulary::{Capacity, InsertOutcome},
};
use support::{
    database::{Roles, TestDatabase, query_integer},
    fixtures::{acme, conversation, credential, from_micros, message, vocabulary_entry},
    stores::TestStores,
};

sql_contract![
    a_sound_database_has_no_faults,
    a_row_that_breaks_a_rule_is_reported_with_its_table_and_column,
    a_row_that_breaks_a_rule_is_one_fault,
    a_deep_check_decodes_up_to_a_thousand_rows_from_each_end_and_each_row_once,
];

const MESSAGES: u64 = 500;

/// A database with a conversation, a credential, a vocabulary entry, and messages that fill many database pages.
async fn open_with_rows(test_db: &TestDatabase) -> Database {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    let new = conversation(1, "call-1");
    stores.create_conversation(&acme(), &new, from_micros(5)).await;
    for number in 1..=u128::from(MESSAGES) {
        let appended = stores.messages.append(&acme(), &message(number, &new.id, from_micros(0))).await;
        assert_eq!(appended.unwrap(), AppendOutcome::Appended);
    }
    stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
    let admitted = stores.vocabularies.insert(&acme(), &vocabulary_entry(1, "IEEE"), Capacity::PER_TENANT, None).await;
    assert_eq!(admitted.unwrap(), InsertOutcome::Inserted);
    database
}

async fn a_sound_database_has_no_faults(test_db: &TestDatabase) {
    let report = open_with_rows(test_db).await.check_content().await.unwrap();
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    assert!(report.tables >= 12 && report.rows > MESSAGES, "{report:?}");
}

async fn a_row_that_breaks_a_rule_is_reported_with_its_table_and_column(test_db: &TestDatabase) {
    let database = open_with_rows(test_db).await;
    for damage in [
        "UPDATE credentials SET permissions = 'hush'",
        "UPDATE vocabularies SET sounds_like = 'hush'",
        "UPDATE conversations SET metadata = 'hush'",
    ] {
        database.execute_unprepared(damage).await.unwrap();
    }
    let faults = database.check_content().await.unwrap().faults;
    for column in ["credentials.permissions", "vocabularies.sounds_like", "conversations.metadata"] {
        assert!(faults.iter().any(|fault| fault.contains(column)), "{column} is not named in {faults:?}");
    }
    assert!(!faults.iter().any(|fault| fault.contains("hush")), "{faults:?}");
}

async fn a_row_that_breaks_a_rule_is_one_fault(test_db: &TestDatabase) {
    let database = open_with_rows(test_db).await;
    database.execute_unprepared("UPDATE credentials SET permissions = 'hush'").await.unwrap();
    let faults = database.check_content().await.unwrap().faults;
    assert_eq!(faults.len(), 1, "{faults:?}");
}

async fn a_deep_check_decodes_up_to_a_thousand_rows_from_each_end_and_each_row_once(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let others = database.check_content().await.unwrap().rows;
    for (rows, decoded) in [(3, 3), (1_000, 1_000), (1_500, 1_500), (2_500, 2_000)] {
        let insert = format!(
            "DELETE FROM late_changes; INSERT INTO late_changes (tenant_id, feed, day, id)
             WITH RECURSIVE days (day) AS (SELECT 1 UNION ALL SELECT day + 1 FROM days WHERE day < {rows})
             SELECT 'acme', 'messages', day, 'x' FROM days"
        );
        database.execute_unprepared(&insert).await.unwrap();
        let report = database.check_content().await.unwrap();
        assert_eq!((report.rows - others, report.faults), (decoded, Vec::new()), "of {rows} rows");
    }
}

/// Overwrites one leaf page of a table or an index, and opens the database again.
async fn open_damaged(test_db: &TestDatabase, tree: &str) -> Database {
    open_with_rows(test_db).await.close().await.unwrap();
    let connection = test_db.connect().await;
    let page_query = format!("SELECT max(pageno) AS answer FROM dbstat WHERE name = '{tree}' AND pagetype = 'leaf'");
    let (page, size) = (
        query_integer(&connection, &page_query).await,
        query_integer(&connection, "SELECT page_size AS answer FROM pragma_page_size").await,
    );
    connection.close().await.unwrap();
    let path = test_db.url().trim_start_matches("sqlite://");
    let mut file = OpenOptions::new().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(((page - 1) * size).unsigned_abs())).unwrap();
    file.write_all(&vec![0xa5; usize::try_from(size).unwrap()]).unwrap();
    test_db.open().await
}

/// Runs one whole pass. Returns its faults and the number of rows that it read.
async fn run_scrub(mut scrub: Scrub, rows_at_once: usize) -> (Vec<Box<str>>, u64) {
    let (mut faults, mut rows) = (Vec::new(), 0);
    loop {
        let step = scrub.step(rows_at_once).await.unwrap();
        faults.extend(step.faults);
        rows += step.rows;
        if step.ends_pass {
            return (faults, rows);
        }
    }
}

async fn assert_damage_is_found(tree: &str, expected_fault: &str) {
    let test_db = TestDatabase::sqlite();
    let database = open_damaged(&test_db, tree).await;
    let (faults, _) = run_scrub(database.scrub().unwrap(), 100).await;
    assert!(faults.iter().any(|fault| fault.starts_with(expected_fault)), "faults of the scrub: {faults:?}");
    let faults = database.check_content().await.unwrap().faults;
    assert!(faults.iter().any(|fault| fault.starts_with("messages")), "faults of the check: {faults:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_overwritten_page_of_a_table_is_found() {
    assert_damage_is_found("messages", "messages cannot be read").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_overwritten_page_of_an_index_is_found() {
    assert_damage_is_found("messages_by_creation", "messages.messages_by_creation cannot be read").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_refers_to_a_missing_row_is_found() {
    let test_db = TestDatabase::sqlite();
    let database = open_with_rows(&test_db).await;
    database.execute_unprepared("PRAGMA foreign_keys = OFF; DELETE FROM conversations").await.unwrap();
    let faults = database.check_content().await.unwrap().faults;
    let expected: Box<str> = "messages: 500 rows refer to a row of conversations that is not there".into();
    assert_eq!(faults, [expected]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pass_reads_every_row_and_index_entry_once_for_any_step_size() {
    let test_db = TestDatabase::sqlite();
    let database = open_with_rows(&test_db).await;
    let (faults, rows) = run_scrub(database.scrub().unwrap(), 7).await;
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(run_scrub(database.scrub().unwrap(), 100_000).await.1, rows);
    assert!(rows > 2 * MESSAGES, "the scrub read only {rows} rows of the messages and their index");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scrub_holds_no_transaction_between_its_steps() {
    let test_db = TestDatabase::sqlite();
    let database = open_with_rows(&test_db).await;
    let mut scrub = database.scrub().unwrap();
    assert!(!scrub.step(7).await.unwrap().ends_pass);
    let checkpoint = "CREATE TABLE checkpointed AS SELECT 1; PRAGMA wal_checkpoint(TRUNCATE)";
    database.execute_unprepared(checkpoint).await.unwrap();
    let wal = format!("{}-wal", test_db.url().trim_start_matches("sqlite://"));
    assert_eq!(std::fs::metadata(wal).unwrap().len(), 0, "a reader still holds the write-ahead log");
}

/// A migrated database on PostgreSQL with `amcheck`.
async fn open_with_amcheck() -> Option<(TestDatabase, Database)> {
    let test_db = TestDatabase::postgres()?;
    let database = test_db.open_migrated().await;
    database.execute_unprepared("CREATE EXTENSION amcheck").await.unwrap();
    Some((test_db, database))
}

#[tokio::test(flavor = "multi_thread")]
async fn damage_in_one_table_of_postgresql_does_not_hide_the_faults_of_the_others() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let database = open_with_rows(&test_db).await;
    // A view stands in for a table with a page that PostgreSQL cannot read.
    let damage = "CREATE FUNCTION unreadable() RETURNS text LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'invalid page in block 0' USING ERRCODE = 'data_corrupted'; END $$;
        ALTER TABLE conversations RENAME TO moved;
        CREATE VIEW conversations AS SELECT * FROM moved WHERE unreadable() = id;
        UPDATE audit_heads SET hash = ''; UPDATE vocabularies SET sounds_like = 'hush'";
    database.execute_unprepared(damage).await.unwrap();
    let faults = database.check_content().await.unwrap().faults;
    for expected in ["audit_heads.hash", "conversations cannot be read: invalid page", "vocabularies.sounds_like"] {
        let count = faults.iter().filter(|fault| fault.contains(expected)).count();
        assert_eq!(count, 1, "{expected} in {faults:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_that_may_not_run_amcheck_is_told_what_to_grant() {
    let Some((test_db, _database)) = open_with_amcheck().await else { return };
    let roles = Roles::create(&test_db).await;
    let report = Database::open(&roles.server_url()).await.unwrap().check_content().await.unwrap();
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    let grants = report.notes.iter().filter(|note| note.contains("GRANT EXECUTE ON FUNCTION bt_index_check")).count();
    assert_eq!(grants, 1, "{:?}", report.notes);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_of_postgresql_that_is_not_valid_is_one_fault() {
    let Some((_test_db, database)) = open_with_amcheck().await else { return };
    let invalidate = "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'messages_by_creation'::regclass";
    database.execute_unprepared(invalidate).await.unwrap();
    let faults = database.check_content().await.unwrap().faults;
    let expected: Box<str> = "messages_by_creation is not valid: REINDEX or VALIDATE it".into();
    assert_eq!(faults, [expected]);
}
