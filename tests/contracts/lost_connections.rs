//! A PostgreSQL that ended all connections, as it does at a restart, fails no read afterwards, whichever pool it goes to.

use std::sync::Arc;

use parlance_adapters_sql::Database;
use parlance_domain::{
    conversation::{Append, PageLimit},
    id::ConversationId,
    readiness::ReadinessProbe,
    retry::{KeyDigest, Operation},
    vocabulary::PageSize,
};
use support::{
    database::TestDatabase,
    fixtures::{acme, at, conversation, message},
    stores::Stores,
};
use tokio::task::JoinSet;

/// How many connections of each pool are idle when they are ended.
const IDLE: usize = 10;

struct Opened {
    home: TestDatabase,
    database: Database,
    stores: Stores,
    conversation: ConversationId,
}

impl Opened {
    /// An open database whose pools have idle connections.
    async fn with_idle_connections() -> Option<Self> {
        let home = TestDatabase::postgres()?;
        let database = home.migrated().await;
        let stores = Stores::in_sql(&database);
        let new = conversation(1, "call-1");
        stores.create(&acme(), &new, at(5)).await;
        let first = message(1, &new.id, at(0));
        assert_eq!(stores.messages.append(&acme(), &first).await.unwrap(), Append::Appended);
        let opened = Self { home, database, stores, conversation: new.id };
        let mut busy = JoinSet::new();
        for _ in 0..IDLE {
            let database = opened.database.clone();
            busy.spawn(async move { database.execute_unprepared("SELECT pg_sleep(0.2)").await.unwrap() });
        }
        busy.join_all().await;
        for _ in 0..IDLE {
            opened.read_everything_at_once().await;
        }
        Some(opened)
    }

    /// Reads by every pool at once; none may fail.
    async fn read_everything_at_once(&self) {
        let mut reads = JoinSet::new();
        for number in 0..IDLE {
            let (database, stores) = (self.database.clone(), self.stores.clone());
            let (tenant, conversation) = (acme(), self.conversation.clone());
            reads.spawn(async move {
                database.check().await.unwrap();
                stores.conversations.find(&tenant, &conversation).await.unwrap().unwrap();
                stores.messages.page(&tenant, &conversation, None, PageLimit::MAX).await.unwrap();
                stores.credentials.list(None).await.unwrap();
                stores.redaction.flags(&tenant).await.unwrap();
                stores.vocabularies.page(&tenant, None, PageSize::MAX).await.unwrap();
                stores.deliveries.edition(&tenant).await.unwrap();
                stores.audit.tenants().await.unwrap();
                let key = KeyDigest([u8::try_from(number).unwrap(); 32]);
                stores.receipts.find(&tenant, Operation::CreateMessage, &key).await.unwrap();
            });
        }
        reads.join_all().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_read_fails_after_every_connection_was_ended() {
    let Some(opened) = Opened::with_idle_connections().await else { return };
    for _ in 0..3 {
        opened.home.cut_all().await;
        opened.read_everything_at_once().await;
    }
    assert!(opened.database.lost_connections() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_readiness_answer_fails_after_every_connection_was_ended() {
    let Some(opened) = Opened::with_idle_connections().await else { return };
    opened.home.cut_all().await;
    for _ in 0..=IDLE {
        opened.database.check().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_write_fails_once_a_read_has_found_that_every_connection_was_ended() {
    let Some(opened) = Opened::with_idle_connections().await else { return };
    opened.home.cut_all().await;
    opened.database.check().await.unwrap();
    for number in 2..=2 + u128::try_from(IDLE).unwrap() {
        let next = message(number, &opened.conversation, at(0));
        assert_eq!(opened.stores.messages.append(&acme(), &next).await.unwrap(), Append::Appended);
        opened.stores.create(&acme(), &conversation(number, &format!("call-{number}")), at(5)).await;
        opened.database.try_to_write().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_change_of_configuration_fails_after_every_connection_was_ended() {
    let Some(opened) = Opened::with_idle_connections().await else { return };
    opened.home.cut_all().await;
    let mut changes = JoinSet::new();
    for _ in 0..IDLE {
        let database = opened.database.clone();
        changes.spawn(async move { database.try_to_write().await.unwrap() });
    }
    changes.join_all().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_is_read_after_every_connection_was_ended() {
    use parlance_adapters_sql::SqlFeedSource;
    use parlance_domain::feed::FeedSource;
    let Some(opened) = Opened::with_idle_connections().await else { return };
    let source: Arc<dyn FeedSource> = Arc::new(SqlFeedSource::new(opened.database.clone()));
    let tenants = source.tenants().await.unwrap();
    opened.home.cut_all().await;
    assert_eq!(source.tenants().await.unwrap(), tenants);
}
