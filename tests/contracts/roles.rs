//! The roles of docs/roles.sql: a server that can do its work and cannot alter the schema.

use parlance_adapters_sql::{Database, SchemaError};
use parlance_domain::audit::Scope;
use support::{
    database::{Roles, TestDatabase},
    fixtures::{acme, at, conversation, credential, digest},
    stores::Stores,
};

/// A database with its schema and both roles, opened as the server.
async fn as_the_server() -> Option<(TestDatabase, Roles, Database)> {
    let home = TestDatabase::postgres()?;
    drop(home.migrated().await);
    let roles = Roles::make(&home).await;
    let database = Database::open(&roles.server_url()).await.unwrap();
    Some((home, roles, database))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_its_own_role_does_its_work_without_migrating() {
    let Some((_home, _roles, database)) = as_the_server().await else { return };
    database.check_schema().await.unwrap();
    database.migrate().await.unwrap();
    assert_eq!(database.closed_tables().await.unwrap(), Vec::<String>::new());
    let stores = Stores::in_sql(&database);
    stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
    assert!(stores.credentials.rotate(&credential(acme(), 1).id, &digest(9), at(1), at(1)).await.unwrap());
    stores.create(&acme(), &conversation(1, "call-1"), at(5)).await;
    let found = stores.audit(None).verify(&Scope::default()).await.unwrap();
    assert!(found.iter().all(|found| found.is_intact() && found.head.sequence == 2), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_role_of_a_server_can_neither_alter_tables_nor_records() {
    let Some((_home, _roles, database)) = as_the_server().await else { return };
    Stores::in_sql(&database).credentials.insert(&credential(acme(), 1)).await.unwrap();
    for statement in [
        "ALTER TABLE messages ADD COLUMN extra TEXT",
        "DROP TABLE messages",
        "TRUNCATE messages",
        "CREATE TABLE extra (one BIGINT)",
        "UPDATE audit_records SET details = 'x'",
        "DELETE FROM audit_records",
        "DELETE FROM redaction_audit",
        "DELETE FROM seaql_migrations",
    ] {
        let refused = database.execute_unprepared(statement).await.unwrap_err().to_string();
        assert!(refused.contains("permission denied") || refused.contains("must be owner"), "{statement}: {refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_without_rights_is_told_by_the_tables_it_may_not_use() {
    let Some((home, roles, database)) = as_the_server().await else { return };
    home.open().await.execute_unprepared(&format!("REVOKE INSERT ON messages FROM {}", roles.server)).await.unwrap();
    assert_eq!(database.closed_tables().await.unwrap(), ["messages"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_was_never_migrated_is_refused_and_not_altered() {
    let Some(home) = TestDatabase::postgres() else { return };
    let roles = Roles::make(&home).await;
    let database = Database::open(&roles.server_url()).await.unwrap();
    assert!(matches!(database.check_schema().await, Err(SchemaError::Outdated)));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_migrates_and_the_server_may_use_what_that_made() {
    let Some(home) = TestDatabase::postgres() else { return };
    let roles = Roles::make(&home).await;
    Database::open(&roles.owner_url()).await.unwrap().migrate().await.unwrap();
    let database = Database::open(&roles.server_url()).await.unwrap();
    assert_eq!(database.closed_tables().await.unwrap(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_may_replace_what_was_made_before_there_was_an_owner() {
    let Some((_home, roles, _database)) = as_the_server().await else { return };
    let replace_all = "DO $do$ DECLARE routine text; BEGIN
        FOR routine IN SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace LOOP
            EXECUTE routine;
        END LOOP;
    END $do$";
    Database::open(&roles.owner_url()).await.unwrap().execute_unprepared(replace_all).await.unwrap();
}
