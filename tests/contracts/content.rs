//! Whether damage is found: in the structure of a database, in the references between its rows, and in its rows.

use std::{
    fs::OpenOptions,
    io::{Seek, SeekFrom, Write},
};

use parlance_adapters_sql::{Database, Scrub};
use parlance_domain::{
    conversation::Append,
    vocabulary::{Admission, Capacity},
};
use support::{
    database::{TestDatabase, answer},
    fixtures::{acme, at, conversation, credential, message, vocabulary},
    stores::Stores,
};

sql_contract![a_sound_database_has_no_faults, a_row_that_breaks_a_rule_is_named_by_its_place,];

const MESSAGES: u64 = 500;

/// A database with a row of every kind, and with messages of many pages.
async fn filled(home: &TestDatabase) -> Database {
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    let new = conversation(1, "call-1");
    stores.create(&acme(), &new, at(5)).await;
    for number in 1..=u128::from(MESSAGES) {
        let appended = stores.messages.append(&acme(), &message(number, &new.id, at(0))).await;
        assert_eq!(appended.unwrap(), Append::Appended);
    }
    stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
    let admitted = stores.vocabularies.admit(&acme(), &vocabulary(1, "IEEE"), Capacity::PER_TENANT, None).await;
    assert_eq!(admitted.unwrap(), Admission::Admitted);
    database
}

async fn a_sound_database_has_no_faults(home: &TestDatabase) {
    let report = filled(home).await.check_content().await.unwrap();
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    assert!(report.tables >= 12 && report.rows > MESSAGES, "{report:?}");
}

async fn a_row_that_breaks_a_rule_is_named_by_its_place(home: &TestDatabase) {
    let database = filled(home).await;
    for damage in [
        "UPDATE credentials SET permissions = 'hush'",
        "UPDATE vocabularies SET sounds_like = 'hush'",
        "UPDATE conversations SET metadata = 'hush'",
    ] {
        database.execute_unprepared(damage).await.unwrap();
    }
    let faults = database.check_content().await.unwrap().faults;
    for place in ["credentials.permissions", "vocabularies.sounds_like", "conversations.metadata"] {
        assert!(faults.iter().any(|fault| fault.contains(place)), "{place} in {faults:?}");
    }
    assert!(!faults.iter().any(|fault| fault.contains("hush")), "{faults:?}");
}

/// Overwrites one page of a tree in the middle of it, and opens the database anew.
async fn damaged(home: &TestDatabase, tree: &str) -> Database {
    filled(home).await.close().await.unwrap();
    let look = home.look().await;
    let page = format!("SELECT max(pageno) AS answer FROM dbstat WHERE name = '{tree}' AND pagetype = 'leaf'");
    let (page, size) =
        (answer(&look, &page).await, answer(&look, "SELECT page_size AS answer FROM pragma_page_size").await);
    look.close().await.unwrap();
    let path = home.url().trim_start_matches("sqlite://");
    let mut file = OpenOptions::new().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(((page - 1) * size).unsigned_abs())).unwrap();
    file.write_all(&vec![0xa5; usize::try_from(size).unwrap()]).unwrap();
    home.open().await
}

/// The faults of a whole pass, and how many rows it read.
async fn scrubbed(mut scrub: Scrub, rows_at_once: usize) -> (Vec<Box<str>>, u64) {
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

async fn is_found(tree: &str, said: &str) {
    let home = TestDatabase::sqlite();
    let database = damaged(&home, tree).await;
    let (faults, _) = scrubbed(database.scrub().unwrap(), 100).await;
    assert!(faults.iter().any(|fault| fault.starts_with(said)), "by the scrub: {faults:?}");
    let faults = database.check_content().await.unwrap().faults;
    assert!(faults.iter().any(|fault| fault.starts_with("messages")), "by the check: {faults:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_a_table_that_is_overwritten_is_found() {
    is_found("messages", "messages cannot be read").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_an_index_that_is_overwritten_is_found() {
    is_found("messages_by_creation", "messages.messages_by_creation cannot be read").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_refers_to_nothing_is_found() {
    let home = TestDatabase::sqlite();
    let database = filled(&home).await;
    database.execute_unprepared("PRAGMA foreign_keys = OFF; DELETE FROM conversations").await.unwrap();
    let faults = database.check_content().await.unwrap().faults;
    let expected: Box<str> = "messages: 500 rows refer to a row of conversations that is not there".into();
    assert_eq!(faults, [expected]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pass_reads_every_row_and_every_entry_of_an_index_once_whatever_its_steps() {
    let home = TestDatabase::sqlite();
    let database = filled(&home).await;
    let (faults, rows) = scrubbed(database.scrub().unwrap(), 7).await;
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(scrubbed(database.scrub().unwrap(), 100_000).await.1, rows);
    assert!(rows > 2 * MESSAGES, "the messages and their index: {rows}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scrub_holds_no_transaction_between_its_steps() {
    let home = TestDatabase::sqlite();
    let database = filled(&home).await;
    let mut scrub = database.scrub().unwrap();
    assert!(!scrub.step(7).await.unwrap().ends_pass);
    let busy = "CREATE TABLE checkpointed AS SELECT 1; PRAGMA wal_checkpoint(TRUNCATE)";
    database.execute_unprepared(busy).await.unwrap();
    let log = format!("{}-wal", home.url().trim_start_matches("sqlite://"));
    assert_eq!(std::fs::metadata(log).unwrap().len(), 0, "somebody still reads from the log");
}
