//! Tests of stored values that break a rule of the domain. A read fails with the names of the column and the row. The
//! read never panics, and its error never shows the value.

use std::error::Error;

use parlance_adapters_sql::Database;
use parlance_domain::{
    access::Credential,
    error::{StoreError, StoreErrorKind},
    message::PageLimit,
    vocabulary::{Capacity, InsertOutcome, PageSize},
};
use support::{
    database::TestDatabase,
    fixtures::{acme, conversation, credential, digest, from_micros, message, vocabulary_entry},
    stores::TestStores,
};

use crate::message_store::{append, create_conversation};

sql_contract![
    a_corrupt_conversation_is_reported_with_its_column_and_row,
    a_corrupt_message_is_reported_with_its_column_and_row,
    a_corrupt_vocabulary_entry_is_reported_with_its_column_and_row,
    a_corrupt_credential_is_reported_with_its_column_and_row,
    a_corrupt_row_affects_only_its_own_tenant,
];

/// A word that every corrupt value here contains, and no other stored value.
const SECRET_WORD: &str = "hush";

/// A number of microseconds outside the years 0000 to 9999.
const OUT_OF_RANGE_TIMESTAMP: &str = "9111111111111111111";

fn quoted(text: &str) -> String {
    format!("'{text}'")
}

fn too_long() -> String {
    quoted(&SECRET_WORD.repeat(65))
}

async fn execute(database: &Database, sql: &str) {
    database.execute_unprepared(sql).await.unwrap();
}

/// Checks that a call fails with the name of this column and this row, and that the log does not show the value.
#[track_caller]
fn assert_corrupt<T>(outcome: Result<T, StoreError>, column: &str, row: &str) {
    let Err(error) = outcome else { panic!("{column} is corrupt and was read") };
    assert_eq!(error.kind(), StoreErrorKind::Corrupt, "{column}: {error:?}");
    let source = error.source().unwrap().to_string();
    assert!(source.contains(column) && source.contains(row), "{column} of {row} is not named: {source}");
    let logged = logged(&error);
    assert!(
        !logged.contains(SECRET_WORD) && !logged.contains(OUT_OF_RANGE_TIMESTAMP),
        "{column}: its value is logged: {logged}"
    );
}

/// All texts of an error that a log may show.
fn logged(error: &StoreError) -> String {
    let chain = std::iter::successors(Some(error as &dyn Error), |error| (*error).source());
    chain.map(|error| format!("{error} {error:?}")).collect::<Vec<_>>().join(" ")
}

async fn a_corrupt_conversation_is_reported_with_its_column_and_row(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
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
        ("started_at", OUT_OF_RANGE_TIMESTAMP.to_owned()),
    ];
    for (number, (column, value)) in (1..).zip(corruptions) {
        let row = create_conversation(&stores, &acme(), number).await;
        execute(&database, &format!("UPDATE conversations SET {column} = {value} WHERE id = '{row}'")).await;
        let by_id = stores.conversations.find(&acme(), &row).await;
        assert_corrupt(by_id, &format!("conversations.{column}"), row.as_str());
    }
    let row = create_conversation(&stores, &acme(), 99).await;
    execute(&database, &format!("UPDATE conversations SET id = 'not-an-id' WHERE id = '{row}'")).await;
    let external_id = conversation(99, "call-99").external_id;
    let by_external_id = stores.conversations.find_by_external_id(&acme(), &external_id).await;
    assert_corrupt(by_external_id, "conversations.id", "not-an-id");
}

async fn a_corrupt_message_is_reported_with_its_column_and_row(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    let id = message(7, &conversation(1, "call-1").id, from_micros(0)).id.to_string();
    let corruptions = [
        ("sender_role", "77".to_owned(), id.as_str()),
        ("sender_external_id", quoted("hush\nhush"), &id),
        ("text", quoted(""), &id),
        ("masked_with", quoted("hush"), &id),
        ("masked_with", quoted("+1"), &id),
        ("masked_with", quoted("1ffffffffffffffffffffffffffffffff"), &id),
        ("redactions", quoted("hush"), &id),
        ("sent_at", OUT_OF_RANGE_TIMESTAMP.to_owned(), &id),
        ("created_at", OUT_OF_RANGE_TIMESTAMP.to_owned(), &id),
        ("id", quoted("not-an-id"), "not-an-id"),
    ];
    for (number, (column, value, row)) in (1..).zip(corruptions) {
        let conversation = create_conversation(&stores, &acme(), number).await;
        append(&stores, message(7, &conversation, from_micros(0))).await;
        let corrupt = format!("UPDATE messages SET {column} = {value} WHERE conversation_id = '{conversation}'");
        execute(&database, &corrupt).await;
        let page = stores.messages.page(&acme(), &conversation, None, PageLimit::MAX).await;
        assert_corrupt(page, &format!("messages.{column}"), row);
    }
}

