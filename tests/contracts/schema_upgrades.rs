//! Tests of the paths to the schema: a new database and every saved schema of an earlier program end with the same
//! schema, and no row is lost.

use std::collections::BTreeMap;

use parlance_adapters_sql::{Database, SchemaError};
use parlance_domain::{
    audit::VerificationScope,
    conversation::{ConversationCriteria, ConversationQuery, Period},
};
use support::{
    database::{TestDatabase, query_integer, query_text},
    fixtures::{acme, from_micros},
    stores::TestStores,
};

use crate::conversation_store_pages::{by_customer, none, with_metadata};

sql_contract![
    every_path_creates_the_same_schema,
    every_path_records_the_same_migrations,
    an_upgrade_keeps_every_row,
    every_row_of_an_upgraded_database_can_be_decoded,
    conversations_of_an_upgraded_database_are_found_by_criteria,
    an_interrupted_upgrade_goes_on_where_it_stopped,
    the_program_of_the_release_before_writes_rows_that_are_found,
    the_audit_log_of_an_upgraded_database_is_intact,
    an_older_schema_is_outdated_until_it_is_upgraded,
    a_schema_with_a_part_of_the_replaced_migrations_is_refused_with_advice,
    a_newer_schema_that_serves_older_programs_is_used_and_not_changed,
    a_function_of_another_version_is_kept,
    a_changed_function_is_outdated_and_installed_by_the_next_migration,
];

/// The schema of the last program before the baseline, on SQLite and on PostgreSQL.
const SAVED_SCHEMAS: [&str; 2] = [include_str!("schema_m0017_sqlite.sql"), include_str!("schema_m0017_postgres.sql")];

/// Rows for every table of the saved schema.
const SAVED_ROWS: [&str; 2] = [include_str!("audit_log_before_signing.sql"), include_str!("schema_m0017_rows.sql")];

const PG_TABLES: &str = "SELECT string_agg(relname::text, ',') AS answer FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace";

/// Columns, constraints, tables and indexes with their storage parameters, triggers and functions.
const PG_SCHEMA: &str = r#"SELECT string_agg(line, ';;' ORDER BY line COLLATE "C") AS answer FROM (
    SELECT format('column %s.%s %s %s %s %s %s', relname, attnum, attname, format_type(atttypid, atttypmod), attnotnull,
            pg_get_expr(adbin, adrelid), collname)
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        LEFT JOIN pg_collation ON pg_collation.oid = attcollation
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
    UNION ALL SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT format('relation %s %s %s %s', relkind, relname, reloptions, pg_get_indexdef(oid))
        FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
) AS described (line)"#;

const SQLITE_TABLES: &str = "SELECT group_concat(name) AS answer FROM sqlite_schema WHERE type = 'table'";

const SQLITE_SCHEMA: &str = "SELECT group_concat(sql, ';;') AS answer FROM (
    SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name)";

/// Tables whose rows are derived from those of other tables.
const DERIVED_TABLES: [&str; 2] = ["conversation_metadata", "conversation_updates"];

/// Another empty database of the same kind.
fn empty_like(test_db: &TestDatabase) -> TestDatabase {
    if test_db.is_postgres() { TestDatabase::postgres().unwrap() } else { TestDatabase::sqlite() }
}

/// Restores the saved schema with its rows.
async fn restore_saved(test_db: &TestDatabase) {
    test_db.execute(SAVED_SCHEMAS[usize::from(test_db.is_postgres())]).await;
    for rows in SAVED_ROWS {
        test_db.execute(rows).await;
    }
}

async fn query(test_db: &TestDatabase, on_sqlite: &str, on_postgres: &str) -> String {
    query_text(&test_db.connect().await, if test_db.is_postgres() { on_postgres } else { on_sqlite }).await
}

