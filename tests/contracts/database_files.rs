//! Tests of an open SQLite database whose files are moved, replaced or removed. The database acknowledges nothing and
//! is not ready until the same files are back.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use parlance_adapters_sql::Database;
use parlance_domain::{
    lease::{LeaseName, LeaseRequest, ReplicaId},
    readiness::ReadinessProbe,
    vocabulary::Capacity,
};
use support::{
    database::TestDatabase,
    fixtures::{acme, conversation, credential, from_micros, message, upsert_for, vocabulary_entry},
    stores::TestStores,
};

use crate::{
    database::assert_unavailable,
    message_store::{append, create_conversation},
};

/// An open database with one conversation and one message.
struct OpenDatabase {
    test_db: TestDatabase,
    database: Database,
    stores: TestStores,
}

impl OpenDatabase {
    async fn new() -> Self {
        let test_db = TestDatabase::sqlite();
        let database = test_db.open_migrated().await;
        let stores = TestStores::in_sql(&database);
        let conversation = create_conversation(&stores, &acme(), 1).await;
        append(&stores, message(1, &conversation, from_micros(0))).await;
        Self { test_db, database, stores }
    }

    /// The path of the database file with this suffix.
    fn file(&self, suffix: &str) -> PathBuf {
        format!("{}{suffix}", self.test_db.url().trim_start_matches("sqlite://")).into()
    }

    async fn is_ready(&self) -> bool {
        self.database.database_files_probe().unwrap().check().await.is_ok()
    }

    /// Checks that reads and writes of every kind are unavailable and that the database is not ready.
    async fn assert_refuses_everything(&self) {
        let TestStores { conversations, messages, vocabularies, credentials, leases, .. } = &self.stores;
        let (first, second) = (conversation(1, "call-1"), conversation(2, "call-2"));
        let (new_message, entry, credential) =
            (message(2, &first.id, from_micros(1)), vocabulary_entry(1, "IEEE"), credential(acme(), 1));
        let replica = ReplicaId::from_bits(1);
        let lease = LeaseRequest { name: LeaseName::FeedProduction, replica, seconds: 9 };
        assert_unavailable("upsert", conversations.upsert(&acme(), &upsert_for(&second), from_micros(5), None).await);
        assert_unavailable("append", messages.append(&acme(), &new_message).await);
        assert_unavailable("newest messages", messages.newest(&acme(), &first.id, None).await);
        assert_unavailable("find", conversations.find(&acme(), &first.id).await);
        assert_unavailable("insert an entry", vocabularies.insert(&acme(), &entry, Capacity::PER_TENANT, None).await);
        assert_unavailable("insert a credential", credentials.insert(&credential).await);
        assert_unavailable("list", credentials.list(None).await);
        assert_unavailable("acquire a lease", leases.acquire(&lease).await);
        assert!(!self.is_ready().await);
    }
}

/// Puts another complete database at `path`.
async fn replace_with_another_database(path: &Path) {
    let other = OpenDatabase::new().await;
    let from = other.file("");
    other.database.close().await.unwrap();
    fs::rename(from, path).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_whose_files_are_in_place_is_ready() {
    assert!(OpenDatabase::new().await.is_ready().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_in_memory_has_no_probe_of_its_files() {
    assert!(Database::open("sqlite::memory:").await.unwrap().database_files_probe().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_moved_file_is_no_longer_used() {
    let opened = OpenDatabase::new().await;
    fs::rename(opened.file(""), opened.file(".moved")).unwrap();
    opened.assert_refuses_everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_existing_connection_does_not_read_a_moved_file() {
    let opened = OpenDatabase::new().await;
    let first = conversation(1, "call-1");
    assert_eq!(opened.stores.messages.newest(&acme(), &first.id, None).await.unwrap().len(), 1);
    fs::rename(opened.file(""), opened.file(".moved")).unwrap();
    opened.assert_refuses_everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_connection_does_not_read_a_replaced_file() {
    let opened = OpenDatabase::new().await;
    replace_with_another_database(&opened.file("")).await;
    let first = conversation(1, "call-1");
    assert_unavailable("newest messages", opened.stores.messages.newest(&acme(), &first.id, None).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_file_is_no_longer_used() {
    let opened = OpenDatabase::new().await;
    fs::remove_file(opened.file("")).unwrap();
    opened.assert_refuses_everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_replaced_by_an_empty_one_is_no_longer_used() {
    let opened = OpenDatabase::new().await;
    fs::remove_file(opened.file("")).unwrap();
    File::create(opened.file("")).unwrap();
    opened.assert_refuses_everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_replaced_by_another_database_is_no_longer_used() {
    let opened = OpenDatabase::new().await;
    replace_with_another_database(&opened.file("")).await;
    opened.assert_refuses_everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_without_its_wal_file_is_no_longer_used() {
    let opened = OpenDatabase::new().await;
    fs::remove_file(opened.file("-wal")).unwrap();
    opened.assert_refuses_everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_without_its_shm_file_is_no_longer_used() {
    let opened = OpenDatabase::new().await;
    fs::remove_file(opened.file("-shm")).unwrap();
    opened.assert_refuses_everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_moved_back_is_used_again_and_has_all_acknowledged_writes() {
    let opened = OpenDatabase::new().await;
    fs::rename(opened.file(""), opened.file(".moved")).unwrap();
    opened.assert_refuses_everything().await;
    fs::rename(opened.file(".moved"), opened.file("")).unwrap();
    let (first, third) = (conversation(1, "call-1"), conversation(3, "call-3"));
    opened.stores.create_conversation(&acme(), &third, from_micros(6)).await;
    assert!(opened.is_ready().await);
    opened.database.close().await.unwrap();
    let stores = TestStores::in_sql(&opened.test_db.open().await);
    for created in [&first, &third] {
        assert!(stores.conversations.find(&acme(), &created.id).await.unwrap().is_some());
    }
    assert_eq!(stores.messages.newest(&acme(), &first.id, None).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_acknowledged_before_the_wal_file_was_removed_survive_an_orderly_stop() {
    let opened = OpenDatabase::new().await;
    fs::remove_file(opened.file("-wal")).unwrap();
    opened.assert_refuses_everything().await;
    opened.database.close().await.unwrap();
    let stores = TestStores::in_sql(&opened.test_db.open().await);
    assert!(stores.conversations.find(&acme(), &conversation(1, "call-1").id).await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_file_is_not_backed_up() {
    let opened = OpenDatabase::new().await;
    replace_with_another_database(&opened.file("")).await;
    let error = opened.database.back_up(&opened.file(".copy")).await.unwrap_err();
    assert!(error.to_string().contains("was moved, replaced or removed"), "{error}");
    assert!(!opened.file(".copy").exists());
}
