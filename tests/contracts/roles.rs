//! Tests of the database roles in `docs/roles.sql`: the server's role can serve, but cannot alter the schema.

use parlance_adapters_sql::{Database, RoleReport, SchemaError};
use parlance_domain::{audit::VerificationScope, privacy::TenantFenceOutcome};
use support::{
    database::{Roles, TestDatabase, query_integer},
    fixtures::{acme, conversation, credential, digest, email_switch, from_micros, globex},
    stores::TestStores,
};

use crate::tenant_erasure_store::{self, erasure};

/// A migrated database with both roles, opened by the server's role.
async fn open_as_server() -> Option<(TestDatabase, Roles, Database)> {
    let test_db = TestDatabase::postgres()?;
    drop(test_db.open_migrated().await);
    let roles = Roles::create(&test_db).await;
    let database = Database::open(&roles.server_url()).await.unwrap();
    Some((test_db, roles, database))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_role_of_the_server_can_serve_a_migrated_database() {
    let Some((_test_db, _roles, database)) = open_as_server().await else { return };
    database.check_schema().await.unwrap();
    database.migrate().await.unwrap();
    assert_eq!(database.inaccessible_tables().await.unwrap(), Vec::<String>::new());
    let stores = TestStores::in_sql(&database);
    stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
    assert!(
        stores.credentials.rotate(&credential(acme(), 1).id, &digest(9), from_micros(1), from_micros(1)).await.unwrap()
    );
    stores.create_conversation(&acme(), &conversation(1, "call-1"), from_micros(5)).await;
    let found = stores.audit_service(None).verify(&VerificationScope::default()).await.unwrap();
    assert!(found.iter().all(|found| found.is_intact() && found.head.sequence == 2), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_role_of_the_server_can_alter_neither_tables_nor_records() {
    let Some((_test_db, _roles, database)) = open_as_server().await else { return };
    TestStores::in_sql(&database).credentials.insert(&credential(acme(), 1)).await.unwrap();
    for statement in [
        "ALTER TABLE messages ADD COLUMN extra TEXT",
        "DROP TABLE messages",
        "TRUNCATE messages",
        "CREATE TABLE extra (one BIGINT)",
        "UPDATE audit_records SET details = 'x'",
        "DELETE FROM audit_records",
        "DELETE FROM redaction_audit",
        "DELETE FROM erased_conversations",
        "DELETE FROM tenant_erasures",
        "DELETE FROM seaql_migrations",
        "DELETE FROM schema_functions",
        "DELETE FROM schema_compatibility",
    ] {
        let refused = database.execute_unprepared(statement).await.unwrap_err().to_string();
        assert!(refused.contains("permission denied") || refused.contains("must be owner"), "{statement}: {refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_role_of_the_server_deletes_records_of_switches_only_of_erased_tenants() {
    let Some((test_db, _roles, database)) = open_as_server().await else { return };
    let (stores, connection) = (TestStores::in_sql(&database), test_db.connect().await);
    for tenant in [acme(), globex()] {
        assert!(stores.redaction.set(&tenant, &email_switch()).await.is_ok());
    }
    database.execute_unprepared("SELECT erase_switch_records_v1('globex')").await.unwrap();
    assert_eq!(tenant_erasure_store::begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    tenant_erasure_store::remove_all(&stores).await;
    let left = "SELECT count(*) AS answer FROM redaction_audit WHERE tenant_id =";
    assert_eq!(query_integer(&connection, &format!("{left} 'acme'")).await, 0);
    assert_eq!(query_integer(&connection, &format!("{left} 'globex'")).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_that_a_role_may_not_use_are_reported() {
    let Some((test_db, roles, database)) = open_as_server().await else { return };
    test_db.open().await.execute_unprepared(&format!("REVOKE INSERT ON messages FROM {}", roles.server)).await.unwrap();
    assert_eq!(database.inaccessible_tables().await.unwrap(), ["messages"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_was_never_migrated_is_refused() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let roles = Roles::create(&test_db).await;
    let database = Database::open(&roles.server_url()).await.unwrap();
    assert!(matches!(database.check_schema().await, Err(SchemaError::Empty)));
    let error = database.migrate().await.unwrap_err().to_string();
    assert!(error.contains("as the owner of the schema") && !error.contains('\n'), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rights_of_a_role_that_exceed_those_of_a_server_are_reported() {
    let Some((test_db, roles, database)) = open_as_server().await else { return };
    let expected =
        RoleReport { name: roles.server.clone(), is_superuser: false, owns_tables: false, changes_records: false };
    assert_eq!(database.inspect_role().await.unwrap().unwrap(), expected);
    let grant = format!("GRANT DELETE ON audit_records TO {}", roles.server);
    test_db.open().await.execute_unprepared(&grant).await.unwrap();
    assert_eq!(database.inspect_role().await.unwrap().unwrap(), RoleReport { changes_records: true, ..expected });
    let owner = Database::open(&roles.owner_url()).await.unwrap().inspect_role().await.unwrap().unwrap();
    assert!(owner.owns_tables && owner.changes_records, "{owner:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_without_the_right_to_it_says_which_role_to_use() {
    let Some((test_db, roles, database)) = open_as_server().await else { return };
    let revoke = format!("REVOKE INSERT ON credentials FROM {}", roles.server);
    test_db.open().await.execute_unprepared(&revoke).await.unwrap();
    let error = TestStores::in_sql(&database).credentials.insert(&credential(acme(), 1)).await.unwrap_err();
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert!(cause.starts_with("permission denied for table credentials: connect as a role"), "{cause}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_may_use_the_tables_that_the_owner_migrated() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    let roles = Roles::create(&test_db).await;
    Database::open(&roles.owner_url()).await.unwrap().migrate().await.unwrap();
    let database = Database::open(&roles.server_url()).await.unwrap();
    assert_eq!(database.inaccessible_tables().await.unwrap(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_may_replace_functions_that_were_created_before_its_role() {
    let Some((_test_db, roles, _database)) = open_as_server().await else { return };
    let replace_all = "DO $do$ DECLARE routine text; BEGIN
        FOR routine IN SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace LOOP
            EXECUTE routine;
        END LOOP;
    END $do$";
    Database::open(&roles.owner_url()).await.unwrap().execute_unprepared(replace_all).await.unwrap();
}
