//! Contract of stores that remove the bytes of what was deleted.

use std::path::Path;

use parlance_domain::{message::Message, privacy::TenantFenceOutcome, text::MessageText};
use support::{
    database::TestDatabase,
    fixtures::{acme, conversation, from_micros, globex, message},
    stores::TestStores,
};

use crate::tenant_erasure_store::{begin, erasure, fill, remove_all};

contract![a_store_without_deletions_has_no_byte_left, after_an_erasure_no_byte_is_left_and_other_rows_stay];

async fn a_store_without_deletions_has_no_byte_left(stores: TestStores) {
    fill(&stores, &globex()).await;
    assert!(stores.deleted_bytes.remove_deleted_bytes().await.unwrap());
}

async fn after_an_erasure_no_byte_is_left_and_other_rows_stay(stores: TestStores) {
    fill(&stores, &acme()).await;
    fill(&stores, &globex()).await;
    let others = stores.tenant_erasures.count(&globex()).await.unwrap();
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    remove_all(&stores).await;
    for _ in 0..2 {
        assert!(stores.deleted_bytes.remove_deleted_bytes().await.unwrap());
    }
    assert_eq!(stores.tenant_erasures.count(&globex()).await.unwrap(), others);
}

const CANARY: &str = "a canary in a message";

/// Stores with a message that has the canary, and with the erasure of its tenant, which has not removed a row yet.
async fn set_up(test_db: &TestDatabase) -> TestStores {
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let created = conversation(1, "call-1");
    stores.create_conversation(&acme(), &created, from_micros(1)).await;
    let text = MessageText::parse(CANARY).unwrap();
    let message = Message { text, ..message(1, &created.id, from_micros(2)) };
    let _ = stores.messages.append(&acme(), &message).await.unwrap();
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    stores
}

/// Whether the file of a database or its write-ahead log has the canary.
fn has_canary(test_db: &TestDatabase) -> bool {
    let file = test_db.url().trim_start_matches("sqlite://");
    let bytes = ["", "-wal"].map(|suffix| std::fs::read(Path::new(&format!("{file}{suffix}"))).unwrap_or_default());
    bytes.iter().any(|bytes| bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes()))
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite_neither_the_file_nor_its_log_keeps_what_was_deleted() {
    let test_db = TestDatabase::sqlite();
    let stores = set_up(&test_db).await;
    remove_all(&stores).await;
    assert!(has_canary(&test_db));
    assert!(stores.deleted_bytes.remove_deleted_bytes().await.unwrap());
    assert!(!has_canary(&test_db));
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite_a_reader_of_an_earlier_state_keeps_bytes_until_it_ends() {
    let test_db = TestDatabase::sqlite();
    let stores = set_up(&test_db).await;
    let reader = test_db.open().await;
    reader.execute_unprepared("BEGIN; SELECT count(*) FROM messages").await.unwrap();
    remove_all(&stores).await;
    assert!(!stores.deleted_bytes.remove_deleted_bytes().await.unwrap());
    assert!(has_canary(&test_db));
    reader.execute_unprepared("ROLLBACK").await.unwrap();
    assert!(stores.deleted_bytes.remove_deleted_bytes().await.unwrap());
    assert!(!has_canary(&test_db));
}
