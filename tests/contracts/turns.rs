//! That processes over one PostgreSQL take turns for a conversation: what a message presumes is true until it is added.

use parlance_domain::{
    conversation::{Append, Message},
    id::ConversationId,
};
use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, Statement, TransactionTrait};
use support::{
    database::TestDatabase,
    fixtures::{acme, at, conversation, message},
    stores::Stores,
};
use tokio::task::JoinHandle;

use crate::message_store_masking::in_context;

/// A connection that holds a conversation, so that nothing can be added to it until the transaction ends.
async fn hold(behind: &DatabaseConnection, conversation: &ConversationId) -> DatabaseTransaction {
    let held = behind.begin().await.unwrap();
    let lock = format!("SELECT id FROM conversations WHERE id = '{conversation}' FOR UPDATE");
    held.execute_unprepared(&lock).await.unwrap();
    held
}

/// A process of its own that adds a message as the first of a conversation.
async fn begin_to_add(home: &TestDatabase, message: &Message) -> JoinHandle<Append> {
    let store = Stores::in_sql(&home.open().await).messages;
    let addition = in_context(message, &[], &[]);
    tokio::spawn(async move { store.append_all(&acme(), &addition).await.unwrap() })
}

/// Returns once so many transactions wait for another to end, or nobody is left who could.
async fn until_waiting(behind: &DatabaseConnection, count: i64, adding: &[&JoinHandle<Append>]) {
    let waiting = "SELECT count(*) AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let waiting = Statement::from_string(behind.get_database_backend(), waiting);
    while adding.iter().any(|one| !one.is_finished()) {
        let row = behind.query_one_raw(waiting.clone()).await.unwrap().unwrap();
        if row.try_get::<i64>("", "waiting").unwrap() >= count {
            return;
        }
    }
}

#[tokio::test]
async fn of_two_processes_that_presume_the_same_the_one_that_waited_is_superseded() {
    let Some(home) = TestDatabase::postgres() else { return };
    let stores = Stores::in_sql(&home.migrated().await);
    let new = conversation(1, "call-1");
    stores.create(&acme(), &new, at(5)).await;
    let behind = sea_orm::Database::connect(home.url()).await.unwrap();
    let held = hold(&behind, &new.id).await;
    let first = begin_to_add(&home, &message(1, &new.id, at(1))).await;
    until_waiting(&behind, 1, &[&first]).await;
    let second = begin_to_add(&home, &message(2, &new.id, at(2))).await;
    until_waiting(&behind, 2, &[&first, &second]).await;
    held.commit().await.unwrap();
    assert_eq!((first.await.unwrap(), second.await.unwrap()), (Append::Appended, Append::Superseded));
}
