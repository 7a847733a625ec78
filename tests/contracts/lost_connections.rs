//! Tests that no read fails through any pool after PostgreSQL ended all connections, as it does when it restarts.

use std::sync::Arc;

use parlance_adapters_sql::Database;
use parlance_domain::{
    id::ConversationId,
    idempotency::{KeyDigest, Operation},
    message::{AppendOutcome, PageLimit},
    readiness::ReadinessProbe,
    vocabulary::PageSize,
};
use support::{
    database::TestDatabase,
    fixtures::{acme, conversation, from_micros, message},
    stores::TestStores,
};
use tokio::task::JoinSet;

/// The number of idle connections of each pool when the server ends them.
const IDLE_CONNECTIONS: usize = 10;

struct PooledDatabase {
    test_db: TestDatabase,
    database: Database,
    stores: TestStores,
    conversation: ConversationId,
}

impl PooledDatabase {
    /// Opens a database and fills its pools with idle connections. Returns `None` without a PostgreSQL server.
    async fn with_idle_connections() -> Option<Self> {
        let test_db = TestDatabase::postgres()?;
        let database = test_db.open_migrated().await;
        let stores = TestStores::in_sql(&database);
        let new = conversation(1, "call-1");
        stores.create_conversation(&acme(), &new, from_micros(5)).await;
        let first = message(1, &new.id, from_micros(0));
        assert_eq!(stores.messages.append(&acme(), &first).await.unwrap(), AppendOutcome::Appended);
        let opened = Self { test_db, database, stores, conversation: new.id };
        let mut busy = JoinSet::new();
        for _ in 0..IDLE_CONNECTIONS {
            let database = opened.database.clone();
            busy.spawn(async move { database.execute_unprepared("SELECT pg_sleep(0.2)").await.unwrap() });
        }
        busy.join_all().await;
        for _ in 0..IDLE_CONNECTIONS {
            opened.read_through_every_pool().await;
        }
        Some(opened)
    }

    /// Reads through every pool concurrently. Panics if a read fails.
    async fn read_through_every_pool(&self) {
        let mut reads = JoinSet::new();
        for number in 0..IDLE_CONNECTIONS {
            let (database, stores) = (self.database.clone(), self.stores.clone());
            let (tenant, conversation) = (acme(), self.conversation.clone());
            reads.spawn(async move {
                database.check().await.unwrap();
                stores.conversations.find(&tenant, &conversation).await.unwrap().unwrap();
                stores.messages.page(&tenant, &conversation, None, PageLimit::MAX).await.unwrap();
                stores.credentials.list(None).await.unwrap();
                stores.redaction.flags(&tenant).await.unwrap();
                stores.vocabularies.page(&tenant, None, PageSize::MAX).await.unwrap();
                stores.deliveries.snapshot(&tenant).await.unwrap();
                stores.audit.tenants().await.unwrap();
                let key = KeyDigest([u8::try_from(number).unwrap(); 32]);
                stores.idempotency.find(&tenant, Operation::CreateMessage, &key).await.unwrap();
            });
        }
        reads.join_all().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_read_fails_after_every_connection_was_ended() {
    let Some(opened) = PooledDatabase::with_idle_connections().await else { return };
    for _ in 0..3 {
        opened.test_db.terminate_connections().await;
        opened.read_through_every_pool().await;
    }
    assert!(opened.database.event_counts().connections_lost > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_connections_that_replace_lost_ones_are_counted() {
    let Some(opened) = PooledDatabase::with_idle_connections().await else { return };
    let before = opened.database.event_counts().connections_opened;
    opened.test_db.terminate_connections().await;
    opened.read_through_every_pool().await;
    assert!(before > 0 && opened.database.event_counts().connections_opened > before);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_readiness_check_fails_after_every_connection_was_ended() {
    let Some(opened) = PooledDatabase::with_idle_connections().await else { return };
    opened.test_db.terminate_connections().await;
    for _ in 0..=IDLE_CONNECTIONS {
        opened.database.check().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_write_fails_after_a_read_has_detected_that_every_connection_was_ended() {
    let Some(opened) = PooledDatabase::with_idle_connections().await else { return };
    opened.test_db.terminate_connections().await;
    opened.database.check().await.unwrap();
    for number in 2..=2 + u128::try_from(IDLE_CONNECTIONS).unwrap() {
        let next = message(number, &opened.conversation, from_micros(0));
        assert_eq!(opened.stores.messages.append(&acme(), &next).await.unwrap(), AppendOutcome::Appended);
        opened
            .stores
            .create_conversation(&acme(), &conversation(number, &format!("call-{number}")), from_micros(5))
            .await;
        opened.database.check_writable().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_change_of_configuration_fails_after_every_connection_was_ended() {
    let Some(opened) = PooledDatabase::with_idle_connections().await else { return };
    opened.test_db.terminate_connections().await;
    let mut changes = JoinSet::new();
    for _ in 0..IDLE_CONNECTIONS {
        let database = opened.database.clone();
        changes.spawn(async move { database.check_writable().await.unwrap() });
    }
    changes.join_all().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_feed_source_reads_after_every_connection_was_ended() {
    use parlance_adapters_sql::SqlFeedSource;
    use parlance_domain::feed::FeedSource;
    let Some(opened) = PooledDatabase::with_idle_connections().await else { return };
    let source: Arc<dyn FeedSource> = Arc::new(SqlFeedSource::new(opened.database.clone()));
    let tenants = source.tenants().await.unwrap();
    opened.test_db.terminate_connections().await;
    assert_eq!(source.tenants().await.unwrap(), tenants);
}
