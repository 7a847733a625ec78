//! That processes over one PostgreSQL take turns for a conversation: what a message presumes is true until it is added.

use std::sync::Arc;

use parlance_domain::{
    conversation::{Append, Message},
    id::ConversationId,
    text::MessageText,
};
use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, TransactionTrait};
use support::{
    database::{TestDatabase, answer},
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
    add_first(&Stores::in_sql(&home.open().await), message)
}

/// Adds a message as the first of a conversation.
fn add_first(stores: &Stores, message: &Message) -> JoinHandle<Append> {
    let (store, addition) = (Arc::clone(&stores.messages), in_context(message, &[], &[]));
    tokio::spawn(async move { store.append_all(&acme(), &addition).await.unwrap() })
}

/// Adds a message that presumes nothing.
fn add_plain(stores: &Stores, message: Message) -> JoinHandle<Append> {
    let store = Arc::clone(&stores.messages);
    tokio::spawn(async move { store.append(&acme(), &message).await.unwrap() })
}

/// Returns once so many connections wait for an event of this type, or nobody is left who could.
async fn until_waiting(behind: &DatabaseConnection, event_type: &str, count: i64, adding: &[&JoinHandle<Append>]) {
    let waiting = format!(
        "SELECT count(*) AS answer FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = '{event_type}'"
    );
    while adding.iter().any(|one| !one.is_finished()) {
        if answer(behind, &waiting).await >= count {
            return;
        }
    }
}

#[tokio::test]
async fn of_two_processes_that_presume_the_same_one_is_superseded() {
    let Some(home) = TestDatabase::postgres() else { return };
    let stores = Stores::in_sql(&home.migrated().await);
    let new = conversation(1, "call-1");
    stores.create(&acme(), &new, at(5)).await;
    let behind = home.look().await;
    let held = hold(&behind, &new.id).await;
    let first = begin_to_add(&home, &message(1, &new.id, at(1))).await;
    until_waiting(&behind, "Lock", 1, &[&first]).await;
    let second = begin_to_add(&home, &message(2, &new.id, at(2))).await;
    until_waiting(&behind, "Lock", 2, &[&first, &second]).await;
    held.commit().await.unwrap();
    let outcomes = [first.await.unwrap(), second.await.unwrap()];
    assert!(outcomes.contains(&Append::Appended) && outcomes.contains(&Append::Superseded), "{outcomes:?}");
}

/// Has each message of a conversation take the server a while.
async fn slow_down(behind: &DatabaseConnection, conversation: &ConversationId) {
    let function = "CREATE FUNCTION slow_down() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(0.02); RETURN NEW; END $$";
    let trigger = format!(
        "CREATE TRIGGER slow_down BEFORE INSERT ON messages FOR EACH ROW
        WHEN (NEW.conversation_id = '{conversation}') EXECUTE FUNCTION slow_down()"
    );
    for sql in [function, &trigger] {
        behind.execute_unprepared(sql).await.unwrap();
    }
}

#[tokio::test]
async fn a_message_has_its_turn_from_the_beginning_of_its_batch_though_much_goes_before_it() {
    let Some(home) = TestDatabase::postgres() else { return };
    let stores = Stores::in_sql(&home.migrated().await);
    let other_process = Stores::in_sql(&home.open().await);
    let [slow, contested] = [1, 2].map(|number| conversation(number, &format!("call-{number}")));
    for new in [&slow, &contested] {
        stores.create(&acme(), new, at(5)).await;
    }
    let behind = home.look().await;
    slow_down(&behind, &slow.id).await;
    // What is ordered at once on this one thread is one batch, too large for one statement.
    let long = |number| Message {
        text: MessageText::parse("much to say ".repeat(100)).unwrap(),
        ..message(number, &slow.id, at(1))
    };
    let much: Vec<_> = (2..=30).map(|number| add_plain(&stores, long(number))).collect();
    let first = add_first(&stores, &message(31, &contested.id, at(1)));
    until_waiting(&behind, "Timeout", 1, &[&first]).await;
    let second = add_first(&other_process, &message(32, &contested.id, at(2)));
    assert_eq!((first.await.unwrap(), second.await.unwrap()), (Append::Appended, Append::Superseded));
    for one in much {
        assert_eq!(one.await.unwrap(), Append::Appended);
    }
}
