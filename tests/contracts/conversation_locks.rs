//! Tests that processes over one PostgreSQL lock a conversation: the precondition of a message holds until the message
//! is appended.

use std::sync::Arc;

use parlance_domain::{
    id::ConversationId,
    message::{AppendOutcome, Message},
    text::MessageText,
};
use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, TransactionTrait};
use support::{
    database::{TestDatabase, query_integer},
    fixtures::{acme, conversation, from_micros, message},
    stores::TestStores,
};
use tokio::task::JoinHandle;

use crate::message_store_masking::batch_after;

/// Opens a transaction that locks a conversation. Nothing can be appended until the transaction ends.
async fn lock_conversation(connection: &DatabaseConnection, conversation: &ConversationId) -> DatabaseTransaction {
    let lock = connection.begin().await.unwrap();
    let select = format!("SELECT id FROM conversations WHERE id = '{conversation}' FOR UPDATE");
    lock.execute_unprepared(&select).await.unwrap();
    lock
}

/// Appends a message to an empty conversation from a new process.
async fn append_first_in_new_process(test_db: &TestDatabase, message: &Message) -> JoinHandle<AppendOutcome> {
    append_first(&TestStores::in_sql(&test_db.open().await), message)
}

/// Appends a message on the precondition that its conversation is empty.
fn append_first(stores: &TestStores, message: &Message) -> JoinHandle<AppendOutcome> {
    let (store, batch) = (Arc::clone(&stores.messages), batch_after(message, &[], &[]));
    tokio::spawn(async move { store.append_batch(&acme(), &batch).await.unwrap() })
}

/// Appends a message without a precondition.
fn append_unconditionally(stores: &TestStores, message: Message) -> JoinHandle<AppendOutcome> {
    let store = Arc::clone(&stores.messages);
    tokio::spawn(async move { store.append(&acme(), &message).await.unwrap() })
}

/// Returns once `count` connections wait for an event of this type, or once all appends have finished.
async fn wait_until_blocked(
    connection: &DatabaseConnection,
    event_type: &str,
    count: i64,
    appends: &[&JoinHandle<AppendOutcome>],
) {
    let waiting = format!(
        "SELECT count(*) AS answer FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = '{event_type}'"
    );
    while appends.iter().any(|append| !append.is_finished()) {
        if query_integer(connection, &waiting).await >= count {
            return;
        }
    }
}

#[tokio::test]
async fn one_of_two_processes_with_the_same_precondition_fails() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let new = conversation(1, "call-1");
    stores.create_conversation(&acme(), &new, from_micros(5)).await;
    let connection = test_db.connect().await;
    let lock = lock_conversation(&connection, &new.id).await;
    let first = append_first_in_new_process(&test_db, &message(1, &new.id, from_micros(1))).await;
    wait_until_blocked(&connection, "Lock", 1, &[&first]).await;
    let second = append_first_in_new_process(&test_db, &message(2, &new.id, from_micros(2))).await;
    wait_until_blocked(&connection, "Lock", 2, &[&first, &second]).await;
    lock.commit().await.unwrap();
    let outcomes = [first.await.unwrap(), second.await.unwrap()];
    assert!(
        outcomes.contains(&AppendOutcome::Appended) && outcomes.contains(&AppendOutcome::PreconditionFailed),
        "{outcomes:?}"
    );
}

/// Makes each insertion into a conversation take 20 ms.
async fn slow_down(connection: &DatabaseConnection, conversation: &ConversationId) {
    let function = "CREATE FUNCTION slow_down() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(0.02); RETURN NEW; END $$";
    let trigger = format!(
        "CREATE TRIGGER slow_down BEFORE INSERT ON messages FOR EACH ROW
        WHEN (NEW.conversation_id = '{conversation}') EXECUTE FUNCTION slow_down()"
    );
    for sql in [function, &trigger] {
        connection.execute_unprepared(sql).await.unwrap();
    }
}

#[tokio::test]
async fn a_batch_locks_a_conversation_before_it_writes_earlier_messages() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let other_process = TestStores::in_sql(&test_db.open().await);
    let [slow, contested] = [1, 2].map(|number| conversation(number, &format!("call-{number}")));
    for new in [&slow, &contested] {
        stores.create_conversation(&acme(), new, from_micros(5)).await;
    }
    let connection = test_db.connect().await;
    slow_down(&connection, &slow.id).await;
    // Writes that are queued together on this one thread are one batch. This batch is too large for one statement.
    let long = |number| Message {
        text: MessageText::parse("much to say ".repeat(100)).unwrap(),
        ..message(number, &slow.id, from_micros(1))
    };
    let slow_appends: Vec<_> = (2..=30).map(|number| append_unconditionally(&stores, long(number))).collect();
    let first = append_first(&stores, &message(31, &contested.id, from_micros(1)));
    wait_until_blocked(&connection, "Timeout", 1, &[&first]).await;
    let second = append_first(&other_process, &message(32, &contested.id, from_micros(2)));
    assert_eq!(
        (first.await.unwrap(), second.await.unwrap()),
        (AppendOutcome::Appended, AppendOutcome::PreconditionFailed)
    );
    for append in slow_appends {
        assert_eq!(append.await.unwrap(), AppendOutcome::Appended);
    }
}
