//! What becomes of stored values that break a rule of the domain: a named failure, never a panic, and never a word of
//! the value in what is logged.

use std::error::Error;

use parlance_adapters_sql::Database;
use parlance_domain::{
    access::Credential,
    conversation::PageLimit,
    error::{StoreError, StoreErrorKind},
    vocabulary::{Admission, Capacity, PageSize},
};
use support::{
    database::TestDatabase,
    fixtures::{acme, at, conversation, credential, digest, message, vocabulary},
    stores::Stores,
};

sql_contract![
    a_corrupt_conversation_is_named_by_its_place,
    a_corrupt_message_is_named_by_its_place,
    a_corrupt_vocabulary_entry_is_named_by_its_place,
    a_corrupt_credential_is_named_by_its_place,
    a_corrupt_row_of_another_tenant_harms_nobody_else,
];

/// What every corrupt value here holds, and nothing else that is stored.
const HUSH: &str = "hush";

/// No moment of the years 0000 to 9999.
const NO_MOMENT: &str = "9111111111111111111";

fn quoted(text: &str) -> String {
    format!("'{text}'")
}

fn too_long() -> String {
    quoted(&HUSH.repeat(65))
}

async fn execute(database: &Database, sql: &str) {
    database.execute_unprepared(sql).await.unwrap();
}

/// Checks that a call fails because of this column of this row.
#[track_caller]
fn assert_corrupt<T>(outcome: Result<T, StoreError>, place: &str, row: &str) {
    let Err(error) = outcome else { panic!("{place} is corrupt and was read") };
    assert_eq!(error.kind(), StoreErrorKind::Corrupt, "{place}: {error:?}");
    let source = error.source().unwrap().to_string();
    assert!(source.contains(place) && source.contains(row), "{place} of {row} is not named: {source}");
    let logged = logged(&error);
    assert!(!logged.contains(HUSH) && !logged.contains(NO_MOMENT), "{place}: its value is logged: {logged}");
}

/// All that a log may show of an error.
fn logged(error: &StoreError) -> String {
    let chain = std::iter::successors(Some(error as &dyn Error), |error| (*error).source());
    chain.map(|error| format!("{error} {error:?}")).collect::<Vec<_>>().join(" ")
}

async fn create(stores: &Stores, number: u128) -> String {
    let new = conversation(number, &format!("call-{number}"));
    let id = new.id.to_string();
    stores.create(&acme(), &new, at(5)).await;
    id
}

