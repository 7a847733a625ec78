//! What becomes of an open SQLite database whose files are moved, replaced or removed: nothing more is acknowledged, and
//! the service is not ready, until the same files are back.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use parlance_adapters_sql::Database;
use parlance_domain::{
    conversation::Append,
    error::{StoreError, StoreErrorKind},
    lease::{Duty, LeaseRequest, ReplicaId},
    readiness::ReadinessProbe,
    vocabulary::Capacity,
};
use support::{
    database::TestDatabase,
    fixtures::{acme, at, conversation, creation, credential, message, vocabulary},
    stores::Stores,
};

/// A database with one conversation and one message in it.
struct Opened {
    home: TestDatabase,
    database: Database,
    stores: Stores,
}

impl Opened {
    async fn new() -> Self {
        let home = TestDatabase::sqlite();
        let database = home.migrated().await;
        let stores = Stores::in_sql(&database);
        let opened = Self { home, database, stores };
        let new = conversation(1, "call-1");
        opened.stores.create(&acme(), &new, at(5)).await;
        let appended = opened.stores.messages.append(&acme(), &message(1, &new.id, at(0))).await;
        assert_eq!(appended.unwrap(), Append::Appended);
        opened
    }

    /// The path of one of its files.
    fn file(&self, suffix: &str) -> PathBuf {
        format!("{}{suffix}", self.home.url().trim_start_matches("sqlite://")).into()
    }

    async fn is_ready(&self) -> bool {
        self.database.files_probe().unwrap().check().await.is_ok()
    }

    /// Asks for reads and writes of every kind: each is unavailable.
    async fn refuses_everything(&self) {
        let Stores { conversations, messages, vocabularies, credentials, leases, .. } = &self.stores;
        let (first, second) = (conversation(1, "call-1"), conversation(2, "call-2"));
        let (said, entry, credential) = (message(2, &first.id, at(1)), vocabulary(1, "IEEE"), credential(acme(), 1));
        let replica = ReplicaId::from_bits(1);
        let lease = LeaseRequest { duty: Duty::FeedProduction, replica, now: at(5), until: at(9) };
        unavailable("upsert", conversations.upsert(&acme(), &creation(&second), at(5), None).await);
        unavailable("append", messages.append(&acme(), &said).await);
        unavailable("look back", messages.newest(&acme(), &first.id, None).await);
        unavailable("find", conversations.find(&acme(), &first.id).await);
        unavailable("admit", vocabularies.admit(&acme(), &entry, Capacity::PER_TENANT, None).await);
        unavailable("insert", credentials.insert(&credential).await);
        unavailable("list", credentials.list(None).await);
        unavailable("take", leases.take(&lease).await);
        assert!(!self.is_ready().await);
    }
}

fn unavailable<T>(call: &str, outcome: Result<T, StoreError>) {
    assert_eq!(outcome.err().map(|error| error.kind()), Some(StoreErrorKind::Unavailable), "{call}");
}

/// Puts a whole database of another origin there.
async fn put_another(path: &Path) {
    let other = Opened::new().await;
    let from = other.file("");
    other.database.close().await.unwrap();
    fs::rename(from, path).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_whose_files_are_in_place_is_ready() {
    assert!(Opened::new().await.is_ready().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_in_memory_has_no_files_to_be_displaced() {
    assert!(Database::open("sqlite::memory:").await.unwrap().files_probe().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_moved_is_written_no_more() {
    let opened = Opened::new().await;
    fs::rename(opened.file(""), opened.file(".moved")).unwrap();
    opened.refuses_everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_was_open_before_reads_no_more_either() {
    let opened = Opened::new().await;
    let first = conversation(1, "call-1");
    assert_eq!(opened.stores.messages.newest(&acme(), &first.id, None).await.unwrap().len(), 1);
    fs::rename(opened.file(""), opened.file(".moved")).unwrap();
    opened.refuses_everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_opened_later_does_not_read_what_is_there_instead() {
    let opened = Opened::new().await;
    put_another(&opened.file("")).await;
    let first = conversation(1, "call-1");
    unavailable("look back", opened.stores.messages.newest(&acme(), &first.id, None).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_removed_is_written_no_more() {
    let opened = Opened::new().await;
    fs::remove_file(opened.file("")).unwrap();
    opened.refuses_everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_replaced_by_an_empty_one_is_written_no_more() {
    let opened = Opened::new().await;
    fs::remove_file(opened.file("")).unwrap();
    File::create(opened.file("")).unwrap();
    opened.refuses_everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_replaced_by_another_database_is_written_no_more() {
    let opened = Opened::new().await;
    put_another(&opened.file("")).await;
    opened.refuses_everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_without_its_log_is_written_no_more() {
    let opened = Opened::new().await;
    fs::remove_file(opened.file("-wal")).unwrap();
    opened.refuses_everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_without_the_index_of_its_log_is_written_no_more() {
    let opened = Opened::new().await;
    fs::remove_file(opened.file("-shm")).unwrap();
    opened.refuses_everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_moved_back_is_written_again_and_has_all_that_was_acknowledged() {
    let opened = Opened::new().await;
    fs::rename(opened.file(""), opened.file(".moved")).unwrap();
    opened.refuses_everything().await;
    fs::rename(opened.file(".moved"), opened.file("")).unwrap();
    let (first, third) = (conversation(1, "call-1"), conversation(3, "call-3"));
    opened.stores.create(&acme(), &third, at(6)).await;
    assert!(opened.is_ready().await);
    opened.database.close().await.unwrap();
    let stores = Stores::in_sql(&opened.home.open().await);
    for kept in [&first, &third] {
        assert!(stores.conversations.find(&acme(), &kept.id).await.unwrap().is_some());
    }
    assert_eq!(stores.messages.newest(&acme(), &first.id, None).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_before_its_log_was_removed_is_there_after_an_orderly_stop() {
    let opened = Opened::new().await;
    fs::remove_file(opened.file("-wal")).unwrap();
    opened.refuses_everything().await;
    opened.database.close().await.unwrap();
    let stores = Stores::in_sql(&opened.home.open().await);
    assert!(stores.conversations.find(&acme(), &conversation(1, "call-1").id).await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_no_longer_the_one_that_was_opened_is_not_copied() {
    let opened = Opened::new().await;
    put_another(&opened.file("")).await;
    let refused = opened.database.back_up(&opened.file(".copy")).await.unwrap_err();
    assert!(refused.to_string().contains("was moved, replaced or removed"), "{refused}");
    assert!(!opened.file(".copy").exists());
}