/// One line for each part of the schema, with single spaces.
async fn schema(test_db: &TestDatabase) -> Vec<String> {
    let described = query(test_db, SQLITE_SCHEMA, PG_SCHEMA).await;
    described.split(";;").map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

async fn migrations(test_db: &TestDatabase) -> String {
    let ordered = "FROM (SELECT version FROM seaql_migrations ORDER BY version) AS applied";
    let (on_sqlite, on_postgres) =
        ("SELECT group_concat(version) AS answer", "SELECT string_agg(version, ',') AS answer");
    query(test_db, &format!("{on_sqlite} {ordered}"), &format!("{on_postgres} {ordered}")).await
}

/// The rows of each table that is not about the schema itself.
async fn rows(test_db: &TestDatabase) -> BTreeMap<String, String> {
    let mut rows = BTreeMap::new();
    for table in query(test_db, SQLITE_TABLES, PG_TABLES).await.split(',') {
        let about_schema = ["seaql_migrations", "schema_functions", "schema_compatibility", "schema_steps"];
        if about_schema.contains(&table) || DERIVED_TABLES.contains(&table) {
            continue;
        }
        let values = format!(
            "SELECT group_concat('quote(' || name || ')', '||'',''||') AS answer
            FROM pragma_table_info('{table}')"
        );
        let values = query(test_db, &values, "SELECT '' AS answer").await;
        let on_sqlite = format!("SELECT group_concat({values}, ';') AS answer FROM {table}");
        let on_postgres = format!("SELECT string_agg(t::text, ';' ORDER BY t::text) AS answer FROM {table} AS t");
        rows.insert(table.to_owned(), query(test_db, &on_sqlite, &on_postgres).await);
    }
    rows
}

async fn every_path_creates_the_same_schema(test_db: &TestDatabase) {
    let new = empty_like(test_db);
    new.open_migrated().await;
    restore_saved(test_db).await;
    test_db.open_migrated().await;
    assert_eq!(schema(test_db).await, schema(&new).await);
}

async fn every_path_records_the_same_migrations(test_db: &TestDatabase) {
    let new = empty_like(test_db);
    new.open_migrated().await;
    restore_saved(test_db).await;
    test_db.open_migrated().await;
    assert_eq!(migrations(test_db).await, migrations(&new).await);
}

async fn an_upgrade_keeps_every_row(test_db: &TestDatabase) {
    restore_saved(test_db).await;
    let mut before = rows(test_db).await;
    assert!(before.values().all(|rows| !rows.is_empty()), "every table has rows: {before:?}");
    let renamed = before.remove("configuration_versions").unwrap();
    before.insert("vocabulary_delivery".to_owned(), renamed);
    test_db.open_migrated().await;
    // A column that did not exist before would be in every row. A trigger writes the hour of a late change.
    test_db.execute("ALTER TABLE messages DROP COLUMN redactions").await;
    if test_db.is_postgres() {
        test_db.execute("ALTER TABLE conversations DROP COLUMN external_digest").await;
    }
    let mut after = rows(test_db).await;
    let late_changes = after.remove("late_changes").unwrap();
    assert_eq!(late_changes.split(';').count(), before.remove("late_changes").unwrap().split(';').count());
    after.retain(|table, _| before.contains_key(table));
    assert_eq!(after, before);
}

async fn every_row_of_an_upgraded_database_can_be_decoded(test_db: &TestDatabase) {
    restore_saved(test_db).await;
    let report = test_db.open_migrated().await.check_content().await.unwrap();
    assert_eq!(report.faults, Vec::<Box<str>>::new());
}

/// The conversations of the tenant acme that meet criteria.
async fn find(database: &Database, criteria: ConversationCriteria) -> usize {
    let query = ConversationQuery::new(criteria);
    TestStores::in_sql(database).conversations.page(&acme(), &query).await.unwrap().conversations.len()
}

/// Older conversations, one of which was updated in another hour than it was created in.
const OLDER_CONVERSATIONS: &str =
    "INSERT INTO conversations (tenant_id, id, external_id, customer_external_id, metadata,
        started_at, created_at, updated_at) VALUES
    ('acme', 'OLD1', 'old-1', 'ada', '{\"queue\":\"b\"}', 5, 5, 7200000005),
    ('acme', 'OLD2', 'old-2', 'ada', '{\"queue\":\"b\",\"x\":\"\"}', 6, 6, 6),
    ('acme', 'OLD3', 'old-3', 'bob', NULL, 7, 7, 7)";

fn since(micros: i64) -> Period {
    Period::new(Some(from_micros(micros)), None).unwrap()
}

async fn conversations_of_an_upgraded_database_are_found_by_criteria(test_db: &TestDatabase) {
    restore_saved(test_db).await;
    test_db.execute("DELETE FROM messages; DELETE FROM conversations").await;
    test_db.execute(OLDER_CONVERSATIONS).await;
    let database = test_db.open_migrated().await;
    assert_eq!(find(&database, with_metadata(&[("queue", "b")])).await, 2);
    assert_eq!(find(&database, by_customer("ada")).await, 2);
    assert_eq!(find(&database, ConversationCriteria { updated: since(7_200_000_000), ..none() }).await, 1);
    assert_eq!(find(&database, ConversationCriteria { started: since(6), ..none() }).await, 2);
}