async fn a_corrupt_conversation_is_named_by_its_place(home: &TestDatabase) {
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    let corruptions = [
        ("external_id", quoted("hush\nhush")),
        ("external_id", quoted("")),
        ("agent_external_id", too_long()),
        ("agent_name", too_long()),
        ("customer_external_id", quoted("hush\u{7f}")),
        ("customer_name", too_long()),
        ("metadata", quoted("hush")),
        ("metadata", quoted(r#""hush""#)),
        ("metadata", quoted(r#"["hush"]"#)),
        ("metadata", quoted(r#"{"hush": 1}"#)),
        ("metadata", quoted(r#"{"": "hush"}"#)),
        ("metadata", quoted("")),
        ("started_at", NO_MOMENT.to_owned()),
    ];
    for (number, (column, value)) in (1..).zip(corruptions) {
        let row = create(&stores, number).await;
        execute(&database, &format!("UPDATE conversations SET {column} = {value} WHERE id = '{row}'")).await;
        let conversation = conversation(number, &format!("call-{number}"));
        let by_id = stores.conversations.find(&acme(), &conversation.id).await;
        assert_corrupt(by_id, &format!("conversations.{column}"), &row);
    }
    let row = create(&stores, 99).await;
    execute(&database, &format!("UPDATE conversations SET id = 'not-an-id' WHERE id = '{row}'")).await;
    let named = conversation(99, "call-99").external_id;
    let by_external_id = stores.conversations.find_by_external_id(&acme(), &named).await;
    assert_corrupt(by_external_id, "conversations.id", "not-an-id");
}

async fn a_corrupt_message_is_named_by_its_place(home: &TestDatabase) {
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    let id = message(7, &conversation(1, "call-1").id, at(0)).id.to_string();
    let corruptions = [
        ("sender_role", "77".to_owned(), id.as_str()),
        ("sender_external_id", quoted("hush\nhush"), &id),
        ("text", quoted(""), &id),
        ("masked_with", quoted("hush"), &id),
        ("masked_with", quoted("+1"), &id),
        ("masked_with", quoted("1ffffffffffffffffffffffffffffffff"), &id),
        ("sent_at", NO_MOMENT.to_owned(), &id),
        ("created_at", NO_MOMENT.to_owned(), &id),
        ("id", quoted("not-an-id"), "not-an-id"),
    ];
    for (number, (column, value, row)) in (1..).zip(corruptions) {
        let conversation_id = create(&stores, number).await;
        let said = message(7, &conversation(number, "call").id, at(0));
        assert!(stores.messages.append(&acme(), &said).await.is_ok());
        let corrupt = format!("UPDATE messages SET {column} = {value} WHERE conversation_id = '{conversation_id}'");
        execute(&database, &corrupt).await;
        let page = stores.messages.page(&acme(), &said.conversation, None, PageLimit::MAX).await;
        assert_corrupt(page, &format!("messages.{column}"), row);
    }
}

async fn a_corrupt_vocabulary_entry_is_named_by_its_place(home: &TestDatabase) {
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    let corruptions = [
        ("phrase", quoted("hush\nhush")),
        ("phrase", quoted(" ")),
        ("phrase", quoted(&HUSH.repeat(26))),
        ("sounds_like", quoted("hush")),
        ("sounds_like", quoted(r#"{"hush": 1}"#)),
        ("sounds_like", quoted(r#"["hush", 1]"#)),
        ("sounds_like", quoted(r#"["hush", ""]"#)),
        ("sounds_like", quoted(r#"["hush", "2", "3", "4", "5", "6"]"#)),
        ("created_at", NO_MOMENT.to_owned()),
    ];
    for (number, (column, value)) in (1..).zip(corruptions) {
        let entry = vocabulary(number, "IEEE");
        let admitted = stores.vocabularies.admit(&acme(), &entry, Capacity::PER_TENANT, None).await;
        assert_eq!(admitted.unwrap(), Admission::Admitted);
        execute(&database, &format!("UPDATE vocabularies SET {column} = {value}")).await;
        let place = format!("vocabularies.{column}");
        assert_corrupt(stores.vocabularies.find(&acme(), &entry.id).await, &place, entry.id.as_str());
        let page = stores.vocabularies.page(&acme(), None, PageSize::MAX).await;
        assert_corrupt(page, &place, entry.id.as_str());
        execute(&database, "DELETE FROM vocabularies").await;
    }
    let entry = vocabulary(99, "IEEE");
    assert!(stores.vocabularies.admit(&acme(), &entry, Capacity::PER_TENANT, None).await.is_ok());
    execute(&database, "UPDATE vocabularies SET id = 'not-an-id'").await;
    let page = stores.vocabularies.page(&acme(), None, PageSize::MAX).await;
    assert_corrupt(page, "vocabularies.id", "not-an-id");
}

async fn a_corrupt_credential_is_named_by_its_place(home: &TestDatabase) {
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    let short = if home.url().starts_with("postgres") { r"'\x6875736868757368'" } else { "x'6875736868757368'" };
    let corruptions = [
        ("name", quoted("hush\nhush")),
        ("permissions", quoted("conversation:hush")),
        ("secret_digest", short.to_owned()),
        ("previous_digest", short.to_owned()),
        ("previous_until", NO_MOMENT.to_owned()),
        ("created_at", NO_MOMENT.to_owned()),
        ("revoked_at", NO_MOMENT.to_owned()),
    ];
    for (number, (column, value)) in (1..).zip(corruptions) {
        let kept = Credential { previous: Some((digest(2), at(9))), ..credential(acme(), number) };
        stores.credentials.insert(&kept).await.unwrap();
        execute(&database, &format!("UPDATE credentials SET {column} = {value} WHERE api_id = '{}'", kept.id)).await;
        assert_corrupt(stores.credentials.find(&kept.id).await, &format!("credentials.{column}"), kept.id.as_str());
        execute(&database, "DELETE FROM credentials").await;
    }
    stores.credentials.insert(&credential(acme(), 99)).await.unwrap();
    execute(&database, "UPDATE credentials SET api_id = 'not-an-id'").await;
    assert_corrupt(stores.credentials.list(None).await, "credentials.api_id", "not-an-id");
}

async fn a_corrupt_row_of_another_tenant_harms_nobody_else(home: &TestDatabase) {
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    create(&stores, 1).await;
    create(&stores, 2).await;
    let corrupt = "UPDATE conversations SET tenant_id = 'globex', external_id = '' WHERE external_id = 'call-2'";
    execute(&database, corrupt).await;
    let sound = stores.conversations.find(&acme(), &conversation(1, "call-1").id).await.unwrap();
    assert_eq!(sound, Some(conversation(1, "call-1")));
}

/// SQLite keeps a value of any type in any column, so the driver is the first to stumble over one.
#[tokio::test]
async fn a_value_of_another_type_in_sqlite_is_a_failure_that_does_not_show_it() {
    let home = TestDatabase::sqlite();
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    let corruptions = [
        ("external_id", "x'68757368'"),
        ("customer_name", "CAST(x'68757368ff' AS TEXT)"),
        ("metadata", "x'68757368'"),
        ("started_at", "'hush'"),
        ("started_at", "1.5"),
    ];
    for (number, (column, value)) in (1..).zip(corruptions) {
        let row = create(&stores, number).await;
        execute(&database, &format!("UPDATE conversations SET {column} = {value} WHERE id = '{row}'")).await;
        let error = stores.conversations.find(&acme(), &conversation(number, "call").id).await.unwrap_err();
        assert_ne!(error.kind(), StoreErrorKind::Unavailable, "{column} = {value} will not pass");
        assert!(!logged(&error).contains(HUSH), "{column} = {value} is logged: {error:?}");
    }
}