async fn a_corrupt_vocabulary_entry_is_reported_with_its_column_and_row(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    let corruptions = [
        ("phrase", quoted("hush\nhush")),
        ("phrase", quoted(" ")),
        ("phrase", quoted(&SECRET_WORD.repeat(26))),
        ("sounds_like", quoted("hush")),
        ("sounds_like", quoted(r#"{"hush": 1}"#)),
        ("sounds_like", quoted(r#"["hush", 1]"#)),
        ("sounds_like", quoted(r#"["hush", ""]"#)),
        ("sounds_like", quoted(r#"["hush", "2", "3", "4", "5", "6"]"#)),
        ("created_at", OUT_OF_RANGE_TIMESTAMP.to_owned()),
    ];
    for (number, (column, value)) in (1..).zip(corruptions) {
        let entry = vocabulary_entry(number, "IEEE");
        let admitted = stores.vocabularies.insert(&acme(), &entry, Capacity::PER_TENANT, None).await;
        assert_eq!(admitted.unwrap(), InsertOutcome::Inserted);
        execute(&database, &format!("UPDATE vocabularies SET {column} = {value}")).await;
        let qualified_column = format!("vocabularies.{column}");
        assert_corrupt(stores.vocabularies.find(&acme(), &entry.id).await, &qualified_column, entry.id.as_str());
        let page = stores.vocabularies.page(&acme(), None, PageSize::MAX).await;
        assert_corrupt(page, &qualified_column, entry.id.as_str());
        execute(&database, "DELETE FROM vocabularies").await;
    }
    let entry = vocabulary_entry(99, "IEEE");
    assert!(stores.vocabularies.insert(&acme(), &entry, Capacity::PER_TENANT, None).await.is_ok());
    execute(&database, "UPDATE vocabularies SET id = 'not-an-id'").await;
    let page = stores.vocabularies.page(&acme(), None, PageSize::MAX).await;
    assert_corrupt(page, "vocabularies.id", "not-an-id");
}

async fn a_corrupt_credential_is_reported_with_its_column_and_row(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    let short = if test_db.url().starts_with("postgres") { r"'\x6875736868757368'" } else { "x'6875736868757368'" };
    let corruptions = [
        ("name", quoted("hush\nhush")),
        ("permissions", quoted("conversation:hush")),
        ("secret_digest", short.to_owned()),
        ("previous_digest", short.to_owned()),
        ("previous_until", OUT_OF_RANGE_TIMESTAMP.to_owned()),
        ("created_at", OUT_OF_RANGE_TIMESTAMP.to_owned()),
        ("revoked_at", OUT_OF_RANGE_TIMESTAMP.to_owned()),
    ];
    for (number, (column, value)) in (1..).zip(corruptions) {
        let found = Credential { previous: Some((digest(2), from_micros(9))), ..credential(acme(), number) };
        stores.credentials.insert(&found).await.unwrap();
        execute(&database, &format!("UPDATE credentials SET {column} = {value} WHERE api_id = '{}'", found.id)).await;
        assert_corrupt(stores.credentials.find(&found.id).await, &format!("credentials.{column}"), found.id.as_str());
        execute(&database, "DELETE FROM credentials").await;
    }
    stores.credentials.insert(&credential(acme(), 99)).await.unwrap();
    execute(&database, "UPDATE credentials SET api_id = 'not-an-id'").await;
    assert_corrupt(stores.credentials.list(None).await, "credentials.api_id", "not-an-id");
}

async fn a_corrupt_row_affects_only_its_own_tenant(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    create_conversation(&stores, &acme(), 1).await;
    create_conversation(&stores, &acme(), 2).await;
    let corrupt = "UPDATE conversations SET tenant_id = 'globex', external_id = '' WHERE external_id = 'call-2'";
    execute(&database, corrupt).await;
    let sound = stores.conversations.find(&acme(), &conversation(1, "call-1").id).await.unwrap();
    assert_eq!(sound, Some(conversation(1, "call-1")));
}

/// SQLite stores a value of any type in any column, so the driver is the first to fail on one.
#[tokio::test]
async fn a_value_of_another_type_in_sqlite_is_an_error_that_does_not_show_it() {
    let test_db = TestDatabase::sqlite();
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    let corruptions = [
        ("external_id", "x'68757368'"),
        ("customer_name", "CAST(x'68757368ff' AS TEXT)"),
        ("metadata", "x'68757368'"),
        ("started_at", "'hush'"),
        ("started_at", "1.5"),
    ];
    for (number, (column, value)) in (1..).zip(corruptions) {
        let row = create_conversation(&stores, &acme(), number).await;
        execute(&database, &format!("UPDATE conversations SET {column} = {value} WHERE id = '{row}'")).await;
        let error = stores.conversations.find(&acme(), &row).await.unwrap_err();
        assert_ne!(error.kind(), StoreErrorKind::Unavailable, "{column} = {value} is a permanent error");
        assert!(!logged(&error).contains(SECRET_WORD), "{column} = {value} is logged: {error:?}");
    }
}