async fn an_interrupted_upgrade_goes_on_where_it_stopped(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    test_db.execute(OLDER_CONVERSATIONS).await;
    test_db.execute("DELETE FROM conversation_metadata").await;
    // As after a crash: the first conversation is processed, and an index is not built.
    let left = "DROP INDEX conversations_by_agent; INSERT INTO schema_steps VALUES
        ('conversation_side_rows', 'acme', 'OLD1'), ('conversations_by_agent', '', '')";
    if !test_db.is_postgres() {
        return;
    }
    test_db.execute(left).await;
    assert!(matches!(database.check_schema().await, Err(SchemaError::Outdated)));
    let other = test_db.open().await;
    let (first, second) = tokio::join!(database.migrate(), other.migrate());
    first.unwrap();
    second.unwrap();
    database.check_schema().await.unwrap();
    assert_eq!(find(&database, with_metadata(&[("queue", "b")])).await, 1);
    let new = empty_like(test_db);
    new.open_migrated().await;
    assert_eq!(schema(test_db).await, schema(&new).await);
}

async fn the_program_of_the_release_before_writes_rows_that_are_found(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    // The statement of a program that knows no side table.
    test_db.execute(OLDER_CONVERSATIONS).await;
    test_db
        .execute("UPDATE conversations SET metadata = '{\"queue\":\"c\"}', updated_at = 10800000000 WHERE id = 'OLD2'")
        .await;
    assert_eq!(find(&database, with_metadata(&[("queue", "b")])).await, 1);
    assert_eq!(find(&database, with_metadata(&[("queue", "c")])).await, 1);
    assert_eq!(find(&database, ConversationCriteria { updated: since(10_800_000_000), ..none() }).await, 1);
}

async fn the_audit_log_of_an_upgraded_database_is_intact(test_db: &TestDatabase) {
    restore_saved(test_db).await;
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let verifications = stores.audit_service(None).verify(&VerificationScope::default()).await.unwrap();
    let summaries: Vec<_> = verifications.iter().map(|found| (found.head.sequence, found.findings.len())).collect();
    assert_eq!(summaries, [(8, 0), (1, 0)]);
}

async fn an_older_schema_is_outdated_until_it_is_upgraded(test_db: &TestDatabase) {
    restore_saved(test_db).await;
    let database = test_db.open().await;
    assert!(matches!(database.check_schema().await, Err(SchemaError::Outdated)));
    database.check_migratable().await.unwrap();
    database.migrate().await.unwrap();
    database.check_schema().await.unwrap();
}

async fn a_schema_with_a_part_of_the_replaced_migrations_is_refused_with_advice(test_db: &TestDatabase) {
    restore_saved(test_db).await;
    test_db.execute("DELETE FROM seaql_migrations WHERE version LIKE 'm0017%'").await;
    let (database, before) = (test_db.open().await, schema(test_db).await);
    for refused in
        [database.migrate().await.map(drop), database.check_schema().await, database.check_migratable().await]
    {
        let advice = refused.unwrap_err().to_string();
        let expected = "first run `parlance migrate` of the last program that has the migration \
                        m0017_changes_before_the_audit_log, then `parlance migrate` of this program";
        assert!(advice.ends_with(expected), "{advice}");
    }
    assert_eq!(schema(test_db).await, before);
}

/// Adds what a newer program would add: a migration that this program does not know, and a function with a version.
const NEWER_PROGRAM: &str = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_later', 0);
    INSERT INTO schema_functions (name, sha256) VALUES ('late_changes_v9', x'09')";

async fn a_newer_schema_that_serves_older_programs_is_used_and_not_changed(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    test_db.execute(NEWER_PROGRAM).await;
    let newer = (schema(test_db).await, migrations(test_db).await);
    database.migrate().await.unwrap();
    database.check_schema().await.unwrap();
    database.check_migratable().await.unwrap();
    assert_eq!((schema(test_db).await, migrations(test_db).await), newer);
}

async fn a_function_of_another_version_is_kept(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    test_db.execute(NEWER_PROGRAM).await;
    test_db.execute("UPDATE schema_functions SET sha256 = x'00' WHERE name = 'late_changes_v1'").await;
    database.migrate().await.unwrap();
    let kept = "SELECT count(*) AS answer FROM schema_functions WHERE name = 'late_changes_v9'";
    assert_eq!(query_integer(&test_db.connect().await, kept).await, 1);
}

async fn a_changed_function_is_outdated_and_installed_by_the_next_migration(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let installed = schema(test_db).await;
    let table = if test_db.is_postgres() { " ON conversations" } else { "" };
    test_db.execute(&format!("DROP TRIGGER late_conversations{table}")).await;
    test_db.execute("UPDATE schema_functions SET sha256 = x'00' WHERE name = 'late_changes_v1'").await;
    assert!(matches!(database.check_schema().await, Err(SchemaError::Outdated)));
    database.migrate().await.unwrap();
    database.check_schema().await.unwrap();
    assert_eq!(schema(test_db).await, installed);
}
